"""The routes of people over HTTP, through the whole server: set-up, log-in, accounts, approvals, audit, training."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from pitboss.floor.audit import AT_ONCE
from pitboss.floor.model import Opening
from pitboss.floor.setting_up import open_demo_floor
from pitboss.floor.training import Training
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.app import Server
from pitboss.server.budgets import Limits
from pitboss.server.live import Connection
from pitboss.server.security import Guard
from pitboss.store.log import LogFull
from tests.floor.peopled import PASSWORD, STAFF, Peopled, caller, peopled
from tests.waiting import until

OWN = {"origin": "http://localhost:8021"}
NO_LIMIT = Limits(requests_rate=1e6, requests_burst=10**6)


class Web:
    """The server, and browsers of it."""

    def __init__(self, house: Peopled, guard: Guard) -> None:
        self.house = house
        self.server = Server(house.floor, house.reception, guard)

    def browser(self, client: str = "127.0.0.1", **headers: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.server, client=(client, 50_000), raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url="http://localhost:8021", headers=OWN | headers)

    async def as_(self, name: str) -> httpx.AsyncClient:
        """Somebody elsewhere; an administrator at the machine itself."""
        browser = self.browser(client="127.0.0.1" if STAFF.get(name) == "administrator" else "192.0.2.7")
        answer = await browser.post("/api/login", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return browser


@asynccontextmanager
async def web(path: Path, *, staff: bool = True, guard: Guard | None = None, **options: Any) -> AsyncIterator[Web]:
    async with peopled(path, staff=staff, **options) as house:
        yield Web(house, guard or Guard(limits=NO_LIMIT))


# --- logging in ------------------------------------------------------------------------------------------------------


async def test_a_page_asks_who_is_there_without_an_error(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        nobody = (await site.browser().get("/api/setup")).json()
        assert nobody["set_up"] and nobody["me"] is None
        alice = await site.as_("alice")
        assert (await alice.get("/api/setup")).json()["me"] == (await alice.get("/api/me")).json()
        await alice.post("/api/logout")
        assert (await alice.get("/api/setup")).json()["me"] is None
        made_up = site.browser(authorization="Bearer made-up")
        assert (await made_up.get("/api/setup")).json()["me"] is None and (
            await made_up.get("/api/me")
        ).status_code == 401


async def test_logging_in_and_out(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = site.browser()
        assert (await browser.get("/api/me")).status_code == 401
        answer = await browser.post("/api/login", json={"name": "alice", "password": PASSWORD})
        assert answer.json() == {
            "name": "alice",
            "role": "player",
            "tables": ["*"],
            "guest": False,
            "exports": [],
            "needs": [],
        }
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/" in cookie
        assert (await browser.get("/api/me")).json()["name"] == "alice"
        token = browser.cookies["pitboss"]
        assert (await browser.post("/api/logout")).status_code == 200
        bearer = site.browser(authorization=f"Bearer {token}")
        assert (await bearer.get("/api/me")).status_code == 401, "the token is worth nothing any more"


async def test_a_bearer_token_needs_no_origin(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("supervisor-1")
        script = site.browser(authorization=f"Bearer {browser.cookies['pitboss']}")
        del script.headers["origin"]
        answer = await script.post("/api/accounts/dealer-1/tables", json={"tables": ["t1"]})
        assert answer.status_code == 200 and answer.json()["tables"] == ["t1"]


async def test_another_session_at_log_in_ends_the_old_one(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("alice")
        old = browser.cookies["pitboss"]
        await browser.post("/api/login", json={"name": "bob", "password": PASSWORD})
        assert (await browser.get("/api/me")).json()["name"] == "bob"
        assert (await site.browser(authorization=f"Bearer {old}").get("/api/me")).status_code == 401


UNREADABLE: tuple[str | bytes, ...] = (
    b'{"name":"\xff\xfe","password":"x"}', b"\x80", '{"name":"alice","password":"x"}'.encode("utf-16"),
    "", "[]", "null", "{}", '{"name": 1, "password": 2}', '{"name": "alice"}', "{", '{"name":"a","password":"b","x":1}',
    '{"name": "' + "a" * 300 + '", "password": "x"}', "\x00", '"' * 50,
    *("[" * depth + "]" * depth for depth in (500, 950, 990, 5_000, 200_000)),
)  # fmt: skip


async def test_what_cannot_be_read_is_400(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("admin-1")
        for body in UNREADABLE:
            for path in ("/api/login", "/api/setup", "/api/accounts", "/api/accounts/alice/role", "/api/training",
                         "/api/approvals/x", "/api/accounts/alice/password", "/api/accounts/alice/tables"):  # fmt: skip
                headers = {"content-type": "application/json"}
                answer = await browser.post(path, content=body, headers=headers)
                assert answer.status_code == 400, (path, body, answer.status_code, answer.text)
                assert answer.json()["is"] == "error" and answer.json()["text"]


async def test_cookies_are_secure_behind_tls(tmp_path: Path) -> None:
    guard = Guard(hosts=["floor.example"], proxies=["10.0.0.1"], limits=NO_LIMIT)
    async with web(tmp_path, guard=guard) as site:
        browser = site.browser(client="10.0.0.1")
        headers = {"host": "floor.example", "origin": "https://floor.example", "x-forwarded-proto": "https",
                   "x-forwarded-for": "203.0.113.4"}  # fmt: skip
        body = {"name": "alice", "password": PASSWORD}
        answer = await browser.post("/api/login", json=body, headers=headers)
        assert answer.status_code == 200 and answer.headers["set-cookie"].endswith("; Secure")
        assert "strict-transport-security" in answer.headers
        assert any(b"203.0.113.4" in entry.body for entry in site.house.entries("audit"))


async def test_another_site_cannot_use_a_browser(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("admin-1")
        body = {"name": "mallory", "role": "administrator", "password": PASSWORD}
        answer = await browser.post("/api/accounts", json=body, headers={"origin": "http://evil.example"})
        assert answer.status_code == 403
        assert site.house.people.account("mallory") is None


# --- set-up ----------------------------------------------------------------------------------------------------------


async def test_set_up_at_the_machine(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        browser = site.browser()
        state = (await browser.get("/api/setup")).json()
        assert state["set_up"] is False and state["local"] is True and "dealer" in state["roles"]
        answer = await browser.post("/api/setup", json={"name": "admin-1", "password": PASSWORD})
        assert answer.status_code == 200 and answer.json()["role"] == "administrator"
        assert (await browser.get("/api/me")).json()["role"] == "administrator"
        state = (await browser.get("/api/setup")).json()
        assert state["set_up"] is True and state["roles"] == ["player"]
        again = await browser.post("/api/setup", json={"name": "admin-2", "password": PASSWORD})
        assert again.status_code == 403


@pytest.mark.parametrize(
    ("client", "headers"),
    [
        ("203.0.113.5", {}),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.5"}),
        ("127.0.0.1", {"forwarded": "for=203.0.113.5"}),
        ("127.0.0.1", {"host": "floor.example", "origin": "http://floor.example"}),
    ],
)
async def test_set_up_and_guests_from_elsewhere(tmp_path: Path, client: str, headers: dict[str, str]) -> None:
    guard = Guard(hosts=["floor.example"], limits=NO_LIMIT)
    async with web(tmp_path, staff=False, guard=guard) as site:
        browser = site.browser(client=client, **headers)
        body = {"name": "admin-1", "password": PASSWORD}
        assert (await browser.get("/api/setup")).json()["roles"] == []
        assert (await browser.post("/api/setup", json=body)).status_code == 403
        assert (await browser.post("/api/setup", json=body | {"token": "guess"})).status_code == 403
        for role in ("player", "dealer", "supervisor", "inspector", "administrator"):
            assert (await browser.post("/api/guest", json={"name": "alice", "role": role})).status_code == 403
        assert not site.house.people.accounts
        right = await browser.post("/api/setup", json=body | {"token": site.house.reception.token})
        assert right.status_code == 200


async def test_guests_play_in_a_minute(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        assert await open_demo_floor(site.house.floor) == list(RULEBOOKS)
        assert await open_demo_floor(site.house.floor) == [], "once is enough"
        browser = site.browser()
        assert (await browser.post("/api/guest", json={"name": "alice"})).json()["role"] == "player"
        tables = (await browser.get("/api/tables")).json()
        assert sorted(row["table"] for row in tables) == sorted(RULEBOOKS)
        assert (await site.browser().post("/api/guest", json={"name": "alice"})).status_code == 403
        assert (await site.browser().post("/api/guest", json={"name": "bot-1"})).status_code == 403
        staff = site.browser()
        assert (await staff.post("/api/guest", json={"role": "supervisor"})).json()["name"] == "demo-supervisor"
        assert (await site.browser().post("/api/guest", json={"role": "administrator"})).status_code == 403


# --- accounts --------------------------------------------------------------------------------------------------------


async def test_an_administrator_looks_after_accounts(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        admin, manager = await site.as_("admin-1"), await site.as_("manager-1")

        async def approved(answer: httpx.Response) -> dict[str, Any]:
            assert answer.json()["is"] == "proposed", answer.text
            path = f"/api/account-proposals/{answer.json()['proposal']}"
            assert (await admin.post(path, json={"approve": True})).status_code == 403, "not the first person"
            done = await manager.post(path, json={"approve": True})
            assert done.status_code == 200 and done.json()["state"] == "done", done.text
            return dict(done.json())

        body = {"name": "carol", "role": "dealer", "password": PASSWORD, "tables": ["t1"]}
        code = (await approved(await admin.post("/api/accounts", json=body)))["code"]
        assert (await admin.post("/api/accounts", json=body)).status_code == 403, "the name is taken"
        rows = (await admin.get("/api/accounts")).json()
        assert [(row["name"], row["tables"]) for row in rows if row["name"] == "carol"] == [("carol", ["t1"])]
        assert not any("password" in row for row in rows) and "argon2" not in str(rows)
        carol = site.browser(client="192.0.2.7")
        said = {"name": "carol", "password": PASSWORD, "code": code}
        assert (await carol.post("/api/login", json=said)).json()["needs"] == ["password"]
        await approved(await admin.post("/api/accounts/carol/role", json={"role": "supervisor"}))
        assert (await carol.get("/api/me")).status_code == 401
        assert (await carol.post("/api/login", json=said)).status_code == 200
        assert (await admin.post("/api/accounts/carol/disable", json={})).json()["disabled"] is True
        assert (await carol.get("/api/me")).status_code == 401
        assert (await admin.post("/api/accounts/nobody/disable", json={})).status_code == 404
        answer = await admin.post("/api/accounts/carol/password", json={"password": "a new long phrase"})
        assert (await approved(answer))["code"] not in ("", code)


async def test_ones_own_password(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        new = {"password": "a new long phrase", "old": "not the old one"}
        assert (await alice.post("/api/accounts/alice/password", json=new)).status_code == 403
        new["old"] = PASSWORD
        assert (await alice.post("/api/accounts/alice/password", json=new)).status_code == 200
        assert (await alice.get("/api/me")).status_code == 200
        assert (await alice.post("/api/accounts/bob/password", json=new)).status_code == 403


async def test_everybody_with_a_password_changes_his_own(tmp_path: Path) -> None:
    """In every role, with the old one; sessions elsewhere end, and the old password is worth nothing any more."""
    async with web(tmp_path) as site:
        for name in STAFF:
            here, elsewhere = await site.as_(name), await site.as_(name)
            assert (await here.get("/api/me")).json()["guest"] is False
            path, new = f"/api/accounts/{name}/password", {"password": "a new long phrase"}
            for old in ({}, {"old": "not the old one"}):
                denied = await here.post(path, json=new | old)
                assert denied.status_code == 403 and denied.json()["text"] == "the current password is wrong."
            weak = await here.post(path, json={"password": f"{name}-1234567", "old": PASSWORD})
            assert weak.status_code == 403 and "too easy to guess" in weak.json()["text"]
            assert (await here.post(path, json=new | {"old": PASSWORD})).status_code == 200
            assert (await here.get("/api/me")).status_code == 200
            assert (await elsewhere.get("/api/me")).status_code == 401
            body = {"name": name, "password": PASSWORD}
            assert (await site.browser(client="198.51.100.9").post("/api/login", json=body)).status_code == 401
            assert (await site.browser().post("/api/login", json=body | new)).status_code == 200
            site.house.clock.ms += 600_000


async def test_guessing_ones_own_password_takes_longer_and_longer(tmp_path: Path) -> None:
    """Whoever finds an open session does not find the password out with it."""
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        path, wrong = "/api/accounts/alice/password", {"password": "a new long phrase", "old": "not the old one"}
        texts = [(await alice.post(path, json=wrong)).json()["text"] for _ in range(7)]
        assert texts[0] == "the current password is wrong."
        assert texts[-1].startswith("too many wrong passwords: try again in")
        right = await alice.post(path, json=wrong | {"old": PASSWORD})
        assert right.status_code == 403, "not even the right one, until the time is over"


async def test_a_guest_has_no_password_to_change(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        guest = site.browser()
        assert (await guest.post("/api/guest", json={"name": "gus"})).json()["guest"] is True
        assert (await guest.get("/api/me")).json()["guest"] is True
        for old in ({}, {"old": ""}, {"old": "anything at all"}):
            answer = await guest.post("/api/accounts/gus/password", json={"password": "a new long phrase"} | old)
            assert answer.status_code == 403 and "without a password" in answer.json()["text"]


STATE_CHANGING = [
    ("/api/accounts", {"name": "x", "role": "player", "password": PASSWORD}),
    ("/api/accounts/alice/role", {"role": "administrator"}),
    ("/api/accounts/alice/disable", {}),
    ("/api/accounts/bob/password", {"password": "a new long phrase"}),
    ("/api/accounts/alice/tables", {"tables": []}),
    ("/api/approvals/x", {"approve": True}),
]
READING = ["/api/accounts", "/api/approvals", "/api/audit"]


async def test_nobody_without_a_session_gets_anywhere(tmp_path: Path) -> None:
    """Anonymous, with a made-up token, logged out, expired and disabled: 401, all of them."""
    from pitboss.floor.people import Lifetimes

    async with web(tmp_path, lifetimes=Lifetimes(idle_ms=1_000)) as site:
        gone, idle, disabled = [await site.as_(name) for name in ("manager-1", "inspector-1", "supervisor-1")]
        await gone.post("/api/logout")
        admin = await site.as_("admin-1")
        await admin.post("/api/accounts/supervisor-1/disable", json={})
        site.house.clock.pass_ms(2_000)
        made_up = site.browser(authorization="Bearer made-up")
        for browser in (site.browser(), made_up, gone, idle, disabled):
            answers = [await browser.post(path, json=body) for path, body in STATE_CHANGING]
            answers += [await browser.get(path) for path in READING]
            assert {answer.status_code for answer in answers} == {401}


MAY = {
    "/api/accounts": {"admin-1", "supervisor-1", "manager-1", "inspector-1"},
    "/api/approvals": {"supervisor-1", "manager-1", "inspector-1"},
    "/api/audit": {"admin-1", "manager-1", "inspector-1"},
}


async def test_who_may_read_what(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        for name in ("alice", "dealer-1", "supervisor-1", "manager-1", "tournament-1", "inspector-1", "admin-1"):
            browser = await site.as_(name)
            for path in READING:
                answer = await browser.get(path)
                assert answer.status_code == (200 if name in MAY[path] else 403), (name, answer.text)
                if answer.status_code == 403:
                    assert answer.json()["text"].endswith(".")


async def test_who_may_change_what(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        for name in ("dealer-1", "supervisor-1", "manager-1", "tournament-1", "inspector-1", "alice"):
            browser = await site.as_(name)
            for path, body in STATE_CHANGING:
                answer = await browser.post(path, json=body)
                allowed = path.endswith("/tables") and name in ("supervisor-1", "manager-1")
                answers = path.startswith("/api/approvals") and name in MAY["/api/approvals"]
                assert answer.status_code == (404 if answers else 200 if allowed else 403), (name, answer.text)
        assert site.house.people.account("alice").role == "player"
        assert not site.house.people.account("alice").disabled


# --- as somebody who means no good ------------------------------------------------------------------------------------


async def test_a_wrong_password_does_not_end_the_session_that_one_has(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("alice")
        wrong = await browser.post("/api/login", json={"name": "bob", "password": "not his password"})
        assert wrong.status_code == 401 and "set-cookie" not in wrong.headers
        assert (await browser.get("/api/me")).json()["name"] == "alice"


async def test_a_session_that_somebody_else_chose_is_never_taken_over(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        for token in ("chosen-by-mallory", "", "x" * 300, "a;b"):
            browser = site.browser()
            browser.cookies.set("pitboss", token)
            answer = await browser.post("/api/login", json={"name": "alice", "password": PASSWORD})
            given = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
            assert len(given) >= 32 and given != token
            assert (await site.browser(authorization=f"Bearer {token}").get("/api/me")).status_code == 401


async def test_unknown_names_guests_and_wrong_passwords_cost_the_same(tmp_path: Path) -> None:
    """Each takes exactly one verification of a hash with the same parameters, and gets the same words."""
    async with web(tmp_path) as site:
        people = site.house.people
        await people.guest("greta", site.house.clock.now_ms())
        await people.disable(caller("admin-1"), "bob", site.house.clock.now_ms())
        await people.log_in("nobody", "wrong password", "192.0.2.3", site.house.clock.now_ms())
        verified: list[str] = []
        real = people._checking._hasher.verify

        class Counting:
            def __getattr__(self, name: str) -> Any:
                return getattr(hasher, name)

            def verify(self, hashed: str, password: str) -> Any:
                verified.append(hashed.rpartition("$")[0].rpartition("$")[0])
                return real(hashed, password)

        hasher, people._checking._hasher = people._checking._hasher, Counting()
        bodies = set()
        for name in ("alice", "nobody-at-all", "greta", "bob", "no/name", "bot-1", ""):
            verified.clear()
            answer = await site.browser().post("/api/login", json={"name": name, "password": "wrong password"})
            assert answer.status_code == 401 and len(verified) == 1, name
            bodies.add((answer.text, verified[0]))
        assert len(bodies) == 1, bodies


async def test_nobody_learns_who_has_an_account_or_makes_the_server_hash(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("alice")
        hashed: list[str] = []
        site.house.people._hash = lambda password: hashed.append(password)  # type: ignore[method-assign]
        told = set()
        for name in ("bob", "no-such", "admin-1"):
            for path, body in (("password", {"password": "a new long phrase"}), ("role", {"role": "no such role"}),
                               ("tables", {"tables": [""]}), ("disable", {})):  # fmt: skip
                answer = await browser.post(f"/api/accounts/{name}/{path}", json=body)
                told.add((path, answer.status_code, answer.text))
        assert len(told) == 4 and {status for _, status, _ in told} == {403} and not hashed
        assert sum(entry.kind == "denied" for entry in site.house.entries("audit")) == 12


async def test_nobody_seconds_himself_in_another_session_or_with_other_capitals(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        one = await site.as_("supervisor-1")
        opened = {"id": "o1", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await one.post("/api/tables", json=opened)).status_code == 200
        act = {"act": "BarPlayer", "player": "alice", "reason": "as a test", "breach": "device"}
        proposed = (await one.post("/api/tables/t1/acts", json={"id": "b1", "act": act})).json()
        assert proposed["is"] == "proposed", proposed
        for name in ("supervisor-1", "SUPERVISOR-1", "Supervisor-1"):
            again = await site.as_(name)
            answer = await again.post(f"/api/approvals/{proposed['proposal']}", json={"approve": True})
            assert answer.status_code == 403 and "your own request" in answer.text
        admin = await site.as_("admin-1")
        assert (await admin.post(f"/api/approvals/{proposed['proposal']}", json={"approve": True})).status_code == 403
        await admin.post("/api/accounts/supervisor-1/role", json={"role": "gaming-manager"})
        promoted = await site.as_("supervisor-1")
        answer = await promoted.post(f"/api/approvals/{proposed['proposal']}", json={"approve": True})
        assert answer.status_code == 403, "nor in another role"
        assert len(site.house.entries("table:t1")) == 1


async def test_the_id_of_anothers_command_is_nothing_to_others(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        staff, alice, bob = [await site.as_(name) for name in ("supervisor-1", "alice", "bob")]
        opened = {"id": "o1", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await staff.post("/api/tables", json=opened)).status_code == 200
        path, body = "/api/tables/t1/acts", {"id": "same", "act": {"act": "TakeSeat", "box": 1}}
        first = await alice.post(path, json=body)
        assert first.status_code == 200 and (await alice.post(path, json=body)).json() == first.json()
        assert (await bob.post(path, json=body)).status_code == 409, "decided anew: the box is taken"
        for name in ("approval", "Approval", "house", "HOUSE"):
            answer = await site.browser().post("/api/guest", json={"name": name})
            assert answer.status_code == 403, "commands of the floor itself begin so"
        for command in ("", "x" * 101, "a\0b", "a\nb", "\x7f"):
            assert (await bob.post(path, json=body | {"id": command})).status_code == 400


async def test_a_player_gets_nothing_private_of_another(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        staff, alice, bob = [await site.as_(name) for name in ("supervisor-1", "alice", "bob")]
        players = {"alice": {"seat": 1, "chips_cents": 123_456, "loss_limit_cents": 98_765}}
        opening = {"rulebook": "nsw-pontoon", "players": players}
        opened = {"id": "o1", "table": "t1", "opening": opening}
        assert (await staff.post("/api/tables", json=opened)).status_code == 200
        assert "123456" in (await alice.get("/api/tables/t1")).text
        assert "123456" in (await staff.get("/api/tables/t1")).text
        for path in ("", "/events", "/rounds", "/at/1", "/rounds/1"):
            told = (await bob.get(f"/api/tables/t1{path}")).text
            assert "123456" not in told and "98765" not in told, path
        for path in ("/api/log/search", "/api/log/export", "/api/audit", "/api/accounts", "/api/approvals"):
            assert (await bob.get(path)).status_code == 403


async def test_whoever_is_denied_at_the_door_again_and_again_fills_no_log(tmp_path: Path) -> None:
    guard = Guard(limits=Limits(requests_rate=1e6, requests_burst=10**6))
    async with web(tmp_path, staff=False, guard=guard) as site:
        browser = site.browser(client="203.0.113.5")
        answers = [await browser.post("/api/guest", json={"name": "alice"}) for _ in range(30)]
        assert {answer.status_code for answer in answers} == {403}
        noted = [msgspec.json.decode(entry.body) for entry in site.house.entries("audit")]
        assert len(noted) == AT_ONCE and noted[0]["address"] == "203.0.113.5" and noted[0]["role"] == "anonymous"
        await site.house.reception.audit.summarise(site.house.clock.now_ms())
        summary = msgspec.json.decode(site.house.entries("audit")[-1].body)
        assert summary["times"] == 30 - AT_ONCE and summary["address"] == "203.0.113.5"


async def test_where_the_log_is_kept_is_told_to_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The disk is full: whoever asks is told so without a path, and the operator finds it in the server's log."""
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        log = site.house.floor.commits.log
        full = LogFull(f"{tmp_path}/floor.db: the disk is full, so nothing was written; make room and try again.")

        def append(batch: Any) -> Any:
            raise full

        log.append = append  # type: ignore[method-assign]
        answer = await alice.get("/api/accounts")
        assert answer.status_code == 503 and answer.json()["is"] == "halted" and "disk is full" in answer.text
        answer = await alice.post("/api/login", json={"name": "bob", "password": PASSWORD})
        assert answer.status_code == 503 and str(tmp_path) not in answer.text
        assert any(str(tmp_path) in str(vars(record)) for record in caplog.records)


