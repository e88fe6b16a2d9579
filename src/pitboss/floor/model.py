"""Who asks the floor for something, and what it answers."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from pitboss.rulebooks.terms import Amendment
from pitboss.table.events import AnyEvent
from pitboss.table.house import House, Patron
from pitboss.table.refusals import Refusal

FLOOR = "floor"
"""The stream that says which tables and links there are."""
BUSY = "the floor is too busy; try again."

FLOOR_ROLES = (
    "player",
    "dealer",
    "gaming-supervisor",
    "supervisor",
    "gaming-manager",
    "tournament-manager",
    "inspector",
    "administrator",
)
"""The roles an account may have. At a table a supervisor acts as the rulebooks' casino-supervisor."""


class Caller(msgspec.Struct, frozen=True):
    """Somebody whose session is valid: an account's name and its role."""

    name: str
    role: str
    session: str = ""
    """A short public handle of the session, for the audit; never the token."""
    tables: tuple[str, ...] = ("*",)
    """The tables to which they are posted; "*" is all of them."""


HOUSE = Caller("", "house")
"""The floor itself: the house dealer, its timers and the jackpot link."""


class Timers(msgspec.Struct, frozen=True):
    """How long a table that deals by itself waits for people, in milliseconds."""

    wagers_ms: int = 15_000
    """From the first wager of a round to no more bets, unless everybody has wagered."""
    last_wager_ms: int = 3_500
    """After the latest wager, once everybody has wagered: time for another box or an optional wager."""
    decision_ms: int = 20_000
    """For a player's decision; then they are passed over."""
    answer_ms: int = 12_000
    """For a forfeit, and for what others on a box are asked."""
    insurance_ms: int = 10_000
    surrender_ms: int = 10_000
    cut_ms: int = 8_000
    supervisor_ms: int = 60_000
    """For a supervisor, where something went wrong at a table that no supervisor looks at."""
    away_ms: int = 5 * 60_000
    """Whoever has not been there for so long loses their seat, once no wager of theirs is on the table."""
    pace_ms: int = 700
    """Between one act of the house (or of a bot) and the next, so that people can follow."""
    lay_ms: int = 230
    """For each card that has just been dealt: nobody's time runs before the cards lie."""


class Opening(msgspec.Struct, frozen=True):
    """How a table is opened: the first entry of its stream."""

    rulebook: str
    name: str = ""
    """What people call the table; its id where nothing is said."""
    variant: dict[str, Any] = {}
    edition: str = ""
    """The digest of the document's text; logs from before editions had one name none (see `first_edition`)."""
    amendments: tuple[Amendment, ...] = ()
    """What amends the document at this table, whole, so that nothing that changes later changes it."""
    house: House | None = None
    """None: as records know a table when they say nothing else."""
    players: dict[str, Patron] = {}
    dealer: Literal["house", "person"] = "person"
    timers: Timers = Timers()
    bots: tuple[str, ...] = ()
    """Players who are bots of the house; each takes a free box when the round leaves them one."""
    link: str = ""
    """The jackpot link that the table is on."""
    tournament: str = ""
    """The tournament that opened the table for one of its sessions."""
    float_cents: int = 0
    """Chips in the rack when the table is opened, which come from the cage."""
    uncounted: bool = False
    """Nobody counts chips at this table, though it has a gaming date: whoever plays has enough."""


class Accepted(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    """The act was decided and is durably written."""

    table: str
    version: int
    """The version of the table's stream after the act."""
    events: tuple[AnyEvent, ...] = ()


class NotAllowed(msgspec.Struct, frozen=True, tag="refused", tag_field="is"):
    """The rules say no; nothing changed."""

    table: str
    refusal: Refusal


class Denied(msgspec.Struct, frozen=True, tag="denied", tag_field="is"):
    """The caller may not ask for this (or may not ask at all); nothing changed, and it is in the audit."""

    text: str
    clauses: tuple[str, ...] = ()


class Unknown(msgspec.Struct, frozen=True, tag="unknown", tag_field="is"):
    """There is no such table, account, round or act; the sentence says which are."""

    text: str


class Taken(Unknown, frozen=True, tag="taken", tag_field="is"):
    """The id that was chosen for something new belongs to something else; nothing changed."""


class Moved(msgspec.Struct, frozen=True, tag="moved", tag_field="is"):
    """Another process owns the table; ask there."""

    table: str
    address: str


class Halted(msgspec.Struct, frozen=True, tag="halted", tag_field="is"):
    """The floor cannot accept anything now (disk full, shutting down); nothing changed, try again later."""

    text: str


class Proposed(msgspec.Struct, frozen=True, tag="proposed", tag_field="is"):
    """A second person has to approve before it is done."""

    proposal: str
    text: str


Answer: TypeAlias = "Accepted | NotAllowed | Denied | Unknown | Moved | Halted | Proposed"
