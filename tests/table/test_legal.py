"""What a table waits for: who, for which box, and with which acts, in every state there is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitboss import legal_acts, load, open_table, play, refusal, waiting_for
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.chapters import CHAPTERS
from pitboss.table.house import BLAZING, DEVICE, Patron, default_house
from pitboss.table.legal import Waiting
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table, snapshot
from tests.books import ACT2, ACT5, ADL, BJC, NSW

SUPERVISOR = "casino-supervisor"
ALICE, BOB = a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000)
BOB_TOO = a.PlaceWager("bob", 1, 1000)


def after(rulebook: str, cards: str, *acts: Act, **house: object) -> Table:
    table = open_table(rulebook, cards=cards, house=default_house(load(rulebook), **house))
    return play(table, *acts)[0]


def with_new_cards(steps: int) -> Table:
    """A new game at which alice is seated, so many steps into the preparation of the cards."""
    table = open_table(NSW, players={"alice": Patron(seat=1)})
    size = len(full_stack(table))
    return play(table, *(a.Shuffle(full_stack(table)), a.Cut("alice", size // 2))[:steps])[0]


def jackpot() -> Table:
    acts = (ALICE, a.PlaceWager("alice", 1, 500, BLAZING), a.Deal())
    return after(BJC, "7c 7c 7c 8c", *acts, source=DEVICE, decks=6, jackpot_linked=True, side_bets=(BLAZING,))


def late_double(*more: Act) -> Table:
    """Adelaide 106(d): alice had called for a double and was passed; the dealer's hand is complete."""
    approved = (a.LeaveOut(1, "dealer", "double"), a.Approve(SUPERVISOR), a.Stand("bob", 2))
    return after(ADL, "5s 9d 7h 6c 8c Kd 9h", ALICE, BOB, a.Deal(), *approved, *more)


def short_hand(*more: Act) -> Table:
    """Adelaide 105(b): bob's hand on box 2 got one card only."""
    misdealt = (a.Misdeal((1, 2, 0, 1), "in-turn"), a.Approve(SUPERVISOR), a.Stand("alice", 1))
    return after(ADL, "9s 5d 7h 8c 6d 9h Kc", ALICE, BOB, *misdealt, *more)


SHARED = (ALICE, BOB_TOO, a.Deal())
STATES: dict[str, tuple[Callable[[], Table], Waiting]] = {
    "wagers": (lambda: after(NSW, "9s 9h"), Waiting("wagers", (), acts=("PlaceWager", "Deal"))),
    "shuffle": (lambda: with_new_cards(0), Waiting("shuffle", ("dealer",), acts=("Shuffle",))),
    "cut": (lambda: with_new_cards(1), Waiting("cut", ("alice",), acts=("Cut", "DeclineCut"))),
    "cutting card": (lambda: with_new_cards(2), Waiting("cutting-card", ("dealer",), acts=("PlaceCuttingCard",))),
    "jackpot": (jackpot, Waiting("jackpot", ("link",), acts=("PayJackpot",))),
    "expose": (
        lambda: after(
            ADL, "9s 9c 9h 8d 8c Kd", ALICE, BOB, a.PlaceWager("bob", 2, 500, "perfect-pairs"), a.Deal(), face_down=True
        ),
        Waiting("expose", ("bob",), 2, acts=("Expose",)),
    ),
    "face down": (
        lambda: after(ADL, "9s 9c 9h 8d 8c Kd", ALICE, BOB, a.Deal(), face_down=True),
        Waiting("decision", ("alice",), 1, acts=("Stand", "Expose")),
    ),
    "insurance": (
        lambda: after(NSW, "9s 9c Ah 8d 8c Kd", ALICE, BOB, a.Deal()),
        Waiting("insurance", ("alice", "bob", "dealer"), acts=("Insure", "CloseInsurance")),
    ),
    "insured": (
        lambda: after(NSW, "9s 9c Ah 8d 8c Kd", ALICE, BOB, a.Deal(), a.Insure("alice", 1, 500)),
        Waiting("insurance", ("bob", "dealer"), acts=("Insure", "CloseInsurance")),
    ),
    "surrender": (
        lambda: after(NSW, "9s 9c Ah 8d 8c Kd", ALICE, BOB, a.Deal(), a.CloseInsurance()),
        Waiting("surrender", ("alice", "bob", "dealer"), acts=("Surrender", "CloseSurrender")),
    ),
    "others surrender": (
        lambda: after(NSW, "9s Ah 7d Kd", *SHARED, a.CloseInsurance(), a.Surrender("alice", 1)),
        Waiting("answer", ("bob",), 1, acts=("Surrender", "Decline")),
    ),
    "others double": (
        lambda: after(NSW, "6s 9h 5d 2c Kd", *SHARED, a.Double("alice", 1)),
        Waiting("answer", ("bob",), 1, acts=("Double", "Decline")),
    ),
    "others split": (
        lambda: after(NSW, "8s 9h 8d 2c 3c Kd", *SHARED, a.Split("alice", 1)),
        Waiting("answer", ("bob",), 1, acts=("Split", "Decline")),
    ),
    "decision": (
        lambda: after(NSW, "8s 9h 8d 2c", ALICE, a.Deal()),
        Waiting("decision", ("alice",), 1, acts=("Hit", "Stand", "Double", "Split")),
    ),
    "second hand": (
        lambda: after(NSW, "8s 9h 8d 9c 9d Kd", ALICE, a.Deal(), a.Split("alice", 1), a.Stand("alice", 1)),
        Waiting("decision", ("alice",), 1, 1, acts=("Hit", "Stand", "Double")),
    ),
    "must draw": (
        lambda: after(ACT5, "3s 9h 4d 2c", ALICE, a.Deal()),
        Waiting("decision", ("alice",), 1, acts=("Hit", "Double")),
    ),
    "forfeit": (
        lambda: after(NSW, "6s 9h 5d 2c Kd", *SHARED, a.Double("alice", 1), a.Double("bob", 1)),
        Waiting("forfeit", ("alice", "bob"), 1, acts=("Forfeit", "Keep")),
    ),
    "late double": (late_double, Waiting("short-hand", ("alice",), 1, acts=("Hit", "Double", "TakeBack"))),
    "late forfeit": (
        lambda: late_double(a.Double("alice", 1)),
        Waiting("forfeit", ("alice",), 1, acts=("Forfeit", "Keep")),
    ),
    "approval": (
        lambda: after(ADL, "9s 5d 7h 8c", ALICE, a.Misdeal((1, 1, 0))),
        Waiting("approval", (SUPERVISOR,), acts=("Approve",)),
    ),
    "reconstruction": (
        lambda: after(NSW, "9s 5d 7h 8c", ALICE, a.Misdeal((1, 1, 0))),
        Waiting("reconstruction", ("dealer",), acts=("Reconstruct", "VoidRound")),
    ),
    "short hand": (short_hand, Waiting("short-hand", ("bob",), 2, acts=("Hit", "TakeBack"))),
    "refund": (
        lambda: after(
            NSW, "9s 9c 9h 8d 8c Kd", ALICE, BOB, a.Deal(), a.ReportMalfunction("dealer"), source=DEVICE, side_bets=()
        ),
        Waiting("refund", ("alice", "bob"), acts=("TakeBack", "PlayOn")),
    ),
}


