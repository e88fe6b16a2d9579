"""Chips bought and changed, tokens for vouchers, fills and credits: who, how much, and where it is posted."""

from __future__ import annotations

import pytest

from pitboss import load, open_table, play, refusal
from pitboss.ledger import Ledger
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import Patron
from tests.books import BJC, DOCUMENTS, NSW


@pytest.mark.clause("nsw-pontoon", "def:Colour Change")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Colour Change")
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_chips_are_changed_for_others_of_the_same_value(rulebook: str) -> None:
    table = open_table(rulebook, cards="", players={"alice": Patron(seat=1, chips_cents=10_000)})
    after, events = play(table, a.ChangeColour("alice", 10_000, 2500))
    (changed,) = events
    assert isinstance(changed, e.ColoursChanged) and changed.clauses
    ledger = Ledger()
    ledger.post_all(events)
    assert not any(ledger.balances.values()) and after.net == {"alice": 0}
    for act, text in (
        (a.ChangeColour("alice", 10_000, 700), "no chips of that value"),
        (a.ChangeColour("alice", 9_900, 2500), "not a whole number"),
        (a.ChangeColour("alice", 12_500, 2500), "does not have that much"),
    ):
        refused = refusal(table, act)
        assert refused is not None and text in refused.text
        assert refused.clauses == load(rulebook).wagers.changed_by.clauses


@pytest.mark.clause("nsw-pontoon", "def:casino promotional token", "5.2")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Casino Promotional Token", "5.2")
@pytest.mark.parametrize("rulebook", [NSW, BJC])
def test_tokens_come_from_a_voucher_and_are_lost_as_tokens(rulebook: str) -> None:
    """Winnings are chips, and a token that wins stays the player's; one that loses is no chip of the float's."""
    ledger = Ledger()
    table = open_table(rulebook, cards="Ks 9s Kd 9h 9d 9s 7c 9c")
    table, events = play(
        table, a.IssueTokens("dealer", "alice", 3000), a.PlaceWager("alice", 1, 1000, token_cents=1000)
    )
    ledger.post_all(events)
    assert ledger.balance("tokens:alice") == 2000 and ledger.balance("promotion") == -3000
    table, events = play(table, a.Deal(), a.Stand("alice", 1))
    ledger.post_all(events)
    assert ledger.balance("tokens:alice") == 3000 and ledger.balance("player:alice") == 1000
    table, events = play(table, a.PlaceWager("alice", 1, 1500, token_cents=1000), a.Deal(), a.Stand("alice", 1))
    ledger.post_all(events)
    assert table.net["alice"] == -500
    assert ledger.balance("tokens:alice") == 2000 and ledger.balance("promotion") == -2000
    assert ledger.balance("player:alice") == 500 and ledger.balance("float") == -500
    assert ledger.total() == 0


@pytest.mark.parametrize("rulebook", [book for book in DOCUMENTS if book not in (NSW, BJC)])
def test_where_wagers_are_chips_nobody_issues_tokens(rulebook: str) -> None:
    refused = refusal(open_table(rulebook, cards=""), a.IssueTokens("gaming-manager", "alice", 1000))
    assert refused is not None and "nobody" in refused.text


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_fills_and_credits_are_a_supervisors(rulebook: str) -> None:
    table = open_table(rulebook, cards="")
    ledger = Ledger()
    _, events = play(table, a.FillFloat("casino-supervisor", 500_000), a.CreditFloat("gaming-manager", 200_000))
    ledger.post_all(events)
    assert ledger.balances == {"cage": -300_000, "float": 300_000}
    for act in (a.FillFloat("dealer", 500_000), a.FillFloat("casino-supervisor", 0), a.CreditFloat("dealer", 100)):
        refused = refusal(table, act)
        assert refused is not None and refused.clauses == load(rulebook).wagers.float_by.clauses
