"""Opening, entries and money: why not, and what comes of it."""

from __future__ import annotations

import msgspec

from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import FEES_REFUNDABLE
from pitboss.table.refusals import Refusal
from pitboss.table.wagers import is_name
from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.allowed import refuse_conditions, refuse_missing, refuse_tournaments
from pitboss.tournament.conditions import Conditions, left_open
from pitboss.tournament.deciding import Case, Decided
from pitboss.tournament.money import pool_of, worth
from pitboss.tournament.state import APPLIED, DISQUALIFIED, ENTERED, OUT, REFUSED, RESERVE, WITHDRAWN, Entrant

# --- conditions ------------------------------------------------------------------------------------------------------


def open_entries(case: Case, act: ta.OpenEntries) -> Decided:
    book, conditions = case.rulebook, act.conditions
    refused = refuse_tournaments(book) or case.refuse_manager(act.by, "publish")
    if refused is None and case.state.status != "new":
        refused = case.no("publish", text="entries are open already; a tournament is opened once.")
    if refused is None and conditions.rulebook != book.id:
        refused = case.no("publish", text=f"the conditions are for {conditions.rulebook}, and these are other rules.")
    refused = refused or refuse_missing(book, conditions) or refuse_conditions(book, conditions)
    if refused is not None:
        return refused
    cited = case.cite("publish", "approve", "override") + book.tournament.items.clauses
    opened = te.EntriesOpened(cited, conditions, tuple(each.key for each in left_open(book, conditions)))
    added = [
        te.ValueAdded(case.cite("add-value", "pool"), each.what, each.worth_cents, each.cash, each.place)
        for each in conditions.prizes.added
    ]
    return (opened, *added)


MAY_CHANGE = ("start",)
"""What may still change once the conditions are published: when it starts, and when the sessions of a stage do."""


def change_conditions(case: Case, act: ta.ChangeConditions) -> Decided:
    old, new = case.conditions, act.conditions
    refused = case.refuse_manager(act.by, "publish") or case.refuse_over()
    if refused is not None:
        return refused
    changed = _differences(old, new)
    fixed = [key for key in changed if key.rpartition(".")[2] not in MAY_CHANGE]
    if fixed:
        text = f"players have entered under the published conditions: {', '.join(fixed)} may no longer be changed."
        also = (
            [] if not any(key.startswith("wagers") or key.endswith(".limits") for key in fixed) else ["limits-change"]
        )
        also += ["advance"] if any(key.endswith(".advance") for key in fixed) else []
        return case.no("publish", *also, text=text)
    if not changed:
        return case.no("publish", text="nothing is changed.")
    refused = case.refuse_notice(new, act.at)
    return refused or (te.ConditionsChanged(case.cite("move-start", "publish"), new, tuple(changed)),)


def _differences(old: Conditions, new: Conditions) -> list[str]:
    found: list[str] = []
    for field in Conditions.__struct_fields__:
        before, after = getattr(old, field), getattr(new, field)
        if before == after:
            continue
        if field == "stages" and [each.name for each in before] == [each.name for each in after]:
            found += [
                f"stages.{one.name}.{name}"
                for one, two in zip(before, after, strict=True)
                for name in one.__struct_fields__
                if getattr(one, name) != getattr(two, name)
            ]
        elif isinstance(before, msgspec.Struct):
            names = before.__struct_fields__
            found += [f"{field}.{name}" for name in names if getattr(before, name) != getattr(after, name)]
        else:
            found.append(field)
    return found


def give_copy(case: Case, act: ta.GiveCopy) -> Decided:
    refused = case.refuse_staff(act.by, "publish") or case.refuse_closed_tournament() or _refuse_name(case, act.name)
    return refused or (te.CopyGiven(case.cite("copy", "publish"), act.name),)


