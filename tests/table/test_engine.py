"""The door itself: pure, one truth for legality, clear refusals, houses that the rulebook does not allow."""

from __future__ import annotations

import msgspec
import pytest

from pitboss import decide, evolve, legal_acts, load, open_table, play, refusal, waiting_for
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.clauses import exists
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.apply import APPLY
from pitboss.table.chapters import CHAPTERS
from pitboss.table.house import House, Patron, default_house, refuse_house, refuse_sign
from pitboss.table.refusals import Broken, Refusal, Refused, broken_unless
from pitboss.table.state import snapshot
from pitboss.table.telling import TELL, tell
from tests.books import ACT2, ACT5, ADL, BJC, NSW


def test_every_act_has_a_chapter_and_every_event_is_applied_and_told() -> None:
    acts = set(AnyAct.__args__)  # type: ignore[attr-defined]
    events = set(e.AnyEvent.__args__)  # type: ignore[attr-defined]
    assert acts == set(CHAPTERS)
    assert events == set(APPLY) == set(TELL)


def test_the_old_table_is_untouched() -> None:
    table = open_table(NSW, cards="6s 9h 5d Kc")
    before = snapshot(table)
    after, _ = play(table, a.PlaceWager("alice", 1, 2500), a.Deal())
    assert snapshot(table) == before != snapshot(after)
    middle = snapshot(after)
    assert isinstance(decide(after, a.Double("alice", 1)), tuple)
    assert refusal(after, a.Double("alice", 1)) is None
    assert snapshot(after) == middle


def test_a_refused_act_among_several_changes_nothing() -> None:
    table = open_table(NSW, cards="6s 9h 5d Kc")
    with pytest.raises(Refused) as caught:
        play(table, a.PlaceWager("alice", 1, 2500), a.Deal(), a.Hit("bob", 1))
    assert caught.value.refusal.clauses[0] == "11.1" and "5.6" in caught.value.refusal.clauses
    assert caught.value.refusal.text.startswith("bob has no wager on box 1")
    assert table.boxes == {} and table.net == {}


def test_events_are_told_with_their_clause() -> None:
    table = open_table(NSW, cards="6s 9h 5d Kc")
    table, _ = play(table, a.PlaceWager("alice", 1, 2500), a.Deal())
    table, events = play(table, a.Double("alice", 1))
    told = [tell(event, table.rulebook) for event in events]
    assert told[2].startswith("box 1: alice is paid $50.00, 1 to 1, doubled, interim settlement (NSW pontoon 10.2.1")
    assert table.net == {"alice": 5000}


def test_acts_and_events_survive_json() -> None:
    table = open_table(NSW, cards="6s 9h 5d Kc")
    acts: list[AnyAct] = [a.PlaceWager("alice", 1, 2500), a.Deal(), a.Double("alice", 1, 1000)]
    assert msgspec.json.decode(msgspec.json.encode(acts), type=list[AnyAct]) == acts
    after, events = play(table, *acts)
    read = msgspec.json.decode(msgspec.json.encode(events), type=list[e.AnyEvent])
    assert snapshot(evolve(table, read)) == snapshot(after)


def test_broken_is_neither_a_refusal_nor_bad_input() -> None:
    with pytest.raises(Broken, match="float and players differ"):
        broken_unless(False, "float and players differ")


# --- what a house may not choose -------------------------------------------------------------------------------------


def refused_house(rulebook_id: str, **changes: object) -> Refusal:
    rulebook = load(rulebook_id)
    answer = refuse_house(rulebook, default_house(rulebook, **changes))
    assert answer is not None, f"{rulebook_id} with {changes} was let through"
    with pytest.raises(Refused):
        open_table(rulebook, house=default_house(rulebook, **changes))
    return answer


@pytest.mark.clause("nsw-pontoon", "3.1")
@pytest.mark.clause("adelaide-pontoon-2008", "5")
@pytest.mark.clause("nsw-blackjack-challenge", "3.1", "3.1.1")
@pytest.mark.parametrize(
    ("rulebook_id", "changes", "clause"),
    [
        (NSW, {"decks": 5}, "3.1"),
        (NSW, {"decks": 7}, "3.1"),
        (ADL, {"decks": 4, "side_bets": ("perfect-pairs",)}, "5"),
        (ADL, {"decks": 2}, "5"),
        (ACT5, {"decks": 9}, "2.1"),
        (ACT2, {"decks": 2}, "2.1"),
        (BJC, {"decks": 8, "side_bets": ("star-pairs",)}, "3.1.1"),
        (BJC, {"decks": 8, "source": "shuffling-device", "side_bets": ("blazing-7s",)}, "3.1.1"),
        (BJC, {"decks": 7}, "3.1"),
    ],
)
def test_decks_that_the_rulebook_does_not_allow(rulebook_id: str, changes: dict[str, object], clause: str) -> None:
    assert clause in refused_house(rulebook_id, **changes).clauses


