"""One finished round of a table as a `.round` record, for whoever may read it. Blocking, as all of the past is.

A record is read back and replayed before anybody gets it: one that does not lead to what was played is a fault of ours.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace as changed
from typing import Any, TypeAlias

from msgspec.structs import replace

from pitboss.basics.cards import JOKER, Card, CardError
from pitboss.basics.money import MoneyError
from pitboss.floor.hidden import SHUFFLED
from pitboss.floor.history import before_round, forward, opening_of
from pitboss.floor.host import ends_round, stream_of
from pitboss.floor.model import Opening
from pitboss.floor.pacing import told_until
from pitboss.floor.updates import PUBLIC
from pitboss.records import dumps, loads, replay
from pitboss.records.model import Record, RecordError
from pitboss.records.saving import Answer, plain_text, public_events, reaches_back, record_of
from pitboss.rulebooks import RulebookError
from pitboss.store.log import Log
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.apply import evolve
from pitboss.table.events import Event
from pitboss.table.house import DEVICE
from pitboss.table.patrons_book import patron_told
from pitboss.table.refusals import Refused
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table
from pitboss.table.views import HIDDEN, Viewer, cards_seen_by, seen_of_affairs

log_of_faults = logging.getLogger("pitboss.floor")

Played: TypeAlias = "list[tuple[AnyAct, Answer]]"
"""Acts and what the engine said to them."""

TITLE_MAX = 200
UNSAID = "..."
"""In the place of a reason that is somebody else's affair."""


class NoSuchRound(Exception):
    """There is no such round, or it is not finished: one sentence."""


class DoesNotReplay(Exception):
    """The record of a round would not lead to what was played: one sentence for whoever asked; the rest is logged."""


def record_of_round(log: Log, table: str, number: int, reader: str | None = None) -> str:
    """One finished round as a `.round` text that replays to the same events.

    A round that is laid again, or ended with a cut due, is told together with the next. For a `reader` who is a player
    others' chips, limits, restrictions and pauses are left out. Cards that nobody saw, burned ones among them, are
    others than they were: for a player always, for everybody until the table has shuffled anew.
    """
    opening = opening_of(log, table)
    if opening is None or number < 1:
        raise NoSuchRound(f"there is no round {number} of a table {table[:60]!r}.")
    first = number
    before, acts, end = _round_acts(log, table, opening, first, number)
    while first > 1 and reaches_back(before, acts):
        first -= 1
        before, acts, end = _round_acts(log, table, opening, first, number)
    name = plain_text(opening.name or table)[:TITLE_MAX]
    title = f"{name}, round {number}" if first == number else f"{name}, rounds {first} to {number}"
    hides = reader is not None or not _shuffled_since(log, table, end)
    if reader is not None:
        before, acts = _for_a_player(before, acts, reader)
    if hides:
        before, acts = _without_unseen(before, acts, PUBLIC if reader is None else Viewer("player", reader))
    try:
        record = record_of(before, acts, title=title)
        text = dumps(_filled(record, before) if hides else record)
        problem = _problem(text, acts, hides)
    except (RecordError, ValueError) as error:
        problem = str(error)
    if problem:
        log_of_faults.error(
            "a round does not replay as a record",
            extra={"table": table, "round": number, "reader": reader or "", "problem": problem[:500]},
        )
        said = f"round {number} of table {table[:60]} cannot be told as a record that replays"
        raise DoesNotReplay(f"{said}: this is a fault in Pitboss, it is logged, and the log itself is complete.")
    return text


def _problem(text: str, acts: Played, hides: bool) -> str:
    """Why a record does not lead to what was played; "" where it does.

    Where cards are hidden, a natural that lay face down in a round that was void before it was turned up is another
    hand in the record, whose turn came.
    """
    try:
        result = replay(loads(text))
    except (RecordError, CardError, MoneyError, RulebookError) as error:
        return str(error)
    except Refused as no:
        return str(no.refusal)
    if result.failures:
        return result.failures[0].text
    played = (event for _, answer in acts if isinstance(answer, tuple) for event in answer)
    shown, told = _kinds(result.events), _kinds(played)
    if hides:
        shown, told = ([kind for kind in kinds if kind != e.TurnCame.__name__] for kinds in (shown, told))
    if shown != told:
        return "it leads to other events than those that were played"
    return ""


