"""Duties of hands and voice are prompted at their moment, with their clause."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pitboss import open_table, play
from pitboss.floor.prompts import prompt
from pitboss.floor.training import STEPS, moments
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.duties import MOMENTS, duties
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.duties import WHEN, due
from pitboss.table.house import Patron, default_house
from pitboss.table.legal import waiting_for
from pitboss.table.state import Table
from tests.tournament.session_tables import session_table


def prompted(table: Table) -> set[str]:
    """The clauses of what the dealer is reminded of now."""
    told = prompt(table, waiting_for(table))
    return {clause for duty in told.get("duties", ()) for clause in duty["clauses"]}


def a_table(
    rulebook: str, acts: Iterable[Act] = (), *, cards: str | None = "6s 9h 5d Kc 4h 8d", **house: bool
) -> Table:
    chosen = default_house(load(rulebook), **house)
    table = open_table(rulebook, cards=cards, house=chosen) if cards else open_table(rulebook, house=chosen)
    return play(table, *acts)[0]


BETS = (a.PlaceWager("alice", 1, 2500),)
DEALT = (*BETS, a.Deal())


@pytest.mark.clause("nsw-pontoon", "2.4", "3.4", "4.2")
@pytest.mark.clause("nsw-blackjack-challenge", "2.4", "3.5", "4.3")
@pytest.mark.clause("adelaide-pontoon-2008", "29", "30", "31", "32", "33", "34")
@pytest.mark.clause("canberra-pontoon-2005", "2.2")
@pytest.mark.clause("canberra-pontoon-2002", "2.2")
@pytest.mark.parametrize(
    ("rulebook", "clauses"),
    [
        ("nsw-pontoon", {"2.4", "3.4", "4.2"}),
        ("nsw-blackjack-challenge", {"2.4", "3.5", "4.3"}),
        ("adelaide-pontoon-2008", {"29", "30", "31", "32", "33", "34"}),
        ("canberra-pontoon-2005", {"2.2"}),
        ("canberra-pontoon-2002", {"2.2"}),
    ],
)
def test_before_the_first_shuffle_the_cards_are_seen_to(rulebook: str, clauses: set[str]) -> None:
    table = a_table(rulebook, cards=None)
    assert waiting_for(table).what == "shuffle"
    assert clauses <= prompted(table)
    assert not clauses & prompted(a_table(rulebook, BETS))


@pytest.mark.clause("nsw-pontoon", "4.2.1")
@pytest.mark.clause("nsw-blackjack-challenge", "4.3.1")
@pytest.mark.parametrize(("rulebook", "clause"), [("nsw-pontoon", "4.2.1"), ("nsw-blackjack-challenge", "4.3.1")])
def test_pre_shuffled_cards_are_riffled_before_the_cut_where_a_player_asks(rulebook: str, clause: str) -> None:
    book = load(rulebook)
    stack = (
        tuple(f"{rank}{suit}" for rank in book.cards.ranks.value for suit in "shdc") * book.cards.decks_default.value
    )
    table, _ = play(open_table(rulebook, players={"alice": Patron(seat=1)}), a.Shuffle(stack))
    assert waiting_for(table).what in ("cut", "cutting-card")
    assert clause in prompted(table)
    assert clause not in prompted(a_table(rulebook))


@pytest.mark.clause("nsw-pontoon", "2.4.1", "3.6")
@pytest.mark.clause("nsw-blackjack-challenge", "2.4.1", "3.7")
@pytest.mark.clause("adelaide-pontoon-2008", "44", "45", "46")
@pytest.mark.clause("canberra-pontoon-2005", "2.3:tail")
@pytest.mark.parametrize(
    ("rulebook", "always", "with_wagers"),
    [
        ("nsw-pontoon", {"2.4.1"}, {"3.6"}),
        ("nsw-blackjack-challenge", {"2.4.1"}, {"3.7"}),
        ("adelaide-pontoon-2008", set(), {"44", "45", "46"}),
        ("canberra-pontoon-2005", {"2.3:tail"}, set()),
    ],
)
def test_while_wagers_are_taken_and_when_they_lie(rulebook: str, always: set[str], with_wagers: set[str]) -> None:
    before, after = prompted(a_table(rulebook)), prompted(a_table(rulebook, BETS))
    assert always <= before and not with_wagers & before
    assert always | with_wagers <= after
    assert not (always | with_wagers) & prompted(a_table(rulebook, DEALT))


@pytest.mark.clause("nsw-pontoon", "9.2")
def test_surrender_is_announced_while_it_is_open() -> None:
    table = a_table("nsw-pontoon", DEALT, cards="6s Kh 5d 4h 8d 9c")
    assert waiting_for(table).what == "surrender" and "9.2" in prompted(table)
    closed, _ = play(table, a.CloseSurrender())
    assert "9.2" not in prompted(closed) and "9.2" not in prompted(a_table("nsw-pontoon", DEALT))


@pytest.mark.clause("nsw-pontoon", "11.4", "12.3")
@pytest.mark.clause("nsw-blackjack-challenge", "9.4", "10.2")
@pytest.mark.parametrize(
    ("rulebook", "signal", "sideways"), [("nsw-pontoon", "11.4", "12.3"), ("nsw-blackjack-challenge", "9.4", "10.2")]
)
def test_a_decision_is_a_signal_and_a_doubled_card_lies_sideways(rulebook: str, signal: str, sideways: str) -> None:
    assert {signal, sideways} <= prompted(a_table(rulebook, DEALT))
    after_a_card = a_table(rulebook, (*DEALT, a.Hit("alice", 1)), cards="2s 9h 3d 4c 4h 8d")
    assert signal in prompted(after_a_card)
    if "Double" not in waiting_for(after_a_card).acts:
        assert sideways not in prompted(after_a_card)
    trained = [moment.step for seed in "123456" for moment in moments(load(rulebook), seed, 4)]
    laid = [step for step in trained if step.said.step == "turn-sideways"]
    assert laid and all(step.clauses == (sideways,) for step in laid)


@pytest.mark.clause("nsw-pontoon", "6.5.1.1", "6.5.1.2", "6.5.1.3")
@pytest.mark.clause("nsw-blackjack-challenge", "6.5.1.1", "6.5.1.2", "6.5.1.3")
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
def test_who_keeps_the_old_minimum_has_a_marker_until_they_leave(rulebook: str) -> None:
    marks = {"6.5.1.1", "6.5.1.2", "6.5.1.3"}
    table = a_table(rulebook, (a.PlaceWager("alice", 1, 500), a.Deal(), a.Stand("alice", 1)), cards="Ks 9h Kd 9c")
    assert not marks & prompted(table)
    raised, _ = play(table, a.SetLimits("casino-supervisor", 2500, 100_000))
    assert marks <= prompted(raised)
    gone, _ = play(raised, a.LeaveTable("alice"))
    assert not marks & prompted(gone)


@pytest.mark.clause("nsw-pontoon", "3.7")
def test_face_down_cards_stay_over_the_layout() -> None:
    assert "3.7" in prompted(a_table("nsw-pontoon", DEALT, face_down=True))
    assert "3.7" not in prompted(a_table("nsw-pontoon", DEALT))


@pytest.mark.clause("adelaide-pontoon-2008", "53", "35(d)", "22A")
def test_cards_are_gathered_readied_and_declined_seats_given_up() -> None:
    over = a_table("adelaide-pontoon-2008", (*DEALT, a.Stand("alice", 1)), cards="Ks 9h Kd 9c")
    assert "53" in prompted(over) and "53" not in prompted(a_table("adelaide-pontoon-2008", DEALT))
    assert "35(d)" not in prompted(over)
    assert "35(d)" in prompted(play(over, a.LeaveTable("alice"))[0])
    without = (a.PlaceWager("bob", 7, 2500), a.Deal(), a.Stand("bob", 7), a.PlaceWager("bob", 7, 2500), a.Deal())
    passed = a_table("adelaide-pontoon-2008", (*DEALT, a.Stand("alice", 1), *without), cards="Ks 9h Kd 9c " * 3)
    restricted, _ = play(passed, a.Restrict("casino-supervisor", "alice", "late-entry"))
    assert "22A" in prompted(restricted) and "22A" not in prompted(over)


@pytest.mark.clause("canberra-pontoon-2005", "16.1")
@pytest.mark.clause("canberra-pontoon-2002", "16.1")
@pytest.mark.parametrize("rulebook", ["canberra-pontoon-2005", "canberra-pontoon-2002"])
def test_the_hours_of_gaming_are_told_when_a_table_closes(rulebook: str) -> None:
    table = a_table(rulebook)
    assert "16.1" not in prompted(table)
    closing, _ = play(table, a.AnnounceFinalRounds("casino-supervisor"))
    assert {"16.1", "2.2"} <= prompted(closing)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_duty_has_a_moment_a_clause_that_is_kept_and_a_known_step(rulebook: str) -> None:
    known = register(rulebook)
    for duty in duties(rulebook):
        keeper = (
            "engine" if duty.moment.startswith("session") else "dealer"
        )  # of a tournament, reminded of what is kept
        assert all(known[clause].kept and known[clause].kept_by == keeper for clause in duty.clauses), duty
        assert not duty.step or duty.step in STEPS
        assert duty.text.endswith(".")
    assert set(WHEN) == set(MOMENTS)
    own = [duty for duty in duties(rulebook) if not duty.moment.startswith("session")]
    told = {clause for duty in own for clause in duty.clauses}
    assert told == {row.key for row in known.values() if row.kept and row.kept_by == "dealer"}


@pytest.mark.clause("nsw-pontoon", "20.7.1", "20.8.2.5", "20.8.4", "20.9.2")
def test_in_a_session_the_dealer_is_reminded_of_marker_forms_and_pass_cards() -> None:
    table = session_table("nsw-pontoon", "9h 7s Kh Qc", pass_cards=1, undisclosed=1)
    assert {"20.6.6", "20.9.2"} <= prompted(table) and not {"20.8.2.5", "20.7.1"} & prompted(table)
    table, _ = play(table, a.HandInForm("alice", "original", 2500))
    assert "20.8.2.5" in prompted(table)
    table, _ = play(table, a.ExamineForm("gaming-supervisor", "alice"), a.PlayPassCard("bob"), a.PlayPassCard("cleo"))
    assert "20.7.1" in prompted(table) and not {"20.8.2.5", "20.9.2"} & prompted(table)
    table, _ = play(table, a.Deal(), a.Stand("alice", 1))
    assert "20.8.4" in prompted(table) and "20.7.1" not in prompted(table)


@pytest.mark.parametrize("rulebook", ["adelaide-pontoon-2008", "canberra-pontoon-2005", "canberra-pontoon-2002"])
def test_a_trainee_sees_to_the_cards_before_the_first_shuffle(rulebook: str) -> None:
    steps = [moment.step for moment in moments(load(rulebook), "opening", 2)]
    before = [step.said.step for step in steps[: next(i for i, s in enumerate(steps) if s.said.step == "shuffle")]]
    assert before[0] == "check-cards"
    assert [step.said.step for step in steps].count("check-cards") == 1


def test_a_rulebook_without_duties_has_none() -> None:
    assert duties("town-pontoon-2030") == ()
    assert due(a_table("nsw-pontoon"), waiting_for(a_table("nsw-pontoon")))
