"""Which situation an act of a record tells, and what the act says about it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pitboss.adjudicate.model import FactValue
from pitboss.adjudicate.situations import BY_NAME
from pitboss.adjudicate.situations.parts import Situation, actor
from pitboss.basics.money import plain_dollars
from pitboss.rulebooks import amend
from pitboss.rulebooks.meanings import UNDECIDED
from pitboss.rulebooks.terms import DECISION, Amendment, Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.compiled import compiled_for
from pitboss.table.declaring import DECLARED
from pitboss.table.engine import decide
from pitboss.table.irregularities.hindsight import stage_of, stays_as_dealt
from pitboss.table.irregularities.people import DEVICE_DUTY
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table


def situation_of(act: AnyAct, table: Table) -> tuple[Situation, dict[str, FactValue]] | None:
    """Which situation an act of a record tells, and what it says about it; None where it tells none."""
    facts: dict[str, FactValue] = {}
    name = DECLARED[type(act).__name__].situation or None
    if isinstance(act, (a.DrawInError, a.ExtraDealerCard)):
        facts["exposed"] = act.exposed
    elif isinstance(act, a.RefuseCard):
        facts["exposed"] = bool(table.error_cards and table.error_cards[0][1])
    elif isinstance(act, a.FindWrongCards):
        facts["which"] = act.what
    elif isinstance(act, a.Misdeal):
        wagered = [number for number, box in sorted(table.boxes.items()) if box.wagers]
        name = None if act.noticed == "after-round" else _misdealt(act.places, wagered)
        facts["noticed"] = act.noticed
    elif isinstance(act, a.Notice) and table.opened and act.what == "misdealt" and stays_as_dealt(table, act):
        name = _misdealt(act.places, [number for number, _ in table.opened.lines])
        facts["noticed"] = "dealer" if table.phase == "wagers" else stage_of(table, act, table.opened)
    elif isinstance(act, a.Notice):
        name = "noticed-afterwards"
        facts.update(what=act.what, settled=table.phase == "wagers" and not act.during, meant=act.meant)
        facts["noticed"] = "dealer" if len(table.dealer_cards) > 1 or table.phase == "wagers" else "passed"
    elif isinstance(act, a.LeaveOut):
        facts.update(noticed=act.noticed, meant=act.meant)
    elif isinstance(act, a.Reconstruct):
        name = "misdeal-told-after-the-round" if table.phase == "wagers" and table.last_results else None
        facts["possible"] = True
    elif isinstance(act, a.VoidEarlierRound):
        if table.phase == "wagers":
            name = "misdeal-told-after-the-round"
            facts["possible"] = False
    elif isinstance(act, a.BarPlayer):
        facts.update(detain=act.detained, void=act.void, exclude=act.exclude, breach=act.breach or _breach(table))
    elif isinstance(act, a.Remind):
        name = {"cards": "cards-touched", "total": "wrong-total", "wagers": "late-wager"}.get(act.duty, name)
        facts["duty"] = act.duty
    elif isinstance(act, a.VacateSeat):
        facts["full"] = True
    elif isinstance(act, a.PassOver):
        box = table.boxes.get(act.box)
        facts["others"] = box is not None and any(
            wager.player != act.player and not wager.settled for hand in box.hands for wager in hand.wagers.values()
        )
    elif isinstance(act, a.FindInvalidWager):
        facts["stage"] = _stage(act, table)
    elif isinstance(act, a.FindWager):
        facts.update(_outside_facts(act, table))
    elif isinstance(act, a.RecordMispayment):
        name = "overpayment" if act.over else "underpayment"
        facts.update(dollars=plain_dollars(act.cents), rectified=act.rectified, intentional=act.intentional)
    elif isinstance(act, a.ReportMalfunction):
        facts.update(in_round=table.phase != "wagers", disadvantage=act.disadvantage, damage=bool(act.damaged))
        facts.update(spare=act.spare, transferable=act.transferable, course=act.course, repairable=act.repairable)
    elif isinstance(act, a.InvalidateRound):
        name = act.cause if act.cause in BY_NAME else None
        facts.update(forfeit=bool(act.forfeit), refund=act.refund)
        facts["paid"] = something_paid(table)
    elif isinstance(act, (a.FindFaceUpCard, a.ForgetBurn, a.ForgetShuffle)):
        facts["source"] = table.house.source
    if name is None:
        return None
    known = {fact.name for fact in BY_NAME[name].facts}
    return BY_NAME[name], {key: value for key, value in facts.items() if key in known}


NOTICED_AS: dict[type[a.Act], str] = {
    a.FindFaceUpCard: "face-up",
    a.DrawInError: "drawn",
    a.BurnInError: "burned",
    a.Misdeal: "misdealt",
    a.Misplace: "misplaced",
    a.LeaveOut: "left-out",
    a.ForgetBurn: "burn-forgotten",
    a.ForgetInsurance: "insurance-missed",
    a.ForgetDiscards: "discards-forgotten",
    a.ForgetShuffle: "shuffle-missed",
    a.ForgetCut: "cut-missed",
}
"""How an error that is told where it happens is told where it is noticed later."""


def noticed_after(act: AnyAct, line: int, by: str) -> a.Notice | None:
    """The same error noticed only now, told against the moment after a play line; None for what is no such error."""
    what = NOTICED_AS.get(type(act))
    if what is None:
        return None
    of_a_line = what in ("face-up", "drawn", "burned", "misplaced", "left-out")
    told: Any = act
    return a.Notice(
        by,
        what,
        to=getattr(told, "wrong", 0),
        places=getattr(told, "places", ()),
        meant=getattr(told, "meant", "hit"),
        line=line if of_a_line else 0,
    )


def _breach(table: Table) -> str:
    """What a person is barred for where nobody says it: a device, unless the rules ban none."""
    return DEVICE_DUTY if DEVICE_DUTY in table.rulebook.irregularities.conduct.value else "rules"


def _misdealt(places: tuple[int, ...], wagered: list[int]) -> str:
    """What is wrong with a misdealt layout, the plainest fault first; `wagered`: boxes with a wager."""
    if any(place and place not in wagered for place in places):
        return "card-without-wager"
    if 0 not in places:
        return "dealer-lacks-card"
    if any(places.count(box) < 2 for box in wagered):
        return "box-lacks-card"
    return "card-out-of-order"


def _stage(act: a.FindInvalidWager, table: Table) -> str:
    box = table.boxes.get(act.box)
    if box is not None and act.player in box.wagers:
        return "before"
    return "during" if table.phase != "wagers" else "after"


def _outside_facts(act: a.FindWager, table: Table) -> dict[str, FactValue]:
    box = table.boxes.get(act.box)
    wagers = {} if box is None else box.hands[0].wagers if box.hands else box.wagers
    wager = wagers.get(act.player)
    state = table.players.get(act.player)
    minimum = (state.minimum_cents if state else 0) or table.house.minimum_cents
    below = wager is not None and wager.cents < minimum
    return {"side": "below" if below else "above", "warned": state is not None and state.warned}


def something_paid(table: Table) -> bool:
    """Whether an invalidated round would have a payment to take back."""
    if not UNDECIDED[table.rulebook.irregularities.invalidated_paid.value]:
        return table.phase != "wagers"
    if table.phase == "wagers":  # the round that is over
        return any(cents != table.last_final.get(player, 0) for player, cents in table.last_results.items())
    said = {"irregularities.invalidated_paid": {"is": "returned", "clauses": list(table.compiled.closed)}}
    asked = amend(table.rulebook, Amendment("asked", DECISION, said, table.compiled.closed))
    by = actor(table.rulebook.irregularities.invalidated_by.value)
    answer = decide(with_rulebook(table, asked), a.InvalidateRound(by, "disturbance"))
    return not isinstance(answer, Refusal) and any(isinstance(event, e.PaymentReversed) for event in answer)


def with_rulebook(table: Table, book: Rulebook) -> Table:
    """The table under another rulebook, on its own date."""
    book = book.on(table.house.date)
    return replace(table, rulebook=book, compiled=compiled_for(book))
