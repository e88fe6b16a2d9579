"""Sessions that nobody thought out: players, staff and chance do what is open to them, some of it not allowed."""

from __future__ import annotations

import random
from collections.abc import Callable

from pitboss.basics.cards import Card
from pitboss.records.lines import KINDS, MEANS, RESTRICTIONS
from pitboss.records.saving import Recorder
from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.engine import open_table
from pitboss.table.house import DEVICE, House, Patron, default_house, refuse_house
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refused
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table

PLAYERS = ("alice", "bob", "carol", "dave")
STAFF = ("dealer", "casino-supervisor", "assistant-gaming-manager", "gaming-manager", "shift-manager")


def session(rulebook: str, seed: int, rounds: int = 4) -> Recorder:
    """Some rounds of play at a table that chance has furnished."""
    chance = random.Random(f"{rulebook} {seed}")
    table = open_table(rulebook, house=_house(rulebook, chance), players=_players(chance))
    recorder = Recorder(table)
    ended = 0
    for _ in range(80 * rounds):
        before = recorder.table.shoe_round, recorder.table.phase
        act = _next_act(recorder.table, chance)
        try:
            recorder.play(act)
        except Refused:
            continue
        if before[1] != "wagers" and recorder.table.phase == "wagers":
            ended += 1
        if ended == rounds:
            break
    finish(recorder, chance)
    return recorder


def finish(recorder: Recorder, chance: random.Random) -> None:
    """Play the round to its end."""
    for _ in range(500):
        if recorder.table.phase == "wagers":
            return
        try:
            recorder.play(needed(recorder.table, chance))
        except Refused:
            continue
    raise AssertionError(f"the round does not end: {waiting_for(recorder.table)}")


def _house(rulebook: str, chance: random.Random) -> House:
    book = load(rulebook)
    while True:
        decks = chance.choice(book.cards.decks.value)
        changes: dict[str, object] = {"decks": decks, "source": chance.choice(book.shuffle.sources.value)}
        for key, value in (
            ("chips_cents", (250, 500, 2500)),
            ("minimum_cents", 200),
            ("jokers", 3),
            ("resplit", True),
            ("deferred", True),
            ("face_down", True),
            ("multiples", True),
            ("jackpot_rate_percent", 10),
            ("jackpot_linked", True),
            ("side_limits", {"perfect-pairs": (100, 5000)}),
            ("player_maximum_cents", 40000),
        ):
            if chance.random() < 0.15:
                changes[key] = value
        house = default_house(book, **changes)
        if refuse_house(book, house) is None:
            return house


def _players(chance: random.Random) -> dict[str, Patron]:
    players: dict[str, Patron] = {}
    boxes = chance.sample(range(1, 6), 4)
    for name, box in zip(PLAYERS, boxes, strict=True):
        if chance.random() < 0.5:
            players[name] = Patron(
                seat=box if chance.random() < 0.6 else None,
                chips_cents=chance.choice((None, None, 20000)),
                loss_limit_cents=chance.choice((None, None, 30000)),
                deposit_limit_cents=chance.choice((None, 50000)),
                recognised=chance.random() < 0.2,
                restricted_before=chance.random() < 0.2,
            )
    return players


def _next_act(table: Table, chance: random.Random) -> AnyAct:
    roll = chance.random()
    if roll < 0.04:
        return _floor_act(chance)
    if roll < 0.08:
        return _stray_act(chance)
    if table.phase == "wagers" and table.preparation == "ready" and roll < 0.75:
        return _wager(chance)
    return needed(table, chance)


def needed(table: Table, chance: random.Random) -> AnyAct:
    """Something that the table waits for."""
    what = waiting_for(table).what
    if what == "shuffle":
        return a.Shuffle(_mixed(cards_to_shuffle(table), chance), chance.choice(MEANS))
    if what == "jackpot":
        return a.PayJackpot(2_500_000, 2_000_000)
    if table.house.source == DEVICE and chance.random() < 0.3:
        return a.Mix(_mixed(table.stack[table.position :], chance))
    open_acts = legal_acts(table)
    if not open_acts:
        return _wager(chance)
    act = chance.choice(open_acts)
    if isinstance(act, a.Double) and chance.random() < 0.5:
        return a.Double(act.player, act.box, chance.choice((100, 250, 500)))
    return act  # type: ignore[return-value]


