"""Accounts and sessions, folded from the stream `people`: argon2id for passwords, hashes for session tokens."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec.structs import replace

from pitboss.chance import secret_token
from pitboss.floor import factors
from pitboss.floor.account_changes import (
    CLOCK_TOLERANCE_MS,
    EXPIRES_MS,
    KEPT,
    OPEN_MOST,
    QUIET,
    SECONDS,
    Account,
    AccountAnswered,
    AccountProposal,
    Approved,
    Change,
    deny_second,
)
from pitboss.floor.audit import Audit, Note
from pitboss.floor.bots import is_bot
from pitboss.floor.checking import Checking
from pitboss.floor.factors import Begun, Door, Passkey
from pitboss.floor.model import FLOOR_ROLES, Caller, Denied, Proposed, Unknown
from pitboss.floor.passwords import PASSWORD_MAX, refuse_password
from pitboss.floor.permissions import EVERY_TABLE, may, may_post
from pitboss.floor.shared_stream import Commits, SharedStream, entry_of
from pitboss.store.log import Append, Entry, NewEntry, Part
from pitboss.table.wagers import is_name

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MINUTE = 60_000
HOUR = 60 * MINUTE
TABLES_MOST = 1_000
SESSIONS_PER_ACCOUNT = 20
"""More than these at once: the oldest ends."""
CHECKED_AT_ONCE = 2
"""Passwords that are checked at once; each takes 64 MiB and a while."""
WAITING_NAME, WAITING_ADDRESS, WAITING_ALL = 4, 64, 1_024
"""So many may wait for that: for one name from one address, from one address, and in all."""
CHECKPOINT_EVERY = 500
"""Entries between two times that everybody is written down as a whole: start-up reads no more than these."""
SEEN_EVERY_MS = 5 * MINUTE
"""How often the log learns that a session is still used."""
PLACES_PER_ACCOUNT = 16
"""So many addresses from which somebody has logged in are remembered, the last ones."""
HERE = "here, at the machine itself"
"""In place of an address, of somebody of whom that is known; it has a comma, and so is none that a proxy can name."""


class Lifetimes(msgspec.Struct, frozen=True):
    """When sessions end by themselves."""

    idle_ms: int = 1 * HOUR
    lifetime_ms: int = 12 * HOUR


class LoggedIn(msgspec.Struct):
    """A session as it is remembered: never the token, only its hash as the key."""

    name: str
    handle: str
    began_ms: int
    expires_ms: int
    seen_ms: int
    """When it was last used, as far as this process knows."""
    logged_ms: int = 0
    """When that was last written down."""
    place: str = ""
    """From where; "" for a guest."""
    local: bool = False
    """Whether that is the machine itself."""


class Session(msgspec.Struct, frozen=True):
    """What somebody who logs in gets; the token is told once and kept nowhere."""

    token: str
    caller: Caller
    expires_ms: int


def in_seconds(wait_ms: int) -> str:
    """So many whole seconds, rounded up."""
    seconds = -(-wait_ms // 1000)
    return "1 second" if seconds == 1 else f"{seconds} seconds"


class TryLater(msgspec.Struct, frozen=True):
    """Too many wrong passwords: so long nobody is asked again."""

    text: str
    wait_ms: int


class NeedsMore(msgspec.Struct, frozen=True):
    """The password is right, and not enough."""

    text: str
    needs: tuple[str, ...]
    """first-use (the code of whoever approved the password), code (of an authenticator), passkey."""
    passkey: dict[str, Any] | None = None
    """What the browser is to ask of a passkey."""


LogIn: TypeAlias = "Session | Denied | TryLater | NeedsMore"


class Proof(msgspec.Struct, frozen=True):
    """What somebody brings besides a password, and where they stand."""

    code: str = ""
    passkey: dict[str, Any] | None = None
    door: Door | None = None
    local: bool = False
    """At the machine itself."""
    enrols: bool = False
    """An administrator who has just set the floor up may come in from elsewhere, to have a second factor made."""


class SessionShown(msgspec.Struct, frozen=True):
    """One's own session, as one may see it."""

    handle: str
    began_ms: int
    seen_ms: int
    expires_ms: int
    place: str
    here: bool
    """The machine itself."""
    this: bool
    """The one that asks."""


ENROL_HERE = Denied(
    "an administrator comes in from elsewhere with an authenticator or a passkey only: log in at the machine itself "
    "and add one, or have two people reset the account."
)
LIMITED = {
    "password": "somebody else set your password: change it first.",
    "factor": "an administrator on another machine needs an authenticator or a passkey: add one first.",
}
CHALLENGES_MOST = 1_000
CHALLENGE_MS = 3 * MINUTE

AnyChange: TypeAlias = "Account | Denied | Unknown | Proposed"

WRONG = Denied("name or password is wrong.")
SET_UP = Denied("this floor is set up: log in with an account of your own.")
CHANGED = Denied("the password has just been changed: try again.")
"""It is another one by now than the one that was looked at."""
CHECKED_MOST = 3
"""So often a password is looked at again that is changed while it is looked at."""


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def key_of(name: str) -> str:
    """Names that differ in capitals only would be taken for each other."""
    return name.lower()


KEPT_NAMES = ("approval", "house")
"""Commands bear the name of whoever gave them: nobody is called as those of the floor itself begin."""


def refuse_name(name: str) -> Denied | None:
    """Why nobody may be called so: names are the engine's players' names, no word for staff, and no bot's."""
    if not is_name(name) or not is_name(key_of(name)):
        return Denied("a name is 1 to 32 letters, digits, _ or -, begins with a letter, and is no word for staff.")
    if is_bot(key_of(name)) or key_of(name) in (*FLOOR_ROLES, *KEPT_NAMES):
        return Denied(f"{name} is a name that the house keeps for itself.")
    return None


def no_such_role(role: str) -> Denied:
    return Denied(f"there is no role {role[:40]!r}: {', '.join(FLOOR_ROLES)}.")


def refuse_tables(tables: tuple[str, ...]) -> Denied | None:
    if len(tables) > TABLES_MOST or any(not 0 < len(table) <= 64 for table in tables):
        return Denied("tables are named by their ids, or * for all of them.")
    return None


