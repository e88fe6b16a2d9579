"""A rulebook: every value that a document decides, one typed field for each thing that may differ.

Each field is a `Term`: the value (a word is one of those that its type names), the clauses that say so, the date from
which (where the document gives one) and the reading (where the document is silent or unclear). Nothing in the engine
asks which rulebook it plays: it asks for a term.

`Rulebook.on` gives the rulebook as it stands on a gaming date; as it is loaded, it has the newest value of every term.
"""

from __future__ import annotations

import datetime
from functools import cache, lru_cache
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from pitboss.basics.money import Odds

T = TypeVar("T", covariant=True)


Role: TypeAlias = Literal[
    "nobody",
    "dealer",
    "gaming-supervisor",
    "casino-supervisor",
    "assistant-gaming-manager",
    "gaming-manager",
    "shift-manager",
    "casino-operator",
    "house",
]
"""Who a document lets decide something; Canberra says casino operator, Adelaide the House."""

Notified: TypeAlias = Literal["nobody", "inspector", "government-inspectorate", "commission"]
"""Who must be told or consulted."""


class Dated(msgspec.Struct, Generic[T], frozen=True):
    """One of several values that a term has had, or will have, from its date on."""

    value: T
    clauses: tuple[str, ...]
    reading: str | None = None
    since: datetime.date | None = None
    """None: before every date that the document names."""
    in_words: str | None = None


class Term(msgspec.Struct, Generic[T], frozen=True):
    """One decided value with its cause."""

    value: T
    clauses: tuple[str, ...]
    reading: str | None = None
    """Why this value, where the document is silent or can be read in more than one way."""
    since: datetime.date | None = None
    """The first gaming date on which the value holds, where the document names one."""
    in_words: str | None = None
    """The value as a refusal would say it, where the bare value reads badly."""
    dated: tuple[Dated[T], ...] = ()
    """Every value that it has, the oldest first, where the document changes it on a date; the term is one of them."""

    @property
    def clause(self) -> str:
        return self.clauses[0]

    def on(self, date: datetime.date | None) -> Term[T]:
        """The term as it stands on a gaming date; with None at its newest."""
        held = [each for each in self.dated if each.since is None or date is None or each.since <= date]
        return of_dates(self.dated, held[-1]) if held else self

    def later(self, date: datetime.date) -> tuple[Dated[T], ...]:
        """The values that it does not have yet on a date."""
        return tuple(each for each in self.dated if each.since is not None and each.since > date)


def of_dates(dated: tuple[Dated[T], ...], held: Dated[T]) -> Term[T]:
    """The term that has one of its dated values."""
    return Term(held.value, held.clauses, held.reading, held.since, held.in_words, dated)


class PayRow(msgspec.Struct, frozen=True):
    """One row of a pay table."""

    name: str
    """pontoon, 5-card-21, 6-card-21, 7-plus-card-21, 678-mixed, 678-suited, 678-spades, 777-mixed, 777-suited,
    777-spades, other; a pair's kind; a Blazing 7s hand."""
    odds: Odds
    clauses: tuple[str, ...]


class FixedRow(msgspec.Struct, frozen=True):
    """One Blazing 7s prize: a share of the jackpot, or an amount for each size of wager."""

    name: str
    share_percent: int
    """100 or 10; 0 for a fixed prize."""
    cents_by_wager: dict[int, int]
    """Prize for a wager of 250 and of 500 cents; empty for a share."""
    clauses: tuple[str, ...]


class Game(msgspec.Struct, frozen=True):
    name: Term[str]
    """How texts call it: "NSW pontoon"."""
    natural: Term[Literal["pontoon", "blackjack"]]
    """The document's word for ace and ten: pontoon, or blackjack."""
    document: Term[str]
    """Title and edition of the document."""
    edition: Term[str]
    tournaments_by: Term[Literal["nobody", "tournament-manager", "tournament-director"]]
    """Who runs tournaments: tournament-manager, tournament-director, or nobody."""


class Cards(msgspec.Struct, frozen=True):
    decks: Term[tuple[int, ...]]
    """Numbers of decks that may be used."""
    decks_default: Term[int]
    """With how many a table opens when nobody says."""
    ranks: Term[str]
    """The ranks of one deck: pontoon has no T."""
    jokers: Term[bool]
    """Whether promotional jokers may be put in."""
    ace: Term[Literal["1-or-11"]]
    """"1-or-11": 11 unless that exceeds 21."""
    numbers: Term[Literal["face-value"]]
    """"face-value"."""
    pictures: Term[int]
    """10."""
    natural_rank: Term[str]
    """Ten-value ranks from high to low where naturals are compared, else ""."""
    face_down: Term[Literal["never", "inspector-approval", "vip-request"]]
    """Who can allow the first two cards face down: never, inspector-approval, vip-request."""
    new_cards_shoe: Term[Literal["after-cutting-card-round", "any-round"]]
    """When cards from a shoe may be changed: after-cutting-card-round, any-round."""
    new_cards_device: Term[Literal["any-round"]]
    """The same from a shuffling device: any-round."""
    new_cards_by: Term[Role]
    """Whose decision: a role."""


