"""Drills: every planted error is a real deviation, seeds repeat, and the score is fair."""

from __future__ import annotations

import doctest
from collections import Counter
from collections.abc import Iterator

import pytest

import pitboss.drill
from pitboss import open_table, play
from pitboss.adjudicate.model import FactValue
from pitboss.adjudicate.ruling import rule_on
from pitboss.basics.cards import VALUE, point_total
from pitboss.basics.money import dollars
from pitboss.drill import KINDS, Drill, DrillError, PlantedError, Total, kinds_for, make_drill, read_answer, score
from pitboss.drill.following import OUTCOMES, PLACED
from pitboss.drill.model import Call, Score, with_next
from pitboss.ledger import Ledger
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.telling import sentence

ROUNDS = 100
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


STORY = {"forgotten-burn", "wrong-order", "card-to-wrong-box", "needless-dealer-card"}
"""What changes the round from there on; everything else alters or moves single lines."""


def test_every_error_is_a_real_deviation_and_the_rest_is_untouched(drills: tuple[Drill, ...]) -> None:
    """Where only lines were altered, putting the right ones back gives the engine's round again."""
    book = load(drills[0].rulebook)
    for drill in drills:
        right = [sentence(event, book) for event in drill.right]
        assert (list(drill.lines) == right) == (not drill.errors)
        assert all(error.said != error.should for error in drill.errors)
        if STORY & {error.kind for error in drill.errors}:
            continue
        told = Counter(drill.lines)
        for error in drill.errors:
            told.subtract(error.said)
            told.update(error.should)
        assert {line: count for line, count in told.items() if count} == Counter(right), f"seed {drill.seed}"


def contradictions(drill: Drill) -> Iterator[str]:
    """Lines that are at odds with the cards that were told before, errors of announcing and paying apart."""
    excused = {line for error in drill.errors if error.kind not in STORY for line in error.lines}
    hands: dict[tuple[int, int], list[str]] = {}
    doubled: dict[tuple[int, int], int] = {}
    dealer = 0
    for number, event in enumerate(drill.told, 1):
        if isinstance(event, e.HandDivided):
            later = {key: cards for key, cards in hands.items() if key[0] == event.box and key[1] > event.hand}
            for key in later:
                del hands[key]
            one, two = hands[event.box, event.hand]
            hands[event.box, event.hand], hands[event.box, event.hand + 1] = [one], [two]
            hands.update({(box, hand + 1): cards for (box, hand), cards in later.items()})
        elif isinstance(event, e.CardDealt):
            cards = hands.setdefault((event.box, event.hand), [])
            cards.append(event.card)
            if not event.face_down and event.total not in possible(cards):
                yield f"{number}: {drill.lines[number - 1]}: {cards}"
            dealer = event.total if event.box == 0 else dealer
            doubled[event.box, event.hand] = event.total
        elif isinstance(event, e.DealerFinished) and number not in excused:
            if event.total != dealer or (event.result == "bust") != (dealer > 21):
                yield f"{number}: {drill.lines[number - 1]}"
        elif isinstance(event, (e.WagerCollected, e.WagerStoodOff)) and number not in excused:
            mine = doubled.get((event.box, event.hand), 0)
            want = {"lower": mine < dealer <= 21, "tie": mine == dealer, "bust": mine > 21}.get(event.reason, True)
            if not want and not drill.rulebook.startswith("nsw-blackjack"):
                yield f"{number}: {drill.lines[number - 1]}: {mine} against {dealer}"


def possible(cards: list[str]) -> set[int]:
    """What cards may come to: the best total, or each with aces held at one where the hand is doubled."""
    aces = sum(card[0] == "A" for card in cards)
    low = sum(1 if card[0] == "A" else VALUE[card] for card in cards)
    return {point_total(cards)[0], low, *(low + 10 for _ in range(min(aces, 1)) if low + 10 <= 21)}


def test_the_story_goes_on_from_the_error(drills: tuple[Drill, ...]) -> None:
    """No line contradicts the cards that were told before it."""
    changed = [drill for drill in drills if STORY & {error.kind for error in drill.errors}]
    assert len(changed) > 40
    for drill in drills:
        assert list(contradictions(drill)) == [], f"seed {drill.seed}, round {drill.number}, {drill.level}"


