"""Which tests carry which clause, read from the checkout without running anything.

A test carries a clause if it is a Python test marked ``@pytest.mark.clause("nsw-pontoon", "12.1.4.1")``, or a record
under ``tests/rounds``, of a promotion, a tournament or a floor, whose ``clauses`` name it. Only the clause named is
carried: neither its parent nor its children.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from pitboss.rulebooks.load import terms
from pitboss.rulebooks.terms import FixedRow, PayRow, Restriction, Rulebook, Term
from pitboss.rulebooks.vocabulary import CLAUSE_LISTS

NOT_RUN = frozenset({"skip", "xfail"})
"""A test under one of these marks carries nothing: it would hide a bare clause."""


class Carried(msgspec.Struct, frozen=True):
    """One clause, named by one test."""

    rulebook: str
    clause: str
    test: str
    """As `pytest` would select it, or the path of a record."""


class Unreadable(msgspec.Struct, frozen=True):
    """Something in the tests that cannot be read without running it."""

    place: str
    what: str


class Coverage:
    """What the tests of one checkout carry."""

    def __init__(self, found: Iterable[Carried | Unreadable]) -> None:
        found = tuple(found)
        self.carried = tuple(item for item in found if isinstance(item, Carried))
        self.unreadable = tuple(item for item in found if isinstance(item, Unreadable))
        self._tests: dict[tuple[str, str], dict[str, None]] = {}
        for item in self.carried:
            self._tests.setdefault((item.rulebook, item.clause), {})[item.test] = None

    def tests(self, rulebook_id: str, clause: str) -> tuple[str, ...]:
        """The tests that carry this very clause, by name."""
        return tuple(self._tests.get((rulebook_id, clause), ()))


def tests_folder() -> Path | None:
    """The tests of the checkout that this package runs from; None where it is installed without them."""
    checkout = Path(__file__).resolve().parents[3]
    folder = checkout / "tests"
    return folder if folder.is_dir() and (checkout / "pyproject.toml").is_file() else None


def scan(tests: Path) -> Coverage:
    """Read every test module and every record under a folder of tests."""
    found: list[Carried | Unreadable] = []
    for path in sorted(tests.rglob("*.py")):
        found.extend(_in_module(path, _name(path, tests)))
    records = (
        *(tests / "rounds").rglob("*.round"),
        *(each for kind in ("promotion", "tournament", "floor") for each in tests.rglob(f"*.{kind}")),
    )
    for path in sorted(records):
        found.extend(_in_record(path, _name(path, tests)))
    return Coverage(found)


def _name(path: Path, tests: Path) -> str:
    return path.relative_to(tests.parent).as_posix()


# --- records ---------------------------------------------------------------------------------------------------------


def _in_record(path: Path, name: str) -> Iterator[Carried | Unreadable]:
    try:
        record = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        yield Unreadable(name, f"not TOML: {error}")
        return
    conditions = record.get("conditions")  # of a promotion or a tournament
    rulebook = (conditions if isinstance(conditions, dict) else record).get("rulebook")
    clauses = record.get("clauses", [])
    if not isinstance(rulebook, str) or not _are_strings(clauses):
        yield Unreadable(name, "rulebook must be a name, and clauses a list of clauses")
    elif not record.get("variant"):  # a study variant says nothing about the document
        yield from (Carried(rulebook, clause, name) for clause in clauses)


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# --- Python tests ----------------------------------------------------------------------------------------------------

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _in_module(path: Path, name: str) -> Iterator[Carried | Unreadable]:
    source = path.read_text(encoding="utf-8")
    if "clause" not in source:
        return
    try:
        module = ast.parse(source)
    except SyntaxError as error:
        yield Unreadable(f"{name}:{error.lineno}", "not Python")
        return
    yield from _in_body(module.body, name, name)


def _in_body(body: list[ast.stmt], where: str, file: str) -> Iterator[Carried | Unreadable]:
    """The marks on the tests in a module or class, and the marks that `pytestmark` puts on all of them."""
    whole = [mark for statement in body for mark in _pytestmark(statement)]
    if NOT_RUN & {_mark_name(mark) for mark in whole}:
        return
    yield from _carried(whole, where, file)
    for statement in body:
        if isinstance(statement, Definition) and _is_collected(statement):
            marks = statement.decorator_list
            if NOT_RUN & {_mark_name(mark) for mark in marks}:
                continue
            test = f"{where}::{statement.name}"
            yield from _carried([*marks, *_parameter_marks(marks)], test, file)
            if isinstance(statement, ast.ClassDef):
                yield from _in_body(statement.body, test, file)


def _is_collected(statement: Definition) -> bool:
    return statement.name.startswith("Test" if isinstance(statement, ast.ClassDef) else "test")


def _pytestmark(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets, value = [statement.target], statement.value
    else:
        return []
    if not any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in targets):
        return []
    return value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]


def _parameter_marks(marks: list[ast.expr]) -> list[ast.expr]:
    """Marks on single parameters: ``pytest.param(..., marks=pytest.mark.clause(...))``."""
    found: list[ast.expr] = []
    for mark in marks:
        for node in ast.walk(mark):
            if isinstance(node, ast.keyword) and node.arg == "marks":
                found.extend(node.value.elts if isinstance(node.value, (ast.List, ast.Tuple)) else [node.value])
    return found


def _mark_name(mark: ast.expr) -> str:
    """``clause`` for ``pytest.mark.clause(...)``, and for ``clause(...)`` where the mark was given that name."""
    function = mark.func if isinstance(mark, ast.Call) else mark
    match function:
        case ast.Attribute(attr=name, value=ast.Attribute(attr="mark") | ast.Name(id="mark")):
            return name
        case ast.Name(id="clause"):
            return "clause"
    return ""


def _carried(marks: list[ast.expr], test: str, file: str) -> Iterator[Carried | Unreadable]:
    for mark in marks:
        if _mark_name(mark) != "clause" or not isinstance(mark, ast.Call):
            continue
        words = [word.value for word in mark.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]
        if len(words) < 2 or len(words) != len(mark.args) or mark.keywords:
            what = 'a clause mark is read as it stands: clause("nsw-pontoon", "12.1"), all in plain strings'
            yield Unreadable(f"{file}:{mark.lineno}", what)
        else:
            yield from (Carried(words[0], clause, test) for clause in words[1:])


# --- terms -----------------------------------------------------------------------------------------------------------


class Citation(msgspec.Struct, frozen=True):
    """One clause, cited by one term of a rulebook."""

    clause: str
    term: str
    """Where it is, as in ``doubling.aces``."""
    value: object
    reading: str | None


def citations(rulebook: Rulebook) -> tuple[Citation, ...]:
    """Every clause that a rulebook's terms cite, in the order of the terms."""
    return tuple(citation for key, term in terms(rulebook) for citation in _cited_by(key, term))


def _cited_by(key: str, term: Term[object]) -> Iterator[Citation]:
    yield from (Citation(clause, key, term.value, term.reading) for clause in term.clauses)
    if isinstance(term.value, tuple):
        for row in term.value:
            if isinstance(row, (PayRow, FixedRow, Restriction)):
                yield from (Citation(clause, f"{key}.{row.name}", row, term.reading) for clause in row.clauses)
            elif key in CLAUSE_LISTS:
                yield Citation(row, key, term.value, term.reading)
    elif isinstance(term.value, dict):  # such a term says which clause decides each case
        for name, clause in term.value.items():
            yield Citation(clause, f"{key}.{name}", clause, term.reading)
