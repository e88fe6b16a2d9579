"""A file and an act in, events or a refusal out. Who may do what, and by which clause, is a term of the rulebook."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from pitboss.basics.money import LARGEST_CENTS, dollars
from pitboss.patrons import acts as p
from pitboss.patrons import events as pe
from pitboss.patrons.acts import EVERYWHERE, SELF, PatronAct
from pitboss.patrons.events import PatronEvent
from pitboss.patrons.gaming_day import Moment, period_start
from pitboss.patrons.state import (
    DepositLimit,
    Exclusion,
    LossLimit,
    PatronFile,
    PlayerCard,
    Restricted,
    deposit_left,
    loss_room,
)
from pitboss.rulebooks.meanings import DEPOSITS_COUNT, HELP_BY_HAND_ALLOWED, LIMITS_ARE_THE_PLAYERS
from pitboss.rulebooks.terms import Restriction, Rulebook, Term
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table.compiled import both
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.wagers import is_name

SCOPES = ("game", "casino")
TEXT_MAX = 200

Events = tuple[PatronEvent, ...]


def decide(rulebook: Rulebook, file: PatronFile, act: PatronAct, now: Moment) -> Events | Refusal:
    """What comes of an act on a file at a moment: events, or a refusal that changes nothing."""
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if isinstance(value, str) and not (value.isprintable() and len(value) <= TEXT_MAX):
            return _no(rulebook, rulebook.patrons.identified_by, f"{name}: write one line of at most {TEXT_MAX} signs.")
    turns = turned(rulebook, file, now)
    decided = CHAPTERS[type(act)](rulebook, evolve(file, turns), act, now)
    return decided if isinstance(decided, Refusal) else (*turns, *decided)


def _no(rulebook: Rulebook, term: Term[Any] | Restriction, text: str) -> Refusal:
    return Refusal(rulebook.name, term.clauses, text)


def _refuse_role(rulebook: Rulebook, by: str, term: Term[str], what: str) -> Refusal | None:
    if term.value == "nobody":
        return _no(rulebook, term, f"the rules let nobody {what}.")
    if not may_act(by, term.value):
        return _no(rulebook, term, f"{the_role(term.value)} may {what}, not {the_role(by)}.")
    return None


def _refuse_words(rulebook: Rulebook, term: Term[Any], what: str, text: str) -> Refusal | None:
    return None if text.strip() else _no(rulebook, term, f"say {what}.")


def _refuse_cents(rulebook: Rulebook, term: Term[Any], what: str, cents: int) -> Refusal | None:
    if 0 <= cents <= LARGEST_CENTS:
        return None
    return _no(rulebook, term, f"{what} is from nothing to {dollars(LARGEST_CENTS)}, not {dollars(cents)}.")


def _refuse_until(
    rulebook: Rulebook, term: Term[Any] | Restriction, until: datetime.date | None, now: Moment
) -> Refusal | None:
    if until is not None and until < now.date:
        return _no(rulebook, term, f"{until} is over: today is {now.date}.")
    return None


# --- identity and player card ----------------------------------------------------------------------------------------


def _identify(rulebook: Rulebook, file: PatronFile, act: p.Identify, now: Moment) -> Events | Refusal:
    term = rulebook.patrons.identified_by
    refused = _refuse_role(rulebook, act.by, term, "write down who a patron is")
    refused = refused or _refuse_words(rulebook, term, "by what they showed who they are", act.document)
    return refused or (pe.Identified(term.clauses, act.document),)


def _issue(rulebook: Rulebook, file: PatronFile, act: p.IssueCard, now: Moment) -> Events | Refusal:
    term = rulebook.patrons.card_by
    refused = _refuse_role(rulebook, act.by, term, "issue a player card")
    refused = refused or _refuse_words(rulebook, term, "the number of the card", act.number)
    refused = refused or _refuse_until(rulebook, term, act.expires, now)
    if refused is None and not file.identified:
        text = f"nobody has identified {file.name}: a card is issued to a person who is known."
        refused = _no(rulebook, rulebook.wagers.player_card, text)
    return refused or (pe.CardIssued(term.clauses, act.number, now.date, act.expires),)


def _card_of(rulebook: Rulebook, file: PatronFile, by: str, what: str) -> PlayerCard | Refusal:
    term = rulebook.patrons.card_by
    refused = _refuse_role(rulebook, by, term, what)
    if refused is None and (file.card is None or file.card.withdrawn):
        refused = _no(rulebook, term, f"{file.name} has no player card.")
    return refused or file.card or _no(rulebook, term, f"{file.name} has no player card.")


def _withdraw(rulebook: Rulebook, file: PatronFile, act: p.WithdrawCard, now: Moment) -> Events | Refusal:
    card = _card_of(rulebook, file, act.by, "withdraw a player card")
    if isinstance(card, Refusal):
        return card
    term = rulebook.patrons.card_by
    refused = _refuse_words(rulebook, term, "why it is withdrawn", act.reason)
    return refused or (pe.CardWithdrawn(term.clauses, act.reason),)


def _lent(rulebook: Rulebook, file: PatronFile, act: p.FindCardLent, now: Moment) -> Events | Refusal:
    card = _card_of(rulebook, file, act.by, "say that a card was lent")
    if isinstance(card, Refusal):
        return card
    if not is_name(act.lent_to) or act.lent_to.lower() == file.name.lower():
        return _no(rulebook, rulebook.wagers.player_card, "name the other person in whose hands the card was found.")
    return (pe.CardLent(rulebook.wagers.player_card.clauses, act.lent_to),)


def _returned(rulebook: Rulebook, file: PatronFile, act: p.ReturnCard, now: Moment) -> Events | Refusal:
    card = _card_of(rulebook, file, act.by, "give a card back")
    if isinstance(card, Refusal):
        return card
    if not card.lent_to:
        return _no(rulebook, rulebook.patrons.card_by, f"the card of {file.name} is not with another.")
    return (pe.CardReturned(rulebook.patrons.card_by.clauses),)


# --- gaming limits ---------------------------------------------------------------------------------------------------


def _refuse_limit(rulebook: Rulebook, file: PatronFile, by: str, has: Term[bool], cents: int | None) -> Refusal | None:
    """A limit is the person's own: they set it, or a member of staff who may keep files writes it down for them."""
    term = rulebook.patrons.limits_by
    if not has.value or not LIMITS_ARE_THE_PLAYERS[term.value]:
        return _no(rulebook, has, "the game has no such limit.")
    if by != SELF and not may_act(by, rulebook.patrons.identified_by.value):
        who = the_role(rulebook.patrons.identified_by.value)
        return _no(rulebook, term, f"the player sets a limit, or {who} writes it down for them.")
    if not file.identified:
        return _no(rulebook, term, f"nobody has identified {file.name}: a limit is kept for a person who is known.")
    return None if cents is None else _refuse_cents(rulebook, has, "a limit", cents)


