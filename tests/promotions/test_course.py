"""A promotion from the filing of its terms to the last claim: what is due until when, and what the rules refuse."""

from __future__ import annotations

import datetime
from typing import Any

import msgspec
import pytest

from pitboss.chance import shuffled
from pitboss.ledger import Ledger
from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.acts import MANAGER, PLAYER
from pitboss.promotions.drawing import digest_of, seed_of
from pitboss.promotions.engine import decide
from pitboss.promotions.state import due
from pitboss.table.acts import Deal, IssueTokens, PlaceWager, Stand
from pitboss.table.engine import open_table, play
from pitboss.table.refusals import Refusal
from tests.promotions.making import (
    BOTH,
    CHALLENGE,
    NSW,
    SECRET,
    Running,
    at,
    clause,
    data_of,
    prize,
    replayed,
    terms_of,
    utc,
)

ONE_DRAW: dict[str, Any] = {"prizes": [prize("travel", value=5000, alternative=True), prize("goods", value=90)]}
HOURS = datetime.timedelta(hours=1)


# --- filing, publishing, beginning -----------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.9", "21.13")
@pytest.mark.clause("nsw-blackjack-challenge", "22.12")
@pytest.mark.parametrize("rulebook", BOTH)
def test_the_terms_are_filed_24_hours_before_the_promotion_begins(rulebook: str) -> None:
    running = Running(terms_of(rulebook)).offer()
    duty = running.due()["file/1"]
    assert duty.due == utc("2027-02-27T23:00:00"), "24 hours before 10:00 AEDT on 1 March"
    assert set(duty.clauses) == ({"21.9", "21.13"} if rulebook == NSW else {"22.12"})
    assert (duty.who, duty.to) == ("casino operator", "the Authority" if rulebook == NSW else "the NICC")
    running.does(pa.PublishTerms(MANAGER, at("02-21 10:00"), "desk"))
    begin = pa.BeginPromotion(MANAGER, at("03-01 10:00"))
    refused = running.refused(begin)
    assert set(refused.clauses) == set(duty.clauses) and "were not sent" in refused.text
    running.refused(pa.FileTerms("dealer", at("02-28 10:00"), "x"), "1")
    running.refused(pa.FileTerms(MANAGER, at("02-28 10:00"), " "))
    running.does(pa.FileTerms(MANAGER, at("02-28 10:00"), "NICC-77"))
    assert "file/1" not in running.due() and not running.state.duties["file/1"].late
    running.refused(pa.FileTerms(MANAGER, at("02-28 11:00"), "NICC-78"))
    running.does(begin)
    assert running.state.status == "running"


@pytest.mark.clause("nsw-pontoon", "21.9", "21.13")
@pytest.mark.clause("nsw-blackjack-challenge", "22.12")
@pytest.mark.parametrize("rulebook", BOTH)
def test_terms_that_are_filed_late_put_the_beginning_off(rulebook: str) -> None:
    running = Running(terms_of(rulebook)).offer()
    running.does(pa.PublishTerms(MANAGER, at("02-21 10:00"), "desk"))
    running.does(pa.FileTerms(MANAGER, at("02-28 10:01"), "NICC-77"))
    assert running.state.duties["file/1"].late
    refused = running.refused(pa.BeginPromotion(MANAGER, at("03-01 10:00")))
    assert "it may begin on Mon 01 Mar 2027, 10:01 AEDT" in refused.text
    running.does(pa.BeginPromotion(MANAGER, at("03-01 10:01")))


@pytest.mark.clause("nsw-pontoon", "21.9", "21.13")
@pytest.mark.clause("nsw-blackjack-challenge", "22.12")
@pytest.mark.parametrize(
    ("begins", "too_late", "in_time"),
    [
        # the clocks are put back at 03:00 on 4 April: the day has 25 hours
        ("2027-04-04T10:00:00", "2027-04-03T11:01:00", "2027-04-03T11:00:00"),
        # they are put forward at 02:00 on 3 October: the day has 23 hours
        ("2027-10-03T10:00:00", "2027-10-02T09:01:00", "2027-10-02T09:00:00"),
        # 02:30 is shown twice, and the first is meant
        ("2027-04-04T02:30:00", "2027-04-03T02:31:00", "2027-04-03T02:30:00"),
    ],
)
@pytest.mark.parametrize("rulebook", BOTH)
def test_24_hours_are_hours_that_pass_whatever_the_clocks_do(
    rulebook: str, begins: str, too_late: str, in_time: str
) -> None:
    start = datetime.datetime.fromisoformat(begins)
    period = {"begins": start, "ends": start + 100 * 24 * HOURS, "place": "here"}
    draws = [{"name": "final", "at": start + 48 * HOURS, "closes": start + 47 * HOURS, "place": "here"}]
    for filed, late in ((in_time, False), (too_late, True)):
        running = Running(terms_of(rulebook, promotion=period, draws=draws)).offer()
        moment = datetime.datetime.fromisoformat(filed)
        running.does(pa.PublishTerms(MANAGER, moment, "desk"))
        running.does(pa.FileTerms(MANAGER, moment, "NICC-77"))
        assert running.state.duties["file/1"].late is late
        begun = running.tries(pa.BeginPromotion(MANAGER, start))
        assert isinstance(begun, Refusal) is late


