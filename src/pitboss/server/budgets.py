"""What one account, and one address, may take of the server: how often, how much at once, and what is kept for it.

Whoever acts is somebody who calls from somewhere: both have a budget of everything, and whichever has less left
decides. An account has the same budget however many sessions and sockets it has.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from pitboss.floor.people import key_of, neighbours


class Limits(msgspec.Struct, frozen=True):
    """How much and how often; a rate is so many a second, and a burst what may come at once."""

    body_bytes: int = 1 << 20
    body_seconds: float = 30
    """So long a body may be on its way."""
    strangers_body_bytes: int = 16 << 10
    """Of whoever has no session: a name, a password and a token are no longer, however they are written."""
    short_body_seconds: float = 10
    """So long one of no more than these, whoever sends it."""
    held_bytes: int = 16 << 20
    """Of an account: bodies that come in parts, and what it was answered or is to be told and does not read."""
    held_bytes_address: int = 64 << 20
    held_bytes_all: int = 256 << 20
    connections: int = 2048
    """Open at once, by address, sockets not counted; a proxy may have any number."""
    calls_rate: float = 50
    """Connections that an address may open; who is answered by no more requests than it may ask needs no more."""
    calls_burst: int = 1_000
    requests_rate: float = 50
    """Of an account, and of an address."""
    requests_burst: int = 400
    acts_rate: float = 20
    """Of an account: acts, and everything else that is said on a socket."""
    acts_burst: int = 60
    acts_rate_address: float = 2_000
    acts_burst_address: int = 8_000
    sockets: int = 24
    """Open at once, of an account."""
    sockets_address: int = 2048
    opened_rate: float = 4
    """Of an account: sockets that it opens. Shaking hands, and telling a table anew, costs as much as ten acts."""
    opened_burst: int = 240
    trainings_rate: float = 0.5
    """Of an account: trainings that it begins. Dealing one costs what a hundred acts do, and so does forgetting it."""
    trainings_burst: int = 30
    logins_rate: float = 0.1
    """Of an account: times that somebody logs in rightly, which stand in the log."""
    logins_burst: int = 60


class Whom(msgspec.Struct, frozen=True):
    """Whose budget something is taken from: an account's, "" for a stranger, and an address's."""

    account: str
    address: str

    @classmethod
    def of(cls, name: str, address: str) -> Whom:
        return cls(key_of(name), neighbours(address))


class Buckets:
    """Token buckets by key; the oldest keys are forgotten when there are too many."""

    KEPT = 50_000
    AT_ONCE = 1e-6
    """Fewer seconds than this are none: what is reckoned in floats is not quite exact."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._each, self._span, self._clock = 1 / rate, burst / rate, clock
        self._full_at: OrderedDict[str, float] = OrderedDict()
        """When each bucket will be full again; whoever is not here has a full one."""

    def allow(self, key: str) -> float:
        """0 and one is used up, or so many seconds until there is one again."""
        wait = self.reserve(key)
        if wait:
            self.give_back(key)
        return wait

    def wait(self, key: str) -> float:
        """So many seconds until there is one; nothing is used up."""
        wait = self.reserve(key)
        self.give_back(key)
        return wait

    def reserve(self, key: str) -> float:
        """0, or so many seconds until there is one; it is used up already: who comes later goes later."""
        now, kept = self._clock(), self._full_at
        full_at = kept.get(key)
        if full_at is not None:
            kept.move_to_end(key)
            full_at = (full_at if full_at > now else now) + self._each
        else:
            if len(kept) >= self.KEPT:
                kept.popitem(last=False)
            full_at = now + self._each
        kept[key] = full_at
        wait = full_at - now - self._span
        return wait if wait > self.AT_ONCE else 0.0

    def give_back(self, key: str) -> None:
        """One that was reserved is not wanted any more."""
        if key in self._full_at:
            self._full_at[key] -= self._each


class Rates:
    """So often for an account, and so often for an address; a stranger counts by their address alone."""

    def __init__(self, accounts: Buckets, addresses: Buckets) -> None:
        self._accounts, self._addresses = accounts, addresses

    def reserve(self, whom: Whom) -> float:
        """0, or so many seconds until it is their turn; it is used up already: who comes later goes later."""
        wait = self._addresses.reserve(whom.address)
        if whom.account:
            own = self._accounts.reserve(whom.account)
            return own if own > wait else wait
        return wait

    def give_back(self, whom: Whom) -> None:
        self._addresses.give_back(whom.address)
        if whom.account:
            self._accounts.give_back(whom.account)

    def allow(self, whom: Whom) -> float:
        """0 and one is used up, or so many seconds until there is one again."""
        wait = self.reserve(whom)
        if wait:
            self.give_back(whom)
        return wait


class Held:
    """How much is kept now, for each account, for each address and for all; whatever is added is removed some day."""

    def __init__(self, account: int, address: int, everybody: int) -> None:
        self._account, self._address, self._everybody = account, address, everybody
        self._accounts: dict[str, int] = {}
        self._addresses: dict[str, int] = {}
        self.all = 0

    def add(self, whom: Whom, size: int = 1) -> bool:
        """Keep so much more; False where that is too much: then nothing is kept."""
        account, address, everything = whom.account, whom.address, self.all + size
        own = self._accounts.get(account, 0) + size if account else 0
        there = self._addresses.get(address, 0) + size
        if own > self._account or there > self._address or everything > self._everybody:
            return False
        if account:
            self._accounts[account] = own
        self._addresses[address], self.all = there, everything
        return True

    def remove(self, whom: Whom, size: int = 1) -> None:
        self.all -= size
        account, address, accounts, addresses = whom.account, whom.address, self._accounts, self._addresses
        if account:
            own = accounts.get(account, 0) - size
            if own > 0:
                accounts[account] = own
            else:
                accounts.pop(account, None)
        there = addresses.get(address, 0) - size
        if there > 0:
            addresses[address] = there
        else:
            addresses.pop(address, None)

    @property
    def most_of_one(self) -> int:
        """What the account has for which most is kept."""
        return max(self._accounts.values(), default=0)
