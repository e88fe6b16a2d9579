"""What a player, the dealer, a supervisor and an inspector may see; undealt and burned cards are seen by nobody."""

from __future__ import annotations

import json
import random
from typing import get_args

import pytest

from pitboss import evolve, open_table, play
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import default_house
from pitboss.table.views import AFFAIRS, HIDDEN, OPENLY, Viewer, event_seen_by, hushed, seen_by, whose
from tests.properties.driver import next_act, some_table

EVERYBODY = [
    Viewer("player", "alice"),
    Viewer("player", "bob"),
    Viewer("dealer"),
    Viewer("supervisor"),
    Viewer("inspector"),
]


def swapped(table, rng):  # type: ignore[no-untyped-def]
    """The same table with its undealt cards in another order and its burned cards exchanged for others."""
    order = list(table.stack[table.position :])
    rng.shuffle(order)
    other = evolve(table, ())
    other.stack = table.stack[: table.position] + tuple(order)
    return other


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_undealt_cards_are_in_nobodys_view(rulebook_id: str) -> None:
    """Flipping every hidden card changes not one byte of what anybody is shown."""
    rng = random.Random(rulebook_id)
    for seed in range(30):
        table = some_table(rulebook_id, random.Random(f"{rulebook_id}:{seed}"))
        for _ in range(120):
            act = next_act(table, rng)
            from pitboss import decide
            from pitboss.table.refusals import Refusal

            answer = decide(table, act)
            if isinstance(answer, Refusal):
                continue
            table = evolve(table, answer)
            other = swapped(table, rng)
            for viewer in EVERYBODY:
                assert seen_by(viewer, table) == seen_by(viewer, other)
                for event in answer:
                    seen = event_seen_by(viewer, event, table)
                    assert not isinstance(seen, e.StackArranged)
                    if isinstance(seen, e.CardBurned):
                        assert seen.card == HIDDEN


@pytest.mark.clause("nsw-pontoon", "3.6.2", "3.7")
def test_face_down_cards_are_seen_by_those_with_a_wager_on_them() -> None:
    house = default_house(load("nsw-pontoon"), face_down=True)
    table = open_table("nsw-pontoon", cards="9s 8h 7c 5d 6h Kd 8c", house=house)
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal())
    alice, bob = seen_by(Viewer("player", "alice"), table), seen_by(Viewer("player", "bob"), table)
    assert [box["hands"][0]["cards"] for box in alice["boxes"]] == [["9s", "5d"], [HIDDEN, HIDDEN]]
    assert [box["hands"][0]["cards"] for box in bob["boxes"]] == [[HIDDEN, HIDDEN], ["8h", "6h"]]
    for role in ("dealer", "supervisor", "inspector"):
        view = seen_by(Viewer(role), table)
        assert all(box["hands"][0]["cards"] == [HIDDEN, HIDDEN] for box in view["boxes"])
        assert all(box["hands"][0]["total"] is None for box in view["boxes"])
    dealt = [event for event in events if isinstance(event, e.CardDealt) and event.box == 1]
    assert [event_seen_by(Viewer("player", "alice"), event, table).card for event in dealt] == ["9s", "5d"]  # type: ignore[union-attr]
    assert [event_seen_by(Viewer("dealer"), event, table).card for event in dealt] == [HIDDEN, HIDDEN]  # type: ignore[union-attr]
    table, _ = play(table, a.Expose("alice", 1))
    assert seen_by(Viewer("dealer"), table)["boxes"][0]["hands"][0]["cards"] == ["9s", "5d"]


def test_money_and_limits_are_for_oneself_and_for_those_who_supervise() -> None:
    table = open_table("nsw-pontoon", cards="9s 7c 5d Kd")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000))
    assert seen_by(Viewer("player", "alice"), table)["players"]["alice"]["net_cents"] == -1000
    assert seen_by(Viewer("inspector"), table)["players"]["alice"]["net_cents"] == -1000
    assert "net_cents" not in seen_by(Viewer("player", "bob"), table)["players"]["alice"]
    assert "net_cents" not in seen_by(Viewer("dealer"), table)["players"]["alice"]