class Shuffle(msgspec.Struct, frozen=True):
    means: Term[tuple[Literal["hand", "multishuffler", "shuffling-device", "pre-shuffled"], ...]]
    """Ways to get a shuffled stack: hand, multishuffler, shuffling-device, pre-shuffled."""
    means_clauses: Term[dict[str, str]]
    """The clause for each of those."""
    sources: Term[tuple[Literal["shoe", "shuffling-device"], ...]]
    """What cards may be dealt from: shoe, shuffling-device."""
    at_start: Term[bool]
    cutting_card_first: Term[Literal["shuffle"]]
    """The cutting card comes first of a round: shuffle."""
    cutting_card_mid_round: Term[Literal["finish-then-shuffle"]]
    """It comes during a round: finish-then-shuffle."""
    ordered_by: Term[Role]
    """Who may order a shuffle after a round: a role, or nobody."""
    ordered_notice: Term[Notified]
    """Who must be told of an ordered shuffle: nobody, government-inspectorate."""
    cutter_new_game: Term[Literal["first-to-table", "farthest-left"]]
    """first-to-table or farthest-left."""
    cutter_on_box: Term[Literal["that-box"]]
    """The cutting card fell on a box: that-box."""
    cutter_on_dealer: Term[Literal["farthest-right"]]
    """farthest-right."""
    cutter_first_card: Term[Literal["farthest-right"]]
    """farthest-right."""
    cutter_new_cards: Term[Literal["farthest-right"]]
    """farthest-right."""
    cut_refused: Term[Literal["clockwise"]]
    """A refused cut is offered on: clockwise."""
    cut_refused_by_all: Term[Literal["casino-supervisor", "dealer"]]
    """Who cuts when no player does: casino-supervisor or dealer."""
    cut_depth_decks: Term[int]
    """A cut is at least so many decks from either end."""
    cutting_card_decks_min: Term[int]
    """The dealer's cutting card goes in at least so many decks from the back,"""
    cutting_card_share_max: Term[Literal["half"]]
    """and at most this share of the stack from the back: half."""
    cutting_card_tolerance_decks: Term[Literal["0", "1/2"]]
    """How far "approximately" reaches, in decks: "0" or "1/2"."""
    device_cut: Term[bool]
    """Whether cards from a shuffling device are cut: never."""
    burn_shoe: Term[int]
    """Cards burned face down after each shuffle and cut of a shoe."""
    burn_device: Term[int]
    """Cards drawn face down to the rack after a shuffling device is loaded."""
    device_return: Term[Literal["after-initial-deal", "end-of-round"]]
    """When discards go back into the device: after-initial-deal or end-of-round."""
    final_rounds: Term[int]
    """In how many announced last rounds the cutting card does not stop the deal; 0 where the document has none."""
    when_deserted: Term[bool]
    """Whether the cards are shuffled when all players have left."""
    insufficient: Term[Literal["shuffle-and-cut-discards"]]
    """Too few cards to finish a round: shuffle-and-cut-discards."""
    insufficient_device: Term[Literal["as-from-a-shoe", "lapses"]]
    """The same with a shuffling device: as-from-a-shoe, or lapses where the rule has no effect then."""


class Boxes(msgspec.Struct, frozen=True):
    number: Term[tuple[int, ...]]
    """How many boxes a layout may have."""
    players_max: Term[int]
    """Players on one box."""
    wagers_per_player: Term[int]
    """Original wagers of one player on one box."""
    control: Term[tuple[Literal["seated", "highest", "nearest"], ...]]
    """Who decides on a shared box, first match: seated, highest, nearest."""
    control_clauses: Term[dict[str, str]]
    """The clause for each of those."""
    control_declinable: Term[bool]
    """Whether control may be declined, passing to the next wager in line; if all decline, the box is void."""
    several: Term[Literal["allowed-until-demand", "control-until-demand", "own-place-only"]]
    """One player on several boxes when others want to play: allowed-until-demand (they give boxes up),
    control-until-demand (they give up calling them, and may still wager where another calls), or own-place-only (nobody
    has several: everybody wagers from the place allotted to them)."""
    several_limited_by: Term[Role]
    """Who may hold a player to fewer boxes when others want to play: a role."""
    reserved_by: Term[Role]
    """Who may reserve boxes for one player: a role, or nobody."""
    players_capped_by: Term[Role]
    """Who may cap the players at the table: a role, or nobody."""
    box_players_capped_by: Term[Role]
    """Who may allow fewer players on a box: a role, or nobody."""


class Restriction(msgspec.Struct, frozen=True):
    """One way in which the house may restrict a player."""

    name: str
    """late-entry, all-further-shoes, one-box, recognised-player, associate, cover-splits."""
    by: Role
    """The role that may do it."""
    condition: Literal[
        "missed-a-round", "missed-first-two", "skipped-after-two", "recognised", "restricted-before", "none"
    ]
    """missed-a-round: the player let a round of this shoe pass; missed-first-two: bet on neither of rounds one and two;
    skipped-after-two: bet on one of them and let a later round pass; recognised: was declared a recognised player;
    restricted-before; none."""
    source: Literal["shoe", "any"]
    """shoe where it needs a card shoe, any otherwise."""
    minimum_only: bool
    boxes_max: int
    """0 where the number of boxes stays free."""
    until: Literal["reshuffle", "lifted"]
    """reshuffle or lifted."""
    notice: Notified
    """Who must be told or consulted: nobody, inspector, government-inspectorate, commission."""
    notice_first: bool
    """Whether that comes before the restriction; otherwise they are advised of it."""
    clauses: tuple[str, ...]


class Limits(msgspec.Struct, frozen=True):
    maximum_scope: Term[Literal["box", "player-box"]]
    """What the maximum on the sign is for: box (all wagers on it together) or player-box (each player's wager)."""
    cascade: Term[tuple[str, ...]]
    """Clauses by which controller, second and third player share a box maximum; empty where each has an own limit."""
    sign: Term[Literal["box", "player-box", "player-box-and-bet-type"]]
    """What the sign shows."""
    multiples: Term[Literal["if-signed", "always"]]
    """Wagers in multiples of the minimum: if-signed (only where the sign says so), or always."""
    unit_above_minimum: Term[bool]
    """Whether the sign may name a unit for amounts above the minimum."""
    changed_by: Term[Role]
    """Who may alter the limits: a role."""
    change_told_first: Term[bool]
    """Whether players are told before any of the limits changes, with a sign of whatever length."""
    raise_notice_minutes: Term[int]
    """How long a sign must stand before a higher minimum binds everybody; 0 where no length is stated."""
    raise_keeps_old_minimum: Term[bool]
    """Whether the minimum may rise at once, with players already there keeping the old one."""
    personal_maximum_by: Term[Role]
    """Who may let one player exceed the maximum: a role, or nobody."""
    beside_personal_maximum: Term[Literal["", "within-stated-maximum"]]
    """What others on that box may wager: within-stated-maximum."""
    found_below_minimum: Term[Literal["valid", "settled-then-returned", "made-up"]]
    """A wager found too small after the first card: valid, settled-then-returned (and the owner is warned), or made-up
    (to the minimum; whoever cannot do that has no hand any more and is out of the session)."""
    found_above_maximum: Term[Literal["settled-to-maximum"]]
    """settled-to-maximum."""
    above_clauses: Term[dict[str, str]]
    """Which clause speaks of it where one player is on the box alone, and where several share it."""
    low_limit_device_only: Term[bool]
    """Whether a low-limit table must deal from a shuffling device."""
    low_limit_no_tournament: Term[bool]
    """Whether a low-limit table must not offer tournament play."""
    restrictions: Term[tuple[Restriction, ...]]


