"""Settling what is left on the table against the dealer's hand."""

from __future__ import annotations

from pitboss.basics.cards import Card
from pitboss.basics.money import payable_up
from pitboss.rulebooks.meanings import handles
from pitboss.table import events as e
from pitboss.table.house import DEVICE
from pitboss.table.insurance import insured, pay_insurance
from pitboss.table.interim_settlement import (
    counts_as_natural,
    earns_super_bonus,
    pay_21,
    pay_consolation,
    pay_super_bonuses,
)
from pitboss.table.run import Run, both, heads, live_wagers, pay
from pitboss.table.shuffle_and_cut import renew_after_failure
from pitboss.table.state import NOT_SHOWN, Hand, Table, Wager
from pitboss.table.tournament_play.rounds import conclude


def settle_all(run: Run) -> None:
    """Every wager still on the table, then the insurance that waited, then the end of the round."""
    table = run.table
    bonus_hands = table.bonus_hands
    owed: set[tuple[int, str]] = set()
    for number, box in table.boxes.items():
        for index, hand in enumerate(box.hands):
            is_open = surrendered = False
            for wager in hand.wagers.values():
                if not wager.settled:
                    is_open = True
                    surrendered = surrendered or wager.surrendered
            if not is_open:
                continue
            if hand.face_down:
                run.emit(e.HandExposed(table.rulebook.cards.face_down.clauses, number, hand.cards))
            if surrendered:
                settle_surrendered(run, number, index)
            if hand.short == "dealer" and (table.dealer_natural or table.dealer_total > 21):
                settle_short(run, number, index)
            elif hand.held:
                if earns_super_bonus(table, hand):
                    bonus_hands += ((number, index),)
                settle_held(run, number, index)
            elif table.dealer_natural:
                settle_against_natural(run, number, index, owed)
            else:
                settle_totals(run, number, index)
    if table.noticed:
        for number in table.boxes:
            return_side_wagers(run, number, table.rulebook.irregularities.short_hand_others.clauses)
    if table.compiled.insurance and insured(table):
        pay_insurance(run)
    if bonus_hands:
        pay_super_bonuses(run, bonus_hands, final=True)
    elif table.bonus_given:
        pay_consolation(run, (), final=True)
    end_round(run)


