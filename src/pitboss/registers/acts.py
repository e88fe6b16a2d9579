"""What is written into the registers by hand, because no act at a table says it. `by` is the role of whoever writes."""

from __future__ import annotations

from typing import TypeAlias, Union

import msgspec

from pitboss.rulebooks.registers import clauses_on
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.wagers import is_name

SELF = "player"
TEXT_MAX = 1_000


class RegisterAct(
    msgspec.Struct,
    frozen=True,
    tag_field="act",
    tag=lambda name: name,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The base of all of them."""

    by: str


class RecordApproval(RegisterAct, frozen=True):
    """A table, or its optional wager, was approved in writing."""

    table: str
    officer: str
    """Who approved it."""
    reference: str
    """Of the written approval."""
    subject: str = "table"
    """table or side-bet."""


class MoveCards(RegisterAct, frozen=True):
    """Cards come to a table, or leave it."""

    table: str
    to: str
    """in (to the table) or out (from it)."""
    decks: int
    seal: str = ""
    """Number of the seal or batch."""
    reason: str = ""


class CheckCards(RegisterAct, frozen=True):
    """Every card at a table was checked before it is used."""

    table: str
    means: str
    """staff or machine."""
    checker: str
    """Who, or which machine."""
    decks: int
    fault: str = ""
    """What was found wrong; "" where nothing was."""


class Complain(RegisterAct, frozen=True):
    """Somebody complains to whoever the document names: an inspector, an Authorised Officer, the Commission."""

    person: str
    about: str
    table: str = ""
    """Where; "" where it is about no table."""


class AnswerComplaint(RegisterAct, frozen=True):
    """What came of a complaint, and who decided."""

    complaint: str
    """Its line."""
    answer: str
    decided_by: str
    table: str = ""


class AskForBox(RegisterAct, frozen=True):
    """Somebody wants to play where no box is free."""

    person: str
    table: str
    box: int = 0
    """0: any."""


class EndDemand(RegisterAct, frozen=True):
    """Whoever asked for a box has been told that none is free, or wants none any more."""

    person: str
    table: str
    outcome: str


class MarkDone(RegisterAct, frozen=True):
    """Something that was due was done, or somebody told, and how that can be shown."""

    item: str
    evidence: str
    table: str = ""


AnyRegisterAct: TypeAlias = Union[
    RecordApproval, MoveCards, CheckCards, Complain, AnswerComplaint, AskForBox, EndDemand, MarkDone,
]  # fmt: skip


class BeginSending(RegisterAct, frozen=True):
    """The floor hands a notice to the mail server; written before it does, so that no two do."""

    item: str
    address: str
    table: str = ""


class SendingFailed(RegisterAct, frozen=True):
    """The mail server did not take it: it may be tried again."""

    item: str
    why: str
    table: str = ""


AnyWritten: TypeAlias = Union[
    RecordApproval, MoveCards, CheckCards, Complain, AnswerComplaint, AskForBox, EndDemand, MarkDone, BeginSending,
    SendingFailed,
]  # fmt: skip
"""Everything that is written: by people, and by the floor itself."""

OCCASION: dict[type[RegisterAct], str] = {
    MoveCards: "cards",
    CheckCards: "card-check",
    Complain: "complaint",
    AnswerComplaint: "complaint",
    AskForBox: "demand",
    EndDemand: "demand",
}
"""On which occasion of a document's `registers.tsv` each act rests."""
BY_THE_PERSON = (Complain, AskForBox, EndDemand)
"""What somebody says in their own name; a dealer or supervisor may write it down for them."""
OFFICERS = (RecordApproval, AnswerComplaint, MarkDone)
"""What an inspector may write too."""
NOT_EMPTY: dict[type[RegisterAct], dict[str, str]] = {
    RecordApproval: {"officer": "say who approved it", "reference": "name the written approval"},
    CheckCards: {"checker": "say who, or which machine, checked the cards"},
    Complain: {"about": "say what the complaint is about"},
    AnswerComplaint: {"answer": "enter the outcome of the complaint", "decided_by": "say who decided"},
    EndDemand: {"outcome": "say what became of it"},
    MarkDone: {"evidence": "enter the evidence that it was done"},
}
CHOICES: dict[type[RegisterAct], dict[str, tuple[str, ...]]] = {
    RecordApproval: {"subject": ("table", "side-bet")},
    MoveCards: {"to": ("in", "out")},
    CheckCards: {"means": ("staff", "machine")},
}


def cause(rulebook: Rulebook, act: AnyRegisterAct) -> tuple[str, ...]:
    """The clauses on which an act rests; of something done, the item has them."""
    if isinstance(act, RecordApproval):
        return clauses_on(rulebook.id, f"{act.subject}-approval")
    if isinstance(act, MarkDone):
        return ()
    return clauses_on(rulebook.id, OCCASION[type(act)])


def refuse(rulebook: Rulebook, act: AnyRegisterAct, name: str) -> Refusal | None:
    """Why somebody called `name` may not write this, or None if they may."""
    clauses = cause(rulebook, act) or rulebook.game.name.clauses

    def no(text: str) -> Refusal:
        return Refusal(rulebook.name, clauses, text)

    for field, options in CHOICES.get(type(act), {}).items():
        if getattr(act, field) not in options:
            return no(f"{field} is {' or '.join(options)}, not {getattr(act, field)!r}.")
    if not cause(rulebook, act) and not isinstance(act, MarkDone):
        return no("the document requires no such approval, so there is none to record.")
    if type(act) in BY_THE_PERSON:
        person = getattr(act, "person")  # noqa: B009 - all of these have one
        if not is_name(person):
            return no("say who it is: letters, digits, _ or -, beginning with a letter.")
        if act.by == SELF and person.lower() != name.lower():
            return no("players speak for themselves only.")
        if act.by != SELF and not may_act(act.by, "dealer"):
            return no("the person says it, or the dealer or a supervisor for them.")
    elif not (may_act(act.by, "casino-supervisor") or (act.by == "inspector" and type(act) in OFFICERS)):
        return no("a casino supervisor writes that down.")
    for field, text in NOT_EMPTY.get(type(act), {}).items():
        if not getattr(act, field).strip():
            return no(f"{text}.")
    for field in act.__struct_fields__:
        value = getattr(act, field)
        if isinstance(value, str) and len(value) > TEXT_MAX:
            return no(f"{field}: at most {TEXT_MAX} letters.")
    if isinstance(act, CheckCards) and act.means == "machine" and not clauses_on(rulebook.id, "machine-check"):
        return no("people look at every card: the document has no machine that checks them.")
    if isinstance(act, (MoveCards, CheckCards)) and not 1 <= act.decks <= 100:
        return no("say how many decks, 1 to 100.")
    if isinstance(act, AskForBox) and not 0 <= act.box <= 7:
        return no("boxes are 1 to 7; 0 is any.")
    return None
