"""Which situation an act of a record tells, and what the act says about it."""

from __future__ import annotations

from pitboss.adjudicate.model import FactValue
from pitboss.adjudicate.situations import BY_NAME
from pitboss.adjudicate.situations.parts import Situation
from pitboss.basics.money import plain_dollars
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.declaring import DECLARED
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
        name = None if act.noticed == "after-round" else _misdealt(act.places, table)
        facts["noticed"] = act.noticed
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
        facts["detain"] = act.detained
    elif isinstance(act, a.Remind):
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
        facts.update(spare=act.spare, transferable=act.transferable, course=act.course)
    elif isinstance(act, a.InvalidateRound):
        name = act.cause if act.cause in BY_NAME else None
        facts["forfeit"] = bool(act.forfeit)
    elif isinstance(act, (a.FindFaceUpCard, a.ForgetBurn)):
        facts["source"] = table.house.source
    if name is None:
        return None
    known = {fact.name for fact in BY_NAME[name].facts}
    return BY_NAME[name], {key: value for key, value in facts.items() if key in known}


def _misdealt(places: tuple[int, ...], table: Table) -> str:
    """What is wrong with a misdealt layout, the plainest fault first."""
    wagered = [number for number, box in sorted(table.boxes.items()) if box.wagers]
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
    live = box is not None and any(
        act.player in hand.wagers and not hand.wagers[act.player].settled for hand in box.hands
    )
    return "during" if live else "after"


def _outside_facts(act: a.FindWager, table: Table) -> dict[str, FactValue]:
    box = table.boxes.get(act.box)
    wagers = {} if box is None else box.hands[0].wagers if box.hands else box.wagers
    wager = wagers.get(act.player)
    state = table.players.get(act.player)
    minimum = (state.minimum_cents if state else 0) or table.house.minimum_cents
    below = wager is not None and wager.cents < minimum
    return {"side": "below" if below else "above", "warned": state is not None and state.warned}
