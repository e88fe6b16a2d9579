"""Playing a record on the real engine, and saying whether what it expects came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from pitboss.basics.cards import Card, format_cards
from pitboss.basics.money import dollars
from pitboss.ledger.guard import Guard
from pitboss.records.lines import format_act
from pitboss.records.model import ANY_CLAUSE, UNSAID_BOX, Play, Record, RecordError, quoted, rulebook_of
from pitboss.rulebooks.clauses import cite, find, is_within
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import events as e
from pitboss.table.acts import NOTICED_LATER, AnyAct, BeginSession, ClearJam, Notice, Shuffle, VoidEarlierRound
from pitboss.table.apply import evolve
from pitboss.table.belonging import is_suspect
from pitboss.table.decisions import FOUND
from pitboss.table.engine import decide, open_table
from pitboss.table.events import DEALER, Event
from pitboss.table.house import SHOE
from pitboss.table.irregularities.misdeals import cards_of
from pitboss.table.refusals import Refusal
from pitboss.table.state import Box, PlayerState, Table, snapshot

UNSEEN_IN_ITS_ROUND = ("drawn", "burned")
"""Errors of a card that was rightly the next one, or dealt to nobody: nothing follows from them in a later round."""


@dataclass(frozen=True, slots=True)
class Step:
    """One play line and what came of it."""

    play: Play
    act: AnyAct
    """The act as it was asked for, with its box and its cards."""
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that the record expects and that did not come."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """What came of a record."""

    record: Record
    rulebook: Rulebook
    steps: tuple[Step, ...]
    failures: tuple[Failure, ...]
    net_cents: Mapping[str, int]
    dealer: tuple[Card, ...]
    """The dealer's cards of the last round."""
    left: int
    """Cards of the record that were not drawn."""
    table: Table

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for step in self.steps for event in step.events)

    @property
    def warnings(self) -> tuple[Failure, ...]:
        """Clauses that the record names and its document does not have: nothing fails, but a reader is misled."""
        return tuple(unknown_clauses(self.record))


def unknown_clauses(record: Record) -> Iterator[Failure]:
    """What the record says of clauses that are nowhere in its rulebook's register."""
    for clause in dict.fromkeys(record.clauses):
        if not find(record.rulebook, clause):
            yield Failure(0, f"clauses: {record.rulebook} has no clause {quoted(clause)}")
    for play in record.play:
        if play.refused and play.refused != ANY_CLAUSE and not find(record.rulebook, play.refused):
            said = quoted(format_act(play.act))
            yield Failure(play.line, f"{said} => refused: {record.rulebook} has no clause {quoted(play.refused)}")


def open_record(record: Record) -> Table:
    """The table as it stands before the first play line."""
    rulebook = rulebook_of(record)
    shuffled_first = record.start == "shuffle"
    table = open_table(
        rulebook,
        cards=() if shuffled_first else record.stacks[0],
        house=record.house,
        players=dict(record.players),
        new_shoe=record.new_shoe,
        start=record.start,
        cutting_card=record.cutting_card,
    )
    return _carry(record, rulebook, table)


