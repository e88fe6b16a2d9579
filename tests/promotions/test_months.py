"""Months by a fake clock: whatever people do, nothing that is due is missed or doubled, over both clock changes."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Sequence
from zoneinfo import ZoneInfo

import msgspec
import pytest

from pitboss.chance import Chance
from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.acts import MANAGER, PLAYER
from pitboss.promotions.drawing import digest_of
from pitboss.promotions.engine import evolve
from pitboss.promotions.events import PromotionEvent
from pitboss.promotions.state import Promotion, due
from pitboss.table.refusals import Refusal
from tests.lengths import length
from tests.promotions.making import BOTH, SECRET, Running, prize, replayed, terms_of

SYDNEY = ZoneInfo("Australia/Sydney")
HOUR = datetime.timedelta(hours=1)
SEEDS = length(40, 1)
NAMES = ("alice", "bob", "carol", "dora", "emil")


def months(rulebook: str, start: datetime.datetime, seed: str) -> Running:
    """A promotion with a draw a week over ten weeks, in which people do this and that, soon or late."""
    chance = Chance(seed)
    draws = []
    prizes = []
    for week in range(10):
        held = start + (week * 7 + 5) * 24 * HOUR + 20 * HOUR
        draws.append({"name": f"week-{week}", "at": held, "closes": held - 2 * HOUR, "place": "here"})
        prizes.append(prize("goods", name=f"set-{week}", draw=f"week-{week}", value=(80, 4000, 12000)[chance.below(3)]))
    period = {"begins": start, "ends": start + 80 * 24 * HOUR, "place": "here"}
    running = Running(terms_of(rulebook, draws=draws, prizes=prizes, promotion=period))
    clock = start.replace(tzinfo=SYDNEY).astimezone(datetime.UTC) - 60 * HOUR
    end = clock + 90 * 24 * HOUR
    acts: list[pa.PromotionAct] = [pa.OfferPromotion(MANAGER, clock, running.conditions)]
    while clock < end:
        for act in acts:
            running.tries(act)
        clock += chance.below(17) * HOUR + chance.below(60) * HOUR // 60
        acts = _wishes(running, chance, clock)
    return running


def _wishes(running: Running, chance: Chance, now: datetime.datetime) -> list[pa.PromotionAct]:
    """What people try at a moment; most of it is refused."""
    state = running.state
    name, week = chance.choice(NAMES), chance.below(10)
    draw, key = f"week-{week}", f"set-{week}"
    win = state.wins.get(key)
    who = win.name if win is not None else name
    usual: list[pa.PromotionAct] = [
        pa.FileTerms(MANAGER, now, "NICC-1"),
        pa.PublishTerms(MANAGER, now, "desk"),
        pa.BeginPromotion(MANAGER, now),
        pa.Enter(PLAYER, now, name, 1 + chance.below(3), 50000),
        pa.NominateScrutineer(MANAGER, now, "Ms Lee"),
        *(
            pa.CommitDraw(MANAGER, now, each.name, digest_of(SECRET))
            for each in state.draws.values()
            if not each.digest
        ),
        *(
            pa.DrawWinners(MANAGER, now, each.name, SECRET, "a word", NAMES[: chance.below(3)], state.scrutineer)
            for each in state.draws.values()
            if each.status == "waiting" and each.due <= now + HOUR
        ),
    ]
    rare: Sequence[pa.PromotionAct] = (
        pa.TellWinner("dealer", now, who, key, chance.choice(("telephone", "mail", "pigeon")), chance.below(2) == 0),
        pa.AwardPrize(MANAGER, now, who, key),
        pa.ClaimPrize(PLAYER, now, name, key),
        pa.DenyClaim(MANAGER, now, name, key, "no entry", "Full Name", "1 High Street"),
        pa.TellReasons("dealer", now, name, key),
        pa.RaiseDispute(PLAYER, now, name, f"matter {week}"),
        pa.DecideDispute(MANAGER, now, 1 + week, "no"),
        pa.NotSatisfied(PLAYER, now, 1 + week),
        pa.AdviseComplaint("dealer", now, 1 + week),
        pa.PublishResults(MANAGER, now, draw, "website"),
        pa.NotifyInspector(MANAGER, now, chance.choice((draw, "promotion")), "Inspector Ray"),
        pa.ValidateIntegrity(MANAGER, now, chance.choice((draw, "promotion")), "counted", now + 30 * HOUR),
        pa.StrikeEntry(MANAGER, now, name, "staff") if chance.below(20) == 0 else pa.EndPromotion(MANAGER, now),
        *(
            [pa.FindCompromised(MANAGER, now, chance.choice((draw, "promotion")), "copied", "postpone")]
            if chance.below(8) == 0
            else []
        ),
    )
    return [*usual, *(chance.choice(rare) for _ in range(4))]


def naive_due(events: Sequence[PromotionEvent]) -> dict[str, datetime.datetime | None]:
    """What is open after these events and until when, reckoned from what happened and from nothing else.

    The deadlines are counted here in another way: on the clocks' face for days, in seconds for hours.
    """
    found: dict[str, datetime.datetime | None] = {}
    inspectors = 0
    for event in events:
        match event:
            case pe.TermsFiled():
                found.pop(f"file/{event.version}", None)
            case pe.PrizeWon():
                face = event.at.astimezone(SYDNEY)
                if not event.present:
                    found[f"tell/{event.prize}"] = (face + datetime.timedelta(days=2)).astimezone(datetime.UTC)
                found[f"award/{event.prize}"] = None
            case pe.WinnerTold() if event.reached:
                found.pop(f"tell/{event.prize}", None)
            case pe.PrizeAwarded() | pe.WinSetAside():
                found.pop(f"award/{event.prize}", None)
                found.pop(f"tell/{event.prize}", None)
            case pe.ClaimDenied():
                found[f"reasons/{event.prize}/{event.name}"] = None
                won = [each for each in events if isinstance(each, pe.PrizeWon) and each.at <= event.at]
                last = [each for each in won if each.prize == event.prize][-1:]
                if last and last[0].name == event.name:
                    found.pop(f"award/{event.prize}", None)
                    found.pop(f"tell/{event.prize}", None)
            case pe.ReasonsTold():
                found.pop(f"reasons/{event.prize}/{event.name}")
            case pe.DisputeRaised():
                found[f"dispute/{event.number}"] = None
            case pe.DisputeDecided():
                found.pop(f"dispute/{event.number}")
            case pe.DecisionNotAccepted():
                found[f"advise/{event.number}"] = None
            case pe.ComplaintAdvised():
                found.pop(f"advise/{event.number}")
            case pe.IntegrityCompromised():
                inspectors += 1
                until = datetime.datetime.fromtimestamp(event.at.timestamp() + 48 * 3600, datetime.UTC)
                found[f"inspector/{event.what}/{inspectors}"] = until
            case pe.InspectorNotified():
                found = {key: each for key, each in found.items() if not key.startswith(f"inspector/{event.what}/")}
    return found


CHECKED = ("tell", "award", "reasons", "dispute", "advise", "inspector")
STARTS = [datetime.datetime(2027, 3, 1, 10), datetime.datetime(2027, 9, 1, 10)]
"""Ten weeks over the end of summer time (4 April) and over its beginning (3 October)."""


@pytest.mark.clause("nsw-pontoon", "21.8", "21.10", "21.11", "21.12")
@pytest.mark.clause("nsw-blackjack-challenge", "22.8", "22.9", "22.10", "22.11")
@pytest.mark.parametrize("start", STARTS, ids=("back", "forward"))
@pytest.mark.parametrize("rulebook", BOTH)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_is_due_is_what_a_naive_reading_of_the_events_says(
    rulebook: str, start: datetime.datetime, seed: int
) -> None:
    running = months(rulebook, start, f"months {seed}")
    replayed(running)
    assert running.told(pe.PrizeWon) and running.told(pe.WinnerTold)
    state = Promotion()
    for begins, ends in itertools.pairwise((0, *running.ends)):
        state = evolve(state, running.events[begins:ends])
        if ends % 7 == 0 or ends == len(running.events):
            shown = {each.key: each.due for each in due(state) if each.key.partition("/")[0] in CHECKED}
            assert shown == naive_due(running.events[:ends])
    assert state == running.state
    open_keys: set[str] = set()
    for event in running.events:  # nothing arises twice while it is open, nor is met twice
        if isinstance(event, pe.DutyArose):
            assert event.key not in open_keys and event.clauses
            open_keys.add(event.key)
        elif isinstance(event, pe.DutyMet | pe.DutyLapsed):
            open_keys.remove(event.key)
            if isinstance(event, pe.DutyMet):
                assert event.late == state.duties[event.key].late or state.duties[event.key].met != event.at
    assert open_keys == {each.key for each in due(state)}


@pytest.mark.parametrize("rulebook", BOTH)
def test_no_act_of_those_months_is_lost_when_it_is_refused(rulebook: str) -> None:
    """A refusal leaves the promotion as it was, and cites a clause."""
    running = months(rulebook, STARTS[0], "refusals")
    before = msgspec.json.encode(running.state)
    last = running.state.last
    assert last is not None
    for act in _wishes(running, Chance("once more"), last - HOUR):
        decided = running.tries(act)
        assert isinstance(decided, Refusal) and decided.clauses and decided.text.endswith(".")
    assert msgspec.json.encode(running.state) == before