class Wagers(msgspec.Struct, frozen=True):
    means: Term[tuple[Literal["chips", "promotional-tokens", "tournament-chips"], ...]]
    """chips, promotional-tokens, tournament-chips."""
    player_card: Term[bool]
    """Whether a valid player card is needed (from a date)."""
    loss_limit: Term[bool]
    """Whether a wager over the player's loss limit is refused."""
    deposit_limit: Term[bool]
    """Whether buying chips past the player's deposit limit is refused."""
    before_first_card: Term[Literal["before-first-card"]]
    """When wagers are placed."""
    locked: Term[Literal["first-card", "no-more-bets"]]
    """From when no wager may be placed, altered or withdrawn: first-card or no-more-bets."""
    refused_by: Term[Role]
    """Who may refuse a wager before the first card: a role, or nobody."""
    rounding: Term[Literal["up", "down-if-multiples-signed"]]
    """A payment that chips cannot make: up, or down-if-multiples-signed (else up)."""
    changed_by: Term[Role]
    """Who changes cash and colours at the table: a role."""
    float_by: Term[Role]
    """Who has chips brought to the float and taken from it: a role."""
    tokens_by: Term[Role]
    """Who changes a voucher into promotional tokens: a role, or nobody."""


class Deal(msgspec.Struct, frozen=True):
    order: Term[Literal["each-box-dealer-each-box"]]
    """each-box, dealer, each-box: one card each."""
    steps: Term[dict[str, str]]
    """The clause for each step: first, dealer, second."""
    call: Term[Literal["may-call", "shall-call"]]
    """"no more bets": may-call or shall-call."""
    no_wagers: Term[Literal["refused"]]
    """A round with no wagers is not dealt: refused."""


class Insurance(msgspec.Struct, frozen=True):
    offered: Term[bool]
    dealer_ranks: Term[str]
    """The dealer's first card that opens it: A."""
    share_max: Term[Literal["", "half"]]
    """Of the original wager: half."""
    unit: Term[Literal["", "any", "half-smallest-chip"]]
    """any, or half-smallest-chip."""
    natural_excluded: Term[bool]
    """A player with a natural may not insure."""
    closes: Term[Literal["", "before-subsequent-deal"]]
    """before-subsequent-deal."""
    odds: Term[Odds]
    collected: Term[Literal["", "at-second-card"]]
    """A lost one: at-second-card."""
    paid: Term[Literal["", "at-second-card", "after-settlement"]]
    """A won one: at-second-card or after-settlement."""
    each_player: Term[bool]
    """Each player on a shared box may insure for themselves."""


class Surrender(msgspec.Struct, frozen=True):
    offered: Term[bool]
    dealer_ranks: Term[str]
    """J, Q, K and A."""
    loses: Term[Literal["", "half"]]
    """half of the original wager."""
    opens: Term[Literal["", "after-interim-settlement"]]
    """after-interim-settlement, before the subsequent deal."""
    others: Term[Literal["", "may-follow", "each-own", "bound"]]
    """The other players on the box: may-follow (the controller surrenders first, the hand is frozen), each-own (control
    passes on), bound (to the controller's choice)."""
    others_if_controller_declines: Term[Literal["", "may-not", "each-own"]]
    """may-not or each-own."""
    freezes: Term[Literal["", "controller-surrendered", "all-surrendered"]]
    """When the hand gets no more cards: controller-surrendered or all-surrendered."""
    dealer_natural: Term[Literal["", "whole-wager-lost"]]
    """whole-wager-lost."""
    settled: Term[Literal["", "final-settlement"]]
    """final-settlement."""
    remainder: Term[Literal["", "stand-off"]]
    """The other half stands off."""


class Interim(msgspec.Struct, frozen=True):
    natural_odds: Term[Odds]
    natural_when: Term[Literal["at-once", "unless-dealer-ten-or-ace"]]
    """at-once, or unless-dealer-ten-or-ace."""
    natural_clauses: Term[dict[str, str]]
    """The clause by which one is paid, held, or paid at the final settlement."""
    natural_after_split: Term[bool]
    twenty_one: Term[Literal["at-once"]]
    """Any other 21: at-once."""
    five_card_trick: Term[bool]
    """Five cards not over 21 are paid at once."""
    deferrable_by: Term[Role]
    """Who may approve payment at the final settlement instead: a role, or nobody."""
    pay_table: Term[tuple[PayRow, ...]]
    doubled_odds: Term[Odds]
    """Every winning wager on a doubled hand."""


class SuperBonus(msgspec.Struct, frozen=True):
    offered: Term[bool]
    dealer_rank: Term[str]
    """The dealer's first card: 7."""
    small_from_cents: Term[int]
    """Smallest wager that earns the small bonus."""
    small_cents: Term[int]
    large_from_cents: Term[int]
    large_cents: Term[int]
    others: Term[Literal["", "each-player", "each-original-wager"]]
    """Who gets the consolation: each-player once, or each-original-wager."""
    others_cents: Term[int]
    others_side_bets: Term[bool]
    """Whether somebody with only an optional wager counts as another player."""
    not_on: Term[tuple[Literal["split", "doubled"], ...]]
    """split, doubled."""
    when: Term[Literal["", "at-once", "before-cards-collected"]]
    """at-once or before-cards-collected."""
    moment_clauses: Term[dict[str, str]]
    """By which clause the bonus and what the others get are paid in the round, and by which at the final settlement."""


class Drawing(msgspec.Struct, frozen=True):
    order: Term[Literal["from-dealers-left"]]
    """box by box from the dealer's left."""
    choices: Term[Literal["double-split-stand-draw"]]
    choice_clauses: Term[dict[str, str]]
    """The clause by which one stands, and by which one hits."""
    stand: Term[Literal["any-total", "not-below-12"]]
    """any-total, or not-below-12."""
    must_draw_below: Term[int]
    """12, or 0 where there is no such duty."""
    may_draw_below: Term[int]
    """21."""
    bust: Term[Literal["collected-at-once"]]
    """collected-at-once."""


