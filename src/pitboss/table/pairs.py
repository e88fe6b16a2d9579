"""Optional wagers on a pair in the first two cards: Perfect Pairs, Any Pairs, Star Pairs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pitboss.basics.cards import Card, is_red
from pitboss.rulebooks.meanings import NEEDS_OWN_ORIGINAL, REFUSED_WITHOUT_ORIGINAL, handles
from pitboss.rulebooks.terms import PayRow, SideBet
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import BLAZING
from pitboss.table.limits import refuse_side_limits
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, heads, no, payment
from pitboss.table.state import Box, Table


def refuse_side_bet(table: Table, act: a.PlaceWager, box: Box | None) -> Refusal | None:
    """Why this optional wager may not be placed, or None if it may."""
    bet = table.rulebook.side_bets.get(act.kind)
    if bet is None or not bet.offered.value:
        offered = ", ".join(table.house.side_bets) or "none"
        clauses = bet.offered.clauses if bet else table.rulebook.wagers.before_first_card.clauses
        return no(table, clauses, f"there is no wager {act.kind!r} here; offered: {offered}.")
    if act.kind not in table.house.side_bets:
        if table.house.decks not in bet.decks.value:
            clauses = bet.decks.clauses
            return no(table, clauses, f"{act.kind} cannot be offered with {table.house.decks} decks.")
        return no(table, bet.offered.clauses, f"this table does not offer {act.kind}.")
    originals = box.wagers if box else {}
    if act.kind in table.side_restricted and act.player not in originals:
        text = f"{act.kind} is limited to players with an original wager on the box."
        return no(table, bet.restricted_by.clauses, text)
    if REFUSED_WITHOUT_ORIGINAL[bet.without_original.value]:
        if NEEDS_OWN_ORIGINAL[bet.access.value] and act.player not in originals:
            clauses = both(bet.without_original, bet.access)
            return no(table, clauses, f"place an original wager on box {act.box} first.")
        if not originals:
            clauses = both(bet.without_original, bet.access)
            return no(table, clauses, f"box {act.box} has no original wager yet: {act.kind} needs one there first.")
    placed = box.side.get(act.kind, {}) if box else {}
    if act.player in placed:
        clauses = both(bet.per_box, bet.access)
        return no(table, clauses, f"{act.player} already has a {act.kind} wager on box {act.box}.")
    if len(placed) >= bet.per_box.value and displaced_by(table, act) is None:
        text = f"box {act.box} has {bet.per_box.value} {act.kind} wagers, the most there may be."
        return no(table, both(bet.per_box, bet.preference), text)
    return refuse_side_limits(table, act, bet.amount.clauses)


def displaced_by(table: Table, act: a.PlaceWager) -> str | None:
    """Whose wager makes room: the latest of a player without an original wager, for one who has one."""
    bet = table.rulebook.side_bets[act.kind]
    box = table.boxes.get(act.box)
    if box is None or act.player not in box.wagers:
        return None
    placed = box.side.get(act.kind, {})
    if len(placed) < bet.per_box.value:
        return None
    outsiders = [name for name in placed if name not in box.wagers]
    return outsiders[-1] if outsiders else None


handles(
    "side_bets.perfect-pairs.pays:rows side_bets.any-pairs.pays:rows side_bets.star-pairs.pays:rows",
    "any aces perfect suited coloured same-colour mixed",
)
handles("side_bets.*.settled_clauses", "won lost")
handles("side_bets", "perfect-pairs any-pairs star-pairs")  # all are pairs: their rows and terms tell them apart


def pair_result(rows: Sequence[PayRow], first: Card, second: Card) -> PayRow | None:
    """The best row that two cards win, or None where they are no pair."""
    if first[0] != second[0]:
        return None
    same_suit = first[1] == second[1]
    names = {"any"}
    if first[0] == "A":
        names.add("aces")
    if same_suit:
        names |= {"perfect", "suited"}
    elif is_red(first) == is_red(second):
        names |= {"coloured", "same-colour"}
    else:
        names.add("mixed")
    won = [row for row in rows if row.name in names]
    return max(won, key=lambda row: Fraction(row.odds.wins, row.odds.on), default=None)


def void_alone(run: Run) -> None:
    """Return optional wagers that have lost the original wager they need."""
    table = run.table
    for number in sorted([number for number, box in table.boxes.items() if box.side]):
        box = table.boxes[number]
        for kind, placed in box.side.items():
            if kind == BLAZING:
                own, clauses = True, table.rulebook.blazing_7s.access.clauses
            else:
                bet = table.rulebook.side_bets[kind]
                own = NEEDS_OWN_ORIGINAL[bet.access.value] or kind in table.side_restricted
                clauses = both(bet.without_original, bet.access)
            for player, cents in list(placed.items()):
                if (player not in box.wagers) if own else not box.wagers:
                    run.emit(e.WagerReturned(clauses, player, number, cents, kind, "void"))


def settle_pairs(run: Run) -> None:
    """Settle every pair wager on the first two cards."""
    table = run.table
    for number, box in table.boxes.items():
        if not box.side:
            continue
        for kind, placed in box.side.items():
            if kind not in table.rulebook.side_bets:
                continue
            bet: SideBet = table.rulebook.side_bets[kind]
            if len(box.hands[0].cards) < 2:
                continue  # it lacks a card: the pair is settled when that has come
            first, second = box.hands[0].cards[:2]
            row = pair_result(bet.pays.value, first, second)
            for player, cents in list(placed.items()):
                if row is None:
                    lost = (bet.settled_clauses.value["lost"], *heads(bet.pair))
                    run.emit(e.SideBetCollected(lost, number, player, kind, cents))
                    continue
                paid, rounded = payment(table, cents, row.odds)
                clauses = (*row.clauses, bet.settled_clauses.value["won"])
                if rounded:
                    rounding = heads(table.rulebook.wagers.rounding)
                    clauses = (*row.clauses[:2], bet.settled_clauses.value["won"], *rounding)
                run.emit(e.SideBetPaid(clauses, number, player, kind, row.name, cents, row.odds, paid))
