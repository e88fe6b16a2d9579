"""Opening a table as somebody chose it on the command line; what the rules do not allow is refused by its clause."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.basics.cards import JOKER, Card, CardError, parse_cards
from pitboss.basics.money import MoneyError, dollars, parse_cents
from pitboss.rulebooks import RULEBOOKS, amend, load, vary
from pitboss.rulebooks.amend import layers_named
from pitboss.rulebooks.editions import SHORT, is_digest
from pitboss.rulebooks.editions import edition as edition_of
from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import OPTIONAL_WAGERS
from pitboss.table.house import House, default_house, refuse_house
from pitboss.table.refusals import Refusal, Refused

CARDS_MAX = 1000
LIKE = 0.6
"""How like a known name a word must be to be taken for it."""


class ChoiceError(ValueError):
    """A choice on the command line that cannot be read: what it was, and what would be right."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a house may choose; None is what a table has when nobody says.

    Parameters
    ----------
    decks
        How many decks.
    source
        shoe or shuffling-device.
    minimum
        The minimum original wager, in dollars.
    maximum
        The maximum, in dollars.
    unit
        The unit for amounts above the minimum.
    multiples
        Wagers must be multiples of the minimum.
    player_maximum
        The maximum for one player over all boxes.
    side_bets
        Optional wagers on offer, as in perfect-pairs,any-pairs, or none; by default all that the rules allow.
    required
        Optional wagers that every player must place.
    resplit
        The gaming manager lets players split again.
    chips
        Denominations in the float, as in 1,2.50,5,25,100.
    layout
        How many boxes the layout has.
    jokers
        Promotional jokers in the cards.
    low_limit
        Make it a low-limit table.
    face_down
        Deal the first two cards face down, with approval.
    deferred
        Hold payments for 21 until the final settlement, with approval.
    jackpot
        The current jackpot, in dollars.
    jackpot_minimum
        The amount the jackpot resets to, in dollars.
    jackpot_rate
        Percent of each jackpot wager that goes to the jackpot.
    date
        The gaming date, as in 2024-08-18: rules that came into force later do not apply.
    patrons
        Who may play: anyone, or book for people in the patrons' book.
    """

    decks: int | None = None
    source: str | None = None
    minimum: str | None = None
    maximum: str | None = None
    unit: str | None = None
    multiples: bool = False
    player_maximum: str | None = None
    side_bets: str | None = None
    required: str | None = None
    resplit: bool = False
    chips: str | None = None
    layout: int | None = None
    jokers: int = 0
    low_limit: bool = False
    face_down: bool = False
    deferred: bool = False
    jackpot: str | None = None
    jackpot_minimum: str | None = None
    jackpot_rate: int = 0
    date: str | None = None
    patrons: str | None = None


def find_rulebook(name: str) -> str:
    """The id of a rulebook, written in any case; raises `ChoiceError` with the nearest one."""
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in RULEBOOKS:
        return wanted
    raise ChoiceError(f"no rulebook {short(name)!r}. {nearest(wanted, RULEBOOKS)}")


def nearest(word: str, known: Sequence[str]) -> str:
    """The names that come nearest, as a sentence; where none does, all of them."""
    import difflib  # only a mistake pays for the import

    def likeness(name: str) -> float:
        parts = (name, *name.split("-"))
        return max(
            1.0 if name.startswith(word) else difflib.SequenceMatcher(None, word, part).ratio() for part in parts
        )

    likely = {name: likeness(name) for name in known} if word and len(word) < 100 else {}
    best = max(likely.values(), default=0.0)
    found = [name for name, ratio in likely.items() if ratio == best and best >= LIKE]
    return f"Did you mean {' or '.join(found)}?" if found else f"Known: {', '.join(known)}."


def short(text: str, longest: int = 40) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def choose_rulebook(
    name: str, changes: Sequence[str] = (), amendments: Sequence[str] = (), edition: str | None = None
) -> Rulebook:
    """The rulebook in an edition, with amendments, and with the study variant that ``term=value`` changes make."""
    document = choose_edition(find_rulebook(name), edition)
    rulebook = amend(document, *layers_named(document, amendments)) if amendments else document
    if not changes:
        return rulebook
    values: dict[str, Any] = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise ChoiceError(f"--set {short(change)!r}: write a term and its value, as in dealer.soft_stand=17")
        values[key.strip()] = _value(value.strip())
    return vary(rulebook, values)


def choose_edition(rulebook_id: str, digest: str | None) -> Rulebook:
    """The document as it is shipped, or in the edition whose digest begins so."""
    if digest is None:
        return load(rulebook_id)
    if not is_digest(digest.strip().lower()):
        raise ChoiceError(f"--edition {short(digest)!r}: write at least {SHORT} digits of an edition's digest")
    return edition_of(rulebook_id, digest.strip().lower())


def _value(text: str) -> Any:
    """A value as ``terms.toml`` writes it; quotes around a word may be left out."""
    if len(text) > 2000 or text.count("[") > 20 or text.count("{") > 20:
        raise ChoiceError(f"--set: {short(text)!r} is too long for a value")
    try:
        found = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return text
    return found["value"] if list(found) == ["value"] else text


def choose_house(rulebook: Rulebook, choices: Choices) -> House:
    """The house as chosen; raises `Refused` with the clause where the rulebook does not let it be chosen."""
    changes: dict[str, Any] = {
        "resplit": choices.resplit,
        "multiples": choices.multiples,
        "jokers": _within("--jokers", choices.jokers, 0, 52),
        "low_limit": choices.low_limit,
        "face_down": choices.face_down,
        "deferred": choices.deferred,
        "jackpot_rate_percent": _within("--jackpot-rate", choices.jackpot_rate, 0, 100),
    }
    for name, option, text in (
        ("minimum_cents", "--minimum", choices.minimum),
        ("maximum_cents", "--maximum", choices.maximum),
        ("unit_cents", "--unit", choices.unit),
        ("player_maximum_cents", "--player-maximum", choices.player_maximum),
        ("jackpot_cents", "--jackpot", choices.jackpot),
        ("jackpot_minimum_cents", "--jackpot-minimum", choices.jackpot_minimum),
    ):
        if text is not None:
            changes[name] = amount(option, text)
    if choices.decks is not None:
        changes["decks"] = choices.decks
    if choices.source is not None:
        changes["source"] = choices.source
    if choices.layout is not None:
        changes["boxes"] = choices.layout
    if choices.side_bets is not None:
        changes["side_bets"] = _kinds("--side-bets", choices.side_bets, rulebook)
    if choices.required is not None:
        changes["required"] = _kinds("--required", choices.required, rulebook)
    if choices.chips is not None:
        changes["chips_cents"] = _chips(choices.chips)
    if choices.date is not None:
        changes["date"] = _date(choices.date)
    if choices.patrons is not None:
        changes["patrons"] = choices.patrons
    house = default_house(rulebook, **changes)
    if choices.minimum is None and house.minimum_cents > house.maximum_cents:
        house = default_house(rulebook, **changes, minimum_cents=house.maximum_cents)
    elif choices.maximum is None and house.minimum_cents > house.maximum_cents:
        house = default_house(rulebook, **changes, maximum_cents=house.minimum_cents)
    refused = refuse_house(rulebook, house) or _refuse_jackpot(rulebook, house, choices)
    if refused is not None:
        raise Refused(refused)
    return house


def _refuse_jackpot(rulebook: Rulebook, house: House, choices: Choices) -> Refusal | None:
    """A jackpot chosen where the game has none, or one below what it resets to."""
    blazing = rulebook.blazing_7s
    if not blazing.offered.value:
        if choices.jackpot is None and choices.jackpot_minimum is None and not choices.jackpot_rate:
            return None
        return Refusal(rulebook.name, blazing.offered.clauses, "the rulebook has no jackpot.")
    if choices.jackpot is not None and house.jackpot_cents < house.jackpot_minimum_cents:
        text = f"the jackpot cannot stand at {dollars(house.jackpot_cents)}, below its minimum of "
        return Refusal(rulebook.name, blazing.resets.clauses, f"{text}{dollars(house.jackpot_minimum_cents)}.")
    return None


def amount(option: str, text: str) -> int:
    try:
        return parse_cents(text.strip())
    except MoneyError as error:
        raise ChoiceError(f"{option}: {error}") from None


def _within(option: str, number: int, least: int, most: int) -> int:
    if not least <= number <= most:
        raise ChoiceError(f"{option} is from {least} to {most}, not {number}")
    return number


def _kinds(option: str, text: str, rulebook: Rulebook) -> tuple[str, ...]:
    """Names of optional wagers; whether the rulebook has them is for `refuse_house` to say."""
    names = tuple(word for word in text.lower().replace(",", " ").split() if word not in ("none", "no"))
    for name in names:
        if name not in OPTIONAL_WAGERS:
            raise ChoiceError(f"{option}: no optional wager {short(name)!r}. {nearest(name, OPTIONAL_WAGERS)}")
    if len(set(names)) < len(names):
        raise ChoiceError(f"{option} names an optional wager twice")
    return names


def _chips(text: str) -> tuple[int, ...]:
    chips = tuple(amount("--chips", word) for word in text.replace(",", " ").split())
    if not 1 <= len(chips) <= 30 or min(chips) < 1 or min(chips) > 1_000_000:
        raise ChoiceError("--chips: write 1 to 30 denominations, as in 1,2.50,5,25,100")
    return chips


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        raise ChoiceError(f"--date: {short(text)!r} is not a date, write it as in 2024-08-19") from None


def arranged_cards(text: str, house: House) -> tuple[Card, ...]:
    """The cards of an arranged shoe; raises `ChoiceError` where they cannot be read or are more than a shoe holds.

    One that does not belong to the decks plays as in a record: the rules decide when it appears (NSW pontoon 17.16).
    """
    if len(text) > 4 * CARDS_MAX:
        raise ChoiceError(f"--cards: more than {CARDS_MAX} cards, no shoe holds as many")
    try:
        cards = parse_cards(text.replace(",", " "))
    except CardError as error:
        raise ChoiceError(f"--cards: {error}") from None
    if not cards:
        raise ChoiceError("--cards: there is no card in it, write some as in 6s 9h 5d Kc")
    if cards.count(JOKER) > house.jokers:
        raise ChoiceError(f"--cards: more jokers than the {house.jokers} that --jokers puts in the cards")
    return cards


def own_boxes(text: str, house: House) -> tuple[int, ...]:
    """The boxes that somebody plays, as in ``1,3``."""
    words = text.replace(",", " ").split()
    numbers = [int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 0 for word in words]
    for word, number in zip(words, numbers, strict=True):
        if not 1 <= number <= house.boxes:
            raise ChoiceError(f"--boxes: {short(word)!r} is not a box: the layout has boxes 1 to {house.boxes}")
    if not numbers or len(set(numbers)) < len(numbers):
        raise ChoiceError("--boxes: name each box once, as in 1,3")
    return tuple(sorted(numbers))
