"""The last round from exactly these cards, none put back: every deal, every act, all players' results jointly.

Who asks sees every card that lies on the table and tries every act for the place; the others play like the dealer.
What is left of the shoe is carried along, so this is for few cards and few players; nothing in it is an approximation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from pitboss.basics.cards import VALUE, Card
from pitboss.basics.money import payable_up
from pitboss.maths.exact.rules import AS_USUAL, FIRST_TWO_COUNT_ONE, compile_rules
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.tournament.last_round import (
    HIDDEN,
    OPEN,
    OUT_BELOW,
    PASS,
    Advice,
    LastRound,
    Table,
    Wager,
    advice_of,
    candidates,
    checked,
    insured_amounts,
    rounded,
    with_unit,
)
from pitboss.rulebooks.meanings import JOINT_ELIMINATION_RANKED
from pitboss.rulebooks.terms import Rulebook

WAGERS = 12
"""More wagers than these are tried in larger steps."""
DEALS_MAX = 60_000
"""More different deals than these are not looked at."""
SUITS_PAID = "678"
NATURAL = 21
"""The total of a hand that waits for the dealer is lower otherwise."""

Cards = tuple[Card, ...]
Left = tuple[tuple[Card, int], ...]


class End(NamedTuple):
    """How a hand ended."""

    paid: int = 0
    """What it brought, where that is known before the dealer plays."""
    total: int = 0
    """Its total, where it waits for the dealer."""
    ten: str = ""
    """The ten of a natural that waits."""
    more: int = 0
    """What was added to the wager by doubling."""
    surrendered: bool = False

    @property
    def waits(self) -> bool:
        """Whether it is one of those that lose one original wager together to a natural."""
        return 0 < self.total < NATURAL and not self.surrendered


class Lane(NamedTuple):
    """How the dealer ends: the total, 22 for over 21, and the ten of a natural."""

    total: int
    ten: str


class Splitting(NamedTuple):
    """What is still to come on a box."""

    waiting: Cards = ()
    formed: int = 1
    ended: bool = False
    left: int = 0
    """Chips that are neither wagered nor insured."""


def advise_from(
    rulebook: Rulebook, table: Table, shoe: Shoe, *, resplit: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Advice:  # fmt: skip
    """The chance of every wager from exactly these cards, and the best one."""
    table = checked(rulebook, msgspec.structs.replace(table, play="dealer"))
    asked = LastRound(rulebook, table, resplit=resplit)
    tried, step = candidates(table, table.me, WAGERS)
    ways = [(cents, OPEN) for cents in tried] + [(cents, HIDDEN) for cents in tried if table.undisclosed]
    ways = [(0, PASS)] * table.pass_card + ways
    found = []
    for number, (cents, how) in enumerate(ways, start=1):
        wagers = asked.wagers_with(cents, seen=how != HIDDEN)
        each = SmallShoe(rulebook, table, wagers, shoe, resplit=resplit, written=how == HIDDEN)
        others = tuple(other for seat, other in enumerate(wagers) if seat != table.me)
        found.append(Wager(cents, each.chance(), asked.by_tables(table.me, wagers), 0.0, others, how))
        if progress is not None:
            progress(number, len(ways))
    return advice_of(rulebook, table, asked.by_wager, found, step, cards=shoe.size)


class SmallShoe:
    """One table before its last round, everybody's wager known."""

    def __init__(
        self, rulebook: Rulebook, table: Table, wagers: Sequence[int], shoe: Shoe, *, resplit: bool = False,
        written: bool = False,
    ) -> None:  # fmt: skip
        self.rules, self.insurance = compile_rules(rulebook, resplit=resplit), rulebook.insurance
        self.table, self.wagers, self.written = with_unit(rulebook, table), tuple(wagers), written
        self.by_wager = JOINT_ELIMINATION_RANKED[rulebook.tournament.joint_elimination.value]
        cards: Counter[Card] = Counter()
        for card, count in shoe.counts.items():
            cards[card if card[0] in SUITS_PAID else Card(card[0] + "s")] += count
        self.cards: Left = tuple(sorted((card, count) for card, count in cards.items() if count))
        self.known: dict[object, float] = {}
        self.up: Cards = ()
        self.hands: tuple[Cards, ...] = ()
        self.insured = 0
        self.earlier: tuple[End, ...] = ()
        """How those ended who played before me."""
        self._lanes: dict[tuple[Left, Cards], dict[Lane, float]] = {}

    # --- cards ---

    def coming(self, left: Left) -> Iterator[tuple[Card, float, Left]]:
        """Each card that may come next, its chance, and what is left then."""
        size = sum(count for _, count in left)
        if not size:
            raise MathsError("the cards could run out within the round: take more of them.")
        for at, (card, count) in enumerate(left):
            fewer = ((card, count - 1),) if count > 1 else ()
            yield card, count / size, (*left[:at], *fewer, *left[at + 1 :])

    def deals(self) -> dict[tuple[tuple[Cards, ...], Left], float]:
        """The dealer's card and everybody's two cards, each as often as they come; the dealer's is the first."""
        found: dict[tuple[tuple[Cards, ...], Left], float] = {((), self.cards): 1.0}
        for wager, wanted in ((1, 1), *((wager, 2) for wager in self.wagers)):
            after: dict[tuple[tuple[Cards, ...], Left], float] = {}
            for (hands, left), often in found.items():
                ways: dict[tuple[Cards, Left], float] = {((), left): often}
                for _ in range(wanted if wager else 0):
                    more: dict[tuple[Cards, Left], float] = {}
                    for (hand, rest), chance in ways.items():
                        for card, share, then in self.coming(rest):
                            key = (tuple(sorted((*hand, card))), then)
                            more[key] = more.get(key, 0.0) + chance * share
                    ways = more
                for (hand, rest), chance in ways.items():
                    key_of = ((*hands, hand), rest)
                    after[key_of] = after.get(key_of, 0.0) + chance
            found = after
            if len(found) > DEALS_MAX:
                raise MathsError(f"more than {DEALS_MAX:,} different deals: name fewer cards or players.")
        return found

    def lanes(self, left: Left, dealer: Cards) -> dict[Lane, float]:
        """How the dealer ends with what is left."""
        key = (left, dealer)
        found = self._lanes.get(key)
        if found is None:
            sum_ = total(dealer)
            if len(dealer) > 1 and not self.like_dealer(dealer):
                natural = len(dealer) == 2 and sum_ == 21
                found = {Lane(min(sum_, 22), ten_of(dealer) if natural else ""): 1.0}
            else:
                found = {}
                for card, share, then in self.coming(left):
                    for lane, chance in self.lanes(then, tuple(sorted((*dealer, card)))).items():
                        found[lane] = found.get(lane, 0.0) + share * chance
            self._lanes[key] = found
        return found

    def like_dealer(self, cards: Cards) -> bool:
        """Whether the dealer draws to these."""
        return total(cards) < (self.rules.soft_stand if soft(cards) else self.rules.hard_stand)

    # --- the round ---

    def chance(self) -> float:
        """The chance to be among the first, with the best play."""
        return sum(often * self.dealt(hands, left) for (hands, left), often in self.deals().items())

    def dealt(self, hands: tuple[Cards, ...], left: Left) -> float:
        """With these cards on the table before anybody plays."""
        self.up, self.hands = hands[0], hands[1:]
        self.known.clear()
        me, wager = self.table.me, self.wagers[self.table.me]
        mine = self.hands[me]
        amounts = [0]
        natural = bool(mine) and total(mine) == 21
        if wager and not self.written and not (natural and self.insurance.natural_excluded.value):
            amounts += insured_amounts(self.insurance, self.up[0][0], self.table, wager)
        best = 0.0
        for self.insured in amounts:
            best = max(best, self.before(0, left, ()))
        return best

    def before(self, seat: int, left: Left, ends: tuple[End, ...]) -> float:
        """Box after box, up to the last; then the dealer."""
        if seat == len(self.wagers):
            return self.placed(left, ends)
        key = (seat, left, ends, self.insured)
        if key not in self.known:
            if seat == self.table.me:
                self.known[key] = self.opening(left, ends)
            else:
                self.known[key] = sum(
                    chance * self.before(seat + 1, rest, (*ends, end))
                    for (end, rest), chance in self.rival(seat, self.hands[seat], left).items()
                )
        return self.known[key]

    def rival(self, seat: int, cards: Cards, left: Left) -> dict[tuple[End, Left], float]:
        """How somebody ends who plays like the dealer."""
        wager = self.wagers[seat]
        if not wager:
            return {(End(), left): 1.0}
        end = self.at_once(cards, wager, split=False)
        if end is None and not self.like_dealer(cards):
            end = End(total=total(cards))
        if end is not None:
            return {(end, left): 1.0}
        found: dict[tuple[End, Left], float] = {}
        for card, share, then in self.coming(left):
            for key, chance in self.rival(seat, (*cards, card), then).items():
                found[key] = found.get(key, 0.0) + share * chance
        return found

    def at_once(self, cards: Cards, wager: int, *, split: bool) -> End | None:
        """How a hand ends that plays no further by itself, or None."""
        rules, sum_ = self.rules, total(cards)
        if sum_ > 21:
            return End(-wager)
        if sum_ == 21 and len(cards) == 2 and (rules.split_natural or not split):
            if rules.natural_waits and VALUE[self.up[0]] in (1, 10):
                return End(total=NATURAL, ten=ten_of(cards))
            return End(self.pays(rules.natural_odds, wager))
        if sum_ == 21:
            return End(self.pays(self.odds_of_21(cards), wager))
        if rules.five_card_trick and len(cards) == 5:
            return End(self.pays(rules.even_money, wager))
        return None

    def pays(self, odds: Fraction, wager: int) -> int:
        return rounded(odds * wager, self.table.chips)

    def odds_of_21(self, cards: Cards) -> Fraction:
        ranks = "".join(sorted(card[0] for card in cards))
        suits = {card[1] for card in cards}
        kind = 0 if len(suits) > 1 else 2 if suits == {"s"} else 1
        if ranks == "678":
            return self.rules.odds_678[kind]
        return self.rules.odds_777[kind] if ranks == "777" else self.rules.odds_of_21(len(cards))

    # --- my own box ---

    def opening(self, left: Left, ends: tuple[End, ...]) -> float:
        me, cards = self.table.me, self.hands[self.table.me]
        wager = self.wagers[me]
        self.earlier = ends
        if not wager:
            return self.before(me + 1, left, (*ends, End()))
        end = self.at_once(cards, wager, split=False)
        if end is not None:
            return self.after(left, (end,), Splitting())
        chips = 0 if self.written else self.table.seats[me].chips - wager - self.insured
        best = self.best(cards, left, (), Splitting(left=chips), split=False)
        if self.up[0][0] in self.rules.surrender_ranks:
            half = min(wager, payable_up(-(-wager // 2), self.table.chips))
            best = max(best, self.after(left, (End(half - wager, total=1, surrendered=True),), Splitting()))
        return best

    def best(self, cards: Cards, left: Left, done: tuple[End, ...], coming: Splitting, *, split: bool) -> float:
        """The best act with a hand, card by card."""
        key = (cards if len(cards) < 3 else (cards[:2], tuple(sorted(cards[2:]))), left, done, coming, split,
               self.earlier, self.insured)  # fmt: skip
        if key not in self.known:
            self.known[key] = max(self.ways(cards, left, done, coming, split=split))
        return self.known[key]

    def ways(
        self, cards: Cards, left: Left, done: tuple[End, ...], coming: Splitting, *, split: bool
    ) -> Iterator[float]:
        rules, wager, sum_ = self.rules, self.wagers[self.table.me], total(cards)
        ace = split and cards[0][0] == "A"
        pair = len(cards) == 2 and VALUE[cards[0]] == VALUE[cards[1]]
        may_split = pair and coming.formed < rules.hands_max and coming.left >= wager
        if may_split and not coming.ended and (not ace or rules.aces_resplit):
            then = coming._replace(
                waiting=(cards[1], *coming.waiting), formed=coming.formed + 1, left=coming.left - wager
            )
            yield self.hit(cards[:1], left, done, then, split=True)
            if split and rules.declined_ends:
                coming = coming._replace(ended=True)
        frozen = ace and rules.aces_one_card
        if sum_ >= rules.must_draw_below or frozen:
            yield self.after(left, (*done, End(total=sum_)), coming)
        if frozen:
            return
        yield self.hit(cards, left, done, coming, split=split)
        more = min(wager, coming.left)
        may = rules.may_be_doubled(len(cards), sum_, soft(cards)) and (rules.double_after_split or not split)
        if more and may:
            then = coming._replace(left=coming.left - more)
            yield sum(
                share * self.doubled((*cards, card), rest, done, then, more) for card, share, rest in self.coming(left)
            )

    def hit(self, cards: Cards, left: Left, done: tuple[End, ...], coming: Splitting, *, split: bool) -> float:
        worth = 0.0
        for card, share, rest in self.coming(left):
            hand = (*cards, card)
            end = self.at_once(hand, self.wagers[self.table.me], split=split)
            if end is None:
                worth += share * self.best(hand, rest, done, coming, split=split)
            else:
                worth += share * self.after(rest, (*done, end), coming)
        return worth

    def doubled(self, cards: Cards, left: Left, done: tuple[End, ...], coming: Splitting, more: int) -> float:
        """After the one card of a double: aces held may have to count 1."""
        rules, wager = self.rules, self.wagers[self.table.me]
        held = cards[:-1] if rules.double_aces != FIRST_TWO_COUNT_ONE else cards[:2]
        forced = 0 if rules.double_aces == AS_USUAL else sum(card[0] == "A" for card in held)
        hard = sum(VALUE[card] for card in cards)
        sum_ = hard + 10 if hard <= 11 and sum(card[0] == "A" for card in cards) > forced else hard
        both = wager + more
        if sum_ > 21:
            return self.after(left, (*done, End(-both)), coming)
        if sum_ == 21:
            return self.after(left, (*done, End(self.pays(rules.doubled_odds, both))), coming)
        if rules.five_card_trick and len(cards) == 5:
            return self.after(left, (*done, End(self.pays(rules.even_money, both))), coming)
        kept = self.after(left, (*done, End(total=sum_, more=more)), coming)
        return max(kept, self.after(left, (*done, End(-wager)), coming)) if rules.forfeit else kept

    def after(self, left: Left, done: tuple[End, ...], coming: Splitting) -> float:
        """The next hand of a split, or whoever comes after me."""
        if coming.waiting:
            rest = coming._replace(waiting=coming.waiting[1:])
            return self.hit(coming.waiting[:1], left, done, rest, split=True)
        key = ("after", left, tuple(sorted(done)), self.earlier, self.insured)
        if key not in self.known:
            self.known[key] = self.later(left, tuple(sorted(done)))
        return self.known[key]

    def later(self, left: Left, done: tuple[End, ...]) -> float:
        """Those who play after me, and then the dealer."""
        ways: dict[tuple[tuple[End, ...], Left], float] = {((), left): 1.0}
        for seat in range(self.table.me + 1, len(self.wagers)):
            more: dict[tuple[tuple[End, ...], Left], float] = {}
            for (ends, rest), chance in ways.items():
                for (end, then), share in self.rival(seat, self.hands[seat], rest).items():
                    more[(*ends, end), then] = more.get(((*ends, end), then), 0.0) + chance * share
            ways = more
        return sum(
            chance * self.placed(rest, (*self.earlier, End(), *ends), done) for (ends, rest), chance in ways.items()
        )

    # --- the end ---

    def placed(self, left: Left, ends: tuple[End, ...], mine: tuple[End, ...] = ()) -> float:
        """The chance to be among the first once everybody has played, over what the dealer may have."""
        me = self.table.me
        found = 0.0
        for lane, chance in self.lanes(left, self.up).items():
            finals = [
                max(seat.chips + self.settled(seat_of, (end,), lane), 0)
                for seat_of, (seat, end) in enumerate(zip(self.table.seats, ends, strict=True))
            ]
            won = self.settled(me, mine, lane)
            if self.insured:
                odds = self.insurance.odds.value
                paid = rounded(Fraction(self.insured * odds.wins, odds.on), self.table.chips)
                won += paid if lane.ten else -self.insured
            finals[me] = max(self.table.seats[me].chips + won, 0)
            found += chance * self.share(finals)
        return found

    def settled(self, seat: int, hands: Sequence[End], lane: Lane) -> int:
        """What the hands of a box bring against this end of the dealer."""
        whole, live = 0, False
        for hand in hands:
            shared = live and hand.waits and lane.ten and self.rules.one_original
            whole += 0 if shared else self.settled_hand(self.wagers[seat], hand, lane)
            live = live or hand.waits
        return whole

    def settled_hand(self, wager: int, hand: End, lane: Lane) -> int:
        rules = self.rules
        if hand.surrendered:
            return -wager if lane.ten else hand.paid
        if not hand.total:
            return hand.paid
        if hand.total == NATURAL:
            if not lane.ten:
                return self.pays(rules.natural_against_other, wager)
            order = rules.natural_order
            place = order.index(hand.ten) - order.index(lane.ten) if order else 0
            return self.pays(rules.natural_rows[0 if place < 0 else 2 if place > 0 else 1], wager)
        both = wager + hand.more
        if lane.ten:
            return -wager if rules.one_original else -both
        if lane.total > 21 or hand.total > lane.total:
            return self.pays(rules.doubled_odds if hand.more else rules.even_money, both)
        return 0 if hand.total == lane.total and not rules.ties_lose else -both

    def share(self, finals: Sequence[int]) -> float:
        """The places left for me among those who are level."""
        me = self.table.me
        over = even = 0
        for seat, chips in enumerate(finals):
            if seat == me or chips < finals[me]:
                continue
            if chips > finals[me]:
                over += 1
            elif self.by_wager and chips < OUT_BELOW and self.wagers[seat] != self.wagers[me]:
                over += self.wagers[seat] > self.wagers[me]
            else:
                even += 1
        return min(1.0, max(self.table.advance - over, 0) / (even + 1))


def total(cards: Cards) -> int:
    hard = sum(VALUE[card] for card in cards)
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


def soft(cards: Cards) -> bool:
    return total(cards) > sum(VALUE[card] for card in cards)


def ten_of(cards: Cards) -> str:
    return next((card[0] for card in cards if VALUE[card] == 10), "")
