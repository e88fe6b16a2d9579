"""The documents' words are the code's words, and rulebooks are told apart by their data."""

from __future__ import annotations

import ast
import re

import pytest

from pitboss.rulebooks import RULEBOOKS
from tests.project.sources import ROOT, modules, project_files, room_of, text_of

FOREIGN_WORD = re.compile(r"\bpu" + r"sh(es|ed|ing)?\b(?! out)", re.IGNORECASE)
TEXT = (".md", ".py", ".toml", ".tsv", ".round", ".txt")
ALWAYS_A_MAN = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)
WATCHES_WORDS_TOO = ROOT / "tests" / "clauses" / "test_register.py"


def test_equal_totals_stand_off() -> None:
    """None of the five documents has another word for it."""
    for path in project_files():
        if path.suffix in TEXT and path != WATCHES_WORDS_TOO:
            for number, line in enumerate(text_of(path).splitlines(), start=1):
                assert not FOREIGN_WORD.search(line), (
                    f"{path.relative_to(ROOT)}:{number}: say stand off: {line.strip()}"
                )


def test_a_person_is_they() -> None:
    for path in project_files():
        ours = path.relative_to(ROOT).parts[0] in ("docs", "src") or path.parent == ROOT
        if ours and path.suffix in (*TEXT, ".js", ".html"):
            for number, line in enumerate(text_of(path).splitlines(), start=1):
                assert not ALWAYS_A_MAN.search(line), f"{path.relative_to(ROOT)}:{number}: say they: {line.strip()}"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_engine_and_ledger_do_not_know_a_rulebook_by_name(rulebook: str) -> None:
    for module, tree in modules().items():
        if room_of(module) in ("basics", "table", "ledger"):
            for node in ast.walk(tree):
                named = isinstance(node, ast.Constant) and node.value == rulebook
                assert not named, f"{module}:{getattr(node, 'lineno', 0)} names {rulebook}: make the difference a term"


def test_nobody_compares_with_the_name_of_a_rulebook() -> None:
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                compared = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                found = compared & set(RULEBOOKS)
                assert not found, f"{module}:{node.lineno} compares with {found}: make the difference a term"
            elif isinstance(node, ast.MatchValue) and isinstance(node.value, ast.Constant):
                assert node.value.value not in RULEBOOKS, f"{module}:{node.lineno} matches {node.value.value}"