def sign(case: Case, act: ta.SignAgreement) -> Decided:
    refused = case.refuse_closed_tournament() or _refuse_name(case, act.name)
    if refused is None and act.by not in (ta.PLAYER, ta.MANAGER):
        refused = case.no("agree", text="the player signs, or the manager writes down that they have signed.")
    return refused or (te.AgreementSigned(case.cite("agree", "enter"), act.name),)


# --- entries ---------------------------------------------------------------------------------------------------------


def _refuse_name(case: Case, name: str) -> Refusal | None:
    if is_name(name):
        return None
    text = f"{name!r} cannot be a player's name: use letters, digits, _ or -, beginning with a letter."
    return case.no("enter", text=text)


def _refuse_entries(case: Case) -> Refusal | None:
    if case.state.status == "entries":
        return None
    return case.no("enter", text="entries are not open.")


def apply(case: Case, act: ta.Apply) -> Decided:
    entry, state, steps = case.conditions.entry, case.state, case.rulebook.tournament
    refused = _refuse_entries(case) or _refuse_name(case, act.name)
    if refused is not None:
        return refused
    if entry.opens is not None and act.at < entry.opens:
        return case.no("enter", text=f"entries open on {entry.opens:%d %B %Y at %H:%M}.")
    if entry.closes is not None and act.at > entry.closes:
        return case.no("enter", text=f"entries closed on {entry.closes:%d %B %Y at %H:%M}.")
    old = state.entrants.get(act.name)
    if old is not None and old.status in (APPLIED, ENTERED, RESERVE):
        again = f" Their next entry has a name of its own (person = {act.name!r})." if entry.each > 1 else ""
        return Refusal(case.rulebook.name, steps.entries_each.clauses, f"{act.name} has entered already.{again}")
    whose = act.person or act.name
    if act.person and not is_name(act.person):
        return _refuse_name(case, act.person) or ()
    theirs = [each for each in state.entrants.values() if whose in (each.person, each.name)]
    if sum(each.status not in (WITHDRAWN, REFUSED) for each in theirs) >= entry.each:
        times = "once" if entry.each == 1 else f"{entry.each} times"
        return Refusal(case.rulebook.name, steps.entries_each.clauses, f"{whose} may enter {times} and has done so.")
    if any(each.status == REFUSED for each in theirs):
        return case.no("refuse-entry", "enter", text=f"the application of {whose} was refused.")
    if old is not None and old.status == REFUSED:
        return case.no("refuse-entry", "enter", text=f"the application of {act.name} was refused.")
    if not act.completed:
        return case.no("enter", text="the entry form is not completed.")
    if not act.entitled:
        clauses = _items(case, "eligibility")
        return case.refusal(clauses, f"{act.name} is not entitled to enter the casino and gamble.")
    if entry.selects and not act.fits:
        return case.refusal(_items(case, "criteria"), f"{act.name} does not meet the criteria: {entry.criteria}")
    if entry.groups and not act.fits:
        return case.refusal(_items(case, "groups"), f"groups of players are restricted: {entry.groups}")
    taken = sum(each.status in (APPLIED, ENTERED) for each in state.entrants.values())
    reserve = taken >= (entry.maximum or 0)
    waiting = sum(each.status == RESERVE for each in state.entrants.values())
    if reserve and waiting >= entry.reserves:
        text = f"{entry.maximum} players have entered, and no more are taken."
        return case.refusal(_items(case, "entry-terms", "numbers"), text)
    number = old.number if old is not None else len(state.entrants) + 1
    person = "" if whose == act.name else whose
    return (te.Applied(case.cite("reserve" if reserve else "enter", "enter"), act.name, number, reserve, person),)


def _items(case: Case, *names: str) -> tuple[str, ...]:
    """The clauses of those of these items that the rulebook's list has."""
    items = case.rulebook.tournament.items.value
    return tuple(items[name] for name in names if name in items) or case.cite("enter")


