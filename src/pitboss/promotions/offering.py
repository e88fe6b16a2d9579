"""The terms: offered, filed, published, begun and amended."""

from __future__ import annotations

import datetime

import msgspec

from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.allowed import refuse_conditions, refuse_missing, refuse_promotions
from pitboss.promotions.clocks import hours_later
from pitboss.promotions.conditions import Conditions
from pitboss.promotions.deciding import Case, Decided, Events
from pitboss.table.refusals import Refusal


def _refuse_terms(case: Case, conditions: Conditions) -> Refusal | None:
    book = case.rulebook
    if conditions.rulebook != book.id:
        text = f"the terms are for {conditions.rulebook}, and these are other rules."
        return case.no(case.terms.items, text)
    return refuse_missing(book, conditions) or refuse_conditions(book, conditions)


def offer(case: Case, act: pa.OfferPromotion) -> Decided:
    terms, conditions = case.terms, act.conditions
    refused = refuse_promotions(case.rulebook) or case.refuse_operator(act.by)
    if refused is None and case.state.status != "new":
        refused = case.no(terms.offered, "the promotion is offered already; terms are amended.")
    refused = refused or _refuse_terms(case, conditions)
    if refused is not None:
        return refused
    cited = (*terms.offered.clauses, *terms.items.clauses, *terms.cash.clauses, *terms.prohibited.clauses)
    offered = pe.PromotionOffered(cited, case.at, conditions, _moments(case, conditions))
    to_file, to_publish = _to_file(case, conditions, 1), _to_publish(case, conditions)
    return (offered, to_file, *to_publish, *_nominated(case, conditions), *_draws(case, conditions))


def _moments(case: Case, conditions: Conditions) -> dict[str, tuple[datetime.datetime, datetime.datetime]]:
    return {
        each.name: (case.instant(each.at), case.instant(each.closes))
        for each in conditions.draws
        if each.at is not None and each.closes is not None
    }


def _begins(case: Case, conditions: Conditions) -> datetime.datetime:
    return case.instant(conditions.promotion.begins) if conditions.promotion.begins is not None else case.at


def _to_file(case: Case, conditions: Conditions, version: int) -> pe.DutyArose:
    """Before it begins the terms are filed some hours ahead; after that, as soon as possible."""
    terms = case.terms
    if case.state.begun:
        what = f"send the amended terms to {case.regulator} again"
        return case.arises(f"file/{version}", terms.amended_filed.clauses, what, to=case.regulator)
    due = hours_later(_begins(case, conditions), -terms.filed_hours.value)
    what = f"send full details of the terms to {case.regulator}"
    return case.arises(f"file/{version}", terms.filed_hours.clauses, what, to=case.regulator, due=due)


def _to_publish(case: Case, conditions: Conditions) -> Events:
    clauses = (case.terms.published.value["terms"],)
    what = f"have the terms at hand: {', '.join(conditions.available)}"
    due = None if case.state.begun else _begins(case, conditions)
    return case.anew(case.arises("publish", clauses, what, to="patrons", due=due))


def _nominated(case: Case, conditions: Conditions) -> Events:
    """A scrutineer, where a draw has so large a prize: the one in the terms, or one that must be nominated."""
    term = case.terms.scrutineer_above_cents
    large = [each for each in conditions.draws if conditions.largest(each.name) > term.value and each.at is not None]
    if not large:
        return case.lapses("scrutineer", "no draw has so large a prize any more")
    if case.state.scrutineer:
        return ()
    if conditions.scrutineer.strip():
        named = pe.ScrutineerNominated(term.clauses, case.at, conditions.scrutineer.strip())
        return (*case.met("scrutineer"), named)
    due = min(case.instant(each.at) for each in large if each.at is not None)
    what = f"nominate a scrutineer for {', '.join(each.name for each in large)}"
    return case.anew(case.arises("scrutineer", term.clauses, what, due=due))


def _draws(case: Case, conditions: Conditions) -> Events:
    """Each draw is due at its time, and its digest before entries close."""
    found: list[pe.PromotionEvent] = []
    for each in conditions.draws:
        if each.at is None or each.closes is None:
            continue
        known = case.state.draws.get(each.name)
        if known is not None and known.status in ("made", "cancelled", "postponed"):
            continue
        what = f"lay down the digest for draw {each.name} before entries close"
        if known is None or not known.digest:
            closes = case.instant(each.closes)
            found += case.anew(case.arises(f"commit/{each.name}", case.item("manner"), what, due=closes))
        clauses = (*case.item("award"), *case.item("promotion"))
        found += case.anew(case.to_hold(each.name, clauses, case.instant(each.at)))
    return tuple(found)


def file_terms(case: Case, act: pa.FileTerms) -> Decided:
    terms, state = case.terms, case.state
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(terms.filed_hours, "under which reference they were sent", act.reference)
    if refused is None and state.filed == state.version:
        refused = case.no(terms.filed_hours, f"these terms were sent to {case.regulator} already.")
    if refused is not None:
        return refused
    earliest = None if state.begun else hours_later(case.at, terms.filed_hours.value)
    clauses = terms.amended_filed.clauses if state.begun else terms.filed_hours.clauses
    filed = pe.TermsFiled(clauses, case.at, act.reference, state.version, earliest)
    return (filed, *case.met(f"file/{state.version}"))


