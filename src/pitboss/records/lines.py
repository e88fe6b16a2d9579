"""Play lines and acts: the patterns that the acts declare (`Line`), read in both directions.

``parse`` gives the draft of an act (box 0 where the line names none); ``format_act`` gives the shortest line.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import msgspec

from pitboss.basics.cards import Card, CardError, format_cards, parse_cards
from pitboss.basics.money import MoneyError, parse_cents, plain_dollars
from pitboss.records.model import UNSAID_BOX, RecordError, quoted
from pitboss.rulebooks.vocabulary import OPTIONAL_WAGERS
from pitboss.table.acts import ORIGINAL, AnyAct
from pitboss.table.conduct import PLAYER_DUTIES, STAFF_DUTIES
from pitboss.table.declaring import DECLARED, Line
from pitboss.table.irregularities.people import BREACHES
from pitboss.table.irregularities.voids import GROUNDS
from pitboss.table.roles import STAFF
from pitboss.table.session import REMOVED_FOR
from pitboss.table.wagers import RESERVED_NAMES, is_name

KINDS = OPTIONAL_WAGERS
RESTRICTIONS = ("late-entry", "all-further-shoes", "one-box", "recognised-player", "associate", "cover-splits")
DUTIES = (*STAFF_DUTIES, *PLAYER_DUTIES)
STAGES = ("initial-deal", "in-turn", "passed", "dealer", "after-round")
CAUSES = ("disturbance", "fraud")
MEANS = ("hand", "multishuffler", "shuffling-device", "pre-shuffled")
SUPERVISOR = "supervisor"
LINK = "link"
HOUSE = "house"
LONGEST_LINE = 600
HIGHEST_COUNT = 99_999
VERBS_NAMED = 50
REFUSED = "=> refused"

_NUMBER = re.compile(r"[0-9]{1,5}")


def check_name(text: str) -> str:
    """A player's name, or a `RecordError` that says what a name looks like."""
    if text in RESERVED_NAMES:
        raise RecordError(f"{quoted(text)} cannot be a player's name: the word has another meaning")
    if not is_name(text):
        raise RecordError(
            f"{quoted(text)} is not a name: write 1 to 32 letters, digits, _ or -, beginning with a letter"
        )
    return text


# --- the slots of a pattern ------------------------------------------------------------------------------------------


