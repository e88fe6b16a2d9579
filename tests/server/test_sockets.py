"""Frames: whole messages come out however the bytes are cut, what the protocol forbids is refused; then nonsense."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from pitboss.server.sockets import BROKEN_PROTOCOL, TOO_LARGE, Broken, Frames, framed
from tests.server.running import Client, Running

MOST = 70_000


def client_frame(opcode: int, data: bytes, fin: bool = True) -> bytes:
    """A frame as an independent library makes it."""
    return bytes(Frame(Opcode(opcode), data, fin).serialize(mask=True))


@pytest.mark.parametrize("seed", range(20))
def test_messages_come_out_however_the_bytes_are_cut(seed: int) -> None:
    rng = random.Random(seed)
    wanted: list[tuple[int, bytes]] = []
    stream = b""
    for _ in range(30):
        data = rng.randbytes(rng.choice((0, 1, 5, 125, 126, 127, 300, 65_535, 65_536)))
        kind = rng.choice(("text", "binary", "parts", "ping", "pong"))
        if kind == "parts":
            cuts = sorted(rng.randint(0, len(data)) for _ in range(rng.randint(1, 4)))
            parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
            for index, part in enumerate(parts):
                stream += client_frame(1 if index == 0 else 0, part, index == len(parts) - 1)
                if rng.random() < 0.3 and index < len(parts) - 1:
                    stream += client_frame(9, b"now?")
                    wanted.append((9, b"now?"))
            wanted.append((1, data))
        elif kind in ("ping", "pong"):
            opcode = 9 if kind == "ping" else 10
            stream += client_frame(opcode, data[:125])
            wanted.append((opcode, data[:125]))
        else:
            opcode = 1 if kind == "text" else 2
            stream += client_frame(opcode, data)
            wanted.append((opcode, data))
    frames, found, place = Frames(MOST), [], 0
    while place < len(stream):
        size = rng.choice((1, 2, 3, 10, 1000, 100_000))
        found += frames.feed(stream[place : place + size])
        place += size
    assert found == wanted


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (framed(b"not masked"), BROKEN_PROTOCOL),
        (b"\xc1\x80\0\0\0\0", BROKEN_PROTOCOL),
        (b"\x83\x80\0\0\0\0", BROKEN_PROTOCOL),
        (b"\x8b\x80\0\0\0\0", BROKEN_PROTOCOL),
        (b"\x80\x80\0\0\0\0", BROKEN_PROTOCOL),
        (b"\x01\x80\0\0\0\0\x01\x80\0\0\0\0", BROKEN_PROTOCOL),
        (b"\x09\x80\0\0\0\0", BROKEN_PROTOCOL),
        (client_frame(1, b"x" * (MOST + 1)), TOO_LARGE),
        (b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", TOO_LARGE),
        (client_frame(1, b"x" * MOST, False) + client_frame(0, b"x"), TOO_LARGE),
        (client_frame(1, b"", False) + client_frame(0, b"", False) * 100, TOO_LARGE),
    ],
)
def test_what_the_protocol_forbids(data: bytes, code: int) -> None:
    with pytest.raises(Broken) as broken:
        Frames(MOST).feed(data)
    assert broken.value.code == code


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 200_000])
def test_our_frames_are_read_by_others(size: int) -> None:
    frame = framed(b"x" * size)
    assert frame == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("floor")) as running:
        yield running


HANDSHAKE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {}\r\n\r\n"
)
WORDS = (
    b'{"do":"act","table":"nsw-pontoon","id":"f1","act":{"act":"PlaceWager","box":1,"cents":500}}',
    b'{"do":"watch","table":"nsw-pontoon","after":3}', b'{"do":"ping"}', b'{"do":"pass","table":"nsw-pontoon"}',
    b'{"do":"act","table":"nsw-pontoon","id":"f2","act":{"act":"TakeSeat","player":"fritz","box":-1}}',
    b'{"do":"unwatch","table":"nsw-pontoon"}', b"[[[[", b'{"do":{"do":', b"\xff\xfe", b"0" * 3000, b'""', b"{}",
)  # fmt: skip


def mangled(rng: random.Random) -> bytes:
    """A message as a client with a fault, or without manners, might send it."""
    data = bytearray(rng.choice(WORDS))
    for _ in range(rng.randint(0, 4)):
        place = rng.randrange(len(data) + 1)
        if rng.random() < 0.5:
            data[place:place] = rng.choice(
                (b'"', b"{", b"}", b"9" * 30, b"\\u0000", b"null", b"-1e999", rng.randbytes(3))
            )
        elif data:
            del data[place : place + rng.randint(1, 8)]
    return bytes(data)


def memory_kb(server: Running) -> int:
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0])


async def test_nonsense_neither_stops_the_server_nor_fills_it(server: Running) -> None:
    token = server.guest("fritz")
    rng = random.Random(4)
    before = 0
    for turn in range(60):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(HANDSHAKE.format(token).encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        assert head.startswith(b"HTTP/1.1 101"), head
        for _ in range(rng.randint(1, 12)):
            kind = rng.random()
            if kind < 0.7:
                writer.write(client_frame(1, mangled(rng)))
            elif kind < 0.85:
                opcode = rng.choice((0, 1, 2, 9, 10))
                writer.write(client_frame(opcode, rng.randbytes(rng.randint(0, 125)), opcode > 2 or rng.random() < 0.8))
            else:
                writer.write(rng.randbytes(rng.randint(1, 60)))
        with suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(writer.drain(), 5)
            await asyncio.wait_for(reader.read(1 << 16), 0.05)
        writer.transport.abort()
        if turn == 20:
            before = memory_kb(server)
    async with server.socket(token) as socket:
        client = Client(socket)
        assert (await client.watch("nsw-pontoon"))["version"] >= 1
    assert memory_kb(server) < before + 30_000
    status, text = server.ask("GET", "/metrics")
    assert status == 200 and 'status="500"' not in text