@pytest.mark.clause("nsw-pontoon", "21.6")
@pytest.mark.clause("nsw-blackjack-challenge", "22.6")
@pytest.mark.parametrize("rulebook", BOTH)
def test_terms_are_at_hand_and_marketing_refers_to_them(rulebook: str) -> None:
    running = Running(terms_of(rulebook)).offer()
    assert running.due()["publish"].clauses == (clause(rulebook, "6"),)
    assert running.due()["publish"].due == utc("2027-02-28T23:00:00")
    running.does(pa.FileTerms(MANAGER, at("02-25 10:00"), "NICC-77"))
    running.refused(pa.BeginPromotion(MANAGER, at("03-01 10:00")), "6")
    running.refused(pa.PublishTerms(MANAGER, at("03-01 10:00"), ""), "6")
    running.refused(pa.ApproveMarketing(MANAGER, at("03-01 10:00"), "poster", refers=False), "6")
    running.refused(pa.ApproveMarketing(MANAGER, at("03-01 10:00"), "", refers=True), "6")
    running.does(pa.ApproveMarketing(MANAGER, at("03-01 10:00"), "poster with a link", refers=True))
    assert running.state.marketing == ("poster with a link",)
    running.does(pa.PublishTerms(MANAGER, at("03-01 10:00"), "website"))
    running.does(pa.BeginPromotion(MANAGER, at("03-01 10:00")))


@pytest.mark.clause("nsw-pontoon", "21.7.7")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.7")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_promotion_begins_and_ends_when_its_terms_say(rulebook: str) -> None:
    running = Running(terms_of(rulebook, **ONE_DRAW)).offer()
    running.does(pa.FileTerms(MANAGER, at("02-25 10:00"), "NICC-77"))
    running.does(pa.PublishTerms(MANAGER, at("02-25 10:00"), "desk"))
    running.refused(pa.Enter(PLAYER, at("02-26 10:00"), "alice", 1, 5000), "7.7")
    running.refused(pa.BeginPromotion(MANAGER, at("03-01 09:59")), "7.7")
    running.does(pa.BeginPromotion(MANAGER, at("03-01 10:00")))
    running.refused(pa.BeginPromotion(MANAGER, at("03-01 10:01")), "7.7")
    running.commit().draw()
    running.refused(pa.EndPromotion(MANAGER, at("04-30 23:00")), "7.10")
    running.does(pa.PublishResults(MANAGER, at("04-11 10:00"), "final", "website"))
    running.refused(pa.EndPromotion(MANAGER, at("04-30 22:59")), "7.7")
    running.does(pa.EndPromotion(MANAGER, at("04-30 23:00")))
    running.refused(pa.Enter(PLAYER, at("05-01 10:00"), "alice", 1, 5000), "1")
    replayed(running)


# --- amendments ------------------------------------------------------------------------------------------------------


def with_more_time(rulebook: str) -> Any:
    draws = data_of(rulebook)["draws"]
    return terms_of(rulebook, draws=[{**draws[0], "closes": at("04-10 19:00")}])


@pytest.mark.clause("nsw-pontoon", "21.9.1", "21.13.1")
def test_terms_that_change_after_the_beginning_are_approved_and_filed_again() -> None:
    running = Running(terms_of(NSW)).begin()
    amended = with_more_time(NSW)
    refused = running.refused(pa.AmendTerms(MANAGER, at("03-05 10:00"), amended))
    assert refused.clauses == ("21.9.1",) and "the Authority approves" in refused.text
    running.refused(pa.AmendTerms(MANAGER, at("03-05 10:00"), running.conditions, "letter of 4 March"), "13.1")
    (event, *_) = running.does(pa.AmendTerms(MANAGER, at("03-05 10:00"), amended, "letter of 4 March"))
    assert isinstance(event, pe.TermsAmended) and event.keys == ("draws.final",)
    assert event.clauses == ("21.9.1", "21.13.1")
    duty = running.due()["file/2"]
    assert (duty.due, duty.clauses) == (None, ("21.13.1",)) and "again" in duty.what
    assert running.due()["publish"].due is None, "the new terms are put up too"
    running.does(pa.FileTerms(MANAGER, at("03-05 11:00"), "NICC-80"))
    assert "file/2" not in running.due()
    assert running.state.draws["final"].closes == utc("2027-04-10T09:00:00")
    replayed(running)


@pytest.mark.clause("nsw-blackjack-challenge", "22.12.1")
def test_in_blackjack_challenge_amended_terms_are_only_filed_again() -> None:
    running = Running(terms_of(CHALLENGE)).begin()
    running.does(pa.AmendTerms(MANAGER, at("03-05 10:00"), with_more_time(CHALLENGE)))
    duty = running.due()["file/2"]
    assert (duty.due, duty.clauses, duty.to) == (None, ("22.12.1",), "the NICC")
    running.does(pa.FileTerms(MANAGER, at("03-05 11:00"), "NICC-80"))
    assert "file/2" not in running.due()


@pytest.mark.parametrize("rulebook", BOTH)
def test_terms_that_change_before_the_beginning_are_filed_24_hours_ahead_again(rulebook: str) -> None:
    running = Running(terms_of(rulebook)).offer()
    running.does(pa.FileTerms(MANAGER, at("02-21 10:00"), "NICC-77"))
    running.does(pa.PublishTerms(MANAGER, at("02-21 10:00"), "desk"))
    running.does(pa.AmendTerms(MANAGER, at("02-28 12:00"), with_more_time(rulebook)))
    assert running.due()["file/2"].due == utc("2027-02-27T23:00:00")
    assert running.due()["file/2"].overdue(utc("2027-02-28T01:00:00"))
    running.refused(pa.BeginPromotion(MANAGER, at("03-01 10:00")))
    running.does(pa.PublishTerms(MANAGER, at("03-01 10:00"), "desk"))
    running.does(pa.FileTerms(MANAGER, at("03-01 10:00"), "NICC-78"))
    running.refused(pa.BeginPromotion(MANAGER, at("03-02 09:59")))
    running.does(pa.BeginPromotion(MANAGER, at("03-02 10:00")))


