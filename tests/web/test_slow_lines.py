"""On a slow or bad line nothing is done twice, nothing old is taken for new, and no page is left dead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.conftest import started
from tests.web.floor import PASSWORD, Floor, LaidFloor, SetUpFloor, counts, reads, says, shows
from tests.web.test_arranged import ready
from tests.web.test_player import sit_down, wager
from tests.web.test_staff import do, done
from tests.web.test_unanswered import BACK, DEAF, MUTE, go_away, line, placed, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

SLOW = """
    const send = live.socket.send.bind(live.socket);
    live.held = [];
    live.socket.send = (text) => {
      if (text.includes('"act"')) live.held = [...live.held, () => send(text)];
      else send(text);
    };
"""
"""No act arrives before it is let go."""
LET_GO = "for (const go of live.held.splice(0)) go();"
HELD = "import('./js/live.js').then(({ live }) => live.held.length)"


def held(page: Page) -> int:
    """How many acts are on their way."""
    page.wait_for_timeout(150)
    found: int = page.evaluate(HELD)
    return found


class Slow(list["Route"]):
    """Requests that wait until the test lets them go."""

    def __init__(self, page: Page, where: str, method: str = "POST") -> None:
        super().__init__()
        self.page, self.method, self.is_over = page, method, False
        page.route(where, self._came)

    def _came(self, route: Route) -> None:
        if self.is_over or route.request.method != self.method:
            route.fallback()
        else:
            self.append(route)

    def wait(self, count: int = 1, *, or_more: bool = False) -> None:
        """Until so many requests are on their way, and no others a moment later."""
        for _ in range(100):
            if len(self) >= count:
                break
            self.page.wait_for_timeout(50)
        self.page.wait_for_timeout(200)
        assert len(self) == count or (or_more and len(self) > count)

    def let_go(self) -> None:
        """Those that wait, and from now on everything at once."""
        self.is_over = True
        for route in self:
            route.continue_()


def press_again(page: Page, button: str) -> None:
    """As people do where nothing happens: once more at the same place, whatever is there by now."""
    page.locator(button).first.scroll_into_view_if_needed()
    at = page.locator(button).first.bounding_box()
    assert at is not None
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    for _ in range(2):
        page.mouse.click(x, y)
        page.wait_for_timeout(100)


def double_click(page: Page, button: str) -> None:
    """Both halves of it, with the time between them that a hand needs and the floor does not."""
    page.hover(button)
    for half in (1, 2):
        page.mouse.down(click_count=half)
        page.mouse.up(click_count=half)
        page.wait_for_timeout(150)


def hold_down(page: Page, key: str, times: int = 8) -> None:
    for _ in range(times):
        page.keyboard.down(key)
        page.wait_for_timeout(60)
    page.keyboard.up(key)


def events(floor: Floor, table: str, name: str) -> list[dict[str, Any]]:
    found = floor.ask("inspector", f"/api/tables/{table}/events?limit=500")
    return [each["event"] for each in found if each["event"]["event"] == name]


# --- one press is one act ---


def test_chips_are_bought_once(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "sara")
    page.click("#tab-more")
    line(page, SLOW)
    press_again(page, "text=Buy chips")
    page.focus("#buy")
    page.keyboard.press("Enter")
    assert held(page) == 1
    line(page, LET_GO)
    page.wait_for_selector(".more >> text=You have bought $100 at this table")
    page.wait_for_timeout(300)
    assert len(events(floor, table, "ChipsBought")) == 1
    page.click("text=Buy chips")
    page.wait_for_function("() => import('./js/live.js').then(({ live }) => live.held.length === 1)")


def test_a_dispute_is_raised_once(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "sven")
    line(page, SLOW)
    page.click("text=Dispute something…")
    page.fill("#dispute-about", "the last card")
    press_again(page, "text=Raise the dispute")
    assert held(page) == 1
    line(page, LET_GO)
    page.wait_for_selector(".dispute[data-stage=raised]")
    page.wait_for_timeout(300)
    assert len(events(floor, table, "DisputeRaised")) == 1
    assert page.locator(".toast").count() == 0


@pytest.mark.parametrize("how", ["key", "button"])
def test_a_dealer_does_a_step_once(floor: Floor, faults: list[Any], how: str) -> None:
    """Whoever presses again, because nothing happens, asks neither for this step twice nor for the next."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector("[data-act=Shuffle]")
    line(page, SLOW)
    if how == "button":
        press_again(page, "[data-act=Shuffle]")
    else:
        for _ in range(3):
            page.keyboard.press("Space")
    assert held(page) == 1
    page.wait_for_selector(".dealer-dock >> text=Sending")
    line(page, LET_GO)
    page.wait_for_selector(".table-page:not([data-waits=shuffle])")
    page.wait_for_timeout(300)
    assert page.locator(".toast").count() == 0
    assert len(events(floor, table, "CardsShuffled")) == 1


