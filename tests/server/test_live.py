"""The socket against a real server: acts and updates, reconnecting, bad messages, limits, and goodbye."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.hammering import Hammer, check
from tests.server.running import Client, Running

PERSON = {"rulebook": "nsw-pontoon", "dealer": "person"}
TRIED = ("cut", "unheard", "twice", "two sockets", "again", "refused")
STAFF = ("dealer", "supervisor", "inspector", "gaming-manager", "tournament-manager")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("floor")) as running:
        yield running


@pytest.fixture(scope="module")
def staff(server: Running) -> dict[str, str]:
    return {role: server.guest(role=role) for role in ("dealer", "supervisor", "inspector")}


def a_table(server: Running, staff: dict[str, str], name: str) -> str:
    status, answer = server.ask(
        "POST", "/api/tables", {"id": f"open-{name}", "table": name, "opening": PERSON}, staff["supervisor"]
    )
    assert status == 200, answer
    return name


async def prepared(dealer: Client, supervisor: Client, table: str) -> None:
    assert (await dealer.act(table, {"act": "Shuffle"}))["is"] == "accepted"
    assert (await supervisor.act(table, {"act": "Cut", "player": "supervisor", "depth": 100}))["is"] == "accepted"
    assert (await dealer.act(table, {"act": "PlaceCuttingCard", "from_back": 60}))["is"] == "accepted"


async def test_a_round_over_the_socket(server: Running, staff: dict[str, str]) -> None:
    table = a_table(server, staff, "round")
    async with (
        server.socket(server.guest("rita")) as one,
        server.socket(staff["dealer"]) as two,
        server.socket(staff["supervisor"]) as three,
    ):
        player, dealer, supervisor = Client(one), Client(two), Client(three)
        for client in (player, dealer):
            first = await client.watch(table)
            assert first["version"] == 1 and first["view"]["phase"] == "wagers" and first["events"] == []
        assert dealer.updates[table]["legal"] == [{"act": "Shuffle"}]
        assert dealer.updates[table]["prompt"]["text"] == "Shuffle the cards."
        assert "prompt" not in player.updates[table]
        await prepared(dealer, supervisor, table)
        assert (await player.act(table, {"act": "PlaceWager", "box": 2, "cents": 1000}))["is"] == "accepted"
        refused = await player.act(table, {"act": "PlaceWager", "box": 2, "cents": 1})
        assert refused["is"] == "refused" and refused["refusal"]["clauses"]
        denied = await player.act(table, {"act": "Deal"})
        assert denied["is"] == "denied"
        dealt = await dealer.act(table, {"act": "Deal"})
        assert dealt["is"] == "accepted"
        await player.until(lambda: player.updates[table]["version"] >= dealt["version"])
        for _ in range(20):
            update = player.updates[table]
            if update["view"]["phase"] == "wagers":
                break
            if update["waiting"]["what"] in ("insurance", "surrender"):
                done = await dealer.act(table, {"act": f"Close{update['waiting']['what'].title()}"})
            else:
                names = [each["act"] for each in update["legal"]]
                done = await player.act(table, {"act": "Stand" if "Stand" in names else names[0], "box": 2})
            assert done["is"] == "accepted", done
            await player.reaches(table, done["version"])
        assert player.updates[table]["round"] == 2
        assert "net_cents" in player.updates[table]["mine"]
        await dealer.until(lambda: dealer.updates[table]["version"] == player.updates[table]["version"])
        assert player.events == dealer.events, "all are told the same, in the same order"
        assert [event[:2] for event in player.events] == sorted(event[:2] for event in player.events)
        assert "rita" not in str(dealer.updates[table]["mine"])


async def test_whoever_comes_back_is_told_what_he_missed(server: Running, staff: dict[str, str]) -> None:
    table = a_table(server, staff, "back")
    token = server.guest("resi")
    async with server.socket(token) as one, server.socket(staff["dealer"]) as other:
        client, dealer = Client(one), Client(other)
        await client.watch(table)
        for box in (1, 2, 3):
            await client.act(table, {"act": "TakeSeat", "box": box})
        await client.until(lambda: client.updates[table]["version"] == 4)
        await dealer.watch(table)
    async with server.socket(token) as one:
        client = Client(one)
        for box in (4, 5):
            await client.act(table, {"act": "TakeSeat", "box": box})
        update = await client.watch(table, after=2)
        assert [event[0] for event in client.events] == [3, 4, 5, 6] and update["missed"] == 0
        update = await client.watch(table, after=99_999)
        assert update["events"] == [] and update["version"] == 6
        update = await client.watch(table, after=0)
        assert [each["version"] for each in update["events"]] == [2, 3, 4, 5, 6]


async def test_events_that_are_no_longer_at_hand_come_from_the_log(server: Running, staff: dict[str, str]) -> None:
    table = a_table(server, staff, "long")
    async with server.socket(server.guest("rudi")) as one:
        client = Client(one)
        for turn in range(150):
            await client.act(table, {"act": "TakeSeat", "box": turn % 2 + 1})
        update = await client.watch(table, after=1)
        assert [each["version"] for each in update["events"]] == list(range(2, 152))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("{", "not JSON"),
        ("[]", "not of the right form"),
        ('{"do":"fly"}', "not of the right form"),
        ('{"do":"act","table":"bad","act":{}}', "needs an id"),
        ('{"do":"act","table":"bad","id":"1","act":{}}', 'its name in "act"'),
        ('{"do":"act","table":"bad","id":"1","act":{"act":"Hitt"}}', "did you mean Hit"),
        ('{"do":"act","table":"bad","id":"1","act":{"act":"Hit","box":"x"}}', "expected"),
        ('{"do":"act","table":"bad","id":"1","act":{"act":"Shuffle","order":["As"]}}', "order"),
        ('{"do":"act","table":"bad","id":"1","act":{"act":"BuyChips","cents":99999999999999999999}}', "too large"),
        ("[" * 5000, "not "),
        ('"\\ud800"', "not "),
    ],
)
async def test_what_cannot_be_read_is_told_in_one_sentence(
    server: Running, staff: dict[str, str], message: str, said: str
) -> None:
    async with server.socket(staff["inspector"]) as one:
        client = Client(one)
        await one.send(message)
        await client.until(lambda: client.others)
        assert client.others[0]["is"] == "error" and said in client.others[0]["text"], client.others
        await client.say(do="ping")
        await client.until(lambda: {"is": "pong"} in client.others)


async def test_bytes_that_are_no_text_and_unknown_tables(server: Running, staff: dict[str, str]) -> None:
    async with server.socket(staff["inspector"]) as one:
        client = Client(one)
        await one.send(b"\xff\xfe\x00")
        await client.say(do="watch", table="nowhere", id="w")
        await client.say(do="unwatch", table="nowhere")
        await client.say(do="pass", table="nowhere")
        await client.say(do="unpass", table="nowhere")
        await client.until(lambda: len(client.others) >= 2)
        assert client.others[0]["is"] == "error"
        assert client.others[1]["answer"]["is"] == "unknown"


async def test_a_message_that_is_too_long_closes_the_socket(server: Running, staff: dict[str, str]) -> None:
    async with server.socket(staff["inspector"]) as one:
        with pytest.raises(ConnectionClosed) as closed:
            await one.send("x" * 100_000)
            await asyncio.wait_for(one.recv(), 5)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


async def test_nobody_comes_in_without_a_session_or_from_another_site(server: Running, staff: dict[str, str]) -> None:
    for token, origin in (("", None), ("nonsense", None), (staff["inspector"], "http://elsewhere.example")):
        with pytest.raises(InvalidStatus):
            async with server.socket(token, origin=origin):
                raise AssertionError("came in")


async def test_a_session_that_ends_takes_its_sockets_with_it(server: Running) -> None:
    token = server.guest("lena")
    async with server.socket(token) as one:
        client = Client(one)
        await client.watch("nsw-pontoon")
        assert server.ask("POST", "/api/logout", {}, token)[0] in (200, 201, 204)
        await client.until(lambda: client.lost, 15)
        assert any(said["is"] == "gone" for said in client.others)


async def test_whoever_sends_too_fast_is_slowed_down_and_loses_nothing(server: Running) -> None:
    async with server.socket(server.guest("hana")) as one:
        client = Client(one)
        began = time.monotonic()
        for _ in range(120):
            await client.say(do="ping")
        await client.until(lambda: len(client.others) == 120)
        assert all(said == {"is": "pong"} for said in client.others)
        assert time.monotonic() - began > 2, "60 at once, then 20 a second"


async def test_a_client_who_does_not_read_costs_nothing_and_gets_the_newest(server: Running, staff: Any) -> None:
    table = a_table(server, staff, "slow")
    async with server.socket(staff["inspector"]) as slow, server.socket(server.guest("sven")) as quick:
        await slow.send('{"do":"watch","table":"slow"}')
        await asyncio.sleep(0.2)
        slow.transport.pause_reading()
        client = Client(quick)
        for turn in range(40):
            await client.act(table, {"act": "TakeSeat", "box": turn % 7 + 1})
        slow.transport.resume_reading()
        reader = Client(slow)
        await reader.until(lambda: reader.updates.get(table, {}).get("version") == 41)


async def enough(hammer: Hammer) -> None:
    """Until much has happened; on a machine that has other things to do, for twelve seconds."""
    end = time.monotonic() + 12
    while time.monotonic() < end:
        await asyncio.sleep(0.2)
        furthest = max(hammer.people, key=lambda person: person.seen)
        if furthest.seen > 300 and furthest.now["round"] > 5 and all(hammer.counts[what] for what in TRIED):
            return


@pytest.mark.parametrize("face_down", [False, True])
async def test_64_clients_at_one_table(tmp_path: Path, face_down: bool) -> None:
    """Players, dealers, supervisors and those who look on play rounds, repeat themselves, are cut off and come back.

    Each act is done once, everybody is told the same in the same order with nothing left out, money is conserved, and
    nobody is sent a card that he may not see.
    """
    with Running(tmp_path, "--empty") as server:
        supervisor = server.guest(role="supervisor")
        status, answer = server.ask("POST", "/api/tables", {"id": "1", "table": "busy", "opening": PERSON}, supervisor)
        assert status == 200, answer
        if face_down:
            server.deal_face_down("busy")
        tokens = {f"mina{number}": server.guest(f"mina{number}") for number in range(44)}
        staff = [(role, server.guest(role=role)) for role in STAFF for _ in range(4)]
        hammer = Hammer([server], ["busy"], tokens, staff=staff, pause=0.04)
        assert len(hammer.people) == 64
        await hammer.run(0, enough(hammer))
    sizes = check(str(tmp_path / "pitboss.db"), hammer)
    counts = hammer.counts
    assert sizes["busy"] > 60 and counts["rounds"], f"little happened: {sizes}, {counts}"
    for what in TRIED:
        assert counts[what], f"nobody tried this: {what}"
    if not face_down:
        shortest = max(person.joined or 0 for person in hammer.people)
        stories = {tuple(each for each in person.told if each[0] > shortest) for person in hammer.people}
        assert len(stories) == 1, "64 clients were told several stories"


def test_stopping_lets_the_round_end_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with Running(tmp_path, "--grace", "10") as server:
        assert server.ask("GET", "/readyz")[0] == 200
        assert server.stop() == 0
    with Running(tmp_path) as again:
        assert again.ask("GET", "/healthz")[0] == 200
        taken = f"{again.port}"
        with pytest.raises(RuntimeError, match="another server has this log open"):
            Running(tmp_path)
        with pytest.raises(RuntimeError, match="address already in use"):
            Running(tmp_path / "other", port=int(taken))
        assert (tmp_path / "pitboss.db").exists()
