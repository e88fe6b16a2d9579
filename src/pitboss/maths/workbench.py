"""What counting cards is worth: indices with their gain, wagers, what is won, and what prices it out.

At a true count the cards that are left are taken to be what they are on the mean at that count: each rank more or less
often in proportion to its tag. With those cards the solver values the chart, every change of one cell, and the chart
with the changes that are taken up. How often each count comes follows from drawing without replacement, at every round
of a shoe up to the cutting card. A simulation of the same count, wagers and changes is the other road to every result.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from math import erf, exp, sqrt
from typing import Any

import msgspec
import numpy as np

from pitboss.basics.cards import RED, SUITS
from pitboss.maths.changes import cell_gains, cell_name
from pitboss.maths.exact.charts import Chart, Charter, Level
from pitboss.maths.exact.removal import effects_of
from pitboss.maths.exact.solve import Solver, solver_for
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import ACE, TEN, VALUES
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.simulate.counting import FINENESS, Counting
from pitboss.rulebooks.terms import Rulebook

Array = Any
Progress = Callable[[str], None]
LEVEL = Level("total, number of cards and pairs", suits=False, drawn_aces=False)
"""What a file for the simulator can say."""
COUNTS = tuple(float(count) for count in range(-9, 10))
"""True counts at which everything is solved; between them it is drawn through."""
FEW = 1.5
"""Of every card at least so many are left, as parts of cards go: where one rank is counted alone, the furthest counts
would have less than none of it."""
SCALES = 200
"""Shares of Kelly's wagers that are tried."""


class AtCount(msgspec.Struct, frozen=True):
    """One true count."""

    count: float
    chance: float
    """How often a round begins so, this count and half of the way to its neighbours."""
    ev_chart: float
    """The chart as it is, for a wager of 1."""
    ev: float
    """With the changes that were taken up."""
    variance: float


class Index(msgspec.Struct, frozen=True):
    """A decision that the count changes."""

    text: str
    """As a count file writes it."""
    index: float
    gain: float
    """What it brings a round for a wager of 1 in every round."""
    gain_ramp: float
    """What it brings a round with the wagers of the ramp, in dollars."""


class Play(msgspec.Struct, frozen=True):
    """A way to wager, and what comes of it."""

    ramp: tuple[tuple[float, float], ...]
    """From which true count on, and dollars; below the first nothing, or the least."""
    least: float
    """What is wagered below the ramp; 0 stands back."""
    win_round: float
    """Dollars for each round that is seen."""
    deviation_round: float
    wagered_round: float
    rounds_hour: float
    win_hour: float
    deviation_hour: float
    n0: float
    """Rounds after which the mean won is one standard deviation."""
    score: float
    """Dollars won in 100 rounds with $10,000 at a risk of ruin of 13.5%: a million times the squared share."""
    ruin: float
    """Chance that the bankroll is ever lost, by a Brownian motion; 1 where nothing is won on the mean."""
    kelly: float
    """Which share of Kelly's the wagers are, for the bankroll."""


class Curve(msgspec.Struct, frozen=True):
    """How the ramp does with other bankrolls."""

    bankroll: float
    ruin: float
    ruin_of_trip: float
    """Lost within the hours of a trip."""


class Share(msgspec.Struct, frozen=True):
    """A fraction of Kelly's wagers."""

    fraction: float
    win_hour: float
    deviation_hour: float
    growth: float
    """Of the bankroll, in an hour."""
    ruin: float


class Depth(msgspec.Struct, frozen=True):
    """What the same player wins where more cards, or fewer, are behind the cutting card, or under changed rules."""

    what: str
    ev: float
    """Of a fresh shoe, for a wager of 1."""
    win_hour: float
    score: float
    positive: float
    """How often a round begins with the player's advantage."""


