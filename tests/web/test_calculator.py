"""The calculator's page: every choice, the chart drawn anew as options change, and a card to print."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.floor import counts, reads
from tests.web.test_accessibility import faults_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "pitboss", "calculator", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield json.loads(server.stdout.readline())["address"]
        finally:
            server.terminate()
            server.wait(20)


def test_the_page(address: str, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.set_default_timeout(90_000)
    page.goto(address)
    page.wait_for_selector("#worth")
    before = page.locator("#worth").inner_text()
    for card in ("8 of spades", "8 of hearts"):
        page.get_by_role("button", name=card, exact=True).click()
    page.get_by_role("button", name="king of clubs", exact=True).click()
    page.wait_for_selector(".choices li.best")
    counts(page.locator(".choices li"), 5)  # hit, stand, double, split, surrender
    reads(page, ".choices li.best", "split")
    assert faults_of(page) == []
    page.get_by_text("Change the rules, for study").click()
    page.select_option("[data-term='dealer.soft_stand']", "17")
    page.wait_for_function("old => document.querySelector('#worth')?.innerText !== old", arg=before)
    page.select_option("[data-term='splitting.hands_max']", "1")
    page.wait_for_function("() => document.querySelectorAll('.choices li').length === 4")
    page.select_option("#rulebook", "nsw-blackjack-challenge")
    page.wait_for_function("() => document.querySelector('#chart h2')?.innerText.startsWith('Blackjack Challenge')")
    counts(page.get_by_role("button", name="ten of hearts", exact=True), 1)
    page.emulate_media(media="print")
    assert page.locator(".charts").is_visible() and not page.locator("#rulebook").is_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(media="screen")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
    assert faults == []
