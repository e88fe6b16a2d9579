"""Money watched while it moves: what an act posts is checked before anybody makes it true.

The guard reads every event a second time, on its own, and keeps its own account of what lies where on the cloth, hand
by hand and person by person. It compares three things that were reckoned apart: the postings (`postings.py`), the table
that the engine made (`net`, the wagers on the boxes, the jackpot), and what the act, the rulebook and its own accounts
say must have come of it. Where they differ, it says so in one sentence.

It holds no truth of its own that could be lost: given a table that it has not seen it opens its accounts from it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeAlias

from pitboss.basics.money import Odds, dollars, payable_multiple, payable_up
from pitboss.ledger.postings import (
    BOXES,
    CAGE,
    DROP,
    FLOAT,
    HOUSE,
    JACKPOT,
    PLAYERS,
    POST,
    PROMOTION,
    VOUCHERS,
    cash_of,
    inventory_of,
    move,
    pocket_of,
    postings,
    tokens_of,
    voucher_of,
)
from pitboss.rulebooks.meanings import BONUS_FOR_EACH_PLAYER, BY_STAGE, INTERIM_GOES_BACK, PAID_GOES_BACK, UNDECIDED
from pitboss.rulebooks.terms import Rulebook, SameRulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL, Act
from pitboss.table.apply import evolve
from pitboss.table.blazing_sevens import shares_of_tenths, shares_of_top
from pitboss.table.decisions import act_of
from pitboss.table.events import Event
from pitboss.table.house import BLAZING
from pitboss.table.interim_settlement import SUITED_SEVENS
from pitboss.table.refusals import Broken
from pitboss.table.state import Box, Hand, Table
from pitboss.table.telling import fact

Slot: TypeAlias = "int | str"
"""Where on a box a stake lies: the number of its hand (0 before the deal), or what it is: an optional wager by its
name, `INSURANCE`, or `ANSWERING`."""
Stakes: TypeAlias = dict[tuple[str, Slot], int]
"""What lies on one box: player and slot to cents; nothing that is zero."""
Expected: TypeAlias = "tuple[int, int, int, int, dict[str, int] | None]"
"""What the guard expects an event to post: to its player, its box, the float, the jackpot, and to other accounts."""

INSURANCE = "insurance"
ANSWERING = "answering"
"""The wager for a new hand, while the others on the box say whether they split too."""


class Breach(Broken):
    """Money that does not add up: which check found it, at which event, and what is wrong, in one sentence."""

    def __init__(self, check: str, text: str, event: Event | None = None) -> None:
        super().__init__(f"the money does not add up ({check}): {text}")
        self.check = check
        self.text = text
        self.event = event


ANEW = frozenset({e.RoundBegan, e.DecisionHeld, e.WrongCardFound})
LAYS_AGAIN = frozenset({a.Notice, a.Reconstruct})


class Guard:
    """Watches the money of one table."""

    __slots__ = (
        "_act", "_again", "_before", "_bonuses", "_claims", "_clear", "_earned", "_forfeits", "_found", "_jackpot",
        "_lost", "_net", "_odds", "_overlost", "_parts", "_prizes", "_put", "_returns", "_reversed", "_rulebook",
        "_stakes", "_start", "_super", "_table", "_touched", "_undone", "_undoubled", "_void", "_voided", "_waiting",
        "_won_in_writing", "_written",
    )  # fmt: skip

    def __init__(self) -> None:
        self._table: Table | None = None
        self._rulebook: Rulebook | None = None
        self._clear = False
        """Whether nothing is left of an earlier act (`_forget`)."""

    def check(self, before: Table, after: Table, events: Collection[Event], act: Act | None = None) -> Breach | None:
        """Whether the money of these events adds up; `act` is what was asked for, where that is known.

        `before` and `after` are the tables that the engine had and made. Nothing is kept of what is wrong.
        """
        try:
            self._check(before, after, events, act)
        except Breach as breach:
            self._table = None
            return breach
        self._table = self._before = after  # no older table is kept
        return None

    def pass_or_break(
        self, before: Table, after: Table, events: Collection[Event], act: Act | None = None, where: str = ""
    ) -> None:
        """The same for whoever only goes on where all is well: raises the `Breach`, with `where` it was found."""
        breach = self.check(before, after, events, act)
        if breach is not None:
            raise Breach(breach.check, f"{where}{breach.text}", breach.event)

    # --- one act ---

    def _check(self, before: Table, after: Table, events: Collection[Event], act: Act | None) -> None:
        if before is self._table and not before.pending and not before.suspect:
            if type(act) in LAID_BY:
                if self._is_just_laid(before, after, tuple(events), act):
                    return
            elif (
                type(act) not in MOVES
                and KINDS_WATCHED.isdisjoint(map(type, events))
                and after.net == before.net
                and after.jackpot_cents == before.jackpot_cents
            ):
                return
        if before.pending or before.suspect or type(act) in LAYS_AGAIN:
            events = tuple(events)
            if type(act) is a.Notice and e.RoundTakenBack not in map(type, events):
                act = None
            marks = [number for number, event in enumerate(events) if type(event) in ANEW]
            if marks:
                # A round that was taken back begins anew; each decision that holds is an act of its own, and so is what
                # a card that does not belong to the decks brings about.
                for first, end in zip([0, *marks], [*marks, len(events)], strict=True):
                    own = events[first:end]
                    if own and type(own[0]) is e.DecisionHeld:
                        act = act_of(own[0].decision)
                    elif first:
                        act = None
                    then = after if end == len(events) else evolve(before, own)
                    self._check_act(before, then, own, act)
                    self._table = before = then
                return
        self._check_act(before, after, events, act)

    def _is_just_laid(self, before: Table, after: Table, events: tuple[Event, ...], act: Any) -> bool:
        """Whether one wager in chips was asked for and laid, and no other money moved, as after every second act.

        What is the least different is read in full, which finds what it is.
        """
        kind = LAID_BY[type(act)]
        if not events or type(events[0]) is not kind:
            return False
        if len(events) > 1 and not KINDS_WATCHED.isdisjoint(map(type, events[1:])):
            return False
        ev: Any = events[0]
        player, number, cents = ev.player, ev.box, ev.cents
        if kind is e.WagerPlaced:
            slot = 0 if ev.kind == ORIGINAL else ev.kind
            asked = (player, number, ev.kind, cents) == (act.player, act.box, act.kind, act.cents)
            if not asked or ev.token_cents or act.token_cents:
                return False
        else:
            slot = ev.hand if kind is e.WagerDoubled else INSURANCE
            if ASKED[type(act)](before, act) != [_asked(ev)]:
                return False
        net, area, state = before.net.copy(), after.boxes.get(number), before.players.get(player)
        left = net[player] = net.get(player, 0) - cents
        stakes = self._stakes.get(number, NOTHING).copy()
        stakes[player, slot] = stakes.get((player, slot), 0) + cents
        if (
            cents > 0
            and area is not None
            and cloth(area) == stakes
            and after.net == net
            and after.jackpot_cents == before.jackpot_cents
            and (state is None or state.chips_cents is None or state.chips_cents + left >= 0)
            and POST[kind](ev) == ((PLAYERS[player], -cents), (BOXES[number], cents))
        ):
            self._stakes[number] = stakes
            return True
        return False

    def _check_act(self, before: Table, after: Table, events: Collection[Event], act: Act | None) -> None:
        if before is not self._table:
            self._open(before)
        kinds = set(map(type, events))
        if KINDS_WATCHED.isdisjoint(kinds):
            asked = act is not None and type(act) in ASKED and ASKED[type(act)](before, act)
            if asked or isinstance(act, a.FindInvalidWager):
                raise Breach("asked", f"{type(act).__name__} moved no money")
            if after.net != before.net and not _same(after.net, before.net):
                raise Breach("person", "somebody's money changed and no event says so")
            if after.jackpot_cents != before.jackpot_cents:
                raise Breach("jackpot", "the jackpot changed and no event says so")
            return
        self._before = before
        self._net = before.net.copy()
        self._jackpot = before.jackpot_cents
        self._touched: set[int] = set()
        self._act = act
        self._put: list[Any] = []
        """What was put down or changed because somebody asked for it."""
        plain = LEAVES_NOTHING.issuperset(kinds & KINDS_WATCHED)
        if not plain or not self._clear:
            self._forget()
        self._clear = plain
        for event in events:
            read = WATCHED.get(type(event))
            if read is None:
                continue
            try:
                expected = read(self, event)
            except (KeyError, IndexError, AttributeError, StopIteration):
                raise Breach("stake", f"{_said(event)} speaks of what is not there", event) from None
            if expected is not None:
                self._post(event, expected)
        self._compare(before, after, act)

    def _forget(self) -> None:
        """Nothing is kept of an earlier act; most keep none of this (`LEAVES_NOTHING`)."""
        self._prizes: list[tuple[e.JackpotPrizePaid, int, int]] = []
        """Shares that were paid, of how many in a hundred, and what the jackpot stood at."""
        self._bonuses: list[tuple[int, str]] | None = None
        self._parts = 0
        """Parts of jackpot wagers that went back and that the jackpot still has."""
        self._super: list[int] = []
        """Boxes with a Super Bonus in this act."""
        self._returns = False
        self._undoubled: dict[tuple[int, int, str], int] = {}
        """How much of doubled portions went back, by box, hand and player."""
        self._reversed: set[str] = set()
        self._found: e.WagerFound | None = None
        """A further small wager that was settled, and goes back."""
        self._voided: set[tuple[int, str, str, int]] = set()
        """Results of void wagers that went back."""
        self._overlost: dict[tuple[int, str, str, int], int] = {}
        """What went back of lost wagers because it was beyond a loss limit."""
        self._undone: dict[str, int] | None = None
        """What an earlier round that is void still has to give back."""
        self._again: dict[str, int] = {}
        self._forfeits: dict[str, int] = {}
        """What fraud costs who committed it, in a round that is invalidated."""
        self._void = False
        self._written: dict[str, e.UndisclosedAnnounced] = {}
        """Undisclosed wagers that were announced and have no result yet."""
        self._won_in_writing: list[tuple[int, str, int]] = []
        """Undisclosed wagers on hands that won: box, player and what they count as."""

    def _post(self, event: Any, expected: Expected) -> None:
        """The postings of an event must be those that the guard expects of it."""
        try:
            lines = postings(event)
        except Broken:
            raise Breach("balance", f"the postings of {_said(event)} do not balance", event) from None
        person, box, chips, pool, others = expected
        if (
            person
            and box
            and not (chips or pool or others)
            and lines == ((PLAYERS[event.player], person), (BOXES[event.box], box))
        ):
            return  # nearly always: chips go from a player to a box
        for account, cents in lines:
            if account == FLOAT:
                chips -= cents
            elif person and account == PLAYERS[event.player]:
                person -= cents
            elif box and account == BOXES[event.box]:
                box -= cents
            elif account == JACKPOT:
                pool -= cents
            elif others and account in others:
                others[account] -= cents
            elif cents:
                raise Breach("posting", f"{_said(event)} is posted to {account}", event)
        if person or box or chips or pool or (others and any(others.values())):
            raise Breach("posting", f"{_said(event)} is posted with the wrong amounts", event)

    def _compare(self, before: Table, after: Table, act: Act | None) -> None:
        """What the accounts say now and what the engine's table says."""
        for number in self._touched:
            area = after.boxes.get(number)
            if self._stakes.get(number, NOTHING) != (cloth(area) if area is not None else NOTHING):
                held = sum(self._stakes.get(number, NOTHING).values())
                lies = sum(cloth(area).values()) if area is not None else 0
                text = f"box {number} should hold {dollars(held)} and {dollars(lies)} lies there"
                raise Breach("cloth", text if held != lies else f"the wagers on box {number} lie on the wrong hands")
        if after.net != self._net and not _same(after.net, self._net):
            wrong = next(name for name in (*after.net, *self._net) if after.net.get(name, 0) != self._net.get(name, 0))
            text = f"{wrong} stands at {dollars(after.net.get(wrong, 0))}, not {dollars(self._net.get(wrong, 0))}"
            raise Breach("person", text)
        if after.jackpot_cents != self._jackpot:
            text = f"the jackpot stands at {dollars(after.jackpot_cents)}, not {dollars(self._jackpot)}"
            raise Breach("jackpot", text)
        if self._parts:
            raise Breach("jackpot", f"{dollars(self._parts)} of wagers that went back are still in the jackpot")
        if self._undone:
            name, cents = next(iter(self._undone.items()))
            raise Breach("round", f"the earlier round is void and {dollars(cents)} of it was not undone for {name}")
        if self._prizes:
            self._check_prizes(act)
        if isinstance(act, a.FindInvalidWager):
            self._check_nothing_left(before, act)
        if self._found is not None:
            self._check_small_undone(before, self._found)
        if act is not None and (self._put or type(act) in ASKED):
            _check_asked(before, act, self._put)

    # --- accounts ---

    def _open(self, table: Table) -> None:
        """Open the accounts from a table that nobody has shown us yet."""
        self._stakes: dict[int, Stakes] = {
            number: stakes for number, box in table.boxes.items() if (stakes := cloth(box))
        }
        self._claims = {(box, player): (cents, part) for box, player, cents, part in table.jackpot_wagers}
        """Jackpot wagers that were collected before the deal."""
        self._waiting = {(box, player) for box, player, _ in table.jackpot_waiting}
        for claim in self._waiting - set(self._claims):  # its round is over
            self._claims[claim] = (0, 0)
        self._lost = set(table.jackpot_lost)
        self._earned: list[tuple[int, int, str]] = []
        """Wagers with a Super Bonus that is not paid yet: box, hand and player."""
        for box, number in table.bonus_hands:
            self._earned += _earning(table, box, number)
        self._start = dict(table.round_start) if table.phase != "wagers" else {}
        if table.rulebook is not self._rulebook:
            self._rulebook, self._odds = table.rulebook, odds_of(SameRulebook(table.rulebook))

    def _take(self, event: Any, slot: Slot, cents: int, *, whole: bool = True) -> None:
        """A stake, or a part of it, leaves its box."""
        self._touched.add(event.box)
        stakes = self._stakes.get(event.box, NOTHING)
        held = stakes.get((event.player, slot), 0)
        if held != cents and (whole or cents > held or cents <= 0):
            text = f"{_said(event)}: {dollars(cents)} leaves box {event.box}, where {event.player} has {dollars(held)}"
            raise Breach("stake", text, event)
        if held == cents:
            stakes.pop((event.player, slot), None)  # nothing lies where somebody has only written a wager
        else:
            stakes[event.player, slot] = held - cents

    def _lay(self, event: Any, slot: Slot) -> None:
        """A stake, or more of it, comes to a box."""
        if event.cents <= 0:
            raise Breach("amount", f"{_said(event)} is not above zero", event)
        self._touched.add(event.box)
        stakes = self._stakes.setdefault(event.box, {})
        stakes[event.player, slot] = stakes.get((event.player, slot), 0) + event.cents
        left = self._gain(event.player, -event.cents)
        state = self._before.players.get(event.player)
        again = type(self._act) in LAYS_AGAIN  # it lay there already: whether they still could pay for it is not asked
        if state is not None and state.chips_cents is not None and state.chips_cents + left < 0 and not again:
            raise Breach("person", f"{_said(event)}: {event.player} does not have that much", event)
        self._put.append(event)

    def _forfeit(self, player: str, cents: int) -> None:
        self._forfeits[player] = self._forfeits.get(player, 0) + cents
        self._clear = False

    def _gain(self, player: str, cents: int) -> int:
        left = self._net[player] = self._net.get(player, 0) + cents
        return left

    def _check_won(self, event: Any, odds: frozenset[Odds] | None) -> None:
        """A payment is the wager at odds that the rulebook has for this result, in chips that there are."""
        if odds is None or event.odds not in odds:
            raise Breach("odds", f"{_said(event)}: the rulebook pays no such odds for that", event)
        amount, rest = divmod(event.wager_cents * event.odds.wins, event.odds.on)
        if rest or event.paid_cents != amount:
            chips = self._before.house.chips_cents
            house = self._before.house
            lower = payable_multiple(amount, house.minimum_cents, chips) if house.multiples else amount
            if event.paid_cents not in (payable_up(amount + (rest > 0), chips), lower):
                raise Breach("odds", f"{_said(event)}: that is not {event.odds} of the wager", event)

    def _check_bonus(self, event: Any, most: int) -> None:
        """No bonus is paid more often than it was earned."""
        if self._bonuses is None:
            self._bonuses = list(self._before.bonus_given)
        if self._bonuses.count((event.box, event.player)) >= most:
            raise Breach("once", f"{_said(event)} for the second time", event)
        self._bonuses.append((event.box, event.player))

    def _check_nothing_left(self, before: Table, act: a.FindInvalidWager) -> None:
        """Of an invalid wager nothing stays that it brought in the round."""
        box = before.boxes[act.box]
        brought = [(ORIGINAL, index) for index, hand in enumerate(box.hands) if _result(hand, act.player)]
        brought += [(kind, 0) for kind, player, cents in box.settled if player == act.player and cents]
        brought += [(BLAZING, 0) for *where, _, _ in before.jackpot_paid if where == [act.box, act.player]]
        places = [place for place, player in before.bonus_given if player == act.player]
        elsewhere = any(_takes_part(each, act.player) for each in before.boxes.values() if each.number != act.box)
        if places == [0] and not elsewhere:
            brought.append(("bonus", 0))
        for kind, index in brought:
            if (act.box, act.player, kind, index) not in self._voided:
                raise Breach("round", f"{act.player} keeps what an invalid {kind} wager brought on box {act.box}")

    def _check_small_undone(self, before: Table, found: e.WagerFound) -> None:
        """Of a small wager that goes back after its result nothing stays that it brought."""
        who, where = found.player, found.box
        if before.phase == "wagers":  # of the round before
            brought = [(ORIGINAL, 0)] * any(cents for *which, cents in before.small_results if which == [who, where])
        else:
            brought = [(kind, index) for kind, index, _ in before.boxes[where].brought(who)]
        for kind, index in brought:
            if (where, who, kind, index) not in self._voided:
                raise Breach("round", f"{who} keeps what a small {kind} wager brought on box {where}", found)

    def _check_prizes(self, act: Act | None) -> None:
        """Shares of the jackpot: what the pool stood at decides them, or the link."""
        if isinstance(act, a.PayJackpot):
            for event, _, _ in self._prizes:
                if (event.cents, event.from_pool_cents) != (act.cents_each, act.from_pool_each):
                    raise Breach("jackpot", f"{_said(event)}: the link says otherwise", event)
            return
        house = self._before.house
        if house.jackpot_linked:
            return
        if self._jackpot < house.jackpot_minimum_cents:
            raise Breach("jackpot", f"the jackpot was won and not reset to {dollars(house.jackpot_minimum_cents)}")
        for percent in {percent for _, percent, _ in self._prizes}:
            group = [event for event, each, _ in self._prizes if each == percent]
            pool = next(pool for _, each, pool in self._prizes if each == percent)
            way = shares_of_top if percent == 100 else shares_of_tenths
            shares = way(pool, house.jackpot_minimum_cents, len(group))
            paid = payable_up(shares.cents_each, house.chips_cents)
            for index, event in enumerate(group):
                bears = min(paid, shares.from_pool_each + (0 if index else shares.rest_from_pool))
                if (event.cents, event.from_pool_cents) != (paid, bears):
                    raise Breach("jackpot", f"{_said(event)}: that is not its share of {dollars(pool)}", event)


