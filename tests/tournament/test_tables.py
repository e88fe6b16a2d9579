"""Tournaments that are played at their tables: what the rules of chapter 20 (21) say of wagers, forms, the marker, who
is out; and whole tournaments in which everything goes wrong."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import in_order
from pitboss.table.views import Viewer, event_seen_by, seen_by
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import MANAGER
from pitboss.tournament.conditions import Conditions
from pitboss.tournament.playing import AtTable, Room
from pitboss.tournament.state import Tournament
from tests.lengths import length
from tests.tournament.at_tables import Watched, enter, play_out
from tests.tournament.making import CANBERRA, LIKE_NSW, WITH_TOURNAMENTS, conditions_of
from tests.tournament.running import START
from tests.tournament.session_tables import plain_decision, session_table, some_cards


def some_conditions(rulebook: str, entrants: int, rng: random.Random) -> Conditions:
    tables = -(-entrants // 7)
    final: dict[str, Any] = {"name": "final", "kind": "final", "tables": 1, "rounds": 4, "advance": 0}
    heat: dict[str, Any] = {"name": "heat", "kind": "heat", "tables": tables, "rounds": rng.randint(1, 4), "advance": 1}
    stages = [heat, final]
    if tables > 7:
        semi = {"name": "semi", "kind": "semi-final", "tables": -(-tables // 7), "rounds": 2, "advance": 1}
        stages = [heat, semi, final]
        if -(-tables // 7) > 7:
            stages = [heat, semi, {**semi, "name": "semi 2", "tables": 2}, final]
    changes: dict[str, Any] = {
        "entry__minimum": 4,
        "entry__maximum": max(entrants, 8),
        "stages": stages,
        "chips__amount": rng.choice([100, 500, 1000]),
        "wagers__raises": [{"stage": "final", "round": 2, "minimum": 25, "maximum": 500}],
    }
    if rulebook != CANBERRA:
        changes |= {
            "conduct__order": True,
            "conduct__pass_cards": rng.randint(0, 2),
            "conduct__undisclosed": rng.randint(0, 3),
            "conduct__deal_from_marker": rng.random() < 0.5,
        }
    return conditions_of(rulebook, **changes)


SIZES = (4, 5, 7, 9, 14, 20, 40)


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_random_tournaments_at_tables_conserve_everything_and_replay(rulebook: str) -> None:
    """Chips and money at every event, the guard at every table, one place for everybody, the whole pool, and the same
    again from the log; also from any part of it, as after a crash."""
    for seed in range(length(400, 16)):
        rng = random.Random(f"{rulebook}:at tables:{seed}")
        entrants = 500 if seed == 399 else rng.choice(SIZES) if seed < 300 else rng.randint(4, 120)
        conditions = some_conditions(rulebook, entrants, rng)
        room = play_out(conditions, entrants, -(-entrants // 7), rng, wild=rng.choice([0.0, 0.1, 0.3, 0.6]))
        whole_pool(room.state)
        crash(room, rng)


def whole_pool(state: Tournament) -> None:
    people = state.entrants.values()
    assert all(each.place > 0 for each in people)
    assert sum(each.prize_cents for each in people) > 0 and state.accounts["pool"] == 0
    for place in {each.place for each in people}:
        together = [each for each in people if each.place == place]
        assert not any(place < each.place < place + len(together) for each in people)


def crash(room: Watched, rng: random.Random) -> None:
    """Everything again from its log, stopped somewhere, and taken up from what was written down."""
    stop = rng.randrange(len(room.log) + 1)
    first, second = Room(room.rulebook), Room(room.rulebook)
    found: list[bytes] = []
    for at, entry in enumerate(room.log):
        if at == stop:  # what is known now is all that the other one starts with
            second.state, second.tables, first = first.state, dict(first.tables), second
        if not isinstance(entry, tuple):
            played = first.do(entry)
        elif isinstance(entry[1], tuple):
            assert first.lay(entry[0], entry[1]) is None
            continue
        else:
            played = first.at(entry[0], entry[1])
        assert played.refusal is None, f"{entry}: {played.refusal}"
        found.append(msgspec.json.encode([_plain(each) for each in played.happened]))
    assert first.state == room.state and first.tables == room.tables
    assert found == room.bytes


def _plain(each: Any) -> Any:
    return [each.table, each.act, each.events] if isinstance(each, AtTable) else each


# --- a hidden wager --------------------------------------------------------------------------------------------------

OTHERS = (
    Viewer("player", "bob"),
    Viewer("player", "cleo"),
    Viewer("player"),
    Viewer("dealer"),
    Viewer("tournament-manager"),
)
MAY_SEE = (Viewer("player", "alice"), Viewer("gaming-supervisor"), Viewer("supervisor"), Viewer("inspector"))


class Twins:
    """Two tables that differ only in what alice has written, and what others see of each, as bytes."""

    def __init__(self, table: Table) -> None:
        self.tables = [table, table]
        self.seen: tuple[list[bytes], list[bytes]] = ([], [])

    def do(self, *acts: a.Act) -> None:
        for index, act in enumerate(acts if len(acts) == 2 else acts * 2):
            decided = decide(self.tables[index], act)
            assert not isinstance(decided, Refusal), f"{act}: {decided}"
            after = self.tables[index] = evolve(self.tables[index], decided)
            for event in decided:
                if isinstance(event, e.UndisclosedAnnounced):
                    break  # from here on everybody knows
                self.look(index, [event_seen_by(viewer, event, after) for viewer in OTHERS])
            else:
                self.look(index, [seen_by(viewer, after) for viewer in OTHERS])

    def look(self, index: int, found: Any) -> None:
        self.seen[index].append(msgspec.json.encode(found))


@pytest.mark.clause("nsw-pontoon", "def:undisclosed wager", "20.8.2.1", "20.1.1")
@pytest.mark.clause("nsw-blackjack-challenge", "def:undisclosed wager", "21.8.2.1", "21.1.1")
@pytest.mark.parametrize("rulebook", [each for each in WITH_TOURNAMENTS if each != CANBERRA])
def test_a_hidden_wager_leaks_to_nobody_in_views_or_bytes(rulebook: str) -> None:
    """Two rounds that differ only in what alice has written look the same to everybody else, to the last byte, until
    it is announced."""
    for seed in range(length(200, 20)):
        rng = random.Random(f"{rulebook}:hidden:{seed}")
        twins = Twins(session_table(rulebook, cards=some_cards(rulebook, rng), undisclosed=2))
        choices = [("original", 2500), ("original", 10_000), ("original", 50_000), ("perfect-pairs", 2500), ("", 2500)]
        one, other = rng.sample(choices, 2)
        if rng.random() < 0.5 or any(kind == "perfect-pairs" for kind, _ in (one, other)):
            twins.do(a.PlaceWager("alice", 1, 2500))
        twins.do(a.HandInForm("alice", *one), a.HandInForm("alice", *other))
        for viewer in MAY_SEE:
            first, second = (seen_by(viewer, table)["session"]["forms"] for table in twins.tables)
            assert first != second
        twins.do(a.ExamineForm("gaming-supervisor", "alice", unnoticed=True))
        twins.do(a.PlaceWager("bob", 2, 5000))
        twins.do(a.PlaceWager("cleo", 3, 5000))
        twins.do(a.Deal())
        while twins.tables[0].phase != "wagers":
            twins.do(plain_decision(twins.tables[0]))
        assert twins.tables[1].phase == "wagers"
        assert twins.seen[0] == twins.seen[1] and len(twins.seen[0]) > 12


# --- the tournament and its tables -----------------------------------------------------------------------------------


def a_room(rulebook: str, **changes: Any) -> Watched:
    """Two players in a final that has just started at T1."""
    conditions = some_conditions(rulebook, 4, random.Random(1))
    room = Watched(conditions, random.Random(2))
    enter(room, ("alice", "bob", "cleo", "dora"))
    room.must(ta.StartSession(MANAGER, "heat", START))
    room.cards("T1", some_cards(rulebook, random.Random(3)))
    return room


@pytest.mark.clause("nsw-pontoon", "20.5.2", "20.11.2")
@pytest.mark.clause("nsw-blackjack-challenge", "21.5.2", "21.11.2")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_the_tournament_and_its_table_hold_each_other_up(rulebook: str) -> None:
    """A dispute in the tournament stops its table; nobody reports by hand what a table says itself; a session ends
    between two rounds; the table is used for nothing else meanwhile."""
    room = a_room(rulebook)
    order = in_order(room.tables["T1"])
    refused = room.do(ta.UseTable(MANAGER, "T1", "an ordinary game")).refusal
    assert refused is not None and "tournament play alone" in refused.text
    room.must(ta.RaiseDispute("player", "dora", "the draw"))
    assert room.at("T1", a.PlaceWager(order[0], room.tables["T1"].session.box_of(order[0]), 1000)).refusal is not None  # type: ignore[union-attr]
    room.must(ta.RuleDispute(MANAGER, "dora", "it stands"))
    for name in order:
        room.deals("T1", a.PlaceWager(name, room.tables["T1"].session.box_of(name), 1000))  # type: ignore[union-attr]
    room.deals("T1", a.Deal())
    chips = dict.fromkeys(order, 1000)
    for act in (ta.ReportRound("dealer", "T1", chips), ta.DeductAbsent(MANAGER, order[0])):
        refused = room.do(act).refusal
        assert refused is not None and "says that itself" in refused.text
    if room.tables["T1"].phase != "wagers":
        refused = room.do(ta.ConcludeSession(MANAGER, "T1", early=True)).refusal
        assert refused is not None and "finished first" in refused.text
    while room.tables["T1"].phase != "wagers":
        room.deals("T1", plain_decision(room.tables["T1"]))
    room.must(ta.CancelTournament(MANAGER, "the lights went out"))
    assert room.tables["T1"].session is None and room.state.status == "cancelled"
