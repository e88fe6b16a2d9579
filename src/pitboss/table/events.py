"""What happened. An event is a fact with its cause (`clauses`) and with all that was decided, so that nobody need
decide it again: applying events reads no rules.

Box 0 is the dealer. Amounts are cents. Events are in the past tense.
"""

from __future__ import annotations

import datetime
from typing import TypeAlias, Union

import msgspec

from pitboss.basics.cards import Card
from pitboss.basics.money import Odds
from pitboss.table.session import SessionTerms

DEALER = 0
AS_FIRST_CARD = -1
"""Where the cutting card comes before anybody gets a card."""

BEFORE_THE_HANDS, JACKPOT_COLLECTED, OF_INSURANCE, OF_ANSWERED_SPLIT = -1, -2, -3, -4
"""Wagers that stand on no hand: before cards are out, on a jackpot and already collected, insurance, and for a split
that is still being answered."""


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=lambda name: name, omit_defaults=True, gc=False):
    """The base of all events."""

    clauses: tuple[str, ...]
    """Why it happened: keys of the clause register of the table's rulebook."""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What somebody decided in a round, and what they saw when they did."""

    what: str
    """The name of the event that said so: HandHit, HandStood, InsurancePlaced, ...; or why wagers went back in the
    round: invalid-wager, loss-limit-exceeded, wagers-void, outside-limits."""
    player: str = ""
    """Who decided; empty where the dealer closed an offer."""
    box: int = 0
    hand: int = 0
    cents: int = 0
    cards: tuple[Card, ...] = ()
    """The hand as it lay; of an offer that was closed, all hands."""
    dealer: tuple[Card, ...] = ()
    out: int = 0
    """How many cards of the round had left by then."""
    in_turn: bool = False
    """It was made on the hands as they are laid now, so it fits wherever it can be made in its turn."""
    meant: str = ""
    """What had been called for, where a hand was left out; who of the house found it, where wagers went back."""


# --- people and boxes ------------------------------------------------------------------------------------------------


class SeatTaken(Event, frozen=True):
    player: str
    box: int


class TableLeft(Event, frozen=True):
    player: str


class ChipsBought(Event, frozen=True):
    player: str
    cents: int


class ChipsBrought(Event, frozen=True):
    """Chips that a player had with them lie in front of them now."""

    player: str
    cents: int


class ChipsTaken(Event, frozen=True):
    """A player took chips away from the table."""

    player: str
    cents: int


class ChipsCashed(Event, frozen=True):
    """Chips went to the float, and the player got cash for them."""

    by: str
    player: str
    cents: int


class ControlDeclined(Event, frozen=True):
    player: str
    box: int


class ControlSettled(Event, frozen=True):
    """Who calls the decisions on a shared box in this round."""

    box: int
    player: str
    line: tuple[str, ...]
    """The wagers on the box in line from the dealer: the controller's first."""


class ControlPassed(Event, frozen=True):
    box: int
    player: str
    anew: bool = False
    """The surrender that a predecessor called went with the predecessor's wager: it is theirs to call now."""


# --- wagers ----------------------------------------------------------------------------------------------------------


class WagerPlaced(Event, frozen=True):
    player: str
    box: int
    cents: int
    kind: str = "original"
    token_cents: int = 0
    unnoticed: bool = False


class WagerReturned(Event, frozen=True):
    """A wager (or part of it) went back to its owner with no result."""

    player: str
    box: int
    cents: int
    kind: str = "original"
    reason: str = "withdrawn"
    """withdrawn, displaced, refused, void, above-maximum, below-minimum, jackpot-fault, invalid, loss-limit, barred,
    declared-void, malfunction, taken-back."""
    hand: int = BEFORE_THE_HANDS
    """The hand it stood on, or one of the wagers above that stand on none. Each of them whole or in part."""
    token_cents: int = 0
    doubled_cents: int = 0
    """How much of it was a doubled portion."""
    by: str = ""
    """Who refused it, where somebody did, and on which grounds."""
    why: str = ""


class WagerFound(Event, frozen=True):
    """A wager outside the sign was noticed."""

    player: str
    box: int
    cents: int
    outcome: str
    """valid, warned, capped, or returned: a further small one, settled by then, goes back with what it brought."""
    after_result: bool = False
    """It was settled by then; what it brought stands unless it is returned."""