def test_amended_terms_are_whole_and_leave_what_happened_as_it_was() -> None:
    running = Running(terms_of(NSW, **ONE_DRAW)).begin().enter("alice", "bob", "carol").commit().draw()
    letter = "letter of 4 April"
    less = msgspec.structs.replace(running.conditions, available=())
    running.refused(pa.AmendTerms(MANAGER, at("04-11 10:00"), less, letter), "6")
    cash = terms_of(NSW, prizes=[*ONE_DRAW["prizes"], prize("cash")])
    running.refused(pa.AmendTerms(MANAGER, at("04-11 10:00"), cash, letter), "4")
    other = terms_of(NSW, prizes=[prize("travel", value=10)])
    refused = running.refused(pa.AmendTerms(MANAGER, at("04-11 10:00"), other, letter))
    assert "draw final is made" in refused.text
    sooner = terms_of(NSW, **ONE_DRAW, promotion__begins=at("02-28 10:00"))
    assert "has begun" in running.refused(pa.AmendTerms(MANAGER, at("04-11 10:00"), sooner, letter)).text
    foreign = terms_of(CHALLENGE, **ONE_DRAW)
    assert "other rules" in running.refused(pa.AmendTerms(MANAGER, at("04-11 10:00"), foreign, letter)).text
    longer = terms_of(NSW, **ONE_DRAW, promotion__ends=at("05-30 10:00"))
    (event, *_) = running.does(pa.AmendTerms(MANAGER, at("04-11 10:00"), longer, letter))
    assert isinstance(event, pe.TermsAmended) and event.keys == ("promotion.ends",)


# --- entries ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.7.3", "21.7.4", "21.7.6")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.3", "22.7.4", "22.7.6")
@pytest.mark.parametrize("rulebook", BOTH)
def test_only_eligible_entries_are_received_and_only_in_time(rulebook: str) -> None:
    running = Running(terms_of(rulebook, entry__each=3)).begin()
    day = at("03-02 12:00")
    running.refused(pa.Enter(PLAYER, day, "alice", 1, 5000, eligible=False), "7.3")
    running.refused(pa.Enter(PLAYER, day, "9lives", 1, 5000), "7.3")
    running.refused(pa.Enter(PLAYER, day, "alice", 0), "7.3")
    running.refused(pa.Enter(PLAYER, day, "alice", 1, 4999), "7.4")
    running.refused(pa.Enter(PLAYER, day, "alice", 2, 9999), "7.4")
    running.does(pa.Enter(PLAYER, day, "alice", 2, 10000))
    running.refused(pa.Enter(PLAYER, day, "alice", 2, 10000), "7.3")
    running.does(pa.Enter("dealer", day, "alice", 1, 5000))
    running.does(pa.Enter(PLAYER, at("04-10 18:00"), "bob", 1, 5000))
    running.refused(pa.Enter(PLAYER, at("04-10 18:01"), "carol", 1, 5000), "7.6")
    assert running.state.entries_in("final") == ("alice#1", "alice#2", "alice#3", "bob#4")
    running.refused(pa.StrikeEntry(MANAGER, at("04-10 18:02"), "alice", ""), "7.3")
    running.refused(pa.StrikeEntry(MANAGER, at("04-10 18:02"), "zoe", "staff"), "7.3")
    running.does(pa.StrikeEntry(MANAGER, at("04-10 18:02"), "alice", "a member of staff"))
    assert running.state.entries_in("final") == ("bob#4",)


def test_an_entry_is_in_every_draw_that_closes_after_it() -> None:
    draws = [
        {"name": name, "at": at(f"{day} 20:00"), "closes": at(f"{day} 18:00"), "place": "here"}
        for name, day in (("first", "03-10"), ("second", "03-20"))
    ]
    prizes = [prize("goods", name=f"set-{name}", draw=name) for name in ("first", "second")]
    running = Running(terms_of(NSW, draws=draws, prizes=prizes)).begin().enter("alice")
    running.enter("bob", when="03-11 12:00")
    assert running.state.entries_in("first") == ("alice#1",)
    assert running.state.entries_in("second") == ("alice#1", "bob#2")
    running.does(pa.StrikeEntry(MANAGER, at("03-12 10:00"), "alice", "staff"))
    refused = running.refused(pa.Enter(PLAYER, at("03-12 12:00"), "alice", 1, 5000), "7.3")
    assert "struck" in refused.text


# --- the draw --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.2")
@pytest.mark.clause("nsw-blackjack-challenge", "22.2")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_scrutineer_oversees_a_draw_with_a_prize_above_10000(rulebook: str) -> None:
    just = Running(terms_of(rulebook, prizes=[prize("goods", value=10000, count=5)])).offer()
    assert "scrutineer" not in just.due(), "five prizes of $10,000 are none above it"
    just.state = just.state.__class__()
    just.begin().enter("alice").commit().draw()

    running = Running(terms_of(rulebook, prizes=[prize("goods", value="10000.01")])).begin().enter("alice").commit()
    duty = running.due()["scrutineer"]
    assert (duty.due, duty.clauses) == (utc("2027-04-10T10:00:00"), (clause(rulebook, "2"),))
    act = pa.DrawWinners(MANAGER, at("04-10 20:00"), "final", SECRET)
    running.refused(act, "2")
    running.refused(pa.NominateScrutineer(MANAGER, at("04-10 19:00"), ""), "2")
    running.does(pa.NominateScrutineer(MANAGER, at("04-10 19:00"), "Ms Lee"))
    assert "scrutineer" not in running.due()
    running.refused(act, "2")
    running.refused(msgspec.structs.replace(act, scrutineer="Mr Roe"), "2")
    events = running.does(msgspec.structs.replace(act, scrutineer="Ms Lee"))
    assert clause(rulebook, "2") in events[0].clauses


