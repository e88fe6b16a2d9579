"""What somebody asks for. An act is a request: the engine answers with events, or with a refusal.

Acts are imperatives. `by` is the role of the member of staff who acts. Amounts are cents.
"""

from __future__ import annotations

from typing import TypeAlias, Union

import msgspec

from pitboss.basics.cards import Card

ORIGINAL = "original"
"""The kind of the wager on the hand itself; optional wagers have the names of the rulebook's side bets."""


class Act(msgspec.Struct, frozen=True, tag_field="act", tag=lambda name: name, omit_defaults=True, gc=False):
    """The base of all acts."""


# --- players ---------------------------------------------------------------------------------------------------------


class TakeSeat(Act, frozen=True):
    """Sit down at a box; whoever is seated at a box calls its decisions."""

    player: str
    box: int


class LeaveTable(Act, frozen=True):
    """Stand up and leave."""

    player: str


class PlaceWager(Act, frozen=True):
    """Put a wager on a box before the first card."""

    player: str
    box: int
    cents: int
    kind: str = ORIGINAL
    token_cents: int = 0
    """How much of it is in promotional tokens."""
    unnoticed: bool = False
    """It is outside the sign and nobody has noticed yet; `FindWager` is the noticing."""


class WithdrawWager(Act, frozen=True):
    """Take a wager back before the first card."""

    player: str
    box: int
    kind: str = ORIGINAL


class DeclineControl(Act, frozen=True):
    """Decline to call the decisions on a shared box, where the rulebook lets one."""

    player: str
    box: int


class Expose(Act, frozen=True):
    """Turn up the first two cards that were dealt face down."""

    player: str
    box: int


class Insure(Act, frozen=True):
    player: str
    box: int
    cents: int


class Surrender(Act, frozen=True):
    player: str
    box: int


class Hit(Act, frozen=True):
    player: str
    box: int


class Stand(Act, frozen=True):
    player: str
    box: int


class Double(Act, frozen=True):
    """Double the hand whose turn it is: its controller first, then the others on it."""

    player: str
    box: int
    cents: int | None = None
    """None: as much as the original wager."""


class Split(Act, frozen=True):
    player: str
    box: int


class Decline(Act, frozen=True):
    """Another player on the box does not take up what the controller has just chosen."""

    player: str
    box: int


class Forfeit(Act, frozen=True):
    """After the double card: take the doubled portion back and lose the original wager."""

    player: str
    box: int


class Keep(Act, frozen=True):
    """After the double card: play on."""

    player: str
    box: int


class Cut(Act, frozen=True):
    """Put the cutting card into the stack, `depth` cards from its front."""

    player: str
    """A player, or "supervisor" or "dealer" where no player would."""
    depth: int


class DeclineCut(Act, frozen=True):
    player: str


class BuyChips(Act, frozen=True):
    """Change cash, or money from an account, into chips at the table."""

    player: str
    cents: int


# --- the dealer ------------------------------------------------------------------------------------------------------


class CallNoMoreBets(Act, frozen=True):
    """Close betting; `Deal` does it too."""


class Deal(Act, frozen=True):
    """No more bets, then the whole initial deal."""


class CloseInsurance(Act, frozen=True):
    pass


class CloseSurrender(Act, frozen=True):
    pass


class Shuffle(Act, frozen=True):
    """Shuffle the stack: chance says in which order the cards now lie (front first)."""

    order: tuple[Card, ...]
    means: str = "hand"


class Mix(Act, frozen=True):
    """The shuffling device has mixed what it holds: chance says in which order the cards would leave it now."""

    order: tuple[Card, ...]


class PlaceCuttingCard(Act, frozen=True):
    """After the cut: put the cutting card in, `from_back` cards from the back of the stack."""

    from_back: int


# --- supervisors and managers ----------------------------------------------------------------------------------------


class SetLimits(Act, frozen=True):
    """Alter the limits on the sign."""

    by: str
    minimum_cents: int
    maximum_cents: int
    kind: str = ORIGINAL
    notice_minutes: int = 0
    """How long a sign with the new minimum has been on display."""
    keep_old_minimum: bool = True
    """Whether players already there keep the old minimum, where the notice was too short."""


class GrantMaximum(Act, frozen=True):
    """Let one player wager above the maximum on the sign, with a sign of his own."""

    by: str
    player: str
    maximum_cents: int
    minimum_cents: int | None = None


class Restrict(Act, frozen=True):
    """Restrict a player by one of the rulebook's restrictions."""

    by: str
    player: str
    rule: str
    """The restriction's name in the rulebook: late-entry, all-further-shoes, one-box, ..."""
    notified: bool = False
    """Whether those whom the clause wants told or consulted first have been."""


class LiftRestriction(Act, frozen=True):
    by: str
    player: str


class LimitBoxes(Act, frozen=True):
    """Hold a player to so many boxes because others want to play."""

    by: str
    player: str
    boxes: int


class ReserveBoxes(Act, frozen=True):
    """Keep boxes for the sole use of one player; an empty tuple frees them."""

    by: str
    player: str
    boxes: tuple[int, ...]


