"""`pitboss log`: exit codes, one sentence when something is wrong, one JSON object on request."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from tests.store.behind import tamper
from tests.store.making import fill
from tests.store.servers import execute, postgres


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A log of 25 entries, in the working directory."""
    monkeypatch.chdir(tmp_path)
    log = open_log("floor.db")
    fill(log, 25)
    log.close()
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["log", *words]) == code, capsys.readouterr()
    printed = capsys.readouterr()
    if code == 2:
        assert printed.out == "" and printed.err.count("\n") == 1 and printed.err.startswith(("unread  ", "unwritten"))
        return printed.err
    made = [line for line in printed.err.splitlines() if line.startswith("new key ") and "head" in words]
    assert printed.err.splitlines() == made and len(made) <= 1
    return printed.out


def test_a_sound_log(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "verify", "floor.db")
    assert "floor.db: sound." in text and "25 entries with 50 events" in text and "no signed checkpoint" in text
    found = json.loads(said(capsys, "verify", "floor.db", "--json"))
    assert found["sound"] and (found["entries"], found["events"], found["faults"]) == (25, 50, [])
    assert found["events_per_second"] > 0


def test_a_damaged_log(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper("floor.db", "UPDATE entries SET by_name = 'bob' WHERE seq = 7")
    text = said(capsys, "verify", "floor.db", code=1)
    assert text.startswith("altered     entry 7 is not what was written") and "floor.db: damaged." in text
    found = json.loads(said(capsys, "verify", "floor.db", "--json", code=1))
    assert not found["sound"] and [(fault["seq"], fault["kind"]) for fault in found["faults"]] == [(7, "altered")]


def test_more_damage_than_is_told(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = open_log("big.db")
    fill(log, 120)
    log.close()
    tamper("big.db", "UPDATE entries SET by_name = 'bob'")
    assert "and 70 more" in said(capsys, "verify", "big.db", code=1)


def test_a_kept_head(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    signed = json.loads(said(capsys, "head", "floor.db", "--keep", "elsewhere.heads", "--json"))
    assert signed["seq"] == 25 and Path("floor.db.pub").read_text().strip() == signed["key"]
    assert "entry      25" in said(capsys, "head", "floor.db", "--keep", "floor.db.heads")
    assert "Checked against 2 signed checkpoints." in said(capsys, "verify", "floor.db", "--head", "elsewhere.heads")
    tamper("floor.db", "DELETE FROM entries WHERE seq > 20")
    assert "entries 21 to 25 are missing" in said(capsys, "verify", "floor.db", code=1)
    Path("floor.db.heads").unlink()
    assert "sound" in said(capsys, "verify", "floor.db")
    for key in (signed["key"], "floor.db.pub"):
        text = said(capsys, "verify", "floor.db", "--head", "elsewhere.heads", "--key", key, code=1)
        assert text.startswith("truncated")
    assert "signed with another key" in said(
        capsys, "verify", "floor.db", "--head", "elsewhere.heads", "--key", "00" * 32, code=1
    )
    assert "not a public key" in said(capsys, "verify", "floor.db", "--key", "floor.db", code=2)


def test_a_new_key_is_not_made_in_silence(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "head", "floor.db", "--key", "new/x.key"]) == 0
    assert capsys.readouterr().err == (
        "new key   new/x.key: there was no key, so one was made; give new/x.pub to whoever verifies.\n"
    )
    assert main(["log", "head", "floor.db", "--key", "new/x.key"]) == 0
    assert capsys.readouterr().err == ""
    assert "this is a folder" in said(capsys, "head", "floor.db", "--key", "new", code=2)


def test_every_command_takes_the_folder_of_a_floor(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("house").mkdir()
    Path("floor.db").rename("house/pitboss.db")
    assert "house/pitboss.db: sound." in said(capsys, "verify", "house")
    assert "entry      25" in said(capsys, "head", "house", "--keep", "house/pitboss.db.heads")
    assert "Checked against 1 signed checkpoint." in said(capsys, "verify", "house/"), "its heads are beside it"
    assert "25 entries from house/pitboss.db" in said(capsys, "export", "house", "floor.jsonl")
    assert "25 entries from house/pitboss.db" in said(capsys, "backup", "house", "kept.db")
    for words in (("import", "floor.jsonl"), ("restore", "kept.db"), ("restore", "house")):
        new = Path("-".join(words).replace(".", "-"))
        new.mkdir()
        assert f"to {new}/pitboss.db" in said(capsys, *words, str(new))
        assert "nothing is overwritten" in said(capsys, *words, str(new), code=2)
        assert "25 entries" in said(capsys, "verify", f"sqlite://{new.absolute()}")


@pytest.mark.parametrize("place", [".", "/", "", " ", "empty", "/dev/null", "sqlite:///"])
@pytest.mark.parametrize("words", [("verify",), ("head",), ("export", "x.jsonl"), ("backup", "x.db")])
def test_what_is_no_log(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    place: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    text = said(capsys, words[0], place, *words[1:], code=2)
    assert any(word in text for word in ("there is no log", "no log is named", "it is no log", "write sqlite:///"))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty"], "nothing was made"


def test_out_and_in(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "exported: 25 entries" in said(capsys, "export", "floor.db", "floor.jsonl")
    moved = json.loads(said(capsys, "import", "floor.jsonl", "moved.db", "--json"))
    assert moved["entries"] == 25
    kept = json.loads(said(capsys, "backup", "moved.db", "kept.db", "--json"))
    restored = json.loads(said(capsys, "restore", "kept.db", "again.db", "--json"))
    assert moved["hash"] == kept["hash"] == restored["hash"]
    assert "exported: 25 entries" in said(capsys, "export", "again.db", "floor.parquet")
    for words in (
        ("export", "floor.db", "floor.jsonl"),
        ("export", "floor.db", "floor.parquet"),
        ("import", "floor.jsonl", "moved.db"),
        ("backup", "floor.db", "kept.db"),
        ("restore", "kept.db", "again.db"),
    ):
        assert "nothing is overwritten" in said(capsys, *words, code=2)


def test_through_a_pipe(
    floor: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["log", "export", "floor.db", "-"]) == 0
    sys.stdout.flush()
    text = capfdbinary.readouterr().out
    Path("floor.jsonl").write_bytes(text)
    with Path("floor.jsonl").open() as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        assert main(["log", "import", "-", "moved.db"]) == 0
    moved = open_log("moved.db", read_only=True)
    assert verify(moved).is_sound and moved.head().seq == 25
    moved.close()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("verify", "nothing.db"), "there is no such log."),
        (("verify", "floor.db", "--head", "nothing"), "nothing: no such file or directory."),
        (("verify", "floor.db", "--head", "floor.db"), "not a signed checkpoint"),
        (("verify", "floor.db", "--head", "empty.heads"), "empty.heads: there is no signed checkpoint in this file;"),
        (("verify", "postgresql://[x"), "postgresql://[x: this address cannot be read;"),
        (("restore", "floor.db", "postgresql://[x"), "postgresql://[x: this address cannot be read;"),
        (("verify", "notes.txt"), "this is not a log of Pitboss."),
        (("verify", "mysql://x"), "no such kind of log"),
        (("head", "postgresql://nobody@/x?host=/nowhere"), "the server cannot be reached"),
        (("export", "floor.db", "missing/x.jsonl"), "there is no directory missing"),
        (("export", "floor.db", "."), "this is a folder; give the name of the new file."),
        (("backup", "floor.db", ""), "this is a folder; give the name of the new file."),
        (("import", "notes.txt", ""), "no log is named"),
        (("export", "floor.db", "--jsn"), "--jsn: no such option"),
        (("import", "--jsn", "new.db"), "--jsn: no such option"),
        (("import", "notes.txt", "new.db"), "notes.txt:1: this is not an exported log"),
        (("import", "nothing", "new.db"), "nothing: no such file or directory."),
        (("restore", "notes.txt", "new.db"), "this is not a log of Pitboss."),
        (("restore", "nothing", "new.db"), "there is no such log."),
    ],
)
def test_what_cannot_be_read(
    floor: Path, words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("notes.txt").write_text("no log at all\n" * 50)
    Path("empty.heads").touch()
    assert sentence in said(capsys, *words, code=2)
    assert not Path("new.db").exists()


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet"])
def test_a_damaged_log_is_exported_as_it_is_and_not_in_silence(
    floor: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert json.loads(said(capsys, "export", "floor.db", f"sound-{name}", "--json"))["sound"]
    tamper("floor.db", "UPDATE entries SET by_name = 'bob' WHERE seq = 7")
    assert main(["log", "export", "floor.db", name, "--json"]) == 1
    printed = capsys.readouterr()
    assert Path(name).exists() and not json.loads(printed.out)["sound"]
    assert printed.err.startswith("damaged   floor.db: exported as it is: entry 7 is not what was written")
    assert printed.err.count("\n") == 1 and printed.err.endswith("see `pitboss log verify`.\n")


def test_a_damaged_log_through_a_pipe(floor: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    tamper("floor.db", "UPDATE entries SET by_name = 'bob' WHERE seq = 7")
    assert main(["log", "export", "floor.db", "-"]) == 1
    printed = capfdbinary.readouterr()
    assert printed.out.count(b"\n") == 27 and printed.err.startswith(b"damaged   floor.db")


def test_no_command_shows_the_password(
    floor: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(floor / "state"))
    schema = f"hidden_{os.getpid()}"
    host = dict(pair.split("=") for pair in postgres().partition("?")[2].split("&"))["host"]
    address = f"postgresql://postgres:right@/postgres?host={host}&schema={schema}"
    try:
        texts = [
            said(capsys, "restore", "floor.db", address),
            said(capsys, "verify", address),
            said(capsys, "verify", address, "--json"),
            said(capsys, "backup", address, "kept.db"),
            said(capsys, "export", address, "floor.jsonl", "--json"),
        ]
    finally:
        execute(address, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
    for text in texts:
        assert "right" not in text and f"postgresql://postgres@/postgres?host={host}&schema={schema}" in text


def test_progress_is_shown_on_a_terminal(
    floor: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["log", "verify", "floor.db"]) == 0
    printed = capsys.readouterr()
    assert "verified 25 entries" in printed.err and "sound" in printed.out
