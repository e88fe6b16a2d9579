"""What is wrong with a request, in words for people: the reader of JSON says it in words for programmers."""

from __future__ import annotations

import re
from collections.abc import Callable

KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object with named fields",
    "null": "nothing",
}
SEE = "; see /schema/openapi.json"
BOUND = {"<=": "may {} at most".format, ">=": "must {} at least".format}
BODY = "data"
"""What the reader calls the body as a whole."""


def unreadable(place: str, what: str) -> str:
    """Where it is wrong, what is wrong there, and what would be right; "" where nothing is known."""
    if not what:
        return ""
    where, words = place.removeprefix("opening."), _in_words(what)
    if where == BODY:
        where = "the body" if words.startswith("this") else ""
    return f"{where}{': ' if where else ''}{words}."


def _in_words(what: str) -> str:
    for pattern, words in WORDS:
        found = pattern.fullmatch(what)
        if found:
            return words(found)
    return what[:1].lower() + what[1:].rstrip(".") + SEE


def _length(found: re.Match[str]) -> str:
    count = int(found["count"])
    what = "character" if found["kind"] == "str" else "element"
    return f"this {BOUND[found['sign']]('have')} {count:,} {what}{'s' * (count != 1)}"


def _number(found: re.Match[str]) -> str:
    return f"this {BOUND[found['sign']]('be')} {int(found['count']):,}"


def _kind(found: re.Match[str]) -> str:
    wanted = " or ".join(KINDS.get(kind, kind) for kind in found["wanted"].split(" | "))
    return f"this is to be {wanted}, not {KINDS.get(found['got'], found['got'])}{SEE}"


WORDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"Expected `(?P<kind>str|array|object)` of length (?P<sign><=|>=) (?P<count>\d+)"), _length),
    (re.compile(r"Expected `(?:int|float)` (?P<sign><=|>=) (?P<count>-?\d+)"), _number),
    (re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<got>[^`]+)`"), _kind),
    (re.compile("'data'"), lambda _: f"a body is missing{SEE}"),
    (re.compile(r"Object missing required field `(?P<name>[^`]+)`"), lambda found: f"{found['name']} is missing{SEE}"),
    (
        re.compile(r"Object contains unknown field `(?P<name>.+)`"),
        lambda found: f"there is no field {found['name'][:60]}{SEE}",
    ),
    (
        re.compile(r"Invalid enum value (?P<value>.+)"),
        lambda found: f"{found['value'][:60]} is none of the choices{SEE}",
    ),
    (re.compile(r".*regex.*", re.DOTALL), lambda _: f"this is not of the right form{SEE}"),
)
"""What the reader says, and how people say it."""
