"""Every result of a round for each card and end of the dealer, by how many further wagers a player's chips allow.

Infinitely many decks: once the dealer's card and end are known, boxes are independent, so these tables give the joint
chances of all players' results. Play is best for the mean of one's own result, re-splits included, or like the
dealer's; whoever lacks the chips for it neither doubles nor splits.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

import msgspec

from pitboss.basics.cards import RANKS, VALUE
from pitboss.maths.exact.compiled import available
from pitboss.maths.exact.rules import (
    ANY_BELOW_21,
    AS_USUAL,
    FIRST_TWO_COUNT_ONE,
    HELD_COUNT_ONE,
    TWO_HARD_9_TO_11,
    TWO_OR_THREE,
    Rules,
    compile_rules,
)
from pitboss.rulebooks.terms import Rulebook

available()
# These use numpy: only once it is known to be there.
import numpy as np  # noqa: E402

from pitboss.maths.exact.endless import OTHER, SPADE  # noqa: E402
from pitboss.maths.exact.openings import SUITS_OF_A_PAIR  # noqa: E402
from pitboss.maths.exact.tables import Array  # noqa: E402
from pitboss.maths.exact.words import ACE, SUITED_RANKS, TEN, THIRD  # noqa: E402
from pitboss.maths.tournament import kernels as k  # noqa: E402

PLAYS = {"mean": k.BEST, "dealer": k.LIKE_DEALER}
"""How hands are played: as is best for the mean of the result, or as the dealer plays."""
OVER = 22


class Up(NamedTuple):
    """The dealer's first card, ranks that differ in nothing taken together."""

    value: int
    weight: float
    surrenders: bool
    lanes: tuple[tuple[int, str], ...]
    """Each end of the dealer: the total (22 is over 21), and the ten of a natural ("-" where no rank counts)."""
    chances: Array
    """Of each lane."""


class Cards(NamedTuple):
    """What comes from infinitely many decks."""

    shares: Array
    """Of each value."""
    tens: dict[str, float]
    """Of each ten-value rank among them; one nameless where ranks do not matter."""
    ups: tuple[Up, ...]


def cards_of(rules: Rules, ranks: dict[str, float]) -> Cards:
    """From the share of each rank."""
    shares = np.zeros(10)
    for rank, share in ranks.items():
        shares[VALUE[rank + "s"] - 1] += share
    tens = {rank: share / shares[TEN] for rank, share in ranks.items() if VALUE[rank + "s"] == 10 and share > 0.0}
    ranked = bool(rules.natural_order)
    found: dict[tuple[int, bool, str], float] = {}
    for rank, share in ranks.items():
        value = VALUE[rank + "s"] - 1
        key = (value, rank in rules.surrender_ranks, rank if ranked and value == TEN else "")
        found[key] = found.get(key, 0.0) + share
    ups = []
    for (value, surrenders, ten), weight in found.items():
        if weight <= 0.0:
            continue
        ends: dict[tuple[int, str], float] = {}
        for second in range(10):
            if shares[second] <= 0.0:
                continue
            if {value, second} == {ACE, TEN}:
                which = {"-": 1.0} if not ranked else {ten: 1.0} if value == TEN else tens
                for rank, part in which.items():
                    ends[21, rank] = ends.get((21, rank), 0.0) + shares[second] * part
            else:
                hard, ace = value + second + 2, ACE in (value, second)
                for total, part in dealer_ends(tuple(shares), hard, ace, rules.hard_stand, rules.soft_stand).items():
                    ends[total, ""] = ends.get((total, ""), 0.0) + shares[second] * part
        lanes = tuple(sorted(ends))
        ups.append(Up(value, weight, surrenders, lanes, np.array([ends[lane] for lane in lanes])))
    return Cards(shares, tens if ranked else {"": 1.0}, tuple(ups))


@lru_cache(maxsize=4096)
def dealer_ends(shares: tuple[float, ...], hard: int, ace: bool, hard_stand: int, soft_stand: int) -> dict[int, float]:
    """The chance of each total with which the dealer ends; 22 is over 21."""
    soft = ace and hard <= 11
    total = hard + 10 * soft
    if total >= (soft_stand if soft else hard_stand):
        return {min(total, OVER): 1.0}
    found: dict[int, float] = {}
    for value, share in enumerate(shares):
        if share > 0.0:
            then = dealer_ends(shares, hard + value + 1, ace or value == ACE, hard_stand, soft_stand)
            for end, chance in then.items():
                found[end] = found.get(end, 0.0) + share * chance
    return found


