"""Cards that do not belong to the decks: found when they appear; what is due after them is confirmed by somebody."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import legal_acts, load, open_table, play, refusal
from pitboss.ledger.guard import Guard
from pitboss.records.read import loads
from pitboss.records.replay import replay
from pitboss.records.saving import Recorder, saved_text
from pitboss.rulebooks import editions
from pitboss.rulebooks.load import load as shipped
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.belonging import CHECKS
from pitboss.table.events import Event
from pitboss.table.house import DEVICE, default_house
from pitboss.table.legal import waiting_for
from pitboss.table.state import Table

NSW, BJC, ADL, ACT = "nsw-pontoon", "nsw-blackjack-challenge", "adelaide-pontoon-2008", "canberra-pontoon-2005"
BY = "casino-supervisor"
TEN = "Th"


def table_of(rulebook: str, cards: str, *, wagers: bool = True, any_cards: bool = False, **house: Any) -> Table:
    book = load(rulebook)
    table = open_table(book, cards=cards, house=default_house(book, side_bets=(), **house), any_cards=any_cards)
    return play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000))[0] if wagers else table


def of_kind(events: tuple[Event, ...], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def guarded(table: Table, *acts: a.Act) -> tuple[Table, tuple[Event, ...]]:
    """Play under the guard, which finds money that does not add up."""
    guard = Guard()
    found: list[Event] = []
    for act in acts:
        after, events = play(table, act)
        guard.pass_or_break(table, after, events, act)
        table = after
        found += events
    return table, tuple(found)


def is_retired(table: Table) -> bool:
    return (table.phase, table.preparation, table.stack, table.checks_due) == ("wagers", "shuffle", (), tuple(CHECKS))


ROUND = "9s 8s 9h 7d 7c"
WAYS: dict[str, tuple[str, tuple[a.Act, ...]]] = {
    "dealt": (f"9s 8s 9h 7d {TEN} 5c", (a.Deal(),)),
    "to the dealer": (f"9s 8s {TEN} 7d 7c 5c", (a.Deal(),)),
    "hit": (f"{ROUND} {TEN} 5c", (a.Deal(), a.Hit("alice", 1))),
    "doubled": (f"{ROUND} {TEN} 5c", (a.Deal(), a.Double("alice", 1))),
    "on a split": (f"8s 9s 9h 8d 7c {TEN} 5c", (a.Deal(), a.Split("alice", 1))),
    "face up": (f"{ROUND} {TEN} 5c", (a.Deal(), a.FindFaceUpCard())),
    "drawn and exposed": (f"{ROUND} {TEN} 5c", (a.Deal(), a.DrawInError(True))),
    "drawn unseen": (f"{ROUND} {TEN} 5c", (a.Deal(), a.DrawInError(False), a.Hit("alice", 1))),
    "misdealt": (f"9s {TEN} 9h 7d 7c 5c", (a.Misdeal((1, 1, 2, 2, 0)),)),
    "misdealt unnoticed": (f"9s {TEN} 9h 7d 7c 5c", (a.Misdeal((2, 1, 0, 1, 2), "after-round"),)),
    "misplaced": (f"{ROUND} {TEN} 5c", (a.Deal(), a.Misplace("alice", 1, 2))),
}


@pytest.mark.clause("nsw-pontoon", "17.16", "17.16.2", "17.16.3")
@pytest.mark.parametrize("way", WAYS)
def test_a_ten_is_found_wherever_its_face_appears(way: str) -> None:
    cards, acts = WAYS[way]
    table, events = guarded(table_of(NSW, cards), *acts)
    (found,) = of_kind(events, e.WrongCardFound)
    assert found.card == TEN and found.clauses == ("3.1",)
    assert is_retired(table) and set(table.net.values()) == {0}
    assert not of_kind(events, e.HandBust) and not of_kind(events, e.WagerPaid)
    (void,) = of_kind(events, e.RoundVoided)
    assert void.clauses[0] == "17.16.2"
    dealt = [event.card for event in of_kind(events, e.CardDealt)]
    assert TEN not in dealt, "it is dealt to nobody"


@pytest.mark.clause("nsw-pontoon", "17.16.2", "18.4")
@pytest.mark.clause("nsw-blackjack-challenge", "18.15.2", "19.4")
@pytest.mark.parametrize(("rulebook", "foreign", "ended"), [(NSW, "17.16.2", "18.4"), (BJC, "18.15.2", "19.4")])
def test_a_void_round_cites_what_made_it_void(rulebook: str, foreign: str, ended: str) -> None:
    dealt, _ = play(table_of(rulebook, "9s 8s 9h 7d 7c 5c", source=DEVICE), a.Deal())
    _, events = play(dealt, a.FindWrongCards(BY, "foreign"))
    assert [each.clauses for each in of_kind(events, e.RoundVoided)] == [(foreign,)]
    assert {each.clauses for each in of_kind(events, e.WagerReturned)} == {(foreign,)}
    _, events = play(dealt, a.ReportMalfunction("dealer", disadvantage=True))
    assert [each.clauses[0] for each in of_kind(events, e.RoundVoided)] == [ended]


@pytest.mark.clause("nsw-pontoon", "17.16.3", "17.6", "17.7")
def test_a_ten_found_between_rounds_retires_the_cards_and_no_round() -> None:
    for wagers, act in ((False, a.DealWithoutWagers(2)), (False, a.DrawInError(True)), (True, a.FindFaceUpCard())):
        table, events = guarded(table_of(NSW, f"{TEN} {ROUND} 5c", wagers=wagers), act)
        assert is_retired(table) and len(of_kind(events, e.WrongCardFound)) == 1
        assert not [event for event in of_kind(events, e.RoundVoided) if event.reason != "no wagers"]
    start = table_of(NSW, f"{ROUND} 9c {TEN} 5c")
    over, _ = guarded(start, a.Deal(), a.Stand("alice", 1), a.Stand("bob", 2))
    table, _ = guarded(over, a.ExtraDealerCard(True))
    assert is_retired(table) and table.last_results == over.last_results, "finished rounds stand"
    table, _ = guarded(over, a.ExtraDealerCard(False))  # not seen: it is the first card of the next round
    assert not table.checks_due
    table, events = guarded(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert is_retired(table) and of_kind(events, e.WrongCardRemoved)[0].from_error


@pytest.mark.clause("nsw-pontoon", "17.16", "3.6.2")
def test_a_ten_dealt_face_down_is_found_when_the_hand_is_turned_up() -> None:
    cards = f"9s {TEN} 9h 7d 6c 9c 5c"
    dealt, events = guarded(table_of(NSW, cards, face_down=True), a.Deal())
    assert not of_kind(events, e.WrongCardFound)
    table, _ = guarded(dealt, a.Expose("bob", 2))
    assert is_retired(table)
    seen, _ = guarded(dealt, a.Expose("alice", 1))
    table, events = guarded(seen, a.Stand("alice", 1), a.Stand("bob", 2))
    assert is_retired(table) and [event.box for event in of_kind(events, e.HandExposed)] == [2]
    table, events = guarded(dealt, a.Stand("alice", 1), a.Stand("bob", 2))
    assert is_retired(table) and [event.box for event in of_kind(events, e.HandExposed)] == [1, 2]
    clean, events = guarded(table_of(NSW, f"{cards} {TEN}".replace(TEN, "8s", 1), face_down=True), a.Deal())
    table, events = guarded(clean, a.Stand("alice", 1), a.Stand("bob", 2))
    assert not table.checks_due and not of_kind(events, e.WrongCardFound), "the ten behind them has not appeared"


@pytest.mark.clause("nsw-blackjack-challenge", "18.15", "3.1")
def test_one_copy_too_many_is_counted_from_what_was_seen() -> None:
    six = "Ks Ks 9h Ks Ks 8c"
    start = table_of(BJC, f"{six} Ks Ks 9d Ks 5c")
    table, _ = guarded(start, a.Deal(), a.Stand("alice", 1), a.Stand("bob", 2))
    table, _ = guarded(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert not table.checks_due, "the sixth king is not foreign"
    table, events = guarded(start, a.Deal(), a.Stand("alice", 1), a.Stand("bob", 2))
    table, events = guarded(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal())
    assert is_retired(table) and of_kind(events, e.WrongCardFound)[0].box == 1
    burned = open_table(BJC, cards="Ks " * 6 + "9h Ks 5c", new_shoe=True, house=default_house(load(BJC), side_bets=()))
    wagers = tuple(a.PlaceWager(name, box, 1000) for box, name in enumerate(("al", "bo", "cy", "di", "ed"), 1))
    table, events = guarded(burned, *wagers, a.Deal())
    assert not of_kind(events, e.WrongCardFound), "the first king was burned unseen: six lie there, and no more"
    device = table_of(BJC, f"{six} Ks 5s 9d Ks 6s Ks 7c 7d", source=DEVICE)
    table, _ = guarded(device, a.Deal(), a.Stand("alice", 1), a.Stand("bob", 2))
    table, _ = guarded(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal())
    table, _ = guarded(table, a.Stand("alice", 1), a.Hit("bob", 2))
    assert not table.checks_due, "what went back into the device comes again"


@pytest.mark.clause("nsw-pontoon", "3.1")
def test_a_study_does_not_mind_how_many_there_are() -> None:
    table, events = guarded(table_of(NSW, "Ks " * 9 + TEN + " 9c 5c", any_cards=True), a.Deal())
    assert not of_kind(events, e.WrongCardFound) and table.phase != "wagers"


# --- where the document is silent ------------------------------------------------------------------------------------


@pytest.mark.clause("canberra-pontoon-2005", "2.1", "17.3")
@pytest.mark.clause("adelaide-pontoon-2008", "5", "29")
@pytest.mark.parametrize("rulebook", [ACT, ADL])
def test_the_house_lets_it_be_dealt_or_declares_the_round_void(rulebook: str) -> None:
    waits, events = guarded(table_of(rulebook, f"9s 8s 9h 7d {TEN} 9c 9d 5c 6c"), a.Deal())
    assert waits.approval_due == BY and waiting_for(waits).what == "approval"
    refused = refusal(waits, a.Hit("alice", 1))
    assert refused is not None and refused.clauses[0] in load(rulebook).irregularities.wrong_cards.clauses
    table, events = guarded(waits, a.Approve(BY, "everybody saw it"))
    assert table.boxes[2].hands[0].cards == ("8s", TEN) and not table.wrong_card
    assert not of_kind(events, e.WrongCardFound), "it is asked once"
    table, events = guarded(waits, a.VoidRound(BY, "a ten"))
    assert [event.card for event in of_kind(events, e.WrongCardRemoved)] == [TEN]
    assert table.stack[table.position] == "9c" and set(table.net.values()) == {0} and not table.checks_due
    table, _ = guarded(waits, a.InvalidateRound(BY, "disturbance"))
    assert table.stack[table.position] == "9c"


@pytest.mark.clause("canberra-pontoon-2005", "2.1", "15.4")
def test_a_ten_that_was_let_in_is_asked_about_again_when_the_round_is_laid_again() -> None:
    waits, _ = guarded(table_of(ACT, f"9s 8s 9h 7d {TEN} 9c 9d 5c 6c"), a.Deal())
    table, _ = guarded(waits, a.Approve(BY), a.Stand("alice", 1))
    told = a.Notice(BY, "face-up", card=1)
    table, _ = guarded(table, told)
    assert table.approval_due == BY and table.wrong_card == TEN
    table, _ = guarded(table, a.Approve(BY))
    assert TEN in table.boxes[1].hands[0].cards + table.boxes[2].hands[0].cards + table.dealer_cards
    void, _ = guarded(waits, a.Approve(BY), told, a.VoidRound(BY, "a ten"))
    assert void.stack[void.position] == "9c" and set(void.net.values()) == {0}
    misdealt, _ = guarded(table_of(ACT, f"9s {TEN} 9h 7d 7c 5c"), a.Misdeal((1, 1, 2, 2, 0)))
    assert len(misdealt.misdealt) == 5, "it lies there with the others, and the house is asked"
    assert misdealt.approval_due == BY and not misdealt.wrong_card
    refused = refusal(misdealt, a.Reconstruct(BY))
    assert refused is not None and refused.clauses[0] == "2.1"


# --- what is due -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.16.3", "17.16.4")
@pytest.mark.clause("nsw-blackjack-challenge", "18.15.3", "18.15.4")
@pytest.mark.parametrize("rulebook", [NSW, BJC])
def test_what_is_due_is_confirmed_one_by_one_and_by_name(rulebook: str) -> None:
    table, events = guarded(table_of(rulebook, ROUND + " 5c 6c"), a.Deal(), a.FindWrongCards(BY, "missing"))
    assert of_kind(events, e.ChecksDue)[0].checks == tuple(CHECKS)
    assert of_kind(events, e.RoundVoided)[0].by == BY, "a ruling says whose it is"
    check, notice = load(rulebook).irregularities.wrong_cards_check.clauses
    for done in CHECKS:
        refused = refusal(table, a.Deal())
        assert refused is not None and refused.clauses[0] == (check if done == "decks" else notice)
        assert CHECKS[done] in refused.text
        table, events = guarded(table, a.Confirm(BY, done))
        (confirmed,) = of_kind(events, e.CheckConfirmed)
        assert (confirmed.by, confirmed.check) == (BY, done)
        assert confirmed.clauses == ((check,) if done == "decks" else (notice,))
        assert refusal(table, a.Confirm(BY, done)) is not None
    assert refusal(table, a.Confirm(BY, "all")) is not None
    again = refusal(table, a.Deal())
    assert again is not None and "shuffled" in again.text


@pytest.mark.clause("nsw-pontoon", "17.16.3")
def test_a_table_that_waits_for_it_says_so() -> None:
    table, _ = guarded(table_of(NSW, ROUND + " 5c 6c"), a.Deal(), a.FindWrongCards(BY, "foreign"))
    whole = load(NSW).cards.ranks.value
    assert waiting_for(table).what == "shuffle"
    stack = tuple(f"{rank}{suit}" for rank in whole for suit in "shdc" for _ in range(8))
    table, _ = guarded(table, a.Shuffle(stack), a.Cut("bob", 100), a.PlaceCuttingCard(60))
    assert waiting_for(table).acts == ("Confirm",)
    assert all(isinstance(act, a.Confirm) for act in legal_acts(table))
    assert refusal(table, a.PlaceWager("alice", 1, 1000)) is None, "wagers are taken meanwhile"
    refused = refusal(table, a.Confirm(BY, "jokers"))
    assert refused is not None and "is not due" in refused.text
    table, _ = guarded(table, a.Confirm(BY, "all"))
    assert waiting_for(table).what == "wagers"


@pytest.mark.clause("nsw-pontoon", "17.16.4")
def test_under_an_older_text_nothing_is_confirmed() -> None:
    """What was played before the term came replays as it did: the notices are given and the next deal is free."""
    terms = shipped(NSW)
    former, _ = editions.ADDED["irregularities.wrong_cards_check"]
    term = replace(terms.irregularities.wrong_cards_check, value=former)
    old = replace(terms, irregularities=replace(terms.irregularities, wrong_cards_check=term))
    table, _ = play(open_table(old, cards=ROUND + " 5c"), a.PlaceWager("alice", 1, 1000), a.Deal())
    table, events = play(table, a.FindWrongCards(BY, "foreign"))
    assert [event.due for event in of_kind(events, e.NoticeGiven)] == ["now", "now"] and not table.checks_due


@pytest.mark.clause("canberra-pontoon-2005", "2.1", "15.4", "17.3")
def test_a_ten_that_is_taken_away_when_its_round_is_laid_again_is_saved_once() -> None:
    book = load(ACT)
    cards = f"9s 8s 9h 7d {TEN} 9c 9d 5c 6c"
    recorder = Recorder(open_table(book, cards=cards, house=default_house(book, side_bets=())))
    recorder.play(a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal(), a.Approve(BY))
    recorder.play(a.Stand("alice", 1), a.Notice(BY, "face-up", card=1), a.VoidRound(BY, "a ten"))
    text = saved_text(recorder.session())
    assert 'cards = "9s 8s 9h 7d Th"' in text and replay(loads(text)).ok


@pytest.mark.clause("nsw-pontoon", "17.16")
def test_a_session_with_a_ten_is_saved_and_replays_to_the_same() -> None:
    book = load(NSW)
    recorder = Recorder(open_table(book, cards=f"{ROUND} 9c 9d {TEN} 5c", house=default_house(book, side_bets=())))
    recorder.play(a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal())
    recorder.play(a.Stand("alice", 1), a.Stand("bob", 2))
    recorder.play(a.PlaceWager("alice", 1, 1000), a.Deal())
    assert recorder.table.checks_due
    again = replay(loads(saved_text(recorder.session())))
    assert again.ok and again.table.checks_due == recorder.table.checks_due
    one = recorder.last_round()
    assert one is not None and replay(loads(saved_text(one))).table.checks_due