@pytest.mark.clause("nsw-pontoon", "6.7", "6.7.1", "6.7.2", "2.3.1", "2.2.1", "13.8")
@pytest.mark.clause("nsw-blackjack-challenge", "6.7", "6.7.1", "6.7.2", "2.3.4.3", "16.12")
@pytest.mark.parametrize(
    ("rulebook_id", "changes", "clause"),
    [
        (NSW, {"low_limit": True}, "6.7.2"),
        (NSW, {"low_limit": True, "source": "shuffling-device", "tournament": True}, "6.7.1"),
        (BJC, {"low_limit": True}, "6.7.2"),
        (BJC, {"low_limit": True, "source": "shuffling-device", "tournament": True}, "6.7.1"),
        (NSW, {"source": "hat"}, "2.3.1"),
        (NSW, {"boxes": 8}, "2.2.1"),
        (NSW, {"jokers": 1}, "3.1"),
        (NSW, {"side_bets": ("star-pairs",)}, "15.1"),
        (NSW, {"required": ("perfect-pairs",)}, "15.1"),
        (NSW, {"minimum_cents": 0}, "6.1"),
        (NSW, {"minimum_cents": 1000, "maximum_cents": 500}, "6.1"),
        (NSW, {"maximum_cents": 10**12 + 1}, "6.1"),
        (NSW, {"unit_cents": -1}, "6.1"),
        (NSW, {"player_maximum_cents": -1}, "6.1"),
        (NSW, {"chips_cents": ()}, "5.2"),
        (NSW, {"chips_cents": (0,)}, "5.2"),
        (NSW, {"chips_cents": (-100,)}, "5.2"),
        (NSW, {"chips_cents": (100, -100)}, "5.2"),
        (NSW, {"chips_cents": (999_999_937, 1_000_000_007)}, "5.2"),
        (NSW, {"side_limits": {"perfect-pairs": (500, 100)}}, "6.1"),
        (NSW, {"side_limits": {"perfect-pairs": (-5, 100)}}, "6.1"),
        (NSW, {"side_limits": {"perfect-pairs": (0, 0)}}, "6.1"),
        (NSW, {"side_bets": ("perfect-pairs", "perfect-pairs")}, "15.1"),
        (ADL, {"jokers": -1}, "6"),
        (ADL, {"jokers": 10**9}, "6"),
        (BJC, {"jackpot_cents": -1}, "16.12"),
        (BJC, {"jackpot_minimum_cents": -1}, "16.12"),
        (BJC, {"jackpot_rate_percent": 101}, "16.12"),
        (BJC, {"jackpot_rate_percent": -1}, "16.12"),
        (ADL, {"resplit": True}, "67(a)"),
        (ADL, {"deferred": True}, "60"),
        (ACT5, {"face_down": True}, "6.1"),
        (BJC, {"source": "shoe", "side_bets": ("blazing-7s",)}, "2.3.4.3"),
        (
            BJC,
            {"source": "shuffling-device", "side_bets": ("blazing-7s",), "jackpot_minimum_cents": 3_000_000},
            "16.12",
        ),
        (BJC, {"side_bets": ("lucky-lucky",)}, "16.1"),
    ],
)
def test_what_else_a_house_may_not_choose(rulebook_id: str, changes: dict[str, object], clause: str) -> None:
    answer = refused_house(rulebook_id, **changes)
    assert any(cited == clause or cited.startswith(clause + ".") for cited in answer.clauses), answer


def test_a_table_cannot_open_with_two_players_on_one_seat() -> None:
    with pytest.raises(Refused, match="two players are seated at box 1"):
        open_table(NSW, cards="", players={"alice": Patron(seat=1), "bob": Patron(seat=1)})
    with pytest.raises(Refused, match="cannot sit at box 9"):
        open_table(NSW, cards="", players={"alice": Patron(seat=9)})
    with pytest.raises(Refused, match="cannot be a player's name"):
        open_table(NSW, cards="", players={"dealer": Patron()})


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
@pytest.mark.parametrize(
    "patron", [Patron(chips_cents=-1), Patron(loss_limit_cents=-5), Patron(deposit_limit_cents=10**13)]
)
def test_nobody_comes_with_less_than_nothing(rulebook_id: str, patron: Patron) -> None:
    with pytest.raises(Refused, match=r"alice.s .*: from nothing to") as caught:
        open_table(rulebook_id, cards="", players={"alice": patron})
    assert all(exists(rulebook_id, clause) for clause in caught.value.refusal.clauses)
    assert open_table(rulebook_id, cards="", players={"alice": patron}, again=True).players


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_a_sign_is_made_of_the_houses_chips(rulebook_id: str) -> None:
    """Where people play; a record may have a sign of $5 with chips of $25."""
    book = load(rulebook_id)
    assert refuse_sign(book, default_house(book)) is None
    assert refuse_sign(book, default_house(book, minimum_cents=750, chips_cents=(250, 500))) is None
    for changes in ({"minimum_cents": 733}, {"maximum_cents": 50_033}, {"unit_cents": 33}, {"chips_cents": (2500,)}):
        house = default_house(book, **changes)
        refused = refuse_sign(book, house)
        assert refused is not None and set(book.wagers.means.clauses) <= set(refused.clauses)
    assert refuse_house(book, default_house(book, chips_cents=(2500,))) is None


