"""Frames: whole messages come out however the bytes are cut, and what the protocol forbids is refused."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from pitboss.server.sockets import (
    BROKEN_PROTOCOL,
    CLOSE,
    CLOSE_BYTES,
    CONTROL_BURST,
    CONTROL_RATE,
    PING,
    PONG,
    TEXT,
    TOO_LARGE,
    TOO_OFTEN,
    Broken,
    Frames,
    Line,
    Outbox,
    framed,
)
from tests.server.fuzzing import client_frame

MOST = 70_000


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
        (client_frame(9, b"") * (CONTROL_BURST + 1), TOO_OFTEN),
        (client_frame(10, b"") * 40_000, TOO_OFTEN),
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


class Wire(asyncio.Transport):
    """Takes everything."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.closed = False

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing is ever kept."""

    def pause_reading(self) -> None:
        """Whoever sends waits."""

    def resume_reading(self) -> None:
        """He may go on."""

    def write(self, data: Any) -> None:
        self.sent += data


class Slow:
    """Hears nothing at once, and everything when it is said again."""

    over: str | None = None

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._waits = False

    def hear(self, data: bytes) -> float:
        self._waits = not self._waits
        if not self._waits:
            self.heard.append(data)
        return 0.01 if self._waits else 0.0

    def next(self) -> bytes | None:
        return None

    def goodbye(self) -> bytes:
        return b""


async def test_whoever_waits_for_his_turn_is_not_taken_to_be_gone() -> None:
    """All that he said came at once, a while ago: that nothing came since is our doing."""
    line, talks, loop = Line(Config(app=None), ServerState(), {}), Slow(), asyncio.get_running_loop()  # type: ignore[arg-type]
    line.transport = Wire()
    talking = loop.create_task(line.talk(talks, Outbox()))
    await asyncio.sleep(0)
    began = loop.time()
    line.data_received(b"".join(client_frame(TEXT, b"%d" % number) for number in range(20)))
    while len(talks.heard) < 20:
        await asyncio.sleep(0.005)
    assert line.heard_at - began > 0.15, "twenty times a hundredth of a second"
    talking.cancel()


async def on_a_line() -> tuple[Line, Wire, asyncio.Task[None]]:
    line, wire = Line(Config(app=None), ServerState(), {}), Wire()  # type: ignore[arg-type]
    line.transport = wire
    talking = asyncio.get_running_loop().create_task(line.talk(Slow(), Outbox()))
    await asyncio.sleep(0)
    return line, wire, talking


@pytest.mark.parametrize("opcode", [PING, PONG])
async def test_pings_and_pongs_come_no_more_often_than_anybody_needs(opcode: int) -> None:
    """Each costs the server as much as a message: whoever sends thousands is told so, and not read any more."""
    line, wire, talking = await on_a_line()
    one = client_frame(opcode, b"")
    for _ in range(CONTROL_BURST - 1):
        line.data_received(one)
    assert wire.sent == framed(b"", PONG) * (CONTROL_BURST - 1 if opcode == PING else 0) and not wire.closed
    line._controls_at -= 1  # a second goes by
    for _ in range(int(CONTROL_RATE)):
        line.data_received(one)
    assert not wire.closed
    wire.sent = b""
    for _ in range(3):
        line.data_received(one)
    assert wire.closed and wire.sent.endswith(framed(TOO_OFTEN.to_bytes(2, "big"), CLOSE))
    talking.cancel()


async def test_thousands_of_pings_at_once_are_not_even_looked_at() -> None:
    line, wire, talking = await on_a_line()
    line.data_received(client_frame(PING, b"") * 40_000)
    assert wire.closed and wire.sent == framed(TOO_OFTEN.to_bytes(2, "big"), CLOSE)
    talking.cancel()


async def test_whoever_goes_on_after_goodbye_is_not_listened_to_for_long() -> None:
    line, wire, talking = await on_a_line()
    line.say_goodbye(TOO_LARGE)
    message = client_frame(TEXT, b"x" * 1000)
    for _ in range(CLOSE_BYTES // len(message)):
        line.data_received(message)
    assert not wire.closed
    line.data_received(message)
    assert wire.closed
    talking.cancel()
