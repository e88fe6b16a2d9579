"""What every chapter of a promotion needs: the rules, the state, the moment, refusals, and what falls due."""

from __future__ import annotations

import datetime

from pitboss.promotions import events as pe
from pitboss.promotions.acts import PLAYER
from pitboss.promotions.clocks import end_of_day, instant, shown
from pitboss.promotions.conditions import Conditions, Prize
from pitboss.promotions.events import PromotionEvent
from pitboss.promotions.state import OPERATOR, Drawing, Promotion
from pitboss.rulebooks.meanings import meaning
from pitboss.rulebooks.terms import Promotions, Rulebook, Term
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.wagers import is_name

Events = tuple[PromotionEvent, ...]
Decided = Events | Refusal
NOTHING = Conditions("", "")
REGULATOR = meaning("promotions.filed_with", {"authority": "the Authority", "nicc": "the NICC", "": ""})


class Case:
    """One act being decided."""

    __slots__ = ("at", "rulebook", "state")

    def __init__(self, rulebook: Rulebook, state: Promotion, at: datetime.datetime) -> None:
        self.rulebook = rulebook
        self.state = state
        self.at = at

    @property
    def terms(self) -> Promotions:
        return self.rulebook.promotions

    @property
    def zone(self) -> str:
        return self.rulebook.patrons.zone.value

    @property
    def conditions(self) -> Conditions:
        return self.state.conditions or NOTHING

    @property
    def regulator(self) -> str:
        return REGULATOR[self.terms.filed_with.value]

    def item(self, name: str) -> tuple[str, ...]:
        """The clause of an item of the terms."""
        return (self.terms.items.value[name],)

    def instant(self, shown_time: datetime.datetime) -> datetime.datetime:
        return instant(self.zone, shown_time)

    def shown(self, moment: datetime.datetime) -> str:
        return shown(self.zone, moment)

    # --- why not

    def no(self, cited: Term[object] | tuple[str, ...], text: str) -> Refusal:
        clauses = cited if isinstance(cited, tuple) else cited.clauses
        return Refusal(self.rulebook.name, tuple(dict.fromkeys(clauses)), text)

    def refuse_operator(self, by: str) -> Refusal | None:
        """Only whoever acts for the casino operator does it."""
        term = self.terms.conducted_by
        if may_act(by, term.value):
            return None
        return self.no(term, f"{the_role(term.value)} does that for the casino operator, not {the_role(by)}.")

    def refuse_staff(self, by: str) -> Refusal | None:
        if may_act(by, "dealer"):
            return None
        return self.no(self.terms.conducted_by, "a member of the house's staff does that.")

    def refuse_stranger(self, by: str) -> Refusal | None:
        """The person does it, or a member of staff writes it down for them."""
        return None if by == PLAYER else self.refuse_staff(by)

    def refuse_name(self, name: str) -> Refusal | None:
        if is_name(name):
            return None
        text = f"{name!r} cannot be a person's name: use letters, digits, _ or -, beginning with a letter."
        return self.no(self.item("eligibility"), text)

    def refuse_words(self, cited: Term[object] | tuple[str, ...], what: str, said: str) -> Refusal | None:
        return None if said.strip() else self.no(cited, f"say {what}.")

    def refuse_idle(self) -> Refusal | None:
        """Nothing happens in a promotion that is not offered, or is over."""
        if self.state.conditions is None:
            return self.no(self.terms.items, "the terms of the promotion are not laid down yet.")
        if self.state.status == "ended":
            return self.no(self.terms.offered, "the promotion is over.")
        return None

    def refuse_not_running(self) -> Refusal | None:
        refused = self.refuse_idle()
        if refused is None and self.state.status == "offered":
            refused = self.no(self.item("promotion"), "the promotion has not begun.")
        if refused is None and self.state.status == "postponed":
            text = "the promotion is postponed until its integrity is validated."
            refused = self.no(self.terms.compromised, text)
        return refused

    def drawing(self, name: str) -> Drawing | Refusal:
        """A draw of the terms."""
        found = self.state.draws.get(name)
        if found is not None:
            return found
        known = ", ".join(self.state.draws) or "none"
        return self.no(self.item("award"), f"there is no draw {name!r}; the terms have {known}.")

    def prize(self, key: str) -> Prize | Refusal:
        found = self.conditions.prize(key)
        if found is not None:
            return found
        known = ", ".join(each.name for each in self.conditions.prizes)
        return self.no(self.item("details"), f"there is no prize {key!r}; the terms have {known}.")

    # --- what is due

    def arises(
        self, key: str, clauses: tuple[str, ...], what: str, *, to: str = "", due: datetime.datetime | None = None
    ) -> pe.DutyArose:
        return pe.DutyArose(tuple(dict.fromkeys(clauses)), self.at, key, OPERATOR, what, to, due)

    def to_hold(self, draw: str, clauses: tuple[str, ...], at: datetime.datetime) -> pe.DutyArose:
        """A draw is held from its time on, and on its day."""
        what = f"hold draw {draw} on {self.shown(at)}"
        return self.arises(f"draw/{draw}", clauses, what, due=end_of_day(self.zone, at))

    def anew(self, event: pe.DutyArose) -> Events:
        """A duty that is there already, and as it was, does not arise again."""
        known = self.state.duties.get(event.key)
        same = known is not None and known.is_open and (known.what, known.due) == (event.what, event.due)
        return () if same else (event,)

    def met(self, key: str) -> Events:
        """The duty is done, where it is there and open."""
        duty = self.state.duties.get(key)
        if duty is None or not duty.is_open:
            return ()
        return (pe.DutyMet(duty.clauses, self.at, key, duty.due is not None and self.at > duty.due),)

    def lapses(self, key: str, why: str) -> Events:
        duty = self.state.duties.get(key)
        return (pe.DutyLapsed(duty.clauses, self.at, key, why),) if duty is not None and duty.is_open else ()

    def is_late(self, key: str) -> bool:
        duty = self.state.duties.get(key)
        return duty is not None and duty.due is not None and self.at > duty.due
