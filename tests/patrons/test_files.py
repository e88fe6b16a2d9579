"""What is written in a person's file, by whom, and by which clause."""

from __future__ import annotations

import datetime
from typing import Any

import msgspec
import pytest

from pitboss.patrons import acts as p
from pitboss.patrons import events as pe
from pitboss.patrons.acts import AnyPatronAct, PatronAct
from pitboss.patrons.engine import CHAPTERS, decide, evolve
from pitboss.patrons.gaming_day import Moment
from pitboss.patrons.stakes import SAID_BY_THE_BOOK, telling
from pitboss.patrons.state import PatronFile, card_trouble, deposit_left, loss_left
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal

NSW, ADL, ACT5, ACT2, BJC = (load(rulebook) for rulebook in RULEBOOKS[:5])
DAY = datetime.date(2026, 11, 18)
SUPERVISOR, MANAGER = "casino-supervisor", "gaming-manager"
clause = pytest.mark.clause


def at(date: datetime.date = DAY, hour: int = 12) -> Moment:
    midnight = datetime.datetime(date.year, date.month, date.day, tzinfo=datetime.UTC)
    return Moment(int(midnight.timestamp() * 1000) + hour * 3_600_000, date, date)


def do(file: PatronFile, *acts: PatronAct, book: Rulebook = NSW, now: Moment | None = None) -> PatronFile:
    for act in acts:
        decided = decide(book, file, act, now or at())
        assert not isinstance(decided, Refusal), decided
        file = evolve(file, decided)
    return file


def refused(file: PatronFile, act: PatronAct, book: Rulebook = NSW, now: Moment | None = None) -> Refusal:
    decided = decide(book, file, act, now or at())
    assert isinstance(decided, Refusal), decided
    return decided


NOBODY = PatronFile("alice")
KNOWN = do(NOBODY, p.Identify(SUPERVISOR, "passport"), p.IssueCard(SUPERVISOR, "S-1001"))


# --- player card -----------------------------------------------------------------------------------------------------


@clause("nsw-pontoon", "5.1", "19.1", "def:Player Card")
def test_a_person_nobody_has_identified_has_no_card() -> None:
    assert card_trouble(NOBODY, DAY) == "not-identified"
    assert not telling(NSW, NOBODY, "t1", at()).card
    no = refused(NOBODY, p.IssueCard(SUPERVISOR, "S-1001"))
    assert "5.1" in no.clauses
    assert telling(NSW, KNOWN, "t1", at()).card


@clause("nsw-blackjack-challenge", "5.1", "20.1", "def:Player Card")
def test_blackjack_challenge_has_the_same_card() -> None:
    known = do(NOBODY, p.Identify(SUPERVISOR, "passport"), p.IssueCard(SUPERVISOR, "S-1001"), book=BJC)
    assert telling(BJC, known, "t1", at()).card
    assert "5.1" in refused(NOBODY, p.IssueCard(SUPERVISOR, "S-1001"), BJC).clauses


@pytest.mark.parametrize(
    ("act", "trouble"),
    [
        (p.WithdrawCard(SUPERVISOR, "damaged"), "withdrawn"),
        (p.FindCardLent(SUPERVISOR, "bob"), "lent"),
    ],
)
@clause("nsw-pontoon", "19.1", "def:Player Card")
def test_a_card_withdrawn_or_lent_is_not_valid(act: PatronAct, trouble: str) -> None:
    file = do(KNOWN, act)
    assert card_trouble(file, DAY) == trouble
    assert not telling(NSW, file, "t1", at()).card
    back = p.ReturnCard(SUPERVISOR) if trouble == "lent" else p.IssueCard(SUPERVISOR, "S-1002")
    assert telling(NSW, do(file, back), "t1", at()).card


@clause("nsw-pontoon", "19.1", "def:Player Card")
def test_who_has_the_card_of_another_plays_when_it_is_back() -> None:
    why = NSW.wagers.player_card.clauses
    held = evolve(KNOWN, [pe.OthersCardHeld(why, name) for name in ("bob", "carol", "Bob")])
    assert card_trouble(held, DAY) == "others-card" and held.others_cards == ("carol", "Bob")
    back = evolve(held, [pe.OthersCardGivenBack(why, "bob"), pe.OthersCardGivenBack(why, "carol")])
    assert card_trouble(back, DAY) == ""
    assert card_trouble(do(held, p.IssueCard(SUPERVISOR, "S-1002")), DAY) == ""


