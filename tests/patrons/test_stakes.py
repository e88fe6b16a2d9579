"""Stakes against a loss limit: at all tables together never past it, never refused within it, across periods."""

from __future__ import annotations

import datetime
import inspect
import random
import re
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from pitboss import decide as decide_at
from pitboss import evolve as evolve_at
from pitboss import load, play
from pitboss.ledger import Ledger
from pitboss.patrons import acts as p
from pitboss.patrons import stakes
from pitboss.patrons.engine import decide, evolve, turned
from pitboss.patrons.gaming_day import Moment
from pitboss.patrons.stakes import SAID_BY_THE_BOOK, learned, moved, telling
from pitboss.patrons.state import PatronFile, loss_left
from pitboss.table import acts as a
from pitboss.table.house import default_house
from pitboss.table.patrons_book import at_stake, is_news
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table
from tests.patrons.test_files import KNOWN, NSW, at, do
from tests.properties.driver import PEOPLE, next_act, some_table

clause = pytest.mark.clause
DAY = datetime.date(2026, 11, 18)
LIMIT = 60_000


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge", "adelaide-pontoon-2008"])
def test_what_lies_on_the_layout_is_what_the_ledger_has_on_the_boxes(rulebook: str, seed: int) -> None:
    """After every act of a crowd: stakes of all people are the boxes' balances, and moves sum to the net."""
    rng = random.Random(f"{rulebook} {seed}")
    table = some_table(rulebook, rng)
    ledger = Ledger(table.jackpot_cents)
    decided = dict.fromkeys(PEOPLE, 0)
    start = {name: table.net.get(name, 0) for name in PEOPLE}
    for version in range(400):
        act = next_act(table, rng)
        answer = decide_at(table, act)
        if isinstance(answer, Refusal):
            continue
        before, table = table, evolve_at(table, answer)
        ledger.post_all(answer)
        for name in PEOPLE:
            move = moved(before, table, name, "t1", version)
            decided[name] += move.net_cents if move else 0
            assert at_stake(table, name) == (move.open_cents if move else at_stake(before, name))
            assert table.net.get(name, 0) - start[name] == decided[name] - at_stake(table, name)
            concerned = {getattr(event, "player", "") for event in answer}
            assert not move or name in concerned or isinstance(act, a.Reconstruct)
        on_boxes = sum(cents for account, cents in ledger.balances.items() if account.startswith("box"))
        assert sum(at_stake(table, name) for name in table.players) == on_boxes


AFTERWARDS = (a.Notice, a.Reconstruct, a.FindInvalidWager, a.VoidEarlierRound)
"""Rulings that may take back what was won, and what was wagered since because of it."""


@dataclass
class Casino:
    """Several tables and one book, without a server: each act is decided on what the book says at that moment."""

    tables: dict[str, Table]
    file: PatronFile
    now: Moment
    versions: dict[str, int] = field(default_factory=dict)

    def act(self, name: str, act: a.Act) -> bool:
        table = self.tables[name]
        told = telling(table.rulebook, self.file, name, self.now)
        if is_news(table, told):
            table = self._land(name, table, told)
            assert not is_news(table, told)
        answer = decide_at(table, act)
        if isinstance(answer, Refusal):
            return False
        self._land(name, table, act)
        return True

    def _land(self, name: str, table: Table, act: a.Act) -> Table:
        after, events = play(table, act)
        version = self.versions[name] = self.versions.get(name, 0) + 1
        mine = evolve(self.file, [])
        self.file = evolve(mine, learned(mine, table, after, events, name, version, self.now))
        self.tables[name] = after
        return after


def casino(rng: random.Random, tables: int = 3, limit: int = LIMIT, period: str = "day") -> Casino:
    file = do(KNOWN, p.SetLossLimit("player", limit, period))
    opened = {}
    for number in range(tables):
        book = load(rng.choice(["nsw-pontoon", "nsw-blackjack-challenge"]))
        opened[f"t{number}"] = some_table(book.id, rng)
        while opened[f"t{number}"].players:
            opened[f"t{number}"] = some_table(book.id, rng)
        opened[f"t{number}"].house = replace(
            opened[f"t{number}"].house, patrons="book", date=datetime.date(2024, 8, 18)
        )
    return Casino(opened, file, at(DAY))