class Team(msgspec.Struct, frozen=True):
    """Spotters wager the least at a table each and call; one player wagers at the best count."""

    spotters: int
    win_hour: float
    deviation_hour: float
    busy: float
    """How much of the time there is something to wager on."""


class SideCount(msgspec.Struct, frozen=True):
    """An optional wager for whoever keeps track of every card."""

    name: str
    ev: float
    """From a fresh shoe, for a wager of 1."""
    depth: int
    """Cards that are gone."""
    deviation: float
    """Of the value as cards go."""
    favourable: float
    """How often it favours the player."""
    ev_when_favourable: float
    win_round: float
    """For whoever wagers 1 on it then, and then only."""


class Bench(msgspec.Struct, frozen=True):
    """All of it."""

    rulebook: str
    variant: str
    decks: int
    behind: int
    tags: dict[str, float]
    effects: dict[str, float]
    """What taking one card of a rank out changes, splits included."""
    best_tags: dict[str, float]
    """In proportion to the effects, the largest 2."""
    betting_correlation: float
    deck_count: float
    """What a whole deck counts; 0 is balanced."""
    rounds_shoe: float
    counts: tuple[AtCount, ...]
    indices: tuple[Index, ...]
    play: Play
    flat: Play
    curve: tuple[Curve, ...]
    shares: tuple[Share, ...]
    depths: tuple[Depth, ...]
    rules: tuple[Depth, ...]
    team: tuple[Team, ...]
    sides: tuple[SideCount, ...]


class Wanted(msgspec.Struct, frozen=True):
    """What a player has and may do."""

    bankroll: float = 10_000.0
    least: float = 10.0
    most: float = 200.0
    unit: float = 5.0
    steps: int = 6
    """Different wagers at most."""
    kelly: float = 1.0
    ruin: float = 0.135
    """The highest risk that is taken."""
    rounds_hour: float = 70.0
    hours: float = 4.0
    stand_back: bool = False
    """Whether rounds without an advantage are let go by."""
    indices: int = 20


# --- how often each count comes --------------------------------------------------------------------------------------


def tags_of(rulebook: Rulebook, counting: Counting) -> dict[str, float]:
    return {rank: counting.tags.get(rank, 0) / FINENESS for rank in rulebook.cards.ranks.value}


def count_chances(
    tags: dict[str, float], decks: int, behind: int, cards_round: float, counts: Sequence[float]
) -> Array:
    """How often a round begins near each true count: the cards gone at every round are drawn without replacement."""
    ranks = len(tags)
    size = 4 * ranks * decks
    mean = sum(tags.values()) / ranks
    spread = sum((tag - mean) ** 2 for tag in tags.values()) / ranks
    edges = [-np.inf, *((a + b) / 2 for a, b in itertools.pairwise(counts)), np.inf]
    found = np.zeros(len(counts))
    gone, rounds = 1.0, 0
    while gone < size - behind:
        left = size - gone
        scale = 4 * ranks / left
        middle = mean * gone * scale
        deviation = sqrt(spread * gone * left / (size - 1.0)) * scale
        below = [0.5 * (1.0 + erf((edge - middle) / (deviation * sqrt(2.0)))) for edge in edges]
        found += np.diff(below)
        rounds += 1
        gone += cards_round
    return found / rounds


def tilted(rulebook: Rulebook, tags: dict[str, float], decks: int, left: float, count: float) -> Shoe:
    """So many cards as they are on the mean at a true count."""
    ranks = rulebook.cards.ranks.value
    mean = sum(tags.values()) / len(ranks)
    spread = sum((tag - mean) ** 2 for tag in tags.values()) / len(ranks)
    lean = -count / (4 * len(ranks)) + 0.0
    each = left / (4 * len(ranks))
    few = min(FEW, each / 2.0)
    parts = {rank: max(each * (1.0 + (tags[rank] - mean) * lean / spread), few) for rank in ranks}
    scale = left / (4.0 * sum(parts.values()))
    counts: Any = {rank + suit: parts[rank] * scale for rank in ranks for suit in SUITS}
    return Shoe(counts, f"{decks} decks at a true count of {count:+g}")


