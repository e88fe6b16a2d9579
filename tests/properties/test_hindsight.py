"""An error told at a random later moment: the round equals the one dealt rightly from the same cards, with the same
decisions where those still fit.

A sample here, ten thousand rounds a rulebook in `make proofs`, from a shoe and from a shuffling device; what is refused
does not count. The reference
knows nothing of how rounds are taken back: it deals once, from cards put right beforehand, and looks each decision up
by what its maker saw. A failure names rulebook and seed.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from pitboss import decide, evolve, legal_acts, load, open_table, play, refusal
from pitboss.ledger import Ledger
from pitboss.ledger.guard import Guard
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.meanings import BY_STAGE, EXTRA_CARD_AT_ANY_TIME, STAYS_BURNED
from pitboss.table import acts as a
from pitboss.table.events import DEALER, Event
from pitboss.table.house import DEVICE, default_house, offered_side_bets
from pitboss.table.irregularities.misdeals import cards_of
from pitboss.table.refusals import Refusal
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table, snapshot
from tests.lengths import length
from tests.properties.test_reconstruction import PEOPLE, approved, some_wagers, to_come

ROUNDS = length(10_000, 120)
"""Rounds that are compared, a rulebook."""
BATCHES = length(4, 1)
CARDS = 44
HIGHEST = "shift-manager"
NOBODYS = 7
"""A box on which nobody has wagered."""
SAME = (
    "phase", "preparation", "shuffle_reason", "boxes", "net", "jackpot_cents", "dealer_cards", "dealer_total",
    "dealer_natural", "turn_box", "turn_hand", "cutting_shown", "cutting_player", "last_results", "shoe_round",
    "round_start", "round_wagers", "bonus_given", "final_rounds", "played", "places",
)  # fmt: skip
IN_PLAY = (a.Hit, a.Stand, a.Double, a.Split, a.Decline, a.Forfeit, a.Keep)
FOUND = (a.FindInvalidWager, a.BarPlayer)
"""Wagers that go back in the round: that depends on no cards."""
CLOSING = (a.CloseInsurance, a.CloseSurrender)
KINDS = ("face-up", "drawn", "superfluous", "misplaced", "burned", "misdealt", "burn-forgotten", "left-out")
MEANT: dict[str, type[Any]] = {"hit": a.Hit, "double": a.Double, "split": a.Split}


class Seen:
    """One decision and what lay on the table when it was made."""

    def __init__(self, table: Table, act: Any, out: int) -> None:
        self.act = act
        self.out = out
        self.phase = table.phase
        self.hand = table.turn_hand if isinstance(act, IN_PLAY) and table.phase == "play" else 0
        self.dealer = list(table.dealer_cards)
        self.number = table.turn_hand
        if isinstance(act, FOUND):
            self.cards = self.dealer = []
        elif isinstance(act, CLOSING):
            self.cards = [card for box in table.boxes.values() for hand in box.hands for card in hand.cards]
        else:
            self.cards = list(table.boxes[act.box].hands[self.hand].cards)

    def fits(self, table: Table) -> bool:
        if refusal(table, self.act) is not None:
            return False
        now = Seen(table, self.act, 0)
        same = sorted(now.cards) == sorted(self.cards) and sorted(now.dealer) == sorted(self.dealer)
        return same and now.hand == self.hand


def beginning(rulebook_id: str, rng: random.Random) -> tuple[Table, int]:
    """A table with wagers and cards of which no two are alike, and how many of them are burned first."""
    rulebook = load(rulebook_id)
    source = rng.choice(("shoe", "shoe", DEVICE))
    decks = rulebook.cards.decks.value[-1]
    house = default_house(rulebook, source=source, decks=decks, side_bets=offered_side_bets(rulebook, decks, source))
    new_shoe = rng.random() < 0.25
    start = open_table(rulebook, cards=(), house=house, new_shoe=new_shoe)
    start.stack = tuple(rng.sample(sorted(set(full_stack(start))), CARDS))
    start, _ = play(start, *(a.TakeSeat(name, box) for box, name in enumerate(PEOPLE, start=1)))
    start, _ = play(start, *some_wagers(house, rng))
    if rng.random() < 0.2:
        start.cutting_at = rng.randrange(2, 16)
    burned = rulebook.shuffle.burn_device if source == DEVICE else rulebook.shuffle.burn_shoe
    return start, burned.value if new_shoe else 0


def play_some(start: Table, rng: random.Random) -> tuple[Table, list[Seen], list[tuple[a.Act, tuple[Event, ...]]]]:
    """The round, dealt and played until somebody notices something: soon, later, or when it is over."""
    log: list[tuple[a.Act, tuple[Event, ...]]] = []
    decisions: list[Seen] = []
    table, events = play(start, a.Deal())
    log.append((a.Deal(), events))
    most = rng.choice((0, 1, 2, 4, 99, 99))
    while table.phase != "wagers" and table.preparation == "ready" and len(decisions) < most:
        act = found_in(table, rng) or rng.choice(legal_acts(table))
        decisions.append(Seen(table, act, table.position))
        table, events = play(table, act)
        log.append((act, events))
    return table, decisions, log


def found_in(table: Table, rng: random.Random) -> a.Act | None:
    """Now and then somebody's wager turns out to be invalid, or is declared void."""
    if rng.random() > 0.04:
        return None
    box, player = rng.choice(table.round_wagers) if table.round_wagers else (1, PEOPLE[0])
    void = a.BarPlayer(HIGHEST, player, "a device", exclude=False, breach=rng.choice(("device", "rules")))
    act = rng.choice((a.FindInvalidWager(HIGHEST, player, box), void))
    return act if refusal(table, act) is None else None


