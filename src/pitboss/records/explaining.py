"""A record told to somebody who was not there: the table, then line by line what happened and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pitboss.basics.cards import format_cards
from pitboss.basics.money import dollars
from pitboss.records.lines import format_act
from pitboss.records.model import Record, rulebook_of
from pitboss.records.replay import ReplayResult, Step
from pitboss.records.saving import public_events
from pitboss.rulebooks.clauses import cite, is_within
from pitboss.rulebooks.editions import register_of
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.house import DEVICE
from pitboss.table.telling import sentence


def explain(result: ReplayResult) -> dict[str, Any]:
    """The explanation as plain data; `told` makes prose of it."""
    record = result.record
    gists = _Gists(result.rulebook)
    return {
        "title": record.title,
        "rulebook": result.rulebook.name,
        "table": table_in_words(record),
        "about": gists.of(record.clauses),
        "lines": [_line(step, result, gists) for step in result.steps],
        "outcome": list(outcome(result)),
        "failures": [{"line": failure.line, "text": failure.text} for failure in result.failures],
        "warnings": [{"line": warning.line, "text": warning.text} for warning in result.warnings],
    }


def explained_lines(explanation: dict[str, Any]) -> Iterator[str]:
    """The explanation as lines of text; a clause's gist is told where the clause first comes up."""
    yield explanation["title"]
    yield f"{explanation['rulebook']}. {explanation['table']}"
    for about in explanation["about"]:
        yield f"About {about['cited']}: {about['gist']}"
    seen = {about["clause"] for about in explanation["about"]}
    for line in explanation["lines"]:
        yield ""
        yield line["said"]
        if "refused" in line:
            yield f"  Refused: {line['refused']['text']} {_cited(line['refused']['clauses'])}"
            yield from _why(line["refused"]["clauses"], seen)
        for event in line["events"]:
            yield f"  {_capital(event['text'])}. {_cited(event['clauses'])}"
            yield from _why(event["clauses"], seen)
    yield ""
    yield from explanation["outcome"]
    for failure in explanation["failures"]:
        yield f"Not as expected: {failure['text']}"


def _cited(clauses: Iterable[dict[str, str]]) -> str:
    return f"({', '.join(each['cited'] for each in clauses)})"


def _why(clauses: Iterable[dict[str, str]], seen: set[str]) -> Iterator[str]:
    for each in clauses:
        if each["clause"] not in seen and each["gist"]:
            seen.add(each["clause"])
            yield f"    {each['cited']}: {each['gist']}"


class _Gists:
    """What clauses say, in our words."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.register = register_of(rulebook)

    def of(self, clauses: Iterable[str]) -> list[dict[str, str]]:
        return [{"clause": key, "cited": cite((key,)), "gist": self.gist(key)} for key in dict.fromkeys(clauses)]

    def gist(self, key: str) -> str:
        if key in self.register:
            return self.register[key].gist
        if parts := sum(is_within(each, key) for each in self.register):
            return f"A heading over {parts} clauses."
        return "This clause is not in the register."


def _line(step: Step, result: ReplayResult, gists: _Gists) -> dict[str, Any]:
    line: dict[str, Any] = {"line": step.play.line, "said": format_act(step.play.act)}
    if step.refusal is not None:
        line["refused"] = {"text": step.refusal.text, "clauses": gists.of(step.refusal.clauses)}
    line["events"] = [
        {"text": sentence(event, result.rulebook), "clauses": gists.of(event.clauses)}
        for event in public_events(step.events)
    ]
    return line


def table_in_words(record: Record) -> str:
    """One sentence about the table."""
    house = record.house
    source = "a shuffling device" if house.source == DEVICE else "a new shoe" if record.new_shoe else "a shoe"
    if record.before.device_down:
        source = "a shoe, since the shuffling device has failed"
    parts = [
        f"{house.decks} decks from {source}",
        f"wagers from {dollars(house.minimum_cents)} to {dollars(house.maximum_cents)}",
    ]
    if house.side_bets:
        parts.append("optional wagers: " + ", ".join(house.side_bets))
    seated = {patron.seat: name for name, patron in record.players.items() if patron.seat}
    parts.extend(f"{name} is seated at box {seat}" for seat, name in sorted(seated.items()))
    if rulebook_of(record).variant:
        parts.append("a study variant, not the document's rules")
    return "; ".join(parts) + "."


def outcome(result: ReplayResult) -> Iterator[str]:
    """What everybody won or lost, and what the dealer had."""
    for name, cents in result.net_cents.items():
        verb = "wins" if cents > 0 else "loses" if cents < 0 else "comes out even"
        yield f"{name} {verb} {dollars(abs(cents))}." if cents else f"{name} {verb}."
    if result.dealer:
        yield f"The dealer's last cards are {format_cards(result.dealer)}."
    if result.left:
        yield f"Cards of the record that were not drawn: {result.left}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
