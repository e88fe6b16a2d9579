"""The table at a terminal: scripted keys in memory, and the real program on a real pseudo-terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

from pitboss.records import read, replay
from pitboss.rulebooks import RULEBOOKS
from pitboss.terminal.session import Session
from pitboss.terminal.table_screen import TableScreen
from tests.terminal.talk import table

# --- scripted keys ---------------------------------------------------------------------------------------------------


class Script:
    """Somebody who types what is written down for him, and then leaves."""

    def __init__(self, out: io.StringIO, *typed: str) -> None:
        self.out = out
        self.typed = list(typed)

    def key(self) -> str | None:
        return self.typed.pop(0) if self.typed else None

    def line(self) -> str | None:
        self.out.write("\n")
        return self.key()

    def pending(self, seconds: float = 0.0) -> bool:
        return False

    def drop(self) -> bool:
        return True


def at_table(session: Session, *typed: str, dumb: bool = False, save: Path | None = None) -> str:
    """What the screen has shown, all pictures below one another, without colours."""
    out = io.StringIO()
    environment = {"TERM": "dumb" if dumb else "xterm", "COLUMNS": "80", "LINES": "30"}
    console = Console(
        file=out, force_terminal=True, width=80, height=30, color_system=None, _environ=environment, highlight=False,
        markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    screen = TableScreen(session, Script(out, *typed), console, pace=0, save=save)
    screen.play()
    screen.goodbye()
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", out.getvalue().replace("\x1b[H", "\n"))


def test_a_round_with_every_kind_of_question() -> None:
    session = table("nsw-pontoon", cards="8s Ah 8d 3c 2h 9s Kh 9c Kd", boxes=(1,))
    shown = at_table(session, "25", "i", "n", "p", "D", "10", "k", "s")
    assert "Box 1, 16:  i  insure $12.50  I  less  n  no insurance" in shown
    assert "r  surrender half" in shown
    assert "p  split $25" in shown
    assert "Double for how much, up to $25.00" in shown
    assert "f  forfeit, lose $25  k  keep, play on" in shown
    assert "Round 1: " in shown and "alice leaves with" in shown and "--seed" not in shown


def test_only_what_is_allowed_is_offered() -> None:
    shown = at_table(table("adelaide-pontoon-2008", cards="5s 9h 3d Kc 9c Kd"), "25")
    assert "Box 1, 8 against 9♥:  h  hit \n" in shown + "\n"


def test_refusals_and_misunderstandings_are_told() -> None:
    session = table("nsw-pontoon", cards="5s 9h 6d Kc 9c Kd")
    shown = at_table(
        session, "2000", "zzz", "25", "p", "x", "l", "?", "? 12.1", "? 99", "help", "y", "w", "", "w a", "q", "q"
    )
    assert "Refused. NSW pontoon 6.1" in shown
    assert '"zzz": a line says who does what' in shown
    assert "Refused. NSW pontoon 13.1: 5s and 6d are not of equal value." in shown
    assert '"x" is none of the keys below.' in shown
    assert "  double yes" in shown and "split  no: 5s and 6d are not of equal value. (13.1)" in shown
    assert "12.1.4.1" in shown and "has no such clause" in shown
    assert "No round is finished yet." in shown and "Save the session as" in shown
    assert "No round is finished yet: there is nothing to save" in shown
    assert "q again to leave" in " ".join(shown.split())
    assert "The round is not finished: $25.00 stay on the table as they are." in shown


def test_enter_repeats_the_wagers_and_history_tells() -> None:
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc Ks 7h 9d Qc")
    shown = at_table(session, "", "25 pp=5", "s", "", "s", "y", "?", "25")
    assert "Write an amount, as in 25 or 1=25 pp=5 (? why, l legal, q leave)." in shown
    assert "(Enter for 1=25 1pp=5)" in shown
    assert session.rounds == 2 and "    2  +$20.00" in shown
    assert "The arranged cards are used up: q to leave: " in shown


def test_enter_repeats_no_wagers_where_the_picture_is_not_drawn_over() -> None:
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc Ks 7h 9d Qc Ks")
    shown = at_table(session, "25", "s", "", "hit", dumb=True)
    assert "(b for 1=25)" in shown and session.rounds == 1
    assert "Write an amount, as in 25 or 1=25 pp=5, b for the wagers of the last round" in shown
    assert '"hit": no cards are out yet; write an amount' in shown
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc Ks 7h 9d Qc Ks")
    at_table(session, "25", "s", "b", "s", dumb=True)
    assert session.rounds == 2


def test_the_seed_is_told_where_chance_had_its_say() -> None:
    assert "The same cards again: --seed 1" in at_table(table("nsw-pontoon"), "q")


def test_insurance_for_less_and_surrender() -> None:
    session = table("canberra-pontoon-2005", cards="9s 9h Ah 7d 8d 9c", boxes=(1, 2))
    at_table(session, "25", "I", "5", "I", "", "n", "r", "n", "s")
    assert session.rounds == 1 and not session.in_round
    assert session.table.net["alice"] == -500 - 1250 - 2500


def test_other_people_type_whole_lines() -> None:
    session = table("nsw-pontoon", cards="5s 9h 6d 9c Ks")
    shown = at_table(session, "bob bets 10 on 1", "25", "d", "n", "k")
    assert "Bob, box 1, 11 against 9♥:" in shown
    assert session.table.net == {"bob": 1000, "alice": 5000}


def test_who_has_too_little_is_told_to_buy() -> None:
    session = table("nsw-pontoon", cards="Ks 7h 6d Qc Kd 8c", bankroll=1000)
    shown = at_table(session, "10", "h", "buy 50", "10")
    assert "You have $0.00 left, and the minimum is $5.00: buy 100 buys chips." in shown
    assert session.rounds == 1 and session.in_round


def test_wagers_stand_while_the_cards_are_shuffled() -> None:
    """The cutting card comes first: the wagers lie, the cards are cut, and Enter deals."""
    session = table("canberra-pontoon-2005", decks=3, seed="11", bankroll=10_000_000)
    typed = ["", *["10", *["s"] * 3, "n", "h", "h", "h", ""] * 60]
    shown = at_table(session, *typed)
    assert session.rounds > 20 and shown.count("The cut is offered to you") > 1


def test_saving_and_leaving(tmp_path: Path) -> None:
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc 2s 2d 2h")
    shown = at_table(session, "25", "s", f"w {tmp_path / 'a.round'}", "25", save=tmp_path / "b.round")
    assert "Saved as " in shown.replace("\n", " ")
    for name in ("a.round", "b.round"):
        assert replay(read(tmp_path / name)).ok


def test_nothing_is_saved_where_no_round_was_finished(tmp_path: Path) -> None:
    shown = at_table(table("nsw-pontoon", cards="Ks 7h 9d Qc"), save=tmp_path / "b.round")
    assert "No round was finished: nothing is saved." in shown
    assert not (tmp_path / "b.round").exists()


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc")
    shown = at_table(session, "25", "s", save=tmp_path / "gone" / "b.round")
    assert "cannot be written" in shown.replace("\n", " ")


@pytest.mark.parametrize("dumb", [False, True])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_eighty_columns_are_enough(rulebook: str, dumb: bool) -> None:
    session = table(rulebook, seed="2", boxes=(1, 2, 3), bots=2)
    keys = ["", "25 pp=5", *["n", "s", "h", "k", "s", "b", "l", "?", "y", "p"] * 12]
    shown = at_table(session, *keys, dumb=dumb)
    felt = [line for line in shown.splitlines() if line[:1] in ("│", "╭", "╰")]
    assert session.rounds and {len(line) for line in felt} == {80}
    assert max(map(len, shown.splitlines())) <= 80


# --- the real program ------------------------------------------------------------------------------------------------


class Screen:
    """The program on a pseudo-terminal."""

    def __init__(self, *words: str, **environment: str) -> None:
        self.process, self.descriptor = _on_terminal(words, environment)
        self.shown = ""
        self.seen = 0

    def until(self, text: str, seconds: float = 20.0) -> str:
        """Read until a text appears; what was read since the last time."""
        start = self.seen
        end = time.monotonic() + seconds
        while text not in self.shown[start:]:
            assert time.monotonic() < end, f"{text!r} did not appear: {self.shown[-2000:]!r}"
            if select.select([self.descriptor], [], [], 0.1)[0]:
                try:
                    data = os.read(self.descriptor, 65536)
                except OSError:
                    assert text in self.shown[start:], f"{text!r} never appeared: {self.shown[-2000:]!r}"
                    break
                self.shown += data.decode("utf-8", errors="replace")
        self.seen = self.shown.index(text, start) + len(text) if text in self.shown[start:] else len(self.shown)
        return self.shown[start : self.seen]

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def end(self) -> int:
        self.until(" leaves with ")
        code = self.process.wait(timeout=20)
        os.close(self.descriptor)
        return code


def _on_terminal(words: tuple[str, ...], environment: dict[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    usual = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "pitboss", "play", *words], stdin=theirs, stdout=theirs, stderr=theirs,
        env={**usual, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    return process, ours


@contextmanager
def screen(*words: str, **environment: str) -> Iterator[Screen]:
    found = Screen(*words, **environment)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
            found.process.wait()


def test_single_keys_count_at_once() -> None:
    with screen("nsw-pontoon", "--cards", "5s 9h 6d Kc 9c Kd 2s", "--pace", "0") as on:
        on.until("Wagers, please")
        on.type("25\n")
        on.until("less")
        on.type("d")
        drawn = on.until("Round 1: ")
        assert "+$50" in drawn and "\x1b[" in drawn
        on.until("Wagers, please")
        on.type("q\n")
        assert on.end() == 0
        assert "alice leaves with $1,050.00 after 1 round (+$50.00)." in on.shown


def test_a_habitual_enter_after_a_key_means_nothing() -> None:
    with screen("nsw-pontoon", "--cards", "Ks 9h 6d 2c Kc 9c Kd 2s", "--pace", "0") as on:
        on.until("Wagers, please")
        on.type("25\n")
        on.until("stand")
        on.type("h")
        on.type("\n")
        on.until("18 against")
        on.type("s\n")
        on.until("Wagers, please")
        on.type("q\n")
        assert on.end() == 0
        assert "after 1 round" in on.shown


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_an_enter_after_the_last_key_of_a_round_wagers_nothing(seconds: float) -> None:
    with screen("nsw-pontoon", "--cards", "Ks 9h 9d Qc Ks 9h 9d Qc 2s", "--pace", "0") as on:
        on.until("Wagers, please")
        on.type("25\n")
        on.until("stand")
        on.type("s")
        time.sleep(seconds)
        on.type("\n")
        on.until("Wagers, please (Enter for 1=25)")
        time.sleep(0.2)
        on.type("q\n")
        assert on.end() == 0
        assert "after 1 round" in on.shown


def test_the_menu_and_a_typed_word() -> None:
    with screen("--pace", "0", "--cards", "5s 9h 6d Kc 9c Kd") as on:
        on.until("1 to 5, q to leave")
        on.type("9")
        on.until("there is no game 9")
        on.type("2")
        on.until("Wagers, please")
        on.type("10\n")
        on.until("hit")
        on.type("hit\n")
        on.until("Wagers, please")
        on.type("\x04")
        assert on.end() == 0


def test_the_menu_can_be_left() -> None:
    with screen() as on:
        on.until("1 to 5, q to leave")
        on.type("q")
        assert on.process.wait(timeout=20) == 0


def test_interrupting_leaves_politely() -> None:
    with screen("nsw-pontoon", "--cards", "5s 9h 6d Kc 9c Kd", "--pace", "0", "--bankroll", "500") as on:
        on.until("Wagers, please")
        on.type("25\n")
        on.until("less")
        on.process.send_signal(signal.SIGINT)
        assert on.end() == 0
        assert "The round is not finished: $25.00 stay on the table as they are." in on.shown
        assert "alice leaves with $475.00" in on.shown and "Traceback" not in on.shown


def test_arrow_keys_and_the_end_of_input() -> None:
    with screen("nsw-pontoon", "--cards", "5s 9h 6d Kc 9c Kd", "--pace", "0") as on:
        on.until("Wagers, please")
        on.type("25\n")
        on.until("less")
        on.type("\x1b[A")
        on.until("none of the keys")
        on.type("\x04")
        assert on.end() == 0


def test_no_colour_where_none_is_wanted() -> None:
    with screen("nsw-pontoon", "--cards", "5s 9h 6d Kc 9c Kd", "--pace", "0", NO_COLOR="1") as on:
        on.until("Wagers, please")
        on.type("25\n")
        drawn = on.until("less")
        assert not re.search(r"\x1b\[[0-9;]*(3[0-8]|4[0-8])[;m]", drawn)
        on.type("qq")
        assert on.end() == 0


def test_a_dumb_terminal_gets_no_control_characters() -> None:
    with screen("nsw-pontoon", "--cards", "5s 9h 6d Kc 9c Kd", TERM="dumb") as on:
        on.until("Wagers, please")
        on.type("25\n")
        assert "\x1b" not in on.until("less")
        on.type("qq")
        assert on.end() == 0


def test_plain_lines_at_a_terminal_too() -> None:
    with screen("nsw-pontoon", "--cards", "5s 9h 6d Kc 9c Kd", "--plain") as on:
        on.until("WAIT wagers acts=bet")
        on.type("25\ndeal\nrubbish\nquit\n")
        on.until("BYE rounds=0")
        assert on.process.wait(timeout=20) == 0


def test_an_interrupted_protocol_says_goodbye() -> None:
    with screen("nsw-pontoon", "--cards", "5s 9h 6d Kc 9c Kd", "--plain") as on:
        on.until("WAIT wagers acts=bet")
        on.process.send_signal(signal.SIGINT)
        on.until("BYE rounds=0")
        assert on.process.wait(timeout=20) == 0


@pytest.mark.parametrize("end", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_the_session_is_saved_however_it_ends(end: signal.Signals, tmp_path: Path) -> None:
    """Also after digits that are no digits of ours, and where the terminal goes away."""
    target = tmp_path / "evening.round"
    cards = "Ks 9h 9d Qc Ks 9h 9d Qc 2s"
    with screen("nsw-pontoon", "--cards", cards, "--pace", "0", "--save", str(target)) as on:
        on.until("Pairs")
        for wrong, told in (
            ("\uff11\uff12", "digits 0 to 9"),
            ("25 xx=5", "no optional wager is called"),
            (":help", "on"),
        ):
            on.type(f"{wrong}\n")
            on.until(told)
        on.until("Wagers, please")
        on.type("25\n")
        on.until("stand")
        on.type("s")
        on.until("Round 1: ")
        for again in (end, *(signal.SIGTERM, signal.SIGHUP, signal.SIGINT) * 10):  # a terminal that goes says so twice
            on.process.send_signal(again)
        on.process.wait(timeout=20)
    assert replay(read(target)).ok


@pytest.mark.parametrize("plain", [False, True])
def test_the_session_is_saved_where_the_terminal_is_closed(plain: bool, tmp_path: Path) -> None:
    """Nothing can be read or printed any more: the record is there all the same."""
    target = tmp_path / "evening.round"
    words = ("--plain",) if plain else ("--pace", "0")
    with screen("nsw-pontoon", "--cards", "Ks 9h 9d Qc Ks 9h 9d Qc 2s", *words, "--save", str(target)) as on:
        on.until("WAIT wagers" if plain else "Wagers, please")
        on.type("25\n")
        if plain:
            on.type("deal\n")
        on.until("stand")
        on.type("stand\n" if plain else "s")
        on.until("ROUND" if plain else "Round 1: ")
        os.close(on.descriptor)
        on.process.wait(timeout=20)
    assert replay(read(target)).ok


def test_the_coach_tells_values_when_asked_and_mistakes_afterwards() -> None:
    """Practice only: with a gaming date there is no coach (NSW 19.6, 19.11)."""
    pytest.importorskip("numba")
    with screen("nsw-pontoon", "--cards", "6s 9h 5d Kc 9c Kd 2s", "--pace", "0", "--coach") as on:
        on.until("Pairs")
        on.type("25\n")
        on.until("coach")
        on.type("c")
        on.until("Coach, box 1: double +$4.15, hit +$3.57")
        on.type("s")
        on.until("Coach: 1 mistake in 1 decision.")
        on.until("Wagers, please")
        on.type("q\n")
        on.until("Coach: 0 of 1 decision best (0%)")
        on.until("Move by move, with the value of every choice:")
        on.until("double +$4.15, hit +$3.57, stand -$13.53; you chose stand")
        on.process.wait(timeout=20)
    with screen("nsw-pontoon", "--coach", "--date", "2025-03-01") as on:
        on.until("--coach is for practice")


def test_the_dealer_and_the_last_result_stay_in_sight_with_seven_boxes() -> None:
    """At 80 by 24 no picture is higher than the screen, and each has the dealer and the question."""
    session = table("nsw-blackjack-challenge", seed="4", boxes=(1, 2, 3, 4, 5, 6, 7))
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=80, height=24, color_system=None, highlight=False, markup=False,
        emoji=False, legacy_windows=False, _environ={"TERM": "xterm", "COLUMNS": "80", "LINES": "24"},
    )  # fmt: skip
    keys = ["", "25", *["p", "h", "s", "k"] * 24]
    TableScreen(session, Script(out, *keys), console, pace=0).play()
    pictures = [each for each in out.getvalue().split("\x1b[H")[2:] if "╭" in each]
    assert session.rounds and any("3.2" in each or "1.2" in each for each in pictures), "there was a split"
    for each in pictures:
        assert "DEALER" in each and len(each.split("\x1b[J")[0].splitlines()) <= 23
