"""`pitboss side-bets`: what every optional wager is worth, as exact fractions."""

from __future__ import annotations

import json as jsonlib
from fractions import Fraction
from typing import Any

from pitboss.basics.money import dollars, parse_cents
from pitboss.commands import rulebook_id
from pitboss.commands.options import RulebookId, ShoeLeft
from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import Shoe
from pitboss.maths.side_bets import SideBetValue
from pitboss.maths.side_bets import side_bets as values_of
from pitboss.rulebooks.terms import Rulebook

FINE = 0


def side_bets(
    rulebook: RulebookId,
    *,
    decks: int | None = None,
    shoe: ShoeLeft = None,
    jackpot: str | None = None,
    json: bool = False,
) -> int:
    """Give the exact value of the optional wagers.

    For a fresh shoe, or for exactly the cards that are left. Values are for each unit wagered; a negative value favours
    the house. Without --decks and --shoe, every number of decks that the rulebook allows is shown.

    Parameters
    ----------
    decks
        How many decks; by default, as many as a table opens with.
    jackpot
        The jackpot in dollars; without it, each value it may reset to.
    json
        Print one JSON object, keyed by wager.
    """
    book = known_rulebook(rulebook_id(rulebook))
    cents = None if jackpot is None else parse_cents(jackpot)
    if shoe is not None:
        cards = Shoe.of_cards(book, shoe, decks)
    else:
        cards = Shoe.of_decks(book, decks)
    number = decks if decks is not None else None if shoe is not None else book.cards.decks_default.value
    found = values_of(book, cards, decks=number, jackpot_cents=cents)
    by_decks: dict[int, dict[str, SideBetValue]] = {}
    if decks is None and shoe is None:
        for count in book.cards.decks.value:
            by_decks[count] = values_of(book, Shoe.of_decks(book, count), decks=count, jackpot_cents=cents)
    if json:
        print(jsonlib.dumps({name: _as_json(value, by_decks) for name, value in found.items()}, ensure_ascii=False))
    else:
        _print(book, cards, found, by_decks)
    return FINE


def _as_json(value: SideBetValue, by_decks: dict[int, dict[str, SideBetValue]]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ev": float(value.ev),
        "ev_exact": str(value.ev),
        "house_edge": float(-value.ev),
        "hit_frequency": float(value.hit_chance),
        "hit_frequency_exact": str(value.hit_chance),
        "offered": value.offered,
        "wins": {
            win.name: {
                "pays": win.text,
                "frequency": float(win.chance),
                "frequency_exact": str(win.chance),
                "contribution": float(win.chance * win.pays),
            }
            for win in value.wins
        },
    }
    if value.given:
        told["given"] = value.given
    if value.wager_cents:
        told["wager_cents"] = value.wager_cents
    if value.jackpot_cents:
        told["jackpot_cents"] = value.jackpot_cents
    if value.break_even_jackpot_cents is not None:
        told["break_even_jackpot_cents"] = float(value.break_even_jackpot_cents)
        told["break_even_jackpot_cents_exact"] = str(value.break_even_jackpot_cents)
    if value.variants:
        told["variants"] = [_as_json(variant, {}) for variant in value.variants]
    if by_decks:
        told["by_decks"] = {
            str(count): {"ev": float(bet.ev), "ev_exact": str(bet.ev), "offered": bet.offered}
            for count, found in by_decks.items()
            for bet in (found[value.name],)
        }
    return told


def _print(
    book: Rulebook, shoe: Shoe, found: dict[str, SideBetValue], by_decks: dict[int, dict[str, SideBetValue]]
) -> None:
    print(f"{book.name}, {shoe.description}: value of each unit wagered (negative: the house's edge)")
    for name, value in found.items():
        print()
        print(f"{name}{'' if value.offered else ' (not offered with this many decks)'}")
        for variant in (value, *value.variants):
            print(f"  {_label(variant):<58}{_percent(variant.ev):>11}  {_short(variant.ev)}")
        if value.break_even_jackpot_cents is not None:
            for variant in _one_a_wager(value):
                if variant.break_even_jackpot_cents is not None:
                    even = dollars(round(variant.break_even_jackpot_cents))
                    print(f"  breaks even with {dollars(variant.wager_cents)} at a jackpot of {even}")
        for win in value.wins:
            print(f"    {win.name:<34}{win.text:>22}{_percent(win.chance):>11}  {_short(win.chance)}")
        for count, others in by_decks.items():
            other = others[name]
            barred = "" if other.offered else "  not offered"
            print(f"    {f'with {count} decks':<56}{_percent(other.ev):>11}  {_short(other.ev)}{barred}")


def _one_a_wager(value: SideBetValue) -> list[SideBetValue]:
    first = {variant.wager_cents: variant for variant in reversed((value, *value.variants))}
    return [first[cents] for cents in sorted(first)]


def _label(value: SideBetValue) -> str:
    parts = [value.given] if value.given else []
    if value.wager_cents:
        parts.append(f"wager {dollars(value.wager_cents)}")
    if value.jackpot_cents:
        parts.append(f"jackpot {dollars(value.jackpot_cents)}")
    return ", ".join(parts) or "value"


def _percent(value: Fraction) -> str:
    return f"{float(value):.4%}"


def _short(value: Fraction) -> str:
    """The fraction itself, as long as a line can hold it."""
    text = str(value)
    return text if len(text) <= 30 else ""
