"""Sessions that nobody thought out, remembered by a recorder: the driver's people at tables with more on the sign."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from pitboss.records import Recorder
from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.engine import open_table
from pitboss.table.house import House, Patron, refuse_house
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refused
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table
from tests.properties.driver import PEOPLE, ROLES, next_act, some_house


def session(rulebook: str, seed: int, rounds: int = 4) -> Recorder:
    """Some rounds of play at a table that chance has furnished, the last one played to its end."""
    chance = random.Random(f"{rulebook} {seed}")
    house = _house(rulebook, chance)
    recorder = Recorder(open_table(rulebook, house=house, players=_players(house, chance)))
    ended = 0
    for _ in range(120 * rounds):
        if ended >= rounds and recorder.table.phase == "wagers":
            break
        phase = recorder.table.phase
        try:
            recorder.play(_next(recorder.table, chance) if ended < rounds else needed(recorder.table, chance))
        except Refused:
            continue
        ended += phase != "wagers" and recorder.table.phase == "wagers"
    for _ in range(500):
        if recorder.table.phase == "wagers":
            return recorder
        recorder.play(needed(recorder.table, chance))
    raise AssertionError(f"the round does not end: {waiting_for(recorder.table)}")


def needed(table: Table, chance: random.Random) -> AnyAct:
    """Something that the table waits for."""
    what = waiting_for(table).what
    if what == "shuffle":
        return a.Shuffle(tuple(chance.sample(cards := cards_to_shuffle(table), len(cards))))
    if what == "jackpot":
        return a.PayJackpot(2_500_000, 2_000_000)
    return cast(AnyAct, chance.choice(legal_acts(table) or (a.CallNoMoreBets(),)))


def _house(rulebook: str, chance: random.Random) -> House:
    book = load(rulebook)
    house = some_house(book, chance)
    for changes in cast(
        tuple[dict[str, Any], ...],
        (
            {"minimum_cents": 200},
            {"jackpot_linked": True},
            {"side_limits": {"perfect-pairs": (100, 5000)}},
            {"player_maximum_cents": 40_000},
            {"unit_cents": 500},
            {"low_limit": True},
        ),
    ):
        changed = replace(house, **changes)
        if chance.random() < 0.2 and refuse_house(book, changed) is None:
            house = changed
    return house


def _players(house: House, chance: random.Random) -> dict[str, Patron]:
    boxes = chance.sample(range(1, 6), 4)
    return {
        name: Patron(
            seat=box if chance.random() < 0.6 and box <= house.boxes else None,
            chips_cents=chance.choice((None, None, 20_000)),
            loss_limit_cents=chance.choice((None, None, 30_000)),
            deposit_limit_cents=chance.choice((None, 50_000)),
            recognised=chance.random() < 0.2,
            restricted_before=chance.random() < 0.2,
        )
        for name, box in zip(PEOPLE, boxes, strict=False)
        if chance.random() < 0.5
    }


def _next(table: Table, chance: random.Random) -> AnyAct:
    if waiting_for(table).what == "jackpot" and chance.random() < 0.7:
        return needed(table, chance)
    if chance.random() < 0.08:
        return _more_of_the_house(chance)
    return cast(AnyAct, next_act(table, chance))


def _more_of_the_house(chance: random.Random) -> AnyAct:
    """What the driver's people do not think of."""
    name, role = chance.choice(PEOPLE), chance.choice(ROLES)
    kind, yes = chance.choice(("perfect-pairs", "any-pairs", "blazing-7s")), chance.random() < 0.5
    makers: tuple[Callable[[], AnyAct], ...] = (
        lambda: a.BuyChips(name, 5000),
        lambda: a.CapPlayers(role, chance.choice((0, 4))),
        lambda: a.RequireSideBet(role, kind, yes),
        lambda: a.SetLimits(role, 100, 5000, kind),
        lambda: a.SetLimits(role, 1500, 60_000, keep_old_minimum=yes),
        lambda: a.GrantMaximum(role, name, 200_000, 1000),
        lambda: a.Restrict(role, name, chance.choice(("all-further-shoes", "recognised-player", "associate")), True),
        lambda: a.RestrictSideBet(role, kind, True, True, yes),
        lambda: a.SetJackpot(6_000_000),
        lambda: a.DeclineCut(name),
        lambda: a.Cut(chance.choice((name, "dealer", "supervisor")), chance.choice((10, 100))),
        lambda: a.PlaceCuttingCard(chance.choice((10, 60))),
        lambda: a.WithdrawWager(name, chance.randint(1, 5), kind),
    )
    return chance.choice(makers)()
