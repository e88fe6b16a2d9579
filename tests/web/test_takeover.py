"""A browser whose server dies goes to another server of the floor by itself, and on with the round."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from tests.server.disturbing import Cluster
from tests.store.servers import execute, postgres

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUICK = {"wagers_ms": 1500, "last_wager_ms": 200, "pace_ms": 20, "cut_ms": 100, "decision_ms": 60_000}


@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_a_browser_moves_over_when_its_server_is_gone(browser: Browser, how: str) -> None:
    schema = f"browser_{os.getpid()}_{how}"
    url = f"{postgres()}&schema={schema}"
    try:
        with Cluster(url, "--grace", "1") as cluster:
            one, two = (f"http://localhost:{server.port}" for server in cluster.servers)
            opening = {"rulebook": "nsw-pontoon", "dealer": "house", "timers": QUICK}
            cluster.open("/api/tables", "t", opening)
            token = cluster.servers[0].guest("alice")
            context = browser.new_context()
            context.add_cookies([{"name": "pitboss", "value": token, "url": one}])
            page = context.new_page()
            page.goto(f"{one}/#/table/t")
            page.wait_for_selector(".felt")
            place = {"id": "1", "act": {"act": "PlaceWager", "box": 3, "cents": 1000}}
            until = time.monotonic() + 20
            while cluster.servers[0].ask("POST", "/api/tables/t/acts", place, token)[0] != 200:
                assert time.monotonic() < until, "the house dealer is not ready for a wager"
                time.sleep(0.2)
            page.wait_for_timeout(500)
            began = time.monotonic()
            if how == "killed":
                cluster.servers[0].kill()
            else:
                cluster.servers[0].process.terminate()
            page.wait_for_url(f"{two}/#/table/t", timeout=20_000)
            page.wait_for_selector(".felt", timeout=20_000)
            gone = time.monotonic() - began
            status, shown = cluster.servers[1].ask("GET", "/api/tables/t", token=token)
            assert status == 200 and shown["view"]["players"], shown
            assert gone < 15, f"{how}: the browser was elsewhere after {gone:.1f} seconds only"
            context.close()
    finally:
        execute(url, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
