"""What somebody has played themselves: sums by table and gaming day, and their latest rounds. Blocking."""

from __future__ import annotations

import msgspec

from pitboss.floor import history
from pitboss.floor.projections import Projections
from pitboss.floor.takings import HouseTakings
from pitboss.reports.takings import PlayedBy, TableTold
from pitboss.store.log import Log

ROUNDS_MOST = 50
LOOKED_AT_MOST = 6
"""Sittings that are looked through for rounds, the latest first: each is read from the log."""


class Sitting(msgspec.Struct, frozen=True):
    """One table on one gaming day; amounts in cents, of rounds that are over."""

    date: str
    table: str
    name: str
    kind: str
    """money, practice or tournament."""
    rounds: int
    wagered_cents: int
    won_cents: int
    """Below zero where they lost."""


class OwnRound(msgspec.Struct, frozen=True):
    """One finished round."""

    table: str
    name: str
    kind: str
    round: int
    at_ms: int
    cents: int


class OwnPlay(msgspec.Struct, frozen=True):
    """Everything that one person has played, the latest first."""

    sittings: tuple[Sitting, ...] = ()
    rounds: tuple[OwnRound, ...] = ()
    """The latest of them."""


def own_play(log: Log, projections: Projections, person: str) -> OwnPlay:
    """Of one person alone. A round counts when its cards and payments have been told."""

    def found(fold: HouseTakings) -> list[tuple[str, str, PlayedBy, TableTold]]:
        mine = []
        for key, played in fold.takings.people.items():
            date, table, name = key.split(" ", 2)
            if name == person and played.rounds:
                told = msgspec.structs.replace(fold.takings.tables[table], lying={}, moved=[])
                mine.append((date, table, msgspec.structs.replace(played), told))
        return mine

    mine = projections.ask(HouseTakings, found)
    mine.sort(key=lambda each: (each[0], each[2].last_ms), reverse=True)
    sittings: list[Sitting] = []
    rounds: list[OwnRound] = []
    for place, (date, table, played, told) in enumerate(mine):
        number, wagered, won = played.over
        kind = "tournament" if told.tournament else "practice" if told.practice else "money"
        name = told.name or table
        if number:
            sittings.append(Sitting(date, table, name, kind, number, wagered, won))
        if place < LOOKED_AT_MOST and len(rounds) < ROUNDS_MOST:
            first = max(played.first_round, played.last_round - ROUNDS_MOST + 1)
            last = played.last_round
            for each in reversed(history.rounds(log, table, first, last - first + 1) or []):
                if person in each.net_cents:
                    rounds.append(OwnRound(table, name, kind, each.round, each.at_ms, each.net_cents[person]))
    return OwnPlay(tuple(sittings), tuple(rounds[:ROUNDS_MOST]))
