"""What leaves the house with an export or a record, and what does not: undealt, burned and hidden cards are flipped in
the log, and whoever may not know them is given the same as before."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from pitboss.floor import round_records
from pitboss.floor.editions import text_stream
from pitboss.floor.host import decode_act
from pitboss.floor.model import HOUSE
from pitboss.floor.wire import AskShuffle
from pitboss.floor.withheld import CARDS, FACE_DOWN, SECRETS, withheld
from pitboss.rulebooks import RULEBOOKS
from pitboss.server import log_routes, proofs
from pitboss.store.chain import Row
from pitboss.store.log import Append, Entry, Head, Outcome
from pitboss.table import acts as a
from pitboss.table import events as e
from tests.floor.memory import ALICE, BOB, DEALER, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import must, play_out, ready, wander
from tests.floor.test_views_never_leak import a_void_round, flipped_card, with_other_cards

BURNS = "nsw-pontoon"
NO_BURN = "adelaide-pontoon-2008"
"""Hands may lie face down, and no burned card keeps the deal here anyway."""


def rows(log: MemoryLog) -> list[Row]:
    return [row_of(each.seq, each.stream, each.version, each.kind, each.body) for each in log.entries]


def row_of(seq: int, stream: str, version: int, kind: str, body: bytes) -> Row:
    return (seq, 1, stream, version, 0, "", "", 0, kind, body, b"", b"", b"", b"", b"")


def exported(log: MemoryLog) -> str:
    """Everything that an inspector is given, in one text."""
    why = withheld(rows(log))
    shown = [row for row in rows(log) if not row[2].startswith(text_stream(""))]  # what a rulebook says is no card
    return "\n".join(why(row) or row[9].decode() for row in shown)


def flipped(log: MemoryLog) -> MemoryLog:
    """The same log with every card changed that was never dealt: burned ones, and those still in the stack."""
    new = MemoryLog()
    for entry in log.entries:
        body = entry.body
        if entry.kind == "act":
            said = msgspec.json.decode(body)
            for event in said["events"]:
                if event["event"] == "CardBurned":
                    event["card"] = flipped_card(event["card"])
            body = msgspec.json.encode(said)
        changed = Entry(
            entry.seq, entry.stream, entry.version, entry.at_ms, entry.by, entry.command, entry.kind, body, entry.hash
        )
        new.entries.append(changed)
        new.by_stream.setdefault(entry.stream, []).append(changed)
    return new


def burned(log: MemoryLog) -> list[str]:
    return [
        event.card
        for entry in log.read("table:t1")
        if entry.kind == "act"
        for event in decode_act(entry.body).events
        if isinstance(event, e.CardBurned)
    ]


async def played(log: MemoryLog, rounds: int, seed: int, **house: Any) -> None:
    async with a_floor(log, seed=seed) as floor:
        table = await a_table(floor, "t1", an_opening(BURNS, **house))
        await play_out(floor, table, rounds, random.Random(seed), [ALICE, BOB])


@pytest.mark.parametrize("seed", range(4))
async def test_what_was_burned_is_nobodys_knowledge_while_the_shoe_is_in_play(seed: int) -> None:
    """NSW pontoon 4.9: it lies face down in the rack and is not exposed, to an inspector no more than to others."""
    log = MemoryLog()
    await played(log, 2, seed)
    other = flipped(log)
    assert burned(log) and burned(log) != burned(other)
    assert exported(log) == exported(other)
    assert "CardBurned" not in exported(log) and FACE_DOWN in exported(log) and CARDS in exported(log)
    for number in (1, 2):
        for reader in (None, "alice", "bob"):
            assert round_records.record_of_round(log, "t1", number, reader) == round_records.record_of_round(
                other, "t1", number, reader
            )


async def test_once_the_table_has_shuffled_anew_the_house_is_told() -> None:
    log = MemoryLog()
    await played(log, 80, 1)
    other = flipped(log)
    assert len(burned(log)) > 1, "more than one shoe"
    assert "CardBurned" in exported(log) and exported(log).count(FACE_DOWN) == 1
    assert round_records.record_of_round(log, "t1", 1) != round_records.record_of_round(other, "t1", 1)
    assert round_records.record_of_round(log, "t1", 1, "alice") == round_records.record_of_round(
        other, "t1", 1, "alice"
    )


async def test_hands_that_lie_face_down_stay_here_until_the_round_is_over() -> None:
    log = MemoryLog()
    async with a_floor(log, seed=3) as floor:
        table = await a_table(floor, "t1", an_opening(BURNS, face_down=True))
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        assert "PlaceWager" in exported(log)
        await must(floor, DEALER, table, a.Deal())
        assert floor.hosts[table].table.boxes[1].hands[0].face_down
        assert "CardDealt" not in exported(log) and "TurnCame" not in exported(log)
        await play_out(floor, table, 1, random.Random(1), [ALICE])
        assert "CardDealt" in exported(log) and "PlaceWager" in exported(log)


def test_accounts_leave_only_who_and_when() -> None:
    body = b'{"password":"$argon2id$..."}'
    kept = [row_of(n, stream, 1, "x", body) for n, stream in enumerate(("people", "checkpoints:people"))]
    why = withheld(iter(kept))
    assert why(kept[0]) == SECRETS and why(kept[1]) in (SECRETS, CARDS)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_no_order_of_a_stack_in_play_leaves_the_house(rulebook: str) -> None:
    log = MemoryLog()
    async with a_floor(log, seed=6) as floor:
        table = await a_table(floor, "t1", an_opening(rulebook))
        await play_out(floor, table, 3, random.Random(2), [ALICE, BOB])
        host = floor.hosts[table]
        assert '"order"' not in exported(log) and "StackArranged" not in exported(log)
        undealt = msgspec.json.encode(host.table.stack[host.table.position :][:6]).decode()
        assert undealt.strip("[]") not in exported(log)


class Noting(MemoryLog):
    """Keeps which bodies were to be sealed."""

    def __init__(self) -> None:
        super().__init__()
        self.sealed: dict[bytes, bool] = {}

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        for item in batch:
            for part in item.parts:
                self.sealed |= {new.body: new.hidden for new in part.entries}
        return super().append(batch)


@pytest.mark.parametrize("face_down", [False, True])
@pytest.mark.parametrize("rulebook", [BURNS, NO_BURN])
async def test_whatever_is_ever_withheld_at_a_table_is_sealed_in_the_log(rulebook: str, face_down: bool) -> None:
    """At every moment of long sessions in which everything goes wrong too."""
    log = Noting()
    async with a_floor(log, seed=8) as floor:
        table = await a_table(floor, "t1", an_opening(rulebook, face_down=face_down))
        for part in range(12):
            await wander(floor, table, 40, part, mishaps=0.3)
            why = withheld(rows(log))
            for row in rows(log):
                if row[2].startswith(("table:", "checkpoints:table:")):
                    assert log.sealed[row[9]] or not why(row), row
    assert any(log.sealed.values()) and (face_down or not all(log.sealed.values()))


async def test_a_round_that_ended_before_all_cards_were_turned_up_stays_until_the_next_shuffle() -> None:
    log = MemoryLog()
    await a_void_round(log, NO_BURN)
    assert not burned(log)
    other = with_other_cards(log, 1, 2)
    assert rows(log) != rows(other) and exported(log) == exported(other)
    assert "CardDealt" not in exported(log) and FACE_DOWN in exported(log)
    async with a_floor(log, seed=2) as floor:
        await must(floor, HOUSE, "t1", a.OrderShuffle("gaming-manager", "doubt"))
        assert "CardDealt" not in exported(log) and "OrderShuffle" in exported(log)
        await must(floor, DEALER, "t1", AskShuffle())
    assert "CardDealt" in exported(log)


class Growing:
    """A log in which a round is dealt face down while somebody reads it for the first time."""

    sealing = SimpleNamespace(opened=lambda row: row)

    def __init__(self, log: MemoryLog, first: int) -> None:
        self.all = rows(log)
        self.now = first

    def head(self) -> Head:
        return Head(self.now, b"")

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        yield from self.all[after : self.now if limit is None else min(self.now, after + limit)]
        self.now = len(self.all)


async def a_hand_face_down(log: MemoryLog) -> int:
    """Gives how many entries there are before the deal."""
    async with a_floor(log, seed=3) as floor:
        table = await a_table(floor, "t1", an_opening(NO_BURN, face_down=True))
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        first = len(log.entries)
        await must(floor, DEALER, table, a.Deal())
    return first


async def test_what_is_dealt_during_an_export_is_not_in_it() -> None:
    log = MemoryLog()
    first = await a_hand_face_down(log)
    out = BytesIO()
    growing: Any = Growing(log, first)
    log_routes._export(growing, out)
    assert growing.now > first and b"PlaceWager" in out.getvalue() and b"CardDealt" not in out.getvalue()


async def test_nor_in_one_for_analysis(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    log = MemoryLog()
    first = await a_hand_face_down(log)

    async def run_long(who: str, function: Any) -> Any:
        return function()

    stored = SimpleNamespace(log=Growing(log, first))
    floor: Any = SimpleNamespace(commits=stored, gate=SimpleNamespace(run_long=run_long))
    await proofs._write_parquet(floor, "ines", tmp_path / "log.parquet")
    bodies = duckdb.sql(f"SELECT body FROM read_parquet('{tmp_path / 'log.parquet'}')").fetchall()
    assert len(bodies) == first and not any("CardDealt" in body for (body,) in bodies)
