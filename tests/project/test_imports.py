"""Rooms import from rooms on their left only, and the table knows neither clock nor chance nor files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.project.sources import ROOT, imports_of, modules, room_of, text_of

MAY_IMPORT: dict[str, set[str]] = {
    "basics": set(),
    "rulebooks": {"basics"},
    "table": {"basics", "rulebooks"},
    "patrons": {"basics", "rulebooks", "table"},
    "papers": {"basics", "rulebooks"},
    "tournament": {"basics", "rulebooks", "table", "papers"},
    "promotions": {"basics", "rulebooks", "table", "papers"},
    "ledger": {"basics", "rulebooks", "table"},
    "reports": {"basics", "rulebooks", "table", "patrons", "ledger"},
    "registers": {"basics", "rulebooks", "table", "patrons"},
    "maths": {"basics", "rulebooks"},
    "strategy": {"basics", "rulebooks", "maths"},
    "calculator": {"basics", "rulebooks", "maths", "strategy"},
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
        "registers",
        "layout",
        "papers",
        "tournament",
        "promotions",
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
        "registers",
        "papers",
        "tournament",
        "promotions",
    },
    "coach": {"basics", "rulebooks", "table", "maths", "strategy", "records"},
    "learners": {"basics", "rulebooks", "table", "ledger", "chance", "maths"},
    "front door": {"basics", "rulebooks", "table", "ledger", "records", "chance"},
    "commands": {
        "basics",
        "rulebooks",
        "maths",
        "strategy",
        "coach",
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
        "registers",
        "papers",
        "tournament",
        "promotions",
        "layout",
        "calculator",
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
PURE = ("basics", "table", "patrons", "papers", "tournament", "promotions", "ledger", "registers")
CALLS_TO_THE_WORLD = {"open", "print", "input", "exec", "eval", "breakpoint", "now", "utcnow", "today"}


def pure_ones() -> Iterator[tuple[str, ast.Module]]:
    return ((module, tree) for module, tree in modules().items() if room_of(module) in PURE)


def test_a_room_imports_only_from_rooms_on_its_left() -> None:
    for module, tree in modules().items():
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
    return room if room in MAY_IMPORT else "front door"


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


def test_the_table_knows_neither_clock_nor_chance_nor_files() -> None:
    for module, tree in pure_ones():
        for line, name in imports_of(module, tree):
            found = {part for part in OUTSIDE_WORLD if name == part or name.startswith(part + ".")}
            assert not found, f"{module}:{line} imports {name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                assert called not in CALLS_TO_THE_WORLD, f"{module}:{node.lineno} calls {called}"


def test_one_file_knows_chance() -> None:
    for module, tree in modules().items():
        for line, name in imports_of(module, tree):
            numpys = name.startswith("numpy.random") and room_of(module) not in ("maths", "learners")
            if numpys or name.partition(".")[0] in ("random", "secrets", "uuid"):
                told = f"{module}:{line} imports {name}: chance is asked in pitboss.chance only"
                assert module == "pitboss.chance", told


def test_money_is_whole_cents() -> None:
    for module, tree in pure_ones():
        for node in ast.walk(tree):
            divides = isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div)
            is_float = isinstance(node, ast.Constant) and isinstance(node.value, float)
            is_float = is_float or (isinstance(node, ast.Name) and node.id in ("float", "Decimal"))
            told = f"{module}:{getattr(node, 'lineno', 0)} computes with fractions of a cent"
            assert not divides and not is_float, told
