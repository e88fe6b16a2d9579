"""Blazing 7s: the progressive jackpot, at one table or linked over several (Blackjack Challenge 16)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pitboss.basics.cards import Card, is_red
from pitboss.basics.money import dollars, payable_up
from pitboss.rulebooks.meanings import handles
from pitboss.rulebooks.terms import FixedRow, Rulebook
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING, House
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, both, heads, no
from pitboss.table.state import Box, Table


def refuse_blazing(table: Table, act: a.PlaceWager, box: Box | None) -> Refusal | None:
    """Why this jackpot wager may not be placed, or None if it may."""
    terms, house = table.rulebook.blazing_7s, table.house
    if not terms.offered.value:
        return no(table, terms.offered.clauses, f"there is no wager {act.kind!r} in this game.")
    if house.source != terms.source.value:
        return no(table, terms.source.clauses + heads(terms.offered), f"{BLAZING} needs a {terms.source.value}.")
    if BLAZING not in house.side_bets:
        if house.decks not in terms.decks.value:
            return no(
                table,
                terms.decks.clauses + heads(terms.offered),
                f"{BLAZING} cannot be offered with {house.decks} decks.",
            )
        return no(table, terms.offered.clauses, f"this table does not offer {BLAZING}.")
    if table.jackpot_down:
        clauses = both(terms.fault, terms.fault_approval)
        return no(table, clauses, "the jackpot equipment has failed: the game continues without the jackpot.")
    if act.token_cents:
        return no(table, terms.amounts_cents.clauses, "the jackpot takes chips only.")
    if act.cents not in terms.amounts_cents.value:
        amounts = " or ".join(dollars(cents) for cents in terms.amounts_cents.value)
        return no(table, terms.amounts_cents.clauses, f"a jackpot wager is {amounts}, not {dollars(act.cents)}.")
    if box is None or act.player not in box.wagers:
        return no(table, terms.access.clauses, f"place an original wager on box {act.box} first.")
    placed = box.side.get(BLAZING, {})
    if placed:
        (holder,) = placed
        if holder == act.player or _priority(table, box, holder) <= _priority(table, box, act.player):
            text = f"{holder} has the jackpot wager of box {act.box}; one a box."
            return no(table, both(terms.per_box, terms.priority), text)
    return None


def _priority(table: Table, box: Box, player: str) -> tuple[int, int, int]:
    """Seated first, then the highest wager, then the one nearest the dealer; smaller is earlier."""
    seated = table.players[player].seat == box.number
    return (0 if seated else 1, -box.wagers[player].cents, list(box.wagers).index(player))


def blazing_taken_by(table: Table, box: int) -> str | None:
    """Whose jackpot wager stands on a box."""
    area = table.boxes.get(box)
    placed = area.side.get(BLAZING, {}) if area else {}
    return next(iter(placed), None)


def collect_blazing(run: Run) -> None:
    """Take the jackpot wagers before the initial deal; a part of each may go to the jackpot."""
    table = run.table
    terms = table.rulebook.blazing_7s
    for number in sorted(table.boxes):
        for player, cents in list(table.boxes[number].side.get(BLAZING, {}).items()):
            part = cents * table.house.jackpot_rate_percent // 100
            run.emit(e.JackpotWagerCollected(terms.collected.clauses, number, player, cents, part))


def blazing_result(rows: Sequence[FixedRow], player_cards: Sequence[Card], dealer_card: Card) -> FixedRow | None:
    """The best row that the player's first two cards and the dealer's first win."""
    sevens = [card for card in player_cards[:2] if card[0] == "7"]
    dealer_seven = dealer_card[0] == "7"
    names: list[str] = []
    if len(sevens) == 2 and dealer_seven:
        three = [*sevens, dealer_card]
        suits = {card[1] for card in three}
        if suits == {"d"}:
            names.append("three-sevens-diamonds")
        elif len(suits) == 1:
            names.append("three-suited-sevens")
        elif len({is_red(card) for card in three}) == 1:
            names.append("three-same-colour-sevens")
        else:
            names.append("three-sevens")
    elif len(sevens) == 2:
        names.append("two-player-sevens")
    elif len(sevens) == 1 and dealer_seven:
        names.append("one-player-one-dealer-seven")
    return next((row for row in rows if row.name in names), None)


handles(
    "blazing_7s.pays:rows",
    "three-sevens-diamonds three-suited-sevens three-same-colour-sevens three-sevens two-player-sevens "
    "one-player-one-dealer-seven",
)
handles("blazing_7s.several", "top tenth fixed-first same-time")
handles("blazing_7s.linked", "pay-table rate seed wager")


class Shares(msgspec.Struct, frozen=True):
    """What each winner of a share is paid and how much of that the pool bears."""

    cents_each: int
    from_pool_each: int
    rest_from_pool: int
    """Cents that the pool bears besides (rounding): with the first winner's."""


