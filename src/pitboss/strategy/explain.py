"""What every legal act with a hand is worth, and why the best one is best."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.basics.cards import VALUE, Card, parse_card
from pitboss.basics.money import Odds
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.endless import OTHER, SPADE
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.tables import BUST, NATURAL
from pitboss.maths.exact.words import ACE, ACTS, DOUBLE, HIT, SPLIT, STAND, SUITED_RANKS, SURRENDER, THIRD
from pitboss.maths.shoes import MathsError

KEEP, FORFEIT = "keep", "forfeit"
HOW = 'write a hand as in "7h 7d v 7s", or "5h 6d 2c doubled v 9s" after the double card'


class Choice(msgspec.Struct, frozen=True):
    """One legal act."""

    act: str
    ev: float
    why: str
    """What happens then, in words."""


class Explained(msgspec.Struct, frozen=True):
    """A hand against the dealer's first card, the best act first."""

    hand: str
    dealer: str
    total: str
    choices: tuple[Choice, ...]
    reason: str
    insurance: float | None
    """What each unit of insurance brings; None where it is not open."""


class Asked(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]
    up: Card
    doubled: bool


def asked(solver: Solver, text: str) -> Asked:
    """Read a hand; what is unknown, not in the shoe or no decision is said in one sentence."""
    words = re.split(r"[\s,]+", text.strip().replace(" vs ", " v ").replace(" against ", " v "))
    if words.count("v") != 1:
        raise MathsError(f"--explain {text!r}: {HOW}.")
    place = words.index("v")
    mine, up = words[:place], words[place + 1 :]
    doubled = "doubled" in mine
    mine = [word for word in mine if word != "doubled"]
    if len(up) != 1 or len(mine) < 2 + doubled:
        raise MathsError(f"--explain {text!r}: {HOW}.")
    cards = tuple(parse_card(word) for word in mine)
    found = Asked(cards, parse_card(up[0]), doubled)
    for card in {*cards, found.up}:
        if (*cards, found.up).count(card) > solver.shoe.count(card):
            raise MathsError(f"--explain {text!r}: {card} is not so often in the shoe.")
    return found


def explain(solver: Solver, text: str) -> Explained:
    """Value every legal act with a hand, for a solver that has played with `every_split`."""
    wanted = asked(solver, text)
    counts = [0] * 10
    for card in wanted.cards:
        counts[VALUE[card] - 1] += 1
    hard = sum(VALUE[card] for card in wanted.cards)
    soft = counts[ACE] > 0 and hard <= 11
    total = hard + 10 * soft
    up = VALUE[wanted.up] - 1
    if wanted.doubled:
        return _after_double(solver, wanted, counts, up)
    _refuse_no_decision(solver, wanted, total, hard)
    hand = solver.hands.places[tuple(counts)]
    ones = sum(VALUE[card] == 1 for card in wanted.cards[:2]) if solver.ones_max else 0
    choices = sorted(_choices(solver, wanted, hand, ones, up, total), key=lambda each: -each.ev)
    return Explained(
        hand=" ".join(wanted.cards),
        dealer=wanted.up,
        total=f"{'soft' if soft else 'hard'} {total}",
        choices=tuple(choices),
        reason=_reason(choices),
        insurance=_insurance(solver, wanted, hand, up),
    )


def _refuse_no_decision(solver: Solver, wanted: Asked, total: int, hard: int) -> None:
    hand, natural = " ".join(wanted.cards), solver.rulebook.game.natural.value
    if hard > 21:
        raise MathsError(f"{hand} is {hard}, over 21: there is nothing to decide.")
    if total == 21:
        what = natural if len(wanted.cards) == 2 else "21"
        raise MathsError(f"{hand} is {what}: there is nothing to decide.")
    if solver.rules.five_card_trick and len(wanted.cards) >= 5:
        raise MathsError(f"{hand} is a five card trick: there is nothing to decide.")


