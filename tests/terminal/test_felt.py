"""The felt fits eighty columns whatever happens on it, needs no colour, and shows no card that is not to be seen."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from pitboss.basics.cards import SUIT_SIGNS
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table.apply import evolve
from pitboss.table.house import DEVICE, default_house
from pitboss.terminal.felt import Felt, Line, draw, money_line, result_label
from pitboss.terminal.session import Session
from pitboss.terminal.words import understand
from tests.terminal.talk import table


def followed(session: Session, *lines: str) -> Felt:
    """The felt after these lines."""
    felt = Felt(session.rulebook, session.table.house, session.name, (*session.boxes, *session.bots.values()))
    watch(felt, session, list(session.run()))
    for line in lines:
        watch(felt, session, list(session.do(*understand(line, session).acts)))
        watch(felt, session, list(session.run()))
    return felt


def watch(felt: Felt, session: Session, happenings: list) -> None:  # type: ignore[type-arg]
    for happening in happenings:
        before = happening.before
        for event in happening.events:
            before = evolve(before, (event,))
            felt.follow(event, before)


def text(felt: Felt, width: int = 80, *, ascii_only: bool = False) -> str:
    return "\n".join(line.text for line in draw(felt, width, ascii_only=ascii_only))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_line_is_wider_than_the_terminal(rulebook: str) -> None:
    """Seven boxes, splits, doubles and side bets, drawn after every act at several widths."""
    chance = random.Random(rulebook)
    session = table(rulebook, boxes=(1, 2, 3, 4, 5, 6), bots=1, seed="3", bankroll=10_000_000)
    felt = Felt(session.rulebook, session.table.house, session.name, session.boxes)
    watch(felt, session, list(session.run()))
    for _ in range(160):
        lines = session.legal_lines()
        line = "123.50 pp=12.50" if session.waiting().what == "wagers" and not session.table.boxes else ""
        line = line or chance.choice([each for each in lines if " bets " not in each] or ["deal"])
        watch(felt, session, list(session.do(*understand(line, session).acts)))
        watch(felt, session, list(session.run()))
        felt.money = money_line("alice", session.chips_cents(), session.on_table_cents(), 0)
        for width in (40, 80, 100, 300):
            drawn = draw(felt, width)
            assert {line.width for line in drawn} == {max(40, min(160, width))}
    assert session.rounds > 3


def test_the_felt_at_eighty_columns() -> None:
    session = table("nsw-pontoon", cards="As 8d Kh 9c 7s Kc 8c 9h Jd 3h 2s 9d Qd 5h Ks", boxes=(2, 4), bots=2)
    felt = followed(session, "25 2pp=5 4pp=5", "deal", "split", "double")
    felt.money = "alice: $920.00 in chips"
    assert text(felt) == GOLDEN


GOLDEN = """\
╭─ NSW pontoon ────────────────────────────────── 8 decks, shoe, $5 to $1,000 ─╮
│                                                                              │
│ round 1                          DEALER  7                            rack 2 │
│                                     ┌──┐                                     │
│                                     │7♠│                                     │
│                                     └──┘                                     │
│                                                                              │
│      BOX 1        ▸ BOX 2.1       BOX 2.2         BOX 3          BOX 4       │
│     ┌──┌──┐      ┌──┌──┌──┐        ┌──┐          ┌──┌──┐        ┌──┌──┐      │
│     │A♠│K♣│      │8♦│3♥│2♠│        │8♣│          │K♥│9♥│        │9♣│J♦│      │
│     └──└──┘      └──└──└──┘        └──┘          └──└──┘        └──└──┘      │
│     pontoon      13 doubled          8             19             19         │
│     bob $5      alice $25+25     alice $25      carol $5       alice $25     │
│     +$7.50         PP +$25                                      PP -$5       │
╰─ alice: $920.00 in chips ────────────────────────────────────────────────────╯"""


def test_without_suits_letters_and_plain_lines_do() -> None:
    session = table("nsw-pontoon", cards="As 7s Kh")
    drawn = text(followed(session, "25", "deal"), ascii_only=True)
    assert drawn.isascii() and "|As|Kh|" in drawn and "+--+--+" in drawn


def test_results_stay_until_the_next_wager() -> None:
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc 2s 3s 4s 5s")
    felt = followed(session, "25", "deal", "stand")
    assert "+$25" in text(felt) and "K♠" in text(felt)
    watch(felt, session, list(session.do(*understand("10", session).acts)))
    assert "+$25" not in text(felt) and "alice $10" in text(felt) and "K♠" not in text(felt)


@pytest.mark.parametrize(
    ("rulebook", "cards", "lines", "shown"),
    [
        ("nsw-pontoon", "9s Ah 9d Kc", ["25", "deal", "insure", "no", "stand"], ["ins +$25", "-$25", "21 pontoon"]),
        ("nsw-pontoon", "9s Kh 7d 8c", ["25", "deal", "surrender"], ["surrender", "-$12.50"]),
        ("nsw-pontoon", "9s Kh 9d 8c", ["25", "deal", "no", "stand"], ["stand off"]),
        ("nsw-pontoon", "9s 6h 9d Kc", ["25", "deal", "hit"], ["bust 28", "-$25"]),
        ("nsw-pontoon", "6s 6h 7s 8s", ["10", "deal", "hit"], ["6-7-8 spades", "+$30"]),
        ("nsw-pontoon", "7s 7h 7s 7s", ["25", "deal", "hit"], ["7-7-7 spades", "Bonus $5000"]),
        ("nsw-pontoon", "Ks 6h 9d Kc 9d", ["25", "deal", "stand"], ["DEALER  25 bust", "+$25"]),
        ("nsw-blackjack-challenge", "As Kh Ks Kc", ["25", "deal"], ["blackjack", "+$50", "waits"]),
        ("nsw-blackjack-challenge", "2s 6h 2d 2c 2h 3d", ["25", "deal", "h", "h", "h"], ["5 card trick"]),
        ("adelaide-pontoon-2008", "9s Kh Ad", ["25", "deal"], ["soft 20"]),
    ],
)
def test_what_is_to_be_read_on_the_felt(rulebook: str, cards: str, lines: list[str], shown: list[str]) -> None:
    drawn = text(followed(table(rulebook, cards=cards), *lines))
    for words in shown:
        assert words in drawn, drawn


def test_a_jackpot_wager_is_shown() -> None:
    session = table("nsw-blackjack-challenge", cards="7s 7d 7h Ks Qd 9s", source=DEVICE)
    drawn = text(followed(session, "25 b7=5", "deal"))
    assert "B7 +$1000" in drawn and "round 1, jackpot $50,000" in drawn


def test_face_down_cards_of_others_are_not_shown() -> None:
    session = table("adelaide-pontoon-2008", cards="9s 8s Kh 9d 8d 7c", boxes=(1,), bots=1, face_down=True)
    drawn = text(followed(session, "25", "deal"))
    assert "9♠" in drawn and "8♠" not in drawn and "│??│??│" in drawn


def test_lines_are_cut_or_filled() -> None:
    line = Line().add("abc").add("def")
    assert line.fitted(4).text == "abcd" and line.fitted(8).width == 8
    assert line.fitted(8, "centre").pieces[0] == (" ", "felt")


def test_labels_of_results() -> None:
    assert result_label("other") == "" and result_label("777-mixed") == "7-7-7 mixed"
    assert result_label("7-plus-card-21") == "7+ card 21"


def test_long_names_and_large_wagers_are_cut() -> None:
    book = load("nsw-pontoon")
    house = default_house(book, maximum_cents=10_000_000)
    session = Session(
        book, house, name="a" * 32, boxes=range(1, 8), bankroll_cents=10**10, seed="1", cards=("Ks",) * 8 + ("Kh",) * 7
    )  # fmt: skip
    felt = followed(session, "98765.50", "deal")
    assert all(len(line) == 80 for line in text(felt).splitlines())
    assert SUIT_SIGNS["h"] in text(felt)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_amount_is_cut_where_a_hand_has_one_line(ascii_only: bool) -> None:
    """Splits and three settled optional wagers beside each: the wager comes first, dots stand for more."""
    cards = "8s 8h 9d 8c 5h 8d 3c 6s 8h 8h 3d 9c 2s 8s 9s 8d 8c"
    sides = ("perfect-pairs", "star-pairs", "blazing-7s")
    house: dict[str, Any] = {"source": DEVICE, "side_bets": sides}
    session = table("nsw-blackjack-challenge", cards=cards, boxes=range(1, 8), bankroll=1_000_000, **house)
    felt = followed(session, "250 pp=5 sp=5 b7=2.5", "deal", "split", "split")
    lines = [line.text for line in draw(felt, 80, ascii_only=ascii_only, compact=True)]
    hands = [half for line in lines[2:-1] for half in (line[1:40], line[40:79]) if half.strip()]
    assert len(hands) == 9
    for hand in hands:
        assert re.search(r"\$250(?: |$)", hand), hand
        assert hand.rstrip().endswith(("$250", "..."))
