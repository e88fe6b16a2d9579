"""The jackpot: its wagers, its prizes, its amount, and equipment that fails."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.rulebooks.vocabulary import BLAZING
from pitboss.table import events as e
from pitboss.table.apply.changes import Changes
from pitboss.table.state import Table


def _jackpot_wager_collected(t: Table, ev: e.JackpotWagerCollected) -> None:
    del t.boxes[ev.box].side[BLAZING][ev.player]
    t.jackpot_cents += ev.to_jackpot_cents
    t.jackpot_wagers = (*t.jackpot_wagers, (ev.box, ev.player, ev.cents, ev.to_jackpot_cents))


def _jackpot_won(t: Table, ev: e.JackpotWon) -> None:
    t.jackpot_waiting = (*t.jackpot_waiting, (ev.box, ev.player, ev.result))


def _jackpot_prize_paid(t: Table, ev: e.JackpotPrizePaid) -> None:
    stake, part = next((w[2:] for w in t.jackpot_wagers if w[:2] == (ev.box, ev.player)), (0, 0))
    paid = (ev.box, ev.player, ev.cents - stake, ev.from_pool_cents - part)
    t.jackpot_paid = (*t.jackpot_paid, paid)
    _decided_jackpot(t, ev.box, ev.player)
    t.jackpot_waiting = tuple(w for w in t.jackpot_waiting if w[0] != ev.box or w[1] != ev.player)
    t.jackpot_cents -= ev.from_pool_cents
    t.net[ev.player] += ev.cents


def _decided_jackpot(t: Table, box: int, player: str) -> None:
    t.jackpot_wagers = tuple(w for w in t.jackpot_wagers if w[0] != box or w[1] != player)


def _jackpot_lost(t: Table, ev: e.JackpotLost) -> None:
    t.jackpot_lost = (*t.jackpot_lost, (ev.box, ev.player))
    t.jackpot_waiting = tuple(w for w in t.jackpot_waiting if w[0] != ev.box or w[1] != ev.player)


def _jackpot_set(t: Table, ev: e.JackpotSet) -> None:
    t.jackpot_cents = ev.cents
    if ev.reason == "reset":
        t.jackpot_reset += ev.added_cents
    elif ev.reason == "undone":
        t.jackpot_reset = 0
    elif ev.reason == "link" and t.opened is not None:  # what others did to it stands where this round is laid again
        t.opened = replace(t.opened, jackpot_cents=t.opened.jackpot_cents + ev.added_cents)


def _jackpot_faulted(t: Table, ev: e.JackpotFaulted) -> None:
    t.jackpot_down = True


def _jackpot_restored(t: Table, ev: e.JackpotRestored) -> None:
    t.jackpot_down = False


JACKPOT: Changes = {
    e.JackpotWagerCollected: _jackpot_wager_collected,
    e.JackpotWon: _jackpot_won,
    e.JackpotPrizePaid: _jackpot_prize_paid,
    e.JackpotLost: _jackpot_lost,
    e.JackpotSet: _jackpot_set,
    e.JackpotFaulted: _jackpot_faulted,
    e.JackpotRestored: _jackpot_restored,
}
