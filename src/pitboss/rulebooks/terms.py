"""A rulebook: every value that a document decides, one typed field for each thing that may differ.

Each field is a `Term`: the value, the clauses that say so, the date from which (where the document gives one) and the
reading (where the document is silent or unclear). Nothing in the engine asks which rulebook it plays: it asks for a
term.

`Rulebook.on` gives the rulebook as it stands on a gaming date; as it is loaded, it has the newest value of every term.
"""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

import msgspec

from pitboss.basics.money import Odds

T = TypeVar("T")


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
    natural: Term[str]
    """The document's word for ace and ten: pontoon, or blackjack."""
    document: Term[str]
    """Title and edition of the document."""
    edition: Term[str]
    tournaments_by: Term[str]
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
    ace: Term[str]
    """"1-or-11": 11 unless that exceeds 21."""
    numbers: Term[str]
    """"face-value"."""
    pictures: Term[int]
    """10."""
    natural_rank: Term[str]
    """Ten-value ranks from high to low where naturals are compared, else ""."""
    face_down: Term[str]
    """Who can allow the first two cards face down: never, inspector-approval, vip-request."""
    new_cards_shoe: Term[str]
    """When cards from a shoe may be changed: after-cutting-card-round, any-round."""
    new_cards_device: Term[str]
    """The same from a shuffling device: any-round."""
    new_cards_by: Term[str]
    """Whose decision: a role."""


class Shuffle(msgspec.Struct, frozen=True):
    means: Term[tuple[str, ...]]
    """Ways to get a shuffled stack: hand, multishuffler, shuffling-device, pre-shuffled."""
    means_clauses: Term[dict[str, str]]
    """The clause for each of those."""
    sources: Term[tuple[str, ...]]
    """What cards may be dealt from: shoe, shuffling-device."""
    at_start: Term[bool]
    cutting_card_first: Term[str]
    """The cutting card comes first of a round: shuffle."""
    cutting_card_mid_round: Term[str]
    """It comes during a round: finish-then-shuffle."""
    ordered_by: Term[str]
    """Who may order a shuffle after a round: a role, or nobody."""
    ordered_notice: Term[str]
    """Who must be told of an ordered shuffle: nobody, government-inspectorate."""
    cutter_new_game: Term[str]
    """first-to-table or farthest-left."""
    cutter_on_box: Term[str]
    """The cutting card fell on a box: that-box."""
    cutter_on_dealer: Term[str]
    """farthest-right."""
    cutter_first_card: Term[str]
    """farthest-right."""
    cutter_new_cards: Term[str]
    """farthest-right."""
    cut_refused: Term[str]
    """A refused cut is offered on: clockwise."""
    cut_refused_by_all: Term[str]
    """Who cuts when no player does: casino-supervisor or dealer."""
    cut_depth_decks: Term[int]
    """A cut is at least so many decks from either end."""
    cutting_card_decks_min: Term[int]
    """The dealer's cutting card goes in at least so many decks from the back,"""
    cutting_card_share_max: Term[str]
    """and at most this share of the stack from the back: half."""
    cutting_card_tolerance_decks: Term[str]
    """How far "approximately" reaches, in decks: "0" or "1/2"."""
    device_cut: Term[bool]
    """Whether cards from a shuffling device are cut: never."""
    burn_shoe: Term[int]
    """Cards burned face down after each shuffle and cut of a shoe."""
    burn_device: Term[int]
    """Cards drawn face down to the rack after a shuffling device is loaded."""
    device_return: Term[str]
    """When discards go back into the device: after-initial-deal or end-of-round."""
    final_rounds: Term[int]
    """In how many announced last rounds the cutting card does not stop the deal; 0 where the document has none."""
    when_deserted: Term[bool]
    """Whether the cards are shuffled when all players have left."""
    insufficient: Term[str]
    """Too few cards to finish a round: shuffle-and-cut-discards."""


