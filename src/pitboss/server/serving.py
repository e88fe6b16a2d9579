"""From a command line to a running server, and back to none: sockets, signals, and a log that is ours alone."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import fcntl
import gc
import logging
import os
import resource
import socket
import sqlite3
import sys
import webbrowser
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import IO, Any

import msgspec
import uvicorn

from pitboss.chance import Chance, secret_token
from pitboss.floor.alarms import WITNESS_AWAY
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.looking_back import LookingBack
from pitboss.floor.mailing import Mail
from pitboss.floor.setting_up import Reception, open_demo_floor
from pitboss.rulebooks.terms import Amendment
from pitboss.server import logs
from pitboss.server.app import Server
from pitboss.server.live import MESSAGE_MAX
from pitboss.server.patience import Patient, open_many_files
from pitboss.server.security import Guard
from pitboss.server.several import Member, Watcher
from pitboss.server.sockets import Line
from pitboss.server.witnesses import Witnesses
from pitboss.store.group import GroupCommit
from pitboss.store.keeping import KEEP_SECONDS, Keeper
from pitboss.store.log import StoreError
from pitboss.store.moving import opened
from pitboss.store.opening import IN_A_FOLDER, open_log, path_of
from pitboss.store.room import RESERVE_BYTES, Room
from pitboss.store.signing import SignedHead
from pitboss.store.sqlite import known_fault
from pitboss.store.stored import StoredLog

FINE = 0
COLLECT = (100_000, 20, 50)
"""How seldom circles of garbage are looked for: nothing that comes and goes makes any, and looking costs much."""
GROWN_BYTES, GROWN_SHARE = 64 << 20, 0.25
"""After memory has grown by both they are looked for everywhere, in case something makes some after all."""
LOOK_SECONDS = 5.0
SET_TIMER_SLACK = 29
TURN_SECONDS = 0.001
"""After so long the loop lets the thread that writes the log go on: clients, and other processes, wait for it."""

SETUP_BYTES = 18
EVERYWHERE = ("0.0.0.0", "::", "")
"""Hosts that stand for every address of the machine."""

log = logging.getLogger("pitboss.server")


@dataclass(frozen=True, slots=True)
class Serving:
    """What somebody wants served, and how."""

    host: str
    port: int
    data: str
    address: str | None = None
    """How clients reach it; `{n}` in it is the number of the process, from 1, and `{port}` its port."""
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    key: Path | None = None
    heads: Path | None = None
    grace_seconds: float = 30.0
    open_browser: bool = False
    demo: bool = True
    amendments: Mapping[str, tuple[Amendment, ...]] = field(default_factory=dict)
    """By rulebook: what amends the tables of the demo floor."""
    log_level: str = "info"
    as_json: bool = False
    processes: int = 1
    reserve_bytes: int = RESERVE_BYTES
    """Of the disk, for a log in a file: kept so that rounds in play can end when it is full."""
    mail: Mail | None = None
    """How notices are sent by e-mail."""
    beside: Callable[[Floor, str], Coroutine[Any, Any, None]] | None = None
    """What is done on the floor while it is served, knowing where that is."""
    opens: str = ""
    """Which page a browser is opened at."""
    quiet: bool = False
    """Whoever asked for it says where the floor is."""
    coach: bool = False
    """Whether the coach of the practice tables is begun at once, and not when somebody first asks."""
    witnesses: tuple[str, ...] = ()
    """Addresses to which the heads of the log are sent."""
    setup_token: str = ""
    """Lets somebody from elsewhere set the floor up; each process has its own unless one is said."""


class StartError(Exception):
    """The server cannot start: one sentence."""


def run(serving: Serving) -> int:
    """Serve until somebody stops it; raises `StartError` or `StoreError` where it cannot."""
    logs.set_up(serving.log_level)
    open_many_files()
    with _place(serving.data) as url, ExitStack() as stack:
        ports = range(serving.port, serving.port + serving.processes) if serving.port else (0,) * serving.processes
        sockets = [stack.enter_context(_socket(serving.host, port)) for port in ports]
        if serving.processes == 1:
            return _run_one(serving, url, sockets[0])
        with opened(open_log(url)) as new:  # so that a new log is made once, and what is wrong with it is said once
            _see_to_the_key(new, serving)
            _keeper(new, url, serving)
        token = secret_token(SETUP_BYTES)  # what is printed lets people in at whichever process they come to

        def one(member: Member) -> int:
            first = member.is_first
            own = replace(
                serving,
                demo=serving.demo and first,
                open_browser=serving.open_browser and first,
                setup_token=token,
            )
            return _run_one(own, url, sockets[member.index], member)

        return Watcher(serving.processes, one).run()


def _wake_in_time() -> None:
    """Threads that are begun from here on are woken when their turn comes, and not fifty microseconds later, as Linux
    may do."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(SET_TIMER_SLACK, 1, 0, 0, 0)


def _run_one(serving: Serving, url: str, listening: socket.socket, member: Member | None = None) -> int:
    _wake_in_time()
    with suppress(ImportError):
        import uvloop

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(_serve(serving, url, listening, member))
    return asyncio.run(_serve(serving, url, listening, member))


