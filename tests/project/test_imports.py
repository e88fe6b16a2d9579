"""Rooms import from rooms on their left only, and the table knows neither clock nor chance nor files."""

from __future__ import annotations

import ast
import re

import pytest

from tests.project.sources import ROOT, imports_of, modules, room_of, text_of

MAY_IMPORT: dict[str, set[str]] = {
    "basics": set(),
    "rulebooks": {"basics"},
    "table": {"basics", "rulebooks"},
    "patrons": {"basics", "rulebooks", "table"},
    "tournament": {"basics", "rulebooks", "table"},
    "ledger": {"basics", "rulebooks", "table"},
    "reports": {"basics", "rulebooks", "table", "patrons", "ledger"},
    "maths": {"basics", "rulebooks"},
    "strategy": {"basics", "rulebooks", "maths"},
    "layout": {"basics", "rulebooks"},
    "chance": {"basics"},
    "records": {"basics", "rulebooks", "table", "ledger"},
    "adjudicate": {"basics", "rulebooks", "table", "ledger", "records"},
    "drill": {"basics", "rulebooks", "table", "ledger", "records", "chance", "adjudicate"},
    "terminal": {"basics", "rulebooks", "table", "ledger", "records", "chance"},
    "store": {"basics", "chance"},
    "floor": {
        "basics",
        "rulebooks",
        "table",
        "ledger",
        "records",
        "chance",
        "drill",
        "store",
        "patrons",
        "reports",
        "layout",
    },
    "server": {
        "basics",
        "rulebooks",
        "table",
        "ledger",
        "reports",
        "records",
        "chance",
        "adjudicate",
        "drill",
        "store",
        "floor",
        "patrons",
    },
    "learners": {"basics", "rulebooks", "table", "ledger", "chance", "maths"},
    "front door": {"basics", "rulebooks", "table", "ledger", "records", "chance"},
    "commands": {
        "basics",
        "rulebooks",
        "maths",
        "strategy",
        "table",
        "ledger",
        "reports",
        "records",
        "chance",
        "adjudicate",
        "drill",
        "terminal",
        "front door",
        "learners",
        "store",
        "floor",
        "server",
        "patrons",
        "tournament",
        "layout",
    },
    "cli": {"store"},
    "__main__": {"cli"},
}
"""What each room may import besides itself. `cli` names its commands in words and imports none; of the store it knows
how the address of a log is shown without its password.

`maths` does not know the table, so that each can check the other; nor does what runs at a live table know `maths`.
"""

OUTSIDE_WORLD = {
    "asyncio", "datetime.datetime.now", "io", "logging", "multiprocessing", "os", "pathlib", "pitboss.chance", "random",
    "secrets", "shutil", "socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
PURE = ("basics", "table", "patrons", "tournament", "ledger")
CALLS_TO_THE_WORLD = {"open", "print", "input", "exec", "eval", "breakpoint", "now", "utcnow", "today"}

OURS = [pytest.param(name, tree, id=name) for name, tree in modules().items()]
PURE_ONES = [pytest.param(name, tree, id=name) for name, tree in modules().items() if room_of(name) in PURE]


@pytest.mark.parametrize(("module", "tree"), OURS)
def test_a_room_imports_only_from_rooms_on_its_left(module: str, tree: ast.Module) -> None:
    room = room_of(module)
    assert room in MAY_IMPORT, f"{room} is a new room: say in MAY_IMPORT what it may import"
    for line, name in imports_of(module, tree):
        if name.partition(".")[0] == "pitboss":
            other = _room_imported(name)
            assert other == room or other in MAY_IMPORT[room], (
                f"{module}:{line} imports {name}: {room} may not know {other}"
            )


def _room_imported(name: str) -> str:
    """`pitboss.table.acts.Hit` is in `table`; `pitboss.play`, which `pitboss` itself hands out, is in `front door`."""
    room = name.split(".")[1] if "." in name else "front door"
    return room if room in {room_of(module) for module in modules()} else "front door"


def test_the_page_shows_the_same_graph() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|$", text_of(ROOT / "CONTRIBUTING.md"), re.MULTILINE)
    shown = {
        room: set() if known == "nothing" else set(known.split(", ")) for room, known in rows if room in MAY_IMPORT
    }
    assert shown == MAY_IMPORT


def test_the_graph_of_rooms_has_no_circle() -> None:
    left = dict(MAY_IMPORT)
    while left:
        free = [room for room, others in left.items() if not others & set(left)]
        assert free, f"these rooms import each other in a circle: {sorted(left)}"
        left = {room: others for room, others in left.items() if room not in free}


@pytest.mark.parametrize(("module", "tree"), PURE_ONES)
def test_the_table_knows_neither_clock_nor_chance_nor_files(module: str, tree: ast.Module) -> None:
    for line, name in imports_of(module, tree):
        found = {part for part in OUTSIDE_WORLD if name == part or name.startswith(part + ".")}
        assert not found, f"{module}:{line} imports {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in CALLS_TO_THE_WORLD, f"{module}:{node.lineno} calls {called}"


@pytest.mark.parametrize(("module", "tree"), OURS)
def test_one_file_knows_chance(module: str, tree: ast.Module) -> None:
    for line, name in imports_of(module, tree):
        if name.partition(".")[0] in ("random", "secrets"):
            assert module == "pitboss.chance", f"{module}:{line} imports {name}: chance is asked in pitboss.chance only"


@pytest.mark.parametrize(("module", "tree"), PURE_ONES)
def test_money_is_whole_cents(module: str, tree: ast.Module) -> None:
    for node in ast.walk(tree):
        divides = isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div)
        is_float = isinstance(node, ast.Constant) and isinstance(node.value, float)
        is_float = is_float or (isinstance(node, ast.Name) and node.id in ("float", "Decimal"))
        assert not divides and not is_float, f"{module}:{getattr(node, 'lineno', 0)} computes with fractions of a cent"
