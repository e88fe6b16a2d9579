"""The text of a document in one line of JSON: the same for the same terms and clauses, however they are laid out.

An edition is known by the SHA-256 of this text. In it stand every term with its clauses, dates, reading and words, how
the document may be amended, and of every clause what it says; who keeps a clause and how far that is done is about the
program, and not in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args, get_origin

import msgspec

from pitboss.basics.money import Odds
from pitboss.rulebooks.terms import SECTIONS, Dated, Rulebook, Term, fields_of
from pitboss.rulebooks.vocabulary import plain

FORMAT = "pitboss-rulebook"
VERSION = 1
CLAUSE_COLUMNS = 5
"""Of a clause: its key, number, group, kind and gist."""


def text_of(rulebook: Rulebook, clauses: Iterable[Sequence[str]], amendments: Mapping[str, Any]) -> bytes:
    """The text of a document that nothing amends, with the rows of its register and its ``amendments.toml``."""
    whole = {
        FORMAT: VERSION,
        "rulebook": rulebook.id,
        "terms": {field.name: _section(getattr(rulebook, field.name)) for field in SECTIONS},
        "clauses": [list(row[:CLAUSE_COLUMNS]) for row in clauses],
        "amendments": _cited_alike(amendments),
    }
    return msgspec.json.encode(whole, order="sorted")


def digest_of(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _section(section: Any) -> Any:
    if isinstance(section, Mapping):
        return {name: _section(each) for name, each in section.items()}
    return _absent(section) or {name: _term(getattr(section, name)) for name in section.__struct_fields__}


def _absent(section: Any) -> dict[str, Any] | None:
    """What a section says that the document has nothing of; None where it has something."""
    fields = fields_of(type(section))
    terms: list[Term[Any]] = [getattr(section, field.name) for field in fields]
    first = terms[0]
    if not hasattr(section, "offered") or first.reading is None or any(term.dated for term in terms):
        return None
    for field, term in zip(fields, terms, strict=True):
        off = off_value(field.name, get_args(field.type)[0])
        if term.value != off or term.clauses != first.clauses or term.reading != first.reading or term.in_words:
            return None
    return {"absent": {"clauses": list(first.clauses), "reading": first.reading}}


def _term(term: Term[Any]) -> Any:
    return [entry(each) for each in term.dated] if term.dated else entry(term)


def entry(term: Term[Any] | Dated[Any]) -> dict[str, Any]:
    """A term as ``terms.toml`` would write it."""
    said: dict[str, Any] = {"is": plain_value(term.value), "clauses": list(term.clauses)}
    for name, value in (("reading", term.reading), ("from", term.since), ("in_words", term.in_words)):
        if value is not None:
            said[name] = value
    return said


def _cited_alike(value: Any) -> Any:
    """The same whether one clause is cited as ``clause = "..."`` or as ``clauses = ["..."]``."""
    if isinstance(value, Mapping):
        found = {("clauses" if name == "clause" else name): _cited_alike(each) for name, each in value.items()}
        return found | {"clauses": [value["clause"]]} if "clause" in value else found
    return [_cited_alike(each) for each in value] if isinstance(value, list) else value


def plain_value(value: Any) -> Any:
    """A value in plain types: odds as people write them."""
    if isinstance(value, Odds):
        return str(value)
    if isinstance(value, tuple):
        return [plain_value(each) for each in value]
    if isinstance(value, msgspec.Struct):
        return {name: plain_value(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): plain_value(each) for key, each in value.items()}
    return value


def off_value(name: str, of: Any) -> Any:
    """What a term is in a section that the document has nothing of."""
    of = plain(of)
    if of is str:
        return "nobody" if name.endswith("_by") else ""
    if of is Odds:
        return Odds(0, 1)
    empty = {bool: False, int: 0, tuple: (), dict: {}}
    return empty[get_origin(of) or of]
