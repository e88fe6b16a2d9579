"""The best play that fits into a few rules: whole blocks of a chart, each one sentence, valued exactly.

Without any rule every hand draws to 21. A rule says one act for a run of totals (or pairs) against a run of the
dealer's first cards; a later rule holds before an earlier one. Rules are added where the chart gains most, and every
rule is looked for anew with the others in place, until nothing gains. What a set of rules brings is exact; that no
other set of as many brings more is not proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from pitboss.maths.changes import cell_gains
from pitboss.maths.exact.charts import Chart, Charter, Level
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.words import VALUES

Array = Any
LEVEL = Level("rules", counts=False, drawn_aces=False, suits=False)
UPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
PAIRS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
HARD, SOFT, FORFEIT = range(4, 21), range(12, 21), range(4, 21)
TRIED = 4
"""How many of the most promising rules are valued exactly at a time."""
PASSES, FIRST = 2, 2
ACTS = {"S": "stand on", "H": "draw to", "D": "double", "P": "split", "R": "surrender", "F": "forfeit", "N": "keep"}
LETTERS = {"hard": "SHDR", "soft": "SHD", "pair": "P", "forfeit": "F"}
WORTH = 1e-9
"""A rule that gains less is none."""


class Rule(msgspec.Struct, frozen=True):
    """One act for a block of cells."""

    section: str
    """hard, soft, pair or forfeit."""
    rows: tuple[int, ...]
    """Totals, or the values of pairs less one."""
    ups: tuple[int, ...]
    """The dealer's first cards, values less one."""
    letter: str

    def text(self) -> str:
        """As a sentence that one can learn."""
        against = "" if len(self.ups) == len(UPS) else f" against {_run([VALUES[up] for up in self.ups])}"
        if self.section == "pair":
            return f"split {_run([f'{VALUES[row]}-{VALUES[row]}' for row in self.rows])}{against}"
        names = [str(row) for row in self.rows]
        whole = {"hard": HARD, "soft": SOFT, "forfeit": FORFEIT}[self.section]
        if self.rows[-1] == whole[-1] and len(self.rows) > 1:
            total = f"{names[0]} and more"
        elif self.rows[0] == whole[0] and len(self.rows) > 1:
            total = f"{names[-1]} and less"
        else:
            total = _run(names)
        if self.section == "forfeit":
            return f"after the double card forfeit {total}{against}"
        return f"{ACTS[self.letter]} {self.section} {total}{against}"


def _run(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


class Simple(msgspec.Struct, frozen=True):
    """Some rules and what they bring."""

    rules: tuple[Rule, ...]
    ev: float
    cost: float
    """Against best play by all cards."""


def simplest(solver: Solver, most: int, progress: Callable[[str], None] | None = None) -> tuple[Simple, ...]:
    """Sets of 1, 2, ... rules, for a solver that has played."""
    search = _Search(solver)
    best = solver.value_of_openings()
    rules: list[Rule] = []
    found = []
    for number in range(1, most + 1):
        if progress is not None:
            progress(f"{number} of {most} rules")
        more = search.better(rules)
        if more is None:
            break
        rules = [*rules, more[0]]
        ev = more[1]
        for _ in range(PASSES if number > 1 else 0):
            changed = False
            for place in range(len(rules) - 1, -1, -1):
                others = [*rules[:place], *rules[place + 1 :]]
                again = search.better(others)
                if again is not None and again[1] > ev + WORTH:
                    rules, ev, changed = [*others, again[0]], again[1], True
            if not changed:
                break
        found.append(Simple(tuple(rules), ev, best - ev))
    return tuple(found)


class _Search:
    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.charter = Charter(solver, LEVEL)
        self.places = {(group.soft, group.total): place for place, group in enumerate(self.charter.groups)}
        self._known: dict[tuple[Rule, ...], tuple[Rule, float] | None] = {}

    def chart(self, rules: Sequence[Rule]) -> Chart:
        """The chart that follows these rules."""
        shape = (len(self.charter.groups), 10)
        stand, double, give_up = (np.zeros(shape, bool) for _ in range(3))
        split, forfeit = np.zeros((10, 10), bool), np.zeros((22, 10), bool)
        for rule in rules:
            ups = list(rule.ups)
            for row in rule.rows:
                if rule.section == "pair":
                    split[row, ups] = True
                elif rule.section == "forfeit":
                    forfeit[row, ups] = True
                elif (place := self.places.get((rule.section == "soft", row))) is not None:
                    give_up[place, ups] = rule.letter == "R"
                    if rule.letter != "R":
                        stand[place, ups] = rule.letter == "S"
                        double[place, ups] = rule.letter == "D"
        stand &= (self.charter.total >= self.solver.rules.must_draw_below)[:, None]
        return Chart(
            LEVEL, self.charter.groups, stand, double, give_up, split, {}, forfeit, 0.0, np.zeros(shape)
        )  # fmt: skip

    def value(self, rules: Sequence[Rule]) -> float:
        return self.charter.value(self.chart(rules))

    def better(self, rules: Sequence[Rule]) -> tuple[Rule, float] | None:
        """The rule that gains most beside these, and what all bring then; None where none gains."""
        key = tuple(rules)
        if key not in self._known:
            self._known[key] = self._better(rules)
        return self._known[key]

    def _better(self, rules: Sequence[Rule]) -> tuple[Rule, float] | None:
        gains, ev = cell_gains(self.charter, self.chart(rules))
        promising = sorted(self._promising(gains), key=lambda each: -each[0])[:TRIED]
        tried = [(self.value([*rules, rule]), rule) for gain, rule in promising if gain > WORTH]
        if len(rules) < FIRST:
            # Where everything is drawn to, cell by cell says little: what it gains to stand hangs on all other cells.
            stands = [Rule("hard", tuple(range(least, 21)), UPS, "S") for least in range(12, 19)]
            stands += [Rule("soft", tuple(range(least, 21)), UPS, "S") for least in range(16, 20)]
            tried += [(self.value([*rules, rule]), rule) for rule in stands]
        if not tried:
            return None
        value, rule = max(tried, key=lambda each: each[0])
        return (rule, value) if value > ev + WORTH else None

    def _promising(self, gains: dict[tuple[str, str], float]) -> Iterator[tuple[float, Rule]]:
        """For each section and act the block whose cells gain most together."""
        for section, letters in LETTERS.items():
            rows = {"hard": HARD, "soft": SOFT, "pair": PAIRS, "forfeit": FORFEIT}[section]
            for letter in letters:
                table = np.array(
                    [[gains.get((self._name(section, row, up), letter), 0.0) for up in UPS] for row in rows]
                )
                gain, (top, bottom), (left, right) = best_block(table)
                if gain > 0.0:
                    yield gain, Rule(section, tuple(rows[top : bottom + 1]), UPS[left : right + 1], letter)

    @staticmethod
    def _name(section: str, row: int, up: int) -> str:
        return f"{section} {VALUES[row] if section == 'pair' else row} v {VALUES[up]}"


def best_block(table: Array) -> tuple[float, tuple[int, int], tuple[int, int]]:
    """The block of neighbouring rows and columns with the largest sum."""
    best: tuple[float, tuple[int, int], tuple[int, int]] = (0.0, (0, 0), (0, 0))
    for left in range(table.shape[1]):
        sums = np.zeros(table.shape[0])
        for right in range(left, table.shape[1]):
            sums = sums + table[:, right]
            total, start = 0.0, 0
            for row, value in enumerate(sums.tolist()):
                if total <= 0.0:
                    total, start = 0.0, row
                total += value
                if total > best[0]:
                    best = (total, (start, row), (left, right))
    return best
