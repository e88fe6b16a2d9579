"""The plain road for infinitely many decks: every card, every choice, every hand of a split; slow, and no shortcut.

A card that is gone changes no chance here, so hands of a split touch only through the one amount that a dealer natural
takes, through how many may be formed, and through a declined re-split that ends splitting. All of that is in the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.basics.cards import SUITS, VALUE, Card, deck
from pitboss.maths.exact.rules import AS_USUAL, FIRST_TWO_COUNT_ONE, Rules, compile_rules
from pitboss.rulebooks.terms import Rulebook

Money = dict[float, float]
"""Chance of each amount."""


class Waiting(NamedTuple):
    """What of the box is still to come after the hand being played."""

    cards: tuple[Card, ...] = ()
    """One card of each hand that waits."""
    formed: int = 1
    live: bool = False
    """A finished hand waits for the dealer."""
    ended: bool = False
    """A declined re-split has ended splitting."""


class Held(NamedTuple):
    """The hand being played; its cards are kept while they can make 6-7-8 or 7-7-7."""

    cards: tuple[Card, ...]
    number: int
    hard: int
    aces: int
    first_aces: int
    split: bool

    def with_card(self, card: Card) -> Held:
        ace = VALUE[card] == 1
        cards = (*self.cards, card) if self.number < 2 else ()
        return Held(
            cards, self.number + 1, self.hard + VALUE[card], self.aces + ace,
            self.first_aces + (ace and self.number < 2), self.split,
        )  # fmt: skip

    @property
    def soft(self) -> bool:
        return self.aces > 0 and self.hard <= 11

    @property
    def total(self) -> int:
        return self.hard + 10 * self.soft


class Line(NamedTuple):
    """One act and all that it leads to: the mean, what is wagered beyond the hands' own wagers, and each result."""

    value: float
    wagered: float
    results: dict[str, Money]
    """For each end of the dealer."""


