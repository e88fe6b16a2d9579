"""Lines: whole messages are heard however the bytes are cut, what the protocol forbids ends them, nothing is kept."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from pitboss.server.live import MESSAGE_MAX
from pitboss.server.sockets import CLOSE_BYTES, CONTROL_BURST, CONTROL_RATE, PARTS_MAX, PIECE, Line, Outbox, framed
from tests.server.fuzzing import client_frame

CLOSE, PING, PONG, TEXT = Opcode.CLOSE, Opcode.PING, Opcode.PONG, Opcode.TEXT
TOO_OFTEN = framed(CloseCode.POLICY_VIOLATION.to_bytes(2, "big"), CLOSE)
BROKEN, TOO_LARGE = CloseCode.PROTOCOL_ERROR, CloseCode.MESSAGE_TOO_BIG


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


class Hears:
    """Hears everything at once."""

    over: str | None = None

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def hear(self, data: bytes) -> float:
        self.heard.append(data)
        return 0.0

    def next(self) -> bytes | None:
        return None

    def goodbye(self) -> bytes:
        return b""


class Slow(Hears):
    """Hears nothing at once, and everything when it is said again."""

    _waits = False

    def hear(self, data: bytes) -> float:
        self._waits = not self._waits
        return 0.01 if self._waits else super().hear(data)


async def on_a_line(talks: Hears | None = None) -> tuple[Line, Wire, asyncio.Task[None]]:
    """A line that was shaken hands on."""
    line, wire = Line(Config(app=None), ServerState(), {}), Wire()  # type: ignore[arg-type]
    line.transport = wire
    line.conn, line.handshake_initiated = ServerProtocol(state=State.OPEN, max_size=MESSAGE_MAX), True
    talking = asyncio.get_running_loop().create_task(line.talk(talks or Hears(), Outbox()))
    await asyncio.sleep(0)
    return line, wire, talking


async def test_a_length_said_in_more_bytes_than_it_needs_is_read_too() -> None:
    """What the library reads, and what is read without it, come in their order."""
    talks = Hears()
    line, wire, talking = await on_a_line(talks)
    long_said = b"\x81\xfe\x00\x02\0\0\0\0hi"
    longer = b"\x82\xff" + (3).to_bytes(8, "big") + b"\0\0\0\0you"
    line.data_received(client_frame(1, b"one") + long_said + client_frame(1, b"two") + longer)
    for byte in client_frame(1, b"three") + client_frame(2, b"four"):
        line.data_received(bytes((byte,)))
    line.data_received(client_frame(1, b"five") * 2)
    assert talks.heard == [b"one", b"hi", b"two", b"you", b"three", b"four", b"five", b"five"]
    assert not wire.closed and not wire.sent
    talking.cancel()


@pytest.mark.parametrize("seed", range(20))
async def test_messages_are_heard_however_the_bytes_are_cut(seed: int) -> None:
    rng = random.Random(seed)
    wanted: list[bytes] = []
    pongs = stream = b""
    for _ in range(30):
        data = rng.randbytes(rng.choice((0, 1, 5, 125, 126, 127, 300, PIECE, MESSAGE_MAX)))
        kind = rng.choice(("text", "binary", "parts", "ping", "pong"))
        if kind == "parts":
            cuts = sorted(rng.randint(0, len(data)) for _ in range(rng.randint(1, 4)))
            parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
            for index, part in enumerate(parts):
                stream += client_frame(1 if index == 0 else 0, part, index == len(parts) - 1)
                if rng.random() < 0.3 and index < len(parts) - 1:
                    stream += client_frame(9, b"now?")
                    pongs += framed(b"now?", PONG)
            wanted.append(data)
        elif kind in ("ping", "pong"):
            stream += client_frame(9 if kind == "ping" else 10, data[:125])
            pongs += framed(data[:125], PONG) if kind == "ping" else b""
        else:
            stream += client_frame(1 if kind == "text" else 2, data)
            wanted.append(data)
    talks = Hears()
    line, wire, talking = await on_a_line(talks)
    place = 0
    while place < len(stream):
        size = rng.choice((1, 2, 3, 10, 1000, 100_000))
        line.data_received(stream[place : place + size])
        place += size
    assert talks.heard == wanted and wire.sent == pongs and not wire.closed
    talking.cancel()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (framed(b"not masked"), BROKEN),
        (b"\xc1\x80\0\0\0\0", BROKEN),
        (b"\x83\x80\0\0\0\0", BROKEN),
        (b"\x8b\x80\0\0\0\0", BROKEN),
        (b"\x80\x80\0\0\0\0", BROKEN),
        (b"\x01\x80\0\0\0\0\x01\x80\0\0\0\0", BROKEN),
        (b"\x09\x80\0\0\0\0", BROKEN),
        (client_frame(1, b"x" * (MESSAGE_MAX + 1)), TOO_LARGE),
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", TOO_LARGE),
        (client_frame(1, b"x" * MESSAGE_MAX, False) + client_frame(0, b"x"), TOO_LARGE),
        (client_frame(1, b"", False) + client_frame(0, b"", False) * 2 * PARTS_MAX, TOO_LARGE),
    ],
)
async def test_what_the_protocol_forbids(data: bytes, code: CloseCode) -> None:
    talks = Hears()
    line, wire, talking = await on_a_line(talks)
    line.data_received(data)
    assert wire.sent[0] == 0x88 and wire.sent[2:4] == code.to_bytes(2, "big") and not talks.heard
    line.data_received(client_frame(1, b"what else?"))
    assert not talks.heard, "nothing is heard of him any more"
    talking.cancel()


async def test_whoever_waits_for_his_turn_is_not_taken_to_be_gone() -> None:
    """All that he said came at once, a while ago: that nothing came since is our doing."""
    talks, loop = Slow(), asyncio.get_running_loop()
    line, _, talking = await on_a_line(talks)
    began = loop.time()
    line.data_received(b"".join(client_frame(TEXT, b"%d" % number) for number in range(20)))
    while len(talks.heard) < 20:
        await asyncio.sleep(0.005)
    assert line.heard_at - began > 0.15, "twenty times a hundredth of a second"
    talking.cancel()


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
    assert wire.closed and wire.sent.endswith(TOO_OFTEN)
    talking.cancel()


async def test_thousands_of_pings_at_once_are_not_even_looked_at() -> None:
    line, wire, talking = await on_a_line()
    line.data_received(client_frame(PING, b"") * 40_000)
    assert wire.closed and wire.sent == TOO_OFTEN
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
