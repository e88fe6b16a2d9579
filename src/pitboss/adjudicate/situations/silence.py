"""Where a document is silent: what its sibling rulebooks do, and who decides."""

from __future__ import annotations

from pitboss.adjudicate.model import Choice, Question, Source
from pitboss.adjudicate.words import term_of, who
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.meanings import MAY_BE_SILENT, UNDECIDED
from pitboss.rulebooks.phrases import first_up, word_means
from pitboss.rulebooks.terms import Rulebook

NOT_A_CHOICE = ("undecided", "none")
"""Values of siblings that are no answer: they are silent too, or their game has no such thing."""


def question_about(book: Rulebook, key: str) -> Question:
    """The document does not say: what its siblings do, and who decides."""
    role, clauses = decider(book, key)
    silence = word_means(key, "undecided").replace("The document", book.name, 1)
    text = f"{silence} {first_up(who(role))} decides."
    return Question(key, text, "house", choices_of(book, key), term_of(book, key).clauses, role, clauses)


def choices_of(book: Rulebook, key: str) -> tuple[Choice, ...]:
    """What can be decided, with the sibling rulebooks that say so; what one of them does comes first."""
    found: dict[str, list[Source]] = {}
    for rulebook_id in RULEBOOKS:
        sibling = load(rulebook_id)
        term = term_of(sibling, key)
        if rulebook_id != book.id and term.value not in NOT_A_CHOICE:
            found.setdefault(term.value, []).append(Source(sibling.name, term.clauses))
    for value in MAY_BE_SILENT[key].split():
        if value not in NOT_A_CHOICE:
            found.setdefault(value, [])
    return tuple(Choice(value, word_means(key, value), tuple(sources)) for value, sources in found.items())


def decider(book: Rulebook, key: str = "") -> tuple[str, tuple[str, ...]]:
    """Who rules on what no rule covers; on an invalidated round whoever invalidates it.

    A document that is silent on wrong payments cites for them the rule that lets the house settle disputes; any other
    document names in its rule on void rounds whose judgement it takes.
    """
    terms = book.irregularities
    if key == "irregularities.invalidated_paid":
        return terms.invalidated_by.value, terms.invalidated_by.clauses
    silent = UNDECIDED[terms.mispayment.value]
    return terms.void_by.value, terms.mispayment.clauses if silent else terms.void_by.clauses