def some_error(
    table: Table, start: Table, burned: int, rng: random.Random, decisions: list[Seen] | None = None
) -> a.Notice:
    out = table.position
    boxes = sorted(start.boxes)
    places = [*boxes, DEALER, *boxes]
    if rng.random() < 0.6:
        rng.shuffle(places)
    if rng.random() < 0.3:
        places.insert(rng.randrange(len(places) + 1), rng.choice((DEALER, *boxes)))
    during = "dealers-hand" if table.phase == "wagers" and rng.random() < 0.5 else ""
    what = rng.choice(KINDS)
    called = [n for n, each in enumerate(decisions or (), start=1) if isinstance(each.act, (a.Hit, a.Stand))]
    if what == "left-out" and called:
        decision, meant = rng.choice(called), rng.choice(("hit", "hit", "double", "split"))
        return a.Notice(HIGHEST, what, decision=decision, meant=meant, during=during, reason="somebody saw it")
    return a.Notice(
        HIGHEST,
        what,
        card=rng.randint(burned + 1, max(burned + 1, out)),
        to=rng.choice((DEALER, *boxes, NOBODYS)),
        places=tuple(places),
        during=during,
        reason="somebody saw it",
    )


def as_seen(decisions: list[Seen], told: a.Notice, start: Table, burned: int) -> None:
    """Put each decision before the cards that its maker saw, the cards having gone as is told now."""
    stack = start.stack
    boxes = sorted(start.boxes)
    right = [*boxes, DEALER, *boxes]
    for each in decisions:
        if isinstance(each.act, FOUND):
            continue
        mine = boxes if isinstance(each.act, CLOSING) else [each.act.box]
        for name, places in (("cards", mine), ("dealer", [DEALER])):
            held = [stack.index(card) for card in getattr(each, name)]
            if told.what == "misdealt":
                wrong = {place: [] for place in (DEALER, *boxes)}  # type: dict[int, list[int]]
                for number, place in enumerate(told.places):
                    wrong[place].append(burned + number)
                due = {
                    burned + number: wrong[place].pop(0) if wrong[place] else -1 for number, place in enumerate(right)
                }
                further = len(told.places) - len(right)
                held = [due[at] if at in due else at + further for at in held]
                held += [at for place in places for at in wrong[place]]
            else:
                at_card = told.card - 1
                if told.what == "misplaced":
                    held = [at for at in held if at != at_card]
                elif told.what != "face-up":
                    held = [at + (at >= at_card) for at in held]
                if told.what in ("misplaced", "superfluous") and each.out >= told.card and told.to in places:
                    held.append(at_card)
            setattr(each, name, [stack[at] for at in held if 0 <= at < len(stack)])


def compare(right: Table, rebuilt: Table, spoiled: frozenset[str] = frozenset()) -> None:
    """`spoiled`: cards that are out of play in both, be it that one of the two has not come to them yet."""
    for name in SAME:
        assert getattr(rebuilt, name) == getattr(right, name), name
    assert sorted({*rebuilt.rack} - spoiled) == sorted({*right.rack} - spoiled), "the rack"
    coming = [[card for card in to_come(table) if card not in spoiled][:8] for table in (rebuilt, right)]
    assert coming[0] == coming[1], "the cards to come"


