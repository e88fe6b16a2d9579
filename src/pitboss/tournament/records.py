"""Whole tournaments as records: conditions, acts and what must come of them, in TOML, read, written and replayed.

A record is data; whoever has a file reads it elsewhere and hands the tables in. Chance comes in too: `shuffle` draws
the order of a stage from its seed, as `pitboss.chance.shuffled` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

import msgspec

from pitboss.basics.cards import Card, CardError, format_cards, parse_cards
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
from pitboss.papers.tables import plainly
from pitboss.rulebooks.clauses import cite, is_within
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.acts import Act
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.state import Table
from pitboss.table.telling import tell as tell_at_table
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import AnyTournamentAct, TournamentAct
from pitboss.tournament.conditions import Conditions, ConditionsError, alterations, altered, moved
from pitboss.tournament.conditions import read as read_conditions
from pitboss.tournament.deciding import Case, Events
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.playing import AtTable, Lines, Room
from pitboss.tournament.sessions import digest_of, seed_of, who_plays
from pitboss.tournament.state import Tournament

Shuffle: TypeAlias = Callable[[Sequence[str], str], tuple[str, ...]]
ACTS_MAX = 200_000


TournamentRecordError = PaperError
"""A record that cannot be read."""


class PlayLine(msgspec.Struct, frozen=True):
    """One play line, as in a round's record: its act, and the clause by which it must be refused."""

    text: str
    act: Act
    refused: str = ""


class PlayAt(msgspec.Struct, frozen=True):
    """What is played at a table: cards that come next there, and play lines."""

    table: str
    cards: tuple[Card, ...]
    lines: tuple[PlayLine, ...]


class Step(msgspec.Struct, frozen=True):
    """One act of a record, and the clause by which it must be refused where it must be."""

    act: TournamentAct | PlayAt
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
    told: tuple[str, ...] = ()
    """Words that stand in one line of what is told."""


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
PLAY = "play"
"""What is no act of the tournament, but played at one of its tables."""
IN_DOLLARS = frozenset({"cents"})
BY_NAME_IN_DOLLARS = frozenset({"chips", "wagers"})


def usual_role(kind: type[TournamentAct]) -> str:
    return ta.PLAYER if kind in PLAYERS_OWN else ta.MANAGER


# --- reading ---------------------------------------------------------------------------------------------------------


def read(data: Mapping[str, Any], rulebook_ids: tuple[str, ...], lines: Lines | None = None) -> TournamentRecord:
    """A record from the tables of a TOML file; `lines` reads play lines, where it has some."""
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
    steps: list[Step] = []
    current = conditions
    for at, each in enumerate(said, start=1):
        steps.append(read_step(each, f"acts[{at}]", current, lines))
        current = _published(current, steps[-1])
    return TournamentRecord(title, conditions, tuple(steps), tuple(clauses), _expect(data.get("expect", {})))


def _published(conditions: Conditions, step: Step) -> Conditions:
    """The conditions after a step, which a later change is a change of."""
    if step.refused or not isinstance(step.act, (ta.ChangeConditions, ta.MoveStart)):
        return conditions
    if isinstance(step.act, ta.ChangeConditions):
        return step.act.conditions
    return moved(conditions, step.act.stage, step.act.start)


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
        raise TournamentRecordError(f"expect: {plainly(str(error))}") from None
    return expect


def read_step(said: Any, place: str, conditions: Conditions, lines: Lines | None = None) -> Step:
    """One entry of a record's acts."""
    if not isinstance(said, Mapping) or not isinstance(said.get("act"), str):
        raise TournamentRecordError(f'{place}: write an act as {{ act = "apply", name = "alice", ... }}')
    refused = said.get("refused", "")
    if not isinstance(refused, str):
        raise TournamentRecordError(f'{place}.refused: write the clause, as in refused = "20.4.1"')
    if said["act"] == PLAY:
        return Step(_read_play(said, place, lines), refused)
    return Step(read_act({k: v for k, v in said.items() if k != "refused"}, place, conditions), refused)


