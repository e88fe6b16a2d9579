"""`pitboss serve` where every shuffle puts the sevens of diamonds first: `python -m tests.server.lucky serve`.

A server like any other, in a process of its own; only chance is on the players' side, so that jackpots are won.
"""

from __future__ import annotations

import sys

from pitboss.cli import main
from pitboss.server import serving
from tests.floor.test_link import Sevens

if __name__ == "__main__":
    vars(serving)["Chance"] = Sevens
    sys.exit(main())
