"""A real table, described in a small TOML file, held against its rulebook: what it lacks, clause by clause."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec

from pitboss.layout.needed import Item, LayoutError, Setup, needed
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.meanings import SOURCE_AT_THE_LEFT, WORDS_ARE_FREE
from pitboss.rulebooks.terms import Rulebook


class Found(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody found at a table."""

    boxes: int
    shape: str = ""
    side_bets: tuple[str, ...] = ()
    """The optional wagers that are offered here."""
    source: str = ""
    """``shoe``, ``shuffling-device``, or nothing."""
    source_place: str = ""
    """``dealers-left`` or ``dealers-right``."""
    cash: bool = True
    players_opposite: bool = True
    pre_shuffled: bool = False
    compulsory_pairs: bool = False
    old_minimum: bool = False
    """Whether players are kept at an old minimum."""
    areas: tuple[str, ...] = ()
    """``insurance`` and the spots that are marked."""
    inscriptions: tuple[str, ...] = ()
    """What is lettered on the cloth, word for word."""
    equipment: tuple[str, ...] = ()
    rack_decks: int = 0
    signs: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


class Lack(msgspec.Struct, frozen=True):
    """Something that a table does not have, or has otherwise than the document wants it."""

    kind: str
    name: str
    text: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        return f"{cite(self.clauses)}: {self.text}"


def read_found(text: str, label: str) -> Found:
    """A description; raises `LayoutError` with the place where it cannot be read."""
    try:
        return msgspec.convert(tomllib.loads(text), Found)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"{label}: not TOML: {error}") from error
    except msgspec.ValidationError as error:
        known = ", ".join(Found.__struct_fields__)
        raise LayoutError(f"{label}: {str(error)[:1].lower()}{str(error)[1:]}; it may say {known}.") from error


def lacks(book: Rulebook, found: Found) -> tuple[Lack, ...]:
    """What the document wants and this table does not have."""
    setup = Setup(
        boxes=found.boxes,
        side_bets=found.side_bets,
        source=found.source or "shoe",
        cash=found.cash,
        pre_shuffled=found.pre_shuffled,
        compulsory_pairs=found.compulsory_pairs,
        old_minimum_cents=int(found.old_minimum),
    )
    missing = [_lack(item) for item in needed(book, setup) if item.prescribed and not _has(book, found, item)]
    return (*_boxes(book, found), *missing, *_otherwise(book, found))


def _lack(item: Item) -> Lack:
    words = {
        "place": "it is to be {}",
        "area": "the cloth lacks {}",
        "inscription": "the cloth lacks the inscription “{}”",
        "equipment": "the table lacks: {}",
        "sign": "a sign is missing: {}",
        "notice": "players are not told: {}",
    }[item.kind]
    return Lack(item.kind, item.name, words.format(item.text).rstrip(".") + ".", item.clauses)


def _has(book: Rulebook, found: Found, item: Item) -> bool:
    match item.kind:
        case "place":
            return found.players_opposite
        case "area":
            return item.name == "boxes" or item.name in found.areas
        case "inscription":
            return any(_same(book, item.text, each) for each in found.inscriptions)
        case "equipment" if item.name == "jackpot-device":
            return found.source == "shuffling-device"
        case "equipment":
            return item.name in found.equipment or item.name == found.source
        case "sign":
            return item.name in found.signs
        case "notice":
            return item.name in found.notices


def _same(book: Rulebook, wanted: str, lettered: str) -> bool:
    """Whether an inscription says what is wanted: in these words, or where words are free to that effect."""
    if not WORDS_ARE_FREE[book.layout.words.value]:
        return _telling(wanted, ()) == _telling(lettered, ())
    return set(_telling(wanted)) <= set(_telling(lettered))


FILLING = ("must", "pays", "pay", "paid", "plays", "and", "or", "on", "to", "the", "at", "is", "for", "all", "a")


def _telling(text: str, filling: tuple[str, ...] = FILLING) -> list[str]:
    """The words on which the sense hangs: "stands" is as good as "must stand", and "3:2" as "3 to 2"."""
    plain = re.sub(r"(\d)\s*(?::|/|-)\s*(\d)", r"\1 to \2", text.lower())
    words = re.findall(r"[a-z]+|\d+", plain)
    odds = [f"{one} to {two}" for one, two in re.findall(r"(\d+) to (\d+)", plain)] if filling else []
    return [re.sub(r"(?<=[a-z]{3})s$", "", word) if filling else word for word in words if word not in filling] + odds


def _boxes(book: Rulebook, found: Found) -> list[Lack]:
    number = book.boxes.number
    lacking = []
    if found.boxes not in number.value:
        said = number.in_words or f"a layout has {' or '.join(map(str, number.value))} boxes"
        lacking.append(Lack("area", "boxes", f"{said}; this one has {found.boxes}.", number.clauses))
    shapes = book.layout.box_shapes
    if found.shape and found.shape not in shapes.value:
        lacking.append(
            Lack("area", "shape", f"a box is a {' or '.join(shapes.value)}, not a {found.shape}.", shapes.clauses)
        )
    return lacking


def _otherwise(book: Rulebook, found: Found) -> list[Lack]:
    """What is there, but not as the document wants it."""
    terms, lacking = book.layout, []
    decks = terms.rack_decks
    if decks.value and "discard-rack" in found.equipment and found.rack_decks < decks.value:
        text = f"the discard rack is to hold {decks.value} decks; it holds {found.rack_decks}."
        lacking.append(Lack("equipment", "rack-decks", text, decks.clauses))
    place = terms.source_place
    if SOURCE_AT_THE_LEFT[place.value] and found.source and found.source_place != "dealers-left":
        lacking.append(
            Lack("equipment", "source-place", f"the {_plain(found.source)} stands at the dealer's left.", place.clauses)
        )
    if found.source and found.source not in book.shuffle.sources.value:
        text = f"cards come from a {_plain(' or '.join(book.shuffle.sources.value))}."
        lacking.append(Lack("equipment", "source", text, book.shuffle.sources.clauses))
    return lacking


def _plain(word: str) -> str:
    return word.replace("-", " ")


def described(book: Rulebook, setup: Setup) -> Mapping[str, Any]:
    """A description of the very table that the document wants: what one begins from."""
    items = needed(book, setup)
    names = {
        kind: [each.name for each in items if each.kind == kind] for kind in ("area", "equipment", "sign", "notice")
    }
    return {
        "boxes": setup.boxes,
        "side_bets": list(setup.side_bets),
        "source": setup.source,
        "source_place": "dealers-left",
        "areas": [name for name in names["area"] if name != "boxes"],
        "inscriptions": [each.text for each in items if each.kind == "inscription"],
        "equipment": [name for name in names["equipment"] if name not in (setup.source, "jackpot-device")],
        "rack_decks": book.layout.rack_decks.value,
        "signs": names["sign"],
        "notices": names["notice"],
        "cash": setup.cash,
    }
