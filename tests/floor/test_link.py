"""A jackpot on several tables and in several processes: every cent comes from somewhere and goes somewhere."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.basics.money import LARGEST_CENTS
from pitboss.chance import Chance
from pitboss.floor.attachments import Decided
from pitboss.floor.floor import Floor
from pitboss.floor.folds import posted
from pitboss.floor.host import decode_act
from pitboss.floor.link import LinkOpening, Pool, PoolMoved, links_of, to_the_pool
from pitboss.floor.model import HOUSE, Accepted, Denied, Moved, NotAllowed, Opening, Unknown
from pitboss.floor.wire import AskShuffle
from pitboss.ledger.books import Books
from pitboss.rulebooks import load
from pitboss.store.group import GroupCommit
from pitboss.store.log import Log
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import BLAZING, DEVICE, default_house
from pitboss.table.legal import legal_acts, waiting_for
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, MemoryLog, a_floor
from tests.floor.playing import do, must

T = TypeVar("T")
BOOK = "nsw-blackjack-challenge"
LINK = LinkOpening(BOOK, pool_cents=2_600_001, minimum_cents=2_500_000, rate_percent=13, wager_cents=500)


class Sevens(Chance):
    """A chance that puts the sevens of diamonds first, after what is burned: every load begins with a jackpot."""

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        order = list(super().shuffled(cards))
        sevens = [card for card in order if card == "7d"]
        order = [card for card in order if card != "7d"]
        burned = load(BOOK).shuffle.burn_device.value
        return (*order[:burned], *sevens, *order[burned:])


def an_opening(**changes: Any) -> Opening:
    usual: dict[str, Any] = {
        "jackpot_linked": True,
        "jackpot_rate_percent": 13,
        "jackpot_minimum_cents": 2_500_000,
        "side_bets": (BLAZING,),
        "source": DEVICE,
        "decks": load(BOOK).blazing_7s.decks.value[0],
    }
    return Opening(BOOK, house=default_house(load(BOOK), **(usual | changes)), link="sevens")


async def a_linked_floor(floor: Floor, tables: int) -> list[str]:
    if "sevens" not in links_of(floor).pools:
        assert isinstance(await links_of(floor).open(SUPERVISOR, "l", "sevens", LINK), Accepted)
    names = [f"j{number}" for number in range(1, tables + 1)]
    for name in names:
        if name not in floor.openings:
            assert isinstance(await floor.open_table(HOUSE, f"o-{name}", name, an_opening()), Accepted)
    return names


async def play_rounds(floor: Floor, table: str, rounds: int, rng: random.Random) -> None:
    """Two players with a jackpot wager each."""
    for _ in range(2000):
        host = floor.hosts.get(table)
        if host is None or host.rounds >= rounds or host.table.stopped:
            return
        waiting = waiting_for(host.table)
        if waiting.what == "shuffle":
            await do(floor, DEALER, table, AskShuffle())
        elif waiting.what == "jackpot":
            await asyncio.sleep(0.002)  # the link pays by itself
        elif waiting.what == "wagers":
            for number, caller in ((1, ALICE), (2, BOB)):
                await do(floor, caller, table, a.PlaceWager(caller.name, number, 500))
                await do(floor, caller, table, a.PlaceWager(caller.name, number, 500, BLAZING))
            if rng.random() < 0.05:
                await do(floor, SUPERVISOR, table, a.ReportJackpotFault("casino-supervisor"))
            await do(floor, DEALER, table, a.Deal())
        else:
            act: Any = rng.choice(legal_acts(host.table))
            people = {"alice": ALICE, "bob": BOB, "supervisor": SUPERVISOR}
            await do(floor, people.get(getattr(act, "player", ""), DEALER), table, act)


def check_every_cent(log: Log, tables: Sequence[str]) -> tuple[int, int]:
    """Act by act, what the tables say about the pool and what the pool says about itself; gives pool and payments."""
    pool, payments = LINK.pool_cents, 0
    moves: dict[tuple[str, int], tuple[int, int]] = {}
    for entry in log.read("link:sevens"):
        if entry.kind == "moved":
            moved = msgspec.json.decode(entry.body, type=PoolMoved)
            assert (moved.table, moved.version) not in moves, f"the pool was moved twice by {moved}"
            moves[moved.table, moved.version] = (moved.contributed_cents, moved.paid_cents)
            pool += moved.contributed_cents - moved.paid_cents + moved.added_cents
            payments += moved.paid_cents > 0
            assert pool >= LINK.minimum_cents, f"the pool stands at {pool} after {moved}"
    told: dict[tuple[str, int], tuple[int, int]] = {}
    for table in tables:
        for entry in log.read(f"table:{table}"):
            said = to_the_pool(decode_act(entry.body).events if entry.kind == "act" else ())
            if any(said):
                told[table, entry.version] = said
    assert told == moves, f"tables and pool differ about {sorted(told.items() ^ moves.items())[:4]}"
    books = books_of(log)
    assert not books.differences() and books.balances["link:sevens"] == pool and books.total() == 0
    assert not any(account.endswith("/jackpot") for account in books.balances)
    return pool, payments


def books_of(log: Log) -> Books:
    books = Books()
    for entry in log.read_all():
        for _ in posted(books, entry):
            pass
    return books


async def test_one_pool_for_several_tables() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        floor.chance = Sevens(5)
        tables = await a_linked_floor(floor, 4)
        await asyncio.gather(*(play_rounds(floor, table, 12, random.Random(n)) for n, table in enumerate(tables)))
        pool, payments = check_every_cent(log, tables)
        assert payments >= 4 and links_of(floor).pools["sevens"].pool_cents == pool


@pytest.mark.parametrize("field", ["contributed_cents", "paid_cents"])
async def test_the_link_and_a_table_that_differ_stop_the_table(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        floor.chance = Sevens(5)
        (table,) = await a_linked_floor(floor, 1)
        right = Pool._moved

        def wrong(pool: Pool, decided: Decided) -> PoolMoved:
            moved = right(pool, decided)
            cents = getattr(moved, field)
            return replace(moved, **{field: cents + 1}) if cents else moved

        monkeypatch.setattr(Pool, "_moved", wrong)
        await play_rounds(floor, table, 9, random.Random(1))
        host = floor.hosts[table]
        assert host.table.stopped.startswith("jackpot: the table says ") and host.breaches == 1
        assert not books_of(log).differences(), "nothing wrong was written"


def test_a_pool_that_its_tables_do_not_account_for_is_named() -> None:
    books = Books()
    books.open_link("sevens", 1_000)
    books.open("one", 1_000, link="sevens", float_cents=50_000)
    assert books.balances == {"house": -1_000, "link:sevens": 1_000, "cage": -50_000, "one/float": 50_000}
    collected = e.JackpotWagerCollected(("16.3",), 1, "alice", 500, 50)
    for _ in books.post("one", [collected, e.JackpotSet(("16.10",), 2_000, 950, "link")]):
        pass
    assert books.differences() == ["the jackpot sevens stands at $10.00 and its tables account for $10.50"]
    books.move_pool("sevens", "act 2 at one", 50, 0, 0)
    assert not books.differences()
    books.move_pool("sevens", "act 3 at one", 7, 0, 0)
    books.move_pool("sevens", "act 4 at one", -7, 0, 0)
    said = "the jackpot sevens stands at $10.57 and its tables account for $10.50 since act 3 at one"
    assert books.differences() == [said], "what is put right later was wrong all the same"
    books.move_pool("sevens", "act 5 at one", 0, 0, 300)
    assert books.balances["link:sevens"] == 1_350 and books.balances["house"] == -1_300 and books.total() == 0


async def test_one_pool_for_several_processes() -> None:
    """Two processes write to the pool at the same time; whoever is too late decides again."""
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        tables = await a_linked_floor(one, 3)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        for seed, floor in enumerate((one, two)):
            floor.chance = Sevens(seed)
        for table in ("k1", "k2"):
            await two.open_table(HOUSE, f"o-{table}", table, an_opening())
            assert not isinstance(await two.host_of(table), Moved)
        await asyncio.gather(
            *(play_rounds(one, table, 15, random.Random(n)) for n, table in enumerate(tables)),
            *(play_rounds(two, table, 15, random.Random(n)) for n, table in enumerate(("k1", "k2"))),
        )
        assert set(one.hosts) == set(tables) and set(two.hosts) == {"k1", "k2"}
        await asyncio.gather(one.follow(), two.follow())
        pool, payments = check_every_cent(log, [*tables, "k1", "k2"])
        assert payments >= 5
        assert links_of(one).pools["sevens"].pool_cents == links_of(two).pools["sevens"].pool_cents == pool


async def test_before_a_deal_the_table_learns_where_the_jackpot_stands() -> None:
    async with a_floor() as floor:
        floor.chance = Sevens(5)
        one, two = await a_linked_floor(floor, 2)
        await play_rounds(floor, one, 1, random.Random(1))
        pool = links_of(floor).pools["sevens"].pool_cents
        await play_rounds(floor, two, 0, random.Random(2))
        await must(floor, DEALER, two, AskShuffle())
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, 500))
        await must(floor, DEALER, two, a.Deal())
        assert floor.hosts[two].table.jackpot_cents == pool


@pytest.mark.clause("nsw-blackjack-challenge", "18.8", "16.10")
@pytest.mark.parametrize("over", [False, True], ids=["in-the-round", "after-it"])
async def test_a_round_that_is_laid_again_leaves_the_pool_to_the_others(over: bool) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        one, _ = tables = await a_linked_floor(floor, 2)
        before = links_of(floor).pools["sevens"].pool_cents
        for table in tables:
            await must(floor, DEALER, table, AskShuffle())
            await must(floor, ALICE, table, a.PlaceWager("alice", 1, 500))
            await must(floor, ALICE, table, a.PlaceWager("alice", 1, 500, BLAZING))
            await must(floor, DEALER, table, a.Deal())
        if over:
            await play_rounds(floor, one, 1, random.Random(1))
        pool = links_of(floor).pools["sevens"].pool_cents
        assert pool == before + 2 * 65 and (floor.hosts[one].table.phase == "wagers") is over
        await must(floor, SUPERVISOR, one, a.Notice("casino-supervisor", "face-up", 2))
        assert links_of(floor).pools["sevens"].pool_cents == pool and not floor.hosts[one].table.stopped
    check_every_cent(log, tables)
    events = [event for entry in log.read("table:j1") if entry.kind == "act" for event in decode_act(entry.body).events]
    assert sum(isinstance(event, e.JackpotWagerCollected) for event in events) == 2
    assert any(isinstance(event, e.RoundTakenBack) for event in events)


@pytest.mark.parametrize(
    ("changes", "clause"),
    [({"jackpot_rate_percent": 10}, "rate"), ({"jackpot_minimum_cents": 5_000_000}, "seed")],
)
async def test_a_table_that_differs_may_not_join(changes: dict[str, Any], clause: str) -> None:
    async with a_floor() as floor:
        await a_linked_floor(floor, 0)
        answer = await floor.open_table(HOUSE, "o", "j9", an_opening(**changes))
        assert isinstance(answer, NotAllowed)
        assert answer.refusal.clauses == (load(BOOK).blazing_7s.linked.value[clause],)


async def test_every_jackpot_wager_on_the_link_is_of_one_amount() -> None:
    async with a_floor() as floor:
        (table,) = await a_linked_floor(floor, 1)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 500))
        answer = await do(floor, ALICE, table, a.PlaceWager("alice", 1, 250, BLAZING))
        assert isinstance(answer, NotAllowed)
        assert answer.refusal.clauses == (load(BOOK).blazing_7s.linked.value["wager"],)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 500, BLAZING))


async def test_who_may_open_a_link_and_which() -> None:
    async with a_floor() as floor:
        assert isinstance(await links_of(floor).open(ALICE, "l", "sevens", LINK), Denied)
        for changes in ({"minimum_cents": 7}, {"pool_cents": 1}, {"wager_cents": 300}, {"rate_percent": 101}):
            wrong = msgspec.structs.replace(LINK, **changes)
            assert isinstance(await links_of(floor).open(SUPERVISOR, "l", "sevens", wrong), NotAllowed)
        other = msgspec.structs.replace(LINK, rulebook="nsw-pontoon")
        assert isinstance(await links_of(floor).open(SUPERVISOR, "l", "sevens", other), NotAllowed)
        await a_linked_floor(floor, 0)
        assert isinstance(await links_of(floor).open(SUPERVISOR, "l2", "sevens", LINK), Unknown)
        lost = msgspec.structs.replace(an_opening(), link="nines")
        assert isinstance(await floor.open_table(HOUSE, "o", "j9", lost), Unknown)
        assert GroupCommit is type(floor.commits)


@pytest.mark.parametrize("cents", [LARGEST_CENTS + 1, 2**63, 2**64 - 1])
async def test_a_jackpot_is_opened_with_what_a_house_can_have(cents: int) -> None:
    """Blackjack Challenge 16.12: it resets; nothing there lets it stand at what no client could write."""
    async with a_floor() as floor:
        answer = await links_of(floor).open(SUPERVISOR, "l", "sevens", msgspec.structs.replace(LINK, pool_cents=cents))
        assert isinstance(answer, NotAllowed) and "does not stand above" in answer.refusal.text
        most = msgspec.structs.replace(LINK, pool_cents=LARGEST_CENTS)
        assert isinstance(await links_of(floor).open(SUPERVISOR, "m", "sevens", most), Accepted)
