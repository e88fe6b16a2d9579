"""Naturals, 21s and five card tricks: paid while the round goes on, with the Super Bonus where it is earned."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.basics.cards import VALUE, Card, is_natural
from pitboss.rulebooks.meanings import BONUS_AT_ONCE, BONUS_FOR_EACH_PLAYER, handles
from pitboss.table import events as e
from pitboss.table.run import Run, live_wagers, pay
from pitboss.table.state import Hand, Table

SUITED_SEVENS = ("777-suited", "777-spades")


handles(
    "interim.pay_table:rows",
    "pontoon 5-card-21 6-card-21 7-plus-card-21 678-mixed 678-suited 678-spades 777-mixed 777-suited 777-spades"
    " five-card-trick other",
)


def result_of_21(cards: Sequence[Card]) -> str:
    """The row of the pay table that a 21 falls under. The rows never overlap: 6-7-8 and 7-7-7 are three cards."""
    count = len(cards)
    if count == 3:
        ranks = "".join(sorted(card[0] for card in cards))
        if ranks in ("678", "777"):
            suits = {card[1] for card in cards}
            kind = "mixed" if len(suits) > 1 else "spades" if suits == {"s"} else "suited"
            return f"{ranks}-{kind}"
        return "other"
    if count < 5:
        return "other"
    return "5-card-21" if count == 5 else "6-card-21" if count == 6 else "7-plus-card-21"


def counts_as_natural(table: Table, hand: Hand) -> bool:
    """Ace and ten as the initial two cards; after a split only where the rulebook says so."""
    return is_natural(hand.cards) and (not hand.split or table.compiled.split_natural)


def natural_must_wait(table: Table) -> bool:
    """Whether the dealer's second card decides what a natural is paid (the dealer shows a ten-value card or an ace)."""
    return table.compiled.natural_waits and VALUE[table.dealer_cards[0]] in (1, 10)


def settle_naturals(run: Run) -> None:
    """After the initial deal: pay the naturals, or hold them."""
    table = run.table
    for number, box in table.boxes.items():
        hand = box.hands[0]
        if hand.total == 21 and not hand.done and is_natural(hand.cards):
            settle_natural(run, number, 0)


def settle_natural(run: Run, box: int, index: int) -> None:
    table = run.table
    compiled = table.compiled
    hand = table.boxes[box].hands[index]
    interim = table.rulebook.interim
    if natural_must_wait(table):
        run.emit(e.NaturalHeld(compiled.natural_held, box, index, "natural"))
        return
    if table.house.deferred:
        run.emit(e.NaturalHeld(interim.deferrable_by.clauses, box, index, "deferred"))
        return
    clauses = compiled.natural + tuple(
        clause for clause in interim.natural_odds.clauses if clause not in compiled.natural
    )
    for wager in live_wagers(hand):
        pay(run, box, index, wager, compiled.natural_odds, table.rulebook.game.natural.value, "interim", clauses)
    run.emit(e.CardsCleared(compiled.natural, box, index))


def settle_21(run: Run, box: int, index: int) -> None:
    """A 21 during the subsequent deal is paid at its table odds whatever the dealer shows, and its cards go."""
    table = run.table
    hand = table.boxes[box].hands[index]
    if table.house.deferred:
        run.emit(e.NaturalHeld(table.rulebook.interim.deferrable_by.clauses, box, index, "deferred"))
        return
    earned = earns_super_bonus(table, hand)
    pay_21(run, box, index, "interim", table.compiled.twenty_one)
    if earned:
        award_super_bonus(run, box, index)
    if not (earned and not BONUS_AT_ONCE[table.rulebook.super_bonus.when.value]):
        run.emit(e.CardsCleared(table.compiled.twenty_one, box, index))
    else:
        run.emit(e.HandStood(table.rulebook.super_bonus.when.clauses, box, index))


def pay_21(run: Run, box: int, index: int, settlement: str, clauses: tuple[str, ...]) -> None:
    table = run.table
    compiled = table.compiled
    hand = table.boxes[box].hands[index]
    if hand.doubled:
        doubling, interim = table.rulebook.doubling, table.rulebook.interim
        for wager in live_wagers(hand):
            why = interim.doubled_odds.clauses if wager.doubled_cents else doubling.others_odds.clauses
            pay(run, box, index, wager, compiled.doubled_odds, "doubled", settlement, clauses + why)
        return
    row = compiled.rows.get(result_of_21(hand.cards)) or compiled.rows["other"]
    for wager in live_wagers(hand):
        pay(run, box, index, wager, row.odds, row.name, settlement, clauses + row.clauses)


def settle_five_card_trick(run: Run, box: int, index: int) -> None:
    """Five cards not over 21, where the rulebook knows the trick."""
    table = run.table
    clauses = table.compiled.trick
    for wager in live_wagers(table.boxes[box].hands[index]):
        pay(run, box, index, wager, table.compiled.trick_odds, "five-card-trick", "interim", clauses)
    run.emit(e.CardsCleared(clauses, box, index))


