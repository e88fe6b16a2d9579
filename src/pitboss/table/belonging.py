"""Whether a card belongs to the decks: a rank that they do not have, or one more of a card than there are, does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from pitboss.basics.cards import JOKER, Card
from pitboss.table.state import Table

CHECKS: Mapping[str, str] = {
    "decks": "the decks are checked and verified",
    "surveillance": "surveillance is told",
    "inspector": "an inspector is told",
}
"""What may be due after a missing or foreign card, in words."""


def is_suspect(table: Table, cards: Iterable[Card]) -> bool:
    """Whether there is a card among these that does not belong to the decks, those that are out counted in."""
    counts = Counter(cards)
    counts.update(table.rack)
    counts.update(card for card, _ in table.error_cards)
    ranks, decks = table.rulebook.cards.ranks.value, table.house.decks
    return any(card != JOKER and (card[0] not in ranks or count > decks) for card, count in counts.items())


def belongs(table: Table, card: Card, *, out: bool = False, turned_up: bool = False) -> bool:
    """Whether a card that appears now belongs to the decks; `out`: it lies on the table already.

    Only what was seen is counted, and `turned_up` what would be seen if every hand were: who burned a card face down
    does not know it.
    """
    if card[0] not in table.rulebook.cards.ranks.value:
        return card == JOKER
    seen = table.rack.count(card) - table.burned.count(card) + table.dealer_cards.count(card)
    for box in table.boxes.values():
        for hand in box.hands:
            if turned_up or not hand.face_down:
                seen += hand.cards.count(card)
    seen += sum(each == card for _, each in table.misdealt)
    seen += sum(exposed and each == card for each, exposed in table.error_cards)
    return seen + (not out) <= table.house.decks
