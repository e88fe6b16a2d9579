"""What stays behind when the log leaves the house: cards that nobody may know yet, and secrets of accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pitboss.floor.host import checkpoints_of, stream_of
from pitboss.store.chain import Row

CARDS = "cards that are not dealt yet"
FACE_DOWN = "cards that lie face down"
SECRETS = "secrets of an account"

SHUFFLED = b'"act":"Shuffle"'
ORDERED = (SHUFFLED, b'"order":', b'"StackArranged"')
BURNED = (b'"CardBurned"', b'"exposed":false')
"""Burned cards lie face down in the rack and are not exposed (NSW pontoon 4.9); so do cards drawn in error unseen."""
HIDDEN_HAND, ROUND_OVER = b'"face_down":true', b'"RoundEnded"'
SECRET_STREAM = "people"
TABLES, CHECKPOINTS = stream_of(""), checkpoints_of("")
ACT = "act"


def withheld(rows: Iterable[Row]) -> Callable[[Row], str]:
    """What to withhold of these rows, the whole log as it is now.

    The order of a stack, and what was burned of it, is told once the table has shuffled anew; what was said of it since
    stays here. So does the round in play where hands lie face down. A checkpoint holds a whole table with its undealt
    cards and adds nothing to the acts; of accounts only who and when leaves.
    """
    shuffled: dict[str, int] = {}
    over: dict[str, int] = {}
    hides: dict[str, int] = {}
    for row in rows:
        seq, stream, body = row[0], row[2], row[9]
        if not stream.startswith(TABLES) or row[8] != ACT:
            continue
        if SHUFFLED in body:
            shuffled[stream] = seq
        if HIDDEN_HAND in body:
            hides[stream] = seq
        if ROUND_OVER in body:
            over[stream] = seq

    def why(row: Row) -> str:
        seq, stream, body = row[0], row[2], row[9]
        if stream.startswith(CHECKPOINTS):
            return CARDS
        if not stream.startswith(TABLES):
            return SECRETS if SECRET_STREAM in stream.split(":") else ""
        if seq >= shuffled.get(stream, 0):
            if any(mark in body for mark in ORDERED):
                return CARDS
            if any(mark in body for mark in BURNED):
                return FACE_DOWN
        began = over.get(stream, 0)
        return FACE_DOWN if row[8] == ACT and seq > began and hides.get(stream, 0) > began else ""

    return why
