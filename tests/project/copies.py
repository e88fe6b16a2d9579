"""A copy of the project, to be changed and run: what a page says about extending it is done there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.project.sources import ROOT, project_files

SIXTH = "sixth-pontoon-2030"


def copy_project(target: Path) -> Path:
    """All files of the project in a folder of their own."""
    for file in project_files():
        place = target / file.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, place)
    return target


def add_rulebook(project: Path, name: str = SIXTH, like: str = "nsw-pontoon") -> Path:
    """One more rulebook in a copy: the terms and clauses of another, with a name of its own and fewer decks."""
    books = project / "src" / "pitboss" / "rulebooks"
    folder = books / name.replace("-", "_")
    shutil.copytree(books / like.replace("-", "_"), folder)
    terms = folder / "terms.toml"
    words = name.replace("-", " ").capitalize()
    text = terms.read_text(encoding="utf-8")
    changes = {r'(name +)= \{ is = "[^"]*"': f'= {{ is = "{words}"', r"(decks_default +)= \{ is = 8": "= { is = 6"}
    for pattern, changed in changes.items():
        text, times = re.subn(f"(?m)^{pattern}", rf"\1{changed}", text)
        assert times == 1
    terms.write_text(text, encoding="utf-8")
    return folder


def run(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`python ...` in a copy; only the copy's modules are found."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV"))}
    environment = {**outer, "PYTHONPATH": str(project / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words], cwd=project, env=environment, capture_output=True, encoding="utf-8"
    )  # fmt: skip
