"""From a command line to a running server, and back to none: sockets, signals, and a log that is ours alone."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any

import msgspec
import uvicorn

from pitboss.chance import Chance
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.setting_up import Reception, open_demo_floor
from pitboss.server import logs
from pitboss.server.app import Server
from pitboss.server.live import MESSAGE_MAX
from pitboss.server.security import Guard
from pitboss.server.sockets import Line
from pitboss.store.group import GroupCommit
from pitboss.store.log import StoreError
from pitboss.store.opening import open_log
from pitboss.store.signing import Signer

FINE, BAD_INPUT = 0, 2
COLLECT = (20_000, 20, 50)
"""How seldom circles of garbage are looked for: almost nothing here makes any, and looking costs much."""

log = logging.getLogger("pitboss.server")


@dataclass(frozen=True, slots=True)
class Serving:
    """What somebody wants served, and how."""

    host: str
    port: int
    data: str
    address: str | None = None
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    key: Path | None = None
    grace_seconds: float = 30.0
    open_browser: bool = False
    demo: bool = True
    log_level: str = "info"
    as_json: bool = False


class StartError(Exception):
    """The server cannot start: one sentence."""


def run(serving: Serving) -> int:
    """Serve until somebody stops it."""
    logs.set_up(serving.log_level)
    try:
        with _place(serving.data) as (url, key), _socket(serving) as listening:
            with suppress(ImportError):
                import uvloop

                with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                    return runner.run(_serve(serving, url, serving.key or key, listening))
            return asyncio.run(_serve(serving, url, serving.key or key, listening))
    except (StartError, StoreError) as error:
        print(f"{'unread':<10}pitboss serve: {error}", file=sys.stderr)
        return BAD_INPUT


@contextmanager
def _place(data: str) -> Iterator[tuple[str, Path | None]]:
    """The log's address and the place of its key; a folder is made, and locked so that one process alone has it."""
    if "://" in data and not data.startswith("sqlite:"):
        yield data, None
        return
    path = Path(data.removeprefix("sqlite://"))
    folder = path.parent if path.suffix in (".db", ".sqlite") else path
    file = path if folder != path else path / "pitboss.db"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / (file.name + ".lock")).open("a")
    except OSError as error:
        raise StartError(f"{folder}: {(error.strerror or 'cannot be written').lower()}.") from None
    with lock:
        _lock(lock, file)
        yield str(file), file.with_suffix(".key")


def _lock(lock: IO[str], file: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        text = "another server has this log open; stop it, or use PostgreSQL for several servers."
        raise StartError(f"{file}: {text}") from None


@contextmanager
def _socket(serving: Serving) -> Iterator[socket.socket]:
    try:
        family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((serving.host, serving.port))
        listening.listen(2048)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise StartError(f"{serving.host}:{serving.port}: {what}; choose another with --port.") from None
    with listening:
        yield listening


class _Uvicorn(uvicorn.Server):
    """A server that lets rounds end before it stops: the first signal begins the end, the second does not wait."""

    def __init__(self, config: uvicorn.Config, leave: asyncio.Event) -> None:
        super().__init__(config)
        self._leave = leave
        self._loop = asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._leave.is_set():
            self.force_exit = self.should_exit = True
        else:
            self._loop.call_soon_threadsafe(self._leave.set)


async def _serve(serving: Serving, url: str, key: Path | None, listening: socket.socket) -> int:
    port = listening.getsockname()[1]
    shown = f"[{serving.host}]" if ":" in serving.host else serving.host
    here = f"http://{'localhost' if shown in ('127.0.0.1', '[::1]') else shown}:{port}"
    kept = await asyncio.to_thread(open_log, url)
    commits = GroupCommit(kept)
    alone = not url.startswith("postgres")
    owner = "local" if alone else f"{socket.gethostname()}:{os.getpid()}:{Chance().below(1 << 40)}"
    floor = Floor(
        commits,
        clock=SystemClock(),
        chance=Chance(),
        owner=owner,
        address=serving.address or here,
        alone=alone,
    )
    reception = Reception(floor)
    try:
        await reception.open()
        await floor.start()
        if serving.demo:
            await open_demo_floor(floor)
        server = Server(
            floor,
            reception,
            Guard(hosts=serving.names, proxies=serving.proxies),
            Signer(key) if key is not None else None,
        )
        await _until_stopped(serving, server, listening, here)
    finally:
        await reception.close()
        if not floor.stopping:
            await floor.stop(0)
        kept.close()
    return FINE


async def _until_stopped(serving: Serving, server: Server, listening: socket.socket, here: str) -> None:
    leave = asyncio.Event()
    web = web_server(server, leave)
    serving_task = asyncio.create_task(web.serve(sockets=[listening]))
    keeping = asyncio.create_task(server.live.keep())
    while not web.started and not serving_task.done():
        await asyncio.sleep(0.01)
    _say_where(serving, server, here)
    waiting = asyncio.create_task(leave.wait())
    await asyncio.wait((serving_task, waiting), return_when=asyncio.FIRST_COMPLETED)
    log.info("stopping", extra={"grace_seconds": serving.grace_seconds})
    stopping = asyncio.create_task(server.floor.stop(serving.grace_seconds))
    while not stopping.done() and not web.should_exit:
        await asyncio.wait((stopping, serving_task), timeout=0.1)
    if not stopping.done():
        stopping.cancel()
    server.live.close_all("the house is closing.")
    await asyncio.sleep(0.1)
    web.should_exit = True
    await serving_task
    waiting.cancel()
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await stopping
    log.info("stopped")


def web_server(server: Server, leave: asyncio.Event | None = None) -> _Uvicorn:
    """The web server around the application: no compression, and messages of a bounded size."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
    config = uvicorn.Config(
        server,
        log_config=None,
        access_log=False,
        lifespan="off",
        loop="none",
        http="httptools",
        ws=Line,
        ws_max_size=MESSAGE_MAX,
        ws_per_message_deflate=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        backlog=2048,
    )
    return _Uvicorn(config, leave or asyncio.Event())


def _say_where(serving: Serving, server: Server, here: str) -> None:
    """Where the floor is, for people and for programs."""
    token = None if server.reception.is_set_up else server.reception.token
    if serving.as_json:
        said: dict[str, Any] = {"address": here, "pid": os.getpid(), "setup_token": token}
        print(msgspec.json.encode(said).decode(), flush=True)
    else:
        print(f"The floor is open at {here}", flush=True)
        if token is not None:
            print(f"To set it up from another machine use this token: {token}", flush=True)
        print("Ctrl-C stops it when the rounds in play have ended; twice, at once.", flush=True)
    if serving.open_browser:
        webbrowser.open(here)