def refuse_entry(case: Case, act: ta.RefuseEntry) -> Decided:
    entry = case.conditions.entry
    refused = case.refuse_manager(act.by, "refuse-entry") or _refuse_entries(case)
    who = case.state.entrants.get(act.name)
    if refused is None and (who is None or who.status not in (APPLIED, ENTERED, RESERVE)):
        refused = case.no("enter", text=f"{act.name} has no application that could be refused.")
    if refused is None and not entry.may_refuse and not entry.selects:
        refused = case.no("refuse-entry", "enter", text="the conditions do not keep the right to refuse anybody.")
    if refused is None and not act.why.strip():
        refused = case.no("refuse-entry", "enter", text="say why the application is refused.")
    if refused is not None or who is None:
        return refused or case.no("enter", text="nobody applied.")
    cited = case.cite("refuse-entry", "enter")
    return (te.EntryRefused(cited, act.name, act.why, who.paid_cents, who.commission_cents),)


def pay_fee(case: Case, act: ta.PayFee) -> Decided:
    entry = case.conditions.entry
    refused = case.refuse_staff(act.by, "fee") or _refuse_entries(case)
    who = case.state.entrants.get(act.name)
    if refused is None and (who is None or who.status != APPLIED):
        refused = case.no("enter", text=f"{act.name} has no entry form in that waits for the fee.")
    if refused is None:
        refused = _refuse_acceptance(case, act.name, act.cents)
    if refused is not None:
        return refused
    cited = case.cite("fee", "pool", *(("commission",) if entry.commission_cents else ()))
    return (te.FeePaid(cited, act.name, act.cents, entry.commission_cents or 0),)


def _refuse_acceptance(case: Case, name: str, cents: int, *steps: str) -> Refusal | None:
    """A copy was given where that must be, the agreement signed where it is wanted, and the fee is the fee."""
    entry = case.conditions.entry
    who = case.state.entrants[name].person if name in case.state.entrants else ""
    if case.knows("copy") and not {name, who} & case.state.copies:
        return case.no("copy", text=f"{name} has not been given a copy of the conditions.")
    if entry.agreement and not {name, who} & case.state.agreed:
        return case.no("agree", "enter", text=f"{name} has not agreed in writing with the rules and conditions.")
    if cents != (entry.fee_cents or 0):
        return case.no(*steps, "fee", text=f"the entry fee is {dollars(entry.fee_cents or 0)}, not {dollars(cents)}.")
    return None


def withdraw(case: Case, act: ta.WithdrawEntry) -> Decided:
    entry = case.conditions.entry
    refused = case.refuse_closed_tournament()
    who = case.state.entrants.get(act.name)
    if refused is None and (who is None or who.status not in (APPLIED, ENTERED, RESERVE)):
        refused = case.no("withdraw", "enter", text=f"{act.name} has not entered.")
    free = entry.withdraw_until is not None and act.at <= entry.withdraw_until  # also once entries are closed
    begun = bool(case.state.done) or any(each.status != "drawn" for each in case.state.sessions.values())
    if refused is None and case.state.sessions and (begun or not free):
        refused = case.no("withdraw", "enter", text="seats are drawn: who does not come to theirs is absent.")
    if refused is not None or who is None:
        return refused or case.no("enter", text="nobody entered.")
    percent = 0
    if FEES_REFUNDABLE[case.rulebook.tournament.fee_refunds.value]:
        percent = 100 if free else entry.refund_percent_after if case.state.status == "entries" else 0
    back = who.paid_cents * percent // 100
    of_commission = who.commission_cents * percent // 100
    cited = case.cite("withdraw", "refund") if back or case.knows("withdraw") else case.cite("refund")
    withdrawn: list[te.TournamentEvent] = [te.EntryWithdrawn(cited, act.name, back, of_commission)]
    if who.bought_in_cents and case.conditions.chips.cash_value:
        withdrawn.insert(0, te.BuyInRefunded(case.cite("redeem"), act.name, who.bought_in_cents))
    return (*withdrawn, *_guaranteed_again(case, who, back - of_commission))


