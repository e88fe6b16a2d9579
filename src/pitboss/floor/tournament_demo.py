"""A whole tournament on a floor, played by the house's own players: from the conditions to the last prize.

Whoever conducts it here does what a tournament manager does on the page, act by act; the tables deal by themselves.
"""

from __future__ import annotations

import asyncio
import datetime
import itertools
import tomllib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pitboss.floor.bots import BOT
from pitboss.floor.model import Caller, Proposed, Timers
from pitboss.floor.tournament_book import Known, TournamentDone, tournaments_of
from pitboss.floor.tournament_tables import is_over
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import MANAGER, TournamentAct
from pitboss.tournament.conditions import Conditions, read
from pitboss.tournament.paper import template
from pitboss.tournament.state import APPLIED, InPlay

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

CONDUCTS = Caller("demo-tournament-manager", "tournament-manager")
APPROVES = Caller("demo-gaming-manager", "gaming-manager")
BIRDS = (
    "kookaburra", "galah", "magpie", "brolga", "jabiru", "currawong", "lorikeet", "rosella", "wagtail", "bowerbird",
    "cassowary", "emu", "kestrel", "heron", "ibis", "pelican", "swan", "wren", "finch", "honeyeater", "pardalote",
    "quail", "robin", "spoonbill", "tern", "warbler", "kite", "eagle", "falcon", "owl", "frogmouth", "nightjar",
    "dove", "pigeon", "corella", "cockatoo", "budgerigar", "bustard", "coot", "crake", "curlew", "dotterel", "drongo",
    "egret", "fantail", "friarbird", "gannet", "godwit", "grebe", "harrier", "hobby", "lapwing", "lyrebird", "martin",
    "miner", "noddy", "oriole", "osprey", "petrel", "plover",
)  # fmt: skip
"""After whom the house's players in a demonstration are called."""
LOOK_SECONDS = 0.1

Tell = Callable[[str], None]
Look = Callable[[Known], None]
"""Hears of every look at the tables, for whoever shows how far it is."""


def names(count: int) -> list[str]:
    """So many players of the house, each with a name of their own."""
    rounds = itertools.chain(BIRDS, (f"{bird}-{number}" for number in itertools.count(2) for bird in BIRDS))
    return [f"{BOT}{bird}" for bird in itertools.islice(rounds, count)]


