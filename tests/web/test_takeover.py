"""A browser goes to another server of the floor by itself: where its table is, and where its own server has died."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.server.disturbing import Cluster
from tests.server.running import Running
from tests.store.servers import execute, postgres
from tests.web.test_unanswered import knows_others

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
            knows_others(page)
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


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_at_another_process_of_its_machine_a_page_has_its_session(browser: Browser, tmp_path: Path, name: str) -> None:
    """The server is told of as localhost; a session goes no further than the name by which the page was called."""
    with Running(tmp_path, "--processes", "2", "--host", "0.0.0.0" if name == "localhost" else "127.0.0.1") as server:
        first = f"http://{name}:{server.port}"
        server.address = first
        token, end, far = server.guest("walter"), time.monotonic() + 20, None
        while far is None:
            assert time.monotonic() < end, "every table is at the first process"
            rows = server.ask("GET", "/api/tables", token=token)[1]
            far = next((row for row in rows if row["address"] and not row["here"]), None)
            time.sleep(0.2)
        context = browser.new_context()
        context.add_cookies(
            [{"name": "prefs", "value": '{"a":1}', "url": first}, {"name": "pitboss", "value": token, "url": first}]
        )
        page = context.new_page()
        page.goto(f"{first}/#/table/{far['table']}")
        page.wait_for_url(f"http://{name}:{urlsplit(far['address']).port}/#/table/{far['table']}", timeout=20_000)
        page.wait_for_selector(".felt", timeout=20_000)
        assert page.evaluate("async () => (await (await fetch('/api/me')).json()).name") == "walter"
        context.close()


def test_where_a_page_goes_that_is_told_of_a_server(browser: Browser, tmp_path: Path) -> None:
    with Running(tmp_path, "--empty") as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.address)
        found = page.evaluate(
            "async (told) => { const { placeOf } = await import('/js/moving.js'); return told.map((each) => "
            "placeOf(each).href); }",
            ["http://localhost:81", "http://0.0.0.0:82", "http://[::1]:83", "http://[::]:84", "localhost",
             "http://127.0.0.1", "https://floor2.example", "10.0.0.2:85", "http://localhost.example:86"],
        )  # fmt: skip
        assert found == [
            "http://127.0.0.1:81/", "http://127.0.0.1:82/", "http://127.0.0.1:83/", "http://127.0.0.1:84/",
            "http://127.0.0.1/", "http://127.0.0.1/", "https://floor2.example/", "http://10.0.0.2:85/",
            "http://localhost.example:86/",
        ]  # fmt: skip
        context.close()


def test_a_page_keeps_in_mind_where_else_the_floor_is(browser: Browser, tmp_path: Path) -> None:
    """The lease of a busy server lapses for a moment; whose own server dies just then goes there all the same."""
    with Running(tmp_path, "--empty") as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.address)
        known = page.evaluate(
            "async (told) => { const { Live } = await import('/js/live.js'); const live = new Live(); "
            "return told.map((addresses) => { live.received({ is: 'servers', addresses }); return live.servers; }); }",
            [["http://two:81"], [], ["http://three:82"]],
        )
        assert known == [["http://two:81"], ["http://two:81"], ["http://three:82"]]
        context.close()
