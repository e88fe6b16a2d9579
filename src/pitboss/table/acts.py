"""What somebody asks for. An act is a request: the engine answers with events, or with a refusal.

Acts are imperatives. `by` is the role of the member of staff who acts. Amounts are cents.
"""

from __future__ import annotations

import datetime
from typing import TypeAlias, Union

import msgspec

from pitboss.basics.cards import Card
from pitboss.table import asking as ask
from pitboss.table.declaring import (
    Button,
    Field,
    Form,
    Line,
    Rule,
    Second,
    by_dealer,
    by_named,
    by_player,
    by_supervisor,
    by_the_floor,
    declare,
)
from pitboss.table.session import SessionTerms

ORIGINAL = "original"
"""The kind of the wager on the hand itself; optional wagers have the names of the rulebook's side bets."""

ADVISED = {"advised": ("advised", True)}
TOLD = {"notified": ("notified", True), "signed": ("sign", True)}
APPROVED = {"approved": ("approved", True)}
EXPOSED = {"exposed": ("exposed", True)}
BROKEN = {"": "as the reason says", "device": "used a prohibited device", "rules": "broke another rule"}
VOIDS = {
    "": "as the reason says",
    "misdeal": "an error in the dealing that cannot be put right",
    "impractical": "it is impractical to go on",
    "fraud": "a fraud affects its result",
    "disturbance": "a disturbance",
}
HELD = {"detained": ("detained", True)}
MISPAID = {
    "unrectified": ("rectified", False),
    "intentional": ("intentional", True),
    "cash-change": ("exchange", "cash-change"),
    "colour-change": ("exchange", "colour-change"),
}
EXCHANGES = {"": "a wager", "cash-change": "a cash change", "colour-change": "a colour change"}
NOTICED = {
    "initial-deal": "during the initial deal",
    "in-turn": "before the turn of that hand was over",
    "passed": "after its turn, before the dealer's second card",
    "dealer": "after the dealer's second card",
    "after-round": "when the round was over",
}


class Act(
    msgspec.Struct,
    frozen=True,
    tag_field="act",
    tag=lambda name: name,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
):
    """The base of all acts."""


# --- players ---------------------------------------------------------------------------------------------------------


@declare(
    by_player(),
    Line(
        "<player> bets <cents> [on <box>] [<kind>] [with <token_cents> in tokens] [unnoticed]",
        flags={"unnoticed": ("unnoticed", True)},
    ),
    typed=("bet", "b"),
)
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


@declare(by_player(house_too=True), "<player> withdraws [on <box>] [<kind>]", typed=("withdraw",))
class WithdrawWager(Act, frozen=True):
    """Take a wager back before the first card."""

    player: str
    box: int
    kind: str = ORIGINAL


@declare(
    by_player(), "<player> hits [on <box>]", typed=("hit", "h"), button=Button("Hit", "h", "take a card", calm=True)
)
class Hit(Act, frozen=True):
    player: str
    box: int


@declare(
    by_player(),
    "<player> stands [on <box>]",
    typed=("stand", "s"),
    button=Button("Stand", "s", "take no more cards", calm=True),
)
class Stand(Act, frozen=True):
    player: str
    box: int


@declare(
    by_player(),
    "<player> doubles [<cents>] [on <box>]",
    typed=("double", "d"),
    button=Button("Double", "d", "double the wager"),
)
class Double(Act, frozen=True):
    """Double the hand whose turn it is: its controller first, then the others on it."""

    player: str
    box: int
    cents: int | None = None
    """None: as much as the original wager."""


@declare(by_player(), "<player> splits [on <box>]", typed=("split", "p"), button=Button("Split", "p", "make two hands"))
class Split(Act, frozen=True):
    player: str
    box: int


@declare(
    by_player(),
    "<player> insures <cents> [on <box>]",
    typed=("insure", "i"),
    button=Button("Insure", "i", "insure against the dealer"),
)
class Insure(Act, frozen=True):
    player: str
    box: int
    cents: int


@declare(
    by_player(),
    "<player> surrenders [on <box>]",
    typed=("surrender", "r"),
    button=Button("Surrender", "u", "give up half"),
)
class Surrender(Act, frozen=True):
    player: str
    box: int


@declare(
    by_player(house_too=True),
    "<player> declines [on <box>]",
    typed=("no", "decline"),
    button=Button("Not me", "n", "do not follow", calm=True),
)
class Decline(Act, frozen=True):
    """Another player on the box does not take up what the controller has just chosen."""

    player: str
    box: int


@declare(
    by_player(),
    "<player> declines control [on <box>]",
    button=Button("Decline control", "o", "let another call the decisions"),
)
class DeclineControl(Act, frozen=True):
    """Decline to call the decisions on a shared box, where the rulebook lets one."""

    player: str
    box: int


@declare(
    by_player(),
    "<player> forfeits [on <box>]",
    typed=("forfeit", "f"),
    button=Button("Forfeit", "f", "take the doubled part back", last=True),
)
class Forfeit(Act, frozen=True):
    """After the double card: take the doubled portion back and lose the original wager."""

    player: str
    box: int


@declare(
    by_player(house_too=True),
    "<player> keeps [on <box>]",
    typed=("keep", "k"),
    button=Button("Play on", "k", "keep the doubled wager", calm=True),
)
class Keep(Act, frozen=True):
    """After the double card: play on."""

    player: str
    box: int


@declare(
    by_player(house_too=True),
    "<player> exposes [on <box>]",
    typed=("expose", "e"),
    button=Button("Turn cards up", "e", "show the first two cards", calm=True),
)
class Expose(Act, frozen=True):
    """Turn up the first two cards that were dealt face down."""

    player: str
    box: int


@declare(
    by_player("casino-supervisor"),
    "<player> sits at <box>",
    tournament=True,
    typed=("sit",),
    form=Form(
        "Players", "Seat a player", says="Who is seated at a box calls its decisions.", fields=(ask.anyone, ask.box)
    ),
)
class TakeSeat(Act, frozen=True):
    """Sit down at a box; whoever is seated at a box calls its decisions."""

    player: str
    box: int


@declare(
    by_player("casino-supervisor", house_too=True),
    "<player> leaves",
    tournament=True,
    typed=("leave",),
    form=Form("Players", "See a player off the table", fields=(ask.player,)),
)
class LeaveTable(Act, frozen=True):
    """Stand up and leave."""

    player: str


@declare(
    by_player("dealer", term="wagers.means"),
    "<player> buys <cents>",
    typed=("buy",),
    form=Form("Players", "Sell chips to a player", fields=(ask.anyone, ask.money("cents", "Amount"))),
)
class BuyChips(Act, frozen=True):
    """Change cash, or money from an account, into chips at the table."""

    player: str
    cents: int


@declare(
    by_player("dealer", term="wagers.means"),
    "<player> brings <cents>",
    typed=("bring",),
    form=Form("Players", "Chips that a player brings", fields=(ask.anyone, ask.money("cents", "Amount"))),
)
class BringChips(Act, frozen=True):
    """Put chips that one has already on the table, where chips are counted."""

    player: str
    cents: int


@declare(
    by_player("dealer", term="wagers.means"),
    "<player> takes away <cents>",
    typed=("away",),
    form=Form("Players", "Chips that a player takes away", fields=(ask.player, ask.money("cents", "Amount"))),
)
class TakeChips(Act, frozen=True):
    """Take chips away from the table, where chips are counted; whoever leaves takes all of theirs."""

    player: str
    cents: int


@declare(
    by_player(house_too=True, term="shuffle.cut_refused_by_all"),
    "<player> cuts <depth>",
    Line("supervisor cuts <depth>", {"player": "supervisor"}),
    Line("dealer cuts <depth>", {"player": "dealer"}),
    typed=("cut", "c"),
    button=Button("Cut the cards", "c", "put the cutting card in", calm=True),
    step=Button("Cut the cards", "Enter", awaited=True),
)
class Cut(Act, frozen=True):
    """Put the cutting card into the stack, `depth` cards from its front."""

    player: str
    """A player, or "supervisor" or "dealer" where no player would."""
    depth: int


@declare(
    by_player("dealer", house_too=True, term="shuffle.cut_refused"),
    "<player> declines the cut",
    typed=("no",),
    button=Button("Leave the cut", "l", "let the next player cut", calm=True, last=True),
    step=Button("Leave the cut", "l", for_player=True, awaited=True),
)
class DeclineCut(Act, frozen=True):
    player: str


