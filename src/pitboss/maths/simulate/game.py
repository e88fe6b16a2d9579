"""A rulebook and a table's choices compiled to arrays of whole numbers: all that the kernels know of a game.

Every payment is worked out here once, to the cent and rounded as chips can make it; the kernels only add.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil
from typing import Any

import msgspec
import numpy as np

from pitboss.basics.cards import deck
from pitboss.basics.money import Odds, dollars, payable_down, payable_multiple, payable_up
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate import outcomes as o
from pitboss.maths.simulate.cards import CLASS_RANKS, CLASS_VALUES, CLASSES, code_of
from pitboss.maths.simulate.hands import (
    ACE_REGIMES,
    COLUMNS,
    ENDS,
    FIRST_NATURAL,
    FIRST_ROW,
    NATURAL_RANKS,
    ROWS,
    TRICK,
    Array,
    Hand,
    Hands,
    hands_for,
)
from pitboss.rulebooks import vocabulary
from pitboss.rulebooks.meanings import (
    BONUS_AT_ONCE,
    INSURED_IN_HALF_CHIPS,
    NATURAL_TAKES_ALL,
    NATURAL_WAITS,
    RETURNED_AFTER_INITIAL_DEAL,
    ROUNDED_DOWN_IF_SIGNED,
    TIES_LOSE,
    meaning,
)
from pitboss.rulebooks.terms import PayRow, Rulebook

CHIPS_CENTS = (100, 250, 500, 2500, 10000)
"""A float as tables have it when nobody says otherwise."""
SHOE, DEVICE, FRESH = "shoe", "shuffling-device", "fresh"
"""Where cards come from; fresh stands for a full, newly shuffled shoe in every round, as the exact solver sees it."""
BLAZING = vocabulary.BLAZING
PAIR_BETS = ("perfect-pairs", "any-pairs", "star-pairs")
SIDE_BETS = (*PAIR_BETS, BLAZING)
STREAMS = ("wager", "insurance", "super-bonus", *SIDE_BETS)
"""Where money comes from and goes to; each is added up by itself."""
WAGER, INSURANCE, SUPER, FIRST_SIDE = 0, 1, 2, 3

STAND, HIT, DOUBLE, SPLIT = 0, 1, 2, 3
ORIGINAL, MAY_SPLIT, MAY_NOT_SPLIT, ACES_MAY_SPLIT = 0, 1, 2, 3
"""Where a decision is made: on an original hand, on a split pair, on another split hand, on split aces of one card
each."""
BOXES_MAX, HANDS_MAX = 7, 8
WAGER_MAX, JACKPOT_MAX = 500_000, 500_000_000
"""Cents; more, and the squares of a block of rounds would not fit into 64 bits."""

PAIR_KINDS = ("none", "mixed", "same colour", "suited", "aces mixed", "aces same colour", "aces suited")
BLAZING_ROWS = (
    "none", "one-player-one-dealer-seven", "two-player-sevens", "three-sevens", "three-same-colour-sevens",
    "three-suited-sevens", "three-sevens-diamonds",
)  # fmt: skip

(
    R_BOXES, R_HARD_STAND, R_SOFT_STAND, R_FORFEIT, R_WAITS, R_HANDS, R_ACE_CARDS, R_ACES_RESPLIT, R_ENDS_SPLITTING,
    R_SUPER_CENTS, R_SUPER_OTHERS, R_SUPER_AT_ONCE, R_INSURED_CENTS, R_INSURANCE_WINS, R_WAGER, R_SIDES,
    R_BLAZING_WAGER, R_RANDOM, R_LOG, R_LENGTH,
) = range(20)  # fmt: skip
"""Places in the array of rules."""


class Options(msgspec.Struct, frozen=True):
    """What the house and the player choose within a rulebook."""

    decks: int = 0
    """0: as many as a table opens with."""
    source: str = SHOE
    boxes: int = 1
    wager_cents: int = 1000
    side_bets: tuple[str, ...] = ()
    side_cents: int = 500
    blazing_cents: int = 500
    jackpot_cents: int = 0
    """What the jackpot stands at in every round; 0: its smallest reset value."""
    behind: int = -1
    """Cards behind the cutting card; -1: one deck and a half, or what the rulebook allows nearest to it."""
    resplit: bool = False
    chips_cents: tuple[int, ...] = CHIPS_CENTS
    minimum_cents: int = 500
    """On the sign; what it means for rounding, where it asks for multiples."""
    maximum_cents: int = 0
    """On the sign; 0 for none."""
    multiples: bool = False


class Game(msgspec.Struct, frozen=True):
    """A compiled game."""

    rulebook: Rulebook
    options: Options
    hands: Hands
    cards: Array
    """The whole stack as codes."""
    cutting_at: int
    """After how many cards the cutting card comes; 0 with a shuffling device."""
    burned: int
    device: int
    """0 a shoe; 1 a shuffling device that gets a round's cards back at its end; 2 during the next round."""
    rules: Array
    pay: Array
    """Cents won or lost by outcome."""
    total: Array
    pair: Array
    legal: Array
    """[where, hand]: one bit an act."""
    doubled: Array
    """[hand, class of card]: total after doubling; 22 over 21, 23 five card trick."""
    opens: Array
    """[class of the dealer's first card]: 1 insurance, 2 surrender, 4 Super Bonus."""
    natural_rank: Array
    """[class of a ten-value card]: its place among ranked naturals, smaller is higher."""
    side_pay: Array
    """[optional wager, kind of pair or of sevens]: cents won or lost."""


