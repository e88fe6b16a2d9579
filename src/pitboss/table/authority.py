"""Whom the rules let do an act of the house: by its declaration, and where that depends on the table, by its chapter.

Refusals and permissions ask the same, `in_charge`. A chapter marks the function that answers for an act whose answer
depends on how the table stands: ``@names_who(a.Reconstruct)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pitboss.rulebooks.terms import Rulebook, Term
from pitboss.table.acts import Act
from pitboss.table.declaring import DECLARED, Rule
from pitboss.table.state import Table

NOBODY = "nobody"
RUNS_TOURNAMENTS = "casino-supervisor"
"""As whom the person who runs a tournament acts at its tables, whatever a document calls them."""

Names = Callable[[Table, Any], Term[str]]
NAMED: dict[type[Act], Names] = {}
"""What chapters answer, by act."""

N = TypeVar("N", bound=Names)


def names_who(*acts: type[Act]) -> Callable[[N], N]:
    """Mark the function that says, of these acts, whom the rules name as the table stands."""

    def marked(names: N) -> N:
        NAMED.update(dict.fromkeys(acts, names))
        return names

    return marked


def in_charge(table: Table, act: Act) -> Term[Any]:
    """Who may do an act of the house at this table, with the clauses that say so."""
    names = NAMED.get(type(act))
    if names is not None:
        return names(table, act)
    rule = DECLARED[type(act).__name__].may
    term = term_at(table.rulebook, rule.term, act)
    in_tournament = _by_step(rule, table.rulebook) if table.house.tournament else None
    return in_tournament if in_tournament is not None and term.value == NOBODY else term


def in_charge_ever(rule: Rule, book: Rulebook) -> tuple[str, ...]:
    """Everybody whom a rulebook may name for an act, at one table or another."""
    if rule.needs:
        return (rule.needs,)
    found: list[str] = []
    for path in (rule.term, *rule.or_terms):
        if path.startswith("side_bets."):
            found += (getattr(bet, path.partition(".")[2]).value for bet in book.side_bets.values())
        elif isinstance(value := term_at(book, path).value, str):
            found.append(value)
        else:  # rows, each with whoever may; a supervisor asks for what none of them says
            found += (*(row.by for row in value), "casino-supervisor")
    in_tournament = _by_step(rule, book)
    return tuple(dict.fromkeys([*found, in_tournament.value] if in_tournament is not None else found))


def term_at(book: Rulebook, path: str, act: Act | None = None) -> Term[Any]:
    """The term at a path; for an optional wager that of the wager the act speaks of, else of the first there is."""
    chapter, _, name = path.partition(".")
    if chapter == "side_bets":
        kind = getattr(act, "kind", None)
        bet = book.side_bets.get(kind) if isinstance(kind, str) else None
        term: Term[Any] = getattr(bet or next(iter(book.side_bets.values())), name)
        return term
    found: Term[Any] = getattr(getattr(book, chapter), name)
    return found


def _by_step(rule: Rule, book: Rulebook) -> Term[str] | None:
    """Whoever runs a tournament, where the document gives them this step of it."""
    clause = book.tournament.steps.value.get(rule.step)
    return None if clause is None else Term(RUNS_TOURNAMENTS, (clause,))