@clause("nsw-pontoon", "17.22", "17.22.1", "19.3")
def test_only_what_is_staked_past_a_loss_limit_counts_as_beyond_it() -> None:
    why = NSW.wagers.loss_limit.clauses
    file = evolve(do(KNOWN, p.SetLossLimit(p.SELF, 5_000)), [pe.StakesCounted(why)])

    def staked(file: PatronFile, cents: int, decided: int = 0) -> PatronFile:
        return evolve(file, [pe.StakesMoved(why, "t1", 1, cents, decided)])

    over = staked(file, 7_000)
    assert over.over_cents == 2_000 and telling(NSW, over, "t1", at()).over_cents == 2_000
    assert staked(over, 6_000).over_cents == 1_000
    assert staked(over, 0, -7_000).over_cents == 2_000
    assert staked(over, 0, 7_000).over_cents == 0
    lowered = do(staked(file, 4_000), p.SetLossLimit(p.SELF, 1_000))
    assert lowered.over_cents == 0 and staked(lowered, 0, -4_000).over_cents == 0
    assert staked(lowered, 4_500).over_cents == 500


@clause("nsw-pontoon", "19.1", "def:Player Card")
def test_a_card_is_valid_to_its_last_day() -> None:
    last = DAY + datetime.timedelta(days=3)
    file = do(KNOWN, p.IssueCard(SUPERVISOR, "S-1002", expires=last))
    assert telling(NSW, file, "t1", at(last)).card
    assert not telling(NSW, file, "t1", at(last + datetime.timedelta(days=1))).card
    assert card_trouble(file, last + datetime.timedelta(days=1)) == "expired"
    assert "is over" in refused(KNOWN, p.IssueCard(SUPERVISOR, "S-3", expires=DAY - datetime.timedelta(1))).text


@pytest.mark.parametrize("book", [ADL, ACT5, ACT2], ids=lambda book: book.id)
def test_where_there_is_no_card_none_is_issued(book: Rulebook) -> None:
    file = do(NOBODY, p.Identify(MANAGER, "passport"), book=book)
    assert refused(file, p.IssueCard(MANAGER, "S-1"), book).clauses == book.patrons.card_by.clauses


# --- loss limits and deposit limits ----------------------------------------------------------------------------------


@clause("nsw-pontoon", "def:Loss Limit", "def:Gaming Limit", "19.3")
def test_a_player_sets_a_loss_limit_for_a_period() -> None:
    file = do(KNOWN, p.SetLossLimit("player", 10_000, "week"))
    assert loss_left(file) == 10_000
    assert file.period_start == datetime.date(2026, 11, 16)
    assert telling(NSW, file, "t1", at()).loss_left_cents == 10_000
    assert refused(KNOWN, p.SetLossLimit("dealer", 10_000)).clauses == NSW.patrons.limits_by.clauses
    assert refused(KNOWN, p.SetLossLimit("player", 10_000, "year")).clauses == NSW.patrons.loss_periods.clauses
    assert refused(NOBODY, p.SetLossLimit("player", 10_000)).clauses == NSW.patrons.limits_by.clauses
    assert refused(KNOWN, p.SetLossLimit("player", -1)).clauses == NSW.wagers.loss_limit.clauses


@clause("nsw-pontoon", "def:Loss Limit", "19.4")
@clause("nsw-blackjack-challenge", "def:Loss Limit", "20.4")
@pytest.mark.parametrize("book", [NSW, BJC], ids=lambda book: book.id)
def test_a_lower_limit_holds_at_once_and_a_higher_one_from_the_next_period(book: Rulebook) -> None:
    file = do(KNOWN, p.SetLossLimit("player", 10_000), book=book)
    file = do(file, p.SetLossLimit("player", 4_000), book=book)
    assert loss_left(file) == 4_000
    file = do(file, p.SetLossLimit("player", 50_000), book=book)
    assert loss_left(file) == 4_000
    tomorrow = at(DAY + datetime.timedelta(days=1))
    assert telling(book, file, "t1", tomorrow).loss_left_cents == 50_000
    lifted = do(file, p.SetLossLimit("player", None), book=book)
    assert loss_left(lifted) == 4_000
    assert telling(book, lifted, "t1", tomorrow).loss_left_cents is None


