"""A defined word is explained where the rules are shown: to the mouse, the keyboard and a finger."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rulebooks.glossary import glossary, words_by_clause
from tests.books import ACT5
from tests.web.floor import Floor


@pytest.mark.clause("canberra-pontoon-2005", "dict:note", "def:Burn")
def test_a_defined_word_is_underlined_and_explained_where_rules_are_shown(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("dealer", f"#/rules/{ACT5}")
    page.wait_for_selector(".glossary dt")
    words = [each.word for each in glossary(ACT5) if each.word]
    assert page.locator(".glossary dt").all_inner_texts() == words
    page.fill("#find-term", "initial deal")
    page.wait_for_selector(".glossary dt >> nth=0 >> text=Initial deal")
    page.fill("#find-term", "burned")
    page.click(".term:has-text('burned') .why >> nth=0")
    word = page.locator("dialog .gloss-word", has_text="burn").first
    word.wait_for()
    assert "underline" in word.evaluate("each => getComputedStyle(each).textDecorationLine")
    before = page.inner_text("dialog .clauses")
    tip = page.locator(".gloss-tip")
    word.focus()
    tip.wait_for()
    assert words_by_clause(ACT5)["def:Burn"].means in tip.inner_text()
    assert word.get_attribute("aria-describedby") == tip.get_attribute("id")
    page.keyboard.press("Escape")
    tip.wait_for(state="detached")
    assert page.inner_text("dialog .clauses") == before, "the text is as it was, and the dialog still open"
    word.evaluate("each => each.blur()")
    word.hover()
    tip.wait_for()
    word.click()
    page.mouse.move(0, 0)
    tip.wait_for()
    box = tip.bounding_box()
    size = page.viewport_size
    assert box and size and box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    word.click()
    tip.wait_for(state="detached")