def _kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in public_events(events)]


# --- what the reader may know ----------------------------------------------------------------------------------------


def _shuffled_since(log: Log, table: str, version: int) -> bool:
    """Whether the cards of a round lie in another order by now: until then what was burned is nobody's knowledge."""
    return any(SHUFFLED in entry.body for entry in log.read(stream_of(table), version))


def _for_a_player(before: Table, acts: Played, reader: str) -> tuple[Table, Played]:
    """The table and the acts without what this player could not know; every act is accepted as before.

    A loss limit is told where wagers went back because of it: how much they exceeded it everybody saw.
    """
    limited = {reader, *_named(acts, a.FindLossExcess)}
    viewer = Viewer("player", reader)
    shut: set[str] = set()
    told: Played = []
    table = before
    for act, answer in acts:
        after = evolve(table, answer) if isinstance(answer, tuple) else table
        if isinstance(act, a.TellPatron) and act.player != reader and isinstance(answer, tuple):
            told.append(_book_as_others_know_it(table, act, answer, limited, shut))
        elif _concerns(viewer, act, answer, limited):
            told.append(_as_others_saw(act, answer, reader))
        else:
            told += _arrivals(table, after)
        table = after
    known = {}
    for name, state in before.players.items():
        private: dict[str, Any] = {"chips_cents": None, "tokens_cents": 0} if before.house.counted else {}
        if name != reader:
            private |= {"chips_cents": None, "deposit_limit_cents": None, "barred": ""}
            private |= {"restriction": "", "minimum_only": False, "restricted_boxes": 0, "restriction_until": ""}
            private |= {"recognised": False, "restricted_before": False}
        if name not in limited:
            private |= {"loss_limit_cents": None, "paused": False}
        known[name] = replace(state, **private) if private else state
    disputes = tuple(each for each in before.disputes if each[0] == reader)
    if before.house.counted:  # others' chips are theirs to know, and without them nothing can be counted
        told = [(act, _uncounted(answer)) for act, answer in told if not isinstance(act, COUNTED_ONLY)]
        before = replace(before, house=replace(before.house, counted=False), in_tokens={})
    return replace(before, players=known, disputes=disputes), told


COUNTED_ONLY = (a.BringChips, a.TakeChips, a.CashChips)
"""Acts that there are only where chips are counted."""


def _uncounted(answer: Answer) -> Answer:
    if not isinstance(answer, tuple):
        return answer
    return tuple(event for event in answer if not isinstance(event, e.ChipsTaken))


def _concerns(viewer: Viewer, act: AnyAct, answer: Answer, limited: set[str]) -> bool:
    """Whether a player saw anything of an act; others' affairs are not in their record."""
    if not isinstance(answer, tuple) or not answer or isinstance(act, a.Shuffle | a.ClearJam | a.Mix):
        return True
    if isinstance(act, (a.PausePlayer, a.ReadmitPlayer)):
        return act.player in limited
    return any(seen_of_affairs(viewer, event) is not None for event in answer)


def _arrivals(before: Table, after: Table) -> Played:
    """Everybody saw who came to the table, if not why: let them have bought the least that can be wagered."""
    cents, clauses = after.house.minimum_cents, after.rulebook.wagers.means.clauses
    return [
        (a.BuyChips(name, cents), (e.ChipsBought(clauses, name, cents),))
        for name, state in after.players.items()
        if state.present and not (name in before.players and before.players[name].present)
    ]