class Doubling(msgspec.Struct, frozen=True):
    hands: Term[Literal["any-below-21", "two-cards-hard-9-10-11", "two-or-three-cards"]]
    """any-below-21, two-cards-hard-9-10-11, two-or-three-cards."""
    hand_clauses: Term[dict[str, str]]
    """The clause for a hand of two cards, for two cards of a split hand, and for more."""
    after_split: Term[bool]
    amount: Term[Literal["up-to-original-wager"]]
    """up-to-original-wager."""
    cards: Term[int]
    """One card, then the hand is over."""
    aces: Term[Literal["held-count-one", "first-two-count-one", "as-usual"]]
    """What aces held count: held-count-one, first-two-count-one, as-usual."""
    others: Term[Literal["may-follow"]]
    """Other players on the hand: may-follow."""
    others_if_controller_declines: Term[Literal["may-not"]]
    """may-not."""
    others_odds: Term[Literal["even-money"]]
    """Wagers on a doubled hand that did not double: even-money."""
    forfeit: Term[bool]
    """After the card the doubled portion may be taken back and the original lost."""
    forfeit_each: Term[bool]
    """Each player with a doubled wager chooses for themselves."""
    forfeit_clears: Term[Literal["", "cards-when-all-forfeit"]]
    """What happens to wager and cards on a forfeit."""


class Splitting(msgspec.Struct, frozen=True):
    cards: Term[Literal["equal-value"]]
    """equal-value."""
    wager: Term[Literal["equal-to-original"]]
    """equal-to-original."""
    split_clauses: Term[dict[str, str]]
    """The clause for the first split, and for splitting again."""
    hands_max: Term[int]
    resplit_hands_max: Term[int]
    """Hands where the Gaming Manager allows a re-split; equal to `hands_max` where that is not a choice."""
    resplit_by: Term[Role]
    """Who may allow it: a role, or nobody."""
    resplit_needs: Term[Literal["equal-to-split-value"]]
    """equal to the split value."""
    aces_resplit: Term[bool]
    aces_cards: Term[int]
    """Cards on a split ace: 1, or 0 for no limit."""
    declined_ends: Term[bool]
    """A declined re-split ends splitting on that box for the round."""
    declined_first: Term[Literal["no-later-split"]]
    """Who does not split the first two cards does not split later."""
    order: Term[Literal["each-hand-finished-first"]]
    """Each hand is finished before the next gets its card."""
    others: Term[Literal["match-or-first-hand"]]
    """match-or-first-hand."""
    others_if_controller_declines: Term[Literal["may-not"]]
    """may-not."""
    natural: Term[bool]
    """Whether ace and ten after a split is a natural."""
    cover_required_by: Term[Role]
    """Who may require a player to match every split: a role, or nobody."""


class Dealer(msgspec.Struct, frozen=True):
    after_players: Term[Literal["after-all-hands"]]
    hard_stand: Term[int]
    soft_stand: Term[int]
    no_needless_card: Term[bool]


class Settlement(msgspec.Struct, frozen=True):
    wins_higher: Term[Literal["wins"]]
    wins_dealer_bust: Term[Literal["wins"]]
    twenty_one_wins: Term[Literal["wins"]]
    loses_lower: Term[Literal["loses"]]
    ties: Term[Literal["stand-off", "lose"]]
    """stand-off or lose."""
    even_money: Term[Odds]
    dealer_natural: Term[Literal["one-original", "all"]]
    """What a dealer natural takes from standing hands: one-original (per player and box) or all."""
    dealer_natural_doubled: Term[Literal["stand-off", "lose"]]
    """stand-off for the doubled portion, or lose."""
    dealer_natural_split: Term[Literal["stand-off", "lose"]]
    """stand-off for all but one original amount, or lose."""
    natural_against_natural: Term[tuple[PayRow, ...]]
    """Rows higher, same, lower by the rank of the ten-value card; empty where a natural was paid already."""
    natural_against_other: Term[Odds]
    """A natural that waited, when the dealer has none."""
    collected: Term[Literal["to-float"]]
    cards: Term[Literal["rack", "rack-or-device"]]
    """Cards left on the layout go to the rack, or the device."""


class SideBet(msgspec.Struct, frozen=True):
    """An optional wager on a pair in the first two cards."""

    offered: Term[bool]
    decks: Term[tuple[int, ...]]
    """Numbers of decks with which it may be offered."""
    access: Term[Literal["", "box-has-original", "own-original"]]
    """Who may place it: box-has-original or own-original."""
    without_original: Term[Literal["", "refused", "void"]]
    """What becomes of one without: refused or void."""
    restricted_by: Term[Role]
    """Who may limit it to players with an original wager: a role, or nobody."""
    per_box: Term[int]
    preference: Term[Literal["", "original-wager-first"]]
    """original-wager-first."""
    pair: Term[Literal["", "same-rank"]]
    """same-rank."""
    amount: Term[Literal["", "on-sign"]]
    """The sign shows what it takes."""
    pays: Term[tuple[PayRow, ...]]
    """Rows mixed, coloured, perfect; any; or mixed, same-colour, suited, aces."""
    highest_only: Term[bool]
    settled: Term[Literal["", "after-initial-deal"]]
    """after-initial-deal."""
    settled_clauses: Term[dict[str, str]]
    """The clause by which a won one is paid, and a lost one collected."""
    compulsory: Term[bool]
    """Whether a notice may make it a condition of play."""


class Blazing(msgspec.Struct, frozen=True):
    """Blazing 7s: a progressive jackpot."""

    offered: Term[bool]
    decks: Term[tuple[int, ...]]
    source: Term[Literal["", "shuffling-device"]]
    """shuffling-device."""
    amounts_cents: Term[tuple[int, ...]]
    per_box: Term[int]
    access: Term[Literal["", "own-original"]]
    """own-original."""
    priority: Term[dict[str, str]]
    """Who comes first when several want the spot: seated, highest, nearest, with the clause of each."""
    collected: Term[Literal["", "before-initial-deal"]]
    """before-initial-deal."""
    cards: Term[Literal["", "player-first-two-dealer-first"]]
    """The player's first two and the dealer's first."""
    pays: Term[tuple[FixedRow, ...]]
    highest_only: Term[bool]
    loses: Term[Literal["", "when-nothing-matches"]]
    in_addition: Term[bool]
    linked: Term[dict[str, str]]
    """What linked tables must share: pay-table, rate, seed, wager, with the clause of each."""
    several: Term[dict[str, str]]
    """Several winners at one time: top, tenth, fixed-first, same-time, with the clause of each."""
    minimums_cents: Term[tuple[int, ...]]
    """What the jackpot may reset to."""
    resets: Term[Literal["", "to-minimum"]]
    fault: Term[Literal["", "wagers-returned"]]
    """Equipment fails: wagers-returned."""
    fault_approval: Term[Role | Literal[""]]
    """Who must approve that the game goes on without the jackpot: a role, or nobody."""


