"""Saving what was played: a record of the last round or of the whole session that replays to the same events.

Only what the table's people could see is compared: `public_events` leaves out in which order the cards lay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from pitboss.basics.cards import JOKER, Card
from pitboss.ledger.guard import Guard
from pitboss.records.lines import HIGHEST_COUNT, TEXTS, format_act, parse, parse_line
from pitboss.records.model import ANY_CLAUSE, Before, Expect, Play, Record, RecordError, Standing
from pitboss.records.read import LARGEST_DOLLARS, LARGEST_FILE_BYTES, PLAYERS_CAP_MAX, REASON_MAX, loads
from pitboss.records.replay import net_of, replay
from pitboss.records.write import dumps
from pitboss.rulebooks.amend import variant_of
from pitboss.rulebooks.meanings import BARRED_FOR
from pitboss.rulebooks.terms import STUDY
from pitboss.table import events as e
from pitboss.table.acts import (
    AnyAct,
    BarPlayer,
    BeginSession,
    CapPlayers,
    ClearJam,
    FindWager,
    InvalidateRound,
    Mix,
    Notice,
    Reconstruct,
    SetLimits,
    Shuffle,
    VacateSeat,
    VoidEarlierRound,
)
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from pitboss.table.events import DEALER, Event
from pitboss.table.house import BLAZING, DEVICE, Patron
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.run import chips_left
from pitboss.table.session import SessionTerms
from pitboss.table.state import NOT_SHOWN, PlayerState, Table

Answer: TypeAlias = "tuple[Event, ...] | Refusal"
"""What the engine said to an act."""


def public_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Events without the order of the stack, which nobody sees and a record does not know."""
    return tuple(event for event in events if not isinstance(event, e.StackArranged))


def encoded(events: Iterable[Event]) -> bytes:
    """Public events as bytes: a saved record must give the same ones."""
    return msgspec.json.encode(public_events(events))


def reaches_back(before: Table, log: Iterable[tuple[AnyAct, Answer]]) -> bool:
    """Whether a record must tell the round before too: it is laid again, or was to be, or ended with a cut due.

    So it must where an earlier round is voided that is not among those told.
    """
    if before.preparation not in BEGINNINGS:
        return True
    begun = 0
    for act, answer in log:
        if not begun and (isinstance(act, Notice) or (isinstance(act, FindWager) and before.last_small)):
            return True
        if isinstance(act, VoidEarlierRound) and act.rounds_ago > 1 and begun < act.rounds_ago:
            return True
        if isinstance(answer, Refusal):
            if not begun and isinstance(act, Reconstruct):
                return True
            continue
        for event in answer:
            if isinstance(event, (e.RoundReopened, e.RoundTakenBack)):
                if not begun:
                    return True
                begun -= 1
            begun += isinstance(event, e.RoundBegan)
    return False


BEGINNINGS = ("ready", "shuffle")
"""How the cards may lie when a record begins."""


def _voids_the_last(log: Iterable[tuple[AnyAct, Answer]]) -> bool:
    """Whether the result of the round before matters: it is voided, or was to be."""
    return any(isinstance(act, (VoidEarlierRound, InvalidateRound)) for act, _ in log)


class Recorder:
    """Plays acts on a table and remembers them, so that they can be saved."""

    def __init__(self, table: Table) -> None:
        self.start = table
        self.table = table
        self.log: list[tuple[AnyAct, Answer]] = []
        self._guard = Guard()
        self._round_start = (0, table)
        self._last_round: tuple[int, int, Table] | None = None

    def play(self, *acts: AnyAct) -> tuple[Event, ...]:
        """Play acts; raises `Refused` with the table as it was, as the engine does, and remembers the refusal."""
        table = self.table
        log: list[tuple[AnyAct, Answer]] = []
        for act in acts:
            answer = decide(table, act)
            if isinstance(answer, Refusal):
                self.note(act, answer, self.table)
                raise Refused(answer)
            log.append((act, answer))
            table = evolve(table, answer)
        table = self.table
        events: list[Event] = []
        for act, answer in log:
            if not isinstance(answer, Refusal):
                table = evolve(table, answer)
                events.extend(answer)
            self.note(act, answer, table)
        return tuple(events)

    def note(self, act: AnyAct, answer: Answer, after: Table) -> None:
        """Remember an act that was played elsewhere: what the engine said to it, and the table after it.

        Where its money does not add up it is not remembered: raises a `Breach`.
        """
        if not isinstance(answer, Refusal):
            self._guard.pass_or_break(self.table, after, answer, act)
        self.log.append((act, answer))
        self.table = after
        if not isinstance(answer, Refusal) and any(isinstance(event, e.RoundEnded) for event in answer):
            first, table = self._round_start
            self._last_round = (first, len(self.log), table)
            self._round_start = (len(self.log), after)

    def session(self, title: str = "A whole session") -> Record:
        """A record of everything since the recorder began."""
        return record_of(self.start, self.log, title=title)

    def last_round(self, title: str = "One round") -> Record | None:
        """A record of the last finished round with what was done before it; None where none is finished.

        Where that round reaches back to the one before it, the whole session is needed to tell it.
        """
        if self._last_round is None:
            return None
        if reaches_back(self.last_round_table(), self.last_round_log()):
            return self.session(title)
        return record_of(self.last_round_table(), self.last_round_log(), title=title)

    def last_round_table(self) -> Table:
        """The table as it stood before the last finished round."""
        return self._last_round[2] if self._last_round else self.start

    def last_round_log(self) -> list[tuple[AnyAct, Answer]]:
        """The acts of the last finished round and what the engine said to them."""
        return self.log[self._last_round[0] : self._last_round[1]] if self._last_round else []


