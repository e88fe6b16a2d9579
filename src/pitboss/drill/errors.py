"""The errors that can be planted in a told round: each only where it makes sense, and with the clause it breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from pitboss.basics.cards import Card, point_total
from pitboss.basics.money import Odds, payable_up
from pitboss.chance import Chance
from pitboss.drill.dealing import Dealt, gone_on
from pitboss.drill.following import (
    CARD,
    EXTRA,
    INSURANCE,
    LATE,
    MONEY,
    PLACED,
    SURRENDER,
    TOTAL,
    UNBURNED,
    UNCOLLECTED,
    Follows,
)
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import events as e
from pitboss.table.apply import evolve
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
    accepted: tuple[str, ...] = ()
    """Clauses that name the error as well."""
    follows: Follows | None = None
    """What happens next at this place, where that is not as for the kind."""


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
    follows: Follows
    """What happens next, by the rulebook."""


def _story(items: list[Item], place: int, wrong: list[Event], chance: Chance) -> list[Item] | None:
    """The round with these events at a place in stead of what should come there, and on from the table they leave.

    None where an error has been planted behind that place.
    """
    if any(item.touched for item in items[place:]):
        return None
    table, new = items[place].before, []
    for event in wrong:
        new.append(Item(event, table, True))
        table = evolve(table, (event,))
    return [*items[:place], *new, *(Item(*each) for each in gone_on(table, chance))]


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
    change = _replaced(items, item, replace(event, odds=odds, paid_cents=paid))
    change.accepted = _odds_clauses(item)
    return change


def _odds_clauses(item: Item) -> tuple[str, ...]:
    """Where the odds stand: the rows of the tables that such a wager is paid by, and what is said of them."""
    book = item.before.rulebook
    event: Any = item.event
    if isinstance(event, e.SideBetPaid):
        pays = book.side_bets[event.kind].pays
        return (*pays.clauses, *(clause for row in pays.value for clause in row.clauses))
    if isinstance(event, e.InsurancePaid):
        return book.insurance.odds.clauses
    rows = (*book.interim.pay_table.value, *book.settlement.natural_against_natural.value)
    terms = (book.interim.pay_table, book.interim.natural_odds, book.interim.doubled_odds, book.settlement.even_money)
    cited = [clause for term in terms for clause in term.clauses]
    return (*cited, *(clause for row in rows for clause in row.clauses))


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
    cleared = [gap] if isinstance(gap.event, e.CardsCleared) else []
    moved = [*paid, *cleared]
    left = [item for item in items[:-1] if not any(item is each for each in moved)]
    shows = items[place + len(cleared)]
    if shows.touched or shows is end:
        return None
    shows.touched = True
    new = [*left, *late, *cleared, end]
    return Change(new, [shows, *late], late, [item.event for item in paid], paid[0].event.clauses)


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


def _burns(items: list[Item]) -> list[int]:
    return [place for place, item in enumerate(items) if isinstance(item.event, e.CardBurned)][:1]


def _unburned(items: list[Item], place: int, chance: Chance) -> Change | None:
    """What should have been burned is dealt."""
    burned: list[Event] = [item.event for item in items if isinstance(item.event, e.CardBurned)]
    table = evolve(items[place].before, (e.BurnForgotten(burned[0].clauses),))
    if any(item.touched for item in items[place:]):
        return None
    rest = [Item(*each) for each in gone_on(table, chance)]
    rest[0].touched = True
    return Change([*items[:place], *rest], [rest[0]], [], burned, burned[0].clauses)


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


def _swapped(items: list[Item], pair: tuple[Item, Item], chance: Chance) -> Change | None:
    """The next card goes to the second place, and the one after it to the first."""
    one, two = pair
    first: Any = one.event
    second: Any = two.event
    place = items.index(one)
    wrong = [_dealt_to(one.before, second, first.card)]
    wrong.append(_dealt_to(evolve(one.before, wrong), first, second.card))
    new = _story(items, place, list(wrong), chance)
    if new is None:
        return None
    shown = new[place : place + 2]
    return Change(new, shown, shown, [one.event, two.event], one.event.clauses)


def _dealt_to(table: Table, to: Any, card: Card) -> e.CardDealt:
    """A card for the place to which another was due."""
    held = table.dealer_cards if to.box == DEALER else table.boxes[to.box].hands[to.hand].cards
    total, soft = point_total((*held, card))
    return e.CardDealt(to.clauses, to.box, to.hand, card, total, soft, to.face_down)


def _drawn_cards(items: list[Item]) -> list[Item]:
    """Cards for a box while another box has an unfinished hand of its own."""
    found = []
    for item in _of(items, e.CardDealt):
        event: Any = item.event
        if event.box != DEALER and not event.face_down and _others(item):
            found.append(item)
    return found


def _others(item: Item) -> list[int]:
    """Boxes that still wait for their turn and where the card does not at once decide the hand."""
    event: Any = item.event
    return [
        number
        for number, box in item.before.boxes.items()
        if number > event.box
        and len(box.hands) == 1
        and 0 < len(box.hands[0].cards) < 3
        and not box.hands[0].done
        and point_total((*box.hands[0].cards, event.card))[0] < 21
    ]


def _wrong_box(items: list[Item], item: Item, chance: Chance) -> Change | None:
    event: Any = item.event
    box = chance.choice(_others(item))
    place = items.index(item)
    new = _story(items, place, [_dealt_to(item.before, replace(event, box=box, hand=0), event.card)], chance)
    if new is None:
        return None
    if any(isinstance(each.event, e.TurnCame) for each in items[:place]):
        return Change(new, [new[place]], [new[place]], [event], event.clauses, follows=PLACED)
    shown = [new[place], *_late_for(items[place + 1 :], new[place + 1 :])]
    should = [each.event for each in items[place : place + len(shown)]]
    return Change(new, shown, shown, should, event.clauses)


def _late_for(right: list[Item], told: list[Item]) -> Iterator[Item]:
    """The cards after one that went too far, up to where the initial deal is in its order again."""
    for due, came in zip(right, told, strict=False):
        one, other = due.event, came.event
        if not isinstance(one, e.CardDealt) or not isinstance(other, e.CardDealt) or one.box == other.box:
            return
        came.touched = True
        yield came


def _finished(items: list[Item]) -> list[Item]:
    return [item for item in _of(items, e.DealerFinished) if _needless_cards(item)]


def _needless_cards(item: Item) -> list[Event]:
    """What a dealer draws who goes on: one card to a hand that stands, or up to a standing total where none was due."""
    table = item.before
    event: Any = item.event
    if event.result not in ("stood", "no-card") or (event.result == "no-card" and len(table.dealer_cards) > 1):
        return []
    clauses = table.compiled.no_card if event.result == "no-card" else table.compiled.dealer_draws
    drawn: list[Event] = []
    while True:
        to = e.CardDealt(clauses, DEALER, 0, "", 0, False)
        drawn.append(_dealt_to(table, to, table.stack[table.position]))
        table = evolve(table, drawn[-1:])
        stands = table.compiled.soft_stand if table.dealer_soft else table.compiled.hard_stand
        if event.result == "stood" or table.dealer_total >= stands:
            return drawn


def _needless(items: list[Item], item: Item, chance: Chance) -> Change | None:
    """The dealer draws although nothing asks for it, says the total as ever, and settles by it."""
    event: Any = item.event
    drawn = _needless_cards(item)
    place = items.index(item)
    table = item.before
    for card in drawn:
        table = evolve(table, (card,))
    said: list[Event] = list(drawn)
    if event.result == "no-card":
        result = "natural" if table.dealer_natural else "bust" if table.dealer_total > 21 else "stood"
        said.append(e.DealerFinished(table.compiled.dealer_draws, table.dealer_total, result))
    if event.result == "no-card":
        left = items[place + 1 :]
        if any(each.touched for each in left):
            return None
        new = [*items[:place], *(Item(each, item.before, True) for each in said), *left]
    else:
        going_on = _story(items, place, said, chance)
        if going_on is None:
            return None
        new = going_on
    after: list[Any] = [each.event for each in new[place:]]
    shown = [each for each, what in zip(new[place:], after, strict=True) if isinstance(what, e.CardDealt)]
    for each in shown:
        each.touched = True
    return Change(new, shown, shown, [event], drawn[0].clauses)


def _wrong_total(items: list[Item], item: Item, chance: Chance) -> Change:
    event: Any = item.event
    total = event.total + (1 if chance.below(2) else -1)
    return _replaced(items, item, replace(event, total=total))


def _burns_somewhere(book: Rulebook) -> bool:
    counts = {"shoe": book.shuffle.burn_shoe.value, DEVICE: book.shuffle.burn_device.value}
    return any(counts[source] for source in book.shuffle.sources.value)


KINDS: tuple[Kind, ...] = (
    Kind(
        "forgotten-burn", "the burn was forgotten", "easy", _burns_somewhere, _burns, _unburned, UNBURNED
    ),
    Kind(
        "missed-insurance", "insurance was not offered", "easy",
        lambda book: book.insurance.offered.value, _offers(e.InsuranceOffered, e.InsuranceClosed), _omitted, INSURANCE,
    ),
    Kind(
        "missed-surrender", "surrender was not offered", "easy",
        lambda book: book.surrender.offered.value, _offers(e.SurrenderOffered, e.SurrenderClosed), _omitted, SURRENDER,
    ),
    Kind("wrong-order", "the cards were dealt in the wrong order", "easy", _always, _initial, _swapped, CARD),
    Kind("card-to-wrong-box", "a card went to the wrong box", "easy", _always, _drawn_cards, _wrong_box, CARD),
    Kind("needless-dealer-card", "the dealer drew a needless card", "easy", _always, _finished, _needless, EXTRA),
    Kind(
        "wrong-odds", "a wager was paid at the wrong odds", "easy", _always,
        lambda items: _of(items, *PAID), _wrong_odds, MONEY,
    ),
    Kind("wrong-collect", "a wager was settled the wrong way", "easy", _always, _settled, _wrong_collect, MONEY),
    Kind(
        "wrong-amount", "the amount paid was wrong", "hard", _always,
        lambda items: _of(items, *PAID), _wrong_amount, MONEY,
    ),
    Kind("missed-collect", "a losing wager was not collected", "hard", _always, _busts, _missed_collect, UNCOLLECTED),
    Kind("late-21", "a 21 was paid late", "hard", _always, _early_21s, _late, LATE),
    Kind(
        "wrong-total", "the wrong total was announced", "hard", _always,
        lambda items: _of(items, e.TurnCame), _wrong_total, TOTAL,
    ),
    Kind(
        "wrong-surrender", "more than half was taken for a surrender", "hard",
        lambda book: book.surrender.offered.value, lambda items: _of(items, e.SurrenderSettled), _half, MONEY,
    ),
)  # fmt: skip

BY_NAME = {kind.name: kind for kind in KINDS}


def kinds_for(book: Rulebook, level: str) -> tuple[Kind, ...]:
    """What can be planted in this game on this level."""
    return tuple(kind for kind in KINDS if kind.applies(book) and (level == "hard" or kind.level == "easy"))


def items_of(dealt: Dealt) -> list[Item]:
    return [Item(*each) for each in dealt.told]
