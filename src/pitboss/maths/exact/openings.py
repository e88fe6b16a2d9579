"""The first two cards against the up card: how often each comes, what each act brings then, and which is best.

Here every suit is seen, the up card's too, and every rank of the up card counts: suits matter to 6-7-8 and 7-7-7, ranks
to surrender and insurance.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import msgspec

from pitboss.basics.cards import SUITS
from pitboss.maths.exact.endless import OTHER, SPADE
from pitboss.maths.exact.policy import SplitPlay
from pitboss.maths.exact.rules import Rules
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import ACE, ACTS, HIT, PAID, SPLIT, SUITED_RANKS, SURRENDER, TEN, THIRD, VALUES
from pitboss.maths.shoes import Shoe
from pitboss.rulebooks.terms import Rulebook

NEVER = -1e9
SUITS_OF_A_PAIR = (
    (1 / 16, 2, (SPADE, SPADE)),
    (3 / 16, 0, (SPADE, OTHER)),
    (3 / 16, 0, (OTHER, SPADE)),
    (3 / 16, 1, (OTHER, OTHER)),
    (6 / 16, 0, (OTHER, OTHER)),
)
"""With infinitely many decks: share, kind (0 mixed, 1 suited, 2 spades) and suits as a split tells them apart."""


class OpeningHand(msgspec.Struct, frozen=True):
    """Two cards against one up card, suits taken together."""

    cards: str
    """As in A-10 or 7-7."""
    up: str
    chance: float
    ev: float
    act: str
    """The best act; where suits decide, the one that is best most often."""
    acts: dict[str, float]
    """The value of each act that is allowed, suits taken together."""
    at_least: float
    """Proven: best play brings no less, insurance left out."""
    at_most: float
    """Proven: best play brings no more; infinite where nothing is proven."""


class Openings(SplitPlay):
    """Best play from the first two cards, with the Super Bonus (`bonus` for a wager of 1) and with insurance."""

    def __init__(self, rulebook: Rulebook, rules: Rules, shoe: Shoe, bonus: float, insurance: bool) -> None:
        super().__init__(rules, shoe)
        self.rulebook, self.bonus, self.insured = rulebook, bonus, insurance

    def value_of_openings(self) -> float:
        """What a round brings, once every hand is valued."""
        return float(sum(opening.chance * opening.ev for opening in self.openings()))

    def openings(self) -> Iterator[OpeningHand]:
        """Every two cards against every up card, with the acts that are allowed."""
        left, size = self.left, self.size
        for first in range(10):
            for second in range(first, 10):
                hand = self._two(first, second)
                if hand < 0:
                    continue
                ways = left[first] * (left[second] - (first == second)) * (1 if first == second else 2)
                for up in range(10):
                    there = left[up] - (up == first) - (up == second)
                    chance = ways * there / (size * (size - 1) * (size - 2))
                    if chance > 0.0:
                        yield self._opening(first, second, up, hand, chance)

    def _opening(self, first: int, second: int, up: int, hand: int, chance: float) -> OpeningHand:
        cards = f"{VALUES[first]}-{VALUES[second]}"
        natural = float(self.finals[hand, up, NATURAL])
        if (first, second) == (ACE, TEN):
            paid = self._natural(natural, up)
            return OpeningHand(cards, VALUES[up], chance, paid, PAID, {PAID: paid}, paid, paid)
        ev, unsplit = 0.0, 0.0
        apart: list[tuple[float, float]] = []
        weights: dict[str, float] = {}
        acts: dict[str, float] = {}
        for share, values in self._cases(first, second, up, hand):
            act = max(values, key=values.__getitem__)
            ev += share * values[act]
            apart.append((share, max(each for name, each in values.items() if name != SPLIT)))
            unsplit += share * apart[-1][1]
            weights[act] = weights.get(act, 0.0) + share
            for name, each in values.items():
                acts[name] = acts.get(name, 0.0) + share * each
        if SURRENDER in acts:
            acts[SURRENDER] = -self.given_up(1.0 - natural, natural)
        at_least, at_most = ev, ev
        if first == second and self.rules.hands_max > 1 and not self.endless:
            at_least, at_most = unsplit, inf
            split = self.splits.get((first, up))
            if split is not None:
                # Split, or not, whatever the suits: to choose by suits might bring more, and is not counted on.
                at_least = max(unsplit, split.floor)
            if split is not None and split.bounds is not None:
                any_suits = sum(share * max(other, split.bounds.spades) for share, other in apart)
                rather_not = sum(share * max(other - split.bounds.none, 0.0) for share, other in apart)
                at_most = max(min(any_suits, split.bounds.most + rather_not), at_least)
        return OpeningHand(
            cards, VALUES[up], chance, ev + self._insurance(natural, up), max(weights, key=weights.__getitem__), acts,
            at_least, at_most,
        )  # fmt: skip

    def _insurance(self, natural: float, up: int) -> float:
        """Half the wager on a dealer natural, taken only where it pays."""
        terms = self.rulebook.insurance
        if not self.insured or not terms.offered.value:
            return 0.0
        odds = terms.odds.value
        gain = 0.5 * (natural * odds.wins / odds.on - (1.0 - natural))
        return self._share_of_ranks(up, terms.dealer_ranks.value) * max(gain, 0.0)

    # --- suits and ranks that matter ---

    def _cases(self, first: int, second: int, up: int, hand: int) -> Iterator[tuple[float, dict[str, float]]]:
        """The same two values in all the suits that matter, and with all ranks of the up card: share and acts."""
        ones = self._ones(first, second)
        natural = float(self.finals[hand, up, NATURAL])
        values = {act: float(self.ways[hand, ones, up, place]) for place, act in enumerate(ACTS)}
        values = {act: each for act, each in values.items() if each > NEVER / 2}
        split = self.splits.get((first, up)) if first == second else None
        given_up = self._surrender_share(up)
        for share, extra, _, suits in self._all_suit_cases(first, second, up):
            mine = {**values, HIT: values[HIT] + extra}
            if split is not None:
                mine[SPLIT] = split.of(suits).value
            if given_up < 1.0:
                yield share * (1.0 - given_up), mine
            if given_up > 0.0:
                yield share * given_up, {**mine, SURRENDER: -self.given_up(1.0 - natural, natural)}

    def _all_suit_cases(
        self, first: int, second: int, up: int
    ) -> Iterator[tuple[float, float, int, tuple[int, int] | None]]:
        """`_suit_cases`, and the suits of a pair as its split tells them apart, with infinitely many decks."""
        if not (self.endless and first == second and first in SUITED_RANKS):
            for case in self._suit_cases(first, second, up):
                yield *case, None
            return
        gains = {kind: extra for _, extra, kind in self._suit_cases(first, second, up)}
        for share, kind, suits in SUITS_OF_A_PAIR:
            yield share, gains.get(kind, 0.0), kind if kind in gains else 0, suits

    def _suit_cases(self, first: int, second: int, up: int) -> Iterator[tuple[float, float, int]]:
        """The suits of an opening hand: share, what suits add to hitting, and the kind (0 mixed, 1 suited, 2 spades).

        Every suit is seen here, the up card's too.
        """
        third = THIRD.get((first, second))
        rules = self.rules
        if third is None:
            yield 1.0, 0.0, 0
            return
        gains = self.suit_odds[first == second]
        bonus = self.bonus if first == second and SUITED_RANKS.get(up) == rules.bonus_rank else 0.0
        ups: tuple[tuple[int, float], ...] = ((-1, 1.0),)
        drawn = self.size - 3.0
        if up in SUITED_RANKS:
            ups = tuple(enumerate(self.suits[up]))
        total, mixed = 0.0, 0.0
        suited: list[tuple[float, float, int]] = []
        for up_suit, up_count in ups:
            for a in range(4):
                for b in range(4):
                    n_a = self.suits[first][a] - (first == up and a == up_suit)
                    n_b = self.suits[second][b] - (second == up and b == up_suit) - (first == second and a == b)
                    weight = up_count * n_a * n_b
                    if weight <= 0.0:
                        continue
                    total += weight
                    if a != b:
                        mixed += weight
                        continue
                    left = self.suits[third][a] - (third == up and a == up_suit) - (2 if first == second else 0)
                    kind = 2 if SUITS[a] == "s" else 1
                    gain = gains[kind] + bonus
                    suited.append((weight, max(left, 0.0) / drawn * gain, kind))
        if mixed:
            yield mixed / total, 0.0, 0
        for weight, extra, kind in suited:
            yield weight / total, extra, kind

    def _cases_with_kind(
        self, first: int, second: int, up: int, hand: int
    ) -> Iterator[tuple[tuple[float, dict[str, float]], tuple[float, int, tuple[int, int] | None]]]:
        """`_cases` beside the gain, the kind and the suits of each."""
        given_up = self._surrender_share(up)
        times = (given_up < 1.0) + (given_up > 0.0)
        kinds = [case[1:] for case in self._all_suit_cases(first, second, up) for _ in range(times)]
        yield from zip(self._cases(first, second, up, hand), kinds, strict=True)

    # --- which come, and how often ---

    def openings_told(self) -> Iterator[tuple[int, int, int, int]]:
        """Every two cards and up card that can be dealt, and the hand they are."""
        for up in range(10):
            for first, second, hand, _ in self._openings_against(up):
                yield first, second, up, hand

    def _openings_against(self, up: int) -> Iterator[tuple[int, int, int, float]]:
        left, size = self.left, self.size
        for first in range(10):
            for second in range(first, 10):
                hand = self._two(first, second)
                there = left[up] - (up == first) - (up == second)
                if hand < 0 or there <= 0.0:
                    continue
                ways = left[first] * (left[second] - (first == second)) * (1 if first == second else 2)
                yield first, second, hand, ways * there / (size * (size - 1) * (size - 2))
