"""Accounts as an administrator, a thief of a password and a man with a changed clock would attack them."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256

from pitboss.floor.account_changes import CLOCK_TOLERANCE_MS, EXPIRES_MS
from pitboss.floor.factors import code_at, step_of
from pitboss.floor.model import Denied, Opening, Proposed
from pitboss.floor.people import Lifetimes, Proof, Session
from pitboss.table import acts as a
from tests.floor.peopled import PASSWORD, Peopled, caller, run, session_of
from tests.floor.playing import do
from tests.server.test_accounts import Web, web

NEW = "quite another phrase"
ELSEWHERE = "192.0.2.7"


async def said(browser: httpx.AsyncClient, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = await browser.post(path, json=body)
    assert answer.status_code == status, (path, answer.status_code, answer.text)
    return dict(answer.json())


# --- two people ------------------------------------------------------------------------------------------------------

ALONE: list[tuple[str, dict[str, Any]]] = [
    ("/api/accounts", {"name": "puppet", "role": "gaming-manager", "password": PASSWORD}),
    ("/api/accounts/alice/role", {"role": "administrator"}),
    ("/api/accounts/manager-1/password", {"password": NEW}),
    ("/api/accounts/manager-1/factors", {"password": NEW}),
    ("/api/accounts/manager-1/disable", {}),
    ("/api/accounts/supervisor-1/disable", {"disabled": False}),
]


@pytest.mark.parametrize(("path", "body"), ALONE)
async def test_no_administrator_changes_an_account_alone(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    """One of them made a puppet, and then approved with it whatever wants two."""
    async with web(tmp_path) as site:
        people = site.house.people
        await people.disable(caller("admin-1"), "supervisor-1", site.house.clock.now_ms())
        before = dict(people.accounts)
        admin = await site.as_("admin-1")
        waits = await said(admin, path, **body)
        assert waits["is"] == "proposed" and people.accounts == before
        own = f"/api/account-proposals/{waits['proposal']}"
        assert "your own request" in (await said(admin, own, 403, approve=True))["text"]
        for name in ("supervisor-2", "dealer-1", "alice"):
            await said(await site.as_(name), own, 403, approve=True)
        if "manager-1" in path:
            text = (await said(await site.as_("manager-1"), own, 403, approve=True))["text"]
            assert text == "you can't approve a change of your own account."
        assert people.accounts == before
        inspector = await site.as_("inspector-1")
        (listed, *_) = (await inspector.get("/api/account-proposals")).json()
        assert listed["first"] == "admin-1" and listed["state"] == "waiting" and listed["yours"]
        assert "argon2" not in str(listed) and PASSWORD not in str(listed)
        assert (await said(inspector, own, approve=True))["state"] == "done"
        assert people.accounts != before
        assert "done" in (await said(inspector, own, 403, approve=True))["text"]


async def test_one_stops_whoever_is_no_second_person_at_once(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        admin = await site.as_("admin-1")
        assert (await said(admin, "/api/accounts/dealer-1/disable"))["disabled"] is True


async def test_a_first_administrator_begins_alone_and_for_good_no_longer(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        people, admin = site.house.people, site.browser()
        await said(admin, "/api/setup", name="ada", password=PASSWORD)
        for name, role in (("max", "gaming-manager"), ("dora", "dealer")):
            made = await said(admin, "/api/accounts", name=name, role=role, password=PASSWORD)
            assert made["first_use"] and not people.two_people
        notes = [entry for entry in site.house.entries("audit") if b"created, alone" in entry.body]
        assert len(notes) == 2, "the audit says that nobody else was asked"
        for name in ("dora", "max"):
            browser = site.browser(client=ELSEWHERE)
            await said(browser, "/api/login", name=name, password=PASSWORD)
            await said(browser, f"/api/accounts/{name}/password", old=PASSWORD, password=NEW)
            assert people.two_people == (name == "max"), "a dealer is no second person"
        assert (await said(admin, "/api/accounts/dora/role", role="supervisor"))["is"] == "proposed"
        stopped = await said(admin, "/api/accounts/max/disable")
        assert (await said(browser, f"/api/account-proposals/{stopped['proposal']}", 403, approve=True))["text"]
        assert people.two_people and not people.account("max").disabled

    async with web(tmp_path, staff=False) as site:
        assert site.house.people.two_people, "after a restart too"


async def test_what_was_proposed_is_not_done_for_whoever_is_no_administrator_any_more(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        people, now = site.house.people, site.house.clock.now_ms()
        await people.create_for_the_house("admin-2", "administrator", PASSWORD, now)
        waits = await people.change_role(caller("admin-2", "administrator"), "alice", "dealer", now)
        stop = await people.disable(caller("admin-1"), "admin-2", now)
        await people.answer(caller("manager-1"), stop.proposal, True, now)
        assert isinstance(await people.answer(caller("manager-1"), waits.proposal, True, now), Denied)
        assert people.account("alice").role == "player"
        late = await people.change_role(caller("admin-1"), "alice", "dealer", now)
        answer = await people.answer(caller("manager-1"), late.proposal, True, now + EXPIRES_MS)
        assert isinstance(answer, Denied) and "expired" in answer.text


async def test_a_password_set_by_another_needs_both_of_them_and_is_changed_first(tmp_path: Path) -> None:
    """Whoever proposed it knows the password, whoever approved it the code: neither comes in with that."""
    async with web(tmp_path) as site:
        admin, manager = await site.as_("admin-1"), await site.as_("manager-1")
        waits = await said(admin, "/api/accounts/supervisor-1/password", password=NEW)
        code = (await said(manager, f"/api/account-proposals/{waits['proposal']}", approve=True))["code"]
        thief = site.browser(client=ELSEWHERE)
        assert (await said(thief, "/api/login", 401, name="supervisor-1", password=NEW))["needs"] == ["first-use"]
        await said(thief, "/api/login", 401, name="supervisor-1", password=NEW, code="aaaabbbbccccdddd")
        await said(thief, "/api/login", 401, name="supervisor-1", password=PASSWORD, code=code)
        sue = site.browser(client=ELSEWHERE)
        shown = f"{code[:4].upper()}-{code[4:]} "
        me = await said(sue, "/api/login", name="supervisor-1", password=NEW, code=shown)
        assert me["needs"] == ["password"]
        for path in ("/api/tables", "/api/approvals", "/api/accounts", "/api/log/head"):
            answer = await sue.get(path)
            assert answer.status_code == 403 and "change it first" in answer.json()["text"], path
        opening = {"id": "o1", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await sue.post("/api/tables", json=opening)).status_code == 403
        await said(sue, "/api/accounts/bob/password", 403, password=NEW)
        await said(sue, "/api/accounts/supervisor-1/password", 403, old=NEW, password=NEW)
        await said(sue, "/api/accounts/supervisor-1/password", old=NEW, password="gravel umbrella teapot")
        assert (await sue.get("/api/tables")).status_code == 200
        await said(thief, "/api/login", 401, name="supervisor-1", password=NEW, code=code)


# --- an authenticator ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "code"), [(59, "287082"), (1111111109, "081804"), (20000000000, "353130")])
def test_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    secret = base64.b32encode(b"12345678901234567890").decode()
    assert code_at(secret, seconds // 30) == code
    assert step_of(secret, code, seconds * 1000, 0) == seconds // 30
    assert step_of(secret, code, seconds * 1000, seconds // 30) is None, "used"
    assert step_of(secret, code, (seconds + 61) * 1000, 0) is None, "too late"


async def enrolled(site: Web, browser: httpx.AsyncClient, password: str = PASSWORD) -> str:
    begun = await said(browser, "/api/me/authenticator", password=password)
    assert begun["uri"].startswith("otpauth://totp/Pitboss:") and begun["secret"] in begun["uri"]
    await said(browser, "/api/me/authenticator/confirm", code=code_now(site, begun["secret"]))
    return str(begun["secret"])


def code_now(site: Web, secret: str) -> str:
    return code_at(secret, site.house.clock.now_ms() // 30_000)


async def test_whoever_has_an_authenticator_needs_it(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        dan = await site.as_("dealer-1")
        await said(dan, "/api/me/authenticator", 403, password="not the password")
        await said(dan, "/api/me/authenticator", password=PASSWORD)
        await said(dan, "/api/me/authenticator/confirm", 409, code="000000")
        await said(dan, "/api/me/authenticator/confirm", 409, code="000000")
        other = await site.as_("dealer-1")
        secret = await enrolled(site, dan)
        assert (await other.get("/api/me")).status_code == 401 and (await dan.get("/api/me")).status_code == 200
        login: dict[str, Any] = {"name": "dealer-1", "password": PASSWORD}
        thief = site.browser(client=ELSEWHERE)
        assert (await said(thief, "/api/login", 401, **login))["needs"] == ["code"]
        used = code_now(site, secret)
        await said(thief, "/api/login", 401, **login, code=used)
        site.house.clock.pass_ms(30_000)
        code = code_now(site, secret)
        await said(site.browser(client=ELSEWHERE), "/api/login", **login, code=code)
        assert "was used" in (await said(thief, "/api/login", 401, **login, code=code))["text"], "nobody uses it twice"
        for entry in site.house.entries("audit"):
            assert secret.encode() not in entry.body
        assert (await dan.get("/api/me/account")).json()["authenticator"] is True


async def test_codes_are_not_guessed(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await enrolled(site, await site.as_("dealer-1"))
        thief, tried = site.browser(client="203.0.113.9"), []
        for number in range(30):
            body = {"name": "dealer-1", "password": PASSWORD, "code": f"{number:06}"}
            tried.append((await thief.post("/api/login", json=body)).status_code)
        assert tried.count(401) <= 5 and tried[-1] == 429


async def test_an_administrator_elsewhere_needs_one(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        thief = site.browser(client=ELSEWHERE)
        login: dict[str, Any] = {"name": "admin-1", "password": PASSWORD}
        assert "at the machine itself" in (await said(thief, "/api/login", 401, **login))["text"]
        here = await site.as_("admin-1")
        secret = await enrolled(site, here)
        site.house.clock.pass_ms(30_000)
        elsewhere = site.browser(client=ELSEWHERE)
        assert (await said(elsewhere, "/api/login", **login, code=code_now(site, secret)))["needs"] == []
        assert (await elsewhere.get("/api/accounts")).status_code == 200
        text = (await said(elsewhere, "/api/me/authenticator/remove", 403, password=PASSWORD))["text"]
        assert "add another one first" in text
        await said(here, "/api/me/authenticator/remove", password=PASSWORD)
        assert (await elsewhere.get("/api/accounts")).status_code == 401


async def test_set_up_from_elsewhere_makes_one_first(tmp_path: Path) -> None:
    async with web(tmp_path, staff=False) as site:
        ada = site.browser(client=ELSEWHERE)
        me = await said(ada, "/api/setup", name="ada", password=PASSWORD, token=site.house.reception.token)
        assert me["needs"] == ["factor"]
        assert (await ada.get("/api/accounts")).status_code == 403
        await enrolled(site, ada)
        assert (await ada.get("/api/accounts")).status_code == 200


async def test_whoever_lost_it_is_let_in_again_by_two(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await enrolled(site, await site.as_("manager-1"))
        admin, inspector = await site.as_("admin-1"), await site.as_("inspector-1")
        waits = await said(admin, "/api/accounts/manager-1/factors", password=NEW)
        code = (await said(inspector, f"/api/account-proposals/{waits['proposal']}", approve=True))["code"]
        me = await said(site.browser(client=ELSEWHERE), "/api/login", name="manager-1", password=NEW, code=code)
        assert me["needs"] == ["password"] and not site.house.people.account("manager-1").has_factor


# --- passkeys --------------------------------------------------------------------------------------------------------


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """An authenticator of our own, which does as it is told, also what is wrong."""

    def __init__(self, host: str = "localhost", origin: str = "http://localhost:8021") -> None:
        self.id, self.private, self.count = b"key-" + bytes(12), ec.generate_private_key(ec.SECP256R1()), 0
        self.host, self.origin = host, origin

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        self.count += 1
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + struct.pack(">I", self.count)

    def make(self, options: dict[str, Any], *, flags: int = 0x45) -> dict[str, Any]:
        public = cbor.encode(dict(ES256.from_cryptography_key(self.private.public_key())))
        data = self._data(flags) + bytes(16) + struct.pack(">H", len(self.id)) + self.id + public
        answer = {
            "clientDataJSON": b64(self._client("webauthn.create", options["publicKey"]["challenge"])),
            "attestationObject": b64(cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})),
        }
        return {"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": answer}

    def show(self, options: dict[str, Any], *, flags: int = 0x05) -> dict[str, Any]:
        client, data = self._client("webauthn.get", options["publicKey"]["challenge"]), self._data(flags)
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        answer = {"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature)}
        return {"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": answer}


async def test_a_passkey_is_made_and_shown(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        sue, key = await site.as_("supervisor-1"), Key()
        options = await said(sue, "/api/me/passkeys/begin", password=PASSWORD)
        answer = key.make(options)
        mine = await said(sue, "/api/me/passkeys", name="  my  key ", passkey=answer)
        assert [each["name"] for each in mine["passkeys"]] == ["my key"]
        await said(sue, "/api/me/passkeys", 409, name="again", passkey=answer)
        login: dict[str, Any] = {"name": "supervisor-1", "password": PASSWORD}
        browser = site.browser(client=ELSEWHERE)
        asked = await said(browser, "/api/login", 401, **login)
        assert asked["needs"] == ["passkey"]
        shown = key.show(asked["passkey"])
        assert (await said(browser, "/api/login", **login, passkey=shown))["name"] == "supervisor-1"
        thief = site.browser(client="203.0.113.5")
        await said(thief, "/api/login", 401, **login, passkey=shown)
        asked = await said(thief, "/api/login", 401, **login)
        await said(thief, "/api/login", 401, **login, passkey=shown)
        await said(sue, f"/api/me/passkeys/{mine['passkeys'][0]['id']}/remove", password=PASSWORD)
        await said(thief, "/api/login", **login)


@pytest.mark.parametrize("wrong", ["another key", "another site", "another host", "nobody looked", "a copy"])
async def test_no_other_passkey_is_taken(tmp_path: Path, wrong: str) -> None:
    async with web(tmp_path) as site:
        sue, key = await site.as_("supervisor-1"), Key()
        key.count = 50
        answer = key.make(await said(sue, "/api/me/passkeys/begin", password=PASSWORD))
        await said(sue, "/api/me/passkeys", passkey=answer)
        login: dict[str, Any] = {"name": "supervisor-1", "password": PASSWORD}
        flags = 0x05
        asked = await said(site.browser(client=ELSEWHERE), "/api/login", 401, **login)
        if wrong == "another key":
            key.private = ec.generate_private_key(ec.SECP256R1())
        elif wrong == "another site":
            key.origin = "http://localhost.evil.example:8021"
        elif wrong == "another host":
            key.host = "evil.example"
        elif wrong == "nobody looked":
            flags = 0x01
        else:
            key.count = 10
        shown = key.show(asked["passkey"], flags=flags)
        await said(site.browser(client=ELSEWHERE), "/api/login", 401, **login, passkey=shown)


@pytest.mark.parametrize("passkey", [{}, {"id": 1}, {"id": "x", "rawId": "!", "response": {}}, {"response": [[[]]]}])
async def test_what_is_no_passkey_is_told_so(tmp_path: Path, passkey: dict[str, Any]) -> None:
    async with web(tmp_path) as site:
        sue = await site.as_("supervisor-1")
        await said(sue, "/api/me/passkeys/begin", password=PASSWORD)
        await said(sue, "/api/me/passkeys", 409, passkey=passkey)
        numbers = site.browser(client=ELSEWHERE, host="127.0.0.1:8021", origin="http://127.0.0.1:8021")
        await said(numbers, "/api/login", name="supervisor-1", password=PASSWORD)
        text = (await said(numbers, "/api/me/passkeys/begin", 403, password=PASSWORD))["text"]
        assert "host name" in text


# --- one's own sessions ----------------------------------------------------------------------------------------------


async def test_one_sees_and_ends_ones_own_sessions(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        here, there, third, bob = [await site.as_(name) for name in ("alice", "alice", "alice", "bob")]
        mine = (await here.get("/api/me/account")).json()["sessions"]
        assert len(mine) == 3 and [each["place"] for each in mine] == [ELSEWHERE] * 3
        (this,) = [each["handle"] for each in mine if each["this"]]
        (bobs,) = [each["handle"] for each in (await bob.get("/api/me/account")).json()["sessions"]]
        await said(here, "/api/me/sessions/end", 404, handle=bobs)
        assert (await bob.get("/api/me")).status_code == 200, "nobody ends another's"
        other = next(each["handle"] for each in (await there.get("/api/me/account")).json()["sessions"] if each["this"])
        assert other != this
        await said(here, "/api/me/sessions/end", handle=other)
        assert [(await each.get("/api/me")).status_code for each in (here, there, third)] == [200, 401, 200]
        await said(here, "/api/me/sessions/end")
        assert [(await each.get("/api/me")).status_code for each in (here, third)] == [200, 401]
        await said(here, "/api/me/sessions/end", handle=this)
        assert (await here.get("/api/me")).status_code == 401


# --- a clock that jumps ----------------------------------------------------------------------------------------------


def test_no_session_and_no_proposal_outlives_a_clock_that_is_put_back(tmp_path: Path) -> None:
    """What was over by the clock was valid again once somebody put the clock back and started the server anew."""
    lifetimes = Lifetimes(idle_ms=3_600_000)

    async def before(house: Peopled) -> tuple[str, str, str, int]:
        sue = caller("supervisor-1")
        assert not isinstance(await house.floor.open_table(sue, "open", "t1", Opening("nsw-pontoon")), Denied)
        act = await do(house.floor, sue, "t1", a.BarPlayer("", "bob", "a device"))
        assert isinstance(act, Proposed)
        change = await house.people.change_role(caller("admin-1"), "alice", "dealer", house.clock.now_ms())
        session, began = await session_of(house, "alice"), house.clock.now_ms()
        house.clock.pass_ms(EXPIRES_MS)
        assert house.people.who(session.token, house.clock.now_ms()) is None
        await session_of(house, "bob")  # something is written at that time
        return session.token, act.proposal, change.proposal, began

    token, act, change, began = run(tmp_path, before, staff=True, lifetimes=lifetimes)

    async def after(house: Peopled) -> None:
        now = house.clock.now_ms()
        assert house.people.who(token, now) is None
        answer = await house.people.answer(caller("manager-1"), change, True, now)
        assert isinstance(answer, Denied) and house.people.account("alice").role == "player"
        said = await house.reception.approvals.answer(caller("supervisor-2"), act, True, house.floor.approved)
        assert isinstance(said, Denied) and "expired" in said.text
        assert any(entry.kind == "clock" for entry in house.entries("audit")), "and the audit says so"
        again = await house.people.log_in("alice", PASSWORD, ELSEWHERE, now)
        assert isinstance(again, Session) and house.people.who(again.token, now) is not None

    run(tmp_path, after, lifetimes=lifetimes, now_ms=began + 1)


def test_no_session_outlives_a_clock_that_was_far_ahead(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        right = house.clock.now_ms()
        house.clock.pass_ms(30 * EXPIRES_MS)
        session = await session_of(house, "alice")
        assert house.people.who(session.token, house.clock.now_ms()) is not None
        house.clock.ms = right + CLOCK_TOLERANCE_MS
        assert house.people.who(session.token, house.clock.now_ms()) is None
        assert house.people.half_in(session.token, house.clock.now_ms()) is None

    run(tmp_path, test, staff=True)


def test_an_ended_session_is_nobodys_proof(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        now = house.clock.now_ms()
        admin = await house.people.log_in("admin-1", PASSWORD, ELSEWHERE, now, proof=Proof())
        assert isinstance(admin, Denied)

    run(tmp_path, test, staff=True)
