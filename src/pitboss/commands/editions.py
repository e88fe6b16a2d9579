"""`pitboss editions`: under which text each rulebook is shipped, and how it may be amended."""

from __future__ import annotations

import json as jsonlib
import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.commands import Unread, look_for_editions
from pitboss.commands.options import EditionNamed, EditionsIn
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.amend import KINDS, Allowed, amend, amendable, changed_by
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.editions import frozen_editions
from pitboss.rulebooks.sentences import phrase
from pitboss.rulebooks.terms import Amendment, Rulebook
from pitboss.terminal.opening import ChoiceError, choose_edition, find_rulebook

FINE = 0
WIDTH = 80


def editions(
    rulebook: str | None = None,
    *,
    edition: EditionNamed = None,
    editions: EditionsIn = None,
    json: bool = False,
) -> int:
    """Show the edition and digest of each rulebook, and the amendments that it allows.

    Parameters
    ----------
    rulebook
        Only this rulebook, with every term that its own amendments change.
    json
        Print one JSON object per line, one rulebook a line.
    """
    look_for_editions(editions)
    if rulebook is None and edition is not None:
        raise Unread("pitboss editions: --edition is of one rulebook: name it, as in pitboss editions nsw-pontoon")
    try:
        books = [choose_edition(find_rulebook(rulebook), edition)] if rulebook else [load(each) for each in RULEBOOKS]
    except ChoiceError as error:
        raise Unread(f"pitboss editions: {error}") from None
    for place, book in enumerate(books):
        if json:
            print(jsonlib.dumps(_data(book), ensure_ascii=False))
        else:
            print("\n".join(["", *_lines(book, whole=rulebook is not None)][place == 0 :]))
    return FINE


def _lines(book: Rulebook, *, whole: bool) -> Iterator[str]:
    yield f"{book.id}: {book.game.document.value}"
    yield f"  edition  {book.game.edition.value}"
    yield f"  digest   {book.edition}"
    for digest in _released(book):
        yield f"  earlier  {digest}"
    dates = ", ".join(date.isoformat() for date in book.dates)
    if dates:
        yield f"  dated    terms change on {dates}"
    found = amendable(book)
    for allowed in found.allowed:
        yield from _wrap(f"{KINDS[allowed.kind]} [{cite(allowed.clauses)}]{_approved(allowed)}", "  allows   ")
    for layer in found.layers.values():
        yield from _layer(book, layer, whole=whole)
    if found.none:
        yield from _wrap(f"none of its own: {found.none} [{cite(found.none_clauses)}]", "  amended  ")


def _layer(book: Rulebook, layer: Amendment, *, whole: bool) -> Iterator[str]:
    said = f"{layer.name}: {layer.title} [{cite(layer.clauses)}]"
    gone = f", in which {cite(layer.disapplies)} do not apply" if layer.disapplies else ""
    yield from _wrap(f"{said}{gone}", "  amended  ")
    if not whole:
        return
    laid = amend(book, layer)
    for key in changed_by(laid):
        section, _, name = key.rpartition(".")
        term = getattr(
            laid.side_bets[section[10:]] if section.startswith("side_bets.") else getattr(laid, section), name
        )
        yield from _wrap(f"{key}: {phrase(key, term.value, laid)} [{cite(term.clauses)}]", "           - ")
    for key, clause in layer.left.items():
        yield from _wrap(f"{key}: left to the conduct of the tournament [{cite((clause,))}]", "           - ")


def _approved(allowed: Allowed) -> str:
    return ", once they are approved" if allowed.approved else ""


def _released(book: Rulebook) -> list[str]:
    known = frozen_editions().get(book.id)
    return [digest for digest in known["released"] if digest != book.edition] if known is not None else []


def _wrap(text: str, first: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False)


def _data(book: Rulebook) -> dict[str, Any]:
    found = amendable(book)
    return {
        "rulebook": book.id,
        "document": book.game.document.value,
        "edition": book.game.edition.value,
        "digest": book.edition,
        "released": _released(book),
        "dates": [date.isoformat() for date in book.dates],
        "allowed": [msgspec.to_builtins(each) for each in found.allowed],
        "amendments": [msgspec.to_builtins(each) for each in found.layers.values()],
        "none": found.none or None,
    }
