"""An act whose answer does not come is said again with the same id, here or at another server, or given up aloud."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.server.disturbing import Cluster
from tests.store.servers import execute, postgres
from tests.web.floor import QUICK, Floor, reads, says
from tests.web.test_player import sit_down, wager

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DEAF = "live.socket.onmessage = () => {};"
"""What is said arrives, and no answer comes back."""
MUTE = "live.socket.send = () => {};"
"""What is said does not arrive."""
BACK = "live.retryNow();"
SLOW = """
    const send = live.socket.send.bind(live.socket);
    let wagers = 0;
    live.held = [];
    live.socket.send = (text) => {
      if (text.includes("PlaceWager") && ++wagers > 1) live.held = [...live.held, () => send(text)];
      else send(text);
    };
"""
"""The first wager arrives; those after it wait until they are let go."""
LET_GO = "live.held.shift()();"
NOBODY_KNOWS = (
    "Place wager: no answer came, so it may or may not have been done; check the table before you do it again."
)


def line(page: Page, does: str) -> Any:
    """Do something to the page's line to the floor."""
    return page.evaluate(f"import('./js/live.js').then(({{ live }}) => {{ {does} }})")


def go_away(page: Page) -> None:
    """The connection is lost, and stays so until somebody tries again."""
    line(page, "live.wait = 600000; live.socket.close();")
    page.wait_for_selector(".banner >> text=lost")


def come_back(page: Page) -> None:
    """The connection is tried anew, and is there when this returns."""
    line(page, BACK)
    page.wait_for_selector(".banner", state="detached")


def knows_others(page: Page) -> None:
    """The page has been told where else the floor is."""
    page.wait_for_function("() => import('./js/live.js').then(({ live }) => live.servers.length > 0)")


def said(page: Page) -> list[dict[str, Any]]:
    """Everything that the page says from now on."""
    found: list[dict[str, Any]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: found.append(json.loads(frame))))
    return found


def placed(floor: Floor, table: str, name: str) -> list[int]:
    """The wagers that somebody has made at a table, by version."""
    events = floor.ask("inspector", f"/api/tables/{table}/events?limit=500")
    return [each["version"] for each in events if each["event"]["event"] == "WagerPlaced" and each["by"] == name]


def until(holds: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.1)


def place(page: Page, box: int = 3) -> None:
    wager(page, box)
    page.click("[data-do=place]")


def no_word(page: Page) -> None:
    assert page.locator(".toast").count() == 0, page.inner_text(".toast")


@pytest.mark.parametrize("how", [DEAF, MUTE])
def test_an_act_is_said_again_when_the_socket_is_back(floor: Floor, faults: list[Any], how: str) -> None:
    """After the table is watched again, with the same id, and it is done once."""
    name = "una" if how == DEAF else "uma"
    table = floor.open_table("nsw-pontoon")
    page = floor.context("player", name).new_page()
    heard = said(page)
    floor.watch(page)
    page.goto(f"{floor.address}/#/table/{table}")
    page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
    line(page, how)
    place(page)

    def told() -> list[dict[str, Any]]:
        page.wait_for_timeout(50)  # what the browser has to tell of its line is heard meanwhile
        return [each for each in heard if each["do"] != "ping"]

    if how == DEAF:
        until(lambda: placed(floor, table, name))
        until(lambda: any(each["do"] == "act" for each in told()))
    else:
        page.wait_for_timeout(300)
    assert page.locator("[data-do=place]").count() == 0
    first = [each for each in told() if each["do"] == "act"]
    before = len(told())
    line(page, "live.socket.close();")
    page.wait_for_selector(".seat.mine .wager.own")
    page.wait_for_selector("[data-do=ready]")
    until(lambda: len(told()) >= before + 2)
    again = told()[before:]
    assert [each["do"] for each in again] == ["watch", "act"]
    assert again[1:] == first or not first, "the same words and the same id"
    assert len(placed(floor, table, name)) == 1
    no_word(page)


def test_several_acts_are_said_again_in_their_order(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "ute")
    line(page, MUTE)
    for box in (6, 2, 4):
        line(page, f"live.act('{table}', {{ act: 'PlaceWager', box: {box}, cents: 500 }});")
    line(page, "live.socket.close();")
    page.wait_for_function("() => document.querySelectorAll('.seat.mine .wager.own').length === 3")
    told = floor.ask("inspector", f"/api/tables/{table}/events?limit=500")
    assert [each["event"]["box"] for each in told if each["event"]["event"] == "WagerPlaced"] == [6, 2, 4]


