"""A report on paper: lines for the terminal, a page that prints well, and rows for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape

import msgspec

from pitboss.basics.money import dollars
from pitboss.reports.build import LEVEL, PersonRow, Report, Row
from pitboss.reports.takings import MAIN
from pitboss.rulebooks.vocabulary import side_bet_name

SECTIONS = (
    ("by_table", "By table", "table"),
    ("by_day", "By gaming day", "gaming day"),
    ("by_hour", "By hour", "hour"),
    ("by_dealer", "By dealer", "dealer"),
    ("by_wager", "By wager", "wager"),
)
"""Fields of a report that are lists of rows, with their headings."""


def amount(cents: float | None) -> str:
    """Dollars and cents, with a true minus sign in front; a dash for nothing known."""
    if cents is None:
        return "–"
    whole = round(cents)
    return f"−{dollars(-whole)}" if whole < 0 else dollars(whole)


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}%".replace("-", "−")


HEADINGS = ("rounds", "an hour", "drop", "wagered", "win", "hold", "compared", "expected", f"{LEVEL}% from", "to", "")


def figures(row: Row) -> tuple[str, ...]:
    """A row as it is printed, without its name."""
    return (
        f"{row.rounds:,}",
        f"{row.rounds_per_hour:.0f}" if row.rounds_per_hour else "",
        amount(row.drop),
        amount(row.wagered),
        amount(row.win),
        percent(row.hold),
        amount(row.compared) if row.expected is not None else "–",
        amount(row.expected),
        amount(row.low),
        amount(row.high),
        "outside" if row.is_outside else "",
    )


def person_figures(row: PersonRow) -> tuple[str, ...]:
    return (
        row.date,
        row.table,
        f"{row.minutes}",
        amount(row.bought),
        amount(row.cashed),
        amount(row.wagered),
        amount(row.won),
    )


PERSON_HEADINGS = ("gaming day", "table", "minutes", "bought", "cashed", "wagered", "won")


def sections(report: Report) -> list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Heading, columns and rows of every part that has something to say."""
    found: list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = []
    for field, heading, what in SECTIONS:
        rows: Sequence[Row] = getattr(report, field)
        if rows:
            named = [(called(field, row), *figures(row)) for row in (*rows, *_sum(field, report))]
            found.append((heading, (what, *HEADINGS), named))
    if report.people:
        rows_of_people = [(row.person, *person_figures(row)) for row in report.people]
        found.append(("By person", ("person", *PERSON_HEADINGS), rows_of_people))
    if report.handovers:
        left: list[tuple[str, ...]] = [
            (row.at, row.table, f"{row.by}, {row.role}", " ".join(row.text.split())) for row in report.handovers
        ]
        found.insert(0, ("Handover notes", ("when", "table", "by", "note"), left))
    fills: list[tuple[str, ...]] = [
        (row.name, amount(row.fills), amount(row.credits))
        for row in (*report.by_table, *_sum("by_table", report))
        if row.fills or row.credits
    ]
    if fills:
        found.append(("Fills and credits", ("table", "fills", "credits"), fills))
    if report.duties:
        duties: list[tuple[str, ...]] = [
            (row.due, "overdue" if row.is_overdue else "due", row.who, row.table, row.text, row.clauses)
            for row in report.duties
        ]
        found.append(("Still to be done", ("due", "", "who", "table", "words", "clauses"), duties))
    if report.happened:
        facts: list[tuple[str, ...]] = [
            (row.at, row.table, row.what, row.text, row.clauses, "open" if row.is_open else "")
            for row in report.happened
        ]
        found.append(("What happened, one by one", ("when", "table", "what", "words", "clauses", ""), facts))
    if report.counts:
        counted: list[tuple[str, ...]] = [(name, f"{count:,}") for name, count in report.counts.items()]
        found.append(("What happened", ("what", "how often"), counted))
    return found


def called(field: str, row: Row) -> str:
    """What a row is called on paper: wagers by their names."""
    return wager_name(row.name) if field == "by_wager" else row.name


def wager_name(name: str) -> str:
    return "Main wagers" if name == MAIN else side_bet_name(name)


def _sum(field: str, report: Report) -> tuple[Row, ...]:
    return (report.total,) if field == "by_table" else ()


def as_text(report: Report) -> str:
    """Lines for the terminal."""
    lines = [report.title, report.period, ""]
    for heading, columns, rows in sections(report):
        table = [columns, *rows]
        wide = [max(len(row[place]) for row in table) for place in range(len(columns))]
        lines.append(heading)
        for row in table:
            justified = str.ljust if WORDY & set(columns) else str.rjust
            cells = [row[0].ljust(wide[0]), *(justified(text, wide[place + 1]) for place, text in enumerate(row[1:]))]
            lines.append("  " + "  ".join(cells).rstrip())
        lines.append("")
    lines += [*report.notes, tied(report)]
    return "\n".join(lines)


def tied(report: Report) -> str:
    if report.ties:
        return "Every table's win is what its people lost by the ledger, to the cent."
    return "WRONG: the win of a table is not what its people lost by the ledger. Run `pitboss ledger` on this log."


def as_csv(report: Report) -> str:
    """Every row with its part and its figures: cents as whole numbers, expectations as they are."""
    out = io.StringIO()
    fields = [field.name for field in msgspec.structs.fields(Row)]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["part", *fields, "outside"])
    for part, rows in (("total", (report.total,)), *((field, getattr(report, field)) for field, _, _ in SECTIONS)):
        for row in rows:
            values = [getattr(row, name) for name in fields]
            writer.writerow([part, *("" if value is None else _plain(value) for value in values), int(row.is_outside)])
    return out.getvalue()