class CapPlayers(Act, frozen=True):
    """Cap the players at the table; 0 lifts the cap."""

    by: str
    players: int


class CapBox(Act, frozen=True):
    """Allow at most so many players on each box."""

    by: str
    players: int


class RefuseWager(Act, frozen=True):
    """Refuse a wager before the first card and have it removed."""

    by: str
    player: str
    box: int
    kind: str = ORIGINAL


class RestrictSideBet(Act, frozen=True):
    """Limit an optional wager to players with an original wager."""

    by: str
    kind: str
    notified: bool = False
    sign: bool = False
    lift: bool = False


class AllowResplit(Act, frozen=True):
    """Allow (or no longer allow) a third hand at this table."""

    by: str
    allowed: bool = True
    advised: bool = False
    """Whether the players were advised before play began."""


class DeferInterim(Act, frozen=True):
    """Approve that naturals and 21s are paid at the final settlement."""

    by: str
    deferred: bool = True


class DealFaceDown(Act, frozen=True):
    """Have the first two cards to each player dealt face down."""

    by: str
    approved: bool = False
    """The approval or request that the clause wants."""
    face_down: bool = True


class OrderShuffle(Act, frozen=True):
    """Order a shuffle after this round."""

    by: str
    reason: str


class ReplaceCards(Act, frozen=True):
    """Take the cards away; new ones are to be shuffled."""

    by: str


class AnnounceFinalRounds(Act, frozen=True):
    """Announce the last rounds before the table closes."""

    by: str


class FindWager(Act, frozen=True):
    """Notice after the first card that a wager is outside the sign."""

    by: str
    player: str
    box: int


class RequireSideBet(Act, frozen=True):
    """Make an optional wager a condition of play, by a notice at the table."""

    by: str
    kind: str
    required: bool = True


class SetJackpot(Act, frozen=True):
    """The link tells this table what the jackpot now stands at."""

    cents: int


class PayJackpot(Act, frozen=True):
    """The link tells a linked table what each jackpot winner of this round is paid."""

    cents_each: int
    from_pool_each: int
    """How much of it the pool bears; the house bears the rest."""


class ReportJackpotFault(Act, frozen=True):
    """The jackpot equipment failed in this round: jackpot wagers go back."""

    by: str


# --- when things go wrong --------------------------------------------------------------------------------------------


class FindFaceUpCard(Act, frozen=True):
    """The next card lies face up in the source."""


class CheckSource(Act, frozen=True):
    """Have the rest of the source checked after the round, for more cards face up."""

    by: str


class DrawInError(Act, frozen=True):
    """A card was drawn that nobody had asked for."""

    exposed: bool = False


class RefuseCard(Act, frozen=True):
    """A player does not accept the card that was drawn in error."""

    player: str
    box: int


class ExtraDealerCard(Act, frozen=True):
    """After the dealer's hand was complete one more card was drawn to it."""

    exposed: bool = False


class BurnInError(Act, frozen=True):
    """A card was burned that should not have been."""


class ForgetBurn(Act, frozen=True):
    """The first card was not burned."""


class DealWithoutWagers(Act, frozen=True):
    """A round was begun although nobody had wagered: so many cards were exposed."""

    cards: int


class Misdeal(Act, frozen=True):
    """The initial deal went wrong: to which boxes the cards went, in the order in which they left (0: the dealer)."""

    places: tuple[int, ...]
    noticed: str = "initial-deal"
    """When the error was noticed: initial-deal, in-turn (before the hand's turn was over), passed (after it, before
    the dealer's second card), dealer (after that) or after-round (the round was finished from the wrong hands)."""


class LeaveOut(Act, frozen=True):
    """The dealer went past the hand in turn without the card that it must get or that was called for."""

    box: int
    noticed: str = "passed"
    """passed (before the dealer's second card) or dealer (after it)."""
    meant: str = "hit"
    """What the controlling player had shown that he wanted: hit, double or split."""


class Misplace(Act, frozen=True):
    """A player hits, and his card is put on another box."""

    player: str
    box: int
    wrong: int
    """The box on which the card lies."""


class Reconstruct(Act, frozen=True):
    """Rebuild the round as it should have been dealt; after its end it is laid and played again."""

    by: str


class VoidRound(Act, frozen=True):
    """Declare the round void."""

    by: str
    reason: str


class VoidEarlierRound(Act, frozen=True):
    """An error in the round before this one was noticed only now."""

    by: str


class ForgetCut(Act, frozen=True):
    """The cards were not cut."""


class ForgetShuffle(Act, frozen=True):
    """The dealer dealt on although the cutting card had come."""


class ForgetDiscards(Act, frozen=True):
    """The discards are not put back into the shuffling device after this initial deal."""


class ForgetInsurance(Act, frozen=True):
    """Insurance was not offered."""


class FindWrongCards(Act, frozen=True):
    """A card is missing, or one was found that does not belong to the decks."""

    by: str
    what: str
    """missing or foreign."""


class DropCards(Act, frozen=True):
    """Cards were dropped or mishandled; a supervisor verifies that all are there."""

    by: str


