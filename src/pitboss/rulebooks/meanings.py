"""What the words of a rulebook mean to whoever acts on them: every word has an answer, or nothing starts.

A `question` asks something of a term and answers it for each word that the term may have; a `meaning` has anything else
for each word. Both are checked against the vocabulary when they are read: a word that somebody adds to a vocabulary is
refused with the place that has no answer for it, so that no word falls through to what another one means.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import TypeVar

from pitboss.rulebooks import vocabulary

T = TypeVar("T")

ANSWERED: dict[str, list[frozenset[str]]] = {}
"""For each vocabulary the words for which there are answers, once for every `question` and `meaning`."""


class UnansweredError(Exception):
    """A word of a vocabulary for which somebody has no answer, or an answer for a word that is none."""


@functools.cache
def vocabularies() -> dict[str, frozenset[str]]:
    """Every vocabulary by its term; the words for roles and for whoever is told something are one vocabulary each."""
    found = {key: words for key, words in vocabulary.WORDS.items() if words not in (vocabulary.ROLES,)}
    found |= {"roles": vocabulary.ROLES, "side_bets": frozenset(vocabulary.SIDE_BETS)}
    found |= {f"{key}:rows": names for key, names in vocabulary.ROW_NAMES.items()}
    found |= {
        f"limits.restrictions:{name}": words
        for name, words in vocabulary.RESTRICTION_WORDS.items()
        if words != vocabulary.ROLES
    }
    return found


def misfits(key: str, answered: Iterable[str], words: frozenset[str]) -> str:
    """What is wrong with answers for these words; "" where every word has one."""
    missing, left_over = words - set(answered), set(answered) - words - {""}
    if missing:
        return f"{key}: nobody says what {', '.join(sorted(missing))} means"
    return f"{key}: {', '.join(sorted(left_over))} is no word of it" if left_over else ""


def handles(keys: str, words: str | Iterable[str]) -> None:
    """Say that every word of these vocabularies is dealt with here; raises `UnansweredError` where one is not."""
    said = frozenset(words.split() if isinstance(words, str) else words)
    known = vocabularies()
    wrong = misfits(keys, said, frozenset[str]().union(*(known[key] for key in keys.split())))
    if wrong:
        raise UnansweredError(wrong)
    for key in keys.split():
        ANSWERED.setdefault(key, []).append(said)


def meaning(keys: str, table: Mapping[str, T]) -> Mapping[str, T]:
    """What each word of a term (or of several terms with words in common) means here."""
    handles(keys, table)
    return table


def question(keys: str, *, yes: str, no: str) -> Mapping[str, bool]:
    """Something that is so or not, for every word; it is not so where the term says nothing."""
    return meaning(keys, {"": False, **dict.fromkeys(no.split(), False), **dict.fromkeys(yes.split(), True)})


def unanswered(known: Mapping[str, frozenset[str]]) -> list[str]:
    """What is wrong if these were the vocabularies: words without an answer, and vocabularies that nobody reads.

    Where there is one word only, there is nothing to ask.
    """
    found = []
    for key, words in known.items():
        answers = ANSWERED.get(key, [])
        missing = frozenset[str]().union(*(words - said for said in answers or [frozenset[str]()]))
        if missing and (answers or len(words) > 1):
            found.append(f"{key}: nobody says what {', '.join(sorted(missing))} means")
    return found


# --- words that are said and cited, and that others act for ----------------------------------------------------------

handles("game.natural", "pontoon blackjack")  # how it is called
handles("limits.sign", "box player-box player-box-and-bet-type")  # what the sign shows: `limits.maximum_scope` acts
handles("wagers.locked", "first-card no-more-bets")  # the call locks wagers everywhere; this says which clause does
handles("deal.call", "may-call shall-call")  # `Deal` calls it where nobody has
handles("drawing.stand", "any-total not-below-12")  # `drawing.must_draw_below` acts
handles("settlement.cards", "rack rack-or-device")  # `shuffle.device_return` acts
handles("device.failure", "transfer-or-shoe shoe-for-the-round cutting-card-or-shuffle hand-shuffle")  # `finish` acts
handles(
    "shuffle.ordered_notice limits.restrictions:notice irregularities.wrong_cards_notice irregularities.dispute_advice",
    "nobody inspector government-inspectorate commission surveillance",
)  # whoever is told is named in the notice

handles("patrons.zone", "Australia/Sydney Australia/Adelaide")  # names of time zones, which `zoneinfo` knows
handles("patrons.loss_periods", "day week month")  # `patrons.gaming_day.period_start` acts

# --- the cloth and the table -----------------------------------------------------------------------------------------

WORDS_ARE_FREE = question("layout.words", yes="to-that-effect as-approved", no="as-printed")
SOURCE_AT_THE_LEFT = question("layout.source_place", yes="dealers-left", no="unsaid")
handles("layout.box_shapes", "circle oval rectangle")  # `layout.drawing` draws each of them
handles("layout.areas", "boxes insurance perfect-pairs any-pairs star-pairs blazing-7s")  # texts: `layout.needed`
handles("layout.inscriptions", "natural-pays dealer-stands insurance-pays perfect-pairs")
handles("layout.diagrams", "plain perfect-pairs perfect-pairs-further box-seat any-pairs star-pairs")
handles("layout.equipment", "card-source discard-rack surrender-buttons float-tray drop-box")
handles("layout.jackpot_equipment", "recorder sensors shuffling-device")
handles(
    "layout.signs",
    "limits multiples two-minimums pay-table pairs-amount pairs-limits jackpot-amount pre-shuffled compulsory-pairs",
)
handles("layout.notices", "placement within-limits no-advice no-private-wagers exempt-from-device-ban approval")

# --- patrons ---------------------------------------------------------------------------------------------------------

LIMITS_ARE_THE_PLAYERS = question("patrons.limits_by", yes="player", no="nobody")
DEPOSITS_COUNT = question("patrons.deposit_period", yes="calendar-day", no="none")
HELP_BY_HAND_ALLOWED = question("patrons.helper", yes="present-and-unpaid", no="none")
handles("patrons.declarations", "bought brought left")  # the words are the keys under which chips are declared
HAS_TOURNAMENTS = question("game.tournaments_by", yes="tournament-manager tournament-director", no="nobody")

# --- tournaments -----------------------------------------------------------------------------------------------------

EVERY_ITEM_WANTED = question("tournament.items_wanted", yes="all", no="as-approved")
COMMISSION_KEPT = question("tournament.fees", yes="less-commission", no="all-to-pool")
FEES_REFUNDABLE = question("tournament.fee_refunds", yes="as-conditions", no="never")
CHIPS_REDEEMED = question("tournament.redemption", yes="issue-ratio", no="none")
SEATS_BY_BALLOT = question("tournament.seats", yes="ballot", no="as-conditions")
ABSENCE_FORFEITS = question("tournament.absence", yes="forfeited", no="deducted-or-disqualified")
DISQUALIFIED_KEEP_CHIPS = question("tournament.disqualified_keeps", yes="chip-value", no="nothing")
ALWAYS_IN_TURN = question("tournament.order", yes="always", no="as-conditions")
MARKER_BY_BOX = question("tournament.marker", yes="box-by-box", no="next-player")
OUT_OF_TURN_STANDS = question("tournament.out_of_turn", yes="stands-with-warning", no="withdrawn")
NO_WAGER_DISQUALIFIES = question("tournament.no_wager", yes="disqualified", no="eliminated")
UNITS_OF_MINIMUM = question("tournament.units", yes="of-the-minimum", no="as-the-sign-says")
JOINT_ELIMINATION_RANKED = question("tournament.joint_elimination", yes="residual-wager-removal", no="share-a-place")
DIVISION_SHARED = question("tournament.contested_division", yes="shared", no="play-off")
handles("tournament.items", vocabulary.KEYS["tournament.items"])  # `tournament.conditions` asks for each by its name
handles("tournament.steps", vocabulary.KEYS["tournament.steps"])  # each is the name of its clause

# --- promotions ------------------------------------------------------------------------------------------------------

ALTERNATIVE_OFFERED = question("promotions.alternative", yes="money-value", no="none")
handles("promotions.filed_with", "authority nicc")  # who is sent the terms is named in what is due
for _key in ("prohibited", "published", "items", "prize_kinds", "prize_items", "told_by"):
    handles(f"promotions.{_key}", vocabulary.KEYS[f"promotions.{_key}"])  # each is the name of its clause

# --- cards and shuffles ----------------------------------------------------------------------------------------------

ALWAYS_FACE_UP = question("cards.face_down", yes="never", no="inspector-approval vip-request")
INSPECTOR_APPROVES_FACE_DOWN = question("cards.face_down", yes="inspector-approval", no="never vip-request")
REPLACED_AFTER_CUTTING_CARD = question(
    "cards.new_cards_shoe cards.new_cards_device", yes="after-cutting-card-round", no="any-round"
)
RETURNED_AFTER_INITIAL_DEAL = question("shuffle.device_return", yes="after-initial-deal", no="end-of-round")
HOUSE_CUTTER = meaning("shuffle.cut_refused_by_all", {"casino-supervisor": "supervisor", "dealer": "dealer"})
"""How the house is called where no player cuts."""

# --- boxes, limits and wagers ----------------------------------------------------------------------------------------

GIVES_UP_CALLING_ONLY = question("boxes.several", yes="control-until-demand", no="allowed-until-demand own-place-only")
MAXIMUM_FOR_EACH_PLAYER = question("limits.maximum_scope", yes="player-box", no="box")
ALWAYS_IN_MULTIPLES = question("limits.multiples", yes="always", no="if-signed")
SMALL_WAGER_IS_VALID = question("limits.found_below_minimum", yes="valid", no="settled-then-returned made-up")
SMALL_WAGER_IS_MADE_UP = question("limits.found_below_minimum", yes="made-up", no="valid settled-then-returned")
ROUNDED_DOWN_IF_SIGNED = question("wagers.rounding", yes="down-if-multiples-signed", no="up")

# --- insurance, surrender, naturals ----------------------------------------------------------------------------------

INSURED_IN_HALF_CHIPS = question("insurance.unit", yes="half-smallest-chip", no="any")
INSURANCE_PAID_AT_SECOND_CARD = question("insurance.paid", yes="at-second-card", no="after-settlement")
EACH_SURRENDERS_ALONE = question("surrender.others", yes="each-own", no="may-follow bound")
OTHERS_MAY_FOLLOW = question("surrender.others", yes="may-follow", no="each-own bound")
OTHERS_ARE_BOUND = question("surrender.others", yes="bound", no="each-own may-follow")
NATURAL_WAITS = question("interim.natural_when", yes="unless-dealer-ten-or-ace", no="at-once")

# --- doubling, bonuses and settlement --------------------------------------------------------------------------------

ACES_COUNT_AS_USUAL = question("doubling.aces", yes="as-usual", no="held-count-one first-two-count-one")
BONUS_AT_ONCE = question("super_bonus.when", yes="at-once", no="before-cards-collected")
BONUS_FOR_EACH_PLAYER = question("super_bonus.others", yes="each-player", no="each-original-wager")
TIES_LOSE = question("settlement.ties", yes="lose", no="stand-off")
NATURAL_TAKES_ALL = question("settlement.dealer_natural", yes="all", no="one-original")
NATURAL_TAKES_DOUBLED = question("settlement.dealer_natural_doubled", yes="lose", no="stand-off")
NATURAL_TAKES_SPLIT = question("settlement.dealer_natural_split", yes="lose", no="stand-off")
NEEDS_OWN_ORIGINAL = question("side_bets.*.access", yes="own-original", no="box-has-original")
REFUSED_WITHOUT_ORIGINAL = question("side_bets.*.without_original", yes="refused", no="void")

# --- when things go wrong --------------------------------------------------------------------------------------------

REFUSABLE: Mapping[str, tuple[bool, ...]] = meaning(
    "irregularities.drawn_in_error_refused", {"any": (False, True), "exposed": (True,), "none": ()}
)
"""Which cards drawn in error a player may refuse: unexposed ones, exposed ones."""
REFUSER_DRAWS_TO_12 = question("irregularities.refuser", yes="no-more-cards-from-12", no="no-more-cards none")
_EXTRA = "irregularities.dealer_extra_exposed irregularities.dealer_extra_unexposed"
EXTRA_CARD_AT_ANY_TIME = question(_EXTRA, yes="burned-at-any-time", no="burned first-of-next-round next-card")
EXTRA_CARD_BURNED = question(_EXTRA, yes="burned burned-at-any-time", no="first-of-next-round next-card")
EXTRA_CARD_UNDRAWN = question(_EXTRA, yes="first-of-next-round", no="burned burned-at-any-time next-card")
BURNED_BEFORE_THE_ROUND_ONLY = question(
    "irregularities.burned_in_error", yes="stays-burned-at-start", no="stays-burned next-card"
)
STAYS_BURNED = question(
    "irregularities.burned_in_error irregularities.drawn_in_error",
    yes="stays-burned stays-burned-at-start",
    no="next-card",
)
BY_STAGE = question("irregularities.misdeal", yes="by-stage", no="reconstruct")
"""Whether what becomes of an error depends on when it is noticed; elsewhere the round is rebuilt."""
EARLIER_ROUND_STANDS = question("irregularities.misdeal_later", yes="stands", no="void undecided")
INTERIM_GOES_BACK = question("irregularities.void_interim", yes="returned", no="stand")
PAID_GOES_BACK = question("irregularities.invalidated_paid", yes="returned", no="stand undecided")
CONTROL_PASSES_FIRST = question("irregularities.absent_control", yes="passes-first", no="none")
ABSENT_GETS_NO_CARDS = question("irregularities.absent_player", yes="no-more-cards", no="draw-to-12 fewest-cards")
KNOWS_INVALID_WAGERS = question("irregularities.invalid_wager", yes="by-stage", no="none")
LOSS_EXCESS_GOES_BACK = question("irregularities.loss_limit_excess", yes="returned-newest-first", no="none")
DISCARDS_SHUFFLED_FOR_DEVICE = question("shuffle.insufficient_device", yes="as-from-a-shoe", no="lapses")
"""Whether a round that a shuffling device cannot finish is finished with the discards."""
BARRED_FOR: Mapping[str, frozenset[str]] = meaning(
    "irregularities.barred_for",
    {"prohibited-device": frozenset({"device"}), "any-breach": frozenset({"device", "rules"}), "none": frozenset()},
)
"""For what a person may be barred."""
REFUND_IS_DECIDED = question("irregularities.invalidated_wagers", yes="may-be-refunded", no="refunded")
MAY_BE_DETAINED = question("irregularities.detained_until", yes="inspector-or-police", no="none")

CHECKED_BEFORE_NEXT_DEAL = question("irregularities.wrong_cards_check", yes="before-next-deal", no="none")

MAY_BE_SILENT = {
    "irregularities.burn_forgotten": "card-stays-in-play",
    "irregularities.no_wagers_round": "void-and-burn",
    "irregularities.misdeal_after_round": "rebuild-or-void",
    "irregularities.misdeal_later": "stands void",
    "irregularities.cut_missed": "finish-then-shuffle",
    "irregularities.shuffle_missed": "finish-then-shuffle",
    "irregularities.discards_not_returned": "wait-for-next-initial-deal",
    "irregularities.wrong_cards": "void-and-retire",
    "irregularities.dropped_cards": "verified-by-supervisor",
    "irregularities.insurance_missed": "until-dealers-second-card none",
    "irregularities.wrong_total": "stands",
    "irregularities.touched_cards": "reminded",
    "irregularities.invalidated_paid": "stand returned",
    "irregularities.mispayment": "rectify-and-record",
    "device.disadvantage": "round-ended-and-refunded",
}
"""Terms for what a document may leave undecided, and what it says where it does not."""
UNDECIDED: Mapping[str, bool] = {
    word: answer
    for key, decided in MAY_BE_SILENT.items()
    for word, answer in question(key, yes="undecided", no=decided).items()
}

# --- shuffling devices -----------------------------------------------------------------------------------------------

FAULT_MAY_BE_RECTIFIED = question(
    "device.failure", yes="shoe-for-the-round", no="transfer-or-shoe cutting-card-or-shuffle hand-shuffle"
)
CARDS_MOVED_TO_SPARE = question("device.undamaged", yes="transfer", no="none")
DAMAGED_CARDS_REPLACED = question("device.damaged", yes="replaced", no="none")
DEALT_ON_TO_CUTTING_CARD = question(
    "device.finish", yes="cutting-card-or-shuffle", no="shuffle-cut-and-shoe hand-shuffle"
)
NEW_CARDS_AFTER_ROUND = question(
    "device.after",
    yes="new-cards",
    no="device-again new-cards-after-shoe new-cards-after-notice shoe-until-available",
)
NEW_CARDS_AFTER_SHOE = question(
    "device.after",
    yes="new-cards-after-shoe new-cards-after-notice",
    no="device-again new-cards shoe-until-available",
)
NEW_CARDS_ARE_ANNOUNCED = question(
    "device.after",
    yes="new-cards-after-notice",
    no="device-again new-cards new-cards-after-shoe shoe-until-available",
)
SHOE_PLAYED_OUT_FIRST = question(
    "device.after",
    yes="new-cards-after-shoe",
    no="device-again new-cards new-cards-after-notice shoe-until-available",
)
JAM_IS_CLEARED = question("device.jam", yes="riffle-reload-burn", no="malfunction")
RIGHTMOST_CUTS_AFTER_FAILURE = question("device.cutter", yes="farthest-right", no="as-usual")

# --- terms that go together ------------------------------------------------------------------------------------------

GO_TOGETHER: tuple[Mapping[str, Mapping[str, bool]], ...] = (
    {
        "irregularities.misdeal": BY_STAGE,
        "irregularities.short_hand": question("irregularities.short_hand", yes="draw-or-withdraw", no="reconstruct"),
        "irregularities.short_hand_dealer_bust": question(
            "irregularities.short_hand_dealer_bust", yes="wins", no="none"
        ),
        "irregularities.short_hand_dealer_stands": question(
            "irregularities.short_hand_dealer_stands", yes="draw-or-withdraw", no="none"
        ),
        "irregularities.short_hand_dealer_natural": question(
            "irregularities.short_hand_dealer_natural", yes="stand-off", no="none"
        ),
        "irregularities.short_hand_others": question(
            "irregularities.short_hand_others", yes="accept-or-withdraw", no="none"
        ),
        "irregularities.dealer_short": question(
            "irregularities.dealer_short", yes="next-card-and-offer", no="reconstruct"
        ),
        "irregularities.superfluous_hand": question(
            "irregularities.superfluous_hand", yes="by-stage", no="reconstruct"
        ),
    },
    {
        "surrender.others": EACH_SURRENDERS_ALONE,
        "surrender.others_if_controller_declines": question(
            "surrender.others_if_controller_declines", yes="each-own", no="may-not"
        ),
        "surrender.freezes": question("surrender.freezes", yes="all-surrendered", no="controller-surrendered"),
    },
    {
        "irregularities.drawn_in_error_refused": {word: bool(which) for word, which in REFUSABLE.items()},
        "irregularities.refuser": question(
            "irregularities.refuser", yes="no-more-cards no-more-cards-from-12", no="none"
        ),
        "irregularities.refused_by_all": question("irregularities.refused_by_all", yes="dealers-next", no="none"),
    },
)
"""Terms with one answer in each document: the first of them is asked, and it speaks for the others."""
handles("device.no_spare", "offer-refund-then-shoe shoe none")  # `device.refund_offered` acts
