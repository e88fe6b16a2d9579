"""One list of what waits: what stands still comes first, and of those what has stood longest."""

from __future__ import annotations

import pytest

from pitboss.floor import inbox
from pitboss.floor.clock import SetClock
from pitboss.floor.inbox import Disputes, Inbox, told_dispute
from pitboss.floor.model import Caller, Denied
from pitboss.floor.projections import Projections
from pitboss.floor.wire import AskShuffle
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from tests.floor.memory import ALICE, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import do, must, ready

MINUTE = 60_000
MANAGER = Caller("mia", "gaming-manager")


async def test_a_table_that_stood_for_25_minutes_comes_before_everything_newer() -> None:
    clock = SetClock()
    async with a_floor(clock=clock) as floor:
        kept = Inbox(floor)
        for name in ("old", "new", "idle"):
            await a_table(floor, name)
        await ready(floor, "old")
        await must(floor, ALICE, "old", a.PlaceWager("alice", 1, 1000))
        kept.at_tables()
        clock.pass_ms(MINUTE)
        floor.hosts["old"].changed_ms = clock.now_ms()  # somebody looked in: it waits for the same word all the same
        kept.at_tables()
        clock.pass_ms(24 * MINUTE)
        await ready(floor, "new")
        stall = kept.at_tables()
        assert [(each.kind, each.table, each.urgency) for each in stall] == [("stall", "old", inbox.STANDS)]
        assert clock.now_ms() - stall[0].since_ms == 25 * MINUTE
        fresh = [
            inbox.Waits("irregularity", inbox.STANDS, clock.now_ms(), "just now", ""),
            inbox.Waits("dispute", inbox.WAITS, 0, "an old dispute", ""),
            inbox.Waits("notice", inbox.DUE, 0, "an old notice", ""),
        ]
        assert [each.kind for each in inbox.in_order([*fresh, *stall])] == [
            "stall",
            "irregularity",
            "dispute",
            "notice",
        ]


@pytest.mark.clause("nsw-pontoon", "4.3.1")
async def test_a_cut_that_is_the_supervisors_is_in_the_inbox_at_once() -> None:
    """Nobody sits at the table, so a supervisor cuts: they are told before the table has stood still for long."""
    clock = SetClock()
    async with a_floor(clock=clock) as floor:
        kept = Inbox(floor)
        table = await a_table(floor)
        assert kept.at_tables() == []
        await must(floor, DEALER, table, AskShuffle())
        assert floor.hosts[table].table.cut_offered == "supervisor"
        assert [(each.kind, each.urgency) for each in kept.at_tables()] == [("cut", inbox.WAITS)]
        clock.pass_ms(3 * MINUTE)
        assert [(each.kind, each.urgency) for each in kept.at_tables()] == [("stall", inbox.STANDS)]
        await must(floor, SUPERVISOR, table, a.Cut("supervisor", 100))
        assert kept.at_tables() == []


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_a_dispute_says_what_it_is_about_and_whose_it_is(rulebook: str) -> None:
    """NSW 17.12 and their like: a review is another person's than the one who ruled."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor, opening=an_opening(rulebook))
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        await must(floor, ALICE, table, a.RaiseDispute("alice", "my payment was short"))

        def told(caller: Caller) -> inbox.DisputeTold:
            found = Projections(log).ask(Disputes, lambda fold: fold.found[f"{table}/alice"])
            return told_dispute(found, rulebook, table, caller)

        first = told(SUPERVISOR)
        assert first.dispute.about == "my payment was short" and first.whose and first.clauses
        terms = floor.hosts[table].table.rulebook.irregularities
        assert first.whose == terms.dispute_by.value
        rules = SUPERVISOR if isinstance(await do(floor, SUPERVISOR, table, _rule()), Denied) is False else MANAGER
        if rules is MANAGER:
            await must(floor, MANAGER, table, _rule())
        await must(floor, ALICE, table, a.AskReview("alice"))
        again = told(rules)
        if again.dispute.stage == "review":
            assert again.another and not told(Caller("olga", "gaming-manager")).another
            refused = await do(floor, rules, table, _rule())
            assert isinstance(refused, Denied) and refused.clauses, refused
            assert inbox.of_disputes([again])[0].yours is False
        else:
            assert again.dispute.stage == "outside" and not inbox.of_disputes([again])


def _rule() -> a.RuleDispute:
    return a.RuleDispute("", "alice", "the payment was right")
