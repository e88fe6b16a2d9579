"""The registers as a fold: each thing that happened is heard once, in order, and becomes lines and items.

Nothing here asks a clock: a deadline is a moment, and whether it has passed is asked with the moment that it is now.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from pitboss.basics.money import dollars
from pitboss.patrons.gaming_day import DAY, Calendar, begins_ms, calendar_of, date_of
from pitboss.registers import acts as r
from pitboss.registers.kinds import PLACED, place_of
from pitboss.registers.model import (
    MINUTE_MS,
    OUTSIDE,
    PLAYERS,
    PROMPT_MS,
    REGULATOR,
    Heard,
    Item,
    Line,
    TableTold,
)
from pitboss.rulebooks.meanings import UNDECIDED
from pitboss.rulebooks.registers import Row, clauses_on, on
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL, AnyAct
from pitboss.table.house import House
from pitboss.table.refusals import Refusal
from pitboss.table.telling import sentence

PERFECT_PAIRS = "perfect-pairs"
NEXT_DEAL = "before-the-next-deal"
"""By when somebody is told of a wrong card; that it was done is confirmed at the table."""
SUPERVISOR, MANAGER = "casino-supervisor", "gaming-manager"


QUARTER_MS = 900_000
"""All clocks change, and every gaming day begins, at a quarter of an hour."""


@lru_cache(4_096)
def _date(calendar: Calendar, quarter: int) -> str:
    return str(date_of(calendar, quarter * QUARTER_MS))


class Mark(msgspec.Struct, frozen=True, gc=False):
    """Somebody said that an item is done."""

    at_ms: int
    by: str
    evidence: str


class Registers(msgspec.Struct):
    """Every line and item of a log, as far as it was heard."""

    tables: dict[str, TableTold] = msgspec.field(default_factory=dict)
    lines: dict[str, list[Line]] = msgspec.field(default_factory=dict)
    """By register, oldest first."""
    items: dict[str, Item] = msgspec.field(default_factory=dict)
    opens: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """Items that wait for an event, by what it would be about."""
    before_play: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """Items that are due before the next round, by table."""
    marks: dict[str, Mark] = msgspec.field(default_factory=dict)
    seconds: dict[str, str] = msgspec.field(default_factory=dict)
    """Who approved a proposal that is not carried out yet."""
    jackpot_wagers: dict[str, tuple[int, int, int, int]] = msgspec.field(default_factory=dict)
    """By table and gaming date: how many, for how much, how much of it went to the jackpot, and the last moment."""

    # --- what happens at tables ---

    def opened(self, heard: Heard, table: str, name: str, book: Rulebook, house: House) -> None:
        calendar = calendar_of(book)
        told = self.tables[table] = TableTold(
            name or table, book.id, calendar.zone, calendar.begins_hour, house.is_practice, house.minimum_cents,
            house.maximum_cents, dict(house.side_limits),
        )  # fmt: skip
        writing = _Writing(self, heard, table, book)
        text = f"{told.name} is opened with limits {_limits(house.minimum_cents, house.maximum_cents)}"
        sides = [f"{kind} {_limits(*both)}" for kind, both in house.side_limits.items()]
        writing.line("limits", "opened", book.limits.sign.clauses, "; ".join([text, *sides]))
        if told.practice:
            return
        more = {"decks": str(house.decks), "source": _plain(house.source)}
        writing.occasion("table-approval", "approvals", "approve:table", more)
        if PERFECT_PAIRS in house.side_bets:
            writing.occasion("side-bet-approval", "approvals", "approve:side-bet", more)
        writing.occasion("settings", "cards", "settings", more)
        writing.occasion("card-check", "cards", "cards", more)

    def acted(self, heard: Heard, table: str, book: Rulebook, act: AnyAct, events: Sequence[e.Event]) -> None:
        writing = _Writing(self, heard, table, book)
        told = self.tables[table]
        notices: list[e.NoticeGiven] = []
        for event in events:
            kind = type(event)
            if kind in PLACED:
                place = place_of(event)
                if place is not None:
                    self._line_of(writing, told, event, *place)
            if kind in FOLLOWED:
                self._also(writing, told, act, event)
            elif kind is e.NoticeGiven:
                notices.append(event)  # type: ignore[arg-type]
        for notice in notices:
            self._notice(writing, act, notice)

    def closed(self, heard: Heard, table: str, book: Rulebook) -> None:
        told = self.tables[table]
        told.closed = True
        writing = _Writing(self, heard, table, book)
        since, wanted = told.signs.get("closing", (0, 0))[0], book.patrons.close_notice_minutes.value
        notice = "without a sign"
        if since:
            notice = f"its sign had stood for {(heard.at_ms - since) // MINUTE_MS} minutes, of {wanted} that are wanted"
        writing.line(
            "closures", "closed", book.patrons.close_notice_minutes.clauses, f"{told.name} is closed; {notice}"
        )
        if not since and not told.practice:
            writing.occasion("closing", "closures", "closing", {})
        if not told.practice:
            writing.occasion("card-check-after", "cards", "cards-after", {})
        for key in [each for each in self.opens if each.startswith("sign:") and each.endswith(f":{table}")]:
            self._close(writing, key, "the table is closed")

    def round_began(self, heard: Heard, table: str) -> None:
        """Whatever was due before play went on is overdue from now on."""
        for name in self.before_play.pop(table, ()):
            item = self.items[name]
            if not item.done_ms:
                self.items[name] = replace(item, due_ms=heard.at_ms)

    # --- the rest of the log ---

    def proposed(
        self, heard: Heard, table: str, proposal: str, what: str, wants: str, clauses: tuple[str, ...], expires_ms: int
    ) -> None:
        told = self.tables.get(table)
        writing = _Writing(self, heard, table, None, told.rulebook if told else "")
        writing.line("approvals", "proposed", clauses, f"{heard.by} requests: {what}; {_plain(wants)} is to approve")
        text = f"Approve or reject: {what} (requested by {heard.by})"
        writing.item("approvals", clauses, text, wants, heard.at_ms, f"proposal:{proposal}", expires_ms, lapses=True)

    def answered(self, heard: Heard, proposal: str, state: str, text: str) -> None:
        if state == "approved":
            self.seconds[proposal] = heard.by
        waiting = self.opens.get(f"proposal:{proposal}", ())
        if not waiting:
            return
        item = self.items[waiting[0]]
        writing = _Writing(self, heard, item.table, None, item.rulebook)
        words = {"done": "carried out", "refused": "approved, and refused by the rules"}.get(state, state)
        what = item.text.removeprefix("Approve or reject: ")
        line = writing.line("approvals", state, item.clauses, f"{what}: {words}{f': {text}' if text else ''}")
        if state != "approved":
            self._close(writing, f"proposal:{proposal}", f"{words}, line {line}")

    def wrote(self, heard: Heard, book: Rulebook, act: r.AnyWritten, clauses: tuple[str, ...]) -> None:
        """Somebody wrote into the registers by hand."""
        table = act.table
        writing = _Writing(self, heard, table, book)
        name = writing.table_name
        match act:
            case r.RecordApproval():
                what = name if act.subject == "table" else f"Perfect Pairs at {name}"
                text = f"{what} is approved by {act.officer}, {act.reference}"
                line = writing.line("approvals", f"{act.subject} approved", clauses, text)
                self._close(writing, f"approve:{act.subject}:{table}", f"{act.reference}, line {line}")
            case r.MoveCards():
                way = f"{act.decks} decks {'come to' if act.to == 'in' else 'leave'} {name}"
                text = "; ".join(
                    [way, *([f"seal {act.seal}"] if act.seal else []), *([act.reason] if act.reason else [])]
                )
                writing.line("cards", f"cards {act.to}", clauses, text)
                if act.to == "in" and not self._waits(f"cards:{table}"):
                    writing.occasion("card-check", "cards", "cards", {})
            case r.CheckCards():
                found = f"found: {act.fault}" if act.fault else "nothing wrong"
                text = f"{act.decks} decks at {name} checked card by card, by {act.means} ({act.checker}): {found}"
                line = writing.line("cards", "cards checked", clauses, text)
                for key in () if act.fault else (f"cards:{table}", f"cards-after:{table}"):
                    self._close(writing, key, f"checked by {act.means} ({act.checker}), line {line}")
            case r.Complain():
                text = f"{act.person} complains about {act.about}"
                line = writing.line("complaints", "complaint", clauses, text, person=act.person)
                writing.occasion(
                    "complaint",
                    "complaints",
                    f"complaint:{line}",
                    {"person": act.person, "about": act.about},
                    act.person,
                )
            case r.AnswerComplaint():
                first = self._find("complaints", act.complaint)
                text = f"{act.decided_by} on the complaint {act.complaint}: {act.answer}"
                line = writing.line("complaints", "answered", clauses, text, person=first.person if first else "")
                self._close(
                    writing, f"complaint:{act.complaint}:{first.table if first else ''}", f"answered, line {line}"
                )
            case r.AskForBox():
                box = f"box {act.box}" if act.box else "a box"
                writing.line("boxes", "asked for", clauses, f"{act.person} asks for {box} at {name}", person=act.person)
                key = f"demand:{act.person.lower()}"
                if not self._waits(f"{key}:{table}"):
                    writing.occasion("demand", "boxes", key, {"person": act.person, "box": box}, act.person)
            case r.EndDemand():
                text = f"{act.person}, who asked for a box at {name}: {act.outcome}"
                line = writing.line("boxes", "demand ended", clauses, text, person=act.person)
                self._close(writing, f"demand:{act.person.lower()}:{table}", f"{act.outcome}, line {line}")
            case r.MarkDone():
                self.mark(heard, act.item, act.evidence)
            case r.BeginSending():
                self._sending(act.item, f"an e-mail to {act.address} was begun")
            case r.SendingFailed():
                self._sending(act.item, f"not sent: {act.why}")

    def refuse(self, book: Rulebook, act: r.AnyRegisterAct) -> Refusal | None:
        """Why this cannot be written as things stand, whoever writes it."""
        clauses = r.cause(book, act) or book.game.name.clauses
        if act.table and act.table not in self.tables:
            return Refusal(book.name, clauses, f"there is and was no table {act.table[:60]!r}.")
        match act:
            case r.AnswerComplaint() if self._find("complaints", act.complaint) is None:
                return Refusal(book.name, clauses, f"there is no complaint {act.complaint[:60]!r}.")
            case r.EndDemand() if not self._waits(f"demand:{act.person.lower()}:{act.table}"):
                return Refusal(book.name, clauses, f"{act.person} does not wait for a box at {act.table}.")
        return None

    def _sending(self, name: str, what: str) -> None:
        """How far an e-mail has come; it is done only when the mail server has taken it."""
        item = self.items.get(name)
        if item is not None and not item.done_ms:
            self.items[name] = replace(item, evidence=what)

    def mark(self, heard: Heard, name: str, evidence: str) -> None:
        """An item was done, by whoever says so."""
        mark = Mark(heard.at_ms, heard.by, evidence)
        self.marks.setdefault(name, mark)
        item = self.items.get(name)
        if item is not None and not item.done_ms:
            self.items[name] = marked(item, mark)

    # --- within ---

    def _line_of(self, writing: _Writing, told: TableTold, event: e.Event, register: str, kind: str) -> None:
        text, clauses = sentence(event, writing.book), event.clauses
        if type(event) in TOLD_MORE:
            match event:
                case e.PatronTold():
                    term = writing.book.wagers.player_card
                    if not term.value:
                        return  # the document has no player card
                    clauses = term.clauses
                    card = "a valid player card" if event.card else "no valid player card of their own"
                    text = f"{event.player}: {card}"
                case e.LimitsSet():
                    kind, text = self._limits_set(writing, told, event)
                case e.SignDisplayed():
                    told.signs[_sign_key(event.what, event.kind)] = (writing.heard.at_ms, event.minutes)
                case e.SignTakenDown():
                    since, minutes = told.signs.pop(_sign_key(event.what, event.kind), (0, 0))
                    stood = (writing.heard.at_ms - since) // MINUTE_MS if since else 0
                    early = " before its time" if stood < minutes else ""
                    text += f"; it had stood for {stood} of its {minutes} minutes, and is taken away{early}"
                case e.MispaymentRecorded():
                    rows = on(writing.book.id, "mispayment")
                    clauses = tuple(dict.fromkeys([*clauses, *(each for row in rows for each in row.clauses)]))
                    if event.reason and event.reason not in text:
                        text += f" ({event.reason})"
                case e.DisputeRuled():
                    text += f"; decided by {writing.heard.by or 'the house'}"
                case e.ApprovalGiven():
                    text += f"; approved by {writing.heard.by or 'the house'}"
        person = str(getattr(event, "player", "") or getattr(event, "person", ""))
        cents = int(getattr(event, "cents", 0) or 0)
        writing.line(register, kind, clauses, text, person=person, cents=cents)

    def _limits_set(self, writing: _Writing, told: TableTold, event: e.LimitsSet) -> tuple[str, str]:
        text = sentence(event, writing.book)
        sign = told.signs.pop(_sign_key("limits", event.kind), None)
        if event.kind != ORIGINAL:
            told.side_limits[event.kind] = (event.minimum_cents, event.maximum_cents)
            return "limits", text
        before, told.minimum_cents, told.maximum_cents = told.minimum_cents, event.minimum_cents, event.maximum_cents
        wanted = writing.book.limits.raise_notice_minutes.value
        lost = [name for name in told.kept if name not in event.kept]
        kept = {name: min(told.kept.get(name, before), before) for name in event.kept}
        told.kept = kept
        if event.minimum_cents <= before and not lost:
            return "limits", text
        stood = "no sign had announced it"
        if sign is not None:
            minutes = (writing.heard.at_ms - sign[0]) // MINUTE_MS
            early = ", too early" if minutes < sign[1] else ""
            stood = f"its sign had stood for {minutes} of {sign[1]} minutes{early}"
        text += f"; the minimum was {dollars(before)}; {stood} ({wanted} are wanted)"
        if kept:
            text += "; the old minimum stays for " + ", ".join(f"{name} ({dollars(c)})" for name, c in kept.items())
        if lost:
            text += f"; no longer for {', '.join(lost)}"
        return ("rise" if event.minimum_cents > before else "limits"), text

    def _also(self, writing: _Writing, told: TableTold, act: AnyAct, event: e.Event) -> None:
        """What follows from an event besides its line."""
        table, heard = writing.table, writing.heard
        match event:
            case e.IrregularityReported(approval=approval) if approval:
                text = f"Approve that the game continues: {_plain(event.kind)}"
                writing.item("irregularities", event.clauses, text, approval, heard.at_ms, "approval", before_play=True)
            case e.ApprovalGiven():
                self._close(writing, f"approval:{table}", f"approved, entry {heard.seq}")
            case e.JackpotWagerCollected():
                key = f"{table} {_date(writing.calendar, heard.at_ms // QUARTER_MS)}"
                count, cents, part, _ = self.jackpot_wagers.get(key, (0, 0, 0, 0))
                new = (count + 1, cents + event.cents, part + event.to_jackpot_cents, heard.at_ms)
                self.jackpot_wagers[key] = new
            case e.RoundBegan():
                self.round_began(heard, table)
            case e.TableLeft(player=player) if player in told.kept:
                cents = told.kept.pop(player)
                text = f"{player} leaves, and so no longer keeps the old minimum of {dollars(cents)}"
                clauses = writing.book.limits.raise_keeps_old_minimum.clauses
                writing.line("limits", "old minimum lost", clauses, text, person=player, cents=cents)
            case e.SeatTaken(player=player):
                self._close(writing, f"demand:{player.lower()}:{table}", f"{player} sits at box {event.box}")
            case e.SignDisplayed(what="limits"):
                due = heard.at_ms + event.minutes * MINUTE_MS
                text = (
                    f"Have the new limits of the sign take effect: {_limits(event.minimum_cents, event.maximum_cents)}"
                )
                self._close(writing, f"sign:{event.kind}:{table}", "another sign took its place")
                who = writing.book.limits.changed_by.value
                writing.item("limits", event.clauses, text, who, heard.at_ms, f"sign:{event.kind}", due + PROMPT_MS)
            case e.SignDisplayed(what="closing"):
                writing.occasion("closing", "closures", "closing", {})
            case e.SignTakenDown(what="limits") | e.LimitsSet():
                self._close(writing, f"sign:{event.kind}:{table}", sentence(event, writing.book))
            case e.DisputeRuled(player=player):
                self._close(writing, f"dispute:{player}:{table}", f"ruled, entry {heard.seq}")
            case e.TableStopped():
                text = "Find out why the table was stopped, and restart it with a second person"
                writing.item(
                    "irregularities", event.clauses, text, SUPERVISOR, heard.at_ms, "stopped", heard.at_ms + PROMPT_MS
                )
            case e.TableResumed():
                self._close(writing, f"stopped:{table}", f"let go on, entry {heard.seq}")
            case e.CardsReplaced() | e.CardsReplacedInDevice():
                if not told.practice and not self._waits(f"cards:{table}"):
                    writing.occasion("card-check", "cards", "cards", {})
            case e.CheckConfirmed():
                self._close(
                    writing, f"check:{event.check}:{table}", f"{sentence(event, writing.book)}, entry {heard.seq}"
                )
                if event.check == "decks":
                    self._close(writing, f"cards:{table}", f"the decks were checked at the table, entry {heard.seq}")
            case e.MispaymentRecorded() if isinstance(act, a.RecordMispayment):
                self._mispaid(writing, event, act.rectified)

    def _mispaid(self, writing: _Writing, event: e.MispaymentRecorded, rectified: bool) -> None:
        heard, day_ends = writing.heard, writing.day_ends_ms
        over = event.cents > 0
        amount = dollars(abs(event.cents))
        if UNDECIDED[writing.book.irregularities.mispayment.value]:
            if not rectified:
                paid = f"was paid {amount} too {'much' if over else 'little'}"
                text = (
                    f"Decide what follows, which the document leaves to the house, and say how: {event.player} {paid}"
                )
                writing.item("mispayments", event.clauses, text, SUPERVISOR, heard.at_ms, "", day_ends, event.player)
            return
        if not rectified:
            how = f"ask {event.player} for {amount} back" if over else f"pay {event.player} the missing {amount}"
            text = f"Put the payment right, or try to, and say how: {how}"
            writing.item("mispayments", event.clauses, text, SUPERVISOR, heard.at_ms, "", day_ends, event.player)
        if event.intentional:
            text = f"Suspected intent: put it right, and find out who was involved ({event.player}, {amount})"
            writing.item("mispayments", event.clauses, text, SUPERVISOR, heard.at_ms, "", day_ends, event.player)
        elif not event.reason:
            text = f"Write down the enquiries that show that it was not intentional ({event.player}, {amount})"
            clauses = tuple(each for row in on(writing.book.id, "mispayment") for each in row.clauses)
            writing.item(
                "mispayments", clauses or event.clauses, text, SUPERVISOR, heard.at_ms, "", day_ends, event.player
            )

    def _notice(self, writing: _Writing, act: AnyAct, event: e.NoticeGiven) -> None:
        heard, register = writing.heard, writing.main_register
        if event.to == REGULATOR and event.due == "end-of-month":
            self._for_the_month(writing, event)
            return
        for to in event.to.split(" and "):
            told_before = bool(getattr(act, "notified", False) or getattr(act, "verified", False))
            if to == PLAYERS or isinstance(act, a.Remind):
                evidence = f"shown at the table, entry {heard.seq}"
            elif told_before and (to in OUTSIDE or isinstance(act, a.DropCards)):
                evidence = f"told before, as entry {heard.seq} says"
            else:
                evidence = ""
            if not evidence and to not in OUTSIDE and isinstance(act, a.RecordMispayment):
                continue  # the items of the mispayment say so
            key = ""
            if isinstance(act, (a.RaiseDispute, a.AskReview)):
                key = f"dispute:{act.player}"
            waits = event.due == "before-play-goes-on"
            if waits:
                key = "approval"
            elif event.due == NEXT_DEAL:
                key = f"check:{to}"
            inside = to not in OUTSIDE and to != PLAYERS
            text, who = event.text, to if inside else SUPERVISOR
            writing.item(
                register, event.clauses, text, who, heard.at_ms, key, 0 if waits else heard.at_ms + PROMPT_MS,
                event.concerns, to=to, before_play=waits, evidence=evidence,
            )  # fmt: skip

    def _for_the_month(self, writing: _Writing, event: e.NoticeGiven) -> None:
        """One list a month and rulebook; what is recorded after it was sent goes into another."""
        heard, calendar = writing.heard, writing.calendar
        first = date_of(calendar, heard.at_ms).replace(day=1)
        name = base = f"mispayments:{writing.book.id}:{first:%Y-%m}"
        number = 1
        while name in self.items and self.items[name].done_ms:
            number += 1
            name = f"{base}:{number}"
        entry = f"{date_of(calendar, heard.at_ms)} {writing.table_name}: {event.text.partition(':')[0]}"
        known = self.items.get(name)
        if known is not None:
            self.items[name] = replace(known, text=f"{known.text}; {entry}")
            return
        after = (first + datetime.timedelta(days=32)).replace(day=1)
        text = f"Overpayments and underpayments above the amount that is reported, {first:%B %Y}: {entry}"
        self.items[name] = Item(
            name, "mispayments", heard.at_ms, writing.book.id, event.clauses, text, MANAGER, to=REGULATOR,
            due_ms=begins_ms(calendar, after + DAY),
        )  # fmt: skip

    def _waits(self, key: str) -> bool:
        return any(not self.items[name].done_ms for name in self.opens.get(key, ()))

    def _close(self, writing: _Writing, key: str, evidence: str) -> None:
        """What waited for this is done."""
        for name in self.opens.pop(key, ()):
            self.mark(writing.heard, name, evidence)

    def _find(self, register: str, line: str) -> Line | None:
        return next((each for each in self.lines.get(register, ()) if each.id == line), None)

    def add(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self.lines.setdefault(line.register, []).append(line)

    def jackpot_lines(self) -> list[Line]:
        """One line for each table and gaming day at which jackpot wagers were taken, from their sums."""
        found = []
        for key, (count, cents, part, at_ms) in self.jackpot_wagers.items():
            table, date = key.rsplit(" ", 1)
            told = self.tables[table]
            many = f"{count} jackpot wager{'s' * (count > 1)}"
            text = f"{many} of {dollars(cents)} on {date}; {dollars(part)} to the jackpot"
            clauses = clauses_on(told.rulebook, "jackpot-wagers")
            found.append(
                Line(
                    f"wagers.{table}.{date}",
                    "jackpots",
                    "wagers",
                    at_ms,
                    told.rulebook,
                    clauses,
                    text,
                    table,
                    cents=cents,
                )
            )
        return found


FOLLOWED = frozenset(
    {
        e.RoundBegan, e.TableLeft, e.SeatTaken, e.SignDisplayed, e.SignTakenDown, e.LimitsSet, e.IrregularityReported,
        e.ApprovalGiven, e.DisputeRuled, e.TableStopped, e.TableResumed, e.CardsReplaced, e.CardsReplacedInDevice,
        e.MispaymentRecorded, e.JackpotWagerCollected, e.CheckConfirmed,
    }
)  # fmt: skip
"""Events from which something follows besides their line (`Registers._also`)."""


TOLD_MORE = frozenset(
    {
        e.PatronTold, e.LimitsSet, e.SignDisplayed, e.SignTakenDown, e.MispaymentRecorded, e.DisputeRuled,
        e.ApprovalGiven,
    }
)  # fmt: skip
"""Events whose line says more than their sentence (`Registers._line_of`)."""


def marked(item: Item, mark: Mark) -> Item:
    return replace(item, done_ms=max(mark.at_ms, 1), done_by=mark.by, evidence=mark.evidence)


class _Writing:
    """Lines and items of one entry of the log."""

    __slots__ = ("_book", "_items", "heard", "lines", "registers", "rulebook", "table")

    def __init__(self, book_of: Registers, heard: Heard, table: str, book: Rulebook | None, rulebook: str = "") -> None:
        self.registers, self.heard, self.table = book_of, heard, table
        self._book, self.rulebook = book, rulebook if book is None else book.id
        self.lines: list[Line] = []
        self._items = 0

    @property
    def book(self) -> Rulebook:
        assert self._book is not None  # whoever needs it has said by which rules
        return self._book

    @property
    def calendar(self) -> Calendar:
        return calendar_of(self.book)

    @property
    def day_ends_ms(self) -> int:
        return begins_ms(self.calendar, date_of(self.calendar, self.heard.at_ms) + DAY)

    @property
    def table_name(self) -> str:
        told = self.registers.tables.get(self.table)
        return told.name if told is not None else self.table

    @property
    def main_register(self) -> str:
        """Where the first line of this entry stands that is more than an irregularity; a notice belongs there."""
        for line in self.lines:
            if line.register != "irregularities":
                return line.register
        return "irregularities"

    def line(
        self, register: str, kind: str, clauses: tuple[str, ...], text: str, *, person: str = "", cents: int = 0
    ) -> str:
        heard = self.heard
        line = Line(
            f"{heard.seq}.{len(self.lines)}", register, kind, heard.at_ms, self.rulebook, clauses, text, self.table,
            person, heard.by, heard.role, heard.second, cents,
        )  # fmt: skip
        self.lines.append(line)
        self.registers.lines.setdefault(register, []).append(line)
        return line.id

    def item(
        self,
        register: str,
        clauses: tuple[str, ...],
        text: str,
        who: str,
        at_ms: int,
        key: str,
        due_ms: int = 0,
        concerns: str = "",
        *,
        to: str = "",
        before_play: bool = False,
        lapses: bool = False,
        evidence: str = "",
    ) -> None:
        name = f"{self.heard.seq}:{self._items}"
        self._items += 1
        line = ""
        for each in self.lines:
            if each.register == register:
                line = each.id
                break
        item = Item(
            name, register, at_ms, self.rulebook, clauses, text, who, to, line, self.table, concerns, due_ms,
            before_play, lapses,
        )  # fmt: skip
        if evidence:
            item = marked(item, Mark(at_ms, self.heard.by, evidence))
        self.registers.items[name] = item
        if item.done_ms:
            return
        if key:
            whole = key if key.startswith("proposal:") else f"{key}:{self.table}"
            self.registers.opens.setdefault(whole, []).append(name)
        if before_play:
            self.registers.before_play.setdefault(self.table, []).append(name)

    def occasion(self, occasion: str, register: str, key: str, more: dict[str, str], concerns: str = "") -> None:
        """What the document wants on an occasion."""
        for row in on(self.rulebook, occasion):
            words = {"table": self.table_name, **more}
            self._wanted(row, register, key, row.text.format_map(words), concerns)

    def _wanted(self, row: Row, register: str, key: str, text: str, concerns: str) -> None:
        heard = self.heard
        to = row.who if row.who in OUTSIDE or row.who == PLAYERS else ""
        who = SUPERVISOR if to else row.who
        evidence = f"shown at the table, entry {heard.seq}" if to == PLAYERS else ""
        due = {"now": heard.at_ms + PROMPT_MS, "end-of-day": self.day_ends_ms if row.due == "end-of-day" else 0}
        self.item(
            register, row.clauses, text, who, heard.at_ms, key, due.get(row.due, 0), concerns, to=to,
            before_play=row.due == "before-play", evidence=evidence,
        )  # fmt: skip


def _sign_key(what: str, kind: str) -> str:
    return what if what == "closing" else f"{what}:{kind}"


def _limits(minimum_cents: int, maximum_cents: int) -> str:
    return f"{dollars(minimum_cents)} to {dollars(maximum_cents)}"


def _plain(word: str) -> str:
    return word.replace("-", " ")