def _plain(value: object) -> object:
    """A name that a spreadsheet would take for a formula gets an apostrophe, as spreadsheets themselves write it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value


# --- pictures -------------------------------------------------------------------------------------------------------


def chart(rows: Sequence[Row], label: str) -> str:
    """Win of each row as a bar, with what was expected as a line and its limits as a grey field behind it."""
    shown = [row for row in rows if row.rounds or row.win][:48]
    if not shown:
        return ""
    values = [0.0]
    for row in shown:
        values += [float(row.win), *(value for value in (row.low, row.high) if value is not None)]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    left, width, tall, step = 160, 520, 22, 24
    height = step * len(shown) + 30

    def x(cents: float) -> float:
        return left + width * (cents - low) / span

    parts = [
        f'<svg viewBox="0 0 {left + width + 130} {height}" role="img" aria-label="{escape(label)}">',
        f'<line x1="{x(0):.1f}" x2="{x(0):.1f}" y1="4" y2="{height - 22}" class="axis"/>',
    ]
    for place, row in enumerate(shown):
        top = 6 + step * place
        if row.low is not None and row.high is not None and row.expected is not None:
            parts.append(_bar(x(row.low), x(row.high), top, tall - 4, "band"))
        start, end = sorted((x(0), x(float(row.win))))
        kind = "bar out" if row.is_outside else "bar loss" if row.win < 0 else "bar"
        parts.append(_bar(start, end, top + 4, tall - 12, kind))
        if row.expected is not None:
            at = x(row.expected)
            parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{top + tall - 4}" class="mean"/>')
        parts.append(f'<text x="{left - 8}" y="{top + 14}" text-anchor="end">{escape(row.name[:24])}</text>')
        parts.append(f'<text x="{left + width + 8}" y="{top + 14}">{amount(row.win)}</text>')
    parts.append(
        f'<text x="{left}" y="{height - 6}" class="key">bar: win · line: expected · grey: {LEVEL}% limits</text></svg>'
    )
    return "".join(parts)


def _bar(start: float, end: float, top: int, height: int, kind: str) -> str:
    wide = max(end - start, 1.0)
    return f'<rect x="{start:.1f}" y="{top}" width="{wide:.1f}" height="{height}" class="{kind}"/>'


STYLE = """
body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1f24}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}
.lead{color:#57606a;margin:.2rem 0 1rem}
.tiles{display:flex;flex-wrap:wrap;gap:.8rem}
.tile{border:1px solid #d0d7de;border-radius:8px;padding:.6rem 1rem;min-width:8rem}
.tile b{display:block;font-size:1.35rem}.tile span{color:#57606a;font-size:.85rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .5rem;text-align:right;border-bottom:1px solid #d8dee4;white-space:nowrap}
th:first-child,td:first-child,.words th,.words td{text-align:left}.words td{white-space:normal;vertical-align:top}
.words td:first-child{white-space:nowrap}table{font-size:.93em}thead th{color:#57606a;font-weight:600}
svg{width:100%;height:auto;font:12px system-ui,sans-serif}
.bar{fill:#1f6f4a}.bar.loss{fill:#a8500f}.bar.out{fill:#b3261e}.band{fill:#e3e6ea}.mean{stroke:#1b1f24;stroke-width:2}
.axis{stroke:#8c959f}.key{fill:#57606a}.wrong{color:#b3261e;font-weight:600}
@media print{body{margin:0;max-width:none;font-size:11px}section{break-inside:avoid}}
"""


WORDY = frozenset({"words", "note"})
"""Columns of whole sentences: a table that has one reads from the left."""


def as_html(report: Report) -> str:
    """A page that stands by itself."""
    total = report.total
    tiles = [
        ("Win", amount(total.win)),
        ("Expected", f"{amount(total.expected)}"),
        ("Drop", amount(total.drop)),
        ("Hold", percent(total.hold)),
        ("Rounds", f"{total.rounds:,}"),
        ("Rounds an hour a table", f"{total.rounds_per_hour:.0f}"),
    ]
    body = [
        f"<h1>{escape(report.title)}</h1><p class='lead'>{escape(report.period)}</p><div class='tiles'>",
        *(f"<div class='tile'><b>{escape(value)}</b><span>{escape(name)}</span></div>" for name, value in tiles),
        "</div>",
    ]
    wagers = [msgspec.structs.replace(row, name=wager_name(row.name)) for row in report.by_wager]
    pictures: dict[str, Sequence[Row]] = {
        "By table": report.by_table,
        "By gaming day": report.by_day,
        "By hour": report.by_hour,
        "By wager": wagers,
    }
    for heading, columns, rows in sections(report):
        picture = chart(pictures.get(heading, ()), f"Win {heading.lower()}, beside what was expected")
        head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in columns)
        lines = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
        words = " class='words'" if WORDY & set(columns) else ""
        table = f"<table{words}><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
        body.append(f"<section><h2>{escape(heading)}</h2>{picture}{table}</section>")
    body += [f"<p>{escape(note)}</p>" for note in report.notes]
    body.append(f"<p class='{'' if report.ties else 'wrong'}'>{escape(tied(report))}</p>")
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(report.title)}</title>"
        f"<style>{STYLE}</style><body>{''.join(body)}</body></html>\n"
    )
