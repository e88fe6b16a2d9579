"""From a record to the moment at which something went wrong."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss.adjudicate.recognising import situation_of
from pitboss.records.lines import format_act, parse
from pitboss.records.model import UNSAID_BOX, Expect, Record, RecordError, quoted
from pitboss.records.replay import ReplayResult, boxes_of
from pitboss.records.replay import replay as replayed
from pitboss.table.acts import AnyAct, ClearJam, Misdeal, Shuffle
from pitboss.table.state import Table


class Moment(NamedTuple):
    """A table, and the act that says what went wrong."""

    table: Table
    act: AnyAct


def moment_of(record: Record, what: str | None = None) -> Moment:
    """Play a record up to where something went wrong: its last line, or `what`, which then follows all its lines.

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
    result = replayed(changed(record, play=plays, expect=Expect()))
    _check(result, record)
    act = _completed(act, line, result, record)
    if situation_of(act, result.table) is None:
        text = f"{quoted(format_act(act))} does not say that anything went wrong. See docs/records.md, or use --what"
        raise RecordError(text, file=record.file if what is None else "--what", line=line)
    return Moment(result.table, act)


def _check(result: ReplayResult, record: Record) -> None:
    """The lines before the moment must all have been played; that they end within a round is as it should be."""
    for step in result.steps:
        if (step.refusal is None) != (step.play.refused is None):
            said = quoted(format_act(step.play.act))
            text = f"was refused. {step.refusal}" if step.refusal is not None else "was to be refused, and was not"
            raise RecordError(f"{said} {text}", file=record.file, line=step.play.line)
    if len(result.steps) < len(result.record.play):
        raise RecordError("the cards of the record run out before the moment", file=record.file, line=record.cards_line)


def _completed(act: AnyAct, line: int, result: ReplayResult, record: Record) -> AnyAct:
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
        boxes = boxes_of(result.table, given.player)
        if len(boxes) != 1:
            text = f"{quoted(format_act(act))}: say on which box, as in on {boxes[0] if boxes else 1}"
            raise RecordError(text, file=record.file, line=line)
        completed: AnyAct = replace(given, box=boxes[0])
        return completed
    return act
