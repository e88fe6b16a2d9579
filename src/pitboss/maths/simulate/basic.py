"""Best play against an endless shoe: each hand by its cards, or by its total alone.

With an endless shoe no card taken changes the chance of the next, so the value of every act follows backwards over
the numbered hands in a moment. Against a real shoe this loses a little; it says of itself what it is, and the exact
solver is for exact answers. Three things are simplified: split hands are valued without being split again, a dealer's
natural costs each of two split hands half of the one amount that both owe, and the Super Bonus is no reason to draw.
"""

from __future__ import annotations

from math import factorial, prod

import numpy as np

from pitboss.maths.simulate import outcomes as o
from pitboss.maths.simulate.cards import CLASS_RANKS, CLASS_SUITS, CLASS_VALUES, CLASSES
from pitboss.maths.simulate.game import (
    ACES_MAY_SPLIT,
    DOUBLE,
    HIT,
    MAY_NOT_SPLIT,
    MAY_SPLIT,
    ORIGINAL,
    SPLIT,
    STAND,
    Game,
)
from pitboss.maths.simulate.hands import ENDS, FIRST_NATURAL, Array
from pitboss.maths.simulate.strategies import DEALER_VALUES, TOTALS, Strategy, blank, checked
from pitboss.rulebooks.meanings import NATURAL_WAITS

NATURAL = 23
"""Where the dealer's chances of a natural stand, behind those of each total and of 22, over 21."""


