"""Routes for tables, their past and the log, against a real server; and what the probes and the files say."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.records import loads, replay
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.files import ROOT, Files
from pitboss.server.metrics import Metrics
from pitboss.server.security import CONTENT_SECURITY_POLICY
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


async def play(server: Running, token: str, table: str, rounds: int) -> None:
    """Somebody plays so many rounds at a table of his own that deals by itself."""
    async with server.socket(token) as socket:
        client = Client(socket)
        update = await client.watch(table)
        while update["round"] <= rounds:
            version = update["version"]
            names = {each["act"] for each in update["legal"]}
            if update["waiting"]["what"] == "wagers" and not update["view"]["boxes"]:
                answer = await client.act(table, {"act": "PlaceWager", "box": 1, "cents": 1000})
            elif names & {"Stand", "Hit", "Keep", "Decline", "DeclineCut"}:
                act = next(each for each in update["legal"] if each["act"] in ("Stand", "Hit", "Keep", "DeclineCut"))
                answer = await client.act(table, act)
            else:
                answer = {"is": "accepted", "version": version + 1}
            assert answer["is"] in ("accepted", "refused"), answer
            await client.reaches(table, version + 1)
            update = client.updates[table]


@pytest.fixture(scope="module")
def played(server: Running, tokens: dict[str, str]) -> str:
    """A table at which pia has played three rounds."""
    status, answer = server.ask(
        "POST", "/api/tables", {"id": "o", "table": "quick", "opening": QUICK}, tokens["supervisor"]
    )
    assert status == 200, answer

    asyncio.run(asyncio.wait_for(play(server, tokens["player"], "quick", 3), 60))
    return "quick"


HOUSE = {"decks": 8, "source": "shoe", "side_bets": []}


@pytest.mark.parametrize(
    ("opening", "field"),
    [
        ({"date": "2025-01-01"}, "date"),  # it belongs into `house`: without it the table would be one for practice
        ({"house": HOUSE | {"minimum": 1_000}}, "minimum"),
        ({"timers": {"wagers": 0}}, "wagers"),
        ({"players": {"bob": {"limit_cents": 500}}}, "limit_cents"),
    ],
)
def test_nothing_that_is_said_of_a_table_is_passed_over(
    server: Running, tokens: dict[str, str], opening: dict[str, Any], field: str
) -> None:
    asked = {"id": f"misspelt-{field}", "table": "misspelt", "opening": {"rulebook": "nsw-pontoon"} | opening}
    status, said = server.ask("POST", "/api/tables", asked, tokens["supervisor"])
    assert status == 400 and f"there is no field {field}" in said["text"]


async def test_nothing_that_is_said_in_an_act_is_passed_over(server: Running, tokens: dict[str, str]) -> None:
    """A wager with its tokens misspelt would be one of chips."""
    act = {"act": "PlaceWager", "player": "pia", "box": 1, "cents": 1_000, "tokens_cents": 1_000}
    said = server.ask("POST", "/api/tables/nsw-pontoon/acts", {"id": "misspelt", "act": act}, tokens["player"])
    text = "PlaceWager has no field 'tokens_cents'; it has player, box, cents"
    assert said[0] == 400 and said[1]["text"].startswith(text)
    async with server.socket(tokens["player"]) as socket:
        client = Client(socket)
        assert text in (await client.act("nsw-pontoon", act, "misspelt-too"))["text"]


def test_rulebooks_and_clauses(server: Running) -> None:
    status, books = server.ask("GET", "/api/rulebooks")
    assert status == 200 and [book["id"] for book in books] == list(RULEBOOKS)
    status, book = server.ask("GET", "/api/rulebooks/nsw-pontoon")
    assert status == 200 and book["terms"]["dealer.soft_stand"] == {
        "is": 18,
        "says": ["The dealer draws on soft 17 and stands on soft 18."],
        "clauses": ["14.4", "2.2.3.2"],
    }
    status, clause = server.ask("GET", "/api/rulebooks/nsw-pontoon/clauses/13.1")
    assert status == 200 and clause["gist"].startswith("Two cards of equal value")
    for path in ("/api/rulebooks/whist", "/api/rulebooks/nsw-pontoon/clauses/99.9"):
        status, said = server.ask("GET", path)
        assert status == 404 and said["is"] == "unknown" and said["text"].endswith(".")


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
        status, told = server.ask("POST", "/api/replay", {"record": text}, tokens["player"])
        assert status == 200 and len(told["frames"]) > 5 and told["frames"][-1]["view"]["phase"] == "wagers"
        assert told["expects"] and told["failures"] == []
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
    wrongs: tuple[dict[str, Any], ...] = (
        {"name": "x" * 101},
        {"timers": {"pace_ms": -1}},
        {"timers": {"away_ms": 10**9}},
        {"bots": ["bot-1"] * 21},
        {"players": {f"p{n}": {} for n in range(101)}},
        {"house": {"decks": 8, "source": "shoe", "side_bets": [], "maximum_cents": 1 << 60}},
    )
    for wrong in wrongs:
        status, said = ask("supervisor", "a1", QUICK | wrong)
        assert status == 400 and next(iter(wrong)) in said["text"], said
    first = ask("supervisor", "a1", QUICK)
    assert first[0] == 200 and ask("supervisor", "a1", QUICK) == first
    assert server.ask("POST", "/api/tables/a1/close", {"id": "c"}, tokens["dealer"])[0] == 403
    assert server.ask("POST", "/api/tables/a1/close", {"id": "c"}, tokens["supervisor"])[0] == 200
    assert server.ask("GET", "/api/tables/a1", token=tokens["player"])[0] == 404


def test_probes_and_files(server: Running) -> None:
    assert server.ask("GET", "/healthz") == (200, {"alive": True})
    assert server.ask("GET", "/readyz") == (200, {"ready": True})
    assert server.ask("GET", "/no-such-file.js")[0] == 404
    for path in ("/", "/metrics", "/healthz", "/readyz"):
        assert server.ask("POST", path, {})[0] == 405
    status, schema = server.ask("GET", "/schema/openapi.json")
    assert status == 200 and "/api/tables/{table}/acts" in schema["paths"]


def test_metrics_are_read_by_prometheus_own_parser(server: Running, tokens: dict[str, str], played: str) -> None:
    from prometheus_client.parser import text_string_to_metric_families

    server.ask("GET", "/api/me")
    with urllib.request.urlopen(server.address + "/metrics", timeout=20) as answer:
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        families = {family.name: family for family in text_string_to_metric_families(answer.read().decode())}
    assert all(
        family.documentation and family.type in ("counter", "gauge", "histogram") for family in families.values()
    )
    values = {
        (sample.name, *sample.labels.values()): sample.value for each in families.values() for sample in each.samples
    }
    assert values["pitboss_acts_total", "accepted"] >= 3 and values["pitboss_http_requests_total", "GET", "401"] >= 1
    assert values["pitboss_tables",] >= 6 and values["pitboss_ready",] == 1
    assert values["process_resident_memory_bytes",] > 10_000_000 and values["process_open_fds",] > 5
    buckets = [sample for sample in families["pitboss_act_seconds"].samples if sample.name.endswith("_bucket")]
    counts = [sample.value for sample in buckets]
    assert counts == sorted(counts) and buckets[-1].labels["le"] == "+Inf"
    assert (
        counts[-1]
        == values["pitboss_act_seconds_count",]
        == sum(value for (name, *_), value in values.items() if name == "pitboss_acts_total")
    )


def metric(server: Running, name: str) -> float:
    found = re.search(rf"^{name} ([\d.]+)$", server.ask("GET", "/metrics")[1], re.M)
    assert found is not None
    return float(found[1])


def test_the_ledger_has_what_was_won_and_lost(server: Running, tokens: dict[str, str], played: str) -> None:
    assert server.ask("GET", "/api/ledger", None, tokens["player"])[0] == 403
    net = server.ask("GET", f"/api/tables/{played}", None, tokens["player"])[1]["mine"]["net_cents"]
    status, own = server.ask("GET", "/api/ledger?person=pia", None, tokens["supervisor"])
    assert status == 200 and own["accounts"].get("player:pia", 0) == net and own["people"].get("pia") == {played: net}
    status, table = server.ask("GET", f"/api/ledger?table={played}", None, tokens["inspector"])
    assert (
        status == 200 and table["accounts"].get(f"{played}/float", 0) == -net and table["people"]["pia"][played] == net
    )
    status, house = server.ask("GET", "/api/ledger", None, tokens["supervisor"])
    assert status == 200 and house["total_cents"] == 0 == sum(house["accounts"].values()) and house["differences"] == []
    assert house["accounts"]["nsw-pontoon/float"] > 0 > house["accounts"]["cage"]


def test_stopped_tables_are_counted(server: Running, tokens: dict[str, str]) -> None:
    before = metric(server, "pitboss_tables_stopped")
    asked = {"id": "o-still", "table": "still", "opening": QUICK | {"name": "Still"}}
    assert server.ask("POST", "/api/tables", asked, tokens["supervisor"])[0] == 200
    stop = {"id": "stop", "act": {"act": "StopTable", "reason": "the rack is short"}}
    assert server.ask("POST", "/api/tables/still/acts", stop, tokens["supervisor"])[0] == 200
    assert metric(server, "pitboss_tables_stopped") == before + 1
    assert metric(server, "pitboss_ledger_breaches_total") == metric(server, "pitboss_faults_total") == 0
    assert metric(server, "pitboss_floor_acts_total" + re.escape('{rulebook="nsw-pontoon"}')) >= 3


def test_acts_by_http_are_counted_like_those_of_sockets(server: Running, tokens: dict[str, str], played: str) -> None:
    def refused() -> float:
        _, text = server.ask("GET", "/metrics")
        found = re.search(r'^pitboss_acts_total\{answer="refused"\} ([\d.]+)$', text, re.M)
        return float(found[1]) if found else 0

    before = refused()
    act = {"id": "counted", "act": {"act": "TakeSeat", "box": 99}}
    assert server.ask("POST", f"/api/tables/{played}/acts", act, tokens["player"])[0] == 409
    assert refused() == before + 1


def test_large_counts_are_not_rounded() -> None:
    from prometheus_client.parser import text_string_to_metric_families

    metrics = Metrics()
    metrics.updates += 2**53 - 1
    found = {sample.name: sample.value for family in text_string_to_metric_families(metrics.text().decode())
             for sample in family.samples}  # fmt: skip
    assert found["pitboss_socket_updates_total"] == 2**53 - 1


@pytest.mark.parametrize(
    "path", ["/", "/index.html", "/js/main.js", "/no-such", "/api/me", "/api/rulebooks", "/healthz", "/metrics",
             "/schema/openapi.json", "/api/no-such", "/js/%2e%2e/%2e%2e/cli.py"],
)  # fmt: skip
def test_every_page_has_the_headers(server: Running, path: str) -> None:
    request = urllib.request.Request(server.address + path)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            headers = answer.headers
    except urllib.error.HTTPError as error:
        with error:
            headers = error.headers
    assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert headers["x-frame-options"] == "DENY" and headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer" and headers["server"] is None
    if path.startswith("/api"):
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/../server/app.py", "/%2e%2e/server/app.py", "/js/../../cli.py", "/\0", "/" + "a" * 500]
)
def test_nothing_outside_the_folder_is_served(path: str) -> None:
    assert Files().find(path) is None
    assert ROOT.name == "web"


@pytest.mark.parametrize(
    "path", ["/../../../../../../../etc/passwd", "/%2e%2e/%2e%2e/cli.py", "//etc/passwd", "/js/..%2f..%2fcli.py",
             "/..%5c..%5ccli.py", "/js", "/%00", "/.", "/..", "/%ff%fe", "/js/main.js%00.css"],
)  # fmt: skip
def test_nothing_outside_the_folder_is_served_over_the_wire(server: Running, path: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 10) as link:
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while data := link.recv(65_536):
            answer += data
    assert answer.split(b" ", 2)[1] in (b"404", b"400"), answer[:300]
    assert b"root:" not in answer and b"import" not in answer


def test_a_file_is_kept_once_whatever_it_is_called() -> None:
    """Otherwise whoever asks for one file by a thousand paths fills the memory."""
    files = Files()
    for number in range(20):
        assert files.find("/" + "js/../" * (number % 10) + "./" * number + "index.html") is not None
    assert len(files._known) == 1


# --- operating it ----------------------------------------------------------------------------------------------------


def test_the_log_is_one_json_object_a_line(tmp_path: Path) -> None:
    with Running(tmp_path, "--log", "debug") as server:
        token = server.guest("alice")
        server.ask("POST", "/api/login", {"name": "alice", "password": "wrong\npassword"})
        server.ask("GET", "/api/audit", token=token)
        server.ask("GET", "/no%e2%80%a8such%0apath")
        assert server.stop() == 0
        server.complaints.seek(0)
        lines = [json.loads(line) for line in server.complaints.read().splitlines()]
    assert all({"at", "level", "logger", "text"} <= set(line) for line in lines)
    said = {(line["logger"], line["text"]): line for line in lines}
    assert {"address", "kept", "tables"} <= set(said["pitboss.server", "open"])
    assert said["pitboss.audit", "login"]["who"] == "alice"
    failed = said["pitboss.audit", "login-failed"]
    assert failed["level"] == "warning" and failed["address"] == "127.0.0.1"
    assert said["pitboss.audit", "denied"]["what"] == "see-audit"
    asked = [line for line in lines if line["text"] == "request" and line["path"] == "/api/audit"]
    assert asked[0]["status"] == 403 and asked[0]["method"] == "GET" and asked[0]["ms"] >= 0
    assert ("pitboss.server", "stopped") in said
    assert token not in str(lines) and "wrong" not in str([line for line in lines if line["logger"] != "pitboss.audit"])


def test_behind_a_proxy_as_the_manual_sets_one_up(tmp_path: Path) -> None:
    """What nginx and Caddy send, as the page has them: TLS, names, addresses, sockets; and nobody is at the machine."""
    page = (Path(__file__).parents[2] / "docs" / "people.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"proxy_set_header (\S+) (\S+);", page))
    assert told == {
        "Host": "$http_host", "X-Forwarded-For": "$proxy_add_x_forwarded_for", "X-Forwarded-Proto": "$scheme",
        "Upgrade": "$http_upgrade", "Connection": '"upgrade"',
    }  # fmt: skip
    with Running(tmp_path, "--name", "floor.example", "--proxy", "127.0.0.1") as server:
        forwarded = {"host": "floor.example", "x_forwarded_for": "203.0.113.4", "x_forwarded_proto": "https"}
        own = forwarded | {"origin": "https://floor.example"}
        status, state = server.ask("GET", "/api/setup", **forwarded)
        assert status == 200 and not state["local"] and state["roles"] == []
        for role in ("player", "supervisor"):
            assert server.ask("POST", "/api/guest", {"name": "alice", "role": role}, **own)[0] == 403
            assert server.ask("POST", "/api/guest", {"name": "alice", "role": role})[0] == 403, "nor without the proxy"
        admin = {"name": "anna", "password": "correct horse battery"}
        assert server.ask("POST", "/api/setup", admin, **own)[0] == 403
        assert server.ask("POST", "/api/login", admin, **forwarded | {"origin": "http://floor.example"})[0] == 403
        assert server.ask("POST", "/api/login", admin, **own | {"host": "evil.example"})[0] == 421
        other = {"host": "floor.example:8443", "origin": "https://floor.example:8443"}
        assert server.ask("POST", "/api/login", admin, **own | other)[0] == 401, "at another port; nobody is known yet"
        request = urllib.request.Request(
            server.address + "/api/setup",
            json.dumps(admin | {"token": server.setup_token}).encode(),
            {"content-type": "application/json"} | {key.replace("_", "-"): value for key, value in own.items()},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-pitboss=") and cookie.endswith("; HttpOnly; SameSite=Strict; Secure")
            assert answer.headers["strict-transport-security"]
        token = cookie.partition("=")[2].partition(";")[0]
        head = (
            "GET /ws HTTP/1.1\r\nHost: floor.example\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: {}\r\n"
            f"X-Forwarded-For: 203.0.113.4\r\nX-Forwarded-Proto: https\r\nCookie: __Host-pitboss={token}\r\n\r\n"
        )
        for origin, wanted in (
            ("https://floor.example", b"403"),
            ("https://evil.example", b"403"),
        ):  # no second factor yet
            with socket.create_connection(("127.0.0.1", server.port), 10) as link:
                link.sendall(head.format(origin).encode())
                assert link.recv(4096).split(b" ", 2)[1] == wanted, origin


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--log", "loud"], "--log is debug, info, warning or error"),
        (["--port", "70000"], "--port is from 0 to 65535"),
        (["--grace", "-1"], "--grace is not below zero"),
        (["--proxy", "somewhere"], "--proxy 'somewhere' is no address"),
    ],
)
def test_what_serve_cannot_read_is_said_as_by_every_command(
    given: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--data", str(tmp_path), *given]) == 2
    said = capsys.readouterr().err
    assert said.startswith("unread    pitboss serve: ") and words in said and said.count("\n") == 1
    assert main(["serve", "--json", "--data", str(tmp_path), *given]) == 2
    out = json.loads(capsys.readouterr().out)
    assert out["voice"] == "unread" and words in out["error"]


def test_the_coach_reviews_a_practice_table_and_no_other(server: Running, tokens: dict[str, str], played: str) -> None:
    """NSW 19.6, 19.11: no device works out what to do, and nobody advises, where people play for money."""
    pytest.importorskip("numba")
    status, told = server.ask("GET", f"/api/tables/{played}/coach/review?limit=3", token=tokens["player"])
    review = told["review"]
    assert status == 200 and not told["problem"] and {each["round"] for each in review["decisions"]} <= {1, 2, 3}
    assert review["right"] == sum(not each["cost"] for each in review["decisions"])
    for each in review["decisions"]:
        assert each["options"][0]["act"] == each["best"] and each["chosen"] in {one["act"] for one in each["options"]}
    status, told = server.ask("GET", f"/api/tables/{played}/coach", token=tokens["player"])
    assert status == 200 and told == {"advice": [], "review": None, "problem": ""}, "nothing is to be decided"
    house = {"decks": 8, "source": "shoe", "side_bets": [], "date": "2025-03-01"}
    dated = {"id": "o-dated", "table": "dated", "opening": QUICK | {"house": house}}
    assert server.ask("POST", "/api/tables", dated, tokens["supervisor"])[0] == 200
    for path in ("coach", "coach/review"):
        status, told = server.ask("GET", f"/api/tables/dated/{path}", token=tokens["player"])
        assert status == 409 and told["refusal"]["clauses"] == ["19.6", "19.11"], told
