"""The words and numbers that a term may have: a document says which of them holds, the engine what each one means.

Keys are dotted as in ``doubling.hands``; ``side_bets.*.pays`` holds for every optional wager on a pair.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from pitboss.rulebooks.terms import Notified, Restriction, Role, Rulebook, SideBet, fields_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ROLES: frozenset[str] = frozenset(get_args(Role))
NOTIFIED: frozenset[str] = frozenset(get_args(Notified))

FREE_TEXT = frozenset({"game.name", "game.document", "game.edition"})
"""Terms with any text, as long as there is some."""

RANKS = frozenset(
    {
        "cards.ranks",
        "cards.natural_rank",
        "insurance.dealer_ranks",
        "surrender.dealer_ranks",
        "super_bonus.dealer_rank",
    }
)
"""Terms that list ranks of cards, each at most once."""

CLAUSE_LISTS = frozenset({"limits.cascade"})
"""Terms whose items are themselves clauses."""

KEYS: dict[str, frozenset[str]] = {
    "boxes.control_clauses": _words("seated highest nearest"),
    "shuffle.means_clauses": _words("hand multishuffler shuffling-device pre-shuffled"),
    "deal.steps": _words("first dealer second"),
    "interim.natural_clauses": _words("paid held final"),
    "drawing.choice_clauses": _words("stand hit"),
    "doubling.hand_clauses": _words("two split more"),
    "splitting.split_clauses": _words("first again"),
    "side_bets.*.settled_clauses": _words("won lost"),
    "limits.above_clauses": _words("alone shared"),
    "super_bonus.moment_clauses": _words("bonus others final"),
    "device.failure_clauses": _words("undamaged damaged disadvantage no-spare replaced"),
    "irregularities.invalidated_clauses": _words("disturbance fraud"),
    "irregularities.void_for": _words("misdeal impractical fraud disturbance"),
    "irregularities.invalid_clauses": _words("before within card settled"),
    "irregularities.misdeal_clauses": _words("initial rebuilt"),
    "irregularities.short_hand_clauses": _words("in-turn passed"),
    "irregularities.dealer_short_clauses": _words("noticed told offered finished"),
    "irregularities.mispayment_clauses": _words("mistaken intended person over under"),
    "blazing_7s.priority": _words("seated highest nearest"),
    "blazing_7s.linked": _words("pay-table rate seed wager"),
    "blazing_7s.several": _words("top tenth fixed-first same-time"),
    "irregularities.conduct": _words(
        "advice advantage procedures device device-records device-changes device-linked loss-limit directions cards"
        " wagers total"
    ),
    "patrons.declarations": _words("bought brought left"),
    "layout.areas": _words("boxes insurance perfect-pairs any-pairs star-pairs blazing-7s"),
    "layout.inscriptions": _words("natural-pays dealer-stands insurance-pays perfect-pairs"),
    "layout.diagrams": _words("plain perfect-pairs perfect-pairs-further box-seat any-pairs star-pairs"),
    "layout.equipment": _words("card-source discard-rack surrender-buttons float-tray drop-box"),
    "layout.jackpot_equipment": _words("recorder sensors shuffling-device"),
    "layout.signs": _words(
        "limits multiples two-minimums pay-table pairs-amount pairs-limits jackpot-amount pre-shuffled compulsory-pairs"
    ),
    "layout.notices": _words("placement within-limits no-advice no-private-wagers exempt-from-device-ban approval"),
    "tournament.items": _words(
        "entry-fee chips compulsory-wager limits structure conduct buy-back eligibility right-to-refuse"
        " criteria entry-terms prizes conducted-by start numbers groups perfect-pairs"
    ),
    "tournament.steps": _words(
        "absent add-value advance advice agree allocate allot announce approve approved-chips break"
        " buy-back buy-in buy-in-missing cancel cancel-position chips-returned combined commission conceal"
        " conclude conclude-agreed contravention copy count count-session deal-from-marker deduct designate dispute"
        " disqualify division enter every-round exclusive fee fixed forfeit-seat form form-above form-below"
        " form-beyond-chips form-blank form-filled form-limits guarantee in-view increase indicator inspect"
        " inventory joint late limits-change marker more-rounds move-start nominate opportunity order out-of-turn"
        " override pace pass-card players-per-table pool position publish redeem refund refuse-entry remove"
        " reserve reveal shortfall substitute tie time-limit too-few tournament-chips unable undisclosed units"
        " wager-first win withdraw"
    ),
    "promotions.prohibited": _words("tobacco firearm weapon liquor prescribed"),
    "promotions.published": _words("terms marketing"),
    "promotions.items": _words(
        "manner award eligibility wager nature closing promotion claim notification results details disbursement"
    ),
    "promotions.prize_kinds": _words("machinery vehicle travel real-estate"),
    "promotions.prize_items": _words(
        "machinery.make machinery.model machinery.accessories vehicle.make vehicle.model vehicle.accessories"
        " vehicle.on-road-costs travel.persons travel.included travel.restrictions travel.spending-money"
        " real-estate.dwelling real-estate.plans real-estate.contract real-estate.easements real-estate.address"
        " real-estate.included"
    ),
    "promotions.told_by": _words("face-to-face mail telephone email"),
}
"""Words that are the keys of a table of clauses."""


def words_in(of: Any) -> frozenset[str]:
    """The words of a closed type, also of a list of them; none where any text or number will do.

    What a term is where the document has nothing of it, "", is no word.
    """
    if get_origin(of) in (Literal, Union, UnionType, tuple):
        found = [{each} if isinstance(each, str) else words_in(each) for each in get_args(of)]
        return frozenset[str]().union(*found) - {""}
    return frozenset()


def plain(of: Any) -> Any:
    """A type without its words: those are looked for by name, and what is wrong is said with the known ones."""
    if get_origin(of) is tuple and words_in(of):
        return tuple[str, ...]
    return str if words_in(of) else of


def _closed() -> Iterator[tuple[str, frozenset[str]]]:
    for section in fields_of(Rulebook):
        side = section.name == "side_bets"
        kind = SideBet if side else section.type
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            for field in fields_of(kind):
                words = words_in(get_args(field.type)[0])
                if words:
                    yield f"{'side_bets.*' if side else section.name}.{field.name}", words


WORDS: dict[str, frozenset[str]] = {**dict(_closed()), **KEYS}
"""Words for texts, lists of texts and the keys of tables: what the types of `terms.py` say."""

EMPTY_MEANS_NONE = frozenset(
    {"cards.natural_rank", "limits.beside_personal_maximum", "doubling.forfeit_clears", "super_bonus.not_on"}
)
"""Terms that may be empty where the section itself is not absent."""

SIDE_BETS = ("perfect-pairs", "any-pairs", "star-pairs")
BLAZING = "blazing-7s"
OPTIONAL_WAGERS = (*SIDE_BETS, BLAZING)
"""What may lie on a box beside the original wager. Their names in words and their short signs are made from these."""


def side_bet_name(kind: str) -> str:
    """``perfect-pairs`` is called Perfect Pairs, and ``blazing-7s`` Blazing 7s."""
    return string.capwords(kind.replace("-", " "))


def side_bet_sign(kind: str) -> str:
    """On the cloth ``perfect-pairs`` is PP, and ``blazing-7s`` B7."""
    return "".join(word[0].upper() for word in kind.split("-"))


ROW_NAMES: dict[str, frozenset[str]] = {
    "limits.restrictions": _words("late-entry all-further-shoes one-box recognised-player associate cover-splits"),
    "interim.pay_table": _words(
        "pontoon 5-card-21 6-card-21 7-plus-card-21 678-mixed 678-suited 678-spades 777-mixed 777-suited 777-spades"
        " five-card-trick other"
    ),
    "settlement.natural_against_natural": _words("higher same lower"),
    "side_bets.perfect-pairs.pays": _words("mixed coloured perfect"),
    "side_bets.any-pairs.pays": _words("any"),
    "side_bets.star-pairs.pays": _words("mixed same-colour suited aces"),
    "blazing_7s.pays": _words(
        "three-sevens-diamonds three-suited-sevens three-same-colour-sevens three-sevens two-player-sevens"
        " one-player-one-dealer-seven"
    ),
}
"""Names of the rows of each table."""

RESTRICTION_WORDS: dict[str, frozenset[str]] = {
    field.name: words for field in fields_of(Restriction) if (words := words_in(field.type))
}

NUMBERS: dict[str, tuple[int, int]] = {
    "cards.decks": (1, 8),
    "cards.decks_default": (1, 8),
    "cards.pictures": (10, 10),
    "shuffle.cut_depth_decks": (0, 4),
    "shuffle.cutting_card_decks_min": (0, 4),
    "shuffle.burn_shoe": (0, 10),
    "shuffle.burn_device": (0, 10),
    "shuffle.final_rounds": (0, 10),
    "boxes.number": (1, 7),
    "boxes.players_max": (1, 7),
    "boxes.wagers_per_player": (1, 1),
    "limits.raise_notice_minutes": (0, 1440),
    "super_bonus.small_from_cents": (0, 10**9),
    "super_bonus.small_cents": (0, 10**9),
    "super_bonus.large_from_cents": (0, 10**9),
    "super_bonus.large_cents": (0, 10**9),
    "super_bonus.others_cents": (0, 10**9),
    "drawing.must_draw_below": (0, 21),
    "drawing.may_draw_below": (21, 21),
    "doubling.cards": (1, 1),
    "splitting.hands_max": (1, 8),
    "splitting.resplit_hands_max": (1, 8),
    "splitting.aces_cards": (0, 1),
    "dealer.hard_stand": (12, 21),
    "dealer.soft_stand": (12, 21),
    "side_bets.*.decks": (1, 8),
    "side_bets.*.per_box": (0, 7),
    "blazing_7s.decks": (1, 8),
    "blazing_7s.amounts_cents": (1, 10**6),
    "blazing_7s.per_box": (0, 1),
    "blazing_7s.minimums_cents": (0, 10**12),
    "irregularities.mispayment_report_cents": (0, 10**9),
    "irregularities.idle_rounds": (0, 10),
    "device.cutting_card_decks": (0, 4),
    "device.jam_burn": (0, 10),
    "patrons.close_notice_minutes": (0, 1440),
    "layout.rack_decks": (0, 8),
    "patrons.day_begins_hour": (0, 23),
    "tournament.entries_each": (0, 100),
    "tournament.absent_rounds": (0, 100),
    "promotions.scrutineer_above_cents": (0, 10**9),
    "promotions.liquor_litres_max": (0, 1000),
    "promotions.told_days": (0, 100),
    "promotions.filed_hours": (0, 1000),
    "promotions.denied_kept_above_cents": (0, 10**9),
    "promotions.compromised_hours": (0, 1000),
}
"""Least and most of every number, and of every number in a list."""


def the_role(role: str) -> str:
    return "nobody" if role == "nobody" else "the " + role.replace("-", " ")
