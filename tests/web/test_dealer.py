"""A dealer at the web table: the round step by step in the prescribed order, and training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pitboss.adjudicate import adjudicate
from pitboss.floor.training import STEPS, Said, Training
from pitboss.rulebooks import RULEBOOKS
from tests.books import ADL, BJC
from tests.lengths import WHOLE
from tests.web.floor import Floor, counts, reads, shows

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"
"""What a page does once it has drawn is done."""


def go_on(page: Page, floor: Floor, table: str) -> None:
    """One step: the big button where it is the dealer's, or the word of whoever is asked."""
    if page.locator(".dealer-dock button.big").count():
        page.locator(".dealer-dock button.big").click()
        return
    waiting = floor.state("dealer", table)["waiting"]
    if waiting["what"] == "cut":
        floor._cut(table, waiting["who"][0])
    else:
        assert floor.decide(table, "alice"), waiting


def version_of(page: Page) -> int:
    return int(page.get_attribute(".table-page", "data-version") or 0)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_dealer_deals_a_whole_round(floor: Floor, faults: list[Any], rulebook: str) -> None:
    """From the first shuffle on, every card and payment confirmed."""
    table = floor.open_table(rulebook, dealer="person")
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector(".strip [aria-current=step] >> text=Shuffle")
    page.check("text=Confirm every card")
    steps: list[str] = []
    wagered = False
    while (
        page.get_attribute(".table-page", "data-round") == "1" or page.get_attribute(".table-page", "data-calm") == "no"
    ):
        steps.append(page.inner_text(".strip [aria-current=step]"))
        waits = page.get_attribute(".table-page", "data-waits")
        if waits == "wagers" and not wagered and page.get_attribute(".table-page", "data-round") == "1":
            wagered = True
            floor.act("player", table, "alice", act="PlaceWager", player="alice", box=2, cents=1000)
            page.wait_for_selector(".dealer-dock .big[data-act=CallNoMoreBets]")
            continue
        before = [
            version_of(page),
            page.inner_text(".dealer-dock .dock-state"),
            page.inner_text(".dealer-dock .buttons"),
            page.get_attribute(".table-page", "data-place"),
        ]
        go_on(page, floor, table)
        page.wait_for_function(
            """([version, state, buttons, place]) => {
              const page = document.querySelector('.table-page');
              const now = page.querySelector('.dealer-dock .buttons').innerText;
              if (now.includes('Sending')) return false;
              return page.dataset.version > version || page.querySelector('.dock-state').innerText !== state
                || now !== buttons || (page.dataset.place || null) !== place;
            }""",
            arg=before,
        )
    order = list(dict.fromkeys(steps))
    assert order[:4] == ["Shuffle", "Cut", "Cutting card", "Wagers"]
    prescribed = ["Wagers", "No more bets", "Burn", "Deal", "Offers", "Decisions", "Collect and pay"]
    assert order[3:] == [step for step in prescribed if step in order]
    assert {"No more bets", "Deal", "Collect and pay"} <= set(order)
    reads(page, ".history", "The round is over")
    assert floor.state("dealer", table)["round"] == 2


