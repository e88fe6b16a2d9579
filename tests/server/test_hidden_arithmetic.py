"""Nobody computes a hidden card: everything that a role can read, at every moment, and every card is tried.

Whoever attacks here knows more than anybody may: the whole entry but for one card (of a stack, but for which of two
cards comes first), and every field around it. A guess is right where it makes any digest that the role was shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.basics.cards import ALL_CARDS
from pitboss.floor.model import FLOOR_ROLES
from pitboss.floor.wire import AskShuffle
from pitboss.store import planning
from pitboss.store.chain import FORMATS, PLAIN, START, entry_hash
from pitboss.store.log import Append, Entry
from pitboss.store.stored import StoredLog
from pitboss.table import acts as a
from pitboss.table.legal import legal_acts, waiting_for
from tests.floor.memory import a_table, an_opening
from tests.floor.peopled import STAFF, caller
from tests.floor.playing import must
from tests.server.test_accounts import Web, web

DIGEST = re.compile(r"[0-9a-f]{64}")
SALT = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
PATHS = (
    "/api/log/head", "/api/tables", "/api/tables/t1", "/api/tables/t1/events", "/api/tables/t1/rounds",
    "/api/tables/t1/rounds/1", "/api/log/search", "/api/log/tables", "/api/log/export", "/api/approvals", "/api/me",
    "/metrics", "/healthz", "/readyz",
)  # fmt: skip
ALICE, BOB, DEALER, SUPERVISOR = map(caller, ("alice", "bob", "dealer-1", "supervisor-1"))
ATTACKERS = {role: name for name, role in reversed(STAFF.items()) if role in FLOOR_ROLES}


class Reader:
    """Somebody who keeps every digest that he is shown, and everything that might be a salt."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.digests: set[str] = set()
        self.salts: set[bytes] = {b""}
        self.heads: dict[int, bytes] = {0: START}

    async def look(self, *paths: str) -> None:
        for path in paths:
            answer = await self.browser.get(path)
            self._keep(answer.text + repr(answer.headers))
            if path.endswith("/head") and answer.status_code == 200:
                told = answer.json()
                self.heads[told["seq"]] = bytes.fromhex(told["hash"])

    async def verify(self) -> None:
        self._keep((await self.browser.post("/api/log/verify", json={})).text)

    def _keep(self, text: str) -> None:
        self.digests.update(DIGEST.findall(text))
        self.salts.update(map(bytes.fromhex, SALT.findall(text)))
        for line in text.splitlines():
            if line.startswith('{"seq":'):
                told = msgspec.json.decode(line.partition("Headers(")[0])
                self.heads[told["seq"]] = bytes.fromhex(told["hash"])

    def finds(self, entry: Entry, guess: bytes) -> bool:
        """Whether something that he was shown says that a guess is right."""
        texts = entry.stream.encode(), entry.by.encode(), entry.command.encode(), entry.kind.encode()
        known = [START] if entry.seq == 1 else [h for seq, h in self.heads.items() if seq == entry.seq - 1]
        tried = {sha256(guess).hexdigest()}
        for salt in self.salts:
            tried |= {sha256(salt + guess).hexdigest(), sha256(guess + salt).hexdigest()}
            for previous in known:
                for format in FORMATS:
                    made = entry_hash(
                        previous, format, entry.seq, texts[0], entry.version, entry.at_ms, texts[1], texts[2],
                        entry.remaining, texts[3], guess, entry.answer, salt,
                    )  # fmt: skip
                    tried.add(made.hex())
        return bool(tried & self.digests)