@pytest.mark.clause("nsw-pontoon", "4.9")
@pytest.mark.clause("nsw-blackjack-challenge", "4.9")
def test_the_burned_card_is_not_exposed() -> None:
    table = open_table("nsw-pontoon", cards="As 9s 7c 5d Kd", new_shoe=True)
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    burned = next(event for event in events if isinstance(event, e.CardBurned))
    assert burned.card == "As"
    for viewer in EVERYBODY:
        seen = event_seen_by(viewer, burned, table)
        assert isinstance(seen, e.CardBurned) and seen.card == HIDDEN
        assert "As" not in json.dumps(seen_by(viewer, table))
        assert seen_by(viewer, table)["burned"] == 1


# --- whose affair an event is ----------------------------------------------------------------------------------------

WHY = ("1.1",)
NINA, ZORRO, DEALER = Viewer("player", "nina"), Viewer("player", "zorro"), Viewer("dealer")
SUPERVISOR, ADMINISTRATOR = Viewer("supervisor"), Viewer("administrator")


def test_of_every_kind_of_event_it_is_said_who_may_see_it() -> None:
    """A new kind is for staff alone until it stands in one of the two."""
    assert frozenset(get_args(e.AnyEvent)) == OPENLY | set(AFFAIRS) and not OPENLY & set(AFFAIRS)


@pytest.mark.parametrize(
    "event",
    [
        e.ChipsBought(WHY, "nina", 2500),
        e.PlayerRestricted(WHY, "casino-supervisor", "nina", "one-box", False, 1, "the end of the shoe"),
        e.RestrictionLifted(WHY, "casino-supervisor", "nina"),
        e.PlayerBarred(WHY, "casino-supervisor", "nina", "a device"),
        e.PlayerPaused(WHY, "casino-supervisor", "nina"),
        e.PlayerReadmitted(WHY, "casino-supervisor", "nina", 5000),
        e.DisputeRaised(WHY, "nina", "a payment"),
        e.DisputeRuled(WHY, "casino-supervisor", "nina", "it was right", False),
        e.ReviewAsked(WHY, "nina", True),
        e.MispaymentRecorded(WHY, "casino-supervisor", "nina", 2500, False, False),
        e.MispaymentRectified(WHY, "nina", 2500),
        e.DutyReminded(WHY, "dealer", "nina", "device"),
        e.NoticeGiven(WHY, "players", "nina is asked to give back $25.00", concerns="nina"),
        e.NoticeGiven(WHY, "players", "nina: devices that record the game are banned", concerns="nina"),
        e.NoticeGiven(WHY, "players", "nina may complain to an inspector about the ruling", concerns="nina"),
        e.NoticeGiven(WHY, "players", "nina is reminded of the duties that go with a loss limit", concerns="nina"),
    ],
)
def test_what_concerns_one_player_is_for_himself_and_for_staff(event: e.Event) -> None:
    table = open_table("nsw-pontoon")
    assert event_seen_by(NINA, event, table) == event_seen_by(SUPERVISOR, event, table) == event
    assert type(event_seen_by(DEALER, event, table)) is type(event)
    assert event_seen_by(ZORRO, event, table) is None and event_seen_by(ADMINISTRATOR, event, table) is None


@pytest.mark.parametrize(
    "event",
    [
        e.NoticeGiven(WHY, "casino-supervisor", "nina disputes: a payment"),
        e.NoticeGiven(WHY, "regulator", "overpayment of $2,500.00", "end-of-month"),
        e.NoticeGiven(WHY, "dealer", "staff give no advice on how to play"),
        e.DutyReminded(WHY, "casino-supervisor", "dealer", "advice"),
        e.IrregularityReported(WHY, "person-barred"),
        e.IrregularityReported(WHY, "loss-limit-exceeded"),
    ],
)
def test_what_is_said_to_staff_is_for_staff(event: e.Event) -> None:
    table = open_table("nsw-pontoon")
    assert event_seen_by(DEALER, event, table) == event_seen_by(SUPERVISOR, event, table) == event
    assert event_seen_by(NINA, event, table) is None


def test_others_see_what_happens_on_the_felt_and_not_why() -> None:
    table = open_table("nsw-pontoon")
    for reason in ("loss-limit", "barred"):
        back = e.WagerReturned(WHY, "nina", 1, 500, reason=reason)
        assert event_seen_by(ZORRO, back, table) == e.WagerReturned((), "nina", 1, 500, reason="refused")
        assert event_seen_by(NINA, back, table) == event_seen_by(DEALER, back, table) == back
    lost = e.WagerCollected(WHY, 1, 0, "nina", 500, "fraud")
    assert event_seen_by(ZORRO, lost, table) == e.WagerForfeited((), 1, 0, "nina", 500, 0)
    void = event_seen_by(ZORRO, e.RoundVoided(WHY, "fraud"), table)
    assert isinstance(void, e.RoundVoided) and void.reason == "invalidated"
    for event in (
        e.WagerCollected(WHY, 1, 0, "nina", 500, "lower"),
        e.WagerReturned(WHY, "nina", 1, 500),
        e.RoundVoided(WHY, "no wagers"),
        e.IrregularityReported(WHY, "card-drawn-in-error"),
        e.MaximumGranted(WHY, "casino-supervisor", "nina", 500_000, 0),
        e.NoticeGiven(WHY, "players", "nina: maximum $5,000.00"),
    ):
        assert event_seen_by(ZORRO, event, table) == event and whose(event) == ""