class BettingClosed(Event, frozen=True):
    card_left: bool = False
    """Not because it was called: a card has left the source in error."""


# --- cards -----------------------------------------------------------------------------------------------------------


class ShuffleDue(Event, frozen=True):
    """No round may begin before the cards are shuffled."""

    reason: str
    """start, cutting-card-first, cutting-card, ordered, new-cards, insufficient, cut-missed, shuffle-missed, check,
    malfunction."""


class ShuffleOrdered(Event, frozen=True):
    """A shuffle was ordered; in a round it waits for the end of it."""

    by: str
    reason: str


class CardsShuffled(Event, frozen=True):
    means: str


class StackArranged(Event, frozen=True):
    """In which order the cards lie: known to the engine, seen by nobody."""

    order: tuple[Card, ...]
    mixed: bool = False
    """True when a shuffling device mixed what it holds during play."""
    suspect: bool = False
    """It holds a card that does not belong to the decks, or one too many."""


class CutOffered(Event, frozen=True):
    player: str


class CutDeclined(Event, frozen=True):
    player: str


class CardsCut(Event, frozen=True):
    player: str
    depth: int


class CuttingCardPlaced(Event, frozen=True):
    from_back: int
    after: int
    """How many cards leave before it."""


class CuttingCardShown(Event, frozen=True):
    box: int
    """Where it came: a box, `DEALER`, or `AS_FIRST_CARD` of a round."""
    player: str = ""
    """Who calls that box: the cut is offered to them."""


class CardsReplaced(Event, frozen=True):
    """Other cards come in; what was left of the old ones is not dealt any more."""

    checked: bool = False
    """Because one was missing or foreign: the rest is void, and the decks are checked before they are used again."""
    by: str = ""
    """Who decided it; empty where nobody had to."""
    reason: str = ""


class CardBurned(Event, frozen=True):
    card: Card
    """Seen by nobody: it is burned face down."""
    from_error: bool = False
    """It had been drawn in error before."""


class JokerShown(Event, frozen=True):
    box: int


class DiscardsReturned(Event, frozen=True):
    """Discards went back into the shuffling device."""

    count: int


class CardsRanOut(Event, frozen=True):
    """Too few cards to finish the round: the discards are shuffled (and cut)."""


class RoundBegan(Event, frozen=True):
    """The first card is about to leave: wagers are locked."""

    boxes: tuple[int, ...]


class CardDealt(Event, frozen=True):
    box: int
    hand: int
    card: Card
    total: int
    """The hand's point total with this card, as the dealer announces it."""
    soft: bool = False
    face_down: bool = False
    from_error: bool = False
    """It had been drawn in error and was the next card."""


class HandExposed(Event, frozen=True):
    box: int
    cards: tuple[Card, ...]


class CardsCleared(Event, frozen=True):
    """A finished hand's cards went to the discard rack."""

    box: int
    hand: int


# --- offers and decisions --------------------------------------------------------------------------------------------


class InsuranceOffered(Event, frozen=True):
    pass


class InsurancePlaced(Event, frozen=True):
    player: str
    box: int
    cents: int


class InsuranceClosed(Event, frozen=True):
    pass


class SurrenderOffered(Event, frozen=True):
    pass


class WagerSurrendered(Event, frozen=True):
    player: str
    box: int
    freezes: bool = False
    """The hand gets no more cards."""
    asks: tuple[str, ...] = ()
    """Others on the box who now say whether they surrender too."""


class SurrenderDeclined(Event, frozen=True):
    player: str
    box: int


class SurrenderClosed(Event, frozen=True):
    pass


class TurnCame(Event, frozen=True):
    """The controller of this hand decides next; the dealer announces the total."""

    box: int
    hand: int
    player: str
    total: int


class HandHit(Event, frozen=True):
    box: int
    hand: int
    player: str


class HandStood(Event, frozen=True):
    box: int
    hand: int
    player: str = ""
    """Empty where the rules end the hand by themselves."""


class WagerDoubled(Event, frozen=True):
    box: int
    hand: int
    player: str
    cents: int
    """The doubled portion."""
    asks: tuple[str, ...] = ()
    """Others on the hand who now say whether they double too."""


