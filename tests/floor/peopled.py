"""A floor with people on a log of its own, a clock that tests set, and passwords that are hashed in no time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from argon2 import PasswordHasher

from pitboss.chance import Chance
from pitboss.floor.account_changes import Account, Approved
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.model import Caller, Proposed
from pitboss.floor.people import Lifetimes, Proof, Session
from pitboss.floor.setting_up import Reception
from pitboss.store.group import GroupCommit
from pitboss.store.log import Entry
from pitboss.store.opening import open_log

T = TypeVar("T")

PASSWORD = "correct horse battery"
STAFF = {
    "alice": "player",
    "bob": "player",
    "dealer-1": "dealer",
    "supervisor-1": "supervisor",
    "supervisor-2": "supervisor",
    "gaming-supervisor-1": "gaming-supervisor",
    "manager-1": "gaming-manager",
    "tournament-1": "tournament-manager",
    "inspector-1": "inspector",
    "admin-1": "administrator",
}


class Peopled(NamedTuple):
    floor: Floor
    reception: Reception
    clock: SetClock

    @property
    def people(self) -> Any:
        return self.reception.people

    def entries(self, stream: str) -> list[Entry]:
        return list(self.floor.commits.log.read(stream))


def quick_hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@asynccontextmanager
async def peopled(
    path: Path, *, staff: bool = False, lifetimes: Lifetimes | None = None, owner: str = "", now_ms: int = 0
) -> AsyncIterator[Peopled]:
    """A floor on the log at `path`; with `staff`, somebody of each role has an account; with `owner` one of several."""
    log = open_log(str(path / "floor.db"), several=bool(owner))
    clock = SetClock(now_ms) if now_ms else SetClock()
    floor = Floor(
        GroupCommit(log),
        clock=clock,
        chance=Chance("tests"),
        owner=owner or "local",
        address=f"http://{owner}" if owner else "",
        alone=not owner,
    )
    reception = Reception(floor, hasher=quick_hasher(), lifetimes=lifetimes)
    await reception.open()
    await floor.start()
    found = Peopled(floor, reception, clock)
    try:
        if staff and not reception.people.accounts:
            for name, role in STAFF.items():
                made = await reception.people.create_for_the_house(name, role, PASSWORD, clock.now_ms())
                assert isinstance(made, Account), made
        yield found
    finally:
        await reception.close()
        await floor.stop(0)
        log.close()


async def session_of(house: Peopled, name: str) -> Session:
    proof = Proof(local=True)
    session = await house.people.log_in(name, PASSWORD, "192.0.2.1", house.clock.now_ms(), proof=proof)
    assert isinstance(session, Session), session
    return session


async def by_two(house: Peopled, asked: Awaitable[Any], second: str = "manager-1") -> Any:
    """What an administrator asks of an account, and a second person approves; the account as it is then."""
    said = await asked
    if not isinstance(said, Proposed):
        return said
    name = house.people.proposals[said.proposal].name
    role = STAFF.get(second, "administrator")
    done = await house.people.answer(caller(second, role), said.proposal, True, house.clock.now_ms())
    assert isinstance(done, Approved) and done.state == "done", done
    return house.people.account(name)


def caller(name: str, role: str | None = None) -> Caller:
    return Caller(name, role or STAFF[name])


def run(path: Path, test: Callable[[Peopled], Awaitable[T]], **options: Any) -> T:
    """Run a coroutine against such a floor."""

    async def within() -> T:
        async with peopled(path, **options) as house:
            return await test(house)

    return asyncio.run(within())
