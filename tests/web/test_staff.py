"""Supervisors, managers, inspectors and administrators at the web table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.rulebooks import RULEBOOKS, load
from tests.web.conftest import started
from tests.web.floor import DESK, PHONE, Floor, reads, resize

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSWORD = "correct horse 7 battery"
SLIP = """title = "a slip"
rulebook = "nsw-pontoon"
cards = "6s 9h"
play = ["alice bets 25 on 1",
"dealer deels"]
"""


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
    page.click(f"a[aria-label^='Watch at {name}']")
    page.wait_for_selector(".sign >> text=$5 to $1,000")
    do(page, "Set the limits", minimum_cents="10", maximum_cents="400")
    page.wait_for_selector(".sign >> text=$10 to $400")
    floor.context("player", "carol")
    do(page, "Seat a player", player="carol", box="5")
    page.wait_for_selector(".seat-owner >> text=carol")
    page.fill("#find-act", "Reserve boxes")
    page.click("[data-act=ReserveBoxes] .act-head")
    page.fill("#f-ReserveBoxes-player", "carol")
    page.check(".many >> text=7")
    page.click(".act-form button.primary")
    if book.boxes.reserved_by.value == "nobody":
        page.wait_for_selector(f".act-form .problem >> text={book.name} {book.boxes.reserved_by.clause}")
    else:
        page.wait_for_selector("[aria-label*='reserved for carol']", state="attached")
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
    net = floor.state("player", table, "alice")["mine"]["net_cents"]
    reads(page, ".tab-panel", f"${abs(net) // 100}")
    page.goto(f"{floor.address}/#/tables")
    page.get_by_role("button", name=f"Close {name}").click()
    page.click("text=Close the table")
    page.wait_for_selector(f".done >> text={name} is closed")
    page.click(".closed-tables summary")
    page.click(f".closed-tables >> text={name}")
    page.wait_for_selector(".moment >> text=Round")
    page.wait_for_selector("[aria-label=Last]:enabled")  # it is known how far it goes
    page.keyboard.press("End")
    page.wait_for_selector(".dock >> text=The table is closed")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".dock >> text=The round is over")


def test_what_is_unfolded_stays_so_while_tables_come_and_go(floor: Floor, faults: list[Any]) -> None:
    first, second = (floor.open_table("nsw-pontoon", dealer="person") for _ in range(2))
    page = floor.page("supervisor", "#/tables")
    for closed in (first, second):
        page.wait_for_selector(f"a[href='#/table/{closed}']")
        floor.ask("supervisor", f"/api/tables/{closed}/close", {"id": f"close-{closed}"})
        page.wait_for_selector(f"a[href='#/table/{closed}']", state="detached")
        if closed == first:
            page.focus(".closed-tables summary")
            page.keyboard.press("Enter")
        page.wait_for_selector(f".closed-tables a[href^='#/table/{closed}/at/']")


def test_a_supervisor_deals_with_an_irregularity(floor: Floor, faults: list[Any]) -> None:
    """A card drawn in error, and what the rules refuse is refused with the clause."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=1, cents=2000)
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    do(page, "A hand was left out", box="1")
    reads(page, ".act-form .problem", "NSW pontoon ")
    do(page, "Order a shuffle", reason="a card fell")
    done(page)
    page.click("#tab-history")
    page.wait_for_selector(".history >> text=A shuffle is due: it was ordered")