def test_a_dealer_passes_over_one_hand(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    page = floor.page("dealer", f"#/table/{table}")
    while True:
        for box in (1, 2):
            floor.act("player", table, "stig", act="PlaceWager", player="stig", box=box, cents=500)
        floor.act("dealer", table, act="Deal")
        while closing := [act for act in floor.state("dealer", table)["legal"] if act["act"].startswith("Close")]:
            floor.act("dealer", table, **closing[0])
        if (floor.state("dealer", table)["waiting"] or {}).get("box") == 1:
            break
        while floor.decide(table, "stig"):
            pass
        floor.prepare(table)
    page.wait_for_selector("text=Pass over stig")
    line(page, SLOW)
    for _ in range(2):
        page.keyboard.press("x")
    assert held(page) == 1


def test_a_supervisor_goes_on_once(floor: Floor, faults: list[Any]) -> None:
    """The same act is neither reported twice by two presses nor by a form that is closed and opened meanwhile."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    line(page, SLOW)
    do(page, "Set the limits", minimum_cents="10", maximum_cents="400")
    for _ in range(2):
        page.click("[data-act=SetLimits] .act-head")
    press_again(page, ".act-form button.primary")
    assert held(page) == 1


def hittable(table: LaidFloor, name: str) -> tuple[str, Page]:
    """Somebody who has little, and gets little."""
    where = table.deal("nsw-pontoon", "2s 9h 2d 2h 3c 2s 3h 3d 3s 4c 4h")
    page = sit_down(table, where, name)
    wager(page, 1)
    ready(page)
    page.wait_for_selector("[data-act=Hit]")
    return where, page


@pytest.mark.parametrize("how", ["h", "Enter", "double click"])
def test_one_press_is_one_card(table: LaidFloor, how: str) -> None:
    """A key that is held down, or a double click, where the floor answers faster than a hand lets go."""
    where, page = hittable(table, f"sol{how[0]}")
    if how == "double click":
        double_click(page, "[data-act=Hit]")
    else:
        if how == "Enter":
            page.focus("[data-act=Hit]")
        hold_down(page, how)
    until(lambda: events(table, where, "HandHit"))
    page.wait_for_timeout(300)
    assert len(events(table, where, "HandHit")) == 1
    page.wait_for_selector("[data-act=Hit]")
    page.keyboard.press("h")
    until(lambda: len(events(table, where, "HandHit")) == 2)


def test_whoever_places_wagers_has_not_said_deal(floor: Floor, faults: list[Any]) -> None:
    """The next button comes under the fingers of whoever uses the keyboard; Enter is held down a little longer."""
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "siri")
    wager(page, 2)
    page.focus("[data-do=place]")
    hold_down(page, "Enter")
    page.wait_for_selector("[data-do=ready]")
    page.wait_for_timeout(300)
    says(page, ".table-page", "data-phase", "wagers")
    for _ in range(2):
        wager(page, 3)
    double_click(page, "[data-do=undo]")
    page.wait_for_selector("[data-do=undo]", state="detached")


def test_a_dealer_who_holds_space_down_takes_one_step(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "sam", act="PlaceWager", player="sam", box=1, cents=500)
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector("[data-act=CallNoMoreBets]")
    hold_down(page, "Space")
    until(lambda: events(floor, table, "BettingClosed"))
    page.wait_for_timeout(200)
    assert events(floor, table, "CardDealt") == []


# --- requests ---


def propose(floor: Floor, table: str) -> None:
    floor.act("player", table, "alice", act="TakeSeat", player="alice", box=1)
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    do(page, "Grant one player a maximum", player="alice", maximum_cents="5000")
    done(page)


def test_what_is_approved_twice_is_not_said_to_be_undone(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    propose(floor, table)
    page = floor.page("gaming-manager", "#/approvals")
    card = f".proposal.yours:has-text('Table {table},')"
    page.wait_for_selector(card)
    waiting = Slow(page, "**/api/approvals/*")
    lists = Slow(page, "**/api/approvals", "GET")
    press_again(page, f"{card} >> text=Approve")
    waiting.wait()
    waiting.let_go()
    page.wait_for_selector(".done >> text=Approved and done")
    assert page.locator(f"{card} >> text=Approve").count() == 0, "the list is not here yet, but this is answered"
    lists.let_go()
    page.wait_for_selector(card, state="detached")
    assert page.locator(".page > .problem").count() == 0


def tables_called(floor: Floor, name: str) -> list[str]:
    return [row["table"] for row in floor.ask("supervisor", "/api/tables") if row["name"] == name]


def opening(page: Page, name: str) -> None:
    page.click("text=Open a table")
    page.wait_for_function("() => document.querySelector('#open-decks')?.options.length > 0")
    page.fill("#open-name", name)


def test_a_table_is_opened_once(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("supervisor", "#/tables")
    opening(page, "Slow 1")
    waiting = Slow(page, "**/api/tables")
    press_again(page, "text=Open the table")
    waiting.wait()
    waiting.let_go()
    page.wait_for_selector(".done >> text=Slow 1 is open.")
    page.wait_for_timeout(300)
    assert tables_called(floor, "Slow 1") == ["slow-1"]
    page.get_by_role("button", name="Close Slow 1").click()
    waiting = Slow(page, "**/api/tables/*/close")
    press_again(page, "text=Close the table")
    waiting.wait()
    waiting.let_go()
    page.wait_for_selector(".done >> text=Slow 1 is closed.")
    page.wait_for_timeout(300)
    assert page.locator(".page > .problem").count() == 0


def test_a_table_whose_answer_was_lost_is_not_opened_again(floor: Floor, faults: list[Any]) -> None:
    """The floor has opened it, the page does not know; whoever asks again gets the same table."""
    page = floor.page("supervisor", "#/tables")
    opening(page, "Slow 2")
    waiting = Slow(page, "**/api/tables")
    page.click("text=Open the table")
    waiting.wait()
    waiting[0].fetch()
    waiting[0].abort()
    page.wait_for_selector("dialog .problem >> text=cannot be reached")
    waiting.is_over = True
    page.click("text=Open the table")
    page.wait_for_selector(".done >> text=Slow 2 is open")
    assert tables_called(floor, "Slow 2") == ["slow-2"]
    faults.clear()


def test_a_table_is_opened_before_the_rulebooks_are_here(floor: Floor, faults: list[Any]) -> None:
    page = floor.context("supervisor").new_page()
    floor.watch(page)
    books = Slow(page, "**/api/rulebooks", "GET")
    one = Slow(page, "**/api/rulebooks/*", "GET")
    page.goto(f"{floor.address}/#/tables")
    page.click("text=Open a table")
    page.fill("#open-name", "Slow 3")
    assert page.is_disabled("text=Open the table")
    books.wait()
    books[0].continue_()
    one.wait()
    assert page.is_disabled("text=Open the table")
    one[0].continue_()
    page.click("text=Open the table")
    page.wait_for_selector(".done >> text=Slow 3 is open.")


def test_the_answer_to_one_dialog_leaves_the_next_one_open(floor: Floor, faults: list[Any]) -> None:
    tables = [floor.open_table("nsw-pontoon") for _ in range(2)]
    page = floor.page("supervisor", "#/tables")
    page.get_by_role("button", name=f"Close Table {tables[0]}", exact=True).click()
    waiting = Slow(page, "**/api/tables/*/close")
    page.click("text=Close the table")
    waiting.wait()
    page.keyboard.press("Escape")
    page.get_by_role("button", name=f"Close Table {tables[1]}", exact=True).click()
    page.wait_for_selector(f"dialog >> text=Close Table {tables[1]}?")
    waiting[0].continue_()
    page.wait_for_selector(f".done >> text=Table {tables[0]} is closed.")
    counts(page.locator("dialog"), 1)


def test_a_trainee_says_a_step_once(floor: Floor, faults: list[Any]) -> None:
    """Said again because nothing happens, it would be held against him."""
    page = floor.page("dealer", "#/training")
    page.wait_for_selector("#train-seed")
    page.fill("#train-seed", "slow")
    begun = Slow(page, "**/api/training")
    press_again(page, "text=Begin")
    begun.wait()
    begun[0].continue_()
    page.wait_for_selector("[data-step=shuffle]")
    said = Slow(page, "**/api/training/*")
    press_again(page, "[data-step=shuffle]")
    said.wait()
    said.let_go()
    page.wait_for_selector(".training progress[value='1']")
    page.wait_for_timeout(300)
    counts(page.locator(".verdict.right"), 1)
    shows(page, ".training .minus", "0")
    page.click("text=Leave >> nth=0")


def test_a_form_that_is_open_by_then_stays(floor: Floor, faults: list[Any]) -> None:
    """The answer to one step closes the form of that step, not of the next one."""
    page = floor.page("dealer", "#/training")
    page.select_option("#train-rulebook", "nsw-pontoon")
    page.click("text=Begin")
    page.wait_for_selector("[data-step=shuffle]")
    said = Slow(page, "**/api/training/*")
    page.click("[data-step=shuffle]")
    said.wait(1)
    page.click("[data-step=offer-cut]")
    page.wait_for_selector(".train-steps form")
    said.let_go()
    page.wait_for_selector(".training progress[value='1']")
    page.wait_for_timeout(200)
    counts(page.locator(".train-steps form"), 1)
    page.click("text=Leave >> nth=0")


def test_a_training_that_is_fetched_does_not_take_the_place_of_a_new_one(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("dealer", "#/training")
    page.fill("#train-seed", "old")
    page.click("text=Begin")
    page.wait_for_selector("[data-fact=seed] >> text=old")
    fetched = Slow(page, "**/api/training/*", "GET")
    page.reload()
    fetched.wait()
    page.wait_for_timeout(300)
    assert page.locator("text=Begin").count() == 0, "he has begun, and sees it in a moment"
    fetched[0].continue_()
    page.wait_for_selector("[data-fact=seed] >> text=old")
    page.click("text=Leave >> nth=0")


# --- what is old is not taken for new ---


def test_an_older_answer_does_not_replace_a_newer_one(floor: Floor, faults: list[Any]) -> None:
    """The floor is asked again and again, but by nobody who waits for an answer: so none of them can be overtaken."""
    table = floor.open_table("nsw-pontoon")
    page = floor.page("supervisor", "#/tables")
    card = f"[aria-label^='Watch at Table {table}']"
    page.wait_for_selector(card)
    waiting = Slow(page, "**/api/tables", "GET")
    waiting.wait()
    page.wait_for_timeout(6000)
    assert len(waiting) == 1, "who is not answered does not ask again and again"
    floor.ask("supervisor", f"/api/tables/{table}/close", {"id": f"close-{table}"})
    waiting.let_go()
    page.wait_for_selector(card, state="detached")


def test_a_matrix_is_shown_under_its_own_rulebook_only(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("inspector", "#/matrix")
    page.wait_for_selector(".matrix td")
    waiting = Slow(page, "**/api/matrix?*", "GET")
    page.select_option("#matrix-book", "canberra-pontoon-2002")
    waiting.wait()
    assert page.locator(".matrix td").count() == 0
    waiting[0].continue_()
    page.wait_for_selector(".matrix td")


def test_what_could_not_be_reached_is_asked_again(floor: Floor, faults: list[Any]) -> None:
    """The rulebook did not come while the line was bad; the felt has its letters once it is good."""
    table = floor.open_table("nsw-pontoon")
    page = floor.context("supervisor").new_page()
    page.route("**/api/tables/*/rulebook", lambda route: route.abort(), times=1)
    page.route("**/api/matrix*", lambda route: route.abort(), times=1)
    page.goto(f"{floor.address}/#/table/{table}")
    page.wait_for_selector(".felt")
    page.wait_for_selector(".lettering")
    page.wait_for_selector(".act-head")
    assert page.locator(".supervise > .problem").count() == 0
    page.close()


def test_a_ruling_is_shown_for_what_happened_only(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("dealer", f"#/table/{table}")
    page.click("#tab-wrong")
    page.wait_for_selector(".act-head")
    head = page.locator(".act-head", has_text="A card was drawn in error").first
    head.click()
    page.wait_for_selector(".ruling[data-situation] .ruling-steps")
    first = page.get_attribute(".ruling", "data-situation")
    options = page.locator(".ruling select option").evaluate_all("all => all.map((each) => each.value)")
    other = next(each for each in options if each != first)
    waiting = Slow(page, "**/situations/*")
    page.select_option(".ruling select", other)
    waiting.wait()
    assert page.locator(".ruling-steps").count() == 0
    reads(page, ".ruling", "Reading…")
    waiting[0].continue_()
    page.wait_for_selector(f".ruling[data-situation='{other}']")


def test_the_past_says_that_it_is_not_here_yet(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.play_round(table, "alice")
    page = floor.page("inspector", f"#/table/{table}/at/3")
    page.wait_for_selector(".table-page[data-version='3'] .moment >> text=Round")
    waiting = Slow(page, "**/at/*", "GET")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("h1 >> text=version 5")
    says(page, ".table-page", "aria-busy", "true")
    shows(page, ".moment", "Looking for version 5…")
    waiting.let_go()
    page.wait_for_selector(".table-page[data-version='5'][aria-busy=false] .moment >> text=Round")


def test_a_link_to_where_one_came_in_leads_back_there(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.play_round(table, "alice")
    page = floor.page("inspector", f"#/table/{table}/at/3")
    page.wait_for_selector(".table-page[data-version='3']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".table-page[data-version='4']")
    page.evaluate(f"location.hash = '#/table/{table}/at/3'")
    page.wait_for_selector(".table-page[data-version='3']")


def test_the_record_that_was_asked_for_last_is_replayed(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("inspector", "#/replay")
    page.wait_for_selector("#round-text")
    text = 'title = "{}"\nrulebook = "nsw-pontoon"\ncards = "6s 9h 5d Kc"\nplay = ["alice bets 25 on 1"]\n'
    waiting = Slow(page, "**/api/replay")
    for title in ("first", "second"):
        page.fill("#round-text", text.format(title))
        page.click("form >> text=Replay")
    waiting.wait(2)
    for route in reversed(waiting):
        route.continue_()
        page.wait_for_timeout(300)
    shows(page, ".table-head h1", re.compile("^second$", re.IGNORECASE))


# --- lines that break ---


def test_who_is_ready_is_ready_after_a_broken_line_too(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "selma")
    wager(page, 3)
    page.click("[data-do=place]")
    page.wait_for_selector("[data-do=ready]")
    line(page, MUTE)
    page.keyboard.press("g")
    page.wait_for_selector(".dock-state >> text=You are ready")
    line(page, "live.socket.close();")
    page.wait_for_selector(".table-page:not([data-phase=wagers]), .table-page[data-round='2']", timeout=5000)


def test_the_rest_of_the_wagers_is_not_placed_in_the_next_round(floor: Floor, faults: list[Any]) -> None:
    """The answer to the first of them comes when the round that they were for is over."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    page = sit_down(floor, table, "sigrid")
    line(page, DEAF)
    for box in (2, 4, 6):
        wager(page, box)
    page.click("[data-do=place]")
    until(lambda: placed(floor, table, "sigrid"))
    go_away(page)
    floor.deal_out(table, "sigrid")
    line(page, BACK)
    page.wait_for_selector(".table-page[data-round='2']")
    page.wait_for_selector("[data-do=place] >> text=Place $10")
    assert len(placed(floor, table, "sigrid")) == 1


def test_a_line_that_never_opens_is_given_up(floor: Floor, faults: list[Any]) -> None:
    """The network swallows everything: the browser would wait for minutes."""
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "sixten")
    page.evaluate(
        """() => {
          const Real = WebSocket;
          let made = 0;
          window.WebSocket = class {
            constructor(address) {
              if (++made > 1) return new Real(address);
              this.readyState = 0;
            }
            close() { this.readyState = 3; }
          };
        }"""
    )
    line(page, "live.socket.close();")
    page.wait_for_selector(".banner")
    page.wait_for_timeout(1000)
    page.click("text=Try now")
    page.wait_for_selector(".banner", state="detached", timeout=5000)