def compile_game(rulebook: Rulebook, options: Options | None = None) -> Game:
    """Everything that a round needs, from the rulebook's terms."""
    options = _checked(rulebook, options or Options())
    hands = hands_for(
        rulebook.splitting.natural.value and rulebook.interim.natural_after_split.value,
        rulebook.interim.five_card_trick.value,
    )
    known = [hand for hand in hands.hands if hand is not None]
    total = np.array([0] * ENDS + [hand.total for hand in known], np.int64)
    pair = np.array([0] * ENDS + [hand.is_pair for hand in known], np.int64)
    doubled = hands.doubled[ACE_REGIMES.index(rulebook.doubling.aces.value)].copy()
    if rulebook.interim.five_card_trick.value:
        count = np.array([0] * ENDS + [hand.cards for hand in known])
        doubled[(count[:, None] == 4) & (doubled < 21)] = 23
    device = 0
    if options.source == DEVICE:
        device = 2 if RETURNED_AFTER_INITIAL_DEAL[rulebook.shuffle.device_return.value] else 1
    elif options.source == FRESH:
        device = 1
    burn = rulebook.shuffle.burn_shoe if device == 0 else rulebook.shuffle.burn_device
    stack = np.array([code_of(card) for card in deck(rulebook.cards.ranks.value) * options.decks], np.uint8)
    return Game(
        rulebook, options, hands, stack,
        cutting_at=0 if device else len(stack) - options.behind,
        burned=0 if options.source == FRESH else burn.value,
        device=device,
        rules=_rules(rulebook, options),
        pay=_payments(rulebook, options),
        total=total,
        pair=pair,
        legal=_legal(rulebook, options, hands),
        doubled=doubled,
        opens=_opens(rulebook),
        natural_rank=_natural_rank(rulebook),
        side_pay=_side_payments(rulebook, options),
    )  # fmt: skip


def hands_allowed(rulebook: Rulebook, options: Options) -> int:
    terms = rulebook.splitting
    return terms.resplit_hands_max.value if options.resplit else terms.hands_max.value


# --- what the house may choose ---------------------------------------------------------------------------------------


