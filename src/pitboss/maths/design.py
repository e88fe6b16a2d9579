"""Many terms changed at once: every variant valued exactly, those within limits kept, the best of them told apart.

A variant is a set of changed terms and a number of decks. Variants that differ in optional wagers alone are one game to
the solver, so each game is solved once; optional wagers are valued beside it as fractions. Who solves does not matter:
this process, others, or the machines of a cluster. What was found is kept line by line, and is not looked for again.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pitboss.maths.par import code_digest
from pitboss.maths.questions import known_decks, priced, term_value
from pitboss.maths.scope import NEEDS_OTHER, reason
from pitboss.maths.shoes import INFINITE, MathsError, Shoe
from pitboss.maths.side_bets import INSURANCE, SUPER_BONUS, side_bets
from pitboss.maths.what_if import DECKS, ENDLESS, current_value, every_value, in_short
from pitboss.rulebooks import RulebookError, load, vary
from pitboss.rulebooks.amend import variant_of
from pitboss.rulebooks.terms import Rulebook

GRID_MAX, DRAWN_FROM_MAX = 200_000, 10**15
GENERATION = 24
"""How many variants a search tries before it looks at what came of them; the same on any number of cores."""
FORMAT = "pitboss-design-1"
FIGURES = {
    "edge": "house edge",
    "hits": "rounds won",
    "deviation": "standard deviation",
    "variance": "variance",
    "wagered": "wagered in all",
    "risk": "element of risk",
}
"""What can be limited and aimed at, besides the edges of optional wagers by their names."""
APART = (INSURANCE, SUPER_BONUS)
SIDES = ("side_bets.", "blazing_7s.")


class Axis(msgspec.Struct, frozen=True):
    """One term and the values that are tried."""

    key: str
    values: tuple[Any, ...]


class Limit(msgspec.Struct, frozen=True):
    """Between what a figure must lie."""

    figure: str
    least: float
    most: float

    def misses(self, figures: Mapping[str, float]) -> float:
        """By how much a figure lies outside; an optional wager that is not there misses by a whole."""
        value = figures.get(self.figure)
        return 1.0 if value is None else max(self.least - value, value - self.most, 0.0)


class Aim(msgspec.Struct, frozen=True):
    """A figure that should be high, or low."""

    figure: str
    high: bool

    def score(self, figures: Mapping[str, float]) -> float:
        value = figures.get(self.figure, 0.0)
        return value if self.high else -value


class Space(msgspec.Struct, frozen=True):
    """What is tried over which game."""

    rulebook: str
    axes: tuple[Axis, ...]
    changes: tuple[tuple[str, Any], ...] = ()
    """Terms that are changed in every variant."""
    decks: int = 0
    """Without an axis of decks; 0 is what a table opens with."""
    resplit: bool = False

    @property
    def size(self) -> int:
        size = 1
        for axis in self.axes:
            size *= len(axis.values)
        return size

    def grid(self) -> Iterator[tuple[int, ...]]:
        """Every point: a place on each axis."""
        return itertools.product(*(range(len(axis.values)) for axis in self.axes))

    def changed(self, point: Sequence[int]) -> tuple[dict[str, Any], int]:
        """The terms that a point changes, and its decks."""
        terms, decks = dict(self.changes), self.decks
        for axis, place in zip(self.axes, point, strict=True):
            if axis.key == DECKS:
                decks = axis.values[place]
            else:
                terms[axis.key] = axis.values[place]
        return terms, decks


class Point(msgspec.Struct, frozen=True):
    """One variant and what it is worth."""

    number: int
    changes: dict[str, str]
    """What the axes say, in words."""
    figures: dict[str, float]
    """By the names in `FIGURES`, and the edge of each optional wager by its name."""
    edge_at_most: float
    """Proven: under best play the house's edge is no more."""
    edge_at_least: float | None
    """Proven: the house's edge is no less; None where nothing is proven."""
    misses: float
    """By how much it lies outside the limits, all together; 0 is within."""
    best: bool
    """No other variant within the limits is better in one aim and as good in the others."""
    note: str = ""
    """Why it cannot be; nothing is valued then."""


