"""What each value of a term means, in a sentence that can be read to the players.

Where a document is silent, the same sentences are the choices: what its sibling rulebooks do.
"""

from __future__ import annotations

from typing import Any

from pitboss.rulebooks.meanings import handles, vocabularies
from pitboss.rulebooks.terms import Rulebook, Term

TERM_WORDS: dict[str, dict[str, str]] = {
    "irregularities.face_up_card": {"burned": "The card is burned, and play goes on with the next one."},
    "irregularities.drawn_in_error": {"next-card": "The card is the next card: the next hand that draws gets it."},
    "irregularities.refuser": {
        "no-more-cards": (
            "Whoever refuses the card gets no more cards in this round, on any box that he calls. A hand of one card "
            "still gets its second."
        ),
        "no-more-cards-from-12": (
            "Whoever refuses the card gets no more cards in this round, on any box that he calls, except to reach 12. "
            "A hand below 12 must draw, so it cannot refuse."
        ),
    },
    "irregularities.refused_by_all": {
        "dealers-next": "If every player refuses the card, it is the dealer's next card."
    },
    "irregularities.dealer_extra_exposed": {
        "burned": "The exposed card does not belong to the dealer's hand: it is burned.",
        "burned-at-any-time": "The exposed card does not belong to the dealer's hand: it is burned.",
    },
    "irregularities.dealer_extra_unexposed": {
        "first-of-next-round": "The card counts as never drawn: it is the first card of the next round.",
        "next-card": "The card is not exposed: it is the next card, of the next round if this one is over.",
        "burned": "The card does not belong to the dealer's hand: it is burned.",
        "burned-at-any-time": "The card does not belong to the dealer's hand: it is burned.",
    },
    "irregularities.burned_in_error": {
        "stays-burned": "The card stays burned, and play goes on with the next one.",
        "stays-burned-at-start": "At the start of a round the card stays burned; later it is the next card dealt.",
        "next-card": "The burned card is taken back: it is the next card.",
    },
    "irregularities.burn_forgotten": {
        "card-stays-in-play": "The card that was not burned stays in play, and the round goes on.",
    },
    "irregularities.no_wagers_round": {"void-and-burn": "The round is void, and its exposed cards are burned."},
    "irregularities.misdeal_after_round": {
        "rebuild-or-void": (
            "The finished round is laid again as it should have been dealt, and played and settled anew. Where that is "
            "impossible it is void."
        ),
    },
    "irregularities.misdeal_later": {
        "stands": "The next round has begun: the earlier round stands as it was settled.",
        "void": "The faulty round alone is void: what it paid goes back, what it took is returned. Later rounds stand.",
    },
    "irregularities.void_interim": {
        "stand": "What was already paid in the round stays paid.",
        "returned": "What was already paid or taken in the round goes back too.",
    },
    "irregularities.cut_missed": {
        "finish-then-shuffle": (
            "The round is finished as dealt. Then the cards are shuffled and cut. Earlier rounds stand."
        ),
    },
    "irregularities.shuffle_missed": {
        "finish-then-shuffle": "The round is finished as dealt. Then the cards are shuffled. Earlier rounds stand.",
    },
    "irregularities.discards_not_returned": {
        "wait-for-next-initial-deal": (
            "The discards stay in the rack until the next initial deal is complete, and go back then."
        ),
    },
    "irregularities.wrong_cards": {
        "void-and-retire": (
            "This round is void, and earlier rounds stand. The rest of the cards is retired and checked card by card."
        ),
    },
    "irregularities.dropped_cards": {
        "verified-by-supervisor": "A casino supervisor verifies that every card was gathered. Then play goes on.",
    },
    "irregularities.insurance_missed": {
        "until-dealers-second-card": "Players may still insure, until the dealer's second card is drawn.",
        "none": "The game has no insurance, so none can have been missed.",
    },
    "irregularities.absent_player": {
        "no-more-cards": "The hand gets no more cards and is settled as it stands.",
        "draw-to-12": "The hand is drawn until it has 12 or more, and then gets no more cards.",
        "fewest-cards": "The hand gets only the cards that it must have: none from 12, below that as few as reach it.",
    },
    "irregularities.invalidated_wagers": {"refunded": "The wagers of the round go back to their owners."},
    "irregularities.mispayment": {
        "rectify-and-record": (
            "The payment is put right, or that is at least attempted; the error and the attempt are recorded."
        ),
    },
    "device.disadvantage": {
        "round-ended-and-refunded": "The round is ended, and the wagers still on the table go back.",
    },
    "device.failure": {
        "transfer-or-shoe": "Another shuffling device takes the cards, or the round is finished from a shoe.",
        "shoe-for-the-round": "The cards are taken out, and the round is finished from a shoe.",
        "cutting-card-or-shuffle": "The house deals on to a cutting card, or shuffles the cards and finishes by hand.",
        "hand-shuffle": "The cards are taken out and shuffled by hand, and the game goes on from a shoe.",
    },
    "device.finish": {
        "shuffle-cut-and-shoe": "The cards that are left are shuffled and cut, and go into a shoe for the round.",
        "cutting-card-or-shuffle": "The cards that are left are shuffled and cut, and the round is finished by hand.",
        "hand-shuffle": "The cards that are left are shuffled by hand and cut, and dealt from a shoe.",
    },
    "device.after": {
        "device-again": "Afterwards the device is used again.",
        "new-cards": "After the round new cards are used.",
        "new-cards-after-shoe": "Once that shoe is played out, new cards are used.",
        "new-cards-after-notice": "The players are told, and once that shoe is played out new cards are used.",
        "shoe-until-available": "The shoe is used until a shuffling device is available again.",
    },
    "shuffle.insufficient": {
        "shuffle-and-cut-discards": "The discards are shuffled and cut, and the round is finished from them.",
    },
    "limits.found_below_minimum": {
        "valid": "The wager counts as it lies and is settled.",
        "settled-then-returned": "The wager is settled this once. The player is told: further ones go back.",
    },
    "limits.found_above_maximum": {
        "settled-to-maximum": "The wager counts up to the maximum. What is above it goes back.",
    },
    "blazing_7s.fault": {
        "wagers-returned": "The jackpot wagers of the round go back. The game itself may go on.",
    },
}

