"""Every record in which something goes wrong is also ruled on, and the ruling is what the record's replay gives."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pitboss.adjudicate import SITUATIONS, Ruling, adjudicate_act
from pitboss.adjudicate.recognising import situation_of
from pitboss.records import read, replay
from pitboss.records.replay import Step, open_record
from pitboss.rulebooks import RULEBOOKS
from pitboss.table.apply import evolve
from pitboss.table.state import Table
from tests.adjudicate.test_tables import check

ROUNDS = Path(__file__).resolve().parents[1] / "rounds"
NO_ACT = {"cards-run-out", "out-of-turn", "surrender-missed"}
"""The engine comes to it by itself, or a record tells it as something else."""
READ_AS_VOID = {"irregularities.invalidated_paid"}
"""Asked of the house (19.10 speaks of wagers alone); a record in which nobody was asked is read as a void round."""


@cache
def moments(rulebook: str) -> tuple[tuple[str, Table, Step, Ruling], ...]:
    """Each line that tells that something went wrong, with the table before it and the ruling on it."""
    found = []
    for path in sorted((ROUNDS / rulebook).rglob("*.round")):
        record = read(path)
        table = open_record(record)
        for step in replay(record).steps:
            if situation_of(step.act, table) is not None:
                found.append((f"{path.name}:{step.play.line}", table, step, adjudicate_act(table, step.act)))
            table = evolve(table, step.events)
    return tuple(found)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_ruling_is_what_the_replay_gives(rulebook: str) -> None:
    for place, table, step, ruling in moments(rulebook):
        if ruling.questions:
            about = {question.about for question in ruling.questions}
            ruled = step.refusal is None and about != READ_AS_VOID
            assert not ruled, f"{place}: ruled by the engine, and asked of the house"
        elif step.refusal is not None:
            assert ruling.refusal == step.refusal, place
        else:
            assert ruling.events[: len(step.events)] == step.events, place
            check(table, ruling)


def test_the_records_come_to_every_situation() -> None:
    ruled: Counter[str] = Counter()
    for rulebook in RULEBOOKS:
        ruled.update(ruling.situation for _, _, _, ruling in moments(rulebook) if ruling.after is not None)
    assert {situation.name for situation in SITUATIONS} - NO_ACT - set(ruled) == set()
