"""The same cards and the same decisions on the engine: one simulated round replayed, and what it paid there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pitboss import open_table, play
from pitboss.maths.simulate.game import Game
from pitboss.maths.simulate.play import Played
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import House, default_house
from pitboss.table.state import Table

PEOPLE = ("alice", "bob", "carol", "dave", "erin", "frank", "grace")


def house_of(game: Game) -> House:
    """The engine's table with the choices that the simulated game was compiled with."""
    options = game.options
    return default_house(
        game.rulebook,
        decks=options.decks,
        source=options.source,
        side_bets=options.side_bets,
        chips_cents=options.chips_cents,
        minimum_cents=options.minimum_cents,
        maximum_cents=10**12,
        multiples=options.multiples,
        resplit=options.resplit,
        jackpot_cents=options.jackpot_cents,
        jackpot_minimum_cents=min(game.rulebook.blazing_7s.minimums_cents.value, default=2_500_000),
    )


def wagers_of(game: Game, wager_cents: int) -> list[a.Act]:
    options = game.options
    found: list[a.Act] = []
    for box, name in enumerate(PEOPLE[: options.boxes], start=1):
        found.append(a.PlaceWager(name, box, wager_cents))
        for kind in options.side_bets:
            cents = options.blazing_cents if kind == "blazing-7s" else options.side_cents
            found.append(a.PlaceWager(name, box, cents, kind))
    return found


def replay_round(game: Game, played: Played, house: House) -> list[dict[str, int]]:
    """What each box won or lost on the engine, by stream; raises where the engine refuses or wants other cards."""
    table = open_table(game.rulebook, cards=played.cards, house=house, any_cards=True)
    table, events = carry_on(table, game, played.decisions, played.wager_cents)
    assert table.phase == "wagers", f"the engine is still in {table.phase}"
    assert table.position == len(played.cards), f"the engine took {table.position} of {len(played.cards)} cards"
    money = money_of(events, game.options.boxes)
    for box, name in enumerate(PEOPLE[: game.options.boxes]):
        assert sum(money[box].values()) == table.net[name], "money by stream and by player differ"
    return [{stream: cents for stream, cents in each.items() if cents} for each in money]


def carry_on(
    table: Table, game: Game, decisions: Sequence[str], wager_cents: int
) -> tuple[Table, list[e.Event]]:  # fmt: skip
    """Place the wagers, deal, and say every decision in its turn until the round is over."""
    left = iter(decisions)
    table, found = play(table, *wagers_of(game, wager_cents), a.Deal())
    events = list(found)
    while table.phase != "wagers" and table.preparation == "ready":
        table, found = play(table, *_next_acts(table, left))
        events += found
    assert next(left, None) is None or table.preparation != "ready", "the engine asked for fewer decisions"
    return table, events


def _next_acts(table: Table, left: Iterator[str]) -> list[a.Act]:
    acts: list[a.Act] = []
    if table.phase == "insurance":
        for number, box in table.boxes.items():
            if box.hands[0].total != 21 and next(left) == "insure":
                cents = box.hands[0].wagers[PEOPLE[number - 1]].cents // 2
                if table.rulebook.insurance.unit.value == "half-smallest-chip":
                    cents -= (2 * cents) % table.house.smallest_chip_cents // 2
                acts.append(a.Insure(PEOPLE[number - 1], number, cents))
        return [*acts, a.CloseInsurance()]
    if table.phase == "surrender":
        for number, box in table.boxes.items():
            if not box.hands[0].done and next(left) == "surrender":
                acts.append(a.Surrender(PEOPLE[number - 1], number))
        return [*acts, a.CloseSurrender()]
    kinds: dict[str, Any] = {
        "stand": a.Stand, "hit": a.Hit, "double": a.Double, "split": a.Split, "forfeit": a.Forfeit, "keep": a.Keep
    }  # fmt: skip
    turn = table.turn_box
    return [kinds[next(left)](PEOPLE[turn - 1], turn)]


def money_of(events: Sequence[e.Event], boxes: int) -> list[dict[str, int]]:
    """Won and lost by box and stream, read from the events alone."""
    money: list[dict[str, int]] = [{} for _ in range(boxes)]

    def add(box: int, stream: str, cents: int) -> None:
        money[box - 1][stream] = money[box - 1].get(stream, 0) + cents

    for event in events:
        if isinstance(event, e.WagerPaid):
            add(event.box, "wager", event.paid_cents)
        elif isinstance(event, e.WagerCollected):
            add(event.box, "wager", -event.cents)
        elif isinstance(event, (e.WagerForfeited, e.SurrenderSettled)):
            add(event.box, "wager", -event.lost_cents)
        elif isinstance(event, e.InsurancePaid):
            add(event.box, "insurance", event.paid_cents)
        elif isinstance(event, e.InsuranceCollected):
            add(event.box, "insurance", -event.cents)
        elif isinstance(event, e.SuperBonusPaid):
            add(event.box, "super-bonus", event.cents)
        elif isinstance(event, e.BonusPaid):
            add(PEOPLE.index(event.player) + 1, "super-bonus", event.cents)
        elif isinstance(event, e.SideBetPaid):
            add(event.box, event.kind, event.paid_cents)
        elif isinstance(event, e.SideBetCollected):
            add(event.box, event.kind, -event.cents)
        elif isinstance(event, e.JackpotWagerCollected):
            add(event.box, "blazing-7s", -event.cents)
        elif isinstance(event, e.JackpotPrizePaid):
            add(event.box, "blazing-7s", event.cents)
    return money
