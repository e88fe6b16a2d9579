"""Misdeals: cards laid where they do not belong, and the round rebuilt from the order in which they left."""

from __future__ import annotations

from collections import Counter

from pitboss.basics.cards import JOKER, Card, point_total
from pitboss.rulebooks.meanings import BY_STAGE
from pitboss.rulebooks.terms import Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.apply.cards import left_of
from pitboss.table.authority import names_who
from pitboss.table.blazing_sevens import collect_blazing
from pitboss.table.chapters import carries_out
from pitboss.table.events import DEALER
from pitboss.table.initial_deal import begin_round, burn, refuse_deal
from pitboss.table.irregularities.reports import refuse_undecided, report
from pitboss.table.irregularities.stray_cards import leaving, look_at, take_cutting_card
from pitboss.table.irregularities.voids import AFTER_ROUND
from pitboss.table.refusals import Broken, Refusal
from pitboss.table.run import Run, both, narrowed, next_card, no, refuse_box, refuse_role
from pitboss.table.state import Opened, Table
from pitboss.table.subsequent_deal import hit, refuse_hit, short_hand_at
from pitboss.table.tournament_play.turns import dealing_order
from pitboss.table.wagers import give_back

# --- a wrong initial deal --------------------------------------------------------------------------------------------

STAGES = ("initial-deal", "in-turn", "passed", "dealer", "after-round")
"""When an error of the initial deal is noticed."""


def refuse_misdeal(table: Table, act: a.Misdeal) -> Refusal | None:
    """Whether a round can have been misdealt so."""
    refused = refuse_deal(table, a.Deal())
    if refused:
        return refused
    terms = table.rulebook.irregularities
    if act.noticed not in STAGES:
        return no(table, terms.misdeal.clauses, f"an error is noticed at one of {', '.join(STAGES)}.")
    if not act.places or len(act.places) > 22 or not all(0 <= place <= table.house.boxes for place in act.places):
        return no(table, terms.misdeal.clauses, f"cards go to the dealer (0) and to boxes 1 to {table.house.boxes}.")
    if table.position + len(act.places) > len(table.stack) + len(table.error_cards):
        return no(table, terms.misdeal.clauses, "there are not that many cards left.")
    if act.noticed == "after-round":
        return refuse_unnoticed(table, act)
    boxes = sorted(number for number, box in table.boxes.items() if box.wagers)
    if act.places == (*boxes, DEALER, *boxes):
        return no(table, terms.misdeal.clauses, "that is the right order.")
    if act.noticed != "initial-deal" and not BY_STAGE[terms.misdeal.value]:
        return no(table, terms.misdeal.clauses, "whenever it is noticed in the round, the round is rebuilt.")
    return None


def refuse_unnoticed(table: Table, act: a.Misdeal) -> Refusal | None:
    """An error that nobody notices leaves two cards on every hand and one with the dealer, only others than due."""
    terms = table.rulebook.irregularities
    refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND)
    if refused:
        return refused
    boxes = dealing_order(table, [number for number, box in table.boxes.items() if box.wagers])
    right = (*boxes, DEALER, *boxes)
    if sorted(act.places) != sorted(right) or act.places == right:
        text = "a round that is finished has two cards to each wagered box and one to the dealer, in a wrong order."
        return no(table, terms.misdeal_after_round.clauses, text)
    return None


@carries_out(a.Misdeal, refuse_misdeal)
def misdeal(run: Run, act: a.Misdeal) -> None:
    """Lay the cards as they were dealt, wrongly; then somebody says what is done about it.

    Where hands only lack cards, or cards lie where nobody wagered, a complete initial deal is not rebuilt.
    """
    table = run.table
    if not begin_round(run):
        return
    if table.fresh:
        burn(run)
    if act.noticed == "after-round":
        deal_wrongly(run, act.places)
        return
    causes = misdeal_terms(table, act, list(table.boxes))
    report(run, "misdeal", *causes)
    noticed = "" if act.noticed == "initial-deal" else act.noticed
    lay_as_told(run, act.places, noticed, causes)


