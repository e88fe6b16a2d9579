"""The kinds of lines that the documentation names are those that there are."""

from __future__ import annotations

import re
from pathlib import Path

from pitboss.registers.kinds import AT_TABLES, IN_FILES, RETURNED
from pitboss.registers.model import REGISTERS

DOCS = Path(__file__).parents[2] / "docs" / "registers.md"


def documented() -> dict[str, str]:
    """What the table of kinds says of each register."""
    text = DOCS.read_text(encoding="utf-8").partition("## Kinds of lines")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| `([\w-]+)` \| (.+) \|$", text, re.M))


def test_every_register_and_every_kind_is_named() -> None:
    said = documented()
    assert list(said) == list(REGISTERS)
    for register, kind in {*AT_TABLES.values(), *IN_FILES.values(), *RETURNED.values()}:
        assert re.search(rf"\b{re.escape(kind)}\b", said[register]), (register, kind)