def _set_loss(rulebook: Rulebook, file: PatronFile, act: p.SetLossLimit, now: Moment) -> Events | Refusal:
    """A lower limit for the same period holds at once; anything looser waits for the next period."""
    has, periods = rulebook.wagers.loss_limit, rulebook.patrons.loss_periods
    refused = _refuse_limit(rulebook, file, act.by, has, act.cents)
    if refused is None and act.period not in periods.value:
        text = f"a loss limit runs for a {' or '.join(periods.value)}, not for {act.period!r}."
        refused = _no(rulebook, periods, text)
    old = file.loss_limit
    if refused is None and act.cents is None and old is None:
        refused = _no(rulebook, has, f"{file.name} has set no loss limit that could be lifted.")
    if refused is not None:
        return refused
    clauses = both(has, periods)
    if old is None or old.cents is None or file.period_start is None:
        start = period_start(act.period, now.date)
        return (pe.LossLimitSet(clauses, act.cents, act.period, start, first=True),)
    at_once = act.period == old.period and act.cents is not None and act.cents <= old.cents
    return (pe.LossLimitSet(clauses, act.cents, act.period, file.period_start, later=not at_once),)


def _set_deposit(rulebook: Rulebook, file: PatronFile, act: p.SetDepositLimit, now: Moment) -> Events | Refusal:
    has = rulebook.wagers.deposit_limit
    refused = _refuse_limit(rulebook, file, act.by, has, act.cents)
    old = file.deposit_limit_cents
    if refused is None and act.cents is None and old is None:
        refused = _no(rulebook, has, f"{file.name} has set no deposit limit that could be lifted.")
    if refused is not None:
        return refused
    later = old is not None and (act.cents is None or act.cents > old)
    return (pe.DepositLimitSet(has.clauses, act.cents, now.calendar_date, later),)