# --- one count -------------------------------------------------------------------------------------------------------


class _Cells(msgspec.Struct, frozen=True):
    """What each change of one cell of the chart brings a round at a count, by its name and its letter."""

    gains: dict[tuple[str, str], float]
    ev: float
    variance: float


class _Counted:
    """The chart of the fresh shoe, held against shoes at every count."""

    def __init__(self, rulebook: Rulebook, tags: dict[str, float], decks: int, left: float, resplit: bool) -> None:
        self.rulebook, self.tags, self.decks, self.left, self.resplit = rulebook, tags, decks, left, resplit
        solver = self._solver(Shoe.of_decks(rulebook, decks))
        self.fresh = solver
        charter = Charter(solver, LEVEL)
        self.chart = charter.best()
        self.places = {group: place for place, group in enumerate(self.chart.groups)}
        self.charters: dict[float, Charter] = {}

    def _solver(self, shoe: Shoe) -> Solver:
        solver = solver_for(self.rulebook, shoe, resplit=self.resplit)
        solver.value()
        return solver

    def charter(self, count: float) -> Charter:
        if count not in self.charters:
            solver = self._solver(tilted(self.rulebook, self.tags, self.decks, self.left, count))
            charter = Charter(solver, LEVEL)
            self.charters[count] = charter
        return self.charters[count]

    def _adapted(self, charter: Charter) -> Chart:
        """The chart for a shoe in which some hands of the fresh one cannot come up."""
        places = [self.places[group] for group in charter.groups]
        mine = {name: getattr(self.chart, name)[places] for name in ("stand", "double", "give_up", "reached")}
        return self.chart._replace(groups=charter.groups, **mine)

    def cells(self, count: float) -> _Cells:
        """What each change of one cell brings at a count."""
        charter = self.charter(count)
        chart, solver = self._adapted(charter), charter.solver
        gains, ev = cell_gains(charter, chart)
        insured = self._insurance(solver)
        if insured is not None:
            gains["insure", "I"] = insured
        solution = solver.solution()
        return _Cells(gains, ev, solution.standard_deviation**2)

    def _insurance(self, solver: Solver) -> float | None:
        """What half a wager of insurance brings a round, taken whenever it is open."""
        terms = self.rulebook.insurance
        if not terms.offered.value:
            return None
        odds, total = terms.odds.value, 0.0
        for up in range(10):
            share = solver._share_of_ranks(up, terms.dealer_ranks.value)
            if share <= 0.0:
                continue
            for first, second, hand, chance in solver._openings_against(up):
                if (first, second) != (ACE, TEN):
                    natural = float(solver.finals[hand, up, NATURAL])
                    total += share * chance * 0.5 * (natural * odds.wins / odds.on - (1.0 - natural))
        return total

    def value(self, count: float, taken: Sequence[tuple[str, str, float, bool]]) -> float:
        """What the chart brings at a count with these changes: cell, letter, index, below."""
        charter = self.charter(count)
        chart = self._adapted(charter)
        arrays = {name: getattr(chart, name).copy() for name in ("stand", "double", "give_up", "split", "forfeit")}
        insured = 0.0
        names = {(cell_name(each, up)): (place, up) for place, each in enumerate(chart.groups) for up in range(10)}
        for cell, letter, index, below in taken:
            if (count >= index) == below:
                continue
            if cell == "insure":
                insured = self._insurance(charter.solver) or 0.0
            elif cell.startswith("forfeit "):
                total, up = cell.removeprefix("forfeit ").split(" v ")
                arrays["forfeit"][int(total), VALUES.index(up)] = letter == "F"
            else:
                if cell.startswith("pair "):
                    pair, up = cell.removeprefix("pair ").split(" v ")
                    arrays["split"][VALUES.index(pair), VALUES.index(up)] = letter == "P"
                    if letter == "P":
                        continue
                place = names.get(cell)
                if place is not None:
                    arrays["give_up"][place] = letter == "R"
                    if letter != "R":
                        arrays["double"][place] = letter in "Dd"
                        arrays["stand"][place] = letter in "Sd"
        return charter.value(chart._replace(**arrays)) + insured


