"""Two floors that differ in hidden cards alone are the same to everybody who may not see them: every route that is
read, by every role, byte for byte, and every row of the file as far as it is not sealed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pitboss.basics.cards import VALUE
from pitboss.chance import Chance
from pitboss.floor import projections
from pitboss.floor.model import FLOOR_ROLES, Accepted, Caller
from pitboss.floor.wire import AskShuffle
from pitboss.rulebooks.clauses import register
from pitboss.server.app import HANDLERS
from pitboss.server.coaching import Coach, CoachTold
from pitboss.table import acts as a
from pitboss.table.legal import legal_acts, waiting_for
from tests.floor.memory import a_table, an_opening
from tests.floor.peopled import STAFF, caller
from tests.floor.playing import do
from tests.lengths import WHOLE
from tests.server.test_accounts import Web, web

T = TypeVar("T")
NOW_MS = 1_700_000_000_000
ALICE, BOB, DEALER, SUPERVISOR = map(caller, ("alice", "bob", "dealer-1", "supervisor-1"))
READERS = {role: name for name, role in reversed(STAFF.items()) if role in FLOOR_ROLES and name != "bob"}
TRIED = tuple(READERS) if WHOLE else ("player", "dealer", "supervisor", "inspector")
BURNED, BOBS, DRAWN, NEXT = (0,), (2, 5), (6,), (7, 8, 9)
"""Where the cards lie that are other ones in the other world: of two players, the dealer and a card drawn in error."""
ALL_DEALT = (0, 1, 2, 3, 5)
SAME_FOR_ALL = ("/api/acts", "/api/rulebooks", "/api/matrix", "/api/promotion-form", "/api/tournament-conditions")
SETTLED_BY = ("10.", "12.", "16.")
"""Where a round ends in one world in another way, other clauses are in the log: all of them are searched."""
FILLED = {"table": "t1", "name": "bob", "version": "8", "number": "1", "player": "bob"}
RANDOM = (
    (re.compile(r"[0-9a-f]{64}"), "digest"),
    (re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])"), "salt"),
    (re.compile(r'"(?:handle|session|seconds|at_ms)":(?:"[^"]*"|[0-9.e-]+)'), "its own"),
    (re.compile(r"^(?:process|python|pitboss_(?:act_seconds|held|tasks|log|http)).*$", re.M), ""),
)  # fmt: skip


class Arranged(Chance):
    """The shuffle of the table gives this order, when there is one."""

    def __init__(self, order: Sequence[Any]) -> None:
        super().__init__("two worlds")
        self.order, self.shuffles = order, 0

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        found = super().shuffled(cards)
        self.shuffles += 1
        return tuple(self.order) if self.order and self.shuffles == 2 else found  # the first is the opening's


async def a_round(site: Web, order: Sequence[Any], *, paced: str) -> tuple[list[Any], list[Any]]:
    """A burned card, hands that lie face down, a card drawn in error that nobody saw, a decision; or, where it is
    `paced` from a moment on, cards that the dealer has still to deal. Gives the order of the shuffle, and the stack as
    it is dealt from."""
    floor = site.house.floor
    floor.chance = Arranged(order)
    await a_table(floor, "t1", an_opening("nsw-pontoon", face_down=not paced))
    host = floor.hosts["t1"]

    async def step(by: Caller, act: Any) -> None:
        done = await do(floor, by, "t1", act, f"step {host.version}")
        assert isinstance(done, Accepted), done

    await step(DEALER, AskShuffle())
    shuffled = list(host.table.stack)
    while (what := waiting_for(host.table).what) in ("cut", "cutting-card"):
        await step(SUPERVISOR if what == "cut" else DEALER, legal_acts(host.table)[0])
    stack = list(host.table.stack)
    await step(ALICE, a.PlaceWager("alice", 1, 1000))
    await step(BOB, a.PlaceWager("bob", 2, 1000))
    if paced == "the deal":
        assert await floor.pace(DEALER, "t1", "on") is None
    await step(DEALER, a.Deal())
    if paced == "the end":
        assert await floor.pace(DEALER, "t1", "on") is None
    if paced != "the deal":
        await step(ALICE, a.Stand("alice", 1))
    if paced == "the end":
        await step(BOB, a.Stand("bob", 2))
    if not paced:
        await step(SUPERVISOR, a.DrawInError())
    return shuffled, stack


async def told(site: Web, roles: Sequence[str]) -> dict[tuple[str, str], str]:
    """Everything that each role is answered, without what is drawn by lot in any case."""
    log = site.house.floor.commits.log
    clauses = {found.decode() for entry in log.read("table:t1") for found in re.findall(rb'"(\d[\d.]*)"', entry.body)}
    clauses |= {clause for clause in register("nsw-pontoon") if clause.startswith(SETTLED_BY)}
    paths = [path for handler in HANDLERS if "GET" in handler.http_methods for path in sorted(handler.paths)]
    paths = [re.sub(r"\{(\w+):\w+\}", lambda name: FILLED.get(name[1], "x"), path) for path in paths]
    asked = [path for path in paths if not path.startswith(SAME_FOR_ALL) and not path.endswith("parquet")]
    searches = [f"/api/log/search?clause={clause}" for clause in sorted(clauses)]
    searches += ["/api/log/search?player=bob", "/api/log/search?cents_from=1", "/api/log/search?act=Deal"]
    found: dict[tuple[str, str], str] = {}
    for role in roles:
        name = READERS[role]
        browser = await site.as_(name)
        for path in [*asked, "/metrics", *(searches if role == "supervisor" else ())]:
            answer = await browser.get(path)
            text = f"{answer.status_code} {answer.text}"
            for pattern, said in RANDOM:
                text = pattern.sub(said, text)
            found[role, path] = text
        for act in (a.Hit("bob", 2), a.Stand("bob", 2), a.Deal(), a.Surrender("bob", 2)):
            if role not in ("dealer", "player"):
                found[role, repr(act)] = repr(await do(site.house.floor, caller(name), "t1", act))
    return found


def at_rest(path: Path, *, lengths: bool = True) -> list[tuple[str, list[Any]]]:
    """Every row: the text of what is not sealed, of the rest how long it is; no moments, and nothing drawn by lot."""

    def seen(part: Any) -> Any:
        if isinstance(part, bytes) and part[:2] == b'{"' and part[-1:] == b"}":
            part = part.decode("utf-8", "replace")
        if isinstance(part, str):
            for pattern, said in RANDOM:
                part = pattern.sub(said, part)
        if isinstance(part, int) and part > NOW_MS:
            return "a moment"
        return (len(part) if lengths else 0) if isinstance(part, bytes) else part

    with closing(sqlite3.connect(path)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [(name, list(map(seen, row))) for name in tables for row in database.execute(f"SELECT * FROM {name}")]


async def world(
    path: Path, order: Sequence[Any], roles: Sequence[str], *, paced: str = ""
) -> tuple[list[Any], list[Any], dict[tuple[str, str], str]]:
    path.mkdir()
    async with web(path, now_ms=NOW_MS) as site:
        shuffled, stack = await a_round(site, order, paced=paced)
        found = await told(site, roles)
        site.house.floor.projections.settle()
    return shuffled, stack, found


def other_order(shuffled: list[Any], stack: list[Any], places: Sequence[int]) -> list[Any]:
    """The same shuffle with other cards where nobody may see them; no ace and no ten, so that the play is the same."""
    cut = next(n for n in range(len(stack)) if shuffled[n:] + shuffled[:n] == stack)
    other, taken = list(stack), len(stack) - 1
    for place in places:
        while not 2 < VALUE[other[taken]] < 8 or VALUE[other[taken]] == VALUE[other[place]]:
            taken -= 1
        other[place], other[taken] = other[taken], other[place]
        taken -= 1
    return other[len(stack) - cut :] + other[: len(stack) - cut]


def _first_difference(key: tuple[str, str], one: str, other: str) -> str:
    place = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{key}: {one[max(0, place - 200) : place + 80]} OR {other[max(0, place - 20) : place + 80]}"


def _must_be_the_same(first: dict[tuple[str, str], str], second: dict[tuple[str, str], str]) -> None:
    assert first.keys() == second.keys()
    told_apart = [key for key in first if first[key] != second[key]]
    assert not told_apart, [_first_difference(key, first[key], second[key]) for key in told_apart[:3]]


async def test_whoever_may_not_see_a_card_is_told_the_same_whatever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "CHECKPOINT_EVERY", 1)  # every fold stands in the file as well
    places = (*BURNED, *BOBS, *DRAWN, *NEXT)
    shuffled, stack, first = await world(tmp_path / "one", (), TRIED)
    _, other, second = await world(tmp_path / "two", other_order(shuffled, stack, places), TRIED)
    assert [place for place in range(10) if stack[place] != other[place]] == sorted(places)
    assert len(first) > 200 and set(READERS) == set(FLOOR_ROLES)
    _must_be_the_same(first, second)
    assert at_rest(tmp_path / "one" / "floor.db") == at_rest(tmp_path / "two" / "floor.db")


@pytest.mark.parametrize(("paced", "to_be_dealt"), [("the deal", ALL_DEALT), ("the end", (6, 7, 8, 9))])
async def test_nobody_is_told_a_card_that_the_dealer_has_still_to_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paced: str, to_be_dealt: Sequence[int]
) -> None:
    """Not by the coach either, who says here what it is asked; nor who reads the file and every fold in it."""

    async def repeated(_: Coach, **asked: Any) -> CoachTold:
        return CoachTold(problem=repr(asked))

    monkeypatch.setattr(projections, "CHECKPOINT_EVERY", 1)
    monkeypatch.setattr(Coach, "ask", repeated)
    roles = ("player", "supervisor")
    shuffled, stack, first = await world(tmp_path / "one", (), roles, paced=paced)
    order = other_order(shuffled, stack, to_be_dealt)
    _, other, second = await world(tmp_path / "two", order, roles, paced=paced)
    assert all(stack[place] != other[place] for place in to_be_dealt)
    assert first["player", "/api/tables/t1/coach"].startswith("200 ")
    _must_be_the_same(first, second)
    one, two = (at_rest(tmp_path / name / "floor.db", lengths=False) for name in ("one", "two"))
    assert one == two, "only how long a sealed entry is may tell something of how many cards there will be"