def test_a_scrutineer_in_the_terms_is_nominated_with_them_and_one_more_prize_asks_for_one() -> None:
    named = Running(terms_of(NSW, scrutineer="Ms Lee")).offer()
    assert named.state.scrutineer == "Ms Lee" and "scrutineer" not in named.due()
    small = Running(terms_of(NSW, **ONE_DRAW)).begin()
    large = terms_of(NSW, prizes=[*ONE_DRAW["prizes"], prize("vehicle", value=20000)])
    small.does(pa.AmendTerms(MANAGER, at("03-05 10:00"), large, "letter"))
    assert "scrutineer" in small.due()
    small.does(pa.AmendTerms(MANAGER, at("03-06 10:00"), terms_of(NSW, **ONE_DRAW), "letter"))
    assert "scrutineer" not in small.due() and small.state.duties["scrutineer"].lapsed


@pytest.mark.clause("nsw-pontoon", "21.7.1", "21.7.2")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.1", "22.7.2")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_draw_is_laid_down_before_entries_close_and_anybody_can_draw_again(rulebook: str) -> None:
    running = Running(terms_of(rulebook, **ONE_DRAW)).begin().enter("alice", "bob", "carol", entries=3)
    draw = pa.DrawWinners(MANAGER, at("04-10 20:00"), "final", SECRET)
    running.refused(draw, "7.1")
    running.refused(pa.CommitDraw(MANAGER, at("03-03 12:00"), "other", digest_of(SECRET)), "7.2")
    running.refused(pa.CommitDraw(MANAGER, at("03-03 12:00"), "final", "0" * 63), "7.1")
    running.commit()
    running.refused(pa.CommitDraw(MANAGER, at("03-04 12:00"), "final", digest_of("another")), "7.1")
    running.refused(msgspec.structs.replace(draw, at=at("04-10 19:59")), "7.2")
    running.refused(msgspec.structs.replace(draw, secret="another"), "7.1")
    entries = running.state.entries_in("final")
    running.refused(msgspec.structs.replace(draw, order=entries[1:]), "7.1")
    running.refused(msgspec.structs.replace(draw, order=(*entries[1:], entries[1])), "7.1")
    running.does(draw)
    running.refused(draw, "7.2")
    (made,) = running.told(pe.DrawMade)
    order = shuffled(entries, seed_of(SECRET, "", "final", entries))
    names = list(dict.fromkeys(entry.rpartition("#")[0] for entry in order))
    assert [running.winner("travel"), running.winner("goods")] == names[:2] and made.drawn == tuple(names[:2])
    assert digest_of(made.secret) == running.told(pe.DrawCommitted)[0].digest
    replayed(running)


def test_where_the_entries_could_be_known_somebody_else_says_a_word() -> None:
    later = terms_of(NSW, **ONE_DRAW, promotion__ends=at("05-30 10:00"))
    for disturb in (
        lambda run: run.commit(when="04-10 18:01"),
        lambda run: run.commit().does(pa.StrikeEntry(MANAGER, at("04-10 18:30"), "carol", "staff")),
        lambda run: run.commit().does(pa.AmendTerms(MANAGER, at("04-05 10:00"), later, "letter")),
    ):
        running = Running(terms_of(NSW, **ONE_DRAW)).begin().enter("alice", "bob", "carol")
        disturb(running)
        draw = pa.DrawWinners(MANAGER, at("04-10 20:00"), "final", SECRET)
        assert "somebody else says a word" in running.refused(draw, "7.1").text
        entries = running.state.entries_in("final")
        running.does(msgspec.structs.replace(draw, word="kookaburra"))
        order = shuffled(entries, seed_of(SECRET, "kookaburra", "final", entries))
        assert running.winner("travel") == order[0].rpartition("#")[0]


@pytest.mark.clause("nsw-pontoon", "21.7.8")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.8")
@pytest.mark.parametrize("rulebook", BOTH)
def test_where_entrants_must_be_there_only_those_who_are_win(rulebook: str) -> None:
    running = Running(terms_of(rulebook, **ONE_DRAW, claim__present=True)).begin()
    running.enter("alice", "bob", "carol").commit().draw(present=("carol",))
    assert running.winner("travel") == "carol" and "goods" not in running.state.wins
    assert {event.name for event in running.told(pe.EntryPassedOver)} == {"alice", "bob"}
    assert [event.prize for event in running.told(pe.PrizeNotWon)] == ["goods"]
    assert not any(key.startswith("tell/") for key in running.state.duties), "who is there knows it"
    assert running.state.wins["travel"].told


def test_nobody_wins_twice_in_a_draw_and_a_draw_without_entries_has_no_winner() -> None:
    running = Running(terms_of(NSW, **ONE_DRAW)).begin().enter("alice", entries=3).commit().draw()
    assert list(running.state.wins) == ["travel"]
    nobody = Running(terms_of(NSW, **ONE_DRAW)).begin().commit().draw()
    assert nobody.state.wins == {} and len(nobody.told(pe.PrizeNotWon)) == 2


