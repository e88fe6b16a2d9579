"""Training for dealers: the prescribed order, the right person, the right amount, and the clause for each."""

from __future__ import annotations

import re
from functools import cache

import msgspec
import pytest

from pitboss.drill import DrillError
from pitboss.floor.training import STEPS, Moment, Said, Training, moments, spoken
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists
from tests.lengths import length

SEEDS = [str(number) for number in range(25)]


@cache
def some(rulebook: str) -> tuple[tuple[Moment, ...], ...]:
    return tuple(moments(load(rulebook), seed, 2) for seed in SEEDS)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_who_does_everything_right_is_told_so(rulebook: str) -> None:
    training = Training(rulebook, "7", 2)
    while not training.is_over:
        verdict = training.do(training.moments[training.at].step.said)
        assert verdict.right and verdict.clauses and verdict.gists
        assert all(exists(rulebook, clause) for clause in verdict.clauses)
    assert training.right_at_once == len(training.moments)
    assert training.score()["wrong"] == 0
    with pytest.raises(DrillError, match="over"):
        training.do(Said("shuffle"))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_same_seed_is_the_same_training(rulebook: str) -> None:
    one, two, other = (Training(rulebook, seed) for seed in ("x", "x", "y"))
    assert [m.step for m in one.moments] == [m.step for m in two.moments]
    assert [m.step for m in one.moments] != [m.step for m in other.moments]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_wrong_step_is_told_with_the_clause(rulebook: str) -> None:
    """At each moment every other kind of step is wrong, and so is every other box, person, amount and total."""
    training = Training(rulebook, "3")
    for moment in training.moments:
        right = moment.step.said
        for step in STEPS:
            if step != right.step:
                verdict = training.do(Said(step, 1, "alice", 500, 12))
                assert not verdict.right and "not the next step" in verdict.text and verdict.clauses
        for field, wrong, word in (
            ("box", 9, "box"), ("player", "zoe", "person"), ("cents", 1, "amount"), ("total", 99, "total"),
        ):  # fmt: skip
            if field in STEPS[right.step][1]:
                verdict = training.do(msgspec.structs.replace(right, **{field: wrong}))
                assert not verdict.right and word in verdict.text
                verdict = training.do(msgspec.structs.replace(right, **{field: None}))
                assert not verdict.right and f"say the {field}" in verdict.text
        assert training.do(right).right
    assert training.is_over and training.right_at_once == 0


def test_the_first_error_is_told_the_second_one_shown() -> None:
    training = Training("nsw-pontoon", "7")
    first = training.do(Said("gather"))
    assert first.expected is None and spoken(training.moments[0].step.said) not in first.text
    second = training.do(Said("gather"))
    assert second.expected == Said("shuffle") and "shuffle the cards" in second.text
    assert training.do(Said("shuffle")).right
    assert training.right_at_once == 0 and training.score()["wrong"] == 2
    mistake = training.score()["mistakes"][0]
    assert (mistake["said"], mistake["right"]) == ("gather the cards", "shuffle the cards")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_rounds_train_the_prescribed_order(rulebook: str) -> None:
    """Shuffle first; no more bets before the first card; the dealer's card in the middle of the initial deal."""
    for rounds in some(rulebook):
        steps = [moment.step.said.step for moment in rounds]
        assert set(steps[: steps.index("shuffle")]) <= {"check-cards", "offer-inspection"}
        assert steps.count("gather") == 2 and steps[-1] == "gather"
        first = steps.index("deal")
        assert "no-more-bets" in steps[:first]
        assert "offer-insurance" not in steps[:first]
        boxes = [moment.step.said.box for moment in rounds[first:]][: 2 * 3 + 1]
        assert boxes == [1, 2, 3, 0, 1, 2, 3]
        if "offer-cut" in steps:
            assert steps.index("shuffle") < steps.index("offer-cut") < steps.index("place-cutting-card") < first


def test_every_kind_of_step_is_trained_somewhere() -> None:
    seen = {moment.step.said.step for rulebook in RULEBOOKS for rounds in some(rulebook) for moment in rounds}
    assert seen == set(STEPS)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_cut_is_offered_to_the_right_player_and_burns_follow(rulebook: str) -> None:
    offered = {m.step.said.player for rounds in some(rulebook) for m in rounds if m.step.said.step == "offer-cut"}
    assert offered & {"alice", "bob", "carol"}
    burns = [m for rounds in some(rulebook) for m in rounds if m.step.said.step == "burn"]
    terms = load(rulebook).shuffle
    assert bool(burns) == bool(terms.burn_shoe.value or terms.burn_device.value), "Canberra burns nothing"
    assert all("face down" in m.step.text for m in burns), "nobody learns which card was burned"