# --- the dealer ------------------------------------------------------------------------------------------------------


@declare(by_dealer(house_too=True), "dealer deals", typed=("deal",), step=Button("Deal the round", "Enter"))
class Deal(Act, frozen=True):
    """No more bets, then the whole initial deal."""


@declare(by_dealer("deal.call", house_too=True), "dealer calls no more bets", step=Button("Call “no more bets”", "b"))
class CallNoMoreBets(Act, frozen=True):
    """Close betting; `Deal` does it too."""


@declare(
    by_dealer("insurance.closes", house_too=True),
    "dealer closes insurance",
    typed=("no",),
    step=Button("Close insurance", "Enter"),
)
class CloseInsurance(Act, frozen=True):
    pass


@declare(
    by_dealer("surrender.opens", house_too=True),
    "dealer closes surrender",
    typed=("no",),
    step=Button("Close surrender", "Enter"),
)
class CloseSurrender(Act, frozen=True):
    pass


@declare(
    by_dealer("shuffle.means", house_too=True),
    "dealer shuffles [by <means>]",
    typed=("shuffle",),
    step=Button("Shuffle the cards", "Enter"),
)
class Shuffle(Act, frozen=True):
    """Shuffle the stack: chance says in which order the cards now lie (front first)."""

    order: tuple[Card, ...]
    means: str = "hand"


@declare(by_dealer("shuffle.means", house_too=True), step=Button("Mix the cards in the device", "Enter"))
class Mix(Act, frozen=True):
    """The shuffling device has mixed what it holds: chance says in which order the cards would leave it now."""

    order: tuple[Card, ...]


@declare(
    by_dealer("shuffle.cutting_card_share_max", house_too=True),
    "dealer places the cutting card <from_back>",
    typed=("place",),
    step=Button("Place the cutting card", "Enter"),
)
class PlaceCuttingCard(Act, frozen=True):
    """After the cut: put the cutting card in, `from_back` cards from the back of the stack."""

    from_back: int


# --- supervisors and managers ----------------------------------------------------------------------------------------


@declare(
    by_named("limits.changed_by"),
    Line(
        "<by> sets limits <minimum_cents> <maximum_cents> [for <kind>] [after <notice_minutes> minutes] [binding-all]",
        flags={"binding-all": ("keep_old_minimum", False)},
    ),
    second=Second("gaming-manager", "a large change of the limits", when="large-maximum", shows="limits"),
    form=Form(
        "Limits and signs",
        "Set the limits",
        says="At once, for everybody. A higher minimum that is to bind those already here is announced by a sign.",
        fields=(
            ask.money("minimum_cents", "Minimum"),
            ask.money("maximum_cents", "Maximum"),
            ask.kind,
            ask.yes("keep_old_minimum", "Players already here keep the old minimum"),
        ),
        terms=("limits.changed_by", "limits.raise_notice_minutes", "limits.raise_keeps_old_minimum"),
    ),
)
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


@declare(
    by_named("limits.personal_maximum_by"),
    "<by> grants <player> <maximum_cents> [with minimum <minimum_cents>]",
    second=Second("gaming-manager", "a large maximum for one player", when="large-maximum", shows="sign"),
    form=Form(
        "Limits and signs",
        "Grant one player a maximum",
        says="A sign of their own, above the table's maximum.",
        fields=(
            ask.player,
            ask.money("maximum_cents", "Maximum"),
            ask.money("minimum_cents", "Minimum (may stay empty)", optional=True),
        ),
        terms=("limits.personal_maximum_by", "limits.beside_personal_maximum"),
    ),
)
class GrantMaximum(Act, frozen=True):
    """Let one player wager above the maximum on the sign, with a sign of their own."""

    by: str
    player: str
    maximum_cents: int
    minimum_cents: int | None = None


@declare(
    by_named("limits.restrictions"),
    Line("<by> restricts <player> by <rule> [notified]", flags={"notified": ("notified", True)}),
    form=Form(
        "Players",
        "Restrict a player",
        says="By one of the rulebook's restrictions.",
        fields=(ask.player, ask.restriction, ask.yes("notified", "Those whom the clause names were told first")),
        terms=("limits.restrictions",),
    ),
)
class Restrict(Act, frozen=True):
    """Restrict a player by one of the rulebook's restrictions."""

    by: str
    player: str
    rule: str
    """The restriction's name in the rulebook: late-entry, all-further-shoes, one-box, ..."""
    notified: bool = False
    """Whether those whom the clause wants told or consulted first have been."""


@declare(
    by_named("limits.restrictions", private=True),
    "<by> unrestricts <player>",
    form=Form("Players", "Lift a restriction", fields=(ask.player,)),
)
class LiftRestriction(Act, frozen=True):
    by: str
    player: str


@declare(
    by_named("boxes.several_limited_by"),
    "<by> limits <player> to <boxes>",
    form=Form(
        "Players",
        "Hold a player to boxes",
        says="Because others want to play.",
        fields=(ask.player, ask.count("boxes", "Boxes", 1)),
        terms=("boxes.several", "boxes.several_limited_by"),
    ),
)
class LimitBoxes(Act, frozen=True):
    """Hold a player to so many boxes because others want to play."""

    by: str
    player: str
    boxes: int


@declare(
    by_named("boxes.reserved_by", step="allocate"),
    "<by> reserves <boxes...> for <player>",
    tournament=True,
    form=Form(
        "Boxes and wagers",
        "Reserve boxes",
        says="For the sole use of one player; none chosen frees their boxes.",
        fields=(ask.anyone, ask.boxes),
        terms=("boxes.reserved_by",),
    ),
)
class ReserveBoxes(Act, frozen=True):
    """Keep boxes for the sole use of one player; an empty tuple frees them."""

    by: str
    player: str
    boxes: tuple[int, ...]


@declare(
    by_named("boxes.players_capped_by", step="players-per-table"),
    "<by> caps players at <players>",
    tournament=True,
    form=Form(
        "Players",
        "Cap the players",
        says="0 lifts the cap.",
        fields=(ask.count("players", "Players", 7),),
        terms=("boxes.players_capped_by",),
    ),
)
class CapPlayers(Act, frozen=True):
    """Cap the players at the table; 0 lifts the cap."""

    by: str
    players: int


@declare(
    by_named("boxes.box_players_capped_by"),
    "<by> caps boxes at <players>",
    form=Form(
        "Players",
        "Cap the players on a box",
        fields=(ask.count("players", "Players on each box", 1),),
        terms=("boxes.box_players_capped_by",),
    ),
)
class CapBox(Act, frozen=True):
    """Allow at most so many players on each box."""

    by: str
    players: int


@declare(
    by_named("wagers.refused_by"),
    "<by> refuses <player> on <box> [<kind>] [because <reason...>]",
    form=Form(
        "Boxes and wagers",
        "Refuse a wager",
        says="Before the first card; it goes back.",
        fields=(ask.player, ask.box, ask.kind, ask.reason),
        terms=("wagers.refused_by",),
        situations=("late-wager",),
    ),
)
class RefuseWager(Act, frozen=True):
    """Refuse a wager before the first card and have it removed."""

    by: str
    player: str
    box: int
    kind: str = ORIGINAL
    reason: str = ""
    """On which grounds."""


@declare(
    by_named("side_bets.restricted_by"),
    Line("<by> closes <kind> to others [notified] [signed]", {"lift": False}, TOLD),
    Line("<by> opens <kind> to others [notified] [signed]", {"lift": True}, TOLD),
    form=Form(
        "Limits and signs",
        "Restrict an optional wager",
        says="For players with an original wager only.",
        fields=(
            ask.side_bet,
            ask.yes("notified", "The notice was given"),
            ask.yes("sign", "A sign is on display"),
            ask.yes("lift", "Lift the restriction"),
        ),
    ),
)
class RestrictSideBet(Act, frozen=True):
    """Limit an optional wager to players with an original wager."""

    by: str
    kind: str
    notified: bool = False
    sign: bool = False
    lift: bool = False


@declare(
    by_supervisor("side_bets.compulsory"),
    Line("<by> requires <kind>", {"required": True}),
    Line("<by> frees <kind>", {"required": False}),
    form=Form(
        "Limits and signs",
        "Require an optional wager",
        says="Make it a condition of play, by a notice.",
        fields=(ask.side_bet, ask.yes("required", "Required")),
    ),
)
class RequireSideBet(Act, frozen=True):
    """Make an optional wager a condition of play, by a notice at the table."""

    by: str
    kind: str
    required: bool = True


