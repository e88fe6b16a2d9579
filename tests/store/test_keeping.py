"""Whoever runs a log keeps its heads: whatever is done to it behind its back, `pitboss log verify` says what, where."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import msgspec
import pytest

from pitboss.cli import main
from pitboss.store import signing
from pitboss.store.keeping import SUCCEED_MS, Keeper, heads_of, key_of, witness_of
from pitboss.store.log import Entry, Head, StoreError
from pitboss.store.moving import opened
from pitboss.store.opening import open_log, path_of
from pitboss.store.signing import SignedHead, keep_head, kept_heads
from pitboss.store.stored import StoredLog
from tests.server.running import Running
from tests.store.behind import entries_of, hashed, put, tamper
from tests.store.making import one

COUNT = 30


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "pitboss"


def test_where_they_are(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert key_of("floor.db") == Path("floor.db.key") and heads_of("sqlite:///a/floor.db") == Path("/a/floor.db.heads")
    address = "postgresql://alice:secret@db.example:5433/floor?schema=two"
    assert key_of(address) == state / "db.example-5433-floor-two.key"
    assert heads_of("postgresql:///floor?host=/run/pg") == state / "run-pg-floor-pitboss.heads"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/alice")
    assert heads_of("postgresql://db/floor") == Path("/alice/.local/state/pitboss/db-floor-pitboss.heads")


@pytest.fixture
def keeper(log: StoredLog, url: str) -> Keeper:
    """A log with thirty entries on as many streams, whose server kept a head after every ten and at the end."""
    found = Keeper(log, url)
    for number in range(COUNT):
        log.append([one(f"table:{number}", 0, command=f"c-{number}")])
        if number % 10 == 9:
            assert found.keep(number) is not None and found.keep(number) is None
    assert found.contradiction() is None
    assert verified(url, 0) == []
    return found


def verified(url: str, code: int) -> list[tuple[int, str]]:
    """What `pitboss log verify` says with no more than the address of the log."""
    import io
    from contextlib import redirect_stdout

    with redirect_stdout(io.StringIO()) as out:
        assert main(["log", "verify", url, "--json"]) == code
    report = json.loads(out.getvalue())
    assert report["heads"] >= 3 or any(fault["kind"] == "signature" for fault in report["faults"])
    return [(fault["seq"], fault["kind"]) for fault in report["faults"]]


def edit(url: str) -> None:
    tamper(url, "UPDATE entries SET by_name = 'bob' WHERE seq = 17")


def delete(url: str) -> None:
    tamper(url, "DELETE FROM entries WHERE seq = 17")


def swap(url: str) -> None:
    first, second = entries_of(url)[11], entries_of(url)[16]
    changed = [msgspec.structs.replace(second, seq=12), msgspec.structs.replace(first, seq=17)]
    tamper(url, "DELETE FROM entries WHERE seq IN (12, 17)", *put(url, changed))


def truncate(url: str) -> None:
    tamper(url, "DELETE FROM entries WHERE seq > 25")


def roll_back(url: str) -> None:
    """To the log as it was, whole, after fifteen entries."""
    tamper(url, "DELETE FROM entries WHERE seq > 15")


def roll_back_and_play_on(url: str) -> None:
    roll_back(url)
    log = open_log(url)
    for number in range(COUNT):
        log.append([one("table:another", number)])
    log.close()


@pytest.mark.parametrize(
    ("done", "wanted"),
    [
        (edit, (17, "altered")),
        (delete, (17, "missing")),
        (swap, (12, "swapped")),
        (truncate, (26, "truncated")),
        (roll_back, (16, "truncated")),
        (roll_back_and_play_on, (20, "rewritten")),
    ],
)
def test_what_is_done_to_a_log_is_told_and_where(
    keeper: Keeper, url: str, done: Callable[[str], None], wanted: tuple[int, str]
) -> None:
    done(url)
    assert verified(url, 1)[0] == wanted


@pytest.mark.parametrize("done", ["nothing", "forged", "foreign", "cut"])
def test_what_is_done_to_a_log_while_it_is_served_is_told_before_its_next_head(url: str, done: str) -> None:
    """Otherwise the next head would be signed over it, and the next server would start after that."""
    with opened(open_log(url)) as log:
        log.sealing.ready()
        keeper = Keeper(log, url)
        for number in range(4):
            log.append([one("table:1", number)])
        assert keeper.lately_altered() is None and keeper.keep(1) is not None
        log.append([one("table:1", 4)])
        assert keeper.lately_altered() is None
        last = entries_of(url)[-1]
        if done == "forged":
            row = msgspec.structs.replace(last, seq=6, version=6, command="", answer=b"")
            tamper(url, *put(url, [msgspec.structs.replace(row, hash=hashed(last.hash, row))]))
        elif done == "cut":
            tamper(url, "DELETE FROM entries WHERE seq > 3")
        elif done == "foreign":
            is_file = path_of(url) is not None
            tamper(
                url,
                "CREATE VIEW mine AS SELECT * FROM entries"
                if is_file
                else "CREATE RULE mine AS ON INSERT TO entries DO ALSO NOTHING",
            )
        said = keeper.lately_altered()
    words = {"forged": "without the key", "cut": "entry 4 is not the one whose head was kept", "foreign": "mine"}
    assert said is None if done == "nothing" else said is not None and words[done] in said


def test_an_older_copy_of_the_whole_file_put_back_is_told(tmp_path: Path) -> None:
    url = str(tmp_path / "log.db")
    log = open_log(url)
    keeper = Keeper(log, url)
    for number in range(COUNT):
        log.append([one("table:1", number)])
        if number % 10 == 9:
            keeper.keep(number)
            log.close()
            if number == 19:
                shutil.copy(url, tmp_path / "old.db")
            log = open_log(url)
            keeper = Keeper(log, url)
    log.close()
    shutil.copy(tmp_path / "old.db", url)
    assert verified(url, 1) == [(21, "truncated")]


@pytest.mark.parametrize(
    ("done", "says"),
    [(truncate, "30, and the log has not come so far"), (roll_back_and_play_on, "20, and the log has another one")],
)
def test_a_server_that_starts_on_such_a_log_says_so(
    keeper: Keeper, url: str, done: Callable[[str], None], says: str
) -> None:
    done(url)
    log = open_log(url)
    again = Keeper(log, url)
    sentence = again.contradiction()
    assert sentence is not None and says in sentence and sentence.endswith(".")
    again.keep(99)
    assert again.contradiction() == sentence, "a new head does not make the old one untrue"
    assert verified(url, 1)
    log.close()


def test_a_head_of_another_key_proves_nothing_to_a_server_but_is_told(keeper: Keeper, url: str, tmp_path: Path) -> None:
    assert keeper.contradiction() is None
    head = signing.Signer(tmp_path / "stranger.key").sign(Head(99, bytes(32)), 1)
    keep_head(head, keeper.path)
    told = keeper.contradiction()
    assert told is not None and "heads were kept with another key" in told and "entry 99" not in told
    assert (99, "signature") in verified(url, 1)


def test_a_server_whose_key_was_lost_says_so(keeper: Keeper, log: StoredLog, url: str) -> None:
    """Whoever puts an older log back may take the key away as well: a new one is made, and the heads have the old."""
    keeper.signer.path.unlink()
    told = Keeper(log, url).contradiction()
    assert told is not None and "another key" in told


def test_key_and_heads_may_be_elsewhere(log: StoredLog, url: str, tmp_path: Path, state: Path) -> None:
    log.append([one("table:1", 0)])
    found = Keeper(log, url, tmp_path / "vault" / "our.key", tmp_path / "far" / "our.heads")
    found.keep(1)
    assert [head.seq for head in kept_heads(tmp_path / "far" / "our.heads")] == [1]
    assert (tmp_path / "vault" / "our.pub").exists() and not heads_of(url).exists() and not key_of(url).exists()
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="say with --key and --heads"):
        Keeper(log, url, tmp_path / "file" / "x" / "our.key")


def test_heads_stand_wider_apart_the_older_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "HEADS_MAX", 20)
    url = str(tmp_path / "log.db")
    log = open_log(url)
    keeper = Keeper(log, url)
    sizes = []
    for number in range(100):
        log.append([one("table:1", number)])
        keeper.keep(number)
        sizes.append(len(kept_heads(keeper.path)))
    assert max(sizes) <= 21
    seqs = [head.seq for head in kept_heads(keeper.path)]
    assert seqs == sorted(seqs) and seqs[0] == 1 and seqs[-5:] == [96, 97, 98, 99, 100]
    assert keeper.contradiction() is None and path_of(url) is not None
    log.close()


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_a_running_server_keeps_heads_by_itself(url: str, tmp_path: Path) -> None:
    data = str(path_of(url)) if path_of(url) is not None else url
    with Running(data) as server:
        assert server.stop() == 0
    heads = kept_heads(heads_of(data))
    assert heads and key_of(data).stat().st_mode & 0o077 == 0
    end = len(entries_of(data))
    assert heads[-1].seq == end, "the last thing that a server does is to keep where its log ends"
    assert main(["log", "verify", data]) == 0
    tamper(data, f"DELETE FROM entries WHERE seq = {end}")
    assert main(["log", "verify", data]) == 1
    said = started(data)
    assert "the log is not the one that it was" in said and "the log has not come so far" in said


def started(data: str) -> str:
    """What a server says that does not start on a log."""
    command = [sys.executable, "-m", "pitboss", "serve", "--port", "0", "--data", data]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert run.returncode == 2 and "The floor is open" not in run.stdout
    return run.stderr


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("heads", ["kept", "missing"])
def test_a_forged_row_with_a_right_hash_is_not_served(url: str, heads: str) -> None:
    data = str(path_of(url)) if path_of(url) is not None else url
    with Running(data) as server:
        assert server.stop() == 0
    last = entries_of(data)[-1]
    body = b'{"name":"mallory","role":"administrator"}'
    row = Entry(last.seq + 1, "people", 1, 0, "", "", "account-created", body, b"", format=3, salt=b"s" * 16)
    row = msgspec.structs.replace(row, version=sum(entry.stream == "people" for entry in entries_of(data)) + 1)
    tamper(data, *put(data, [msgspec.structs.replace(row, hash=hashed(last.hash, row))]))
    if heads == "missing":
        heads_of(data).unlink()
    said = started(data)
    assert f"entry {last.seq + 1} was added without the key of the log" in said and "pitboss log verify" in said
    tamper(data, f"DELETE FROM entries WHERE seq = {last.seq + 1}")
    with Running(data) as server:
        assert server.stop() == 0


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_whoever_cuts_the_log_and_takes_its_heads_away_is_told_by_the_second_folder(
    keeper: Keeper, url: str, log: StoredLog
) -> None:
    truncate(url)
    heads_of(url).unlink()
    assert verified(url, 1)[0] == (26, "truncated")
    told = Keeper(log, url).why_not()
    assert told is not None and "witness" in told and "30, and the log has not come so far" in told


def test_a_log_without_any_head_is_not_called_proven_though_its_key_has_named_the_next(tmp_path: Path) -> None:
    """The public file has a head for each change of keys: one of long ago says nothing of the end (it was cut)."""
    url = str(tmp_path / "log.db")
    with opened(open_log(url)) as log:
        log.sealing.ready()
        keeper = Keeper(log, url)
        log.append([one("table:1", 0)])
        keeper.keep(SUCCEED_MS * 2)
        log.append([one("table:1", 1), one("table:1", 2)])
        keeper.keep(SUCCEED_MS * 2 + 1)
        assert len(signing.succession(keeper.signer.public_path)) == 1
        witness = witness_of(log)
    assert main(["log", "verify", url]) == 0
    for file in (heads_of(url), witness):
        assert file is not None
        file.unlink()
    assert main(["log", "verify", url]) == 1 and main(["log", "verify", url, "--without-heads"]) == 0


def test_a_new_log_in_the_place_of_another_has_heads_of_its_own(tmp_path: Path) -> None:
    url = str(tmp_path / "log.db")
    for _ in range(2):
        log = open_log(url)
        log.append([one("table:1", 0)])
        keeper = Keeper(log, url)
        keeper.keep(1)
        assert keeper.why_not() is None
        log.close()
        for file in tmp_path.iterdir():
            if file.is_file() and not file.name.endswith((".key", ".pub")):
                file.unlink()


class Telling(BaseHTTPRequestHandler):
    """A server that tells a head."""

    head: ClassVar[SignedHead | None] = None

    def do_GET(self) -> None:
        right = self.headers["authorization"] == "Bearer a-token" and self.path == "/api/log/head"
        self.send_response(200 if right else 401)
        self.end_headers()
        if right:
            self.wfile.write(msgspec.json.encode(self.head))

    def log_message(self, *said: object) -> None:
        """Not here."""


def test_a_witness_elsewhere_keeps_heads_and_says_when_one_contradicts_another(
    keeper: Keeper, log: StoredLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "elsewhere.heads")
    with ThreadingHTTPServer(("127.0.0.1", 0), Telling) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        asked = ["log", "witness", f"http://127.0.0.1:{server.server_address[1]}/", file, "--once"]
        assert main(asked) == 2 and "PITBOSS_TOKEN" in capsys.readouterr().err
        monkeypatch.setenv("PITBOSS_TOKEN", "a-token")
        first = keeper.signer.sign(Head(20, list(log.rows())[19][-1]), 1)
        last = keeper.signer.sign(log.head(), 2)
        for head, code in ((first, 0), (last, 0), (last, 0), (first, 1)):
            Telling.head = head
            assert main(asked) == code
        assert "the log ends at entry 20, and ended at 30 before" in capsys.readouterr().err
        assert [head.seq for head in kept_heads(file)] == [20, 30]
        Telling.head = keeper.signer.sign(Head(30, bytes(32)), 3)
        assert main(asked) == 1 and "entry 30 is not the one that it was" in capsys.readouterr().err
        Telling.head = msgspec.structs.replace(last, seq=31)
        assert main(asked) == 2 and "not signed as it says" in capsys.readouterr().err
        server.shutdown()
    assert main(asked) == 2 and "no signed checkpoint available" in capsys.readouterr().err
