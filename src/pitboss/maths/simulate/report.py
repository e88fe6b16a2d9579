"""A page that stands by itself: the result, the way the mean settled, and where the money came from."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from pitboss.basics.money import dollars
from pitboss.maths.simulate.results import Ruin, Simulated

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; } svg { width: 100%; height: auto; } .note { color: #555; }
@media (prefers-color-scheme: dark) { body { background: #17191c; color: #e6e6e6; } td, th { border-color: #333; }
 .note { color: #aaa; } }"""


def write_report(path: Path, found: Simulated, curve: list[tuple[int, float, float]]) -> None:
    """Write the page; `curve` has rounds, mean and half of the 95% interval along the run."""
    path.write_text(page(found, curve), encoding="utf-8")


def page(found: Simulated, curve: list[tuple[int, float, float]]) -> str:
    low, high = found.confidence_95
    title = f"{found.name}: {found.rounds:,} rounds"
    facts = [
        ("Value of an original wager", f"{100 * found.ev:+.4f}% (95%: {100 * low:+.4f}% to {100 * high:+.4f}%)"),
        ("House edge", f"{100 * found.house_edge:.4f}%"),
        ("Standard deviation", f"{found.standard_deviation:.4f}"),
        ("Average total wagered", f"{found.total_wagered:.4f}"),
        ("Element of risk", f"{100 * found.element_of_risk:.4f}%"),
        ("Decks, source", f"{found.decks}, {found.source}"),
        ("Boxes, wager", f"{found.boxes}, {_wager(found)}"),
        ("Strategy, seed", f"{found.strategy}, {found.seed}"),
        ("Cards a round", f"{found.cards_per_round:.3f}"),
    ]
    body = [f"<h1>{escape(title)}</h1>", _table(("", ""), [(name, text) for name, text in facts])]
    if len(curve) > 1:
        body += [
            "<h2>How the mean settled</h2>",
            _curve(curve),
            '<p class="note">Mean so far with its 95% interval.</p>',
        ]
    body += ["<h2>Where the value comes from</h2>", _bars([(each.name, each.contribution) for each in found.outcomes])]
    rows = [
        (each.name, f"{each.count:,}", f"{100 * each.frequency:.4f}%", f"{100 * each.contribution:+.4f}%")
        for each in found.outcomes
    ]
    body.append(_table(("how hands ended", "number", "of original wagers", "contribution"), rows))
    if found.extras:
        extras = [
            (each.name, f"{100 * each.ev:+.4f}%", f"{100 * each.standard_error:.4f}%", dollars(each.wagered_cents))
            for each in found.extras
        ]
        body += ["<h2>Beside the hand</h2>", _table(("", "value a unit", "standard error", "wagered"), extras)]
    body += _counting(found) if found.counting else []
    body += _bankroll(found.ruin) if found.ruin else []
    text = "\n".join(body)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>\n{STYLE}\n</style></head><body>\n{text}\n</body></html>\n"
    )


def _wager(found: Simulated) -> str:
    if found.counting is None:
        return dollars(found.wager_cents)
    amounts = found.counting.amounts_cents
    return f"{dollars(min(amounts))} to {dollars(max(amounts))} by the count {found.counting.name}"


def _counting(found: Simulated) -> list[str]:
    """Value and frequency of each count that one round in a thousand begins with."""
    assert found.counting is not None
    often = [row for row in found.counting.by_count if row.rounds * 1000 > found.rounds]
    rows = [
        (f"{row.count:+d}", f"{row.rounds:,}", dollars(round(row.wagered_cents / row.rounds / found.boxes)),
         f"{100 * row.ev:+.3f}%", f"{100 * row.standard_error:.3f}%")
        for row in often
    ]  # fmt: skip
    wagered = [row for row in often if row.wagered_cents]
    return [
        "<h2>By the count</h2>",
        _columns([(f"{row.count:+d}", 100 * row.ev) for row in wagered], "value of an original wager, %"),
        _columns([(f"{row.count:+d}", 100 * row.rounds / found.rounds) for row in often], "rounds, %"),
        _table(("count", "rounds", "wager", "value", "standard error"), rows),
    ]


def _bankroll(ruin: Ruin) -> list[str]:
    """How trips ended."""
    low, high = ruin.confidence_95
    facts = [
        ("Trips", f"{ruin.trips:,} of {ruin.trip_rounds:,} rounds with {dollars(ruin.bankroll_cents)}"),
        ("Ruined", f"{100 * ruin.probability:.3f}% (95%: {100 * low:.3f}% to {100 * high:.3f}%)"),
        ("By a Brownian motion", f"{100 * ruin.approximation:.3f}%"),
        (
            "Won a trip",
            f"{ruin.mean_net_cents / 100:+.2f} dollars, standard deviation {ruin.deviation_cents / 100:.2f}",
        ),
    ]
    last = max((place for place, count in enumerate(ruin.finals) if count), default=0)
    ends = [(f"{place / 16:g}", 100 * count / ruin.trips) for place, count in enumerate(ruin.finals[: last + 1])]
    return [
        "<h2>With a bankroll</h2>",
        _table(("", ""), facts),
        _columns(ends, "trips, %, by what was left in bankrolls"),
    ]