@declare(
    by_named("shuffle.ordered_by"),
    "<by> orders a shuffle because <reason...>",
    form=Form(
        "Cards and dealing",
        "Order a shuffle",
        says="After this round.",
        fields=(ask.text("reason", "Reason"),),
        terms=("shuffle.ordered_by", "shuffle.ordered_notice"),
    ),
)
class OrderShuffle(Act, frozen=True):
    """Order a shuffle after this round."""

    by: str
    reason: str


@declare(
    by_named("cards.new_cards_by"),
    "<by> replaces the cards [because <reason...>]",
    form=Form(
        "Cards and dealing",
        "Replace the cards",
        fields=(ask.reason,),
        terms=("cards.new_cards_by", "cards.new_cards_shoe", "cards.new_cards_device"),
    ),
)
class ReplaceCards(Act, frozen=True):
    """Take the cards away; new ones are to be shuffled."""

    by: str
    reason: str = ""


@declare(
    by_named("irregularities.face_up_check_by"),
    "<by> orders a check [because <reason...>]",
    form=Form(
        "Cards and dealing",
        "Check the rest of the source",
        says="After the round, for more cards face up.",
        fields=(ask.reason,),
        terms=("irregularities.face_up_check_by",),
    ),
)
class CheckSource(Act, frozen=True):
    """Have the rest of the source checked after the round, for more cards face up."""

    by: str
    reason: str = ""


@declare(
    by_named("splitting.resplit_by"),
    Line("<by> allows resplits [advised]", {"allowed": True}, ADVISED),
    Line("<by> forbids resplits [advised]", {"allowed": False}, ADVISED),
    form=Form(
        "Cards and dealing",
        "Allow a third hand",
        fields=(ask.yes("allowed", "Allowed"), ask.yes("advised", "The players were advised before play began")),
        terms=("splitting.resplit_by", "splitting.resplit_hands_max"),
    ),
)
class AllowResplit(Act, frozen=True):
    """Allow (or no longer allow) a third hand at this table."""

    by: str
    allowed: bool = True
    advised: bool = False
    """Whether the players were advised before play began."""


@declare(
    by_named("interim.deferrable_by"),
    Line("<by> defers payment", {"deferred": True}),
    Line("<by> resumes payment", {"deferred": False}),
    form=Form(
        "Cards and dealing",
        "Defer interim payments",
        says="Naturals and 21s are paid at the final settlement.",
        fields=(ask.yes("deferred", "Deferred"),),
        terms=("interim.deferrable_by",),
    ),
)
class DeferInterim(Act, frozen=True):
    """Approve that naturals and 21s are paid at the final settlement."""

    by: str
    deferred: bool = True


@declare(
    by_supervisor("cards.face_down"),
    Line("<by> orders face-down [approved]", {"face_down": True}, APPROVED),
    Line("<by> orders face-up [approved]", {"face_down": False}, APPROVED),
    second=Second(
        "inspector",
        "an inspector approves first that cards are dealt face down",
        when="inspector-approval",
        only_if="face_down",
        sets="approved",
    ),
    form=Form(
        "Cards and dealing",
        "Deal face down",
        says="The first two cards to each player.",
        fields=(
            ask.yes("face_down", "Face down", "The first two cards", "face down", "face up"),
            ask.yes(
                "approved",
                "The approval or request is there",
                "An approval or request is there",
                "yes",
                "not yet: it is asked for now",
            ),
        ),
        terms=("cards.face_down",),
    ),
)
class DealFaceDown(Act, frozen=True):
    """Have the first two cards to each player dealt face down."""

    by: str
    approved: bool = False
    """The approval or request that the clause wants."""
    face_down: bool = True


@declare(
    by_supervisor("shuffle.final_rounds"),
    "<by> announces the final rounds",
    tournament=True,
    form=Form(
        "Limits and signs", "Announce the last rounds", says="Before the table closes.", terms=("shuffle.final_rounds",)
    ),
)
class AnnounceFinalRounds(Act, frozen=True):
    """Announce the last rounds before the table closes."""

    by: str


@declare(
    by_dealer("limits.found_below_minimum"),
    "<by> finds <player> [on <box>]",
    form=Form(
        "Boxes and wagers",
        "Report a bet outside the limits",
        says="Noticed after the first card.",
        words="below minimum above maximum late",
        fields=(ask.player, ask.box),
    ),
    situation="wager-outside-limits",
)
class FindWager(Act, frozen=True):
    """Notice after the first card that a wager is outside the sign."""

    by: str
    player: str
    box: int


@declare(by_the_floor("blazing_7s.linked"), "link sets the jackpot <cents>")
class SetJackpot(Act, frozen=True):
    """The link tells this table what the jackpot now stands at."""

    cents: int


@declare(
    by_the_floor("blazing_7s.linked"), "link pays <cents_each> each with <from_pool_each> from the pool", typed=("pay",)
)
class PayJackpot(Act, frozen=True):
    """The link tells a linked table what each jackpot winner of this round is paid."""

    cents_each: int
    from_pool_each: int
    """How much of it the pool bears; the house bears the rest."""


@declare(
    by_the_floor("wagers.player_card"),
    Line(
        "house tells of <player> [no-card] [loss <loss_left_cents>] [over <over_cents>] [deposit <deposit_left_cents>]"
        " [maximum <maximum_cents>] [minimum <minimum_cents>] [restricted <restriction>] [covering] [not-covering]"
        " [recognised] [restricted-before] [paused] [resumed] [excluded] [admitted] [because <barred...>]",
        flags={
            "no-card": ("card", False),
            "covering": ("cover_splits", True),
            "not-covering": ("cover_splits", False),
            "recognised": ("recognised", True),
            "restricted-before": ("restricted_before", True),
            "paused": ("paused", True),
            "resumed": ("paused", False),
            "excluded": ("excluded", True),
            "admitted": ("admitted", True),
        },
    ),
)
class TellPatron(Act, frozen=True):
    """The patrons' book tells this table of a person. What it does not name stays as the table has it."""

    player: str
    card: bool = True
    """Whether they have a valid player card of their own."""
    loss_left_cents: int | None = None
    """How much more they may lose in this period, at all tables together; None where they set no loss limit."""
    over_cents: int = 0
    """How much they have gone beyond that limit, of which nothing is left then."""
    deposit_left_cents: int | None = None
    maximum_cents: int | None = None
    """A maximum of their own at this table; 0: no longer; None: nothing is said of one."""
    minimum_cents: int = 0
    """The minimum that goes with that maximum."""
    restriction: str = ""
    """By which of the rulebook's restrictions; none: no longer; empty: nothing is said of one."""
    cover_splits: bool | None = None
    recognised: bool = False
    restricted_before: bool = False
    paused: bool | None = None
    """Whether they wait for the new period of their loss limit; None: nothing is said of it."""
    excluded: bool = False
    """Excluded from the casino; with `barred` alone: from the game."""
    admitted: bool = False
    """No longer barred or excluded."""
    barred: str = ""
    """Why they are barred or excluded."""


@declare(by_the_floor("patrons.day_by"), "house turns the date to <date>")
class TurnDate(Act, frozen=True):
    """A gaming day begins at this table: dated terms are in force by it from here on."""

    date: datetime.date


@declare(
    by_named("limits.changed_by"),
    Line(
        "<by> displays limits <minimum_cents> <maximum_cents> [for <kind>] in <minutes> minutes [at <at_ms>]",
        {"what": "limits"},
    ),
    Line("<by> displays closing in <minutes> minutes [at <at_ms>]", {"what": "closing"}),
    second=Second("gaming-manager", "a large change of the limits", when="large-maximum", shows="limits"),
    form=Form(
        "Limits and signs",
        "Announce new limits, or that the table closes",
        says="A sign says what changes and in how many minutes. The floor keeps the time and sets new limits then.",
        words="notice announce raise minimum close sign put up",
        fields=(
            ask.said("what", "About", {"limits": "new limits", "closing": "the table closes"}),
            ask.count("minutes", "In how many minutes", 20),
            ask.money("minimum_cents", "New minimum", optional=True),
            ask.money("maximum_cents", "New maximum", optional=True),
            ask.kind,
        ),
        terms=("limits.raise_notice_minutes", "patrons.close_notice_minutes"),
    ),
)
class DisplaySign(Act, frozen=True):
    """Put up a sign with new limits, or with the time at which the table closes."""

    by: str
    what: str
    """limits or closing."""
    minutes: int
    """In how many minutes it takes effect."""
    minimum_cents: int = 0
    maximum_cents: int = 0
    kind: str = ORIGINAL
    at_ms: int = 0
    """When the sign is put up; whoever has a clock says it."""