# --- approvals, matrix, audit ----------------------------------------------------------------------------------------


async def test_two_people_over_http(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        one, two = await site.as_("supervisor-1"), await site.as_("manager-1")
        opened = {"id": "o1", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await one.post("/api/tables", json=opened)).status_code == 200
        act = {"act": "SetLimits", "by": "gaming-manager", "minimum_cents": 500, "maximum_cents": 2_000_000}
        answer = (await one.post("/api/tables/t1/acts", json={"id": "a1", "act": act})).json()
        assert answer["is"] == "proposed"
        waiting = (await two.get("/api/approvals")).json()
        assert waiting[0]["id"] == answer["proposal"] and waiting[0]["act"]["by"] == "casino-supervisor"
        own = await one.post(f"/api/approvals/{answer['proposal']}", json={"approve": True})
        assert own.status_code == 403
        done = await two.post(f"/api/approvals/{answer['proposal']}", json={"approve": True})
        assert done.json()["is"] == "accepted"
        assert site.house.floor.hosts["t1"].table.house.maximum_cents == 2_000_000
        assert (await two.get("/api/approvals")).json()[0]["state"] == "done"


async def test_the_matrix_is_for_everybody(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        widest = (await site.browser().get("/api/matrix")).json()
        assert widest["acts"]["player"]["Hit"] == "own" and widest["acts"]["administrator"]["Hit"] == "no"
        assert widest["operations"]["export-log"]["roles"] == ["inspector"]
        adelaide = (await site.browser().get("/api/matrix?rulebook=adelaide-pontoon-2008")).json()
        assert adelaide["acts"]["dealer"]["Reconstruct"] == "no" != widest["acts"]["dealer"]["Reconstruct"]
        assert (await site.browser().get("/api/matrix?rulebook=no-such")).status_code == 404


async def test_the_audit_is_read_page_by_page(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        for _ in range(3):
            await site.browser().post("/api/login", json={"name": "alice", "password": "wrong password"})
        inspector = await site.as_("inspector-1")
        rows = (await inspector.get("/api/audit?limit=2")).json()
        assert [row["version"] for row in rows] == [1, 2] and rows[0]["kind"] == "login-failed"
        rest = (await inspector.get("/api/audit?after=2")).json()
        assert [row["kind"] for row in rest] == ["login-failed", "login"] and rest[-1]["who"] == "inspector-1"
        for query in ("limit=0", "limit=501", "after=-1", "after=x"):
            assert (await inspector.get(f"/api/audit?{query}")).status_code == 400


async def test_an_account_that_is_disabled_is_out_of_its_sockets_and_tables(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        opening = Opening("nsw-pontoon")
        supervisor, admin = await site.as_("supervisor-1"), await site.as_("admin-1")
        body = {"id": "o1", "table": "t1", "opening": {"rulebook": opening.rulebook}}
        assert (await supervisor.post("/api/tables", json=body)).status_code == 200
        alice = await site.as_("alice")
        act = {"id": "w1", "act": {"act": "PlaceWager", "player": "alice", "box": 1, "cents": 500}}
        assert (await alice.post("/api/tables/t1/acts", json=act)).status_code == 200
        who = site.house.people.who(alice.cookies["pitboss"], site.house.clock.now_ms())
        silent, talking = (Connection(site.house.floor, who, site.server.metrics, site.server.guard) for _ in "ab")
        talking.hear(b'{"do":"ping"}')
        assert talking.next() == b'{"is":"pong"}'
        site.server.live.connections[silent] = None  # type: ignore[assignment]
        await admin.post("/api/accounts/alice/disable", json={})
        assert silent.over is not None and "over" in silent.over, "a socket that says nothing is told at once"
        talking.hear(msgspec.json.encode({"do": "act", "table": "t1", "id": "w3", "act": act["act"]}))
        assert talking.over is not None and talking.next() is None
        assert site.house.floor.hosts["t1"].version == 2
        act["id"] = "w2"
        assert (await alice.post("/api/tables/t1/acts", json=act)).status_code == 401


async def test_whoever_is_told_to_go_and_does_not_read_it_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """His buffer is full, so that no goodbye reaches him; without this his socket would stay open for ever."""
    dropped = []

    class Deaf:
        heard_at = float("inf")  # he goes on sending

        def flush(self) -> None:
            """Nothing more goes out."""

        def drop(self) -> None:
            dropped.append(self)

        def ping(self) -> None:
            raise AssertionError("nobody asks whether he is there")

    monkeypatch.setattr("pitboss.server.live.LOOK_SECONDS", 0.01)
    async with web(tmp_path) as site:
        alice, admin = await site.as_("alice"), await site.as_("admin-1")
        who = site.house.people.who(alice.cookies["pitboss"], site.house.clock.now_ms())
        connection, line = Connection(site.house.floor, who, site.server.metrics, site.server.guard), Deaf()
        connection.wake = line.flush
        site.server.live.connections[connection] = line  # type: ignore[assignment]
        keeping = asyncio.create_task(site.server.live.keep())
        await asyncio.sleep(0.05)
        assert not dropped
        await admin.post("/api/accounts/alice/disable", json={})
        await until(lambda: dropped)
        assert connection.next() is None
        keeping.cancel()


async def test_acts_of_one_session_come_no_faster_than_people_act(tmp_path: Path) -> None:
    guard = Guard(limits=Limits(acts_rate=0.001, acts_burst=5))
    async with web(tmp_path, guard=guard) as site:
        supervisor, alice, bob = [await site.as_(name) for name in ("supervisor-1", "alice", "bob")]
        body = {"id": "o1", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await supervisor.post("/api/tables", json=body)).status_code == 200
        act = {"act": "WithdrawWager", "player": "alice", "box": 1}
        answers = [await alice.post("/api/tables/t1/acts", json={"id": str(n), "act": act}) for n in range(7)]
        assert [answer.status_code for answer in answers] == [409] * 5 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) >= 1
        act["player"] = "bob"
        assert (await bob.post("/api/tables/t1/acts", json={"id": "b", "act": act})).status_code == 409


# --- training --------------------------------------------------------------------------------------------------------


async def test_training_over_http(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        trainee, other = await site.as_("dealer-1"), await site.as_("alice")
        assert (await site.browser().post("/api/training", json={"rulebook": "nsw-pontoon"})).status_code == 401
        begun = (await trainee.post("/api/training", json={"rulebook": "nsw-pontoon", "seed": "7"})).json()
        path = f"/api/training/{begun['id']}"
        assert begun["at"] == 0 and begun["of"] > 20 and not begun["over"]
        wrong = (await trainee.post(path, json={"step": "deal", "box": 1})).json()
        assert wrong["verdict"]["right"] is False and wrong["verdict"]["clauses"] and wrong["at"] == 0
        right = (await trainee.post(path, json={"step": "shuffle"})).json()
        assert right["verdict"]["right"] is True and right["at"] == 1
        shown = (await trainee.get(path)).json()
        assert shown["score"]["wrong"] == 1 and shown["at"] == 1
        assert (await other.get(path)).status_code == 404, "one's training is one's own"
        assert (await trainee.post(path, json={"step": "juggle"})).status_code == 400
        assert (await trainee.post("/api/training", json={"rulebook": "x"})).status_code == 400
        for bad in ("x", "x" * 200, "%00", "..%2f", "-"):
            assert (await trainee.get(f"/api/training/{bad}")).status_code == 404


async def test_a_training_goes_on_at_whichever_server_the_step_comes_to(tmp_path: Path) -> None:
    """Two servers on one log, or one that was started again: neither has the other's memory."""
    async with web(tmp_path) as site:
        here, there = site.server, Server(site.house.floor, site.house.reception, site.server.guard)
        trainee = await site.as_("dealer-1")
        begun = (await trainee.post("/api/training", json={"rulebook": "nsw-pontoon", "seed": "7"})).json()
        path = f"/api/training/{begun['id']}"
        right = [moment.step.said for moment in Training("nsw-pontoon", "7").moments]
        for number, said in enumerate(right[:6]):
            site.server = (here, there)[number % 2]
            browser = site.browser(authorization=f"Bearer {trainee.cookies['pitboss']}")
            del browser.headers["origin"]
            if number == 3:
                wrong = (await browser.post(path, json={"step": "gather"})).json()
                assert wrong["at"] == 3 and wrong["score"]["wrong"] == 1
            answer = (await browser.post(path, json=msgspec.to_builtins(said))).json()
            assert answer["verdict"]["right"] and answer["at"] == number + 1, answer
        assert answer["score"]["right_at_once"] == 5 and answer["score"]["wrong"] == 1
        both = [site.browser(authorization=f"Bearer {trainee.cookies['pitboss']}") for _ in "ab"]
        for browser in both:
            del browser.headers["origin"]
        step = msgspec.to_builtins(right[6])
        told = await asyncio.gather(*(browser.post(path, json=step) for browser in both))
        assert sorted(each.json()["at"] for each in told)[0] >= 7, "said twice at once: one after the other"