def guesses(body: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """What is hidden in an act, each with everything that it might be."""
    said = msgspec.json.decode(body)
    for index, event in enumerate(said["events"]):
        kind = event["event"]
        if kind == "StackArranged":
            yield "the order of the stack", [body, _with_two_exchanged(body, event["order"])]
        is_down = kind == "CardDealt" and event.get("face_down")
        if kind == "CardBurned" or is_down or (kind == "CardDrawnInError" and not event["exposed"]):
            tried = []
            for card in ALL_CARDS:
                events = [*said["events"]]
                events[index] = event | {"card": card}
                tried.append(msgspec.json.encode(said | {"events": events}))
            yield kind, tried


def _with_two_exchanged(body: bytes, order: list[str]) -> bytes:
    last = next(n for n in range(len(order) - 2, -1, -1) if order[n] != order[-1])
    other = [*order]
    other[last], other[-1] = order[-1], order[last]
    old, new = (msgspec.json.encode(cards) for cards in (order, other))
    return body.replace(old, new)


async def a_hidden_round(site: Web, readers: list[Reader]) -> list[Entry]:
    """A shuffle, a burned card, a card drawn in error that nobody saw, hands face down; everybody looks at each step.

    Gives the entries of the table.
    """
    floor, table = site.house.floor, "t1"
    await a_table(floor, table, an_opening("nsw-pontoon", face_down=True))
    host = floor.hosts[table]

    async def step(by: Any, act: Any) -> None:
        await must(floor, by, table, act)
        for reader in readers:
            await reader.look("/api/log/head")

    for reader in readers:
        await reader.look("/api/log/head")
    await step(DEALER, AskShuffle())
    while (what := waiting_for(host.table).what) in ("cut", "cutting-card"):
        await step(SUPERVISOR if what == "cut" else DEALER, legal_acts(host.table)[0])
    await step(ALICE, a.PlaceWager("alice", 1, 1000))
    await step(BOB, a.PlaceWager("bob", 2, 1000))
    await step(DEALER, a.Deal())
    await step(SUPERVISOR, a.DrawInError())
    for reader in readers:
        await reader.look(*PATHS, *(f"/api/tables/t1/at/{version}" for version in range(1, host.version + 1)))
        await reader.verify()
    return list(floor.commits.log.read("table:t1"))


def computed(readers: dict[str, Reader], entries: list[Entry]) -> dict[str, set[str]]:
    """What each role found out."""
    found: dict[str, set[str]] = {role: set() for role in readers}
    tried = 0
    for entry in entries:
        if entry.kind == "act":
            for what, bodies in guesses(entry.body):
                assert entry.body in bodies, "the truth is among what is tried"
                tried += 1
                for role, reader in readers.items():
                    if any(reader.finds(entry, guess) for guess in bodies):
                        found[role].add(what)
    assert tried >= 6
    return found


HIDDEN = {"the order of the stack", "CardBurned", "CardDealt", "CardDrawnInError"}


async def attacked(path: Path) -> tuple[dict[str, set[str]], list[Entry]]:
    async with web(path) as site:
        readers = {role: Reader(await site.as_(name)) for role, name in ATTACKERS.items()}
        entries = await a_hidden_round(site, list(readers.values()))
        for role, reader in readers.items():
            assert len(reader.heads) > len(entries), role
        return computed(readers, entries), entries


async def test_no_role_computes_anything_hidden_from_what_it_can_read(tmp_path: Path) -> None:
    found, entries = await attacked(tmp_path)
    assert set(found) == set(FLOOR_ROLES) and found == {role: set() for role in found}
    kinds = {what for entry in entries if entry.kind == "act" for what, _ in guesses(entry.body)}
    assert kinds == HIDDEN


def _rows_without_salt(
    rows: list[Any], _: object, item: Append, seq: int, previous: bytes, versions: dict[str, int], *__: object
) -> tuple[int, bytes]:
    """As entries were written before they had salts."""
    remaining = sum(len(part.entries) for part in item.parts)
    for part in item.parts:
        version = part.expected
        for entry in part.entries:
            seq, version, remaining = seq + 1, version + 1, remaining - 1
            answer = item.answer if item.command and not remaining else b""
            names = part.stream.encode(), item.by.encode(), item.command.encode(), entry.kind.encode()
            previous = entry_hash(
                previous, PLAIN, seq, names[0], version, item.at_ms, names[1], names[2], remaining, names[3],
                entry.body, answer,
            )  # fmt: skip
            rows.append(
                (seq, PLAIN, part.stream, version, item.at_ms, item.by, item.command, remaining, entry.kind, entry.body,
                 answer, b"", previous)
            )  # fmt: skip
        versions[part.stream] = version
    return seq, previous


async def test_the_same_attack_finds_everything_in_a_log_without_salts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "_add_rows", _rows_without_salt)
    found, entries = await attacked(tmp_path)
    assert {entry.format for entry in entries} == {PLAIN}
    assert found == dict.fromkeys(FLOOR_ROLES, HIDDEN)


async def test_whoever_reads_the_database_finds_no_hidden_card_in_it(tmp_path: Path) -> None:
    """Not in the file, not by trying against what stands in its rows, and not by how long they are."""
    async with web(tmp_path) as site:
        entries = await a_hidden_round(site, [])
        log: Any = site.house.floor.commits.log
        stored: StoredLog = log
        rows = {row[0]: row for row in stored.rows()}
        hidden = [entry for entry in entries if entry.kind == "act" and any(guesses(entry.body))]
        assert hidden and all(rows[entry.seq][12] and not rows[entry.seq][11] for entry in hidden)
        operator = Reader(None)
        operator.heads |= {seq: row[-1] for seq, row in rows.items()}
        operator.digests |= {field.hex() for row in rows.values() for field in row[11:]}
        operator.salts |= {row[11] for row in rows.values()}
        for entry in hidden:
            for _, bodies in guesses(entry.body):
                assert not any(operator.finds(entry, guess) for guess in bodies)
        people = [row for row in rows.values() if row[2] == "people"]
        assert people and all(row[12] for row in people)
    for file in tmp_path.glob("floor.db*"):
        data = file.read_bytes()
        assert b"nsw-pontoon" in data or file.suffix != ".db"
        for mark in (b"StackArranged", b'"order":[', b"CardBurned", b"CardDrawnInError", b"$argon2id$", b"token_hash"):
            assert mark not in data, (file.name, mark)