# --- what each event should do ---------------------------------------------------------------------------------------


def _placed(g: Guard, ev: e.WagerPlaced) -> Expected:
    g._lay(ev, 0 if ev.kind == ORIGINAL else ev.kind)
    tokens = ev.token_cents
    if not 0 <= tokens <= ev.cents:
        raise Breach("amount", f"{_said(ev)}: the tokens are not a part of it", ev)
    return tokens - ev.cents, ev.cents, 0, 0, {tokens_of(ev.player): -tokens} if tokens else None


def _laid(slot: Callable[[Any], Slot]) -> Callable[[Guard, Any], Expected]:
    def lay(g: Guard, ev: Any) -> Expected:
        g._lay(ev, slot(ev))
        return -ev.cents, ev.cents, 0, 0, None

    return lay


def _returned(g: Guard, ev: e.WagerReturned) -> Expected:
    cents, tokens = ev.cents, ev.token_cents
    g._gain(ev.player, cents)
    if ev.hand == e.JACKPOT_COLLECTED:
        wager, part = g._claims.pop((ev.box, ev.player))
        if wager != cents or tokens:
            raise Breach("stake", f"{_said(ev)}: the jackpot wager was {dollars(wager)}", ev)
        g._parts += part
        return cents, 0, -cents, 0, None
    slot: Slot = ev.hand
    if ev.hand == e.OF_INSURANCE:
        slot = INSURANCE
    elif ev.hand == e.OF_ANSWERED_SPLIT:
        slot = ANSWERING
    elif ev.kind != ORIGINAL:
        slot = ev.kind
    elif ev.hand < 0:
        slot = 0
    if not 0 <= tokens <= cents:
        raise Breach("amount", f"{_said(ev)}: its tokens are more than the whole", ev)
    if tokens and tokens > g._before.boxes[ev.box].wagers[ev.player].token_cents:
        raise Breach("amount", f"{_said(ev)}: there were not so many tokens in it", ev)
    g._take(ev, slot, cents, whole=False)
    if ev.doubled_cents or isinstance(slot, int):
        _check_doubled(g, ev)
    g._returns = True
    return cents - tokens, -cents, 0, 0, {tokens_of(ev.player): tokens} if tokens else None


