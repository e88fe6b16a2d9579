"""Reading a record: TOML to `Record`, and one clear sentence with its place for everything that cannot be read."""

from __future__ import annotations

import datetime
import os
import pathlib
import re
import stat
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from math import gcd
from typing import Any, TypeAlias, TypeVar

import msgspec

from pitboss.basics.cards import JOKER, Card, CardError, parse_cards
from pitboss.records.lines import KINDS, RESTRICTIONS, check_name, parse_line
from pitboss.records.model import (
    Before,
    Expect,
    MissingText,
    Play,
    Record,
    RecordError,
    Standing,
    VariantValue,
    printable,
    quoted,
)
from pitboss.records.places import Path, places
from pitboss.rulebooks import RULEBOOKS, RulebookError, load
from pitboss.rulebooks.amend import TOURNAMENT, composed, own_layer, read_amendment
from pitboss.rulebooks.editions import SHORT, MissingEdition, clauses_of, is_digest
from pitboss.rulebooks.editions import edition as find_edition
from pitboss.rulebooks.load import Reader as Rules
from pitboss.rulebooks.terms import Amendment, Rulebook
from pitboss.table.belonging import CHECKS
from pitboss.table.house import DEVICE, PATRONS, SHOE, House, Patron, default_house, refuse_house
from pitboss.table.roles import STAFF
from pitboss.table.session import SessionTerms

LARGEST_FILE_BYTES = 40_000_000
LARGEST_DOLLARS = 1_000_000_000
LONGEST_PLAY = 1_000_000
PLAYERS_CAP_MAX = 1000
LARGEST_NET_DOLLARS = 1_000_000_000_000
"""What somebody may have won or lost over a whole record."""
CHIPS_MAX = 30
CHIP_STEPS_MAX = 10_000
"""How many steps of the chips' common unit the smallest chip may have."""
KEY_PARTS_MAX = 64

SHUFFLE_AFTER = ("cut-missed", "shuffle-missed", "check")
SHUFFLE_REASONS = (
    "start", "cutting-card-first", "cutting-card", "ordered", "new-cards", "insufficient",
    "malfunction", *SHUFFLE_AFTER,
)  # fmt: skip
"""Every reason that `ShuffleDue` may give."""
DISPUTES = ("raised", "ruled", "review", "final")
EXPOSED = "exposed"
"""Stands after a card that was drawn in error and that everybody saw."""
REASON_MAX = 500

T = TypeVar("T")

_KEYS = (
    "title", "rulebook", "edition", "clauses", "cards", "play", "amendments", "variant", "table", "session", "players",
    "expect",
)  # fmt: skip
_NO_LINES: Mapping[Path, int] = {}


def read(path: str | os.PathLike[str]) -> Record:
    """The record in a file; JSON lines where its name ends in ``.jsonl``."""
    file = os.fspath(path)
    text = read_text(file)
    if file.endswith(".jsonl"):
        from pitboss.records.jsonl import loads_lines

        return loads_lines(text, file)
    return loads(text, file)


