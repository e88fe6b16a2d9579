"""What every hand is worth against every first card of the dealer, act by act: as CSV, as a page, as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from html import escape

import msgspec

from pitboss.maths.exact.openings import OpeningHand
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.words import ACE, DOUBLE, HIT, SPLIT, STAND, SURRENDER, VALUES
from pitboss.strategy.book import COLUMNS, UPS, acts_of, hand_name
from pitboss.strategy.drawing import COLOURS

LETTER = {STAND: "S", HIT: "H", DOUBLE: "D", SPLIT: "P", SURRENDER: "R"}
ORDER = (STAND, HIT, DOUBLE, SPLIT, SURRENDER)


class HandValue(msgspec.Struct, frozen=True):
    """One hand against one first card of the dealer; suits taken together."""

    cards: str
    """As in A-7 or 2-3-9."""
    number: int
    total: int
    soft: bool
    dealer: str
    acts: dict[str, float]
    """The value of each act that is allowed, with best play from there on; the best one first."""
    chance: float | None = None
    """How often a round begins so, two cards only."""
    at_least: float | None = None
    """Proven: best play brings no less, two cards only."""
    at_most: float | None = None
    """Proven: best play brings no more; None where nothing is proven."""

    @property
    def best(self) -> str:
        return next(iter(self.acts))

    @property
    def value(self) -> float:
        return self.acts[self.best]


def hand_values(solver: Solver, *, two_cards: bool = False) -> Iterator[HandValue]:
    """Every hand that is not ended, two cards first; for a solver that has played with `every_split`."""
    opening = {(each.cards, each.up): each for each in solver.openings()}
    hands = solver.hands
    order = sorted(solver.wanted.tolist(), key=lambda hand: (int(hands.size[hand]), hand))
    for hand in order:
        cards, number, hard = hands.cards[hand], int(hands.size[hand]), int(hands.hard[hand])
        soft = bool(cards[ACE] > 0 and hard <= 11)
        total = hard + 10 * soft
        if number < 2 or total >= 21 or (solver.rules.five_card_trick and number > 4) or (two_cards and number > 2):
            continue
        held = [value for value in range(10) for _ in range(int(cards[value]))]
        aces = held.count(ACE)
        least, most = (max(0, aces - (number - 2)), min(2, aces)) if solver.ones_max else (0, 0)
        for ones in range(least, most + 1):
            name = hand_name(solver, held, ones)
            for up in COLUMNS:
                if solver.left[up] - int(cards[up]) <= 0.0:
                    continue
                first = opening.get((name, VALUES[up])) if number == 2 else None
                acts = dict(first.acts) if first is not None else acts_of(solver, hand, ones, held, up)
                yield _told(name, number, total, soft, VALUES[up], acts, first)


def _told(
    name: str, number: int, total: int, soft: bool, up: str, acts: dict[str, float], first: OpeningHand | None
) -> HandValue:
    acts = {act: float(value) for act, value in sorted(acts.items(), key=lambda item: -item[1]) if act in LETTER}
    if first is None:
        return HandValue(name, number, total, soft, up, acts)
    at_most = float(first.at_most) if first.at_most < float("inf") else None
    return HandValue(name, number, total, soft, up, acts, float(first.chance), float(first.at_least), at_most)


def as_csv(solver: Solver) -> str:
    """One row for each hand and each first card of the dealer, hands of any number of cards."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    bounds = ("chance", "at least", "at most")
    writer.writerow(("hand", "cards", "total", "soft", "dealer", "best", "value", *ORDER, *bounds))
    for each in hand_values(solver):
        acts = [repr(each.acts[act]) if act in each.acts else "" for act in ORDER]
        known = ["" if value is None else repr(value) for value in (each.chance, each.at_least, each.at_most)]
        row = (each.cards, each.number, each.total, int(each.soft), each.dealer, each.best, repr(each.value))
        writer.writerow((*row, *acts, *known))
    return text.getvalue()


def _rows(solver: Solver) -> dict[str, dict[str, HandValue]]:
    rows: dict[str, dict[str, HandValue]] = {}
    for each in hand_values(solver, two_cards=True):
        rows.setdefault(each.cards, {})[each.dealer] = each
    return rows


def as_text(solver: Solver) -> str:
    """Two cards down, the dealer's first card across: the best act's letter and what it brings."""
    lines = [
        f"{solver.rulebook.name}, {solver.shoe.description}: two cards, the dealer's first card across",
        "best act and what it brings for a wager of 1: " + ", ".join(f"{LETTER[act]} {act}" for act in ORDER),
        "",
        f"{'':<7}" + "".join(f"{up:>11}" for up in UPS),
    ]
    for name, row in _rows(solver).items():
        cells = (f"{LETTER[row[up].best]} {row[up].value:+.5f}" if up in row else "" for up in UPS)
        lines.append(f"{name:<7}" + "".join(f"{cell:>11}" for cell in cells))
    return "\n".join(lines) + "\n"


def as_html(solver: Solver) -> str:
    """The same as a page that stands by itself, and a table for each act."""
    title = f"{solver.rulebook.name}, {solver.shoe.description}: what two cards are worth"
    head = "<tr><th>cards</th>" + "".join(f'<th scope="col">{up}</th>' for up in UPS) + "</tr>"
    tables = [f"<h2>Best act</h2>\n<table><thead>{head}</thead><tbody>"]
    rows = _rows(solver)
    for name, row in rows.items():
        cells = "".join(_cell(row.get(up), None) for up in UPS)
        tables.append(f'<tr><th scope="row">{name}</th>{cells}</tr>')
    tables.append("</tbody></table>")
    for act in ORDER:
        some = {name: row for name, row in rows.items() if any(act in each.acts for each in row.values())}
        if not some:
            continue
        tables.append(f"<h2>{act.capitalize()}</h2>\n<table><thead>{head}</thead><tbody>")
        for name, row in some.items():
            cells = "".join(_cell(row.get(up), act) for up in UPS)
            tables.append(f'<tr><th scope="row">{name}</th>{cells}</tr>')
        tables.append("</tbody></table>")
    colours = "".join(f".c{letter} {{ background: {COLOURS[letter]}; }}\n" for letter in LETTER.values())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
body {{ font: 13px/1.4 system-ui, "DejaVu Sans", Verdana, sans-serif; color: #1a1a1a; margin: 1.5rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
td, th {{ border: 1px solid #9a9a9a; padding: .1rem .4rem; text-align: right; }}
{colours}@media print {{ * {{ -webkit-print-color-adjust: exact; print-color-adjust: exact; }} }}
</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>For a wager of 1, the dealer's first card across, best play from there on, suits taken together.
{", ".join(f"{LETTER[act]} {act}" for act in ORDER)}.</p>
{chr(10).join(tables)}
</body>
</html>
"""


def _cell(each: HandValue | None, act: str | None) -> str:
    if each is None or (act is not None and act not in each.acts):
        return "<td></td>"
    if act is not None:
        best = f' class="c{LETTER[act]}"' if act == each.best else ""
        return f"<td{best}>{each.acts[act]:+.5f}</td>"
    said = ", ".join(f"{name} {value:+.5f}" for name, value in each.acts.items())
    return f'<td class="c{LETTER[each.best]}" title="{escape(said)}">{LETTER[each.best]} {each.value:+.5f}</td>'


FORMS = {".csv": as_csv, ".html": as_html, ".txt": as_text}
"""By the ending of a file's name."""