def publish(case: Case, act: pa.PublishTerms) -> Decided:
    clauses = (case.terms.published.value["terms"],) if case.terms.published.value else case.terms.offered.clauses
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(clauses, "where the terms are at hand", act.where)
    return refused or (pe.TermsPublished(clauses, case.at, act.where), *case.met("publish"))


def approve_marketing(case: Case, act: pa.ApproveMarketing) -> Decided:
    clauses = (case.terms.published.value["marketing"],) if case.terms.published.value else case.terms.offered.clauses
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(clauses, "which material it is", act.material)
    if refused is None and not act.refers:
        refused = case.no(clauses, f"{act.material} does not refer to the terms: it does not go out.")
    return refused or (pe.MarketingApproved(clauses, case.at, act.material),)


def begin(case: Case, act: pa.BeginPromotion) -> Decided:
    terms, state = case.terms, case.state
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    if refused is not None:
        return refused
    if state.begun:
        return case.no(case.item("promotion"), "the promotion has begun already.")
    if state.filed != state.version or state.earliest is None:
        return case.no(terms.filed_hours, f"the terms were not sent to {case.regulator}.")
    if case.at < state.earliest:
        hours = terms.filed_hours.value
        text = f"the terms are sent {hours} hours before: it may begin on {case.shown(state.earliest)}."
        return case.no(terms.filed_hours, text)
    if not state.published:
        return case.no((terms.published.value["terms"],), "the terms are not at hand for patrons yet.")
    begins = _begins(case, case.conditions)
    if case.at < begins:
        return case.no(case.item("promotion"), f"the terms have it begin on {case.shown(begins)}.")
    return (pe.PromotionBegun((*terms.offered.clauses, *case.item("promotion")), case.at),)


# --- amendments ------------------------------------------------------------------------------------------------------


def amend(case: Case, act: pa.AmendTerms) -> Decided:
    terms, state, new = case.terms, case.state, act.conditions
    refused = case.refuse_operator(act.by) or case.refuse_idle() or _refuse_terms(case, new)
    if refused is not None:
        return refused
    keys = differences(case.conditions, new)
    if not keys:
        return case.no(terms.amended_filed, "nothing is changed.")
    if state.begun and terms.amended_approved.value and not act.approved.strip():
        text = f"{case.regulator} approves a change of the terms after the promotion has begun: say when (approved)."
        return case.no(terms.amended_approved, text)
    refused = _refuse_rewritten(case, new)
    if refused is not None:
        return refused
    version = state.version + 1
    approval = terms.amended_approved.clauses if state.begun and terms.amended_approved.value else ()
    amended = pe.TermsAmended(
        (*approval, *terms.amended_filed.clauses), case.at, new, _moments(case, new), tuple(keys), version, act.approved
    )
    before = case.lapses(f"file/{state.version}", "the terms were amended before they were sent")
    due = _to_publish(case, new)
    gone = [each.name for each in case.conditions.draws if new.draw(each.name) is None]
    lapsed = [
        event
        for name in gone
        for key in ("commit", "draw")
        for event in case.lapses(f"{key}/{name}", "the amended terms have no such draw")
    ]
    return (amended, *before, _to_file(case, new, version), *due, *lapsed, *_nominated(case, new), *_draws(case, new))


def _refuse_rewritten(case: Case, new: Conditions) -> Refusal | None:
    """A draw that was held, postponed or cancelled stays as it was."""
    for name, drawing in case.state.draws.items():
        if drawing.status != "waiting":
            old = case.conditions
            if (new.draw(name), new.prizes_of(name)) != (old.draw(name), old.prizes_of(name)):
                return case.no(
                    case.terms.amended_filed, f"draw {name} is {drawing.status}: its terms stay as they were."
                )
    begins = new.promotion.begins
    if case.state.begun and begins != case.conditions.promotion.begins:
        return case.no(case.terms.amended_filed, "the promotion has begun: when it began cannot change any more.")
    return None


def differences(old: Conditions, new: Conditions) -> list[str]:
    """Which keys of the terms are not what they were."""
    found: list[str] = []
    for field in Conditions.__struct_fields__:
        before, after = getattr(old, field), getattr(new, field)
        if before == after:
            continue
        if isinstance(before, msgspec.Struct):
            names = before.__struct_fields__
            found += [f"{field}.{name}" for name in names if getattr(before, name) != getattr(after, name)]
        elif field in ("draws", "prizes"):
            was, is_now = {each.name: each for each in before}, {each.name: each for each in after}
            found += [f"{field}.{name}" for name in {**was, **is_now} if was.get(name) != is_now.get(name)]
            found += [field] if was == is_now else []
        else:
            found.append(field)
    return found
