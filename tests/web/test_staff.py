"""Supervisors, managers, inspectors and administrators at the web table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.rulebooks import RULEBOOKS, load
from tests.web.conftest import started
from tests.web.floor import DESK, Floor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSWORD = "correct horse 7 battery"


def do(page: Page, label: str, **fields: str) -> None:
    """Open the form of an act, fill it in and send it."""
    page.fill("#find-act", label)
    head = page.locator(".act-head", has_text=label).first
    if head.get_attribute("aria-expanded") == "false":
        head.click()
    for name, value in fields.items():
        field = page.locator(f".act-form [id$='-{name}']")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.click(".act-form button.primary")


def done(page: Page) -> None:
    page.wait_for_selector(".act-form .done")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_supervisor_runs_a_table(floor: Floor, faults: list[Any], rulebook: str) -> None:
    """Opened by hand, limits set, a box reserved, a wager refused, a whole round watched, and closed."""
    book = load(rulebook)
    name = f"Hand {RULEBOOKS.index(rulebook) + 1}"
    table = name.lower().replace(" ", "-")
    page = floor.page("supervisor", "#/tables")
    page.click("text=Open a table")
    page.select_option("#open-rulebook", rulebook)
    page.wait_for_function(
        "decks => document.querySelector('#open-decks').innerText.includes(decks)",
        arg=str(book.cards.decks_default.value),
    )
    page.fill("#open-name", name)
    page.select_option("#open-dealer", "person")
    page.click("text=Open the table")
    page.wait_for_selector(f".done >> text={name} is open")
    page.click(f".table-card a:has-text('{name}')")
    page.wait_for_selector(".sign >> text=$5 to $1,000")
    do(page, "Set the limits", minimum_cents="10", maximum_cents="400")
    page.wait_for_selector(".sign >> text=$10 to $400")
    do(page, "Seat a player", player="carol", box="5")
    page.wait_for_selector(".seat-owner >> text=carol")
    page.fill("#find-act", "Reserve boxes")
    page.click(".act-head")
    page.fill("#f-ReserveBoxes-player", "carol")
    page.check(".many >> text=7")
    page.click(".act-form button.primary")
    if book.boxes.reserved_by.value == "nobody":
        page.wait_for_selector(f".act-form .problem >> text={book.name} {book.boxes.reserved_by.clause}")
    else:
        page.wait_for_selector("[aria-label*='reserved for carol']")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=1, cents=2000)
    page.wait_for_selector(".seat .wager >> text=$20")
    do(page, "Refuse a wager", player="alice", box="1")
    if book.wagers.refused_by.value == "nobody":
        page.wait_for_selector(f".act-form .problem >> text={book.name} {book.wagers.refused_by.clause}")
        floor.act("player", table, "alice", act="WithdrawWager", player="alice", box=1)
    page.wait_for_selector(".seat .wager", state="detached")
    floor.play_round(table, "alice", cents=2000)
    page.wait_for_selector(".table-page[data-round='2']")
    page.click("#tab-people")
    shown = page.inner_text(".tab-panel")
    net = floor.state("player", table, "alice")["mine"]["net_cents"]
    assert f"${abs(net) // 100}" in shown
    page.goto(f"{floor.address}/#/tables")
    page.click(f"text=Close {name}")
    page.click("text=Close the table")
    page.wait_for_selector(f".done >> text={name} is closed")


def test_a_supervisor_deals_with_an_irregularity(floor: Floor, faults: list[Any]) -> None:
    """A card drawn in error, and what the rules refuse is refused with the clause."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=1, cents=2000)
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    do(page, "A hand was left out", box="1")
    refused = page.wait_for_selector(".act-form .problem")
    assert refused is not None
    assert refused.inner_text().startswith("NSW pontoon ")
    do(page, "Order a shuffle", reason="a card fell")
    done(page)
    page.click("#tab-history")
    assert "A shuffle is due: it was ordered" in page.inner_text(".history")


