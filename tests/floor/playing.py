"""Sitting down and playing at a table of a floor, for tests."""

from __future__ import annotations

import itertools
import random
from typing import Any

from pitboss.floor.floor import Floor
from pitboss.floor.host import Host
from pitboss.floor.model import HOUSE, Accepted, Answer, Caller
from pitboss.floor.permissions import not_for_the_house
from pitboss.floor.wire import AskShuffle
from pitboss.table import acts as a
from pitboss.table.legal import legal_acts, waiting_for
from tests.floor.memory import DEALER, SUPERVISOR
from tests.properties.driver import next_act

_ids = itertools.count(1)
ANYBODY = Caller("", "house")


async def do(floor: Floor, caller: Caller, table: str, act: Any, command: str = "") -> Answer:
    """One act with an id of its own."""
    return await floor.act(caller, table, command or f"c{next(_ids)}", act)


async def must(floor: Floor, caller: Caller, table: str, *acts: Any) -> Accepted:
    """Acts that are all accepted."""
    for act in acts:
        answer = await do(floor, caller, table, act)
        assert isinstance(answer, Accepted), (act, answer)
    return answer  # type: ignore[return-value]


async def ready(floor: Floor, table: str) -> None:
    """Shuffled, cut, and the cutting card placed."""
    host = floor.hosts[table]
    await must(floor, DEALER, table, AskShuffle())
    while (what := waiting_for(host.table).what) in ("cut", "cutting-card"):
        act = legal_acts(host.table)[0]
        await must(floor, SUPERVISOR if what == "cut" else DEALER, table, act)


async def wander(floor: Floor, table: str, acts: int, seed: int, mishaps: float = 0.0) -> Host:
    """Anything that anybody might do; nobody is denied: what the house does not say for players, `ANYBODY` does."""
    rng = random.Random(seed)
    host = floor.hosts[table]
    permit = host._permit
    host._permit = lambda caller, act, state: None if caller is ANYBODY else permit(caller, act, state)
    for _ in range(acts):
        act: Any = next_act(host.table, rng, mishaps)
        await floor.act(HOUSE if not_for_the_house(act, ()) is None else ANYBODY, table, "", act)
    return host


async def play_out(floor: Floor, table: str, rounds: int, rng: random.Random, people: list[Caller]) -> None:
    """So many rounds at a table, everybody wagering the minimum and deciding anything legal."""
    host = floor.hosts[table]
    by_name = {caller.name: caller for caller in people}
    target = host.rounds + rounds
    while host.rounds < target:
        waiting = waiting_for(host.table)
        if waiting.what == "shuffle":
            await must(floor, DEALER, table, AskShuffle())
        elif waiting.what == "wagers":
            for number, caller in enumerate(people, start=1):
                box = host.table.boxes.get(number)
                if box is None or caller.name not in box.wagers:
                    await must(floor, caller, table, a.PlaceWager(caller.name, number, host.table.house.minimum_cents))
            await must(floor, DEALER, table, a.Deal())
        else:
            act: Any = rng.choice(legal_acts(host.table))
            staff = SUPERVISOR if isinstance(act, a.Cut) else DEALER
            await must(floor, by_name.get(getattr(act, "player", ""), staff), table, act)