@contextmanager
def _place(data: str) -> Iterator[str]:
    """The log's address; a folder is made, and locked so that one process alone has it."""
    if "://" in data and not data.startswith("sqlite:"):
        yield data
        return
    path = Path(os.path.realpath(data.removeprefix("sqlite://")))  # by whichever way one comes, it is one log
    folder = path.parent if path.suffix in (".db", ".sqlite") or path.is_file() else path
    file = path if folder != path else path / IN_A_FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / (file.name + ".lock")).open("a")
    except OSError as error:
        raise StartError(f"{folder}: {(error.strerror or 'cannot be written').lower()}.") from None
    with lock:
        _lock(lock, file)
        yield str(file)


def _lock(lock: IO[str], file: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        text = "another server has this log open; stop it, or use PostgreSQL for several servers."
        raise StartError(f"{file}: {text}") from None


@contextmanager
def _socket(host: str, port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listening:
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(2048)
        except OSError as error:
            what = (error.strerror or str(error)).lower()
            is_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
            place, option = (host, "--host") if is_host else (f"{host}:{port}", "--port")
            raise StartError(f"{place}: {what}; choose another with {option}.") from None
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


async def _serve(serving: Serving, url: str, listening: socket.socket, member: Member | None) -> int:
    port = listening.getsockname()[1]
    alone = member is None and not url.startswith("postgres")
    kept = await asyncio.to_thread(open_log, url, several=not alone)
    _warn_of_sqlite(url, several=not alone)
    await asyncio.to_thread(_see_to_the_key, kept, serving)
    keeper = await asyncio.to_thread(_keeper, kept, url, serving, member is None)
    await asyncio.to_thread(kept.seal_snapshots)
    commits = GroupCommit(kept, room=Room(path_of(url), serving.reserve_bytes))
    owner = "local" if alone else f"{socket.gethostname()}:{os.getpid()}:{Chance().below(1 << 40)}"
    floor = Floor(
        commits,
        clock=SystemClock(),
        chance=Chance(),
        owner=owner,
        address=address_of(serving, port, member),
        alone=alone,
        looking_back=LookingBack(url),
    )
    reception = Reception(floor)
    reception.token = serving.setup_token or reception.token
    reception.registers.mail = serving.mail
    try:
        await reception.open()
        await floor.start(serving.processes)
        if serving.demo:
            await open_demo_floor(floor, serving.amendments)
        server = Server(
            floor,
            reception,
            Guard(hosts=serving.names, proxies=serving.proxies),
            keeper.signer,
        )
        if serving.coach:
            await server.begin_coach()
        is_keeper = member is None or member.is_first
        witnesses = Witnesses(serving.witnesses, serving.mail)
        keeping = asyncio.create_task(_keep_heads(floor, keeper, witnesses)) if is_keeper else None
        try:
            await _until_stopped(serving, server, listening, member)
        finally:
            server.close()
            if keeping is not None:
                keeping.cancel()
    finally:
        await reception.close()
        if not floor.stopping:
            await floor.stop(0)
        if _altered(keeper) is None:
            _keep_head(keeper)
        kept.close()
    return FINE


def _warn_of_sqlite(url: str, *, several: bool) -> None:
    """A SQLite with a known fault is told of: as a warning where it can happen, once for a machine alone."""
    fault = known_fault(sqlite3.sqlite_version_info) if path_of(url) is not None else None
    if fault is not None:
        log.log(logging.WARNING if several else logging.INFO, "an old SQLite", extra={"why": fault})


def _see_to_the_key(kept: StoredLog, serving: Serving) -> None:
    """What is hidden in the log can be sealed, and opened again; or nothing is served."""
    try:
        is_new = kept.sealing.ready()
    except BaseException:
        kept.close()
        raise
    if is_new:
        where = kept.sealing.keyring.where
        log.warning("hidden cards and accounts are sealed in the log", extra={"key": where})
        if not serving.as_json and not serving.quiet:
            print(f"Hidden cards are sealed with the key in {where}: keep a copy of it elsewhere.", flush=True)


def _keeper(kept: StoredLog, url: str, serving: Serving, look: bool = True) -> Keeper:
    """Whoever keeps the heads of the log; what they kept so far is held against it at once, and so is what follows.

    A log that was cut, rolled back, written anew or added to by others is not served.
    """
    keeper = Keeper(kept, url, serving.key, serving.heads)
    wrong = keeper.why_not() if look else None
    if wrong is not None:
        log.error("the log is not the one that it was", extra={"error": wrong})
        kept.close()
        raise StartError(f"{wrong} To serve it all the same two people say so: `pitboss log accept`.")
    return keeper


async def _keep_heads(floor: Floor, keeper: Keeper, witnesses: Witnesses) -> None:
    commits, alarms = floor.commits, floor.alarms
    while True:
        altered = await commits.run(_altered, keeper)
        if altered is not None:
            floor.distrust(altered)
        head = await commits.run(_keep_head, keeper) if altered is None else None
        wrong = await commits.run(witnesses.tell, head, SystemClock().now_ms())
        if wrong:
            alarms.ring(WITNESS_AWAY, wrong[0], "See that the witness can be reached; it is told as soon as it can.")
        else:
            alarms.end(WITNESS_AWAY)
        await asyncio.sleep(KEEP_SECONDS)


def _altered(keeper: Keeper) -> str | None:
    """What somebody else did to the log lately; where that cannot be looked at now, it is later."""
    try:
        return keeper.lately_altered()
    except (StoreError, OSError) as error:
        log.warning("the log cannot be looked at", extra={"error": str(error)})
        return None


def _keep_head(keeper: Keeper) -> SignedHead | None:
    """Where nothing can be kept now the floor goes on, and says so."""
    try:
        return keeper.keep(SystemClock().now_ms())
    except (StoreError, OSError) as error:
        log.warning("the head of the log cannot be kept", extra={"error": str(error)})
        return None


async def _until_stopped(serving: Serving, server: Server, listening: socket.socket, member: Member | None) -> None:
    leave = asyncio.Event()
    if member is not None:
        asyncio.get_running_loop().add_reader(member.lifeline, leave.set)
    tune()
    web = web_server(server, leave)
    serving_task = asyncio.create_task(web.serve(sockets=[listening]))
    keeping = asyncio.gather(server.live.keep(), sweep())
    while not web.started and not serving_task.done():
        await asyncio.sleep(0.01)
    if member is None or member.is_first:
        _say_where(serving, server, listening.getsockname()[1], member)
    beside = None
    if serving.beside is not None:
        local = "localhost" if serving.host in EVERYWHERE else serving.host
        where = _place_at(local, listening.getsockname()[1])
        beside = asyncio.create_task(serving.beside(server.floor, where))
        beside.add_done_callback(_failed_beside)
    waiting = asyncio.create_task(leave.wait())
    await asyncio.wait((serving_task, waiting), return_when=asyncio.FIRST_COMPLETED)
    log.info("stopping", extra={"grace_seconds": serving.grace_seconds})
    if beside is not None:
        beside.cancel()
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
        await keeping
    with suppress(asyncio.CancelledError):
        await stopping
    log.info("stopped")


def _failed_beside(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("what was to be done on the floor failed", exc_info=task.exception())


def tune() -> None:
    """For a process that serves and does nothing else."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)
    sys.setswitchinterval(TURN_SECONDS)


async def sweep() -> None:
    """Look for circles of garbage where memory grows."""
    after = _memory()
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if _memory() - after > max(GROWN_BYTES, GROWN_SHARE * after):
            found = gc.collect()
            log.info("swept", extra={"found": found, "bytes": _memory()})
            after = _memory()


def _memory() -> int:
    """Bytes of the process; 0 where the system does not say."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    return 0


def web_server(server: Server, leave: asyncio.Event | None = None) -> _Uvicorn:
    """The web server around the application: no compression, and messages of a bounded size."""
    config = uvicorn.Config(
        server,
        log_config=None,
        access_log=False,
        lifespan="off",
        loop="none",
        http=Patient,
        ws=Line,
        ws_max_size=MESSAGE_MAX,
        ws_per_message_deflate=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        backlog=2048,
    )
    return _Uvicorn(config, leave or asyncio.Event())


def address_of(serving: Serving, port: int, member: Member | None) -> str:
    """Where clients of other servers are told that this one is.

    `localhost` is the machine that the client has called before, by whichever name it called it.
    """
    if serving.address is not None:
        number = 1 if member is None else member.index + 1
        return serving.address.replace("{n}", str(number)).replace("{port}", str(port))
    return _place_at("localhost" if serving.host in EVERYWHERE else serving.host, port)


def _place_at(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{'localhost' if host in ('127.0.0.1', '::1') else shown}:{port}"


def _say_where(serving: Serving, server: Server, port: int, member: Member | None) -> None:
    """Where the floor is, for people and for programs; whoever sits at the machine calls it by a name of its own."""
    here, local = _place_at(serving.host, port), ""
    if serving.host in EVERYWHERE:
        local = _place_at("localhost", port)
    public = None if serving.address is None else address_of(serving, port, member)
    token = None if server.reception.is_set_up else server.reception.token
    kept, tables = server.floor.commits.log.url, len(server.floor.openings)
    told = {"address": here, "public": public, "kept": kept, "tables": tables, "set_up": token is None}
    log.info("open", extra=told)
    if serving.quiet:
        pass
    elif serving.as_json:
        said: dict[str, Any] = {"address": here, "local": local or here, "public": public, "pid": os.getpid()}
        print(msgspec.json.encode(said | {"setup_token": token}).decode(), flush=True)
    else:
        where = here if public is None else f"{public}, and listens at {here}"
        print(f"The floor is open at {where}{f', and for this machine at {local}' if local else ''}", flush=True)
        if token is not None:
            print(f"To set it up from another machine use this token: {token}", flush=True)
        print("Ctrl-C stops it when the rounds in play have ended; twice, at once.", flush=True)
    if serving.open_browser:
        webbrowser.open(f"{local or here}/{serving.opens}" if serving.opens else local or here)
