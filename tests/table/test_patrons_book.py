"""What a table is told of a person and of the day, and what it then refuses."""

from __future__ import annotations

import datetime

import pytest
from msgspec.structs import replace

from pitboss import open_table, play, refusal
from pitboss.floor.prompts import prompt
from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import House, Patron, default_house, refuse_house
from pitboss.table.irregularities.people import invalid_stakes
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.patrons_book import is_news, refuse_closing, sign_stands
from pitboss.table.state import Table
from pitboss.table.views import Viewer, players_seen_by

clause = pytest.mark.clause
NSW, ADL, BJC = "nsw-pontoon", "adelaide-pontoon-2008", "nsw-blackjack-challenge"
SUPERVISOR = "casino-supervisor"
CARDS = "6s 9h 5d Kc 9s 9d 9c 8h 8d"


def house(rulebook: str, **changes: object) -> House:
    return default_house(load(rulebook), patrons="book", **changes)


def table(rulebook: str = NSW, **changes: object) -> Table:
    return open_table(rulebook, cards=CARDS, house=house(rulebook, **changes))


@pytest.mark.parametrize(
    ("rulebook", "clauses"),
    [
        pytest.param(
            NSW, ("5.1", "19.1", "def:Player Card"), marks=clause("nsw-pontoon", "5.1", "19.1", "def:Player Card")
        ),
        pytest.param(
            BJC,
            ("5.1", "20.1", "def:Player Card"),
            marks=clause("nsw-blackjack-challenge", "5.1", "20.1", "def:Player Card"),
        ),
    ],
)
def test_nobody_plays_of_whom_the_book_says_nothing(rulebook: str, clauses: tuple[str, ...]) -> None:
    opened = table(rulebook, date=datetime.date(2025, 1, 1))
    for act in (a.PlaceWager("alice", 1, 100_000), a.BuyChips("alice", 10_000)):
        no = refusal(opened, act)
        assert no is not None
        assert no.clauses == clauses
        assert "no valid player card" in no.text
    seated, _ = play(opened, a.TakeSeat("alice", 1))  # a seat is no play
    assert refusal(seated, a.PlaceWager("alice", 1, 2_500)) is not None
    told, events = play(seated, a.TellPatron("alice"))
    assert [type(event) for event in events] == [e.PatronTold]
    assert refusal(told, a.PlaceWager("alice", 1, 2_500)) is None
    again, _ = play(told, a.TellPatron("alice", card=False))
    assert refusal(again, a.PlaceWager("alice", 1, 2_500)) is not None


@pytest.mark.parametrize("rulebook", [ADL, "canberra-pontoon-2005", "canberra-pontoon-2002"])
def test_where_no_card_is_needed_the_book_is_silent(rulebook: str) -> None:
    assert refusal(table(rulebook), a.PlaceWager("alice", 1, 2_500)) is None


@clause("nsw-pontoon", "5.1")
@clause("nsw-blackjack-challenge", "5.1")
@pytest.mark.parametrize("rulebook", [NSW, BJC])
def test_a_dated_term_takes_effect_on_its_day_at_an_open_table(rulebook: str) -> None:
    opened = table(rulebook, date=datetime.date(2024, 8, 18))
    opened, _ = play(opened, a.PlaceWager("alice", 1, 2_500))
    dealt, _ = play(opened, a.Deal())
    if dealt.phase != "wagers":
        assert refusal(dealt, a.TurnDate(datetime.date(2024, 8, 19))) is not None  # not in the middle of a round
    turned, events = play(opened, a.TurnDate(datetime.date(2024, 8, 19)))
    assert isinstance(events[0], e.DateTurned)
    returned = [event for event in events if isinstance(event, e.WagerReturned)]  # nobody without a card is dealt in
    assert [(event.player, event.cents) for event in returned] == [("alice", 2_500)]
    assert all(event.clauses[0].endswith(".21.1") for event in events[1:])
    no = refusal(turned, a.PlaceWager("alice", 2, 2_500))
    assert no is not None
    assert no.clauses[0] == "5.1"
    assert refusal(turned, a.TurnDate(datetime.date(2024, 8, 19))) is not None
    assert refusal(turned, a.TurnDate(datetime.date(2024, 8, 18))) is not None


