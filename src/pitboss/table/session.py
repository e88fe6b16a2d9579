"""A session of a tournament at one table: what is laid down for it, and how it stands.

Values only: `tournament_play.py` reads the rules, `apply/sessions.py` makes the next value.
"""

from __future__ import annotations

import msgspec

from pitboss.basics.cards import Card
from pitboss.basics.money import Odds

REMOVED_FOR = ("every-round", "disqualify", "contravention", "increase", "conceal", "in-view", "advice", "absent")
"""For what somebody is removed from a session: the steps that a rulebook has clauses for."""


class SessionTerms(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What the conditions of the tournament lay down for this session, and with whom it begins."""

    stage: str
    seats: dict[int, str]
    """Who has which box."""
    chips_cents: int
    """What everybody begins with, in tournament chips."""
    minimum_cents: int
    maximum_cents: int
    rounds: int = 0
    """How many rounds it has; 0 where shoes, a clock or a play-off end it."""
    order: bool = False
    """Whether players wager in turn, by a marker."""
    deal_from_marker: bool = False
    pass_cards: int = 0
    """How many pass cards everybody has."""
    undisclosed: int = 0
    """How many undisclosed wagers everybody may make."""
    raises: tuple[tuple[int, int, int], ...] = ()
    """Limits that change: before which round, and the new minimum and maximum."""
    seconds: int = 0
    """How long somebody has to wager; 0 where no time is set."""
    play_off: bool = False
    held: dict[str, int] = {}
    """Who begins with other chips than the rest: in the middle of a session, or where chips are carried over."""
    played: int = 0
    """Rounds that were played before, where a table takes a session up in its middle."""
    out: tuple[str, ...] = ()
    """Who is out of it already then."""
    marker: int = 0
    """Where the marker lies then; 0: where the number of the round puts it."""
    passes_left: dict[str, int] = {}
    """Who has another number of pass cards left then."""
    forms_left: dict[str, int] = {}
    absent: dict[str, int] = {}
    warned: tuple[str, ...] = ()

    def limits(self, number: int) -> tuple[int, int]:
        """The minimum and the maximum of one round."""
        found = (self.minimum_cents, self.maximum_cents)
        for at, least, most in self.raises:
            if at <= number:
                found = (least, most)
        return found


class WagerForm(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The form of an undisclosed wager: its type and its amount, as they are written on it."""

    player: str
    box: int
    kind: str = ""
    """The type; "" where none is written."""
    cents: int = 0
    """The amount; 0 where none is written."""
    examined: bool = False
    possessed_cents: int = 0
    """The chips that its maker had left when the round began, a wager in chips taken off."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What the hand of somebody with a form came to, first of all that was decided on it."""

    won: int
    """1: it wins; -1: it loses; 0: it stands off."""
    odds: Odds = Odds(1, 1)
    half: bool = False
    """A surrender: half of it is lost."""
    result: str = ""
    """The row of the pay table by which it wins."""


class Session(msgspec.Struct, frozen=True, gc=False):
    """How a session stands at its table."""

    terms: SessionTerms
    number: int = 0
    """Rounds that are over and count."""
    seats: dict[int, str] = {}
    """Who is still in, by box."""
    marker: int = 0
    """The box on which the marker lies; 0 where players wager in no order."""
    passes: dict[str, int] = {}
    """Pass cards that are left."""
    forms_left: dict[str, int] = {}
    """Undisclosed wagers that are left."""
    absent: dict[str, int] = {}
    """For how many rounds somebody's absence has cost the minimum."""
    warned: tuple[str, ...] = ()
    """Who was told that another wager out of turn may be void."""
    seconds: int = 0
    disputed: tuple[str, ...] = ()
    """Whose dispute play waits for."""
    # the round that is wagered on, or played
    last: str = ""
    """Who wagered last: nobody after them has."""
    asked: str = ""
    """Whom the dealer has asked to wager."""
    early: tuple[str, ...] = ()
    """Whose wager stands although it was not their turn."""
    before_warned: tuple[str, ...] = ()
    """Whom of them it was said to before this round."""
    passing: tuple[str, ...] = ()
    """Whose pass card lies on their box."""
    forms: dict[str, WagerForm] = {}
    held: tuple[str, ...] = ()
    """Who was late and is held to the minimum."""
    away: tuple[str, ...] = ()
    """Who has no wager on this round: absent, or their wager was declared void."""
    leaving: dict[str, str] = {}
    """Who is removed when the round is over, and for what."""
    outcomes: dict[str, Outcome] = {}
    first_cards: dict[int, tuple[Card, ...]] = {}
    """The first two cards of boxes with a form: a written pair wager is about them."""
    wagered: dict[str, int] = {}
    """The original wagers of the round."""
    taken: tuple[str, ...] = ()
    """Whose chips were taken, in that order."""
    void: bool = False
    over: bool = False
    """The round has ended, and what follows has not."""
    again: bool = False
    """A round that was over is laid again."""
    # between rounds
    open_forms: dict[str, WagerForm] = {}
    """The forms of the last round, which players may look at until the next one begins."""
    before: tuple[Session, ...] = ()
    """How it stood when the round began that is played, or was played last."""

    def has(self, player: str) -> bool:
        return player in self.seats.values()

    def box_of(self, player: str) -> int:
        """Their box; 0 where they are in no session here."""
        return next((box for box, name in self.seats.items() if name == player), 0)

    @property
    def done(self) -> bool:
        """All rounds that it has are played."""
        return bool(self.terms.rounds) and self.number >= self.terms.rounds
