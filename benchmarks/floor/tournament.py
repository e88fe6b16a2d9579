"""A whole tournament on two server processes that share a log, one of them killed three times.

    python benchmarks/floor/tournament.py [--entrants 500] [--rounds 10] [--kills 3] [--rulebook nsw-pontoon]

The first process conducts it, and both deal their share of the tables; all players are the house's own. The second is
killed (SIGKILL) at even parts of the heats and started again each time. At the end the log is verified, every round
that was dealt must have been reported exactly once, and money, chips and places must add up.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import json
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import Any

import msgspec
import uvloop
from live_server import WIDE

from pitboss.chance import Chance
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import decode_act
from pitboss.floor.setting_up import Reception
from pitboss.floor.tournament_book import Learned, tournaments_of
from pitboss.floor.tournament_demo import Conductor, demo_conditions, names, quick, structure
from pitboss.server import logs
from pitboss.server.app import Server
from pitboss.server.security import Guard
from pitboss.server.serving import tune, web_server
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from pitboss.table.events import RoundEnded
from pitboss.tournament.acts import ReportRound

NAME = "cup"
HEATS = "heats"


async def serve(given: argparse.Namespace) -> None:
    """One server process; the first conducts the tournament and says how far it is."""
    logs.set_up("warning")
    log = await asyncio.to_thread(open_log, given.data, several=True)
    log.sealing.ready()
    first = given.index == 0
    owner = f"server-{given.index}-{time.time_ns()}"
    floor = Floor(
        GroupCommit(log), clock=SystemClock(), chance=Chance(), owner=owner, address=f"http://{owner}", alone=False
    )
    reception = Reception(floor)
    await reception.open()
    await floor.start()
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    tune()
    serving = asyncio.create_task(web_server(Server(floor, reception, Guard(limits=WIDE))).serve(sockets=[listening]))
    say(port=listening.getsockname()[1])
    conducting = asyncio.create_task(conduct(floor, given)) if first else None
    stopped = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    await asyncio.wait([each for each in (stopped, conducting) if each is not None], return_when="FIRST_COMPLETED")
    if conducting is not None:
        await conducting
        await stopped
    serving.cancel()
    await reception.close()
    await floor.stop(0)
    log.close()


async def conduct(floor: Floor, given: argparse.Namespace) -> None:
    stages = structure(given.entrants, given.rounds)
    now = datetime.datetime.now().replace(microsecond=0) - datetime.timedelta(days=1)
    terms = demo_conditions(given.rulebook, title="Benchmark cup", stages=stages, entrants=given.entrants, start=now)
    tables = [f"Table {number}" for number in range(1, max(each[2] for each in stages) + 1)]
    last = 0.0

    def look(known: Any) -> None:
        nonlocal last
        if time.monotonic() - last > 0.25:
            last = time.monotonic()
            done = sum(each.number for each in known.state.sessions.values() if each.stage == HEATS)
            say(stage=known.state.stage, rounds=done)

    conducts = Conductor(floor, NAME, lambda text: say(told=text, at=time.time()), look=look)
    began = time.time()
    await conducts.run(terms, names(given.entrants), tables, timers=quick(0))
    say(ended=True, seconds=time.time() - began, conducted=conducts.acts)


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


# --- the whole -------------------------------------------------------------------------------------------------------


def start(given: argparse.Namespace, data: str, index: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--data", data, "--index", str(index), "--rulebook", given.rulebook]
    command += ["--entrants", str(given.entrants), "--rounds", str(given.rounds)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def measure(given: argparse.Namespace) -> dict[str, Any]:
    tables = structure(given.entrants, given.rounds)[0][2]
    whole = tables * given.rounds
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        data = f"{folder}/floor.db"
        first = start(given, data, 0)
        assert first.stdout is not None
        first.stdout.readline()
        second = start(given, data, 1)
        assert second.stdout is not None
        second.stdout.readline()
        kills, told, ended = list[int](), list[dict[str, Any]](), dict[str, Any]()
        for line in first.stdout:
            said = json.loads(line)
            told.append(said)
            if "told" in said:
                print(f"  {said['told']}", file=sys.stderr, flush=True)
            due = whole * (len(kills) + 1) // (given.kills + 1)
            if said.get("stage") == HEATS and len(kills) < given.kills and said["rounds"] >= due:
                second.send_signal(signal.SIGKILL)
                second.wait()
                kills.append(said["rounds"])
                print(f"  killed after {said['rounds']} of {whole} rounds", file=sys.stderr, flush=True)
                second = start(given, data, 1)
            if "ended" in said:
                ended = said
                break
        for server in (first, second):
            with contextlib.suppress(BrokenPipeError):
                assert server.stdin is not None
                server.stdin.close()
            server.wait(60)
        return looked_at(data, given) | {
            "tables": tables, "entrants": given.entrants, "rounds_each": given.rounds, "kills_after_rounds": kills,
            "seconds": round(ended["seconds"], 1), "acts_of_the_manager": ended["conducted"],
            "seconds_of_play": round(played_for(told), 1), "rulebook": given.rulebook,
        }  # fmt: skip


def played_for(told: list[dict[str, Any]]) -> float:
    """From the first table that began to the last stage that was announced."""
    times = [
        each["at"] for each in told if "play begins" in each.get("told", "") or "announced" in each.get("told", "")
    ]
    return float(times[-1] - times[0])


def looked_at(data: str, given: argparse.Namespace) -> dict[str, Any]:
    """Everything that the log says, held against itself."""
    log = open_log(data, read_only=True)
    try:
        verified = verify(log)
        assert not verified.faults, verified.faults
        kinds: Counter[str] = Counter()
        ended: Counter[str] = Counter()
        reported: Counter[str] = Counter()
        for entry in log.read_all():
            kinds[entry.stream.partition(":")[0]] += entry.kind == "act"
            if entry.stream.startswith("table:") and entry.kind == "act":
                ended[entry.stream] += sum(isinstance(each, RoundEnded) for each in decode_act(entry.body).events)
            elif entry.stream == f"tournament:{NAME}" and entry.kind == "act":
                learned = msgspec.json.decode(entry.body, type=Learned)
                reported[f"table:{learned.table}"] += isinstance(learned.act, ReportRound)
        assert {name: count for name, count in ended.items() if count} == {
            name: count for name, count in reported.items() if count
        }, "every round was reported once"
        known = asyncio.run(_known(data))
    finally:
        log.close()
    people = known.state.entrants.values()
    pool = sum(each.paid_cents - each.commission_cents for each in people)
    assert known.state.status == "ended" and len(people) == given.entrants
    assert all(each.place for each in people), "everybody has a place"
    assert sum(each.prize_cents for each in people) == pool, "the whole pool goes out"
    assert not sum(known.state.accounts.values()) and not any(known.state.chip_accounts.values())
    return {
        "acts_at_tables": kinds["table"], "acts_in_the_tournament": kinds["tournament"],
        "rounds": sum(ended.values()), "log_entries": verified.entries, "prizes_cents": pool,
    }  # fmt: skip


async def _known(data: str) -> Any:
    log = open_log(data, several=True)
    log.sealing.ready()
    floor = Floor(GroupCommit(log), clock=SystemClock(), chance=Chance(), owner="looks", alone=True)
    await floor.follow()
    found = await tournaments_of(floor).find(NAME)
    await floor.stop(0)
    log.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--entrants", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--rulebook", default="nsw-pontoon")
    parser.add_argument("--folder", default=None)
    parser.add_argument("--data", default="")
    parser.add_argument("--index", type=int, default=-1)
    given = parser.parse_args()
    if given.index >= 0:
        uvloop.run(serve(given))
        return
    found = measure(given)
    found["acts_a_second_in_play"] = round(found["acts_at_tables"] / found["seconds_of_play"])
    found["python"] = platform.python_version()
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
