"""Whole tournaments as records: conditions, acts and what must come of them, in TOML, read, written and replayed.

A record is data; whoever has a file reads it elsewhere and hands the tables in. Chance comes in too: `shuffle` draws
the order of a stage from its seed, as `pitboss.chance.shuffled` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

import msgspec

from pitboss.basics.money import dollars, plain_dollars
from pitboss.papers.lines import (
    PaperError,
    amounts_toml,
    fields_of,
    signed_cents,
    tell_event,
    told_field,
    toml,
    unusual,
    word_of,
)
from pitboss.rulebooks.clauses import cite, is_within
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import AnyTournamentAct, TournamentAct
from pitboss.tournament.conditions import Conditions, ConditionsError
from pitboss.tournament.conditions import read as read_conditions
from pitboss.tournament.deciding import Case, Events
from pitboss.tournament.engine import decide, evolve
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.sessions import digest_of, seed_of, who_plays
from pitboss.tournament.state import Tournament

Shuffle: TypeAlias = Callable[[Sequence[str], str], tuple[str, ...]]
ACTS_MAX = 200_000


TournamentRecordError = PaperError
"""A record that cannot be read."""


class Step(msgspec.Struct, frozen=True):
    """One act of a record, and the clause by which it must be refused where it must be."""

    act: TournamentAct
    refused: str = ""


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must hold at the end: only what is said is looked at."""

    status: str | None = None
    places: dict[str, int] = {}
    prizes: dict[str, int] = {}
    accounts: dict[str, int] = {}
    chips: dict[str, int] = {}
    """The accounts of tournament chips."""
    people: dict[str, str] = {}
    """The status of entrants."""


class TournamentRecord(msgspec.Struct, frozen=True):
    title: str
    conditions: Conditions
    steps: tuple[Step, ...]
    clauses: tuple[str, ...] = ()
    expect: Expect = Expect()


# --- the vocabulary --------------------------------------------------------------------------------------------------


VOCABULARY: Mapping[str, type[TournamentAct]] = {word_of(kind): kind for kind in get_args(AnyTournamentAct)}
PLAYERS_OWN = (ta.Apply, ta.SignAgreement, ta.WithdrawEntry, ta.ComeToSeat, ta.RaiseDispute)
"""Acts that a player does, unless `by` says otherwise; all others are the manager's."""
IN_DOLLARS = frozenset({"cents"})
BY_NAME_IN_DOLLARS = frozenset({"chips", "wagers"})


def usual_role(kind: type[TournamentAct]) -> str:
    return ta.PLAYER if kind in PLAYERS_OWN else ta.MANAGER


# --- reading ---------------------------------------------------------------------------------------------------------


def read(data: Mapping[str, Any], rulebook_ids: tuple[str, ...]) -> TournamentRecord:
    """A record from the tables of a TOML file."""
    for key in data:
        if key not in ("title", "clauses", "conditions", "acts", "expect"):
            raise TournamentRecordError(f"{key}: no such key; known: title, clauses, conditions, acts, expect")
    title, clauses = data.get("title", ""), data.get("clauses", [])
    if not isinstance(title, str) or not title.strip():
        raise TournamentRecordError('title: a record has a title; write title = "..."')
    if not isinstance(clauses, list) or not all(isinstance(each, str) for each in clauses):
        raise TournamentRecordError('clauses: write a list of clauses, as in ["20.10.4"]')
    if not isinstance(data.get("conditions"), Mapping):
        raise TournamentRecordError("conditions: write the conditions of the tournament in [conditions]")
    try:
        conditions = read_conditions(data["conditions"], rulebook_ids)
    except ConditionsError as error:
        raise TournamentRecordError(f"conditions.{error}") from None
    said = data.get("acts", [])
    if not isinstance(said, list) or len(said) > ACTS_MAX:
        raise TournamentRecordError(f"acts: write a list of at most {ACTS_MAX} acts")
    steps = tuple(_step(each, f"acts[{at}]", conditions) for at, each in enumerate(said, start=1))
    return TournamentRecord(title, conditions, steps, tuple(clauses), _expect(data.get("expect", {})))


