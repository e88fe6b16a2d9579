"""A real server in a process of its own, and clients for it."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect

_ids = itertools.count(1)


class Running:
    """`pitboss serve`, until somebody stops it or the test ends."""

    def __init__(self, data: str | Path, *more: str, port: int = 0, module: str = "pitboss") -> None:
        command = [sys.executable, "-m", module, "serve", "--json", "--data", str(data), "--port", str(port)]
        command += [] if "--reserve" in more else ["--reserve", "0"]  # nobody wants so much for each test
        self.complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115 - a pipe that nobody reads would fill up
        self.process = subprocess.Popen(
            [*command, *(() if "--log" in more else ("--log", "warning")), *more],
            stdout=subprocess.PIPE,
            stderr=self.complaints,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        told = msgspec.json.decode(line) if line else {}
        if "address" not in told:
            self.process.communicate()
            self.complaints.seek(0)
            said = self.complaints.read()
            self.complaints.close()
            raise RuntimeError(said)
        self.address: str = told["address"].replace("localhost", "127.0.0.1")
        self.local: str = told["local"]
        self.port = int(self.address.rpartition(":")[2])
        self.setup_token: str = told["setup_token"] or ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill -9, at once; nothing is said goodbye to."""
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.complaints):
            if stream is not None:
                stream.close()

    def pause(self) -> None:
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self.process.pid, signal.SIGCONT)

    def stop(self, seconds: float = 20) -> int:
        """As an operator stops it; gives the exit code."""
        self.process.terminate()
        code = self.process.wait(seconds)
        if code:  # pytest shows it beside the failure
            self.complaints.seek(0)
            print(self.complaints.read())
        return code

    # --- HTTP ---

    def ask(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> tuple[int, Any]:
        """Status and body of one request."""
        data = None if body is None else body if isinstance(body, bytes) else msgspec.json.encode(body)
        sent = {"content-type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.address + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, _body(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _body(error.read())

    def guest(self, name: str = "", role: str = "player") -> str:
        """A session's token for somebody at this machine."""
        request = urllib.request.Request(
            self.address + "/api/guest",
            msgspec.json.encode({"name": name, "role": role}),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            cookie: str = answer.headers["set-cookie"]
        return cookie.partition("=")[2].partition(";")[0]

    def deal_face_down(self, table: str) -> None:
        """Have the cards dealt face down at a table: a supervisor asks for it, and an inspector approves."""
        act = {"id": f"face-down-{table}", "act": {"act": "DealFaceDown"}}
        status, said = self.ask("POST", f"/api/tables/{table}/acts", act, self.guest(role="supervisor"))
        assert "proposal" in said, (status, said)
        word = {"approve": True}
        status, said = self.ask("POST", f"/api/approvals/{said['proposal']}", word, self.guest(role="inspector"))
        assert status == 200 and said["is"] == "accepted", said

    def socket(self, token: str, **more: Any) -> connect:
        return socket_at(self.address, token, **more)


def socket_at(address: str, token: str, **more: Any) -> connect:
    """A socket of the server at an address, as `moved` names it."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    place = address.replace("http", "ws", 1) + "/ws"
    return connect(place, additional_headers=headers, max_size=1 << 24, compression=None, **more)


def _body(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        return data.decode()


class Client:
    """One socket: what it was sent, and acts that wait for their answers."""

    def __init__(self, socket: ClientConnection, hear: Callable[[dict[str, Any]], None] | None = None) -> None:
        """`hear` is told of every message as soon as it comes."""
        self.socket = socket
        self._hear = hear
        self.updates: dict[str, dict[str, Any]] = {}
        self.events: list[tuple[int, int, str]] = []
        self.others: list[dict[str, Any]] = []
        self._answers: dict[str, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for text in self.socket:
                said = msgspec.json.decode(text)
                if self._hear is not None:
                    self._hear(said)
                if said["is"] == "update":
                    self.updates[said["table"]] = said
                    self.events += [(each["version"], each["n"], each["text"]) for each in said["events"]]
                elif said.get("id") in self._answers and said["is"] in ("answer", "error"):
                    waiting = self._answers.pop(said["id"])
                    if not waiting.done():
                        waiting.set_result(said.get("answer", said))
                else:
                    self.others.append(said)
                self._news.set()
        except Exception as error:  # noqa: BLE001 - the server was killed: whoever waits is told
            self.others.append({"is": "lost", "text": repr(error)})
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError("the socket was lost before the answer came"))
                waiting.exception()  # somebody may have stopped waiting: then nobody need be told
        self._news.set()

    @property
    def lost(self) -> bool:
        return self._reading.done()

    async def say(self, **said: Any) -> None:
        await self.socket.send(msgspec.json.encode(said).decode())

    async def watch(self, table: str, after: int | None = None) -> dict[str, Any]:
        before = self.updates.pop(table, None)
        await self.say(do="watch", table=table, after=after)
        await self.until(lambda: table in self.updates or self.lost)
        return self.updates.get(table) or before or {}

    async def act(self, table: str, act: dict[str, Any], command: str = "") -> dict[str, Any]:
        """The answer to one act; the same command may be sent again."""
        name = command or f"{os.getpid()}-{next(_ids)}"
        waiting = self._answers.setdefault(name, asyncio.get_running_loop().create_future())
        await self.say(do="act", table=table, id=name, act=act)
        answer: dict[str, Any] = await asyncio.wait_for(asyncio.shield(waiting), 30)
        return answer

    async def reaches(self, table: str, version: int) -> None:
        """Wait until a table has been told up to a version."""
        await self.until(lambda: self.updates[table]["version"] >= version)

    async def news(self, seconds: float) -> None:
        """Wait until something comes, but no longer than this."""
        self._news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)

    async def until(self, holds: Any, seconds: float = 20) -> None:
        """Wait until something holds, looking whenever something comes."""
        async with asyncio.timeout(seconds):
            while not holds():
                self._news.clear()
                await self._news.wait()
