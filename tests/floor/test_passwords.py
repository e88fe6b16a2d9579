"""Passwords that are guessed first are refused, however they are dressed up; what people make up themselves is not."""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.floor.checking import HASH, NICE, Checking, help_out, matches
from pitboss.floor.passwords import PIECES_LEAST, pieces, refuse_password
from tests.floor.peopled import quick_hasher

BEGINNINGS = ("Password", "P@ssw0rd", "Welcome", "Summer", "w1nt3r", "Sydney", "dragon", "CASINO", "Bl4ckjack",
              "iloveyou", "Monday", "drowssap", "qwerty", "letmein", "Melbourne")  # fmt: skip
MIDDLES = ("", "123", "2024", "-", "Summer", "1qaz", "00")
ENDINGS = ("1234567890", "2019!", "!!!!!!", "1987", "12345", "@2026", "abc123", "$$$", "01011990", "31/12/1999")


GOOD = "six tall herons walk by"


def test_what_is_made_of_words_rows_years_and_marks_is_refused() -> None:
    made = ["".join(each) for each in itertools.product(BEGINNINGS, MIDDLES, ENDINGS)]
    long_enough = [each for each in made if len(each) >= 10]
    assert len(long_enough) > 800
    let_through = [each for each in long_enough if refuse_password("zoe", each) is None]
    assert not let_through, let_through[:5]


@pytest.mark.parametrize(
    "password",
    ["qwertyuiop", "1qaz2wsx3edc", "asdfghjkl;'", "zxcvbnm,./", "0987654321", "abcdefghij", "1qaz1qaz1qaz",
     "password password", "Password1!", "PASSWORD2024", "p@$$w0rd!!", "abcabcabcabc", "123123123123",
     "2001-09-11!", "letmein12345", "trustnoone1", "summer-winter-2024", "aaaaaaaaab1c", "Pitboss2026!",
     "admin admin 1", "1q2w3e4r5t", "q1w2e3r4t5", "christopher", "elizabeth1", "liverpool1", "manchester1",
     "volleyball1",
     "alexander1", "firefighter", "strawberry", "minecraft1", "cheesecake1", "nicholas123", "snowball12", "scorpion12",
     "crystal123", "family1234", "tinkerbell1", "barcelona1", "chelsea123", "Arsenal@2020", "mypassword1",
     "th3quickbr0wnf0x"],
)  # fmt: skip
def test_patterns_of_breached_passwords_are_refused(password: str) -> None:
    refused = refuse_password("zoe", password)
    assert refused is not None and ("guess" in refused.text), password


@pytest.mark.parametrize(
    "password",
    ["correct horse battery", "quite another phrase", "a new long phrase", "the kettle sings at noon", "vR7#kq0_Lm",
     "gravel umbrella ninety teapot", "Zw8-tulip-engine", "ÆØÅ blåbærgrød nå"],
)  # fmt: skip
def test_what_people_make_up_is_taken(password: str) -> None:
    assert refuse_password("zoe", password) is None, pieces(password)


def test_passwords_of_a_machine_are_taken() -> None:
    rng = random.Random(7)
    signs = string.ascii_letters + string.digits + "-_"
    made = ["".join(rng.choices(signs, k=12)) for _ in range(2_000)]
    refused = [each for each in made if refuse_password("nobody-there", each) is not None]
    assert not refused


def test_the_longest_password_is_looked_at_in_no_time() -> None:
    """Nobody holds the server up by a password of 200 characters."""
    assert pieces("passw0rd" * 25) < PIECES_LEAST
    assert pieces("!a1" * 66) < PIECES_LEAST


# --- where they are checked ------------------------------------------------------------------------------------------


@pytest.fixture
def checking() -> Iterator[Checking]:
    found = Checking()
    yield found
    found.close()


def test_passwords_are_checked_in_a_process_that_yields_to_the_tables(checking: Checking) -> None:
    """In threads of the server twenty-four strangers made forty players wait ninety milliseconds for an act."""
    hashed = checking.hash(GOOD)
    assert hashed.startswith("$argon2id$") and not checking.is_old(hashed)
    assert checking.matches(hashed, GOOD) and not checking.matches(hashed, GOOD + "x")
    assert not checking.matches("", GOOD) and not checking.matches("no hash", GOOD)
    (helper,) = checking._idle
    assert helper.poll() is None and os.getpriority(os.PRIO_PROCESS, helper.pid) >= NICE
    group = Path(f"/proc/{helper.pid}/autogroup")
    said = group.read_text() if group.exists() else ""
    assert not said or said.endswith(f"nice {NICE}\n")
    checking.close()
    assert helper.returncode is not None and not checking._idle


def test_a_helper_that_is_gone_is_replaced(checking: Checking) -> None:
    hashed = checking.hash(GOOD)
    (first,) = checking._idle
    first.kill()
    first.wait()
    assert checking.matches(hashed, GOOD)
    (second,) = checking._idle
    assert second.pid != first.pid


def test_without_helpers_the_server_does_it(checking: Checking, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("pitboss.floor.checking._helper", none)
    monkeypatch.setattr(checking, "_hasher", quick_hasher())
    assert checking.matches(checking.hash(GOOD), GOOD)


def test_a_helper_answers_until_nobody_is_there() -> None:
    reading, writing = os.pipe()
    quick, said = quick_hasher(), io.BytesIO()
    with os.fdopen(writing, "wb") as ours:
        ours.write(json.dumps((HASH, GOOD)).encode() + b"\n")
    with os.fdopen(reading, "rb") as asked:
        help_out(asked, said, quick)
    hashed = json.loads(said.getvalue())
    assert matches(quick, hashed, GOOD) and not matches(quick, hashed, "another") and not matches(quick, "none", GOOD)