def shares_of_top(pool_cents: int, minimum_cents: int, winners: int) -> Shares:
    """Winners of the whole jackpot share it, or each gets the reset value if that is more (16.11.1)."""
    each = max(-(-pool_cents // winners), minimum_cents)
    from_each = min(each, pool_cents // winners)
    return Shares(each, from_each, pool_cents - from_each * winners)


def shares_of_tenths(pool_cents: int, minimum_cents: int, winners: int) -> Shares:
    """Tenths are taken one after the other and shared, each at least a tenth of the reset value (16.11.2).

    A share is exact, and rounded up to the cent only then (5.12); the pool bears whole cents of each tenth.
    """
    left = pool_cents
    for _ in range(winners):
        left -= left // 10
    taken = pool_cents - left
    share = -(-pool_cents * (10**winners - 9**winners) // (10**winners * winners))
    each = max(share, minimum_cents // 10)
    return Shares(each, taken // winners, taken - taken // winners * winners)


def settle_blazing(run: Run) -> bool:
    """Settle the jackpot wagers; False where a linked jackpot's winners wait for the link."""
    table = run.table
    if table.jackpot_waiting:
        return False
    undecided = [w for w in table.jackpot_wagers if w[0] in table.boxes and (w[0], w[1]) not in table.jackpot_lost]
    if not undecided or not table.dealer_cards:
        return True
    terms = table.rulebook.blazing_7s
    winners: dict[int, list[tuple[int, str, FixedRow]]] = {}
    for number, player, cents, _ in undecided:
        cards = table.boxes[number].hands[0].cards
        row = blazing_result(terms.pays.value, cards, table.dealer_cards[0])
        if row is None and table.jackpot_down:  # it won when the equipment failed; laid again it does not
            return_collected(run, number, player)
        elif row is None:
            run.emit(e.JackpotLost(both(terms.loses, terms.cards), number, player))
        elif row.share_percent:
            winners.setdefault(row.share_percent, []).append((number, player, row))
        else:
            clauses = row.clauses + both(terms.in_addition)
            prize = payable_up(row.cents_by_wager[cents], table.house.chips_cents)
            if prize != row.cents_by_wager[cents]:
                clauses += table.rulebook.wagers.rounding.clauses
            run.emit(e.JackpotPrizePaid(clauses, number, player, row.name, prize))
    if not winners:
        return True
    if table.house.jackpot_linked:
        for group in winners.values():
            for number, player, row in group:
                run.emit(e.JackpotWon(row.clauses + terms.linked.clauses, number, player, row.name))
        return False
    for percent in sorted(winners, reverse=True):
        pay_shares(run, winners[percent], percent)
    return True


def pay_shares(run: Run, group: list[tuple[int, str, FixedRow]], percent: int) -> None:
    """Pay the winners of one kind of share out of the table's own jackpot, and reset it where it must be."""
    table = run.table
    terms = table.rulebook.blazing_7s
    minimum = table.house.jackpot_minimum_cents
    way = shares_of_top if percent == 100 else shares_of_tenths
    shares = way(table.jackpot_cents, minimum, len(group))
    several = terms.several.value["top" if percent == 100 else "tenth"]
    paid = payable_up(shares.cents_each, table.house.chips_cents)
    for index, (number, player, row) in enumerate(group):
        from_pool = shares.from_pool_each + (shares.rest_from_pool if index == 0 else 0)
        clauses = row.clauses + ((several,) if len(group) > 1 else ()) + terms.in_addition.clauses
        if paid != shares.cents_each:
            clauses += table.rulebook.wagers.rounding.clauses
        run.emit(e.JackpotPrizePaid(clauses, number, player, row.name, paid, min(paid, from_pool)))
    if table.jackpot_cents < minimum:
        added = minimum - table.jackpot_cents
        run.emit(e.JackpotSet(both(terms.resets, terms.minimums_cents), minimum, added, "reset"))
    else:
        run.emit(e.JackpotSet(group[0][2].clauses, table.jackpot_cents, 0, "paid"))


# --- the link --------------------------------------------------------------------------------------------------------


def refuse_set_jackpot(table: Table, act: a.SetJackpot) -> Refusal | None:
    terms = table.rulebook.blazing_7s
    if not terms.offered.value or BLAZING not in table.house.side_bets:
        return no(table, terms.offered.clauses, "this table has no jackpot.")
    if type(act.cents) is not int or act.cents < table.house.jackpot_minimum_cents:
        least = dollars(table.house.jackpot_minimum_cents)
        return no(table, both(terms.resets, terms.minimums_cents), f"the jackpot does not stand below {least}.")
    return None


@carries_out(a.SetJackpot, refuse_set_jackpot)
def set_jackpot(run: Run, act: a.SetJackpot) -> None:
    added = act.cents - run.table.jackpot_cents
    run.emit(e.JackpotSet(run.table.rulebook.blazing_7s.linked.clauses, act.cents, added, "link"))


def refuse_pay_jackpot(table: Table, act: a.PayJackpot) -> Refusal | None:
    terms = table.rulebook.blazing_7s
    if not table.jackpot_waiting:
        return no(table, terms.linked.clauses, "no share of the jackpot waits for payment.")
    if not 0 <= act.from_pool_each <= act.cents_each or act.cents_each <= 0:
        return no(table, both(terms.several), "a share is above zero, and the pool bears no more than the share.")
    return None


@carries_out(a.PayJackpot, refuse_pay_jackpot)
def pay_jackpot(run: Run, act: a.PayJackpot) -> None:
    table = run.table
    terms = table.rulebook.blazing_7s
    rows = {row.name: row for row in terms.pays.value}
    for number, player, result in table.jackpot_waiting:
        clauses = rows[result].clauses + terms.several.clauses
        run.emit(e.JackpotPrizePaid(clauses, number, player, result, act.cents_each, act.from_pool_each))
    if act.from_pool_each:
        run.emit(e.JackpotSet(terms.linked.clauses, table.jackpot_cents, 0, "paid"))


def refuse_fault(table: Table, act: a.ReportJackpotFault) -> Refusal | None:
    terms = table.rulebook.blazing_7s
    if not terms.offered.value:
        return no(table, terms.offered.clauses, "this game has no jackpot.")
    if not may_act(act.by, "dealer"):
        return no(table, terms.fault.clauses, "the dealer or a supervisor reports it.")
    if BLAZING not in table.house.side_bets or table.jackpot_down:
        return no(table, terms.fault.clauses, "no jackpot is being played for.")
    return None


@carries_out(a.ReportJackpotFault, refuse_fault)
def report_fault(run: Run, act: a.ReportJackpotFault) -> None:
    """Jackpot wagers of the round go back, those already collected from the float; what was paid stays paid.

    The game goes on without the jackpot once a casino supervisor approves that; one who reports the fault does.
    """
    table = run.table
    terms = table.rulebook.blazing_7s
    clauses = terms.fault.clauses
    run.emit(e.JackpotFaulted(clauses, act.by))
    for number in sorted(table.boxes):
        for player, cents in list(table.boxes[number].side.get(BLAZING, {}).items()):
            run.emit(e.WagerReturned(clauses, player, number, cents, BLAZING, "jackpot-fault"))
    for number, player, _, _ in table.jackpot_wagers:
        return_collected(run, number, player)
    if may_act(act.by, terms.fault_approval.value):
        run.emit(e.ApprovalGiven(terms.fault_approval.clauses, act.by))
    else:
        run.emit(e.IrregularityReported(terms.fault_approval.clauses, "jackpot-fault", terms.fault_approval.value))


def return_collected(run: Run, number: int, player: str) -> None:
    """A jackpot wager goes back from the float, and its part from the jackpot, since the equipment has failed."""
    table = run.table
    clauses = table.rulebook.blazing_7s.fault.clauses
    cents, part = next(w[2:] for w in table.jackpot_wagers if w[:2] == (number, player))
    run.emit(e.WagerReturned(clauses, player, number, cents, BLAZING, "jackpot-fault", e.JACKPOT_COLLECTED))
    if part:
        run.emit(e.JackpotSet(clauses, table.jackpot_cents - part, -part, "fault"))


def refuse_restore(table: Table, act: a.RestoreJackpot) -> Refusal | None:
    terms = table.rulebook.blazing_7s
    if not table.jackpot_down:
        clauses = terms.fault.clauses if terms.offered.value else terms.offered.clauses
        return no(table, clauses, "no jackpot equipment has failed.")
    if not may_act(act.by, terms.fault_approval.value):
        text = f"{the_role(terms.fault_approval.value)} lets the jackpot be played for again, not {the_role(act.by)}."
        return no(table, terms.fault_approval.clauses, text)
    if table.phase != "wagers":
        return no(table, terms.fault.clauses, "the round is finished first.")
    return None


@carries_out(a.RestoreJackpot, refuse_restore)
def restore_jackpot(run: Run, act: a.RestoreJackpot) -> None:
    run.emit(e.JackpotRestored(run.table.rulebook.blazing_7s.fault_approval.clauses, act.by))


class Link(msgspec.Struct, frozen=True):
    """Several tables on one jackpot: what they share, and what winners at one time get (16.10, 16.11)."""

    rulebook: Rulebook
    pool_cents: int
    minimum_cents: int
    rate_percent: int
    wager_cents: int
    pay_table: tuple[FixedRow, ...]

    def refuse_table(self, rulebook: Rulebook, house: House, wager_cents: int) -> Refusal | None:
        """Why a table may not join the link, or None if it may."""
        clauses = self.rulebook.blazing_7s.linked.value
        differs = (
            ("pay-table", rulebook.blazing_7s.pays.value != self.pay_table, "the same jackpot pay table"),
            ("rate", house.jackpot_rate_percent != self.rate_percent, f"a rate of {self.rate_percent} percent"),
            (
                "seed",
                house.jackpot_minimum_cents != self.minimum_cents,
                f"a reset value of {dollars(self.minimum_cents)}",
            ),
            ("wager", wager_cents != self.wager_cents, f"a jackpot wager of {dollars(self.wager_cents)}"),
        )
        for name, is_different, wanted in differs:
            if is_different:
                return Refusal(rulebook.name, (clauses[name],), f"every table on this jackpot has {wanted}.")
        return None

    def contributed(self, cents: int) -> Link:
        """The link after a jackpot wager of `cents` at any of its tables."""
        return msgspec.structs.replace(self, pool_cents=self.pool_cents + cents * self.rate_percent // 100)

    def settled(self, tops: int, tenths: int) -> tuple[Link, Shares | None, Shares | None]:
        """What winners at one time get: whole-jackpot winners first, then tenths of what the pool then stands at."""
        pool = self.pool_cents
        top = tenth = None
        if tops:
            top = shares_of_top(pool, self.minimum_cents, tops)
            pool = self.minimum_cents
        if tenths:
            tenth = shares_of_tenths(pool, self.minimum_cents, tenths)
            pool -= tenth.from_pool_each * tenths + tenth.rest_from_pool
        return msgspec.structs.replace(self, pool_cents=max(pool, self.minimum_cents)), top, tenth
