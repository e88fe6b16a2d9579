"""What is handed out of a promotion: winners, what is due and was done, denied claims, and every event by clause."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping

from pitboss.basics.money import dollars, plain_dollars
from pitboss.papers.sheets import Row, csv_of, html_of, without_clauses
from pitboss.promotions.clocks import shown
from pitboss.promotions.records import Result, tell
from pitboss.promotions.state import Duty
from pitboss.rulebooks.clauses import cite


def standing(duty: Duty, at: datetime.datetime | None) -> str:
    """How a duty stands: done, done late, lapsed, open, overdue."""
    if duty.met is not None:
        return "done late" if duty.late else "done"
    if duty.lapsed:
        return f"lapsed: {duty.lapsed}"
    return "overdue" if at is not None and duty.overdue(at) else "open"


def _rows(result: Result) -> Iterator[Row]:
    """Winners, duties, denied claims and events as rows of a table: what, and its columns."""
    state, zone = result.state, result.rulebook.patrons.zone.value

    def when(moment: datetime.datetime | None) -> str:
        return "" if moment is None else shown(zone, moment)

    yield ("winner", "prize", "name", "draw", "value", "status", "told")
    for win in state.wins.values():
        told = "yes" if win.told else f"tried {win.attempts} times" if win.attempts else "no"
        yield ("winner", win.prize, win.name, win.draw, plain_dollars(win.value_cents), win.status, told)
    yield ("duty", "who", "what", "to", "due", "clauses", "how it stands", "when")
    for duty in state.duties.values():
        by = when(duty.due) or "as soon as practicable"
        how = standing(duty, state.last)
        yield ("duty", duty.who, duty.what, duty.to, by, cite(duty.clauses), how, when(duty.met))
    yield ("denied", "name", "prize", "value", "why", "full name", "address", "told why")
    for each in state.denied:
        kept = (each.full_name, each.address) if each.kept else ("not kept", "not kept")
        said = "yes" if each.told else "no"
        yield ("denied", each.name, each.prize, plain_dollars(each.value_cents), each.why, *kept, said)
    yield ("event", "act", "clauses", "what happened")
    for step in result.steps:
        for event in step.events:
            yield ("event", str(step.number), cite(event.clauses), without_clauses(tell(event, result.rulebook)))
        if step.refusal is not None:
            yield ("event", str(step.number), cite(step.refusal.clauses), f"refused: {step.refusal.text}")


HEADINGS = {
    "winner": "Winners",
    "duty": "What was to be done, and until when",
    "denied": "Denied claims",
    "event": "Everything that happened, by clause",
}


def as_csv(result: Result) -> str:
    return csv_of(_rows(result))


def as_html(result: Result) -> str:
    under = f"{result.rulebook.name}, edition {result.rulebook.edition[:12]}"
    return html_of(result.record.title, under, _rows(result), HEADINGS)


def as_text(result: Result) -> str:
    state, zone = result.state, result.rulebook.patrons.zone.value
    found = [result.record.title, f"{result.rulebook.name}, edition {result.rulebook.edition[:12]}", "", "Winners:"]
    for win in state.wins.values():
        found.append(f"  {win.prize:<16} {win.name:<16} {dollars(win.value_cents):>12}  {win.status}")
    found += ["", "To be done:"]
    for duty in state.duties.values():
        by = "as soon as practicable" if duty.due is None else shown(zone, duty.due)
        found.append(f"  {standing(duty, state.last):<10} {by:<26} {duty.what} [{cite(duty.clauses)}]")
    found += ["", "Denied claims:"]
    for each in state.denied:
        whom = f"{each.full_name}, {each.address}" if each.kept else each.name
        found.append(f"  {each.prize:<16} {whom}: {each.why}")
    found += ["", "Everything that happened:"]
    found += [f"  {tell(event, result.rulebook)}" for event in result.events]
    return "\n".join(found) + "\n"


FORMATS: Mapping[str, Callable[[Result], str]] = {"text": as_text, "csv": as_csv, "html": as_html}
