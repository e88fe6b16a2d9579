"""What counting is worth, as tables, plots, a page and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from pitboss.maths.par import Table
from pitboss.maths.what_if_picture import FONT, HOUSE, PLAYER, STYLE
from pitboss.maths.workbench import Bench, Depth, Play

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 80, 24, 54, 52
INK = "#1a1a1a"
TICKS = 5


def _money(value: float) -> str:
    return f"{'-' if value < 0 else ''}${abs(value):,.2f}"


def _percent(value: float, digits: int = 4) -> str:
    return f"{value:+.{digits}%}"


def tables(found: Bench) -> list[Table]:
    """Part by part, as every form of it shows it."""
    play = found.play
    facts = [
        ("rulebook", found.rulebook),
        ("variant", found.variant or "none"),
        ("decks, cards behind the cutting card", f"{found.decks}, {found.behind}"),
        ("a whole deck counts", f"{found.deck_count:+g}" + ("" if found.deck_count else " (balanced)")),
        ("betting correlation", f"{found.betting_correlation:.4f}"),
        ("rounds of a shoe", f"{found.rounds_shoe:.1f}"),
    ]
    told = [
        Table("The count", ("what", "value"), tuple(facts)),
        Table(
            "One card out of the shoe, splits included",
            ("rank", "value changes by", "counts", "counts best, in proportion"),
            tuple(
                (rank, _percent(effect), f"{found.tags[rank]:+g}", f"{found.best_tags[rank]:+.3f}")
                for rank, effect in found.effects.items()
            ),
        ),
        Table(
            "By true count",
            ("count", "rounds", "chart", "with the changes", "deviation", "wager"),
            tuple(
                (
                    f"{each.count:+g}", f"{each.chance:.4%}", _percent(each.ev_chart), _percent(each.ev),
                    f"{each.variance ** 0.5:.4f}", _money(wager_at(play, each.count)),
                )
                for each in found.counts
            ),
        ),
        Table(
            "Decisions that the count changes",
            ("decision", "brings a round, wager 1", "brings a round, by the ramp"),
            tuple((each.text, _percent(each.gain, 5), f"${each.gain_ramp:.5f}") for each in found.indices),
        ),
        Table(
            "What comes of it",
            ("", "by the ramp", "the least wager throughout"),
            tuple((name, *texts) for name, *texts in _plays(found.play, found.flat)),
        ),
        Table(
            "Risk of ruin by bankroll",
            ("bankroll", "ever", "within a trip"),
            tuple((_money(each.bankroll), f"{each.ruin:.4%}", f"{each.ruin_of_trip:.4%}") for each in found.curve),
        ),
        Table(
            "Shares of Kelly's wagers",
            ("share", "won an hour", "deviation of an hour", "growth an hour", "ruin"),
            tuple(
                (
                    f"{each.fraction:g}", _money(each.win_hour), _money(each.deviation_hour), _percent(each.growth),
                    f"{each.ruin:.4%}",
                )
                for each in found.shares
            ),
        ),
    ]  # fmt: skip
    for title, rows in (("The same player at other cut depths", found.depths), ("Under changed rules", found.rules)):
        if rows:
            told.append(Table(title, ("", "fresh shoe", "won an hour", "SCORE", "advantage"), _housed(rows)))
    if found.team:
        told.append(
            Table(
                "Teams",
                ("spotters", "won an hour", "deviation of an hour", "busy"),
                tuple(
                    (str(each.spotters), _money(each.win_hour), _money(each.deviation_hour), f"{each.busy:.2%}")
                    for each in found.team
                ),
            )
        )
    if found.sides:
        told.append(
            Table(
                "Optional wagers, every card known",
                ("wager", "fresh shoe", "cards gone", "deviation", "favourable", "worth then", "won a round"),
                tuple(
                    (
                        each.name, _percent(each.ev), str(each.depth), f"{each.deviation:.4%}",
                        f"{each.favourable:.2%}", _percent(each.ev_when_favourable), _percent(each.win_round),
                    )
                    for each in found.sides
                ),
            )
        )  # fmt: skip
    return told


def _plays(*plays: Play) -> list[tuple[str, ...]]:
    def row(name: str, texts: Sequence[str]) -> tuple[str, ...]:
        return (name, *texts)

    return [
        row("wagers", [ramp_text(play) for play in plays]),
        row("won a round", [f"{play.win_round:+.5f} dollars" for play in plays]),
        row("deviation of a round", [f"{play.deviation_round:.3f} dollars" for play in plays]),
        row("wagered a round", [_money(play.wagered_round) for play in plays]),
        row("won an hour", [_money(play.win_hour) for play in plays]),
        row("deviation of an hour", [_money(play.deviation_hour) for play in plays]),
        row("N0", ["never" if play.n0 == float("inf") else f"{play.n0:,.0f} rounds" for play in plays]),
        row("SCORE", [f"${play.score:.2f}" for play in plays]),
        row("risk of ruin", [f"{play.ruin:.4%}" for play in plays]),
        row("share of Kelly's wagers", [f"{play.kelly:.3f}" for play in plays]),
    ]


def _housed(rows: Sequence[Depth]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (each.what, _percent(each.ev), _money(each.win_hour), f"${each.score:.2f}", f"{each.positive:.2%}")
        for each in rows
    )


def ramp_text(play: Play) -> str:
    steps = [f"{_money(wager)} from {count:g}" for count, wager in play.ramp]
    return ", ".join([_money(play.least) if play.least else "nothing", *steps])


def wager_at(play: Play, count: float) -> float:
    wager = play.least
    for index, amount in play.ramp:
        if count >= index:
            wager = amount
    return wager


def as_csv(found: Bench) -> str:
    """One row a figure, the part it belongs to first."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for table in tables(found):
        writer.writerow((table.title, *table.columns))
        writer.writerows((table.title, *row) for row in table.rows)
    return text.getvalue()


