"""A player at the web table where the cards are laid: splits, doubles, insurance, jackpot, bonuses and shared boxes."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pitboss.table.house import DEVICE
from tests.web.floor import LaidFloor, counts, reads, says, shows
from tests.web.test_player import asked, sit_down, wager

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


ANSWERED = """(version) => document.querySelector('.table-page').dataset.version !== version
  && !document.querySelector('.quiet-line')?.innerText.includes('Sending')"""


def calm(page: Page) -> None:
    page.wait_for_selector(".table-page[data-calm=yes]")


def acts(page: Page) -> list[str]:
    """What can be decided at this moment."""
    found: list[str] = page.locator(".decision").evaluate_all("(all) => all.map((each) => each.dataset.act)")
    return found


def ready(*pages: Page) -> None:
    """Place what is laid, and let the cards come."""
    for page in pages:
        page.click("[data-do=place]")
        page.wait_for_selector("[data-do=ready]")
    for page in pages:
        page.click("[data-do=ready]")
    pages[0].wait_for_selector(".table-page:not([data-phase=wagers]), .table-page[data-round='2']")
    asked(pages[0])


def say(page: Page, act: str) -> None:
    """One decision; the table has gone on when this returns."""
    page.wait_for_selector(f"[data-act={act}]")
    version = page.get_attribute(".table-page", "data-version")
    page.locator(f"[data-act={act}]").first.click()
    page.wait_for_function(ANSWERED, arg=version)
    calm(page)


def over(page: Page) -> None:
    page.wait_for_selector(".table-page[data-round='2'][data-calm=yes]")


def results(page: Page, box: int) -> list[str]:
    return page.locator(f".seat:has([data-box='{box}']) .hand .result").all_inner_texts()


def test_every_hand_says_what_it_brought(table: LaidFloor) -> None:
    """Two split hands, doubled, against the dealer's pontoon: originals are lost, doubled portions stand off (12.8)."""
    page = sit_down(table, table.deal("nsw-pontoon", "8s 5d As 8h 6d 8d 3c Jc 9h 7h Qd"), "alice")
    page.click("[aria-label='Chip of $25']")
    wager(page, 3)
    wager(page, 5)
    wager(page, 3, kind="perfect-pairs")
    ready(page)
    page.click("text=Insure for $12.50, box 3")
    page.wait_for_selector(".line-wager .wager-sum")
    says(page, ".line-wager", "aria-label", "Insurance of box 3: $12.50")
    page.click("[data-act=pass]")
    page.wait_for_selector(".table-page:not([data-phase=insurance])")
    if "pass" in asked(page):
        say(page, "pass")
    page.reload()  # whoever comes back finds what there was to see
    page.wait_for_selector(".side-results >> text=+$125")
    say(page, "Split")
    shows(page, ".dock-state", "Your decision, box 3, hand 1: 16 against an ace")
    say(page, "Double")
    assert asked(page) == ["Keep", "Forfeit"]
    say(page, "Keep")
    say(page, "Double")
    say(page, "Double")
    say(page, "Keep")
    over(page)
    assert results(page, 3) == ["−$25", "−$50"]
    assert results(page, 5) == ["−$25"]
    shows(page, ".line-wager .result", "+$25")
    shows(page, ".side-results", "+$125")
    shows(page, ".dock-state", "You won $50. Wagers are open")
    reads(page, ".money", "Last round\n+$50")
    assert table.state("player", page.url.rsplit("/", 1)[1], "alice")["mine"]["net_cents"] == 5000
    page.reload()
    page.wait_for_selector(".dock-state >> text=You won $50.")
    assert results(page, 3) == ["−$25", "−$50"]


def test_no_hand_moves_a_box(table: LaidFloor) -> None:
    """Seven boxes, splits and many cards: every spot stays where it was, and nothing leaves the cloth."""
    cards = "9s 9d 9h 9c 9s 9d 9h 5c 9d 9h 9c 9s 9d 9h 9c"  # then the device mixes: chance goes on
    page = sit_down(table, table.deal("nsw-blackjack-challenge", cards, DEVICE), "alice")
    place = """() => [...document.querySelectorAll('.spot.main')].map((spot) => {
      const { x, y } = spot.getBoundingClientRect();
      return [Math.round(x), Math.round(y)];
    })"""
    before = page.evaluate(place)
    for box in range(1, 8):
        wager(page, box)
    ready(page)
    while (now := asked(page)) and page.locator(".hand").count() <= 12:
        say(page, "Split" if "Split" in now else "Hit" if "Stand" not in now else "Stand")
    assert page.locator(".hand").count() > 10
    assert page.evaluate(place) == before
    assert page.evaluate(
        """() => {
          const cloth = document.querySelector('.felt').getBoundingClientRect();
          return [...document.querySelectorAll('.card, .result, .seat-name')].filter((each) => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            return left < cloth.left || right > cloth.right || top < cloth.top || bottom > cloth.bottom;
          }).length;
        }"""
    ) == 0  # fmt: skip


