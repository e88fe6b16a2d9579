"""Every event is posted, or names no money that moves; every event is applied, told, and shown to somebody."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from pitboss.ledger.postings import POST
from pitboss.table import events as e
from pitboss.table.apply import APPLY
from pitboss.table.telling import TELL
from pitboss.table.views import AFFAIRS, OPENLY

KINDS: tuple[type[e.Event], ...] = get_args(e.AnyEvent)

MOVES_NOTHING: dict[type[e.Event], str] = {
    e.WagerFound: "the wager stays where it is",
    e.LimitsSet: "what stands on the sign",
    e.MaximumGranted: "what stands on a sign of one's own",
    e.PlayerReadmitted: "a limit that somebody has set",
    e.PatronTold: "limits that somebody has set",
    e.SignDisplayed: "what stands on the sign",
    e.FormHandedIn: "what is written on a form: its chips lie where they are until it is announced",
    e.UndisclosedAnnounced: "what was written: settling it is another event",
    e.HeldToMinimum: "what somebody may wager",
    e.PlayerEliminated: "what lies in front of them",
}
"""Events with amounts that stay where they are, and what the amounts are."""


def amounts(kind: type[e.Event]) -> list[str]:
    return [each.name for each in msgspec.structs.fields(kind) if each.name == "cents" or each.name.endswith("_cents")]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_event_that_moves_money_has_its_posting(kind: type[e.Event]) -> None:
    """A new event with an amount is posted in `ledger/postings.py`, or stands above with its reason."""
    assert bool(amounts(kind)) == (kind in POST or kind in MOVES_NOTHING), amounts(kind)
    assert not (kind in POST and kind in MOVES_NOTHING)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_event_is_applied_told_and_shown(kind: type[e.Event]) -> None:
    assert kind in APPLY, "say in table/apply what it changes"
    assert kind in TELL, "say in table/telling.py how it is told"
    assert (kind in OPENLY) != (kind in AFFAIRS), "say in table/views.py who sees it"


def test_a_planted_event_without_a_posting_is_found() -> None:
    class ChipsVanished(e.Event, frozen=True):
        player: str
        cents: int

    with pytest.raises(AssertionError):
        test_an_event_that_moves_money_has_its_posting(ChipsVanished)
    with pytest.raises(AssertionError, match="what it changes"):
        test_an_event_is_applied_told_and_shown(ChipsVanished)
