"""The terms of a rulebook that decide what a round is worth, as plain numbers: the only place here that reads terms."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from pitboss.basics.money import Odds
from pitboss.rulebooks.meanings import NATURAL_TAKES_ALL, NATURAL_WAITS, TIES_LOSE, handles
from pitboss.rulebooks.terms import Rulebook

ANY_BELOW_21, TWO_HARD_9_TO_11, TWO_OR_THREE = "any-below-21", "two-cards-hard-9-10-11", "two-or-three-cards"
handles("doubling.hands", (ANY_BELOW_21, TWO_HARD_9_TO_11, TWO_OR_THREE))
HELD_COUNT_ONE, FIRST_TWO_COUNT_ONE, AS_USUAL = "held-count-one", "first-two-count-one", "as-usual"
handles("doubling.aces", (HELD_COUNT_ONE, FIRST_TWO_COUNT_ONE, AS_USUAL))
handles(
    "interim.pay_table:rows",
    "pontoon 5-card-21 6-card-21 7-plus-card-21 678-mixed 678-suited 678-spades 777-mixed 777-suited 777-spades"
    " five-card-trick other",
)
handles("settlement.natural_against_natural:rows", "higher same lower")
handles("super_bonus.not_on", "split doubled")


class Rules(msgspec.Struct, frozen=True):
    """One original wager of 1 on one box, alone at the table."""

    hard_stand: int
    soft_stand: int
    must_draw_below: int
    double_hands: str
    double_after_split: bool
    double_aces: str
    forfeit: bool
    hands_max: int
    aces_resplit: bool
    aces_one_card: bool
    declined_ends: bool
    split_natural: bool
    ties_lose: bool
    one_original: bool
    five_card_trick: bool
    natural_waits: bool
    surrender_ranks: str
    natural_order: str
    natural_odds: Fraction
    natural_against_other: Fraction
    natural_rows: tuple[Fraction, Fraction, Fraction]
    """A natural against the dealer's: higher, same, lower."""
    even_money: Fraction
    doubled_odds: Fraction
    odds_by_count: tuple[Fraction, Fraction, Fraction, Fraction]
    """A 21 of up to four, five, six, seven or more cards."""
    odds_678: tuple[Fraction, Fraction, Fraction]
    """6-7-8 mixed, suited, spades."""
    odds_777: tuple[Fraction, Fraction, Fraction]
    bonus_rank: str
    """The dealer's first card for which suited sevens earn the Super Bonus; empty where there is none."""

    def odds_of_21(self, count: int) -> Fraction:
        return self.odds_by_count[min(max(count - 4, 0), 3)]

    def may_be_doubled(self, cards: int, total: int, soft: bool) -> bool:
        if self.double_hands == TWO_HARD_9_TO_11:
            return cards == 2 and not soft and 9 <= total <= 11
        return cards in (2, 3) if self.double_hands == TWO_OR_THREE else cards >= 2


def compile_rules(rulebook: Rulebook, *, resplit: bool = False) -> Rules:
    """What counts of a rulebook; `resplit` where the house allows the re-splits that a document leaves to it."""
    r = rulebook
    rows = {row.name: _fraction(row.odds) for row in r.interim.pay_table.value}
    other = rows["other"]
    compared = {row.name: _fraction(row.odds) for row in r.settlement.natural_against_natural.value}
    alone = _fraction(r.settlement.natural_against_other.value)
    splitting = r.splitting
    return Rules(
        hard_stand=r.dealer.hard_stand.value,
        soft_stand=r.dealer.soft_stand.value,
        must_draw_below=r.drawing.must_draw_below.value,
        double_hands=r.doubling.hands.value,
        double_after_split=r.doubling.after_split.value,
        double_aces=r.doubling.aces.value,
        forfeit=r.doubling.forfeit.value,
        hands_max=splitting.resplit_hands_max.value if resplit else splitting.hands_max.value,
        aces_resplit=splitting.aces_resplit.value and (resplit or splitting.resplit_by.value == "nobody"),
        aces_one_card=splitting.aces_cards.value == 1,
        declined_ends=splitting.declined_ends.value,
        split_natural=splitting.natural.value and r.interim.natural_after_split.value,
        ties_lose=TIES_LOSE[r.settlement.ties.value],
        one_original=not NATURAL_TAKES_ALL[r.settlement.dealer_natural.value],
        five_card_trick=r.interim.five_card_trick.value,
        natural_waits=NATURAL_WAITS[r.interim.natural_when.value],
        surrender_ranks=r.surrender.dealer_ranks.value if r.surrender.offered.value else "",
        natural_order=r.cards.natural_rank.value,
        natural_odds=_fraction(r.interim.natural_odds.value),
        natural_against_other=alone,
        natural_rows=(compared.get("higher", alone), compared.get("same", alone), compared.get("lower", alone)),
        even_money=_fraction(r.settlement.even_money.value),
        doubled_odds=_fraction(r.interim.doubled_odds.value),
        odds_by_count=(
            other,
            rows.get("5-card-21", other),
            rows.get("6-card-21", other),
            rows.get("7-plus-card-21", other),
        ),
        odds_678=(
            rows.get("678-mixed", other),
            rows.get("678-suited", other),
            rows.get("678-spades", other),
        ),
        odds_777=(
            rows.get("777-mixed", other),
            rows.get("777-suited", other),
            rows.get("777-spades", other),
        ),
        bonus_rank=r.super_bonus.dealer_rank.value if r.super_bonus.offered.value else "",
    )


def _fraction(odds: Odds) -> Fraction:
    return Fraction(odds.wins, odds.on)
