"""What must hold after every step, found out from what is durable and by the engine alone.

`Truth` hears every transaction at the moment at which it is durable. It decides every act again, posts every event in
double entry, and holds every answer, every update and every server's own picture against that.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec

from pitboss.floor.approvals import Answered, Proposal
from pitboss.floor.editions import decode_opening
from pitboss.floor.floor import TableClosed, TableOpened
from pitboss.floor.frozen import freeze, opened
from pitboss.floor.host import CHECKPOINT_EVERY, Host, decode_act, decode_answer, decode_checkpoint, ends_round
from pitboss.floor.link import LinkOpening, PoolMoved, to_the_pool
from pitboss.floor.model import Accepted, Caller
from pitboss.floor.patron_book import decode_body
from pitboss.floor.registers import HouseRegisters
from pitboss.floor.updates import events_as_seen
from pitboss.ledger import Ledger
from pitboss.patrons.engine import evolve as patron_evolve
from pitboss.patrons.state import PatronFile
from pitboss.store.chain import START, entry_hash
from pitboss.store.log import Entry
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from pitboss.table.state import Table
from pitboss.table.views import Viewer
from tests.floor.test_views_never_leak import flipped_event, sent
from tests.floor.test_views_never_leak import flipped_table as flipped

VIEWERS = (Caller("alice", "player"), Caller("nobody", "player"), Caller("x", "dealer"), Caller("x", "inspector"))
STAKES = (a.PlaceWager, a.Double, a.Split, a.Insure)
NOBODY = PatronFile("")
FLIP = 0.01
"""Of so many acts it is tried whether what is told of them shows a hidden card."""


class Wrong(AssertionError):
    """Something that must hold does not."""


found_wrong: list[Wrong] = []
"""What was found: whoever hears it first may be code that believes to know what to do with any fault."""


def must(holds: object, said: str) -> None:
    if not holds:
        found_wrong.append(Wrong(said))
        raise found_wrong[-1]


class TableTruth:
    """One table as the engine makes it of what is durable."""

    def __init__(self, name: str, entry: Entry) -> None:
        self.name = name
        self.opening = decode_opening(entry.body)
        self.table: Table = opened(self.opening)
        self.ledger = Ledger()
        self.version, self.rounds = 1, 0
        self.closed = False
        self.told: dict[str, list[tuple[int, int]]] = {key(viewer): [] for viewer in VIEWERS[:2]}
        """Version and number of each event that a viewer is to be told."""
        self.frozen: tuple[int, bytes] = (0, b"")
        self.whole = 0


def key(caller: Caller) -> str:
    return caller.name if caller.role == "player" else f"/{caller.role}"


def viewer_of(caller: Caller) -> Viewer:
    return Viewer("player", caller.name) if caller.role == "player" else Viewer(caller.role)


class Truth:
    """Everything that is durable, in order."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.seq, self.hash = 0, START
        self.versions: Counter[str] = Counter()
        self.tables: dict[str, TableTruth] = {}
        self.commands: dict[str, tuple[str, int]] = {}
        """Where each command was done."""
        self.done: set[str] = set()
        self.pools: dict[str, int] = {}
        self.least: dict[str, int] = {}
        self.moved: dict[tuple[str, int], tuple[int, int]] = {}
        """What acts of this transaction did to a pool, until its part is heard; none is left when it is over."""
        self.files: dict[str, PatronFile] = {}
        self.pockets: Counter[str] = Counter()
        """Chips that people have with them, by what the tables say."""
        self.staked = ""
        """Who has put something at risk in this transaction."""
        self.proposals: dict[str, Proposal] = {}
        self.registers = HouseRegisters()
        self.acts = self.flips = self.jackpots = self.checkpoints = 0

    def written(self, entries: list[Entry]) -> None:
        """A transaction became durable."""
        try:
            for entry in entries:
                self._chain(entry)
                self._one(entry)
                self.registers.apply(entry)
                if not entry.remaining:
                    self._append_is_whole(entry)
        except Wrong:
            raise
        except Exception as fault:  # noqa: BLE001 - whoever writes would take it for a write that failed
            must(False, f"what is durable cannot be looked at: {fault!r}")

    def _chain(self, entry: Entry) -> None:
        must(entry.seq == self.seq + 1, f"entry {entry.seq} follows on {self.seq}")
        texts = entry.stream.encode(), entry.by.encode(), entry.command.encode(), entry.kind.encode()
        stream, by, command, kind = texts
        found = entry_hash(
            self.hash, entry.format, entry.seq, stream, entry.version, entry.at_ms, by, command, entry.remaining, kind,
            entry.body, entry.answer, entry.salt,
        )  # fmt: skip
        must(found == entry.hash, f"entry {entry.seq} has another hash than its own")
        self.seq, self.hash = entry.seq, entry.hash
        self.versions[entry.stream] += 1
        must(entry.version == self.versions[entry.stream], f"{entry.stream} has two entries {entry.version}: a fork")
        if entry.command and not entry.remaining:
            must(entry.command not in self.done, f"{entry.command} was done twice")
            self.done.add(entry.command)
        if entry.command and entry.command not in self.commands:
            self.commands[entry.command] = (entry.stream, entry.version)

    def _one(self, entry: Entry) -> None:
        kind, _, name = entry.stream.partition(":")
        if kind == "table":
            if entry.kind == "opened":
                self.tables[name] = TableTruth(name, entry)
            else:
                self._at_table(self.tables[name], entry)
        elif kind == "checkpoints" and name.startswith("table:"):
            self._whole(self.tables[name.removeprefix("table:")], entry)
        elif kind == "link":
            self._pool(name, entry)
        elif kind == "patron":
            self._patron(name, entry)
        elif kind == "approvals":
            self._approval(entry)
        elif kind == "floor" and entry.kind == "table-closed":
            said = msgspec.json.decode(entry.body, type=TableClosed)
            must(said.table in self.tables, "a table was closed that was never opened")
        elif kind == "floor" and entry.kind == "table-opened":
            msgspec.json.decode(entry.body, type=TableOpened)

    # --- a table ---

    def _at_table(self, at: TableTruth, entry: Entry) -> None:
        must(not at.closed, f"{at.name}: something happened after it was closed")
        at.version = entry.version
        if entry.kind == "closed":
            at.closed = True
            must(not at.table.boxes and at.table.phase == "wagers", f"{at.name} was closed in the middle of a round")
            return
        said = decode_act(entry.body)
        where = f"{at.name}, version {entry.version}, {type(said.act).__name__}"
        before = at.table
        must(decide(before, said.act) == said.events, f"{where}: the engine decides otherwise")
        after = at.table = evolve(before, said.events)
        self.acts += 1
        for event in said.events:
            at.ledger.post(event)
            if type(event) is e.ChipsTaken:
                self.pockets[event.player.lower()] += event.cents
            elif type(event) is e.ChipsBrought:
                self.pockets[event.player.lower()] -= event.cents
        if ends_round(said.events):
            at.rounds += 1
            must(at.ledger.total() == 0, f"{where}: {at.ledger.total()} cents came from nowhere")
            for player, cents in after.net.items():
                must(at.ledger.standing(player) == cents, f"{where}: the money of {player} is wrong")
        if isinstance(said.act, STAKES) and before.rulebook.wagers.loss_limit.value:
            self.staked = said.act.player.lower()
        moved = to_the_pool(said.events)
        if moved != (0, 0) and at.opening.link:
            self.moved[at.name, entry.version] = moved
        for viewer in VIEWERS[:2]:
            told = at.told[key(viewer)]
            shown = events_as_seen(
                entry.version, entry.at_ms, entry.by, said.events, before.rulebook, viewer_of(viewer), before
            )
            told += [(each.version, each.n) for each in shown]
        if self.chance.random() < FLIP:
            self._flip(where, before, after, said.events)

    def _flip(self, where: str, before: Table, after: Table, events: tuple[Any, ...]) -> None:
        """Whoever may not see a card is sent the same bytes whatever it is."""
        viewer = self.chance.choice(VIEWERS)
        steps, step = [], before
        for event in events:
            step = evolve(step, (event,))
            steps.append(step)
        other = tuple(flipped_event(event, step, viewer) for event, step in zip(events, steps, strict=True))
        real = sent(before, after, events, viewer)
        same = real == sent(flipped(before, viewer), flipped(after, viewer), other, viewer)
        must(same, f"{where}: {key(viewer)} is shown what is hidden")
        self.flips += 1

    def _whole(self, at: TableTruth, entry: Entry) -> None:
        checkpoint = decode_checkpoint(entry.body)
        where = f"{at.name}: the whole table {entry.version}"
        must((checkpoint.version, checkpoint.round) == (at.version, at.rounds), f"{where} is of another moment")
        must(bytes(checkpoint.table) == freeze(at.table), f"{where} is not the table")
        at.whole = entry.version
        self.checkpoints += 1

    def frozen(self, at: TableTruth) -> bytes:
        if at.frozen[0] != at.version:
            at.frozen = at.version, freeze(at.table)
        return at.frozen[1]

    # --- what is larger than a table ---

    def _pool(self, name: str, entry: Entry) -> None:
        if entry.version == 1:
            opening = msgspec.json.decode(entry.body, type=LinkOpening)
            self.pools[name], self.least[name] = opening.pool_cents, opening.minimum_cents
        elif entry.kind != "joined":
            said = msgspec.json.decode(entry.body, type=PoolMoved)
            found = self.moved.pop((said.table, said.version), None)
            must(found == (said.contributed_cents, said.paid_cents), f"the pool {name} moved without its act: {said}")
            self.pools[name] += said.contributed_cents - said.paid_cents + said.added_cents
            must(self.pools[name] >= self.least[name], f"the pool {name} stands at {self.pools[name]}")
            self.jackpots += said.paid_cents > 0

    def _patron(self, name: str, entry: Entry) -> None:
        body = decode_body(entry.body)
        file = self.files.get(name, PatronFile(name))
        self.files[name] = patron_evolve(file, body.events)

    def _approval(self, entry: Entry) -> None:
        if entry.kind == "proposed":
            proposal = msgspec.json.decode(entry.body, type=Proposal)
            self.proposals[proposal.id] = proposal
            return
        said = msgspec.json.decode(entry.body, type=Answered)
        found = self.proposals[said.id]
        order = {"waiting": 0, "approved": 1}
        must(found.state in order, f"proposal {said.id} was {found.state} already")
        must(said.by != found.first or said.state in ("rejected", "expired"), f"{said.by} approved their own proposal")
        if said.state == "done":
            must(f"approval/{said.id}" in self.commands, f"{found.command} is noted as done and was not")
        self.proposals[said.id] = msgspec.structs.replace(found, state=said.state, by=said.by)

    def _append_is_whole(self, entry: Entry) -> None:
        """What an append says in several streams fits together, now that all of it is there."""
        must(not self.moved, f"an act is there without its part to the pool: {list(self.moved)[:2]}")
        kind, _, name = entry.stream.partition(":")
        if entry.command.startswith("approval/"):
            proposal = self.proposals[entry.command.removeprefix("approval/")]
            must(proposal.state == "approved", f"{proposal.command} was done by one person alone")
        if kind == "table" and entry.kind == "act" and (entry.version - 1) % CHECKPOINT_EVERY == 0:
            must(False, f"{name}: the act is there and the whole table is not")
        if kind not in ("table", "patron"):
            return
        for person, file in self.files.items():
            must(file.pocket_cents == self.pockets[person], f"{person} has chips that no table gave them")
            must(file.pocket_cents >= 0, f"{person} brought chips that they did not have")
        file, self.staked = self.files.get(self.staked, NOBODY), ""
        limit = file.loss_limit
        if limit is not None and limit.cents is not None:
            left = limit.cents + file.net_cents - sum(file.open.values())
            must(left >= 0, f"{file.name} put {-left} cents more at risk than their limit leaves")

    # --- what people are told ---

    def answered(self, command: str, answer: Any) -> None:
        """An act was acknowledged: from here on it is so."""
        if isinstance(answer, Accepted):
            found = self.commands.get(command)
            must(found is not None, f"{command} was acknowledged and is not durable")
            assert found is not None
            is_there = found == (f"table:{answer.table}", answer.version) or not found[0].startswith("table:")
            must(is_there, f"{command} was acknowledged at {answer.version} and is {found}")

    def updated(self, update: dict[str, Any], watcher: Caller, seen: int) -> int:
        """Somebody was told what happened: each event once, in its order, and nothing that is not durable."""
        at = self.tables[update["table"]]
        version = update["version"]
        must(seen <= version <= at.version, f"{at.name}: {key(watcher)} was shown version {version} after {seen}")
        events = [(each["version"], each["n"]) for each in update["events"]]
        left_out = update["missed"]
        due = [each for each in at.told[key(watcher)] if seen < each[0] <= version]
        if left_out:
            due = due[len(due) - len(events) :]
        must(events == due, f"{at.name}: {key(watcher)} was told {events[:3]}... of {due[:3]}...")
        return int(version)

    def pictured(self, host: Host) -> None:
        """What a server thinks that a table is, once nothing is on its way."""
        at = self.tables[host.name]
        must(host.version <= at.version, f"{host.name}: a server is at {host.version}, the log at {at.version}")
        if host.version == at.version:
            must(freeze(host.table) == self.frozen(at), f"{host.name}: a server pictures another table")
            must((host.rounds, host.closed) == (at.rounds, at.closed), f"{host.name}: a server counts otherwise")

    def whole(self, entries: list[Entry], answer_of: Any, asked_registers: list[Any]) -> None:
        """At the end of it all."""
        again = HouseRegisters()
        for entry in entries:
            again.apply(entry)
        wanted = msgspec.json.encode(again)
        must(msgspec.json.encode(self.registers) == wanted, "the registers are not what their recomputation says")
        for found in asked_registers:
            must(found == wanted, "a server's registers are not what their recomputation says")
        for command, (stream, _) in self.commands.items():
            said = answer_of(command)
            must(said is not None, f"the answer of {command} is lost")
            if stream.startswith("table:") and said:
                self.answered(command, decode_answer(said))
