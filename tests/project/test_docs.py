"""What the pages show is what happens: examples run, commands print it, records hold, links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pitboss.cli import COMMANDS
from tests.project.sources import PAGES, ROOT, text_of


class Block(NamedTuple):
    language: str
    line: int
    text: str


def blocks(page: Path, *languages: str) -> list[Block]:
    """The fenced blocks of a page in these languages."""
    fence = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    text = text_of(page)
    found = [Block(match[1], text.count("\n", 0, match.start()) + 2, match[2]) for match in fence.finditer(text)]
    return [block for block in found if block.language in languages]


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python", "pycon")], ids=page_id)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All examples of a page are one session, from top to bottom, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    for block in blocks(page, "python", "pycon"):
        assert ">>> " in block.text, f"{page_id(page)}:{block.line}: an example without a prompt cannot be checked"
        test = doctest.DocTestParser().get_doctest(block.text, names, page_id(page), str(page), block.line - 1)
        runner.run(test, out=report.append, clear_globs=False)
        names.update(test.globs)
    assert not runner.summarize(verbose=False).failed, "".join(report)


SHOWN = [
    pytest.param(page, block, id=f"{page_id(page)}:{block.line}") for page in PAGES for block in blocks(page, "console")
]


@pytest.mark.parametrize(("page", "block"), SHOWN)
def test_commands_print_what_is_shown(page: Path, block: Block) -> None:
    """A console block is `$ pitboss ...` and what it prints; `...` stands for what is left out."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"{page_id(page)}:{block.line}: a console block begins with a command"
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    for part in parts[1:]:
        command, _, shown = part.partition("\n")
        words = shlex.split(command.partition(" #")[0])
        assert words[0] == "pitboss", f"{page_id(page)}:{block.line}: show pitboss commands only, not {words[0]}"
        run = subprocess.run(
            [sys.executable, "-m", "pitboss", *words[1:]],
            cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, timeout=300,
        )  # fmt: skip
        if shown.strip():
            printed = run.stdout + run.stderr
            matches = doctest.OutputChecker().check_output(
                shown.strip() + "\n", printed.strip() + "\n", doctest.ELLIPSIS
            )
            assert matches, f"{page_id(page)}:{block.line}: {command}\n--- printed\n{printed}\n--- shown\n{shown}"
        assert run.returncode in (0, 1, 2), f"{command}: exit code {run.returncode}\n{run.stderr}"


def test_the_first_page_names_every_command() -> None:
    text = text_of(ROOT / "README.md")
    for command in COMMANDS:
        for each in command.under or (command,):
            name = f"{command.name} {each.name}" if command.under else command.name
            assert re.search(rf"^\| `pitboss {name}\b", text, re.MULTILINE), f"README.md does not name {name}"


def test_the_list_of_pages_is_complete() -> None:
    text = text_of(ROOT / "docs" / "index.md")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in text, f"docs/index.md does not lead to {page.name}"


RECORDS = [
    pytest.param(page, block, id=f"{page_id(page)}:{block.line}")
    for page in PAGES
    for block in blocks(page, "toml")
    if re.search(r"^play\s*=", block.text, re.MULTILINE)
]


@pytest.mark.parametrize(("page", "block"), RECORDS)
def test_records_hold(page: Path, block: Block, tmp_path: Path) -> None:
    file = tmp_path / "shown.round"
    file.write_text(block.text, encoding="utf-8")
    run = subprocess.run([sys.executable, "-m", "pitboss", "replay", str(file)], capture_output=True, encoding="utf-8")
    assert run.returncode == 0, f"{page_id(page)}:{block.line}\n{run.stdout}{run.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(page)):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page_id(page)} points at {target}, which is not there"
