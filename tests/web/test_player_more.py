"""What a newcomer stumbles over at the web table: disputes, amounts, offers, refusals, and what must not be covered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pitboss.floor.permissions import widest
from pitboss.table.declaring import DECLARED
from tests.web.arranged import lay
from tests.web.floor import DESK, PHONE, LaidFloor, counts, reads, says, shows
from tests.web.test_arranged import acts, calm, over, ready, say
from tests.web.test_player import asked, sit_down, wager

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL_PHONE = {"width": 360, "height": 740}

COVERED = """() => {
  const corners = [...document.querySelectorAll('.hand .card')].map((card) => {
    const { left, top, width, height } = card.getBoundingClientRect();
    return { left, top, right: left + 0.3 * width, bottom: top + 0.26 * height };
  });
  const pills = [...document.querySelectorAll('.hand .result, .hand .total')].map((e) => e.getBoundingClientRect());
  return pills.filter((pill) => corners.some((corner) =>
    Math.min(pill.right, corner.right) - Math.max(pill.left, corner.left) > 1 &&
    Math.min(pill.bottom, corner.bottom) - Math.max(pill.top, corner.top) > 1)).length;
}"""
"""How many results and totals lie over the rank of a card."""

CROWDED = """() => {
  const seats = [...document.querySelectorAll('.seat')].map((seat) =>
    [...seat.querySelectorAll('.card, .hand-notes > *, .result, .spot, .seat-name')]
      .map((part) => part.getBoundingClientRect()).filter(({ width }) => width));
  let found = 0;
  seats.forEach((one, at) => seats.slice(at + 1).forEach((other) => {
    for (const x of one) for (const y of other)
      if (Math.min(x.right, y.right) - Math.max(x.left, y.left) > 1 &&
          Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 1) found += 1;
  }));
  return found;
}"""
"""How often something of one box lies over something of another."""


def dealt_by_hand(floor: LaidFloor, rulebook: str, cards: str, name: str, **wagers: Any) -> str:
    """A table that a person deals, cut just where the cards lie, with a wager of this player on box 2."""
    lay(floor.folder, rulebook, cards)
    where = floor.open_table(rulebook, dealer="person", **wagers)
    floor.act("player", where, name, act="PlaceWager", player=name, box=2, cents=1000)
    floor.act("dealer", where, act="Shuffle")
    depth = int((floor.folder / "cards").read_text().split()[0])
    floor.act("player", where, name, act="Cut", player=name, depth=depth)
    floor.prepare(where)
    return where


def history(page: Page) -> list[str]:
    return page.locator(".history-text").all_inner_texts()


def test_every_act_of_a_player_is_on_his_page() -> None:
    folder = Path(__file__).resolve().parents[2] / "src" / "pitboss" / "web" / "js"
    text = "".join(
        (folder / name).read_text("utf-8") for name in ("player.js", "betting.js", "dispute.js", "tournament-strip.js")
    )
    acts = {act for act, cell in widest()["player"].items() if cell != "no"}
    assert {"RaiseDispute", "AskReview"} < acts
    assert acts <= set(re.findall(r"\b[A-Z]\w+\b", text)) | {name for name, said in DECLARED.items() if said.button}


# --- disputes --------------------------------------------------------------------------------------------------------


def test_a_dispute_is_raised_ruled_on_and_reviewed(table: LaidFloor) -> None:
    """A supervisor rules, another reviews, and who is not satisfied is told where to complain (NSW 19.17, 19.18)."""
    where = table.open_table("nsw-pontoon")
    page = sit_down(table, where, "dora")
    page.click("summary >> text=Dispute something")
    reads(page, ".dispute", "It goes to the gaming supervisor")
    page.click("text=Raise the dispute")
    shows(page, ".dispute .problem", "Say in a sentence what is wrong.")
    page.fill("#dispute-about", "box 2 was paid 1 to 1")
    page.click("text=Raise the dispute")
    page.wait_for_selector(".dispute[data-stage=raised]")
    reads(page, ".dispute-state", "You dispute: “box 2 was paid 1 to 1”.")
    reads(page, ".dispute-state .why", "19.17")
    assert page.locator("#dispute-about").count() == 0, "it is to be ruled on first"
    table.act(
        "supervisor", where, act="RuleDispute", by="casino-supervisor", player="dora", ruling="the payment stands"
    )
    page.wait_for_selector(".toast >> text=NSW pontoon 19.17: your dispute is ruled on: the payment stands")
    page.click(".dispute [data-act=AskReview]")
    page.wait_for_selector(".dispute[data-stage=review]")
    page.wait_for_selector(".toast", state="detached")
    with pytest.raises(AssertionError, match="somebody else reviews it"):
        table.act("supervisor", where, act="RuleDispute", by="casino-supervisor", player="dora", ruling="it stands")


def test_a_review_outside_the_house_is_asked_for(table: LaidFloor) -> None:
    where = table.open_table("canberra-pontoon-2005")
    page = sit_down(table, where, "dolly")
    page.click("summary >> text=Dispute something")
    page.click("text=Review an earlier ruling")
    page.wait_for_selector(".toast.refused >> text=no ruling on a dispute of dolly can be reviewed.")
    page.fill("#dispute-about", "a card")
    page.click("text=Raise the dispute")
    page.wait_for_selector(".dispute[data-stage=raised]")
    table.act(
        "supervisor", where, act="RuleDispute", by="casino-supervisor", player="dolly", ruling="it was dealt well"
    )
    page.click("text=Ask for a review")
    page.wait_for_selector(
        ".dispute[data-stage=outside] >> text=a review by the commission; until then the ruling holds."
    )


# --- amounts ---------------------------------------------------------------------------------------------------------


def test_an_amount_is_read_as_it_is_written_or_not_at_all(table: LaidFloor) -> None:
    page = sit_down(table, table.open_table("nsw-pontoon"), "amy")
    read = """async (texts) => { const { cents } = await import('./js/ui.js');
      return texts.map((text) => { const found = cents(text); return Number.isNaN(found) ? null : found; }); }"""
    good = {"5": 500, "$25": 2500, "2.5": 250, "1,000": 100_000, "1,000.50": 100_050, " 7 ": 700, "-5": -500, "0": 0}
    assert page.evaluate(read, list(good)) == list(good.values())
    bad = ["100,5", "1,00", "1,0000", "abc", "", "1.005", "1e3", "5 5", "."]
    assert page.evaluate(read, bad) == [None] * len(bad)


def test_an_amount_that_cannot_be_read_is_said_beside_the_field(table: LaidFloor) -> None:
    where = table.open_table("nsw-pontoon")
    page = sit_down(table, where, "ann")
    page.click("#tab-more")
    before = table.state("player", where, "ann")["version"]
    problems = {"abc": "“abc” cannot be read", "100,5": "“100,5” cannot be read", "": "enter dollars, such as 100"}
    for written, said in {**problems, "0": "more than $0", "-5": "more than $0"}.items():
        page.fill("#buy", written)
        assert page.locator("#buy-problem").count() == 0, "what is changed is read anew"
        page.click("text=Buy chips")
        reads(page, "#buy-problem", said)
        says(page, "#buy", "aria-describedby", "buy-problem")
    assert table.state("player", where, "ann")["version"] == before
    page.fill("#buy", "1,000.50")
    page.click("text=Buy chips")
    page.wait_for_selector("text=You have bought $1,000.50 at this table.")
    reads(page, ".money", "Bought\n$1,000.50")
    page.click("#tab-history")
    assert history(page)[0] == "ann buys $1,000.50 in chips", "a name stays as it is"
    page.reload()
    page.wait_for_selector(".money >> text=$1,000.50")


def test_a_part_of_a_double_that_cannot_be_read_is_said(table: LaidFloor) -> None:
    page = sit_down(table, table.deal("nsw-pontoon", "5d 6d 4h 9s Kd 8h Qs"), "art")
    wager(page, 2)
    ready(page)
    page.click("text=Double for another amount")
    page.click(".less button")
    reads(page, "#part-problem", "enter dollars, such as 100")
    page.fill("#part", "2,5")
    page.click(".less button")
    reads(page, "#part-problem", "“2,5” cannot be read")
    assert acts(page)[0] == "Hit", "nothing was sent"


# --- offers and the keyboard -----------------------------------------------------------------------------------------


def test_an_offer_at_a_table_that_a_person_deals_is_declined_and_the_dealer_sees_it(table: LaidFloor) -> None:
    where = dealt_by_hand(table, "nsw-pontoon", "Ks Kd 6h 8c 2d", "olga")
    page = table.page("player", f"#/table/{where}", "olga")
    page.wait_for_selector("[data-do=take-back]")
    page.focus("[data-do=take-back]")
    table.act("dealer", where, act="Deal")
    page.wait_for_selector("[data-act=Surrender]")
    assert acts(page) == ["Surrender", "pass"]
    page.wait_for_function("() => document.activeElement.className === 'dock-state'")
    before = table.state("player", where, "olga")["version"]
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.click("[data-act=pass]")
    page.wait_for_selector(".put-away >> text=No surrender: the dealer has been told.")
    dealer = table.page("dealer", f"#/table/{where}")
    dealer.wait_for_selector(".declined >> text=Declined: olga (surrender)")
    assert acts(page) == []
    page.click("text=Change my mind")
    assert acts(page) == ["Surrender", "pass"]
    counts(dealer.locator(".declined"), 0)
    page.keyboard.press("n")
    page.wait_for_selector(".put-away")
    dealer.wait_for_selector(".declined >> text=Declined: olga (surrender)")
    assert table.state("player", where, "olga")["version"] == before, "nothing is decided yet"
    table.act("dealer", where, act="CloseSurrender")
    page.wait_for_selector("[data-act=Hit]")
    assert page.locator(".put-away").count() == 0


def test_who_surrenders_after_all_has_not_declined(table: LaidFloor) -> None:
    """Two wagers of one player: the surrender of one takes the word back that nothing is wanted."""
    where = dealt_by_hand(table, "nsw-pontoon", "Ks 9s Kd 6h 7c 8c 2d", "olga")
    table.act("player", where, "olga", act="PlaceWager", player="olga", box=3, cents=1000)
    table.act("dealer", where, act="Deal")
    page = table.page("player", f"#/table/{where}", "olga")
    page.click("[data-act=pass]")
    dealer = table.page("dealer", f"#/table/{where}")
    dealer.wait_for_selector(".declined >> text=Declined: olga (surrender)")
    table.act("player", where, "olga", act="Surrender", player="olga", box=2)
    counts(dealer.locator(".declined"), 0)
    now = table.state("dealer", where)
    assert now["waiting"]["what"] == "surrender" and "passed" not in now, "box 3 may still be surrendered"


def test_the_keyboard_never_finds_what_costs_money(table: LaidFloor) -> None:
    """Whoever presses Enter once too often has not surrendered, insured, or wagered the same again."""
    page = sit_down(table, table.deal("nsw-pontoon", "Ks Ad 6h 8c 9d"), "otis")
    wager(page, 1, times=2)
    page.click("[data-do=place]")
    page.focus("[data-do=ready]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-act=Insure]")
    page.wait_for_function("() => document.activeElement.className === 'dock-state'")
    version = page.get_attribute(".table-page", "data-version") or "none"
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    says(page, ".table-page", "data-version", version)
    page.keyboard.press("n")
    page.wait_for_selector("[data-act=Surrender]")
    page.wait_for_function("() => document.activeElement.className === 'dock-state'")
    page.keyboard.press("n")
    page.wait_for_selector("[data-act=Hit]")
    page.wait_for_function("() => document.activeElement.dataset.act === 'Hit'")
    page.keyboard.press("s")
    over(page)
    page.wait_for_selector("[data-do=again]")
    page.wait_for_function("() => document.activeElement.className === 'dock-state'")


# --- refusals --------------------------------------------------------------------------------------------------------


def test_a_refusal_goes_when_the_player_does_something_else(table: LaidFloor) -> None:
    page = sit_down(table, table.open_table("nsw-pontoon"), "rita")
    page.click("[aria-label='Chip of $1']")
    wager(page, 2)
    page.click("text=Place $1")
    page.wait_for_selector(".toast.refused >> text=the minimum is $5.00")
    wager(page, 2)
    page.wait_for_selector(".toast", state="detached")


def test_a_refusal_goes_when_the_table_has_moved_on(table: LaidFloor) -> None:
    where = dealt_by_hand(table, "nsw-pontoon", "5s 6d 4h 8c 2d", "rosa")
    table.context("player", "otto")
    table.act("supervisor", where, act="ReserveBoxes", by="casino-supervisor", player="otto", boxes=[7])
    page = table.page("player", f"#/table/{where}", "rosa")
    page.wait_for_selector("[data-do=take-back]")
    page.click("#tab-more")
    page.click("text=Sit at 7")
    page.wait_for_selector(".toast.refused >> text=box 7 is reserved for otto.")
    table.act("dealer", where, act="Deal")
    page.wait_for_selector(".table-page:not([data-phase=wagers])")
    page.wait_for_selector(".toast", state="detached")


def test_who_is_refused_by_a_supervisor_is_told(table: LaidFloor) -> None:
    where = table.open_table("nsw-pontoon")
    page = sit_down(table, where, "remy")
    wager(page, 2)
    page.click("text=Place $5")
    page.wait_for_selector("[data-do=ready]")
    table.act("supervisor", where, act="RefuseWager", by="casino-supervisor", player="remy", box=2)
    toast = page.wait_for_selector(".toast.refused")
    assert toast is not None
    assert toast.inner_text().startswith(
        "NSW pontoon 19.16: box 2: your wager of $5 was refused by the house and is yours again; make another,"
    )
    page.reload()
    page.wait_for_selector(".history >> text=is refused")
    assert page.locator(".toast").count() == 0, "what happened before he came is history"


# --- what is covered -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_results_cover_no_rank(table: LaidFloor, viewport: dict[str, int]) -> None:
    """A shared box with two results, and a box with one."""
    where = table.deal("nsw-pontoon", "5d 9c 6d 4h 9d 9s Kd 8h Qs")
    names = [f"share-{who}-{viewport['width']}" for who in ("ida", "kim")]
    page, other = (sit_down(table, where, name, viewport=viewport) for name in names)
    wager(page, 2)
    page.click("[data-do=place]")
    page.wait_for_selector("[data-do=ready]")
    wager(other, 2)
    other.click("[data-do=place]")
    other.wait_for_selector("[data-do=ready]")
    wager(other, 3)
    other.click("[data-do=place]")
    other.wait_for_selector(".placed")
    for each in (page, other):
        each.click("[data-do=ready]")
    say(page, "Stand")
    say(other, "Stand")
    over(page)
    counts(page.locator(".seat.mine .hand .result"), 2)
    counts(page.locator(".hand .result"), 3)
    assert page.evaluate(COVERED) == 0


@pytest.mark.parametrize("viewport", [PHONE, SMALL_PHONE], ids=["390", "360"])
def test_no_box_covers_its_neighbour_on_a_telephone(table: LaidFloor, viewport: dict[str, int]) -> None:
    """Splits, doubles and three cards in every row."""
    cards = "Js 3d 2s Ts 4s Qd Qc 5h Jc 7c 7d Qs 3h As Ad 7d Kd Js Kc 6h Jd 4c 5s 9s 9d 9h 2d 2c 3c"
    where = table.deal("nsw-blackjack-challenge", cards)
    page = sit_down(table, where, f"tess-{viewport['width']}", viewport=viewport)
    for box in range(1, 8):
        wager(page, box)
    page.click("[data-do=place]")
    page.wait_for_selector("text=$35 on the table")
    page.click("[data-do=ready]")
    page.wait_for_selector(".table-page:not([data-phase=wagers])")
    while now := asked(page):
        question = page.inner_text(".dock-state")
        assert page.evaluate(CROWDED) == 0, question
        wanted = "Double" if "Double" in now and ("box 2" in question or "box 3" in question) else "Stand"
        say(page, "Split" if "Split" in now else wanted if wanted in now else now[0])
    over(page)
    assert page.locator(".hand").count() > 8
    assert page.evaluate(CROWDED) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]


def in_sight(page: Page, selector: str) -> bool:
    size = page.viewport_size
    assert size is not None
    box = page.locator(selector).bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def test_all_that_is_asked_is_in_sight_on_a_desk(table: LaidFloor) -> None:
    """The cut with the chips below it, and surrender on five boxes with its No."""
    where = table.open_table("nsw-pontoon", dealer="person")
    table.act("player", where, "sid", act="PlaceWager", player="sid", box=2, cents=500)
    table.act("dealer", where, act="Shuffle")
    page = table.page("player", f"#/table/{where}", "sid")
    page.wait_for_selector("[data-act=Cut]")
    page.wait_for_selector(".lettering", state="attached")
    assert in_sight(page, "[data-do=take-back]")
    assert in_sight(page, ".dock")
    page = sit_down(table, table.deal("nsw-pontoon", "Ks 6d 5h 3c 8h Kd 7d 2c Js 3d 5s"), "suki")
    for box in range(1, 6):
        wager(page, box)
    page.click("[data-do=place]")
    page.wait_for_selector("text=$25 on the table")
    page.click("[data-do=ready]")
    page.wait_for_selector("[data-act=Surrender]")
    calm(page)
    assert len(acts(page)) == 6
    assert in_sight(page, "[data-act=pass]")
    assert in_sight(page, ".dock")
    spots = [each.bounding_box() for each in page.locator(".spot.main, .seat-name").all()]
    dock = page.locator(".dock").bounding_box()
    assert dock is not None
    assert all(spot and spot["y"] + spot["height"] <= dock["y"] for spot in spots), "the boxes stay in sight too"


def test_staff_see_who_is_seated_and_what_is_reserved_on_a_telephone(table: LaidFloor) -> None:
    where = table.open_table("nsw-pontoon")
    table.act("player", where, "zora", act="TakeSeat", player="zora", box=3)
    table.context("player", "otto")
    table.act("supervisor", where, act="ReserveBoxes", by="casino-supervisor", player="otto", boxes=[7])
    page = table.page("supervisor", f"#/table/{where}", viewport=PHONE)
    page.wait_for_selector(".seat-name")
    shown = [each.inner_text().split("\n") for each in page.locator(".seat:visible .seat-name").all()]
    assert [" ".join(words) for words in shown] == ["3 zora", "7 for otto"]


# --- words -----------------------------------------------------------------------------------------------------------


def test_optional_wagers_are_called_by_their_names(table: LaidFloor) -> None:
    page = sit_down(table, table.open_table("nsw-pontoon"), "wilma")
    wager(page, 2, kind="perfect-pairs")
    page.click("text=Place $5")
    toast = page.wait_for_selector(".toast.refused, .sides .wager.own")
    assert toast is not None
    wager(page, 2)
    page.click("[data-do=place]")
    page.wait_for_selector(".history >> text=on Perfect Pairs")
    assert "perfect-pairs" not in page.inner_text(".table-page")