def found_at_the_end(right: Table, rebuilt: Table, decisions: list[Seen], start: Table) -> bool:
    """Whether the reference was over before it waited for anybody, so that nobody could find there what was found: the
    wagers go back all the same before the dealer draws."""
    late = [each.act for each in decisions if isinstance(each.act, FOUND)]
    if right.phase != "wagers" or not late:
        return False
    assert rebuilt.phase == "wagers"
    for act in late:
        boxes = [number for number, box in start.boxes.items() if act.player in box.wagers]
        if isinstance(act, a.FindInvalidWager) and boxes == [act.box]:  # void, settled or not
            assert rebuilt.last_results[act.player] == 0
    return True


def due_again(table: Table, decisions: list[Seen], at: int, in_order: bool) -> bool:
    """Whether wagers go back now that went back before: what their owner decided earlier was looked at."""
    act = decisions[at].act
    if not isinstance(act, FOUND) or refusal(table, act) is not None:
        return False
    if in_order:
        return all(isinstance(each.act, FOUND) for each in decisions[:at])
    lines = {number: box.line for number, box in table.boxes.items()}
    theirs = [number for number, line in lines.items() if act.player in line and getattr(act, "box", 0) in (0, number)]
    return not any(
        not isinstance(each.act, FOUND)
        and (getattr(each.act, "player", "") == act.player or getattr(each.act, "box", 0) in theirs)
        for each in decisions[:at]
    )


def follow(table: Table, decisions: list[Seen], in_order: bool, made: list[Seen] | None = None) -> Table:
    """Make every decision that still fits; drop those of whoever is now asked again. `made`: those that fitted."""
    while table.phase != "wagers" and table.preparation == "ready" and decisions:
        again = next((each for at, each in enumerate(decisions) if due_again(table, decisions, at, in_order)), None)
        if again is not None:
            decisions.remove(again)
            if made is not None:
                made.append(Seen(table, again.act, 0))
            table, _ = play(table, again.act)
            continue
        if in_order:
            first = next((each for each in decisions if not isinstance(each.act, FOUND)), None)
            turn = first is not None and (
                isinstance(first.act, CLOSING)
                or not table.turn_box
                or ((first.act.box, first.hand) == (table.turn_box, table.turn_hand))
            )
            found = first if turn and first is not None and refusal(table, first.act) is None else None
        else:
            found = None
            for each in decisions:
                if isinstance(each.act, FOUND):
                    continue
                waits = isinstance(each.act, a.CloseInsurance) and any(isinstance(d.act, a.Insure) for d in decisions)
                waits |= isinstance(each.act, a.CloseSurrender) and any(
                    isinstance(d.act, a.Surrender) for d in decisions
                )
                if not waits and each.fits(table):
                    found = each
                    break
        if found is None:
            before = len(decisions)
            if in_order:
                decisions[:] = [each for each in decisions if isinstance(each.act, FOUND)]
            elif table.phase in ("insurance", "surrender"):
                decisions[:] = [each for each in decisions if isinstance(each.act, FOUND) or each.phase != table.phase]
            else:
                turn_now = (table.turn_box, table.turn_hand)
                decisions[:] = [
                    each for each in decisions
                    if isinstance(each.act, (*CLOSING, *FOUND)) or (each.act.box, each.hand) != turn_now
                ]  # fmt: skip
            if len(decisions) < before and any(isinstance(each.act, FOUND) for each in decisions):
                continue
            return table
        decisions.remove(found)
        if made is not None:
            made.append(Seen(table, found.act, 0))
        table = approved(play(table, found.act)[0])
    return table


def cards_now(table: Table) -> Counter[str]:
    cards = [card for box in table.boxes.values() for hand in box.hands for card in hand.cards]
    cards += [*table.rack, *table.dealer_cards, *to_come(table), *(card for _, card in table.misdealt)]
    return Counter(cards)


def burned_there(told: a.Notice, start: Table, burned: int) -> bool:
    """A card too many that is burned: on the dealer's hand once the initial deal was complete (Canberra 15.3), or where
    nobody had wagered (Adelaide 109)."""
    terms = start.rulebook.irregularities
    complete = told.card > burned + 2 * len(start.boxes) + 1
    if told.what != "superfluous":
        return False
    if told.to == DEALER:
        return EXTRA_CARD_AT_ANY_TIME[terms.dealer_extra_exposed.value] and complete
    return told.to not in start.boxes and BY_STAGE[terms.misdeal.value]


