"""Which passwords are refused: too short, with one's name in it, or put together as those are that others guess first.

What leaks shows again and again is not a list but a way of making passwords: a favourite word or two, a row of keys, a
year, a mark at the end, and letters that are written as digits. So a password is taken apart into such pieces, whatever
its capitals and its look-alikes, and refused where it has too few of them. Anything else counts letter by letter.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from importlib.resources import files

from pitboss.floor.model import Denied

PASSWORD_MIN, PASSWORD_MAX = 10, 200
PIECES_LEAST = 5
"""Fewer pieces than these are found by whoever tries words, rows, years and marks one after the other."""

FAVOURITES = frozenset((files("pitboss.floor") / "common_words.txt").read_text("utf-8").split())
"""Words that people choose for a password, ours and those of the trade among them."""
ROWS = (
    "`1234567890-=", "qwertyuiop[]\\", "asdfghjkl;'", "zxcvbnm,./", "!@#$%^&*()_+", "abcdefghijklmnopqrstuvwxyz",
    "azertyuiop", "qwertzuiop", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/", "741852963", "147258369", "0123456789",
    "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "1a2s3d4f5g6h7j8k9l", "1a2b3c4d5e6f7g8h9i0j",
    "a1b2c3d4e5f6g7h8i9j0",
)  # fmt: skip
LOOK_ALIKES = str.maketrans({"0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "@": "a",
                             "$": "s", "!": "i", "|": "l", "+": "t", "(": "c", "€": "e", "£": "l"})  # fmt: skip
ONE_IS_I = LOOK_ALIKES | {ord("1"): "i", ord("!"): "l"}
BETWEEN = frozenset(" -_.,:;/")
"""Marks between words, which add nothing."""
LONGEST_WORD = max(map(len, FAVOURITES))
WHOLE_YEAR = re.compile(r"(?:19|20)\d\d")
DATE = re.compile(r"(?:\d{8}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d\d))")
REPEATED = re.compile(r"(.{1,8}?)\1{2,}")


def refuse_password(name: str, password: str) -> Denied | None:
    """Why nobody has this password, or None if they may."""
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        return Denied(f"a password has {PASSWORD_MIN} to {PASSWORD_MAX} characters.")
    if name.lower() in password.lower() or len(set(password)) < 4:
        return Denied("that password is too easy to guess: no name in it, and at least four different characters.")
    if pieces(password) < PIECES_LEAST:
        text = "that password is put together as those are that are guessed first (common words, rows of keys, years)"
        return Denied(f"{text}: choose several words that nobody expects together.")
    return None


def pieces(password: str) -> int:
    """Of how many pieces it is made at least; a common word, a row, a year or something repeated is one."""
    plain = unicodedata.normalize("NFKC", password).lower()
    return _pieces(plain)


def _pieces(text: str) -> int:
    """The fewest pieces that cover a text."""
    repeated = REPEATED.fullmatch(text)
    if repeated is not None or (len(text) >= 6 and text[: len(text) // 2] * 2 == text):
        return 1 + _pieces(repeated.group(1) if repeated is not None else text[: len(text) // 2])
    least = [0] + [len(text)] * len(text)
    for start in range(len(text)):
        here = least[start]
        least[start + 1] = min(least[start + 1], here + (text[start] not in BETWEEN))
        for end in range(start + 2, min(len(text), start + 24) + 1):
            if here + 1 < least[end] and _is_one(text[start:end]):
                least[end] = here + 1
    return least[-1]


def _is_favourite(word: str) -> bool:
    return word in FAVOURITES or (len(word) > 3 and word[::-1] in FAVOURITES)


def _is_one(part: str) -> bool:
    if len(part) <= LONGEST_WORD and any(_is_favourite(part.translate(way)) for way in ({}, LOOK_ALIKES, ONE_IS_I)):
        return True
    if len(set(part)) == 1 or WHOLE_YEAR.fullmatch(part) or DATE.fullmatch(part):
        return True
    if not part.isalnum() and part.isprintable() and not any(sign.isalnum() for sign in part):
        return True  # marks are tried in every number
    return len(part) >= 3 and part in _runs()


@functools.cache
def _runs() -> frozenset[str]:
    """Every part of a row of keys, or of the alphabet, forwards and backwards."""
    found = set()
    for row in ROWS:
        for way in (row, row[::-1]):
            found |= {way[i:j] for i in range(len(way)) for j in range(i + 3, min(len(way), i + 24) + 1)}
    return frozenset(found)
