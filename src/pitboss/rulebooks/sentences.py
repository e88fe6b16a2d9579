"""The rules in sentences: one for every term of a rulebook, each with its clauses, as a round needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from pitboss.rulebooks import terms
from pitboss.rulebooks.amend import STUDY_VARIANT, changed_by
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.phrases import PHRASES, first_up, natural, prize, restriction, row_name
from pitboss.rulebooks.terms import Amendment, FixedRow, PayRow, Restriction, Rulebook, Term
from pitboss.rulebooks.vocabulary import SIDE_BETS, side_bet_name

TITLES = {
    "game": "THE GAME",
    "cards": "CARDS AND DECKS",
    "shuffle": "SHUFFLE, CUT AND BURN",
    "boxes": "BOXES AND WHO CALLS THEM",
    "limits": "LIMITS",
    "wagers": "WAGERS",
    "deal": "THE INITIAL DEAL",
    "insurance": "INSURANCE",
    "surrender": "SURRENDER",
    "interim": "INTERIM SETTLEMENT",
    "super_bonus": "SUPER BONUS",
    "drawing": "THE SUBSEQUENT DEAL",
    "doubling": "DOUBLING",
    "splitting": "SPLITTING",
    "dealer": "THE DEALER'S HAND",
    "settlement": "FINAL SETTLEMENT",
    **{f"side_bets.{kind}": side_bet_name(kind).upper() for kind in SIDE_BETS},
    "blazing_7s": "BLAZING 7s",
    "irregularities": "WHEN SOMETHING GOES WRONG",
    "device": "WHEN THE SHUFFLING DEVICE FAILS",
    "patrons": "PATRONS AND THE GAMING DAY",
    "tournament": "TOURNAMENTS",
    "promotions": "PROMOTIONAL PRIZES",
    "layout": "THE CLOTH AND THE TABLE",
}
"""The sections in the order in which a round needs them."""


@dataclass(frozen=True, slots=True)
class PayLine:
    """One row of a pay table."""

    name: str
    pays: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence of the sheet: the terms it speaks of and why it is so."""

    text: str
    terms: tuple[str, ...]
    clauses: tuple[str, ...]
    readings: tuple[str, ...] = ()
    since: str = ""
    rows: tuple[PayLine, ...] = ()


@dataclass(slots=True)
class Section:
    key: str
    title: str
    entries: list[Entry] = field(default_factory=list)


# --- one term --------------------------------------------------------------------------------------------------------


def pattern(key: str) -> str:
    """The key with which the phrases know a term."""
    return f"side_bets.*.{key.rsplit('.', 1)[1]}" if key.startswith("side_bets.") else key


def section_of(key: str) -> str:
    return key.rsplit(".", 1)[0]


def phrase(key: str, value: Any, rulebook: Rulebook) -> str:
    """The sentence for a value; a value that no phrase knows is told by its own words, so that none is left out."""
    say = PHRASES.get(pattern(key))
    if isinstance(say, str):
        return say
    if callable(say):
        return say(value, rulebook)
    if say is not None and value in say:
        return say[value]
    name = key.rsplit(".", 1)[1].replace("_", " ")
    shown = value.replace("-", " ") if isinstance(value, str) else msgspec.to_builtins(value)
    return f"{first_up(name)}: {shown if shown != '' else 'none'}."


def pay_lines(value: Any) -> tuple[PayLine, ...]:
    if not isinstance(value, tuple):
        return ()
    lines = [PayLine(row_name(row.name), str(row.odds), row.clauses) for row in value if isinstance(row, PayRow)]
    lines += [PayLine(row_name(row.name), prize(row), row.clauses) for row in value if isinstance(row, FixedRow)]
    return tuple(lines)


TABLE_HEADS = {
    "interim.pay_table": "What a player's 21 is paid at once:",
    "settlement.natural_against_natural": "A {natural} that waited, against the dealer's:",
    "blazing_7s.pays": "The prizes:",
}


