"""The words and numbers that a term may have: a document says which of them holds, the engine what each one means.

Keys are dotted as in ``doubling.hands``; ``side_bets.*.pays`` holds for every optional wager on a pair.
"""

from __future__ import annotations

import string


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ROLES = _words(
    "nobody dealer casino-supervisor assistant-gaming-manager gaming-manager shift-manager casino-operator house"
)
"""Who a document lets decide something; Canberra says casino operator, Adelaide the House."""

NOTIFIED = _words("nobody inspector government-inspectorate commission")
"""Who must be told or consulted."""

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

WORDS: dict[str, frozenset[str]] = {
    "game.natural": _words("pontoon blackjack"),
    "game.tournaments_by": _words("nobody tournament-manager tournament-director"),
    "cards.ace": _words("1-or-11"),
    "cards.numbers": _words("face-value"),
    "cards.face_down": _words("never inspector-approval vip-request"),
    "cards.new_cards_shoe": _words("after-cutting-card-round any-round"),
    "cards.new_cards_device": _words("any-round"),
    "cards.new_cards_by": ROLES,
    "shuffle.means": _words("hand multishuffler shuffling-device pre-shuffled"),
    "shuffle.sources": _words("shoe shuffling-device"),
    "shuffle.cutting_card_first": _words("shuffle"),
    "shuffle.cutting_card_mid_round": _words("finish-then-shuffle"),
    "shuffle.ordered_by": ROLES,
    "shuffle.ordered_notice": NOTIFIED,
    "shuffle.cutter_new_game": _words("first-to-table farthest-left"),
    "shuffle.cutter_on_box": _words("that-box"),
    "shuffle.cutter_on_dealer": _words("farthest-right"),
    "shuffle.cutter_first_card": _words("farthest-right"),
    "shuffle.cutter_new_cards": _words("farthest-right"),
    "shuffle.cut_refused": _words("clockwise"),
    "shuffle.cut_refused_by_all": _words("casino-supervisor dealer"),
    "shuffle.cutting_card_share_max": _words("half"),
    "shuffle.cutting_card_tolerance_decks": _words("0 1/2"),
    "shuffle.device_return": _words("after-initial-deal end-of-round"),
    "shuffle.insufficient": _words("shuffle-and-cut-discards"),
    "boxes.control": _words("seated highest nearest"),
    "boxes.control_clauses": _words("seated highest nearest"),
    "shuffle.means_clauses": _words("hand multishuffler shuffling-device pre-shuffled"),
    "deal.steps": _words("first dealer second"),
    "interim.natural_clauses": _words("paid held final"),
    "drawing.choice_clauses": _words("stand hit"),
    "doubling.hand_clauses": _words("two split more"),
    "splitting.split_clauses": _words("first again"),
    "side_bets.*.settled_clauses": _words("won lost"),
    "boxes.several": _words("allowed-until-demand control-until-demand"),
    "boxes.several_limited_by": ROLES,
    "boxes.reserved_by": ROLES,
    "boxes.players_capped_by": ROLES,
    "boxes.box_players_capped_by": ROLES,
    "limits.maximum_scope": _words("box player-box"),
    "limits.sign": _words("box player-box player-box-and-bet-type"),
    "limits.multiples": _words("if-signed"),
    "limits.changed_by": ROLES,
    "limits.personal_maximum_by": ROLES,
    "limits.beside_personal_maximum": _words("within-stated-maximum"),
    "limits.found_below_minimum": _words("valid settled-then-returned"),
    "limits.found_above_maximum": _words("settled-to-maximum"),
    "wagers.means": _words("chips promotional-tokens"),
    "wagers.before_first_card": _words("before-first-card"),
    "wagers.locked": _words("first-card no-more-bets"),
    "wagers.refused_by": ROLES,
    "wagers.changed_by": ROLES,
    "wagers.float_by": ROLES,
    "wagers.tokens_by": ROLES,
    "wagers.rounding": _words("up down-if-multiples-signed"),
    "deal.order": _words("each-box-dealer-each-box"),
    "deal.call": _words("may-call shall-call"),
    "deal.no_wagers": _words("refused"),
    "insurance.share_max": _words("half"),
    "insurance.unit": _words("any half-smallest-chip"),
    "insurance.closes": _words("before-subsequent-deal"),
    "insurance.collected": _words("at-second-card"),
    "insurance.paid": _words("at-second-card after-settlement"),
    "surrender.loses": _words("half"),
    "surrender.opens": _words("after-interim-settlement"),
    "surrender.others": _words("may-follow each-own bound"),
    "surrender.others_if_controller_declines": _words("may-not each-own"),
    "surrender.freezes": _words("controller-surrendered all-surrendered"),
    "surrender.dealer_natural": _words("whole-wager-lost"),
    "surrender.settled": _words("final-settlement"),
    "surrender.remainder": _words("stand-off"),
    "interim.natural_when": _words("at-once unless-dealer-ten-or-ace"),
    "interim.twenty_one": _words("at-once"),
    "interim.deferrable_by": ROLES,
    "super_bonus.others": _words("each-player each-original-wager"),
    "super_bonus.not_on": _words("split doubled"),
    "super_bonus.when": _words("at-once before-cards-collected"),
    "drawing.order": _words("from-dealers-left"),
    "drawing.choices": _words("double-split-stand-draw"),
    "drawing.stand": _words("any-total not-below-12"),
    "drawing.bust": _words("collected-at-once"),
    "doubling.hands": _words("any-below-21 two-cards-hard-9-10-11 two-or-three-cards"),
    "doubling.amount": _words("up-to-original-wager"),
    "doubling.aces": _words("held-count-one first-two-count-one as-usual"),
    "doubling.others": _words("may-follow"),
    "doubling.others_if_controller_declines": _words("may-not"),
    "doubling.others_odds": _words("even-money"),
    "doubling.forfeit_clears": _words("cards-when-all-forfeit"),
    "splitting.cards": _words("equal-value"),
    "splitting.wager": _words("equal-to-original"),
    "splitting.resplit_by": ROLES,
    "splitting.resplit_needs": _words("equal-to-split-value"),
    "splitting.declined_first": _words("no-later-split"),
    "splitting.order": _words("each-hand-finished-first"),
    "splitting.others": _words("match-or-first-hand"),
    "splitting.others_if_controller_declines": _words("may-not"),
    "splitting.cover_required_by": ROLES,
    "dealer.after_players": _words("after-all-hands"),
    "settlement.wins_higher": _words("wins"),
    "settlement.wins_dealer_bust": _words("wins"),
    "settlement.twenty_one_wins": _words("wins"),
    "settlement.loses_lower": _words("loses"),
    "settlement.ties": _words("stand-off lose"),
    "settlement.dealer_natural": _words("one-original all"),
    "settlement.dealer_natural_doubled": _words("stand-off lose"),
    "settlement.dealer_natural_split": _words("stand-off lose"),
    "settlement.collected": _words("to-float"),
    "settlement.cards": _words("rack rack-or-device"),
    "side_bets.*.access": _words("box-has-original own-original"),
    "side_bets.*.without_original": _words("refused void"),
    "side_bets.*.restricted_by": ROLES,
    "side_bets.*.preference": _words("original-wager-first"),
    "side_bets.*.pair": _words("same-rank"),
    "side_bets.*.amount": _words("on-sign"),
    "side_bets.*.settled": _words("after-initial-deal"),
    "blazing_7s.source": _words("shuffling-device"),
    "blazing_7s.access": _words("own-original"),
    "blazing_7s.priority": _words("seated highest nearest"),
    "blazing_7s.collected": _words("before-initial-deal"),
    "blazing_7s.cards": _words("player-first-two-dealer-first"),
    "blazing_7s.loses": _words("when-nothing-matches"),
    "blazing_7s.linked": _words("pay-table rate seed wager"),
    "blazing_7s.fault_approval": ROLES,
    "blazing_7s.several": _words("top tenth fixed-first same-time"),
    "blazing_7s.resets": _words("to-minimum"),
    "blazing_7s.fault": _words("wagers-returned"),
    "irregularities.face_up_card": _words("burned"),
    "irregularities.face_up_check_by": ROLES,
    "irregularities.face_up_check_sources": _words("shoe shuffling-device"),
    "irregularities.drawn_in_error": _words("next-card"),
    "irregularities.drawn_in_error_refused": _words("any exposed none"),
    "irregularities.refuser": _words("no-more-cards no-more-cards-from-12 none"),
    "irregularities.refused_by_all": _words("dealers-next none"),
    "irregularities.dealer_extra_exposed": _words("burned burned-at-any-time"),
    "irregularities.dealer_extra_unexposed": _words("first-of-next-round next-card burned burned-at-any-time"),
    "irregularities.burned_in_error": _words("stays-burned stays-burned-at-start next-card"),
    "irregularities.burn_forgotten": _words("card-stays-in-play undecided"),
    "irregularities.no_wagers_round": _words("void-and-burn undecided"),
    "irregularities.misdeal": _words("reconstruct by-stage"),
    "irregularities.misdeal_by": ROLES,
    "irregularities.misdeal_full_by": ROLES,
    "irregularities.misdeal_impossible": _words("void"),
    "irregularities.misdeal_after_round": _words("rebuild-or-void undecided"),
    "irregularities.misdeal_later": _words("stands void undecided"),
    "irregularities.void_by": ROLES,
    "irregularities.void_interim": _words("stand returned"),
    "irregularities.short_hand": _words("reconstruct draw-or-withdraw"),
    "irregularities.short_hand_dealer_bust": _words("wins none"),
    "irregularities.short_hand_dealer_stands": _words("draw-or-withdraw none"),
    "irregularities.short_hand_dealer_natural": _words("stand-off none"),
    "irregularities.short_hand_others": _words("accept-or-withdraw none"),
    "irregularities.dealer_short": _words("reconstruct next-card-and-offer"),
    "irregularities.superfluous_hand": _words("reconstruct by-stage"),
    "irregularities.cut_missed": _words("finish-then-shuffle undecided"),
    "irregularities.shuffle_missed": _words("finish-then-shuffle undecided"),
    "irregularities.discards_not_returned": _words("wait-for-next-initial-deal undecided"),
    "irregularities.wrong_cards": _words("void-and-retire undecided"),
    "irregularities.wrong_cards_notice": _words("surveillance inspector"),
    "irregularities.dropped_cards": _words("verified-by-supervisor undecided"),
    "irregularities.insurance_missed": _words("until-dealers-second-card undecided none"),
    "irregularities.absent_player": _words("no-more-cards draw-to-12 fewest-cards"),
    "irregularities.absent_control": _words("passes-first none"),
    "irregularities.invalidated_by": ROLES,
    "irregularities.invalidated_wagers": _words("refunded"),
    "irregularities.barred_by": ROLES,
    "irregularities.detained_until": _words("inspector-or-police none"),
    "irregularities.conduct": _words(
        "advice advantage procedures device device-records device-changes device-linked loss-limit directions"
    ),
    "irregularities.loss_limit_pause_by": ROLES,
    "irregularities.dispute_by": ROLES,
    "irregularities.dispute_review": ROLES | _words("inspectorate-manager commission authorised-officer"),
    "irregularities.dispute_advice": _words("inspector nobody"),
    "irregularities.invalid_wager": _words("by-stage none"),
    "irregularities.loss_limit_excess": _words("returned-newest-first none"),
    "irregularities.mispayment": _words("rectify-and-record undecided"),
    "irregularities.approval": ROLES,
    "irregularities.notice": ROLES,
    "device.failure": _words("transfer-or-shoe shoe-for-the-round cutting-card-or-shuffle hand-shuffle"),
    "device.undamaged": _words("transfer none"),
    "device.damaged": _words("replaced none"),
    "device.disadvantage": _words("round-ended-and-refunded undecided"),
    "device.no_spare": _words("offer-refund-then-shoe shoe none"),
    "device.finish": _words("shuffle-cut-and-shoe cutting-card-or-shuffle hand-shuffle"),
    "device.cutter": _words("farthest-right as-usual"),
    "device.after": _words("device-again new-cards new-cards-after-shoe new-cards-after-notice shoe-until-available"),
    "device.jam": _words("riffle-reload-burn malfunction"),
    "patrons.identified_by": ROLES,
    "patrons.card_by": ROLES,
    "patrons.limits_by": _words("player nobody"),
    "patrons.loss_periods": _words("day week month"),
    "patrons.deposit_period": _words("calendar-day none"),
    "patrons.declarations": _words("bought brought left"),
    "patrons.recognised_by": ROLES,
    "patrons.excluded_by": ROLES,
    "patrons.helper": _words("present-and-unpaid none"),
    "patrons.looked_up_by": ROLES,
    "patrons.zone": _words("Australia/Sydney Australia/Adelaide"),
    "patrons.day_by": ROLES,
}
"""Words for texts, lists of texts and the keys of tables."""

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
    "by": ROLES,
    "condition": _words("missed-a-round missed-first-two skipped-after-two recognised restricted-before none"),
    "source": _words("shoe any"),
    "until": _words("reshuffle lifted"),
    "notice": NOTIFIED,
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
    "irregularities.idle_rounds": (1, 10),
    "device.cutting_card_decks": (0, 4),
    "device.jam_burn": (0, 10),
    "patrons.close_notice_minutes": (0, 1440),
    "patrons.day_begins_hour": (0, 23),
}
"""Least and most of every number, and of every number in a list."""