class Irregularities(msgspec.Struct, frozen=True):
    """What happens when something goes wrong. "undecided" where the document does not say: somebody is asked."""

    face_up_card: Term[Literal["burned"]]
    """A card found face up in the source: burned."""
    face_up_check_by: Term[Role]
    """Who may have the rest of the source checked after the round: a role, or nobody."""
    face_up_check_sources: Term[tuple[Literal["shoe", "shuffling-device"], ...]]
    """With which sources: shoe, shuffling-device."""
    drawn_in_error: Term[Literal["next-card"]]
    """A card drawn in error: next-card."""
    drawn_in_error_refused: Term[Literal["any", "exposed", "none"]]
    """Which such card a player may refuse: any, exposed or none."""
    refuser: Term[Literal["no-more-cards", "no-more-cards-from-12", "none"]]
    """What becomes of who refuses it: no-more-cards, or no-more-cards-from-12 (a lower hand must still draw)."""
    refused_by_all: Term[Literal["dealers-next", "none"]]
    """Where it goes when everybody refuses: dealers-next."""
    dealer_extra_exposed: Term[Literal["burned", "burned-at-any-time"]]
    """An exposed card beyond the dealer's finished hand: burned; burned-at-any-time also where it came too early."""
    dealer_extra_unexposed: Term[Literal["first-of-next-round", "next-card", "burned", "burned-at-any-time"]]
    """An unexposed one: first-of-next-round (deemed never drawn), next-card, burned or burned-at-any-time."""
    burned_in_error: Term[Literal["stays-burned", "stays-burned-at-start", "next-card"]]
    """stays-burned, next-card, or stays-burned-at-start: only where the round has not begun."""
    burn_forgotten: Term[Literal["card-stays-in-play", "undecided"]]
    """card-stays-in-play or undecided."""
    no_wagers_round: Term[Literal["void-and-burn", "undecided"]]
    """A round begun with no wagers: void-and-burn or undecided."""
    misdeal: Term[Literal["reconstruct", "by-stage"]]
    """A card to the wrong place, noticed in the round: reconstruct (the whole round) or by-stage."""
    misdeal_clauses: Term[dict[str, str]]
    """Which clause puts a misdeal right in the initial deal, and which rebuilds the hands in full after it."""
    misdeal_by: Term[Role]
    """Under whose supervision hands are rebuilt: a role."""
    misdeal_full_by: Term[Role]
    """Who must supervise once the initial deal is complete: a role."""
    misdeal_impossible: Term[Literal["void"]]
    """void, declared by somebody with `void_by`."""
    misdeal_after_round: Term[Literal["rebuild-or-void", "undecided"]]
    """Told after the round and before the next: rebuild-or-void (laid again where it can be), or undecided."""
    misdeal_later: Term[Literal["stands", "void", "undecided"]]
    """Noticed after the next round began: stands, void (the faulty round alone) or undecided."""
    void_by: Term[Role]
    """Who may declare a round void: a role."""
    void_for: Term[dict[str, str]]
    """For what the round in play may be declared void, and which clause says so: misdeal (an error in the dealing that
    cannot be put right), impractical (it cannot go on), fraud, disturbance."""
    void_interim: Term[Literal["stand", "returned"]]
    """What interim payments of a void round do: stand or returned."""
    short_hand: Term[Literal["reconstruct", "draw-or-withdraw"]]
    """A hand that lacks a card after the initial deal: reconstruct, or draw-or-withdraw."""
    short_hand_clauses: Term[dict[str, str]]
    """Which clause speaks of a hand that lacks a card in its turn, and of one that was passed."""
    short_hand_dealer_bust: Term[Literal["wins", "none"]]
    """The same after the dealer's second card, dealer bust: wins, or none where hands are rebuilt."""
    short_hand_dealer_stands: Term[Literal["draw-or-withdraw", "none"]]
    """draw-or-withdraw, or none."""
    short_hand_dealer_natural: Term[Literal["stand-off", "none"]]
    """stand-off, or none."""
    short_hand_no_double_or_split: Term[bool]
    """Whether such a hand may no longer be doubled or split."""
    short_hand_others: Term[Literal["accept-or-withdraw", "none"]]
    """The others on it: void when the controller withdraws, accept-or-withdraw when they play on; or none."""
    dealer_short: Term[Literal["reconstruct", "next-card-and-offer"]]
    """The dealer lacks the first card: reconstruct, or next-card-and-offer (players may withdraw; no natural)."""
    dealer_short_clauses: Term[dict[str, str]]
    """Which clause speaks of the dealer's missing card, announces it, offers wagers back, and finishes the hand."""
    superfluous_hand: Term[Literal["reconstruct", "by-stage"]]
    """Cards on a box without a wager: reconstruct; by-stage: rebuilt in the initial deal, later void-and-burn."""
    cut_missed: Term[Literal["finish-then-shuffle", "undecided"]]
    """finish-then-shuffle or undecided."""
    shuffle_missed: Term[Literal["finish-then-shuffle", "undecided"]]
    """Dealt on after the cutting card: finish-then-shuffle or undecided."""
    discards_not_returned: Term[Literal["wait-for-next-initial-deal", "undecided"]]
    """wait-for-next-initial-deal, or undecided."""
    wrong_cards: Term[Literal["void-and-retire", "undecided"]]
    """A missing or foreign card: void-and-retire, or undecided."""
    wrong_cards_notice: Term[tuple[Literal["surveillance", "inspector"], ...]]
    """Who is told: surveillance, inspector."""
    wrong_cards_check: Term[Literal["before-next-deal", "none"]]
    """Whether the decks are checked and verified, and that is confirmed, before another card is dealt."""
    dropped_cards: Term[Literal["verified-by-supervisor", "undecided"]]
    """Dropped or mishandled cards: verified-by-supervisor, or undecided."""
    insurance_missed: Term[Literal["until-dealers-second-card", "undecided", "none"]]
    """until-dealers-second-card or undecided."""
    wrong_total: Term[Literal["stands", "undecided"]]
    """The dealer announced a wrong total: what was decided on it stands, or undecided."""
    touched_cards: Term[Literal["reminded", "undecided"]]
    """Somebody touched cards who may not: reminded, or undecided."""
    absent_player: Term[Literal["no-more-cards", "draw-to-12", "fewest-cards"]]
    """no-more-cards, draw-to-12, or fewest-cards."""
    absent_control: Term[Literal["passes-first", "none"]]
    """Whether control passes to another on the box first: passes-first."""
    invalidated_paid: Term[Literal["stand", "returned", "undecided"]]
    """What was already paid in an invalidated round: stand, returned, or undecided, which is then as in a void one."""
    invalidated_by: Term[Role]
    """Who may invalidate a round for disturbance or fraud: a role."""
    invalidated_clauses: Term[dict[str, str]]
    """Which clause speaks of a disturbance, and which of fraud."""
    invalidated_wagers: Term[Literal["refunded", "may-be-refunded"]]
    """What becomes of them: refunded, or may-be-refunded, which whoever invalidates the round decides."""
    fraud_forfeit: Term[bool]
    """Whether the wager of who committed fraud may be forfeited."""
    barred_by: Term[Role]
    """Who may take measures against a person who broke the rules: a role, or nobody."""
    barred_for: Term[Literal["prohibited-device", "any-breach", "none"]]
    """For which breach: prohibited-device, any-breach, or none."""
    barred_wagers: Term[bool]
    """Whether that person's wagers may be declared void."""
    barred_excluded: Term[bool]
    """Whether that person may be excluded from the game."""
    detained_until: Term[Literal["inspector-or-police", "none"]]
    """Whether who has a prohibited device may be kept until somebody takes over: inspector-or-police, or none."""
    conduct: Term[dict[str, str]]
    """Duties of conduct of which staff and players are reminded, with the clause of each."""
    loss_limit_pause_by: Term[Role]
    """Who may keep a player from wagering until the period of their loss limit is reset: a role, or nobody."""
    idle_rounds: Term[int]
    """After how many rounds without a wager a seat at a full table may be taken; 0: never."""
    dispute_by: Term[Role]
    """Who decides a dispute in the first instance: a role."""
    dispute_review: Term[Role | Literal["inspectorate-manager", "commission", "authorised-officer"]]
    """Who reviews that on request: a role, or somebody outside the house."""
    dispute_advice: Term[Literal["inspector", "nobody"]]
    """To whom somebody who is not satisfied is told that they may go: inspector, or nobody."""
    invalid_wager: Term[Literal["by-stage", "none"]]
    """A wager without a valid card of one's own, or for another: by-stage, or none."""
    invalid_clauses: Term[dict[str, str]]
    """Which clause speaks of one found before the hand, of one found within it, and of a card of one's own."""
    loss_limit_excess: Term[Literal["returned-newest-first", "none"]]
    """The part over a loss limit: returned-newest-first, or none."""
    mispayment: Term[Literal["rectify-and-record", "undecided"]]
    """An over- or underpayment: rectify-and-record, or undecided."""
    mispayment_clauses: Term[dict[str, str]]
    """Which clause speaks of a mistake and of intention, of who was involved, of too much and of too little."""
    mispayment_report_cents: Term[int]
    """Above how much it is reported monthly; 0 where the document has no such report."""
    approval: Term[Role]
    """Who must approve before the game goes on after any irregularity: a role, or nobody."""
    notice: Term[Role]
    """Who must be informed of any irregularity: a role, or nobody."""


