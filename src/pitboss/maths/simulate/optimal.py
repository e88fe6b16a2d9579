"""The exact solver's decisions for the hands of a fresh shoe, as a strategy to simulate.

Hands that were not split are played as the solver found best for the shoe's composition. Split hands, and forfeits
after a double, are played as against an endless shoe: the solver has a policy for each pair and dealer's card, which
a table by hands alone cannot hold. What that leaves on the table is small; `tests/cross` bounds it.
"""

from __future__ import annotations

import numpy as np

from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.shoes import Shoe
from pitboss.maths.simulate.basic import basic
from pitboss.maths.simulate.game import ORIGINAL, SPLIT, Game
from pitboss.maths.simulate.hands import MIXED, Hand
from pitboss.maths.simulate.strategies import DEALER_VALUES, Strategy, checked


def optimal(game: Game) -> Strategy:
    """Best play for a fresh shoe of the game's decks, Super Bonus and insurance left out."""
    book, options = game.rulebook, game.options
    solver = Solver(book, compile_rules(book, resplit=options.resplit), Shoe.of_decks(book, options.decks), 0.0, False)
    solver.value()
    places = solver.hands.places
    like = basic(game)
    strategy = Strategy("optimal", like.decisions, like.forfeits, like.surrenders, like.insures)
    for number, hand in enumerate(game.hands.hands):
        place = places.get(hand.counts) if hand is not None and hand.cards > 1 else None
        if hand is None or place is None or (np.array(hand.counts) > solver.left).any():
            continue
        ones = hand.first_aces if solver.ones_max else 0
        legal = int(game.legal[ORIGINAL, number])
        for dealer in range(DEALER_VALUES):
            if hand.cards > 2:
                strategy.decisions[ORIGINAL, number, dealer] = solver.choice[place, ones, dealer]
                continue
            values = {act: float(solver.ways[place, ones, dealer, act]) for act in range(3) if legal >> act & 1}
            values = _of_two_cards(solver, hand, dealer, values, legal)
            strategy.decisions[ORIGINAL, number, dealer] = max(values, key=values.__getitem__)
            strategy.surrenders[number, dealer] = _surrendered(solver, place, dealer) > max(values.values())
    return checked(game, strategy)


def _of_two_cards(solver: Solver, hand: Hand, dealer: int, values: dict[int, float], legal: int) -> dict[int, float]:
    """The same with what suits add to hitting, and with splitting."""
    first, second = (value for value in range(10) for _ in range(hand.counts[value]))
    if legal >> SPLIT & 1 and first == second and (first, dealer) in solver.splits:
        values = {**values, SPLIT: float(solver.splits[first, dealer].value)}
    if hand.bonus and hand.suit != MIXED:
        kind = 2 if hand.suit == 0 else 1
        cases = [(share, extra) for share, extra, each in solver._suit_cases(first, second, dealer) if each == kind]
        weight = sum(share for share, _ in cases)
        if weight:
            values = {**values, 1: values[1] + sum(share * extra for share, extra in cases) / weight}
    return values


def _surrendered(solver: Solver, place: int, dealer: int) -> float:
    natural = float(solver.finals[place, dealer, NATURAL])
    return -0.5 * (1.0 - natural) - natural if solver.rules.surrender_ranks else -10.0
