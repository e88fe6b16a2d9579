"""What a table needs by its rulebook: markings, inscriptions, equipment, signs and notices, each with its clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from pitboss.basics.money import dollars
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.meanings import BONUS_FOR_EACH_PLAYER, SOURCE_AT_THE_LEFT, WORDS_ARE_FREE
from pitboss.rulebooks.phrases import row_name
from pitboss.rulebooks.terms import Rulebook, Term

JACKPOT = "blazing-7s"
NAMES = {
    "perfect-pairs": "Perfect Pairs",
    "any-pairs": "Any Pairs",
    "star-pairs": "Star Pairs",
    JACKPOT: "Blazing 7s",
}
Kind = Literal["place", "area", "inscription", "equipment", "sign", "notice"]
SHAPES = ("circle", "oval", "rectangle")
WORDINGS = ("full", "short")


class LayoutError(ValueError):
    """Something that the document does not allow, or a table that cannot be drawn; one sentence."""


class Setup(msgspec.Struct, frozen=True):
    """What a house has chosen for one table."""

    boxes: int
    side_bets: tuple[str, ...] = ()
    source: str = "shoe"
    minimum_cents: int = 500
    maximum_cents: int = 50_000
    old_minimum_cents: int = 0
    """The minimum that players who were there before may keep; 0 where there is none."""
    side_limits: dict[str, tuple[int, int]] = {}
    cash: bool = True
    """Whether cash is changed at the table."""
    pre_shuffled: bool = False
    compulsory_pairs: bool = False
    shape: str = ""
    """Of the boxes; empty for the usual one."""
    inscription: str = "full"
    """Which of two wordings the inscriptions have."""
    diagram: str = ""
    """Which of the document's drawings it follows, by what it shows; empty for the one that is most like it."""


class Item(msgspec.Struct, frozen=True):
    """One thing that is to be there."""

    kind: Kind
    name: str
    text: str
    """What is lettered, shown or told; of a thing what it is."""
    clauses: tuple[str, ...]
    prescribed: bool = True
    """False where the document leaves it to the house."""
    lines: tuple[str, ...] = ()
    """The lines of a sign."""


def setup_for(book: Rulebook, setup: Setup) -> Setup:
    """The same with its shape; raises `LayoutError` where the document does not allow what was chosen."""
    terms = book.layout
    if setup.shape and setup.shape not in SHAPES:
        raise LayoutError(f"no shape {setup.shape!r}. Known: {', '.join(SHAPES)}.")
    if setup.shape and setup.shape not in terms.box_shapes.value:
        raise LayoutError(_no(book, terms.box_shapes, f"a box is a {' or '.join(terms.box_shapes.value)}."))
    if setup.diagram and setup.diagram not in terms.diagrams.value:
        known = ", ".join(terms.diagrams.value) or "none"
        raise LayoutError(_no(book, terms.diagrams, f"no diagram {setup.diagram!r}. The document has: {known}."))
    if setup.inscription not in WORDINGS:
        raise LayoutError(f"no inscription {setup.inscription!r}. Known: {', '.join(WORDINGS)}.")
    if setup.inscription != WORDINGS[0] and not WORDS_ARE_FREE[terms.words.value]:
        raise LayoutError(_no(book, terms.words, f"{terms.words.in_words}: there is one wording only."))
    shape = setup.shape or (terms.box_shapes.value or SHAPES)[0]
    return msgspec.structs.replace(setup, shape=shape)


def _no(book: Rulebook, term: Term[object], text: str) -> str:
    return f"{book.name} {cite(term.clauses)}: {text}"


# --- what is lettered ------------------------------------------------------------------------------------------------


def inscriptions(book: Rulebook, wording: str = "full") -> tuple[Item, ...]:
    """What is lettered on the cloth; where the document prescribes nothing, what a house letters there anyway."""
    terms, natural = book.layout, book.game.natural.value.capitalize()
    short = wording == "short"
    pays = "" if short else "pays "
    said: dict[str, tuple[str, tuple[str, ...]]] = {
        "natural-pays": (f"{natural} {pays}{book.interim.natural_odds.value}", book.interim.natural_odds.clauses),
        "dealer-stands": (_dealer_stands(book, short=short), book.dealer.hard_stand.clauses),
    }
    if book.insurance.offered.value:
        said["insurance-pays"] = (f"Insurance {pays}{book.insurance.odds.value}", book.insurance.odds.clauses)
    prescribed = terms.inscriptions.value
    said.update({name: (NAMES[name], terms.inscriptions.clauses) for name in prescribed if name in NAMES})
    return tuple(
        Item("inscription", name, text, (prescribed[name],) if name in prescribed else clauses, name in prescribed)
        for name, (text, clauses) in said.items()
    )


