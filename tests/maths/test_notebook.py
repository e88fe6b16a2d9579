"""The notebook runs, and its tables are those of the pages."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTEBOOK = DOCS / "notebook" / "tables.ipynb"


def test_the_notebook_works_out_the_tables_of_the_pages() -> None:
    """Every cell in order: it prints what is kept beside it, and the two tables stand on the pages line by line."""
    names: dict[str, object] = {}
    printed: list[str] = []
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        said = io.StringIO()
        with redirect_stdout(said):
            exec(compile("".join(cell["source"]), f"{NOTEBOOK.name} {cell['id']}", "exec"), names)
        kept = "".join(line for output in cell["outputs"] for line in output["text"])
        assert said.getvalue() == kept, cell["id"]
        printed += said.getvalue().splitlines()
    for page, first in (("maths.md", "| rulebook | 8 decks"), ("simulate.md", "| rulebook | `optimal`")):
        at = next(number for number, line in enumerate(printed) if line.startswith(first))
        table = "\n".join(printed[at : at + 6])
        assert table in (DOCS / page).read_text(encoding="utf-8"), f"{page} has another table:\n{table}"
