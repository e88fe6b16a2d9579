"""Who keeps whom out, and what is true when two things happen in one moment: passwords, set-up, posts, the log away."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from argon2 import PasswordHasher

from pitboss.floor.account_changes import Account, Change
from pitboss.floor.people import HERE, People, Session, Throttle
from pitboss.server.live import Connection, Say
from pitboss.store.log import StoreError
from tests.floor.peopled import PASSWORD, Peopled, quick_hasher
from tests.server.test_accounts import Web, web

NEW = "a new long phrase"
OWNER, STRANGER = "192.0.2.7", "203.0.113.9"


async def log_in(site: Web, client: str, password: str = "not the password", **headers: str) -> int:
    body = {"name": "alice", "password": password}
    return (await site.browser(client=client, **headers).post("/api/login", json=body)).status_code


# --- nobody keeps another out ----------------------------------------------------------------------------------------


async def test_whoever_is_wrong_in_anothers_name_has_to_wait_himself(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        assert [await log_in(site, STRANGER) for _ in range(7)] == [401] * 5 + [429] * 2
        assert await log_in(site, OWNER, PASSWORD) == 200
        assert await log_in(site, STRANGER, PASSWORD) == 429, "he is not forgiven because the owner came in"


async def test_a_name_that_many_are_wrong_about_rests_for_those_who_are_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From many addresses a password could be guessed else; whoever has been let in before is not subject to it."""
    monkeypatch.setattr(Throttle, "FREE", {**Throttle.FREE, "name": 12})
    async with web(tmp_path) as site:
        session = await site.as_("alice")
        for number in range(Throttle.FREE["name"]):
            assert await log_in(site, f"198.51.100.{number // 4}") == 401
        assert await log_in(site, STRANGER, PASSWORD) == 429
        assert await log_in(site, OWNER, PASSWORD) == 200, "he has logged in from there before"
        held = {"authorization": f"Bearer {session.cookies['pitboss']}"}
        assert await log_in(site, "198.51.100.200", PASSWORD, **held) == 200, "he is here already, and has moved"
        bob = site.browser(client=STRANGER)
        assert (await bob.post("/api/login", json={"name": "bob", "password": PASSWORD})).status_code == 200


async def test_where_somebody_has_logged_in_is_known_after_a_restart_and_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.floor.people.CHECKPOINT_EVERY", 1)
    async with web(tmp_path) as site:
        await site.as_("alice")
        await site.house.people.refresh(site.house.clock.now_ms())
        await site.as_("bob")
        again = People(site.house.floor.commits, hasher=quick_hasher())
        await again.catch_up()
        for name in ("alice", "bob"):
            assert again._knows(name, OWNER, "", 0) and not again._knows(name, STRANGER, "", 0)
        again.close()