def _deposit(rulebook: Rulebook, file: PatronFile, act: p.Deposit, now: Moment) -> Events | Refusal:
    term = rulebook.wagers.deposit_limit
    if not DEPOSITS_COUNT[rulebook.patrons.deposit_period.value]:
        return _no(rulebook, term, "the game counts no deposits.")
    if act.by != SELF and not may_act(act.by, "dealer"):
        return _no(rulebook, term, "the person deposits, or a member of staff takes the deposit.")
    if not 0 < act.cents <= LARGEST_CENTS:
        return _no(rulebook, term, "a deposit is an amount above zero, in whole cents.")
    left = deposit_left(file)
    if left is not None and act.cents > left:
        return _no(rulebook, term, f"{file.name} may deposit no more than {dollars(left)} today.")
    return (pe.Deposited(term.clauses, act.cents, now.calendar_date),)


def _declare(rulebook: Rulebook, file: PatronFile, act: p.DeclareChips, now: Moment) -> Events | Refusal:
    conduct = rulebook.irregularities.conduct
    duties = rulebook.patrons.declarations
    if not duties.value:
        return _no(rulebook, conduct, "the game asks nobody to declare chips.")
    if act.what not in duties.value:
        return _no(rulebook, duties, f"chips are declared as {', '.join(duties.value)}, not as {act.what!r}.")
    if act.by != SELF and not may_act(act.by, "dealer"):
        return _no(rulebook, duties, "the player declares chips to the dealer, who writes it down.")
    refused = _refuse_cents(rulebook, duties, "what is declared", act.cents)
    return refused or (pe.ChipsDeclared((duties.value[act.what],), act.table, act.what, act.cents, now.at_ms),)


def _pause(rulebook: Rulebook, file: PatronFile, act: p.Pause, now: Moment) -> Events | Refusal:
    term = rulebook.irregularities.loss_limit_pause_by
    refused = _refuse_role(rulebook, act.by, term, "have a player pause")
    if refused is None and file.loss_limit is None:
        refused = _no(rulebook, term, f"{file.name} has set no loss limit that could be reset.")
    if refused is None and file.paused:
        refused = _no(rulebook, term, f"{file.name} pauses already.")
    return refused or (pe.Paused(term.clauses, act.by),)


def _resume(rulebook: Rulebook, file: PatronFile, act: p.Resume, now: Moment) -> Events | Refusal:
    term = rulebook.irregularities.loss_limit_pause_by
    refused = _refuse_role(rulebook, act.by, term, "let a player continue")
    if refused is None and not file.paused:
        refused = _no(rulebook, term, f"{file.name} does not pause.")
    return refused or (pe.Resumed(term.clauses, act.by),)


# --- what the house allows and forbids -------------------------------------------------------------------------------


def _maximum(rulebook: Rulebook, file: PatronFile, act: p.AllowMaximum, now: Moment) -> Events | Refusal:
    """Above the sign's: the table says whether, when it is told."""
    term = rulebook.limits.personal_maximum_by
    refused = _refuse_role(rulebook, act.by, term, "let a player exceed the maximum")
    if refused is None and (not act.table or act.table == EVERYWHERE):
        refused = _no(rulebook, term, "a maximum of one's own is for one table, with a sign there: name it.")
    for cents in (act.maximum_cents, act.minimum_cents):
        refused = refused or _refuse_cents(rulebook, term, "a maximum of one's own", cents)
    if refused is None and act.minimum_cents > act.maximum_cents:
        refused = _no(rulebook, term, "the minimum is not above the maximum.")
    if refused is None and not act.maximum_cents and not file.maxima.get(act.table, (0, 0))[0]:
        refused = _no(rulebook, term, f"{file.name} has no maximum of their own at {act.table}.")
    return refused or (pe.MaximumAllowed(term.clauses, act.by, act.table, act.maximum_cents, act.minimum_cents),)


