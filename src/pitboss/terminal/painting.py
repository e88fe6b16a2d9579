"""The parts of the picture in colour, for a terminal that has some. The only file that needs `rich` for the felt."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.style import Style
from rich.text import Text

from pitboss.terminal import felt as parts
from pitboss.terminal.felt import Line

CLOTH = "#0b5a36"
STYLES = {
    parts.FELT: Style(color="#dfeee4", bgcolor=CLOTH),
    parts.RIM: Style(color="#c9a45c", bgcolor=CLOTH),
    parts.TITLE: Style(color="#f3e3b3", bgcolor=CLOTH, bold=True),
    parts.TURN: Style(color="#10301f", bgcolor="#f2c14e", bold=True),
    parts.BLACK: Style(color="#111111", bgcolor="#f7f5ee"),
    parts.RED: Style(color="#c1121f", bgcolor="#f7f5ee", bold=True),
    parts.BACK: Style(color="#f7f5ee", bgcolor="#27408b"),
    parts.FAINT: Style(color="#8fb8a0", bgcolor=CLOTH),
    parts.WIN: Style(color="#9df57a", bgcolor=CLOTH, bold=True),
    parts.LOSE: Style(color="#ffb3a7", bgcolor=CLOTH),
    parts.MONEY: Style(color="#f3e3b3", bgcolor=CLOTH),
    parts.MARK: Style(color="#ffffff", bgcolor=CLOTH, bold=True),
}


def painted(lines: Iterable[Line]) -> Text:
    """The picture with its colours; without colour the characters alone say it all."""
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        for piece, role in line.pieces:
            inner = piece.strip(" ")
            start = len(piece) - len(piece.lstrip(" ")) if inner else 0
            text.append(piece[:start], STYLES[parts.FELT])
            text.append(inner, STYLES[role])
            text.append(piece[start + len(inner) :], STYLES[parts.FELT if role != parts.TURN else role])
    return text


def console_for(*, record: bool = False, width: int | None = None) -> Console:
    """A console that adds no colours of its own."""
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=False, record=record, width=width)
