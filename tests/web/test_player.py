"""A player at the web table, in real Chromium, through whole rounds in every rulebook."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import register
from tests.web.floor import PHONE, Floor, counts, reads, resize, says, shows

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASKED = """() => {
  const page = document.querySelector('.table-page');
  if (page.dataset.calm !== 'yes') return null;
  const asked = [...document.querySelectorAll('.decision')].map((each) => each.dataset.act);
  return asked.length || (page.dataset.phase === 'wagers' && page.dataset.waits === 'wagers') ? asked : null;
}"""
"""What may be decided, all of it at one moment; none where the round is over."""
GISTS_CAME = "() => !document.querySelector('dialog .clauses').innerText.includes('…')"
CALM = ("Stand", "pass", "Keep", "Decline", "DeclineCut", "Hit", "PlayOn")


def sit_down(floor: Floor, table: str, name: str, **how: Any) -> Page:
    page = floor.page("player", f"#/table/{table}", name, **how)
    page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
    page.wait_for_selector(".lettering", state="attached")  # the rulebook is here: nothing moves any more
    return page


def wager(page: Page, box: int, times: int = 1, kind: str = "original") -> None:
    for _ in range(times):
        page.click(f"button.spot[data-box='{box}'][data-kind='{kind}']")


def asked(page: Page) -> list[str]:
    """What this player may decide, as soon as something is asked of him; nothing when wagers are open again."""
    found: list[str] = page.wait_for_function(ASKED).json_value()
    return found


def play_to_the_end(page: Page) -> list[str]:
    """Decide whatever is asked until wagers are open again; what was decided."""
    said = []
    while offered := asked(page):
        wanted = next((act for act in CALM if act in offered), offered[0])
        version = page.get_attribute(".table-page", "data-version")
        said.append(wanted)
        page.locator(f".decision[data-act={wanted}]").first.click()
        page.wait_for_function(
            f"() => document.querySelector('.table-page').dataset.version !== '{version}'"
            " || !document.querySelector('.decision')"
        )
    return said


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_player_plays_two_rounds(floor: Floor, faults: list[Any], rulebook: str) -> None:
    table = floor.open_table(rulebook)
    page = sit_down(floor, table, "alice")
    wager(page, 3, times=2)
    wager(page, 5)
    page.click("text=Place $15")
    page.wait_for_selector(".seat.mine .wager.own")
    page.click("[data-do=ready]")
    page.wait_for_selector(".table-page[data-round='2'], .table-page:not([data-phase=wagers])")
    play_to_the_end(page)
    says(page, ".table-page", "data-round", "2")
    mine = floor.state("player", table, "alice")["mine"]
    cents = abs(mine["net_cents"])
    shown = page.inner_text(".money").replace("−", "-")
    assert f"${cents // 100:,}" in shown
    assert "Last round" in shown
    reads(page, ".history", "The round is over")
    page.wait_for_selector("[data-do=again]")
    page.keyboard.press("a")
    page.wait_for_selector("[data-do=ready]")
    page.keyboard.press("g")
    page.wait_for_selector(".table-page[data-round='3'], .table-page:not([data-phase=wagers])")
    play_to_the_end(page)
    says(page, ".table-page", "data-round", "3")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_felt_says_what_the_rulebook_pays(floor: Floor, faults: list[Any], rulebook: str) -> None:
    book = load(rulebook)
    page = floor.page("player", f"#/table/{floor.open_table(rulebook)}", "alice")
    page.wait_for_selector(".lettering", state="attached")
    written = " ".join(page.locator(".lettering").all_text_contents())
    assert f"{book.game.natural.value} pays {book.interim.natural_odds.value}".lower() in written.lower()
    assert ("insurance" in written.lower()) == book.insurance.offered.value
    assert page.locator(".seat").count() == max(book.boxes.number.value)
    offered = [name for name, bet in book.side_bets.items() if bet.offered.value]
    counts(page.locator(".seat").first.locator(".spot.side"), len(offered))
    page.click("#tab-rules")
    for row in book.interim.pay_table.value:
        reads(page, ".rules-panel", str(row.odds))


@pytest.mark.clause("canberra-pontoon-2005", "20.5")
def test_the_rules_beside_a_table_name_its_edition_and_what_amends_it(floor: Floor, faults: list[Any]) -> None:
    rulebook = "canberra-pontoon-2005"
    table = floor.open_table(rulebook)
    page = floor.page("player", f"#/table/{table}", "alice")
    page.click("#tab-rules")
    page.wait_for_selector(f".rules-panel >> text=text {load(rulebook).edition[:12]}")
    assert page.locator(".amended").count() == 0
    book = floor.ask("player", f"/api/tables/{table}/rulebook", None, "alice")
    term = {"is": 1, "says": ["One player may wager on a box."], "clauses": ["20.7"]}
    layer: dict[str, Any] = {
        "title": "spring cup",
        "kind": "approved-conditions",
        "clauses": ["20.5"],
        "approved": "the Commission",
    }
    layer |= {"terms": ["boxes.players_max"], "disapplies": [], "left": {}}
    book |= {"amendments": [layer], "terms": book["terms"] | {"boxes.players_max": term}}
    page.route(f"**/api/tables/{table}/rulebook", lambda route: route.fulfill(json=book))
    page.reload()
    page.click("#tab-rules")
    page.wait_for_selector(".amended")
    reads(page, ".amended", "Amended: spring cup, approved by the Commission")
    reads(page, ".amended li", "One player may wager on a box.")
    page.click(".amended p .why")
    page.wait_for_selector(f".clauses >> text={register(rulebook)['20.5'].gist[:40]}")


def test_a_refusal_is_explained_with_its_clause(floor: Floor, faults: list[Any]) -> None:
    page = sit_down(floor, floor.open_table("nsw-pontoon"), "alice")
    page.click("[aria-label='Chip of $1']")
    wager(page, 2)
    page.click("text=Place $1")
    reads(page, ".toast.refused", "NSW pontoon 6.1, 6.4: the minimum is $5.00; $1.00 is below it.")
    page.click(".toast >> text=Why?")
    page.wait_for_function(GISTS_CAME)
    assert "wager" in page.inner_text("dialog .clauses").lower()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_any_event_says_why(floor: Floor, faults: list[Any]) -> None:
    page = sit_down(floor, floor.open_table("adelaide-pontoon-2008"), "alice")
    page.locator(".history .why").first.click()
    page.wait_for_function(GISTS_CAME)
    assert re.search(r"\w{4,}", page.inner_text("dialog dd"))


def test_wagers_by_keyboard_alone(floor: Floor, faults: list[Any]) -> None:
    page = sit_down(floor, floor.open_table("canberra-pontoon-2005"), "alice")
    page.focus("[role=radio][aria-checked=true]")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Chip of $25"
    page.focus("button.spot[data-box='4'][data-kind=original]")
    page.keyboard.press("Space")
    page.wait_for_selector("text=Place $25")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-do=take-back]")
    page.keyboard.press("Escape")
    page.wait_for_selector(".seat.mine .wager.own", state="detached")


def test_a_chip_is_dragged_onto_a_box(floor: Floor, faults: list[Any]) -> None:
    page = sit_down(floor, floor.open_table("canberra-pontoon-2002"), "alice")
    page.drag_and_drop("[aria-label='Chip of $25']", "button.spot[data-box='6'][data-kind=original]")
    page.wait_for_selector("text=Place $25")


def test_three_players_share_a_box(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "alice")
    for name, cents in (("bob", 500), ("carol", 2500)):
        floor.act("player", table, name, act="PlaceWager", player=name, box=3, cents=cents)
    wager(page, 3)
    page.click("text=Place $5")
    page.wait_for_selector(".seat.mine .w3")
    assert page.inner_text(".seat.mine .sharers").split("\n") == ["bob $5", "carol $25", "alice $5"]
    shows(page, ".seat.mine .wager-sum", "$35")
    assert page.get_attribute("button.spot[data-box='3'][data-kind=original]", "aria-label") == (
        "Box 3: bob $5, carol $25, alice $5. Add $5"
    )


def test_motion_can_be_switched_off_and_on(floor: Floor, faults: list[Any]) -> None:
    page = sit_down(floor, floor.open_table("nsw-blackjack-challenge"), "mona")
    assert page.evaluate("document.documentElement.classList.contains('still')")
    page.click("text=Motion off")
    assert not page.evaluate("document.documentElement.classList.contains('still')")
    wager(page, 1)
    page.click("text=Place $5")
    page.wait_for_selector(".seat.mine .wager.own")
    page.click("[data-do=ready]")
    page.wait_for_selector(".table-page[data-round='2'], .table-page:not([data-phase=wagers])")
    play_to_the_end(page)
    page.click("text=Motion on")
    says(page, ".table-page", "data-round", "2")


def test_a_telephone_shows_the_table_without_scrolling_sideways(floor: Floor, faults: list[Any]) -> None:
    page = sit_down(floor, floor.open_table("nsw-blackjack-challenge"), "alice", viewport=PHONE)
    wager(page, 3)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.click("text=Place $5")
    page.wait_for_selector(".seat.mine .wager.own")
    resize(page, {"width": 375, "height": 667})
    assert page.evaluate("document.documentElement.scrollWidth") == 375


def test_one_click_and_one_is_at_the_tables(floor: Floor) -> None:
    context = floor.browser.new_context(base_url=floor.address)
    page = context.new_page()
    page.goto(floor.address)
    page.click(".play-now button")
    page.wait_for_selector("h1 >> text=Choose a table")
    assert re.match(r"guest-\d+", page.inner_text(".who-am-i"))
    context.close()


def test_a_table_that_closes_says_so(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "alice")
    floor.ask("supervisor", f"/api/tables/{table}/close", {"id": f"close-{table}"})
    page.wait_for_selector(".dock-state >> text=This table is closed")
    assert page.locator(".chip-rail").count() == 0
    page.click("text=Choose another table")
    page.wait_for_selector("h1 >> text=Choose a table")


def test_rounds_of_others_are_not_offered(floor: Floor, faults: list[Any]) -> None:
    """A player takes away and replays the rounds that he played."""
    table = floor.open_table("adelaide-pontoon-2008", dealer="person")
    floor.play_round(table, "bob")
    floor.play_round(table, "alice")
    page = floor.page("player", f"#/table/{table}", "alice")
    page.click("#tab-rounds")
    page.wait_for_selector(".rounds li >> nth=1")
    counts(page.locator(".rounds a"), 2)
    page.click("[aria-label='Replay round 2']")
    page.wait_for_selector(".steps .why")
    page.locator(".steps .why").last.click()
    page.wait_for_function(GISTS_CAME)


def test_a_session_that_is_over_leads_to_the_first_screen(floor: Floor) -> None:
    page = sit_down(floor, floor.open_table("nsw-pontoon"), "walter")
    floor.ask("player", "/api/logout", {}, "walter")
    page.wait_for_selector(".play-now")
    floor.forget("walter")


def test_a_card_drawn_in_error_may_be_refused(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    while True:
        floor.prepare(table)
        floor.act("player", table, "alice", act="PlaceWager", player="alice", box=1, cents=1000)
        floor.act("dealer", table, act="Deal")
        while (now := floor.state("dealer", table))["view"]["phase"] in ("insurance", "surrender"):
            floor.act("dealer", table, **next(act for act in now["legal"] if act["act"].startswith("Close")))
        if now["waiting"]["what"] == "decision":
            break
    page = floor.page("player", f"#/table/{table}", "alice")
    page.wait_for_selector(".decision")
    floor.act("dealer", table, act="DrawInError", exposed=True)
    page.click("[data-act=RefuseCard]")
    page.wait_for_selector(".history >> text=alice refuses the card")


def test_a_lost_connection_is_said_and_mended(floor: Floor, faults: list[Any]) -> None:
    """The socket breaks; meanwhile somebody else wagers; afterwards the page has caught up and an act goes through."""
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "alice")
    page.evaluate("import('./js/live.js').then(({ live }) => { live.wait = 60000; live.socket.close(); })")
    page.wait_for_selector(".banner >> text=lost")
    floor.act("player", table, "bob", act="PlaceWager", player="bob", box=6, cents=500)
    wager(page, 3)
    page.click("text=Place $5")
    page.wait_for_selector(".banner", state="detached")
    page.wait_for_selector(".seat.mine .wager.own")
    reads(page, ".history", "bob wagers $5.00")
