"""How smooth the page is while seven boxes are dealt, and whether its memory stays flat.

`python benchmarks/floor/frames.py`: one page in a real Chromium, with motion, at a table that a dealer deals. Seven
boxes are wagered on and dealt, `--deals` times, and the time between frames is measured while cards move. Then
`--rounds` rounds are played without motion, and the heap is measured after a collection now and then. Prints one line
of JSON. Run from the repository, on a quiet machine: it uses the tests' clients.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.web.conftest import ARGS, CHROMIUM, started  # noqa: E402 - found by the line above
from tests.web.floor import DESK, Floor  # noqa: E402

BOXES = 7
MEASURE = """() => {
  window.frames_ms = [];
  window.measuring = true;
  let last = performance.now();
  const next = (now) => {
    window.frames_ms[window.frames_ms.length] = now - last;
    last = now;
    if (window.measuring) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}"""
STOP = "() => { window.measuring = false; return window.frames_ms; }"
IN_PLAY = "() => document.querySelector('.table-page').dataset.calm === 'yes'"


def wager_all(floor: Floor, table: str) -> None:
    floor.prepare(table)
    for box in range(1, BOXES + 1):
        floor.act("player", table, "alice", act="PlaceWager", player="alice", box=box, cents=500)


def deals(floor: Floor, page: Page, table: str, times: int) -> list[float]:
    frames: list[float] = []
    for _ in range(times):
        wager_all(floor, table)
        page.wait_for_function(IN_PLAY, timeout=60_000)
        page.evaluate(MEASURE)
        floor.act("dealer", table, act="Deal")
        page.wait_for_function("() => document.querySelectorAll('.hands .card').length > 0")
        page.wait_for_function(IN_PLAY, timeout=60_000)
        frames += page.evaluate(STOP)[2:]
        finish(floor, table)
    return frames


def play(floor: Floor, table: str) -> None:
    """One round on one box, with the shuffle that comes first where the cutting card is out."""
    before = floor.state("dealer", table)["round"]
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=3, cents=500)
    while floor.state("dealer", table)["round"] == before:
        floor.prepare(table)
        floor.act("dealer", table, act="Deal")
        finish(floor, table)


def finish(floor: Floor, table: str) -> None:
    while (now := floor.state("dealer", table))["view"]["phase"] != "wagers":
        closing = [act for act in now["legal"] if act["act"].startswith("Close")]
        if closing:
            floor.act("dealer", table, **closing[0])
        elif not floor.decide(table, "alice"):
            raise AssertionError(f"nobody goes on: {now['waiting']}")


def heap(tools: CDPSession) -> float:
    tools.send("HeapProfiler.collectGarbage")
    found: dict[str, Any] = tools.send("Performance.getMetrics")
    return float({each["name"]: each["value"] for each in found["metrics"]}["JSHeapUsedSize"]) / 1e6


def rounds(floor: Floor, page: Page, table: str, number: int) -> list[tuple[int, float]]:
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")
    found = []
    for played in range(number + 1):
        if played % max(1, number // 10) == 0:
            page.wait_for_function(IN_PLAY, timeout=60_000)
            found.append((played, round(heap(tools), 2)))
        if played < number:
            play(floor, table)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=1_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGS))
        for address in started(Path(folder)):
            floor = Floor(address, browser)
            table = floor.open_table("nsw-pontoon", dealer="person")
            page = floor.page("player", f"#/table/{table}", "alice", viewport=DESK)
            page.emulate_media(reduced_motion="no-preference")
            page.reload()
            page.wait_for_selector(".lettering", state="attached")
            frames = deals(floor, page, table, asked.deals)
            page.emulate_media(reduced_motion="reduce")
            heaps = rounds(floor, page, table, asked.rounds)
            print(
                json.dumps(
                    {
                        "frames": len(frames),
                        "median_ms": round(statistics.median(frames), 1),
                        "p95_ms": round(statistics.quantiles(frames, n=20)[-1], 1),
                        "worst_ms": round(max(frames), 1),
                        "heap_mb": heaps,
                        "complaints": floor.faults,
                    }
                )
            )
            floor.close()
        browser.close()


if __name__ == "__main__":
    main()
