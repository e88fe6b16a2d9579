"""Which functions are behind an act: why it is refused, and what comes of it.

A chapter marks the function that carries an act out, ``@carries_out(a.Double, refuse_double)``; the engine finds both
by the act.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pitboss.table.acts import Act
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run
from pitboss.table.state import Table

CHAPTERS: dict[type[Act], tuple[Callable[[Table, Any], Refusal | None], Callable[[Run, Any], None]]] = {}

A = TypeVar("A", bound=Act)


def carries_out(
    act: type[A], refuse: Callable[[Table, A], Refusal | None]
) -> Callable[[Callable[[Run, A], None]], Callable[[Run, A], None]]:
    """Mark the function that emits what comes of an act; `refuse` says why not."""

    def marked(emit: Callable[[Run, A], None]) -> Callable[[Run, A], None]:
        CHAPTERS[act] = (refuse, emit)
        return emit

    return marked