# --- indices ---------------------------------------------------------------------------------------------------------


def _crossings(counts: Sequence[float], gains: Sequence[float]) -> tuple[float, bool] | None:
    """From which count on a change gains, or below which; None where it does neither, or goes to and fro."""
    above = [gain > 0.0 for gain in gains]
    turns = [place for place in range(1, len(above)) if above[place] != above[place - 1]]
    if len(turns) != 1:
        return None
    place = turns[0]
    before, after = gains[place - 1], gains[place]
    share = before / (before - after)
    index = counts[place - 1] + share * (counts[place] - counts[place - 1])
    return index, above[0]


def _indices(
    counts: Sequence[float], chances: Array, cells: Sequence[_Cells], wagers: Array, most: int
) -> list[tuple[str, str, float, bool, float, float]]:
    """The changes that bring most: cell, letter, index, below, gain for a wager of 1, gain by the wagers."""
    found: dict[tuple[str, bool], tuple[str, str, float, bool, float, float]] = {}
    for cell, letter in cells[0].gains:
        gains = [each.gains.get((cell, letter), 0.0) for each in cells]
        crossing = _crossings(counts, gains)
        if crossing is None:
            continue
        index, below = crossing
        index = round(index, 1)
        holds = np.array([(count < index) == below for count in counts])
        gain = float((chances * np.array(gains) * holds).sum())
        by_wager = float((chances * np.array(gains) * holds * wagers).sum())
        key = (cell, below)
        if by_wager > 0.0 and (key not in found or by_wager > found[key][5]):
            found[key] = (cell, letter, index, below, gain, by_wager)
    return sorted(found.values(), key=lambda each: -each[5])[:most]


def deviation_text(cell: str, letter: str, index: float, below: bool) -> str:
    side = "below" if below else "from"
    return f"insure {side} {index:g}" if cell == "insure" else f"{cell}: {letter} {side} {index:g}"


# --- wagers ----------------------------------------------------------------------------------------------------------


def best_wagers(
    counts: Sequence[float], chances: Array, evs: Array, variances: Array, wanted: Wanted
) -> tuple[Array, float]:
    """Kelly's wagers as far as table, unit, steps and risk allow, and the share of Kelly's that they are.

    The largest share that keeps to the risk; where none does, the one with the least risk.
    """

    def at(scale: float) -> Array:
        ideal = wanted.bankroll * scale * np.maximum(evs, 0.0) / variances
        return _allowed(ideal, evs, wanted)

    def risk(wagers: Array) -> float:
        return _ruin(*_moments(chances, evs, variances, wagers), wanted.bankroll)

    # With a least wager in every round neither much nor little is safe, so every share is looked at.
    scales = [wanted.kelly * step / SCALES for step in range(SCALES, 0, -1)]
    risks = [risk(at(scale)) for scale in scales]
    safe = next((scale for scale, each in zip(scales, risks, strict=True) if each <= wanted.ruin), None)
    best = scales[risks.index(min(risks))] if safe is None else safe
    return at(best), best


def _allowed(ideal: Array, evs: Array, wanted: Wanted) -> Array:
    """Wagers that rise with the count, in units, within the limits, and of so many sizes at most."""
    wagers = np.clip(np.floor(ideal / wanted.unit) * wanted.unit, wanted.least, wanted.most)
    wagers = np.where(evs > 0.0, wagers, wanted.least)
    wagers = np.maximum.accumulate(wagers)
    sizes = sorted(set(wagers.tolist()))
    if len(sizes) > wanted.steps:
        last = max(wanted.steps - 1, 1)
        chosen = [sizes[round(place * (len(sizes) - 1) / last)] for place in range(wanted.steps)]
        wagers = np.array([max(size for size in chosen if size <= wager) for wager in wagers])
    if wanted.stand_back:
        wagers = np.where(np.maximum.accumulate(evs > 0.0), wagers, 0.0)
    return wagers