def test_the_jackpot_is_on_the_felt(table: LaidFloor) -> None:
    """Sensors, what the jackpot stands at, what each optional wager brought, and one sum for the round."""
    where = table.deal("nsw-blackjack-challenge", "7d Ks 7s 7d Qs", DEVICE, jackpot_rate_percent=30)
    page = sit_down(table, where, "alice")
    says(page, ".jackpot", "aria-label", "Blazing 7s jackpot: $50,000")
    for box in (1, 2):
        wager(page, box)
        wager(page, box, kind="blazing-7s")
    wager(page, 1, kind="perfect-pairs")
    ready(page)
    counts(page.locator(".spot.blazing-7s.lit"), 2)
    says(page, ".jackpot", "aria-label", "Blazing 7s jackpot: $50,003")
    first, second = page.locator(".side-results").all_inner_texts()
    assert first.split("\n") == ["PP +$150", "7s +$1,000"]
    assert second == "7s −$5"
    while asked(page):
        say(page, "Stand")
    over(page)
    net = table.state("player", where, "alice")["mine"]["net_cents"]
    assert net in (113_000, 114_000, 115_000), "the pair, the prize, two jackpot wagers, and what two hands brought"
    shows(page, ".dock-state", f"You won ${net // 100:,}. Wagers are open")


def test_a_super_bonus_is_seen_by_everybody(table: LaidFloor) -> None:
    where = table.deal("nsw-pontoon", "7s 9d 7d 7s Kh 7s 8c 2d")
    page, other = sit_down(table, where, "alice"), sit_down(table, where, "bob")
    wager(page, 2)
    wager(other, 5)
    ready(page, other)
    say(page, "Hit")
    shows(page, ".bonuses >> nth=0", "Super Bonus +$1,000")
    shows(page, ".bonuses >> nth=1", "bonus +$50")
    shows(other, ".seat.mine .bonuses", "bonus +$50")
    say(other, "Stand")
    over(page)
    assert results(page, 2) == ["+$15"]


def test_a_shared_box_is_called_by_one_and_followed_by_the_other(table: LaidFloor) -> None:
    where = table.deal("nsw-pontoon", "5d 6d 4h 9s Kd 8h Qs")
    page, other = sit_down(table, where, "alice"), sit_down(table, where, "bob")
    wager(page, 2)
    page.click("[data-do=place]")
    page.wait_for_selector("[data-do=ready]")
    other.click("[aria-label='Chip of $25']")
    wager(other, 2)
    other.click("[data-do=place]")
    other.wait_for_selector("[data-do=ready]")
    page.click("[data-do=ready]")
    shows(page, ".dock-state", "You are ready: the deal starts when the others are")
    other.click("[data-do=ready]")
    other.wait_for_selector("[data-act=Double]")
    shows(page, ".dock-state", "Waiting for bob, box 2")
    assert acts(page) == []
    other.click("text=Double for another amount")
    other.fill("#part", "30")
    other.click(".less button")
    reads(other, ".toast", "up to the original wager of $25.00")
    other.fill("#part", "10")
    other.click(".less button")
    page.wait_for_selector("[data-act=Decline]")
    shows(page, ".dock-state", "Double too, box 2?")
    say(page, "Decline")
    say(other, "Keep")
    over(page)
    assert results(page, 2) == ["bob +$35", "alice +$5"]
    shows(page, ".dock-state", re.compile(r"^You won \$5\."))
    shows(other, ".dock-state", re.compile(r"^You won \$35\."))


@pytest.mark.parametrize(
    ("rulebook", "cards"), [("nsw-pontoon", "Ks Ad 6h 8c"), ("canberra-pontoon-2005", "Ks Jd 6h 8c")]
)
def test_half_is_lost_by_surrender(table: LaidFloor, rulebook: str, cards: str) -> None:
    page = sit_down(table, table.deal(rulebook, cards), "alice")
    wager(page, 1, times=2)
    ready(page)
    while "Surrender" not in asked(page):
        say(page, "pass")
    say(page, "Surrender")
    over(page)
    assert results(page, 1) == ["−$5"]
    reads(page, ".dock-state", "You lost $5.")