def read_text(file: str) -> str:
    """The whole text of a file that is small enough and UTF-8."""
    try:
        if not stat.S_ISREG(pathlib.Path(file).stat().st_mode) and not pathlib.Path(file).is_dir():
            raise RecordError("cannot be read: it is a pipe or a device, and a record is a file", file=file)
        with pathlib.Path(file).open("rb") as stream:
            data = stream.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise RecordError(f"cannot be read: {(error.strerror or 'no such file').lower()}", file=file) from None
    except RecordError:
        raise
    except ValueError:
        raise RecordError("cannot be read: the name holds a character that no file name has", file=file) from None
    if len(data) > LARGEST_FILE_BYTES:
        raise RecordError(f"larger than {LARGEST_FILE_BYTES // 1_000_000} MB, no record is", file=file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(f"not UTF-8 text: byte {data[error.start]:#04x}", file=file, line=line) from None


def loads(text: str, file: str = "") -> Record:
    """The record in a text of TOML; `file` is how complaints call it."""
    return from_document(document_of(text, file), places(text), file)


def document_of(text: str, file: str = "") -> dict[str, Any]:
    """What a text of TOML says, amounts as they are written."""
    _guard_keys(text, file)
    try:
        return tomllib.loads(text, parse_float=_decimal)
    except tomllib.TOMLDecodeError as error:
        reason, line = _place_of(str(error), text)
        raise RecordError(f"not TOML: {reason}", file=file, line=line) from None
    except RecursionError:
        raise RecordError("lists or tables are nested too deeply, no record's are", file=file) from None
    except ValueError as error:
        endless = _ENDLESS.search(text)
        if endless is not None:
            line = text.count("\n", 0, endless.start()) + 1
            raise RecordError("a number of more digits than any amount has", file=file, line=line) from None
        raise RecordError(f"not TOML: {printable(str(error))}", file=file) from None


_ENDLESS = re.compile(r"\d(?:_?\d){1000,}")
"""Python converts no number of so many digits."""


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")


_DOTTED = re.compile(r"""(?:\.[ \t]*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*){2,}""")


def _guard_keys(text: str, file: str) -> None:
    """`tomllib` takes time by the square of a dotted key's parts: no key here has more than four."""
    for match in _DOTTED.finditer(text):
        if match[0].count(".") > KEY_PARTS_MAX and len(match[0].split(".")) > KEY_PARTS_MAX:
            line = text.count("\n", 0, match.start()) + 1
            raise RecordError(f"{quoted(match[0], 40)}: a key of too many parts", file=file, line=line)


def _place_of(message: str, text: str) -> tuple[str, int]:
    """The parser's complaint without its place, and the line."""
    match = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if match:
        return printable(message[: match.start()]), int(match[1])
    return printable(message.replace(" (at end of document)", ", and the file ends")), text.count("\n") + 1


def from_document(
    document: Mapping[str, Any],
    lines: Mapping[Path, int] = _NO_LINES,
    file: str = "",
    play: tuple[Play, ...] | None = None,
) -> Record:
    """The record that a parsed document holds; `play` where the acts were read elsewhere."""
    reader = _Reader(lines, file)
    keys = _KEYS if play is None else tuple(key for key in _KEYS if key != "play")
    reader.known(document, keys, ())
    rulebook_id = reader.one_of(reader.needed(document, "rulebook"), RULEBOOKS, ("rulebook",))
    edition = reader.edition(document.get("edition", ""))
    text = reader.document(rulebook_id, edition)
    amendments = reader.amendments(document.get("amendments", []), text)
    if "session" in document:
        amendments = reader.for_a_session(amendments, text)
    variant = reader.variant(document.get("variant", {}))
    rulebook = reader.rulebook(text, amendments, variant)
    settings = reader.table(document.get("table", {}), ("table",))
    house = reader.house(settings, rulebook)
    session = None
    if "session" in document:
        house = msgspec.structs.replace(house, tournament=True, counted=True)
        session = reader.session(document["session"], house)
    opening = reader.opening(settings)
    players, standings = reader.players(document.get("players", {}), house, rulebook)
    record = Record(
        title=reader.title(reader.needed(document, "title")),
        rulebook=rulebook_id,
        clauses=reader.texts(document.get("clauses", []), ("clauses",), "a clause"),
        stacks=reader.stacks(reader.needed(document, "cards")),
        play=reader.play(reader.needed(document, "play")) if play is None else play,
        house=house,
        new_shoe=opening.get("new_shoe", False),
        start=opening.get("start", "ready"),
        cutting_card=opening.get("cutting_card"),
        players=players,
        standings=standings,
        before=reader.before(settings),
        variant=variant,
        edition=text.edition if edition else "",
        amendments=amendments,
        session=session,
        expect=reader.expect(document.get("expect", {})),
        file=file,
        cards_line=reader.line_of(("cards",)),
    )
    check_cards(record)
    return record


def check_cards(record: Record) -> None:
    """No stack may hold more jokers than were put into the cards.

    Any other card that does not belong to the decks is played: the engine finds it when it appears (NSW pontoon 17.16).
    """
    in_device = record.house.source == DEVICE
    gone = record.before.rack if record.start == "ready" else ()
    for number, stack in enumerate(record.stacks):
        jokers = (*gone, *stack).count(JOKER) if number == 0 else stack.count(JOKER)
        if jokers > record.house.jokers and not in_device:
            reason = f"more jokers than the {record.house.jokers} that the table says are in the cards"
            raise RecordError(reason, file=record.file, line=record.cards_line)


class _Reader:
    """One document being read: every method gives a value or raises `RecordError` with the place."""

    def __init__(self, lines: Mapping[Path, int], file: str) -> None:
        self.lines = lines
        self.file = file

    def line_of(self, path: Path) -> int:
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return 0

    def error(self, path: Path, reason: str) -> RecordError:
        return RecordError(reason, file=self.file, line=self.line_of(path))

    def named(self, path: Path) -> str:
        return printable(".".join(str(part) for part in path))[:80]

    # --- plain values ---

    def needed(self, document: Mapping[str, Any], key: str) -> Any:
        if key not in document:
            raise self.error((), f"{key} is missing: a record has title, rulebook, cards and play")
        return document[key]

    def table(self, value: object, path: Path) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise self.error(path, f"{self.named(path)} must be a table of keys and values, not {_kind(value)}")
        return value

    def known(self, table: Mapping[str, Any], keys: Collection[str], path: Path) -> None:
        for key in table:
            if key not in keys:
                name = self.named((*path, key))
                raise self.error((*path, key), f"no such key: {name}. Known: {', '.join(keys)}")

    def text(self, value: object, path: Path) -> str:
        if not isinstance(value, str):
            raise self.error(path, f"{self.named(path)} must be text in quotes, not {_kind(value)}")
        return value

    def title(self, value: object) -> str:
        text = self.text(value, ("title",))
        if not text.strip() or not text.isprintable() or len(text) > 300:
            raise self.error(("title",), "title must be one line of 1 to 300 printable characters")
        return text

    def flag(self, value: object, path: Path) -> bool:
        if not isinstance(value, bool):
            raise self.error(path, f"{self.named(path)} must be true or false, not {_kind(value)}")
        return value

    def number(self, value: object, path: Path, least: int, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(path, f"{self.named(path)} must be a whole number, not {_kind(value)}")
        if not least <= value <= most:
            raise self.error(path, f"{self.named(path)} must be from {least} to {most}, not {quoted(value)}")
        return value

    def cents(self, value: object, path: Path, *, negative: bool = False, most: int = LARGEST_DOLLARS) -> int:
        """Dollars with at most two decimals."""
        name = self.named(path)
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            raise self.error(path, f"{name} must be an amount in dollars, as in 25 or 12.50, not {_kind(value)}")
        if isinstance(value, Decimal) and not value.is_finite():
            raise self.error(path, f"{name} must be an amount in dollars, as in 25 or 12.50: this is none")
        if value < 0 and not negative:
            raise self.error(path, f"{name} must not be negative")
        if not -most <= value <= most:
            raise self.error(path, f"{name} must be at most {most} dollars")
        if isinstance(value, int):
            return value * 100
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int) or exponent < -2:
            raise self.error(path, f"{name}: {quoted(value)} has more than two decimals")
        return int(value.scaleb(2)) if value else 0

    def one_of(self, value: object, known: Iterable[str], path: Path) -> str:
        words = tuple(known)
        if not isinstance(value, str) or value not in words:
            raise self.error(path, f"{self.named(path)}: {quoted(value)} is none of {', '.join(words)}")
        return value

    def items(self, value: object, path: Path, each: Callable[[object, Path], T]) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise self.error(path, f"{self.named(path)} must be a list in brackets, not {_kind(value)}")
        return tuple(each(item, (*path, index)) for index, item in enumerate(value))

    def texts(self, value: object, path: Path, what: str) -> tuple[str, ...]:
        def one(item: object, place: Path) -> str:
            text = self.text(item, place)
            if not text.strip() or not text.isprintable() or len(text) > 100:
                raise self.error(place, f"{quoted(text)} is not {what}")
            return text

        return self.items(value, path, one)

    def kinds(self, value: object, path: Path) -> tuple[str, ...]:
        found = self.items(value, path, lambda item, place: self.one_of(item, KINDS, place))
        if len(set(found)) < len(found):
            raise self.error(path, f"{self.named(path)} names an optional wager twice")
        return found

    # --- parts of a record ---

    def edition(self, value: object) -> str:
        text = self.text(value, ("edition",))
        if text and not is_digest(text):
            what = f"edition: {quoted(text)} names no edition: write at least {SHORT} digits of its digest"
            raise self.error(("edition",), what)
        return text

    def document(self, name: str, digest: str) -> Rulebook:
        """The document as the record was written under it."""
        try:
            return find_edition(name, digest) if digest else load(name)
        except MissingEdition as error:
            raise MissingText(error, file=self.file, line=self.line_of(("edition",))) from None
        except RulebookError as error:
            raise self.error(("edition",), printable(str(error))) from None

    def amendments(self, value: object, text: Rulebook) -> tuple[Amendment, ...]:
        """Layers by the names that the document gives them, or in full."""

        def one(item: object, place: Path) -> Amendment:
            try:
                if isinstance(item, str):
                    return own_layer(text, item)
                reader = Rules(self.named(place), frozenset(row[0] for row in clauses_of(text)))
                return read_amendment(reader, self.variant_value(item, place, 6), "")
            except RulebookError as error:
                raise self.error(place, printable(str(error))) from None

        return self.items(value, ("amendments",), one)

    def rulebook(
        self, text: Rulebook, amendments: tuple[Amendment, ...], variant: Mapping[str, VariantValue]
    ) -> Rulebook:
        key = "variant" if variant and not amendments else "amendments"
        try:
            return composed(text, variant, amendments, again=False)
        except RulebookError as error:
            raise self.error((key,), f"{key}: {printable(str(error))}") from None

    def variant(self, value: object) -> dict[str, VariantValue]:
        table = self.table(value, ("variant",))
        return {key: self.variant_value(item, ("variant", key), 4) for key, item in table.items()}

    def variant_value(self, value: object, path: Path, depth: int) -> VariantValue:
        if isinstance(value, (bool, str)) or (isinstance(value, int) and abs(value) < 10**15):
            return value
        if isinstance(value, list) and depth:
            return [self.variant_value(item, (*path, index), depth - 1) for index, item in enumerate(value)]
        if isinstance(value, Mapping) and depth:
            return {str(key): self.variant_value(item, (*path, key), depth - 1) for key, item in value.items()}
        raise self.error(path, f"{self.named(path)} must be a whole number, text, true or false, or a list of them")

    def stacks(self, value: object) -> tuple[tuple[Card, ...], ...]:
        return tuple(self.cards(stack, ("cards",)) for stack in self.text(value, ("cards",)).split("/"))

    def play(self, value: object) -> tuple[Play, ...]:
        if isinstance(value, list) and len(value) > LONGEST_PLAY:
            raise self.error(("play",), f"play has more than {LONGEST_PLAY} lines")

        def one(item: object, place: Path) -> Play:
            line = self.line_of(place)
            text = self.text(item, place)
            try:
                act, refused = parse_line(text)
            except RecordError as error:
                raise error.placed(self.file, line) from None
            return Play(act, refused, line)

        return self.items(value, ("play",), one)

    def house(self, table: Mapping[str, Any], rulebook: Rulebook) -> House:
        self.known(table, (*_HOUSE, *_OPENING, *_BEFORE), ("table",))
        house = default_house(rulebook, **self.fields(table, _HOUSE, ("table",)))
        if house.minimum_cents > house.maximum_cents:
            raise self.error(("table", "minimum"), "table: the minimum is above the maximum")
        refusal = refuse_house(rulebook, house)
        if refusal is not None:
            raise self.error(("table",), f"this table may not be opened: {refusal}")
        return house

    def for_a_session(self, amendments: tuple[Amendment, ...], text: Rulebook) -> tuple[Amendment, ...]:
        """A session is played by the document's own rules for tournaments; a record need not name them."""
        if any(layer.kind == TOURNAMENT for layer in amendments):
            return amendments
        try:
            return (own_layer(text, TOURNAMENT), *amendments)
        except RulebookError as error:
            raise self.error(("session",), printable(str(error))) from None

    def session(self, value: object, house: House) -> SessionTerms:
        table = self.table(value, ("session",))
        self.known(table, tuple(_SESSION), ("session",))
        for key in ("seats", "chips"):
            if key not in table:
                raise self.error(("session",), f"session.{key} is missing: a session has seats and chips")
        found = self.fields(table, _SESSION, ("session",))
        found.setdefault("stage", "session")
        found.setdefault("minimum_cents", house.minimum_cents)
        found.setdefault("maximum_cents", house.maximum_cents)
        return SessionTerms(**found)

    def seats(self, value: object, path: Path) -> dict[int, str]:
        taken: dict[int, str] = {}
        for name, box in self.table(value, path).items():
            self.name(name, (*path, name))
            number = self.number(box, (*path, name), 1, 99)
            if number in taken:
                raise self.error(
                    (*path, name), f"{self.named((*path, name))}: box {number} is {taken[number]}'s already"
                )
            taken[number] = name
        return dict(sorted(taken.items()))

    def amounts(self, value: object, path: Path) -> dict[str, int]:
        found = self.table(value, path)
        return {self.name(name, (*path, name)): self.cents(item, (*path, name)) for name, item in found.items()}

    def counts(self, value: object, path: Path) -> dict[str, int]:
        found = self.table(value, path)
        return {
            self.name(name, (*path, name)): self.number(item, (*path, name), 0, 10_000) for name, item in found.items()
        }

    def names(self, value: object, path: Path) -> tuple[str, ...]:
        return self.items(value, path, lambda item, place: self.name(self.text(item, place), place))

    def raises(self, value: object, path: Path) -> tuple[tuple[int, int, int], ...]:
        def one(item: object, place: Path) -> tuple[int, int, int]:
            table = self.table(item, place)
            self.known(table, ("round", "minimum", "maximum"), place)
            if len(table) < 3:
                raise self.error(place, f"{self.named(place)} needs a round, a minimum and a maximum")
            least, most = (self.cents(table[key], (*place, key)) for key in ("minimum", "maximum"))
            return self.number(table["round"], (*place, "round"), 1, 10_000), least, most

        return self.items(value, path, one)

    def opening(self, table: Mapping[str, Any]) -> dict[str, Any]:
        return self.fields(table, _OPENING, ("table",))

    def before(self, table: Mapping[str, Any]) -> Before:
        before = Before(**self.fields(table, _BEFORE, ("table",)))
        if before.burned > len(before.rack):
            raise self.error(("table", "burned"), "table.burned counts more cards than table.rack holds")
        for key in ("device_down", "new_cards_due"):
            if table.get(key) and table.get("source") != DEVICE:
                reason = f'only a device fails: write source = "{DEVICE}" where table.{key} is said'
                raise self.error(("table", key), reason)
        return before

    def fields(self, table: Mapping[str, Any], known: Mapping[str, _Key], path: Path) -> dict[str, Any]:
        """What a table of the file says about the fields that `known` lists."""
        return {known[key][0]: known[key][1](self, value, (*path, key)) for key, value in table.items() if key in known}

    def cards(self, value: object, path: Path) -> tuple[Card, ...]:
        text = self.text(value, path)
        try:
            return parse_cards(text)
        except CardError as error:
            word = printable(str(error))
            reason = word if len(word) < 300 else "a word of many letters is not a card"
            raise self.error(path, f"{self.named(path)}: {reason}") from None

    def drawn(self, value: object, path: Path) -> tuple[tuple[Card, bool], ...]:
        """Cards drawn in error, each alone or with a word that says that it is exposed."""

        def one(item: object, place: Path) -> tuple[Card, bool]:
            card, _, word = self.text(item, place).partition(" ")
            found = self.cards(card, place)
            if len(found) != 1 or word not in ("", EXPOSED):
                raise self.error(place, f'{self.named(place)} must be a card, as in "Kh" or "Kh {EXPOSED}"')
            return found[0], word == EXPOSED

        return self.items(value, path, one)

    def reason(self, value: object, path: Path) -> str:
        text = self.text(value, path)
        if not text.strip() or not text.isprintable() or len(text) > REASON_MAX:
            raise self.error(path, f"{self.named(path)} must be one line of 1 to {REASON_MAX} printable characters")
        return text

    def chips(self, value: object, path: Path) -> tuple[int, ...]:
        chips = self.items(value, path, self.cents)
        if not 1 <= len(chips) <= CHIPS_MAX or not all(1 <= chip <= 100_000_000 for chip in chips):
            raise self.error(path, f"chips: write 1 to {CHIPS_MAX} denominations from 0.01 to 1000000 dollars")
        if len(set(chips)) < len(chips):
            raise self.error(path, "chips names a denomination twice")
        if min(chips) // gcd(*chips) > CHIP_STEPS_MAX:
            raise self.error(path, "chips: the denominations have too little in common to make payments with")
        return chips

    def limits(self, value: object, path: Path) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        for kind, item in self.table(value, path).items():
            place = (*path, self.one_of(kind, KINDS, (*path, kind)))
            pair = self.table(item, place)
            self.known(pair, ("minimum", "maximum"), place)
            if len(pair) < 2:
                raise self.error(place, f"{self.named(place)} needs a minimum and a maximum")
            least = self.cents(pair["minimum"], (*place, "minimum"))
            most = self.cents(pair["maximum"], (*place, "maximum"))
            if not 0 <= least <= most or most == 0:
                raise self.error(place, f"{self.named(place)}: the minimum is above the maximum, or both are nothing")
            found[kind] = (least, most)
        return found

    def date(self, value: object, path: Path) -> datetime.date:
        if isinstance(value, str):
            try:
                return datetime.date.fromisoformat(value)
            except ValueError:
                pass
        if not isinstance(value, datetime.date) or isinstance(value, datetime.datetime):
            raise self.error(path, f"{self.named(path)} must be a date, as in 2024-08-18, not {_kind(value)}")
        return value

    def players(self, value: object, house: House, rulebook: Rulebook) -> tuple[dict[str, Patron], dict[str, Standing]]:
        rules = [rule.name for rule in rulebook.limits.restrictions.value]
        patrons: dict[str, Patron] = {}
        standings: dict[str, Standing] = {}
        seated: dict[int, str] = {}
        reserved: dict[int, str] = {}
        for name, item in self.table(value, ("players",)).items():
            place: Path = ("players", name)
            self.name(name, place)
            table = self.table(item, place)
            self.known(table, (*_PATRON, *_STANDING), place)
            patron = patrons[name] = Patron(**self.fields(table, _PATRON, place))
            standing = Standing(**self.fields(table, _STANDING, place))
            if standing != Standing():
                standings[name] = standing
            if standing.restricted and standing.restricted not in rules:
                reason = f"this rulebook has no restriction {quoted(standing.restricted)}. Known: {', '.join(rules)}"
                raise self.error((*place, "restricted"), reason)
            self.claim((patron.seat,) if patron.seat else (), name, seated, house, (*place, "seat"))
            self.claim(standing.reserved, name, reserved, house, (*place, "reserved"))
        return patrons, standings

    def claim(self, boxes: tuple[int, ...], name: str, taken: dict[int, str], house: House, path: Path) -> None:
        """A box has one seat, and is kept for one player at most."""
        for box in boxes:
            if box > house.boxes:
                raise self.error(path, f"{self.named(path)}: there is no box {box}, the table has {house.boxes}")
            if box in taken:
                raise self.error(path, f"{self.named(path)}: box {box} is {taken[box]}'s already")
            taken[box] = name

    def name(self, name: str, path: Path) -> str:
        try:
            return check_name(name)
        except RecordError as error:
            raise self.error(path, error.reason) from None

    def boxes(self, value: object, path: Path) -> tuple[int, ...]:
        return self.items(value, path, lambda item, place: self.number(item, place, 1, 99))

    def checks(self, value: object, path: Path) -> tuple[str, ...]:
        return self.items(value, path, lambda item, place: self.one_of(item, tuple(CHECKS), place))

    def rounds(self, value: object, path: Path) -> tuple[int, ...]:
        found = self.items(value, path, lambda item, place: self.number(item, place, 1, 512))
        if list(found) != sorted(set(found)):
            raise self.error(path, f"{self.named(path)} must name each round once, from the first to the last")
        return found

    def expect(self, value: object) -> Expect:
        table = self.table(value, ("expect",))
        self.known(table, ("net", "dealer", "left", "jackpot"), ("expect",))
        net = {
            self.name(name, ("expect", "net", name)): self.cents(
                item, ("expect", "net", name), negative=True, most=LARGEST_NET_DOLLARS
            )
            for name, item in self.table(table.get("net", {}), ("expect", "net")).items()
        }
        dealer = self.cards(table["dealer"], ("expect", "dealer")) if "dealer" in table else None
        left = self.number(table["left"], ("expect", "left"), 0, 10**6) if "left" in table else None
        jackpot = self.cents(table["jackpot"], ("expect", "jackpot")) if "jackpot" in table else None
        lines = {key: self.line_of(("expect", key)) for key in table}
        lines.update({f"net.{name}": self.line_of(("expect", "net", name)) for name in net})
        return Expect(net, dealer, left, jackpot, lines)


def _kind(value: object) -> str:
    """What a value is, for a complaint that it is the wrong kind."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, Decimal):
        return "a decimal number"
    if isinstance(value, str):
        return f"the text {quoted(value, 40)}"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return "a date or time"


_Key: TypeAlias = "tuple[str, Callable[[_Reader, Any, Path], Any]]"
"""The field that a key sets, and how its value is read."""


def _ranged(least: int, most: int) -> Callable[[_Reader, object, Path], int]:
    return lambda reader, value, path: reader.number(value, path, least, most)


def _among(words: Iterable[str]) -> Callable[[_Reader, object, Path], str]:
    known = tuple(words)
    return lambda reader, value, path: reader.one_of(value, known, path)


def _signed(reader: _Reader, value: object, path: Path) -> int:
    return reader.cents(value, path, negative=True)


_CENTS: Callable[[_Reader, object, Path], int] = lambda reader, value, path: reader.cents(value, path)  # noqa: E731

_HOUSE: Mapping[str, _Key] = {
    "decks": ("decks", _ranged(1, 100)),
    "source": ("source", lambda reader, value, path: reader.one_of(value, (SHOE, DEVICE), path)),
    "minimum": ("minimum_cents", _CENTS),
    "maximum": ("maximum_cents", _CENTS),
    "unit": ("unit_cents", _CENTS),
    "multiples": ("multiples", _Reader.flag),
    "limits": ("side_limits", _Reader.limits),
    "player_maximum": ("player_maximum_cents", _CENTS),
    "side_bets": ("side_bets", _Reader.kinds),
    "required": ("required", _Reader.kinds),
    "resplit": ("resplit", _Reader.flag),
    "chips": ("chips_cents", _Reader.chips),
    "jackpot": ("jackpot_cents", _CENTS),
    "jackpot_minimum": ("jackpot_minimum_cents", _CENTS),
    "jackpot_rate": ("jackpot_rate_percent", _ranged(0, 100)),
    "jackpot_linked": ("jackpot_linked", _Reader.flag),
    "boxes": ("boxes", _ranged(1, 99)),
    "jokers": ("jokers", _ranged(0, 100)),
    "low_limit": ("low_limit", _Reader.flag),
    "face_down": ("face_down", _Reader.flag),
    "deferred": ("deferred", _Reader.flag),
    "date": ("date", _Reader.date),
    "patrons": ("patrons", lambda reader, value, path: reader.one_of(value, PATRONS, path)),
    "counted": ("counted", _Reader.flag),
}
"""Keys of ``[table]``: the field of `House` that each sets, and how it is read."""

_OPENING: Mapping[str, _Key] = {
    "new_shoe": ("new_shoe", _Reader.flag),
    "start": ("start", lambda reader, value, path: reader.one_of(value, ("ready", "shuffle"), path)),
    "cutting_card": ("cutting_card", _ranged(0, 5200)),
}
"""Keys of ``[table]`` that say how play begins: fields of `Record`."""

_BEFORE: Mapping[str, _Key] = {
    "rounds": ("rounds", _ranged(0, 10**9)),
    "rack": ("rack", _Reader.cards),
    "burned": ("burned", _ranged(0, 100)),
    "final_rounds": ("final_rounds", _ranged(0, 100)),
    "players_cap": ("players_cap", _ranged(0, PLAYERS_CAP_MAX)),
    "box_cap": ("box_cap", _ranged(0, 100)),
    "closed": ("closed", _Reader.kinds),
    "shuffle_reason": ("shuffle_reason", _among(SHUFFLE_REASONS)),
    "cutting_card_came": ("cutting_card_came", _ranged(-1, 99)),
    "cutting_player": ("cutting_player", lambda reader, value, path: reader.name(reader.text(value, path), path)),
    "minimum_raised": ("minimum_raised", _Reader.flag),
    "jackpot_down": ("jackpot_down", _Reader.flag),
    "drawn_in_error": ("drawn_in_error", _Reader.drawn),
    "approval_due": ("approval_due", _among(sorted(STAFF))),
    "shuffle_after": ("shuffle_after", _among(SHUFFLE_AFTER)),
    "discards_forgotten": ("discards_forgotten", _Reader.flag),
    "device_down": ("device_down", _Reader.flag),
    "new_cards_due": ("new_cards_due", _Reader.flag),
    "checks_due": ("checks_due", _Reader.checks),
}
"""Keys of ``[table]`` for a record from the middle of a session: fields of `Before`."""

_PATRON: Mapping[str, _Key] = {
    "seat": ("seat", _ranged(1, 99)),
    "card": ("card", _Reader.flag),
    "chips": ("chips_cents", _CENTS),
    "tokens": ("tokens_cents", _CENTS),
    "loss_limit": ("loss_limit_cents", _CENTS),
    "deposit_limit": ("deposit_limit_cents", _CENTS),
    "recognised": ("recognised", _Reader.flag),
    "restricted_before": ("restricted_before", _Reader.flag),
}
"""Keys of ``[players.NAME]``: fields of `Patron`."""

_STANDING: Mapping[str, _Key] = {
    "present": ("present", _Reader.flag),
    "minimum": ("minimum_cents", _CENTS),
    "maximum": ("maximum_cents", _CENTS),
    "restricted": ("restricted", lambda reader, value, path: reader.one_of(value, RESTRICTIONS, path)),
    "cover_splits": ("cover_splits", _Reader.flag),
    "boxes": ("boxes", _ranged(0, 99)),
    "reserved": ("reserved", _Reader.boxes),
    "warned": ("warned", _Reader.flag),
    "card_due": ("card_due", _Reader.flag),
    "played": ("played", _Reader.rounds),
    "place": ("place", _ranged(0, 99)),
    "barred": ("barred", _Reader.reason),
    "excluded": ("excluded", _Reader.flag),
    "paused": ("paused", _Reader.flag),
    "dispute": ("dispute", _among(DISPUTES)),
    "last": ("last_cents", _signed),
    "last_final": ("last_final_cents", _signed),
    "last_staked": ("last_staked_cents", _CENTS),
    "over": ("over_cents", _CENTS),
}
"""Keys of ``[players.NAME]`` for a record from the middle of a session: fields of `Standing`."""

_SESSION: Mapping[str, _Key] = {
    "stage": ("stage", _Reader.reason),
    "seats": ("seats", _Reader.seats),
    "chips": ("chips_cents", _CENTS),
    "minimum": ("minimum_cents", _CENTS),
    "maximum": ("maximum_cents", _CENTS),
    "rounds": ("rounds", _ranged(0, 10_000)),
    "order": ("order", _Reader.flag),
    "deal_from_marker": ("deal_from_marker", _Reader.flag),
    "pass_cards": ("pass_cards", _ranged(0, 100)),
    "undisclosed": ("undisclosed", _ranged(0, 100)),
    "raises": ("raises", _Reader.raises),
    "seconds": ("seconds", _ranged(0, 600)),
    "play_off": ("play_off", _Reader.flag),
    "held": ("held", _Reader.amounts),
    "played": ("played", _ranged(0, 10_000)),
    "out": ("out", _Reader.names),
    "marker": ("marker", _ranged(0, 99)),
    "passes_left": ("passes_left", _Reader.counts),
    "forms_left": ("forms_left", _Reader.counts),
    "absent": ("absent", _Reader.counts),
    "warned": ("warned", _Reader.names),
}
"""Keys of ``[session]``: fields of `SessionTerms`."""

SESSION_KEYS = {field: key for key, (field, _) in _SESSION.items()}
HOUSE_KEYS = {field: key for key, (field, _) in _HOUSE.items()}
OPENING_KEYS = {field: key for key, (field, _) in _OPENING.items()}
BEFORE_KEYS = {field: key for key, (field, _) in _BEFORE.items()}
PATRON_KEYS = {field: key for key, (field, _) in _PATRON.items()}
STANDING_KEYS = {field: key for key, (field, _) in _STANDING.items()}
"""How the file calls a field: the same tables, for writing."""