@declare(
    by_named("limits.changed_by"),
    Line("<by> takes down the limits sign [for <kind>]", {"what": "limits"}),
    Line("<by> takes down the closing sign", {"what": "closing"}),
    form=Form(
        "Limits and signs",
        "Take down a sign",
        says="Before its time: what it announced does not come.",
        words="remove notice cancel",
        fields=(ask.said("what", "About", {"limits": "new limits", "closing": "the table closes"}), ask.kind),
        terms=("limits.raise_notice_minutes", "patrons.close_notice_minutes"),
    ),
)
class TakeDownSign(Act, frozen=True):
    """Take a sign away that announced new limits, or that the table closes."""

    by: str
    what: str
    """limits or closing."""
    kind: str = ORIGINAL


# --- when things go wrong --------------------------------------------------------------------------------------------


@declare(
    by_dealer("irregularities.drawn_in_error"),
    Line("dealer draws in error [exposed]", flags=EXPOSED),
    form=Form(
        "Cards gone wrong",
        "A card was drawn in error",
        words="exposed flashed hit not asked for",
        fields=(ask.yes("exposed", "It is exposed"),),
        situations=("card-drawn-in-error", "card-refused"),
    ),
    situation="card-drawn-in-error",
)
class DrawInError(Act, frozen=True):
    """A card was drawn that nobody had asked for."""

    exposed: bool = False


@declare(
    by_player(),
    "<player> refuses the card [on <box>]",
    button=Button("Refuse the card", "r", "do not take the card drawn in error"),
    situation="card-refused",
)
class RefuseCard(Act, frozen=True):
    """A player does not accept the card that was drawn in error."""

    player: str
    box: int


@declare(
    by_dealer("irregularities.dealer_extra_exposed"),
    Line("dealer draws one too many [exposed]", flags=EXPOSED),
    form=Form(
        "Cards gone wrong",
        "One card too many to the dealer",
        words="too many extra",
        fields=(ask.yes("exposed", "It is exposed"),),
    ),
    situation="extra-dealer-card",
)
class ExtraDealerCard(Act, frozen=True):
    """After the dealer's hand was complete one more card was drawn to it."""

    exposed: bool = False


@declare(
    by_dealer("irregularities.face_up_card"),
    "dealer finds a card face up",
    form=Form("Cards gone wrong", "A card lies face up in the source", words="exposed boxed turned"),
    situation="card-face-up",
)
class FindFaceUpCard(Act, frozen=True):
    """The next card lies face up in the source."""


@declare(
    by_dealer("irregularities.burned_in_error"),
    "dealer burns in error",
    form=Form("Cards gone wrong", "A card was burned in error"),
    situation="card-burned-in-error",
)
class BurnInError(Act, frozen=True):
    """A card was burned that should not have been."""


@declare(
    by_dealer("irregularities.burn_forgotten"),
    "dealer forgets the burn",
    form=Form("Forgotten steps", "The burn was forgotten"),
    situation="burn-forgotten",
)
class ForgetBurn(Act, frozen=True):
    """The first card was not burned."""


@declare(
    by_dealer("irregularities.misdeal"),
    "dealer misdeals <places...> [noticed <noticed>]",
    form=Form(
        "Misdeals and void rounds",
        "The initial deal went wrong",
        says="Told in place of “Deal the round”: say to whom the cards went, in the order in which they left.",
        words="misdeal out of order wrong box no card",
        fields=(ask.places, ask.said("noticed", "Noticed", NOTICED)),
        situations=("card-out-of-order", "box-lacks-card", "dealer-lacks-card", "card-without-wager"),
        phase=(
            "wagers",
            "Not now: the cards of this round lie already. From here on tell what went wrong by itself, "
            "such as a hand left out.",
        ),
    ),
)
class Misdeal(Act, frozen=True):
    """The initial deal went wrong: to which boxes the cards went, in the order in which they left (0: the dealer)."""

    places: tuple[int, ...]
    noticed: str = "initial-deal"
    """When the error was noticed: initial-deal, in-turn (before the hand's turn was over), passed (after it, before
    the dealer's second card), dealer (after that) or after-round (the round was finished from the wrong hands)."""


@declare(
    by_dealer("irregularities.short_hand"),
    "dealer leaves out <box> [noticed <noticed>] [meant <meant>]",
    second=Second("casino-supervisor", "it says what a player had called for", moment="hand", shows="hand"),
    form=Form(
        "Misdeals and void rounds",
        "A hand was left out",
        says="The dealer went past it without the card that was due.",
        words="misdeal skipped",
        fields=(
            ask.box,
            ask.said(
                "noticed",
                "Noticed",
                {"passed": "before the dealer's second card", "dealer": "after the dealer's second card"},
            ),
            ask.one_of("meant", "What was called for", "hit", "double", "split"),
        ),
    ),
    situation="hand-left-out",
)
class LeaveOut(Act, frozen=True):
    """The dealer went past the hand in turn without the card that it must get or that was called for."""

    box: int
    noticed: str = "passed"
    """passed (before the dealer's second card) or dealer (after it)."""
    meant: str = "hit"
    """What the controlling player had shown that they wanted: hit, double or split."""


@declare(
    by_dealer("irregularities.misdeal"),
    "dealer misplaces the card of <player> [on <box>] to <wrong>",
    second=Second("casino-supervisor", "it says that a player had called for a card", moment="hand", shows="hand"),
    form=Form(
        "Misdeals and void rounds",
        "A card on the wrong box",
        words="misdeal",
        fields=(ask.player, ask.box, ask.wrong_box("wrong", "Box on which it lies")),
    ),
    situation="card-on-the-wrong-box",
)
class Misplace(Act, frozen=True):
    """A player hits, and their card is put on another box."""

    player: str
    box: int
    wrong: int
    """The box on which the card lies."""


@declare(
    by_named("irregularities.misdeal_by", "irregularities.misdeal_full_by", house_too=True),
    "<by> reconstructs the round",
    typed=("reconstruct",),
    step=Button("Rebuild the round", "Enter", awaited=True),
    form=Form(
        "Misdeals and void rounds",
        "Rebuild the round",
        says="Lay the cards as they should have gone.",
        situations=("misdeal-told-after-the-round",),
    ),
)
class Reconstruct(Act, frozen=True):
    """Rebuild the round as it should have been dealt; after its end it is laid and played again."""

    by: str


_WHERE = "[after line <line>] [at card <card>] [during <during>] [because <reason...>]"
_SINCE = "[since <rounds> rounds] [because <reason...>]"
_SO = "[during <during>] [because <reason...>]"
NOTICED_LATER = {
    "face-up": "a card lay face up and was dealt",
    "drawn": "a card was drawn that nobody had asked for, or two at once",
    "superfluous": "a card went to a hand to which none was due",
    "misplaced": "a card went to the wrong place",
    "burned": "a card was burned in error",
    "misdealt": "the initial deal went wrong",
    "left-out": "a hand was left out",
    "burn-forgotten": "the burn was forgotten",
    "insurance-missed": "insurance was not offered",
    "discards-forgotten": "the discards were not put back",
    "shuffle-missed": "the shuffle was missed",
    "cut-missed": "the cut was missed",
}