@pytest.mark.parametrize(("rulebook", "boxes"), [("canberra-pontoon-2002", 1), ("adelaide-pontoon-2008", 2)])
def test_a_small_table_has_its_boxes_in_the_middle(table: LaidFloor, rulebook: str, boxes: int) -> None:
    page = sit_down(table, table.deal(rulebook, "9s 9d", boxes=boxes), "alice")
    cloth = page.locator(".felt").bounding_box()
    spots = [each.bounding_box() for each in page.locator(".spot.main").all()]
    assert cloth is not None
    assert len(spots) == boxes
    middles = [spot["x"] + spot["width"] / 2 for spot in spots if spot]
    assert sum(middles) / boxes == pytest.approx(cloth["x"] + cloth["width"] / 2, abs=2)
    assert all(spot and spot["y"] > cloth["y"] + cloth["height"] / 2 for spot in spots)
    assert middles == sorted(middles, reverse=True), "box 1 is at the players' right"


# --- wagers ----------------------------------------------------------------------------------------------------------


def test_tokens_are_wagered_where_the_rulebook_takes_them(table: LaidFloor) -> None:
    where = table.deal("nsw-blackjack-challenge", "As 9d Kd", DEVICE)
    page = sit_down(table, where, "alice")
    spot = "button.spot[data-box='3'][data-kind=original]"
    page.click("[data-do=tokens]")
    page.click("[aria-label='Token of $25']")
    says(page, spot, "aria-label", "Box 3. Add $25 in tokens")
    wager(page, 3)
    page.click("[data-do=tokens]")
    wager(page, 3)
    page.click("text=Place $50")
    page.wait_for_selector("[data-do=ready]")
    says(page, spot, "aria-label", "Box 3: alice $50, $25 of it in tokens. Add $25")
    page.click("[aria-label='Chip of $5']")
    wager(page, 3)
    page.click("text=Place $5")
    page.wait_for_selector(".history >> text=alice wagers $55.00, $25.00 of it in tokens")
    page.click("[data-do=tokens]")
    wager(page, 3, kind="blazing-7s")
    page.click("text=Place $5")
    page.wait_for_selector(".toast >> text=the jackpot takes chips only")
    page.click("[data-do=undo]")
    page.click("[data-do=ready]")
    over(page)
    assert results(page, 3) == ["+$110"]


def test_where_tokens_are_not_accepted_none_are_offered(table: LaidFloor) -> None:
    page = sit_down(table, table.deal("canberra-pontoon-2005", "9s 9d"), "alice")
    assert page.locator("[data-do=tokens]").count() == 0


def test_a_refusal_takes_nothing_away_and_moves_nothing(table: LaidFloor) -> None:
    page = sit_down(table, table.deal("nsw-pontoon", "9s 9d", maximum_cents=10_000), "alice")
    page.click("[aria-label='Chip of $25']")
    wager(page, 3)
    page.click("text=Place $25")
    page.wait_for_selector("[data-do=ready]")
    wager(page, 3, times=4)
    dock = page.locator(".dock").bounding_box()
    page.click("text=Place $100")
    page.wait_for_selector(".toast.refused >> text=the maximum is $100.00; $125.00 is above it.")
    page.wait_for_selector("text=Place $100")
    assert page.locator(".dock").bounding_box() == dock
    assert "alice $25" in (page.get_attribute("button.spot[data-box='3'][data-kind=original]", "aria-label") or "")
    page.keyboard.press("z")
    page.wait_for_selector("text=Place $75")
    page.click("[data-do=place]")
    page.wait_for_selector(".toast", state="detached")
    page.wait_for_selector(".history >> text=alice wagers $100.00")


def test_wagers_are_taken_back_one_by_one(table: LaidFloor) -> None:
    page = sit_down(table, table.deal("adelaide-pontoon-2008", "9s 9d"), "alice")
    wager(page, 3)
    wager(page, 4)
    page.click("[data-do=place]")
    page.wait_for_selector("[data-do=take-back]")
    page.click(".placed summary")
    page.click("[aria-label='Take back Box 3, $5']")
    page.wait_for_selector(".history >> text=alice withdraws $5.00")
    page.wait_for_selector("[data-do=take-back]")
    page.focus("button.spot[data-box='4'][data-kind=original]")
    page.keyboard.press("Delete")
    page.wait_for_selector(".wager.own", state="detached")


def test_a_loss_limit_and_chips_stand_beside_the_wagers(table: LaidFloor) -> None:
    where = table.deal("nsw-pontoon", "9s 9d", players={"alice": {"chips_cents": 10_000, "loss_limit_cents": 3000}})
    page = sit_down(table, where, "alice")
    shown = [" ".join(each.split()) for each in page.locator(".money > div").all_inner_texts()]
    assert shown == ["Chips $100", "Won or lost $0", "Loss limit left $30"]
    page.click("[aria-label='Chip of $25']")
    wager(page, 3, times=2)
    page.click("text=Place $50")
    page.wait_for_selector(".toast >> text=NSW pontoon 19.3")
    reads(page, ".toast", "$30.00 is left of it")
    page.keyboard.press("z")
    page.click("text=Place $25")
    page.wait_for_selector("[data-do=ready]")
    reads(page, ".money", "On the table\n$25")


