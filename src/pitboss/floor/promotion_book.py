"""Promotions on a live floor: each is a stream of its own in the log, and what its vouchers become at tables is in it.

A promotion is decided by its own room (`pitboss.promotions`), in the caller's role and at this moment. What a table
issues in promotional tokens is written to the promotion whose voucher it was, in the append of the act.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Awaitable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from pitboss.basics.money import dollars
from pitboss.chance import secret_token, shuffled
from pitboss.floor.attachments import Attachment, Commits, Concerns, Decided, Spanning
from pitboss.floor.model import FLOOR, Accepted, Answer, Caller, Denied, NotAllowed, Opening, Taken, Unknown
from pitboss.floor.patron_book import stream_of as person_stream
from pitboss.floor.permissions import AT_THE_TABLE
from pitboss.floor.shared_stream import TRIES
from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.acts import PLAYER, AnyPromotionAct, PromotionAct
from pitboss.promotions.conditions import Conditions
from pitboss.promotions.drawing import digest_of, entries_of, seed_of
from pitboss.promotions.engine import decide, evolve
from pitboss.promotions.events import AnyPromotionEvent, PromotionEvent
from pitboss.promotions.records import PLAYERS_OWN, PromotionRecord, Replayed, Result, Step, whole
from pitboss.promotions.state import AWARDED, Promotion
from pitboss.rulebooks import load
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Append, Appended, Entry, NewEntry, Part, Repeated, Stale, StoreError
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

STREAM = "promotion:"
PROMOTION, CLAIMANT, FORGOTTEN = "promotion", "claimant", "forgotten"
OFFERED = "promotion-offered"
WRITERS = frozenset({"player", "dealer", "gaming-supervisor", "supervisor", "gaming-manager"})


class PromotionBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of a promotion holds."""

    rulebook: str
    act: AnyPromotionAct
    events: tuple[AnyPromotionEvent, ...]
    role: str = ""
    secret: str = ""
    """Of a draw, where the floor made it: nobody is shown it before it is revealed."""


class PromotionOffered(msgspec.Struct, frozen=True):
    """An entry of the stream `floor`."""

    promotion: str


class ClaimantBody(msgspec.Struct, frozen=True):
    """Who somebody is whose claim was denied: apart from what happened, so that it can be erased by itself."""

    name: str
    prize: str
    full_name: str
    address: str


decode_promotion = msgspec.json.Decoder(PromotionBody).decode
decode_claimant = msgspec.json.Decoder(ClaimantBody).decode
_encode = msgspec.json.Encoder().encode


def stream_of(name: str) -> str:
    return STREAM + name


class Done(NamedTuple):
    """One entry of a promotion: what was asked for, by whom, and what came of it."""

    version: int
    at_ms: int
    by: str
    role: str
    act: AnyPromotionAct
    events: tuple[PromotionEvent, ...]