def _carry(record: Record, rulebook: Rulebook, table: Table) -> Table:
    """Put the table where a session stood when the record begins in the middle of one."""
    before = record.before
    changes: dict[str, Any] = {
        "shoe_round": before.rounds,
        "rack": before.rack,
        "burned": before.rack[: before.burned],
        "players_cap": before.players_cap,
        "box_cap": before.box_cap,
        "side_restricted": before.closed,
        "cutting_player": before.cutting_player,
        "minimum_raised": before.minimum_raised,
        "jackpot_down": before.jackpot_down,
        "error_cards": before.drawn_in_error,
        "approval_due": before.approval_due,
        "halted": bool(before.approval_due),
        "shuffle_after": before.shuffle_after,
        "discards_forgotten": int(before.discards_forgotten),
        "device_down": before.device_down,
        "new_cards_due": before.new_cards_due,
        "checks_due": before.checks_due,
    }
    if before.device_down:
        changes["house"] = replace(table.house, source=SHOE)
    if before.final_rounds is not None:
        changes["final_rounds"] = before.final_rounds
    if before.shuffle_reason:
        changes["shuffle_reason"] = before.shuffle_reason
    if before.cutting_card_came is not None:
        changes["cutting_shown"] = before.cutting_card_came
        changes["cut_from"] = before.cutting_card_came
    if record.standings:
        changes["players"] = {**table.players}
        changes["played"] = {**table.played}
        changes["reserved"] = {**table.reserved}
        changes["places"] = {name: standing.place for name, standing in record.standings.items() if standing.place}
        changes["disputes"] = tuple((name, each.dispute) for name, each in record.standings.items() if each.dispute)
        changes["last_results"] = _said(record, "last_cents")
        changes["last_final"] = _said(record, "last_final_cents")
        changes["last_staked"] = _said(record, "last_staked_cents")
    for name, standing in record.standings.items():
        state = changes["players"].get(name, PlayerState())
        rule = next((rule for rule in rulebook.limits.restrictions.value if rule.name == standing.restricted), None)
        changes["players"][name] = replace(
            state,
            present=state.present if standing.present is None else standing.present,
            minimum_cents=standing.minimum_cents,
            maximum_cents=standing.maximum_cents,
            cover_splits=standing.cover_splits,
            boxes_limit=standing.boxes,
            warned=standing.warned,
            card_due=standing.card_due,
            loss_limit_cents=None if state.loss_limit_cents is None else state.loss_limit_cents - standing.over_cents,
            barred=standing.barred,
            excluded=standing.excluded,
            paused=standing.paused,
            restriction=standing.restricted,
            minimum_only=rule is not None and rule.minimum_only,
            restricted_boxes=rule.boxes_max if rule is not None else 0,
            restriction_until=rule.until if rule is not None else "",
        )
        if standing.played:
            changes["played"][name] = sum(1 << (number - 1) for number in standing.played)
        changes["reserved"].update(dict.fromkeys(standing.reserved, name))
    carried = replace(table, **changes)
    carried.suspect = is_suspect(carried, carried.stack)
    if record.session is None:
        return carried
    begun = decide(carried, BeginSession("casino-supervisor", record.session))
    if isinstance(begun, Refusal):
        raise RecordError(f"session: {begun}", file=record.file)
    return evolve(carried, begun)


def _said(record: Record, name: str) -> dict[str, int]:
    """An amount of each player of whom it is said."""
    found = {player: getattr(standing, name) for player, standing in record.standings.items()}
    return {player: cents for player, cents in found.items() if cents is not None}


def replay(record: Record) -> ReplayResult:
    """Play a record; raises `RecordError` where it cannot be true, and reports everything else as failures."""
    return _Replay(record).run()


