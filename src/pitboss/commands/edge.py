"""`pitboss edge`: what a round is worth under best play, and where it comes from."""

from __future__ import annotations

import json as jsonlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any

from pitboss.basics.money import parse_cents
from pitboss.commands import rulebook_id
from pitboss.commands.options import AsJson, Decks, Resplit, RulebookId, SetForStudy, ShoeLeft
from pitboss.maths.questions import known_rulebook, known_shoe
from pitboss.maths.scope import set_in_vain
from pitboss.maths.shoes import MathsError, Shoe

if TYPE_CHECKING:
    from pitboss.maths.exact.removal import Effects
    from pitboss.maths.exact.solve import Solution, Solver
    from pitboss.rulebooks.terms import Rulebook

FINE = 0


def edge(
    rulebook: RulebookId,
    *,
    decks: Decks = None,
    shoe: ShoeLeft = None,
    set_: SetForStudy = None,
    super_bonus: str | None = None,
    insurance: bool = False,
    resplit: Resplit = False,
    splits: str = "policy",
    removal: str = "kept",
    quick: bool = False,
    json: AsJson = False,
) -> int:
    """Compute the house edge with best play.

    The value of a round for each unit of the original wager, alone at the table, playing the best way for the cards
    held and seen. Super Bonus, insurance and optional wagers are left out unless asked for.

    Parameters
    ----------
    super_bonus
        Include the Super Bonus, for an original wager of this many dollars.
    insurance
        Take insurance whenever the player's own two cards make it pay.
    splits
        policy: split hands look at their own cards. exact: they are played jointly, which takes some seconds.
    removal
        One card out of the shoe: kept values the play that is best for the whole shoe, best solves each shoe again.
    quick
        Leave out what taking one card of each rank out of the shoe would change.
    """
    rulebook = rulebook_id(rulebook)
    book = known_rulebook(rulebook, set_ or ())
    cards = known_shoe(book, decks, shoe)
    cents = None if super_bonus is None else parse_cents(super_bonus)
    if cents == 0:
        raise MathsError("--super-bonus 0: give the original wager in dollars, as in 25.")
    with working("solving") as step:
        from pitboss.maths.exact.removal import effects_of
        from pitboss.maths.exact.solve import solver_for

        solver = solver_for(book, cards, resplit=resplit, wager_cents=cents, insurance=insurance)
        found = solver.solution(splits=splits, progress=step)
        effects: Effects | None = None
        if not quick and cards.size < REMOVAL_MAX:
            step("taking out one card of each rank")
            plain = solver if cents is None and not insurance and splits == "policy" else None
            effects = effects_of(plain or _played(book, cards, resplit), play=removal)
    notes = set_in_vain(rulebook, set_ or (), resplit=resplit, insurance=insurance, super_bonus=super_bonus is not None)
    if json:
        told = {**_as_json(found, effects, book.variant, cards), "notes": notes}
        print(jsonlib.dumps(told, ensure_ascii=False))
    else:
        _print(found, effects)
        tell_notes(notes)
        if shoe is None and cards.size // cards.deck_size not in book.cards.decks.value:
            print(f"\nA study: {book.name} is played with {_listed(book.cards.decks.value)} decks.")
    return FINE


def tell_notes(notes: list[str]) -> None:
    for note in notes:
        print("\n" + "\n".join(textwrap.wrap(note, 100)))


def _listed(numbers: tuple[int, ...]) -> str:
    *most, last = (str(number) for number in numbers)
    return f"{', '.join(most)} or {last}" if most else last


REMOVAL_MAX = 10**6
"""With infinitely many cards, taking one out changes nothing."""


def _played(book: Rulebook, shoe: Shoe, resplit: bool) -> Solver:
    """The plain game, without Super Bonus, insurance and joint play, for what one card changes."""
    from pitboss.maths.exact.solve import solver_for

    solver = solver_for(book, shoe, resplit=resplit)
    solver.value()
    return solver


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner on a terminal, nothing elsewhere; compiling is a step of its own, once on a machine."""
    from pitboss.maths.exact.compiled import available, is_compiled

    available()
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    first = "" if is_compiled() else "compiling the kernels, once on this machine; "
    with Console(stderr=True).status(f"{first}{what}") as status:
        yield lambda text: status.update(text)


def _as_json(found: Solution, effects: Effects | None, variant: str, shoe: Shoe) -> dict[str, Any]:
    return {
        "rulebook": found.rulebook,
        "variant": variant,
        "shoe": found.shoe,
        "cards": shoe.size if shoe.size < REMOVAL_MAX else None,
        "ev": found.ev,
        "house_edge": -found.ev,
        "standard_deviation": found.standard_deviation,
        "covariance_of_two_boxes": found.covariance,
        "total_wagered": found.total_wagered,
        "element_of_risk": found.element_of_risk,
        "method": found.method,
        "at_least": found.at_least,
        "at_most": found.at_most,
        "error_bound": found.error_bound,
        "outcomes": {
            each.name: {"frequency": each.frequency, "contribution": each.contribution} for each in found.outcomes
        },
        "by_dealer_card": {up: {"chance": chance, "ev": ev} for up, (chance, ev) in found.by_up.items()},
        "by_hand": {hand: {"chance": chance, "ev": ev} for hand, (chance, ev) in found.by_hand.items()},
        "openings": [
            {"hand": each.cards, "dealer": each.up, "chance": each.chance, "ev": each.ev, "act": each.act,
             "at_least": each.at_least,
             "at_most": each.at_most if isfinite(each.at_most) else None, "acts": each.acts}
            for each in found.openings
        ],
        "effect_of_removal": effects.by_rank if effects else {},
        "effect_of_removal_play": effects.play if effects else None,
        "effect_of_removal_error_bound": effects.error_bound if effects else None,
    }  # fmt: skip


def proven(at_least: float, at_most: float | None) -> str:
    """What is proven of a house edge."""
    if at_most is None:
        return f"at most {-at_least:.6%}"
    return f"{-at_most:.9%} to {-at_least:.9%}"


def _print(found: Solution, effects: Effects | None) -> None:
    print(f"{found.rulebook}, {found.shoe}")
    print(f"  value of a round     {found.ev:+.6%} of the original wager")
    print(f"  house edge           {-found.ev:.6%}  (proven: {proven(found.at_least, found.at_most)})")
    print(f"  standard deviation   {found.standard_deviation:.5f}")
    if found.covariance is not None:
        print(f"  covariance           {found.covariance:.5f} of two boxes against one dealer hand")
    print(f"  total wagered        {found.total_wagered:.5f} for each original wager")
    print(f"  element of risk      {found.element_of_risk:.6%} of all that is wagered")
    print(f"  method               {found.method}")
    print("\nWhat happens                      frequency   contribution")
    for each in found.outcomes:
        print(f"  {each.name:<28}{each.frequency:>13.6%}{each.contribution:>15.6%}")
    print("\nBy the dealer's first card        frequency          value")
    for up, (chance, ev) in found.by_up.items():
        print(f"  {up:<28}{chance:>13.6%}{ev:>15.6%}")
    print("\nBy the player's first two cards   frequency          value")
    for hand, (chance, ev) in sorted(found.by_hand.items(), key=lambda item: item[1][1]):
        print(f"  {hand:<28}{chance:>13.6%}{ev:>15.6%}")
    if effects and effects.by_rank:
        how = "play kept as it is" if effects.play == "kept" else "best play without it"
        print(f"\nOne card out of the shoe, {how:<20}  value changes by  (error bound {effects.error_bound:.0e})")
        for rank, effect in effects.by_rank.items():
            print(f"  {rank:<45}{effect:>+16.6%}")