class Device(msgspec.Struct, frozen=True):
    """What happens when the shuffling device fails."""

    failure: Term[Literal["transfer-or-shoe", "shoe-for-the-round", "cutting-card-or-shuffle", "hand-shuffle"]]
    """transfer-or-shoe (NSW: another device, or finish from a shoe), shoe-for-the-round, cutting-card-or-shuffle,
    hand-shuffle."""
    failure_clauses: Term[dict[str, str]]
    """Which clause speaks of cards moved to a spare device, undamaged or damaged, of a disadvantage, of no spare
    device, and of damaged cards that are replaced there."""
    undamaged: Term[Literal["transfer", "none"]]
    """With a spare device and no damage: transfer, or none."""
    damaged: Term[Literal["replaced", "none"]]
    """Damaged cards: replaced, or none."""
    disadvantage: Term[Literal["round-ended-and-refunded", "undecided"]]
    """Somebody was disadvantaged: round-ended-and-refunded, or undecided."""
    no_spare: Term[Literal["offer-refund-then-shoe", "shoe", "none"]]
    """No spare, or no transfer: offer-refund-then-shoe, shoe, or none."""
    refund_offered: Term[bool]
    """Whether players may then take their wagers back."""
    finish: Term[Literal["shuffle-cut-and-shoe", "cutting-card-or-shuffle", "hand-shuffle"]]
    """How the round is finished: shuffle-cut-and-shoe, cutting-card-or-shuffle, or hand-shuffle."""
    cutting_card_decks: Term[tuple[int, ...]]
    """Between how many decks from the back the cutting card then goes; empty where the usual limits hold."""
    cutting_card_tolerance_decks: Term[Literal["0", "1/2"]]
    """By how much less than the least of them, in decks, is still "approximately" it."""
    cutter: Term[Literal["farthest-right", "as-usual"]]
    """Who cuts then: farthest-right, or as-usual."""
    after: Term[
        Literal["device-again", "new-cards", "new-cards-after-shoe", "new-cards-after-notice", "shoe-until-available"]
    ]
    """Afterwards: device-again, new-cards (after the round), new-cards-after-shoe (once the shoe is played out),
    new-cards-after-notice (the same, and the players are told), or shoe-until-available."""
    jam: Term[Literal["riffle-reload-burn", "malfunction"]]
    """A jam: riffle-reload-burn, or malfunction."""
    jam_burn: Term[int]
    """Cards drawn face down after a jam."""


