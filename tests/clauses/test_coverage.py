"""Every kept clause has a test that carries it, and every clause that is cited anywhere exists."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pitboss
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists, register, register_path
from pitboss.rulebooks.coverage import Coverage, citations, scan
from pitboss.table import events

TESTS = Path(__file__).parents[1]
SOURCE = Path(pitboss.__file__).parent
RECORDS = sorted((TESTS / "rounds").rglob("*.round"))
REFUSED = re.compile(r"=>\s*refused\s+(.+)")


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    return scan(TESTS)


# --- the gate --------------------------------------------------------------------------------------------------------


def test_every_kept_clause_has_a_test(coverage: Coverage) -> None:
    bare = {
        rulebook: [row.key for row in register(rulebook).values() if row.kept and not coverage.tests(rulebook, row.key)]
        for rulebook in RULEBOOKS
    }
    lines = [f"{rulebook} ({len(keys)}): {', '.join(keys)}" for rulebook, keys in bare.items() if keys]
    assert not lines, "\n".join(["kept, but no test carries them:", *lines])


def _number(key: str) -> int:
    return int(found.group()) if (found := re.match(r"\d+", key)) else 0


def _when_things_go_wrong(rulebook: str, key: str) -> bool:
    """The rules on irregularities, on the shuffling device, and on conduct, voids and disturbances."""
    if rulebook == "adelaide-pontoon-2008":
        return key in ("38(b)", "38(b):tail", "43") or 101 <= _number(key) <= 113 or 117 <= _number(key) <= 120
    if rulebook.startswith("canberra"):
        return _number(key) in (15, 17, 19)
    first, device, general = (17, 18, 19) if rulebook == "nsw-pontoon" else (18, 19, 20)
    return _number(key) in (first, device) or bool(re.match(rf"{general}\.(8|9|10)(\.|$)", key))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_on_what_goes_wrong_is_kept_and_has_a_record(rulebook: str, coverage: Coverage) -> None:
    rows = [
        row
        for row in register(rulebook).values()
        if row.kind in ("play", "procedure", "limit")
        and (row.group in ("irregularity", "device") or _when_things_go_wrong(rulebook, row.key))
    ]
    assert len(rows) > 25
    assert [row.key for row in rows if not row.kept] == []
    shown = [row.key for row in rows if any(test.endswith(".round") for test in coverage.tests(rulebook, row.key))]
    assert sorted({row.key for row in rows} - set(shown)) == []


# --- what is cited exists --------------------------------------------------------------------------------------------


def test_everything_in_the_tests_can_be_read(coverage: Coverage) -> None:
    assert coverage.unreadable == ()


def test_every_clause_that_a_test_carries_exists(coverage: Coverage) -> None:
    unknown = [
        item for item in coverage.carried if item.rulebook not in RULEBOOKS or not exists(item.rulebook, item.clause)
    ]
    assert unknown == []


def test_the_scan_finds_every_mark_that_pytest_finds(
    coverage: Coverage, marked_clauses: dict[tuple[str, ...], str]
) -> None:
    carried = {(item.rulebook, item.clause) for item in coverage.carried}
    missed = {
        (rulebook, clause): test
        for (rulebook, *clauses), test in marked_clauses.items()
        for clause in clauses
        if (rulebook, clause) not in carried
    }
    assert missed == {}


def test_every_refusal_that_a_record_expects_cites_a_clause_that_exists() -> None:
    unknown = []
    for path in RECORDS:
        record = tomllib.loads(path.read_text(encoding="utf-8"))
        for line in record.get("play", []):
            found = REFUSED.search(line)
            if found and found[1].strip() != "*" and not exists(record["rulebook"], found[1].strip()):
                unknown.append(f"{path.name}: {line}")
    assert unknown == []


def test_every_record_lies_in_the_folder_of_its_rulebook() -> None:
    misplaced = [
        path.relative_to(TESTS).as_posix()
        for path in RECORDS
        if path.relative_to(TESTS / "rounds").parts[0] != tomllib.loads(path.read_text(encoding="utf-8"))["rulebook"]
    ]
    assert misplaced == []


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_that_a_term_cites_exists(rulebook: str) -> None:
    cited = citations(load(rulebook))
    assert cited
    assert [item for item in cited if not exists(rulebook, item.clause)] == []


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_clause_in_the_text_of_the_terms_exists(rulebook: str) -> None:
    terms = tomllib.loads(register_path(rulebook).with_name("terms.toml").read_text(encoding="utf-8"))
    assert [clause for clause in _clauses_in_toml(terms) if not exists(rulebook, clause)] == []


def _clauses_in_toml(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _clauses_in_toml(item)
    elif isinstance(node, dict):
        for key, item in node.items():
            if key in ("clause", "clauses"):
                yield from [item] if isinstance(item, str) else item
            else:
                yield from _clauses_in_toml(item)


def test_every_clause_that_the_source_names_exists_in_some_document() -> None:
    unknown = [
        f"{path.relative_to(SOURCE).as_posix()}:{line}: {clause}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, clause in _clauses_in_python(ast.parse(path.read_text(encoding="utf-8")))
        if not any(exists(rulebook, clause) for rulebook in RULEBOOKS)
    ]
    assert unknown == []


def _clauses_in_python(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts handed over as clauses: by that name, or as the cause of an event."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given = [word.value for word in node.keywords if word.arg in ("clause", "clauses")]
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if isinstance(getattr(events, name, None), type) and name != "Event":
            given += node.args[:1]
        for value in given:
            for item in value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]:
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    yield item.lineno, item.value


def test_clauses_in_python_source_are_seen() -> None:
    source = """
