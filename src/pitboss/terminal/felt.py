"""The felt: the dealer on top, the boxes below from the dealer's left, drawn with characters and no colour of its own.

A line is a list of pieces, each with the part that it plays; `painting` gives the parts their colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pitboss.basics.cards import SUIT_SIGNS, Card, is_red, point_total
from pitboss.basics.money import dollars, plain_dollars
from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import side_bet_sign
from pitboss.table import events as e
from pitboss.table.events import Event
from pitboss.table.house import BLAZING, House
from pitboss.table.state import Box, Hand, Table
from pitboss.table.views import HIDDEN, Viewer, may_see_hand

NARROWEST, WIDEST = 40, 160
CELL_MIN, CELL_MAX = 11, 24
CARD = 3
"""Columns of a card that the next one covers in part; the last has one more."""


FELT, RIM, TITLE, TURN, BLACK, RED, BACK, FAINT, WIN, LOSE, MONEY, MARK = (
    "felt", "rim", "title", "turn", "black", "red", "back", "faint", "win", "lose", "money", "mark",
)  # fmt: skip


@dataclass(slots=True)
class Line:
    """One line of the picture."""

    pieces: list[tuple[str, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces).rstrip()

    @property
    def width(self) -> int:
        return sum(len(text) for text, _ in self.pieces)

    def add(self, text: str, role: str = FELT) -> Line:
        if text:
            self.pieces.append((text, role))
        return self

    def fitted(self, width: int, align: str = "left") -> Line:
        """Exactly so wide: cut, or filled with felt."""
        pieces: list[tuple[str, str]] = []
        left = width
        for text, role in self.pieces:
            if left > 0:
                pieces.append((text[:left], role))
                left -= len(text[:left])
        before = left // 2 if align == "centre" else 0
        return Line([(" " * before, FELT), *pieces, (" " * (left - before), FELT)] if left else pieces)


@dataclass(slots=True)
class HandSeen:
    """One hand as it lies, or lay before its cards were taken up."""

    cards: tuple[Card, ...] = ()
    total: int = 0
    soft: bool = False
    hidden: bool = False
    doubled: bool = False
    natural: bool = False
    bust: bool = False
    wagers: dict[str, tuple[int, int]] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class BoxSeen:
    number: int
    hands: list[HandSeen] = field(default_factory=list)
    sides: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Optional wagers and insurance by kind and player: what to say of them, and in which part."""