@declare(
    by_dealer("irregularities.misdeal"),
    Line(f"<by> notices a face-up card {_WHERE}", {"what": "face-up"}),
    Line(f"<by> notices a card drawn in error {_WHERE}", {"what": "drawn"}),
    Line(f"<by> notices a superfluous card to <to> {_WHERE}", {"what": "superfluous"}),
    Line(f"<by> notices a misplaced card to <to> {_WHERE}", {"what": "misplaced"}),
    Line(f"<by> notices a card burned in error {_WHERE}", {"what": "burned"}),
    Line(f"<by> notices the cards dealt <places...> {_SO}", {"what": "misdealt"}),
    Line(
        "<by> notices a hand left out [after line <line>] [at decision <decision>] [meant <meant>] " + _SO,
        {"what": "left-out"},
    ),
    Line(f"<by> notices the burn forgotten {_SO}", {"what": "burn-forgotten"}),
    Line(f"<by> notices insurance forgotten {_SO}", {"what": "insurance-missed"}),
    Line(f"<by> notices the discards forgotten {_SO}", {"what": "discards-forgotten"}),
    Line(f"<by> notices the shuffle missed {_SINCE}", {"what": "shuffle-missed"}),
    Line(f"<by> notices the cut missed {_SINCE}", {"what": "cut-missed"}),
    second=Second("casino-supervisor", "it may take a round back", moment="round", shows="round"),
    form=Form(
        "Misdeals and void rounds",
        "An error noticed afterwards",
        says="The round is laid as it should have been dealt; decisions that no longer fit are asked again.",
        words="hindsight earlier late moment face up burned misdeal wrong box superfluous left out missed",
        fields=(
            ask.said("what", "What went wrong", NOTICED_LATER),
            ask.card_of_round("card", "At which card of the round, in the order in which they left"),
            ask.decision_of_round("decision", "At which decision of the round, where a hand was left out"),
            ask.count("to", "Box where the card went (0: the dealer)", 0),
            ask.places_if_any,
            ask.one_of("meant", "What was called for, where a hand was left out", "hit", "double", "split"),
            ask.said(
                "during",
                "When it was noticed",
                {"": "now", "initial-deal": "during the initial deal", "dealers-hand": "before the settlement"},
            ),
            ask.count("rounds", "For how many rounds, where a shuffle or cut was missed", 1),
            ask.text_if_any("reason", "How it was noticed"),
        ),
        situations=("noticed-afterwards", "misdeal-told-after-the-round"),
    ),
)
class Notice(Act, frozen=True):
    """An error is noticed only now: what went wrong, and at which earlier moment of the round."""

    by: str
    what: str
    """One of `NOTICED_LATER`."""
    card: int = 0
    """Which card of the round it concerns, from 1, in the order in which they left the source."""
    decision: int = 0
    """Which decision of the round was entered in place of what had been called for, from 1."""
    to: int = 0
    """Where the card went (0: the dealer)."""
    places: tuple[int, ...] = ()
    """To whom the cards of the initial deal went, in the order in which they left."""
    meant: str = "hit"
    """What had been called for on a hand that was left out: hit, double or split."""
    during: str = ""
    """When it was noticed, where that was before the table was told: initial-deal, or dealers-hand (all cards were
    out and nothing was settled yet)."""
    rounds: int = 1
    """For how many rounds a missed shuffle or cut went unnoticed."""
    reason: str = ""
    line: int = 0
    """In a record: the play line after which it happened; the card or the decision that came next is meant."""


@declare(
    by_named("irregularities.void_by"),
    "<by> voids the round [for <grounds>] because <reason...>",
    second=Second("casino-supervisor", "a round is declared void by two people", moment="round", shows="round"),
    typed=("void",),
    form=Form(
        "Misdeals and void rounds",
        "Declare the round void",
        fields=(ask.said("grounds", "What makes it void", VOIDS), ask.text("reason", "Reason")),
        situations=("round-void", "cards-run-out"),
    ),
    situation="round-void",
)
class VoidRound(Act, frozen=True):
    """Declare the round void."""

    by: str
    reason: str
    grounds: str = ""
    """What makes it void: misdeal, impractical, fraud or disturbance; empty where only the reason says it."""


@declare(
    by_named("irregularities.void_by"),
    "<by> voids the earlier round [<rounds_ago> rounds ago] [because <reason...>]",
    second=Second("casino-supervisor", "a round is declared void by two people", moment="round", shows="round"),
    form=Form(
        "Misdeals and void rounds",
        "An earlier round was in error",
        fields=(ask.count("rounds_ago", "How many rounds ago", 1), ask.text_if_any("reason", "What was found")),
        situations=("misdeal-told-after-the-round", "misdeal-noticed-later"),
    ),
    situation="misdeal-noticed-later",
)
class VoidEarlierRound(Act, frozen=True):
    """An error in an earlier round was noticed only now."""

    by: str
    rounds_ago: int = 1
    """1: the round before this one, or the last one where none is being played."""
    reason: str = ""


@declare(
    by_dealer("irregularities.cut_missed"),
    "dealer forgets the cut",
    form=Form("Forgotten steps", "The cut was forgotten"),
    situation="cut-missed",
)
class ForgetCut(Act, frozen=True):
    """The cards were not cut."""


@declare(
    by_dealer("irregularities.shuffle_missed"),
    "dealer forgets the shuffle",
    form=Form("Forgotten steps", "The shuffle was forgotten"),
    situation="shuffle-missed",
)
class ForgetShuffle(Act, frozen=True):
    """The dealer dealt on although the cutting card had come."""


@declare(
    by_dealer("irregularities.discards_not_returned"),
    "dealer forgets the discards",
    form=Form("Forgotten steps", "The discards were not put back"),
    situation="discards-not-returned",
)
class ForgetDiscards(Act, frozen=True):
    """The discards are not put back into the shuffling device after this initial deal."""


@declare(
    by_dealer("irregularities.insurance_missed"),
    "dealer forgets insurance",
    form=Form("Forgotten steps", "Insurance was not offered"),
    situation="insurance-missed",
)
class ForgetInsurance(Act, frozen=True):
    """Insurance was not offered."""


@declare(
    by_dealer("irregularities.no_wagers_round"),
    "dealer deals without wagers <cards>",
    form=Form("Forgotten steps", "Cards dealt without wagers", fields=(ask.count("cards", "Cards exposed", 1),)),
    situation="round-without-wagers",
)
class DealWithoutWagers(Act, frozen=True):
    """A round was begun although nobody had wagered: so many cards were exposed."""

    cards: int


@declare(
    by_supervisor("irregularities.wrong_cards"),
    Line("<by> finds a missing card [because <reason...>]", {"what": "missing"}),
    Line("<by> finds a foreign card [because <reason...>]", {"what": "foreign"}),
    form=Form(
        "Cards gone wrong",
        "Cards missing or foreign",
        fields=(
            ask.one_of("what", "What was found", "missing", "foreign"),
            ask.text_if_any("reason", "How it was found"),
        ),
        facts={"which": "what"},
    ),
    situation="wrong-cards",
)
class FindWrongCards(Act, frozen=True):
    """A card is missing, or one was found that does not belong to the decks."""

    by: str
    what: str
    """missing or foreign."""
    reason: str = ""


@declare(
    by_supervisor("irregularities.wrong_cards_check"),
    Line("<by> confirms that the decks were checked", {"done": "decks"}),
    Line("<by> confirms that surveillance was told", {"done": "surveillance"}),
    Line("<by> confirms that an inspector was told", {"done": "inspector"}),
    Line("<by> confirms all that is due", {"done": "all"}),
    typed=("confirm",),
    form=Form(
        "Cards gone wrong",
        "Confirm what is due after a wrong card",
        says="After a missing or foreign card: the decks are checked, and who must be told is told.",
        words="decks checked verified surveillance inspector told",
        fields=(
            ask.said(
                "done",
                "What was done",
                {
                    "decks": "the decks were checked",
                    "surveillance": "surveillance was told",
                    "inspector": "an inspector was told",
                    "all": "all that is due",
                },
            ),
        ),
    ),
)
class Confirm(Act, frozen=True):
    """Confirm what was due after a missing or foreign card: a check of the decks, or that somebody was told."""

    by: str
    done: str
    """decks, surveillance, inspector or all."""


@declare(
    by_dealer("irregularities.dropped_cards"),
    Line("<by> verifies dropped cards", {"verified": True}),
    Line("<by> reports dropped cards", {"verified": False}),
    form=Form(
        "Cards gone wrong",
        "Cards were dropped",
        says="The dealer informs a supervisor, who verifies that all are there.",
        words="fell floor mishandled",
        fields=(ask.yes("verified", "A supervisor has verified that all are there"),),
    ),
    situation="cards-dropped",
)
class DropCards(Act, frozen=True):
    """Cards were dropped or mishandled: the dealer informs a supervisor, who verifies that all are there."""

    by: str
    verified: bool = True