class Known:
    """One promotion as this process knows it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.state = Promotion()
        self.version = 0
        self.rulebook = ""
        self.done: list[Done] = []
        self.secrets: dict[str, str] = {}
        """Of draws that are still to come, where the floor keeps them."""
        self.has_tokens = False
        """Whether a voucher was ever issued in it."""

    @property
    def book(self) -> Rulebook:
        return load(self.rulebook)

    @property
    def title(self) -> str:
        return self.state.conditions.title if self.state.conditions is not None else self.name

    def fold(self, entry: Entry) -> None:
        """The next entry of its stream; what is known already changes nothing."""
        if entry.version != self.version + 1:
            return
        self.version = entry.version
        if entry.kind == CLAIMANT:
            said = decode_claimant(entry.body)
            denied = tuple(
                replace(each, full_name=said.full_name, address=said.address)
                if (each.name, each.prize) == (said.name, said.prize)
                else each
                for each in self.state.denied
            )
            self.state = replace(self.state, denied=denied)
        elif entry.kind == FORGOTTEN:
            self.forget(decode_claimant(entry.body).name)
        elif entry.kind == PROMOTION:
            body = decode_promotion(entry.body)
            self.rulebook = body.rulebook
            self.state = evolve(self.state, body.events)
            self.done.append(Done(entry.version, entry.at_ms, entry.by, body.role, body.act, body.events))
            if body.secret and isinstance(body.act, pa.CommitDraw):
                self.secrets[body.act.draw] = body.secret
            for event in body.events:
                self.has_tokens = self.has_tokens or isinstance(event, pe.VoucherIssued)
                if isinstance(event, pe.DrawMade | pe.DrawPostponed | pe.DrawCancelled):
                    self.secrets.pop(event.draw, None)

    def forget(self, name: str) -> None:
        """Nobody is shown any more who somebody of this name is."""
        denied = tuple(
            replace(each, full_name="", address="") if each.name.lower() == name.lower() else each
            for each in self.state.denied
        )
        self.state = replace(self.state, denied=denied)

    def result(self) -> Result:
        """As a record that was replayed, for reports."""
        steps = tuple(Replayed(number, each.act, each.events) for number, each in enumerate(self.done, start=1))
        conditions = self.state.conditions or Conditions("", self.rulebook)
        record = PromotionRecord(self.title, conditions, tuple(Step(each.act) for each in self.done))
        return Result(record, self.book, steps, self.state, ())


class Proof(msgspec.Struct, frozen=True):
    """All that is needed to make a draw again."""

    draw: str
    digest: str
    secret: str
    word: str
    seed: str
    entries: tuple[str, ...]
    """Every entry that took part, in the order in which they came."""
    drawn: tuple[str, ...]
    """As far as somebody had to look."""
    holds: bool
    """Whether the digest is that of the secret, and the same entries are drawn again."""


def proofs(known: Known) -> Iterator[Proof]:
    """Every draw that was made, made again from what is written down."""
    state, digests = Promotion(), dict[str, str]()
    for done in known.done:
        for event in done.events:
            if isinstance(event, pe.DrawCommitted):
                digests[event.draw] = event.digest
            if isinstance(event, pe.DrawMade):
                entries = entries_of(state, event.draw)
                seed = seed_of(event.secret, event.word, event.draw, entries)
                order = shuffled(entries, seed) if entries else ()
                awarded = {win.name for win in state.wins.values() if (win.draw, win.status) == (event.draw, AWARDED)}
                names = dict.fromkeys(each.rpartition("#")[0] for each in order)
                found = [name for name in names if name not in awarded][: len(event.drawn)]
                digest = digests.get(event.draw, "")
                same = found == list(event.drawn) and len(entries) == event.entries
                holds = same and digest_of(event.secret) == digest
                yield Proof(event.draw, digest, event.secret, event.word, seed, tuple(entries), event.drawn, holds)
        state = evolve(state, done.events)


class Promotions(Spanning):
    """The promotions of a floor."""

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor)
        self.known: dict[str, Known] = {}
        self._writing = asyncio.Lock()
        self._attachment = AtTable(self)
        self._any = False

    def fold(self, entry: Entry) -> None:
        """One entry of the stream `floor`: as long as no promotion was ever offered, none is looked for."""
        self._any = self._any or entry.kind == OFFERED

    async def follow(self) -> list[Attachment]:
        if not self._any:
            return []
        versions = {name: known.version for name, known in self.known.items()}
        for entry in await self.floor.commits.run(self._read_on, versions):
            name = entry.stream.removeprefix(STREAM)
            known = self.known.get(name)
            if known is None:
                known = self.known[name] = Known(name)
            known.fold(entry)
        return []

    def _read_on(self, versions: dict[str, int]) -> list[Entry]:
        """Whatever was written to any promotion since."""
        log = self.floor.commits.log
        found: list[Entry] = []
        for stream, version in log.streams(STREAM).items():
            after = versions.get(stream.removeprefix(STREAM), 0)
            if version > after:
                found += log.read(stream, after)
        return found

    async def attached_to(self, table: str, opening: Opening, now: Table) -> Attachment | None:
        return self._attachment if load(opening.rulebook).promotions.offered.value else None

    # --- acts ---

    async def offer(self, caller: Caller, name: str, rulebook: Rulebook, terms: Conditions, command: str) -> Answer:
        """Lay down the terms of a new promotion."""
        act = pa.OfferPromotion("", datetime.datetime.min, terms)
        return await self._do(caller, name, rulebook, act, command, is_new=True)

    async def do(self, caller: Caller, name: str, act: PromotionAct, command: str) -> Answer:
        """Carry an act out in the caller's own role, now; durable when it returns."""
        await self.follow()
        known = self.known.get(name)
        if known is None:
            return Unknown(f"there is no promotion {name[:60]!r}.")
        return await self._do(caller, name, known.book, act, command, is_new=False)

    async def _do(
        self, caller: Caller, name: str, rulebook: Rulebook, act: PromotionAct, command: str, *, is_new: bool
    ) -> Answer:
        denied = may_do(caller, act)
        if denied is not None:
            return denied
        commits = self.floor.commits
        async with self._writing:
            for _ in range(TRIES):
                await self.follow()
                known = self.known.get(name) or Known(name)
                if is_new and known.version:
                    first = await self._first(command)
                    return first or Taken(f"there is a promotion {name} already; choose another name.")
                if not _is_own(caller, known.state, act):
                    return Denied("a player speaks for themselves only.")
                asked, secret = self._whole(known, caller, act)
                decided = decide(rulebook, known.state, asked)
                if isinstance(decided, Refusal):
                    return await self._first(command) or NotAllowed("", decided)
                role = AT_THE_TABLE.get(caller.role, PLAYER)
                new = tuple(entries_for(rulebook, asked, decided, role, secret))
                part = Part(stream_of(name), known.version, new)
                parts = (part, *(await self._guards(new)))
                if is_new:
                    told = NewEntry(OFFERED, _encode(PromotionOffered(name)))
                    parts = (*parts, Part(FLOOR, self.floor.version, (told,)))
                said = Accepted("", known.version + len(new))
                item = Append(parts, self.floor.clock.now_ms(), caller.name, command, _encode(said))
                outcome = await commits.append(item)
                if isinstance(outcome, Appended | Stale) and is_new:
                    await self.floor.follow()
                if isinstance(outcome, Appended):
                    await self.follow()
                    return said
                if isinstance(outcome, Repeated):
                    return _accepted(outcome.answer)
                if not isinstance(outcome, Stale):
                    raise StoreError(f"{part.stream}: the log answered {type(outcome).__name__}; nothing was written.")
        raise StoreError(f"{stream_of(name)}: others are writing faster than this process can; try again.")

    async def _guards(self, new: tuple[NewEntry, ...]) -> list[Part]:
        """Whose own key something is sealed under: not if their data is erased meanwhile."""
        commits, found = self.floor.commits, []
        for stream in sorted({person_stream(each.owner) for each in new if each.owner}):
            found.append(Part(stream, await commits.run(commits.log.version, stream), ()))
        return found

    def now(self, known: Known) -> datetime.datetime:
        """This moment; time runs forward also where two servers' clocks differ a little."""
        moment = datetime.datetime.fromtimestamp(self.floor.clock.now_ms() / 1000, datetime.UTC)
        return max(moment, known.state.last or moment)

    def _whole(self, known: Known, caller: Caller, act: PromotionAct) -> tuple[PromotionAct, str]:
        """An act with its moment and role, and what the floor adds: a secret, its revealing, the order of a draw."""
        act = replace(act, at=self.now(known), by=AT_THE_TABLE.get(caller.role, PLAYER))
        secret = ""
        if isinstance(act, pa.CommitDraw) and not act.digest:
            secret = secret_token()
            act = replace(act, digest=digest_of(secret))
        if isinstance(act, pa.DrawWinners) and not act.secret:
            act = replace(act, secret=known.secrets.get(act.draw, ""))
        return whole(known.state, act, shuffled), secret

    async def _first(self, command: str) -> Answer | None:
        """The first answer to a command that was done before."""
        found = await self.floor.commits.run(self.floor.commits.log.answer, command)
        return None if found is None else _accepted(found)

    # --- vouchers at tables ---

    def vouchers_of(self, name: str) -> dict[str, int]:
        """What somebody holds in vouchers, by promotion."""
        held = {known.name: known.state.vouchers.get(name, 0) for known in self.known.values()}
        return {each: cents for each, cents in sorted(held.items()) if cents > 0}

    def gives_tokens(self, rulebook: str) -> bool:
        """Whether vouchers of promotions under this rulebook are about."""
        return any(known.has_tokens and known.rulebook == rulebook for known in self.known.values())