def _check_doubled(g: Guard, ev: e.WagerReturned) -> None:
    """A doubled portion goes back as far as it is more than what is left of the wager, or, newest wagers first, whole
    before anything of the wager does."""
    box = g._before.boxes[ev.box]
    wager = box.hands[ev.hand].wagers[ev.player] if ev.hand >= 0 else box.wagers[ev.player]
    place = (ev.box, ev.hand, ev.player)
    doubled = wager.doubled_cents - g._undoubled.get(place, 0)
    g._undoubled[place] = wager.doubled_cents - doubled + ev.doubled_cents
    if ev.reason == "loss-limit":
        due = min(doubled, ev.cents)
    else:
        due = max(0, doubled - (wager.cents - (ev.cents - ev.doubled_cents)))
    if ev.doubled_cents != due or ev.cents - due > wager.cents:
        raise Breach("amount", f"{_said(ev)}: {dollars(due)} of it is of the doubled portion", ev)


def _paid(g: Guard, ev: e.WagerPaid) -> Expected:
    g._take(ev, ev.hand, ev.wager_cents)
    g._check_won(ev, g._odds.get(ev.result))
    if ev.result in SUITED_SEVENS and g._before.compiled.super_bonus:
        _note_earned(g, ev)
    return _won(g, ev)


