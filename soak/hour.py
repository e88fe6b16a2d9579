"""One real hour of a server: play, watching, looking back, logging in, registers; what people wait and what it keeps.

    python -m soak.hour [--minutes 60] [--slices 12] [--tables 6] [--pause 2] [--out soak/hour.json]

A server on a file of its own. Players, dealers and supervisors play whole rounds at tables dealt by people and by the
house, say things twice, are cut off and come back (`tests/server/hammering.py`); beside them somebody looks at the
past, searches, reads reports and registers, verifies the log, changes limits, and comes and goes. The hour has slices;
of each it is told how many acts were answered, within which time half and 99 in 100 of them were, and how many bytes
the server held when it ended.

At the end everything is held against the log as in `soak/live.py`, and the registers that the server kept by hearing
every entry once are held, row by row, against those of another server that begins on a copy without any checkpoint.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from soak.live import guests, opening, versions
from tests.server.hammering import Hammer, check
from tests.server.running import Running

LOOKS = (
    "/api/tables/{table}/events?limit=200", "/api/tables/{table}/at/{version}", "/api/tables/{table}/rounds",
    "/api/log/search?player=sol1&limit=50", "/api/log/search?table={table}&limit=50", "/api/ledger",
    "/api/registers/all", "/api/reports/takings", "/api/inbox", "/api/tables", "/api/log/head", "/metrics",
)  # fmt: skip
"""What is asked beside the tables, one after the other."""
REGISTERS = "/api/registers/all/rows"
GROWTH = 1.25
"""So much more than after the first third a server may hold at the end."""


def quantile(waits: list[float], share: float) -> float:
    ordered = sorted(waits) or [0.0]
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


def held_mb(server: Running) -> float:
    """Memory of the server that is in use."""
    return round(int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096 / 1e6, 1)


class Hour:
    """What goes on beside the tables, and what is written down of it all."""

    def __init__(self, server: Running, hammer: Timed, staff: dict[str, str], seed: int) -> None:
        self.server, self.hammer, self.staff = server, hammer, staff
        self.rng = random.Random(seed)
        self.told: list[dict[str, Any]] = []
        self.asked = self.refused = self.limits = 0
        self._began = time.perf_counter()

    async def pass_by(self, minutes: float, slices: int) -> None:
        beside = [asyncio.create_task(each) for each in (self._look(), self._manage(), self._come_and_go())]
        try:
            for number in range(1, slices + 1):
                end = self._began + 60 * minutes * number / slices
                while (left := end - time.perf_counter()) > 0:
                    await asyncio.wait(beside, timeout=left, return_when=asyncio.FIRST_EXCEPTION)
                    for task in beside:
                        if task.done():
                            task.result()
                self._tell(number)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)

    def _tell(self, number: int) -> None:
        waits, self.hammer.waits = self.hammer.waits, []
        found = {
            "slice": number,
            "minute": round((time.perf_counter() - self._began) / 60, 1),
            "acts": len(waits),
            "half within ms": quantile(waits, 0.5),
            "99 in 100 within ms": quantile(waits, 0.99),
            "server holds mb": held_mb(self.server),
            "asked beside": self.asked,
        }
        self.told.append(found)
        print(json.dumps(found), flush=True)

    async def _ask(self, method: str, path: str, body: Any = None, role: str = "supervisor") -> Any:
        status, said = await asyncio.to_thread(self.server.ask, method, path, body, self.staff[role])
        assert status in (200, 201, 429), (status, path, said)
        self.asked += status != 429
        self.refused += status == 429
        return said

    async def _look(self) -> None:
        """Everything that is looked at on a floor, in turns."""
        while True:
            for path in LOOKS:
                table = self.rng.choice(self.hammer.tables)
                shown = await self._ask("GET", f"/api/tables/{table}")
                version = self.rng.randint(1, shown["version"])
                await self._ask("GET", path.format(table=table, version=version))
                await asyncio.sleep(2 * self.rng.random())
            await self._ask("POST", "/api/log/verify", {}, "inspector")

    async def _manage(self) -> None:
        """New limits now and then: lines of a register."""
        while True:
            await asyncio.sleep(5 + 10 * self.rng.random())
            self.limits += 1
            most = self.rng.choice((40_000, 45_000))
            act = {"act": "SetLimits", "by": "", "minimum_cents": 500, "maximum_cents": most}
            body = {"id": f"limits-{self.limits}", "act": act}
            table = self.rng.choice(self.hammer.tables)
            await asyncio.to_thread(
                self.server.ask, "POST", f"/api/tables/{table}/acts", body, self.staff["supervisor"]
            )  # refused where a round is in play, and that is right

    async def _come_and_go(self) -> None:
        """People who look in, and leave."""
        while True:
            token = await asyncio.to_thread(self.server.guest, f"guest{self.rng.randint(1, 50)}")
            for path in ("/api/me", "/api/tables", "/api/my-play"):
                await asyncio.to_thread(self.server.ask, "GET", path, None, token)
            await asyncio.to_thread(self.server.ask, "POST", "/api/logout", {}, token, origin=self.server.address)
            await asyncio.sleep(2 + 4 * self.rng.random())


class Timed(Hammer):
    """People whose answers are timed."""

    waits: list[float]

    def waited(self, seconds: float) -> None:
        self.waits.append(seconds)


def begin(server: Running, tables: int) -> list[str]:
    supervisor = server.guest(role="supervisor")
    names = [f"t{number}" for number in range(tables)]
    for number, name in enumerate(names):
        body = {"id": name, "table": name, "opening": opening("house" if number % 2 else "person")}
        status, answer = server.ask("POST", "/api/tables", body, supervisor)
        assert status == 200, answer
    return names


def registered(server: Running, token: str, last: int) -> list[str]:
    """Every row that is about the first so many entries of the log."""
    status, rows = server.ask("GET", REGISTERS, token=token)
    assert status == 200, rows
    return [row for row in rows.splitlines()[1:] if float(row.partition(",")[0]) <= last]


def from_nothing(folder: Path, last: int) -> list[str]:
    """The registers as a server makes them that begins on a copy in which nothing is folded yet."""
    pitboss = [sys.executable, "-m", "pitboss", "log"]
    log, plain, copy = str(folder / "pitboss.db"), str(folder / "log.jsonl"), folder / "again"
    copy.mkdir()
    for command in (["export", log, plain], ["import", plain, str(copy / "pitboss.db")]):
        subprocess.run([*pitboss, *command], check=True, capture_output=True)
    os.environ["PITBOSS_WITNESS"] = str(copy / "witness")  # the heads of the first are of another key
    with Running(copy, "--empty") as server:
        return registered(server, server.guest(role="supervisor"), last)


async def run(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    began = time.perf_counter()
    with Running(folder, "--empty") as server:
        tables = begin(server, given.tables)
        posts = ("dealer", "supervisor", "inspector")
        staff = {role: server.guest(role=role) for role in posts}
        hammer = Timed(
            [server], tables, guests(server, given.players), staff=[*staff.items()], pause=given.pause, cuts=0.002,
            nasty=0.3, end_seconds=60,
        )  # fmt: skip
        hammer.waits = []
        hour = Hour(server, hammer, staff, given.seed)
        await hammer.run(0, hour.pass_by(given.minutes, given.slices))
        _, head = await asyncio.to_thread(server.ask, "GET", "/api/log/head", None, staff["inspector"])
        last = int(head["seq"])
        kept = await asyncio.to_thread(registered, server, staff["supervisor"], last)
        assert server.stop(60) == 0
    sizes = check(str(folder / "pitboss.db"), hammer)
    with closing(open_log(str(folder / "pitboss.db"), create=False)) as log:
        report = verify(log)
    assert not report.faults, report.faults
    assert kept == from_nothing(folder, last), "the registers are not what is made of the whole log anew"
    held = [each["server holds mb"] for each in hour.told]
    third = max(held[: max(1, len(held) // 3)])
    assert held[-1] <= GROWTH * third, f"the server holds {held[-1]} MB at the end, and held {third} after a third"
    return {
        "minutes": given.minutes, "tables": len(tables), "clients": len(hammer.people), "slices": hour.told,
        "asked beside": hour.asked, "told to come back later": hour.refused, "entries": sum(sizes.values()),
        "rounds": hammer.counts["rounds"], "acknowledged": len(hammer.acknowledged),
        "sent twice": sum(hammer.counts[each] for each in ("twice", "two sockets", "again")),
        "came back": hammer.counts["cut"] + hammer.counts["lost"], "lines of registers": len(kept),
        "told what cannot be": len(hammer.wrong), "versions": versions(str(folder / "pitboss.db")),
        "took seconds": round(time.perf_counter() - began),
    }  # fmt: skip


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--minutes", type=float, default=60)
    words.add_argument("--slices", type=int, default=12)
    words.add_argument("--tables", type=int, default=6)
    words.add_argument("--players", type=int, default=5, help="at each table")
    words.add_argument("--pause", type=float, default=2.0, help="the longest between two acts of one client")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="pitboss-hour-") as folder:
        found = asyncio.run(run(given, Path(folder)))
    text = json.dumps(found, indent=2)
    print(text)
    if given.out is not None:
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
