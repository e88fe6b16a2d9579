"""The value of a round by playing it on the engine: every card, every legal act, exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from pitboss.basics.cards import VALUE, Card
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.engine import open_table, play
from pitboss.table.legal import legal_acts
from pitboss.table.state import Hand, Table

CENTS = 1000
"""A wager whose half, and three halves, any float of chips can make."""

OUT_OF_PLACE = (a.Insure,)


class EngineValue:
    """Best play found by trying everything; positions that differ in nothing that matters are looked at once."""

    def __init__(self, rulebook: Rulebook, cards: Counter[Card]) -> None:
        self.rulebook = rulebook
        self.cards = cards
        self.known: dict[Any, Fraction] = {}
        self.acts_played = 0
        self.wanted: set[str] = set()
        """The acts that are strictly better than all others somewhere."""

    def value(self) -> Fraction:
        table = open_table(self.rulebook, cards=())
        table, _ = play(table, a.PlaceWager("alice", box=1, cents=CENTS))
        return self.after(table, a.Deal(), ()) / CENTS

    def after(self, table: Table, act: Act, coming: tuple[Card, ...]) -> Fraction:
        """The value of an act, over all cards that may come: the stack is lengthened whenever it has run out."""
        arranged = table.__copy__()
        arranged.stack = (*table.stack, *coming)
        self.acts_played += 1
        then, events = play(arranged, act)
        if not any(isinstance(event, e.CardsRanOut) for event in events):
            return self.best(then)
        left = self.cards - Counter(arranged.stack)
        if not left:
            raise AssertionError(f"the shoe is too small for {arranged.stack}")
        size = left.total()
        return sum(
            (Fraction(count, size) * self.after(table, act, (*coming, card)) for card, count in left.items()),
            Fraction(0),
        )

    def best(self, table: Table) -> Fraction:
        if table.phase == "wagers":
            return Fraction(table.net["alice"])
        key = self.position(table)
        if key not in self.known:
            ways = [act for act in legal_acts(table) if not isinstance(act, OUT_OF_PLACE)]
            values = [(self.after(table, act, ()), type(act).__name__) for act in ways]
            most = max(value for value, _ in values)
            names = {name for value, name in values if value == most}
            self.wanted |= names if len(names) == 1 else set()
            self.known[key] = most
        return self.known[key]

    def position(self, table: Table) -> Any:
        """All that the rest of the round can depend on: of a finished hand its total, of three cards their values."""
        hands = tuple((self.hand(hand), tuple(hand.wagers.values())) for hand in table.boxes[1].hands)
        left = tuple(sorted(Counter(table.stack).items()))
        ended = table.boxes[1].splitting_ended
        return table.phase, table.dealer_cards, hands, left, ended, table.net["alice"]

    def hand(self, hand: Hand) -> Any:
        if hand.done:
            return hand.total, hand.doubled, hand.held, hand.cards if hand.held else ()
        if len(hand.cards) < 3:
            return hand.cards, hand.split
        aces = sum(card[0] == "A" for card in hand.cards[:2])
        return tuple(sorted(VALUE[card] for card in hand.cards)), aces, hand.doubled, hand.split
