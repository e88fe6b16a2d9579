"""With a table a ruling is what the engine does: the same events, the same money, the same cards."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from pitboss import decide, evolve, legal_acts, open_table, play
from pitboss.adjudicate import SITUATIONS, AdjudicationError, Ruling, adjudicate, adjudicate_act
from pitboss.adjudicate.model import FactValue
from pitboss.adjudicate.recognising import situation_of
from pitboss.adjudicate.ruling import rule_on
from pitboss.adjudicate.situations.parts import Fact, Situation
from pitboss.adjudicate.speaking import as_json, balances, in_a_record, layout, lines
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import DEVICE, default_house
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table, snapshot
from tests.properties.driver import PEOPLE, next_act, some_mishap, some_table

SEEDS = 40
ACTS_A_SESSION = 120


def some_fact(fact: Fact, table: Table, rng: random.Random) -> FactValue:
    boxes = [number for number, box in table.boxes.items() if box.wagers or box.hands] or [1]
    if fact.kind == "yes-no":
        return rng.random() < 0.5
    if fact.kind == "choice":
        return rng.choice(list(fact.choices))
    made: dict[str, FactValue] = {
        "amount": rng.choice((500, 250_000)),
        "number": rng.choice(boxes) if fact.name == "box" else rng.randint(1, 4),
        "name": rng.choice(PEOPLE),
        "names": (rng.choice(PEOPLE),),
        "cards": " ".join(table.stack[table.position : table.position + rng.choice((0, 2))]),
        "places": tuple(str(rng.choice((*boxes, 0, 7))) for _ in range(rng.randint(1, 8))),
        "text": "something happened",
    }
    return made[fact.kind]


def cards_on(table: Table) -> Counter[str]:
    cards = Counter(table.stack[table.position :]) + Counter(table.rack) + Counter(table.dealer_cards)
    cards.update(card for card, _ in table.error_cards)
    cards.update(card for _, card in table.misdealt)
    cards.update(card for box in table.boxes.values() for hand in box.hands for card in hand.cards)
    return cards


def check(table: Table, ruling: Ruling) -> None:
    """Following the steps is what the engine does."""
    before = snapshot(table)
    told: tuple[Any, ...] = (*ruling.steps, *ruling.approvals, *ruling.notices)
    cited = [clause for each in told for clause in each.clauses]
    assert [clause for clause in cited if not exists(table.rulebook.id, clause)] == []
    assert all(len(line) <= 80 for line in lines(ruling) if line not in in_a_record(ruling))
    as_json(ruling)
    if ruling.after is None:
        assert not ruling.events and not ruling.acts
        return
    after, events = play(table, *ruling.acts)
    assert events == ruling.events
    assert snapshot(after) == snapshot(ruling.after) == snapshot(evolve(table, ruling.events))
    moved = balances(ruling)
    for name in {**table.net, **after.net}:
        assert after.net.get(name, 0) - table.net.get(name, 0) == moved.get(name, 0), name
    assert sum(cents for step in ruling.steps for _, cents in step.postings) == 0
    # A record names the cards that come next, so after a jam in one they need not be those that jammed.
    new_cards = (e.CardsReplaced, e.StackArranged) if table.arranged else (e.CardsReplaced,)
    returned = [
        event for event in events if isinstance(event, e.DiscardsReturned) or getattr(event, "to_device", False)
    ]
    into_device = table.arranged and returned
    if not into_device and not any(isinstance(event, new_cards) for event in events):
        gone = Counter(event.card for event in events if isinstance(event, e.WrongCardRemoved))
        assert cards_on(after) + gone == cards_on(table)
    assert not after.approval_due and not after.misdealt
    asked = any(isinstance(event, e.IrregularityReported) and event.approval for event in events)
    wanted = "approves that the game continues" in [each.what for each in ruling.approvals]
    assert asked == wanted or table.misdealt, ruling.situation
    assert ruling.steps[-1].kind in ("next", "choice")
    assert snapshot(table) == before


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_from_any_table_a_ruling_is_what_the_engine_does(rulebook: str) -> None:
    carried: Counter[str] = Counter()
    for seed in range(SEEDS):
        rng = random.Random(f"adjudicate:{rulebook}:{seed}")
        table = some_table(rulebook, rng)
        for _ in range(ACTS_A_SESSION):
            answer = decide(table, next_act(table, rng, mishaps=0.02))
            if not isinstance(answer, Refusal):
                table = evolve(table, answer)
            if rng.random() > 0.4 or table.approval_due or table.refund_asked:
                continue
            situation = rng.choice(SITUATIONS)
            facts = {fact.name: some_fact(fact, table, rng) for fact in situation.facts}
            if table.misdealt:
                facts.pop("places", None)
            ruling = rule_on(rulebook, situation.name, facts, table=table)
            check(table, ruling)
            carried[situation.name] += ruling.after is not None
            mishap = some_mishap(table, rng)
            if situation_of(mishap, table) is not None:  # type: ignore[arg-type]
                ruling = adjudicate_act(table, mishap)  # type: ignore[arg-type]
                check(table, ruling)
                carried[ruling.situation] += ruling.after is not None
    common = {"card-face-up", "card-drawn-in-error", "card-burned-in-error", "round-void", "card-out-of-order"}
    assert common <= {name for name, count in carried.items() if count}


def dealt(
    rulebook: str, *acts: a.Act, source: str = "shoe", cards: str = "6s 9h 5d Kc 8d 9c 7d 6d 5c 4c 3c 2c"
) -> Table:
    table = open_table(rulebook, cards=cards, house=default_house(load(rulebook), source=source))
    table, _ = play(table, a.PlaceWager("alice", 1, 2500), a.PlaceWager("bob", 2, 1000), *acts)
    return table


def test_a_void_round_gives_the_wagers_back() -> None:
    table = dealt("nsw-pontoon", a.Deal())
    ruling = adjudicate("nsw-pontoon", "round-void", table, reason="the shoe fell over")
    check(table, ruling)
    assert balances(ruling) == {"alice": 2500, "bob": 1000}
    assert [step.text for step in ruling.steps if step.at_table][1] == "Box 1: alice gets back, void, $25.00."


def test_a_card_drawn_in_error_may_be_refused_by_whoever_is_in_turn() -> None:
    table = dealt("nsw-pontoon", a.Deal())
    ruling = adjudicate("nsw-pontoon", "card-drawn-in-error", table)
    assert ruling.choices[-1].text == "alice on box 1 may refuse the card that was drawn in error."
    ruling = adjudicate("canberra-pontoon-2005", "card-drawn-in-error", dealt("canberra-pontoon-2005", a.Deal()))
    assert not ruling.choices


def test_a_misdealt_round_is_rebuilt_with_approval() -> None:
    table = dealt("adelaide-pontoon-2008")
    ruling = adjudicate(
        "adelaide-pontoon-2008", "card-out-of-order", table, noticed="initial-deal", possible=True,
        places=("1", "2", "2", "dealer", "1"),
    )  # fmt: skip
    check(table, ruling)
    assert [type(act) for act in ruling.acts] == [a.Misdeal, a.Approve, a.Reconstruct]
    right, _ = play(table, a.Deal())
    assert ruling.after is not None and cards_on(ruling.after) == cards_on(right)
    assert ruling.after.boxes[1].hands[0].cards == right.boxes[1].hands[0].cards
    assert ruling.after.dealer_cards == right.dealer_cards


def test_a_round_that_cannot_be_rebuilt_is_void() -> None:
    table = dealt("canberra-pontoon-2002")
    ruling = adjudicate("canberra-pontoon-2002", "box-lacks-card", table, possible=False, places=("1", "dealer", "1"))
    check(table, ruling)
    assert [type(act) for act in ruling.acts] == [a.Misdeal, a.VoidRound]
    assert ruling.after is not None and ruling.after.phase == "wagers"


def test_a_misdeal_that_lies_on_the_table_needs_no_places() -> None:
    table = dealt("nsw-pontoon", a.Misdeal((1, 1, 2, 0, 2)))
    ruling = adjudicate("nsw-pontoon", "card-out-of-order", table, possible=True)
    check(table, ruling)
    assert [type(act) for act in ruling.acts] == [a.Reconstruct]


def test_the_hand_of_somebody_absent_is_drawn_as_far_as_it_must_be() -> None:
    """It gets no more cards at 12 or more: nobody is asked for a decision on it again."""
    table = open_table("nsw-blackjack-challenge", cards="5s 7d 4h 2c 8h 9d 2d")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    ruling = adjudicate("nsw-blackjack-challenge", "player-absent", table, player="alice", box=1)
    assert [act for act in ruling.acts if isinstance(act, a.PassOver)] == [a.PassOver("alice", 1)] * 3
    assert ruling.after is not None and ruling.after.phase == "wagers" and ruling.after.net == {"alice": 1000}
    table = open_table("nsw-pontoon", cards="5s 7d 4h 9c Kh")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert len(adjudicate("nsw-pontoon", "player-absent", table, player="alice", box=1).acts) == 1


def test_what_a_dealer_notices_is_laid_again_under_whom_it_must() -> None:
    """Adelaide 112: a full reconstruction is under Table Games Management, whoever saw the error."""
    table = open_table("adelaide-pontoon-2008", cards="9s 8h 7d 4c 5d Kh")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal(), a.Hit("alice", 1))
    ruling = adjudicate_act(table, a.Notice("dealer", "face-up", card=6))
    assert ruling.refusal is None
    assert ruling.acts[:2] == (a.Notice("shift-manager", "face-up", card=6), a.Approve("casino-supervisor"))
    never = adjudicate_act(table, a.Notice("dealer", "face-up", card=9))
    assert never.refusal is not None


def test_fraud_that_shows_after_the_result() -> None:
    """The round is over: what was paid before its settlement is for whoever invalidates it to decide."""
    table = open_table("nsw-pontoon", cards="As 9h 7d Kd 9c Kh")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal(), a.Stand("bob", 2))
    act = a.InvalidateRound("casino-supervisor", "fraud", reason="a marked card")
    asked = adjudicate_act(table, act)
    assert [question.about for question in asked.questions] == ["irregularities.invalidated_paid"]
    for paid, alice in (("stand", 1500), ("returned", 0)):
        ruling = adjudicate_act(table, act, decisions={"invalidated_paid": paid}, decided_by="casino-supervisor")
        assert ruling.after is not None and ruling.after.net == {"alice": alice, "bob": 0}
    before = open_table("nsw-pontoon", cards="As")
    assert (
        adjudicate_act(before, act, decisions={"invalidated_paid": "stand"}, decided_by="casino-supervisor").refusal
        is not None
    )


def test_what_the_table_shows_is_not_asked() -> None:
    table = dealt("nsw-pontoon", a.Deal())
    assert adjudicate("nsw-pontoon", "player-absent", table).complete
    ruling = adjudicate("nsw-pontoon", "invalid-wager", table, player="alice", box=1)
    assert ruling.complete and balances(ruling) == {"alice": 2500}
    table = dealt("nsw-pontoon", a.Deal(), source=DEVICE)
    ruling = adjudicate("nsw-pontoon", "shuffling-device-malfunction", table, disadvantage=False, spare=False)
    check(table, ruling)
    assert ruling.choices[-1].text == "alice, bob: take the wagers back, or play on?"


def test_what_only_the_people_know_is_asked() -> None:
    table = dealt("nsw-pontoon", a.Deal())
    ruling = adjudicate("nsw-pontoon", "prohibited-device", table)
    assert [question.about for question in ruling.questions] == ["breach", "player", "reason"]
    assert ruling.after is None


def test_the_house_decides_on_a_table_too() -> None:
    table = dealt("canberra-pontoon-2005", a.Deal())
    assert not adjudicate("canberra-pontoon-2005", "wrong-cards", table, which="missing").complete
    ruling = adjudicate(
        "canberra-pontoon-2005", "wrong-cards", table, which="missing",
        decisions={"irregularities.wrong_cards": "void-and-retire"}, decided_by="casino-supervisor",
    )  # fmt: skip
    assert ruling.complete and balances(ruling) == {"alice": 2500, "bob": 1000}
    assert ruling.after is not None and ruling.after.rulebook == table.rulebook
    assert all(exists("canberra-pontoon-2005", clause) for step in ruling.steps for clause in step.clauses)


def test_what_cannot_be_is_refused_with_its_clause() -> None:
    table = dealt("nsw-pontoon")
    ruling = adjudicate("nsw-pontoon", "round-void", table, reason="nothing")
    assert ruling.refusal is not None and "no round is being played" in ruling.refusal.text
    assert ruling.after is None and any("It cannot be so" in line for line in lines(ruling))
    assert as_json(ruling)["refused"]["clauses"]


def test_an_act_that_tells_nothing_wrong() -> None:
    with pytest.raises(AdjudicationError, match="Hit does not tell that anything went wrong"):
        adjudicate_act(dealt("nsw-pontoon", a.Deal()), a.Hit("alice", 1))
    with pytest.raises(AdjudicationError, match="plays by NSW pontoon"):
        adjudicate("canberra-pontoon-2005", "cut-missed", dealt("nsw-pontoon"))


TOLD_AS = {"out-of-turn": "card-drawn-in-error"}
"""A record tells a card dealt out of turn as any card that nobody had asked for."""


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_every_situation_that_has_an_act_is_told_by_it(situation: Situation) -> None:
    """What a record says and what is chosen from the menu come to the same ruling."""
    if situation.act is None:
        return
    rng = random.Random(situation.name)
    table = dealt("adelaide-pontoon-2008" if situation.name == "hand-left-out" else "nsw-pontoon", source=DEVICE)
    if situation.name == "misdeal-told-after-the-round":
        table, _ = play(table, a.Deal())
        while table.phase != "wagers":
            table, _ = play(table, rng.choice(legal_acts(table)))
        for possible in (True, False):
            told = situation.act(table, {"possible": possible})
            assert told is not None
            assert situation_of(told, table) == (situation, {"possible": possible})
        return
    if situation.name not in ("card-out-of-order", "box-lacks-card", "dealer-lacks-card", "card-without-wager"):
        table, _ = play(table, a.Deal())
        facts = {fact.name: some_fact(fact, table, rng) for fact in situation.facts}
        act = situation.act(table, {**facts, "card": True} if situation.name == "out-of-turn" else facts)
        assert act is not None
        found = situation_of(act, table)
        assert found is not None and found[0].name == TOLD_AS.get(situation.name, situation.name)


@pytest.mark.parametrize(
    ("places", "name"),
    [
        ((1, 2, 0, 1, 2, 3), "card-without-wager"),
        ((1, 2, 1, 2), "dealer-lacks-card"),
        ((1, 2, 0, 1), "box-lacks-card"),
        ((2, 1, 0, 1, 2), "card-out-of-order"),
    ],
)
def test_a_misdeal_is_named_by_its_fault(places: tuple[int, ...], name: str) -> None:
    found = situation_of(a.Misdeal(places), dealt("nsw-pontoon"))
    assert found is not None and found[0].name == name


def test_the_layout_is_shown() -> None:
    table = dealt("nsw-pontoon", a.Deal())
    assert list(layout(table)) == [
        "  box 1: 6s Kc, 16; alice $25.00",
        "  box 2: 9h 8d, 17; bob $10.00",
        "  dealer: 5d, 5",
    ]
    assert next(layout(dealt("nsw-pontoon"))) == "  box 1: alice $25.00"
    assert "misdealt: box 1 6s" in " ".join(layout(dealt("nsw-pontoon", a.Misdeal((1,)))))


def test_the_table_is_left_alone() -> None:
    table = dealt("nsw-pontoon", a.Deal())
    before = snapshot(table)
    adjudicate("nsw-pontoon", "disturbance", table)
    assert snapshot(table) == before
