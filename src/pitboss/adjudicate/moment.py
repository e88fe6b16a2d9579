"""From a record to the moment at which something went wrong."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss.adjudicate.recognising import noticed_after, situation_of
from pitboss.adjudicate.situations.parts import actor
from pitboss.adjudicate.unknown_cards import unknown_cards, until_unknown
from pitboss.basics.cards import Card
from pitboss.records.lines import format_act, parse
from pitboss.records.model import UNSAID_BOX, Expect, Play, Record, RecordError, quoted
from pitboss.records.replay import ReplayResult, boxes_of, open_record
from pitboss.records.replay import replay as replayed
from pitboss.table import events as e
from pitboss.table.acts import AnyAct, ClearJam, Misdeal, Notice, Shuffle, VoidEarlierRound
from pitboss.table.events import Event
from pitboss.table.state import Table


class Moment(NamedTuple):
    """A table, and the act that says what went wrong."""

    table: Table
    act: AnyAct


def moment_of(record: Record, what: str | None = None, after: int | None = None) -> Moment:
    """Play a record up to where something went wrong: its last line, or `what`, which then follows all its lines.

    `after`: it had happened after that line of play already, and is noticed only now.

    Raises `RecordError` where the record does not lead there.
    """
    if what is None:
        if not record.play:
            raise RecordError("no play line says what went wrong. Add one, or use --what", file=record.file)
        last = record.play[-1]
        if last.refused is not None:
            raise RecordError(
                f"{quoted(format_act(last.act))} is expected to be refused", file=record.file, line=last.line
            )
        act, line, plays = last.act, last.line, record.play[:-1]
    else:
        act, line, plays = parse(what), 0, record.play
    result, table = led_to(changed(record, play=plays))
    if after is not None:
        by = actor(table.rulebook.irregularities.misdeal_full_by.value)
        later = noticed_after(act, after, by)
        if later is None:
            text = f"{quoted(format_act(act))}: --after is for errors in dealing, such as a card burned in error"
            raise RecordError(text, file="--what", line=0)
        act = later
    if isinstance(act, Notice) and act.line:
        told = Play(act, line=line)
        act = replayed(changed(result.record, play=(*result.record.play, told))).steps[-1].act
        if after is not None and isinstance(act, VoidEarlierRound):
            act = replace(act, by=actor(table.rulebook.irregularities.void_by.value))
    act = _completed(act, line, result, table, record)
    if situation_of(act, table) is None:
        text = f"{quoted(format_act(act))} does not say that anything went wrong. See docs/records.md, or use --what"
        raise RecordError(text, file=record.file if what is None else "--what", line=line)
    return Moment(table, act)


def led_to(record: Record) -> tuple[ReplayResult, Table]:
    """The table after all lines of a record, which may hold no more than the cards dealt so far.

    The last line may lead to a card that nobody knows yet, as when the last player stands: there the table stops.
    Raises `RecordError` where a line is not as the rules have it, or an earlier one wants a card that is not there.
    """
    start = open_record(record)
    known = record.stacks[-1] if record.stacks else ()
    more = unknown_cards(start, [card for stack in record.stacks for card in stack])
    padded = changed(record, expect=Expect(), stacks=(*record.stacks[:-1], (*known, *more)))
    result = replayed(padded)
    _check(result, record)
    table, unused = start, len(record.stacks) - (record.start != "shuffle")
    for number, step in enumerate(result.steps, 1):
        answer = step.events
        if isinstance(step.act, (Shuffle, ClearJam)) and step.refusal is None:
            unused -= 1
            answer = answer if unused else tuple(_shortened(event, known) for event in answer)
        events, table = until_unknown(table, answer)
        if len(events) < len(answer) and number < len(result.steps):
            said = quoted(format_act(step.play.act))
            text = f"{said} needs a card that is not in cards: put in all that were dealt before the moment"
            raise RecordError(text, file=record.file, line=step.play.line)
    return result, table


def _shortened(event: Event, known: tuple[Card, ...]) -> Event:
    """A stack as the record has it, without the cards that nobody knows."""
    return replace(event, order=known) if isinstance(event, e.StackArranged) else event


def _check(result: ReplayResult, record: Record) -> None:
    """The lines before the moment must all have been played; that they end within a round is as it should be."""
    for step in result.steps:
        if (step.refusal is None) != (step.play.refused is None):
            said = quoted(format_act(step.play.act))
            text = f"was refused. {step.refusal}" if step.refusal is not None else "was to be refused, and was not"
            raise RecordError(f"{said} {text}", file=record.file, line=step.play.line)
    if len(result.steps) < len(result.record.play):
        raise RecordError("the cards of the record run out before the moment", file=record.file, line=record.cards_line)


def _completed(act: AnyAct, line: int, result: ReplayResult, table: Table, record: Record) -> AnyAct:
    """The act with what its line leaves to the table, as replaying would complete it."""
    given: Any = act
    if isinstance(act, ClearJam):
        used = sum(isinstance(step.act, (Shuffle, ClearJam)) and step.refusal is None for step in result.steps)
        used += record.start != "shuffle"
        if used >= len(record.stacks):
            raise RecordError(
                "no stack is left: put a / into cards, and after it how the cards then lie", file=record.file
            )
        return replace(act, order=record.stacks[used])
    if not isinstance(act, Misdeal) and getattr(given, "box", None) == UNSAID_BOX:
        boxes = boxes_of(table, given.player)
        if len(boxes) != 1:
            text = f"{quoted(format_act(act))}: say on which box, as in on {boxes[0] if boxes else 1}"
            raise RecordError(text, file=record.file, line=line)
        completed: AnyAct = replace(given, box=boxes[0])
        return completed
    return act