def one_error(rulebook_id: str, seed: int) -> str:
    rng = random.Random(f"{rulebook_id}:hindsight:{seed}")
    start, burned = beginning(rulebook_id, rng)
    table, decisions, log = play_some(start, rng)
    terms = table.rulebook.irregularities
    if table.phase != "wagers" and table.preparation != "ready":
        return "ran out"
    told = some_error(table, start, burned, rng, decisions)
    before = snapshot(table)
    answer = decide(table, told)
    assert snapshot(table) == before, "deciding changed the table"
    if isinstance(answer, Refusal):
        assert answer.clauses and answer.text.endswith(".")
        if told.what == "misdealt":
            right_places = (*sorted(start.boxes), DEALER, *sorted(start.boxes))
            silent = BY_STAGE[terms.misdeal.value] or table.phase == "wagers"
            assert silent or told.places == right_places, answer.text
        else:
            silent = terms.misdeal_after_round.value == "undecided" and table.phase == "wagers" and not told.during
            if told.what == "left-out":  # nothing can have stood in its place, or it could not be called for
                silent |= (
                    not told.decision or told.meant != "hit" or isinstance(decisions[told.decision - 1].act, a.Hit)
                )
            assert silent or told.what == "burn-forgotten" or told.during == "dealers-hand", answer.text
        return "refused"
    guard = Guard()
    after = evolve(table, answer)
    guard.pass_or_break(table, after, answer, told)
    if table.house.source != DEVICE:  # what goes back into a device of arranged cards is not counted
        assert cards_now(after) == cards_now(table), "cards are conserved"
    if told.what == "drawn":
        compare(table, approved(after))
        return "drawn"
    if BY_STAGE[terms.misdeal.value] and told.what == "misdealt" and after.noticed:
        return "as dealt"

    stays = told.what == "burned" and STAYS_BURNED[terms.burned_in_error.value]
    if stays and terms.burned_in_error.value == "stays-burned-at-start" and told.card != 1:
        stays = False
    by_stage = told.what == "left-out" and BY_STAGE[terms.misdeal.value]
    in_order = told.what == "burn-forgotten" or stays or by_stage
    stack = start.stack
    right = start
    gone: frozenset[str] = frozenset()
    if told.what == "face-up" or stays or burned_there(told, start, burned):
        at = told.card - 1
        right = evolve(start, ())
        right.stack = (*stack[:at], *stack[at + 1 :])
        right.rack = (*start.rack, stack[at])
        if start.house.source == DEVICE:  # which takes it back before the deal in the reference only
            gone = frozenset({stack[at]})
        if at < right.cutting_at:
            right.cutting_at -= 1
    if told.what == "burn-forgotten":
        right, _ = play(start, a.ForgetBurn())
        right = approved(right)
    if told.what == "left-out":
        left = decisions[told.decision - 1]
        if by_stage:
            left.act = a.LeaveOut(left.act.box, "dealer" if table.phase == "wagers" else "passed", told.meant)
        else:
            left.act = MEANT[told.meant](left.act.player, left.act.box)
    elif not in_order:
        as_seen(decisions, told, start, burned)
    right, _ = play(right, a.Deal())
    right = follow(right, decisions, in_order)

    rebuilt = after
    events = list(answer)
    while rebuilt.approval_due:
        act: a.Act = next(each for each in legal_acts(rebuilt) if isinstance(each, a.Approve))
        more = decide(rebuilt, act)
        assert not isinstance(more, Refusal)
        then = evolve(rebuilt, more)
        guard.pass_or_break(rebuilt, then, more, act)
        events.extend(more)
        rebuilt = then
    if found_at_the_end(right, rebuilt, decisions, start):
        return "found late"
    compare(right, rebuilt, gone)
    ledger = Ledger(start.jackpot_cents)
    for _, each in log:
        ledger.post_all(each)
    ledger.post_all(events)
    assert ledger.total() == 0
    while right.phase != "wagers" and right.preparation == "ready":
        choices = legal_acts(right)
        assert legal_acts(rebuilt) == choices
        act = rng.choice(choices)
        right, _ = play(right, act)
        right = follow(right, decisions, in_order)
        more = decide(rebuilt, act)
        assert not isinstance(more, Refusal)
        then = evolve(rebuilt, more)
        guard.pass_or_break(rebuilt, then, more, act)
        rebuilt = then
        if found_at_the_end(right, rebuilt, decisions, start):
            return "found late"
        compare(right, rebuilt, gone)
    return told.what