def ranks_of(rulebook: Rulebook) -> dict[str, float]:
    """The share of each rank in the rulebook's decks."""
    mine = rulebook.cards.ranks.value
    return {rank: 1.0 / len(mine) for rank in RANKS if rank in mine}


def rules_array(rules: Rules) -> Array:
    """Rules as the kernels read them."""
    array = np.zeros(k.R_SIZE)
    array[k.R_MUST_DRAW] = rules.must_draw_below
    array[k.R_DOUBLE_HANDS] = {ANY_BELOW_21: 0, TWO_HARD_9_TO_11: 1, TWO_OR_THREE: 2}[rules.double_hands]
    array[k.R_DOUBLE_ACES] = {AS_USUAL: 0, HELD_COUNT_ONE: 1, FIRST_TWO_COUNT_ONE: 2}[rules.double_aces]
    array[k.R_FORFEIT] = rules.forfeit
    array[k.R_TRICK] = rules.five_card_trick
    array[k.R_HARD_STAND], array[k.R_SOFT_STAND] = rules.hard_stand, rules.soft_stand
    array[k.R_FROZEN] = rules.aces_one_card
    array[k.R_ONE_ORIGINAL] = rules.one_original
    return array


class Paid(NamedTuple):
    """What a hand is paid, in chips, for one wager and one amount of doubling."""

    wager: int
    doubled: int
    pay: dict[Fraction, int]
    """The payment of the wager at each odds."""
    pay_doubled: dict[Fraction, int]
    surrendered: int


def paid_table(rules: Rules, cards: Cards, up: Up, paid: Paid) -> Array:
    """[end of the hand, end of the dealer]: what the hand brings, alone on its box."""
    found = np.zeros((k.ENDS, len(up.lanes)), np.int64)
    wager, both = paid.wager, paid.wager + paid.doubled
    at_once = {
        k.BUST: -wager, k.TRICK: paid.pay[rules.even_money], k.NATURAL: paid.pay[rules.natural_odds],
        k.DOUBLED_BUST: -both, k.DOUBLED_21: paid.pay_doubled[rules.doubled_odds],
        k.DOUBLED_TRICK: paid.pay_doubled[rules.even_money], k.FORFEIT: -wager, k.SURRENDER: -paid.surrendered,
    }  # fmt: skip
    for row, odds in enumerate(rules.odds_by_count):
        at_once[k.MADE_21 + row] = paid.pay[odds]
    for row in range(3):
        at_once[k.MADE_678 + row] = paid.pay[rules.odds_678[row]]
        at_once[k.MADE_777 + row] = paid.pay[rules.odds_777[row]]
    for way, amount in at_once.items():
        found[way] = amount
    for end, (dealer, ten) in enumerate(up.lanes):
        if ten:
            found[k.SURRENDER, end] = -wager
        for rank, mine in enumerate(cards.tens):
            odds = rules.natural_against_other
            if ten:
                place = rules.natural_order.index(mine) - rules.natural_order.index(ten) if mine else 0
                odds = rules.natural_rows[0 if place < 0 else 2 if place > 0 else 1]
            found[k.HELD + rank, end] = paid.pay[odds]
        for total in range(2, 21):
            one, two = -wager, -both
            if ten:
                two = -wager if rules.one_original else -both
            elif dealer > 21 or total > dealer:
                one, two = paid.pay[rules.even_money], paid.pay_doubled[rules.doubled_odds]
            elif total == dealer and not rules.ties_lose:
                one = two = 0
            found[k.STAND + total, end], found[k.DOUBLED + total, end] = one, two
    return found


def odds_paid(rules: Rules) -> set[Fraction]:
    """Every odds at which a hand may be paid."""
    return {
        rules.even_money, rules.doubled_odds, rules.natural_odds, rules.natural_against_other, *rules.natural_rows,
        *rules.odds_by_count, *rules.odds_678, *rules.odds_777,
    }  # fmt: skip


# --- best play for the mean ------------------------------------------------------------------------------------------


class Coming(NamedTuple):
    """What is still to come of a split."""

    cards: tuple[int, ...]
    """The suit of each card that waits, as far as it matters."""
    formed: int
    live: bool
    """A finished hand waits for the dealer."""
    ended: bool
    left: int
    """How many further wagers the player's chips allow."""