class _UnfitError(Exception):
    """A word that does not fit its slot; the message says what would."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """How one kind of value is read and written."""

    shown: str
    """Its place in a usage line."""
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _one_of(shown: str, words: Iterable[str]) -> _Slot:
    known = tuple(words)

    def read(word: str) -> str:
        if word not in known:
            raise _UnfitError(f"{quoted(word)} is none of {', '.join(known)}")
        return word

    return _Slot(shown, read)


def _read_amount(word: str) -> int:
    try:
        return parse_cents(word)
    except MoneyError:
        raise _UnfitError(
            f"{quoted(word)} is not an amount: write dollars with at most two decimals, as in 25 or 12.50"
        ) from None


def _read_number(word: str) -> int:
    if _NUMBER.fullmatch(word) is None:
        raise _UnfitError(f"{quoted(word)} is not a whole number of at most five digits")
    return int(word)


def _read_box(word: str) -> int:
    if _NUMBER.fullmatch(word) is None or not 1 <= int(word) <= 99:
        raise _UnfitError(f"{quoted(word)} is not a box: boxes are numbered from 1, from the dealer's left")
    return int(word)


def _read_boxes(words: str) -> tuple[int, ...]:
    if words == "none":
        return ()
    return tuple(_read_box(word) for word in words.split())


def _write_boxes(boxes: tuple[int, ...]) -> str:
    return " ".join(map(str, boxes)) or "none"


def _read_place(word: str) -> int:
    return 0 if word == "dealer" else _read_box(word)


def _write_place(place: int) -> str:
    return str(place) if place else "dealer"


def _read_places(words: str) -> tuple[int, ...]:
    return tuple(map(_read_place, words.split()))


def _write_places(places: tuple[int, ...]) -> str:
    return " ".join(map(_write_place, places))


def _read_cards(words: str) -> tuple[Card, ...]:
    try:
        return parse_cards(words)
    except CardError as error:
        raise _UnfitError(str(error)) from None


def _read_names(words: str) -> tuple[str, ...]:
    return tuple(_read_player(word) for word in words.split())


def _read_player(word: str) -> str:
    try:
        return check_name(word)
    except RecordError as error:
        raise _UnfitError(error.reason) from None


def _read_person(word: str) -> str:
    return word if word in STAFF else _read_player(word)


def _read_text(words: str) -> str:
    if not words.isprintable():
        raise _UnfitError(f"{quoted(words)} has characters that cannot be printed")
    return words


def _read_date(word: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(word)
    except ValueError:
        raise _UnfitError(f"{quoted(word)} is not a date: write it as in 2024-08-19") from None


def _read_time(word: str) -> int:
    try:
        moment = datetime.datetime.strptime(word, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.UTC)
    except ValueError:
        raise _UnfitError(f"{quoted(word)} is not a time: write it as in 2024-08-19T10:00:00.000Z") from None
    return (moment - _EPOCH) // datetime.timedelta(milliseconds=1)


def _write_time(at_ms: int) -> str:
    moment = _EPOCH + datetime.timedelta(milliseconds=at_ms)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_AMOUNT = _Slot("AMOUNT", _read_amount, plain_dollars)
_COUNT = _Slot("NUMBER", _read_number)
_BOX = _Slot("BOX", _read_box)

_SLOTS: Mapping[str, _Slot] = {
    "player": _Slot("NAME", _read_player),
    "by": _one_of("STAFF", sorted(STAFF)),
    "box": _BOX,
    "wrong": _BOX,
    "cents": _AMOUNT,
    "token_cents": _AMOUNT,
    "chip_cents": _AMOUNT,
    "minimum_cents": _AMOUNT,
    "maximum_cents": _AMOUNT,
    "cents_each": _AMOUNT,
    "from_pool_each": _AMOUNT,
    "kind": _one_of("KIND", KINDS),
    "means": _one_of("MEANS", MEANS),
    "rule": _one_of("RESTRICTION", RESTRICTIONS),
    "depth": _COUNT,
    "from_back": _COUNT,
    "notice_minutes": _COUNT,
    "boxes": _COUNT,
    "players": _COUNT,
    "boxes...": _Slot("BOXES", _read_boxes, _write_boxes),
    "cards": _COUNT,
    "places...": _Slot("PLACES", _read_places, _write_places),
    "noticed": _one_of("STAGE", STAGES),
    "meant": _one_of("CALL", ("hit", "double", "split")),
    "damaged...": _Slot("CARDS", _read_cards, format_cards),
    "cause": _one_of("CAUSE", CAUSES),
    "breach": _one_of("BREACH", BREACHES),
    "grounds": _one_of("GROUNDS", GROUNDS),
    "forfeit...": _Slot("NAMES", _read_names, " ".join),
    "reason...": _Slot("REASON", _read_text),
    "about...": _Slot("TEXT", _read_text),
    "ruling...": _Slot("TEXT", _read_text),
    "person": _Slot("PERSON", _read_person),
    "duty": _one_of("DUTY", DUTIES),
    "ground": _one_of("GROUND", REMOVED_FOR),
    "wager": _one_of("WAGER", (ORIGINAL, *KINDS)),
    "of": _Slot("NAME", _read_player),
    "why...": _Slot("REASON", _read_text),
    "seconds": _COUNT,
    "rounds": _COUNT,
    "loss_limit_cents": _AMOUNT,
    "loss_left_cents": _AMOUNT,
    "over_cents": _AMOUNT,
    "deposit_left_cents": _AMOUNT,
    "restriction": _one_of("RESTRICTION", ("none", *RESTRICTIONS)),
    "barred...": _Slot("REASON", _read_text),
    "date": _Slot("DATE", _read_date, str),
    "at_ms": _Slot("TIME", _read_time, _write_time),
    "minutes": _COUNT,
    "line": _COUNT,
    "card": _COUNT,
    "decision": _COUNT,
    "rounds_ago": _COUNT,
    "to": _Slot("PLACE", _read_place, _write_place),
    "during": _one_of("STAGE", ("initial-deal", "dealers-hand")),
}
"""By field name; a name that ends in dots takes as many words as it can."""


# --- the patterns ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """One step of a pattern: words and slots that come together, or not at all where it is optional."""

    words: tuple[str, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class _Pattern:
    act: type[AnyAct]
    form: Line
    who: str
    """The first word, or the slot of it."""
    verb: str
    parts: tuple[_Part, ...]
    """What follows the verb."""

    @property
    def usage(self) -> str:
        return re.sub(r"<([^>]+)>", lambda match: _SLOTS[match[1]].shown, self.form.pattern)


def _compile(act: type[AnyAct], form: Line) -> _Pattern:
    who, verb, rest = [*form.pattern.split(" ", 2), ""][:3]
    parts: list[_Part] = []
    for match in re.finditer(r"\[([^]]+)\]|(\S+)", rest):
        optional = match[1] is not None
        parts.append(_Part(tuple((match[1] or match[2]).split()), optional))
    return _Pattern(act, form, who, verb, tuple(parts))


_PATTERNS = tuple(_compile(said.act, line) for said in DECLARED.values() for line in said.lines)
_BY_ACT: dict[type[AnyAct], list[_Pattern]] = {}
_BY_VERB: dict[str, list[_Pattern]] = {}
for _pattern in _PATTERNS:
    _BY_ACT.setdefault(_pattern.act, []).append(_pattern)
    _BY_VERB.setdefault(_pattern.verb, []).append(_pattern)

_OWN_WORDS = ("reason", "about", "ruling", "barred", "why")
TEXTS: Mapping[type[AnyAct], tuple[str, ...]] = {
    act: tuple(name for name in _OWN_WORDS if name in act.__struct_fields__)
    for act in _BY_ACT
    if set(_OWN_WORDS) & set(act.__struct_fields__)
}
"""In which fields of an act somebody says something in their own words."""

PLAYER_VERBS = tuple(dict.fromkeys(p.verb for p in _PATTERNS if p.who == "<player>"))
DEALER_VERBS = tuple(dict.fromkeys(p.verb for p in _PATTERNS if p.who in ("dealer", "<by>")))
STAFF_VERBS = tuple(dict.fromkeys(p.verb for p in _PATTERNS if p.who == "<by>"))


def usages() -> tuple[str, ...]:
    """Every kind of line, for help and documentation."""
    return tuple(pattern.usage for pattern in _PATTERNS)


# --- reading ---------------------------------------------------------------------------------------------------------


def parse_line(text: str) -> tuple[AnyAct, str | None]:
    """A whole play line: the draft of its act, and the clause by which it must be refused."""
    said, arrow, clause = text.partition("=>")
    if not arrow:
        return parse(said), None
    word, _, wanted = clause.strip().partition(" ")
    wanted = " ".join(wanted.split())
    if word != "refused" or not wanted or len(wanted) > 60 or not wanted.isprintable():
        raise RecordError(f"{quoted(text)}: after => write refused and a clause, as in => refused 12.1")
    return parse(said), wanted


def parse(text: str) -> AnyAct:
    """The draft of an act; raises `RecordError` with what would have been right."""
    if len(text) > LONGEST_LINE:
        raise RecordError(f"{quoted(text)}: longer than {LONGEST_LINE} characters, no play line is")
    words = text.split()
    if len(words) < 2:
        raise RecordError(f"{quoted(text)}: a line says who does what, as in alice hits on 1")
    who, verb, *rest = words
    problem = _problem_with_who(who)
    if problem:
        raise RecordError(f"{quoted(text)}: {problem}")
    candidates = [pattern for pattern in _BY_VERB.get(verb, ()) if _who_fits(pattern, who)]
    if not candidates:
        raise RecordError(f"{quoted(text)}: {_no_such_act(who, verb)}")
    deepest = -1
    complaint = ""
    for pattern in candidates:
        try:
            return _match(pattern, who, rest)
        except _MismatchError as mismatch:
            if mismatch.depth > deepest:
                deepest, complaint = mismatch.depth, f"{mismatch.reason}. Write: {pattern.usage}"
    raise RecordError(f"{quoted(text)}: {complaint}")


def _problem_with_who(who: str) -> str:
    if who in STAFF or who in (SUPERVISOR, LINK, HOUSE):
        return ""
    try:
        check_name(who)
    except RecordError as error:
        return error.reason
    return ""


def _who_fits(pattern: _Pattern, who: str) -> bool:
    if pattern.who == "<player>":
        return is_name(who)
    if pattern.who == "<by>":
        return who in STAFF
    return pattern.who == who


def _no_such_act(who: str, verb: str) -> str:
    if who == "dealer":
        known: tuple[str, ...] = DEALER_VERBS
    elif who in STAFF:
        known = STAFF_VERBS
    elif who == SUPERVISOR:
        known = ("cuts",)
    elif who == LINK:
        known = ("sets", "pays")
    elif who == HOUSE:
        known = ("tells", "turns")
    else:
        known = PLAYER_VERBS
    if verb in _BY_VERB:
        others = sorted({_in_words(pattern.who) for pattern in _BY_VERB[verb]})
        return f"{verb} is not for {who}, but for {' or '.join(others)}. Known: {_listed(known)}"
    return f"no such act. Known: {_listed(known)}"


def _listed(verbs: tuple[str, ...]) -> str:
    """Verbs, as far as one sentence can name them."""
    more = f" and {len(verbs) - VERBS_NAMED} more" if len(verbs) > VERBS_NAMED else ""
    return ", ".join(verbs[:VERBS_NAMED]) + more


def _in_words(who: str) -> str:
    return {"<player>": "a player", "<by>": "staff"}.get(who, f"the {who}")


class _MismatchError(Exception):
    def __init__(self, depth: int, reason: str) -> None:
        super().__init__(reason)
        self.depth = depth
        self.reason = reason


def _match(pattern: _Pattern, who: str, rest: list[str]) -> AnyAct:
    fields: dict[str, Any] = dict(pattern.form.said)
    if pattern.who.startswith("<"):
        fields[pattern.who[1:-1]] = who
    place = 0
    skipped = ""
    for part in pattern.parts:
        if part.optional and not _begins(part, rest, place):
            skipped = skipped or _why_not(part, rest, place)
            continue
        place = _take(pattern, part, rest, place, fields)
        skipped = ""
    if place < len(rest):
        reason = skipped or f"{quoted(' '.join(rest[place:]))} is left over"
        raise _MismatchError(place, reason)
    return _build(pattern, fields)


def _begins(part: _Part, rest: list[str], place: int) -> bool:
    """Whether an optional part is what comes next: its first word decides."""
    if place >= len(rest):
        return False
    first = part.words[0]
    if not first.startswith("<"):
        return rest[place] == first
    if first == "<kind>":
        return rest[place] in KINDS
    return rest[place] not in ("on", "because")


def _why_not(part: _Part, rest: list[str], place: int) -> str:
    """Why an optional wager's name was not taken, if the next word may have been meant as one."""
    if part.words[0] == "<kind>" and place < len(rest) and rest[place] not in ("with", "unnoticed", "on"):
        return f"{quoted(rest[place])} is none of {', '.join(KINDS)}"
    return ""


