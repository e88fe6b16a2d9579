"""What is measured on a page: targets that a finger finds, letters that can be read, words that people know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.floor import DESK, PHONE, resize
from tests.web.test_texts import internal_in, not_to_be_said

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLET = {"width": 1024, "height": 768}
UPRIGHT = {"width": 768, "height": 1024}
SMALL = """() => {
  const seen = (each) => {
    const { width, height } = each.getBoundingClientRect();
    const { visibility, opacity } = getComputedStyle(each);
    return width > 1 && height > 1 && visibility !== 'hidden' && opacity !== '0';
  };
  const targets = 'a, button, input, select, textarea, summary, [role=button]';
  const tooSmall = [...document.querySelectorAll(targets)].filter((each) => {
    const inText = each.matches('.gloss-word') || (each.matches('a') && getComputedStyle(each).display === 'inline');
    if (!seen(each) || inText || each.matches('.spot')) return false;
    const whole = (each.matches('[type=checkbox], [type=radio]') && each.closest('label')) || each;
    const { width, height } = whole.getBoundingClientRect();
    return width < 43.5 || height < 43.5;
  });
  return tooSmall.map((each) => `${each.outerHTML.slice(0, 90)}: ${each.offsetWidth} by ${each.offsetHeight}`);
}"""
TINY = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const each = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim().slice(0, 40);
    if (!text || each.closest('.stack, script, noscript, template') || !each.getClientRects().length) continue;
    const drawn = each.getScreenCTM?.();
    const size = parseFloat(getComputedStyle(each).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
    if (size < 11.95) found[found.length] = `${text}: ${size.toFixed(1)} (${each.className})`;
  }
  return found;
}"""


def tiny(page: Page) -> list[str]:
    """Letters smaller than 12 pixels; a chip in a stack says what stands beside it."""
    return [f"tiny: {each}" for each in page.evaluate(TINY)]


def small(page: Page) -> list[str]:
    """Targets that are not 44 by 44, but a word in a text and a spot on the cloth."""
    return [f"small: {each}" for each in page.evaluate(SMALL)]


def unplain(page: Page) -> list[str]:
    """What is shown with ids or with words outside the glossary; the names of the demo's people are theirs."""
    lines = [line.replace("demo-gaming-", "") for line in page.inner_text("body").splitlines()]
    return [not_to_be_said(line) or line for line in lines if internal_in(line) or not_to_be_said(line)]


def wrong_on(page: Page) -> list[str]:
    """What is wrong on a desk, a tablet either way up and a telephone: too small, too wide, not plain."""
    found = unplain(page)
    for screen in (DESK, TABLET, UPRIGHT, PHONE):
        resize(page, screen)
        found += tiny(page)
        if screen is not DESK:
            found += small(page)
        if page.evaluate("document.documentElement.scrollWidth") > screen["width"]:
            found.append(f"wider than {screen}")
    return [f"{page.url.partition('#')[2]}: {each}" for each in dict.fromkeys(found)]
