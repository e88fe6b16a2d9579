"""Tables, draws, sessions, eliminations, ties, places and prizes, clause by clause."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.chance import shuffled
from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.acts import MANAGER
from pitboss.tournament.ranking import prizes
from pitboss.tournament.sessions import digest_of, seed_of
from tests.tournament.making import CANBERRA, CHALLENGE, LIKE_NSW, NSW, WITH_TOURNAMENTS
from tests.tournament.running import BEFORE, LATE, SECRET, START, Running
from tests.tournament.test_entries import FINAL, small

HEATS = [{"name": "heats", "kind": "heat", "tables": 2, "rounds": 2, "advance": 1}, *FINAL]
NAMES = ("alice", "bob", "cara", "dan")


def begun(rulebook: str, *names: str, tables: tuple[str, ...] = ("T1",), **changes: Any) -> Running:
    """The first stage has started, and everybody sits."""
    running = small(rulebook, **changes).enter(*(names or NAMES)).close(tables)
    first = running.conditions.stages[0].name
    return running.draw(first).start(first)


def chips(running: Running, table: str = "T1") -> dict[str, int]:
    found = running.state.session(table)
    assert found is not None
    return {name: found[1].chips[name] for name in found[1].playing}


# --- tables and draws ------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "20.5.1", "20.5.2", "6.7.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.1", "21.5.2", "6.7.1")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_designated_tables_are_no_low_limit_tables_and_play_nothing_else(rulebook: str) -> None:
    running = small(rulebook).enter(*NAMES)
    low = ta.DesignateTables(MANAGER, (ta.Designated("T1", low_limit=True),))
    assert running.refused(low).clauses[0] == "6.7.1"
    designate = ta.DesignateTables(MANAGER, (ta.Designated("T1"),))
    assert "not the dealer" in running.refused(replace(designate, by="dealer")).text
    running.close()
    use = ta.UseTable("casino-supervisor", "T1", "ordinary play")
    running.draw("final")
    assert running.does(use) == ()
    running.start("final")
    assert running.refused(use).clauses[0] == running.rulebook.tournament.steps.value["exclusive"]
    assert "its tables stay" in running.refused(designate).text
    for _ in range(3):
        running.round("T1", {})
    running.finish("T1")
    assert running.does(use) == ()


@pytest.mark.clause("nsw-pontoon", "20.5.4")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.4")
@pytest.mark.clause("canberra-pontoon-2005", "20.7", "20.8")
@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_a_ballot_is_laid_down_before_entries_close_and_follows_from_its_secret(rulebook: str) -> None:
    running = small(rulebook, stages=HEATS).enter(*NAMES)
    digests = {stage: digest_of(SECRET.format(stage)) for stage in ("heats", "final")}
    assert "a digest for each stage" in running.refused(ta.CommitDraws(MANAGER, {"heats": "0" * 64})).text
    assert "64 hexadecimal" in running.refused(ta.CommitDraws(MANAGER, {"heats": "x", "final": "x"})).text
    late = small(rulebook, stages=HEATS).enter(*NAMES)
    late.does(ta.CloseEntries(MANAGER, LATE))
    assert "before entries close" in late.refused(ta.CommitDraws(MANAGER, digests)).text
    running.close(("T1", "T2"))
    assert "laid down already" in running.refused(ta.CommitDraws(MANAGER, digests)).text
    order = shuffled(NAMES, seed_of(SECRET.format("heats"), "heats", NAMES))
    assert "not the one" in running.refused(ta.DrawSeats(MANAGER, "heats", "another", order)).text
    assert "drawn once" in running.refused(ta.DrawSeats(MANAGER, "heats", SECRET.format("heats"), order[:3])).text
    assert "heats comes before" in running.refused(ta.DrawSeats(MANAGER, "final", SECRET.format("final"), order)).text
    running.draw("heats")
    seats = running.told(te.SeatsDrawn)[0]
    assert seats.order == order and seats.seats[order[0]] == ("T1", 1) and seats.seats[order[3]] == ("T2", 2)
    assert [len(each.seats) for each in running.state.sessions.values()] == [2, 2]
    assert "not finished" in running.refused(ta.DrawSeats(MANAGER, "final", SECRET.format("final"), order)).text


@pytest.mark.clause("nsw-pontoon", "20.5.4", "20.6.10")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.4", "21.6.9")
@pytest.mark.clause("canberra-pontoon-2005", "20.7")
def test_the_manager_allots_seats_where_the_conditions_say_so_and_people_play_there_alone() -> None:
    seats = {"alice": ("T1", 3), "bob": ("T1", 5)}
    for rulebook in LIKE_NSW:
        running = small(rulebook, conduct__seats="manager").enter("alice", "bob").close()
        assert "the same seat" in running.refused(ta.AllotSeats(MANAGER, "final", dict.fromkeys(seats, ("T1", 3)))).text
        assert "no box 9" in running.refused(ta.AllotSeats(MANAGER, "final", {**seats, "bob": ("T1", 9)})).text
        running.does(ta.AllotSeats(MANAGER, "final", seats))
        wrong = running.refused(ta.ComeToSeat("player", "alice", "T1", 4))
        assert wrong.clauses == (running.rulebook.tournament.steps.value["position"],) and "box 3" in wrong.text
        running.does(ta.ComeToSeat("player", "alice", "T1", 3))
    by_ballot = small(CANBERRA).enter("alice", "bob").close()
    assert by_ballot.refused(ta.AllotSeats(MANAGER, "final", seats)).clauses == ("20.7",)


@pytest.mark.clause("canberra-pontoon-2005", "20.8")
def test_more_players_than_seats_are_not_drawn() -> None:
    running = small(CANBERRA, conduct__players_at_table=3).enter(*NAMES).close()
    order = shuffled(NAMES, seed_of(SECRET.format("final"), "final", NAMES))
    assert running.refused(ta.DrawSeats(MANAGER, "final", SECRET.format("final"), order)).clauses == ("20.8", "20.7")


# --- chips -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "20.6.2", "20.6.3", "20.6.5", "def:buy-in")
@pytest.mark.clause("nsw-blackjack-challenge", "21.6.1:tail", "21.6.2", "21.6.4", "def:buy-in")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_everybody_buys_the_same_chips_and_who_does_not_is_out(rulebook: str) -> None:
    bought = {"amount": 1000, "bought": True, "price": 50, "denominations": [5, 25, 100]}
    running = small(rulebook, chips=bought).enter("alice", "bob", "cara").close().draw("final")
    steps = running.rulebook.tournament.steps.value
    assert "$50.00, not" in running.refused(ta.BuyIn("dealer", "alice", 9900)).text
    running.start("final", broke=["cara"])
    assert running.refused(ta.BuyIn("dealer", "alice", 5000)).clauses == (steps["increase"],)
    assert {each.cents for each in running.told(te.ChipsAllotted)} == {100_000}
    (out,) = running.told(te.Eliminated)
    assert (out.name, out.clauses[0], out.number) == ("cara", steps["buy-in-missing"], 0)
    assert running.state.accounts["cash:cara"] == -10_000  # the fee is not refunded
    assert running.state.accounts["pool"] == 40_000  # chips without a cash value: the buy-ins are played for


@pytest.mark.clause("nsw-pontoon", "20.6.9", "def:tournament chips")
def test_chips_with_a_cash_value_are_redeemed_at_the_ratio_of_their_issue() -> None:
    bought = {"amount": 1000, "bought": True, "price": 33, "cash_value": True, "denominations": [5, 25, 100]}
    running = begun(NSW, "alice", "bob", chips=bought)
    for won in (10_500, 0, 0):
        running.round("T1", {"alice": won, "bob": -won})
    running.finish("T1")
    paid = {each.name: (each.chips_cents, each.paid_cents, each.clauses) for each in running.told(te.ChipsRedeemed)}
    assert paid == {"alice": (110_500, 3647, ("20.6.9",)), "bob": (89_500, 2954, ("20.6.9",))}  # 36.465 and 29.535


@pytest.mark.clause("nsw-blackjack-challenge", "21.6.8", "def:tournament chips")
@pytest.mark.clause("canberra-pontoon-2005", "def:Tournament Chips")
@pytest.mark.parametrize("rulebook", [CHALLENGE, CANBERRA])
def test_chips_without_a_value_go_back_and_nobody_is_paid_for_them(rulebook: str) -> None:
    running = begun(rulebook, "alice", "bob")
    for _ in range(3):
        running.round("T1", {"alice": 5000})
    running.finish("T1")
    assert not running.told(te.ChipsRedeemed) and running.told(te.ChipsReturned)[0].chips["alice"] == 115_000
    assert running.state.chip_accounts == {
        "inventory": 0, "chips:alice": 0, "chips:bob": 0, "table:T1": 0,
    }  # fmt: skip


@pytest.mark.clause("nsw-pontoon", "20.5.7", "20.5.8")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.8", "21.5.9")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_chips_are_counted_given_back_and_what_is_missing_is_written_down(rulebook: str) -> None:
    running = begun(rulebook, "alice", "bob")
    steps = running.rulebook.tournament.steps.value
    for _ in range(3):
        running.round("T1", {})
    assert "rounds of the session are played" in running.refused(ta.ReportRound("dealer", "T1", chips(running))).text
    assert "counted first" in running.refused(ta.ReturnChips("dealer", "T1")).text
    running.does(ta.ConcludeSession("casino-supervisor", "T1"))
    counted = ta.CountChips("dealer", "T1", {"alice": 100_000, "bob": 99_000})
    assert "nobody else" in running.refused(replace(counted, chips={"alice": 1})).text
    (event,) = running.does(counted)
    assert isinstance(event, te.ChipsCounted) and event.differs == {"bob": -1000}
    assert event.clauses == (steps["count-session"],)
    assert "say how many chips" in running.refused(ta.ReturnChips("dealer", "T1", {700: 1})).text
    event = running.does(ta.ReturnChips("dealer", "T1", {500: 2}))[-1]
    assert isinstance(event, te.ChipsReturned)
    assert (event.missing, event.missing_cents, steps["shortfall"] in event.clauses) == ({500: 2}, 1000, True)
    assert running.state.chip_accounts["missing"] == 1000


def test_an_inventory_that_is_too_small_starts_no_session() -> None:
    running = small(NSW, chips__inventory=1500).enter("alice", "bob").close().draw("final")
    refused = running.refused(ta.StartSession(MANAGER, "final", START))
    assert refused.clauses[0] == "20.5.8" and "the inventory has less" in refused.text


# --- people who are late, absent or break the rules ------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "20.5.6", "20.5.6.1", "20.5.6.2")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.6", "21.5.6.1", "21.5.6.2")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_an_absent_player_loses_the_minimum_three_times_or_the_position(rulebook: str) -> None:
    running = small(rulebook).enter("alice", "bob", "cara").close().draw("final").start("final", absent=["bob"])
    steps = running.rulebook.tournament.steps.value
    assert "not the dealer" in running.refused(ta.DeductAbsent("dealer", "bob")).text
    for _ in range(3):
        (event,) = running.does(ta.DeductAbsent(MANAGER, "bob"))
        assert event.clauses[0] == steps["deduct"]
    assert running.refused(ta.DeductAbsent(MANAGER, "bob")).clauses == (steps["deduct"],)
    assert chips(running)["bob"] == 97_000
    running.does(ta.CancelPosition(MANAGER, "bob"))
    assert running.state.entrants["bob"].status == "disqualified"
    assert running.state.accounts["cash:bob"] == -10_000
    running.does(ta.CancelPosition(MANAGER, "cara", refund=True))
    assert running.state.accounts["cash:cara"] == 0
    assert running.told(te.Disqualified)[0].clauses[0] == steps["cancel-position"]


@pytest.mark.clause("canberra-pontoon-2005", "20.9")
def test_who_is_not_there_at_the_start_forfeits_position_and_fee_in_canberra() -> None:
    running = small(CANBERRA).enter("alice", "bob", "cara").close().draw("final").start("final", absent=["bob"])
    (event,) = running.told(te.SeatForfeited)
    assert (event.name, event.clauses) == ("bob", ("20.9",))
    assert running.state.accounts["pool"] == 27_000
    assert running.refused(ta.DeductAbsent(MANAGER, "alice")).clauses == ("20.9",)
    assert running.refused(ta.CancelPosition(MANAGER, "alice")).clauses == ("20.9",)


@pytest.mark.clause("nsw-pontoon", "20.5.6:tail", "20.6.5", "20.6.7", "20.11.4")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.7", "21.6.4", "21.6.6", "21.11.4")
@pytest.mark.parametrize(("rulebook", "keeps"), [(NSW, 5000), (CHALLENGE, 0)])
@pytest.mark.parametrize("rule", ["disqualify", "increase", "conceal", "contravention", "advice"])
def test_who_is_disqualified_has_no_refund_and_keeps_what_the_rulebook_leaves(
    rulebook: str, keeps: int, rule: str
) -> None:
    bought = {"amount": 1000, "bought": True, "price": 50, "cash_value": rulebook == NSW, "denominations": [5, 25]}
    running = begun(rulebook, "alice", "bob", "cara", chips=bought)
    assert "not the dealer" in running.refused(ta.Disqualify("dealer", "bob", "hid chips")).text
    assert "nothing to be disqualified for" in running.refused(ta.Disqualify(MANAGER, "bob", "x", "smiling")).text
    (event,) = running.does(ta.Disqualify(MANAGER, "bob", "seen by all", rule))
    assert isinstance(event, te.Disqualified) and event.keeps_cents == keeps
    assert event.clauses[0] == running.rulebook.tournament.steps.value[rule]
    assert running.state.accounts["cash:bob"] == -15_000
    for _ in range(3):
        running.round("T1", {"alice": 5000})
    running.finish("T1").does(ta.Announce(MANAGER, "final"))
    running.does(ta.AwardPrizes(MANAGER))
    assert running.state.accounts["cash:bob"] == -15_000 + keeps
    assert (running.state.entrants["bob"].place, running.state.entrants["bob"].prize_cents) == (3, 0)


@pytest.mark.clause("nsw-pontoon", "20.11.2", "20.11.3")
@pytest.mark.clause("nsw-blackjack-challenge", "21.11.2", "21.11.3")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_play_waits_while_something_is_disputed_and_the_manager_decides(rulebook: str) -> None:
    running = begun(rulebook, "alice", "bob")
    steps = running.rulebook.tournament.steps.value
    running.does(ta.RaiseDispute("player", "bob", "the last count", "T1"))
    assert running.refused(ta.ReportRound("dealer", "T1", chips(running))).clauses == (steps["dispute"],)
    (event,) = running.does(ta.CountChips(MANAGER, "T1", chips(running), ordered=True))
    assert event.clauses == (steps["count"],)
    assert "not the dealer" in running.refused(ta.CountChips("dealer", "T1", chips(running), ordered=True)).text
    assert "not the casino-supervisor" in running.refused(ta.RuleDispute("casino-supervisor", "bob", "no")).text
    running.does(ta.RuleDispute(MANAGER, "bob", "the count stands"))
    running.round("T1", {})


@pytest.mark.clause("canberra-pontoon-2005", "20.17", "20.18")
def test_breaks_and_pace_are_the_directors() -> None:
    running = begun(CANBERRA, "alice", "bob")
    assert running.does(ta.GiveBreak(MANAGER, 15)) == (te.BreakGiven(("20.17",), 15),)
    assert "from 1 to 600" in running.refused(ta.GiveBreak(MANAGER, 0)).text
    assert running.does(ta.SetPace(MANAGER, 20)) == (te.PaceSet(("20.18",), 20),)
    assert running.state.seconds == 20


@pytest.mark.clause("nsw-pontoon", "20.5.3")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.3")
@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_no_session_starts_before_its_time(rulebook: str) -> None:
    running = small(rulebook).enter("alice", "bob").close().draw("final")
    assert "it starts at 19:00" in running.refused(ta.StartSession(MANAGER, "final", BEFORE)).text
    sooner = START - datetime.timedelta(hours=3)
    running.does(ta.MoveStart(MANAGER, "final", sooner, sooner - datetime.timedelta(hours=1)))
    running.does(ta.StartSession(MANAGER, "final", sooner))
    assert "has begun" in running.refused(ta.MoveStart(MANAGER, "final", START, sooner)).text


# --- who is out, who goes on, who has which place --------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "20.6.13", "20.10.4", "20.6.15")
@pytest.mark.clause("nsw-blackjack-challenge", "21.6.12", "21.10.4", "21.6.14")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_who_cannot_wager_the_next_minimum_is_out_and_several_are_ranked(rulebook: str) -> None:
    raises = [{"stage": "final", "round": 2, "minimum": 50, "maximum": 1000}]
    names = ("alice", "bob", "cara", "dan", "ed", "fay")
    running = begun(rulebook, *names, wagers__raises=raises)
    steps = running.rulebook.tournament.steps.value
    left = {"alice": 200_000, "bob": 4900, "cara": 1000, "dan": 0, "ed": 0, "fay": 0}
    wagers = {"bob": 95_100, "cara": 99_000, "dan": 50_000, "ed": 40_000, "fay": 50_000}
    running.does(ta.ReportRound("dealer", "T1", left, wagers, removed=("fay", "dan", "ed", "cara", "bob")))
    (raised,) = running.told(te.LimitsChanged)
    assert (raised.minimum_cents, raised.clauses) == (5000, (steps["limits-change"],))
    assert {each.clauses for each in running.told(te.Eliminated)} == {(steps["unable"], steps["joint"])}
    running.finish("T1").does(ta.Announce(MANAGER, "final"))
    running.does(ta.AwardPrizes(MANAGER))
    # more left is better; then the larger wager; then whose chips were taken later
    assert [running.state.entrants[name].place for name in names] == [1, 2, 3, 4, 6, 5]


@pytest.mark.clause("canberra-pontoon-2005", "20.14", "20.22")
def test_players_out_in_one_round_share_a_division_in_canberra() -> None:
    running = begun(CANBERRA, "alice", "bob", "cara")
    running.does(ta.ReportRound("dealer", "T1", {"alice": 300_000, "bob": 500, "cara": 0}))
    assert {each.clauses for each in running.told(te.Eliminated)} == {("20.14",)}
    running.finish("T1").does(ta.Announce(MANAGER, "final"))
    running.does(ta.AwardPrizes(MANAGER))
    won = {each.name: (each.place, each.cents) for each in running.told(te.PlaceAwarded)}
    assert won == {"alice": (1, 13_500), "bob": (2, 6750), "cara": (2, 6750)}  # 270: 50, then 30 and 20 together
    assert "20.22" in running.told(te.PlaceAwarded)[1].clauses


@pytest.mark.clause("nsw-pontoon", "20.10.1", "20.10.2", "20.10.3", "def:play-off", "def:tie", "def:session")
@pytest.mark.clause("nsw-blackjack-challenge", "21.10.1", "21.10.2", "21.10.3", "def:play-off", "def:tie")
@pytest.mark.clause("nsw-blackjack-challenge", "def:session")
@pytest.mark.clause("canberra-pontoon-2005", "20.21", "def:Session")
@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_the_highest_chips_go_on_and_a_tie_is_played_off(rulebook: str) -> None:
    running = begun(rulebook, *NAMES, "ed", "fay", stages=HEATS, tables=("T1", "T2"))
    first, second, third = (running.state.sessions["heats/T1"].seats[box] for box in (1, 2, 3))
    for _ in range(2):
        running.round("T1", {first: 5000, second: 5000, third: -5000})
        running.round("T2", lambda name, _: 5000 if name == running.state.sessions["heats/T2"].seats[1] else 0)
    assert "every table is counted" in running.refused(ta.Announce(MANAGER, "heats")).text
    running.finish("T1").finish("T2")
    (due,) = running.does(ta.Announce(MANAGER, "heats"))
    assert isinstance(due, te.PlayOffDue) and set(due.names) == {first, second} and due.places == 1
    assert due.clauses == (running.rulebook.tournament.steps.value["tie"],)
    running.start("heats")
    # an equal allotment in a session of its own (NSW 20.6.2); Canberra's further rounds go on with what they hold
    held = 110_000 if rulebook == CANBERRA else 100_000
    assert chips(running) == {first: held, second: held}
    running.round("T1", {first: 1000, second: 1000})
    assert "until an order" in running.refused(ta.ConcludeSession("casino-supervisor", "T1")).text
    running.round("T1", {first: -1000})
    assert running.told(te.PlayOffDecided)[0].order == (second, first)
    running.finish("T1")
    (announced,) = running.does(ta.Announce(MANAGER, "heats"))
    assert isinstance(announced, te.StageAnnounced)
    assert set(announced.advanced) == {second, running.state.sessions["heats/T2"].seats[1]}
    assert running.state.entrants[first].status == "out"


@pytest.mark.clause("nsw-pontoon", "20.5.5", "20.5.5.1", "20.5.5.2")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.5", "21.5.5.1", "21.5.5.2")
def test_a_session_ends_early_where_it_is_determined_who_goes_on() -> None:
    bought = {"amount": 1000, "bought": True, "price": 50, "cash_value": True, "denominations": [5, 25, 100]}
    stages = [{"name": "heats", "kind": "heat", "tables": 1, "rounds": 9, "advance": 2}, *FINAL]
    cases: list[tuple[str, dict[str, Any]]] = [(CHALLENGE, {}), (NSW, {"chips": bought})]
    for rulebook, how in cases:
        running = begun(rulebook, "alice", "bob", "cara", stages=stages, **how)
        steps = running.rulebook.tournament.steps.value
        early = ta.ConcludeSession(MANAGER, "T1", early=True)
        assert running.refused(early).clauses == (steps["conclude"],)
        running.does(ta.ReportRound("dealer", "T1", {"alice": 150_000, "bob": 150_000, "cara": 0}))
        assert "rounds of the session are to come" in running.refused(replace(early, early=False)).text
        assert "not the casino-supervisor" in running.refused(replace(early, by="casino-supervisor")).text
        if how:
            assert running.refused(early).clauses == (steps["conclude-agreed"],)
            early = replace(early, agreed=("alice", "bob"))
        (event,) = running.does(early)
        assert event == te.SessionConcluded(event.clauses, "T1", True) and event.clauses[0] == steps["conclude"]


@pytest.mark.clause("canberra-pontoon-2005", "20.19")
def test_canberra_ends_no_session_before_its_time() -> None:
    running = begun(CANBERRA, "alice", "bob")
    assert running.refused(ta.ConcludeSession(MANAGER, "T1", early=True)).clauses == ("20.19",)


@pytest.mark.clause("nsw-pontoon", "20.4.2(e)", "20.10.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.2(e)", "21.10.1")
@pytest.mark.clause("canberra-pontoon-2005", "20.4(b)")
@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_losers_play_on_in_a_repechage(rulebook: str) -> None:
    heat = {"kind": "heat", "tables": 2, "rounds": 1, "advance": 1}
    stages = [
        {**heat, "name": "heats", "to": "final"},
        {**heat, "name": "second chance", "kind": "repechage", "tables": 1},
        *FINAL,
    ]
    running = begun(rulebook, *NAMES, stages=stages, tables=("T1", "T2"))
    for table in ("T1", "T2"):
        winner = running.state.sessions[f"heats/{table}"].seats[1]
        running.round(table, {winner: 5000}).finish(table)
    running.does(ta.Announce(MANAGER, "heats"))
    losers = {running.state.sessions[f"heats/{table}"].seats[2] for table in ("T1", "T2")}
    assert set(running.state.qualified["second chance"]) == losers
    running.draw("second chance").start("second chance")
    again = running.state.sessions["second chance/T1"].seats[1]
    running.round("T1", {again: 5000}).finish("T1")
    running.does(ta.Announce(MANAGER, "second chance"))
    assert len(running.state.qualified["final"]) == 3 and again in running.state.qualified["final"]


@pytest.mark.clause("canberra-pontoon-2005", "20.20", "20.22")
@pytest.mark.clause("nsw-pontoon", "20.3.2")
@pytest.mark.clause("nsw-blackjack-challenge", "21.3.2")
@pytest.mark.parametrize(
    ("order", "shares", "pool", "won"),
    [
        ([("a",), ("b",), ("c",)], [50, 30, 20], 10_000, [5000, 3000, 2000]),
        ([("a",), ("b",), ("c",)], [1, 1, 1], 10_000, [3334, 3333, 3333]),
        ([("a",), ("b", "c")], [50, 30, 20], 10_001, [5001, 2500, 2500]),
        ([("a", "b", "c")], [50, 30, 20], 100, [34, 33, 33]),
        ([("a",), ("b",)], [50, 30, 20], 100, [63, 37]),
        ([("a",), ("b", "c")], [1], 7, [7]),
        ([("a", "b")], [1], 7, [4, 3]),
        ([("a",)], [50, 50], 0, []),
    ],
)
def test_the_whole_pool_goes_out_to_the_cent(order: Any, shares: list[int], pool: int, won: list[int]) -> None:
    assert list(prizes(order, shares, pool, {"a": 1, "b": 2, "c": 3}).values()) == won


@pytest.mark.clause("nsw-pontoon", "20.5.5.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.5.1")
@pytest.mark.parametrize(("rulebook", "line"), [(NSW, 1_063_500), (CHALLENGE, 603_500)])
def test_a_lead_that_nothing_can_take_away_determines_who_goes_on(rulebook: str, line: int) -> None:
    """The best that the others can do, every hand split, doubled and paid at the best odds, is still below the worst.

    Bob has $500. In NSW pontoon three hands, doubled, with insurance, are 6.5 wagers of at most $500, paid 3 to 1 at
    best, each rounded up to $5: $2,035 in all, and the Super Bonus of $5,000 with $50 for each of seven others'; the
    leader may lose $3,250. In Blackjack Challenge six wagers, paid 5 to 1: $3,035, and the leader may lose $3,000.
    """
    stages = [{"name": "heats", "kind": "heat", "tables": 1, "rounds": 2, "advance": 1}, *FINAL]
    early = ta.ConcludeSession(MANAGER, "T1", early=True)
    for lead, sure in (line, False), (line + 500, True):
        running = begun(rulebook, "alice", "bob", "cara", stages=stages)
        assert "not determined" in running.refused(early).text
        running.does(ta.ReportRound("dealer", "T1", {"alice": lead, "bob": 50_000, "cara": 2_500}))
        if not sure:
            assert "not determined" in running.refused(early).text
            continue
        (event,) = running.does(early)
        assert event == te.SessionConcluded((running.rulebook.tournament.steps.value["conclude"],), "T1", True)
        running.does(ta.CountChips("dealer", "T1", {"alice": lead, "bob": 50_000, "cara": 2_500}))


def test_an_optional_wager_and_the_last_places_of_a_final_leave_it_open() -> None:
    """What an optional wager may bring is not looked at, and in a final every place is played for."""
    early = ta.ConcludeSession(MANAGER, "T1", early=True)
    heats = {"name": "heats", "kind": "heat", "tables": 1, "rounds": 2, "advance": 1}
    for stages, offered in (([heats, *FINAL], ["perfect-pairs"]), (FINAL, [])):
        running = begun(NSW, "alice", "bob", "cara", stages=stages, wagers__side_bets=offered)
        running.does(ta.ReportRound("dealer", "T1", {"alice": 90_000_000, "bob": 50_000, "cara": 2_500}))
        assert "not determined" in running.refused(early).text
