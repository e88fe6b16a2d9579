"""The WebSocket: one socket for many tables, JSON text both ways. What goes out is bounded, whatever comes in.

A client is told the newest state of a table, never a queue of old ones: while its socket is full nothing is made for
it, and when it can take more it gets one update with everything since the last.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from pitboss.floor.model import Answer, Caller, Halted, Moved
from pitboss.floor.shared_stream import outside
from pitboss.floor.updates import Watch
from pitboss.floor.wire import AskedAct, unfit, unread_act
from pitboss.server.budgets import Whom
from pitboss.server.metrics import Metrics
from pitboss.server.replies import offered
from pitboss.server.security import Guard, Receive, Scope, Send
from pitboss.server.sockets import Line, Outbox
from pitboss.store.log import StoreError

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

MESSAGE_MAX = 16 * 1024
"""Bytes of one message from a client; no act is longer."""
WATCHES_MAX = 256
ANSWERS_MAX = 1_000
"""Answers that wait for a client who does not read; then it is cut off."""
ID_MAX = 100
ID_WANTED = f"an act needs an id of 1 to {ID_MAX} printable characters that you choose, each only once."
SURE_MS = 10_000
"""So long a session is taken to hold unless somebody's account or session changes, or it ends by itself."""
UNREAD = "you do not read what you are sent."
LOOK_SECONDS, PING_SECONDS, GONE_SECONDS = 5.0, 20.0, 60.0
"""How often sockets are looked at; after so much silence a client is asked whether it is there, and dropped."""

log = logging.getLogger("pitboss.live")


class Say(msgspec.Struct, frozen=True, gc=False):
    """What a client sends."""

    do: Literal["act", "watch", "unwatch", "pass", "unpass", "pace", "ping"]
    table: str = ""
    id: str = ""
    after: int | None = None
    act: msgspec.Raw = msgspec.Raw(b"null")
    pace: Literal["on", "off", "done", "rest"] = "done"
    """Of a dealer who confirms every card and payment."""
    place: str = ""
    """What they confirm, as the prompt names it."""


class SayAct(msgspec.Struct, frozen=True, gc=False, tag_field="do", tag="act"):
    """What a client nearly always sends: an act that can be read at once."""

    act: AskedAct
    table: str = ""
    id: str = ""
    after: int | None = None


_read = msgspec.json.Decoder(Say).decode
_read_whole = msgspec.json.Decoder(SayAct).decode
_read_act = msgspec.json.Decoder(AskedAct).decode
_encode = msgspec.json.Encoder().encode