@declare(
    by_dealer("irregularities.absent_player", house_too=True),
    "dealer passes over <player> [on <box>]",
    step=Button("Pass over: no decision", "x", for_player=True),
    form=Form(
        "People at the table", "A player does not decide", words="absent away slow left", fields=(ask.player, ask.box)
    ),
    situation="player-absent",
)
class PassOver(Act, frozen=True):
    """A player is absent or does not decide within a reasonable time."""

    player: str
    box: int


@declare(
    by_dealer("irregularities.idle_rounds"),
    "<by> vacates the seat of <player> [after <rounds> rounds]",
    form=Form(
        "People at the table",
        "A seated player lets rounds pass",
        says="At a full table they may be asked to give up the seat.",
        fields=(ask.player, ask.count("rounds", "Rounds that they let pass")),
    ),
    situation="seat-not-used",
)
class VacateSeat(Act, frozen=True):
    """Require a player who lets rounds pass at a full table to give up their seat."""

    by: str
    player: str
    rounds: int = 3
    """How many rounds in a row they have let pass, as the dealer counted."""


@declare(
    by_dealer("irregularities.conduct"),
    "<by> reminds <person> of <duty>",
    form=Form(
        "People at the table",
        "Remind somebody of a duty",
        says="Staff who advise or favour, players who break a duty of conduct.",
        fields=(ask.person, ask.duty),
        situations=("duty-of-conduct", "out-of-turn", "wrong-total", "cards-touched", "surrender-missed"),
    ),
    situation="duty-of-conduct",
)
class Remind(Act, frozen=True):
    """Somebody broke a duty of conduct and is reminded of it."""

    by: str
    person: str
    """A player, or the role of a member of staff."""
    duty: str
    """As the rulebook names its duties: advice, advantage, procedures, device, loss-limit, ..."""


@declare(
    by_dealer("device.failure"),
    Line(
        "<by> reports a malfunction [repairable] [disadvantage] [spare] [transferable] [cutting-card] "
        "[damaging <damaged...>]",
        flags={
            "disadvantage": ("disadvantage", True),
            "spare": ("spare", True),
            "transferable": ("transferable", True),
            "repairable": ("repairable", True),
            "cutting-card": ("course", "cutting-card"),
        },
    ),
    form=Form(
        "Shuffling device and jackpot",
        "The shuffling device failed",
        words="malfunction broken machine shuffler",
        fields=(
            ask.cards("damaged", "Damaged cards, such as 6s Kd"),
            ask.yes("disadvantage", "It put somebody at a disadvantage"),
            ask.yes("spare", "Another device is at hand"),
            ask.yes("transferable", "The cards can be moved"),
            ask.yes("repairable", "It can readily be repaired"),
            ask.said("course", "Go on with", {"shuffle": "a shuffle by hand", "cutting-card": "the cutting card"}),
        ),
        facts={"damage": "damaged"},
    ),
    situation="shuffling-device-malfunction",
)
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
    repairable: bool = False
    """It can readily be repaired."""


@declare(
    by_player(house_too=True),
    "<player> takes back",
    typed=("take-back", "take"),
    button=Button("Take wagers back", "t", "withdraw from the round", last=True),
)
class TakeBack(Act, frozen=True):
    """Take one's wagers of the round back, where that is offered."""

    player: str


@declare(
    by_player(house_too=True),
    "<player> plays on",
    typed=("play-on", "play"),
    button=Button("Play on", "k", "leave the wagers", calm=True),
)
class PlayOn(Act, frozen=True):
    """Leave one's wagers in play, where taking them back is offered."""

    player: str


@declare(
    by_dealer("device.jam"),
    "dealer clears a jam",
    form=Form("Shuffling device and jackpot", "A jam was cleared", words="stuck"),
    situation="jam",
)
class ClearJam(Act, frozen=True):
    """Cards jammed in the device were taken out, mixed and put back: chance says how they now lie."""

    order: tuple[Card, ...]


@declare(
    by_supervisor("device.after"),
    "<by> repairs the device [because <reason...>]",
    form=Form("Shuffling device and jackpot", "The device works again", fields=(ask.reason,)),
    situation="device-repaired",
)
class RepairDevice(Act, frozen=True):
    """The shuffling device works again: new cards are shuffled into it."""

    by: str
    reason: str = ""


@declare(
    by_dealer("blazing_7s.fault"),
    "<by> reports a jackpot fault",
    form=Form("Shuffling device and jackpot", "Jackpot equipment failed", words="sensor light"),
    situation="jackpot-fault",
)
class ReportJackpotFault(Act, frozen=True):
    """The jackpot equipment failed in this round: jackpot wagers go back."""

    by: str


@declare(
    by_supervisor("irregularities.invalid_wager"),
    "<by> finds <player> invalid [on <box>] [because <reason...>]",
    form=Form(
        "Boxes and wagers",
        "Find an invalid wager",
        says="Without a valid card of one's own, or for another.",
        fields=(ask.player, ask.box, ask.text_if_any("reason", "What was found")),
    ),
    situation="invalid-wager",
)
class FindInvalidWager(Act, frozen=True):
    """A wager was made without a valid card of one's own, or for another."""

    by: str
    player: str
    box: int
    reason: str = ""


@declare(
    by_dealer("wagers.player_card"),
    "<by> is shown the card of <player>",
    form=Form(
        "People at the table",
        "A player shows their own card",
        says="After an invalid wager: a valid player card of their own, before they wager again.",
        words="own player card identified",
        fields=(ask.player,),
    ),
)
class AcceptCard(Act, frozen=True):
    """Whose wager was invalid has shown a valid player card of their own."""

    by: str
    player: str


@declare(
    by_dealer("irregularities.loss_limit_excess"),
    "<by> finds <player> over the loss limit [because <reason...>]",
    form=Form(
        "Boxes and wagers",
        "Find wagers above a loss limit",
        fields=(ask.player, ask.text_if_any("reason", "What was found")),
    ),
    situation="over-loss-limit",
)
class FindLossExcess(Act, frozen=True):
    """A player's wagers turn out to exceed their loss limit."""

    by: str
    player: str
    reason: str = ""


@declare(
    by_named("irregularities.barred_by"),
    Line("<by> bars <player> [for <breach>] because <reason...>", {"void": True, "exclude": True, "detained": False}),
    Line("<by> detains <player> [for <breach>] because <reason...>", {"void": True, "exclude": True, "detained": True}),
    Line(
        "<by> excludes <player> [detained] [for <breach>] because <reason...>", {"void": False, "exclude": True}, HELD
    ),
    Line(
        "<by> voids the wagers of <player> [detained] [for <breach>] because <reason...>",
        {"void": True, "exclude": False},
        HELD,
    ),
    Line("<by> holds <player> [for <breach>] because <reason...>", {"void": False, "exclude": False, "detained": True}),
    second=Second("casino-supervisor", "nobody is barred by one person alone", shows="wagers-of-player"),
    tournament=True,
    form=Form(
        "People at the table",
        "Measures against a person",
        says="Void wagers, exclusion from the game, or both.",
        words="bar device cheat rules exclude detain",
        fields=(
            ask.player,
            ask.said("breach", "What they did", BROKEN),
            ask.text("reason", "Reason"),
            ask.yes("void", "Their wagers are void", "Wagers void", "yes", "no"),
            ask.yes("exclude", "They are excluded from the game", "Excluded from the game", "yes", "no"),
            ask.yes(
                "detained", "They are kept until somebody takes over", "Kept until somebody takes over", "yes", "no"
            ),
        ),
        facts={"detain": "detained"},
    ),
    situation="prohibited-device",
)
class BarPlayer(Act, frozen=True):
    """Take measures against a person who broke the rules: void wagers, exclusion from the game, detention."""

    by: str
    player: str
    reason: str
    detained: bool = False
    """They have a prohibited device and are kept until somebody with the authority takes over."""
    void: bool = True
    exclude: bool = True
    breach: str = ""
    """What they did: device, rules (another one) or conduct; empty where only the reason says it."""


