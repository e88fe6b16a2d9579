"""Routes for tables, their past and the log, against a real server; and what the probes and the files say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.records import loads, replay
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.files import ROOT, Files
from tests.server.running import Client, Running

TIMERS = dict.fromkeys(("wagers_ms", "last_wager_ms", "cut_ms", "pace_ms", "answer_ms", "insurance_ms"), 0)
QUICK = {"rulebook": "nsw-pontoon", "dealer": "house", "timers": TIMERS | {"surrender_ms": 0}, "name": "Quick"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("floor")) as running:
        yield running


@pytest.fixture(scope="module")
def tokens(server: Running) -> dict[str, str]:
    staff = {role: server.guest(role=role) for role in ("dealer", "supervisor", "inspector")}
    return staff | {"player": server.guest("pia")}


@pytest.fixture(scope="module")
def played(server: Running, tokens: dict[str, str]) -> str:
    """A table at which pia has played three rounds."""
    status, answer = server.ask(
        "POST", "/api/tables", {"id": "o", "table": "quick", "opening": QUICK}, tokens["supervisor"]
    )
    assert status == 200, answer

    async def play() -> None:
        async with server.socket(tokens["player"]) as socket:
            client = Client(socket)
            update = await client.watch("quick")
            while update["round"] < 4:
                version = update["version"]
                names = {each["act"] for each in update["legal"]}
                if update["waiting"]["what"] == "wagers" and not update["view"]["boxes"]:
                    answer = await client.act("quick", {"act": "PlaceWager", "box": 1, "cents": 1000})
                elif names & {"Stand", "Hit", "Keep", "Decline", "DeclineCut"}:
                    act = next(
                        each for each in update["legal"] if each["act"] in ("Stand", "Hit", "Keep", "DeclineCut")
                    )
                    answer = await client.act("quick", act)
                else:
                    answer = {"is": "accepted", "version": version + 1}
                assert answer["is"] in ("accepted", "refused"), answer
                await client.reaches("quick", version + 1)
                update = client.updates["quick"]

    asyncio.run(asyncio.wait_for(play(), 60))
    return "quick"


def test_rulebooks_and_clauses(server: Running) -> None:
    status, books = server.ask("GET", "/api/rulebooks")
    assert status == 200 and [book["id"] for book in books] == list(RULEBOOKS)
    status, book = server.ask("GET", "/api/rulebooks/nsw-pontoon")
    assert status == 200 and book["terms"]["dealer.soft_stand"] == {"is": 18, "clauses": ["14.4", "2.2.3.2"]}
    status, clause = server.ask("GET", "/api/rulebooks/nsw-pontoon/clauses/13.1")
    assert status == 200 and clause["gist"].startswith("Two cards of equal value")
    for path in ("/api/rulebooks/whist", "/api/rulebooks/nsw-pontoon/clauses/99.9"):
        status, said = server.ask("GET", path)
        assert status == 404 and said["is"] == "error"


def test_the_overview_and_one_table(server: Running, tokens: dict[str, str], played: str) -> None:
    assert server.ask("GET", "/api/tables")[0] == 401
    status, rows = server.ask("GET", "/api/tables", token=tokens["player"])
    row = next(row for row in rows if row["table"] == played)
    assert status == 200 and row["here"] and row["round"] == 4 and row["name"] == "Quick"
    status, shown = server.ask("GET", f"/api/tables/{played}", token=tokens["player"])
    assert status == 200 and shown["is"] == "update" and shown["mine"]["name"] == "pia"
    assert server.ask("GET", "/api/tables/nowhere", token=tokens["player"])[0] == 404


def test_acts_by_http(server: Running, tokens: dict[str, str], played: str) -> None:
    path = f"/api/tables/{played}/acts"
    wanted = {"id": "h1", "act": {"act": "TakeSeat", "box": 3}}
    first = server.ask("POST", path, wanted, tokens["player"])
    assert first[0] == 200 and first == server.ask("POST", path, wanted, tokens["player"])
    assert server.ask("POST", path, wanted)[0] == 401
    status, said = server.ask("POST", path, {"id": "h2", "act": {"act": "TakeSeat", "box": 88}}, tokens["player"])
    assert status == 409 and said["refusal"]["clauses"]
    status, said = server.ask("POST", path, {"id": "h3", "act": {"act": "Deal"}}, tokens["player"])
    assert status == 403 and said["is"] == "denied"
    for body in ({"id": "h4"}, {"id": "", "act": {"act": "Deal"}}, {"id": "h4", "act": {"act": "Fly"}}, b"{", b"[]"):
        assert server.ask("POST", path, body, tokens["player"])[0] == 400
    status, said = server.ask("POST", path, {"id": "h5", "act": {"act": "LeaveTable"}}, tokens["inspector"])
    assert status == 403


def test_events_and_past_versions(server: Running, tokens: dict[str, str], played: str) -> None:
    status, events = server.ask("GET", f"/api/tables/{played}/events?after=0&limit=1000", token=tokens["player"])
    assert status == 200 and events[0]["version"] == 2 and all(each["clauses"] for each in events)
    assert not any(each["event"]["event"] == "StackArranged" for each in events)
    last = events[-1]["version"]
    for version in (1, 2, last // 2, last):
        status, shown = server.ask("GET", f"/api/tables/{played}/at/{version}", token=tokens["inspector"])
        assert status == 200 and shown["version"] == version and "stack" not in shown["view"]
        wanted = [(each["n"], each["text"]) for each in events if each["version"] == version]
        assert [(each["n"], each["text"]) for each in shown["events"]] == wanted
    assert server.ask("GET", f"/api/tables/{played}/at/{last}", token=tokens["player"])[0] == 403
    assert server.ask("GET", f"/api/tables/{played}/at/999999", token=tokens["inspector"])[0] == 404
    assert server.ask("GET", f"/api/tables/{played}/events?limit=0", token=tokens["player"])[0] == 400


def test_a_round_is_downloaded_replayed_and_shown(server: Running, tokens: dict[str, str], played: str) -> None:
    status, rounds = server.ask("GET", f"/api/tables/{played}/rounds", token=tokens["inspector"])
    assert status == 200 and [each["round"] for each in rounds] == [1, 2, 3]
    for each in rounds:
        status, text = server.ask("GET", f"/api/tables/{played}/rounds/{each['round']}", token=tokens["player"])
        assert status == 200
        result = replay(loads(text))
        assert result.ok and result.net_cents["pia"] == each["net_cents"]["pia"]
        status, frames = server.ask("POST", "/api/replay", {"record": text}, tokens["player"])
        assert status == 200 and len(frames) > 5 and frames[-1]["view"]["phase"] == "wagers"
    assert server.ask("GET", f"/api/tables/{played}/rounds/9", token=tokens["inspector"])[0] == 404
    stranger = server.guest("stranger")
    assert server.ask("GET", f"/api/tables/{played}/rounds/1", token=stranger)[0] == 403
    status, rounds = server.ask("GET", f"/api/tables/{played}/rounds", token=stranger)
    assert status == 200 and all(each["net_cents"] == {} for each in rounds)
    for record in ("", "title = 3", 'rulebook = "whist"'):
        assert server.ask("POST", "/api/replay", {"record": record}, tokens["player"])[0] == 400


def test_searching_and_the_head_of_the_log(server: Running, tokens: dict[str, str], played: str) -> None:
    path = "/api/log/search?act=PlaceWager&player=pia&cents_from=1000&cents_to=1000"
    status, found = server.ask("GET", path, token=tokens["inspector"])
    assert status == 200 and len(found["found"]) == 3 and {each["table"] for each in found["found"]} == {played}
    assert server.ask("GET", path, token=tokens["player"])[0] == 403
    status, head = server.ask("GET", "/api/log/head", token=tokens["player"])
    assert status == 200 and head["signature"] and len(head["hash"]) == 64
    status, text = server.ask("GET", "/api/log/export", token=tokens["inspector"])
    assert status == 200 and text.count("\n") > 20
    assert '"withheld":"cards that are not dealt yet"' in text and '"withheld":"secrets of an account"' in text
    assert "argon2" not in text and '"stack"' not in text
    lines = [json.loads(line) for line in text.splitlines()]
    last = max(each["seq"] for each in lines if each.get("stream") == f"table:{played}" and "withheld" in each)
    orders = [each["seq"] for each in lines if '"order"' in json.dumps(each) or "StackArranged" in json.dumps(each)]
    assert all(seq < last for seq in orders), "an order is told once the table has shuffled anew"
    assert server.ask("GET", "/api/log/export", token=tokens["supervisor"])[0] == 403


def test_opening_and_closing(server: Running, tokens: dict[str, str]) -> None:
    def ask(role: str, name: str, opening: dict[str, Any]) -> tuple[int, Any]:
        return server.ask("POST", "/api/tables", {"id": name, "table": name, "opening": opening}, tokens[role])

    assert ask("player", "a1", QUICK)[0] == 403
    assert ask("supervisor", "A 1", QUICK)[0] == 400
    status, said = ask("supervisor", "a1", QUICK | {"house": {"decks": 5, "source": "shoe", "side_bets": []}})
    assert status == 409 and said["refusal"]["clauses"] == ["3.1"]
    assert ask("supervisor", "a1", {"rulebook": "whist"})[0] == 404
    first = ask("supervisor", "a1", QUICK)
    assert first[0] == 200 and ask("supervisor", "a1", QUICK) == first
    assert server.ask("POST", "/api/tables/a1/close", {"id": "c"}, tokens["dealer"])[0] == 403
    assert server.ask("POST", "/api/tables/a1/close", {"id": "c"}, tokens["supervisor"])[0] == 200
    assert server.ask("GET", "/api/tables/a1", token=tokens["player"])[0] == 404


def test_probes_and_files(server: Running) -> None:
    assert server.ask("GET", "/healthz") == (200, {"alive": True})
    assert server.ask("GET", "/readyz") == (200, {"ready": True})
    status, text = server.ask("GET", "/metrics")
    assert status == 200 and "pitboss_act_seconds_bucket" in text and "pitboss_tables " in text
    for line in text.splitlines():
        assert line.startswith("# ") or len(line.rsplit(" ", 1)) == 2
    assert server.ask("GET", "/no-such-file.js")[0] == 404
    assert server.ask("POST", "/", {})[0] == 405
    status, schema = server.ask("GET", "/schema/openapi.json")
    assert status == 200 and "/api/tables/{table}/acts" in schema["paths"]


@pytest.mark.parametrize(
    "path", ["/../server/app.py", "/%2e%2e/server/app.py", "/js/../../cli.py", "/\0", "/" + "a" * 500]
)
def test_nothing_outside_the_folder_is_served(path: str) -> None:
    assert Files().find(path) is None
    assert ROOT.name == "web"