def _columns(values: list[tuple[str, float]], title: str) -> str:
    """Columns above and below a line, with every label that there is room for."""
    if not values:
        return ""
    high, low = max(0.0, *(value for _, value in values)), min(0.0, *(value for _, value in values))
    span = high - low or 1.0
    width = 820 / len(values)
    every = -(-len(values) // 24)

    def y(value: float) -> float:
        return 30 + 220 * (high - value) / span

    parts = [f'<text x="60" y="18">{escape(title)}</text>']
    for index, (label, value) in enumerate(values):
        x = 60 + width * index
        top, bottom = y(max(value, 0.0)), y(min(value, 0.0))
        colour = "#4a90d9" if value >= 0 else "#c8553d"
        parts.append(
            f'<rect x="{x + 1:.1f}" y="{top:.1f}" width="{max(width - 2, 1):.1f}" height="{bottom - top:.1f}" '
            f'fill="{colour}"><title>{escape(label)}: {value:+.3f}</title></rect>'
        )
        if index % every == 0:
            parts.append(f'<text x="{x + width / 2:.1f}" y="268" text-anchor="middle">{escape(label)}</text>')
    for value in sorted({low, 0.0, high}):
        parts.append(f'<text x="54" y="{y(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>')
    parts.append(f'<line x1="60" x2="880" y1="{y(0.0):.1f}" y2="{y(0.0):.1f}" stroke="currentColor"/>')
    label = escape(title, quote=True)
    return (
        f'<svg viewBox="0 0 900 280" role="img" aria-label="{label}" font-size="12" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    lines = ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
    return f"<table>{'<tr>' + head + '</tr>' if any(heads) else ''}{''.join(lines)}</table>"


def _curve(curve: list[tuple[int, float, float]]) -> str:
    """Mean and interval over rounds; the first tenth, where nothing is settled, does not set the scale."""
    settled = [point for point in curve if point[0] * 10 >= curve[-1][0]]
    low, high = min(mean - half for _, mean, half in settled), max(mean + half for _, mean, half in settled)
    low, high = (low - 1e-9, high + 1e-9) if low == high else (low, high)
    last = curve[-1][0]

    def point(rounds: int, value: float) -> str:
        y = 280 - 260 * (min(max(value, low), high) - low) / (high - low)
        return f"{60 + 820 * rounds / last:.1f},{y:.1f}"

    upper = [point(rounds, mean + half) for rounds, mean, half in curve]
    lower = [point(rounds, mean - half) for rounds, mean, half in reversed(curve)]
    middle = [point(rounds, mean) for rounds, mean, _ in curve]
    labels = "".join(
        f'<text x="4" y="{280 - 260 * step / 4 + 5:.0f}">{100 * (low + (high - low) * step / 4):+.3f}%</text>'
        for step in range(5)
    )
    return (
        '<svg viewBox="0 0 900 310" role="img" aria-label="mean over rounds" font-size="12" fill="currentColor">'
        f'<polygon points="{" ".join(upper + lower)}" fill="#4a90d9" opacity=".25"/>'
        f'<polyline points="{" ".join(middle)}" fill="none" stroke="#4a90d9" stroke-width="2"/>{labels}'
        f'<text x="880" y="304" text-anchor="end">{last:,} rounds</text></svg>'
    )


def _bars(values: list[tuple[str, float]]) -> str:
    shown = sorted((each for each in values if abs(each[1]) > 1e-5), key=lambda each: each[1])
    if not shown:
        return ""
    widest = max(abs(value) for _, value in shown)
    lines = []
    for index, (name, value) in enumerate(shown):
        width = 260 * abs(value) / widest
        x = 580 if value > 0 else 580 - width
        y = 20 * index
        colour = "#3a9d5d" if value > 0 else "#c8553d"
        lines.append(
            f'<text x="4" y="{y + 14}">{escape(name)}</text>'
            f'<rect x="{x:.1f}" y="{y + 3}" width="{width:.1f}" height="14" fill="{colour}"/>'
            f'<text x="890" y="{y + 14}" text-anchor="end">{100 * value:+.3f}%</text>'
        )
    height = 20 * len(shown) + 6
    return f'<svg viewBox="0 0 900 {height}" role="img" font-size="13" fill="currentColor">{"".join(lines)}</svg>'
