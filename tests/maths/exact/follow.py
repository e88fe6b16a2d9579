"""A fixed policy for split hands, followed card by card with exact fractions: slow, and sure."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pitboss.basics.cards import VALUE, Card
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.policy import Plan
from pitboss.maths.exact.reference import Box, Left, Live, Reference
from pitboss.maths.exact.rules import AS_USUAL, FIRST_TWO_COUNT_ONE
from pitboss.maths.exact.solve import Solver

End = tuple[Fraction, Fraction, tuple[Live, ...], Left]
"""How a hand may end: its chance, money settled already, the hand if it waits for the dealer, the cards left."""


class Follow:
    """All hands of a split follow one plan; the dealer and the cards are those of the reference."""

    def __init__(self, solver: Solver, plan: Plan, reference: Reference, hands_max: int) -> None:
        self.solver, self.plan, self.reference, self.hands_max = solver, plan, reference, hands_max
        self.rules = reference.rules

    def value(self, left: Left, first: Card, second: Card) -> Fraction:
        """Both cards of the pair are out of `left`, and so is the dealer's first card."""
        return self.hands(left, ((first,), (second,)), 2, Fraction(0), ())

    def hands(
        self, left: Left, waiting: tuple[tuple[Card, ...], ...], formed: int, settled: Fraction, live: tuple[Live, ...]
    ) -> Fraction:
        if not waiting:
            return settled + self.reference.settle(left, Box(live=tuple(sorted(live))))
        (card,), *rest = waiting
        total = Fraction(0)
        for drawn, chance, after in self.reference.draws(left):
            if VALUE[drawn] == VALUE[card] and formed < self.hands_max:
                more = ((card,), (drawn,), *rest)
                total += chance * self.hands(after, more, formed + 1, settled, live)
                continue
            for share, paid, alive, then in self.ends(after, (card, drawn)):
                total += chance * share * self.hands(then, tuple(rest), formed, settled + paid, (*live, *alive))
        return total

    def ends(self, left: Left, cards: tuple[Card, ...]) -> Iterator[End]:
        """Every way in which one hand may end under the plan."""
        rules = self.rules
        values = [VALUE[card] for card in cards]
        hard = sum(values)
        soft = 1 in values and hard <= 11
        total = hard + 10 * soft
        if total > 21:
            yield Fraction(1), Fraction(-1), (), left
        elif total == 21:
            yield Fraction(1), self.odds(cards), (), left
        elif rules.five_card_trick and len(cards) == 5:
            yield Fraction(1), rules.even_money, (), left
        else:
            act = self.act(cards)
            if act == k.STAND:
                yield Fraction(1), Fraction(0), (Live(total, False),), left
                return
            for drawn, chance, after in self.reference.draws(left):
                ways = self.ends(after, (*cards, drawn)) if act == k.HIT else self.doubled(after, cards, drawn)
                for share, paid, alive, then in ways:
                    yield chance * share, paid, alive, then

    def act(self, cards: tuple[Card, ...]) -> int:
        if len(cards) == 2:
            chosen = self.plan.chosen[VALUE[cards[1]] - 1]
            if len(chosen) == 1:
                return chosen[0]
            return chosen[0 if cards[0][1] != cards[1][1] else 1 + "shdc".index(cards[0][1])]
        return int(self.plan.choice[self.place(cards), self.ones(cards), self.plan.up])

    def place(self, cards: tuple[Card, ...]) -> int:
        counts = [0] * 10
        for card in cards:
            counts[VALUE[card] - 1] += 1
        return self.solver.hands.places[tuple(counts)]

    def ones(self, cards: tuple[Card, ...]) -> int:
        return sum(VALUE[card] == 1 for card in cards[:2]) if self.solver.ones_max else 0

    def odds(self, cards: tuple[Card, ...]) -> Fraction:
        ranks = "".join(sorted(card[0] for card in cards))
        if ranks in ("678", "777"):
            suits = {card[1] for card in cards}
            kind = 0 if len(suits) > 1 else 2 if suits == {"s"} else 1
            return (self.rules.odds_678 if ranks == "678" else self.rules.odds_777)[kind]
        return self.rules.odds_of_21(len(cards))

    def doubled(self, left: Left, cards: tuple[Card, ...], drawn: Card) -> Iterator[End]:
        rules = self.rules
        aces = sum(VALUE[card] == 1 for card in cards)
        forced = 0 if rules.double_aces == AS_USUAL else aces
        if rules.double_aces == FIRST_TWO_COUNT_ONE:
            forced = sum(VALUE[card] == 1 for card in cards[:2])
        hard = sum(VALUE[card] for card in (*cards, drawn))
        total = hard + 10 if aces + (VALUE[drawn] == 1) > forced and hard <= 11 else hard
        given_up = int(self.plan.forfeits[self.place(cards), self.ones(cards), self.plan.up]) >> (VALUE[drawn] - 1) & 1
        if total > 21:
            yield Fraction(1), Fraction(-2), (), left
        elif total == 21:
            yield Fraction(1), 2 * rules.doubled_odds, (), left
        elif given_up:
            yield Fraction(1), Fraction(-1), (), left
        else:
            yield Fraction(1), Fraction(0), (Live(total, True),), left
