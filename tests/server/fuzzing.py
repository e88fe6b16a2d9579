"""Clients with faults and clients without manners, for a real server: what they send, and how they behave."""

from __future__ import annotations

import asyncio
import itertools
import random
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from pitboss.floor.wire import ACT_NAMES
from tests.floor.test_permissions import ACTS, sample
from tests.server.running import Running

HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {}\r\n\r\n"
)
TABLES = ("nsw-pontoon", "adelaide-pontoon-2008", "nsw-blackjack-challenge", "fuzzed")


def client_frame(opcode: int, data: bytes, fin: bool = True) -> bytes:
    """A frame as an independent library makes it."""
    return bytes(Frame(Opcode(opcode), data, fin).serialize(mask=True))


# --- messages --------------------------------------------------------------------------------------------------------

WRONG: tuple[Any, ...] = (
    None, True, -1, 0, 7, 2**53, 2**53 + 1, 2**63, -(2**64), 10**40, 1.5, -0.0, 1e300, "", "x" * 5_000, "\0",
    "\u202e💥", "alice", "bot-1", "dealer", "*", [], [[]], [2**64], ["a", 1, None], {}, {"act": "Deal"}, {"": {"": {}}},
)  # fmt: skip
"""In the place of what a field wants."""

UNREADABLE = (
    b"", b"{", b"[]", b"null", b'"ping"', b"\xff\xfe", b"\xed\xa0\x80", b'{"do":"ping"', b'{"do":"ping"}}', b'{"do":1}',
    b'{"do":"fly"}', b'{"do":"act"}', b'{"do":"act","id":1}', b'{"do":"act","id":"","act":{}}', b'{"do":"watch"}',
    b'{"do":"watch","table":null}', b'{"do":"watch","table":"nsw-pontoon","after":-99999999999999999999999999}',
    b'{"do":"watch","table":"nsw-pontoon","after":1e9}', b'{"do":"watch","table":"nsw-pontoon","after":NaN}',
    b'{"do":"watch","table":"' + b"t" * 9_000 + b'"}', b'{"do":"watch","table":"\\u0000"}', b'{"do":"unwatch"}',
    b'{"do":"pass","table":"\\ud800"}', b'{"do":"ping","do":"act"}', b"[" * 8_000, b'{"do":' * 2_000,
    b'{"do":"act","table":"fuzzed","id":"d","act":' + b'{"act":' * 2_000 + b"}" * 2_000 + b"}",
    b'{"do":"act","table":"fuzzed","id":"d","act":{"act":"Hit","box":' + b"[" * 7_000 + b"]" * 7_000 + b"}}",
    b'{"do":"act","table":"fuzzed","id":"n","act":{"act":"Hit","box":' + b"9" * 9_000 + b"}}",
    b'{"do":"act","table":"fuzzed","id":"e","act":{"act":"Hit","box":1e99999}}', b" " * 16_000, b"0" * 16_384,
    b'{"do":"act","table":"fuzzed","id":"\\n","act":{"act":"Deal"}}',
)  # fmt: skip


def every_field_wrong() -> Iterator[dict[str, Any]]:
    """Every act, and in each of its fields (and one that it has not) everything that is wrong there."""
    for name in ACT_NAMES:
        right = _right(name)
        yield right
        for field in (*msgspec.structs.fields(ACTS[name]), None):
            for value in WRONG if field is not None else WRONG[:1]:
                yield right | {field.name if field is not None else "no-such-field": value}
        for value in WRONG:
            yield {"act": value}


def _right(name: str) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(sample(name))
    data.pop("order", None)
    return data


def drawn_acts(count: int) -> list[dict[str, Any]]:
    """Acts with anything in several fields at once, as hypothesis draws them from the fields' own types."""
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    )

    def act(name: str) -> st.SearchStrategy[dict[str, Any]]:
        fields = msgspec.structs.fields(ACTS[name])
        of_its_type = {field.name: st.from_type(field.type) for field in fields if field.name != "order"}
        mixed = {key: strategy | anything for key, strategy in of_its_type.items()}
        return st.fixed_dictionaries({"act": st.just(name)}, optional=mixed)

    found: list[dict[str, Any]] = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @seed(5)
    @given(st.sampled_from(ACT_NAMES).flatmap(act))
    def draw(said: dict[str, Any]) -> None:
        found.append(said)

    draw()
    return found


