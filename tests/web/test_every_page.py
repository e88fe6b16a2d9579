"""Every page that a role has: on four screens, for eyes and fingers, in the words of the glossary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.floor import DESK, Floor
from tests.web.measured import wrong_on

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROLES = ("player", "dealer", "supervisor", "gaming-manager", "tournament-manager", "inspector")
MORE = {
    "player": ("#/rules/nsw-blackjack-challenge", "#/account"),
    "dealer": (),
    "supervisor": ("#/disputes/{table}/dave",),
    "gaming-manager": (),
    "tournament-manager": (),
    "inspector": ("#/table/{table}/at/9", "#/replay/{table}/1"),
}
THERE = """(address) => location.hash === address && document.querySelector('main h1, .past h1, .table-page h1')
  && !document.querySelector('main [role=status].empty')"""


@pytest.fixture(scope="module")
def table(floor: Floor) -> str:
    """A table with a round that is over, a dispute about it, and wagers for the next; at another there was money."""
    takings = floor.open_table("canberra-pontoon-2005", dealer="person", date="2026-11-18")
    floor.context("player", "dave")
    floor.act("dealer", takings, act="BuyChips", player="dave", cents=50_000)
    floor.play_round(takings, "dave", box=4)
    table = floor.open_table("nsw-blackjack-challenge", dealer="person")
    floor.play_round(table, "dave", box=4)
    floor.act("player", table, "dave", act="RaiseDispute", player="dave", about="I had asked for another card")
    floor.act("player", table, "dave", act="PlaceWager", player="dave", box=4, cents=2500)
    floor.act("player", table, "dave", act="PlaceWager", player="dave", box=4, cents=500, kind="perfect-pairs")
    return table


def go(page: Page, address: str) -> None:
    """To another page of the same browser, until all of it is there."""
    page.evaluate("(address) => (location.hash = address)", address)
    page.wait_for_function(THERE, arg=address)


@pytest.mark.parametrize("role", ROLES)
def test_every_page_is_for_fingers_and_in_plain_words(floor: Floor, faults: list[Any], table: str, role: str) -> None:
    page = floor.page(role, "#/tables", "dave" if role == "player" else "", viewport=DESK)
    page.wait_for_selector("nav[aria-label=Pages] a")
    found = page.locator("nav[aria-label=Pages] a")
    links = found.evaluate_all("(all) => all.map((each) => each.getAttribute('href'))")
    assert len(links) > 3
    wrong: list[str] = []
    for address in (*links, "#/table/{table}", *MORE[role]):
        go(page, address.format(table=table))
        wrong += wrong_on(page)
    assert not wrong, "\n".join(wrong)
