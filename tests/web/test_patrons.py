"""The patrons' book in the browser: staff look a person up and write in the file, a player sees their own limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.floor import Floor, counts, reads, shows

if TYPE_CHECKING:
    from playwright.sync_api import Page


def write(page: Page, label: str, **fields: str | bool) -> None:
    """Fill a form of the file in and send it; the page has said that it is written when this returns."""
    form = page.locator(".patron-form", has=page.locator("summary", has_text=label)).first
    if form.get_attribute("open") is None:
        form.locator("summary").click()
    for name, value in fields.items():
        field = form.locator(f"[id$='-{name}']")
        if isinstance(value, bool):
            form.locator(".check", has_text=name).locator("input").set_checked(value)
        elif field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    form.locator("button[type=submit]").click()


def row(page: Page, what: str) -> str:
    return page.locator(".patron-file tr", has=page.locator("th", has_text=what)).first.locator("td").inner_text()


def look(page: Page, why: str = "a complaint") -> None:
    """Say why one looks at a file; only then is it shown."""
    page.fill("#patron-why", why)
    page.get_by_role("button", name="Look").click()


@pytest.mark.clause("nsw-pontoon", "5.1", "def:Loss Limit", "def:Player Card")
def test_a_supervisor_issues_a_card_and_the_player_sets_a_limit(floor: Floor, faults: list[Any]) -> None:
    floor.foreseen = ["409"]
    mine = floor.page("player", "#/limits", "pat")
    shows(mine, ".patron-file tr:nth-child(2) td", "not identified")
    write(mine, "Set the loss limit", cents="100", period="week")
    mine.wait_for_selector(".problem >> text=nobody has identified pat")
    staff = floor.page("supervisor", "#/patrons")
    staff.fill("#patron-find", "pat")
    staff.click(".patron-names a >> text=pat")
    look(staff)
    write(staff, "Identify", document="passport")
    staff.wait_for_selector(".done >> text=Written: Identify.")
    write(staff, "Issue a player card", number="S-1001")
    staff.wait_for_selector("td >> text=S-1001, valid")
    write(mine, "Set the loss limit", cents="100", period="week")
    mine.wait_for_selector("td >> text=$100 a week; $100 left")
    reads(mine, ".patron", "not liable")
    staff.reload()
    look(staff)
    staff.wait_for_selector("td >> text=$100 a week; $100 left")
    assert row(staff, "Identified") == "passport"
    assert not staff.locator(".patron-form summary", has_text="Restrict").count()  # that is the gaming manager's
    counts(mine.locator(".patron-form"), 3)
    assert not faults


@pytest.mark.clause("nsw-pontoon", "5.13", "19.8.3")
def test_a_gaming_manager_restricts_and_excludes(floor: Floor, faults: list[Any]) -> None:
    floor.foreseen = ["409"]
    floor.ask("player", "/api/me", None, "rex")
    page = floor.page("gaming-manager", "#/patrons/rex")
    look(page, "he counts")
    write(page, "Restrict", rule="one-box", why="counts well")
    page.wait_for_selector(".patron-form .problem, .problem >> text=told")
    write(page, "Restrict", rule="one-box", why="counts well", **{"told first": True})
    page.wait_for_selector("td >> text=one box at every table: counts well")
    write(page, "Exclude", why="a device", scope="casino")
    page.wait_for_selector("td >> text=from the casino: a device")
    write(page, "Let in again", scope="casino")
    page.wait_for_selector("td >> text=(over)")
    page.locator("summary", has_text="Who has looked at this file").click()
    page.wait_for_selector("li >> text=looked at a file: he counts")
    page.locator("summary", has_text="Erase what is kept of them").click()
    page.fill("#erase-why", "he asked for it")
    page.get_by_role("button", name="Ask for it").click()
    page.wait_for_selector(".problem >> text=rex is restricted: that is kept while it holds.")
    page.locator("summary", has_text="Retention").click()
    page.fill("#retention-days", "3000")
    page.get_by_role("button", name="Keep files this long").click()
    page.wait_for_selector("text=Files are kept for 3,000 days")


def test_the_gaming_day_is_on_the_page(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("gaming-manager", "#/patrons")
    day = page.locator(".gaming-day")
    day.wait_for()
    button = day.locator("button")
    opened = button.inner_text() == "Close the day"
    if not opened:
        button.click()
    page.wait_for_selector(".gaming-day >> text=open")
    other = floor.page("supervisor", "#/patrons")
    other.wait_for_selector(".gaming-day >> text=, open")
    assert other.locator(".gaming-day button").count() == 0
    button.click()
    page.wait_for_selector(".gaming-day >> text=, closed")
    day.locator("input").fill("closed too soon")
    button.click()
    page.wait_for_selector(".gaming-day >> text=, open")


@pytest.mark.clause("nsw-pontoon", "def:Proxy Betting", "19.20")
def test_a_helper_chooses_whose_chips_they_put_down(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", "person")
    floor.prepare(table)
    floor.act("player", table, "hana", act="TakeSeat", box=2)
    floor.ask("player", "/api/me", None, "hugo")
    named = {"act": "NameHelper", "helper": "hugo", "present": True, "unpaid": True}
    floor.ask("dealer", "/api/patrons/hana", {"id": f"helps-{table}", "act": named})
    page = floor.page("player", f"#/table/{table}", "hugo")
    page.select_option("[data-do=helping]", "hana")
    page.click("button.spot[data-box='2'][data-kind='original']")
    page.click("[data-do=place]")
    page.wait_for_selector(".betting-hint >> text=on the table")
    (box,) = floor.state("player", table, "hana")["view"]["boxes"]
    assert list(box["wagers"]) == ["hana"]
    page.select_option("[data-do=helping]", "hugo")
    page.wait_for_selector("[data-do=take-back]", state="detached")
    assert not faults