def _take(pattern: _Pattern, part: _Part, rest: list[str], place: int, fields: dict[str, Any]) -> int:
    for word in part.words:
        if not word.startswith("<"):
            if place >= len(rest) or rest[place] != word:
                found = quoted(rest[place]) if place < len(rest) else "the end of the line"
                raise _MismatchError(place, f"expected {quoted(word)} and found {found}")
            if word in pattern.form.flags:
                name, value = pattern.form.flags[word]
                fields[name] = value
            place += 1
            continue
        name = word[1:-1]
        slot = _SLOTS[name]
        if place >= len(rest):
            raise _MismatchError(place, f"{slot.shown} is missing")
        end = _end_of_many(name, rest, place) if name.endswith("...") else place + 1
        try:
            fields[name.removesuffix("...")] = slot.read(" ".join(rest[place:end]))
        except _UnfitError as unfit:
            raise _MismatchError(place + 1, str(unfit)) from None
        place = end
    return place


def _end_of_many(name: str, rest: list[str], place: int) -> int:
    """Where a slot of several words ends: boxes before `for`, names before a reason, a reason with the line."""
    because = ("because",)
    stops = {"boxes...": ("for",), "places...": ("noticed", "during", *because), "forfeit...": because}.get(name, ())
    found = [rest.index(stop, place) for stop in stops if stop in rest[place:]]
    return max(min(found), place + 1) if found else len(rest)