def test_anyone_is_as_it_was() -> None:
    usual = open_table(NSW, cards=CARDS)
    assert usual.house.patrons == "anyone"
    assert refusal(usual, a.PlaceWager("alice", 1, 2_500)) is None
    bad = House(8, "shoe", (), patrons="strangers")
    no = refuse_house(load(NSW), bad)
    assert no is not None
    assert "strangers" in no.text


@clause("nsw-pontoon", "19.3", "def:Loss Limit", "def:Deposit Limit")
def test_what_is_left_of_a_limit_is_told_and_kept() -> None:
    opened, _ = play(table(), a.TellPatron("alice", loss_left_cents=10_000, deposit_left_cents=20_000))
    opened, _ = play(opened, a.PlaceWager("alice", 1, 6_000))
    no = refusal(opened, a.PlaceWager("alice", 2, 5_000))
    assert no is not None
    assert no.clauses == ("19.3", "def:Loss Limit")
    assert "$40.00 is left" in no.text
    assert not is_news(opened, a.TellPatron("alice", loss_left_cents=4_000, deposit_left_cents=20_000))
    elsewhere, _ = play(opened, a.TellPatron("alice", loss_left_cents=1_000, deposit_left_cents=20_000))
    assert refusal(elsewhere, a.PlaceWager("alice", 2, 1_001)) is not None
    assert refusal(elsewhere, a.PlaceWager("alice", 2, 1_000)) is None
    assert refusal(elsewhere, a.PlaceWager("alice", 2, 5_000, unnoticed=True)) is None  # found later, 17.22
    no = refusal(opened, a.BuyChips("alice", 20_001))
    assert no is not None
    assert no.clauses[0] == "def:Deposit Limit"


@pytest.mark.parametrize(
    ("rulebook", "key"),
    [
        pytest.param(NSW, "17.21.1", marks=clause("nsw-pontoon", "17.21.1", "19.1")),
        pytest.param(BJC, "18.21.1", marks=clause("nsw-blackjack-challenge", "18.21.1", "20.1")),
    ],
)
def test_wagers_of_who_loses_the_card_go_back_before_the_hand(rulebook: str, key: str) -> None:
    opened, _ = play(table(rulebook), a.TellPatron("alice"))
    for box in (1, 2):
        opened, _ = play(opened, a.PlaceWager("alice", box, 1_000))
    told, events = play(opened, a.TellPatron("alice", card=False))
    returned = [event for event in events if isinstance(event, e.WagerReturned)]
    assert [(event.box, event.cents) for event in returned] == [(1, 1_000), (2, 1_000)]
    assert {event.reason for event in returned} == {"invalid"}
    assert all(key in event.clauses for event in returned)
    assert told.net["alice"] == 0
    assert not told.boxes


@clause("nsw-pontoon", "19.8.3")
@pytest.mark.parametrize("rulebook", [NSW, BJC, ADL, "canberra-pontoon-2005"])
def test_wagers_of_who_is_excluded_go_back_before_the_hand(rulebook: str) -> None:
    opened, _ = play(table(rulebook), a.TellPatron("alice"), a.PlaceWager("alice", 1, 1_000))
    told, events = play(opened, a.TellPatron("alice", barred="a device", excluded=True))
    (returned,) = [event for event in events if isinstance(event, e.WagerReturned)]
    assert returned.reason == "barred"
    assert returned.clauses == load(rulebook).patrons.excluded_by.clauses
    assert not told.boxes


