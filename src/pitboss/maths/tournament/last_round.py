"""The last round of a session: the chance to advance with each wager, exactly, for infinitely many decks.

Everybody's result hangs on one dealer hand. Once its first card and its end are known boxes are independent, so the
chance to be among the first is a sum over both. Who asks plays for the place, others for the mean of their own result
or like the dealer; what they wager after is stated by a model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd

import msgspec
import numpy as np

from pitboss.basics.money import dollars, payable_down, payable_up
from pitboss.maths.exact.tables import Array
from pitboss.maths.exact.words import ACE, TEN
from pitboss.maths.shoes import MathsError
from pitboss.maths.tournament import kernels as k
from pitboss.maths.tournament.rounds import (
    PLAYS,
    Paid,
    RoundTables,
    Up,
    odds_paid,
    paid_table,
    round_tables,
    rules_array,
)
from pitboss.rulebooks.meanings import JOINT_ELIMINATION_RANKED, UNITS_OF_MINIMUM
from pitboss.rulebooks.terms import Insurance, Rulebook

ANSWER, CHASE, MINIMUM, MAXIMUM, STEADY = "answer", "chase", "minimum", "maximum", "steady"
MODELS = {
    ANSWER: "who wagers after you answers with the wager that gives them the best chance; who has not said a wager "
    "and comes before you, as with chase",
    CHASE: "who is among the first wagers the minimum; who is not wagers what takes them past the last of the first "
    "at even money, as far as limits and chips allow",
    MINIMUM: "everybody wagers the minimum",
    MAXIMUM: "everybody wagers the maximum, or all they have",
    STEADY: "everybody wagers a tenth of their chips, in units of the minimum",
}
"""What somebody wagers whose wager is not known."""
OPEN, PASS, HIDDEN = "", "pass card", "undisclosed"
"""How somebody wagers: in chips, not at all, or in writing."""
OUT_BELOW = 1
"""After the last round only who has nothing left is out: no round comes for which the minimum were wanted."""
INSURED = 10
"""In so many steps up to half of the wager insurance is tried."""
CANDIDATES, ANSWERS = 60, 12
"""More wagers than these are tried in larger steps at first."""
PLAYERS_MAX = 7


class Seat(msgspec.Struct, frozen=True):
    """A player in the order of wagering."""

    chips: int
    wager: int | None = None
    written: bool = False
    """Whether that wager is in writing alone: then its hand is neither doubled nor split."""


class Table(msgspec.Struct, frozen=True):
    """What is known before somebody wagers; amounts in cents."""

    seats: tuple[Seat, ...]
    """In the order of wagering, from the marker."""
    me: int
    advance: int
    minimum: int
    maximum: int
    chips: tuple[int, ...] = (500,)
    """The denominations: a payment is rounded up to what they make."""
    model: str = ANSWER
    play: str = "mean"
    """How the others play their hands."""
    pass_card: bool = False
    """Whether I have a pass card left."""
    undisclosed: bool = False
    """Whether I have an undisclosed wager left."""
    unit: int = 0
    """What all wagers are multiples of; 0 where they may be whatever the chips make."""

    @property
    def grain(self) -> int:
        """The least difference of two wagers."""
        return self.unit or min(self.chips)

    def most(self, seat: int) -> int:
        """The largest wager somebody can make."""
        cents = min(self.maximum, self.seats[seat].chips)
        return cents // self.unit * self.unit if self.unit else payable_down(cents, self.chips)


class Wager(msgspec.Struct, frozen=True):
    """One wager and what it brings."""

    cents: int
    chance: float
    """To advance, hands played for the place."""
    by_mean: float
    """The same with hands played for the mean of the result."""
    cost: float
    """How much less than the best wager."""
    others: tuple[int, ...]
    """What everybody else wagers then, in the order of wagering, oneself left out."""
    how: str = OPEN
    """In chips, by a pass card, or undisclosed: nobody answers it, and its hand is not doubled, split or insured."""


class Advice(msgspec.Struct, frozen=True):
    """The last round, wager by wager."""

    rulebook: str
    model: str
    ties: str
    wagers: tuple[Wager, ...]
    best: Wager
    step: int
    """Wagers were tried in such steps, and near the best one and near rivals one by one."""
    cards: int = 0
    """From exactly so many cards, none put back; 0 for infinitely many decks."""


def checked(rulebook: Rulebook, table: Table) -> Table:
    """The table, with the unit that the rules give wagers, or a sentence about what cannot be."""
    if not rulebook.tournament.offered.value:
        raise MathsError(f"{rulebook.name} has no rules for tournaments.")
    if not 2 <= len(table.seats) <= PLAYERS_MAX:
        raise MathsError(f"{len(table.seats)} players: name two to {PLAYERS_MAX}, yourself with a star.")
    if not 1 <= table.advance < len(table.seats):
        raise MathsError(f"--advance {table.advance}: of {len(table.seats)} players one to {len(table.seats) - 1} can.")
    if not 0 < table.minimum <= table.maximum:
        raise MathsError("the minimum is above nothing and not above the maximum.")
    if not table.chips or min(table.chips) <= 0:
        raise MathsError("chips are worth more than nothing.")
    if table.model not in MODELS:
        raise MathsError(f"--model {table.model!r}: known are {', '.join(MODELS)}.")
    if table.play not in PLAYS:
        raise MathsError(f"--play {table.play!r}: known are {', '.join(PLAYS)}.")
    if table.seats[table.me].chips < table.minimum:
        raise MathsError(f"with {dollars(table.seats[table.me].chips)} nobody wagers {dollars(table.minimum)}.")
    for number, seat in enumerate(table.seats, start=1):
        if any(amount != payable_down(amount, table.chips) for amount in (seat.chips, seat.wager or 0)):
            raise MathsError(f"player {number}: the chips do not make this amount.")
        if seat.wager is not None and not 0 <= seat.wager <= min(seat.chips, table.maximum):
            raise MathsError(f"player {number}: {dollars(seat.wager)} is above their chips or the maximum.")
    return with_unit(rulebook, table)


def with_unit(rulebook: Rulebook, table: Table) -> Table:
    """The table with the unit that the rules give its wagers."""
    in_units = UNITS_OF_MINIMUM[rulebook.tournament.units.value]
    return msgspec.structs.replace(table, unit=table.minimum if in_units else 0)


def advise(
    rulebook: Rulebook, table: Table, *, resplit: bool = False, progress: Callable[[int, int], None] | None = None
) -> Advice:
    """The chance of every wager, and the best one."""
    table = checked(rulebook, table)
    asked = LastRound(rulebook, table, resplit=resplit)
    wanted, step = candidates(table, table.me, CANDIDATES)
    found: dict[int, Wager] = {}

    def look(amounts: Sequence[int], whole: int) -> None:
        for amount in amounts:
            if amount not in found:
                found[amount] = asked.wager(amount)
                if progress is not None:
                    progress(len(found), whole)

    look(wanted, len(wanted))
    grain, most = table.grain, table.most(table.me)
    while step > grain:
        best = max(found.values(), key=lambda each: each.chance).cents
        step = max(step // 2 // grain * grain, grain)
        near = [best + sign * step for sign in (-1, 1) if table.minimum <= best + sign * step <= most]
        near = [amount for amount in near if payable_down(amount, table.chips) == amount]
        look(near, len(found) + len(near))
    ways = [found[amount] for amount in sorted(found)]
    if table.pass_card:
        ways.insert(0, asked.passing())
    if table.undisclosed:
        ways += [asked.wager(amount, how=HIDDEN) for amount in wanted]
    return advice_of(rulebook, table, asked.by_wager, ways, candidates(table, table.me, CANDIDATES)[1])


def advice_of(
    rulebook: Rulebook, table: Table, by_wager: bool, ways: Sequence[Wager], step: int, cards: int = 0
) -> Advice:
    """What each wager costs beside the best one, and how the others were taken to wager."""
    best = max(ways, key=lambda each: (round(each.chance, 12), -each.cents, each.how == OPEN))
    wagers = tuple(msgspec.structs.replace(each, cost=best.chance - each.chance) for each in ways)
    ties = "a play-off is won by each of those tied with the same chance"
    if by_wager:
        ties = f"of those who have nothing left the larger wager goes first; otherwise {ties}"
    return Advice(rulebook.name, MODELS[table.model], ties, wagers, best, step, cards)


def candidates(table: Table, seat: int, number: int) -> tuple[list[int], int]:
    """Wagers worth a try, and the step between them: all in units of the minimum, or fewer and those near rivals."""
    mine, unit, grain, most = table.seats[seat].chips, table.minimum, table.grain, table.most(seat)
    step = unit
    while (most - unit) // step + 1 > number:
        step += unit
    found = {*range(unit, most + 1, step), most}
    if step > grain:
        for other in table.seats:
            for gap in (abs(other.chips - mine), abs(other.chips + (other.wager or 0) - mine)):
                found |= {gap // grain * grain + more * grain for more in (0, 1)}
    fits = (each for each in found if table.minimum <= each <= most and payable_down(each, table.chips) == each)
    return sorted(fits), step


class LastRound:
    """One table before its last round."""

    def __init__(
        self, rulebook: Rulebook, table: Table, *, resplit: bool = False, tables: RoundTables | None = None
    ) -> None:
        self.table, self.tables = with_unit(rulebook, table), tables or round_tables(rulebook, resplit=resplit)
        self.insurance = rulebook.insurance
        self.by_wager = JOINT_ELIMINATION_RANKED[rulebook.tournament.joint_elimination.value]
        self.hands_max = self.tables.rules.hands_max
        self._finals: dict[tuple[int, int], Array] = {}

    # --- what everybody wagers ---

    def wager(self, cents: int, how: str = OPEN) -> Wager:
        """The chance with this wager, others wagering as the model says."""
        wagers = self.wagers_with(cents, seen=how != HIDDEN)
        by_mean = self.by_tables(self.table.me, wagers, written=how == HIDDEN)
        chance = max(by_mean, self.for_the_place(wagers, written=how == HIDDEN))
        return Wager(cents, chance, by_mean, 0.0, self._others(wagers), how)

    def passing(self) -> Wager:
        """The chance with a pass card: my chips stay what they are."""
        wagers = self.wagers_with(0)
        chance = self.by_tables(self.table.me, wagers)
        return Wager(0, chance, chance, 0.0, self._others(wagers), PASS)

    def _others(self, wagers: Sequence[int]) -> tuple[int, ...]:
        return tuple(each for seat, each in enumerate(wagers) if seat != self.table.me)

    def wagers_with(self, cents: int, *, seen: bool = True) -> list[int]:
        """Everybody's wager in turn, mine being this; who does not see it cannot answer it."""
        table = self.table
        stated = [seat.wager for seat in table.seats]
        stated[table.me] = cents
        found: list[int] = []
        for seat, known in enumerate(stated):
            if known is not None:
                found.append(known)
            elif table.model == ANSWER and seat > table.me and seen:
                found.append(self._answer(seat, found, stated))
            else:
                found.append(model_wager(table, seat, CHASE if table.model == ANSWER else table.model))
        return found

    def _answer(self, seat: int, before: list[int], stated: list[int | None]) -> int:
        """The wager that gives a player the best chance, who knows what was wagered before."""
        table = self.table
        if table.seats[seat].chips < table.minimum:
            return 0
        after = [
            model_wager(table, other, CHASE) if known is None else known
            for other, known in enumerate(stated)
            if other > seat
        ]
        tried = candidates(table, seat, ANSWERS)[0]
        return max(tried, key=lambda amount: (self.by_tables(seat, [*before, amount, *after]), -amount))

    # --- chances ---

    def finals(self, chips: int, wager: int) -> Array:
        """The chips that each result of the tables leaves somebody with."""
        known = self._finals.get((chips, wager))
        if known is None:
            parts = [Fraction(int(each) * wager, self.tables.unit) for each in self.tables.results]
            known = self._finals[chips, wager] = np.array(
                [max(chips + rounded(each, self.table.chips), 0) for each in parts], np.int64
            )
        return known

    def everybody(self, wagers: Sequence[int]) -> tuple[Array, Array, Array]:
        """Final chips, wagers and levels of all players."""
        seats = self.table.seats
        finals = np.array([self.finals(seat.chips, wager) for seat, wager in zip(seats, wagers, strict=True)])
        levels = np.array(
            [
                0 if seat.written else self.tables.level(seat.chips, wager)
                for seat, wager in zip(seats, wagers, strict=True)
            ],
            np.int64,
        )
        return finals, np.array(wagers, np.int64), levels

    def by_tables(self, seat: int, wagers: Sequence[int], *, written: bool = False) -> float:
        """The chance of a player, everybody playing hands by the tables; a hand with only a written wager is neither
        doubled nor split."""
        finals, amounts, levels = self.everybody(wagers)
        if written:
            levels[seat] = 0
        chances, below = self._playing(seat)
        return float(
            k.chance_by_tables(
                seat,
                finals,
                amounts,
                levels,
                chances,
                below,
                self.tables.weights,
                self.table.advance,
                OUT_BELOW,
                self.by_wager,
            )
        )

    def _playing(self, seat: int) -> tuple[Array, Array]:
        """The tables by which the player and the others play."""
        play = self.table.play
        chances = self.tables.chances["mean" if seat == self.table.me else play]
        return chances, self.tables.below[play]

    def for_the_place(self, wagers: Sequence[int], *, written: bool = False) -> float:
        """My chance with every hand played for the place, insurance taken where it helps, a pair split once at most;
        where the wager is only written none of these, nor doubled."""
        tables = self.tables
        natural_too = not self.insurance.natural_excluded.value
        chance = 0.0
        for number, up in enumerate(tables.cards.ups):
            best = self._against(number, wagers, 0, written=written)
            for insured in () if written else self.insured(up, wagers[self.table.me]):
                with_it = self._against(number, wagers, insured, written=False)
                if not natural_too:
                    with_it[ACE, TEN] = 0.0
                best = np.maximum(best, with_it)
            chance += up.weight * float(best.sum())
        return chance

    def insured(self, up: Up, wager: int) -> tuple[int, ...]:
        """For how much I may insure against this card, in steps."""
        return insured_amounts(self.insurance, "A" if up.value == ACE else "", self.table, wager)

    def _against(self, number: int, wagers: Sequence[int], insured: int, *, written: bool) -> Array:
        """The best chance with each two cards against one card of the dealer, so much being insured."""
        table, tables, rules = self.table, self.tables, self.tables.rules
        up = tables.cards.ups[number]
        finals, amounts, levels = self.everybody(wagers)
        chips, wager = table.seats[table.me].chips, wagers[table.me]
        left = 0 if written else chips - wager - insured
        doubles = [min(wager, left)]
        doubles.append(min(wager, max(left - wager, 0)))
        doubles.append(min(wager, max(left - wager - doubles[1], 0)))
        paid = [self._paid(wager, doubled) for doubled in doubles]
        amounts_paid = np.stack([paid_table(rules, tables.cards, up, each) for each in paid])
        naturals = np.array([bool(ten) for _, ten in up.lanes])
        odds = self.insurance.odds.value
        won = rounded(Fraction(insured * odds.wins, odds.on), table.chips) if insured else 0
        base = np.where(naturals, chips + won, chips - insured)
        step = gcd(*(int(each) for each in np.unique(amounts_paid)), wager, won, insured)
        low = chips - insured + 2 * min(int(amounts_paid.min()), 0)
        high = chips + won + 2 * int(amounts_paid.max())
        natural = k.HELD if rules.natural_waits and up.value in (ACE, TEN) else k.NATURAL
        below = tables.below[table.play]
        mine = np.stack([below[levels[seat], number] for seat in range(len(wagers))], axis=1)
        found: Array = k.place_against(
            tables.cards.shares, rules_array(rules), up.chances, naturals, amounts_paid, base, wager, doubles[0], left,
            self.hands_max, rules.double_after_split, natural, natural if rules.split_natural else k.MADE_21,
            np.array(list(tables.cards.tens.values())), up.surrenders, ends_alike(amounts_paid[1]), low, step,
            (high - low) // step + 1, table.me, finals, amounts, mine, table.advance, OUT_BELOW, self.by_wager,
        )  # fmt: skip
        return found

    def _paid(self, wager: int, doubled: int) -> Paid:
        rules, chips = self.tables.rules, self.table.chips
        odds = odds_paid(rules)
        half = min(wager, payable_up(-(-wager // 2), chips))
        return Paid(
            wager,
            doubled,
            {each: rounded(each * wager, chips) for each in odds},
            {each: rounded(each * (wager + doubled), chips) for each in odds},
            wager - half,
        )


def insured_amounts(terms: Insurance, rank: str, table: Table, wager: int) -> tuple[int, ...]:
    """For how much the player asking may insure against a card of this rank, in steps."""
    if not terms.offered.value or not rank or rank not in terms.dealer_ranks.value:
        return ()
    smallest = min(table.chips)
    most = min(wager // 2, table.seats[table.me].chips - wager) // smallest
    return tuple(sorted({most * part // INSURED * smallest for part in range(1, INSURED + 1)} - {0}))


def ends_alike(paid: Array) -> Array:
    """For each end of a hand the first that brings the same whatever the dealer has, and leaves the same to come."""
    first: dict[tuple[bytes, bool, bool], int] = {}
    found = np.zeros(k.ENDS, np.int64)
    for way in range(k.ENDS):
        doubled = way >= k.DOUBLED or k.DOUBLED_BUST <= way <= k.FORFEIT
        found[way] = first.setdefault((paid[way].tobytes(), doubled, way >= k.STAND), way)
    return found


def rounded(amount: Fraction, chips: tuple[int, ...]) -> int:
    """What chips can make: a payment the next amount up, a loss the next down."""
    if amount >= 0:
        return payable_up(-(-amount.numerator // amount.denominator), chips)
    return -payable_down(int(-amount), chips)


def model_wager(table: Table, seat: int, model: str) -> int:
    """What somebody wagers who looks at nobody's wager; 0 where they cannot wager the minimum."""
    chips, unit, most = table.seats[seat].chips, table.minimum, table.most(seat)
    if chips < unit:
        return 0
    if model == MAXIMUM:
        return most
    wanted = unit
    if model == STEADY:
        wanted = chips // 10
    elif model == CHASE:
        others = sorted((each.chips for place, each in enumerate(table.seats) if place != seat), reverse=True)
        last = others[table.advance - 1]
        if chips <= last:
            wanted = last - chips + 1
    units = -(-wanted // unit) if model == CHASE else wanted // unit
    return min(max(units, 1) * unit, most)
