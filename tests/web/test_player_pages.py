"""A player's page beyond the round: settings, chips, leaving, their own play, rules for newcomers, and the coach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.floor import DESK, PHONE, Floor, LaidFloor, counts, reads, resize, shows
from tests.web.test_account import is_clean
from tests.web.test_player import play_to_the_end, sit_down, wager
from tests.web.test_texts import internal_in, not_to_be_said

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLET = {"width": 834, "height": 1112}
SCREENS = (DESK, TABLET, PHONE)


REMEMBER = """() => {
  const find = (node) => node && (node.props?.view || (node.__k || []).map(find).find(Boolean));
  window.seen = [...(window.seen || []), new WeakRef(find(document.querySelector('#app').__k))];
}"""
"""Without keeping it: the view that the table shows now."""
BELOW_THE_EDGE = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('dialog'))"
"""How much of a dialog is only seen by scrolling."""


def speaks_plainly(page: Page) -> None:
    """What is shown has no ids and no words outside the glossary."""
    for line in page.inner_text("body").splitlines():
        assert not internal_in(line), line
        assert not not_to_be_said(line), line


def deal(page: Page) -> None:
    """Place what is laid, say Deal, and wait until the cards come."""
    page.click("[data-do=place]")
    before = page.get_attribute(".table-page", "data-round")
    page.click("[data-do=ready]")
    page.wait_for_function(
        "(before) => { const { phase, round } = document.querySelector('.table-page').dataset;"
        " return phase !== 'wagers' || round !== before; }",
        arg=before,
    )


@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
def test_the_rules_are_sentences_and_begin_with_how_to_play(floor: Floor, faults: list[Any], rulebook: str) -> None:
    page = floor.page("player", f"#/rules/{rulebook}", "nora")
    page.wait_for_selector(".rule-sentences .term")
    counts(page.locator(".how-to-play li"), 11)
    text = page.inner_text(".rules-page")
    ties = "Equal totals stand off." if rulebook == "nsw-pontoon" else "Equal totals lose."
    assert ties in page.inner_text(".how-to-play") and "Order: each box" not in text and ":T1:" not in text
    page.fill("#find-term", "surrender")
    page.wait_for_function("() => document.querySelectorAll('.rule-sentences .term').length < 60")
    page.click(".rule-sentences .why >> nth=0")
    page.wait_for_selector("dialog .clause dd:not(:empty)")
    page.keyboard.press("Escape")
    for screen in SCREENS:
        resize(page, screen)
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    speaks_plainly(page)


@pytest.mark.parametrize("screen", SCREENS)
def test_how_to_play_opens_over_the_table(floor: Floor, faults: list[Any], screen: dict[str, int]) -> None:
    """Somebody who has never seen the game learns it in their seat: the table is still there when they close it."""
    table = floor.open_table("nsw-pontoon")
    page = floor.page("player", f"#/table/{table}", "nora", viewport=screen)
    page.click("[data-do=how-to-play]")
    counts(page.locator("dialog .how-to-play li"), 11)
    said = page.inner_text("dialog")
    assert "without going over 21" in said and "A deck has 48 cards" in said and "All the rules" in said
    assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    assert page.evaluate(BELOW_THE_EDGE) <= 0, "it is one screen"
    speaks_plainly(page)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_selector(".table-page")


def test_where_chips_count_nobody_is_told_of_play_money(floor: Floor, faults: list[Any]) -> None:
    """Who has bought nothing at a table with a gaming date has nothing; at a practice table there is play money."""
    counted = floor.open_table("canberra-pontoon-2005", date="2026-11-18")
    practice = floor.open_table("canberra-pontoon-2005")
    for name, words in ((counted, "Chips\n$0"), (practice, "Play money\n$1,000")):
        page = sit_down(floor, name, "nora", viewport=PHONE)
        shows(page, ".dock .money div:first-child", words)


def test_a_page_forgets_what_it_has_shown(floor: Floor, faults: list[Any]) -> None:
    """However many rounds somebody watches: no node that is kept keeps the tree in which it was first shown."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    page = sit_down(floor, table, "greta")
    tools = page.context.new_cdp_session(page)
    for number in (2, 3, 4, 5):
        floor.play_round(table, "bea")
        page.wait_for_selector(f".table-page[data-round='{number}'][data-calm=yes]")
        page.evaluate(REMEMBER)
    for _ in range(100):
        tools.send("HeapProfiler.collectGarbage")
        left = page.evaluate("window.seen.slice(0, 3).filter((each) => each.deref()).length")
        if left <= 1:
            break
        page.wait_for_timeout(50)
    assert left <= 1, "what was shown in every earlier round is still kept"


