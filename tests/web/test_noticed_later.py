"""An error that is noticed afterwards, told on the page: the moment is picked from a list, not counted."""

from __future__ import annotations

from typing import Any

from tests.web.floor import Floor
from tests.web.test_dealer import in_play


def test_the_moment_is_picked_from_what_has_happened(floor: Floor, faults: list[Any]) -> None:
    """NSW pontoon 17.1, 17.8: a card that lay face up, found when alice has to decide."""
    table = in_play(floor, "nsw-pontoon")
    view = floor.state("dealer", table)["view"]
    first, second = view["boxes"][0]["hands"][0]["cards"]
    page = floor.page("dealer", f"#/table/{table}")
    page.click("text=Something went wrong")
    page.fill("#find-act", "noticed afterwards")
    page.click("[data-act=Notice] .act-head")
    page.wait_for_selector("select#f-Notice-card")
    offered = page.locator("#f-Notice-card option").all_inner_texts()
    assert offered[0] == "None" and [each.split(": ")[0] for each in offered[1:]] == list("12345")[: len(offered) - 1]
    words = [each.split(": ")[1] for each in offered[1:]]
    assert words[-3:] == [f"{first} to box 2", f"{view['dealer']['cards'][0]} to the dealer", f"{second} to box 2"]
    assert set(words[:-3]) <= {"a card, burned"}
    page.check("text=A card lay face up")
    page.select_option("#f-Notice-card", str(len(words)))
    page.click("[data-act=Notice] button.primary")
    page.wait_for_selector("[data-act=Notice] .done")
    other = floor.page("supervisor", "#/approvals")
    other.locator(".proposal.yours", has_text=f"Table {table},").locator("text=Approve").click()
    other.wait_for_selector(".done >> text=Approved and done: An error noticed afterwards")
    told = [each["text"] for each in floor.ask("inspector", f"/api/tables/{table}/events")]
    assert any(f"lay face up and was dealt, at card {len(words)};" in text for text in told)
    assert any(text.startswith(f"{second} burned") for text in told)
