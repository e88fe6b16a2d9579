"""What stays behind when the log leaves the house: cards that nobody may know yet, and secrets of accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pitboss.floor.host import checkpoints_of, stream_of
from pitboss.store.chain import Row

CARDS = "cards that are not dealt yet"
SECRETS = "secrets of an account"

SHUFFLED = b'"act":"Shuffle"'
ORDERED = (SHUFFLED, b'"order":', b'"StackArranged"')
SECRET_STREAM = "people"
TABLES, CHECKPOINTS = stream_of(""), checkpoints_of("")


def withheld(rows: Iterable[Row]) -> Callable[[Row], str]:
    """What to withhold of these rows, the whole log as it is now.

    The order of a stack is told once the table has shuffled anew; what was said of it since stays here. A checkpoint
    holds a whole table with its undealt cards and adds nothing to the acts; of accounts only who and when leaves.
    """
    last: dict[str, int] = {}
    for row in rows:
        stream, body = row[2], row[9]
        if stream.startswith(TABLES) and SHUFFLED in body:
            last[stream] = row[0]

    def why(row: Row) -> str:
        seq, stream, body = row[0], row[2], row[9]
        if stream.startswith(CHECKPOINTS):
            return CARDS
        if stream.startswith(TABLES):
            told = seq < last.get(stream, 0) or not any(mark in body for mark in ORDERED)
            return "" if told else CARDS
        return SECRETS if SECRET_STREAM in stream.split(":") else ""

    return why