@pytest.mark.parametrize(
    ("rulebook", "keys"),
    [
        pytest.param(NSW, ("5.1", "19.1", "17.21.2"), marks=clause("nsw-pontoon", "5.1", "19.1", "17.21.2")),
        pytest.param(
            BJC, ("5.1", "20.1", "18.21.2"), marks=clause("nsw-blackjack-challenge", "5.1", "20.1", "18.21.2")
        ),
    ],
)
def test_in_the_hand_who_loses_the_card_puts_no_more_money_down(rulebook: str, keys: tuple[str, str, str]) -> None:
    opened = open_table(rulebook, cards="5s 6h 6d 8c 9s 9d 9c 8h 8d", house=house(rulebook))
    dealt, _ = play(opened, a.TellPatron("alice"), a.PlaceWager("alice", 1, 1_000), a.Deal())
    double = a.Double("alice", 1)
    assert dealt.phase == "play"
    assert double in legal_acts(dealt)
    assert not invalid_stakes(dealt)
    told, events = play(dealt, a.TellPatron("alice", card=False))
    assert [type(event) for event in events] == [e.PatronTold]  # what lies in the hand is for a supervisor
    no = refusal(told, double)
    assert no is not None
    assert set(keys[:2]) <= set(no.clauses)
    assert double not in legal_acts(told)
    assert a.Stand("alice", 1) in legal_acts(told) or a.Hit("alice", 1) in legal_acts(told)
    said = prompt(told, waiting_for(told))
    assert "alice: no valid player card" in said["text"]
    assert keys[2] in said["clauses"]
    found, _ = play(told, a.FindInvalidWager(SUPERVISOR, "alice", 1))
    assert found.net["alice"] == 0
    assert not invalid_stakes(found)
    gone, _ = play(dealt, a.TellPatron("alice", barred="ill", excluded=True))
    assert "alice: excluded from the casino" in prompt(gone, waiting_for(gone))["text"]
    assert "excluded from" not in prompt(found, waiting_for(found))["text"]
    back, _ = play(found, a.TellPatron("alice"))
    asked = refusal(back, a.PlaceWager("alice", 1, 1_000))
    assert asked is not None and keys[1] in asked.clauses, "that a card exists in the book does not show it"
    shown, _ = play(back, a.AcceptCard("dealer", "alice"))
    assert refusal(shown, a.PlaceWager("alice", 1, 1_000)) is None


@clause("nsw-pontoon", "19.3")
def test_a_view_says_what_is_left_to_lose_and_never_less_than_nothing() -> None:
    opened = table()
    opened.net["alice"] = 5_000  # won here
    opened, _ = play(opened, a.TellPatron("alice", loss_left_cents=2_000))
    opened.players["alice"] = replace(opened.players["alice"], present=True)
    for net, left in ((5_000, 2_000), (4_000, 1_000), (2_000, 0)):
        opened.net["alice"] = net
        for viewer in (Viewer("player", "alice"), Viewer("supervisor")):
            assert players_seen_by(viewer, opened)["alice"]["loss_left_cents"] == left
        assert "loss_left_cents" not in players_seen_by(Viewer("dealer"), opened)["alice"]


@clause("nsw-pontoon", "5.13", "6.6")
def test_restrictions_and_maxima_are_told_and_taken_back() -> None:
    opened, _ = play(table(), a.TellPatron("alice", restriction="one-box"))
    assert refusal(opened, a.PlaceWager("alice", 1, 2_500)) is not None
    no = refusal(opened, a.PlaceWager("alice", 1, 2_500))
    assert no is not None
    assert no.clauses == ("5.13",)
    opened, _ = play(opened, a.PlaceWager("alice", 1, 500))
    assert refusal(opened, a.PlaceWager("alice", 2, 500)) is not None
    silent, _ = play(opened, a.TellPatron("alice"))  # nothing is said of it: it stays
    assert refusal(silent, a.PlaceWager("alice", 2, 500)) is not None
    free, _ = play(opened, a.TellPatron("alice", restriction="none", maximum_cents=500_000, minimum_cents=2_500))
    assert refusal(free, a.PlaceWager("alice", 2, 400_000)) is None
    usual, _ = play(free, a.TellPatron("alice", maximum_cents=0))
    assert refusal(usual, a.PlaceWager("alice", 2, 400_000)) is not None
    no = refusal(opened, a.TellPatron("alice", restriction="late-entry"))
    assert no is not None


