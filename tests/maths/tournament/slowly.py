"""The last round, slowly: every hand as the cards it has, every order of the cards, no table and no kernel.

Cards are put back after each draw, so that few kinds of card make a tiny shoe that never ends. The other player plays
like the dealer; who asks tries every act for the place. Nothing is shared with the mathematics but the rules as data.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pitboss.maths.exact.rules import AS_USUAL, FIRST_TWO_COUNT_ONE, Rules

SUITS = "shdc"
VALUE = {rank: min("A23456789TJQK".index(rank) + 1, 10) for rank in "A23456789TJQK"}
Cards = tuple[str, ...]
Lane = tuple[int, str]
"""The dealer's total, 22 for over 21, and the ten of a natural."""
Net = dict[Lane, float]


def total(cards: Cards) -> int:
    hard = sum(VALUE[card[0]] for card in cards)
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


def soft(cards: Cards) -> bool:
    return total(cards) > sum(VALUE[card[0]] for card in cards)


class Slowly:
    """Two players: me, with chips and a wager in whole units, and one other."""

    def __init__(
        self, rules: Rules, shares: dict[str, Fraction], chips: tuple[int, int], wagers: tuple[int, int], places: int,
        written: bool = False, insurance: bool = False,
    ) -> None:  # fmt: skip
        self.written = written
        """My wager is only written: no chips may join it."""
        self.insurance = insurance and not written
        """Whether an ace of the dealer may be insured against, in whole units."""
        self.rules, self.chips, self.wagers, self.places = rules, chips, wagers, places
        self.kinds = [
            (rank + suit, float(share) / (4 if rank in "678" else 1))
            for rank, share in shares.items()
            for suit in (SUITS if rank in "678" else "s")
        ]
        """Suits are told apart where they are paid."""

    def chance(self) -> float:
        """The best chance of the place."""
        whole = 0.0
        for up, share in self.kinds:
            self.up = up
            self.lanes: dict[Lane, float] = self.ends((up,))
            self._others: dict[Cards, dict[tuple[float, ...], float]] = {}
            self.others = self.other(())
            ways = []
            for insured in range(1 + (self.most_insured() if up[0] == "A" else 0)):
                self.insured = insured
                self._share: dict[tuple[float, ...], float] = {}
                self._best: dict[object, float] = {}
                ways.append([self.opening((first, second)) for first, _ in self.kinds for second, _ in self.kinds])
            often = [a * b for _, a in self.kinds for _, b in self.kinds]
            whole += share * sum(part * max(each) for part, each in zip(often, zip(*ways, strict=True), strict=True))
        return whole

    def most_insured(self) -> int:
        return min(self.wagers[0] // 2, self.chips[0] - self.wagers[0]) if self.insurance else 0

    # --- the dealer, and the other player, who plays like the dealer ---

    def draws(self, cards: Cards) -> bool:
        return total(cards) < (self.rules.soft_stand if soft(cards) else self.rules.hard_stand)

    def ends(self, cards: Cards) -> dict[Lane, float]:
        if len(cards) > 1 and not self.draws(cards):
            natural = len(cards) == 2 and total(cards) == 21
            ten = next((card[0] for card in cards if VALUE[card[0]] == 10), "") if natural else ""
            return {(min(total(cards), 22), ten): 1.0}
        found: dict[Lane, float] = {}
        for card, share in self.kinds:
            for lane, chance in self.ends((*cards, card)).items():
                found[lane] = found.get(lane, 0.0) + share * chance
        return found

    def other(self, cards: Cards) -> dict[tuple[float, ...], float]:
        """What the other may bring, against each end of the dealer."""
        if len(cards) >= 2:
            paid = self.at_once(cards, split=False)
            if paid is None and not self.draws(cards):
                paid = {lane: self.settled(total(cards), lane) for lane in self.lanes}
            if paid is not None:
                return {tuple(each * self.wagers[1] for each in paid.values()): 1.0}
        key = tuple(sorted(cards))
        if key not in self._others:
            found: dict[tuple[float, ...], float] = {}
            for card, share in self.kinds:
                for net, chance in self.other((*cards, card)).items():
                    found[net] = found.get(net, 0.0) + share * chance
            self._others[key] = found
        return self._others[key]

    # --- what a hand is paid ---

    def at_once(self, cards: Cards, *, split: bool) -> Net | None:
        """What a hand brings that ends by itself, in wagers; None where it plays on."""
        rules, sum_ = self.rules, total(cards)
        if sum_ > 21:
            return dict.fromkeys(self.lanes, -1.0)
        if sum_ == 21 and len(cards) == 2 and (rules.split_natural or not split):
            return self.natural(next(card[0] for card in cards if VALUE[card[0]] == 10))
        if sum_ == 21:
            return dict.fromkeys(self.lanes, self.odds(cards))
        if rules.five_card_trick and len(cards) == 5:
            return dict.fromkeys(self.lanes, float(rules.even_money))
        return None

    def natural(self, mine: str) -> Net:
        rules = self.rules
        if not (rules.natural_waits and VALUE[self.up[0]] in (1, 10)):
            return dict.fromkeys(self.lanes, float(rules.natural_odds))
        found: Net = {}
        for lane in self.lanes:
            found[lane] = float(rules.natural_against_other)
            if lane[1]:
                place = 0
                if rules.natural_order:
                    place = rules.natural_order.index(mine) - rules.natural_order.index(lane[1])
                found[lane] = float(rules.natural_rows[0 if place < 0 else 2 if place > 0 else 1])
        return found

    def odds(self, cards: Cards) -> float:
        ranks = "".join(sorted(card[0] for card in cards))
        if ranks in ("678", "777"):
            kind = 0 if len({card[1] for card in cards}) > 1 else 2 if cards[0][1] == "s" else 1
            return float((self.rules.odds_678 if ranks == "678" else self.rules.odds_777)[kind])
        return float(self.rules.odds_by_count[min(max(len(cards) - 4, 0), 3)])

    def settled(self, mine: int, lane: Lane) -> float:
        if lane[1]:
            return -1.0
        if lane[0] > 21 or mine > lane[0]:
            return float(self.rules.even_money)
        return -1.0 if mine < lane[0] or self.rules.ties_lose else 0.0

    # --- me ---

    def opening(self, cards: Cards) -> float:
        paid = self.at_once(cards, split=False)
        if paid is not None:
            return 0.0 if self.insured else self.share([(paid, False)])  # who has a natural does not insure
        left = 0 if self.written else self.chips[0] - self.wagers[0] - self.insured
        best = self.best(cards, [], [], left, split=False)
        if self.up[0] in self.rules.surrender_ranks:
            net = {lane: -1.0 if lane[1] else -0.5 for lane in self.lanes}
            best = max(best, self.share([(net, False)]))
        return best

    def best(self, cards: Cards, done: list[tuple[Net, bool]], waiting: list[str], left: int, *, split: bool) -> float:
        suits = cards if len(cards) <= 2 else tuple(sorted(VALUE[card[0]] for card in cards))
        first_aces = sum(card[0] == "A" for card in cards[:2])
        key = (suits, first_aces, tuple((tuple(net.values()), live) for net, live in done), tuple(waiting), left, split)
        if key not in self._best:
            self._best[key] = max(self.ways(cards, done, waiting, left, split=split))
        return self._best[key]

    def ways(
        self, cards: Cards, done: list[tuple[Net, bool]], waiting: list[str], left: int, *, split: bool
    ) -> Iterator[float]:
        rules, wager = self.rules, self.wagers[0]
        frozen = split and rules.aces_one_card and cards[0][0] == "A"
        stood = {lane: self.settled(total(cards), lane) for lane in self.lanes}
        if total(cards) >= rules.must_draw_below or frozen:
            yield self.after([*done, (stood, True)], waiting, left)
        if frozen:
            return
        yield self.hit(cards, done, waiting, left, split=split)
        double = min(wager, left)
        may = rules.may_be_doubled(len(cards), total(cards), soft(cards))
        if double and may and (rules.double_after_split or not split):
            yield sum(
                (share * self.doubled(cards, card, done, waiting, left, double) for card, share in self.kinds),
                0.0,
            )
        pair = len(cards) == 2 and VALUE[cards[0][0]] == VALUE[cards[1][0]]
        if pair and not split and left >= wager and rules.hands_max > 1:
            yield self.hit(cards[:1], done, [cards[1]], left - wager, split=True)

    def hit(self, cards: Cards, done: list[tuple[Net, bool]], waiting: list[str], left: int, *, split: bool) -> float:
        value = 0.0
        for card, share in self.kinds:
            more = (*cards, card)
            paid = self.at_once(more, split=split)
            if paid is not None:
                value += share * self.after([*done, (paid, False)], waiting, left)
            else:
                value += share * self.best(more, done, waiting, left, split=split)
        return value

    def doubled(
        self, cards: Cards, card: str, done: list[tuple[Net, bool]], waiting: list[str], left: int, double: int
    ) -> float:
        rules = self.rules
        forced = sum(each[0] == "A" for each in cards)
        if rules.double_aces == AS_USUAL:
            forced = 0
        elif rules.double_aces == FIRST_TWO_COUNT_ONE:
            forced = sum(each[0] == "A" for each in cards[:2])
        more = (*cards, card)
        hard = sum(VALUE[each[0]] for each in more)
        sum_ = hard + 10 if sum(each[0] == "A" for each in more) > forced and hard <= 11 else hard
        stake = (self.wagers[0] + double) / self.wagers[0]
        live = False
        if sum_ > 21:
            net = dict.fromkeys(self.lanes, -stake)
        elif sum_ == 21:
            net = dict.fromkeys(self.lanes, stake * float(rules.doubled_odds))
        elif rules.five_card_trick and len(more) == 5:
            net = dict.fromkeys(self.lanes, stake * float(rules.even_money))
        else:
            live = True
            net = {lane: self.settled(sum_, lane) * stake for lane in self.lanes}
            for lane in self.lanes:
                if lane[1] and rules.one_original:
                    net[lane] = -1.0
        kept = self.after([*done, (net, live)], waiting, left - double)
        if live and rules.forfeit:
            gone = dict.fromkeys(self.lanes, -1.0)
            kept = max(kept, self.after([*done, (gone, False)], waiting, left - double))
        return kept

    def after(self, done: list[tuple[Net, bool]], waiting: list[str], left: int) -> float:
        if waiting:
            return self.hit((waiting[0],), done, [], left, split=True)
        return self.share(done)

    def share(self, done: list[tuple[Net, bool]]) -> float:
        """The chance of the place with these hands, over all the dealer and the other may have."""
        net = {lane: float(2 * self.insured if lane[1] else -self.insured) for lane in self.lanes}
        live = False
        for hand, waits in done:
            for lane in self.lanes:
                shared = live and waits and lane[1] and self.rules.one_original
                net[lane] += 0 if shared else hand[lane] * self.wagers[0]
            live = live or waits
        key = tuple(net.values())
        if key not in self._share:
            self._share[key] = sum(
                often * chance * self.place(self.chips[0] + mine, self.chips[1] + theirs[number])
                for number, (mine, often) in enumerate(zip(key, self.lanes.values(), strict=True))
                for theirs, chance in self.others.items()
            )
        return self._share[key]

    def place(self, mine: float, theirs: float) -> float:
        return 0.5 if abs(mine - theirs) < 1e-9 else float(mine > theirs)
