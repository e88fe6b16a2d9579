"""Optional wagers in closed form, as exact fractions for any shoe.

Every chance here is a count of ordered draws over the number of all ordered draws. The order in which boxes and dealer
are served does not matter: any two, three or four places of a shuffled shoe are alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from pitboss.basics.cards import RED, SUITS, VALUE
from pitboss.basics.money import Odds, dollars
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.rulebooks.meanings import handles
from pitboss.rulebooks.terms import FixedRow, Rulebook, SideBet
from pitboss.rulebooks.vocabulary import BLAZING

INSURANCE, SUPER_BONUS = "insurance", "super-bonus"
STUDIED_WAGER_CENTS = 500
"""The small Super Bonus is shown for this wager where the document sets no least one."""


class Win(msgspec.Struct, frozen=True):
    """One way to win."""

    name: str
    chance: Fraction
    pays: Fraction
    """For a wager of 1, besides the wager itself."""
    text: str
    """The odds or the prize in words."""


class SideBetValue(msgspec.Struct, frozen=True):
    """What an optional wager is worth for each unit wagered."""

    name: str
    ev: Fraction
    wins: tuple[Win, ...]
    offered: bool
    """Whether the rulebook lets it be offered with this many decks."""
    given: str = ""
    """What must have happened before the wager can be made."""
    wager_cents: int = 0
    """The wager's size where the value depends on it."""
    jackpot_cents: int = 0
    break_even_jackpot_cents: Fraction | None = None
    """The jackpot at which neither side has an edge; None where no jackpot is played for."""
    variants: tuple[SideBetValue, ...] = ()
    """The same wager in other sizes, with other jackpots, or with other cards seen."""

    @property
    def hit_chance(self) -> Fraction:
        return sum((win.chance for win in self.wins), Fraction(0))


def side_bets(
    rulebook: Rulebook, shoe: Shoe, *, decks: int | None = None, jackpot_cents: int | None = None
) -> dict[str, SideBetValue]:
    """Every optional wager of a rulebook by name; `decks` says for how many decks `offered` is to be answered.

    Insurance is left out where the shoe has no card that could open it.
    """
    found: dict[str, SideBetValue] = {}
    for name, bet in rulebook.side_bets.items():
        if bet.offered.value:
            found[name] = pair_wager(name, bet, shoe, decks)
    if rulebook.blazing_7s.offered.value:
        found[BLAZING] = blazing_wager(rulebook, shoe, decks, jackpot_cents)
    if rulebook.insurance.offered.value and any(shoe.rank(rank) for rank in rulebook.insurance.dealer_ranks.value):
        found[INSURANCE] = insurance_wager(rulebook, shoe)
    if rulebook.super_bonus.offered.value:
        found[SUPER_BONUS] = super_bonus(rulebook, shoe)
    return found


def draws(size: int, cards: int) -> int:
    """In how many orders so many cards can come from a shoe of this size."""
    number = 1
    for drawn in range(cards):
        number *= size - drawn
    return number


# --- pairs -----------------------------------------------------------------------------------------------------------


def pair_wager(name: str, bet: SideBet, shoe: Shoe, decks: int | None) -> SideBetValue:
    """Two cards of one rank: each pair is paid by the best row that it fits."""
    all_draws = draws(shoe.size, 2)
    chances = {row.name: 0 for row in bet.pays.value}
    for ways, kinds in _pairs(shoe):
        rows = [row for row in bet.pays.value if row.name in kinds]
        if rows:
            best = max(rows, key=lambda row: Fraction(row.odds.wins, row.odds.on))
            chances[best.name] += ways
    wins = tuple(
        Win(row.name, Fraction(chances[row.name], all_draws), _fraction(row.odds), str(row.odds))
        for row in bet.pays.value
    )
    return SideBetValue(name, _worth(wins), wins, decks is None or decks in bet.decks.value)


