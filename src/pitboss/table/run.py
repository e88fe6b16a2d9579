"""What every chapter needs: a draft that events are applied to as they are decided, refusals, cards and payments."""

from __future__ import annotations

from collections.abc import Collection
from typing import Self

import msgspec

from pitboss.basics.cards import JOKER, Card
from pitboss.basics.money import Odds, dollars, payable_down, payable_multiple, payable_up
from pitboss.rulebooks.meanings import DISCARDS_SHUFFLED_FOR_DEVICE, ROUNDED_DOWN_IF_SIGNED
from pitboss.rulebooks.terms import Term
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import events as e
from pitboss.table.apply import APPLY, COUNTING
from pitboss.table.apply.changes import WENT_BACK, Changes
from pitboss.table.belonging import belongs
from pitboss.table.compiled import both as both
from pitboss.table.compiled import heads as heads
from pitboss.table.compiled import narrowed as narrowed
from pitboss.table.events import Event
from pitboss.table.house import ANYONE, DEVICE
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.roles import may_act
from pitboss.table.state import NO_CARDS, Box, Hand, Table, Wager, set_plainly
from pitboss.table.tournament_play.written import kept_for

_CARD = e.CardDealt


@set_plainly
class Run(msgspec.Struct, gc=False):
    """Acts being carried out: the draft table and the events so far."""

    table: Table
    changes: Changes
    """How events change this table."""
    events: list[Event] = []
    from_error: bool = False
    """Whether the card that `next_card` gave last had been drawn in error."""

    @classmethod
    def on(cls, table: Table) -> Self:
        return cls(table, COUNTING if table.house.counted else APPLY)

    def emit(self, event: Event) -> None:
        """Apply an event to the draft and keep it; an event without a cause is a fault of ours."""
        if not event.clauses:
            broken_unless(False, f"an event without a clause: {event!r}")
        self.changes[type(event)](self.table, event)
        self.events.append(event)

    def emit_card(self, event: e.CardDealt) -> None:
        """The same for a card: the interpreter does at once what it always does with one kind of event."""
        if not event.clauses:
            broken_unless(False, f"a card without a clause: {event!r}")
        self.changes[_CARD](self.table, event)
        self.events.append(event)


def no(table: Table, clauses: tuple[str, ...], text: str) -> Refusal:
    """A refusal by these clauses, each once and the most telling first."""
    return Refusal(table.compiled.name, tuple(dict.fromkeys(clauses)), text)


def refuse_role(table: Table, by: str, term: Term[str], what: str) -> Refusal | None:
    """Why somebody of this role may not do it; the term names the role that may."""
    if term.value == "nobody":
        return no(table, term.clauses, f"the rules let nobody {what}.")
    if not may_act(by, term.value):
        return no(table, term.clauses, f"{the_role(term.value)} may {what}, not {the_role(by)}.")
    return None


def refuse_amount(table: Table, cents: object) -> Refusal | None:
    if type(cents) is not int or cents <= 0:
        return no(table, table.rulebook.limits.sign.clauses, "a wager is an amount above zero, in whole cents.")
    return None


def refuse_box(table: Table, box: object) -> Refusal | None:
    if type(box) is not int or not 1 <= box <= table.house.boxes:
        clauses = table.rulebook.boxes.number.clauses
        return no(table, clauses, f"there is no box {box}: the layout has boxes 1 to {table.house.boxes}.")
    return None


def chips_left(table: Table, player: str) -> int | None:
    """What a player still has in front of them in chips, tokens apart; None where it was never said."""
    state = table.players.get(player)
    if state is None:
        return 0 if table.house.counted else None
    return None if state.chips_cents is None else state.chips_cents - state.tokens_cents + table.net[player]


def refuse_chips(table: Table, player: str, cents: int, clauses: tuple[str, ...] = ()) -> Refusal | None:
    """Whether a player has less than this in chips in front of them."""
    left = chips_left(table, player)
    if left is not None and table.session is not None:
        left -= kept_for(table, player)
    if left is None or cents <= left:
        return None
    text = f"{player} does not have that much in chips."
    if table.house.counted:
        text = f"{player} has {dollars(max(0, left))} in chips here, not {dollars(cents)}: buy or bring more first."
    return no(table, clauses or table.rulebook.wagers.means.clauses, text)


def refuse_barred(table: Table, player: str) -> Refusal | None:
    """Whether somebody may not play because they are barred from the game or excluded from the casino."""
    state = table.players.get(player)
    if state is None or not state.barred:
        return None
    if state.excluded:
        clauses = table.rulebook.patrons.excluded_by.clauses
        return no(table, clauses, f"{player} is excluded from the casino: {state.barred}.")
    terms = table.rulebook.irregularities
    clauses = both(terms.barred_excluded, terms.barred_by)
    return no(table, clauses, f"{player} is barred from the game: {state.barred}.")