def test_a_table_that_closed_meanwhile_is_closed_on_the_page(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "sture")
    go_away(page)
    floor.ask("supervisor", f"/api/tables/{table}/close", {"id": f"close-{table}"})
    line(page, BACK)
    page.wait_for_selector("text=/closed|no table/i", timeout=5000)


@pytest.fixture(scope="module")
def staffed(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SetUpFloor]:
    for address in started(tmp_path_factory.mktemp("slow")):
        found = SetUpFloor(address, browser, {"petra": "player", "paul": "player", "sue": "supervisor"})
        yield found
        found.close()


def test_an_account_is_made_once(staffed: SetUpFloor) -> None:
    page = staffed.page("ada", "#/accounts")
    page.click("text=New account")
    page.fill("#new-name", "nils")
    page.fill("#new-password", PASSWORD)
    waiting = Slow(page, "**/api/accounts")
    press_again(page, "text=Create account")
    waiting.wait()
    waiting.let_go()
    page.wait_for_selector(".done >> text=nils can log in now")
    page.wait_for_timeout(300)
    assert page.locator(".page > .problem").count() == 0
    page.click("[aria-label='Disable nils']")
    waiting = Slow(page, "**/disable")
    press_again(page, "text=Disable it")
    waiting.wait()
    page.keyboard.press("Escape")
    page.click("text=New account")
    page.fill("#new-name", "nora")
    waiting[0].continue_()
    page.wait_for_selector(".done >> text=nils is disabled.")
    assert page.input_value("#new-name") == "nora", "the answer to another dialog does not close this one"