class _Replay:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.table = open_record(record)
        self.guard = Guard()
        self.stack = 0 if record.start == "shuffle" else 1
        """The next stack that a shuffle takes."""
        self.steps: list[Step] = []
        self.failures: list[Failure] = []
        self.dealer: tuple[Card, ...] = ()
        self.drawn = 0
        """How many discards were shuffled to finish a round; 0 where the stack is whole decks."""
        self.began = 0
        """Rounds that have begun."""
        self.again = False
        """The round that begins next is one that was taken back."""
        self.moments: list[tuple[int, int, int]] = []
        """After each line: the round of the next card, how many of its cards had left, and how many decisions were
        made."""

    def run(self) -> ReplayResult:
        for play in self.record.play:
            if not self.step(play):
                break
            self.moments.append(self.moment())
        else:
            self.finish()
        return ReplayResult(
            record=self.record,
            rulebook=self.table.rulebook,
            steps=tuple(self.steps),
            failures=tuple(self.failures),
            net_cents=self.net(),
            dealer=self.dealer,
            left=self.left(),
            table=self.table,
        )

    # --- one line ---

    def step(self, play: Play) -> bool:
        """Play one line; False where it makes no sense to go on."""
        act, wanted = self.completed(play)
        before = snapshot(self.table) if play.refused else None
        answer = decide(self.table, act)
        if before is not None and before != snapshot(self.table):
            self.fail(play.line, f"{quoted(format_act(play.act))} changed the table although it was only asked")
        if isinstance(answer, Refusal):
            self.steps.append(Step(play, act, refusal=answer))
            return self.refused(play, wanted, answer)
        self.steps.append(Step(play, act, answer))
        if play.refused:
            said = quoted(format_act(play.act))
            self.fail(play.line, f"{said} was expected to be refused by {play.refused}, and was not")
        after = evolve(self.table, answer)
        where = f"{self.record.file}:{play.line}: {quoted(format_act(play.act))}: "
        self.guard.pass_or_break(self.table, after, answer, act, where)
        self.table = after
        if isinstance(act, (Shuffle, ClearJam)):
            self.stack += 1
        for event in answer:
            self.note(event)
        if any(isinstance(event, e.CardsRanOut) for event in answer) and self.stack >= len(self.record.stacks):
            self.fail(play.line, f"{quoted(format_act(play.act))} needs another card, and there is none in cards")
            return False
        return True

    def refused(self, play: Play, wanted: str | None, refusal: Refusal) -> bool:
        if wanted is None:
            self.fail(play.line, f"{quoted(format_act(play.act))} was refused. {refusal}")
        elif wanted != ANY_CLAUSE and not any(is_within(clause, wanted) for clause in refusal.clauses):
            said = quoted(format_act(play.act))
            self.fail(
                play.line, f"{said} was to be refused by {wanted}, but was by {cite(refusal.clauses)}: {refusal.text}"
            )
        return True

    def completed(self, play: Play) -> tuple[AnyAct, str | None]:
        """The act with what its line leaves to the table, and by which clause it must be refused."""
        act: Any = play.act
        if isinstance(act, (Shuffle, ClearJam)):
            if self.stack < len(self.record.stacks):
                return replace(act, order=self.record.stacks[self.stack]), play.refused
            if play.refused is None:
                raise self.error(play, "no stack is left to shuffle. Put a / into cards, and the new stack after it")
        elif isinstance(act, Notice) and act.line:
            return self.noticed(play, act), play.refused
        elif getattr(act, "box", None) == UNSAID_BOX:
            boxes = boxes_of(self.table, act.player)
            if len(boxes) == 1:
                return replace(act, box=boxes[0]), play.refused
            if boxes:
                shown = " and ".join(map(str, boxes))
                raise self.error(play, f"{act.player} has wagers on boxes {shown}: say on which, as in on {boxes[0]}")
            if play.refused is None:
                raise self.error(play, f"{act.player} has no wager at this moment: say on which box, as in on 1")
            return replace(act, box=self.table.turn_box or 1), ANY_CLAUSE
        return act, play.refused

    def moment(self) -> tuple[int, int, int]:
        """The round in which the next card leaves, and how far it has come."""
        if self.table.phase == "wagers":
            return self.began + 1, 0, 0
        return self.began, *self.moment_now()

    def moment_now(self) -> tuple[int, int]:
        memo = self.table.opened
        return 0 if memo is None else len(cards_of(self.table, memo)), len(self.table.decisions)

    def noticed(self, play: Play, act: Notice) -> Notice | VoidEarlierRound:
        """What was noticed afterwards, with the card or the decision that came next after the line it names.

        A card dealt wrongly in an earlier round is for the rule on such rounds: they stand, or that one is void.
        """
        if act.line > len(self.moments):
            raise self.error(play, f"line {act.line} of the play has not been played yet")
        began, cards, decisions = self.moments[act.line - 1]
        if began < self.began:
            if act.what in UNSEEN_IN_ITS_ROUND:
                raise self.error(play, f"line {act.line} of the play belongs to an earlier round")
            ago = self.began - began + (self.table.phase == "wagers")
            return VoidEarlierRound(act.by, ago, act.reason or NOTICED_LATER[act.what])
        if began > self.began:  # no card has left since
            cards, decisions = self.moment_now()
        if act.what == "left-out":
            known = self.table.decisions
            while decisions < len(known) and known[decisions].what in FOUND:
                decisions += 1
            return replace(act, decision=decisions + 1, line=0)
        return replace(act, card=cards + 1, line=0)

    def note(self, event: Event) -> None:
        if isinstance(event, e.RoundBegan):
            self.dealer = ()
            self.began += not self.again
            self.again = False
        elif isinstance(event, e.CardDealt):
            self.drawn += not event.from_error
            if event.box == DEALER:
                self.dealer = (*self.dealer, event.card)
        elif isinstance(event, e.CardBurned):
            self.drawn += not event.from_error
        elif isinstance(event, (e.JokerShown, e.CardDrawnInError)):
            self.drawn += 1
        elif isinstance(event, (e.CardMisplaced, e.WrongCardRemoved)):
            self.drawn += not event.from_error
        elif isinstance(event, (e.CardsBurnedOpen, e.CardsSetAside)):
            self.drawn += len(event.cards)
        elif isinstance(event, e.RoundReconstructed):
            self.drawn -= len(event.after)
        elif isinstance(event, e.RoundReopened):
            self.drawn -= len(event.cards)
        elif isinstance(event, e.RoundTakenBack):
            self.drawn -= len(event.cards) - event.extra
            self.again = True
        elif isinstance(event, e.LayoutLeft):
            self.dealer = event.dealer

    # --- the end ---

    def finish(self) -> None:
        record, expect = self.record, self.record.expect
        if self.table.phase != "wagers" and not nothing_left(self.table):
            last = record.play[-1].line if record.play else 0
            self.fail(last, f"the record ends in the middle of a round: {_waiting(self.table)}")
        net = self.net()
        for name, cents in expect.net_cents.items():
            got = net.get(name, 0)
            if got != cents:
                unknown = "" if name in net else f", {name} never played"
                self.fail(
                    expect.lines.get(f"net.{name}", 0), f"net of {name}: {dollars(got)}, not {dollars(cents)}{unknown}"
                )
        if expect.dealer is not None and expect.dealer != self.dealer:
            got_cards = format_cards(self.dealer) or "none"
            wanted = format_cards(expect.dealer) or "none"
            self.fail(expect.lines.get("dealer", 0), f"dealer's cards: {got_cards}, not {wanted}")
        if expect.left is not None and expect.left != self.left():
            self.fail(expect.lines.get("left", 0), f"cards left: {self.left()}, not {expect.left}")
        if expect.jackpot_cents is not None and expect.jackpot_cents != self.table.jackpot_cents:
            stands = dollars(self.table.jackpot_cents)
            self.fail(expect.lines.get("jackpot", 0), f"jackpot: {stands}, not {dollars(expect.jackpot_cents)}")

    def net(self) -> dict[str, int]:
        """What everybody won or lost; a wager that waits for its first card is still its owner's."""
        return net_of(self.table)

    def left(self) -> int:
        return sum(len(stack) for stack in self.record.stacks) - self.drawn

    def fail(self, line: int, text: str) -> None:
        self.failures.append(Failure(line, text))

    def error(self, play: Play, reason: str) -> RecordError:
        return RecordError(f"{quoted(format_act(play.act))}: {reason}", file=self.record.file, line=play.line)