class DoubleDeclined(Event, frozen=True):
    box: int
    hand: int
    player: str


class WagerSplit(Event, frozen=True):
    """A player put an equal wager on the new hand; the controller's forms it."""

    box: int
    hand: int
    player: str
    cents: int
    asks: tuple[str, ...] = ()
    """Others on the hand who now say whether they split too."""


class SplitDeclined(Event, frozen=True):
    """Another player's wager stays on the first hand; or the controller passed over a re-split."""

    box: int
    hand: int
    player: str
    ends: bool = False
    """Splitting is over on this box for the round."""


class HandDivided(Event, frozen=True):
    """Everybody has answered: the two cards become two hands."""

    box: int
    hand: int


class WagerForfeited(Event, frozen=True):
    box: int
    hand: int
    player: str
    lost_cents: int
    returned_cents: int


class WagerKept(Event, frozen=True):
    box: int
    hand: int
    player: str


class HandBust(Event, frozen=True):
    box: int
    hand: int
    total: int


class NaturalHeld(Event, frozen=True):
    """A natural, or a 21 with approval, waits for the final settlement."""

    box: int
    hand: int
    kind: str
    """natural where the dealer's second card decides what it is paid; deferred where payment alone waits."""


class DealerFinished(Event, frozen=True):
    total: int
    result: str
    """stood, bust, natural, or no-card where none could change anything."""


# --- settlement ------------------------------------------------------------------------------------------------------


class WagerPaid(Event, frozen=True):
    """A winning wager was paid from the float and given back."""

    box: int
    hand: int
    player: str
    wager_cents: int
    odds: Odds
    paid_cents: int
    """After rounding to what the chips can make."""
    settlement: str
    """interim or final."""
    result: str
    """Row of the pay table: pontoon, 5-card-21, ..., other; or higher, dealer-bust."""


class WagerCollected(Event, frozen=True):
    box: int
    hand: int
    player: str
    cents: int
    reason: str
    """bust, lower, tie, dealer-natural, fraud."""


class WagerStoodOff(Event, frozen=True):
    box: int
    hand: int
    player: str
    cents: int
    reason: str
    """tie, dealer-natural or short-hand."""


class SurrenderSettled(Event, frozen=True):
    box: int
    hand: int
    player: str
    lost_cents: int
    returned_cents: int


class InsurancePaid(Event, frozen=True):
    box: int
    player: str
    wager_cents: int
    odds: Odds
    paid_cents: int


class InsuranceCollected(Event, frozen=True):
    box: int
    player: str
    cents: int


class SideBetPaid(Event, frozen=True):
    box: int
    player: str
    kind: str
    result: str
    wager_cents: int
    odds: Odds
    paid_cents: int


class SideBetCollected(Event, frozen=True):
    box: int
    player: str
    kind: str
    cents: int


class SuperBonusEarned(Event, frozen=True):
    """Paid before the round's cards are gathered."""

    box: int
    hand: int = 0


class SuperBonusPaid(Event, frozen=True):
    box: int
    player: str
    cents: int


class BonusPaid(Event, frozen=True):
    """The consolation for another player or wager in a round with a Super Bonus."""

    player: str
    cents: int
    box: int = 0
    """The wager's box, where every wager earns it."""


class JackpotWagerCollected(Event, frozen=True):
    """Taken before the deal; a part goes to the jackpot."""

    box: int
    player: str
    cents: int
    to_jackpot_cents: int


class JackpotWon(Event, frozen=True):
    """A share of the jackpot was won and waits for payment."""

    box: int
    player: str
    result: str


class JackpotPrizePaid(Event, frozen=True):
    box: int
    player: str
    result: str
    cents: int
    from_pool_cents: int = 0


class JackpotLost(Event, frozen=True):
    box: int
    player: str


class JackpotSet(Event, frozen=True):
    """What the jackpot now stands at.

    `added_cents` come from the house at a reset or by the link; for any other reason they are parts of wagers or prizes
    that are undone, and come from the float or go back to it.
    """

    cents: int
    added_cents: int
    reason: str
    """reset, link, paid (shares were taken from it, nothing is added), reopened, or why wagers went back."""


class RoundEnded(Event, frozen=True):
    """All wagers are settled and all cards are gathered."""

    to_device: bool = False
    keeps_burned: bool = False
    """Cards drawn when the device was loaded stay in the rack."""