@clause("nsw-pontoon", "19.8.2", "19.8.3", "19.4")
def test_who_is_barred_excluded_or_pauses_places_no_wager() -> None:
    for told, clauses in (
        (a.TellPatron("alice", barred="a device"), ("19.8.2", "19.8")),
        (a.TellPatron("alice", barred="a device", excluded=True), ("19.8.3", "19.8")),
        (a.TellPatron("alice", paused=True), ("19.4",)),
    ):
        opened, _ = play(table(), told)
        no = refusal(opened, a.PlaceWager("alice", 1, 2_500))
        assert no is not None
        assert no.clauses == clauses
        again, _ = play(opened, a.TellPatron("alice", admitted=True, paused=False))
        assert refusal(again, a.PlaceWager("alice", 1, 2_500)) is None
    excluded, _ = play(table(), a.TellPatron("alice", barred="a device", excluded=True))
    assert refusal(excluded, a.TakeSeat("alice", 1)) is not None


def test_the_book_may_speak_of_somebody_before_they_come() -> None:
    opened, _ = play(table(), a.TellPatron("alice"))
    assert not opened.players["alice"].present
    assert is_news(table(), a.TellPatron("alice"))
    assert not is_news(opened, a.TellPatron("alice"))
    assert refusal(opened, a.TellPatron("dealer")) is not None
    assert refusal(opened, a.TellPatron("alice", loss_left_cents=-1)) is not None


@clause("nsw-pontoon", "6.5", "6.5.2")
def test_a_sign_says_the_new_minimum_and_the_time() -> None:
    opened = table()
    early = a.DisplaySign(SUPERVISOR, "limits", 19, 1_000, 100_000)
    no = refusal(opened, early)
    assert no is not None
    assert no.clauses == ("6.5", "6.5.2")
    sign = a.DisplaySign(SUPERVISOR, "limits", 20, 1_000, 100_000, at_ms=1_000_000)
    assert refusal(opened, a.DisplaySign("dealer", "limits", 20, 1_000, 100_000)) is not None
    shown, events = play(opened, sign)
    assert [type(event) for event in events] == [e.SignDisplayed, e.NoticeGiven]
    assert sign_stands(shown, "limits", 1_000_000 + 20 * 60_000 - 1, 1_000) == 0
    assert sign_stands(shown, "limits", 1_000_000 + 20 * 60_000, 1_000) == 20
    assert sign_stands(shown, "limits", 1_000_000 + 25 * 60_000, 1_500) == 0  # another minimum than the sign's
    raised, _ = play(shown, a.SetLimits(SUPERVISOR, 1_000, 100_000, notice_minutes=20, keep_old_minimum=False))
    assert raised.signs == ()


@clause("nsw-pontoon", "6.5", "6.5.2")
def test_a_sign_that_is_taken_down_announces_nothing() -> None:
    opened = table()
    down = a.TakeDownSign(SUPERVISOR, "limits")
    no = refusal(opened, down)
    assert no is not None and no.text == "no such sign stands at the table."
    shown, _ = play(opened, a.DisplaySign(SUPERVISOR, "limits", 20, 1_000, 100_000, at_ms=1_000_000))
    assert refusal(shown, a.TakeDownSign("dealer", "limits")) is not None
    assert refusal(shown, a.TakeDownSign(SUPERVISOR, "closing")) is not None
    assert refusal(shown, a.TakeDownSign(SUPERVISOR, "weather")) is not None
    after, events = play(shown, down)
    assert [(type(event), event.clauses) for event in events] == [(e.SignTakenDown, ("6.5", "6.5.2", "6.5.1"))]
    assert after.signs == () and sign_stands(after, "limits", 1_000_000 + 30 * 60_000, 1_000) == 0
    closing, _ = play(shown, a.DisplaySign(SUPERVISOR, "closing", 20, at_ms=60_000))
    assert refusal(closing, a.TakeDownSign("dealer", "closing")) is not None
    left, _ = play(closing, a.TakeDownSign(SUPERVISOR, "closing"))
    assert [sign.what for sign in left.signs] == ["limits"]


