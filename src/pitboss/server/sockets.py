"""Messages over WebSocket, quickly: uvicorn shakes hands, the websockets library reads and writes frames, and what
they hold goes straight to the connection and back. Only what nearly everything is, a short text in one frame, is read
and written here: the library needs ten times as long for it, an eighth of all that an act costs (`benchmarks/floor`).

There is no queue and no task between the wire and the floor. A message is heard the moment it is whole, and what is to
be sent is asked for only while the wire takes it, so that a client who reads slowly costs no memory. Nor does one who
sends too fast: what came is turned into frames a piece at a time, and only as far as its client may speak. When the
socket is closed everything lets go of everything, so that nobody has to look for circles of garbage.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was built without its C part
    from websockets.utils import apply_mask

BUFFER_MAX = 64 * 1024
"""Bytes that may wait for a slow client before nothing more is made for it."""
PIECE = 1024
"""Bytes that are turned into frames at a stretch: six make one, which then takes forty times as much."""
PARTS_MAX = 64
"""Frames of which one message may be made."""
CLOSE_SECONDS = 2.0
"""How long a client is given to say goodbye too."""
CLOSE_BYTES = 64 * 1024
"""How much they may still send until then."""
CONTROL_RATE, CONTROL_BURST = 5.0, 60
"""Pings and pongs that a client may send a second, and at once: nobody needs more than one in twenty seconds."""


class Talks(Protocol):
    """Who is at our end of a line."""

    over: str | None

    def hear(self, data: bytes) -> float:
        """Hear a message; above zero: not yet, say it again after so many seconds."""
        ...

    def next(self) -> bytes | None: ...

    def goodbye(self) -> bytes: ...


def framed(data: bytes, opcode: Opcode = Opcode.TEXT) -> bytes:
    """One whole frame from the server, which masks nothing."""
    size = len(data)
    if opcode is not Opcode.TEXT or size >= 1 << 16:
        return bytes(Frame(opcode, data).serialize(mask=False))
    return b"\x81%c%b" % (size, data) if size < 126 else b"\x81\x7e%c%c%b" % (size >> 8, size & 255, data)


def _size_of(frame: Frame) -> int:
    """Bytes of a frame from a client, if it says its length in as few as it can."""
    size = len(frame.data)
    return size + (6 if size < 126 else 8 if size < 1 << 16 else 14)


class Outbox:
    """What many lines send goes out at one stretch: the first write wakes who reads, the others find them awake."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: list[Line] = []

    def add(self, line: Line) -> None:
        self._lines.append(line)
        if len(self._lines) == 1:
            self._loop.call_soon(self._send)

    def _send(self) -> None:
        lines, self._lines = self._lines, []
        for line in lines:
            line.send_pending()


