"""Whole promotions as records: terms, acts and what must come of them, in TOML, read, written and replayed.

A record is data; whoever has a file reads it elsewhere and hands the tables in. Chance comes in too: `shuffle` draws
the order of the entries from its seed, as `pitboss.chance.shuffled` does.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

import msgspec

from pitboss.basics.money import dollars, plain_dollars
from pitboss.papers.lines import PaperError, fields_of, signed_cents, tell_event, told_field, toml, unusual, word_of
from pitboss.papers.replaying import walk
from pitboss.papers.tables import ConditionsError
from pitboss.promotions import acts as pa
from pitboss.promotions.acts import AnyPromotionAct, PromotionAct
from pitboss.promotions.clocks import shown
from pitboss.promotions.conditions import Conditions
from pitboss.promotions.conditions import read as read_conditions
from pitboss.promotions.deciding import Events
from pitboss.promotions.drawing import digest_of, entries_of, seed_of
from pitboss.promotions.engine import decide, evolve
from pitboss.promotions.events import PromotionEvent
from pitboss.promotions.state import Promotion, due
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal

Shuffle: TypeAlias = Callable[[Sequence[str], str], tuple[str, ...]]
ACTS_MAX = 200_000
KEYS = ("title", "clauses", "conditions", "amended", "acts", "expect")


class Step(msgspec.Struct, frozen=True):
    """One act of a record, and the clause by which it must be refused where it must be."""

    act: PromotionAct
    refused: str = ""


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must hold at the end: only what is said is looked at."""

    status: str | None = None
    winners: dict[str, str] = {}
    """Who has won which prize."""
    prizes: dict[str, str] = {}
    """What became of a prize: won, awarded, denied, set aside."""
    due: list[str] | None = None
    """The keys of what is still to be done."""
    late: list[str] | None = None
    """The keys of what was done late."""
    kept: list[str] | None = None
    """Whose denied claims are kept with all details."""
    vouchers: dict[str, int] = {}


class PromotionRecord(msgspec.Struct, frozen=True):
    title: str
    conditions: Conditions
    steps: tuple[Step, ...]
    clauses: tuple[str, ...] = ()
    expect: Expect = Expect()
    amended: dict[str, Conditions] = {}
    """Terms as they are amended, by a name that an act says."""


# --- the vocabulary --------------------------------------------------------------------------------------------------

VOCABULARY: Mapping[str, type[PromotionAct]] = {word_of(kind): kind for kind in get_args(AnyPromotionAct)}
PLAYERS_OWN = (pa.Enter, pa.ClaimPrize, pa.RaiseDispute, pa.NotSatisfied)
"""Acts that a patron does, unless `by` says otherwise; all others are the manager's."""
IN_DOLLARS = frozenset({"cents", "wagered"})


def usual_role(kind: type[PromotionAct]) -> str:
    return pa.PLAYER if kind in PLAYERS_OWN else pa.MANAGER


def said_fields(kind: type[PromotionAct]) -> dict[str, Any]:
    """What an act says in a record, by name, with its type: the conditions are the record's own."""
    return {"wagered" if name == "wagered_cents" else name: of for name, of in fields_of(kind).items()}


# --- reading ---------------------------------------------------------------------------------------------------------


def read(data: Mapping[str, Any], rulebook_ids: tuple[str, ...]) -> PromotionRecord:
    """A record from the tables of a TOML file."""
    for key in data:
        if key not in KEYS:
            raise PaperError(f"{key}: no such key; known: {', '.join(KEYS)}")
    title, clauses = data.get("title", ""), data.get("clauses", [])
    if not isinstance(title, str) or not title.strip():
        raise PaperError('title: a record has a title; write title = "..."')
    if not isinstance(clauses, list) or not all(isinstance(each, str) for each in clauses):
        raise PaperError('clauses: write a list of clauses, as in ["21.8"]')
    if not isinstance(data.get("conditions"), Mapping):
        raise PaperError("conditions: write the terms of the promotion in [conditions]")
    conditions = _conditions(data["conditions"], "conditions", rulebook_ids)
    amended = _amended(data, rulebook_ids)
    said = data.get("acts", [])
    if not isinstance(said, list) or len(said) > ACTS_MAX:
        raise PaperError(f"acts: write a list of at most {ACTS_MAX} acts")
    steps = tuple(_step(each, f"acts[{at}]", conditions, amended) for at, each in enumerate(said, start=1))
    return PromotionRecord(title, conditions, steps, tuple(clauses), _expect(data.get("expect", {})), amended)


