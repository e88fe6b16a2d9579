"""From ``terms.toml`` to a typed `Rulebook`.

An entry is ``hands = { is = "any-below-21", clause = "12.1" }``, with ``clauses = [...]`` for several, and where they
help ``reading`` (why this value) and ``in_words`` (for refusals). A term that changes on a date is a list of entries,
the oldest first, that says ``from`` when each holds; before the first date it is off. A section that a document has
nothing of says ``absent = { clause = "...", reading = "..." }`` once: every term in it then has its off value. Whatever
is unknown, missing, uncited or of the wrong kind is named by file and key.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeGuard, get_args, get_origin

import msgspec

from pitboss.basics.cards import RANKS as ALL_RANKS
from pitboss.basics.money import MoneyError, Odds, parse_odds
from pitboss.rulebooks import vocabulary as words
from pitboss.rulebooks.canonical import digest_of, off_value, text_of
from pitboss.rulebooks.meanings import GO_TOGETHER, NATURAL_TAKES_ALL
from pitboss.rulebooks.terms import (
    SECTIONS,
    Dated,
    FixedRow,
    PayRow,
    Restriction,
    Rulebook,
    SideBet,
    Term,
    fields_of,
    of_dates,
)
from pitboss.rulebooks.vocabulary import plain

_HERE = Path(__file__).parent
_FIRST = (
    "nsw-pontoon",
    "adelaide-pontoon-2008",
    "canberra-pontoon-2005",
    "canberra-pontoon-2002",
    "nsw-blackjack-challenge",
)
RULEBOOKS: tuple[str, ...] = tuple(
    sorted(
        (file.parent.name.replace("_", "-") for file in _HERE.glob("*/terms.toml")),
        key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name),
    )
)
"""Every folder here with a ``terms.toml``: the five documents in the order in which menus show them, then any other."""

NATURAL_TAKES = "settlement.dealer_natural"
ITS_PARTS = ("settlement.dealer_natural_doubled", "settlement.dealer_natural_split")
"""What a dealer natural takes is said by three terms that are never at odds."""

NOT_YET = "before that date the document has no such rule"
"""The reading of a dated term before its first date."""

ADDED_LATER = "the text is older than this term, and has what was always done then"
"""The reading of a term that an older text does not have."""

ENTRY_KEYS = ("is", "clause", "clauses", "reading", "from", "in_words")
_ROWS: tuple[type[msgspec.Struct], ...] = (PayRow, FixedRow, Restriction)


class RulebookError(Exception):
    """Rulebook data that cannot be used; the text names the place, what is wrong and what would be right."""


# --- reading ---------------------------------------------------------------------------------------------------------


@functools.cache
def load(rulebook_id: str) -> Rulebook:
    """The rulebook with this id, read once."""
    if rulebook_id not in RULEBOOKS:
        raise RulebookError(f"{rulebook_id!r} is no rulebook; there are {', '.join(RULEBOOKS)}")
    return read_rulebook(rulebook_id, folder_of(rulebook_id))


def read_rulebook(rulebook_id: str, folder: Path) -> Rulebook:
    """The rulebook in a folder with ``terms.toml`` and ``clauses.tsv``."""
    data, rows = read_toml(folder / "terms.toml", f"{folder.name}/terms.toml"), clause_rows(folder)
    rulebook = Reader(f"{folder.name}/terms.toml", frozenset(row[0] for row in rows)).rulebook(rulebook_id, data)
    return msgspec.structs.replace(rulebook, edition=digest_of(text_of(rulebook, rows, amendments_of(folder))))


def read_toml(file: Path, label: str) -> dict[str, Any]:
    """A file's tables; what cannot be read is said under its label."""
    try:
        return parse_toml(file.read_text(encoding="utf-8"), label)
    except OSError as error:
        raise RulebookError(f"{label}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RulebookError(f"{label}: not UTF-8 text: {error.reason} at byte {error.start}") from error


def parse_toml(text: str, label: str) -> dict[str, Any]:
    import tomllib  # only whoever reads one pays for the import

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulebookError(f"{label}: not TOML: {error}") from error


def folder_of(rulebook_id: str) -> Path:
    return _HERE / rulebook_id.replace("-", "_")


@functools.cache
def clause_rows(folder: Path) -> tuple[tuple[str, ...], ...]:
    """The rows of the clause register, without the header."""
    file = folder / "clauses.tsv"
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise RulebookError(f"{folder.name}/{file.name}: cannot be read: {error.strerror}") from error
    return tuple(tuple(line.split("\t")) for line in lines[1:] if line)


@functools.cache
def amendments_of(folder: Path) -> Mapping[str, Any]:
    """How the document may be amended (see `pitboss.rulebooks.amend`); a folder may have no such file."""
    file = folder / "amendments.toml"
    return read_toml(file, f"{folder.name}/{file.name}") if file.is_file() else {}


class Reader:
    """Turns the tables of one file into sections; knows the file's name and the clauses that exist."""

    def __init__(self, label: str, register: frozenset[str], added: Mapping[str, Any] | None = None) -> None:
        """`added`: what terms are that an older text cannot have."""
        self.label = label
        self.register = register
        self.added = added or {}

    def error(self, key: str, what: str) -> RulebookError:
        return RulebookError(f"{self.label}: {key}: {what}")

    def rulebook(self, rulebook_id: str, data: Mapping[str, Any]) -> Rulebook:
        sections = {field.name: field.type for field in SECTIONS}
        for key in data:
            if key not in sections:
                raise self.error(key, f"no such section{did_you_mean(key, sections)}")
        parts: dict[str, Any] = {}
        for name, kind in sections.items():
            if name not in data and name in self.added:
                parts[name] = self.section_added_later(kind, name, parts)
                continue
            if name not in data:
                raise self.error(name, f"the section is missing; add [{name}]")
            if name == "side_bets":
                parts[name] = self.side_bets(data[name])
            else:
                parts[name] = self.section(kind, name, data[name])
        rulebook = Rulebook(id=rulebook_id, variant="", **parts)
        for date in (*rulebook.dates, None):
            self.consistent(rulebook.on(date))
        return rulebook

    def side_bets(self, data: Any) -> dict[str, SideBet]:
        if not is_table(data):
            raise self.error("side_bets", "must hold a table for each optional wager, as [side_bets.perfect-pairs]")
        for name in data:
            if name not in words.SIDE_BETS:
                raise self.error(f"side_bets.{name}", f"no such wager{did_you_mean(name, words.SIDE_BETS)}")
        for name in words.SIDE_BETS:
            if name not in data:
                raise self.error(f"side_bets.{name}", f"the section is missing; add [side_bets.{name}]")
        return {name: self.section(SideBet, f"side_bets.{name}", data[name]) for name in words.SIDE_BETS}

    def section(self, kind: Any, key: str, data: Any) -> Any:
        if not is_table(data):
            raise self.error(key, f"must be a table of terms, as [{key}]")
        fields = {field.name: get_args(field.type)[0] for field in fields_of(kind)}
        if "absent" in data:
            return self.absent(kind, key, data, fields)
        for name in data:
            if name not in fields:
                raise self.error(f"{key}.{name}", f"no such term{did_you_mean(name, fields)}")
        return kind(**{name: self.given(of, f"{key}.{name}", data, name) for name, of in fields.items()})

    def given(self, of: Any, key: str, data: Mapping[str, Any], name: str) -> Term[Any]:
        if name in data:
            return self.term(of, key, data[name])
        if pattern_of(key) not in self.added:
            raise self.error(key, 'the term is missing; add it as { is = ..., clause = "..." }')
        value, like = self.added[pattern_of(key)]
        entry = data.get(like)
        entry = entry[0] if isinstance(entry, list) else entry
        cited = self.clauses(entry, key) if is_table(entry) else ()
        return Term(self.value(of, key, value), cited, ADDED_LATER)

    def section_added_later(self, kind: Any, name: str, parts: Mapping[str, Any]) -> Any:
        """A section that an older text cannot have: off, and cited as the term of that text which says so much."""
        section, _, term = self.added[name].partition(".")
        clauses = getattr(parts[section], term).clauses
        fields = {field.name: get_args(field.type)[0] for field in fields_of(kind)}
        return kind(**{field: Term(off_value(field, of), clauses, ADDED_LATER) for field, of in fields.items()})

    def absent(self, kind: Any, key: str, data: Mapping[str, Any], fields: Mapping[str, Any]) -> Any:
        """A section that the document has nothing of: every term off, with one cause."""
        place = f"{key}.absent"
        if "offered" not in fields:
            raise self.error(place, f"every document has {key}; only what may be offered can be absent")
        if len(data) > 1:
            raise self.error(place, "an absent section has no other terms; remove them, or remove absent")
        entry = data["absent"]
        if not is_table(entry):
            raise self.error(place, 'must be a table, as { clause = "...", reading = "..." }')
        self.known_keys(entry, ("clause", "clauses", "reading"), place)
        clauses = self.clauses(entry, place)
        reading = self.text(entry, "reading", place)
        if reading is None:
            raise self.error(place, 'no reading; add reading = "..." to say that the document has none')
        return kind(**{name: Term(off_value(name, of), clauses, reading) for name, of in fields.items()})

    def term(self, of: Any, key: str, entry: Any) -> Term[Any]:
        if isinstance(entry, list) or (is_table(entry) and "from" in entry):
            return self.dated(of, key, entry if isinstance(entry, list) else [entry])
        found = self.entry(of, key, entry)
        return Term(found.value, found.clauses, found.reading, None, found.in_words)

    def dated(self, of: Any, key: str, entries: Sequence[Any]) -> Term[Any]:
        """A term that changes on dates: the newest of its values. Before the first date it is off."""
        found = [self.entry(of, key, each) for each in entries]
        if found and found[0].since is not None:
            found.insert(0, Dated(self.not_yet(of, key), found[0].clauses, NOT_YET))
        dates = [each.since for each in found[1:] if each.since is not None]
        if len(found) < 2 or len(dates) < len(found) - 1 or sorted(set(dates)) != dates:
            what = (
                "a list has the values of a term, each from a later date than the one before; only the first has none"
            )
            raise self.error(key, what)
        return of_dates(tuple(found), found[-1])

    def not_yet(self, of: Any, key: str) -> Any:
        """What a term is before the document has it."""
        if of is bool:
            return False
        if plain(of) is str and "none" in words.WORDS.get(pattern_of(key), ()):
            return "none"
        raise self.error(key, "say what holds before the first date, as in [{ is = ... }, { from = ... }]")

    def entry(self, of: Any, key: str, entry: Any) -> Dated[Any]:
        """One value with its clauses, and from when it holds."""
        if not is_table(entry):
            raise self.error(key, f'must be a table, as {{ is = {_shown(entry)}, clause = "..." }}')
        self.known_keys(entry, ENTRY_KEYS, key)
        if "is" not in entry:
            raise self.error(key, "no value is given; add is = ...")
        clauses = self.clauses(entry, key)
        value = self.value(of, key, entry["is"])
        since = self.date(entry.get("from"), key)
        return Dated(value, clauses, self.text(entry, "reading", key), since, self.text(entry, "in_words", key))

    def date(self, since: Any, key: str) -> datetime.date | None:
        if isinstance(since, str):  # as a text in JSON has it
            with suppress(ValueError):
                since = datetime.date.fromisoformat(since)
        if since is not None and (not isinstance(since, datetime.date) or isinstance(since, datetime.datetime)):
            raise self.error(key, f"from must be a date, as in 2024-08-19, not {_shown(since)}")
        return since

    def known_keys(self, entry: Mapping[str, Any], known: Sequence[str], key: str) -> None:
        for name in entry:
            if name not in known:
                raise self.error(key, f"unknown {name!r}; an entry has {', '.join(known)}")

    def text(self, entry: Mapping[str, Any], name: str, key: str) -> str | None:
        text = entry.get(name)
        if text is not None and (not isinstance(text, str) or not text.strip()):
            raise self.error(key, f"{name} must be a text, not {_shown(text)}")
        return text

    # --- clauses ---

    def clauses(self, entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """The clauses that an entry cites, all of them in the register."""
        if "clause" in entry and "clauses" in entry:
            raise self.error(key, "both clause and clauses are given; keep one")
        cited = [entry["clause"]] if "clause" in entry else entry.get("clauses")
        if not isinstance(cited, (list, tuple)) or not cited:
            raise self.error(key, 'no clause is cited; add clause = "..."')
        for clause in cited:
            self.clause(clause, key)
        if len(set(cited)) < len(cited):
            raise self.error(key, f"a clause is cited twice in {', '.join(cited)}")
        return tuple(cited)

    def clause(self, clause: Any, key: str) -> None:
        if not isinstance(clause, str) or not clause:
            raise self.error(key, f'a clause is a text as in "12.1", not {_shown(clause)}')
        if clause not in self.register:
            raise self.error(key, f"cites {clause!r}, which is not in the clause register")

    # --- values ---

    def value(self, of: Any, key: str, raw: Any) -> Any:
        """The value in its type and within the vocabulary of its term."""
        row = row_type(of)
        if row is None:
            value = self.typed(of, key, raw)
        else:
            if not isinstance(raw, (list, tuple)):
                raise self.error(key, f"must be {_expected(of)}, not {_shown(raw)}")
            value = tuple(self.row(row, key, each) for each in raw)
        self.within_vocabulary(key, value)
        return value

    def typed(self, of: Any, key: str, raw: Any) -> Any:
        of = plain(of)
        if of is Odds and isinstance(raw, str):
            try:
                return parse_odds(raw)
            except MoneyError as error:
                raise self.error(key, str(error)) from error
        try:
            return msgspec.convert(raw, of, str_keys=True)
        except msgspec.ValidationError as error:
            raise self.error(key, f"must be {_expected(of)}, not {_shown(raw)}") from error

    def row(self, kind: type[msgspec.Struct], key: str, raw: Any) -> Any:
        """One row of a table: its own clause stands in it."""
        if isinstance(raw, kind):
            return raw
        fields = {field.name: field.type for field in fields_of(kind)}
        if not is_table(raw):
            raise self.error(key, f"each row must be a table with {', '.join(fields)}, not {_shown(raw)}")
        name = raw.get("name")
        place = f"{key}.{name}" if isinstance(name, str) and name else key
        known = [*(each for each in fields if each != "clauses"), "clause", "clauses"]
        self.known_keys(raw, known, place)
        for field in fields:
            if field != "clauses" and field not in raw:
                raise self.error(place, f"{field} is missing in a row")
        parts = {field: self.typed(of, place, raw[field]) for field, of in fields.items() if field != "clauses"}
        return kind(**parts, clauses=self.clauses(raw, place))

    def within_vocabulary(self, key: str, value: Any) -> None:
        """Refuse a value that the engine has no meaning for."""
        pattern = pattern_of(key)
        if isinstance(value, bool | Odds):
            return
        if isinstance(value, tuple) and value and isinstance(value[0], _ROWS):
            self.rows_within_vocabulary(key, value)
        elif isinstance(value, dict):
            for name, clause in value.items():
                self.one_of(key, name, words.WORDS[pattern])
                self.clause(clause, key)
        elif isinstance(value, tuple):
            if len(set(value)) < len(value):
                raise self.error(key, f"{_shown(value)} repeats itself")
            for each in value:
                self.single_within_vocabulary(key, pattern, each)
        else:
            self.single_within_vocabulary(key, pattern, value)

    def single_within_vocabulary(self, key: str, pattern: str, value: Any) -> None:
        if isinstance(value, int):
            least, most = words.NUMBERS[pattern]
            if not least <= value <= most:
                raise self.error(key, f"{value} is out of range; it must be {_range(least, most)}")
        elif pattern in words.FREE_TEXT:
            if not value.strip():
                raise self.error(key, "must be a text that is not empty")
        elif pattern in words.CLAUSE_LISTS:
            self.clause(value, key)
        elif value == "" and (pattern in words.EMPTY_MEANS_NONE):
            return
        elif pattern in words.RANKS:
            if not value or len(set(value)) < len(value) or not set(value) <= set(ALL_RANKS):
                raise self.error(key, f"{value!r} is not a list of ranks; use each of {ALL_RANKS} at most once")
        else:
            self.one_of(key, value, words.WORDS[pattern])

    def rows_within_vocabulary(self, key: str, rows: tuple[Any, ...]) -> None:
        names = [(row.name, getattr(row, "condition", "")) for row in rows]
        for name, condition in names:
            self.one_of(key, name, words.ROW_NAMES[key])
            if names.count((name, condition)) > 1:
                raise self.error(f"{key}.{name}", "the row stands there twice")
        for row in rows:
            place = f"{key}.{row.name}"
            if isinstance(row, Restriction):
                for field, allowed in words.RESTRICTION_WORDS.items():
                    self.one_of(f"{place}.{field}", getattr(row, field), allowed)
                if not 0 <= row.boxes_max <= 7:
                    raise self.error(f"{place}.boxes_max", f"{row.boxes_max} is out of range; it must be 0 to 7")
            if isinstance(row, FixedRow):
                if not 0 <= row.share_percent <= 100:
                    what = f"{row.share_percent} is out of range; it must be 0 to 100"
                    raise self.error(f"{place}.share_percent", what)
                if bool(row.share_percent) == bool(row.cents_by_wager):
                    raise self.error(place, "a prize is either a share or an amount for each wager")

    def consistent(self, rulebook: Rulebook) -> None:
        """Refuse terms that contradict one another."""
        cards, boxes, splitting = rulebook.cards, rulebook.boxes, rulebook.splitting
        if cards.decks_default.value not in cards.decks.value:
            raise self.error("cards.decks_default", "must be one of cards.decks; change both")
        if set(boxes.control.value) != set(boxes.control_clauses.value):
            raise self.error("boxes.control_clauses", "must have a clause for each of boxes.control; change both")
        if splitting.resplit_hands_max.value < splitting.hands_max.value:
            raise self.error("splitting.resplit_hands_max", "is below splitting.hands_max; change both")
        parts = (rulebook.settlement.dealer_natural_doubled.value, rulebook.settlement.dealer_natural_split.value)
        if NATURAL_TAKES_ALL[rulebook.settlement.dealer_natural.value] != (parts == ("lose", "lose")):
            raise self.error(NATURAL_TAKES, f"is all where {' and '.join(ITS_PARTS)} are lose, and only there")
        said = dict(terms(rulebook))
        for group in GO_TOGETHER:
            first, *others = group
            answer = group[first][said[first].value]
            for key in others:
                if group[key][said[key].value] != answer:
                    raise self.error(key, f"goes with {first}, which is {said[first].value}; change both")
        for key, section in sections_of(rulebook):
            if hasattr(section, "offered") and section.offered.value:
                self.complete(key, section)

    def complete(self, key: str, section: Any) -> None:
        """What is offered needs all its terms; in a variant of an absent section they may be off."""
        for field in fields_of(type(section)):
            value, of = getattr(section, field.name).value, get_args(field.type)[0]
            place = f"{key}.{field.name}"
            if pattern_of(place) in self.added:
                continue  # an older text cannot have it
            off = value == off_value(field.name, of) and of not in (bool, int) and place not in words.EMPTY_MEANS_NONE
            if off and not (isinstance(value, str) and value in words.WORDS.get(pattern_of(place), ())):
                raise self.error(place, f"is needed where {key}.offered is true; give it a value too")

    def one_of(self, key: str, value: Any, allowed: frozenset[str]) -> None:
        if value not in allowed:
            raise self.error(key, f"{value!r} is not known; known: {', '.join(sorted(allowed))}")


# --- listing --------------------------------------------------------------------------------------------------------


def terms(rulebook: Rulebook) -> Iterator[tuple[str, Term[Any]]]:
    """Every term with its dotted key, in the order of the schema."""
    for key, section in sections_of(rulebook):
        for field in fields_of(type(section)):
            yield f"{key}.{field.name}", getattr(section, field.name)


def sections_of(rulebook: Rulebook) -> Iterator[tuple[str, Any]]:
    for field in SECTIONS:
        if field.name == "side_bets":
            for name, side_bet in rulebook.side_bets.items():
                yield f"side_bets.{name}", side_bet
        else:
            yield field.name, getattr(rulebook, field.name)


@functools.cache
def term_types() -> Mapping[str, Any]:
    """The type of every term's value, side bets under ``side_bets.*``."""
    found: dict[str, Any] = {}
    for section in SECTIONS:
        side = section.name == "side_bets"
        prefix = "side_bets.*" if side else section.name
        for field in fields_of(SideBet if side else section.type):
            found[f"{prefix}.{field.name}"] = get_args(field.type)[0]
    return found


# --- small things ----------------------------------------------------------------------------------------------------


def pattern_of(key: str) -> str:
    """The key with which the vocabulary knows a term."""
    if key.startswith("side_bets."):
        return f"side_bets.*.{key.rsplit('.', 1)[1]}"
    return key


def row_type(of: Any) -> type[msgspec.Struct] | None:
    """The type of the rows, where a term is a table of rows."""
    if get_origin(of) is tuple and get_args(of)[0] in _ROWS:
        kind: type[msgspec.Struct] = get_args(of)[0]
        return kind
    return None


def is_table(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def _expected(of: Any) -> str:
    row = row_type(of)
    if row is not None:
        return f"a list of rows with {', '.join(field.name for field in fields_of(row))}"
    if get_origin(of) is tuple:
        return {int: "a list of whole numbers", str: "a list of texts"}[get_args(of)[0]]
    if get_origin(of) is dict:
        return "a table of clauses" if get_args(of)[0] is str else "a table of cents by cents"
    return {bool: "true or false", int: "a whole number", str: "a text", Odds: 'odds as in "3 to 2"'}[of]


def _shown(value: Any) -> str:
    """A value as TOML writes it, near enough for a complaint."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_shown(each) for each in value)}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_shown(each)}' for key, each in value.items())} }}"
    return str(value)


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def did_you_mean(name: str, known: Mapping[str, Any] | Sequence[str]) -> str:
    import difflib  # only a mistake pays for the import

    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