class Felt:
    """What lies on the table, followed event by event, so that results stay to be seen until the next wager."""

    def __init__(self, rulebook: Rulebook, house: House, viewer: str, boxes: Sequence[int]) -> None:
        self.rulebook = rulebook
        self.house = house
        self.viewer = Viewer("player", viewer)
        self.own = tuple(boxes)
        self.boxes: dict[int, BoxSeen] = {}
        self.dealer: tuple[Card, ...] = ()
        self.dealer_total = 0
        self.dealer_soft = False
        self.dealer_note = ""
        self.turn = (0, 0)
        self.finished = False
        self.rounds = 0
        self.rack = 0
        self.jackpot_cents = 0
        self.money = ""

    def clear(self) -> None:
        self.boxes, self.dealer, self.dealer_total, self.dealer_note = {}, (), 0, ""
        self.dealer_soft, self.finished, self.turn = False, False, (0, 0)

    def follow(self, event: Event, after: Table) -> None:
        """Take in one event; `after` is the table with it."""
        if isinstance(event, (e.RoundBegan, e.WagerPlaced)) and (self.finished or isinstance(event, e.RoundBegan)):
            self.clear()
        if isinstance(event, e.RoundBegan):
            self.rounds += 1
        if isinstance(event, e.RoundEnded):
            self.finished, self.turn = True, (0, 0)
        elif not self.finished:
            self._sync(after)
        self.house = after.house
        self.rack = len(after.rack)
        self.jackpot_cents = after.jackpot_cents
        self._note(event)

    def _sync(self, table: Table) -> None:
        if table.dealer_cards:
            self.dealer, self.dealer_total = table.dealer_cards, table.dealer_total
            self.dealer_soft = table.dealer_soft
        self.turn = (table.turn_box, table.turn_hand) if table.phase == "play" else (0, 0)
        if table.phase == "wagers":
            self.boxes = {}
        for number, box in sorted(table.boxes.items()):
            seen = self.boxes.setdefault(number, BoxSeen(number))
            self._sync_hands(seen, box)
            for kind, placed in box.side.items():
                for player, cents in placed.items():
                    seen.sides.setdefault((kind, player), (f"{side_bet_sign(kind)} {_money(cents)}", MONEY))
            for player, cents in box.insurance.items():
                seen.sides.setdefault(("insurance", player), (f"ins {_money(cents)}", MONEY))

    def _sync_hands(self, seen: BoxSeen, box: Box) -> None:
        hands: Sequence[Hand] = box.hands
        if not hands:
            seen.hands = [HandSeen(wagers={name: (wager.cents, 0) for name, wager in box.wagers.items()})]
        for index, hand in enumerate(hands):
            if index == len(seen.hands):
                seen.hands.append(HandSeen())
            shown = seen.hands[index]
            if hand.cards:
                shown.hidden = not may_see_hand(self.viewer, box, hand)
                shown.cards, shown.total, shown.soft = hand.cards, hand.total, hand.soft
            shown.doubled = hand.doubled
            for name, wager in hand.wagers.items():
                if not wager.settled or name not in shown.wagers:
                    shown.wagers[name] = (wager.cents, wager.doubled_cents)

    def _note(self, event: Event) -> None:
        """What a settlement leaves to be read on the felt."""
        if isinstance(event, e.DealerFinished):
            natural = self.rulebook.game.natural.value
            self.dealer_note = {"bust": "bust", "natural": natural, "no-card": ""}.get(event.result, "")
        elif isinstance(event, e.HandBust):
            self._hand(event).bust = True
        elif isinstance(event, e.WagerPaid):
            hand = self._hand(event)
            hand.natural = hand.natural or event.result.startswith(self.rulebook.game.natural.value)
            hand.notes.append((f"+{_money(event.paid_cents)}", WIN))
            label = result_label(event.result)
            if label and not hand.natural:
                hand.notes.append((label, WIN))
        elif isinstance(event, e.WagerCollected):
            self._hand(event).notes.append((f"-{_money(event.cents)}", LOSE))
        elif isinstance(event, e.WagerStoodOff):
            self._hand(event).notes.append(("stand off", MARK))
        elif isinstance(event, (e.SurrenderSettled, e.WagerForfeited)):
            self._hand(event).notes.append((f"-{_money(event.lost_cents)}", LOSE))
        elif isinstance(event, e.WagerSurrendered):
            self._box(event.box).hands[0].notes.append(("surrender", MARK))
        elif isinstance(event, e.NaturalHeld):
            self._hand(event).notes.append(("waits", MARK))
        elif isinstance(event, e.SuperBonusPaid):
            self._box(event.box).hands[0].notes.append((f"Bonus {_money(event.cents)}", WIN))
        else:
            self._note_side(event)

    def _note_side(self, event: Event) -> None:
        if isinstance(event, (e.SideBetPaid, e.SideBetCollected)):
            won = event.paid_cents if isinstance(event, e.SideBetPaid) else -event.cents
            self._side(event.box, event.kind, event.player, side_bet_sign(event.kind), won)
        elif isinstance(event, (e.InsurancePaid, e.InsuranceCollected)):
            won = event.paid_cents if isinstance(event, e.InsurancePaid) else -event.cents
            self._side(event.box, "insurance", event.player, "ins", won)
        elif isinstance(event, e.JackpotPrizePaid):
            self._side(event.box, BLAZING, event.player, "B7", event.cents)
        elif isinstance(event, e.JackpotLost):
            self._box(event.box).sides[BLAZING, event.player] = ("B7 lost", LOSE)

    def _side(self, box: int, kind: str, player: str, short: str, won: int) -> None:
        sign, role = ("+", WIN) if won > 0 else ("-", LOSE)
        self._box(box).sides[kind, player] = (f"{short} {sign}{_money(abs(won))}", role)

    def _box(self, number: int) -> BoxSeen:
        return self.boxes.setdefault(number, BoxSeen(number, [HandSeen()]))

    def _hand(self, event: e.WagerPaid | e.HandBust | Event) -> HandSeen:
        box = self._box(event.box)  # type: ignore[union-attr]
        index: int = max(0, event.hand)  # type: ignore[union-attr]
        while len(box.hands) <= index:
            box.hands.append(HandSeen())
        return box.hands[index]


