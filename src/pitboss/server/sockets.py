"""WebSocket frames, quickly: after the handshake, which uvicorn does, messages go straight to the connection and back.

There is no queue and no task between the wire and the floor. A message is heard the moment it is whole, and what is to
be sent is asked for only while the wire takes it, so that a client who reads slowly costs no memory.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was built without its C part
    from websockets.utils import apply_mask

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FINAL_TEXT = 128 | TEXT
NORMAL, BROKEN_PROTOCOL, TOO_OFTEN, TOO_LARGE, RESTARTING = 1000, 1002, 1008, 1009, 1012
BUFFER_MAX = 256 * 1024
"""Bytes that may wait for a slow client before nothing more is made for it."""
CLOSE_SECONDS = 2.0
"""How long a client is given to say goodbye too."""
CLOSE_BYTES = 64 * 1024
"""How much he may still send until then."""
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


def framed(data: bytes, opcode: int = TEXT) -> bytes:
    """One whole frame from the server, which masks nothing."""
    size = len(data)
    if size < 126:
        return b"%c%c%b" % (128 | opcode, size, data)
    if size < 65536:
        return b"%c\x7e%b%b" % (128 | opcode, size.to_bytes(2, "big"), data)
    return b"%c\x7f%b%b" % (128 | opcode, size.to_bytes(8, "big"), data)


class Broken(Exception):
    """What came is not what the protocol allows; with the code that says so."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Frames:
    """Bytes to messages: whole ones only, none longer than `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()
        self._parts: list[bytes] = []
        self._length = 0
        """Of the parts so far."""
        self._begun = False

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Opcodes and payloads; fragments are put together. Raises `Broken` where the protocol is not kept."""
        buffer = self._buffer
        if not buffer and not self._begun and data[0] == FINAL_TEXT and len(data) > 6:
            second = data[1]  # nearly always one whole short message
            start = 6 if second < 254 else 8
            length = second & 127 if second < 254 else int.from_bytes(data[2:4], "big")
            if second != 255 and second & 128 and len(data) == start + length and length <= self._most:
                return [(TEXT, apply_mask(data[start:], data[start - 4 : start]))]
        buffer += data
        controls = 0
        found: list[tuple[int, bytes]] = []
        place, end = 0, len(buffer)
        while end - place >= 2:
            first, second = buffer[place], buffer[place + 1]
            start, length = place + 2, second & 127
            if not second & 128 or first & 0x70:
                raise Broken(BROKEN_PROTOCOL)
            if length == 126:
                length, start = int.from_bytes(buffer[place + 2 : place + 4], "big"), place + 4
            elif length == 127:
                length, start = int.from_bytes(buffer[place + 2 : place + 10], "big"), place + 10
            if length + self._length > self._most and end >= start:
                raise Broken(TOO_LARGE)
            if end - start < 4 + length:
                break
            payload = bytes(buffer[start + 4 : start + 4 + length])
            payload = apply_mask(payload, bytes(buffer[start : start + 4]))
            place = start + 4 + length
            if first & 15 >= CLOSE:
                controls += 1
                if controls > CONTROL_BURST:
                    raise Broken(TOO_OFTEN)
            message = self._whole(first, payload)
            if message is not None:
                found.append(message)
        del buffer[:place]
        return found

    def _whole(self, first: int, payload: bytes) -> tuple[int, bytes] | None:
        opcode, is_last = first & 15, bool(first & 128)
        if opcode >= CLOSE:
            if opcode > PONG or not is_last or len(payload) > 125:
                raise Broken(BROKEN_PROTOCOL)
            return opcode, payload
        if opcode > BINARY or (opcode == CONTINUED) != self._begun:
            raise Broken(BROKEN_PROTOCOL)
        if is_last and not self._begun:
            return opcode, payload
        self._begun = not is_last
        self._parts.append(payload)
        self._length += len(payload)
        if not is_last:
            if len(self._parts) > 64:
                raise Broken(TOO_LARGE)
            return None
        whole, self._parts, self._length = b"".join(self._parts), [], 0
        return TEXT, whole