@clause("nsw-pontoon", "def:Deposit Limit", "def:Gaming Limit")
@clause("nsw-blackjack-challenge", "def:Deposit Limit", "def:Gaming Limit")
@pytest.mark.parametrize("book", [NSW, BJC], ids=lambda book: book.id)
def test_deposits_count_by_the_calendar_day(book: Rulebook) -> None:
    file = do(KNOWN, p.SetDepositLimit("player", 20_000), p.Deposit("dealer", 15_000), book=book)
    assert deposit_left(file) == 5_000
    no = refused(file, p.Deposit("dealer", 5_001), book)
    assert no.clauses == book.wagers.deposit_limit.clauses
    file = do(file, p.SetDepositLimit("player", 90_000), book=book)
    assert deposit_left(file) == 5_000  # more only from tomorrow
    after_midnight = Moment(at().at_ms + 13 * 3_600_000, DAY, DAY + datetime.timedelta(days=1))
    assert telling(book, file, "t1", after_midnight).deposit_left_cents == 90_000
    file = do(file, p.Deposit("dealer", 80_000), book=book, now=after_midnight)
    assert deposit_left(file) == 10_000


@clause("nsw-pontoon", "19.4")
def test_a_supervisor_has_a_player_pause_until_the_new_period() -> None:
    limited = do(KNOWN, p.SetLossLimit("player", 10_000))
    assert refused(KNOWN, p.Pause(SUPERVISOR)).clauses == ("19.4",)
    assert refused(limited, p.Pause("dealer")).clauses == ("19.4",)
    paused = do(limited, p.Pause(SUPERVISOR))
    assert telling(NSW, paused, "t1", at()).paused is True
    assert telling(NSW, do(paused, p.Resume(SUPERVISOR)), "t1", at()).paused is False


@pytest.mark.parametrize(
    ("book", "what", "key"),
    [
        pytest.param(NSW, "bought", "19.2.1", marks=clause("nsw-pontoon", "19.2.1")),
        pytest.param(NSW, "brought", "19.2.2", marks=clause("nsw-pontoon", "19.2.2")),
        pytest.param(NSW, "left", "19.2.3", marks=clause("nsw-pontoon", "19.2.3")),
        pytest.param(BJC, "bought", "20.2.1", marks=clause("nsw-blackjack-challenge", "20.2.1")),
        pytest.param(BJC, "brought", "20.2.2", marks=clause("nsw-blackjack-challenge", "20.2.2")),
        pytest.param(BJC, "left", "20.2.3", marks=clause("nsw-blackjack-challenge", "20.2.3")),
    ],
)
def test_chips_are_declared_to_the_dealer(book: Rulebook, what: str, key: str) -> None:
    decided = decide(book, KNOWN, p.DeclareChips("player", "t1", what, 7_500), at())
    assert not isinstance(decided, Refusal)
    assert [event.clauses for event in decided] == [(key,)]
    assert evolve(KNOWN, decided).declared == {"t1": {what: 7_500}}
    assert isinstance(decide(book, KNOWN, p.DeclareChips("player", "t1", "found", 7_500), at()), Refusal)


# --- what the house allows and forbids -------------------------------------------------------------------------------


@clause("nsw-pontoon", "5.13")
def test_a_gaming_manager_holds_a_player_to_one_box_at_all_tables() -> None:
    act = p.RestrictPatron(MANAGER, "one-box", "play too good", notified=True)
    assert refused(KNOWN, msgspec.structs.replace(act, by=SUPERVISOR)).clauses == ("5.13",)
    assert "inspector" in refused(KNOWN, msgspec.structs.replace(act, notified=False)).text
    assert "why" in refused(KNOWN, msgspec.structs.replace(act, why=" ")).text
    file = do(KNOWN, act)
    assert {telling(NSW, file, table, at()).restriction for table in ("t1", "t2")} == {"one-box"}
    assert telling(BJC, file, "t3", at()).restriction == ""
    lift = p.LiftPatronRestriction(MANAGER, "one-box")
    assert telling(NSW, do(file, lift), "t1", at()).restriction == "none"
    assert refused(do(file, lift), lift).clauses == ("5.13",)