def test_every_entry_has_the_same_chance() -> None:
    """Alice has three entries of six: she wins the one prize in half of the draws."""
    won = 0
    for number in range(400):
        entries = ("alice#1", "alice#2", "alice#3", "bob#4", "bob#5", "carol#6")
        won += shuffled(entries, seed_of(f"secret {number}", "", "final", entries))[0].startswith("alice")
    assert 160 < won < 240  # four standard deviations of ten


# --- telling winners -------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.8", "21.8.1", "21.8.2", "21.8.3", "21.8.4")
@pytest.mark.clause("nsw-blackjack-challenge", "22.8", "22.8.1", "22.8.2", "22.8.3", "22.8.4")
@pytest.mark.parametrize(
    ("method", "below"), [("face-to-face", "8.1"), ("mail", "8.2"), ("telephone", "8.3"), ("email", "8.4")]
)
@pytest.mark.parametrize("rulebook", BOTH)
def test_absent_winners_are_told_within_two_days_by_a_listed_method(rulebook: str, method: str, below: str) -> None:
    running = Running(terms_of(rulebook, **ONE_DRAW)).begin().enter("alice", "bob", "carol").commit().draw()
    name = running.winner("travel")
    duty = running.due()["tell/travel"]
    assert (duty.due, duty.clauses, duty.to) == (utc("2027-04-12T10:00:00"), (clause(rulebook, "8"),), name)
    tell = pa.TellWinner("dealer", at("04-11 10:00"), name, "travel", method)
    running.refused(msgspec.structs.replace(tell, method="pigeon"), "8")
    running.refused(msgspec.structs.replace(tell, name="zoe"), "8")
    running.refused(msgspec.structs.replace(tell, by=PLAYER), "1")
    (tried,) = running.does(msgspec.structs.replace(tell, reached=False))
    assert clause(rulebook, below) in tried.clauses and "tell/travel" in running.due()
    assert running.state.wins["travel"].attempts == 1
    (told, met) = running.does(tell)
    assert clause(rulebook, below) in told.clauses and isinstance(met, pe.DutyMet) and not met.late
    assert "tell/travel" not in running.due()
    running.refused(tell, "8")
    other = running.winner("goods")
    assert running.due()["tell/goods"].overdue(utc("2027-04-12T10:00:01"))
    (late, _) = running.does(pa.TellWinner(MANAGER, at("04-12 20:01"), other, "goods", method))
    assert isinstance(late, pe.WinnerTold) and late.late and running.state.duties["tell/goods"].late


@pytest.mark.clause("nsw-pontoon", "21.8")
@pytest.mark.clause("nsw-blackjack-challenge", "22.8")
@pytest.mark.parametrize(
    ("held", "until"),
    [
        ("2027-04-03T20:00:00", "2027-04-05T10:00:00"),  # 49 hours: the clocks are put back in between
        ("2027-10-02T20:00:00", "2027-10-04T09:00:00"),  # 47 hours: they are put forward
        ("2027-10-01T02:30:00", "2027-10-02T16:30:00"),  # the clocks skip 02:30 two days later: 03:30, 48 hours later
    ],
)
@pytest.mark.parametrize("rulebook", BOTH)
def test_two_days_are_days_of_the_houses_clocks(rulebook: str, held: str, until: str) -> None:
    moment = datetime.datetime.fromisoformat(held)
    draws = [{"name": "final", "at": moment, "closes": moment, "place": "here"}]
    conditions = terms_of(rulebook, **ONE_DRAW, draws=draws, promotion__ends=at("12-01 10:00"))
    running = Running(conditions).begin().enter("alice").commit()
    running.does(pa.DrawWinners(MANAGER, moment, "final", SECRET))
    assert running.due()["tell/travel"].due == utc(until)


@pytest.mark.clause("nsw-pontoon", "21.7.9", "21.7.10")
@pytest.mark.clause("nsw-blackjack-challenge", "22.7.9", "22.7.10")
@pytest.mark.parametrize("rulebook", BOTH)
def test_winners_who_are_there_know_it_and_results_are_published(rulebook: str) -> None:
    running = Running(terms_of(rulebook, **ONE_DRAW)).begin().enter("alice", "bob").commit()
    running.refused(pa.PublishResults(MANAGER, at("04-01 10:00"), "final", "website"), "7.10")
    running.draw(present=("alice", "bob"))
    assert not any(key.startswith("tell/") for key in running.due())
    told = running.told(pe.WinnerTold)
    assert len(told) == 2 and all(clause(rulebook, "7.9") in each.clauses for each in told)
    assert running.due()["results/final"].clauses == (clause(rulebook, "7.10"),)
    running.refused(pa.PublishResults(MANAGER, at("04-11 10:00"), "final", ""), "7.10")
    running.does(pa.PublishResults(MANAGER, at("04-11 10:00"), "final", "website"))
    assert "results/final" not in running.due()


