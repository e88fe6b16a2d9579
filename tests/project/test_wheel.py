"""What is installed is complete: rulebooks are data, and the data is in the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pitboss.rulebooks import RULEBOOKS
from tests.project.sources import PACKAGE, ROOT

DATA = sorted(path for kind in ("*.toml", "*.tsv", "*.tcss", "py.typed") for path in PACKAGE.rglob(kind))

PAGES = sorted(
    path
    for folder in (PACKAGE / "web", PACKAGE / "calculator" / "page")
    for path in folder.rglob("*")
    if path.is_file() and path.suffix not in (".py", ".pyc")
)
"""What browsers are sent, with the licence of what is not ours."""


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)], cwd=ROOT, check=True)
    (wheel,) = target.glob("pitboss-*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_every_rulebook_has_its_data_in_the_wheel(wheel_names: set[str]) -> None:
    folders = {path.parent for path in DATA if path.name == "terms.toml"}
    assert len(folders) == len(RULEBOOKS)
    assert {_packed(path) for path in DATA} <= wheel_names


def test_every_page_is_in_the_wheel(wheel_names: set[str]) -> None:
    assert {path.suffix for path in PAGES} >= {".html", ".js", ".css"} and "LICENSE" in {path.stem for path in PAGES}
    assert {_packed(path) for path in PAGES} <= wheel_names


def test_every_module_is_in_the_wheel_and_nothing_else(wheel_names: set[str]) -> None:
    modules = {_packed(path) for path in PACKAGE.rglob("*.py")}
    assert modules <= wheel_names
    assert all(name.startswith(("pitboss/", "pitboss-")) for name in wheel_names)


def _packed(path: Path) -> str:
    return path.relative_to(PACKAGE.parent).as_posix()