def _moments(chances: Array, evs: Array, variances: Array, wagers: Array) -> tuple[float, float]:
    win = float((chances * evs * wagers).sum())
    square = float((chances * (variances + evs**2) * wagers**2).sum())
    return win, square - win**2


def _ruin(win: float, variance: float, bankroll: float) -> float:
    if win <= 0.0:
        return 1.0
    return exp(-2.0 * win * bankroll / variance) if variance else 0.0


def ruin_within(win: float, variance: float, bankroll: float, rounds: float) -> float:
    """The chance that a Brownian motion of this mean and variance is down by the bankroll within the rounds."""
    spread = sqrt(variance * rounds)
    if not spread:
        return 0.0

    def normal(x: float) -> float:
        return 0.5 * (1.0 + erf(x / sqrt(2.0)))

    drift = win * rounds
    exponent = -2.0 * win * bankroll / variance
    reflected = exp(min(exponent, 700.0)) * normal((drift - bankroll) / spread)
    return min(normal((-bankroll - drift) / spread) + reflected, 1.0)


def played(
    counts: Sequence[float], chances: Array, evs: Array, variances: Array, wagers: Array, wanted: Wanted, kelly: float
) -> Play:
    """What comes of these wagers."""
    win, variance = _moments(chances, evs, variances, wagers)
    ramp, last = [], wagers[0]
    for place in range(1, len(counts)):
        if wagers[place] != last:
            ramp.append(((counts[place - 1] + counts[place]) / 2.0, float(wagers[place])))
            last = wagers[place]
    ratio = win**2 / variance if variance and win > 0.0 else 0.0
    return Play(
        tuple(ramp), float(wagers[0]), win, sqrt(variance), float((chances * wagers).sum()), wanted.rounds_hour,
        win * wanted.rounds_hour, sqrt(variance * wanted.rounds_hour), variance / win**2 if win > 0.0 else float("inf"),
        1e6 * ratio, _ruin(win, variance, wanted.bankroll), kelly,
    )  # fmt: skip


# --- optional wagers -------------------------------------------------------------------------------------------------


