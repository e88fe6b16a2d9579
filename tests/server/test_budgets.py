"""Attacks on memory, on the log and on everybody's time by one account: each has a budget, and gives back what it took.

Written after they succeeded: an account with twenty sockets took gigabytes that it never gave back, and players wrote
700 entries a second into the log by being denied.
"""

from __future__ import annotations

import asyncio
import gc
import gzip
import socket
import threading
import tracemalloc
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.floor.audit import AT_ONCE, SUBJECTS_MAX, SUMMARY_SECONDS, Audit, Note
from pitboss.floor.gate import WORK_BURST, WORK_RATE, Busy, Gate
from pitboss.floor.model import Caller, Denied
from pitboss.rulebooks import RULEBOOKS
from pitboss.server import description, packing, patience, training, unchanging
from pitboss.server.app import Server
from pitboss.server.budgets import Buckets, Held, Limits, Rates, Whom
from pitboss.server.live import UNREAD, Connection
from pitboss.server.metrics import Metrics
from pitboss.server.security import REFUSED_SECONDS, Guard
from pitboss.server.serving import web_server
from pitboss.server.sockets import PIECE
from pitboss.store.log import StoreError
from tests.floor.peopled import Peopled, peopled, session_of
from tests.server.fuzzing import HANDSHAKE, client_frame
from tests.server.running import Running
from tests.server.test_accounts import web
from tests.server.test_patience import ASKED, App
from tests.server.test_sockets import Slow, on_a_line

TINY = client_frame(1, b"xy") * 32_000
"""As much as is read at once, in frames so small that each takes many times as much when it is looked at."""
ALICE = Whom.of("alice", "192.0.2.1")


# --- closed lines free at once ---------------------------------------------------------------------------------------


@asynccontextmanager
async def serving(path: Path) -> AsyncIterator[tuple[Server, Peopled, int]]:
    """A real server in this process, at a port."""
    async with peopled(path, staff=True) as house:
        server = Server(house.floor, house.reception, Guard())
        listening = socket.create_server(("127.0.0.1", 0))
        web = web_server(server)
        task = asyncio.create_task(web.serve(sockets=[listening]))
        while not web.started:
            await asyncio.sleep(0.01)
        try:
            yield server, house, listening.getsockname()[1]
        finally:
            web.should_exit = web.force_exit = True
            await task


async def shake_hands(port: int, token: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HANDSHAKE.format(token).encode())
    return reader, writer, await reader.readuntil(b"\r\n\r\n")