def test_why_a_wager_is_invalid_is_for_its_owner_and_staff() -> None:
    table = open_table("nsw-pontoon")
    found = e.IrregularityReported(WHY, "invalid-wager", "", "casino-supervisor", "somebody else's card", "nina", 1)
    others = e.IrregularityReported(WHY, "invalid-wager", "", "casino-supervisor", "", "nina", 1)
    assert event_seen_by(ZORRO, found, table) == others
    assert event_seen_by(NINA, found, table) == event_seen_by(DEALER, found, table) == found
    fraud = e.IrregularityReported(WHY, "invalidated-by-fraud", "", "casino-supervisor", "nina marked a card")
    assert event_seen_by(ZORRO, fraud, table) is None


def test_the_clauses_of_somebodys_affair_are_hushed_for_the_others() -> None:
    """Control passes openly where a wager beyond a loss limit went back, but not with the clause that says so."""
    back = e.WagerReturned(("17.22.1",), "nina", 1, 500, reason="loss-limit")
    passed = e.ControlPassed(("17.22.1", "5.6"), 1, "zorro")
    assert hushed(ZORRO, (back, passed)) == {"17.22.1"}
    assert not hushed(NINA, (back, passed)) and not hushed(DEALER, (back, passed))
    assert hushed(ADMINISTRATOR, (back, passed)) == {"17.22.1"}


def test_of_a_mispayment_its_player_does_not_learn_who_is_suspected() -> None:
    recorded = e.MispaymentRecorded(WHY, "casino-supervisor", "nina", 2500, True, True)
    seen = event_seen_by(NINA, recorded, open_table("nsw-pontoon"))
    assert isinstance(seen, e.MispaymentRecorded) and not seen.intentional and not seen.reported
    assert event_seen_by(SUPERVISOR, recorded, open_table("nsw-pontoon")) == recorded


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_notices_to_all_players_name_none_of_them(rulebook_id: str) -> None:
    """Whatever the rulebooks have told to players is on a sign, or is told to the one whom it names."""
    from pitboss import decide
    from pitboss.table.refusals import Refusal

    names, shown, told = {"alice", "bob", "carol", "dave", "erin", "frank"}, 0, 0
    for seed in range(9):
        rng = random.Random(f"{rulebook_id}{seed}")
        table = some_table(rulebook_id, rng)
        for _ in range(250):
            answer = decide(table, next_act(table, rng, 0.2))
            if isinstance(answer, Refusal):
                continue
            table = evolve(table, answer)
            for event in answer:
                if isinstance(event, e.NoticeGiven) and event.to == "players":
                    named = {name for name in names if name in event.text.replace(":", " ").split()}
                    if whose(event) == "":
                        assert not named or ": maximum " in event.text, event
                        shown += 1
                    else:
                        assert named == {whose(event)}, event
                        told += 1
    assert shown + told


def test_a_round_that_is_laid_again_shows_no_card_that_lay_face_down() -> None:
    house = default_house(load("nsw-pontoon"), face_down=True)
    table = open_table("nsw-pontoon", house=house)
    again = e.RoundReopened(WHY, "dealer", ((1, "7s"), (0, "8s")), ((0, "7s"), (1, "8s")), ("7s", "8s"))
    seen = event_seen_by(NINA, again, table)
    assert isinstance(seen, e.RoundReopened) and seen.cards == (HIDDEN, HIDDEN)
    assert seen.before == ((1, HIDDEN), (0, "8s")) and seen.after == ((0, "7s"), (1, HIDDEN))
    aside = event_seen_by(NINA, e.CardsSetAside(WHY, ("7s",)), table)
    assert isinstance(aside, e.CardsSetAside) and aside.cards == (HIDDEN,)
    assert event_seen_by(NINA, again, open_table("nsw-pontoon")) == again