def broken_frames(rng: random.Random) -> bytes:
    """What no protocol allows."""
    ping = client_frame(9, b"now?")
    said = client_frame(1, b'{"do":"ping"}')
    return rng.choice(
        (
            rng.randbytes(rng.randint(1, 400)),
            b"\x81\x05hello",
            b"\xc1\x80\0\0\0\0",
            bytes([0x80 | rng.choice((3, 4, 5, 6, 7, 11, 12, 13, 14, 15)), 0x80]) + b"\0\0\0\0",
            b"\x89\xfe\x01\x00" + b"\0" * 4 + b"x" * 256,
            b"\x09\x80\0\0\0\0",
            b"\x81\xff" + rng.choice((b"\xff" * 8, b"\x7f" + b"\xff" * 7, b"\0\0\0\0\x7f\xff\xff\xff", b"\0" * 8)),
            b"\x81\xfe\xff\xff\0\0\0\0" + b"y" * 100,
            client_frame(0, b"nothing began"),
            client_frame(1, b"one", False) + client_frame(1, b"two"),
            client_frame(1, b"{", False) + ping * 3 + client_frame(0, b"", False) * rng.choice((3, 64, 200)),
            client_frame(8, b""),
            client_frame(8, b"\x03"),
            client_frame(8, b"\xff\xff" + b"\xff" * 100),
            said[: rng.randint(1, len(said) - 1)],
            client_frame(1, b"x" * 20_000),
            client_frame(2, rng.randbytes(3_000)),
        )
    )


# --- behaviour -------------------------------------------------------------------------------------------------------