def _note_earned(g: Guard, ev: e.WagerPaid) -> None:
    """Three suited sevens against the dealer's seven: a Super Bonus is due before the round is over."""
    table = g._before
    excluded = table.boxes[ev.box].hands[ev.hand].split and table.compiled.no_bonus_split
    if not excluded and table.dealer_cards[0][0] == table.rulebook.super_bonus.dealer_rank.value:
        g._earned += [each for each in _earning(table, ev.box, ev.hand) if each[2] == ev.player]


def _earning(table: Table, box: int, number: int) -> list[tuple[int, int, str]]:
    """Whose wagers on a hand with a Super Bonus earn it."""
    least = table.rulebook.super_bonus.small_from_cents.value
    wagers = table.boxes[box].hands[number].wagers.values()
    earning = [w for w in wagers if w.cents >= least and not w.surrendered and not table.players[w.player].barred]
    return [(box, number, wager.player) for wager in earning]


def _won(g: Guard, ev: Any) -> Expected:
    wager, paid = ev.wager_cents, ev.paid_cents
    g._gain(ev.player, wager + paid)
    return wager + paid, -wager, -paid, 0, None


def _insurance_paid(g: Guard, ev: e.InsurancePaid) -> Expected:
    g._take(ev, INSURANCE, ev.wager_cents)
    g._check_won(ev, g._odds.get(INSURANCE))
    return _won(g, ev)


def _side_bet_paid(g: Guard, ev: e.SideBetPaid) -> Expected:
    g._take(ev, ev.kind, ev.wager_cents)
    g._check_won(ev, g._odds.get(f"{ev.kind} {ev.result}"))
    return _won(g, ev)


def _collected(g: Guard, ev: e.WagerCollected) -> Expected:
    g._take(ev, ev.hand, ev.cents, whole=ev.reason != "dealer-natural")
    if ev.reason in ("fraud", "not-refunded"):
        g._forfeit(ev.player, ev.cents)
    return 0, -ev.cents, ev.cents, 0, None


def _insurance_collected(g: Guard, ev: e.InsuranceCollected) -> Expected:
    g._take(ev, INSURANCE, ev.cents)
    if type(g._act) is a.InvalidateRound:
        g._forfeit(ev.player, ev.cents)
    return 0, -ev.cents, ev.cents, 0, None


def _side_bet_collected(g: Guard, ev: e.SideBetCollected) -> Expected:
    g._take(ev, ev.kind, ev.cents)
    if type(g._act) is a.InvalidateRound:
        g._forfeit(ev.player, ev.cents)
    return 0, -ev.cents, ev.cents, 0, None


def _stood_off(g: Guard, ev: e.WagerStoodOff) -> Expected:
    g._take(ev, ev.hand, ev.cents)
    g._gain(ev.player, ev.cents)
    return ev.cents, -ev.cents, 0, 0, None


