"""``python -m tests.web.arranged FOLDER serve ...``: the floor, with the first cards as a test has laid them.

``FOLDER/cards`` has one line: how deep in what is shuffled the cards lie, then the cards. The house cuts just there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pitboss.chance import Chance
from pitboss.cli import main
from pitboss.rulebooks import load
from pitboss.server import serving
from pitboss.table.house import DEVICE, SHOE

T = TypeVar("T")


class Laid(Chance):
    """Chance that leaves the first cards to a file."""

    file: Path

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        rest: list[Any] = list(super().shuffled(cards))
        if not self.file.exists():
            return tuple(rest)
        depth, *first = self.file.read_text().split()
        if Counter(first) - Counter(rest):
            return tuple(rest)  # a device that is mixed while some of them lie on the table
        for card in first:
            rest.remove(card)
        rest[int(depth) : int(depth)] = first
        return tuple(rest)

    def below(self, limit: int) -> int:
        return 0 if self.file.exists() else super().below(limit)


def lay(folder: Path, rulebook: str, cards: str, source: str = SHOE) -> None:
    """What comes after the burned cards once the next table of this rulebook is shuffled and cut."""
    book = load(rulebook)
    burned = (book.shuffle.burn_device if source == DEVICE else book.shuffle.burn_shoe).value
    deck = 4 * len(book.cards.ranks.value)
    depth = book.shuffle.cut_depth_decks.value * deck if source == SHOE else 0
    beside = folder / "cards.new"
    beside.write_text(f"{depth} {'2c ' * burned}{cards}")
    beside.replace(folder / "cards")  # another table may be shuffled just now


def lay_nothing(folder: Path) -> None:
    """Chance has all cards again."""
    (folder / "cards").unlink(missing_ok=True)


if __name__ == "__main__":
    Laid.file = Path(sys.argv[1]) / "cards"
    serving.Chance = Laid  # type: ignore[misc, attr-defined]
    sys.exit(main(sys.argv[2:]))
