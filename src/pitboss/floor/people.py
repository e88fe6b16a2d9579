"""Accounts and sessions, folded from the stream `people`: argon2id for passwords, hashes for session tokens."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import replace

from pitboss.chance import secret_token
from pitboss.floor.audit import Audit, Note
from pitboss.floor.bots import is_bot
from pitboss.floor.model import FLOOR_ROLES, Caller, Denied, Unknown
from pitboss.floor.permissions import EVERY_TABLE, may, may_post
from pitboss.floor.shared_stream import Commits, SharedStream, entry_of
from pitboss.store.log import Append, Entry, NewEntry, Part
from pitboss.table.wagers import is_name

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MINUTE = 60_000
HOUR = 60 * MINUTE
PASSWORD_MIN, PASSWORD_MAX = 10, 200
TABLES_MOST = 1_000
SESSIONS_PER_ACCOUNT = 20
"""More than these at once: the oldest ends."""
CHECKING_MOST = 32
"""Passwords that may wait to be checked; each takes 64 MiB and a while."""
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


class Account(msgspec.Struct, frozen=True):
    """One person. `password` is an argon2id hash; "" where one cannot log in by password (a guest)."""

    name: str
    role: str
    password: str
    tables: tuple[str, ...] = (EVERY_TABLE,)
    disabled: bool = False
    guest: bool = False
    created_ms: int = 0


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


LogIn: TypeAlias = "Session | Denied | TryLater"

WRONG = Denied("name or password is wrong.")
SET_UP = Denied("this floor is set up: log in with an account of your own.")
CHANGED = Denied("the password was changed in this very moment: try again.")
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


def refuse_password(name: str, password: str) -> Denied | None:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        return Denied(f"a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters.")
    if key_of(name) in password.lower() or len(set(password)) < 4:
        return Denied("that password is too easy to guess: no name in it, and at least four different characters.")
    return None


def no_such_role(role: str) -> Denied:
    return Denied(f"there is no role {role[:40]!r}: {', '.join(FLOOR_ROLES)}.")


def refuse_tables(tables: tuple[str, ...]) -> Denied | None:
    if len(tables) > TABLES_MOST or any(not 0 < len(table) <= 64 for table in tables):
        return Denied("tables are named by their ids, or * for all of them.")
    return None


def neighbours(address: str) -> str:
    """Whom to count together: in IPv6 everybody has as many addresses as he likes, all in one network."""
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
    wrong in his name; and, with much more patience, for the name from everywhere. Whoever is `known`, by a session of
    his or by where he has logged in before, does not wait for what others do to his name. Whoever is `HERE` waits for
    nobody.
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
        return max(0, *(self._failed.get(key, (0, 0, 0))[2] - now_ms for key in keys)) if keys else 0

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
        keys = (("account", f"{whom} {place}"), ("address", place))
        return keys if known else (*keys, ("name", whom))

    def _note(self, key: tuple[str, str], count: int, now_ms: int) -> None:
        over = count - self.FREE[key[0]]
        most = self.NAME_MOST_MS if key[0] == "name" else self.MOST_MS
        wait = min(self.FIRST_MS << min(over, 20), most) if over >= 0 else 0
        self._failed[key] = (count, now_ms, now_ms + wait)
        self._failed.move_to_end(key)


def default_hasher() -> PasswordHasher:
    """RFC 9106's second choice: 64 MiB, three passes."""
    from argon2 import PasswordHasher, Type

    return PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4, type=Type.ID)


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
        self._hasher = hasher or default_hasher()
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="pitboss-passwords")
        self._nobody = ""
        self._checking = 0
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

    async def _write_checkpoint(self, now_ms: int) -> None:
        """Into the chained log, not beside it: whoever could alter this could make himself an administrator."""
        everybody = Everybody(self.version, tuple(self.accounts.values()), dict(self._sessions), dict(self._places))
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

    def _changed(self, entry: Entry) -> None:
        """Whatever of an account was changed; all but a posting to other tables ends its sessions."""
        change = msgspec.json.decode(entry.body, type=Change)
        account = self.accounts.get(key_of(change.name))
        if account is None:
            return
        fields = {
            field: getattr(change, field)
            for field in ("role", "password", "tables", "disabled")
            if getattr(change, field) is not None
        }
        self.accounts[key_of(change.name)] = replace(account, **fields)
        if set(fields) - {"tables"}:
            for key, session in list(self._sessions.items()):
                if key_of(session.name) == key_of(change.name) and session.handle != change.keeps:
                    self._end(key)

    def _began(self, entry: Entry) -> None:
        began = msgspec.json.decode(entry.body, type=Began)
        self._sessions[began.token_hash] = LoggedIn(
            began.name, began.handle, entry.at_ms, began.expires_ms, entry.at_ms, entry.at_ms
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
        """Whose session this is; None where there is none, it is over, or its account is disabled."""
        if not token or len(token) > 200:
            return None
        return self._caller(token_hash(token), now_ms)

    def by_handle(self, handle: str, now_ms: int, *, used: bool = True) -> Caller | None:
        """The same by the public handle: a socket asks whether its session still holds (`used`: it has just acted)."""
        return self._caller(self._by_handle.get(handle, ""), now_ms, used=used)

    def _caller(self, key: str, now_ms: int, *, used: bool = True) -> Caller | None:
        session = self._sessions.get(key)
        if session is None:
            return None
        account = self.accounts.get(key_of(session.name))
        if account is None or account.disabled or self._was_for_the_demo(account):
            return None
        if now_ms >= session.expires_ms or now_ms - session.seen_ms >= self.lifetimes.idle_ms:
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
        """Whether whoever asks has been let in by this name before: here now, or from where he is."""
        if neighbours(address) in self._places.get(key_of(name), ()):
            return True
        caller = self._caller(token_hash(token), now_ms, used=False) if token else None
        return caller is not None and key_of(caller.name) == key_of(name)

    # --- logging in and out ---

    async def log_in(self, name: str, password: str, address: str, now_ms: int, *, token: str = "") -> LogIn:
        """A session, or why not: the same words whether the name or the password is wrong.

        `token` is of the session that whoever asks has already, if he has one.
        """
        known = self._knows(name, address, token, now_ms)
        wait = self.throttle.wait_ms(name, address, now_ms, known=known)
        if wait:
            return TryLater(f"too many wrong passwords: try again in {in_seconds(wait)}.", wait)
        if len(password) > PASSWORD_MAX or len(name) > 64:
            return WRONG
        if self._checking >= CHECKING_MOST:
            return TryLater("many people log in just now: try again in a second.", 1_000)
        self.throttle.tries(name, address, now_ms, known=known)
        session: Session | Denied = CHANGED
        for _ in range(CHECKED_MOST):
            session = await self._let_in(name, password, address, now_ms)
            if session is not CHANGED:
                break
        if isinstance(session, Session):
            self.throttle.succeeded(name, address, known=known)
        return session

    async def _let_in(self, name: str, password: str, address: str, now_ms: int) -> Session | Denied:
        """A session for the right password; `CHANGED` where it was right a moment ago, and is to be checked again."""
        account = self.account(name)
        self._checking += 1
        try:
            right = await self._verify(account, password)
        finally:
            self._checking -= 1
        if account is None or not right:
            shown = account.name if account is not None else name
            note = Note(shown if is_name(shown) else "?", what="log in", text=WRONG.text, address=address)
            await self.audit.denial(note, now_ms, "login-failed")
            return WRONG
        if account.disabled:
            why = Denied("this account is disabled.")
            await self.audit.denied(Caller(account.name, account.role), "log in", why, now_ms)
            return why
        if self._hasher.check_needs_rehash(account.password):
            change = Change(account.name, password=await self._hash(password))
            renewed = await self._change(change, now_ms, account.name, seen=account)
            if not isinstance(renewed, Account):
                return CHANGED
            account = renewed
        session = await self._begin(account.name, now_ms, seen=account, place=neighbours(address))
        if isinstance(session, Session):
            await self.audit.note(
                "login", Note(account.name, account.role, session.caller.session, address=address), now_ms
            )
        return session

    async def _begin(self, name: str, now_ms: int, *, seen: Account | None = None, place: str = "") -> Session | Denied:
        """A session, or `CHANGED` where the password is no longer the one that was `seen`: it is decided on the very
        version of the stream that it is written after."""
        token, handle = secret_token(), secret_token(6)
        expires = now_ms + self.lifetimes.lifetime_ms
        began = Began(token_hash(token), name, handle, expires, place)

        def decide() -> tuple[list[NewEntry], Session | Denied]:
            account = self.account(name)
            if account is None or account.disabled:
                return [], WRONG
            if self._was_for_the_demo(account):
                return [], SET_UP
            if seen is not None and account.password != seen.password:
                return [], CHANGED
            caller = Caller(account.name, account.role, handle, account.tables)
            return [entry_of("session-began", began)], Session(token, caller, expires)

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
    ) -> Account | Denied:
        """A new account."""
        denied = may(caller, "change-accounts")
        if denied is not None:
            await self.audit.denied(caller, f"create account {name[:40]}", denied, now_ms)
            return denied
        made = await self._new(name, role, password, now_ms, tables=tuple(tables), by=caller.name)
        if isinstance(made, Account):
            note = Note(caller.name, caller.role, caller.session, f"account {made.name} created", text=made.role)
            await self.audit.note("account", note, now_ms)
        return made

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
        denied = refuse_name(name) or refuse_tables(tables)
        if denied is None and password is not None:
            denied = refuse_password(name, password)
        if denied is None and role not in FLOOR_ROLES:
            denied = no_such_role(role)
        if denied is not None:
            return denied
        hashed = await self._hash(password) if password is not None else ""
        account = Account(name, role, hashed, tables, guest=password is None, created_ms=now_ms)

        def decide() -> tuple[list[NewEntry], Account | Denied]:
            if key_of(name) in self.accounts:
                return [], Denied(f"the name {name} is taken.")
            if self._was_for_the_demo(account):
                return [], SET_UP
            return [entry_of("account-created", account)], account

        return await self.write(decide, at_ms=now_ms, by=by)

    async def change_role(self, caller: Caller, name: str, role: str, now_ms: int) -> Account | Denied | Unknown:
        wrong = None if role in FLOOR_ROLES else no_such_role(role)
        return await self._changed_by(caller, Change(name, role=role), f"role {role[:40]}", now_ms, wrong=wrong)

    async def disable(
        self, caller: Caller, name: str, now_ms: int, *, disabled: bool = True
    ) -> Account | Denied | Unknown:
        what = "disabled" if disabled else "enabled"
        return await self._changed_by(caller, Change(name, disabled=disabled), what, now_ms)

    async def post(self, caller: Caller, name: str, tables: Iterable[str], now_ms: int) -> Account | Denied | Unknown:
        """Post somebody to tables; "*" is all of them."""
        posted = tuple(dict.fromkeys(tables))
        what = f"posted to {' '.join(posted) or 'no table'}"
        wrong = refuse_tables(posted)
        return await self._changed_by(caller, Change(name, tables=posted), what, now_ms, "post-people", wrong=wrong)

    async def change_password(
        self, caller: Caller, name: str, password: str, now_ms: int, *, old: str | None = None
    ) -> Account | Denied | Unknown:
        """One's own with the old one; an administrator sets anybody's. All other sessions of the account end."""
        changed: Account | Denied | Unknown = CHANGED
        for _ in range(CHECKED_MOST):
            account = self.account(name)
            if account is None or key_of(caller.name) != key_of(name):
                return await self._set_password(caller, name, password, now_ms)
            denied = await self._deny_own_password(caller, account, old, now_ms)
            denied = denied or refuse_password(account.name, password)
            if denied is not None:
                return denied
            change = Change(account.name, password=await self._hash(password), keeps=caller.session)
            changed = await self._change(change, now_ms, caller.name, seen=account)
            if changed is not CHANGED:
                break
        if isinstance(changed, Account):
            note = Note(caller.name, caller.role, caller.session, "own password")
            await self.audit.note("account", note, now_ms)
        return changed

    async def _set_password(self, caller: Caller, name: str, password: str, now_ms: int) -> Account | Denied | Unknown:
        """Somebody else's: whoever may not learns that first, and nothing is hashed for him."""
        if may(caller, "change-accounts") is not None or self.account(name) is None:
            return await self._changed_by(caller, Change(name), "password", now_ms)
        wrong = refuse_password(name, password)
        hashed = "" if wrong is not None else await self._hash(password)
        return await self._changed_by(caller, Change(name, password=hashed), "password", now_ms, wrong=wrong)

    async def _deny_own_password(self, caller: Caller, account: Account, old: str | None, now_ms: int) -> Denied | None:
        if account.guest:
            return Denied("you came in without a password, so there is none to change.")
        own = f"own/{key_of(account.name)}"  # whoever is logged in keeps nobody else out by what he tries
        wait = self.throttle.wait_ms(account.name, own, now_ms, known=True)
        if wait:
            return Denied(f"too many wrong passwords: try again in {in_seconds(wait)}.")
        self.throttle.tries(account.name, own, now_ms, known=True)
        if old is None or not await self._verify(account, old):
            why = Denied("the old password is wrong.")
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
    ) -> Account | Denied | Unknown:
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
        changed = await self._change(change, now_ms, caller.name)
        if isinstance(changed, Account):
            note = Note(caller.name, caller.role, caller.session, f"account {changed.name}: {what}")
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
            fields = {
                field: getattr(change, field)
                for field in ("role", "password", "tables", "disabled")
                if getattr(change, field) is not None
            }
            return [entry_of("account-changed", change)], replace(account, **fields)

        return await self.write(decide, at_ms=now_ms, by=by)

    def _last_administrator(self, account: Account) -> bool:
        others = [
            other
            for other in self.accounts.values()
            if other.role == "administrator" and not other.disabled and other.name != account.name
        ]
        return account.role == "administrator" and not account.disabled and not others

    # --- passwords, off the event loop ---

    async def _hash(self, password: str) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._hasher.hash, password)

    async def _verify(self, account: Account | None, password: str) -> bool:
        """Unknown names and guests take as long as everybody else."""
        if not self._nobody:
            self._nobody = await self._hash(secret_token())
        known = account.password if account is not None and account.password else self._nobody
        right = await asyncio.get_running_loop().run_in_executor(self._threads, self._matches, known, password)
        return right and known is not self._nobody

    def _matches(self, hashed: str, password: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


CHECKPOINTS = "checkpoints:people"


class Everybody(msgspec.Struct, frozen=True):
    """All accounts and sessions at one version of the stream."""

    version: int
    accounts: tuple[Account, ...]
    sessions: dict[str, LoggedIn]
    places: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What of an account is changed; None stays as it is."""

    name: str
    role: str | None = None
    password: str | None = None
    tables: tuple[str, ...] | None = None
    disabled: bool | None = None
    keeps: str = ""
    """The handle of the session that goes on: one's own, when one changes one's password."""


class Began(msgspec.Struct, frozen=True):
    token_hash: str
    name: str
    handle: str
    expires_ms: int
    place: str = ""
    """Where he logged in with his password; "" for a guest."""


class Ended(msgspec.Struct, frozen=True):
    token_hash: str


_APPLY: dict[str, Callable[[People, Entry], None]] = {
    "account-created": People._created,
    "account-changed": People._changed,
    "session-began": People._began,
    "sessions-seen": People._seen,
    "session-ended": People._ended,
}