@clause("nsw-pontoon", "19.3", "def:Loss Limit")
@clause("nsw-blackjack-challenge", "20.3", "def:Loss Limit")
@pytest.mark.parametrize("seed", range(10))
def test_a_limit_holds_at_all_tables_together(seed: int) -> None:
    """Random play of alice at three tables over several days: never a cent past, never refused within the limit."""
    rng = random.Random(seed)
    house = casino(rng, period=rng.choice(["day", "week"]))
    lost = refused = 0
    for step in range(900):
        if step % 150 == 149:
            next_day = house.now.date + datetime.timedelta(days=1)
            house.now = at(next_day)
        name = rng.choice(list(house.tables))
        table = house.tables[name]
        act = next_act(table, rng)
        if isinstance(act, (a.PausePlayer, a.BarPlayer, a.ReadmitPlayer, *AFTERWARDS)):
            continue
        if rng.random() < 0.5 and table.phase == "wagers":
            act = a.PlaceWager("alice", rng.randint(1, table.house.boxes), rng.choice([500, 2_500, 5_000, 20_000]))
        left = telling(table.rulebook, house.file, name, house.now).loss_left_cents
        assert left is not None
        before = evolve(house.file, turned(table.rulebook, house.file, house.now))
        lies = sum(before.open.values()) - before.net_cents  # more than the limit where a period ended under wagers
        allowed = house.act(name, act)
        known = house.file
        assert known.loss_limit is not None
        assert known.loss_limit.cents is not None
        exposed = sum(known.open.values()) - known.net_cents
        assert exposed <= max(known.loss_limit.cents, lies), act
        assert sum(at_stake(each, "alice") for each in house.tables.values()) == sum(known.open.values())
        if isinstance(act, a.PlaceWager) and act.player == "alice" and not allowed:
            answer = decide_at(house.tables[name], act)
            if isinstance(answer, Refusal) and "past the loss limit" in answer.text:
                refused += 1
                assert act.cents > left
                assert answer.clauses[0] in ("19.3", "20.3")
        lost = min(lost, known.net_cents)
    assert lost < 0
    assert refused


@clause("nsw-pontoon", "19.3")
def test_two_tables_cannot_both_have_the_last_dollar() -> None:
    file = do(KNOWN, p.SetLossLimit("player", 10_000))
    tables = {name: _fresh() for name in ("t1", "t2")}
    house = Casino(tables, file, at(DAY))
    assert house.act("t1", a.PlaceWager("alice", 1, 10_000))
    assert not house.act("t2", a.PlaceWager("alice", 1, 500))
    assert loss_left(house.file) == 0
    assert house.act("t1", a.WithdrawWager("alice", 1))
    assert house.act("t2", a.PlaceWager("alice", 1, 10_000))
    assert house.file.open == {"t2": 10_000}


def _fresh() -> Table:
    from pitboss import open_table

    return open_table("nsw-pontoon", cards="6s 9h 5d Kc 9s 9d 9c 9h", house=default_house(NSW, patrons="book"))


@clause("nsw-pontoon", "19.4", "def:Loss Limit")
def test_a_wager_on_the_table_when_a_period_ends_counts_in_the_next() -> None:
    file = do(KNOWN, p.SetLossLimit("player", 10_000))
    house = Casino({"t1": _fresh()}, file, at(DAY))
    assert house.act("t1", a.PlaceWager("alice", 1, 6_000))
    house.now = at(DAY + datetime.timedelta(days=1))
    assert telling(NSW, house.file, "t1", house.now).loss_left_cents == 4_000
    assert not house.act("t1", a.PlaceWager("alice", 2, 5_000))
    assert house.act("t1", a.PlaceWager("alice", 2, 4_000))
    assert house.file.period_start == DAY + datetime.timedelta(days=1)