@declare(
    by_named("irregularities.invalidated_by"),
    Line(
        "<by> invalidates the round for <cause> [without-refund] [forfeiting <forfeit...>] [because <reason...>]",
        flags={"without-refund": ("refund", False)},
    ),
    second=Second(
        "casino-supervisor",
        "two people invalidate a round",
        moment="round",
        shows="round",
        if_said="forfeit",
        then=("gaming-manager", "wagers are forfeited for fraud by two people", "irregularities.fraud_forfeit"),
    ),
    form=Form(
        "Disturbance and fraud",
        "Invalidate the round",
        words="fire robbery uproar cheat",
        fields=(
            ask.one_of("cause", "Cause", "disturbance", "fraud"),
            ask.yes("refund", "The wagers go back", "Wagers", "go back", "are kept"),
            ask.people("forfeit", "Whose wagers are forfeited"),
            ask.text_if_any("reason", "What happened"),
        ),
        situations=("disturbance", "fraud"),
        situation_by=("cause", {"disturbance": "disturbance", "fraud": "fraud"}),
    ),
)
class InvalidateRound(Act, frozen=True):
    """Invalidate the round for a disturbance, or for fraud (whose wagers may be forfeited)."""

    by: str
    cause: str
    """disturbance or fraud."""
    forfeit: tuple[str, ...] = ()
    refund: bool = True
    """Whether the wagers go back, where the rulebook leaves that to whoever invalidates the round."""
    reason: str = ""


@declare(
    by_supervisor("irregularities.mispayment"),
    Line(
        "<by> records <player> overpaid <cents> [cash-change] [colour-change] [unrectified] [intentional]"
        " [because <reason...>]",
        {"over": True},
        MISPAID,
    ),
    Line(
        "<by> records <player> underpaid <cents> [cash-change] [colour-change] [unrectified] [intentional]"
        " [because <reason...>]",
        {"over": False},
        MISPAID,
    ),
    second=Second("casino-supervisor", "money put right is seen by two people"),
    form=Form(
        "Payments and disputes",
        "Record a mispayment",
        words="overpaid underpaid too much too little wrong amount",
        fields=(
            ask.player,
            ask.money("cents", "Amount"),
            ask.yes("over", "Too much was paid", "Paid", "too much", "too little"),
            ask.said("exchange", "What was paid", EXCHANGES),
            ask.yes("rectified", "It was put right", "Put right", "yes", "no, not yet"),
            ask.yes("intentional", "Suspected to be intentional", "Intentional", "suspected", "not suspected"),
            ask.reason,
        ),
        situations=("overpayment", "underpayment"),
        situation_by=("over", {"true": "overpayment", "false": "underpayment"}),
        facts={"dollars": "cents"},
    ),
)
class RecordMispayment(Act, frozen=True):
    """A wager or an exchange was paid too much or too little."""

    by: str
    player: str
    cents: int
    over: bool = True
    """True: too much; False: too little."""
    rectified: bool = True
    intentional: bool = False
    reason: str = ""
    """How it came about, as enquiries showed."""
    exchange: str = ""
    """Where it was no wager: cash-change or colour-change."""


@declare(
    by_named("irregularities.approval", "blazing_7s.fault_approval", house_too=True),
    "<by> approves [because <reason...>]",
    typed=("approve",),
    step=Button("Approve that the game continues", "Enter", awaited=True),
    form=Form("Disturbance and fraud", "Approve that the game continues", fields=(ask.reason,)),
)
class Approve(Act, frozen=True):
    """Approve that the game continues after an irregularity."""

    by: str
    reason: str = ""


@declare(
    by_named("blazing_7s.fault_approval"),
    "<by> restores the jackpot",
    form=Form("Shuffling device and jackpot", "The jackpot equipment works again", situations=("jackpot-fault",)),
)
class RestoreJackpot(Act, frozen=True):
    """The jackpot equipment works again."""

    by: str


@declare(
    by_named("irregularities.loss_limit_pause_by"),
    "<by> pauses <player>",
    form=Form(
        "People at the table",
        "Have a player pause",
        says="While the period of their loss limit is reset.",
        fields=(ask.player,),
    ),
    situation="loss-limit-reset",
)
class PausePlayer(Act, frozen=True):
    """Keep a player from wagering while the period of their loss limit is reset."""

    by: str
    player: str


@declare(
    by_named("irregularities.loss_limit_pause_by"),
    "<by> readmits <player> [with limit <loss_limit_cents>]",
    form=Form(
        "People at the table",
        "Readmit a player who paused",
        says="The new period has begun.",
        fields=(ask.player, ask.money("loss_limit_cents", "New loss limit (may stay empty)", optional=True)),
        situations=("loss-limit-reset",),
    ),
)
class ReadmitPlayer(Act, frozen=True):
    """The new period has begun: the player may wager again, with the loss limit that they have set for it."""

    by: str
    player: str
    loss_limit_cents: int | None = None


@declare(by_player(term="irregularities.dispute_by"), "<player> disputes that <about...>", situation="dispute")
class RaiseDispute(Act, frozen=True):
    """Dispute a decision or a payment."""

    player: str
    about: str


@declare(
    by_named("irregularities.dispute_by", "irregularities.dispute_review", private=True),
    "<by> rules for <player> that <ruling...>",
    tournament=True,
    form=Form(
        "Payments and disputes",
        "Rule on a dispute",
        says="In the first instance, or on review.",
        words="complaint disagree",
        fields=(ask.complainant, ask.text("ruling", "Ruling")),
        situations=("dispute",),
    ),
)
class RuleDispute(Act, frozen=True):
    """Decide a dispute, in the first instance or on review."""

    by: str
    player: str
    ruling: str


@declare(by_player(term="irregularities.dispute_review"), "<player> asks for a review")
class AskReview(Act, frozen=True):
    """Not be satisfied with the ruling on one's dispute."""

    player: str


# --- chips and the float ---------------------------------------------------------------------------------------------


@declare(
    by_player("dealer", term="wagers.changed_by"),
    "<player> changes <cents> into <chip_cents> chips",
    typed=("colour",),
    form=Form(
        "Chips and float",
        "Change the colour of chips",
        says="Chips for other chips of the same value.",
        words="colour change denomination larger smaller",
        fields=(ask.player, ask.money("cents", "Amount"), ask.money("chip_cents", "Into chips of")),
        terms=("wagers.changed_by",),
    ),
)
class ChangeColour(Act, frozen=True):
    """Exchange chips for other chips of the same value."""

    player: str
    cents: int
    chip_cents: int
    """The chips that the player gets."""


@declare(
    by_named("wagers.tokens_by"),
    "<by> issues <player> <cents> in tokens",
    form=Form(
        "Chips and float",
        "Change a voucher into tokens",
        words="promotional token voucher",
        fields=(ask.anyone, ask.money("cents", "Amount")),
        terms=("wagers.tokens_by", "wagers.means"),
    ),
)
class IssueTokens(Act, frozen=True):
    """Exchange a promotional voucher for tokens of the same value."""

    by: str
    player: str
    cents: int


@declare(
    by_named("wagers.float_by"),
    "<by> fills the float with <cents>",
    second=Second("casino-supervisor", "chips that come to a float are counted by two people"),
    form=Form(
        "Chips and float",
        "Fill the float",
        says="Chips come from the cage.",
        words="fill cage more chips rack",
        fields=(ask.money("cents", "Amount"),),
        terms=("wagers.float_by",),
    ),
)
class FillFloat(Act, frozen=True):
    """Bring chips from the cage to the float."""

    by: str
    cents: int


@declare(
    by_named("wagers.float_by"),
    "<by> credits the float with <cents>",
    second=Second("casino-supervisor", "chips that leave a float are counted by two people"),
    form=Form(
        "Chips and float",
        "Credit the float",
        says="Chips go back to the cage.",
        words="credit cage too many chips rack",
        fields=(ask.money("cents", "Amount"),),
        terms=("wagers.float_by",),
    ),
)
class CreditFloat(Act, frozen=True):
    """Take chips from the float back to the cage."""

    by: str
    cents: int


@declare(
    by_named("wagers.float_by"),
    "<by> cashes <cents> of <player>",
    second=Second("casino-supervisor", "cash is handed over by two people"),
    form=Form(
        "Chips and float",
        "Give cash for chips",
        says="Chips go to the float; the player gets cash for them.",
        words="cash out redeem cage payout",
        fields=(ask.player, ask.money("cents", "Amount")),
        terms=("wagers.float_by", "wagers.changed_by"),
    ),
)
class CashChips(Act, frozen=True):
    """Give a player cash for chips, where chips are counted."""

    by: str
    player: str
    cents: int


# --- money that does not add up --------------------------------------------------------------------------------------


