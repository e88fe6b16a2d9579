"""Where things lie on the cloth: one arrangement for the drawing and for the felt in the browser.

Lengths are in units of 2 mm. The dealer is at the top; box 1 is at their left, the right of the picture.
`pitboss/web/js/arrangement.js` has the same numbers for the browser, and a test holds the two against each other.
"""

from __future__ import annotations

import math
from typing import NamedTuple

MM = 2
"""So many millimetres is a unit."""
WIDE, HIGH = 1000, 620
MIDDLE_X, MIDDLE_Y = 500, 24
ACROSS, DOWN = 406, 464
"""The half axes of the ellipse on which the boxes lie."""
LINE = 308
"""How far the insurance line is from the middle of the dealer's side."""
LINE_HALF = 16
FIRST, STEP = 20, 35
"""Degrees between the dealer's side and the first box at least, and between two boxes at most."""
RAIL = "M6 6H994V60C994 380 790 614 500 614S6 380 6 60Z"
CLOTH = "M22 20H978V62C978 372 782 600 500 600S22 372 22 62Z"


class Point(NamedTuple):
    x: float
    y: float


def arrangement() -> dict[str, object]:
    """The numbers as the browser has them."""
    return {
        "wide": WIDE, "high": HIGH, "middle": {"x": MIDDLE_X, "y": MIDDLE_Y}, "across": ACROSS, "down": DOWN,
        "line": LINE, "lineHalf": LINE_HALF, "first": FIRST, "step": STEP, "rail": RAIL, "cloth": CLOTH,
    }  # fmt: skip


def angle_of(box: int, boxes: int) -> float:
    """In degrees, from the right of the picture."""
    step = min(STEP, (180 - 2 * FIRST) / max(1, boxes - 1))
    return 90 + step * (box - (boxes + 1) / 2)


def place(box: int, boxes: int) -> Point:
    """The middle of a box."""
    angle = math.radians(angle_of(box, boxes))
    return Point(MIDDLE_X + ACROSS * math.cos(angle), MIDDLE_Y + DOWN * math.sin(angle))


def inwards(box: int, boxes: int, far: float, aside: float = 0) -> Point:
    """A point so far from the middle of a box towards the dealer, and so far aside of that; negative is outwards."""
    at = place(box, boxes)
    across, down = at.x - MIDDLE_X, at.y - MIDDLE_Y
    length = math.hypot(across, down)
    x, y = across / length, down / length
    return Point(at.x - far * x - aside * y, at.y - far * y + aside * x)


def arc(radius: float, begins: float = 0) -> str:
    """A path around the dealer from the left to the right, from so many degrees below the dealer's side on."""
    angle = math.radians(begins)
    across, down = radius * math.cos(angle), MIDDLE_Y + radius * math.sin(angle)
    return f"M{MIDDLE_X - across:.1f} {down:.1f}A{radius} {radius} 0 0 0 {MIDDLE_X + across:.1f} {down:.1f}"


def band(outer: float, inner: float, begins: float) -> str:
    """A strip between two such arcs."""
    angle = math.radians(begins)
    x, y = inner * math.cos(angle), MIDDLE_Y + inner * math.sin(angle)
    return f"{arc(outer, begins)}L{MIDDLE_X + x:.1f} {y:.1f}A{inner} {inner} 0 0 1 {MIDDLE_X - x:.1f} {y:.1f}Z"
