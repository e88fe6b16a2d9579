"""Those who run the floor: one inbox with a badge everywhere, a dispute with its round, limits by their timer."""

from __future__ import annotations

from typing import Any

from tests.web.floor import Floor, reads

PHONE, TABLET = {"width": 390, "height": 844}, {"width": 1024, "height": 768}
SMALL = """() => [...document.querySelectorAll('main button, main a, main summary, main input, main select')]
  .filter((each) => each.offsetParent && !each.closest('p, td, dd, li.step, label, .steps, .history'))
  .filter((each) => !each.matches('.why, .skip'))
  .map((each) => [each.getBoundingClientRect().height, each.outerHTML.slice(0, 120)])
  .filter(([height]) => height < 43.5)"""
TINY = """() => [...document.querySelectorAll('main *')].filter((each) => each.offsetParent && [...each.childNodes]
  .some((node) => node.nodeType === 3 && node.textContent.trim()) && !each.closest('.felt, svg, .cards'))
  .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 12).map((each) => each.outerHTML.slice(0, 120))"""


def test_a_dispute_from_the_inbox_to_the_review(floor: Floor, faults: list[Any]) -> None:
    """The badge says that something waits; the dispute shows complaint, round and whose it is; another reviews it."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=2, cents=1000)
    floor.act("dealer", table, act="Deal")
    while floor.decide(table, "alice") or floor.state("dealer", table)["round"] == 1:
        closing = [act for act in floor.state("dealer", table)["legal"] if act["act"].startswith("Close")]
        if closing:
            floor.act("dealer", table, **closing[0])
    page = floor.page("supervisor", "#/tables", viewport=TABLET)
    page.wait_for_selector(".who-am-i")
    floor.act("player", table, "alice", act="RaiseDispute", player="alice", about="my card was not counted")
    page.wait_for_selector("nav .badge")
    page.click("nav >> text=Inbox")
    page.wait_for_selector(f".inbox [data-kind=dispute][data-table={table}]")
    assert page.locator(f".inbox [data-kind=notice][data-table={table}]").count() == 0, "it is said once"
    page.click(f".inbox [data-kind=dispute][data-table={table}] a")
    page.wait_for_selector(".dispute-page .complaint >> text=my card was not counted")
    reads(page, ".facts", "The gaming supervisor (19.17)")
    page.wait_for_selector(".dispute-round .steps li")
    reads(page, ".facts", "round 1")
    page.fill("#dispute-ruling", "The payment stands")
    page.click("text=Rule on the dispute")
    page.wait_for_selector(".dispute-page[data-stage=ruled]")
    floor.act("player", table, "alice", act="AskReview", player="alice")
    page.wait_for_selector("text=another person reviews it")
    assert page.locator("#dispute-ruling").count() == 0
    other = floor.page("gaming-manager", f"#/disputes/{table}/alice", viewport=PHONE)
    other.fill("#dispute-ruling", "The ruling holds")
    other.click("text=Rule on review")
    other.wait_for_selector(".dispute-page[data-stage=final]")
    other.emulate_media(media="print")
    assert not other.is_visible(".bar") and other.is_visible(".complaint") and other.is_visible(".print-only")


def test_a_dispute_in_the_middle_of_a_round_shows_the_round_so_far(floor: Floor, faults: list[Any]) -> None:
    """Whoever rules sees what has happened, without a word for the machine, and the replay once the round is over."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=2, cents=1000)
    floor.act("dealer", table, act="Deal")
    floor.act("player", table, "alice", act="RaiseDispute", player="alice", about="I was passed over")
    page = floor.page("supervisor", f"#/disputes/{table}/alice")
    page.wait_for_selector(".dispute-round >> text=Round 1 so far")
    reads(page, ".so-far li >> nth=0", "The round begins")
    reads(page, ".so-far .mark", "alice disputes: I was passed over")
    assert table not in page.inner_text(".dispute-round")
    while floor.decide(table, "alice") or floor.state("dealer", table)["round"] == 1:
        closing = [act for act in floor.state("dealer", table)["legal"] if act["act"].startswith("Close")]
        if closing:
            floor.act("dealer", table, **closing[0])
    page.wait_for_selector(".dispute-round .steps li")
    reads(page, ".dispute-round", "Round 1, replayed")


def test_a_raise_is_announced_and_the_complainant_is_chosen(floor: Floor, faults: list[Any]) -> None:
    """NSW 6.5: nobody certifies minutes; the floor keeps them. Actions are found by what happened and fit a finger."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    for name in ("alice", "bob"):
        floor.act("player", table, name, act="TakeSeat", player=name, box={"alice": 1, "bob": 2}[name])
    floor.act("player", table, "bob", act="RaiseDispute", player="bob", about="the order of the cards")
    page = floor.page("supervisor", f"#/table/{table}", viewport=TABLET)
    page.wait_for_selector("#find-act")
    page.fill("#find-act", "raise minimum")
    page.click("[data-act=DisplaySign] .act-head")
    rules = page.inner_text("[data-act=DisplaySign] .ruling")
    assert "A higher minimum applies to everybody once a sign has been up for 20 minutes." in rules
    assert "minutes:" not in rules
    page.fill("#f-DisplaySign-minimum_cents", "10")
    page.fill("#f-DisplaySign-maximum_cents", "1000")
    page.click("[data-act=DisplaySign] button.primary")
    page.wait_for_selector("[data-act=DisplaySign] .done")
    page.fill("#find-act", "complaint")
    page.click("[data-act=RuleDispute] .act-head")
    assert page.input_value("#f-RuleDispute-player") == "bob"
    assert page.locator("text=Minutes the new sign").count() == 0
    assert page.evaluate(SMALL) == []
    assert page.evaluate(TINY) == []
    assert page.evaluate("document.getElementById('find-act').getBoundingClientRect().top") < TABLET["height"]
    manager = floor.page("gaming-manager", "#/dashboard")
    manager.wait_for_selector(".tiles dt >> text=Hold")
    manager.wait_for_selector(f"text=Table {table}")
    manager.wait_for_selector(".handovers")


def test_an_inspector_finds_a_moment_and_takes_it_along(floor: Floor, faults: list[Any]) -> None:
    """By date and time, whatever letters are large; a card drawn in error is shown; what was found is CSV and paper."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=2, cents=1000)
    floor.act("dealer", table, act="DrawInError", exposed=True)
    page = floor.page("inspector", f"#/table/{table}/at/1")
    page.wait_for_selector(".go-to")
    page.fill("#go-to-moment", "2099-01-01T00:00:00")
    page.click("text=Go to this moment")
    page.wait_for_selector(".wrong-cards >> text=Drawn in error")
    page.goto(f"{floor.address}/#/log")
    page.fill("#log-player", "ALICE")
    page.fill("#log-table", table.upper())
    page.fill("#log-since", "2020-01-01T00:00:00")
    page.click("button >> text=Search")
    page.wait_for_selector(".log-table >> text=alice wagers $10.00")
    with page.expect_download() as taken:
        page.click("text=CSV")
    text = taken.value.path().read_text("utf-8")
    assert text.startswith('"When","Table"') and "alice wagers $10.00" in text
    page.emulate_media(media="print")
    assert not page.is_visible(".search-grid") and page.is_visible(".log-table")
    page.emulate_media(media="screen")
    page.fill("#log-until", "2020-01-02T00:00:00")
    page.click("button >> text=Search")
    page.wait_for_selector("text=No matching entries")