def nothing_left(table: Table) -> bool:
    """Whether a round has only a shuffle to come: everybody has taken their wagers back (NSW pontoon 18.5.1)."""
    wagers = [wager for box in table.boxes.values() for hand in box.hands for wager in hand.wagers.values()]
    return table.preparation != "ready" and bool(wagers) and all(wager.settled for wager in wagers)


def net_of(table: Table) -> dict[str, int]:
    """Cents won or lost by player, wagers that nothing has been dealt to not counted as gone."""
    net = dict(table.net)
    if table.phase == "wagers":
        for box in table.boxes.values():
            for player, cents in _placed(box):
                net[player] += cents
    return net


def _placed(box: Box) -> Iterator[tuple[str, int]]:
    for player, wager in box.wagers.items():
        yield player, wager.cents
    for side in box.side.values():
        yield from side.items()


def boxes_of(table: Table, player: str) -> list[int]:
    """The boxes on which a player has a wager; where all are settled, those that they had one on in this round.

    In a session of a tournament everybody has one box, whether a wager lies there or not.
    """
    if table.session is not None:
        theirs = [number for number, name in table.session.terms.seats.items() if name == player]
        if theirs:
            return theirs
    live = [number for number, box in table.boxes.items() if _has_wager(box, player)]
    return live or [number for number, box in table.boxes.items() if player in box.line]


def _has_wager(box: Box, player: str) -> bool:
    return (
        player in box.wagers
        or any(player in side for side in box.side.values())
        or any(player in hand.wagers and not hand.wagers[player].settled for hand in box.hands)
    )


def _waiting(table: Table) -> str:
    if table.preparation == "shuffle":
        return "the cards are to be shuffled"
    if table.phase in ("insurance", "surrender"):
        return f"the dealer has not closed {table.phase}"
    if table.turn_box:
        return f"box {table.turn_box} is not finished"
    return f"it stands at {table.phase}"
