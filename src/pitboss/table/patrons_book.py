"""What a table is told from outside: the patrons' book of a person, the gaming day, and signs with their time."""

from __future__ import annotations

from pitboss.basics.money import LARGEST_CENTS, dollars
from pitboss.rulebooks.terms import Restriction
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.apply.people import as_told
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING
from pitboss.table.irregularities.people import give_back_before_the_hand
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, both, no, refuse_role
from pitboss.table.shuffle_and_cut import refuse_between_rounds
from pitboss.table.state import Table
from pitboss.table.wagers import refuse_name

COVER_SPLITS = "cover-splits"
LIFTED = "none"
"""In the place of a restriction: there is none any more."""
LIMITS, CLOSING = "limits", "closing"

# --- a person --------------------------------------------------------------------------------------------------------


def restriction_named(table: Table, name: str) -> Restriction | None:
    """The rulebook's restriction of that name that lasts until it is lifted; shorter ones are the table's own."""
    rules = table.rulebook.limits.restrictions.value
    return next((rule for rule in rules if rule.name == name and rule.until == "lifted"), None)


def clauses_of(table: Table, act: a.TellPatron) -> tuple[str, ...]:
    """Why the table must know what it is told."""
    book = table.rulebook
    rule = restriction_named(table, act.restriction)
    terms = [
        (not act.card and book.wagers.player_card.value, book.wagers.player_card.clauses),
        (act.loss_left_cents is not None, book.wagers.loss_limit.clauses),
        (act.deposit_left_cents is not None, book.wagers.deposit_limit.clauses),
        (act.maximum_cents is not None, book.limits.personal_maximum_by.clauses),
        (bool(act.restriction), rule.clauses if rule is not None else book.limits.restrictions.clauses),
        (act.cover_splits is not None or act.recognised, book.limits.restrictions.clauses),
        (act.paused is not None, book.irregularities.loss_limit_pause_by.clauses),
        (act.excluded, book.patrons.excluded_by.clauses),
        (bool(act.barred) or act.admitted, both(book.irregularities.barred_excluded, book.irregularities.barred_by)),
    ]
    found = [clause for said, clauses in terms if said for clause in clauses]
    return tuple(dict.fromkeys(found)) or book.wagers.player_card.clauses


def refuse_tell(table: Table, act: a.TellPatron) -> Refusal | None:
    refused = refuse_name(table, act.player)
    if refused:
        return refused
    terms = table.rulebook
    if act.restriction not in ("", LIFTED) and restriction_named(table, act.restriction) is None:
        text = f"this game has no restriction {act.restriction!r} that lasts until it is lifted."
        return no(table, terms.limits.restrictions.clauses, text)
    for what, cents, clauses in (
        ("what is left of a loss limit", act.loss_left_cents, terms.wagers.loss_limit.clauses),
        ("what goes beyond a loss limit", act.over_cents, terms.wagers.loss_limit.clauses),
        ("what is left of a deposit limit", act.deposit_left_cents, terms.wagers.deposit_limit.clauses),
        ("a maximum of one's own", act.maximum_cents, terms.limits.personal_maximum_by.clauses),
        ("a minimum of one's own", act.minimum_cents, terms.limits.personal_maximum_by.clauses),
    ):
        if cents is not None and not 0 <= cents <= LARGEST_CENTS:
            return no(table, clauses, f"{what} is from nothing to {dollars(LARGEST_CENTS)}, not {dollars(cents)}.")
    return None


@carries_out(a.TellPatron, refuse_tell)
def tell(run: Run, act: a.TellPatron) -> None:
    run.emit(patron_told(run.table, act))
    give_back_before_the_hand(run, act.player)


def patron_told(table: Table, act: a.TellPatron) -> e.PatronTold:
    """The telling as an event: the limit counted from the player's net here, the restriction with what it means."""
    return _as_event(table, act, clauses_of(table, act))