class Line(WebSocketsSansIOProtocol):
    """One socket: uvicorn shakes hands, then `talk` takes over."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._talks: Talks | None = None
        self._unread, self._place = b"", 0
        """What came and was not looked at yet, and how much of it was; no more than came at once."""
        self._begun = 0
        """Bytes that the library was given of a frame that is not whole yet."""
        self._parts: list[bytes] = []
        """Of a message that is not whole yet."""
        self._messages: deque[bytes] = deque()
        """Those that wait until the client may speak again; no more than a piece has."""
        self._says_goodbye = False
        """The client does, after those."""
        self._turn: asyncio.TimerHandle | None = None
        """When they may."""
        self._full = False
        self._sending = False
        self._closing: asyncio.TimerHandle | None = None
        """We have said goodbye, and do not wait longer than this for theirs."""
        self._after_goodbye = 0
        """Bytes that came since."""
        self._controls = float(CONTROL_BURST)
        """Pings and pongs that the client may send now."""
        self._controls_at = 0.0
        self._ended: asyncio.Future[None] | None = None
        self._outbox: Outbox | None = None
        self._pending = b""
        """What goes out next, with what other lines send."""
        self.heard_at = 0.0
        """When something last came, by the loop's clock."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"]["pitboss.line"] = self  # type: ignore[assignment]

    async def talk(self, talks: Talks, outbox: Outbox) -> None:
        """Carry messages both ways until the socket is closed."""
        self.stop_keepalive()
        if self.disconnected or self.transport.is_closing():
            return
        self._talks = talks
        self._outbox = outbox
        self._ended = self.loop.create_future()
        self.heard_at = self.loop.time()
        self.transport.set_write_buffer_limits(high=BUFFER_MAX)
        self.transport.resume_reading()
        self._hear()
        self.flush()
        await self._ended

    # --- in ---

    def data_received(self, data: bytes) -> None:
        if self._talks is None and not self.handshake_initiated:
            super().data_received(data)
        elif self._talks is None:  # they speak before we have said who we are
            self._unread += data
            self.transport.pause_reading()
        elif self._closing is not None:
            self._hear_goodbye(data)
        else:
            self.heard_at = self.loop.time()
            if self._unread:
                data = self._unread[self._place :] + data
            elif not (self._begun or self._parts or self._messages or self._says_goodbye) and self._hear_short(data):
                return
            self._unread, self._place = data, 0
            if self._turn is None:
                self._hear()

    def _hear_short(self, data: bytes) -> bool:
        """Hear what nearly always comes, and nothing before or after it: a short text in one frame."""
        size = len(data)
        if not 6 <= size <= PIECE or data[0] != 0x81 or self._turn is not None or self.transport.is_closing():
            return False
        length, start = data[1] - 128, 6
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 8
        if start + length != size or data[1] == 255:
            return False
        message = apply_mask(data[start:], data[start - 4 : start])
        wait = self._talks.hear(message)  # type: ignore[union-attr]
        if wait:
            self._messages.append(message)
            self._wait_to_hear(wait)
        return True

    def _wait_to_hear(self, seconds: float) -> None:
        self.transport.pause_reading()
        self._turn = self.loop.call_later(seconds, self._hear_again)

    def _hear(self) -> None:
        """Hear what has come; from a client who sends too fast nothing more is read for a while."""
        talks = self._talks
        while self._messages or self._unread or self._says_goodbye:
            if talks is None or self._closing is not None or self.transport.is_closing():
                return
            if self._messages:
                wait = talks.hear(self._messages[0])
                if wait:
                    self._wait_to_hear(wait)
                    return
                self._messages.popleft()
            elif self._says_goodbye:
                self._write(b"".join(self.conn.data_to_send()))
                self.transport.close()
            elif not self._read_short():
                self._read_on()

    def _read_short(self) -> bool:
        """Take a text that is one whole short frame; False where something else comes next, which the library reads."""
        data, place = self._unread, self._place
        if self._begun or self._parts or len(data) < place + 6 or data[place] != 0x81:
            return False
        length, start = data[place + 1] - 128, place + 6
        if length == 126:
            length, start = int.from_bytes(data[place + 2 : place + 4], "big"), place + 8
        end = start + length
        if length < 0 or end > len(data) or end - place > PIECE or data[place + 1] == 255:
            return False
        self._messages.append(apply_mask(data[start:end], data[start - 4 : start]))
        self._unread, self._place = (data, end) if end < len(data) else (b"", 0)
        return True

    def _read_on(self) -> None:
        """Turn the next piece of what came into messages."""
        if self._place or len(self._unread) > PIECE:
            piece = self._unread[self._place : self._place + PIECE]
            self._place += PIECE
            if self._place >= len(self._unread):
                self._unread, self._place = b"", 0
        else:
            piece, self._unread = self._unread, b""
        self.conn.receive_data(piece)
        self._begun += len(piece)
        controls = 0
        for frame in self.conn.events_received():
            assert isinstance(frame, Frame)
            self._begun -= _size_of(frame)
            if frame.opcode is Opcode.CLOSE:
                self._says_goodbye = True
            elif frame.opcode in (Opcode.PING, Opcode.PONG):
                controls += 1
            elif frame.fin and not self._parts:
                self._messages.append(bytes(frame.data))
            else:
                self._parts.append(bytes(frame.data))
                if frame.fin:
                    self._messages.append(b"".join(self._parts))
                    self._parts = []
        if self.conn.parser_exc is not None:  # what the protocol forbids; the library has said goodbye already
            self._end(self.conn.data_to_send())
        elif len(self._parts) > PARTS_MAX:
            self.say_goodbye(CloseCode.MESSAGE_TOO_BIG)
        elif controls and not self._may_control(controls):
            self._cut_off()
        elif controls and not self._says_goodbye:
            pongs = self.conn.data_to_send()
            if pongs and not self._full:  # whoever does not read is not answered either
                self._write(b"".join(pongs))

    def _may_control(self, count: int) -> bool:
        """Whether so many more pings and pongs are no more than anybody needs."""
        now = self.loop.time()
        left = min(CONTROL_BURST, self._controls + (now - self._controls_at) * CONTROL_RATE)
        self._controls, self._controls_at = left - count, now
        return left >= count

    def _cut_off(self) -> None:
        """Somebody keeps us busy with nothing: they are told, and not listened to any more."""
        self.conn.data_to_send()
        self.say_goodbye(CloseCode.POLICY_VIOLATION)
        self.transport.close()

    def _hear_again(self) -> None:
        self._turn = None
        if self._closing is not None or self.transport.is_closing():
            return
        self.heard_at = self.loop.time()  # they were not silent: it was we who did not listen
        self.transport.resume_reading()
        self._hear()

    def _hear_goodbye(self, data: bytes) -> None:
        """After we said it: nothing else is of interest, and much is not even looked at."""
        self._after_goodbye += len(data)
        if len(data) <= PIECE:
            self.conn.receive_data(data)
            self.conn.events_received()
        if self._after_goodbye > CLOSE_BYTES or self.conn.close_rcvd is not None:
            self.transport.close()

    # --- out ---

    def flush(self) -> None:
        """Send what there is, as long as the wire takes it."""
        talks, outbox = self._talks, self._outbox
        if talks is None or self._full or self._sending or self._closing is not None or self.transport.is_closing():
            return
        assert outbox is not None
        self._sending = True
        pending = self._pending
        try:
            while len(pending) < BUFFER_MAX and (message := talks.next()) is not None:
                pending += framed(message)
        finally:
            self._sending = False
            if pending and not self._pending:
                outbox.add(self)
            self._pending = pending
        if talks.over is not None:
            self._write(framed(talks.goodbye()))
            self.say_goodbye(CloseCode.NORMAL_CLOSURE)

    def send_pending(self) -> None:
        """Hand over what waits; when the wire takes no more, nothing more is made until it does."""
        pending, self._pending = self._pending, b""
        if pending and not self.transport.is_closing():
            self.transport.write(pending)
            if len(pending) >= BUFFER_MAX:
                self.flush()

    def _write(self, data: bytes) -> None:
        """Send at once, after what waits."""
        self.send_pending()
        self.transport.write(data)

    def ping(self) -> None:
        if self._closing is None and not self.transport.is_closing():
            self._write(framed(b"", Opcode.PING))

    def pause_writing(self) -> None:
        self._full = True
        super().pause_writing()

    def resume_writing(self) -> None:
        self._full = False
        super().resume_writing()
        self.flush()

    # --- the end ---

    def say_goodbye(self, code: int) -> None:
        """Close, giving the client a moment to close too."""
        if self._closing is None and not self.transport.is_closing():
            self.conn.send_close(code)
            self._end(self.conn.data_to_send())

    def _end(self, last: list[bytes]) -> None:
        """The last that we send; what has come and was not heard is forgotten."""
        self._write(b"".join(last))
        self._forget()
        self._closing = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def _forget(self) -> None:
        self._unread, self._place, self._pending = b"", 0, b""
        self._parts = []
        self._messages.clear()
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None

    def drop(self) -> None:
        """Nobody is there any more."""
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()
        self._talks = self._outbox = None
        if self._closing is not None:
            self._closing.cancel()
        if hasattr(self, "scope"):
            self.scope["extensions"].clear()
        self.conn.parser.close()  # it would keep the library's part, and that part it
        self.conn.parser_exc = None
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def shutdown(self) -> None:
        if self._talks is None:
            super().shutdown()
        else:
            self.say_goodbye(CloseCode.SERVICE_RESTART)
            self.transport.close()
