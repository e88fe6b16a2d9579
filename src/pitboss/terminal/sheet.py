"""The rule sheet: the game as one table plays it, a sentence for every term of the rulebook, each with its clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from pitboss.rulebooks import terms
from pitboss.rulebooks.amend import KINDS
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.editions import shown
from pitboss.rulebooks.phrases import (
    decks,
    first_up,
    listed,
    money,
    number,
)
from pitboss.rulebooks.sentences import Entry, PayLine, Section, phrase, sections
from pitboss.rulebooks.terms import STUDY, Amendment, Dated, Rulebook, Term
from pitboss.rulebooks.vocabulary import side_bet_name
from pitboss.table.house import BLAZING, House

WIDTH = 80
CITED_MIN = 30
"""With less room than this beside a row its clauses stand on a line of their own."""


@dataclass(slots=True)
class Sheet:
    rulebook: Rulebook
    house: House
    sections: list[Section]


# --- the whole sheet -------------------------------------------------------------------------------------------------


def sheet(rulebook: Rulebook, house: House) -> Sheet:
    """Every term of the rulebook in a section, after what this table has chosen."""
    rulebook = rulebook.on(house.date)
    return Sheet(rulebook, house, [this_table(rulebook, house), *sections(rulebook)])


def this_table(rulebook: Rulebook, house: House) -> Section:
    """What the house has chosen within what it may choose."""
    section = Section("table", "THIS TABLE")

    def add(text: str, *found: Term[Any] | Dated[Any]) -> None:
        clauses = tuple(dict.fromkeys(clause for term in found for clause in term.clauses))
        section.entries.append(Entry(text, (), clauses))

    cards, limits, wagers = rulebook.cards, rulebook.limits, rulebook.wagers
    size = 4 * len(cards.ranks.value) * house.decks + house.jokers
    joker = f", {number(house.jokers)} joker{'s' * (house.jokers > 1)} among them" if house.jokers else ""
    add(f"{first_up(decks((house.decks,)))} are used, {size} cards{joker}.", cards.decks, cards.ranks)
    add(f"They are dealt from a {house.source.replace('-', ' ')}.", rulebook.shuffle.sources)
    add(f"There are {number(house.boxes)} boxes.", rulebook.boxes.number)
    add(f"An original wager is {money(house.minimum_cents)} to {money(house.maximum_cents)}.", limits.sign)
    if house.unit_cents:
        add(f"Above the minimum it goes in steps of {money(house.unit_cents)}.", limits.unit_above_minimum)
    if house.multiples:
        add(f"It is a multiple of {money(house.minimum_cents)}.", limits.multiples)
    if house.player_maximum_cents:
        add(f"One player wagers at most {money(house.player_maximum_cents)} over all boxes.", limits.sign)
    chips = listed(money(cents) for cents in sorted(house.chips_cents))
    add(f"The float has chips of {chips}.", wagers.rounding)
    _optional(add, rulebook, house)
    if rulebook.splitting.resplit_by.value != "nobody":
        most = rulebook.splitting.resplit_hands_max if house.resplit else rulebook.splitting.hands_max
        add(f"Up to {number(most.value)} hands are formed on a box.", most, rulebook.splitting.resplit_by)
    if house.low_limit:
        add("It is a low-limit table.", limits.low_limit_device_only)
    if house.face_down:
        add("The first two cards to a box come face down, as was approved.", cards.face_down)
    if house.deferred:
        add("Payments for 21 wait for the final settlement, as was approved.", rulebook.interim.deferrable_by)
    if house.date is not None:
        early = [(key, each) for key, term in terms(rulebook) for each in term.later(house.date)]
        cited: list[Term[Any] | Dated[Any]] = [each for _, each in early] or [rulebook.game.edition]
        add(f"It is played as on {house.date.isoformat()}.", *cited)
        for key, each in early:
            add(f"Not yet in force then: {phrase(key, each.value, rulebook)}", each)
    return section


def _optional(add: Any, rulebook: Rulebook, house: House) -> None:
    """Which optional wagers this table offers, and at which limits."""
    for kind in house.side_bets:
        term = rulebook.blazing_7s.decks if kind == BLAZING else rulebook.side_bets[kind].decks
        offered = rulebook.blazing_7s.offered if kind == BLAZING else rulebook.side_bets[kind].offered
        text = f"{side_bet_name(kind)} is offered"
        if kind in house.side_limits:
            least, most = house.side_limits[kind]
            text += f", {money(least)} to {money(most)}"
        if kind in house.required:
            text += ", and is a condition of play"
        add(text + ".", offered, term)
        if kind == BLAZING:
            rate = f", grows by {house.jackpot_rate_percent}% of each jackpot wager" * bool(house.jackpot_rate_percent)
            start = max(house.jackpot_cents, house.jackpot_minimum_cents)
            text = f"The jackpot is {money(start)}, and {money(house.jackpot_minimum_cents)} once it was won{rate}."
            add(text, rulebook.blazing_7s.minimums_cents)
    if not house.side_bets:
        add("No optional wager is offered.", rulebook.side_bets["perfect-pairs"].offered)


# --- on paper --------------------------------------------------------------------------------------------------------


def lines(sheet_of: Sheet, *, notes: bool = True, width: int = WIDTH) -> Iterator[str]:
    """The sheet as text; every sentence is followed by its clauses."""
    rulebook = sheet_of.rulebook
    yield from _wrap(f"{rulebook.game.name.value}: the game as this table plays it", "", "", width)
    if rulebook.variant:
        yield from _wrap(f"A STUDY VARIANT, no approved game: {rulebook.variant}", "", "  ", width)
    for layer in rulebook.amendments:
        if layer.kind != STUDY:
            yield from _wrap(f"AMENDED: {amendment_in_words(layer)}", "", "  ", width)
    document, edition = rulebook.game.document.value, rulebook.game.edition.value
    yield from _wrap(f"{document} ({edition}; text {shown(rulebook.edition)})", "", "", width)
    yield from _wrap("Numbers in brackets are the clauses of that document.", "", "", width)
    for section in sheet_of.sections:
        yield ""
        yield section.title
        for each in section.entries:
            yield from _entry_lines(each, notes=notes, width=width)


def amendment_in_words(each: Amendment) -> str:
    """An amendment in one line: what it is called, what allows it, and who approved it."""
    approved = f", approved by {each.approved}" if each.approved else ""
    cited = f" [{cite(each.clauses)}]" if each.clauses else ""
    return f"{each.title or each.name}, {KINDS[each.kind]}{approved}{cited}"


def _entry_lines(each: Entry, *, notes: bool, width: int) -> Iterator[str]:
    since = f" From {each.since} on." if each.since else ""
    yield from _wrap(f"{each.text}{since} [{cite(each.clauses)}]", "  - ", "    ", width)
    if each.rows:
        yield from table_lines(each.rows, "      ", width)
    if notes:
        for reading in each.readings:
            yield from _wrap(f"note: {reading}", "      ", "      ", width)


def table_lines(rows: Sequence[PayLine], indent: str, width: int) -> Iterator[str]:
    """A pay table with its clauses in the last column."""
    name = max(len(row.name) for row in rows)
    pays = max(len(row.pays) for row in rows)
    for row in rows:
        head = f"{indent}{row.name:<{name}}  {row.pays:<{pays}}  "
        if len(head) + CITED_MIN > width:
            yield head.rstrip()
            head = f"{indent}  "
        yield from _wrap(f"[{cite(row.clauses)}]", head, " " * len(head), width)


def _wrap(text: str, first: str, rest: str, width: int) -> Iterable[str]:
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False, break_long_words=False
    )


def as_data(sheet_of: Sheet) -> dict[str, Any]:
    """The sheet as plain data."""
    rulebook, house = sheet_of.rulebook, sheet_of.house
    values = dict(terms(rulebook))
    return {
        "rulebook": rulebook.id,
        "name": rulebook.name,
        "variant": rulebook.variant or None,
        "document": rulebook.game.document.value,
        "edition": rulebook.game.edition.value,
        "digest": rulebook.edition,
        "amendments": [msgspec.to_builtins(each) for each in rulebook.amendments],
        "table": msgspec.to_builtins(house),
        "sections": [
            {
                "section": section.key,
                "title": section.title,
                "lines": [
                    {
                        "text": each.text,
                        "clauses": list(each.clauses),
                        "terms": {key: msgspec.to_builtins(values[key].value, str_keys=True) for key in each.terms},
                        "readings": list(each.readings),
                        "from": each.since or None,
                        "rows": [
                            {"name": row.name, "pays": row.pays, "clauses": list(row.clauses)} for row in each.rows
                        ],
                    }
                    for each in section.entries
                ],
            }
            for section in sheet_of.sections
        ],
    }