UNSAID = ("other", "higher", "dealer-bust", "doubled")
"""Ordinary wins need no words on the felt."""


def result_label(result: str) -> str:
    """The row of the pay table that won, short enough for the felt; empty for an ordinary win."""
    if result in UNSAID:
        return ""
    if result.startswith(("678-", "777-")):
        return f"{'-'.join(result[:3])} {result[4:]}"
    return {"five-card-trick": "5 card trick", "7-plus-card-21": "7+ card 21"}.get(result, result.replace("-", " "))


def _money(cents: int) -> str:
    return f"${plain_dollars(cents)}"


# --- drawing ---------------------------------------------------------------------------------------------------------


def draw(felt: Felt, width: int = 80, *, ascii_only: bool = False, compact: bool = False) -> list[Line]:
    """The whole picture, no line wider than `width`; `compact`: a hand has one line, and two stand side by side."""
    width = max(NARROWEST, min(WIDEST, width))
    inner = width - 2
    pen = Pen(ascii_only)
    if compact:
        body = list(_compact(felt, inner, pen))
    else:
        body = [Line().fitted(inner), *_dealer(felt, inner, pen)]
        for tier in _tiers(felt, inner):
            body.append(Line().fitted(inner))
            body.extend(_tier(felt, tier, inner, pen))
    house = felt.house
    left = f" {felt.rulebook.name} "
    right = f" {house.decks} decks, {house.source}, ${_whole(house.minimum_cents)} to ${_whole(house.maximum_cents)} "
    lines = [pen.rim_line(inner, left, right, top=True)]
    lines += [Line([(pen.side, RIM), *line.pieces, (pen.side, RIM)]) for line in body]
    lines.append(pen.rim_line(inner, f" {felt.money} " if felt.money else "", "", top=False))
    return lines


def _compact(felt: Felt, inner: int, pen: Pen) -> Iterator[Line]:
    """The dealer on one line, and every hand on one: what seven boxes with splits leave room for."""
    dealer = Line().add("DEALER ", TITLE)
    for card in felt.dealer:
        dealer.add(f"{pen.sign(card)} ", RED if card[1] in SUIT_SIGNS and is_red(card) else BLACK)
    if felt.dealer:
        dealer.add(f" {_total(felt.dealer_total, felt.dealer_soft, felt.dealer)}", MARK)
    if felt.dealer_note:
        dealer.add(f" {felt.dealer_note}", LOSE if felt.dealer_note == "bust" else MARK)
    yield _with_ends(dealer, inner, _state(felt), f"rack {felt.rack} " if felt.rack else "")
    cells = [cell for tier in _tiers(felt, inner) for cell in tier]
    half = inner // 2
    rows = (len(cells) + 1) // 2
    for row in range(rows):
        line = Line()
        for cell in (*cells[row : row + 1], *cells[row + rows : row + rows + 1]):
            line.pieces += _in_one_line(felt, cell, pen, half).fitted(half).pieces
        yield line.fitted(inner)


def _in_one_line(felt: Felt, cell: _Cell, pen: Pen, width: int) -> Line:
    """What matters most comes first: cards, total, result, wager, optional wagers as far as there is room."""
    seen = cell.seen
    mine = (cell.box, cell.hand) == felt.turn
    name = f"{cell.box}" + (f".{cell.hand + 1}" if cell.hands > 1 else "")
    line = Line().add(pen.pointer if mine else "  ", TURN).add(f"{name:<4}", TURN if mine else TITLE)
    for card in (HIDDEN,) * len(seen.cards) if seen.hidden else seen.cards:
        line.add(
            f"{pen.sign(card)} ", BACK if card == HIDDEN else RED if card[1] in SUIT_SIGNS and is_red(card) else BLACK
        )
    if seen.cards and not seen.hidden:
        line.add(f"{_spoken(felt, seen)} ", TURN if mine else LOSE if seen.bust else MARK)
    parts = list(seen.notes)
    for player, (cents, doubled) in seen.wagers.items():
        whose = f"{player} " if len(seen.wagers) > 1 or player != felt.viewer.name else ""
        parts.append((f"{whose}{_money(cents)}{f'+{plain_dollars(doubled)}' if doubled else ''}", MONEY))
    parts += cell.sides
    for number, (text, role) in enumerate(parts):
        more = number + 1 < len(parts)  # then there must be room for the dots too
        if line.width + len(text) + (4 if more else 1) > width:
            return line.add("...", FAINT)  # an amount is whole or not there
        line.add(f"{text} ", role)
    return line