@contextmanager
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def until(holds: Any, seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("goodbye", ["cut off", "closes", "breaks the protocol", "does not read"])
async def test_a_closed_line_is_free_at_once(tmp_path: Path, goodbye: str) -> None:
    """No collector runs: nothing of a line that is closed is kept by a circle."""
    async with serving(tmp_path) as (server, house, port):
        token = (await session_of(house, "alice")).token
        first = await shake_hands(port, token)  # what is made once is made by now
        with without_collector():
            reader, writer, head = await shake_hands(port, token)
            assert b" 101 " in head
            await until(lambda: len(server.live.connections) == 2)
            connection, line = list(server.live.connections.items())[-1]
            kept = [weakref.ref(each) for each in (connection, line, line.conn)]
            del connection, line
            writer.write(TINY if goodbye in ("cut off", "does not read") else client_frame(1, b'{"do":"ping"}'))
            if goodbye == "closes":
                writer.write(client_frame(8, b"\x03\xe8"))
            elif goodbye == "breaks the protocol":
                writer.write(b"\xff" * 20)
            elif goodbye == "does not read":
                await asyncio.sleep(0.05)
                writer.close()
            else:
                writer.transport.abort()
            with suppress(OSError, asyncio.IncompleteReadError):
                await reader.readexactly(1 << 20)
            writer.transport.abort()
            await until(lambda: len(server.live.connections) == 1)
            await until(lambda: not any(each() for each in kept))
        assert server.guard.sockets.all == 1
        first[1].transport.abort()


async def test_a_closed_connection_and_its_answer_are_free_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as (server, _, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/rulebooks/nsw-pontoon HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()
        await until(lambda: server.guard.connections.all == 0)
        with without_collector():
            before = sum(type(each) is patience.Patient for each in gc.get_objects())
            for _ in range(5):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"GET /api/rulebooks/nsw-pontoon HTTP/1.1\r\nHost: localhost\r\n\r\n")
                await reader.readuntil(b"\r\n\r\n")
                writer.transport.abort()
            await until(lambda: server.guard.connections.all == 0)
            await until(lambda: sum(type(each) is patience.Patient for each in gc.get_objects()) <= before)


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


async def test_an_account_that_comes_and_goes_with_twenty_sockets_leaves_nothing(tmp_path: Path) -> None:
    """Before, each wave left some sixteen megabytes, for ever."""
    with Running(tmp_path, "--empty") as server:
        token = server.guest("sol")
        before = 0
        for wave in range(12):
            made = await asyncio.gather(*(shake_hands(server.port, token) for _ in range(20)))
            for _, writer, head in made:
                if b" 101 " in head:
                    writer.write(TINY)
            await asyncio.sleep(0.05)
            for _, writer, _ in made:
                writer.transport.abort()
            if wave == 1:
                before = resident(server.process.pid)
        grown = resident(server.process.pid) - before
        assert grown < 24 << 20, f"{grown >> 20} MB are left"
        assert server.ask("GET", "/readyz") == (200, {"ready": True})


# --- what is kept for somebody ---------------------------------------------------------------------------------------


async def test_frames_are_looked_at_only_as_far_as_their_client_may_speak() -> None:
    line, _, talking = await on_a_line(Slow())
    line.data_received(client_frame(1, b"{}"))
    tracemalloc.start()
    try:
        line.data_received(TINY)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2 * len(TINY), f"{most} bytes for {len(TINY)}"
    talking.cancel()


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(1, 60), st.booleans()), max_size=80)
)
def test_what_is_kept_never_passes_a_budget_and_is_given_back(steps: list[tuple[str, str, int, bool]]) -> None:
    held, kept = Held(100, 150, 250), list[tuple[Whom, int]]()
    for account, address, size, gives_back in steps:
        if gives_back and kept:
            held.remove(*kept.pop(0))
        else:
            whom = Whom(account, address)
            own = sum(each for of, each in kept if of.account == account)
            there = sum(each for of, each in kept if of.address == address)
            room = own + size <= 100 and there + size <= 150 and held.all + size <= 250
            assert held.add(whom, size) == room, "neither more nor less"
            if room:
                kept.append((whom, size))
        assert held.all == sum(size for _, size in kept)
    for each in kept:
        held.remove(*each)
    assert held.all == 0 and not held._accounts and not held._addresses


def connection(house: Peopled, guard: Guard, name: str = "alice", session: str = "") -> Connection:
    return Connection(house.floor, Caller(name, "player", session), Metrics(), guard, Whom.of(name, "192.0.2.1"))


async def test_whoever_does_not_read_is_cut_off_before_it_costs_much(tmp_path: Path) -> None:
    async with peopled(tmp_path) as house:
        guard = Guard(limits=Limits(held_bytes=10_000))
        one, other = connection(house, guard), connection(house, guard)
        for _ in range(9):
            one.say(b"x" * 1000)
        assert one.over is None and guard.held.all == 9000
        other.say(b"x" * 2000)
        assert other.over == UNREAD, "his sockets have one budget together"
        assert one.next() is not None and guard.held.all == 8000
        one.gone()
        other.gone()
        assert guard.held.all == 0


async def test_all_sessions_of_an_account_have_one_budget(tmp_path: Path) -> None:
    async with peopled(tmp_path) as house:
        guard = Guard(limits=Limits(acts_rate=0.001, acts_burst=10))
        heard = [connection(house, guard, session=f"s{number}").hear(b'{"do":"ping"}') for number in range(12)]
        assert [bool(wait) for wait in heard] == [False] * 10 + [True] * 2
        assert connection(house, guard, "bob").hear(b'{"do":"ping"}') == 0