# --- prizes and claims -----------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.3", "21.4")
@pytest.mark.clause("nsw-blackjack-challenge", "22.3", "22.4")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_winner_has_the_prize_or_its_value_and_never_cash(rulebook: str) -> None:
    prizes = [
        prize("travel", value=5000, alternative=True), prize("goods"), prize("casino-dollars"), prize("money"),
    ]  # fmt: skip
    running = Running(terms_of(rulebook, prizes=prizes)).begin().enter("alice", "bob", "carol", "dora").commit().draw()
    day = at("04-11 10:00")

    def award(name: str, **more: Any) -> pa.AwardPrize:
        return pa.AwardPrize(MANAGER, day, running.winner(name), name, **more)

    running.refused(award("travel", form="value", paid_by="cash"), "4")
    running.refused(award("travel", form="value"), "4")
    running.refused(award("goods", form="value", paid_by="cheque"), "3")
    running.refused(award("casino-dollars", form="value", paid_by="cheque"), "3")
    running.refused(award("money", form="value", paid_by="cheque"), "3")
    running.refused(award("money", paid_by="in cash"), "4")
    running.refused(msgspec.structs.replace(award("travel"), name="zoe"), "7.2")
    running.refused(pa.AwardPrize(MANAGER, day, "alice", "yacht"), "7.11")
    running.refused(msgspec.structs.replace(award("travel"), by="dealer"), "1")
    events = running.does(award("travel", form="value", paid_by="cheque"))
    (awarded,) = [each for each in events if isinstance(each, pe.PrizeAwarded)]
    assert (awarded.value_cents, awarded.form) == (500_000, "value") and clause(rulebook, "3") in awarded.clauses
    assert "award/travel" not in running.due() and "tell/travel" not in running.due()
    running.refused(award("travel"), "7.2")
    for name in ("goods", "casino-dollars"):
        running.does(award(name))
    running.does(award("money", paid_by="bank transfer"))
    assert {win.status for win in running.state.wins.values()} == {"awarded"}
    replayed(running)


@pytest.mark.clause("nsw-pontoon", "21.10", "21.10.1")
@pytest.mark.clause("nsw-blackjack-challenge", "22.9", "22.9.1")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_denied_claim_above_100_is_kept_and_the_claimant_told_why(rulebook: str) -> None:
    told, kept = ("10", "10.1") if rulebook == NSW else ("9", "9.1")
    prizes = [prize("goods", name="dear", value="100.01"), prize("goods", name="cheap", value=100)]
    running = Running(terms_of(rulebook, prizes=prizes)).begin().enter("alice", "bob").commit().draw()
    day = at("04-11 10:00")
    deny = pa.DenyClaim(MANAGER, day, "zoe", "dear", "not among the entries")
    assert "has not claimed" in running.refused(deny, told).text
    running.does(pa.ClaimPrize(PLAYER, day, "zoe", "dear"))
    running.refused(pa.ClaimPrize(PLAYER, day, "zoe", "dear"), "7.8")
    running.refused(pa.ClaimPrize(PLAYER, day, "zoe", "yacht"), "7.11")
    running.refused(msgspec.structs.replace(deny, why=""), told)
    for lacking in ({}, {"full_name": "Zoe Ray"}, {"address": "1 High Street"}):
        running.refused(msgspec.structs.replace(deny, **lacking), kept)
    denied = running.does(msgspec.structs.replace(deny, full_name="Zoe Ray", address="1 High Street"))[0]
    assert isinstance(denied, pe.ClaimDenied) and denied.kept
    assert denied.clauses == (clause(rulebook, told), clause(rulebook, kept))
    assert running.state.denied[0].full_name == "Zoe Ray" and running.state.denied[0].address == "1 High Street"
    running.refused(deny, told)
    duty = running.due()["reasons/dear/zoe"]
    assert (duty.due, duty.clauses, duty.to) == (None, (clause(rulebook, told),), "zoe")
    running.refused(pa.TellReasons("dealer", day, "alice", "dear"), told)
    running.does(pa.TellReasons("dealer", day, "zoe", "dear"))
    running.refused(pa.TellReasons("dealer", day, "zoe", "dear"), told)
    assert "reasons/dear/zoe" not in running.due()

    name = running.winner("cheap")  # a winner may be denied too, and nothing need be kept of $100
    (cheap, *_) = running.does(pa.DenyClaim(MANAGER, day, name, "cheap", "under age"))
    assert isinstance(cheap, pe.ClaimDenied) and not cheap.kept and not cheap.address
    assert running.state.wins["cheap"].status == "denied" and "award/cheap" not in running.due()
    refused = running.refused(pa.AwardPrize(MANAGER, day, name, "cheap"), "7.2")
    assert "denied" in refused.text
    running.does(pa.AwardPrize(MANAGER, day, running.winner("dear"), "dear"))
    again = pa.DenyClaim(MANAGER, day, running.winner("dear"), "dear", "x", "a", "b")
    assert "was awarded" in running.refused(again, "7.2").text
    replayed(running)


@pytest.mark.clause("nsw-pontoon", "def:casino promotional token")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Casino Promotional Token")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_voucher_is_won_exchanged_at_a_table_and_its_tokens_win_chips(rulebook: str) -> None:
    """The promotion issues the voucher; from there the table and the ledger have the tokens, as docs/ledger.md says."""
    running = Running(terms_of(rulebook, prizes=[prize("promotional-tokens", value=25)]))
    running.begin().enter("alice").commit().draw()
    day = at("04-11 10:00")
    exchange = pa.ExchangeVoucher("dealer", day, "alice", 2500, "pontoon-1")
    running.refused(exchange)
    running.does(pa.AwardPrize(MANAGER, day, "alice", "promotional-tokens"))
    assert running.state.vouchers == {"alice": 2500}
    running.refused(msgspec.structs.replace(exchange, cents=2501))
    running.refused(msgspec.structs.replace(exchange, table=" "))

    table = open_table(rulebook, cards="Ks 9h Kd 9c")
    table, events = play(table, IssueTokens("dealer", "alice", running.state.vouchers["alice"]))
    running.does(exchange)
    assert running.state.vouchers == {"alice": 0}
    running.refused(exchange)
    ledger = Ledger()
    ledger.post_all(events)
    table, more = play(table, PlaceWager("alice", 1, 2500, token_cents=2500), Deal(), Stand("alice", 1))
    ledger.post_all(more)
    assert ledger.balances["voucher:alice"] == -2500 and ledger.balances["vouchers"] == 2500
    assert ledger.balances["tokens:alice"] == 2500, "the tokens of a wager that wins stay the player's"
    assert ledger.balances["player:alice"] == 2500 and ledger.balances["float"] == -2500, "winnings are chips"
    assert sum(ledger.balances.values()) == 0
    replayed(running)


