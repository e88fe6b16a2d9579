"""What a ruling is made of: steps, approvals, notices, and the questions that nobody may answer by guessing."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from pitboss.ledger.postings import Posting
from pitboss.rulebooks.terms import Amendment
from pitboss.table.acts import AnyAct
from pitboss.table.events import AnyEvent
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table

FactValue: TypeAlias = "bool | int | str | tuple[str, ...]"

STEP_KINDS = ("do", "cards", "money", "choice", "next")
"""What a step is about: something to do, cards, money that moves, what players may choose, how play continues."""


class AdjudicationError(ValueError):
    """What was asked cannot be read: an unknown situation, fact or decision."""


class Step(msgspec.Struct, frozen=True):
    """One thing that happens now, in words that can be read to the players."""

    text: str
    clauses: tuple[str, ...]
    kind: str = "do"
    note: str = ""
    """How the document was read, where it is silent or can be read in more than one way."""
    at_table: bool = False
    """True: it is about the table that was given, as the engine decided it; False: it is what the rule says."""
    postings: tuple[Posting, ...] = ()


class Approval(msgspec.Struct, frozen=True):
    """Somebody whose word is needed."""

    who: str
    what: str
    clauses: tuple[str, ...]
    named: str = ""
    """The same in words that name whom the document names, where that is not the role."""


class Notice(msgspec.Struct, frozen=True):
    """Somebody who must be told."""

    to: str
    what: str
    clauses: tuple[str, ...]
    named: str = ""
    """The same in words that name whom the document names, where that is not the role."""


class Source(msgspec.Struct, frozen=True):
    """A rulebook that makes a choice, and by which clauses."""

    rulebook: str
    clauses: tuple[str, ...]


class Choice(msgspec.Struct, frozen=True):
    """One possible answer to a question."""

    value: str
    text: str
    sources: tuple[Source, ...] = ()


class Question(msgspec.Struct, frozen=True):
    """Something that must be answered before the ruling is complete."""

    about: str
    """The name of a fact, or of a term on which the document is silent, as in ``irregularities.cut_missed``."""
    text: str
    kind: str
    """fact: somebody at the table knows it; house: the document does not say, so the house decides."""
    choices: tuple[Choice, ...] = ()
    clauses: tuple[str, ...] = ()
    decided_by: str = ""
    """The role that decides what the document leaves open."""
    decider_clauses: tuple[str, ...] = ()


class Decision(msgspec.Struct, frozen=True):
    """What the house decided where the document is silent, and who did."""

    about: str
    value: str
    text: str
    by: str
    clauses: tuple[str, ...]
    sources: tuple[Source, ...] = ()


class Ruling(msgspec.Struct, frozen=True):
    """What happens now, by one rulebook."""

    rulebook: str
    name: str
    """The rulebook as every text names it."""
    situation: str
    title: str
    steps: tuple[Step, ...]
    approvals: tuple[Approval, ...] = ()
    notices: tuple[Notice, ...] = ()
    questions: tuple[Question, ...] = ()
    decisions: tuple[Decision, ...] = ()
    amendment: Amendment | None = None
    """The decisions as a layer over the document: with it a record replays as the ruling says."""
    acts: tuple[AnyAct, ...] = ()
    """With a table: what is done, in order; playing these acts is following the ruling."""
    events: tuple[AnyEvent, ...] = ()
    after: Table | None = None
    """The table once the steps have been followed."""
    refusal: Refusal | None = None
    """With a table: why what was asked cannot have happened so, or may not be done."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to ask."""
        return not self.questions

    @property
    def money(self) -> tuple[Step, ...]:
        """The steps by which money moves."""
        return tuple(step for step in self.steps if step.kind == "money")

    @property
    def choices(self) -> tuple[Step, ...]:
        """What players may choose."""
        return tuple(step for step in self.steps if step.kind == "choice")
