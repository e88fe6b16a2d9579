"""The books of the house tie to the cent: tables, people over all tables, and a log on disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss import open_table, play
from pitboss.chance import Chance
from pitboss.cli import main
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.folds import HouseBooks
from pitboss.floor.model import HOUSE, Denied, NotAllowed
from pitboss.ledger.books import Books
from pitboss.ledger.guard import cloth
from pitboss.rulebooks import RULEBOOKS
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from tests.floor.memory import DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import ANYBODY, must, wander


def books_of(floor: Floor) -> Books:
    books: Books = floor.projections.ask(
        HouseBooks, lambda fold: msgspec.json.decode(msgspec.json.encode(fold.books), type=Books)
    )
    return books


def check(floor: Floor, books: Books) -> None:
    """What the tables know and what the books say."""
    assert books.total() == 0 == sum(books.trial_balance().values())
    nets: dict[str, int] = {}
    for table, host in floor.hosts.items():
        for name, cents in host.table.net.items():
            nets[name] = nets.get(name, 0) + cents
            assert books.standings(name, table).get(name, {}).get(table, 0) == cents
        for number in range(1, host.table.house.boxes + 1):
            box = host.table.boxes.get(number)
            lies = sum(cloth(box).values()) if box is not None else 0
            assert books.balances.get(f"{table}/box:{number}", 0) == lies
        if "blazing-7s" in host.table.house.side_bets:
            assert books.balances[f"{table}/jackpot"] == host.table.jackpot_cents
        own = books.trial_balance(table=table)
        assert all(name.startswith(f"{table}/") for name in own)
    for name, cents in nets.items():
        assert sum(books.standings(name)[name].values() if books.standings(name) else ()) == cents
        assert sum(books.trial_balance(person=name).values()) == cents, "chips and tokens, less what was paid for them"


async def test_the_same_people_at_five_tables_with_everything_that_goes_wrong() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        for number, rulebook in enumerate(RULEBOOKS):
            await a_table(floor, f"t{number}", an_opening(rulebook))
        for seed in range(3):
            for number in range(len(RULEBOOKS)):
                await wander(floor, f"t{number}", 120, 10 * seed + number, 0.08)
            check(floor, books_of(floor))
    async with a_floor(log) as floor:
        check(floor, books_of(floor))


async def test_fills_credits_chips_and_tokens_are_the_houses_too() -> None:
    async with a_floor() as floor:
        await a_table(floor, "one")
        await a_table(floor, "two")
        for table in ("one", "two"):
            floor.hosts[table]._permit = lambda caller, act, state: None
        await must(floor, ANYBODY, "one", a.FillFloat("casino-supervisor", 500_000))
        await must(floor, DEALER, "one", a.BuyChips("alice", 10_000), a.IssueTokens("dealer", "alice", 2_000))
        await must(floor, ANYBODY, "two", a.FillFloat("casino-supervisor", 300_000))
        await must(floor, ANYBODY, "two", a.CreditFloat("casino-supervisor", 100_000))
        books = books_of(floor)
        assert books.trial_balance() == {
            "cage": -700_000, "cash:alice": -10_000, "one/drop": 10_000, "one/float": 490_000, "player:alice": 10_000,
            "one/vouchers": 2_000, "promotion": -2_000, "tokens:alice": 2_000, "two/float": 200_000,
            "voucher:alice": -2_000,
        }  # fmt: skip
        assert books.standings() == {"alice": {"one": 0}}


async def test_a_float_has_what_the_table_was_opened_with() -> None:
    async with a_floor() as floor:
        await a_table(floor, "one", replace(an_opening(), float_cents=250_000))
        assert books_of(floor).trial_balance() == {"cage": -250_000, "one/float": 250_000}
        asked = replace(an_opening(), float_cents=100)
        alone = await floor.open_table(SUPERVISOR, "o2", "two", asked)
        assert isinstance(alone, Denied) and "FillFloat" in alone.text, "two people count what comes to a float"
        wrong = await floor.open_table(HOUSE, "o3", "three", replace(asked, float_cents=-100))
        assert isinstance(wrong, NotAllowed) and "in its float" in wrong.refusal.text


async def test_tournament_chips_are_no_money() -> None:
    books = Books()
    books.open("finals", tournament=True)
    table = open_table("nsw-pontoon", cards="Ks 9s Kd 9h")
    _, events = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.Stand("alice", 1))
    for _ in books.post("finals", events):
        pass
    assert books.trial_balance() == {"finals/float": -1000, "tournament:finals:alice": 1000}
    assert books.trial_balance(person="alice") == {"tournament:finals:alice": 1000}


def test_the_command_reads_a_log_on_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "floor.db"

    async def played() -> None:
        floor = Floor(GroupCommit(open_log(str(path))), clock=SystemClock(), chance=Chance(3))
        await floor.start()
        await a_table(floor, "one")
        await must(floor, DEALER, "one", a.BuyChips("alice", 10_000))
        await floor.stop(0)

    asyncio.run(played())
    assert main(["ledger", str(path)]) == 0
    text = capsys.readouterr().out
    assert "player:alice" in text and "$100.00" in text and "all accounts together: $0.00" in text
    assert main(["ledger", str(path), "--account", "one/float"]) == 0
    text = capsys.readouterr().out
    assert "alice buys $100.00 in chips" in text and "one/float: 1 posting, -$100.00" in text
    assert main(["ledger", str(path), "--person", "alice", "--json"]) == 0
    said = msgspec.json.decode(capsys.readouterr().out)
    assert said["accounts"] == {"cash:alice": -10_000, "player:alice": 10_000} and said["total_cents"] == 0
    assert main(["ledger", str(path), "--table", "one", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["accounts"] == {"one/drop": 10_000, "one/float": -10_000}
    for option in ("--table", "--person", "--account"):
        assert main(["ledger", str(path), option, "nope"]) == 2
        assert f"has no {option[2:]} 'nope'; it has " in capsys.readouterr().err
    assert main(["ledger", str(tmp_path / "none.db")]) == 2
