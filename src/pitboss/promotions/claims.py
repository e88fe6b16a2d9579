"""Prizes handed over or denied, vouchers, and disputes."""

from __future__ import annotations

from pitboss.basics.money import dollars
from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.allowed import pays_cash, refuse_alternative
from pitboss.promotions.conditions import MONETARY, Prize
from pitboss.promotions.deciding import Case, Decided, Events
from pitboss.promotions.state import AWARDED, DENIED, WON, Dispute, Win
from pitboss.table.refusals import Refusal

TOKENS = "promotional-tokens"


def claim(case: Case, act: pa.ClaimPrize) -> Decided:
    clauses = case.item("claim")
    refused = case.refuse_stranger(act.by) or case.refuse_idle() or case.refuse_name(act.name)
    if refused is not None:
        return refused
    prize = case.prize(act.prize)
    if isinstance(prize, Refusal):
        return prize
    if act.name in case.state.claims.get(act.prize, ()):
        return case.no(clauses, f"{act.name} has claimed {act.prize} already.")
    return (pe.PrizeClaimed(clauses, case.at, act.name, act.prize, prize.value_cents or 0),)


def award(case: Case, act: pa.AwardPrize) -> Decided:
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    if refused is not None:
        return refused
    prize = case.prize(act.prize)
    if isinstance(prize, Refusal):
        return prize
    win = case.state.wins.get(act.prize)
    refused = _refuse_winner(case, act, win)
    refused = refused or _refuse_form(case, act, prize)
    if refused is not None or win is None:
        return refused or case.no(case.item("award"), "nobody has won it.")
    terms = case.terms
    cited = (*case.item("award"), *case.item("disbursement"))
    if act.form == "value":
        cited = (*terms.alternative.clauses, *cited)
    events: list[pe.PromotionEvent] = []
    if not win.told:  # whoever is given a prize knows of it
        method = "face-to-face"
        clauses = (*terms.told_days.clauses, terms.told_by.value[method])
        late = case.is_late(f"tell/{act.prize}")
        events.append(pe.WinnerTold(clauses, case.at, act.name, act.prize, method, True, late))
        events += case.met(f"tell/{act.prize}")
    events.append(
        pe.PrizeAwarded(
            tuple(dict.fromkeys(cited)), case.at, act.name, act.prize, act.form, win.value_cents, act.paid_by
        )
    )
    if prize.kind == TOKENS and act.form == "prize":
        term = case.rulebook.wagers.tokens_by
        events.append(pe.VoucherIssued((*cited, *term.clauses), case.at, act.name, win.value_cents))
    events += case.met(f"award/{act.prize}")
    return tuple(events)


def _refuse_winner(case: Case, act: pa.AwardPrize, win: Win | None) -> Refusal | None:
    clauses = case.item("award")
    if win is None or win.name != act.name:
        return case.no(clauses, f"{act.name} has not won {act.prize}.")
    if case.state.status == "postponed":
        return case.no(case.terms.compromised, "the promotion is postponed until its integrity is validated.")
    if win.status != WON:
        cited = clauses if win.status in (AWARDED, DENIED) else case.terms.compromised.clauses
        return case.no(cited, f"{act.prize} is {win.status} already.")
    return None


def _refuse_form(case: Case, act: pa.AwardPrize, prize: Prize) -> Refusal | None:
    """The prize, or its value where that may be offered; money by any way but cash."""
    terms = case.terms
    if act.form == "value":
        refused = refuse_alternative(case.rulebook, prize)
        if refused is not None:
            return refused
        if not prize.alternative:
            return case.no(terms.alternative, f"the terms do not offer the value of {prize.name} instead of it.")
    pays = act.form == "value" or prize.kind in MONETARY
    if pays and not act.paid_by.strip():
        return case.no(case.item("disbursement"), "say how it is paid: by cheque, transfer or chips (paid_by).")
    if act.paid_by and pays_cash(act.paid_by) and not terms.cash.value:
        return case.no(terms.cash, "no prize is awarded in cash.")
    return None


def deny(case: Case, act: pa.DenyClaim) -> Decided:
    terms = case.terms
    refused = case.refuse_operator(act.by) or case.refuse_idle() or case.refuse_name(act.name)
    refused = refused or case.refuse_words(terms.refused_claims, "why the claim is not met", act.why)
    if refused is not None:
        return refused
    prize = case.prize(act.prize)
    if isinstance(prize, Refusal):
        return prize
    win = case.state.wins.get(act.prize)
    own = win is not None and win.name == act.name
    if own and win is not None and win.status == AWARDED:
        return case.no(case.item("award"), f"{act.prize} was awarded to {act.name}.")
    if any((each.name, each.prize) == (act.name, act.prize) for each in case.state.denied):
        return case.no(terms.refused_claims, f"the claim of {act.name} for {act.prize} was denied already.")
    if not own and act.name not in case.state.claims.get(act.prize, ()):
        return case.no(terms.refused_claims, f"{act.name} has not claimed {act.prize}.")
    value = prize.value_cents or 0
    kept = value > terms.denied_kept_above_cents.value
    if kept and not (act.full_name.strip() and act.address.strip()):
        text = f"{act.prize} is worth {dollars(value)}: keep the claimant's name and address (full_name, address)."
        return case.no(terms.denied_kept_above_cents, text)
    clauses = (*terms.refused_claims.clauses, *(terms.denied_kept_above_cents.clauses if kept else ()))
    denied = pe.ClaimDenied(
        clauses, case.at, act.name, act.prize, value, act.why, kept,
        act.full_name if kept else "", act.address if kept else "",
    )  # fmt: skip
    tell = case.arises(
        f"reasons/{act.prize}/{act.name}", terms.refused_claims.clauses,
        f"tell {act.name} why their claim for {act.prize} was denied", to=act.name,
    )  # fmt: skip
    lapsed: Events = ()
    if own:
        why = "the claim was denied"
        lapsed = (*case.lapses(f"award/{act.prize}", why), *case.lapses(f"tell/{act.prize}", why))
    return (denied, tell, *lapsed)