def _dealer_stands(book: Rulebook, *, short: bool) -> str:
    hard, soft = book.dealer.hard_stand.value, book.dealer.soft_stand.value
    if hard != soft:
        return f"Dealer {'stands' if short else 'must stand'} on hard {hard} or soft {soft}"
    return (
        f"Dealer stands on {hard}, draws to {hard - 1}"
        if short
        else (f"Dealer must stand on {hard} and must draw to {hard - 1}")
    )


# --- everything ------------------------------------------------------------------------------------------------------

EQUIPMENT = {
    "discard-rack": "discard rack",
    "surrender-buttons": "surrender buttons",
    "float-tray": "float tray",
    "drop-box": "drop box",
    "recorder": "equipment that records the wagers on the jackpot",
    "sensors": "a sensor for the jackpot at every box",
    "shuffling-device": "a shuffling device, as there is a jackpot",
}
NOTICES = {
    "placement": "You answer for where your wagers lie and that your instructions are followed.",
    "within-limits": "Keep your wagers within the limits on the sign.",
    "no-advice": "Nobody, at the table or behind it, advises a player who has not asked.",
    "no-private-wagers": "No wagers among players or with onlookers.",
    "exempt-from-device-ban": "The ban on devices does not bind staff, agents and inspectors on duty.",
}


def needed(book: Rulebook, setup: Setup) -> tuple[Item, ...]:
    """Everything that this table needs, in the order of the document's chapters."""
    return tuple(_needed(book, setup_for(book, setup)))


def _needed(book: Rulebook, setup: Setup) -> Iterator[Item]:
    terms = book.layout
    if terms.opposite.value:
        yield Item("place", "opposite", "players on one side, the dealer on the other", terms.opposite.clauses)
    yield from _areas(book, setup)
    for item in inscriptions(book, setup.inscription):
        if item.name not in NAMES or item.name in setup.side_bets:
            yield item
    yield from _equipment(book, setup)
    yield from _signs(book, setup)
    yield from told_by_notice(book)


def _areas(book: Rulebook, setup: Setup) -> Iterator[Item]:
    areas = book.layout.areas
    for name, clause in areas.value.items():
        if name == "boxes":
            yield Item("area", name, f"{setup.boxes} boxes", (clause, *book.boxes.number.clauses[:1]))
        elif name == "insurance":
            yield Item("area", name, "insurance line", (clause,))
        elif name in setup.side_bets:
            yield Item("area", name, f"a spot for {NAMES[name]} at every box", (clause,))


def _equipment(book: Rulebook, setup: Setup) -> Iterator[Item]:
    terms = book.layout
    for name, clause in terms.equipment.value.items():
        if name == "card-source":
            side = " at the dealer's left" if SOURCE_AT_THE_LEFT[terms.source_place.value] else ""
            clauses = (clause, *(terms.source_place.clauses if side else ()))
            yield Item("equipment", setup.source, f"{_source(setup.source)}{side}", clauses)
        elif name != "drop-box" or setup.cash:
            decks = f" for {terms.rack_decks.value} decks" if name == "discard-rack" and terms.rack_decks.value else ""
            yield Item("equipment", name, EQUIPMENT[name] + decks, (clause,))
    if JACKPOT in setup.side_bets:
        for name, clause in terms.jackpot_equipment.value.items():
            own = "jackpot-device" if name == "shuffling-device" else name
            yield Item("equipment", own, EQUIPMENT[name], (clause, *terms.jackpot_equipment.clauses))


def _source(source: str) -> str:
    return {"shoe": "card shoe", "shuffling-device": "shuffling device"}.get(source, source)