def lasting(rulebook: Rulebook, rule: str) -> Restriction | None:
    """The rulebook's restriction of that name that lasts until it is lifted."""
    rows = rulebook.limits.restrictions.value
    return next((row for row in rows if row.name == rule and row.until == "lifted"), None)


def _restrict(rulebook: Rulebook, file: PatronFile, act: p.RestrictPatron, now: Moment) -> Events | Refusal:
    """The occasion that some clauses want was given at a table: `why` says which."""
    term = rulebook.limits.restrictions
    row = lasting(rulebook, act.rule)
    if row is None:
        known = ", ".join(dict.fromkeys(each.name for each in term.value if each.until == "lifted")) or "none"
        return _no(rulebook, term, f"no restriction {act.rule!r} lasts until it is lifted; the rulebook has {known}.")
    if not may_act(act.by, row.by):
        return _no(rulebook, row, f"{the_role(row.by)} may do this, not {the_role(act.by)}.")
    refused = _refuse_words(rulebook, term, "why", act.why) or _refuse_until(rulebook, row, act.until, now)
    if refused is not None:
        return refused
    if row.condition == "recognised" and not file.recognised:
        return _no(rulebook, row, f"{file.name} is not a recognised player: declare that first.")
    if row.condition == "restricted-before" and not file.restricted_before:
        return _no(rulebook, row, f"{file.name} was not restricted before.")
    if row.notice != "nobody" and row.notice_first and not act.notified:
        return _no(rulebook, row, f"the {row.notice.replace('-', ' ')} is told or consulted first.")
    event = pe.PatronRestricted(row.clauses, act.by, rulebook.id, row.name, act.where, act.why, act.until, row.notice)
    return (event,)


def _lift(rulebook: Rulebook, file: PatronFile, act: p.LiftPatronRestriction, now: Moment) -> Events | Refusal:
    term = rulebook.limits.restrictions
    row = lasting(rulebook, act.rule)
    if row is None or not any(
        each.holds_on(now.date) and (each.rulebook, each.rule, each.where) == (rulebook.id, act.rule, act.where)
        for each in file.restrictions
    ):
        return _no(rulebook, row or term, f"{file.name} is not restricted by {act.rule} there.")
    if not may_act(act.by, row.by):
        return _no(rulebook, row, f"{the_role(row.by)} may lift it, not {the_role(act.by)}.")
    return (pe.PatronRestrictionLifted(row.clauses, act.by, rulebook.id, act.rule, act.where),)


def _excluded_by(rulebook: Rulebook, scope: str) -> Term[str]:
    return rulebook.patrons.excluded_by if scope == "casino" else rulebook.irregularities.barred_by


def _excludes(rulebook: Rulebook, scope: str, each: Exclusion) -> bool:
    """Who is excluded from the casino is so whatever is played; from a game, from that game."""
    return each.scope == scope and (scope == "casino" or each.rulebook == rulebook.id)


def _exclude(rulebook: Rulebook, file: PatronFile, act: p.Exclude, now: Moment) -> Events | Refusal:
    if act.scope not in SCOPES:
        barred = rulebook.irregularities.barred_by
        return _no(
            rulebook, barred, f"a person is excluded from the {' or the '.join(SCOPES)}, not from {act.scope!r}."
        )
    term = _excluded_by(rulebook, act.scope)
    refused = _refuse_role(rulebook, act.by, term, f"exclude a person from the {act.scope}")
    refused = refused or _refuse_words(rulebook, term, "why", act.why)
    refused = refused or _refuse_until(rulebook, term, act.until, now)
    return refused or (pe.Excluded(term.clauses, act.by, rulebook.id, act.scope, act.why, act.until),)


