"""The clause register: every clause of the five documents, what it says in our words, and who keeps it.

A clause has a key. Mostly it is the printed number (``12.1.4.1``, ``74(a)``); where the document prints none, the key
is ours: ``def:pontoon`` for a definition, ``10.5:T1:5-card-21`` for a row of a pay table, ``12.1:tail`` for words that
close a clause, ``22A`` for the second of two clauses with one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import msgspec

COLUMNS = ("key", "number", "group", "kind", "gist", "kept_by", "status")
KINDS = ("play", "limit", "procedure", "register", "tournament", "text")
KEEPERS = MappingProxyType(
    {
        "engine": "the engine",
        "ledger": "the ledger",
        "register": "a register of what must be kept or notified",
        "dealer": "the dealer, whom the table prompts",
        "text": "a text that is shown",
        "outside": "people outside the program",
    }
)
KEPT = "kept"
LATER = MappingProxyType(
    {
        "patrons": "who may play, and what they have to declare",
        "registers": "what must be written down or notified",
        "dealer-prompts": "what the dealer is reminded of",
        "layout": "the layout, the signs and the notices at the table",
        "glossary": "the documents' words explained",
        "server": "what people at a live table can ask for",
        "tournament": "tournaments",
        "promotions": "promotional prizes",
        "maths": "the analysis of the game",
    }
)
"""The parts that will keep the clauses that nothing keeps yet."""


class Clause(msgspec.Struct, frozen=True):
    """One clause of one document."""

    rulebook: str
    key: str
    number: str
    """As printed: a definition has the number of the clause that it stands under."""
    group: str
    kind: str
    gist: str
    kept_by: str
    """One of `KEEPERS`."""
    status: str
    """``kept``, or ``later:`` and one of the parts in `LATER`."""

    @property
    def kept(self) -> bool:
        return self.status == KEPT

    @property
    def later(self) -> str:
        """The part that will keep it; empty where it is kept."""
        return self.status.partition(":")[2]


class UnknownRulebookError(LookupError):
    """There is no register under this name."""


@cache
def register(rulebook_id: str) -> Mapping[str, Clause]:
    """All clauses of one document by key, in the document's order."""
    path = register_path(rulebook_id)
    if not re.fullmatch(r"[a-z0-9-]+", rulebook_id) or not path.is_file():
        raise UnknownRulebookError(f"no clause register for {rulebook_id!r}")
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    for place, row in enumerate(rows, start=2):
        if len(row) != len(COLUMNS):
            raise ValueError(f"{path.parent.name}/{path.name}:{place}: {len(row)} columns, not {len(COLUMNS)}")
    return MappingProxyType({row[0]: Clause(rulebook_id, *row) for row in rows})


def register_path(rulebook_id: str) -> Path:
    return Path(__file__).parent / rulebook_id.replace("-", "_") / "clauses.tsv"


def exists(rulebook_id: str, clause: str) -> bool:
    """Whether the document has this clause, or clauses below it: chapters (``10``) and ``10.5:T1`` exist too."""
    return clause in _names(rulebook_id)


@cache
def _names(rulebook_id: str) -> frozenset[str]:
    names = set(register(rulebook_id))
    for key in register(rulebook_id):
        if key[0].isdigit():
            names.update(key[: mark.start()] for mark in re.finditer(r"[.(:]", key))
    return frozenset(names)


def is_within(cited: str, wanted: str) -> bool:
    """Whether `cited` is `wanted` or a clause below it: 10.5 is within 10, 10.51 is not within 10.5."""
    return cited == wanted or (cited.startswith(wanted) and cited[len(wanted)] in ".(:")


def find(rulebook_id: str, number: str) -> tuple[Clause, ...]:
    """The rows at or below a key or a printed number, or the definition of a word; case does not matter."""
    return find_in(register(rulebook_id), number)


def find_in(known: Mapping[str, Clause], number: str) -> tuple[Clause, ...]:
    """The same in any register."""
    wanted = number.strip().lower()
    if not wanted:
        return ()
    rows = known.values()
    found = tuple(row for row in rows if is_within(row.key.lower(), wanted) or is_within(row.number.lower(), wanted))
    return found or tuple(row for row in rows if _defined(row.key) == wanted)


def _defined(key: str) -> str:
    """The word that a definition explains, in small letters."""
    return key.partition("def:")[2].lower()


# --- for people ------------------------------------------------------------------------------------------------------


def cite(clauses: Iterable[str]) -> str:
    """Clauses as people cite them, each once: ``10.2.1, 10.5 Table 1 (5-card 21)``."""
    return ", ".join(dict.fromkeys(_cited(key) for key in clauses))


@cache
def _cited(key: str) -> str:
    head, _, tail = key.partition(":")
    if head == "def":
        return f"definition of {tail}"
    if head in UNNUMBERED:
        return f"{UNNUMBERED[head]} {tail}".rstrip() if head == "diagram" else UNNUMBERED[head]
    if second := re.fullmatch(r"(\d+)[A-Z]", head):
        return f"{second[1]} (the second)"
    table, _, row = tail.partition(":")
    if re.fullmatch(r"T\d+", table):
        return f"{head} Table {table[1:]} ({_row_in_words(row)})" if row else f"{head} Table {table[1:]}"
    if tail.startswith("note"):
        part = tail.partition("-")[2]
        return f"{head} note on ({part})" if part else f"{head} note"
    return head


UNNUMBERED = {"diagram": "diagram", "dict": "note to the dictionary", "terms": "opening of the definitions"}

ROWS_IN_WORDS = {
    "super-bonus-5-24": "Super Bonus from $5",
    "super-bonus-under-25": "Super Bonus under $25",
    "super-bonus-25-up": "Super Bonus from $25",
    "others-50": "$50 to others",
    "three-sevens-diamonds": "three sevens of diamonds",
    "three-same-colour-sevens": "three sevens of one colour",
    "two-player-sevens": "two sevens of the player's",
    "one-player-one-dealer-seven": "one seven each",
}


def _row_in_words(row: str) -> str:
    if row.startswith("note-"):
        return "note"
    if row in ROWS_IN_WORDS:
        return ROWS_IN_WORDS[row]
    if row.startswith(("678-", "777-")):
        return "-".join(row[:3]) + " " + row[4:]
    if row.endswith("-card-21"):
        return row.removesuffix("-21") + " 21"
    return row.replace("-", " ")