def _whole(cents: int) -> str:
    return plain_dollars(cents) if cents % 100 else f"{cents // 100:,}"


class Pen:
    """The characters to draw with."""

    def __init__(self, ascii_only: bool) -> None:
        self.ascii_only = ascii_only
        self.corners = (("+", "+"), ("+", "+")) if ascii_only else (("╭", "╮"), ("╰", "╯"))
        self.flat, self.side = ("-", "|") if ascii_only else ("─", "│")
        self.card = ("+--", "+", "|", "+--", "+") if ascii_only else ("┌──", "┐", "│", "└──", "┘")
        self.pointer = "> " if ascii_only else "▸ "

    def rim_line(self, inner: int, left: str, right: str, *, top: bool) -> Line:
        """The rim with a text at either end; what has no room is cut."""
        first, last = self.corners[0 if top else 1]
        left = left[: max(0, inner - 2)]
        room = inner - 2 - len(left) - 1
        right = right if len(right) <= room else ""
        fill = self.flat * (inner - 2 - len(left) - len(right))
        return Line([(first + self.flat, RIM), (left, TITLE), (fill, RIM), (right, TITLE), (self.flat + last, RIM)])

    def sign(self, card: Card) -> str:
        if card == HIDDEN:
            return "??"
        return card if self.ascii_only or card[1] not in SUIT_SIGNS else card[0] + SUIT_SIGNS[card[1]]

    def cards(self, cards: Sequence[Card]) -> list[Line]:
        """Cards side by side, each covering the edge of the one before."""
        top, middle, bottom = Line(), Line(), Line()
        for card in cards:
            role = BACK if card == HIDDEN else RED if card[1] in SUIT_SIGNS and is_red(card) else BLACK
            top.add(self.card[0], BLACK)
            middle.add(self.card[2], BLACK).add(self.sign(card), role)
            bottom.add(self.card[3], BLACK)
        if cards:
            top.add(self.card[1], BLACK)
            middle.add(self.card[2], BLACK)
            bottom.add(self.card[4], BLACK)
        return [top, middle, bottom]


def _dealer(felt: Felt, inner: int, pen: Pen) -> Iterator[Line]:
    heading = Line().add("DEALER", TITLE)
    if felt.dealer:
        heading.add(f"  {_total(felt.dealer_total, felt.dealer_soft, felt.dealer)}", MARK)
        if felt.dealer_note:
            heading.add(f" {felt.dealer_note}", LOSE if felt.dealer_note == "bust" else MARK)
    yield _with_ends(heading, inner, _state(felt), f"rack {felt.rack} " if felt.rack else "")
    for line in pen.cards(felt.dealer) if felt.dealer else [Line(), Line(), Line()]:
        yield line.fitted(inner, "centre")


def _state(felt: Felt) -> str:
    """Which round it is, and the jackpot where there is one."""
    parts = [f"round {felt.rounds}"] if felt.rounds else []
    if BLAZING in felt.house.side_bets and felt.jackpot_cents:
        parts.append(f"jackpot ${_whole(felt.jackpot_cents)}")
    return " " + ", ".join(parts) if parts else ""


def _with_ends(middle: Line, inner: int, left: str, right: str) -> Line:
    """A centred line with small print at both ends, where there is room."""
    side = (inner - middle.width) // 2
    if side <= max(len(left), len(right)):
        return middle.fitted(inner, "centre")
    rest = inner - side - middle.width
    return Line([(left.ljust(side), FAINT), *middle.pieces, (right.rjust(rest), FAINT)])


