"""How long the first screen takes on a slow line: `python benchmarks/floor/line.py`, with `--latency 300` milliseconds.

A real server and Chromium, whose network emulation holds every answer back (and lets so many bytes a second through).
Each visit begins with the address typed in and ends when the page can be used: the first screen, a floor's list of
tables, a table with its cards. The first visit is made with an empty cache, the return with what that left.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.server.running import Running
from tests.web.conftest import ARGS, CHROMIUM

VISITS: dict[str, tuple[str, str]] = {
    "the first screen": ("", ".welcome"),
    "the list of tables": ("#/tables", "main a[href^='#/table/']"),
    "a table": ("#/table/TABLE", ".felt"),
}
KILOBYTES = 1_000.0
"""A second: an ordinary mobile line."""


def slow(page: Page, latency_ms: float, kilobytes: float) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    line = {"offline": False, "latency": latency_ms}
    rate = kilobytes * 1024
    session.send("Network.emulateNetworkConditions", {**line, "downloadThroughput": rate, "uploadThroughput": rate})


def visit(context: BrowserContext, address: str, selector: str, conditions: tuple[float, float]) -> float:
    page = context.new_page()
    slow(page, *conditions)
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(selector)
    taken = time.perf_counter() - began
    page.close()
    return taken


def timed(what: Callable[[], float], times: int) -> str:
    taken = sorted(what() for _ in range(times))
    return f"{statistics.median(taken):.2f} s ({taken[0]:.2f} to {taken[-1]:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=300.0)
    parser.add_argument("--kilobytes", type=float, default=KILOBYTES)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    walkers = itertools.count(1)
    conditions = (given.latency, given.kilobytes)
    with (
        tempfile.TemporaryDirectory() as data,
        Running(data) as server,
        sync_playwright() as playwright,
    ):
        table = server.ask("GET", "/api/tables", token=server.guest("looker"))[1][0]["table"]
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGS))

        def come(as_player: bool) -> BrowserContext:
            context: Any = browser.new_context()
            if as_player:
                who = {"name": f"walker{next(walkers)}", "role": "player"}
                came = context.request.post(f"{server.address}/api/guest", data=who, headers={"Origin": server.address})
                assert came.ok, came.text()
            return context  # type: ignore[no-any-return]

        print(f"| {given.latency:.0f} ms, {given.kilobytes:.0f} KB a second | first visit | return |")
        print("| --- | ---: | ---: |")
        for what, (path, selector) in VISITS.items():
            address = f"{server.address}/{path.replace('TABLE', table)}"

            def first() -> float:
                context = come(bool(path))  # noqa: B023 - called at once
                try:
                    return visit(context, address, selector, conditions)  # noqa: B023
                finally:
                    context.close()

            context = come(bool(path))
            visit(context, address, selector, conditions)

            def again() -> float:
                return visit(context, address, selector, conditions)  # noqa: B023

            print(f"| {what} | {timed(first, given.times)} | {timed(again, given.times)} |", flush=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