def test_two_persons_approve(floor: Floor, faults: list[Any]) -> None:
    """What needs a second person waits in the inbox, and is done when somebody else approves."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.act("player", table, "alice", act="TakeSeat", player="alice", box=1)
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    do(page, "Grant one player a maximum", player="alice", maximum_cents="5000")
    done(page)
    page.goto(f"{floor.address}/#/approvals")
    own = page.locator(".proposal", has_text=f"Table {table},")
    reads(own, None, "Your request")
    assert own.locator("text=Approve").count() == 0
    other = floor.page("gaming-manager", "#/tables")
    row = other.locator("tr.urgent, .table-card.urgent", has_text=f"Table {table}")
    reads(row, None, "1 request for approval")
    other.goto(f"{floor.address}/#/approvals")
    theirs = other.locator(".proposal.yours", has_text=f"Table {table},")
    reads(theirs, None, "$5,000")
    theirs.locator("text=Approve").click()
    other.wait_for_selector(".done >> text=Approved and done: Grant one player a maximum")
    page.wait_for_selector(f".answered li:has-text('Table {table},') >> text=approved and done (demo-gaming-manager)")
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
    page.wait_for_selector(f".stepper output >> text='{version} / {version}'")
    placed = next(
        each["version"]
        for each in floor.ask("inspector", f"/api/tables/{table}/events")
        if each["event"]["event"] == "WagerPlaced"
    )
    for step in range(version - 1, placed - 1, -1):
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector(f".stepper output >> text='{step} / {version}'")
    page.wait_for_selector(".seat .wager >> text=$10")
    page.keyboard.press("Home")
    page.wait_for_selector(f".stepper output >> text='1 / {version}'")
    page.goto(f"{floor.address}/#/log")
    page.fill("#log-table", table)
    page.fill("#log-player", "alice")
    page.fill("#log-from", "10")
    page.select_option("#log-act", label="Place wager")
    page.click("text=Search")
    page.wait_for_selector(".log-table >> text=Box 2: alice wagers $10.00")
    page.click(f".log-table a >> text='{placed}'")
    page.wait_for_selector(f".table-page[data-version='{placed}']")
    page.wait_for_selector(".moment >> text=done by alice")
    page.click("#tab-around")
    page.click(f".around .step:has(b:text-is('{placed - 1}'))")
    page.wait_for_selector(f".table-page[data-version='{placed - 1}']")
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
    page.wait_for_selector(".dealer .card")


def test_an_inspector_proves_the_log_and_takes_it_away(floor: Floor, faults: list[Any], tmp_path: Path) -> None:
    """Every hash checked; a signed checkpoint kept, and the log held against it and against one that is not its own."""
    page = floor.page("inspector", "#/log")
    page.click("text=Verify the log")
    page.wait_for_selector(".proof .done >> text=The log is sound")
    reads(page, ".proof .done", "Not checked against a kept checkpoint")
    with page.expect_download() as coming:
        page.click("text=Download signed checkpoint")
    kept = tmp_path / "kept.heads"
    coming.value.save_as(kept)
    page.set_input_files(".proof input[type=file]", kept)
    page.wait_for_selector(".proof .done >> text=Checked against 1 signed checkpoint")
    head = json.loads(kept.read_text())
    later = head | {"seq": head["seq"] + 1_000_000}
    kept.write_text(json.dumps(later) + "\n")
    page.set_input_files(".proof input[type=file]", kept)
    page.wait_for_selector(".proof .problem >> text=signature")
    for button, name in (("Export the log", "pitboss-log.jsonl"), ("Parquet", "pitboss-log.parquet")):
        with page.expect_download() as coming:
            page.click(f"text={button}")
        assert coming.value.suggested_filename == name
        coming.value.save_as(tmp_path / name)
    lines = (tmp_path / "pitboss-log.jsonl").read_text().splitlines()
    assert len(lines) > 10
    assert all(isinstance(json.loads(line), dict) for line in lines)
    assert (tmp_path / "pitboss-log.parquet").read_bytes()[:4] == b"PAR1"


def test_a_search_by_clause_finds_what_is_under_it(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.play_round(table, "alice")
    page = floor.page("inspector", "#/log")
    page.fill("#log-table", table)
    page.fill("#log-clause", "4")
    page.click("text=Search")
    page.wait_for_selector(".log-table >> text=The cards are shuffled (hand)")
    page.click(".log-table .why >> nth=0")
    page.wait_for_selector("dialog .clause dd:not(:empty)")
    page.keyboard.press("Escape")
    page.fill("#log-clause", "404")
    page.click("text=Search")
    page.wait_for_selector(".empty >> text=No matching entries")


def test_the_log_is_searched_from_either_end(floor: Floor, faults: list[Any]) -> None:
    """Newest first unless one wants it otherwise; searching on keeps the order, whatever is chosen meanwhile."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    for _ in range(2):
        floor.play_round(table, "alice")
    for number in range(60):
        act: dict[str, Any] = {"act": "WithdrawWager"} if number % 2 else {"act": "PlaceWager", "cents": 500}
        floor.act("player", table, "alice", player="alice", box=1, **act)
    told = floor.ask("inspector", f"/api/tables/{table}/events?limit=500")
    versions = sorted({each["version"] for each in told})

    def shown() -> list[int]:
        return [int(text) for text in page.locator(".log-table td:nth-child(3)").all_inner_texts()]

    page = floor.page("inspector", "#/log")
    page.fill("#log-table", table)
    page.click("text=Search")
    page.wait_for_selector(".log-table caption >> text=newest first")
    assert shown() == versions[::-1][:50]
    page.select_option("#log-order", "oldest")
    page.click("text=Load more")
    page.wait_for_selector("text=Load more", state="detached")
    assert shown() == versions[::-1]
    page.click("form >> text=Search")
    page.wait_for_selector(".log-table caption >> text=oldest first")
    assert shown() == versions[:50]