def test_a_page_is_of_whoever_has_logged_in(staffed: SetUpFloor) -> None:
    """The session of this page ends, and before it looks somebody else has logged in, in another tab."""
    sue = staffed.page("sue")
    opening = {"rulebook": "nsw-pontoon", "name": "Tabs"}
    staffed.post(sue.context, "/api/tables", {"id": "open-tabs", "table": "tabs", "opening": opening})
    page = staffed.page("petra", "#/table/tabs")
    page.wait_for_selector(".chip-rail")
    looks = Slow(page, "**/api/setup", "GET")
    staffed.post(page.context, "/api/logout", {})
    looks.wait(or_more=True)
    staffed.post(page.context, "/api/login", {"name": "paul", "password": PASSWORD})
    looks.let_go()
    page.wait_for_selector(".who-am-i >> text=paul")
    page.wait_for_selector(".chip-rail")
    wager(page, 3)
    page.click("[data-do=place]")
    page.wait_for_selector(".seat.mine .wager.own")


def test_a_late_answer_to_a_session_that_is_over_does_not_end_the_next(staffed: SetUpFloor) -> None:
    page = staffed.page("petra")
    page.wait_for_selector("h1 >> text=Choose a table")
    waiting = Slow(page, "**/api/tables", "GET")
    waiting.wait()
    staffed.post(page.context, "/api/logout", {})
    answer = waiting[0].fetch()
    assert answer.status == 401
    page.evaluate("import('./js/api.js').then(({ get }) => get('/api/me').catch(() => {}))")
    page.wait_for_selector(".problem >> text=Your session is over")
    waiting.is_over = True
    page.fill("#login-name", "petra")
    page.fill("#login-password", PASSWORD)
    page.click("button >> text=Log in")
    page.wait_for_selector(".who-am-i")
    waiting[0].fulfill(response=answer)
    page.wait_for_timeout(500)
    counts(page.locator(".who-am-i"), 1)