def refuse_without_card(table: Table, player: str) -> Refusal | None:
    """Whether somebody lacks a valid player card of their own where the game wants one."""
    term = table.rulebook.wagers.player_card
    state = table.players.get(player)
    if not term.value:
        return None
    if state is not None and state.card_due:
        return no(table, term.clauses, f"a wager of {player} was invalid: they first show a player card of their own.")
    if state.card if state is not None else table.house.patrons == ANYONE:
        return None
    return no(table, term.clauses, f"{player} has no valid player card of their own and may not play.")


def found_later(table: Table, player: str, kinds: Collection[str] = WENT_BACK) -> bool:
    """In a round that is laid again: whether this is before the moment at which wagers of theirs went back."""
    return any(made.player == player and made.what in kinds for made in table.pending)


def loss_left(table: Table, player: str) -> int | None:
    """What a player may still put at risk here by the loss limit that the table knows; None where there is none."""
    limit = table.players[player].loss_limit_cents
    return None if limit is None else max(0, limit + table.net[player])


def refuse_funds(table: Table, player: str, cents: int, *, tokens: int = 0, unnoticed: bool = False) -> Refusal | None:
    """Whether a player may put more money down: they still may play, have the chips, and stay within a loss limit.

    `tokens`: so much of it is in tokens.
    """
    state = table.players.get(player)
    if state is None:
        return refuse_chips(table, player, cents - tokens) if table.house.counted else None
    before_found = bool(table.pending) and found_later(table, player)
    card_asked = state.card_due and not (before_found and found_later(table, player, ("invalid-wager",)))
    if card_asked or ((state.barred or not state.card) and not before_found):
        refused = refuse_barred(table, player) or refuse_without_card(table, player)
        if refused is not None:
            return refused
    if state.chips_cents is not None:
        refused = refuse_chips(table, player, cents - tokens if table.house.counted else cents)
        if refused is not None:
            return refused
    limit = state.loss_limit_cents
    if limit is None or unnoticed or before_found or not table.rulebook.wagers.loss_limit.value:
        return None
    if cents - table.net[player] > limit:
        left = dollars(max(0, limit + table.net[player]))
        text = f"that could take {player} past the loss limit; {left} is left of it."
        return no(table, table.rulebook.wagers.loss_limit.clauses, text)
    return None


def next_card(run: Run, box: int, *, refused: bool = False, unseen: bool = False) -> Card | None:
    """The card that leaves next for this box (0: the dealer), or None where none can: a shuffle is due, or a card has
    appeared that does not belong to the decks.

    `refused`: a card that was drawn in error goes past this hand, whose next card comes from the source; `unseen`: it
    is dealt face down.
    """
    table = run.table
    if table.error_cards and not table.redeal and not refused:
        run.from_error = True
        card, exposed = table.error_cards[0]
        return None if table.suspect and not (exposed or unseen) and is_wrong(run, card, box) else card
    run.from_error = False
    while True:
        position = table.position
        if position == table.cutting_at:
            player = table.boxes[box].controller if box else ""
            run.emit(e.CuttingCardShown(table.rulebook.shuffle.cutting_card_mid_round.clauses, box, player))
        if position >= len(table.stack):
            shuffle = table.rulebook.shuffle
            finished = DISCARDS_SHUFFLED_FOR_DEVICE[shuffle.insufficient_device.value]
            lapses = table.house.source == DEVICE and not finished
            clauses = (shuffle.insufficient_device if lapses else shuffle.insufficient).clauses
            terms = table.rulebook.irregularities
            notice = terms.notice
            run.emit(e.CardsRanOut(clauses))
            if terms.approval.value != "nobody":
                cited = both(table.rulebook.shuffle.insufficient, terms.approval)
                run.emit(e.IrregularityReported(cited, "insufficient-cards", terms.approval.value))
            if notice.value != "nobody":
                run.emit(e.NoticeGiven(notice.clauses, notice.value, "cards ran out", "before-play-goes-on"))
            run.emit(e.ShuffleDue(clauses, NO_CARDS if lapses else "insufficient"))
            return None
        card = table.stack[position]
        if table.spoiled and table.spoiled[0][0] == position:
            take_out(run, card, table.spoiled[0][1])
            continue
        if card != JOKER:
            return None if table.suspect and not unseen and is_wrong(run, card, box) else card
        run.emit(e.JokerShown(table.rulebook.cards.jokers.clauses, box))


