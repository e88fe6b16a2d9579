"""Between a table and a person's file: what the table is told, what the file learns, and stakes against a limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitboss.patrons import events as pe
from pitboss.patrons.engine import evolve, lasting, turned
from pitboss.patrons.events import PatronEvent
from pitboss.patrons.gaming_day import Moment
from pitboss.patrons.state import Exclusion, PatronFile, card_trouble, deposit_left, loss_left
from pitboss.rulebooks.meanings import DEPOSITS_COUNT
from pitboss.rulebooks.terms import Restriction, Rulebook
from pitboss.table import events as e
from pitboss.table.acts import TellPatron
from pitboss.table.events import Event
from pitboss.table.house import ANYONE
from pitboss.table.patrons_book import COVER_SPLITS, LIFTED, at_stake
from pitboss.table.state import Table

SAID_BY_THE_BOOK = "the patrons' book says so"
"""What a table is told of why: staff read the rest in the file, and nobody else does."""

# --- what a table is told --------------------------------------------------------------------------------------------


def telling(rulebook: Rulebook, file: PatronFile, table: str, now: Moment, *, practice: bool = False) -> TellPatron:
    """What the book says of a person to a table of that name and rulebook at a moment."""
    file = evolve(file, turned(rulebook, file, now))
    here = [each for each in file.restrictions if each.rulebook == rulebook.id and each.where in ("*", table)]
    held = [each.rule for each in here if each.holds_on(now.date)]
    known = [lasting(rulebook, rule) for rule in held if rule != COVER_SPLITS]
    rules = [row for row in known if row is not None]  # another edition may have others
    once = any(each.rule != COVER_SPLITS for each in here)
    covered = [each for each in here if each.rule == COVER_SPLITS]
    shut = _exclusions(rulebook, file)
    now_shut = sorted((each for each in shut if each.holds_on(now.date)), key=lambda each: each.scope)
    maximum, minimum = file.maxima.get(table, (None, 0))
    limited = rulebook.wagers.loss_limit.value
    return TellPatron(
        player=file.name,
        card=not card_trouble(file, now.date),
        loss_left_cents=loss_left(file, practice=practice) if limited else None,
        over_cents=file.over_cents if limited and not practice and file.loss_limit is not None else 0,
        deposit_left_cents=deposit_left(file, practice=practice) if rulebook.wagers.deposit_limit.value else None,
        maximum_cents=maximum,
        minimum_cents=minimum,
        restriction=_strictest(rulebook, rules) if rules else LIFTED if once else "",
        cover_splits=COVER_SPLITS in held if covered else None,
        recognised=bool(file.recognised),
        restricted_before=file.restricted_before,
        paused=file.paused,
        excluded=bool(now_shut) and now_shut[0].scope == "casino",
        admitted=bool(shut) and not now_shut,
        barred=SAID_BY_THE_BOOK if now_shut else "",
    )


def _exclusions(rulebook: Rulebook, file: PatronFile) -> list[Exclusion]:
    """From the casino, and from this game."""
    return [each for each in file.exclusions if each.scope == "casino" or each.rulebook == rulebook.id]


def is_excluded(rulebook: Rulebook, file: PatronFile, now: Moment) -> bool:
    return any(each.holds_on(now.date) for each in _exclusions(rulebook, file))


def _strictest(rulebook: Rulebook, rules: Sequence[Restriction]) -> str:
    """A table keeps one restriction of a person: that which leaves them least, and of two such the later one."""
    every = max(rulebook.boxes.number.value)
    return min(reversed(rules), key=lambda row: (row.boxes_max or every, not row.minimum_only)).name


# --- stakes against a loss limit -------------------------------------------------------------------------------------


def counts_for_limits(table: Table) -> bool:
    """Whether what is played at a table counts against a person's limits; a tournament's chips are no money."""
    return table.rulebook.wagers.loss_limit.value and not table.house.tournament


def for_practice(table: Table) -> bool:
    """Whether a table plays with anybody: its chips are no money, and what is done there counts by itself."""
    return table.house.patrons == ANYONE


def moved(before: Table, after: Table, name: str, table: str, version: int) -> pe.StakesMoved | None:
    """What an act did to a person's stakes at a table; None where nothing.

    The table's net counts wagers as gone when they are placed; what was decided is what changed besides.
    """
    was, is_now = at_stake(before, name), at_stake(after, name)
    net = after.net.get(name, 0) - before.net.get(name, 0)
    decided = net + is_now - was
    if is_now == was and not decided:
        return None
    clauses = after.rulebook.wagers.loss_limit.clauses
    return pe.StakesMoved(clauses, table, version, is_now, decided, for_practice(after))


# --- what a file learns from a table ---------------------------------------------------------------------------------


LEARNED_FROM = frozenset(
    {
        e.LimitsSet, e.ChipsBought, e.ChipsTaken, e.ChipsBrought, e.PlayerRestricted, e.RestrictionLifted,
        e.MaximumGranted, e.PlayerBarred, e.PlayerPaused, e.PlayerReadmitted, e.TableLeft,
    }
)  # fmt: skip
"""Events of which a file learns more than what is at stake."""


def learned(
    file: PatronFile, before: Table, after: Table, events: Iterable[Event], table: str, version: int, now: Moment
) -> tuple[PatronEvent, ...]:
    """What an act at a table changes in a person's file, beside what time has changed; to be written with the act."""
    book = after.rulebook
    name = file.name
    found: list[PatronEvent] = []
    if file.loss_limit is not None and counts_for_limits(after):
        stakes = moved(before, after, name, table, version)
        found += [stakes] if stakes is not None else []
    for event in events:
        if type(event) not in LEARNED_FROM:
            continue
        if isinstance(event, e.LimitsSet):
            if name in event.kept:
                kept = after.players[name].minimum_cents
                found.append(pe.OldMinimumKept(event.clauses, table, kept))
            elif event.kind == "original" and table in file.old_minima:
                found.append(pe.OldMinimumKept(event.clauses, table, 0))
        elif getattr(event, "player", None) == name:
            found += _learned_of_one(file, event, book, table, now, practice=for_practice(after))
            if isinstance(event, e.PlayerReadmitted) and event.loss_limit_cents is not None:
                found += _limit_of_new_period(file, event, event.loss_limit_cents + after.net[name], book, now)
    if not found:
        return ()
    return (*turned(book, file, now), *found)