def test_a_dealer_goes_on_with_the_keyboard(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector(".dealer-dock [data-act=Shuffle]")
    page.keyboard.press("Space")
    page.wait_for_selector(".table-page[data-waits=cut]")
    reads(page, ".dealer-dock", "Offer the cut to the supervisor")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=1, cents=500)
    page.wait_for_selector(".dealer-dock [data-act=CallNoMoreBets]")
    page.keyboard.press("b")
    page.wait_for_selector(".history >> text=No more bets")
    page.wait_for_selector(".dealer-dock .big[data-act=Deal]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".history >> text=The round begins")


def in_play(floor: Floor, rulebook: str) -> str:
    """A table with a round that did not end with the deal, and in which alice is to decide."""
    while True:
        table = floor.open_table(rulebook, dealer="person")
        floor.prepare(table)
        floor.act("player", table, "alice", act="PlaceWager", player="alice", box=2, cents=1000)
        floor.act("dealer", table, act="Deal")
        while closing := [act for act in floor.state("dealer", table)["legal"] if act["act"].startswith("Close")]:
            floor.act("dealer", table, **closing[0])
        if floor.state("dealer", table)["waiting"]["what"] == "decision":
            return table


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_dealer_is_told_what_the_rules_say_and_reports_it(floor: Floor, faults: list[Any], rulebook: str) -> None:
    """A card drawn in error: found by a word, told with clauses, reported, and a supervisor approves where he must."""
    table = in_play(floor, rulebook)
    page = floor.page("dealer", f"#/table/{table}")
    page.click("text=Something went wrong")
    page.wait_for_function("() => document.activeElement.id === 'find-act'")
    page.keyboard.type("flashed")
    page.click("[data-act=DrawInError] .act-head")
    page.check("text=It is exposed")
    ruling = adjudicate(rulebook, "card-drawn-in-error", exposed=True)
    for step in ruling.steps:
        page.wait_for_selector(f'.ruling-steps >> text="{step.text}"')
    page.click(".ruling-steps .why >> nth=0")
    page.wait_for_selector("dialog .clause dd:not(:empty)")
    page.keyboard.press("Escape")
    before = floor.state("dealer", table)["waiting"]
    page.click("[data-act=DrawInError] button.primary")
    page.wait_for_selector(".act-form .done")
    assert len(floor.state("dealer", table)["view"]["drawn_in_error"]) == 1
    if ruling.approvals:
        page.wait_for_selector(".prompt >> text=Call the casino supervisor")
        other = floor.page("supervisor", f"#/table/{table}")
        other.wait_for_selector(".lately >> text=in error")
        other.click(".dock >> text=Approve that the game continues")
        page.wait_for_selector(f".table-page[data-waits={before['what']}]")


def test_what_is_a_supervisors_to_report_is_told_to_the_dealer_all_the_same(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector(".dealer-dock [data-act=Shuffle]")
    page.keyboard.press("w")
    page.fill("#find-act", "missing or foreign")
    page.click("[data-act=FindWrongCards] .act-head")
    page.wait_for_selector(".ruling-steps li")
    reads(page, ".act-form", "who reports this.")
    assert page.locator(".act-form button.primary").count() == 0
    page.fill("#find-act", "machine")
    page.click("[data-act=ReportMalfunction] .act-head")
    page.wait_for_selector(".ruling-steps >> text=The game stops while the device is seen to.")


def test_a_misdeal_is_told_by_pressing_the_boxes(floor: Floor, faults: list[Any]) -> None:
    """Where the cards went, in the order in which they left; then the round is rebuilt."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.prepare(table)
    for name, box in (("alice", 1), ("bob", 3)):
        floor.act("player", table, name, act="PlaceWager", player=name, box=box, cents=1000)
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector(".dealer-dock .big[data-act=CallNoMoreBets]")
    page.keyboard.press("w")
    page.fill("#find-act", "misdeal out of order")
    page.click("[data-act=Misdeal] .act-head")
    for place in ("Box 3", "Box 1", "Dealer", "Box 3", "Undo", "Box 1", "Box 3"):
        page.click(f".places >> text='{place}'")
    assert page.input_value("#f-Misdeal-places") == "3 1 0 1 3"
    page.click("[data-act=Misdeal] button.primary")
    page.wait_for_selector(".act-form .done")
    page.click(".dealer-dock [data-act=Reconstruct]")
    page.click("#tab-history")
    page.wait_for_selector(".history >> text=rebuilt")


@pytest.mark.parametrize("rulebook", RULEBOOKS if WHOLE else (ADL, BJC))
def test_a_trainee_is_checked_step_by_step(floor: Floor, faults: list[Any], rulebook: str) -> None:
    """A wrong step is told with its clause; the right ones lead to the end, and the trainer sees the score."""
    page = floor.page("dealer", "#/training")
    page.select_option("#train-rulebook", rulebook)
    page.select_option("#train-scenario", "split")
    page.fill("#train-seed", f"one-{RULEBOOKS.index(rulebook)}")
    page.click("text=Begin")
    seed = page.inner_text("[data-fact=seed]")
    right = [moment.step.said for moment in Training(rulebook, seed, 1).moments]
    assert "divide" in {said.step for said in right}
    page.click("[data-step=gather]")
    page.wait_for_selector(".verdict.wrong >> text=not the next step")
    counts(page.locator(".verdict.wrong .why"), 1)
    for at, said in enumerate(right):
        page.click(f"[data-step={said.step}]")
        if any(getattr(said, need) is not None for need in ("box", "player", "cents", "total")):
            say(page, said)
        page.wait_for_selector(f".training progress[value='{at + 1}']")
        page.evaluate(FRAMES)
    reads(page, ".dock", f"{len(right) - 1} of {len(right)} steps right first time")
    page.click("text=Leave >> nth=0")
    page.wait_for_selector(f".trainees td >> text={seed}")
    trainer = floor.page("supervisor", "#/training")
    row = trainer.locator(".trainees tr", has_text=seed)
    row.locator("summary").click()
    reads(row, None, f"{len(right) - 1} of {len(right)}")
    first = STEPS[right[0].step][0]
    reads(row, None, f"Gather the cards is not the next step. Right: {first}")


def test_an_exam_says_nothing_until_its_result_is_printed(floor: Floor, faults: list[Any]) -> None:
    """All but the last step are said without the page; then it has the result, and the trainer the progress."""
    page = floor.page("dealer", "#/training")
    page.check("text=Exam")
    assert page.locator("#train-seed").count() == 0
    page.click("text=Begin the exam")
    page.wait_for_selector("h1 >> text=Exam")
    shows(page, "[data-fact=seed]", "–")
    page.click("[data-step=gather]")
    page.wait_for_selector(".verdict >> text=Noted.")
    assert page.locator(".verdict .why, .history li").count() == 0
    exam = page.evaluate("sessionStorage.getItem('pitboss-training')")
    shown = floor.ask("dealer", f"/api/training/{exam}")
    right = [moment.step.said for moment in Training(shown["rulebook"], shown["seed"], 1).moments]
    for said in right[1:-1]:
        floor.ask("dealer", f"/api/training/{exam}", msgspec.to_builtins(said))
    page.reload()
    page.click(f"[data-step={right[-1].step}]")
    page.wait_for_selector(".exam-result[data-passed=yes]")
    text = page.inner_text(".exam-result")
    assert f"{len(right) - 1} of {len(right)} steps" in text and "Step 1: Gather the cards is not the next step" in text
    page.emulate_media(media="print")
    assert page.is_visible(".exam-result dl") and not page.is_visible(".felt")
    trainer = floor.page("supervisor", "#/training")
    trainer.wait_for_selector(".trainees .tag >> text=exam passed")
    if trainer.locator(".trainees select").count():
        trainer.select_option(".trainees select", "dealer")
    trainer.wait_for_selector(".progress-over-time figcaption")


def say(page: Page, said: Said) -> None:
    """What a step needs, in the form; an amount with chips where they make it."""
    form = page.locator(".train-steps form")
    form.wait_for()
    for field, value in (("box", said.box), ("total", said.total)):
        if value is not None and form.locator(f"#say-{field}").count():
            page.fill(f"#say-{field}", str(value))
    if said.player is not None:
        page.select_option("#say-player", said.player)
    if said.cents is not None and said.cents % 2500 == 0 and said.cents <= 10_000:
        for _ in range(said.cents // 2500):
            page.click("[aria-label='Add a chip of $25']")
    elif said.cents is not None:
        page.fill("#say-cents", str(said.cents / 100))
    form.locator("button.primary").click()


def test_the_keys_drive_the_round_again_after_the_tick(floor: Floor, faults: list[Any]) -> None:
    """Space is the next step, also right after the box for it was ticked."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector(".dealer-dock [data-act=Shuffle]")
    page.locator(".stepping input").click()
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('.table-page').dataset.version > 1")
    assert page.locator(".stepping input").is_checked()


def test_a_misdeal_is_not_offered_once_the_cards_lie(floor: Floor, faults: list[Any]) -> None:
    """It is told in place of the deal: afterwards the form says so, and what the rules say can still be read."""
    table = in_play(floor, "nsw-pontoon")
    page = floor.page("dealer", f"#/table/{table}")
    page.click("text=Something went wrong")
    page.fill("#find-act", "misdeal out of order")
    page.click("[data-act=Misdeal] .act-head")
    page.wait_for_selector("[data-act=Misdeal] .call >> text=the cards of this round lie already")
    reads(page, "[data-act=Misdeal] .act-form", "in place of “Deal the round”")
    assert page.locator("[data-act=Misdeal] button.primary").count() == 0
    page.wait_for_selector("[data-act=Misdeal] .ruling h4")


def test_a_dealer_sees_when_rounds_ended_and_how(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.play_round(table, "rhoda", box=3)
    page = floor.page("dealer", f"#/table/{table}")
    page.click("#tab-rounds")
    row = page.locator(".rounds li", has_text="Round 1").first
    row.wait_for()
    reads(row, None, ":")
    row.locator("summary").click()
    row.locator("li", has_text="Box 3: rhoda").first.wait_for()


def test_nobodys_cut_is_left_by_the_key_of_the_next_step(floor: Floor, faults: list[Any]) -> None:
    """Where a player is offered the cut, the dealer may say that he does not cut; Space says nothing for him."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.act("player", table, "rhoda", act="TakeSeat", player="rhoda", box=3)
    floor.act("dealer", table, act="Shuffle")
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector(".table-page[data-waits=cut]")
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    assert floor.state("dealer", table)["waiting"]["what"] == "cut"
    page.wait_for_selector(".dealer-dock >> text=rhoda does not cut")
    page.keyboard.press("l")
    page.click("#tab-history")
    page.wait_for_selector(".history >> text=declines the cut")


def test_nobody_sees_a_card_before_the_dealer_has_dealt_it(floor: Floor, faults: list[Any]) -> None:
    """A player on a slow line, a dealer with two tabs: all are where the dealer's hands are; who declined is told."""
    table = floor.open_table("nsw-blackjack-challenge", dealer="person")
    floor.prepare(table)
    page = floor.page("dealer", f"#/table/{table}")
    page.check("text=Confirm every card")
    page.wait_for_selector(".dealers-side .felt")
    other = floor.page("dealer", f"#/table/{table}")
    player = floor.page("player", f"#/table/{table}", "alice", viewport={"width": 390, "height": 844})
    line = player.context.new_cdp_session(player)
    line.send("Network.enable")
    slow = {"offline": False, "latency": 150, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    line.send("Network.emulateNetworkConditions", slow)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=2, cents=1000)
    page.click(".dealer-dock [data-act=CallNoMoreBets]")
    page.click(".dealer-dock .big[data-act=Deal]")
    page.wait_for_selector(".table-page[data-waits=dealing]")
    if "Burn" in page.inner_text(".dock-state"):
        place = page.get_attribute(".table-page", "data-place")
        page.keyboard.press("Space")
        page.wait_for_function("(place) => document.querySelector('.table-page').dataset.place !== place", arg=place)
    cards = ".felt .hand .card"
    player.wait_for_selector(".table-page[data-waits=dealing]")
    shows(page, ".dock-state", "Deal a card to box 2.")
    for dealt in range(2):
        for each in (page, other, player):
            each.wait_for_function("([where, n]) => document.querySelectorAll(where).length === n", arg=[cards, dealt])
        assert len(floor.state("player", table, "alice")["view"]["boxes"][0]["hands"][0]["cards"]) == dealt
        place = page.get_attribute(".table-page", "data-place")
        (page if dealt else other).click(".dealer-dock button.big")
        page.wait_for_function("(place) => document.querySelector('.table-page').dataset.place !== place", arg=place)
    assert not player.locator("[data-do=hit], .decisions button:enabled").count()
    page.click("text=All the rest")
    player.wait_for_selector(".table-page:not([data-waits=dealing])")
    while floor.state("dealer", table)["waiting"]["what"] in ("insurance", "surrender"):
        before = floor.state("dealer", table)["waiting"]["what"]
        player.evaluate(f"import('./js/live.js').then(({{ live }}) => live.pass('{table}'))")
        page.wait_for_selector(".declined >> text=alice")
        page.click(".dealer-dock button.big")
        page.wait_for_function("(what) => document.querySelector('.table-page').dataset.waits !== what", arg=before)
    page.uncheck("text=Confirm every card")
    page.wait_for_selector(".table-page:not([data-waits=dealing])")