Refusal(rulebook=name, clauses=("12.1", cause), text=text)
events.HandBust(("11.5",), 1, 0, 22)
print(("not a clause",))
"""
    assert [clause for _, clause in _clauses_in_python(ast.parse(source))] == ["12.1", "11.5"]


# --- the scan itself -------------------------------------------------------------------------------------------------

MODULE = """
import pytest
from pytest import mark

clause = pytest.mark.clause
pytestmark = [pytest.mark.clause("nsw-pontoon", "1.1"), pytest.mark.slow]

@pytest.mark.clause("nsw-pontoon", "12.1.4.1", "12.1:tail")
def test_marked(): ...

@mark.clause("adelaide-pontoon-2008", "62")
async def test_marked_in_another_way(): ...

@clause("nsw-pontoon", "9.5")
@pytest.mark.clause("canberra-pontoon-2005", "9.2")
def test_marked_twice(): ...

@pytest.mark.parametrize("hand", [1, pytest.param(2, marks=pytest.mark.clause("nsw-pontoon", "13.1"))])
def test_one_parameter_marked(hand): ...

@pytest.mark.clause("nsw-pontoon", "14.4")
class TestClass:
    pytestmark = pytest.mark.clause("nsw-pontoon", "14.3")

    @pytest.mark.clause("nsw-pontoon", "14.1")
    def test_method(self): ...

@pytest.mark.clause("nsw-pontoon", "16.1")
def helper(): ...

@pytest.mark.skip(reason="not yet")
@pytest.mark.clause("nsw-pontoon", "16.2")
def test_skipped(): ...

@pytest.mark.xfail
@pytest.mark.clause("nsw-pontoon", "16.3")
def test_known_to_fail(): ...
"""


def _scanned(folder: Path, files: dict[str, str]) -> Coverage:
    for name, text in files.items():
        path = folder / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return scan(folder / "tests")


def test_marks_on_functions_classes_and_modules_are_read(tmp_path: Path) -> None:
    found = _scanned(tmp_path, {"a/test_a.py": MODULE})
    here = "tests/a/test_a.py"
    assert {(item.rulebook, item.clause): item.test.removeprefix(here) for item in found.carried} == {
        ("nsw-pontoon", "1.1"): "",
        ("nsw-pontoon", "12.1.4.1"): "::test_marked",
        ("nsw-pontoon", "12.1:tail"): "::test_marked",
        ("adelaide-pontoon-2008", "62"): "::test_marked_in_another_way",
        ("nsw-pontoon", "9.5"): "::test_marked_twice",
        ("canberra-pontoon-2005", "9.2"): "::test_marked_twice",
        ("nsw-pontoon", "13.1"): "::test_one_parameter_marked",
        ("nsw-pontoon", "14.4"): "::TestClass",
        ("nsw-pontoon", "14.3"): "::TestClass",
        ("nsw-pontoon", "14.1"): "::TestClass::test_method",
    }
    assert found.unreadable == ()


def test_a_module_that_is_not_run_carries_nothing(tmp_path: Path) -> None:
    text = (
        'import pytest\npytestmark = pytest.mark.skip\n@pytest.mark.clause("nsw-pontoon", "1.1")\ndef test_a(): ...\n'
    )
    assert _scanned(tmp_path, {"test_a.py": text}).carried == ()


@pytest.mark.parametrize(
    "mark", ["clause(RULEBOOK, '12.1')", "clause('nsw-pontoon')", "clause('nsw-pontoon', *CLAUSES)"]
)
def test_a_mark_that_only_running_could_read_is_named(tmp_path: Path, mark: str) -> None:
    found = _scanned(tmp_path, {"test_a.py": f"import pytest\n@pytest.mark.{mark}\ndef test_a(): ...\n"})
    assert found.carried == ()
    assert [item.place for item in found.unreadable] == ["tests/test_a.py:2"]


def test_a_record_carries_the_clauses_that_it_names_and_no_others(tmp_path: Path) -> None:
    record = 'rulebook = "nsw-pontoon"\nclauses = ["10.5", "12.1.4.1"]\n'
    found = _scanned(tmp_path, {"rounds/nsw-pontoon/one.round": record, "elsewhere/two.round": record})
    assert found.tests("nsw-pontoon", "10.5") == ("tests/rounds/nsw-pontoon/one.round",)
    assert found.tests("nsw-pontoon", "10.5:T1:pontoon") == ()
    assert found.tests("nsw-pontoon", "12.1.4") == ()
    assert found.tests("canberra-pontoon-2005", "10.5") == ()


def test_a_study_variant_carries_nothing(tmp_path: Path) -> None:
    record = 'rulebook = "nsw-pontoon"\nclauses = ["14.4"]\n[variant]\n"dealer.soft_stand" = 17\n'
    assert _scanned(tmp_path, {"rounds/nsw-pontoon/one.round": record}).carried == ()


@pytest.mark.parametrize(
    "record", ["rulebook = ", 'rulebook = "nsw-pontoon"\nclauses = "10.5"\n', 'clauses = ["1.1"]\n']
)
def test_a_record_that_cannot_be_read_is_named(tmp_path: Path, record: str) -> None:
    found = _scanned(tmp_path, {"rounds/nsw-pontoon/one.round": record})
    assert [item.place for item in found.unreadable] == ["tests/rounds/nsw-pontoon/one.round"]


def test_a_module_that_is_not_python_is_named(tmp_path: Path) -> None:
    found = _scanned(tmp_path, {"test_a.py": "def clause(:\n"})
    assert [item.what for item in found.unreadable] == ["not Python"]