class EndlessReference:
    """One set of rules, infinitely many decks, one first card of the dealer at a time."""

    def __init__(self, rulebook: Rulebook, *, resplit: bool = False) -> None:
        self.rules: Rules = compile_rules(rulebook, resplit=resplit)
        self.cards: dict[Card, float] = {}
        """Kinds of card and their chances; where neither suit nor rank matters, one stands for all."""
        kinds = deck(rulebook.cards.ranks.value)
        for card in kinds:
            kind = card
            if card[0] not in "678" or not self._suits_matter():
                kind = ("K" if VALUE[card] == 10 and not self.rules.natural_order else card[0]) + "s"
            self.cards[kind] = self.cards.get(kind, 0.0) + 1.0 / len(kinds)
        self.ups = sorted({card[0] for card in kinds})
        self.up: Card = ""

    def _suits_matter(self) -> bool:
        return len(set(self.rules.odds_678)) + len(set(self.rules.odds_777)) > 2

    def value(self) -> float:
        return sum(chance * self.against(up).value for up, chance in self._up_cards())

    def round(self) -> tuple[float, float, Money, float]:
        """The value, all that is wagered, the chance of each result, and the mean product of two boxes' results."""
        value = wagered = shared = 0.0
        money: Money = {}
        for up, chance in self._up_cards():
            line = self.against(up)
            value += chance * line.value
            wagered += chance * (1.0 + line.wagered)
            for end, results in line.results.items():
                shared += chance * self.ends[end] * sum(amount * each for amount, each in results.items()) ** 2
                for amount, each in results.items():
                    money[amount] = money.get(amount, 0.0) + chance * self.ends[end] * each
        return value, wagered, money, shared

    def _up_cards(self) -> Iterator[tuple[Card, float]]:
        for rank in self.ups:
            yield rank + "s", 1.0 / len(self.ups)

    def face(self, up: Card) -> None:
        self.up = up
        self.ends: dict[str, float] = {}
        self._dealer(Held((), 0, 0, 0, 0, False).with_card(up), 1.0)
        self.natural = sum(chance for end, chance in self.ends.items() if end[0] == "n")
        self._known: dict[tuple[Held, Waiting], Line] = {}
        self._nexts: dict[Waiting, Line] = {}

    def _dealer(self, hand: Held, chance: float) -> None:
        if hand.number == 2 and hand.total == 21:
            ten = next(card[0] for card in hand.cards if VALUE[card] == 10)
            self.ends["n" + ten] = self.ends.get("n" + ten, 0.0) + chance
        elif hand.number > 1 and hand.total >= (self.rules.soft_stand if hand.soft else self.rules.hard_stand):
            end = str(min(hand.total, 22))
            self.ends[end] = self.ends.get(end, 0.0) + chance
        else:
            for card, each in self.cards.items():
                self._dealer(hand.with_card(card), chance * each)

    def against(self, up: Card) -> Line:
        self.face(up)
        lines = []
        for first, p in self.cards.items():
            for second, q in self.cards.items():
                lines.append((p * q, self.opening(Held((), 0, 0, 0, 0, False).with_card(first).with_card(second))))
        return self.mean(lines)

    def opening(self, hand: Held) -> Line:
        if hand.total == 21:
            return self.paid_natural(hand, Waiting())
        best = self.choose(hand, Waiting())
        if self.up[0] in self.rules.surrender_ranks:
            results = {end: {-1.0 if end[0] == "n" else -0.5: 1.0} for end in self.ends}
            given_up = Line(-0.5 * (1.0 - self.natural) - self.natural, 0.0, results)
            best = max(best, given_up, key=lambda line: line.value)
        return best

    def mean(self, lines: list[tuple[float, Line]]) -> Line:
        value = wagered = 0.0
        results: dict[str, Money] = {end: {} for end in self.ends}
        for chance, line in lines:
            value += chance * line.value
            wagered += chance * line.wagered
            for end, money in line.results.items():
                mine = results[end]
                for amount, each in money.items():
                    mine[amount] = mine.get(amount, 0.0) + chance * each
        return Line(value, wagered, results)

    # --- one hand ---

    def choose(self, hand: Held, after: Waiting) -> Line:
        known = self._known.get((hand, after))
        if known is None:
            known = self._known[hand, after] = max(self.lines(hand, after), key=lambda line: line.value)
        return known

    def lines(self, hand: Held, after: Waiting) -> Iterator[Line]:
        rules = self.rules
        frozen = hand.split and rules.aces_one_card and hand.number == 2 and VALUE[hand.cards[0]] == 1
        splittable = self.may_split(hand, after)
        declined = after._replace(ended=after.ended or (splittable and hand.split and rules.declined_ends))
        if hand.total >= rules.must_draw_below or frozen:
            yield self.stand(hand.total, False, declined)
        if not frozen:
            yield self.mean([(p, self.after_card(hand, card, declined)) for card, p in self.cards.items()])
            doubling = rules.may_be_doubled(hand.number, hand.total, hand.soft)
            if doubling and (rules.double_after_split or not hand.split):
                line = self.mean([(p, self.after_double(hand, card, declined)) for card, p in self.cards.items()])
                yield line._replace(wagered=line.wagered + 1.0)
        if splittable:
            first, second = (self.alike(card) for card in hand.cards)
            line = self.next_hand(after._replace(cards=(first, second, *after.cards), formed=after.formed + 1))
            yield line._replace(wagered=line.wagered + 1.0)

    def may_split(self, hand: Held, after: Waiting) -> bool:
        if hand.number != 2 or VALUE[hand.cards[0]] != VALUE[hand.cards[1]] or after.ended:
            return False
        if after.formed >= self.rules.hands_max:
            return False
        return not (hand.split and VALUE[hand.cards[0]] == 1) or self.rules.aces_resplit

    @staticmethod
    def alike(card: Card) -> Card:
        """Suits but spades are worth the same to a hand that has no other card yet."""
        return card if card[1] == "s" else card[0] + SUITS[1]

    def after_card(self, hand: Held, card: Card, after: Waiting) -> Line:
        rules = self.rules
        more = hand.with_card(card)
        if more.total > 21:
            return self.settled(-1.0, after)
        if more.total == 21:
            if more.number == 2 and rules.split_natural:
                return self.paid_natural(more, after)
            return self.settled(self.odds(hand, more, card), after)
        if rules.five_card_trick and more.number == 5:
            return self.settled(float(rules.even_money), after)
        return self.choose(more, after)

    def odds(self, before: Held, hand: Held, card: Card) -> float:
        cards = (*before.cards, card)
        ranks = "".join(sorted(each[0] for each in cards))
        if hand.number == 3 and ranks in ("678", "777"):
            suits = {each[1] for each in cards} if self._suits_matter() else {"s", "h"}
            kind = 0 if len(suits) > 1 else 2 if suits == {"s"} else 1
            return float((self.rules.odds_678 if ranks == "678" else self.rules.odds_777)[kind])
        return float(self.rules.odds_of_21(hand.number))

    def after_double(self, hand: Held, card: Card, after: Waiting) -> Line:
        rules = self.rules
        ones = hand.aces
        if rules.double_aces == AS_USUAL:
            ones = 0
        elif rules.double_aces == FIRST_TWO_COUNT_ONE:
            ones = hand.first_aces
        hard = hand.hard + VALUE[card]
        total = hard + 10 if hand.aces + (VALUE[card] == 1) > ones and hard <= 11 else hard
        if total > 21:
            return self.settled(-2.0, after)
        if total == 21:
            return self.settled(2.0 * float(rules.doubled_odds), after)
        if rules.five_card_trick and hand.number == 4:
            return self.settled(2.0 * float(rules.even_money), after)
        kept = self.stand(total, True, after)
        if not rules.forfeit:
            return kept
        return max(kept, self.settled(-1.0, after), key=lambda line: line.value)

    # --- what the box is paid ---

    def next_hand(self, after: Waiting) -> Line:
        """The next hand of a split gets its second card."""
        if not after.cards:
            return Line(0.0, 0.0, {end: {0.0: 1.0} for end in self.ends})
        known = self._nexts.get(after)
        if known is None:
            card, *rest = after.cards
            ace = VALUE[card] == 1
            hand = Held((card,), 1, VALUE[card], int(ace), int(ace), True)
            then = after._replace(cards=tuple(rest))
            known = self.mean([(p, self.after_card(hand, more, then)) for more, p in self.cards.items()])
            self._nexts[after] = known
        return known

    def settled(self, amount: float, after: Waiting) -> Line:
        return self.add(self.next_hand(after), dict.fromkeys(self.ends, amount))

    def paid_natural(self, hand: Held, after: Waiting) -> Line:
        if not (self.rules.natural_waits and VALUE[self.up] in (1, 10)):
            return self.settled(float(self.rules.natural_odds), after)
        mine = next(card[0] for card in hand.cards if VALUE[card] == 10)
        paid = {}
        for end in self.ends:
            odds = self.rules.natural_against_other
            if end[0] == "n":
                order = self.rules.natural_order
                higher = order.index(mine) - order.index(end[1]) if order else 0
                odds = self.rules.natural_rows[0 if higher < 0 else 2 if higher > 0 else 1]
            paid[end] = float(odds)
        return self.add(self.next_hand(after), paid)

    def stand(self, total: int, doubled: bool, after: Waiting) -> Line:
        rules = self.rules
        paid = {}
        for end in self.ends:
            if end[0] == "n":
                paid[end] = -float(not after.live) if rules.one_original else -1.0 - doubled
            elif end == "22" or int(end) < total:
                paid[end] = 2.0 * float(rules.doubled_odds) if doubled else float(rules.even_money)
            else:
                paid[end] = -1.0 - doubled if int(end) > total or rules.ties_lose else 0.0
        live = after._replace(live=rules.one_original)
        return self.add(self.next_hand(live), paid)

    def add(self, line: Line, paid: dict[str, float]) -> Line:
        value = line.value + sum(self.ends[end] * paid[end] for end in self.ends)
        results = {
            end: {amount + paid[end]: each for amount, each in money.items()} for end, money in line.results.items()
        }
        return Line(value, line.wagered, results)
