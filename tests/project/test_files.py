"""A bare clone is complete: no file points at a machine, at another folder or at a package registry."""

from __future__ import annotations

import os
import re
import tomllib

import pytest

from tests.project.sources import ROOT, project_files, text_of

NOT_OURS = {
    "a folder beside the project": r"\.\./sh" + r"ared",
    "a machine's folder": r"(?<![\w.~<>-])/(work|tmp|opt|root|home|Users|mnt)/" + r"\w",
    "a package registry": r"(pypi|pythonhosted|npmjs|crates)\." + r"(org|com|io)|--(extra-)?index" + r"-url[ =]\S*:",
}


@pytest.mark.parametrize("what", NOT_OURS)
def test_no_file_mentions(what: str) -> None:
    pattern = re.compile(NOT_OURS[what])
    for path in project_files():
        for number, line in enumerate(text_of(path).splitlines(), start=1):
            assert not pattern.search(line), f"{path.relative_to(ROOT)}:{number} mentions {what}: {line.strip()[:100]}"


@pytest.mark.parametrize("name", ["run", "dev"])
def test_every_pin_has_a_version_and_a_hash(name: str) -> None:
    text = text_of(ROOT / "requirements" / f"{name}.txt").replace("\\\n", " ")
    pins = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert len(pins) > 5
    for pin in pins:
        assert re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", pin), pin


def test_pins_hold_all_that_the_project_asks_for() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    everything = [requirement for extra in extras.values() for requirement in extra]
    for name, wanted in (("run", extras["web"]), ("dev", everything)):
        pinned = set(re.findall(r"^([a-z0-9-]+)==", text_of(ROOT / "requirements" / f"{name}.txt"), re.MULTILINE))
        asked = {re.split(r"[<>=\[; ]", requirement)[0] for requirement in [*project["dependencies"], *wanted]}
        assert asked - {"pitboss"} <= pinned
        assert {"hatchling", "editables"} <= pinned


@pytest.mark.parametrize("name", [".ci/run", "requirements/install"])
def test_scripts_can_be_run(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)


def test_the_version_is_in_the_changelog() -> None:
    version = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["version"]
    assert f"## {version}" in text_of(ROOT / "CHANGELOG.md")
