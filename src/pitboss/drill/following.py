"""What happens next when an error was found: the trainee says it, and is held against the rulebook's ruling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.adjudicate.model import FactValue, Ruling
from pitboss.adjudicate.ruling import rule_on
from pitboss.adjudicate.words import meant, term_of
from pitboss.basics.money import plain_dollars
from pitboss.rulebooks.meanings import meaning
from pitboss.rulebooks.terms import Rulebook

OUTCOMES: Mapping[str, str] = {
    "stands": "it stands, and play continues",
    "rebuilt": "the cards are laid as they should have been dealt",
    "burned": "the card is burned",
    "next-card": "the card is the next card to be dealt",
    "kept": "the card waits, and is the first of the next round",
    "offered": "it is still offered",
    "put-right": "the money is put right and the error recorded",
    "void": "the round is void and the wagers go back",
    "house": "the rules do not say: the house decides",
}
"""All answers to what happens next, the same for every error, so that none gives itself away."""


@dataclass(frozen=True, slots=True)
class Follows:
    """What is asked after one kind of error, and which situation of `adjudicate` it is."""

    noticed: str
    """When it is noticed, since that may decide what follows."""
    situation: str
    facts: Mapping[str, FactValue] = field(default_factory=dict)
    term: str = ""
    """The term that decides; empty where what follows is the same in every document that has such a thing."""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    always: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """What is right besides, whatever the term says."""

    def right(self, book: Rulebook) -> tuple[str, ...]:
        """The answers that the rulebook's ruling bears out."""
        return self.always or tuple(dict.fromkeys((self.outcomes[term_of(book, self.term).value], *self.also)))

    def ruling(self, book: Rulebook, too_much_cents: int = 0) -> Ruling | None:
        """What `adjudicate` says of it; None where the step is only done late, and then done.

        `too_much_cents`: what the player has got beyond what is theirs, below zero where they lack it.
        """
        if self.situation == OVERPAID:
            situation = OVERPAID if too_much_cents > 0 else "underpayment"
            return rule_on(book, situation, {**self.facts, "dollars": plain_dollars(abs(too_much_cents))})
        return rule_on(book, self.situation, self.facts) if self.situation else None


def _by(key: str, said: Mapping[str, str]) -> Mapping[str, str]:
    """What the words of a term come to; where the document does not say, the house decides."""
    return meaning(key, {**said, "undecided": "house"})


OVERPAID = "overpayment"
"""The situation of a wrong payment: this, or an underpayment, as the money of the round says."""
AT_ONCE = "noticed at once"
UNBURNED = Follows(
    AT_ONCE, "burn-forgotten", {"source": "shuffling-device"}, "irregularities.burn_forgotten",
    _by("irregularities.burn_forgotten", {"card-stays-in-play": "stands"}),
)  # fmt: skip
INSURANCE = Follows(
    "noticed before the dealer's second card", "insurance-missed", {}, "irregularities.insurance_missed",
    _by("irregularities.insurance_missed", {"until-dealers-second-card": "offered", "none": "stands"}),
)  # fmt: skip
SURRENDER = Follows("noticed once a hand has been decided", "surrender-missed", {"begun": True}, always=("stands",))
CARD = Follows(
    AT_ONCE, "card-out-of-order", {"noticed": "initial-deal", "possible": True}, "irregularities.misdeal",
    meaning("irregularities.misdeal", {"reconstruct": "rebuilt", "by-stage": "rebuilt"}),
)  # fmt: skip
PLACED = Follows(
    AT_ONCE, "card-on-the-wrong-box", {"possible": True}, "irregularities.misdeal",
    meaning("irregularities.misdeal", {"reconstruct": "rebuilt", "by-stage": "rebuilt"}),
)  # fmt: skip
"""In the subsequent deal: in Adelaide under other eyes than in the initial one (112)."""
EXTRA = Follows(
    AT_ONCE, "extra-dealer-card", {"exposed": True}, "irregularities.dealer_extra_exposed",
    meaning(
        "irregularities.dealer_extra_exposed",
        {"burned": "burned", "burned-at-any-time": "burned"},
    ),
)  # fmt: skip
MONEY = Follows(
    AT_ONCE, OVERPAID, {"rectified": True, "intentional": False}, "irregularities.mispayment",
    _by("irregularities.mispayment", {"rectify-and-record": "put-right"}), also=("put-right",),
)  # fmt: skip
UNCOLLECTED = Follows(AT_ONCE, "", always=("put-right",))
LATE = Follows(AT_ONCE, "", always=("put-right", "stands"))
TOTAL = Follows(
    AT_ONCE, "wrong-total", {}, "irregularities.wrong_total",
    _by("irregularities.wrong_total", {"stands": "stands"}),
)  # fmt: skip


def read_outcome(text: str) -> str | None:
    """Which outcome somebody means, by number, name or words."""
    return meant(text, OUTCOMES)
