"""Where chips are counted nobody wagers what is not there (NSW pontoon 5.2, Blackjack Challenge 5.2 and the like)."""

from __future__ import annotations

import random

import pytest

from pitboss.ledger.guard import Guard
from pitboss.ledger.postings import Ledger, pocket_of, tokens_of
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.engine import open_table, play, refusal
from pitboss.table.house import Patron, default_house
from pitboss.table.legal import legal_acts
from pitboss.table.refusals import Refused
from pitboss.table.run import chips_left
from pitboss.table.state import Table


def counted(rulebook: str, cards: str = "", **players: Patron) -> Table:
    return open_table(rulebook, cards=cards, house=default_house(load(rulebook), counted=True), players=players)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_nobody_wagers_what_they_have_not_bought_or_brought(rulebook: str) -> None:
    table = counted(rulebook, bob=Patron(seat=2))
    means = load(rulebook).wagers.means.clauses
    for player, box in (("alice", 1), ("bob", 2)):
        no = refusal(table, a.PlaceWager(player, box, 100_000))
        assert no is not None and no.clauses == means and "$0.00 in chips" in no.text
    table, _ = play(table, a.BuyChips("alice", 10_000), a.BringChips("bob", 2_500), a.PlaceWager("alice", 1, 6_000))
    no = refusal(table, a.PlaceWager("alice", 3, 5_000))
    assert no is not None and "$40.00" in no.text and no.clauses == means
    assert refusal(table, a.PlaceWager("alice", 3, 4_000)) is None
    assert refusal(table, a.PlaceWager("bob", 2, 3_000)) is not None
    assert refusal(table, a.PlaceWager("bob", 2, 2_500)) is None


@pytest.mark.parametrize("rulebook", [name for name in RULEBOOKS if load(name).wagers.tokens_by.value != "nobody"])
def test_money_is_not_called_tokens(rulebook: str) -> None:
    table, _ = play(counted(rulebook), a.BuyChips("alice", 10_000))
    no = refusal(table, a.PlaceWager("alice", 1, 5_000, token_cents=5_000))
    assert no is not None and "$0.00 in promotional tokens" in no.text
    table, _ = play(table, a.IssueTokens("dealer", "alice", 2_000))
    assert refusal(table, a.PlaceWager("alice", 1, 11_000)) is not None  # her tokens are no chips
    assert refusal(table, a.PlaceWager("alice", 1, 12_000, token_cents=2_001)) is not None
    table, _ = play(table, a.PlaceWager("alice", 1, 12_000, token_cents=2_000))
    assert chips_left(table, "alice") == 0 and table.players["alice"].tokens_cents == 0
    table, _ = play(table, a.WithdrawWager("alice", 1))
    assert chips_left(table, "alice") == 10_000 and table.players["alice"].tokens_cents == 2_000


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_whoever_leaves_takes_their_chips_along(rulebook: str) -> None:
    table, _ = play(counted(rulebook), a.BuyChips("alice", 10_000), a.TakeChips("alice", 1_000))
    table, events = play(table, a.LeaveTable("alice"))
    assert [event.cents for event in events if isinstance(event, e.ChipsTaken)] == [9_000]
    assert chips_left(table, "alice") == 0
    assert refusal(table, a.PlaceWager("alice", 1, 500)) is not None
    assert refusal(table, a.TakeChips("alice", 100)) is not None


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_cash_for_chips_is_a_supervisors_word(rulebook: str) -> None:
    table, _ = play(counted(rulebook), a.BuyChips("alice", 10_000))
    no = refusal(table, a.CashChips("dealer", "alice", 1_000))
    assert no is not None and no.clauses == load(rulebook).wagers.float_by.clauses
    assert refusal(table, a.CashChips("casino-supervisor", "alice", 10_001)) is not None
    table, _ = play(table, a.CashChips("casino-supervisor", "alice", 10_000))
    assert chips_left(table, "alice") == 0


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_where_chips_are_not_counted_there_is_nothing_to_bring(rulebook: str) -> None:
    table = open_table(rulebook, cards="")
    for act in (a.BringChips("alice", 500), a.TakeChips("alice", 500), a.CashChips("casino-supervisor", "alice", 500)):
        no = refusal(table, act)
        assert no is not None and "not counted" in no.text
    _, events = play(table, a.BuyChips("alice", 500), a.LeaveTable("alice"))
    assert not any(isinstance(event, e.ChipsTaken) for event in events)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_table_counts_as_the_ledger_does(rulebook: str) -> None:
    """Random play with chips and tokens: nobody falls below zero, and both count the same to the cent."""
    book = load(rulebook)
    tokens = book.wagers.tokens_by.value != "nobody"
    chance = random.Random(7)
    for _ in range(12):
        ranks = "23456789JQKA" + ("T" if "T" in book.cards.ranks.value else "")
        deck = [rank + suit for rank in ranks for suit in "shdc"] * 8
        chance.shuffle(deck)
        table = counted(rulebook, cards=" ".join(deck[:300]))
        guard, ledger = Guard(), Ledger(table.jackpot_cents)
        names = ("alice", "bob", "carol")
        for _ in range(60):
            options: list[a.Act] = [*legal_acts(table)]
            if table.phase == "wagers":
                who = chance.choice(names)
                options = [act for act in options if not isinstance(act, a.LeaveTable)] or options
                options += [a.BuyChips(who, 2_500), a.BringChips(who, 1_000), a.TakeChips(who, 500)]
                options += [a.PlaceWager(who, chance.randint(1, 4), chance.choice((500, 1_000)))] * 3
                if tokens:
                    options.append(a.IssueTokens("dealer", who, 1_000))
                    cents = chance.choice((500, 1_000, 1_500))
                    options += [a.PlaceWager(who, chance.randint(1, 4), cents, token_cents=500)] * 4
                if chance.random() < 0.3:
                    options = [a.Deal()]
            act = chance.choice(options)
            before = table
            try:
                table, events = play(table, act)
            except Refused:
                continue
            assert guard.check(before, table, events, act) is None
            ledger.post_all(events)
            for name in table.players:
                left = chips_left(table, name)
                assert left is not None and left >= 0
                assert left == ledger.balance(f"player:{name}"), (act, name)
                assert table.players[name].tokens_cents == ledger.balance(tokens_of(name)) >= 0, (act, name)
        assert ledger.total() == 0
        assert any(ledger.balance(pocket_of(name)) for name in names)