def lay_as_told(run: Run, places: tuple[int, ...], noticed: str, causes: tuple[Term[str], ...]) -> None:
    """The cards of the initial deal where they went; where hands only lack cards they are left there."""
    table = run.table
    for place in places:
        first = table.error_cards[0][0] if table.error_cards else None
        card = first or leaving(run, place)
        if card is None:
            return
        run.emit(e.CardMisplaced(both(*causes), place, card, noticed, first is not None))
        if look_at(run, (card,), place) and table.phase == "wagers":
            return
    if noticed and only_lacks_cards(list(table.boxes), places):
        leave_layout(run, noticed, causes)


def deal_wrongly(run: Run, places: tuple[int, ...]) -> None:
    """The initial deal in a wrong order; the round is then played on as if it were right."""
    table = run.table
    run.emit(e.MisdealUnnoticed(table.rulebook.irregularities.misdeal_after_round.clauses, places))
    for place in places:
        card = next_card(run, place, unseen=bool(place) and table.house.face_down)
        if card is None:
            return
        held = table.boxes[place].hands[0].cards if place else table.dealer_cards
        total, soft = point_total((*held, card))
        face_down = bool(place) and table.house.face_down
        run.emit(e.CardDealt(table.compiled.first_card, place, 0, card, total, soft, face_down, run.from_error))


def misdeal_terms(table: Table, act: a.Misdeal, boxes: list[int]) -> tuple[Term[str], ...]:
    """What the rulebook says of this error on these wagered boxes at the stage at which it was noticed."""
    terms = table.rulebook.irregularities
    extra = any(place != DEALER and place not in boxes for place in act.places)
    if act.noticed == "initial-deal":
        misdealt = narrowed(terms.misdeal, terms.misdeal_clauses, "initial")
        return (misdealt, terms.superfluous_hand) if extra else (misdealt,)
    if not only_lacks_cards(boxes, act.places):
        return (terms.misdeal_full_by,)
    found: list[Term[str]] = []
    if any(act.places.count(box) < 2 for box in boxes):
        late = act.noticed == "dealer"
        found.append(terms.short_hand_dealer_stands if late else short_hand_at(table, act.noticed))
    if DEALER not in act.places:
        found.append(narrowed(terms.dealer_short, terms.dealer_short_clauses, "noticed"))
    if extra:
        found.append(terms.superfluous_hand)
    return tuple(found) or (terms.misdeal,)


def only_lacks_cards(boxes: list[int], places: tuple[int, ...]) -> bool:
    """Whether no card of a misdealt round lies on the wrong hand: what was dealt to wagers was dealt in order."""
    due = iter([*boxes, DEALER, *boxes])
    return all(place in due for place in places if place == DEALER or place in boxes)


def leave_layout(run: Run, noticed: str, causes: tuple[Term[str], ...]) -> None:
    """Adelaide: after the initial deal hands are not rebuilt; what is superfluous is burned, what is short is asked."""
    table = run.table
    terms = table.rulebook.irregularities
    dealers = tuple(card for place, card in table.misdealt if place == DEALER)
    run.emit(e.LayoutLeft(both(*causes), noticed, dealers))
    for box in sorted({place for place, _ in table.misdealt}):
        cards = tuple(card for place, card in table.misdealt if place == box)
        run.emit(e.HandVoided(terms.superfluous_hand.clauses, box, cards))


# --- a card on the wrong box -----------------------------------------------------------------------------------------


def refuse_misplace(table: Table, act: a.Misplace) -> Refusal | None:
    """Whether a card asked for on one box can have gone to another."""
    terms = table.rulebook.irregularities
    refused = refuse_hit(table, a.Hit(act.player, act.box)) or refuse_box(table, act.wrong)
    if refused:
        return refused
    if act.wrong == act.box:
        return no(table, terms.misdeal.clauses, "the card lies where it belongs.")
    left = table.stack[table.position :]  # that a joker comes next nobody is told: the card after it takes its place
    if table.error_cards or table.redeal or table.position == table.cutting_at or all(card == JOKER for card in left):
        return no(table, terms.misdeal.clauses, "no ordinary card comes next.")
    return None