class Designed(msgspec.Struct, frozen=True):
    """What a sweep found."""

    rulebook: str
    edition: str
    code: str
    """Digest of the mathematics."""
    axes: tuple[str, ...]
    limits: tuple[Limit, ...]
    aims: tuple[Aim, ...]
    tried: int
    impossible: int
    within: int
    solved: int
    """How many games had to be solved, the others being the same game or known before."""
    points: tuple[Point, ...]
    """Those that can be; the best first, then by what they miss."""


# --- what is asked ---------------------------------------------------------------------------------------------------


def axis_of(rulebook: Rulebook, text: str) -> Axis:
    """An axis as in ``dealer.soft_stand = 17; 18``, or a term alone for all values that it can have."""
    key, found, said = text.partition("=")
    key = key.strip()
    words = [word.strip() for word in said.split(";") if word.strip()]
    if found and not words:
        raise MathsError(f"--try {text!r} names no value: write them as in dealer.soft_stand = 17; 18.")
    if key == DECKS:
        numbers = [known_decks(word) for word in words] or [1, 2, 4, 6, 8]
        return Axis(key, tuple(dict.fromkeys(numbers)))
    now = current_value(rulebook, key)
    why = reason(key)
    if why and why != NEEDS_OTHER and not key.startswith(SIDES):
        raise MathsError(f"--try {key}: it would change nothing here: {why}.")
    values = [term_value(word) for word in words] if words else every_value(key, now)
    return Axis(key, tuple({in_short(value): value for value in values}.values()))


def limit_of(text: str, known: Iterable[str]) -> Limit:
    """A limit as in ``edge 0.3%..0.6%``, ``hits 42%..`` or ``deviation ..1.2``."""
    name, _, said = text.strip().partition(" ")
    _known_figure("--limit", text, name, known)
    low, dots, high = (part.strip() for part in said.partition(".."))
    if not dots or not (low or high):
        raise MathsError(f"--limit {text!r}: write it as in edge 0.3%..0.6%, hits 42%.. or deviation ..1.2.")
    least = _number("--limit", text, low) if low else float("-inf")
    most = _number("--limit", text, high) if high else float("inf")
    if least > most:
        raise MathsError(f"--limit {text!r}: the first number is above the second.")
    return Limit(name, least, most)


def aim_of(text: str, known: Iterable[str]) -> Aim:
    """An aim as in ``hits high`` or ``deviation low``."""
    name, _, way = text.strip().partition(" ")
    _known_figure("--aim", text, name, known)
    if way.strip() not in ("high", "low"):
        raise MathsError(f"--aim {text!r}: write it as in hits high, or deviation low.")
    return Aim(name, way.strip() == "high")


def _known_figure(option: str, text: str, name: str, known: Iterable[str]) -> None:
    names = [*FIGURES, *known]
    if name not in names:
        raise MathsError(f"{option} {text!r}: {', '.join(names)} are known.")


def _number(option: str, text: str, said: str) -> float:
    try:
        return float(said.removesuffix("%")) / (100.0 if said.endswith("%") else 1.0)
    except ValueError:
        raise MathsError(f"{option} {text!r}: {said!r} is no number.") from None


def optional_wagers(rulebook: Rulebook) -> list[str]:
    """The optional wagers whose edges can be limited and aimed at."""
    return [name for name in side_bets(rulebook, Shoe.of_decks(rulebook)) if name not in APART]


# --- one variant -----------------------------------------------------------------------------------------------------


class Game(msgspec.Struct, frozen=True):
    """All that a solved game hangs on; it can be sent to another process."""

    rulebook: str
    terms: tuple[tuple[str, Any], ...]
    decks: int
    resplit: bool


Solved = dict[str, float]


