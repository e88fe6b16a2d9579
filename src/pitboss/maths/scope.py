"""Which terms the value of a round hangs on, and why the others change nothing; a term that is set in vain is told."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.questions import known_rulebook
from pitboss.rulebooks.terms import Rulebook

COURSE = "it is about the course of things, and a round's value is for undisturbed rounds from a full shoe"
OTHERS = "it concerns several players on a box or in a round, and the value is for one player alone"
APART = "optional wagers are valued apart, by side-bets"
INSURANCE = "insurance is counted only with --insurance"
SUPER_BONUS = "the Super Bonus is counted only with --super-bonus"
NEEDS_OTHER = "it works together with another term, which stands as it was"
CITED = "the table cites it and does not decide by it"
TOGETHER = "the doubled and the split portion are priced together, as settlement.dealer_natural says"

UNTOUCHED: dict[str, str] = {
    "game": "it is a name",
    "shuffle": COURSE,
    "boxes": OTHERS,
    "limits": COURSE,
    "wagers": COURSE,
    "deal": COURSE,
    "irregularities": COURSE,
    "device": COURSE,
    "patrons": COURSE,
    "side_bets": APART,
    "blazing_7s": APART,
    "tournament": COURSE,
    "promotions": COURSE,
    "layout": "it is about the cloth and what stands at the table",
    "cards.decks": "--decks says how many are played with",
    "cards.decks_default": "it is the number that --decks stands for when nobody says",
    "cards.jokers": "a joker gives no points here; promotions with jokers are not valued",
    "cards.face_down": COURSE,
    "cards.new_cards_shoe": COURSE,
    "cards.new_cards_device": COURSE,
    "cards.new_cards_by": COURSE,
    "insurance": INSURANCE,
    "insurance.unit": "insurance is valued for half of the wager, whatever its unit",
    "insurance.natural_excluded": "whoever holds a natural is taken not to insure",
    "insurance.paid": COURSE,
    "insurance.closes": COURSE,
    "insurance.collected": COURSE,
    "insurance.share_max": "insurance is valued for half of the wager",
    "insurance.each_player": OTHERS,
    "surrender.dealer_ranks": "surrender.offered decides whether there is any",
    "surrender.others": OTHERS,
    "surrender.others_if_controller_declines": OTHERS,
    "surrender.freezes": OTHERS,
    "surrender.opens": COURSE,
    "surrender.settled": COURSE,
    "surrender.loses": "half is the only value that it may have",
    "surrender.dealer_natural": "the loss of the whole wager is the only value that it may have",
    "surrender.remainder": COURSE,
    "interim.deferrable_by": "deferred payments change when somebody is paid and not what",
    "interim.natural_clauses": CITED,
    "interim.natural_after_split": NEEDS_OTHER,
    "interim.pay_table.pontoon": "interim.natural_odds decides",
    "interim.pay_table.five-card-trick": "it is priced together with settlement.even_money",
    "super_bonus": SUPER_BONUS,
    "super_bonus.others": OTHERS,
    "super_bonus.others_cents": OTHERS,
    "super_bonus.others_side_bets": OTHERS,
    "super_bonus.when": COURSE,
    "super_bonus.moment_clauses": CITED,
    "super_bonus.not_on": "it is not priced",
    "drawing.stand": "drawing.must_draw_below decides",
    "drawing.choice_clauses": CITED,
    "drawing.order": COURSE,
    "drawing.choices": COURSE,
    "drawing.bust": COURSE,
    "drawing.may_draw_below": "21 is the only value that it may have",
    "doubling.forfeit_each": OTHERS,
    "doubling.forfeit_clears": COURSE,
    "doubling.hand_clauses": CITED,
    "doubling.others": OTHERS,
    "splitting.resplit_hands_max": "it counts only with --resplit",
    "splitting.resplit_by": "who allows it is no matter; --resplit says that it is allowed",
    "splitting.aces_resplit": "it counts only where a pair may be split again",
    "splitting.natural": NEEDS_OTHER,
    "splitting.cover_required_by": OTHERS,
    "splitting.split_clauses": CITED,
    "dealer.no_needless_card": "a card that cannot change the outcome changes no value",
    "settlement.dealer_natural_doubled": TOGETHER,
    "settlement.dealer_natural_split": TOGETHER,
    "settlement.natural_against_other": NEEDS_OTHER,
    "settlement.natural_against_natural": NEEDS_OTHER,
    "settlement.cards": COURSE,
    "cards.natural_rank": NEEDS_OTHER,
}
"""Terms and whole sections that do not change the value as it is asked for; the longest name that fits holds."""


def reason(key: str) -> str:
    """Why a term changes nothing here, or an empty text where it should change something."""
    parts = key.split(".")
    for length in range(len(parts), 0, -1):
        found = UNTOUCHED.get(".".join(parts[:length]))
        if found is not None:
            return found
    return ""


def same_value(
    first: Rulebook, second: Rulebook, *, resplit: bool = False, insurance: bool = False, super_bonus: bool = False
) -> bool:
    """Whether a round of one box must be worth the same under both, as far as it was asked for."""
    before, after = compile_rules(first, resplit=resplit), compile_rules(second, resplit=resplit)
    if not super_bonus:
        after = msgspec.structs.replace(after, bonus_rank=before.bonus_rank)
    elif _values(first, "super_bonus") != _values(second, "super_bonus"):
        return False
    if insurance and _values(first, "insurance") != _values(second, "insurance"):
        return False
    return before == after and first.cards.ranks.value == second.cards.ranks.value


COUNTED = {
    "insurance": ("offered", "dealer_ranks", "odds"),
    "super_bonus": ("offered", "dealer_rank", "small_from_cents", "small_cents", "large_from_cents", "large_cents"),
}


def _values(rulebook: Rulebook, section: str) -> list[object]:
    terms = getattr(rulebook, section)
    return [getattr(terms, name).value for name in COUNTED[section]]


def set_in_vain(
    name: str,
    changes: Iterable[str],
    *,
    resplit: bool = False,
    insurance: bool = False,
    super_bonus: bool = False,
) -> list[str]:
    """A sentence for each changed term that leaves the value as it was, given all the others."""
    changes = list(changes)
    whole = known_rulebook(name, changes, to_price=False)
    found = []
    for place, change in enumerate(changes):
        without = known_rulebook(name, changes[:place] + changes[place + 1 :], to_price=False)
        if same_value(without, whole, resplit=resplit, insurance=insurance, super_bonus=super_bonus):
            key = change.partition("=")[0].strip()
            why = reason(key) or "it has that value already"
            found.append(f"{key} changes nothing of this value: {why}.")
    return found