def _limit_of_new_period(file: PatronFile, event: Event, cents: int, book: Rulebook, now: Moment) -> list[PatronEvent]:
    """The limit with which somebody is let go on at a table: a lower one at once, a higher one from the next period."""
    file = evolve(file, turned(book, file, now))
    held = file.loss_limit
    if held is None or held.cents is None or held.cents == cents or file.period_start is None:
        return []
    return [pe.LossLimitSet(event.clauses, cents, held.period, file.period_start, later=cents > held.cents)]


def _learned_of_one(
    file: PatronFile, event: Event, book: Rulebook, table: str, now: Moment, *, practice: bool
) -> list[PatronEvent]:
    match event:
        case e.ChipsBought() if file.identified and DEPOSITS_COUNT[book.patrons.deposit_period.value]:
            return [pe.Deposited(book.wagers.deposit_limit.clauses, event.cents, now.calendar_date, practice)]
        case e.ChipsTaken():
            return [pe.PocketChanged(event.clauses, table, event.cents)]
        case e.ChipsBrought():
            return [pe.PocketChanged(event.clauses, table, -event.cents)]
        case e.PlayerRestricted() if event.until == "lifted" and lasting(book, event.rule) is not None:
            why = f"at {table}"
            return [pe.PatronRestricted(event.clauses, event.by, book.id, event.rule, table, why)]
        case e.RestrictionLifted():
            return [
                pe.PatronRestrictionLifted(event.clauses, event.by, book.id, each.rule, each.where)
                for each in file.restrictions
                if each.rulebook == book.id and each.where == table and each.holds_on(now.date)
            ]
        case e.MaximumGranted():
            return [pe.MaximumAllowed(event.clauses, event.by, table, event.maximum_cents, event.minimum_cents)]
        case e.PlayerBarred():
            return [pe.Excluded(event.clauses, event.by, book.id, "game", event.reason)]
        case e.PlayerPaused():
            return [pe.Paused(event.clauses, event.by)]
        case e.PlayerReadmitted():
            return [pe.Resumed(event.clauses, event.by)]
        case e.TableLeft():
            ended: list[PatronEvent] = []
            if table in file.old_minima:
                ended.append(pe.OldMinimumKept(event.clauses, table, 0))
            if file.maxima.get(table, (0, 0))[0]:
                ended.append(pe.MaximumAllowed(event.clauses, "house", table, 0))
            return ended
    return []
