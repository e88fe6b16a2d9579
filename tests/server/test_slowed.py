"""Whoever sends too fast waits, and so do his other sockets, each in its turn: one of them keeps no other waiting."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pitboss.floor.model import Caller
from pitboss.server.budgets import Buckets, Limits
from pitboss.server.live import Connection
from pitboss.server.metrics import Metrics
from pitboss.server.security import Guard
from tests.server.running import Client, Running

PING = b'{"do":"ping"}'
FLOODERS, FLOOD, ASKED = 3, 400, 8
SOL = Caller("sol", "player", "s-sol")


class Hands:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def sockets(clock: Hands, count: int, **limits: Any) -> list[Connection]:
    """Some of one session, none of which has said anything yet."""
    guard = Guard(limits=Limits(**limits), clock=clock)
    floor: Any = SimpleNamespace(people=None)
    return [Connection(floor, SOL, Metrics(), guard) for _ in range(count)]


async def test_sockets_of_one_session_are_heard_in_the_order_of_asking() -> None:
    """The first has always more to say, and says it first: the others are heard in their turns all the same."""
    clock = Hands()
    first, *others = sockets(clock, 4, acts_rate=10, acts_burst=1)
    assert first.hear(PING) == 0
    due = {first: first.hear(PING)}
    for number, other in enumerate(others, start=2):
        due[other] = other.hear(PING)
        assert round(due[other], 6) == number / 10
    clock.now += due[first]
    assert first.hear(PING) == 0 and first.hear(PING) > 0
    for other in others:
        clock.now += 0.1
        assert other.hear(PING) == 0, "somebody else had its turn"


async def test_no_more_is_heard_than_may_be() -> None:
    clock = Hands()
    heard = 0
    talking = dict.fromkeys(sockets(clock, 5, acts_rate=20, acts_burst=10), clock.now)
    for _ in range(5_000):
        clock.now += 0.001
        for socket, due in talking.items():
            while talking[socket] <= clock.now:
                wait = socket.hear(PING)
                heard += not wait
                talking[socket] = max(clock.now + wait, due)
    assert 105 <= heard <= 110, f"{heard} in five seconds, where 10 and 20 a second may be"


def test_a_turn_that_is_given_back_is_there_for_the_next() -> None:
    clock = Hands()
    buckets = Buckets(10, 1, clock)
    assert buckets.reserve("sol") == 0
    assert [round(buckets.reserve("sol"), 6) for _ in range(3)] == [0.1, 0.2, 0.3]
    assert round(buckets.allow("sol"), 6) == 0.4, "who does not wait in line uses nothing up"
    for _ in range(2):
        buckets.give_back("sol")
    assert round(buckets.reserve("sol"), 6) == 0.2
    clock.now += 60
    assert buckets.reserve("sol") == 0 and buckets.reserve("sol") > 0, "no more than the burst is saved up"


async def test_a_socket_that_is_cut_off_while_it_waits_keeps_no_other_waiting() -> None:
    clock = Hands()
    first, last, *cut = sockets(clock, 9, acts_rate=10, acts_burst=1)
    assert first.hear(PING) == 0
    for socket in cut:
        assert socket.hear(PING) > 0
        socket.gone()
    assert round(last.hear(PING), 6) == 0.1


async def test_a_flood_on_some_sockets_keeps_another_of_the_session_waiting_for_its_turn_only(tmp_path: Path) -> None:
    """Four sockets have 20 messages a second between them: each is heard five times a second."""
    with Running(tmp_path, "--empty") as server:
        token = server.guest("sol")
        flooding = [Client(await server.socket(token)) for _ in range(FLOODERS)]
        quiet = await server.socket(token)
        for number in range(FLOOD):
            await flooding[number % FLOODERS].say(do="ping")
        began = time.monotonic()
        for _ in range(ASKED):
            await quiet.send(PING.decode())
            await asyncio.wait_for(quiet.recv(), 20)
        took = time.monotonic() - began
        assert sum(len(client.others) for client in flooding) < FLOOD, "the flood was over too soon"
        assert took < 2 * ASKED * (FLOODERS + 1) / Limits().acts_rate + 1, f"{ASKED} answers took {took} seconds"
        for socket in (quiet, *(client.socket for client in flooding)):
            socket.transport.abort()
