"""What the tests of the web table do on a floor: people with a browser, people with a keyboard only, and tables."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from pathlib import Path
from re import Pattern
from typing import TYPE_CHECKING, Any

from pitboss.rulebooks import load
from pitboss.table.house import SHOE, default_house
from tests.web.arranged import lay

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

QUICK = {
    "wagers_ms": 60_000, "last_wager_ms": 60_000, "decision_ms": 60_000, "answer_ms": 60_000, "insurance_ms": 60_000,
    "surrender_ms": 60_000, "cut_ms": 1, "supervisor_ms": 60_000, "pace_ms": 1,
}  # fmt: skip
"""People have a minute for everything, and the house does not dawdle."""
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 20_000

_numbers = itertools.count(1)


def sure_of(found: Locator) -> Any:
    """What must be so now or in a moment."""
    from playwright.sync_api import expect

    return expect(found)


def at(page: Page | Locator, selector: str | None) -> Locator:
    """The first of these, as one who reads from the top finds it."""
    return (page.locator(selector) if selector else page).first  # type: ignore[union-attr]


def shows(page: Page | Locator, selector: str | None, text: str | Pattern[str]) -> None:
    """Just this is written there, now or as soon as the page has heard of it."""
    sure_of(at(page, selector)).to_have_text(text, use_inner_text=True, timeout=PATIENCE_MS)


def reads(page: Page | Locator, selector: str | None, text: str | Pattern[str]) -> None:
    """This is a part of what is written there, now or as soon as the page has heard of it."""
    sure_of(at(page, selector)).to_contain_text(text, use_inner_text=True, timeout=PATIENCE_MS)


def says(page: Page | Locator, selector: str | None, attribute: str, value: str | Pattern[str]) -> None:
    """What something says of itself, now or as soon as the page has heard of it."""
    sure_of(at(page, selector)).to_have_attribute(attribute, value, timeout=PATIENCE_MS)


def counts(found: Locator, number: int) -> None:
    """So many of these are there, now or as soon as the page has heard of them."""
    sure_of(found).to_have_count(number, timeout=PATIENCE_MS)


def resize(page: Page, viewport: dict[str, int]) -> None:
    """Another screen; the page has it when this returns."""
    page.set_viewport_size(viewport)  # type: ignore[arg-type]
    page.wait_for_function("(wide) => innerWidth === wide", arg=viewport["width"])


class Floor:
    """Contexts by role, and what one may ask the server without a browser."""

    def __init__(self, address: str, browser: Browser) -> None:
        self.address = address
        self.browser = browser
        self.faults: list[str] = []
        self.foreseen: list[str] = []
        """What the pages of a test may complain about."""
        self._contexts: dict[str, BrowserContext] = {}
        self._pages: list[Page] = []

    def context(self, role: str, name: str = "") -> BrowserContext:
        """Somebody who has come in; a player by name, staff of the demo floor by role."""
        key = name or role
        if key not in self._contexts:
            fresh = self.browser.new_context(base_url=self.address, viewport=DESK, reduced_motion="reduce")  # type: ignore[arg-type]
            fresh.set_default_timeout(PATIENCE_MS)
            came = fresh.request.post("/api/guest", data={"name": name, "role": role}, headers=self._origin)
            assert came.ok, came.text()
            self._contexts[key] = fresh
        return self._contexts[key]

    @property
    def _origin(self) -> dict[str, str]:
        return {"Origin": self.address}

    def forget(self, name: str) -> None:
        """Somebody has gone home."""
        self._contexts.pop(name).close()

    def page(self, role: str, path: str, name: str = "", *, viewport: dict[str, int] | None = None) -> Page:
        """A page of somebody; whatever it complains about is a fault."""
        page = self.context(role, name).new_page()
        if viewport is not None:
            page.set_viewport_size(viewport)  # type: ignore[arg-type]
        self.watch(page)
        page.goto(f"{self.address}/{path}")
        return page

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self._complains(str(error)))
        page.on("console", lambda said: self._complains(said.text) if said.type == "error" else None)
        self._pages.append(page)

    def _complains(self, text: str) -> None:
        # Everybody shares a floor and an account for each role here, and so one budget, which has tests of its own.
        if "429 (Too Many Requests)" not in text and not any(words in text for words in self.foreseen):
            self.faults.append(text)

    def close_pages(self) -> None:
        for page in self._pages:
            page.close()
        self._pages.clear()

    def close(self) -> None:
        for context in self._contexts.values():
            context.close()

    # --- without a browser ---

    def ask(self, role: str, path: str, data: dict[str, Any] | None = None, name: str = "") -> Any:
        """A request of somebody; its answer must be a good one. What comes too soon after others is asked again."""
        request = self.context(role, name).request
        for _ in range(100):
            answer = request.get(path) if data is None else request.post(path, data=data, headers=self._origin)
            if answer.status != 429:
                break
            time.sleep(0.2)
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        return answer.json() if "json" in answer.headers["content-type"] else answer.text()

    def open_table(
        self,
        rulebook: str,
        dealer: str = "house",
        *,
        players: dict[str, Any] | None = None,
        called: str = "",
        **house: Any,
    ) -> str:
        """A table for one test."""
        table = f"t{next(_numbers):05}"  # no name is a part of another
        chosen = default_house(load(rulebook), **house)
        names = {"decks", "source", "side_bets", "minimum_cents", "boxes", *house}
        told = {name: getattr(chosen, name) for name in names}
        opening = {
            "rulebook": rulebook,
            "name": called or f"Table {table}",
            "dealer": dealer,
            "timers": QUICK,
            "house": told,
        }
        opening["players"] = players or {}
        self.ask("supervisor", "/api/tables", {"id": f"open-{table}", "table": table, "opening": opening})
        return table

    def act(self, role: str, table: str, name: str = "", /, **act: Any) -> dict[str, Any]:
        """An act by somebody who has no page."""
        found: dict[str, Any] = self.ask(
            role, f"/api/tables/{table}/acts", {"id": f"test-{next(_numbers)}", "act": act}, name
        )
        return found

    def state(self, role: str, table: str, name: str = "") -> dict[str, Any]:
        found: dict[str, Any] = self.ask(role, f"/api/tables/{table}", None, name)
        return found

    def prepare(self, table: str) -> None:
        """Shuffle, cut and place the cutting card, whoever has to."""
        while True:
            waiting = self.state("dealer", table)["waiting"]
            if waiting["what"] == "shuffle":
                self.act("dealer", table, act="Shuffle")
            elif waiting["what"] == "cutting-card":
                (step,) = [act for act in self.state("dealer", table)["legal"] if act["act"] == "PlaceCuttingCard"]
                self.act("dealer", table, **step)
            elif waiting["what"] == "cut":
                self._cut(table, waiting["who"][0])
            else:
                return

    def _cut(self, table: str, who: str) -> None:
        role = who if who in ("dealer", "supervisor") else "player"
        name = who if role == "player" else ""
        (step,) = [act for act in self.state(role, table, name)["legal"] if act["act"] == "Cut"]
        self.act(role, table, name, **step)

    def decide(self, table: str, name: str) -> bool:
        """A player without a page says something, if anything is asked of him; whether it was."""
        for wanted in ("Stand", "Keep", "Decline", "Hit", "PlayOn"):
            for act in self.state("player", table, name)["legal"]:
                if act["act"] == wanted:
                    self.act("player", table, name, **act)
                    return True
        return False

    def play_round(self, table: str, name: str, box: int = 1, cents: int = 1000) -> None:
        """A whole round at a table that a person deals, without a browser."""
        self.prepare(table)
        self.act("player", table, name, act="PlaceWager", player=name, box=box, cents=cents)
        self.deal_out(table, name)

    def deal_out(self, table: str, name: str) -> None:
        """The round of one player, from the deal to its end."""
        self.act("dealer", table, act="Deal")
        while (now := self.state("dealer", table))["view"]["phase"] != "wagers":
            closing = [act for act in now["legal"] if act["act"].startswith("Close")]
            if closing:
                self.act("dealer", table, **closing[0])
            elif not self.decide(table, name):
                raise AssertionError(f"nobody goes on: {now['waiting']}")


class LaidFloor(Floor):
    """A floor on which a test says which cards come."""

    folder: Path

    def deal(self, rulebook: str, cards: str, source: str = SHOE, **more: Any) -> str:
        lay(self.folder, rulebook, cards, source)
        return self.open_table(rulebook, source=source, **more)


FIRST = "given by somebody else"
PASSWORD = "correct horse 7 battery"


class SetUpFloor:
    """A floor that is set up by ada, with accounts of these names and roles, all with one password."""

    def __init__(self, address: str, browser: Browser, accounts: Mapping[str, str]) -> None:
        self.address, self.browser = address, browser
        self._contexts: list[BrowserContext] = []
        self.admin = self.context()
        self.post(self.admin, "/api/setup", {"name": "ada", "password": PASSWORD})
        for name, role in accounts.items():
            self.post(self.admin, "/api/accounts", {"name": name, "role": role, "password": FIRST})
        for name in accounts:  # whoever was given a password changes it first
            own = self.context()
            self.post(own, "/api/login", {"name": name, "password": FIRST})
            self.post(own, f"/api/accounts/{name}/password", {"old": FIRST, "password": PASSWORD})

    def context(self) -> BrowserContext:
        found = self.browser.new_context(base_url=self.address, viewport=DESK, reduced_motion="reduce")  # type: ignore[arg-type]
        found.set_default_timeout(PATIENCE_MS)
        self._contexts.append(found)
        return found

    def post(self, context: BrowserContext, path: str, data: dict[str, Any], status: int = 200) -> dict[str, Any]:
        answer = context.request.post(path, data=data, headers={"Origin": self.address})
        assert answer.status == status, answer.text()
        return dict(answer.json())

    def by_two(self, path: str, data: dict[str, Any], second: str) -> dict[str, Any]:
        """What ada asks of an account, and a second person approves."""
        waits = self.post(self.admin, path, data)
        context = self.context()
        self.post(context, "/api/login", {"name": second, "password": PASSWORD})
        return self.post(context, f"/api/account-proposals/{waits['proposal']}", {"approve": True})

    def page(self, name: str, path: str = "#/tables", password: str = PASSWORD) -> Page:
        """A page of somebody who has logged in."""
        context = self.context()
        self.post(context, "/api/login", {"name": name, "password": password})
        page = context.new_page()
        page.goto(f"{self.address}/{path}")
        page.wait_for_selector(".who-am-i")
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
