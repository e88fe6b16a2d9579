"""A table that deals by itself: never refused, never stuck, never busy for nothing, and it waits for people."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.chance import Chance
from pitboss.floor.bots import NAMES, bot_act, is_bot, persons_wagered
from pitboss.floor.house_dealer import AT_ONCE, Pace, Step, moment
from pitboss.floor.model import HOUSE, Timers
from pitboss.floor.permissions import denial
from pitboss.ledger import Ledger
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.engine import decide, open_table, play, refusal
from pitboss.table.house import DEVICE, SHOE, Patron
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table
from tests.properties.driver import some_house, some_mishap

ROUNDS = 40
TIMERS = Timers()
PEOPLE = ("alice", "bob")
TABLES = [(rulebook, source) for rulebook in RULEBOOKS for source in load(rulebook).shuffle.sources.value]


class Dealt:
    """Plays whatever the house wants and checks that nothing of it is refused or denied, and that no cent is lost."""

    def __init__(self, table: Table, seed: str) -> None:
        self.table = table
        self.chance = Chance(seed)
        self.pace = Pace()
        self.now_ms = 1_000_000
        self.ledger = Ledger(table.jackpot_cents)
        self.rounds = 0
        self.acts: dict[str, int] = {}

    def do(self, act: Any) -> None:
        events = decide(self.table, act)
        assert not isinstance(events, Refusal), (act, str(events))
        for event in events:
            self.ledger.post(event)
            self.rounds += isinstance(event, e.RoundEnded)
        self.table = evolve(self.table, events)
        name = type(act).__name__
        self.acts[name] = self.acts.get(name, 0) + 1

    def house(self, **options: Any) -> bool:
        """One step of the house at this moment; False where it waits."""
        step = self.pace.step(self.table, self.now_ms, options.pop("timers", TIMERS), self.chance, **options)
        if step.act is None:
            if step.wake_ms is not None:
                assert step.wake_ms > self.now_ms, "it would wake at once, and again, and again"
            return False
        assert denial(HOUSE, step.act, self.table, dealt_by="house") is None, step.act
        self.do(step.act)
        return True

    def check_money(self) -> None:
        for name, cents in self.table.net.items():
            assert self.ledger.standing(name) == cents


def seated(rulebook: str, seed: int, source: str = "", names: tuple[str, ...] = NAMES) -> Table:
    book = load(rulebook)
    house = some_house(book, random.Random(seed))
    while source and house.source != source:
        seed += 1000
        house = some_house(book, random.Random(seed))
    house = msgspec.structs.replace(house, boxes=max(house.boxes, 5) if 5 in book.boxes.number.value else house.boxes)
    return open_table(book, house=house, players={name: Patron(seat=box) for box, name in enumerate(names, 1)})


# --- bots alone ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rulebook", "source"), TABLES)
def test_bots_play_rounds_without_a_refused_act(rulebook: str, source: str) -> None:
    dealt = Dealt(seated(rulebook, 1, source), f"{rulebook}:{source}")
    steps = 0
    while dealt.rounds < ROUNDS:
        assert dealt.house(timers=AT_ONCE, alone=True), waiting_for(dealt.table)
        steps += 1
        assert steps < 200 * ROUNDS, "it does not come to an end"
    dealt.check_money()
    assert {"Shuffle", "PlaceWager", "Deal", "Hit", "Stand"} <= set(dealt.acts)
    assert ("Mix" in dealt.acts) == (source == DEVICE)
    assert ("Cut" in dealt.acts) == (source == SHOE)


@given(st.integers(0, 10**6), st.sampled_from(TABLES))
@settings(max_examples=60, deadline=None)
def test_any_house_can_be_dealt_by_itself(seed: int, which: tuple[str, str]) -> None:
    """Any number of decks, chips, jokers, cards face down, deferred settlement: whatever a rulebook lets open."""
    dealt = Dealt(seated(which[0], seed, which[1]), str(seed))
    for _ in range(150):
        assert dealt.house(timers=AT_ONCE, alone=True), waiting_for(dealt.table)
    dealt.check_money()


@given(st.integers(0, 10**6), st.sampled_from(RULEBOOKS))
@settings(max_examples=60, deadline=None)
def test_with_people_who_do_anything_or_nothing_the_house_is_never_stuck(seed: int, rulebook: str) -> None:
    """People wager, decide, dawdle, leave, and things go wrong; given time, the house brings every round to its end."""
    rng = random.Random(seed)
    dealt = Dealt(seated(rulebook, seed, names=("alice", "bob", *NAMES[:2])), str(seed))
    for _ in range(120):
        here = [name for name in PEOPLE if rng.random() < 0.8]
        acts = [*_somebody_does(dealt.table, rng)]
        for act in acts:
            if refusal(dealt.table, act) is None:
                dealt.do(act)
        dealt.now_ms += rng.choice((1, 50, 700, 4_000, 16_000, 40_000))
        dealt.house(seated=here, passed=here if rng.random() < 0.1 else ())
    _finish(dealt)
    dealt.check_money()


def _somebody_does(table: Table, rng: random.Random) -> list[Any]:
    name, box = rng.choice(PEOPLE), rng.randint(1, 5)
    if rng.random() < 0.03:
        return [some_mishap(table, rng)]
    if table.phase == "wagers" and rng.random() < 0.5:
        return [a.PlaceWager(name, box, rng.choice((500, 1000)), rng.choice(("original", *table.house.side_bets)))]
    options = [act for act in legal_acts(table) if getattr(act, "player", "") in PEOPLE]
    return [rng.choice(options)] if options and rng.random() < 0.4 else []


def _finish(dealt: Dealt) -> None:
    """Everybody has gone: the round ends by itself, and then nothing happens any more."""
    for _ in range(600):
        step = step_of(dealt, seated=())
        if dealt.table.checks_due and waiting_for(dealt.table).what == "confirmation":
            dealt.do(a.Confirm("casino-supervisor", "all"))  # the house never does that for them
        elif step.act is not None:
            dealt.house(seated=())
        elif step.wake_ms is not None:
            dealt.now_ms = step.wake_ms
        else:
            break
    assert dealt.table.phase == "wagers", waiting_for(dealt.table)
    assert not any(state.present for name, state in dealt.table.players.items() if name in PEOPLE)
    assert not any(box.wagers for box in dealt.table.boxes.values())
    assert step_of(dealt, seated=()) == Step(), "nobody wagers, so nobody deals"


def test_the_same_seed_deals_the_same() -> None:
    played = []
    for _ in range(2):
        dealt = Dealt(seated("nsw-pontoon", 3, SHOE), "again")
        for _ in range(300):
            dealt.house(timers=AT_ONCE, alone=True)
        played.append((dealt.table.net, dealt.table.stack, dealt.rounds))
    assert played[0] == played[1]
    other = Dealt(seated("nsw-pontoon", 3, SHOE), "another")
    for _ in range(300):
        other.house(timers=AT_ONCE, alone=True)
    assert other.table.net != played[0][0]


# --- waiting for people ----------------------------------------------------------------------------------------------


def ready_table(rulebook: str = "nsw-pontoon", cards: str = "", *players: str) -> Table:
    names = players or PEOPLE
    return open_table(rulebook, cards=cards, players={name: Patron(seat=box) for box, name in enumerate(names, 1)})


def step_of(dealt: Dealt, **options: Any) -> Any:
    return dealt.pace.step(dealt.table, dealt.now_ms, TIMERS, dealt.chance, **options)


def test_nobody_wagers_nothing_happens() -> None:
    dealt = Dealt(ready_table("nsw-pontoon", "6s"), "x")
    step = step_of(dealt)
    assert step.act is None and step.wake_ms is None and step.deadline_ms is None


def test_time_runs_from_the_first_wager() -> None:
    dealt = Dealt(ready_table("nsw-pontoon", "6s 9h 5d Kc 7h 2d 3c"), "x")
    step_of(dealt)
    dealt.now_ms += 60_000
    dealt.do(a.PlaceWager("alice", 1, 500))
    began = dealt.now_ms
    step = step_of(dealt)
    assert step.wake_ms == step.deadline_ms == began + TIMERS.wagers_ms
    dealt.now_ms += 5_000
    dealt.do(a.PlaceWager("alice", 2, 500))
    assert step_of(dealt).wake_ms == began + TIMERS.wagers_ms, "a later wager gives no more time"
    dealt.now_ms = began + TIMERS.wagers_ms
    assert step_of(dealt).act == a.Deal()


def test_when_everybody_has_wagered_it_deals_soon() -> None:
    dealt = Dealt(ready_table("nsw-pontoon", "6s 9h 5d Kc 7h 2d 3c"), "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    step_of(dealt)
    dealt.now_ms += 1_000
    dealt.do(a.PlaceWager("bob", 2, 500))
    assert step_of(dealt).wake_ms == dealt.now_ms + TIMERS.last_wager_ms
    dealt.now_ms += 1_000
    dealt.do(a.PlaceWager("bob", 2, 500, "perfect-pairs"))
    assert step_of(dealt).wake_ms == dealt.now_ms + TIMERS.last_wager_ms, "bob is still busy"
    quick = step_of(dealt, passed=PEOPLE)
    assert quick.wake_ms == dealt.now_ms + TIMERS.pace_ms, "both say that they are ready"


def test_who_has_gone_is_not_waited_for() -> None:
    dealt = Dealt(ready_table("nsw-pontoon", "6s 9h 5d Kc 7h 2d 3c"), "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    assert step_of(dealt, seated=["alice"]).wake_ms == dealt.now_ms + TIMERS.last_wager_ms
    dealt.do(a.Deal())
    assert waiting_for(dealt.table).what == "decision"
    dealing = 3 * TIMERS.lay_ms
    assert step_of(dealt, seated=["alice"]).deadline_ms == dealt.now_ms + dealing + TIMERS.decision_ms
    assert step_of(dealt, seated=[]).wake_ms == dealt.now_ms + TIMERS.pace_ms


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_who_does_not_decide_gets_what_the_rulebook_says(rulebook: str) -> None:
    """NSW pontoon 17.10: no more cards; Adelaide 74(c), Canberra 15.7 and Blackjack Challenge 18.10: drawn to 12."""
    dealt = Dealt(ready_table(rulebook, "2s 9h 3d 4c 8h Kd 9c 9s", "alice"), "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    dealt.do(a.Deal())
    cards = 2
    while dealt.table.phase != "wagers":
        step = step_of(dealt)
        if step.act is None:
            dealt.now_ms = step.wake_ms
            continue
        assert isinstance(step.act, a.PassOver)
        dealt.do(step.act)
        box = dealt.table.boxes.get(1)
        cards = len(box.hands[0].cards) if box is not None and box.hands else cards
    drawn = load(rulebook).irregularities.absent_player.value != "no-more-cards"
    assert dealt.acts["PassOver"] == (3 if drawn else 1)


def test_time_to_decide_runs_from_when_the_cards_lie() -> None:
    """Whatever a page takes to show the cards, nobody loses any of their time to it."""
    dealt = Dealt(ready_table("nsw-pontoon", "2s 9h 3d 4c 8h 2d 3c", "alice"), "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    step_of(dealt)
    dealt.do(a.Deal())
    due = dealt.now_ms + TIMERS.decision_ms + 3 * TIMERS.lay_ms
    assert step_of(dealt).deadline_ms == due
    for early, acts in ((1, False), (0, True)):
        dealt.now_ms = due - early
        found = step_of(dealt)
        assert (found.act is not None) == acts and (acts or found.deadline_ms == due)


def test_each_card_gives_new_time() -> None:
    dealt = Dealt(ready_table("nsw-pontoon", "2s 9h 3d 4c 8h 2d 3c", "alice"), "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    dealt.do(a.Deal())
    first = step_of(dealt).deadline_ms
    dealt.now_ms += 10_000
    dealt.do(a.Hit("alice", 1))
    assert step_of(dealt).deadline_ms == first + 10_000 + TIMERS.lay_ms


def test_insurance_closes_when_time_is_up_or_nobody_wants_it() -> None:
    def offered() -> Dealt:
        dealt = Dealt(ready_table("nsw-pontoon", "9s 9h Ad 4c 8h 2d 3c"), "x")
        dealt.do(a.PlaceWager("alice", 1, 1000))
        dealt.do(a.PlaceWager("bob", 2, 1000))
        dealt.do(a.Deal())
        assert waiting_for(dealt.table).what == "insurance"
        return dealt

    dealt = offered()
    assert step_of(dealt).deadline_ms == dealt.now_ms + TIMERS.insurance_ms
    dealt.do(a.Insure("alice", 1, 500))
    assert step_of(dealt, passed=["bob"]).wake_ms == dealt.now_ms + TIMERS.pace_ms
    dealt.now_ms += TIMERS.insurance_ms
    assert step_of(dealt).act == a.CloseInsurance()
    dealt = offered()
    assert step_of(dealt, seated=["alice"]).deadline_ms is not None
    assert step_of(dealt, seated=[]).deadline_ms is None


@pytest.mark.parametrize(("cards", "what"), [("9s 9h Ad 4c 8h 2d 3c", "insurance"), ("9s 9h Kd 7c 8h 2d", "surrender")])
def test_no_time_is_lost_with_bots(cards: str, what: str) -> None:
    """A bot that says nothing of what is offered wants nothing: once the people have passed, the house goes on."""
    dealt = Dealt(ready_table("nsw-pontoon", cards), "x")
    dealt.do(a.PlaceWager("alice", 1, 1000))
    dealt.do(a.PlaceWager(NAMES[0], 2, 1000))
    dealt.do(a.Deal())
    assert waiting_for(dealt.table).what == what
    assert step_of(dealt).deadline_ms is not None
    assert step_of(dealt, passed=["alice"]).wake_ms == dealt.now_ms + TIMERS.pace_ms


def test_the_cut_is_offered_on_and_in_the_end_the_house_cuts() -> None:
    dealt = Dealt(
        open_table("nsw-pontoon", players={name: Patron(seat=box) for box, name in enumerate(PEOPLE, 1)}), "x"
    )
    offered = []
    while dealt.table.preparation != "ready":
        step = step_of(dealt)
        if step.act is None:
            dealt.now_ms = step.wake_ms
            continue
        if dealt.table.preparation == "cut":
            offered.append((dealt.table.cut_offered, type(step.act).__name__))
        dealt.do(step.act)
    assert offered == [("alice", "DeclineCut"), ("bob", "DeclineCut"), ("supervisor", "Cut")]


def test_a_doubled_hand_is_kept_when_nobody_says_otherwise() -> None:
    dealt = Dealt(ready_table("nsw-pontoon", "6s 9h 5d 2c 8h Kd", "alice"), "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    dealt.do(a.Deal())
    dealt.do(a.Double("alice", 1))
    assert waiting_for(dealt.table).what == "forfeit"
    assert step_of(dealt).deadline_ms == dealt.now_ms + TIMERS.answer_ms
    dealt.now_ms += TIMERS.answer_ms
    assert step_of(dealt).act == a.Keep("alice", 1)


def test_a_wager_without_the_condition_of_play_goes_back() -> None:
    book = load("canberra-pontoon-2005")
    kind = next((name for name, bet in book.side_bets.items() if bet.compulsory.value), None)
    rulebook = "canberra-pontoon-2005"
    if kind is None:
        rulebook, kind = next(
            (name, kind) for name in RULEBOOKS for kind, bet in load(name).side_bets.items() if bet.compulsory.value
        )
    table = ready_table(rulebook, "6s 9h 5d Kc 7h 2d 3c", "alice")
    table.house = msgspec.structs.replace(table.house, required=(kind,))
    dealt = Dealt(table, "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    step_of(dealt)
    dealt.now_ms += TIMERS.wagers_ms
    assert step_of(dealt).act == a.WithdrawWager("alice", 1)


def test_a_linked_jackpot_is_left_to_the_link() -> None:
    table = ready_table("nsw-blackjack-challenge", "7d 7d 7d 2c 3c", "alice")
    house = msgspec.structs.replace(
        table.house, source=DEVICE, jackpot_linked=True, side_bets=("blazing-7s",), jackpot_minimum_cents=2_500_000
    )
    table.house = house
    dealt = Dealt(table, "x")
    dealt.do(a.PlaceWager("alice", 1, 500))
    dealt.do(a.PlaceWager("alice", 1, 250, "blazing-7s"))
    dealt.do(a.Deal())
    assert waiting_for(dealt.table).what == "jackpot"
    dealt.pace._mixed = dealt.table.stack
    assert step_of(dealt).act is None


def test_who_has_gone_for_long_loses_his_seat_but_no_wager() -> None:
    dealt = Dealt(ready_table("nsw-pontoon", "6s 9h 5d Kc 7h 2d 3c"), "x")
    dealt.do(a.PlaceWager("bob", 2, 500))
    start = dealt.now_ms
    assert step_of(dealt, seated=["bob"]).wake_ms == start + TIMERS.last_wager_ms
    dealt.do(a.WithdrawWager("bob", 2))
    step = step_of(dealt, seated=["bob"])
    assert step.act is None and step.wake_ms == start + TIMERS.away_ms, "alice is not there"
    dealt.now_ms += 60_000
    assert step_of(dealt, seated=["alice", "bob"]).wake_ms is None, "now she is"
    assert step_of(dealt, seated=["bob"]).wake_ms == dealt.now_ms + TIMERS.away_ms
    dealt.do(a.PlaceWager("alice", 1, 500))
    step_of(dealt, seated=["bob"])
    dealt.now_ms += TIMERS.away_ms
    assert step_of(dealt, seated=["bob"]).act == a.Deal(), "her wager is played first"
    dealt.do(a.WithdrawWager("alice", 1))
    assert step_of(dealt, seated=["bob"]).act == a.LeaveTable("alice")
    assert step_of(dealt).act is None, "where nobody says who is there, everybody is"


# --- bots ------------------------------------------------------------------------------------------------------------


def test_bots_wait_for_company() -> None:
    table = ready_table("nsw-pontoon", "6s 9h 5d Kc 7h 2d 3c", "alice", "bot-bob")
    assert bot_act(table, "bot-bob", Chance(1)) is None
    assert isinstance(bot_act(table, "bot-bob", Chance(1), alone=True), a.PlaceWager)
    table, _ = play(table, a.PlaceWager("alice", 1, 500))
    assert persons_wagered(table)
    act = bot_act(table, "bot-bob", Chance(1))
    assert isinstance(act, a.PlaceWager) and (act.player, act.box) == ("bot-bob", 2)


def test_a_bot_sits_down_where_a_box_is_free() -> None:
    table = ready_table("nsw-pontoon", "6s", "alice")
    act = bot_act(table, "bot-dave", Chance(1))
    assert act == a.TakeSeat("bot-dave", table.house.boxes)
    full = open_table("nsw-pontoon", cards="6s", players={f"p{n}": Patron(seat=n) for n in range(1, 8)})
    assert bot_act(full, "bot-dave", Chance(1)) is None


def test_a_bot_without_chips_watches() -> None:
    players = {"alice": Patron(seat=1), "bot-bob": Patron(seat=2, chips_cents=300)}
    table = open_table("nsw-pontoon", cards="6s 9h 5d", players=players)
    table, _ = play(table, a.PlaceWager("alice", 1, 500))
    assert bot_act(table, "bot-bob", Chance(1)) is None


def test_a_bot_asked_twice_does_not_change_its_mind() -> None:
    table = ready_table("nsw-pontoon", "6s 9h 5d Kc 7h 2d 3c", "alice", "bot-bob")
    table, _ = play(table, a.PlaceWager("alice", 1, 500))
    chance = Chance("x")
    assert len({bot_act(table, "bot-bob", chance) for _ in range(20)}) == 1
    table, _ = play(table, bot_act(table, "bot-bob", chance))  # type: ignore[arg-type]
    assert len({bot_act(table, "bot-bob", chance) for _ in range(50)}) == 1, "nor roll for a side bet again and again"


def test_bots_know_their_names() -> None:
    assert all(is_bot(name) for name in NAMES) and not is_bot("alice") and not is_bot("robot-1")


def test_moments_do_not_depend_on_hidden_cards() -> None:
    one = ready_table("nsw-pontoon", "6s 9h 5d Kc 7h 2d 3c", "alice")
    two = ready_table("nsw-pontoon", "6s 9h 5d 2c 3h 4d 5c", "alice")
    acts = (a.PlaceWager("alice", 1, 500), a.Deal())
    assert moment(play(one, *acts)[0]) == moment(play(two, *acts)[0])
