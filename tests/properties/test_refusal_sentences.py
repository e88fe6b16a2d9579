"""No refusal claims what is not so: each sentence is held against the table that it speaks of (an ace is an ace).

`CLAIMS` has a check for every sentence that claims something of the table; `TOLD` are sentences that say what to do, or
what the document has or has not, and claim nothing of the table. A sentence that stands in neither fails the whole
proof.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.basics.cards import JOKER
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.apply import evolve
from pitboss.table.belonging import CHECKS as DUE
from pitboss.table.engine import decide, refusal
from pitboss.table.house import DEVICE, SHOE
from pitboss.table.irregularities.hindsight import cards_of, right_order
from pitboss.table.refusals import Refusal
from pitboss.table.roles import RANK, may_act
from pitboss.table.state import Box, Opened, Table
from tests.lengths import WHOLE, length
from tests.properties import driver

Check = Callable[[Table, Any, "re.Match[str]"], bool]


def box_of(t: Table, number: str | int) -> Box | None:
    return t.boxes.get(int(number))


def on_hands(t: Table, player: str, number: str | int) -> bool:
    """Whether a player has an open wager on a hand of a box."""
    box = box_of(t, number)
    return box is not None and any(player in h.wagers and not h.wagers[player].settled for h in box.hands)


def before_deal(t: Table, player: str, number: str | int, kind: str = "original") -> bool:
    box = box_of(t, number)
    if box is None:
        return False
    return player in (box.wagers if kind == "original" else box.side.get(kind, {}))


def cents(text: str) -> int:
    return round(float(text.replace(",", "").removeprefix("$")) * 100)


def all_done(t: Table, number: str | int) -> bool:
    box = box_of(t, number)
    return box is not None and bool(box.hands) and all(hand.done for hand in box.hands)


def hand_in_turn(t: Table) -> Any:
    return t.boxes[t.turn_box].hands[t.turn_hand] if t.turn_box else None


def role_of(words: str) -> str:
    return words.removeprefix("the ").removeprefix("a ").replace(" ", "-")


def nobody_may(t: Table, act: Any, m: re.Match[str]) -> bool:
    return all(refusal(t, replace(act, by=role)) is not None for role in RANK)


def settled_or_gone(t: Table, player: str, number: str | int) -> bool:
    return not on_hands(t, player, number) and not before_deal(t, player, number)


def void_for(t: Table) -> dict[str, str]:
    return t.rulebook.irregularities.void_for.value


def right_now(t: Table, act: Any) -> list[int]:
    """Where the cards of the initial deal go: of the deal to come, or of the round that was dealt."""
    if isinstance(act, a.Misdeal):
        boxes = sorted(number for number, box in t.boxes.items() if box.wagers)
        return [*boxes, 0, *boxes]
    return right_order(t.opened) if t.opened is not None else []


def cards_together(t: Table, memo: Opened) -> bool:
    """Whether all cards of the round lie on the layout or in the rack, or went back as is remembered."""
    lie = [*t.rack, *t.dealer_cards, *memo.returned, *memo.inside, *(card for card, _ in t.error_cards)]
    lie += [card for box in t.boxes.values() for hand in box.hands for card in hand.cards]
    lie += [card for _, card in t.misdealt]
    return not Counter(cards_of(t, memo)) - Counter(lie)


N = r"([\w-]+)"
"""Somebody's name."""
CLAIMS: dict[str, Check] = {
    # --- turns
    r"no round is being played(: decisions come after the deal)?\.": lambda t, act, m: t.phase == "wagers",
    rf"{N} is alone on box (\d+): .*": lambda t, act, m: list(t.boxes[int(m[2])].wagers) == [m[1]],
    rf"{N} has no wager on box (\d+) in this round\.": lambda t, act, m: (
        box_of(t, m[2]) is None or not t.boxes[int(m[2])].hands or m[1] not in t.boxes[int(m[2])].line
    ),
    r"it is box (\d+)'s turn: boxes are played in order from the left\.": lambda t, act, m: (
        t.turn_box == int(m[1]) != act.box
    ),
    r"box (\d+) is finished: nothing more is decided on it in this round\.": lambda t, act, m: (
        all_done(t, m[1]) and t.boxes[int(m[1])].controller not in t.refusers
    ),
    r"the wagers on the hand of box (\d+) that lacked cards went back\.": lambda t, act, m: (
        all_done(t, m[1]) and any(h.short and not h.cards for h in t.boxes[int(m[1])].hands)
    ),
    rf"{N} refused a card and gets no more of them\.": lambda t, act, m: m[1] in t.refusers,
    r"box (\d+) has been surrendered: it gets no more cards\.": lambda t, act, m: (
        all_done(t, m[1]) and any(w.surrendered for h in t.boxes[int(m[1])].hands for w in h.wagers.values())
    ),
    rf"{N} calls box (\d+)\.": lambda t, act, m: t.boxes[int(m[2])].controller == m[1] != act.player,
    rf"{N} has surrendered; {N} calls box (\d+)\.": lambda t, act, m: (
        t.boxes[int(m[3])].controller == m[2] and hand_in_turn(t).wagers[m[1]].surrendered
    ),
    r"(.+) must first say whether to (double|split) too, or decline\.": lambda t, act, m: (
        hand_in_turn(t).asking == m[2] and m[1] == ", ".join(hand_in_turn(t).asked)
    ),
    rf"the hand is doubled and has its card: {N} forfeits or keeps\.": lambda t, act, m: hand_in_turn(t).doubled,
    r"(insurance|surrender|turning up the cards) comes first\.": lambda t, act, m: (
        t.phase == {"turning up the cards": "dealing"}.get(m[1], m[1])
    ),
    rf"{N} first accepts that or takes the wager back\.": lambda t, act, m: m[1] in hand_in_turn(t).asked,
    # --- preparation
    r"the cards are to be shuffled (first|anyway)\.": lambda t, act, m: t.preparation != "ready" or t.shuffle_ordered,
    rf"the cards are offered to {N} to be cut first\.": lambda t, act, m: (
        t.preparation == "cut" and t.cut_offered == m[1]
    ),
    r"the dealer places the cutting card first\.": lambda t, act, m: t.preparation == "cutting-card",
    r"the cards have run out, and no rule refills the shoe: (.+) declares the round void\.": lambda t, act, m: (
        t.house.source == DEVICE and t.position >= len(t.stack)
    ),
    r"no shuffle is due.*": lambda t, act, m: t.preparation != "shuffle" or "cutting-card" not in t.shuffle_reason,
    r"no cut is due\.": lambda t, act, m: t.preparation not in ("cut", "cutting-card"),
    r"no burn is due\.": lambda t, act, m: not (t.fresh and t.phase == "wagers" and t.preparation == "ready"),
    r"no (shuffling device is in use)\.": lambda t, act, m: t.house.source == SHOE,
    r"no cutting card comes from a shuffling device.*": lambda t, act, m: t.house.source == DEVICE,
    r"cards in a shoe are not (checked so|mixed during play)\.": lambda t, act, m: t.house.source == SHOE,
    r"this restriction goes with a card shoe, and the table has a shuffling device\.": lambda t, act, m: (
        t.house.source == DEVICE
    ),
    r"the shuffling device has not failed\.": lambda t, act, m: not t.device_down,
    r"that shoe is played out first\.": lambda t, act, m: t.new_cards_due,
    r"those cards are not in the device\.": lambda t, act, m: bool(act.damaged),
    r"the device held? other cards than these\.": lambda t, act, m: sorted(act.order) != sorted(t.stack[t.position :]),
    r"there are too few cards to draw from again\.": lambda t, act, m: len(act.order) < 10,
    r"the cards of the round are (being )?laid again.*": lambda t, act, m: t.redeal > 0,
    # --- wagers
    r"the first card has left: .*": lambda t, act, m: t.phase != "wagers",
    r"a card has left already: .*": lambda t, act, m: t.card_left,
    r'"no more bets" has been called: wait for the next round\.': lambda t, act, m: t.betting_closed,
    r"betting is closed already\.": lambda t, act, m: t.betting_closed or t.phase != "wagers",
    r"no wager has been placed( yet|: there is nobody to deal to)\.": lambda t, act, m: (
        not any(b.wagers for b in t.boxes.values())
    ),
    r"there are wagers on the table\.": lambda t, act, m: (
        t.phase != "wagers" or any(b.wagers for b in t.boxes.values())
    ),
    r"there is no box (\d+): the layout has boxes 1 to (\d+)\.": lambda t, act, m: (
        t.house.boxes == int(m[2]) and not 1 <= int(m[1]) <= int(m[2])
    ),
    r"box (\d+) has no original wager yet: ([\w-]+) needs one there first\.": lambda t, act, m: (
        box_of(t, m[1]) is None or not t.boxes[int(m[1])].wagers
    ),
    r"place an original wager on box (\d+) first\.": lambda t, act, m: not before_deal(t, act.player, m[1]),
    r"the minimum is (\$[\d,.]+); (\$[\d,.]+) is below it\.": lambda t, act, m: (
        act.cents == cents(m[2][:-1] if m[2].endswith(".") else m[2]) < cents(m[1])
    ),
    r"the maximum a player a box is (\$[\d,.]+); (\$[\d,.]+) is above it\.": lambda t, act, m: act.cents > cents(m[1]),
    r"the maximum is (\$[\d,.]+); (\$[\d,.]+) is above it\.": lambda t, act, m: act.cents > cents(m[1]),
    rf"control of box (\d+) is not offered to {N}\.": lambda t, act, m: (
        box_of(t, m[1]) is None or t.boxes[int(m[1])].controller != m[2] or t.phase == "wagers"
    ),
    r"the sign asks for multiples of (\$[\d,]+\.\d\d)\.": lambda t, act, m: act.cents % cents(m[1]) != 0,
    r"the sign asks for (\$[\d,]+\.\d\d) to (\$[\d,]+\.\d\d) on .*": lambda t, act, m: (
        not cents(m[1]) <= act.cents <= cents(m[2])
    ),
    r"box (\d+) is full: its maximum of (\$[\d,]+\.\d\d) is wagered\.": lambda t, act, m: (
        sum(w.cents for w in t.boxes[int(m[1])].wagers.values()) >= cents(m[2])
    ),
    r"box (\d+) takes (\$[\d,]+\.\d\d) in all: at most (\$[\d,]+\.\d\d) more\.": lambda t, act, m: (
        act.cents > cents(m[3])
    ),
    r"box (\d+) has (\d) wagers: no more than \d on a box\.": lambda t, act, m: (
        len(t.boxes[int(m[1])].wagers) == int(m[2])
    ),
    r"box (\d+) has (\d) ([\w-]+) wagers, the most there may be\.": lambda t, act, m: (
        len(t.boxes[int(m[1])].side[m[3]]) == int(m[2])
    ),
    rf"{N} already has a wager on box (\d+): .*": lambda t, act, m: before_deal(t, m[1], m[2]),
    rf"{N} already has an? ([\w-]+) wager on box (\d+)\.": lambda t, act, m: before_deal(t, m[1], m[3], m[2]),
    rf"{N} has no such wager on box (\d+)( to withdraw)?\.": lambda t, act, m: not before_deal(t, m[1], m[2], act.kind),
    rf"{N} does not have that much in chips\.": lambda t, act, m: t.players[m[1]].chips_cents is not None,
    rf"that could take {N} past the loss limit; (\$[\d,]+\.\d\d) is left of it\.": lambda t, act, m: (
        cents(m[2]) == max(0, (t.players[m[1]].loss_limit_cents or 0) + t.net[m[1]])
    ),
    rf"{N} is barred from the game: .*": lambda t, act, m: bool(t.players[m[1]].barred),
    rf"{N} is restricted to the minimum: wager exactly .*": lambda t, act, m: t.players[m[1]].minimum_only,
    rf"{N} (pauses|is paused).*": lambda t, act, m: t.players[m[1]].paused,
    rf"{N} has (a valid|no valid) player card.*": lambda t, act, m: not t.players[m[1]].card,
    r"([\w-]+) is limited to players with an original wager on the box\.": lambda t, act, m: m[1] in t.side_restricted,
    r"blazing-7s needs a shuffling-device\.": lambda t, act, m: t.house.source == SHOE,
    r"blazing-7s cannot be offered with (\d) decks\.": lambda t, act, m: t.house.decks == int(m[1]),
    r"this table (offers|does not offer|has) .*": lambda t, act, m: act.kind not in t.house.side_bets,
    r"the jackpot equipment has failed.*": lambda t, act, m: t.jackpot_down,
    r"no jackpot equipment has failed\.": lambda t, act, m: not t.jackpot_down,
    r"no jackpot is being played for\.": lambda t, act, m: "blazing-7s" not in t.house.side_bets or t.jackpot_down,
    rf"box (\d+) is reserved for {N}.*": lambda t, act, m: t.reserved.get(int(m[1])) == m[2],
    r"others have wagers on box (\d+)\.": lambda t, act, m: bool(t.boxes[int(m[1])].wagers),
    rf"{N} is held to (\d+) box.*": lambda t, act, m: bool(t.players[m[1]].boxes_limit),
    r"wagers are made in chips; promotional tokens are not accepted\.": lambda t, act, m: act.token_cents > 0,
    r"the tokens are a part of the wager, at most all of it\.": lambda t, act, m: not 0 <= act.token_cents <= act.cents,
    # --- insurance, surrender
    r"the dealer has no card: insurance .*": lambda t, act, m: t.phase == "wagers" or not t.dealer_cards,
    r"insurance is offered when the dealer's first card is an ace, and it is (\S\S)\.": lambda t, act, m: (
        t.dealer_cards[0] == m[1] and m[1][0] != "A"
    ),
    r"the dealer's first card came late: no insurance is offered\.": lambda t, act, m: t.dealer_late,
    r"insurance comes after the initial deal\.": lambda t, act, m: t.phase == "dealing" and t.dealer_cards[0][0] == "A",
    r"insurance is closed\.": lambda t, act, m: (
        t.phase in ("play", "late", "surrender") and t.dealer_cards[0][0] == "A"
    ),
    rf"{N} has no wager on box (\d+) to insure\.": lambda t, act, m: not on_hands(t, m[1], m[2]),
    rf"{N} has insured box (\d+) already\.": lambda t, act, m: m[1] in t.boxes[int(m[2])].insurance,
    r"insure for up to half of the original wager, (\$[\d,]+\.\d\d)\.": lambda t, act, m: act.cents > cents(m[1]),
    r"insurance goes in multiples of half the smallest chip, .*": lambda t, act, m: (
        2 * act.cents % t.house.smallest_chip_cents != 0
    ),
    r"a player who has (pontoon|blackjack) may not insure\.": lambda t, act, m: (
        sorted("A" if c[0] == "A" else "T" for c in t.boxes[act.box].hands[0].cards) == ["A", "T"]
        or t.boxes[act.box].hands[0].natural
    ),
    r"insurance has been offered: somebody has taken it\.": lambda t, act, m: any(
        b.insurance for b in t.boxes.values()
    ),
    r"insurance is not due\.": lambda t, act, m: t.phase != "insurance" or t.insurance_forgotten,
    r"surrender is not open now\.": lambda t, act, m: t.phase != "surrender",
    r"surrender is offered when the dealer's first card is .* and it is (\S\S)\.": lambda t, act, m: (
        t.dealer_cards[0] == m[1] and m[1][0] not in "JQKA"
    ),
    rf"{N} has no wager( left)? on box (\d+)\.": lambda t, act, m: settled_or_gone(t, m[1], m[3]),
    r"box (\d+) has (pontoon|blackjack): there is nothing to surrender\.": lambda t, act, m: (
        t.boxes[int(m[1])].hands[0].natural or bool(t.boxes[int(m[1])].hands[0].held)
    ),
    rf"{N} has surrendered box (\d+) already\.": lambda t, act, m: t.boxes[int(m[2])].hands[0].wagers[m[1]].surrendered,
    rf"{N} decides for box (\d+), and that binds everybody on it\.": lambda t, act, m: (
        t.boxes[int(m[2])].controller == m[1]
    ),
    rf"{N} calls box (\d+) and has not surrendered, so nobody on it may\.": lambda t, act, m: (
        t.boxes[int(m[2])].controller == m[1] and not t.boxes[int(m[2])].hands[0].wagers[m[1]].surrendered
    ),
    rf"{N} has declined to surrender box (\d+)\.": lambda t, act, m: m[1] not in t.boxes[int(m[2])].hands[0].asked,
    # --- decisions
    r"(\d+) is below 12: take a card, or double or split if allowed\.": lambda t, act, m: (
        hand_in_turn(t).total == int(m[1]) < 12
    ),
    r"(hard|soft) (\d+) of (\d+) cards cannot be doubled: .*": lambda t, act, m: (
        (hand_in_turn(t).total, len(hand_in_turn(t).cards)) == (int(m[2]), int(m[3]))
        and hand_in_turn(t).soft == (m[1] == "soft")
    ),
    r"double for up to the original wager of (\$[\d,]+\.\d\d)\.": lambda t, act, m: (
        act.cents is None or not 0 < act.cents <= cents(m[1])
    ),
    r"(\S\S) and (\S\S) are not of equal value\.": lambda t, act, m: hand_in_turn(t).cards == (m[1], m[2]),
    r"only the first two cards of a hand are split\.": lambda t, act, m: len(hand_in_turn(t).cards) != 2,
    r"a re-split was passed over on box (\d+): .*": lambda t, act, m: len(t.boxes[int(m[1])].hands) > 1,
    rf"{N} was told that wagers below .* go back\.": lambda t, act, m: t.players[m[1]].warned,
    r"boxes are limited to (\d) players? each\.": lambda t, act, m: t.box_cap == int(m[1]),
    r"split aces .*": lambda t, act, m: hand_in_turn(t).split_aces,
    r"box (\d+) has (\d) hands.*": lambda t, act, m: len(t.boxes[int(m[1])].hands) == int(m[2]),
    rf"{N} has no doubled wager on box (\d+)\.": lambda t, act, m: (
        box_of(t, m[2]) is None
        or m[1] not in t.boxes[int(m[2])].line
        or t.phase not in ("play", "late")
        or not any(h.doubled for h in t.boxes[int(m[2])].hands)
    ),
    r"the hand on box (\d+) has not been doubled\.": lambda t, act, m: not hand_in_turn(t).doubled,
    r"the doubled hand on box (\d+) is finished\.": lambda t, act, m: hand_in_turn(t).doubled and hand_in_turn(t).done,
    r"forfeiting is done before the next hand is acted on\.": lambda t, act, m: (
        t.turn_box != act.box and any(h.doubled for h in t.boxes[act.box].hands)
    ),
    rf"{N} did not double: .*": lambda t, act, m: (
        m[1] not in hand_in_turn(t).wagers or not hand_in_turn(t).wagers[m[1]].doubled_cents
    ),
    rf"{N} has decided already\.": lambda t, act, m: hand_in_turn(t).doubled,
    rf"{N} is not being asked anything on box (\d+)\.": lambda t, act, m: (
        box_of(t, m[2]) is None or not any(m[1] in h.asked for h in t.boxes[int(m[2])].hands)
    ),
    r"box (\d+) has no cards face down\.": lambda t, act, m: (
        box_of(t, m[1]) is None or not any(h.face_down for h in t.boxes[int(m[1])].hands)
    ),
    rf"{N} has no wager on box (\d+) and handles no cards there\.": lambda t, act, m: (
        m[1] not in t.boxes[int(m[2])].line
    ),
    r"the first two cards of box (\d+) are turned up before it gets a third\.": lambda t, act, m: any(
        h.face_down for h in t.boxes[int(m[1])].hands
    ),
    r"the hand lacks a card: draw, or take the wager back\.": lambda t, act, m: bool(hand_in_turn(t).short),
    r"the hand on box (\d+) lacks a card: ([\w-]+) draws or takes the wager back first\.": lambda t, act, m: (
        bool(hand_in_turn(t).short) and t.boxes[int(m[1])].controller == m[2] != act.player
    ),
    rf"that is asked of (.+), not of {N}\.": lambda t, act, m: (
        m[2] not in m[1].split(", ") and (t.refund_asked or hand_in_turn(t).asked) == tuple(m[1].split(", "))
    ),
    rf"nothing is offered to {N}: wagers stay\.": lambda t, act, m: m[1] not in t.refund_asked,
    rf"{N} is asked nothing: the round goes on\.": lambda t, act, m: m[1] not in t.refund_asked,
    rf"{N} first says whether to take the wagers back or play on\.": lambda t, act, m: m[1] == t.refund_asked[0],
    rf"{N}'s decision on box (\d+) is not awaited now\.": lambda t, act, m: (
        t.turn_box != int(m[2])
        or t.preparation != "ready"
        or (t.boxes[t.turn_box].controller != m[1] and m[1] not in hand_in_turn(t).asked)
        or bool(hand_in_turn(t).asking or hand_in_turn(t).doubled)
    ),
    # --- what goes wrong
    r"no round has been dealt that is not void already\.": lambda t, act, m: t.phase == "wagers",
    r"the round is being played: the settlement has not come yet\.": lambda t, act, m: t.phase != "wagers",
    r"a shuffling device is in use: nobody shuffles or cuts between its rounds\.": lambda t, act, m: (
        t.house.source == DEVICE
    ),
    r"the cards are about to be shuffled or cut\.": lambda t, act, m: t.preparation != "ready",
    r"no card was drawn in error\.": lambda t, act, m: not t.error_cards,
    rf"the card is not offered to {N} now\.": lambda t, act, m: (
        t.phase != "play" or t.turn_box != act.box or t.boxes[t.turn_box].controller != m[1]
    ),
    r"the dealer's hand is not complete: such a card is one drawn in error\.": lambda t, act, m: t.phase != "wagers",
    r"nothing has been misdealt\.": lambda t, act, m: not t.misdealt,
    r"the hands were misdealt: they are rebuilt first, or the round is void\.": lambda t, act, m: bool(t.misdealt),
    r"a round is being played: finish it first\.": lambda t, act, m: t.phase != "wagers",
    r"box (\d+) is not being dealt to now\.": lambda t, act, m: (
        t.phase != "play" or t.turn_box != int(m[1]) or t.preparation != "ready"
    ),
    r"on box (\d+) something else is to be decided first\.": lambda t, act, m: bool(
        hand_in_turn(t).asking or hand_in_turn(t).doubled or hand_in_turn(t).short
    ),
    r"there is no earlier round that is not void already\.": lambda t, act, m: not any(t.rounds_before()),
    r"the next round has begun: the result of the earlier one stands\.": lambda t, act, m: (
        t.phase != "wagers" or act.rounds_ago > 1
    ),
    r"the card lies where it belongs\.": lambda t, act, m: act.box == act.wrong,
    r"the round is finished first\.": lambda t, act, m: t.phase != "wagers",
    r"that is done after the round\.": lambda t, act, m: t.phase != "wagers",
    r"a wager is refused before the first card of the round\.": lambda t, act, m: t.phase != "wagers",
    r"(.+) approves first that the game continues\.": lambda t, act, m: t.approval_due == role_of(m[1]),
    r"nothing waits for approval\.": lambda t, act, m: not t.approval_due,
    rf"{N} has no wager on box (\d+) outside the limits\.": lambda t, act, m: True,
    rf"{N} has no wager on box (\d+) in this round: what was settled in earlier rounds stands\.": lambda t, act, m: (
        settled_or_gone(t, m[1], m[2])
    ),
    rf"everything of {N} on box (\d+) has gone back already\.": lambda t, act, m: settled_or_gone(t, m[1], m[2]),
    rf"a wager of {N} was invalid: they first show a player card of their own\.": lambda t, act, m: (
        t.players[m[1]].card_due
    ),
    rf"{N}'s wagers are within the loss limit\.": lambda t, act, m: (
        m[1] not in t.players
        or t.players[m[1]].loss_limit_cents is None
        or -t.net[m[1]] <= (t.players[m[1]].loss_limit_cents or 0)
    ),
    rf"{N} has no wager that could be declared void\.": lambda t, act, m: (
        not any(on_hands(t, m[1], b) or before_deal(t, m[1], b) for b in t.boxes)
    ),
    r"this is for a prohibited device only; .*": lambda t, act, m: (
        act.breach not in ("", "device") or "calculator" not in act.reason
    ),
    r"this is for whoever broke a rule; .*": lambda t, act, m: act.breach == "conduct",
    r"only who has a prohibited device is detained\.": lambda t, act, m: act.detained and act.breach != "device",
    r"the wagers of an invalidated round go back\.": lambda t, act, m: not act.refund,
    r"only the wagers of who committed fraud may be forfeited\.": lambda t, act, m: bool(act.forfeit),
    # --- cards that are missing or foreign
    r"a card was missing or foreign\. Before the next deal (.+), and a casino supervisor confirms it\.": (
        lambda t, act, m: m[1].split(", ") == [DUE[check] for check in t.checks_due]
    ),
    r"nothing waits to be confirmed\.": lambda t, act, m: not t.checks_due,
    r"that is not due: (.+)\.": lambda t, act, m: (
        act.done not in t.checks_due and m[1].split(", ") == [DUE[check] for check in t.checks_due]
    ),
    # --- noticed afterwards
    r"no burn was due in this round\.": lambda t, act, m: t.opened is not None and not t.opened.fresh,
    r"no discards were due back in this round\.": lambda t, act, m: (
        t.house.source != DEVICE or not t.compiled.device_returns_early or bool(t.discards_forgotten)
    ),
    r"insurance was not due in this round\.": lambda t, act, m: (
        not t.rulebook.insurance.offered.value
        or not t.dealer_cards
        or t.dealer_cards[0][0] not in t.rulebook.insurance.dealer_ranks.value
    ),
    r"no round is being played: insurance is placed until .*": lambda t, act, m: t.phase == "wagers",
    r"insurance is open at this moment: .*": lambda t, act, m: t.phase == "insurance",
    r"insurance is placed until the dealer's second card, .*": lambda t, act, m: len(t.dealer_cards) > 1,
    r"insurance was offered: somebody has taken it\.": lambda t, act, m: any(
        made.what == "InsurancePlaced" for made in t.decisions
    ),
    r"its wagers, hands or cards are no longer as they were: .*": lambda t, act, m: t.opened is None,
    r"its cards are no longer together: .*": lambda t, act, m: t.opened is not None and not cards_together(t, t.opened),
    r"that is the right order\.": lambda t, act, m: list(act.places) == right_now(t, act),
    r"at decision (\d+) no (double|split) can have been called for: .*": lambda t, act, m: (
        t.decisions[int(m[1]) - 1].what in ("HandHit", "HandStood", "PlayerPassedOver", "WagerDoubled", "WagerSplit")
    ),
    r"a (fraud|disturbance) lets the outcome be invalidated: .*": lambda t, act, m: m[1] not in void_for(t),
    r"a round is declared void for this alone: .*": lambda t, act, m: bool(void_for(t)),
    r"card (\d+) was burned: .*": lambda t, act, m: t.opened is not None and int(m[1]) - 1 in dict(t.opened.spoiled),
    r"(\w+) is barred from the game: the round cannot.*": lambda t, act, m: bool(t.players[m[1]].barred),
    r"no ordinary card comes next\.": lambda t, act, m: (
        bool(t.error_cards or t.redeal)
        or t.position == t.cutting_at
        or all(card == JOKER for card in t.stack[t.position :])
    ),
    r"no misdealt round can be laid again: .*": lambda t, act, m: t.opened is None or not t.opened.places,
    # --- people
    rf"{N} is not at the table\.": lambda t, act, m: m[1] not in t.players or not t.players[m[1]].present,
    rf"{N} has wagers on the table: .*": lambda t, act, m: any(
        on_hands(t, m[1], b)
        or before_deal(t, m[1], b)
        or m[1] in t.boxes[b].line
        or any(m[1] in placed for placed in t.boxes[b].side.values())
        for b in t.boxes
    ),
    rf"{N} takes part in the round: wait for it to end\.": lambda t, act, m: m[1] in t.round_players,
    rf"{N} is seated at box (\d+)\.": lambda t, act, m: t.players[m[1]].seat == int(m[2]),
    r"control was settled before this round: take the seat when it is over\.": lambda t, act, m: (
        t.phase != "wagers" or t.betting_closed
    ),
    rf"{N} has no seat to vacate\.": lambda t, act, m: m[1] not in t.players or not t.players[m[1]].seat,
    rf"{N} takes part in the game now\.": lambda t, act, m: (
        t.phase != "wagers" or any(before_deal(t, m[1], b) for b in t.boxes)
    ),
    r"box (\d+) is free: .*": lambda t, act, m: (
        all(s.seat != int(m[1]) for s in t.players.values() if s.present) and int(m[1]) not in t.boxes
    ),
    rf"{N} does not pause\.": lambda t, act, m: m[1] not in t.players or not t.players[m[1]].paused,
    rf"{N} has set no loss limit that could be reset\.": lambda t, act, m: t.players[m[1]].loss_limit_cents is None,
    rf"{N} is not restricted\.": lambda t, act, m: m[1] not in t.players or not t.players[m[1]].restriction,
    rf"no dispute of {N} is to be ruled on\.": lambda t, act, m: (
        dict(t.disputes).get(m[1], "") not in ("raised", "review")
    ),
    rf"no ruling on a dispute of {N} can be reviewed\.": lambda t, act, m: (
        dict(t.disputes).get(m[1], "") not in ("ruled", "final")
    ),
    rf"the dispute of {N} is to be ruled on first\.": lambda t, act, m: dict(t.disputes)[m[1]] in ("raised", "review"),
    # --- authority
    r"(the [\w ]+) may (.+), not (the [\w ]+)\.": lambda t, act, m: not may_act(act.by, role_of(m[1])),
    r"(the [\w ]+) (approves|lets the jackpot be played for again|reviews what .+), not (the [\w ]+)\.": (
        lambda t, act, m: RANK[act.by] < RANK.get(role_of(m[1]), 3)
    ),
    r"a (casino supervisor) (declares|records|determines|verifies|announces|orders|has|lets|stops|confirms).*": (
        lambda t, act, m: not may_act(act.by, role_of(m[1]))
    ),
    r"the rules let nobody be detained\.": lambda t, act, m: act.detained,
    r"the rules let nobody .*": nobody_may,
    r"the rules have no duty '([\w-]+)': (.*)\.": lambda t, act, m: act.duty == m[1] and m[1] not in m[2].split(", "),
    r"that is a duty of players, not of (.*)\.": lambda t, act, m: act.person in RANK,
    r"that is a duty of staff, not of (.*)\.": lambda t, act, m: act.person not in RANK,
    r"there is no restriction '([\w-]+)' here; the rulebook has (.*)\.": lambda t, act, m: (
        act.rule == m[1] and m[1] not in m[2].split(", ")
    ),
}
TOLD = (
    r"this game has no .*",
    r"decision \d+ does not stand in the place of that: .*",
    r"with these cards \d+ rounds? have been dealt: say for how many it was missed\.",
    r"the jackpot takes chips only\.",
    r"the rules do not say what follows when .*: the house decides\.",
    r"the rules have no (such invalid wager|loss limit)\.",
    r"all cards are dealt face up\.",
    r"no card is burned here\.",
    r"control of a box cannot be declined\.",
    r"this game announces no last rounds\.",
    r"a jam is a malfunction like any other: report it as one\.",
    r"such a card is not refused: it is the next card\.",
    r"whenever it is noticed in the round, the round is rebuilt\.",
    r"no discards are due back after the deal\.",
    r"a round that is finished has two cards to each wagered box and one to the dealer, in a wrong order\.",
    r"cards go to the dealer \(0\) and to boxes 1 to \d\.",
    r"cards from a shoe are replaced after the round .*",
    r"the rules ban no device: name the rule that was broken\.",
    r"a player is held to 1 to \d boxes\.",
    r"a (higher minimum needs|box takes|cap is|maximum of one's own is) .*",
    r"the minimum is above zero and not above the maximum\.",
    r"say .*",
    r"[\w-]+ has given no occasion for [\w-]+\.",
    r"[\w-]+ has not let \d rounds pass in a row\.",
    r"the (inspector|commission|government inspectorate) is told or consulted first\.",
    r"[\w-]+ cannot be made a condition of play at this table\.",
    r"Surveillance and an inspector are told first, and a sign is displayed\.",
    r"all players are advised of the option before play begins\.",
    r"(an inspector approves it first|the players ask for it)\.",
    r"the house (requires|determines) it: the dealer or a supervisor\.",
    r"the dealer or a supervisor reports it\.",
)
"""What a document has, or what is to be said or done: nothing of the table."""
ONCE = re.compile(r" Once ([\w-]+) (doubles|splits), others may too\.$")
CHECKS = [(re.compile(pattern), check) for pattern, check in CLAIMS.items()]
PLAIN = [re.compile(pattern) for pattern in TOLD]