def test_an_address_has_a_budget_of_its_own() -> None:
    rates = Rates(Buckets(1, 3, lambda: 0.0), Buckets(1, 5, lambda: 0.0))
    assert [bool(rates.allow(Whom(name, "x"))) for name in "aaaabbb"] == [False, False, False, True, False, False, True]
    assert not rates.allow(Whom("b", "y")) and not rates.allow(Whom("", "z"))


async def test_an_answer_that_nobody_reads_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "UNREAD_SECONDS", 0.05)
    app = App(Limits(held_bytes_address=1000))
    http, wire = app.called()
    http.data_received(ASKED)
    waiting = [900]
    wire.get_write_buffer_size = lambda: waiting[0]  # type: ignore[method-assign]
    http.pause_writing()
    assert app.guard.held.all == 900
    waiting[0] = 500
    await asyncio.sleep(0.07)
    assert not wire.closed, "he reads, slowly"
    await until(lambda: wire.closed)
    http.connection_lost(None)
    assert app.guard.held.all == 0
    other, unread = app.called()
    waiting[0] = 1001
    unread.get_write_buffer_size = lambda: waiting[0]  # type: ignore[method-assign]
    other.pause_writing()
    assert unread.closed and app.guard.turned_away["bytes"] == 1, "more than anybody there may leave unread"


# --- work ------------------------------------------------------------------------------------------------------------


async def test_work_for_one_person_is_budgeted_and_nobody_else_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, loop = Gate(), asyncio.get_running_loop()
    now, worked = [loop.time()], [0.0]

    def long() -> None:
        worked[0] += WORK_BURST + 10 * WORK_RATE

    monkeypatch.setattr(loop, "time", lambda: now[0])
    monkeypatch.setattr("pitboss.floor.gate.thread_time", lambda: worked[0])
    await gate.run("mallory", long)
    with pytest.raises(Busy) as busy:
        await gate.run("mallory", int)
    assert busy.value.status == 429 and 1 <= busy.value.seconds <= 60
    assert await gate.run("alice", int) == 0
    await gate.run_long("mallory", int)
    now[0] += busy.value.seconds
    assert await gate.run("mallory", int) == 0
    monkeypatch.undo()
    await gate.close()


async def test_trainings_of_one_person_take_no_more_than_a_few(tmp_path: Path) -> None:
    """Two hundred of them took two hundred megabytes, and whoever came back to one had it dealt again in the loop."""
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        begun = [await alice.post("/api/training", json={"rulebook": "nsw-pontoon", "seed": f"{n}"}) for n in range(9)]
        trainings = [answer.json() for answer in begun]
        kept = site.server.routes.state["trainings"]
        assert len(kept._going) == training.KEPT_EACH
        asked, threads = site.house.floor.gate.running, set()
        dealt = training._as_begun

        def noted(began: training.Began) -> Any:
            threads.add(threading.current_thread().name)
            return dealt(began)

        training._as_begun = noted  # type: ignore[assignment]
        try:
            for each in trainings:
                shown = (await alice.get(f"/api/training/{each['id']}")).json()
                assert (shown["seed"], shown["of"]) == (each["seed"], each["of"])
        finally:
            training._as_begun = dealt
        assert threads and all("looking-back" in name for name in threads) and asked == 0
        assert len(kept._going) == training.KEPT_EACH


