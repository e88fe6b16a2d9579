"""One connection keeps no more waiting than anybody needs, and one address has no more connections."""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

from uvicorn import Config
from uvicorn.server import ServerState

from pitboss.server.budgets import Limits
from pitboss.server.patience import PIPELINED_MOST, Patient
from pitboss.server.security import Guard
from tests.waiting import until

ASKED = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Wire(asyncio.Transport):
    """Takes everything, and knows whether it is closed."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 50_000)})
        self.closed = False
        self.sent = b""
        self._protocol: Any = None

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close

    def pause_reading(self) -> None:
        """Whoever sends waits."""

    def resume_reading(self) -> None:
        """He may go on."""

    def write(self, data: Any) -> None:
        self.sent += data

    def get_protocol(self) -> Any:
        return self._protocol

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol


class App:
    """Answers when it is told to."""

    def __init__(self, limits: Limits | None = None, proxies: tuple[str, ...] = ()) -> None:
        self.guard = Guard(limits=limits, proxies=proxies)
        self.answers = asyncio.Event()
        self.asked = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await self.answers.wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    def called(self, address: str = "192.0.2.1") -> tuple[Patient, Wire]:
        http, wire = Patient(Config(self, lifespan="off", log_config=None), ServerState(), {}), Wire(address)  # type: ignore[arg-type]
        wire.set_protocol(http)
        http.connection_made(wire)
        return http, wire


async def test_whoever_does_not_wait_for_his_answers_is_cut_off() -> None:
    app = App()
    http, wire = app.called()
    http.data_received(ASKED * (1 + PIPELINED_MOST))
    assert not wire.closed and len(http.pipeline) == PIPELINED_MOST
    http.data_received(ASKED * 5_000)
    assert wire.closed and len(http.pipeline) == PIPELINED_MOST, "nothing more was kept of him"
    await asyncio.sleep(0)
    app.answers.set()
    await asyncio.sleep(0.01)
    assert app.asked == 1, "and nothing more of what waited is done"
    gone = weakref.ref(http)
    http.connection_lost(None)
    wire.set_protocol(None)
    del http
    assert gone() is None, "nor is anything of him left that garbage would have to be looked for"


async def test_a_few_requests_that_come_at_once_are_answered_one_after_the_other() -> None:
    app = App()
    http, wire = app.called()
    app.answers.set()
    for turn in range(1, 6):
        http.data_received(ASKED * PIPELINED_MOST)
        await until(lambda: wire.sent.count(b"200 OK") == turn * PIPELINED_MOST)  # noqa: B023
    assert wire.sent.count(b"200 OK") == app.asked == 5 * PIPELINED_MOST and not wire.closed
    http.connection_lost(None)


async def test_one_address_has_only_so_many_connections() -> None:
    app = App(Limits(connections=3))
    calls = [app.called() for _ in range(5)]
    assert [wire.closed for _, wire in calls] == [False, False, False, True, True]
    assert not app.called("192.0.2.2")[1].closed, "another address has its own"
    for http, _ in (calls[0], calls[4]):
        http.connection_lost(None)
    assert [app.called()[1].closed for _ in range(2)] == [False, True], "one is gone that was counted"


async def test_a_proxy_calls_for_everybody() -> None:
    app = App(Limits(connections=3), proxies=("192.0.2.0/24",))
    calls = [app.called() for _ in range(10)]
    assert not any(wire.closed for _, wire in calls)
    for http, _ in calls:
        http.connection_lost(None)
    assert app.guard.connections.all == 0


async def test_one_address_calls_only_so_often() -> None:
    """Whoever is turned away with an answer each time costs more than whoever is not even let in."""
    app = App(Limits(calls_rate=0.001, calls_burst=5))
    for _ in range(5):
        http, wire = app.called()
        assert not wire.closed
        http.connection_lost(None)
    assert app.called()[1].closed and app.guard.turned_away["calls"] == 1
    assert not app.called("192.0.2.2")[1].closed
