"""The plain road to a round's value: every card, every choice, exact fractions, no shortcut. For shoes small enough.

Here the player sees everything, suits and the other hands of a split included, and plays them jointly as well as can
be. The fast road (`solve`) is held against this one, and this one against the engine itself (`tests/cross`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from pitboss.basics.cards import VALUE, Card
from pitboss.maths.exact.rules import AS_USUAL, FIRST_TWO_COUNT_ONE, Rules
from pitboss.maths.shoes import MathsError, Shoe

Left = tuple[int, ...]
"""How many of each kind of card are left, in the order of `Reference.kinds`."""


class Hand(NamedTuple):
    """A hand being played. From the third card on only its sum matters, so `pair` is empty then."""

    pair: tuple[Card, ...]
    """In the order dealt: it decides which hand of a split is played first."""
    number: int
    hard: int
    aces: int
    first_aces: int
    """Aces among the first two cards."""
    split: bool = False

    def with_card(self, card: Card) -> Hand:
        ace = VALUE[card] == 1
        return Hand(
            (*self.pair, card) if self.number < 2 else (),
            self.number + 1,
            self.hard + VALUE[card],
            self.aces + ace,
            self.first_aces + (ace and self.number < 2),
            self.split,
        )

    @property
    def soft(self) -> bool:
        return self.aces > 0 and self.hard <= 11

    @property
    def total(self) -> int:
        return self.hard + 10 * self.soft

    @property
    def is_natural(self) -> bool:
        return self.number == 2 and self.total == 21


class Live(NamedTuple):
    """A finished hand that waits for the dealer."""

    total: int
    doubled: bool


class Box(NamedTuple):
    """Everything on the box besides the hand being played."""

    waiting: tuple[Hand, ...] = ()
    live: tuple[Live, ...] = ()
    held: tuple[str, ...] = ()
    """The ten-value ranks of naturals that wait for the dealer's second card."""
    hands: int = 1
    ended: bool = False
    """A declined re-split has ended splitting."""