handles(
    "side_bets.perfect-pairs.pays:rows side_bets.any-pairs.pays:rows side_bets.star-pairs.pays:rows",
    "any aces perfect suited coloured same-colour mixed",
)


def _pairs(shoe: Shoe) -> Iterator[tuple[int, frozenset[str]]]:
    """How many ordered draws make a pair, with every row name that such a pair may go by."""
    ranks = dict.fromkeys(card[0] for card in shoe.counts)
    for rank in ranks:
        always = {"any", "aces"} if rank == "A" else {"any"}
        for first in SUITS:
            for second in SUITS:
                ways = shoe.count(rank + first) * (shoe.count(rank + second) - (first == second))
                if first == second:
                    kinds = {"perfect", "suited"}
                elif (first in RED) == (second in RED):
                    kinds = {"coloured", "same-colour"}
                else:
                    kinds = {"mixed"}
                yield ways, frozenset(always | kinds)


# --- Blazing 7s ------------------------------------------------------------------------------------------------------


def blazing_wager(rulebook: Rulebook, shoe: Shoe, decks: int | None, jackpot_cents: int | None) -> SideBetValue:
    """The player's first two cards and the dealer's first; the wager is taken before the deal and never given back.

    The jackpot is paid to one winner alone (16.11 shares it among several) and prizes are not rounded to chips.
    """
    terms = rulebook.blazing_7s
    chances = blazing_chances(shoe)
    jackpots = (jackpot_cents,) if jackpot_cents is not None else terms.minimums_cents.value
    values = [
        _blazing(terms.pays.value, chances, wager, jackpot, decks is None or decks in terms.decks.value)
        for wager in terms.amounts_cents.value
        for jackpot in jackpots
    ]
    if not values:
        raise MathsError(f"{rulebook.name}: Blazing 7s needs a jackpot and amounts to wager.")
    return msgspec.structs.replace(values[0], variants=tuple(values[1:]))


def _blazing(
    rows: tuple[FixedRow, ...], chances: dict[str, Fraction], wager: int, jackpot: int, offered: bool
) -> SideBetValue:
    wins, fixed, per_jackpot_cent = [], Fraction(0), Fraction(0)
    for row in rows:
        chance = chances.get(row.name, Fraction(0))
        share = Fraction(row.share_percent, 100)
        prize = share * jackpot if row.share_percent else Fraction(row.cents_by_wager[wager])
        text = f"{row.share_percent}% of the jackpot" if row.share_percent else dollars(row.cents_by_wager[wager])
        wins.append(Win(row.name, chance, prize / wager, text))
        per_jackpot_cent += chance * share
        if not row.share_percent:
            fixed += chance * prize
    prizes = sum((win.chance * win.pays for win in wins), Fraction(0))
    break_even = (wager - fixed) / per_jackpot_cent if per_jackpot_cent else None
    return SideBetValue(
        BLAZING, prizes - 1, tuple(wins), offered, wager_cents=wager, jackpot_cents=jackpot,
        break_even_jackpot_cents=break_even,
    )  # fmt: skip


def blazing_chances(shoe: Shoe) -> dict[str, Fraction]:
    """Chance of each prize; the best one alone counts, so they exclude one another."""
    sevens = shoe.rank("7")
    by_suit = {suit: shoe.count("7" + suit) for suit in SUITS}
    others = shoe.size - sevens
    three = draws(shoe.size, 3)
    diamonds = draws(by_suit["d"], 3)
    suited = sum(draws(count, 3) for suit, count in by_suit.items() if suit != "d")
    red = draws(sum(count for suit, count in by_suit.items() if suit in RED), 3)
    black = draws(sum(count for suit, count in by_suit.items() if suit not in RED), 3)
    same_colour = red + black - diamonds - suited
    ways = {
        "three-sevens-diamonds": diamonds,
        "three-suited-sevens": suited,
        "three-same-colour-sevens": same_colour,
        "three-sevens": draws(sevens, 3) - red - black,
        "two-player-sevens": draws(sevens, 2) * others,
        "one-player-one-dealer-seven": 2 * draws(sevens, 2) * others,
    }
    return {name: Fraction(number, three) for name, number in ways.items()}