def _mixed(cards: tuple[Card, ...], chance: random.Random) -> tuple[Card, ...]:
    order = list(cards)
    chance.shuffle(order)
    return tuple(order)


def _wager(chance: random.Random) -> AnyAct:
    player, box = chance.choice(PLAYERS), chance.randint(1, 5)
    cents = chance.choice((500, 500, 1000, 1250, 2500, 2750, 10000, 300))
    if chance.random() < 0.25:
        return a.PlaceWager(player, box, chance.choice((250, 500, 300)), chance.choice(KINDS))
    tokens = 500 if chance.random() < 0.05 else 0
    return a.PlaceWager(player, box, cents, token_cents=min(tokens, cents), unnoticed=chance.random() < 0.1)


def _stray_act(chance: random.Random) -> AnyAct:
    """What a player may say at the wrong moment."""
    player, box = chance.choice(PLAYERS), chance.randint(1, 8)
    makers: list[Callable[[], AnyAct]] = [
        lambda: a.TakeSeat(player, box),
        lambda: a.LeaveTable(player),
        lambda: a.WithdrawWager(player, box),
        lambda: a.WithdrawWager(player, box, "perfect-pairs"),
        lambda: a.DeclineControl(player, box),
        lambda: a.Expose(player, box),
        lambda: a.Insure(player, box, 500),
        lambda: a.Surrender(player, box),
        lambda: a.Hit(player, box),
        lambda: a.Stand(player, box),
        lambda: a.Double(player, box),
        lambda: a.Split(player, box),
        lambda: a.Decline(player, box),
        lambda: a.Forfeit(player, box),
        lambda: a.Keep(player, box),
        lambda: a.DeclineCut(player),
        lambda: a.Cut(player, 60),
        lambda: a.BuyChips(player, 5000),
        a.CallNoMoreBets,
        a.Deal,
        a.CloseInsurance,
        a.CloseSurrender,
        lambda: a.PlaceCuttingCard(60),
    ]
    return chance.choice(makers)()


def _floor_act(chance: random.Random) -> AnyAct:
    """What staff may order, allowed or not."""
    player, box, by = chance.choice(PLAYERS), chance.randint(1, 5), chance.choice(STAFF)
    kind, yes = chance.choice(KINDS), chance.random() < 0.5
    makers: list[Callable[[], AnyAct]] = [
        lambda: a.SetLimits(by, chance.choice((500, 1000)), 50000, notice_minutes=chance.choice((0, 30))),
        lambda: a.SetLimits(by, 100, 5000, kind),
        lambda: a.GrantMaximum(by, player, 200000, chance.choice((None, 1000))),
        lambda: a.Restrict(by, player, chance.choice(RESTRICTIONS), yes),
        lambda: a.LiftRestriction(by, player),
        lambda: a.LimitBoxes(by, player, chance.randint(1, 3)),
        lambda: a.ReserveBoxes(by, player, chance.choice(((), (box,)))),
        lambda: a.CapPlayers(by, chance.choice((0, 4))),
        lambda: a.CapBox(by, chance.choice((2, 3))),
        lambda: a.RefuseWager(by, player, box),
        lambda: a.RestrictSideBet(by, kind, yes, True, lift=chance.random() < 0.3),
        lambda: a.RequireSideBet(by, kind, yes),
        lambda: a.AllowResplit(by, yes, True),
        lambda: a.DeferInterim(by, yes),
        lambda: a.DealFaceDown(by, True, yes),
        lambda: a.OrderShuffle(by, "the cards clump"),
        lambda: a.ReplaceCards(by),
        lambda: a.AnnounceFinalRounds(by),
        lambda: a.FindWager(by, player, box),
        lambda: a.ReportJackpotFault(by),
        lambda: a.SetJackpot(6_000_000),
    ]
    return chance.choice(makers)()