def _conditions(data: Mapping[str, Any], place: str, rulebook_ids: tuple[str, ...]) -> Conditions:
    try:
        return read_conditions(data, rulebook_ids)
    except ConditionsError as error:
        raise PaperError(f"{place}.{error}") from None


def _amended(data: Mapping[str, Any], rulebook_ids: tuple[str, ...]) -> dict[str, Conditions]:
    """``[amended.NAME]`` says what is changed in the terms, table by table; lists are given whole."""
    found: dict[str, Conditions] = {}
    changes = data.get("amended", {})
    if not isinstance(changes, Mapping) or not all(isinstance(each, Mapping) for each in changes.values()):
        raise PaperError("amended: write what changes in [amended.NAME]")
    for name, changed in changes.items():
        whole = dict(data["conditions"])
        for key, value in changed.items():
            old = whole.get(key)
            whole[key] = {**old, **value} if isinstance(old, Mapping) and isinstance(value, Mapping) else value
        found[name] = _conditions(whole, f"amended.{name}", rulebook_ids)
    return found


def _expect(data: Any) -> Expect:
    if not isinstance(data, Mapping):
        raise PaperError("expect: must be a table, as [expect]")
    said = dict(data)
    if isinstance(said.get("vouchers"), Mapping):
        said["vouchers"] = {
            name: signed_cents(each, f"expect.vouchers.{name}") for name, each in said["vouchers"].items()
        }
    try:
        return msgspec.convert(said, Expect)
    except msgspec.ValidationError as error:
        raise PaperError(f"expect: {error}") from None


def _step(said: Any, place: str, conditions: Conditions, amended: Mapping[str, Conditions]) -> Step:
    if not isinstance(said, Mapping) or not isinstance(said.get("act"), str):
        raise PaperError(f'{place}: write an act as {{ act = "enter", name = "alice", at = ... }}')
    refused = said.get("refused", "")
    if not isinstance(refused, str):
        raise PaperError(f'{place}.refused: write the clause, as in refused = "21.4"')
    return Step(read_act({k: v for k, v in said.items() if k != "refused"}, place, conditions, amended), refused)


def read_act(
    said: Mapping[str, Any], place: str, conditions: Conditions, amended: Mapping[str, Conditions] | None = None
) -> PromotionAct:
    """One act; amounts are dollars, and what is left out is what it usually is."""
    kind = VOCABULARY.get(str(said["act"]))
    if kind is None:
        raise PaperError(f"{place}: there is no act {said['act']!r}; known: {', '.join(VOCABULARY)}")
    fields = said_fields(kind)
    found: dict[str, Any] = {"by": usual_role(kind)}
    for key, value in said.items():
        if key == "act":
            continue
        if key not in fields:
            raise PaperError(f"{place}: {said['act']} says nothing of {key!r}; it has {', '.join(fields)}")
        if key in IN_DOLLARS:
            found["wagered_cents" if key == "wagered" else key] = signed_cents(value, f"{place}.{key}")
        elif key == "conditions":
            found[key] = _named(value, place, amended or {})
        else:
            found[key] = value
    if kind is pa.OfferPromotion:
        found.setdefault("conditions", conditions)
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise PaperError(f"{place}: {said['act']}: {error}") from None


def _named(name: Any, place: str, amended: Mapping[str, Conditions]) -> Conditions:
    found = amended.get(name) if isinstance(name, str) else None
    if found is None:
        known = ", ".join(amended) or "none"
        raise PaperError(f"{place}.conditions: name terms in [amended.NAME]; there are {known}")
    return found


# --- writing ---------------------------------------------------------------------------------------------------------


