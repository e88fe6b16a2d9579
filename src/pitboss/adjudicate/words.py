"""A term by its name, and a role as it is said in a ruling. What a term means is said in `rulebooks/phrases.py`."""

from __future__ import annotations

from typing import Any

from pitboss.rulebooks.terms import Rulebook, Term


def term_of(book: Rulebook, key: str) -> Term[Any]:
    """The term with this dotted name."""
    section, _, name = key.partition(".")
    term: Term[Any] = getattr(getattr(book, section), name)
    return term


def who(role: str) -> str:
    """A role as the subject of a sentence."""
    named = {
        "house": "the House",
        "casino-operator": "the casino operator",
        "nobody": "nobody",
        "inspectorate-manager": "the Manager Casino Inspectorate",
        "commission": "the Commission",
        "authorised-officer": "an Authorised Officer",
    }
    return named.get(role, f"a {role.replace('-', ' ')}" if role[0] not in "aeiou" else f"an {role.replace('-', ' ')}")
