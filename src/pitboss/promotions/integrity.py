"""A promotion or a draw that is compromised, and the end of a promotion."""

from __future__ import annotations

from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.clocks import ClockError, hours_later
from pitboss.promotions.deciding import Case, Decided, Events
from pitboss.promotions.state import WON, due
from pitboss.table.refusals import Refusal

PROMOTION = "promotion"


def find_compromised(case: Case, act: pa.FindCompromised) -> Decided:
    term, hours = case.terms.compromised, case.terms.compromised_hours
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(term, "why the integrity is compromised", act.why)
    if refused is not None:
        return refused
    gives_up = act.measure == "cancel" and act.what in case.state.draws  # what was postponed cannot be validated
    if act.what in case.state.compromised and not gives_up:
        return case.no(term, f"that was found already; {act.what} waits until its integrity is validated.")
    measured = _measure(case, act)
    if isinstance(measured, Refusal):
        return measured
    found = pe.IntegrityCompromised(term.clauses, case.at, act.what, act.why)
    told = case.arises(
        f"inspector/{act.what}/{len([key for key in case.state.duties if key.startswith('inspector/')]) + 1}",
        hours.clauses, f"notify an inspector that {_named(act.what)} is compromised", to="inspector",
        due=hours_later(case.at, hours.value),
    )  # fmt: skip
    return (found, told, *measured)


def _named(what: str) -> str:
    return "the promotion" if what == PROMOTION else f"draw {what}"


def _measure(case: Case, act: pa.FindCompromised) -> Events | Refusal:
    term, state = case.terms.compromised, case.state
    if act.what == PROMOTION:
        if act.measure == "cancel":
            return case.no(term, "a promotion is postponed; a draw may be postponed or cancelled: name the draw.")
        if not state.begun:
            return case.no(term, "the promotion has not begun: amend its terms, or do not begin it.")
        return (pe.PromotionPostponed(term.clauses, case.at),)
    drawing = case.drawing(act.what)
    if isinstance(drawing, Refusal):
        return drawing
    if drawing.status == "cancelled":
        return case.no(term, f"draw {act.what} is cancelled.")
    change = pe.DrawCancelled if act.measure == "cancel" else pe.DrawPostponed
    why = f"draw {act.what} was {'cancelled' if act.measure == 'cancel' else 'postponed'}"
    events: list[pe.PromotionEvent] = [change(term.clauses, case.at, act.what)]
    for key in ("commit", "draw", "results"):
        events += case.lapses(f"{key}/{act.what}", why)
    for win in state.wins.values():
        if win.draw == act.what and win.status == WON:
            events.append(pe.WinSetAside(term.clauses, case.at, win.prize, win.name))
            events += (*case.lapses(f"tell/{win.prize}", why), *case.lapses(f"award/{win.prize}", why))
    return tuple(events)


def notify(case: Case, act: pa.NotifyInspector) -> Decided:
    term = case.terms.compromised_hours
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(term, "which inspector was notified", act.inspector)
    waiting = [
        key for key, duty in case.state.duties.items() if key.startswith(f"inspector/{act.what}/") and duty.is_open
    ]
    if refused is None and not waiting:
        refused = case.no(term, f"an inspector need not be notified of {_named(act.what)}.")
    if refused is not None:
        return refused
    late = any(case.is_late(key) for key in waiting)
    told = pe.InspectorNotified(term.clauses, case.at, act.what, act.inspector, late)
    return (told, *(event for key in waiting for event in case.met(key)))


def validate(case: Case, act: pa.ValidateIntegrity) -> Decided:
    term = case.terms.compromised
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(term, "how the integrity was validated", act.how)
    if refused is None and act.what not in case.state.compromised:
        refused = case.no(term, f"{_named(act.what)} is not postponed.")
    if refused is not None:
        return refused
    if act.what == PROMOTION:
        return (pe.IntegrityValidated(term.clauses, case.at, act.what, act.how),)
    if act.again is None:
        return case.no(term, f"say when draw {act.what} is held (again).")
    try:
        again = case.instant(act.again)
    except ClockError as error:
        return case.no(term, str(error))
    if again < case.at:
        return case.no(term, "that is over: name a time to come.")
    validated = pe.IntegrityValidated(term.clauses, case.at, act.what, act.how, again)
    hold = case.to_hold(act.what, (*case.item("award"), *term.clauses), again)
    digest = case.arises(
        f"commit/{act.what}", case.item("manner"), f"lay down a new digest for draw {act.what}", due=again
    )
    return (validated, digest, hold)


def end(case: Case, act: pa.EndPromotion) -> Decided:
    refused = case.refuse_operator(act.by) or case.refuse_not_running()
    if refused is not None:
        return refused
    left = due(case.state)
    if left:
        named = "; ".join(each.what for each in left[:6])
        clauses = tuple(dict.fromkeys(clause for each in left for clause in each.clauses))
        return case.no(clauses, f"still to be done: {named}{'; and more' if len(left) > 6 else ''}.")
    waiting = [each.name for each in case.state.draws.values() if each.status in ("waiting", "postponed")]
    if waiting:
        return case.no(case.item("award"), f"draws are still to be held: {', '.join(waiting)}.")
    ends = case.conditions.promotion.ends
    if ends is not None and case.at < case.instant(ends):
        return case.no(case.item("promotion"), f"the terms have it end on {case.shown(case.instant(ends))}.")
    return (pe.PromotionEnded((*case.terms.offered.clauses, *case.item("promotion")), case.at),)