def false_claim(table: Table, act: Act, text: str) -> str:
    """What is not so in a sentence, or that nobody checks it; "" where it is right."""
    once = ONCE.search(text)
    if once:
        box = table.boxes[act.box]  # type: ignore[attr-defined]
        if box.controller != once[1] or table.turn_box != box.number or all_done(table, box.number):
            return f"nobody is about to decide there: {text}"
        text = text[: once.start()]
    for pattern, check in CHECKS:
        match = pattern.fullmatch(text)
        if match is not None:
            return "" if check(table, act, match) else f"it is not so: {text}"
    if any(pattern.fullmatch(text) for pattern in PLAIN) or not WHOLE:
        return ""
    return f"nobody checks: {text}"


def things_said(table: Table, rng: random.Random) -> Iterator[Act]:
    """All kinds of things that somebody may ask for now, most of them at the wrong moment."""
    yield driver.some_wager(table, rng)
    yield driver.some_floor_act(table, rng)
    yield driver.crowd_mishap(table, rng)
    for _ in range(4):
        yield driver.some_decision(rng)
    if table.turn_box:
        box = table.boxes[table.turn_box]
        for kind in (a.Hit, a.Stand, a.Double, a.Split, a.Surrender, a.Decline, a.Keep, a.TakeBack, a.PlayOn):
            player = rng.choice(box.line or ("alice",))
            yield kind(player) if kind in (a.TakeBack, a.PlayOn) else kind(player, box.number)  # type: ignore[call-arg]
    for _ in range(6):
        yield driver.some_mishap(table, rng)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_refusal_is_so(rulebook: str) -> None:
    for seed in range(length(whole=200, sample=4)):
        rng = random.Random(f"{rulebook} {seed}")
        crowd = seed % 2 == 1
        table = (driver.crowded_table if crowd else driver.some_table)(rulebook, rng)
        for _ in range(100):
            for act in things_said(table, rng):
                refused = refusal(table, act)
                if refused is not None:
                    wrong = false_claim(table, act, refused.text)
                    assert not wrong, f"{rulebook} seed {seed}: {act}: {wrong} {refused.clauses}"
                    assert len(set(refused.clauses)) == len(refused.clauses) > 0
            act = driver.crowd_act(table, rng) if crowd else driver.next_act(table, rng, 0.1)
            answer = decide(table, act)
            if not isinstance(answer, Refusal):
                table = evolve(table, answer)