@pytest.mark.clause("nsw-pontoon", "17.1", "17.2", "17.8", "17.12", "17.17")
@pytest.mark.clause("nsw-blackjack-challenge", "18.1", "18.2", "18.8", "18.12")
@pytest.mark.clause("canberra-pontoon-2005", "15.1", "15.2", "15.4")
@pytest.mark.clause("canberra-pontoon-2002", "15.1", "15.2", "15.4")
@pytest.mark.clause("adelaide-pontoon-2008", "101", "102", "103", "111", "112")
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_a_round_taken_back_equals_the_round_dealt_rightly(rulebook_id: str, batch: int) -> None:
    size = ROUNDS // BATCHES
    outcomes: Counter[str] = Counter()
    seed = batch * 10 * size
    while outcomes.total() - outcomes["refused"] - outcomes["found late"] < size:
        try:
            outcomes[one_error(rulebook_id, seed)] += 1
        except AssertionError as error:
            raise AssertionError(f"{rulebook_id} seed {seed}: {error}") from error
        seed += 1
    assert outcomes["refused"] < outcomes.total() * 0.6, outcomes
    assert outcomes["face-up"] and outcomes["superfluous"] and outcomes["misplaced"] and outcomes["burned"], outcomes


def two_errors(rulebook_id: str, seed: int) -> str:
    """Two cards that lay face up, told one after the other, with play between them."""
    rng = random.Random(f"{rulebook_id}:twice:{seed}")
    start, burned = beginning(rulebook_id, rng)
    table, decisions, _ = play_some(start, rng)
    spoiled: set[int] = set()
    guard = Guard()
    for _ in range(2):
        if table.phase != "wagers" and table.preparation != "ready":
            return "ran out"
        told = a.Notice(HIGHEST, "face-up", card=rng.randint(burned + 1, out_of_source(table)))
        answer = decide(table, told)
        if isinstance(answer, Refusal):
            return "refused"
        spoiled.add(told.card - 1)
        after = evolve(table, answer)
        guard.pass_or_break(table, after, answer, told)
        rebuilt = approved(after)
        right = evolve(start, ())
        right.stack = tuple(card for at, card in enumerate(start.stack) if at not in spoiled)
        right.rack = (*start.rack, *(start.stack[at] for at in sorted(spoiled)))
        right.cutting_at -= sum(at < start.cutting_at for at in spoiled) if start.cutting_at >= 0 else 0
        if right.cutting_at == 0:
            return "cut"  # with no card left before the cutting card the reference would not deal
        right, _ = play(right, a.Deal())
        made: list[Seen] = []
        right = follow(right, decisions, False, made)
        if found_at_the_end(right, rebuilt, decisions, start):
            return "found late"
        out = frozenset(start.stack[at] for at in spoiled)
        compare(right, rebuilt, out)
        table = rebuilt
        for _ in range(rng.choice((0, 1, 3))):
            if table.phase == "wagers" or table.preparation != "ready":
                break
            act = rng.choice(legal_acts(table))
            made.append(Seen(table, act, 0))
            table, _ = play(table, act)
            right, _ = play(right, act)
            right = follow(right, decisions, False, made)
            if found_at_the_end(right, table, decisions, start):
                return "found late"
            compare(right, table, out)
        if decisions:
            return "waits"  # a decision that is looked at later lies before one that was made since
        decisions = made
    return "twice"


def out_of_source(table: Table) -> int:
    assert table.opened is not None
    return len(cards_of(table, table.opened))


@pytest.mark.clause("nsw-pontoon", "17.1", "17.8")
@pytest.mark.clause("nsw-blackjack-challenge", "18.1", "18.8")
@pytest.mark.clause("canberra-pontoon-2005", "15.1", "15.4")
@pytest.mark.clause("canberra-pontoon-2002", "15.1", "15.4")
@pytest.mark.clause("adelaide-pontoon-2008", "101", "112")
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_a_round_can_be_taken_back_again(rulebook_id: str) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(length(2_000, 60)):
        try:
            outcomes[two_errors(rulebook_id, seed)] += 1
        except AssertionError as error:
            raise AssertionError(f"{rulebook_id} seed {seed}: {error}") from error
    assert outcomes["twice"] > sum(outcomes.values()) * 0.1, outcomes
