"""The guard finds every error that is planted, and nothing where nothing is wrong."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import decide, evolve, load, open_table, play
from pitboss.ledger import Breach, Guard
from pitboss.ledger.guard import WATCHED
from pitboss.ledger.postings import POST
from pitboss.records import loads, read, replay
from pitboss.records.replay import open_record
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import default_house
from pitboss.table.refusals import Broken, Refusal
from pitboss.table.state import Table
from tests.ledger.planting import ROUNDS, Round, found_by, holds, planted, rounds, with_event
from tests.lengths import length
from tests.properties.driver import crowd_act, crowded_table, next_act, some_table

NSW = RULEBOOKS[0]
MONEY = list(POST)


def test_every_event_that_moves_money_is_watched() -> None:
    assert set(POST) <= set(WATCHED)


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    assert [f"{each.name}: {breach}" for each in rounds() if (breach := holds(each)) is not None] == []


@pytest.mark.parametrize("kind", MONEY, ids=lambda kind: kind.__name__)
def test_every_wrong_posting_is_found(kind: type[e.Event]) -> None:
    """Each amount, name and line of each event: the error is found before the round is over, by a named check.

    `engine` is an event that cannot even be applied: it speaks of a hand, a wager or a person that is not there.
    """
    assert len(with_event(kind)) >= 4
    found = list(planted(kind))
    assert len(found) >= 15, f"too few ways in which {kind.__name__} can be wrong"
    missed = [f"{name}, {way}: {checks}" for name, way, checks in found if "" in checks or "too early" in checks]
    assert missed == []


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_whatever_people_do_and_whatever_goes_wrong_adds_up(rulebook_id: str) -> None:
    acts = 0
    for seed in range(length(12, 4)):
        rng = random.Random(f"{rulebook_id}:guard:{seed}")
        acts += watched(some_table(rulebook_id, rng), rng, lambda table, rng: next_act(table, rng, 0.12))
        acts += watched(crowded_table(rulebook_id, rng), rng, crowd_act)
    assert acts > 500


def watched(table: Table, rng: random.Random, next_of: Any, turns: int = 300) -> int:
    guard, acts = Guard(), 0
    for _ in range(turns):
        act = next_of(table, rng)
        answer = decide(table, act)
        if isinstance(answer, Refusal):
            continue
        after = evolve(table, answer)
        if rng.random() < 0.05:
            guard = Guard()  # it opens its accounts from any table
        breach = guard.check(table, after, answer, act)
        assert breach is None, f"{act}: {breach}"
        table, acts = after, acts + 1
    return acts


# --- by hand ---------------------------------------------------------------------------------------------------------


def dealt() -> Table:
    table = open_table(NSW, cards="Ks 9s Kd 9h 9d 7c 5c 5d")
    return play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 2000))[0]


def test_giving_back_a_dollar_that_was_never_wagered_is_found() -> None:
    table = dealt()
    event = e.WagerReturned(("5.3",), "alice", 1, 1100)
    breach = Guard().check(table, evolve(table, (event,)), (event,))
    assert breach is not None and breach.check == "stake" and breach.event is event
    side = e.WagerReturned(("5.3",), "alice", 3, 100, "perfect-pairs")
    breach = Guard().check(table, table, (side,))
    assert breach is not None and breach.check == "stake"
    assert "$1.00 leaves box 3, where alice has $0.00" in str(breach)


def test_money_that_changes_with_no_event_is_found() -> None:
    table = dealt()
    guard = Guard()
    richer = evolve(table, ())
    richer.net["alice"] += 100
    breach = guard.check(table, richer, ())
    assert breach is not None and breach.check == "person"
    fuller = evolve(table, ())
    fuller.jackpot_cents += 1
    breach = guard.check(table, fuller, ())
    assert breach is not None and breach.check == "jackpot"


def test_a_wager_that_nobody_asked_for_is_found() -> None:
    table = dealt()
    act = a.PlaceWager("alice", 3, 1000)
    after, events = play(table, act)
    assert Guard().check(table, after, events, act) is None
    assert Guard().check(table, after, events, a.PlaceWager("alice", 3, 900)).check == "asked"  # type: ignore[union-attr]
    assert Guard().check(table, table, (), act).check == "asked"  # type: ignore[union-attr]
    assert Guard().check(table, after, events, a.TakeSeat("alice", 3)).check == "asked"  # type: ignore[union-attr]


def test_what_is_the_least_wrong_beside_one_wager_is_found() -> None:
    """A guard that has seen the table before looks at one wager at a glance: not past anything."""
    start, guard = dealt(), Guard()
    assert guard.check(start, start, (), None) is None

    def said(after: Table, events: tuple[e.Event, ...], act: a.Act) -> str:
        assert guard.check(start, start, (), None) is None
        breach = guard.check(start, after, events, act)
        return breach.check if breach is not None else ""

    act = a.PlaceWager("alice", 3, 1000)
    after, events = play(start, act)
    assert said(after, events, act) == ""
    for wrong in ("net", "jackpot", "other net", "cloth"):
        changed = evolve(after, ())
        if wrong == "net":
            changed.net["alice"] += 100
        elif wrong == "other net":
            changed.net["bob"] -= 100
        elif wrong == "jackpot":
            changed.jackpot_cents += 1
        else:
            wagers = changed.boxes[3].wagers
            wagers["alice"] = replace(wagers["alice"], cents=999)
        assert said(changed, events, act) == {"other net": "person", "net": "person"}.get(wrong, wrong), wrong
    assert said(after, events, a.PlaceWager("bob", 3, 1000)) == "asked"
    assert said(after, events, a.PlaceWager("alice", 3, 1000, "perfect-pairs")) == "asked"
    assert said(after, events, a.PlaceWager("alice", 3, 1000, token_cents=500)) == "asked"
    assert said(start, (), act) == "asked"
    twice = (*events, *events)
    assert said(evolve(start, twice), twice, act) == "cloth"
    paid = (*events, e.ChipsBought(("5.1",), "alice", 1000))
    assert said(evolve(start, paid), paid, act) == "asked"
    right = POST[e.WagerPlaced]
    POST[e.WagerPlaced] = lambda event: ((f"player:{event.player}", -event.cents), ("drop", event.cents))
    try:
        assert said(after, events, act) == "posting"
    finally:
        POST[e.WagerPlaced] = right
    assert said(after, events, act) == ""


def test_a_small_wager_that_goes_back_keeps_nothing() -> None:
    """Canberra 3.4: each result of a further small wager that was settled is undone, on split hands too."""
    (path,) = ROUNDS.rglob("3.4-a-warned-players-second-small-wager-goes-back-after-it-was-lost.round")
    record = read(path)
    steps = tuple((step.act, step.events) for step in replay(record).steps)
    each = Round(path.stem, open_record(record), steps)
    places = each.places(e.ResultUndone)
    assert len(places) == 2
    for step, number in places:
        assert found_by(each, step, number, lambda event, table: ()) == "round"


def test_more_than_somebody_has_is_found() -> None:
    table = open_table(NSW, cards="", players={"alice": play_with(500)})
    event = e.WagerPlaced(("5.1",), "alice", 1, 1000)
    breach = Guard().check(table, evolve(table, (event,)), (event,))
    assert breach is not None and breach.check == "person" and "alice does not have that much" in breach.text


def play_with(cents: int) -> Any:
    from pitboss.table.house import Patron

    return Patron(seat=1, chips_cents=cents)


def test_after_a_breach_the_guard_goes_on_from_the_table_that_it_is_given() -> None:
    table = dealt()
    guard = Guard()
    act = a.Deal()
    after, events = play(table, act)
    wrong = tuple(event for event in events if not isinstance(event, e.WagerPlaced))
    assert guard.check(table, after, wrong, act) is None
    event = e.BonusPaid(("10.5",), "alice", 1)
    assert guard.check(after, evolve(after, (event,)), (event,)) is not None
    close = a.CloseSurrender()
    assert guard.check(after, play(after, close)[0], play(after, close)[1], close) is None


@pytest.mark.clause("nsw-blackjack-challenge", "16.10")
def test_a_linked_jackpot_pays_what_the_link_says() -> None:
    book = load("nsw-blackjack-challenge")
    house = default_house(
        book, source="shuffling-device", side_bets=("blazing-7s",), jackpot_rate_percent=20, jackpot_linked=True
    )
    table = open_table(book, cards="7d 7d 7d Kd 9h 2s 7s Kc 9c", house=house)
    wagers = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "blazing-7s"))
    guard = Guard()
    for act in (*wagers, a.Deal()):
        after, events = play(table, act)
        assert guard.check(table, after, events, act) is None
        table = after
    assert table.jackpot_waiting
    paid = a.PayJackpot(1_000_000, 1_000_000)
    after, events = play(table, paid)
    assert Guard().check(table, after, events, paid) is None
    breach = Guard().check(table, after, events, a.PayJackpot(2_000_000, 1_000_000))
    assert breach is not None and breach.check == "jackpot"


RECORD = """
title    = "one hand"
rulebook = "nsw-pontoon"
clauses  = ["16.2"]
cards    = "Ks 9s Kd 9h"
play     = ["alice bets 10 on 1", "dealer deals", "alice stands"]
"""


def test_a_breach_in_a_replay_is_a_fault_of_ours_and_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    assert replay(loads(RECORD)).ok

    def wrong(event: e.WagerPaid) -> tuple[tuple[str, int], ...]:
        return (("float", -event.paid_cents), (f"player:{event.player}", event.paid_cents))

    monkeypatch.setitem(POST, e.WagerPaid, wrong)  # type: ignore[misc]
    with pytest.raises(Broken, match=r'"alice stands": box 1: alice is paid \$10.00.* wrong amounts') as found:
        replay(loads(RECORD))
    assert isinstance(found.value, Breach) and found.value.check == "posting"


def test_the_checks_that_find_planted_errors() -> None:
    """Each check finds some error that no other one has found first, or it need not be there."""
    found = Counter(check for kind in (e.WagerPaid, e.WagerPlaced, e.JackpotWagerCollected, e.BonusPaid, e.WagerSplit)
                    for _, _, checks in planted(kind) for check in checks)  # fmt: skip
    assert {"posting", "balance", "stake", "asked", "jackpot", "odds", "round", "amount", "once"} <= set(found)


def found(table: Table, *events: e.Event, act: a.Act | None = None) -> str:
    """Which check finds that these events are wrong at this table."""
    breach = Guard().check(table, table, events, act)
    assert breach is not None
    return breach.check


def test_money_that_changes_beside_an_event_is_found() -> None:
    table = dealt()
    act = a.PlaceWager("alice", 3, 1000)
    for field, check in (("net", "person"), ("jackpot_cents", "jackpot")):
        after, events = play(table, act)
        if field == "net":
            after.net["bob"] += 100
        else:
            after.jackpot_cents += 100
        breach = Guard().check(table, after, events, act)
        assert breach is not None and breach.check == check


def with_jackpot_wager(**house: Any) -> Table:
    book = load("nsw-blackjack-challenge")
    rules = default_house(book, source="shuffling-device", side_bets=("blazing-7s",), jackpot_rate_percent=20, **house)
    table = open_table(book, cards="9d 8d 7d Kd 9h 2s 7s Kc 9c", house=rules)
    wagers = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "blazing-7s"), a.PlaceWager("bob", 2, 1000))
    return play(table, *wagers, a.Deal())[0]


@pytest.mark.clause("nsw-blackjack-challenge", "16.10", "16.12")
def test_a_jackpot_that_moves_for_no_reason_is_found() -> None:
    table = with_jackpot_wager()
    stands = table.jackpot_cents
    for reason, added in (("reset", 100), ("paid", 100), ("reopened", 100), ("undone", 100), ("returned", 100)):
        moved = e.JackpotSet(("16.12",), stands + added, added, reason)
        assert found(table, moved) == "jackpot", reason
    assert found(table, e.JackpotPrizePaid(("16.10",), 1, "alice", "royal-flush", 100, 100)) == "once"
    won = replace_claims(table, ((1, "alice", 500, 100),))
    assert found(won, e.JackpotPrizePaid(("16.10",), 1, "alice", "royal-flush", 100, 100)) == "odds"
    back = e.WagerReturned(("18.8",), "alice", 1, 500, "blazing-7s", "void", e.JACKPOT_COLLECTED)
    assert found(won, back) == "person"
    after = evolve(won, (back,))
    breach = Guard().check(won, after, (back,))
    assert breach is not None and "of wagers that went back are still in the jackpot" in breach.text
    less = e.WagerReturned(("18.8",), "alice", 1, 250, "blazing-7s", "void", e.JACKPOT_COLLECTED)
    assert found(won, less) == "stake"


def replace_claims(table: Table, claims: tuple[tuple[int, str, int, int], ...]) -> Table:
    """The table with jackpot wagers that wait for their result."""
    changed = evolve(table, ())
    changed.jackpot_wagers = claims
    changed.jackpot_waiting = changed.jackpot_lost = ()
    return changed


@pytest.mark.clause("nsw-pontoon", "17.8")
def test_a_round_that_is_laid_again_and_was_not_undone_is_found() -> None:
    table = play(dealt(), a.Deal(), a.CloseSurrender())[0]
    taken = e.RoundTakenBack(("17.8",), "dealer", "face-up", cards=("Ks", "9s", "Kd", "9h", "9d"))
    assert found(table, taken) == "round"
    over = play(table, a.Stand("alice", 1), a.Stand("bob", 2))[0]
    assert over.phase == "wagers"
    assert found(over, taken) == "round"
    undone = [e.PaymentReversed(("17.8",), name, cents) for name, cents in over.last_results.items() if cents]
    moved = e.JackpotSet(("17.8",), over.jackpot_cents + 5, 5, "reopened")
    assert found(over, *undone, moved, taken) == "jackpot"
    later = play(over, a.PlaceWager("alice", 1, 1000))[0]
    assert found(later, *undone, taken) == "round"
    back = e.WagerReturned(("17.8",), "alice", 1, 1000, "original", "round-reopened", 0)
    assert found(table, back, taken) == "round"


def test_tokens_that_were_not_in_a_wager_do_not_come_back() -> None:
    table = dealt()
    assert found(table, e.WagerReturned(("5.3",), "alice", 1, 1000, token_cents=500)) == "amount"