def side_counts(rulebook: Rulebook, decks: int, behind: int, *, samples: int = 4000, seed: int = 1) -> list[SideCount]:
    """Pair wagers, for whoever knows every card that is gone: half of the way to the cutting card, and at it."""
    cards = [rank + suit for rank in rulebook.cards.ranks.value for suit in SUITS]
    chance = np.random.default_rng(seed)
    found = []
    for name, bet in rulebook.side_bets.items():
        if not bet.offered.value:
            continue
        pay = _pair_payments(rulebook, name)
        fresh = float(_pair_value(np.full((1, len(cards)), float(decks)), pay)[0])
        deep = len(cards) * decks - behind
        for gone in (deep // 2, deep):
            left = decks - chance.multivariate_hypergeometric([decks] * len(cards), gone, size=samples)
            values = _pair_value(left.astype(float), pay)
            good = values > 0.0
            found.append(
                SideCount(
                    name, fresh, gone, float(values.std()), float(good.mean()),
                    float(values[good].mean()) if good.any() else 0.0, float(np.maximum(values, 0.0).mean()),
                )
            )  # fmt: skip
    return found


def _pair_payments(rulebook: Rulebook, name: str) -> Array:
    """[rank, first suit, second suit]: what a pair is paid for a wager of 1, 0 where it is not."""
    rows = {row.name: row.odds.wins / row.odds.on for row in rulebook.side_bets[name].pays.value}
    ranks = rulebook.cards.ranks.value
    pay = np.zeros((len(ranks), 4, 4))
    for place, rank in enumerate(ranks):
        for a, first in enumerate(SUITS):
            for b, second in enumerate(SUITS):
                kinds = {"any"} | ({"aces"} if rank == "A" else set())
                if first == second:
                    kinds |= {"perfect", "suited"}
                elif (first in RED) == (second in RED):
                    kinds |= {"coloured", "same-colour"}
                else:
                    kinds |= {"mixed"}
                pay[place, a, b] = max((rows[kind] for kind in kinds if kind in rows), default=0.0)
    return pay


def _pair_value(left: Array, pay: Array) -> Array:
    """The value of the wager for each row of cards left."""
    size = left.sum(axis=1)
    by_rank = left.reshape(len(left), -1, 4)
    total = np.zeros(len(left))
    for a in range(4):
        for b in range(4):
            ways = by_rank[:, :, a] * np.maximum(by_rank[:, :, b] - (a == b), 0.0)
            total += (ways * np.where(pay[None, :, a, b] > 0.0, pay[None, :, a, b] + 1.0, 0.0)).sum(axis=1)
    return total / (size * (size - 1.0)) - 1.0


# --- all of it -------------------------------------------------------------------------------------------------------


def auto_tags(effects: dict[str, float], level: int) -> dict[str, float]:
    """Whole tags none of which is above the level and of which a whole deck counts nothing: those that follow the
    effects best. What is good for the player to lose counts up."""
    x = np.array(list(effects.values()))
    x = x - x.mean()
    best, found = 0.0, np.sign(x - np.median(x))
    for scale in np.linspace(0.4, 4.0, 91) * level / np.abs(x).max():
        for shift in np.linspace(-0.5, 0.5, 51):
            tags = np.clip(np.round(x * scale + shift), -level, level)
            if tags.any() and not tags.sum():
                follows = float((tags * x).sum() / sqrt(float((tags * tags).sum())))
                if follows > best + 1e-12:
                    best, found = follows, tags
    return {rank: float(tag) + 0.0 for rank, tag in zip(effects, found, strict=True)}


def balanced(rulebook: Rulebook, counting: Counting) -> Counting:
    """The count with the same part taken off every tag, so that a whole deck counts nothing.

    That is what whoever counts does who goes by how far the count lies from where so many cards bring it on the mean.
    """
    tags = {rank: counting.tags.get(rank, 0) for rank in rulebook.cards.ranks.value}
    over, number = sum(tags.values()), len(tags)
    if not over:
        return counting
    less = round(over / number)
    tags = {rank: tag - less for rank, tag in tags.items()}
    for rank in list(tags)[: abs(over - less * number)]:
        tags[rank] -= 1 if over > less * number else -1  # thousandths that the ranks do not share evenly
    return msgspec.structs.replace(counting, tags=tags)


def correlation(tags: dict[str, float], effects: dict[str, float]) -> float:
    """How well tags tell when to wager: the correlation of what they count with what a card is worth."""
    x, y = np.array([tags[rank] for rank in effects]), np.array(list(effects.values()))
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / sqrt(float((x * x).sum() * (y * y).sum())))


def effects_of_cards(rulebook: Rulebook, decks: int, resplit: bool = False) -> dict[str, float]:
    solver = solver_for(rulebook, Shoe.of_decks(rulebook, decks), resplit=resplit)
    solver.value()
    return effects_of(solver).by_rank