def _admit(rulebook: Rulebook, file: PatronFile, act: p.Admit, now: Moment) -> Events | Refusal:
    term = _excluded_by(rulebook, act.scope)
    refused = _refuse_role(rulebook, act.by, term, "let an excluded person in again")
    if refused is None and not any(
        _excludes(rulebook, act.scope, each) and each.holds_on(now.date) for each in file.exclusions
    ):
        refused = _no(rulebook, term, f"{file.name} is not excluded from the {act.scope}.")
    return refused or (pe.Admitted(term.clauses, act.by, rulebook.id, act.scope),)


def _recognise(rulebook: Rulebook, file: PatronFile, act: p.Recognise, now: Moment) -> Events | Refusal:
    term = rulebook.patrons.recognised_by
    refused = _refuse_role(rulebook, act.by, term, "declare who is a recognised player")
    refused = refused or _refuse_words(rulebook, term, "why", act.why)
    return refused or (pe.Recognised(term.clauses, act.by, act.why, act.recognised),)


def _helper(rulebook: Rulebook, file: PatronFile, act: p.NameHelper, now: Moment) -> Events | Refusal:
    """Nobody wagers for another (proxy betting), but for help by hand with the player there and no gain."""
    term = rulebook.patrons.helper
    if not HELP_BY_HAND_ALLOWED[term.value]:
        return _no(rulebook, term, "the rules say nothing of a helper.")
    if not may_act(act.by, "dealer"):
        return _no(rulebook, term, "the dealer or a supervisor sees that somebody needs help by hand.")
    if not act.helper:
        return (pe.HelperNamed(term.clauses, ""),)
    if not is_name(act.helper) or act.helper.lower() == file.name.lower():
        return _no(rulebook, term, "name the person who helps.")
    if not (act.present and act.unpaid):
        text = "nobody wagers for another: the player is at the same table, and who helps by hand has no gain from it."
        return _no(rulebook, term, text)
    return (pe.HelperNamed(term.clauses, act.helper),)


CHAPTERS: dict[type[PatronAct], Callable[[Rulebook, PatronFile, Any, Moment], Events | Refusal]] = {
    p.Identify: _identify,
    p.IssueCard: _issue,
    p.WithdrawCard: _withdraw,
    p.FindCardLent: _lent,
    p.ReturnCard: _returned,
    p.SetLossLimit: _set_loss,
    p.SetDepositLimit: _set_deposit,
    p.Deposit: _deposit,
    p.DeclareChips: _declare,
    p.Pause: _pause,
    p.Resume: _resume,
    p.AllowMaximum: _maximum,
    p.RestrictPatron: _restrict,
    p.LiftPatronRestriction: _lift,
    p.Exclude: _exclude,
    p.Admit: _admit,
    p.Recognise: _recognise,
    p.NameHelper: _helper,
}


# --- time ------------------------------------------------------------------------------------------------------------


def turned(rulebook: Rulebook, file: PatronFile, now: Moment) -> Events:
    """What the time that has passed does to a file: a new period, a new day of deposits. Time never goes back."""
    found: list[PatronEvent] = []
    limit = file.loss_limit
    if limit is not None and file.period_start is not None and limit.cents is not None:
        start = period_start(limit.period, now.date)
        if start > file.period_start:
            holds = file.loss_later or limit
            first = period_start(holds.period, now.date)
            clauses = both(rulebook.irregularities.loss_limit_pause_by, rulebook.wagers.loss_limit)
            found.append(pe.PeriodTurned(clauses, max(first, file.period_start), holds.cents, holds.period))
    if file.deposit_day is not None and now.calendar_date > file.deposit_day:
        later = file.deposit_later
        cents = file.deposit_limit_cents if later is None else later.cents
        if file.deposited_cents or file.practice.deposited_cents or later is not None:
            found.append(pe.DepositDayTurned(rulebook.wagers.deposit_limit.clauses, now.calendar_date, cents))
    return tuple(found)


# --- applying --------------------------------------------------------------------------------------------------------