def is_wrong(run: Run, card: Card, box: int) -> bool:
    """Whether the next card does not belong to the decks, and nobody has let it be dealt yet; it is then found."""
    table = run.table
    if table.cleared == (table.position, len(table.error_cards)) or belongs(table, card):
        return False
    run.emit(e.WrongCardFound(why_wrong(table, card), card, box))
    return True


def why_wrong(table: Table, card: Card) -> tuple[str, ...]:
    """What the decks are made up of: which ranks, or how many decks."""
    cards = table.rulebook.cards
    return cards.decks.clauses if card[0] in cards.ranks.value else cards.ranks.clauses


def take_out(run: Run, card: Card, how: str) -> None:
    """A card of a round that is laid again and that was not to be dealt: found face up, burned in error, burned when
    the source had been filled, or one too many on the dealer's hand or where nobody had wagered."""
    terms = run.table.rulebook.irregularities
    if how == "burn":
        run.emit(e.CardBurned(run.table.rulebook.shuffle.burn_shoe.clauses, card))
    elif how == "burned":
        run.emit(e.CardBurned(terms.burned_in_error.clauses, card))
    else:
        cause = {"dealers": terms.dealer_extra_exposed, "superfluous": terms.superfluous_hand}.get(
            how, terms.face_up_card
        )
        run.emit(e.CardsBurnedOpen(cause.clauses, (card,)))


def live_wagers(hand: Hand) -> list[Wager]:
    """Wagers that the cards of this hand still decide."""
    live = []  # filled by a plain loop, which is the quickest: this is asked several times a round
    for wager in hand.wagers.values():
        if not wager.settled and not wager.surrendered:
            live.append(wager)
    return live


def others_on(hand: Hand, player: str) -> tuple[str, ...]:
    """Who else has a wager on this hand that its cards still decide."""
    if len(hand.wagers) == 1:
        return ()
    return tuple(wager.player for wager in live_wagers(hand) if wager.player != player)


def caller_of(box: Box, hand: Hand) -> str:
    """Who calls a hand: the first in line whose wager its cards still decide, and not one who failed to decide before.

    Nobody where no such wager is left on it.
    """
    live = [wager.player for wager in live_wagers(hand)]
    absent = {name for each in box.hands for name in each.passed_over}
    return next((name for name in live if name not in absent), live[0] if live else "")


def pass_control(run: Run, player: str, clauses: tuple[str, ...]) -> None:
    """Where a player has left a hand that they called, the next in line on it calls it.

    A surrender that they had called is void with their wager, unless another has surrendered too.
    """
    table = run.table
    for number, box in table.boxes.items():
        if box.controller != player:
            continue
        in_turn = box.hands[table.turn_hand : table.turn_hand + 1] if number == table.turn_box else []
        for hand in (*in_turn, *box.hands):
            called = table.phase == "surrender" and hand.asking == "surrender"
            if hand.done and not called:
                continue
            own = hand.wagers.get(player)
            if own is not None and not own.settled:
                break
            caller = caller_of(box, hand)
            if caller:
                anew = called and not any(w.surrendered and not w.settled for w in hand.wagers.values())
                run.emit(e.ControlPassed(clauses[:2] + table.compiled.control[:1], number, caller, anew))
                break


def payment(table: Table, wager_cents: int, odds: Odds) -> tuple[int, bool]:
    """What a winning wager is paid, and whether it had to be rounded to what the chips can make."""
    house = table.house
    amount, rest = divmod(wager_cents * odds.wins, odds.on)
    if not rest and amount % house.chips_cents[0] == 0:
        return amount, False
    down = (
        ROUNDED_DOWN_IF_SIGNED[table.rulebook.wagers.rounding.value]
        and house.multiples
        and wager_cents % house.minimum_cents != 0
    )
    chips = house.chips_cents
    if down and (rest or payable_down(amount, chips) != amount):
        return payable_multiple(amount, house.minimum_cents, chips), True
    paid = payable_up(amount + (rest > 0), chips)
    return paid, rest > 0 or paid != amount


def pay(
    run: Run,
    box: int,
    hand: int,
    wager: Wager,
    odds: Odds,
    result: str,
    settlement: str,
    clauses: tuple[str, ...],
) -> None:
    """Pay a winning wager, both portions, and give it back."""
    table = run.table
    cents = wager.cents + wager.doubled_cents
    paid, rounded = payment(table, cents, odds)
    if rounded:
        clauses = clauses[:3] + heads(table.rulebook.wagers.rounding)
    run.emit(e.WagerPaid(clauses, box, hand, wager.player, cents, odds, paid, settlement, result))
