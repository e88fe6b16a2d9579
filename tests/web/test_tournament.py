"""Tournaments in the browser: the manager's page, a player in one, the dealer's order and forms, and the wall."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pitboss.rulebooks import load
from pitboss.tournament.paper import template
from tests.web.floor import DESK, PHONE, Floor, counts, reads, resize, shows
from tests.web.test_accessibility import faults_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

NSW = "nsw-pontoon"
MANAGER = "tournament-manager"
_ids = itertools.count(1)


class Cup:
    """A tournament of one table: people and bots, seats drawn, and the session begun."""

    def __init__(self, floor: Floor, people: list[str], bots: list[str], dealer: str = "house", **more: Any) -> None:
        self.floor, self.name = floor, f"cup-{next(_ids)}"
        data: dict[str, Any] = msgspec.to_builtins(tomllib.loads(template(load(NSW))))
        data |= {"title": f"May {self.name}", "manager": "demo", "start": "2020-03-05T19:00:00"}
        data["entry"] = {key: value for key, value in data["entry"].items() if key != "closes"} | {"minimum": 2}
        data["stages"] = [{"name": "final", "kind": "final", "tables": 1, "rounds": 3, "advance": 0}]
        data["wagers"] |= {"minimum": 25, "maximum": 500, "seconds": 0}
        data["conduct"] |= more
        body = {"tournament": self.name, "conditions": data, "dealer": dealer, "pace_ms": 1}
        self.ask("/api/tournaments", body)
        for name in people:
            floor.context("player", name)
        for name in (*people, *bots):
            self.act("give-copy", name=name)
            self.act("apply", name=name)
            self.act("pay-fee", name=name, cents=10_000)
        self.act("commit-draws")
        self.act("designate-tables", tables=[{"table": "Table 1"}])

    def ask(self, path: str, body: dict[str, Any]) -> Any:
        return self.floor.ask(MANAGER, path, {"id": f"cup-{next(_ids)}", **body})

    def act(self, what: str, /, **fields: Any) -> Any:
        return self.ask(f"/api/tournaments/{self.name}/acts", {"act": {"act": what, **fields}})

    def begin(self) -> str:
        """Draw, seat everybody, and begin; the id of the table."""
        self.act("close-entries")
        self.act("draw-seats", stage="final")
        for seat in self.told()["wall"]["tables"][0]["seats"]:
            self.act("come-to-seat", name=seat["name"])
        self.act("start-session", stage="final")
        return str(self.told()["wall"]["tables"][0]["floor_table"])

    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = self.floor.ask(MANAGER, f"/api/tournaments/{self.name}")
        return found


RESULTS_TOLD = r"""() => {
    const told = [...document.querySelectorAll(".results .result")].map((each) => each.textContent.trim());
    return told.length === 2 && told.every((each) => /^[+\u2212]\d|^stand off$/.test(each));
}"""
"""Both hands of a table have the amount, or that they stand off, beside them."""


def do(page: Page, act: str) -> None:
    """An act as its form begins."""
    page.locator(f"details[data-act={act}]").evaluate("form => (form.open = true)")
    page.click(f"details[data-act={act}] button")


@pytest.fixture
def cup(floor: Floor) -> Iterator[type[Cup]]:
    yield Cup


def test_conditions_are_written_and_entries_opened_on_the_page(floor: Floor, faults: list[Any]) -> None:
    page = floor.page(MANAGER, f"#/tournaments/new/{NSW}", viewport=DESK)
    page.wait_for_selector(".cup-missing >> text=Who conducts the tournament")
    assert page.is_disabled("button >> text=Open entries")
    counts(page.locator(".cup-conditions .cup-clause", has_text="20.4.2(a)"), 1)
    assert faults_of(page) == []
    page.fill("#cup-all-manager", "Mary")
    page.wait_for_selector(".cup-judged .done")
    page.fill("#cup-entry-fee", "")
    page.wait_for_selector(".cup-missing >> text=20.4.2(a)")
    page.fill("#cup-entry-fee", "50")
    page.fill("#cup-id", "page-cup")
    page.wait_for_selector("button:enabled >> text=Open entries")
    page.click("button >> text=Open entries")
    page.wait_for_selector(".cup-page[data-status=entries]")
    assert faults_of(page) == []
    page.click("details[data-act=apply] summary")
    page.fill("#cup-apply-name", "nobody-yet")
    page.keyboard.press("Enter")
    page.wait_for_selector("details[data-act=apply] .done")
    page.wait_for_selector("#tab-people >> text=Entrants (1)")
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_the_manager_runs_a_table_to_its_prizes_and_the_wall_shows_it(
    floor: Floor, faults: list[Any], cup: type[Cup]
) -> None:
    it = cup(floor, [], ["bot-one", "bot-two", "bot-three"], undisclosed=0)
    wall = floor.browser.new_context(viewport={"width": 1600, "height": 900}).new_page()  # type: ignore[arg-type]
    wall.goto(f"{floor.address}/wall.html?{it.name}")
    shows(wall, ".wall-stage", "Entries are open")
    page = floor.page(MANAGER, f"#/tournaments/{it.name}", viewport=DESK)
    do(page, "close-entries")
    page.wait_for_selector(".cup-page[data-status=closed]")
    do(page, "draw-seats")
    page.wait_for_selector(".cup-table >> text=not here yet")
    page.click("#tab-draws")
    page.wait_for_selector(".cup-proof code >> nth=1")
    for seat in it.told()["wall"]["tables"][0]["seats"]:
        it.act("come-to-seat", name=seat["name"])
    page.click("#tab-board")
    do(page, "start-session")
    wall.wait_for_selector(".wall-table .chips")
    page.wait_for_selector("details[data-act=conclude-session].main")
    assert faults_of(page) == [] and faults_of(wall) == []
    do(page, "conclude-session")
    page.wait_for_selector("details[data-act=return-chips].main")
    do(page, "return-chips")
    page.wait_for_selector("details[data-act=announce].main")
    while it.told()["wall"]["stages"][0]["state"] != "done":  # a tie is played off first
        tables = it.told()["wall"]["tables"]
        if all(each["status"] == "returned" for each in tables):
            it.act("announce", stage="final")
        elif any(each["status"] == "drawn" for each in tables):
            it.act("start-session", stage="final")
        for each in tables:
            if each["status"] == "playing" and each["is_over"]:
                it.act("conclude-session", table=each["table"])
            elif each["status"] == "counted":
                it.act("return-chips", table=each["table"])
    do(page, "award-prizes")
    page.wait_for_selector(".cup-waiting >> text=Award the prizes")
    second = floor.page("gaming-manager", f"#/tournaments/{it.name}", viewport=DESK)
    second.click(".cup-waiting button >> text=Approve")
    second.wait_for_selector(".cup-page[data-status=ended]")
    wall.wait_for_selector(".wall-winner b")
    assert faults_of(wall) == [] and "cash" not in wall.content()
    second.click("#tab-money")
    shows(second, ".panels .panel:first-of-type tr:last-of-type td", "$0")
    second.click("#tab-papers")
    counts(second.locator(".cup-papers li"), 6)
    assert faults_of(second) == []
    second.goto(f"{floor.address}/api/tournaments/{it.name}/papers/results")  # the door lets its style through
    assert second.evaluate("getComputedStyle(document.querySelector('table')).borderCollapse") == "collapse"
    assert faults_of(second) == []
    wall.context.close()


def test_a_player_sees_seat_stack_and_rank_and_wagers_in_turn(floor: Floor, faults: list[Any], cup: type[Cup]) -> None:
    """NSW 20.9.4: the marker, whose turn it is, and the wager of whoever looks; a pass card instead (20.7.1)."""
    it = cup(floor, ["mona"], ["bot-four", "bot-five"], undisclosed=0, pass_cards=3)
    page = floor.page("player", f"#/tournaments/{it.name}", "mona", viewport=PHONE)
    page.wait_for_selector(".cup-own >> text=You have entered")
    table = it.begin()
    page.wait_for_selector(".cup-own >> text=Table 1, box")
    assert faults_of(page) == []
    page.click("text=Go to your table")
    page.wait_for_selector(".cup-order .cup-marker")
    page.wait_for_selector(".cup-order li.turn.me")
    assert faults_of(page) == []
    shows(page, ".sign strong", "25 to 500")  # chips are no money (20.6.1): no dollar sign at their table
    page.click("#tab-history")
    page.wait_for_selector(".history li >> nth=0")
    assert "$" not in page.inner_text("main")
    page.click("text=Play a pass card (3 left)")
    page.wait_for_selector("text=Play a pass card (2 left)")  # in the next round, once it is their turn
    assert table in page.url
    page.goto(f"{floor.address}/#/tournaments/{it.name}")
    page.wait_for_selector(".cup-own dd >> text=/\\d of 3/")
    page.wait_for_selector(".cup-needs >> text=/You lead by|behind the first|level with the first/")  # it is a final


def test_a_hidden_wager_goes_past_the_dealer_to_whoever_examines_it(
    floor: Floor, faults: list[Any], cup: type[Cup]
) -> None:
    """NSW 20.8.2: written by the player, examined by a supervisor, seen by nobody else; the dealer has the order."""
    it = cup(floor, ["nina", "owen"], [], "person", undisclosed=2, pass_cards=0)
    table = it.begin()
    floor.prepare(table)
    dealer = floor.page("dealer", f"#/table/{table}", viewport=DESK)
    dealer.wait_for_selector(".cup-order li.turn")
    turn = floor.state("dealer", table)["view"]["session"]["turn"]
    page = floor.page("player", f"#/table/{table}", turn, viewport=DESK)
    page.fill("#form-amount", "375")
    assert faults_of(page) == [] and faults_of(dealer) == []
    page.click("text=Hand in the form")
    shows(page, ".cup-written", "Your form: Original, 375. Nobody at the table knows before the round is over.")
    dealer.wait_for_selector(".cup-order >> text=form to be examined")
    supervisor = floor.page("supervisor", f"#/table/{table}", viewport=DESK)
    supervisor.wait_for_selector(".cup-form >> text=375")
    supervisor.click("text=It is in order")
    dealer.wait_for_selector(".cup-order >> text=indicator placed")
    assert "375" not in dealer.inner_text("body") and faults_of(supervisor) == []
    assert "37500" not in str(floor.state("dealer", table)) + str(floor.state(MANAGER, table))
    (other,) = {"nina", "owen"} - {turn}
    box = next(seat["box"] for seat in it.told()["wall"]["tables"][0]["seats"] if seat["name"] == other)
    floor.act("player", table, other, act="PlaceWager", player=other, box=box, cents=2500)
    floor.act("dealer", table, act="Deal")
    while (now := floor.state("dealer", table))["view"]["phase"] != "wagers":
        closing = [act for act in now["legal"] if act["act"].startswith("Close")]
        if closing:
            floor.act("dealer", table, **closing[0])
        else:
            assert floor.decide(table, turn) or floor.decide(table, other), now["waiting"]
    for each in (dealer, page):  # what was written is paid or taken in sight of everybody, and told as an amount
        each.wait_for_function(RESULTS_TOLD)


def of_tables(number: int) -> dict[str, Any]:
    """What the wall shows of so many tables of seven."""
    seats = [
        {
            "box": box,
            "name": f"player-{box}",
            "chips_cents": 100_000 - box,
            "rank": box,
            "status": "in",
            "advances": "no",
        }
        for box in range(1, 8)
    ]
    limits = {"minimum_cents": 2500, "maximum_cents": 50_000, "next_minimum_cents": 5000, "next_maximum_cents": 50_000}
    tables = [
        limits
        | {
            "key": f"heats/T{at}",
            "table": f"Table {at}",
            "floor_table": f"t{at}",
            "stage": "heats",
            "status": "playing",
        }
        | {"play_off": False, "round": 2, "rounds": 8, "next_round": 5, "advance": 1, "began_ms": 1, "ends_ms": 0}
        | {"is_over": False, "disputed": False, "seats": seats}
        for at in range(1, number + 1)
    ]
    leaders = [{"name": seat["name"], "table": "Table 1", "chips_cents": seat["chips_cents"]} for seat in seats]
    return {
        "id": "made-up", "title": "A large cup", "rulebook": "NSW pontoon", "status": "playing", "stage": "heats",
        "now_ms": 1, "break_until_ms": 0, "start": "", "players": 7 * number, "left": 7 * number, "pool_cents": 100,
        "seconds": 0, "stages": [], "tables": tables, "leaders": leaders, "placed": [], "said": [],
    }  # fmt: skip


@pytest.mark.parametrize(("number", "pages", "shown"), [(3, 0, 3), (9, 2, 3), (72, 3, 30)])
def test_the_wall_shows_every_table_page_after_page_and_nothing_below_the_edge(
    floor: Floor, number: int, pages: int, shown: int
) -> None:
    context = floor.browser.new_context(viewport={"width": 1440, "height": 810})  # type: ignore[arg-type]
    page = context.new_page()
    page.clock.install(time=0)
    told = of_tables(number)
    page.route("**/api/wall/made-up", lambda route: route.fulfill(json=told))
    page.goto(f"{floor.address}/wall.html?made-up")
    each = ".wall-compact p" if number > 12 else ".wall-table"
    page.wait_for_selector(each)
    fits = "document.documentElement.scrollHeight <= innerHeight"
    assert page.evaluate(fits)
    if pages:
        shows(page, ".wall-page", f"Page 1 of {pages}")
        told["now_ms"] = 9000  # the house's clock, which the page hears of when it asks again
        page.clock.run_for(2500)
        shows(page, ".wall-page", f"Page 2 of {pages}")
        assert page.evaluate(fits)
    counts(page.locator(each), shown)
    context.close()


def test_the_manager_allots_the_seats_and_no_low_limit_table_is_designated(floor: Floor) -> None:
    """NSW pontoon 20.5.4, 6.7.1: who sits where is written down on the page, one player a line."""
    it = Cup(floor, [], ["bot-one", "bot-two"], seats="manager")
    page = floor.page(MANAGER, f"#/tournaments/{it.name}", viewport=DESK)
    page.click("details[data-act=designate-tables] summary")
    page.fill("#cup-designate-tables-tables", "Table 1, 7 boxes\nTable 2, low limit")
    page.click("details[data-act=designate-tables] button")
    reads(page, "details[data-act=designate-tables]", "6.7.1")
    do(page, "close-entries")
    page.wait_for_selector(".cup-page[data-status=closed]")
    page.click("details[data-act=allot-seats] summary")
    page.fill("#cup-allot-seats-seats", "bot-one: Table 1, 5\nbot-two: Table 1, box 2")
    page.click("details[data-act=allot-seats] button")
    page.wait_for_selector("details[data-act=come-to-seat]")
    page.click("details[data-act=come-to-seat] summary")
    page.check("details[data-act=come-to-seat] label >> text=All of them")
    page.click("details[data-act=come-to-seat] button")
    shows(page.locator(".cup-seats li", has_text="One"), None, re.compile("in their seat"))
    found = {seat["name"]: (seat["box"], seat["status"]) for seat in it.told()["wall"]["tables"][0]["seats"]}
    assert found == {"bot-one": (5, "seated"), "bot-two": (2, "seated")}
