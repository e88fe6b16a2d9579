"""A table of the engine with a learner on each box: who is asked what, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pitboss.basics.cards import RANKS, VALUE
from pitboss.chance import Chance
from pitboss.learners import seeing as see
from pitboss.learners.seeing import Array
from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import MathsError
from pitboss.rulebooks.meanings import INSURED_IN_HALF_CHIPS
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.engine import open_table, play, refusal
from pitboss.table.house import DEVICE, House, default_house
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refusal
from pitboss.table.shuffle_and_cut import cards_to_shuffle, deck_size, stack_size
from pitboss.table.state import Hand, Table

BOXES_MAX = 7
SIMPLE = {see.STAND: a.Stand, see.HIT: a.Hit, see.DOUBLE: a.Double, see.SPLIT: a.Split}


def checked_amounts(wagers: Sequence[float]) -> tuple[int, ...]:
    """Amounts in cents."""
    amounts = tuple(round(100 * wager) for wager in wagers)
    if not amounts or min(amounts) <= 0 or len(set(amounts)) < len(amounts):
        raise MathsError("wagers are amounts in dollars above nothing, each given once.")
    return amounts


class Seats:
    """A table with one learner a box. Cards stay in the shoe from round to round until the cutting card comes."""

    def __init__(
        self, rulebook: str, boxes: int = 1, wagers: Sequence[float] = (10,), decks: int = 0, source: str = "shoe",
        behind: int = -1, resplit: bool = False,
    ) -> None:  # fmt: skip
        if not 1 <= boxes <= BOXES_MAX:
            raise MathsError(f"{boxes} boxes: a table has one to {BOXES_MAX}.")
        self.rulebook: Rulebook = known_rulebook(rulebook)
        self.amounts = checked_amounts(wagers)
        self.names = tuple(f"box_{number}" for number in range(1, boxes + 1))
        self.behind = behind
        self.house: House = default_house(
            self.rulebook,
            decks=decks or self.rulebook.cards.decks_default.value,
            source=source,
            minimum_cents=min(self.amounts),
            maximum_cents=max(self.amounts) * boxes,
            resplit=resplit,
            side_bets=(),
        )
        self.chance = Chance(0)
        self.table: Table = open_table(self.rulebook, house=self.house)
        self.seen = [0] * len(RANKS)
        self.levels = [0] * boxes
        self.asked: set[int] = set()
        self.acts = 0
        """Decisions made in this round."""
        self.over = True
        self.before: dict[str, int] = {}

    def shuffle_anew(self, seed: int) -> None:
        """Fresh cards, and chance from this seed on."""
        self.chance = Chance(seed)
        self.table = open_table(self.rulebook, house=self.house)
        self.seen, self.over = [0] * len(RANKS), True

    def lay(self, table: Table) -> None:
        """Take a table as it is: with arranged cards, for a comparison."""
        self.table, self.seen, self.over = table, [0] * len(RANKS), True

    # --- a round ---

    def begin(self, levels: Sequence[int]) -> None:
        """Place a wager on each box, by its number among the amounts, and deal."""
        self.levels, self.asked, self.acts, self.over = list(levels), set(), 0, False
        self._prepare()
        for box, name in enumerate(self.names, start=1):
            self._play(a.PlaceWager(name, box, self.amounts[levels[box - 1]]))
        self.before = {name: self.table.net[name] + self.amounts[levels[i]] for i, name in enumerate(self.names)}
        if self.house.source == DEVICE:
            self.seen = [0] * len(RANKS)
            self._play(a.Mix(self.chance.shuffled(self.table.stack[self.table.position :])))
        self._play(a.Deal())
        while self.table.phase == "wagers" and not self.over:
            # the cutting card was the first to come: the cards are shuffled before the round
            self._prepare()
            self._play(a.Deal())
        self._go_on()

    def waits_for(self) -> tuple[int, int]:
        """Which box is asked, and at which stage; box 0 when the round is over."""
        table = self.table
        if self.over:
            return 0, see.OVER
        if table.phase in ("insurance", "surrender"):
            stage = see.INSURING if table.phase == "insurance" else see.SURRENDERING
            return self._open_boxes()[0], stage
        return table.turn_box, see.FORFEITING if table.hand_to_act().doubled else see.PLAYING

    def mask(self) -> Array:
        """Which acts are open to the box that is asked."""
        box, stage = self.waits_for()
        found = np.zeros(len(see.acts_of(self.amounts)), np.int8)
        if stage == see.PLAYING:
            for act in legal_acts(self.table):
                found[see.ACTS.index(type(act).__name__.lower())] = 1
        elif stage == see.FORFEITING:
            found[[see.FORFEIT, see.KEEP]] = 1
        elif box:
            found[[see.INSURE if stage == see.INSURING else see.SURRENDER, see.PASS]] = 1
        return found

    def refused(self, action: int) -> Refusal | None:
        """What the rules say to an act that is not open, or None where no rule is needed to see it."""
        box, stage = self.waits_for()
        kind = {see.SURRENDER: a.Surrender, see.FORFEIT: a.Forfeit, see.KEEP: a.Keep, **SIMPLE}.get(action)
        return refusal(self.table, kind(self.names[box - 1], box)) if kind is not None and stage != see.OVER else None

    def act(self, action: int) -> None:
        """Do what the box that is asked has chosen, and go on to the next question."""
        box, stage = self.waits_for()
        self.acts += 1
        name = self.names[box - 1]
        if stage in (see.INSURING, see.SURRENDERING):
            self.asked.add(box)
            if action == see.INSURE:
                self._play(a.Insure(name, box, self._half(box)))
            elif action == see.SURRENDER:
                self._play(a.Surrender(name, box))
        elif stage == see.FORFEITING:
            self._play(a.Forfeit(name, box) if action == see.FORFEIT else a.Keep(name, box))
        else:
            self._play(SIMPLE[action](name, box))
        self._go_on()

    def won_cents(self) -> tuple[int, ...]:
        """What each box won or lost in the round that is over."""
        return tuple(self.table.net[name] - self.before[name] for name in self.names)

    def sees(self, box: int, stage: int) -> Array:
        """The observation of a box."""
        row = np.zeros(see.LENGTH, np.int16)
        row[see.F_STAGE] = stage
        if stage == see.OVER:
            return row
        row[see.F_SEEN :] = self.seen
        if stage == see.WAGERING:
            return row
        table = self.table
        row[see.F_WAGER] = self.levels[box - 1]
        if stage == see.DECIDED:
            return row
        first = table.dealer_cards[0]
        row[see.F_DEALER], row[see.F_RANK] = VALUE[first], RANKS.index(first[0]) + 1
        area = table.boxes[box]
        at = table.turn_hand if table.phase == "play" and table.turn_box == box else 0
        hand = area.hands[at]
        if hand.cards:
            self._hand(row, hand)
            row[see.F_SPLIT], row[see.F_HANDS] = hand.split, len(area.hands)
            row[see.F_COMING] = len(area.hands) - at - 1
        return row

    def _hand(self, row: Array, hand: Hand) -> None:
        see.hand_fields(row, hand.cards, hand.total, hand.soft and not hand.doubled)

    # --- what the dealer does unasked ---

    def _play(self, act: a.Act) -> None:
        self.table, events = play(self.table, act)
        for event in events:
            if isinstance(event, e.CardDealt):
                self.seen[RANKS.index(event.card[0])] += 1
            elif isinstance(event, e.CardsShuffled):
                self.seen = [0] * len(RANKS)
            elif isinstance(event, e.RoundEnded):
                self.over = True

    def _prepare(self) -> None:
        """Shuffle, cut and place the cutting card, as far as that is due."""
        while self.table.preparation != "ready":
            table = self.table
            what = waiting_for(table).what
            if what == "shuffle":
                self._play(a.Shuffle(self.chance.shuffled(cards_to_shuffle(table))))
            elif what == "cutting-card" and self.behind >= 0:
                self._play(a.PlaceCuttingCard(self.behind))
            elif what == "cutting-card":
                # as the simulator does: one deck and a half, or what the rulebook allows nearest to it
                wanted = a.PlaceCuttingCard(3 * deck_size(table) // 2)
                self._play(wanted if refusal(table, wanted) is None else legal_acts(table)[0])
            else:
                size = stack_size(table) or 2 * deck_size(table)
                self._play(a.Cut(table.cut_offered, size // 2))

    def _go_on(self) -> None:
        """Close what nobody has anything to say to, until somebody is asked or the round is over."""
        while not self.over:
            if self.table.preparation != "ready":
                self._prepare()
            elif self.table.phase in ("insurance", "surrender") and not self._open_boxes():
                self.asked = set()
                self._play(a.CloseInsurance() if self.table.phase == "insurance" else a.CloseSurrender())
            elif self.table.phase in ("insurance", "surrender", "play"):
                return
            else:
                raise AssertionError(f"the table waits in {self.table.phase}")

    def _open_boxes(self) -> list[int]:
        """Boxes that have not answered yet whether they insure or surrender."""
        boxes = self.table.boxes
        if self.table.phase == "insurance":
            open_ones = [n for n, box in boxes.items() if box.hands[0].total != 21 and self._half(n)]
        else:
            open_ones = [n for n, box in boxes.items() if not box.hands[0].done]
        return [number for number in sorted(open_ones) if number not in self.asked]

    def _half(self, box: int) -> int:
        """As much insurance as may be had."""
        cents = self.amounts[self.levels[box - 1]] // 2
        if INSURED_IN_HALF_CHIPS[self.rulebook.insurance.unit.value]:
            chip = self.house.smallest_chip_cents
            cents = 2 * cents // chip * chip // 2
        return cents