# --- the house -------------------------------------------------------------------------------------------------------


class NoticeGiven(Event, frozen=True):
    """Somebody must be told, or has been: players by a sign, an inspector, Surveillance."""

    to: str
    text: str
    due: str = "now"
    """By when: now, before-play-goes-on, before-the-next-deal or end-of-month."""
    concerns: str = ""
    """Whom alone, where players are told; else it is said to all of them."""


class LimitsSet(Event, frozen=True):
    by: str
    minimum_cents: int
    maximum_cents: int
    kind: str = "original"
    kept: tuple[str, ...] = ()
    """Players who may go on at the old minimum."""


class MaximumGranted(Event, frozen=True):
    by: str
    player: str
    maximum_cents: int
    minimum_cents: int


class PlayerRestricted(Event, frozen=True):
    by: str
    player: str
    rule: str
    minimum_only: bool
    boxes_max: int
    until: str


class RestrictionLifted(Event, frozen=True):
    by: str
    player: str


class BoxesLimited(Event, frozen=True):
    by: str
    player: str
    boxes: int


class BoxesReserved(Event, frozen=True):
    by: str
    player: str
    boxes: tuple[int, ...]


class PlayersCapped(Event, frozen=True):
    by: str
    players: int


class BoxesCapped(Event, frozen=True):
    by: str
    players: int


class SideBetRestricted(Event, frozen=True):
    by: str
    kind: str
    restricted: bool


class SideBetRequired(Event, frozen=True):
    by: str
    kind: str
    required: bool


class ResplitAllowed(Event, frozen=True):
    by: str
    allowed: bool


class InterimDeferred(Event, frozen=True):
    by: str
    deferred: bool


class FaceDownOrdered(Event, frozen=True):
    by: str
    face_down: bool


class SignDisplayed(Event, frozen=True):
    """A sign says what will change, and when."""

    by: str
    what: str
    """limits or closing."""
    minutes: int
    minimum_cents: int = 0
    maximum_cents: int = 0
    kind: str = "original"
    at_ms: int = 0


class SignTakenDown(Event, frozen=True):
    """A sign was taken away: what it announced does not come."""

    by: str
    what: str
    kind: str = "original"


class PatronTold(Event, frozen=True):
    """What the patrons' book said of a person, as `TellPatron` has it."""

    player: str
    card: bool = True
    loss_limit_cents: int | None = None
    """The loss limit counted from what they have won or lost at this table."""
    deposit_limit_cents: int | None = None
    maximum_cents: int | None = None
    minimum_cents: int = 0
    restriction: str = ""
    minimum_only: bool = False
    boxes_max: int = 0
    until: str = ""
    cover_splits: bool | None = None
    recognised: bool = False
    restricted_before: bool = False
    paused: bool | None = None
    excluded: bool = False
    admitted: bool = False
    barred: str = ""


class DateTurned(Event, frozen=True):
    date: datetime.date


class FinalRoundsAnnounced(Event, frozen=True):
    by: str
    rounds: int


# --- when things go wrong --------------------------------------------------------------------------------------------


class IrregularityReported(Event, frozen=True):
    """Something went wrong; where an approval is wanted the game waits for it."""

    kind: str
    approval: str = ""
    """The role that must approve before the game continues; empty where none must."""
    by: str = ""
    """Whose finding or decision it is; empty where it shows by itself."""
    reason: str = ""
    player: str = ""
    """Whom it is about, and on which box, where it is about somebody's wagers."""
    box: int = 0


class ApprovalGiven(Event, frozen=True):
    by: str
    reason: str = ""


class WrongCardFound(Event, frozen=True):
    """A card appeared that does not belong to the decks, or one more of a card than they have."""

    card: Card
    box: int
    """Where it was to go, or lies."""
    out: bool = False
    """It lies on the layout or in the rack already; else it is the next card."""


class WrongCardRemoved(Event, frozen=True):
    """It is dealt to nobody and taken away."""

    card: Card
    from_error: bool = False
    """It had been drawn in error before."""


class ChecksDue(Event, frozen=True):
    """What somebody has to do, and to confirm, before the next deal."""

    checks: tuple[str, ...]
    """decks: they are checked and verified; surveillance, inspector: they are told."""


