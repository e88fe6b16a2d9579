"""What somebody has to decide, without the table: the cards that they see, and what they may do.

Whoever gives a value to a decision needs no more; the table itself does not know what is wise.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pitboss.basics.cards import Card
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.engine import refusal
from pitboss.table.legal import legal_acts
from pitboss.table.state import Box, Hand, Table

CHOICES: dict[str, str] = {
    "Hit": "hit",
    "Stand": "stand",
    "Double": "double",
    "Split": "split",
    "Forfeit": "forfeit",
    "Keep": "keep",
    "Insure": "insure",
    "Surrender": "surrender",
}
"""Acts that are decisions about a hand, by the word for each."""
NOT_INSURED, PLAYED_ON = "do not insure", "play on"
OFFERS = {"CloseInsurance": ("insurance", NOT_INSURED), "CloseSurrender": ("surrender", PLAYED_ON)}
"""What closes an offer, and what whoever said nothing to it has done."""


class Position(msgspec.Struct, frozen=True):
    """One decision that is open."""

    rulebook: str
    decks: int
    resplit: bool
    """Whether the house lets a pair be split once more (NSW 13.9)."""
    what: str
    """decision, forfeit, insurance or surrender."""
    player: str
    box: int
    hand: int
    cards: tuple[Card, ...]
    dealer: Card
    acts: tuple[str, ...]
    """The words of what is allowed."""
    wager_cents: int
    split: bool = False
    """Whether the hand came from a split."""
    others: tuple[Card, ...] = ()
    """Cards of the other hands of the split that still lie face up."""
    formed: int = 1
    """How many hands the box has."""
    waiting: int = 0
    """Hands of the split that are still to be played."""
    covered: bool = False
    """Whether another hand of the split waits for the dealer already."""
    drawn: bool = False
    """Whether more is seen than hand and first card of the dealer, as after an error."""


def positions(table: Table, player: str) -> tuple[Position, ...]:
    """What this player may decide at a table as it stands now."""
    return tuple(_found(table, player))


def _found(table: Table, player: str) -> Iterator[Position]:
    if not table.dealer_cards or table.phase not in ("insurance", "surrender", "play"):
        return
    acts = [act for act in legal_acts(table) if getattr(act, "player", player) == player]
    if table.phase == "play":
        box = table.boxes[table.turn_box]
        hand = table.hand_to_act()
        words = tuple(CHOICES[type(act).__name__] for act in acts if type(act).__name__ in CHOICES)
        theirs = player in hand.wagers and (box.controller == player or hand.doubled)
        if theirs and words and not hand.asking and not hand.short and not hand.face_down:
            yield _position(table, "forfeit" if hand.doubled else "decision", player, box, table.turn_hand, words)
        return
    kind, other = ("insurance", NOT_INSURED) if table.phase == "insurance" else ("surrender", PLAYED_ON)
    wanted = a.Insure if kind == "insurance" else a.Surrender
    for act in acts:
        if isinstance(act, wanted):
            yield _position(table, kind, player, table.boxes[act.box], 0, (CHOICES[type(act).__name__], other))


def _position(table: Table, what: str, player: str, box: Box, number: int, words: tuple[str, ...]) -> Position:
    hand: Hand = box.hands[number]
    others = [each for place, each in enumerate(box.hands) if place != number] if hand.split else []
    return Position(
        rulebook=table.rulebook.id,
        decks=table.house.decks,
        resplit=table.house.resplit,
        what=what,
        player=player,
        box=box.number,
        hand=number,
        cards=hand.cards,
        dealer=table.dealer_cards[0],
        acts=words,
        wager_cents=hand.wagers[player].cents,
        split=hand.split,
        others=tuple(card for each in others if not each.face_down for card in each.cards),
        formed=len(box.hands),
        waiting=len(box.hands) - 1 - number if hand.split else 0,
        covered=any(_waits(each, player) for each in others[:number]),
        drawn=len(table.dealer_cards) > 1,
    )


def _waits(hand: Hand, player: str) -> bool:
    """Whether a hand that has been played waits for the dealer's, and can lose to it."""
    wager = hand.wagers.get(player)
    return wager is not None and not wager.settled and not hand.held and 0 < hand.total < 21


def said_of(table: Table, act: Act) -> tuple[tuple[Position, str], ...]:
    """Which decisions an act makes, each with its word; an offer that is closed decides for all who said nothing."""
    name = type(act).__name__
    if name in OFFERS:
        what, word = OFFERS[name]
        if refusal(table, act) is not None:
            return ()
        found = [each for player in table.players for each in positions(table, player) if each.what == what]
        return tuple((each, word) for each in found)
    if name not in CHOICES:
        return ()
    player, box = getattr(act, "player", ""), getattr(act, "box", 0)
    for each in positions(table, player):
        if each.box == box and CHOICES[name] in each.acts:
            return ((each, CHOICES[name]),)
    return ()