# --- disputes --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.11")
@pytest.mark.clause("nsw-blackjack-challenge", "22.10")
@pytest.mark.parametrize("rulebook", BOTH)
def test_the_operator_decides_disputes_and_who_is_not_satisfied_may_go_to_an_inspector(rulebook: str) -> None:
    below = "11" if rulebook == NSW else "10"
    running = Running(terms_of(rulebook)).begin()
    day = at("03-05 10:00")
    dispute = pa.RaiseDispute(PLAYER, day, "alice", "my second entry is not in the draw")
    running.refused(msgspec.structs.replace(dispute, what=" "), below)
    running.does(dispute)
    assert "being decided" in running.refused(dispute, below).text
    assert running.due()["dispute/1"].clauses == (clause(rulebook, below),)
    running.refused(pa.NotSatisfied(PLAYER, day, 1), below)
    running.refused(pa.DecideDispute(MANAGER, day, 2, "no"), below)
    running.refused(pa.DecideDispute(MANAGER, day, 1, ""), below)
    running.refused(pa.DecideDispute("dealer", day, 1, "no"), "1")
    running.does(pa.DecideDispute(MANAGER, day, 1, "it came after entries closed"))
    assert "final" in running.refused(pa.DecideDispute(MANAGER, day, 1, "it counts"), below).text
    assert "final" in running.refused(dispute, below).text
    running.refused(pa.AdviseComplaint("dealer", day, 1), below)
    running.does(pa.NotSatisfied(PLAYER, day, 1))
    running.refused(pa.NotSatisfied(PLAYER, day, 1), below)
    duty = running.due()["advise/1"]
    assert "complaint with an inspector" in duty.what and duty.clauses == (clause(rulebook, below),)
    running.does(pa.AdviseComplaint("dealer", day, 1))
    running.refused(pa.AdviseComplaint("dealer", day, 1), below)
    assert "advise/1" not in running.due()
    replayed(running)


# --- integrity -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "21.12")
@pytest.mark.clause("nsw-blackjack-challenge", "22.11")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_compromised_draw_is_postponed_or_cancelled_and_an_inspector_told_in_48_hours(rulebook: str) -> None:
    below = "12" if rulebook == NSW else "11"
    running = Running(terms_of(rulebook, **ONE_DRAW)).begin().enter("alice", "bob").commit().draw()
    name = running.winner("goods")
    running.does(pa.AwardPrize(MANAGER, at("04-11 09:00"), name, "goods"))
    find = pa.FindCompromised(MANAGER, at("04-11 10:00"), "final", "entries were copied", "postpone")
    running.refused(msgspec.structs.replace(find, why=""), below)
    running.refused(msgspec.structs.replace(find, what="other"), "7.2")
    running.refused(pa.NotifyInspector(MANAGER, at("04-11 10:00"), "final", "Inspector Ray"), below)
    running.does(find)
    duty = running.due()["inspector/final/1"]
    assert (duty.due, duty.to, duty.clauses) == (utc("2027-04-13T00:00:00"), "inspector", (clause(rulebook, below),))
    assert running.state.wins["travel"].status == "set aside" and running.state.wins["goods"].status == "awarded"
    assert set(running.due()) == {"inspector/final/1"}, "nobody is told of a win that is set aside"
    running.refused(find, below)
    running.refused(pa.AwardPrize(MANAGER, at("04-11 11:00"), running.winner("travel"), "travel"), below)
    running.refused(pa.DrawWinners(MANAGER, at("04-12 10:00"), "final", SECRET), below)
    running.refused(pa.NotifyInspector(MANAGER, at("04-12 10:00"), "final", ""), below)
    (told, _) = running.does(pa.NotifyInspector(MANAGER, at("04-13 10:00"), "final", "Inspector Ray"))
    assert isinstance(told, pe.InspectorNotified) and not told.late, "just 48 hours"

    validate = pa.ValidateIntegrity(MANAGER, at("04-14 10:00"), "final", "entries were counted again")
    assert "say when" in running.refused(validate, below).text
    running.refused(msgspec.structs.replace(validate, again=at("04-13 10:00")), below)
    running.refused(msgspec.structs.replace(validate, how=""), below)
    running.refused(msgspec.structs.replace(validate, what="promotion"), below)
    running.does(msgspec.structs.replace(validate, again=at("04-20 20:00")))
    assert set(running.due()) == {"commit/final", "draw/final"}
    running.commit(when="04-15 10:00")
    draw = pa.DrawWinners(MANAGER, at("04-20 20:00"), "final", SECRET)
    assert "says a word" in running.refused(draw, "7.1").text, "entries have closed: a secret could be chosen"
    running.does(msgspec.structs.replace(draw, word="kookaburra"))
    assert "goods" not in [each.prize for each in running.told(pe.PrizeWon)[2:]], "what is awarded is not drawn again"

    (found, *_) = running.does(
        pa.FindCompromised(MANAGER, at("04-21 10:00"), "final", "the word was known before", "cancel")
    )
    assert found.clauses == (clause(rulebook, below),)
    assert running.state.draws["final"].status == "cancelled"
    running.does(pa.NotifyInspector(MANAGER, at("04-23 10:01"), "final", "Inspector Ray"))
    assert [key for key, each in running.state.duties.items() if each.late] == ["inspector/final/2"]
    running.refused(msgspec.structs.replace(find, at=at("04-24 10:00")), below)
    running.does(pa.EndPromotion(MANAGER, at("04-30 23:00")))
    replayed(running)


