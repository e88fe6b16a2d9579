"""What every chapter of a tournament needs: the rules, the state, refusals, and citations."""

from __future__ import annotations

import datetime

from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.roles import may_act
from pitboss.tournament.acts import MANAGER
from pitboss.tournament.allowed import clauses_of
from pitboss.tournament.conditions import Conditions
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.state import Tournament

Events = tuple[TournamentEvent, ...]
Decided = Events | Refusal
NOBODY = Conditions("", "")


class Case:
    """One act being decided."""

    __slots__ = ("rulebook", "state")

    def __init__(self, rulebook: Rulebook, state: Tournament) -> None:
        self.rulebook = rulebook
        self.state = state

    @property
    def conditions(self) -> Conditions:
        return self.state.conditions or NOBODY

    def knows(self, step: str) -> bool:
        """Whether the document speaks of a step."""
        return step in self.rulebook.tournament.steps.value

    def cite(self, *steps: str) -> tuple[str, ...]:
        found = clauses_of(self.rulebook, *steps)
        broken_unless(bool(found), f"nothing to cite for {steps}")
        return found

    def refusal(self, clauses: tuple[str, ...], text: str) -> Refusal:
        return Refusal(self.rulebook.name, tuple(dict.fromkeys(clauses)), text)

    def no(self, *steps: str, text: str) -> Refusal:
        return self.refusal(self.cite(*steps), text)

    def refuse_manager(self, by: str, *steps: str) -> Refusal | None:
        """Only whoever conducts the tournament does it: by the definition, and by the clauses of what it is."""
        if by == MANAGER:
            return None
        term = self.rulebook.game.tournaments_by
        known = self.rulebook.tournament.steps.value
        return self.refusal(
            (*term.clauses, *(known[step] for step in steps if step in known)),
            f"the {term.value.replace('-', ' ')} does that, not the {by}.",
        )

    def refuse_staff(self, by: str, step: str) -> Refusal | None:
        if by == MANAGER or may_act(by, "dealer"):
            return None
        return self.no(step, text="a member of the house's staff does that.")

    def refuse_supervisor(self, by: str, step: str) -> Refusal | None:
        if by == MANAGER or may_act(by, "casino-supervisor"):
            return None
        return self.no(step, text="a supervisor does that.")

    def refuse_closed_tournament(self) -> Refusal | None:
        """Before it is opened, and once it is over, nothing happens in a tournament."""
        if self.state.conditions is None:
            return self.no("publish", text="the conditions are not published yet.")
        return self.refuse_over()

    def refuse_over(self) -> Refusal | None:
        if self.state.conditions is None:
            return self.no("publish", text="the conditions are not published yet.")
        if self.state.status in ("cancelled", "ended"):
            return self.no("cancel", text=f"the tournament is {self.state.status}.")
        return None

    def refuse_disputed(self, table: str) -> Refusal | None:
        """Play waits until a dispute at the table, or about the tournament, is settled."""
        for name, where in self.state.disputes.items() if self.knows("dispute") else ():
            if where in ("", table):
                return self.no("dispute", text=f"{name} disputes something: play waits until that is decided.")
        return None

    def refuse_notice(self, conditions: Conditions, at: datetime.datetime) -> Refusal | None:
        """A start is moved with reasonable notice, and not into the past."""
        minutes = conditions.conduct.notice_minutes
        for start in (conditions.start, *(each.start for each in conditions.stages)):
            known = (self.conditions.start, *(each.start for each in self.conditions.stages))
            if start is not None and start not in known and start < at + datetime.timedelta(minutes=minutes):
                return self.no("move-start", "publish", text=f"players are told {minutes} minutes before it at least.")
        return None
