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
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.apply import evolve
from pitboss.table.chapters import CHAPTERS
from pitboss.table.compiled import compiled_for
from pitboss.table.dealers_hand import draw_dealer
from pitboss.table.declaring import DECLARED
from pitboss.table.events import Event
from pitboss.table.final_settlement import settle_all
from pitboss.table.house import House, Patron, default_house, refuse_house, refuse_patron
from pitboss.table.interim_settlement import settle_naturals
from pitboss.table.irregularities import (
    forgotten_steps,
    misdeals,
    money,
    people,
    reports,
    short_hands,
    stray_cards,
    voids,
    waiting,
)
from pitboss.table.pairs import settle_pairs
from pitboss.table.refusals import Refusal, Refused, broken_unless
from pitboss.table.run import Run, no
from pitboss.table.state import NO_CUTTING_CARD, PlayerState, Table, draft, take_date

__all__ = ["decide", "evolve", "open_table", "play", "refusal"]

MARKED_IN = (
    blazing, conduct, device, doubling, forgotten_steps, initial_deal, insurance, limits, misdeals, money, patrons_book,
    people, reports, short_hands, shuffle_and_cut, splitting, stray_cards, subsequent_deal, supervision, surrender,
    voids, wagers,
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
    run = Run(draft(table))
    CHAPTERS[type(act)][1](run, act)
    if run.table.phase != "wagers":
        advance(run)
    return tuple(run.events)


def play(table: Table, *acts: Act) -> tuple[Table, tuple[Event, ...]]:
    """The table after these acts and what happened; raises `Refused` at the first that is not allowed."""
    new = draft(table)
    run = Run(new)
    for act in acts:
        refuse, carry_out = CHAPTERS[type(act)]
        refused = refusal(new, act) if new.halted else refuse(new, act)
        if refused is not None:
            raise Refused(refused)
        carry_out(run, act)
        if new.phase != "wagers":
            advance(run)
    return new, tuple(run.events)


def advance(run: Run) -> None:
    """Everything without a choice, in the order of play, until somebody must decide."""
    table = run.table
    if table.preparation != "ready" or table.halted:
        return
    if table.fresh and table.compiled.burns:
        initial_deal.burn(run)
    phase = table.phase
    if phase in BEFORE_PLAY:
        if not open_play(run, phase):
            return
        phase = "play"
    if phase == "play":
        if table.dealer_late and table.noticed == "in-turn" and short_hands.late_dealer_card_waits(run):
            return
        if subsequent_deal.play_on(run):
            return
        if table.dealer_late and short_hands.late_dealer_card_waits(run):
            return
        if not draw_dealer(run):
            return
        phase = "settling"
    if phase in AFTER_PLAY:
        if subsequent_deal.unfinished(table) and short_hands.late_hand_waits(run):
            return
        settle_all(run)


BEFORE_PLAY = ("dealing", "interim")
AFTER_PLAY = ("settling", "late")


def open_play(run: Run, phase: str) -> bool:
    """From the first card to the first decision on a hand; False where somebody must decide before it."""
    table = run.table
    compiled = table.compiled
    if phase == "dealing":
        if not table.noticed and not initial_deal.deal_initial_cards(run):
            return False
        if table.rack and compiled.device_returns_early:
            initial_deal.return_discards(run)
        if table.house.face_down and initial_deal.must_expose(table):
            return False
        settle_pairs(run)
        if (table.jackpot_wagers or table.jackpot_waiting) and not blazing.settle_blazing(run):
            return False
        if compiled.insurance and insurance.insurance_is_due(table):
            run.emit(e.InsuranceOffered(table.rulebook.insurance.dealer_ranks.clauses))
            return False
    settle_naturals(run)
    if compiled.surrender and surrender.surrender_is_due(table):
        run.emit(e.SurrenderOffered(table.rulebook.surrender.dealer_ranks.clauses))
        return False
    return True


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
) -> Table:
    """A table under a rulebook.

    With `cards` they leave in that order (as in a record); without, the table wants a `Shuffle` first. Raises `Refused`
    where the rulebook does not let the house open such a table; not for one that was opened before (`again`).
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
            chips_cents=patron.chips_cents,
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
    return table
