"""Rule sheets and comparisons on a terminal: headings in bold, clauses faint. Needs `rich`."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text


def print_sheet(lines: Iterable[str]) -> None:
    """Print lines with a little colour; the text stays the same."""
    console = Console(highlight=False, markup=False, emoji=False)
    within = False
    for place, line in enumerate(lines):
        text, within = _coloured(line, within)
        if place == 0 or (line[:1].isupper() and line.split(" 7s")[0].isupper()):
            text.stylize("bold green")
        elif line.lstrip().startswith("A STUDY VARIANT"):
            text.stylize("bold yellow")
        elif line.lstrip().startswith("note: "):
            text.stylize("italic")
        console.print(text, soft_wrap=True)


def _coloured(line: str, within: bool) -> tuple[Text, bool]:
    """Citations stand in square brackets, which may go over several lines."""
    text = Text()
    for sign in line:
        within = within or sign == "["
        text.append(sign, "cyan" if within else "")
        within = within and sign != "]"
    return text, within