def _checked(rulebook: Rulebook, options: Options) -> Options:
    """The options with nothing left open, or a sentence about what cannot be."""
    decks = options.decks or rulebook.cards.decks_default.value
    size = 4 * len(rulebook.cards.ranks.value)
    if not 1 <= decks <= 100:
        raise MathsError(f"{decks} decks: give a number from 1 to 100.")
    if not 1 <= options.boxes <= BOXES_MAX:
        raise MathsError(f"{options.boxes} boxes: a table has one to {BOXES_MAX}.")
    if options.source not in (*rulebook.shuffle.sources.value, FRESH):
        known = ", ".join((*rulebook.shuffle.sources.value, FRESH))
        raise MathsError(f"cards do not come from {options.source!r}; known: {known}.")
    if not 0 < options.wager_cents <= WAGER_MAX:
        raise MathsError(f"a wager is above nothing and at most {dollars(WAGER_MAX)}.")
    if options.maximum_cents and options.minimum_cents > options.maximum_cents:
        raise MathsError("the minimum on the sign is not above the maximum.")
    if options.maximum_cents and not options.minimum_cents <= options.wager_cents <= options.maximum_cents:
        limits = f"{dollars(options.minimum_cents)} to {dollars(options.maximum_cents)}"
        raise MathsError(f"a wager of {dollars(options.wager_cents)}, but the table takes {limits}.")
    if not options.chips_cents or min(options.chips_cents) <= 0:
        raise MathsError("the float needs chips, each worth more than nothing.")
    if options.resplit and rulebook.splitting.resplit_by.value == "nobody":
        raise MathsError(f"{rulebook.name}: to split again is nobody's choice there, so it cannot be allowed.")
    for name in options.side_bets:
        _check_side_bet(rulebook, options, name)
    least, most = _behind_range(rulebook, options, decks)
    behind = options.behind
    if options.source == SHOE:
        if behind < 0:
            behind = min(max(3 * size // 2, least), most)
        if not least <= behind <= most:
            where = f"with {decks} decks and {options.boxes} boxes"
            raise MathsError(f"{behind} cards behind the cutting card: {where} give {least} to {most}.")
    jackpot = options.jackpot_cents
    if BLAZING in options.side_bets:
        lowest = min(rulebook.blazing_7s.minimums_cents.value)
        jackpot = jackpot or lowest
        if jackpot < lowest:
            raise MathsError("the jackpot does not stand below the value that it resets to.")
        if jackpot > JACKPOT_MAX:
            raise MathsError(f"a jackpot of at most {dollars(JACKPOT_MAX)} is played for.")
    return msgspec.structs.replace(
        options,
        decks=decks,
        behind=behind,
        jackpot_cents=jackpot,
        chips_cents=tuple(sorted(set(options.chips_cents))),
        side_bets=tuple(name for name in SIDE_BETS if name in options.side_bets),
    )


def _check_side_bet(rulebook: Rulebook, options: Options, name: str) -> None:
    offered = [bet for bet, terms in rulebook.side_bets.items() if terms.offered.value]
    offered += [BLAZING] if rulebook.blazing_7s.offered.value else []
    if name not in offered:
        raise MathsError(f"{rulebook.name} has no optional wager {name!r}; it has {', '.join(offered)}.")
    if name == BLAZING:
        terms = rulebook.blazing_7s
        if options.source != terms.source.value:
            raise MathsError(f"{BLAZING} needs a {terms.source.value}: add --source {terms.source.value}.")
        if options.blazing_cents not in terms.amounts_cents.value:
            raise MathsError(f"a {BLAZING} wager is {' or '.join(map(str, terms.amounts_cents.value))} cents.")
    elif options.side_cents <= 0:
        raise MathsError("an optional wager is above nothing.")


def _behind_range(rulebook: Rulebook, options: Options, decks: int) -> tuple[int, int]:
    """How many cards may lie behind the cutting card: as the rulebook says, and enough to end nearly every round."""
    size = 4 * len(rulebook.cards.ranks.value)
    tolerance = Fraction(rulebook.shuffle.cutting_card_tolerance_decks.value)
    most = decks * size // 2 + int(tolerance * size)
    least = max(rulebook.shuffle.cutting_card_decks_min.value * size, 6 * (options.boxes + 1))
    return min(least, most), min(most, decks * size - 1 - rulebook.shuffle.burn_shoe.value)


# --- payments --------------------------------------------------------------------------------------------------------


def payment(rulebook: Rulebook, options: Options, cents: int, odds: Odds) -> int:
    """What a winning wager is paid: the next amount that chips can make (NSW 5.10, ADL 120)."""
    amount = Fraction(cents * odds.wins, odds.on)
    down = (
        ROUNDED_DOWN_IF_SIGNED[rulebook.wagers.rounding.value]
        and options.multiples
        and cents % options.minimum_cents != 0
    )
    chips = options.chips_cents
    if down and payable_down(int(amount), chips) != amount:
        return payable_multiple(int(amount), options.minimum_cents, chips)
    return payable_up(-(-amount.numerator // amount.denominator), options.chips_cents)


def _payments(rulebook: Rulebook, options: Options) -> Array:
    """Cents by outcome, for a wager that is doubled in full."""
    wager = options.wager_cents
    interim, settlement = rulebook.interim, rulebook.settlement

    def pays(odds: Odds, cents: int = wager) -> int:
        return payment(rulebook, options, cents, odds)

    pay = np.zeros(o.OUTCOMES, np.int64)
    rows: dict[str, PayRow] = {row.name: row for row in interim.pay_table.value}
    if "other" not in rows:
        raise MathsError(f"{rulebook.name}: the pay table has no row for any other 21.")
    for index, name in enumerate(ROWS):
        pay[FIRST_ROW + index] = pays((rows.get(name) or rows["other"]).odds)
    pay[FIRST_NATURAL : FIRST_NATURAL + len(NATURAL_RANKS)] = pays(interim.natural_odds.value)
    even, doubled = pays(settlement.even_money.value), pays(interim.doubled_odds.value, 2 * wager)
    pay[TRICK] = even
    pay[o.DOUBLED_TRICK] = pays(settlement.even_money.value, 2 * wager)
    pay[o.DOUBLED_21] = doubled
    pay[o.DEALER_BUST] = pay[o.HIGHER] = even
    pay[o.DEALER_BUST + o.DOUBLED] = pay[o.HIGHER + o.DOUBLED] = doubled
    ties_lose = TIES_LOSE[settlement.ties.value]
    pay[0] = pay[o.LOWER] = pay[o.FORFEITED] = -wager
    pay[o.DOUBLED_BUST] = pay[o.LOWER + o.DOUBLED] = -2 * wager
    pay[o.EQUAL] = -wager if ties_lose else 0
    pay[o.EQUAL + o.DOUBLED] = -2 * wager if ties_lose else 0
    everything = NATURAL_TAKES_ALL[settlement.dealer_natural.value]
    pay[o.NATURAL_FIRST] = -wager
    pay[o.NATURAL_FIRST_DOUBLED] = -2 * wager if everything else -wager
    pay[o.NATURAL_FURTHER] = -wager if everything else 0
    pay[o.NATURAL_FURTHER_DOUBLED] = -2 * wager if everything else 0
    returned = min(wager, payable_up(-(-wager // 2), options.chips_cents))
    pay[o.SURRENDERED] = returned - wager
    pay[o.SURRENDERED_NATURAL] = -wager
    ranked = {row.name: row.odds for row in settlement.natural_against_natural.value}
    for index, name in enumerate(("higher", "same", "lower")):
        pay[o.RANKS_ABOVE + index] = pays(ranked.get(name, settlement.natural_against_other.value))
    pay[o.WAITED] = pays(settlement.natural_against_other.value)
    return pay


def _side_payments(rulebook: Rulebook, options: Options) -> Array:
    pay = np.zeros((len(SIDE_BETS), 8), np.int64)
    kinds: tuple[set[str], ...] = (
        set(), {"any", "mixed"}, {"any", "coloured", "same-colour"}, {"any", "perfect", "suited"},
        {"any", "aces", "mixed"}, {"any", "aces", "coloured", "same-colour"}, {"any", "aces", "perfect", "suited"},
    )  # fmt: skip
    for index, bet in enumerate(PAIR_BETS):
        if bet not in options.side_bets:
            continue
        for kind, names in enumerate(kinds):
            rows = [row.odds for row in rulebook.side_bets[bet].pays.value if row.name in names]
            best = max(rows, key=lambda odds: Fraction(odds.wins, odds.on), default=None)
            pay[index, kind] = payment(rulebook, options, options.side_cents, best) if best else -options.side_cents
    if BLAZING in options.side_bets:
        wager = options.blazing_cents
        pay[3, :] = -wager
        for row in rulebook.blazing_7s.pays.value:
            if not row.share_percent:
                prize = payable_up(row.cents_by_wager[wager], options.chips_cents)
                pay[3, BLAZING_ROWS.index(row.name)] = prize - wager
    return pay


def jackpot_shares(rulebook: Rulebook, options: Options) -> Array:
    """[winners of the whole, winners of a tenth]: what each gets of the jackpot, the wager not taken off (16.11)."""
    least = min(rulebook.blazing_7s.minimums_cents.value) if BLAZING in options.side_bets else 0
    found = np.zeros((BOXES_MAX + 1, BOXES_MAX + 1, 2), np.int64)
    if not least:
        return found
    for tops in range(BOXES_MAX + 1):
        for tenths in range(BOXES_MAX + 1):
            pool = options.jackpot_cents
            if tops:
                found[tops, tenths, 0] = payable_up(max(-(-pool // tops), least), options.chips_cents)
                pool = least
            if tenths:
                share = pool * (1 - Fraction(9, 10) ** tenths) / tenths
                each = max(ceil(share), least // 10)
                found[tops, tenths, 1] = payable_up(each, options.chips_cents)
    return found


# --- the rest --------------------------------------------------------------------------------------------------------


def _rules(rulebook: Rulebook, options: Options) -> Array:
    rules = np.zeros(R_LENGTH, np.int64)
    splitting, bonus, insurance = rulebook.splitting, rulebook.super_bonus, rulebook.insurance
    rules[R_BOXES] = options.boxes
    rules[R_HARD_STAND] = rulebook.dealer.hard_stand.value
    rules[R_SOFT_STAND] = rulebook.dealer.soft_stand.value
    rules[R_FORFEIT] = rulebook.doubling.forfeit.value
    rules[R_WAITS] = NATURAL_WAITS[rulebook.interim.natural_when.value]
    rules[R_HANDS] = hands_allowed(rulebook, options)
    rules[R_ACE_CARDS] = splitting.aces_cards.value
    rules[R_ACES_RESPLIT] = splitting.aces_resplit.value and (options.resplit or splitting.resplit_by.value == "nobody")
    rules[R_ENDS_SPLITTING] = splitting.declined_ends.value
    if bonus.offered.value and options.wager_cents >= bonus.small_from_cents.value:
        large = options.wager_cents >= bonus.large_from_cents.value
        rules[R_SUPER_CENTS] = bonus.large_cents.value if large else bonus.small_cents.value
        rules[R_SUPER_OTHERS] = bonus.others_cents.value
        rules[R_SUPER_AT_ONCE] = BONUS_AT_ONCE[bonus.when.value]
    if insurance.offered.value:
        half = options.wager_cents // 2
        if INSURED_IN_HALF_CHIPS[insurance.unit.value]:
            half = 2 * half // options.chips_cents[0] * options.chips_cents[0] // 2
        rules[R_INSURED_CENTS] = half
        rules[R_INSURANCE_WINS] = payment(rulebook, options, half, insurance.odds.value)
    rules[R_WAGER] = options.wager_cents
    rules[R_SIDES] = sum(1 << SIDE_BETS.index(name) for name in options.side_bets)
    rules[R_BLAZING_WAGER] = options.blazing_cents
    return rules


DOUBLED: Mapping[str, Callable[[Hand], bool]] = meaning(
    "doubling.hands",
    {
        "any-below-21": lambda hand: True,
        "two-cards-hard-9-10-11": lambda hand: hand.cards == 2 and not hand.soft and 9 <= hand.total <= 11,
        "two-or-three-cards": lambda hand: hand.cards in (2, 3),
    },
)
"""Which hands of two cards or more, below 21, may be doubled."""


def _legal(rulebook: Rulebook, options: Options, hands: Hands) -> Array:
    """Which acts are open on each hand, one bit an act."""
    legal = np.zeros((4, len(hands.hands)), np.int64)
    must_draw, doubled = rulebook.drawing.must_draw_below.value, DOUBLED[rulebook.doubling.hands.value]
    more = hands_allowed(rulebook, options) > 1
    for number, hand in enumerate(hands.hands):
        if hand is None or hand.cards < 2:
            continue
        acts = 1 << HIT
        if hand.total >= must_draw:
            acts |= 1 << STAND
        double, split = doubled(hand) << DOUBLE, hand.is_pair << SPLIT
        legal[ORIGINAL, number] = acts | double | (split if more else 0)
        after = acts | (double if rulebook.doubling.after_split.value else 0)
        legal[MAY_NOT_SPLIT, number] = after
        if hand.is_pair:
            legal[MAY_SPLIT, number] = after | split
            legal[ACES_MAY_SPLIT, number] = 1 << STAND | split
    return legal


def _opens(rulebook: Rulebook) -> Array:
    opens = np.zeros(COLUMNS, np.int64)
    for card in range(CLASSES):
        rank = CLASS_RANKS[card]
        if rulebook.insurance.offered.value and rank in rulebook.insurance.dealer_ranks.value:
            opens[card] |= 1
        if rulebook.surrender.offered.value and rank in rulebook.surrender.dealer_ranks.value:
            opens[card] |= 2
        if rulebook.super_bonus.offered.value and rank == rulebook.super_bonus.dealer_rank.value:
            opens[card] |= 4
    return opens


def _natural_rank(rulebook: Rulebook) -> Array:
    """Rank of each ten-value class where naturals are compared; all alike where they are not."""
    order = rulebook.cards.natural_rank.value
    ranks = np.zeros(COLUMNS, np.int64)
    for card in range(CLASSES):
        if CLASS_VALUES[card] == 10 and CLASS_RANKS[card] in order:
            ranks[card] = order.index(CLASS_RANKS[card])
    return ranks


def wager_levels(game: Game, amounts: tuple[int, ...]) -> tuple[Array, Array]:
    """Rules and payments for each amount that may be wagered, in cents; nothing is won or lost on a wager of 0."""
    rules, pay = [], []
    for cents in amounts:
        options = msgspec.structs.replace(game.options, wager_cents=cents or game.options.wager_cents)
        row, money = _rules(game.rulebook, options), _payments(game.rulebook, options)
        if not cents:
            row[[R_WAGER, R_SUPER_CENTS, R_SUPER_OTHERS, R_INSURED_CENTS, R_SIDES]] = 0
            money[:] = 0
        rules.append(row)
        pay.append(money)
    return np.stack(rules), np.stack(pay)


VALUES: Array = np.array([*CLASS_VALUES, *(0 for _ in range(COLUMNS - CLASSES))], np.int64)


def arrays(game: Game) -> tuple[Any, ...]:
    """What the kernels take, in their order."""
    shares = jackpot_shares(game.rulebook, game.options)
    return (
        game.rules, game.hands.next, game.hands.start, game.doubled, game.total,
        game.pair, game.legal, game.pay, game.opens, game.natural_rank, VALUES, game.side_pay, shares,
    )  # fmt: skip
