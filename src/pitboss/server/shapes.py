"""The bodies that routes answer with, for the description of the API; tests hold every answer against them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from pitboss.floor.link import LinkOpening
from pitboss.floor.model import Opening, Timers
from pitboss.floor.updates import Told
from pitboss.rulebooks import load
from pitboss.rulebooks.amend import sent_layer
from pitboss.table.house import CHIPS_CENTS, House, Patron

HIGHEST = 1 << 53
"""Numbers that every client can write exactly."""

Count = Annotated[int, msgspec.Meta(ge=0, le=HIGHEST)]
CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"^[^\u0000-\u001f\u007f]+$")]
"""Chosen by the client, once for each command: the same id again gets the first answer."""
TableId = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern="^[a-z0-9][a-z0-9-]*$")]


Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=24 * 3_600_000)]
Cents = Annotated[int, msgspec.Meta(ge=-HIGHEST, le=HIGHEST)]
PlayerName = Annotated[str, msgspec.Meta(max_length=40)]


class TimersAsked(Timers, frozen=True, forbid_unknown_fields=True):
    """How long a table that deals by itself waits for people; none waits longer than a day."""

    wagers_ms: Milliseconds = Timers().wagers_ms
    last_wager_ms: Milliseconds = Timers().last_wager_ms
    decision_ms: Milliseconds = Timers().decision_ms
    answer_ms: Milliseconds = Timers().answer_ms
    insurance_ms: Milliseconds = Timers().insurance_ms
    surrender_ms: Milliseconds = Timers().surrender_ms
    cut_ms: Milliseconds = Timers().cut_ms
    supervisor_ms: Milliseconds = Timers().supervisor_ms
    away_ms: Milliseconds = Timers().away_ms
    pace_ms: Milliseconds = Timers().pace_ms
    lay_ms: Milliseconds = Timers().lay_ms


class HouseAsked(House, frozen=True, forbid_unknown_fields=True):
    """What the house chooses, in numbers that every client can write."""

    chips_cents: Annotated[tuple[Cents, ...], msgspec.Meta(max_length=40)] = CHIPS_CENTS
    minimum_cents: Cents = 500
    maximum_cents: Cents = 100_000


class PlayerAsked(Patron, frozen=True, forbid_unknown_fields=True):
    """What is known of a player when they come to the table."""


PlayersAsked = Annotated[dict[PlayerName, PlayerAsked], msgspec.Meta(max_length=100)]


class OpeningAsked(Opening, frozen=True, forbid_unknown_fields=True):
    """How somebody wants a table opened; what everybody at it is told again and again is short."""

    name: Annotated[str, msgspec.Meta(max_length=100)] = ""
    house: HouseAsked | None = None
    players: PlayersAsked = msgspec.field(default_factory=dict)  # type: ignore[assignment]
    timers: TimersAsked = TimersAsked()
    bots: Annotated[tuple[PlayerName, ...], msgspec.Meta(max_length=20)] = ()
    amend: Annotated[tuple[Annotated[str, msgspec.Meta(max_length=20_000)], ...], msgspec.Meta(max_length=8)] = ()
    """What amends the document: names of its own amendments, or the text of an amendment's file."""

    def plain(self) -> Opening:
        """As the floor knows openings; an amendment that cannot be read raises `RulebookError`."""
        opening = msgspec.json.decode(msgspec.json.encode(self), type=Opening)
        if not self.amend:
            return opening
        layers = tuple(sent_layer(each, load(opening.rulebook)) for each in self.amend)
        return msgspec.structs.replace(opening, amendments=opening.amendments + layers)


class LinkOpeningAsked(LinkOpening, frozen=True, forbid_unknown_fields=True):
    """What every table on a jackpot link has in common."""


