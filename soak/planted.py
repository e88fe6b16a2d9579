"""Faults that are planted into the floor, each of which the simulation must find; a proof that cannot fail is none.

    python -m soak.planted [--worlds 60] [--first 15]

Each fault is in force while worlds are simulated, one after the other, until something is found wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

import pitboss.store.planning as planning
from pitboss.floor import host as floor_host
from pitboss.floor import patrons_at_tables, updates
from pitboss.floor.approvals import Approvals
from pitboss.floor.host import Host
from pitboss.floor.link import Pool
from pitboss.floor.model import Accepted
from pitboss.floor.projections import _Projection
from pitboss.store.log import Appended, Claim
from pitboss.table import events as e
from soak.simulated import house as simulated
from soak.simulated import truth
from soak.simulated.files import HouseOnFile
from soak.simulation import REPEATABLE


class Planted(NamedTuple):
    name: str
    plant: Callable[[], list[AbstractContextManager[Any]]]
    kind: type[simulated.HouseOfAll] = simulated.HouseOfAll
    servers: int | None = None
    acts: int = 300


def _early() -> list[Any]:
    def write(self: Host, asked: Any, act: Any, after: Any, events: Any) -> None:
        write_rightly(self, asked, act, after, events)
        if asked.command:
            asked.answer(Accepted(self.name, self.decided_version))

    write_rightly = Host._write
    return [patch.object(Host, "_write", write)]


def _failed_is_done() -> list[Any]:
    def landed(self: Host, asked: Any, at_ms: int, outcome: Any) -> None:
        landed_rightly(self, asked, at_ms, Appended(0, ()) if isinstance(outcome, Exception) else outcome)

    landed_rightly = Host._landed
    return [patch.object(Host, "_landed", landed)]


def _no_versions() -> list[Any]:
    return [patch.object(planning, "_stale", lambda item, known: None)]


def _no_fence() -> list[Any]:
    return [patch.object(planning, "_fenced", lambda item, known: None)]


def _same_epoch() -> list[Any]:
    def claimed(found: Claim | None, stream: str, owner: str, address: str, now_ms: int, for_ms: int) -> Claim:
        if found is not None and found.owner and found.owner != owner and found.until_ms > now_ms:
            return found
        return Claim(stream, owner, address, 1, now_ms + for_ms)

    return [patch("soak.simulated.disk.claimed_by", claimed)]


def _twice() -> list[Any]:
    def refused(item: Any, known: Any, answers: Any) -> Any:
        return planning._fenced(item, known) or planning._stale(item, known)

    return [patch.object(planning, "_refused", refused)]


def _pool_forgotten() -> list[Any]:
    def parts(self: Pool, decided: Any) -> Any:
        return () if decided.version % 2 == 0 else parts_rightly(self, decided)

    parts_rightly = Pool.parts
    return [patch.object(Pool, "parts", parts)]


def _whole_before() -> list[Any]:
    def checkpoint(self: Host, version: int, after: Any, *more: Any) -> Any:
        return checkpoint_rightly(self, version, self.table, *more)

    checkpoint_rightly = Host._checkpoint
    return [patch.object(Host, "_checkpoint", checkpoint)]


def _file_forgets() -> list[Any]:
    def learned(file: Any, before: Any, after: Any, events: Any, table: str, version: int, now: Any) -> Any:
        found = learned_rightly(file, before, after, events, table, version, now)
        return tuple(each for each in found if type(each).__name__ != "ChipsCarried") if version % 3 else ()

    learned_rightly = vars(patrons_at_tables)["learned"]
    return [patch.object(patrons_at_tables, "learned", learned)]


def _event_left_out() -> list[Any]:
    def since(self: updates.Updates, watch: updates.Watch) -> bytes:
        if self.host.shown_version - watch.seen > 2:
            watch.seen += 1
        return since_rightly(self, watch)

    since_rightly = updates.Updates._since
    return [patch.object(updates.Updates, "_since", since)]


def _card_shown() -> list[Any]:
    def seen(viewer: Any, event: Any, table: Any) -> Any:
        if type(event) is e.CardBurned:
            return event
        return seen_rightly(viewer, event, table)

    seen_rightly = updates._seen
    return [patch.object(updates, "_seen", seen), patch.object(truth, "FLIP", 1.0)]


def _own_second() -> list[Any]:
    return [patch.object(Approvals, "_deny_second", lambda self, found, caller: None)]


def _entry_skipped() -> list[Any]:
    def read(self: Any, log: Any, wanted: int) -> Any:
        return [each for each in read_rightly(self, log, wanted) if each.seq % 5]

    read_rightly = _Projection._read
    return [patch.object(_Projection, "_read", read)]


def _cent_too_much() -> list[Any]:
    def played(table: Any, act: Any) -> Any:
        after, events = played_rightly(table, act)
        if type(events[-1]) is e.RoundEnded and after.net:
            name = next(iter(after.net))
            after = msgspec.structs.replace(after, net={**after.net, name: after.net[name] + 1})
        return after, events

    played_rightly = vars(floor_host)["play"]
    return [patch.object(floor_host, "play", played)]


def _mac_of_nothing() -> list[Any]:
    """Entries of a transaction stand in the file in another order than their hashes were made in."""

    def plan(batch: Any, known: Any, sealing: Any) -> Any:
        made = plan_rightly(batch, known, sealing)
        if len(made.rows) > 2:
            first, second = made.rows[0], made.rows[1]
            made.rows[0], made.rows[1] = (*first[:9], second[9], *first[10:]), (*second[:9], first[9], *second[10:])
        return made

    plan_rightly = planning.plan
    return [patch("pitboss.store.sqlite.plan", plan)]


PLANTED = (
    Planted("an act is acknowledged before it is durable", _early),
    Planted("a write that failed is taken for one that was done", _failed_is_done),
    Planted("nobody looks whether a stream has moved on", _no_versions, servers=3),
    Planted("a command that is said again is done again", _twice),
    Planted("whoever was paused writes on under an old claim", _no_fence, servers=3, acts=900),
    Planted("a new owner gets the old epoch", _same_epoch, servers=3, acts=900),
    Planted("now and then an act is written without its part to the jackpot", _pool_forgotten, acts=500),
    Planted("a checkpoint is of the table before the act", _whole_before),
    Planted("a patron's file does not learn of some chips", _file_forgets),
    Planted("whoever comes back is not told of one act", _event_left_out),
    Planted("a burned card is shown", _card_shown),
    Planted("somebody seconds what they proposed themselves", _own_second, acts=600),
    Planted("the registers miss an entry", _entry_skipped),
    Planted("a round ends with a cent that nobody paid", _cent_too_much),
    Planted("two entries of a transaction change bodies on their way to the file", _mac_of_nothing, HouseOnFile),
)


def found(planted: Planted, worlds: int) -> str:
    """What the simulation says of it, and in which world; "" where it finds nothing."""
    for number in range(worlds):
        with ExitStack() as stack:
            for each in planted.plant():
                stack.enter_context(each)
            try:
                simulated.simulate(f"planted-{number}", planted.kind, acts=planted.acts, servers=planted.servers)
            except AssertionError as fault:
                return f"world {number + 1}: {fault}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when each was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=60, help="in how many worlds at most each has to be found")
    parser.add_argument("--first", type=int, default=len(PLANTED), help="only so many of them, from the first on")
    asked = parser.parse_args(arguments)
    if os.environ.get(REPEATABLE) != "0":
        words = sys.argv[1:] if arguments is None else arguments
        os.execve(sys.executable, [sys.executable, "-m", "soak.planted", *words], os.environ | {REPEATABLE: "0"})
    missed = 0
    for planted in PLANTED[: asked.first]:
        said = found(planted, asked.worlds)
        missed += not said
        print(f"{planted.name}: {said.splitlines()[0][:150] if said else 'NOT FOUND'}", flush=True)
    print(f"{asked.first - missed} of {asked.first} found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
