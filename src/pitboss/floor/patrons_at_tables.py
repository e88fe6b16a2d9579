"""The patrons' book at the tables: it is asked before people play, and their limits hold at all tables together.

A person's file is a stream (`floor/patron_book.py`). What an act at a table changes in it is written in the append of
the act: stakes against a loss limit, chips bought against a deposit limit, what staff decide about a person there. An
act that depends on a file is written only where the file is still as it was when the act was decided, whichever process
wrote to it, so that two tables cannot both spend the last dollar. A refusal is given only once the file has been read
to its end. Whoever has no limit costs no entry but where they buy chips.
"""

from __future__ import annotations

import asyncio
import datetime
from collections import Counter
from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from pitboss.basics.money import dollars
from pitboss.floor.attachments import Attachment, Concerns, Decided, Spanning, Wait
from pitboss.floor.bots import is_bot
from pitboss.floor.model import Opening
from pitboss.floor.patron_book import STREAM, PatronBook, learned_entry, stream_of
from pitboss.ledger.postings import POST
from pitboss.patrons.engine import evolve, turned
from pitboss.patrons.events import PatronEvent
from pitboss.patrons.stakes import counts_for_limits, for_practice, is_excluded, learned, telling
from pitboss.patrons.state import PatronFile, loss_left
from pitboss.rulebooks.meanings import HELP_BY_HAND_ALLOWED
from pitboss.store.log import Entry, Part
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.engine import refusal
from pitboss.table.events import AnyEvent, Event
from pitboss.table.house import ANYONE
from pitboss.table.patrons_book import at_stake, is_news
from pitboss.table.refusals import Refusal
from pitboss.table.state import PlayerState, Table

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

BY_THE_BOOK = frozenset({a.TakeSeat, a.BuyChips, a.BringChips, a.PlaceWager, a.Double, a.Split, a.Insure})
"""Acts of a person that depend on what the book says of them."""
BEGINS_THE_HAND = frozenset({a.CallNoMoreBets, a.Deal})
"""Before these the table learns what the book says of everybody who has a wager."""
BY_HAND = frozenset({a.PlaceWager, a.WithdrawWager, a.Double, a.Split, a.Insure})
"""Acts that put chips down or take them up, which a helper may do by hand (definition of Proxy Betting)."""
DECIDES = frozenset({a.Hit, a.Stand})
"""Before these it learns whether whoever plays may still do so."""
OF_STAFF = frozenset(
    {
        e.LimitsSet, e.PlayerRestricted, e.RestrictionLifted, e.MaximumGranted, e.PlayerBarred, e.PlayerPaused,
        e.PlayerReadmitted, e.ChipsBrought, e.ChipsTaken,
    }
)  # fmt: skip
"""Events that anybody's file may learn from."""
MOVES_NOTHING = frozenset({e.TurnCame, e.HandHit, e.HandStood})
"""Events of a player, the most frequent ones, by which neither their money nor their standing changes."""
OF_A_PLAYER = frozenset(kind for kind in get_args(AnyEvent) if "player" in kind.__struct_fields__) - MOVES_NOTHING
SETTLES = OF_A_PLAYER & POST.keys()
"""Events that move a player's money."""
BUYS = frozenset({e.ChipsBought})
NOTHING: dict[str, dict[str, Any]] = {}


