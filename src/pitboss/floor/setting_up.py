"""The first run: people for a floor, the demo floor, and the administrator."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pitboss.chance import secret_token
from pitboss.floor.account_changes import Account
from pitboss.floor.approvals import Approvals
from pitboss.floor.audit import SUMMARY_SECONDS, Audit
from pitboss.floor.bots import NAMES
from pitboss.floor.erasing import Erasures
from pitboss.floor.handovers import Handovers
from pitboss.floor.model import HOUSE, Accepted, Caller, Denied, NotAllowed, Opening
from pitboss.floor.people import Lifetimes, NeedsMore, People, Proof, Session, Throttle, TryLater, in_seconds
from pitboss.floor.register_book import RegisterBook
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.terms import Amendment
from pitboss.store.log import Log, StoreError
from pitboss.table.house import SHOE, default_house
from pitboss.table.refusals import Refused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from pitboss.floor.floor import Floor
    from pitboss.table.acts import AnyAct

DEMO_BOTS = 2
DEMO_FLOAT_CENTS = 10_000_000
"""So many of the house's own players at each table of the demo floor."""
REFRESH_SECONDS = 60


class Reception:
    """Everybody who comes to a floor: accounts, approvals, the audit, and whether the floor is set up."""

    def __init__(
        self, floor: Floor, *, lifetimes: Lifetimes | None = None, hasher: PasswordHasher | None = None
    ) -> None:
        self.floor = floor
        self.audit = Audit(floor.commits)
        self.people = People(floor.commits, self.audit, lifetimes=lifetimes, hasher=hasher)
        self.approvals = Approvals(floor.commits, floor.clock, self.people, self.audit)
        self.registers = RegisterBook(floor)
        self.handovers = Handovers(floor)
        self.erasures = Erasures(floor, self.registers.files)
        self.token = secret_token(18)
        """Lets somebody from elsewhere set the floor up, once; printed at start and kept nowhere."""
        self._throttle = Throttle()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Know everybody, and be told of every denial. Before `Floor.start`."""
        await self.audit.catch_up()
        await self.people.catch_up()
        await self.approvals.catch_up()
        await self.registers.catch_up()
        await self.handovers.catch_up()
        await self.erasures.catch_up()
        now, newest = self.floor.clock.now_ms(), await self.floor.commits.run(_newest_ms, self.floor.commits.log)
        await self.people.end_if_the_clock_went_back(now, newest)
        await self.approvals.end_if_the_clock_went_back(now, newest)
        floor = self.floor
        floor.people, floor.approvals = self.people, self.approvals
        floor.followed += [self.people, self.approvals, self.registers, self.handovers, self.erasures]
        floor.denied = self._denied
        floor.last_words.append(self._summarise)
        self._keep(self._refresh())
        self._keep(self._summarise_now_and_then())

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.people.close()

    async def _denied(self, caller: Caller, table: str, asked: AnyAct | str, why: Denied) -> None:
        """An act, or an operation of the floor by its name; where it cannot be written they are denied all the same."""
        what, now = asked if isinstance(asked, str) else type(asked).__name__, self.floor.clock.now_ms()
        with suppress(StoreError):
            await self.audit.denied(caller, what, why, now, table=table)

    def _keep(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            try:
                await self.people.refresh(self.floor.clock.now_ms())
            except StoreError:
                continue  # the log is full or away: sessions go on, and are written down later

    async def _summarise(self) -> None:
        with suppress(StoreError):
            await self.audit.summarise(self.floor.clock.now_ms())

    async def _summarise_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SUMMARY_SECONDS)
            await self._summarise()

    # --- set-up ---

    @property
    def is_set_up(self) -> bool:
        """Whether there is an administrator; until then the floor is a demo for whoever sits at the machine."""
        return any(account.role == "administrator" and not account.guest for account in self.people.accounts.values())

    async def set_up(
        self, name: str, password: str, address: str, *, local: bool, token: str = ""
    ) -> Session | Denied | TryLater:
        """Create the administrator and log them in: from this machine, or with the token that was printed at start."""
        now = self.floor.clock.now_ms()
        if self.is_set_up:
            return Denied("this floor is set up already.")
        wait = self._throttle.wait_ms("set-up", address, now)
        if wait:
            return TryLater(f"too many wrong tokens: try again in {in_seconds(wait)}.", wait)
        if not local and not hmac.compare_digest(token.encode(), self.token.encode()):
            self._throttle.tries("set-up", address, now)
            return Denied("set the floor up at the machine itself, or with the token that was printed when it started.")
        made = await self.people.set_up(name, password, now)
        if isinstance(made, Denied):
            return made
        session = await self.people.log_in(name, password, address, now, proof=Proof(local=local, enrols=True))
        assert not isinstance(session, NeedsMore)  # nothing more is there yet that could be asked for
        return session

    async def guest(self, name: str, role: str, *, local: bool) -> Session | Denied:
        """Come in without a password: a player of play money, and before set-up anybody, at this machine only."""
        now = self.floor.clock.now_ms()
        if not local:
            return Denied("guests can join on this machine only; elsewhere, log in with an account.")
        if role == "player":
            return await self.people.guest(name, now)
        if self.is_set_up:
            return Denied("this floor is set up: log in with an account of your own.")
        return await self.people.guest(f"demo-{role}", now, role=role)


def _newest_ms(log: Log) -> int:
    """When the log was last written to, by the clock of whoever wrote."""
    head = log.head()
    last = next(iter(log.read_all(head.seq - 1)), None) if head.seq else None
    return 0 if last is None else last.at_ms


async def open_demo_floor(floor: Floor, amendments: Mapping[str, Sequence[Amendment]] | None = None) -> list[str]:
    """Five tables, one a rulebook, dealt by the house, with bots; nothing happens where there is any table.

    `amendments` by rulebook; `Refused` is raised where no table is opened under them.
    """
    if floor.openings:
        return []
    opened = []
    for rulebook in RULEBOOKS:
        layers = tuple((amendments or {}).get(rulebook, ()))
        answer = await floor.open_table(HOUSE, f"demo/{rulebook}", rulebook, demo_opening(rulebook, layers))
        if layers and isinstance(answer, NotAllowed):
            raise Refused(answer.refusal)
        if isinstance(answer, Accepted):
            opened.append(rulebook)
    return opened


def demo_opening(rulebook: str, amendments: tuple[Amendment, ...] = ()) -> Opening:
    """A table of the demo floor: small limits, a shoe, and two bots; with amendments, opened for tournament play."""
    book = load(rulebook)
    house = default_house(book, source=SHOE, minimum_cents=500, maximum_cents=50_000, tournament=bool(amendments))
    bots, rack = NAMES[:DEMO_BOTS], DEMO_FLOAT_CENTS
    return Opening(rulebook, book.name, amendments=amendments, house=house, dealer="house", bots=bots, float_cents=rack)


__all__ = ["Account", "Reception", "demo_opening", "open_demo_floor"]
