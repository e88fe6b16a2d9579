"""A session at a table: the engine, chance, and a dealer and other players who need no telling. No input, no output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from pitboss.basics.cards import Card
from pitboss.basics.money import payable_down
from pitboss.chance import Chance
from pitboss.records.lines import SUPERVISOR, format_act
from pitboss.records.model import Record, RecordError
from pitboss.records.replay import net_of
from pitboss.records.saving import Recorder, record_of
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL, Act, AnyAct
from pitboss.table.apply import evolve
from pitboss.table.engine import decide, open_table
from pitboss.table.events import Event
from pitboss.table.house import DEVICE, House, Patron
from pitboss.table.legal import Waiting, legal_acts, waiting_for
from pitboss.table.refusals import Refusal, Refused, broken_unless
from pitboss.table.shuffle_and_cut import cards_to_shuffle, cutting_card_range, deck_size, stack_size
from pitboss.table.state import Table

HOUSE_CUTS = (SUPERVISOR, "dealer")
BOT_NAMES = ("bob", "carol", "dave", "alice")
STEPS_MAX = 2000
"""More than these automatic acts in a row would be a fault of ours."""
ROUNDS_TOLD = 12
DECISIONS = (a.Hit, a.Stand, a.Double, a.Split, a.Decline, a.Forfeit, a.Keep, a.Expose)


@dataclass(frozen=True, slots=True)
class Happening:
    """One act that was carried out: the table before it, and what came of it."""

    act: AnyAct
    before: Table
    events: tuple[Event, ...]


@dataclass(slots=True)
class RoundTold:
    """One finished round, for the history."""

    number: int
    net_cents: dict[str, int]
    dealer: tuple[Card, ...]
    dealer_total: int
    boxes: dict[int, list[tuple[Card, ...]]]


@dataclass(slots=True)
class _Watch:
    """What is remembered of the round that is being played."""

    before_cents: dict[str, int] = field(default_factory=dict)
    dealer: tuple[Card, ...] = ()
    dealer_total: int = 0
    boxes: dict[int, list[tuple[Card, ...]]] = field(default_factory=dict)


class Session:
    """A table, its people and what has been played so far."""

    def __init__(
        self,
        rulebook: Rulebook,
        house: House,
        *,
        name: str,
        boxes: Sequence[int],
        bankroll_cents: int,
        seed: str,
        card: bool = True,
        loss_limit_cents: int | None = None,
        cards: Sequence[Card] | None = None,
        bots: int = 0,
        dealer_acts: bool = True,
    ) -> None:
        self.name = name
        self.boxes = tuple(boxes)
        self.bankroll_cents = bankroll_cents
        self.seed = seed
        self.dealer_acts = dealer_acts
        self.chance = Chance(seed)
        self.arranged = cards is not None
        self.bots = bot_boxes(name, self.boxes, house.boxes, bots)
        own = Patron(self.boxes[0], card=card, chips_cents=bankroll_cents, loss_limit_cents=loss_limit_cents)
        players = {name: own}
        players.update({bot: Patron(seat=box) for bot, box in self.bots.items()})
        self.recorder = Recorder(open_table(rulebook, house=house, players=players, cards=cards))
        self.rounds = 0
        """How many rounds are finished."""
        self.history: list[RoundTold] = []
        self.last: tuple[Event, ...] = ()
        """The events of the last act that somebody could see, for `why`."""
        self.last_wagers: tuple[a.PlaceWager, ...] = ()
        self._placed: list[a.PlaceWager] = []
        self._mix = False
        self._watch = _Watch()

    @property
    def table(self) -> Table:
        return self.recorder.table

    @property
    def rulebook(self) -> Rulebook:
        return self.table.rulebook

    @property
    def in_round(self) -> bool:
        return self.table.phase != "wagers"

    @property
    def over(self) -> bool:
        """The arranged cards are used up, and no round waits for more."""
        table = self.table
        return self.arranged and not self.in_round and table.position >= len(table.stack)

    def waiting(self) -> Waiting:
        return waiting_for(self.table)

    # --- money ---

    def chips_cents(self, player: str | None = None) -> int:
        """What a player has in front of them."""
        name = self.name if player is None else player
        state = self.table.players.get(name)
        start = state.chips_cents if state is not None and state.chips_cents is not None else 0
        return start + self.table.net.get(name, 0)

    def on_table_cents(self, player: str | None = None) -> int:
        """What a player has wagered and not yet won, lost or got back."""
        name = self.name if player is None else player
        table = self.table
        total = 0
        for box in table.boxes.values():
            total += box.insurance.get(name, 0)
            total += sum(placed.get(name, 0) for placed in box.side.values())
            if box.hands:
                for hand in box.hands:
                    wager = hand.wagers.get(name)
                    if wager is not None and not wager.settled:
                        total += wager.cents + wager.doubled_cents
            elif name in box.wagers:
                total += box.wagers[name].cents
        return total

    # --- acting ---

    def do(self, *acts: AnyAct) -> tuple[Happening, ...]:
        """Carry out acts, all or none; raises `Refused` with the table as it was, `RecordError` where play is over."""
        table = self.table
        if self.over and acts:
            raise RecordError("the arranged cards are used up: no round is dealt any more")
        happened: list[Happening] = []
        for act in acts:
            wanted = (*self._bot_wagers(table), act) if isinstance(act, (a.Deal, a.CallNoMoreBets)) else (act,)
            for each in wanted:
                answer = decide(table, each)
                if isinstance(answer, Refusal):
                    if each is not act:
                        continue
                    raise Refused(answer)
                happened.append(Happening(each, table, answer))
                table = evolve(table, answer)
        for happening in happened:
            self._note(happening)
        return tuple(happened)

    def run(self) -> Iterator[Happening]:
        """Everything that needs no word of a person: chance, the dealer's procedure, and the bots."""
        for _ in range(STEPS_MAX):
            act = self._unasked()
            if act is None:
                return
            yield from self.do(act)
        broken_unless(False, f"the table does not come to rest: {self.waiting()}")

    def _note(self, happening: Happening) -> None:
        after = evolve(happening.before, happening.events)
        self.recorder.note(happening.act, happening.events, after)
        for event in happening.events:
            self._watch_event(event)
        table = happening.before
        for event in happening.events:
            table = evolve(table, (event,))
            if isinstance(event, e.RoundTakenBack):
                self._watch_taken_back()
            self._watch_table(table)
        seen = tuple(event for event in happening.events if not isinstance(event, e.StackArranged))
        if seen:
            self.last = seen
        if isinstance(happening.act, a.PlaceWager) and happening.act.player == self.name:
            self._placed.append(happening.act)
        elif isinstance(happening.act, a.WithdrawWager) and happening.act.player == self.name:
            gone = (happening.act.box, happening.act.kind)
            self._placed = [each for each in self._placed if (each.box, each.kind) != gone]

    def _watch_event(self, event: Event) -> None:
        if isinstance(event, e.RoundBegan):
            if self._placed:
                self.last_wagers = tuple(self._placed)
                self._placed = []
        elif isinstance(event, (e.DiscardsReturned, e.RoundEnded)):
            self._mix = self.table.house.source == DEVICE and not self.arranged

    def _watch_table(self, table: Table) -> None:
        watch = self._watch
        if table.phase == "wagers":
            if watch.boxes:
                self._tell_round(table)
            watch.before_cents = net_of(table)
            watch.boxes, watch.dealer, watch.dealer_total = {}, (), 0
            return
        if table.dealer_cards:
            watch.dealer, watch.dealer_total = table.dealer_cards, table.dealer_total
        for number, box in table.boxes.items():
            hands = watch.boxes.setdefault(number, [])
            for index, hand in enumerate(box.hands):
                if index >= len(hands):
                    hands.append(hand.cards)
                elif hand.cards:
                    hands[index] = hand.cards

    def _watch_taken_back(self) -> None:
        """The round is not over, or no longer: it is told when it ends."""
        if not self._watch.boxes and self.history:
            self.rounds -= 1
            self.history = self.history[:-1]
        self._watch.boxes = {}

    def _tell_round(self, table: Table) -> None:
        watch = self._watch
        net = {name: cents - watch.before_cents.get(name, 0) for name, cents in net_of(table).items()}
        self.rounds += 1
        told = RoundTold(self.rounds, net, watch.dealer, watch.dealer_total, watch.boxes)
        self.history = [*self.history[-ROUNDS_TOLD + 1 :], told]

    # --- what needs no telling ---

    def _unasked(self) -> AnyAct | None:
        table = self.table
        if self._mix:
            self._mix = False
            return a.Mix(self.chance.shuffled(table.stack[table.position :]))
        if self.over:
            return None
        waiting = self.waiting()
        if waiting.what == "cut" and waiting.who[0] in (*self.bots, *(HOUSE_CUTS if self.dealer_acts else ())):
            return a.Cut(waiting.who[0], self.random_cut())
        if waiting.what in ("answer", "forfeit", "decision", "expose", "refund", "short-hand"):
            bot = next((name for name in waiting.who if name in self.bots), None)
            return None if bot is None else self._bot_decision(bot, waiting)
        return self._dealers(waiting) if self.dealer_acts else None

    def _dealers(self, waiting: Waiting) -> AnyAct | None:
        """What the dealer does unasked."""
        if waiting.what == "shuffle":
            return self.shuffle()
        if waiting.what == "cutting-card":
            return a.PlaceCuttingCard(self._cutting_card())
        if waiting.what == "insurance" and not self.offers(a.Insure):
            return a.CloseInsurance()
        if waiting.what == "surrender" and not self.offers(a.Surrender):
            return a.CloseSurrender()
        if waiting.what == "approval":
            return next((act for act in legal_acts(self.table) if isinstance(act, a.Approve)), None)
        return None

    def offers(self, kind: type[Act]) -> tuple[Any, ...]:
        """Acts of one kind that are open to people now, with full amounts; a bot takes no offer."""
        found: list[Any] = [act for act in legal_acts(self.table) if isinstance(act, kind)]
        return tuple(self._full(act) for act in found if act.player not in self.bots)

    def _full(self, act: Any) -> Any:
        """Insurance for as much as the rules and the chips allow."""
        if isinstance(act, a.Insure):
            original = self.table.boxes[act.box].hands[0].wagers[act.player].cents
            most = a.Insure(act.player, act.box, payable_down(original // 2, self.table.house.chips_cents))
            return act if isinstance(decide(self.table, most), Refusal) else most
        return act

    def shuffle(self, means: str = "") -> a.Shuffle:
        """A shuffle of what is to be shuffled, in an order that chance decides."""
        table = self.table
        usual = "shuffling-device" if table.house.source == DEVICE else "hand"
        return a.Shuffle(self.chance.shuffled(cards_to_shuffle(table)), means or usual)

    def cut_range(self) -> tuple[int, int]:
        """Between how many cards from the front a cut may be made now."""
        table = self.table
        size = stack_size(table) or len(table.stack) or 2 * deck_size(table)
        least = min(self.rulebook.shuffle.cut_depth_decks.value * deck_size(table), size // 2)
        return least, size - least

    def random_cut(self) -> int:
        least, most = self.cut_range()
        return least + self.chance.below(most - least + 1)

    def _cutting_card(self) -> int:
        table = self.table
        least, most = cutting_card_range(table) or (0, len(table.stack) // 2)
        return min(most, max(least, deck_size(table)))

    # --- bots: they wager the minimum and draw as the dealer must ---

    def _bot_wagers(self, table: Table) -> Iterator[AnyAct]:
        """Bots put their wagers down when the dealer is about to deal, so that nothing moves while people think."""
        if table.phase == "wagers" and table.preparation == "ready" and not table.betting_closed:
            for bot, box in self.bots.items():
                area = table.boxes.get(box)
                if area is None or bot not in area.wagers:
                    yield a.PlaceWager(bot, box, table.house.minimum_cents)

    def _bot_decision(self, bot: str, waiting: Waiting) -> AnyAct:
        if waiting.what == "refund":
            return a.PlayOn(bot)
        if waiting.what == "short-hand":
            return a.Hit(bot, waiting.box)
        if waiting.what == "expose":
            return a.Expose(bot, waiting.box)
        if waiting.what == "forfeit":
            return a.Keep(bot, waiting.box)
        if waiting.what == "answer":
            must_cover = waiting.acts[0] == "Split" and self.table.players[bot].cover_splits
            return a.Split(bot, waiting.box) if must_cover else a.Decline(bot, waiting.box)
        hand = self.table.hand_to_act()
        if hand.face_down:
            return a.Expose(bot, waiting.box)
        dealer = self.rulebook.dealer
        stand = dealer.soft_stand.value if hand.soft else dealer.hard_stand.value
        draws = hand.total < stand and "Hit" in waiting.acts
        return a.Hit(bot, waiting.box) if draws or "Stand" not in waiting.acts else a.Stand(bot, waiting.box)

    # --- people ---

    def again(self) -> tuple[a.PlaceWager, ...]:
        """The wagers of the last round once more."""
        return self.last_wagers

    def legal_lines(self) -> tuple[str, ...]:
        """Lines of the record grammar that would be accepted now, with full amounts."""
        if self.over:
            return ()
        acts: list[Any] = [act for act in legal_acts(self.table) if getattr(act, "player", "") not in self.bots]
        lines = [format_act(self._full(act)) for act in acts]
        waiting = self.waiting()
        if waiting.what == "wagers" and not self.table.betting_closed and not self.over:
            cents = self.table.house.minimum_cents
            bets = [a.PlaceWager(self.name, box, cents) for box in self.boxes]
            lines[:0] = [format_act(act) for act in bets if not isinstance(decide(self.table, act), Refusal)]
        elif waiting.what == "shuffle":
            lines.append("dealer shuffles")
        return tuple(lines)

    # --- saving ---

    def session_record(self) -> Record | None:
        """Everything up to the last finished round; None where no round is finished."""
        log = self.recorder.log
        ended = [place for place, (_, answer) in enumerate(log, start=1) if _ends_round(answer)]
        if not ended:
            return None
        rounds = f"{len(ended)} round{'s' * (len(ended) > 1)}"
        title = f"A session of {rounds} at a table of {self.rulebook.name}"
        return record_of(self.recorder.start, log[: ended[-1]], title=_fitting(title))

    def round_record(self) -> Record | None:
        """The last finished round; None where there is none."""
        return self.recorder.last_round(_fitting(f"One round at a table of {self.rulebook.name}"))


def _fitting(title: str) -> str:
    """A record's title has at most 300 characters."""
    return title if len(title) <= 300 else title[:297] + "..."


def _ends_round(answer: tuple[Event, ...] | Refusal) -> bool:
    return not isinstance(answer, Refusal) and any(isinstance(event, e.RoundEnded) for event in answer)


def bot_boxes(name: str, boxes: Sequence[int], layout: int, bots: int) -> dict[str, int]:
    """Names and boxes of the other players: the free boxes from the dealer's left."""
    free = [box for box in range(1, layout + 1) if box not in boxes][:bots]
    names = [each for each in BOT_NAMES if each != name]
    names += [f"bot-{number}" for number in range(4, 12) if f"bot-{number}" != name]
    return dict(zip(names, free, strict=False))


def complete(act: AnyAct, session: Session) -> AnyAct:
    """The act with what its line left to the table: the box, or the order of a shuffle."""
    draft: Any = act
    if isinstance(draft, a.Shuffle) and not draft.order:
        return session.shuffle(draft.means) if session.waiting().what == "shuffle" else draft
    if isinstance(draft, a.ClearJam) and not draft.order:
        table = session.table
        return a.ClearJam(session.chance.shuffled(table.stack[table.position :]))
    if getattr(draft, "box", None) != 0:
        return act
    return replace(draft, box=_box_meant(draft, session))  # type: ignore[no-any-return]


def _box_meant(act: Any, session: Session) -> int:
    waiting = session.waiting()
    player: str = act.player
    if waiting.box and player in waiting.who:
        return waiting.box
    if isinstance(act, (a.Insure, a.Surrender)):
        offered = [offer.box for offer in session.offers(type(act)) if offer.player == player]
        if offered:
            return int(offered[0])
    if isinstance(act, a.PlaceWager):
        boxes = list(session.boxes) if player == session.name else []
        if act.kind != ORIGINAL and player != session.name:
            boxes = [number for number, box in session.table.boxes.items() if player in box.wagers]
    else:
        boxes = [number for number, box in session.table.boxes.items() if player in box.wagers or player in box.line]
    if len(boxes) == 1 or (boxes and isinstance(act, DECISIONS)):
        return boxes[0]  # of several boxes none has its turn, so the engine says why not
    if boxes:
        raise RecordError(f"{player} has boxes {' and '.join(map(str, boxes))}: say on which, as in on {boxes[0]}")
    raise RecordError(f"say on which box, as in {format_act(replace(act, box=1))}")
