"""A table that deals by itself: what the house does next, or when it looks again. Clock readings and chance come in.

`Pace` is what a host keeps for each such table; `next_step` is the rule behind it and remembers nothing. The house
never waits for somebody who is not there, and it does nothing while nobody wagers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeAlias

import msgspec

from pitboss.basics.cards import Card
from pitboss.chance import Chance
from pitboss.floor.bots import bot_act, bots_at, is_bot
from pitboss.floor.model import Timers
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.engine import refusal
from pitboss.table.house import DEVICE
from pitboss.table.legal import Waiting, legal_acts, waiting_for
from pitboss.table.roles import STAFF
from pitboss.table.session import Session
from pitboss.table.shuffle_and_cut import cards_to_shuffle, cutting_card_range, deck_size, stack_size
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import has_wagered, in_order, whose_turn

AT_ONCE = Timers(*[0] * len(Timers.__struct_fields__))
"""Nobody is waited for: tests and simulations."""


class Step(msgspec.Struct, frozen=True):
    """What the house does now, or when it looks again; neither: when the table has changed."""

    act: AnyAct | None = None
    wake_ms: int | None = None
    deadline_ms: int | None = None
    """When the people who are waited for have taken too long; for the clock that they see."""


Moment: TypeAlias = "tuple[object, ...]"


def moment(table: Table) -> Moment:
    """What the table waits for. While it stays the same, the same people are being waited for and their time runs.

    Before a round it changes with the first wager, so that time runs from there; each card gives a hand new time.
    """
    waiting = waiting_for(table)
    if waiting.what == "wagers":
        return ("wagers", table.betting_closed, any(box.wagers for box in table.boxes.values()))
    if waiting.what in ("insurance", "surrender"):
        return (waiting.what,)
    cards = 0
    if waiting.box:
        cards = len(table.boxes[waiting.box].hands[waiting.hand].cards)
    return (waiting.what, waiting.who, waiting.box, waiting.hand, cards)


def wagers_of(table: Table) -> Moment:
    """What is wagered for the next round: as long as it changes, somebody is still busy."""
    return tuple(
        (number, tuple(box.wagers.values()), tuple(len(placed) for placed in box.side.values()))
        for number, box in table.boxes.items()
    )


def cards_out(table: Table) -> int:
    """How many cards lie on the table."""
    return len(table.dealer_cards) + sum(len(hand.cards) for box in table.boxes.values() for hand in box.hands)


class Pace:
    """What the host of one table remembers between two looks: since when it waits, and what was mixed last."""

    def __init__(self) -> None:
        self._moment: Moment = ()
        self._since_ms = 0
        self._wagers: Moment = ()
        self._wagered_ms = 0
        self._mixed: tuple[Card, ...] = ()
        self._cards: int | None = None
        """How many cards lay on the table when it was last looked at."""
        self._laying_ms = 0
        """How long the cards that came last take to be laid: so much later people's time runs."""
        self._unlaid_ms: int | None = None
        """When people's time would have been up if the cards had lain at once."""
        self._gone_ms: dict[str, int] = {}
        """Since when people who sit at the table have not been there."""

    def go_on(self, table: Table) -> None:
        """The table comes from another process, whose device has mixed what it holds."""
        self._mixed = table.stack

    def since_ms(self, table: Table, now_ms: int) -> int:
        """Since when the table has waited for what it waits for now."""
        now = moment(table)
        if now != self._moment:
            self._moment, self._since_ms = now, now_ms
            self._unlaid_ms = None
        return self._since_ms

    def _laid(self, table: Table, step: Step, now_ms: int, timers: Timers, is_new: bool) -> Step:
        """People have their whole time once the cards lie."""
        cards = cards_out(table)
        if is_new:
            self._laying_ms = timers.lay_ms * max(0, cards - (cards if self._cards is None else self._cards))
        self._cards = cards
        if step.deadline_ms is not None:
            self._unlaid_ms = step.deadline_ms
        elif step.act is None or self._unlaid_ms is None or now_ms < self._unlaid_ms:
            return step
        due = self._unlaid_ms + self._laying_ms
        return Step(wake_ms=due, deadline_ms=due) if now_ms < due else step

    def step(
        self,
        table: Table,
        now_ms: int,
        timers: Timers,
        chance: Chance,
        seated: Collection[str] | None = None,
        passed: Collection[str] = (),
        *,
        bots: Collection[str] = (),
        alone: bool = False,
    ) -> Step:
        """The next step at this reading of the clock."""
        leaves = self._leaving(table, now_ms, timers, seated)
        if leaves is not None and leaves.act is not None:
            return leaves
        before = self._moment
        since = self.since_ms(table, now_ms)
        wagers = wagers_of(table) if table.phase == "wagers" else ()
        if wagers != self._wagers:
            self._wagers, self._wagered_ms = wagers, now_ms
        mixed = self._is_mixed(table)
        step = next_step(
            table, since, now_ms, timers, chance, seated, passed,
            wagered_ms=self._wagered_ms, mixed=mixed, bots=bots, alone=alone,
        )  # fmt: skip
        step = self._laid(table, step, now_ms, timers, before != self._moment)
        if isinstance(step.act, (a.Mix, a.Shuffle)):
            self._mixed = step.act.order
        if step.act is None and leaves is not None and (step.wake_ms is None or step.wake_ms > (leaves.wake_ms or 0)):
            return Step(None, leaves.wake_ms, step.deadline_ms)
        return step

    def mixing(self, table: Table, chance: Chance) -> a.Mix | None:
        """What a shuffling device does by itself, whoever deals: it mixes once cards have gone back into it."""
        if table.house.source != DEVICE or not _may_mix(table) or self._is_mixed(table):
            return None
        act = a.Mix(chance.shuffled(table.stack[table.position :]))
        self._mixed = act.order
        return act

    def _leaving(self, table: Table, now_ms: int, timers: Timers, seated: Collection[str] | None) -> Step | None:
        """Whoever has gone for long stands up; or when that will be."""
        gone = {
            name: self._gone_ms.get(name, now_ms)
            for name, state in table.players.items()
            if state.present and seated is not None and name not in seated and not is_bot(name)
        }
        self._gone_ms = gone
        waits = []
        for name, since in gone.items():
            act = _way_out(table, name)
            if act is not None and now_ms >= since + timers.away_ms:
                return Step(act)
            if act is not None:
                waits.append(since + timers.away_ms)
        return Step(wake_ms=min(waits)) if waits else None

    def _is_mixed(self, table: Table) -> bool:
        """Whether what the device holds is what is left of its last mixing: nothing was put back since."""
        left = table.stack[table.position :]
        return len(left) <= len(self._mixed) and self._mixed[len(self._mixed) - len(left) :] == left