# --- Super Bonus -----------------------------------------------------------------------------------------------------


def earns_super_bonus(table: Table, hand: Hand) -> bool:
    """7-7-7 in one suit against a dealer's first card of 7, on a hand that nothing excludes, as a split or a double."""
    compiled = table.compiled
    if not compiled.super_bonus or len(hand.cards) != 3:
        return False
    if (hand.split and compiled.no_bonus_split) or (hand.doubled and compiled.no_bonus_doubled):
        return False
    return (
        result_of_21(hand.cards) in SUITED_SEVENS
        and table.dealer_cards[0][0] == table.rulebook.super_bonus.dealer_rank.value
    )


def bonus_of_form(table: Table, box: int, player: str, cents: int, result: str) -> int:
    """The Super Bonus for an undisclosed wager on the first hand of a box; 0 where it earns none.

    A player has one for a hand: what their chips on it have earned is not earned again by what they wrote.
    """
    compiled, terms = table.compiled, table.rulebook.super_bonus
    if not compiled.super_bonus or result not in SUITED_SEVENS or (box, player) in table.bonus_given:
        return 0
    split = table.boxes[box].hands[0].split and compiled.no_bonus_split
    if split or table.dealer_cards[0][0] != terms.dealer_rank.value or cents < terms.small_from_cents.value:
        return 0
    return (terms.large_cents if cents >= terms.large_from_cents.value else terms.small_cents).value


def award_super_bonus(run: Run, box: int, index: int) -> None:
    """At once, or noted until the cards are gathered."""
    if BONUS_AT_ONCE[run.table.rulebook.super_bonus.when.value]:
        pay_super_bonuses(run, ((box, index),))
    else:
        run.emit(e.SuperBonusEarned(run.table.rulebook.super_bonus.when.clauses, box, index))


handles("super_bonus.moment_clauses", "bonus others final")


def moment_clauses(table: Table, moment: str) -> tuple[str, ...]:
    """By which clause a bonus is paid now; a text without such clauses names it in the terms themselves."""
    said = table.rulebook.super_bonus.moment_clauses.value
    return (said[moment],) if moment in said else ()


def pay_super_bonuses(run: Run, hands: Sequence[tuple[int, int]], final: bool = False) -> None:
    """Every wager on these hands by its own size, then the consolation for the others in the round."""
    table = run.table
    terms = table.rulebook.super_bonus
    won = False
    for box, index in hands:
        for wager in table.boxes[box].hands[index].wagers.values():
            if wager.surrendered or not wager.cents or wager.cents < terms.small_from_cents.value:
                continue
            if table.players[wager.player].barred:
                continue
            won = True
            large = wager.cents >= terms.large_from_cents.value
            term = terms.large_cents if large else terms.small_cents
            clauses = term.clauses + moment_clauses(table, "final" if final else "bonus")
            run.emit(e.SuperBonusPaid(clauses, box, wager.player, term.value))
    if won:
        pay_consolation(run, [box for box, _ in hands], final=final)


def may_still_win(table: Table, player: str) -> bool:
    """Whether a Super Bonus is still open to this player: two suited sevens on a hand that is still to be played."""
    terms = table.rulebook.super_bonus
    for box in table.boxes.values():
        for hand in box.hands:
            wager = hand.wagers.get(player)
            if wager is None or wager.cents < terms.small_from_cents.value or hand.done or len(hand.cards) != 2:
                continue
            excluded = (hand.split and table.compiled.no_bonus_split) or (
                hand.doubled and table.compiled.no_bonus_doubled
            )
            if not excluded and hand.cards[0] == hand.cards[1] and hand.cards[0][0] == "7":
                return True
    return False


def pay_consolation(run: Run, boxes: Sequence[int], over: bool = False, final: bool = False) -> None:
    """Once a round: each other player, or each other original wager.

    Who may still win one waits for the settlement, or until the round is `over` without one. Whose wagers went back
    whole has no part in the round.
    """
    table = run.table
    terms = table.rulebook.super_bonus
    clauses = terms.others_cents.clauses + moment_clauses(table, "final" if final else "others")
    if BONUS_FOR_EACH_PLAYER[terms.others.value]:
        players = {player for _, player in table.round_wagers}
        for player in table.round_players:
            if table.players[player].barred or (not over and may_still_win(table, player)):
                continue
            if (player in players or terms.others_side_bets.value) and (0, player) not in table.bonus_given:
                run.emit(e.BonusPaid(clauses, player, terms.others_cents.value))
        return
    for number, player in table.round_wagers:
        if (number, player) not in table.bonus_given and number not in boxes and not table.players[player].barred:
            run.emit(e.BonusPaid(clauses, player, terms.others_cents.value, number))
