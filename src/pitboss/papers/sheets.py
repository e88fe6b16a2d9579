"""Reports as tables: rows whose first word says what they are, as CSV and as a page that can be printed.

The first row of each kind has the names of its columns.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from html import escape

Row = tuple[str, ...]


class _Lines:
    """What `csv` writes to."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)


def csv_of(rows: Iterable[Row]) -> str:
    lines = _Lines()
    csv.writer(lines, lineterminator="\n").writerows(_safe(row) for row in rows)
    return lines.text


def _safe(row: Row) -> Row:
    """A spreadsheet takes what begins so for a formula; amounts below zero are no text."""
    return tuple(f"'{each}" if each[:1] in ("=", "+", "@") else each for each in row)


def html_of(title: str, under: str, rows: Iterable[Row], headings: Mapping[str, str]) -> str:
    """One page that can be printed; nothing is loaded from elsewhere."""
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>',
        "body{font:1rem/1.4 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;margin:1rem 0}",
        "td,th{border:1px solid #999;padding:.2rem .5rem;text-align:left}</style></head><body>",
        f"<h1>{escape(title)}</h1><p>{escape(under)}</p>",
    ]
    kind = ""
    for what, *columns in rows:
        if what != kind:
            parts.append(f"{'</tbody></table>' if kind else ''}<h2>{headings[what]}</h2><table><thead><tr>")
            parts += [f'<th scope="col">{escape(each)}</th>' for each in columns]
            parts.append("</tr></thead><tbody>")
            kind = what
            continue
        parts.append("<tr>" + "".join(f"<td>{escape(each)}</td>" for each in columns) + "</tr>")
    parts.append("</tbody></table></body></html>\n")
    return "\n".join(parts)


def without_clauses(told: str) -> str:
    """A sentence without the clauses that stand in brackets at its end."""
    return told.rpartition(" (")[0]