def test_a_card_on_the_wrong_box_is_called_where_it_shows(drills: tuple[Drill, ...]) -> None:
    """In the initial deal each card up to the right order is right to call; later the one that went astray is."""
    seen = set()
    for drill, error in errors_in(drills):
        if error.kind == "card-to-wrong-box":
            boxes = [getattr(drill.told[line - 1], "box", 0) for line in error.lines]
            due = [int(text.split()[1].rstrip(":")) for text in error.should]
            later = any(isinstance(event, e.TurnCame) for event in drill.told[: error.lines[0]])
            assert all(one != other for one, other in zip(boxes, due, strict=True))
            assert len(boxes) == 1 if later else sorted(boxes) == sorted(due), (drill.seed, drill.number)
            assert any("goes to the hand that asked for it" in step for step in error.ruling) == later
            seen.add(later)
    assert seen == {True, False}


def test_a_needless_card_does_not_give_itself_away(drills: tuple[Drill, ...]) -> None:
    """The dealer's last line says the total of all the cards that were drawn, as after any other hand."""
    for drill, error in errors_in(drills):
        if error.kind == "needless-dealer-card":
            (end,) = [event for event in drill.told if isinstance(event, e.DealerFinished)]
            drawn = [ev for ev in drill.told if isinstance(ev, e.CardDealt) and ev.box == 0]
            assert end.result != "no-card" and end.total == drawn[-1].total


def test_discards_go_back_as_they_would_at_a_table() -> None:
    """In NSW they go into the device after the next initial deal (7.2): a round of a table in use has that line."""
    found = [
        any(isinstance(event, e.DiscardsReturned) for event in drill.right)
        for drill in make_drill("nsw-pontoon", rounds=60, seed=3)
        if "device, in use" in drill.opening
    ]
    assert found and all(found)


ASTRAY: dict[str, FactValue] = {"player": "alice", "box": 1, "wrong": 2}
MISDEALT = {"places": "1 2 2 dealer 1", "possible": "yes", "noticed": "initial-deal"}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_happens_next_is_what_the_engine_does(rulebook: str) -> None:
    """The answer that is held to be right is what the engine makes of such an error, at a table."""
    book = load(rulebook)
    asked = {kind.name: kind.follows for kind in KINDS if kind.applies(book)}
    for name, follows in asked.items():
        ruling = follows.ruling(book, 500)
        (first, *_) = follows.right(book)
        assert set(follows.right(book)) <= set(OUTCOMES), name
        assert (first == "house") == bool(ruling is not None and ruling.questions), name
    table = open_table(book, cards="6s 9h 5d Kc 8d 9c 7d 6d 5c 4c 3c 2c")
    table, _ = play(table, a.PlaceWager("alice", 1, 2500), a.PlaceWager("bob", 2, 1000))
    misdealt = rule_on(book, "card-out-of-order", MISDEALT, table=table)
    rebuilt = any(isinstance(event, e.RoundReconstructed) for event in misdealt.events)
    assert rebuilt == (asked["wrong-order"].right(book) == ("rebuilt",))
    table, _ = play(table, a.Deal())
    astray = rule_on(book, "card-on-the-wrong-box", {**PLACED.facts, **ASTRAY}, table=table)
    relaid = any(isinstance(event, e.RoundReconstructed) for event in astray.events)
    assert relaid == (PLACED.right(book) == ("rebuilt",)), astray
    table, _ = play(table, a.Stand("alice", 1), a.Stand("bob", 2))
    extra = rule_on(book, "extra-dealer-card", {"exposed": "yes"}, table=table)
    burned = any(isinstance(event, (e.CardBurned, e.CardsBurnedOpen)) for event in extra.events)
    assert burned == (asked["needless-dealer-card"].right(book) == ("burned",))
    paid = rule_on(book, "overpayment", {**asked["wrong-odds"].facts, "dollars": 5, "player": "alice"}, table=table)
    put_right = any(isinstance(event, e.MispaymentRectified) for event in paid.events)
    assert put_right == (asked["wrong-odds"].right(book) == ("put-right",))
    assert asked["wrong-odds"].right(book) == ("house", "put-right") or put_right


def test_what_is_put_right_is_what_was_wrong_with_the_money(drills: tuple[Drill, ...]) -> None:
    """Amount and direction come from the lines told (NSW 17.18.2, 17.20.1.1); put right at once counts everywhere."""
    seen = set()
    for drill, error in errors_in(drills):
        money = error.kind in ("wrong-odds", "wrong-amount", "wrong-collect", "wrong-surrender")
        if not money or STORY & {each.kind for each in drill.errors}:
            continue
        (place,) = error.lines
        wrong = drill.told[place - 1]
        (right,) = [event for event in drill.right if (sentence(event, load(drill.rulebook)),) == error.should][:1]
        less = got(right) - got(wrong)
        owed = f"{dollars(less)} more" if less > 0 else f"{dollars(-less)} back"
        assert any(owed in line for line in error.ruling), (drill.seed, drill.number, error)
        assert not any(("back" if less > 0 else "more") in line for line in error.ruling), error
        assert "put-right" in error.next
        seen.add(less > 0)
    assert seen == {True, False}


