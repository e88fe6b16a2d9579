"""A chart in rows of letters, with the hands that are better played otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from pitboss.maths.exact.charts import FULL, MIXED, Chart, Charter, Level
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import ACE, ACTS, DOUBLE, HIT, SPLIT, STAND, SURRENDER, TEN, VALUES
from pitboss.maths.shoes import MathsError

COLUMNS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
"""The dealer's first card as charts show it: 2 to 10, then the ace."""
UPS = tuple(VALUES[up] for up in COLUMNS)
LETTERS = {
    "S": "stand",
    "H": "hit",
    "D": "double, else hit",
    "d": "double, else stand",
    "P": "split",
    "R": "surrender, else hit",
    "r": "surrender, else stand",
    "F": "forfeit",
    "N": "keep",
}
SECTIONS = ("hard", "soft", "pair", "suited", "forfeit")
TITLES = {
    "hard": "Hard totals",
    "soft": "Soft totals",
    "pair": "Pairs",
    "suited": "Towards 6-7-8 and 7-7-7",
    "forfeit": "After the double card",
}
KINDS = (("mixed suits", "mixed"), ("one suit", "suited"), ("spades", "spades"))
NEVER = 1e-9
"""A cell that comes less often hangs on nothing and joins its neighbours."""


class Row(msgspec.Struct, frozen=True):
    """One row of a chart."""

    section: str
    label: str
    key: str
    """As a strategy file names it, as in ``15 of 4+``."""
    letters: str
    """Ten letters, for the dealer's 2 to 10 and ace."""


class Deviation(msgspec.Struct, frozen=True):
    """A hand that is better played otherwise than its cell says."""

    cards: str
    dealer: str
    act: str
    instead_of: str
    gain: float
    """What it brings more, for a wager of 1."""
    chance: float
    """How often a round comes to it."""

    @property
    def worth(self) -> float:
        return self.gain * self.chance


class StrategyBook(msgspec.Struct, frozen=True):
    """A chart and all that belongs to it."""

    rulebook: str
    variant: str
    shoe: str
    level: str
    ev: float
    """What the chart brings, for an original wager of 1."""
    ev_best: float
    """What best play by all cards brings."""
    rows: tuple[Row, ...]
    exceptions: tuple[Deviation, ...]
    """Those worth most first."""
    insurance: str
    """A sentence."""

    @property
    def cost(self) -> float:
        return self.ev_best - self.ev

    def section(self, name: str) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.section == name)


def strategy_book(solver: Solver, level: Level = FULL) -> StrategyBook:
    """The best chart of a level, for a solver that has played."""
    if solver.size < FEWEST:
        raise MathsError(f"a chart needs a shoe of at least {FEWEST} cards, and this one has {int(solver.size)}.")
    charter = Charter(solver, level)
    chart = charter.best()
    rows = [
        *_totals(charter, chart, soft=False),
        *_totals(charter, chart, soft=True),
        *_pairs(charter, chart),
        *_suited(charter, chart),
        *_forfeits(charter, chart),
    ]
    return StrategyBook(
        rulebook=solver.rulebook.name,
        variant=solver.rulebook.variant,
        shoe=solver.shoe.description,
        level=level.name,
        ev=chart.ev,
        ev_best=solver.value_of_openings(),
        rows=tuple(rows),
        exceptions=tuple(sorted(exceptions(charter, chart), key=lambda each: -each.worth)),
        insurance=_insurance(solver),
    )


FEWEST = 40
"""In a smaller shoe most cells never come up, and every hand is an exception."""


# --- rows ---


class Cell(NamedTuple):
    """What is known of a cell; None where nothing hangs on it."""

    stands: bool | None
    doubles: bool | None
    gives_up: bool | None

    def letter(self) -> str:
        plain = "S" if self.stands else "H"
        if self.gives_up:
            return "r" if self.stands else "R"
        if self.doubles:
            return "d" if self.stands else "D"
        return plain

    def joined(self, other: Cell) -> Cell | None:
        """One cell that does for both, or None."""
        merged = []
        for mine, theirs in zip(self, other, strict=True):
            if mine is not None and theirs is not None and mine != theirs:
                return None
            merged.append(theirs if mine is None else mine)
        cell = Cell(*merged)
        return None if cell.gives_up and cell.doubles else cell


def _cell(charter: Charter, chart: Chart, place: int, up: int) -> Cell:
    """A cell to which the chart never leads hangs on nothing."""
    group = chart.groups[place]
    if chart.reached[place, up] < NEVER:
        return Cell(None, None, None)
    legal = bool(charter.may_double[charter.group == place].any())
    every = bool(charter.may_double[charter.group == place].all())
    doubles = bool(chart.double[place, up]) if legal else None
    gives_up = bool(chart.give_up[place, up]) if group.cards in (0, 2) else None
    free = doubles and every and charter.solver.rules.double_after_split
    return Cell(None if free and not gives_up else bool(chart.stand[place, up]), doubles, gives_up)


