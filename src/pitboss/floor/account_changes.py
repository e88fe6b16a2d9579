"""Changes of accounts that two people make: the first proposes, the second approves, and then it is done.

Whoever can make accounts alone can make themselves a second person, and then approve whatever wants two.
"""

from __future__ import annotations

import msgspec

from pitboss.floor.factors import Passkey
from pitboss.floor.model import Caller, Denied
from pitboss.floor.permissions import EVERY_TABLE, may

SECONDS = ("administrator", "gaming-manager", "inspector")
"""Who may be the second; and who is changed by two only, also where somebody is to be stopped."""
EXPIRES_MS = 24 * 60 * 60_000
OPEN_MOST = 50
"""Proposals of one person that may wait at once."""
KEPT = 200
CLOCK_TOLERANCE_MS = 2 * 60_000
"""Clocks of several machines differ by less; what is further ahead was written by one that was wrong, or was put back
since."""


class Account(msgspec.Struct, frozen=True):
    """One person. `password` is an argon2id hash; "" where one cannot log in by password (a guest)."""

    name: str
    role: str
    password: str
    tables: tuple[str, ...] = (EVERY_TABLE,)
    disabled: bool = False
    guest: bool = False
    created_ms: int = 0
    must_change: bool = False
    """The password was set by somebody else: nothing is done before it is changed."""
    code: str = ""
    """The hash of the code that is needed with it at first, which whoever approved it was told."""
    totp: str = ""
    """The secret of an authenticator; "" where there is none."""
    totp_step: int = 0
    """The last step of which a code was used."""
    passkeys: tuple[Passkey, ...] = ()

    @property
    def has_factor(self) -> bool:
        """Whether a password is not enough."""
        return bool(self.totp or self.passkeys)


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What of an account is changed; None stays as it is."""

    name: str
    role: str | None = None
    password: str | None = None
    tables: tuple[str, ...] | None = None
    disabled: bool | None = None
    keeps: str = ""
    """The handle of the session that goes on: one's own, when one changes one's password."""
    must_change: bool | None = None
    code: str | None = None
    totp: str | None = None
    totp_step: int | None = None
    passkeys: tuple[Passkey, ...] | None = None

    @property
    def fields(self) -> dict[str, object]:
        """Whatever is changed, for `replace`."""
        return {
            field: getattr(self, field)
            for field in self.__struct_fields__
            if field not in ("name", "keeps") and getattr(self, field) is not None
        }


QUIET = frozenset({"tables", "totp_step", "passkeys"})
"""What changes without ending anybody's sessions."""


class AccountProposal(msgspec.Struct, frozen=True):
    """What somebody wants to change, and what became of it."""

    id: str
    first: str
    name: str
    """Whose account it is."""
    what: str
    """In words."""
    at_ms: int
    expires_ms: int
    account: Account | None = None
    """One to be made."""
    change: Change | None = None
    sets_password: bool = False
    state: str = "waiting"
    """waiting, done, refused (it could not be done any more) or rejected."""
    by: str = ""
    text: str = ""

    def state_at(self, now_ms: int) -> str:
        """`state`, or expired where nobody answered in time, or the clock was put back since."""
        over = now_ms >= self.expires_ms or self.at_ms > now_ms + CLOCK_TOLERANCE_MS
        return "expired" if self.state == "waiting" and over else self.state


class AccountAnswered(msgspec.Struct, frozen=True):
    """What became of a proposal."""

    id: str
    state: str
    by: str
    text: str = ""


class Approved(msgspec.Struct, frozen=True, tag="approved", tag_field="is"):
    """A proposal was answered."""

    proposal: str
    state: str
    code: str = ""
    """Needed with a new password at first: told to whoever approved it, once, for them to hand over themselves."""


def deny_second(caller: Caller, proposal: AccountProposal) -> Denied | None:
    """Why this person may not approve it, or None if they may."""
    denied = may(caller, "approve-accounts")
    if denied is not None:
        return denied
    if caller.name.lower() == proposal.first.lower():
        return Denied("you can't approve your own request; a second person approves it.")
    if caller.name.lower() == proposal.name.lower():
        return Denied("you can't approve a change of your own account.")
    return None
