"""What the rules answer to an act that they do not allow."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """The rules say no: which clauses, and what would be allowed. Nothing has changed."""

    rulebook: str
    """The rulebook's name as people say it."""
    clauses: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        from pitboss.rulebooks.clauses import cite

        return f"{self.rulebook} {cite(self.clauses)}: {self.text}"


class Refused(Exception):
    """Raised by `play` when an act is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class Broken(RuntimeError):
    """Our own fault: something that must never happen has happened."""


def as_sentence(error: Exception) -> str:
    """What cannot be read, as one sentence; some facts end in a question or a full stop."""
    text = str(error)
    return text if text.endswith((".", "?")) else f"{text}."


def broken_unless(holds: bool, what: str) -> None:
    """A check that stays on in production (`assert` vanishes under ``python -O``)."""
    if not holds:
        raise Broken(what)