def next_step(
    table: Table,
    since_ms: int,
    now_ms: int,
    timers: Timers,
    chance: Chance,
    seated: Collection[str] | None = None,
    passed: Collection[str] = (),
    *,
    wagered_ms: int | None = None,
    mixed: bool = False,
    bots: Collection[str] = (),
    alone: bool = False,
) -> Step:
    """What the house does now at a table that has waited since `since_ms` for what it waits for (`moment`).

    `seated`: who is there to be waited for (None: everybody at the table); `passed`: who wants nothing (more) of what
    is offered now, be it wagers, insurance or surrender; `wagered_ms`: when a wager was last placed or withdrawn;
    `mixed`: the device has been mixed since cards went back into it; `bots`: bots that may not have sat down yet;
    `alone`: bots play without people.
    """
    waiting = waiting_for(table)
    here = {name for name, state in table.players.items() if state.present and (seated is None or name in seated)}
    quiet_ms = max(0, wagered_ms - since_ms) if wagered_ms is not None else 0
    for name in dict.fromkeys((*bots_at(table), *bots)):
        act = bot_act(table, name, chance, alone=alone)
        if act is not None:
            return _due(act, since_ms + timers.pace_ms, now_ms, False)
    wanted, limit_ms = _wanted(table, waiting, here, set(passed), timers, chance, quiet_ms, mixed)
    if wanted is None:
        return Step()
    return _due(wanted, since_ms + limit_ms, now_ms, limit_ms > timers.pace_ms)


