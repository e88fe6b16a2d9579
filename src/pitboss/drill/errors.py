"""The errors that can be planted in a told round: each only where it makes sense, and with the clause it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from pitboss.basics.cards import point_total
from pitboss.basics.money import Odds, payable_up
from pitboss.chance import Chance
from pitboss.drill.dealing import Dealt
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import events as e
from pitboss.table.events import DEALER, Event
from pitboss.table.house import DEVICE
from pitboss.table.state import Table


@dataclass(slots=True, eq=False)
class Item:
    """One event of the round as it will be told."""

    event: Event
    before: Table
    """The table before the event."""
    touched: bool = False
    """An error was planted here: no other may be."""


@dataclass(slots=True)
class Change:
    """One alteration of the round: these items become those."""

    items: list[Item]
    """The whole round after the change."""
    wrong: list[Item]
    """Where it shows."""
    said: list[Item]
    """What is told wrongly; empty where something is missing."""
    should: list[Event]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of error."""

    name: str
    title: str
    level: str
    """easy: planted on both levels; hard: only on the hard one."""
    applies: Callable[[Rulebook], bool]
    """Whether the rulebook's game can have it at all."""
    find: Callable[[list[Item]], list[Any]]
    """Where it can be planted."""
    plant: Callable[[list[Item], Any, Chance], Change | None]


def _always(book: Rulebook) -> bool:
    return True


def _of(items: Iterable[Item], *types: type[Event]) -> list[Item]:
    return [item for item in items if isinstance(item.event, types) and not item.touched]


def _replaced(items: list[Item], item: Item, event: Event) -> Change:
    """One line altered, the rest untouched."""
    new = Item(event, item.before, True)
    place = items.index(item)
    return Change([*items[:place], new, *items[place + 1 :]], [new], [new], [item.event], item.event.clauses)


def _without(items: list[Item], gone: list[Item], clauses: tuple[str, ...]) -> Change | None:
    """Lines that are missing; the one that comes in their place is where it shows."""
    place = items.index(gone[-1]) + 1
    if place >= len(items) or items[place].touched:
        return None
    left = [item for item in items if not any(item is each for each in gone)]
    items[place].touched = True
    return Change(left, [items[place]], [], [item.event for item in gone], clauses)


# --- payments --------------------------------------------------------------------------------------------------------

PAID = (e.WagerPaid, e.SideBetPaid, e.InsurancePaid)


def _other_odds(item: Item, chance: Chance) -> Odds:
    """Odds that the same game pays for something else."""
    book = item.before.rulebook
    event: Any = item.event
    known = {book.interim.natural_odds.value, Odds(1, 1), Odds(2, 1)}
    known |= {row.odds for row in book.interim.pay_table.value}
    if isinstance(event, e.SideBetPaid):
        known = {row.odds for row in book.side_bets[event.kind].pays.value} | {Odds(5, 1), Odds(10, 1)}
    return chance.choice(sorted((odds for odds in known if odds != event.odds), key=lambda odds: (odds.wins, odds.on)))


