"""The door of the command line: help at once, one clear sentence for bad usage, and a traceback for nobody."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss import cli
from pitboss.cli import COMMANDS, Command, main

LEAVES = [*(command for command in COMMANDS if command.path), *(inner for outer in COMMANDS for inner in outer.under)]
HEAVY = ("cyclopts", "rich", "attrs", "msgspec", "pitboss.table", "pitboss.records", "pitboss.commands", "numpy")


def pitboss(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pitboss", *words],
        env={**os.environ, **environment}, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["record", "--help"]])
def test_help_fits_eighty_columns(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert all(len(line) <= 80 for line in printed.out.splitlines())
    assert printed.out.startswith("Usage: pitboss")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    printed = capsys.readouterr().out
    for command in COMMANDS:
        assert f"  {command.name} " in printed and command.summary in printed


def test_help_imports_nothing_that_takes_time() -> None:
    """The measure in seconds is in benchmarks/engine; what costs the seconds is checked here."""
    code = "import sys; from pitboss.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    loaded = run.stderr.split()
    assert "pitboss.cli" in loaded
    assert [name for name in loaded if name.startswith(HEAVY)] == []


@pytest.mark.parametrize("command", LEAVES, ids=lambda command: command.name)
def test_every_command_exists_and_takes_json(command: Command) -> None:
    module, _, name = command.path.partition(":")
    function = getattr(importlib.import_module(module), name)
    assert "json" in inspect.signature(function).parameters
    assert inspect.getdoc(function)


@pytest.mark.parametrize("command", LEAVES, ids=lambda command: command.name)
def test_every_command_has_help(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    outer = [outer.name for outer in COMMANDS if command in outer.under]
    chain = [*outer, command.name]
    assert main([*chain, "--help"]) == 0
    assert f"Usage: pitboss {' '.join(chain)}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pley"], "pitboss: no command 'pley'. Did you mean play?"),
        (["RULES"], "pitboss: no command 'RULES'. Did you mean rules?"),
        (["zzz"], f"pitboss: no command 'zzz'. Known: {', '.join(command.name for command in COMMANDS)}."),
        (["--hepl"], "pitboss: no option '--hepl'. Did you mean --help?"),
        (["record"], "pitboss record: a command is missing. Known: explain, convert."),
        (["record", "explian"], "pitboss record: no command 'explian'. Did you mean explain?"),
        (["version", "x"], "pitboss version: 'x' is one argument too many. Try `pitboss version --help`."),
        (
            ["version", "--jsn"],
            "pitboss version: no option --jsn. Did you mean --json?",
        ),
        (["play", "--seed"], "pitboss play: --seed needs a value. Try `pitboss play --help`."),
        (["diff"], "pitboss diff: "),
        (["rules", "--json=maybe"], "pitboss rules: "),
    ],
)
def test_bad_usage_is_told_in_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("unread    " + sentence)
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("words", [["version"], ["--version"]])
def test_version_for_people(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("pitboss 0.")


def test_version_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version", "--json"]) == 0
    assert capsys.readouterr().out.startswith('{"pitboss":"0.')


def failing(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    """Let `pitboss version` fail with this."""

    def version(*, json: bool = False) -> int:
        raise fault

    monkeypatch.setattr(cli, "version", version)


def test_a_fault_of_ours_is_called_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("PITBOSS_DEBUG", raising=False)
    failing(monkeypatch, ZeroDivisionError("by zero"))
    assert main(["version"]) == 3
    printed = capsys.readouterr().err
    (details,) = tmp_path.glob("pitboss-fault-*.txt")
    assert printed == (
        "broken    pitboss version: ZeroDivisionError: by zero: this is a fault in Pitboss, please report it. "
        f"Details: {details}\n"
    )
    assert "Traceback" in details.read_text() and "$ pitboss version" in details.read_text()


def test_what_is_kept_of_a_fault_has_no_password(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for word in ("postgresql://alice:secret@db/floor", "--data=postgresql://alice:secret@db/floor"):
        cli._keep_details(["serve", word], ZeroDivisionError())
    for details in tmp_path.glob("pitboss-fault-*.txt"):
        assert "postgresql://alice@db/floor" in details.read_text() and "secret" not in details.read_text()


RULEBOOK_WORDS = [
    ["adjudicate", "{}", "cut-missed"],
    ["clauses", "{}", "5.1"],
    ["diff", "{}", "adelaide-pontoon-2008"],
    ["drill", "{}", "--rounds", "1", "--seed", "1", "--json"],
    ["edge", "{}", "--quick", "--json"],
    ["rules", "{}"],
    ["side-bets", "{}"],
    ["simulate", "{}", "--rounds", "1000", "--seed", "1", "--json"],
    ["strategy", "{}"],
    ["par", "{}", "--json"],
    ["what-if", "{}", "--vary", "decks", "--values", "8"],
    ["what-if", "adelaide-pontoon-2008", "{}", "--json"],
]


@pytest.mark.parametrize("words", RULEBOOK_WORDS, ids=lambda words: " ".join(words))
def test_a_rulebook_is_known_however_it_is_written(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    computed = words[0] in ("edge", "par", "simulate", "strategy", "what-if")
    spelled = ("nsw-pontoon", "Nsw pontoon", "NSW-PONTOON", "nsw_pontoon")
    for name in spelled[: 2 if computed else 4]:
        code = main([word.format(name) for word in words])
        answers.append((code, capsys.readouterr().out))
    assert answers[0][0] in (0, 1) and answers[0][1]
    assert all(answer == answers[0] for answer in answers)


def test_a_traceback_is_printed_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("PITBOSS_DEBUG", "1")
    failing(monkeypatch, ZeroDivisionError("by zero"))
    assert main(["version"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_a_fault_is_told_even_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    failing(monkeypatch, ZeroDivisionError())
    assert main(["version"]) == 3
    assert "Details could not be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fault", "code", "told"),
    [
        (KeyboardInterrupt(), 130, "stopped   interrupted from the keyboard.\n"),
        (BrokenPipeError(), 141, ""),
        (
            FileNotFoundError(2, "No such file or directory", "a.round"),
            2,
            "unread    a.round: no such file or directory.\n",
        ),
        (
            OSError(28, "No space left on device"),
            2,
            "unwritten  the output could not be written: no space left on device.\n",
        ),
        (IsADirectoryError(21, "Is a directory", b"rounds"), 2, "unread    rounds: is a directory.\n"),
    ],
    ids=["interrupt", "pipe", "file", "full", "folder"],
)
def test_the_world_goes_wrong(
    fault: BaseException, code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "_forget", lambda stream: None)
    failing(monkeypatch, fault)
    assert main(["version"]) == code
    assert capsys.readouterr().err == told


def test_what_the_reader_wrote_is_the_readers_business(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pitboss.basics.cards import CardError

    failing(monkeypatch, CardError("'1x' is not a card"))
    assert main(["version"]) == 2
    assert capsys.readouterr().err == "unread    '1x' is not a card\n"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["rules", "nsw-ponton"], 2, "unread"),
        (["diff", "nsw-pontoon", "nowhere"], 2, "unread"),
        (["clauses", "nsw-pontoon", "99.99"], 2, "unread"),
        (["play", "nsw-pontoon", "--save", "evening.txt"], 2, "unread"),
        (["record", "explain", "nothing.round"], 2, "unread"),
        (["rules", "nsw-pontoon", "--decks", "5"], 2, "refused"),
        (["version", "x"], 2, "unread"),
        (["record", "explian"], 2, "unread"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_programs_find_an_error_as_one_object(
    words: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """People read it from the other stream, in the words they always read."""
    assert main([*words, "--json"]) == code
    printed = capsys.readouterr()
    (line,) = printed.out.splitlines()
    found = json.loads(line)
    assert found["voice"] == told
    assert printed.err == f"{told:<8}  {found['error']}\n"


def test_people_find_no_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "nsw-ponton"]) == 2
    assert capsys.readouterr().out == ""


def test_every_error_with_a_voice_exists() -> None:
    """Voices are given by name, so a renamed error would otherwise become a fault of ours."""
    from tests.project.sources import modules

    defined = {node.name for tree in modules().values() for node in tree.body if hasattr(node, "name")}
    assert set(cli.VOICES) <= defined


@pytest.mark.parametrize("words", [["clauses", "nsw-pontoon"], ["--help"], ["play", "--help"]], ids=" ".join)
def test_a_closed_pipe_is_no_complaint(words: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pitboss", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
        assert process.wait(timeout=60) == 141
    assert complaint == b""


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("clauses nsw-pontoon >/dev/full", "unwritten  the output could not be written: no space left on device.\n"),
        ("--help >/dev/full", "unwritten  the output could not be written: no space left on device.\n"),
        ("rules nsw-pontoon >&-", "unwritten  the output could not be written: standard output is closed.\n"),
        ("play nsw-pontoon <&-", "unread    pitboss play: the input could not be read: standard input is closed.\n"),
        ("play zz 2>/dev/full", ""),
        ("play zz 2>&-", ""),
    ],
)
def test_streams_that_cannot_be_used_are_no_fault_of_ours(call: str, told: str) -> None:
    run = subprocess.run(
        ["sh", "-c", f"exec {shlex.quote(sys.executable)} -m pitboss {call}"],
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert run.returncode == 2 and run.stderr == told


def test_a_terminal_without_suits_gets_question_marks() -> None:
    code = "import sys; from pitboss import cli; cli._print_what_can_be_printed(); print(chr(0x2660))"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert run.stdout == b"?\n"


def test_interrupting_the_program_leaves_one_sentence() -> None:
    code = "import os, signal; from pitboss import cli; cli.version = lambda: os.kill(os.getpid(), signal.SIGINT); "
    code += "raise SystemExit(cli.main(['--version']))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert run.returncode == 128 + signal.SIGINT
    assert run.stderr == "stopped   interrupted from the keyboard.\n"


def test_python_dash_m_is_the_same_door() -> None:
    assert pitboss("--help").stdout.strip() == cli.help_text()
