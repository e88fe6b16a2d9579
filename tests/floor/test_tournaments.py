"""Tournaments on a live floor: played whole by bots, written once, read alike by every process, and adding up."""

from __future__ import annotations

import asyncio
import datetime
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from pitboss.chance import shuffled
from pitboss.floor.floor import Floor
from pitboss.floor.folds import HouseBooks
from pitboss.floor.model import HOUSE, Accepted, Caller, Denied, NotAllowed, Proposed, Unknown
from pitboss.floor.tournament_board import SeatTold, distance
from pitboss.floor.tournament_board import shown as shown_on_the_wall
from pitboss.floor.tournament_book import Known, TournamentDone, stream_of, tournaments_of
from pitboss.floor.tournament_demo import APPROVES, CONDUCTS, Conductor, demo_conditions, names, quick, structure
from pitboss.floor.updates import Watch
from pitboss.floor.wire import AskShuffle
from pitboss.floor.withheld import CARDS, DRAWN, WRITTEN, withheld
from pitboss.rulebooks import load
from pitboss.server.tournaments import happened_in
from pitboss.store.log import Append
from pitboss.table import acts as a
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.tournament_play.turns import whose_turn
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import MANAGER
from pitboss.tournament.conditions import Conditions
from pitboss.tournament.printouts import PAPERS, Printed, as_csv, as_html, by_clause, called
from pitboss.tournament.sessions import digest_of
from tests.floor.memory import ALICE, BOB, DEALER, INSPECTOR, SUPERVISOR, MemoryLog, a_floor, an_opening
from tests.floor.playing import must
from tests.tournament.making import LIKE_NSW, WITH_TOURNAMENTS

TODAY = datetime.datetime(2026, 3, 5, 19)
OTHER = Caller("other-tournament-manager", "tournament-manager")


def conditions(rulebook: str, entrants: int, rounds: int = 3) -> Conditions:
    return demo_conditions(
        rulebook, title="Autumn cup", stages=structure(entrants, rounds), entrants=entrants, start=TODAY
    )


def tables_for(terms: Conditions) -> list[str]:
    return [f"Table {number}" for number in range(1, max(stage.tables or 1 for stage in terms.stages) + 1)]


def conductor(floor: Floor) -> Conductor:
    return Conductor(floor, "cup", lambda text: None)


async def played(floor: Floor, rulebook: str, entrants: int, rounds: int = 3) -> Known:
    terms = conditions(rulebook, entrants, rounds)
    return await conductor(floor).run(terms, names(entrants), tables_for(terms), timers=quick(0))


async def until_drawn(floor: Floor, rulebook: str, entrants: int, rounds: int = 3) -> Conductor:
    """A tournament whose first stage is drawn, with everybody in their seat."""
    conducts, terms = conductor(floor), conditions(rulebook, entrants, rounds)
    await conducts.open(terms, quick(0))
    await conducts.enter(names(entrants))
    await conducts.close(tables_for(terms))
    await conducts.does(ta.DrawSeats(MANAGER, terms.stages[0].name, "", ()))
    for session in conducts.known.state.sessions.values():
        for name in session.seats.values():
            await conducts.does(ta.ComeToSeat(MANAGER, name))
    return conducts