@carries_out(a.Misplace, refuse_misplace)
def misplace(run: Run, act: a.Misplace) -> None:
    """The hand has asked for its card, and the card lies elsewhere until the round is put right."""
    table = run.table
    terms = table.rulebook.irregularities
    hit(run, a.Hit(act.player, act.box))
    cause = narrowed(terms.misdeal, terms.misdeal_clauses, "rebuilt")
    report(run, "card-on-the-wrong-box", cause)
    card = leaving(run, act.wrong)
    if card is None:
        raise Broken("a card was to leave a source without any")
    take_cutting_card(run)
    run.emit(e.CardMisplaced(cause.clauses, act.wrong, card))
    look_at(run, (card,), act.wrong)


# --- the round is rebuilt --------------------------------------------------------------------------------------------


def refuse_reconstruct(table: Table, act: a.Reconstruct) -> Refusal | None:
    terms = table.rulebook.irregularities
    if not table.misdealt and table.phase == "wagers" and table.last_results:
        return refuse_reopen(table, act)
    if not table.misdealt:
        return no(table, terms.misdeal.clauses, "nothing has been misdealt.")
    return refuse_role(table, act.by, rebuilder(table), "have the hands rebuilt")


@carries_out(a.Reconstruct, refuse_reconstruct)
def reconstruct(run: Run, act: a.Reconstruct) -> None:
    """Re-lay the round from the order in which the cards left; it then goes on as if it had been dealt rightly."""
    table = run.table
    if not table.misdealt:
        reopen(run, act)
        return
    cards = [card for _, card in table.misdealt]
    after = tuple(zip(right_places(table), cards, strict=False))
    by = rebuilder(table)
    run.emit(e.RoundReconstructed(both(misdealt_now(table), by), table.misdealt, after, act.by))


def misdealt_now(table: Table) -> Term[str]:
    """By what the hands that lie there wrongly are rebuilt."""
    terms = table.rulebook.irregularities
    later = table.noticed or table.phase == "play"
    return narrowed(terms.misdeal, terms.misdeal_clauses, "rebuilt" if later else "initial")


@names_who(a.Reconstruct)
def rebuilder(table: Table, act: a.Reconstruct | None = None) -> Term[str]:
    """Under whose supervision the hands are rebuilt: it depends on whether the initial deal was complete."""
    terms = table.rulebook.irregularities
    return terms.misdeal_full_by if table.noticed or table.phase in ("play", "wagers") else terms.misdeal_by


def right_places(table: Table) -> list[int]:
    """Where the misdealt cards should have gone, in order: those of the initial deal, or the one asked for."""
    if table.phase == "play":
        return [table.turn_box]
    boxes = list(table.boxes)
    return [*boxes, DEALER, *boxes]


# --- the finished round is laid again --------------------------------------------------------------------------------


def refuse_reopen(table: Table, act: a.Reconstruct) -> Refusal | None:
    """Whether the finished round can be laid again: its cards, its wagers and its players must still be there."""
    terms = table.rulebook.irregularities
    refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND) or refuse_role(
        table, act.by, terms.misdeal_full_by, "have the hands rebuilt"
    )
    if refused:
        return refused
    memo = table.opened
    clauses = both(terms.misdeal_after_round, terms.misdeal_impossible)
    if memo is None or not memo.places:
        text = (
            "no misdealt round can be laid again: the last one was dealt rightly, or its cards can no longer be told."
        )
        return no(table, clauses, text)
    gone = who_is_away(table, memo)
    if gone:
        return no(table, clauses, f"{gone}: the round cannot be laid again, and is void instead.")
    if paid_by_the_link(table, memo):
        return no(table, clauses, "the linked jackpot has paid a share of itself: the round cannot be laid again.")
    if table.error_cards or Counter(cards_of(table, memo)) - Counter(table.rack):
        return no(table, clauses, "its cards are no longer together: the round cannot be laid again.")
    return None


