"""Takings: what came in and went out at each table, in each half hour of each gaming day, under each dealer.

A plain value that hears every act once. Money comes from the ledger's own postings, so that the figures of a report are
those of the books to the cent; wagers are counted when their round is over, and one that went back was none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from pitboss.basics.money import dollars
from pitboss.ledger.books import OF_A_PERSON, Books
from pitboss.ledger.postings import Posting
from pitboss.rulebooks.meanings import BONUS_FOR_EACH_PLAYER
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.events import Event
from pitboss.table.house import BLAZING

HALF_HOUR_MS = 30 * 60 * 1000
"""Every time zone of a rulebook is whole half hours away from any other: halves make whole hours by each clock."""
MAIN, INSURANCE, SUPER_BONUS, ERRORS = "main", "insurance", "super-bonus", "mispayments"


class Bet(msgspec.Struct, array_like=True):
    """What was wagered in one way and what it brought the house; for Σw² a box counts as one hand.

    A prize p that does not grow with the wager, as the jackpot at the level at which it stood, is counted beside it.
    """

    count: int = 0
    cents: int = 0
    squares: int = 0
    won: int = 0
    prizes: int = 0
    """Σp: what there was to win, once for each box that could win it."""
    prize_squares: float = 0.0
    mixed: float = 0.0
    """Σwp."""
    cross: float = 0.0
    """Σww' over two boxes of one round; then Σwp' and Σpp'."""
    cross_mixed: float = 0.0
    cross_prizes: float = 0.0

    def add(self, other: Bet) -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Bonus(msgspec.Struct, frozen=True):
    """What three suited sevens against a seven earn besides, by the size of the wager, and what the others get."""

    small_from: int
    small: int
    large_from: int
    large: int
    others: int
    each_player: bool
    """The others are players, and not wagers."""
    side_bets: bool
    """Whoever has an optional wager alone is one of them."""

    def due(self, cents: int) -> int:
        if not cents or cents < self.small_from:
            return 0
        return self.large if cents >= self.large_from else self.small


def bonus_of(rulebook: Rulebook) -> Bonus | None:
    terms = rulebook.super_bonus
    if not terms.offered.value:
        return None
    return Bonus(
        terms.small_from_cents.value,
        terms.small_cents.value,
        terms.large_from_cents.value,
        terms.large_cents.value,
        terms.others_cents.value,
        BONUS_FOR_EACH_PLAYER[terms.others.value],
        terms.others_side_bets.value,
    )