def _as_others_saw(act: AnyAct, answer: Answer, reader: str) -> tuple[AnyAct, Answer]:
    """The act without why somebody else was barred."""
    if not isinstance(act, a.BarPlayer) or act.player == reader or not isinstance(answer, tuple):
        return act, answer
    kept = tuple(
        event
        for event in answer
        if not isinstance(event, e.PersonDetained)
        and not (isinstance(event, e.NoticeGiven) and event.to == "inspector")
    )
    return replace(act, reason=UNSAID, detained=False), kept


def _book_as_others_know_it(
    table: Table, act: a.TellPatron, answer: tuple[Event, ...], limited: set[str], shut: set[str]
) -> tuple[AnyAct, Answer]:
    """What everybody could see of what the patrons' book says of a person: that they play, or their wagers go back.

    A maximum of one's own stands on a sign. `shut`: of whom it has been told that they may not play.
    """
    went_back = any(isinstance(event, e.WagerReturned) for event in answer)
    known = a.TellPatron(act.player, maximum_cents=act.maximum_cents, minimum_cents=act.minimum_cents)
    if act.player in limited:
        known = replace(known, loss_left_cents=act.loss_left_cents, over_cents=act.over_cents, paused=act.paused)
    if went_back:
        shut.add(act.player)
        known = replace(known, card=act.card, excluded=act.excluded, barred=UNSAID if act.barred else "")
    elif act.admitted and act.player in shut:
        known = replace(known, admitted=True)
    return known, tuple(patron_told(table, known) if isinstance(each, e.PatronTold) else each for each in answer)


def _named(acts: Played, *kinds: type[Any]) -> set[str]:
    """The players of whom acts of these kinds speak."""
    return {getattr(act, "player", "") for act, _ in acts if isinstance(act, kinds)}


def _without_unseen(before: Table, acts: Played, viewer: Viewer) -> tuple[Table, Played]:
    """The table and the acts with `HIDDEN` for every card that was burned, or never turned up for this viewer."""
    unseen = _never_turned_up(before, acts, viewer)
    rack = list(before.rack)
    for card in before.burned:
        rack[rack.index(card)] = HIDDEN
    drawn = tuple(
        (HIDDEN if (-1, index) in unseen else card, exposed) for index, (card, exposed) in enumerate(before.error_cards)
    )
    shown: Played = [
        (act, tuple(_covered(event, (index, place) in unseen) for place, event in enumerate(answer)))
        if isinstance(answer, tuple)
        else (act, answer)
        for index, (act, answer) in enumerate(acts)
    ]
    return replace(before, rack=tuple(rack), burned=(HIDDEN,) * len(before.burned), error_cards=drawn), shown


def _covered(event: Event, unseen: bool) -> Event:
    if unseen or isinstance(event, e.CardBurned):
        covered: Event = replace(event, card=HIDDEN)
        return covered
    return event