def _surrendered(g: Guard, ev: e.SurrenderSettled) -> Expected:
    wager = ev.lost_cents + ev.returned_cents
    half = -(-wager // 2)
    if ev.lost_cents < 0 or ev.returned_cents != min(wager, payable_up(half, g._before.house.chips_cents)):
        raise Breach("amount", f"{_said(ev)}: that is not half of {dollars(wager)}", ev)
    return _divided(g, ev)


def _forfeited(g: Guard, ev: e.WagerForfeited) -> Expected:
    wager = g._before.boxes[ev.box].hands[ev.hand].wagers[ev.player]
    if (ev.lost_cents, ev.returned_cents) != (wager.cents, wager.doubled_cents):
        raise Breach("amount", f"{_said(ev)}: the doubled portion was {dollars(wager.doubled_cents)}", ev)
    return _divided(g, ev)


def _divided(g: Guard, ev: Any) -> Expected:
    """A wager of which a part is lost and a part goes back."""
    lost, returned = ev.lost_cents, ev.returned_cents
    g._take(ev, ev.hand, lost + returned)
    g._gain(ev.player, returned)
    return returned, -lost - returned, lost, 0, None


def _hand_divided(g: Guard, ev: e.HandDivided) -> None:
    """Two hands of one: later hands move up, and what was put on the new one lies there."""
    stakes = g._stakes[ev.box]
    moved: Stakes = {}
    for (player, slot), cents in stakes.items():
        if slot == ANSWERING:
            slot = ev.hand + 1
        elif isinstance(slot, int) and slot > ev.hand:
            slot += 1
        moved[player, slot] = cents
    g._stakes[ev.box] = moved
    g._touched.add(ev.box)


# --- bonuses and payments that are put right ---


def _super_bonus(g: Guard, ev: e.SuperBonusPaid) -> Expected:
    terms = g._before.rulebook.super_bonus
    wagers = [hand.wagers[ev.player].cents for hand in g._before.boxes[ev.box].hands if ev.player in hand.wagers]
    wagers += [cents for box, name, cents in g._won_in_writing if (box, name) == (ev.box, ev.player)]
    due = [
        (terms.large_cents if cents >= terms.large_from_cents.value else terms.small_cents).value
        for cents in wagers
        if cents >= terms.small_from_cents.value
    ]
    if ev.cents not in due:
        raise Breach("amount", f"{_said(ev)}: no wager on box {ev.box} earns that", ev)
    g._check_bonus(ev, len(due))
    g._super.append(ev.box)
    earned = next((each for each in g._earned if each[0] == ev.box and each[2] == ev.player), None)
    if earned is not None:
        g._earned.remove(earned)
    if g._bonuses is not None:
        g._bonuses.append((0, ev.player))
    g._gain(ev.player, ev.cents)
    return ev.cents, 0, -ev.cents, 0, None


def _bonus(g: Guard, ev: e.BonusPaid) -> Expected:
    terms = g._before.rulebook.super_bonus
    if ev.cents != terms.others_cents.value:
        raise Breach("amount", f"{_said(ev)}: that bonus is {dollars(terms.others_cents.value)}", ev)
    if BONUS_FOR_EACH_PLAYER[terms.others.value]:
        due = ev.box == 0 and ev.player in g._before.round_players
    else:
        due = (ev.box, ev.player) in g._before.round_wagers
    if not due or not (g._super or g._before.bonus_given):
        raise Breach("amount", f"{_said(ev)}: no such bonus is due", ev)
    g._check_bonus(ev, 1)
    g._gain(ev.player, ev.cents)
    return ev.cents, 0, -ev.cents, 0, None


def _reversed(g: Guard, ev: e.PaymentReversed) -> Expected:
    """What a round brought, or its final settlement alone, goes back whole and once."""
    player = ev.player
    if g._undone is not None:
        due = g._undone.pop(player, 0)
    elif g._before.phase == "wagers" and not g._start:  # it is laid again: that is said after this
        due = g._before.last_results.get(player, 0)
        g._again[player] = ev.cents
    else:
        due = g._net[player] - g._start[player] + _stays_lost(g, player)
    if not ev.cents or ev.cents != due or player in g._reversed:
        raise Breach("amount", f"{_said(ev)}: that is not what the round brought", ev)
    g._reversed.add(player)
    g._gain(player, -ev.cents)
    return -ev.cents, 0, ev.cents, 0, None


def _stays_lost(g: Guard, player: str) -> int:
    """What an invalidated round keeps of somebody's wagers: those collected for it, and those lost before."""
    act, lost = g._act, g._forfeits.get(player, 0)
    if isinstance(act, a.InvalidateRound) and (player in act.forfeit or not act.refund):
        for box in g._before.boxes.values():
            lost -= sum(min(0, _result(hand, player)) for hand in box.hands)
            lost -= sum(min(0, cents) for _, name, cents in box.settled if name == player)
    return lost


def _takes_part(box: Box, player: str) -> bool:
    """Whether somebody has or had a wager of any kind on a box in this round."""
    return (
        player in box.line
        or any(each[1] == player for each in box.settled)
        or any(player in each for each in box.side.values())
    )


def _result(hand: Hand, player: str) -> int:
    return hand.wagers[player].result if player in hand.wagers else 0


def _undone(g: Guard, ev: e.ResultUndone) -> Expected:
    """What one void wager brought in this round goes back, once."""
    table, place = g._before, (ev.box, ev.player)
    if ev.kind == "bonus":
        due = table.rulebook.super_bonus.others_cents.value if (0, ev.player) in table.bonus_given else 0
    elif ev.kind == BLAZING:
        due = sum(won for *where, won, _ in table.jackpot_paid if tuple(where) == place)
    elif table.phase == "wagers":
        due = sum(cents for *where, cents in table.small_results if tuple(where) == (ev.player, ev.box))
    elif ev.kind == ORIGINAL:
        due = table.boxes[ev.box].hands[ev.hand].wagers[ev.player].result
    else:
        due = sum(
            cents for kind, player, cents in table.boxes[ev.box].settled if (kind, player) == (ev.kind, ev.player)
        )
    once = (ev.box, ev.player, ev.kind, ev.hand)
    if ev.reason:
        return _part_undone(g, ev, due)
    if not ev.cents or ev.cents != due or once in g._voided or (ev.hand and ev.kind != ORIGINAL):
        raise Breach("amount", f"{_said(ev)}: that is not what the wager brought", ev)
    g._voided.add(once)
    g._gain(ev.player, -ev.cents)
    return -ev.cents, 0, ev.cents, 0, None


def _part_undone(g: Guard, ev: e.ResultUndone, due: int) -> Expected:
    """What of a lost wager was beyond a loss limit goes back: at most what was lost, and what passes the limit."""
    place = (ev.box, ev.player, ev.kind, ev.hand)
    state = g._before.players.get(ev.player)
    limit = None if state is None else state.loss_limit_cents
    most = 0 if limit is None else -g._net.get(ev.player, 0) - limit
    undone = g._overlost.get(place, 0) + ev.cents
    if limit is None or not -most <= ev.cents < 0 or undone < due:
        raise Breach("amount", f"{_said(ev)}: that is not what went beyond the limit", ev)
    g._overlost[place] = undone
    g._gain(ev.player, -ev.cents)
    return -ev.cents, 0, ev.cents, 0, None


def _mispaid(g: Guard, ev: e.MispaymentRecorded) -> Expected:
    g._put.append(ev)
    g._gain(ev.player, ev.cents)
    _beside_the_round(g, ev.player, ev.cents)
    return ev.cents, 0, -ev.cents, 0, None


def _rectified(g: Guard, ev: e.MispaymentRectified) -> Expected:
    g._put.append(ev)
    g._gain(ev.player, -ev.cents)
    _beside_the_round(g, ev.player, -ev.cents)
    return -ev.cents, 0, ev.cents, 0, None


def _beside_the_round(g: Guard, player: str, cents: int) -> None:
    """What is paid wrongly is no result of the round in play."""
    if player in g._start:
        g._start = {**g._start, player: g._start[player] + cents}


def _exchanged(expected: Callable[[Any], Expected]) -> Callable[[Guard, Any], Expected]:
    """Something for something else of the same value: nobody wins or loses by it."""

    def exchange(g: Guard, ev: Any) -> Expected:
        if ev.cents <= 0:
            raise Breach("amount", f"{_said(ev)} is not above zero", ev)
        g._put.append(ev)
        return expected(ev)

    return exchange


def _colours(g: Guard, ev: e.ColoursChanged) -> Expected:
    """The same value there and back: nothing is left of it in any account, so that its lines are looked at."""
    player = PLAYERS[ev.player]
    if ev.chip_cents <= 0 or ev.cents % ev.chip_cents:
        raise Breach("amount", f"{_said(ev)}: such chips do not make it", ev)
    if sorted(POST[type(ev)](ev)) != sorted(move(ev.cents, player, FLOAT) + move(ev.cents, FLOAT, player)):
        raise Breach("posting", f"{_said(ev)} is posted with the wrong amounts", ev)
    return _exchanged(lambda ev: (0, 0, 0, 0, {player: 0}))(g, ev)


# --- a session of a tournament ---


def _deducted(g: Guard, ev: e.MinimumDeducted) -> Expected:
    chips = (g._before.players[ev.player].chips_cents or 0) + g._net[ev.player]
    if ev.cents != min(g._before.house.minimum_cents, chips):
        raise Breach("amount", f"{_said(ev)}: that is not the minimum", ev)
    g._put.append(ev)
    g._gain(ev.player, -ev.cents)
    return -ev.cents, 0, ev.cents, 0, None


def _made_up(g: Guard, ev: e.WagerMadeUp) -> Expected:
    if ev.cents <= 0:
        raise Breach("amount", f"{_said(ev)} is not above zero", ev)
    g._touched.add(ev.box)
    stakes = g._stakes.setdefault(ev.box, {})
    slot = max(ev.hand, 0)
    stakes[ev.player, slot] = stakes.get((ev.player, slot), 0) + ev.cents
    if stakes[ev.player, slot] != g._before.house.minimum_cents:
        raise Breach("amount", f"{_said(ev)}: that does not make the minimum", ev)
    g._gain(ev.player, -ev.cents)
    return -ev.cents, ev.cents, 0, 0, None


def _announced(g: Guard, ev: e.UndisclosedAnnounced) -> None:
    """What is announced is what was written, and it counts as no more."""
    session = g._before.session
    form = session.forms.get(ev.player) if session is not None else None
    if form is None or (form.box, form.kind, form.cents) != (ev.box, ev.kind, ev.written_cents):
        raise Breach("asked", f"{_said(ev)}: that was not written", ev)
    g._written[ev.player] = ev


def _undisclosed(g: Guard, ev: e.UndisclosedSettled) -> Expected:
    """Paid or taken once, for what was announced, by somebody who had it."""
    said = g._written.pop(ev.player, None)
    if said is None or (said.box, said.kind) != (ev.box, ev.kind):
        raise Breach("once", f"{_said(ev)}, and no such wager was announced", ev)
    house = g._before.house
    if ev.result == "won":
        pair = f"{ev.kind} "
        known = [odds for name, odds in g._odds.items() if name.startswith(pair) or (ev.kind == ORIGINAL)]
        if ev.odds is None or not any(ev.odds in odds for odds in known):
            raise Breach("odds", f"{_said(ev)}: the rulebook pays no such odds for that", ev)
        amount, rest = divmod(said.cents * ev.odds.wins, ev.odds.on)
        due = {payable_up(amount + (rest > 0), house.chips_cents), amount}
    elif ev.result == "surrendered":
        due = {min(said.cents, payable_up(-(-said.cents // 2), house.chips_cents)) - said.cents}
    elif ev.result == "deducted":
        chips = (g._before.players[ev.player].chips_cents or 0) + g._net[ev.player]
        due = {-min(house.minimum_cents, max(0, chips))}
    else:
        due = {-said.cents if ev.result == "lost" else 0}
    if ev.cents not in due:
        raise Breach("odds", f"{_said(ev)}: that is not what {dollars(said.cents)} brings", ev)
    if ev.result == "won" and ev.kind == ORIGINAL:
        g._won_in_writing.append((ev.box, ev.player, said.cents))
    left = g._gain(ev.player, ev.cents)
    state = g._before.players.get(ev.player)
    if ev.cents < 0 and state is not None and state.chips_cents is not None and state.chips_cents + left < 0:
        raise Breach("person", f"{_said(ev)}: {ev.player} does not have that much", ev)
    return ev.cents, 0, -ev.cents, 0, None


# --- the jackpot ---


def _jackpot_collected(g: Guard, ev: e.JackpotWagerCollected) -> Expected:
    part = ev.cents * g._before.house.jackpot_rate_percent // 100
    if ev.to_jackpot_cents != part:
        raise Breach("jackpot", f"{_said(ev)}: {dollars(part)} of it goes to the jackpot", ev)
    g._take(ev, BLAZING, ev.cents)
    g._claims[ev.box, ev.player] = (ev.cents, part)
    g._jackpot += part
    return 0, -ev.cents, ev.cents - part, part, None


def _jackpot_won(g: Guard, ev: e.JackpotWon) -> None:
    _claim(g, ev)
    g._waiting.add((ev.box, ev.player))


def _jackpot_lost(g: Guard, ev: e.JackpotLost) -> None:
    _claim(g, ev)
    g._waiting.discard((ev.box, ev.player))
    g._lost.add((ev.box, ev.player))


def _claim(g: Guard, ev: Any) -> int:
    """The jackpot wager that wins or loses; nothing is decided twice."""
    claim = (ev.box, ev.player)
    if claim not in g._claims or claim in g._lost:
        raise Breach("once", f"{_said(ev)}: no jackpot wager waits there for a result", ev)
    return g._claims[claim][0]


def _prize(g: Guard, ev: e.JackpotPrizePaid) -> Expected:
    wager = _claim(g, ev)
    row = next((row for row in g._before.rulebook.blazing_7s.pays.value if row.name == ev.result), None)
    if row is None:
        raise Breach("odds", f"{_said(ev)}: the rulebook has no such prize", ev)
    bears = ev.from_pool_cents
    if row.share_percent:
        g._prizes.append((ev, row.share_percent, g._jackpot))
    elif wager and (ev.cents, bears) != (payable_up(row.cents_by_wager[wager], g._before.house.chips_cents), 0):
        raise Breach("amount", f"{_said(ev)}: that is not the prize for {dollars(wager)}", ev)
    most = ev.cents if g._before.house.jackpot_linked else min(ev.cents, g._jackpot)
    if not 0 <= bears <= most:  # a linked table was told of the pool before the deal: others have moved it since
        raise Breach("jackpot", f"{_said(ev)}: the jackpot cannot bear {dollars(bears)} of it", ev)
    del g._claims[ev.box, ev.player]
    g._waiting.discard((ev.box, ev.player))
    g._jackpot -= bears
    g._gain(ev.player, ev.cents)
    return ev.cents, 0, bears - ev.cents, -bears, None


def _jackpot_set(g: Guard, ev: e.JackpotSet) -> Expected:
    added = ev.added_cents
    g._jackpot += added
    if ev.cents != g._jackpot:
        raise Breach("jackpot", f"{_said(ev)}, but the accounts have {dollars(g._jackpot)}", ev)
    if ev.reason == "reset":
        if ev.cents != g._before.house.jackpot_minimum_cents or added <= 0:
            raise Breach("jackpot", f"{_said(ev)}: that is not its reset value", ev)
    elif ev.reason == "link":
        g._put.append(ev)
    elif ev.reason == "paid":
        if added:
            raise Breach("jackpot", f"{_said(ev)}: nothing is added when shares are paid", ev)
    elif ev.reason == "reopened":
        memo = g._before.opened
        if memo is None or ev.cents != memo.jackpot_cents:
            raise Breach("jackpot", f"{_said(ev)}: it did not stand there before the round", ev)
    elif ev.reason == "undone":
        if abs(added) > sum(abs(taken) for *_, taken in g._before.jackpot_paid):
            raise Breach("jackpot", f"{_said(ev)}: no prize took so much out of it", ev)
    else:
        if added >= 0 or -added > g._parts:
            raise Breach("jackpot", f"{_said(ev)}: {dollars(g._parts)} goes back", ev)
        g._parts += added
    if ev.reason in FROM_THE_HOUSE:
        return 0, 0, 0, added, {HOUSE: -added}
    return 0, 0, -added, added, None


# --- rounds ---


def _round_began(g: Guard, ev: e.RoundBegan) -> None:
    """What everybody stands at before the wagers of the round."""
    start: dict[str, int] = {}
    for stakes in g._stakes.values():
        for (player, _), cents in stakes.items():
            start[player] = start.get(player, g._net[player]) + cents
    for (_, player), (cents, _) in g._claims.items():
        if cents:
            start[player] = start.get(player, g._net[player]) + cents
    g._start = start


def _found_again(g: Guard, ev: e.WagerFound) -> None:
    """A further wager below the minimum, found after its result."""
    if ev.outcome == "returned" and ev.after_result:
        g._found = ev


def _round_voided(g: Guard, ev: e.RoundVoided) -> None:
    g._void = True


def _earlier_voided(g: Guard, ev: e.EarlierRoundVoided) -> None:
    """What comes back of the earlier round is no part of this one."""
    table = g._before
    earlier = (table.rounds_before() or ({},))[-ev.rounds_ago]
    interim = table.rulebook.irregularities.void_interim.value
    g._start = {player: cents - earlier.get(player, 0) for player, cents in g._start.items()}
    stands = (
        table.phase == "wagers"
        and ev.rounds_ago == 1
        and (ev.paid == "stands" if ev.paid else not INTERIM_GOES_BACK[interim])
    )
    back = dict(table.last_final if stands else earlier)
    if isinstance(g._act, a.InvalidateRound):
        for player, cents in table.last_staked.items():
            if player in g._act.forfeit or not g._act.refund:
                back[player] = back.get(player, 0) + cents
    g._undone = {player: cents for player, cents in back.items() if cents}


def _reopened(g: Guard, ev: e.RoundReopened) -> None:
    """All that the finished round brought has gone back, and the jackpot is where it was before."""
    table = g._before
    if g._again != {player: cents for player, cents in table.last_results.items() if cents}:
        raise Breach("round", "the round is laid again and not all of it was undone", ev)
    if table.opened is None or g._jackpot != table.opened.jackpot_cents:
        raise Breach("jackpot", "the round is laid again and the jackpot is not where it was", ev)


def _taken_back(g: Guard, ev: e.RoundTakenBack) -> None:
    """The same in the middle of a round: nobody has anything of it, and nothing lies on the boxes."""
    table = g._before
    if table.phase != "wagers":
        for player, cents in g._start.items():
            if g._net[player] != cents:
                kept = dollars(g._net[player] - cents)
                raise Breach("round", f"the round is taken back and {player} has {kept} of it", ev)
        g._again = {player: cents for player, cents in table.last_results.items() if cents}
    _reopened(g, e.RoundReopened(ev.clauses, ev.by, (), (), ()))
    for number, stakes in g._stakes.items():
        for (player, _), cents in stakes.items():
            raise Breach("round", f"the round is taken back and {dollars(cents)} of {player} is left on {number}", ev)
    g._start, g._claims, g._waiting, g._lost, g._earned = {}, {}, set(), set(), []


def _barred(g: Guard, ev: e.PlayerBarred | e.WagersVoided) -> None:
    if isinstance(ev, e.PlayerBarred) and ev.wagers_stand:
        return
    returned = INTERIM_GOES_BACK[g._before.rulebook.irregularities.void_interim.value]
    if returned and g._net.get(ev.player, 0) != g._start.get(ev.player, g._net.get(ev.player, 0)):
        raise Breach("round", f"{ev.player} is barred and not all of the round was undone", ev)


def _round_ended(g: Guard, ev: e.RoundEnded) -> None:
    """Every box is empty, and every jackpot wager has its result, and every undisclosed one."""
    for name in g._written:
        raise Breach("round", f"the round is over and the undisclosed wager of {name} has no result", ev)
    for number, stakes in g._stakes.items():
        for (player, _), cents in stakes.items():
            raise Breach("round", f"the round is over and {dollars(cents)} of {player} is left on box {number}", ev)
    for box, player in g._claims.keys() - g._lost - g._waiting if not g._void else ():
        raise Breach("round", f"the round is over and {player}'s jackpot wager on box {box} has no result", ev)
    if not g._void:
        _check_bonuses(g, ev)
    elif _all_goes_back(g):
        _check_all_back(g, ev)
    g._stakes = {}
    g._claims = dict.fromkeys(g._waiting, (0, 0))
    g._lost = set()
    g._start = {}
    g._earned = []


def _check_bonuses(g: Guard, ev: e.RoundEnded) -> None:
    """Whoever earned a Super Bonus has it, and the others have the consolation for it."""
    for box, _, player in g._earned:
        if g._before.players[player].barred:
            continue
        raise Breach("round", f"the round is over and {player} on box {box} has no Super Bonus", ev)
    if not g._super or g._returns:
        return
    table, given = g._before, g._bonuses or []
    terms = table.rulebook.super_bonus
    if BONUS_FOR_EACH_PLAYER[terms.others.value]:
        wagering = {player for _, player in table.round_wagers}
        due = [(0, name) for name in table.round_players if name in wagering or terms.others_side_bets.value]
    else:
        due = [place for place in table.round_wagers if place[0] not in g._super]
    for place in due:
        if place not in given and not table.players[place[1]].barred:
            raise Breach("round", f"the round is over and {place[1]} has no bonus beside the Super Bonus", ev)


def _all_goes_back(g: Guard) -> bool:
    """Whether a void round undoes its payments; of an invalidated one the rulebook or the house may say otherwise."""
    terms = g._before.rulebook.irregularities
    if type(g._act) is a.InvalidateRound and not UNDECIDED[terms.invalidated_paid.value]:
        return PAID_GOES_BACK[terms.invalidated_paid.value]
    return INTERIM_GOES_BACK[terms.void_interim.value]


def _check_all_back(g: Guard, ev: e.RoundEnded) -> None:
    """A void round that undoes its interim payments leaves everybody as they were, forfeits apart."""
    for player, cents in g._start.items():
        kept = g._net[player] + _stays_lost(g, player) - cents
        if kept:
            text = f"the round is void and {player} has {dollars(kept)} of it"
            raise Breach("round", text, ev)


WATCHED: dict[type[Event], Callable[[Guard, Any], Expected | None]] = {
    e.WagerPlaced: _placed,
    e.InsurancePlaced: _laid(lambda ev: INSURANCE),
    e.WagerDoubled: _laid(lambda ev: ev.hand),
    e.WagerSplit: _laid(lambda ev: ANSWERING),
    e.WagerReturned: _returned,
    e.WagerPaid: _paid,
    e.InsurancePaid: _insurance_paid,
    e.SideBetPaid: _side_bet_paid,
    e.WagerCollected: _collected,
    e.InsuranceCollected: _insurance_collected,
    e.SideBetCollected: _side_bet_collected,
    e.WagerStoodOff: _stood_off,
    e.SurrenderSettled: _surrendered,
    e.WagerForfeited: _forfeited,
    e.HandDivided: _hand_divided,
    e.SuperBonusPaid: _super_bonus,
    e.BonusPaid: _bonus,
    e.PaymentReversed: _reversed,
    e.ResultUndone: _undone,
    e.MispaymentRecorded: _mispaid,
    e.MispaymentRectified: _rectified,
    e.ChipsBought: _exchanged(
        lambda ev: (ev.cents, 0, -ev.cents, 0, {cash_of(ev.player): -ev.cents, DROP: ev.cents}),
    ),
    e.ChipsBrought: _exchanged(lambda ev: (ev.cents, 0, 0, 0, {pocket_of(ev.player): -ev.cents})),
    e.ChipsTaken: _exchanged(lambda ev: (-ev.cents, 0, 0, 0, {pocket_of(ev.player): ev.cents})),
    e.ChipsCashed: _exchanged(
        lambda ev: (-ev.cents, 0, ev.cents, 0, {cash_of(ev.player): ev.cents, DROP: -ev.cents}),
    ),
    e.ColoursChanged: _colours,
    e.TokensIssued: _exchanged(
        lambda ev: (
            0,
            0,
            0,
            0,
            {
                PROMOTION: -ev.cents,
                tokens_of(ev.player): ev.cents,
                voucher_of(ev.player): -ev.cents,
                VOUCHERS: ev.cents,
            },
        ),
    ),
    e.ChipsAllotted: _exchanged(lambda ev: (ev.cents, 0, 0, 0, {inventory_of(ev.player): -ev.cents})),
    e.ChipsReturned: _exchanged(lambda ev: (-ev.cents, 0, 0, 0, {inventory_of(ev.player): ev.cents})),
    e.MinimumDeducted: _deducted,
    e.WagerMadeUp: _made_up,
    e.UndisclosedAnnounced: _announced,
    e.UndisclosedSettled: _undisclosed,
    e.FloatFilled: _exchanged(lambda ev: (0, 0, ev.cents, 0, {CAGE: -ev.cents})),
    e.FloatCredited: _exchanged(lambda ev: (0, 0, -ev.cents, 0, {CAGE: ev.cents})),
    e.JackpotWagerCollected: _jackpot_collected,
    e.JackpotWon: _jackpot_won,
    e.JackpotLost: _jackpot_lost,
    e.JackpotPrizePaid: _prize,
    e.JackpotSet: _jackpot_set,
    e.RoundBegan: _round_began,
    e.RoundVoided: _round_voided,
    e.WagerFound: _found_again,
    e.RoundReopened: _reopened,
    e.RoundTakenBack: _taken_back,
    e.PlayerBarred: _barred,
    e.WagersVoided: _barred,
    e.EarlierRoundVoided: _earlier_voided,
    e.RoundEnded: _round_ended,
}
"""How the guard reads each event that moves money, or that says where money lies."""
KINDS_WATCHED = frozenset(WATCHED)
LEAVES_NOTHING = frozenset(
    {
        e.WagerPlaced, e.InsurancePlaced, e.WagerDoubled, e.WagerSplit, e.HandDivided, e.RoundBegan, e.RoundEnded,
        e.WagerPaid, e.WagerCollected, e.WagerStoodOff, e.SurrenderSettled, e.InsurancePaid, e.InsuranceCollected,
        e.SideBetPaid, e.SideBetCollected,
    }
)  # fmt: skip
"""Events of which nothing is kept that is forgotten after their act, forfeits apart."""


# --- what was asked for ----------------------------------------------------------------------------------------------


def _check_asked(before: Table, act: Act, put: list[Any]) -> None:
    """Money is put down because somebody asked for it: that much, there, and once."""
    due = ASKED[type(act)](before, act) if type(act) in ASKED else []
    found = [_asked(event) for event in put]
    if found != due and sorted(map(repr, due)) != sorted(map(repr, found)):
        odd = next((event for event in put if _asked(event) not in due), None)
        text = (
            f"{type(act).__name__} did not ask for this: {_said(odd)}" if odd else "more, or less, than was asked for"
        )
        raise Breach("asked", text, odd)


def _asked(ev: Any) -> tuple[Any, ...]:
    """What of an event the act decides."""
    kind = type(ev)
    said = _DECIDED[kind](ev)
    return (kind, *said) if type(said) is tuple else (kind, said)


DECIDED: dict[type[Event], tuple[str, ...]] = {
    e.WagerPlaced: ("player", "box", "kind", "cents", "token_cents"),
    e.InsurancePlaced: ("player", "box", "cents"),
    e.WagerDoubled: ("player", "box", "hand", "cents"),
    e.WagerSplit: ("player", "box", "hand", "cents"),
    e.ChipsBought: ("player", "cents"),
    e.ChipsBrought: ("player", "cents"),
    e.ChipsTaken: ("player", "cents"),
    e.ChipsCashed: ("player", "cents"),
    e.ColoursChanged: ("player", "cents", "chip_cents"),
    e.TokensIssued: ("player", "cents"),
    e.ChipsAllotted: ("player", "cents"),
    e.ChipsReturned: ("player", "cents"),
    e.MinimumDeducted: ("player",),
    e.FloatFilled: ("cents",),
    e.FloatCredited: ("cents",),
    e.MispaymentRecorded: ("player", "cents"),
    e.MispaymentRectified: ("player", "cents"),
    e.JackpotSet: ("cents",),
}
"""The fields of an event that the act which asked for it decides."""
_DECIDED: dict[type[Event], Callable[[Any], Any]] = {kind: attrgetter(*names) for kind, names in DECIDED.items()}


def _asked_wager(table: Table, act: a.PlaceWager) -> list[Any]:
    return [(e.WagerPlaced, act.player, act.box, act.kind, act.cents, act.token_cents)]


def _asked_double(table: Table, act: Any) -> list[Any]:
    cents = table.hand_to_act().wagers[act.player].cents if act.cents is None else act.cents
    return [(e.WagerDoubled, act.player, table.turn_box, table.turn_hand, cents)]


def _asked_split(table: Table, act: Any) -> list[Any]:
    cents = table.hand_to_act().wagers[act.player].cents
    return [(e.WagerSplit, act.player, table.turn_box, table.turn_hand, cents)]


def _asked_for_left_out(table: Table, act: a.LeaveOut) -> list[Any]:
    """A hand that was left out gets what had been called for, where the round is rebuilt as it should have been."""
    meant = {"double": _asked_double, "split": _asked_split}.get(act.meant)
    if meant is None or BY_STAGE[table.rulebook.irregularities.misdeal.value]:
        return []
    return meant(table, a.Double(table.boxes[act.box].controller, act.box))


def _asked_mispayment(table: Table, act: a.RecordMispayment) -> list[Any]:
    cents = act.cents if act.over else -act.cents
    rectified = [(e.MispaymentRectified, act.player, cents)] if act.rectified else []
    return [(e.MispaymentRecorded, act.player, cents), *rectified]


def _asked_again(table: Table, act: Act) -> list[Any]:
    """A round that is laid again has the wagers that it had."""
    memo = table.opened
    if memo is None or (isinstance(act, a.Reconstruct) and (table.phase != "wagers" or not memo.places)):
        return []
    placed: list[Any] = [
        (e.WagerPlaced, w.player, box, ORIGINAL, w.cents, w.token_cents) for box, w in memo.wagers if w.cents
    ]
    return placed + [(e.WagerPlaced, player, box, kind, cents, 0) for box, kind, player, cents in memo.side]


def _asked_to_leave(table: Table, act: a.LeaveTable) -> list[Any]:
    """Whoever leaves a table that counts chips takes theirs along."""
    state = table.players[act.player]
    if state.chips_cents is None or not table.house.counted:
        return []
    chips = state.chips_cents + table.net.get(act.player, 0) - state.tokens_cents
    return [(e.ChipsTaken, act.player, chips)] if chips > 0 else []


def _asked_allotment(table: Table, act: a.BeginSession) -> list[Any]:
    """Everybody who plays has what is laid down."""
    said = act.session
    return [
        (e.ChipsAllotted, name, said.held.get(name, said.chips_cents))
        for name in said.seats.values()
        if said.held.get(name, said.chips_cents)
    ]


def _asked_to_end(table: Table, act: a.EndSession) -> list[Any]:
    """Whatever lies in front of anybody goes back."""
    found: list[Any] = []
    for name in table.session.terms.seats.values() if table.session is not None else ():
        chips = (table.players[name].chips_cents or 0) + table.net.get(name, 0)
        if chips > 0:
            found.append((e.ChipsReturned, name, chips))
    return found


ASKED: dict[type[Act], Callable[[Table, Any], list[Any]]] = {
    a.PlaceWager: _asked_wager,
    a.Insure: lambda table, act: [(e.InsurancePlaced, act.player, act.box, act.cents)],
    a.Double: _asked_double,
    a.Split: _asked_split,
    a.LeaveOut: _asked_for_left_out,
    a.BuyChips: lambda table, act: [(e.ChipsBought, act.player, act.cents)],
    a.BringChips: lambda table, act: [(e.ChipsBrought, act.player, act.cents)],
    a.TakeChips: lambda table, act: [(e.ChipsTaken, act.player, act.cents)],
    a.LeaveTable: _asked_to_leave,
    a.CashChips: lambda table, act: [(e.ChipsCashed, act.player, act.cents)],
    a.ChangeColour: lambda table, act: [(e.ColoursChanged, act.player, act.cents, act.chip_cents)],
    a.IssueTokens: lambda table, act: [(e.TokensIssued, act.player, act.cents)],
    a.FillFloat: lambda table, act: [(e.FloatFilled, act.cents)],
    a.CreditFloat: lambda table, act: [(e.FloatCredited, act.cents)],
    a.BeginSession: _asked_allotment,
    a.EndSession: _asked_to_end,
    a.DeductMinimum: lambda table, act: [(e.MinimumDeducted, act.player)],
    a.RecordMispayment: _asked_mispayment,
    a.SetJackpot: lambda table, act: [(e.JackpotSet, act.cents)],
    a.Reconstruct: _asked_again,
    a.Notice: _asked_again,
}
"""What each act that puts money down, or says an amount, must lead to."""
MOVES = frozenset({*ASKED, *LAYS_AGAIN, a.FindInvalidWager})
"""Acts that may not leave all money where it is."""
LAID_BY: dict[type[Act], type[Event]] = {
    a.PlaceWager: e.WagerPlaced,
    a.Double: e.WagerDoubled,
    a.Insure: e.InsurancePlaced,
}
"""What an act leads to that lays one wager."""


# --- what the engine's table and the rulebook say --------------------------------------------------------------------

NOTHING: Stakes = {}
FROM_THE_HOUSE = ("reset", "link")


def cloth(box: Box) -> Stakes:
    """What lies on a box by the engine's table; of a wager that is only written nothing does."""
    found: Stakes = {}
    for player, wager in box.wagers.items():
        if wager.cents:
            found[player, 0] = wager.cents
    for index, hand in enumerate(box.hands):
        for player, wager in hand.wagers.items():
            if not wager.settled and (wager.cents or wager.doubled_cents):
                found[player, index] = wager.cents + wager.doubled_cents
        if hand.matching:
            for player, wager in hand.matching.items():
                found[player, ANSWERING] = wager.cents
    if box.insurance:
        for player, cents in box.insurance.items():
            found[player, INSURANCE] = cents
    if box.side:
        for kind, placed in box.side.items():
            for player, cents in placed.items():
                found[player, kind] = cents
    return found


@lru_cache(maxsize=64)
def odds_of(key: SameRulebook) -> dict[str, frozenset[Odds]]:
    """The odds that a rulebook has for each result."""
    book = key.rulebook
    natural, even = book.game.natural.value, book.settlement.even_money.value
    doubled = book.interim.doubled_odds.value
    found: dict[str, set[Odds]] = {row.name: {row.odds} for row in book.interim.pay_table.value}
    found.setdefault("five-card-trick", {even})
    found[natural] = {book.interim.natural_odds.value, book.settlement.natural_against_other.value}
    for row in book.settlement.natural_against_natural.value:
        found[f"{natural}-{row.name}"] = {row.odds}
    found["doubled"] = {doubled}
    found["higher"] = found["dealer-bust"] = {even, doubled}
    found[INSURANCE] = {book.insurance.odds.value}
    for kind, bet in book.side_bets.items():
        found.update({f"{kind} {row.name}": {row.odds} for row in bet.pays.value})
    return {name: frozenset(odds) for name, odds in found.items()}


def _same(one: dict[str, int], other: dict[str, int]) -> bool:
    """Whether two lists of people agree; whoever has just come stands at zero."""
    return all(one.get(name, 0) == other.get(name, 0) for name in (*one, *other))


def _said(event: Event) -> str:
    return fact(event, "natural")
