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
from pitboss.rulebooks.coverage import citations, scan
from pitboss.rulebooks.duties import duties
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.conduct import STAFF_DUTIES
from pitboss.table.engine import open_table, play
from pitboss.table.events import Event
from pitboss.table.refusals import Refused

ROUNDS = Path(__file__).parents[1] / "rounds"
WRITTEN_DOWN = (e.DutyReminded, e.NoticeGiven, e.MispaymentRecorded, e.MispaymentRectified)
"""Events that say what people did or were told: nothing is decided in them."""
PEOPLES = frozenset({"irregularities.conduct", "irregularities.mispayment", "irregularities.mispayment_report_cents"})
"""Terms of which people are reminded, or that say what is written down."""


MOST = 4
"""So many clauses at most are cited for one event or refusal: what caused it, not all that is near it."""


@cache
def looked_through() -> tuple[dict[str, set[str]], dict[str, tuple[str, ...]]]:
    """By rulebook the clauses that some event or refusal of a record cites, what is only written down apart; and what
    cites too many of them, by record, line and event."""
    found: dict[str, set[str]] = defaultdict(set)
    many: dict[str, tuple[str, ...]] = {}
    for path in sorted(ROUNDS.rglob("*.round")):
        record = read(path)
        for step in replay(record).steps:
            refused = () if step.refusal is None else step.refusal.clauses
            for what, clauses in [("refusal", refused), *((type(each).__name__, each.clauses) for each in step.events)]:
                if len(clauses) > MOST:
                    many[f"{path.parent.name}/{path.name}:{step.play.line}: {what}"] = clauses
            if not record.variant:
                found[record.rulebook].update(clause for event in _deciding(step.events) for clause in event.clauses)
                found[record.rulebook].update(refused)
    return found, many


def decided() -> dict[str, set[str]]:
    return looked_through()[0]


def test_no_event_and_no_refusal_cites_more_than_what_caused_it() -> None:
    assert looked_through()[1] == {}


def _deciding(events: tuple[Event, ...]) -> Iterator[Event]:
    return (event for event in events if not isinstance(event, WRITTEN_DOWN))


def kept_by(rulebook: str, keeper: str) -> list[Clause]:
    return [row for row in register(rulebook).values() if row.kept and row.kept_by == keeper]


@cache
def carried() -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (each.rulebook, each.clause, each.test.rpartition("::")[2]) for each in scan(ROUNDS.parent).carried
    )


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_engine_decides_by_what_it_is_said_to_keep(rulebook: str) -> None:
    """A procedure, a register or a text is the engine's where an event or a refusal of some record rests on it.

    A term that cites it is not enough for these; what no record can show is shown by the test that is named here.
    """
    claimed = [row for row in kept_by(rulebook, "engine") if row.kind in ("procedure", "register", "text")]
    bare = {row.key for row in claimed if row.key not in decided()[rulebook]}
    in_code = IN_CODE.get(rulebook, {})
    assert bare == STRUCTURE.get(rulebook, set()) | set(in_code)
    assert all((rulebook, clause, test) in carried() for clause, test in in_code.items())
    assert len(claimed) > 20


STRUCTURE = {
    "nsw-pontoon": {"4.3", "18.1.1", "18.1.2", "18.3.4"},
    "nsw-blackjack-challenge": {"4.5", "19.1.1", "19.1.2", "19.3.4"},
    "adelaide-pontoon-2008": {"1(i):def:Reconstruction", "1(i)(i)", "36", "100"},
    "canberra-pontoon-2005": {"2.3", "5.2", "18.15"},
    "canberra-pontoon-2002": {"2.3", "5.2", "18.15"},
}
"""Rows that only introduce others, state a condition of them, or say that play then goes on."""