class Answered:
    """Connections with an answer to tell: each once the loop has done what it is at, so that what the answer makes news
    of is in the same write."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Connection] = []

    def add(self, connection: Connection) -> None:
        self._waiting.append(connection)
        if len(self._waiting) == 1:
            self._loop.call_soon(self._wake)

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for connection in waiting:
            try:
                connection.wake_now()
            except Exception:
                log.exception("a client could not be answered")


class Connection:
    """One client: what it watches, and what waits to be sent to it."""

    def __init__(
        self,
        floor: Floor,
        caller: Caller,
        metrics: Metrics,
        guard: Guard,
        whom: Whom | None = None,
        answered: Answered | None = None,
    ) -> None:
        self.floor = floor
        self.caller = caller
        self.whom = whom or Whom.of(caller.name, "")
        self.metrics = metrics
        self.watches: dict[str, Watch] = {}
        self.over: str | None = None
        """Why the socket is to be closed."""
        self._answers: deque[bytes] = deque()
        self._news: dict[str, None] = {}
        """Tables with something new, in the order in which it came."""
        self._loop = asyncio.get_running_loop()
        self._guard = guard
        self._rate = guard.acts
        self._old: dict[str, int] = {}
        """Bytes of what happened long ago and is still to be told, by table."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_turn = False
        """Whether the message that waits has its turn: sockets of one account are heard in the order of asking."""
        self.wake: Callable[[], None] = _nothing
        """Called when there is something to send."""
        self._will_wake = False
        self._answered = answered or Answered()
        self._people_version = self._sure_from_ms = self._sure_until_ms = -1

    # --- what comes in ---

    def hear(self, data: bytes) -> float:
        """One message from the client; whatever it is, it gets an answer or one sentence.

        Above zero where the client sends too fast: it was not heard, and is to be said again after so many seconds.
        """
        if self._has_turn:
            self._has_turn = False
        elif wait := self._rate.reserve(self.whom):
            self.metrics.slowed += 1
            self._has_turn = True
            return wait
        self.metrics.messages_in += 1
        self._understand(data)
        return 0.0

    def _understand(self, data: bytes) -> None:
        if self.over is not None or not self.check_session(used=True):
            return  # logged out, disabled or expired: from that moment on nobody is heard
        if len(data) > MESSAGE_MAX:
            self.complain(f"a message has at most {MESSAGE_MAX} bytes.")
            return
        try:
            whole = _read_whole(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._look_closer(data)
        else:
            self._act(whole.table, whole.id, whole.act)

    def _look_closer(self, data: bytes) -> None:
        """Something else than an act, or an act that leaves something out, or nothing that can be read."""
        try:
            said = _read(data)
        except msgspec.ValidationError as error:
            self.complain(f"the message is not of the right form: {_lower(str(error))}.")
            return
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self.complain("the message is not JSON.")
            return
        if said.do == "act":
            self._act_with_gaps(said)
        elif said.do == "ping":
            self.say(b'{"is":"pong"}')
        elif said.do == "watch":
            self._spawn(self._watch(said))
        elif said.do == "unwatch":
            watch = self.watches.pop(said.table, None)
            self._told_old(said.table)
            if watch is not None:
                self.floor.unwatch(watch)
        elif said.do == "pace":
            self._spawn(self._pace(said))
        else:
            self.floor.say_pass(self.caller, said.table, wants=said.do == "unpass")

    async def _pace(self, said: Say) -> None:
        """Nothing is answered where it is taken: what the table shows next says it."""
        try:
            answer = await self.floor.pace(self.caller, said.table, said.pace, said.place)
        except StoreError as error:
            answer = Halted(outside(error))
        if answer is not None:
            self.say(_encode({"is": "answer", "id": said.id, "answer": answer}))

    def _act_with_gaps(self, said: Say) -> None:
        """An act that says less than it might, such as who speaks."""
        if not _is_id(said.id):
            self.complain(ID_WANTED)
            return
        try:
            act = _read_act(said.act)
        except msgspec.MsgspecError as error:
            found = unread_act(bytes(said.act))
            if isinstance(found, str):
                self.complain(f"{said.id}: {found or _lower(str(error)) + '.'}", said.id)
                return
            act = found
        except RecursionError:
            self.complain("the message is not JSON.")
            return
        self._act(said.table, said.id, act)

    def _act(self, table: str, name: str, act: AskedAct) -> None:
        if not _is_id(name):
            self.complain(ID_WANTED)
            return
        problem = unfit(act)
        if problem:
            self.complain(problem, name)
            return
        self.floor.act_now(self.caller, table, name, act, partial(self._answer, name, self._loop.time()))

    def _answer(self, name: str, began: float, answer: Answer) -> None:
        self.metrics.acted(answer, self._loop.time() - began)
        self.say(b'{"is":"answer","id":%b,"answer":%b}' % (_encode(name), _encode(answer)))

    async def _watch(self, said: Say) -> None:
        table = said.table
        if table not in self.watches and len(self.watches) >= WATCHES_MAX:
            self.complain(f"one socket watches at most {WATCHES_MAX} tables.")
            return
        watch: Watch | Answer
        try:
            watch = await self.floor.watch(self.caller, table, said.after, partial(self._something_new, table))
        except StoreError as error:
            watch = Halted(outside(error))
        except Exception:
            log.exception("a table could not be watched", extra={"table": table})
            watch = Halted("this is a fault in Pitboss; it is logged.")
        if not isinstance(watch, Watch):
            if isinstance(watch, Moved):
                self.say(_encode({"is": "moved", "table": table, "address": watch.address}))
            else:
                self.say(_encode({"is": "answer", "id": said.id, "answer": watch}))
            return
        old = self.watches.pop(table, None)
        self._told_old(table)
        if old is not None:
            old.stop()
        if watch.old and self._guard.keep(self.whom, len(watch.old)):
            self._old[table] = len(watch.old)
        elif watch.old:
            self.close(UNREAD)
        if self.over is not None:
            self.floor.unwatch(watch)
            self._told_old(table)
            return
        self.watches[table] = watch
        self._something_new(table)

    def _something_new(self, table: str) -> None:
        self._news[table] = None
        self.wake()

    # --- what goes out ---

    def say(self, message: bytes) -> None:
        """Something that must reach the client."""
        if self.over is not None:
            return
        if len(self._answers) >= ANSWERS_MAX or not self._guard.keep(self.whom, len(message)):
            self.close(UNREAD)
            return
        self._answers.append(message)
        if not self._will_wake:  # what this makes news of is then in the same write
            self._will_wake = True
            self._answered.add(self)

    def wake_now(self) -> None:
        """Have told what waits."""
        self._will_wake = False
        if self._answers or self._news or self.over is not None:  # not told yet with what this made news of
            self.wake()

    def complain(self, text: str, about: str = "") -> None:
        """We cannot read you: one sentence."""
        self.metrics.unread += 1
        self.say(_encode({"is": "error", "text": text, "id": about} if about else {"is": "error", "text": text}))

    def close(self, text: str) -> None:
        if self.over is None:
            self.over = text
            self.wake()

    def next(self) -> bytes | None:
        """What is to be sent next: answers first, then the newest of a table."""
        if self._answers:
            answer = self._answers.popleft()
            self._guard.held.remove(self.whom, len(answer))
            return answer
        if not self._news:
            return None
        people = self.floor.people
        if people is not None and people.version != self._people_version and not self.check_session():
            return None  # what is new is for those who are still here, as they are by now
        while self._news:
            table = next(iter(self._news))
            del self._news[table]
            watch = self.watches.get(table)
            if watch is None:
                continue
            if watch.host.moved_to is not None:
                del self.watches[table]
                watch.stop()
                return _encode({"is": "moved", "table": table, "address": watch.host.moved_to})
            self.metrics.updates += 1
            if self._old:
                self._told_old(table)
            return offered(self.caller, table, watch.take())
        return None

    # --- the end ---

    def check_session(self, *, used: bool = False) -> bool:
        """Whether whoever is at the other end may still be there; `used`: they have just said something."""
        people = self.floor.people
        if people is None or not self.caller.session:
            return True
        now_ms = self.floor.clock.now_ms()
        if people.version == self._people_version and self._sure_from_ms <= now_ms < self._sure_until_ms:
            return True  # nobody has come, gone or changed since they were looked up a moment ago
        now = people.by_handle(self.caller.session, now_ms, used=used)
        if now is None or now.role != self.caller.role:
            self.close("your session is over; log in again.")
            return False
        if now.tables != self.caller.tables:
            self._news |= dict.fromkeys(self.watches)  # what they are offered there may be something else now
            self._loop.call_soon(self.wake)
        self.caller = now
        self._people_version, self._sure_from_ms = people.version, now_ms
        self._sure_until_ms = min(now_ms + SURE_MS, people.ends_ms(now.session))
        return True

    def goodbye(self) -> bytes:
        """The last message."""
        return _encode({"is": "gone", "text": self.over})

    def gone(self) -> None:
        """The socket is closed."""
        self.over = self.over or "gone"
        self.wake = _nothing
        for task in self._tasks:
            task.cancel()
        if self._has_turn:
            self._has_turn = False
            self._rate.give_back(self.whom)
        for watch in self.watches.values():
            self.floor.unwatch(watch)
        self.watches.clear()
        for table in list(self._old):
            self._told_old(table)
        self._guard.held.remove(self.whom, sum(map(len, self._answers)))
        self._answers.clear()

    def _told_old(self, table: str) -> None:
        """What happened long ago at a table is told, or not wanted any more."""
        size = self._old.pop(table, 0)
        if size:
            self._guard.held.remove(self.whom, size)

    def _spawn(self, coroutine: Any) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _nothing() -> None:
    """Nobody is there who could be woken."""


def _servers(addresses: list[str]) -> bytes:
    return _encode({"is": "servers", "addresses": addresses})


def _is_id(text: str) -> bool:
    return 0 < len(text) <= ID_MAX and text.isprintable()


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


class Live:
    """The ASGI end of `/ws`."""

    def __init__(
        self,
        floor: Floor,
        metrics: Metrics,
        who: Callable[[Scope], Caller | None],
        guard: Guard,
    ) -> None:
        self.floor = floor
        self.metrics = metrics
        self.who = who
        self.guard = guard
        self.connections: dict[Connection, Line] = {}
        self._outbox = Outbox()
        self._answered = Answered()
        self._others: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket from the handshake to the end."""
        await receive()
        caller = self.who(scope)
        if caller is None or scope["path"] != "/ws":
            await send({"type": "websocket.close", "code": 4401, "reason": "log in first"})
            return
        whom = scope["state"]["whom"]
        with self.guard.socket(whom) as free:
            if not free or self.floor.stopping:
                code, why = (1012, "the house is closing") if free else (4429, "too many sockets at once")
                await send({"type": "websocket.close", "code": code, "reason": why})
                return
            await send({"type": "websocket.accept"})
            await self._serve(caller, whom, scope["extensions"]["pitboss.line"])

    async def _serve(self, caller: Caller, whom: Whom, line: Line) -> None:
        connection = Connection(self.floor, caller, self.metrics, self.guard, whom, self._answered)
        connection.wake = line.flush
        self.connections[connection] = line
        if not self.floor.alone:
            connection.say(_servers(self.floor.others))
        self.metrics.sockets += 1
        try:
            with suppress(asyncio.CancelledError):  # the server stops: the socket is closed, and that is all
                await line.talk(connection, self._outbox)
        finally:
            connection.gone()
            del self.connections[connection]
            self.metrics.sockets -= 1

    async def keep(self) -> None:
        """Look after the sockets: end those whose session is over or whose client is gone."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self._tell_of_others()
            for connection, line in list(self.connections.items()):
                silent = loop.time() - line.heard_at
                if silent > GONE_SECONDS or connection.over is not None:  # told to go, and does not read it
                    line.drop()
                elif connection.check_session() and silent > PING_SECONDS:
                    line.ping()

    def _tell_of_others(self) -> None:
        """Clients know where else to go, for when this server is gone."""
        if self.floor.others != self._others:
            self._others = self.floor.others
            for connection in list(self.connections):
                connection.say(_servers(self._others))

    def session_ended(self, handle: str) -> None:
        """A session ended before its time: its sockets end with it."""
        for connection in list(self.connections):
            if connection.caller.session == handle:
                connection.close("your session is over; log in again.")

    def close_all(self, text: str) -> None:
        """Say goodbye to everybody."""
        for connection in list(self.connections):
            connection.close(text)
