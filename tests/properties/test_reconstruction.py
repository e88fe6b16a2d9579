"""A misdealt round that is rebuilt equals the round dealt rightly from the same cards.

A thousand rounds a rulebook, ten thousand in `make proofs`.

Both tables are then played on with the same decisions: the same hands, the same money and the same cards remain.
A failure names rulebook and seed.
"""

from __future__ import annotations

import random

import pytest

from pitboss import legal_acts, load, open_table, play
from pitboss.basics.cards import JOKER
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.events import DEALER
from pitboss.table.house import BLAZING, House, default_house, offered_side_bets
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table
from tests.lengths import length

ROUNDS = length(10_000, 1_000)
BATCHES = length(4, 1)
CARDS = 40
DECISIONS = 30
HIGHEST = "gaming-manager"
PEOPLE = ("alice", "bob", "carol")

SAME = (
    "phase",
    "preparation",
    "shuffle_reason",
    "boxes",
    "net",
    "jackpot_cents",
    "dealer_cards",
    "dealer_total",
    "dealer_natural",
    "turn_box",
    "turn_hand",
    "rack",
    "cutting_shown",
    "cutting_player",
    "last_results",
)


def some_wagers(house: House, rng: random.Random) -> list[Act]:
    """One to three boxes with a wager or two each, and now and then a wager on a pair."""
    wagers: list[Act] = []
    for box in sorted(rng.sample(range(1, house.boxes + 1), rng.choice((1, 1, 2, 2, 3)))):
        for name in rng.sample(PEOPLE, rng.choice((1, 1, 1, 2))):
            wagers.append(a.PlaceWager(name, box, rng.choice((500, 1000, 2500))))
            if "perfect-pairs" in house.side_bets and rng.random() < 0.2:
                wagers.append(a.PlaceWager(name, box, 500, "perfect-pairs"))
        if BLAZING in house.side_bets and rng.random() < 0.2:
            wagers.append(a.PlaceWager(name, box, 500, BLAZING))
    return wagers


def wrong_places(boxes: list[int], house: House, rng: random.Random) -> tuple[int, ...]:
    """The order of the initial deal as a tired dealer gets it wrong: swapped, left out, one too many, broken off."""
    places = [*boxes, DEALER, *boxes]
    for _ in range(rng.choice((1, 1, 2))):
        slip = rng.randrange(4)
        if slip == 0:
            first, second = rng.randrange(len(places)), rng.randrange(len(places))
            places[first], places[second] = places[second], places[first]
        elif slip == 1 and len(places) > 1:
            del places[rng.randrange(len(places))]
        elif slip == 2:
            places.insert(rng.randrange(len(places) + 1), rng.randint(0, house.boxes))
        else:
            places = places[: rng.randint(1, len(places))]
    if places == [*boxes, DEALER, *boxes]:
        del places[-1]
    return tuple(places)


def range_without_surplus(places: tuple[int, ...], boxes: int) -> list[int]:
    """Where the cutting card may lie: not first, and not before a card too many, which brings it out too early."""
    wanted = 2 * boxes + 1
    return [cards for cards in range(1, 14) if not wanted <= cards < len(places)]


def approved(table: Table) -> Table:
    """Whoever must approve that the game continues does so."""
    while table.approval_due:
        (act, *_) = [act for act in legal_acts(table) if isinstance(act, a.Approve)]
        table, _ = play(table, act)
    return table


def to_come(table: Table) -> tuple[str, ...]:
    return (*(card for card, _ in table.error_cards), *table.stack[table.position :])


def compare(right: Table, rebuilt: Table) -> None:
    for name in SAME:
        assert getattr(rebuilt, name) == getattr(right, name), name
    assert to_come(rebuilt) == to_come(right), "the cards to come"