def record_of(before: Table, log: Sequence[tuple[AnyAct, Answer]], *, title: str) -> Record:
    """The record of what was played on a table that stood as `before`, between two rounds."""
    if before.phase != "wagers" or before.boxes or before.preparation not in BEGINNINGS:
        raise ValueError("a record begins between two rounds, with no wager on the table and no shuffle half done")
    before, log = _in_its_session(before, log)
    events = tuple(event for _, answer in log if not isinstance(answer, Refusal) for event in answer)
    after = evolve(before, events)
    net, old = net_of(after), net_of(before)
    won = {name: cents - old.get(name, 0) for name, cents in net.items()}
    house = replace(before.house, jackpot_cents=before.jackpot_cents)
    if before.device_down:
        house = replace(house, source=DEVICE)
    voids = _voids_the_last(log)
    offers_jackpot = BLAZING in house.side_bets
    return Record(
        title=title,
        rulebook=before.rulebook.id,
        clauses=tuple(dict.fromkeys(clause for event in events for clause in event.clauses)),
        stacks=_stacks(before, log),
        play=tuple(_plays(log, BARRED_FOR[before.rulebook.irregularities.barred_for.value])),
        house=house,
        new_shoe=before.fresh and before.preparation == "ready",
        start=before.preparation,
        cutting_card=before.cutting_at - before.position if before.cutting_at >= before.position else None,
        players={name: _patron(before, name) for name in before.players},
        standings={name: found for name in before.players if (found := _standing(before, name, voids)) != Standing()},
        before=_before(before, reshuffles=any(isinstance(event, e.CardsRanOut) for event in events)),
        variant=variant_of(before.rulebook),
        edition=before.rulebook.edition,
        amendments=tuple(layer for layer in before.rulebook.amendments if layer.kind != STUDY),
        session=_session(before),
        expect=Expect(won, _dealer(events), 0, after.jackpot_cents if offers_jackpot else None),
    )


def _in_its_session(
    before: Table, log: Sequence[tuple[AnyAct, Answer]]
) -> tuple[Table, Sequence[tuple[AnyAct, Answer]]]:
    """A record begins with the session of a tournament that is on: where one began in between, it begins there."""
    begun = [
        at for at, (act, answer) in enumerate(log) if isinstance(act, BeginSession) and not isinstance(answer, Refusal)
    ]
    if not begun:
        return before, log
    for _, answer in log[: begun[-1] + 1]:
        if not isinstance(answer, Refusal):
            before = evolve(before, answer)
    return before, log[begun[-1] + 1 :]


def _session(table: Table) -> SessionTerms | None:
    """The session as it stands now, as a record lays it down."""
    session = table.session
    if session is None:
        return None
    said = session.terms
    names = list(said.seats.values())
    chips = {name: chips_left(table, name) or 0 for name in names}
    return replace(
        said,
        held={name: cents for name, cents in chips.items() if cents != said.chips_cents},
        played=session.number,
        out=tuple(name for name in names if not session.has(name)),
        marker=session.marker,
        passes_left={name: left for name, left in session.passes.items() if left != said.pass_cards},
        forms_left={name: left for name, left in session.forms_left.items() if left != said.undisclosed},
        absent=dict(session.absent),
        warned=session.warned,
        seconds=session.seconds,
    )


def saved_text(record: Record) -> str:
    """The text of a record, read back and replayed: what is saved can be read, and holds.

    Raises a `RecordError` where it cannot, and then nothing is to be saved.
    """
    text = dumps(record)
    if len(text.encode()) > LARGEST_FILE_BYTES:
        raise RecordError(f"larger than {LARGEST_FILE_BYTES // 1_000_000} MB, no record is: save the last round only")
    failures = replay(loads(text)).failures
    if failures:
        raise RecordError(f"what was played cannot be told as a record that holds: {failures[0].text}")
    return text


