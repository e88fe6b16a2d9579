"""The server of the live benchmark: a floor of tables and people who are logged in already.

It is the whole server (door, socket, permissions, group commit); only the rate limits are wide, because all clients
come from one machine. Prints one line of JSON: where it is, and the sessions' tokens.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import socket
import sys
from time import process_time

import msgspec
import uvloop
from guard import InPlace

from pitboss.chance import Chance
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.model import HOUSE, Accepted, Caller, Opening
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.people import Session
from pitboss.floor.setting_up import Reception
from pitboss.patrons.acts import Identify, IssueCard, SetLossLimit
from pitboss.rulebooks import load
from pitboss.server import logs
from pitboss.server.app import Server
from pitboss.server.budgets import Limits
from pitboss.server.security import Guard
from pitboss.server.serving import tune, web_server
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table.house import default_house

WIDE = Limits(
    connections=100_000,
    calls_rate=1e6,
    calls_burst=1_000_000,
    requests_rate=1e6,
    requests_burst=1_000_000,
    acts_rate=1e6,
    acts_burst=1_000_000,
    acts_rate_address=1e6,
    acts_burst_address=1_000_000,
    sockets=100_000,
    sockets_address=100_000,
    held_bytes=1 << 30,
    held_bytes_address=1 << 30,
    held_bytes_all=1 << 30,
)


DATE = datetime.date(2025, 1, 1)
LIMIT_CENTS = 1_000_000_00
HOUSE_STAFF = Caller("sam", "supervisor")


async def enrol(floor: Floor, name: str, *, limited: bool) -> None:
    """Identified and with a card; some with a loss limit that nobody reaches here."""
    book, files = load("nsw-pontoon"), patrons_of(floor).book
    for act in (Identify("", "passport"), IssueCard("", f"S-{name}")):
        assert isinstance(await files.do(HOUSE_STAFF, name, book, act), tuple)
    if limited:
        assert isinstance(await files.do(Caller(name, "player"), name, book, SetLossLimit("", LIMIT_CENTS)), tuple)


async def main(data: str, tables: int, players: int, index: int, processes: int, patrons: bool, guard: bool) -> None:
    logs.set_up("warning")
    log = await asyncio.to_thread(open_log, data, several=processes > 1)
    commits = GroupCommit(log)
    alone = processes == 1 and not data.startswith("postgres")
    floor = Floor(commits, clock=SystemClock(), chance=Chance(), owner=f"server-{index}", alone=alone)
    reception = Reception(floor)
    await reception.open()
    await floor.start()
    now = floor.clock.now_ms()
    tokens, names = [], []
    if index == 0:  # the others know these sessions from the log
        names = [f"p{number}" for number in range(players * tables if patrons else players)]
        for number, name in enumerate(names):
            session = await reception.people.guest(name, now)
            assert isinstance(session, Session), session
            tokens.append(session.token)
            if patrons:
                await enrol(floor, name, limited=number % 2 == 0)
        for role in ("dealer", "supervisor"):
            session = await reception.people.guest(f"demo-{role}", now, role=role)
            assert isinstance(session, Session), session
            tokens.append(session.token)
    house = default_house(load("nsw-pontoon"), date=DATE if patrons else None)
    for number in range(index, tables, processes):
        opening = Opening("nsw-pontoon", house=house, uncounted=patrons)
        answer = await floor.open_table(HOUSE, f"open-{number}", f"t{number}", opening)
        assert isinstance(answer, Accepted), answer
        assert f"t{number}" in floor.hosts
    watched = [InPlace() for _ in floor.hosts] if guard else []
    for host, each in zip(floor.hosts.values(), watched, strict=False):
        host.guard = each
    began = process_time()
    server = Server(floor, reception, Guard(limits=WIDE))
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(4096)
    told = {"port": listening.getsockname()[1], "tokens": tokens, "names": names}
    print(msgspec.json.encode(told).decode(), flush=True)
    tune()
    serving = asyncio.create_task(web_server(server).serve(sockets=[listening]))
    await asyncio.to_thread(sys.stdin.read)
    if watched:
        spent, calls = sum(each.spent_ns for each in watched), sum(each.calls for each in watched)
        part = spent / 1e9 / (process_time() - began)
        print(f"the guard: {spent / calls / 1000:.1f} µs an act, {100 * part:.1f} % of all", file=sys.stderr)
    serving.cancel()
    await reception.close()
    await floor.stop(0)
    log.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--index", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--patrons", action="store_true")
    parser.add_argument("--guard", action="store_true")
    given = parser.parse_args()
    uvloop.run(main(given.data, given.tables, given.players, given.index, given.processes, given.patrons, given.guard))
