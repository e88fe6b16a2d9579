"""Every event is told to people as one line that says what happened and why."""

from __future__ import annotations

import datetime
import types
import typing
from typing import Any

import msgspec
import pytest

from pitboss import load, open_table, play
from pitboss.basics.money import Odds
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.session import SessionTerms
from pitboss.table.telling import sentence, tell
from tests.books import BJC, NSW

KINDS = e.AnyEvent.__args__  # type: ignore[attr-defined]
WHY = ("12.2", "10.2.1")

NAMED: dict[tuple[str, str], tuple[str, ...]] = {
    ("WagerReturned", "reason"): (
        "withdrawn",
        "displaced",
        "refused",
        "void",
        "above-maximum",
        "below-minimum",
        "jackpot-fault",
        "invalid",
        "loss-limit",
        "barred",
        "malfunction",
        "taken-back",
    ),
    ("WagerFound", "outcome"): ("valid", "warned", "capped"),
    ("ShuffleDue", "reason"): (
        "start",
        "cutting-card-first",
        "cutting-card",
        "ordered",
        "new-cards",
        "insufficient",
        "cut-missed",
        "shuffle-missed",
        "check",
        "malfunction",
    ),
    ("DealerFinished", "result"): ("stood", "bust", "natural", "no-card"),
    ("WagerCollected", "reason"): ("bust", "lower", "tie", "dealer-natural", "fraud", "short-hand"),
    ("WagerStoodOff", "reason"): ("tie", "dealer-natural", "short-hand"),
    ("JackpotSet", "reason"): ("reset", "link", "fault"),
    ("WagerPaid", "result"): ("other", "doubled", "higher", "dealer-bust", "five-card-trick", "5-card-21"),
}
"""The words that some fields choose from; any other text field may hold anything."""


def some(wanted: Any, name: str) -> Any:
    """A value of that type, such as a round might bring."""
    origin, inside = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is tuple:
        parts = [part for part in inside if part is not Ellipsis]
        return (some(parts[0], name),) if Ellipsis in inside else tuple(some(part, name) for part in parts)
    if origin is dict:
        return {some(inside[0], name): some(inside[1], name)}
    if origin is types.UnionType:
        return some(inside[0], name)
    if wanted is datetime.date:
        return datetime.date(2024, 8, 19)
    if wanted is e.Decision:
        return e.Decision("HandHit", "alice", 2)
    if wanted is SessionTerms:
        return SessionTerms("heat", {2: "alice"}, 100_000, 2500, 50_000, rounds=20)
    if wanted is Odds:
        return Odds(3, 2)
    if wanted is bool:
        return True
    if wanted is int:
        return 1250 if "cents" in name else 2
    texts = {"player": "alice", "players": "alice", "line": "alice", "card": "6s", "cards": "6s", "damaged": "6s"}
    return texts.get(name, "6s" if name in ("order", "before", "after") else "some-thing")