class Values:
    """What every act is worth on every hand, for a wager of 1 on a hand that was not split (0) or was (1)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.chances = class_chances(game)
        self.dealer = dealer_chances(game, self.chances)
        self.pay = game.pay / game.options.wager_cents
        hands = len(game.hands.hands)
        self.acts = np.full((2, 4, hands, DEALER_VALUES), -np.inf)
        self.best = np.zeros((2, hands, DEALER_VALUES))
        self.live = np.stack([self._against_dealer(split, 0) for split in (0, 1)])
        kept = np.stack([self._against_dealer(split, 1) for split in (0, 1)])
        self.forfeits = (kept < self.pay[o.FORFEITED]) & bool(game.rulebook.doubling.forfeit.value)
        self.doubled = np.where(self.forfeits, self.pay[o.FORFEITED], kept)
        self.doubled[:, 21], self.doubled[:, 22] = self.pay[o.DOUBLED_21], self.pay[o.DOUBLED_BUST]
        self.doubled[:, 23] = self.pay[o.DOUBLED_TRICK]
        for split in (1, 0):
            self._solve(split)

    def _against_dealer(self, split: int, twice: int) -> Array:
        """[total, dealer's value]: the worth of a hand that stands."""
        worth = np.zeros((TOTALS, DEALER_VALUES))
        first, further = self.pay[o.NATURAL_FIRST + twice], self.pay[o.NATURAL_FURTHER + twice]
        lost = (first + further) / 2 if split else first
        for total in range(21):
            for dealers in range(2, 23):
                code = o.DEALER_BUST if dealers > 21 else o.HIGHER if total > dealers else o.EQUAL
                code = o.LOWER if total < dealers <= 21 else code
                worth[total] += self.dealer[:, dealers] * self.pay[code + o.DOUBLED * twice]
            worth[total] += self.dealer[:, NATURAL] * lost
        return worth

    def _solve(self, split: int) -> None:
        game, acts, best = self.game, self.acts[split], self.best[split]
        best[:ENDS] = self.pay[:ENDS, None]
        if NATURAL_WAITS[game.rulebook.interim.natural_when.value]:
            for dealer in (0, 9):
                natural = self.dealer[dealer, NATURAL]
                waited = natural * self.pay[o.RANKS_ABOVE + 1] + (1 - natural) * self.pay[o.WAITED]
                best[FIRST_NATURAL:ENDS, dealer] = waited
        legal = game.legal[MAY_NOT_SPLIT if split else ORIGINAL]
        nexts, chances = game.hands.next[:, :CLASSES], self.chances
        for number in range(len(game.hands.hands) - 1, ENDS - 1, -1):
            acts[STAND, number] = self.live[split, game.total[number]]
            acts[HIT, number] = chances @ best[nexts[number]]
            acts[DOUBLE, number] = chances @ self.doubled[split, game.doubled[number, :CLASSES]]
            bits = int(legal[number])
            open_acts = [act for act in (STAND, HIT, DOUBLE) if bits >> act & 1]
            best[number] = acts[open_acts, number].max(axis=0) if open_acts else acts[HIT, number]
        # a split hand of two cards may stand anywhere in the order, so splits come when all hands have been valued
        for pair in np.flatnonzero(game.pair).tolist():
            acts[SPLIT, pair] = self._split(pair)

    def _split(self, number: int) -> Array:
        """Two hands, each with one card of the pair and played to its end; split aces may get one card only."""
        game = self.game
        hand = game.hands.hands[number]
        assert hand is not None
        value = hand.counts.index(2) + 1
        card = CLASS_VALUES.index(value)
        after = game.hands.next[game.hands.start[1, card], :CLASSES]
        worth = self.best[1, after]
        if value == 1 and game.rulebook.splitting.aces_cards.value == 1:
            worth = np.where((after < ENDS)[:, None], worth, self.live[1, game.total[after]])
        result: Array = 2 * (self.chances @ worth)
        return result


def class_chances(game: Game) -> Array:
    """The chance of each class of card in an endless shoe."""
    ranks = game.rulebook.cards.ranks.value
    kinds = zip(CLASS_RANKS, CLASS_SUITS, strict=True)
    return np.array([(rank in ranks) / len(ranks) / (1 if suit < 0 else 4) for rank, suit in kinds])


def dealer_chances(game: Game, chances: Array) -> Array:
    """[first card's value, total]: how the dealer's hand ends; 22 is over 21, `NATURAL` a natural."""
    by_value = np.zeros(11)
    for card in range(CLASSES):
        by_value[CLASS_VALUES[card]] += chances[card]
    terms = game.rulebook.dealer
    ends = np.zeros((DEALER_VALUES, TOTALS))

    def finish(first: int, hard: int, ace: bool, cards: int, chance: float) -> None:
        soft = ace and hard <= 11
        total = hard + 10 * soft
        if cards == 2 and ace and hard == 11:
            ends[first - 1, NATURAL] += chance
        elif cards > 1 and total >= (terms.soft_stand.value if soft else terms.hard_stand.value):
            ends[first - 1, min(total, 22)] += chance
        else:
            for value in range(1, 11):
                finish(first, hard + value, ace or value == 1, cards + 1, chance * by_value[value])

    for first in range(1, 11):
        finish(first, first, first == 1, 1, 1.0)
    return ends


def basic(game: Game) -> Strategy:
    """The best act for each hand by its cards, their number and the bonuses that it can still make."""
    return _strategy(game, "basic", Values(game), None)


def total_dependent(game: Game) -> Strategy:
    """The best act for each total, hard or soft, whatever cards make it up; pairs by themselves."""
    values = Values(game)
    groups: dict[tuple[int, bool, bool], list[int]] = {}
    weights = np.zeros(len(game.hands.hands))
    by_value = [0.0] * 10
    for card in range(CLASSES):
        by_value[CLASS_VALUES[card] - 1] += float(values.chances[card])
    for number, hand in enumerate(game.hands.hands):
        if hand is not None and hand.cards > 1:
            groups.setdefault((hand.total, hand.soft, hand.is_pair), []).append(number)
            ways = factorial(hand.cards) / prod(map(factorial, hand.counts))
            weights[number] = ways * prod(by_value[value] ** count for value, count in enumerate(hand.counts))
    means = values.acts.copy()
    for members in groups.values():
        share = weights[members] / weights[members].sum()
        for split in (0, 1):
            for act in range(4):
                if np.isfinite(values.acts[split, act, members]).all():
                    means[split, act, members] = share @ values.acts[split, act, members]
    return _strategy(game, "total", values, means)


def _strategy(game: Game, name: str, values: Values, acts: Array | None) -> Strategy:
    strategy = blank(game, name)
    # rounded, so that acts of equal worth are chosen alike on machines that add up in another order
    worth = np.round(values.acts if acts is None else acts, 12)
    for place in (ORIGINAL, MAY_SPLIT, MAY_NOT_SPLIT, ACES_MAY_SPLIT):
        split = 0 if place == ORIGINAL else 1
        allowed = (game.legal[place][None, :, None] >> np.arange(4)[:, None, None]) & 1
        strategy.decisions[place] = np.where(allowed == 1, worth[split], -np.inf).argmax(axis=0)
    strategy.forfeits[:] = values.forfeits
    best = np.take_along_axis(worth[0], strategy.decisions[ORIGINAL][None].astype(np.int64), 0)[0]
    natural = values.dealer[:, NATURAL]
    given_up = (1 - natural) * values.pay[o.SURRENDERED] + natural * values.pay[o.SURRENDERED_NATURAL]
    pairs_of_cards = np.array([hand is not None and hand.cards == 2 for hand in game.hands.hands])
    strategy.surrenders[:] = (np.round(given_up, 12)[None, :] > best) & pairs_of_cards[:, None]
    return checked(game, strategy)