def _total(total: int, soft: bool, cards: Sequence[Card]) -> str:
    """The total as a dealer announces it: an ace alone is one or eleven."""
    if soft and len(cards) == 1:
        return "ace"
    return f"soft {total}" if soft and total < 21 else str(total)


@dataclass(slots=True)
class _Cell:
    box: int
    hand: int
    hands: int
    seen: HandSeen
    sides: list[tuple[str, str]]


def _tiers(felt: Felt, inner: int) -> Iterator[list[_Cell]]:
    """Hands in the order in which they are played, as many side by side as fit."""
    cells: list[_Cell] = []
    numbers = sorted({*felt.boxes, *felt.own})
    for number in numbers:
        box = felt.boxes.get(number, BoxSeen(number, [HandSeen()]))
        for index, hand in enumerate(box.hands or [HandSeen()]):
            sides = _sides(box, felt.viewer.name) if index == 0 else []
            cells.append(_Cell(number, index, len(box.hands), hand, sides))
    most = max(1, inner // CELL_MIN)
    for start in range(0, len(cells), most):
        yield cells[start : start + most]


def _sides(box: BoxSeen, own: str) -> list[tuple[str, str]]:
    """Optional wagers; whose they are is said where they are another's."""
    return [(text if player == own else f"{text} {player}", role) for (_, player), (text, role) in box.sides.items()]


def _tier(felt: Felt, cells: Sequence[_Cell], inner: int, pen: Pen) -> Iterator[Line]:
    width = min(CELL_MAX, inner // max(1, len(cells)))
    columns = [list(_cell(felt, cell, width - 1, pen)) for cell in cells]
    height = max(len(column) for column in columns)
    for row in range(height):
        line = Line()
        for column in columns:
            line.pieces += (column[row] if row < len(column) else Line()).fitted(width, "centre").pieces
        yield line.fitted(inner, "centre")


def _cell(felt: Felt, cell: _Cell, width: int, pen: Pen) -> Iterator[Line]:
    """One hand: its box, its cards, its total, its wagers and what came of them."""
    seen = cell.seen
    mine = (cell.box, cell.hand) == felt.turn
    name = f"BOX {cell.box}" + (f".{cell.hand + 1}" if cell.hands > 1 else "")
    yield Line().add((pen.pointer if mine else "") + name, TURN if mine else TITLE)
    cards = (HIDDEN,) * len(seen.cards) if seen.hidden else seen.cards
    in_row = max(1, (width - 1) // CARD)
    for start in range(0, len(cards), in_row):
        yield from pen.cards(cards[start : start + in_row])
    if not cards:
        yield from (Line(), Line().add("no wager" if not seen.wagers else "", FAINT), Line(), Line())
    if cards and not seen.hidden:
        yield Line().add(_spoken(felt, seen), TURN if mine else LOSE if seen.bust else MARK)
    for player, (cents, doubled) in seen.wagers.items():
        wager = _money(cents) + (f"+{plain_dollars(doubled)}" if doubled else "")
        room = width - len(wager) - 1
        label = player if len(player) <= room else player[: max(0, room - 1)] + ("." if room > 1 else "")
        yield Line().add(f"{label} " if room > 1 else "", FELT).add(wager, MONEY)
    for text, role in (*seen.notes, *cell.sides):
        yield Line().add(text[:width], role)


def _spoken(felt: Felt, seen: HandSeen) -> str:
    if seen.bust:
        return f"bust {seen.total}"
    if seen.natural:
        return felt.rulebook.game.natural.value
    total, soft = (seen.total, seen.soft) if seen.total else point_total(seen.cards)
    spoken = _total(total, soft, seen.cards)
    return f"{spoken} doubled" if seen.doubled else spoken


def money_line(name: str, chips_cents: int, wagered_cents: int, net_cents: int) -> str:
    """``alice: $975.00 in chips, $25.00 wagered, session -$25.00``"""
    sign = "+" if net_cents > 0 else ""
    wagered = f", {dollars(wagered_cents)} wagered" if wagered_cents else ""
    return f"{name}: {dollars(chips_cents)} in chips{wagered}, session {sign}{dollars(net_cents)}"
