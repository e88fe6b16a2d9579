"""Editions: which text of a document is meant, and where a text is found that this version does not ship.

An edition is known by the digest of its text (`pitboss.rulebooks.canonical`). The shipped one is what the files of the
rulebook say now; older ones that were shipped stand as texts in the folder ``editions`` of their rulebook, and others
are learned from a log, or found in the folders of ``--editions`` and ``PITBOSS_EDITIONS``.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from pitboss.rulebooks.canonical import CLAUSE_COLUMNS, FORMAT, VERSION, digest_of, text_of
from pitboss.rulebooks.clauses import Clause, register
from pitboss.rulebooks.load import RULEBOOKS, Reader, RulebookError, amendments_of, clause_rows, folder_of, load
from pitboss.rulebooks.terms import Rulebook

SHORT = 12
"""So many digits of a digest are shown to people, and are enough to name an edition."""

ADDED: Mapping[str, Any] = MappingProxyType(
    {
        "shuffle.insufficient_device": ("as-from-a-shoe", "insufficient"),
        "irregularities.wrong_total": ("undecided", "conduct"),
        "irregularities.touched_cards": ("undecided", "conduct"),
        "irregularities.invalidated_paid": ("undecided", "invalidated_by"),
        "irregularities.barred_for": ("any-breach", "barred_by"),
        "irregularities.barred_wagers": (True, "barred_by"),
        "irregularities.barred_excluded": (True, "barred_by"),
        "limits.above_clauses": ({}, "found_above_maximum"),
        "super_bonus.moment_clauses": ({}, "when"),
        "device.failure_clauses": ({}, "failure"),
        "irregularities.invalidated_clauses": ({}, "invalidated_by"),
        "irregularities.void_for": ({}, "void_by"),
        "irregularities.invalid_clauses": ({}, "invalid_wager"),
        "irregularities.misdeal_clauses": ({}, "misdeal"),
        "irregularities.short_hand_clauses": ({}, "short_hand"),
        "irregularities.dealer_short_clauses": ({}, "dealer_short"),
        "irregularities.mispayment_clauses": ({}, "mispayment"),
        "irregularities.wrong_cards_check": ("none", "wrong_cards"),
        "device.cutting_card_tolerance_decks": ("0", "cutting_card_decks"),
        "limits.change_told_first": (False, "sign"),
        "tournament": "game.tournaments_by",
        "promotions": "game.tournaments_by",
        "layout": "boxes.number",
    }
)
"""Terms that were added to the schema after editions were first shipped, each with what the engine did before and the
term of its section that it is cited as: a text of that time does not have them. A whole section is off there, and cited
as the term that is named."""


class MissingEdition(RulebookError):
    """A log or a record was written under a text that is not at hand."""

    def __init__(self, rulebook_id: str, digest: str) -> None:
        self.rulebook_id, self.digest = rulebook_id, digest
        known = (
            f"this version ships {shown(load(rulebook_id).edition)}" if rulebook_id in RULEBOOKS else "not known here"
        )
        super().__init__(
            f"edition {shown(digest)} of {rulebook_id} is missing ({known}): put its text into a folder and name that"
            f" with --editions or PITBOSS_EDITIONS; whoever has the edition writes the text with"
            f" pitboss rules {rulebook_id} --export FILE."
        )


def shown(digest: str) -> str:
    """A digest as people see it."""
    return digest[:SHORT]


# --- finding ---------------------------------------------------------------------------------------------------------


class _Text(NamedTuple):
    """A text that was read, from wherever."""

    book: Rulebook
    body: bytes
    """Empty where the document was read from files that are not in its rulebook's folder."""
    rows: tuple[tuple[str, ...], ...]
    amendments: Mapping[str, Any]


_learned: dict[str, _Text] = {}
"""By digest."""
FOLDERS = "PITBOSS_EDITIONS"
"""The variable that names the folders with texts that are not shipped."""


def look_in(folder: str) -> None:
    """Search a folder too, here and in every process that is started from here."""
    if not Path(folder).is_dir():
        raise RulebookError(f"{folder}: there is no such folder of editions")
    os.environ[FOLDERS] = os.pathsep.join([folder, *_folders()])


def _folders() -> list[str]:
    return [folder for folder in os.environ.get(FOLDERS, "").split(os.pathsep) if folder]


def edition(rulebook_id: str, digest: str = "") -> Rulebook:
    """The document in one edition, by its digest or the beginning of it; without one, the edition of what names none.

    Raises `MissingEdition` where the text is not at hand.
    """
    shipped = load(rulebook_id)
    wanted = digest or first_edition(rulebook_id)
    if shipped.edition.startswith(wanted):
        return shipped
    found = _known(rulebook_id, wanted)
    if found is None:
        for folder in (folder_of(rulebook_id) / "editions", *map(Path, _folders())):
            _read_folder(folder, wanted)
        found = _known(rulebook_id, wanted)
    if found is None:
        raise MissingEdition(rulebook_id, wanted)
    return found


def is_known(rulebook_id: str, digest: str) -> bool:
    """Whether a text is at hand without looking for it anywhere."""
    return digest in _learned or (rulebook_id in RULEBOOKS and load(rulebook_id).edition == digest)