@clause("nsw-pontoon", "5.12")
def test_a_restriction_holds_where_and_until_it_says() -> None:
    until = DAY + datetime.timedelta(days=7)
    act = p.RestrictPatron(MANAGER, "all-further-shoes", "let rounds pass", "t1", until, notified=True)
    file = do(KNOWN, act)
    assert telling(NSW, file, "t1", at()).restriction == "all-further-shoes"
    assert telling(NSW, file, "t2", at()).restriction == ""
    assert telling(NSW, file, "t1", at(until)).restriction == "all-further-shoes"
    assert telling(NSW, file, "t1", at(until + datetime.timedelta(days=1))).restriction == "none"
    assert "late-entry" in refused(KNOWN, p.RestrictPatron(MANAGER, "late-entry", "late")).text


@clause("adelaide-pontoon-2008", "13(a)", "1(g):def:Recognised Player")
def test_a_recognised_player_is_known_at_every_table() -> None:
    act = p.RestrictPatron(SUPERVISOR, "recognised-player", "counts", notified=True)
    assert "13(a)" in refused(NOBODY, act, ADL).clauses
    recognised = do(NOBODY, p.Recognise(MANAGER, "another casino told us"), book=ADL)
    assert telling(ADL, recognised, "t1", at()).recognised
    assert telling(ADL, do(recognised, act, book=ADL), "t1", at()).restriction == "recognised-player"
    assert refused(NOBODY, p.Recognise(SUPERVISOR, "counts"), ADL).clauses == ADL.patrons.recognised_by.clauses


@clause("adelaide-pontoon-2008", "81(a)")
def test_covering_splits_goes_with_the_person() -> None:
    file = do(
        NOBODY,
        p.Recognise(MANAGER, "collusion"),
        p.RestrictPatron(SUPERVISOR, "cover-splits", "one bankroll", notified=True),
        book=ADL,
    )
    told = telling(ADL, file, "t1", at())
    assert (told.cover_splits, told.restriction) == (True, "")
    lifted = do(file, p.LiftPatronRestriction(SUPERVISOR, "cover-splits"), book=ADL)
    assert telling(ADL, lifted, "t1", at()).cover_splits is False


@clause("canberra-pontoon-2005", "4.9")
def test_who_was_restricted_before_may_be_restricted_again() -> None:
    again = [row for row in ACT5.limits.restrictions.value if row.condition == "restricted-before"]
    assert again
    file = do(NOBODY, p.RestrictPatron(SUPERVISOR, "one-box", "tracked", notified=True), book=ACT5)
    assert telling(ACT5, file, "t1", at()).restricted_before


@clause("nsw-pontoon", "6.6")
def test_a_maximum_of_ones_own_is_for_one_table() -> None:
    act = p.AllowMaximum(SUPERVISOR, "t1", 500_000, 10_000)
    assert refused(KNOWN, msgspec.structs.replace(act, table="*")).clauses == ("6.6",)
    assert refused(KNOWN, msgspec.structs.replace(act, by="dealer")).clauses == ("6.6",)
    file = do(KNOWN, act)
    assert telling(NSW, file, "t1", at()).maximum_cents == 500_000
    assert telling(NSW, file, "t2", at()).maximum_cents is None
    assert telling(NSW, do(file, p.AllowMaximum(SUPERVISOR, "t1", 0)), "t1", at()).maximum_cents == 0


@clause("nsw-pontoon", "19.8.2", "19.8.3")
@clause("nsw-blackjack-challenge", "20.8.2", "20.8.3")
@pytest.mark.parametrize(("book", "other"), [(NSW, BJC), (BJC, NSW)], ids=["nsw", "bjc"])
def test_exclusion_is_from_the_game_or_from_the_casino(book: Rulebook, other: Rulebook) -> None:
    game = do(KNOWN, p.Exclude(SUPERVISOR, "a device", "game"), book=book)
    assert telling(book, game, "t1", at()).barred == SAID_BY_THE_BOOK
    assert telling(other, game, "t2", at()).barred == ""
    casino = do(KNOWN, p.Exclude(SUPERVISOR, "a device"), book=book)
    assert all(telling(each, casino, "t1", at()).excluded for each in (book, other))
    assert refused(KNOWN, p.Exclude("dealer", "a device"), book).clauses == book.patrons.excluded_by.clauses
    back = do(casino, p.Admit(SUPERVISOR), book=other)
    assert telling(book, back, "t1", at()).admitted
    assert not telling(book, back, "t1", at()).barred
    assert refused(back, p.Admit(SUPERVISOR), book).clauses == book.patrons.excluded_by.clauses