def _as_event(table: Table, act: a.TellPatron, clauses: tuple[str, ...]) -> e.PatronTold:
    rule = restriction_named(table, act.restriction) if act.restriction else None
    left = act.loss_left_cents
    return e.PatronTold(
        clauses,
        act.player,
        act.card,
        None if left is None else left - act.over_cents - table.net.get(act.player, 0),
        act.deposit_left_cents,
        act.maximum_cents,
        act.minimum_cents,
        act.restriction,
        rule is not None and rule.minimum_only,
        rule.boxes_max if rule is not None else 0,
        rule.until if rule is not None else "",
        act.cover_splits,
        act.recognised,
        act.restricted_before,
        act.paused,
        act.excluded,
        act.admitted,
        act.barred,
    )


def is_news(table: Table, act: a.TellPatron) -> bool:
    """Whether the table does not know already what it would be told."""
    known = table.players.get(act.player)
    return known is None or as_told(known, _as_event(table, act, ())) != known


def at_stake(table: Table, player: str) -> int:
    """What a player has on the layout that is not decided yet: wagers of every kind, doubled and split portions."""
    cents = 0
    for box in table.boxes.values():
        if player in box.wagers:
            cents += box.wagers[player].cents
        if box.side or box.insurance:
            cents += box.insurance.get(player, 0) + sum(placed.get(player, 0) for placed in box.side.values())
        for hand in box.hands:
            if player in hand.wagers and not (wager := hand.wagers[player]).settled:
                cents += wager.cents + wager.doubled_cents
            if hand.matching and player in hand.matching:
                cents += hand.matching[player].cents
    return cents


# --- the gaming day --------------------------------------------------------------------------------------------------


def refuse_turn_date(table: Table, act: a.TurnDate) -> Refusal | None:
    clauses = table.rulebook.patrons.day_by.clauses
    if table.house.date is not None and act.date <= table.house.date:
        return no(table, clauses, f"this table's gaming day is {table.house.date} already: no day comes twice.")
    return refuse_between_rounds(table, clauses)


@carries_out(a.TurnDate, refuse_turn_date)
def turn_date(run: Run, act: a.TurnDate) -> None:
    """What lies was placed by the rules of the day before, and is played by those of this one."""
    run.emit(e.DateTurned(run.table.rulebook.patrons.day_by.clauses, act.date))
    for player in tuple(run.table.players):
        give_back_before_the_hand(run, player)


# --- signs -----------------------------------------------------------------------------------------------------------


def limits_told(kind: str, minimum_cents: int, maximum_cents: int) -> str:
    """Limits as players are told of them."""
    of = "" if kind == ORIGINAL else f"{kind.replace('-', ' ')}: "
    return f"{of}minimum {dollars(minimum_cents)}, maximum {dollars(maximum_cents)}"


def refuse_display(table: Table, act: a.DisplaySign) -> Refusal | None:
    limits, closes = table.rulebook.limits, table.rulebook.patrons.close_notice_minutes
    if act.what not in (LIMITS, CLOSING):
        return no(table, limits.sign.clauses, f"a sign is about {LIMITS} or {CLOSING}, not {act.what!r}.")
    least = limits.raise_notice_minutes if act.what == LIMITS else closes
    if act.what == LIMITS:
        refused = refuse_role(table, act.by, limits.changed_by, "alter the limits")
        if refused is None and not 0 < act.minimum_cents <= act.maximum_cents:
            refused = no(table, limits.sign.clauses, "the minimum is above zero and not above the maximum.")
        if refused is None and act.kind != ORIGINAL and (act.kind not in table.house.side_bets or act.kind == BLAZING):
            refused = no(table, limits.sign.clauses, f"this table has no limits for {act.kind!r} to alter.")
        if refused is not None:
            return refused
    elif not may_act(act.by, "casino-supervisor"):
        return no(table, closes.clauses, "a casino supervisor has a table closed.")
    minutes = least.value if act.what == CLOSING or binds_somebody(table, act) else 0
    if not minutes <= act.minutes <= 1440:
        text = f"the sign stands for {minutes} minutes to a day before it takes effect, not for {act.minutes}."
        return no(table, least.clauses, text)
    return None