def evolve(file: PatronFile, events: Iterable[PatronEvent]) -> PatronFile:
    """The file after these events; the old one is untouched."""
    for event in events:
        file = APPLY[type(event)](file, event)
    return file


def _other_cards(file: PatronFile, owner: str) -> tuple[str, ...]:
    return tuple(each for each in file.others_cards if each.lower() != owner.lower())


def _with_card(file: PatronFile, **changes: Any) -> PatronFile:
    return file if file.card is None else replace(file, card=replace(file.card, **changes))


def _loss_limit_set(file: PatronFile, ev: pe.LossLimitSet) -> PatronFile:
    limit = LossLimit(ev.cents, ev.period)
    if ev.later:
        return replace(file, loss_later=limit)
    first = file.loss_limit is None or file.loss_limit.cents is None
    file = replace(file, loss_limit=limit, loss_later=None, period_start=ev.start)
    file = replace(file, over_cents=max(0, min(file.over_cents, -loss_room(file, file))))
    # a file without a limit does not learn what is staked, so that what it heard last of the tables may be long over
    if not first:
        return file
    practice = replace(file.practice, net_cents=0, open={})
    return replace(file, net_cents=0, open={}, practice=practice, stakes_uncounted=ev.first)


def _period_turned(file: PatronFile, ev: pe.PeriodTurned) -> PatronFile:
    """What lies on the tables stays open, and counts in the new period when it is decided."""
    limit = None if ev.cents is None else LossLimit(ev.cents, ev.period)
    practice = replace(file.practice, net_cents=0)
    file = replace(file, loss_limit=limit, loss_later=None, period_start=ev.start)
    return replace(file, net_cents=0, over_cents=0, practice=practice)


def _deposit_limit_set(file: PatronFile, ev: pe.DepositLimitSet) -> PatronFile:
    day = ev.day if file.deposit_day is None else file.deposit_day
    if ev.later:
        return replace(file, deposit_later=DepositLimit(ev.cents), deposit_day=day)
    return replace(file, deposit_limit_cents=ev.cents, deposit_later=None, deposit_day=day)


def _deposit_day_turned(file: PatronFile, ev: pe.DepositDayTurned) -> PatronFile:
    practice = replace(file.practice, deposited_cents=0)
    file = replace(file, deposit_limit_cents=ev.cents, deposit_later=None, deposit_day=ev.day)
    return replace(file, deposited_cents=0, practice=practice)


def _deposited(file: PatronFile, ev: pe.Deposited) -> PatronFile:
    file = replace(file, deposit_day=ev.day)
    if ev.practice:
        made = file.practice.deposited_cents + ev.cents
        return replace(file, practice=replace(file.practice, deposited_cents=made))
    return replace(file, deposited_cents=file.deposited_cents + ev.cents)


def _with_over(before: PatronFile, after: PatronFile) -> PatronFile:
    """A file with what goes beyond its loss limit: what was staked past it, less what has come back since."""
    if after.loss_limit is None or after.loss_limit.cents is None or after.stakes_uncounted:
        return after
    had, has = loss_room(before, before), loss_room(after, after)
    over = before.over_cents + min(had, 0) - has if has < had else before.over_cents
    over = max(0, min(over, -has))
    return after if over == after.over_cents else replace(after, over_cents=over)


def _stakes_moved(file: PatronFile, ev: pe.StakesMoved) -> PatronFile:
    played = file.practice if ev.practice else file
    others = {table: cents for table, cents in played.open.items() if table != ev.table}
    opened = others | ({ev.table: ev.open_cents} if ev.open_cents else {})
    net = played.net_cents + ev.net_cents
    if ev.practice:
        return replace(file, practice=replace(file.practice, open=opened, net_cents=net))
    return _with_over(file, replace(file, open=opened, net_cents=net))


def _chips_declared(file: PatronFile, ev: pe.ChipsDeclared) -> PatronFile:
    here = {**file.declared.get(ev.table, {}), ev.what: ev.cents}
    return replace(file, declared={**file.declared, ev.table: here})


