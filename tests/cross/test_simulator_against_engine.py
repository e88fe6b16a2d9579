"""The same cards and the same decisions give the same money on the engine and in the simulator, to the cent."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import open_table, play
from pitboss.maths.simulate import outcomes as o
from pitboss.maths.simulate.counting import count_file
from pitboss.maths.simulate.game import DEVICE, Game, Options, compile_game
from pitboss.maths.simulate.play import Played, Player
from pitboss.maths.simulate.strategies import at_random
from pitboss.rulebooks import RULEBOOKS, load, vary
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import House
from tests.cross.against_engine import carry_on, house_of, replay_round
from tests.cross.rounds import STACKS, differences, games

ROUNDS = {"whole decks": 300}
RARE = 150
SEED = 20_251_115


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_same_cards_and_decisions_give_the_same_money(rulebook: str, stack: str) -> None:
    for game in games(load(rulebook), stack):
        found = list(differences(game, ROUNDS.get(stack, 100), SEED))
        assert not found, f"{len(found)} rounds differ, the first: {found[0]}"


def test_random_decisions_lead_everywhere() -> None:
    """A comparison is worth something only if every way for a hand to end comes up in it."""
    for rulebook in map(load, RULEBOOKS):
        seen = [0] * o.OUTCOMES
        for stack in STACKS:
            for game in games(rulebook, stack):
                counted = Player(game, at_random(game)).block(SEED, 0, 2000).tally[0]
                seen = [before + int(more) for before, more in zip(seen, counted, strict=False)]
        never = {o.NAMES[code] for code in range(o.OUTCOMES) if not seen[code]}
        impossible = {
            "five-card-trick": not rulebook.interim.five_card_trick.value,
            "doubled five-card-trick": True,
            "6-card-21": rulebook.interim.five_card_trick.value,
            "7-plus-card-21": rulebook.interim.five_card_trick.value,
            "natural with T": "T" not in rulebook.cards.ranks.value,
            "doubled bust": rulebook.doubling.hands.value == "two-cards-hard-9-10-11",
            "doubled, forfeited": not rulebook.doubling.forfeit.value,
            "surrendered": not rulebook.surrender.offered.value,
            "surrendered, dealer natural": not rulebook.surrender.offered.value,
            **dict.fromkeys(o.NAMES[o.RANKS_ABOVE :], not rulebook.settlement.natural_against_natural.value),
        }
        assert never == {name for name, is_so in impossible.items() if is_so}, rulebook.id


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("nsw-pontoon", {"dealer.soft_stand": 17}),
    ("nsw-pontoon", {"doubling.aces": "as-usual"}),
    ("nsw-pontoon", {"settlement.ties": "lose"}),
    ("nsw-pontoon", {"settlement.dealer_natural": "all"}),
    ("adelaide-pontoon-2008", {"settlement.dealer_natural": "one-original"}),
    ("canberra-pontoon-2005", {"interim.doubled_odds": "3 to 2"}),
    ("canberra-pontoon-2005", {"super_bonus.small_cents": 50_000, "super_bonus.large_cents": 60_000}),
    ("nsw-blackjack-challenge", {"interim.five_card_trick": False}),
    ("nsw-blackjack-challenge", {"splitting.natural": False}),
]


@pytest.mark.parametrize(("rulebook", "changes"), CHANGES, ids=[f"{name} {next(iter(each))}" for name, each in CHANGES])
def test_a_study_variant_agrees_too_and_is_no_longer_the_document(rulebook: str, changes: dict[str, Any]) -> None:
    """Both rooms read the changed term, and a comparison with the unchanged document fails: it has teeth."""
    changed = 0
    for stack in ("sevens",) if "super_bonus" in str(changes) else ("small cards", "aces and pictures", "pairs"):
        for original, game in zip(
            games(load(rulebook), stack), games(vary(load(rulebook), changes), stack), strict=True
        ):
            house = house_of(game)
            for played in Player(game, at_random(game)).rounds(SEED, RARE if "super_bonus" in str(changes) else 25):
                assert tuple(replay_round(game, played, house)) == played.net_cents
                changed += _differs(original, played, house)
    assert changed


def _differs(original: Game, played: Played, house: House) -> bool:
    try:
        return tuple(replay_round(original, played, house)) != played.net_cents
    except Exception:  # noqa: BLE001 - other cards or decisions wanted: that is a difference
        return True


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_cutting_card_comes_in_the_same_round(rulebook: str) -> None:
    """A whole shoe: burned cards, round after round, and a shuffle due after exactly the round that the simulator
    ends with."""
    book = load(rulebook)
    for boxes in (1, 5):
        game = compile_game(book, Options(boxes=boxes, decks=6, behind=80))
        shoe = []
        for played in Player(game, at_random(game)).rounds(SEED, 80):
            shoe.append(played)
            if played.last_of_shoe:
                break
        assert shoe[-1].last_of_shoe
        unseen = ("2s",) * game.burned
        cards = (*unseen, *(card for played in shoe for card in played.cards), *("9h",) * 40)
        table = open_table(
            book, cards=cards, house=house_of(game), new_shoe=game.burned > 0, cutting_card=game.cutting_at
        )
        for played in shoe:
            before = table.position
            table, events = carry_on(table, game, played.decisions, played.wager_cents)
            burned = sum(isinstance(event, e.CardBurned) for event in events)
            assert table.position - before == len(played.cards) + burned
            if not played.last_of_shoe:
                assert table.preparation == "ready"
        if table.preparation == "ready":
            # the cutting card lies exactly behind the round's last card: it shows as the first of the next
            table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
        assert table.preparation == "shuffle"


def test_a_round_from_a_device_never_holds_more_of_a_card_than_there_are() -> None:
    book = load("nsw-pontoon")
    game = compile_game(book, Options(boxes=7, decks=6, source=DEVICE))
    last: tuple[str, ...] = ()
    for played in Player(game, at_random(game)).rounds(SEED, 500):
        assert max(map(played.cards.count, set(played.cards))) <= 6
        # the last round's cards come back after the initial deal (7.2)
        initial = (*played.cards[:15], *last)
        assert max(map(initial.count, set(initial))) <= 6
        last = played.cards


COUNT = """
count = "running"
wager = 5
ramp = { "0.5" = 10, 2 = 17.50, 4 = 25, 6 = 1000 }
[tags]
2 = 1
3 = 1
4 = 1
5 = 1
6 = 1
9 = -1
J = -1
Q = -1
K = -1
A = -1
"""


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_wagers_that_follow_a_count_are_paid_alike(rulebook: str) -> None:
    """Five dollars, ten, seventeen fifty, twenty-five, a thousand: bonuses and roundings by what was wagered."""
    counting = count_file(COUNT, "count.toml")
    for stack in ("whole decks", "sevens"):
        for game in games(load(rulebook), stack):
            house = house_of(game)
            wagered = set()
            for played in Player(game, at_random(game), counting=counting).rounds(SEED, 120):
                assert tuple(replay_round(game, played, house)) == played.net_cents
                wagered.add(played.wager_cents)
            assert len(wagered) > 1 or game.device == 1 or stack == "sevens"
