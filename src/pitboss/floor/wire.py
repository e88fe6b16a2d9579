"""Acts as clients ask for them: whoever wants a shuffle does not say in which order the cards then lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, Union, get_args

import msgspec

from pitboss.records.lines import TEXTS
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.house import DEVICE
from pitboss.table.patrons_book import LIMITS, sign_stands
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.chance import Chance


class AskShuffle(msgspec.Struct, frozen=True, tag_field="act", tag="Shuffle", forbid_unknown_fields=True):
    """Shuffle; chance says how the cards then lie."""

    means: str = ""
    """hand, shuffling-device or whatever the rulebook names; nothing for what is usual at the table."""


class AskMix(msgspec.Struct, frozen=True, tag_field="act", tag="Mix", forbid_unknown_fields=True):
    """The shuffling device has mixed what it holds."""


class AskClearJam(msgspec.Struct, frozen=True, tag_field="act", tag="ClearJam", forbid_unknown_fields=True):
    """Jammed cards were taken out, mixed and put back."""


_BY_CHANCE = (a.Shuffle, a.Mix, a.ClearJam)

if TYPE_CHECKING:
    AskedAct: TypeAlias = AnyAct | AskShuffle | AskMix | AskClearJam
else:
    AskedAct = Union[(*(kind for kind in get_args(AnyAct) if kind not in _BY_CHANCE), AskShuffle, AskMix, AskClearJam)]

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(AnyAct)}
_KINDS |= {"Shuffle": AskShuffle, "Mix": AskMix, "ClearJam": AskClearJam}
ACT_NAMES: tuple[str, ...] = tuple(_KINDS)


def unread_act(data: bytes) -> AskedAct | str:
    """An act that could not be read at once: perhaps it only leaves out who speaks; otherwise why it is none.

    An empty text: it is an act, and something in it is wrong.
    """
    try:
        said = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return "the act is not JSON."
    if not isinstance(said, dict) or not isinstance(said.get("act"), str):
        return 'an act is an object with its name in "act", as in {"act":"Hit","player":"alice","box":1}.'
    kind = _KINDS.get(said["act"])
    if kind is None:
        import difflib

        near = difflib.get_close_matches(said["act"], ACT_NAMES, n=1, cutoff=0.4)
        return f"there is no act {said['act'][:40]!r}{'; did you mean ' + near[0] + '?' if near else '.'}"
    unknown = [name for name in said if name not in ("act", *kind.__struct_fields__)]
    if unknown:
        return f"{said['act']} has no field {unknown[0][:40]!r}; it has {', '.join(kind.__struct_fields__) or 'none'}."
    for name in ("by", "player"):
        if name in kind.__struct_fields__:
            said.setdefault(name, "")
    try:
        found: AskedAct = msgspec.convert({name: _whole(value) for name, value in said.items()}, kind, str_keys=True)
    except (msgspec.ValidationError, RecursionError):
        return ""
    return found


def _whole(value: Any) -> Any:
    """5.0 is the whole number 5, as everywhere in JSON; no act has lists in lists."""
    if isinstance(value, list):
        return [int(each) if isinstance(each, float) and each.is_integer() else each for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


MOST = 10**11 - 1
"""No number in an act is larger: a billion dollars, in cents, is more than a record can say or anybody means."""
TEXT_MAX, LIST_MAX = 500, 500
"""What people say in an act is told to the whole table and kept for ever: a few sentences."""
TOO_LARGE = f"a number in the act is too large, or a text longer than {TEXT_MAX} characters."
UNPRINTABLE = "a text in the act has a sign that cannot be seen or turns the writing round: write it without."
JOINERS = {0x200C: None, 0x200D: None}
"""Signs without a width that some scripts need between letters."""


def unfit(act: AskedAct) -> str:
    """Why nobody could mean this act: something is too large, or written in signs that cannot be seen; else ""."""
    for value in msgspec.structs.astuple(act):
        if value.__class__ is int:
            if not -MOST <= value <= MOST:
                return TOO_LARGE
        elif value.__class__ is str:
            if len(value) > TEXT_MAX:
                return TOO_LARGE
            if not value.isprintable() and not one_line(value).translate(JOINERS).isprintable():
                return UNPRINTABLE
        elif value.__class__ is tuple and (len(value) > LIST_MAX or any(map(_is_too_large, value))):
            return TOO_LARGE
    return ""


def one_line(text: str) -> str:
    """A text as it is kept: one line, single blanks between its words and none around them."""
    return " ".join(text.split())


def _is_too_large(each: Any) -> bool:
    return not -MOST <= each <= MOST if each.__class__ is int else each.__class__ is str and len(each) > TEXT_MAX


FILLED: frozenset[Any] = frozenset({*TEXTS, a.DisplaySign, a.VacateSeat, a.SetLimits, AskShuffle, AskMix, AskClearJam})
"""Acts that `filled` may change."""


def filled(act: AskedAct, table: Table, chance: Chance, now_ms: int) -> AnyAct:
    """The act as it is decided: what people say in it on one line, what chance gives where it waits, and the time.

    At a table with a gaming date nobody certifies how long a sign has stood, or for how many rounds somebody has
    not wagered: the floor knows when it was put up, and how many rounds there were.
    """
    kind: Any = act.__class__
    if kind is a.DisplaySign:
        return msgspec.structs.replace(act, at_ms=now_ms)  # type: ignore[return-value]
    if kind is a.SetLimits and table.house.date is not None:
        limits: a.SetLimits = act  # type: ignore[assignment]
        minutes = sign_stands(table, LIMITS, now_ms, limits.minimum_cents, limits.kind)
        return msgspec.structs.replace(limits, notice_minutes=minutes)
    if kind is a.VacateSeat and table.house.date is not None:
        seat: a.VacateSeat = act  # type: ignore[assignment]
        return msgspec.structs.replace(seat, rounds=min(seat.rounds, len(table.rounds_before())))
    if kind in TEXTS:
        said = {name: one_line(getattr(act, name)) for name in TEXTS[kind]}
        return msgspec.structs.replace(act, **said)  # type: ignore[return-value]
    if kind is AskShuffle:
        usual = DEVICE if table.house.source == DEVICE else "hand"
        return a.Shuffle(chance.shuffled(cards_to_shuffle(table)), act.means or usual)  # type: ignore[union-attr]
    if kind is AskMix:
        return a.Mix(chance.shuffled(table.stack[table.position :]))
    if kind is AskClearJam:
        return a.ClearJam(chance.shuffled(table.stack[table.position :]))
    return act  # type: ignore[return-value]