class PrizeValue(msgspec.Struct, frozen=True):
    """What a wager w with a prize p that does not grow with it brings the house: wA + pB, A and B hanging on the cards.

    Means, variances and covariance of A and B on one box; then those on two boxes against one dealer's card.
    """

    edge: Fraction
    variance: Fraction
    prize_edge: Fraction
    prize_variance: Fraction
    mixed: Fraction = Fraction(0)
    covariance: Fraction = Fraction(0)
    mixed_covariance: Fraction = Fraction(0)
    prize_covariance: Fraction = Fraction(0)


def blazing_prizes(rulebook: Rulebook, shoe: Shoe) -> PrizeValue:
    """Blazing 7s at any jackpot: the fixed prizes grow with the wager, the shares with the level of the jackpot.

    Two boxes are taken to have the dealer's card in common and nothing else; a jackpot that two of them win in one
    round is counted twice, and prizes are not rounded to chips.
    """
    terms = rulebook.blazing_7s
    brings: dict[str, tuple[Fraction, Fraction]] = {}
    for row in terms.pays.value:
        rates = {
            Fraction(row.cents_by_wager[wager], wager) for wager in terms.amounts_cents.value if not row.share_percent
        }
        if len(rates) > 1:
            raise MathsError(f"{rulebook.name}: the prize of {row.name} does not grow with the wager.")
        brings[row.name] = (1 - sum(rates, Fraction(0)), Fraction(-row.share_percent, 100))
    nothing = (Fraction(1), Fraction(0))
    one = [Fraction(0)] * 5
    two = [Fraction(0)] * 3
    for chance, results in _blazing_by_dealer(shoe):
        rest = 1 - sum(results.values(), Fraction(0))
        each = [(rest, *nothing), *((part, *brings.get(name, nothing)) for name, part in results.items())]
        wager = sum((part * a for part, a, _ in each), Fraction(0))
        prize = sum((part * b for part, _, b in each), Fraction(0))
        squares = [sum((part * x for part, x in found), Fraction(0)) for found in (
            [(part, a * a) for part, a, _ in each],
            [(part, a * b) for part, a, b in each],
            [(part, b * b) for part, _, b in each],
        )]  # fmt: skip
        for place, value in enumerate((wager, prize, *squares)):
            one[place] += chance * value
        for place, value in enumerate((wager * wager, wager * prize, prize * prize)):
            two[place] += chance * value
    a, b, aa, ab, bb = one
    return PrizeValue(
        a, aa - a * a, b, bb - b * b, ab - a * b, two[0] - a * a, two[1] - a * b, two[2] - b * b
    )  # fmt: skip


def _blazing_by_dealer(shoe: Shoe) -> Iterator[tuple[Fraction, dict[str, Fraction]]]:
    """By the dealer's first card, a seven of each suit or another one: its chance, and each prize's chance given it."""
    sevens = shoe.rank("7")
    others = shoe.size - sevens
    two = draws(shoe.size - 1, 2)
    for suit in SUITS:
        of_suit = draws(shoe.count("7" + suit) - 1, 2)
        of_colour = draws(sum(shoe.count("7" + each) for each in SUITS if (each in RED) == (suit in RED)) - 1, 2)
        ways = {
            "three-sevens-diamonds" if suit == "d" else "three-suited-sevens": of_suit,
            "three-same-colour-sevens": of_colour - of_suit,
            "three-sevens": draws(sevens - 1, 2) - of_colour,
            "one-player-one-dealer-seven": 2 * (sevens - 1) * others,
        }
        if shoe.count("7" + suit):
            chance = Fraction(shoe.count("7" + suit), shoe.size)
            yield chance, {name: Fraction(number, two) for name, number in ways.items()}
    yield Fraction(others, shoe.size), {"two-player-sevens": Fraction(draws(sevens, 2), two)}


