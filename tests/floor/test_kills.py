"""A sample of soak/floor_kills.py: a whole floor killed in real rounds; and what those kills have found."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from pitboss.floor.editions import decode_opening
from pitboss.floor.host import Host, decode_act
from pitboss.floor.link import Pool
from pitboss.floor.model import Accepted, Denied, Timers
from pitboss.floor.updates import Watch
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.table.house import DEVICE, SHOE
from pitboss.table.legal import waiting_for
from soak.floor_kills import (
    Place,
    Ready,
    fill_the_disk,
    kill_again,
    kill_at_moment,
    kill_at_step,
    lose_power,
    power_cuts,
    ready,
)
from soak.floor_scenes import scenes
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import do, must
from tests.floor.playing import ready as prepared
from tests.floor.test_link import a_linked_floor
from tests.store.servers import execute, postgres

NAMES = tuple(scenes())


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Ready, Place]]:
    """Each scene made ready once."""
    made: dict[str, tuple[Ready, Place]] = {}

    def find(name: str) -> tuple[Ready, Place]:
        if name not in made:
            place = Place(tmp_path_factory.mktemp(name))
            place.prepare()
            made[name] = ready(scenes()[name], place.new_url, place.tokens), place
        return made[name]

    return find


def test_the_scenes_are_real_rounds(places: Callable[[str], tuple[Ready, Place]]) -> None:
    """Under every rulebook people double and split; and all that can be half done is there to be torn in two."""
    acts: dict[str, Counter[str]] = {rulebook: Counter() for rulebook in RULEBOOKS}
    streams: Counter[str] = Counter()
    for name in NAMES:
        _, place = places(name)
        log = open_log(str(place.last / "log.db"))
        for stream, count in log.streams().items():
            streams[stream.partition(":")[0]] += count
            if stream.startswith("table:"):
                entries = list(log.read(stream))
                kinds = [type(decode_act(entry.body).act).__name__ for entry in entries if entry.kind == "act"]
                acts[decode_opening(entries[0].body).rulebook].update(kinds)
                streams["closed"] += entries[-1].kind == "closed"
        log.close()
    for rulebook, found in acts.items():
        assert {"Shuffle", "PlaceWager", "Deal", "Double", "Split"} <= set(found), rulebook
    everything = sum(acts.values(), Counter())
    assert {"Insure", "Surrender", "SetLimits", "VoidRound", "BurnInError", "Approve"} <= set(everything)
    assert {"SetJackpot", "PayJackpot", "ReportJackpotFault", "RestoreJackpot", "Mix"} <= set(everything)
    assert streams["closed"] == 3 and streams["checkpoints"] > 12 and streams["approvals"] >= 12


def killed(scene: Ready, step: int) -> bool:
    """At that step, or sooner where the scene is done in fewer: what is written together hangs on the machine."""
    return any(kill_at_step(scene, step >> sooner) for sooner in range(4))


@pytest.mark.parametrize("name", NAMES)
def test_killed(name: str, places: Callable[[str], tuple[Ready, Place]]) -> None:
    scene, _ = places(name)
    chance = random.Random(name)
    for step in chance.sample(range(scene.steps * 9 // 10), 3):
        assert killed(scene, step)
    # A quicker machine than the one that made the scene ready is done sooner.
    assert any(kill_at_moment(scene, chance.random() * scene.seconds / 4**sooner) for sooner in range(5))
    assert any(kill_again(scene, [scene.steps >> sooner, scene.steps >> sooner + 2]) for sooner in range(1, 4))


@pytest.mark.parametrize("name", NAMES)
def test_power_lost(name: str, places: Callable[[str], tuple[Ready, Place]]) -> None:
    scene, _ = places(name)
    chance = random.Random(name)
    for lost in power_cuts(scene, chance, 1, 5):
        assert lose_power(scene, lost)


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk(name: str, places: Callable[[str], tuple[Ready, Place]]) -> None:
    """Acts are halted in a sentence, nothing changes, and with room again the scene comes to its usual end."""
    scene, _ = places(name)
    chance = random.Random(name)
    assert any(fill_the_disk(scene, chance.randrange(1, 30), by_pages=NAMES.index(name) % 2 == 0) for _ in range(3))


@pytest.fixture
def on_postgres() -> Iterator[Callable[[], str]]:
    made: list[str] = []

    def new_url() -> str:
        made.append(f"{postgres()}&schema=kills_{os.getpid()}_{len(made)}")
        return made[-1]

    yield new_url
    for address in made:
        execute(address, f'DROP SCHEMA IF EXISTS "{address.rpartition("=")[2]}" CASCADE')


def test_killed_on_postgresql(on_postgres: Callable[[], str]) -> None:
    """The next process is another owner of the tables."""
    scene = ready(scenes()["linked"], on_postgres, {}, is_shared=True)
    for step in random.Random(3).sample(range(scene.steps * 9 // 10), 2):
        assert killed(scene, step)


# --- the trial itself would notice ------------------------------------------------------------------------------------


def test_an_answer_before_the_write_would_be_noticed(
    places: Callable[[str], tuple[Ready, Place]], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, _ = places("alone")
    original = Host._write

    def hasty(host: Host, asked: Any, *more: Any) -> None:
        original(host, asked, *more)
        asked.answer(Accepted(host.name, host.decided_version))
        asked.done.clear()

    monkeypatch.setattr(Host, "_write", hasty)
    with pytest.raises(AssertionError, match=r"is lost$"):
        for step in range(scene.steps // 2, scene.steps // 2 + 8):
            kill_at_step(scene, step)


def test_half_an_act_would_be_noticed(
    places: Callable[[str], tuple[Ready, Place]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wager's part of the jackpot that does not come to the pool with it."""
    scene, _ = places("linked")
    monkeypatch.setattr(Pool, "parts", lambda *_: ())
    with pytest.raises(AssertionError, match="the pool differs"):
        killed(scene, scene.steps - 10)


