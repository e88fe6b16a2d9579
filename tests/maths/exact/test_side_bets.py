"""Closed forms against full enumeration: every ordered draw from real decks, weighted by how many cards there are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from pitboss.basics.cards import VALUE, Card
from pitboss.cli import main
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import SideBetValue, side_bets, super_bonus_cents, super_bonus_chance
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.terms import Rulebook

UNEVEN = "7sx3 7hx2 7dx3 7c Asx2 Ahx3 6d 8s Kcx2 Kd Qh 2c 2d 2h 5s"
CASES = [(name, decks) for name in RULEBOOKS for decks in load(name).cards.decks.value]


def every_draw(shoe: Shoe, cards: int) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """Each sequence of card kinds with its chance."""

    def go(drawn: tuple[Card, ...], chance: Fraction) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
        if len(drawn) == cards:
            yield drawn, chance
            return
        for card, count in shoe.counts.items():
            left = count - drawn.count(card)
            if left > 0:
                yield from go((*drawn, card), chance * Fraction(left, shoe.size - len(drawn)))

    return go((), Fraction(1))


def expected(shoe: Shoe, cards: int, pays: Callable[[tuple[Card, ...]], Fraction]) -> Fraction:
    return sum((chance * pays(drawn) for drawn, chance in every_draw(shoe, cards)), Fraction(0))


def odds(book: Rulebook, bet: str, row: str) -> Fraction:
    found = next(each for each in book.side_bets[bet].pays.value if each.name == row).odds
    return Fraction(found.wins, found.on)


def colour(card: Card) -> str:
    return "red" if card[1] in "hd" else "black"


def pair_pays(book: Rulebook, bet: str) -> Callable[[tuple[Card, ...]], Fraction]:
    """As the documents tell it, case by case."""

    def pays(cards: tuple[Card, ...]) -> Fraction:
        first, second = cards
        if first[0] != second[0]:
            return Fraction(-1)
        if bet == "any-pairs":
            return odds(book, bet, "any")
        if bet == "star-pairs" and first[0] == "A":
            return odds(book, bet, "aces")
        if first[1] == second[1]:
            return odds(book, bet, "suited" if bet == "star-pairs" else "perfect")
        if colour(first) == colour(second):
            return odds(book, bet, "same-colour" if bet == "star-pairs" else "coloured")
        return odds(book, bet, "mixed")

    return pays


@pytest.mark.parametrize(("name", "decks"), CASES)
def test_pairs_equal_enumeration(name: str, decks: int) -> None:
    book = load(name)
    shoe = Shoe.of_decks(book, decks)
    for bet, value in side_bets(book, shoe).items():
        if bet in book.side_bets:
            assert value.ev == expected(shoe, 2, pair_pays(book, bet)), bet


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_wager_equals_enumeration_on_an_uneven_shoe(name: str) -> None:
    book = load(name)
    shoe = Shoe.of_cards(book, UNEVEN)
    found = side_bets(book, shoe, jackpot_cents=12_345_678)
    for bet, value in found.items():
        if bet in book.side_bets:
            assert value.ev == expected(shoe, 2, pair_pays(book, bet)), bet
    if "insurance" in found:
        dealt = list(every_draw(shoe, 2))
        aces = sum(chance for cards, chance in dealt if cards[0][0] == "A")
        naturals = sum(chance for cards, chance in dealt if cards[0][0] == "A" and VALUE[cards[1]] == 10)
        assert found["insurance"].ev == 3 * Fraction(naturals) / aces - 1
    if "super-bonus" in found:
        assert super_bonus_chance(book, shoe) == expected(shoe, 4, three_suited_sevens_against_a_seven)
    if "blazing-7s" in found:
        for value in (found["blazing-7s"], *found["blazing-7s"].variants):
            assert value.ev == blazing_by_enumeration(book, shoe, value)


def three_suited_sevens_against_a_seven(cards: tuple[Card, ...]) -> Fraction:
    dealer, *player = cards
    suited = len({card[1] for card in player}) == 1
    return Fraction(dealer[0] == "7" and suited and all(card[0] == "7" for card in player))


def blazing_by_enumeration(book: Rulebook, shoe: Shoe, value: SideBetValue) -> Fraction:
    rows = {row.name: row for row in book.blazing_7s.pays.value}

    def prize(cards: tuple[Card, ...]) -> Fraction:
        dealer, *player = cards
        mine = [card for card in player if card[0] == "7"]
        if dealer[0] == "7" and len(mine) == 2:
            if {card[1] for card in cards} == {"d"}:
                name = "three-sevens-diamonds"
            elif len({card[1] for card in cards}) == 1:
                name = "three-suited-sevens"
            elif len({colour(card) for card in cards}) == 1:
                name = "three-same-colour-sevens"
            else:
                name = "three-sevens"
        elif len(mine) == 2:
            name = "two-player-sevens"
        elif dealer[0] == "7" and mine:
            name = "one-player-one-dealer-seven"
        else:
            return Fraction(0)
        row = rows[name]
        share = Fraction(row.share_percent * value.jackpot_cents, 100)
        return share if row.share_percent else Fraction(row.cents_by_wager[value.wager_cents])

    return expected(shoe, 3, prize) / value.wager_cents - 1


@pytest.mark.parametrize("decks", [6, 8])
def test_blazing_sevens_equal_enumeration_on_real_decks(decks: int) -> None:
    book = load("nsw-blackjack-challenge")
    shoe = Shoe.of_decks(book, decks)
    value = side_bets(book, shoe)["blazing-7s"]
    assert value.ev == blazing_by_enumeration(book, shoe, value)


@pytest.mark.parametrize(("name", "decks"), [(name, decks) for name, decks in CASES if decks in (3, 8)])
def test_the_super_bonus_equals_enumeration_on_real_decks(name: str, decks: int) -> None:
    book = load(name)
    shoe = Shoe.of_decks(book, decks)
    if not book.super_bonus.offered.value:
        assert "super-bonus" not in side_bets(book, shoe)
        return
    sevens = [card for card in shoe.counts if card[0] == "7"]
    small = Shoe({**{card: shoe.count(card) for card in sevens}, "Ks": shoe.size - shoe.rank("7")})
    assert super_bonus_chance(book, shoe) == expected(small, 4, three_suited_sevens_against_a_seven)


def test_the_jackpot_that_breaks_even_does() -> None:
    book = load("nsw-blackjack-challenge")
    value = side_bets(book, Shoe.of_decks(book, 6))["blazing-7s"]
    even = value.break_even_jackpot_cents
    assert even is not None
    # A share of the jackpot is the only part that moves, so the value is a straight line through zero there.
    richer = side_bets(book, Shoe.of_decks(book, 6), jackpot_cents=2 * value.jackpot_cents)["blazing-7s"]
    slope = (richer.ev - value.ev) / value.jackpot_cents
    assert value.ev + slope * (even - value.jackpot_cents) == 0


def test_the_super_bonus_by_the_size_of_the_wager() -> None:
    nsw, canberra = load("nsw-pontoon"), load("canberra-pontoon-2005")
    assert [super_bonus_cents(nsw, cents) for cents in (499, 500, 2499, 2500)] == [0, 100_000, 100_000, 500_000]
    assert super_bonus_cents(canberra, 200) == 100_000
    assert super_bonus_cents(load("adelaide-pontoon-2008"), 2500) == 0


def test_perfect_pairs_as_anybody_can_count_them(capsys: pytest.CaptureFixture[str]) -> None:
    """After one card 383 are left: 7 of the same suit, 8 of the other suit in its colour, 16 of the other colour."""
    assert main(["side-bets", "nsw-pontoon", "--decks", "8", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["perfect-pairs"]["ev_exact"] == "-17/383"
    assert told["perfect-pairs"]["ev"] == pytest.approx(-17 / 383, abs=1e-15)
    assert told["perfect-pairs"]["wins"]["mixed"]["frequency_exact"] == "16/383"
    assert told["insurance"]["ev_exact"] == "-95/383"


@pytest.mark.parametrize("name", RULEBOOKS)
def test_without_decks_every_allowed_number_is_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["side-bets", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    for value in told.values():
        assert [int(decks) for decks in value["by_decks"]] == list(load(name).cards.decks.value)
    assert main(["side-bets", name]) == 0
    assert "perfect-pairs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "no rulebook 'nowhere'. Known: nsw-pontoon"),
        (["nsw-pontoon", "--decks", "0"], "0 decks: give a number from 1 to 100."),
        (["nsw-pontoon", "--decks", "many"], "--decks 'many' is not a whole number"),
        (["nsw-pontoon", "--shoe", "Ts 7s 7h 7d"], "impossible shoe: NSW pontoon is played without Ts"),
        (["nsw-pontoon", "--shoe", "7sx9 Ah 2s"], "impossible shoe: 9 of 7s, but 8 decks have 8"),
        (["nsw-pontoon", "--shoe", "7s Ah"], "impossible shoe: 2 cards"),
        (["nsw-pontoon", "--shoe", "7s Ah 1z 2s"], "'1z' is not a card"),
        (["nsw-blackjack-challenge", "--jackpot", "lots"], "'lots' is not an amount"),
    ],
)
def test_what_cannot_be_answered_is_said_in_one_sentence(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["side-bets", *words]) == 2
    printed = capsys.readouterr().err
    assert told in printed and printed.count("\n") == 1


def test_a_shoe_without_aces_has_no_insurance() -> None:
    book = load("nsw-pontoon")
    assert "insurance" not in side_bets(book, Shoe.of_cards(book, "7sx3 8h 9d Kc"))


def test_a_card_that_is_not_there_cannot_be_taken_out() -> None:
    book = load("nsw-pontoon")
    with pytest.raises(MathsError, match="no 7s left"):
        Shoe.of_decks(book, 1).without("7s", "7s")