class Boxes(msgspec.Struct, frozen=True):
    number: Term[tuple[int, ...]]
    """How many boxes a layout may have."""
    players_max: Term[int]
    """Players on one box."""
    wagers_per_player: Term[int]
    """Original wagers of one player on one box."""
    control: Term[tuple[str, ...]]
    """Who decides on a shared box, first match: seated, highest, nearest."""
    control_clauses: Term[dict[str, str]]
    """The clause for each of those."""
    control_declinable: Term[bool]
    """Whether control may be declined, passing to the next wager in line; if all decline, the box is void."""
    several: Term[str]
    """One player on several boxes when others want to play: allowed-until-demand (he gives boxes up) or
    control-until-demand (he gives up calling them, and may still wager where another calls)."""
    several_limited_by: Term[str]
    """Who may hold a player to fewer boxes when others want to play: a role."""
    reserved_by: Term[str]
    """Who may reserve boxes for one player: a role, or nobody."""
    players_capped_by: Term[str]
    """Who may cap the players at the table: a role, or nobody."""
    box_players_capped_by: Term[str]
    """Who may allow fewer players on a box: a role, or nobody."""


class Restriction(msgspec.Struct, frozen=True):
    """One way in which the house may restrict a player."""

    name: str
    """late-entry, all-further-shoes, one-box, recognised-player, associate, cover-splits."""
    by: str
    """The role that may do it."""
    condition: str
    """missed-a-round: the player let a round of this shoe pass; missed-first-two: bet on neither of rounds one and two;
    skipped-after-two: bet on one of them and let a later round pass; recognised: was declared a recognised player;
    restricted-before; none."""
    source: str
    """shoe where it needs a card shoe, any otherwise."""
    minimum_only: bool
    boxes_max: int
    """0 where the number of boxes stays free."""
    until: str
    """reshuffle or lifted."""
    notice: str
    """Who must be told or consulted: nobody, inspector, government-inspectorate, commission."""
    notice_first: bool
    """Whether that comes before the restriction; otherwise they are advised of it."""
    clauses: tuple[str, ...]


class Limits(msgspec.Struct, frozen=True):
    maximum_scope: Term[str]
    """What the maximum on the sign is for: box (all wagers on it together) or player-box (each player's wager)."""
    cascade: Term[tuple[str, ...]]
    """Clauses by which controller, second and third player share a box maximum; empty where each has an own limit."""
    sign: Term[str]
    """What the sign shows."""
    multiples: Term[str]
    """Wagers in multiples only if the sign says so: if-signed."""
    unit_above_minimum: Term[bool]
    """Whether the sign may name a unit for amounts above the minimum."""
    changed_by: Term[str]
    """Who may alter the limits: a role."""
    raise_notice_minutes: Term[int]
    """How long a sign must stand before a higher minimum binds everybody; 0 where no length is stated."""
    raise_keeps_old_minimum: Term[bool]
    """Whether the minimum may rise at once, with players already there keeping the old one."""
    personal_maximum_by: Term[str]
    """Who may let one player exceed the maximum: a role, or nobody."""
    beside_personal_maximum: Term[str]
    """What others on that box may wager: within-stated-maximum."""
    found_below_minimum: Term[str]
    """A wager found too small after the first card: valid, or settled-then-returned (and the owner is warned)."""
    found_above_maximum: Term[str]
    """settled-to-maximum."""
    low_limit_device_only: Term[bool]
    """Whether a low-limit table must deal from a shuffling device."""
    low_limit_no_tournament: Term[bool]
    """Whether a low-limit table must not offer tournament play."""
    restrictions: Term[tuple[Restriction, ...]]


class Wagers(msgspec.Struct, frozen=True):
    means: Term[tuple[str, ...]]
    """chips, promotional-tokens."""
    player_card: Term[bool]
    """Whether a valid player card is needed (from a date)."""
    loss_limit: Term[bool]
    """Whether a wager over the player's loss limit is refused."""
    deposit_limit: Term[bool]
    """Whether buying chips past the player's deposit limit is refused."""
    before_first_card: Term[str]
    """When wagers are placed."""
    locked: Term[str]
    """From when no wager may be placed, altered or withdrawn: first-card or no-more-bets."""
    refused_by: Term[str]
    """Who may refuse a wager before the first card: a role, or nobody."""
    rounding: Term[str]
    """A payment that chips cannot make: up, or down-if-multiples-signed (else up)."""
    changed_by: Term[str]
    """Who changes cash and colours at the table: a role."""
    float_by: Term[str]
    """Who has chips brought to the float and taken from it: a role."""
    tokens_by: Term[str]
    """Who changes a voucher into promotional tokens: a role, or nobody."""


class Deal(msgspec.Struct, frozen=True):
    order: Term[str]
    """each-box, dealer, each-box: one card each."""
    steps: Term[dict[str, str]]
    """The clause for each step: first, dealer, second."""
    call: Term[str]
    """"no more bets": may-call or shall-call."""
    no_wagers: Term[str]
    """A round with no wagers is not dealt: refused."""