def neighbours(address: str) -> str:
    """Whom to count together: in IPv6 everybody has as many addresses as they like, all in one network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    mapped = found.ipv4_mapped
    return str(mapped) if mapped is not None else str(ipaddress.ip_network((int(found), 64), strict=False))


class Throttle:
    """Wrong passwords cost time: after a few, each next one costs twice as much.

    They are counted for the account from one address, and for the address, so that nobody keeps another out by being
    wrong in their name; and, with much more patience, for the name from everywhere. What others at an address did wrong
    costs nobody their own first try there: many people share one, behind a router or in an office. Whoever is `known`,
    by a session of theirs or by where they have logged in before, does not wait for what others do to their name, nor
    for their neighbours. Whoever is `HERE` waits for nobody.
    """

    FREE: Mapping[str, int] = MappingProxyType({"account": 5, "address": 20, "name": 100})
    FIRST_MS, MOST_MS, FORGET_MS = 1_000, 5 * MINUTE, 30 * MINUTE
    NAME_MOST_MS = 1 * MINUTE
    """So long at most a name rests for all who are not known."""
    KEPT = 20_000

    def __init__(self) -> None:
        self._failed: OrderedDict[tuple[str, str], tuple[int, int, int]] = OrderedDict()
        """By kind and whom: how many, when last, and until when nobody is asked."""

    def wait_ms(self, name: str, address: str, now_ms: int, *, known: bool = False) -> int:
        """How long this name from this address has to wait."""
        keys = self._keys(name, address, known)
        if keys and not self._tried(keys[0], now_ms):
            keys = tuple(key for key in keys if key[0] != "address")
        return max(0, *(self._failed.get(key, (0, 0, 0))[2] - now_ms for key in keys), 0) if keys else 0

    def _tried(self, key: tuple[str, str], now_ms: int) -> bool:
        count, last, _ = self._failed.get(key, (0, 0, 0))
        return count > 0 and now_ms - last <= self.FORGET_MS

    def tries(self, name: str, address: str, now_ms: int, *, known: bool = False) -> None:
        """Somebody tries: that counts as wrong until it turns out right, so that many at once gain nothing."""
        for key in self._keys(name, address, known):
            count, last, _ = self._failed.get(key, (0, 0, 0))
            self._note(key, 1 if now_ms - last > self.FORGET_MS else count + 1, now_ms)
        while len(self._failed) > self.KEPT:
            self._failed.popitem(last=False)

    def succeeded(self, name: str, address: str, *, known: bool = False) -> None:
        """From there the account is forgiven everything, the address and the name this try alone: others may be
        trying."""
        for key in self._keys(name, address, known):
            count, last, _ = self._failed.get(key, (0, 0, 0))
            if key[0] == "account" or count <= 1:
                self._failed.pop(key, None)
            else:
                self._note(key, count - 1, last)

    @staticmethod
    def _keys(name: str, address: str, known: bool) -> tuple[tuple[str, str], ...]:
        if address == HERE:
            return ()
        whom, place = key_of(name), neighbours(address)
        account = ("account", f"{whom} {place}")
        return (account,) if known else (account, ("address", place), ("name", whom))

    def _note(self, key: tuple[str, str], count: int, now_ms: int) -> None:
        over = count - self.FREE[key[0]]
        most = self.NAME_MOST_MS if key[0] == "name" else self.MOST_MS
        wait = min(self.FIRST_MS << min(over, 20), most) if over >= 0 else 0
        self._failed[key] = (count, now_ms, now_ms + wait)
        self._failed.move_to_end(key)


class Turns:
    """Who has a password checked next: a few at once, and whoever waits in turn by address, and there by name, so that
    nobody waits for more than one of each of the others."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, OrderedDict[str, deque[asyncio.Future[None]]]] = OrderedDict()
        self._count = self._running = 0

    def is_full(self, address: str, name: str) -> bool:
        names: Mapping[str, deque[asyncio.Future[None]]] = self._waiting.get(address, {})
        here = sum(map(len, names.values()))
        return (
            self._count >= WAITING_ALL or here >= WAITING_ADDRESS or len(names.get(name, ())) >= WAITING_NAME
        )  # fmt: skip

    @asynccontextmanager
    async def taken(self, address: str, name: str) -> AsyncIterator[None]:
        """Within it one of the few at once is ours."""
        if self._running < CHECKED_AT_ONCE and not self._count:
            self._running += 1
        else:
            await self._wait(address, name)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, address: str, name: str) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, OrderedDict()).setdefault(name, deque()).append(turn)
        self._count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._next()
            raise

    def _next(self) -> None:
        while self._waiting:
            address, names = self._waiting.popitem(last=False)
            name, turns = names.popitem(last=False)
            turn = turns.popleft()
            self._count -= 1
            if turns:
                names[name] = turns
            if names:
                self._waiting[address] = names
            if not turn.done():
                turn.set_result(None)
                return
        self._running -= 1