def test_a_restricted_player_is_told(table: LaidFloor) -> None:
    where = table.deal("nsw-pontoon", "9s 9d", dealer="person")
    table.act("player", where, "alice", act="TakeSeat", player="alice", box=2)
    table.act("gaming-manager", where, act="Restrict", player="alice", rule="one-box", notified=True)
    page = table.page("player", f"#/table/{where}", "alice")
    page.wait_for_selector(".notice >> text=You are restricted: one box.")


# --- the keyboard, readers, and the line -----------------------------------------------------------------------------


def test_the_keyboard_finds_the_next_button(table: LaidFloor) -> None:
    page = sit_down(table, table.deal("canberra-pontoon-2002", "5d 6s 4d 3h 2c 9s Kd"), "alice")
    page.focus("button.spot[data-box='3'][data-kind=original]")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-do=ready]")
    page.focus("[data-do=ready]")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.dataset.act === 'Hit'")
    page.keyboard.press("Enter")
    page.wait_for_selector(".dock-state >> text=12 against a 6")
    page.wait_for_function("() => document.activeElement.dataset.act === 'Hit'")
    reads(page, ".speech", "3 of hearts")
    page.keyboard.press("s")
    over(page)
    page.wait_for_function("() => document.activeElement.className === 'dock-state'")


def test_the_link_past_the_bar_stays_at_the_table(table: LaidFloor) -> None:
    page = sit_down(table, table.deal("nsw-pontoon", "9s 9d"), "alice")
    address = page.url
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.url == address


def test_twice_as_large_nothing_covers_the_felt(table: LaidFloor) -> None:
    """What a desk of 1280 by 800 shows at 200 %."""
    where = table.deal("nsw-pontoon", "9s 9d")
    page = sit_down(table, where, "alice", viewport={"width": 640, "height": 400})
    assert page.evaluate("document.documentElement.scrollWidth") == 640
    felt, dock = page.locator(".felt").bounding_box(), page.locator(".dock").bounding_box()
    assert felt is not None
    assert dock is not None
    assert felt["y"] + felt["height"] <= dock["y"]


def test_a_dead_line_is_noticed(table: LaidFloor) -> None:
    """Nothing comes back although the browser believes in the connection: the page makes another."""
    where = table.deal("nsw-pontoon", "9s 9d")
    page = sit_down(table, where, "alice")
    page.evaluate(
        "import('./js/live.js').then(({ live }) => { live.socket.onmessage = null; live.wait = 60000; live.check(1) })"
    )
    page.wait_for_selector(".banner >> text=lost")
    table.act("player", where, "bob", act="PlaceWager", player="bob", box=6, cents=500)
    page.click("text=Try now")
    page.wait_for_selector(".banner", state="detached")
    page.wait_for_selector(".history >> text=bob wagers $5.00")


def test_a_killed_server_comes_back_under_the_page(tmp_path: Path, browser: Browser) -> None:
    """Kill -9 in the middle of a round: what is said meanwhile is done once when the floor is there again."""
    with served(tmp_path) as (first, address):
        floor = LaidFloor(address, browser)
        floor.folder = tmp_path
        where = floor.deal("nsw-pontoon", "9d 9s 6d 4h 5c 9h")
        page, other = (floor.page("player", f"#/table/{where}", "alice") for _ in range(2))
        page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
        wager(page, 2)
        ready(page)
        for each in (page, other):  # by its own name a module is fetched, and soon nobody answers
            each.evaluate("import('./js/live.js').then(() => null)")
        first.send_signal(signal.SIGKILL)
        first.wait()
    page.wait_for_selector(".banner")
    page.evaluate("import('./js/live.js').then(({ live }) => { live.patience = 90000; })")
    page.click("[data-act=Hit]")
    shows(page, ".quiet-line", "Sending…")
    with served(tmp_path, address.rsplit(":", 1)[1]) as (_, again):
        assert again == address
        for each in (page, other):
            each.evaluate("import('./js/live.js').then(({ live }) => live.retryNow())")
        page.wait_for_selector(".dock-state >> text=19 against a 9")
        counts(page.locator(".history >> text=alice hits"), 1)
        other.wait_for_selector(".dock-state >> text=19 against a 9")
        say(other, "Stand")
        over(page)
        reads(page, ".dock-state", "You won $5.")
        floor.close()


@contextmanager
def served(folder: Path, port: str = "0") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server and its address; it is gone afterwards, whatever happened."""
    command = ["tests.web.arranged", str(folder), "serve", "--port", port, "--data", str(folder), "--empty", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", *command, "--log", "error"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            yield server, json.loads(server.stdout.readline())["address"]
        finally:
            server.kill()
