"""Errors that are noticed afterwards: the round is taken back, laid as it should have been, and what was decided holds
where it still fits.

What players saw when they decided is worked out from the error that is told now; a decision fits where the hand and the
dealer's cards lie as they then did, and only then. Nothing is guessed: whoever saw other cards is asked again.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from pitboss.basics.cards import JOKER, Card
from pitboss.rulebooks.meanings import BURNED_BEFORE_THE_ROUND_ONLY, BY_STAGE, EXTRA_CARD_AT_ANY_TIME, STAYS_BURNED
from pitboss.rulebooks.terms import Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import NOTICED_LATER, ORIGINAL
from pitboss.table.apply.cards import left_of
from pitboss.table.chapters import carries_out
from pitboss.table.course import go_on
from pitboss.table.decisions import ANSWERS, CLOSING, FOUND, in_words, laid_again
from pitboss.table.doubling import refuse_double
from pitboss.table.events import DEALER, Decision, Event
from pitboss.table.house import DEVICE
from pitboss.table.initial_deal import burn
from pitboss.table.irregularities.found_again import SHOWN
from pitboss.table.irregularities.misdeals import (
    deal_wrongly,
    lay_as_told,
    misdeal_terms,
    only_lacks_cards,
    paid_by_the_link,
    place_again,
    who_is_away,
)
from pitboss.table.irregularities.money import return_wagers
from pitboss.table.irregularities.reports import refuse_undecided, report
from pitboss.table.irregularities.short_hands import left_out_term, mark_left_out
from pitboss.table.irregularities.voids import AFTER_ROUND
from pitboss.table.refusals import Broken, Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, both, live_wagers, narrowed, no, refuse_box, refuse_role
from pitboss.table.splitting import refuse_split
from pitboss.table.state import Opened, Table, draft
from pitboss.table.subsequent_deal import short_hand_at
from pitboss.table.wagers import give_back

OF_A_CARD = ("face-up", "drawn", "superfluous", "misplaced", "burned")
"""Errors that concern one card of the round."""
VOID_INSTEAD = "the round cannot be laid again, and is void instead."
FORGOTTEN = ("burn-forgotten", "insurance-missed", "discards-forgotten", "shuffle-missed", "cut-missed")
"""Steps that were left out; some documents do not say what follows."""
MISSED = ("shuffle-missed", "cut-missed")

# --- whether it can be told so ---------------------------------------------------------------------------------------


def refuse_notice(table: Table, act: a.Notice) -> Refusal | None:
    """Why the error cannot have happened so, or why nothing is done about it any more."""
    terms = table.rulebook.irregularities
    if act.what not in NOTICED_LATER or act.during not in ("", "initial-deal", "dealers-hand"):
        text = f"say what went wrong, one of {', '.join(NOTICED_LATER)}, and when it was noticed."
        return no(table, terms.misdeal.clauses, text)
    cause = cause_of(table, act)
    if not may_act(act.by, "dealer"):
        return no(table, rebuilt_by(table, act).clauses, "the dealer, or the person supervising the game, reports it.")
    refused = refuse_undecided(table, cause, NOTICED_LATER[act.what]) if act.what in FORGOTTEN else None
    if refused:
        return refused
    if act.what in MISSED:
        return refuse_missed(table, act, cause)
    if act.what == "insurance-missed":
        return refuse_late_insurance(table, cause)
    refused = refuse_round(table, act) or refuse_moment(table, act, cause)
    if refused or act.what == "drawn":
        return refused
    if not stays_as_dealt(table, act) and burned_there(table, act) is None:
        refused = refuse_role(table, act.by, rebuilt_by(table, act), "have the hands rebuilt")
    return refused or refuse_laying(table)


def rebuilt_by(table: Table, act: a.Notice) -> Term[str]:
    """Who has the hands rebuilt: it depends on whether the initial deal was complete when it was noticed."""
    terms = table.rulebook.irregularities
    return terms.misdeal_by if act.during == "initial-deal" else terms.misdeal_full_by


def cause_of(table: Table, act: a.Notice) -> Term[str]:
    """What the rulebook says of such an error."""
    terms = table.rulebook.irregularities
    if act.what == "burned":
        at_start = not BURNED_BEFORE_THE_ROUND_ONLY[terms.burned_in_error.value] or act.card == 1
        return terms.burned_in_error if at_start else terms.drawn_in_error
    burned = burned_there(table, act)
    return burned or {
        "face-up": terms.face_up_card,
        "drawn": terms.drawn_in_error,
        "superfluous": terms.drawn_in_error,
        "burn-forgotten": terms.burn_forgotten,
        "insurance-missed": terms.insurance_missed,
        "discards-forgotten": terms.discards_not_returned,
        "shuffle-missed": terms.shuffle_missed,
        "cut-missed": terms.cut_missed,
    }.get(
        act.what,
        narrowed(terms.misdeal, terms.misdeal_clauses, "initial")
        if act.during == "initial-deal"
        else terms.misdeal_full_by,
    )


def burned_there(table: Table, act: a.Notice) -> Term[str] | None:
    """What burns a card too many, once the initial deal is complete: one on the dealer's hand (Canberra 15.3), or where
    nobody has wagered (Adelaide 109)."""
    memo = table.opened
    if act.what != "superfluous" or memo is None:
        return None
    terms = table.rulebook.irregularities
    if act.to == DEALER and EXTRA_CARD_AT_ANY_TIME[terms.dealer_extra_exposed.value]:
        dealt = [card for at, card in enumerate(cards_of(table, memo)[: act.card - 1]) if at not in dict(memo.spoiled)]
        return terms.dealer_extra_exposed if len(dealt) >= len(right_order(memo)) else None
    nowhere = act.to not in (DEALER, *(number for number, _ in memo.lines))
    complete = act.during != "initial-deal" and BY_STAGE[terms.misdeal.value]
    return terms.superfluous_hand if nowhere and complete else None


def refuse_missed(table: Table, act: a.Notice, cause: Term[str]) -> Refusal | None:
    if table.house.source == DEVICE:
        clauses = both(table.rulebook.shuffle.device_cut, cause)
        return no(table, clauses, "a shuffling device is in use: nobody shuffles or cuts between its rounds.")
    if table.preparation != "ready":
        return no(table, cause.clauses, "the cards are about to be shuffled or cut.")
    if not 1 <= act.rounds <= table.shoe_round:
        dealt = "1 round has" if table.shoe_round == 1 else f"{table.shoe_round} rounds have"
        return no(table, cause.clauses, f"{dealt} been dealt with these cards: say for how many it was missed.")
    return None


def refuse_late_insurance(table: Table, cause: Term[str]) -> Refusal | None:
    terms = table.rulebook.insurance
    if terms.offered.value and table.phase == "wagers":
        return no(table, cause.clauses, "no round is being played: insurance is placed until the dealer's second card.")
    if not table.dealer_cards or table.dealer_cards[0][0] not in terms.dealer_ranks.value or not terms.offered.value:
        return no(table, both(terms.dealer_ranks, cause), "insurance was not due in this round.")
    if table.phase == "insurance":
        return no(table, cause.clauses, "insurance is open at this moment: nothing has been forgotten.")
    if table.phase not in ("surrender", "play"):
        return no(table, cause.clauses, "insurance comes after the initial deal.")
    if len(table.dealer_cards) > 1:
        return no(table, cause.clauses, "insurance is placed until the dealer's second card, and not after it.")
    if any(each.what == "InsurancePlaced" for each in table.decisions):
        return no(table, cause.clauses, "insurance was offered: somebody has taken it.")
    return None


def refuse_round(table: Table, act: a.Notice) -> Refusal | None:
    """Whether the round is still one in which such an error has consequences."""
    terms = table.rulebook.irregularities
    if table.phase != "wagers" or act.during == "dealers-hand":
        if act.during == "dealers-hand" and table.phase != "wagers":
            return no(table, terms.misdeal.clauses, "the round is being played: the settlement has not come yet.")
    elif table.last_results:
        refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND)
        if refused:
            return refused
    if table.phase == "wagers" and not table.last_results:
        return no(table, terms.misdeal.clauses, "no round has been dealt that is not void already.")
    return None


def refuse_moment(table: Table, act: a.Notice, cause: Term[str]) -> Refusal | None:
    """Whether there is such a card, or such a decision, in the round."""
    terms = table.rulebook.irregularities
    memo = table.opened
    if memo is None:
        return refuse_laying(table)
    out = len(cards_of(table, memo))
    if act.what in OF_A_CARD and not 1 <= act.card <= out:
        text = f"say at which card of the round it happened: {out} have left, in their order."
        return no(table, cause.clauses, text)
    if act.what in OF_A_CARD and act.card - 1 in dict(memo.spoiled):
        return no(table, cause.clauses, f"card {act.card} was burned: it was dealt to nobody.")
    if act.what in ("superfluous", "misplaced") and act.to != DEALER:
        refused = refuse_box(table, act.to)
        if refused:
            return refused
    if act.what == "misdealt":
        numbers = (DEALER, *range(1, table.house.boxes + 1))
        if not act.places or len(act.places) > 22 or any(place not in numbers for place in act.places):
            text = f"cards go to the dealer (0) and to boxes 1 to {table.house.boxes}."
            return no(table, terms.misdeal.clauses, text)
        if act.places == tuple(right_order(memo)):
            return no(table, terms.misdeal.clauses, "that is the right order.")
    if act.what == "left-out":
        return refuse_left_out(table, act)
    if act.what == "burn-forgotten" and not memo.fresh:
        return no(table, cause.clauses, "no burn was due in this round.")
    if act.what == "discards-forgotten" and (
        table.house.source != DEVICE or not table.compiled.device_returns_early or table.discards_forgotten
    ):
        return no(table, cause.clauses, "no discards were due back in this round.")
    return None


CALLED = {"hit": "HandHit", "double": "WagerDoubled", "split": "WagerSplit"}
"""What can have been called for on a hand that was left out."""


def refuse_left_out(table: Table, act: a.Notice) -> Refusal | None:
    terms = table.rulebook.irregularities
    called = CALLED.get(act.meant)
    if called is None:
        return no(table, terms.short_hand.clauses, "say what had been called for: hit, double or split.")
    if not 1 <= act.decision <= len(table.decisions):
        text = f"say which decision of the round stands in its place: {len(table.decisions)} were made."
        return no(table, terms.short_hand.clauses, text)
    found = table.decisions[act.decision - 1]
    if found.what not in (*CALLED.values(), "HandStood", "PlayerPassedOver") or found.what == called:
        text = f"decision {act.decision} does not stand in the place of that: {in_words(found)}."
        return no(table, terms.short_hand.clauses, text)
    return refuse_called(table, act, found)


def refuse_called(table: Table, act: a.Notice, found: Decision) -> Refusal | None:
    """Whether what is said to have been called for could be called for on the hand as it then lay."""
    memo = table.opened
    if memo is None or act.meant == "hit" or table.phase == "dealing":
        return None
    then = run_again(table, memo, table.decisions[: act.decision - 1]).table
    if then.phase != "play" or (then.turn_box, then.turn_hand) != (found.box, found.hand):
        return None  # another error came between: it is seen when the round is laid again
    if act.meant == "split":
        refused = refuse_split(then, a.Split(found.player, found.box))
    else:
        refused = refuse_double(then, a.Double(found.player, found.box))
    if refused is None:
        return None
    text = f"at decision {act.decision} no {act.meant} can have been called for: {refused.text}"
    return Refusal(refused.rulebook, refused.clauses, text)


def refuse_laying(table: Table) -> Refusal | None:
    """Whether the round can be laid again: its cards, its wagers and its players must still be there."""
    terms = table.rulebook.irregularities
    again = terms.misdeal_after_round.clauses if table.phase == "wagers" else laid_again(table)
    clauses = tuple(dict.fromkeys(again + terms.misdeal_impossible.clauses))
    memo = table.opened
    if memo is None:
        return no(table, clauses, f"its wagers, hands or cards are no longer as they were: {VOID_INSTEAD}")
    gone = who_is_away(table, memo)
    if gone:
        return no(table, clauses, f"{gone}: {VOID_INSTEAD}")
    if paid_by_the_link(table, memo):
        return no(table, clauses, f"the linked jackpot has paid a share of itself: {VOID_INSTEAD}")
    if Counter(cards_of(table, memo)) - Counter(lying_out(table, memo)):
        return no(table, clauses, f"its cards are no longer together: {VOID_INSTEAD}")
    return None


def lying_out(table: Table, memo: Opened) -> list[Card]:
    """All cards that are neither in the source nor taken away."""
    cards = [card for box in table.boxes.values() for hand in box.hands for card in hand.cards]
    cards += [*table.rack, *table.dealer_cards, *(card for card, _ in table.error_cards)]
    return [*cards, *memo.returned, *memo.inside, *(card for _, card in table.misdealt)]


def cards_of(table: Table, memo: Opened) -> tuple[Card, ...]:
    """The cards of the round in the order in which they left."""
    return memo.error_cards + memo.left + left_of(memo, table)


def right_order(memo: Opened) -> list[int]:
    """Where the cards of the initial deal should have gone."""
    boxes = [number for number, _ in memo.lines]
    return [*boxes, DEALER, *boxes]


def stays_as_dealt(table: Table, act: a.Notice) -> bool:
    """Adelaide: after the initial deal hands that only lack cards are not rebuilt but dealt with by their stage."""
    memo = table.opened
    if not BY_STAGE[table.rulebook.irregularities.misdeal.value] or act.during == "initial-deal" or memo is None:
        return False
    return act.what == "left-out" or (
        act.what == "misdealt" and only_lacks_cards([number for number, _ in memo.lines], act.places)
    )


# --- what is done about it -------------------------------------------------------------------------------------------


@carries_out(a.Notice, refuse_notice)
def notice(run: Run, act: a.Notice) -> None:
    """Say what was noticed; then the round is taken back, or what follows from now on is done."""
    table = run.table
    cause = cause_of(table, act)
    if act.what in MISSED:
        report(run, act.what, cause, by=act.by, reason=act.reason)
        missed = e.ShuffleForgotten if act.what == "shuffle-missed" else e.CutForgotten
        run.emit(missed(cause.clauses))
        if table.phase == "wagers":
            run.emit(e.ShuffleDue(cause.clauses, act.what))
    elif act.what == "insurance-missed":
        report(run, act.what, cause, by=act.by, reason=act.reason)
        run.emit(e.InsuranceForgotten(cause.clauses))
    elif act.what == "drawn":  # it was dealt as the next card, as it should have been
        report(run, "card-drawn-in-error", cause, by=act.by, reason=act.reason)
    elif act.what == "left-out" and stays_as_dealt(table, act) and waits_for_card(table, act):
        made = table.decisions[act.decision - 1]
        report(run, "hand-left-out", left_out_term(table, "passed"), by=act.by, reason=act.reason)
        mark_left_out(run, "passed", act.meant, (made.box, made.hand))
    else:
        take_back(run, act, cause)


def waits_for_card(table: Table, act: a.Notice) -> bool:
    """Whether the hand that was left out still lies there as it did, so that it can get its card now."""
    made = table.decisions[act.decision - 1]
    hands = table.boxes[made.box].hands if made.box in table.boxes else []
    if table.phase != "play" or made.what != "HandStood" or made.hand >= len(hands):
        return False
    if act.meant == "split" and table.boxes[made.box].splitting_ended:  # by that stand, which was none
        return False
    return hands[made.hand].cards == made.cards and bool(live_wagers(hands[made.hand]))


REPORTED = {
    "face-up": "card-face-up",
    "superfluous": "card-drawn-in-error",
    "misplaced": "card-on-the-wrong-box",
    "burned": "card-burned-in-error",
    "misdealt": "misdeal",
    "left-out": "hand-left-out",
    "burn-forgotten": "burn-forgotten",
    "discards-forgotten": "discards-not-returned",
}


def take_back(run: Run, act: a.Notice, cause: Term[str]) -> None:
    """Undo what the round has brought so far, take up its cards, and lay them once more."""
    table = run.table
    terms = table.rulebook.irregularities
    memo = table.opened
    if memo is None:
        raise Broken("a round is to be laid again that nobody remembers")
    over = table.phase == "wagers"
    as_dealt = stays_as_dealt(table, act)
    noticed = ("dealer" if over else stage_of(table, act, memo)) if as_dealt else ""
    if as_dealt and act.what == "misdealt":
        causes = misdeal_terms(table, a.Misdeal(act.places, noticed), [number for number, _ in memo.lines])
    elif as_dealt:
        causes = (terms.short_hand_dealer_stands if over else short_hand_at(table, noticed),)
    else:
        causes = (cause, rebuilt_by(table, act))
    clauses = both(*causes)
    cards = cards_of(table, memo)
    beside = table.stack[table.position : table.position + table.redeal]  # left once already, and not laid again yet
    burned = burned_there(table, act)
    if burned is not None:
        clauses = burned.clauses
    surplus = next_from_source(table, len(beside)) if leaves_one_more(act, cause, memo) and burned is None else ()
    surplus = beside + surplus
    spoiled = list(memo.spoiled)
    if act.what == "face-up" or (act.what == "burned" and STAYS_BURNED[cause.value]):
        spoiled = sorted({**dict(spoiled), act.card - 1: act.what}.items())
    if burned is not None:
        spoiled = sorted({**dict(spoiled), act.card - 1: "dealers" if act.to == DEALER else "superfluous"}.items())
    decisions = decisions_now(table, act, memo, cause, noticed)
    report(run, REPORTED[act.what], *(causes if burned is None else (burned,)), by=act.by, reason=act.reason)
    undo(run, memo, clauses)
    run.emit(
        e.RoundTakenBack(
            clauses,
            act.by,
            act.what,
            act.reason,
            act.card if act.what in OF_A_CARD else 0,
            act.decision if act.what == "left-out" else 0,
            (*cards, *surplus),
            len(surplus),
            tuple(spoiled),
            decisions,
            as_dealt,
        )
    )
    if act.what == "burn-forgotten":
        run.emit(e.BurnForgotten(cause.clauses))
    if act.what == "discards-forgotten":
        run.emit(e.DiscardsForgotten(cause.clauses))
    place_again(run, memo, clauses)
    if as_dealt and act.what == "misdealt":
        if table.fresh:
            burn(run)
        lay_as_told(run, act.places, noticed, causes)


def undo(run: Run, memo: Opened, clauses: tuple[str, ...]) -> None:
    """Every wager goes back, and with it whatever was won or lost in the round; those for the next one wait."""
    table = run.table
    if table.phase == "wagers":
        for number in sorted(table.boxes):
            for kind, player in [(k, p) for k, placed in table.boxes[number].side.items() for p in placed]:
                give_back(run, player, number, kind, "round-reopened", clauses)
            for player in list(table.boxes[number].wagers) if number in table.boxes else []:
                give_back(run, player, number, ORIGINAL, "round-reopened", clauses)
        results = sorted(table.last_results.items())
    else:
        return_wagers(run, "round-reopened", clauses)
        results = sorted((name, table.net[name] - cents) for name, cents in table.round_start.items())
    for player, cents in results:
        if cents:
            run.emit(e.PaymentReversed(clauses, player, cents))
    if table.jackpot_cents != memo.jackpot_cents:
        run.emit(e.JackpotSet(clauses, memo.jackpot_cents, memo.jackpot_cents - table.jackpot_cents, "reopened"))


def stage_of(table: Table, act: a.Notice, memo: Opened) -> str:
    """How far the round had come when a hand was found to lack cards (Adelaide 105)."""
    if act.what == "left-out":
        return "passed"
    due = Counter(right_order(memo)) - Counter(act.places)
    short = [box for box in due if box != DEALER]
    return "passed" if table.turn_box and short and min(short) < table.turn_box else "in-turn"


def leaves_one_more(act: a.Notice, cause: Term[str], memo: Opened) -> bool:
    """Whether a card more has left the source than the hands show."""
    if act.what == "burned":
        return not STAYS_BURNED[cause.value]
    return act.what == "superfluous" or (act.what == "misdealt" and len(act.places) > len(right_order(memo)))


def next_from_source(table: Table, beside: int = 0) -> tuple[Card, ...]:
    """The next card with the jokers before it; so many lie beside the source already."""
    first = table.position + beside
    for end in range(first, len(table.stack)):
        if table.stack[end] != JOKER:
            return table.stack[first : end + 1]
    return ()


# --- what was decided, and on what -----------------------------------------------------------------------------------


def decisions_now(table: Table, act: a.Notice, memo: Opened, cause: Term[str], noticed: str) -> tuple[Decision, ...]:
    """The decisions of the round with what whoever made them saw."""
    decisions = tuple(known_now(table, each) for each in table.decisions)
    if act.what == "left-out":
        found = decisions[act.decision - 1]
        if noticed:
            meant = replace(found, what="HandLeftOut", meant=f"{act.meant} {noticed}")
        else:
            meant = replace(found, what=CALLED[act.meant], cents=0)
        decisions = (*decisions[: act.decision - 1], meant, *decisions[act.decision :])
    if (
        noticed
        or act.what in ("burn-forgotten", "discards-forgotten")
        or (act.what == "burned" and STAYS_BURNED[cause.value])
    ):
        return tuple(replace(each, in_turn=True) for each in decisions)
    if act.what in ("face-up", "left-out"):
        return decisions
    lay, left = laid(table, memo)
    cards = [card for card in next_from_source(table) if card != JOKER]
    cards[:0] = [cards_of(table, memo)[each] for each in left]
    at = sum(each < act.card - 1 for each in left)
    known = tuple(seen(act, memo, each, *held, at, cards) for each, held in zip(decisions, lay, strict=False))
    return known + tuple(replace(each, cards=()) for each in decisions[len(lay) :])


def known_now(table: Table, made: Decision) -> Decision:
    """Whose wager was invalid is asked for a card once more, unless they have shown theirs since."""
    if made.what != "invalid-wager":
        return made
    return replace(made, meant="" if table.players[made.player].card_due else SHOWN)


Held = tuple[int, ...]
"""Cards on a hand, by how many were dealt before each."""


def played_again(table: Table, memo: Opened) -> list[Event]:
    """What happens when the round is played once more as it was, as far as no other error came between."""
    return run_again(table, memo, table.decisions).events


def run_again(table: Table, memo: Opened, made: tuple[Decision, ...]) -> Run:
    """The round, played once more as it was with these decisions."""
    run = Run.on(draft(table))
    clauses = laid_again(table)
    undo(run, memo, clauses)
    run.table.approval_due = run.table.stopped = run.table.wrong_card = ""
    run.table.suspect = False  # what does not belong was found already, and let in
    decisions = tuple(replace(each, in_turn=True) for each in made)
    cards = cards_of(table, memo)
    run.emit(e.RoundTakenBack(clauses, "", "", cards=cards, spoiled=memo.spoiled, decisions=decisions))
    place_again(run, memo, clauses)
    if memo.places:
        deal_wrongly(run, memo.places)
    go_on(run)
    return run


def laid(table: Table, memo: Opened) -> tuple[list[tuple[Held, Held]], list[int]]:
    """For each decision of the round the cards that the hand and the dealer had, and for each card that was dealt how
    many had left before it: the round is played once more as it was.

    Of an offer that was closed all hands are meant. Where another error came between, such as a card that was refused,
    what was decided after it is left out.
    """
    hands: dict[tuple[int, int], list[int]] = {}
    found: list[tuple[Held, Held]] = []
    left: list[int] = []
    out = 0
    for event in played_again(table, memo):
        if isinstance(event, e.RoundBegan):
            hands, left, out = {}, [], 0
        elif isinstance(event, e.CardDealt):
            hands.setdefault((event.box, event.hand), []).append(len(left))
            left.append(out)
            out += 1
        elif isinstance(event, (e.JokerShown, e.CardBurned)):
            out += 1
        elif isinstance(event, e.CardsBurnedOpen):
            out += len(event.cards)
        elif isinstance(event, e.HandDivided):
            first, second = hands.pop((event.box, event.hand))
            hands = {(box, n + (box == event.box and n > event.hand)): held for (box, n), held in hands.items()}
            hands[event.box, event.hand], hands[event.box, event.hand + 1] = [first], [second]
        elif isinstance(event, (e.CardsCleared, e.HandBust)):
            hands.pop((event.box, event.hand), None)
        elif isinstance(event, e.DecisionHeld):
            made = event.decision
            own = [held for place, held in hands.items() if place == (made.box, made.hand)]
            if made.what in ANSWERS:
                own = [held for (box, _), held in hands.items() if box in boxes_of(memo, made.player)]
            elif made.what in FOUND:
                own = []
            elif made.what in CLOSING:
                own = [held for (box, _), held in hands.items() if box != DEALER]
            found.append((tuple(each for held in own for each in held), tuple(hands.get((DEALER, 0), ()))))
    return found, left


def seen(act: a.Notice, memo: Opened, made: Decision, hand: Held, dealer: Held, at: int, cards: list[Card]) -> Decision:
    """A decision with what its maker saw, the cards having gone as is told now; `at` is the card that it is about."""
    if made.what in FOUND:
        return made
    boxes = [number for number, _ in memo.lines] if made.what in CLOSING else [made.box]
    if made.what in ANSWERS:
        boxes = boxes_of(memo, made.player)
    more: dict[int, list[int]] = {}
    """Cards that lay where none was due, by place."""
    if act.what == "misdealt":
        right = right_order(memo)
        for number, place in enumerate(act.places):
            more.setdefault(place, []).append(number)
        due = [more[place].pop(0) if more.get(place) else NO_CARD for place in right]
        further = len(act.places) - len(right)
        moved = [*due, *(each + further for each in range(len(right), len(cards)))]
    else:
        if made.out >= act.card and act.what in ("misplaced", "superfluous"):
            more[act.to] = [at]
        step = 0 if act.what == "misplaced" else 1
        moved = [each if each < at else each + step for each in range(len(cards))]
        if act.what == "misplaced" and at < len(cards):
            moved[at] = NO_CARD
    lay = [moved[each] for each in hand] + [each for box in boxes for each in more.get(box, ())]
    shown = [moved[each] for each in dealer] + more.get(DEALER, [])
    return replace(
        made,
        cards=tuple(cards[each] for each in lay if each in range(len(cards))),
        dealer=tuple(cards[each] for each in shown if each in range(len(cards))),
    )


def boxes_of(memo: Opened, player: str) -> list[int]:
    return [number for number, line in memo.lines if player in line]


NO_CARD = -1
"""Where a card was due and none lay."""