def _choices(solver: Solver, wanted: Asked, hand: int, ones: int, up: int, total: int) -> Iterator[Choice]:
    ways, ends = solver.ways[hand, ones, up], solver.finals[hand, up]
    values = {act: float(ways[place]) for place, act in enumerate(ACTS) if ways[place] > -1e8}
    if STAND in values:
        yield Choice(STAND, values[STAND], _standing(solver, ends, total))
    extra, words = _suits(solver, wanted)
    yield Choice(HIT, values[HIT] + extra, _hitting(solver, wanted, hand, up, words))
    if DOUBLE in values:
        yield Choice(DOUBLE, values[DOUBLE], _doubling(solver, wanted, hand, ones, up))
    first, *rest = (VALUE[card] - 1 for card in wanted.cards)
    if rest == [first] and (first, up) in solver.splits:
        split = solver.splits[first, up]
        spades = [SPADE if card[1] == "s" and first in SUITED_RANKS else OTHER for card in wanted.cards]
        value = split.of((spades[0], spades[1])).value
        proven = "" if solver.endless else f", proven {split.floor:+.4f} at least"
        yield Choice(
            SPLIT,
            value,
            f"makes {split.hands:.2f} hands on average, each worth {value / split.hands:+.3f}{proven}",
        )
    if len(wanted.cards) == 2 and wanted.up[0] in solver.rules.surrender_ranks:
        natural = float(ends[NATURAL])
        lost = float(solver.given_up(1.0 - natural, natural))
        name = solver.rulebook.game.natural.value
        yield Choice(SURRENDER, -lost, f"loses half, or all to a dealer's {name} ({natural:.1%})")


def _standing(solver: Solver, ends: Any, total: int) -> str:
    won, tied, lost = (float(each) for each in k.against(ends, total))
    natural, bust = float(ends[NATURAL]), float(ends[BUST])
    parts = [f"wins {won:.1%} (the dealer busts {bust:.1%})"]
    if solver.rules.ties_lose:
        lost += tied
    elif tied:
        parts.append(f"stands off {tied:.1%}")
    parts.append(f"loses {lost + natural:.1%}")
    return ", ".join(parts)


def _hitting(solver: Solver, wanted: Asked, hand: int, up: int, words: str) -> str:
    bust = made = 0.0
    hands = solver.hands
    aces, hard = hands.cards[hand, ACE], int(hands.hard[hand])
    for value, chance in _draws(solver, hand, up):
        more = hard + value + 1
        soft = (aces > 0 or value == ACE) and more <= 11
        bust += chance if more > 21 else 0.0
        made += chance if more + 10 * soft == 21 else 0.0
    count = len(wanted.cards) + 1
    odds = solver.rules.odds_of_21(count)
    parts = [f"busts {bust:.1%}", f"makes 21 {made:.1%}"]
    if words:
        parts.append(words)
    elif odds != solver.rules.odds_of_21(2):
        parts.append(f"a 21 of {count} cards pays {Odds(odds.numerator, odds.denominator)}")
    if solver.rules.five_card_trick and count == 5:
        parts.append("any five cards up to 21 win")
    return ", ".join(parts)


def _doubling(solver: Solver, wanted: Asked, hand: int, ones: int, up: int) -> str:
    bust = made = given = 0.0
    hands = solver.hands
    for value, chance in _draws(solver, hand, up):
        ended = int(k.doubled_total(hands.cards[hand], int(hands.hard[hand]), value, ones, solver.array))
        bust += chance if ended > 21 else 0.0
        made += chance if ended == 21 else 0.0
        given += chance if int(solver.forfeits[hand, ones, up]) >> value & 1 else 0.0
    parts = [f"makes 21 {made:.1%}"]
    if bust:
        parts.append(f"busts {bust:.1%}")
    if given:
        parts.append(f"is forfeited {given:.1%}")
    return ", ".join(parts)


def _draws(solver: Solver, hand: int, up: int) -> Iterator[tuple[int, float]]:
    left = solver.left - solver.hands.cards[hand]
    left[up] -= 1.0
    for value in range(10):
        if left[value] > 0.0:
            yield value, float(left[value] / left.sum())


