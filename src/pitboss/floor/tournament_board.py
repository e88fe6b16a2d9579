"""What a tournament shows: to whoever runs it, to each player, and on the wall where everybody sees it.

The chips are those that lay in front of everybody when the last round of each table was over.
"""

from __future__ import annotations

import msgspec

from pitboss.floor.model import Caller
from pitboss.floor.tournament_book import Announcement, Known
from pitboss.floor.tournament_tables import is_over
from pitboss.rulebooks.meanings import JOINT_ELIMINATION_RANKED
from pitboss.tournament.conditions import Stage
from pitboss.tournament.deciding import Case
from pitboss.tournament.ranking import across_the_line, order_at
from pitboss.tournament.state import Entrant, InPlay

LEADERS = 10
SAID_MAX = 3


class SeatTold(msgspec.Struct, frozen=True):
    """Somebody at a table of the stage that is on."""

    box: int
    name: str
    chips_cents: int
    rank: int
    """At this table, equals alike; 0 before anybody has chips."""
    status: str
    """in, out, gone, or waiting: the seat is allotted and not taken; seated."""
    advances: str
    """If it ended now: yes, no, or tied."""


class SessionTold(msgspec.Struct, frozen=True):
    """One table of the stage that is on."""

    key: str
    table: str
    floor_table: str
    """The table of the floor at which it is played; "" while none is open."""
    stage: str
    status: str
    play_off: bool
    round: int
    """Rounds that are over."""
    rounds: int
    """Of the session; 0 where it is measured otherwise."""
    minimum_cents: int
    maximum_cents: int
    next_round: int
    """From which round on other limits hold; 0 where none are to come."""
    next_minimum_cents: int
    next_maximum_cents: int
    advance: int
    began_ms: int
    ends_ms: int
    """Of a session that is measured in minutes; 0 for another."""
    is_over: bool
    disputed: bool
    seats: list[SeatTold]


class StageTold(msgspec.Struct, frozen=True):
    name: str
    kind: str
    tables: int
    rounds: int
    advance: int
    state: str
    """done, on, or to come."""
    start: str


class LeaderTold(msgspec.Struct, frozen=True):
    name: str
    table: str
    chips_cents: int


class PlacedTold(msgspec.Struct, frozen=True):
    place: int
    name: str
    prize_cents: int
    out_of: str


class WallTold(msgspec.Struct, frozen=True):
    """What hangs on the wall: nothing that not everybody in the room may see."""

    id: str
    title: str
    rulebook: str
    status: str
    stage: str
    now_ms: int
    break_until_ms: int
    start: str
    players: int
    left: int
    """How many are still in."""
    pool_cents: int
    seconds: int
    stages: list[StageTold]
    tables: list[SessionTold]
    leaders: list[LeaderTold]
    placed: list[PlacedTold]
    said: list[Announcement]


class OwnTold(msgspec.Struct, frozen=True):
    """What a player sees of themselves."""

    name: str
    status: str
    table: str
    floor_table: str
    box: int
    chips_cents: int
    rank: int
    of: int
    advance: int
    advances: str
    behind_cents: int
    """How many chips they lack to be level with the last who would go on; 0 for who would."""
    ahead_cents: int
    """How many more than the first who would not go on."""
    place: int
    prize_cents: int


def shown(known: Known, now_ms: int) -> WallTold:
    """A tournament as everybody may see it."""
    state, conditions = known.state, known.conditions
    sessions = [
        session_told(known, key) for key, each in state.sessions.items() if each.stage == state.stage and state.stage
    ]
    start = conditions.start
    return WallTold(
        known.name,
        conditions.title,
        known.rulebook.name,
        state.status,
        state.stage,
        now_ms,
        known.break_until_ms if known.break_until_ms > now_ms else 0,
        f"{start:%d %B %Y, %H:%M}" if start is not None else "",
        sum(each.status not in ("applied", "reserve", "withdrawn", "refused") for each in state.entrants.values()),
        sum(each.status == "entered" for each in state.entrants.values()) - _out_now(known),
        state.accounts.get("pool", 0) or sum(each.prize_cents for each in state.entrants.values()),
        state.seconds,
        [_stage(known, each) for each in conditions.stages],
        _last_at_each_table(sessions),
        _leaders(sessions),
        placed(known),
        known.said[-SAID_MAX:],
    )


def _out_now(known: Known) -> int:
    """Who is out of the session that is on, and of no other yet."""
    state = known.state
    now = [each for each in state.sessions.values() if each.stage == state.stage and state.stage]
    return len({name for each in now if not each.play_off for name in each.out})


def _last_at_each_table(sessions: list[SessionTold]) -> list[SessionTold]:
    """The tables of a stage until it is announced, those that are over too; of one with a play-off that."""
    last = {each.table: each.key for each in sessions}
    return [each for each in sessions if last[each.table] == each.key]