class AtTable(Attachment):
    """Vouchers of promotions at tables: tokens are issued for what somebody holds, and the voucher is used up."""

    concerns = Concerns(frozenset({a.IssueTokens}))

    def __init__(self, promotions: Promotions) -> None:
        self._promotions = promotions

    def _held(self, table: Table, name: str) -> dict[str, int]:
        known = self._promotions.known
        held = self._promotions.vouchers_of(name)
        return {each: cents for each, cents in held.items() if known[each].rulebook == table.rulebook.id}

    def refuse(self, table: Table, act: a.AnyAct) -> Refusal | None:
        """Where the house's promotions give vouchers, tokens are for those who hold one."""
        if type(act) is not a.IssueTokens or not self._promotions.gives_tokens(table.rulebook.id):
            return None
        held = sum(self._held(table, act.player).values())
        if type(act.cents) is not int or 0 < act.cents <= held:
            return None
        text = f"{act.player} holds {dollars(held)} in vouchers of promotions, not {dollars(act.cents)}."
        return Refusal(table.rulebook.name, table.rulebook.wagers.tokens_by.clauses, text)

    def doubts(self, table: Table, act: a.AnyAct) -> Awaitable[object] | None:
        """A voucher may have been issued in another process a moment ago."""
        return self._promotions.follow() if type(act) is a.IssueTokens else None

    def parts(self, decided: Decided) -> tuple[Part, ...]:
        return tuple(self._exchanged(decided)) if type(decided.act) is a.IssueTokens else ()

    def _exchanged(self, decided: Decided) -> Iterator[Part]:
        promotions, book = self._promotions, decided.after.rulebook
        for event in decided.events:
            if not isinstance(event, e.TokensIssued):
                continue
            left = event.cents
            for name, held in self._held(decided.after, event.player).items():
                known, cents = promotions.known[name], min(held, left)
                if not cents:
                    continue
                left -= cents
                act = pa.ExchangeVoucher(event.by, promotions.now(known), event.player, cents, decided.table)
                found = decide(book, known.state, act)
                if not isinstance(found, Refusal):
                    yield Part(stream_of(name), known.version, tuple(entries_for(book, act, found, event.by)))

    def landed(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            known = self._promotions.known[part.stream.removeprefix(STREAM)]
            for version, new in enumerate(part.entries, part.expected + 1):
                act = decode_promotion(new.body).act
                at_ms = int(act.at.timestamp() * 1000)
                known.fold(Entry(0, part.stream, version, at_ms, act.by, "", new.kind, new.body, b""))

    async def recover(self, commits: Commits) -> None:
        await self._promotions.follow()


def may_do(caller: Caller, act: PromotionAct) -> Denied | None:
    """Why this caller may not even ask for it; what their role may do in it the rules say."""
    if caller.role not in WRITERS:
        return Denied("promotions are conducted by the house's gaming staff.")
    if caller.role != "player":
        return None
    if not isinstance(act, PLAYERS_OWN):
        return Denied("a member of the house's staff does that.")
    if isinstance(act, pa.Enter):
        return Denied("a member of the house's staff writes entries down: they look at what was wagered.")
    name = getattr(act, "name", caller.name)
    return None if name == caller.name else Denied("a player speaks for themselves only.")


def _is_own(caller: Caller, state: Promotion, act: PromotionAct) -> bool:
    """Whether a dispute that a player goes on with is theirs."""
    if caller.role != "player" or not isinstance(act, pa.NotSatisfied):
        return True
    return all(each.name == caller.name for each in state.disputes if each.number == act.number)


def entries_for(
    book: Rulebook, act: PromotionAct, events: Iterable[PromotionEvent], role: str, secret: str = ""
) -> Iterator[NewEntry]:
    """The entries of one act, all of them sealed; who a denied claimant is stands in one of its own."""
    found = tuple(events)
    claimant = None
    if isinstance(act, pa.DrawWinners):
        act = replace(act, order=())  # it follows from the secret
    if isinstance(act, pa.DenyClaim) and (act.full_name or act.address):
        for event in found:
            if isinstance(event, pe.ClaimDenied) and event.kept:
                claimant = ClaimantBody(event.name, event.prize, event.full_name, event.address)
        found = tuple(
            replace(each, full_name="", address="") if isinstance(each, pe.ClaimDenied) else each for each in found
        )
        act = replace(act, full_name="", address="")
    yield NewEntry(PROMOTION, _encode(PromotionBody(book.id, act, found, role, secret)), hidden=True)  # type: ignore[arg-type]
    if claimant is not None:
        yield NewEntry(CLAIMANT, _encode(claimant), hidden=True, owner=claimant.name.lower())


def promotions_of(floor: Floor) -> Promotions:
    """The promotions of a floor."""
    return next(kind for kind in floor.spanning if isinstance(kind, Promotions))


def _accepted(answer: bytes) -> Answer:
    try:
        return msgspec.json.decode(answer, type=Accepted)
    except msgspec.DecodeError:
        return Unknown("that id was used for something else: choose another.")
