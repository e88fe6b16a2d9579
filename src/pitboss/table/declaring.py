"""What is said of an act beside its fields: who may do it, how records, people and forms speak of it.

Pure data. `acts.py` declares every act with it, once; records, terminal, floor, server and pages read it from
`DECLARED` and know no act by name of their own. What an act does is in its chapter (`chapters.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import msgspec

# --- who may do it ---------------------------------------------------------------------------------------------------


class Rule(msgspec.Struct, frozen=True):
    """Who may do one act."""

    who: Literal["player", "staff", "house"]
    """player: the player themselves; staff: the house's people; house: the floor itself and nobody else."""
    needs: str = ""
    """For staff: the least role; "" where the term names it."""
    term: str = ""
    """The rulebook's term that names the role, or, where `needs` is given, whose clauses stand behind it."""
    staff_too: str = ""
    """For a player's act: the least of the house's people who may do it for them."""
    house_too: bool = False
    """Whether the floor itself does it, at a table that deals by itself."""
    or_terms: tuple[str, ...] = ()
    """Other terms that may name the role instead; the chapter says when (`authority.names_who`)."""
    step: str = ""
    """The step of a tournament (`tournament.steps`) that this is: whoever runs it may do it at its tables where
    the term names nobody."""
    private: bool = False
    """Whether that is a player's own affair, which other players do not learn by asking."""


def by_player(staff_too: str = "", *, house_too: bool = False, term: str = "boxes.control") -> Rule:
    """The player, in their own name."""
    return Rule("player", term=term, staff_too=staff_too, house_too=house_too)


def by_dealer(term: str = "deal.order", *, house_too: bool = False) -> Rule:
    return Rule("staff", "dealer", term, house_too=house_too)


def by_supervisor(term: str) -> Rule:
    return Rule("staff", "casino-supervisor", term)


def by_named(
    term: str,
    *or_terms: str,
    step: str = "",
    private: bool = False,
    house_too: bool = False,
) -> Rule:
    """Whom the rulebook's term names, or one of several terms by what stands at the table."""
    return Rule("staff", "", term, "", house_too, or_terms, step, private)


def by_the_floor(term: str) -> Rule:
    """The floor itself, and nobody by hand."""
    return Rule("house", term=term, house_too=True)


class Second(msgspec.Struct, frozen=True):
    """A second person whom an act needs."""

    role: Literal["casino-supervisor", "gaming-manager", "inspector"]
    """gaming-manager: one of the two must be one; inspector: the second must be one."""
    reason: str
    when: Literal["always", "large-maximum", "inspector-approval"] = "always"
    """large-maximum: a maximum far above what stood; inspector-approval: where the act's term says that."""
    only_if: str = ""
    """A field that must say yes, or nobody else is needed."""
    sets: str = ""
    """The field that says of the act carried out that the approval is there."""
    moment: Literal["", "round", "hand"] = ""
    """What the act speaks of without saying so: it is not carried out in another round, or on another hand."""
    shows: Literal["", "limits", "sign", "round", "wagers-of-player", "hand"] = ""
    """What whoever approves sees of the table beside the act."""
    if_said: str = ""
    """A field that, where it says anything, wants somebody else instead:"""
    then: tuple[str, str, str] = ("", "", "")
    """role, reason, and the term whose clauses stand behind it."""


# --- how it is said --------------------------------------------------------------------------------------------------


class Line(msgspec.Struct, frozen=True):
    """One way to say an act in a record: a bare word stands for itself, ``<field>`` for a value of that field, and
    brackets enclose what may be left out."""

    pattern: str
    said: Mapping[str, object] = {}
    """Fields that the words themselves decide: only acts with these values are said so."""
    flags: Mapping[str, tuple[str, object]] = {}
    """Optional words: the field that each sets, and to what."""