def one_round(rulebook_id: str, seed: int) -> None:
    rng = random.Random(f"{rulebook_id}:{seed}")
    rulebook = load(rulebook_id)
    source = rng.choice(rulebook.shuffle.sources.value)
    decks = rulebook.cards.decks.value[-1]
    house = default_house(rulebook, source=source, decks=decks, side_bets=offered_side_bets(rulebook, decks, source))
    new_shoe = rng.random() < 0.2
    start = open_table(rulebook, cards=(), house=house, new_shoe=new_shoe)
    start.stack = tuple(rng.sample(full_stack(start), CARDS))
    wagers = some_wagers(house, rng)
    start, _ = play(start, *wagers)
    places = wrong_places(sorted(start.boxes), house, rng)
    burned = rulebook.shuffle.burn_shoe.value if source == "shoe" else rulebook.shuffle.burn_device.value
    before = burned if new_shoe else 0
    if rulebook.cards.jokers.value and rng.random() < 0.1:
        before += rng.randrange(2 * len(start.boxes) + 1)
        start.stack = (*start.stack[:before], JOKER, *start.stack[before:])
    elif source == "shoe" and rng.random() < 0.2:
        start.cutting_at = before + rng.choice(range_without_surplus(places, len(start.boxes)))

    right, _ = play(start, a.Deal())
    table, dealt = play(start, a.Misdeal(places))
    assert [event.box for event in dealt if isinstance(event, e.CardMisplaced)] == list(places)
    table, _ = play(approved(table), a.Reconstruct(HIGHEST))
    rebuilt = approved(table)
    compare(right, rebuilt)

    for _ in range(DECISIONS):
        if right.phase == "wagers" or right.preparation != "ready":
            break
        choices = legal_acts(right)
        assert legal_acts(rebuilt) == choices
        act = rng.choice(choices)
        right, _ = play(right, act)
        rebuilt, _ = play(rebuilt, act)
    compare(right, rebuilt)


def play_out(table: Table, rng: random.Random) -> Table:
    """Anything legal until the round is over or the cards run out."""
    while table.phase != "wagers" and table.preparation == "ready":
        table, _ = play(table, rng.choice(legal_acts(table)))
    return table


def one_finished_round(rulebook_id: str, seed: int) -> bool:
    """A misdealt round is finished by whatever decisions, then laid again: as if it had been dealt rightly."""
    rng = random.Random(f"{rulebook_id}:after:{seed}")
    rulebook = load(rulebook_id)
    source = rng.choice(rulebook.shuffle.sources.value)
    decks = rulebook.cards.decks.value[-1]
    house = default_house(rulebook, source=source, decks=decks, side_bets=offered_side_bets(rulebook, decks, source))
    start = open_table(rulebook, cards=(), house=house)
    start.stack = tuple(rng.sample(full_stack(start), CARDS))
    start, _ = play(start, *(a.TakeSeat(name, box) for box, name in enumerate(PEOPLE, start=1)))
    start, _ = play(start, *some_wagers(house, rng))
    places = [*sorted(start.boxes), DEALER, *sorted(start.boxes)]
    while places == [*sorted(start.boxes), DEALER, *sorted(start.boxes)]:
        rng.shuffle(places)
    if source == "shoe" and rng.random() < 0.3:
        start.cutting_at = rng.randrange(1, 14)

    right, _ = play(start, a.Deal())
    table, _ = play(start, a.Misdeal(tuple(places), "after-round"))
    table = play_out(table, rng)
    if table.phase != "wagers":
        return False
    if rng.random() < 0.3 and table.preparation == "ready":
        table, _ = play(table, a.PlaceWager("alice", 1, 1000))  # for the next round: it goes back
    rebuilt, _ = play(table, a.Reconstruct(HIGHEST))
    compare(right, rebuilt)
    decisions = random.Random(seed)
    while right.phase != "wagers" and right.preparation == "ready":
        choices = legal_acts(right)
        assert legal_acts(rebuilt) == choices
        act = decisions.choice(choices)
        right, _ = play(right, act)
        rebuilt, _ = play(rebuilt, act)
    compare(right, rebuilt)
    return True


LAID_AGAIN = [name for name in RULEBOOKS if load(name).irregularities.misdeal_after_round.value == "rebuild-or-void"]


@pytest.mark.clause("nsw-pontoon", "17.8")
@pytest.mark.clause("nsw-blackjack-challenge", "18.8")
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("rulebook_id", LAID_AGAIN)
def test_a_finished_round_that_is_laid_again_equals_the_round_dealt_rightly(rulebook_id: str, batch: int) -> None:
    size = ROUNDS // BATCHES
    again = 0
    for seed in range(batch * size, (batch + 1) * size):
        try:
            again += one_finished_round(rulebook_id, seed)
        except AssertionError as error:
            raise AssertionError(f"{rulebook_id} seed {seed}: {error}") from error
    assert again > size * 0.99


@pytest.mark.clause("nsw-pontoon", "17.8")
@pytest.mark.clause("nsw-blackjack-challenge", "18.8")
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_a_rebuilt_round_equals_the_round_dealt_rightly(rulebook_id: str, batch: int) -> None:
    size = ROUNDS // BATCHES
    for seed in range(batch * size, (batch + 1) * size):
        try:
            one_round(rulebook_id, seed)
        except AssertionError as error:
            raise AssertionError(f"{rulebook_id} seed {seed}: {error}") from error