def test_no_event_of_which_a_file_learns_is_passed_over() -> None:
    learning = re.findall(r"case e\.(\w+)\(", inspect.getsource(stakes._learned_of_one))
    assert {"LimitsSet", *learning} == {kind.__name__ for kind in stakes.LEARNED_FROM}


@clause("nsw-pontoon", "5.12", "5.13", "6.6", "6.5.1", "19.8.2")
def test_the_book_learns_what_is_done_at_a_table() -> None:
    file = do(KNOWN, p.SetDepositLimit("player", 50_000))
    house = Casino({"t1": _fresh()}, file, at(DAY))
    assert house.act("t1", a.TakeSeat("alice", 1))
    assert house.act("t1", a.BuyChips("alice", 20_000))
    assert house.file.deposited_cents == 20_000
    assert not house.act("t1", a.BuyChips("alice", 30_001))
    assert house.act("t1", a.GrantMaximum("casino-supervisor", "alice", 200_000))
    assert house.file.maxima["t1"] == (200_000, 0)
    assert house.act("t1", a.SetLimits("casino-supervisor", 1_000, 100_000))
    assert house.file.old_minima == {"t1": 500}
    assert house.act("t1", a.Restrict("gaming-manager", "alice", "one-box", notified=True))
    assert [(each.rule, each.where) for each in house.file.restrictions] == [("one-box", "t1")]
    assert house.act("t1", a.LiftRestriction("gaming-manager", "alice"))
    assert house.file.restrictions[0].lifted
    assert house.act("t1", a.LeaveTable("alice"))
    assert house.file.old_minima == {}
    assert house.file.maxima["t1"] == (0, 0)
    assert house.act("t1", a.BarPlayer("casino-supervisor", "alice", "a device"))
    assert telling(NSW, house.file, "t9", at()).barred == SAID_BY_THE_BOOK


@clause("nsw-pontoon", "19.4", "def:Loss Limit")
@pytest.mark.parametrize(("new", "left"), [(3_000, 3_000), (20_000, 10_000)], ids=["lower", "higher"])
def test_who_is_readmitted_with_another_limit_has_it_everywhere(new: int, left: int) -> None:
    """A lower one holds at once at all tables; a higher one waits for the next period, as it would in the file."""
    house = Casino({"t1": _fresh(), "t2": _fresh()}, do(KNOWN, p.SetLossLimit("player", 10_000)), at(DAY))
    assert house.act("t1", a.TakeSeat("alice", 1))
    assert house.act("t1", a.PausePlayer("casino-supervisor", "alice"))
    assert not house.act("t2", a.PlaceWager("alice", 1, 500))
    assert house.act("t1", a.ReadmitPlayer("casino-supervisor", "alice", new))
    assert loss_left(house.file) == left
    for table in ("t1", "t2"):
        assert not house.act(table, a.PlaceWager("alice", 1, left + 500))
        assert house.act(table, a.PlaceWager("alice", 1, left))
        assert house.act(table, a.WithdrawWager("alice", 1))
    tomorrow = at(DAY + datetime.timedelta(days=1))
    assert loss_left(evolve(house.file, turned(NSW, house.file, tomorrow))) == new


@clause("nsw-pontoon", "def:Deposit Limit")
def test_a_decided_file_never_holds_more_deposits_than_its_limit() -> None:
    rng = random.Random(7)
    file, day = do(KNOWN, p.SetDepositLimit("player", 30_000)), DAY
    total = 0
    for _ in range(300):
        if rng.random() < 0.1:
            day, total = day + datetime.timedelta(days=1), 0
        cents = rng.choice([100, 5_000, 12_500])
        decided = decide(NSW, file, p.Deposit("dealer", cents), at(day))
        assert isinstance(decided, Refusal) == (total + cents > 30_000)
        if not isinstance(decided, Refusal):
            file, total = evolve(file, decided), total + cents
            assert file.deposited_cents == total
    assert loss_left(file) is None
