"""Erasing what is kept of a person: asked for by one, approved by another, refused while a duty to keep it stands.

What a file says is sealed under a key of that person's own. Erasing destroys the key, and writes into the file that it
was done, in one transaction: the chain stays as it was, and nobody reads it any more, nor in segments. What stays is
what the rules want of the game: acts at tables, and lines of registers that came of them, under the account's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

import msgspec

from pitboss.floor.audit import Note
from pitboss.floor.model import Accepted, Answer, Caller, Denied, NotAllowed, Unknown
from pitboss.floor.patron_book import STREAM as FILES
from pitboss.floor.patron_book import stream_of
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.permissions import may
from pitboss.floor.projections import Fold
from pitboss.floor.promotion_book import FORGOTTEN, ClaimantBody, Known, promotions_of
from pitboss.floor.promotion_book import stream_of as promotion_stream
from pitboss.floor.registers import FileLines, all_kept, book_of
from pitboss.floor.shared_stream import SharedStream, entry_of
from pitboss.patrons.engine import evolve, turned
from pitboss.patrons.gaming_day import Moment
from pitboss.patrons.state import PatronFile
from pitboss.promotions.state import WON
from pitboss.registers.model import Item
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import ERASED, Append, Appended, Entry, NewEntry, Part
from pitboss.table.refusals import Refusal

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

STREAM = "erasures"
ASKED, ANSWERED, SETTING, DONE = "asked", "answered", "retention", "erased"
DAY_MS = 86_400_000
FILE_DAYS = 2_557
"""Seven years, with their leap days: so long a file is kept after something was last written in it, unless the house
says otherwise."""
DAYS_MOST = 36_525
TEXT_MAX = 200


class Retention(msgspec.Struct, frozen=True):
    """How long what is kept of people is kept."""

    file_days: int = FILE_DAYS
    """After something was last written in a file."""
    claim_days: int = FILE_DAYS
    """After a claim was denied of which name and address are kept."""


class Asked(msgspec.Struct, frozen=True):
    name: str
    why: str
    role: str


class Answered(msgspec.Struct, frozen=True):
    name: str
    approved: bool


class ErasedBody(msgspec.Struct, frozen=True):
    """What a file says of its being erased; in the open, so that everybody sees who did it."""

    by: tuple[str, ...]
    why: str


class Waiting(msgspec.Struct, frozen=True):
    """An erasure that waits for a second person."""

    name: str
    why: str
    by: str
    at_ms: int


class Gone(msgspec.Struct, frozen=True):
    """An erasure that was done."""

    name: str
    why: str
    by: tuple[str, ...]
    at_ms: int


class LastWritten(msgspec.Struct, frozen=True):
    """When something was last written in somebody's file."""

    name: str
    at_ms: int


class Looks(Fold):
    """Who looked at whose file: one line each, oldest first."""

    name: ClassVar[str] = "looks"
    version: ClassVar[int] = 1
    stream: ClassVar[str] = "audit"

    at: dict[str, list[tuple[int, str, str, str]]] = msgspec.field(default_factory=dict)
    """By the person in small letters: when, who, as whom, what and why."""

    def apply(self, entry: Entry) -> None:
        if entry.kind == SEEN:
            note = msgspec.json.decode(entry.body, type=Note)
            self.at.setdefault(note.text.lower(), []).append((entry.at_ms, note.who, note.role, note.what))


SEEN = "file-seen"