def _due(act: AnyAct, due_ms: int, now_ms: int, people_wait: bool) -> Step:
    if now_ms < due_ms:
        return Step(wake_ms=due_ms, deadline_ms=due_ms if people_wait else None)
    return Step(act=act)


def _wanted(
    table: Table,
    waiting: Waiting,
    here: set[str],
    passed: set[str],
    timers: Timers,
    chance: Chance,
    quiet_ms: int,
    mixed: bool,
) -> tuple[AnyAct | None, int]:
    """The house's next act, and how long after the moment began it is due."""
    if table.house.source == DEVICE and not mixed and _may_mix(table):
        return a.Mix(chance.shuffled(table.stack[table.position :])), 0
    match waiting.what:
        case "wagers":
            return _deal(table, here, passed, timers, quiet_ms)
        case "shuffle":
            means = DEVICE if table.house.source == DEVICE else "hand"
            return a.Shuffle(chance.shuffled(cards_to_shuffle(table)), means), timers.pace_ms
        case "cut":
            return _cut(table, here, timers, chance)
        case "cutting-card":
            return a.PlaceCuttingCard(_from_back(table)), timers.pace_ms
        case "insurance":
            slow = bool(_people(_may_insure(table) & here - passed))
            return a.CloseInsurance(), timers.insurance_ms if slow else timers.pace_ms
        case "surrender":
            slow = bool(_people(_may_surrender(table) & here - passed))
            return a.CloseSurrender(), timers.surrender_ms if slow else timers.pace_ms
        case "jackpot":
            return None, 0  # the link pays, nobody else
        case "confirmation":
            return None, 0  # whoever checked the decks says so, and nobody for them
        case "stopped":
            return None, 0  # two people must restart it, and nobody for them
        case "approval" | "reconstruction" | "void":
            return _without_a_supervisor(table, waiting), timers.supervisor_ms
    return _for_the_slow(table, waiting, here, timers)


def _people(names: set[str]) -> set[str]:
    """Whoever takes time to think: a bot that says nothing wants nothing."""
    return {name for name in names if not is_bot(name)}


def _may_mix(table: Table) -> bool:
    return table.preparation == "ready" and not table.halted and table.position < len(table.stack)


# --- before the deal -------------------------------------------------------------------------------------------------


def _deal(table: Table, here: set[str], passed: set[str], timers: Timers, quiet_ms: int) -> tuple[AnyAct | None, int]:
    """Deal once everybody who is there has wagered, or some time after the first wager; never without one.

    `quiet_ms`: how long after the first wager the latest one was placed.
    """
    if table.session is not None:
        return _deal_session(table, table.session, here, timers)
    wagered = {name for box in table.boxes.values() for name in box.wagers}
    if not wagered:
        return None, 0
    people = _people(here)
    due = timers.wagers_ms
    if people <= wagered | passed:
        due = min(due, quiet_ms + timers.last_wager_ms)
    if table.betting_closed or people <= passed:
        due = min(due, quiet_ms + timers.pace_ms)
    if refusal(table, a.Deal()) is None:
        return a.Deal(), due
    return _lacking(table), max(due, timers.wagers_ms)


def _deal_session(table: Table, session: Session, here: set[str], timers: Timers) -> tuple[AnyAct | None, int]:
    """Forms are examined, whoever is late is held to the minimum, whoever is absent loses it; then the deal."""
    for name, form in session.forms.items():
        if not form.examined:
            looks = (a.ExamineForm("gaming-supervisor", name), a.ReturnForm("gaming-supervisor", name))
            return next((act for act in looks if refusal(table, act) is None), None), timers.pace_ms
    if refusal(table, a.Deal()) is None:
        return a.Deal(), timers.pace_ms
    late = whose_turn(table) or next((name for name in in_order(table) if not has_wagered(table, name)), "")
    if not late or is_bot(late):
        return None, 0
    if late in here and not session.seconds:
        return None, 0  # no time is set for a wager
    wait = session.seconds * 1000 or timers.wagers_ms
    acts: tuple[AnyAct, ...] = (a.DeductMinimum("dealer", late),)
    if late in here:
        acts = (a.HoldToMinimum("dealer", late), *acts)
    return next((act for act in acts if refusal(table, act) is None), None), wait


