"""Accounts and sessions: who comes in, for how long, and that everything about it survives a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from pitboss.floor.account_changes import Account, Change
from pitboss.floor.audit import Audit, Note
from pitboss.floor.checking import default_hasher
from pitboss.floor.model import FLOOR_ROLES, Denied, Unknown
from pitboss.floor.people import (
    CHECKED_AT_ONCE,
    Lifetimes,
    Session,
    Throttle,
    TryLater,
    Turns,
    refuse_name,
    token_hash,
)
from pitboss.store.log import LogFull
from tests.floor.peopled import PASSWORD, STAFF, Peopled, by_two, caller, peopled, run, session_of

LOG_IN = "192.0.2.1"


@pytest.mark.parametrize("role", FLOOR_ROLES)
def test_everybody_logs_in_as_who_he_is(tmp_path: Path, role: str) -> None:
    async def test(house: Peopled) -> None:
        await house.people.create_for_the_house("carol", role, PASSWORD, house.clock.now_ms())
        session = await session_of(house, "carol")
        who = house.people.who(session.token, house.clock.now_ms())
        assert (who.name, who.role) == ("carol", role)
        assert who.session and who.session != session.token

    run(tmp_path, test)


def test_wrong_names_and_passwords_are_told_the_same(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        now = house.clock.now_ms()
        answers = [
            await house.people.log_in("alice", "not her password", LOG_IN, now),
            await house.people.log_in("nobody", PASSWORD, LOG_IN, now),
            await house.people.log_in("alice", PASSWORD * 50, LOG_IN, now),
            await house.people.log_in("a b\0c", PASSWORD, LOG_IN, now),
            await house.people.log_in("", "", LOG_IN, now),
        ]
        assert all(isinstance(answer, Denied) for answer in answers)
        assert len({answer.text for answer in answers}) == 1
        failed = [entry for entry in house.entries("audit") if entry.kind == "login-failed"]
        assert len(failed) == 4, "too long a password is not even tried"
        assert all(b"password is wrong" in entry.body and LOG_IN.encode() in entry.body for entry in failed)

    run(tmp_path, test, staff=True)


def test_neither_token_nor_password_is_in_the_log(tmp_path: Path) -> None:
    async def test(house: Peopled) -> tuple[str, bytes]:
        session = await session_of(house, "alice")
        return session.token, b"".join(entry.body for entry in house.floor.commits.log.read_all())

    token, written = run(tmp_path, test, staff=True)
    assert token.encode() not in written
    assert PASSWORD.encode() not in written
    assert b"$argon2id$" in written


def test_the_default_hash_is_argon2id_with_64_mib() -> None:
    hasher = default_hasher()
    assert hasher.hash("x").startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_a_session_ends_when_idle_or_old(tmp_path: Path) -> None:
    lifetimes = Lifetimes(idle_ms=1_000, lifetime_ms=3_000)

    async def test(house: Peopled) -> None:
        people, clock = house.people, house.clock
        idle, busy = await session_of(house, "alice"), await session_of(house, "bob")
        for _ in range(5):
            clock.pass_ms(500)
            assert people.who(busy.token, clock.now_ms()).name == "bob"
        assert people.who(idle.token, clock.now_ms()) is None, "idle for 2.5 seconds"
        clock.pass_ms(499)
        assert people.who(busy.token, clock.now_ms()) is not None
        clock.pass_ms(1)
        assert people.who(busy.token, clock.now_ms()) is None, "3 seconds old"

    run(tmp_path, test, staff=True, lifetimes=lifetimes)


def test_asking_about_a_socket_does_not_keep_its_session_alive(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        session = await session_of(house, "alice")
        handle = session.caller.session
        for _ in range(4):
            house.clock.pass_ms(300)
            now = house.people.by_handle(handle, house.clock.now_ms(), used=False)
        assert now is None
        assert house.people.by_handle("no such handle", house.clock.now_ms()) is None

    run(tmp_path, test, staff=True, lifetimes=Lifetimes(idle_ms=1_000))


@pytest.mark.parametrize("token", ["", "x", "x" * 300, "pitboss", "é\0"])
def test_no_token_no_caller(tmp_path: Path, token: str) -> None:
    async def test(house: Peopled) -> object:
        await session_of(house, "alice")
        return house.people.who(token, house.clock.now_ms())

    assert run(tmp_path, test, staff=True) is None


def test_logging_out_ends_the_session_and_tells_whoever_listens(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        session = await session_of(house, "alice")
        heard: list[str] = []
        house.people.ended.append(heard.append)
        await house.people.log_out(session.token, house.clock.now_ms())
        await house.people.log_out(session.token, house.clock.now_ms())
        assert house.people.who(session.token, house.clock.now_ms()) is None
        assert heard == [session.caller.session]

    run(tmp_path, test, staff=True)


def test_accounts_and_sessions_survive_a_restart(tmp_path: Path) -> None:
    async def before(house: Peopled) -> str:
        session = await session_of(house, "alice")
        gone = await session_of(house, "bob")
        await house.people.log_out(gone.token, house.clock.now_ms())
        return session.token

    token = run(tmp_path, before, staff=True)

    async def after(house: Peopled) -> tuple[str, int]:
        return house.people.who(token, house.clock.now_ms()).name, len(house.people.accounts)

    assert run(tmp_path, after) == ("alice", len(STAFF))


def test_use_of_a_session_is_written_down_now_and_then(tmp_path: Path) -> None:
    """Another process, or this one after a restart, knows that the session was not idle."""
    lifetimes = Lifetimes(idle_ms=10 * 60_000)

    async def before(house: Peopled) -> tuple[str, int]:
        session = await session_of(house, "alice")
        for _ in range(3):
            house.clock.pass_ms(6 * 60_000)
            assert house.people.who(session.token, house.clock.now_ms()) is not None
            await house.people.refresh(house.clock.now_ms())
        return session.token, house.clock.now_ms()

    token, now = run(tmp_path, before, staff=True, lifetimes=lifetimes)

    async def after(house: Peopled) -> object:
        return house.people.who(token, now)

    assert run(tmp_path, after, lifetimes=lifetimes, now_ms=now) is not None


def test_start_up_reads_from_the_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.floor.people.CHECKPOINT_EVERY", 5)

    async def before(house: Peopled) -> str:
        session = await session_of(house, "alice")
        await house.people.refresh(house.clock.now_ms())
        await session_of(house, "bob")
        return session.token

    token = run(tmp_path, before, staff=True)

    async def after(house: Peopled) -> None:
        assert len(house.entries("checkpoints:people")) == 1
        everybody = msgspec.json.decode(house.entries("checkpoints:people")[0].body)
        assert everybody["version"] == len(STAFF) + 1
        assert house.people.version == len(STAFF) + 2 == len(house.entries("people"))
        assert house.people.who(token, house.clock.now_ms()).name == "alice"
        assert len(house.people.accounts) == len(STAFF)

    run(tmp_path, after)


def test_two_processes_fold_what_the_other_writes(tmp_path: Path) -> None:
    """Both decide on what they know; who comes second folds and decides again: one of two equal names is refused."""

    async def test() -> None:
        async with peopled(tmp_path, staff=True) as one:
            from pitboss.floor.people import People
            from tests.floor.peopled import quick_hasher

            other = People(one.floor.commits, hasher=quick_hasher())
            made = await asyncio.gather(
                one.people.create_for_the_house("dave", "player", PASSWORD, 1),
                other.create_for_the_house("Dave", "dealer", PASSWORD, 1),
            )
            assert sorted(type(each).__name__ for each in made) == ["Account", "Denied"]
            await one.people.catch_up()
            await other.catch_up()
            assert one.people.accounts == other.accounts
            other.close()

    asyncio.run(test())


# --- names and passwords ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["", "1alice", "a b", "alice!", "é", "dealer", "Dealer", "supervisor", "inspector", "house", "administrator",
     "gaming-manager", "tournament-manager", "bot-alice", "BOT-1", "a" * 33, "alice\n", "../x"],
)  # fmt: skip
def test_names_that_nobody_may_have(name: str) -> None:
    assert refuse_name(name) is not None


@pytest.mark.parametrize("name", ["alice", "Bob", "carol-2", "d_1", "a" * 32, "robot"])
def test_names_that_people_may_have(name: str) -> None:
    assert refuse_name(name) is None


@pytest.mark.parametrize(
    "password", ["", "short", "123456789", "a" * 30, "alice-is-my-name", "ALICE1234567", "x" * 201]
)
def test_passwords_that_are_no_good(tmp_path: Path, password: str) -> None:
    async def test(house: Peopled) -> object:
        return await house.people.create_for_the_house("alice", "player", password, 1)

    assert isinstance(run(tmp_path, test), Denied)


# --- accounts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [role for role in FLOOR_ROLES if role != "administrator"])
def test_only_an_administrator_changes_accounts(tmp_path: Path, role: str) -> None:
    async def test(house: Peopled) -> None:
        people, now = house.people, house.clock.now_ms()
        who = caller("supervisor-1", role)
        answers = [
            await people.create(who, "dave", "administrator", PASSWORD, now),
            await people.change_role(who, "alice", "administrator", now),
            await people.disable(who, "admin-1", now),
            await people.change_password(who, "admin-1", PASSWORD + "!", now),
        ]
        assert all(isinstance(answer, Denied) for answer in answers)
        assert people.account("dave") is None and people.account("alice").role == "player"
        denied = [entry for entry in house.entries("audit") if entry.kind == "denied"]
        assert len(denied) == 4, "each denial is in the audit"
        assert all(msgspec.json.decode(entry.body)["who"] == "supervisor-1" for entry in denied)

    run(tmp_path, test, staff=True)


def test_an_administrator_changes_accounts(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        people, now, admin = house.people, house.clock.now_ms(), caller("admin-1")
        made = await by_two(house, people.create(admin, "dave", "dealer", PASSWORD, now, tables=["nsw-pontoon"]))
        assert isinstance(made, Account) and made.tables == ("nsw-pontoon",)
        await people._change(Change("dave", must_change=False, code=""), now, "dave")
        session = await session_of(house, "dave")
        assert session.caller.tables == ("nsw-pontoon",)
        changed = await by_two(house, people.change_role(admin, "dave", "supervisor", now))
        assert changed.role == "supervisor"
        assert people.who(session.token, now) is None, "a new role is a new session"
        assert isinstance(await people.change_role(admin, "nobody", "player", now), Unknown)
        assert isinstance(await people.change_role(admin, "dave", "king", now), Denied)
        assert isinstance(await people.create(admin, "DAVE", "player", PASSWORD, now), Denied), "capitals do not count"
        kinds = [entry.kind for entry in house.entries("audit")]
        assert kinds.count("account") == 4, "proposed and done, twice"

    run(tmp_path, test, staff=True)


def test_a_disabled_account_is_out_at_once_and_comes_back_when_enabled(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        people, now, admin = house.people, house.clock.now_ms(), caller("admin-1")
        session = await session_of(house, "alice")
        await people.disable(admin, "alice", now)
        assert people.who(session.token, now) is None
        assert isinstance(await people.log_in("alice", PASSWORD, LOG_IN, now), Denied)
        await by_two(house, people.disable(admin, "alice", now, disabled=False))
        assert people.who(session.token, now) is None, "the old session stays over"
        assert isinstance(await people.log_in("alice", PASSWORD, LOG_IN, now), Session)

    run(tmp_path, test, staff=True)


def test_one_administrator_stays(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        people, now, admin = house.people, house.clock.now_ms(), caller("admin-1")
        manager = caller("manager-1")
        for asked in (people.disable(admin, "admin-1", now), people.change_role(admin, "admin-1", "player", now)):
            said = await asked
            assert isinstance(await people.answer(manager, said.proposal, True, now), Denied)
            assert people.proposals[said.proposal].state == "refused"
        await people.create_for_the_house("admin-2", "administrator", PASSWORD, now)
        assert (await by_two(house, people.disable(admin, "admin-1", now))).disabled
        last = await people.disable(caller("admin-2", "administrator"), "admin-2", now)
        assert isinstance(await people.answer(manager, last.proposal, True, now), Denied)

    run(tmp_path, test, staff=True)


def test_changing_ones_own_password_needs_the_old_one_and_ends_other_sessions(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        people, now = house.people, house.clock.now_ms()
        here, elsewhere = await session_of(house, "alice"), await session_of(house, "alice")
        new = "another long phrase"
        assert isinstance(await people.change_password(here.caller, "alice", new, now, old="wrong one"), Denied)
        assert isinstance(await people.change_password(here.caller, "alice", new, now), Denied)
        assert isinstance(await people.change_password(here.caller, "alice", new, now, old=PASSWORD), Account)
        assert people.who(here.token, now) is not None
        assert people.who(elsewhere.token, now) is None
        assert isinstance(await people.log_in("alice", PASSWORD, LOG_IN, now), Denied)
        assert isinstance(await people.log_in("alice", new, LOG_IN, now), Session)

    run(tmp_path, test, staff=True)


def test_guessing_ones_own_password_keeps_nobody_else_from_changing_his(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        now = house.clock.now_ms()
        for name in ("alice", "bob", "dealer-1", "supervisor-1", "inspector-1"):
            for _ in range(6):
                answer = await house.people.change_password(caller(name), name, "a new long one", now, old="guess")
                assert isinstance(answer, Denied)
        answer = await house.people.change_password(
            caller("manager-1"), "manager-1", "a new long one", now, old="guess"
        )
        assert isinstance(answer, Denied) and answer.text == "the current password is wrong."

    run(tmp_path, test, staff=True)


def test_posting_somebody_to_tables_keeps_his_session(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        people, now = house.people, house.clock.now_ms()
        session = await session_of(house, "dealer-1")
        assert isinstance(await people.post(caller("alice"), "dealer-1", ["t1"], now), Denied)
        assert isinstance(await people.post(caller("admin-1"), "dealer-1", ["t1"], now), Denied)
        assert isinstance(await people.post(caller("supervisor-1"), "dealer-1", ["t1", "t2"], now), Account)
        assert people.who(session.token, now).tables == ("t1", "t2")

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize("tables", [[""], ["x" * 65], [str(n) for n in range(1001)]])
def test_tables_that_nobody_can_be_posted_to(tmp_path: Path, tables: list[str]) -> None:
    async def test(house: Peopled) -> None:
        made = await house.people.create(caller("admin-1"), "dave", "dealer", PASSWORD, 1, tables=tables)
        assert isinstance(made, Denied) and house.people.account("dave") is None
        assert isinstance(await house.people.post(caller("supervisor-1"), "dealer-1", tables, 1), Denied)

    run(tmp_path, test, staff=True)


def test_an_old_hash_is_renewed_at_log_in(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        from argon2 import PasswordHasher

        before = house.people.account("alice").password
        house.people._checking._hasher = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
        await session_of(house, "alice")
        after = house.people.account("alice").password
        assert "t=1" in before and "t=2" in after
        await session_of(house, "alice")
        assert house.people.account("alice").password == after

    run(tmp_path, test, staff=True)


# --- too many wrong passwords ----------------------------------------------------------------------------------------


def test_wrong_passwords_cost_more_and_more_time(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        people, clock = house.people, house.clock
        waits = []
        for _ in range(12):
            answer = await people.log_in("alice", "wrong password", LOG_IN, clock.now_ms())
            if isinstance(answer, TryLater):
                waits.append(answer.wait_ms)
                assert isinstance(await people.log_in("alice", PASSWORD, LOG_IN, clock.now_ms()), TryLater)
                clock.pass_ms(answer.wait_ms)
        assert waits == sorted(waits) and waits[0] == 1_000 and waits[-1] >= 8 * waits[0]
        failed = [entry for entry in house.entries("audit") if entry.kind == "login-failed"]
        assert len(failed) == 12 - len(waits), "who has to wait is not asked, so nothing is written"

    run(tmp_path, test, staff=True)


def test_what_others_tried_at_an_address_costs_nobody_their_own_first_try() -> None:
    throttle = Throttle()
    for number in range(2 * throttle.FREE["address"]):
        throttle.tries(f"name{number}", LOG_IN, 0)
    assert throttle.wait_ms("name1", LOG_IN, 0) > throttle.FIRST_MS, "whoever was wrong there waits for all of them"
    assert not throttle.wait_ms("somebody-else", LOG_IN, 0)
    throttle.tries("somebody-else", LOG_IN, 0)
    assert throttle.wait_ms("somebody-else", LOG_IN, 0), "the first try only"
    assert not throttle.wait_ms("somebody-else", LOG_IN, 0, known=True)
    assert not throttle.wait_ms("somebody-else", "192.0.2.2", 0)


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("address", [LOG_IN, "198.51.100.9"])
def test_a_flood_of_wrong_passwords_keeps_nobody_honest_out(tmp_path: Path, at_once: bool, address: str) -> None:
    """Forty wrong ones made ten of ten honest people at the same address wait, and everybody while they came."""

    async def test(house: Peopled) -> None:
        people, now = house.people, house.clock.now_ms()
        honest = [f"honest-{number}" for number in range(10)]
        for name in honest:
            await people.create_for_the_house(name, "player", PASSWORD, now)
        flood = [people.log_in(f"alice{n % 7}", f"wrong password {n}", address, now) for n in range(40)]
        right = [people.log_in(name, PASSWORD, LOG_IN, now) for name in honest]
        if at_once:
            answers = (await asyncio.gather(*flood, *right))[len(flood) :]
        else:
            for each in flood:
                await each
            answers = [await each for each in right]
        assert [type(answer).__name__ for answer in answers] == ["Session"] * len(honest)

    run(tmp_path, test, staff=True)


def test_many_tries_at_once_gain_nothing(tmp_path: Path) -> None:
    async def test(house: Peopled) -> list[str]:
        now = house.clock.now_ms()
        tries = [house.people.log_in("alice", f"wrong password {n}", LOG_IN, now) for n in range(30)]
        return [type(answer).__name__ for answer in await asyncio.gather(*tries)]

    answers = run(tmp_path, test, staff=True)
    assert answers.count("Denied") == Throttle.FREE["account"] and answers.count("TryLater") == 25


def test_right_passwords_from_one_address_never_wait(tmp_path: Path) -> None:
    """A whole casino may stand behind one address."""

    async def test(house: Peopled) -> set[str]:
        found = set()
        for number in range(60):
            found.add(type(await house.people.log_in(("alice", "bob")[number % 2], PASSWORD, LOG_IN, number)).__name__)
        return found

    assert run(tmp_path, test, staff=True) == {"Session"}


def test_only_so_many_wait_for_their_password_to_be_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.floor.people.WAITING_ALL", 3)

    async def test(house: Peopled) -> list[str]:
        tries = [house.people.log_in(f"name{n}", "some password", f"192.0.2.{n}", 1) for n in range(8)]
        return [type(answer).__name__ for answer in await asyncio.gather(*tries)]

    answers = run(tmp_path, test, staff=True)
    assert answers.count("TryLater") == 8 - 3 - CHECKED_AT_ONCE


async def in_turn(*asked: tuple[str, str]) -> list[str]:
    """In which order those who wait are let on, while two others are being checked."""
    turns, order = Turns(), []

    async def one(address: str, name: str) -> None:
        async with turns.taken(address, name):
            order.append(f"{name}@{address}")
            await asyncio.sleep(0)

    first = [asyncio.create_task(one("x", f"first{n}")) for n in range(CHECKED_AT_ONCE)]
    await asyncio.gather(*first, *(one(*each) for each in asked))
    assert not turns._running and not turns._count and not turns._waiting
    return order[CHECKED_AT_ONCE:]


def test_whoever_waits_is_let_on_in_turn_by_address_and_by_name() -> None:
    flood = [("1", f"f{n // 3}") for n in range(6)]
    order = asyncio.run(in_turn(*flood, ("1", "alice"), ("2", "bob")))
    assert order.index("bob@2") <= 2, "one of the flood before them, and one beside"
    assert order.index("alice@1") <= 4, order


def test_whoever_goes_away_while_waiting_holds_up_nobody() -> None:
    async def test() -> None:
        turns = Turns()
        async with turns.taken("1", "a"), turns.taken("1", "b"):
            waits = [asyncio.create_task(_taken(turns, name)) for name in "cde"]
            await asyncio.sleep(0)
            waits[0].cancel()
            await asyncio.sleep(0)
        await asyncio.gather(*waits, return_exceptions=True)
        async with turns.taken("1", "f"):
            assert (turns._running, turns._count) == (1, 0)

    asyncio.run(asyncio.wait_for(test(), 10))


async def _taken(turns: Turns, name: str) -> None:
    async with turns.taken("1", name):
        await asyncio.sleep(0)


def test_the_throttle_forgets_after_a_while_and_stays_small() -> None:
    throttle = Throttle()
    for number in range(10):
        throttle.tries("alice", LOG_IN, number)
    assert throttle.wait_ms("ALICE", LOG_IN, 10) > 0 and not throttle.wait_ms("alice", "192.0.2.9", 10)
    later = 10 + throttle.FORGET_MS + throttle.MOST_MS
    assert not throttle.wait_ms("alice", LOG_IN, later)
    throttle.tries("alice", LOG_IN, later)
    assert not throttle.wait_ms("alice", LOG_IN, later)
    for number in range(throttle.KEPT + 100):
        throttle.tries(f"n{number}", "192.0.2.3", later)
    assert len(throttle._failed) <= throttle.KEPT


def test_sessions_of_one_account_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.floor.people.SESSIONS_PER_ACCOUNT", 3)

    async def test(house: Peopled) -> list[bool]:
        sessions = []
        for _ in range(5):
            sessions.append(await session_of(house, "alice"))
            house.clock.pass_ms(1)
        return [house.people.who(each.token, house.clock.now_ms()) is not None for each in sessions]

    assert run(tmp_path, test, staff=True) == [False, False, True, True, True]


def test_a_token_is_kept_as_its_hash() -> None:
    assert token_hash("x") != "x" and len(token_hash("x")) == 64


# --- set-up and guests -----------------------------------------------------------------------------------------------


def test_set_up_makes_the_administrator_once(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        reception = house.reception
        assert not reception.is_set_up
        session = await reception.set_up("admin-1", PASSWORD, "127.0.0.1", local=True)
        assert isinstance(session, Session) and session.caller.role == "administrator"
        assert reception.is_set_up
        again = await reception.set_up("admin-2", PASSWORD, "127.0.0.1", local=True)
        assert isinstance(again, Denied)

    run(tmp_path, test)


def test_set_up_from_elsewhere_needs_the_token_that_was_printed(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        reception, address = house.reception, "203.0.113.5"
        for token in ("", "x", reception.token[:-1], reception.token.upper()):
            assert isinstance(await reception.set_up("admin-1", PASSWORD, address, local=False, token=token), Denied)
        waits = 0
        for _ in range(10):
            answer = await reception.set_up("admin-1", PASSWORD, address, local=False, token="guess")
            waits += isinstance(answer, TryLater)
        assert waits, "guessing costs time too"
        house.clock.pass_ms(3_600_000)
        right = await reception.set_up("admin-1", PASSWORD, address, local=False, token=reception.token)
        assert isinstance(right, Session)

    run(tmp_path, test)


def test_guests_come_in_at_the_machine_only_and_as_staff_only_before_set_up(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        reception, people, now = house.reception, house.people, house.clock.now_ms()
        assert isinstance(await reception.guest("alice", "player", local=False), Denied)
        assert isinstance(await reception.guest("", "dealer", local=False), Denied)
        alice = await reception.guest("alice", "player", local=True)
        dealer = await reception.guest("", "dealer", local=True)
        assert isinstance(alice, Session) and isinstance(dealer, Session)
        assert (dealer.caller.name, dealer.caller.role) == ("demo-dealer", "dealer")
        assert isinstance(await people.log_in("demo-dealer", "", LOG_IN, now), Denied)
        assert isinstance(await people.log_in("alice", "", LOG_IN, now), Denied)
        assert isinstance(await reception.guest("Alice", "player", local=True), Denied), "she is here already"
        await reception.set_up("admin-1", PASSWORD, "127.0.0.1", local=True)
        assert people.who(dealer.token, now) is None, "set-up ends the demo's staff"
        assert isinstance(await reception.guest("", "dealer", local=True), Denied)
        assert people.who(alice.token, now) is not None
        await people.log_out(alice.token, now)
        assert isinstance(await reception.guest("alice", "player", local=True), Session)
        assert isinstance(await reception.guest("admin-1", "player", local=True), Denied), "an account is no guest"

    run(tmp_path, test)


def test_two_processes_write_one_audit(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        one, two = Audit(house.floor.commits), Audit(house.floor.commits)
        notes = [audit.note("denied", Note(f"n{n}"), n) for n in range(60) for audit in (one, two)]
        await asyncio.gather(*notes)
        written = [msgspec.json.decode(entry.body)["who"] for entry in house.entries("audit")]
        assert sorted(written) == sorted(f"n{n}" for n in range(60) for _ in "ab"), "each once, none lost"

    run(tmp_path, test)


def test_a_full_log_is_told_to_whoever_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: Peopled) -> None:
        async def full(item: object) -> object:
            raise LogFull("the disk is full.")

        monkeypatch.setattr(house.floor.commits, "append", full)
        with pytest.raises(LogFull):
            await house.people.log_in("alice", PASSWORD, LOG_IN, house.clock.now_ms())
        monkeypatch.undo()
        assert isinstance(await house.people.log_in("alice", PASSWORD, LOG_IN, house.clock.now_ms()), Session)

    run(tmp_path, test, staff=True)


def test_a_guest_who_was_given_a_password_needs_it(tmp_path: Path) -> None:
    """They came in by their name alone as before, and so did anybody else at the machine."""

    async def test(house: Peopled) -> None:
        people, now = house.people, house.clock.now_ms()
        await people.guest("gus", now)
        await people._change(Change("gus", password=await people._hash(PASSWORD)), now, "admin-1")
        assert people.account("gus").guest is False
        assert isinstance(await people.guest("gus", now), Denied)
        assert isinstance(await people.log_in("gus", PASSWORD, LOG_IN, now), Session)

    run(tmp_path, test)
