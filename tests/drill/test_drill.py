"""Drills: every planted error is a real deviation, seeds repeat, and the score is fair."""

from __future__ import annotations

import doctest
from collections import Counter
from collections.abc import Iterator

import pytest

import pitboss.drill
from pitboss.drill import KINDS, Drill, DrillError, PlantedError, Total, kinds_for, make_drill, read_answer, score
from pitboss.drill.model import Score
from pitboss.ledger import Ledger
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists
from pitboss.table import events as e
from pitboss.table.telling import sentence

ROUNDS = 150
OMISSIONS = {"forgotten-burn", "missed-insurance", "missed-surrender", "missed-collect"}


@pytest.fixture(scope="module", params=RULEBOOKS)
def drills(request: pytest.FixtureRequest) -> tuple[Drill, ...]:
    return (*make_drill(request.param, rounds=ROUNDS, seed=1), *make_drill(request.param, rounds=ROUNDS, level="hard"))


def errors_in(drills: tuple[Drill, ...]) -> Iterator[tuple[Drill, PlantedError]]:
    return ((drill, error) for drill in drills for error in drill.errors)


def test_every_kind_that_the_game_can_have_occurs(drills: tuple[Drill, ...]) -> None:
    book = load(drills[0].rulebook)
    for level in ("easy", "hard"):
        seen = {error.kind for drill, error in errors_in(drills) if drill.level == level}
        assert seen == {kind.name for kind in kinds_for(book, level)}


def test_rounds_without_an_error_occur_too(drills: tuple[Drill, ...]) -> None:
    counts = Counter((drill.level, len(drill.errors)) for drill in drills)
    assert set(counts) == {("easy", 0), ("easy", 1), ("hard", 0), ("hard", 1), ("hard", 2)}


def test_a_round_without_an_error_is_the_engines(drills: tuple[Drill, ...]) -> None:
    for drill in drills:
        if not drill.errors:
            assert drill.told == drill.right


def test_every_error_is_a_real_deviation_and_the_rest_is_untouched(drills: tuple[Drill, ...]) -> None:
    """Taking the wrong lines out and putting the right ones in gives the engine's round again."""
    book = load(drills[0].rulebook)
    for drill in drills:
        right = [sentence(event, book) for event in drill.right]
        assert (list(drill.lines) == right) == (not drill.errors)
        told = Counter(drill.lines)
        for error in drill.errors:
            assert error.said != error.should
            told.subtract(error.said)
            told.update(error.should)
            if error.kind == "needless-dealer-card":  # the dealer's end stands where it stood; a card came before it
                told.subtract(error.should)
        assert {line: count for line, count in told.items() if count} == Counter(right), f"seed {drill.seed}"


def test_untouched_lines_keep_their_order(drills: tuple[Drill, ...]) -> None:
    for drill in drills:
        if len(drill.errors) != 1:
            continue
        error = drill.errors[0]
        wrong = {place - 1 for place in error.lines} if error.said else set()
        left = [event for place, event in enumerate(drill.told) if place not in wrong]
        places = iter(drill.right)
        assert all(any(event == each for each in places) for event in left)


def test_an_error_shows_at_the_lines_that_are_named(drills: tuple[Drill, ...]) -> None:
    for drill, error in errors_in(drills):
        assert error.lines and all(1 <= line <= len(drill.lines) for line in error.lines)
        shown = [drill.lines[line - 1] for line in error.lines]
        if error.kind in OMISSIONS:
            assert error.said == () and len(error.lines) == 1
        elif error.kind == "late-21":
            assert shown[-len(error.said) :] == list(error.said)
        else:
            assert shown == list(error.said)


def test_two_errors_never_meet(drills: tuple[Drill, ...]) -> None:
    for drill in drills:
        lines = [line for error in drill.errors for line in error.lines]
        assert len(lines) == len(set(lines))


def test_every_error_cites_a_clause_that_exists(drills: tuple[Drill, ...]) -> None:
    for drill, error in errors_in(drills):
        assert error.clauses and all(exists(drill.rulebook, clause) for clause in error.clauses)
        assert error.title