def _never_turned_up(before: Table, acts: Played, viewer: Viewer) -> set[tuple[int, int]]:
    """Where cards left that this viewer never saw: the number of the act and of its event, -1 for before.

    They were drawn in error, unexposed, and not dealt, or lay face down in a round that ended before they were turned
    up. Cards that are laid again are those that had left before.
    """
    lying: list[tuple[int, int]] = [(-1, index) for index in range(len(before.error_cards))]
    unseen = {(-1, index) for index, (_, exposed) in enumerate(before.error_cards) if not exposed}
    left: list[tuple[Card, tuple[int, int]]] = []
    again: list[tuple[Card, tuple[int, int]]] = []
    down: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    taken_back = False
    table = before
    for index, (_, answer) in enumerate(acts):
        for place, event in enumerate(answer if isinstance(answer, tuple) else ()):
            table = evolve(table, (event,))
            card = (index, place)
            if isinstance(event, e.CardDrawnInError):
                lying.append(card)
                if not event.exposed:
                    unseen.add(card)
            elif isinstance(event, (e.CardDealt, e.CardMisplaced)):
                if isinstance(event, e.CardDealt) and event.from_error and lying:
                    card = lying.pop(0)
                elif isinstance(event, e.CardDealt) and (found := _taken(again, event.card)):
                    card = found
                left.append((event.card, card))
                seen = cards_seen_by(viewer, event, table)
                if getattr(seen, "card", HIDDEN) == HIDDEN:
                    unseen.add(card)
                    down[event.box].append(card)
                else:
                    unseen.discard(card)
            elif isinstance(event, e.CardBurned) and event.from_error and lying:
                lying.pop(0)
            elif isinstance(event, e.HandExposed):
                unseen.difference_update(down.pop(event.box, ()))
            elif isinstance(event, e.LayoutLeft):  # what stays on the hands is turned up
                for box in table.boxes:
                    unseen.difference_update(down.pop(box, ()))
            elif isinstance(event, e.RoundTakenBack):
                left, again, taken_back = [], left, True
                down.clear()
            elif isinstance(event, (e.RoundReconstructed, e.RoundReopened)):
                if isinstance(event, e.RoundReconstructed):
                    lying = []  # a surplus card that lies there now is exposed
                left, again = [], left[: len(event.after)]
                down.clear()
            elif isinstance(event, e.RoundBegan):
                left, again, taken_back = [], again if taken_back else [], False
                down.clear()
            if not table.error_cards:
                lying = []
            elif len(lying) < len(table.error_cards):  # set aside in front of the others, exposed
                lying = [(-2, 0)] * (len(table.error_cards) - len(lying)) + lying
    return unseen


def _taken(again: list[tuple[Card, tuple[int, int]]], card: Card) -> tuple[int, int] | None:
    """Where a card that is laid again left first."""
    for number, (known, place) in enumerate(again):
        if known == card:
            del again[number]
            return place
    return None


def _filled(record: Record, before: Table) -> Record:
    """The record with some card in the place of each hidden one, chosen by what everybody saw alone.

    Each is one that the decks still hold: of a shoe's stack, or of all that a device gave. None is an ace: a natural
    would have had to be turned up.
    """
    cards = tuple(dict.fromkeys(card for card in full_stack(before) if card != JOKER and card[0] != "A"))
    early = (*record.before.rack, *(card for card, _ in record.before.drawn_in_error))
    by_stack = [Counter(stack) for stack in record.stacks]
    by_stack[0].update(early)
    if record.house.source == DEVICE:
        by_stack = [sum(by_stack, Counter())] * len(by_stack)

    def some(card: Card, counts: Counter[Card]) -> Card:
        if card != HIDDEN:
            return card
        other = min(cards, key=counts.__getitem__)
        counts[other] += 1
        return other

    def fill(stack: Iterable[Card], counts: Counter[Card]) -> tuple[Card, ...]:
        return tuple(some(card, counts) for card in stack)

    rack = fill(record.before.rack, by_stack[0])
    drawn = tuple((some(card, by_stack[0]), exposed) for card, exposed in record.before.drawn_in_error)
    stacks = tuple(fill(stack, counts) for stack, counts in zip(record.stacks, by_stack, strict=True))
    return changed(record, stacks=stacks, before=changed(record.before, rack=rack, drawn_in_error=drawn))


# --- the log ---------------------------------------------------------------------------------------------------------


def _round_acts(log: Log, table: str, opening: Opening, first: int, last: int) -> tuple[Table, Played, int]:
    """The table before a round, the acts up to the end of another, and the version at which that ended."""
    moment = before_round(log, table, opening, first)
    before: Table | None = (
        moment.table if moment.rounds == first - 1 and moment.version == moment.round_version else None
    )
    acts: Played = []
    place = told_until(log, table)
    for _, now, act, events in forward(moment, log.read(stream_of(table), moment.version)):
        if place is not None and now.version >= place.version:
            break  # the dealer has not come so far
        if before is not None:
            acts.append((act, events))
        ended = ends_round(events)
        if ended and now.rounds == last and before is not None:
            return before, acts, now.version
        if ended and now.rounds == first - 1:
            before, acts = now.table, []
    raise NoSuchRound(f"round {last} of this table is not finished.")