def test_two_persons_approve(floor: Floor, faults: list[Any]) -> None:
    """What needs a second person waits in the inbox, and is done when somebody else approves."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.act("player", table, "alice", act="TakeSeat", player="alice", box=1)
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    do(page, "Grant one player a maximum", player="alice", maximum_cents="5000")
    done(page)
    page.goto(f"{floor.address}/#/approvals")
    page.wait_for_selector(".cards-list >> text=You proposed this")
    other = floor.page("gaming-manager", "#/approvals")
    other.wait_for_selector(f".cards-list >> text=Table {table}")
    other.locator(".cards-list li", has_text=f"Table {table},").locator("text=Approve").click()
    other.wait_for_selector(".done >> text=Approved")
    assert "alice may wager up to $5,000.00" in "".join(
        each["text"] for each in floor.ask("inspector", f"/api/tables/{table}/events")
    )


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_inspector_looks_at_the_past(floor: Floor, faults: list[Any], rulebook: str, tmp_path: Path) -> None:
    """Any past version with slider and keys, the log searched, the round downloaded and replayed."""
    table = floor.open_table(rulebook, dealer="person")
    floor.play_round(table, "alice", box=2)
    version = floor.state("inspector", table)["version"]
    page = floor.page("inspector", f"#/table/{table}")
    page.wait_for_selector(".felt")
    assert page.locator(".dock button").count() == 0
    page.click("text=Look at the past")
    page.wait_for_selector(f".stepper output >> text={version} / {version}")
    placed = next(
        each["version"]
        for each in floor.ask("inspector", f"/api/tables/{table}/events")
        if each["event"]["event"] == "WagerPlaced"
    )
    for step in range(version - 1, placed - 1, -1):
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector(f".stepper output >> text={step} / {version}")
    page.wait_for_selector(".seat .wager >> text=$10")
    page.keyboard.press("Home")
    page.wait_for_selector(f".stepper output >> text=1 / {version}")
    page.goto(f"{floor.address}/#/log")
    page.select_option("#log-table", table)
    page.fill("#log-player", "alice")
    page.fill("#log-from", "10")
    page.click("text=Search")
    page.wait_for_selector(".log-table >> text=wager placed: alice, box 2, $10")
    page.click(f".log-table a >> text='{placed}'")
    page.wait_for_selector(f".stepper output >> text={placed} / {version}")
    page.click("#tab-rounds")
    with page.expect_download() as coming:
        page.click("a[download]")
    record = tmp_path / "one.round"
    coming.value.save_as(record)
    assert f'rulebook = "{rulebook}"' in record.read_text()
    page.goto(f"{floor.address}/#/replay")
    page.set_input_files("input[type=file]", record)
    page.wait_for_selector(".steps")
    page.keyboard.press("End")
    page.wait_for_selector(".dock-state >> text=The round is over")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".dealer .card").count() >= 1


def test_an_inspector_exports_the_log(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("inspector", "#/log")
    with page.expect_download() as coming:
        page.click("text=Export the log")
    assert coming.value.suggested_filename == "pitboss-log.jsonl"
    lines = page.request.get("/api/log/export").text().splitlines()
    assert len(lines) > 10
    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_an_administrator_sets_the_floor_up(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The first account, another one, its role, and log-in with it."""
    for address in started(tmp_path_factory.mktemp("fresh")):
        context = browser.new_context(base_url=address, viewport=DESK, reduced_motion="reduce")  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(address)
        page.click("text=Set the floor up")
        page.fill("#setup-name", "ada")
        page.fill("#setup-password", PASSWORD)
        page.fill("#setup-again", PASSWORD)
        page.click("text=Create the administrator")
        page.click("text=New account")
        page.fill("#new-name", "dora")
        page.fill("#new-password", PASSWORD)
        page.click("text=Create it")
        page.wait_for_selector(".done >> text=dora may log in now")
        page.select_option("[aria-label='Role of dora']", "inspector")
        page.wait_for_selector(".done >> text=dora is now inspector")
        page.click("text=Log out")
        page.fill("#login-name", "dora")
        page.fill("#login-password", "wrong wrong wrong")
        page.click("form >> text=Log in >> nth=-1")
        page.wait_for_selector(".problem")
        page.fill("#login-password", PASSWORD)
        page.click("form >> text=Log in >> nth=-1")
        page.wait_for_selector(".who-am-i >> text=Inspector")
        page.goto(f"{address}/#/audit")
        page.wait_for_selector("td >> text=dora")
        context.close()