def demo_conditions(
    rulebook: str,
    *,
    title: str,
    stages: Iterable[tuple[str, str, int, int, int]],
    entrants: int,
    start: datetime.datetime,
) -> Conditions:
    """Conditions for a demonstration, from the template: by name, kind, tables, rounds, and how many advance."""
    data = tomllib.loads(template(load(rulebook)))
    listed = list(stages)
    final = listed[-1]
    data |= {"title": title, "manager": CONDUCTS.name}
    if "approved" in data:
        data["approved"] = "for demonstration"
    data["start"] = start.replace(second=0)
    data["entry"] |= {"minimum": 2, "maximum": entrants, "fee": 100}
    for key in ("closes", "withdraw_until"):
        data["entry"].pop(key, None)
    if "withdraw_until" in tomllib.loads(template(load(rulebook)))["entry"]:
        data["entry"]["withdraw_until"] = data["start"]
    data["wagers"]["raises"] = [
        {"stage": name, "round": rounds // 2 + 1, "minimum": 50, "maximum": 500}
        for name, _, _, rounds, _ in listed
        if name == final[0] and rounds > 2
    ]
    data["wagers"]["minimum"], data["wagers"]["maximum"] = 25, 500
    data["chips"] |= {"amount": 1000}
    data["stages"] = [
        {"name": name, "kind": kind, "tables": tables, "rounds": rounds, "advance": advance}
        for name, kind, tables, rounds, advance in listed
    ]
    return read(data, RULEBOOKS)


class Conductor:
    """Somebody who runs a tournament act by act, as the page lets them."""

    def __init__(self, floor: Floor, name: str, tell: Tell, *, run: str = "", look: Look | None = None) -> None:
        self.floor = floor
        self.name = name
        self._book = tournaments_of(floor)
        self._tell = tell
        self._look = look
        self._ids = itertools.count(1)
        self._run = run or name
        self.acts = 0

    @property
    def known(self) -> Known:
        return self._book.known[self.name]

    async def does(self, act: TournamentAct, caller: Caller = CONDUCTS) -> None:
        """An act that must be allowed; what wants a second person gets one."""
        done = await self._book.do(caller, f"{self._run}-{next(self._ids)}", self.name, act)
        if isinstance(done, Proposed):
            number = int(done.proposal)
            done = await self._book.answer(APPROVES, f"{self._run}-{next(self._ids)}", self.name, number, approve=True)
        if not isinstance(done, TournamentDone):
            raise RuntimeError(f"{type(act).__name__}: {done}")
        self.acts += 1

    async def run(
        self, conditions: Conditions, entrants: list[str], tables: list[str], *, timers: Timers | None = None
    ) -> Known:
        """The whole of it."""
        await self.open(conditions, timers)
        await self.enter(entrants)
        await self.close(tables)
        for stage in conditions.stages:
            if stage.kind != "repechage" or self.known.state.qualified.get(stage.name):
                await self.play(stage.name)
        await self.does(ta.AwardPrizes(MANAGER))
        return self.known

    async def open(self, conditions: Conditions, timers: Timers | None = None) -> None:
        timers = timers or Timers()
        done = await self._book.open(
            CONDUCTS, f"{self._run}-open", self.name, conditions, dealer="house", timers=timers
        )
        if not isinstance(done, TournamentDone):
            raise RuntimeError(str(done))
        self._tell(f"{conditions.title}: entries are open")

    async def enter(self, entrants: list[str]) -> None:
        now, fee = self._book.now(self.known.rulebook), self.known.conditions.entry.fee_cents or 0
        for name in entrants:
            await self.does(ta.GiveCopy(MANAGER, name))
            await self.does(ta.Apply(MANAGER, name, now))
            if self.known.state.entrants[name].status == APPLIED:
                await self.does(ta.PayFee(MANAGER, name, fee, now))
        self._tell(f"{len(self.known.state.entered())} players have entered")

    async def close(self, tables: list[str]) -> None:
        await self.does(ta.CommitDraws(MANAGER, {}))
        await self.does(ta.DesignateTables(MANAGER, tuple(ta.Designated(each) for each in tables)))
        await self.does(ta.CloseEntries(MANAGER, self._book.now(self.known.rulebook)))

    async def play(self, stage: str) -> None:
        """One stage, from the draw to the announcement, with its play-offs."""
        await self.does(ta.DrawSeats(MANAGER, stage, "", ()))
        chips = self.known.conditions.chips
        for session in self._sessions(stage, "drawn"):
            for player in session.seats.values():
                await self.does(ta.ComeToSeat(MANAGER, player))
                if chips.bought:
                    await self.does(ta.BuyIn(MANAGER, player, chips.price_cents))
        while stage not in self.known.state.done:
            drawn = self._sessions(stage, "drawn")
            count = f"{len(drawn)} table{'s' * (len(drawn) != 1)}"
            if drawn and drawn[0].play_off:
                self._tell(f"{stage.capitalize()}: a play-off at {count}")
            else:
                self._tell(f"{stage.capitalize()}: play begins at {count}")
            await self.does(ta.StartSession(MANAGER, stage, self._book.now(self.known.rulebook)))
            await self._finish(stage)
            await self.does(ta.Announce(MANAGER, stage))
        self._tell(f"{stage.capitalize()}: the results are announced")

    async def _finish(self, stage: str) -> None:
        """Until every table of a stage is counted and its chips are back."""
        while open_ := [each for each in self._of(stage) if each.status not in ("drawn", "returned")]:
            await self.known.follow(self.floor.commits)
            if self._look is not None:
                self._look(self.known)
            over = [each for each in open_ if each.status == "playing" and is_over(self.known, each)]
            counted = [each for each in open_ if each.status == "counted"]
            for session in over:
                await self.does(ta.ConcludeSession(MANAGER, session.table))
            for session in counted:
                await self.does(ta.ReturnChips(MANAGER, session.table))
            if not over and not counted:
                await asyncio.sleep(LOOK_SECONDS)

    def _of(self, stage: str) -> list[InPlay]:
        return [each for each in self.known.state.sessions.values() if each.stage == stage]

    def _sessions(self, stage: str, status: str) -> list[InPlay]:
        return [each for each in self._of(stage) if each.status == status]


def quick(pace_ms: int) -> Timers:
    """Timers of a table at which nobody but the house's players sits."""
    return replace(Timers(), wagers_ms=pace_ms * 2, last_wager_ms=0, pace_ms=pace_ms)


def structure(entrants: int, rounds: int) -> list[tuple[str, str, int, int, int]]:
    """Heats of up to seven at a table, semi-finals where there are too many for one, and a final of up to seven."""
    heats = -(-entrants // 7)
    if heats == 1:
        return [("final", "final", 1, rounds, 0)]
    found = [("heats", "heat", heats, rounds, 1)]
    left, number = heats, 0
    while left > 7:
        tables = -(-left // 7)
        number += 1
        advance = 1 if tables > 3 else 2
        found.append((f"semi-finals {number}" if tables > 3 else "semi-finals", "semi-final", tables, rounds, advance))
        left = tables * advance
    return [*found, ("final", "final", 1, rounds, 0)]


def summary(known: Known) -> dict[str, Any]:
    """Where a tournament ended, for whoever ran it."""
    people = sorted(known.state.entrants.values(), key=lambda each: (each.place or 10**6, each.number))
    return {
        "status": known.state.status,
        "places": [(each.place, each.name, each.prize_cents) for each in people],
        "accounts": known.state.accounts,
        "chips": known.state.chip_accounts,
    }