def test_nobody_is_dealt_in_with_a_part_of_his_wagers(floor: Floor, faults: list[Any]) -> None:
    """While some wagers are on their way nothing else can be begun, neither by a button nor by a key."""
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "umberto")
    line(page, SLOW)
    for box in (2, 4, 6):
        wager(page, box)
    page.click("[data-do=place]")
    for lying in (1, 2):
        page.wait_for_function(
            "(lying) => document.querySelectorAll('.seat.mine .wager.own').length === lying"
            " && document.querySelector('.betting-hint').innerText === 'Placing $15…'",
            arg=lying,
        )
        assert page.locator(".betting .buttons button").count() == 0
        for key in ("g", "a", "Escape", "Enter"):
            page.keyboard.press(key)
        page.wait_for_timeout(200)
        says(page, ".table-page", "data-phase", "wagers")
        line(page, LET_GO)
    page.wait_for_selector("[data-do=ready]")
    page.keyboard.press("g")
    page.wait_for_function("() => document.querySelectorAll('.seat.mine .hand').length === 3")


def test_an_act_that_comes_too_late_is_refused_as_any_other(floor: Floor, faults: list[Any]) -> None:
    """The same round, but no more bets by now."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    page = sit_down(floor, table, "ulla")
    floor.act("player", table, "bob", act="PlaceWager", player="bob", box=6, cents=500)
    line(page, MUTE)
    place(page)
    go_away(page)
    floor.act("dealer", table, act="CallNoMoreBets")
    line(page, BACK)
    reads(page, ".toast.refused", "NSW pontoon ")
    assert placed(floor, table, "ulla") == []


def test_an_act_meant_for_one_round_is_not_done_in_the_next(floor: Floor, faults: list[Any]) -> None:
    """The wager never arrived, and the round that it was for is over."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    page = sit_down(floor, table, "uri")
    line(page, MUTE)
    place(page)
    go_away(page)
    floor.play_round(table, "bob")
    line(page, BACK)
    toast = page.wait_for_selector(".toast.denied")
    assert toast is not None
    assert NOBODY_KNOWS in toast.inner_text()
    page.wait_for_selector(".table-page[data-round='2']")
    page.wait_for_timeout(500)
    assert placed(floor, table, "uri") == []


