"""A sweep as a picture and as a page: every variant a dot, the best ones joined."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape

from pitboss.maths.design import FIGURES, Designed, Limit, Point
from pitboss.maths.what_if_picture import FONT, HOUSE, PLAYER, STYLE

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 560, 90, 30, 70, 70
OUTSIDE, INK = "#c9c9c9", "#1a1a1a"
TICKS = 6
DOTS_MAX = 5_000
SHARES = ("edge", "hits", "risk")


def figure_text(name: str, value: float) -> str:
    """A figure as people read it: shares in percent, the rest as numbers."""
    return f"{value:.4%}" if name in SHARES or name not in FIGURES else f"{value:.5f}"


def figure_name(name: str) -> str:
    return FIGURES.get(name, f"house edge of {name}")


def as_svg(found: Designed) -> str:
    """The first aim across, the second upwards."""
    names = [aim.figure for aim in found.aims]
    across, upwards = names[0], (names[1] if len(names) > 1 else "deviation")
    points = [point for point in found.points if across in point.figures and upwards in point.figures][:DOTS_MAX]
    title = f"{found.rulebook}: {figure_name(across)} and {figure_name(upwards)} of {len(points):,} variants"
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}'"
        f" role='img' aria-label='{escape(title, quote=True)}' {FONT}>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{WIDTH}' height='{HEIGHT}' fill='#ffffff'/>",
        f"<text x='{LEFT}' y='30' font-size='18' font-weight='bold' fill='{INK}'>{escape(title)}</text>",
        f"<text x='{LEFT}' y='52' font-size='13' fill='{INK}'>Dark: the best within the limits. Green: within them."
        " Grey: outside.</text>",
    ]
    if points:
        parts += _drawn(points, across, upwards)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _drawn(points: Sequence[Point], across: str, upwards: str) -> list[str]:
    xs, ys = ([point.figures[name] for point in points] for name in (across, upwards))
    left, right = _range(xs)
    low, high = _range(ys)

    def x_of(value: float) -> float:
        return LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT)

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for step in range(TICKS + 1):
        x, y = left + (right - left) * step / TICKS, low + (high - low) * step / TICKS
        parts.append(
            f"<path d='M{x_of(x):.1f} {TOP}V{HEIGHT - BOTTOM}M{LEFT} {y_of(y):.1f}H{WIDTH - RIGHT}' stroke='#ececec'/>"
            f"<text x='{x_of(x):.1f}' y='{HEIGHT - BOTTOM + 18}' font-size='11' text-anchor='middle' fill='{INK}'>"
            f"{figure_text(across, x)}</text>"
            f"<text x='{LEFT - 8}' y='{y_of(y) + 4:.1f}' font-size='11' text-anchor='end' fill='{INK}'>"
            f"{figure_text(upwards, y)}</text>"
        )
    parts.append(
        f"<text x='{(LEFT + WIDTH - RIGHT) / 2}' y='{HEIGHT - 20}' font-size='13' text-anchor='middle' fill='{INK}'>"
        f"{escape(figure_name(across))}</text>"
        f"<text x='{LEFT}' y='{TOP - 6}' font-size='13' fill='{INK}'>{escape(figure_name(upwards))}</text>"
    )
    best = sorted((point.figures[across], point.figures[upwards]) for point in points if point.best)
    if len(best) > 1:
        line = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in best)
        parts.append(f"<polyline points='{line}' fill='none' stroke='{HOUSE}' stroke-width='1.5'/>")
    for point in reversed(points):
        colour, size = (HOUSE, 5) if point.best else (PLAYER, 3.5) if not point.misses else (OUTSIDE, 2.5)
        x, y = point.figures[across], point.figures[upwards]
        said = f"{point.number}: {changes_text(point)}"
        parts.append(
            f"<circle cx='{x_of(x):.1f}' cy='{y_of(y):.1f}' r='{size}' fill='{colour}'>"
            f"<title>{escape(said)}</title></circle>"
        )
    return parts


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.05 or abs(low) * 0.05 or 0.01
    return low - room, high + room


def changes_text(point: Point) -> str:
    return "; ".join(f"{key} = {value}" for key, value in point.changes.items()) or "as the document has it"


def columns(found: Designed) -> list[str]:
    """The figures that some variant has, in order."""
    there = {name for point in found.points for name in point.figures}
    return [*FIGURES, *sorted(there - set(FIGURES))]


def as_csv(found: Designed) -> str:
    """One row a variant, with all that was changed and all that was found."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = columns(found)
    proven = ("edge at least", "edge at most")
    writer.writerow(["variant", *found.axes, *names, *proven, "within limits", "best"])
    for point in found.points:
        figures = [repr(point.figures[name]) if name in point.figures else "" for name in names]
        bounds = ["" if each is None else repr(each) for each in (point.edge_at_least, point.edge_at_most)]
        said = [point.changes[key] for key in found.axes]
        writer.writerow([point.number, *said, *figures, *bounds, int(not point.misses), int(point.best)])
    return text.getvalue()


SHOWN_MAX = 500


def as_html(found: Designed) -> str:
    title = f"{found.rulebook}: {found.tried:,} variants"
    names = columns(found)
    head = "".join(f"<th>{escape(each)}</th>" for each in ("", *found.axes, *map(figure_name, names)))
    rows = []
    for point in found.points[:SHOWN_MAX]:
        cells = "".join(f"<td>{escape(point.changes[key])}</td>" for key in found.axes)
        figures = "".join(
            f'<td class="number">{figure_text(name, point.figures[name]) if name in point.figures else ""}</td>'
            for name in names
        )
        mark = "best" if point.best else "" if point.misses else "within"
        rows.append(f"<tr><td>{point.number} {mark}</td>{cells}{figures}</tr>")
    limits = "; ".join(f"{figure_name(each.figure)} {limit_text(each)}" for each in found.limits) or "none"
    aims = "; ".join(f"{figure_name(aim.figure)} {'high' if aim.high else 'low'}" for aim in found.aims)
    more = f" The first {SHOWN_MAX} are listed." if len(found.points) > SHOWN_MAX else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{STYLE} body {{ max-width: none; }}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>Limits: {escape(limits)}. Wanted: {escape(aims)}. {found.within:,} lie within the limits, {found.impossible:,} cannot
be.{more} Edition {found.edition[:12]}, mathematics {found.code[:12]}.</p>
{as_svg(found)}
<table><thead><tr>{head}</tr></thead>
<tbody>{"".join(rows)}</tbody></table>
</body>
</html>
"""


def limit_text(limit: Limit) -> str:
    low = "" if limit.least == float("-inf") else figure_text(limit.figure, limit.least)
    high = "" if limit.most == float("inf") else figure_text(limit.figure, limit.most)
    return f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
