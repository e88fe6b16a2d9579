"""Cards and money: what is read, what is not, and what the message says then."""

from __future__ import annotations

import pytest

from pitboss.basics.cards import (
    ALL_CARDS,
    JOKER,
    RANKS,
    Card,
    CardError,
    deck,
    format_cards,
    is_natural,
    is_red,
    parse_card,
    parse_cards,
    point_total,
    with_card,
)
from pitboss.basics.money import (
    MoneyError,
    Odds,
    dollars,
    parse_cents,
    parse_odds,
    payable_down,
    payable_multiple,
    payable_up,
    plain_dollars,
)
from pitboss.ledger import Ledger
from pitboss.table import events as e


@pytest.mark.parametrize("text", ["", "6", "6S", "s6", "10s", "Tx", "6s ", "jo", "6♠"])
def test_what_is_no_card_is_named_and_a_card_is_shown(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert repr(text) in str(caught.value) and "as in 6s or Kd" in str(caught.value)


def test_cards_are_read_and_written_the_same() -> None:
    assert parse_cards("6s  Kd\nJo") == ("6s", "Kd", JOKER)
    assert format_cards(parse_cards("6s  Kd\nJo")) == "6s Kd Jo"
    assert parse_cards(format_cards(ALL_CARDS)) == ALL_CARDS
    with pytest.raises(CardError, match="'Kx'"):
        parse_cards("6s Kx")


def test_a_pontoon_deck_lacks_the_tens_only() -> None:
    pontoon = deck("A23456789JQK")
    assert len(set(pontoon)) == 48 and set(ALL_CARDS) - set(pontoon) == {"Ts", "Th", "Td", "Tc"}


def test_half_of_the_suits_are_red() -> None:
    assert {card[1] for card in ALL_CARDS if is_red(card)} == {"h", "d"}


@pytest.mark.parametrize(
    ("cards", "held", "total", "soft"),
    [
        ("", 0, 0, False),
        ("As Kd", 0, 21, True),
        ("As Kd", 1, 11, False),
        ("As Ad", 0, 12, True),
        ("As Ad", 1, 12, True),
        ("As Ad", 2, 2, False),
        ("As 6d Kc", 0, 17, False),
        ("As 9d Ac", 0, 21, True),
    ],
)
def test_an_ace_counts_eleven_where_it_may_and_does_not_bust(cards: str, held: int, total: int, soft: bool) -> None:
    assert point_total(parse_cards(cards), held) == (total, soft)


def test_a_total_card_by_card_is_the_total_of_all_cards() -> None:
    """Every hand of up to four cards that is not over 21, with every card that may follow."""
    open_hands: list[tuple[Card, ...]] = [(card,) for card in deck(RANKS)[:13]]
    seen = 0
    while open_hands:
        cards = open_hands.pop()
        before = point_total(cards)
        for card in deck(RANKS)[:13]:
            after = point_total((*cards, card))
            assert with_card(*before, card) == after, (cards, card)
            seen += 1
            if after[0] <= 21 and len(cards) < 4:
                open_hands.append((*cards, card))
    assert seen > 10_000


@pytest.mark.parametrize(("cards", "natural"), [("As Kd", True), ("Jd Ac", True), ("As", False), ("As 5d 5c", False)])
def test_a_natural_is_two_cards(cards: str, natural: bool) -> None:
    assert is_natural(parse_cards(cards)) is natural
    assert not is_natural(parse_cards("5s 6s")) and not is_natural(parse_cards("As Ad"))


@pytest.mark.parametrize(("text", "cents"), [("25", 2500), ("12.5", 1250), ("$0.05", 5), ("999999999", 99_999_999_900)])
def test_amounts_are_read_as_cents(text: str, cents: int) -> None:
    assert parse_cents(text) == cents
    assert parse_cents(plain_dollars(cents)) == cents


@pytest.mark.parametrize("text", ["", "-5", "1.234", "1,000", "five", "٣", "1e3", "5 ", "1234567890"])
def test_what_is_no_amount_is_named_and_one_is_shown(text: str) -> None:
    with pytest.raises(MoneyError) as caught:
        parse_cents(text)
    assert repr(text) in str(caught.value) and "12.50" in str(caught.value)


def test_amounts_are_written_for_people_and_for_records() -> None:
    assert [dollars(cents) for cents in (0, 5, 125_000, -705)] == ["$0.00", "$0.05", "$1,250.00", "-$7.05"]
    assert [plain_dollars(cents) for cents in (0, 2500, 1250, -700, -705)] == ["0", "25", "12.50", "-7", "-7.05"]


def test_odds_are_read_as_they_are_written() -> None:
    assert parse_odds("3 to 2") == Odds(3, 2) and str(parse_odds("3 to 2")) == "3 to 2"
    for text in ("3:2", "3 to 0", "three to two", "3 to 2 ", "-3 to 2"):
        with pytest.raises(MoneyError, match="write them as in '3 to 2'"):
            parse_odds(text)


@pytest.mark.parametrize("chips", [(100, 250), (500,), (300, 500), (600, 1000, 1500), (50, 700, 1100), (400, 600)])
def test_what_chips_can_make_is_the_nearest_that_can_be_made(chips: tuple[int, ...]) -> None:
    most = 6000
    makeable = {0}
    for cents in range(1, most + 1):
        if any(cents - chip in makeable for chip in chips):
            makeable.add(cents)
    for cents in range(0, most - 2000, 37):
        assert payable_up(cents, chips) == min(amount for amount in makeable if amount >= cents)
        assert payable_down(cents, chips) == max(amount for amount in makeable if amount <= cents)


def test_chips_with_little_in_common_are_counted_in_one_walk_over_the_remainders() -> None:
    """Not by trying until nothing changes: that took seconds for two such chips, and minutes for thirty."""
    assert payable_up(1_234_56, (99_97, 199_93)) == 99_97 + 6 * 199_93
    many = tuple(range(99_73, 99_73 + 30 * 7, 7))
    assert payable_up(150_00, many) == 2 * 99_73, "one chip is too little, and the next amount takes two"
    assert payable_down(1_999_00, many) == 20 * 99_73 + 62 * 7


def test_the_largest_multiple_is_one_that_chips_can_make() -> None:
    assert payable_multiple(37_50, 10_00, (5_00,)) == 30_00
    assert payable_multiple(67_50, 10_00, (25_00, 45_00)) == 50_00
    assert payable_multiple(9_00, 10_00, (25_00,)) == 0


def test_a_ledger_books_one_event_and_many_alike() -> None:
    events = (
        e.WagerPlaced(("5.2",), "alice", 1, 2500),
        e.BettingClosed(("7.1",)),
        e.WagerReturned(("5.2",), "alice", 1, 1000),
        e.WagerPlaced(("5.2",), "bob", 1, 500),
    )
    one, many = Ledger(1_000_000), Ledger(1_000_000)
    posted = [one.post(event) for event in events]
    many.post_all(events)
    assert one.balances == many.balances and one.total() == many.total() == 0
    assert posted[1] == () and all(sum(cents for _, cents in lines) == 0 for lines in posted)
    assert one.balance("player:alice") == -1500 and one.balance("player:carol") == 0
    assert one.balance("jackpot") == 1_000_000
