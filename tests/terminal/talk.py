"""Conversations with a table, for the tests of the terminal."""

from __future__ import annotations

import io
import json as jsonlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitboss.rulebooks import load
from pitboss.table.house import default_house
from pitboss.terminal.protocol import JsonProtocol, TextProtocol, reader
from pitboss.terminal.session import Session


def table(
    rulebook: str,
    *,
    cards: str | None = None,
    boxes: Sequence[int] = (1,),
    seed: str = "1",
    bots: int = 0,
    bankroll: int = 100_000,
    dealer_acts: bool = True,
    **house: Any,
) -> Session:
    """A session at a fresh table; with `cards` an arranged shoe."""
    book = load(rulebook)
    return Session(
        book,
        default_house(book, **house),
        name="alice",
        boxes=boxes,
        bankroll_cents=bankroll,
        seed=seed,
        cards=None if cards is None else cards.split(),
        bots=bots,
        dealer_acts=dealer_acts,
    )


@dataclass
class Talk:
    """What was said."""

    session: Session
    text: str
    code: int

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def all(self, word: str) -> list[str]:
        """The lines that begin with a word, without it."""
        return [line.partition(" ")[2] for line in self.lines if line.partition(" ")[0] == word]

    def objects(self, kind: str = "") -> list[dict[str, Any]]:
        found = [jsonlib.loads(line) for line in self.lines]
        return [item for item in found if not kind or item["type"] == kind]

    @property
    def net(self) -> int:
        return self.session.table.net["alice"]


def talk(session: Session, *lines: str, json: bool = False, save: Path | None = None) -> Talk:
    """Say all lines, one after the other, and then nothing more."""
    out = io.StringIO()
    protocol = (JsonProtocol if json else TextProtocol)(session, out, save=save)
    code = protocol.serve(reader(io.StringIO("".join(f"{line}\n" for line in lines))))
    return Talk(session, out.getvalue(), code)


def play_on(session: Session, choose: Callable[[Sequence[str]], str], rounds: int, save: Path | None = None) -> Talk:
    """A bot that reads only what the table prints, as JSON, and picks one of the lines that it offers."""
    out = io.StringIO()
    protocol = JsonProtocol(session, out, save=save)
    heard = 0

    def read() -> str | None:
        nonlocal heard
        last = jsonlib.loads(out.getvalue().splitlines()[-1])
        heard += 1
        assert last["type"] == "wait" and heard < 200 * rounds, f"the table does not wait: {last}"
        if session.rounds >= rounds and not session.in_round:
            return None
        return choose(last["lines"]) if last["lines"] else "deal"

    code = protocol.serve(read)
    return Talk(session, out.getvalue(), code)


def widest(lines: Iterable[str]) -> int:
    return max(map(len, lines))
