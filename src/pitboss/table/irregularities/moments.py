"""The moments of a round at which an error can have happened, in words, as far as everybody at the table may know them.

They are counted as `Notice` counts them: the cards in the order in which they left the source, and the decisions.
"""

from __future__ import annotations

import msgspec

from pitboss.basics.cards import JOKER, Card
from pitboss.table import events as e
from pitboss.table.decisions import in_words
from pitboss.table.events import DEALER
from pitboss.table.irregularities.hindsight import cards_of, played_again, refuse_laying
from pitboss.table.state import Table

UNKNOWN = "a card"
"""One that not everybody may know, or of which the table no longer knows where it went."""


class Moments(msgspec.Struct, frozen=True):
    """What has happened in the round in play, or in the one just finished; the first of each is number 1."""

    cards: tuple[str, ...] = ()
    """Each card and where it went; one that not everybody may see is "a card"."""
    decisions: tuple[str, ...] = ()
    """Who decided what, on which box."""


def moments_of(table: Table) -> Moments:
    """Nothing where the round cannot be laid again: an error in it is not told so any more."""
    memo = table.opened
    if memo is None or (table.phase == "wagers" and not table.last_results) or refuse_laying(table) is not None:
        return Moments()
    cards = cards_of(table, memo)
    told: list[tuple[Card, str]] = []
    for event in played_again(table, memo):
        if isinstance(event, e.RoundBegan):
            told = []
        elif isinstance(event, e.CardDealt):
            unseen = event.face_down or (memo.face_down and event.box != DEALER)
            shown = UNKNOWN if unseen else event.card
            hand = f", hand {event.hand + 1}" if event.hand else ""
            place = "the dealer" if event.box == DEALER else f"box {event.box}{hand}"
            told.append((event.card, f"{shown} to {place}"))
        elif isinstance(event, e.JokerShown):
            told.append((JOKER, "a joker"))
        elif isinstance(event, e.CardBurned):
            told.append((event.card, f"{UNKNOWN}, burned"))
        elif isinstance(event, e.CardsBurnedOpen):
            told += [(card, f"{card}, burned") for card in event.cards]
    if any(not exposed for _, exposed in table.error_cards):
        told = []  # one of them lies unseen, and has not gone anywhere yet
    words = [UNKNOWN] * len(cards)
    for at, (card, (played, text)) in enumerate(zip(cards, told, strict=False)):
        if card != played:  # another error came between
            break
        words[at] = text
    return Moments(tuple(words), tuple(map(in_words, table.decisions)))
