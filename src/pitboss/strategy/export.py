"""A chart as a file: TOML as `pitboss simulate --strategy` takes it, or JSON with everything."""

from __future__ import annotations

import json
from pathlib import Path

from pitboss.strategy.book import UPS, StrategyBook, as_json


def written(book: StrategyBook, path: Path) -> str:
    """The text for a file of this name."""
    if path.suffix == ".toml":
        return as_toml(book)
    return json.dumps(as_json(book), ensure_ascii=False, indent=1) + "\n"


def as_toml(book: StrategyBook) -> str:
    """Rows of ten letters; the narrower row holds."""
    lines = [
        f"# {book.rulebook}, {book.shoe}: by {book.level}",
        f"# value {book.ev:+.6%} of the original wager, {book.cost:.6%} less than best play by all cards",
        f"# columns: the dealer's {' '.join(UPS)}",
    ]
    sections = {"suited": "bonus"}
    for section in ("hard", "soft", "pair", "suited", "forfeit"):
        rows = book.section(section)
        if rows:
            lines += ["", f"[{sections.get(section, section)}]"]
            lines += [f"{_key(row.key)} = {json.dumps(row.letters)}" for row in rows]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if key.isalnum() else json.dumps(key)