@pytest.mark.clause("nsw-pontoon", "21.12")
@pytest.mark.clause("nsw-blackjack-challenge", "22.11")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_postponed_draw_that_cannot_be_validated_is_cancelled(rulebook: str) -> None:
    below = "12" if rulebook == NSW else "11"
    running = Running(terms_of(rulebook, **ONE_DRAW)).begin().enter("alice")
    find = pa.FindCompromised(MANAGER, at("03-05 10:00"), "final", "entries were copied", "postpone")
    running.does(find)
    running.refused(find, below)
    running.does(msgspec.structs.replace(find, at=at("03-06 10:00"), measure="cancel"))
    assert running.state.draws["final"].status == "cancelled" and not running.state.compromised
    assert set(running.due()) == {"inspector/final/1", "inspector/final/2"}, "both are told"
    running.refused(pa.ValidateIntegrity(MANAGER, at("03-07 10:00"), "final", "counted", at("03-08 10:00")), below)
    running.does(pa.NotifyInspector(MANAGER, at("03-07 10:00"), "final", "Inspector Ray"))
    assert running.due() == {}
    replayed(running)


@pytest.mark.clause("nsw-pontoon", "21.12")
@pytest.mark.clause("nsw-blackjack-challenge", "22.11")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_compromised_promotion_is_postponed_and_waits_until_it_is_validated(rulebook: str) -> None:
    below = "12" if rulebook == NSW else "11"
    running = Running(terms_of(rulebook, **ONE_DRAW)).offer()
    find = pa.FindCompromised(MANAGER, at("03-05 10:00"), "promotion", "forged entries", "postpone")
    early = msgspec.structs.replace(find, at=at("02-21 10:00"))
    assert "has not begun" in running.refused(early, below).text
    running = Running(terms_of(rulebook, **ONE_DRAW)).begin().enter("alice").commit()
    running.refused(msgspec.structs.replace(find, measure="cancel"), below)
    running.does(find)
    assert running.state.status == "postponed"
    running.refused(pa.Enter(PLAYER, at("03-06 10:00"), "bob", 1, 5000), below)
    running.refused(pa.DrawWinners(MANAGER, at("04-10 20:00"), "final", SECRET), below)
    running.refused(pa.EndPromotion(MANAGER, at("05-01 10:00")), below)
    assert running.due()["inspector/promotion/1"].due == utc("2027-03-06T23:00:00")
    running.does(pa.ValidateIntegrity(MANAGER, at("03-07 10:00"), "promotion", "forged entries were found"))
    running.enter("bob", when="03-08 10:00").draw()
    replayed(running)


@pytest.mark.clause("nsw-pontoon", "21.12")
@pytest.mark.clause("nsw-blackjack-challenge", "22.11")
@pytest.mark.parametrize(
    ("found", "until"),
    [("2027-04-03T10:00:00", "2027-04-05T09:00:00"), ("2027-10-02T10:00:00", "2027-10-04T11:00:00")],
)
@pytest.mark.parametrize("rulebook", BOTH)
def test_48_hours_are_hours_that_pass(rulebook: str, found: str, until: str) -> None:
    """Over the end and the beginning of summer time the clocks show an hour less, and an hour more."""
    from pitboss.promotions.clocks import instant

    later = [{"name": "final", "at": at("11-01 20:00"), "closes": at("11-01 18:00"), "place": "here"}]
    running = Running(terms_of(rulebook, **ONE_DRAW, draws=later, promotion__ends=at("12-01 10:00"))).begin()
    moment = datetime.datetime.fromisoformat(found)
    running.does(pa.FindCompromised(MANAGER, moment, "promotion", "forged entries", "postpone"))
    due_at = running.due()["inspector/promotion/1"].due
    assert due_at == instant("Australia/Sydney", datetime.datetime.fromisoformat(until))


# --- order -----------------------------------------------------------------------------------------------------------


def test_time_runs_forward_and_texts_are_one_line() -> None:
    running = Running(terms_of(NSW)).begin()
    refused = running.refused(pa.Enter(PLAYER, at("02-28 10:00"), "alice", 1, 5000))
    assert "before what happened last, on Mon 01 Mar 2027, 10:00 AEDT" in refused.text
    assert "there is no 02:30 on 03 October 2027" in running.refused(pa.EndPromotion(MANAGER, at("10-03 02:30"))).text
    running.refused(pa.PublishTerms(MANAGER, at("03-02 10:00"), "a\nb"))
    assert "not laid down" in _first(pa.EndPromotion(MANAGER, at("03-02 10:00")))
    assert "not laid down" in _first(pa.Enter(PLAYER, at("03-02 10:00"), "alice"))


def _first(act: pa.PromotionAct) -> str:
    running = Running(terms_of(NSW))
    decided = decide(running.rulebook, running.state, act)
    assert isinstance(decided, Refusal)
    return decided.text


def test_what_is_due_comes_with_its_time_first() -> None:
    running = Running(terms_of(NSW)).drawn()
    keys = [each.key for each in due(running.state)]
    assert keys[:4] == ["tell/car", "tell/voucher-1", "tell/voucher-2", "tell/voucher-3"]
    assert due(running.state, utc("2027-04-10T09:59:59")) == ()