def _plays(log: Sequence[tuple[AnyAct, Answer]], barred_for: frozenset[str]) -> Iterable[Play]:
    for act, answer in log:
        if isinstance(act, Mix):
            continue  # a record's cards are in the order in which they left the device
        draft = replace(act, order=()) if isinstance(act, (Shuffle, ClearJam)) else _in_plain_words(act)
        if isinstance(draft, BarPlayer) and not draft.breach and len(barred_for) == 1:
            said = replace(draft, breach=min(barred_for))  # an old log has the reason only
            draft = draft if isinstance(answer, Refusal) else said
        if isinstance(answer, Refusal):
            if not isinstance(act, (Shuffle, ClearJam)) and _can_be_said(draft):
                yield Play(draft, answer.clauses[0] if answer.clauses else ANY_CLAUSE)
        elif _can_be_said(draft):
            yield Play(draft)
        else:
            raise RecordError(f"no play line says {type(act).__name__} as it was played")


_JOINERS = {0x200C: None, 0x200D: None}
"""Signs without a width that join others or keep them apart."""


def plain_text(text: str) -> str:
    """What somebody said, as one line of a record can say it: single blanks, printable signs, and no arrow."""
    words = " ".join(text.translate(_JOINERS).split()).replace("=>", "->")
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words)
    return shown[:REASON_MAX].rstrip() or "..."


_COUNTS: dict[type[AnyAct], str] = {SetLimits: "notice_minutes", CapPlayers: "players", VacateSeat: "rounds"}
"""Numbers of which more than a line can say means no more, and less than nothing no less."""


def _in_plain_words(act: AnyAct) -> AnyAct:
    """The act with what was said in it as a play line can say it."""
    count = _COUNTS.get(type(act), "")
    if count and not 0 <= getattr(act, count) <= HIGHEST_COUNT:
        act = replace(act, **{count: min(max(0, getattr(act, count)), HIGHEST_COUNT)})
    for name in TEXTS.get(type(act), ()):
        said = getattr(act, name)
        if said and plain_text(said) != said:
            act = replace(act, **{name: plain_text(said)})
    return _as_it_counts(act) if isinstance(act, Notice) else act


def _as_it_counts(act: Notice) -> AnyAct:
    """What was noticed, without what does not belong to it and so changed nothing."""
    try:
        return parse(format_act(act))
    except RecordError:
        return act


def _can_be_said(act: AnyAct) -> bool:
    """Whether a play line can say the act: a program may ask for a box or an amount that nobody would."""
    try:
        return parse_line(format_act(act)) == (act, None)
    except (RecordError, TypeError, OverflowError):
        return False


def _stacks(before: Table, log: Sequence[tuple[AnyAct, Answer]]) -> tuple[tuple[Card, ...], ...]:
    """The cards that left, a new stack for each shuffle."""
    stacks: list[list[Card]] = [[]] if before.preparation == "ready" else []
    again = ran_out = 0
    for act, answer in log:
        if isinstance(answer, Refusal):
            continue
        if isinstance(act, (Shuffle, ClearJam)):
            stacks.append([])
            again = 0
        if stacks:
            again = _draw(stacks[-1], answer, again)
        if any(isinstance(event, e.CardsRanOut) for event in answer):
            ran_out = len(stacks)
    if ran_out and ran_out == len(stacks):
        stacks.append([])  # nobody shuffled any more: the round was void
    return tuple(tuple(stack) for stack in stacks) or ((),)


def _draw(stack: list[Card], events: Iterable[Event], again: int) -> int:
    """Put what left on the stack; the cards of a round that is rebuilt (`again` of them) are laid once more."""
    for event in events:
        if isinstance(event, (e.CardDealt, e.CardBurned, e.CardMisplaced)) and event.from_error:
            continue
        if isinstance(event, (e.CardDealt, e.CardBurned)):
            if again:
                again -= 1
            else:
                stack.append(event.card)
        elif isinstance(event, e.JokerShown):
            if again:
                again -= 1
            else:
                stack.append(JOKER)
        elif isinstance(event, (e.CardDrawnInError, e.CardMisplaced)):
            if again:
                again -= 1
            else:
                stack.append(event.card)
        elif isinstance(event, e.WrongCardRemoved):
            if again:
                again -= 1
            elif not event.from_error:
                stack.append(event.card)
        elif isinstance(event, e.CardsBurnedOpen):
            stack.extend(event.cards[again:])
            again = max(0, again - len(event.cards))
        elif isinstance(event, e.RoundReconstructed):
            again = len(event.after)
        elif isinstance(event, e.RoundReopened):
            again = len(event.cards)
        elif isinstance(event, e.RoundTakenBack):
            again += len(event.cards) - event.extra
        elif isinstance(event, e.CardsSetAside):
            stack.extend(event.cards[again:])
            again = 0
    return again