@clause("nsw-pontoon", "def:Proxy Betting", "19.20")
@clause("nsw-blackjack-challenge", "def:Proxy Betting", "20.20")
@pytest.mark.parametrize("book", [NSW, BJC], ids=lambda book: book.id)
def test_only_a_helper_by_hand_may_place_wagers_for_a_player(book: Rulebook) -> None:
    helped = do(KNOWN, p.NameHelper("dealer", "bob", present=True, unpaid=True), book=book)
    assert helped.helper == "bob"
    own = p.NameHelper("dealer", "Alice", present=True, unpaid=True)
    for act in (own, p.NameHelper("dealer", "bob"), p.NameHelper("dealer", "bob", present=True)):
        assert "def:Proxy Betting" in refused(KNOWN, act, book).clauses
    assert "alice" not in do(helped, p.NameHelper("dealer", ""), book=book).helper


# --- what holds for every act ----------------------------------------------------------------------------------------

EVERY: tuple[PatronAct, ...] = (
    p.Identify(MANAGER, "passport"),
    p.IssueCard(MANAGER, "S-1"),
    p.WithdrawCard(MANAGER, "lost"),
    p.FindCardLent(MANAGER, "bob"),
    p.ReturnCard(MANAGER),
    p.SetLossLimit("player", 10_000),
    p.SetDepositLimit("player", 10_000),
    p.Deposit("dealer", 5_000),
    p.DeclareChips("player", "t1", "brought", 5_000),
    p.Pause(MANAGER),
    p.Resume(MANAGER),
    p.AllowMaximum(MANAGER, "t1", 500_000),
    p.RestrictPatron(MANAGER, "one-box", "why", notified=True),
    p.LiftPatronRestriction(MANAGER, "one-box"),
    p.Exclude(MANAGER, "why"),
    p.Admit(MANAGER),
    p.Recognise(MANAGER, "why"),
    p.NameHelper("dealer", "bob", present=True, unpaid=True),
)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_act_is_answered_with_clauses_of_the_register(rulebook: str) -> None:
    """One after the other on one file: decided or refused, always by a clause, and it goes to JSON and back."""
    assert {type(act) for act in EVERY} == set(CHAPTERS)
    book, file, keys = load(rulebook), NOBODY, set(register(rulebook))
    for act in EVERY:
        again = msgspec.json.decode(msgspec.json.encode(act), type=AnyPatronAct)
        assert again == act
        decided = decide(book, file, act, at())
        if isinstance(decided, Refusal):
            assert set(decided.clauses) <= keys
            assert decided.clauses
            continue
        assert decided
        for event in decided:
            assert event.clauses
            assert set(event.clauses) <= keys
            assert msgspec.json.decode(msgspec.json.encode(event), type=pe.AnyPatronEvent) == event
        file = evolve(file, decided)


@pytest.mark.parametrize("act", EVERY, ids=lambda act: type(act).__name__)
def test_nobody_from_outside_the_house_writes_in_a_file(act: Any) -> None:
    """An inspector looks; only a player's own limits and declarations are for the player."""
    for role in ("inspector", "nobody", ""):
        assert isinstance(decide(NSW, KNOWN, msgspec.structs.replace(act, by=role), at()), Refusal)
    mine = (p.SetLossLimit, p.SetDepositLimit, p.Deposit, p.DeclareChips)
    by_player = decide(NSW, KNOWN, msgspec.structs.replace(act, by="player"), at())
    assert isinstance(by_player, Refusal) != isinstance(act, mine)


def test_a_text_is_one_short_line() -> None:
    assert isinstance(decide(NSW, KNOWN, p.Exclude(MANAGER, "a\nb"), at()), Refusal)
    assert isinstance(decide(NSW, KNOWN, p.Exclude(MANAGER, "x" * 201), at()), Refusal)
