"""The matrix through the whole server: every role against every act and every route, over HTTP and over the socket; and
whoever has no business there: anonymous, made up, logged out, expired, disabled, posted elsewhere, in another's name.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from pitboss.floor.model import Accepted, Caller, Opening
from pitboss.floor.people import Lifetimes, Proof
from pitboss.floor.permissions import RULES, TOURNAMENT_ACTS, matrix
from pitboss.rulebooks import load
from pitboss.server.app import HANDLERS
from pitboss.server.budgets import Limits
from pitboss.server.description import OPEN
from pitboss.server.live import Connection
from pitboss.server.security import Guard
from pitboss.table.house import default_house
from tests.floor.peopled import PASSWORD, STAFF, by_two, caller
from tests.floor.test_permissions import ACTS, sample
from tests.server.test_accounts import Web, web

RULEBOOK = "nsw-pontoon"
NO_LIMIT = Limits(requests_rate=1e6, requests_burst=10**6, acts_rate=1e6, acts_burst=10**6)
DENIED = (401, 403)
EVERYBODY = ("alice", "dealer-1", "supervisor-1", "manager-1", "tournament-1", "inspector-1", "admin-1")
"""One of each role."""


def wire(name: str, who: str) -> dict[str, Any]:
    """The act as a client sends it: a shuffle without an order, and whatever role it claims."""
    changes: dict[str, Any] = {"player": who} if STAFF.get(who) == "player" else {}
    if name == "Cut" and STAFF.get(who) in ("dealer", "supervisor", "gaming-manager"):
        changes = {"player": "dealer"}
    if "player" not in ACTS[name].__struct_fields__:
        changes = {}
    if "by" in ACTS[name].__struct_fields__:
        changes["by"] = "gaming-manager"
    act = sample(name, **changes)
    data: dict[str, Any] = msgspec.to_builtins(act)
    data.pop("order", None)
    return data


async def opened(site: Web) -> None:
    """A table that deals by itself, one dealt by a person, and one for tournaments."""
    book = load(RULEBOOK)
    openings = {
        "own": Opening(RULEBOOK, dealer="person"),
        "by-itself": Opening(RULEBOOK, dealer="house"),
        "tournament": Opening(RULEBOOK, house=default_house(book, tournament=True)),
    }
    for table, opening in openings.items():
        assert isinstance(await site.house.floor.open_table(caller("supervisor-1"), table, table, opening), Accepted)


async def asked(browser: httpx.AsyncClient, table: str, name: str, who: str) -> httpx.Response:
    path = f"/api/tables/{table}/acts"
    answer = await browser.post(path, json={"id": f"{who}-{table}-{name}-{id(browser)}", "act": wire(name, who)})
    assert answer.status_code in (200, 409, *DENIED), (name, answer.status_code, answer.text)
    return answer


async def test_every_role_and_every_act_over_http(tmp_path: Path) -> None:
    """Denied where the matrix says no; accepted, proposed or refused by the rules everywhere else."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        cells = matrix(RULEBOOK)
        denials = 0
        for who in EVERYBODY:
            browser = await site.as_(who)
            role = STAFF[who]
            table = "tournament" if role == "tournament-manager" else "own"
            for name in ACTS:
                answer = await asked(browser, table, name, who)
                denied = answer.status_code == 403
                denials += denied
                wanted = cells[role][name] == "no" or (role == "player" and name in ("BuyChips", "ChangeColour"))
                if wanted and not denied:  # what the rules let nobody do, staff are told by the rules
                    assert answer.status_code == 409 and answer.json()["refusal"]["clauses"], (who, name)
                else:
                    assert denied == wanted, (who, name, answer.text)
                if denied:
                    assert answer.json()["text"].endswith(".")
        assert denials > 300
        assert denied_so_far(site) == denials, "each was in the audit, or counted for it, before it was told"


def denied_so_far(site: Web) -> int:
    """Those that stand in the audit one by one, and those that are counted for the next summary."""
    written = sum(entry.kind == "denied" for entry in site.house.entries("audit"))
    return written + site.house.reception.audit.repeated


