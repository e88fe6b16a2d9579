"""Every word of every vocabulary has an answer wherever somebody acts on it; a new one is refused, not ignored."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pitboss.maths.exact.rules
import pitboss.maths.side_bets
import pitboss.maths.simulate.game
import pitboss.rulebooks.phrases
import pitboss.table.engine
import pitboss.terminal.menu
from pitboss.rulebooks import RULEBOOKS, load, terms, vary
from pitboss.rulebooks.load import RulebookError
from pitboss.rulebooks.meanings import ANSWERED, GO_TOGETHER, UnansweredError, question, unanswered, vocabularies
from tests.project.sources import ROOT, modules

PLANTED = "planted-word"
ACTING = (pitboss.maths.exact.rules, pitboss.maths.side_bets, pitboss.maths.simulate.game,
          pitboss.table.engine, pitboss.terminal.menu, pitboss.rulebooks.phrases)  # fmt: skip
"""Rooms that act on words; to import them is to have their answers checked."""


def test_every_word_of_today_has_its_answers() -> None:
    assert all(ACTING)
    assert unanswered(vocabularies()) == []
    assert len(vocabularies()) > 100


@pytest.mark.parametrize("key", sorted(vocabularies()))
def test_a_new_word_in_a_vocabulary_is_refused(key: str) -> None:
    known = vocabularies()
    words = known[key] | {PLANTED}
    assert unanswered({**known, key: words}) == [f"{key}: nobody says what {_unsaid(key, words)} means"]


def _unsaid(key: str, words: frozenset[str]) -> str:
    """Where nobody had to ask, because there was one word only, both want an answer."""
    return PLANTED if key in ANSWERED else ", ".join(sorted(words))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_word_outside_its_vocabulary_is_refused_in_every_rulebook(rulebook: str) -> None:
    book = load(rulebook)
    tried = 0
    for key, term in terms(book):
        if isinstance(term.value, str) and not key.startswith("game."):
            tried += 1
            with pytest.raises(RulebookError, match=r"is not known; known|is not a list of ranks"):
                vary(book, {key: PLANTED})
    assert tried > 90


def test_an_answer_for_what_is_no_word_is_refused_too() -> None:
    with pytest.raises(UnansweredError, match=r"settlement.ties: draw is no word of it"):
        question("settlement.ties", yes="lose", no="stand-off draw")
    with pytest.raises(UnansweredError, match=r"settlement.ties: nobody says what stand-off means"):
        question("settlement.ties", yes="lose", no="")


def test_nothing_is_played_by_a_planted_word(tmp_path: Path) -> None:
    """The word is in the vocabulary and in a document, and no chapter knows it: nothing is played with it."""
    shutil.copytree(ROOT / "src" / "pitboss", tmp_path / "pitboss", ignore=shutil.ignore_patterns("__pycache__", "web"))
    schema = tmp_path / "pitboss" / "rulebooks" / "terms.py"
    text = schema.read_text("utf-8")
    schema.write_text(text.replace('"two-or-three-cards"', '"two-or-three-cards", "two-cards-only"', 1), "utf-8")
    document = tmp_path / "pitboss" / "rulebooks" / "nsw_pontoon" / "terms.toml"
    said = document.read_text("utf-8")
    document.write_text(said.replace('is = "any-below-21"', 'is = "two-cards-only"', 1), "utf-8")
    assert document.read_text("utf-8") != said
    program = "import pitboss; pitboss.open_table('nsw-pontoon')"
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith("UnansweredError: doubling.hands: nobody says what two-cards-only means")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_terms_that_go_together_do(rulebook: str) -> None:
    said = {key: term.value for key, term in terms(load(rulebook))}
    for group in GO_TOGETHER:
        assert len({answers[said[key]] for key, answers in group.items()}) == 1, group.keys()


# --- nobody asks a term past the tables ------------------------------------------------------------------------------

LISTS = {"split", "doubled", "promotional-tokens", "seated", "shuffling-device"}
"""Words of lists and tables, looked for one by one; `handles` beside them says that there are no others."""
OF_ROLES = {"nobody", "dealer"}


def test_no_term_is_compared_with_a_word() -> None:
    """``if term.value == "a-word"`` means something for every other word too, also for those that come later."""
    words = frozenset[str]().union(*vocabularies().values()) - LISTS - OF_ROLES
    for module, tree in modules().items():
        if module in ("pitboss.rulebooks.load", "pitboss.rulebooks.amend"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                said = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                found = sorted(str(word) for word in said & words)
                assert not (found and any(_asks(part) for part in ast.walk(node))), (
                    f"{module}:{node.lineno} compares a term with {found}: make it a question in rulebooks/meanings.py"
                )


def _asks(node: ast.AST) -> bool:
    """``term.value``, or ``rule.value("key")``."""
    return isinstance(node, ast.Attribute) and node.attr == "value"