# --- dated terms -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "5.1")
@pytest.mark.clause("nsw-blackjack-challenge", "5.1")
@pytest.mark.parametrize("rulebook_id", [NSW, BJC])
def test_a_player_card_is_needed_from_19_august_2024(rulebook_id: str) -> None:
    import datetime

    rulebook = load(rulebook_id)
    act = a.PlaceWager("alice", 1, 1000)
    for date, wanted in ((datetime.date(2024, 8, 18), False), (datetime.date(2024, 8, 19), True), (None, True)):
        house = default_house(rulebook, date=date)
        table = open_table(rulebook, cards="", house=house, players={"alice": Patron(card=False)})
        answer = refusal(table, act)
        assert (answer is not None) == wanted
        assert answer is None or "5.1" in answer.clauses


# --- what may be done now --------------------------------------------------------------------------------------------


def test_waiting_names_who_and_what() -> None:
    table = open_table(ADL, cards="9h Ad 5s 6c 8d Kd")
    assert waiting_for(table).what == "wagers"
    table, _ = play(table, a.PlaceWager("alice", 1, 2000), a.PlaceWager("bob", 1, 1000), a.Deal())
    assert waiting_for(table) == waiting_for(evolve(table, ()))
    assert waiting_for(table).what == "insurance" and waiting_for(table).who == ("alice", "bob", "dealer")
    assert a.CloseInsurance() in legal_acts(table)
    table, _ = play(table, a.CloseInsurance())
    assert waiting_for(table).what == "surrender"
    table, _ = play(table, a.CloseSurrender())
    waiting = waiting_for(table)
    assert (waiting.what, waiting.who, waiting.box, waiting.acts) == ("decision", ("alice",), 1, ("Hit", "Stand"))
    assert legal_acts(table) == (a.Hit("alice", 1), a.Stand("alice", 1))


def test_a_new_table_wants_a_shuffle_a_cut_and_the_cutting_card() -> None:
    from pitboss.chance import shuffled
    from pitboss.table.shuffle_and_cut import full_stack

    table = open_table(NSW)
    assert waiting_for(table).what == "shuffle"
    order = shuffled(full_stack(table), seed=7)
    table, events = play(table, a.TakeSeat("alice", 3), a.Shuffle(order))
    assert waiting_for(table).who == ("alice",)
    assert refusal(table, a.Deal()) is not None
    table, _ = play(table, a.DeclineCut("alice"))
    assert waiting_for(table).who == ("supervisor",)
    table, _ = play(table, a.Cut("supervisor", 100))
    assert table.stack == order[100:] + order[:100]
    assert waiting_for(table).what == "cutting-card"
    table, _ = play(table, *legal_acts(table))
    assert waiting_for(table).what == "wagers"
    assert isinstance(events[0], e.SeatTaken)


@pytest.mark.parametrize("bad", [0, -5, 2.5, "10", None, True])
def test_an_amount_is_whole_cents_above_zero(bad: object) -> None:
    table = open_table(NSW, cards="")
    answer = refusal(table, a.PlaceWager("alice", 1, bad))  # type: ignore[arg-type]
    assert answer is not None


@pytest.mark.parametrize("bad", [0, 8, -1, "1", None, 1.0])
def test_a_box_is_one_of_the_layouts(bad: object) -> None:
    table = open_table(NSW, cards="")
    answer = refusal(table, a.PlaceWager("alice", bad, 1000))  # type: ignore[arg-type]
    assert answer is not None and "2.2.1" in answer.clauses


def test_house_is_a_frozen_value() -> None:
    house = default_house(load(NSW))
    with pytest.raises(AttributeError):
        house.decks = 6  # type: ignore[misc]
    assert isinstance(house, House) and house.smallest_chip_cents == 100
