"""Who asks the floor for something, and what it answers."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from pitboss.table.events import AnyEvent
from pitboss.table.refusals import Refusal

FLOOR_ROLES = (
    "player",
    "dealer",
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


HOUSE = Caller("", "house")
"""The floor itself: the house dealer, its timers and the jackpot link."""


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