class Span(NamedTuple):
    """Hands of one total and some numbers of cards, which one row serves."""

    least: int
    most: int
    cells: tuple[Cell, ...]


def _totals(charter: Charter, chart: Chart, *, soft: bool) -> Iterator[Row]:
    """Rows of hard or soft totals; a row for several numbers of cards comes once for each, as files want it.

    Hands with an ace drawn have rows only where they are played otherwise.
    """
    section = "soft" if soft else "hard"
    for total in range(4, 21):
        usual: dict[int, str] = {}
        for drawn in (False, True):
            spans = _spans(charter, chart, soft, total, drawn)
            for span in spans:
                letters = "".join(_settled(cell, total).letter() for cell in span.cells)
                last = span is spans[-1]
                words = ", ace drawn" if drawn else ""
                if drawn and all(usual.get(count, letters) == letters for count in range(span.least, span.most + 1)):
                    continue
                for count in range(span.least, span.most + 1):
                    usual.setdefault(count, letters)
                if len(spans) == 1:
                    yield Row(section, f"{total}{words}", f"{total}{words}", letters)
                    continue
                label = f"{total}, {_cards(span, last)}{words}"
                for count in range(span.least, span.least + 1 if last else span.most + 1):
                    yield Row(section, label, f"{total} of {count}{'+' if last else ''}{words}", letters)


def _settled(cell: Cell, total: int) -> Cell:
    """Where nothing hangs on it, low totals draw."""
    return cell._replace(stands=total >= 17 if cell.stands is None and not cell.doubles else bool(cell.stands))


def _cards(span: Span, open_end: bool) -> str:
    if open_end:
        return f"{span.least}+ cards"
    return f"{span.least} cards" if span.least == span.most else f"{span.least}-{span.most} cards"


def _spans(charter: Charter, chart: Chart, soft: bool, total: int, drawn: bool) -> list[Span]:
    """Rows of one total by the number of cards, joined where they say the same; a pair's where only it makes it."""
    mine: dict[int, tuple[Cell, ...]] = {}
    for place, group in enumerate(chart.groups):
        if (group.soft, group.total, group.pair, group.drawn) == (soft, total, 0, drawn):
            mine[group.cards] = tuple(_cell(charter, chart, place, up) for up in COLUMNS)
    if not mine and not drawn:
        for place, group in enumerate(chart.groups):
            if (group.soft, group.total) == (soft, total):
                mine[0] = tuple(_cell(charter, chart, place, up) for up in COLUMNS)
    spans: list[Span] = []
    for count in sorted(mine):
        if spans:
            joined = [one.joined(other) for one, other in zip(spans[-1].cells, mine[count], strict=True)]
            if None not in joined:
                spans[-1] = Span(spans[-1].least, count, tuple(cell for cell in joined if cell is not None))
                continue
        spans.append(Span(count, count, mine[count]))
    return spans


def _pairs(charter: Charter, chart: Chart) -> Iterator[Row]:
    for pair in (*range(1, 10), ACE):
        two = charter.solver._two(pair, pair)
        if two < 0:
            continue
        place = int(charter.group[charter.place[two, charter.solver._ones(pair, pair)]])
        letters = ""
        for up in COLUMNS:
            letters += "P" if chart.split[pair, up] else _settled(_cell(charter, chart, place, up), 0).letter()
        yield Row("pair", f"{VALUES[pair]}-{VALUES[pair]}", VALUES[pair], letters)


SHORT = {STAND: "S", HIT: "H", DOUBLE: "D", SPLIT: "P", SURRENDER: "R"}


def _suited(charter: Charter, chart: Chart) -> Iterator[Row]:
    """Only the rows that differ from what the chart says of the total or pair."""
    for (first, second, kind), acts in chart.suited.items():
        if list(acts) == [charter._act_of(chart, first, second, up) for up in range(10)]:
            continue
        words, key = KINDS[kind]
        cards = "777" if first == second else VALUES[first] + VALUES[second]
        letters = "".join(SHORT[acts[up]] for up in COLUMNS)
        yield Row("suited", f"{VALUES[first]}-{VALUES[second]}, {words}", f"{cards} {key}", letters)


def _forfeits(charter: Charter, chart: Chart) -> Iterator[Row]:
    if not chart.forfeit.any():
        return
    totals = sorted({int(each) for row in charter.ended[charter.may_double] for each in row if each <= 20})
    for total in totals:
        letters = "".join("F" if chart.forfeit[total, up] else "N" for up in COLUMNS)
        yield Row("forfeit", str(total), str(total), letters)


