"""A clause is said to be kept by the engine only where the engine decides by it; people's duties are kept otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pitboss.records import read, replay
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import Clause, register
from pitboss.rulebooks.coverage import citations
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.conduct import STAFF_DUTIES
from pitboss.table.engine import open_table, play
from pitboss.table.events import Event

ROUNDS = Path(__file__).parents[1] / "rounds"
WRITTEN_DOWN = (e.DutyReminded, e.NoticeGiven, e.MispaymentRecorded, e.MispaymentRectified)
"""Events that say what people did or were told: nothing is decided in them."""
PEOPLES = frozenset({"irregularities.conduct", "irregularities.mispayment", "irregularities.mispayment_report_cents"})
"""Terms of which people are reminded, or that say what is written down."""


@cache
def decided() -> dict[str, set[str]]:
    """By rulebook the clauses that some event or refusal of a record cites, what is only written down apart."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(ROUNDS.rglob("*.round")):
        record = read(path)
        if not record.variant:
            for step in replay(record).steps:
                found[record.rulebook].update(clause for event in _deciding(step.events) for clause in event.clauses)
                found[record.rulebook].update(step.refusal.clauses if step.refusal is not None else ())
    return found


def _deciding(events: tuple[Event, ...]) -> Iterator[Event]:
    return (event for event in events if not isinstance(event, WRITTEN_DOWN))


def kept_by(rulebook: str, keeper: str) -> list[Clause]:
    return [row for row in register(rulebook).values() if row.kept and row.kept_by == keeper]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_engine_decides_by_what_it_is_said_to_keep(rulebook: str) -> None:
    """In a record, or by a term that it asks; headings, meanings and limits of play are shown by their tests."""
    terms = {each.clause for each in citations(load(rulebook)) if each.term not in PEOPLES}
    claimed = [row for row in kept_by(rulebook, "engine") if row.kind in ("procedure", "register", "text")]
    bare = [row.key for row in claimed if row.key not in decided()[rulebook] and row.key not in terms]
    assert set(bare) <= STRUCTURE.get(rulebook, set())
    assert len(claimed) > 20


STRUCTURE = {
    "nsw-pontoon": {"18.1.1", "18.3.4"},
    "nsw-blackjack-challenge": {"19.1.1", "19.3.4"},
    "adelaide-pontoon-2008": {"1(i):def:Reconstruction", "1(i)(i)", "1(i)(ii)", "100"},
    "canberra-pontoon-2005": {"2.3", "18.15"},
    "canberra-pontoon-2002": {"2.3", "18.15"},
}
"""Rows that only introduce others, state a condition of them, or say that play then goes on."""


@pytest.mark.clause("nsw-pontoon", "19.2", "19.2.4", "19.11", "3.8", "3.9")
@pytest.mark.clause("nsw-blackjack-challenge", "20.2", "20.2.4", "20.11", "3.9", "3.10")
@pytest.mark.clause("adelaide-pontoon-2008", "116", "125", "117", "56", "57")
@pytest.mark.clause("canberra-pontoon-2005", "17.5", "17.5(a)", "17.5(b)", "17.5(c)")
@pytest.mark.clause("canberra-pontoon-2002", "17.7", "17.7(a)", "17.7(b)", "17.7(c)")
@pytest.mark.clause("canberra-pontoon-2002", "17.2", "17.2(a)", "17.2(b)", "17.2(c)")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_duty_of_conduct_is_reminded_of_and_that_is_written_down(rulebook: str) -> None:
    table = open_table(rulebook, cards="6s 9h")
    register_rows = {row.key for row in kept_by(rulebook, "register")}
    for duty, clause in load(rulebook).irregularities.conduct.value.items():
        person = "dealer" if duty in STAFF_DUTIES else "alice"
        after, events = play(table, a.Remind("casino-supervisor", person, duty))
        assert [(type(event).__name__, event.clauses) for event in events] == [
            ("DutyReminded", (clause,)),
            ("NoticeGiven", (clause,)),
        ]
        assert after.net == table.net, "nothing is decided"
        assert clause in register_rows or clause in decided()[rulebook], duty


@pytest.mark.clause("nsw-pontoon", "19.16")
@pytest.mark.clause("nsw-blackjack-challenge", "20.16")
@pytest.mark.parametrize(("rulebook", "clause"), [("nsw-pontoon", "19.16"), ("nsw-blackjack-challenge", "20.16")])
def test_a_refused_wager_is_written_down_with_who_refused_it(rulebook: str, clause: str) -> None:
    table, _ = play(open_table(rulebook, cards="6s 9h"), a.PlaceWager("alice", 1, 2500))
    _, events = play(table, a.RefuseWager("casino-supervisor", "alice", 1))
    assert any(clause in event.clauses for event in events)


@pytest.mark.clause("nsw-pontoon", "5.8", "5.8.1", "5.8.2")
@pytest.mark.clause("nsw-blackjack-challenge", "5.10", "5.10.1", "5.10.2")
@pytest.mark.clause("adelaide-pontoon-2008", "79")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_line_of_wagers_on_a_box_is_shown_the_controller_first(rulebook: str) -> None:
    table = open_table(rulebook, cards="6s 9h 8d 7d 6d 5d")
    wagers = [a.PlaceWager("alice", 1, 500), a.PlaceWager("bob", 1, 2500), a.PlaceWager("carol", 1, 1000)]
    _, events = play(table, *wagers, a.TakeSeat("bob", 1), a.Deal())
    (settled,) = [event for event in events if isinstance(event, e.ControlSettled)]
    assert settled.line == ("bob", "alice", "carol") and settled.player == "bob"
