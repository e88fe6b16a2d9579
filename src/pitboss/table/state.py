"""What is on the cloth. A table is a value: only `apply` changes one, and only a fresh draft of it."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from pitboss.basics.cards import Card
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.compiled import CompiledRulebook, compiled_for
from pitboss.table.events import Decision
from pitboss.table.house import ANYONE, House
from pitboss.table.session import Session

NO_CARDS = "no-cards"
"""Why a shuffle is due where a device ran empty in a round and no rule refills it."""
NO_CUTTING_CARD = -1
NOT_SHOWN = -2
ROUNDS_VOIDABLE = 100
"""How many rounds before the last one are remembered with what they brought, should an error in one be noticed."""
NOT_CLEARED = (-1, 0)
NOT_ANNOUNCED = -1
"""How many last rounds are left where none were announced."""

S = TypeVar("S", bound=msgspec.Struct)


def set_plainly(struct: type[S]) -> type[S]:
    """Attributes of this struct are set as those of any object: the interpreter then does it at once.

    A struct has a way of its own for the sake of the garbage collector, which does not look at these (`gc=False`).
    """
    struct.__setattr__ = object.__setattr__  # type: ignore[method-assign]
    struct.__delattr__ = object.__delattr__  # type: ignore[method-assign]
    return struct


class Wager(msgspec.Struct, frozen=True, gc=False):
    """One player's wager on one hand."""

    player: str
    cents: int
    """The original wager on this hand; nothing once it went back whole."""
    doubled_cents: int = 0
    token_cents: int = 0
    surrendered: bool = False
    kept: bool = False
    """After the double card the player said that they play on."""
    settled: bool = False
    """Paid, collected, returned or stood off: it is no longer on the table."""
    unnoticed: bool = False
    placed: int = 0
    """Which wager of the round it was, counted from the first."""
    doubled_placed: int = 0
    """The same for its doubled portion."""
    result: int = 0
    """Once it is settled: what it won, or lost below zero."""


@set_plainly
class Hand(msgspec.Struct, gc=False):
    """Cards on a box with the wagers on them."""

    wagers: dict[str, Wager]
    """By player, in line from the dealer."""
    cards: tuple[Card, ...] = ()
    total: int = 0
    soft: bool = False
    split: bool = False
    split_aces: bool = False
    doubled: bool = False
    face_down: bool = False
    done: bool = False
    """Nobody decides anything on it any more."""
    natural: bool = False
    """It was paid as a natural; its cards are gone."""
    held: str = ""
    """Why a won hand waits for the final settlement: natural, 21, or nothing."""
    due: bool = False
    """A card was asked for and has not come yet."""
    asking: str = ""
    """What the others on the box are being asked: double, split, surrender, short (whether they accept that a hand
    which lacks cards is played on), or nothing."""
    asked: tuple[str, ...] = ()
    short: str = ""
    """It lacks cards: in-turn, passed or dealer says when that was noticed (Adelaide 105, 106); late: it has since
    drawn, after the dealer's hand."""
    meant: str = ""
    """What had been called for when the dealer left it out: hit, double or split."""
    matching: dict[str, Wager] = {}
    """The wagers for the new hand by player while a split is being answered; replaced, not changed."""
    passed_over: tuple[str, ...] = ()
    """Who did not decide when it was their turn to call this hand: control does not pass back to them."""

    if TYPE_CHECKING:

        def __copy__(self) -> Self: ...