def tell_reasons(case: Case, act: pa.TellReasons) -> Decided:
    term = case.terms.refused_claims
    refused = case.refuse_staff(act.by) or case.refuse_idle()
    if refused is not None:
        return refused
    found = next((each for each in case.state.denied if (each.name, each.prize) == (act.name, act.prize)), None)
    if found is None:
        return case.no(term, f"no claim of {act.name} for {act.prize} was denied.")
    if found.told:
        return case.no(term, f"{act.name} was told why already.")
    told = pe.ReasonsTold(term.clauses, case.at, act.name, act.prize, found.why)
    return (told, *case.met(f"reasons/{act.prize}/{act.name}"))


def exchange(case: Case, act: pa.ExchangeVoucher) -> Decided:
    """What a table has issued in tokens for a voucher (`IssueTokens` there); the table keeps what becomes of them."""
    term = case.rulebook.wagers.tokens_by
    refused = case.refuse_staff(act.by)
    if refused is None and case.state.conditions is None:
        refused = case.refuse_idle()
    held = case.state.vouchers.get(act.name, 0)
    if refused is None and not 0 < act.cents <= held:
        refused = case.no(term, f"{act.name} has {dollars(held)} in vouchers of this promotion.")
    refused = refused or case.refuse_words(term, "at which table", act.table)
    return refused or (pe.VoucherExchanged(term.clauses, case.at, act.name, act.cents, act.table),)


# --- disputes --------------------------------------------------------------------------------------------------------


def raise_dispute(case: Case, act: pa.RaiseDispute) -> Decided:
    term = case.terms.disputes
    refused = case.refuse_stranger(act.by) or case.refuse_idle() or case.refuse_name(act.name)
    refused = refused or case.refuse_words(term, "what the dispute is about", act.what)
    if refused is not None:
        return refused
    for each in case.state.disputes:
        if (each.name, each.what) == (act.name, act.what):
            text = "that was decided, and the decision is final." if each.ruling else "that is being decided."
            return case.no(term, text)
    number = len(case.state.disputes) + 1
    decide = case.arises(f"dispute/{number}", term.clauses, f"decide dispute {number} of {act.name}", to=act.name)
    return (pe.DisputeRaised(term.clauses, case.at, number, act.name, act.what), decide)


def _dispute(case: Case, number: int) -> Dispute | Refusal:
    if 1 <= number <= len(case.state.disputes):
        return case.state.disputes[number - 1]
    return case.no(case.terms.disputes, f"there is no dispute {number}.")


def decide_dispute(case: Case, act: pa.DecideDispute) -> Decided:
    term = case.terms.disputes
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(term, "what is decided", act.ruling)
    dispute = _dispute(case, act.number)
    if refused is not None:
        return refused
    if isinstance(dispute, Refusal):
        return dispute
    if dispute.ruling:
        return case.no(term, "the decision of the casino operator is final.")
    return (pe.DisputeDecided(term.clauses, case.at, act.number, act.ruling), *case.met(f"dispute/{act.number}"))


def not_satisfied(case: Case, act: pa.NotSatisfied) -> Decided:
    term = case.terms.disputes
    refused = case.refuse_stranger(act.by) or case.refuse_idle()
    dispute = _dispute(case, act.number)
    if refused is not None:
        return refused
    if isinstance(dispute, Refusal):
        return dispute
    if not dispute.ruling:
        return case.no(term, "the casino operator has not decided yet.")
    if not dispute.satisfied:
        return case.no(term, f"{dispute.name} has said so already.")
    what = f"advise {dispute.name} of the right to lodge a complaint with an inspector"
    advise = case.arises(f"advise/{act.number}", term.clauses, what, to=dispute.name)
    return (pe.DecisionNotAccepted(term.clauses, case.at, act.number, dispute.name), advise)


def advise(case: Case, act: pa.AdviseComplaint) -> Decided:
    term = case.terms.disputes
    refused = case.refuse_staff(act.by) or case.refuse_idle()
    dispute = _dispute(case, act.number)
    if refused is not None:
        return refused
    if isinstance(dispute, Refusal):
        return dispute
    if dispute.satisfied:
        return case.no(term, f"{dispute.name} has not said that they are not satisfied.")
    if dispute.advised:
        return case.no(term, f"{dispute.name} was advised already.")
    advised = pe.ComplaintAdvised(term.clauses, case.at, act.number, dispute.name)
    return (advised, *case.met(f"advise/{act.number}"))