class PassOver(Act, frozen=True):
    """A player is absent or does not decide within a reasonable time."""

    player: str
    box: int


class ReportMalfunction(Act, frozen=True):
    """The shuffling device no longer works as it should."""

    by: str
    damaged: tuple[Card, ...] = ()
    disadvantage: bool = False
    """It has put a player or the house at a disadvantage."""
    spare: bool = False
    """Another device is readily available."""
    transferable: bool = False
    """It is practicable to move the cards."""
    course: str = "shuffle"
    """Where the rulebook leaves a choice: shuffle or cutting-card."""


class TakeBack(Act, frozen=True):
    """Take one's wagers of the round back, where that is offered."""

    player: str


class PlayOn(Act, frozen=True):
    """Leave one's wagers in play, where taking them back is offered."""

    player: str


class ClearJam(Act, frozen=True):
    """Cards jammed in the device were taken out, mixed and put back: chance says how they now lie."""

    order: tuple[Card, ...]


class RepairDevice(Act, frozen=True):
    """The shuffling device works again: new cards are shuffled into it."""

    by: str


class FindInvalidWager(Act, frozen=True):
    """A wager was made without a valid card of one's own, or for another."""

    by: str
    player: str
    box: int


class FindLossExcess(Act, frozen=True):
    """A player's wagers turn out to exceed his loss limit."""

    by: str
    player: str


class BarPlayer(Act, frozen=True):
    """Void the wagers of a person who broke the rules, and bar him from the game."""

    by: str
    player: str
    reason: str
    detained: bool = False
    """He has a prohibited device and is kept until somebody with the authority takes over."""


class InvalidateRound(Act, frozen=True):
    """Invalidate the round for a disturbance, or for fraud (whose wagers may be forfeited)."""

    by: str
    cause: str
    """disturbance or fraud."""
    forfeit: tuple[str, ...] = ()


class RecordMispayment(Act, frozen=True):
    """A wager or an exchange was paid too much or too little."""

    by: str
    player: str
    cents: int
    over: bool = True
    """True: too much; False: too little."""
    rectified: bool = True
    intentional: bool = False


class Approve(Act, frozen=True):
    """Approve that the game goes on after an irregularity."""

    by: str


class RestoreJackpot(Act, frozen=True):
    """The jackpot equipment works again."""

    by: str


class Remind(Act, frozen=True):
    """Somebody broke a duty of conduct and is reminded of it."""

    by: str
    person: str
    """A player, or the role of a member of staff."""
    duty: str
    """As the rulebook names its duties: advice, advantage, procedures, device, loss-limit, ..."""


class PausePlayer(Act, frozen=True):
    """Keep a player from wagering while the period of his loss limit is reset."""

    by: str
    player: str


class ReadmitPlayer(Act, frozen=True):
    """The new period has begun: the player may wager again, with the loss limit that he has set for it."""

    by: str
    player: str
    loss_limit_cents: int | None = None


class VacateSeat(Act, frozen=True):
    """Require a player who lets rounds pass at a full table to give up his seat."""

    by: str
    player: str
    rounds: int = 3
    """How many rounds in a row he has let pass, as the dealer counted."""


class RaiseDispute(Act, frozen=True):
    """Dispute a decision or a payment."""

    player: str
    about: str


class RuleDispute(Act, frozen=True):
    """Decide a dispute, in the first instance or on review."""

    by: str
    player: str
    ruling: str


class AskReview(Act, frozen=True):
    """Not be satisfied with the ruling on one's dispute."""

    player: str


AnyAct: TypeAlias = Union[
    TakeSeat, LeaveTable, PlaceWager, WithdrawWager, DeclineControl, Expose, Insure, Surrender, Hit, Stand, Double,
    Split, Decline, Forfeit, Keep, Cut, DeclineCut, BuyChips, CallNoMoreBets, Deal, CloseInsurance, CloseSurrender,
    Shuffle, Mix, PlaceCuttingCard, SetLimits, GrantMaximum, Restrict, LiftRestriction, LimitBoxes, ReserveBoxes,
    CapPlayers, CapBox, RefuseWager, RestrictSideBet, AllowResplit, DeferInterim, DealFaceDown, OrderShuffle,
    ReplaceCards, AnnounceFinalRounds, FindWager, RequireSideBet, SetJackpot, PayJackpot, ReportJackpotFault,
    FindFaceUpCard, CheckSource, DrawInError, RefuseCard, ExtraDealerCard, BurnInError, ForgetBurn, DealWithoutWagers,
    Misdeal, LeaveOut, Misplace, Reconstruct, VoidRound, VoidEarlierRound, ForgetCut, ForgetShuffle, ForgetDiscards,
    ForgetInsurance, FindWrongCards, DropCards, PassOver, ReportMalfunction, TakeBack, PlayOn, ClearJam, RepairDevice,
    FindInvalidWager, FindLossExcess, BarPlayer, InvalidateRound, RecordMispayment, Approve, RestoreJackpot, Remind,
    PausePlayer, ReadmitPlayer, VacateSeat, RaiseDispute, RuleDispute, AskReview,
]  # fmt: skip