async def test_a_training_has_so_many_wrong_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is an entry, and all of them are gone through when somebody comes back."""
    monkeypatch.setattr(training, "WRONG_MOST", 3)
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        begun = (await alice.post("/api/training", json={"rulebook": "nsw-pontoon", "seed": "7"})).json()
        path = f"/api/training/{begun['id']}"
        for _ in range(3):
            assert (await alice.post(path, json={"step": "gather"})).status_code == 200
        refused = await alice.post(path, json={"step": "gather"})
        assert refused.status_code == 400 and "begin another" in refused.json()["text"]


async def test_trainings_are_not_begun_faster_than_anybody_goes_through_them(tmp_path: Path) -> None:
    guard = Guard(limits=Limits(trainings_rate=0.001, trainings_burst=2))
    async with web(tmp_path, guard=guard) as site:
        alice, bob, asked = await site.as_("alice"), await site.as_("bob"), {"rulebook": "nsw-pontoon", "seed": "7"}
        answers = [await alice.post("/api/training", json=asked) for _ in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 429] and answers[-1].headers["retry-after"]
        assert (await bob.post("/api/training", json=asked)).status_code == 200, "somebody else's are their own"


async def test_the_description_is_made_once_beside_the_loop_and_kept_compressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second of the loop when it was made, and six milliseconds each time that it was compressed."""
    threads: list[str] = []
    made, pressed = description.described, gzip.compress

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return made(*given)

    def compress(*given: Any, **more: Any) -> bytes:
        threads.append(threading.current_thread().name)
        return pressed(*given, **more)

    monkeypatch.setattr(description, "described", noted)
    monkeypatch.setattr(gzip, "compress", compress)
    async with web(tmp_path) as site:
        browser = site.browser()
        answers = await asyncio.gather(*(browser.get(path) for path in (*description.PATHS, *description.PATHS)))
        assert all(each.status_code == 200 and each.json()["openapi"] for each in answers)
        assert len(threads) == 2 and all("looking-back" in name for name in threads)
        again = await browser.get(description.PATHS[-1], headers={"if-none-match": answers[0].headers["etag"]})
        assert again.status_code == 304 and answers[0].headers["content-encoding"] == "gzip"
        assert (await browser.post(description.PATHS[-1])).status_code in (403, 405)


async def test_what_never_changes_is_found_and_compressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rulebook in sentences, the matrix: anybody may ask for them, fifty times a second."""
    pressed: list[int] = []
    compress = gzip.compress

    def counted(body: bytes, *more: Any, **named: Any) -> bytes:
        pressed.append(len(body))
        return compress(body, *more, **named)

    monkeypatch.setattr(gzip, "compress", counted)
    monkeypatch.setattr(unchanging, "KEPT_BYTES", 150_000)
    async with web(tmp_path) as site:
        browser, kept = site.browser(), site.server.unchanging
        for path in ("/api/rulebooks/nsw-pontoon/rules", "/api/matrix", "/api/matrix?rulebook=nsw-pontoon"):
            first = await browser.get(path)
            again = await browser.get(path + ("&" if "?" in path else "?") + "anything=else")
            assert first.status_code == again.status_code == 200 and first.content == again.content
            assert again.headers["cache-control"] == "no-store" and again.headers["content-encoding"] == "gzip"
        assert len(pressed) == len(kept._kept) == 3
        assert (await browser.get("/api/matrix?rulebook=no-such")).status_code == 404
        assert (await browser.get("/api/rulebooks/nsw-pontoon/scenarios")).status_code == 401, "for those who train"
        for clause in ("1.1", "10.1", "13.1", "4.9"):
            await browser.get(f"/api/rulebooks/nsw-pontoon/clauses/{clause}")
        for book in RULEBOOKS:
            assert (await browser.get(f"/api/rulebooks/{book}")).json()["id"] == book
        assert kept._bytes == sum(map(unchanging._size, kept._kept.values())) <= 150_000


async def test_what_is_long_is_compressed_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def noted(body: bytes) -> bytes:
        threads.append(threading.current_thread().name)
        return pressed(body)

    pressed = packing._whole
    monkeypatch.setattr(packing, "_whole", noted)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def answered(
        *parts: bytes, headers: list[tuple[bytes, bytes]] | None = None
    ) -> tuple[dict[bytes, bytes], bytes]:
        packed = packing.Packed(send)
        sent.clear()
        await packed({"type": "http.response.start", "status": 200, "headers": headers or []})
        for number, part in enumerate(parts, 1):
            await packed({"type": "http.response.body", "body": part, "more_body": number < len(parts)})
        assert [each["type"] for each in sent] == ["http.response.start", *["http.response.body"] * len(parts)]
        return dict(sent[0]["headers"]), b"".join(each["body"] for each in sent[1:])

    short, middle, long = b"x" * 100, b"y" * 5_000, b"z" * 50_000
    head, body = await answered(short, headers=[(b"content-length", b"100")])
    assert body == short and head == {b"content-length": b"100"}
    for whole in (middle, long):
        head, body = await answered(whole, headers=[(b"Content-Length", b"1")])
        assert gzip.decompress(body) == whole and head[b"content-encoding"] == b"gzip"
        assert int(head[b"content-length"]) == len(body) and b"Content-Length" not in head
    assert threads[0] == "MainThread" != threads[1]
    head, body = await answered(long, short, b"", middle, b"")
    assert gzip.decompress(body) == long + short + middle and b"content-length" not in head
    assert (await answered(long, headers=[(b"content-encoding", b"br")]))[1] == long, "it is compressed already"


async def test_whoever_asks_too_much_is_told_so_slowly_and_loses_the_connection(tmp_path: Path) -> None:
    """A thousand refusals a second took a quarter of the loop's time from those who play."""
    async with web(tmp_path, guard=Guard(limits=Limits(requests_rate=0.001, requests_burst=2))) as site:
        browser, loop = site.browser(), asyncio.get_running_loop()
        answers = [await browser.get("/api/setup") for _ in range(2)]
        began = loop.time()
        refused = await browser.get("/api/setup")
        assert [each.status_code for each in answers] == [200, 200] and refused.status_code == 429
        assert loop.time() - began >= REFUSED_SECONDS and refused.headers["connection"] == "close"


