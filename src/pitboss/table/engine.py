"""The only door: a table and an act in, events or a refusal out. No clock, no chance, no input or output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.basics.cards import Card, parse_cards
from pitboss.rulebooks import load
from pitboss.rulebooks.meanings import unanswered, vocabularies
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import blazing_sevens as blazing
from pitboss.table import (
    conduct,
    device,
    doubling,
    initial_deal,
    insurance,
    limits,
    patrons_book,
    shuffle_and_cut,
    splitting,
    subsequent_deal,
    supervision,
    surrender,
    wagers,
)
from pitboss.table.acts import Act
from pitboss.table.apply import APPLY, COUNTING, evolve
from pitboss.table.belonging import is_suspect
from pitboss.table.chapters import CHAPTERS
from pitboss.table.compiled import compiled_for
from pitboss.table.course import advance, go_on
from pitboss.table.declaring import DECLARED
from pitboss.table.events import Event
from pitboss.table.house import House, Patron, default_house, refuse_house, refuse_patron
from pitboss.table.irregularities import (
    forgotten_steps,
    hindsight,
    misdeals,
    money,
    people,
    reports,
    short_hands,
    stray_cards,
    voids,
    waiting,
)
from pitboss.table.refusals import Refusal, Refused, broken_unless
from pitboss.table.run import Run, no
from pitboss.table.state import NO_CUTTING_CARD, PlayerState, Table, draft, take_date
from pitboss.table.tournament_play import forms, rounds, sessions

__all__ = ["decide", "evolve", "open_table", "play", "refusal"]

MARKED_IN = (
    blazing, conduct, device, doubling, forgotten_steps, hindsight, initial_deal, insurance, limits, misdeals, money,
    patrons_book, people, reports, short_hands, shuffle_and_cut, splitting, stray_cards, subsequent_deal, supervision,
    surrender, voids, wagers, forms, sessions,
)  # fmt: skip
"""The chapters in which the functions behind acts are marked (`carries_out`)."""
broken_unless(
    {act.__name__ for act in CHAPTERS} == set(DECLARED),
    f"no chapter carries out {', '.join(set(DECLARED) - {act.__name__ for act in CHAPTERS})}",
)
broken_unless(not unanswered(vocabularies()), "; ".join(unanswered(vocabularies())))


def refusal(table: Table, act: Act) -> Refusal | None:
    """Why the act is not allowed now, or None if it is. Buttons, replay and `decide` all ask this."""
    if table.halted:
        refused = waiting.refuse_while_waiting(table, act)
        if refused is not None:
            return refused
    return CHAPTERS[type(act)][0](table, act)


def decide(table: Table, act: Act) -> tuple[Event, ...] | Refusal:
    """What comes of an act: events, or a refusal that changes nothing. The table is untouched."""
    refused = refusal(table, act)
    if refused is not None:
        return refused
    run = Run.on(new := draft(table))
    CHAPTERS[type(act)][1](run, act)
    if new.phase != "wagers":
        if new.pending:
            go_on(run)
        else:
            advance(run)
    if new.session is not None and new.session.over:
        rounds.follow(run)
    return tuple(run.events)


def play(table: Table, *acts: Act) -> tuple[Table, tuple[Event, ...]]:
    """The table after these acts and what happened; raises `Refused` at the first that is not allowed."""
    new = draft(table)
    run = Run(new, COUNTING if new.house.counted else APPLY)  # as `Run.on`
    for act in acts:
        refuse, carry_out = CHAPTERS[type(act)]
        refused = refusal(new, act) if new.halted else refuse(new, act)
        if refused is not None:
            raise Refused(refused)
        carry_out(run, act)
        if new.phase != "wagers":
            if new.pending:
                go_on(run)
            else:
                advance(run)
        if new.session is not None and new.session.over:
            rounds.follow(run)
    return new, tuple(run.events)


def open_table(
    rulebook: str | Rulebook,
    *,
    cards: str | Sequence[Card] | None = None,
    house: House | None = None,
    players: Mapping[str, Patron] | None = None,
    new_shoe: bool = False,
    start: str = "ready",
    cutting_card: int | None = None,
    again: bool = False,
    any_cards: bool = False,
) -> Table:
    """A table under a rulebook.

    With `cards` they leave in that order (as in a record); without, the table wants a `Shuffle` first. One of them that
    does not belong to the decks is found when it appears, unless the table does not mind (`any_cards`: a study).
    Raises `Refused` where the rulebook does not let the house open such a table; not for one that was opened before
    (`again`).
    """
    book = load(rulebook) if isinstance(rulebook, str) else rulebook
    house = default_house(book) if house is None else house
    refused = None if again else refuse_house(book, house)
    if refused is not None:
        raise Refused(refused)
    house = msgspec.structs.replace(house, chips_cents=tuple(sorted(set(house.chips_cents))))
    states: dict[str, PlayerState] = {}
    for name, patron in (players or {}).items():
        states[name] = PlayerState(
            seat=patron.seat or 0,
            present=patron.seat is not None,
            card=patron.card,
            chips_cents=0 if patron.chips_cents is None and house.counted else patron.chips_cents,
            tokens_cents=patron.tokens_cents if house.counted else 0,
            loss_limit_cents=patron.loss_limit_cents,
            deposit_limit_cents=patron.deposit_limit_cents,
            recognised=patron.recognised,
            restricted_before=patron.restricted_before,
        )
    table = Table(
        book,
        house,
        compiled_for(book),
        states,
        dict.fromkeys(states, 0),
        max(house.jackpot_cents, house.jackpot_minimum_cents),
        fresh=new_shoe,
        cutting_at=NO_CUTTING_CARD if cutting_card is None else cutting_card,
    )
    take_date(table, house.date)
    for name, state in states.items():
        bad = None
        if not wagers.is_name(name):
            bad = no(table, book.boxes.players_max.clauses, f"{name!r} cannot be a player's name.")
        if bad is None and state.seat and not 1 <= state.seat <= house.boxes:
            bad = no(table, book.boxes.number.clauses, f"{name} cannot sit at box {state.seat}.")
        if bad is None and state.seat and sum(other.seat == state.seat for other in states.values()) > 1:
            bad = no(table, table.compiled.control, f"two players are seated at box {state.seat}.")
        if bad is None and players is not None:
            bad = refuse_patron(book, name, players[name])
        if bad is not None and not again:
            raise Refused(bad)
    if cards is None:
        table.preparation, table.shuffle_reason = "shuffle", "start"
        return table
    table.arranged = True
    table.stack = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
    if start == "shuffle":
        table.stack = ()
        table.preparation, table.shuffle_reason = "shuffle", "start"
    table.suspect = not any_cards and is_suspect(table, table.stack)
    return table