def test_the_dealers_cards_stay_between_the_sign_and_the_shoe(table: LaidFloor) -> None:
    """On a phone too, however many there are."""
    name = table.deal("nsw-pontoon", "9s 2c 8d 3c 4d 2h 2s 5d")
    page = sit_down(table, name, "lotte", viewport=PHONE)
    wager(page, 3)
    deal(page)
    page.click(".decision[data-act=Stand]")
    page.wait_for_selector("[data-do=again]")
    counts(page.locator(".dealer .card"), 6)
    sign, cards, shoe = (page.locator(each).bounding_box() for each in (".sign", ".dealer .cards", ".shoe"))
    assert sign and cards and shoe
    assert sign["x"] + sign["width"] <= cards["x"]
    assert cards["x"] + cards["width"] <= shoe["x"]


def test_settings_change_what_is_seen_and_stay(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "leontine")
    page.click("text=Settings")
    for name, value in (("theme", "light"), ("cloth", "blue"), ("deck", "four"), ("sounds", "on")):
        page.select_option(f"#set-{name}", value)
    is_clean(page)
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector(".chip-rail")
    assert page.evaluate("[...document.documentElement.classList].sort()") == [
        "cloth-blue", "four-colours", "light", "still",
    ]  # fmt: skip
    wager(page, 3)
    is_clean(page)
    reads(page, ".unplaced", "Not bet yet: press Place")
    deal(page)
    play_to_the_end(page)
    is_clean(page)
    floor.forget("leontine")


def test_chips_are_bet_at_once_where_one_wants_that(floor: Floor, faults: list[Any]) -> None:
    """NSW 5.3, 5.4: they may be taken back until no more bets."""
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "olga")
    page.evaluate("localStorage.setItem('pitboss-chips', 'at-once')")
    wager(page, 3, times=2)
    page.wait_for_selector("[data-do=take-back]")
    assert page.locator(".unplaced").count() == 0
    placed = floor.state("supervisor", table)["view"]["boxes"]
    assert [each["wagers"] for each in placed if each["wagers"]] == [{"olga": placed[0]["wagers"]["olga"]}]
    page.click("[data-do=take-back]")
    page.wait_for_selector("[data-do=take-back]", state="detached")
    floor.forget("olga")


def test_chips_that_were_not_placed_are_told_of(floor: Floor, faults: list[Any]) -> None:
    """NSW 5.4: who laid chips and did not place them is warned, and told when the bets have closed."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "ben", act="PlaceWager", player="ben", box=1, cents=1000)
    page = sit_down(floor, table, "vera")
    wager(page, 3)
    reads(page, ".unplaced", "is not in the next round")
    floor.act("dealer", table, act="Deal")
    page.wait_for_selector(".unplaced >> text=Betting closed before you placed")
    page.wait_for_selector(".quiet-line >> text=You have no bet in this round")
    floor.forget("vera")


def test_results_lie_over_no_card_and_no_spot(table: LaidFloor) -> None:
    """With seven boxes, a split and optional wagers every spot can be pressed, on three screens."""
    name = table.deal("nsw-pontoon", "8s 9h 7c 8h Kd 3c 9d 2s", side_bets=("perfect-pairs",))
    page = sit_down(table, name, "rita")
    wager(page, 3)
    wager(page, 3, kind="perfect-pairs")
    wager(page, 5)
    deal(page)
    play_to_the_end(page)
    page.wait_for_selector(".results .result")
    page.mouse.move(0, 0)
    for screen in SCREENS:
        resize(page, screen)
        missed = page.evaluate(
            """() => [...document.querySelectorAll('button.spot')].filter((spot) => {
              spot.scrollIntoView({ block: 'center' });
              const { left, top, width, height } = spot.getBoundingClientRect();
              return !spot.contains(document.elementFromPoint(left + width / 2, top + height / 2));
            }).map((spot) => spot.getAttribute('aria-label'))"""
        )
        assert missed == [], screen
        covered = page.evaluate(
            """() => [...document.querySelectorAll('.results')].filter((result) => {
              const one = result.getBoundingClientRect();
              return [...document.querySelectorAll('.hands .card')].some((card) => {
                const other = card.getBoundingClientRect();
                return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 3
                  && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
              });
            }).length"""
        )
        assert covered == 0, screen


def test_what_came_of_optional_wagers_lies_over_no_card(table: LaidFloor) -> None:
    """Three optional wagers beside seven boxes: no result hides a card, its own or a neighbour's, on any screen."""
    cards = "8s 8h 9d 8c 5h 8d 3c 6s 8d 2h 3d 9c 2s 8s 9s"
    sides = ("perfect-pairs", "star-pairs", "blazing-7s")
    name = table.deal("nsw-blackjack-challenge", cards, source="shuffling-device", side_bets=sides)
    page = sit_down(table, name, "susan")
    for box in range(1, 8):
        wager(page, box)
        wager(page, box, kind="perfect-pairs")
    deal(page)
    page.wait_for_selector(".table-page[data-calm=yes] .decision")
    counts(page.locator(".side-results .result"), 7)
    for screen in (DESK, *SCREENS[1:], {"width": 1024, "height": 768}):
        resize(page, screen)
        covering = page.evaluate(
            """() => [...document.querySelectorAll('.side-results .result')].filter((result) => {
              const one = result.getBoundingClientRect();
              return [...document.querySelectorAll('.hands .card')].some((card) => {
                const other = card.getBoundingClientRect();
                return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 3
                  && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
              });
            }).map((result) => result.closest('.seat').getAttribute('aria-label'))"""
        )
        assert covering == [], screen