def _expect(data: Any) -> Expect:
    try:
        expect = msgspec.convert(
            {
                key: _amounts(value, f"expect.{key}") if key in ("prizes", "accounts", "chips") else value
                for key, value in data.items()
            },
            Expect,
        )
    except (msgspec.ValidationError, AttributeError) as error:
        raise TournamentRecordError(f"expect: {error}") from None
    return expect


def _step(said: Any, place: str, conditions: Conditions) -> Step:
    if not isinstance(said, Mapping) or not isinstance(said.get("act"), str):
        raise TournamentRecordError(f'{place}: write an act as {{ act = "apply", name = "alice", ... }}')
    refused = said.get("refused", "")
    if not isinstance(refused, str):
        raise TournamentRecordError(f'{place}.refused: write the clause, as in refused = "20.4.1"')
    return Step(read_act({k: v for k, v in said.items() if k != "refused"}, place, conditions), refused)


def read_act(said: Mapping[str, Any], place: str, conditions: Conditions) -> TournamentAct:
    """One act; amounts are dollars, and what is left out is what it usually is."""
    kind = VOCABULARY.get(str(said["act"]))
    if kind is None:
        raise TournamentRecordError(f"{place}: there is no act {said['act']!r}; known: {', '.join(VOCABULARY)}")
    fields = fields_of(kind)
    found: dict[str, Any] = {"by": usual_role(kind)}
    for key, value in said.items():
        if key == "act":
            continue
        if key not in fields:
            known = ", ".join(fields) or "none"
            raise TournamentRecordError(f"{place}: {said['act']} says nothing of {key!r}; it has {known}")
        found[key] = _value(key, value, f"{place}.{key}")
    if kind in (ta.OpenEntries, ta.ChangeConditions) and "conditions" not in found:
        found["conditions"] = conditions
    if kind is ta.DrawSeats:
        found.setdefault("order", ())
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise TournamentRecordError(f"{place}: {said['act']}: {error}") from None


def _value(key: str, value: Any, place: str) -> Any:
    if key in IN_DOLLARS:
        return signed_cents(value, place)
    if key in BY_NAME_IN_DOLLARS:
        return _amounts(value, place)
    if key == "missing" and isinstance(value, Mapping):
        return {signed_cents(chip, place): pieces for chip, pieces in value.items()}
    return value


def _amounts(value: Any, place: str) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise TournamentRecordError(f"{place}: write amounts by name, as in {{ alice = 1000 }}")
    return {name: signed_cents(amount, f"{place}.{name}") for name, amount in value.items()}


# --- writing ---------------------------------------------------------------------------------------------------------


def write_act(act: TournamentAct, refused: str = "") -> str:
    """An act as one line of a record: what is usual is left out."""
    said = [f'act = "{word_of(type(act))}"']
    for name, value in unusual(act, usual_role(type(act))):
        if name not in ("conditions", "order"):  # the order follows from the secret
            said.append(f"{name} = {_toml(name, value)}")
    if refused:
        said.append(f'refused = "{refused}"')
    return "{ " + ", ".join(said) + " }"


def _toml(name: str, value: Any) -> str:
    if name in IN_DOLLARS:
        return plain_dollars(value)
    if name in BY_NAME_IN_DOLLARS:
        return amounts_toml(value)
    if name == "missing":
        return "{ " + ", ".join(f'"{plain_dollars(chip)}" = {pieces}' for chip, pieces in value.items()) + " }"
    return toml(value)


# --- replaying -------------------------------------------------------------------------------------------------------


class Replayed(msgspec.Struct, frozen=True):
    """What came of one act."""

    number: int
    act: TournamentAct
    events: Events = ()
    refusal: Refusal | None = None