class Button(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an act is called where it is one step."""

    label: str
    key: str
    says: str = ""
    calm: bool = False
    """Whether it costs nothing and gives nothing up: the keyboard may find it under its fingers by itself."""
    last: bool = False
    """Whether it loses something, or lets it pass: it comes after those that do not."""
    for_player: bool = False
    """Whether the dealer says it for a player who says nothing: it is never the next step by itself."""
    awaited: bool = False
    """Whether a table waits for whoever supervises to do it: they have it above their forms."""


Start = bool | int | str | None


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of a form."""

    name: str
    kind: str = msgspec.field(name="is")
    """What it asks for, and so how it is drawn: player, name, box, kind, side, money, count, yes, text, choice, cards,
    players, boxes, places, card-of-round, decision-of-round, person, duty or restriction."""
    label: str
    start: Start = None
    """With what it begins; where nothing is said here, the act's own default."""
    told: tuple[str, ...] = ()
    """How whoever approves the act reads a yes: what is said, when it is ticked, when it is not."""
    options: tuple[str, ...] = ()
    words: Mapping[str, str] = {}
    """Options that are said in other words than they are written."""
    optional: bool = False


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """The form for an act of the house's people, on their panel."""

    group: str
    """The fold that it stands in, one of `GROUPS`; in it forms stand in the order of the acts."""
    label: str
    says: str = ""
    words: str = ""
    """What somebody may also search for."""
    fields: tuple[Field, ...] = ()
    terms: tuple[str, ...] = ()
    """The rulebook's terms that are shown with it."""
    situations: tuple[str, ...] = ()
    """What `adjudicate` calls that which has happened: its rulings are shown with the form."""
    situation_by: tuple[str, Mapping[str, str]] = ("", {})
    """A field whose value says which of them it is."""
    facts: Mapping[str, str] = {}
    """Facts that a situation asks for, and the field that tells each where it has another name."""
    phase: tuple[str, str] = ("", "")
    """The only phase in which it can be told, and what to say in others."""


GROUPS: Mapping[str, bool] = {
    "Limits and signs": False,
    "Players": False,
    "Boxes and wagers": False,
    "Cards and dealing": False,
    "Cards gone wrong": True,
    "Forgotten steps": True,
    "Misdeals and void rounds": True,
    "People at the table": True,
    "Chips and float": False,
    "Payments and disputes": True,
    "Shuffling device and jackpot": True,
    "Disturbance and fraud": True,
    "Tournament": False,
}
"""The folds of the panel in their order, and whether they are for what went wrong."""


class Declaration(msgspec.Struct, frozen=True):
    """All that is said of one act."""

    act: type[Any]
    may: Rule
    lines: tuple[Line, ...] = ()
    """How a record says it; empty for what no record says."""
    second: Second | None = None
    tournament: bool = False
    """Whether whoever runs a tournament may do it at tournament tables."""
    typed: tuple[str, ...] = ()
    """Short words for it in the terminal; the first is what the protocol calls it."""
    button: Button | None = None
    """A player's decision."""
    step: Button | None = None
    """The dealer's next step."""
    form: Form | None = None
    situation: str = ""
    """What `adjudicate` calls it in a record, where it is always the same."""


DECLARED: dict[str, Declaration] = {}
"""Every act by its name, in the order of `acts.py`."""

Kind = TypeVar("Kind", bound=type[msgspec.Struct])


def declare(
    may: Rule,
    *lines: str | Line,
    second: Second | None = None,
    tournament: bool = False,
    typed: tuple[str, ...] = (),
    button: Button | None = None,
    step: Button | None = None,
    form: Form | None = None,
    situation: str = "",
) -> Callable[[Kind], Kind]:
    """Say all that is to be said of the act that follows."""

    def declared(act: Kind) -> Kind:
        said = tuple(Line(each) if isinstance(each, str) else each for each in lines)
        whole = Declaration(act, may, said, second, tournament, typed, button, step, form, situation)
        DECLARED[act.__name__] = whole
        return act

    return declared
