"""Passwords that are guessed first are refused, however they are dressed up; what people make up themselves is not."""

from __future__ import annotations

import itertools
import random
import string

import pytest

from pitboss.floor.passwords import PIECES_LEAST, pieces, refuse_password

BEGINNINGS = ("Password", "P@ssw0rd", "Welcome", "Summer", "w1nt3r", "Sydney", "dragon", "CASINO", "Bl4ckjack",
              "iloveyou", "Monday", "drowssap", "qwerty", "letmein", "Melbourne")  # fmt: skip
MIDDLES = ("", "123", "2024", "-", "Summer", "1qaz", "00")
ENDINGS = ("1234567890", "2019!", "!!!!!!", "1987", "12345", "@2026", "abc123", "$$$", "01011990", "31/12/1999")


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
     "admin admin 1"],
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