class CheckConfirmed(Event, frozen=True):
    by: str
    check: str


class CardDrawnInError(Event, frozen=True):
    """A card lies beside the source and is the next card."""

    card: Card
    exposed: bool
    undrawn: bool = False
    """It counts as never removed: it is the first card of the next round."""


class CardRefused(Event, frozen=True):
    box: int
    hand: int
    player: str
    draws: bool = False
    """The hand is below the total up to which it must draw: it still gets cards, from the source."""


class CardMisplaced(Event, frozen=True):
    box: int
    card: Card
    noticed: str = ""
    """When it was noticed, where the initial deal was complete by then."""
    from_error: bool = False
    """The card had left before the deal, in error, and was the first to be laid."""


class RoundReconstructed(Event, frozen=True):
    """The cards were re-laid in the order in which they left."""

    before: tuple[tuple[int, Card], ...]
    after: tuple[tuple[int, Card], ...]
    by: str = ""


class MisdealUnnoticed(Event, frozen=True):
    """The initial deal goes wrong and nobody notices: the round is played on from it."""

    places: tuple[int, ...]


class RoundReopened(Event, frozen=True):
    """A finished round that was misdealt is laid again: its cards leave once more, in the order in which they left."""

    by: str
    before: tuple[tuple[int, Card], ...]
    after: tuple[tuple[int, Card], ...]
    cards: tuple[Card, ...]


class RoundTakenBack(Event, frozen=True):
    """An error was noticed afterwards: the round is taken back to its first card and laid as it should have been.

    Its wagers are placed anew by their own events; then its cards leave once more, and decisions that still fit hold.
    """

    by: str
    what: str
    """What had gone wrong, as `Notice` has it."""
    reason: str = ""
    card: int = 0
    """At which card of the round, counted from 1."""
    decision: int = 0
    """At which decision of the round, counted from 1."""
    cards: tuple[Card, ...] = ()
    """Its cards in the order in which they left."""
    extra: int = 0
    """How many of them, the last ones, lay beside the source or were about to leave it."""
    spoiled: tuple[tuple[int, str], ...] = ()
    """Cards of it that are not dealt: how many come before, and whether it was face-up or burned."""
    decisions: tuple[Decision, ...] = ()
    """What was decided in it and is still to be looked at."""
    as_dealt: bool = False
    """Hands that lack cards stay as they were dealt and are dealt with in turn (Adelaide 105)."""


class DecisionHeld(Event, frozen=True):
    """A decision of a round that was taken back still fits and holds."""

    index: int
    """Which of those that were still to be looked at."""
    decision: Decision


class DecisionsLapsed(Event, frozen=True):
    """Decisions of a round that was taken back no longer fit: whoever made them is asked again."""

    players: tuple[str, ...]
    indexes: tuple[int, ...]


class CardsSetAside(Event, frozen=True):
    """Cards of a round that was laid again and needed fewer: they left before and are the next cards."""

    cards: tuple[Card, ...]


class LayoutLeft(Event, frozen=True):
    """The misdealt cards stay where they are; hands that lack cards are dealt with by their stage."""

    noticed: str
    dealer: tuple[Card, ...] = ()
    """What the dealer has."""


class LateHandCame(Event, frozen=True):
    """After the dealer's hand: the controller of a hand that lacks cards draws or withdraws."""

    box: int
    player: str
    hand: int = 0


class HandLeftOut(Event, frozen=True):
    """The dealer went past a hand that should have had a card."""

    box: int
    hand: int
    noticed: str
    meant: str


class OthersAsked(Event, frozen=True):
    """A hand that lacked cards is played on: the others on it accept that or take their wagers back."""

    box: int
    hand: int
    players: tuple[str, ...]


class DecisionAccepted(Event, frozen=True):
    box: int
    hand: int
    player: str


class HandVoided(Event, frozen=True):
    """Cards of a hand that has no wager any more, or never had one, are burned."""

    box: int
    cards: tuple[Card, ...]
    hand: int = 0


class RoundVoided(Event, frozen=True):
    reason: str
    by: str = ""
    """Who decided it; empty where nobody had to."""


