"""What pages say: in the words of the glossary, without ids, and all through one catalogue."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import pitboss
from tests.web.texts import CATALOGUE, WEB, texts, texts_of

ROOT = Path(pitboss.__file__).parent
WORDS = tomllib.loads((WEB / "texts" / "glossary.toml").read_text("utf-8"))["word"]
SPEAKING = ("adjudicate", "drill", "floor", "patrons", "registers", "reports", "rulebooks", "server", "store", "table")
INTERNAL = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-|\b[0-9a-f]{24,}\b"  # ids and digests
    r"|\b\d+(?:\.\d+)*:[A-Z]|\bdef:"  # keys of clauses
    r"|\b[a-z]+_[a-z_]+\b|\b[a-z]+\.[a-z]+_[a-z]+\b"  # names of terms
    r"|\b(?:[A-Z][a-z]+){2,}\b"  # names of acts and events
    r"|\b(?:nsw|adelaide|canberra)-[a-z]+|\b(?:gaming|casino)-[a-z]+\b|\bundefined\b|\bNaN\b|\[object"
)
ONE_SEX = re.compile(r"\b(?:s?[h]e|[h]i[ms](?:self)?|[h]er(?:s|self)?)\b", re.IGNORECASE)
"""A person is "they"."""
PRINTED_SO = re.compile(r"\bJavaScript\b|\bnsw-(?:pontoon|blackjack-challenge)\b(?=\")")


def not_to_be_said(text: str, *, pages: bool = True) -> str:
    """What the glossary does not want in this text."""
    if found := ONE_SEX.search(text):
        return f"{found[0]!r} in {text!r}: a person is they"
    for word in WORDS:
        if pages or not word.get("pages_only"):
            for other in word["not"]:
                if found := re.search(rf"(?<![\w-])(?:{other})(?![\w-])", text, re.IGNORECASE):
                    return f"{found[0]!r} in {text!r}: say {word['say']!r}"
    return ""


def internal_in(text: str) -> list[str]:
    return INTERNAL.findall(PRINTED_SO.sub("", text))


def test_the_catalogue_is_current() -> None:
    found, told = texts(), json.loads(CATALOGUE.read_text("utf-8"))
    missing, left = sorted(set(found) - set(told)), sorted(set(told) - set(found))
    assert found == told, f"run python -m tests.web.texts (new: {missing[:5]}, no longer said: {left[:5]})"


def test_texts_are_taken_out_of_templates_and_strings() -> None:
    source = (
        'const a = html`<p class="no ${x ? " yes" : ""}">Take <b>${n}</b> cards${n ? ` of ${of}` : ""}</p>\n'
        '  <input aria-label="The amount" value=${`a b ${c}`} /> ${/a`b/.test(c) && "never mind"}`; // it`s'
    )
    assert set(texts_of(source)) == {"Take <b>{0}</b> cards{1}", "of {0}", "The amount", "never mind"}


def test_pages_speak_in_the_words_of_the_glossary() -> None:
    wrong = [not_to_be_said(text) or (internal_in(text) and text) for text in texts() if not text.startswith("title =")]
    assert not [each for each in wrong if each]


def _sentences() -> Iterator[tuple[str, str]]:
    """Strings of the rooms that speak to people, without the remarks in the code."""
    for path in (path for room in SPEAKING for path in sorted((ROOT / room).rglob("*.py"))):
        tree = ast.parse(path.read_text("utf-8"))
        remarks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            said = isinstance(node, ast.Constant) and id(node) not in remarks and node.value
            if isinstance(said, str) and " " in said:
                yield f"{path.name}:{getattr(node, 'lineno', 0)}", said


def _commands_and_docs() -> Iterator[tuple[str, str]]:
    """What the commands say of themselves, and lines of the docs without what is code or an address."""
    for path in sorted((ROOT / "commands").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.name}: {node.name}", ast.get_docstring(node) or ""
    for path in (ROOT.parents[1] / "README.md", *sorted((ROOT.parents[1] / "docs").glob("*.md"))):
        prose = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for line in re.sub(r"`[^`]*`|\]\([^)]*\)", "", prose).splitlines():
            yield path.name, line


ORDINARY = ("'posted to'", "'answers that'")
"""Said of buttons and lists these are not our words; of postings in a ledger and of what a server answers they are."""


def test_commands_and_docs_speak_in_the_words_of_the_glossary() -> None:
    found = [(place, not_to_be_said(text, pages=False)) for place, text in _commands_and_docs()]
    assert len(found) > 1000
    assert not [(place, wrong) for place, wrong in found if wrong and not wrong.startswith(ORDINARY)]


def test_the_server_speaks_in_the_words_of_the_glossary() -> None:
    assert not [(place, wrong) for place, text in _sentences() if (wrong := not_to_be_said(text, pages=False))]


@pytest.mark.parametrize(
    "text", ["who may do what", "s" + "he wins", "10.5:T1:pontoon", "deal.soft_stand", "PlaceWager"]
)
def test_what_should_not_be_said_is_found(text: str) -> None:
    assert not_to_be_said(text) or internal_in(text)