class Box:
    """One box against one up card."""

    def __init__(self, rules: Rules, cards: Cards, up: Up, unit: int, mode: int, hands: int) -> None:
        self.rules, self.cards, self.up, self.mode = rules, cards, up, mode
        self.array, self.shares = rules_array(rules), cards.shares
        odds = odds_paid(rules)
        pay, twice = {each: int(each * unit) for each in odds}, {each: int(2 * each * unit) for each in odds}
        paid = paid_table(rules, cards, up, Paid(unit, unit, pay, twice, unit // 2))
        shared = paid.copy()
        if rules.one_original:
            shared[k.STAND :, [bool(ten) for _, ten in up.lanes]] = 0
        self.paid = (paid, shared)
        """What a hand brings: the first that waits, and one after it."""
        self.means = tuple(each @ up.chances for each in self.paid)
        most = max(int(paid.max()), 2 * unit)
        self.zero = 2 * unit * hands
        self.size = self.zero + most * hands + 1
        waits = rules.natural_waits and up.value in (ACE, TEN)
        self.natural = k.HELD if waits else k.NATURAL
        self.split_natural = self.natural if rules.split_natural else k.MADE_21
        self._worth: dict[tuple[int, Coming], float] = {}
        self._hands: dict[tuple[int, Coming], tuple[Array, Array, Array, bool]] = {}
        self._spread: dict[tuple[int, Coming], Array] = {}

    # --- a split ---

    def seconds(self, pair: int, coming: Coming) -> list[tuple[int, float, int, int, bool, bool]]:
        """Every second card of the hand whose turn it is: value, chance, kind, suit, may be split again, ended."""
        rules = self.rules
        limit = rules.hands_max if pair != ACE or rules.aces_resplit else 2
        found = []
        for value in range(10):
            chance = float(self.shares[value])
            if chance <= 0.0:
                continue
            again = value == pair and coming.formed < limit and not coming.ended
            ended = coming.ended or (again and rules.declined_ends)
            again = again and coming.left > 0 and self.mode == k.BEST
            third = THIRD.get((min(pair, value), max(pair, value)))
            if third is None and not (value == pair and pair in SUITED_RANKS):
                found.append((value, chance, 0, OTHER, again, ended))
                continue
            spade = coming.cards[0] == SPADE
            kind = 0 if third is None else 2 if spade else 1
            found.append((value, chance / 4, kind, SPADE if spade else OTHER, again, ended))
            if not spade:
                found.append((value, chance / 4, 0, SPADE, again, ended))
            found.append((value, chance * (0.75 if spade else 0.5), 0, OTHER, again, ended))
        return found

    def hand(self, pair: int, rest: Coming) -> tuple[Array, Array, Array, bool]:
        """A hand before `rest` comes: worth of its ends, worth of hands, their acts, and whether it may be doubled."""
        known = self._hands.get((pair, rest))
        if known is None:
            ends = self.means[rest.live and self.rules.one_original].copy()
            can_double = rest.left > 0 and self.rules.double_after_split
            if rest.cards:
                for ways, one in KINDS_OF_ENDS:
                    if can_double or not _doubled(one):
                        ends[ways] += self.worth(pair, self.after(rest, one))
            worth, acts = np.zeros((k.CARDS, k.HARD, k.ACES)), np.zeros((k.CARDS, k.HARD, k.ACES), np.int64)
            k.solve_hands(self.shares, ends, self.array, can_double, self.mode, worth, acts)
            known = self._hands[pair, rest] = (ends, worth, acts, can_double)
        return known

    @staticmethod
    def after(rest: Coming, way: int) -> Coming:
        """What is to come once a hand has ended like this."""
        return rest._replace(live=rest.live or way >= k.STAND, left=rest.left - _doubled(way))

    def options(
        self, pair: int, coming: Coming, second: tuple[int, float, int, int, bool, bool]
    ) -> tuple[float, int, Coming]:
        """With a second card: its worth, the act (3 splits again, 4 ends at once), and what is to come then."""
        value, _, kind, suit, again, ended = second
        rest = coming._replace(cards=coming.cards[1:], ended=ended)
        ends, worth, _, can_double = self.hand(pair, rest)
        if {pair, value} == {ACE, TEN}:
            tens = list(self.cards.tens.values())
            if self.split_natural != k.HELD:
                return float(ends[self.split_natural]), 4, rest
            return sum(share * float(ends[k.HELD + rank]) for rank, share in enumerate(tens)), 4, rest
        if pair == ACE and self.rules.aces_one_card:
            act, best = 4, float(ends[k.STAND + 12 + value])
        else:
            act, best = k.two_cards(
                pair, value, kind, self.shares, ends, self.array, can_double, self.mode, worth
            )  # fmt: skip
        if again:
            more = Coming((coming.cards[0], suit, *coming.cards[1:]), coming.formed + 1, coming.live, coming.ended,
                          coming.left - 1)  # fmt: skip
            split = self.worth(pair, more)
            if split > best:
                return split, 3, more
        return float(best), int(act), rest

    def worth(self, pair: int, coming: Coming) -> float:
        """What is still to come brings on the mean."""
        known = self._worth.get((pair, coming))
        if known is None:
            known = 0.0
            if coming.cards:
                for second in self.seconds(pair, coming):
                    known += second[1] * self.options(pair, coming, second)[0]
            self._worth[pair, coming] = known
        return known

    def spread(self, pair: int, coming: Coming) -> Array:
        """[end of the dealer, amount]: how often each result is still to come."""
        known = self._spread.get((pair, coming))
        if known is not None:
            return known
        found = np.zeros((len(self.up.lanes), self.size))
        if not coming.cards:
            found[:, self.zero] = 1.0
        ended: dict[Coming, Array] = {}
        played: dict[Coming, Array] = {}
        for second in self.seconds(pair, coming) if coming.cards else ():
            value, chance, kind = second[:3]
            _, act, then = self.options(pair, coming, second)
            if act == 3:
                found += chance * self.spread(pair, then)
                continue
            ends = self.hand(pair, then)[0]
            ways = ended.setdefault(then, np.zeros(k.ENDS))
            if act < 3:
                mass = played.setdefault(then, np.zeros((k.CARDS, k.HARD, k.ACES)))
                k.note_two(chance, act, pair, value, kind, self.shares, ends, self.array, mass, ways)
            elif {pair, value} != {ACE, TEN}:
                ways[k.STAND + 12 + value] += chance
            elif self.split_natural != k.HELD:
                ways[self.split_natural] += chance
            else:
                for rank, share in enumerate(self.cards.tens.values()):
                    ways[k.HELD + rank] += chance * share
        for then, ways in ended.items():
            ends, _, acts, _ = self.hand(pair, then)
            if then in played:
                k.follow(self.shares, ends, self.array, acts, played[then], ways)
            paid = self.paid[then.live and self.rules.one_original]
            for kind_of, one in KINDS_OF_ENDS:
                if ways[kind_of].any():
                    k.add_results(found, paid, ways, kind_of, self.spread(pair, self.after(then, one)))
        self._spread[pair, coming] = found
        return found

    # --- the whole box ---

    def results(self, left: int) -> Array:
        """[end of the dealer, amount]: every result of a round, with chips for so many further wagers."""
        rules, shares = self.rules, self.shares
        ends, can_double = self.means[0], left > 0
        worth, acts = np.zeros((k.CARDS, k.HARD, k.ACES)), np.zeros((k.CARDS, k.HARD, k.ACES), np.int64)
        k.solve_hands(shares, ends, self.array, can_double, self.mode, worth, acts)
        ways, mass = np.zeros(k.ENDS), np.zeros((k.CARDS, k.HARD, k.ACES))
        found = np.zeros((len(self.up.lanes), self.size))
        for first in range(10):
            for second in range(first, 10):
                chance = float(shares[first] * shares[second] * (1 if first == second else 2))
                if chance <= 0.0:
                    continue
                if (first, second) == (ACE, TEN):
                    for rank, share in enumerate(self.cards.tens.values()):
                        ways[self.natural + (rank if self.natural == k.HELD else 0)] += chance * share
                    continue
                for often, kind, suits in suits_of(first, second):
                    act, best = k.two_cards(first, second, kind, shares, ends, self.array, can_double, self.mode, worth)
                    if self.mode == k.BEST and first == second and rules.hands_max > 1 and left > 0:
                        coming = Coming(suits, 2, False, False, left - 1)
                        split = self.worth(first, coming)
                        if split > best and not (self.up.surrenders and ends[k.SURRENDER] > split):
                            found += chance * often * self.spread(first, coming)
                            continue
                    if self.mode == k.BEST and self.up.surrenders and ends[k.SURRENDER] > best:
                        ways[k.SURRENDER] += chance * often
                    else:
                        k.note_two(chance * often, act, first, second, kind, shares, ends, self.array, mass, ways)
        k.follow(shares, ends, self.array, acts, mass, ways)
        nothing = np.zeros((len(self.up.lanes), self.size))
        nothing[:, self.zero] = 1.0
        k.add_results(found, self.paid[0], ways, np.arange(k.ENDS), nothing)
        return found


def _doubled(way: int) -> bool:
    return way >= k.DOUBLED or k.DOUBLED_BUST <= way <= k.FORFEIT


KINDS_OF_ENDS = tuple(
    (np.array(ways), ways[0])
    for live in (False, True)
    for doubled in (False, True)
    for ways in [[way for way in range(k.ENDS) if (way >= k.STAND, _doubled(way)) == (live, doubled)]]
)
"""Ends of a hand that leave the same to come, and one of each."""


def suits_of(first: int, second: int) -> tuple[tuple[float, int, tuple[int, int]], ...]:
    """Share, kind (0 mixed, 1 suited, 2 spades) and suits as a split tells them apart."""
    if (first, second) not in THIRD:
        if first != second or first not in SUITED_RANKS:
            return ((1.0, 0, (OTHER, OTHER)),)
        return tuple((share, 0, suits) for share, _, suits in SUITS_OF_A_PAIR)
    if first == second:
        return SUITS_OF_A_PAIR
    return ((1 / 16, 2, (OTHER, OTHER)), (3 / 16, 1, (OTHER, OTHER)), (12 / 16, 0, (OTHER, OTHER)))


# --- tables ----------------------------------------------------------------------------------------------------------


class RoundTables(msgspec.Struct, frozen=True):
    """The chance of each result of a round, by further wagers, dealer's card and dealer's end."""

    rules: Rules
    cards: Cards
    unit: int
    """Results are counted in so many parts of the wager."""
    results: Array
    """Every result, in parts, rising."""
    weights: Array
    """[dealer's card, end]: how often they come."""
    chances: dict[str, Array]
    """By the way of playing, [further wagers, dealer's card, end, result]; with the last number, as many as wanted."""
    below: dict[str, Array]
    """The chance of a lower result; one column more."""

    def level(self, chips: int, wager: int) -> int:
        """How many further wagers somebody has the chips for, as the tables tell them apart."""
        most: int = next(iter(self.chances.values())).shape[0] - 1
        return min(max(chips - wager, 0) // wager, most) if wager else 0


def round_tables(rulebook: Rulebook, *, resplit: bool = False) -> RoundTables:
    """For a rulebook as it is dealt."""
    return tables_for(compile_rules(rulebook, resplit=resplit), tuple(ranks_of(rulebook).items()))


@lru_cache(maxsize=8)
def tables_for(rules: Rules, ranks: tuple[tuple[str, float], ...]) -> RoundTables:
    """For any rules, and any mixture of ranks."""
    cards = cards_of(rules, dict(ranks))
    unit = lcm(2, *(each.denominator for each in odds_paid(rules)))
    levels = 2 * rules.hands_max
    lanes = max(len(up.lanes) for up in cards.ups)
    weights = np.zeros((len(cards.ups), lanes))
    raw: dict[str, list[list[Array]]] = {}
    zero = 0
    for number, up in enumerate(cards.ups):
        weights[number, : len(up.lanes)] = up.weight * up.chances
        for name, mode in PLAYS.items():
            box = Box(rules, cards, up, unit, mode, rules.hands_max)
            zero = box.zero
            raw.setdefault(name, []).append([box.results(left) for left in range(levels)])
    size = max(each.shape[1] for rows in raw["mean"] for each in rows)
    whole = {}
    for name, rows in raw.items():
        whole[name] = np.zeros((levels, len(cards.ups), lanes, size))
        for number, by_level in enumerate(rows):
            for left, each in enumerate(by_level):
                whole[name][left, number, : each.shape[0], : each.shape[1]] = each
    used = np.flatnonzero(sum(each.sum(axis=(0, 1, 2)) for each in whole.values()))
    chances = {name: np.ascontiguousarray(each[..., used]) for name, each in whole.items()}
    below = {
        name: np.concatenate((np.zeros((*each.shape[:3], 1)), each.cumsum(axis=3)), axis=3)
        for name, each in chances.items()
    }
    return RoundTables(rules, cards, unit, used - zero, weights, chances, below)