@declare(
    Rule("staff", "casino-supervisor", "irregularities.mispayment", house_too=True),
    "<by> stops the table because <reason...>",
    form=Form(
        "Payments and disputes",
        "Stop the table",
        says="Nothing more is done at it until two people restart it.",
        words="money does not add up halt freeze",
        fields=(ask.text("reason", "Reason"),),
    ),
)
class StopTable(Act, frozen=True):
    """The money does not add up, or is thought not to: nothing more is done at the table."""

    by: str
    reason: str


@declare(
    by_supervisor("irregularities.mispayment"),
    "<by> resumes the table because <reason...>",
    second=Second("casino-supervisor", "a stopped table restarts only with the approval of two people"),
    form=Form(
        "Payments and disputes",
        "Restart a stopped table",
        words="resume clear money adds up again",
        fields=(ask.text("reason", "What was found, and what was done"),),
    ),
)
class ResumeTable(Act, frozen=True):
    """Let a table that was stopped go on."""

    by: str
    reason: str


# --- a session of a tournament ----------------------------------------------------------------------------------------


@declare(by_supervisor("tournament.offered"), tournament=True)
class BeginSession(Act, frozen=True):
    """Begin a session of a tournament, with everybody who plays in it and what the conditions lay down."""

    by: str
    session: SessionTerms


@declare(
    by_supervisor("tournament.offered"),
    "<by> ends the session",
    tournament=True,
    form=Form("Tournament", "End the session", says="The chips of everybody are totalled and go back."),
)
class EndSession(Act, frozen=True):
    """End the session: chips are totalled and go back to the inventory."""

    by: str


@declare(
    by_dealer("tournament.order", house_too=True),
    "dealer asks <player>",
    form=Form("Tournament", "Ask a player to wager", fields=(ask.player,)),
)
class AskWager(Act, frozen=True):
    """Ask the next player to wager; whoever was asked before has had their opportunity."""

    player: str


@declare(
    by_player(term="tournament.order"),
    "<player> plays a pass card",
    typed=("pass",),
    button=Button("Pass card", "x", "pass this round with a card", calm=True, last=True),
)
class PlayPassCard(Act, frozen=True):
    """Lay down a pass card in lieu of a wager."""

    player: str


@declare(
    by_player(term="tournament.order"),
    "<player> hands in a form [of <wager>] [for <cents>]",
    typed=("form",),
)
class HandInForm(Act, frozen=True):
    """Make an undisclosed wager: write its type and amount on the form and pass it to the supervisor."""

    player: str
    wager: str = ""
    """The type as it is written; "" where none is."""
    cents: int = 0
    """The amount as it is written; 0 where none is."""


@declare(
    Rule("staff", "gaming-supervisor", "tournament.order", house_too=True),
    Line("<by> examines the form of <player> [unnoticed]", flags={"unnoticed": ("unnoticed", True)}),
    form=Form("Tournament", "Examine a form", says="It is in order: the indicator is placed.", fields=(ask.player,)),
)
class ExamineForm(Act, frozen=True):
    """Examine a form before the round, and place the indicator."""

    by: str
    player: str
    unnoticed: bool = False
    """It is not in order, and nobody has noticed."""


@declare(
    Rule("staff", "gaming-supervisor", "tournament.order", house_too=True),
    "<by> returns the form to <player>",
    form=Form("Tournament", "Give a form back", says="It is not in order.", fields=(ask.player,)),
)
class ReturnForm(Act, frozen=True):
    """Give a form back that is not in order."""

    by: str
    player: str


@declare(by_player(term="tournament.order"), "<player> looks at the form of <of>")
class InspectForm(Act, frozen=True):
    """Look at the form of another player, after its round and before the next."""

    player: str
    of: str


@declare(
    by_dealer("tournament.order"),
    "<by> holds <player> to the minimum",
    form=Form("Tournament", "Hold a late player to the minimum", fields=(ask.player,)),
)
class HoldToMinimum(Act, frozen=True):
    """The time to wager is over: somebody who has not wagered is held to the minimum."""

    by: str
    player: str


@declare(
    by_dealer("tournament.absence"),
    "<by> deducts the minimum from <player>",
    form=Form("Tournament", "Deduct the minimum from an absent player", fields=(ask.player,)),
)
class DeductMinimum(Act, frozen=True):
    """Deduct the minimum for a round that somebody misses, as the manager directs."""

    by: str
    player: str


@declare(
    by_supervisor("tournament.out_of_turn"),
    "<by> voids the wager of <player>",
    tournament=True,
    form=Form("Tournament", "Declare a wager out of turn void", fields=(ask.player,)),
)
class VoidEarlyWager(Act, frozen=True):
    """Declare a wager out of turn void, of somebody who was warned before."""

    by: str
    player: str


@declare(
    by_supervisor("tournament.disqualified_keeps"),
    "<by> removes <player> for <ground> [because <why...>]",
    tournament=True,
    form=Form(
        "Tournament",
        "Remove a player from the session",
        says="Disqualified, or without a wager on the round.",
        fields=(
            ask.player,
            ask.one_of(
                "ground",
                "For",
                "every-round",
                "disqualify",
                "contravention",
                "increase",
                "conceal",
                "in-view",
                "advice",
                "absent",
            ),
            Field("why", "text", "Reason", optional=True),
        ),
    ),
)
class RemovePlayer(Act, frozen=True):
    """Remove somebody from the session: who does not wager, or is disqualified."""

    by: str
    player: str
    ground: str
    why: str = ""


@declare(
    by_supervisor("tournament.offered"),
    "<by> counts the chips",
    tournament=True,
    form=Form("Tournament", "Have the chips counted"),
)
class CountStacks(Act, frozen=True):
    """Have the chips of all players counted."""

    by: str


@declare(
    by_supervisor("tournament.offered"),
    Line("<by> allows <seconds> seconds to wager [notified]", flags={"notified": ("notified", True)}),
    tournament=True,
    form=Form(
        "Tournament",
        "Set the time to wager",
        fields=(ask.count("seconds", "Seconds", 20), ask.yes("notified", "The players were told before")),
    ),
)
class SetWagerTime(Act, frozen=True):
    """Limit the time in which somebody wagers; 0 lifts the limit."""

    by: str
    seconds: int
    notified: bool = False


AnyAct: TypeAlias = Union[
    TakeSeat, LeaveTable, PlaceWager, WithdrawWager, DeclineControl, Expose, Insure, Surrender, Hit, Stand, Double,
    Split, Decline, Forfeit, Keep, Cut, DeclineCut, BuyChips, BringChips, TakeChips,
    CallNoMoreBets, Deal, CloseInsurance, CloseSurrender,
    Shuffle, Mix, PlaceCuttingCard, SetLimits, GrantMaximum, Restrict, LiftRestriction, LimitBoxes, ReserveBoxes,
    CapPlayers, CapBox, RefuseWager, RestrictSideBet, AllowResplit, DeferInterim, DealFaceDown, OrderShuffle,
    ReplaceCards, AnnounceFinalRounds, FindWager, RequireSideBet, SetJackpot, PayJackpot, ReportJackpotFault,
    FindFaceUpCard, CheckSource, DrawInError, RefuseCard, ExtraDealerCard, BurnInError, ForgetBurn, DealWithoutWagers,
    Misdeal, LeaveOut, Misplace, Reconstruct, Notice, VoidRound, VoidEarlierRound, ForgetCut, ForgetShuffle,
    ForgetDiscards, ForgetInsurance, FindWrongCards, Confirm, DropCards, PassOver, ReportMalfunction, TakeBack, PlayOn,
    ClearJam, RepairDevice, FindInvalidWager, AcceptCard, FindLossExcess, BarPlayer, InvalidateRound, RecordMispayment,
    Approve, RestoreJackpot, Remind, PausePlayer, ReadmitPlayer, VacateSeat, RaiseDispute, RuleDispute, AskReview,
    TellPatron, TurnDate, DisplaySign, TakeDownSign, ChangeColour, IssueTokens, FillFloat, CreditFloat, CashChips,
    StopTable, ResumeTable,
    BeginSession, EndSession, AskWager, PlayPassCard, HandInForm, ExamineForm, ReturnForm,
    InspectForm, HoldToMinimum, DeductMinimum, VoidEarlyWager, RemovePlayer, CountStacks, SetWagerTime,
]  # fmt: skip
