"""Lines and items from people's files. They are apart from the others, because files are sealed in the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pitboss.basics.money import dollars
from pitboss.patrons import events as p
from pitboss.registers.kinds import IN_FILES
from pitboss.registers.model import PROMPT_MS, Heard, Item, Line
from pitboss.rulebooks.registers import on
from pitboss.rulebooks.terms import Rulebook


def _until(ev: Any) -> str:
    return f" until {ev.until}" if ev.until else ""


def _where(place: str) -> str:
    return "" if place == "*" else f" at {place}"


def _limit(what: str) -> Callable[[Any], str]:
    def told(ev: Any) -> str:
        period = f" a {ev.period}" if hasattr(ev, "period") else " a day"
        said = f"{what} {dollars(ev.cents)}{period}" if ev.cents is not None else f"{what} lifted"
        return said + (", from the next period" if ev.later else "")

    return told


TOLD: dict[type[p.PatronEvent], Callable[[Any], str]] = {
    p.PatronRestricted: lambda ev: (
        f"restricted: {ev.rule.replace('-', ' ')}{_where(ev.where)}{_until(ev)} ({ev.why}); told: {ev.told}"
    ),
    p.PatronRestrictionLifted: lambda ev: f"no longer restricted: {ev.rule.replace('-', ' ')}{_where(ev.where)}",
    p.Excluded: lambda ev: f"excluded from the {ev.scope}{_until(ev)}: {ev.why}",
    p.Admitted: lambda ev: f"admitted to the {ev.scope} again",
    p.Recognised: lambda ev: f"{'' if ev.recognised else 'no longer '}a recognised player: {ev.why}",
    p.MaximumAllowed: lambda ev: f"maximum of their own at {ev.table}: {dollars(ev.maximum_cents)}",
    p.Identified: lambda ev: f"identified by {ev.document}",
    p.CardIssued: lambda ev: f"player card {ev.number} issued" + (f", valid to {ev.expires}" if ev.expires else ""),
    p.CardWithdrawn: lambda ev: f"player card withdrawn: {ev.reason}",
    p.CardLent: lambda ev: f"player card found in the hands of {ev.lent_to}",
    p.CardReturned: lambda ev: "player card with its owner again",
    p.HelperNamed: lambda ev: f"helped by {ev.helper}" if ev.helper else "no helper any more",
    p.LossLimitSet: _limit("loss limit"),
    p.DepositLimitSet: _limit("deposit limit"),
    p.Deposited: lambda ev: f"deposit of {dollars(ev.cents)}",
    p.ChipsDeclared: lambda ev: f"declares {dollars(ev.cents)} in chips {ev.what} at {ev.table}",
    p.Paused: lambda ev: "pauses until the new period of the loss limit",
    p.Resumed: lambda ev: "may wager again",
}
"""What each event of a file is in words."""


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
            f"{person}: {TOLD[type(event)](event)}", "" if where == "*" else where, person, heard.by, heard.role,
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