class Insurance(msgspec.Struct, frozen=True):
    offered: Term[bool]
    dealer_ranks: Term[str]
    """The dealer's first card that opens it: A."""
    share_max: Term[str]
    """Of the original wager: half."""
    unit: Term[str]
    """any, or half-smallest-chip."""
    natural_excluded: Term[bool]
    """A player with a natural may not insure."""
    closes: Term[str]
    """before-subsequent-deal."""
    odds: Term[Odds]
    collected: Term[str]
    """A lost one: at-second-card."""
    paid: Term[str]
    """A won one: at-second-card or after-settlement."""
    each_player: Term[bool]
    """Each player on a shared box may insure for himself."""


class Surrender(msgspec.Struct, frozen=True):
    offered: Term[bool]
    dealer_ranks: Term[str]
    """J, Q, K and A."""
    loses: Term[str]
    """half of the original wager."""
    opens: Term[str]
    """after-interim-settlement, before the subsequent deal."""
    others: Term[str]
    """The other players on the box: may-follow (the controller surrenders first, the hand is frozen), each-own (control
    passes on), bound (to the controller's choice)."""
    others_if_controller_declines: Term[str]
    """may-not or each-own."""
    freezes: Term[str]
    """When the hand gets no more cards: controller-surrendered or all-surrendered."""
    dealer_natural: Term[str]
    """whole-wager-lost."""
    settled: Term[str]
    """final-settlement."""
    remainder: Term[str]
    """The other half stands off."""


class Interim(msgspec.Struct, frozen=True):
    natural_odds: Term[Odds]
    natural_when: Term[str]
    """at-once, or unless-dealer-ten-or-ace."""
    natural_clauses: Term[dict[str, str]]
    """The clause by which one is paid, held, or paid at the final settlement."""
    natural_after_split: Term[bool]
    twenty_one: Term[str]
    """Any other 21: at-once."""
    five_card_trick: Term[bool]
    """Five cards not over 21 are paid at once."""
    deferrable_by: Term[str]
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
    others: Term[str]
    """Who gets the consolation: each-player once, or each-original-wager."""
    others_cents: Term[int]
    others_side_bets: Term[bool]
    """Whether somebody with only an optional wager counts as another player."""
    not_on: Term[tuple[str, ...]]
    """split, doubled."""
    when: Term[str]
    """at-once or before-cards-collected."""


class Drawing(msgspec.Struct, frozen=True):
    order: Term[str]
    """box by box from the dealer's left."""
    choices: Term[str]
    choice_clauses: Term[dict[str, str]]
    """The clause by which one stands, and by which one hits."""
    stand: Term[str]
    """any-total, or not-below-12."""
    must_draw_below: Term[int]
    """12, or 0 where there is no such duty."""
    may_draw_below: Term[int]
    """21."""
    bust: Term[str]
    """collected-at-once."""


class Doubling(msgspec.Struct, frozen=True):
    hands: Term[str]
    """any-below-21, two-cards-hard-9-10-11, two-or-three-cards."""
    hand_clauses: Term[dict[str, str]]
    """The clause for a hand of two cards, for two cards of a split hand, and for more."""
    after_split: Term[bool]
    amount: Term[str]
    """up-to-original-wager."""
    cards: Term[int]
    """One card, then the hand is over."""
    aces: Term[str]
    """What aces held count: held-count-one, first-two-count-one, as-usual."""
    others: Term[str]
    """Other players on the hand: may-follow."""
    others_if_controller_declines: Term[str]
    """may-not."""
    others_odds: Term[str]
    """Wagers on a doubled hand that did not double: even-money."""
    forfeit: Term[bool]
    """After the card the doubled portion may be taken back and the original lost."""
    forfeit_each: Term[bool]
    """Each player with a doubled wager chooses for himself."""
    forfeit_clears: Term[str]
    """What happens to wager and cards on a forfeit."""