def _dealer(events: Iterable[Event]) -> tuple[Card, ...] | None:
    """The dealer's cards of the last round; None where no round was dealt."""
    cards: tuple[Card, ...] | None = None
    for event in events:
        if isinstance(event, e.RoundBegan):
            cards = ()
        elif isinstance(event, e.CardDealt) and event.box == DEALER:
            cards = (*(cards or ()), event.card)
        elif isinstance(event, e.LayoutLeft):
            cards = event.dealer
    return cards


# --- the state that a round begins with ------------------------------------------------------------------------------


def _patron(table: Table, name: str) -> Patron:
    """What a player has left of their chips and limits now; in a session, that says what chips they have."""
    state, net = table.players[name], table.net.get(name, 0)
    if table.session is not None and name in table.session.terms.seats.values():
        return Patron(
            card=state.card,
            loss_limit_cents=_left(state.loss_limit_cents, net),
            deposit_limit_cents=_left(state.deposit_limit_cents),
            recognised=state.recognised,
            restricted_before=state.restricted_before,
        )
    return Patron(
        seat=state.seat or None,
        card=state.card,
        chips_cents=_left(state.chips_cents, net),
        tokens_cents=state.tokens_cents,
        loss_limit_cents=_left(state.loss_limit_cents, net),
        deposit_limit_cents=_left(state.deposit_limit_cents),
        recognised=state.recognised,
        restricted_before=state.restricted_before,
    )


def _left(cents: int | None, net: int = 0) -> int | None:
    """What is left of an amount; more than a record can say is enough for anything."""
    return None if cents is None else min(max(0, cents + net), 100 * LARGEST_DOLLARS)


def _standing(table: Table, name: str, voids: bool) -> Standing:
    state: PlayerState = table.players[name]
    played = table.played.get(name, 0)
    limited = state.loss_limit_cents is not None
    return Standing(
        present=None if state.present == bool(state.seat) else state.present,
        minimum_cents=state.minimum_cents,
        maximum_cents=state.maximum_cents,
        restricted=state.restriction,
        cover_splits=state.cover_splits,
        boxes=state.boxes_limit,
        reserved=tuple(box for box, owner in sorted(table.reserved.items()) if owner == name),
        warned=state.warned,
        card_due=state.card_due,
        played=tuple(number + 1 for number in range(played.bit_length()) if played >> number & 1),
        place=table.places.get(name, 0),
        barred=plain_text(state.barred) if state.barred else "",
        excluded=state.excluded,
        paused=state.paused,
        dispute=dict(table.disputes).get(name, ""),
        last_cents=table.last_results.get(name) if voids else None,
        last_final_cents=table.last_final.get(name) if voids else None,
        last_staked_cents=table.last_staked.get(name) if voids else None,
        over_cents=max(0, -(state.loss_limit_cents or 0) - table.net.get(name, 0)) if limited else 0,
    )


def _before(table: Table, *, reshuffles: bool) -> Before:
    """The discards matter to a device, and where a round had to be finished with them."""
    in_device = table.house.source == DEVICE
    shuffling = table.preparation == "shuffle"
    failed = shuffling and table.shuffle_reason in ("malfunction", "insufficient")
    rack = list(table.rack)
    if in_device:  # the burned ones first
        for card in table.burned:
            rack.remove(card)
        rack[:0] = table.burned
    return Before(
        rounds=table.shoe_round,
        rack=tuple(rack) if in_device or reshuffles or failed else (),
        burned=len(table.burned) if in_device else 0,
        final_rounds=None if table.final_rounds < 0 else table.final_rounds,
        players_cap=min(table.players_cap, PLAYERS_CAP_MAX),
        box_cap=table.box_cap,
        closed=table.side_restricted,
        shuffle_reason=table.shuffle_reason if shuffling and table.shuffle_reason != "start" else "",
        cutting_card_came=None if table.cutting_shown == NOT_SHOWN else table.cutting_shown,
        cutting_player=table.cutting_player,
        minimum_raised=table.minimum_raised,
        jackpot_down=table.jackpot_down,
        drawn_in_error=table.error_cards,
        approval_due=table.approval_due,
        shuffle_after=table.shuffle_after,
        discards_forgotten=bool(table.discards_forgotten),
        device_down=table.device_down,
        new_cards_due=table.new_cards_due,
        checks_due=table.checks_due,
    )
