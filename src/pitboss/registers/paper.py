"""Registers on paper: lines for the terminal, a page that prints well, and rows for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pitboss.patrons.gaming_day import Calendar, local
from pitboss.registers.asking import Count, Kept, Note, notes
from pitboss.registers.model import Item, Line
from pitboss.rulebooks import load
from pitboss.rulebooks.clauses import cite

LINE_COLUMNS = (
    "number",
    "at",
    "register",
    "kind",
    "table",
    "text",
    "person",
    "by",
    "second",
    "cents",
    "rulebook",
    "clauses",
)
ITEM_COLUMNS = (
    "number", "state", "due", "who", "to", "text", "register", "table", "rulebook", "clauses", "since", "done",
    "done_by", "evidence", "line",
)  # fmt: skip
BEFORE_PLAY = "before play continues"

STYLE = """
body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#1b1f24}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:1.2rem 0 .3rem}small{color:#57606a}
td:first-child{min-width:8.5rem}td:nth-last-child(1){max-width:14rem}p{color:#57606a;margin:.2rem 0 1rem}
table{border-collapse:collapse;width:100%;margin-bottom:1rem}
th,td{padding:.25rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid #d8dee4}
thead{display:table-header-group}thead th{color:#57606a}tr{break-inside:avoid}
.overdue{color:#b3261e;font-weight:600}
@media print{body{margin:0;max-width:none;font-size:10px}}
"""


def shown_at(book: Kept, rulebook: str, at_ms: int) -> str:
    """A moment as the clocks of the house show it, with how far they are from UTC."""
    zone, begins = book.calendars.get(rulebook, ("UTC", 0))
    return local(Calendar(zone, begins), at_ms).strftime("%Y-%m-%d %H:%M:%S %z") if at_ms else ""


def line_row(book: Kept, line: Line) -> tuple[str, ...]:
    return (
        line.id, shown_at(book, line.rulebook, line.at_ms), line.register, line.kind, line.table, line.text,
        line.person, line.by, line.second, str(line.cents) if line.cents else "", line.rulebook, cited(line.clauses),
    )  # fmt: skip


def item_row(book: Kept, item: Item, now_ms: int) -> tuple[str, ...]:
    due = shown_at(book, item.rulebook, item.due_ms) or (BEFORE_PLAY if item.before_play else "")
    return (
        item.id, item.state(now_ms), due, item.who, item.to, item.text, item.register, item.table, item.rulebook,
        cited(item.clauses), shown_at(book, item.rulebook, item.at_ms), shown_at(book, item.rulebook, item.done_ms),
        item.done_by, item.evidence, item.line,
    )  # fmt: skip


def cited(clauses: tuple[str, ...]) -> str:
    return cite(clauses) if clauses else ""


# --- the terminal ----------------------------------------------------------------------------------------------------


def counts_text(book: Kept, counts: Sequence[Count]) -> str:
    rows = [("register", "lines", "due", "overdue", "")]
    rows += [(each.name, f"{each.lines:,}", str(each.due), str(each.overdue), each.title) for each in counts]
    wide = [max(len(row[place]) for row in rows) for place in range(4)]
    return "\n".join(
        "  ".join([row[0].ljust(wide[0]), *(row[place].rjust(wide[place]) for place in (1, 2, 3)), row[4]]).rstrip()
        for row in rows
    )


def lines_text(book: Kept, found: Sequence[Line]) -> str:
    said = []
    for line in found:
        who = f"; by {line.by}" if line.by else ""
        where = f" {line.table}" if line.table else ""
        at = shown_at(book, line.rulebook, line.at_ms)[:19]
        said.append(f"{line.id:>8}  {at}{where}  {line.kind}: {line.text}{who} ({rules(line.rulebook, line.clauses)})")
    return "\n".join(said) or "no matching entries."


def items_text(book: Kept, found: Sequence[Item], now_ms: int) -> str:
    said = []
    for item in found:
        row = dict(zip(ITEM_COLUMNS, item_row(book, item, now_ms), strict=True))
        when = (
            f"done {row['done']} by {item.done_by or 'the house'}: {item.evidence}"
            if item.done_ms
            else f"by {row['due'] or 'now'}"
        )
        told_by_another = item.to and item.to != item.who
        whom = f"{plain(item.who)} tells {plain(item.to)}" if told_by_another else f"for the {plain(item.who)}"
        by = rules(item.rulebook, item.clauses)
        said.append(f"{item.id:>8}  {row['state']}, {when}\n          {whom}: {item.text} ({by})")
    return "\n".join(said) or "nothing is due."


def plain(word: str) -> str:
    return word.replace("-", " ")


# --- rows and pages --------------------------------------------------------------------------------------------------


def lines_csv(book: Kept, found: Sequence[Line]) -> str:
    return _csv(LINE_COLUMNS, [line_row(book, line) for line in found])


def items_csv(book: Kept, found: Sequence[Item], now_ms: int) -> str:
    return _csv(ITEM_COLUMNS, [item_row(book, item, now_ms) for item in found])


def _csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "".join(",".join(map(_quoted, row)) + "\n" for row in (columns, *rows))


def _quoted(value: str) -> str:
    safe = _no_formula(value)
    return '"' + safe.replace('"', '""') + '"' if any(sign in safe for sign in ',"\r\n') else safe


def _no_formula(value: str) -> str:
    """What a spreadsheet would take for a formula gets an apostrophe, as spreadsheets themselves write it."""
    return (
        f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) and not value.lstrip("-").isdigit() else value
    )


def lines_html(
    book: Kept, title: str, about: str, found: Sequence[Line], register: str = "", waiting: Sequence[Item] = (),
    now_ms: int = 0,
) -> str:  # fmt: skip
    """A register to be printed: what is due in it, what happened, and how the documents want it read."""
    several = not register
    head = ("when", *(("register",) if several else ()), "table", "what", "person", "by", "clauses")
    rows = [
        (
            shown_at(book, line.rulebook, line.at_ms)[:16],
            *((plain(line.register),) if several else ()),
            line.table,
            f"<b>{escape(capital(line.kind))}</b>: {escape(line.text)} <small>({escape(line.id)})</small>",
            line.person,
            " and ".join(filter(None, (line.by, line.second))),
            rules(line.rulebook, line.clauses),
        )
        for line in found
    ]
    parts = [_table("", head, rows, at=head.index("what")) if rows else "<p>No matching entries.</p>"]
    if waiting:
        parts.insert(0, _items(book, "Still to be done", waiting, now_ms))
    said = [note_text(note) for note in notes(book, register)]
    return _page(title, about, [*parts, *(f"<p>{escape(text)}</p>" for text in said)])


def items_html(book: Kept, title: str, about: str, found: Sequence[Item], now_ms: int) -> str:
    return _page(title, about, [_items(book, "", found, now_ms) if found else "<p>Nothing is due.</p>"])


def _items(book: Kept, heading: str, found: Sequence[Item], now_ms: int) -> str:
    rows = []
    for item in found:
        row = dict(zip(ITEM_COLUMNS, item_row(book, item, now_ms), strict=True))
        state = f"<span class='{row['state']}'>{capital(row['state'])}</span>"
        due = BEFORE_PLAY if row["due"] == BEFORE_PLAY else row["due"][:16] or "now"
        when = f"{row['done'][:16]}, by {item.done_by or 'the house'}" if item.done_ms else due
        another = item.to and item.to != item.who
        tells = f"{capital(plain(item.who))} tells {plain(item.to)}" if another else capital(plain(item.who))
        shown = f"; {item.evidence}" if item.evidence else ""
        rows.append(
            (f"{state}<br>{escape(when)}", tells, item.text + shown, item.table, rules(item.rulebook, item.clauses))
        )
    return _table(heading, ("state", "who", "what", "table", "clauses"), rows, at=0)


def note_text(note: Note) -> str:
    return f"{note.text} ({rules(note.rulebook, note.clauses)})"


def rules(rulebook: str, clauses: tuple[str, ...]) -> str:
    return f"{load(rulebook).name} {cited(clauses)}" if clauses else ""


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _table(heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, at: int) -> str:
    """A table of plain words; the column `at` is HTML already."""
    head = "".join(f"<th scope='col'>{capital(name)}</th>" for name in columns)
    cells = [[value if place == at else escape(value) for place, value in enumerate(row)] for row in rows]
    body = "".join(f"<tr>{''.join(f'<td>{value}</td>' for value in row)}</tr>" for row in cells)
    title = f"<h2>{heading}</h2>" if heading else ""
    return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _page(title: str, about: str, parts: Sequence[str]) -> str:
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title><style>{STYLE}</style>"
        f"<body><h1>{escape(title)}</h1><p>{escape(capital(about))}</p>{''.join(parts)}</body></html>\n"
    )