def test_what_is_shown_has_no_undealt_card() -> None:
    training = Training("nsw-pontoon", "7")
    shown = msgspec.json.encode(training.shown())
    assert b'"stack"' not in shown and b"order" not in shown
    assert training.shown()["view"]["dealer"]["cards"] == []
    assert len(training.shown()["steps"]) == len(STEPS)


@pytest.mark.parametrize(
    ("rulebook", "seed", "rounds"),
    [("no-such", "1", 1), ("nsw-pontoon", "", 1), ("nsw-pontoon", "x" * 101, 1), ("nsw-pontoon", "a\nb", 1),
     ("nsw-pontoon", "1", 0), ("nsw-pontoon", "1", 11)],
)  # fmt: skip
def test_what_cannot_be_read_is_told(rulebook: str, seed: str, rounds: int) -> None:
    with pytest.raises(DrillError):
        Training(rulebook, seed, rounds)


def test_an_unknown_step_is_told() -> None:
    with pytest.raises(DrillError, match="no step 'juggle'"):
        Training("nsw-pontoon", "1").do(Said("juggle"))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Said("pay", 1, "alice", 2500), "pay $25.00 to alice on box 1"),
        (Said("collect", 2, "bob", 500), "collect $5.00 from bob on box 2"),
        (Said("deal", 0), "deal a card for the dealer"),
        (Said("announce", 3, total=17), "announce a total of 17 on box 3"),
        (Said("offer-cut", player="carol"), "offer the cut to carol"),
    ],
)
def test_steps_in_words(said: Said, words: str) -> None:
    assert spoken(said) == words


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_nothing_gives_the_answer_before_the_second_mistake(rulebook: str) -> None:
    """Neither the table, nor what is heard, nor the score: what is equal but for the answer looks equal."""
    told = set()
    for seed in range(length(12, 4)):
        training = Training(rulebook, str(seed), 2)
        while not training.is_over:
            right, before = training.moments[training.at].step, training.shown()
            hands = [hand for box in before["view"]["boxes"] for hand in box["hands"]]
            assert not any(each["total"] or each["soft"] for each in [*hands, before["view"]["dealer"]])
            if right.said.step == "announce":
                told.add(right.said.box)
                heard = " ".join(before["heard"])
                assert not re.search(rf"\b{right.said.total}\b", re.sub(r"box \d|hand \d|\$[\d.,]+", "", heard)), heard
            other = next(step for step in STEPS if step != right.said.step)
            once = training.do(Said(other))
            (mistake,) = [each for each in training.score()["mistakes"] if each["at"] == training.at]
            shown = training.shown()
            assert mistake["right"] == "" and mistake["clauses"] == [] and once.expected is None
            assert set(once.clauses) <= set(training.book.deal.order.clauses)
            assert shown["heard"] == before["heard"] and shown["view"] == before["view"]
            training.do(Said(other))
            assert training.score()["mistakes"][-1]["right"] == spoken(right.said)
            assert training.do(right.said).right
    assert len(told) > 1


def test_an_exam_tells_nothing_until_it_is_over() -> None:
    exam = Training("nsw-pontoon", "7", exam=True)
    wrong = 0
    while not exam.is_over:
        right = exam.moments[exam.at].step.said
        slip = exam.at % 20 == 3
        verdict = exam.do(Said("gather" if right.step != "gather" else "burn") if slip else right)
        wrong += slip
        assert (verdict.text, verdict.clauses, verdict.expected) == ("noted.", (), None)
        if not exam.is_over:
            assert exam.score() == {"right_at_once": 0, "wrong": 0, "mistakes": []}
    score = exam.score()
    assert score["wrong"] == wrong and score["right_at_once"] == len(exam.moments) - wrong
    assert all(each["right"] and each["clauses"] for each in score["mistakes"])
    assert exam.passed and exam.shown()["passed"]
    failed = Training("nsw-pontoon", "7", exam=True)
    while not failed.is_over:
        failed.do(Said("gather"))
    assert not failed.passed
