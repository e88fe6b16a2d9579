"""The registers of a live floor: asked behind the gate, and written by those who may, once each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import replace

from pitboss.floor.gate import Busy
from pitboss.floor.mailing import Mail, MailError, message, send
from pitboss.floor.model import Accepted, Answer, Caller, Denied, Halted, NotAllowed, Unknown
from pitboss.floor.patron_book import may_look_up
from pitboss.floor.permissions import AT_THE_TABLE, may
from pitboss.floor.promotion_lines import REGISTER as IN_PROMOTIONS
from pitboss.floor.registers import (
    STREAM,
    WRITTEN,
    FileLines,
    HouseRegisters,
    RegisterBody,
    all_kept,
    book_of,
    decode_register,
)
from pitboss.floor.shared_stream import SharedStream, entry_of
from pitboss.registers.acts import (
    BY_THE_PERSON,
    SELF,
    AnyRegisterAct,
    AnyWritten,
    BeginSending,
    MarkDone,
    SendingFailed,
    cause,
    refuse,
)
from pitboss.registers.asking import Kept
from pitboss.registers.model import Item, Line
from pitboss.registers.paper import shown_at
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Entry, NewEntry
from pitboss.table.refusals import Refusal

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

T = TypeVar("T")
SOMEBODY = "a patron"
"""In the place of a person whose file the reader may not see."""
WRITERS = frozenset({"gaming-supervisor", "supervisor", "gaming-manager", "inspector"})


class RegisterBook(SharedStream):
    """What is written into the registers by hand, and the questions that all of them answer."""

    stream = STREAM

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor.commits)
        self._floor = floor
        self.files = FileLines(floor.commits.log)
        self.marked: set[str] = set()
        """Items that somebody marked as done, so that nobody does it again."""
        self.sending: set[str] = set()
        """Notices that were handed to a mail server, of which it is not known yet whether it took them."""
        self.mail: Mail | None = None
        """How notices are sent, where somebody has said it."""

    def apply(self, entry: Entry) -> None:
        if entry.kind != WRITTEN:
            return
        act = decode_register(entry.body).act
        if isinstance(act, MarkDone):
            self.marked.add(act.item)
        elif isinstance(act, BeginSending):
            self.sending.add(act.item)
        if isinstance(act, (MarkDone, SendingFailed)):
            self.sending.discard(act.item)

    # --- asking ---

    async def ask(self, caller: Caller, question: Callable[[Kept], T]) -> T:
        """What the registers answer to whoever may read them; persons whom they may not look up are left out."""

        def answer() -> T:
            return question(for_reader(all_kept(self._floor.projections, self.files), caller))

        found: T = await self._floor.gate.run_long(caller.name, answer)
        return found

    # --- writing ---

    async def do(self, caller: Caller, rulebook: Rulebook, act: AnyRegisterAct, command: str) -> Answer:
        """Write something down in the caller's own role; the same command again gets the first answer."""
        denied = may_write(caller, act)
        if denied is not None:
            return denied
        act = replace(act, by=SELF if caller.role == "player" else AT_THE_TABLE[caller.role])
        item = await self._item(caller, act.item) if isinstance(act, MarkDone) else None
        refused = refuse(rulebook, act, caller.name) or await self._refused_here(caller, rulebook, act, item)
        if refused is not None:
            first = await self._commits.run(self._commits.log.answer, command)
            if first is not None:
                return msgspec.json.decode(first, type=Accepted)
            return refused if isinstance(refused, Unknown) else NotAllowed("", refused)
        now, version = self._floor.clock.now_ms(), self.version
        body = RegisterBody(rulebook.id, act, cause(rulebook, act), caller.role)

        def decide() -> tuple[list[NewEntry], Answer]:
            if item is not None and item.id in self.marked:
                return [], NotAllowed("", _done_already(item))
            return [entry_of(WRITTEN, body)], Accepted("", version + 1)

        def repeated(answer: bytes) -> Answer:
            try:
                return msgspec.json.decode(answer, type=Accepted)
            except msgspec.DecodeError:
                return Unknown("that id was used for something else: write it with another one.")

        return await self.write(decide, at_ms=now, by=caller.name, command=command, repeated=repeated)

    async def send(self, caller: Caller, name: str, command: str) -> Answer:
        """Send a notice by e-mail to whoever it is for; done once the mail server has taken it.

        That it begins is written first: whoever comes second sends nothing, and after a crash in between nobody
        sends it again unseen.
        """
        denied = may(caller, "see-registers")
        if denied is not None:
            return denied
        if caller.role not in WRITERS - {"inspector"}:
            return Denied("the house sends its notices itself.")
        mail = self.mail
        if mail is None:
            return Unknown("no mail server is set up (pitboss serve --mail): tell them, and mark it as done.")
        book = await self._floor.gate.run_long(caller.name, all_kept, self._floor.projections, self.files)
        item = next((each for each in book.items if each.id == name), None)
        if item is None or not item.to:
            return Unknown(f"there is no notice {name[:60]!r}.")
        rules = book_of(item.rulebook)
        if item.register == IN_PROMOTIONS:
            text = "that is done on the promotion's page, where the rules are checked."
            return NotAllowed("", Refusal(rules.name, item.clauses, text))
        if item.to not in mail.addresses:
            return NotAllowed("", Refusal(rules.name, item.clauses, f"no address is known of {item.to}."))
        address = mail.addresses[item.to]

        def begin() -> tuple[list[NewEntry], Refusal | None]:
            if item.done_ms or name in self.marked:
                return [], _done_already(item)
            if name in self.sending:
                text = "it is being sent, or a server stopped while it was: ask the addressee, and mark it as done."
                return [], Refusal(rules.name, item.clauses, text)
            return [self._entry(rules, BeginSending(caller.role, name, address), caller)], None

        refused = await self.write(begin, at_ms=self._floor.clock.now_ms(), by=caller.name)
        if refused is not None:
            return NotAllowed("", refused)
        due, arose = (shown_at(book, item.rulebook, at_ms) for at_ms in (item.due_ms, item.at_ms))
        letter = message(mail, item, due, arose)
        try:
            await self._floor.gate.run(caller.name, send, mail, letter)
        except (MailError, Busy) as error:
            why = str(error)
            await self._write_down(rules, SendingFailed(caller.role, name, why), caller)
            return Halted(f"{why}.")
        evidence = f"e-mail to {address}, {letter['Message-ID']}"
        await self._write_down(rules, MarkDone(AT_THE_TABLE[caller.role], name, evidence), caller)
        return Accepted("", self.version)

    async def _write_down(self, rules: Rulebook, act: AnyWritten, caller: Caller) -> None:
        entry = self._entry(rules, act, caller)
        await self.write(lambda: ([entry], None), at_ms=self._floor.clock.now_ms(), by=caller.name)

    @staticmethod
    def _entry(rules: Rulebook, act: AnyWritten, caller: Caller) -> NewEntry:
        return entry_of(WRITTEN, RegisterBody(rules.id, act, (), caller.role))

    async def _item(self, caller: Caller, name: str) -> Item | None:
        book = await self._floor.gate.run_long(caller.name, all_kept, self._floor.projections, self.files)
        return next((item for item in book.items if item.id == name), None)

    async def _refused_here(
        self, caller: Caller, rulebook: Rulebook, act: AnyRegisterAct, item: Item | None
    ) -> Refusal | Unknown | None:
        if isinstance(act, MarkDone):
            return refuse_mark(item, act, caller.role)

        def answer() -> Refusal | None:
            found: Refusal | None = self._floor.projections.ask(
                HouseRegisters, lambda fold: fold.registers.refuse(rulebook, act)
            )
            return found

        found: Refusal | None = await self._floor.gate.run_long(caller.name, answer)
        return found