def test_sockets_are_not_opened_one_after_the_other_without_end() -> None:
    """Coming and going: each handshake, and each table that is told anew, costs as much as ten acts."""
    now = [0.0]
    guard = Guard(limits=Limits(opened_rate=1, opened_burst=3), clock=lambda: now[0])
    sol, ann = Whom.of("sol", "192.0.2.1"), Whom.of("ann", "192.0.2.1")

    def opened(whom: Whom) -> bool:
        with guard.socket(whom) as free:
            return free

    assert [opened(sol) for _ in range(5)] == [True, True, True, False, False]
    assert opened(ann) and guard.turned_away["opened"] == 2 and guard.sockets.all == 0
    now[0] += 1
    assert [opened(sol), opened(sol)] == [True, False]


# --- the audit -------------------------------------------------------------------------------------------------------

NO = Denied("a player does not deal.")
MALLORY = Caller("mallory", "player", "s1")


def notes(house: Peopled) -> list[dict[str, Any]]:
    return [msgspec.json.decode(entry.body) | {"kind": entry.kind} for entry in house.entries("audit")]


async def test_denials_are_counted_and_summarised(tmp_path: Path) -> None:
    """Who, what, how often, from when to when; the first at once."""
    async with peopled(tmp_path) as house:
        audit, start = house.reception.audit, house.clock.now_ms()
        await audit.denied(MALLORY, "Deal", NO, start, table="t1")
        assert [(note["who"], note["what"], note.get("times", 1)) for note in notes(house)] == [("mallory", "Deal", 1)]
        for number in range(1, 2_000):
            await audit.denied(MALLORY, ("Deal", "Shuffle")[number % 2], NO, start + number, table="t1")
        await audit.denied(Caller("alice", "player"), "Deal", NO, start + 5, table="t1")
        assert len(notes(house)) == AT_ONCE + 1, "somebody else is written at once, whatever mallory does"
        await audit.summarise(start + 2_000)
        summary = notes(house)[-1]
        assert summary["kind"] == "denied" and summary["who"] == "mallory" and summary["text"] == NO.text
        assert summary["times"] == 2_000 - AT_ONCE and sum(summary["subjects"].values()) == 2_000 - AT_ONCE
        assert set(summary["subjects"]) == {"Deal at t1", "Shuffle at t1"}
        assert (summary["first_ms"], summary["last_ms"]) == (start + AT_ONCE, start + 1_999)
        await audit.summarise(start + 3_000)
        assert len(notes(house)) == AT_ONCE + 2, "nothing new, nothing written"
        later = start + 1000 * SUMMARY_SECONDS * (AT_ONCE + 2)
        await audit.summarise(later)
        await audit.denied(MALLORY, "Deal", NO, later, table="t1")
        assert len(notes(house)) == AT_ONCE + 3, "who was quiet for long is written at once again"