class Patrons(msgspec.Struct, frozen=True):
    """What is kept of a person and by whom, and the gaming day by which it is counted."""

    identified_by: Term[Role]
    """Who writes down who somebody is: a role."""
    card_by: Term[Role]
    """Who issues and withdraws player cards: a role, or nobody."""
    limits_by: Term[Literal["player", "nobody"]]
    """Whose a loss limit or deposit limit is: player, or nobody where there are none."""
    loss_periods: Term[tuple[Literal["day", "week", "month"], ...]]
    """Over which periods a loss limit may run: day, week, month."""
    deposit_period: Term[Literal["calendar-day", "none"]]
    """Over which period deposits count: calendar-day, or none."""
    declarations: Term[dict[str, str]]
    """What who plays on a loss limit declares to the dealer, with the clause of each: bought, brought, left."""
    recognised_by: Term[Role]
    """Who declares somebody a recognised player: a role, or nobody."""
    excluded_by: Term[Role]
    """Who excludes a person from the casino: a role, or nobody."""
    helper: Term[Literal["present-and-unpaid", "none"]]
    """Whether somebody may place wagers for another: present-and-unpaid, or none where nothing is said of it."""
    looked_up_by: Term[Role]
    """Who may look up what is kept of a person: a role."""
    close_notice_minutes: Term[int]
    """How long a sign must stand before a table with players closes; 0 where no length is stated."""
    close_final_rounds: Term[bool]
    """Whether the call of the last rounds stands for that sign."""
    zone: Term[Literal["Australia/Sydney", "Australia/Adelaide"]]
    """By which clocks the house goes: the name of a time zone."""
    day_begins_hour: Term[int]
    """The hour at which a gaming day begins."""
    day_by: Term[Role]
    """Who opens and closes the gaming day: a role."""


class Tournament(msgspec.Struct, frozen=True):
    """Tournaments: what the conditions must say, where the fees go, how seats, turns, ties and places are decided."""

    offered: Term[bool]
    """Whether the document has rules for tournaments."""
    items: Term[dict[str, str]]
    """What the conditions of a tournament say, with the clause of each item."""
    items_wanted: Term[Literal["all", "as-approved"]]
    """Whether every item that applies must be there: all, or as-approved (whoever approves them sees what is open)."""
    approved: Term[bool]
    """Whether somebody must approve the conditions of each tournament."""
    steps: Term[dict[str, str]]
    """What may or must happen in a tournament, with the clause of each; the document knows nothing else."""
    fees: Term[Literal["all-to-pool", "less-commission"]]
    """Where the entry fees go: all-to-pool, or less-commission."""
    fee_refunds: Term[Literal["as-conditions", "never"]]
    """When a fee is given back, cancellation apart: as-conditions, or never."""
    redemption: Term[Literal["issue-ratio", "none"]]
    """Whether tournament chips may have a cash value: issue-ratio (redeemed as they were issued), or none."""
    entries_each: Term[int]
    """How often one person may enter; 0 where only the conditions say."""
    seats: Term[Literal["as-conditions", "ballot"]]
    """How tables and seats are allotted: as-conditions, or ballot."""
    absence: Term[Literal["deducted-or-disqualified", "forfeited"]]
    """Who is not in their seat: deducted-or-disqualified (as the manager decides), or forfeited."""
    absent_rounds: Term[int]
    """For how many rounds of absence the minimum may be deducted."""
    disqualified_keeps: Term[Literal["chip-value", "nothing"]]
    """What who is disqualified keeps: chip-value, or nothing."""
    order: Term[Literal["as-conditions", "always"]]
    """Whether players wager in turn: as-conditions, or always."""
    marker: Term[Literal["box-by-box", "next-player"]]
    """How the marker moves: box-by-box from box one, or next-player."""
    out_of_turn: Term[Literal["withdrawn", "stands-with-warning"]]
    """A wager before its turn: withdrawn until then, or stands-with-warning."""
    no_wager: Term[Literal["disqualified", "eliminated"]]
    """Who could wager and does not: disqualified, or eliminated."""
    units: Term[Literal["of-the-minimum", "as-the-sign-says"]]
    """Units of wagers: of-the-minimum, or as-the-sign-says."""
    joint_elimination: Term[Literal["residual-wager-removal", "share-a-place"]]
    """Several out in one round: residual-wager-removal (chips left, then the wager, then who was cleared first), or
    share-a-place."""
    contested_division: Term[Literal["play-off", "shared"]]
    """Several who contest one division of the prizes: play-off, or shared equally."""
    odd_cents: Term[Literal["best-places-first"]]
    """Cents that a division leaves over: best-places-first."""


class Promotions(msgspec.Struct, frozen=True):
    """Promotional prizes: what the terms must say, what may be a prize, who is told of what, and until when."""

    offered: Term[bool]
    """Whether the document has rules for promotional prizes."""
    conducted_by: Term[Role]
    """Who acts for the casino operator in a promotion: a role."""
    scrutineer_above_cents: Term[int]
    """A draw with one prize of more than this is overseen by a scrutineer."""
    alternative: Term[Literal["money-value", "none"]]
    """What a winner may be offered instead of a prize that is no money: money-value, or none."""
    alternative_except: Term[tuple[Literal["casino-dollars"], ...]]
    """Prizes for which no alternative is offered."""
    cash: Term[bool]
    """Whether a prize may be awarded in cash."""
    prohibited: Term[dict[str, str]]
    """What no prize consists of or includes, with the clause of each."""
    liquor_litres_max: Term[int]
    """How much liquor a prize includes at most."""
    published: Term[dict[str, str]]
    """What is published, with the clause of each: the terms, and the material that refers to them."""
    items: Term[dict[str, str]]
    """What the terms of a promotion say, with the clause of each item."""
    prize_kinds: Term[dict[str, str]]
    """Kinds of prizes of which the terms say more, with the clause of each."""
    prize_items: Term[dict[str, str]]
    """What more they say, as in ``travel.persons``, with the clause of each item."""
    told_days: Term[int]
    """Within how many days of a draw a winner who need not be there is told."""
    told_by: Term[dict[str, str]]
    """By which methods, with the clause of each."""
    filed_with: Term[Literal["authority", "nicc"]]
    """Who is sent the terms: authority, or nicc."""
    filed_hours: Term[int]
    """How many hours before a promotion commences."""
    amended_approved: Term[bool]
    """Whether terms that change after that need an approval."""
    amended_filed: Term[Literal["as-soon-as-possible"]]
    """When they are sent again."""
    refused_claims: Term[Literal["told-as-soon-as-practicable"]]
    """What is done for a person whose claim is refused."""
    denied_kept_above_cents: Term[int]
    """The details of a denied claim for more than this are kept."""
    disputes: Term[Literal["operator-final-then-inspector"]]
    """Who decides disputes, and what a person is told who is not satisfied."""
    compromised: Term[Literal["postponed-or-cancelled"]]
    """What may become of a promotion or draw whose integrity is compromised."""
    compromised_hours: Term[int]
    """Within how many hours an inspector is told of that."""