def _signs(book: Rulebook, setup: Setup) -> Iterator[Item]:
    for name, clause in book.layout.signs.value.items():
        lines = _lines(book, setup, name)
        if lines:
            yield Item("sign", name, _TITLES[name], (clause,), lines=lines)


_TITLES = {
    "limits": "Limits",
    "multiples": "Multiples",
    "two-minimums": "Limits for who was here before",
    "pay-table": "What 21 pays",
    "pairs-amount": "Wagers on pairs",
    "pairs-limits": "Perfect Pairs limits",
    "jackpot-amount": "Jackpot wager",
    "pre-shuffled": "Pre-shuffled cards",
    "compulsory-pairs": "Perfect Pairs",
}


def _lines(book: Rulebook, setup: Setup, name: str) -> tuple[str, ...]:
    """What stands on a sign; nothing where this table needs none of the kind."""
    pairs = [kind for kind in setup.side_bets if kind != JACKPOT]
    if name == "limits":
        return (f"{dollars(setup.minimum_cents)} to {dollars(setup.maximum_cents)}",)
    if name == "multiples":
        return ("Any amount from the", "minimum up, as chips can make it.")
    if name == "two-minimums":
        kept = setup.old_minimum_cents
        return (f"{dollars(kept)} to {dollars(setup.maximum_cents)}",) if kept else ()
    if name == "pay-table":
        rows = (f"{_on_the_sign(row.name)}: {row.odds}" for row in book.interim.pay_table.value)
        return (*rows, f"doubled hands: {book.interim.doubled_odds.value}", *_super_bonus(book))
    if name in ("pairs-amount", "pairs-limits"):
        return tuple(f"{NAMES[kind]} {_range(setup, kind)}" for kind in pairs)
    if name == "jackpot-amount":
        amounts = " or ".join(dollars(cents) for cents in book.blazing_7s.amounts_cents.value)
        return (f"{NAMES[JACKPOT]} {amounts}",) if JACKPOT in setup.side_bets else ()
    if name == "pre-shuffled":
        told = ("The cards come shuffled. Ask and they are", "shuffled; else they are only cut.")
        return told if setup.pre_shuffled else ()
    told = ("Whoever plays here wagers on", "Perfect Pairs as well.")
    return told if setup.compulsory_pairs and pairs else ()


def _super_bonus(book: Rulebook) -> tuple[str, ...]:
    bonus = book.super_bonus
    if not bonus.offered.value:
        return ()
    steps = (bonus.small_from_cents, bonus.small_cents), (bonus.large_from_cents, bonus.large_cents)
    prizes = (f"Super Bonus from {dollars(least.value)}: {dollars(prize.value)}" for least, prize in steps)
    whom = (
        "each other player" if bonus.others.value and BONUS_FOR_EACH_PLAYER[bonus.others.value] else "each other wager"
    )
    others = (f"{whom} in that round: {dollars(bonus.others_cents.value)}",) if bonus.others.value else ()
    barred = " or ".join(bonus.not_on.value)
    return (*prizes, *others, *((f"no bonus on hands {barred}",) if barred else ()))


def _on_the_sign(row: str) -> str:
    """The last row of the schedule is of all other winning wagers, 21 or not."""
    return "any other win" if row == "other" else row_name(row)


def told_by_notice(book: Rulebook) -> tuple[Item, ...]:
    """What the notice at the table tells players."""
    return tuple(
        Item("notice", name, NOTICES.get(name) or _approval(book), (clause,))
        for name, clause in book.layout.notices.value.items()
    )


def _approval(book: Rulebook) -> str:
    return f"These rules: {book.game.document.value}, {book.game.edition.value}."


def _range(setup: Setup, kind: str) -> str:
    least, most = setup.side_limits.get(kind, (setup.minimum_cents, setup.maximum_cents))
    return f"{dollars(least)} to {dollars(most)}"


def diagram(book: Rulebook, setup: Setup) -> tuple[str, tuple[str, ...]] | None:
    """The document's own drawing that this table is most like: what it shows, and its clause."""
    known = book.layout.diagrams.value
    fitting = [kind for kind in known if kind in setup.side_bets]
    name = setup.diagram or (fitting[-1] if fitting else "plain")
    return (name, (known[name],)) if name in known else None