def _read_play(said: Mapping[str, Any], place: str, lines: Lines | None) -> PlayAt:
    """``{ act = "play", table = "T1", cards = "6s 9h ...", lines = ["alice bets 25", ...] }``"""
    for key in said:
        if key not in ("act", "table", "cards", "lines", "refused"):
            raise TournamentRecordError(f"{place}: {PLAY} says nothing of {key!r}; it has table, cards, lines")
    table, cards, texts = said.get("table"), said.get("cards", ""), said.get("lines")
    if not isinstance(table, str) or not isinstance(cards, str):
        raise TournamentRecordError(f'{place}: write table = "T1" and cards = "6s 9h ..."')
    if not isinstance(texts, list) or not texts or not all(isinstance(each, str) for each in texts):
        raise TournamentRecordError(f'{place}.lines: write play lines, as in ["alice bets 25", "dealer deals"]')
    if lines is None:
        raise TournamentRecordError(f"{place}: play lines cannot be read here")
    try:
        dealt = parse_cards(cards)
    except CardError as error:
        raise TournamentRecordError(f"{place}.cards: {error}") from None
    found = []
    for at, text in enumerate(texts, start=1):
        try:
            act, refused = lines(text)
        except ValueError as error:
            raise TournamentRecordError(f"{place}.lines[{at}]: {error}") from None
        found.append(PlayLine(text, act, refused or ""))
    return PlayAt(table, dealt, tuple(found))


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
    if kind is ta.ChangeConditions and "conditions" in found:
        found["conditions"] = _altered(conditions, found["conditions"], f"{place}.conditions")
    if kind in (ta.OpenEntries, ta.ChangeConditions) and "conditions" not in found:
        found["conditions"] = conditions
    if kind is ta.DrawSeats:
        found.setdefault("order", ())
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        raise TournamentRecordError(f"{place}: {said['act']}: {error}") from None


def _altered(conditions: Conditions, said: Any, place: str) -> Conditions:
    try:
        return altered(conditions, said)
    except ConditionsError as error:
        raise TournamentRecordError(f"{place}.{error}") from None


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


def with_step(record: TournamentRecord, act: TournamentAct | PlayAt) -> TournamentRecord:
    """The record with one more act, and nothing expected of it."""
    return msgspec.structs.replace(record, steps=(*record.steps, Step(act)), expect=Expect())


# --- writing ---------------------------------------------------------------------------------------------------------


def write_act(act: TournamentAct | PlayAt, refused: str = "", published: Conditions | None = None) -> str:
    """An act as one line of a record: what is usual is left out; changed conditions as what differs from those
    published."""
    if isinstance(act, PlayAt):
        texts = ", ".join(toml(line.text) for line in act.lines)
        cards = f"cards = {toml(format_cards(act.cards))}, " if act.cards else ""
        ends = f', refused = "{refused}"' if refused else ""
        return f'{{ act = "{PLAY}", table = {toml(act.table)}, {cards}lines = [{texts}]{ends} }}'
    said = [f'act = "{word_of(type(act))}"']
    for name, value in unusual(act, usual_role(type(act))):
        if name not in ("conditions", "order"):  # the order follows from the secret
            said.append(f"{name} = {_toml(name, value)}")
    if isinstance(act, ta.ChangeConditions) and published is not None:
        said.append(f"conditions = {toml(alterations(published, act.conditions))}")
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
    act: TournamentAct | PlayAt
    happened: tuple[TournamentEvent | AtTable, ...] = ()
    """In the tournament and at its tables, in its order."""
    refusal: Refusal | None = None

    @property
    def events(self) -> Events:
        """What happened in the tournament."""
        return tuple(each for each in self.happened if isinstance(each, TournamentEvent))


