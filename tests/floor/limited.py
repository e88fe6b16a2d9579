"""Play of one patron with a loss limit at many tables at once, and what the log must say of it."""

from __future__ import annotations

import asyncio
import datetime
import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from pitboss.floor.editions import decode_opening
from pitboss.floor.floor import Floor
from pitboss.floor.frozen import opened
from pitboss.floor.host import decode_act
from pitboss.floor.model import HOUSE, Accepted, Answer, Caller, NotAllowed, Opening
from pitboss.floor.patron_book import stream_of
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.wire import AskShuffle
from pitboss.patrons import acts as p
from pitboss.rulebooks import load
from pitboss.store.log import Entry, Log
from pitboss.table import acts as a
from pitboss.table.apply import evolve
from pitboss.table.house import default_house
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.patrons_book import at_stake
from pitboss.table.state import Table
from tests.floor.memory import DEALER, SUPERVISOR

BOOK = load("nsw-pontoon")
DATED = datetime.date(2025, 1, 1)
ALICE = Caller("alice", "player")


def dated_opening(**more: Any) -> Opening:
    """A table with a gaming date, at which nobody counts chips: its subject is limits."""
    return Opening("nsw-pontoon", house=default_house(BOOK, date=DATED, **more), uncounted=True)


async def with_a_card(floor: Floor, name: str, limit_cents: int | None = None) -> None:
    """Identified, with a player card, and with a loss limit of a day."""
    book = patrons_of(floor).book
    for act in (p.Identify("", "passport"), p.IssueCard("", f"S-{name}")):
        assert isinstance(await book.do(SUPERVISOR, name, BOOK, act), tuple)
    if limit_cents is not None:
        done = await book.do(Caller(name, "player"), name, BOOK, p.SetLossLimit("", limit_cents))
        assert isinstance(done, tuple), done


UNLIMITED = 10**12


class Said(NamedTuple):
    """One act of the patron that was answered: between which places of the log, and how much it would have staked."""

    after: int
    before: int
    cents: int
    act: a.AnyAct
    answer: Answer


def staked_by(table: Table, act: a.AnyAct) -> int:
    """What an act would put at risk."""
    match act:
        case a.PlaceWager() | a.Insure():
            return act.cents
        case a.Double() | a.Split():
            wager = table.hand_to_act().wagers.get(act.player) if table.turn_box == act.box else None
            if wager is None:
                return 0
            return act.cents if isinstance(act, a.Double) and act.cents is not None else wager.cents
    return 0


def left_at_each_place(
    entries: Iterable[Entry], player: str, limit_cents: int, *, set_in_play: bool = False
) -> list[int]:
    """What is left of a loss limit after each entry of a log, by the engine's own tables and nothing else.

    A table's net counts a wager as gone when it is placed, so that nothing on the layout is counted as still there.
    With `set_in_play` the limit is the one that is set in the log: what was decided before it does not count.
    """
    tables: dict[str, Table] = {}
    net: dict[str, int] = {}
    whole = limit_cents
    limit_cents = UNLIMITED if set_in_play else whole
    left = [limit_cents]
    for entry in entries:
        if set_in_play and entry.stream == stream_of(player) and b"LossLimitSet" in entry.body:
            lying = sum(at_stake(table, player) for table in tables.values())
            limit_cents = whole - sum(net.values()) - lying
        if entry.stream.startswith("table:"):
            if entry.kind == "opened":
                tables[entry.stream] = opened(decode_opening(entry.body))
            elif entry.kind == "act":
                tables[entry.stream] = evolve(tables[entry.stream], decode_act(entry.body).events)
                net[entry.stream] = tables[entry.stream].net.get(player, 0)
        left.append(limit_cents + sum(net.values()))
    return left


def staked(entry: Entry, player: str) -> bool:
    """Whether a player put money down by an entry."""
    if not entry.stream.startswith("table:") or entry.kind != "act":
        return False
    act = decode_act(entry.body).act
    return isinstance(act, (a.PlaceWager, a.Double, a.Split, a.Insure)) and act.player == player


def check_the_limit(entries: Sequence[Entry], player: str, limit_cents: int, said: Iterable[Said]) -> tuple[int, int]:
    """Never one cent past the limit, and nothing refused that it allowed; gives least left and refusals for it."""
    left = left_at_each_place(entries, player, limit_cents)
    assert min(left) >= 0, f"{-min(left)} cents past the limit"
    return min(left), _rightly_refused(left, said)


def _rightly_refused(left: Sequence[int], said: Iterable[Said]) -> int:
    refused = 0
    for each in said:
        if isinstance(each.answer, NotAllowed) and "loss limit" in each.answer.refusal.text:
            refused += 1
            least = min(left[each.after : each.before + 1])
            assert each.cents > least, f"{each.act} was refused, and {least} cents or more were left all the while"
    return refused


def check_a_limit_set_in_play(entries: Sequence[Entry], player: str, limit_cents: int, said: Iterable[Said]) -> int:
    """The same from the moment at which it is set; more may lie on the tables then, and nothing is added to it. Gives
    what is left at the end, which is below zero where more was lost of that."""
    left = left_at_each_place(entries, player, limit_cents, set_in_play=True)
    for entry, now in zip(entries, left[1:], strict=True):
        assert now >= 0 or not staked(entry, player), f"{-now} cents past the limit at {entry.seq}"
    assert _rightly_refused(left, said)
    return left[-1]


async def client(floor: Floor, tables: Sequence[str], rng: random.Random, acts: int, log: Log) -> list[Said]:
    """Somebody who plays as alice at any table: wagers of any size, doubles, splits, and what else is legal."""
    said: list[Said] = []
    for number in range(acts):
        name = rng.choice(tables)
        host = floor.hosts.get(name)
        if host is None or host.moved_to is not None:
            await asyncio.sleep(0)
            continue
        table = host.table
        waiting = waiting_for(table)
        act: Any
        caller: Caller = ALICE
        if waiting.what == "wagers":
            free = [box for box in range(1, table.house.boxes + 1) if box not in table.boxes]
            if free and rng.random() < 0.8:
                cents = table.house.minimum_cents * rng.choice((1, 1, 2, 3, 7, 20))
                act = a.PlaceWager("alice", rng.choice(free), cents)
            elif table.boxes and rng.random() < 0.3:
                act = a.WithdrawWager("alice", rng.choice(sorted(table.boxes)))
            else:
                caller, act = DEALER, a.Deal()
        elif waiting.what == "shuffle":
            caller, act = DEALER, AskShuffle()
        elif waiting.what in ("cut", "cutting-card"):
            caller, act = SUPERVISOR if waiting.what == "cut" else DEALER, legal_acts(table)[0]
        else:
            legal = [each for each in legal_acts(table) if getattr(each, "player", "alice") == "alice"]
            if not legal:
                await asyncio.sleep(0)
                continue
            act = rng.choice(legal)
            caller = ALICE if getattr(act, "player", "") else DEALER
        after, cents = log.head().seq, staked_by(table, act)
        answer = await floor.act(caller, name, f"{id(rng)}-{number}", act)
        said.append(Said(after, log.head().seq, cents, act, answer))
    return said


async def open_dated_tables(floor: Floor, many: int) -> list[str]:
    names = [f"t{number}" for number in range(1, many + 1)]
    for name in names:
        answer = await floor.open_table(HOUSE, f"open-{name}", name, dated_opening())
        assert isinstance(answer, Accepted), answer
    return names
