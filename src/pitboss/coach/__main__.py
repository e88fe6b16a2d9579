"""The coach as a process: a question a line on standard input, its answer a line on standard output, as JSON.

    {"ask": "advise", "positions": [{...}]}
    {"ask": "review", "player": "alice", "rounds": [[12, "rulebook = ..."], ...]}

An answer is `{"advice": [...]}`, `{"review": {...}}`, or `{"problem": "one sentence"}`.
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from pitboss.table.positions import Position


class Question(msgspec.Struct, frozen=True):
    """What is asked."""

    ask: str
    positions: tuple[Position, ...] = ()
    player: str = ""
    rounds: tuple[tuple[int, str], ...] = ()


def main() -> int:
    """Answer until the input ends."""
    try:
        from pitboss.coach.judging import Coach

        coach = Coach()
    except (ImportError, ValueError, OSError) as missing:
        _say({"problem": f"{missing}"})
        return 1
    _say({"ready": True})
    for line in sys.stdin.buffer:
        _say(answer(coach, line))
    return 0


def answer(coach: Any, line: bytes) -> dict[str, Any]:
    """One answer; what cannot be answered is told in a sentence, and the next question is heard."""
    from pitboss.maths.shoes import MathsError
    from pitboss.records.model import RecordError
    from pitboss.table.refusals import Refused

    try:
        asked = msgspec.json.decode(line, type=Question)
        if asked.ask == "review":
            return {"review": coach.review(asked.rounds, asked.player)}
        return {"advice": [coach.advise(each) for each in asked.positions]}
    except (MathsError, RecordError, msgspec.MsgspecError) as problem:
        return {"problem": f"{problem}"}
    except Refused as no:
        return {"problem": f"{no.refusal}"}


def _say(told: dict[str, Any]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