@pytest.mark.parametrize(
    ("rulebook", "minutes", "key"),
    [
        pytest.param(NSW, 20, "19.13", marks=clause("nsw-pontoon", "19.13")),
        pytest.param(BJC, 20, "20.13", marks=clause("nsw-blackjack-challenge", "20.13")),
        pytest.param(ADL, 15, "121", marks=clause("adelaide-pontoon-2008", "121")),
    ],
)
def test_a_table_with_players_closes_after_a_sign(rulebook: str, minutes: int, key: str) -> None:
    no = refusal(table(rulebook), a.DisplaySign(SUPERVISOR, "closing", minutes - 1))
    assert no is not None
    assert no.clauses == (key,)
    shown, _ = play(table(rulebook), a.DisplaySign(SUPERVISOR, "closing", minutes, at_ms=60_000))
    assert sign_stands(shown, "closing", 60_000 + minutes * 60_000) == minutes
    assert refusal(shown, a.DisplaySign("dealer", "closing", minutes)) is not None
    assert refusal(shown, a.DisplaySign(SUPERVISOR, "lunch", minutes)) is not None


def test_patrons_listed_at_a_table_of_the_book_are_known() -> None:
    opened = open_table(NSW, cards=CARDS, house=house(NSW), players={"alice": Patron(), "bob": Patron(card=False)})
    assert refusal(opened, a.PlaceWager("alice", 1, 2_500)) is None
    assert refusal(opened, a.PlaceWager("bob", 1, 2_500)) is not None


@pytest.mark.parametrize(
    ("rulebook", "key"),
    [
        pytest.param(NSW, "19.13", marks=clause("nsw-pontoon", "19.13")),
        pytest.param(BJC, "20.13", marks=clause("nsw-blackjack-challenge", "20.13")),
        pytest.param(ADL, "121", marks=clause("adelaide-pontoon-2008", "121")),
        pytest.param("canberra-pontoon-2005", "16.2", marks=clause("canberra-pontoon-2005", "16.2")),
    ],
)
def test_a_dated_table_is_not_closed_under_its_players_before_its_time(rulebook: str, key: str) -> None:
    dated = table(rulebook, date=datetime.date(2026, 11, 18))
    assert refuse_closing(dated, 0) is None  # nobody is there
    assert refuse_closing(play(table(rulebook), a.TakeSeat("alice", 1))[0], 0) is None  # no gaming day, no clock
    seated, _ = play(dated, a.TakeSeat("alice", 1))
    no = refuse_closing(seated, 0)
    assert no is not None
    assert no.clauses == (key,)
    minutes = load(rulebook).patrons.close_notice_minutes.value
    shown, _ = play(seated, a.DisplaySign(SUPERVISOR, "closing", minutes, at_ms=60_000))
    assert (refuse_closing(shown, 60_000 * minutes) is None) == (minutes == 0)
    assert refuse_closing(shown, 60_000 * (minutes + 1)) is None


@clause("adelaide-pontoon-2008", "121")
def test_in_adelaide_the_call_of_the_last_rounds_stands_for_the_sign() -> None:
    seated, _ = play(table(ADL, date=datetime.date(2026, 11, 18)), a.TakeSeat("alice", 1))
    called, _ = play(seated, a.AnnounceFinalRounds(SUPERVISOR))
    assert refuse_closing(called, 0) is not None  # they are still to be played
    called.final_rounds = 0
    assert refuse_closing(called, 0) is None
