"""A term by its name, and a role as it is said in a ruling. What a term means is said in `rulebooks/phrases.py`."""

from __future__ import annotations

from collections.abc import Mapping
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


def meant(answer: str, choices: Mapping[str, str]) -> str | None:
    """Which of several somebody means: by number, by name, or by what is shown, or as much of it as is enough."""
    if answer in choices:
        return answer
    said = _plain(answer)
    if said.isascii() and said.isdigit():
        return dict(enumerate(choices, 1)).get(int(said[:6]))
    names = {name: (_plain(name), _plain(shown)) for name, shown in choices.items()}
    exact = [name for name, known in names.items() if said in known]
    begun = [name for name, known in names.items() if said and any(each.startswith(said) for each in known)]
    return (exact or begun)[0] if exact or len(begun) == 1 else None


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").replace("_", " ").split()).rstrip(".")
