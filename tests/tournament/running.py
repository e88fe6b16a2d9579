"""Whole tournaments in tests, with rounds that are made up: who has what after each is said, not played."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from pitboss.chance import Chance, shuffled
from pitboss.rulebooks import load
from pitboss.table.refusals import Refusal
from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.acts import MANAGER, AnyTournamentAct, TournamentAct
from pitboss.tournament.conditions import Conditions
from pitboss.tournament.engine import decide, evolve
from pitboss.tournament.events import AnyTournamentEvent, TournamentEvent
from pitboss.tournament.sessions import digest_of, seed_of
from pitboss.tournament.state import ENTERED, Tournament

BEFORE = datetime.datetime(2027, 2, 1, 12)
LATE = datetime.datetime(2027, 3, 3, 12)
START = datetime.datetime(2027, 3, 5, 19)
SECRET = "secret of {}"


class Running:
    """A tournament being run: every act is kept, and money and chips are looked at after every event."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self.rulebook = load(conditions.rulebook)
        self.state = Tournament()
        self.acts: list[TournamentAct] = []
        self.events: list[TournamentEvent] = []

    def does(self, act: TournamentAct) -> tuple[TournamentEvent, ...]:
        decided = decide(self.rulebook, self.state, act)
        assert not isinstance(decided, Refusal), f"{act}: {decided}"
        self.acts.append(act)
        for event in decided:
            self.state = evolve(self.state, (event,))
            self.events.append(event)
            balanced(self.state)
        return decided

    def refused(self, act: TournamentAct) -> Refusal:
        decided = decide(self.rulebook, self.state, act)
        assert isinstance(decided, Refusal), f"{act} was allowed: {decided}"
        return decided

    def told(self, kind: type[TournamentEvent]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    # --- the usual steps

    def open(self) -> Running:
        self.does(ta.OpenEntries(MANAGER, self.conditions))
        return self

    def enter(self, *names: str) -> Running:
        for name in names:
            self.does(ta.GiveCopy("dealer", name))
            if self.conditions.entry.agreement:
                self.does(ta.SignAgreement("player", name))
            self.does(ta.Apply("player", name, BEFORE))
            if self.state.entrants[name].status == "applied":
                self.does(ta.PayFee("dealer", name, self.conditions.entry.fee_cents or 0, BEFORE))
        return self

    def close(self, tables: Sequence[str] = ("T1",)) -> Running:
        digests = {stage.name: digest_of(SECRET.format(stage.name)) for stage in self.conditions.stages}
        self.does(ta.CommitDraws(MANAGER, digests))
        self.does(ta.DesignateTables(MANAGER, tuple(ta.Designated(name) for name in tables)))
        self.does(ta.CloseEntries(MANAGER, LATE))
        return self

    def draw(self, stage: str) -> Running:
        first = self.conditions.stages[0].name == stage
        names = (
            [each.name for each in self.state.entered()]
            if first
            else [n for n in self.state.qualified.get(stage, ()) if self.state.entrants[n].status == ENTERED]
        )
        secret = SECRET.format(stage)
        self.does(ta.DrawSeats(MANAGER, stage, secret, shuffled(names, seed_of(secret, stage, names))))
        return self

    def start(self, stage: str, *, absent: Sequence[str] = (), broke: Sequence[str] = ()) -> Running:
        for session in list(self.state.sessions.values()):
            if session.stage == stage and session.status == "drawn" and not session.play_off:
                for name in session.seats.values():
                    if name not in absent:
                        self.does(ta.ComeToSeat("player", name))
                    if self.conditions.chips.bought and name not in broke:
                        self.does(ta.BuyIn("dealer", name, self.conditions.chips.price_cents))
        self.does(ta.StartSession(MANAGER, stage, START))
        return self

    def round(self, table: str, won: Callable[[str, int], int] | dict[str, int], **more: Any) -> Running:
        found = self.state.session(table)
        assert found is not None
        session = found[1]
        after = {
            name: session.chips[name] + (won.get(name, 0) if isinstance(won, dict) else won(name, session.chips[name]))
            for name in session.playing
        }
        self.does(ta.ReportRound("dealer", table, after, **more))
        return self

    def finish(self, table: str, missing: dict[int, int] | None = None, **how: Any) -> Running:
        self.does(ta.ConcludeSession(how.pop("by", "casino-supervisor"), table, **how))
        found = self.state.session(table)
        assert found is not None
        self.does(ta.CountChips("casino-supervisor", table, {n: found[1].chips[n] for n in found[1].playing}))
        self.does(ta.ReturnChips("casino-supervisor", table, missing or {}))
        return self


def balanced(state: Tournament) -> None:
    """Every cent and every chip has two ends, and what lies in front of people is what their accounts say."""
    assert sum(state.accounts.values()) == 0
    assert sum(state.chip_accounts.values()) == 0
    assert state.accounts.get("pool", 0) >= 0
    for session in state.sessions.values():
        if session.stage == state.stage and session.status in ("playing", "over") and state.status == "playing":
            for name, cents in session.chips.items():
                assert state.chip_accounts[f"chips:{name}"] == (cents if name not in session.redeemed else 0), name


def replayed(running: Running) -> None:
    """The acts decided again make the same events, byte for byte; the events alone make the same tournament."""
    state = Tournament()
    written: list[bytes] = []
    for act in running.acts:
        again = msgspec.json.decode(msgspec.json.encode(act), type=AnyTournamentAct)
        decided = decide(running.rulebook, state, again)
        assert not isinstance(decided, Refusal)
        state = evolve(state, decided)
        written += [msgspec.json.encode(event) for event in decided]
    assert written == [msgspec.json.encode(event) for event in running.events]
    assert state == running.state
    read = [msgspec.json.decode(line, type=AnyTournamentEvent) for line in written]
    assert evolve(Tournament(), read) == running.state


def played_out(conditions: Conditions, entrants: int, seed: str) -> Running:
    """A whole tournament with absences, ties, faults and disputes, all drawn from a seed."""
    chance = Chance(seed)
    running = Running(conditions).open()
    names = [f"p{number}" for number in range(1, entrants + 1)]
    running.enter(*names)
    if chance.below(2):
        running.does(ta.WithdrawEntry("player", names[-1], BEFORE if chance.below(2) else LATE))
        running.enter(f"p{entrants + 1}")
    stages = conditions.stages
    tables = [f"T{number}" for number in range(1, max(stage.tables or 1 for stage in stages) + 1)]
    running.close(tables)
    for stage in stages:
        running.draw(stage.name)
        people = [
            name for each in running.state.sessions.values() if each.stage == stage.name for name in each.seats.values()
        ]
        absent = [name for name in people if len(people) > 4 and not chance.below(12)]
        broke = [name for name in people if len(people) > 4 and not chance.below(20)]
        running.start(stage.name, absent=absent, broke=broke)
        _session(running, stage.name, chance)
        while True:
            announced = running.does(ta.Announce(MANAGER, stage.name))
            if not any(isinstance(event, te.PlayOffDue) for event in announced):
                break
            running.start(stage.name)
            _play_offs(running, chance)
        buy_back = conditions.buy_back
        if buy_back.offered and buy_back.until == running.told(te.StageAnnounced)[-1].onward:
            for each in [each for each in running.state.entrants.values() if each.status == "out"]:
                act = ta.BuyBack("dealer", each.name, buy_back.fee_cents or 0)
                if not chance.below(3) and not isinstance(decide(running.rulebook, running.state, act), Refusal):
                    running.does(act)
    running.does(ta.AwardPrizes(MANAGER))
    return running


def _on(running: Running) -> list[str]:
    return [each.table for each in running.state.sessions.values() if each.status == "playing"]


def _session(running: Running, stage: str, chance: Chance) -> None:
    step = running.conditions.wagers.minimum_cents or 100
    for table in _on(running):
        plan = running.conditions.stage(stage)
        assert plan is not None
        for number in range(10 * plan.rounds):
            found = running.state.session(table)
            assert found is not None
            playing = found[1].playing
            if len(playing) < 2 or found[1].number >= plan.rounds:
                break
            event = chance.below(40)
            if event == 0:
                running.does(ta.RaiseDispute("player", playing[0], "the count", table))
                chips = {name: found[1].chips[name] for name in playing}
                if "dispute" in running.rulebook.tournament.steps.value:  # Canberra 2005 has no such rule
                    assert "disputes" in running.refused(ta.ReportRound("dealer", table, chips)).text
                running.does(ta.RuleDispute(MANAGER, playing[0], "the count stands"))
            elif event == 1:
                running.does(ta.Disqualify(MANAGER, playing[-1], "hid chips", "conceal"))
                continue
            elif event == 2 and "deduct" in running.rulebook.tournament.steps.value:
                running.does(ta.DeductAbsent(MANAGER, playing[0]))
            elif event == 3:
                running.round(table, {}, void=True)
            removed = shuffled(playing, f"{running.state.stage}/{table}/{number}")

            def won(name: str, chips: int) -> int:
                return max(-chips, (chance.below(9) - 4) * step * (5 if chance.below(4) == 0 else 1))

            wagers = dict.fromkeys(playing, step)
            running.round(table, won, removed=removed, wagers=wagers)
            _leave(running, table, chance)
        running.finish(table, {500: 2} if not chance.below(10) else None)


def _leave(running: Running, table: str, chance: Chance) -> None:
    """Some of those who are out leave the table, with the cash for their chips where these have a value."""
    found = running.state.session(table)
    assert found is not None
    for name in found[1].left if running.conditions.chips.cash_value else ():
        if name not in found[1].playing and chance.below(2):
            running.does(ta.RedeemChips("dealer", name))


def _play_offs(running: Running, chance: Chance) -> None:
    step = running.conditions.wagers.minimum_cents or 100
    for table in _on(running):
        while True:
            found = running.state.session(table)
            assert found is not None
            if found[1].decided or len(found[1].playing) < 2:
                break
            running.round(
                table, lambda name, chips: max(-chips, (chance.below(5) - 2) * step), removed=found[1].playing
            )
        running.finish(table)