async def test_wrong_tokens_do_not_keep_the_operator_from_his_machine(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        wrong = {"name": "mallory", "password": PASSWORD, "token": "guess"}
        elsewhere = site.browser(**{"x-forwarded-for": HERE})
        answers = [(await elsewhere.post("/api/setup", json=wrong)).status_code for _ in range(8)]
        assert answers[0] == 403 and answers[-1] == 429
        for _ in range(6):
            await elsewhere.post("/api/login", json={"name": "admin-1", "password": "not the password"})
        here = await site.browser().post("/api/setup", json={"name": "admin-1", "password": PASSWORD})
        assert here.status_code == 200 and here.json()["role"] == "administrator"


# --- in one moment ---------------------------------------------------------------------------------------------------


def change_meanwhile(house: Peopled, name: str = "alice") -> None:
    """Whenever a password was found right, and before anything comes of it, it is changed: once."""
    people, found = house.people, house.people._verify
    changed: list[Any] = []

    async def verify(account: Account | None, password: str) -> bool:
        right: bool = await found(account, password)
        if right and not changed:
            changed.append(None)
            change = Change(name, password=await people._hash(NEW))
            assert isinstance(await people._change(change, house.clock.now_ms(), "admin-1"), Account)
        return right

    people._verify = verify


async def test_whoever_logs_in_while_the_password_is_changed_needs_the_new_one(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        change_meanwhile(site.house)
        assert await log_in(site, STRANGER, PASSWORD) == 401
        assert not [one for one in site.house.people._sessions.values() if one.name == "alice"]
        assert await log_in(site, OWNER, NEW) == 200


async def test_an_old_hash_that_is_renewed_never_brings_the_old_password_back(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        site.house.people._checking._hasher = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)
        change_meanwhile(site.house)
        assert await log_in(site, STRANGER, PASSWORD) == 401
        assert await log_in(site, OWNER, PASSWORD) == 401 and await log_in(site, OWNER, NEW) == 200


async def test_two_who_log_in_while_the_hash_is_renewed_both_come_in(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        site.house.people._checking._hasher = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)
        assert await asyncio.gather(*(log_in(site, OWNER, PASSWORD) for _ in range(3))) == [200] * 3


async def test_of_two_changes_of_one_password_the_second_needs_the_first(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        change_meanwhile(site.house)
        body = {"old": PASSWORD, "password": "another long phrase"}
        assert (await alice.post("/api/accounts/alice/password", json=body)).status_code == 403
        assert await log_in(site, OWNER, NEW) == 200


STAFF = ("dealer", "supervisor", "gaming-manager", "tournament-manager", "inspector")


async def test_set_up_ends_whatever_the_demo_let_in_however_it_came_about(tmp_path: Path) -> None:
    """Nothing has to be swept: whoever came in as staff without a password is looked at whenever he asks."""
    async with web(tmp_path, staff=False) as site:
        people, now = site.house.people, site.house.clock.now_ms()
        player = site.browser()
        assert (await player.post("/api/guest", json={"name": "gus"})).status_code == 200
        browsers = [site.browser() for _ in STAFF]
        for browser, role in zip(browsers, STAFF, strict=True):
            assert (await browser.post("/api/guest", json={"role": role})).status_code == 200
        who = people.who(browsers[0].cookies["pitboss"], now)
        talking = Connection(site.house.floor, who, site.server.metrics, site.server.guard)
        talking.hear(b'{"do":"ping"}')
        assert talking.next() == b'{"is":"pong"}'
        assert isinstance(await people.create_for_the_house("admin-1", "administrator", PASSWORD, now), Account)
        assert {(await browser.get("/api/me")).status_code for browser in browsers} == {401}
        talking.hear(b'{"do":"ping"}')
        assert talking.over is not None and talking.next() is None
        assert (await player.get("/api/me")).status_code == 200


async def test_staff_who_come_in_elsewhere_in_the_moment_of_set_up_do_not_come_in(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        now = site.house.clock.now_ms()
        elsewhere = People(site.house.floor.commits, hasher=quick_hasher())
        assert isinstance(await site.house.people.guest("demo-dealer", now, role="dealer"), Session)
        await elsewhere.catch_up()
        assert isinstance(await site.house.people.set_up("admin-1", PASSWORD, now), Account)
        for role in ("dealer", "inspector"):  # one that there was, and one that there was not
            assert not isinstance(await elsewhere.guest(f"demo-{role}", now, role=role), Session)
        assert elsewhere.account("demo-inspector") is None
        elsewhere.close()


async def test_with_several_processes_the_answer_waits_until_the_others_can_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitboss.server.accounts.HEARD_SECONDS", 0.3)
    async with web(tmp_path) as site:
        admin, loop = await site.as_("admin-1"), asyncio.get_running_loop()
        site.house.floor.alone = False
        changes: tuple[tuple[str, dict[str, Any]], ...] = (("disable", {}), ("tables", {"tables": []}))
        for path, body in changes:
            name, began = {"tables": "dealer-1"}.get(path, "alice"), loop.time()
            asked = admin if path != "tables" else await site.as_("supervisor-1")
            assert (await asked.post(f"/api/accounts/{name}/{path}", json=body)).status_code == 200
            assert loop.time() - began >= 0.3
        monkeypatch.setattr("pitboss.server.accounts.HEARD_SECONDS", 600)
        async with asyncio.timeout(60):  # where nothing changed nobody need hear of it
            assert (await admin.post("/api/accounts/nobody/disable", json={})).status_code == 404
        site.house.floor.alone = True


# --- what one is offered, and told -----------------------------------------------------------------------------------


async def test_whoever_is_not_posted_to_a_table_is_offered_nothing_there(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        supervisor, alice, dealer = [await site.as_(name) for name in ("supervisor-1", "alice", "dealer-1")]
        opening = {"id": "o1", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await supervisor.post("/api/tables", json=opening)).status_code == 200
        connections = []
        for browser in (alice, dealer):
            who = site.house.people.who(browser.cookies["pitboss"], site.house.clock.now_ms())
            connection = Connection(site.house.floor, who, site.server.metrics, site.server.guard)
            await connection._watch(msgspec.convert({"do": "watch", "table": "t1"}, type=Say))
            connections.append(connection)
        assert all(msgspec.json.decode(connection.next() or b"{}")["legal"] for connection in connections)
        for name, browser, connection in zip(("alice", "dealer-1"), (alice, dealer), connections, strict=True):
            assert (await browser.get("/api/tables/t1")).json()["legal"]
            await supervisor.post(f"/api/accounts/{name}/tables", json={"tables": ["other"]})
            shown = (await browser.get("/api/tables/t1")).json()
            assert shown["legal"] == [] and shown["view"]["phase"] == "wagers", "he is shown it all the same"
            assert connection.check_session()
            update = msgspec.json.decode(connection.next() or b"{}")
            assert update["legal"] == [] and update.keys() == shown.keys(), "and told so before anything happens there"
            await supervisor.post(f"/api/accounts/{name}/tables", json={"tables": ["t1"]})
            assert (await browser.get("/api/tables/t1")).json()["legal"]
            assert connection.check_session() and msgspec.json.decode(connection.next() or b"{}")["legal"]


async def test_whoever_watches_a_table_while_the_log_is_away_is_told_so(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        who = site.house.people.who(alice.cookies["pitboss"], site.house.clock.now_ms())
        connection = Connection(site.house.floor, who, site.server.metrics, site.server.guard)
        for fault, text in (
            (StoreError("the log is away"), "cannot be read"),
            (ValueError("oh"), "a fault in Pitboss"),
        ):

            async def watch(*_: Any, fault: Exception = fault) -> Any:
                raise fault

            site.house.floor.watch = watch  # type: ignore[method-assign,assignment]
            connection.hear(b'{"do":"watch","table":"none","id":"w1"}')
            async with asyncio.timeout(30):
                while (heard := connection.next()) is None:
                    await asyncio.sleep(0.002)
            said = msgspec.json.decode(heard)
            assert said["id"] == "w1" and said["answer"]["is"] == "halted" and text in said["answer"]["text"]