def test_leaving_shows_what_the_visit_brought(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    page = sit_down(floor, table, "marguerite")
    reads(page, ".money", "Play money\n$1,000")
    for _ in range(2):
        wager(page, 3)
        deal(page)
        play_to_the_end(page)
    page.click(".table-head >> text=Leave table")
    page.wait_for_selector(".summary h1 >> text=You have left")
    shows(page, ".summary dl div:first-child dd", "2")
    is_clean(page)
    page.click(".summary >> text=My play")
    page.wait_for_selector(".my-play tbody tr >> nth=1")
    is_clean(page)
    speaks_plainly(page)
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    floor.forget("marguerite")


def test_the_coach_values_every_choice_and_reviews_the_round(table: LaidFloor) -> None:
    """Practice alone: the tab is not there at a table with a gaming date (NSW 19.6, 19.11)."""
    pytest.importorskip("numba")
    name = table.deal("nsw-pontoon", "6s 9h 5d Kc 2c 3c 4c")
    page = sit_down(table, name, "cleo")
    page.click("#tab-coach")
    page.check(".coach input[type=checkbox]")
    wager(page, 3)
    deal(page)
    page.wait_for_selector(".coach .options .best >> text=Double", timeout=60_000)
    counts(page.locator(".coach .options li"), 3)
    is_clean(page)
    page.click(".decision[data-act=Stand]")
    page.wait_for_selector("[data-do=again]")
    page.click("text=Review the last round")
    page.wait_for_selector(".coach .problem >> text=Double was best: standing costs")
    shows(page, ".review .money div:first-child dd", "0%")
    counts(page.locator(".costliest li"), 1)
    is_clean(page)
    speaks_plainly(page)
    resize(page, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_what_keeps_somebody_from_playing_is_told_on_the_page(floor: Floor, faults: list[Any]) -> None:
    """Changed limits (NSW 6.5), and being barred (NSW 19.8), in two tabs of one player, on a telephone too."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    page = sit_down(floor, table, "otto")
    second = sit_down(floor, table, "otto", viewport=PHONE)
    wager(page, 3)
    page.click("[data-do=place]")
    second.wait_for_selector("[data-do=take-back]")
    second.click("[data-do=take-back]")
    page.wait_for_selector("[data-do=take-back]", state="detached")
    floor.act("supervisor", table, act="SetLimits", by="casino-supervisor", minimum_cents=1000, maximum_cents=50_000)
    for each in (page, second):
        shows(each, ".limits-changed", re.compile(r"The limits have changed: \$10 to \$500\."))
    barring = {"by": "casino-supervisor", "player": "otto", "reason": "a device", "breach": "device"}
    asked = floor.act("supervisor", table, act="BarPlayer", **barring)
    if asked["is"] == "proposed":
        floor.ask("gaming-manager", f"/api/approvals/{asked['proposal']}", {"approve": True})
    for each in (page, second):
        each.wait_for_selector(".notice >> text=You are barred from this game.")
        is_clean(each)
    floor.forget("otto")
