"""What must hold on a floor's log after a crash, whatever was being written: asked of the log and of the engine alone.

`prove` believes nothing that the floor says of itself. It decides every act again with the pure engine, posts every
event in double entry, and holds what people were answered, and what a watcher was told, against what is written.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from pitboss.floor.account_changes import Account
from pitboss.floor.approvals import Answered, Proposal
from pitboss.floor.editions import decode_opening
from pitboss.floor.floor import TableClosed, TableOpened
from pitboss.floor.frozen import freeze, opened
from pitboss.floor.host import (
    checkpoints_of,
    decode_act,
    decode_answer,
    decode_checkpoint,
    ends_round,
    stream_of,
)
from pitboss.floor.link import LinkOpening, PoolMoved, to_the_pool
from pitboss.floor.model import FLOOR, Accepted, Halted, Proposed
from pitboss.floor.people import Began, token_hash
from pitboss.floor.updates import events_as_seen, hides
from pitboss.ledger import Ledger
from pitboss.store.log import Entry
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from pitboss.table.state import Table
from pitboss.table.views import Viewer
from soak import floor_scenes
from soak.floor_scenes import Ask, Close, Create, Enter, Got, Open, OpenLink, Said, Saw, Second, Step, Told
from soak.store_kills import must

ALICE = Viewer("player", "alice")


class Heard:
    """Everything that was said and answered, over all lives of a floor."""

    def __init__(self) -> None:
        self.said: dict[str, Step] = {}
        self.got: dict[str, Got] = {}
        """The first answer that is for good; the others have to be the same."""
        self.saw: dict[str, list[tuple[int, int]]] = {}
        self.seen: dict[str, int] = {}
        self.tokens: dict[str, str] = {}
        self.halted = 0
        """How often somebody was told that nothing can be written."""
        self.listeners: list[Callable[[Told], None]] = []

    def add(self, told: Told) -> None:
        for listener in self.listeners:
            listener(told)
        match told:
            case Said():
                self.said[told.step.key] = told.step
            case Got():
                self._got(told)
            case Saw():
                must(not told.missed, f"{told.table}: a watcher missed {told.missed} entries")
                must(told.version >= self.seen.get(told.table, 0), f"{told.table}: a watcher was sent back")
                self.saw.setdefault(told.table, []).extend(told.events)
                self.seen[told.table] = told.version

    def _got(self, got: Got) -> None:
        if got.token:
            self.tokens[got.key.partition("/")[0]] = got.token
        self.halted += isinstance(got.answer, Halted)
        if got.answer is not None and not isinstance(got.answer, (Accepted, Proposed)):
            return
        first = self.got.setdefault(got.key, got)
        must(first.answer == got.answer, f"two answers to {got.key}: {first.answer} and {got.answer}")

    @property
    def unanswered(self) -> list[Step]:
        """What was asked for and never answered for good, in its order."""
        return [step for key, step in self.said.items() if key not in self.got and not isinstance(step, Enter)]


class Proven(NamedTuple):
    """One table as the engine says that it must be."""

    table: Table
    version: int
    rounds: int
    closed: bool
    events: list[tuple[int, int]]
    """What alice may have been told of it."""


def prove(log: StoredLog, heard: Heard) -> dict[str, Proven]:
    """Raise AssertionError where something acknowledged is lost, something is there in part, or a cent is missing."""
    report = verify(log)
    must(report.is_sound, f"damaged: {report.faults[:3]}")
    entries = list(log.read_all())
    by_stream: dict[str, list[Entry]] = {}
    for entry in entries:
        by_stream.setdefault(entry.stream, []).append(entry)
    for stream, found in by_stream.items():
        must([each.version for each in found] == list(range(1, len(found) + 1)), f"{stream} has a gap")
    tables = _tables(by_stream)
    _jackpots(by_stream)
    _two_people(by_stream)
    _once(entries, heard)
    _acknowledged(log, by_stream, heard)
    _watched(tables, heard)
    return tables


# --- tables and money ------------------------------------------------------------------------------------------------


def _tables(by_stream: dict[str, list[Entry]]) -> dict[str, Proven]:
    opened_here: dict[str, Any] = {}
    closed: set[str] = set()
    for entry in by_stream.get(FLOOR, ()):
        if entry.kind == "table-opened":
            said = msgspec.json.decode(entry.body, type=TableOpened)
            opened_here[said.table] = said.opening
        elif entry.kind == "table-closed":
            closed.add(msgspec.json.decode(entry.body, type=TableClosed).table)
    names = {stream.removeprefix("table:") for stream in by_stream if stream.startswith("table:")}
    must(names == set(opened_here), f"tables are there in part: {names ^ set(opened_here)}")
    found = {}
    for name, opening in opened_here.items():
        entries = by_stream[stream_of(name)]
        must(decode_opening(entries[0].body) == opening, f"{name} was opened in two ways")
        found[name] = _table(name, entries, by_stream.get(checkpoints_of(name), []))
        must(found[name].closed == (name in closed), f"{name} is closed in part")
    return found


def _table(name: str, entries: list[Entry], checkpoints: list[Entry]) -> Proven:
    """Decide every act of a table again."""
    table = opened(decode_opening(entries[0].body))
    ledger, rounds, events, whole = Ledger(), 0, [], 0
    is_closed = False
    for entry in entries[1:]:
        must(not is_closed, f"{name}: something happened after it was closed")
        if entry.kind == "closed":
            is_closed = True
            continue
        said = decode_act(entry.body)
        where = f"{name}, version {entry.version}"
        must(decide(table, said.act) == said.events, f"{where}: the engine decides otherwise")
        before = table if hides(said.events, table) else None
        shown = events_as_seen(entry.version, entry.at_ms, entry.by, said.events, table.rulebook, ALICE, before)
        events += [(each.version, each.n) for each in shown]
        table = evolve(table, said.events)
        for event in said.events:
            ledger.post(event)
        rounds += ends_round(said.events)
        if (entry.version - 1) % floor_scenes.CHECKPOINT_EVERY == 0:
            must(whole < len(checkpoints), f"{where}: the act is there and the whole table is not")
            _whole(where, checkpoints[whole], entry, table, rounds)
            whole += 1
    must(whole == len(checkpoints), f"{name}: a whole table without its act")
    must(ledger.total() == 0, f"{name}: {ledger.total()} cents came from nowhere")
    for player, cents in table.net.items():
        must(ledger.standing(player) == cents, f"{name}: {player}'s money is wrong")
    return Proven(table, entries[-1].version, rounds, is_closed, events)


def _whole(where: str, found: Entry, act: Entry, table: Table, rounds: int) -> None:
    checkpoint = decode_checkpoint(found.body)
    must((checkpoint.version, checkpoint.round) == (act.version, rounds), f"{where}: a whole table of another moment")
    must(bytes(checkpoint.table) == freeze(table), f"{where}: the whole table is not the table")


def _jackpots(by_stream: dict[str, list[Entry]]) -> None:
    """What the tables did to a pool, act by act, is what the pool says of itself."""
    moved: dict[tuple[str, int], PoolMoved] = {}
    linked: set[str] = set()
    for stream, entries in by_stream.items():
        if not stream.startswith("link:"):
            continue
        opening = msgspec.json.decode(entries[0].body, type=LinkOpening)
        pool = opening.pool_cents
        for entry in entries[1:]:
            if entry.kind == "joined":
                linked.add(msgspec.json.decode(entry.body)["table"])
                continue
            said = msgspec.json.decode(entry.body, type=PoolMoved)
            must((said.table, said.version) not in moved, f"{stream}: one act moved the pool twice")
            moved[said.table, said.version] = said
            pool += said.contributed_cents - said.paid_cents + said.added_cents
            must(pool >= opening.minimum_cents, f"{stream}: the pool stands at {pool}")
    for name in linked:
        for entry in by_stream[stream_of(name)]:
            if entry.kind == "act":
                found = moved.pop((name, entry.version), PoolMoved(name, entry.version, 0, 0, 0))
                wanted = to_the_pool(decode_act(entry.body).events)
                must(
                    (found.contributed_cents, found.paid_cents) == wanted, f"{name}, {entry.version}: the pool differs"
                )
    must(not moved, f"the pool moved without an act: {list(moved)[:3]}")


# --- people ----------------------------------------------------------------------------------------------------------


def proposals(entries: Iterable[Entry]) -> dict[str, Proposal]:
    found: dict[str, Proposal] = {}
    for entry in entries:
        if entry.kind == "proposed":
            proposal = msgspec.json.decode(entry.body, type=Proposal)
            found[proposal.id] = proposal
        else:
            answered = msgspec.json.decode(entry.body, type=Answered)
            found[answered.id] = msgspec.structs.replace(found[answered.id], state=answered.state, by=answered.by)
    return found


def _two_people(by_stream: dict[str, list[Entry]]) -> None:
    """No act of two people without both, and none noted as done that was not."""
    done = Counter(
        entry.command for stream, found in by_stream.items() if stream.startswith("table:") for entry in found
    )
    kept = proposals(by_stream.get("approvals", ()))
    for proposal in kept.values():
        times = done[f"approval/{proposal.id}"]
        must(times <= 1, f"{proposal.command} was done {times} times")
        must(times == 1 or proposal.state != "done", f"{proposal.command} is noted as done, and was not")
        must(times == 0 or proposal.state in ("approved", "done"), f"{proposal.command} was done by one person alone")
    known = {f"approval/{name}" for name in kept}
    must(all(key in known for key in done if key.startswith("approval/")), "an approval that nobody proposed")


# --- what was said ---------------------------------------------------------------------------------------------------


def _once(entries: list[Entry], heard: Heard) -> None:
    """Nothing is there twice, nothing that was never asked for, and nothing of what was refused."""
    times = Counter(entry.command for entry in entries if entry.command and not entry.remaining)
    must(max(times.values(), default=1) == 1, f"done more than once: {[key for key in times if times[key] > 1]}")
    for key in times:
        must(key in heard.said or key.startswith("approval/"), f"nobody asked for {key}")


def _acknowledged(log: StoredLog, by_stream: dict[str, list[Entry]], heard: Heard) -> None:
    kept = proposals(by_stream.get("approvals", ()))
    people = by_stream.get("people", ())
    accounts = {
        msgspec.json.decode(entry.body, type=Account).name for entry in people if entry.kind == "account-created"
    }
    sessions = {
        msgspec.json.decode(entry.body, type=Began).token_hash for entry in people if entry.kind == "session-began"
    }
    for key, got in heard.got.items():
        step, answer = heard.said[key], got.answer
        lost = f"{key} was acknowledged ({answer}) and is lost"
        if isinstance(step, Create):
            must(step.name in accounts, lost)
        elif isinstance(step, Enter):
            must(token_hash(got.token) in sessions, lost)
        elif isinstance(answer, Proposed):
            must(answer.proposal in kept, lost)
        elif isinstance(answer, Accepted):
            command = key
            if isinstance(step, Second):
                command = next(f"approval/{each.id}" for each in kept.values() if each.command == step.asked)
            first = log.answer(command)
            must(first is not None and decode_answer(first) == answer, lost)
            if isinstance(step, (Ask, Open, Close, Second)):
                entry = by_stream[stream_of(step.table)][answer.version - 1]
                must(entry.command == command, f"{key} is not where it was said to be")
            else:
                must(isinstance(step, OpenLink), lost)


def _watched(tables: dict[str, Proven], heard: Heard) -> None:
    """A watcher was told every event once, in its order, and none that was not durable."""
    for name, events in heard.saw.items():
        proven = tables.get(name)
        must(proven is not None, f"{name} was watched, and is not there")
        if proven is not None:
            seen = heard.seen[name]
            must(seen <= proven.version, f"{name}: version {seen} was shown and is lost")
            due = [each for each in proven.events if each[0] <= seen]
            must(events == due, f"{name}: a watcher was told {len(events)} events of {len(due)}")


# --- the end ---------------------------------------------------------------------------------------------------------


def ending(log: StoredLog) -> dict[str, str]:
    """What is the same at the end of a scene however often it was cut off."""
    found: dict[str, str] = {}
    for stream in log.streams():
        if stream.startswith(("table:", "link:")):
            digest = hashlib.sha256()
            for entry in _in_order(log.read(stream)):
                digest.update(f"{entry.kind}:{entry.by}:{len(entry.body)}:".encode() + entry.body)
            found[stream] = f"{log.version(stream)} entries, {digest.hexdigest()[:16]}"
    found["floor"] = " ".join(sorted(entry.body.decode() for entry in log.read(FLOOR)))
    accounts = [entry for entry in log.read("people") if entry.kind == "account-created"]
    found["people"] = " ".join(sorted(msgspec.json.decode(entry.body, type=Account).name for entry in accounts))
    kept = proposals(log.read("approvals")).values()
    found["approvals"] = " ".join(sorted(f"{each.first}:{each.command}:{each.state}:{each.by}" for each in kept))
    return found


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Tables that are opened at once come to a jackpot in any order."""
    found = list(entries)
    joined = sorted((entry for entry in found if entry.kind == "joined"), key=lambda entry: entry.body)
    return [*(entry for entry in found if entry.kind != "joined"), *joined]