Line = tuple[str, str, list[tuple[float, float]]]


def plots(found: Bench) -> list[str]:
    """The value by count, the risk by bankroll, and what other cut depths leave to win."""
    value = [
        ("the chart", HOUSE, [(each.count, 100.0 * each.ev_chart) for each in found.counts]),
        ("with the changes", PLAYER, [(each.count, 100.0 * each.ev) for each in found.counts]),
    ]
    chance = [("rounds", PLAYER, [(each.count, 100.0 * each.chance) for each in found.counts])]
    risk = [
        ("ever", HOUSE, [(each.bankroll, 100.0 * each.ruin) for each in found.curve]),
        ("within a trip", PLAYER, [(each.bankroll, 100.0 * each.ruin_of_trip) for each in found.curve]),
    ]
    drawn = [
        plot("Value by true count, percent of the wager", value),
        plot("How often a round begins with each true count, percent", chance),
        plot("Risk of ruin by bankroll, percent", risk),
    ]
    if len(found.depths) > 1:
        depth = [(float(each.what.split()[0]), each.win_hour) for each in found.depths]
        drawn.append(plot("Won an hour by cards behind the cutting card, dollars", [("won", HOUSE, sorted(depth))]))
    return drawn


def plot(title: str, lines: Sequence[Line]) -> str:
    points = [point for _, _, line in lines for point in line]
    across_ticks, upward_ticks = (_ticks([point[side] for point in points]) for side in (0, 1))
    left, right, low, high = across_ticks[0], across_ticks[-1], upward_ticks[0], upward_ticks[-1]

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (x - left) / (right - left) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}'"
        f" role='img' aria-label='{escape(title, quote=True)}' {FONT}>",
        f"<title>{escape(title)}</title><rect width='{WIDTH}' height='{HEIGHT}' fill='#ffffff'/>",
        f"<text x='{LEFT}' y='22' font-size='15' font-weight='bold' fill='{INK}'>{escape(title)}</text>",
    ]
    for x in across_ticks:
        across, _ = place(x, low)
        parts.append(
            f"<path d='M{across:.1f} {TOP}V{HEIGHT - BOTTOM}' stroke='#ececec'/>"
            f"<text x='{across:.1f}' y='{HEIGHT - BOTTOM + 18}' font-size='11' text-anchor='middle'>{x:,.10g}</text>"
        )
    for y in upward_ticks:
        _, upwards = place(left, y)
        parts.append(
            f"<path d='M{LEFT} {upwards:.1f}H{WIDTH - RIGHT}' stroke='#ececec'/>"
            f"<text x='{LEFT - 6}' y='{upwards + 4:.1f}' font-size='11' text-anchor='end'>{y:,.10g}</text>"
        )
    if low < 0.0 < high:
        _, zero = place(left, 0.0)
        parts.append(f"<path d='M{LEFT} {zero:.1f}H{WIDTH - RIGHT}' stroke='{INK}'/>")
    for number, (name, colour, line) in enumerate(lines):
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in line))
        parts.append(
            f"<polyline points='{text}' fill='none' stroke='{colour}' stroke-width='2'/>"
            f"<text x='{LEFT + 170 * number}' y='42' font-size='12' fill='{colour}'>{escape(name)}</text>"
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ticks(values: Sequence[float]) -> list[float]:
    """Round numbers from at most the lowest to at least the highest, a handful of them."""
    low, high = min(values), max(values)
    rough = (high - low or abs(high) or 1.0) / TICKS
    size = 10.0 ** floor(log10(rough))
    step = next(part * size for part in (1.0, 2.0, 5.0, 10.0) if part * size >= rough * 0.999)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(place * step, 12) + 0.0 for place in range(first, max(last, first + 1) + 1)]


def as_html(found: Bench) -> str:
    title = f"Counting cards: {found.rulebook}, {found.decks} decks"
    parts = []
    for table in tables(found):
        head = "".join(f"<th>{escape(each)}</th>" for each in table.columns)
        rows = "".join("<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>" for row in table.rows)
        parts.append(
            f"<h2>{escape(table.title)}</h2>\n<table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>"
        )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{chr(10).join(plots(found))}
{chr(10).join(parts)}
</body>
</html>
"""