class Amendment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A named layer of changed terms over a document, with the clauses that allow it: see `pitboss.rulebooks.amend`."""

    name: str
    kind: str
    """tournament, approved-conditions, house-decision, or study."""
    terms: dict[str, Any] = {}
    """By key, as an amendment's file writes them: ``{ is = ..., clauses = [...] }``; a study gives bare values."""
    clauses: tuple[str, ...] = ()
    """What lets the document be amended so; a study has none, and is no approved game."""
    title: str = ""
    approved: str = ""
    """By whom and when, where the clauses want it approved."""
    reading: str = ""
    disapplies: tuple[str, ...] = ()
    """Clauses that do not apply: no term rests on one of them any more."""
    left: dict[str, str] = {}
    """Terms that it takes away and gives no value to, each with the clause that says what is done instead."""


class Layout(msgspec.Struct, frozen=True):
    """The cloth and what stands on and at the table; each marking, thing, sign and notice with its clause."""

    areas: Term[dict[str, str]]
    """What is marked on the cloth, with the clause of each: boxes, insurance, and a spot for an optional wager."""
    box_shapes: Term[tuple[Literal["circle", "oval", "rectangle"], ...]]
    """Of which shapes the boxes may be, the usual first."""
    inscriptions: Term[dict[str, str]]
    """What is lettered on the cloth, with the clause of each."""
    words: Term[Literal["to-that-effect", "as-printed", "as-approved"]]
    """How free the words of an inscription are."""
    diagrams: Term[dict[str, str]]
    """The drawings that the document has of the cloth, by what they show."""
    opposite: Term[bool]
    """Whether players sit on one side of the table and the dealer on the other."""
    equipment: Term[dict[str, str]]
    """What else a table has, with the clause of each."""
    jackpot_equipment: Term[dict[str, str]]
    """What a table with a jackpot has besides."""
    rack_decks: Term[int]
    """How many decks the discard rack holds; 0 where it is not said."""
    source_place: Term[Literal["dealers-left", "unsaid"]]
    """Where the shoe or the shuffling device stands."""
    signs: Term[dict[str, str]]
    """What is shown on signs at the table, with the clause of each."""
    notices: Term[dict[str, str]]
    """What players are told by a notice at the table, with the clause of each."""


class Rulebook(msgspec.Struct, frozen=True):
    """One of the documents as data, or an amendment of one."""

    id: str
    variant: str
    """What a study has changed, as in ``dealer.soft_stand = 17``; empty for an approved game."""
    game: Game
    cards: Cards
    shuffle: Shuffle
    boxes: Boxes
    limits: Limits
    wagers: Wagers
    deal: Deal
    insurance: Insurance
    surrender: Surrender
    interim: Interim
    super_bonus: SuperBonus
    drawing: Drawing
    doubling: Doubling
    splitting: Splitting
    dealer: Dealer
    settlement: Settlement
    side_bets: dict[str, SideBet]
    """By name: perfect-pairs, any-pairs, star-pairs."""
    blazing_7s: Blazing
    irregularities: Irregularities
    device: Device
    patrons: Patrons
    tournament: Tournament
    promotions: Promotions
    layout: Layout
    edition: str = ""
    """The digest of the document's text (see `pitboss.rulebooks.editions`), whatever amends it."""
    amendments: tuple[Amendment, ...] = ()
    """In the order in which they are laid over the document."""

    @property
    def name(self) -> str:
        """How every text names it; an amendment says so, but for what a house decides where the document is silent."""
        name = self.game.name.value
        if not self.amendments:
            return name
        said = [each.name for each in self.amendments if each.kind not in (STUDY, DECISION)]
        said += [f"study variant: {self.variant}"] if self.variant else []
        return f"{name} ({'; '.join(said)})" if said else name

    def on(self, date: datetime.date | None) -> Rulebook:
        """The rulebook as it stands on a gaming date; with None at its newest. Made once, so it is compiled once."""
        passed = len(self.dates) if date is None else sum(each <= date for each in self.dates)
        return _on(SameRulebook(self), passed)

    @property
    def dates(self) -> tuple[datetime.date, ...]:
        """The dates on which any of its terms changes, in order."""
        return _dates(SameRulebook(self))


STUDY, DECISION = "study", "house-decision"
"""Kinds of amendment: terms that are changed to see what comes of it, which no document allows, and what the house
decides where a document is silent."""

SECTIONS: tuple[msgspec.structs.FieldInfo, ...] = tuple(
    field for field in msgspec.structs.fields(Rulebook) if field.name not in ("id", "variant", "edition", "amendments")
)
"""The parts of a rulebook that hold terms."""


class SameRulebook:
    """A rulebook as the key of a cache: the same object, not an equal one."""

    __slots__ = ("rulebook",)

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook

    def __hash__(self) -> int:
        return id(self.rulebook)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameRulebook) and other.rulebook is self.rulebook


@lru_cache(maxsize=256)
def _dates(book: SameRulebook) -> tuple[datetime.date, ...]:
    found = {each.since for section in _holding_terms(book.rulebook) for term in _terms(section) for each in term.dated}
    return tuple(sorted(date for date in found if date is not None))


@lru_cache(maxsize=256)
def _on(book: SameRulebook, passed: int) -> Rulebook:
    """The rulebook once so many of those dates have come."""
    dates = _dates(book)
    date = dates[passed - 1] if passed else datetime.date.min

    def then(section: Any) -> Any:
        changes = {
            field: now
            for field in section.__struct_fields__
            if (term := getattr(section, field)).dated and (now := term.on(date)) != term
        }
        return msgspec.structs.replace(section, **changes) if changes else section

    rulebook = book.rulebook
    changed: dict[str, Any] = {}
    for field in SECTIONS:
        section = getattr(rulebook, field.name)
        if isinstance(section, dict):
            found: Any = {name: then(each) for name, each in section.items()}
            same = all(found[name] is each for name, each in section.items())
        else:
            found = then(section)
            same = found is section
        if not same:
            changed[field.name] = found
    return msgspec.structs.replace(rulebook, **changed) if changed else rulebook


def _holding_terms(rulebook: Rulebook) -> list[Any]:
    held = [getattr(rulebook, field.name) for field in SECTIONS]
    return [each for section in held for each in (section.values() if isinstance(section, dict) else (section,))]


def _terms(section: Any) -> list[Term[Any]]:
    return [getattr(section, field) for field in section.__struct_fields__]


def fields_of(kind: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a section with their types, worked out once."""
    return _fields(kind)


_fields = cache(msgspec.structs.fields)