class Cell(msgspec.Struct, array_like=True):
    """One half hour of one table under one dealer; amounts in cents."""

    rounds: int = 0
    boxes: int = 0
    """Hands dealt to players at the start of rounds."""
    cross: int = 0
    """Σ(all boxes of a round)² less Σ(each box)²: what boxes on one dealer hand have in common."""
    wagered: int = 0
    """All that was put at risk on the game itself: original wagers, doubles and splits."""
    drop: int = 0
    cashed: int = 0
    """Cash paid out for chips at the table; it comes off the drop."""
    fills: int = 0
    credits: int = 0
    bets: dict[str, Bet] = {}
    counts: dict[str, int] = {}
    """How often something happened that somebody may ask about, by what it is."""

    @property
    def won(self) -> int:
        """What the house won: what its accounts have more than before."""
        return sum(bet.won for bet in self.bets.values())

    def bet(self, name: str) -> Bet:
        return self.bets.setdefault(name, Bet())

    def add(self, other: Cell) -> None:
        for name in ("rounds", "boxes", "cross", "wagered", "drop", "cashed", "fills", "credits"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, bet in other.bets.items():
            self.bet(name).add(bet)
        for name, count in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count


class Happened(msgspec.Struct, array_like=True):
    """Something that a regulator reads about, with who and the clauses."""

    at_ms: int
    date: str
    table: str
    what: str
    """As it is counted."""
    text: str
    clauses: tuple[str, ...]
    is_open: bool = False
    """Somebody has still to rule on it or approve it."""
    about: str = ""
    """What closes it: the role or the person that is waited for."""


class Handover(msgspec.Struct, array_like=True, frozen=True):
    """A note for the next shift, with the clocks of the house when it was left."""

    at_ms: int
    date: str
    table: str
    by: str
    role: str
    text: str
    zone: str
    begins_hour: int


class PlayedBy(msgspec.Struct, array_like=True):
    """What one person did at one table on one gaming day."""

    wagered: int = 0
    won: int = 0
    """Below zero where they lost."""
    bought: int = 0
    cashed: int = 0
    first_ms: int = 0
    last_ms: int = 0
    rounds: int = 0
    first_round: int = 0
    last_round: int = 0
    """Numbers of the table's rounds in which they had a wager."""
    over: tuple[int, int, int] = (0, 0, 0)
    """Rounds, wagered and won when no round was going on."""


class TableTold(msgspec.Struct):
    """What a report must know of a table."""

    name: str
    rulebook: str
    edition: str
    decks: int
    zone: str
    begins_hour: int
    amended: bool = False
    practice: bool = False
    tournament: bool = False
    resplit: bool = False
    date: str = ""
    dealer: str = ""
    rounds: int = 0
    lying: dict[str, int] = {}
    """Wagers on the cloth: "box bet player" to cents."""
    moved: list[str] = []
    """Keys of `Takings.people` whose money moved since a round was last over."""
    at_risk: int = 0
    bonus: Bonus | None = None
    jackpot: int = 0
    """What the jackpot stands at, in cents."""
    played_for: int = 0
    """What it stood at when the round's jackpot wagers had been collected."""


class Place(msgspec.Struct, frozen=True):
    """Which cell: what a key of `Takings.cells` says."""

    table: str
    date: str
    half: int
    dealer: str

    @property
    def at_ms(self) -> int:
        return self.half * HALF_HOUR_MS


def key_of(place: Place) -> str:
    return f"{place.date} {place.half} {place.table} {place.dealer}"


def place_of(key: str) -> Place:
    date, half, table, dealer = key.split(" ", 3)
    return Place(table, date, int(half), dealer)


class Takings(msgspec.Struct):
    """Everything that reports are made from, in one value that goes to JSON and back."""

    books: Books = msgspec.field(default_factory=Books)
    tables: dict[str, TableTold] = {}
    cells: dict[str, Cell] = {}
    people: dict[str, PlayedBy] = {}
    """By "date table name"."""
    happened: list[Happened] = []
    handovers: list[Handover] = []

    def heard(self, table: str, at_ms: int, date: str, by: str, role: str, events: Iterable[Event]) -> None:
        """One act: `date` is the gaming date by the clocks, for tables that have none of their own."""
        told = self.tables[table]
        if role == "dealer" or (role == "house" and not told.dealer):
            told.dealer = by
        events = tuple(events)
        for event in events:
            if type(event) is e.DateTurned:
                told.date = str(event.date)
        place = Place(table, told.date or date, at_ms // HALF_HOUR_MS, told.dealer)
        cell = self.cells.setdefault(key_of(place), Cell())
        for event, lines in self.books.post(table, events):
            self._money(cell, event, lines)
            self._person(f"{place.date} {table} ", told, event, lines, at_ms)
        for event in events:
            if type(event) is e.RoundEnded:
                self._played(f"{place.date} {table} ", told)
            self._count(cell, told, event)
            self._happening(place, at_ms, event)
        if not told.lying:
            for name in told.moved:
                played = self.people[name]
                played.over = (played.rounds, played.wagered, played.won)
            told.moved = []

    def _money(self, cell: Cell, event: Event, lines: tuple[Posting, ...]) -> None:
        won = sum(cents for account, cents in lines if is_the_houses(account))
        if won:
            cell.bet(bet_of(event)).won += won
        if isinstance(event, e.ChipsBought):
            cell.drop += event.cents
        elif isinstance(event, e.ChipsCashed):
            cell.cashed += event.cents
        elif isinstance(event, e.FloatFilled):
            cell.fills += event.cents
        elif isinstance(event, e.FloatCredited):
            cell.credits += event.cents

    def _count(self, cell: Cell, told: TableTold, event: Event) -> None:
        kind = type(event)
        if kind in COUNTED:
            name = COUNTED[kind]
            cell.counts[name] = cell.counts.get(name, 0) + 1
        if isinstance(event, e.WagerPlaced):
            _lay(told, event, MAIN if event.kind == ORIGINAL else event.kind, event.cents)
            told.at_risk += event.cents if event.kind == ORIGINAL else 0
        elif isinstance(event, e.InsurancePlaced):
            _lay(told, event, INSURANCE, event.cents)
        elif isinstance(event, (e.WagerDoubled, e.WagerSplit)):
            told.at_risk += event.cents
        elif isinstance(event, e.WagerReturned):
            name = MAIN if event.kind == ORIGINAL else event.kind
            _lay(told, event, name, -event.cents)
            told.at_risk = max(0, told.at_risk - (event.cents if name == MAIN else 0))
        elif isinstance(event, e.JackpotWagerCollected):
            told.jackpot += event.to_jackpot_cents
            told.played_for = told.jackpot
        elif isinstance(event, e.JackpotPrizePaid):
            told.jackpot -= event.from_pool_cents
        elif isinstance(event, e.JackpotSet):
            told.jackpot = event.cents
        elif isinstance(event, e.ResplitAllowed):
            told.resplit = event.allowed
        elif isinstance(event, e.RoundEnded):
            _round_over(cell, told)

    def _happening(self, place: Place, at_ms: int, event: Event) -> None:
        """Write it down with its words, and close what it decides."""
        table = place.table
        if isinstance(event, e.DisputeRuled):
            self._close(table, "disputes", event.player)
            self._close(table, "reviews asked for", event.player)
        elif isinstance(event, e.ApprovalGiven):
            self._close(table, "irregularities")
        if type(event) in TOLD:
            what, words = COUNTED[type(event)], TOLD[type(event)]
            waits = _waits_for(event)
            fact = Happened(at_ms, place.date, table, what, words(event), event.clauses, bool(waits), waits)
            self.happened.append(fact)

    def _close(self, table: str, what: str, about: str = "") -> None:
        """The newest of this kind that is open; with `about` that of one person."""
        for each in reversed(self.happened):
            if each.is_open and (each.table, each.what) == (table, what) and about in ("", each.about):
                each.is_open = False
                return

    def _person(self, where: str, told: TableTold, event: Event, lines: tuple[Posting, ...], at_ms: int) -> None:
        for account, cents in lines:
            kind, _, name = account.partition(":")
            if kind not in OF_A_PERSON:
                continue
            played = self.people.setdefault(where + name, PlayedBy(first_ms=at_ms))
            played.last_ms = at_ms
            played.won += cents
            if where + name not in told.moved:
                told.moved.append(where + name)
        if isinstance(event, (e.WagerPlaced, e.WagerDoubled, e.WagerSplit, e.InsurancePlaced)):
            self.people[where + event.player].wagered += event.cents
        elif isinstance(event, e.WagerReturned):
            self.people[where + event.player].wagered -= event.cents
        elif isinstance(event, e.ChipsBought):
            self.people[where + event.player].bought += event.cents
        elif isinstance(event, e.ChipsCashed):
            self.people[where + event.player].cashed += event.cents

    def _played(self, where: str, told: TableTold) -> None:
        """A round is over for everybody who had a wager in it."""
        told.rounds += 1
        for name in {place.split(" ", 2)[2] for place in told.lying}:
            played = self.people.setdefault(where + name, PlayedBy())
            played.rounds += 1
            played.first_round = played.first_round or told.rounds
            played.last_round = told.rounds
            if where + name not in told.moved:
                told.moved.append(where + name)

    def untied(self) -> dict[str, int]:
        """Tables whose win here is not what people have lost there by the books, less what lies on the cloth."""
        won: dict[str, int] = {}
        for key, cell in self.cells.items():
            table = place_of(key).table
            won[table] = won.get(table, 0) + cell.won
        for by_table in self.books.people.values():
            for table, cents in by_table.items():
                won[table] = won.get(table, 0) + cents
        for account, cents in self.books.balances.items():
            table, _, name = account.partition("/")
            if name.startswith("box:"):
                won[table] = won.get(table, 0) + cents
        return {table: cents for table, cents in won.items() if cents}


def _lay(told: TableTold, event: e.WagerPlaced | e.InsurancePlaced | e.WagerReturned, bet: str, cents: int) -> None:
    place = f"{event.box} {bet} {event.player}"
    left = told.lying.get(place, 0) + cents
    if left > 0:
        told.lying[place] = left
    else:
        told.lying.pop(place, None)


def _round_over(cell: Cell, told: TableTold) -> None:
    boxes: dict[str, dict[str, int]] = {}
    for place, cents in told.lying.items():
        box, name, _ = place.split(" ", 2)
        laid = boxes.setdefault(name, {})
        laid[box] = laid.get(box, 0) + cents
    for name, laid in boxes.items():
        prize = told.played_for if name == BLAZING else 0
        _together(cell.bet(name), [(cents, prize) for cents in laid.values()])
    main = boxes.get(MAIN, {}).values()
    cell.boxes += len(main)
    cell.cross += sum(main) ** 2 - sum(cents * cents for cents in main)
    if told.bonus is not None and main:
        _together(cell.bet(SUPER_BONUS), [(0, prize) for prize in _bonuses(told.bonus, told.lying)])
    cell.rounds += 1
    cell.wagered += told.at_risk
    told.lying, told.at_risk = {}, 0


def _together(bet: Bet, boxes: list[tuple[int, int]]) -> None:
    """The boxes of one round: what each wagered, and the prize that each played for."""
    bet.count += len(boxes)
    wagers, prizes = sum(w for w, _ in boxes), sum(p for _, p in boxes)
    squares, mixed, prize_squares = (
        sum(w * w for w, _ in boxes),
        sum(w * p for w, p in boxes),
        sum(p * p for _, p in boxes),
    )
    bet.cents += wagers
    bet.squares += squares
    bet.prizes += prizes
    if prizes:
        bet.prize_squares += prize_squares
        bet.mixed += mixed
        bet.cross += wagers * wagers - squares
        bet.cross_mixed += wagers * prizes - mixed
        bet.cross_prizes += prizes * prizes - prize_squares


def _bonuses(bonus: Bonus, lying: dict[str, int]) -> list[int]:
    """What three suited sevens on each box would cost: every wager there by its size, and the others in the round."""
    originals: list[tuple[str, str, int]] = []
    people = set()
    for place, cents in lying.items():
        box, name, player = place.split(" ", 2)
        if name == MAIN:
            originals.append((box, player, cents))
        if name == MAIN or (bonus.side_bets and name != INSURANCE):
            people.add(player)
    found = []
    for box in dict.fromkeys(box for box, _, _ in originals):
        earned = {player: bonus.due(cents) for where, player, cents in originals if where == box}
        if not any(earned.values()):
            continue
        if bonus.each_player:
            others = len(people - {player for player, cents in earned.items() if cents})
        else:
            others = sum(where != box for where, _, _ in originals)
        found.append(sum(earned.values()) + others * bonus.others)
    return found


def is_the_houses(account: str) -> bool:
    """Whether an account is neither a person's nor a box: what comes to it, the house has won."""
    kind = account.partition(":")[0]
    return kind not in OF_A_PERSON and kind != "tournament" and "/box:" not in account


COUNTED: dict[type[Event], str] = {
    e.IrregularityReported: "irregularities",
    e.RoundVoided: "void rounds",
    e.EarlierRoundVoided: "void rounds",
    e.RoundTakenBack: "rounds laid again",
    e.DisputeRaised: "disputes",
    e.DisputeRuled: "disputes ruled on",
    e.ReviewAsked: "reviews asked for",
    e.MispaymentRecorded: "mispayments",
    e.MispaymentRectified: "mispayments rectified",
    e.FloatFilled: "fills",
    e.FloatCredited: "credits",
    e.LimitsSet: "limits set",
    e.JackpotPrizePaid: "jackpot prizes",
    e.CardsShuffled: "shuffles",
    e.PlayerRestricted: "restrictions",
    e.PlayerBarred: "exclusions",
    e.ColoursChanged: "colour changes",
    e.TableStopped: "stops",
    e.SourceChanged: "devices changed",
    e.CheckOrdered: "card checks",
}


def _reason(event: Any) -> str:
    return f": {event.reason}" if event.reason else ""


TOLD: dict[type[Event], Callable[[Any], str]] = {
    e.IrregularityReported: lambda x: f"{x.kind.replace('-', ' ')}{_reason(x)}",
    e.RoundVoided: lambda x: f"the round was voided{_reason(x)}",
    e.EarlierRoundVoided: lambda x: f"an earlier round was voided{_reason(x)}",
    e.DisputeRaised: lambda x: f"{x.player} disputes: {x.about}",
    e.DisputeRuled: lambda x: f"ruled for {x.player} by the {x.by.replace('-', ' ')}: {x.ruling}",
    e.ReviewAsked: lambda x: f"{x.player} asks for a review",
    e.MispaymentRecorded: lambda x: f"{x.player} was paid {dollars(abs(x.cents))} {_too(x.cents)}{_reason(x)}",
    e.MispaymentRectified: lambda x: f"{dollars(abs(x.cents))} put right with {x.player}",
    e.LimitsSet: lambda x: (
        f"{'' if x.kind == ORIGINAL else x.kind.replace('-', ' ') + ': '}"
        f"{dollars(x.minimum_cents)} to {dollars(x.maximum_cents)}"
    ),
    e.PlayerRestricted: lambda x: f"{x.player}: {x.rule.replace('-', ' ')}",
    e.PlayerBarred: lambda x: f"{x.player}{_reason(x)}",
    e.JackpotPrizePaid: lambda x: f"{x.player}: {x.result.replace('-', ' ')}, {dollars(x.cents)}",
    e.TableStopped: lambda x: f"the table was stopped{_reason(x)}",
}
"""What a report tells one by one, and in which words."""


def _too(cents: int) -> str:
    return "too much" if cents > 0 else "too little"


def _waits_for(event: Event) -> str:
    """Whom it waits for; nobody where it is done."""
    if isinstance(event, e.IrregularityReported):
        return event.approval
    return event.player if isinstance(event, (e.DisputeRaised, e.ReviewAsked)) else ""


def bet_of(event: Any) -> str:
    """Which wager it is that money moves for."""
    kind = type(event)
    if kind in (e.MispaymentRecorded, e.MispaymentRectified):
        return ERRORS
    if kind in (e.InsurancePaid, e.InsuranceCollected):
        return INSURANCE
    if kind in (e.SuperBonusPaid, e.BonusPaid):
        return SUPER_BONUS
    if kind in (e.JackpotWagerCollected, e.JackpotPrizePaid, e.JackpotSet):
        return BLAZING
    name = getattr(event, "kind", ORIGINAL)
    return MAIN if name == ORIGINAL else SUPER_BONUS if name in ("bonus", SUPER_BONUS) else str(name)