@set_plainly
class Box(msgspec.Struct, gc=False):
    """One playing area."""

    number: int
    wagers: dict[str, Wager] = {}
    """Original wagers by player, in the order in which they were placed; after the deal they are on the hands."""
    side: dict[str, dict[str, int]] = {}
    """Optional wagers: kind, player, cents."""
    hands: list[Hand] = []
    insurance: dict[str, int] = {}
    order: dict[str, dict[str, int]] = {}
    """Which wager of the round each optional one or insurance was: kind, player, number; replaced, not changed."""
    settled: tuple[tuple[str, str, int], ...] = ()
    """What insurance, optional wagers and bonuses brought here in this round: kind, player, cents won or lost."""
    controller: str = ""
    line: tuple[str, ...] = ()
    declined_control: tuple[str, ...] = ()
    splitting_ended: bool = False

    def brought(self, player: str) -> list[tuple[str, int, int]]:
        """What an original wager and what was measured on it have won or lost in this round: kind, hand, cents."""
        found = [
            ("original", index, hand.wagers[player].result)
            for index, hand in enumerate(self.hands)
            if player in hand.wagers and hand.wagers[player].result
        ]
        measured = ("insurance", "super-bonus")
        return found + [(kind, 0, cents) for kind, name, cents in self.settled if name == player and kind in measured]

    if TYPE_CHECKING:

        def __copy__(self) -> Self: ...


class PlayerState(msgspec.Struct, frozen=True, gc=False):
    """What the table knows of a player; changed rarely."""

    seat: int = 0
    present: bool = True
    card: bool = True
    chips_cents: int | None = None
    """What they had in front of them when they came, with what they bought and brought since and were given in tokens;
    None is enough for anything."""
    tokens_cents: int = 0
    """Promotional tokens in front of them, where chips are counted: a part of what they have."""
    loss_limit_cents: int | None = None
    deposit_limit_cents: int | None = None
    recognised: bool = False
    restricted_before: bool = False
    minimum_cents: int = 0
    """A minimum of their own (an old one they may keep, or one on their own sign); 0 for the table's."""
    maximum_cents: int = 0
    """A maximum of their own; 0 for the table's."""
    restriction: str = ""
    minimum_only: bool = False
    restricted_boxes: int = 0
    restriction_until: str = ""
    boxes_limit: int = 0
    """To how many boxes they are held because others want to play; 0 for no limit."""
    cover_splits: bool = False
    barred: str = ""
    """Why they are barred from the game."""
    excluded: bool = False
    """Not only from the game, but from the casino."""
    paused: bool = False
    """Waits for the new period of their loss limit."""
    card_due: bool = False
    """A wager of theirs was invalid: they show a player card of their own before they wager again."""
    warned: bool = False
    """Was told that further wagers below the minimum go back."""

    @property
    def keeps_old_minimum(self) -> bool:
        """A minimum from before it was raised; not so whoever has a sign of their own, with a minimum and a maximum."""
        return self.present and bool(self.minimum_cents) and not self.maximum_cents


STRANGER = PlayerState()
"""Somebody at the table of whom nothing else is known: no limit, card or restriction need be looked at."""
UNTOLD = PlayerState(card=False)
"""The same where the table plays with those whom the patrons' book knows, and it has said nothing of them."""


def newcomer(house: House) -> PlayerState:
    """What a table knows of somebody who has just come to it."""
    state = STRANGER if house.patrons == ANYONE else UNTOLD
    return msgspec.structs.replace(state, chips_cents=0) if house.counted else state


class Sign(msgspec.Struct, frozen=True, gc=False):
    """A sign on display that says what changes, and when."""

    what: str
    """limits or closing."""
    minutes: int
    """How long it stands before it takes effect."""
    at_ms: int
    minimum_cents: int = 0
    maximum_cents: int = 0
    kind: str = "original"