def test_whoever_was_away_for_long_is_not_told_of_an_old_round(floor: Floor, faults: list[Any]) -> None:
    """More has happened than is told: the last round is the one that was last."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("player", f"#/table/{table}", "signe")
    floor.play_round(table, "signe", cents=500)
    page.wait_for_selector(".table-page[data-round='2'][data-calm=yes]")
    go_away(page)
    for _ in range(12):
        floor.play_round(table, "signe", cents=2500)
    rounds = floor.ask("player", f"/api/tables/{table}/rounds", None, "signe")
    last = rounds[-1]["net_cents"]["signe"]
    line(page, BACK)
    page.wait_for_selector(f".table-page[data-round='{len(rounds) + 1}']")
    brought = f"[+−]\\${abs(last) / 100:g}" if last else "even"
    shows(page, ".money div:has(dt:text('Last round')) dd", re.compile(brought))


def test_an_answer_that_breaks_off_is_no_answer(floor: Floor, faults: list[Any]) -> None:
    """The line breaks in the middle of a list: it is not an empty one."""
    table = floor.open_table("nsw-pontoon")
    page = floor.page("supervisor", "#/tables")
    page.wait_for_selector(f"text=Table {table}")
    page.evaluate(
        """() => {
          const real = window.fetch;
          const body = () => new ReadableStream({ start: (flow) => flow.error(new TypeError("network error")) });
          window.fetch = (path, asked) =>
            path === "/api/tables" && !window.good
              ? Promise.resolve(new Response(body(), { headers: { "Content-Type": "application/json" } }))
              : real(path, asked);
        }"""
    )
    page.wait_for_selector(".problem >> text=cannot be reached")
    assert page.locator(f"text=Table {table}").count() > 0
    page.evaluate("window.good = true")
    page.wait_for_selector(".problem", state="detached")


def test_a_wager_that_is_refused_is_told_to_whoever_has_gone_on(floor: Floor, faults: list[Any]) -> None:
    """He left the table before the answer came, and takes his wager for placed."""
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "sissel")
    line(page, SLOW)
    page.click("[aria-label='Chip of $1']")
    wager(page, 2)
    page.click("[data-do=place]")
    page.goto(f"{floor.address}/#/tables")
    page.wait_for_selector("h1 >> text=Choose a table")
    line(page, LET_GO)
    reads(page, ".own-answer", f"Table {table}: NSW pontoon 6.1, 6.4: the minimum is $5.00")
    page.click(".own-answer >> [aria-label=Dismiss]")
    page.wait_for_selector(".own-answer", state="detached")


def test_a_step_whose_answer_was_lost_is_not_held_against_a_trainee(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("dealer", "#/training")
    page.fill("#train-seed", "lost")
    page.click("text=Begin")
    page.wait_for_selector("[data-step=shuffle]")
    said = Slow(page, "**/api/training/*")
    page.click("[data-step=shuffle]")
    said.wait()
    said[0].fetch()
    said[0].abort()
    page.wait_for_selector(".training progress[value='1']")
    page.click("text=Leave >> nth=0")
    faults.clear()


def test_a_form_without_an_answer_says_so_after_a_while(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = floor.context("supervisor").new_page()
    page.clock.install()
    floor.watch(page)
    page.goto(f"{floor.address}/#/tables")
    page.get_by_role("button", name=f"Close Table {table}", exact=True).click()
    waiting = Slow(page, "**/api/tables/*/close")
    page.click("text=Close the table")
    waiting.wait()
    page.clock.fast_forward(61_000)
    page.wait_for_selector(".problem >> text=it may or may not have been done")
    faults.clear()
