"""Prints the tests that matter while typing, for `make check`: the engine's and the project's, and those near a change.

Near a changed `src/pitboss/floor/link.py` is `tests/floor/test_link.py`; near a changed test is that test.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALWAYS = (
    "tests/table",
    "tests/rulebooks",
    "tests/records/test_replaying.py",
    "tests/project/test_imports.py",
    "tests/project/test_files.py",
    "tests/project/test_words.py",
)


def changed() -> list[str]:
    """What git sees changed or new; nothing where there is no git."""
    try:
        words = ["git", "-c", "core.quotePath=off", "status", "--porcelain", "--no-renames", "-uall"]
        listed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    return [line[3:] for line in listed.splitlines()]


def nearby(files: list[str]) -> list[str]:
    """The tests of the changed files, without those that always run."""
    found = set()
    for file in map(Path, files):
        room = file.parts[2:-1] if file.parts[:2] == ("src", "pitboss") else ()
        near = Path("tests", *room, f"test_{file.name}") if room else file
        if near.parts[0] == "tests" and near.name.startswith("test_") and (ROOT / near).is_file():
            found.add(str(near))
    return sorted(near for near in found if not near.startswith(ALWAYS))


if __name__ == "__main__":
    print(*ALWAYS, *nearby(changed()))
