"""The books of the house: accounts by table and person, and jackpots that several tables share."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import load, open_table, play
from pitboss.ledger.books import Books
from pitboss.ledger.postings import CAGE, HOUSE, VOUCHERS, Ledger, move, voucher_of
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import default_house
from tests.books import BJC, NSW


def booked(books: Books, name: str, events: tuple[e.Event, ...]) -> list[tuple[e.Event, Any]]:
    return list(books.post(name, events))


@pytest.mark.clause("nsw-blackjack-challenge", "16.12")
def test_a_linked_jackpot_is_one_account_for_all_its_tables() -> None:
    books = Books()
    books.open_link("sevens", 5_000_000)
    books.open("one", 5_000_000, link="sevens")
    books.open("two", 5_000_000, link="sevens")
    assert books.balances["link:sevens"] == 5_000_000 and "one/jackpot" not in books.balances
    book = load(BJC)
    house = default_house(book, source="shuffling-device", jackpot_linked=True, jackpot_rate_percent=20)
    table = open_table(book, cards="9d 8d 7d Kd 9h 2s 7s", house=house)
    wagers = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "blazing-7s"), a.Deal())
    _, events = play(table, *wagers)
    told = e.JackpotSet(("16.12",), 5_000_000, 100, "link")
    assert not booked(books, "one", (told,)), "the table is told where the pool stands: no money moves"
    booked(books, "one", events)
    assert books.balances["link:sevens"] == 5_000_100 and books.total() == 0
    books.move_pool("sevens", "table one, event 7", 100, 0, 0)
    assert books.differences() == []
    assert books.trial_balance(table="one") and "link:sevens" not in books.trial_balance(table="one")


def test_a_link_that_says_otherwise_than_its_tables_is_told_with_the_place() -> None:
    books = Books()
    books.open_link("sevens", 1000)
    books.open("one", link="sevens")
    books.move_pool("sevens", "table one, event 7", 500, 0, 0)
    (text,) = books.differences()
    assert text == "the jackpot sevens stands at $15.00 and its tables account for $10.00 since table one, event 7"
    books.move_pool("sevens", "table one, event 8", 0, 0, 250)
    assert books.differences() == [text], "what was found first stays"
    assert books.balances["house"] == -1250 and books.total() == 0


def test_chips_of_a_tournament_are_not_money_of_the_person() -> None:
    books = Books()
    books.open("final", tournament=True)
    books.open("main")
    for name in ("final", "main"):
        _, events = play(open_table(NSW, cards="Ks 9s Kd 9h"), a.PlaceWager("alice", 1, 1000), a.Deal())
        booked(books, name, events)
    assert books.balances["tournament:final:alice"] == books.balances["player:alice"] == -1000
    assert books.trial_balance(person="alice") == {"player:alice": -1000, "tournament:final:alice": -1000}
    assert books.standings("alice") == {"alice": {"final": -1000, "main": -1000}}


def test_tournament_chips_that_are_allotted_are_not_won() -> None:
    """They come from the inventory and go back to it; between lies what was won with them."""
    books = Books()
    books.open("final", tournament=True)
    allotted = e.ChipsAllotted(("20.6.2",), "alice", 100_000)
    list(books.post("final", (allotted,)))
    assert books.balances["final/inventory:alice"] == -100_000
    assert books.balances["tournament:final:alice"] == 100_000
    assert books.standings("alice").get("alice", {}).get("final", 0) == 0
    won = e.UndisclosedSettled(("20.8.2.6",), "alice", 1, "original", "won", 5000)
    list(books.post("final", (won, e.ChipsReturned(("20.5.8",), "alice", 105_000))))
    assert books.standings("alice")["alice"]["final"] == 5000 and books.total() == 0
    assert books.trial_balance(person="alice") == {}
    ledger = Ledger()
    ledger.post_all((allotted, won))
    assert ledger.standing("alice") == 5000 and ledger.total() == 0


def test_a_voucher_and_what_is_no_event_of_a_table_are_booked_at_both_ends() -> None:
    books = Books()
    issued = books.issue_voucher("alice", 2_500)
    assert sum(cents for _, cents in issued) == 0
    assert (books.balances[voucher_of("alice")], books.balances[VOUCHERS]) == (2_500, -2_500)
    posted = books.book("cup", move(1_000, CAGE, HOUSE))
    assert [cents for _, cents in posted] == [-1_000, 1_000]
    assert sum(books.balances.values()) == 0