class Result(msgspec.Struct, frozen=True):
    """What came of a record: every step, where it ended, and what did not hold."""

    record: TournamentRecord
    rulebook: Rulebook
    steps: tuple[Replayed, ...]
    state: Tournament
    failures: tuple[str, ...]

    @property
    def events(self) -> Iterator[TournamentEvent]:
        return (event for step in self.steps for event in step.events)


def whole(rulebook: Rulebook, state: Tournament, act: TournamentAct, shuffle: Shuffle) -> TournamentAct:
    """A draw with the order that follows from its secret; any other act as it is."""
    if not isinstance(act, ta.DrawSeats) or act.order:
        return act
    case = Case(rulebook, state)
    stage = case.conditions.stage(act.stage)
    names = who_plays(case, stage) if stage is not None else ()
    return msgspec.structs.replace(act, order=shuffle(names, seed_of(act.secret, act.stage, names)) if names else ())


def replay(record: TournamentRecord, rulebook: Rulebook, shuffle: Shuffle) -> Result:
    """Decide every act again; a draw whose order does not follow from its secret fails."""
    state, steps, failures = Tournament(), list[Replayed](), list[str]()
    for number, step in enumerate(record.steps, start=1):
        act = whole(rulebook, state, step.act, shuffle)
        if isinstance(step.act, ta.DrawSeats) and step.act.order:
            drawn = whole(rulebook, state, msgspec.structs.replace(step.act, order=()), shuffle)
            if isinstance(drawn, ta.DrawSeats) and drawn.order != step.act.order:
                failures.append(f"acts[{number}]: the order of {step.act.stage} does not follow from its secret")
        decided = decide(rulebook, state, act)
        if isinstance(decided, Refusal):
            steps.append(Replayed(number, act, refusal=decided))
            if not step.refused:
                failures.append(f"acts[{number}]: {word_of(type(act))} was refused: {decided}")
            elif step.refused != "*" and not any(is_within(clause, step.refused) for clause in decided.clauses):
                failures.append(f"acts[{number}]: refused by {cite(decided.clauses)}, not by {step.refused}")
            continue
        if step.refused:
            failures.append(f"acts[{number}]: {word_of(type(act))} was allowed, and {step.refused} should refuse it")
        state = evolve(state, decided)
        steps.append(Replayed(number, act, decided))
    failures += _differences(record.expect, state)
    return Result(record, rulebook, tuple(steps), state, tuple(failures))


def _differences(expect: Expect, state: Tournament) -> Iterator[str]:
    if expect.status is not None and expect.status != state.status:
        yield f"expect.status: {state.status}, not {expect.status}"
    people = state.entrants
    for name, place in expect.places.items():
        if name not in people or people[name].place != place:
            yield f"expect.places.{name}: {people[name].place if name in people else 'nobody'}, not {place}"
    for name, status in expect.people.items():
        if name not in people or people[name].status != status:
            yield f"expect.people.{name}: {people[name].status if name in people else 'nobody'}, not {status}"
    for name, cents in expect.prizes.items():
        won = people[name].prize_cents if name in people else 0
        if won != cents:
            yield f"expect.prizes.{name}: {dollars(won)}, not {dollars(cents)}"
    for what, known, wanted in (
        ("accounts", state.accounts, expect.accounts),
        ("chips", state.chip_accounts, expect.chips),
    ):
        for account, cents in wanted.items():
            if known.get(account, 0) != cents:
                yield f"expect.{what}.{account}: {dollars(known.get(account, 0))}, not {dollars(cents)}"


# --- telling ---------------------------------------------------------------------------------------------------------


def tell(event: TournamentEvent, rulebook: Rulebook) -> str:
    """An event in one line, with its clauses."""
    return tell_event(event, rulebook, _told, frozenset({"clauses", "conditions"}))


def _told(name: str, value: Any) -> str:
    if name == "secret" and value:
        return f"secret {digest_of(value)[:12]}"
    return told_field(name, value, frozenset({"chips", "differs"}))
