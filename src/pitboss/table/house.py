"""What the house has chosen within what the rulebook lets it choose, and what is known of a patron."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from math import gcd
from typing import Any

import msgspec

from pitboss.basics.money import LARGEST_CENTS, dollars, payable_down
from pitboss.rulebooks import vocabulary
from pitboss.rulebooks.meanings import ALWAYS_FACE_UP, handles
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal

BLAZING = vocabulary.BLAZING
SHOE = "shoe"
DEVICE = "shuffling-device"
handles("shuffle.sources irregularities.face_up_check_sources", (SHOE, DEVICE))
CHIPS_CENTS = (100, 250, 500, 2500, 10000)
CHIP_STEPS_MAX = 10_000
"""How many times what all chips have in common the smallest may be: payments are made of them."""
JOKERS_MAX = 100
ANYONE = "anyone"
BOOK = "book"
PATRONS = (ANYONE, BOOK)
"""Whom a table plays with: anyone (whoever comes has a valid card, unless something else is said of them), or whom the
patrons' book knows (nobody has a card of whom it says nothing)."""


class House(msgspec.Struct, frozen=True):
    """One table's choices: the sign, the decks, what is offered, what is in the float."""

    decks: int
    source: str
    side_bets: tuple[str, ...]
    required: tuple[str, ...] = ()
    """Optional wagers that a notice makes a condition of play."""
    resplit: bool = False
    chips_cents: tuple[int, ...] = CHIPS_CENTS
    minimum_cents: int = 500
    maximum_cents: int = 100_000
    unit_cents: int = 0
    """The sign's unit for amounts above the minimum; 0 where it names none."""
    multiples: bool = False
    """The sign asks for multiples of the minimum."""
    side_limits: dict[str, tuple[int, int]] = {}
    """Least and most for an optional wager, where the sign says so."""
    player_maximum_cents: int = 0
    """Most that one player may wager over all boxes; 0 where the sign does not say."""
    jackpot_cents: int = 5_000_000
    jackpot_minimum_cents: int = 2_500_000
    jackpot_rate_percent: int = 0
    jackpot_linked: bool = False
    boxes: int = 7
    jokers: int = 0
    low_limit: bool = False
    tournament: bool = False
    """The table is opened for tournament play."""
    face_down: bool = False
    deferred: bool = False
    date: datetime.date | None = None
    """Gaming date; None means that every dated term has its newest value. A table changes it with `take_date`."""
    patrons: str = ANYONE
    """Whom the table plays with: anyone, or book."""
    counted: bool = False
    """Chips are counted: nobody wagers what they have not bought here or brought, and no token that was not issued."""

    @property
    def is_practice(self) -> bool:
        """Without a gaming date a table is for practice: nobody asks the patrons' book, and it is named so."""
        return self.date is None

    @property
    def smallest_chip_cents(self) -> int:
        return min(self.chips_cents)


class Patron(msgspec.Struct, frozen=True):
    """What is known of a player when they come to the table."""

    seat: int | None = None
    card: bool = True
    chips_cents: int | None = None
    """What lies in front of them, tokens with it; None is enough for anything, or nothing where chips are counted."""
    tokens_cents: int = 0
    loss_limit_cents: int | None = None
    deposit_limit_cents: int | None = None
    recognised: bool = False
    restricted_before: bool = False


def offered_side_bets(rulebook: Rulebook, decks: int, source: str) -> tuple[str, ...]:
    """Every optional wager that the rulebook allows with those decks and that source."""
    pairs = [name for name, bet in rulebook.side_bets.items() if bet.offered.value and decks in bet.decks.value]
    blazing = rulebook.blazing_7s
    if blazing.offered.value and decks in blazing.decks.value and source == blazing.source.value:
        pairs.append(BLAZING)
    return tuple(pairs)


def default_house(rulebook: Rulebook, **changes: Any) -> House:
    """A table as records know it when they say nothing else."""
    decks = changes.get("decks", rulebook.cards.decks_default.value)
    source = changes.get("source", SHOE)
    changes.setdefault("decks", decks)
    changes.setdefault("source", source)
    changes.setdefault("side_bets", offered_side_bets(rulebook, decks, source))
    changes.setdefault("boxes", max(rulebook.boxes.number.value))
    return House(**changes)


def _one_of(numbers: Iterable[int]) -> str:
    return _one_word_of([str(number) for number in numbers])