class Splitting(msgspec.Struct, frozen=True):
    cards: Term[str]
    """equal-value."""
    wager: Term[str]
    """equal-to-original."""
    split_clauses: Term[dict[str, str]]
    """The clause for the first split, and for splitting again."""
    hands_max: Term[int]
    resplit_hands_max: Term[int]
    """Hands where the Gaming Manager allows a re-split; equal to `hands_max` where that is not a choice."""
    resplit_by: Term[str]
    """Who may allow it: a role, or nobody."""
    resplit_needs: Term[str]
    """equal to the split value."""
    aces_resplit: Term[bool]
    aces_cards: Term[int]
    """Cards on a split ace: 1, or 0 for no limit."""
    declined_ends: Term[bool]
    """A declined re-split ends splitting on that box for the round."""
    declined_first: Term[str]
    """Who does not split the first two cards does not split later."""
    order: Term[str]
    """Each hand is finished before the next gets its card."""
    others: Term[str]
    """match-or-first-hand."""
    others_if_controller_declines: Term[str]
    """may-not."""
    natural: Term[bool]
    """Whether ace and ten after a split is a natural."""
    cover_required_by: Term[str]
    """Who may require a player to match every split: a role, or nobody."""


class Dealer(msgspec.Struct, frozen=True):
    after_players: Term[str]
    hard_stand: Term[int]
    soft_stand: Term[int]
    no_needless_card: Term[bool]


class Settlement(msgspec.Struct, frozen=True):
    wins_higher: Term[str]
    wins_dealer_bust: Term[str]
    twenty_one_wins: Term[str]
    loses_lower: Term[str]
    ties: Term[str]
    """stand-off or lose."""
    even_money: Term[Odds]
    dealer_natural: Term[str]
    """What a dealer natural takes from standing hands: one-original (per player and box) or all."""
    dealer_natural_doubled: Term[str]
    """stand-off for the doubled portion, or lose."""
    dealer_natural_split: Term[str]
    """stand-off for all but one original amount, or lose."""
    natural_against_natural: Term[tuple[PayRow, ...]]
    """Rows higher, same, lower by the rank of the ten-value card; empty where a natural was paid already."""
    natural_against_other: Term[Odds]
    """A natural that waited, when the dealer has none."""
    collected: Term[str]
    cards: Term[str]
    """Cards left on the layout go to the rack, or the device."""


class SideBet(msgspec.Struct, frozen=True):
    """An optional wager on a pair in the first two cards."""

    offered: Term[bool]
    decks: Term[tuple[int, ...]]
    """Numbers of decks with which it may be offered."""
    access: Term[str]
    """Who may place it: box-has-original or own-original."""
    without_original: Term[str]
    """What becomes of one without: refused or void."""
    restricted_by: Term[str]
    """Who may limit it to players with an original wager: a role, or nobody."""
    per_box: Term[int]
    preference: Term[str]
    """original-wager-first."""
    pair: Term[str]
    """same-rank."""
    amount: Term[str]
    """The sign shows what it takes."""
    pays: Term[tuple[PayRow, ...]]
    """Rows mixed, coloured, perfect; any; or mixed, same-colour, suited, aces."""
    highest_only: Term[bool]
    settled: Term[str]
    """after-initial-deal."""
    settled_clauses: Term[dict[str, str]]
    """The clause by which a won one is paid, and a lost one collected."""
    compulsory: Term[bool]
    """Whether a notice may make it a condition of play."""


class Blazing(msgspec.Struct, frozen=True):
    """Blazing 7s: a progressive jackpot."""

    offered: Term[bool]
    decks: Term[tuple[int, ...]]
    source: Term[str]
    """shuffling-device."""
    amounts_cents: Term[tuple[int, ...]]
    per_box: Term[int]
    access: Term[str]
    """own-original."""
    priority: Term[dict[str, str]]
    """Who comes first when several want the spot: seated, highest, nearest, with the clause of each."""
    collected: Term[str]
    """before-initial-deal."""
    cards: Term[str]
    """The player's first two and the dealer's first."""
    pays: Term[tuple[FixedRow, ...]]
    highest_only: Term[bool]
    loses: Term[str]
    in_addition: Term[bool]
    linked: Term[dict[str, str]]
    """What linked tables must share: pay-table, rate, seed, wager, with the clause of each."""
    several: Term[dict[str, str]]
    """Several winners at one time: top, tenth, fixed-first, same-time, with the clause of each."""
    minimums_cents: Term[tuple[int, ...]]
    """What the jackpot may reset to."""
    resets: Term[str]
    fault: Term[str]
    """Equipment fails: wagers-returned."""
    fault_approval: Term[str]
    """Who must approve that the game goes on without the jackpot: a role, or nobody."""


