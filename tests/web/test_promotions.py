"""Promotions in the browser: terms that name what is missing, a draw with its proof, and what is one's own."""

from __future__ import annotations

import asyncio
import datetime
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.floor.promotion_book import promotions_of
from pitboss.promotions import acts as pa
from pitboss.promotions.conditions import read
from pitboss.rulebooks import RULEBOOKS, load
from tests.floor.peopled import Peopled, caller, peopled
from tests.promotions.making import NSW, data_of
from tests.web.conftest import started
from tests.web.floor import PHONE, Floor, resize
from tests.web.test_accessibility import faults_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FEBRUARY_MS = 1_740_020_000_000
"""The twentieth, in 2025: it begins on the first of March and is drawn on the tenth of April."""


async def drawn(folder: Path) -> None:
    """The promotion of the template, until its draw; a claim was denied."""
    async with peopled(folder, now_ms=FEBRUARY_MS) as house:
        book, mona = promotions_of(house.floor), caller("manager-1")
        data = data_of(NSW, scrutineer="Kim Lee")
        for table in (data["promotion"], *data["draws"]):
            table |= {key: each.replace(year=2025) for key, each in table.items() if hasattr(each, "year")}
        terms = read(data, RULEBOOKS)
        said: Any = await book.offer(mona, "autumn", load(NSW), terms, "1")
        assert said.version == 1, said
        await does(house, pa.FileTerms, reference="R-7")
        await does(house, pa.PublishTerms, where="desk")
        await does(house, pa.CommitDraw, draw="final", digest="")
        house.clock.pass_ms(20 * 86_400_000)
        await does(house, pa.BeginPromotion)
        for name in ("alice", "bob", "rita", "sam"):
            await does(house, pa.Enter, name=name, wagered_cents=5000)
        house.clock.pass_ms(35 * 86_400_000)
        await does(house, pa.DrawWinners, draw="final", secret="", scrutineer="Kim Lee", present=("alice",))
        name = book.known["autumn"].state.wins["car"].name
        denied = {"why": "no proof", "full_name": "Full Name", "address": "1 High Street"}
        await does(house, pa.DenyClaim, name=name, prize="car", **denied)


async def does(house: Peopled, kind: Any, **fields: Any) -> None:
    act = kind("", datetime.datetime.min, **fields)
    answer: Any = await promotions_of(house.floor).do(caller("manager-1"), "autumn", act, "")
    assert answer.__class__.__name__ == "Accepted", (kind, answer)


@pytest.fixture(scope="module")
def promoted(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Floor]:
    folder = tmp_path_factory.mktemp("promoted")
    with ThreadPoolExecutor(1) as pool:  # the browser has a loop of its own in this thread
        pool.submit(asyncio.run, drawn(folder)).result()
    (folder / "floor.db").rename(folder / "pitboss.db")
    for address in started(folder):
        found = Floor(address, browser)
        found.foreseen = ["409 (Conflict)"]  # terms that lack something
        yield found
        found.close_pages()
        found.close()
        assert found.faults == []


def test_terms_are_a_form_that_names_what_is_missing(promoted: Floor) -> None:
    page = promoted.page("gaming-manager", "#/promotions")
    page.locator("summary", has_text="Offer a promotion").click()
    page.locator("#promotion-rulebook option", has_text=re.compile("^NSW pontoon$")).wait_for(state="attached")
    page.fill("#promotion-name", "winter")
    page.select_option("#terms-prizes-0-kind", "vehicle")
    page.fill("#terms-prizes-0-name", "car")
    page.fill("#terms-first-0-title", "Winter draw")
    page.get_by_role("button", name="What is missing?").click()
    page.wait_for_selector("text=Car: its model is missing (21.7.11.2(ii))")
    page.wait_for_selector("text=When the promotion begins is missing (21.7.7)")
    page.get_by_role("button", name="Offer it").click()
    page.wait_for_selector(".problem >> text=the terms lack")
    for key, value in {
        "first-0-available": "desk, website", "promotion-0-begins": "2031-03-01T10:00",
        "promotion-0-ends": "2031-04-30T10:00", "promotion-0-place": "Pit 1", "entry-0-eligibility": "Adults",
        "award-0-manner": "By lot", "award-0-disbursement": "At the cage", "claim-0-method": "In person",
        "winners-0-notified": "By telephone", "winners-0-results": "On the website",
        "draws-0-at": "2031-04-10T20:00", "draws-0-closes": "2031-04-10T18:00", "draws-0-place": "Pit 1",
        "prizes-0-value": "9000", "prizes-0-details": "New", "prizes-0-nature": "A car", "prizes-0-make": "Kestrel",
        "prizes-0-model": "Hatch", "prizes-0-accessories": "Mats", "prizes-0-on_road_costs": "Included",
    }.items():  # fmt: skip
        page.fill(f"#terms-{key}", value)
    page.get_by_label("Telephone").check()
    page.get_by_role("button", name="What is missing?").click()
    page.wait_for_selector("text=Nothing is missing")
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert faults_of(page) == []
    page.get_by_role("button", name="Offer it").click()
    page.wait_for_selector("h1 >> text=Winter draw")
    page.locator("tr", has_text="Send full details of the terms").wait_for()
    page.locator("summary", has_text="The terms were sent").click()
    page.fill("#file-terms-reference", "R-1")
    page.get_by_role("button", name="The terms were sent").click()
    page.wait_for_selector("text=Written: The terms were sent.")
    page.locator("section", has=page.locator("h2 >> text=Done")).locator("tr", has_text="Send full details").wait_for()
    page.goto(f"{promoted.address}/#/registers/notices")
    item = page.locator(".register-item", has_text="Winter draw: have the terms at hand")
    item.locator("a").click()
    page.wait_for_selector("h1 >> text=Winter draw")


def test_a_draw_has_its_proof_and_everybody_sees_their_own(promoted: Floor) -> None:
    page = promoted.page("inspector", "#/promotions/autumn")
    page.wait_for_selector("text=It checks out:")
    page.locator("details", has_text="4 entries, in the order in which they came").locator("summary").click()
    page.wait_for_selector("text=alice#1, bob#2, rita#3, sam#4")
    assert "High Street" not in page.content()
    page.locator("summary", has_text="Refused claims").click()
    page.wait_for_selector("td >> text=1 High Street")
    assert faults_of(page) == []
    assert page.request.get(f"{promoted.address}/api/promotions/autumn/paper").text().count("<li>") > 15
    own = promoted.page("player", "#/promotions/autumn", "alice")
    own.wait_for_selector("h2 >> text=What you have won")
    assert "rita" not in own.content() and own.locator("summary", has_text="Claim a prize").count() == 1
    own.goto(f"{promoted.address}/#/promotions")
    own.locator("td", has_text="Running").wait_for()
    seen = promoted.page("supervisor", "#/tables")
    seen.wait_for_selector(".overdue")