def who_is_away(table: Table, memo: Opened) -> str:
    """Who wagered on the round and cannot be asked again, and why; nobody needs be whose wagers on it were void."""
    void = [made.player for made in table.decisions if made.what == "wagers-void"]
    names = [wager.player for _, wager in memo.wagers] + [player for _, _, player, _ in memo.side]
    for name in names:
        state = table.players[name]
        if name in void:
            continue
        if not state.present:
            return f"{name} has left"
        if state.barred and table.phase == "wagers":
            return f"{name} is barred from the game"
    return ""


def paid_by_the_link(table: Table, memo: Opened) -> bool:
    """Whether a jackpot of several tables has paid a share of itself in this round: what it stood at is gone then, for
    it may have been filled up and played for since."""
    return table.house.jackpot_linked and table.jackpot_cents < memo.jackpot_cents


def reopen(run: Run, act: a.Reconstruct) -> None:
    """The finished round is undone, laid again as it should have been dealt, and played again from there."""
    table = run.table
    terms = table.rulebook.irregularities
    memo = table.opened
    if memo is None:
        raise Broken("a round is to be laid again that nobody remembers")
    clauses = both(terms.misdeal_after_round, terms.misdeal)
    report(run, "misdeal", terms.misdeal_after_round)
    for number in sorted(table.boxes):  # wagers for the next round wait
        for kind, player in [(k, p) for k, placed in table.boxes[number].side.items() for p in placed]:
            give_back(run, player, number, kind, "round-reopened", clauses)
        for player in list(table.boxes[number].wagers) if number in table.boxes else []:
            give_back(run, player, number, ORIGINAL, "round-reopened", clauses)
    for player, cents in sorted(table.last_results.items()):
        if cents:
            run.emit(e.PaymentReversed(clauses, player, cents))
    if table.jackpot_cents != memo.jackpot_cents:
        run.emit(e.JackpotSet(clauses, memo.jackpot_cents, memo.jackpot_cents - table.jackpot_cents, "reopened"))
    cards = cards_of(table, memo)
    dealt = [card for card in cards if card != JOKER]
    right = [*(number for number, _ in memo.lines), DEALER, *(number for number, _ in memo.lines)]
    before = tuple(zip(memo.places, dealt, strict=False))
    run.emit(e.RoundReopened(clauses, act.by, before, tuple(zip(right, dealt, strict=False)), cards))
    place_again(run, memo, clauses)


def place_again(run: Run, memo: Opened, clauses: tuple[str, ...]) -> None:
    """The wagers of a round that is laid again, as they stood before its first card, in the order of their placing."""
    table = run.table
    placed: list[tuple[int, e.Event]] = [
        (
            w.placed,
            e.WagerPlaced(clauses, w.player, number, w.cents, ORIGINAL, w.token_cents, w.unnoticed)
            if w.cents
            else e.IndicatorPlaced(clauses, w.player, number),
        )
        for number, w in memo.wagers
    ]
    for order, (number, kind, player, cents) in zip(memo.side_placed, memo.side, strict=True):
        placed.append((order, e.WagerPlaced(clauses, player, number, cents, kind)))
    for _, event in sorted(placed, key=lambda each: each[0]):
        run.emit(event)
    for number, line in memo.lines:
        if len(line) > 1:
            run.emit(e.ControlSettled(clauses, number, line[0], line))
    collect_blazing(run)
    run.emit(e.RoundBegan(table.compiled.deal, tuple(number for number, _ in memo.lines)))


def cards_of(table: Table, memo: Opened) -> tuple[Card, ...]:
    """The cards of the last round in the order in which they left."""
    return memo.error_cards + memo.left + left_of(memo, table)
