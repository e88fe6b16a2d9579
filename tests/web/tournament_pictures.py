"""The pictures of tournaments in `docs`, from the demonstration: ``python -m tests.web.tournament_pictures``."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tests.web.conftest import ARGS, CHROMIUM
from tests.web.pictures import save

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDE = {"width": 1280, "height": 800}
WALL = {"width": 1440, "height": 810}
COMMAND = ("pitboss", "tournament", "demo", "--port", "0", "--entrants", "42", "--rounds", "8", "--pace", "0.2")


def main() -> None:
    from playwright.sync_api import sync_playwright

    with (
        subprocess.Popen([sys.executable, "-m", *COMMAND], stdout=subprocess.PIPE, text=True) as demo,
        sync_playwright() as playwright,
    ):
        try:
            assert demo.stdout is not None
            address = next(found[0] for line in demo.stdout if (found := re.search(r"http://[^/]+", line)))
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGS))
            taken(browser, address)
            browser.close()
        finally:
            demo.terminate()


def page_of(browser: Browser, address: str, role: str, path: str, viewport: dict[str, int]) -> Page:
    context = browser.new_context(base_url=address, viewport=viewport, reduced_motion="reduce")  # type: ignore[arg-type]
    if role:
        said: Any = {"name": "", "role": role}
        assert context.request.post("/api/guest", data=said, headers={"Origin": address}).ok
    page = context.new_page()
    page.goto(f"{address}/{path}")
    return page


def taken(browser: Browser, address: str) -> None:
    manager = page_of(browser, address, "tournament-manager", "#/tournaments/demo-cup", WIDE)
    wall = page_of(browser, address, "", "wall.html?demo-cup", WALL)
    manager.wait_for_selector(".cup-table .cup-round >> text=Round 5 of 8", timeout=120_000)
    wall.wait_for_selector(".wall-table >> text=Round 5 of 8")
    save(manager, "tournament-board")
    save(wall, "tournament-wall")
    table = manager.request.get("/api/tournaments/demo-cup").json()["wall"]["tables"][0]["floor_table"]
    dealer = page_of(browser, address, "dealer", f"#/table/{table}", WIDE)
    dealer.wait_for_selector(".cup-order li.turn")
    save(dealer, "tournament-table")
    manager.goto(f"{address}/#/tournaments/new/nsw-pontoon")
    manager.wait_for_selector(".cup-missing")
    save(manager, "tournament-conditions")


if __name__ == "__main__":
    main()
