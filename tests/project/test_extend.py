"""The page on extending is done as it is written, from top to bottom, in a copy of the project."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

from tests.lengths import WHOLE
from tests.project.copies import copy_project, run
from tests.project.sources import ROOT, text_of

PAGE = ROOT / "docs" / "extend.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def change(project: Path, text: str) -> None:
    """Do what a diff block says: in each file the lines that stay or go are found once, and become those that stay."""
    for part in re.split(r"^@@ ", text, flags=re.MULTILINE)[1:]:
        name, _, lines = part.partition("\n")
        before = "".join(line[1:] + "\n" for line in lines.splitlines() if line[:1] != "+")
        after = "".join(line[1:] + "\n" for line in lines.splitlines() if line[:1] != "-")
        file = project / name
        if not before:
            assert not file.exists(), f"{name} is there already: say where the lines go"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(after, encoding="utf-8")
            continue
        found = file.read_text(encoding="utf-8")
        assert ("\n" + found).count("\n" + before) == 1, f"{name} has these lines not exactly once:\n{before}"
        file.write_text(("\n" + found).replace("\n" + before, "\n" + after, 1)[1:], encoding="utf-8")


def do(project: Path, command: str, shown: str) -> None:
    """A command prints what is shown; `...` stands for what is left out."""
    program, *words = command.split()
    if program == "cp":
        shutil.copytree(project / words[-2], project / words[-1])
        return
    options = ["-p", "no:cacheprovider"] if program == "pytest" else []
    done = run(project, "-m", program, *words, *options)
    printed = done.stdout + done.stderr
    assert done.returncode == 0, f"$ {command}\n{printed[-6000:]}"
    if shown.strip():
        same = doctest.OutputChecker().check_output(shown.strip() + "\n", printed.strip() + "\n", doctest.ELLIPSIS)
        assert same, f"$ {command}\n--- printed\n{printed}\n--- shown\n{shown}"


def test_everything_on_the_page_can_be_done(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project")
    seen = 0
    for language, text in BLOCK.findall(text_of(PAGE)):
        if language == "diff":
            change(project, text)
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:] if language == "text" else ():
            command, _, shown = part.partition("\n")
            do(project, command, shown)
            seen += 1
    assert seen > 8
    if WHOLE:
        do(project, "mypy", "")