class Done(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    """It was decided and is durably written."""

    table: str
    version: Count
    events: list[dict[str, Any]]
    """Always empty: what happened is told to everybody in the same way, as an update."""


class Waits(msgspec.Struct, frozen=True, tag="proposed", tag_field="is"):
    """A second person has to approve before it is done."""

    proposal: str
    text: str


class Gone(msgspec.Struct, frozen=True, tag="gone", tag_field="is"):
    """The session is over."""


# --- rulebooks -------------------------------------------------------------------------------------------------------


class RulebookListed(msgspec.Struct, frozen=True):
    id: str
    name: str
    natural: str
    """The document's own word for a natural."""


class TermTold(msgspec.Struct, frozen=True):
    value: Any = msgspec.field(name="is")
    says: tuple[str, ...]
    """The same in sentences, as `pitboss rules` prints them."""
    clauses: tuple[str, ...]


class AmendmentTold(msgspec.Struct, frozen=True):
    """What amends a document at a table."""

    title: str
    kind: str
    clauses: tuple[str, ...]
    """That allow it."""
    approved: str
    terms: tuple[str, ...]
    """The keys of the terms that it changes."""
    disapplies: tuple[str, ...]
    """Clauses that do not apply."""
    left: dict[str, str]
    """Terms that it takes away, each with the clause that says what is done instead."""


class ShownTold(msgspec.Struct, frozen=True):
    """A text that is shown at the table, with the clauses that want it."""

    text: str
    clauses: tuple[str, ...]


class RulebookTold(msgspec.Struct, frozen=True):
    id: str
    name: str
    document: str
    edition: str
    """As the document names it."""
    digest: str
    """Of its text: see `pitboss editions`."""
    amendments: list[AmendmentTold]
    """None but at a table that is opened under them."""
    inscriptions: list[ShownTold]
    """What is lettered on the cloth."""
    notices: list[ShownTold]
    """What a notice at the table tells players."""
    terms: dict[str, TermTold]


class SectionTold(msgspec.Struct, frozen=True):
    """Sentences under a heading, each with its clauses."""

    title: str
    lines: list[ShownTold]


class RulesTold(msgspec.Struct, frozen=True):
    """A rulebook in sentences, as `pitboss rules` prints it, and the game on one screen for a newcomer."""

    how_to_play: list[SectionTold]
    sections: list[SectionTold]


class ClauseTold(msgspec.Struct, frozen=True):
    rulebook: str
    clause: str
    gist: str
    """What it says, in our words."""


class WordTold(msgspec.Struct, frozen=True):
    """A word that a document defines, in plain words."""

    clause: str
    cited: str
    """The clause as people cite it."""
    word: str
    """Empty: what is said of all words together."""
    forms: tuple[str, ...]
    """The word and its other forms."""
    means: str
    see: str
    """The clauses that say more, as people cite them."""
    acts: tuple[str, ...]
    events: tuple[str, ...]
    terms: tuple[str, ...]
    """Where the engine uses it."""


# --- tables ----------------------------------------------------------------------------------------------------------


class TableListed(msgspec.Struct, frozen=True):
    """One row of the overview; what follows `address` is there where the table is at this server."""

    table: str
    name: str
    rulebook: str
    edition: str
    """The digest of the text by which it is played."""
    dealer: Literal["house", "person"]
    link: str | None
    here: bool
    address: str | None
    version: Count = 0
    round: Count = 0
    phase: str = ""
    preparation: str = ""
    halted: bool = False
    stopped: bool = False
    """Its money does not add up: two people must restart it."""
    practice: bool = False
    """It was opened without a gaming date: the patrons' book is not asked."""
    approval_due: str | None = None
    minimum_cents: int = 0
    maximum_cents: int = 0
    boxes: int = 0
    players: list[str] = []
    taken: list[int] = []
    wagered: list[int] = []
    turn: int | None = None
    waits: str = ""
    """What the table waits for, and whose word."""
    who: list[str] = []
    watching: Count = 0
    at_ms: int = 0


class UpdateTold(msgspec.Struct, frozen=True, tag="update", tag_field="is"):
    """A table now, as the caller may see it; the fields are explained with the socket."""

    table: str
    version: Count
    table_name: str
    dealer: Literal["house", "person"]
    house: dict[str, Any]
    round: Count
    closed: bool
    at_ms: int
    clock: dict[str, int | None]
    link: dict[str, Any] | None
    tournament: dict[str, Any] | None
    """The tournament whose session the table is for."""
    waiting: dict[str, Any]
    view: dict[str, Any]
    mine: dict[str, Any]
    legal: list[dict[str, Any]]
    missed: Count
    events: list[Told]
    prompt: dict[str, Any] | None = None
    passed: list[str] = []
    """At a table that a person deals: who said that they want nothing of what is offered now."""
    paced: bool = False
    """The dealer confirms every card and payment: nothing is shown that they have not dealt, collected or paid."""


class VersionTold(msgspec.Struct, frozen=True):
    """A version of a table."""

    version: Count


class MomentTold(msgspec.Struct, frozen=True):
    """A table as it stood at a version, and the events that led there."""

    table: str
    version: Count
    round: Count
    at_ms: int
    by: str
    approved_by: str
    """The second person, where the act needed one."""
    date: str | None
    """The gaming date of the table then; none at a practice table."""
    view: dict[str, Any]
    events: list[Told]


# --- people ----------------------------------------------------------------------------------------------------------


class ProposalTold(msgspec.Struct, frozen=True):
    """An act that a second person has to approve, or has been asked to."""

    id: str
    table: str
    first: str
    role: str
    act: dict[str, Any]
    wants: str
    """The role of the second person."""
    reason: str
    clauses: list[str]
    at_ms: int
    expires_ms: int
    state: Literal["waiting", "approved", "done", "refused", "rejected", "expired"]
    by: str | None
    text: str | None
    yours: bool
    """Whether the caller may answer it."""


class OperationTold(msgspec.Struct, frozen=True):
    roles: list[str]
    words: str


class TwoPeopleTold(msgspec.Struct, frozen=True):
    act: str
    second: str
    reason: str
    when: str


class MatrixTold(msgspec.Struct, frozen=True):
    acts: dict[str, dict[str, Literal["own", "yes", "approval", "no"]]]
    """By role and act."""
    operations: dict[str, OperationTold]
    two_people: list[TwoPeopleTold]


class NoteTold(msgspec.Struct, frozen=True):
    """One line of the audit."""

    version: Count
    at_ms: int
    kind: Literal["denied", "login", "login-failed", "logout", "account", "approved"]
    who: str
    role: str = ""
    session: str = ""
    what: str = ""
    table: str = ""
    text: str = ""
    clauses: list[str] = []
    address: str = ""
    times: int = 1
    """How often, where one line stands for several."""
    first_ms: int = 0
    last_ms: int = 0
    subjects: dict[str, int] = {}
    """What it was then, each so often."""


# --- training --------------------------------------------------------------------------------------------------------


class StepTold(msgspec.Struct, frozen=True):
    step: str
    words: str
    needs: list[str]


class VerdictTold(msgspec.Struct, frozen=True):
    right: bool
    text: str
    clauses: list[str]
    gists: list[str]
    expected: dict[str, Any] | None


class MistakeTold(msgspec.Struct, frozen=True):
    at: Count
    said: str
    right: str
    text: str
    clauses: list[str]


class ScoreTold(msgspec.Struct, frozen=True):
    right_at_once: Count
    wrong: Count
    mistakes: list[MistakeTold]


class TrainingTold(msgspec.Struct, frozen=True):
    """Where a training stands: the table, what was heard, and the score."""

    id: str
    rulebook: str
    edition: str
    seed: str
    rounds: Count
    at: Count
    of: Count
    over: bool
    exam: bool
    """Nothing is told until it is over."""
    passed: bool
    heard: list[str]
    view: dict[str, Any]
    chips_cents: list[int]
    """The chips that amounts are paid with, largest first."""
    steps: list[StepTold]
    score: ScoreTold
    verdict: VerdictTold | None = None
    """What is said to the step that was done."""
