"""Why something happened: the clauses behind the last events, with what each of them says in our words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pitboss.rulebooks.clauses import cite, find_in
from pitboss.rulebooks.editions import register_of
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.events import Event
from pitboss.table.telling import sentence

EVENTS_EXPLAINED = 8


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that happened and the clauses that caused it."""

    text: str
    clauses: tuple[tuple[str, str, str], ...]
    """Key, number as people cite it, and gist."""


def reasons(events: Iterable[Event], rulebook: Rulebook, last: int = EVENTS_EXPLAINED) -> tuple[Reason, ...]:
    """The last events with their clauses; events with one cause are told together."""
    grouped: dict[tuple[str, ...], list[str]] = {}
    for event in events:
        grouped.setdefault(event.clauses, []).append(sentence(event, rulebook))
    found = [Reason("; ".join(texts), gists(clauses, rulebook)) for clauses, texts in grouped.items()]
    return tuple(found[-last:])


def gists(clauses: Iterable[str], rulebook: Rulebook) -> tuple[tuple[str, str, str], ...]:
    """What each clause says in our words."""
    rows = register_of(rulebook)
    return tuple((key, cite([key]), rows[key].gist if key in rows else "") for key in dict.fromkeys(clauses))


def about(clause: str, rulebook: Rulebook) -> tuple[tuple[str, str, str], ...]:
    """The clauses at or below a number, or the definition of a word; empty where the document has none."""
    return tuple((row.key, cite([row.key]), row.gist) for row in find_in(register_of(rulebook), clause))
