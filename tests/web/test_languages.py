"""Another language: what pages show goes through the one catalogue, without a page knowing of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.web.floor import Floor, says
from tests.web.texts import CATALOGUE

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

NOT_OURS = re.compile(
    r"(?:[\W\d]*|\w{3} \d+, \d{4}[, \d:]*|Pitboss|paula.*|.*\bpontoon\b.*|.*Blackjack Challenge.*|"
    r"Table t\d+|</script><b>&|[\d.,$+−–A-KQT♠♥♦♣ ]*|s|PP)",
    re.IGNORECASE | re.DOTALL,
)
"""Names (one of them another test gives a table), numbers, dates, cards, signs on spots, the ending of a plural, and
what has the title of a document in it."""
SHOWN = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const at = node.parentElement;
    if (at.closest(`.events, .history, .inscribed, svg, .pay-table, .table-notices, kbd, script, noscript, .hint,
      .printed, .inscriptions-plain, .how-to-play, .rule-sentences, .glossary`)) continue;
    if (node.textContent.trim()) found.add(node.textContent.trim());
  }
  for (const each of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    if (!each.closest('svg, .pay-table, .events, .history, .rules-panel'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (each.getAttribute(name)) found.add(each.getAttribute(name));
  return [...found];
}"""
"""What stands on the page, but for what the server says of rules and events in sentences."""


def other(text: str) -> str:
    """The same in a language that nobody speaks; values change their places."""
    numbers = re.findall(r"\{\d+\}", text)
    words = re.sub(r"\{\d+\}", "", text)
    marked = "".join(f"{each}\u0323" if each.isalpha() else each for each in re.sub(r"</?\w+>", "", words))
    return f"«{marked.strip()} {' '.join(reversed(numbers))}»"


def speak(context: BrowserContext) -> None:
    words = {text: other(text) for text in json.loads(CATALOGUE.read_text("utf-8"))}
    context.route("**/texts/xx.json", lambda route: route.fulfill(json=words))
    context.add_init_script("localStorage.setItem('pitboss.language', 'xx')")


def test_all_that_pages_show_goes_through_the_catalogue(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon")
    paula = f"paula-{table}"
    speak(floor.context("player", paula))
    missed = []
    for path, ready in (
        ("#/tables", ".table-card, tbody tr"),  # a floor with many tables shows a list
        (f"#/table/{table}", ".lettering"),
        ("#/my-play", "h1"),
        ("#/replay", "textarea"),
        ("#/account", "h2"),
    ):
        page = floor.page("player", path, paula)
        page.wait_for_selector(ready, state="attached")
        says(page, "html", "lang", "xx")
        for text in page.evaluate(SHOWN):
            if "«" not in text and not NOT_OURS.fullmatch(text):
                missed.append((path, text))
    page = floor.page("player", f"#/table/{table}", paula)
    page.click("button.spot[data-box='3'][data-kind='original']")
    page.wait_for_selector(".unplaced >> text=/«.*\\$5.*»/")
    floor.forget(paula)
    assert missed == [], "\n".join(map(str, missed))
