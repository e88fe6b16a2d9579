"""axe-core finds no serious fault on any page, on a desk and on a telephone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pitboss.table.house import DEVICE
from tests.web.floor import DESK, PHONE, Floor, resize
from tests.web.test_player import play_to_the_end

if TYPE_CHECKING:
    from playwright.sync_api import Page

BAD = ("serious", "critical")
TABLET = {"width": 820, "height": 1180}


def faults_of(page: Page) -> list[str]:
    """What axe-core finds that would keep somebody from using the page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {node['html'][:200]} {node['failureSummary'][:300]}"
        for each in found
        if each["impact"] in BAD
        for node in each["nodes"]
    ]


@pytest.fixture(scope="module")
def table(floor: Floor) -> str:
    """A table with a finished round, and another in which something lies on every kind of spot."""
    table = floor.open_table("nsw-blackjack-challenge", dealer="person")
    floor.play_round(table, "dave", box=4)
    floor.act("player", table, "dave", act="PlaceWager", player="dave", box=4, cents=2500)
    floor.act("player", table, "dave", act="PlaceWager", player="dave", box=4, cents=500, kind="perfect-pairs")
    return table


PAGES = [
    ("player", "#/tables", ".table-card, .floor-list"),
    ("player", "#/table/{table}", ".chip-rail"),
    ("player", "#/rules/nsw-pontoon", ".term"),
    ("dealer", "#/table/{table}", ".dealer-dock"),
    ("dealer", "#/training", "#train-rulebook"),
    ("supervisor", "#/tables", ".table-card, .floor-list"),
    ("supervisor", "#/table/{table}", ".act-head"),
    ("supervisor", "#/approvals", "h1"),
    ("supervisor", "#/inbox", "h1"),
    ("gaming-manager", "#/dashboard", ".tiles"),
    ("supervisor", "#/accounts", "td"),
    ("supervisor", "#/matrix", ".matrix td"),
    ("inspector", "#/table/{table}", ".felt"),
    ("inspector", "#/table/{table}/at/5", ".stepper"),
    ("inspector", "#/log", ".hint.head, .proof"),
    ("inspector", "#/replay/{table}/1", ".steps .why"),
    ("inspector", "#/audit", "h1"),
]


@pytest.mark.parametrize(("role", "path", "there"), PAGES, ids=[f"{role}{path}" for role, path, _ in PAGES])
def test_no_page_shuts_anybody_out(
    floor: Floor, faults: list[Any], table: str, role: str, path: str, there: str
) -> None:
    page = floor.page(role, path.format(table=table), "erin" if role == "player" else "", viewport=DESK)
    page.wait_for_selector(there)
    if page.locator("input[type=search]").count():
        page.fill("input[type=search]", "insurance")  # one chapter is like the next
    if page.locator(".chip-rail, .act-head").count():
        assert faults_of(page) == []
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert faults_of(page) == []


def test_axe_would_find_a_fault(floor: Floor) -> None:
    """What shuts people out is found: a button without a name."""
    page = floor.context("inspector").new_page()
    page.goto(f"{floor.address}/#/log")
    page.wait_for_selector("h1")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any("button-name" in fault for fault in faults_of(page))
    page.close()


def test_the_first_screen_shuts_nobody_out(floor: Floor) -> None:
    context = floor.browser.new_context(base_url=floor.address, viewport=DESK)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(floor.address)
    page.click("text=Set up the floor")
    assert faults_of(page) == []
    page.route(f"{floor.address}/", lambda route: route.fulfill(body=route.fetch().text().replace("known", "unknown")))
    page.route("**/api/setup", lambda route: route.fulfill(json={"set_up": True, "local": True, "guests": True}))
    resize(page, PHONE)
    page.reload()
    page.wait_for_selector("#login-name")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert faults_of(page) == []
    context.close()


def test_a_players_round_shuts_nobody_out(floor: Floor, faults: list[Any]) -> None:
    """Everything a player meets in a round, on a desk, a tablet and a telephone."""
    table = floor.open_table("nsw-blackjack-challenge", source=DEVICE)
    page = floor.page("player", f"#/table/{table}", "erin", viewport=DESK)
    page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
    page.click("[data-do=tokens]")
    page.click("button.spot[data-box='3'][data-kind=blazing-7s]")
    page.click("[data-do=place]")
    page.wait_for_selector(".toast.refused")
    assert faults_of(page) == []
    resize(page, PHONE)
    page.click(".toast >> text=Why?")
    page.wait_for_selector("dialog .clause")
    assert faults_of(page) == []
    page.keyboard.press("Escape")
    page.click("[data-do=clear]")
    page.click("[data-do=tokens]")
    for box, kind in ((3, "original"), (3, "blazing-7s"), (3, "star-pairs"), (5, "original")):
        page.click(f"button.spot[data-box='{box}'][data-kind={kind}]")
    page.click("[data-do=place]")
    page.click(".placed summary")
    assert faults_of(page) == []
    page.click("[data-do=ready]")
    page.wait_for_selector(".table-page[data-calm=yes]:not([data-phase=wagers]), .table-page[data-round='2']")
    assert faults_of(page) == []
    play_to_the_end(page)
    resize(page, TABLET)
    page.wait_for_selector(".side-results")
    assert page.evaluate("document.documentElement.scrollWidth") == TABLET["width"]
    assert faults_of(page) == []
    for tab in ("rules", "more", "people", "rounds"):
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f"#panel-{tab}")
        assert faults_of(page) == []


def test_a_decision_and_its_dialog_shut_nobody_out(floor: Floor, faults: list[Any], table: str) -> None:
    """Cards on the table, a form open, a dialog over it."""
    floor.act("dealer", table, act="Deal")
    page = floor.page("supervisor", f"#/table/{table}")
    page.click(".act-head >> nth=0")
    assert faults_of(page) == []
    page.click("#tab-history")
    page.click(".history .why >> nth=0")
    page.wait_for_selector("dialog .clause")
    assert faults_of(page) == []