async def test_whoever_is_nobody_is_denied_every_act(tmp_path: Path) -> None:
    """Anonymous, a made-up token, expired, disabled, posted elsewhere; with each role that could have acted."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT), lifetimes=Lifetimes(idle_ms=60_000)) as site:
        await opened(site)
        people, clock = site.house.people, site.house.clock
        await people.create_for_the_house("admin-2", "administrator", PASSWORD, 1)
        for who in ("alice", "dealer-1", "supervisor-1", "manager-1", "inspector-1"):
            elsewhere = f"{who}-2"
            posted = await people.create_for_the_house(elsewhere, STAFF[who], PASSWORD, 1, tables=["by-itself"])
            assert posted.tables == ("by-itself",)
            disabled, wrong = await site.as_(who), await site.as_(elsewhere)
            await by_two(
                site.house,
                people.disable(caller("admin-1"), who, clock.now_ms()),
                "inspector-1" if who == "manager-1" else "manager-1",
            )
            for name in ACTS:
                for browser in (disabled, site.browser(), site.browser(authorization="Bearer made-up")):
                    assert (await asked(browser, "own", name, who)).status_code == 401, (who, name)
                assert (await asked(wrong, "own", name, elsewhere)).status_code == 403, (who, name)
            clock.pass_ms(60_000)
            assert (await asked(wrong, "own", "Deal", elsewhere)).status_code == 401, "idle for too long"
        versions = {table: len(site.house.entries(f"table:{table}")) for table in ("own", "tournament")}
        assert versions == {"own": 1, "tournament": 1}, "nothing happened at any table"


async def test_tournament_managers_stay_at_their_tables(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        browser = await site.as_("tournament-1")
        for name in sorted(TOURNAMENT_ACTS):
            assert (await asked(browser, "own", name, "tournament-1")).status_code == 403
            assert (await asked(browser, "tournament", name, "tournament-1")).status_code in (200, 409)


async def test_a_table_that_does_not_exist_is_unknown_to_everybody(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        for who in ("alice", "dealer-1", "supervisor-1", "inspector-1", "admin-1"):
            browser = await site.as_(who)
            act = {"id": "x", "act": {"act": "Deal"}}
            assert (await browser.post("/api/tables/no-such/acts", json=act)).status_code == 404


# --- the same over the socket ----------------------------------------------------------------------------------------


class Talking:
    """One connection without a wire: what it says, and what it is answered."""

    def __init__(self, site: Web, who: Caller) -> None:
        self.connection = Connection(site.house.floor, who, site.server.metrics, site.server.guard)
        self._number = 0

    async def act(self, table: str, act: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        name = f"{id(self)}-{self._number}"
        self.connection.hear(msgspec.json.encode({"do": "act", "table": table, "id": name, "act": act}))
        for _ in range(500):
            while (said := self.connection.next()) is not None:
                found: dict[str, Any] = msgspec.json.decode(said)
                if found.get("id") == name:
                    answer: dict[str, Any] = found.get("answer", found)
                    return answer
            if self.connection.over is not None:
                return {"is": "over"}
            await asyncio.sleep(0.005)
        raise AssertionError("no answer")


async def logged_in(site: Web, name: str) -> Caller:
    here, now = Proof(local=True), site.house.clock.now_ms()
    session = await site.house.people.log_in(name, PASSWORD, "192.0.2.9", now, proof=here)
    return site.house.people.who(session.token, site.house.clock.now_ms())  # type: ignore[no-any-return]


async def test_every_role_and_every_act_over_the_socket(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        cells = matrix(RULEBOOK)
        denials = 0
        for who in EVERYBODY:
            role = STAFF[who]
            talking = Talking(site, await logged_in(site, who))
            table = "tournament" if role == "tournament-manager" else "own"
            for name in ACTS:
                answer = await talking.act(table, wire(name, who))
                assert answer["is"] in ("accepted", "refused", "denied", "proposed"), (who, name, answer)
                wanted = cells[role][name] == "no" or (role == "player" and name in ("BuyChips", "ChangeColour"))
                denied = answer["is"] == "denied"
                denials += denied
                assert denied == wanted or (wanted and answer["refusal"]["clauses"]), (who, name, answer)
        assert denials > 300
        assert denied_so_far(site) == denials, "each was in the audit, or counted for it, before it was told"


async def test_whoever_is_posted_elsewhere_or_is_somebody_else_is_denied_over_the_socket(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        people, denials = site.house.people, 0
        for who in ("alice", "dealer-1", "supervisor-1", "manager-1", "inspector-1"):
            made = await people.create_for_the_house(f"{who}-2", STAFF[who], PASSWORD, 1, tables=["by-itself"])
            talking = Talking(site, await logged_in(site, made.name))
            for name in ACTS:
                assert (await talking.act("own", wire(name, made.name)))["is"] == "denied", (who, name)
                denials += 1
        alice = Talking(site, await logged_in(site, "alice"))
        for name, kind in ACTS.items():
            if RULES[name].who == "player" and "player" in kind.__struct_fields__:
                assert (await alice.act("own", wire(name, "alice") | {"player": "bob"}))["is"] == "denied", name
                denials += 1
        assert denied_so_far(site) == denials, "each was in the audit, or counted for it, before it was told"
        assert len(site.house.entries("table:own")) == 1, "nothing happened"


@pytest.mark.parametrize("how", ["logged out", "expired", "idle", "disabled", "another role", "password changed"])
async def test_a_socket_ends_with_its_session(tmp_path: Path, how: str) -> None:
    lifetimes = Lifetimes(idle_ms=60_000, lifetime_ms=3_600_000)
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT), lifetimes=lifetimes) as site:
        await opened(site)
        people, clock = site.house.people, site.house.clock
        session = await people.log_in("alice", PASSWORD, "192.0.2.9", clock.now_ms())
        talking = Talking(site, people.who(session.token, clock.now_ms()))
        assert (await talking.act("own", {"act": "TakeSeat", "box": 1}))["is"] == "accepted"
        if how == "logged out":
            await people.log_out(session.token, clock.now_ms())
        elif how in ("expired", "idle"):
            clock.pass_ms(60_000 if how == "idle" else 3_600_000)
        elif how == "disabled":
            await people.disable(caller("admin-1"), "alice", clock.now_ms())
        elif how == "another role":
            await by_two(site.house, people.change_role(caller("admin-1"), "alice", "dealer", clock.now_ms()))
        else:
            new = people.change_password(caller("admin-1"), "alice", "quite another phrase", clock.now_ms())
            await by_two(site.house, new)
        for name in ACTS:
            assert (await talking.act("own", wire(name, "alice")))["is"] == "over", (how, name)
        assert len(site.house.entries("table:own")) == 2
        assert await handshake(site, session.token) == 4401


async def handshake(site: Web, token: str, **headers: str) -> int:
    """The code with which a socket is closed at the door."""
    sent: list[Any] = []
    pairs = {"host": "localhost:8021"} | ({"authorization": f"Bearer {token}"} if token else {}) | headers

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "websocket", "path": "/ws", "scheme": "ws", "client": ("127.0.0.1", 5), "extensions": {},
        "headers": [(name.encode(), value.encode()) for name, value in pairs.items()],
    }  # fmt: skip
    await site.server(scope, receive, send)
    assert sent[0]["type"] == "websocket.close"
    return int(sent[0]["code"])


async def test_nobody_opens_a_socket_without_a_session_or_from_another_site(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        session = await site.house.people.log_in("alice", PASSWORD, "192.0.2.9", site.house.clock.now_ms())
        assert await handshake(site, "") == 4401
        assert await handshake(site, "made-up") == 4401
        assert await handshake(site, "", cookie=f"pitboss={session.token}") == 4403, "a cookie, and no word from where"
        foreign = {"cookie": f"pitboss={session.token}", "origin": "http://evil.example"}
        assert await handshake(site, "", **foreign) == 4403
        assert await handshake(site, session.token, host="evil.example") == 4421


# --- every route -----------------------------------------------------------------------------------------------------

ALL = frozenset(STAFF[who] for who in EVERYBODY)
SEES = frozenset({"supervisor", "gaming-manager", "inspector"})
OPENS = frozenset({"supervisor", "gaming-manager", "tournament-manager"})
ADMIN = frozenset({"administrator"})
SECONDS = frozenset({"administrator", "gaming-manager", "inspector"})
WRITES = frozenset({"dealer", "supervisor", "gaming-manager"})
PRINTS = frozenset({"dealer", "supervisor", "gaming-manager", "tournament-manager", "inspector"})
CUP = {"title": "Cup", "rulebook": RULEBOOK}
TOURNAMENT = {"rulebook": RULEBOOK, "house": {"decks": 8, "source": "shoe", "side_bets": [], "tournament": True}}


class Row(NamedTuple):
    """Who may ask for a route; `path` and `body` are such that nothing but the role is in the way."""

    roles: frozenset[str] | None
    """None: it is for everybody, also without a session."""
    path: str
    body: Any = None


ROUTES: dict[str, Row] = {
    "ListRulebooks": Row(None, "/api/rulebooks"),
    "ShowRulebook": Row(None, "/api/rulebooks/nsw-pontoon"),
    "ShowClause": Row(None, "/api/rulebooks/nsw-pontoon/clauses/13.1"),
    "ListWords": Row(None, "/api/rulebooks/nsw-pontoon/glossary"),
    "ShowRules": Row(None, "/api/rulebooks/nsw-pontoon/rules"),
    "ListSituations": Row(None, "/api/rulebooks/nsw-pontoon/situations"),
    "ListScenarios": Row(ALL, "/api/rulebooks/nsw-pontoon/scenarios"),
    "RuleOnSituation": Row(ALL, "/api/rulebooks/nsw-pontoon/situations/no-such", {}),
    "ListTables": Row(ALL, "/api/tables"),
    "OpenTable": Row(OPENS, "/api/tables", {"id": "{who}", "table": "{who}", "opening": TOURNAMENT}),
    "OpenLink": Row(
        frozenset({"supervisor", "gaming-manager"}),
        "/api/links",
        {"id": "l-{who}", "link": "{who}", "opening": {"rulebook": "nsw-blackjack-challenge", "pool_cents": 5_000_000,
         "minimum_cents": 2_500_000, "rate_percent": 50, "wager_cents": 100}},
    ),
    "ShowTable": Row(ALL, "/api/tables/own"),
    "ListMoments": Row(ALL, "/api/tables/own/moments"),
    "ShowTableRulebook": Row(ALL, "/api/tables/own/rulebook"),
    "ShowTableRules": Row(ALL, "/api/tables/own/rules"),
    "Act": Row(frozenset({"player", "supervisor", "gaming-manager"}), "/api/tables/own/acts",
               {"id": "a-{who}", "act": {"act": "TakeSeat", "player": "{who}", "box": 1}}),
    "CloseTable": Row(OPENS, "/api/tables/{who}/close", {"id": "c-{who}"}),
    "ListEvents": Row(ALL, "/api/tables/own/events"),
    "ShowTableAt": Row(SEES, "/api/tables/own/at/1"),
    "FindVersion": Row(SEES, "/api/tables/own/when"),
    "ShowInbox": Row(SEES, "/api/inbox"),
    "ListDisputes": Row(SEES, "/api/disputes"),
    "ShowDispute": Row(SEES, "/api/disputes/own/nobody"),
    "ListRounds": Row(ALL, "/api/tables/own/rounds"),
    "DownloadRound": Row(SEES, "/api/tables/own/rounds/1"),
    "Replay": Row(ALL, "/api/replay", {"record": ""}),
    "SearchLog": Row(SEES, "/api/log/search"),
    "VerifyLog": Row(SEES, "/api/log/verify", {}),
    "ListTablesEver": Row(SEES, "/api/log/tables"),
    "ShowHead": Row(ALL, "/api/log/head"),
    "ExportLog": Row(frozenset({"inspector"}), "/api/log/export"),
    "ExportParquet": Row(frozenset({"inspector"}), "/api/log/export.parquet"),
    "SetUpState": Row(None, "/api/setup"),
    "SetUp": Row(None, "/api/setup", {"name": "mallory", "password": PASSWORD}),
    "ComeInAsGuest": Row(None, "/api/guest", {"name": "mallory"}),
    "LogIn": Row(None, "/api/login", {"name": "mallory", "password": PASSWORD}),
    "LogOut": Row(None, "/api/logout", {}),
    "Matrix": Row(None, "/api/matrix"),
    "Acts": Row(None, "/api/acts"),
    "WhoAmI": Row(ALL, "/api/me"),
    "ListAccounts": Row(SEES | ADMIN, "/api/accounts"),
    "CreateAccount": Row(ADMIN, "/api/accounts", {"name": "new-{who}", "role": "player", "password": PASSWORD}),
    "ChangeRole": Row(ADMIN, "/api/accounts/bob/role", {"role": "player"}),
    "ChangePassword": Row(ADMIN, "/api/accounts/bob/password", {"password": PASSWORD}),
    "DisableAccount": Row(ADMIN, "/api/accounts/bob/disable", {"disabled": False}),
    "PostToTables": Row(frozenset({"supervisor", "gaming-manager"}), "/api/accounts/bob/tables", {"tables": ["*"]}),
    "ResetFactors": Row(ADMIN, "/api/accounts/bob/factors", {"password": PASSWORD}),
    "ListAccountProposals": Row(SECONDS, "/api/account-proposals"),
    "AnswerAccountProposal": Row(SECONDS, "/api/account-proposals/none", {"approve": True}),
    "MyAccount": Row(ALL, "/api/me/account"),
    "EndSessions": Row(ALL, "/api/me/sessions/end", {"handle": "none"}),
    "BeginAuthenticator": Row(ALL, "/api/me/authenticator", {"password": PASSWORD}),
    "ConfirmAuthenticator": Row(ALL, "/api/me/authenticator/confirm", {"code": "none"}),
    "RemoveAuthenticator": Row(ALL, "/api/me/authenticator/remove", {"password": PASSWORD}),
    "BeginPasskey": Row(ALL, "/api/me/passkeys/begin", {"password": PASSWORD}),
    "MakePasskey": Row(ALL, "/api/me/passkeys", {"passkey": {}}),
    "RemovePasskey": Row(ALL, "/api/me/passkeys/none/remove", {"password": PASSWORD}),
    "ShowLedger": Row(SEES, "/api/ledger"),
    "ShowMyPlay": Row(ALL, "/api/my-play"),
    "ListReports": Row(SEES, "/api/reports"),
    "ShowTakings": Row(SEES, "/api/reports/takings"),
    "PrintTakings": Row(SEES, "/api/reports/paper"),
    "ListTakings": Row(SEES, "/api/reports/rows"),
    "LeaveHandover": Row(frozenset({"supervisor", "gaming-manager"}), "/api/reports/handovers",
                         {"id": "h-{who}", "text": "The shoe of pit-1 was changed."}),
    "ListRegisters": Row(SEES, "/api/registers"),
    "ShowRegister": Row(SEES, "/api/registers/limits"),
    "PrintRegister": Row(SEES, "/api/registers/all/paper"),
    "ListRegisterRows": Row(SEES, "/api/registers/all/rows"),
    "ListNotices": Row(SEES, "/api/notices"),
    "ListPromotions": Row(ALL, "/api/promotions"),
    "ShowPromotionForm": Row(ALL, "/api/promotion-form/nsw-pontoon"),
    "CheckPromotion": Row(SEES, "/api/promotion-check", {"rulebook": RULEBOOK, "terms": {}}),
    "OfferPromotion": Row(WRITES, "/api/promotions", {"id": "o-{who}", "promotion": "{who}",
                          "rulebook": RULEBOOK, "terms": {"title": "A draw"}}),
    "ShowPromotion": Row(ALL, "/api/promotions/none"),
    "ActInPromotion": Row(WRITES | {"player"}, "/api/promotions/none", {"id": "q-{who}", "act": {"act": "begin"}}),
    "PrintPromotion": Row(ALL, "/api/promotions/none/paper"),
    "ListDraws": Row(SEES, "/api/promotions/none/draws"),
    "ListDeniedClaims": Row(SEES, "/api/promotions/none/claims"),
    "PromotionReport": Row(SEES, "/api/promotions/none/report"),
    "PromotionRows": Row(SEES, "/api/promotions/none/rows"),
    "WriteRegister": Row(SEES, "/api/registers", {"id": "r-{who}", "act": {"act": "MarkDone", "item": "none",
                         "evidence": "none"}}),
    "SendNotice": Row(frozenset({"supervisor", "gaming-manager"}), "/api/notices/none/send", {"id": "s-{who}"}),
    "ListPatrons": Row(SEES, "/api/patrons"),
    "ShowPatron": Row(SEES, "/api/patrons/bob"),
    "WritePatron": Row(WRITES, "/api/patrons/bob", {"id": "p-{who}", "act": {"act": "Deposit", "cents": 100}}),
    "ExportPatron": Row(SEES, "/api/patrons/bob/export"),
    "ListLooks": Row(frozenset({"gaming-manager", "inspector", "administrator"}), "/api/patrons/bob/looks"),
    "AskErasure": Row(SEES, "/api/patrons/bob/erasure", {"why": "asked to be forgotten"}),
    "ListErasures": Row(SEES, "/api/erasures"),
    "AnswerErasure": Row(frozenset({"gaming-manager", "inspector"}), "/api/erasures/nobody", {"approve": False}),
    "SetRetention": Row(frozenset({"gaming-manager"}), "/api/retention", {"file_days": 2557, "claim_days": 2557}),
    "ShowDay": Row(ALL, "/api/gaming-day"),
    "TurnDay": Row(WRITES, "/api/gaming-day", {"id": "d-{who}", "do": "open"}),
    "ListAlarms": Row(ALL - {"player"}, "/api/alarms"),
    "ListApprovals": Row(SEES, "/api/approvals"),
    "AnswerProposal": Row(SEES, "/api/approvals/none", {"approve": True}),
    "Audit": Row(frozenset({"gaming-manager", "inspector", "administrator"}), "/api/audit"),
    "BeginTraining": Row(ALL, "/api/training", {"rulebook": RULEBOOK}),
    "ShowTraining": Row(ALL, "/api/training/none"),
    "TrainOneStep": Row(ALL, "/api/training/none", {"step": "burn"}),
    "ListTrainees": Row(ALL, "/api/trainees"),
    "ListTournaments": Row(ALL, "/api/tournaments"),
    "ShowConditionsForm": Row(ALL, "/api/tournament-conditions/nsw-pontoon"),
    "JudgeConditions": Row(ALL, "/api/tournament-conditions", {"conditions": CUP}),
    "OpenTournament": Row(frozenset({"tournament-manager"}), "/api/tournaments",
                          {"id": "t-{who}", "tournament": "cup", "conditions": CUP}),
    "ShowTournament": Row(ALL, "/api/tournaments/none"),
    "ActInTournament": Row(ALL, "/api/tournaments/none/acts", {"id": "ta-{who}", "act": {"act": "apply"}}),
    "AnswerInTournament": Row(PRINTS, "/api/tournaments/none/approvals/1", {"id": "tb-{who}", "approve": True}),
    "AnnounceInTournament": Row(frozenset({"tournament-manager"}), "/api/tournaments/none/announcements",
                                {"id": "tc-{who}", "text": "Five minutes to go."}),
    "ShowWall": Row(None, "/api/wall/none"),
    "PrintTournament": Row(PRINTS, "/api/tournaments/none/papers/regulator"),
    "ListTournamentRows": Row(PRINTS, "/api/tournaments/none/rows/slips"),
    "AskCoach": Row(ALL, "/api/tables/own/coach"),
    "ReviewRounds": Row(ALL, "/api/tables/own/coach/review"),
}  # fmt: skip
"""Every route by its operation. What is added to the server has to be added here."""


def test_every_route_has_its_row() -> None:
    served = {handler.operation_id: sorted(handler.paths)[0] for handler in HANDLERS}
    assert set(served) == set(ROUTES)
    assert {name for name, row in ROUTES.items() if row.roles is None} == OPEN, "the description says the same"
    for name, row in ROUTES.items():
        pattern = re.sub(r"\{[^}]*\}", "[^/]+", served[name])
        assert re.fullmatch(pattern, row.path), name


async def ask_for(browser: httpx.AsyncClient, row: Row, who: str) -> httpx.Response:
    path = row.path.replace("{who}", who)
    if row.body is None:
        return await browser.get(path)
    return await browser.post(path, json=json.loads(json.dumps(row.body).replace("{who}", who)))


async def test_every_role_and_every_route(tmp_path: Path) -> None:
    """Allowed is whatever is neither 401 nor 403; every 403 is in the audit, and says why in one sentence."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        browsers = {who: await site.as_(who) for who in EVERYBODY}
        denials = 0
        for name, row in ROUTES.items():
            for who, browser in browsers.items():
                if row.roles is None:
                    continue
                answer = await ask_for(browser, row, who)
                assert answer.status_code < 500, (name, who, answer.text)
                assert answer.status_code != 400 or name == "Replay", (name, who, answer.text)
                allowed = answer.status_code not in (401, 403)
                assert allowed == (STAFF[who] in row.roles), (name, who, answer.status_code, answer.text)
                if not allowed:
                    denials += 1
                    assert answer.status_code == 403 and answer.json()["is"] == "denied"
                    assert answer.json()["text"].endswith(".")
        assert denials > 60
        assert denied_so_far(site) == denials, "each was in the audit, or counted for it, before it was told"


