"""A whole table as JSON and back, so that nobody need fold its stream from the beginning."""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor.model import Opening
from pitboss.rulebooks.amend import composed, variant_of
from pitboss.rulebooks.editions import edition
from pitboss.rulebooks.terms import STUDY, Amendment, Rulebook
from pitboss.table.compiled import compiled_for
from pitboss.table.engine import open_table
from pitboss.table.house import default_house
from pitboss.table.state import PlayerState, Table

_FIELDS = [field for field in msgspec.structs.fields(Table) if field.name not in ("rulebook", "compiled")]


def _member(field: msgspec.structs.FieldInfo) -> tuple[str, Any] | tuple[str, Any, Any]:
    if field.required:
        return field.name, field.type
    if field.default_factory is not msgspec.NODEFAULT:
        return field.name, field.type, msgspec.field(default_factory=field.default_factory)
    return field.name, field.type, field.default


_FROZEN = msgspec.defstruct(
    "Frozen",
    [
        ("rulebook", str),
        ("variant", dict[str, Any]),
        *map(_member, _FIELDS),
        ("edition", str, ""),
        ("amendments", tuple[Amendment, ...], ()),
    ],
    omit_defaults=True,
)
_encode = msgspec.json.Encoder().encode
_decode: Any = msgspec.json.Decoder(_FROZEN).decode

_USUAL = {field.name: field.default for field in msgspec.structs.fields(PlayerState)}


def rulebook_of(opening: Opening, *, anew: bool = False) -> Rulebook:
    """By which rules a table is played, in the edition that its opening names; the same object for the same rules.

    Raises `MissingEdition` where that text is neither shipped nor learned from the log (see `floor.editions`).
    """
    document = edition(opening.rulebook, opening.edition)
    return composed(document, opening.variant, opening.amendments, again=not anew)


def freeze(table: Table) -> bytes:
    """The table with all its hidden cards: for the log, and for nobody's eyes."""
    values = [_players(table) if field.name == "players" else getattr(table, field.name) for field in _FIELDS]
    book = table.rulebook
    layers = tuple(layer for layer in book.amendments if layer.kind != STUDY)
    return _encode(_FROZEN(book.id, variant_of(book), *values, book.edition, layers))


def _players(table: Table) -> dict[str, dict[str, Any]]:
    """What is unusual of each player: whoever has ever sat there is in it, and of most there is little to say."""
    return {
        name: {field: value for field, usual in _USUAL.items() if (value := getattr(state, field)) != usual}
        for name, state in table.players.items()
    }


def thaw(body: bytes) -> Table:
    """The table that was frozen; fields that an older version did not know have their usual value."""
    try:
        data = _decode(bytes(body).replace(b'"unnoticed":{"places"', b'"opened":{"places"'))  # of an older version
    except msgspec.ValidationError:
        data = _decode(_encode(_as_now(msgspec.json.decode(body))))
    book = composed(edition(data.rulebook, data.edition), data.variant, data.amendments, again=True)
    book = book.on(data.house.date)
    values = {field.name: getattr(data, field.name) for field in _FIELDS}
    return Table(rulebook=book, compiled=compiled_for(book), **values)


def _as_now(data: dict[str, Any]) -> dict[str, Any]:
    """A table of an older version, which had only the names of those who had matched a split."""
    for box in data.get("boxes", {}).values():
        for hand in box["hands"]:
            if isinstance(names := hand.get("matching"), list):
                cents = {name: hand["wagers"][name]["cents"] for name in names}
                hand["matching"] = {name: {"player": name, "cents": cents[name]} for name in names}
    return data


def opened(opening: Opening, *, anew: bool = False) -> Table:
    """The table as it stands when it has just been opened.

    `anew`: it is being opened now; `Refused` is raised where the rulebook does not let it. A table that is in the log
    was judged when it was opened.
    """
    book = rulebook_of(opening, anew=anew)
    house = default_house(book) if opening.house is None else opening.house
    return open_table(book, house=house, players=opening.players, again=not anew)
