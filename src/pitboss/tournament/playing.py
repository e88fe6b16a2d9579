"""Tables that are played beside a tournament: each opened when it is first played at, kept in step with the room.

A value goes in and comes out: whoever replays a record, or tries a whole tournament, keeps one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec

from pitboss.basics.cards import Card
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.acts import Act, RaiseDispute
from pitboss.table.belonging import is_suspect
from pitboss.table.engine import decide, evolve, open_table
from pitboss.table.events import Event
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.state import NO_CUTTING_CARD, Table, draft
from pitboss.tournament import engine
from pitboss.tournament.acts import TournamentAct
from pitboss.tournament.allowed import rulebook_for
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.state import Tournament
from pitboss.tournament.tables import begin_session, house_for, refuse_beside, room_acts, table_acts

Lines: TypeAlias = Callable[[str], tuple[Act, "str | None"]]
"""How a play line is read: its act, and the clause by which it must be refused."""
UNSAID_BOX = 0


class AtTable(msgspec.Struct, frozen=True):
    """What happened at a table: one act and its events."""

    table: str
    act: Act
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


class Played(msgspec.Struct, frozen=True):
    """What one act has led to, in the tournament and at its tables, in the order in which it happened."""

    happened: tuple[TournamentEvent | AtTable, ...] = ()
    refusal: Refusal | None = None
    """Why it was not allowed; then nothing has happened."""


class Room:
    """A tournament and the tables that are played for it."""

    def __init__(self, rulebook: Rulebook, state: Tournament | None = None) -> None:
        self.rulebook = rulebook
        self.state = Tournament() if state is None else state
        self.tables: dict[str, Table] = {}
        self._happened: list[TournamentEvent | AtTable] = []

    # --- in the tournament ---

    def do(self, act: TournamentAct) -> Played:
        """An act in the tournament; its tables follow."""
        self._happened = []
        refused = refuse_beside(self.rulebook, self.state, self.tables, act) or self._decide(act)
        return Played((), refused) if refused is not None else Played(tuple(self._happened))

    def _decide(self, act: TournamentAct) -> Refusal | None:
        decided = engine.decide(self.rulebook, self.state, act)
        if isinstance(decided, Refusal):
            return decided
        self.state = engine.evolve(self.state, decided)
        self._happened += decided
        for name in list(self.tables):
            for due in table_acts(self.rulebook, self.state, name, self.tables[name], decided):
                self._follow(name, due)
        return None

    # --- at a table ---

    def at(self, name: str, act: Act) -> Played:
        """An act at a table; the tournament follows."""
        self._happened = []
        refused = self._open(name)
        if refused is not None:
            return Played((), refused)
        refused = self._play(name, whole(self.tables[name], act))
        return Played((), refused) if refused is not None else Played(tuple(self._happened))

    def _play(self, name: str, act: Act) -> Refusal | None:
        table = self.tables[name]
        decided = decide(table, act)
        if isinstance(decided, Refusal):
            return decided
        self.tables[name] = evolve(table, decided)
        self._happened.append(AtTable(name, act, decided))
        for due in room_acts(self.state, name, decided):
            refused = self._decide(due)
            if refused is not None:
                raise Refused(refused)
        return None

    def _follow(self, name: str, act: Act) -> None:
        """What the tournament has decided is done at the table too; what it cannot do now is written down."""
        refused = self._play(name, act)
        if refused is not None:
            self._happened.append(AtTable(name, act, refusal=refused))

    def _open(self, name: str) -> Refusal | None:
        """Open a table where a session is on and nobody has played yet; begin the session that is on."""
        conditions = self.state.conditions
        begun = begin_session(self.rulebook, self.state, name)
        if name not in self.tables:
            if conditions is None or begun is None:
                return Refusal(self.rulebook.name, self.rulebook.tournament.offered.clauses, no_session(name))
            book = rulebook_for(self.rulebook, conditions)
            house = house_for(book, conditions, self.state.tables.get(name, 0))
            self.tables[name] = open_table(book, house=house, cards=())
        if self.tables[name].session is None and begun is not None:
            refused = self._play(name, begun)
            for who, where in self.state.disputes.items() if refused is None else ():
                if where in ("", name):
                    self._follow(name, RaiseDispute(who, "raised before play began"))
            return refused
        return None

    def lay(self, name: str, cards: Iterable[Card]) -> Refusal | None:
        """The cards that leave next at a table: between two rounds a new stack, in a round behind what is left."""
        refused = self._open(name)
        if refused is not None:
            return refused
        old = self.tables[name]
        new = draft(old)
        found = tuple(cards)
        between = old.phase == "wagers" and bool(found)
        new.stack = found if between else (*old.stack[old.position :], *found)
        new.position = 0
        new.cutting_at = NO_CUTTING_CARD
        new.arranged = True
        if between:
            new.rack, new.burned = (), ()
            new.preparation, new.shuffle_reason = "ready", ""
        new.suspect = is_suspect(new, new.stack)
        self.tables[name] = new
        return None


def no_session(name: str) -> str:
    return f"no session is played at {name}."


def whole(table: Table, act: Act) -> Act:
    """An act with its box, where it names none: in a session everybody has one."""
    if getattr(act, "box", None) != UNSAID_BOX or table.session is None:
        return act
    player = getattr(act, "player", "")
    seats = table.session.terms.seats  # also of who is out: what they ask for is refused there
    return msgspec.structs.replace(act, box=next((box for box, name in seats.items() if name == player), 1))
