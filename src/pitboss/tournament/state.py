"""A tournament as a value: only `evolve` makes a new one."""

from __future__ import annotations

import msgspec

from pitboss.tournament.conditions import Conditions, Stage

APPLIED, RESERVE, ENTERED = "applied", "reserve", "entered"
WITHDRAWN, REFUSED, FORFEITED = "withdrawn", "refused", "forfeited"
OUT, DISQUALIFIED = "out", "disqualified"


class Entrant(msgspec.Struct, frozen=True):
    name: str
    number: int
    """In the order of the entry forms."""
    status: str = APPLIED
    """applied (the form is in), reserve, entered, out (placed, may buy back), forfeited, disqualified, withdrawn,
    refused."""
    paid_cents: int = 0
    """What they have paid into the pool and is not given back, commission with it: fee, buy-backs, buy-ins for chips
    that have no cash value."""
    commission_cents: int = 0
    bought_back: int = 0
    bought_in_cents: int = 0
    """For the session that comes."""
    seated: bool = False
    """Whether they have taken the seat that is allotted to them."""
    out_stage: str = ""
    place: int = 0
    prize_cents: int = 0
    redeemed_cents: int = 0
    person: str = ""
    """Whose further entry this is; "" for a first one."""
    instead_of: str = ""
    """Whom they play for, as a substitute."""


class Out(msgspec.Struct, frozen=True):
    """How somebody went out of a session; a larger one is a better place."""

    number: int
    residual_cents: int
    wager_cents: int
    removal: int


class InPlay(msgspec.Struct, frozen=True):
    """One session at one table."""

    stage: str
    table: str
    seats: dict[int, str]
    """Who has which box."""
    chips: dict[str, int] = {}
    """What lies in front of everybody who began the session, and is not gone back."""
    number: int = 0
    """Rounds that are over."""
    status: str = "drawn"
    """drawn, playing, over, counted, returned."""
    out: dict[str, Out] = {}
    gone: tuple[str, ...] = ()
    """Who was disqualified or has forfeited here."""
    redeemed: tuple[str, ...] = ()
    """Whose chips were redeemed when they left the table, or when the session was over."""
    absent: dict[str, int] = {}
    """For how many rounds the minimum was deducted."""
    play_off: bool = False
    places: int = 0
    """Of a play-off: how many go on; 0 where all are placed."""
    table_cents: int = 0
    """What the players have lost to the table, below zero what they have won from it."""
    decided: tuple[str, ...] = ()
    """Of a play-off: the order that it has made."""

    @property
    def playing(self) -> tuple[str, ...]:
        """Who is still in, by box."""
        return tuple(name for _, name in sorted(self.seats.items()) if name not in self.out and name not in self.gone)

    @property
    def left(self) -> dict[str, int]:
        """The chips that are still at the table, by whose they are."""
        return {name: cents for name, cents in self.chips.items() if cents and name not in self.redeemed}


class Tournament(msgspec.Struct, frozen=True):
    """Everything that is known of one tournament."""

    conditions: Conditions | None = None
    status: str = "new"
    """new, entries, closed, playing, cancelled, ended."""
    copies: frozenset[str] = frozenset()
    agreed: frozenset[str] = frozenset()
    entrants: dict[str, Entrant] = {}
    too_few: bool = False
    tables: dict[str, int] = {}
    digests: dict[str, str] = {}
    stage: str = ""
    """The stage that is drawn or played; "" before the first and between two."""
    qualified: dict[str, tuple[str, ...]] = {}
    """Who plays in which stage, in the order of their entry."""
    done: tuple[str, ...] = ()
    """Stages that were announced."""
    sessions: dict[str, InPlay] = {}
    """By ``stage/table``; play-offs by ``stage/table/play-off``."""
    disputes: dict[str, str] = {}
    """Who disputes something, and at which table ("" for the tournament)."""
    goods: tuple[tuple[str, int], ...] = ()
    """Goods and services for places."""
    seconds: int = 0
    accounts: dict[str, int] = {}
    """Money: every account and its balance, which together come to nothing."""
    chip_accounts: dict[str, int] = {}
    """Tournament chips, in the same way."""

    def session(self, table: str) -> tuple[str, InPlay] | None:
        """The session that is on at a table: of the play-off, where there is one."""
        for key, each in reversed(self.sessions.items()):
            if each.table == table and each.stage == self.stage and each.status != "returned":
                return key, each
        return None

    def session_of(self, name: str) -> tuple[str, InPlay] | None:
        """The session in which somebody has a seat now."""
        for key, each in reversed(self.sessions.items()):
            if each.stage == self.stage and each.status != "returned" and name in each.seats.values():
                return key, each
        return None

    def stood_for(self, name: str) -> tuple[str, ...]:
        """Somebody, and before them whom they play for as a substitute."""
        found = [name]
        while found[-1] in self.entrants and self.entrants[found[-1]].instead_of not in ("", *found):
            found.append(self.entrants[found[-1]].instead_of)
        return tuple(found)

    def standing_of(self, name: str) -> str:
        """The status of somebody; out also while the session goes on in which they are."""
        who = self.entrants.get(name)
        if who is None:
            return ""
        here = (each for each in self.sessions.values() if each.stage == self.stage and not each.play_off)
        return OUT if who.status == ENTERED and any(name in each.out for each in here) else who.status

    def now(self) -> Stage | None:
        return None if self.conditions is None else self.conditions.stage(self.stage)

    def entered(self) -> list[Entrant]:
        return [each for each in self.entrants.values() if each.status == ENTERED]


def key_of(stage: str, table: str, *, play_off: bool = False) -> str:
    return f"{stage}/{table}/play-off" if play_off else f"{stage}/{table}"