def test_a_gap_in_what_a_watcher_is_told_would_be_noticed(
    places: Callable[[str], tuple[Ready, Place]], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, _ = places("alone")
    original = Watch.take
    forgotten: list[int] = []

    def forgetful(watch: Watch) -> bytes:
        if not forgotten and 20 <= watch.seen < watch.host.version:
            watch.seen += 1
            forgotten.append(watch.seen)
        return original(watch)

    monkeypatch.setattr(Watch, "take", forgetful)
    with pytest.raises(AssertionError, match="a watcher was told"):
        killed(scene, scene.steps * 9 // 10)


# --- what the kills have found ----------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide-pontoon-2008", "112")
@pytest.mark.parametrize("every", [4, 256])
async def test_nobody_approves_his_own_report_watched_or_after_a_restart(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.floor.host.CHECKPOINT_EVERY", every)
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor, opening=an_opening("adelaide-pontoon-2008"))
        await prepared(floor, table)
        watch: Any = await floor.watch(ALICE, table, None, lambda: None)
        await must(floor, SUPERVISOR, table, a.BurnInError())
        watch.take()
        assert isinstance(await do(floor, SUPERVISOR, table, a.Approve("")), Denied)
    async with a_floor(log) as floor:
        assert isinstance(await do(floor, SUPERVISOR, table, a.Approve("")), Denied)
        await must(floor, type(SUPERVISOR)("sue", "supervisor"), table, a.Approve(""))


@pytest.mark.clause("nsw-pontoon", "19.17")
@pytest.mark.parametrize("every", [4, 256])
async def test_nobody_reviews_their_own_ruling_not_even_after_a_restart(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A casino supervisor may rule in the first instance and may review: not the same dispute."""
    monkeypatch.setattr("pitboss.floor.host.CHECKPOINT_EVERY", every)
    log, ruling = MemoryLog(), a.RuleDispute("", "alice", "it stands")
    other = type(SUPERVISOR)("sue", "supervisor")
    async with a_floor(log) as floor:
        table = await a_table(floor, opening=an_opening("nsw-pontoon"))
        await must(floor, ALICE, table, a.TakeSeat("alice", 1), a.RaiseDispute("alice", "the odds"))
        await must(floor, SUPERVISOR, table, ruling)
        await must(floor, ALICE, table, a.AskReview("alice"))
        own: Any = await do(floor, SUPERVISOR, table, ruling)
        assert isinstance(own, Denied) and "19.17" in own.clauses and "somebody else reviews" in own.text
    async with a_floor(log) as floor:
        assert isinstance(await do(floor, SUPERVISOR, table, ruling), Denied)
        await must(floor, other, table, ruling)
        await must(floor, ALICE, table, a.RaiseDispute("alice", "the odds again"))
        await must(floor, SUPERVISOR, table, ruling)


async def test_who_may_not_deal_writes_nothing_to_a_table_on_a_jackpot() -> None:
    async with a_floor() as floor:
        (table,) = await a_linked_floor(floor, 1)
        host = floor.hosts[table]
        await prepared(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 500))
        await _quiet(host)
        before = host.version
        assert isinstance(await do(floor, ALICE, table, a.Deal()), Denied)
        assert host.version == before


async def test_a_player_is_waited_for_when_the_server_comes_back() -> None:
    """Whoever had to decide when the process died has his time to come back; the house passes over nobody at once."""
    log = MemoryLog()
    timers = Timers(
        wagers_ms=0, last_wager_ms=0, decision_ms=60_000, insurance_ms=0, surrender_ms=0, cut_ms=0, pace_ms=5
    )
    opening = msgspec.structs.replace(an_opening("nsw-pontoon", "house", source=SHOE), timers=timers)
    async with a_floor(log) as floor:
        table = await a_table(floor, opening=opening)
        host = floor.hosts[table]
        for turn in range(50):  # a natural leaves nothing to decide: once more
            while waiting_for(host.table).what != "wagers":
                if waiting_for(host.table).who == ("alice",):
                    break
                await asyncio.sleep(0.005)
            if waiting_for(host.table).who == ("alice",):
                break
            await do(floor, ALICE, table, a.PlaceWager("alice", 1, 1000), f"w{turn}")
            await asyncio.sleep(0.05)
        assert waiting_for(host.table).what == "decision"
        version = host.version
    async with a_floor(log) as floor:
        host = floor.hosts[table]
        await asyncio.sleep(0.3)
        assert host.version == version and waiting_for(host.table).who == ("alice",)
        await must(floor, ALICE, table, a.Hit("alice", 1))


async def test_watchers_hear_once_that_a_table_is_closed() -> None:
    async with a_floor() as floor:
        table = await a_table(floor)
        watch: Any = await floor.watch(BOB, table, 0, lambda: None)
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        first = msgspec.json.decode(watch.take())
        assert isinstance(await floor.close_table(SUPERVISOR, "c", table), Accepted)
        last = msgspec.json.decode(watch.take())
        assert [each["version"] for each in first["events"]] == [2] and not last["events"]
        assert (last["version"], last["missed"], last["closed"]) == (3, 0, True)


@pytest.mark.parametrize("every", [3, 256])
async def test_a_device_that_has_mixed_does_not_mix_again_because_a_process_died(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cards come in the order in which they would have come."""
    monkeypatch.setattr("pitboss.floor.host.CHECKPOINT_EVERY", every)
    log = MemoryLog()
    rulebook = next(name for name in RULEBOOKS if DEVICE in load(name).shuffle.sources.value)
    async with a_floor(log) as floor:
        table = await a_table(floor, opening=an_opening(rulebook, source=DEVICE))
        await prepared(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        await must(floor, DEALER, table, a.Deal())
        await _quiet(floor.hosts[table])
        before = floor.hosts[table]
        assert any(isinstance(decode_act(entry.body).act, a.Mix) for entry in log.read("table:t1", 1))
    async with a_floor(log) as floor:
        await _quiet(floor.hosts[table])
        after = floor.hosts[table]
        assert (after.version, after.table) == (before.version, before.table)


async def _quiet(host: Host) -> None:
    """Whatever the house does by itself is done."""
    version = -1
    while version != host.version or not host.is_idle:
        version = host.version
        await asyncio.sleep(0.03)
