"""The documents' defined words in plain words of our own, and where the program uses each of them.

Each rulebook's ``glossary.tsv`` has a row a word: the clause that defines it, its other forms, what it means, the rules
that say more, and the acts, events and terms in which the program knows it. It explains the text and is no part of it:
no digest hangs on it. A row without a word says for which rules the words hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from pitboss.rulebooks.clauses import Clause, register, register_path

COLUMNS = ("clause", "word", "also", "means", "see", "acts", "events", "terms")


class Word(msgspec.Struct, frozen=True):
    """A word that a document defines, explained."""

    clause: str
    word: str
    """Empty where the row is about all words of the document."""
    also: tuple[str, ...]
    """Other forms in which the word is found."""
    means: str
    see: tuple[str, ...]
    """Clauses that say more."""
    acts: tuple[str, ...]
    events: tuple[str, ...]
    terms: tuple[str, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.word, *self.also) if self.word else ()


@cache
def glossary(rulebook_id: str) -> tuple[Word, ...]:
    """All words of one document in its order; none where the rulebook has no such file."""
    path = register_path(rulebook_id).with_name("glossary.tsv")
    if not path.is_file():
        return ()
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    if tuple(head.split("\t")) != COLUMNS:
        raise ValueError(f"{path.name}: the first line must name the columns {', '.join(COLUMNS)}")
    return tuple(_word(f"{path.parent.name}/{path.name}:{at}", row) for at, row in enumerate(rows, start=2))


def _word(place: str, row: str) -> Word:
    cells = row.split("\t")
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{place}: {len(cells)} columns, not {len(COLUMNS)}")
    clause, word, also, means, see, *used = cells
    acts, events, terms = (tuple(cell.split()) for cell in used)
    return Word(clause, word, _listed(also), means, _listed(see), acts, events, terms)


def _listed(cell: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in cell.split(";") if each.strip())


@cache
def words_by_clause(rulebook_id: str) -> Mapping[str, Word]:
    return MappingProxyType({each.clause: each for each in glossary(rulebook_id)})


def scope(rulebook_id: str) -> Word | None:
    """What the document says of all its words together; None where it says nothing."""
    return next((each for each in glossary(rulebook_id) if not each.word), None)


def find_word(rulebook_id: str, asked: str) -> Word | None:
    """The word that is meant, in whatever form and letters."""
    wanted = asked.strip().lower()
    words = glossary(rulebook_id)
    exact = (each for each in words if each.word.lower() == wanted and wanted)
    other = (each for each in words if wanted in (form.lower() for form in each.also))
    return next(exact, None) or next(other, None)


# --- searching -------------------------------------------------------------------------------------------------------

ENDINGS = re.compile(r"(?:ing|ers?|ed|es|e|s)$")
STEM_LEAST = 3


def search(asked: str, rulebook_ids: Iterable[str]) -> tuple[Clause, ...]:
    """The clauses that have every word that is asked for: definitions first, then the others in their order.

    A word is found in what a clause is about, in its gist, and in what the glossary says of it; "doubling" finds
    "doubled" too.
    """
    wanted = tuple(re.compile(rf"\b{re.escape(_stem(word))}") for word in words_in(asked))
    if not wanted:
        return ()
    rows = [row for each in rulebook_ids for row in register(each).values() if _has(row, wanted)]
    return tuple(sorted(rows, key=lambda row: not _defines(row, wanted)))


def _has(row: Clause, wanted: Iterable[re.Pattern[str]]) -> bool:
    text = _text_of(row.rulebook, row.key)
    return all(each.search(text) for each in wanted)


def _defines(row: Clause, wanted: Iterable[re.Pattern[str]]) -> bool:
    word = words_by_clause(row.rulebook).get(row.key)
    forms = " ".join(word.forms).lower() if word else ""
    return all(each.search(forms) for each in wanted)


@cache
def _text_of(rulebook_id: str, key: str) -> str:
    row, word = register(rulebook_id)[key], words_by_clause(rulebook_id).get(key)
    return " ".join((row.group, row.gist, *((*word.forms, word.means) if word else ()))).lower()


def words_in(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z0-9$]+(?:['-][a-z0-9]+)*", text.lower()))


def _stem(word: str) -> str:
    short = ENDINGS.sub("", word)
    if len(short) > STEM_LEAST and short[-1] == short[-2] and short[-1] not in "lsf":
        short = short[:-1]  # "splitting" is looked for as "split"
    return short if len(short) >= STEM_LEAST else word


@cache
def vocabulary(rulebook_ids: tuple[str, ...]) -> frozenset[str]:
    """Every word that a search can find."""
    return frozenset(word for each in rulebook_ids for key in register(each) for word in words_in(_text_of(each, key)))
