"""The cloth and the table drawn to scale, with every item numbered and cited: SVG by hand, PDF and PNG made of it."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from xml.sax.saxutils import escape

from pitboss.layout import cloth
from pitboss.layout.cloth import Point
from pitboss.layout.needed import JACKPOT, NAMES, Item, LayoutError, Setup, diagram, needed, setup_for
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.editions import shown
from pitboss.rulebooks.terms import Rulebook

SCALE = 10
"""On paper a tenth of the real size."""
SHEET = 2600
"""Millimetres of the real table across the sheet."""
LEFT, TOP = 300, 190
"""Where the table begins on the sheet."""
SIDE = 270
"""How wide the columns beside the table are."""
BOX = 40
"""Half of a box across, in units of the cloth."""
SPOT = 17
SERIF = "Palatino Linotype, Palatino, Georgia, DejaVu Serif, serif"
SANS = "Helvetica, Arial, DejaVu Sans, sans-serif"
STYLE = """
text{font-family:SANS;fill:#1c2a22}
.letter{font-family:SERIF;fill:#f6e7b4;letter-spacing:1px}
.small{font-size:7px;letter-spacing:0}
.rail{fill:#4a2c18;stroke:#2c190c;stroke-width:3}
.cloth{fill:#14603f}
.mark{fill:none;stroke:#f6e7b4;stroke-width:2}
.band{fill:#0f4d32;stroke:#f6e7b4;stroke-width:1.5}
.thing{fill:#e9e4d6;stroke:#3a3328;stroke-width:1.5}
.dark{fill:#39332b}
.chip{stroke:#3a3328;stroke-width:.8}
.sensor{fill:#b3261e;stroke:#f6e7b4;stroke-width:1.5}
.number{fill:#fff;stroke:#1c2a22;stroke-width:3}
.seat{fill:#8d8471;stroke:#3a3328;stroke-width:2;fill-opacity:.55}
.paper{fill:#fffdf6;stroke:#6b5f45;stroke-width:3}
.rule{stroke:#b9ad90;stroke-width:2}
.soft{fill:#5a6158}
""".replace("SERIF", SERIF).replace("SANS", SANS)


def as_svg(book: Rulebook, setup: Setup) -> str:
    """The sheet: title, the table with its cloth, signs and notices beside it, and a legend with clauses."""
    setup = setup_for(book, setup)
    items = needed(book, setup)
    numbers = {id(item): at for at, item in enumerate(items, start=1)}
    placed: list[tuple[int, Point]] = []

    def mark(item: Item, at: Point) -> None:
        placed.append((numbers[id(item)], at))

    parts = [*_title(book, setup), *_table(items, setup, mark)]
    signs = _column([each for each in items if each.kind == "sign"], 15, mark)
    notices = _column([each for each in items if each.kind == "notice"], SHEET - SIDE - 15, mark)
    parts += [*signs, *notices, *_scale_bar()]
    parts += [_number(number, at) for number, at in placed]
    legend, bottom = _legend(items, TOP + cloth.HIGH * cloth.MM + 110)
    parts += legend
    size = f'width="{SHEET / SCALE:.0f}mm" height="{bottom / SCALE:.0f}mm" viewBox="0 0 {SHEET} {bottom}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    name = f"<title>{escape(book.name)}: the cloth and the table</title>"
    paper = f'<rect width="{SHEET}" height="{bottom}" fill="#fff"/>'
    return "\n".join([head, name, f"<style>{STYLE}</style>", paper, *parts, "</svg>\n"])


def as_pdf(svg: str) -> bytes:
    found: bytes = _converter("--pdf").svg_to_pdf(svg)
    return found


def as_png(svg: str) -> bytes:
    found: bytes = _converter("--png").svg_to_png(svg, scale=2.0)
    return found


def _converter(option: str) -> Any:
    try:
        import vl_convert
    except ImportError as missing:
        raise LayoutError(
            f'{option} needs vl-convert: pip install "pitboss[charts]"; --svg needs nothing.'
        ) from missing
    return vl_convert


# --- the table -------------------------------------------------------------------------------------------------------

Mark = Callable[[Item, Point], None]


def _table(items: Sequence[Item], setup: Setup, mark: Mark) -> list[str]:
    """In units of the cloth."""
    by_name: dict[tuple[str, str], Item] = {(each.kind, each.name): each for each in items}
    found = [
        f'<g transform="translate({LEFT} {TOP}) scale({cloth.MM})">',
        f'<path class="rail" d="{cloth.RAIL}"/>',
        f'<path class="cloth" d="{cloth.CLOTH}"/>',
    ]

    def note(kind: str, name: str, x: float, y: float) -> bool:
        item = by_name.get((kind, name))
        if item is not None:
            mark(item, Point(LEFT + x * cloth.MM, TOP + y * cloth.MM))
        return item is not None

    found += _lettering(by_name, note)
    note("place", "opposite", 450, -24)
    for box in range(1, setup.boxes + 1):
        found += _box(box, setup)
        if setup.diagram == "box-seat":
            seat = cloth.inwards(box, setup.boxes, -BOX - 75)
            found.append(f'<circle class="seat" cx="{seat.x:.1f}" cy="{seat.y:.1f}" r="26"/>')
    first = cloth.inwards(setup.boxes, setup.boxes, 0, -BOX - 8)
    note("area", "boxes", first.x, first.y)
    for at, kind in enumerate(_spots(setup)):
        spot = cloth.inwards(1, setup.boxes, BOX + 2 * SPOT + 9, _aside(at, len(_spots(setup))))
        note("area", kind, spot.x, spot.y)
        note("inscription", kind, *cloth.inwards(2, setup.boxes, BOX + 2 * SPOT + 9))
    if JACKPOT in setup.side_bets:
        sensor = cloth.inwards(1, setup.boxes, -BOX - 12, 14)
        note("area", JACKPOT, sensor.x, sensor.y)
        note("equipment", "sensors", *cloth.inwards(2, setup.boxes, -BOX - 12, 14))
    found += _things(by_name, setup, note)
    return [*found, "</g>"]


def _lettering(by_name: dict[tuple[str, str], Item], note: Callable[[str, str, float, float], bool]) -> list[str]:
    found: list[str] = []
    line = ("area", "insurance") in by_name
    if line:
        found.append(
            f'<path class="band" d="{cloth.band(cloth.LINE + cloth.LINE_HALF, cloth.LINE - cloth.LINE_HALF, 17)}"/>'
        )
        x, y = cloth.MIDDLE_X - cloth.LINE * 0.956, cloth.MIDDLE_Y + cloth.LINE * 0.292
        note("area", "insurance", x, y)
    rows = {
        "natural-pays": (236 if line else 256, 27),
        "dealer-stands": (270 if line else 292, 18),
        "insurance-pays": (cloth.LINE + 6, 17),
    }
    for name, (radius, size) in rows.items():
        item = by_name.get(("inscription", name))
        if item is None:
            continue
        text = escape(item.text.upper() if name != "insurance-pays" else item.text)
        found.append(f'<path id="{name}" d="{cloth.arc(radius)}" fill="none"/>')
        found.append(
            f'<text class="letter" font-size="{size}" text-anchor="middle">'
            f'<textPath href="#{name}" startOffset="50%">{text}</textPath></text>'
        )
        before = (len(text) * size * 0.38 + 16) / radius  # radians from the middle to before the first letter
        middle = radius - size / 3
        note("inscription", name, 500 - middle * math.sin(before), cloth.MIDDLE_Y + middle * math.cos(before))
    return found


def _box(box: int, setup: Setup) -> list[str]:
    at, turn = cloth.place(box, setup.boxes), cloth.angle_of(box, setup.boxes) - 90
    shape = {
        "circle": f'<circle class="mark" r="{BOX}"/>',
        "oval": f'<ellipse class="mark" rx="{BOX + 8}" ry="{BOX - 8}"/>',
        "rectangle": f'<rect class="mark" x="{-BOX}" y="{-BOX + 6}" width="{2 * BOX}" height="{2 * BOX - 12}" rx="6"/>',
    }[setup.shape]
    found = [
        f'<g transform="translate({at.x:.1f} {at.y:.1f}) rotate({turn:.1f})">{shape}'
        f'<text class="letter" font-size="15" text-anchor="middle" y="5">{box}</text></g>'
    ]
    spots = _spots(setup)
    for place, kind in enumerate(spots):
        spot = cloth.inwards(box, setup.boxes, BOX + SPOT + 3, _aside(place, len(spots)))
        words = NAMES[kind].split()
        found.append(
            f'<g transform="translate({spot.x:.1f} {spot.y:.1f}) rotate({turn:.1f})"><circle class="mark" r="{SPOT}"/>'
            f'<text class="letter small" text-anchor="middle" y="-1">{escape(words[0])}</text>'
            f'<text class="letter small" text-anchor="middle" y="7">{escape(words[1])}</text></g>'
        )
    if JACKPOT in setup.side_bets:
        sensor = cloth.inwards(box, setup.boxes, -BOX - 12)
        found.append(f'<circle class="sensor" cx="{sensor.x:.1f}" cy="{sensor.y:.1f}" r="8"/>')
    return found


def _spots(setup: Setup) -> list[str]:
    return [kind for kind in setup.side_bets if kind != JACKPOT]


def _aside(place: int, spots: int) -> float:
    """Several spots lie side by side in front of a box."""
    return (place - (spots - 1) / 2) * (2 * SPOT + 4)


CHIPS = ("#d8d2c0", "#a33a2f", "#2d6f9f", "#2f7d4f", "#222222", "#6b4a8a")


def _things(
    by_name: dict[tuple[str, str], Item], setup: Setup, note: Callable[[str, str, float, float], bool]
) -> list[str]:
    """What stands on the cloth: the tray before the dealer, the shoe at the left, the rack at the right."""
    found: list[str] = []
    if note("equipment", "float-tray", 386, 34):
        found.append('<rect class="thing dark" x="390" y="24" width="220" height="46" rx="4"/>')
        for at in range(10):
            colour = CHIPS[at % len(CHIPS)]
            found.append(
                f'<rect class="chip" x="{397 + at * 21}" y="29" width="17" height="36" rx="3" fill="{colour}"/>'
            )
    source = setup.source
    if note("equipment", source, 822, 36) or source:
        name = "SHOE" if source == "shoe" else "DEVICE"
        found.append('<path class="thing" d="M712 28h84l18 44v10h-102z"/>')
        found.append(f'<text font-size="12" text-anchor="middle" x="756" y="60">{name}</text>')
    note("equipment", "jackpot-device", 828, 64)
    if note("equipment", "discard-rack", 192, 34):
        found.append('<rect class="thing" x="200" y="26" width="62" height="56" rx="3"/>')
        found += [f'<path d="M206 {34 + at * 6}h50" stroke="#3a3328"/>' for at in range(8)]
    if note("equipment", "drop-box", 284, 34):
        found.append('<rect class="thing dark" x="292" y="26" width="62" height="30" rx="3"/>')
        found.append('<rect x="303" y="38" width="40" height="5" fill="#e9e4d6"/>')
    if note("equipment", "surrender-buttons", 626, 44):
        found += [f'<circle class="thing" cx="{646 + at * 14}" cy="{46}" r="9"/>' for at in range(3)]
        found.append('<text font-size="9" x="674" y="49" text-anchor="middle">S</text>')
    if note("equipment", "recorder", 874, 34):
        found.append('<rect class="thing dark" x="884" y="26" width="62" height="34" rx="3"/>')
        found.append('<text font-size="9" x="915" y="47" text-anchor="middle" style="fill:#ff8a7a">JACKPOT</text>')
    return found


# --- around it -------------------------------------------------------------------------------------------------------


def _text(x: float, y: float, size: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" {more}>{escape(text)}</text>'


def _title(book: Rulebook, setup: Setup) -> list[str]:
    like = diagram(book, setup)
    said = [f"{book.game.document.value}, {book.game.edition.value}; text {shown(book.edition)}"]
    if like is not None:
        said.append(f"after {cite(like[1])}")
    said.append(f"1 : {SCALE} where a sheet is {SHEET // SCALE} mm wide")
    return [
        _text(SHEET / 2, 62, 52, f"{book.name}: the cloth and the table", 'text-anchor="middle" font-weight="bold"'),
        _text(SHEET / 2, 106, 27, "; ".join(said), 'text-anchor="middle" class="soft"'),
        _text(SHEET / 2, 150, 25, "DEALER", 'text-anchor="middle" letter-spacing="8"'),
        _text(SHEET / 2, TOP + cloth.HIGH * cloth.MM + 38, 25, "PLAYERS", 'text-anchor="middle" letter-spacing="8"'),
    ]


def _column(items: Iterable[Item], left: float, mark: Mark) -> list[str]:
    """Signs or notices, one below the other."""
    found: list[str] = []
    top = float(TOP)
    for item in items:
        lines = [part for line in item.lines or (item.text,) for part in textwrap.wrap(line, 27 if item.lines else 24)]
        head = textwrap.wrap(item.text, 17) if item.lines else []
        height = 34 + 34 * len(head) + 26 * len(lines)
        found.append(f'<rect class="paper" x="{left}" y="{top}" width="{SIDE}" height="{height}" rx="8"/>')
        down = top + 38
        for line in head:
            found.append(_text(left + 34, down, 23, line, 'font-weight="bold"'))
            down += 32
        for line in lines:
            found.append(_text(left + (14 if head else 34), down, 17, line))
            down += 25
        mark(item, Point(left + 2, top + 8))
        top += height + 26
    return found


def _number(number: int, at: Point) -> str:
    return (
        f'<g transform="translate({at.x:.1f} {at.y:.1f})"><circle class="number" r="17"/>'
        f'<text font-size="20" text-anchor="middle" y="7" font-weight="bold">{number}</text></g>'
    )


def _scale_bar() -> list[str]:
    top = TOP + cloth.HIGH * cloth.MM + 30
    bar = [f'<rect x="{LEFT + at * 250}" y="{top}" width="250" height="12" fill="{fill}" stroke="#1c2a22"/>'
           for at, fill in enumerate(("#1c2a22", "#fff"))]  # fmt: skip
    return [*bar, _text(LEFT, top + 36, 20, "0"), _text(LEFT + 470, top + 36, 20, "50 cm")]


def _legend(items: Sequence[Item], top: float) -> tuple[list[str], int]:
    """Every item with its number, what it is and its clause, in three columns."""
    columns, wide = 3, (SHEET - 60) / 3
    rows = -(-len(items) // columns)
    found = [f'<path class="rule" d="M30 {top:.0f}H{SHEET - 30}"/>']
    heights = [0.0] * columns
    for at, item in enumerate(items):
        column = at // rows
        x, y = 40 + column * wide, top + 44 + heights[column]
        lines = textwrap.wrap(_said(item), 60)
        found.append(_text(x, y, 24, str(at + 1), 'font-weight="bold"'))
        for line in lines:
            found.append(_text(x + 44, top + 44 + heights[column], 23, line))
            heights[column] += 29
        heights[column] += 8
    return found, round(top + 60 + max(heights))


def _said(item: Item) -> str:
    kind = {"inscription": "inscription: ", "sign": "sign: ", "notice": "notice: "}.get(item.kind, "")
    free = "" if item.prescribed else ", not prescribed"
    return f"{kind}{item.text} ({cite(item.clauses)}{free})"