class People(SharedStream):
    """Everybody with an account, and who is logged in."""

    stream = "people"
    hidden = True

    def __init__(
        self,
        commits: Commits,
        audit: Audit | None = None,
        *,
        lifetimes: Lifetimes | None = None,
        hasher: PasswordHasher | None = None,
    ) -> None:
        super().__init__(commits)
        self.audit = audit or Audit(commits)
        self.lifetimes = lifetimes or Lifetimes()
        self.accounts: dict[str, Account] = {}
        self.throttle = Throttle()
        self.ended: list[Callable[[str], None]] = []
        """Called with a session's handle when it ends before its time."""
        self._sessions: dict[str, LoggedIn] = {}
        self._by_handle: dict[str, str] = {}
        self._places: dict[str, tuple[str, ...]] = {}
        """By account: from where somebody has logged in with its password, the last one last."""
        self._checking = Checking(hasher)
        self._threads = ThreadPoolExecutor(CHECKED_AT_ONCE + 1, thread_name_prefix="pitboss-passwords")
        self._nobody = ""
        self._turns = Turns()
        self.two_people = False
        """Whether there ever were two who could change accounts together: from then on nobody changes one alone."""
        self.proposals: dict[str, AccountProposal] = {}
        self._asked: OrderedDict[tuple[str, str], tuple[int, Any]] = OrderedDict()
        """By purpose and account: what was begun with an authenticator or a passkey, and until when."""
        self._latest_ms = 0
        self._checkpoint_version = 0

    # --- folding ---

    async def catch_up(self) -> None:
        """Read what was written since; at first from the last time that everybody was written down."""
        if not self.version:
            self._restore(await self._commits.run(self._last_checkpoint))
        await super().catch_up()

    def _last_checkpoint(self) -> Everybody | None:
        log = self._commits.log
        count = log.version(CHECKPOINTS)
        found = next(iter(log.read(CHECKPOINTS, count - 1, 1)), None) if count else None
        return None if found is None else msgspec.json.decode(found.body, type=Everybody)

    def _restore(self, everybody: Everybody | None) -> None:
        if everybody is None or self.version:
            return
        self.version = self._checkpoint_version = everybody.version
        self.accounts = {key_of(account.name): account for account in everybody.accounts}
        self._sessions = dict(everybody.sessions)
        self._by_handle = {session.handle: key for key, session in self._sessions.items()}
        self._places = dict(everybody.places)
        self.two_people = everybody.two_people
        self.proposals = {each.id: each for each in everybody.proposals}
        self._look_for_two()

    async def _write_checkpoint(self, now_ms: int) -> None:
        """Into the chained log, not beside it: whoever could alter this could make themselves an administrator."""
        everybody = Everybody(
            self.version,
            tuple(self.accounts.values()),
            dict(self._sessions),
            dict(self._places),
            self.two_people,
            tuple(self.proposals.values()),
        )
        count = await self._commits.run(self._commits.log.version, CHECKPOINTS)
        part = Part(CHECKPOINTS, count, (entry_of("everybody", everybody, hidden=True),))
        await self._commits.append(Append((part,), now_ms))
        self._checkpoint_version = everybody.version

    def apply(self, entry: Entry) -> None:
        change = _APPLY.get(entry.kind)
        if change is not None:
            change(self, entry)

    def _created(self, entry: Entry) -> None:
        account = msgspec.json.decode(entry.body, type=Account)
        self.accounts[key_of(account.name)] = account
        self._look_for_two()

    def _look_for_two(self) -> None:
        """Two who have passwords of their own, one of them an administrator."""
        able = [
            each
            for each in self.accounts.values()
            if each.role in SECONDS and each.password and not each.disabled and not each.must_change
        ]
        if len(able) >= 2 and any(each.role == "administrator" for each in able):
            self.two_people = True

    def _proposed(self, entry: Entry) -> None:
        proposal = msgspec.json.decode(entry.body, type=AccountProposal)
        self.proposals[proposal.id] = proposal
        while len(self.proposals) > KEPT:
            over = (each.id for each in self.proposals.values() if each.state_at(entry.at_ms) != "waiting")
            del self.proposals[next(over, next(iter(self.proposals)))]

    def _answered(self, entry: Entry) -> None:
        said = msgspec.json.decode(entry.body, type=AccountAnswered)
        found = self.proposals.get(said.id)
        if found is not None:  # what it would have set is nobody's business any more
            self.proposals[said.id] = replace(
                found, state=said.state, by=said.by, text=said.text, account=None, change=None
            )

    def _clock_went_back(self, entry: Entry) -> None:
        """Nothing that ended by the clock goes on because the clock was put back."""
        for key in list(self._sessions):
            self._end(key)
        for found in list(self.proposals.values()):
            if found.state == "waiting":
                self.proposals[found.id] = replace(
                    found, state="rejected", text="the clock was put back", account=None, change=None
                )

    def _changed(self, entry: Entry) -> None:
        """Whatever of an account was changed; all but a posting to other tables ends its sessions."""
        change = msgspec.json.decode(entry.body, type=Change)
        account = self.accounts.get(key_of(change.name))
        if account is None:
            return
        fields: dict[str, Any] = dict(change.fields)
        if "password" in fields:
            fields["guest"] = False  # whoever was given a password needs it from then on
        self.accounts[key_of(change.name)] = replace(account, **fields)
        self._look_for_two()
        if set(fields) - QUIET:
            for key, session in list(self._sessions.items()):
                if key_of(session.name) == key_of(change.name) and session.handle != change.keeps:
                    self._end(key)

    def _began(self, entry: Entry) -> None:
        began = msgspec.json.decode(entry.body, type=Began)
        self._sessions[began.token_hash] = LoggedIn(
            began.name, began.handle, entry.at_ms, began.expires_ms, entry.at_ms, entry.at_ms, began.place, began.local
        )
        self._by_handle[began.handle] = began.token_hash
        if began.place:
            key = key_of(began.name)
            others = [place for place in self._places.get(key, ()) if place != began.place]
            self._places[key] = (*others, began.place)[-PLACES_PER_ACCOUNT:]
        own = sorted((session.began_ms, key) for key, session in self._sessions.items() if session.name == began.name)
        for _, ended in own[:-SESSIONS_PER_ACCOUNT]:
            self._end(ended)

    def _seen(self, entry: Entry) -> None:
        for key, seen_ms in msgspec.json.decode(entry.body, type=dict[str, int]).items():
            session = self._sessions.get(key)
            if session is not None:
                session.seen_ms = max(session.seen_ms, seen_ms)
                session.logged_ms = max(session.logged_ms, seen_ms)

    def _ended(self, entry: Entry) -> None:
        self._end(msgspec.json.decode(entry.body, type=Ended).token_hash)

    def _end(self, key: str) -> None:
        session = self._sessions.pop(key, None)
        if session is not None:
            self._by_handle.pop(session.handle, None)
            for listener in self.ended:
                listener(session.handle)

    # --- asking ---

    def account(self, name: str) -> Account | None:
        return self.accounts.get(key_of(name))

    def who(self, token: str, now_ms: int) -> Caller | None:
        """Whose session this is; None where there is none, it is over, its account is disabled, or something is to be
        done first (`half_in`)."""
        if not token or len(token) > 200:
            return None
        return self._caller(token_hash(token), now_ms)

    def half_in(self, token: str, now_ms: int) -> tuple[Caller, tuple[str, ...]] | None:
        """Whoever has a session, and what they have to do before they do anything else."""
        if not token or len(token) > 200:
            return None
        key = token_hash(token)
        caller = self._caller(key, now_ms, whole=False)
        return None if caller is None else (caller, self._needs(self._sessions[key]))

    def _needs(self, session: LoggedIn) -> tuple[str, ...]:
        account = self.accounts[key_of(session.name)]
        elsewhere = account.role == "administrator" and not session.local and not account.has_factor
        return (*(("password",) if account.must_change else ()), *(("factor",) if elsewhere else ()))

    def sessions_of(self, caller: Caller, now_ms: int) -> list[SessionShown]:
        """One's own sessions, the newest first."""
        own = [each for key, each in self._sessions.items() if self._is_valid(key, caller.name, now_ms)]
        return [
            SessionShown(
                each.handle,
                each.began_ms,
                each.seen_ms,
                each.expires_ms,
                each.place,
                each.local,
                each.handle == caller.session,
            )
            for each in sorted(own, key=lambda each: -each.began_ms)
        ]

    def _is_valid(self, key: str, name: str, now_ms: int) -> bool:
        found = self._caller(key, now_ms, used=False, whole=False)
        return found is not None and found.name == name

    async def end_sessions(self, caller: Caller, now_ms: int, handle: str = "") -> int:
        """End one of one's own sessions, or all but the one that asks; how many."""

        def decide() -> tuple[list[NewEntry], int]:
            keys = [
                key
                for key, each in self._sessions.items()
                if key_of(each.name) == key_of(caller.name)
                and (each.handle == handle if handle else each.handle != caller.session)
            ]
            return [entry_of("session-ended", Ended(key)) for key in keys], len(keys)

        ended = await self.write(decide, at_ms=now_ms, by=caller.name)
        if ended:
            note = Note(caller.name, caller.role, caller.session, f"ended {ended} of their own sessions")
            await self.audit.note("account", note, now_ms)
        return ended

    def by_handle(self, handle: str, now_ms: int, *, used: bool = True) -> Caller | None:
        """The same by the public handle: a socket asks whether its session still holds (`used`: it has just acted)."""
        return self._caller(self._by_handle.get(handle, ""), now_ms, used=used)

    def ends_ms(self, handle: str) -> int:
        """When a session ends by itself, unless it is used again."""
        session = self._sessions[self._by_handle[handle]]
        return min(session.expires_ms, session.seen_ms + self.lifetimes.idle_ms)

    def _caller(self, key: str, now_ms: int, *, used: bool = True, whole: bool = True) -> Caller | None:
        session = self._sessions.get(key)
        if session is None:
            return None
        account = self.accounts.get(key_of(session.name))
        if account is None or account.disabled or self._was_for_the_demo(account):
            return None
        if now_ms >= session.expires_ms or now_ms - session.seen_ms >= self.lifetimes.idle_ms:
            return None
        if max(session.began_ms, self._latest_ms) > now_ms + CLOCK_TOLERANCE_MS:
            return None  # the clock was put back: nobody knows whether it would be over
        self._latest_ms = max(self._latest_ms, now_ms)
        if whole and self._needs(session):
            return None
        if used:
            session.seen_ms = max(session.seen_ms, now_ms)
        return Caller(account.name, account.role, session.handle, account.tables)

    @property
    def is_set_up(self) -> bool:
        """Whether there is an administrator."""
        return any(account.role == "administrator" and not account.guest for account in self.accounts.values())

    def _was_for_the_demo(self, account: Account) -> bool:
        """Staff without a password are there until the floor is set up, whenever and wherever they came in."""
        return account.guest and not account.password and account.role != "player" and self.is_set_up

    def _knows(self, name: str, address: str, token: str, now_ms: int) -> bool:
        """Whether whoever asks has been let in by this name before: here now, or from where they are."""
        if neighbours(address) in self._places.get(key_of(name), ()):
            return True
        caller = self._caller(token_hash(token), now_ms, used=False) if token else None
        return caller is not None and key_of(caller.name) == key_of(name)

    # --- logging in and out ---

    async def log_in(
        self, name: str, password: str, address: str, now_ms: int, *, token: str = "", proof: Proof | None = None
    ) -> LogIn:
        """A session, or why not: the same words whether the name or the password is wrong.

        `token` is of the session that whoever asks has already, if they have one.
        """
        proof = proof or Proof()
        known = self._knows(name, address, token, now_ms)
        wait = self.throttle.wait_ms(name, address, now_ms, known=known)
        if wait:
            return TryLater(f"too many wrong passwords: try again in {in_seconds(wait)}.", wait)
        if len(password) > PASSWORD_MAX or len(name) > 64:
            return WRONG
        place = "known" if known else neighbours(address)
        if self._turns.is_full(place, key_of(name)):
            return TryLater("many people are logging in: try again in a second.", 1_000)
        self.throttle.tries(name, address, now_ms, known=known)
        session: LogIn = CHANGED
        for _ in range(CHECKED_MOST):
            async with self._turns.taken(place, key_of(name)):
                session = await self._let_in(name, password, address, now_ms, proof)
            if session is not CHANGED:
                break
        if isinstance(session, Session):
            self.throttle.succeeded(name, address, known=known)
        return session

    async def _let_in(self, name: str, password: str, address: str, now_ms: int, proof: Proof) -> LogIn:
        """A session for the right password; `CHANGED` where it was right a moment ago, and is to be checked again."""
        account = self.account(name)
        right = await self._verify(account, password)
        if account is None or not right:
            return await self._wrong(account.name if account is not None else name, WRONG, address, now_ms)
        if account.disabled:
            why = Denied("this account is disabled.")
            await self.audit.denied(Caller(account.name, account.role), "log in", why, now_ms)
            return why
        if self._checking.is_old(account.password):
            change = Change(account.name, password=await self._hash(password))
            renewed = await self._change(change, now_ms, account.name, seen=account)
            if not isinstance(renewed, Account):
                return CHANGED
            account = renewed
        enough = await self._look_at_proof(account, proof, address, now_ms)
        if not isinstance(enough, Change):
            return enough
        session = await self._begin(
            account.name, now_ms, seen=account, place=neighbours(address), local=proof.local, change=enough
        )
        if isinstance(session, Session):
            await self.audit.note(
                "login", Note(account.name, account.role, session.caller.session, address=address), now_ms
            )
        return session

    async def _wrong(self, name: str, why: Denied, address: str, now_ms: int) -> Denied:
        note = Note(name if is_name(name) else "?", what="log in", text=why.text, address=address)
        await self.audit.denial(note, now_ms, "login-failed")
        return why

    async def _look_at_proof(
        self, account: Account, proof: Proof, address: str, now_ms: int
    ) -> Change | Denied | NeedsMore:
        """What is used up by it, or what is wrong or missing besides the password."""
        if account.must_change and account.code:
            if not proof.code:
                text = "enter the code too; the person who approved your password has it for you."
                return NeedsMore(text, ("first-use",))
            if not hmac.compare_digest(factors.code_hash(proof.code), account.code):
                return await self._wrong(account.name, Denied("that code is wrong."), address, now_ms)
            return Change(account.name)
        if not account.has_factor:
            first = proof.enrols or account.must_change
            outside = account.role == "administrator" and not proof.local and not first
            if outside:
                await self.audit.denied(Caller(account.name, account.role), "log in", ENROL_HERE, now_ms)
            return ENROL_HERE if outside else Change(account.name)
        if proof.code and account.totp:
            step = factors.step_of(account.totp, proof.code, now_ms, account.totp_step)
            if step is not None:
                return Change(account.name, totp_step=step)
            why = Denied("that code is wrong, or was used: wait for the next one.")
            return await self._wrong(account.name, why, address, now_ms)
        if proof.passkey is not None:
            begun = self._take("log in", account.name, now_ms)
            used = factors.shown(begun, account.passkeys, proof.passkey) if isinstance(begun, Begun) else None
            if used is None:
                return await self._wrong(account.name, Denied("that passkey is not the right one."), address, now_ms)
            rest = (used if each.id == used.id else each for each in account.passkeys)
            return Change(account.name, passkeys=tuple(rest))
        asked = factors.ask_to_show(account.passkeys, proof.door) if account.passkeys and proof.door else None
        if asked is not None:
            self._ask("log in", account.name, asked, now_ms)
        needs = (*(("code",) if account.totp else ()), *(("passkey",) if asked is not None else ()))
        if not needs:
            return Denied(f"your passkey is for another address of this floor: {account.passkeys[0].rp}.")
        ways = " or ".join(
            {"code": "the code of your authenticator", "passkey": "your passkey"}[need] for need in needs
        )
        return NeedsMore(f"the password is right; now {ways}.", needs, asked.options if asked is not None else None)

    def _ask(self, purpose: str, name: str, what: Any, now_ms: int) -> None:
        """Something is begun that is to be answered soon, once."""
        self._asked.pop((purpose, key_of(name)), None)
        self._asked[purpose, key_of(name)] = (now_ms + CHALLENGE_MS, what)
        while len(self._asked) > CHALLENGES_MOST:
            self._asked.popitem(last=False)

    def _take(self, purpose: str, name: str, now_ms: int) -> Any:
        until, what = self._asked.pop((purpose, key_of(name)), (0, None))
        return what if until - CHALLENGE_MS <= now_ms < until else None

    async def _begin(
        self,
        name: str,
        now_ms: int,
        *,
        seen: Account | None = None,
        place: str = "",
        local: bool = False,
        change: Change | None = None,
    ) -> Session | Denied:
        """A session, or `CHANGED` where the password is no longer the one that was `seen`: it is decided on the very
        version of the stream that it is written after."""
        token, handle = secret_token(), secret_token(6)
        expires = now_ms + self.lifetimes.lifetime_ms
        began = Began(token_hash(token), name, handle, expires, place, local)

        def decide() -> tuple[list[NewEntry], Session | Denied]:
            account = self.account(name)
            if account is None or account.disabled:
                return [], WRONG
            if self._was_for_the_demo(account):
                return [], SET_UP
            if seen is not None and account.password != seen.password:
                return [], CHANGED
            if change is not None and change.totp_step is not None and change.totp_step <= account.totp_step:
                return [], Denied("that code was used: wait for the next one.")
            caller = Caller(account.name, account.role, handle, account.tables)
            used = [entry_of("account-changed", change)] if change is not None and change.fields else []
            return [*used, entry_of("session-began", began)], Session(token, caller, expires)

        return await self.write(decide, at_ms=now_ms, by=name)

    async def log_out(self, token: str, now_ms: int = 0) -> None:
        """End a session; nothing happens where there is none."""
        key = token_hash(token)

        def decide() -> tuple[list[NewEntry], str]:
            session = self._sessions.get(key)
            return ([entry_of("session-ended", Ended(key))], session.name) if session is not None else ([], "")

        name = await self.write(decide, at_ms=now_ms)
        if name:
            await self.audit.note("logout", Note(name), now_ms)

    async def end_if_the_clock_went_back(self, now_ms: int, newest_ms: int) -> bool:
        """The log is later than now: every session and every proposal ends, and that is written down."""
        if newest_ms <= now_ms + CLOCK_TOLERANCE_MS or not (self._sessions or self.proposals):
            return False

        def decide() -> tuple[list[NewEntry], bool]:
            return [entry_of("clock-went-back", {"newest_ms": newest_ms})], True

        await self.write(decide, at_ms=now_ms)
        text = "every session and everything that waited for a second person has ended."
        await self.audit.note("clock", Note("", what="the clock was put back", text=text), now_ms)
        return True

    async def refresh(self, now_ms: int) -> None:
        """Write down which sessions are still used, and forget those that are over. To be called now and then."""
        over = [
            key
            for key, session in self._sessions.items()
            if now_ms >= session.expires_ms or now_ms - session.seen_ms >= self.lifetimes.idle_ms
        ]
        for key in over:
            self._end(key)

        def decide() -> tuple[list[NewEntry], None]:
            used = {
                key: session.seen_ms
                for key, session in self._sessions.items()
                if session.seen_ms - session.logged_ms >= SEEN_EVERY_MS
            }
            return ([entry_of("sessions-seen", used)] if used else []), None

        await self.write(decide, at_ms=now_ms)
        if self.version - self._checkpoint_version >= CHECKPOINT_EVERY:
            await self._write_checkpoint(now_ms)

    # --- accounts ---

    async def set_up(self, name: str, password: str, now_ms: int) -> Account | Denied:
        """The first administrator; denied once there is one. Whoever was let in without a password for want of one
        is so no longer, players of play money excepted."""
        denied = refuse_name(name) or refuse_password(name, password)
        if denied is not None:
            return denied
        account = Account(name, "administrator", await self._hash(password), created_ms=now_ms)

        def decide() -> tuple[list[NewEntry], Account | Denied]:
            if self.is_set_up:
                return [], Denied("this floor is set up already.")
            if key_of(name) in self.accounts:
                return [], Denied(f"the name {name} is taken.")
            guests = [each for each in self.accounts.values() if each.guest and each.role != "player"]
            ends = [entry_of("account-changed", Change(each.name, disabled=True)) for each in guests]
            return [*ends, entry_of("account-created", account)], account

        return await self.write(decide, at_ms=now_ms, by=name)

    async def create(
        self,
        caller: Caller,
        name: str,
        role: str,
        password: str,
        now_ms: int = 0,
        *,
        tables: Iterable[str] = (EVERY_TABLE,),
    ) -> Account | Denied | Proposed:
        """A new account, by two people; by the first administrator alone as long as there is no second."""
        denied = may(caller, "change-accounts")
        if denied is not None:
            await self.audit.denied(caller, f"create account {name[:40]}", denied, now_ms)
            return denied
        account = await self._make(name, role, password, now_ms, tuple(tables))
        if isinstance(account, Denied):
            return account
        account = replace(account, must_change=True)
        if self.two_people:
            what = f"a new account as {role.replace('-', ' ')}"
            return await self._propose(caller, account.name, what, now_ms, account=account, sets_password=True)
        made = await self._write_new(account, now_ms, caller.name)
        if isinstance(made, Account):
            what = f"account {made.name} created, alone"
            note = Note(caller.name, caller.role, caller.session, what, text=made.role)
            await self.audit.note("account", note, now_ms)
        return made

    async def _propose(
        self,
        caller: Caller,
        name: str,
        what: str,
        now_ms: int,
        *,
        account: Account | None = None,
        change: Change | None = None,
        sets_password: bool = False,
    ) -> Denied | Proposed:
        proposal = AccountProposal(
            secret_token(9), caller.name, name, what, now_ms, now_ms + EXPIRES_MS, account, change, sets_password
        )

        def decide() -> tuple[list[NewEntry], Denied | Proposed]:
            if account is not None and key_of(name) in self.accounts:
                return [], Denied(f"the name {name} is taken.")
            own = [each for each in self.proposals.values() if each.first == caller.name]
            if sum(each.state_at(now_ms) == "waiting" for each in own) >= OPEN_MOST:
                return [], Denied(f"{OPEN_MOST} requests of yours are waiting already.")
            text = "a second person (another administrator, a gaming manager or an inspector) has a day to approve."
            return [entry_of("account-proposed", proposal)], Proposed(proposal.id, f"{name}, {what}: {text}")

        said = await self.write(decide, at_ms=now_ms, by=caller.name)
        if isinstance(said, Proposed):
            note = Note(caller.name, caller.role, caller.session, f"account {name}: {what}, proposed")
            await self.audit.note("account", note, now_ms)
        return said

    async def answer(self, caller: Caller, proposal: str, approve: bool, now_ms: int) -> Approved | Denied | Unknown:
        """The second person's word: approved, it is done in the same write. The first may take theirs back."""
        found = self.proposals.get(proposal)
        denied = may(caller, "approve-accounts")
        if denied is None and found is None:
            return Unknown(f"there is no request {proposal[:40]!r}.")
        if denied is None and found is not None and not (not approve and found.first == caller.name):
            denied = deny_second(caller, found)
        if denied is not None:
            await self.audit.denied(caller, "answer a proposal about an account", denied, now_ms)
            return denied
        assert found is not None
        code = factors.new_code() if approve and found.sets_password else ""

        def decide() -> tuple[list[NewEntry], Approved | Denied]:
            now = self.proposals[proposal]
            state = now.state_at(now_ms)
            if state != "waiting":
                return [], Denied(f"this request is {state}.")
            if not approve:
                said = AccountAnswered(proposal, "rejected", caller.name)
                return [entry_of("account-answered", said)], Approved(proposal, "rejected")
            first = self.account(now.first)
            wrong = Denied(f"{now.first} may no longer ask for this.")
            done = (
                None
                if first is None or first.disabled or first.role != "administrator"
                else self._carried_out(now, code)
            )
            if done is None or isinstance(done, Denied):
                why = done or wrong
                return [entry_of("account-answered", AccountAnswered(proposal, "refused", caller.name, why.text))], why
            said = AccountAnswered(proposal, "done", caller.name)
            return [done, entry_of("account-answered", said)], Approved(proposal, "done", code)

        answer = await self.write(decide, at_ms=now_ms, by=caller.name)
        state = answer.state if isinstance(answer, Approved) else "not done"
        what = f"account {found.name}: {found.what}, requested by {found.first}: {state}"
        text = answer.text if isinstance(answer, Denied) else ""
        await self.audit.note("account", Note(caller.name, caller.role, caller.session, what, text=text), now_ms)
        return answer

    def _carried_out(self, proposal: AccountProposal, code: str) -> NewEntry | Denied:
        hashed = factors.code_hash(code) if code else ""
        if proposal.account is not None:
            if key_of(proposal.name) in self.accounts:
                return Denied(f"the name {proposal.name} is taken.")
            return entry_of("account-created", replace(proposal.account, code=hashed))
        account, change = self.account(proposal.name), proposal.change
        if account is None or change is None:
            return Denied(f"there is no account {proposal.name}.")
        if self._last_administrator(account) and (change.disabled or change.role not in (None, "administrator")):
            return Denied("one administrator has to stay.")
        return entry_of("account-changed", replace(change, code=hashed) if code else change)

    async def reset_factors(self, caller: Caller, name: str, password: str, now_ms: int) -> AnyChange:
        """Somebody lost what they log in with: no authenticator, no passkey, and a new password for first use."""
        return await self._set_password(caller, name, password, now_ms, factors_too=True)

    async def create_for_the_house(
        self, name: str, role: str, password: str, now_ms: int, *, tables: Iterable[str] = (EVERY_TABLE,)
    ) -> Account | Denied:
        """An account that set-up makes: nobody asks for it."""
        return await self._new(name, role, password, now_ms, tables=tuple(tables), by="")

    async def guest(self, name: str, now_ms: int, *, role: str = "player") -> Session | Denied:
        """Somebody without a password; the same name again while nobody uses it is the same guest.

        Players are there once; staff of a demo floor may be logged in more than once.
        """
        known = self.account(name)
        if known is None:
            made = await self._new(name, role, None, now_ms, by=name)
            return await self._begin_guest(made.name, now_ms) if isinstance(made, Account) else made
        if known.password:
            return Denied(f"{known.name} has a password: log in with it.")
        if not known.guest or known.disabled or known.role != role:
            return Denied(f"the name {name[:40]} is taken.")
        if role == "player" and self._is_here(known, now_ms):
            return Denied(f"{known.name} is here already: choose another name.")
        return await self._begin_guest(known.name, now_ms)

    async def _begin_guest(self, name: str, now_ms: int) -> Session | Denied:
        session = await self._begin(name, now_ms)
        if isinstance(session, Session):
            who = session.caller
            await self.audit.note("login", Note(who.name, who.role, who.session, text="as a guest"), now_ms)
        return session

    def _is_here(self, account: Account, now_ms: int) -> bool:
        own = [key for key, session in self._sessions.items() if session.name == account.name]
        return any(self._caller(key, now_ms, used=False) is not None for key in own)

    async def _new(
        self,
        name: str,
        role: str,
        password: str | None,
        now_ms: int,
        *,
        tables: tuple[str, ...] = (EVERY_TABLE,),
        by: str = "",
    ) -> Account | Denied:
        account = await self._make(name, role, password, now_ms, tables)
        return account if isinstance(account, Denied) else await self._write_new(account, now_ms, by)

    async def _make(
        self, name: str, role: str, password: str | None, now_ms: int, tables: tuple[str, ...]
    ) -> Account | Denied:
        denied = refuse_name(name) or refuse_tables(tables)
        if denied is None and password is not None:
            denied = refuse_password(name, password)
        if denied is None and role not in FLOOR_ROLES:
            denied = no_such_role(role)
        if denied is not None:
            return denied
        hashed = await self._hash(password) if password is not None else ""
        return Account(name, role, hashed, tables, guest=password is None, created_ms=now_ms)

    async def _write_new(self, account: Account, now_ms: int, by: str) -> Account | Denied:
        def decide() -> tuple[list[NewEntry], Account | Denied]:
            if key_of(account.name) in self.accounts:
                return [], Denied(f"the name {account.name} is taken.")
            if self._was_for_the_demo(account):
                return [], SET_UP
            return [entry_of("account-created", account)], account

        return await self.write(decide, at_ms=now_ms, by=by)

    async def change_role(self, caller: Caller, name: str, role: str, now_ms: int) -> AnyChange:
        wrong = None if role in FLOOR_ROLES else no_such_role(role)
        return await self._changed_by(caller, Change(name, role=role), f"role {role[:40]}", now_ms, wrong=wrong)

    async def disable(self, caller: Caller, name: str, now_ms: int, *, disabled: bool = True) -> AnyChange:
        """Whoever is to be stopped is stopped by one; those who could be a second person, and whoever is to come back,
        by two."""
        what = "disabled" if disabled else "enabled"
        return await self._changed_by(caller, Change(name, disabled=disabled), what, now_ms)

    async def post(self, caller: Caller, name: str, tables: Iterable[str], now_ms: int) -> AnyChange:
        """Post somebody to tables; "*" is all of them."""
        posted = tuple(dict.fromkeys(tables))
        what = f"assigned to {' '.join(posted) or 'no table'}"
        wrong = refuse_tables(posted)
        return await self._changed_by(caller, Change(name, tables=posted), what, now_ms, "post-people", wrong=wrong)

    async def change_password(
        self, caller: Caller, name: str, password: str, now_ms: int, *, old: str | None = None
    ) -> AnyChange:
        """One's own with the old one; an administrator sets anybody's, with a second person. All other sessions end."""
        changed: AnyChange = CHANGED
        for _ in range(CHECKED_MOST):
            account = self.account(name)
            if account is None or key_of(caller.name) != key_of(name):
                return await self._set_password(caller, name, password, now_ms)
            denied = await self._deny_own_password(caller, account, old, now_ms)
            denied = denied or refuse_password(account.name, password)
            if denied is None and account.must_change and old == password:
                denied = Denied("that is the password that was set for you: choose another one.")
            if denied is not None:
                return denied
            hashed = await self._hash(password)
            change = Change(account.name, password=hashed, keeps=caller.session, must_change=False, code="")
            changed = await self._change(change, now_ms, caller.name, seen=account)
            if changed is not CHANGED:
                break
        if isinstance(changed, Account):
            note = Note(caller.name, caller.role, caller.session, "own password")
            await self.audit.note("account", note, now_ms)
        return changed

    async def _set_password(
        self, caller: Caller, name: str, password: str, now_ms: int, *, factors_too: bool = False
    ) -> AnyChange:
        """Somebody else's: whoever may not learns that first, and nothing is hashed for them."""
        if may(caller, "change-accounts") is not None or self.account(name) is None:
            return await self._changed_by(caller, Change(name), "password", now_ms)
        wrong = refuse_password(name, password)
        hashed = "" if wrong is not None else await self._hash(password)
        change = Change(name, password=hashed, must_change=True, code="")
        what = "password"
        if factors_too:
            change = replace(change, totp="", passkeys=())
            what = "password, authenticator and passkeys"
        return await self._changed_by(caller, change, what, now_ms, wrong=wrong)

    async def _deny_own_password(self, caller: Caller, account: Account, old: str | None, now_ms: int) -> Denied | None:
        if account.guest:
            return Denied("you joined without a password, so there is none to change.")
        own = f"own/{key_of(account.name)}"  # whoever is logged in keeps nobody else out by trying
        wait = self.throttle.wait_ms(account.name, own, now_ms, known=True)
        if wait:
            return Denied(f"too many wrong passwords: try again in {in_seconds(wait)}.")
        self.throttle.tries(account.name, own, now_ms, known=True)
        if old is None or not await self._verify(account, old):
            why = Denied("the current password is wrong.")
            await self.audit.denied(caller, "change password", why, now_ms)
            return why
        self.throttle.succeeded(account.name, own, known=True)
        return None

    async def _changed_by(
        self,
        caller: Caller,
        change: Change,
        what: str,
        now_ms: int,
        operation: str = "change-accounts",
        *,
        wrong: Denied | None = None,
    ) -> AnyChange:
        """Who may is asked first, then whether there is such an account, then what is `wrong` with the change."""
        account = self.account(change.name)
        denied = may(caller, operation)
        if denied is None and operation == "post-people" and account is not None:
            denied = may_post(caller, account.name, account.role, change.tables or (), account.tables)
        if denied is not None:
            await self.audit.denied(caller, f"account {change.name[:40]}: {what}", denied, now_ms)
            return denied
        if account is not None and wrong is not None:
            return wrong
        stops = change.disabled is True and account is not None and account.role not in SECONDS
        two = operation == "change-accounts" and account is not None and not stops
        if two and self.two_people:
            assert account is not None
            own = replace(change, name=account.name)
            return await self._propose(
                caller, account.name, what, now_ms, change=own, sets_password=change.password is not None
            )
        changed = await self._change(change, now_ms, caller.name)
        if isinstance(changed, Account):
            alone = ", alone" if two else ""
            note = Note(caller.name, caller.role, caller.session, f"account {changed.name}: {what}{alone}")
            await self.audit.note("account", note, now_ms)
        return changed

    async def _change(
        self, change: Change, now_ms: int, by: str, *, seen: Account | None = None
    ) -> Account | Denied | Unknown:
        """Change an account; `CHANGED` where its password is no longer the one that was `seen`."""

        def decide() -> tuple[list[NewEntry], Account | Denied | Unknown]:
            account = self.account(change.name)
            if account is None:
                return [], Unknown(f"there is no account {change.name[:40]}.")
            if seen is not None and account.password != seen.password:
                return [], CHANGED
            if self._last_administrator(account) and (change.disabled or change.role not in (None, "administrator")):
                return [], Denied("one administrator has to stay.")
            fields: dict[str, Any] = dict(change.fields)
            return [entry_of("account-changed", change)], replace(account, **fields)

        return await self.write(decide, at_ms=now_ms, by=by)

    def _last_administrator(self, account: Account) -> bool:
        others = [
            other
            for other in self.accounts.values()
            if other.role == "administrator" and not other.disabled and other.name != account.name
        ]
        return account.role == "administrator" and not account.disabled and not others

    # --- authenticators and passkeys ---

    async def begin_authenticator(self, caller: Caller, password: str, now_ms: int) -> dict[str, str] | Denied:
        """A secret for one's authenticator, which counts once a code of it was said."""
        account = await self._sure(caller, password, now_ms)
        if isinstance(account, Denied):
            return account
        secret = factors.new_secret()
        self._ask("authenticator", account.name, secret, now_ms)
        return {"secret": secret, "uri": factors.uri_of(secret, account.name)}

    async def confirm_authenticator(self, caller: Caller, code: str, now_ms: int) -> Account | Denied | Unknown:
        secret = self._take("authenticator", caller.name, now_ms)
        step = None if secret is None else factors.step_of(secret, code, now_ms, 0)
        if step is None:
            return Denied("that is not the code of the authenticator: begin again.")
        change = Change(caller.name, totp=secret, totp_step=step, keeps=caller.session)
        return await self._own_factor(caller, change, "authenticator made", now_ms)

    async def begin_passkey(
        self, caller: Caller, password: str, door: Door | None, now_ms: int
    ) -> dict[str, Any] | Denied:
        account = await self._sure(caller, password, now_ms)
        if isinstance(account, Denied):
            return account
        if door is None:
            return Denied("passkeys need a host name: open the floor by its name (or localhost), not by an IP address.")
        if len(account.passkeys) >= factors.PASSKEYS_MOST:
            return Denied(f"you have {factors.PASSKEYS_MOST} passkeys: remove one first.")
        begun = factors.ask_for_new(account.name, account.passkeys, door)
        self._ask("passkey", account.name, begun, now_ms)
        return begun.options

    async def make_passkey(
        self, caller: Caller, name: str, answer: Mapping[str, Any], now_ms: int
    ) -> Account | Denied | Unknown:
        begun = self._take("passkey", caller.name, now_ms)
        made = factors.made(begun, answer, name, now_ms) if isinstance(begun, Begun) else None
        account = self.account(caller.name)
        if made is None or account is None:
            return Denied("that is not the passkey that was asked for: begin again.")
        return await self._own_factor(
            caller, Change(caller.name, passkeys=(*account.passkeys, made)), f"passkey {made.name} made", now_ms
        )

    async def remove_factor(
        self, caller: Caller, password: str, now_ms: int, *, passkey: str = ""
    ) -> Account | Denied | Unknown:
        """Take one's authenticator away, or a passkey by its id; an administrator elsewhere keeps one of them."""
        account = await self._sure(caller, password, now_ms)
        if isinstance(account, Denied):
            return account
        rest: tuple[Passkey, ...] = tuple(each for each in account.passkeys if each.id != passkey)
        if passkey and len(rest) == len(account.passkeys):
            return Unknown("there is no such passkey of yours.")
        change = Change(account.name, passkeys=rest) if passkey else Change(account.name, totp="", keeps=caller.session)
        after = replace(account, **dict(change.fields))
        session = self._sessions.get(self._by_handle.get(caller.session, ""))
        if account.role == "administrator" and not after.has_factor and not (session is not None and session.local):
            return Denied("administrators on other machines need an authenticator or a passkey: add another one first.")
        return await self._own_factor(caller, change, "passkey removed" if passkey else "authenticator removed", now_ms)

    async def _sure(self, caller: Caller, password: str, now_ms: int) -> Account | Denied:
        """Whoever changes how they log in says their password once more."""
        account = self.account(caller.name)
        if account is None:
            return WRONG
        denied = await self._deny_own_password(caller, account, password, now_ms)
        return account if denied is None else denied

    async def _own_factor(self, caller: Caller, change: Change, what: str, now_ms: int) -> Account | Denied | Unknown:
        changed = await self._change(change, now_ms, caller.name)
        if isinstance(changed, Account):
            await self.audit.note("account", Note(caller.name, caller.role, caller.session, f"own {what}"), now_ms)
        return changed

    # --- passwords, off the event loop ---

    async def _hash(self, password: str) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._checking.hash, password)

    async def _verify(self, account: Account | None, password: str) -> bool:
        """Unknown names and guests take as long as everybody else."""
        if not self._nobody:
            self._nobody = await self._hash(secret_token())
        known = account.password if account is not None and account.password else self._nobody
        right = await asyncio.get_running_loop().run_in_executor(self._threads, self._checking.matches, known, password)
        return right and known is not self._nobody

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._checking.close()


CHECKPOINTS = "checkpoints:people"


class Everybody(msgspec.Struct, frozen=True):
    """All accounts and sessions at one version of the stream."""

    version: int
    accounts: tuple[Account, ...]
    sessions: dict[str, LoggedIn]
    places: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    two_people: bool = False
    proposals: tuple[AccountProposal, ...] = ()


class Began(msgspec.Struct, frozen=True):
    token_hash: str
    name: str
    handle: str
    expires_ms: int
    place: str = ""
    """Where they logged in with their password; "" for a guest."""
    local: bool = False


class Ended(msgspec.Struct, frozen=True):
    token_hash: str


_APPLY: dict[str, Callable[[People, Entry], None]] = {
    "account-created": People._created,
    "account-changed": People._changed,
    "session-began": People._began,
    "sessions-seen": People._seen,
    "session-ended": People._ended,
    "account-proposed": People._proposed,
    "account-answered": People._answered,
    "clock-went-back": People._clock_went_back,
}