class Patrons(Spanning):
    """The patrons of the floor: the book, and whose files this process is writing to."""

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor)
        self.book = PatronBook(floor.commits, floor.clock)
        self._flying: Counter[str] = Counter()
        """How many appends with entries for each file are on their way."""
        self._unread: set[str] = set()
        """Files of which something is written that has not been read."""
        self._waiting: dict[str, asyncio.Future[None]] = {}

    async def follow(self) -> list[Attachment]:
        """Files are read when they are wanted: guards find out what others wrote."""
        await self.book.load_day()
        return []

    async def attached_to(self, table: str, opening: Opening, now: Table) -> Attachment | None:
        there = {name for name, state in now.players.items() if state.present} | set(wagering(now))
        await asyncio.gather(*(self.load(name) for name in there if not is_bot(name)))
        return AtTable(self, table)

    async def load(self, name: str) -> None:
        """Read a file to its end."""
        key = name.lower()
        self._unread.discard(key)
        await self.book.load(name)
        if not self.book.version(key) and key not in self._unread and key not in self._flying:
            self.book.strangers.add(key)

    def ready(self, name: str) -> None:
        """Raise `Wait` unless a file is known as it stands, and nothing of ours is on its way to it."""
        if name in self.book.strangers:
            return
        key = name.lower()
        if key in self._unread or not self.book.knows(name):
            raise Wait(self.load(name))
        if key in self._flying:
            raise Wait(asyncio.shield(self._waiting.setdefault(key, asyncio.get_running_loop().create_future())))

    def send(self, name: str, learns: tuple[PatronEvent, ...], decided: Decided) -> Part:
        """The part that writes to a file what it learns."""
        key = name.lower()
        self.book.strangers.discard(key)
        self._flying[key] += 1
        new = learned_entry(name, decided.after.rulebook, learns, decided.table)
        return Part(stream_of(name), self.book.version(name), (new,))

    def landed(self, part: Part) -> None:
        for version, new in enumerate(part.entries, part.expected + 1):
            self.book.fold(Entry(0, part.stream, version, 0, "", "", new.kind, new.body, b""))
        self._ended(part)

    def lost(self, part: Part) -> None:
        key = part.stream.removeprefix(STREAM)
        self.book.strangers.discard(key)
        self._unread.add(key)
        self._ended(part)

    def _ended(self, part: Part) -> None:
        key = part.stream.removeprefix(STREAM)
        if self.book.version(key) < part.expected + len(part.entries):
            self._unread.add(key)
        if part.entries:
            self._flying[key] -= 1
        if not self._flying[key]:
            del self._flying[key]
            waiting = self._waiting.pop(key, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(None)


class AtTable(Attachment):
    """The patrons' book at one table."""

    concerns = Concerns(frozenset({*BY_THE_BOOK, *BEGINS_THE_HAND}), frozenset({*OF_A_PLAYER, *OF_STAFF}))

    def __init__(self, patrons: Patrons, table: str) -> None:
        self._patrons = patrons
        self._table = table
        self._settled: list[str] = []
        """Whose money the act that is about to be written moves."""
        self._found: list[tuple[str, tuple[PatronEvent, ...]]] = []
        """What files learn from the act that is about to be written."""
        self._relied: list[str] = []
        """Whose files the hand depends on that it begins."""
        self._plain: dict[str, PatronFile] = {}
        """Files in which nothing changes by what is played."""
        self._known: dict[str, tuple[PatronFile, PlayerState | None, datetime.date]] = {}
        """Of whom the table knew what the book says: by which file, as whom, and on which day."""
        self._by_hand: tuple[a.AnyAct, str] | None = None
        """The act that was last asked for in another's name, and by whom."""

    def refuse(self, table: Table, act: a.AnyAct) -> Refusal | None:
        """Nobody brings chips that they do not have with them."""
        if type(act) is not a.BringChips or type(act.cents) is not int or not table.house.counted:
            return None
        self._patrons.ready(act.player)
        pocket = self._patrons.book.file(act.player).pocket_cents
        if act.cents <= pocket:
            return None
        text = f"{act.player} has {dollars(pocket)} in chips with them, not {dollars(act.cents)}: buy the rest here."
        return Refusal(table.rulebook.name, table.rulebook.wagers.means.clauses, text)

    def tells_first(self, table: Table, act: a.AnyAct) -> Iterable[a.AnyAct]:
        """The date, and what the book says of whoever acts, where the table does not know it."""
        kind = type(act)
        if kind in BEGINS_THE_HAND:
            return (*self._said_of_all(table), *(self._date(table) if kind is a.Deal else ()))
        if kind in DECIDES:
            told = self._said_of(table, act.player)  # type: ignore[union-attr]
            return () if told is None or (told.card and not told.barred) else (told,)
        if kind not in BY_THE_BOOK and kind is not a.Restrict:
            return ()
        told = self._said_of(table, act.player)  # type: ignore[union-attr]
        dated = self._date(table) if kind is a.PlaceWager else ()
        others = self._said_of_all(table) if dated else ()  # whose wagers lie may need a card from that day on
        return (*others, *dated, told) if told is not None else (*others, *dated)

    def _said_of_all(self, table: Table) -> tuple[a.TellPatron, ...]:
        """What the table has to be told of everybody whose wager lies before the hand."""
        found = (self._said_of(table, name) for name in wagering(table))
        return tuple(told for told in found if told is not None)

    def _date(self, table: Table) -> tuple[a.AnyAct, ...]:
        book = self._patrons.book
        if table.house.date is None:
            return ()
        date = book.date or book.now(table.rulebook).date  # while no day is open, the clocks decide
        if date <= table.house.date:
            return ()
        turn = a.TurnDate(date)
        return (turn,) if refusal(table, turn) is None else ()

    def _said_of(self, table: Table, name: str) -> a.TellPatron | None:
        """What the table has to be told of a person, if anything."""
        if name in self._patrons.book.strangers:
            return None  # nobody knows them: then the table says whether they may play
        if is_bot(name):
            told = a.TellPatron(name)  # the house's own need no file
            return None if table.house.patrons == ANYONE or not is_news(table, told) else told
        self._patrons.ready(name)
        book = self._patrons.book
        file, version = book.known(name)
        if not version:
            return None
        if file.stakes_uncounted:
            raise Wait(book.count_what_lies(name, table.rulebook))
        state, now = table.players.get(name), book.now(table.rulebook)
        known = self._known.get(name)
        if known is not None and known[0] is file and known[1] is state and known[2] == now.date and _is_plain(file):
            return None
        practice = for_practice(table)
        told = telling(table.rulebook, file, self._table, now, practice=practice)
        if table.house.tournament:
            told = msgspec.structs.replace(told, loss_left_cents=None, over_cents=0, deposit_left_cents=None)
        played = file.practice if practice else file
        laid = at_stake(table, name) - played.open.get(self._table, 0)  # before the limit was set
        if told.loss_left_cents is not None and laid > 0:
            told = msgspec.structs.replace(told, loss_left_cents=max(0, told.loss_left_cents - laid))
        if told.barred and state is not None and state.barred:
            told = msgspec.structs.replace(told, barred=state.barred)  # the table knows why from somebody there
        if table.house.patrons == ANYONE and file.card is None:
            told = msgspec.structs.replace(told, card=True)
        if is_news(table, told):
            return told if refusal(table, told) is None else None
        self._known[name] = (file, state, now.date)
        return None

    def stands_in(self, table: Table, name: str, act: a.AnyAct) -> bool:
        """Who is named as a helper in the file of a player who is there; nobody else wagers for another."""
        player = getattr(act, "player", "")
        state = table.players.get(player)
        if type(act) not in BY_HAND or state is None or not state.present or is_bot(player):
            return False
        self._by_hand = (act, name)
        for each in (player, name):
            self._patrons.ready(each)
        return self._helps(table, name, player)

    def _helps(self, table: Table, name: str, player: str) -> bool:
        """Nobody helps who is excluded themselves."""
        book, rulebook = self._patrons.book, table.rulebook
        if not HELP_BY_HAND_ALLOWED[rulebook.patrons.helper.value] or book.file(player).helper.lower() != name.lower():
            return False
        return not is_excluded(rulebook, book.file(name), book.now(rulebook))

    def _helper(self, act: a.AnyAct) -> str:
        """Who asked for an act in another's name; "" where it is a player's own."""
        return self._by_hand[1] if self._by_hand is not None and self._by_hand[0] is act else ""

    def doubts(self, table: Table, act: a.AnyAct) -> Awaitable[object] | None:
        """A limit may have been raised, something settled, or a helper named in another process a moment ago."""
        helper = self._helper(act)
        if (type(act) not in BY_THE_BOOK and not helper) or is_bot(act.player):  # type: ignore[union-attr]
            return None
        names = (act.player, helper) if helper else (act.player,)  # type: ignore[union-attr]
        return asyncio.gather(*map(self._patrons.load, names))

    def check(self, decided: Decided) -> None:
        """Find out what files learn from an act, once they are known as they stand."""
        self._found, self._relied = [], self._relied_on(decided)
        for name in self._relied:
            self._patrons.ready(name)
        events, kinds = decided.events, decided.kinds
        self._settled = []
        if OF_A_PLAYER.isdisjoint(kinds) and OF_STAFF.isdisjoint(kinds):
            return
        book, plain = self._patrons.book, self._plain
        if not SETTLES.isdisjoint(kinds):
            self._settled = [name for name in _players(events, SETTLES) if not is_bot(name)]
            for name in self._settled:
                if name not in book.strangers:
                    self._patrons.ready(name)
        names = _players(events, OF_A_PLAYER)
        of_staff = not OF_STAFF.isdisjoint(kinds)
        if of_staff:
            names |= {name for name, state in decided.after.players.items() if state.present}
        elif names <= book.strangers:
            return
        bought = _players(events, BUYS) if e.ChipsBought in kinds else ()
        for name in names:
            file = book.file(name)
            learns_nothing = not of_staff and name not in bought
            if not name or (learns_nothing and plain.get(name) is file) or is_bot(name):
                continue
            if learns_nothing and _is_plain(file) and book.knows(name):
                plain[name] = file
                continue
            self._learn(name, decided)

    def _learn(self, name: str, decided: Decided) -> None:
        self._patrons.ready(name)
        book, after = self._patrons.book, decided.after
        now = book.now(after.rulebook)
        learns = learned(book.file(name), decided.before, after, decided.events, self._table, decided.version, now)
        if learns:
            self._found.append((name, learns))

    def parts(self, decided: Decided) -> tuple[Part, ...]:
        """What files learn, and a guard for the file of whoever acts, has a wager in the hand, or is settled with."""
        act, found = decided.act, self._found
        acts, helper = type(act) in BY_THE_BOOK, self._helper(act)
        if not (acts or found or helper or self._settled or self._relied):
            return ()
        names = {*self._settled, *((act.player,) if acts else self._relied)}  # type: ignore[union-attr]
        if helper:
            names |= {act.player, helper}  # type: ignore[union-attr]
        parts = [self._patrons.send(name, learns, decided) for name, learns in sorted(found)] if found else []
        names.difference_update([name for name, _ in found])
        book = self._patrons.book
        parts += [Part(stream_of(name), book.version(name), ()) for name in sorted(names) if not is_bot(name)]
        return tuple(parts)

    def _relied_on(self, decided: Decided) -> list[str]:
        """Whose files a hand that begins depends on, where the game is for those whom the book knows."""
        if type(decided.act) not in BEGINS_THE_HAND or decided.before.house.patrons == ANYONE:
            return []
        return [name for name in wagering(decided.before) if not is_bot(name)]

    def shows_of(self, table: Table, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Players' loss limits with what is left of them and the chips they have with them, at all tables together, and
        whom they help by hand here."""
        book = self._patrons.book
        if not book.limited and not table.house.counted and not book.helped:
            return NOTHING
        limited = book.limited if counts_for_limits(table) else ()
        helped: list[str] = []
        if book.helped:
            helped = [each for each, state in table.players.items() if state.present and each.lower() in book.helped]
        found: dict[str, dict[str, Any]] = {}
        for name in names:
            if helped and (helps := [each for each in helped if self._helps(table, name, each)]):
                found[name] = {"helps": helps}
            file = book.file(name)
            if table.house.counted and file.pocket_cents:
                found[name] = found.get(name, {}) | {"pocket_cents": file.pocket_cents}
            if name.lower() in limited:
                file = evolve(file, turned(table.rulebook, file, book.now(table.rulebook)))
                if file.loss_limit is not None and file.loss_limit.cents is not None:
                    left = {
                        "loss_limit_cents": file.loss_limit.cents,
                        "loss_left_cents": loss_left(file, practice=for_practice(table)),
                    }
                    found[name] = found.get(name, {}) | left
        return found

    def landed(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            if part.entries:
                self._patrons.landed(part)

    def lost(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            self._patrons.lost(part)


def _players(events: Iterable[Any], kinds: frozenset[type[Event]]) -> set[str]:
    """Whose events of these kinds are."""
    return {event.player for event in events if type(event) in kinds}


def wagering(table: Table) -> list[str]:
    """Who has a wager before the hand, each once."""
    return sorted({name for box in table.boxes.values() for name in box.wagers})


def _is_plain(file: PatronFile) -> bool:
    """Whether nothing in a file changes by what is played."""
    return file.loss_limit is None and file.deposit_limit_cents is None and not file.maxima and not file.old_minima


def patrons_of(floor: Floor) -> Patrons:
    """The patrons of a floor."""
    return next(kind for kind in floor.spanning if isinstance(kind, Patrons))