def write_act(act: PromotionAct, refused: str = "", amended: str = "") -> str:
    """An act as one line of a record: what is usual is left out; amended terms are said by their name."""
    said = [f'act = "{word_of(type(act))}"']
    for name, value in unusual(act, usual_role(type(act))):
        if name == "order":
            continue  # it follows from the secret
        if name == "conditions":
            said += [f"conditions = {toml(amended)}"] if amended else []
        elif name == "wagered_cents":
            said.append(f"wagered = {plain_dollars(value)}")
        else:
            said.append(f"{name} = {plain_dollars(value) if name in IN_DOLLARS else toml(value)}")
    if refused:
        said.append(f'refused = "{refused}"')
    return "{ " + ", ".join(said) + " }"


# --- replaying -------------------------------------------------------------------------------------------------------


class Replayed(msgspec.Struct, frozen=True):
    """What came of one act."""

    number: int
    act: PromotionAct
    events: Events = ()
    refusal: Refusal | None = None


class Result(msgspec.Struct, frozen=True):
    """What came of a record: every step, where it ended, and what did not hold."""

    record: PromotionRecord
    rulebook: Rulebook
    steps: tuple[Replayed, ...]
    state: Promotion
    failures: tuple[str, ...]

    @property
    def events(self) -> Iterator[PromotionEvent]:
        return (event for step in self.steps for event in step.events)


def whole(state: Promotion, act: PromotionAct, shuffle: Shuffle) -> PromotionAct:
    """A draw with the order that follows from its secret; any other act as it is."""
    if not isinstance(act, pa.DrawWinners) or act.order:
        return act
    entries = entries_of(state, act.draw)
    order = shuffle(entries, seed_of(act.secret, act.word, act.draw, entries)) if entries else ()
    return msgspec.structs.replace(act, order=order)


def replay(record: PromotionRecord, rulebook: Rulebook, shuffle: Shuffle) -> Result:
    """Decide every act again; a draw whose order does not follow from its secret fails."""
    found = walk(
        record.steps,
        Promotion(),
        lambda state, act: whole(state, act, shuffle),
        lambda act: act.draw if isinstance(act, pa.DrawWinners) and act.order else "",
        lambda state, act: decide(rulebook, state, act),
        evolve,
    )
    failures = [*found.failures, *_differences(record.expect, found.state)]
    return Result(record, rulebook, tuple(Replayed(*each) for each in found.steps), found.state, tuple(failures))


def _differences(expect: Expect, state: Promotion) -> Iterator[str]:
    if expect.status is not None and expect.status != state.status:
        yield f"expect.status: {state.status}, not {expect.status}"
    for prize, name in expect.winners.items():
        won = state.wins[prize].name if prize in state.wins else "nobody"
        if won != name:
            yield f"expect.winners.{prize}: {won}, not {name}"
    for prize, status in expect.prizes.items():
        stands = state.wins[prize].status if prize in state.wins else "not won"
        if stands != status:
            yield f"expect.prizes.{prize}: {stands}, not {status}"
    for key, wanted, found in (
        ("due", expect.due, [each.key for each in due(state)]),
        ("late", expect.late, [each.key for each in state.duties.values() if each.late]),
        ("kept", expect.kept, [each.name for each in state.denied if each.kept]),
    ):
        if wanted is not None and sorted(wanted) != sorted(found):
            yield f"expect.{key}: {', '.join(found) or 'nothing'}, not {', '.join(wanted) or 'nothing'}"
    for name, cents in expect.vouchers.items():
        if state.vouchers.get(name, 0) != cents:
            yield f"expect.vouchers.{name}: {dollars(state.vouchers.get(name, 0))}, not {dollars(cents)}"


# --- telling ---------------------------------------------------------------------------------------------------------

BARE = frozenset({"name", "prize", "draw", "what", "why", "ruling", "reference", "where", "material", "key"})


def tell(event: PromotionEvent, rulebook: Rulebook) -> str:
    """An event in one line: when it happened by the house's clocks, what, and by which clauses."""
    zone = rulebook.patrons.zone.value

    def told(name: str, value: Any) -> str:
        if isinstance(value, datetime.datetime):
            return f"{name} {shown(zone, value)}"
        if name == "secret" and value:
            return f"secret {digest_of(value)[:12]}"
        if name == "digest":
            return f"digest {value[:12]}"
        return told_field(name, value, frozenset(), BARE)

    hidden = frozenset({"clauses", "conditions", "at", "draws"})
    return f"{shown(zone, event.at)}: {tell_event(event, rulebook, told, hidden)}"
