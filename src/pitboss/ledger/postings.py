"""Events to balanced postings.

Accounts: ``player:NAME`` (chips in front of a player, what they brought counted as zero), ``tokens:NAME`` (their
promotional tokens), ``box:N`` (wagers on the cloth), ``float``, ``jackpot``, ``house`` (what feeds the jackpot),
``promotion`` (where tokens come from and go to), ``cage`` (where chips come to a float from and go to),
``inventory:NAME`` (tournament chips that somebody was allotted) and, where chips
are bought or cashed, ``cash:NAME`` and ``drop``, for vouchers ``voucher:NAME`` and ``vouchers``, and ``pocket:NAME``
for chips that somebody has with them and on no table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import compress
from operator import itemgetter
from typing import Any, TypeAlias

from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.events import Event
from pitboss.table.refusals import broken_unless

Posting: TypeAlias = tuple[str, int]
"""An account and the cents that come to it (or leave it, below zero)."""
_CENTS = itemgetter(1)


def move(cents: int, source: str, target: str) -> tuple[Posting, ...]:
    return ((source, -cents), (target, cents)) if cents else ()


FLOAT = "float"
JACKPOT = "jackpot"
HOUSE = "house"
DROP = "drop"
PROMOTION = "promotion"
CAGE = "cage"
VOUCHERS = "vouchers"
INVENTORY = "inventory"
"""Of tournament chips; `inventory:NAME` is what somebody was allotted from it."""

BOXES = tuple(f"box:{number}" for number in range(100))
"""Accounts of the boxes, ready made."""


class _Players(dict[str, str]):
    """Accounts of players by name: each is put together once (a process sees only so many players)."""

    def __missing__(self, name: str) -> str:
        if len(self) > 10_000:
            self.clear()
        account = self[name] = f"player:{name}"
        return account


PLAYERS = _Players()


def cash_of(player: str) -> str:
    return f"cash:{player}"


def tokens_of(player: str) -> str:
    return f"tokens:{player}"


def pocket_of(player: str) -> str:
    return f"pocket:{player}"


def inventory_of(player: str) -> str:
    return f"{INVENTORY}:{player}"


def voucher_of(player: str) -> str:
    return f"voucher:{player}"


def _placed(ev: e.WagerPlaced) -> tuple[Posting, ...]:
    if ev.token_cents:
        chips = move(ev.cents - ev.token_cents, PLAYERS[ev.player], BOXES[ev.box])
        return chips + move(ev.token_cents, tokens_of(ev.player), BOXES[ev.box])
    return ((PLAYERS[ev.player], -ev.cents), (BOXES[ev.box], ev.cents))


def _returned(ev: e.WagerReturned) -> tuple[Posting, ...]:
    source = FLOAT if ev.hand == e.JACKPOT_COLLECTED else BOXES[ev.box]
    chips = move(ev.cents - ev.token_cents, source, PLAYERS[ev.player])
    return chips + move(ev.token_cents, source, tokens_of(ev.player)) if ev.token_cents else chips


def _won(ev: Any) -> tuple[Posting, ...]:
    """The wager goes back and the winnings come from the float."""
    wager, paid = ev.wager_cents, ev.paid_cents
    return ((BOXES[ev.box], -wager), (FLOAT, -paid), (PLAYERS[ev.player], wager + paid))


def _jackpot_prize(ev: e.JackpotPrizePaid) -> tuple[Posting, ...]:
    player, pool = PLAYERS[ev.player], ev.from_pool_cents
    return move(pool, JACKPOT, player) + move(ev.cents - pool, FLOAT, player)


POST: dict[type[Event], Callable[[Any], tuple[Posting, ...]]] = {
    e.WagerPlaced: _placed,
    e.WagerReturned: _returned,
    e.ChipsBought: lambda ev: move(ev.cents, FLOAT, PLAYERS[ev.player]) + move(ev.cents, cash_of(ev.player), DROP),
    e.ChipsBrought: lambda ev: move(ev.cents, pocket_of(ev.player), PLAYERS[ev.player]),
    e.ChipsTaken: lambda ev: move(ev.cents, PLAYERS[ev.player], pocket_of(ev.player)),
    e.ChipsCashed: lambda ev: move(ev.cents, PLAYERS[ev.player], FLOAT) + move(ev.cents, DROP, cash_of(ev.player)),
    e.ColoursChanged: lambda ev: move(ev.cents, PLAYERS[ev.player], FLOAT) + move(ev.cents, FLOAT, PLAYERS[ev.player]),
    e.TokensIssued: lambda ev: (
        move(ev.cents, PROMOTION, tokens_of(ev.player)) + move(ev.cents, voucher_of(ev.player), VOUCHERS)
    ),
    e.ChipsAllotted: lambda ev: move(ev.cents, inventory_of(ev.player), PLAYERS[ev.player]),
    e.ChipsReturned: lambda ev: move(ev.cents, PLAYERS[ev.player], inventory_of(ev.player)),
    e.MinimumDeducted: lambda ev: move(ev.cents, PLAYERS[ev.player], FLOAT),
    e.WagerMadeUp: lambda ev: move(ev.cents, PLAYERS[ev.player], BOXES[ev.box]),
    e.UndisclosedSettled: lambda ev: move(ev.cents, FLOAT, PLAYERS[ev.player]),
    e.FloatFilled: lambda ev: move(ev.cents, CAGE, FLOAT),
    e.FloatCredited: lambda ev: move(ev.cents, FLOAT, CAGE),
    e.InsurancePlaced: lambda ev: move(ev.cents, PLAYERS[ev.player], BOXES[ev.box]),
    e.WagerDoubled: lambda ev: move(ev.cents, PLAYERS[ev.player], BOXES[ev.box]),
    e.WagerSplit: lambda ev: move(ev.cents, PLAYERS[ev.player], BOXES[ev.box]),
    e.WagerForfeited: lambda ev: (
        move(ev.lost_cents, BOXES[ev.box], FLOAT) + move(ev.returned_cents, BOXES[ev.box], PLAYERS[ev.player])
    ),
    e.WagerPaid: _won,
    e.WagerCollected: lambda ev: ((BOXES[ev.box], -ev.cents), (FLOAT, ev.cents)),
    e.WagerStoodOff: lambda ev: move(ev.cents, BOXES[ev.box], PLAYERS[ev.player]),
    e.SurrenderSettled: lambda ev: (
        move(ev.lost_cents, BOXES[ev.box], FLOAT) + move(ev.returned_cents, BOXES[ev.box], PLAYERS[ev.player])
    ),
    e.InsurancePaid: _won,
    e.InsuranceCollected: lambda ev: move(ev.cents, BOXES[ev.box], FLOAT),
    e.SideBetPaid: _won,
    e.SideBetCollected: lambda ev: move(ev.cents, BOXES[ev.box], FLOAT),
    e.SuperBonusPaid: lambda ev: move(ev.cents, FLOAT, PLAYERS[ev.player]),
    e.BonusPaid: lambda ev: move(ev.cents, FLOAT, PLAYERS[ev.player]),
    e.JackpotWagerCollected: lambda ev: (
        move(ev.cents, BOXES[ev.box], FLOAT) + move(ev.to_jackpot_cents, FLOAT, JACKPOT)
    ),
    e.JackpotPrizePaid: _jackpot_prize,
    e.PaymentReversed: lambda ev: move(ev.cents, PLAYERS[ev.player], FLOAT),
    e.ResultUndone: lambda ev: move(ev.cents, PLAYERS[ev.player], FLOAT),
    e.MispaymentRecorded: lambda ev: move(ev.cents, FLOAT, PLAYERS[ev.player]),
    e.MispaymentRectified: lambda ev: move(ev.cents, PLAYERS[ev.player], FLOAT),
    e.JackpotSet: lambda ev: move(ev.added_cents, HOUSE if ev.reason in ("reset", "link") else FLOAT, JACKPOT),
}
"""Events that move money; all others move none."""
_MOVES = POST.__contains__


def postings(event: Event) -> tuple[Posting, ...]:
    """The balanced postings of one event; empty where no money moves."""
    post = POST.get(type(event))
    if post is None:
        return ()
    lines = post(event)
    total = sum(map(_CENTS, lines))
    if total:
        broken_unless(False, f"postings of {event!r} differ by {total} cents")
    return lines


class Ledger:
    """Balances by account; they sum to zero after every event."""

    __slots__ = ("balances", "in_tokens")

    def __init__(self, jackpot_cents: int = 0) -> None:
        self.balances: dict[str, int] = {}
        self.in_tokens: dict[str, tuple[int, int]] = {}
        """Wagers that are in tokens: "box player kind" to the wager's cents and how many of them are tokens."""
        if jackpot_cents:
            self.balances = {JACKPOT: jackpot_cents, HOUSE: -jackpot_cents}

    def post(self, event: Event) -> tuple[Posting, ...]:
        """Book one event."""
        lines = postings(event)
        if self.in_tokens or type(event) is e.WagerPlaced:
            lines += self._token_lines(event)
        for account, cents in lines:
            self.balances[account] = self.balances.get(account, 0) + cents
        return lines

    def post_all(self, events: Iterable[Event]) -> None:
        """Book events one after the other."""
        balances, in_tokens = self.balances, self.in_tokens
        events = tuple(events)
        for event in compress(events, map(_MOVES, map(type, events))):
            lines = POST[type(event)](event)
            if len(lines) == 2:  # nearly always: from one account to another
                (one, cents), (other, back) = lines
                total = cents + back
                balances[one] = balances[one] + cents if one in balances else cents
                balances[other] = balances[other] + back if other in balances else back
            else:
                total = 0
                for account, cents in lines:
                    balances[account] = balances.get(account, 0) + cents
                    total += cents
            if total:
                broken_unless(False, f"postings of {event!r} differ by {total} cents")
            if in_tokens or (type(event) is e.WagerPlaced and event.token_cents):
                for account, cents in self._token_lines(event):
                    balances[account] = balances.get(account, 0) + cents

    def _token_lines(self, event: Any) -> tuple[Posting, ...]:
        """What settles a wager in tokens settles it in tokens: what is lost goes to the promotion and not into the
        float, tokens first; what goes back goes back as it came, chips first."""
        kind = type(event)
        if kind is e.WagerPlaced:
            if event.token_cents:
                self.in_tokens[f"{event.box} {event.player} {event.kind}"] = (event.cents, event.token_cents)
            return ()
        if kind not in IN_TOKENS or getattr(event, "hand", 0) not in (e.BEFORE_THE_HANDS, 0):
            return ()
        place = f"{event.box} {event.player} {getattr(event, 'kind', ORIGINAL)}"
        if place not in self.in_tokens:
            return ()
        lost, back = IN_TOKENS[kind](event)
        cents, tokens = self.in_tokens.pop(place)
        gone = min(tokens, lost)
        left = cents - lost - back
        kept = min(tokens - gone, left)
        if kept:
            self.in_tokens[place] = (left, kept)
        given = tokens - gone - kept - getattr(event, "token_cents", 0)
        return move(gone, FLOAT, PROMOTION) + move(given, PLAYERS[event.player], tokens_of(event.player))

    def balance(self, account: str) -> int:
        return self.balances.get(account, 0)

    def standing(self, player: str) -> int:
        """What a player has won or lost: chips and tokens, less the cash and the vouchers that they gave for them, and
        less the tournament chips that they were allotted."""
        accounts = (PLAYERS[player], pocket_of(player), tokens_of(player), cash_of(player), voucher_of(player),
                    inventory_of(player))  # fmt: skip
        return sum(self.balance(account) for account in accounts)

    def total(self) -> int:
        """Always zero."""
        return sum(self.balances.values())


IN_TOKENS: dict[type[Event], Callable[[Any], tuple[int, int]]] = {
    e.WagerPaid: lambda ev: (0, ev.wager_cents),
    e.WagerStoodOff: lambda ev: (0, ev.cents),
    e.WagerReturned: lambda ev: (0, ev.cents - ev.doubled_cents),
    e.WagerCollected: lambda ev: (ev.cents, 0),
    e.SurrenderSettled: lambda ev: (ev.lost_cents, ev.returned_cents),
    e.WagerForfeited: lambda ev: (ev.lost_cents, ev.returned_cents),
    e.SideBetPaid: lambda ev: (0, ev.wager_cents),
    e.SideBetCollected: lambda ev: (ev.cents, 0),
}
"""What of the wager is lost and what goes back, where an event decides one that may be in tokens."""