def _wrong_odds(items: list[Item], item: Item, chance: Chance) -> Change | None:
    event: Any = item.event
    odds = _other_odds(item, chance)
    chips = item.before.house.chips_cents
    paid = payable_up(event.wager_cents * odds.wins // odds.on, chips)
    if paid == event.paid_cents:
        return None
    return _replaced(items, item, replace(event, odds=odds, paid_cents=paid))


def _wrong_amount(items: list[Item], item: Item, chance: Chance) -> Change | None:
    """The odds are right and the chips are not."""
    event: Any = item.event
    smallest = min(item.before.house.chips_cents)
    step = max(smallest, event.wager_cents // 5 // smallest * smallest)
    paid = event.paid_cents + (step if chance.below(2) or event.paid_cents <= step else -step)
    return _replaced(items, item, replace(event, paid_cents=paid))


def _settled(items: list[Item]) -> list[Item]:
    """Wagers of the final settlement, lost, won or stood off, and optional wagers that won."""
    found = []
    for item in _of(items, e.WagerStoodOff, e.WagerPaid, e.WagerCollected, e.SideBetPaid):
        event: Any = item.event
        final = isinstance(event, e.WagerPaid) and event.settlement == "final" and event.result == "higher"
        even = isinstance(event, (e.WagerStoodOff, e.WagerCollected)) and event.reason in ("tie", "lower")
        if final or even or isinstance(event, e.SideBetPaid):
            found.append(item)
    return found


def _wrong_collect(items: list[Item], item: Item, chance: Chance) -> Change:
    """What won or stood off is taken, and what lost is left."""
    event: Any = item.event
    if isinstance(event, e.WagerCollected):
        wrong: Event = e.WagerStoodOff(event.clauses, event.box, event.hand, event.player, event.cents, "tie")
    elif isinstance(event, e.SideBetPaid):
        wrong = e.SideBetCollected(event.clauses, event.box, event.player, event.kind, event.wager_cents)
    else:
        cents = event.cents if isinstance(event, e.WagerStoodOff) else event.wager_cents
        wrong = e.WagerCollected(event.clauses, event.box, event.hand, event.player, cents, "lower")
    return _replaced(items, item, wrong)


def _busts(items: list[Item]) -> list[Item]:
    return [item for item in _of(items, e.WagerCollected) if getattr(item.event, "reason", "") == "bust"]


def _missed_collect(items: list[Item], item: Item, chance: Chance) -> Change | None:
    return _without(items, [item], item.event.clauses)


def _half(items: list[Item], item: Item, chance: Chance) -> Change:
    """The whole wager is taken from whoever surrendered."""
    event: Any = item.event
    return _replaced(items, item, replace(event, lost_cents=event.lost_cents + event.returned_cents, returned_cents=0))


def _early_21s(items: list[Item]) -> list[list[Item]]:
    """The payments of one 21 that is paid while the round goes on, where something still comes after it."""
    found: dict[tuple[int, int], list[Item]] = {}
    for item in _of(items, e.WagerPaid):
        event: Any = item.event
        if event.settlement == "interim":
            found.setdefault((event.box, event.hand), []).append(item)
    good = []
    for paid in found.values():
        after = items[items.index(paid[-1]) + 1 :]
        comes = any(isinstance(item.event, (e.TurnCame, e.HandHit, e.DealerFinished)) for item in after)
        together = items.index(paid[-1]) - items.index(paid[0]) == len(paid) - 1
        if comes and together and isinstance(after[-1].event, e.RoundEnded):
            good.append(paid)
    return good


def _late(items: list[Item], paid: list[Item], chance: Chance) -> Change | None:
    """Paid at the end and not at once."""
    place = items.index(paid[-1]) + 1
    gap, end = items[place], items[-1]
    if gap.touched or end.touched or any(item.touched for item in paid):
        return None
    gap.touched = True
    late = [Item(replace(item.event, settlement="final"), item.before, True) for item in paid]
    left = [item for item in items[:-1] if not any(item is each for each in paid)]
    return Change([*left, *late, end], [gap, *late], late, [item.event for item in paid], paid[0].event.clauses)


# --- offers and forgotten steps --------------------------------------------------------------------------------------


def _offers(offered: type[Event], closed: type[Event]) -> Callable[[list[Item]], list[list[Item]]]:
    """Offers that nobody took up: the lines from the offer to its close."""

    def find(items: list[Item]) -> list[list[Item]]:
        for place, item in enumerate(items):
            if isinstance(item.event, offered):
                end = next((n for n in range(place, len(items)) if isinstance(items[n].event, closed)), place)
                block = items[place : end + 1]
                free = not any(each.touched for each in block)
                return [block] if end == place + 1 and free else []
        return []

    return find


def _burns(items: list[Item]) -> list[list[Item]]:
    burned = _of(items, e.CardBurned)
    return [burned] if burned else []


def _omitted(items: list[Item], gone: list[Item], chance: Chance) -> Change | None:
    return _without(items, gone, gone[0].event.clauses)


# --- cards -----------------------------------------------------------------------------------------------------------


def _initial(items: list[Item]) -> list[tuple[Item, Item]]:
    """Neighbouring cards of the initial deal."""
    first = next((n for n, item in enumerate(items) if isinstance(item.event, e.CardDealt)), len(items))
    cards = []
    for item in items[first:]:
        if not isinstance(item.event, e.CardDealt):
            break
        cards.append(item)
    return [(one, two) for one, two in pairwise(cards) if not one.touched and not two.touched]


def _swapped(items: list[Item], pair: tuple[Item, Item], chance: Chance) -> Change:
    one, two = pair
    place = items.index(one)
    new = [Item(two.event, two.before, True), Item(one.event, one.before, True)]
    return Change([*items[:place], *new, *items[place + 2 :]], new, new, [one.event, two.event], one.event.clauses)


def _drawn_cards(items: list[Item]) -> list[Item]:
    """Cards for a box while another box has an unfinished hand of its own."""
    found = []
    for item in _of(items, e.CardDealt):
        event: Any = item.event
        if event.box != DEALER and not event.face_down and _others(item):
            found.append(item)
    return found


def _others(item: Item) -> list[int]:
    event: Any = item.event
    return [
        number
        for number, box in item.before.boxes.items()
        if number != event.box
        and box.hands
        and box.hands[0].cards
        and not all(w.settled for w in box.hands[0].wagers.values())
    ]


def _wrong_box(items: list[Item], item: Item, chance: Chance) -> Change | None:
    event: Any = item.event
    box = chance.choice(_others(item))
    total, soft = point_total((*item.before.boxes[box].hands[0].cards, event.card))
    return _replaced(items, item, replace(event, box=box, hand=0, total=total, soft=soft))


def _finished(items: list[Item]) -> list[Item]:
    return [item for item in _of(items, e.DealerFinished) if item.before.position < len(item.before.stack)]


def _needless(items: list[Item], item: Item, chance: Chance) -> Change:
    """The dealer draws once more although nothing asks for it."""
    table = item.before
    event: Any = item.event
    card = table.stack[table.position]
    total, soft = point_total((*table.dealer_cards, card))
    clauses = table.compiled.no_card if event.result == "no-card" else table.compiled.dealer_draws
    new = Item(e.CardDealt(clauses, DEALER, 0, card, total, soft), table, True)
    place = items.index(item)
    item.touched = True
    return Change([*items[:place], new, *items[place:]], [new], [new], [event], clauses)


def _wrong_total(items: list[Item], item: Item, chance: Chance) -> Change:
    event: Any = item.event
    total = event.total + (1 if chance.below(2) else -1)
    return _replaced(items, item, replace(event, total=total))


def _burns_somewhere(book: Rulebook) -> bool:
    counts = {"shoe": book.shuffle.burn_shoe.value, DEVICE: book.shuffle.burn_device.value}
    return any(counts[source] for source in book.shuffle.sources.value)


KINDS: tuple[Kind, ...] = (
    Kind(
        "forgotten-burn", "the burn was forgotten", "easy", _burns_somewhere, _burns, _omitted
    ),
    Kind(
        "missed-insurance", "insurance was not offered", "easy",
        lambda book: book.insurance.offered.value, _offers(e.InsuranceOffered, e.InsuranceClosed), _omitted,
    ),
    Kind(
        "missed-surrender", "surrender was not offered", "easy",
        lambda book: book.surrender.offered.value, _offers(e.SurrenderOffered, e.SurrenderClosed), _omitted,
    ),
    Kind("wrong-order", "the cards were dealt in the wrong order", "easy", _always, _initial, _swapped),
    Kind("card-to-wrong-box", "a card went to the wrong box", "easy", _always, _drawn_cards, _wrong_box),
    Kind("needless-dealer-card", "the dealer drew a needless card", "easy", _always, _finished, _needless),
    Kind(
        "wrong-odds", "a wager was paid at the wrong odds", "easy", _always,
        lambda items: _of(items, *PAID), _wrong_odds,
    ),
    Kind("wrong-collect", "a wager was settled the wrong way", "easy", _always, _settled, _wrong_collect),
    Kind(
        "wrong-amount", "the amount paid was wrong", "hard", _always, lambda items: _of(items, *PAID), _wrong_amount
    ),
    Kind("missed-collect", "a losing wager was not collected", "hard", _always, _busts, _missed_collect),
    Kind("late-21", "a 21 was paid late", "hard", _always, _early_21s, _late),
    Kind(
        "wrong-total", "the wrong total was announced", "hard", _always,
        lambda items: _of(items, e.TurnCame), _wrong_total,
    ),
    Kind(
        "wrong-surrender", "more than half was taken for a surrender", "hard",
        lambda book: book.surrender.offered.value, lambda items: _of(items, e.SurrenderSettled), _half,
    ),
)  # fmt: skip

BY_NAME = {kind.name: kind for kind in KINDS}


def kinds_for(book: Rulebook, level: str) -> tuple[Kind, ...]:
    """What can be planted in this game on this level."""
    return tuple(kind for kind in KINDS if kind.applies(book) and (level == "hard" or kind.level == "easy"))


def items_of(dealt: Dealt) -> list[Item]:
    return [Item(event, table) for event, table in zip(dealt.events, dealt.before, strict=True)]
