"""A strategy in a file, for people: rows of ten letters, one for each dealer's first card 2 3 4 5 6 7 8 9 10 A.

    hard.15 = "SSSSSHHHHH"          every hard 15
    hard."15 of 4+" = "SSSHHHHHHH"  hard 15 of four or more cards; the row that says most about a hand holds
    soft.18 = "SSSSSSSHHH"
    pair.8 = "PPPPPPPPPP"           two cards of value 8; A for aces
    bonus."678 suited" = "HHHHHHHHHH"   two cards that a third can make 6-7-8 or 7-7-7: mixed, suited, spades
    bonus."78 suited" = "HHSSSHHHHH"    only 7 and 8
    forfeit.16 = "NNNNNFFFFF"       a doubled hand that has 16 after its card: F forfeit, N keep

S stand, H hit, D double or else hit, d double or else stand, P split or else as the total says, R surrender or
else hit, r surrender or else stand. Where the rules do not let a hand do what its letter says, the "or else" holds.
"""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple

from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate.game import (
    ACES_MAY_SPLIT,
    DOUBLE,
    HIT,
    MAY_SPLIT,
    ORIGINAL,
    SPLIT,
    STAND,
    Game,
)
from pitboss.maths.simulate.hands import MIXED, Hand
from pitboss.maths.simulate.strategies import Strategy, blank, checked

COLUMNS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
"""The dealer's value, less one, of each letter in a row."""
NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
LETTERS = "SHDdPRr"
SECTIONS = ("hard", "soft", "pair", "bonus", "forfeit")
ROW = re.compile(r"(\d{1,2})(?: of (\d{1,2})(\+?))?")


class Row(NamedTuple):
    """One row of a file and the hands that it is for."""

    total: int
    least: int
    most: int
    letters: str

    def fits(self, hand: Hand) -> bool:
        return hand.total == self.total and self.least <= hand.cards <= self.most


def strategy_file(game: Game, content: str, name: str) -> Strategy:
    """A strategy from a file; what is unknown, wrong or left open is named with the file."""
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as fault:
        raise MathsError(f"{name}: not a strategy file: {fault}.") from fault
    for section in data:
        if section not in SECTIONS or not isinstance(data[section], dict):
            raise MathsError(f"{name}: {section}: no such section; known: {', '.join(SECTIONS)}.")
    totals = {section: _rows(name, section, data.get(section, {})) for section in ("hard", "soft")}
    pairs = {key: _letters(name, "pair", key, row) for key, row in data.get("pair", {}).items()}
    bonuses = {key: _letters(name, "bonus", key, row) for key, row in data.get("bonus", {}).items()}
    strategy = blank(game, name)
    _forfeits(game, strategy, data.get("forfeit", {}), name)
    for number, hand in enumerate(game.hands.hands):
        if hand is not None and hand.cards > 1:
            for column, dealer in enumerate(COLUMNS):
                _decide(game, strategy, number, hand, column, dealer, (totals, pairs, bonuses), name)
    strategy.decisions[ACES_MAY_SPLIT][strategy.decisions[ACES_MAY_SPLIT] != SPLIT] = STAND
    return checked(game, strategy)


def _rows(name: str, section: str, rows: dict[str, object]) -> list[Row]:
    found = []
    for key, row in rows.items():
        match = ROW.fullmatch(key)
        if match is None:
            raise MathsError(f"{name}: {section}.{key}: write a total, as in 15, or 15 of 3, or 15 of 4+.")
        least = int(match[2] or 2)
        most = least if match[2] and not match[3] else 21
        found.append(Row(int(match[1]), least, most, _letters(name, section, key, row)))
    return sorted(found, key=lambda row: row.most - row.least)


def _letters(name: str, section: str, key: str, row: object, letters: str = LETTERS) -> str:
    if not isinstance(row, str) or len(row) != len(COLUMNS) or set(row) - set(letters):
        columns = " ".join(NAMES)
        raise MathsError(f"{name}: {section}.{key}: ten letters are wanted, for {columns}, each one of {letters}.")
    return row


def _forfeits(game: Game, strategy: Strategy, rows: dict[str, object], name: str) -> None:
    for key, row in rows.items():
        if not key.isdigit() or not 4 <= int(key) <= 20:
            raise MathsError(f"{name}: forfeit.{key}: write a total from 4 to 20.")
        letters = _letters(name, "forfeit", key, row, "FN")
        for column, dealer in enumerate(COLUMNS):
            strategy.forfeits[:, int(key), dealer] = letters[column] == "F"


def _decide(
    game: Game,
    strategy: Strategy,
    number: int,
    hand: Hand,
    column: int,
    dealer: int,
    rows: tuple[dict[str, list[Row]], dict[str, str], dict[str, str]],
    name: str,
) -> None:
    totals, pairs, bonuses = rows
    section = "soft" if hand.soft else "hard"
    row = next((row for row in totals[section] if row.fits(hand)), None)
    by_total = row.letters[column] if row is not None else ""
    letter = by_total
    if hand.is_pair:
        value = hand.counts.index(2) + 1
        special = pairs.get("A" if value == 1 else str(value))
        letter = special[column] if special else letter
    if hand.bonus:
        two = "".join(str(value) for value in (6, 7, 8) if hand.counts[value - 1])
        names = (f"{two} {bonus_kind(hand)}", f"{hand.bonus} {bonus_kind(hand)}", hand.bonus)
        special = next((bonuses[each] for each in names if each in bonuses), None)
        letter = special[column] if special else letter
    for place in range(4):
        legal = int(game.legal[place, number])
        if not legal or (place in (MAY_SPLIT, ACES_MAY_SPLIT) and not hand.is_pair):
            continue
        strategy.decisions[place, number, dealer] = _act(letter, by_total, legal, place, hand, name, column)
    if letter in "Rr" and letter and hand.cards == 2:
        strategy.surrenders[number, dealer] = 1


def bonus_kind(hand: Hand) -> str:
    """Which row of its bonus a hand of two cards falls under."""
    return "mixed" if hand.suit == MIXED else "spades" if hand.suit == 0 else "suited"


def _act(letter: str, by_total: str, legal: int, place: int, hand: Hand, name: str, column: int) -> int:
    act = play_letter(letter, legal, place) if letter else None
    if act is None:
        act = play_letter(by_total, legal, place) if by_total and by_total != "P" else None
    if act is None and place == ACES_MAY_SPLIT:
        return STAND
    if act is None:
        kind = "pair of" if hand.is_pair else "soft" if hand.soft else "hard"
        what = "A" if hand.is_pair and hand.soft else hand.total // 2 if hand.is_pair else hand.total
        where = "" if place == ORIGINAL else " after a split"
        raise MathsError(
            f"{name}: {kind} {what} of {hand.cards} cards against {NAMES[column]}{where} is undecided: add a row for "
            f"{'soft' if hand.soft else 'hard'}.{hand.total}."
        )
    return act


def play_letter(letter: str, legal: int, place: int) -> int | None:
    """What a letter means where only these acts are legal; None for a split that cannot be had."""
    if letter == "P":
        return SPLIT if legal >> SPLIT & 1 else None
    if place == ACES_MAY_SPLIT:
        return STAND
    act = {"S": STAND, "r": STAND, "d": DOUBLE, "D": DOUBLE, "H": HIT, "R": HIT}[letter]
    if act == DOUBLE and not legal >> DOUBLE & 1:
        act = STAND if letter == "d" else HIT
    return HIT if act == STAND and not legal >> STAND & 1 else act
