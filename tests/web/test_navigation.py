"""The bar of the pages: one row on every screen, groups that open, what waits always in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.floor import DESK, PATIENCE_MS, PHONE, Floor, counts, says, sure_of
from tests.web.measured import TABLET, UPRIGHT, small
from tests.web.test_accessibility import faults_of

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

PAGES = "nav[aria-label=Pages]"
ROWS = """() => new Set([...document.querySelectorAll('nav[aria-label=Pages] > ul > li')]
  .map((each) => Math.round(each.getBoundingClientRect().top))).size"""
CUT_OFF = """() => [...document.querySelectorAll('nav[aria-label=Pages] a, nav[aria-label=Pages] button')]
  .filter((each) => each.getClientRects().length)
  .filter((each) => each.getBoundingClientRect().right > innerWidth || each.getBoundingClientRect().left < 0).length"""
STAFF = ("supervisor", "gaming-manager", "inspector")


@pytest.mark.parametrize("screen", [DESK, TABLET, UPRIGHT, PHONE], ids=["desk", "tablet", "upright", "phone"])
def test_the_pages_of_staff_are_one_row(floor: Floor, faults: list[Any], screen: dict[str, int]) -> None:
    for role in STAFF:
        page = floor.page(role, "#/tables", viewport=screen)
        page.wait_for_selector(f"{PAGES} a[aria-current=page] >> text=Tables")
        sure_of(page.locator(f"{PAGES} a >> text=Inbox")).to_be_visible()
        assert page.evaluate(ROWS) == 1, role
        names = page.locator(f"{PAGES} .menu > button").all_inner_texts()
        assert names == (["Menu"] if screen is PHONE else ["Floor", "Rulings", "Books", "People"])
        for each in page.locator(f"{PAGES} .menu > button").all():
            each.click()
            says(each, None, "aria-expanded", "true")
            counts(page.locator(f"{PAGES} [aria-expanded=true]"), 1)
            assert page.evaluate(CUT_OFF) == 0
            assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
            assert screen is DESK or small(page) == []
        assert faults_of(page) == []


def test_a_group_is_opened_and_left_by_the_keyboard(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("supervisor", "#/tables", viewport=DESK)
    books = page.locator(f"{PAGES} button >> text=Books")
    books.focus()
    page.keyboard.press("Enter")
    says(books, None, "aria-expanded", "true")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.activeElement.textContent === 'Ledger'")
    page.keyboard.press("Escape")
    says(books, None, "aria-expanded", "false")
    page.wait_for_function("() => document.activeElement.textContent.trim() === 'Books'")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1 >> text=Reports")
    says(books, None, "class", "here")
    says(books, None, "aria-expanded", "false")
    books.click()
    says(books, None, "aria-expanded", "true")
    page.mouse.click(640, 700)
    says(books, None, "aria-expanded", "false")


def test_every_page_is_reached_from_the_menu_of_a_phone(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("player", "#/tables", "nina", viewport=PHONE)
    assert links_in_sight(page) == ["Tables", "Tournaments"]
    page.click(f"{PAGES} >> text=Menu")
    assert links_in_sight(page)[2:] == ["Promotions", "My play", "My limits", "Replay"]
    page.click(f"{PAGES} >> text=My play")
    page.wait_for_selector("h1 >> text=My play")
    says(page, f"{PAGES} button", "aria-expanded", "false")


def links_in_sight(page: Page) -> list[str]:
    page.wait_for_selector(f"{PAGES} a")
    return [each.inner_text() for each in page.locator(f"{PAGES} a").all() if each.is_visible()]


def test_what_waits_is_in_sight_on_every_page(floor: Floor, faults: list[Any]) -> None:
    """The inbox has its badge beside the groups on a phone too."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=2, cents=1000)
    floor.act("player", table, "alice", act="RaiseDispute", player="alice", about="my chips were moved")
    for screen in (DESK, PHONE):
        page = floor.page("supervisor", "#/matrix", viewport=screen)
        sure_of(page.locator(f"{PAGES} a:has-text('Inbox') .badge")).to_be_visible()


def test_a_dealer_without_a_table_to_deal_reads_what_to_do(floor: Floor, faults: list[Any]) -> None:
    """Where every table deals by itself they are told who opens one, and where to practise; not once there is one."""
    floor.open_table("nsw-pontoon")
    dealt_by = ["house"]

    def answered(route: Route) -> None:
        tables = route.fetch().json()
        route.fulfill(json=[{**each, "dealer": dealt_by[-1]} for each in tables])

    page = floor.page("dealer", "#/training", viewport=PHONE)
    page.wait_for_selector("#train-rulebook")
    page.route("**/api/tables", answered)
    page.evaluate("location.hash = '#/tables'")
    hint = page.locator(".lobby .call")
    sure_of(hint).to_contain_text("A supervisor can open one for you to deal", timeout=PATIENCE_MS)
    dealt_by.append("person")
    counts(hint, 0)
    dealt_by.append("house")
    hint.locator("a >> text=Training").click()
    page.wait_for_selector("#train-rulebook")
    page.unroute_all(behavior="ignoreErrors")