def binds_somebody(table: Table, act: a.DisplaySign) -> bool:
    """Whether anybody's minimum rises when the sign takes effect: that of the table, or an old one that they keep."""
    if act.kind != ORIGINAL:
        return True
    kept = [state.minimum_cents for state in table.players.values() if state.minimum_cents]
    return act.minimum_cents > min([table.house.minimum_cents, *kept])


@carries_out(a.DisplaySign, refuse_display)
def display(run: Run, act: a.DisplaySign) -> None:
    terms = run.table.rulebook
    limits, closes = terms.limits, terms.patrons.close_notice_minutes
    clauses = both(limits.raise_notice_minutes, limits.changed_by) if act.what == LIMITS else closes.clauses
    run.emit(
        e.SignDisplayed(
            clauses, act.by, act.what, act.minutes, act.minimum_cents, act.maximum_cents, act.kind, act.at_ms
        )
    )
    new = limits_told(act.kind, act.minimum_cents, act.maximum_cents)
    text = f"{new if act.what == LIMITS else 'this table closes'} in {act.minutes} minutes"
    run.emit(e.NoticeGiven(clauses, "players", text))


def refuse_take_down(table: Table, act: a.TakeDownSign) -> Refusal | None:
    limits, closes = table.rulebook.limits, table.rulebook.patrons.close_notice_minutes
    if act.what not in (LIMITS, CLOSING):
        return no(table, limits.sign.clauses, f"a sign is about {LIMITS} or {CLOSING}, not {act.what!r}.")
    if act.what == LIMITS:
        refused = refuse_role(table, act.by, limits.changed_by, "take down a sign about limits")
        if refused is not None:
            return refused
    elif not may_act(act.by, "casino-supervisor"):
        return no(table, closes.clauses, "a casino supervisor has the sign taken down.")
    if not any((sign.what, sign.kind) == (act.what, act.kind) for sign in table.signs):
        clauses = limits.raise_notice_minutes.clauses if act.what == LIMITS else closes.clauses
        return no(table, clauses, "no such sign stands at the table.")
    return None


@carries_out(a.TakeDownSign, refuse_take_down)
def take_down(run: Run, act: a.TakeDownSign) -> None:
    terms = run.table.rulebook
    limits, closes = terms.limits, terms.patrons.close_notice_minutes
    clauses = both(limits.raise_notice_minutes, limits.changed_by) if act.what == LIMITS else closes.clauses
    run.emit(e.SignTakenDown(clauses, act.by, act.what, act.kind))


def refuse_closing(table: Table, at_ms: int) -> Refusal | None:
    """Why a table with a gaming date is not closed yet under its players: a sign, or the call of the last rounds."""
    terms = table.rulebook.patrons
    least = terms.close_notice_minutes
    if table.house.date is None or not any(state.present for state in table.players.values()):
        return None
    if terms.close_final_rounds.value and table.final_rounds == 0:
        return None
    stands = sign_stands(table, CLOSING, at_ms)
    if any(sign.what == CLOSING for sign in table.signs) and stands >= least.value:
        return None
    text = f"players are at the table: it closes after a sign has said so for {least.value} minutes."
    return no(table, least.clauses, text if least.value else "players are at the table: a sign tells them first.")


def sign_stands(table: Table, what: str, at_ms: int, minimum_cents: int = 0, kind: str = ORIGINAL) -> int:
    """For how many whole minutes a sign has said so, by the moment `at_ms`; 0 where none does, or not yet its time."""
    for sign in table.signs:
        if sign.what == what and sign.kind == kind and sign.minimum_cents == minimum_cents:
            minutes = (at_ms - sign.at_ms) // 60_000
            return minutes if minutes >= sign.minutes else 0
    return 0
