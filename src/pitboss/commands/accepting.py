"""``pitboss log accept``: two people say that a log is served although it is not the one that it was."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from pitboss.commands import Unread
from pitboss.commands.options import AsJson, LogAt
from pitboss.commands.people import two_people
from pitboss.floor.clock import SystemClock
from pitboss.floor.people import People
from pitboss.store.group import GroupCommit
from pitboss.store.keeping import Keeper, witness_of
from pitboss.store.log import Append, Appended, NewEntry, Part
from pitboss.store.moving import opened
from pitboss.store.opening import log_at, open_log

FINE = 0
STREAM = "accepted"
"""What two people said of a log that no server would start on."""


class Accepted(msgspec.Struct, frozen=True):
    why: str
    reason: str
    by: tuple[str, str]
    heads: tuple[str, ...]
    """Where the heads are now that contradict it."""


def accept(log: LogAt, *, reason: str, key: str | None = None, heads: str | None = None, json: AsJson = False) -> int:
    """Accept a log that is not the one it was, on the word of two people, which is recorded in it.

    Asks for the names and passwords of two administrators, gaming managers or inspectors of that log; from a pipe, one
    per line. The checkpoints that contradict it are kept under another name, and the end of the log is signed
    again. What is wrong stays wrong: `pitboss log verify` reports it as before.

    Parameters
    ----------
    reason
        The reason, in a sentence: what happened, and how you know.
    key
        The key that signs heads, where it is not beside the log.
    heads
        The file of heads, where it is not beside the log.
    """
    if not reason.strip() or not reason.isprintable():
        raise Unread("--reason says in a sentence what happened to the log, and how you know.")
    url = log_at(log)

    async def do() -> tuple[str, Accepted]:
        with opened(open_log(url)) as source:
            source.sealing.ready()
            keeper = Keeper(source, url, Path(key) if key else None, Path(heads) if heads else None)
            why = keeper.why_not()
            if why is None:
                raise Unread(f"{log}: nothing is wrong with this log that would keep a server from it.")
            commits = GroupCommit(source)
            people = People(commits)
            try:
                await people.audit.catch_up()
                await people.catch_up()
                now = SystemClock().now_ms()
                by = await two_people(people, now)
                places = [place for place in (keeper.path, witness_of(source)) if place is not None and place.exists()]
                moved = tuple(str(_free(place)) for place in places)
                said = Accepted(why, reason.strip(), by, moved)
                version = source.version(STREAM)
                entry = NewEntry("accepted", msgspec.json.encode(said))
                done = source.append([Append((Part(STREAM, version, (entry,)),), now, by[0])])
                if not isinstance(done[0], Appended):
                    raise Unread(f"{log}: somebody else writes to it just now; nothing was changed.")
                for place, to in zip(places, moved, strict=True):
                    place.rename(to)
                keeper.keep(now)
            finally:
                people.close()
                await commits.close()
        return why, said

    why, said = asyncio.run(do())
    if json:
        print(msgspec.json.encode(said).decode())
    else:
        print(f"accepted by {said.by[0]} and {said.by[1]}: {why}")
        for place in said.heads:
            print(f"kept as evidence: {place}")
    return FINE


def _free(place: Path) -> Path:
    """A name for a file that is put aside."""
    number = 1
    while (found := place.with_name(f"{place.name}.contradicted-{number}")).exists():
        number += 1
    return found