def test_an_act_that_was_done_is_known_to_be_done_after_its_round(floor: Floor, faults: list[Any]) -> None:
    """The wager arrived, its answer did not, and the round went on to its end: said again it gets that answer."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    page = sit_down(floor, table, "udo")
    line(page, DEAF)
    place(page)
    until(lambda: placed(floor, table, "udo"))
    go_away(page)
    floor.deal_out(table, "udo")
    line(page, BACK)
    page.wait_for_selector(".table-page[data-round='2']")
    page.wait_for_function("() => import('./js/live.js').then(({ live }) => live.unanswered.size === 0)")
    assert len(placed(floor, table, "udo")) == 1
    no_word(page)


def test_an_act_that_nobody_answers_is_given_up_aloud_and_never_said_again(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "ugo")
    assert page.evaluate("import('./js/live.js').then(({ live }) => live.patience)") == 20_000
    line(page, "live.patience = 4000;" + MUTE)
    place(page)
    page.wait_for_timeout(300)
    no_word(page)
    reads(page, ".toast.denied", NOBODY_KNOWS)
    assert page.locator("[data-do=place]").count() == 0, "the chips are not laid again by themselves"
    line(page, "live.patience = 20000;")
    go_away(page)
    come_back(page)
    page.wait_for_timeout(500)
    assert placed(floor, table, "ugo") == []
    place(page)
    page.wait_for_selector(".seat.mine .wager.own")


def test_a_line_that_is_silent_after_an_act_is_tried_anew(floor: Floor, faults: list[Any]) -> None:
    """The browser takes a dead line for open; an act without an answer is reason enough to ask."""
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "ursa")
    line(page, MUTE)
    place(page)
    page.wait_for_selector(".seat.mine .wager.own", timeout=18_000)
    no_word(page)


def test_an_act_goes_on_while_its_player_looks_elsewhere(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "uwe")
    line(page, MUTE)
    place(page)
    page.goto(f"{floor.address}/#/tables")
    page.wait_for_selector("h1 >> text=Choose a table")
    line(page, "live.socket.close();")
    until(lambda: placed(floor, table, "uwe"))
    page.wait_for_function("() => import('./js/live.js').then(({ live }) => live.watching.size === 0)")
    page.goto(f"{floor.address}/#/table/{table}")
    page.wait_for_selector(".seat.mine .wager.own")


@pytest.mark.parametrize("whose", ["ulf", "somebody-else"])
def test_only_ones_own_acts_are_brought_along(floor: Floor, faults: list[Any], whose: str) -> None:
    """What the page of another server left for this one counts for whoever asked for it, and once."""
    table = floor.open_table("nsw-pontoon")
    floor.act("player", table, "ulf", act="TakeSeat", player="ulf", box=1)
    context = floor.context("player", "ulf")
    act = {"act": "PlaceWager", "box": 3, "cents": 500}
    kept = {"name": whose, "table": table, "id": f"kept-{whose}", "act": act, "round": 1, "seen": 1}
    kept["until"] = int(time.time() * 1000) + 15_000
    context.add_cookies([{"name": "pitboss-acts", "value": quote(json.dumps([kept])), "url": floor.address}])
    page = sit_down(floor, table, "ulf")
    if whose == "ulf":
        page.wait_for_selector(".seat.mine .wager.own")
        assert "pitboss-acts" not in page.evaluate("document.cookie")
    page.wait_for_timeout(500)
    assert len(placed(floor, table, "ulf")) == (whose == "ulf")
    no_word(page)
    context.clear_cookies(name="pitboss-acts")


@pytest.mark.parametrize("what", ["too long to take along", "too late"])
def test_an_act_that_is_not_said_at_the_other_server_is_told_there(floor: Floor, faults: list[Any], what: str) -> None:
    """The page comes anew, as at another server, and says that nobody knows."""
    name = "urs" if what == "too late" else "uta"
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, name)
    long = "'x'.repeat(5000)" if what == "too long to take along" else "'original'"
    ask = f"live.act('{table}', {{ act: 'PlaceWager', box: 3, cents: 500, kind: {long} }});"
    line(page, f"live.patience = {300 if what == 'too late' else 20000}; {MUTE} {ask} live.pack();")
    page.wait_for_timeout(500)
    page.reload()
    reads(page, ".toast.denied", NOBODY_KNOWS)
    page.wait_for_timeout(300)
    assert placed(floor, table, name) == []
    assert "pitboss-acts" not in page.evaluate("document.cookie")


@pytest.fixture
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """Two servers on one log, with a table at the first."""
    schema = f"unanswered_{os.getpid()}_{abs(hash(request.node.name)) % 10**6}"
    url = f"{postgres()}&schema={schema}"
    try:
        with Cluster(url, "--grace", "1") as two:
            opening = {"rulebook": "nsw-pontoon", "dealer": "house", "timers": QUICK}
            two.open("/api/tables", "t", opening)
            yield two
    finally:
        execute(url, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


@pytest.mark.parametrize(
    ("what", "how"),
    [(MUTE, "killed"), (DEAF, "killed"), (MUTE, "stopped"), ("", "asleep")],
    ids=["not heard, killed", "not answered, killed", "not heard, stopped", "told where the table is"],
)
def test_an_act_goes_along_to_another_server(browser: Browser, cluster: Cluster, what: str, how: str) -> None:
    """The table moves while an act is on its way: the page says it there, and it is done once."""
    first, second = cluster.servers
    one, two = (f"http://localhost:{server.port}" for server in cluster.servers)
    token = first.guest("alice")

    def wagers() -> list[Any]:
        status, events = second.ask("GET", "/api/tables/t/events?limit=500", token=token)
        return [each for each in events if each["event"]["event"] == "WagerPlaced"] if status == 200 else []

    context = browser.new_context(reduced_motion="reduce")
    context.add_cookies([{"name": "pitboss", "value": token, "url": one}])
    page = context.new_page()
    page.goto(f"{one}/#/table/t")
    page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail", timeout=20_000)
    knows_others(page)
    if how == "asleep":
        first.pause()
    else:
        line(page, what)
    place(page)
    page.wait_for_timeout(500)
    if how == "killed":
        first.kill()
    elif how == "stopped":
        first.process.terminate()
    else:
        until(lambda: "t" in cluster.owned(1))
        first.resume()
    page.wait_for_url(f"{two}/#/table/t", timeout=20_000)
    page.wait_for_selector(".seat.mine .wager.own", timeout=15_000)
    page.wait_for_function("() => import('./js/live.js').then(({ live }) => live.unanswered.size === 0)")
    assert len(wagers()) == 1
    no_word(page)
    assert "pitboss-acts" not in page.evaluate("document.cookie")
    context.close()