def _stage(known: Known, stage: Stage) -> StageTold:
    state = known.state
    now = "done" if stage.name in state.done else "on" if stage.name == state.stage else "to come"
    start = f"{stage.start:%H:%M}" if stage.start is not None else ""
    return StageTold(stage.name, stage.kind, stage.tables or 1, stage.rounds, stage.advance or 0, now, start)


def session_told(known: Known, key: str) -> SessionTold:
    """One table of a stage."""
    session, conditions = known.state.sessions[key], known.conditions
    stage = conditions.stage(session.stage)
    assert stage is not None
    number = session.number + 1
    least, most = conditions.limits(stage, number)
    later, next_least, next_most = _later(known, stage, number)
    began = known.began_ms.get(key, 0)
    advance = session.places if session.play_off else (stage.advance or 0)
    return SessionTold(
        key,
        session.table,
        known.table_of(key) if session.status in ("playing", "over", "counted") else "",
        session.stage,
        session.status,
        session.play_off,
        session.number,
        0 if session.play_off else stage.rounds,
        least,
        most,
        later,
        next_least,
        next_most,
        advance,
        began,
        began + stage.minutes * 60_000 if began and stage.minutes else 0,
        session.status != "drawn" and is_over(known, session),
        Case(known.rulebook, known.state).refuse_disputed(session.table) is not None,
        seats(known, session, advance),
    )


def _later(known: Known, stage: Stage, number: int) -> tuple[int, int, int]:
    """The next round with other limits than now, and these."""
    now = known.conditions.limits(stage, number)
    for each in sorted(known.conditions.wagers.raises, key=lambda one: one.round):
        if each.stage == stage.name and each.round > number:
            limits = (each.minimum_cents, each.maximum_cents)
            if limits != now:
                return (each.round, *limits)
    return (0, 0, 0)


def seats(known: Known, session: InPlay, advance: int) -> list[SeatTold]:
    """Everybody at a table, by box, with their rank there, and whether they would go on."""
    ranked = JOINT_ELIMINATION_RANKED[known.rulebook.tournament.joint_elimination.value]
    order = order_at(session, ranked=ranked) if session.chips else []
    ranks: dict[str, int] = {}
    at = 1
    for group in order:
        ranks |= dict.fromkeys(group, at)
        at += len(group)
    through, tied, _ = across_the_line(order, advance) if advance else ((), (), 0)
    entrants = known.state.entrants
    found = []
    for box, name in sorted(session.seats.items()):
        status = "in"
        if name in session.gone:
            status = "gone"
        elif name in session.out:
            status = "out"
        elif session.status == "drawn":
            status = "seated" if entrants[name].seated else "waiting"
        advances = "yes" if name in through else "tied" if name in tied else "no"
        found.append(SeatTold(box, name, session.chips.get(name, 0), ranks.get(name, 0), status, advances))
    return found


def _leaders(sessions: list[SessionTold]) -> list[LeaderTold]:
    found = [
        LeaderTold(seat.name, each.table, seat.chips_cents)
        for each in sessions
        for seat in each.seats
        if seat.status == "in" and seat.chips_cents and not each.play_off
    ]
    return sorted(found, key=lambda each: (-each.chips_cents, each.name))[:LEADERS]


def placed(known: Known) -> list[PlacedTold]:
    """The places, the best first, once they are awarded."""
    people = [each for each in known.state.entrants.values() if each.place]
    people.sort(key=lambda each: (each.place, each.number))
    return [PlacedTold(each.place, each.name, each.prize_cents, each.out_stage) for each in people]


def own(known: Known, caller: Caller) -> OwnTold | None:
    """What somebody who takes part sees of themselves; None for anybody else."""
    who: Entrant | None = known.state.entrants.get(caller.name)
    if who is None:
        return None
    found = known.state.session_of(caller.name)
    if found is None:
        return OwnTold(who.name, who.status, "", "", 0, 0, 0, 0, 0, "no", 0, 0, who.place, who.prize_cents)
    session = session_told(known, found[0])
    seat = next(each for each in session.seats if each.name == caller.name)
    behind, ahead = distance(session, seat)
    return OwnTold(
        who.name, who.status, session.table, session.floor_table, seat.box, seat.chips_cents, seat.rank,
        len(session.seats), session.advance, seat.advances, behind, ahead, who.place, who.prize_cents,
    )  # fmt: skip


def distance(session: SessionTold, seat: SeatTold) -> tuple[int, int]:
    """How far somebody is behind the last who would go on, or before the first who would not; in a final, behind or
    before the best of the others."""
    if not session.advance:
        others = [each.chips_cents for each in session.seats if each.status == "in" and each != seat]
        lead = seat.chips_cents - max(others, default=0)
        return max(0, -lead), max(0, lead)
    inside = [each.chips_cents for each in session.seats if each.advances != "no" and each.status == "in"]
    outside = [
        each.chips_cents for each in session.seats if each.advances == "no" and each.status == "in" and each != seat
    ]
    if seat.advances == "no":
        return (max(0, min(inside) - seat.chips_cents) if inside else 0), 0
    return 0, (seat.chips_cents - max(outside) if outside and seat.advances == "yes" else 0)
