"""Charts as pictures: SVG that needs nothing else, and PNG made from it."""

from __future__ import annotations

from html import escape

from pitboss.maths.shoes import MathsError
from pitboss.strategy.book import LETTERS, SECTIONS, TITLES, UPS, StrategyBook, compact

COLOURS = {
    "S": "#f2b8a0",
    "H": "#f7f5ef",
    "D": "#9ec9e8",
    "d": "#9ec9e8",
    "P": "#b6d89a",
    "R": "#d8bfe8",
    "r": "#d8bfe8",
    "F": "#e9a8a8",
    "N": "#f7f5ef",
}
"""Light enough for black letters, and told apart by letter too."""
CELL, HIGH, LABEL, GAP, EDGE = 30, 22, 172, 40, 24
FONT = "font-family='DejaVu Sans, Verdana, Arial, sans-serif'"
Shown = tuple[str, list[tuple[str, str]]]


def shown_sections(book: StrategyBook) -> list[Shown]:
    """The sections that have rows, with the rows as people see them."""
    return [(name, compact(book.section(name))) for name in SECTIONS if book.section(name)]


def as_svg(book: StrategyBook) -> str:
    """Two columns of charts, a legend below."""
    columns = _columns(shown_sections(book))
    width = 2 * EDGE + len(columns) * (LABEL + 10 * CELL) + (len(columns) - 1) * GAP
    top = 96
    deepest = max(sum(_height(each) for each in column) for column in columns)
    height = top + deepest + 64
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}'"
        f" role='img' aria-label='{escape(_title(book), quote=True)}' {FONT}>",
        f"<title>{escape(_title(book))}</title>",
        f"<rect width='{width}' height='{height}' fill='#ffffff'/>",
        _text(EDGE, 36, _title(book), size=20, weight="bold"),
        _text(EDGE, 58, f"Value {book.ev:+.4%} of the original wager by {book.level};", size=13),
        _text(EDGE, 76, f"best play by all cards brings {book.cost:.4%} more. Dealer's first card across.", size=13),
    ]
    for number, column in enumerate(columns):
        left, y = EDGE + number * (LABEL + 10 * CELL + GAP), top
        for section in column:
            parts += _section(section, left, y)
            y += _height(section)
    parts += _legend(book, EDGE, height - 34)
    return "\n".join([*parts, "</svg>"]) + "\n"


def as_png(book: StrategyBook, scale: float = 2.0) -> bytes:
    try:
        import vl_convert
    except ImportError as missing:
        raise MathsError('--png needs vl-convert: pip install "pitboss[charts]".') from missing
    picture: bytes = vl_convert.svg_to_png(as_svg(book), scale=scale)
    return picture


def _title(book: StrategyBook) -> str:
    return f"{book.rulebook}, {book.shoe}"


def _columns(sections: list[Shown]) -> list[list[Shown]]:
    """Hard totals and what follows a double on the left, everything else on the right."""
    left = [each for each in sections if each[0] in ("hard", "forfeit")]
    return [left, [each for each in sections if each not in left]]


def _height(section: Shown) -> int:
    return 2 * HIGH + len(section[1]) * HIGH + 22


def _section(section: Shown, left: int, top: int) -> list[str]:
    name, rows = section
    middle, beside = left + LABEL + CELL // 2, top + 2 * HIGH
    ups = "".join(
        f"<text x='{middle + column * CELL}' y='{top + HIGH + 15}'>{up}</text>" for column, up in enumerate(UPS)
    )
    parts = [
        _text(left, top + 15, TITLES[name], size=14, weight="bold"),
        f"<g font-size='12' font-weight='bold' text-anchor='middle' fill='#1a1a1a'>{ups}</g>",
    ]
    boxes, letters_drawn, labels = [], [], []
    for number, (label, letters) in enumerate(rows):
        y = beside + number * HIGH
        labels.append(f"<text x='{left}' y='{y + 15}'>{escape(label)}</text>")
        for column, letter in enumerate(letters):
            corner = f"M{left + LABEL + column * CELL} {y}"
            boxes.append(f"<path d='{corner}h{CELL}v{HIGH}h-{CELL}z' fill='{COLOURS[letter]}'/>")
            letters_drawn.append(f"<text x='{middle + column * CELL}' y='{y + 15}'>{letter}</text>")
    parts.append(f"<g font-size='12' fill='#1a1a1a'>{''.join(labels)}</g>")
    parts.append(f"<g stroke='#8a8a8a' stroke-width='0.6'>{''.join(boxes)}</g>")
    parts.append(f"<g font-size='12' text-anchor='middle' fill='#1a1a1a'>{''.join(letters_drawn)}</g>")
    return parts


def used_letters(book: StrategyBook) -> list[str]:
    every = "".join(row.letters for row in book.rows)
    return [letter for letter in LETTERS if letter in every]


def _legend(book: StrategyBook, left: int, y: int) -> list[str]:
    parts, x = [], left
    for letter in used_letters(book):
        parts.append(
            f"<rect x='{x}' y='{y}' width='20' height='18' fill='{COLOURS[letter]}' stroke='#8a8a8a'"
            " stroke-width='0.6'/>"
        )
        parts.append(_text(x + 10, y + 14, letter, size=12, anchor="middle"))
        parts.append(_text(x + 26, y + 14, LETTERS[letter], size=12))
        x += 40 + 8 * len(LETTERS[letter])
    return parts


def _text(x: int, y: int, text: str, *, size: int, weight: str = "normal", anchor: str = "start") -> str:
    return (
        f"<text x='{x}' y='{y}' font-size='{size}' font-weight='{weight}' text-anchor='{anchor}' fill='#1a1a1a'>"
        f"{escape(text)}</text>"
    )
