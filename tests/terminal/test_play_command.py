"""`pitboss play` from the outside: options, exit codes, pipes, and the five games in a menu."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.records import read, replay
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table.house import default_house
from pitboss.terminal.keys import Keys
from pitboss.terminal.opening import ChoiceError, arranged_cards, own_boxes

CARDS = "Ks 7h 9d Qc"


def pitboss(*words: str, said: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    data = said if isinstance(said, bytes) else said.encode()
    return subprocess.run(
        [sys.executable, "-m", "pitboss", *words],
        input=data, env={**os.environ, **environment}, capture_output=True, timeout=60,
    )  # fmt: skip


def test_a_round_through_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "a.round"
    run = pitboss("play", "nsw-pontoon", "--cards", CARDS, "--save", str(file), said="25\ndeal\nstand\n")
    assert run.returncode == 0 and run.stderr == b""
    assert b"BYE rounds=1 seed=" in run.stdout and b"SAVED" in run.stdout and b"\x1b" not in run.stdout
    again = pitboss("replay", str(file))
    assert again.returncode == 0 and b"holds: alice $25.00" in again.stdout


@pytest.mark.clause("nsw-pontoon", "17.16.2", "17.16.3")
def test_a_card_that_does_not_belong_plays_as_in_a_record(tmp_path: Path) -> None:
    file = tmp_path / "a.round"
    run = pitboss("play", "nsw-pontoon", "--cards", "6s 9h 5d Ts 8c", "--save", str(file), said="25\ndeal\nstand\n")
    assert run.returncode == 0 and b"the round is void: a card is foreign (NSW pontoon 17.16.2" in run.stdout
    assert read(file).stacks == (("6s", "9h", "5d", "Ts"),) and replay(read(file)).table.net == {"alice": 0}


def test_the_same_seed_gives_the_same_lines() -> None:
    said = "cut\n10\ndeal\n" + "stand\nno\n" * 5
    first, second = (pitboss("play", "canberra-pontoon-2005", "--seed", "7", said=said) for _ in range(2))
    assert first.stdout == second.stdout and b"seed=7" in first.stdout


def test_json_lines_through_a_pipe() -> None:
    run = pitboss(
        "play", "nsw-pontoon", "--json", "--cards", CARDS, "--name", "dave", "--boxes", "3", said="25\ndeal\n"
    )
    items = [json.loads(line) for line in run.stdout.splitlines()]
    assert items[0]["type"] == "table" and items[0]["own_boxes"] == [3] and items[0]["player"] == "dave"
    assert items[-1]["type"] == "bye" and items[-1]["in_round"] is True


def test_the_menu_through_a_pipe() -> None:
    run = pitboss("play", "--cards", CARDS, said="\nnine\n9\n2\n10\n")
    lines = run.stdout.decode().splitlines()
    assert lines[0].startswith("MENU 1 nsw-pontoon NSW pontoon: ")
    assert sum(line.startswith("UNREAD") for line in lines) == 2 and "TABLE Adelaide pontoon" in lines
    for said in ("", "q\n"):
        run = pitboss("play", said=said)
        assert run.returncode == 0 and run.stdout.endswith(b"WAIT rulebook\nBYE rounds=0\n")
    run = pitboss("play", "--json", said="x\nq\n")
    assert [json.loads(line)["type"] for line in run.stdout.splitlines()] == ["menu"] * len(RULEBOOKS) + [
        "wait",
        "unread",
        "wait",
        "bye",
    ]


def test_only_finished_rounds_are_counted() -> None:
    for said, rounds in (("25\ndeal\n", 0), ("25\ndeal\nstand\n", 1)):
        run = pitboss("play", "nsw-pontoon", "--cards", CARDS, said=said)
        assert b"BYE rounds=%d " % rounds in run.stdout


def test_an_error_noticed_later_is_typed_as_a_line() -> None:
    """NSW pontoon 17.1, 17.8: the round is laid again, and is one round still, in play or over."""
    face_up = "dealer notices a face-up card at card {}\n"
    said = "25\ndeal\n" + face_up.format(3) + "stand\n" + face_up.format(1) + "stand\n"
    run = pitboss("play", "nsw-pontoon", "--cards", "Ks 7h 9d 8c Qc 5d 6d 7d 8d", said=said)
    lines = run.stdout.decode().splitlines()
    assert run.returncode == 0 and "EVENT 9d burned (NSW pontoon 17.1)" in lines
    assert sum("noticed now: a card lay face up" in line for line in lines) == 2
    assert [line[:14] for line in lines if line.startswith("ROUND")] == ["ROUND number=1"] * 2
    assert "BYE rounds=1 " in lines[-1]


def test_a_line_that_cannot_be_read_makes_exit_2() -> None:
    run = pitboss("play", "nsw-pontoon", "--cards", CARDS, said="gibberish\n")
    assert run.returncode == 2 and b'UNREAD "gibberish"' in run.stdout and run.stderr == b""


@pytest.mark.parametrize("said", [b"\xff\xfe\x00\n25\n", b"x" * 100_000, b"25\r\ndeal\r\n", b"\n\n\n"])
def test_bytes_of_any_kind(said: bytes) -> None:
    run = pitboss("play", "nsw-pontoon", "--cards", CARDS, said=said)
    assert run.returncode in (0, 2) and run.stderr == b"" and b"BYE " in run.stdout.splitlines()[-1]


def test_a_terminal_without_suits_gets_letters() -> None:
    run = pitboss("play", "nsw-pontoon", "--cards", CARDS, said="25\ndeal\nview\n", PYTHONIOENCODING="ascii")
    assert run.returncode == 0 and run.stdout.isascii() and b"|Ks|9d|" in run.stdout


def test_a_reader_that_goes_away_is_no_fault() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pitboss", "play", "nsw-pontoon"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        try:
            process.stdin.write(b"cut\n" * 2000)
            process.stdin.close()
        except BrokenPipeError:
            pass
        complaint = process.stderr.read()
        process.wait(timeout=60)
    assert b"Traceback" not in complaint


@pytest.mark.parametrize(
    ("words", "voice"),
    [
        (["nsw-pontoon", "--decks", "5"], "refused   NSW pontoon 3.1:"),
        (["nsw"], "unread    pitboss play: no rulebook 'nsw'. Did you mean nsw-pontoon or nsw-blackjack-challenge?"),
        (["nsw-pontoon", "--boxes", "0"], "unread    pitboss play: --boxes: '0' is not a box"),
        (["nsw-pontoon", "--boxes", "1,1"], "unread    pitboss play: --boxes: name each box once"),
        (["nsw-pontoon", "--boxes", ""], "unread    pitboss play: --boxes: name each box once"),
        (["nsw-pontoon", "--name", "dealer"], "unread    pitboss play: --name: 'dealer' cannot be a player's name"),
        (["nsw-pontoon", "--bankroll", "0"], "unread    pitboss play: --bankroll is above zero"),
        (["nsw-pontoon", "--bankroll", "much"], "unread    pitboss play: --bankroll: 'much' is not an amount"),
        (["nsw-pontoon", "--bots", "7"], "unread    pitboss play: --bots is from 0 to 6 at this table, not 7"),
        (["nsw-pontoon", "--seed", ""], "unread    pitboss play: --seed is 1 to 100 printable characters"),
        (["nsw-pontoon", "--cards", "1s"], "unread    pitboss play: --cards: '1s' is not a card"),
        (["nsw-pontoon", "--cards", ""], "unread    pitboss play: --cards: there is no card in it"),
        (["nsw-pontoon", "--cards", "6s Jo"], "unread    pitboss play: --cards: more jokers than the 0"),
        (["nsw-pontoon", "--pace", "nan"], "unread    pitboss play: --pace is a number of seconds, 0 or more, not nan"),
        (["nsw-pontoon", "--pace", "inf"], "unread    pitboss play: --pace is a number of seconds"),
        (["nsw-pontoon", "--pace=-1"], "unread    pitboss play: --pace is a number of seconds"),
        (["nsw-pontoon", "--jackpot", "5"], "refused   NSW pontoon 5.3, 15.1: the rulebook has no jackpot."),
        (["nsw-pontoon", "--jackpot-rate", "50"], "refused   NSW pontoon 5.3, 15.1: the rulebook has no jackpot."),
        (
            ["nsw-blackjack-challenge", "--source", "shuffling-device", "--jackpot", "5"],
            "refused   Blackjack Challenge 16.12: the jackpot cannot stand at $5.00, below its minimum of $25,000.00.",
        ),
        (
            ["nsw-pontoon", "--side-bets", "any-pairs"],
            "refused   NSW pontoon 5.3, 15.1: there is no optional wager 'any-pairs'; the rulebook has perfect-pairs.",
        ),
        (["nsw-pontoon", "--save", ""], "unread    pitboss play: --save '': the file must end in .round"),
        (["nsw-pontoon", "--save", "foo.txt"], "unread    pitboss play: --save 'foo.txt': the file must end in .round"),
        (["nsw-pontoon", "--dealer", "x"], "unread    pitboss play: --dealer is automatic or manual, not 'x'"),
        (
            ["nsw-pontoon", "--save", "no/such/place.round"],
            "unread    pitboss play: --save no/such/place.round: there is no",
        ),
        (["nsw-pontoon", "--save", "."], "unread    pitboss play: --save '.': the file must end in .round"),
        (["nsw-pontoon", "--save", "a" * 400 + ".round"], "unread    pitboss play: --save "),
    ],
)
def test_bad_choices_exit_2(words: list[str], voice: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith(voice) and printed.err.count("\n") == 1


def test_a_variant_is_named_at_the_table() -> None:
    run = pitboss("play", "nsw-pontoon", "--set", "dealer.soft_stand=17", "--cards", CARDS, said="25\ndeal\nstand\n")
    assert run.stdout.startswith(b"TABLE NSW pontoon (study variant: dealer.soft_stand = 17)\n")


def test_cards_and_boxes_are_read() -> None:
    book = load("nsw-pontoon")
    house = default_house(book)
    assert arranged_cards("6s, 9h 5d", house) == ("6s", "9h", "5d")
    assert own_boxes("3 1", house) == (1, 3)
    assert arranged_cards("6s " * 9, house).count("6s") == 9, "it plays until the ninth appears"
    with pytest.raises(ChoiceError, match="more than 1000 cards"):
        arranged_cards("6s " * 2000, house)
    with pytest.raises(ChoiceError, match="'8' is not a box"):
        own_boxes("8", house)


def test_nothing_heavy_is_imported_for_a_pipe() -> None:
    """`rich` paints; lines need no paint."""
    code = (
        "import sys, io; sys.stdin = io.StringIO(''); "
        "from pitboss.commands.play import play; play('nsw-pontoon', seed='1'); "
        "print([name for name in sys.modules if name.startswith('rich.') or name == 'rich'], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert run.stderr.strip() == "[]"


def test_keys_without_a_terminal_of_that_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where keys cannot be read one by one, every key wants Enter."""
    ours, theirs = os.pipe()
    with os.fdopen(ours) as stream:
        monkeypatch.setattr("pitboss.terminal.keys.termios", None)
        monkeypatch.setattr("sys.stdin", stream)
        os.write(theirs, b"h\nalice stands\r\nlast")
        os.close(theirs)
        with Keys() as keys:
            assert keys.pending()
            assert [keys.key(), keys.line(), keys.line(), keys.line()] == ["h", "alice stands", "last", None]


@pytest.mark.clause("nsw-pontoon", "5.1", "19.3")
def test_a_table_says_with_whom_it_plays(tmp_path: Path) -> None:
    """And so does the record that it saves."""
    target = tmp_path / "evening.round"
    without = pitboss("play", "nsw-pontoon", "--patrons", "book", "--no-card", "--cards", CARDS, said="25\n")
    assert b"5.1" in without.stdout and b"no valid player card" in without.stdout
    table = ("play", "nsw-pontoon", "--patrons", "book", "--loss-limit", "20", "--cards", CARDS, "--save", str(target))
    limited = pitboss(*table, said="25\n20\ndeal\nstand\n")
    assert b"19.3" in limited.stdout and limited.returncode == 0
    saved = target.read_text(encoding="utf-8")
    assert 'patrons = "book"' in saved and "loss_limit = 20" in saved
    assert pitboss("replay", str(target)).returncode == 0