def solve_games(games: Sequence[Game], made_by: str) -> list[Solved]:
    """Value some games, wherever this is called."""
    from pitboss.maths.exact.solve import solve

    if made_by != code_digest():
        raise MathsError("a worker has another version of Pitboss than the one that asks.")
    found = []
    for game in games:
        book = vary(load(game.rulebook), dict(game.terms))
        solved = solve(book, Shoe.of_decks(book, game.decks or None), resplit=game.resplit)
        figures = {
            "edge": -solved.ev,
            "hits": sum(chance for amount, chance in solved.results.items() if amount > 0),
            "deviation": solved.standard_deviation,
            "variance": solved.standard_deviation**2,
            "wagered": solved.total_wagered,
            "risk": solved.element_of_risk,
            "edge at most": -solved.at_least,
        }
        if solved.at_most is not None:
            figures["edge at least"] = -solved.at_most
        found.append(figures)
    return found


class _Variant(msgspec.Struct, frozen=True):
    """A point of the space as a rulebook."""

    point: tuple[int, ...]
    key: str
    """The game it is; the same for variants that the solver cannot tell apart."""
    game: Game
    sides: dict[str, float]


def _variant(base: Rulebook, space: Space, point: tuple[int, ...]) -> _Variant:
    from pitboss.maths.exact.rules import compile_rules

    terms, decks = space.changed(point)
    book = priced(vary(base, terms))
    number = decks or book.cards.decks_default.value
    rules = compile_rules(book, resplit=space.resplit)
    rules = msgspec.structs.replace(rules, bonus_rank="")
    told = f"{rules!r} {book.cards.ranks.value} {number}"
    sides = {}
    if number != INFINITE or not book.blazing_7s.offered.value:
        found = side_bets(book, Shoe.of_decks(book, number), decks=number)
        sides = {name: -float(each.ev) for name, each in found.items() if name not in APART}
    mine = tuple((key, value) for key, value in terms.items() if not key.startswith(SIDES))
    game = Game(space.rulebook, mine, number, space.resplit)
    return _Variant(point, hashlib.sha256(told.encode()).hexdigest()[:32], game, sides)


# --- what is kept ----------------------------------------------------------------------------------------------------


class Kept:
    """Solved games, one a line, so that a sweep that is stopped at any moment goes on where it was."""

    def __init__(self, path: Path | None, rulebook: Rulebook) -> None:
        self.path, self.solved = path, dict[str, Solved]()
        header = {"format": FORMAT, "rulebook": rulebook.id, "edition": rulebook.edition, "code": code_digest()}
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            self._read(path, header)
        else:
            path.write_text(json.dumps(header) + "\n", encoding="utf-8")

    def _read(self, path: Path, header: dict[str, str]) -> None:
        text = path.read_bytes()
        first, *lines = text.split(b"\n")
        try:
            found = json.loads(first)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise MathsError(f"{path}: this is no file of a design.")
        if found != header:
            raise MathsError(
                f"{path}: it was kept for another rulebook, edition or version of the mathematics; name another file."
            )
        whole = len(first) + 1
        for line in lines[:-1]:
            try:
                entry = json.loads(line)
                self.solved[entry["key"]] = {name: float(value) for name, value in entry["figures"].items()}
            except (ValueError, KeyError, TypeError, AttributeError):
                break
            whole += len(line) + 1
        if whole < len(text):  # what was being written when the power went is written again
            with path.open("r+b") as file:
                file.truncate(whole)

    def add(self, key: str, figures: Solved) -> None:
        self.solved[key] = figures
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "figures": figures}) + "\n")


# --- many variants ---------------------------------------------------------------------------------------------------

Solve = Callable[[list[tuple[str, Game]]], Iterator[tuple[str, Solved]]]
"""Whoever solves games: their keys come back with what was found, in any order."""
Progress = Callable[[int, int], None]
"""How many games are solved, of how many that are known to be wanted."""


def here(wanted: list[tuple[str, Game]]) -> Iterator[tuple[str, Solved]]:
    """One game after the other in this process."""
    for key, game in wanted:
        yield key, solve_games([game], code_digest())[0]