def _suits(solver: Solver, wanted: Asked) -> tuple[float, str]:
    """What the suits of two cards towards 6-7-8 or 7-7-7 add to hitting, every card seen."""
    if len(wanted.cards) != 2:
        return 0.0, ""
    low, high = sorted(VALUE[card] - 1 for card in wanted.cards)
    third = THIRD.get((low, high))
    if third is None:
        return 0.0, ""
    rules = solver.rules
    odds = rules.odds_777 if low == high else rules.odds_678
    if odds[0] == odds[2] == rules.odds_of_21(3):
        return 0.0, ""
    seen = [*wanted.cards, wanted.up]
    size = solver.size - len(seen)
    there = solver.left[third] - sum(VALUE[card] - 1 == third for card in seen)
    name = "7-7-7" if low == high else "6-7-8"
    paid = Odds(odds[0].numerator, odds[0].denominator)
    words = f"{name} comes {there / size:.1%} and pays {paid}"
    suits = {card[1] for card in wanted.cards}
    if len(suits) > 1:
        return 0.0, words
    card = f"{third + 1}{wanted.cards[0][1]}"
    number = solver.shoe.count(card) - seen.count(card)
    kind = 2 if suits == {"s"} else 1
    best = Odds(odds[kind].numerator, odds[kind].denominator)
    extra = number / size * solver.suit_odds[low == high][kind]
    besides = ""
    if low == high and wanted.up[0] == rules.bonus_rank and solver.bonus:
        extra += number / size * solver.bonus
        besides = f" and the Super Bonus, {solver.bonus:g} times the wager"
    return extra, f"{words}, in one suit {number / size:.1%} at {best}{besides}"


def _after_double(solver: Solver, wanted: Asked, counts: list[int], up: int) -> Explained:
    """The choice after the double card."""
    if not solver.rules.forfeit:
        raise MathsError(f"{solver.rulebook.name} has no forfeit: after the double card there is nothing to decide.")
    *held, last = wanted.cards
    before = list(counts)
    before[VALUE[last] - 1] -= 1
    hand = solver.hands.places.get(tuple(before))
    ones = sum(VALUE[card] == 1 for card in held[:2]) if solver.ones_max else 0
    if hand is None or solver.ways[hand, ones, up, k.DOUBLE] < -1e8:
        raise MathsError(f"{' '.join(held)} may not be doubled.")
    hands = solver.hands
    total = int(k.doubled_total(hands.cards[hand], int(hands.hard[hand]), VALUE[last] - 1, ones, solver.array))
    if total >= 21:
        what = "is paid at once" if total == 21 else "is lost"
        raise MathsError(f"{' '.join(wanted.cards)} is {total} and {what}: there is nothing to decide.")
    ends = solver.finals[hands.places[tuple(counts)], up]
    kept = Choice(KEEP, float(k.kept_value(ends, total, solver.array)), _standing(solver, ends, total))
    given = Choice(FORFEIT, -1.0, "takes the doubled part back and loses the original wager")
    choices = tuple(sorted((kept, given), key=lambda each: -each.ev))
    return Explained(
        f"{' '.join(wanted.cards)} doubled",
        wanted.up,
        f"{total} after the double card",
        choices,
        _reason(choices),
        None,
    )


def _reason(choices: list[Choice] | tuple[Choice, ...]) -> str:
    best = choices[0]
    if len(choices) == 1:
        return f"To {best.act} is the only legal act."
    second = choices[1]
    by = best.ev - second.ev
    close = "a close call" if by < 0.005 else "clearly" if by > 0.1 else ""
    how = f", {close}" if close else ""
    return f"To {best.act} brings {by:.4f} of the wager more than to {second.act}{how}: it {best.why}."


def _insurance(solver: Solver, wanted: Asked, hand: int, up: int) -> float | None:
    terms = solver.rulebook.insurance
    if not terms.offered.value or len(wanted.cards) != 2 or wanted.up[0] not in terms.dealer_ranks.value:
        return None
    odds, natural = terms.odds.value, float(solver.finals[hand, up, NATURAL])
    return natural * odds.wins / odds.on - (1.0 - natural)
