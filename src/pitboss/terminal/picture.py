"""The picture of the table for the front page: ``python -m pitboss.terminal.picture docs/images/table.svg``."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from pitboss.rulebooks import load
from pitboss.table.house import default_house
from pitboss.terminal.session import Session
from pitboss.terminal.table_screen import TableScreen
from pitboss.terminal.words import understand

WIDTH = 92
CARDS = "As 8d Kh 9c 7s Kc 8c 9h Jd 3h 2s 9d Qd 5h Ks"
"""Bob is paid for pontoon at once; alice has split two eights and doubled the first hand."""
LINES = ("25 2pp=5 4pp=5", "deal", "split", "double")

COLOURS = [
    (16, 33, 25), (193, 18, 31), (120, 190, 90), (242, 193, 78), (90, 140, 200), (190, 130, 190), (110, 190, 190),
    (223, 238, 228),
]  # fmt: skip
THEME = TerminalTheme((16, 33, 25), (223, 238, 228), COLOURS, COLOURS)


class Nobody:
    """No keyboard: the picture is of one moment."""

    def key(self) -> None:
        return None

    def line(self) -> None:
        return None

    def pending(self, seconds: float = 0.0) -> bool:
        return False

    def drop(self) -> bool:
        return True


def picture() -> str:
    """A real moment of a real round, as SVG."""
    rulebook = load("nsw-pontoon")
    session = Session(
        rulebook, default_house(rulebook), name="alice", boxes=(2, 4), bankroll_cents=100_000, seed="1",
        cards=CARDS.split(), bots=2,
    )  # fmt: skip
    console = Console(
        record=True, width=WIDTH, height=40, file=io.StringIO(), force_terminal=True, color_system="truecolor",
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    screen = TableScreen(session, Nobody(), console, pace=0)
    for line in LINES:
        screen.happen(session.do(*understand(line, session).acts))
        screen.happen(session.run())
    for part in screen.frame(screen.decision_question(session.waiting())):
        console.print(part)
    return _without_addresses(console.export_svg(title="pitboss play nsw-pontoon", theme=THEME))


def _without_addresses(svg: str) -> str:
    """Fonts come from the reader's own machine: nothing is fetched."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL).replace("Fira Code, monospace", "monospace")
    return re.sub(r"\n(?=</text>)", "", svg).replace("<svg ", '<svg xml:space="preserve" ', 1)


def main(target: str) -> None:
    path = Path(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
