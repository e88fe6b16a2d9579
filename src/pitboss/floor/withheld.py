"""What stays behind when the log leaves the house: cards that nobody may know yet, and secrets of accounts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

import msgspec

from pitboss.floor.hidden import BURNED, FORM, HIDDEN_HAND, ORDERED, SHUFFLED
from pitboss.floor.host import checkpoints_of, decode_act, stream_of
from pitboss.floor.link import stream_of as link_stream
from pitboss.floor.pacing import Mark, decode_mark, first_untold, pace_of
from pitboss.store.chain import Row
from pitboss.table import events as e

CARDS = "cards that are not dealt yet"
FACE_DOWN = "cards that lie face down"
SECRETS = "secrets of an account"

TAKEN_AWAY = (
    e.CardMisplaced, e.RoundReconstructed, e.RoundReopened, e.RoundTakenBack, e.DecisionHeld, e.CardsSetAside,
    e.HandVoided,
)  # fmt: skip
"""Where hands lie face down these speak of cards that need not have been turned up."""
ROUND_OVER = b'"RoundEnded"'
SECRET_STREAM = "people"
TABLES, CHECKPOINTS, PACES = stream_of(""), checkpoints_of(""), pace_of("")
ACT = "act"
TOURNAMENTS, LINKS, DRAWS = "tournament:", link_stream(""), "secrets"
WRITTEN = "undisclosed wagers"
DRAWN = "secrets of draws"
"""What a stage was drawn from stands in the act of its draw, once it is drawn."""


class _Of(msgspec.Struct):
    """What a table has told a tournament or a shared jackpot."""

    table: str = ""


_decode_of = msgspec.json.Decoder(_Of).decode


class _AtTable:
    """What one table has shown so far."""

    __slots__ = ("down", "face_down", "mark", "over", "rounds", "shuffled", "unseen", "untold")

    def __init__(self) -> None:
        self.shuffled = 0
        """The entry of the last shuffle."""
        self.over = 0
        """The entry that ended the last round."""
        self.face_down = False
        """Whether the first cards are dealt face down here."""
        self.down: set[int] = set()
        """Boxes whose cards lie face down in the round in play."""
        self.unseen = False
        """Whether cards of the round in play lay on a wrong box, or have gone away, and nobody need have seen them."""
        self.rounds: list[tuple[int, int]] = []
        """Rounds since the last shuffle with cards that were never turned up: the entries before and at their end."""

        self.mark: Mark | None = None
        """How far a dealer has come who sets the pace."""
        self.untold: list[tuple[int, int, bytes]] = []
        """Acts since then: the entry, the version and what it says."""

    def pace(self, mark: Mark) -> None:
        """The dealer has come so far."""
        self.mark = mark if mark.on else None
        self.untold = [each for each in self.untold if mark.on and each[1] >= mark.version]

    def not_dealt_from(self) -> int:
        """The first entry of which something is still to be dealt; 0 where there is none."""
        mark = self.mark
        for seq, version, body in self.untold if mark is not None else ():
            if first_untold(mark, version, decode_act(body).events) is not None:
                return seq
        return 0

    def look(self, seq: int, version: int, kind: str, body: bytes) -> None:
        """At one entry, in the order of the log."""
        if self.mark is not None and kind == ACT and version >= self.mark.version:
            self.untold.append((seq, version, body))
        if kind != ACT:
            self.face_down = self.face_down or HIDDEN_HAND in body
            return
        if SHUFFLED in body:
            self.shuffled = seq
            self.rounds = []
        if self.face_down or self.down or HIDDEN_HAND in body:
            self._look_at_cards(seq, body)
        elif ROUND_OVER in body:
            self.over = seq

    def _look_at_cards(self, seq: int, body: bytes) -> None:
        for event in decode_act(body).events:
            if isinstance(event, e.CardDealt) and event.face_down:
                self.down.add(event.box)
            elif isinstance(event, e.HandExposed):
                self.down.discard(event.box)
            elif isinstance(event, TAKEN_AWAY):
                self.unseen = True
            elif isinstance(event, e.FaceDownOrdered):
                self.face_down = event.face_down
            elif isinstance(event, e.RoundEnded):
                if self.down or self.unseen:
                    self.rounds.append((self.over, seq))
                self.over, self.unseen = seq, False
                self.down.clear()

    def hides(self, seq: int) -> bool:
        """Whether an act belongs to a round with cards that nobody has seen."""
        if (self.down or self.unseen) and seq > self.over:
            return True
        return any(before < seq <= end for before, end in self.rounds)


def withheld(rows: Iterable[Row]) -> Callable[[Row], str]:
    """What to withhold of these rows, the whole log as it is now; only rows of it may be asked for.

    The order of a stack, and what was burned of it, is told once the table has shuffled anew; what was said of it since
    stays here. So does the round in play where hands lie face down, and a round that ended before all of them were
    turned up. A checkpoint holds a whole table with its undealt cards and adds nothing to the acts; of accounts only
    who and when leaves.
    """
    tables: defaultdict[str, _AtTable] = defaultdict(_AtTable)
    for row in rows:
        if row[2].startswith(TABLES):
            tables[row[2]].look(row[0], row[3], row[8], row[9])
        elif row[2].startswith(PACES):
            tables[stream_of(row[2].removeprefix(PACES))].pace(decode_mark(row[9]))
    paced = {stream: first for stream, table in tables.items() if (first := table.not_dealt_from())}

    def why(row: Row) -> str:
        seq, stream, body = row[0], row[2], row[9]
        if stream.startswith(CHECKPOINTS):
            return CARDS
        if stream.startswith(TOURNAMENTS) and row[8] == DRAWS:
            return DRAWN
        if paced and stream.startswith((TOURNAMENTS, LINKS)):
            of = stream_of(_decode_of(body).table)
            return CARDS if of in paced and seq >= paced[of] else ""
        if not stream.startswith(TABLES):
            return SECRETS if SECRET_STREAM in stream.split(":") else ""
        table = tables[stream]
        if stream in paced and seq >= paced[stream]:
            return CARDS
        if seq >= table.shuffled:
            if any(mark in body for mark in ORDERED):
                return CARDS
            if any(mark in body for mark in BURNED):
                return FACE_DOWN
        if FORM in body and seq > table.over:
            return WRITTEN
        return FACE_DOWN if row[8] == ACT and table.hides(seq) else ""

    return why
