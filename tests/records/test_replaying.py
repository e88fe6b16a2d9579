"""Playing a record: what counts as a failure, what makes a record impossible, and how lines are completed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.records import RecordError, loads, read, replay
from pitboss.records.replay import ReplayResult
from pitboss.records.saving import public_events
from pitboss.rulebooks.clauses import exists
from pitboss.table import events as e

ROUNDS = Path(__file__).parents[1] / "rounds"


def record(*play: str, cards: str = "6s 9h 5d Kc", table: str = "", expect: str = "", more: str = "") -> str:
    lines = "".join(f'  "{line}",\n' for line in play)
    return (
        'title = "A test"\nrulebook = "nsw-pontoon"\n'
        f'cards = "{cards}"\nplay = [\n{lines}]\n{more}\n[table]\n{table}\n[expect]\n{expect}\n'
    )


def replayed(*play: str, **parts: str) -> ReplayResult:
    return replay(loads(record(*play, **parts), "test.round"))


def failures(*play: str, **parts: str) -> list[str]:
    return [f"{failure.line}: {failure.text}" for failure in replayed(*play, **parts).failures]


DEALT = ("alice bets 25 on 1", "dealer deals")


@pytest.mark.parametrize("file", sorted(ROUNDS.glob("*/*.round")), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_record_holds(file: Path) -> None:
    result = replay(read(file))
    assert not result.failures, "\n".join(f"{file}:{failure.line}: {failure.text}" for failure in result.failures)


def test_records_are_about_clauses_that_exist() -> None:
    for file in sorted(ROUNDS.glob("*/*.round")):
        found = read(file)
        unknown = [clause for clause in found.clauses if not exists(found.rulebook, clause)]
        assert not unknown, f"{file.name} is about {unknown}"
        assert found.rulebook == file.parent.name, f"{file.name} is in the folder of another rulebook"


# --- what fails ---


def test_a_record_without_expectations_holds_when_every_act_is_allowed() -> None:
    result = replayed(*DEALT, "alice doubles on 1")
    assert result.ok
    assert result.net_cents == {"alice": 5000}
    assert result.dealer == ("9h",) and result.left == 0


def test_every_expectation_is_checked() -> None:
    told = failures(
        *DEALT, "alice doubles on 1", expect='net = { alice = 25, bob = 1 }\ndealer = "9h Kd"\nleft = 3\njackpot = 1'
    )
    assert told == [
        "13: net of alice: $50.00, not $25.00",
        "13: net of bob: $0.00, not $1.00, bob never played",
        "14: dealer's cards: 9h, not 9h Kd",
        "15: cards left: 0, not 3",
        "16: jackpot: $50,000.00, not $1.00",
    ]


def test_an_unexpected_refusal_fails() -> None:
    (told,) = failures(*DEALT, "alice hits on 2", "alice doubles on 1")
    assert told.startswith('7: "alice hits on 2" was refused. NSW pontoon ')


def test_an_expected_refusal_that_does_not_come_fails() -> None:
    (told,) = failures(*DEALT, "alice doubles on 1 => refused 12.1")
    assert told == '7: "alice doubles on 1" was expected to be refused by 12.1, and was not'


def test_a_refusal_by_another_clause_fails() -> None:
    (told,) = failures("alice bets 2000 on 1 => refused 9.5", *DEALT, "alice doubles on 1")
    assert told.startswith('5: "alice bets 2000 on 1" was to be refused by 9.5, but was by 6.1')


@pytest.mark.parametrize("clause", ["*", "6.1", "6"])
def test_a_refusal_by_the_clause_or_one_below_it_is_as_expected(clause: str) -> None:
    result = replayed(f"alice bets 2000 on 1 => refused {clause}", *DEALT, "alice doubles on 1")
    assert result.ok
    assert result.steps[0].refusal is not None and result.steps[0].events == ()


def test_six_is_not_a_prefix_of_sixteen() -> None:
    assert failures("alice bets 2000 on 1 => refused 6.1.11", *DEALT, "alice doubles on 1")


def test_a_record_that_ends_in_the_middle_of_a_round_fails() -> None:
    assert failures(*DEALT) == ["6: the record ends in the middle of a round: box 1 is not finished"]
    (told,) = failures(*DEALT, cards="6s Kh 5d")
    assert told == "6: the record ends in the middle of a round: the dealer has not closed surrender"


def test_a_wager_that_waits_for_the_deal_is_no_round() -> None:
    """A round of play begins with the first card (definition of round of play)."""
    result = replayed("alice bets 25 on 1", expect="net = { alice = 0 }\nleft = 4")
    assert result.ok


def test_a_record_that_needs_another_card_says_so() -> None:
    assert failures(*DEALT, "alice hits on 1", "alice stands on 1", cards="6s 9h 5d 2c") == [
        '8: "alice stands on 1" needs another card, and there is none in cards'
    ]


def test_left_counts_the_cards_of_all_stacks() -> None:
    assert replayed(*DEALT, "alice doubles on 1", cards="6s 9h 5d Kc 2c / 3c 4c", expect="left = 3").ok


# --- how lines are completed ---


def test_a_box_may_be_left_out_where_there_is_one() -> None:
    result = replayed("alice bets 25 on 3", "alice bets 5 perfect-pairs", "dealer deals", "alice doubles")
    assert result.ok
    assert [getattr(step.act, "box", None) for step in result.steps] == [3, 3, None, 3]


def test_a_settled_box_is_no_longer_meant() -> None:
    """Alice's pontoon on box 1 is paid, so only box 2 is left."""
    play = ("alice bets 25 on 1", "alice bets 25 on 2", "dealer deals", "alice stands")
    assert replayed(*play, cards="As 9d 9h Kc 9s Jd", expect="net = { alice = 12.50 }").failures == ()