async def test_every_route_for_those_who_are_nobody(tmp_path: Path) -> None:
    """Anonymous, a made-up token, logged out, idle for too long, too old, and disabled: 401 everywhere."""
    lifetimes = Lifetimes(idle_ms=600_000, lifetime_ms=900_000)
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT), lifetimes=lifetimes) as site:
        await opened(site)
        clock, people = site.house.clock, site.house.people
        old = await site.as_("manager-1")
        clock.pass_ms(500_000)
        idle = await site.as_("inspector-1")
        await old.get("/api/me")
        clock.pass_ms(500_000)
        gone, disabled = await site.as_("admin-1"), await site.as_("supervisor-2")
        await gone.post("/api/logout")
        await people.disable(caller("admin-1"), "supervisor-2", clock.now_ms())
        clock.pass_ms(200_000)
        nobody = {
            "anonymous": site.browser(), "made up": site.browser(authorization="Bearer made-up"), "logged out": gone,
            "idle": idle, "old": old, "disabled": disabled,
        }  # fmt: skip
        for name, row in ROUTES.items():
            for how, browser in nobody.items():
                if row.roles is not None:
                    answer = await ask_for(browser, row, "alice")
                    assert answer.status_code == 401, (name, how, answer.text)
                    assert answer.json() == {"is": "denied", "text": "log in first."}
        assert set(site.house.floor.openings) == {"own", "by-itself", "tournament"}