def _known(rulebook_id: str, digest: str) -> Rulebook | None:
    if digest in _learned:
        found = _learned[digest].book
        return found if found.id == rulebook_id else None
    fitting = [
        each.book for known, each in _learned.items() if known.startswith(digest) and each.book.id == rulebook_id
    ]
    if len(fitting) > 1:
        raise RulebookError(f"{rulebook_id}: more than one edition begins with {digest}; write more of its digest")
    return fitting[0] if fitting else None


def _read_folder(folder: Path, digest: str) -> None:
    """Learn the texts in a folder that may be meant; files are called as one likes."""
    for file in sorted(folder.glob("*.json")):
        try:
            text = file.read_bytes().strip()
        except OSError as error:
            raise RulebookError(f"{file}: cannot be read: {error.strerror}") from error
        if digest_of(text).startswith(digest) and digest_of(text) not in _learned:
            learn(text, str(file))


def first_edition(rulebook_id: str) -> str:
    """The edition of logs and openings that name none: the oldest that was shipped.

    Reading: before editions had digests nothing that was written says under which text; no other text was ever shipped
    then, so it is this one.
    """
    known = frozen_editions().get(rulebook_id)
    if known is None:
        return load(rulebook_id).edition
    return str((*known["released"], known["now"])[0])


@functools.cache
def frozen_editions() -> Mapping[str, Mapping[str, Any]]:
    """``editions.toml``: of every rulebook the digests that were released, and the one that is shipped now."""
    import tomllib

    found: Mapping[str, Mapping[str, Any]] = tomllib.loads(
        (Path(__file__).parent / "editions.toml").read_text(encoding="utf-8")
    )
    return found


# --- texts -----------------------------------------------------------------------------------------------------------


def text(rulebook_id: str, digest: str = "") -> bytes:
    """The whole text of an edition, as logs keep it; without a digest that of the shipped one."""
    shipped = load(rulebook_id)
    found = shipped if not digest else edition(rulebook_id, digest)
    if found.edition == shipped.edition:
        folder = folder_of(rulebook_id)
        return text_of(shipped, clause_rows(folder), amendments_of(folder))
    body = _learned[found.edition].body
    if not body:
        raise MissingEdition(rulebook_id, found.edition)
    return body


def learn(body: bytes, label: str = "") -> Rulebook:
    """The document in a text, which is found by its digest from now on."""
    digest = digest_of(body)
    if digest in _learned:
        return _learned[digest].book
    place = label or f"edition {shown(digest)}"
    try:
        data = msgspec.json.decode(body)
    except msgspec.DecodeError as error:
        raise RulebookError(f"{place}: not JSON: {error}") from error
    if not isinstance(data, dict) or data.get(FORMAT) != VERSION:
        raise RulebookError(f"{place}: not the text of an edition: it has no {FORMAT} {VERSION}")
    rulebook_id, clauses, sections = data.get("rulebook"), data.get("clauses"), data.get("terms")
    if not isinstance(rulebook_id, str) or not isinstance(clauses, list) or not isinstance(sections, dict):
        raise RulebookError(f"{place}: not the text of an edition: rulebook, terms and clauses are needed")
    rows = tuple(tuple(map(str, row)) for row in clauses if isinstance(row, list) and len(row) == CLAUSE_COLUMNS)
    reader = Reader(place, frozenset(row[0] for row in rows), ADDED)
    book = msgspec.structs.replace(reader.rulebook(rulebook_id, sections), edition=digest)
    _learned[digest] = _Text(book, body, rows, data.get("amendments", {}))
    return book


def remember(document: Rulebook) -> None:
    """Know a document that was read from files of its own, so that what amends it finds it again."""
    shipped = load(document.id) if document.id in RULEBOOKS else None
    if document.edition not in _learned and (shipped is None or document.edition != shipped.edition):
        folder = folder_of(document.id)
        rows = clause_rows(folder) if shipped is not None else ()
        _learned[document.edition] = _Text(document, b"", rows, amendments_of(folder))


def clauses_of(rulebook: Rulebook) -> tuple[tuple[str, ...], ...]:
    """The rows of the clause register of a rulebook's edition."""
    found = _learned.get(rulebook.edition)
    return found.rows if found is not None else clause_rows(folder_of(rulebook.id))


def register_of(rulebook: Rulebook) -> Mapping[str, Clause]:
    """The clause register of a rulebook's edition by key; who keeps a clause is said of the shipped one alone."""
    return _registers(rulebook.edition) if rulebook.edition in _learned else register(rulebook.id)


@functools.lru_cache(maxsize=32)
def _registers(digest: str) -> Mapping[str, Clause]:
    book, rows = _learned[digest].book, _learned[digest].rows
    return MappingProxyType({row[0]: Clause(book.id, *(*row[:CLAUSE_COLUMNS], "", "")) for row in rows})


def amendments_data(rulebook: Rulebook) -> Mapping[str, Any]:
    """How the document in a rulebook's edition may be amended."""
    found = _learned.get(rulebook.edition)
    return found.amendments if found is not None else amendments_of(folder_of(rulebook.id))


def document_of(rulebook: Rulebook) -> Rulebook:
    """The document that a rulebook is, or that it amends."""
    if not rulebook.amendments:
        return rulebook.on(None)
    return edition(rulebook.id, rulebook.edition)


def is_digest(word: str) -> bool:
    """Whether a word can name an edition."""
    return re.fullmatch(rf"[0-9a-f]{{{SHORT},64}}", word) is not None
