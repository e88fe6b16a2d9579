"""A table full of people who do anything: legal and illegal acts at random, all repeatable from one seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pitboss import legal_acts, load, open_table
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.house import BLAZING, DEVICE, SHOE, House, Patron, default_house, offered_side_bets
from pitboss.table.roles import RANK
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table

PEOPLE = ("alice", "bob", "carol", "dave", "erin", "frank")
CENTS = (200, 500, 750, 1000, 1250, 2500, 3300, 10_000, 60_000)
ROLES = tuple(RANK)


def some_house(rulebook: Rulebook, rng: random.Random) -> House:
    """A house that the rulebook lets open."""
    decks = rng.choice(rulebook.cards.decks.value)
    source = rng.choice(rulebook.shuffle.sources.value)
    changes: dict[str, Any] = {
        "decks": decks,
        "source": source,
        "side_bets": offered_side_bets(rulebook, decks, source),
        "boxes": rng.choice(rulebook.boxes.number.value),
        "chips_cents": rng.choice(((100, 250, 500, 2500, 10_000), (500, 2500), (50, 700, 1100), (100,))),
        "multiples": rng.random() < 0.1,
        "jackpot_rate_percent": rng.choice((0, 10)),
        "jackpot_minimum_cents": rng.choice((1_000_000, 2_500_000, 5_000_000)),
    }
    if rulebook.splitting.resplit_by.value != "nobody":
        changes["resplit"] = rng.random() < 0.5
    if rulebook.interim.deferrable_by.value != "nobody":
        changes["deferred"] = rng.random() < 0.15
    if rulebook.cards.face_down.value != "never":
        changes["face_down"] = rng.random() < 0.15
    if rulebook.cards.jokers.value:
        changes["jokers"] = rng.choice((0, 0, 2))
    return default_house(rulebook, **changes)


def some_table(rulebook_id: str, rng: random.Random) -> Table:
    rulebook = load(rulebook_id)
    house = some_house(rulebook, rng)
    players = {}
    if rng.random() < 0.5:
        players = {name: Patron(seat=box) for box, name in enumerate(PEOPLE[: min(4, house.boxes)], start=1)}
    if rng.random() < 0.2:
        players["erin"] = Patron(chips_cents=20_000, loss_limit_cents=15_000)
    return open_table(rulebook, house=house, players=players)


def some_wager(table: Table, rng: random.Random) -> Act:
    kind = rng.choice(("original", "original", *table.house.side_bets))
    cents = rng.choice((250, 500)) if kind == BLAZING else rng.choice(CENTS)
    tokens = 500 if rng.random() < 0.03 else 0
    return a.PlaceWager(
        rng.choice(PEOPLE), rng.randint(1, 8), cents, kind, tokens, unnoticed=kind == "original" and rng.random() < 0.03
    )


def some_floor_act(table: Table, rng: random.Random) -> Act:
    """Something that staff, or a player between rounds, might ask for."""
    name, role, box = rng.choice(PEOPLE), rng.choice(ROLES), rng.randint(1, 7)
    makers: tuple[Callable[[], Act], ...] = (
        lambda: a.TakeSeat(name, box),
        lambda: a.LeaveTable(name),
        lambda: a.WithdrawWager(name, box),
        lambda: a.DeclineControl(name, box),
        lambda: a.SetLimits(
            role, rng.choice((500, 1000)), rng.choice((50_000, 100_000)), notice_minutes=rng.choice((0, 20))
        ),
        lambda: a.GrantMaximum(role, name, 200_000),
        lambda: a.Restrict(role, name, rng.choice(("late-entry", "one-box", "cover-splits")), rng.random() < 0.5),
        lambda: a.LiftRestriction(role, name),
        lambda: a.LimitBoxes(role, name, rng.randint(1, 7)),
        lambda: a.ReserveBoxes(role, name, (box,) if rng.random() < 0.3 else ()),
        lambda: a.CapBox(role, rng.randint(1, 3)),
        lambda: a.RefuseWager(role, name, box),
        lambda: a.OrderShuffle(role, "doubt"),
        lambda: a.ReplaceCards(role),
        lambda: a.AnnounceFinalRounds(role),
        lambda: a.FindWager(role, name, box),
        lambda: a.AllowResplit(role, rng.random() < 0.5, True),
        lambda: a.DeferInterim(role, rng.random() < 0.5),
        lambda: a.DealFaceDown(role, True, rng.random() < 0.3),
        lambda: a.RestrictSideBet(role, "perfect-pairs", True, True, rng.random() < 0.5),
        lambda: a.CallNoMoreBets(),
        lambda: a.ReportJackpotFault(role),
    )
    return rng.choice(makers)()


def some_decision(rng: random.Random) -> Act:
    """Anything that a player might say, in turn or out of turn."""
    kind = rng.choice(
        (a.Hit, a.Stand, a.Double, a.Split, a.Decline, a.Forfeit, a.Keep, a.Surrender, a.Expose, a.Insure)
    )
    name, box = rng.choice(PEOPLE), rng.randint(1, 7)
    if kind is a.Insure:
        return a.Insure(name, box, rng.choice(CENTS))
    if kind is a.Double:
        return a.Double(name, box, rng.choice((None, *CENTS)))
    return kind(name, box)  # type: ignore[no-any-return, call-arg]


def some_notice(table: Table, rng: random.Random, places: tuple[int, ...]) -> a.Notice:
    """Something that is noticed only now."""
    return a.Notice(
        rng.choice(ROLES),
        rng.choice(tuple(a.NOTICED_LATER)),
        card=rng.randint(1, 12),
        decision=rng.randint(1, max(1, len(table.decisions))),
        to=rng.choice((0, *table.boxes)),
        places=places,
        meant=rng.choice(("hit", "hit", "double", "split")),
        during=rng.choice(("", "", "initial-deal", "dealers-hand")),
        rounds=rng.choice((1, 1, 2)),
        reason=rng.choice(("", "somebody saw it")),
    )


def some_mishap(table: Table, rng: random.Random) -> Act:
    """Something that goes wrong, at the right moment or not."""
    name, role, box = rng.choice(PEOPLE), rng.choice(ROLES), rng.randint(1, 7)
    boxes = sorted(table.boxes) or [1]
    places = [*boxes, 0, *boxes]
    if rng.random() < 0.7:
        first, second = rng.randrange(len(places)), rng.randrange(len(places))
        places[first], places[second] = places[second], places[first]
        places = places[: rng.randint(1, len(places))]
    if rng.random() < 0.3:
        places.insert(rng.randrange(len(places) + 1), rng.randint(0, 7))
    swapped = [*boxes, 0, *boxes]
    rng.shuffle(swapped)
    stages = ("initial-deal", "in-turn", "passed", "dealer")
    inside = list(table.stack[table.position :])
    rng.shuffle(inside)
    makers: tuple[Callable[[], Act], ...] = (
        lambda: a.FindFaceUpCard(),
        lambda: a.CheckSource(role),
        lambda: a.DrawInError(rng.random() < 0.5),
        lambda: a.RefuseCard(name, table.turn_box or box),
        lambda: a.ExtraDealerCard(rng.random() < 0.5),
        lambda: a.BurnInError(),
        lambda: a.ForgetBurn(),
        lambda: a.ForgetCut(),
        lambda: a.ForgetShuffle(),
        lambda: a.ForgetDiscards(),
        lambda: a.ForgetInsurance(),
        lambda: a.DealWithoutWagers(rng.randint(1, 5)),
        lambda: a.Misdeal(tuple(places), rng.choice(stages)),
        lambda: a.Misdeal(tuple(places)),
        lambda: a.Misdeal(tuple(swapped), "after-round"),
        lambda: a.LeaveOut(table.turn_box or box, rng.choice(stages), rng.choice(("hit", "double", "split"))),
        lambda: a.Misplace(name, table.turn_box or box, box),
        lambda: a.Reconstruct(role),
        lambda: a.VoidRound(role, "it cannot be rebuilt"),
        lambda: a.VoidEarlierRound(role, rng.choice((1, 1, 2, 3)), "it was found on the recording"),
        lambda: some_notice(table, rng, tuple(swapped)),
        lambda: some_notice(table, rng, tuple(places)),
        lambda: a.FindWrongCards(role, rng.choice(("missing", "foreign"))),
        lambda: a.Confirm(role, rng.choice(("all", "decks", "inspector"))),
        lambda: a.DropCards(role),
        lambda: a.PassOver(
            rng.choice((name, *table.boxes[table.turn_box].line)) if table.turn_box else name, table.turn_box or box
        ),
        lambda: a.ReportMalfunction(
            role,
            tuple(inside[: rng.choice((0, 0, 2))]),
            rng.random() < 0.3,
            rng.random() < 0.5,
            rng.random() < 0.7,
            rng.choice(("shuffle", "cutting-card")),
        ),
        lambda: a.TakeBack(name),
        lambda: a.PlayOn(name),
        lambda: a.ClearJam(tuple(inside)),
        lambda: a.RepairDevice(role),
        lambda: a.FindInvalidWager(role, name, box),
        lambda: a.FindLossExcess(role, name),
        lambda: a.BarPlayer(role, name, "a calculator at the table"),
        lambda: a.InvalidateRound(
            role, rng.choice(("disturbance", "fraud")), (name,) if rng.random() < 0.4 else (), rng.random() < 0.8
        ),
        lambda: a.RecordMispayment(role, name, rng.choice((500, 250_000)), rng.random() < 0.5, rng.random() < 0.5),
        lambda: a.Approve(role),
        lambda: a.BarPlayer(
            role,
            name,
            rng.choice(("a calculator at the table", "rude")),
            rng.random() < 0.3,
            rng.random() < 0.5,
            rng.random() < 0.5,
            rng.choice(("", "device", "rules", "conduct")),
        ),
        lambda: a.RestoreJackpot(role),
        lambda: a.Remind(role, rng.choice((name, "dealer")), rng.choice(("advice", "device", "loss-limit"))),
        lambda: a.PausePlayer(role, "erin"),
        lambda: a.ReadmitPlayer(role, "erin", rng.choice((None, 15_000))),
        lambda: a.VacateSeat(role, name, rng.choice((2, 3))),
        lambda: a.RaiseDispute(name, "a payment"),
        lambda: a.RuleDispute(role, name, "it was right"),
        lambda: a.AskReview(name),
    )
    return rng.choice(makers)()


def next_act(table: Table, rng: random.Random, mishaps: float = 0.0) -> Act:
    """What somebody does next: mostly something legal, so that rounds come to an end."""
    if table.approval_due or table.refund_asked or table.misdealt:
        return some_mishap(table, rng) if rng.random() < 0.2 else rng.choice(legal_acts(table))
    if table.preparation == "shuffle":
        order = list(cards_to_shuffle(table))
        rng.shuffle(order)
        return a.Shuffle(tuple(order), DEVICE if table.house.source == DEVICE else "hand")
    if table.house.source == DEVICE and table.position and rng.random() < 0.05:
        order = list(table.stack[table.position :])
        rng.shuffle(order)
        return a.Mix(tuple(order))
    if rng.random() < 0.04:
        return some_floor_act(table, rng)
    if mishaps and table.error_cards and table.phase == "play" and rng.random() < 0.3:
        return a.RefuseCard(table.boxes[table.turn_box].controller, table.turn_box)
    if mishaps and table.phase == "wagers" and table.boxes and rng.random() < mishaps / 2:
        boxes = sorted(number for number, box in table.boxes.items() if box.wagers)
        places = [*boxes, 0, *boxes]
        rng.shuffle(places)
        return a.Misdeal(tuple(places), "after-round")
    if table.opened is not None and table.opened.places and table.phase == "wagers" and rng.random() < mishaps:
        return a.Reconstruct(rng.choice(ROLES))
    if rng.random() < mishaps:
        return some_mishap(table, rng)
    if rng.random() < 0.15:
        return some_decision(rng)
    if table.phase == "wagers" and table.preparation == "ready" and rng.random() < 0.75:
        return some_wager(table, rng)
    acts = legal_acts(table)
    if not acts:
        return some_wager(table, rng)
    if table.phase == "play" and len(acts) > 2:
        # Standing early keeps rounds short, splitting and doubling are what there is to test.
        weights = [3 if isinstance(act, (a.Split, a.Double)) else 2 for act in acts]
        return rng.choices(acts, weights)[0]
    return rng.choice(acts)


# --- crowded boxes ---------------------------------------------------------------------------------------------------

CROWD = (*PEOPLE, "gina", "hal", "ivy", "jack")
STAFF = ("casino-supervisor", "gaming-manager")


def crowded_table(rulebook_id: str, rng: random.Random) -> Table:
    """A table at which many share few boxes, some with loss limits where the rulebook knows them, some seated."""
    rulebook = load(rulebook_id)
    changes: dict[str, Any] = {"source": rng.choice(rulebook.shuffle.sources.value)}
    if rulebook.splitting.resplit_by.value != "nobody":
        changes["resplit"] = rng.random() < 0.5
    if rulebook.interim.deferrable_by.value != "nobody":
        changes["deferred"] = rng.random() < 0.2
    players = {}
    for name in CROWD:
        if rng.random() < 0.5:
            limit = rng.choice((20_000, 50_000, 120_000)) if rulebook.wagers.loss_limit.value else None
            players[name] = Patron(loss_limit_cents=limit)
    if rng.random() < 0.4:
        players["alice"] = Patron(seat=1)
    return open_table(rulebook, house=default_house(rulebook, **changes), players=players)


def eventful_order(table: Table, rng: random.Random) -> tuple[str, ...]:
    """The cards shuffled so that pairs, sevens and aces come more often than by chance."""
    cards = list(cards_to_shuffle(table))
    rng.shuffle(cards)
    wanted = rng.choice("8A7K52")
    front = [card for card in cards if card[0] == wanted]
    rest = [card for card in cards if card[0] != wanted]
    top = [front.pop() if front and rng.random() < 0.6 else rest.pop() for _ in range(min(40, len(rest)))]
    rest += front
    rng.shuffle(rest)
    return (*top, *rest)


def crowd_mishap(table: Table, rng: random.Random) -> Act:
    """A wager goes, whole or in part, or somebody does not answer: of those who are in the round."""
    names = [name for box in table.boxes.values() for name in box.line] or list(CROWD)
    name, role, box = rng.choice(names), rng.choice(STAFF), rng.randint(1, 2)
    makers: tuple[tuple[int, Callable[[], Act]], ...] = (
        (25, lambda: a.FindWager("dealer", name, box)),
        (20, lambda: a.FindInvalidWager(role, name, box)),
        (15, lambda: a.FindLossExcess(role, name)),
        (12, lambda: a.RecordMispayment(role, name, rng.choice((500, 1500, 9000, 30_000)), False, False)),
        (5, lambda: a.BarPlayer(role, name, "a calculator at the table")),
        (10, lambda: a.PassOver(name, table.turn_box or box)),
        (6, lambda: a.ReportMalfunction(role, (), rng.random() < 0.1, False, True, "shuffle")),
        (4, lambda: a.ForgetInsurance()),
        (3, lambda: a.DrawInError(True)),
        (3, lambda: a.RefuseCard(name, table.turn_box or box)),
        (2, lambda: a.VoidRound(role, "it cannot be rebuilt")),
        (1, lambda: a.InvalidateRound(role, "disturbance")),
    )
    return rng.choices([make for _, make in makers], [weight for weight, _ in makers])[0]()


def crowd_act(table: Table, rng: random.Random) -> Act:
    """What somebody does next where boxes are shared; things go wrong mostly while a sharer is being asked."""
    if table.approval_due or table.refund_asked or table.misdealt:
        return rng.choice(legal_acts(table))
    if table.preparation == "shuffle":
        return a.Shuffle(eventful_order(table, rng), DEVICE if table.house.source == DEVICE else "hand")
    asking = any(hand.asking for box in table.boxes.values() for hand in box.hands)
    if table.phase != "wagers" and rng.random() < (0.45 if asking else 0.12):
        return crowd_mishap(table, rng)
    if table.phase == "wagers" and table.preparation == "ready" and rng.random() < 0.75:
        free = [name for name in CROWD if name not in table.players or not table.players[name].barred]
        slips = rng.random() < 0.2
        kind = "original" if slips else rng.choice(("original",) * 4 + tuple(table.house.side_bets))
        cents = rng.choice((200, 60_000, 110_000) if slips else (500, 1000, 2000, 30_000))
        return a.PlaceWager(rng.choice(free or CROWD), rng.randint(1, 2), cents, kind, unnoticed=slips)
    acts = legal_acts(table)
    if not acts:
        return crowd_mishap(table, rng)
    weights = [4 if isinstance(act, (a.Split, a.Double, a.Surrender)) else 2 for act in acts]
    return rng.choices(acts, weights)[0]


__all__ = ["DEVICE", "PEOPLE", "SHOE", "crowd_act", "crowded_table", "next_act", "some_table"]
