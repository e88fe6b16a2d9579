"""A month of many tables with players who play best: its report ties to the ledger, and its bands hold as they say.

    python -m soak.month [--tables 40] [--days 30] [--rounds 120] [--boxes 3] [--seed 1] [--out soak/month.json]

Every round is dealt by the simulator, decided by best play and paid by the engine; the takings hear the engine's events
and nothing else. For each table and day the win of the game is held against its 95 % limits, and the win of all tables
together against theirs. The first round of a fresh shoe is what the exact values are about: tables use a device.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import time
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path

import msgspec

from pitboss import load, open_table
from pitboss.maths.simulate.game import DEVICE, Game, Options, compile_game
from pitboss.maths.simulate.jobs import make_strategy
from pitboss.maths.simulate.play import Player
from pitboss.patrons.gaming_day import begins_ms, calendar_of
from pitboss.reports.build import build, everything, of_day
from pitboss.reports.takings import TableTold, Takings, bonus_of
from pitboss.rulebooks import RULEBOOKS
from tests.cross.against_engine import carry_on, house_of

FIRST = datetime.date(2026, 10, 1)
"""Sydney and Adelaide put their clocks forward on the fourth of this month."""
ROUND_MS = 45_000


class Found(msgspec.Struct):
    """What a month showed."""

    tables: int
    days: int
    rounds: int
    win_cents: int
    expected_cents: float
    inside: int
    """Table days whose win lies within its limits."""
    of: int
    deviations_off: float
    """How far the whole month's win is from what was expected, in standard deviations."""
    ties: bool
    seconds: float = 0.0

    @property
    def is_right(self) -> bool:
        """As often inside as the limits say, up to four standard deviations of that; and the month itself, too."""
        spread = 4.0 * sqrt(0.95 * 0.05 / self.of)
        return self.ties and abs(self.inside / self.of - 0.95) <= spread and abs(self.deviations_off) < 4.0


def game_of(rulebook: str, boxes: int) -> Game:
    book = load(rulebook)
    options = Options(decks=book.cards.decks_default.value, source=DEVICE, boxes=boxes, wager_cents=2500)
    return compile_game(book, options)


def month(
    rulebooks: Sequence[str],
    tables: int,
    days: int,
    rounds: int,
    boxes: int,
    seed: int,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[Found, Takings]:
    """Play it, and look."""
    started = time.monotonic()
    takings = Takings()
    games = {name: game_of(name, boxes) for name in rulebooks}
    players = {name: Player(game, make_strategy(game, "optimal")) for name, game in games.items()}
    for number in range(tables):
        name = rulebooks[number % len(rulebooks)]
        game, table = games[name], f"table-{number + 1}"
        calendar = calendar_of(game.rulebook)
        house = house_of(game)
        told = TableTold(table, name, "", house.decks, calendar.zone, calendar.begins_hour, resplit=house.resplit)
        told.bonus = bonus_of(game.rulebook)
        takings.tables[table] = told
        takings.books.open(table)
        played = players[name].rounds(seed * 10_000 + number, days * rounds)
        for count, each in enumerate(played):
            date = FIRST + datetime.timedelta(days=count // rounds)
            told.date = str(date)
            at_ms = begins_ms(calendar, date) + (count % rounds) * ROUND_MS
            begun = open_table(game.rulebook, cards=each.cards, house=house)
            _, events = carry_on(begun, game, each.decisions, each.wager_cents)
            takings.heard(table, at_ms, told.date, f"dealer-{count // 40 % 3}", "dealer", events)
        progress(number + 1, tables)
    return _looked_at(takings, tables, days, time.monotonic() - started), takings


def _looked_at(takings: Takings, tables: int, days: int, seconds: float) -> Found:
    inside = of = 0
    for day in range(days):
        report = build(takings, of_day(FIRST + datetime.timedelta(days=day)), "", "")
        inside += sum(not row.is_outside for row in report.by_table)
        of += len(report.by_table)
    whole = build(takings, everything, "", "")
    assert whole.total.expected is not None and whole.total.high is not None
    deviation = (whole.total.high - whole.total.expected) / 1.959963984540054
    off = (whole.total.compared - whole.total.expected) / deviation
    return Found(
        tables, days, whole.total.rounds, whole.total.win, whole.total.expected, inside, of, off, whole.ties, seconds
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--boxes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    said = parser.parse_args()

    def progress(done: int, of: int) -> None:
        print(f"\r{done} of {of} tables", end="", file=sys.stderr, flush=True)

    found, _ = month(list(RULEBOOKS), said.tables, said.days, said.rounds, said.boxes, said.seed, progress)
    print(file=sys.stderr)
    print(msgspec.json.format(msgspec.json.encode(found), indent=1).decode())
    if said.out is not None:
        command = " ".join(["python -m soak.month", *sys.argv[1:]])
        said.out.write_text(json.dumps({"command": command, **msgspec.to_builtins(found)}, indent=1) + "\n")
    return 0 if found.is_right else 1


if __name__ == "__main__":
    sys.exit(main())
