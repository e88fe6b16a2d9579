"""Pitboss runs, audits and analyses Australian pontoon and Blackjack Challenge exactly as the approved rules say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from pitboss.rulebooks import load, vary
    from pitboss.table.engine import decide, evolve, open_table, play, refusal
    from pitboss.table.legal import legal_acts, waiting_for

_HOMES = {
    "decide": "pitboss.table.engine",
    "evolve": "pitboss.table.engine",
    "open_table": "pitboss.table.engine",
    "play": "pitboss.table.engine",
    "refusal": "pitboss.table.engine",
    "legal_acts": "pitboss.table.legal",
    "waiting_for": "pitboss.table.legal",
    "load": "pitboss.rulebooks",
    "vary": "pitboss.rulebooks",
}
__all__ = ["decide", "evolve", "legal_acts", "load", "open_table", "play", "refusal", "vary", "waiting_for"]


def __getattr__(name: str) -> Any:
    """Names are looked up when they are first used, so that importing the package costs nothing."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pitboss' has no attribute {name!r}")