async def opened(
    server: Running, token: str, *, small: bool = False
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A raw socket after its handshake; a `small` one takes next to nothing before it is full."""
    link = socket.socket()
    if small:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    link.setblocking(False)
    await asyncio.get_running_loop().sock_connect(link, ("127.0.0.1", server.port))
    reader, writer = await asyncio.open_connection(sock=link, limit=1 << 16)
    writer.write(HANDSHAKE.format(token).encode())
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    if not head.startswith(b"HTTP/1.1 101"):
        writer.transport.abort()
        raise ConnectionError(head)
    return reader, writer


class Asker:
    """Sends messages one after the other and counts what came back; nothing may remain unanswered."""

    def __init__(self, server: Running, token: str) -> None:
        self._server, self._token = server, token
        self.answers: dict[str, int] = {}
        self.faults: list[dict[str, Any]] = []

    async def ask(self, messages: list[tuple[str, dict[str, Any]]]) -> None:
        """Each with a table; whatever they are, each gets an answer with its id."""
        async with self._server.socket(self._token, ping_interval=None) as link:
            wanted = set()
            for number, (table, act) in enumerate(messages):
                name = f"a{number}"
                wanted.add(name)
                await link.send(msgspec.json.encode({"do": "act", "table": table, "id": name, "act": act}).decode())
            while wanted:
                said = msgspec.json.decode(await asyncio.wait_for(link.recv(), 30))
                wanted.discard(said.get("id", ""))
                answer = said.get("answer", said)
                self.answers[answer["is"]] = self.answers.get(answer["is"], 0) + 1
                if "fault in Pitboss" in str(answer):
                    self.faults.append(answer)


async def send_nonsense(server: Running, token: str, rng: random.Random) -> None:
    """Broken frames and unreadable messages, mixed with right ones, on a socket that is then dropped."""
    reader, writer = await opened(server, token)
    for _ in range(rng.randint(1, 8)):
        kind = rng.random()
        if kind < 0.4:
            writer.write(broken_frames(rng))
        elif kind < 0.8:
            writer.write(client_frame(1, rng.choice(UNREADABLE)))
        else:
            writer.write(cut_to_pieces(b'{"do":"watch","table":"nsw-pontoon","after":0}', rng))
    with suppress(TimeoutError, ConnectionError):
        await asyncio.wait_for(writer.drain(), 5)
        await asyncio.wait_for(reader.read(1 << 16), 0.05)
    writer.transport.abort()


def cut_to_pieces(data: bytes, rng: random.Random) -> bytes:
    """One message in many frames, with pings between them."""
    parts = [data[place : place + 3] for place in range(0, len(data), 3)]
    frames = []
    for index, part in enumerate(parts):
        frames.append(client_frame(1 if index == 0 else 0, part, index == len(parts) - 1))
        if rng.random() < 0.5:
            frames.append(client_frame(rng.choice((9, 10)), b"?"))
    return b"".join(frames)


async def never_read(server: Running, token: str, seconds: float) -> None:
    """Watches everything, asks and pings without end, and reads nothing of it."""
    _, writer = await opened(server, token, small=True)
    say = [client_frame(1, msgspec.json.encode({"do": "watch", "table": table, "after": 0})) for table in TABLES]
    say += [client_frame(1, b'{"do":"nothing of the kind"}')] * 20
    writer.write(b"".join(say))
    pings = client_frame(9, b"p" * 125) * 400
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    with suppress(TimeoutError, ConnectionError):
        while loop.time() < end:
            writer.write(pings)
            await asyncio.wait_for(writer.drain(), max(0.1, end - loop.time()))
            await asyncio.sleep(0.01)
    writer.transport.abort()


async def watch_a_lot(server: Running, token: str, seconds: float) -> None:
    """Watches, again and again, tables that there are and tables that there are not."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    async with server.socket(token) as link:

        async def read() -> None:
            async for _ in link:
                pass

        reading = asyncio.create_task(read())
        for number in itertools.count():
            if loop.time() > end:
                break
            table = f"no-such-{number}" if number % 3 else TABLES[number % len(TABLES)]
            said = {"do": "watch" if number % 7 else "unwatch", "table": table, "after": 0 if number % 2 else None}
            with suppress(TimeoutError):
                await asyncio.wait_for(link.send(msgspec.json.encode(said).decode()), max(0.1, end - loop.time()))
        reading.cancel()


async def stay_half_open(server: Running, count: int, seconds: float) -> int:
    """Connections that never come to the end of their handshake; how many of them the server has ended itself."""
    heads = (
        b"",
        b"GET",
        b"GET /ws HTTP/1.1\r\n",
        HANDSHAKE.format("x").encode()[:-2],
        b"POST /api/login HTTP/1.1\r\nHost: ",
    )
    links = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(count)]
    for (_, writer), head in zip(links, itertools.cycle(heads)):
        writer.write(head)
    await asyncio.wait([asyncio.create_task(_ended(reader)) for reader, _ in links], timeout=seconds)
    ended = sum(reader.at_eof() or reader.exception() is not None for reader, _ in links)
    for _, writer in links:
        writer.transport.abort()
    return ended


async def _ended(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        await reader.read()


async def come_and_go(server: Running, token: str, count: int) -> None:
    """Opened and dropped: before the handshake, in it, and after it."""
    for number in range(count):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        if number % 3:
            writer.write(HANDSHAKE.format(token if number % 3 == 1 else "x").encode())
        if number % 5 == 0:
            with suppress(ConnectionError):
                await writer.drain()
        writer.transport.abort()


async def endless_head(server: Running, most: int) -> int:
    """One header that goes on and on; how many bytes the server took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ")
    sent = 0
    with suppress(ConnectionError, TimeoutError):
        while sent < most and not reader.at_eof():
            writer.write(b"x" * 65_536)
            await asyncio.wait_for(writer.drain(), 5)
            sent += 65_536
            await asyncio.sleep(0)
    writer.transport.abort()
    return sent


async def repeat(times: int, make: Callable[[int], Coroutine[Any, Any, None]]) -> None:
    for number in range(times):
        with suppress(ConnectionError, TimeoutError, asyncio.IncompleteReadError):
            await make(number)