class Irregularities(msgspec.Struct, frozen=True):
    """What happens when something goes wrong. "undecided" where the document does not say: somebody is asked."""

    face_up_card: Term[str]
    """A card found face up in the source: burned."""
    face_up_check_by: Term[str]
    """Who may have the rest of the source checked after the round: a role, or nobody."""
    face_up_check_sources: Term[tuple[str, ...]]
    """With which sources: shoe, shuffling-device."""
    drawn_in_error: Term[str]
    """A card drawn in error: next-card."""
    drawn_in_error_refused: Term[str]
    """Which such card a player may refuse: any, exposed or none."""
    refuser: Term[str]
    """What becomes of who refuses it: no-more-cards, or no-more-cards-from-12 (a lower hand must still draw)."""
    refused_by_all: Term[str]
    """Where it goes when everybody refuses: dealers-next."""
    dealer_extra_exposed: Term[str]
    """An exposed card beyond the dealer's finished hand: burned; burned-at-any-time also where it came too early."""
    dealer_extra_unexposed: Term[str]
    """An unexposed one: first-of-next-round (deemed never drawn), next-card, burned or burned-at-any-time."""
    burned_in_error: Term[str]
    """stays-burned, next-card, or stays-burned-at-start: only where the round has not begun."""
    burn_forgotten: Term[str]
    """card-stays-in-play or undecided."""
    no_wagers_round: Term[str]
    """A round begun with no wagers: void-and-burn or undecided."""
    misdeal: Term[str]
    """A card to the wrong place, noticed in the round: reconstruct (the whole round) or by-stage."""
    misdeal_by: Term[str]
    """Under whose supervision hands are rebuilt: a role."""
    misdeal_full_by: Term[str]
    """Who must supervise once the initial deal is complete: a role."""
    misdeal_impossible: Term[str]
    """void, declared by somebody with `void_by`."""
    misdeal_after_round: Term[str]
    """Told after the round and before the next: rebuild-or-void (laid again where it can be), or undecided."""
    misdeal_later: Term[str]
    """Noticed after the next round began: stands, void (the faulty round alone) or undecided."""
    void_by: Term[str]
    """Who may declare a round void: a role."""
    void_interim: Term[str]
    """What interim payments of a void round do: stand or returned."""
    short_hand: Term[str]
    """A hand that lacks a card after the initial deal: reconstruct, or draw-or-withdraw."""
    short_hand_dealer_bust: Term[str]
    """The same after the dealer's second card, dealer bust: wins, or none where hands are rebuilt."""
    short_hand_dealer_stands: Term[str]
    """draw-or-withdraw, or none."""
    short_hand_dealer_natural: Term[str]
    """stand-off, or none."""
    short_hand_no_double_or_split: Term[bool]
    """Whether such a hand may no longer be doubled or split."""
    short_hand_others: Term[str]
    """The others on it: void when the controller withdraws, accept-or-withdraw when he plays on; or none."""
    dealer_short: Term[str]
    """The dealer lacks his first card: reconstruct, or next-card-and-offer (players may withdraw; no natural)."""
    superfluous_hand: Term[str]
    """Cards on a box without a wager: reconstruct; by-stage: rebuilt in the initial deal, later void-and-burn."""
    cut_missed: Term[str]
    """finish-then-shuffle or undecided."""
    shuffle_missed: Term[str]
    """Dealt on after the cutting card: finish-then-shuffle or undecided."""
    discards_not_returned: Term[str]
    """wait-for-next-initial-deal, or undecided."""
    wrong_cards: Term[str]
    """A missing or foreign card: void-and-retire, or undecided."""
    wrong_cards_notice: Term[tuple[str, ...]]
    """Who is told: surveillance, inspector."""
    dropped_cards: Term[str]
    """Dropped or mishandled cards: verified-by-supervisor, or undecided."""
    insurance_missed: Term[str]
    """until-dealers-second-card or undecided."""
    absent_player: Term[str]
    """no-more-cards, draw-to-12, or fewest-cards."""
    absent_control: Term[str]
    """Whether control passes to another on the box first: passes-first."""
    invalidated_by: Term[str]
    """Who may invalidate a round for disturbance or fraud: a role."""
    invalidated_wagers: Term[str]
    """refunded."""
    fraud_forfeit: Term[bool]
    """Whether the wager of who committed fraud may be forfeited."""
    barred_by: Term[str]
    """Who may void the wagers of, and bar, a person who broke the rules (a prohibited device): a role, or nobody."""
    detained_until: Term[str]
    """Whether who has a prohibited device may be kept until somebody takes over: inspector-or-police, or none."""
    conduct: Term[dict[str, str]]
    """Duties of conduct of which staff and players are reminded, with the clause of each."""
    loss_limit_pause_by: Term[str]
    """Who may keep a player from wagering until the period of his loss limit is reset: a role, or nobody."""
    idle_rounds: Term[int]
    """After how many rounds without a wager a seat at a full table may be taken."""
    dispute_by: Term[str]
    """Who decides a dispute in the first instance: a role."""
    dispute_review: Term[str]
    """Who reviews that on request: a role, or somebody outside the house."""
    dispute_advice: Term[str]
    """To whom somebody who is not satisfied is told that he may go: inspector, or nobody."""
    invalid_wager: Term[str]
    """A wager without a valid card of one's own, or for another: by-stage, or none."""
    loss_limit_excess: Term[str]
    """The part over a loss limit: returned-newest-first, or none."""
    mispayment: Term[str]
    """An over- or underpayment: rectify-and-record, or undecided."""
    mispayment_report_cents: Term[int]
    """Above how much it is reported monthly; 0 where the document has no such report."""
    approval: Term[str]
    """Who must approve before the game goes on after any irregularity: a role, or nobody."""
    notice: Term[str]
    """Who must be informed of any irregularity: a role, or nobody."""


