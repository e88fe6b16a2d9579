"""Writing a record: text that reads back to an equal record, laid out as people write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from pitboss.basics.cards import format_cards
from pitboss.basics.money import plain_dollars
from pitboss.records.lines import format_line
from pitboss.records.model import Before, Record, Standing, rulebook_of
from pitboss.records.read import BEFORE_KEYS, EXPOSED, HOUSE_KEYS, PATRON_KEYS, SESSION_KEYS, STANDING_KEYS
from pitboss.rulebooks.terms import Amendment
from pitboss.table.acts import AnyAct
from pitboss.table.house import House, Patron, default_house
from pitboss.table.session import SessionTerms

WIDTH = 100


class Dollars(int):
    """An amount in cents that files show in dollars."""


def document(record: Record) -> dict[str, Any]:
    """The record as the keys and values of its file, play lines apart; only what differs from the defaults is said."""
    head: dict[str, Any] = {"title": record.title, "rulebook": record.rulebook}
    if record.edition:
        head["edition"] = record.edition
    if record.clauses:
        head["clauses"] = list(record.clauses)
    head["cards"] = " / ".join(format_cards(stack) for stack in record.stacks)
    if record.amendments:
        head["amendments"] = [msgspec.json.decode(msgspec.json.encode(each)) for each in record.amendments]
    if record.variant:
        head["variant"] = dict(record.variant)
    table = _table(record)
    if table:
        head["table"] = table
    if record.session is not None:
        head["session"] = _session(record.session, record.house)
    players = {name: _player(record, name) for name in (*record.players, *_unlisted(record))}
    if players:
        head["players"] = players
    return head


def expectations(record: Record) -> dict[str, Any]:
    """The ``[expect]`` of a record."""
    expect = record.expect
    said: dict[str, Any] = {}
    if expect.net_cents:
        said["net"] = {name: Dollars(cents) for name, cents in expect.net_cents.items()}
    if expect.dealer is not None:
        said["dealer"] = format_cards(expect.dealer)
    if expect.left is not None:
        said["left"] = expect.left
    if expect.jackpot_cents is not None:
        said["jackpot"] = Dollars(expect.jackpot_cents)
    return said


def _table(record: Record) -> dict[str, Any]:
    rulebook = rulebook_of(record)
    house = record.house
    plain = default_house(rulebook)
    if house.decks != plain.decks or house.source != plain.source:
        plain = default_house(rulebook, decks=house.decks, source=house.source)
    said: dict[str, Any] = {}
    usual = default_house(rulebook)
    for name, key in HOUSE_KEYS.items():
        value = getattr(house, name)
        if value != getattr(usual if name in ("decks", "source") else plain, name):
            said[key] = _limits(house) if name == "side_limits" else _plain(name, value)
    if record.new_shoe:
        said["new_shoe"] = True
    if record.start != "ready":
        said["start"] = record.start
    if record.cutting_card is not None:
        said["cutting_card"] = record.cutting_card
    said.update(_differing(record.before, Before(), BEFORE_KEYS))
    return said


def _session(said: SessionTerms, house: House) -> dict[str, Any]:
    found: dict[str, Any] = {}
    usual = SessionTerms(
        stage="session",
        seats={},
        chips_cents=0,
        minimum_cents=house.minimum_cents,
        maximum_cents=house.maximum_cents,
    )
    for name, key in SESSION_KEYS.items():
        value = getattr(said, name)
        if value == getattr(usual, name):
            continue
        if name == "seats":
            found[key] = {player: box for box, player in value.items()}
        elif name == "held":
            found[key] = {player: Dollars(cents) for player, cents in value.items()}
        elif name == "raises":
            found[key] = [
                {"round": at, "minimum": Dollars(least), "maximum": Dollars(most)} for at, least, most in value
            ]
        else:
            found[key] = dict(value) if isinstance(value, dict) else _plain(name, value)
    return found


def _limits(house: House) -> dict[str, Any]:
    return {
        kind: {"minimum": Dollars(least), "maximum": Dollars(most)} for kind, (least, most) in house.side_limits.items()
    }


def _unlisted(record: Record) -> Iterable[str]:
    return (name for name in record.standings if name not in record.players)


def _player(record: Record, name: str) -> dict[str, Any]:
    said = _differing(record.players.get(name, Patron()), Patron(), PATRON_KEYS)
    said.update(_differing(record.standings.get(name, Standing()), Standing(), STANDING_KEYS))
    return said


def _differing(value: object, usual: object, keys: Mapping[str, str]) -> dict[str, Any]:
    return {
        key: _plain(name, getattr(value, name))
        for name, key in keys.items()
        if getattr(value, name) != getattr(usual, name)
    }


def _plain(name: str, value: Any) -> Any:
    if name == "rack":
        return format_cards(value)
    if name == "drawn_in_error":
        return [f"{card} {EXPOSED}" if exposed else card for card, exposed in value]
    if name.endswith("_cents"):
        return [Dollars(cents) for cents in value] if isinstance(value, tuple) else Dollars(value)
    return list(value) if isinstance(value, tuple) else value


# --- TOML ------------------------------------------------------------------------------------------------------------


def dumps(record: Record) -> str:
    """The record as TOML."""
    head = document(record)
    blocks = [_aligned({key: head[key] for key in ("title", "rulebook", "edition", "clauses") if key in head})]
    blocks.append(f"cards = {_cards(head['cards'])}\n")
    lines = [f"  {_value(format_line(play.act, play.refused))},\n" for play in record.play]
    blocks.append("play = [\n" + "".join(lines) + "]\n")
    if "amendments" in head:
        layers = "".join(f"  {_value(each)},\n" for each in head["amendments"])
        blocks.insert(1, f"amendments = [\n{layers}]\n")
    if "variant" in head:
        blocks.append("[variant]\n" + _aligned(head["variant"]))
    if "table" in head:
        blocks.append("[table]\n" + _aligned(head["table"]))
    if "session" in head:
        blocks.append("[session]\n" + _aligned(head["session"]))
    for name, player in head.get("players", {}).items():
        blocks.append(f"[players.{_key(name)}]\n" + _aligned(player))
    expect = expectations(record)
    if expect:
        blocks.append("[expect]\n" + _aligned(expect))
    return "\n".join(blocks)


def amendment_line(layer: Amendment) -> str:
    """A layer as it stands among the amendments of a record."""
    return f"{_value(msgspec.json.decode(msgspec.json.encode(layer)))},"


def play_line(act: AnyAct) -> str:
    """An act as it stands among the play lines of a record."""
    return f"{_value(format_line(act, None))},"


def _aligned(pairs: Mapping[str, Any]) -> str:
    width = max((len(_key(key)) for key in pairs), default=0)
    return "".join(f"{_key(key).ljust(width)} = {_value(value)}\n" for key, value in pairs.items())


def _cards(text: str) -> str:
    """Cards in quotes; a long stack goes over several lines, since white space is free."""
    if len(text) <= WIDTH:
        return f'"{text}"'
    lines = [""]
    for word in text.split():
        if word == "/" or len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return '"""\n' + "\n".join(lines) + '\n"""'


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _text(text: str) -> str:
    escaped = "".join(
        f"\\{sign}" if sign in '"\\' else sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in text
    )
    return f'"{escaped}"'


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Dollars):
        return plain_dollars(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return str(value)