@pytest.mark.parametrize(
    ("play", "told"),
    [
        (
            ("alice bets 25 on 1", "alice bets 25 on 2", "dealer deals", "alice hits"),
            'test.round:8: "alice hits": alice has wagers on boxes 1 and 2: say on which, as in on 1',
        ),
        (
            (*DEALT, "bob hits"),
            'test.round:7: "bob hits": bob has no wager at this moment: say on which box, as in on 1',
        ),
        (("alice bets 25",), 'test.round:5: "alice bets 25": alice has no wager at this moment'),
        (("dealer shuffles",), 'test.round:5: "dealer shuffles": no stack is left to shuffle. Put a / into cards'),
    ],
)
def test_a_line_that_leaves_too_much_out(play: tuple[str, ...], told: str) -> None:
    with pytest.raises(RecordError) as raised:
        replayed(*play, cards="6s 9h 5d Kc 2c 3c 4c")
    assert str(raised.value).startswith(told)


def test_who_has_no_wager_is_refused_by_any_clause() -> None:
    assert replayed(*DEALT, "bob hits => refused 5.6", "alice doubles on 1").ok


def test_a_shuffle_that_is_refused_takes_no_stack() -> None:
    assert replayed("dealer shuffles => refused 4.1", *DEALT, "alice doubles on 1").ok
    assert replayed("dealer shuffles => refused 4.1", *DEALT, "alice doubles on 1", cards="6s 9h 5d Kc / 2c").left == 1


def test_a_shuffle_goes_on_with_the_next_stack() -> None:
    result = replayed(
        *DEALT,
        "alice doubles on 1",
        "dealer shuffles",
        "alice cuts 96",
        "dealer places the cutting card 60",
        *DEALT,
        "alice doubles on 1",
        cards="6s 9h 5d Kc / 2c 6s 9h 5d Kc",
        table="cutting_card = 3",
        more="[players.alice]\nseat = 1",
        expect="net = { alice = 100 }\nleft = 0",
    )
    assert result.failures == ()
    assert [event.card for event in result.events if isinstance(event, e.CardBurned)] == ["2c"]


def test_a_record_may_begin_with_the_shuffle() -> None:
    result = replayed(
        "dealer shuffles by multishuffler",
        "alice cuts 96",
        "dealer places the cutting card 60",
        *DEALT,
        "alice doubles on 1",
        cards="2c 6s 9h 5d Kc",
        table='start = "shuffle"',
        more="[players.alice]\nseat = 1",
        expect="left = 0",
    )
    assert result.failures == ()
    assert not any(isinstance(event, e.StackArranged) for event in public_events(result.events))


# --- what cannot be true ---

DEVICE = 'source = "shuffling-device"'
ROUND = (*DEALT, "alice stands on 1")


def test_cards_come_again_from_a_shuffling_device() -> None:
    """The discards go back, so over three rounds nine sixes of spades may leave eight decks."""
    assert replayed(*ROUND * 4, cards="6s 6s 6s 9h 4d " * 4, table=DEVICE).ok


def test_one_more_of_a_card_outside_a_device_than_the_decks_hold_is_foreign() -> None:
    play = [f"alice bets 25 on {box}" for box in range(1, 6)]
    result = replayed(*play, "dealer deals", cards="6s " * 11, table=DEVICE, expect="left = 2")
    assert result.ok and result.table.checks_due


def test_a_shoe_is_counted_stack_by_stack() -> None:
    assert replayed(*ROUND, cards="6s 9h 6s 9h 4d / " + "6s " * 8).table.suspect is False
    found = replayed("alice bets 25 on 1", "dealer deals", cards="6s 9h 5d", table='rack = "' + "6s " * 8 + '"')
    assert found.ok and found.table.checks_due