def bench(
    rulebook: Rulebook,
    counting: Counting,
    decks: int,
    behind: int,
    wanted: Wanted,
    *,
    resplit: bool = False,
    depths: Sequence[int] = (),
    rules: Sequence[tuple[str, Rulebook]] = (),
    team: Sequence[int] = (),
    progress: Progress | None = None,
) -> Bench:
    """Everything, for one count."""
    if not counting.true:
        raise MathsError(f'{counting.name}: a true count is needed here: write count = "true".')
    tags = tags_of(rulebook, counting)
    if abs(sum(tags.values())) > 1e-9:
        raise MathsError(f"{counting.name}: a whole deck counts {4.0 * sum(tags.values()):+g}: give a balanced count.")
    size = 4 * len(tags) * decks
    if not 0 <= behind < size - 20:
        raise MathsError(f"{behind} cards behind the cutting card of {size}: give fewer.")
    if len(set(tags.values())) == 1:
        raise MathsError(f"{counting.name}: every rank of this game counts the same, so there is no count.")

    def tell(text: str) -> None:
        if progress is not None:
            progress(text)

    tell("effects of single cards")
    effects = effects_of_cards(rulebook, decks, resplit)
    chances = count_chances(tags, decks, behind, CARDS_ROUND, COUNTS)
    left = size - (size - behind) / 2.0
    solved = _solve(rulebook, tags, decks, left, resplit, tell)
    counted, cells = solved
    variances = np.array([each.variance for each in cells])
    plain = np.array([each.ev for each in cells])
    flat = np.full(len(COUNTS), wanted.least)
    taken: list[tuple[str, str, float, bool, float, float]] = []
    evs, wagers, kelly = plain, flat, 0.0
    for _ in range(2):
        # Which changes are worth learning hangs on the wagers, and the wagers on what they bring.
        wagers, kelly = best_wagers(COUNTS, chances, evs, variances, wanted)
        taken = _indices(COUNTS, chances, cells, wagers, wanted.indices)
        tell("the chart with its changes")
        evs = np.array([counted.value(count, [each[:4] for each in taken]) for count in COUNTS])
    wagers, kelly = best_wagers(COUNTS, chances, evs, variances, wanted)
    play = played(COUNTS, chances, evs, variances, wagers, wanted, kelly)
    win, variance = play.win_round, play.deviation_round**2
    curve = tuple(
        Curve(
            wanted.bankroll * share, _ruin(win, variance, wanted.bankroll * share),
            ruin_within(win, variance, wanted.bankroll * share, wanted.hours * wanted.rounds_hour),
        )
        for share in (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
    )  # fmt: skip
    shares = []
    for fraction in (0.25, 0.5, 0.75, 1.0, 1.5, 2.0):
        loose = msgspec.structs.replace(wanted, kelly=fraction, ruin=1.0, steps=40)
        mine, _ = best_wagers(COUNTS, chances, evs, variances, loose)
        m, v = _moments(chances, evs, variances, mine)
        growth = (m / wanted.bankroll - v / (2.0 * wanted.bankroll**2)) * wanted.rounds_hour
        hour = wanted.rounds_hour
        shares.append(Share(fraction, m * hour, sqrt(v * hour), growth, _ruin(m, v, wanted.bankroll)))
    indices = tuple(Index(deviation_text(*each[:4]), each[2], each[4], each[5]) for each in taken)
    found_depths = []
    for cards in depths:
        tell(f"{cards} cards behind the cutting card")
        found_depths.append(
            _housed(f"{cards} behind", rulebook, tags, decks, cards, wanted, resplit, cells_of=(evs, variances))
        )
    found_rules = []
    for what, changed in rules:
        tell(what)
        found_rules.append(_housed(what, changed, tags, decks, behind, wanted, resplit))
    peak = max(abs(effect) for effect in effects.values())
    return Bench(
        rulebook.name, rulebook.variant, decks, behind, tags, effects,
        {rank: 2.0 * effect / peak for rank, effect in effects.items()}, correlation(tags, effects),
        round(4.0 * sum(tags.values()), 6) + 0.0, (size - behind) / CARDS_ROUND,
        tuple(
            AtCount(count, float(chance), float(a), float(b), float(v))
            for count, chance, a, b, v in zip(COUNTS, chances, plain, evs, variances, strict=True)
        ),
        indices, play, played(COUNTS, chances, evs, variances, flat, wanted, 0.0), curve, tuple(shares),
        tuple(found_depths), tuple(found_rules),
        tuple(_team(number, chances, evs, variances, wagers, wanted) for number in team),
        tuple(side_counts(rulebook, decks, behind)),
    )  # fmt: skip


CARDS_ROUND = 5.37
"""Cards of a round with one box, as simulated; all five rulebooks lie within a tenth of a card."""


def _solve(
    rulebook: Rulebook, tags: dict[str, float], decks: int, left: float, resplit: bool, tell: Progress
) -> tuple[_Counted, list[_Cells]]:
    tell("the chart of a fresh shoe")
    counted = _Counted(rulebook, tags, decks, left, resplit)
    cells = []
    for place, count in enumerate(COUNTS, start=1):
        tell(f"true count {count:+g}, {place} of {len(COUNTS)}")
        cells.append(counted.cells(count))
    return counted, cells


def _housed(
    what: str, rulebook: Rulebook, tags: dict[str, float], decks: int, behind: int, wanted: Wanted, resplit: bool,
    cells_of: tuple[Array, Array] | None = None,
) -> Depth:  # fmt: skip
    """The same player elsewhere: wagers are chosen anew; under changed rules with best play at every count."""
    size = 4 * len(tags) * decks
    chances = count_chances(tags, decks, behind, CARDS_ROUND, COUNTS)
    fresh = solver_for(rulebook, Shoe.of_decks(rulebook, decks), resplit=resplit).value()
    if cells_of is None:
        left = size - (size - behind) / 2.0
        evs, variances = np.zeros(len(COUNTS)), np.zeros(len(COUNTS))
        for place, count in enumerate(COUNTS):
            solver = solver_for(rulebook, tilted(rulebook, tags, decks, left, count), resplit=resplit)
            solved = solver.solution()
            evs[place], variances[place] = solved.ev, solved.standard_deviation**2
    else:
        evs, variances = cells_of
    wagers, kelly = best_wagers(COUNTS, chances, evs, variances, wanted)
    play = played(COUNTS, chances, evs, variances, wagers, wanted, kelly)
    return Depth(what, fresh, play.win_hour, play.score, float(chances[evs > 0.0].sum()))


def _team(spotters: int, chances: Array, evs: Array, variances: Array, wagers: Array, wanted: Wanted) -> Team:
    """Tables are independent; the player wagers at the table with the best count, and spotters the least at theirs."""
    below = np.cumsum(chances)
    best = np.diff([0.0, *(below**spotters)])
    big = np.where(evs > 0.0, wagers, 0.0)
    win, variance = _moments(best, evs, variances, big)
    spot = float((chances * evs).sum()) * wanted.least * spotters
    spread = float((chances * variances).sum()) * wanted.least**2 * spotters
    hour = wanted.rounds_hour
    return Team(spotters, (win + spot) * hour, sqrt((variance + spread) * hour), float(best[big > 0.0].sum()))


def count_toml(found: Bench, counting: Counting) -> str:
    """The count with its ramp and changes, as the simulator plays it."""
    steps = ", ".join(f'"{_short(count)}" = {_short(wager)}' for count, wager in found.play.ramp)
    lines = [
        f"# {found.rulebook}, {found.decks} decks, {found.behind} cards behind the cutting card.",
        'count = "true"',
        f"wager = {_short(found.play.least)}",
        f"ramp = {{ {steps} }}",
        "deviations = [",
        *(f'  "{each.text}",' for each in found.indices),
        "]",
        "",
        "[tags]",
        *(f"{'10' if rank == 'T' else rank} = {_short(tag)}" for rank, tag in found.tags.items() if tag),
    ]
    return "\n".join(lines) + "\n"


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