def samples(kind: type[e.Event]) -> list[e.Event]:
    """One event of the kind, or one for each word that it may be given, with all fields and with only the needed."""
    found = []
    fields = msgspec.structs.fields(kind)
    for bare in (False, True):
        values = {f.name: some(f.type, f.name) for f in fields if f.name != "clauses" and not (bare and not f.required)}
        choices = [(f.name, NAMED[kind.__name__, f.name]) for f in fields if (kind.__name__, f.name) in NAMED]
        for name, words in choices or [("", ("",))]:
            for word in words:
                given = {**values, name: word} if name else values
                found.append(kind(WHY, **given))
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("rulebook", [NSW, BJC])
def test_an_event_is_one_line_that_ends_with_its_clauses(rulebook: str, kind: type[e.Event]) -> None:
    book = load(rulebook)
    for event in samples(kind):
        told = tell(event, book)
        words = sentence(event, book)
        assert told == f"{words} ({book.name} 12.2, 10.2.1)"
        assert words and words == words.strip() and len(words.splitlines()) == 1
        assert not any(trace in words for trace in ("{", "}", "None", "True", "False", "  ", "<", "()"))
        assert words[-1] not in ".,;:"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_event_about_somebody_names_him_and_his_box(kind: type[e.Event]) -> None:
    silent = {"NaturalHeld", "HandBust", "CuttingCardShown", "HandStood"}
    for event in samples(kind):
        words = sentence(event, load(NSW))
        if kind.__name__ not in silent and hasattr(event, "player") and event.player:
            assert "alice" in words
        if hasattr(event, "box") and event.box > 0:
            assert "box 2" in words


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (e.CardDealt(WHY, 1, 0, "6s", 6, False), "box 1: 6s, 6"),
        (e.CardDealt(WHY, 1, 1, "As", 17, True), "box 1 hand 2: As, soft 17"),
        (e.CardDealt(WHY, 0, 0, "Ah", 11, True), "dealer: Ah, soft 11"),
        (e.CardDealt(WHY, 1, 0, "6s", 6, False, True), "box 1: a card face down"),
        (e.WagerPlaced(WHY, "bob", 2, 500, "perfect-pairs"), "box 2: bob wagers $5.00 on Perfect Pairs"),
        (e.WagerPlaced(WHY, "bob", 2, 1500, token_cents=500), "box 2: bob wagers $15.00, $5.00 of it in tokens"),
        (e.CuttingCardShown(WHY, -1), "the cutting card comes first"),
        (e.CuttingCardShown(WHY, 0), "dealer: the cutting card comes"),
        (e.CuttingCardShown(WHY, 3, "carol"), "box 3: the cutting card comes"),
        (e.JokerShown(WHY, 0), "dealer: a joker, the next card takes its place"),
        (e.BoxesReserved(WHY, "casino-supervisor", "carol", ()), "no box is reserved for carol any more"),
        (e.BoxesReserved(WHY, "casino-supervisor", "carol", (1, 3)), "box 1, 3 reserved for carol"),
        (e.CutOffered(WHY, "supervisor"), "the cut is offered to the supervisor"),
        (e.CutOffered(WHY, "carol"), "the cut is offered to carol"),
        (e.PaymentReversed(WHY, "carol", 500), "carol gives $5.00 back"),
        (e.PaymentReversed(WHY, "carol", -500), "carol gets $5.00 back"),
        (e.MispaymentRectified(WHY, "carol", 500), "carol gives $5.00 back"),
        (e.MispaymentRectified(WHY, "carol", -500), "carol is paid $5.00 more"),
        (
            e.MispaymentRecorded(WHY, "dealer", "carol", -500, False, False),
            "carol was paid $5.00 too little; decided by the dealer",
        ),
        (
            e.MispaymentRecorded(WHY, "dealer", "carol", 500, True, True),
            "carol was paid $5.00 too much, suspected to be intentional, for the monthly report; decided by the dealer",
        ),
        (e.PlayersCapped(WHY, "casino-supervisor", 0), "no cap on players any more"),
        (e.PlayersCapped(WHY, "casino-supervisor", 3), "the table takes 3 players"),
        (e.BoxesCapped(WHY, "casino-supervisor", 1), "each box takes 1 player"),
        (e.BoxesLimited(WHY, "casino-supervisor", "carol", 1), "carol is held to 1 box"),
        (e.BoxesLimited(WHY, "casino-supervisor", "carol", 2), "carol is held to 2 boxes"),
        (e.DealerFinished(WHY, 22, "bust"), "dealer: bust with 22"),
        (e.DealerFinished(WHY, 17, "stood"), "dealer: stands on 17"),
        (e.DealerFinished(WHY, 9, "no-card"), "dealer: 9, no further card could change anything"),
        (e.SideBetRequired(WHY, "house", "perfect-pairs", False), "Perfect Pairs is no longer a condition of play"),
        (e.ResplitAllowed(WHY, "gaming-manager", False), "players may no longer split again"),
        (e.InterimDeferred(WHY, "gaming-manager", False), "21s are paid at once again"),
        (e.JackpotSet(WHY, 2_500_000, 100, "reset"), "jackpot: $25,000.00 (reset)"),
        (e.JackpotSet(WHY, 2_500_000, 100, "link"), "jackpot: $25,000.00"),
        (
            e.RoundReconstructed(WHY, ((1, "6s"), (0, "9h"), (1, "5d")), ((1, "6s"), (2, "9h"), (0, "5d"))),
            "rebuilt: box 1 6s 5d, dealer 9h becomes box 1 6s, box 2 9h, dealer 5d",
        ),
    ],
)
def test_what_is_said(event: e.Event, words: str) -> None:
    assert sentence(event, load(NSW)) == words