class Reference:
    """One shoe under one set of rules."""

    def __init__(self, rules: Rules, shoe: Shoe, *, bonus: Fraction = Fraction(0)) -> None:
        self.rules = rules
        self.bonus = bonus
        """What the Super Bonus pays for a wager of 1; nothing leaves it out."""
        self.kinds = tuple(shoe.counts)
        self.full: Left = tuple(shoe.counts.values())
        self.up: Card = ""
        self._played: dict[tuple[Left, Hand, Box], Fraction] = {}
        self._finals: dict[Left, dict[tuple[int, str], Fraction]] = {}

    def value(self) -> Fraction:
        """The value of the round for an original wager of 1, under best play."""
        total = Fraction(0)
        for up, chance_up, left in self.draws(self.full):
            self.face(up)
            for first, chance_first, left_1 in self.draws(left):
                for second, chance_second, left_2 in self.draws(left_1):
                    hand = Hand((), 0, 0, 0, 0).with_card(first).with_card(second)
                    total += chance_up * chance_first * chance_second * self.opening(left_2, hand)
        return total

    def face(self, up: Card) -> None:
        """From now on the dealer's first card is this one."""
        if up != self.up:
            self.up = up
            self._played.clear()
            self._finals.clear()

    def draws(self, left: Left) -> Iterator[tuple[Card, Fraction, Left]]:
        """Each card that may come, its chance and what is left then."""
        size = sum(left)
        if not size:
            raise MathsError("impossible shoe: it can run out within a round.")
        for place, count in enumerate(left):
            if count:
                yield self.kinds[place], Fraction(count, size), (*left[:place], count - 1, *left[place + 1 :])

    # --- the player ---

    def opening(self, left: Left, hand: Hand) -> Fraction:
        """The two cards dealt: a natural, or the choice to surrender before anything else."""
        if hand.is_natural:
            return self.natural(left, hand, Box())
        best = self.choose(left, hand, Box())
        if self.up[0] in self.rules.surrender_ranks:
            natural = sum((p for (_, ten), p in self.finals(left).items() if ten), Fraction(0))
            best = max(best, Fraction(-1, 2) * (1 - natural) - natural)
        return best

    def natural(self, left: Left, hand: Hand, box: Box) -> Fraction:
        if self.rules.natural_waits and VALUE[self.up] in (1, 10):
            rank = next(card[0] for card in hand.pair if VALUE[card] == 10)
            return self.next_hand(left, box._replace(held=tuple(sorted((*box.held, rank)))))
        return self.rules.natural_odds + self.next_hand(left, box)

    def choose(self, left: Left, hand: Hand, box: Box) -> Fraction:
        """The best that can be done with a hand below 21."""
        key = (left, hand, box)
        known = self._played.get(key)
        if known is None:
            known = self._played[key] = max(way() for way in self.ways(left, hand, box))
        return known

    def ways(self, left: Left, hand: Hand, box: Box) -> Iterator[Callable[[], Fraction]]:
        """Every act that the rules allow, each with its value."""
        rules = self.rules
        frozen = hand.split and rules.aces_one_card and hand.number == 2 and VALUE[hand.pair[0]] == 1
        splittable = self.may_split(hand, box)
        declined = box._replace(ended=True) if splittable and hand.split and rules.declined_ends else box
        if hand.total >= rules.must_draw_below or frozen:
            yield lambda: self.next_hand(left, _stood(declined, hand.total, doubled=False))
        if not frozen:
            yield lambda: self.hit(left, hand, declined)
        doubled = rules.may_be_doubled(hand.number, hand.total, hand.soft)
        if doubled and not frozen and (rules.double_after_split or not hand.split):
            yield lambda: self.double(left, hand, declined)
        if splittable:
            yield lambda: self.split(left, hand, box)

    def may_split(self, hand: Hand, box: Box) -> bool:
        if hand.number != 2 or VALUE[hand.pair[0]] != VALUE[hand.pair[1]] or box.ended:
            return False
        if box.hands >= self.rules.hands_max:
            return False
        return not (hand.split and VALUE[hand.pair[0]] == 1) or self.rules.aces_resplit

    def hit(self, left: Left, hand: Hand, box: Box) -> Fraction:
        return sum(
            (chance * self.after_card(rest, hand, card, box) for card, chance, rest in self.draws(left)), Fraction(0)
        )

    def after_card(self, left: Left, before: Hand, card: Card, box: Box) -> Fraction:
        """What a card brings about by itself, else the next choice."""
        rules = self.rules
        hand = before.with_card(card)
        if hand.total > 21:
            return -1 + self.next_hand(left, box)
        if hand.total == 21:
            if hand.number == 2 and rules.split_natural:
                return self.natural(left, hand, box)
            return self.odds_of_21(before, hand, card) + self.next_hand(left, box)
        if rules.five_card_trick and hand.number == 5:
            return rules.even_money + self.next_hand(left, box)
        one_ace = hand.split and rules.aces_one_card and hand.number == 2 and hand.first_aces
        if one_ace and VALUE[before.pair[0]] == 1 and not self.may_split(hand, box):
            return self.next_hand(left, _stood(box, hand.total, doubled=False))
        return self.choose(left, hand, box)

    def odds_of_21(self, before: Hand, hand: Hand, card: Card) -> Fraction:
        """What an undoubled 21 is paid, the Super Bonus included."""
        rules = self.rules
        if hand.number != 3:
            return rules.odds_of_21(hand.number)
        cards = (*before.pair, card)
        ranks = "".join(sorted(each[0] for each in cards))
        if ranks not in ("678", "777"):
            return rules.odds_of_21(3)
        suits = {each[1] for each in cards}
        kind = 0 if len(suits) > 1 else 2 if suits == {"s"} else 1
        odds = (rules.odds_678 if ranks == "678" else rules.odds_777)[kind]
        earned = ranks == "777" and kind > 0 and not hand.split and self.up[0] == rules.bonus_rank
        return odds + (self.bonus if earned else 0)

    def double(self, left: Left, hand: Hand, box: Box) -> Fraction:
        rules = self.rules
        ones = hand.aces
        if rules.double_aces == AS_USUAL:
            ones = 0
        elif rules.double_aces == FIRST_TWO_COUNT_ONE:
            ones = hand.first_aces
        value = Fraction(0)
        for card, chance, rest in self.draws(left):
            hard = hand.hard + VALUE[card]
            free = hand.aces + (VALUE[card] == 1) - ones
            total = hard + 10 if free > 0 and hard <= 11 else hard
            if total > 21:
                value += chance * (-2 + self.next_hand(rest, box))
            elif total == 21:
                value += chance * (2 * rules.doubled_odds + self.next_hand(rest, box))
            elif rules.five_card_trick and hand.number == 4:
                value += chance * (2 * rules.even_money + self.next_hand(rest, box))
            else:
                kept = self.next_hand(rest, _stood(box, total, doubled=True))
                value += chance * (max(kept, -1 + self.next_hand(rest, box)) if rules.forfeit else kept)
        return value

    def split(self, left: Left, hand: Hand, box: Box) -> Fraction:
        """The first hand is finished before the second gets its card."""
        first, second = (
            Hand((card,), 1, VALUE[card], int(VALUE[card] == 1), int(VALUE[card] == 1), True) for card in hand.pair
        )
        return self.next_hand(left, box._replace(waiting=(first, second, *box.waiting), hands=box.hands + 1))

    def next_hand(self, left: Left, box: Box) -> Fraction:
        """The next split hand gets its second card; after the last the dealer plays."""
        if not box.waiting:
            return self.settle(left, box)
        hand, *rest = box.waiting
        return self.hit(left, hand, box._replace(waiting=tuple(rest)))

    # --- the dealer ---

    def settle(self, left: Left, box: Box) -> Fraction:
        if not box.live and not box.held:
            return Fraction(0)
        return sum((chance * self.paid(box, *final) for final, chance in self.finals(left).items()), Fraction(0))

    def paid(self, box: Box, dealer: int, dealer_ten: str) -> Fraction:
        """What the waiting hands bring against one final dealer's hand; `dealer_ten` is the ten of the natural."""
        rules = self.rules
        value = Fraction(0)
        for rank in box.held:
            value += self.ranked(rank, dealer_ten) if dealer_ten else rules.natural_against_other
        if dealer_ten:
            units = sum(1 + hand.doubled for hand in box.live)
            return value - (min(units, 1) if rules.one_original else units)
        for hand in box.live:
            if dealer > 21 or hand.total > dealer:
                value += 2 * rules.doubled_odds if hand.doubled else rules.even_money
            elif hand.total < dealer or rules.ties_lose:
                value -= 1 + hand.doubled
        return value

    def ranked(self, mine: str, dealers: str) -> Fraction:
        order = self.rules.natural_order
        if not order:
            return self.rules.natural_rows[1]
        higher = order.index(mine) - order.index(dealers)
        return self.rules.natural_rows[0 if higher < 0 else 2 if higher > 0 else 1]

    def finals(self, left: Left) -> dict[tuple[int, str], Fraction]:
        """Chance of each final dealer total (22 is over 21), with the ten-value rank of a natural."""
        known = self._finals.get(left)
        if known is None:
            known = self._finals[left] = {}
            hand = Hand((), 0, 0, 0, 0).with_card(self.up)
            for final, chance in self.dealer(left, hand):
                known[final] = known.get(final, Fraction(0)) + chance
        return known

    def dealer(self, left: Left, hand: Hand) -> Iterator[tuple[tuple[int, str], Fraction]]:
        if hand.is_natural:
            yield (21, next(card[0] for card in hand.pair if VALUE[card] == 10)), Fraction(1)
        elif hand.number > 1 and hand.total >= (self.rules.soft_stand if hand.soft else self.rules.hard_stand):
            yield (min(hand.total, 22), ""), Fraction(1)
        else:
            for card, chance, rest in self.draws(left):
                for final, each in self.dealer(rest, hand.with_card(card)):
                    yield final, chance * each


def _stood(box: Box, total: int, *, doubled: bool) -> Box:
    return box._replace(live=tuple(sorted((*box.live, Live(total, doubled)))))
