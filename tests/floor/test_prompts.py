"""What the dealer is told: the step that is due, with a clause of the chapter in which it stands."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.floor.prompts import prompt
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.clauses import exists
from pitboss.table.legal import waiting_for
from pitboss.table.state import Table
from tests.floor.test_updates import wandering


def asked(table: Table) -> dict[str, Any]:
    return prompt(table, waiting_for(table))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_step_has_its_own_words_and_clauses(rulebook: str) -> None:
    """Over whole sessions with mishaps; the order of drawing is cited for decisions and nothing else."""
    seen: dict[str, set[tuple[str, ...]]] = {}
    for seed in range(25):
        for table in wandering(rulebook, seed, 250):
            told = asked(table)
            assert told["clauses"] and all(exists(rulebook, clause) for clause in told["clauses"]), told
            seen.setdefault(told["what"], set()).add(tuple(told["clauses"]))
            if told["what"] == "wagers":
                assert ("no more bets" in told["text"]) == (not table.betting_closed)
            assert "{" not in told["text"]
    assert {"wagers", "decision", "answer", "shuffle"} <= seen.keys()
    (drawing,) = seen.pop("decision")
    for what, cited in seen.items():
        assert drawing not in cited, f"{what} cites the order of drawing"


def test_who_is_asked_to_follow_is_told_of_what() -> None:
    """NSW pontoon: following a surrender, a double and a split are three clauses."""
    cited: dict[str, tuple[str, ...]] = {}
    for seed in range(60):
        for table in wandering("nsw-pontoon", seed, 200):
            waiting = waiting_for(table)
            if waiting.what == "answer":
                cited[table.boxes[waiting.box].hands[waiting.hand].asking] = tuple(asked(table)["clauses"])
    assert {"double", "split"} <= cited.keys()
    assert len(set(cited.values())) == len(cited)