def adds_up(known: Known, entrants: int) -> None:
    """Everybody has one place, the whole pool goes out, and money and chips come to nothing."""
    people = [each for each in known.state.entrants.values() if each.place]
    assert len(people) == entrants == len({each.name for each in people})
    pool = sum(each.paid_cents - each.commission_cents for each in people)
    assert sum(each.prize_cents for each in people) == pool > 0
    assert sum(known.state.accounts.values()) == 0 == sum(known.state.chip_accounts.values())
    assert not any(cents for name, cents in known.state.chip_accounts.items()), "every chip is back (20.5.8)"


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
async def test_bots_play_a_whole_one_and_every_cent_and_chip_is_in_the_books(rulebook: str) -> None:
    """NSW 20.3.2, 20.5.8, 20.10; Challenge 21.3.2; Canberra 2005 20.20: the whole pool, every chip, one place each."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        known = await played(floor, rulebook, 16)
        adds_up(known, 16)
        assert not floor.openings and not floor.hosts, "tables are closed when their chips are back"
        books = floor.projections.ask(HouseBooks, lambda fold: fold.books)
        assert books.total() == 0
        kept = {name: cents for name, cents in known.state.accounts.items() if cents}
        assert {n.partition("/")[2]: c for n, c in books.trial_balance("tournament:cup").items()} == {
            name: cents for name, cents in kept.items() if not name.startswith("cash:")
        }
        for name, cents in kept.items():
            if name.startswith("cash:"):
                assert books.balances[name] == cents
        same = await known_elsewhere(log)
        assert same.state == known.state and same.tables == known.tables, "whoever reads the log knows the same"
        happened = happened_in(log, known)
        drawn = known.drawn["final"]
        assert digest_of(drawn[0]) == known.state.digests["final"], "the draw is the one that was laid down"
        printed = Printed(known.rulebook, known.state, happened)
        for paper in PAPERS:
            page = as_html(printed, paper)
            assert "Autumn cup" in page and "<script" not in page
            if paper in ("results", "regulator"):
                assert called(names(16)[0]) in page
            assert as_csv(printed, paper).count("\n") > 1
        steps = load(rulebook).tournament.steps.value
        for step in ("publish", "pool", "allocate", "allot", "count-session", "announce"):
            assert steps[step] in by_clause(printed), f"{step} is in the regulator's file"


async def known_elsewhere(log: Any) -> Known:
    async with a_floor(log) as other:
        found = await tournaments_of(other).find("cup")
        assert found is not None
        return found


async def test_every_round_stands_in_the_append_of_the_act_that_ended_it() -> None:
    """Also a round in which everybody passes, which is counted though no card is dealt (NSW 20.7.1)."""
    written: list[Append] = []
    log = MemoryLog()
    log.before = lambda batch: written.extend(batch)
    async with a_floor(log) as floor:
        await played(floor, "nsw-pontoon", 8)
    ends = reports = 0
    for item in written:
        bodies = {part.stream.partition(":")[0]: str([each.body for each in part.entries]) for part in item.parts}
        ended, told = "RoundCounted" in bodies.get("table", ""), "ReportRound" in bodies.get("tournament", "")
        ends, reports = ends + ended, reports + told
        assert ended == told, "the round and what the tournament learns of it are one append"
    assert ends == reports > 6


async def test_designated_tables_play_nothing_else_and_nobody_else_plays_there() -> None:
    """NSW 20.5.2: while a session is on, its tables are for the tournament; nobody else sits down there."""
    async with a_floor() as floor:
        conducts = conductor(floor)
        terms = conditions("nsw-pontoon", 4, 40)
        await conducts.open(terms, quick(0))
        await conducts.enter(names(4))
        await conducts.close(["pit-1"])
        await conducts.does(ta.DrawSeats(MANAGER, "final", "", ()))
        for name in names(4):
            await conducts.does(ta.ComeToSeat(MANAGER, name))
        assert isinstance(await floor.open_table(HOUSE, "o", "pit-1", an_opening()), Accepted)
        book = tournaments_of(floor)
        start = ta.StartSession(MANAGER, "final", TODAY)
        refused = await book.do(CONDUCTS, "s1", "cup", start)
        assert isinstance(refused, NotAllowed) and "20.5.2" in refused.refusal.clauses
        assert isinstance(await floor.close_table(HOUSE, "c", "pit-1"), Accepted)
        await conducts.does(start)
        again = await floor.open_table(HOUSE, "o2", "pit-1", an_opening())
        assert isinstance(again, NotAllowed) and "20.5.2" in again.refusal.clauses
        claimed = msgspec.structs.replace(an_opening(), tournament="cup")
        assert isinstance(await floor.open_table(SUPERVISOR, "o3", "other", claimed), Unknown)
        (table,) = conducts.known.tables
        seated = await floor.act(ALICE, table, "a1", a.TakeSeat("alice", 7))
        assert isinstance(seated, NotAllowed) and {"20.6.10", "20.5.2"} & set(seated.refusal.clauses)
        bought = await floor.act(Caller("dora", "dealer"), table, "a2", a.BuyChips(names(4)[0], 1000))
        assert not isinstance(bought, Accepted), "nobody has more chips than were allotted (20.6.5)"


async def test_two_people_cancel_and_every_fee_goes_back() -> None:
    """NSW 20.3.4: all fees go back; one person alone does not do it, nor the same one twice."""
    async with a_floor() as floor:
        conducts = await until_drawn(floor, "nsw-pontoon", 9, 40)
        await conducts.does(ta.StartSession(MANAGER, "heats", TODAY))
        book = tournaments_of(floor)
        asked = await book.do(CONDUCTS, "x1", "cup", ta.CancelTournament("", "the lights are out"))
        assert isinstance(asked, Proposed) and conducts.known.state.status == "playing"
        again = await book.do(CONDUCTS, "x1", "cup", ta.CancelTournament("", "the lights are out"))
        assert again == asked, "said twice, asked once"
        assert isinstance(await book.answer(CONDUCTS, "x2", "cup", 1, approve=True), Denied)
        assert isinstance(await book.answer(ALICE, "x3", "cup", 1, approve=True), Denied)
        assert isinstance(await book.answer(APPROVES, "x4", "cup", 1, approve=True), TournamentDone)
        state = conducts.known.state
        assert (
            state.status == "cancelled" and not any(state.accounts.values()) and not any(state.chip_accounts.values())
        )
        await holds(lambda: not floor.openings and not floor.hosts)  # its tables are closed
        assert isinstance(await book.answer(APPROVES, "x5", "cup", 1, approve=True), Unknown)


@pytest.mark.parametrize("rulebook", LIKE_NSW)
async def test_a_floor_that_comes_back_goes_on_where_it_was(rulebook: str) -> None:
    """Every table with its chips and its round: what was acknowledged survives whoever ran it."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        conducts = await until_drawn(floor, rulebook, 14, 12)
        await conducts.does(ta.StartSession(MANAGER, "heats", TODAY))
        await rounds(conducts.known, 3)
    before = (await known_elsewhere(log)).state
    assert 0 < sum(each.number for each in before.sessions.values()) < 24
    async with a_floor(log, seed=8) as floor:
        conducts = Conductor(floor, "cup", lambda text: None, run="again")
        await tournaments_of(floor).find("cup")
        await conducts._finish("heats")
        await conducts.does(ta.Announce(MANAGER, "heats"))
        for key, each in conducts.known.state.sessions.items():
            if key in before.sessions:
                assert each.number >= before.sessions[key].number
        assert not any(conducts.known.state.chip_accounts.values())


