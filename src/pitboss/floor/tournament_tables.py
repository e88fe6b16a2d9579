"""A tournament at its tables: which are opened for a session, what is let happen there, and what is learned from it.

When a session starts, a table of the floor is opened for each table of it in the same append, with everybody in their
seat and their chips in front of them; when the chips have gone back it is closed. In between this attachment stands at
it: nobody else plays there, nothing is wagered while play waits, and whoever is out stands up.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.floor.attachments import Attachment, Commits, Decided, Wait
from pitboss.floor.frozen import opened
from pitboss.floor.host import ActBody, Loaded, load_table
from pitboss.floor.model import FLOOR, Opening
from pitboss.floor.tournament_book import Known, Learned, Tournaments, plays_by_itself
from pitboss.store.log import Entry, NewEntry, Part
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.engine import play, refusal
from pitboss.table.house import Patron
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.state import Table
from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.acts import TournamentAct
from pitboss.tournament.allowed import clauses_of, layers_for
from pitboss.tournament.deciding import Case, Events
from pitboss.tournament.engine import decide, evolve
from pitboss.tournament.state import InPlay
from pitboss.tournament.tables import begin_session, house_for, room_acts, table_acts

if TYPE_CHECKING:
    from pitboss.rulebooks.terms import Rulebook

WAGERS = (a.PlaceWager, a.CallNoMoreBets, a.Deal)
"""With these a round begins."""
COMES = (a.TakeSeat, a.BuyChips, a.BringChips)
"""What brings somebody, or money, to a table."""
AT_REST = (ta.ConcludeSession, ta.ReturnChips)
"""What is done at a table between two rounds."""
LEARNS = frozenset(
    {
        e.RoundCounted, e.MinimumDeducted, e.PlayerRemoved, e.PlayerEliminated, e.StacksCounted, e.DisputeRaised,
        e.DisputeRuled, e.SessionEnded,
    }
)  # fmt: skip
"""Events at a table of which a tournament may learn something."""
_encode = msgspec.json.Encoder().encode


class AtTournament(Attachment):
    """The tournament at one of its tables."""

    def __init__(self, tournaments: Tournaments, known: Known, table: str) -> None:
        self._tournaments = tournaments
        self.known = known
        self._table = table
        self._acts: list[tuple[TournamentAct, Events]] = []
        """What the tournament learns from the act that is about to be written."""
        self._guards = False

    @property
    def session(self) -> InPlay | None:
        return self.known.session_at(self._table)

    # --- before ---

    def refuse(self, table: Table, act: a.AnyAct) -> Refusal | None:
        kind = type(act)
        if kind in COMES:
            return self._refuse_coming(act)
        if kind not in WAGERS:
            return None
        why = self.why_not()
        if why is not None:
            return why
        session = self.session
        if kind is a.PlaceWager and session is not None and act.player not in session.playing:  # type: ignore[union-attr]
            return self._no(("unable", "position"), f"{act.player} takes no part in this session any more.")  # type: ignore[union-attr]
        return None

    def _refuse_coming(self, act: Any) -> Refusal | None:
        session = self.session
        if isinstance(act, a.TakeSeat):
            box = {name: box for box, name in session.seats.items()} if session is not None else {}
            if box.get(act.player) == act.box:
                return None
            where = f"{act.player} plays in box {box[act.player]}, and nowhere else." if act.player in box else ""
            return self._no(("position", "exclusive"), where or f"{act.player} has no seat at this table.")
        return self._no(("allot", "increase"), "everybody has the chips that were allotted, and no others.")

    def why_not(self) -> Refusal | None:
        """Why no round begins at the table now."""
        known, session = self.known, self.session
        if session is None or session.status != "playing":
            return self._no(("count-session", "announce"), "the session at this table is over.")
        if known.state.status in ("cancelled", "ended"):
            return self._no(("cancel",), f"the tournament is {known.state.status}.")
        disputed = Case(known.rulebook, known.state).refuse_disputed(session.table)
        if disputed is not None:
            return disputed
        if self._tournaments.floor.clock.now_ms() < known.break_until_ms:
            return self._no(("break",), "there is a break.")
        if is_over(known, session):
            return self._no(("count-session", "announce"), "the rounds of this session are played.")
        return None

    def rests(self, table: Table) -> bool:
        """Between rounds, where no round may begin, the house deals none."""
        return table.phase == "wagers" and self.why_not() is not None

    def doubts(self, table: Table, act: a.AnyAct) -> Awaitable[object] | None:
        return self.known.follow(self._tournaments.floor.commits) if isinstance(act, (*WAGERS, *COMES)) else None

    def _no(self, steps: tuple[str, ...], text: str) -> Refusal:
        book = self.known.rulebook
        return Refusal(book.name, clauses_of(book, *steps), text)

    # --- with the act ---

    def check(self, decided: Decided) -> None:
        """Find out what the tournament learns, once its stream is known to its end, with nothing of ours on its way."""
        self._acts = []
        learns = any(type(event) in LEARNS for event in decided.events)
        self._guards = learns or type(decided.act) is a.Deal
        if not self._guards:
            return
        waits = self.known.ready(self._tournaments.floor.commits)
        if waits is not None:
            raise Wait(waits)
        session, state = self.session, self.known.state
        if session is None or not learns:
            return
        for act in room_acts(state, session.table, decided.events):
            events = decide(self.known.rulebook, state, act)
            if isinstance(events, Refusal):
                raise Refused(events)
            state = evolve(state, events)
            self._acts.append((act, events))

    def parts(self, decided: Decided) -> tuple[Part, ...]:
        if not self._guards:
            return ()
        entries = tuple(
            NewEntry("act", _encode(Learned(act, events, "house", self._table)), hidden=True)  # type: ignore[arg-type]
            for act, events in self._acts
        )
        if entries:
            self.known.sent()
        return (Part(self.known.stream, self.known.version, entries),)

    def landed(self, parts: tuple[Part, ...]) -> None:
        (part,) = parts
        if not part.entries:
            return
        now = self._tournaments.floor.clock.now_ms()
        for version, new in enumerate(part.entries, part.expected + 1):
            self.known.fold(Entry(0, part.stream, version, now, "", "", new.kind, new.body, b""))
        self.known.came_back()

    def lost(self, parts: tuple[Part, ...]) -> None:
        if any(part.entries for part in parts):
            self.known.came_back()

    async def recover(self, commits: Commits) -> None:
        await self.known.follow(commits)

    # --- after ---

    def follow_up(self, table: Table) -> a.AnyAct | None:
        """What has happened in the tournament and not yet at the table is done there as soon as it may be."""
        session = self.session
        if session is None:
            return None
        known = self.known
        wanted: Iterable[Any] = table_acts(known.rulebook, known.state, session.table, table, known.for_tables)
        return next((act for act in wanted if refusal(table, act) is None), None)

    def shows(self) -> dict[str, Any]:
        session = self.session
        place = session.table if session is not None else ""
        return {"tournament": {"id": self.known.name, "title": self.known.conditions.title, "table": place}}


def is_over(known: Known, session: InPlay) -> bool:
    """Whether no further round of a session is to be played."""
    stage = known.conditions.stage(session.stage)
    if session.play_off:
        return bool(session.decided) or len(session.playing) < 2
    if len(session.playing) < 2:
        return True
    return stage is not None and bool(stage.rounds) and session.number >= stage.rounds


def limits_of(known: Known, session: InPlay) -> tuple[int, int]:
    """The limits of the next round of a session."""
    stage = known.conditions.stage(session.stage)
    return known.conditions.limits(stage, session.number + 1) if stage is not None else (0, 0)


# --- opening and closing ---------------------------------------------------------------------------------------------


async def with_tables(
    tournaments: Tournaments, known: Known, act: TournamentAct, events: Events
) -> tuple[dict[str, str], list[Part]] | Refusal:
    """What an act in a tournament does to tables of the floor: those that it opens, and parts of its append."""
    if isinstance(act, ta.StartSession):
        return _open_tables(tournaments, known, events)
    if isinstance(act, AT_REST):
        return await _at_rest(tournaments, known, act, events)
    return {}, []


def _open_tables(tournaments: Tournaments, known: Known, events: Events) -> tuple[dict[str, str], list[Part]] | Refusal:
    assert known.opened is not None
    floor, after = tournaments.floor, evolve(known.state, events)
    begun = [
        (key, each)
        for key, each in after.sessions.items()
        if each.status == "playing" and known.state.sessions[key].status == "drawn"
    ]
    book, found, parts, told = known.rulebook, dict[str, str](), list[Part](), list[NewEntry]()
    for key, session in begun:
        if session.table in floor.openings:
            clauses = clauses_of(book, "exclusive", "designate")
            return Refusal(book.name, clauses, f"close {session.table} first: other play is open there.")
        if len(session.playing) < 2:
            continue
        table = f"{known.name}-{len(known.tables) + len(found) + 1}"
        opening = opening_for(known, session, book)
        begin = begin_session(book, after, session.table)
        if begin is None:
            continue
        _, begun_with = play(opened(opening, anew=True), begin)
        body = ActBody(begin, begun_with, "house")  # type: ignore[arg-type]
        found[table] = key
        told.append(NewEntry("table-opened", _encode({"table": table, "opening": opening})))
        both = (NewEntry("opened", _encode(opening)), NewEntry("act", _encode(body)))
        parts.append(Part(f"table:{table}", 0, both))
    if not found:
        return {}, []
    return found, [Part(FLOOR, floor.version, tuple(told)), *parts]


def opening_for(known: Known, session: InPlay, book: Rulebook) -> Opening:
    """The table of the floor on which a session is played: everybody in their seat, by the rules for tournaments."""
    assert known.opened is not None
    conditions = known.conditions
    boxes = known.state.tables.get(session.table, max(book.boxes.number.value))
    players = {name: Patron(seat=box) for box, name in session.seats.items() if name in session.playing}
    return Opening(
        book.id,
        f"{conditions.title}: {session.stage}, {session.table}{', play-off' if session.play_off else ''}",
        edition=book.edition,
        amendments=layers_for(book, conditions),
        house=house_for(book, conditions, boxes),
        players=players,
        dealer=known.opened.dealer,
        timers=known.opened.timers,
        bots=tuple(name for name in players if plays_by_itself(name)),
        tournament=known.name,
    )


async def _at_rest(
    tournaments: Tournaments, known: Known, act: Any, events: Events
) -> tuple[dict[str, str], list[Part]] | Refusal:
    """Between two rounds only: the table is as it is while this is written; with the chips it is closed."""
    found = known.state.session(act.table)
    table = known.table_of(found[0]) if found is not None else ""
    if not table or table not in tournaments.floor.openings:
        return {}, []
    loaded = await _loaded(tournaments, table)
    if loaded is None or loaded.closed:
        return {}, []
    if loaded.table.phase != "wagers" or loaded.table.boxes:
        book = known.rulebook
        text = f"a round is being played at {found[1].table if found else table}: wait for the end of it."
        return Refusal(book.name, clauses_of(book, "count-session", "announce"), text)
    if not any(isinstance(event, te.ChipsReturned) for event in events):
        return {}, [Part(f"table:{table}", loaded.version, ())]
    return {}, _closing(tournaments, table, loaded.version)


def _closing(tournaments: Tournaments, *tables_at: Any) -> list[Part]:
    table, version = tables_at
    closed = NewEntry("table-closed", _encode({"table": table}))
    return [
        Part(FLOOR, tournaments.floor.version, (closed,)),
        Part(f"table:{table}", version, (NewEntry("closed", b"{}"),)),
    ]


async def _loaded(tournaments: Tournaments, table: str) -> Loaded | None:
    commits = tournaments.floor.commits
    found: Loaded | None = await commits.run(load_table, commits.log, table)
    return found
