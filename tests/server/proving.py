"""What clients remember, held against the log: nothing lost or done twice, no fork, no gap, no cent or card astray.

The log is replayed. The engine decides every act again as it was decided, every checkpoint is the table that comes out,
the ledger balances, and whatever somebody was told is what he would have been told had every hidden card been another.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.floor.editions import decode_opening
from pitboss.floor.frozen import freeze, opened, thaw
from pitboss.floor.host import (
    Happened,
    Host,
    Loaded,
    checkpoints_of,
    decode_act,
    decode_checkpoint,
    ends_round,
    stream_of,
)
from pitboss.floor.model import Caller
from pitboss.floor.updates import Watch, events_as_seen, hides
from pitboss.ledger import Ledger
from pitboss.store.log import Entry, Log
from pitboss.store.opening import open_log
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from pitboss.table.events import Event
from pitboss.table.state import Table
from pitboss.table.views import Viewer
from tests.floor.test_views_never_leak import StoppedClock, flipped_event, flipped_table

if TYPE_CHECKING:
    from tests.server.hammering import Hammer, Person

NOBODY = Caller("", "player")
MOMENTARY = frozenset({"clock", "link", "at_ms", "events", "missed"})
"""What an update says besides the table itself."""


def as_told(event: dict[str, Any]) -> bytes:
    """All of an event as somebody was told it, in one piece."""
    return msgspec.json.encode([event[key] for key in ("version", "n", "at_ms", "by", "event", "text", "clauses")])


def check(url: str, hammer: Hammer, *, pictures: bool = True) -> dict[str, int]:
    """Everything at every table, with whole updates where `pictures` are wanted; gives how many entries each has."""
    sizes: dict[str, int] = {}
    commands: dict[str, tuple[str, int]] = {}
    with contextlib.closing(open_log(url, create=False)) as log:
        for table in hammer.tables:
            story = Story(log, table)
            for command, version in story.commands.items():
                assert command not in commands, f"{command} was done at {table} and at {commands[command]}"
                commands[command] = (table, version)
                _as_asked(story, version, hammer.asked.get(command))
            for person in hammer.people:
                if person.table == table:
                    _was_told(story, person)
                    if pictures:
                        _was_shown(story, person)
            hammer.counts["rounds"] += story.rounds[-1]
            sizes[table] = story.version
    lost = {key: place for key, place in hammer.acknowledged.items() if commands.get(key) != place}
    assert not lost, f"{len(lost)} acts were acknowledged and are not in the log: {dict(list(lost.items())[:5])}"
    done = hammer.turned_down & set(commands)
    assert not done, f"{len(done)} acts were turned down and are in the log: {sorted(done)[:5]}"
    return sizes


class Story:
    """One table from its first entry to its last."""

    def __init__(self, log: Log, name: str) -> None:
        self.name = name
        self.entries: list[Entry] = list(log.read(stream_of(name)))
        versions = [entry.version for entry in self.entries]
        assert versions == list(range(1, len(versions) + 1)), f"{name}: entries are missing or twice in the log"
        self.version = len(versions)
        self.opening = decode_opening(self.entries[0].body)
        self.tables: list[Table] = [opened(self.opening), opened(self.opening)]
        """By version; before the first entry there is nothing."""
        self.events: list[tuple[Event, ...]] = [(), ()]
        self.rounds = [0, 0]
        self.commands: dict[str, int] = {}
        self._told: dict[tuple[int, str], list[tuple[int, int, bytes]]] = {}
        self._replay()
        self._check_checkpoints(log)

    def _replay(self) -> None:
        ledger = Ledger(jackpot_cents=self.tables[1].jackpot_cents)
        for entry in self.entries[1:]:
            before = self.tables[-1]
            said = decode_act(entry.body)
            place = f"{self.name}, version {entry.version}"
            assert decide(before, said.act) == said.events, f"{place}: the engine decides otherwise"
            after = evolve(before, said.events)
            for event in said.events:
                ledger.post(event)
            _check_money(ledger, after, place)
            if entry.command:
                assert entry.command not in self.commands, f"{place}: {entry.command} was done before"
                self.commands[entry.command] = entry.version
            self.tables.append(after)
            self.events.append(said.events)
            self.rounds.append(self.rounds[-1] + ends_round(said.events))

    def _check_checkpoints(self, log: Log) -> None:
        for entry in log.read(checkpoints_of(self.name)):
            found = decode_checkpoint(entry.body)
            same = freeze(thaw(found.table)) == freeze(self.tables[found.version])
            assert same and found.round == self.rounds[found.version], (
                f"{self.name}: checkpoint {found.version} differs"
            )

    def told_to(self, caller: Caller, version: int) -> list[tuple[int, int, bytes]]:
        """What somebody is told of one entry when every card that he may not see is another."""
        before, events = self.tables[version - 1], self.events[version]
        differs = hides(events, before)
        key = (version, caller.name if differs and caller.role == "player" else "")
        found = self._told.get(key)
        if found is None:
            viewer = caller if differs else NOBODY
            found = self._told[key] = self._tell(viewer, version, before, events, differs)
        return found

    def _tell(
        self, caller: Caller, version: int, before: Table, events: tuple[Event, ...], differs: bool
    ) -> list[tuple[int, int, bytes]]:
        entry, step, other = self.entries[version - 1], before, []
        for event in events:
            step = evolve(step, (event,))
            other.append(flipped_event(event, step, caller))
        shown = events_as_seen(
            version,
            entry.at_ms,
            entry.by,
            other,
            before.rulebook,
            Viewer("player", caller.name) if caller.role == "player" else Viewer(caller.role),
            flipped_table(before, caller) if differs else None,
        )
        plain = msgspec.json.decode(msgspec.json.encode(shown))
        return [(each["version"], each["n"], as_told(each)) for each in plain]

    def shown_to(self, caller: Caller, version: int) -> dict[str, Any]:
        """An update at a version when every card that he may not see is another."""
        table = flipped_table(self.tables[version], caller)
        happened: list[Happened] = []
        loaded = Loaded(self.opening, table, version, self.rounds[version], 1, 0, 0, False, happened)
        nothing: Any = None
        host = Host(self.name, loaded, 0, nothing, StoppedClock(), nothing, nothing, (), nothing)
        found: dict[str, Any] = msgspec.json.decode(Watch(host, caller, version, lambda: None).take())
        return found


def _check_money(ledger: Ledger, table: Table, place: str) -> None:
    assert ledger.total() == 0, f"{place}: {ledger.total()} cents came from nowhere"
    for name, cents in table.net.items():
        assert cents == ledger.standing(name), f"{place}: {name}'s money differs"
    assert table.jackpot_cents == ledger.balance("jackpot"), f"{place}: the jackpot differs"


def _as_asked(story: Story, version: int, asked: dict[str, Any] | None) -> None:
    """What was done under a command is what its sender asked for."""
    if asked is None:
        return
    done = msgspec.to_builtins(decode_act(story.entries[version - 1].body).act)
    same = all(done.get(key) == value for key, value in asked.items() if value != "")
    assert same, f"{story.name}, version {version}: asked for {asked}, done {str(done)[:300]}"


def _was_told(story: Story, person: Person) -> None:
    """From the version at which he came to the last that he saw: every event, once, in order, and as it was."""
    assert person.joined is not None and person.seen <= story.version, f"{person} saw what is not in the log"
    caller = Caller(person.name, person.role)
    versions = range(person.joined + 1, person.seen + 1)
    wanted = [each for version in versions for each in story.told_to(caller, version)]
    if person.told == wanted:
        return
    for got, want in zip(person.told, wanted, strict=False):
        assert got == want, f"{person} was told {got}, which is in the log as {want}"
    short, long = sorted((person.told, wanted), key=len)
    raise AssertionError(f"{person} was told {len(person.told)} events, of {len(wanted)}: {long[len(short)]} differs")


def _was_shown(story: Story, person: Person) -> None:
    caller = Caller(person.name, person.role)
    for version, update in [*person.pictures.items(), (person.seen, person.now)]:
        wanted = story.shown_to(caller, version)
        for key in wanted.keys() - MOMENTARY:
            assert update[key] == wanted[key], f"{person}, version {version}, {key}: {update[key]} is not {wanted[key]}"