def got(event: e.Event) -> int:
    """What a player takes from the table by an event of the settlement."""
    if isinstance(event, (e.WagerPaid, e.SideBetPaid, e.InsurancePaid)):
        return event.wager_cents + event.paid_cents
    if isinstance(event, e.SurrenderSettled):
        return event.returned_cents
    return event.cents if isinstance(event, e.WagerStoodOff) else 0


@pytest.mark.parametrize(
    ("rulebook", "number", "line"),
    [("nsw-pontoon", 2, "is paid $10.00 more"), ("nsw-pontoon", 3, "is asked to give $1.00 back")],
)
def test_a_wrong_payment_is_put_right_by_its_amount(rulebook: str, number: int, line: str) -> None:
    """NSW 17.20.1.1 and 17.18.2, in two rounds known by their seed: $40 instead of $50, and $6 instead of $5."""
    drill = make_drill(rulebook, rounds=3, seed=7, level="hard")[number - 1]
    (error,) = [error for error in drill.errors if error.kind == "wrong-amount"]
    assert any(line in each for each in error.ruling), error.ruling


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
    result = score(two, {two.errors[0].lines[0]: Call(), fine: Call()})
    assert result == Score((two.errors[0],), (two.errors[1],), (fine,))


def test_a_clause_may_be_named(two: Drill) -> None:
    line, clause = two.errors[0].lines[0], two.errors[0].clauses[0]
    assert score(two, {line: Call(clause)}).clauses_right == 1
    wrong = score(two, {line: Call("99.9")})
    assert (wrong.clauses_named, wrong.clauses_right) == (1, 0)
    above = clause.partition(".")[0]
    assert score(two, {line: Call(above)}).clauses_right == 1


def test_the_clauses_of_the_odds_name_wrong_odds(drills: tuple[Drill, ...]) -> None:
    """Whoever names the pay table, or the row in it, is right."""
    book = load(drills[0].rulebook)
    rows = {"WagerPaid": book.interim.pay_table.clauses, "InsurancePaid": book.insurance.odds.clauses}
    for drill, error in errors_in(drills):
        if error.kind == "wrong-odds":
            kind = type(drill.told[error.lines[0] - 1]).__name__
            for clause in rows.get(kind, ()):
                assert score(drill, {error.lines[0]: Call(clause)}).clauses_right == 1


def test_what_happens_next_is_scored(two: Drill) -> None:
    one, other = two.errors
    wrong = next(name for name in OUTCOMES if name not in other.next)
    result = score(two, read_answer(f"{one.lines[0]}={one.next[0]} {other.lines[0]}={wrong}", two))
    assert (result.rulings_named, result.rulings_right) == (2, 1)
    assert score(two, with_next({one.lines[0]: Call()}, one, one.next[0])).rulings_right == 1
    assert one.ruling and one.noticed


def test_totals(two: Drill) -> None:
    total = Total().plus(score(two, {})).plus(score(two, {two.errors[0].lines[0]: Call("1.1")}))
    assert total == Total(rounds=2, caught=1, missed=3, clauses_named=1)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("none", {}),
        (" none ", {}),
        ("3", {3: Call()}),
        ("3, 5", {3: Call(), 5: Call()}),
        ("3:10.5 4", {3: Call("10.5"), 4: Call()}),
        ("3:10.5=void 4=1", {3: Call("10.5", "void"), 4: Call("", "stands")}),
    ],
)
def test_answers_are_read(text: str, called: dict[int, Call], two: Drill) -> None:
    assert read_answer(text, two) == called


@pytest.mark.parametrize(
    "text", ["", "  ", "0", "9999", "99999999999", "x", "3:", "none 3", "-1", "3=", "3=0", "3=later", "٣", "3.5", ":4"]
)
def test_bad_answers_are_told(text: str, two: Drill) -> None:
    if text == "3:":
        assert read_answer(text, two) == {3: Call()}
        return
    with pytest.raises(DrillError):
        read_answer(text, two)


def test_kinds_have_names_of_their_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_the_example_runs() -> None:
    assert doctest.testmod(pitboss.drill).failed == 0
