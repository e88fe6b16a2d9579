"""From the words of a question to a rulebook and a shoe; what cannot be understood is said in one sentence."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from typing import Any

from pitboss.maths.shoes import DECKS_MAX, INFINITE, MathsError, Shoe
from pitboss.rulebooks import RULEBOOKS, amend, load, vary
from pitboss.rulebooks.amend import layers_named
from pitboss.rulebooks.terms import Rulebook


def known_rulebook(
    name: str, changes: Iterable[str] = (), amendments: Iterable[str] = (), *, to_price: bool = True
) -> Rulebook:
    """A rulebook by its id, under amendments, and with terms changed for study as in ``dealer.soft_stand=17``."""
    if name not in RULEBOOKS:
        close = difflib.get_close_matches(name.lower(), RULEBOOKS, n=1, cutoff=0.6)
        hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(RULEBOOKS)}."
        raise MathsError(f"no rulebook {name!r}. {hint}")
    parsed = dict(_change(text) for text in changes)
    book = load(name)
    layers = layers_named(book, amendments)
    if not parsed and not layers:
        return book
    changed = vary(amend(book, *layers), parsed)
    return priced(changed) if to_price else changed


def priced(rulebook: Rulebook) -> Rulebook:
    """The rulebook itself, or a sentence where the table plays something that the mathematics cannot price."""
    settlement = rulebook.settlement
    if settlement.dealer_natural_doubled.value != settlement.dealer_natural_split.value:
        raise MathsError(
            "settlement.dealer_natural_doubled and settlement.dealer_natural_split are priced together only; "
            "give both the same value."
        )
    trick = [row.odds for row in rulebook.interim.pay_table.value if row.name == "five-card-trick"]
    if trick and rulebook.interim.five_card_trick.value and trick[0] != settlement.even_money.value:
        raise MathsError(
            "interim.pay_table.five-card-trick is priced as settlement.even_money only; give both the same odds."
        )
    if rulebook.super_bonus.not_on.value != load(rulebook.id).super_bonus.not_on.value:
        raise MathsError("super_bonus.not_on is not priced: leave it as the document has it.")
    return rulebook


def _change(text: str) -> tuple[str, Any]:
    key, found, raw = text.partition("=")
    if not found or not key.strip() or not raw.strip():
        raise MathsError(f"{text!r} changes no term: write it as in dealer.soft_stand=17.")
    return key.strip(), term_value(raw.strip())


def term_value(text: str) -> Any:
    """A value as ``terms.toml`` writes it; a bare word is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def known_decks(decks: str) -> int:
    """How many decks were asked for: a number, or infinitely many."""
    if decks.lower() in ("infinite", "inf", "infinity"):
        return INFINITE
    try:
        number = int(decks)
    except ValueError:
        raise MathsError(f"--decks {decks!r} is neither a whole number nor infinite.") from None
    if not 1 <= number <= DECKS_MAX:
        raise MathsError(f"{number} decks: give a number from 1 to {DECKS_MAX}, or infinite.")
    return number


def known_shoe(rulebook: Rulebook, decks: str | None, cards: str | None) -> Shoe:
    """The shoe that was asked for: so many decks, infinitely many, or these cards."""
    number = None if decks is None else known_decks(decks)
    if cards is None:
        return Shoe.of_decks(rulebook, number)
    if number == INFINITE:
        raise MathsError("--shoe names every card, so --decks cannot be infinite.")
    return Shoe.of_cards(rulebook, cards, number)