def _one_word_of(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def refuse_house(rulebook: Rulebook, house: House) -> Refusal | None:
    """Why this table may not be opened under the rulebook, or None if it may."""

    def no(clauses: tuple[str, ...], text: str) -> Refusal:
        return Refusal(rulebook.name, clauses, text)

    cards, boxes, blazing = rulebook.cards, rulebook.boxes, rulebook.blazing_7s
    if house.decks not in cards.decks.value:
        return no(
            cards.decks.clauses, f"the game is played with {_one_of(cards.decks.value)} decks, not {house.decks}."
        )
    if house.source not in rulebook.shuffle.sources.value:
        return no(
            rulebook.shuffle.sources.clauses,
            f"cards are dealt from a {' or a '.join(rulebook.shuffle.sources.value)}, not from {house.source!r}.",
        )
    if house.boxes not in boxes.number.value:
        return no(boxes.number.clauses, f"the layout has {_one_of(boxes.number.value)} boxes, not {house.boxes}.")
    refused = _refuse_chips(rulebook, house) or _refuse_twice(rulebook, house)
    if refused is not None:
        return refused
    for kind in house.side_bets:
        if kind == BLAZING and blazing.offered.value:
            if house.decks not in blazing.decks.value:
                text = f"{kind} needs {_one_of(blazing.decks.value)} decks, not {house.decks}."
                return no(blazing.decks.clauses, text)
            if house.source != blazing.source.value:
                return no(blazing.source.clauses, f"{kind} needs a {blazing.source.value}, not a {house.source}.")
            if house.jackpot_minimum_cents not in blazing.minimums_cents.value:
                amounts = " or ".join(dollars(cents) for cents in blazing.minimums_cents.value)
                text = f"the jackpot resets to {amounts}, not to {dollars(house.jackpot_minimum_cents)}."
                return no(blazing.minimums_cents.clauses, text)
            continue
        bet = rulebook.side_bets.get(kind)
        if bet is None or not bet.offered.value:
            known = [name for name, each in rulebook.side_bets.items() if each.offered.value]
            known += [BLAZING] if blazing.offered.value else []
            clauses = bet.offered.clauses if bet is not None else blazing.offered.clauses
            return no(clauses, f"there is no optional wager {kind!r}; the rulebook has {', '.join(known) or 'none'}.")
        if house.decks not in bet.decks.value:
            return no(bet.decks.clauses, f"{kind} needs {_one_of(bet.decks.value)} decks, not {house.decks}.")
    for kind in house.required:
        bet = rulebook.side_bets.get(kind)
        if bet is None or kind not in house.side_bets or not bet.compulsory.value:
            clauses = bet.compulsory.clauses if bet is not None else rulebook.game.name.clauses
            return no(clauses, f"{kind} cannot be made a condition of play at this table.")
    if house.resplit and rulebook.splitting.resplit_by.value == "nobody":
        most = rulebook.splitting.hands_max.value
        text = f"re-splitting is not the house's choice: up to {most} hands are formed anyway."
        return no(rulebook.splitting.hands_max.clauses, text)
    if house.jokers and not cards.jokers.value:
        return no(cards.jokers.clauses, "there is no joker in the cards.")
    if not 0 <= house.jokers <= JOKERS_MAX:
        return no(cards.jokers.clauses, f"0 to {JOKERS_MAX} jokers are put in the cards, not {house.jokers}.")
    if house.low_limit and rulebook.limits.low_limit_device_only.value and house.source != DEVICE:
        return no(
            rulebook.limits.low_limit_device_only.clauses, "a low-limit table deals from a shuffling device only."
        )
    if house.low_limit and house.tournament and rulebook.limits.low_limit_no_tournament.value:
        return no(rulebook.limits.low_limit_no_tournament.clauses, "a low-limit table offers no tournament play.")
    if house.face_down and ALWAYS_FACE_UP[cards.face_down.value]:
        return no(cards.face_down.clauses, "all cards are dealt face up.")
    if house.deferred and rulebook.interim.deferrable_by.value == "nobody":
        return no(rulebook.interim.deferrable_by.clauses, "interim payments cannot wait for the final settlement.")
    if house.unit_cents and not rulebook.limits.unit_above_minimum.value:
        text = "the sign cannot name a unit above the minimum; it can ask for multiples."
        return no(rulebook.limits.unit_above_minimum.clauses, text)
    if house.patrons not in PATRONS:
        text = f"a table plays with {_one_word_of(PATRONS)}, not with {house.patrons!r}."
        return no(rulebook.wagers.player_card.clauses, text)
    if not 0 < house.minimum_cents <= house.maximum_cents:
        return no(rulebook.limits.sign.clauses, "the minimum on the sign is above zero and not above the maximum.")
    return _refuse_amounts(rulebook, house)


def _refuse_chips(rulebook: Rulebook, house: House) -> Refusal | None:
    """Chips that no wager and no payment can be made of."""
    chips, clauses = house.chips_cents, rulebook.wagers.means.clauses
    if not chips:
        return Refusal(rulebook.name, clauses, "wagers are chips: name at least one denomination.")
    for chip in chips:
        if not 0 < chip <= LARGEST_CENTS:
            text = f"a chip is worth from {dollars(1)} to {dollars(LARGEST_CENTS)}, not {dollars(chip)}."
            return Refusal(rulebook.name, clauses, text)
    if min(chips) // gcd(*chips) > CHIP_STEPS_MAX:
        text = "the chips have too little in common to make payments with: choose rounder denominations."
        return Refusal(rulebook.name, clauses, text)
    return None


def _refuse_twice(rulebook: Rulebook, house: House) -> Refusal | None:
    """An optional wager is offered once."""
    for kinds in (house.side_bets, house.required):
        for kind in kinds:
            if kinds.count(kind) > 1:
                bet = rulebook.side_bets.get(kind)
                clauses = (bet or rulebook.blazing_7s).offered.clauses
                return Refusal(rulebook.name, clauses, f"{kind} is named twice: name each optional wager once.")
    return None


def _refuse_amounts(rulebook: Rulebook, house: House) -> Refusal | None:
    """Amounts on the sign and of the jackpot that are none."""
    sign, blazing = rulebook.limits.sign.clauses, rulebook.blazing_7s
    for name, cents, clauses in (
        ("the sign's maximum", house.maximum_cents, sign),
        ("the sign's unit", house.unit_cents, rulebook.limits.unit_above_minimum.clauses),
        ("the maximum for one player", house.player_maximum_cents, sign),
        ("the jackpot", house.jackpot_cents, blazing.resets.clauses),
        ("what the jackpot resets to", house.jackpot_minimum_cents, blazing.minimums_cents.clauses),
    ):
        if not 0 <= cents <= LARGEST_CENTS:
            text = f"{name} is from nothing to {dollars(LARGEST_CENTS)}, not {dollars(cents)}."
            return Refusal(rulebook.name, clauses, text)
    if not 0 <= house.jackpot_rate_percent <= 100:
        text = f"the jackpot takes 0 to 100 percent of a wager, not {house.jackpot_rate_percent}."
        return Refusal(rulebook.name, blazing.resets.clauses, text)
    for kind, (least, most) in house.side_limits.items():
        if not 0 <= least <= most <= LARGEST_CENTS or not most:
            text = f"the sign asks for {dollars(least)} to {dollars(most)} on {kind}: name the least, then the most."
            return Refusal(rulebook.name, sign, text)
    return None


def refuse_sign(rulebook: Rulebook, house: House) -> Refusal | None:
    """Amounts on the sign that the house's chips cannot make.

    Where people play, not in records: there a sign says what is not too little or too much, whatever the chips are.
    """
    for name, cents, term in (
        ("minimum", house.minimum_cents, rulebook.limits.sign),
        ("maximum", house.maximum_cents, rulebook.limits.sign),
        ("unit", house.unit_cents, rulebook.limits.unit_above_minimum),
    ):
        if cents and payable_down(cents, house.chips_cents) != cents:
            text = f"the sign's {name} of {dollars(cents)} cannot be made of the house's chips: change one of them."
            return Refusal(rulebook.name, tuple(dict.fromkeys((*term.clauses, *rulebook.wagers.means.clauses))), text)
    return None


def refuse_patron(rulebook: Rulebook, name: str, patron: Patron) -> Refusal | None:
    """Why nobody can come to the table with that much, or None if they can."""
    terms = rulebook.wagers
    for what, cents, clauses in (
        ("chips", patron.chips_cents, terms.means.clauses),
        ("tokens", patron.tokens_cents, terms.means.clauses),
        ("loss limit", patron.loss_limit_cents, terms.loss_limit.clauses),
        ("deposit limit", patron.deposit_limit_cents, terms.deposit_limit.clauses),
    ):
        if cents is not None and not 0 <= cents <= LARGEST_CENTS:
            text = f"{name}'s {what}: from nothing to {dollars(LARGEST_CENTS)}, not {dollars(cents)}."
            return Refusal(rulebook.name, clauses, text)
    return None