@pytest.mark.parametrize("state", STATES)
def test_waiting_says_who_and_what(state: str) -> None:
    make, wanted = STATES[state]
    assert waiting_for(make()) == wanted


def test_every_state_there_is_is_among_them() -> None:
    assert {wanted.what for _, wanted in STATES.values()} == {
        "wagers", "shuffle", "cut", "cutting-card", "expose", "jackpot", "insurance", "surrender", "answer",
        "forfeit", "decision", "approval", "refund", "reconstruction", "short-hand",
    }  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_what_is_legal_is_allowed_and_is_what_the_table_waits_for(state: str) -> None:
    make, wanted = STATES[state]
    table = make()
    before = snapshot(table)
    found = legal_acts(table)
    for act in found:
        assert refusal(table, act) is None
        assert snapshot(play(table, act)[0]) != before
    assert snapshot(table) == before
    named = {type(act).__name__ for act in found}
    assert named <= set(wanted.acts)
    assert set(wanted.acts) <= {chapter.__name__ for chapter in CHAPTERS}
    people = {act.player for act in found if hasattr(act, "player")}
    assert people <= set(wanted.who)
    if wanted.what in ("answer", "decision", "forfeit", "short-hand", "expose", "cut", "cutting-card"):
        assert named == set(wanted.acts)
        assert not people or people == set(wanted.who)


def test_nobody_but_those_waited_for_may_answer() -> None:
    for state in ("others surrender", "others double", "others split", "forfeit", "expose", "face down", "cut"):
        make, wanted = STATES[state]
        table = make()
        for act in legal_acts(table):
            fields = {name: getattr(act, name) for name in act.__struct_fields__}
            stranger = type(act)(**{**fields, "player": "carol"})
            assert refusal(table, stranger) is not None, (state, stranger)
            assert "carol" not in wanted.who


@pytest.mark.clause("adelaide-pontoon-2008", "106(d)", "64(a)")
def test_a_late_hand_is_kept_or_forfeited_by_its_owner() -> None:
    table = late_double(a.Double("alice", 1))
    assert table.phase == "late"
    assert legal_acts(table) == (a.Forfeit("alice", 1), a.Keep("alice", 1))
    assert play(table, a.Keep("alice", 1))[0].net == {"alice": 2000, "bob": 0}
    assert play(table, a.Forfeit("alice", 1))[0].net == {"alice": -1000, "bob": 0}


@pytest.mark.parametrize(
    ("wagered", "chips", "insurance"),
    [
        (2500, (100, 250, 500, 2500), 1250),
        (2500, (100,), 1200),
        (2500, (500, 2500), 1000),
        (1000, (100, 250, 500, 2500), 500),
        (1100, (100, 250), 550),
        (500, (500,), 250),
    ],
)
@pytest.mark.parametrize("rulebook", [NSW, ADL, ACT5, ACT2])
def test_insurance_is_offered_for_as_much_as_the_chips_can_make(
    rulebook: str, wagered: int, chips: tuple[int, ...], insurance: int
) -> None:
    """Half of $25 is five chips of $2.50; where the chips make none of it, half."""
    table = after(rulebook, "9s Ah 8d Kd", a.PlaceWager("alice", 1, wagered), a.Deal(), chips_cents=chips)
    assert [act for act in legal_acts(table) if isinstance(act, a.Insure)] == [a.Insure("alice", 1, insurance)]


def test_insurance_in_halves_of_the_smallest_chip() -> None:
    """Canberra 7.3: $3.30 can be made of these chips, and is no multiple of half a dollar."""
    assert load(ACT5).insurance.unit.value == "half-smallest-chip"
    table = after(ACT5, "9s Ah 8d Kd", a.PlaceWager("alice", 1, 660), a.Deal(), chips_cents=(100, 230))
    assert [act for act in legal_acts(table) if isinstance(act, a.Insure)] == [a.Insure("alice", 1, 300)]
