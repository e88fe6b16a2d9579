"""The registers in the browser: what is overdue shows on the overview, is found, and is marked as done."""

from __future__ import annotations

from typing import Any

from tests.web.floor import Floor


def test_a_notice_is_found_and_marked_as_done_on_the_page(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", "person")
    floor.context("player", "rita")
    floor.act("player", table, "rita", act="TakeSeat", box=1)
    floor.act("player", table, "rita", act="RaiseDispute", about="the colour of the cloth")
    page = floor.page("supervisor", "#/registers/disputes")
    page.wait_for_selector("h1 >> text=Disputes")
    page.fill("#register-search", "rita cloth")
    page.wait_for_selector("tbody tr >> text=rita disputes: the colour of the cloth")
    page.fill("#register-person", "nobody")
    page.wait_for_selector("text=No matching entries")
    page.fill("#register-person", "rita")
    page.select_option("#register-kind", "raised")
    page.fill("#register-from", "2020-01-01")
    page.wait_for_selector("tbody tr >> text=rita disputes: the colour of the cloth")
    page.fill("#register-from", "2099-01-01")
    page.wait_for_selector("text=No matching entries")
    page.fill("#register-from", "")
    page.wait_for_selector("tbody tr >> text=rita disputes: the colour of the cloth")
    item = page.locator(".register-item", has_text="rita disputes")
    item.locator("input").fill("ruled at the table")
    item.get_by_role("button", name="Mark as done").click()
    page.wait_for_selector("text=Saved.")
    item.wait_for(state="detached")
    page.goto(page.url.replace("/disputes", "/notices"))
    page.wait_for_selector("h1 >> text=Notices")
    page.fill("#register-search", "rita cloth")
    page.locator(".register-item.done", has_text="ruled at the table").wait_for()
    page.goto(page.url.replace("#/registers/notices", "#/registers/limits"))
    page.locator("summary >> text=Add an entry").click()
    page.select_option("#write-what", "AskForBox")
    page.fill("#write-person", "rita")
    page.fill("#write-table", table)
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("text=Saved.")
    assert not faults