class Opened(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """How a round began: what it takes to lay it again when an error in it is noticed afterwards."""

    wagers: tuple[tuple[int, Wager], ...]
    """The original wagers as they stood before the first card, in the order in which they were placed."""
    side: tuple[tuple[int, str, str, int], ...]
    """Optional wagers: box, kind, player, cents."""
    side_placed: tuple[int, ...]
    """Which wager of the round each of them was."""
    lines: tuple[tuple[int, tuple[str, ...]], ...]
    """Who calls each box, and the others on it in line."""
    jackpot_cents: int
    """What the jackpot stood at before the jackpot wagers were collected."""
    position: int
    """Where in the stack the first of its cards lay that is not in `left`."""
    left: tuple[Card, ...] = ()
    """Its cards that left before the source was last filled."""
    cutting_in: int = NO_CUTTING_CARD
    """How many of its cards leave before the cutting card."""
    cutting_shown: int = NOT_SHOWN
    cutting_player: str = ""
    final_rounds: int = NOT_ANNOUNCED
    places: tuple[int, ...] = ()
    """To whom the cards of the initial deal went, in the order in which they left, where they went wrong and nobody
    has noticed it (NSW pontoon 17.8)."""
    fresh: bool = False
    """Cards were to be burned first."""
    error_cards: tuple[Card, ...] = ()
    """Cards that lay ready, drawn in error before."""
    burned: tuple[Card, ...] = ()
    aside: tuple[tuple[int, Card], ...] = ()
    """Cards that were laid again left over some that had left before: how many of the stack come before each."""
    spoiled: tuple[tuple[int, str], ...] = ()
    """Cards of the round that were taken out of play: how many had left before, and whether face-up, burned in error
    (burned), after the source was filled (burn), or one too many on the dealer's hand (dealers)
    or where nobody had wagered (superfluous)."""
    gone: int = 0
    """What is to be added to the position in the stack for how many cards of the round have left."""
    returned: tuple[Card, ...] = ()
    """What went into the shuffling device when the round was over, last of all that is in it."""
    face_down: bool = False
    """Whether the first cards were dealt face down: not all of them need have been turned up."""
    inside: tuple[Card, ...] = ()
    """Those of its cards that are in the shuffling device again although the round is not over: burned before it."""


@set_plainly
class Table(msgspec.Struct, gc=False):
    """Everything that the next act depends on. Treat it as a value: `play` gives a new one."""

    rulebook: Rulebook
    house: House
    compiled: CompiledRulebook
    players: dict[str, PlayerState]
    """In the order in which they came."""
    net: dict[str, int]
    """Cents won or lost so far, wagers on the table counted as gone."""
    jackpot_cents: int
    phase: str = "wagers"
    """wagers, dealing, insurance, interim, surrender, play or settling."""
    preparation: str = "ready"
    """ready, shuffle, cut or cutting-card: what must be done before (more) cards are dealt."""
    boxes: dict[int, Box] = {}
    betting_closed: bool = False
    card_left: bool = False
    """Betting is closed because a card left in error before the deal."""
    dealer_cards: tuple[Card, ...] = ()
    dealer_total: int = 0
    dealer_soft: bool = False
    dealer_natural: bool = False
    dealer_done: bool = False
    turn_box: int = 0
    turn_hand: int = 0
    # cards
    arranged: bool = False
    """The stack was arranged card by card (a record): it is in the order after the cut and need not be whole decks."""
    stack: tuple[Card, ...] = ()
    suspect: bool = False
    """The stack holds a card that does not belong to the decks, or one more of a card than they have: each card that
    appears is looked at."""
    position: int = 0
    """How many cards of the stack have left."""
    cutting_at: int = NO_CUTTING_CARD
    """How many cards leave before the cutting card."""
    cutting_shown: int = NOT_SHOWN
    """Where it came in this round: a box, `DEALER`, or `AS_FIRST_CARD`."""
    fresh: bool = False
    """A new stack: cards are burned before the first round."""
    rack: tuple[Card, ...] = ()
    burned: tuple[Card, ...] = ()
    """Cards drawn face down after a shuffling device was loaded that still lie in the rack."""
    shuffle_reason: str = ""
    shuffle_ordered: bool = False
    """A shuffle was ordered during this round and comes after it."""
    cutting_player: str = ""
    """Who called the box on which the cutting card came."""
    places: dict[str, int] = {}
    """The first box on which each player wagered in the last round, for those who have no seat."""
    reshuffled: int = 0
    """How many discards were shuffled to finish a round."""
    cut_from: int = NOT_SHOWN
    """Where the cutting card came when a shuffle became due: who cuts depends on it."""
    cut_offered: str = ""
    cut_declined: tuple[str, ...] = ()
    shoe_round: int = 0
    """Rounds begun since the last shuffle."""
    played: dict[str, int] = {}
    """For each player the rounds of this shoe in which they wagered, one bit each."""
    final_rounds: int = NOT_ANNOUNCED
    """Announced last rounds still to come; `NOT_ANNOUNCED` where none were."""
    # the house
    reserved: dict[int, str] = {}
    players_cap: int = 0
    box_cap: int = 0
    side_restricted: tuple[str, ...] = ()
    minimum_raised: bool = False
    """The minimum on the sign was raised while players were there."""
    signs: tuple[Sign, ...] = ()
    """What is announced and has not happened yet."""
    # this round
    round_players: tuple[str, ...] = ()
    """Who wagered on the round, in any way."""
    round_wagers: tuple[tuple[int, str], ...] = ()
    """The original wagers of the round: box and player."""
    bonus_hands: tuple[tuple[int, int], ...] = ()
    """Hands, by box and number, whose Super Bonus is paid before the cards are gathered."""
    bonus_given: tuple[tuple[int, str], ...] = ()
    """Super Bonus or consolation already paid in this round; box 0 where it is for the player."""
    jackpot_wagers: tuple[tuple[int, str, int, int], ...] = ()
    """Collected jackpot wagers of the round: box, player, cents, part that went to the jackpot."""
    jackpot_lost: tuple[tuple[int, str], ...] = ()
    """Those of them that have won nothing: box and player. They stay among the wagers that a fault gives back."""
    jackpot_paid: tuple[tuple[int, str, int, int], ...] = ()
    """Those that were paid: box, player, what that brought beyond the wager, and what it took out of the jackpot."""
    jackpot_reset: int = 0
    """What the house put into the jackpot in this round to reset it."""
    jackpot_waiting: tuple[tuple[int, str, str], ...] = ()
    """Shares of a linked jackpot that wait for the link: box, player, result."""
    round_start: dict[str, int] = {}
    """What each player of the round stood at before they wagered on it."""
    placements: int = 0
    """Wagers placed since the last round, of any kind."""
    final_results: dict[str, int] = {}
    """What the final settlement of the round brought each player."""
    final_staked: dict[str, int] = {}
    """What of each player's wagers lay there until then, with those lost before where a void round gives these back."""
    in_tokens: dict[str, tuple[int, int]] = {}
    """Where chips are counted, the wagers that are in tokens: "box player kind" to their cents and those in tokens."""
    last_final: dict[str, int] = {}
    """What the final settlement of the round before brought each player."""
    last_staked: dict[str, int] = {}
    """What of their wagers could still be kept then."""
    last_results: dict[str, int] = {}
    """What each player won or lost in the round before."""
    small_wagers: tuple[tuple[str, int, int], ...] = ()
    """Original wagers that nobody noticed to be outside the sign when they were placed: player, box, cents."""
    last_small: tuple[tuple[str, int, int], ...] = ()
    """The same of the round before: they may still be noticed until the next one begins."""
    small_results: tuple[tuple[str, int, int], ...] = ()
    """What those of the round before won or lost: player, box, cents."""
    # when things go wrong
    error_cards: tuple[tuple[Card, bool], ...] = ()
    """Cards drawn in error that are the next to be dealt, and whether they are exposed."""
    refusers: tuple[str, ...] = ()
    """Who refused such a card in this round and gets no more than the rulebook still makes them take."""
    misdealt: tuple[tuple[int, Card], ...] = ()
    """The cards of a wrong initial deal in the order in which they left: box and card."""
    opened: Opened | None = None
    """How this round began, or the last one while the next has not; None where it can no longer be laid again."""
    decisions: tuple[Decision, ...] = ()
    """What was decided in it."""
    pending: tuple[Decision, ...] = ()
    """What was decided in a round that was taken back, and is still to be looked at."""
    spoiled: tuple[tuple[int, str], ...] = ()
    """Cards that are not dealt where a round is laid again: where in the stack, and whether face-up or burned."""
    earlier: tuple[dict[str, int], ...] = ()
    """What each player won or lost in the rounds before the last one, the latest at the end (see `rounds_before`)."""
    lately: tuple[dict[str, int], ...] = ()
    """The latest of them, which come to `earlier` several at a time."""
    redeal: int = 0
    """Cards of a round being rebuilt that are still to be laid; they come before any drawn in error."""
    noticed: str = ""
    """When the error in it was noticed."""
    halted: bool = False
    """Ordinary play waits: until a stopped table goes on, for an approval, the answer to an offered refund, or the
    rebuilding of a round."""
    wrong_card: Card = ""
    """A card that does not belong to the decks and comes next: it is taken out, or the house lets it be dealt."""
    cleared: tuple[int, int] = NOT_CLEARED
    """Where in the stack, and how many of those drawn in error were left, when the house let such a card be dealt."""
    checks_due: tuple[str, ...] = ()
    """What somebody confirms before the next deal: decks, surveillance, inspector."""
    stopped: str = ""
    """Why nothing more is done here until two people must restart the table: its money does not add up."""
    approval_due: str = ""
    """The role that must approve before the game continues."""
    shuffle_after: str = ""
    """Why the cards are shuffled after this round: cut-missed, shuffle-missed, check."""
    insurance_forgotten: bool = False
    discards_forgotten: int = 0
    """1: the discards will not go back after the next initial deal; 2: they did not in this round."""
    refund_asked: tuple[str, ...] = ()
    """Players who still say whether they take their wagers back."""
    device_down: bool = False
    new_cards_due: bool = False
    """The device failed and its cards are dealt on: new ones follow where the rulebook says so."""
    jackpot_down: bool = False
    """The jackpot equipment has failed: the game continues without the jackpot."""
    disputes: tuple[tuple[str, str], ...] = ()
    """Players who dispute something, and how far that has come: raised, ruled, review or final."""
    dealer_late: bool = False
    """The dealer got the first card late: ace and ten is then no natural."""
    session: Session | None = None
    """The session of a tournament that is on."""

    if TYPE_CHECKING:

        def __copy__(self) -> Self: ...

    def hand_to_act(self) -> Hand:
        return self.boxes[self.turn_box].hands[self.turn_hand]

    def rounds_before(self) -> tuple[dict[str, int], ...]:
        """What the finished rounds brought each player, the last one at the end; nothing where one is void already."""
        past = (*self.earlier, *self.lately, self.last_results)[-1 - ROUNDS_VOIDABLE :]
        return past if len(past) > 1 or past[0] else ()


def copy_hand(hand: Hand) -> Hand:
    new = hand.__copy__()
    new.wagers = hand.wagers.copy()
    return new


def copy_box(box: Box) -> Box:
    new = box.__copy__()
    hands = box.hands
    if len(hands) == 1:
        hand = hands[0].__copy__()  # as `copy_hand`
        hand.wagers = hand.wagers.copy()
        new.hands = [hand]
    elif hands:
        new.hands = [copy_hand(hand) for hand in hands]
    else:
        new.wagers = box.wagers.copy()
    if box.insurance:
        new.insurance = box.insurance.copy()
    if box.side:
        new.side = {kind: wagers.copy() for kind, wagers in box.side.items()}
    return new


def draft(table: Table) -> Table:
    """A copy that may be changed without touching the original.

    Only what changes often is copied; dictionaries that change rarely (players, places, rounds played) are replaced by
    whoever changes them.
    """
    new = table.__copy__()
    new.net = table.net.copy()
    new.boxes = boxes = {}
    for number, box in table.boxes.items():
        boxes[number] = copy_box(box)
    return new


def take_date(table: Table, date: datetime.date | None) -> None:
    """Change the gaming date of a draft: it is played by what every term is on that day."""
    table.house = msgspec.structs.replace(table.house, date=date)
    table.rulebook = table.rulebook.on(date)
    table.compiled = compiled_for(table.rulebook)


def snapshot(table: Table) -> dict[str, Any]:
    """The whole table as plain data (hidden cards included), for comparing and storing."""
    data: dict[str, Any] = {
        name: msgspec.to_builtins(getattr(table, name))
        for name in Table.__struct_fields__
        if name not in ("rulebook", "compiled")
    }
    data["rulebook"] = table.rulebook.id
    data["variant"] = table.rulebook.variant
    return data
