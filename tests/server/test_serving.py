"""`pitboss serve`: what it is asked for is checked before it starts, and it says where it is."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.commands.serve import _check_name, _checked_address


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["serve", *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("unread  ") and said.count("\n") == 1 and said.endswith(".\n")
    return said


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--address", "nonsense"),
        ("--address", ""),
        ("--address", "floor.example:8021"),
        ("--address", "ftp://floor.example"),
        ("--address", "http://x:{m}"),
        ("--address", "http://x:99999"),
        ("--address", "http://[x"),
        ("--address", "http://alice@floor.example"),
        ("--address", "https://floor.example/tables"),
        ("--address", "https://floor.example?x=1"),
        ("--name", "https://floor.example"),
        ("--name", "floor.example:8021"),
        ("--name", "bad name"),
        ("--name", ""),
    ],
)
def test_an_address_or_a_name_that_nobody_can_call_is_refused(
    option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"pitboss serve: {option} {value!r} is no " in refused(capsys, "--data", str(tmp_path), option, value)


def test_addresses_and_names_that_are_right() -> None:
    for address in (
        "https://floor.example",
        "http://10.0.0.5:8021",
        "https://floor{n}.example:{port}",
        "http://[::1]:1",
    ):
        assert _checked_address(address) == address
    assert _checked_address("https://floor.example/") == "https://floor.example"
    for name in ("floor.example", "floor-1", "pit_boss", "10.0.0.5", "::1", "FLOOR.example"):
        _check_name(name)


def not_started(*words: str, without: str = "") -> str:
    """What a server says that cannot start, in a process of its own: it sets up logging for all that follows."""
    hide = f"sys.modules[{without!r}] = None; " if without else ""
    program = f"import sys; {hide}from pitboss.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "serve", "--port", "0", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("unread  ") and done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("host", ["300.1.1.1", "192.0.2.1"])
def test_a_host_that_is_none_of_this_machine(host: str, tmp_path: Path) -> None:
    said = not_started("--data", str(tmp_path), "--host", host)
    assert f"pitboss serve: {host}: " in said and said.endswith("; choose another with --host.\n")


@pytest.mark.parametrize("address", ["postgresql://[bad", "postgresql://alice:secret"])
def test_an_address_of_a_log_that_cannot_be_read(address: str) -> None:
    said = not_started("--data", address)
    assert "this address cannot be read" in said and "secret" not in said


@pytest.mark.parametrize("package", ["argon2", "litestar"])
def test_what_is_not_installed_is_named_with_its_extra(package: str, tmp_path: Path) -> None:
    said = not_started("--data", str(tmp_path), without=package)
    assert f"the server needs more packages ({package}" in said and said.endswith("install pitboss[web].\n")


def opened(tmp_path: Path, *words: str) -> str:
    """What a server says first, which is then stopped."""
    command = [sys.executable, "-m", "pitboss", "serve", "--data", str(tmp_path), "--port", "0", "--empty"]
    server = subprocess.Popen(
        [*command, "--log", "error", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    server.send_signal(signal.SIGTERM)
    _, said = server.communicate(timeout=30)
    assert line, said
    return line


def test_it_says_how_it_is_reached_and_where_it_listens(tmp_path: Path) -> None:
    told: dict[str, Any] = json.loads(opened(tmp_path, "--json"))
    assert told["public"] is None and told["address"] == told["local"]
    public = ("--address", "https://floor.example:844{n}", "--proxy", "127.0.0.1")
    told = json.loads(opened(tmp_path, "--json", *public))
    assert told["public"] == "https://floor.example:8441" and told["address"].startswith("http://localhost:")
    line = opened(tmp_path, *public)
    assert line.startswith("The floor is open at https://floor.example:8441, and listens at http://localhost:")
    line = opened(tmp_path, "--host", "0.0.0.0", *public)
    assert ", and listens at http://0.0.0.0:" in line and ", and for this machine at http://localhost:" in line


def test_a_key_that_was_lost_is_told_before_anything_is_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    record, log = tmp_path / "case.floor", tmp_path / "floor.db"
    record.write_text(
        'title = "x"\nrulebook = "nsw-pontoon"\nbegins = 2027-02-20T20:00:00\n'
        'acts = ["20:00 t1: alice sits at 1"]\n[tables.t1]\n'
    )
    assert main(["floor", str(record), "--keep", str(log)]) == 0
    capsys.readouterr()
    monkeypatch.setenv("PITBOSS_SEAL_KEY_FILE", str(tmp_path / "another.key"))
    assert "bring it back from where it is kept" in refused(capsys, "--data", str(log), "--port", "0", "--log", "error")