async def test_whoever_varies_what_he_is_denied_fills_no_log_either(tmp_path: Path) -> None:
    async with peopled(tmp_path) as house:
        audit = house.reception.audit
        for number in range(3 * SUBJECTS_MAX):
            await audit.denied(MALLORY, f"act-{number}", NO, 1, table=f"t{number}")
        await audit.summarise(2)
        summary = notes(house)[-1]
        assert len(notes(house)) == AT_ONCE + 1 and len(summary["subjects"]) == SUBJECTS_MAX + 1
        assert summary["times"] == 3 * SUBJECTS_MAX - AT_ONCE == sum(summary["subjects"].values())


async def test_wrong_passwords_are_summarised_by_address(tmp_path: Path) -> None:
    async with peopled(tmp_path) as house:
        audit = house.reception.audit
        for number in range(100):
            note = Note(f"name-{number % 4}", what="log in", text="wrong.", address="192.0.2.9")
            await audit.denial(note, number, "login-failed")
        await audit.summarise(200)
        summary = notes(house)[-1]
        assert summary["kind"] == "login-failed" and summary["address"] == "192.0.2.9" and summary["who"] == ""
        assert summary["times"] == 80 and set(summary["subjects"]) == {
            f"log in as name-{number}" for number in range(4)
        }


async def test_what_was_counted_is_written_when_the_floor_stops(tmp_path: Path) -> None:
    async with peopled(tmp_path) as house:
        for _ in range(AT_ONCE + 7):
            await house.reception.audit.denied(MALLORY, "Deal", NO, 1)
    async with peopled(tmp_path) as house:
        assert notes(house)[-1]["times"] == 7


async def test_a_summary_that_cannot_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with peopled(tmp_path) as house:
        audit = house.reception.audit
        for number in range(AT_ONCE + 5):
            await audit.denied(MALLORY, "Deal", NO, number)

        async def full(*_: Any, **__: Any) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr(Audit, "_write_all", full)
        with pytest.raises(StoreError):
            await audit.summarise(30)
        monkeypatch.undo()
        await audit.denied(MALLORY, "Deal", NO, 40)
        await audit.summarise(50)
        summary = notes(house)[-1]
        assert (summary["times"], summary["first_ms"], summary["last_ms"]) == (6, AT_ONCE, 40)


async def test_players_who_are_denied_write_little(tmp_path: Path) -> None:
    """Over real sockets and by HTTP, as fast as one may: 11,039 entries in fifteen seconds before."""
    with Running(tmp_path, "--empty") as server:
        token, supervisor = server.guest("sol"), server.guest(role="supervisor")
        opening = {"id": "o", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert server.ask("POST", "/api/tables", opening, supervisor)[0] == 200
        inspector = server.guest(role="inspector")
        asked = 200
        for _ in range(asked):
            assert server.ask("GET", "/api/audit", token=token)[0] == 403
        status, rows = server.ask("GET", "/api/audit?limit=500", token=inspector)
        assert status == 200 and sum(row["kind"] == "denied" for row in rows) <= AT_ONCE + 1
        text = server.ask("GET", "/metrics")[1]
        assert f"pitboss_denials_total {float(asked)}" in text


async def test_one_account_floods_all_its_sockets_and_another_is_heard_at_once(tmp_path: Path) -> None:
    """What honest people wait for is bounded by what a flood may have done, not by what it sends."""
    async with peopled(tmp_path) as house:
        guard = Guard()
        flooding = [connection(house, guard, "mallory", f"s{number}") for number in range(Limits().sockets)]
        lines = [await on_a_line(each) for each in flooding]  # type: ignore[arg-type]
        before = {each: each.metrics.messages_in for each in flooding}
        for line, _, _ in lines:
            line.data_received(TINY)
        heard = sum(each.metrics.messages_in - before[each] for each in flooding)
        assert heard == Limits().acts_burst, "no more than may come at once, however many sockets and frames"
        looked_at = sum(line._place for line, _, _ in lines)
        assert looked_at <= Limits().sockets * 2 * PIECE, "of megabytes a few pieces were looked at"
        honest = connection(house, guard, "alice", "a1")
        assert honest.hear(b'{"do":"ping"}') == 0
        for line, _, talking in lines:
            line._forget()
            talking.cancel()
        for each in flooding:
            each.gone()
