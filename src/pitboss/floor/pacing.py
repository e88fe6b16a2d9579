"""The dealer's pace: where they confirm every card and payment, nobody is shown one before.

An act is decided and written whole, as always; at a paced table its events are told one movement of the hands after
the other, as the dealer confirms them. Up to where that has come stands in a stream of its own, `pace:TABLE`, so that
the next server, after whatever happened to this one, and every reader of the past stop at the same card. Tables whose
dealer does not ask for it have no such stream and pay nothing for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.legal import Waiting
from pitboss.table.refusals import Refusal
from pitboss.table.telling import fact

if TYPE_CHECKING:
    from pitboss.floor.host import Happened
    from pitboss.store.log import Entry, Log
    from pitboss.table.events import Event
    from pitboss.table.state import Table

MOVEMENTS = frozenset(
    {
        e.CardDealt,
        e.CardBurned,
        e.HandDivided,
        e.WagerPaid,
        e.WagerCollected,
        e.WagerStoodOff,
        e.SurrenderSettled,
        e.InsurancePaid,
        e.InsuranceCollected,
        e.SideBetPaid,
        e.SideBetCollected,
        e.SuperBonusPaid,
        e.BonusPaid,
        e.JackpotPrizePaid,
    }
)
"""What a dealer does with the hands. Whatever else happens is told with the movement before it."""

ANYTIME = frozenset({a.StopTable, a.ResumeTable, a.RaiseDispute, a.RuleDispute, a.AskReview, a.PausePlayer})
"""Acts that answer no card: they may be said while cards wait to be dealt, and are told after them."""

WAITING = Waiting("dealing", ("dealer",))
"""What a table waits for while something is to be dealt, collected or paid."""


class Place(NamedTuple):
    """A place in a table's stream: before event `n` of the act that made `version`."""

    version: int
    n: int


class Mark(msgspec.Struct, frozen=True):
    """An entry of the stream `pace:TABLE`."""

    on: bool
    version: int = 0
    n: int = 0
    """Everything before this event has been dealt, and what follows it up to the next movement."""


class Piece(NamedTuple):
    """One movement and what follows from it, or what happened before any."""

    version: int
    n: int
    at_ms: int
    by: str
    events: tuple[Event, ...]
    ends: bool
    """Whether the act is told to its end with it."""

    @property
    def is_movement(self) -> bool:
        return bool(self.events) and type(self.events[0]) in MOVEMENTS

    @property
    def until(self) -> Place:
        return Place(self.version, self.n + len(self.events))


def pace_of(table: str) -> str:
    return f"pace:{table}"


def moves(events: Iterable[Event]) -> bool:
    """Whether the dealer's hands do any of this."""
    return any(type(event) in MOVEMENTS for event in events)


def pieces(version: int, at_ms: int, by: str, events: tuple[Event, ...], first: int = 0) -> list[Piece]:
    """The events of an act from number `first` on, a movement each."""
    starts = [n for n in range(first, len(events)) if n == first or type(events[n]) in MOVEMENTS]
    ends = [*starts[1:], len(events)]
    cut = zip(starts, ends, strict=True)
    found = [Piece(version, start, at_ms, by, events[start:end], end == len(events)) for start, end in cut]
    return found or [Piece(version, first, at_ms, by, (), True)]


class Pacing:
    """A paced table as it has been told so far, and what waits for the dealer."""

    def __init__(self, told: Table, version: int, rounds: int) -> None:
        self.table = told
        self.version = version
        """The last act that was told to its end."""
        self.n = 0
        """Events of the act after it that have been told."""
        self.rounds = rounds
        self.queue: deque[Piece] = deque()
        self.confirming = False
        """A confirmation is on its way to the log."""

    @property
    def next(self) -> Piece | None:
        """What the dealer is to confirm now."""
        return self.queue[0] if self.queue else None

    def add(self, happened: Happened, first: int = 0) -> None:
        """An act became durable."""
        self.queue += pieces(happened.version, happened.at_ms, happened.by, happened.events, first)

    def tell(self) -> tuple[Piece, Table]:
        """The next piece is told; with the table before it."""
        piece, before = self.queue.popleft(), self.table
        self.table = evolve(before, piece.events)
        if any(type(event) is e.RoundEnded for event in piece.events):
            self.rounds += 1
        if piece.ends:
            self.version, self.n = piece.version, 0
        else:
            self.n = piece.n + len(piece.events)
        return piece, before

    def tell_all(self, *, to_the_end: bool = False) -> list[tuple[Piece, Table]]:
        """Whatever comes before the next movement, or everything."""
        found = []
        while self.queue and (to_the_end or not self.queue[0].is_movement):
            found.append(self.tell())
        return found

    def tell_up_to(self, place: Place) -> list[tuple[Piece, Table]]:
        """Whatever comes before a place, and from there on before the next movement."""
        found = []
        while self.queue and self.queue[0].until <= place:
            found.append(self.tell())
        return found + self.tell_all()


