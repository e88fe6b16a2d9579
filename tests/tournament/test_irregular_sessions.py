"""Sessions in which everything goes wrong that can go wrong at a table: misdeals, cards found later, void rounds."""

from __future__ import annotations

import random

import pytest

from pitboss.ledger import Guard
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from pitboss.table.refusals import Refusal
from pitboss.table.run import chips_left
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import has_wagered, in_order, whose_turn
from tests.lengths import length
from tests.properties.driver import next_act
from tests.tournament.making import CANBERRA, WITH_TOURNAMENTS
from tests.tournament.session_tables import session_table, some_cards

SEATS = {1: "alice", 2: "bob", 4: "carol"}


def in_session(table: Table, rng: random.Random) -> Act:
    """Something that belongs to the next round: a wager, a form, a card, an absence, a wager that is found."""
    session = table.session
    assert session is not None
    unread = [name for name, form in session.forms.items() if not form.examined]
    todo = [name for name in in_order(table) if not has_wagered(table, name)]
    if unread:
        return a.ExamineForm("gaming-supervisor", unread[0], unnoticed=True)
    if not todo:
        name = rng.choice(list(session.seats.values()))
        found = a.FindWager("dealer", name, session.box_of(name))
        return rng.choice([a.Deal(), a.Deal(), a.Deal(), found])
    player = whose_turn(table) or todo[0]
    box = session.box_of(player)
    options: list[Act] = [
        a.PlaceWager(player, box, 2500),
        a.PlaceWager(player, box, 2500 * rng.randint(1, 5)),
        a.PlaceWager(player, box, rng.choice([500, 6000, 90_000]), unnoticed=True),
        a.HandInForm(player, "original", 2500 * rng.randint(0, 9)),
        a.HandInForm(player, rng.choice(["", "original", "perfect-pairs"]), 2500),
        a.PlayPassCard(player),
        a.DeductMinimum("dealer", player),
    ]
    return rng.choice(options)


@pytest.mark.clause("nsw-pontoon", "20.2.2", "20.2.2.1", "17.8")
@pytest.mark.clause("nsw-blackjack-challenge", "21.2.2", "21.2.2.1", "18.8")
@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_whatever_goes_wrong_in_a_session_adds_up(rulebook: str) -> None:
    """The guard finds nothing, and each round is counted once, or again where it is laid again."""
    counted = voided = again = 0
    for seed in range(length(300, 10)):
        rng = random.Random(f"{rulebook}:irregular:{seed}")
        table = a_session(rulebook, rng)
        guard = Guard()
        whole = sum(chips_left(table, name) or 0 for name in SEATS.values())
        assert whole == 300_000
        for _ in range(200):
            session = table.session
            if session is None or not session.seats:
                break
            between = table.phase == "wagers" and rng.random() < 0.75
            act = in_session(table, rng) if between else next_act(table, rng, 0.15)
            decided = decide(table, act)
            if isinstance(decided, Refusal) or isinstance(act, a.RecordMispayment):
                continue
            after = evolve(table, decided)
            breach = guard.check(table, after, decided, act)
            assert breach is None, f"{act}: {breach}"
            counts = [event for event in decided if isinstance(event, e.RoundCounted)]
            assert len(counts) <= 1 + sum(isinstance(event, e.RoundTakenBack | e.RoundReopened) for event in decided)
            for count in counts:
                counted, voided, again = counted + 1, voided + count.void, again + count.again
                assert count.number in (session.number, session.number + 1)
            table = after
    assert counted > 50 and voided


def a_session(rulebook: str, rng: random.Random) -> Table:
    cards = some_cards(rulebook, rng) * 3
    if rulebook == CANBERRA:
        return session_table(rulebook, cards, seats=SEATS)
    said = {"pass_cards": 3, "undisclosed": 9, "deal_from_marker": rng.random() < 0.5}
    return session_table(rulebook, cards, seats=SEATS, **said)
