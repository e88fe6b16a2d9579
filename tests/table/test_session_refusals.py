"""What cannot be laid down for a session of a tournament, or done in one, with the clause that says so."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import load, open_table, play, refusal
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.house import BLAZING, DEVICE, default_house
from pitboss.table.session import SessionTerms
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import whose_turn
from pitboss.tournament.allowed import rulebook_for
from tests.tournament.session_tables import SEATS, session_table

NSW, BJC, CANBERRA = "nsw-pontoon", "nsw-blackjack-challenge", "canberra-pontoon-2005"
SUPERVISOR, DEALER = "casino-supervisor", "dealer"
TERMS = SessionTerms("heat", SEATS, 100_000, 2500, 50_000, order=True)
BOXES = {name: box for box, name in SEATS.items()}


def empty(rulebook: str, **house: Any) -> Table:
    book = rulebook_for(load(rulebook))
    wanted = {"tournament": True, "counted": True, "side_bets": ("perfect-pairs",), "chips_cents": (500, 2500, 10_000)}
    return open_table(book, house=default_house(book, **{**wanted, **house}), any_cards=True)


def begin(**changed: Any) -> Act:
    return a.BeginSession(SUPERVISOR, replace(TERMS, **changed))


def refused(table: Table, act: Act, clause: str, words: str) -> None:
    found = refusal(table, act)
    assert found is not None, f"{act} is allowed"
    assert words in found.text, found.text
    assert found.clauses[0] == clause, (found.clauses, found.text)


def with_wager(table: Table, cents: int = 2500) -> tuple[Table, str]:
    """Whoever is first in the order has wagered."""
    who = whose_turn(table)
    return play(table, a.PlaceWager(who, BOXES[who], cents))[0], who


LAID_DOWN: tuple[tuple[dict[str, Any], str, str, str, str], ...] = (
    ({"seats": {}}, "a stage and players", "20.5.4", "21.5.4", "20.7"),
    ({"stage": " "}, "a stage and players", "20.5.4", "21.5.4", "20.7"),
    ({"seats": {9: "alice"}}, "cannot have box 9", "20.5.4", "21.5.4", "20.7"),
    ({"seats": {1: "a b"}}, "cannot have box 1", "20.5.4", "21.5.4", "20.7"),
    ({"seats": {1: "alice", 2: "alice"}}, "one place", "20.6.10", "21.6.9", "20.7"),
    ({"held": {"zoe": 5}}, "zoe has no place", "20.6.2", "21.6.1:tail", "20.4(d)"),
    ({"out": ("alice", "bob", "cleo")}, "somebody plays", "20.5.4", "21.5.4", "20.7"),
    ({"marker": 9}, "one of its boxes", "20.5.4", "21.5.4", "20.7"),
    ({"chips_cents": 0}, "begins with tournament chips", "20.6.2", "21.6.1:tail", "20.4(d)"),
    ({"minimum_cents": 0}, "above zero", "20.6.4", "21.6.3", "20.14"),
    ({"raises": ((3, 5000, 2500),)}, "not above the maximum", "20.6.4", "21.6.3", "20.14"),
    ({"minimum_cents": 2510}, "$25.10 cannot be made", "20.6.8", "21.6.7", "def:Tournament Chips"),
    ({"maximum_cents": 51_000}, "no multiple of the minimum", "20.6.14", "21.6.13", ""),
    ({"order": False}, "in turn, by the starting marker", "", "", "20.15"),
    ({"pass_cards": 1}, "there are no pass cards", "", "", "20.14"),
    ({"undisclosed": 1}, "none is undisclosed", "", "", "20.15"),
    ({"deal_from_marker": True}, "no marker to begin at", "", "", "6.2"),
    ({"rounds": -1}, "not below zero", "20.5.4", "21.5.4", "20.7"),
)


@pytest.mark.clause("nsw-pontoon", "20.5.4", "20.6.2", "20.6.4", "20.6.8", "20.6.10", "20.6.14")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.4", "21.6.1:tail", "21.6.3", "21.6.7", "21.6.9", "21.6.13")
@pytest.mark.clause("canberra-pontoon-2005", "20.4(d)", "20.7", "20.14", "20.15")
@pytest.mark.parametrize(("nth", "rulebook"), list(enumerate((NSW, BJC, CANBERRA))))
@pytest.mark.parametrize(("changed", "words", "nsw", "bjc", "canberra"), LAID_DOWN)
def test_a_session_is_not_begun_by_what_the_rules_do_not_know(
    changed: dict[str, Any], words: str, nsw: str, bjc: str, canberra: str, nth: int, rulebook: str
) -> None:
    clause = (nsw, bjc, canberra)[nth]
    table = empty(rulebook)
    if clause:
        refused(table, begin(**changed), clause, words)
    else:
        assert refusal(table, begin(**changed)) is None


@pytest.mark.clause("nsw-pontoon", "20.2.1", "20.5.2", "20.6.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.2.1", "21.5.2", "21.6.1")
@pytest.mark.clause("canberra-pontoon-2005", "20.1", "20.2")
def test_a_session_wants_a_table_for_tournaments_and_whoever_runs_it() -> None:
    nsw = empty(NSW)
    refused(nsw, a.BeginSession(DEALER, TERMS), "20.6.2", "the tournament manager or a supervisor does that")
    refused(empty(CANBERRA), a.BeginSession(DEALER, TERMS), "20.4(d)", "the tournament director or a supervisor")
    for rulebook in ("adelaide-pontoon-2008", "canberra-pontoon-2002"):
        found = refusal(open_table(load(rulebook)), begin())
        assert found is not None and "no rules for tournaments" in found.text
    refused(open_table(load(NSW)), begin(), "20.1.1", "opened for tournament play")
    refused(empty(NSW, counted=False), begin(), "20.6.1", "tournament chips are counted")
    on = session_table(NSW)
    refused(on, begin(), "20.5.4", "heat is on: end it first")
    jackpot = empty(BJC, source=DEVICE, side_bets=(BLAZING,), jackpot_rate_percent=30)
    refused(jackpot, begin(), "21.6.1", "the table does not offer it")


@pytest.mark.clause("nsw-pontoon", "20.5.4", "20.5.7", "20.7.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.8")
@pytest.mark.clause("canberra-pontoon-2005", "20.19")
@pytest.mark.parametrize(("rulebook", "clause"), [(NSW, "20.5.7"), (BJC, "21.5.8"), (CANBERRA, "20.19")])
def test_a_session_ends_between_rounds(rulebook: str, clause: str) -> None:
    end = a.EndSession(SUPERVISOR)
    refused(empty(rulebook), end, load(rulebook).tournament.steps.value["allocate"], "no session of a tournament is on")
    on = session_table(rulebook, "5s " * 40)
    table, _ = with_wager(on)
    refused(table, end, clause, "somebody has wagered on another round")
    for _ in SEATS:
        if whose_turn(table):
            table, _ = with_wager(table)
    table, _ = play(table, a.Deal())
    refused(table, end, clause, "the round is finished first")
    refused(table, begin(), load(rulebook).tournament.steps.value["allocate"], "heat is on")
    found = refusal(table, a.CountStacks(SUPERVISOR))
    assert found is not None and "the round is finished first" in found.text


def test_out_of_a_session_there_is_nobody_to_ask_hold_or_remove() -> None:
    table = empty(NSW)
    acts: tuple[Act, ...] = (
        a.AskWager("alice"), a.PlayPassCard("alice"), a.HoldToMinimum(DEALER, "alice"), a.SetWagerTime(SUPERVISOR, 30),
        a.DeductMinimum(DEALER, "alice"), a.VoidEarlyWager(SUPERVISOR, "alice"), a.CountStacks(SUPERVISOR),
        a.RemovePlayer(SUPERVISOR, "alice", "disqualify", "marked a card"),
    )  # fmt: skip
    for act in acts:
        refused(table, act, "20.5.4", "no session of a tournament is on")
    refused(table, a.HandInForm("alice", cents=2500), "20.8.1", "in a session of a tournament")


@pytest.mark.clause("nsw-pontoon", "20.6.4", "20.6.12", "20.6.14", "20.9.4", "20.9.6")
@pytest.mark.clause("canberra-pontoon-2005", "20.15")
def test_who_wagers_does_so_in_turn_within_the_limits_and_leaves_it() -> None:
    table = session_table(NSW)
    first = whose_turn(table)
    third = [name for name in SEATS.values() if name != first][1]
    refused(table, a.PlaceWager(first, BOXES[first], 500), "20.6.4", "$5.00 is below it: make it up")
    refused(table, a.PlaceWager(first, BOXES[first], 52_500), "20.6.4", "the maximum is $500.00; $525.00 is above it")
    refused(table, a.PlaceWager(first, BOXES[first], 3000), "20.6.14", "$30.00 is no multiple of it")
    refused(table, a.PlaceWager(first, 7, 2500), "20.6.10", f"{first} wagers from box {BOXES[first]} only")
    refused(table, a.PlaceWager("zoe", 7, 2500), "20.6.10", "zoe takes no part in the session")
    refused(table, a.AskWager(third), "20.9.4", f"{first} is asked next")
    refused(session_table(NSW, order=False), a.AskWager(first), "20.9.4", "in no order: nobody is asked")
    refused(table, a.AskWager("zoe"), "20.6.10", "zoe")
    one, _ = with_wager(table)
    refused(one, a.AskWager(first), "20.9.4", f"{first} has wagered")
    two, _ = with_wager(one)
    refused(two, a.PlaceWager(first, BOXES[first], 2500), "20.9.6", "it may no longer be changed")
    refused(
        two, a.PlaceWager(first, BOXES[first], 500, kind="perfect-pairs"), "20.9.6", "adds nothing once others have"
    )
    refused(two, a.WithdrawWager(first, BOXES[first]), "20.9.6", "it may no longer be changed")


@pytest.mark.clause("nsw-pontoon", "20.6.11", "20.6.12", "20.7.1", "20.8.1", "20.8.2.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.6.10", "21.6.11")
def test_pass_cards_time_and_forms_have_their_conditions() -> None:
    none = session_table(NSW)
    first = whose_turn(none)
    refused(none, a.PlayPassCard(first), "20.7.1", "no pass card left")
    refused(none, a.PlayPassCard("zoe"), "20.6.10", "zoe")
    refused(none, a.HandInForm(first, cents=2500), "20.8.1", "no undisclosed wager left: the conditions give 0")
    refused(none, a.HoldToMinimum(DEALER, first), "20.6.11", "no time to wager is set")
    refused(none, a.SetWagerTime(DEALER, 30, True), "20.6.11", "the tournament manager or a supervisor")
    refused(none, a.SetWagerTime(SUPERVISOR, 601, True), "20.6.11", "from 0 (no limit) to 600")
    refused(none, a.SetWagerTime(SUPERVISOR, 30), "20.6.11", "reasonable notice")
    table = session_table(NSW, pass_cards=1, undisclosed=1, seconds=30)
    refused(table, a.HoldToMinimum("player", first), "20.6.12", "member of the house's staff")
    refused(table, a.HoldToMinimum(DEALER, "zoe"), "20.6.10", "zoe")
    held, _ = play(table, a.HoldToMinimum(DEALER, first))
    refused(held, a.HoldToMinimum(DEALER, first), "20.6.12", "held to the minimum already")
    refused(held, a.PlayPassCard(first), "20.6.12", "was late and is held to the minimum")
    refused(held, a.HandInForm(first, cents=2500), "20.6.12", "held to the minimum, in chips")
    refused(held, a.PlaceWager(first, BOXES[first], 5000), "20.6.12", "held to the minimum of $25.00")
    wagered, _ = play(held, a.PlaceWager(first, BOXES[first], 2500))
    refused(wagered, a.PlaceWager(first, BOXES[first], 500, kind="perfect-pairs"), "20.6.12", "nothing beside it")
    passed, _ = play(table, a.PlayPassCard(first))
    refused(passed, a.PlayPassCard(first), "20.7.1", "pass card")
    refused(passed, a.HandInForm(first, cents=2500), "20.7.1", "in lieu of a wager")
    refused(passed, a.PlaceWager(first, BOXES[first], 2500), "20.7.1", "in lieu of a wager")
    refused(table, a.HandInForm(first, "blazing-7s", 2500), "20.8.2.1", "the form names one of")
    refused(table, a.HandInForm(first, cents=-1), "20.8.2.1", "not below zero")
    refused(table, a.HandInForm(first, "perfect-pairs", 500), "20.8.2.4", "first wagers on the hand")
    refused(table, a.HandInForm("zoe", cents=2500), "20.6.10", "zoe")
    given, _ = play(table, a.HandInForm(first, cents=2500))
    refused(given, a.HandInForm(first, cents=2500), "20.8.2.1", "handed in a form for this round")
    refused(given, a.ExamineForm(DEALER, first), "20.8.2.5", "the gaming supervisor has the forms")
    refused(given, a.ExamineForm("gaming-supervisor", "zoe"), "20.8.2.5", "no form of zoe")
    refused(given, a.EndSession(SUPERVISOR), "20.5.7", "somebody has wagered on another round")
    challenge = session_table(BJC, pass_cards=1, undisclosed=1, seconds=30)
    refused(challenge, a.HoldToMinimum("player", whose_turn(challenge)), "21.6.11", "member of the house's staff")
    canberra = session_table(CANBERRA)
    refused(canberra, a.HoldToMinimum(DEALER, "alice"), "20.18", "hold nobody to the minimum")
    refused(canberra, a.PlayPassCard(whose_turn(canberra)), "20.14", "no pass card left")


@pytest.mark.clause("nsw-pontoon", "20.5.6", "20.5.6.1", "20.9.5", "20.11.4", "20.6.4")
@pytest.mark.clause("canberra-pontoon-2005", "20.9")
def test_absence_order_and_removal_have_their_conditions() -> None:
    table = session_table(NSW)
    first = whose_turn(table)
    second = next(name for name in SEATS.values() if name != first)
    refused(table, a.DeductMinimum("player", first), "20.5.6.1", "the dealer does it, as the manager directs")
    refused(table, a.DeductMinimum(DEALER, "zoe"), "20.6.10", "zoe")
    wagered, _ = with_wager(table)
    refused(wagered, a.DeductMinimum(DEALER, first), "20.5.6", "is there, and has wagered")
    canberra = session_table(CANBERRA)
    refused(canberra, a.DeductMinimum(DEALER, "alice"), "20.9", "forfeits the position")
    refused(table, a.VoidEarlyWager(DEALER, first), "20.9.5", "the tournament manager or a supervisor")
    refused(table, a.VoidEarlyWager(SUPERVISOR, second), "20.9.5", "has not wagered out of turn")
    remove = a.RemovePlayer(SUPERVISOR, first, "disqualify", "marked a card")
    refused(table, replace(remove, by=DEALER), "20.6.4", "the tournament manager or a supervisor")
    refused(table, replace(remove, ground="rude"), "20.5.6:tail", "'rude' is nothing to be removed for")
    refused(table, replace(remove, player="zoe"), "20.5.6:tail", "takes no part")
    refused(table, replace(remove, why=" "), "20.5.6:tail", "say why")
    refused(wagered, replace(remove, ground="every-round"), "20.6.4", "has wagered on this round")
    refused(table, a.CountStacks(DEALER), "20.11.3", "the tournament manager or a supervisor")
    dealing = session_table(NSW, "5s " * 40)
    while whose_turn(dealing):
        dealing, _ = with_wager(dealing)
    dealing, _ = play(dealing, a.Deal())
    assert dealing.phase != "wagers"
    refused(dealing, a.PlayPassCard(first), "20.7.1", "the round has begun")
    refused(dealing, a.HandInForm(first, cents=2500), "20.8.1", "the round has begun")
    leaving, _ = play(dealing, remove)
    refused(leaving, remove, "20.5.6:tail", "is removed when the round is over")