class Outbox:
    """What many lines send goes out at one stretch: the first write wakes who reads, the others find him awake."""

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
        self._frames = Frames(self.config.ws_max_size)
        self._held: deque[tuple[int, bytes]] = deque()
        """Messages that wait until the client may speak again; no more than came at once."""
        self._waiting = False
        self._full = False
        self._sending = False
        self._closing = False
        self._after_goodbye = 0
        """Bytes that came since we said it."""
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
        self._talks = talks
        self._outbox = outbox
        self._ended = self.loop.create_future()
        self.heard_at = self.loop.time()
        self.transport.set_write_buffer_limits(high=BUFFER_MAX)
        if self.disconnected or self.transport.is_closing():
            return
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        while not self.queue.empty():
            early = self.queue.get_nowait()
            if early["type"] == "websocket.receive":
                self._held.append((TEXT, (early.get("text") or "").encode() or early.get("bytes") or b""))
        self._hear_held()
        self.flush()
        await self._ended

    # --- in ---

    def data_received(self, data: bytes) -> None:
        talks = self._talks
        if talks is None:
            super().data_received(data)
            return
        if self._closing:
            self._after_goodbye += len(data)
            if self._after_goodbye > CLOSE_BYTES or self._is_goodbye(data):
                self.transport.close()
            return
        self.heard_at = self.loop.time()
        try:
            messages = self._frames.feed(data)
        except Broken as broken:
            if broken.code == TOO_OFTEN:
                self._cut_off()
            else:
                self.say_goodbye(broken.code)
            return
        self._held.extend(messages)
        if not self._waiting:
            self._hear_held()

    def _hear_held(self) -> None:
        """Hear what has come; from a client who sends too fast nothing more is read for a while."""
        talks, held = self._talks, self._held
        assert talks is not None
        while held:
            opcode, payload = held[0]
            if opcode <= BINARY:
                wait = talks.hear(payload)
                if wait:
                    self._waiting = True
                    self.transport.pause_reading()
                    self.loop.call_later(wait, self._hear_again)
                    return
            elif opcode == CLOSE:
                self._write(framed(payload[:2] if len(payload) >= 2 else b"", CLOSE))
                self.transport.close()
                return
            elif not self._may_control():
                self._cut_off()
                return
            elif opcode == PING and not self._full:  # whoever does not read is not answered either
                self._write(framed(payload, PONG))
            held.popleft()

    def _may_control(self) -> bool:
        """Whether one more ping or pong is no more often than anybody needs."""
        now = self.loop.time()
        left = min(CONTROL_BURST, self._controls + (now - self._controls_at) * CONTROL_RATE)
        self._controls, self._controls_at = left - 1, now
        return left >= 1

    def _cut_off(self) -> None:
        """Somebody keeps us busy with nothing: he is told, and not listened to any more."""
        self._held.clear()
        self.say_goodbye(TOO_OFTEN)
        self.transport.close()

    def _hear_again(self) -> None:
        self._waiting = False
        if self._closing or self.transport.is_closing():
            return
        self.heard_at = self.loop.time()  # he was not silent: it was we who did not listen
        self.transport.resume_reading()
        self._hear_held()

    def _is_goodbye(self, data: bytes) -> bool:
        try:
            return any(opcode == CLOSE for opcode, _ in self._frames.feed(data))
        except Broken:
            return True

    # --- out ---

    def flush(self) -> None:
        """Send what there is, as long as the wire takes it."""
        talks, outbox = self._talks, self._outbox
        if talks is None or self._full or self._sending or self._closing or self.transport.is_closing():
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
            self.say_goodbye(NORMAL)

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
        if not self._closing and not self.transport.is_closing():
            self._write(framed(b"", PING))

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
        if self._closing or self.transport.is_closing():
            return
        self._closing = True
        self._write(framed(code.to_bytes(2, "big"), CLOSE))
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def drop(self) -> None:
        """Nobody is there any more."""
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def shutdown(self) -> None:
        if self._talks is None:
            super().shutdown()
        else:
            self.say_goodbye(RESTARTING)
            self.transport.close()