def test_a_slider_drawn_over_many_versions_asks_for_few_of_them(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    for _ in range(4):
        floor.play_round(table, "alice")
    version = floor.state("inspector", table)["version"]
    page = floor.page("inspector", f"#/table/{table}/at/1")
    page.wait_for_selector(".table-page[data-version='1']")
    page.wait_for_selector(f".stepper output >> text='1 / {version}'")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/at/" in request.url else None)
    page.evaluate(
        """most => {
          const slider = document.querySelector('.stepper input');
          for (let at = 1; at <= most; at++) {
            slider.value = String(at);
            slider.dispatchEvent(new Event('input', { bubbles: true }));
          }
        }""",
        version,
    )
    page.wait_for_selector(f".table-page[data-version='{version}']")
    assert len(asked) < version


def test_a_record_with_a_slip_says_in_which_line(floor: Floor) -> None:
    page = floor.page("inspector", "#/replay")
    lines = [
        'title = "a slip"',
        'rulebook = "nsw-pontoon"',
        'cards = "6s 9h"',
        'play = ["alice bets 25 on 1",',
        '"dealer deels"]',
    ]
    page.fill("#round-text", "\n".join(lines))
    page.click("form >> text=Replay")
    page.wait_for_selector('.problem >> text=Line 5: "dealer deels": no such act.')
    page.wait_for_function(
        """(line) => {
          const { value, selectionStart: from, selectionEnd: to } = document.querySelector('#round-text:focus') || {};
          return value?.slice(from, to) === line;
        }""",
        arg=SLIP.splitlines()[4],
    )
    floor.close_pages()


def test_a_floor_of_many_tables_shows_what_waits_first(floor: Floor, faults: list[Any]) -> None:
    """Found by player, by rulebook and by what waits; a table that waits for the supervisor comes first."""
    tables = [floor.open_table(rulebook, dealer="person") for rulebook in RULEBOOKS]
    waits = tables[RULEBOOKS.index("adelaide-pontoon-2008")]
    floor.prepare(waits)
    floor.act("player", waits, "mallory", act="TakeSeat", player="mallory", box=3)  # who sits nowhere else
    floor.act("dealer", waits, act="BurnInError")
    page = floor.page("supervisor", "#/tables")
    page.click(".floor-tools >> text=List")
    page.wait_for_selector(".floor-list tbody tr")
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "the list scrolls, not the page"
    resize(page, DESK)
    first = page.locator(".floor-list tbody tr.urgent", has_text=f"Table {waits}")
    reads(first, None, "The casino supervisor: approval")
    page.fill("#floor-text", "mallory")
    page.wait_for_function("() => document.querySelectorAll('.floor-list tbody tr').length === 1")
    page.fill("#floor-text", "")
    page.select_option("#floor-book", "canberra-pontoon-2002")
    page.select_option("#floor-sort", "name")
    page.wait_for_function(
        "book => [...document.querySelectorAll('.floor-list td:nth-child(2)')].every(e => e.innerText.includes(book))",
        arg="Canberra pontoon 2002",
    )
    page.select_option("#floor-book", "")
    page.click("text=attention")
    page.click(".floor-tools >> text=Cards")
    page.wait_for_selector(f".table-card.urgent >> text=Table {waits}")
    page.click(f".table-card.urgent a:has-text('Table {waits}')")
    page.click(".dock >> text=Approve that the game continues")
    page.wait_for_selector(".table-page[data-waits=wagers]")


def test_a_jackpot_is_shared_by_two_tables(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("supervisor", "#/tables")
    for name, link in (("Sevens 1", "+"), ("Sevens 2", "sevens-of-the-house")):
        page.click("text=Open a table")
        page.select_option("#open-rulebook", "nsw-blackjack-challenge")
        page.select_option("#open-source", "shuffling-device")
        page.check("text=Blazing 7s")
        page.select_option("#open-link", link)
        if link == "+":
            page.fill("#open-pool", "Sevens of the house")
        page.fill("#open-name", name)
        page.click("text=Open the table")
        page.wait_for_selector(f".done >> text={name} is open")
    told = [floor.state("supervisor", table)["link"] for table in ("sevens-1", "sevens-2")]
    assert told == [{"id": "sevens-of-the-house", "cents": 1_000_000}] * 2


def test_who_may_do_what_under_one_rulebook(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("inspector", "#/matrix")
    page.fill("#matrix-text", "reserve boxes")
    page.wait_for_selector(".matrix td.cell-yes")
    page.select_option("#matrix-book", "canberra-pontoon-2002")
    page.wait_for_selector(".matrix td.cell-yes", state="detached")
    reads(page, ".answered >> nth=0", "Declare the round void")


OWN = "gravel umbrella teapot"


def test_an_administrator_sets_the_floor_up(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The first account, another one, its role, and log-in with it."""
    for address in started(tmp_path_factory.mktemp("fresh")):
        context = browser.new_context(base_url=address, viewport=DESK, reduced_motion="reduce")  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(address)
        page.click("text=Set up the floor")
        page.fill("#setup-name", "ada")
        page.fill("#setup-password", PASSWORD)
        page.fill("#setup-again", PASSWORD)
        page.click("text=Create account")
        page.click("text=New account")
        page.fill("#new-name", "dora")
        page.fill("#new-password", PASSWORD)
        page.click("text=Create account")
        page.wait_for_selector(".done >> text=dora can log in now")
        page.click("[aria-label='Role of dora']")
        page.select_option("#change-role", "inspector")
        page.click("text=Change the role")
        page.wait_for_selector(".done >> text=dora is now inspector")
        page.click("[aria-label='Assign dora to tables']")
        page.click("text=These tables")
        page.check(".post-tables >> text=Adelaide pontoon")
        page.click("dialog button.primary")
        page.wait_for_selector(".done >> text=dora is assigned to Adelaide pontoon")
        page.click("text=Log out")
        page.fill("#login-name", "dora")
        page.fill("#login-password", "wrong wrong wrong")
        page.click("form >> text=Log in >> nth=-1")
        page.wait_for_selector(".problem")
        page.fill("#login-password", PASSWORD)
        page.click("form >> text=Log in >> nth=-1")
        page.click("text=Change the password")  # somebody else set it
        for field, text in (("old", PASSWORD), ("password", OWN), ("again", OWN)):
            page.fill(f"#own-{field}", text)
        page.keyboard.press("Enter")
        page.click("dialog .primary >> text=Close")
        page.wait_for_selector(".who-am-i >> text=Inspector", state="attached")  # a bar with many links has no room
        page.wait_for_selector(".bar nav a >> text=Audit", state="attached")
        page.goto(f"{address}/#/audit")
        page.select_option("#audit-kind", "login-failed")
        page.wait_for_selector("td >> text=dora")
        context.close()