class Device(msgspec.Struct, frozen=True):
    """What happens when the shuffling device fails."""

    failure: Term[str]
    """transfer-or-shoe (NSW: another device, or finish from a shoe), shoe-for-the-round, cutting-card-or-shuffle,
    hand-shuffle."""
    undamaged: Term[str]
    """With a spare device and no damage: transfer, or none."""
    damaged: Term[str]
    """Damaged cards: replaced, or none."""
    disadvantage: Term[str]
    """Somebody was disadvantaged: round-ended-and-refunded, or undecided."""
    no_spare: Term[str]
    """No spare, or no transfer: offer-refund-then-shoe, shoe, or none."""
    refund_offered: Term[bool]
    """Whether players may then take their wagers back."""
    finish: Term[str]
    """How the round is finished: shuffle-cut-and-shoe, cutting-card-or-shuffle, or hand-shuffle."""
    cutting_card_decks: Term[tuple[int, ...]]
    """Between how many decks from the back the cutting card then goes; empty where the usual limits hold."""
    cutter: Term[str]
    """Who cuts then: farthest-right, or as-usual."""
    after: Term[str]
    """Afterwards: device-again, new-cards (after the round), new-cards-after-shoe (once the shoe is played out),
    new-cards-after-notice (the same, and the players are told), or shoe-until-available."""
    jam: Term[str]
    """A jam: riffle-reload-burn, or malfunction."""
    jam_burn: Term[int]
    """Cards drawn face down after a jam."""


class Patrons(msgspec.Struct, frozen=True):
    """What is kept of a person and by whom, and the gaming day by which it is counted."""

    identified_by: Term[str]
    """Who writes down who somebody is: a role."""
    card_by: Term[str]
    """Who issues and withdraws player cards: a role, or nobody."""
    limits_by: Term[str]
    """Whose a loss limit or deposit limit is: player, or nobody where there are none."""
    loss_periods: Term[tuple[str, ...]]
    """Over which periods a loss limit may run: day, week, month."""
    deposit_period: Term[str]
    """Over which period deposits count: calendar-day, or none."""
    declarations: Term[dict[str, str]]
    """What who plays on a loss limit declares to the dealer, with the clause of each: bought, brought, left."""
    recognised_by: Term[str]
    """Who declares somebody a recognised player: a role, or nobody."""
    excluded_by: Term[str]
    """Who excludes a person from the casino: a role, or nobody."""
    helper: Term[str]
    """Whether somebody may place wagers for another: present-and-unpaid, or none where nothing is said of it."""
    looked_up_by: Term[str]
    """Who may look up what is kept of a person: a role."""
    close_notice_minutes: Term[int]
    """How long a sign must stand before a table with players closes; 0 where no length is stated."""
    close_final_rounds: Term[bool]
    """Whether the call of the last rounds stands for that sign."""
    zone: Term[str]
    """By which clocks the house goes: the name of a time zone."""
    day_begins_hour: Term[int]
    """The hour at which a gaming day begins."""
    day_by: Term[str]
    """Who opens and closes the gaming day: a role."""


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
