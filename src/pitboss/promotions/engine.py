"""The only door: a promotion and an act in, events or a refusal out; and events in, the next promotion out."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from pitboss.promotions import acts as pa
from pitboss.promotions import claims, drawing, integrity, offering
from pitboss.promotions import events as pe
from pitboss.promotions.acts import PromotionAct
from pitboss.promotions.allowed import refuse_promotions
from pitboss.promotions.clocks import ClockError, instant
from pitboss.promotions.deciding import Case, Decided, Events
from pitboss.promotions.events import PromotionEvent
from pitboss.promotions.state import AWARDED, DENIED, SET_ASIDE, Denied, Dispute, Drawing, Duty, Promotion, Ticket, Win
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, Refused, broken_unless

TEXT_MAX = 500

CHAPTERS: Mapping[type[PromotionAct], Callable[[Case, Any], Decided]] = {
    pa.OfferPromotion: offering.offer,
    pa.FileTerms: offering.file_terms,
    pa.PublishTerms: offering.publish,
    pa.ApproveMarketing: offering.approve_marketing,
    pa.BeginPromotion: offering.begin,
    pa.AmendTerms: offering.amend,
    pa.Enter: drawing.enter,
    pa.StrikeEntry: drawing.strike,
    pa.NominateScrutineer: drawing.nominate,
    pa.CommitDraw: drawing.commit,
    pa.DrawWinners: drawing.draw,
    pa.PublishResults: drawing.publish_results,
    pa.TellWinner: drawing.tell_winner,
    pa.ClaimPrize: claims.claim,
    pa.AwardPrize: claims.award,
    pa.DenyClaim: claims.deny,
    pa.TellReasons: claims.tell_reasons,
    pa.ExchangeVoucher: claims.exchange,
    pa.RaiseDispute: claims.raise_dispute,
    pa.DecideDispute: claims.decide_dispute,
    pa.NotSatisfied: claims.not_satisfied,
    pa.AdviseComplaint: claims.advise,
    pa.FindCompromised: integrity.find_compromised,
    pa.NotifyInspector: integrity.notify,
    pa.ValidateIntegrity: integrity.validate,
    pa.EndPromotion: integrity.end,
}


def decide(rulebook: Rulebook, promotion: Promotion, act: PromotionAct) -> Events | Refusal:
    """What comes of an act: events, or a refusal that changes nothing."""
    refused = refuse_promotions(rulebook)
    if refused is not None:
        return refused
    clauses = rulebook.promotions.offered.clauses
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if isinstance(value, str) and not (value.isprintable() and len(value) <= TEXT_MAX):
            return Refusal(rulebook.name, clauses, f"{name}: write one line of at most {TEXT_MAX} signs.")
    try:
        at = instant(rulebook.patrons.zone.value, act.at)
    except ClockError as error:
        return Refusal(rulebook.name, clauses, str(error))
    case = Case(rulebook, promotion, at)
    if promotion.last is not None and at < promotion.last:
        text = f"that is before what happened last, on {case.shown(promotion.last)}: write down what comes after it."
        return Refusal(rulebook.name, clauses, text)
    decided = CHAPTERS[type(act)](case, act)
    if not isinstance(decided, Refusal):
        broken_unless(all(event.clauses for event in decided), "an event without a clause")
    return decided


def play(rulebook: Rulebook, promotion: Promotion, *acts: PromotionAct) -> tuple[Promotion, Events]:
    """The promotion after these acts, and what happened; raises `Refused` at the first that is not allowed."""
    happened: list[PromotionEvent] = []
    for act in acts:
        decided = decide(rulebook, promotion, act)
        if isinstance(decided, Refusal):
            raise Refused(decided)
        promotion = evolve(promotion, decided)
        happened += decided
    return promotion, tuple(happened)


# --- applying --------------------------------------------------------------------------------------------------------


def evolve(promotion: Promotion, events: Iterable[PromotionEvent]) -> Promotion:
    """The promotion after these events; the old one is untouched. No rule is read here."""
    for event in events:
        promotion = replace(APPLY[type(event)](promotion, event), last=event.at)
    return promotion


def _draws(p: Promotion, moments: dict[str, tuple[datetime.datetime, datetime.datetime]]) -> dict[str, Drawing]:
    """The draws of the terms; one that was held, cancelled or postponed stays as it is."""
    found: dict[str, Drawing] = {}
    for name, (due, closes) in moments.items():
        old = p.draws.get(name)
        if old is None:
            found[name] = Drawing(name, due, closes)
        elif old.status == "waiting":
            found[name] = replace(old, due=due, closes=closes)
        else:
            found[name] = old
    return found


def _disturbed(p: Promotion) -> dict[str, Drawing]:
    """Entries changed after a digest was laid down: whoever knows the secret could have had a hand in it."""
    return {
        name: replace(each, needs_word=True) if each.digest and each.status == "waiting" else each
        for name, each in p.draws.items()
    }


def _offered(p: Promotion, ev: pe.PromotionOffered) -> Promotion:
    return replace(p, conditions=ev.conditions, status="offered", draws=_draws(p, ev.draws))


def _amended(p: Promotion, ev: pe.TermsAmended) -> Promotion:
    p = replace(p, draws=_disturbed(p))
    return replace(
        p, conditions=ev.conditions, version=ev.version, draws=_draws(p, ev.draws), earliest=None, published=()
    )


def _arose(p: Promotion, ev: pe.DutyArose) -> Promotion:
    duty = Duty(ev.key, ev.clauses, ev.who, ev.what, ev.at, ev.to, ev.due)
    return replace(p, duties={**p.duties, ev.key: duty})


def _duty(p: Promotion, key: str, **changes: Any) -> Promotion:
    return replace(p, duties={**p.duties, key: replace(p.duties[key], **changes)})


def _entered(p: Promotion, ev: pe.Entered) -> Promotion:
    ticket = Ticket(ev.name, p.entries + 1, ev.entries, ev.at)
    return replace(p, tickets=(*p.tickets, ticket), totals={**p.totals, ev.name: ev.total})


def _drawing(p: Promotion, name: str, **changes: Any) -> Promotion:
    return replace(p, draws={**p.draws, name: replace(p.draws[name], **changes)})


def _win(p: Promotion, prize: str, **changes: Any) -> Promotion:
    return replace(p, wins={**p.wins, prize: replace(p.wins[prize], **changes)})


def _won(p: Promotion, ev: pe.PrizeWon) -> Promotion:
    return replace(p, wins={**p.wins, ev.prize: Win(ev.prize, ev.name, ev.draw, ev.value_cents)})


def _told(p: Promotion, ev: pe.WinnerTold) -> Promotion:
    win = p.wins[ev.prize]
    return _win(p, ev.prize, told=win.told or ev.reached, attempts=win.attempts + 1)


def _claimed(p: Promotion, ev: pe.PrizeClaimed) -> Promotion:
    return replace(p, claims={**p.claims, ev.prize: (*p.claims.get(ev.prize, ()), ev.name)})


def _denied(p: Promotion, ev: pe.ClaimDenied) -> Promotion:
    kept = Denied(ev.name, ev.prize, ev.value_cents, ev.why, ev.at, ev.kept, ev.full_name, ev.address)
    p = replace(p, denied=(*p.denied, kept))
    win = p.wins.get(ev.prize)
    return _win(p, ev.prize, status=DENIED) if win is not None and win.name == ev.name else p


def _reasons(p: Promotion, ev: pe.ReasonsTold) -> Promotion:
    denied = tuple(
        replace(each, told=True) if (each.name, each.prize) == (ev.name, ev.prize) else each for each in p.denied
    )
    return replace(p, denied=denied)


def _voucher(p: Promotion, name: str, cents: int) -> Promotion:
    return replace(p, vouchers={**p.vouchers, name: p.vouchers.get(name, 0) + cents})


def _dispute(p: Promotion, number: int, **changes: Any) -> Promotion:
    disputes = tuple(replace(each, **changes) if each.number == number else each for each in p.disputes)
    return replace(p, disputes=disputes)


def _compromised(p: Promotion, ev: pe.IntegrityCompromised) -> Promotion:
    return replace(p, compromised={**p.compromised, ev.what: ev.at})


def _cleared(p: Promotion, what: str) -> Promotion:
    return replace(p, compromised={each: since for each, since in p.compromised.items() if each != what})


def _validated(p: Promotion, ev: pe.IntegrityValidated) -> Promotion:
    p = _cleared(p, ev.what)
    if ev.what in p.draws and ev.again is not None:
        return _drawing(p, ev.what, status="waiting", due=ev.again)
    return replace(p, status="running")


def _postponed(p: Promotion, ev: pe.DrawPostponed) -> Promotion:
    """What was laid down for it is known to others perhaps: it is laid down anew."""
    return _drawing(p, ev.draw, status="postponed", digest="", needs_word=False, made=None, published=False)


APPLY: Mapping[type[PromotionEvent], Callable[[Promotion, Any], Promotion]] = {
    pe.DutyArose: _arose,
    pe.DutyMet: lambda p, ev: _duty(p, ev.key, met=ev.at),
    pe.DutyLapsed: lambda p, ev: _duty(p, ev.key, lapsed=ev.why),
    pe.PromotionOffered: _offered,
    pe.TermsFiled: lambda p, ev: replace(p, filed=ev.version, earliest=ev.earliest),
    pe.TermsPublished: lambda p, ev: replace(p, published=(*p.published, ev.where)),
    pe.MarketingApproved: lambda p, ev: replace(p, marketing=(*p.marketing, ev.material)),
    pe.PromotionBegun: lambda p, ev: replace(p, status="running", begun=True),
    pe.TermsAmended: _amended,
    pe.Entered: _entered,
    pe.EntryStruck: lambda p, ev: replace(p, struck=p.struck | {ev.name}, draws=_disturbed(p)),
    pe.ScrutineerNominated: lambda p, ev: replace(p, scrutineer=ev.name),
    pe.DrawCommitted: lambda p, ev: _drawing(p, ev.draw, digest=ev.digest, needs_word=ev.needs_word),
    pe.DrawMade: lambda p, ev: _drawing(p, ev.draw, status="made", made=ev.at),
    pe.EntryPassedOver: lambda p, ev: p,
    pe.PrizeWon: _won,
    pe.PrizeNotWon: lambda p, ev: p,
    pe.ResultsPublished: lambda p, ev: _drawing(p, ev.draw, published=True),
    pe.WinnerTold: _told,
    pe.PrizeClaimed: _claimed,
    pe.PrizeAwarded: lambda p, ev: _win(p, ev.prize, status=AWARDED),
    pe.VoucherIssued: lambda p, ev: _voucher(p, ev.name, ev.cents),
    pe.VoucherExchanged: lambda p, ev: _voucher(p, ev.name, -ev.cents),
    pe.ClaimDenied: _denied,
    pe.ReasonsTold: _reasons,
    pe.DisputeRaised: lambda p, ev: replace(p, disputes=(*p.disputes, Dispute(ev.number, ev.name, ev.what))),
    pe.DisputeDecided: lambda p, ev: _dispute(p, ev.number, ruling=ev.ruling),
    pe.DecisionNotAccepted: lambda p, ev: _dispute(p, ev.number, satisfied=False),
    pe.ComplaintAdvised: lambda p, ev: _dispute(p, ev.number, advised=True),
    pe.IntegrityCompromised: _compromised,
    pe.PromotionPostponed: lambda p, ev: replace(p, status="postponed"),
    pe.DrawPostponed: _postponed,
    pe.DrawCancelled: lambda p, ev: _cleared(_drawing(p, ev.draw, status="cancelled"), ev.draw),
    pe.WinSetAside: lambda p, ev: _win(p, ev.prize, status=SET_ASIDE),
    pe.InspectorNotified: lambda p, ev: p,
    pe.IntegrityValidated: _validated,
    pe.PromotionEnded: lambda p, ev: replace(p, status="ended"),
}