def entry(key: str, term: Term[Any], rulebook: Rulebook, by: Amendment | None = None, left: str = "") -> Entry:
    """`by`: what has amended the term; `left`: the clause to which an amendment leaves it."""
    rows = pay_lines(term.value)
    text = phrase(key, term.value, rulebook)
    if rows:
        text = TABLE_HEADS.get(key, "It pays:").format(natural=natural(rulebook))
    readings = (term.reading,) if term.reading and term.reading != STUDY_VARIANT else ()
    if by is not None:
        text = f"{text} [{by.name}]"
    if left:
        text = f"{text} [not so: {cite((left,))}]"
    since = term.since.isoformat() if term.since is not None else ""
    return Entry(text, (key,), term.clauses, readings, since, rows)


def entries(
    key: str, term: Term[Any], rulebook: Rulebook, by: Amendment | None = None, left: str = ""
) -> Iterator[Entry]:
    """One sentence for a term; one for each row where the term is a list of restrictions."""
    whole = entry(key, term, rulebook, by, left)
    if not isinstance(term.value, tuple) or not any(isinstance(row, Restriction) for row in term.value):
        yield whole
        return
    for place, row in enumerate(term.value):
        last = place == len(term.value) - 1
        yield Entry(restriction(row), (key,), row.clauses, whole.readings if last else (), whole.since)


# --- all of them -----------------------------------------------------------------------------------------------------


def sections(rulebook: Rulebook) -> list[Section]:
    """Every term of a rulebook; what a document does not have is said once."""
    found = {key: Section(key, title) for key, title in TITLES.items()}
    changed = changed_by(rulebook)
    left = {key: clause for each in rulebook.amendments for key, clause in each.left.items()}
    for key, term in terms(rulebook):
        name = section_of(key)
        section = found.setdefault(name, Section(name, name.replace("_", " ").upper()))
        section.entries.extend(entries(key, term, rulebook, changed.get(key), left.get(key, "")))
    return [_collapsed(section, rulebook, changed) for section in found.values() if section.entries]


def _collapsed(section: Section, rulebook: Rulebook, amended: Mapping[str, Amendment]) -> Section:
    """What a document does not have is said once."""
    offered = dict(terms(rulebook)).get(f"{section.key}.offered")
    if offered is None or offered.value:
        return section
    first = section.entries[0]
    keys = tuple(key for each in section.entries for key in each.terms)
    changed = [each for each in section.entries if any(key in amended for key in each.terms)]
    clauses = tuple(dict.fromkeys(clause for each in section.entries for clause in each.clauses))
    only = Entry(first.text, keys, clauses, first.readings, first.since)
    return Section(section.key, section.title, [only, *changed])


# --- for a newcomer --------------------------------------------------------------------------------------------------

NEWCOMERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The aim", ("settlement.wins_higher", "settlement.wins_dealer_bust", "settlement.ties")),
    ("The cards", ("cards.ranks", "cards.ace", "cards.numbers", "cards.pictures")),
    ("The deal", ("wagers.before_first_card", "deal.order")),
    ("The best hand", ("game.natural", "interim.natural_odds")),
    ("Insurance", ("insurance.offered", "insurance.dealer_ranks", "insurance.odds")),
    ("Surrender", ("surrender.offered", "surrender.dealer_ranks", "surrender.loses")),
    ("Your turn", ("drawing.choices", "drawing.must_draw_below", "drawing.bust", "settlement.twenty_one_wins")),
    ("Double", ("doubling.hands", "doubling.cards", "doubling.forfeit")),
    ("Split", ("splitting.cards", "splitting.wager", "splitting.hands_max")),
    ("The dealer", ("dealer.hard_stand", "dealer.soft_stand", "settlement.dealer_natural")),
    ("What it pays", ("settlement.even_money", "interim.twenty_one")),
)
"""What somebody has to know who has never played: a heading, and the terms that say it, in the order of a round."""
AIMED = "settlement.wins_higher"
AIM = "Beat the dealer: finish with a higher total, without going over 21. You play against the dealer only."
"""How the game is told to somebody who has never played: the first sentence, by the clause on what wins."""


def how_to_play(rulebook: Rulebook) -> list[Section]:
    """The game on one screen."""
    known = dict(terms(rulebook))
    found = []
    for title, keys in NEWCOMERS:
        said = [key for key in keys if key in known]
        offered = known.get(f"{section_of(keys[0])}.offered")
        if offered is not None and not offered.value:
            said = said[:1]
        lines = [
            Entry(AIM if key == AIMED else phrase(key, known[key].value, rulebook), (key,), known[key].clauses)
            for key in said
        ]
        found.append(Section(title.lower(), title, lines))
    return found
