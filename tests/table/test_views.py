"""What a player, the dealer, a supervisor and an inspector may see; undealt and burned cards are seen by nobody."""

from __future__ import annotations

import json
import random

import pytest

from pitboss import evolve, open_table, play
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import default_house
from pitboss.table.views import HIDDEN, Viewer, event_seen_by, seen_by
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
                assert json.dumps(seen_by(viewer, table)) == json.dumps(seen_by(viewer, other))
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