SITUATION_IN_WORDS: dict[str, str] = {
    "irregularities.burn_forgotten": "the burn was forgotten",
    "irregularities.no_wagers_round": "a round was begun without wagers",
    "irregularities.misdeal_after_round": "an error is told after the round and before the next one begins",
    "irregularities.misdeal_later": "an error is noticed after the next round began",
    "irregularities.cut_missed": "the cut was missed",
    "irregularities.shuffle_missed": "the dealer dealt on after the cutting card",
    "irregularities.discards_not_returned": "the discards were not put back",
    "irregularities.wrong_cards": "a card is missing or foreign",
    "irregularities.dropped_cards": "cards were dropped",
    "irregularities.insurance_missed": "insurance was not offered",
    "irregularities.mispayment": "a payment was wrong",
    "device.disadvantage": "the failing device put somebody at a disadvantage",
}
"""What the document does not say, for every term that may be undecided."""

NOT_A_CHOICE = ("undecided", "none")
"""Values of siblings that are no answer: they are silent too, or their game has no such thing."""


for _key, _said in TERM_WORDS.items():
    handles(_key, {*_said, *vocabularies()[_key].intersection(NOT_A_CHOICE)})


def term_of(book: Rulebook, key: str) -> Term[Any]:
    """The term with this dotted name."""
    section, _, name = key.partition(".")
    term: Term[Any] = getattr(getattr(book, section), name)
    return term


def in_words(key: str, value: str) -> str:
    return TERM_WORDS[key][value]


def who(role: str) -> str:
    """A role as the subject of a sentence."""
    named = {
        "house": "the House",
        "casino-operator": "the casino operator",
        "nobody": "nobody",
        "inspectorate-manager": "the Manager Casino Inspectorate",
        "commission": "the Commission",
        "authorised-officer": "an Authorised Officer",
    }
    return named.get(role, f"a {role.replace('-', ' ')}" if role[0] not in "aeiou" else f"an {role.replace('-', ' ')}")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