def refuse_mark(item: Item | None, act: MarkDone, role: str) -> Refusal | Unknown | None:
    """Why something cannot be marked as done by somebody of this role; a slip of the pen is no matter of the rules."""
    if item is None:
        return Unknown(f"nothing due is called {act.item[:60]!r}.")
    name = book_of(item.rulebook).name
    if item.done_ms:
        return _done_already(item)
    if item.register == IN_PROMOTIONS:
        return Refusal(name, item.clauses, "that is done on the promotion's page, where the rules are checked.")
    if role == "inspector" and item.to != "inspector":
        return Refusal(name, item.clauses, "an inspector confirms what an inspector was told, and the house the rest.")
    return None


def _done_already(item: Item) -> Refusal:
    return Refusal(book_of(item.rulebook).name, item.clauses, "that is done already.")


def may_write(caller: Caller, act: AnyRegisterAct) -> Denied | None:
    """Why this caller writes nothing of the kind, or None; whether the rules let them is asked then."""
    if caller.role in WRITERS or (isinstance(act, BY_THE_PERSON) and caller.role in ("player", "dealer")):
        return None
    if caller.role in ("player", "dealer"):
        return Denied("a supervisor writes that into the registers.")
    return may(caller, "see-registers") or Denied("that is not for you to write.")


def for_reader(book: Kept, caller: Caller) -> Kept:
    """The registers as somebody may see them: of whom they may not look up, neither name nor what was said."""
    hidden = {name for name in book.calendars if may_look_up(caller, "", book_of(name)) is not None}
    if not hidden:
        return book
    lines = {name: [_without_person(each, hidden) for each in found] for name, found in book.lines.items()}
    return Kept(lines, [_without_person(each, hidden) for each in book.items], book.calendars)


Entered = TypeVar("Entered", Line, Item)


def _without_person(each: Entered, hidden: set[str]) -> Entered:
    person = each.person if isinstance(each, Line) else each.concerns
    if each.rulebook not in hidden or not person:
        return each
    if isinstance(each, Line):
        return replace(each, person=SOMEBODY, text=f"{each.kind}, of {SOMEBODY}")
    return replace(each, concerns=SOMEBODY, text=f"about {SOMEBODY}", to=each.to if each.to != person else SOMEBODY)