class EarlierRoundVoided(Event, frozen=True):
    """An earlier round is void; this one goes on."""

    by: str = ""
    reason: str = ""
    rounds_ago: int = 1
    paid: str = ""
    """Whether interim payments stand or are returned, where that was decided; empty: as in any void round."""


class PaymentReversed(Event, frozen=True):
    """Money of a void round goes back: above zero from the player to the float, below zero the other way."""

    player: str
    cents: int


class ResultUndone(Event, frozen=True):
    """What a wager that is void, or a void part of one, brought in this round goes back: above zero from the player to
    the float, below zero the other way."""

    player: str
    box: int
    cents: int
    kind: str = "original"
    """original, insurance, an optional wager, super-bonus, or bonus for the one meant for the others."""
    hand: int = 0
    reason: str = ""
    """loss-limit: only so much of a lost wager as went beyond it; empty: the wager is void, and all of it goes back."""


class CardAsked(Event, frozen=True):
    """Whose wager was invalid shows a player card of their own before they wager again."""

    player: str


class CardAccepted(Event, frozen=True):
    by: str
    player: str


class CardsBurnedOpen(Event, frozen=True):
    """Exposed cards were taken out of play."""

    cards: tuple[Card, ...]


class CheckOrdered(Event, frozen=True):
    by: str
    reason: str = ""


class BurnForgotten(Event, frozen=True):
    pass


class CutForgotten(Event, frozen=True):
    pass


class ShuffleForgotten(Event, frozen=True):
    pass


class DiscardsForgotten(Event, frozen=True):
    pass


class InsuranceForgotten(Event, frozen=True):
    pass


class PlayerPassedOver(Event, frozen=True):
    box: int
    hand: int
    player: str


class CardsReplacedInDevice(Event, frozen=True):
    """Damaged cards were taken out and replaced from a new deck; the rest moved to another device."""

    damaged: tuple[Card, ...]
    moved: bool


class SourceChanged(Event, frozen=True):
    source: str
    repairable: bool = False
    """The device failed and can readily be repaired: its cards stay in the game."""
    by: str = ""
    """Who has the device brought back into use; empty where it failed."""
    reason: str = ""


class RefundOffered(Event, frozen=True):
    players: tuple[str, ...]


class RefundDeclined(Event, frozen=True):
    player: str


class RefundTaken(Event, frozen=True):
    player: str


class WagersVoided(Event, frozen=True):
    """The wagers of a person who broke the rules were declared void, and the person may play on."""

    by: str
    player: str
    reason: str


class PlayerBarred(Event, frozen=True):
    """A person was excluded from the game; their wagers are void, unless they stand."""

    by: str
    player: str
    reason: str
    wagers_stand: bool = False
    detained: bool = False


class PersonDetained(Event, frozen=True):
    """A person who is not excluded from the game is kept until somebody with the authority takes over."""

    by: str
    player: str
    reason: str


class JackpotFaulted(Event, frozen=True):
    """The jackpot equipment has failed: until it is restored the game is played without the jackpot."""

    by: str


class JackpotRestored(Event, frozen=True):
    by: str


class DutyReminded(Event, frozen=True):
    by: str
    person: str
    duty: str


class PlayerPaused(Event, frozen=True):
    """The player places no wager until the period of their loss limit has been reset."""

    by: str
    player: str


class PlayerReadmitted(Event, frozen=True):
    by: str
    player: str
    loss_limit_cents: int | None
    """Counted as all loss limits are, from what the player stood at when they came."""


class SeatVacated(Event, frozen=True):
    by: str
    player: str


class DisputeRaised(Event, frozen=True):
    player: str
    about: str
    waits: bool = False
    """Play waits until it is ruled on: in a session of a tournament."""


class DisputeRuled(Event, frozen=True):
    by: str
    player: str
    ruling: str
    final: bool


class ReviewAsked(Event, frozen=True):
    player: str
    within: bool
    """Whether somebody of the house rules once more; otherwise the review is for somebody outside it."""


class MispaymentRecorded(Event, frozen=True):
    by: str
    player: str
    cents: int
    intentional: bool
    reported: bool
    """Above the amount that goes into the monthly report."""
    reason: str = ""
    exchange: str = ""
    """Where it was no wager: cash-change or colour-change."""


class MispaymentRectified(Event, frozen=True):
    player: str
    cents: int
    """Above zero: the player gives it back."""


