"""The pages on security say what is so: evidence is there, every alarm has its section, the bill has every pin."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from pitboss.floor.alarms import KINDS
from tests.project.sources import ROOT, text_of

ASKED = {
    "1": (2, 9, 11, 3, 2), "2": (3, 3, 4, 1), "3": (0, 2, 4, 6, 5, 0, 2), "4": (3, 1, 2, 4), "5": (1, 3, 2, 3),
    "6": (3, 12, 4, 4, 5, 3, 0, 4), "7": (3, 4, 2, 5, 2, 2), "8": (2, 3, 1, 1), "9": (3, 4),
    "10": (2, 2, 4, 11, 5, 2, 3), "11": (2, 3, 3, 4, 1, 1), "12": (3, 2, 4), "13": (1, 5, 2, 5), "14": (2, 4, 3),
    "15": (3, 3, 7), "16": (1, 5, 4, 3, 3), "17": (1, 4, 2),
}  # fmt: skip
"""How many numbers of levels 1 and 2 each section of each chapter has."""
STATES = ("met", "partly", "operator", "not here")


def rows() -> list[list[str]]:
    lines = text_of(ROOT / "docs" / "asvs.md").splitlines()
    return [line.strip("| ").split(" | ") for line in lines if re.match(r"\| \d+\.\d+\.\d+", line)]


def test_every_number_is_there_once_with_a_state_and_evidence() -> None:
    wanted = {
        f"{chapter}.{section}.{number}"
        for chapter, many in ASKED.items()
        for section, last in enumerate(many, start=1)
        for number in range(1, last + 1)
    }
    found = [number for row in rows() for number in row[0].split(", ")]
    assert len(wanted) == 253 and sorted(found) == sorted(wanted)
    assert {row[1] for row in rows()} == set(STATES)
    counted = {state: sum(len(row[0].split(", ")) for row in rows() if row[1] == state) for state in STATES}
    page = text_of(ROOT / "docs" / "asvs.md")
    for state, count in counted.items():
        assert f"| {state} | {count} |" in page


def test_all_evidence_exists_and_what_is_met_is_not_met_by_words_alone() -> None:
    for numbers, state, said, evidence in rows():
        links = re.findall(r"\]\(([^)]+)\)", evidence)
        assert links and said.endswith("."), numbers
        places = [(ROOT / "docs" / link).resolve() for link in links]
        assert all(place.exists() for place in places), (numbers, links)
        documented = numbers.split(".")[1] == "1" or numbers.startswith(("13.", "6.1", "7.1"))
        if state == "met" and not documented:
            assert any(place.suffix != ".md" for place in places), numbers


def test_every_attack_names_a_test_that_there_is() -> None:
    page = text_of(ROOT / "docs" / "security.md")
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", page)
    assert sum(bool(name) for _, name in named) >= 20
    for file, name in named:
        assert (ROOT / file).exists(), file
        assert not name or re.search(rf"^(async )?def {name}\(", text_of(ROOT / file), re.MULTILINE), (file, name)


def test_every_alarm_has_its_runbook() -> None:
    page = text_of(ROOT / "docs" / "runbooks.md")
    sections = re.findall(r"^## ([a-z-]+)$", page, re.MULTILINE)
    assert sorted(sections) == sorted(KINDS)
    for kind in KINDS:
        section = page.partition(f"## {kind}\n")[2].partition("\n## ")[0]
        assert "**Means:**" in section and re.search(r"^1\. ", section, re.MULTILINE), kind
        assert f"`{kind}`" in text_of(ROOT / "docs" / "serve.md")


def test_the_bill_of_materials_has_every_pin_with_every_hash_and_no_address() -> None:
    for name in ("run", "dev"):
        command = [sys.executable, "requirements/sbom.py", name]
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        bill = json.loads(said)
        pins = text_of(ROOT / "requirements" / f"{name}.txt")
        assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
        listed = {(each["name"], each["version"]) for each in bill["components"]}
        assert listed == set(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", pins, re.MULTILINE))
        hashes = [each["content"] for part in bill["components"] for each in part["hashes"]]
        assert sorted(hashes) == sorted(re.findall(r"sha256:([0-9a-f]{64})", pins)) and all(
            part["hashes"] for part in bill["components"]
        )
        assert "://" not in said
        assert len(bill["dependencies"][0]["dependsOn"]) == len(listed)