def _way_out(table: Table, name: str) -> AnyAct | None:
    """How somebody who has gone leaves: an optional wager that no original one is dealt for goes back first."""
    if refusal(table, a.LeaveTable(name)) is None:
        return a.LeaveTable(name)
    if table.phase != "wagers" or any(box.wagers for box in table.boxes.values()):
        return None
    alone = [
        a.WithdrawWager(name, number, kind)
        for number, box in table.boxes.items()
        for kind, placed in box.side.items()
        if name in placed
    ]
    return next((act for act in alone if refusal(table, act) is None), None)


def _lacking(table: Table) -> AnyAct | None:
    """A wager that keeps the round from beginning (a condition of play is not met) goes back to its owner."""
    for number, box in table.boxes.items():
        for name in box.wagers:
            if any(name not in box.side.get(kind, {}) for kind in table.house.required):
                back = (a.WithdrawWager(name, number), a.RefuseWager("casino-supervisor", name, number))
                return next((act for act in back if refusal(table, act) is None), None)
    return None


def _cut(table: Table, here: set[str], timers: Timers, chance: Chance) -> tuple[AnyAct | None, int]:
    """Who is offered the cut has some time; then the next is offered it, and in the end the house cuts."""
    offered = table.cut_offered
    if offered in table.players:
        return a.DeclineCut(offered), timers.cut_ms if offered in here else timers.pace_ms
    size = stack_size(table) or len(table.stack)
    least = min(table.rulebook.shuffle.cut_depth_decks.value * deck_size(table), size // 2)
    return a.Cut(offered, least + chance.below(size - 2 * least + 1)), timers.pace_ms


def _from_back(table: Table) -> int:
    """One deck from the back, within what the rulebook allows."""
    least, most = cutting_card_range(table) or (0, len(table.stack) // 2)
    return min(most, max(least, deck_size(table)))


# --- offers ----------------------------------------------------------------------------------------------------------


def _may_insure(table: Table) -> set[str]:
    """Who could still insure something."""
    return {act.player for act in legal_acts(table) if isinstance(act, a.Insure)}


def _may_surrender(table: Table) -> set[str]:
    return {act.player for act in legal_acts(table) if isinstance(act, a.Surrender)}


# --- when somebody does not say --------------------------------------------------------------------------------------


def _for_the_slow(table: Table, waiting: Waiting, here: set[str], timers: Timers) -> tuple[AnyAct | None, int]:
    """What the rulebook has for a player who does not decide: for one who has gone, at once."""
    limit = timers.decision_ms if waiting.what in ("decision", "expose", "short-hand", "refund") else timers.answer_ms
    slow = next((name for name in waiting.who if name not in here), None)
    name = slow or next(iter(waiting.who), "")
    due = timers.pace_ms if slow is not None else limit
    acts = _said_for(waiting, name)
    return next((act for act in acts if refusal(table, act) is None), None), due


def _said_for(waiting: Waiting, name: str) -> Iterator[AnyAct]:
    box = waiting.box
    if waiting.what == "expose":
        yield a.Expose(name, box)
    elif waiting.what == "forfeit":
        yield a.Keep(name, box)
    elif waiting.what == "refund":
        yield a.PlayOn(name)
    elif waiting.what == "short-hand":
        yield a.TakeBack(name)
    yield a.PassOver(name, box)
    yield a.Decline(name, box)
    yield a.Expose(name, box)


def _without_a_supervisor(table: Table, waiting: Waiting) -> AnyAct | None:
    """Nobody has looked after the table for long: the house, which runs it, lets the game go on as the rules say."""
    role = waiting.who[0]
    if role not in STAFF:
        return None
    act: AnyAct = a.Approve(role) if waiting.what == "approval" else a.Reconstruct(role)
    return act if refusal(table, act) is None else None