def refuse_untold(table: Table) -> Refusal:
    """Nobody answers a card that does not lie on the table yet."""
    rules = table.rulebook
    return Refusal(rules.id, rules.deal.order.clauses, "the dealer is still dealing; wait until the cards lie.")


def prompt_for(piece: Piece, natural: str) -> dict[str, Any]:
    """What the dealer does with the hands next: of a card not more than where it goes."""
    event = piece.events[0]
    return {
        "what": "dealing",
        "text": _words(event, natural),
        "acts": (),
        "clauses": event.clauses,
        "place": f"{piece.version}.{piece.n}",
        "event": type(event).__name__,
        "box": getattr(event, "box", None),
    }


def _words(event: Event, natural: str) -> str:
    if isinstance(event, e.CardDealt):
        where = f"box {event.box}" if event.box else "yourself"
        which = f", hand {event.hand + 1}" if event.box and event.hand else ""
        return f"Deal a card{' face down' if event.face_down else ''} to {where}{which}."
    if isinstance(event, e.CardBurned):
        return "Burn a card, face down."
    said = fact(event, natural)
    return f"{_VERBS.get(type(event), '')}{said[:1] if type(event) in _VERBS else said[:1].upper()}{said[1:]}."


_VERBS: dict[type[Event], str] = {
    e.WagerPaid: "Pay: ",
    e.SideBetPaid: "Pay: ",
    e.InsurancePaid: "Pay: ",
    e.SuperBonusPaid: "Pay: ",
    e.BonusPaid: "Pay: ",
    e.WagerCollected: "Collect: ",
    e.SideBetCollected: "Collect: ",
    e.InsuranceCollected: "Collect: ",
    e.WagerStoodOff: "Leave: ",
}


# --- in the log ------------------------------------------------------------------------------------------------------

decode_mark = msgspec.json.Decoder(Mark).decode


def mark_of(log: Log, table: str) -> tuple[Mark | None, int]:
    """How far the dealer has come, None where they set no pace; and the version of the stream. Blocking."""
    stream = pace_of(table)
    version = log.version(stream)
    last = next(iter(log.read(stream, version - 1, 1)), None) if version else None
    mark = None if last is None else decode_mark(last.body)
    return (mark if mark is not None and mark.on else None), version


def told_until(log: Log, table: str) -> Place | None:
    """The first event of a table that nobody may be shown yet; None where there is none. Blocking."""
    from pitboss.floor.host import decode_act, stream_of

    mark, _ = mark_of(log, table)
    if mark is None:
        return None
    for entry in log.read(stream_of(table), mark.version - 1):
        found = first_untold(mark, entry.version, decode_act(entry.body).events) if entry.kind == "act" else None
        if found is not None:
            return found
    return None


def first_untold(mark: Mark | None, version: int, events: Sequence[Event]) -> Place | None:
    """The first movement of an act that the dealer has not confirmed."""
    first = mark.n if mark is not None and version == mark.version else 0
    return next((Place(version, n) for n in range(first, len(events)) if type(events[n]) in MOVEMENTS), None)


class Curtain:
    """What of the tables may be told of now: asked once for each table, for one reader of the log."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._places: dict[str, Place | None] = {}

    def hides(self, entry: Entry) -> bool:
        """Whether an act has not been told to its end."""
        kind, _, table = entry.stream.partition(":")
        if kind != "table":
            return False
        if table not in self._places:
            self._places[table] = told_until(self._log, table)
        place = self._places[table]
        return place is not None and entry.version >= place.version