class Erasures(SharedStream):
    """What was asked for, answered and done, and how long things are kept."""

    stream = STREAM
    hidden = True

    def __init__(self, floor: Floor, files: FileLines | None = None) -> None:
        super().__init__(floor.commits)
        self._floor = floor
        self._files = files or FileLines(floor.commits.log)
        self.waiting: dict[str, Waiting] = {}
        self.done: list[Gone] = []
        self.retention = Retention()

    def apply(self, entry: Entry) -> None:
        if entry.kind == ASKED:
            asked = msgspec.json.decode(entry.body, type=Asked)
            self.waiting[asked.name.lower()] = Waiting(asked.name, asked.why, entry.by, entry.at_ms)
        elif entry.kind == ANSWERED:
            self.waiting.pop(msgspec.json.decode(entry.body, type=Answered).name.lower(), None)
        elif entry.kind == SETTING:
            self.retention = msgspec.json.decode(entry.body, type=Retention)
        elif entry.kind == DONE:
            self.done.append(msgspec.json.decode(entry.body, type=Gone))

    # --- how long ---

    async def set_retention(self, caller: Caller, wanted: Retention) -> Answer:
        """A gaming manager says how long."""
        denied = may(caller, "set-retention")
        if denied is not None:
            return denied
        if not all(1 <= each <= DAYS_MOST for each in (wanted.file_days, wanted.claim_days)):
            return Denied(f"write days, from 1 to {DAYS_MOST:,}.")
        return await self.write(
            lambda: ([entry_of(SETTING, wanted)], Accepted("", self.version + 1)), at_ms=self._now(), by=caller.name
        )

    async def due(self) -> list[LastWritten]:
        """Whose file was kept as long as it is to be kept, oldest first; those with a duty to keep it among them."""
        before = self._now() - self.retention.file_days * DAY_MS
        found: list[LastWritten] = await self._commits.run(self._last_written)
        return [each for each in found if each.at_ms <= before]

    def _last_written(self) -> list[LastWritten]:
        log = self._commits.log
        gone = {each.name.lower(): each.at_ms for each in self.done}
        found = []
        for stream, version in log.streams(FILES).items():
            for entry in log.read(stream, version - 1, 1):
                name = stream.removeprefix(FILES)
                if entry.at_ms > gone.get(name, -1):
                    found.append(LastWritten(name, entry.at_ms))
        return sorted(found, key=lambda each: each.at_ms)

    # --- by two people ---

    async def ask(self, caller: Caller, name: str, rulebook: Rulebook, why: str) -> Answer:
        """Somebody asks for it; a second person has to approve."""
        denied = may(caller, "ask-erasure")
        if denied is not None:
            return denied
        if not why.strip() or len(why) > TEXT_MAX or not why.isprintable():
            return Denied(f"say why, in one line of at most {TEXT_MAX} characters.")
        refused = await self.refusal(name, rulebook)
        if refused is not None:
            return NotAllowed("", refused)

        def decide() -> tuple[list[NewEntry], Answer]:
            if name.lower() in self.waiting:
                return [], Unknown("that is asked for already, and waits for a second person.")
            return [entry_of(ASKED, Asked(name, why, caller.role))], Accepted("", self.version + 1)

        return await self.write(decide, at_ms=self._now(), by=caller.name)

    async def answer(self, caller: Caller, name: str, rulebook: Rulebook, approve: bool) -> Answer:
        """A second person approves, and it is done; or does not."""
        denied = may(caller, "answer-erasure")
        if denied is not None:
            return denied
        asked = self.waiting.get(name.lower())
        if asked is None:
            return Unknown(f"nobody asked for what is kept of {name[:60]!r} to be erased.")
        if approve and asked.by == caller.name:
            return Denied("the second person must be someone other than the first.")
        refused = await self.refusal(name, rulebook) if approve else None
        if refused is not None:
            return NotAllowed("", refused)
        if approve:
            return await self.erase(name, (asked.by, caller.name), asked.why)
        new = entry_of(ANSWERED, Answered(name, approved=False))
        return await self.write(lambda: ([new], Accepted("", self.version + 1)), at_ms=self._now(), by=caller.name)

    async def erase(self, name: str, by: tuple[str, ...], why: str) -> Answer:
        """Do it: the key is destroyed in the transaction that says so."""
        floor, key = self._floor, name.lower()
        book, promotions = patrons_of(floor).book, promotions_of(floor)
        for _ in range(10):
            await self.catch_up()
            await promotions.follow()
            await book.load(name)
            now = self._now()
            body = msgspec.json.encode(ErasedBody(by, why))
            done = [entry_of(DONE, Gone(name, why, by, now), hidden=True)]
            if key in self.waiting:
                done.insert(0, entry_of(ANSWERED, Answered(name, approved=True), hidden=True))
            parts = [
                Part(stream_of(name), book.version(name), (NewEntry(ERASED, body),)),
                Part(self.stream, self.version, tuple(done)),
                *forgetting(promotions.known.values(), name),
            ]
            outcome = await self._commits.run(floor.commits.log.erase, Append(tuple(parts), now, by[-1]), key)
            if isinstance(outcome, Appended):
                await self.catch_up()
                await promotions.follow()
                await book.load(name)
                return Accepted("", self.version)
        return Unknown("others keep writing to this file: try again.")

    # --- why not ---

    async def refusal(self, name: str, rulebook: Rulebook) -> Refusal | None:
        """The duty to keep what is kept of somebody, or None where none stands."""
        floor = self._floor
        book = patrons_of(floor).book
        await self.catch_up()
        await promotions_of(floor).follow()
        await book.load_day()
        file = await book.load(name)
        if not book.version(name):
            return Refusal(rulebook.name, rulebook.patrons.looked_up_by.clauses, f"nothing is kept about {name}.")
        file = evolve(file, turned(rulebook, file, book.now(rulebook)))
        kept = await self._commits.run(all_kept, floor.projections, self._files)
        last = await self._commits.run(self._last_written)
        at_ms = next((each.at_ms for each in last if each.name == name.lower()), 0)
        return why_kept(
            file, rulebook, book.now(rulebook), kept.items, promotions_of(floor).known.values(), at_ms, self.retention
        )

    def _now(self) -> int:
        return self._floor.clock.now_ms()


