"""What is handed out when a tournament is over: results, prizes, accounts, and every event by clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pitboss.basics.money import dollars, plain_dollars
from pitboss.papers.sheets import csv_of, html_of, without_clauses
from pitboss.rulebooks.clauses import cite
from pitboss.tournament.records import Result, tell
from pitboss.tournament.state import Entrant


def _people(result: Result) -> list[Entrant]:
    """The best first; who has no place yet in the order of entry."""
    return sorted(result.state.entrants.values(), key=lambda each: (each.place or 10**6, each.number))


def _rows(result: Result) -> Iterator[tuple[str, ...]]:
    """Results, accounts and events as rows of a table: what, and its columns."""
    yield ("result", "place", "name", "status", "out of", "prize", "redeemed")
    for each in _people(result):
        money = (plain_dollars(each.prize_cents), plain_dollars(each.redeemed_cents))
        yield ("result", str(each.place or ""), each.name, each.status, each.out_stage, *money)
    yield ("account", "kind", "account", "balance")
    for account, cents in sorted(result.state.accounts.items()):
        yield ("account", "money", account, _signed(cents))
    for account, cents in sorted(result.state.chip_accounts.items()):
        yield ("account", "chips", account, _signed(cents))
    yield ("event", "act", "clauses", "what happened")
    for step in result.steps:
        for event in step.events:
            yield ("event", str(step.number), cite(event.clauses), without_clauses(tell(event, result.rulebook)))
        if step.refusal is not None:
            yield ("event", str(step.number), cite(step.refusal.clauses), f"refused: {step.refusal.text}")


def _signed(cents: int) -> str:
    return f"-{plain_dollars(-cents)}" if cents < 0 else plain_dollars(cents)


def as_csv(result: Result) -> str:
    return csv_of(_rows(result))


def as_text(result: Result) -> str:
    found = [result.record.title, f"{result.rulebook.name}, edition {result.rulebook.edition[:12]}", ""]
    for each in _people(result):
        prize = f"  {dollars(each.prize_cents)}" if each.prize_cents else ""
        found.append(f"{each.place or '-':>4}  {each.name:<24} {each.status}{prize}")
    pool = sum(each.prize_cents for each in result.state.entrants.values())
    found += ["", f"prizes {dollars(pool)}", "", "Accounts:"]
    found += [f"  {account:<24} {dollars(cents)}" for account, cents in sorted(result.state.accounts.items())]
    found += ["", "Tournament chips:"]
    found += [f"  {account:<24} {_signed(cents)}" for account, cents in sorted(result.state.chip_accounts.items())]
    found += ["", "Everything that happened:"]
    found += [f"  {tell(event, result.rulebook)}" for event in result.events]
    return "\n".join(found) + "\n"


def as_html(result: Result) -> str:
    """One page that can be printed; nothing is loaded from elsewhere."""
    under = f"{result.rulebook.name}, edition {result.rulebook.edition[:12]}"
    return html_of(result.record.title, under, _rows(result), HEADINGS)


HEADINGS = {"result": "Results and prizes", "account": "Accounts", "event": "Everything that happened, by clause"}
FORMATS: Mapping[str, Callable[[Result], str]] = {"text": as_text, "csv": as_csv, "html": as_html}
