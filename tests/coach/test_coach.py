"""What a choice is worth and what a mistake cost, held against what `pitboss strategy --explain` says."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

pytest.importorskip("numba")

from pitboss import open_table, play
from pitboss.basics.cards import VALUE
from pitboss.coach.__main__ import answer
from pitboss.coach.judging import Coach
from pitboss.maths.exact.solve import solver_for
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.strategy.explain import explain
from pitboss.table.acts import CloseSurrender, Deal, Double, PlaceWager, Split, Stand
from pitboss.table.positions import Position, positions

ROUNDS = Path(__file__).parent.parent / "rounds"
ONE_ROUND = """title = "Two players"
rulebook = "nsw-pontoon"
cards = "6s 8h 9h 5d Kc 3c Td"
play = [
  "alice bets 25 on 1",
  "bob bets 10 on 2",
  "dealer deals",
  "alice hits on 1",
  "alice stands on 1",
  "bob stands on 2",
]
"""


@pytest.fixture(scope="module")
def coach() -> Coach:
    return Coach()


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_values_are_those_of_the_strategy(rulebook: str, coach: Coach) -> None:
    table, _ = play(open_table(rulebook, cards="6s 9h 5d Kc 2c 3c"), PlaceWager("alice", box=1, cents=2500), Deal())
    (asked,) = [each for each in positions(table, "alice") if each.what == "decision"]
    solver = solver_for(load(rulebook))
    solver.every_split = True
    solver.value()
    told, advice = explain(solver, "6s 5d v 9h"), coach.advise(asked)
    values = {each.act: each.ev for each in told.choices if each.act in asked.acts}
    assert {each.act: each.ev for each in advice.options} == pytest.approx(values)
    assert advice.best == advice.options[0].act and f"{asked.decks} decks" in advice.basis


def test_a_mistake_costs_what_the_best_choice_brings_more(coach: Coach) -> None:
    table, _ = play(open_table("nsw-pontoon", cards="6s 9h 5d Kc 2c"), PlaceWager("alice", box=1, cents=2500), Deal())
    (asked,) = positions(table, "alice")
    best, worst = coach.judge(asked, "double"), coach.judge(asked, "stand")
    assert best.right and best.cost == 0.0
    assert worst.cost == pytest.approx(worst.options[0].ev - worst.options[-1].ev)
    assert worst.cost_cents == round(worst.cost * 2500) > 1000


def test_after_the_double_card_to_keep_and_to_forfeit_are_valued(coach: Coach) -> None:
    """NSW 12.5."""
    table, _ = play(open_table("nsw-pontoon", cards="6s 9h 5d 2c 2c"), PlaceWager("alice", box=1, cents=2500), Deal())
    table, _ = play(table, Double("alice", box=1))
    (asked,) = positions(table, "alice")
    assert asked.what == "forfeit"
    values = {each.act: each.ev for each in coach.advise(asked).options}
    assert set(values) == {"keep", "forfeit"} and values["forfeit"] == -1.0


def test_insurance_is_offered_and_valued_also_beside_a_natural(coach: Coach) -> None:
    """Adelaide 95: half the wager at 2 to 1 on the tens that are left."""
    table, _ = play(
        open_table("adelaide-pontoon-2008", cards="As Ah Kd 9c"), PlaceWager("alice", box=1, cents=2000), Deal()
    )
    for asked in positions(table, "alice"):
        if asked.what == "insurance":
            told = coach.judge(asked, "insure")
            assert told.best == "do not insure" and 0.0 < told.cost < 0.1


@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "adelaide-pontoon-2008", "nsw-blackjack-challenge"])
def test_split_hands_are_worth_what_the_strategy_finds_for_the_split(rulebook: str, coach: Coach) -> None:
    """Over every second card the best choice brings on the mean what one hand of the split is worth to the strategy."""
    book = load(rulebook)
    solver = coach.solver(book, book.cards.decks_default.value, False)
    left = solver.shoe.without("9s", "9d", "8h")
    second = {value: next(card for card in left.counts if VALUE[card] == value) for value in range(1, 11)}
    mean = 0.0
    for value, card in second.items():
        asked = Position(
            rulebook=rulebook, decks=book.cards.decks_default.value, resplit=False, what="decision", player="alice",
            box=1, hand=0, cards=("9s", card), dealer="8h", acts=("hit", "stand", "double"), wager_cents=2500,
            split=True, others=("9d",), formed=2, waiting=1,
        )  # fmt: skip
        told = coach.advise(asked)
        mean += left.values[value - 1] / left.size * told.options[0].ev
        if not book.doubling.after_split.value:
            assert "double" not in {each.act for each in told.options}  # Blackjack Challenge 11.3
    assert mean == pytest.approx(solver.kept[8, 7].full[0][0], abs=1e-9)


def test_a_dealers_natural_takes_one_amount_from_all_hands_of_a_split(coach: Coach) -> None:
    """NSW 16.1.7: what another hand loses already this one does not lose again; in between it is said what matters."""
    asked = Position(
        rulebook="nsw-pontoon", decks=8, resplit=False, what="decision", player="alice", box=1, hand=1,
        cards=("8s", "Jh"), dealer="Kh", acts=("hit", "stand"), wager_cents=2500, split=True,
        others=("8d", "9c"), formed=2,
    )  # fmt: skip
    stands = []
    for changes in ({}, {"covered": True}, {"waiting": 1, "others": ("8d",)}):
        told = coach.advise(msgspec.structs.replace(asked, **changes))
        stands.append(next(each.ev for each in told.options if each.act == "stand"))
        assert ("at most" in told.basis) == ("waiting" in changes)
    alone, covered, between = stands
    assert covered - alone == pytest.approx(32 / (8 * 48 - 5), abs=1e-9)
    assert alone < between < covered


def test_a_hand_of_a_split_knows_the_others_of_its_box(coach: Coach) -> None:
    """One is to come; then one waits for the dealer already, and nothing is estimated."""
    table, _ = play(open_table("nsw-pontoon", cards="8s Kh 8d 9c 7s"), PlaceWager("alice", box=1, cents=2500), Deal())
    table, _ = play(table, CloseSurrender(), Split("alice", box=1))
    (first,) = positions(table, "alice")
    assert (first.cards, first.others, first.formed, first.waiting, first.covered) == (
        ("8s", "9c"),
        ("8d",),
        2,
        1,
        False,
    )
    table, _ = play(table, Stand("alice", box=1))
    (second,) = positions(table, "alice")
    assert (second.cards, second.others, second.waiting, second.covered) == (("8d", "7s"), ("8s", "9c"), 0, True)
    assert "at most" in coach.advise(first).basis and "at most" not in coach.advise(second).basis


def test_the_super_bonus_counts_for_the_hand_that_can_still_earn_it(coach: Coach) -> None:
    """NSW 12.4, 13.4: three suited sevens against a seven, not on split hands."""
    table, _ = play(open_table("nsw-pontoon", cards="7h 7s 7h Kc 2c"), PlaceWager("alice", box=1, cents=2500), Deal())
    (asked,) = positions(table, "alice")
    solver = solver_for(load("nsw-pontoon"), wager_cents=2500)
    solver.every_split = True
    solver.value()
    values = {each.act: each.ev for each in explain(solver, "7h 7h v 7s").choices}
    told = coach.advise(asked)
    assert {each.act: each.ev for each in told.options} == pytest.approx(
        {each.act: values[each.act] for each in told.options}
    )
    split = msgspec.structs.replace(asked, split=True, formed=2, acts=("hit", "stand", "double"))
    hit = next(each.ev for each in coach.advise(split).options if each.act == "hit")
    assert hit < values["hit"] - 0.1


def test_a_review_has_every_decision_of_one_player_and_no_other(coach: Coach) -> None:
    said = answer(coach, b'{"ask": "review", "player": "alice", "rounds": [[7, %s]]}' % _json(ONE_ROUND))
    review = said["review"]
    assert [(each.round, each.chosen) for each in review.decisions] == [(7, "hit"), (7, "stand")]
    assert {each.box for each in review.decisions} == {1}
    assert review.accuracy == review.right / len(review.decisions)
    assert [review.decisions[place].cost_cents for place in review.costliest] == sorted(
        (each.cost_cents for each in review.decisions if not each.right), reverse=True
    )


def test_every_record_can_be_reviewed(coach: Coach) -> None:
    """Also those with errors of the dealer: what has no value is counted, and nothing stops."""
    for rulebook in RULEBOOKS:
        for path in sorted((ROUNDS / rulebook).glob("1*.round"))[:12]:
            said = answer(coach, b'{"ask": "review", "player": "alice", "rounds": [[1, %s]]}' % _json(path.read_text()))
            assert "review" in said or "problem" in said, path


def test_what_cannot_be_answered_is_told_in_a_sentence(coach: Coach) -> None:
    assert "problem" in answer(coach, b"{}{") and "problem" in answer(coach, b'{"ask": "review", "rounds": [[1, "x"]]}')


def _json(text: str) -> bytes:
    return msgspec.json.encode(text)
