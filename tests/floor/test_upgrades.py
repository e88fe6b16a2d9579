"""A log that an older Pitboss left in mid-round goes on: nothing of it is lost, and it is played by its own text.

`logs/schema-6.sql.xz` is such a log, written by a server that was killed: accounts, a patron with a card and a loss
limit, a table of each rulebook with a hand to be decided; what is hidden is sealed with `logs/seal.key`. Terms and
schema have grown since: whoever adds a term says in `ADDED` (`rulebooks/editions.py`) what was done before it.
"""

from __future__ import annotations

import itertools
import lzma
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pitboss.floor.folds import HouseBooks
from pitboss.floor.host import Host
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.patrons.state import loss_left
from pitboss.rulebooks import load
from pitboss.rulebooks.load import terms
from pitboss.store.addresses import without_schema
from pitboss.store.migrations import POSTGRES, SCHEMA
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from pitboss.table import acts as a
from pitboss.table.legal import waiting_for
from tests.floor.memory import ALICE, BOB, DEALER, a_floor, a_table
from tests.floor.playing import must
from tests.store.servers import execute, postgres, stop

LOGS = Path(__file__).parent / "logs"
OLD = 6
OTHERS = ("adelaide-pontoon-2008", "canberra-pontoon-2005", "canberra-pontoon-2002", "nsw-blackjack-challenge")
_numbers = itertools.count()


def pytest_sessionfinish() -> None:
    stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a log as it was left."""
    key = tmp_path / "seal.key"
    key.write_bytes((LOGS / "seal.key").read_bytes())
    key.chmod(0o600)  # a checkout lets others read it, and such a key is not taken
    monkeypatch.setenv("PITBOSS_SEAL_KEY_FILE", str(key))
    path = tmp_path / "log.db"
    with sqlite3.connect(path) as left:
        left.executescript(lzma.decompress((LOGS / f"schema-{OLD}.sql.xz").read_bytes()).decode())
    if request.param == "sqlite":
        left.close()
        yield str(path)
        return
    address = f"{postgres()}&schema=upgrade_{os.getpid()}_{next(_numbers)}"
    server, schema = without_schema(address)
    execute(address, f'CREATE SCHEMA "{schema}"', *POSTGRES[:OLD], f"UPDATE about SET schema_version = {OLD}")
    with psycopg.connect(server) as there:
        there.execute(f'SET search_path = "{schema}"')
        for table in ("entries", "data_keys"):
            rows = left.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in rows.description]
            values = ", ".join(["%s"] * len(names))
            there.cursor().executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values})", rows.fetchall())  # type: ignore[arg-type]
    left.close()
    yield address
    execute(address, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


def test_it_is_read_as_it_is(old: str) -> None:
    log = open_log(old, read_only=True)
    found = verify(log)
    assert log.schema == OLD and found.is_sound and found.opened == found.sealed > 20
    log.close()


async def test_it_is_played_on(old: str) -> None:
    log = open_log(old)
    assert log.schema == SCHEMA
    async with a_floor(log) as floor:
        for rulebook in ("nsw-pontoon", *OTHERS):
            host = await floor.host_of(rulebook)
            assert isinstance(host, Host), host
            assert waiting_for(host.table).what == "decision"
            assert host.table.rulebook.edition != load(rulebook).edition
            assert all(term.clauses for _, term in terms(host.table.rulebook))
        patrons = patrons_of(floor)
        await patrons.load("alice")
        card = patrons.book.file("alice").card
        assert card is not None and card.number == "S-1001" and loss_left(patrons.book.file("alice")) == 95_000

        table = floor.hosts["nsw-pontoon"]
        await must(floor, ALICE, "nsw-pontoon", a.Stand("alice", 1))
        for other in OTHERS:
            await must(floor, BOB, other, a.Stand("bob", 1))
        assert {host.table.phase for host in floor.hosts.values()} == {"wagers"}
        left = loss_left(patrons.book.file("alice"))
        assert left == 100_000 + table.table.net["alice"]
        await must(floor, ALICE, "nsw-pontoon", a.PlaceWager("alice", 1, 2_500))
        assert loss_left(patrons.book.file("alice")) == left - 2_500
        await must(floor, DEALER, "nsw-pontoon", a.Deal())
        books = floor.projections.ask(HouseBooks, lambda fold: fold.books)
        assert sum(books.balances.values()) == 0 and books.balances["player:alice"] == table.table.net["alice"]

        await a_table(floor, "new")
        assert floor.hosts["new"].table.rulebook.edition == load("nsw-pontoon").edition
    assert verify(log).is_sound
    log.close()
