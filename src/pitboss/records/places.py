"""On which line of a TOML file each key and each list element stands, so that a complaint can name the place.

The text has been read by `tomllib` already: this only walks it again for line numbers and never complains itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeAlias

Path: TypeAlias = "tuple[str | int, ...]"

_TOKEN = re.compile(
    r'(?P<string>"""(?:\\.|[^\\])*?"""(?:"{0,2})|'
    r"'''.*?'''(?:'{0,2})|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*')"
    r"|(?P<mark>[\[\]{}=,.\n])|(?P<bare>[^\s\[\]{}=,.\"'#]+)|(?P<skip>#[^\n]*|[^\S\n]+|.)",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\(.)")


class _Walk:
    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tokens = self._read(text)
        self.token = ""
        self.line = 0
        self.step()

    def _read(self, text: str) -> Iterator[tuple[str, int]]:
        line = 1
        for match in _TOKEN.finditer(text):
            found = match[0]
            if match.lastgroup != "skip":
                yield found, line
            line += found.count("\n")

    def step(self) -> None:
        self.token, self.line = next(self._tokens, ("", self.line))

    def note(self, path: Path) -> None:
        self.lines.setdefault(path, self.line)

    def document(self) -> None:
        header: Path = ()
        while self.token:
            if self.token == "\n":
                self.step()
            elif self.token == "[":
                self.step()
                if self.token == "[":
                    self.step()
                line = self.line
                header = self.key()
                self.lines.setdefault(header, line)
                self.rest_of_line()
            else:
                self.pair(header)
                self.rest_of_line()

    def rest_of_line(self) -> None:
        while self.token not in ("", "\n"):
            self.step()

    def key(self) -> Path:
        parts: list[str | int] = []
        while self.token not in ("", "\n", "=", "]", "}", ","):
            if self.token != ".":
                parts.append(_unquoted(self.token))
            self.step()
        return tuple(parts)

    def pair(self, within: Path) -> None:
        line = self.line
        path = within + self.key()
        for depth in range(len(within) + 1, len(path) + 1):
            self.lines.setdefault(path[:depth], line)
        if self.token == "=":
            self.step()
            self.value(path)

    def value(self, path: Path) -> None:
        if self.token == "[":
            self.list(path)
        elif self.token == "{":
            self.table(path)
        else:
            while self.token not in ("", "\n", ",", "]", "}"):
                self.step()

    def list(self, path: Path) -> None:
        self.step()
        index = 0
        while self.token not in ("", "]"):
            if self.token in ("\n", ","):
                self.step()
                continue
            self.note((*path, index))
            before = self.token
            self.value((*path, index))
            index += 1
            if self.token == before and self.token == "}":
                self.step()
        self.step()

    def table(self, path: Path) -> None:
        self.step()
        while self.token not in ("", "}"):
            if self.token in (",", "\n", "]"):
                self.step()
                continue
            self.pair(path)
        self.step()


def _unquoted(token: str) -> str:
    if token[:1] == '"':
        return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], token[1:-1])
    return token[1:-1] if token[:1] == "'" else token


def places(text: str) -> dict[Path, int]:
    """Line numbers by path: ``("play", 2)`` is the third play line, ``("expect", "net", "alice")`` a key."""
    walk = _Walk(text.replace("\r\n", "\n"))
    with suppress(RecursionError):
        walk.document()
    return walk.lines
