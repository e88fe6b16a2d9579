"""A dealer at the web table: the round step by step in the prescribed order, and training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pitboss.floor.training import Training
from pitboss.rulebooks import RULEBOOKS
from tests.web.floor import Floor

if TYPE_CHECKING:
    from playwright.sync_api import Page

STANDS = """(version) => {
  const page = document.querySelector('.table-page');
  return page.dataset.version > version || page.dataset.calm === 'no' ? [page.dataset.waits, page.dataset.phase] : null;
}"""


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
            page.wait_for_selector(".dealer-dock [data-act=Deal]")
            continue
        before = [
            version_of(page),
            page.inner_text(".dealer-dock .dock-state"),
            page.inner_text(".dealer-dock .buttons"),
        ]
        go_on(page, floor, table)
        page.wait_for_function(
            """([version, state, buttons]) => {
              const page = document.querySelector('.table-page');
              return page.dataset.version > version || page.querySelector('.dock-state').innerText !== state
                || page.querySelector('.dealer-dock .buttons').innerText !== buttons;
            }""",
            arg=before,
        )
    order = list(dict.fromkeys(steps))
    assert order[:4] == ["Shuffle", "Cut", "Cutting card", "Wagers"]
    assert order.index("Wagers") < order.index("Deal") < order.index("Collect and pay")
    assert "The round is over" in page.inner_text(".history")
    assert floor.state("dealer", table)["round"] == 2


def test_a_dealer_goes_on_with_the_keyboard(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("dealer", f"#/table/{table}")
    page.wait_for_selector(".dealer-dock [data-act=Shuffle]")
    page.keyboard.press("Space")
    page.wait_for_selector(".table-page[data-waits=cut]")
    assert "Offer the cut to the supervisor" in page.inner_text(".dealer-dock")
    floor.prepare(table)
    floor.act("player", table, "alice", act="PlaceWager", player="alice", box=1, cents=500)
    page.wait_for_selector(".dealer-dock [data-act=CallNoMoreBets]")
    page.keyboard.press("b")
    page.wait_for_selector(".history >> text=No more bets")
    page.keyboard.press("Enter")
    page.wait_for_selector(".history >> text=The round begins")


def test_a_trainee_is_checked_step_by_step(floor: Floor, faults: list[Any]) -> None:
    """A wrong step is told with its clause; the right ones lead to the end and the score."""
    rulebook = "adelaide-pontoon-2008"
    right = [moment.step.said for moment in Training(rulebook, "one", 1).moments]
    page = floor.page("dealer", "#/training")
    page.select_option("#train-rulebook", rulebook)
    page.fill("#train-seed", "one")
    page.click("text=Begin")
    page.click("[data-step=gather]")
    assert "not the next step" in page.inner_text(".verdict.wrong")
    assert page.locator(".verdict.wrong .why").count() == 1
    for at, said in enumerate(right):
        page.click(f"[data-step={said.step}]")
        if page.locator(".train-steps form").count():
            for field, value in (("box", said.box), ("total", said.total)):
                if value is not None and page.locator(f"#say-{field}").count():
                    page.fill(f"#say-{field}", str(value))
            if said.player is not None and page.locator("#say-player").count():
                page.select_option("#say-player", said.player)
            if said.cents is not None and page.locator("#say-cents").count():
                page.fill("#say-cents", str(said.cents / 100))
            page.click(".train-steps form button")
        page.wait_for_selector(f".training progress[value='{at + 1}']")
    assert f"{len(right) - 1} of {len(right)} steps right at once" in page.inner_text(".dock")
    page.click("text=Leave >> nth=0")
    page.wait_for_selector("#train-rulebook")