def test_a_restriction_says_to_what_and_until_when() -> None:
    def said(minimum_only: bool, boxes: int) -> str:
        event = e.PlayerRestricted(("5.11",), "gaming-manager", "bob", "late-entry", minimum_only, boxes, "shoe-end")
        return tell(event, load(NSW)).replace("; decided by the gaming manager (NSW pontoon 5.11)", "")

    assert said(True, 0) == "bob is restricted to the minimum until shoe-end"
    assert said(True, 1) == "bob is restricted to the minimum and to 1 box until shoe-end"
    assert said(False, 2) == "bob is restricted to 2 boxes until shoe-end"
    assert said(False, 0) == "bob is restricted by late-entry until shoe-end"


def test_a_natural_has_the_name_that_the_game_gives_it() -> None:
    event = e.DealerFinished(WHY, 21, "natural")
    names = {sentence(event, load(rulebook)) for rulebook in RULEBOOKS}
    assert {name.lower() for name in names} == {"dealer: pontoon", "dealer: blackjack"}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_whole_round_reads_from_the_wager_to_the_end(rulebook: str) -> None:
    table = open_table(rulebook, cards="9s 9h 8d Kc")
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.Stand("alice", 1))
    told = [tell(event, table.rulebook) for event in events]
    assert told[0].startswith("box 1: alice wagers $10.00 (")
    assert told[-1].startswith("the round is over (")
    cards = [line.split(" (")[0] for line in told if ": 9" in line or ": 8" in line or ": K" in line]
    assert cards == ["box 1: 9s, 9", "dealer: 9h, 9", "box 1: 8d, 17", "dealer: Kc, 19"]
    assert any(line.startswith("box 1: alice loses $10.00, lower than the dealer (") for line in told)
    assert all(f"({table.rulebook.name} " in line and line.endswith(")") for line in told)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (e.UndisclosedAnnounced(("20.8.3",), "alice", 2, "original", 0, 0, "blank"), "alice has written no amount"),
        (e.UndisclosedAnnounced(("20.8.2",), "alice", 2, "original", 5_000, 5_000), "alice has written $50"),
        (e.UndisclosedSettled(("20.8.2",), "alice", 2, "original", "won", 5_000, Odds(1, 1)), "is paid $50"),
        (e.UndisclosedSettled(("20.8.2",), "alice", 2, "original", "stood-off", 0), "stands off"),
        (
            e.UndisclosedSettled(("20.8.2",), "alice", 2, "original", "surrendered", -2_500),
            "is surrendered and loses $25",
        ),
        (e.UndisclosedSettled(("20.8.3",), "alice", 2, "original", "deducted", -500), "the minimum, $5"),
        (e.WagerPaid(("10.2",), 2, 1, "alice", 0, Odds(1, 1), 0, "final", "higher"), "the hand of alice wins, 1 to 1"),
    ],
)
def test_what_came_of_a_written_wager_is_told(event: Any, told: str) -> None:
    assert told in tell(event, load("nsw-pontoon"))