class ColoursChanged(Event, frozen=True):
    """Chips went to the float and other chips of the same value came from it."""

    player: str
    cents: int
    chip_cents: int


class TokensIssued(Event, frozen=True):
    by: str
    player: str
    cents: int


class FloatFilled(Event, frozen=True):
    by: str
    cents: int


class FloatCredited(Event, frozen=True):
    by: str
    cents: int


class TableStopped(Event, frozen=True):
    """Nothing more is done at the table until two people must restart it."""

    by: str
    reason: str


class TableResumed(Event, frozen=True):
    by: str
    reason: str


# --- a session of a tournament ----------------------------------------------------------------------------------------


class SessionBegan(Event, frozen=True):
    """A session of a tournament begins: everybody has their seat, and what is laid down holds."""

    by: str
    session: SessionTerms


class ChipsAllotted(Event, frozen=True):
    """Tournament chips from the inventory."""

    player: str
    cents: int


class ChipsReturned(Event, frozen=True):
    """Tournament chips go back to the inventory."""

    player: str
    cents: int


class MarkerPlaced(Event, frozen=True):
    """The marker lies on a box; who wagers first is who plays there, or next to the left."""

    box: int
    player: str


class WagerAsked(Event, frozen=True):
    """The dealer asks somebody to wager; whoever was asked before has had their opportunity."""

    player: str


class WagerStoodEarly(Event, frozen=True):
    """A wager out of turn stands, and its owner is told what another may lead to."""

    player: str
    box: int
    warned_before: bool = False


class PassCardPlayed(Event, frozen=True):
    player: str
    box: int


class PassCardCollected(Event, frozen=True):
    player: str
    back: bool = False
    """The round was void: the card goes back to its owner."""


class FormHandedIn(Event, frozen=True):
    """An undisclosed wager is written down; what is on the form is for its owner and whoever examines it."""

    player: str
    box: int
    kind: str = ""
    cents: int = 0


class FormGivenBack(Event, frozen=True):
    """The form is not in order, or the round was void: its owner has it back."""

    player: str
    why: str = ""


class IndicatorPlaced(Event, frozen=True):
    """The form was examined; everybody sees that there is an undisclosed wager."""

    player: str
    box: int


class UndisclosedAnnounced(Event, frozen=True):
    """The type and the amount that were written, and what the wager counts as."""

    player: str
    box: int
    kind: str
    written_cents: int
    cents: int
    fault: str = ""
    """below, above, beyond-chips, units or blank; "" where it was in order."""


class UndisclosedSettled(Event, frozen=True):
    """An undisclosed wager is paid or taken by the result of its hand."""

    player: str
    box: int
    kind: str
    result: str
    """won, lost, stood-off, surrendered or deducted."""
    cents: int
    """What the player has won, or lost below zero."""
    odds: Odds | None = None


class FormSeen(Event, frozen=True):
    """Somebody looks at the form of another after the round."""

    player: str
    of: str


class HeldToMinimum(Event, frozen=True):
    """The time to wager is over: the minimum, and no more, in this round."""

    player: str
    cents: int


class MinimumDeducted(Event, frozen=True):
    """For a round that somebody misses."""

    by: str
    player: str
    cents: int


class WagerMadeUp(Event, frozen=True):
    """A wager below the minimum is made up to it."""

    player: str
    box: int
    cents: int
    """What is added."""
    hand: int = BEFORE_THE_HANDS


class EarlyWagerVoided(Event, frozen=True):
    """A wager out of turn of somebody who was warned is void; they have none in this round."""

    by: str
    player: str


class StacksCounted(Event, frozen=True):
    """Whoever conducts the tournament has had everybody's chips counted."""

    by: str
    chips: dict[str, int]


class WagerTimeSet(Event, frozen=True):
    by: str
    seconds: int


class RoundCounted(Event, frozen=True):
    """A round of the session is over: what lies in front of everybody who was in it."""

    number: int
    chips: dict[str, int]
    wagers: dict[str, int] = {}
    removed: tuple[str, ...] = ()
    """Whose chips were taken, in that order."""
    void: bool = False
    again: bool = False
    """The round had been counted before, and was laid again since."""