BY_HAND = "test_cards_may_be_shuffled_by_hand_before_the_device_and_are_not_cut"
CLOSED = "test_a_table_with_players_closes_after_a_sign"
IN_CODE = {
    "nsw-pontoon": {"4.8": BY_HAND, "19.13": CLOSED},
    "nsw-blackjack-challenge": {"4.2": BY_HAND},
    "canberra-pontoon-2005": {"16.2": "test_a_dated_table_is_not_closed_under_its_players_before_its_time"},
}
"""What the engine allows or refuses outside the play of records."""


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_play_and_limits_are_decided_by_or_say_what_others_decide(rulebook: str) -> None:
    """In a record or by a term; the others are headings and meanings of words, and these are few."""
    terms = {each.clause for each in citations(load(rulebook)) if each.term not in PEOPLES}
    claimed = [row for row in kept_by(rulebook, "engine") if row.kind in ("play", "limit")]
    bare = {row.key for row in claimed if row.key not in decided()[rulebook] and row.key not in terms}
    assert {key for key in bare if not key.startswith("def:")} <= MEANINGS[rulebook]


MEANINGS = {
    "nsw-pontoon": {"3.2", "3.6.1", "10.2", "10.5:T2:in-addition", "16.1", "19.1.1", "19.1.2"},
    "nsw-blackjack-challenge": {"3.2", "17.1.1", "20.1.1", "20.1.2"},
    "adelaide-pontoon-2008": {"1(f):def:Original Wager", "7", "9", "17", "91(a)", "91(b)", "96(d)"}
    | {f"47(d){part}" for part in ("", "(i)", "(ii)", "(iii)", "(iv)", ":tail")},
    "canberra-pontoon-2005": {"10.2", "13.1", "18.6(a)", "18.6(b)", "18.11(d)"},
    "canberra-pontoon-2002": {"10.2", "13.1", "18.6(a)", "18.6(b)", "18.11(d)"},
}
"""Headings of the rows below them, parts of a definition, and what nobody can do at a table of ours anyway."""


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_the_dealer_is_to_keep_is_prompted(rulebook: str) -> None:
    prompted = {clause for duty in duties(rulebook) for clause in duty.clauses}
    in_a_session = {clause for duty in duties(rulebook) if duty.moment.startswith("session") for clause in duty.clauses}
    assert prompted - in_a_session == {row.key for row in kept_by(rulebook, "dealer")}
    assert in_a_session <= {row.key for row in kept_by(rulebook, "engine") if row.kind == "tournament"}
    assert bool(in_a_session) == load(rulebook).tournament.offered.value


@pytest.mark.clause("adelaide-pontoon-2008", "35:note-c", "124")
def test_who_is_to_be_told_is_told_and_that_is_written_down() -> None:
    """An ordered shuffle and its reason (Adelaide 35), and the right to consult an inspector (124)."""
    table = open_table("adelaide-pontoon-2008", cards="Ks 9h Kd 9c")
    _, events = play(table, a.OrderShuffle("shift-manager", "the cards clump"))
    (told,) = [event for event in events if isinstance(event, e.NoticeGiven)]
    assert told.clauses == ("35:note-c",) and told.to == "government-inspectorate" and "clump" in told.text
    table, _ = play(table, a.PlaceWager("alice", 1, 500), a.RaiseDispute("alice", "my wager"))
    _, events = play(table, a.RuleDispute("casino-supervisor", "alice", "it stands"), a.AskReview("alice"))
    *_, told = [event for event in events if isinstance(event, e.NoticeGiven)]
    assert told.clauses == ("124",) and told.concerns == "alice" and "inspector" in told.text


@pytest.mark.clause("nsw-pontoon", "19.2", "19.2.4", "19.6", "19.11", "3.8", "3.9")
@pytest.mark.clause("nsw-blackjack-challenge", "20.2", "20.2.4", "20.6", "20.11", "3.9", "3.10")
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


@pytest.mark.clause("nsw-pontoon", "4.6.1")
@pytest.mark.clause("nsw-blackjack-challenge", "4.6.1")
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
def test_dropped_cards_are_written_down_as_verified_by_a_supervisor(rulebook: str) -> None:
    table = open_table(rulebook, cards="6s 9h")
    after, events = play(table, a.DropCards("casino-supervisor"))
    (written,) = [event for event in events if isinstance(event, e.IrregularityReported)]
    assert written.clauses == ("4.6.1",) and written.by == "casino-supervisor" and after.net == table.net
    with pytest.raises(Refused, match=r"4\.6\.1"):
        play(table, a.DropCards("dealer"))


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