# --- insurance -------------------------------------------------------------------------------------------------------


def insurance_wager(rulebook: Rulebook, shoe: Shoe) -> SideBetValue:
    """Given the dealer's first card and nothing else; the variants know the player's own two cards as well."""
    terms = rulebook.insurance
    ranks = terms.dealer_ranks.value
    tens = sum(count for card, count in shoe.counts.items() if VALUE[card] == 10)
    given = f"the dealer shows {' or '.join(ranks)}"

    def worth(tens_left: int, left: int, seen: str) -> SideBetValue:
        chance = Fraction(tens_left, left) if left else Fraction(0)
        wins = (Win("natural", chance, _fraction(terms.odds.value), str(terms.odds.value)),)
        return SideBetValue(INSURANCE, _worth(wins), wins, True, f"{given}{seen}")

    variants = tuple(
        worth(tens - held, shoe.size - 3, f", the player holds {number}")
        for held, number in enumerate(("no ten-value card", "one", "two"))
        if tens >= held and shoe.size > 3
    )
    return msgspec.structs.replace(worth(tens, shoe.size - 1, ""), variants=variants)


# --- Super Bonus -----------------------------------------------------------------------------------------------------


def super_bonus_chance(rulebook: Rulebook, shoe: Shoe) -> Fraction:
    """Three suited sevens in the player's first three cards and a seven as the dealer's first."""
    rank = rulebook.super_bonus.dealer_rank.value
    ways = 0
    for suit in SUITS:
        suited = draws(shoe.count("7" + suit), 3)
        ways += suited * (shoe.rank(rank) - (3 if rank == "7" else 0)) if suited else 0
    return Fraction(ways, draws(shoe.size, 4))


def super_bonus_cents(rulebook: Rulebook, wager_cents: int) -> int:
    """What the bonus pays for a wager of this size."""
    terms = rulebook.super_bonus
    if not terms.offered.value or wager_cents < terms.small_from_cents.value:
        return 0
    large = wager_cents >= terms.large_from_cents.value
    return terms.large_cents.value if large else terms.small_cents.value


def super_bonus(rulebook: Rulebook, shoe: Shoe) -> SideBetValue:
    """What the bonus adds to each unit of the original wager, for whoever draws to a pair of sevens and never loses
    sight of it; it costs nothing, so it has no house edge. The small wagers first, then the one that pays best."""
    terms = rulebook.super_bonus
    chance = super_bonus_chance(rulebook, shoe)
    sizes = (terms.small_from_cents.value or STUDIED_WAGER_CENTS, terms.large_from_cents.value)

    def worth(wager: int) -> SideBetValue:
        cents = super_bonus_cents(rulebook, wager)
        wins = (Win("suited-777-against-7", chance, Fraction(cents, wager), dollars(cents)),)
        ev = chance * Fraction(cents, wager)
        return SideBetValue(SUPER_BONUS, ev, wins, True, "the player draws to 7-7", wager_cents=wager)

    first, *rest = (worth(wager) for wager in dict.fromkeys(sizes))
    return msgspec.structs.replace(first, variants=tuple(rest))


def super_bonus_prizes(rulebook: Rulebook, shoe: Shoe) -> PrizeValue:
    """The bonus for whoever draws to suited sevens against a seven, for each cent that it costs the house.

    It costs no wager; and that two boxes earn one in the same round is left out.
    """
    chance = super_bonus_chance(rulebook, shoe)
    return PrizeValue(Fraction(0), Fraction(0), -chance, chance * (1 - chance))


# --- small things ----------------------------------------------------------------------------------------------------


def _fraction(odds: Odds) -> Fraction:
    return Fraction(odds.wins, odds.on)


def _worth(wins: tuple[Win, ...]) -> Fraction:
    """What is won less what is lost when nothing hits, for a wager of 1."""
    return sum((win.chance * (win.pays + 1) for win in wins), Fraction(-1))