def settle_surrendered(run: Run, box: int, index: int) -> None:
    """Half is lost and half stands off; a dealer natural takes the whole wager."""
    table = run.table
    terms = table.rulebook.surrender
    for wager in list(table.boxes[box].hands[index].wagers.values()):
        if not wager.surrendered or wager.settled:
            continue
        if table.dealer_natural:
            clauses = terms.dealer_natural.clauses
            run.emit(e.WagerCollected(clauses, box, index, wager.player, wager.cents, "dealer-natural"))
            continue
        half = -(-wager.cents // 2)
        returned = min(wager.cents, payable_up(half, table.house.chips_cents))
        clauses = table.compiled.surrender_settled
        if returned != half or wager.cents % 2:
            clauses += table.rulebook.wagers.rounding.clauses
        run.emit(e.SurrenderSettled(clauses, box, index, wager.player, wager.cents - returned, returned))


def return_side_wagers(run: Run, box: int, clauses: tuple[str, ...], only: str = "") -> None:
    """Optional wagers on two cards of which the second never came are void."""
    for kind, placed in run.table.boxes[box].side.items():
        for player, cents in list(placed.items()):
            if only in ("", player):
                run.emit(e.WagerReturned(clauses, player, box, cents, kind, "void", 0))


def settle_short(run: Run, box: int, index: int) -> None:
    """A hand still short of cards: it wins even money when the dealer is bust, and stands off against a natural."""
    table = run.table
    terms = table.rulebook.irregularities
    for wager in live_wagers(table.boxes[box].hands[index]):
        if table.dealer_natural:
            clauses = terms.short_hand_dealer_natural.clauses
            run.emit(e.WagerStoodOff(clauses, box, index, wager.player, wager.cents, "short-hand"))
        else:
            clauses = terms.short_hand_dealer_bust.clauses
            pay(run, box, index, wager, table.compiled.even_money, "dealer-bust", "final", clauses)


def settle_held(run: Run, box: int, index: int) -> None:
    """A natural or 21 that waited: it wins whatever the dealer has."""
    table = run.table
    hand = table.boxes[box].hands[index]
    terms = table.rulebook.settlement
    if counts_as_natural(table, hand):
        result: str = table.rulebook.game.natural.value
        if hand.held == "deferred" and not table.compiled.natural_rows:
            interim = table.rulebook.interim
            clauses = table.compiled.natural_final + interim.natural_odds.clauses[:2] + heads(interim.deferrable_by)
            odds = table.compiled.natural_odds
        elif table.dealer_natural and not table.compiled.natural_rows:
            odds = table.compiled.natural_odds
            clauses = both(table.rulebook.interim.natural_odds, terms.natural_against_natural)
        elif table.dealer_natural:
            row = table.compiled.natural_rows[compare_naturals(table, hand)]
            odds, clauses, result = row.odds, row.clauses, f"{result}-{row.name}"
        else:
            odds, clauses = terms.natural_against_other.value, terms.natural_against_other.clauses
        for wager in live_wagers(hand):
            pay(run, box, index, wager, odds, result, "final", clauses)
        return
    pay_21(run, box, index, "final", terms.twenty_one_wins.clauses)


handles("settlement.natural_against_natural:rows", "higher same lower")


def compare_naturals(table: Table, hand: Hand) -> str:
    """Whether the player's ten-value card ranks higher than the dealer's, the same, or lower."""
    order = table.rulebook.cards.natural_rank.value

    def rank(cards: tuple[Card, ...]) -> int:
        return next(order.index(card[0]) for card in cards if card[0] != "A")

    mine, dealers = rank(hand.cards), rank(table.dealer_cards)
    return "higher" if mine < dealers else "lower" if mine > dealers else "same"


def settle_against_natural(run: Run, box: int, index: int, owed: set[tuple[int, str]]) -> None:
    """A dealer natural takes one original amount from a player's standing hands on a box, or everything.

    Between the two are variants for study, in which it takes doubled portions or the wagers on further split hands too.
    `owed` holds the boxes and players that have paid their one amount already.
    """
    table = run.table
    terms = table.rulebook.settlement
    hand = table.boxes[box].hands[index]
    compiled = table.compiled
    for wager in live_wagers(hand):
        doubled = wager.doubled_cents
        if compiled.natural_takes_doubled and compiled.natural_takes_split:
            clauses = both(terms.dealer_natural, terms.loses_lower)
            run.emit(e.WagerCollected(clauses, box, index, wager.player, wager.cents + doubled, "dealer-natural"))
            continue
        spared = (box, wager.player) in owed and not compiled.natural_takes_split
        owed.add((box, wager.player))
        taken = (0 if spared else wager.cents) + (doubled if compiled.natural_takes_doubled else 0)
        off = wager.cents + doubled - taken
        if taken or not wager.cents:  # a wager that is only written lies there without chips
            clauses = (
                both(terms.dealer_natural_doubled, terms.dealer_natural) if doubled else terms.dealer_natural.clauses
            )
            run.emit(e.WagerCollected(clauses, box, index, wager.player, taken, "dealer-natural"))
        if off:
            why = terms.dealer_natural_split if spared else terms.dealer_natural_doubled
            run.emit(e.WagerStoodOff(both(why, terms.dealer_natural), box, index, wager.player, off, "dealer-natural"))


def settle_totals(run: Run, box: int, index: int) -> None:
    """A hand of 20 or less against the dealer's total."""
    table = run.table
    compiled = table.compiled
    hand = table.boxes[box].hands[index]
    for wager in live_wagers(hand):
        if table.dealer_total > 21:
            _win(run, box, index, wager, hand, "dealer-bust", compiled.dealer_bust)
        elif hand.total > table.dealer_total:
            _win(run, box, index, wager, hand, "higher", compiled.wins)
        elif hand.total < table.dealer_total:
            cents = wager.cents + wager.doubled_cents
            run.emit(e.WagerCollected(compiled.loses, box, index, wager.player, cents, "lower"))
        elif compiled.ties_lose:
            cents = wager.cents + wager.doubled_cents
            run.emit(e.WagerCollected(compiled.tie, box, index, wager.player, cents, "tie"))
        else:
            cents = wager.cents + wager.doubled_cents
            run.emit(e.WagerStoodOff(compiled.tie, box, index, wager.player, cents, "tie"))


def _win(run: Run, box: int, index: int, wager: Wager, hand: Hand, result: str, clauses: tuple[str, ...]) -> None:
    compiled = run.table.compiled
    if hand.doubled:
        rulebook = run.table.rulebook
        why = rulebook.interim.doubled_odds if wager.doubled_cents else rulebook.doubling.others_odds
        pay(run, box, index, wager, compiled.doubled_odds, result, "final", clauses + why.clauses)
    else:
        pay(run, box, index, wager, compiled.even_money, result, "final", clauses)


def end_round(run: Run, clauses: tuple[str, ...] | None = None) -> None:
    """Gather the cards; a shuffle is due where the cutting card came, or where one was missed or ordered."""
    table = run.table
    if table.session is not None:
        conclude(run)
    terms = table.rulebook.shuffle
    to_device = keeps = False
    if table.house.source == DEVICE and not table.compiled.device_returns_early:
        to_device = True
        keeps = bool(table.burned) and len(table.rack) < 4 * len(table.rulebook.cards.ranks.value)
    last_rounds = table.final_rounds > 0
    if table.redeal:
        over = table.stack[table.position : table.position + table.redeal]
        run.emit(e.CardsSetAside(table.rulebook.irregularities.drawn_in_error.clauses, over))
    run.emit(e.RoundEnded(clauses or table.compiled.cards, to_device, keeps))
    if table.new_cards_due and renew_after_failure(run):
        return
    if table.cutting_shown != NOT_SHOWN and not last_rounds:
        run.emit(e.ShuffleDue(terms.cutting_card_mid_round.clauses, "cutting-card"))
    elif table.shuffle_ordered:
        run.emit(e.ShuffleDue(terms.ordered_by.clauses, "ordered"))
    elif table.shuffle_after:
        irregular = table.rulebook.irregularities
        term = {
            "cut-missed": irregular.cut_missed,
            "shuffle-missed": irregular.shuffle_missed,
            "check": irregular.face_up_check_by,
        }[table.shuffle_after]
        run.emit(e.ShuffleDue(term.clauses, table.shuffle_after))