def test_the_right_round_is_balanced_and_over(drills: tuple[Drill, ...]) -> None:
    for drill in drills:
        ledger = Ledger()
        ledger.post_all(drill.right)
        assert ledger.total() == 0
        assert not any(cents for account, cents in ledger.balances.items() if account.startswith("box:"))
        assert any(isinstance(event, e.RoundEnded) for event in drill.right)


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_seeds_repeat(level: str) -> None:
    first = make_drill("nsw-pontoon", rounds=6, seed="friday", level=level)
    assert first == make_drill("nsw-pontoon", rounds=6, seed="friday", level=level)
    assert first[:3] == make_drill("nsw-pontoon", rounds=3, seed="friday", level=level)
    assert first != make_drill("nsw-pontoon", rounds=6, seed="saturday", level=level)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"rulebook": "poker"}, "no rulebook 'poker'"),
        ({"level": "medium"}, "the level is easy or hard"),
        ({"rounds": 0}, "1 to 1000 rounds"),
        ({"rounds": 1001}, "1 to 1000 rounds"),
        ({"seed": ""}, "a seed is"),
        ({"seed": "\n"}, "a seed is"),
    ],
)
def test_bad_wishes(changes: dict[str, object], complaint: str) -> None:
    wishes: dict[str, object] = {"rulebook": "nsw-pontoon", **changes}
    with pytest.raises(DrillError, match=complaint):
        make_drill(wishes.pop("rulebook"), **wishes)  # type: ignore[arg-type]


# --- scoring ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def two() -> Drill:
    found = [drill for drill in make_drill("nsw-pontoon", rounds=40, level="hard") if len(drill.errors) == 2]
    return found[0]


def test_all_caught(two: Drill) -> None:
    for drill in make_drill("nsw-pontoon", rounds=40, level="hard"):
        for pick in (0, -1):
            called = " ".join(str(error.lines[pick]) for error in drill.errors) or "none"
            result = score(drill, read_answer(called, drill))
            assert (len(result.caught), result.missed, result.wrongly_called) == (len(drill.errors), (), ())


def test_missed_and_wrongly_called(two: Drill) -> None:
    assert score(two, {}) == Score(missed=two.errors)
    fine = next(n for n in range(1, len(two.lines)) if all(n not in error.lines for error in two.errors))
    result = score(two, {two.errors[0].lines[0]: "", fine: ""})
    assert result == Score((two.errors[0],), (two.errors[1],), (fine,))


def test_a_clause_may_be_named(two: Drill) -> None:
    line, clause = two.errors[0].lines[0], two.errors[0].clauses[0]
    assert score(two, {line: clause}).clauses_right == 1
    wrong = score(two, {line: "99.9"})
    assert (wrong.clauses_named, wrong.clauses_right) == (1, 0)
    above = clause.partition(".")[0]
    assert score(two, {line: above}).clauses_right == 1


def test_totals(two: Drill) -> None:
    total = Total().plus(score(two, {})).plus(score(two, {two.errors[0].lines[0]: "1.1"}))
    assert total == Total(rounds=2, caught=1, missed=3, clauses_named=1)


@pytest.mark.parametrize(
    ("text", "called"),
    [("none", {}), (" none ", {}), ("3", {3: ""}), ("3, 5", {3: "", 5: ""}), ("3:10.5 4", {3: "10.5", 4: ""})],
)
def test_answers_are_read(text: str, called: dict[int, str], two: Drill) -> None:
    assert read_answer(text, two) == called


@pytest.mark.parametrize("text", ["", "  ", "0", "9999", "99999999999", "x", "3:", "none 3", "-1", "٣", "3.5", ":4"])
def test_bad_answers_are_told(text: str, two: Drill) -> None:
    if text == "3:":
        assert read_answer(text, two) == {3: ""}
        return
    with pytest.raises(DrillError):
        read_answer(text, two)


def test_kinds_have_names_of_their_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_the_example_runs() -> None:
    assert doctest.testmod(pitboss.drill).failed == 0
