"""Lines and items from people's files. They are apart from the others, because files are sealed in the log."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.patrons import events as p
from pitboss.patrons.telling import tell
from pitboss.registers.kinds import IN_FILES
from pitboss.registers.model import PROMPT_MS, Heard, Item, Line
from pitboss.rulebooks.registers import on
from pitboss.rulebooks.terms import Rulebook


def of_file(
    heard: Heard,
    person: str,
    book: Rulebook,
    events: Sequence[p.PatronEvent],
    table: str = "",
    *,
    learned: bool = False,
) -> tuple[list[Line], list[Item]]:
    """The lines and items of one entry of somebody's file.

    What it `learned` from a table has its line there; only declarations are the file's own.
    """
    lines: list[Line] = []
    items: list[Item] = []
    for event in events:
        place = IN_FILES.get(type(event))
        if place is None or (learned and not isinstance(event, p.ChipsDeclared)):
            continue
        where = str(getattr(event, "table", "") or table or getattr(event, "where", ""))
        cents = int(getattr(event, "cents", 0) or getattr(event, "maximum_cents", 0) or 0)
        line = Line(
            f"{heard.seq}.{len(lines)}", *place, heard.at_ms, book.id, event.clauses,
            f"{person}: {tell(event)}", "" if where == "*" else where, person, heard.by, heard.role,
            heard.second, cents,
        )  # fmt: skip
        lines.append(line)
        if isinstance(event, p.Recognised) and event.recognised:
            for row in on(book.id, "recognised"):
                text = row.text.format_map({"person": person})
                items.append(
                    Item(
                        f"{heard.seq}:{len(items)}", place[0], heard.at_ms, book.id, row.clauses, text,
                        "casino-supervisor", person, line.id, "", person, heard.at_ms + PROMPT_MS,
                    )
                )  # fmt: skip
    return lines, items