def _guaranteed_again(case: Case, who: Entrant, from_pool_cents: int) -> tuple[te.TournamentEvent, ...]:
    """A pool that was made up to the guarantee when entries closed is made up again when a fee leaves it."""
    short = case.conditions.prizes.guarantee_cents - pool_of(case.state.accounts) + from_pool_cents
    left = len(case.state.entered()) - (who.status == ENTERED)
    enough = left >= (case.conditions.entry.minimum or 0)
    if case.state.status not in ("closed", "playing") or case.state.too_few or not enough or short <= 0:
        return ()
    return (te.GuaranteeMet(case.cite("guarantee", "pool"), short),)


def add_value(case: Case, act: ta.AddValue) -> Decided:
    refused = case.refuse_manager(act.by, "add-value") or case.refuse_over()
    if refused is None and (act.cents <= 0 or not act.what.strip() or act.place < 1):
        refused = case.no("add-value", "pool", text="say what is added, what it is worth, and for which place.")
    return refused or (te.ValueAdded(case.cite("add-value", "pool"), act.what, act.cents, act.cash, act.place),)


def close_entries(case: Case, act: ta.CloseEntries) -> Decided:
    refused = case.refuse_manager(act.by) or _refuse_entries(case)
    if refused is not None:
        return refused
    conditions = case.conditions
    entered = case.state.entered()
    if len(entered) < 2:
        return case.no("too-few", "cancel", text="fewer than two players have entered: cancel the tournament.")
    few = len(entered) < (conditions.entry.minimum or 0)
    cited = _items(case, "entry-terms", "numbers")
    found: list[te.TournamentEvent] = [
        te.EntriesClosed(cited + (case.cite("too-few", "cancel") if few else ()), len(entered), few)
    ]
    short = conditions.prizes.guarantee_cents - pool_of(case.state.accounts)
    if short > 0 and not few:
        found.append(te.GuaranteeMet(case.cite("guarantee", "pool"), short))
    return tuple(found)


def cancel(case: Case, act: ta.CancelTournament) -> Decided:
    refused = case.refuse_manager(act.by, "cancel") or case.refuse_over()
    if refused is None and not act.why.strip():
        refused = case.no("cancel", text="say why the tournament is cancelled.")
    if refused is not None:
        return refused
    cited = case.cite("cancel")
    found: list[te.TournamentEvent] = [te.TournamentCancelled(cited, act.why)]
    for session in case.state.sessions.values():
        if session.stage != case.state.stage or session.status == "returned":
            continue
        left = session.left
        if case.conditions.chips.cash_value:
            redeemed = case.cite("redeem")
            if session.status == "drawn":
                found += [
                    te.BuyInRefunded(redeemed, name, case.state.entrants[name].bought_in_cents)
                    for name in session.seats.values()
                    if case.state.entrants[name].bought_in_cents
                ]
            elif not session.play_off:
                found += [
                    te.ChipsRedeemed(redeemed, n, session.table, c, worth(case.conditions.chips, c))
                    for n, c in left.items()
                ]
                left = {}
        if session.status != "drawn":
            found.append(te.ChipsReturned(case.cite("chips-returned"), session.table, left))
    paid = [each for each in case.state.entrants.values() if each.paid_cents]
    found += [te.FeeRefunded(cited, each.name, each.paid_cents, each.commission_cents) for each in paid]
    rest = pool_of(case.state.accounts) - sum(each.paid_cents - each.commission_cents for each in paid)
    if rest:
        found.append(te.PoolReleased(cited, rest))
    return tuple(found)


# --- seats that somebody else has ------------------------------------------------------------------------------------


