"""Decisions for every hand: one number for each hand, place and dealer's card, checked against what the rules allow."""

from __future__ import annotations

import msgspec
import numpy as np

from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate.game import (
    ACES_MAY_SPLIT,
    HIT,
    STAND,
    Game,
)
from pitboss.maths.simulate.hands import Array

DEALER_VALUES = 10
"""The dealer's first card by value: ace, two, ... ten."""
TOTALS = 24


class Strategy(msgspec.Struct, frozen=True):
    """What a player does, complete."""

    name: str
    decisions: Array
    """[place, hand, dealer's value]: stand, hit, double or split."""
    forfeits: Array
    """[split, total after the double card, dealer's value]."""
    surrenders: Array
    """[hand, dealer's value]."""
    insures: Array
    """[hand]."""
    by_chance: bool = False
    """Every legal act at random instead."""


def blank(game: Game, name: str, by_chance: bool = False) -> Strategy:
    hands = len(game.hands.hands)
    return Strategy(
        name,
        np.full((4, hands, DEALER_VALUES), STAND, np.int8),
        np.zeros((2, TOTALS, DEALER_VALUES), np.int8),
        np.zeros((hands, DEALER_VALUES), np.int8),
        np.zeros(hands, np.int8),
        by_chance,
    )


def checked(game: Game, strategy: Strategy) -> Strategy:
    """The strategy itself, or a sentence about the first hand for which it says what the rules do not allow."""
    allowed = (game.legal[:, :, None] >> strategy.decisions) & 1
    wrong = np.argwhere((allowed == 0) & (game.legal[:, :, None] > 0))
    if len(wrong):
        place, number, dealer = (int(each) for each in wrong[0])
        act = ("stand", "hit", "double", "split")[int(strategy.decisions[place, number, dealer])]
        hand = game.hands.hands[number]
        assert hand is not None
        raise MathsError(
            f"strategy {strategy.name}: {'soft' if hand.soft else 'hard'} {hand.total} of {hand.cards} cards against "
            f"{dealer + 1}: the rules do not let it {act}."
        )
    return strategy


def at_random(game: Game) -> Strategy:
    """Any legal act, each as likely as the others: for tests."""
    return blank(game, "random", by_chance=True)


def like_the_dealer(game: Game) -> Strategy:
    """Draw and stand as the dealer does; never double, split, surrender or insure."""
    strategy = blank(game, "mimic-dealer")
    terms = game.rulebook.dealer
    for number, hand in enumerate(game.hands.hands):
        if hand is not None:
            draws = hand.total < (terms.soft_stand.value if hand.soft else terms.hard_stand.value)
            strategy.decisions[:, number, :] = HIT if draws else STAND
    strategy.decisions[ACES_MAY_SPLIT] = STAND
    return checked(game, strategy)
