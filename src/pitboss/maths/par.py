"""A PAR sheet: all that a test laboratory files about a game, from the chance of every result of a round."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
from collections.abc import Callable, Sequence
from fractions import Fraction
from html import escape
from math import sqrt
from pathlib import Path

import msgspec

from pitboss.maths.exact.solve import POLICY, solve
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import side_bets
from pitboss.maths.what_if import other_readings
from pitboss.maths.what_if_picture import STYLE
from pitboss.rulebooks.terms import Rulebook

ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LEVELS = {"90%": 1.6448536269514722, "95%": 1.959963984540054, "99%": 2.5758293035489004}
"""Two-sided limits of a normal distribution."""
VOLATILITY_LEVEL = "90%"


class PayLine(msgspec.Struct, frozen=True):
    """Something that may happen: how often, and what it adds to the value of a round."""

    name: str
    frequency: float
    contribution: float


class Limits(msgspec.Struct, frozen=True):
    """Where the mean result of so many rounds lies, in original wagers, by level of confidence."""

    rounds: int
    limits: dict[str, tuple[float, float]]


class Reading(msgspec.Struct, frozen=True):
    """An unclear clause read otherwise."""

    change: str
    difference: float
    reading: str


class OptionalWager(msgspec.Struct, frozen=True):
    """An optional wager, exactly."""

    name: str
    given: str
    offered: bool
    ev: float
    ev_exact: str
    hit_frequency: float


class ParSheet(msgspec.Struct, frozen=True):
    """One game with one shoe, for each original wager of 1 under best play."""

    rulebook: str
    edition: str
    """Digest of the rulebook's text."""
    variant: str
    shoe: str
    code: str
    """Digest of the mathematics that found this."""
    ev: float
    house_edge: float
    at_least: float
    """Proven: best play brings no less."""
    at_most: float | None
    """Proven: best play brings no more; None where nothing is proven."""
    method: str
    total_wagered: float
    element_of_risk: float
    returned: float
    """Of all that is wagered."""
    standard_deviation: float
    variance: float
    covariance: float | None
    """Of two boxes against one dealer hand; None from a shoe that is not endless."""
    volatility_index: float
    """Limits of one round at 90%, in original wagers: 1.645 standard deviations."""
    won: float
    even: float
    lost: float
    results: tuple[PayLine, ...]
    """Every result of a round in original wagers, losses first."""
    pay_lines: tuple[PayLine, ...]
    confidence: tuple[Limits, ...]
    readings: tuple[Reading, ...]
    optional_wagers: tuple[OptionalWager, ...]


def par_sheet(
    rulebook: Rulebook,
    shoe: Shoe,
    *,
    decks: int | None = None,
    resplit: bool = False,
    splits: str = POLICY,
    rounds: Sequence[int] = ROUNDS,
    progress: Callable[[str], None] | None = None,
) -> ParSheet:
    """Everything, for this shoe; readings are priced with as many decks."""
    if not rounds or min(rounds) < 1:
        raise MathsError("--rounds: give whole numbers from 1, separated by commas.")
    found = solve(rulebook, shoe, resplit=resplit, splits=splits, progress=progress)
    results = tuple(
        PayLine(amount_text(amount), chance, float(amount) * chance)
        for amount, chance in found.results.items()
        if chance > 0.0
    )
    won, lost = (sum(chance for amount, chance in found.results.items() if amount * sign > 0) for sign in (1, -1))
    readings = other_readings(rulebook, decks=decks, progress=progress)
    deviation = found.standard_deviation
    optional = []
    for bet in side_bets(rulebook, shoe, decks=decks).values():
        for each in (bet, *bet.variants):
            given = ", ".join(filter(None, (each.given, f"wager {each.wager_cents} cents" if each.wager_cents else "")))
            optional.append(
                OptionalWager(each.name, given, each.offered, float(each.ev), str(each.ev), float(each.hit_chance))
            )
    return ParSheet(
        rulebook=rulebook.name,
        edition=rulebook.edition,
        variant=rulebook.variant,
        shoe=found.shoe,
        code=code_digest(),
        ev=found.ev,
        house_edge=-found.ev,
        at_least=found.at_least,
        at_most=found.at_most,
        method=found.method,
        total_wagered=found.total_wagered,
        element_of_risk=found.element_of_risk,
        returned=1.0 - found.element_of_risk,
        standard_deviation=deviation,
        variance=deviation**2,
        covariance=found.covariance,
        volatility_index=LEVELS[VOLATILITY_LEVEL] * deviation,
        won=won,
        even=found.results.get(Fraction(0), 0.0),
        lost=lost,
        results=results,
        pay_lines=tuple(PayLine(each.name, each.frequency, each.contribution) for each in found.outcomes),
        confidence=tuple(
            Limits(
                number,
                {
                    level: (found.ev - z * deviation / sqrt(number), found.ev + z * deviation / sqrt(number))
                    for level, z in LEVELS.items()
                },
            )
            for number in rounds
        ),
        readings=tuple(
            Reading(case.label, case.difference, case.note) for case in readings.cases if case.difference is not None
        ),
        optional_wagers=tuple(optional),
    )


