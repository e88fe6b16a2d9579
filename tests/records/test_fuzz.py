"""Whatever is fed to the reader, it is read, or answered with one sentence: never another error, never a hang.

A hundred thousand mutations of valid input, from a seed that never changes: a failing one can be repeated.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pitboss.records import RecordError, dumps, dumps_lines, loads, loads_lines, replay
from pitboss.records.lines import format_line, parse_line, usages
from pitboss.records.read import _Reader
from tests.lengths import length

ROUNDS = Path(__file__).parents[1] / "rounds"
SEED = 20080818
TOKENS = re.compile(r"\w+|\s+|[^\w\s]")
ODD = (
    "",
    " ",
    "0",
    "-1",
    "1e9",
    "nan",
    "inf",
    "true",
    "٣",
    "\x00",
    "\x1b[0m",
    "\u202e",
    "é",
    "=>",
    "=> refused *",
    '"',
    "'",
    "\\",
    "[",
    "]",
    "{",
    "}",
    "#",
    "\n",
    ".",
    ",",
    "/",
    "on",
    "with",
    "for",
    "99999999999999999999",
    "0.001",
    "5.5.5",
    "Jo",
    "Th",
    "As",
    "dealer",
    "link",
    "supervisor",
    "none",
    "alice",
    "on 1",
    "on 9",
    "perfect-pairs",
    "unnoticed",
    "1_000",
    "0x10",
    "2024-01-01",
    "12:00",
    "\ud7ff",
    "💠",
)


def samples(count: int) -> list[str]:
    """Records from every folder, spread evenly."""
    files = sorted(ROUNDS.glob("*/*.round"))
    return [file.read_text(encoding="utf-8") for file in files[:: max(1, len(files) // count)]]


def mutated(text: str, chance: random.Random) -> str:
    """The text with one to three things wrong."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(MUTATIONS)(text, chance)
    return text


def _flip(text: str, chance: random.Random) -> str:
    if not text:
        return text
    data = bytearray(text.encode("utf-8", "replace"))
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data.decode("utf-8", "replace")


def _cut(text: str, chance: random.Random) -> str:
    place = chance.randint(0, len(text))
    return text[:place] if chance.random() < 0.5 else text[place:]


def _swap_tokens(text: str, chance: random.Random) -> str:
    tokens = TOKENS.findall(text)
    if len(tokens) < 2:
        return text
    one, two = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    tokens[one], tokens[two] = tokens[two], tokens[one]
    return "".join(tokens)


def _odd_token(text: str, chance: random.Random) -> str:
    tokens = TOKENS.findall(text) or [""]
    tokens[chance.randrange(len(tokens))] = chance.choice(ODD)
    return "".join(tokens)


def _double_token(text: str, chance: random.Random) -> str:
    tokens = TOKENS.findall(text) or [""]
    place = chance.randrange(len(tokens))
    tokens[place] *= chance.choice((2, 2, 2, 3, 50))
    return "".join(tokens)


def _drop_token(text: str, chance: random.Random) -> str:
    tokens = TOKENS.findall(text) or [""]
    del tokens[chance.randrange(len(tokens))]
    return "".join(tokens)


def _swap_lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def _double_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    place = chance.randrange(len(lines))
    return "\n".join([*lines[:place], *[lines[place]] * chance.choice((2, 2, 20)), *lines[place + 1 :]])


def _drop_line(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def _other_number(text: str, chance: random.Random) -> str:
    numbers = list(re.finditer(r"\d+(\.\d+)?", text))
    if not numbers:
        return text
    found = chance.choice(numbers)
    new = chance.choice(("0", "1", "2", "7", "8", "-3", "2.5", "0.01", "1000", "1e5", "100000000000", "3.333"))
    return text[: found.start()] + new + text[found.end() :]


MUTATIONS: tuple[Callable[[str, random.Random], str], ...] = (
    _flip,
    _cut,
    _swap_tokens,
    _odd_token,
    _double_token,
    _drop_token,
    _swap_lines,
    _double_line,
    _drop_line,
    _other_number,
)


def test_sixty_thousand_play_lines() -> None:
    chance = random.Random(SEED)
    lines = [match for text in samples(200) for match in re.findall(r'^\s+"([^"]+)",', text, re.MULTILINE)]
    lines += [re.sub(r"[\[\]]", "", usage).replace("NAME", "alice").replace("BOX", "1") for usage in usages()]
    read = 0
    for _ in range(60_000):
        line = mutated(chance.choice(lines), chance)
        try:
            act, refused = parse_line(line)
        except RecordError as error:
            assert str(error).isprintable() and len(str(error)) < 700, line
        else:
            read += 1
            assert parse_line(format_line(act, refused)) == (act, refused), line
    assert 5_000 < read < 55_000


def test_twenty_thousand_amounts_cards_and_names() -> None:
    chance = random.Random(SEED + 1)
    reader = _Reader({}, "fuzz.round")
    for _ in range(20_000):
        text = mutated(chance.choice(("25", "12.50", "6s 9h 5d Kc", "As / Kd", "alice", "Jo 7s", "bob_2")), chance)
        for read in (reader.stacks, lambda text: reader.name(text, ("players",)), reader.title):
            try:
                read(text)
            except RecordError as error:
                assert str(error).isprintable(), text


@pytest.mark.parametrize("part", range(length(4, 1)))
def test_thousands_of_records(part: int) -> None:
    """Whole files: read, and what can be read is replayed and written again."""
    chance = random.Random(SEED + 2 + part)
    texts = samples(120)
    played = 0
    for number in range(5_000):
        text = mutated(chance.choice(texts), chance)
        try:
            record = loads(text, "fuzz.round")
            if number % 10 == 0:
                assert loads(dumps(record)) == record, text
            replay(record)
            played += 1
        except RecordError as error:
            assert str(error).isprintable() and str(error).startswith("fuzz.round"), text
    assert 500 < played < 4_500


def test_five_thousand_json_lines() -> None:
    chance = random.Random(SEED + 6)
    texts = [dumps_lines(loads(text)) for text in samples(60)]
    for _ in range(5_000):
        text = mutated(chance.choice(texts), chance)
        try:
            record = loads_lines(text, "fuzz.jsonl")
            replay(record)
        except RecordError as error:
            assert str(error).isprintable() and str(error).startswith("fuzz.jsonl"), text
