"""Errors planted into real rounds: one event or one posting of them is made wrong, and the round is played on.

Rounds come from the records in `tests/rounds`. What is wrong is made systematically, for each kind of event that moves
money: each amount, each name of an account in it, the event left out, said twice, and each line of its postings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pitboss import load, open_table, play
from pitboss.basics.money import Odds
from pitboss.ledger import Breach, Guard
from pitboss.ledger.postings import POST, Posting, postings
from pitboss.records import read, replay
from pitboss.records.replay import open_record
from pitboss.table import acts as a
from pitboss.table.apply import evolve
from pitboss.table.events import Event, WagerReturned
from pitboss.table.house import default_house
from pitboss.table.session import SessionTerms
from pitboss.table.state import Table
from pitboss.tournament.allowed import rulebook_for
from tests.books import DOCUMENTS

ROUNDS = Path(__file__).parents[1] / "rounds"
A_KIND = 4
"""Rounds into which each kind of error is planted."""
OTHER = "mallory"
RARE = re.compile(r" buys | over the loss limit|underpaid|overpaid|jackpot|declares|reconstructs|tokens|7s 7s|bars ")
"""Records that are always among them; of the others one in six."""

AMOUNTS = ("cents", "wager_cents", "paid_cents", "lost_cents", "returned_cents", "to_jackpot_cents", "from_pool_cents",
           "added_cents", "token_cents", "doubled_cents", "chip_cents")  # fmt: skip


@dataclass(frozen=True)
class Round:
    """One record: where it starts, and what was done."""

    name: str
    table: Table
    steps: tuple[tuple[a.Act, tuple[Event, ...]], ...]

    def places(self, kind: type[Event]) -> list[tuple[int, int]]:
        """Where events of a kind stand: step and number in it."""
        return [(s, n) for s, (_, events) in enumerate(self.steps) for n, ev in enumerate(events) if type(ev) is kind]


@cache
def rounds() -> tuple[Round, ...]:
    found = []
    for number, path in enumerate(sorted(ROUNDS.rglob("*.round"))):
        if number % 6 and not RARE.search(path.read_text()):
            continue
        record = read(path)
        result = replay(record)
        if result.ok:
            steps = tuple((step.act, step.events) for step in result.steps if step.refusal is None)
            found.append(Round(path.stem, open_record(record), steps))
    return (*found, *chips_and_float(), *sessions())


def sessions() -> Iterator[Round]:
    """Rounds of a tournament: chips allotted and returned, wagers in writing and made up, and deductions."""
    for rulebook, cents in product(("nsw-pontoon", "nsw-blackjack-challenge"), (5000, 10000)):
        book = rulebook_for(load(rulebook))
        house = default_house(book, tournament=True, counted=True, side_bets=())
        seats = {1: "alice", 2: "bob", 3: "cleo"}
        terms = SessionTerms("heat", seats, 100_000, 2500, 50_000, undisclosed=2, held={"bob": 90_000})
        table = start = open_table(book, house=house, cards="9h 9d 8s 7h Kd Kh Ks 9s 8h 7d 9c Qh Qd 8c", any_cards=True)
        steps = []
        for act in (
            a.BeginSession("casino-supervisor", terms),
            a.HandInForm("alice", "original", cents),
            a.ExamineForm("gaming-supervisor", "alice"),
            a.PlaceWager("bob", 2, 1000, unnoticed=True),
            a.DeductMinimum("dealer", "cleo"),
            a.FindWager("dealer", "bob", 2),
            a.Deal(),
            a.Stand("alice", 1),
            a.Stand("bob", 2),
            a.HandInForm("alice", "original", 2 * cents),
            a.ExamineForm("gaming-supervisor", "alice"),
            a.PlaceWager("bob", 2, 1500, unnoticed=True),
            a.DeductMinimum("dealer", "cleo"),
            a.Deal(),
            a.FindWager("dealer", "bob", 2),
            a.Stand("alice", 1),
            a.Stand("bob", 2),
            a.EndSession("casino-supervisor"),
        ):
            table, events = play(table, act)
            steps.append((act, events))
        yield Round(f"{rulebook}-session-{cents}", start, tuple(steps))


def chips_and_float() -> Iterator[Round]:
    """What records seldom tell: chips changed, tokens, fills and credits, between two wagers."""
    for rulebook in DOCUMENTS:
        tokens = load(rulebook).wagers.tokens_by.value != "nobody"
        for number, cents in enumerate((1000, 2500), start=1):
            acts: list[a.Act] = [
                a.BuyChips("alice", cents),
                a.PlaceWager("alice", 1, cents),
                a.ChangeColour("alice", cents, 500),
                *([a.IssueTokens("dealer", "alice", cents)] if tokens else []),
                a.FillFloat("casino-supervisor", 100 * cents),
                a.PlaceWager("bob", 2, cents),
                a.CreditFloat("casino-supervisor", 50 * cents),
            ]
            table = start = open_table(rulebook, cards="")
            steps = []
            for act in acts:
                table, events = play(table, act)
                steps.append((act, events))
            yield Round(f"{rulebook}-chips-{number}", start, tuple(steps))
            yield _counted(rulebook, number, cents)


def _counted(rulebook: str, number: int, cents: int) -> Round:
    """Chips that are brought, taken away and cashed, where they are counted."""
    table = start = open_table(rulebook, cards="", house=default_house(load(rulebook), counted=True))
    steps = []
    for act in (
        a.BringChips("alice", 4 * cents),
        a.PlaceWager("alice", 1, cents),
        a.TakeChips("alice", cents),
        a.CashChips("casino-supervisor", "alice", cents),
        a.WithdrawWager("alice", 1),
        a.LeaveTable("alice"),
    ):
        table, events = play(table, act)
        steps.append((act, events))
    return Round(f"{rulebook}-counted-{number}", start, tuple(steps))


@cache
def with_event(kind: type[Event]) -> tuple[Round, ...]:
    return tuple(each for each in rounds() if each.places(kind))


# --- wrong events ----------------------------------------------------------------------------------------------------

Wrong = Callable[[Any, Table], "tuple[Any, ...] | None"]
"""What stands in place of an event; None where it cannot be made wrong in this way."""


def stands_on_the_box(event: Any) -> bool:
    """Whether it is about an optional wager, which lies on the box and on no hand."""
    return isinstance(event, WagerReturned) and event.kind not in ("original", "insurance") and event.hand in (-1, 0)


def amount(field: str, change: Callable[[int], int]) -> Wrong:
    def wrong(event: Any, table: Table) -> tuple[Any, ...] | None:
        old = getattr(event, field)
        new = change(old)
        return (replace(event, **{field: new}),) if new != old else None

    return wrong


def other(field: str, value: Callable[[Any, Table], Any]) -> Wrong:
    def wrong(event: Any, table: Table) -> tuple[Any, ...] | None:
        new = value(event, table)
        return (replace(event, **{field: new}),) if new != getattr(event, field) else None

    return wrong


def neighbour(event: Any, table: Table) -> str:
    """Somebody else who is at the table, or nobody who is."""
    return next((name for name in table.net if name != event.player), OTHER)


CHANGES: dict[str, Callable[[int], int]] = {
    "a dollar more": lambda cents: cents + 100,
    "a cent less": lambda cents: cents - 1,
    "twice": lambda cents: 2 * cents,
    "nothing": lambda cents: 0,
    "the other sign": lambda cents: -cents,
}


def wrong_events(kind: type[Event]) -> dict[str, Wrong]:
    """Every way in which an event of this kind can be wrong."""
    fields = kind.__struct_fields__
    found: dict[str, Wrong] = {}
    for field in AMOUNTS:
        if field in fields:
            found.update({f"{field}: {name}": amount(field, change) for name, change in CHANGES.items()})
    if "player" in fields:
        found["another player"] = other("player", neighbour)
        found["a stranger"] = other("player", lambda event, table: OTHER)
    if "box" in fields:
        found["another box"] = other("box", lambda event, table: event.box % table.house.boxes + 1)
    if "hand" in fields:
        found["another hand"] = other("hand", lambda event, table: event.hand + (not stands_on_the_box(event)))
    if "odds" in fields:
        found["other odds"] = other(
            "odds", lambda event, table: event.odds and Odds(event.odds.wins + 1, event.odds.on)
        )
        if "paid_cents" in fields:
            found["other odds, paid at them"] = _better_paid
    if "kind" in fields:
        found["another kind of wager"] = other("kind", lambda event, table: "perfect-pairs")
    found["left out"] = lambda event, table: ()
    found["twice over"] = lambda event, table: (event, event)
    return found


def _better_paid(event: Any, table: Table) -> tuple[Any, ...]:
    odds = Odds(event.odds.wins * 2, event.odds.on)
    return (replace(event, odds=odds, paid_cents=2 * event.paid_cents),)


def found_by(each: Round, step: int, number: int, wrong: Wrong) -> str | None:
    """By which check an error in this place is found before the round is over: "" where it is not, None where there
    is no error to be made."""
    table, guard = each.table, Guard()
    for index, (act, events) in enumerate(each.steps):
        if index == step:
            before = evolve(table, events[:number])
            instead = wrong(events[number], before)
            if instead is None or not postings(events[number]):  # where no money moves, none moves wrongly
                return None
            events = (*events[:number], *instead, *events[number + 1 :])
        try:
            after = evolve(table, events)
        except (KeyError, IndexError, StopIteration, AssertionError, ValueError):
            return "engine"
        breach = guard.check(table, after, events, act)
        if breach is not None:
            return breach.check if index >= step else "too early"
        table = after
    return ""


# --- wrong postings --------------------------------------------------------------------------------------------------


def wrong_postings() -> dict[str, Callable[[Any, Any], Any]]:
    """Every way in which the postings of an event can be wrong."""
    return {
        "a line left out": lambda lines, ev: lines[1:],
        "a line twice": lambda lines, ev: (*lines, lines[-1]),
        "a cent too much in one line": lambda lines, ev: ((lines[0][0], lines[0][1] + 1), *lines[1:]),
        "a dollar too much, balanced": lambda lines, ev: (*lines, (lines[0][0], -100), (lines[1][0], 100)),
        "the wrong way round": lambda lines, ev: tuple((account, -cents) for account, cents in lines),
        "nothing posted": lambda lines, ev: (),
        "posted twice": lambda lines, ev: (*lines, *lines),
        "somebody else's account": lambda lines, ev: _renamed(lines, "player:", f"player:{OTHER}"),
        "another box": lambda lines, ev: _renamed(lines, "box:", "box:9"),
        "the drop for the float": lambda lines, ev: _renamed(lines, "float", "drop"),
        "the house for the float": lambda lines, ev: _renamed(lines, "float", "house"),
        "the float for the jackpot": lambda lines, ev: _renamed(lines, "jackpot", "float"),
        "chips as tokens": lambda lines, ev: _renamed(lines, "player:", f"tokens:{getattr(ev, 'player', OTHER)}"),
        "tokens as chips": lambda lines, ev: _renamed(lines, "tokens:", f"player:{getattr(ev, 'player', OTHER)}"),
        "the cage for the drop": lambda lines, ev: _renamed(lines, "cage", "drop"),
        "the float for the promotion": lambda lines, ev: _renamed(lines, "promotion", "float"),
        "the float for the drop": lambda lines, ev: _renamed(lines, "drop", "float"),
    }


def _renamed(lines: tuple[Posting, ...], prefix: str, name: str) -> tuple[Posting, ...]:
    return tuple((name if account.startswith(prefix) else account, cents) for account, cents in lines)


def found_posted(each: Round, kind: type[Event], wrong: Callable[[Any, Any], Any]) -> str | None:
    """By which check it is found where every event of this kind is posted wrongly; as `found_by`."""
    right = POST[kind]
    changed = False

    def posted(event: Any) -> Any:
        nonlocal changed
        lines = right(event)
        new = wrong(lines, event) if lines else lines
        changed = changed or sorted(new) != sorted(lines)
        return new

    POST[kind] = posted
    try:
        table, guard = each.table, Guard()
        for act, events in each.steps:
            after = evolve(table, events)
            breach = guard.check(table, after, events, act)
            if breach is not None:
                return breach.check
            table = after
        return "" if changed else None
    finally:
        POST[kind] = right


def planted(kind: type[Event]) -> Iterator[tuple[str, str, list[str]]]:
    """Each way of being wrong with the checks that found it: ("WagerPaid", "paid_cents: twice", ["odds", ...])."""
    sample = with_event(kind)
    name = kind.__name__
    for way, wrong in wrong_events(kind).items():
        found: list[str] = []
        for each in sample:
            step, number = each.places(kind)[0]
            check = found_by(each, step, number, wrong)
            if check is not None:
                found.append(check)
            if len(found) == A_KIND:
                break
        if found:
            yield name, way, found
    for way, wrong_lines in wrong_postings().items():
        found = []
        for each in sample:
            check = found_posted(each, kind, wrong_lines)
            if check is not None:
                found.append(check)
            if len(found) == A_KIND:
                break
        if found:
            yield name, f"posting: {way}", found


def holds(each: Round) -> Breach | None:
    """What the guard says of a round in which nothing is wrong."""
    table, guard = each.table, Guard()
    for act, events in each.steps:
        after = evolve(table, events)
        breach = guard.check(table, after, events, act)
        if breach is not None:
            return breach
        table = after
    return None