async def test_staff_who_are_posted_elsewhere_change_nothing_here(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        for who in ("supervisor-1", "manager-1", "tournament-1"):
            made = await site.house.people.create_for_the_house(f"{who}-2", STAFF[who], PASSWORD, 1, tables=["t9"])
            browser = await site.as_(made.name)
            for name in ("OpenTable", "CloseTable", "Act"):
                answer = await ask_for(browser, ROUTES[name], "bob")
                assert answer.status_code == 403, (who, name, answer.text)
            own = await browser.post(f"/api/accounts/{made.name}/tables", json={"tables": ["*"]})
            assert own.status_code == 403, "nobody posts himself"
            assert site.house.people.account(made.name).tables == ("t9",)
        assert set(site.house.floor.openings) == {"own", "by-itself", "tournament"}


async def test_nobody_says_more_in_an_act_than_people_read(tmp_path: Path) -> None:
    """What is said is told to the whole table and kept for ever; over HTTP it could be as long as a body."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        alice, talking = await site.as_("alice"), Talking(site, await logged_in(site, "bob"))
        act = {"act": "RaiseDispute", "about": "x" * 501}
        answer = await alice.post("/api/tables/own/acts", json={"id": "long", "act": act})
        assert answer.status_code == 400 and "longer than 500" in answer.json()["text"]
        assert (await talking.act("own", act))["is"] == "error"
        staff = await site.as_("supervisor-1")
        many = {"act": "ReserveBoxes", "player": "alice", "boxes": list(range(501))}
        assert (await staff.post("/api/tables/own/acts", json={"id": "many", "act": many})).status_code == 400
        assert len(site.house.entries("table:own")) == 1
        act["about"] = "x" * 500
        assert (await alice.post("/api/tables/own/acts", json={"id": "short", "act": act})).status_code == 200