def _not_there(case: Case, step: str, name: str) -> Entrant | Refusal:
    """Somebody whose seat another may have: entered, and not in it."""
    who = case.state.entrants.get(name)
    if who is None or who.status != ENTERED:
        return case.no(step, text=f"{name} has no seat that another could have.")
    here = [each for each in case.state.sessions.values() if each.stage == case.state.stage]
    if any(name in each.seats.values() and each.status != "drawn" for each in here):
        text = f"{case.state.stage} has begun with {name} in it: nobody takes the place until it is over."
        return case.no("position", step, text=text)
    if who.seated and here:
        return case.no(step, text=f"{name} has taken the seat.")
    return who


def offer_seat(case: Case, act: ta.OfferSeat) -> Decided:
    refused = case.refuse_manager(act.by, "reserve") or case.refuse_over()
    if refused is None and not case.knows("reserve"):
        refused = case.no("reserve", text="the rules know no reserved players.")
    if refused is not None:
        return refused
    if case.state.done or any(each.status != "drawn" for each in case.state.sessions.values()):
        return case.no("reserve", text="the first session has begun: no seat is offered any more.")
    absent = _not_there(case, "reserve", act.instead_of)
    if isinstance(absent, Refusal):
        return absent
    if case.state.session_of(act.instead_of) is None:
        return case.no("reserve", text="seats are offered to reserved players once they are drawn.")
    who = case.state.entrants.get(act.name)
    if who is None or who.status != RESERVE:
        return case.no("reserve", text=f"{act.name} is no reserved player.")
    refused = _refuse_acceptance(case, act.name, act.cents, "reserve")
    if refused is not None:
        return refused
    commission = case.conditions.entry.commission_cents or 0
    return (
        te.SeatForfeited(case.cite("forfeit-seat", "absent"), act.instead_of),
        te.FeePaid(case.cite("reserve", "fee", "pool"), act.name, act.cents, commission),
        te.SeatOffered(case.cite("reserve"), act.name, act.instead_of),
    )


def substitute(case: Case, act: ta.Substitute) -> Decided:
    refused = case.refuse_manager(act.by, "substitute") or case.refuse_over() or _refuse_name(case, act.name)
    if refused is None and (not case.knows("substitute") or case.conditions.entry.substitutes is False):
        refused = case.no("substitute", text="there are no substitutes in this tournament.")
    if refused is not None:
        return refused
    absent = _not_there(case, "substitute", act.instead_of)
    if isinstance(absent, Refusal):
        return absent
    who = case.state.entrants.get(act.name)
    if who is not None and who.status in (APPLIED, ENTERED, DISQUALIFIED, OUT):
        return case.refusal(case.rulebook.tournament.entries_each.clauses, f"{act.name} has entered themselves.")
    return (te.Substituted(case.cite("substitute"), act.name, act.instead_of),)


def buy_back(case: Case, act: ta.BuyBack) -> Decided:
    terms = case.conditions.buy_back
    refused = case.refuse_staff(act.by, "fee") or case.refuse_over()
    if refused is None and not terms.offered:
        refused = case.no("buy-back", "enter", text="the conditions let nobody buy back.")
    if refused is not None:
        return refused
    who = case.state.entrants.get(act.name)
    if who is None or who.status != OUT:
        return case.no("buy-back", text=f"{act.name} is not out of the tournament.")
    if who.bought_back >= terms.times:
        return case.no("buy-back", text=f"{act.name} has bought back {terms.times} times, and no more is allowed.")
    until = terms.until or ""
    if until in case.state.done or case.state.stage == until or until not in case.state.qualified:
        return case.no("buy-back", text=f"players buy back before {until} is drawn, once its players are known.")
    if act.cents != terms.fee_cents:
        return case.no("buy-back", text=f"buying back costs {dollars(terms.fee_cents or 0)}, not {dollars(act.cents)}.")
    room = (case.conditions.stage(until) or case.conditions.stages[-1]).tables or 1
    if len(case.state.qualified[until]) >= room * case.conditions.conduct.players_at_table:
        return case.no("buy-back", text=f"{until} has no seat left.")
    return (te.BoughtBack(case.cite("buy-back", "pool"), act.name, act.cents, until),)