def amount_text(amount: Fraction) -> str:
    return f"{float(amount):+g}" if amount else "0"


@functools.cache
def code_digest() -> str:
    """SHA-256 over the mathematics' own text, file by file in order of their names."""
    folder = Path(__file__).parent
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


# --- as tables ---


class Table(msgspec.Struct, frozen=True):
    """One part of the sheet."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(sheet: ParSheet) -> list[Table]:
    """The sheet, part by part, as every form of it shows it."""
    proven = f"at most {-sheet.at_least:.8%}"
    if sheet.at_most is not None:
        proven = f"{-sheet.at_most:.9%} to {-sheet.at_least:.9%}"
    facts = (
        ("rulebook", sheet.rulebook),
        ("digest of the rulebook", sheet.edition),
        ("variant", sheet.variant or "none"),
        ("cards", sheet.shoe),
        ("digest of the mathematics", sheet.code),
        ("method", sheet.method),
        ("house edge on the original wager", f"{sheet.house_edge:.6%}"),
        ("house edge, proven", proven),
        ("all that is wagered for each original wager", f"{sheet.total_wagered:.6f}"),
        ("element of risk", f"{sheet.element_of_risk:.6%}"),
        ("returned of all that is wagered", f"{sheet.returned:.6%}"),
        ("standard deviation of a round", f"{sheet.standard_deviation:.6f}"),
        ("variance of a round", f"{sheet.variance:.6f}"),
        ("covariance of two boxes", "not found" if sheet.covariance is None else f"{sheet.covariance:.6f}"),
        ("volatility index (90%)", f"{sheet.volatility_index:.6f}"),
        ("rounds won", f"{sheet.won:.6%}"),
        ("rounds even", f"{sheet.even:.6%}"),
        ("rounds lost", f"{sheet.lost:.6%}"),
    )
    lines = ("frequency", "one in", "contribution")
    confidence = tuple(
        (f"{each.rounds:,}", *(f"{low:+.4%} to {high:+.4%}" for low, high in each.limits.values()))
        for each in sheet.confidence
    )
    return [
        Table("The game", ("what", "value"), facts),
        Table("Results of a round, in original wagers", ("result", *lines), _lines(sheet.results)),
        Table("What happens", ("outcome", *lines), _lines(sheet.pay_lines)),
        Table("Mean result of so many rounds", ("rounds", *LEVELS), confidence),
        Table(
            "Unclear clauses read otherwise",
            ("change", "value changes by", "as read"),
            tuple((each.change, f"{each.difference:+.6%}", each.reading) for each in sheet.readings),
        ),
        Table(
            "Optional wagers, for each unit wagered",
            ("wager", "given", "value", "exactly", "paid"),
            tuple(
                (each.name, each.given, f"{each.ev:+.6%}", _short(each.ev_exact), f"{each.hit_frequency:.6%}")
                for each in sheet.optional_wagers
                if each.offered
            ),
        ),
    ]


def _lines(lines: Sequence[PayLine]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (each.name, f"{each.frequency:.8%}", f"{1 / each.frequency:,.1f}", f"{each.contribution:+.8%}")
        for each in lines
    )


def _short(fraction: str) -> str:
    """A fraction, as long as a cell can hold it; JSON has it whole."""
    return fraction if len(fraction) <= 30 else ""


def as_csv(sheet: ParSheet) -> str:
    """One row a figure, the part it belongs to first; each part begins with the names of its columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for table in tables(sheet):
        writer.writerow((table.title, *table.columns))
        writer.writerows((table.title, *row) for row in table.rows)
    return text.getvalue()


def as_html(sheet: ParSheet) -> str:
    title = f"PAR sheet: {sheet.rulebook}, {sheet.shoe}"
    parts = []
    for table in tables(sheet):
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
<style>{STYLE} td {{ overflow-wrap: anywhere; }}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{chr(10).join(parts)}
</body>
</html>
"""