async def rounds(known: Known, count: int) -> None:
    await holds(lambda: sum(each.number for each in known.state.sessions.values()) >= count)


async def holds(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


async def test_two_processes_play_one_tournament() -> None:
    """Tables in both, one stream: each round is written once, and both know the same at the end."""
    log = MemoryLog()
    how: dict[str, Any] = {"alone": False, "lease_ms": 60_000}
    async with (
        a_floor(log, owner="one", address="http://one", **how) as one,
        a_floor(log, seed=8, owner="two", address="http://two", **how) as two,
    ):
        await asyncio.sleep(0.6)  # each has heard of the other
        known = await played(one, "nsw-pontoon", 28, 2)
        adds_up(known, 28)
        other = await tournaments_of(two).find("cup")
        assert other is not None and other.state == known.state
        by_process = {entry.by for entry in log.entries if entry.stream == stream_of("cup")}
        assert "" in by_process


async def test_what_a_stage_is_drawn_from_is_known_to_nobody_before() -> None:
    """20.5.4: the secrets are sealed in the log, stay behind when it leaves the house, and make the order."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        conducts = await until_drawn(floor, "nsw-pontoon", 9)
        (sealed,) = [each for each in log.by_stream[stream_of("cup")] if each.kind == "secrets"]
        secret, order = conducts.known.drawn["heats"]
        seed = f"{secret}/heats/{','.join(names(9))}"
        assert shuffled(names(9), seed) == order
        row: Any = (sealed.seq, 0, sealed.stream, 0, 0, "", "", b"", sealed.kind, sealed.body)
        assert withheld([row])(row) == DRAWN
        assert conducts.known.secret("final") not in str([e.body for e in log.entries if e.kind != "secrets"])


async def test_only_whoever_runs_it_runs_it() -> None:
    async with a_floor() as floor:
        book = tournaments_of(floor)
        terms = conditions("nsw-pontoon", 4)
        assert isinstance(await book.open(SUPERVISOR, "o1", "cup", terms), Denied)
        assert isinstance(await book.open(CONDUCTS, "o2", "Cup!", terms), Unknown)
        first = await book.open(CONDUCTS, "o3", "cup", terms)
        assert first == await book.open(CONDUCTS, "o3", "cup", terms) == TournamentDone("cup", 2)
        assert isinstance(await book.open(OTHER, "o4", "cup", terms), Unknown), "the id is taken"
        apply = ta.Apply("", "alice", TODAY)
        assert isinstance(await book.do(ALICE, "a1", "cup", apply), TournamentDone)
        assert isinstance(await book.do(ALICE, "a2", "cup", msgspec.structs.replace(apply, name="bob")), Denied)
        early = await book.do(SUPERVISOR, "a3", "cup", ta.PayFee("", "alice", 10_000, TODAY))
        assert isinstance(early, NotAllowed) and early.refusal.clauses == ("20.4.1",), "first a copy of the conditions"
        for caller in (ALICE, SUPERVISOR):
            assert isinstance(await book.do(caller, "a4", "cup", ta.CloseEntries("", TODAY)), Denied)
        assert isinstance(await book.do(CONDUCTS, "a5", "cup", ta.ReportRound("", "t", {})), Denied), (
            "a table says that"
        )
        assert isinstance(await book.do(CONDUCTS, "a6", "none", apply), Unknown)


PLAYERS = (ALICE, BOB)
SECRET_CENTS = 37_500


async def a_table_of_people(floor: Floor) -> tuple[Known, str]:
    """Alice and bob at a table that a person deals, with an undisclosed wager each."""
    conducts, terms = conductor(floor), conditions("nsw-pontoon", 2, 4)
    book = tournaments_of(floor)
    assert isinstance(await book.open(CONDUCTS, "open", "cup", terms, dealer="person"), TournamentDone)
    await conducts.enter([each.name for each in PLAYERS])
    await conducts.close(["Table 1"])
    await conducts.does(ta.DrawSeats(MANAGER, "final", "", ()))
    for each in PLAYERS:
        await conducts.does(ta.ComeToSeat(MANAGER, each.name))
    await conducts.does(ta.StartSession(MANAGER, "final", TODAY))
    (table,) = conducts.known.tables
    await must(floor, DEALER, table, AskShuffle())
    while (waiting := waiting_for(floor.hosts[table].table)).what in ("cut", "cutting-card"):
        people = {each.name: each for each in PLAYERS}
        who = people.get(waiting.who[0])
        step = a.DeclineCut(who.name) if who is not None else legal_acts(floor.hosts[table].table)[0]
        await must(floor, who or (SUPERVISOR if waiting.what == "cut" else DEALER), table, step)
    return conducts.known, table


async def test_what_is_written_on_a_form_is_for_its_player_and_whoever_examines_it() -> None:
    """NSW 20.8.2: nobody else learns of it before the round is over, from no page and from no export."""
    log, items = MemoryLog(), list[Append]()
    log.before = lambda batch: items.extend(batch)
    async with a_floor(log) as floor:
        known, table = await a_table_of_people(floor)
        viewers = {
            each.role if each.role != "player" else each.name: await floor.watch(each, table, None, lambda: None)
            for each in (ALICE, BOB, DEALER, SUPERVISOR, INSPECTOR, CONDUCTS)
        }
        written, told = str(SECRET_CENTS).encode(), dict[str, bytes]()
        turn = {each.name: each for each in PLAYERS}
        first = turn.pop(whose_turn(floor.hosts[table].table))
        (second,) = turn.values()
        await must(floor, first, table, a.HandInForm(first.name, "original", SECRET_CENTS))
        (box,) = [seat for seat, name in known.state.sessions["final/Table 1"].seats.items() if name == second.name]
        await must(floor, second, table, a.PlaceWager(second.name, box, 2500))
        sealed = log.by_stream[f"table:{table}"][-2]
        (entry,) = (new for item in items for part in item.parts for new in part.entries if new.body == sealed.body)
        assert entry.hidden and written in sealed.body
        row: Any = (sealed.seq, 0, sealed.stream, 0, 0, "", "", b"", sealed.kind, sealed.body)
        assert withheld([row])(row) == WRITTEN
        await must(floor, SUPERVISOR, table, a.ExamineForm("", first.name))
        for name, watch in viewers.items():
            assert isinstance(watch, Watch)
            told[name] = watch.take()
        sees = {name for name, update in told.items() if written in update}
        assert sees == {first.name, "supervisor", "inspector"}
        assert b"IndicatorPlaced" in told["dealer"] and b'"examined":true' in told[second.name]
        await must(floor, DEALER, table, a.Deal())
        host, rng = floor.hosts[table], random.Random(3)
        people = {each.name: each for each in PLAYERS}
        while host.table.phase != "wagers":
            act: Any = rng.choice([each for each in legal_acts(host.table) if type(each) not in (a.Split, a.Double)])
            await must(floor, people.get(getattr(act, "player", ""), DEALER), table, act)
        shown = [watch.take() for watch in viewers.values() if isinstance(watch, Watch)]
        assert all(b"UndisclosedAnnounced" in update and written in update for update in shown), "now everybody is told"
        assert known.state.sessions["final/Table 1"].number == 1


async def test_nobody_learns_from_a_tournament_how_a_round_ends_that_is_still_to_be_dealt() -> None:
    """Where the dealer sets the pace a round is written before its last cards lie: the wall, the lists and every
    export tell of it when they do, and the file has it sealed."""
    log, items = MemoryLog(), list[Append]()
    log.before = lambda batch: items.extend(batch)
    async with a_floor(log) as floor:
        known, table = await a_table_of_people(floor)
        host, people = floor.hosts[table], {each.name: each for each in PLAYERS}
        seats = {name: box for box, name in known.state.sessions["final/Table 1"].seats.items()}
        for _ in people:
            who = people[whose_turn(host.table)]
            await must(floor, who, table, a.PlaceWager(who.name, seats[who.name], 2500))
        await must(floor, DEALER, table, a.Deal())
        assert await floor.pace(DEALER, table, "on") is None
        await holds(lambda: host.pacing is not None)
        while host.table.phase != "wagers":
            if host.next_piece is not None:
                assert await floor.pace(DEALER, table, "rest") is None
                await holds(lambda: host.next_piece is None)
            acts = {type(each): each for each in legal_acts(host.table)}
            act: Any = acts.get(a.Stand) or acts.get(a.Hit) or next(iter(acts.values()))
            await must(floor, people.get(getattr(act, "player", ""), DEALER), table, act)
        assert host.next_piece is not None and host.shown.phase != "wagers", "the dealer has still to deal"
        assert known.state.sessions["final/Table 1"].number == 1
        async with a_floor(log) as elsewhere:
            for each in (floor, elsewhere):
                book = tournaments_of(each)
                found = await book.find("cup")
                assert found is not None
                told = await book.told(found)
                session, before = told.state.sessions["final/Table 1"], dict.fromkeys(people, 100_000)
                assert (session.number, session.chips) == (0, before)
                shown = shown_on_the_wall(told, 0)
                assert {seat.name: seat.chips_cents for seat in shown.tables[0].seats} == before
                assert not any(isinstance(one.act, ta.ReportRound) for one in happened_in(log, told))
                assert any(isinstance(one.act, ta.ReportRound) for one in happened_in(log, found))
        (report,) = (entry for entry in log.by_stream[known.stream] if b"ReportRound" in entry.body)
        (new,) = (new for item in items for part in item.parts for new in part.entries if new.body == report.body)
        assert new.hidden
        rows: Any = [(e.seq, 0, e.stream, e.version, 0, "", "", 0, e.kind, e.body) for e in log.entries]
        (row,) = (row for row in rows if row[9] == report.body)
        assert withheld(rows)(row) == CARDS
        while (piece := host.next_piece) is not None:
            assert await floor.pace(DEALER, table, "done", f"{piece.version}.{piece.n}") is None
            await holds(lambda: host.next_piece is not piece)
        told = await tournaments_of(floor).told(known)
        assert told is known and told.state.sessions["final/Table 1"].number == 1
        rows = [(e.seq, 0, e.stream, e.version, 0, "", "", 0, e.kind, e.body) for e in log.entries]
        assert withheld(rows)(row) == ""


async def test_what_is_decided_in_the_tournament_is_done_at_the_table_and_the_other_way() -> None:
    """A dispute stops play until it is ruled on (NSW 20.11.2), the time to wager is set (20.6.11), a missed round costs
    the minimum (20.5.6.1), and who is disqualified by two people leaves the table (20.5.6)."""
    async with a_floor() as floor:
        known, table = await a_table_of_people(floor)
        book, host = tournaments_of(floor), floor.hosts[table]
        turn = next(each for each in PLAYERS if each.name == whose_turn(host.table))
        other = next(each for each in PLAYERS if each is not turn)
        seats = {name: box for box, name in known.state.sessions["final/Table 1"].seats.items()}

        async def does(act: Any, command: str, caller: Caller = CONDUCTS) -> Any:
            return await book.do(caller, command, "cup", act)

        disputed = await does(ta.RaiseDispute("", turn.name, "the odds", "Table 1"), "d1", turn)
        assert isinstance(disputed, TournamentDone)
        wager = a.PlaceWager(turn.name, seats[turn.name], 2500)
        refused = await floor.act(turn, table, "w1", wager)
        assert isinstance(refused, NotAllowed) and "20.11.2" in refused.refusal.clauses
        assert isinstance(await does(ta.RuleDispute("", turn.name, "they stand"), "d2"), TournamentDone)
        await holds(lambda: not host.table.halted)
        assert isinstance(await does(ta.SetPace("", 20), "p1"), TournamentDone)
        await holds(lambda: host.table.session is not None and host.table.session.seconds == 20)
        await must(floor, turn, table, wager)
        await must(floor, DEALER, table, a.DeductMinimum("", other.name))
        session = known.state.sessions["final/Table 1"]
        assert session.chips[other.name] == 97_500 and session.absent == {other.name: 1}
        asked = await does(ta.Disqualify("", other.name, "took chips off the table", "in-view"), "q1")
        assert isinstance(asked, Proposed)
        assert isinstance(await book.answer(APPROVES, "q2", "cup", 1, approve=True), TournamentDone)
        gone = await floor.act(other, table, "w2", a.PlaceWager(other.name, seats[other.name], 2500))
        assert isinstance(gone, NotAllowed) and gone.refusal.clauses
        assert known.state.entrants[other.name].status == "disqualified"
        await holds(lambda: host.table.session is not None and not host.table.session.has(other.name))
        assert set(known.state.sessions["final/Table 1"].playing) == {turn.name}
        worthless = await does(ta.RedeemChips("", other.name), "r1", DEALER)
        assert isinstance(worthless, NotAllowed) and "20.6.9" in worthless.refusal.clauses


@pytest.mark.parametrize(
    ("chips", "places", "told"),
    [
        ((900, 1_000, 700), 1, [(100, 0), (0, 100), (300, 0)]),
        ((900, 1_000, 700), 2, [(0, 200), (0, 300), (200, 0)]),
        ((900, 1_000, 700), 0, [(100, 0), (0, 100), (300, 0)]),
        ((900, 900, 700), 0, [(0, 0), (0, 0), (200, 0)]),
    ],
)
def test_players_are_told_what_they_lack_to_go_on_or_in_a_final_to_lead(
    chips: tuple[int, ...], places: int, told: list[tuple[int, int]]
) -> None:
    """Behind the last who would go on, or ahead of the first who would not; where nobody goes on, of the best."""
    best = sorted(chips, reverse=True)
    seats = tuple(
        SeatTold(box, f"p{box}", cents, 1 + best.index(cents), "in", "yes" if cents in best[:places] else "no")
        for box, cents in enumerate(chips, start=1)
    )
    session = SimpleNamespace(advance=places, seats=seats)
    assert [distance(session, seat) for seat in seats] == told  # type: ignore[arg-type]