def why_kept(
    file: PatronFile,
    book: Rulebook,
    now: Moment,
    items: Iterable[Item],
    promotions: Iterable[Known],
    last_ms: int,
    retention: Retention,
) -> Refusal | None:
    """The first duty for which a file must be kept as things stand."""
    terms, name = book.patrons, file.name.lower()

    def no(clauses: Sequence[str], text: str, rules: Rulebook = book) -> Refusal:
        return Refusal(rules.name, tuple(clauses), text)

    for each in file.exclusions:
        if each.holds_on(now.date):
            rules = book_of(each.rulebook)
            term = rules.patrons.excluded_by if each.scope == "casino" else rules.irregularities.barred_by
            return no(
                term.clauses, f"{file.name} is excluded from the {each.scope}: that is kept while it holds.", rules
            )
    for held in file.restrictions:
        if held.holds_on(now.date):
            rules = book_of(held.rulebook)
            return no(
                rules.limits.restrictions.clauses, f"{file.name} is restricted: that is kept while it holds.", rules
            )
    if file.loss_limit is not None and file.loss_limit.cents is not None:
        return no(book.wagers.loss_limit.clauses, f"{file.name} has a loss limit, which holds until it is lifted.")
    if file.loss_later is not None:
        return no(book.wagers.loss_limit.clauses, f"{file.name}'s loss limit holds until its period ends.")
    if file.deposit_limit_cents is not None:
        return no(terms.limits_by.clauses, f"{file.name} has a deposit limit, which holds until it is lifted.")
    if file.open or file.practice.open or file.pocket_cents:
        return no(book.wagers.means.clauses, f"{file.name} has chips or wagers in the house.")
    for item in items:
        if not item.done_ms and item.concerns.lower() == name and item.register in ("disputes", "complaints"):
            return no(item.clauses, f"something of theirs is open: {item.text}", book_of(item.rulebook))
    for known in promotions:
        refused = _in_promotion(known, file.name, now, retention)
        if refused is not None:
            return refused
    until = last_ms + retention.file_days * DAY_MS
    if last_ms and now.at_ms < until:
        days = -(-(until - now.at_ms) // DAY_MS)
        text = f"a file is kept for {retention.file_days:,} days after something was last written in it: {days:,} more."
        return no(terms.looked_up_by.clauses, text)
    return None


def _in_promotion(known: Known, name: str, now: Moment, retention: Retention) -> Refusal | None:
    state, terms, rules = known.state, known.book.promotions, known.book

    def no(clauses: tuple[str, ...], text: str) -> Refusal:
        return Refusal(rules.name, clauses, f"{known.title}: {text}")

    if state.status != "ended" and state.entries_of(name):
        return no((terms.items.value["eligibility"],), f"{name} has entries in it, and it is not over.")
    if any(win.name == name and win.status == WON for win in state.wins.values()):
        return no((terms.items.value["award"],), f"{name} has won a prize that was not handed over.")
    if state.vouchers.get(name, 0) > 0:
        return no(rules.wagers.tokens_by.clauses, f"{name} holds a voucher.")
    if any(each.name == name and not each.ruling for each in state.disputes):
        return no(terms.disputes.clauses, f"a dispute of {name} is open.")
    for each in state.denied:
        until = int(each.at.timestamp() * 1000) + retention.claim_days * DAY_MS
        if each.name == name and each.kept and now.at_ms < until:
            return no(terms.denied_kept_above_cents.clauses, f"a denied claim of {name} is kept for its time.")
    return None


def forgetting(promotions: Iterable[Known], name: str) -> list[Part]:
    """In every promotion that knows who they are, that this was erased."""
    found = []
    for known in promotions:
        if any(each.name.lower() == name.lower() and each.full_name for each in known.state.denied):
            body = msgspec.json.encode(ClaimantBody(name, "", "", ""))
            found.append(Part(promotion_stream(known.name), known.version, (NewEntry(FORGOTTEN, body, hidden=True),)))
    return found


def may_see_looks(caller: Caller, name: str) -> Denied | None:
    """Who looked at a file is for the person, and for those who read the audit."""
    if caller.role == "player" and caller.name.lower() == name.lower():
        return None
    return may(caller, "see-audit")