def _build(pattern: _Pattern, fields: dict[str, Any]) -> AnyAct:
    act = pattern.act
    names = act.__struct_fields__
    if "box" in names:
        fields.setdefault("box", UNSAID_BOX)
    if "order" in names:
        fields.setdefault("order", ())
    if fields.get("token_cents", 0) > fields.get("cents", 0):
        raise _MismatchError(len(names), "more in tokens than the whole wager")
    return act(**fields)


# --- writing ---------------------------------------------------------------------------------------------------------


def format_act(act: AnyAct) -> str:
    """The line that says this act; a shuffle's order stands in the record's cards."""
    for pattern in _BY_ACT.get(type(act), ()):
        if all(getattr(act, name) == value for name, value in pattern.form.said.items()):
            if pattern.who == "<player>" and not is_name(cast(Any, act).player):
                continue
            return " ".join(_written(pattern, act))
    raise RecordError(f"no play line says {type(act).__name__}")


def format_line(act: AnyAct, refused: str | None) -> str:
    return f"{format_act(act)} {REFUSED} {refused}" if refused else format_act(act)


def _written(pattern: _Pattern, act: AnyAct) -> Iterable[str]:
    yield str(getattr(act, pattern.who[1:-1])) if pattern.who.startswith("<") else pattern.who
    yield pattern.verb
    for part in pattern.parts:
        if part.optional and not _is_said(pattern, part, act):
            continue
        for word in part.words:
            if word.startswith("<"):
                name = word[1:-1]
                yield _SLOTS[name].write(getattr(act, name.removesuffix("...")))
            else:
                yield word


def _is_said(pattern: _Pattern, part: _Part, act: AnyAct) -> bool:
    """Whether an optional part has something to say: its field is not at its default."""
    for word in part.words:
        if word in pattern.form.flags:
            name, value = pattern.form.flags[word]
            return bool(getattr(act, name) == value)
        if word.startswith("<"):
            name = word[1:-1].removesuffix("...")
            default = UNSAID_BOX if name == "box" else _default(type(act), name)
            return bool(getattr(act, name) != default)
    return True


@cache
def _default(act: type[AnyAct], name: str) -> object:
    for known in msgspec.structs.fields(act):
        if known.name == name:
            return known.default
    raise LookupError(name)
