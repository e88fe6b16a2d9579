"""What holds at any table, whoever sits there and whatever they do.

Every session is repeatable: a failure names rulebook and seed. `make proofs` plays eight times as many rounds.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import decide, evolve, legal_acts, play, refusal, waiting_for
from pitboss.ledger import Ledger
from pitboss.records import Recorder, dumps, loads, replay
from pitboss.records.saving import encoded
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.clauses import register
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.refusals import Refusal
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table, snapshot
from tests.lengths import length
from tests.properties.driver import crowd_act, crowded_table, next_act, some_table

ROUNDS_A_SESSION = 25
SESSIONS_A_BATCH = 20
BATCHES = length(8, 1)
MISHAP_BATCHES = length(4, 1)
CROWD_BATCHES = length(4, 1)
CROWD_SESSIONS = length(20, 12)
"""A batch; twelve rounds each."""

DECISIONS = (a.Hit, a.Stand, a.Double, a.Split, a.Decline, a.Forfeit, a.Keep)


@cache
def clause_keys(rulebook_id: str) -> frozenset[str]:
    return frozenset(register(rulebook_id))


class Watch:
    """Plays acts and checks after every event what must hold."""

    def __init__(self, table: Table) -> None:
        self.recorder = Recorder(table)
        self.table = table
        self.ledger = Ledger(table.jackpot_cents)
        self.rounds = 0
        self.keys = clause_keys(table.rulebook.id)
        self.events: list[e.Event] = []
        self.last: a.Act | None = None

    def act(self, act: Any, *, thorough: bool) -> None:
        table = self.table
        before = snapshot(table) if thorough else None
        if waiting_for(table).what == "decision":
            self.check_decisions(table)
        answer = decide(table, act)
        if before is not None:
            assert snapshot(table) == before, "deciding changed the table"
        if isinstance(answer, Refusal):
            self.recorder.note(act, answer, table)
            assert answer.clauses and set(answer.clauses) <= self.keys, f"refusal cites {answer.clauses}"
            assert answer.text.endswith(".")
            return
        if isinstance(act, DECISIONS) and table.phase == "play":
            assert act.player in waiting_for(table).who, "somebody acted out of turn"
        after = table
        for event in answer:
            self.check_event(after, event)
            after = evolve(after, (event,))
            self.ledger.post(event)
            assert self.ledger.total() == 0
            self.check_money(after)
        if thorough:
            other, again = play(table, act)
            assert again == answer, "deciding twice differs"
            assert snapshot(other) == snapshot(after), "playing and replaying events differ"
            assert snapshot(evolve(table, answer)) == snapshot(after)
        self.table = after
        self.last = act
        self.check_cards()
        self.check_cloth()
        self.check_asked()
        self.events.extend(answer)
        self.recorder.note(act, answer, after)
        if any(isinstance(event, e.RoundEnded) for event in answer):
            self.rounds += 1
            self.check_between_rounds()

    def check_decisions(self, table: Table) -> None:
        """What is listed as legal is exactly what is not refused."""
        player, box = waiting_for(table).who[0], table.turn_box
        asked = [kind(player, box) for kind in (a.Hit, a.Stand, a.Double, a.Split, a.Expose)]
        allowed = {act for act in asked if refusal(table, act) is None}
        assert set(legal_acts(table)) == allowed, "what is legal and what is not refused differ"

    def check_event(self, table: Table, event: e.Event) -> None:
        """`table` is the table before the event."""
        assert event.clauses, f"{event} cites nothing"
        assert set(event.clauses) <= self.keys, f"{event} cites what does not exist"
        if isinstance(event, e.WagerCollected):
            hand = table.boxes[event.box].hands[event.hand]
            # Whoever surrendered in Adelaide has given up a hand that others play on (73): it may make 21 without him.
            assert hand.total != 21 or hand.wagers[event.player].surrendered, "a 21 lost"
        if isinstance(event, (e.SuperBonusPaid, e.BonusPaid)):
            wagers = [
                each.wagers[event.player]
                for box in table.boxes.values()
                for each in box.hands
                if event.player in each.wagers
            ]
            assert not wagers or any(wager.cents for wager in wagers), "a bonus for a wager that went back"

    def check_money(self, table: Table) -> None:
        for name, cents in table.net.items():
            assert cents == self.ledger.standing(name), f"{name}'s money differs"
        assert table.jackpot_cents == self.ledger.balance("jackpot")

    def check_cloth(self) -> None:
        """The wagers on each box are what lies there, and what was measured on an original wager is within it."""
        for number in range(1, self.table.house.boxes + 1):
            box = self.table.boxes.get(number)
            on_box = 0
            if box is not None:
                on_box += sum(wager.cents for wager in box.wagers.values()) + sum(box.insurance.values())
                on_box += sum(cents for placed in box.side.values() for cents in placed.values())
                for hand in box.hands:
                    on_box += sum(w.cents + w.doubled_cents for w in hand.wagers.values() if not w.settled)
                    on_box += sum(wager.cents for wager in hand.matching.values())
                    for wager in hand.wagers.values():
                        assert wager.doubled_cents <= wager.cents, "more was doubled than wagered"
                        added = hand.matching.get(wager.player)
                        assert added is None or added.cents <= wager.cents, "more was split than wagered"
                        insured = box.insurance.get(wager.player, 0)
                        assert wager.settled or 2 * insured <= wager.cents, "more than half is insured"
            assert on_box == self.ledger.balance(f"box:{number}"), f"box {number} differs after {self.last}"

    def check_asked(self) -> None:
        """Nobody is waited for who has no wager on the hand, and who is asked can be passed over."""
        table = self.table
        if table.phase not in ("surrender", "play", "late") or table.preparation != "ready" or table.halted:
            return
        for box in table.boxes.values():
            for hand in box.hands:
                for name in hand.asked if hand.asking and (table.phase == "surrender" or not hand.done) else ():
                    assert not hand.wagers[name].settled, f"{name} is asked without a wager"
                    refused = refusal(table, a.PassOver(name, box.number))
                    assert refused is None, f"{name} cannot be passed over: {refused}"
        if waiting_for(table).what in ("decision", "short-hand"):
            caller = table.boxes[table.turn_box].controller
            wager = table.hand_to_act().wagers.get(caller)
            assert wager is not None and not wager.settled, f"{caller} calls a hand without a wager on it"

    def check_between_rounds(self) -> None:
        """No wager is left on the cloth, and every physical card is in exactly one place."""
        for account, cents in self.ledger.balances.items():
            assert not account.startswith("box:") or cents == 0, f"{account} keeps {cents}"
        self.check_cards()

    def check_cards(self) -> None:
        """Every physical card is in exactly one place: source, box, dealer, rack, or set aside."""
        table = self.table
        if table.preparation == "shuffle" and table.shuffle_reason in ("new-cards", "start"):
            return  # the cards have been taken away, or are not there yet
        cards = Counter(table.stack[table.position :]) + Counter(table.rack) + Counter(table.dealer_cards)
        cards.update(card for card, _ in table.error_cards)
        cards.update(card for _, card in table.misdealt)
        cards.update(card for box in table.boxes.values() for hand in box.hands for card in hand.cards)
        assert cards == Counter(full_stack(table)), f"a card is nowhere or twice after {self.last}"


def session(rulebook_id: str, seed: int, rounds: int, mishaps: float = 0.0) -> Watch:
    rng = random.Random(f"{rulebook_id}:{seed}")
    watch = Watch(some_table(rulebook_id, rng))
    for turn in range(rounds * 400):
        if watch.rounds >= rounds:
            return watch
        watch.act(next_act(watch.table, rng, mishaps), thorough=turn % 16 == 0)
    raise AssertionError(f"{rulebook_id} seed {seed}: the table got stuck, waiting for {waiting_for(watch.table)}")


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_whatever_people_do(rulebook_id: str, batch: int) -> None:
    rounds = 0
    for seed in range(batch * SESSIONS_A_BATCH, (batch + 1) * SESSIONS_A_BATCH):
        try:
            watch = session(rulebook_id, seed, ROUNDS_A_SESSION)
            rounds += watch.rounds
            saved_session_replays(watch)
        except AssertionError as error:
            raise AssertionError(f"{rulebook_id} seed {seed}: {error}") from error
    assert rounds == SESSIONS_A_BATCH * ROUNDS_A_SESSION


def saved_session_replays(watch: Watch) -> None:
    """The session as a record: written, read again and replayed it gives the same events, byte for byte."""
    record = watch.recorder.session(title="a session at random")
    text = dumps(record)
    result = replay(loads(text))
    assert result.ok, f"{result.failures[:3]}\n{text}"
    assert encoded(result.events) == encoded(watch.events), "the replayed events differ"


@pytest.mark.parametrize("batch", range(MISHAP_BATCHES))
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_whatever_goes_wrong(rulebook_id: str, batch: int) -> None:
    """From any table, any irregularity: money and cards are conserved, the table goes on, and a record tells it all."""
    for seed in range(batch * 30, batch * 30 + 30):
        try:
            watch = session(rulebook_id, 90_000 + seed, 12, mishaps=0.12)
            saved_session_replays(watch)
        except AssertionError as error:
            raise AssertionError(f"{rulebook_id} seed {seed}: {error}") from error


def crowded_session(rulebook_id: str, seed: int, rounds: int) -> Watch:
    rng = random.Random(f"{rulebook_id}:crowd:{seed}")
    watch = Watch(crowded_table(rulebook_id, rng))
    for turn in range(rounds * 200):
        if watch.rounds >= rounds:
            return watch
        watch.act(crowd_act(watch.table, rng), thorough=turn % 16 == 0)
    raise AssertionError(f"the table got stuck, waiting for {waiting_for(watch.table)}")


@pytest.mark.clause("nsw-pontoon", "5.6")
@pytest.mark.clause("nsw-pontoon", "6.3")
@pytest.mark.clause("nsw-pontoon", "19.8.1")
@pytest.mark.clause("nsw-blackjack-challenge", "5.7")
@pytest.mark.clause("nsw-blackjack-challenge", "6.3")
@pytest.mark.parametrize("batch", range(CROWD_BATCHES))
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_whatever_goes_wrong_on_shared_boxes(rulebook_id: str, batch: int) -> None:
    """Wagers that go, whole or in part, while others on the box are asked: money stays, and nobody is waited for."""
    for seed in range(batch * CROWD_SESSIONS, (batch + 1) * CROWD_SESSIONS):
        try:
            watch = crowded_session(rulebook_id, seed, 12)
            saved_session_replays(watch)
        except Exception as error:
            raise AssertionError(f"{rulebook_id} seed {seed}: {type(error).__name__}: {error}") from error


@given(st.sampled_from(RULEBOOKS), st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_a_few_rounds_anywhere(rulebook_id: str, seed: int) -> None:
    watch = session(rulebook_id, seed, 3)
    saved_session_replays(watch)
    encoded_events = msgspec.json.encode(watch.events)
    assert msgspec.json.decode(encoded_events, type=list[e.AnyEvent]) == watch.events


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_the_last_round_alone_replays(rulebook_id: str) -> None:
    for seed in range(length(40, 10)):
        watch = session(rulebook_id, 50_000 + seed, 4)
        record = watch.recorder.last_round(title="the last round")
        assert record is not None
        result = replay(loads(dumps(record)))
        assert result.ok, f"{rulebook_id} seed {seed}: {result.failures[:3]}\n{dumps(record)}"
