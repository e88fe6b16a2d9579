"""What somebody has played themselves is told to them alone, from the log, at every table and on every gaming day."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pitboss.floor.model import Accepted, Opening
from pitboss.table import acts as a
from tests.floor.peopled import caller
from tests.floor.playing import must, play_out
from tests.server.test_accounts import web


async def test_own_play_is_told_to_each_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with web(tmp_path) as site:
        floor, alice, bob = site.house.floor, caller("alice"), caller("bob")
        opening = Opening("nsw-pontoon", dealer="person")
        assert isinstance(await floor.open_table(caller("supervisor-1"), "own", "own", opening), Accepted)
        await play_out(floor, "own", 2, random.Random(3), [alice, bob])
        await play_out(floor, "own", 1, random.Random(4), [bob])
        mine, theirs = await site.as_("alice"), await site.as_("bob")
        told = (await mine.get("/api/my-play")).json()
        (sitting,) = told["sittings"]
        assert (sitting["table"], sitting["kind"], sitting["rounds"]) == ("own", "practice", 2)
        assert sitting["wagered_cents"] >= 2 * floor.hosts["own"].table.house.minimum_cents
        assert [each["round"] for each in told["rounds"]] == [2, 1]
        assert sum(each["cents"] for each in told["rounds"]) == sitting["won_cents"]
        other = (await theirs.get("/api/my-play", params={"person": "alice"})).json()
        assert other["sittings"][0]["rounds"] == 3
        assert sum(each["cents"] for each in other["rounds"]) == other["sittings"][0]["won_cents"]
        assert (await (await site.as_("dealer-1")).get("/api/my-play")).json() == {"sittings": [], "rounds": []}
        assert (await site.browser().get("/api/my-play")).status_code == 401
        guest = site.browser()
        assert (await guest.post("/api/guest", json={"name": "gus"})).status_code == 200
        assert (await guest.get("/api/my-play")).status_code == 403

        # What lies on the cloth counts when its round is over (and that when it has been told: test_pacing).
        cents = floor.hosts["own"].table.house.minimum_cents
        await must(floor, alice, "own", a.PlaceWager("alice", 1, cents))
        assert (await mine.get("/api/my-play")).json() == told
