"""``pitboss people``: who has an account in a log, and letting somebody in again who lost what they log in with."""

from __future__ import annotations

import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from pitboss.chance import secret_token
from pitboss.commands import Unread
from pitboss.commands.options import AsJson, LogAt
from pitboss.floor import factors
from pitboss.floor.account_changes import SECONDS, Account, Change
from pitboss.floor.audit import Note
from pitboss.floor.clock import SystemClock
from pitboss.floor.model import Denied, Unknown
from pitboss.floor.people import People, Proof, Session, key_of
from pitboss.store.group import GroupCommit
from pitboss.store.moving import opened
from pitboss.store.opening import log_at, open_log

FINE = 0
OPERATOR = "operator"
T = TypeVar("T")


def listed(log: LogAt, *, json: AsJson = False) -> int:
    """List who has an account: role, what they log in with, and whether it is disabled."""

    async def look(people: People) -> list[Account]:
        return [each for _, each in sorted(people.accounts.items())]

    accounts = _on(log, look, read_only=True)
    if json:
        rows = [
            {"name": each.name, "role": each.role, "with": _ways(each), "disabled": each.disabled} for each in accounts
        ]
        print(msgspec.json.encode({"people": rows}).decode())
    else:
        for each in accounts:
            print(f"{each.name}: {each.role}, {', '.join(_ways(each))}{', disabled' if each.disabled else ''}")
        if not accounts:
            print("nobody: the floor is not set up.")
    return FINE


def reset(log: LogAt, name: str, *, json: AsJson = False) -> int:
    """Reset the account of a person who lost their password, authenticator or passkeys. Needs two other people.

    Asks for the names and passwords of two administrators, gaming managers or inspectors (and a code, for those with an
    authenticator); from a pipe, one per line. While only the first administrator can change accounts, nobody else is
    asked. Prints a password, and a code, for first use.

    Parameters
    ----------
    name
        The account.
    """

    async def do(people: People) -> dict[str, str]:
        account = people.account(name)
        if account is None or account.guest:
            raise Unread(f"there is no account {name!r} with a password: pitboss people list shows who has one.")
        now = SystemClock().now_ms()
        said = await two_people(people, now, account) if people.two_people else ()
        password, code = secret_token(12), factors.new_code()
        change = Change(
            account.name,
            password=await people._hash(password),
            must_change=True,
            code=factors.code_hash(code),
            totp="",
            passkeys=(),
        )
        changed = await people._change(change, now, OPERATOR)
        if isinstance(changed, (Denied, Unknown)):
            raise Unread(changed.text)
        by = " and ".join(said) or "the operator alone, before there was a second person"
        what = f"account {account.name}: password, authenticator and passkeys, from the command line"
        await people.audit.note("account", Note(OPERATOR, what=what, text=f"by {by}"), now)
        return {"name": account.name, "password": password, "code": code}

    found = _on(log, do)
    if json:
        print(msgspec.json.encode(found).decode())
    else:
        print(f"{found['name']} logs in once with password {found['password']} and code {found['code']},")
        print("and changes the password at once. An administrator makes an authenticator or a passkey then.")
    return FINE


def _ways(account: Account) -> list[str]:
    ways = ["a password"] if account.password else ["no password"]
    ways += ["an authenticator"] if account.totp else []
    ways += [f"{len(account.passkeys)} passkey{'s' * (len(account.passkeys) > 1)}"] if account.passkeys else []
    return ways + (["to be changed at first use"] if account.must_change else [])


async def two_people(people: People, now_ms: int, whose: Account | None = None) -> tuple[str, str]:
    """Two who may say together what one may not: not about themselves, and not the same one twice."""
    first, second = [await _witness(people, whose, number, now_ms) for number in (1, 2)]
    if key_of(first) == key_of(second):
        raise Unread("you can't approve your own request; a second person approves it.")
    return first, second


async def _witness(people: People, whose: Account | None, number: int, now_ms: int) -> str:
    """Somebody who may be one of the two, and who knows what they log in with."""
    name = _asked(f"person {number} of 2, name: ")
    account = people.account(name)
    if account is not None and whose is not None and key_of(account.name) == key_of(whose.name):
        raise Unread("nobody resets their own account: ask two others.")
    password = _asked(f"password of {name}: ", secret=True)
    code = _asked(f"code of {name}'s authenticator: ") if account is not None and account.totp else ""
    session = await people.log_in(name, password, "command line", now_ms, proof=Proof(code, local=True))
    if not isinstance(session, Session) or session.caller.role not in SECONDS:
        roles = ", ".join(SECONDS)
        raise Unread(f"{name!r} is not let in, or is none of {roles}; nothing was changed.")
    await people.log_out(session.token, now_ms)
    return session.caller.name


def _asked(text: str, *, secret: bool = False) -> str:
    if sys.stdin.isatty():
        return (getpass.getpass(text) if secret else input(text)).strip()
    line = sys.stdin.readline()
    if not line:
        raise Unread("two people are asked for their names and passwords: give them on a terminal, or one a line.")
    return line.rstrip("\n")


def _on(log: str, ask: Callable[[People], Awaitable[T]], *, read_only: bool = False) -> T:
    """Ask the people of a log something, in a loop of our own."""

    async def run() -> T:
        with opened(open_log(log_at(log), create=False, read_only=read_only)) as source:
            commits = GroupCommit(source)
            people = People(commits)
            try:
                await people.audit.catch_up()
                await people.catch_up()
                return await ask(people)
            finally:
                people.close()
                await commits.close()

    return asyncio.run(run())
