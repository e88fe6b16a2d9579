"""What events of several chapters change alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from pitboss.basics.cards import Card
from pitboss.rulebooks.meanings import INTERIM_GOES_BACK
from pitboss.table.events import Decision, Event
from pitboss.table.state import Box, Hand, Opened, PlayerState, Table, newcomer

Changes: TypeAlias = dict[type[Event], Callable[[Table, Any], None]]
"""How each kind of event changes the table."""


def know(table: Table, player: str, state: PlayerState) -> None:
    """Replace what is known of a player; the dictionary may be shared with an older table."""
    table.players = {**table.players, player: state}


def arrive(table: Table, player: str) -> None:
    """A player is at the table."""
    known = table.players.get(player)
    if known is None:
        know(table, player, newcomer(table.house))
        table.net[player] = 0
    elif not known.present:
        know(table, player, replace(known, present=True))


def answered(hand: Hand, player: str) -> None:
    """A player is no longer asked about this hand."""
    hand.asked = tuple(name for name in hand.asked if name != player)


def numbered(table: Table, box: Box, kind: str, player: str) -> None:
    """Note which wager of the round an optional one or an insurance was."""
    box.order = {**box.order, kind: {**box.order.get(kind, {}), player: table.placements}}


def settle(hand: Hand, player: str, result: int) -> None:
    """A player's wager on this hand is decided."""
    hand.wagers[player] = replace(hand.wagers[player], settled=True, result=result)


def leave_round(t: Table, box: Box, player: str) -> None:
    """Where nothing is left of a player's wagers on the hands of a box, it has no part in the round any more."""
    if not any(each.wagers[player].cents for each in box.hands if player in each.wagers):
        t.round_wagers = tuple(each for each in t.round_wagers if each != (box.number, player))
        out_of_round(t, player)


def out_of_round(t: Table, player: str) -> None:
    """Whoever has nothing left of their wagers on the round, settled or not, no longer has part in it."""
    if any(name == player for _, name in t.round_wagers) or any(name == player for _, name, *_ in t.jackpot_wagers):
        return
    if any(player in box.line for box in t.boxes.values()) or not any(
        player in wagers for box in t.boxes.values() for wagers in box.side.values()
    ):
        t.round_players = tuple(name for name in t.round_players if name != player)


def open_betting(t: Table) -> None:
    """Wagers are taken again."""
    t.betting_closed = False
    if t.card_left:
        t.card_left = False


def note(t: Table, what: str, player: str, box: int, hand: int = 0, cents: int = 0) -> None:
    """Keep in mind what somebody decides and what they see: an error may be noticed afterwards."""
    memo = t.opened
    if memo is not None:
        cards = t.boxes[box].hands[hand].cards
        t.decisions += (Decision(what, player, box, hand, cents, cards, t.dealer_cards, t.position + memo.gone),)


def note_on(t: Table, what: str, player: str, box: int, index: int, hand: Hand) -> None:
    """The same where the hand is known already, as after every second act."""
    memo = t.opened
    if memo is not None:
        t.decisions += (Decision(what, player, box, index, 0, hand.cards, t.dealer_cards, t.position + memo.gone),)


def note_closed(t: Table, what: str) -> None:
    """The same where the dealer closes an offer: whoever still could have taken it saw all hands."""
    memo = t.opened
    if memo is not None:
        cards = tuple([card for box in t.boxes.values() for hand in box.hands for card in hand.cards])
        t.decisions += (Decision(what, "", 0, 0, 0, cards, t.dealer_cards, t.position + memo.gone),)


FOUND_AGAIN = ("invalid-wager", "loss-limit-exceeded", "wagers-void", "outside-limits", "RefundOffered")
"""What does not depend on the cards, so that a round that is laid again comes to it once more."""
WENT_BACK = (*FOUND_AGAIN[:-1], "RefundTaken")
"""Why wagers go back in the middle of a round, as `Table.decisions` has it."""
STILL_KNOWN = ("round-reopened", "void", "jackpot-fault")
"""Wagers that go back for other reasons, which leave the round one that can be laid again: those of a round that is
void forget it by themselves."""


def note_found(t: Table, what: str, player: str, box: int = 0, meant: str = "") -> None:
    """Keep in mind why wagers go back undecided: in a round that is laid again they do so once more."""
    memo = t.opened
    if memo is None or t.phase == "wagers":
        return
    last = t.decisions[-1] if t.decisions else None
    if last is None or (last.what, last.player, last.box) != (what, player, box):
        t.decisions += (Decision(what, player, box, out=t.position + memo.gone, meant=meant),)


def note_answer(t: Table, what: str, player: str) -> None:
    """The same for who takes wagers back or plays on where that is offered, with all hands that they have."""
    memo = t.opened
    if memo is not None:
        cards = tuple([card for box in t.boxes.values() if player in box.line for h in box.hands for card in h.cards])
        t.decisions += (Decision(what, player, 0, 0, 0, cards, t.dealer_cards, t.position + memo.gone),)


def forget_unless_found(t: Table, player: str) -> None:
    """What went back of this player's wagers cannot be told again, unless it was just said why it went back."""
    last = t.decisions[-1] if t.decisions else None
    if last is None or last.what not in WENT_BACK or last.player != player:
        t.opened = None


def remember(
    t: Table, memo: Opened, left: tuple[Card, ...], position: int, aside: tuple[tuple[int, Card], ...]
) -> None:
    """These cards of the round have left so far, and those of the stack from this position on come after them."""
    gone = len(memo.error_cards) + len(left) + len(aside) - position
    t.opened = replace(memo, left=left, position=position, aside=aside, gone=gone)


def leave(t: Table, cards: int = 1) -> None:
    """So many cards have left the stack."""
    t.position += cards
    if t.redeal:
        t.redeal = max(0, t.redeal - cards)
    if t.spoiled:
        t.spoiled = tuple(each for each in t.spoiled if each[0] >= t.position)


def spoil(t: Table, how: str, cards: int = 1) -> None:
    """The next cards are taken out of play in the course of a round: laid again they are not dealt either."""
    memo = t.opened
    if memo is not None and t.phase != "wagers":
        known = dict(t.spoiled)  # of a round that was laid again already
        found = tuple((t.position + memo.gone + number, known.get(t.position + number, how)) for number in range(cards))
        t.opened = replace(memo, spoiled=(*memo.spoiled, *found))


def halt(t: Table) -> None:
    """Whether ordinary play waits for an approval, an answer, a ruling or a rebuilding, or until the table goes on."""
    disputed = t.session is not None and t.session.disputed
    t.halted = bool(t.stopped or t.approval_due or t.refund_asked or t.misdealt or disputed)


def note_staked(t: Table, player: str, cents: int) -> None:
    """What lay there until the settlement: where the outcome is invalidated afterwards it may be kept."""
    known = t.final_staked
    t.final_staked = {**known, player: known.get(player, 0) + cents} if known else {player: cents}


def note_lost(t: Table, player: str, cents: int) -> None:
    """What was lost before the settlement may be kept likewise, where it would go back otherwise."""
    if INTERIM_GOES_BACK[t.rulebook.irregularities.void_interim.value]:
        note_staked(t, player, cents)
