"""Entries and money, clause by clause."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.acts import MANAGER
from tests.tournament.making import CANBERRA, CHALLENGE, LIKE_NSW, NSW, WITH_TOURNAMENTS, conditions_of
from tests.tournament.running import BEFORE, LATE, START, Running

FINAL = [{"name": "final", "kind": "final", "tables": 1, "rounds": 3, "advance": 0}]


def small(rulebook: str, **changes: Any) -> Running:
    """A final of one table, open for entries: fee $100, 2 to 7 players."""
    return Running(
        conditions_of(rulebook, **{"stages": FINAL, "entry__minimum": 2, "entry__maximum": 7, **changes})
    ).open()


def opened_by(rulebook: str, **changes: Any) -> Running:
    return Running(conditions_of(rulebook, **changes))


@pytest.mark.clause("nsw-pontoon", "20.4.1", "20.4.2", "def:Tournament Manager")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.1", "21.4.2", "def:Tournament Manager")
@pytest.mark.clause("canberra-pontoon-2005", "20.3", "def:Tournament Director/Assistant")
@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_entries_are_opened_by_the_manager_with_whole_conditions(rulebook: str) -> None:
    running = opened_by(rulebook)
    assert running.refused(ta.Apply("player", "alice", BEFORE)).text == "entries are not open."
    assert "does that, not the dealer" in running.refused(ta.OpenEntries("dealer", running.conditions)).text
    lacking = replace(running.conditions, chips=replace(running.conditions.chips, amount_cents=None))
    assert "chips.amount" in running.refused(ta.OpenEntries(MANAGER, lacking)).text
    running.open()
    assert running.told(te.EntriesOpened)[0].conditions == running.conditions
    assert "opened once" in running.refused(ta.OpenEntries(MANAGER, running.conditions)).text


@pytest.mark.clause("nsw-pontoon", "20.4.1", "20.4.3", "def:tournament")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.1", "21.4.3", "def:tournament")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_nobody_is_in_without_form_copy_agreement_and_fee(rulebook: str) -> None:
    running = small(rulebook, entry__agreement=True)
    copy, agree = (running.rulebook.tournament.steps.value[each] for each in ("copy", "agree"))
    assert running.refused(ta.Apply("player", "alice", BEFORE, completed=False)).clauses == ("def:tournament",)
    pay = ta.PayFee("dealer", "alice", 10_000, BEFORE)
    assert "no entry form" in running.refused(pay).text
    running.does(ta.Apply("player", "alice", BEFORE))
    assert running.refused(pay).clauses == (copy,)
    running.does(ta.GiveCopy("dealer", "alice"))
    assert running.refused(pay).clauses[0] == agree
    running.does(ta.SignAgreement("player", "alice"))
    assert "$100.00, not $99.00" in running.refused(ta.PayFee("dealer", "alice", 9900, BEFORE)).text
    running.does(pay)
    assert running.state.entrants["alice"].status == "entered"
    assert running.state.accounts == {"cash:alice": -10_000, "pool": 10_000}


@pytest.mark.clause("nsw-pontoon", "20.4.2(h)(i)", "20.4.2(h)(ii)", "20.4.2(h)(iii)", "20.4.2(i)")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.2(h)(i)", "21.4.2(h)(ii)", "21.4.2(h)(iii)", "21.4.2(i)")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_who_may_enter(rulebook: str) -> None:
    running = small(rulebook, entry__selects=True, entry__criteria="members only", entry__maximum=2)
    items = running.rulebook.tournament.items.value
    assert running.refused(ta.Apply("player", "al", BEFORE, entitled=False)).clauses == (items["eligibility"],)
    assert running.refused(ta.Apply("player", "al", BEFORE, fits=False)).clauses == (items["criteria"],)
    running.enter("alice")
    refused = running.does(ta.RefuseEntry(MANAGER, "alice", "a known cheat"))[0]
    assert isinstance(refused, te.EntryRefused) and refused.refund_cents == 10_000
    assert running.state.accounts == {"cash:alice": 0, "pool": 0}
    assert "was refused" in running.refused(ta.Apply("player", "alice", BEFORE)).text
    running.enter("bob", "cara")
    assert running.refused(ta.Apply("player", "dan", BEFORE)).clauses == (items["entry-terms"],)
    assert running.refused(ta.Apply("player", "ed", START)).text.startswith("entries closed")
    without = small(rulebook, entry__may_refuse=False).enter("alice")
    assert "do not keep the right" in without.refused(ta.RefuseEntry(MANAGER, "alice", "because")).text


@pytest.mark.clause("canberra-pontoon-2005", "20.6")
def test_canberra_takes_one_entry_a_player() -> None:
    running = small(CANBERRA).enter("alice")
    assert running.refused(ta.Apply("player", "alice", BEFORE)).clauses == ("20.6",)


@pytest.mark.clause("nsw-pontoon", "20.3.2", "20.4.2(i)")
@pytest.mark.clause("nsw-blackjack-challenge", "21.3.2", "21.4.2(i)")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_withdrawal_in_and_after_the_penalty_free_period(rulebook: str) -> None:
    running = small(rulebook, entry__refund_percent_after=25).enter("alice", "bob", "cara")
    running.does(ta.WithdrawEntry("player", "alice", BEFORE))
    running.does(ta.WithdrawEntry("player", "bob", LATE))
    assert running.state.accounts == {"cash:alice": 0, "cash:bob": -7500, "cash:cara": -10_000, "pool": 17_500}
    running.enter("dan").close()
    assert running.does(ta.WithdrawEntry("player", "dan", LATE)) == (
        te.EntryWithdrawn(running.told(te.EntryWithdrawn)[-1].clauses, "dan"),
    )


@pytest.mark.clause("canberra-pontoon-2005", "20.23", "20.24", "def:Tournament Commission")
def test_canberra_keeps_commission_and_refunds_nothing_but_a_cancelled_tournament() -> None:
    running = small(CANBERRA).enter("alice", "bob")
    assert running.state.accounts == {"cash:alice": -10_000, "cash:bob": -10_000, "pool": 18_000, "commission": 2000}
    running.does(ta.WithdrawEntry("player", "alice", BEFORE))
    assert running.state.accounts["cash:alice"] == -10_000
    running.does(ta.CancelTournament(MANAGER, "a flood"))
    assert set(running.state.accounts.values()) == {0}
    assert sum(each.cents for each in running.told(te.FeeRefunded)) == 20_000
    assert sum(each.commission_cents for each in running.told(te.FeeRefunded)) == 2000
    assert "cancelled" in running.refused(ta.AwardPrizes(MANAGER)).text


@pytest.mark.clause("nsw-pontoon", "20.3.4", "20.3.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.3.4", "21.3.1")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
@pytest.mark.parametrize("when", ["entries", "drawn", "playing"])
def test_a_cancelled_tournament_gives_every_fee_back(rulebook: str, when: str) -> None:
    chips = {"amount": 1000, "bought": True, "price": 50, "cash_value": rulebook == NSW, "denominations": [5, 25]}
    running = small(rulebook, chips=chips).enter("alice", "bob", "cara")
    running.does(ta.AddValue(MANAGER, "cash", 50_000))
    running.does(ta.AddValue(MANAGER, "a weekend", 30_000, cash=False))
    assert running.state.accounts["pool"] == 80_000 and running.state.goods == (("a weekend", 1),)
    if when != "entries":
        running.close().draw("final")
        running.does(ta.BuyIn("dealer", "alice", 5000))
    if when == "playing":
        running.does(ta.ComeToSeat("player", "alice"))
        running.does(ta.BuyIn("dealer", "bob", 5000))
        running.does(ta.BuyIn("dealer", "cara", 5000))
        running.does(ta.StartSession(MANAGER, "final", START))
        running.round("T1", {"alice": 20_000, "bob": -10_000})
    running.does(ta.CancelTournament(MANAGER, "a fire"))
    accounts = running.state.accounts
    assert accounts["pool"] == 0 and accounts["house"] == 0
    if when == "playing" and rulebook == NSW:  # chips with a cash value are redeemed as they lie
        assert {name: accounts[f"cash:{name}"] for name in ("alice", "bob")} == {"alice": 1000, "bob": -500}
    else:
        assert not any(accounts[f"cash:{name}"] for name in ("alice", "bob", "cara"))
    assert all(account == "inventory" or not cents for account, cents in running.state.chip_accounts.items())


@pytest.mark.clause("nsw-pontoon", "20.3.3")
@pytest.mark.clause("nsw-blackjack-challenge", "21.3.3")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_a_guarantee_holds_with_the_least_number_of_entries(rulebook: str) -> None:
    enough = small(rulebook, prizes__guarantee=500, entry__minimum=3).enter("alice", "bob", "cara").close()
    assert enough.told(te.GuaranteeMet)[0].cents == 20_000 and enough.state.accounts["pool"] == 50_000
    few = small(rulebook, prizes__guarantee=500, entry__minimum=3).enter("alice", "bob").close()
    assert few.state.too_few and not few.told(te.GuaranteeMet)
    assert running_cancelled(few)
    alone = small(rulebook).enter("alice")
    assert "cancel the tournament" in alone.refused(ta.CloseEntries(MANAGER, LATE)).text


def running_cancelled(running: Running) -> bool:
    running.does(ta.CancelTournament(MANAGER, "too few entries"))
    return set(running.state.accounts.values()) == {0}


@pytest.mark.clause("nsw-pontoon", "20.5.3", "20.6.15")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.3", "21.6.14")
@pytest.mark.parametrize(
    ("rulebook", "act", "clause"),
    [
        ("nsw-pontoon", ta.RuleDispute("dealer", "alice", "so"), "20.11.2"),
        ("nsw-blackjack-challenge", ta.Disqualify("dealer", "alice", "so"), "21.5.7"),
        ("canberra-pontoon-2005", ta.GiveBreak("dealer", 10), "20.17"),
        ("canberra-pontoon-2005", ta.Substitute("dealer", "eve", "alice"), "20.11"),
    ],
)
def test_what_the_manager_alone_does_is_refused_by_its_clause_too(rulebook: str, act: Any, clause: str) -> None:
    """NSW 20.11.2, BJC 21.5.7, Canberra 2005 20.11, 20.17: the rule that names them, beside the definition."""
    running = small(rulebook)
    clauses = running.refused(act).clauses
    assert clause in clauses
    assert clauses[0].startswith("def:")


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_what_may_change_after_opening_and_what_may_not(rulebook: str) -> None:
    running = small(rulebook)
    conditions, soon = running.conditions, START + datetime.timedelta(hours=2)
    for changed, key in [
        (replace(conditions, wagers=replace(conditions.wagers, maximum_cents=100_000)), "wagers.maximum_cents"),
        (replace(conditions, entry=replace(conditions.entry, fee_cents=1)), "entry.fee_cents"),
        (replace(conditions, stages=(replace(conditions.stages[0], rounds=9),)), "stages.final.rounds"),
        (replace(conditions, title="Other"), "title"),
    ]:
        assert key in running.refused(ta.ChangeConditions(MANAGER, changed, BEFORE)).text
    later = replace(conditions, start=soon)
    assert "30 minutes" in running.refused(ta.ChangeConditions(MANAGER, later, soon)).text
    running.does(ta.ChangeConditions(MANAGER, later, BEFORE))
    assert running.told(te.ConditionsChanged)[0].keys == ("start",)
    move = ta.MoveStart(MANAGER, "final", soon, soon - datetime.timedelta(minutes=29))
    assert "30 minutes" in running.refused(move).text
    running.does(replace(move, at=BEFORE))
    assert running.state.conditions is not None and running.state.conditions.stages[0].start == soon


@pytest.mark.clause("canberra-pontoon-2005", "20.9", "20.10", "20.11")
def test_reserves_and_substitutes_in_canberra() -> None:
    running = small(CANBERRA, entry__maximum=3, entry__reserves=1).enter("alice", "bob", "cara", "rita")
    assert running.state.entrants["rita"].status == "reserve"
    assert "no more are taken" in running.refused(ta.Apply("player", "sam", BEFORE)).text
    running.close().draw("final")
    running.does(ta.ComeToSeat("player", "alice"))
    assert "has taken the seat" in running.refused(ta.OfferSeat(MANAGER, "rita", "alice", 10_000)).text
    assert "$100.00, not" in running.refused(ta.OfferSeat(MANAGER, "rita", "bob", 1)).text
    running.does(ta.GiveCopy("dealer", "rita"))
    seat = next(box for box, name in running.state.sessions["final/T1"].seats.items() if name == "bob")
    running.does(ta.OfferSeat(MANAGER, "rita", "bob", 10_000))
    assert running.state.sessions["final/T1"].seats[seat] == "rita"
    assert running.state.entrants["bob"].status == "forfeited" and running.state.accounts["pool"] == 36_000
    running.does(ta.Substitute(MANAGER, "tom", "cara"))
    assert running.state.entrants["tom"].status == "entered" and running.state.entrants["cara"].status == "withdrawn"
    running.does(ta.ComeToSeat("player", "rita"))
    running.does(ta.StartSession(MANAGER, "final", START))
    assert running.state.entrants["tom"].status == "forfeited"  # nobody took that seat
    assert [each.clauses for each in running.told(te.SeatForfeited)] == [("20.9",), ("20.9",)]
    assert "has begun" in running.refused(ta.Substitute(MANAGER, "una", "alice")).text


@pytest.mark.clause("canberra-pontoon-2005", "20.11", "20.7", "20.4(d)")
def test_a_substitute_plays_on_with_the_chips_that_were_carried() -> None:
    heats = [
        {"name": "heats", "kind": "heat", "tables": 1, "rounds": 1, "advance": 2},
        {**FINAL[0], "rounds": 1},
    ]
    running = small(CANBERRA, stages=heats, chips__carried=True).enter("alice", "bob", "cara").close().draw("heats")
    running.start("heats").round("T1", {"alice": 50_000, "bob": 20_000})
    in_it = ta.Substitute(MANAGER, "eve", "alice")
    assert running.refused(in_it).clauses == ("20.7", "20.11")
    running.finish("T1")
    assert running.refused(in_it).text.startswith("heats has begun")
    running.does(ta.Announce(MANAGER, "heats"))
    running.does(in_it)
    assert "has no seat that another" in running.refused(ta.Substitute(MANAGER, "fay", "cara")).text
    assert running.state.qualified["final"] == ("bob", "eve")
    running.draw("final").start("final")
    assert running.state.sessions["final/T1"].chips == {"bob": 120_000, "eve": 150_000}
    running.round("T1", {}).finish("T1")
    running.does(ta.Announce(MANAGER, "final"))
    running.does(ta.AwardPrizes(MANAGER))
    assert {each.name: each.place for each in running.state.entrants.values() if each.place} == {
        "eve": 1,
        "bob": 2,
        "cara": 3,
    }


@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_the_others_know_neither_reserves_nor_substitutes(rulebook: str) -> None:
    running = small(rulebook).enter("alice", "bob").close().draw("final")
    assert "no reserved players" in running.refused(ta.OfferSeat(MANAGER, "rita", "bob", 10_000)).text
    assert "no substitutes" in running.refused(ta.Substitute(MANAGER, "tom", "bob")).text


@pytest.mark.clause("nsw-pontoon", "20.4.2(g)")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.2(g)")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_who_is_out_buys_back_as_the_conditions_say(rulebook: str) -> None:
    stages = [{"name": "heats", "kind": "heat", "tables": 2, "rounds": 1, "advance": 1}, *FINAL]
    terms = {"offered": True, "fee": 40, "until": "final", "method": "at the desk", "times": 1}
    running = small(rulebook, stages=stages, buy_back=terms).enter("alice", "bob", "cara", "dan")
    running.close(("T1", "T2")).draw("heats").start("heats")
    buy = ta.BuyBack("dealer", "alice", 4000)
    assert "not out" in running.refused(buy).text
    for table in ("T1", "T2"):
        running.round(table, lambda name, chips: 5000 if name in ("cara", "dan") else -1000)
        running.finish(table)
    announced = running.does(ta.Announce(MANAGER, "heats"))[0]
    out = [name for name in ("alice", "bob", "cara", "dan") if running.state.entrants[name].status == "out"]
    if isinstance(announced, te.PlayOffDue):  # drawn to one table: they are level
        return
    assert "$40.00, not" in running.refused(ta.BuyBack("dealer", out[0], 1)).text
    running.does(ta.BuyBack("dealer", out[0], 4000))
    assert running.state.accounts["pool"] == 44_000 and out[0] in running.state.qualified["final"]
    running.draw("final")
    assert "before final is drawn" in running.refused(ta.BuyBack("dealer", out[1], 4000)).text


def test_nobody_buys_back_where_the_conditions_do_not_say_so() -> None:
    running = small(NSW).enter("alice", "bob")
    assert running.refused(ta.BuyBack("dealer", "alice", 100)).clauses[0] == "20.4.2(g)"
    assert small(CHALLENGE).refused(ta.BuyBack("dealer", "alice", 100)).clauses[0] == "21.4.2(g)"