class PlayerEliminated(Event, frozen=True):
    """They cannot wager the minimum, or did not, and leave the session."""

    player: str
    box: int
    residual_cents: int
    why: str = "unable"
    """unable or no-wager."""


class RemovalDue(Event, frozen=True):
    """Somebody is removed as soon as the round is over."""

    by: str
    player: str
    ground: str
    why: str = ""


class PlayerRemoved(Event, frozen=True):
    """Disqualified: they leave the session."""

    player: str
    box: int
    ground: str
    why: str = ""


class SessionEnded(Event, frozen=True):
    by: str
    number: int
    chips: dict[str, int]


AnyEvent: TypeAlias = Union[
    SeatTaken, TableLeft, ChipsBought, ChipsBrought, ChipsTaken, ChipsCashed, ControlDeclined,
    ControlSettled, ControlPassed, WagerPlaced, WagerReturned,
    WagerFound, BettingClosed, ShuffleDue, ShuffleOrdered, CardsShuffled, StackArranged, CutOffered, CutDeclined,
    CardsCut, CuttingCardPlaced, CuttingCardShown, CardsReplaced, CardBurned, JokerShown, DiscardsReturned, CardsRanOut,
    RoundBegan, CardDealt, HandExposed, CardsCleared, InsuranceOffered, InsurancePlaced, InsuranceClosed,
    SurrenderOffered, WagerSurrendered, SurrenderDeclined, SurrenderClosed, TurnCame, HandHit, HandStood, WagerDoubled,
    DoubleDeclined, WagerSplit, SplitDeclined, HandDivided, WagerForfeited, WagerKept, HandBust, NaturalHeld,
    DealerFinished, WagerPaid, WagerCollected, WagerStoodOff, SurrenderSettled, InsurancePaid, InsuranceCollected,
    ResultUndone, CardAsked, CardAccepted,
    SideBetPaid, SideBetCollected, SuperBonusEarned, SuperBonusPaid, BonusPaid, JackpotWagerCollected, JackpotWon,
    JackpotPrizePaid, JackpotLost, JackpotSet, RoundEnded, NoticeGiven, LimitsSet, MaximumGranted, PlayerRestricted,
    RestrictionLifted, BoxesLimited, BoxesReserved, PlayersCapped, BoxesCapped, SideBetRestricted, SideBetRequired,
    ResplitAllowed, InterimDeferred, FaceDownOrdered, FinalRoundsAnnounced, IrregularityReported, ApprovalGiven,
    WrongCardFound, WrongCardRemoved, ChecksDue, CheckConfirmed,
    CardDrawnInError, CardRefused, CardMisplaced, RoundReconstructed, MisdealUnnoticed, RoundReopened, CardsSetAside,
    RoundTakenBack, DecisionHeld, DecisionsLapsed, LayoutLeft, LateHandCame, HandLeftOut,
    OthersAsked, DecisionAccepted, HandVoided, RoundVoided, EarlierRoundVoided, PaymentReversed, CardsBurnedOpen,
    CheckOrdered, BurnForgotten, CutForgotten, ShuffleForgotten, DiscardsForgotten, InsuranceForgotten,
    PlayerPassedOver, CardsReplacedInDevice, SourceChanged, RefundOffered, RefundDeclined, RefundTaken, PlayerBarred,
    WagersVoided, PersonDetained,
    MispaymentRecorded, MispaymentRectified, JackpotFaulted, JackpotRestored, DutyReminded, PlayerPaused,
    PlayerReadmitted, SeatVacated, DisputeRaised, DisputeRuled, ReviewAsked,
    PatronTold, DateTurned, SignDisplayed, SignTakenDown, TableStopped, TableResumed,
    ColoursChanged, TokensIssued, FloatFilled, FloatCredited,
    SessionBegan, ChipsAllotted, ChipsReturned, MarkerPlaced, WagerAsked, WagerStoodEarly,
    PassCardPlayed, PassCardCollected, FormHandedIn, FormGivenBack, IndicatorPlaced, UndisclosedAnnounced,
    UndisclosedSettled, FormSeen, HeldToMinimum, MinimumDeducted, WagerMadeUp, EarlyWagerVoided,
    StacksCounted, WagerTimeSet, RoundCounted, PlayerEliminated, RemovalDue, PlayerRemoved, SessionEnded,
]  # fmt: skip
