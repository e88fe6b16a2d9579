"""What the server says of a table's own edition, and of one whose text is not at hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.floor.editions import Texts
from pitboss.rulebooks import editions
from tests.floor.memory import ALICE, a_table
from tests.floor.playing import play_out
from tests.floor.test_editions import other_edition, under
from tests.server.test_accounts import Web, web


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test learns is forgotten after it."""
    monkeypatch.setattr(editions, "_learned", {})
    yield


async def played(site: Web) -> None:
    """A table at which alice has played one round."""
    floor = site.house.floor
    await a_table(floor)
    await play_out(floor, "t1", 1, random.Random(1), [ALICE])
    assert floor.hosts["t1"].rounds == 1


PAST = ("tables/t1/events", "tables/t1/at/3", "tables/t1/rounds", "tables/t1/rounds/1", "log/search?player=alice")


async def test_every_route_that_needs_a_missing_text_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = under(monkeypatch, other_edition())
    monkeypatch.setattr(Texts, "part", lambda *_: ())  # as if the text had been lost from the log
    async with web(tmp_path) as site:
        await played(site)
        browser = await site.as_("inspector-1")
        for path in PAST:
            assert (await browser.get(f"/api/{path}")).status_code == 200, path
    editions._learned.clear()  # a Pitboss that has started anew
    async with web(tmp_path) as site:
        browser = await site.as_("inspector-1")
        for path in (*PAST, "tables/t1"):
            answer = await browser.get(f"/api/{path}")
            assert answer.status_code == 503, (path, answer.text)
            said = answer.json()
            assert said["is"] == "halted" and said["text"].endswith("--export FILE."), path
            assert said["text"].startswith(f"edition {digest[:12]} of nsw-pontoon is missing (this version ships "), path