class Sweep:
    """One question, and what is known of it so far."""

    def __init__(
        self, space: Space, limits: Sequence[Limit], aims: Sequence[Aim], kept: Kept, solve: Solve = here,
        progress: Progress | None = None,
    ) -> None:  # fmt: skip
        self.space, self.limits, self.aims = space, tuple(limits), tuple(aims)
        self.base = vary(load(space.rulebook), {})
        self.kept, self.solve, self.progress = kept, solve, progress
        self.variants: dict[tuple[int, ...], _Variant] = {}
        self.impossible: dict[tuple[int, ...], str] = {}
        self.solved = 0

    def try_points(self, points: Iterable[tuple[int, ...]]) -> None:
        """Value these points; those that are the same game, or were known before, cost nothing."""
        wanted: dict[str, Game] = {}
        for point in points:
            if point in self.variants or point in self.impossible:
                continue
            try:
                variant = _variant(self.base, self.space, point)
            except (RulebookError, MathsError) as error:
                self.impossible[point] = str(error).rpartition(": ")[2]
                continue
            self.variants[point] = variant
            if variant.key not in self.kept.solved:
                wanted.setdefault(variant.key, variant.game)
        done, total = 0, len(wanted)
        if self.progress is not None:
            self.progress(done, total)
        for key, figures in self.solve(list(wanted.items())):
            self.kept.add(key, figures)
            self.solved += 1
            done += 1
            if self.progress is not None:
                self.progress(done, total)

    def grid(self) -> None:
        if self.space.size > GRID_MAX:
            raise MathsError(
                f"{self.space.size:,} variants: at most {GRID_MAX:,} are tried one by one; give fewer values, or use "
                "--sample or --search."
            )
        self.try_points(self.space.grid())

    def sample(self, number: int, seed: int) -> None:
        """So many points drawn at random, each once."""
        self.try_points(self._drawn(number, np.random.default_rng(seed)))

    def search(self, number: int, seed: int) -> None:
        """So many points: some at random, then neighbours of the best ones so far, generation by generation."""
        chance = np.random.default_rng(seed)
        number = min(number, self.space.size)
        self.try_points(self._drawn(min(number, 2 * GENERATION), chance))
        while (left := number - len(self.variants) - len(self.impossible)) > 0:
            parents = self._parents()
            tried: list[tuple[int, ...]] = []
            for _ in range(min(GENERATION, left)):
                child = self._child(parents, chance)
                tries = 0
                while (child in self.variants or child in self.impossible or child in tried) and tries < 50:
                    child = self._child([child], chance)
                    tries += 1
                if tries == 50:
                    child = next(each for each in self._fresh() if each not in tried)
                tried.append(child)
            self.try_points(tried)

    def _fresh(self) -> Iterator[tuple[int, ...]]:
        return (each for each in self.space.grid() if each not in self.variants and each not in self.impossible)

    def _drawn(self, number: int, chance: np.random.Generator) -> list[tuple[int, ...]]:
        size = self.space.size
        if size > DRAWN_FROM_MAX:
            raise MathsError(f"{size:.1e} variants are too many to draw from: give fewer terms, or fewer values.")
        return [self._point(int(each)) for each in chance.choice(size, min(number, size), replace=False)]

    def _point(self, number: int) -> tuple[int, ...]:
        place: list[int] = []
        for axis in reversed(self.space.axes):
            number, rest = divmod(number, len(axis.values))
            place.append(rest)
        return tuple(reversed(place))

    def _parents(self) -> list[tuple[int, ...]]:
        """The best points within the limits, or those that miss them least."""
        found = {point: self._figures(variant) for point, variant in self.variants.items()}
        if not found:
            return [tuple(0 for _ in self.space.axes)]
        misses = {point: self._misses(figures) for point, figures in found.items()}
        within = [point for point, missed in misses.items() if missed == 0.0]
        near = sorted((point for point in found if point not in within), key=lambda point: (misses[point], point))[:6]
        return [*(within[place] for place in front([found[point] for point in within], self.aims)), *near]

    def _child(self, parents: list[tuple[int, ...]], chance: np.random.Generator) -> tuple[int, ...]:
        """A parent with one or two terms changed, now and then mixed with another parent."""
        child, other = (list(parents[int(chance.integers(len(parents)))]) for _ in range(2))
        if chance.random() < 0.3:
            child = [mine if chance.random() < 0.5 else theirs for mine, theirs in zip(child, other, strict=True)]
        open_to_it = [place for place, axis in enumerate(self.space.axes) if len(axis.values) > 1]
        number = min(len(open_to_it), 1 + int(chance.random() < 0.4))
        for place in chance.choice(open_to_it, number, replace=False).tolist():
            child[place] = int(chance.integers(len(self.space.axes[place].values)))
        return tuple(child)

    def _figures(self, variant: _Variant) -> dict[str, float]:
        return {**self.kept.solved[variant.key], **variant.sides}

    def _misses(self, figures: Mapping[str, float]) -> float:
        return sum(limit.misses(figures) for limit in self.limits)

    def designed(self) -> Designed:
        """All that was found so far; points whose game is not solved are left out."""
        points = sorted(point for point, variant in self.variants.items() if variant.key in self.kept.solved)
        found = [self._figures(self.variants[point]) for point in points]
        misses = [self._misses(figures) for figures in found]
        within = [place for place, missed in enumerate(misses) if missed == 0.0]
        best = {within[place] for place in front([found[place] for place in within], self.aims)}
        told = []
        for place, point in enumerate(points):
            figures = dict(found[place])
            at_most, at_least = figures.pop("edge at most"), figures.pop("edge at least", None)
            told.append(
                Point(self._number(point), self._said(point), figures, at_most, at_least, misses[place], place in best)
            )
        told.sort(key=lambda each: (not each.best, each.misses, [-aim.score(each.figures) for aim in self.aims]))
        return Designed(
            self.base.name, self.base.edition, code_digest(), tuple(axis.key for axis in self.space.axes),
            self.limits, self.aims, len(told) + len(self.impossible), len(self.impossible), len(within), self.solved,
            tuple(told),
        )  # fmt: skip

    def _number(self, point: tuple[int, ...]) -> int:
        """Its place in the grid, from 1."""
        number = 0
        for place, axis in zip(point, self.space.axes, strict=True):
            number = number * len(axis.values) + place
        return number + 1

    def _said(self, point: tuple[int, ...]) -> dict[str, str]:
        values = (axis.values[place] for axis, place in zip(self.space.axes, point, strict=True))
        return {
            axis.key: ENDLESS if axis.key == DECKS and value == INFINITE else in_short(value)
            for axis, value in zip(self.space.axes, values, strict=True)
        }

    def amendment(self, point: Point) -> str:
        """The variant as an amendment in TOML, which the table can play."""
        place = self._point(point.number - 1)
        terms, decks = self.space.changed(place)
        terms = dict(terms)
        cards = self.base.cards
        comment = ""
        if decks == INFINITE:
            comment = "# Valued with infinitely many decks; a table has as many as the document says.\n"
        elif decks and decks != cards.decks_default.value:
            terms["cards.decks_default"] = decks
            if decks not in cards.decks.value:
                terms["cards.decks"] = sorted({*cards.decks.value, decks})
        said = variant_of(vary(self.base, terms))
        lines = [f"{json.dumps(key)} = {_toml(value)}" for key, value in said.items()]
        edge = point.figures["edge"]
        return (
            f"# {self.base.name}, variant {point.number}: house edge {edge:.6%}, rounds won "
            f"{point.figures['hits']:.4%}, standard deviation {point.figures['deviation']:.5f}.\n{comment}"
            f'name     = "variant {point.number}"\nrulebook = "{self.base.id}"\nkind     = "study"\n\n'
            "[terms]\n" + "\n".join(lines) + "\n"
        )


def front(figures: Sequence[Mapping[str, float]], aims: Sequence[Aim]) -> list[int]:
    """Those than which no other is better in one aim and as good in the others; of equal ones the first."""
    scores = [tuple(aim.score(each) for aim in aims) for each in figures]
    found: list[int] = []
    for place in sorted(range(len(scores)), key=lambda place: ([-score for score in scores[place]], place)):
        mine = scores[place]
        if not any(all(a >= b for a, b in zip(scores[other], mine, strict=True)) for other in found):
            found.append(place)
    return found


def _toml(value: Any) -> str:
    """Numbers, words, and lists or tables of them."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