class Result(msgspec.Struct, frozen=True):
    """What came of a record: every step, where it ended, and what did not hold."""

    record: TournamentRecord
    rulebook: Rulebook
    steps: tuple[Replayed, ...]
    state: Tournament
    failures: tuple[str, ...]
    tables: dict[str, Table] = {}
    """Tables that were played, as they stand."""

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
    room, steps, failures = Room(rulebook), list[Replayed](), list[str]()
    for number, step in enumerate(record.steps, start=1):
        if isinstance(step.act, PlayAt):
            steps.append(_replay_play(room, number, step.act, step.refused, failures))
            continue
        act = whole(rulebook, room.state, step.act, shuffle)
        if isinstance(step.act, ta.DrawSeats) and step.act.order:
            drawn = whole(rulebook, room.state, msgspec.structs.replace(step.act, order=()), shuffle)
            if isinstance(drawn, ta.DrawSeats) and drawn.order != step.act.order:
                failures.append(f"acts[{number}]: the order of {step.act.stage} does not follow from its secret")
        played = room.do(act)
        failures += _unlike(f"acts[{number}]", word_of(type(act)), played.refusal, step.refused)
        steps.append(Replayed(number, act, played.happened, played.refusal))
    failures += _differences(record.expect, room.state)
    failures += _untold(record.expect, steps, rulebook)
    return Result(record, rulebook, tuple(steps), room.state, tuple(failures), dict(room.tables))


def _replay_play(room: Room, number: int, act: PlayAt, refused: str, failures: list[str]) -> Replayed:
    """Lay the cards, and play line after line; the first that fails ends it."""
    place = f"acts[{number}]"
    refusal = room.lay(act.table, act.cards)
    if refusal is not None or refused:
        failures += _unlike(place, f"play at {act.table}", refusal, refused)
        return Replayed(number, act, refusal=refusal)
    happened: list[TournamentEvent | AtTable] = []
    for at, line in enumerate(act.lines, start=1):
        try:
            played = room.at(act.table, line.act)
        except Refused as fault:
            failures.append(f"{place}.lines[{at}]: the tournament does not take what happened: {fault}")
            break
        odd = tuple(_unlike(f"{place}.lines[{at}]", f'"{line.text}"', played.refusal, line.refused))
        failures += odd
        if played.refusal is not None:
            happened.append(AtTable(act.table, line.act, refusal=played.refusal))
        happened += played.happened
        if odd:
            break
    return Replayed(number, act, tuple(happened))


def _unlike(place: str, what: str, refusal: Refusal | None, refused: str) -> Iterator[str]:
    """What differs from what a record says: whether an act is allowed, and by which clause it is not."""
    if refusal is None and refused:
        yield f"{place}: {what} was allowed, and {refused} should refuse it"
    elif refusal is not None and not refused:
        yield f"{place}: {what} was refused: {refusal}"
    elif refusal is not None and refused != "*" and not any(is_within(clause, refused) for clause in refusal.clauses):
        yield f"{place}: refused by {cite(refusal.clauses)}, not by {refused}"


def _untold(expect: Expect, steps: Sequence[Replayed], rulebook: Rulebook) -> Iterator[str]:
    if not expect.told:
        return
    lines = [line for step in steps for line in tell_all(step, rulebook)]
    for words in expect.told:
        if not any(words in line for line in lines):
            yield f"expect.told: no line says {words!r}"


def _differences(expect: Expect, state: Tournament) -> Iterator[str]:
    if expect.status is not None and expect.status != state.status:
        yield f"expect.status: {state.status}, not {expect.status}"
    people = state.entrants
    for name, place in expect.places.items():
        if name not in people or people[name].place != place:
            yield f"expect.places.{name}: {people[name].place if name in people else 'nobody'}, not {place}"
    for name, status in expect.people.items():
        stands = state.standing_of(name)
        if stands != status:
            yield f"expect.people.{name}: {stands or 'nobody'}, not {status}"
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


def tell_all(step: Replayed, rulebook: Rulebook) -> Iterator[str]:
    """Everything that one act has led to, one line each; what happened at a table with its name."""
    for each in step.happened:
        if isinstance(each, TournamentEvent):
            yield tell(each, rulebook)
            continue
        for event in each.events:
            yield f"{each.table}: {tell_at_table(event, rulebook)}"
        if each.refusal is not None:
            yield f"{each.table}: refused: {each.refusal}"


def tell(event: TournamentEvent, rulebook: Rulebook) -> str:
    """An event in one line, with its clauses."""
    return tell_event(event, rulebook, _told, frozenset({"clauses", "conditions"}))


def _told(name: str, value: Any) -> str:
    if name == "secret" and value:
        return f"secret {digest_of(value)[:12]}"
    return told_field(name, value, frozenset({"chips", "differs"}))