def compact(rows: tuple[Row, ...]) -> list[tuple[str, str]]:
    """Labels and letters for people: rows that a file needs one by one, shown once; neighbours that agree, as one."""
    shown: list[tuple[list[str], str]] = []
    for row in _any_suits(rows):
        if shown and shown[-1][0][-1] == row.label and shown[-1][1] == row.letters:
            continue
        plain = row.label.isdigit()
        if shown and plain and shown[-1][0][-1].isdigit() and shown[-1][1] == row.letters:
            shown[-1][0].append(row.label)
        else:
            shown.append(([row.label], row.letters))
    return [(labels[0] if len(labels) == 1 else f"{labels[0]}-{labels[-1]}", letters) for labels, letters in shown]


def _any_suits(rows: tuple[Row, ...]) -> Iterator[Row]:
    """Rows of two cards that say the same in all suits as one."""
    for row in rows:
        two = row.label.partition(",")[0]
        alike = [each.letters for each in rows if each.label.partition(",")[0] == two]
        if row.section != "suited" or len(alike) < len(KINDS) or len(set(alike)) > 1:
            yield row
        elif row.key.endswith(KINDS[0][1]):
            yield msgspec.structs.replace(row, label=f"{two}, any suits")


# --- exceptions ---


def exceptions(charter: Charter, chart: Chart) -> Iterator[Deviation]:
    """Hands whose best act, with best play from there on, is not the one of their cell."""
    solver = charter.solver
    choice, _, splits = charter._value(chart)
    weights = charter._reach(chart, choice, splits)
    for entry, (hand, ones) in enumerate(zip(charter.hand.tolist(), charter.ones.tolist(), strict=True)):
        cards = solver.hands.cards[hand]
        held = [value for value in range(10) for _ in range(int(cards[value]))]
        for up in range(10):
            chance = float(weights[entry, up])
            if chance <= 0.0:
                continue
            values = acts_of(solver, hand, ones, held, up)
            told = ACTS[charter.act(chart, entry, up)]
            if len(held) == 2:
                row = chart.suited.get((held[0], held[1], MIXED))
                told = row[up] if row else charter._act_of(chart, held[0], held[1], up)
            best = max(values, key=values.__getitem__)
            gain = values[best] - values.get(told, -1.0)
            if best != told and gain > 1e-12:
                yield Deviation(hand_name(solver, held, ones), VALUES[up], best, told, gain, chance)


def hand_name(solver: Solver, held: list[int], ones: int) -> str:
    """A hand by its values; where it matters to doubling, with how many of its aces were dealt."""
    name = "-".join(VALUES[value] for value in held)
    aces = held.count(ACE)
    if solver.ones_max and aces and len(held) > 2 and not aces - (len(held) - 2) == ones == min(2, aces):
        return f"{name} ({('no ace', 'one ace', 'two aces')[ones]} dealt)"
    return name


def acts_of(solver: Solver, hand: int, ones: int, held: list[int], up: int) -> dict[str, float]:
    """What each legal act brings with best play from there on; suits mixed."""
    values = {act: float(solver.ways[hand, ones, up, place]) for place, act in enumerate(ACTS)}
    values = {act: each for act, each in values.items() if each > -1e8}
    if len(held) == 2 and held[0] == held[1] and (held[0], up) in solver.splits:
        values[SPLIT] = solver.splits[held[0], up].value
    if len(held) == 2 and solver._surrender_share(up) > 0.0:
        natural = float(solver.finals[hand, up, NATURAL])
        values[SURRENDER] = -float(solver.given_up(1.0 - natural, natural))
    return values


def _insurance(solver: Solver) -> str:
    """Whether insurance ever pays, by the player's own two cards."""
    terms = solver.rulebook.insurance
    if not terms.offered.value:
        return "There is no insurance."
    odds = terms.odds.value
    pays, best = [], -1.0
    for first, second, up, hand in solver.openings_told():
        if (first, second) == (ACE, TEN) or solver._share_of_ranks(up, terms.dealer_ranks.value) <= 0.0:
            continue
        natural = float(solver.finals[hand, up, NATURAL])
        gain = natural * odds.wins / odds.on - (1.0 - natural)
        best = max(best, gain)
        if gain > 0.0:
            pays.append(f"{VALUES[first]}-{VALUES[second]}")
    if not pays:
        return f"Insurance never pays from this shoe: at best it brings {best:+.2%} of what is insured."
    return f"Insurance pays with {', '.join(pays)}: at best {best:+.2%} of what is insured."


def as_json(book: StrategyBook) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(book)
    told["dealer"] = list(UPS)
    told["letters"] = LETTERS
    told["cost"] = book.cost
    return told