def _maximum_allowed(file: PatronFile, ev: pe.MaximumAllowed) -> PatronFile:
    return replace(file, maxima={**file.maxima, ev.table: (ev.maximum_cents, ev.minimum_cents)})


def _patron_restricted(file: PatronFile, ev: pe.PatronRestricted) -> PatronFile:
    others = tuple(each for each in file.restrictions if not _same(each, ev))
    new = Restricted(ev.rulebook, ev.rule, ev.where, ev.by, ev.why, ev.until)
    return replace(file, restrictions=(*others, new), restricted_before=True)


def _same(each: Restricted, ev: pe.PatronRestricted | pe.PatronRestrictionLifted) -> bool:
    return (each.rulebook, each.rule, each.where) == (ev.rulebook, ev.rule, ev.where)


def _patron_restriction_lifted(file: PatronFile, ev: pe.PatronRestrictionLifted) -> PatronFile:
    lifted = tuple(replace(each, lifted=True) if _same(each, ev) else each for each in file.restrictions)
    return replace(file, restrictions=lifted)


def _was_excluded(file: PatronFile, ev: pe.Excluded) -> PatronFile:
    others = tuple(each for each in file.exclusions if (each.rulebook, each.scope) != (ev.rulebook, ev.scope))
    return replace(file, exclusions=(*others, Exclusion(ev.rulebook, ev.scope, ev.by, ev.why, ev.until)))


def _admitted(file: PatronFile, ev: pe.Admitted) -> PatronFile:
    def ends(each: Exclusion) -> bool:
        return each.scope == ev.scope and (ev.scope == "casino" or each.rulebook == ev.rulebook)

    return replace(
        file, exclusions=tuple(replace(each, lifted=True) if ends(each) else each for each in file.exclusions)
    )


def _old_minimum(file: PatronFile, ev: pe.OldMinimumKept) -> PatronFile:
    others = {table: cents for table, cents in file.old_minima.items() if table != ev.table}
    return replace(file, old_minima=others | ({ev.table: ev.cents} if ev.cents else {}))


APPLY: dict[type[PatronEvent], Callable[[PatronFile, Any], PatronFile]] = {
    pe.Identified: lambda file, ev: replace(file, identified=ev.document),
    pe.CardIssued: lambda file, ev: replace(file, card=PlayerCard(ev.number, ev.issued, ev.expires), others_cards=()),
    pe.OthersCardHeld: lambda file, ev: replace(file, others_cards=(*_other_cards(file, ev.owner), ev.owner)),
    pe.OthersCardGivenBack: lambda file, ev: replace(file, others_cards=_other_cards(file, ev.owner)),
    pe.CardWithdrawn: lambda file, ev: _with_card(file, withdrawn=ev.reason),
    pe.CardLent: lambda file, ev: _with_card(file, lent_to=ev.lent_to),
    pe.CardReturned: lambda file, ev: _with_card(file, lent_to=""),
    pe.LossLimitSet: _loss_limit_set,
    pe.PeriodTurned: _period_turned,
    pe.DepositLimitSet: _deposit_limit_set,
    pe.DepositDayTurned: _deposit_day_turned,
    pe.Deposited: _deposited,
    pe.PocketChanged: lambda file, ev: replace(file, pocket_cents=file.pocket_cents + ev.cents),
    pe.StakesMoved: _stakes_moved,
    pe.StakesCounted: lambda file, ev: replace(file, stakes_uncounted=False),
    pe.ChipsDeclared: _chips_declared,
    pe.Paused: lambda file, ev: replace(file, paused=True),
    pe.Resumed: lambda file, ev: replace(file, paused=False),
    pe.MaximumAllowed: _maximum_allowed,
    pe.PatronRestricted: _patron_restricted,
    pe.PatronRestrictionLifted: _patron_restriction_lifted,
    pe.Excluded: _was_excluded,
    pe.Admitted: _admitted,
    pe.Recognised: lambda file, ev: replace(file, recognised=ev.why if ev.recognised else ""),
    pe.HelperNamed: lambda file, ev: replace(file, helper=ev.helper),
    pe.OldMinimumKept: _old_minimum,
}
