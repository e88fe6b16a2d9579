"""Tables, draws, sessions, eliminations, play-offs and prizes: why not, and what comes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.basics.money import dollars, plain_dollars
from pitboss.rulebooks.meanings import (
    ABSENCE_FORFEITS,
    DISQUALIFIED_KEEP_CHIPS,
    JOINT_ELIMINATION_RANKED,
    NO_WAGER_DISQUALIFIES,
    SEATS_BY_BALLOT,
)
from pitboss.table.refusals import Refusal
from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.conditions import Stage
from pitboss.tournament.deciding import Case, Decided
from pitboss.tournament.leads import sure_of_the_next
from pitboss.tournament.money import INVENTORY, pool_of, worth
from pitboss.tournament.ranking import across_the_line, order_at, places, prizes
from pitboss.tournament.state import DISQUALIFIED, ENTERED, FORFEITED, InPlay

DISQUALIFYING = (
    "disqualify", "contravention", "increase", "conceal", "in-view", "every-round", "advice", "absent",
)  # fmt: skip
"""For what somebody is disqualified: the steps that a rulebook has clauses for."""


# --- tables and draws ------------------------------------------------------------------------------------------------


def designate(case: Case, act: ta.DesignateTables) -> Decided:
    refused = case.refuse_manager(act.by, "designate") or case.refuse_over()
    if refused is not None:
        return refused
    limits = case.rulebook.limits
    for each in act.tables:
        if each.low_limit and limits.low_limit_no_tournament.value:
            text = f"{each.table} is a low-limit table, and offers no tournament play."
            return case.refusal(limits.low_limit_no_tournament.clauses, text)
        if each.boxes not in case.rulebook.boxes.number.value:
            return case.refusal(case.rulebook.boxes.number.clauses, f"{each.table} cannot have {each.boxes} boxes.")
    names = [each.table for each in act.tables]
    if not names or len(set(names)) < len(names):
        return case.no("designate", "allocate", text="name each table once.")
    if case.state.stage:
        return case.no("designate", "exclusive", text=f"{case.state.stage} is on: its tables stay as they are.")
    return (te.TablesDesignated(case.cite("designate", "players-per-table"), {t.table: t.boxes for t in act.tables}),)


def use_table(case: Case, act: ta.UseTable) -> Decided:
    """A designated table is used for nothing else while a session is on; nothing comes of asking for another."""
    on = case.state.session(act.table)
    if on is not None and on[1].status not in ("drawn", "returned"):
        text = f"{act.table} is used for tournament play alone until its session is over."
        return case.no("exclusive", "allocate", text=text)
    return ()


def commit(case: Case, act: ta.CommitDraws) -> Decided:
    refused = case.refuse_manager(act.by, "allocate") or case.refuse_over()
    if refused is not None:
        return refused
    if case.state.digests:
        return case.no("allocate", text="the draws are laid down already.")
    if case.state.status != "entries":
        return case.no("allocate", text="draws are laid down before entries close, while nobody knows who is drawn.")
    stages = {stage.name for stage in case.conditions.stages}
    if set(act.digests) != stages:
        return case.no("allocate", text=f"lay down a digest for each stage: {', '.join(sorted(stages))}.")
    if any(len(each) != 64 or set(each) - set("0123456789abcdef") for each in act.digests.values()):
        return case.no("allocate", text="a digest is the SHA-256 of a secret, 64 hexadecimal digits.")
    return (te.DrawsCommitted(case.cite("allocate"), dict(act.digests)),)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def seed_of(secret: str, stage: str, names: Sequence[str]) -> str:
    """What a stage is drawn from: the secret, and who is drawn in the order of their entry.

    Nobody can choose the one knowing the other: the secret was laid down before entries closed.
    """
    return f"{secret}/{stage}/{','.join(names)}"


def who_plays(case: Case, stage: Stage) -> tuple[str, ...]:
    """Those who are drawn for a stage, in the order of their entry."""
    first = case.conditions.stages[0].name
    if stage.name == first:
        return tuple(each.name for each in case.state.entered())
    return tuple(
        name for name in case.state.qualified.get(stage.name, ()) if case.state.entrants[name].status == ENTERED
    )


def _refuse_draw(case: Case, by: str, name: str) -> Refusal | Stage:
    refused = case.refuse_manager(by, "allocate") or case.refuse_over()
    if refused is not None:
        return refused
    stage = case.conditions.stage(name)
    if stage is None:
        return case.no("allocate", text=f"there is no stage {name!r}.")
    if case.state.status == "entries":
        return case.no("allocate", text="entries are still open.")
    if case.state.stage:
        return case.no("allocate", text=f"{case.state.stage} is not finished.")
    if stage.name in case.state.done:
        return case.no("allocate", text=f"{name} is over.")
    for each in case.conditions.stages[: case.conditions.stages.index(stage)]:
        if each.name not in case.state.done:
            return case.no("allocate", text=f"{each.name} comes before {name}.")
    needed = stage.tables or 1
    if len(case.state.tables) < needed:
        text = f"{name} is played at {needed} tables, and {len(case.state.tables)} are designated."
        return case.no("designate", "players-per-table", text=text)
    people, seats = len(who_plays(case, stage)), needed * _seats_at(case)
    if people > seats:
        text = f"{people} players and {seats} seats at {needed} tables: designate and plan for more."
        return case.no("players-per-table", "allocate", text=text)
    return stage


def _seats_at(case: Case) -> int:
    boxes = list(case.state.tables.values())
    return min(case.conditions.conduct.players_at_table, *boxes) if boxes else case.conditions.conduct.players_at_table


def draw(case: Case, act: ta.DrawSeats) -> Decided:
    stage = _refuse_draw(case, act.by, act.stage)
    if isinstance(stage, Refusal):
        return stage
    if case.state.digests.get(act.stage) != digest_of(act.secret):
        return case.no("allocate", text="the secret is not the one whose digest was laid down for this draw.")
    people = who_plays(case, stage)
    if sorted(act.order) != sorted(people):
        return case.no("allocate", text=f"everybody who plays in {act.stage} is drawn once.")
    return (te.SeatsDrawn(case.cite("allocate"), act.stage, dealt_out(case, stage, act.order), act.secret, act.order),)


def dealt_out(case: Case, stage: Stage, order: Sequence[str]) -> dict[str, tuple[str, int]]:
    """The drawn players at the tables of a stage: one after the other, so that tables differ by one player at most."""
    tables = list(case.state.tables)[: min(stage.tables or 1, len(order))]
    return {name: (tables[at % len(tables)], at // len(tables) + 1) for at, name in enumerate(order)}


def allot(case: Case, act: ta.AllotSeats) -> Decided:
    stage = _refuse_draw(case, act.by, act.stage)
    if isinstance(stage, Refusal):
        return stage
    terms = case.rulebook.tournament
    by_ballot = SEATS_BY_BALLOT[terms.seats.value] or case.conditions.conduct.seats != "manager"
    clauses = terms.seats.clauses if SEATS_BY_BALLOT[terms.seats.value] else case.cite("allocate")
    if by_ballot and not act.drawn:
        return case.refusal(clauses, "seats are drawn by ballot; lots drawn on paper are written as such (drawn).")
    if act.drawn and case.state.digests:
        return case.refusal(clauses, "the draws are laid down: seats are drawn from their secrets, not on paper.")
    if sorted(act.seats) != sorted(who_plays(case, stage)):
        return case.no("allocate", text=f"everybody who plays in {act.stage} has one seat.")
    if len(set(act.seats.values())) < len(act.seats):
        return case.no("allocate", text="two players have the same seat.")
    for name, (table, box) in act.seats.items():
        if table not in case.state.tables or not 1 <= box <= case.state.tables[table]:
            return case.no("allocate", "designate", text=f"{name}: there is no box {box} at a table {table!r}.")
    return (te.SeatsDrawn(case.cite("allocate"), act.stage, dict(act.seats), on_paper=act.drawn),)


def move_start(case: Case, act: ta.MoveStart) -> Decided:
    refused = case.refuse_manager(act.by, "move-start") or case.refuse_over()
    if refused is not None:
        return refused
    stage = case.conditions.stage(act.stage)
    if stage is None or act.stage in case.state.done or _begun(case, act.stage):
        return case.no("move-start", "publish", text=f"{act.stage} has begun, or is none.")
    minutes = case.conditions.conduct.notice_minutes
    if (act.start - act.at).total_seconds() < 60 * minutes:
        return case.no("move-start", "publish", text=f"players are told {minutes} minutes before it at least.")
    return (te.StartMoved(case.cite("move-start", "publish"), act.stage, act.start),)


def _begun(case: Case, stage: str) -> bool:
    return any(each.stage == stage and each.status != "drawn" for each in case.state.sessions.values())


# --- a session -------------------------------------------------------------------------------------------------------


def come(case: Case, act: ta.ComeToSeat) -> Decided:
    refused = case.refuse_over()
    found = case.state.session_of(act.name)
    if refused is None and found is None:
        refused = case.no("position", "allocate", text=f"{act.name} has no seat.")
    if refused is not None or found is None:
        return refused or ()
    session = found[1]
    box = next(box for box, name in session.seats.items() if name == act.name)
    if act.table and (act.table, act.box) != (session.table, box):
        text = f"{act.name} plays at {session.table}, box {box}, and nowhere else."
        return case.no("position", text=text)
    if case.state.entrants[act.name].seated:
        return case.no("position", text=f"{act.name} sits there already.")
    return (te.SeatTaken(case.cite("position", "allocate"), act.name),)


def buy_in(case: Case, act: ta.BuyIn) -> Decided:
    chips = case.conditions.chips
    refused = case.refuse_staff(act.by, "allot") or case.refuse_over()
    found = case.state.session_of(act.name)
    if refused is None and not chips.bought:
        refused = case.no("allot", text="chips are allotted, and not bought.")
    if refused is None and (found is None or found[1].status != "drawn"):
        refused = case.no("increase", text=f"{act.name} buys in before a session in which they have a seat.")
    if refused is None and case.state.entrants[act.name].bought_in_cents:
        refused = case.no("increase", "allot", text=f"{act.name} has bought in: everybody has an equal allotment.")
    if refused is None and act.cents != chips.price_cents:
        text = f"the buy-in is {dollars(chips.price_cents)}, not {dollars(act.cents)}."
        refused = case.no("buy-in", "allot", text=text)
    return refused or (te.BoughtIn(case.cite("buy-in", "allot"), act.name, act.cents, not chips.cash_value),)


def start(case: Case, act: ta.StartSession) -> Decided:
    refused = case.refuse_manager(act.by) or case.refuse_over()
    if refused is not None:
        return refused
    waiting = [each for each in case.state.sessions.values() if each.stage == act.stage and each.status == "drawn"]
    if act.stage != case.state.stage or not waiting:
        return case.no("allocate", text=f"no seats are drawn for {act.stage}.")
    stage = case.conditions.stage(act.stage)
    begins = stage.start if stage is not None and stage.start is not None else case.conditions.start
    if begins is not None and act.at < begins and not case.state.done and not any(each.play_off for each in waiting):
        return case.no("move-start", "absent", text=f"it starts at {begins:%H:%M on %d %B %Y}: move the start first.")
    for session in waiting:
        refused = case.refuse_disputed(session.table)
        if refused is not None:
            return refused
    found: list[te.TournamentEvent] = [te.SessionStarted(case.cite("allot"), act.stage)]
    for session in waiting:
        for _, name in sorted(session.seats.items()):
            who = case.state.entrants[name]
            if name in session.gone:
                if case.conditions.chips.cash_value and who.bought_in_cents and not session.play_off:
                    found.append(te.BuyInRefunded(case.cite("redeem"), name, who.bought_in_cents))
            elif not who.seated and ABSENCE_FORFEITS[case.rulebook.tournament.absence.value] and not session.play_off:
                found.append(te.SeatForfeited(case.cite("forfeit-seat"), name))
            elif case.conditions.chips.bought and not session.play_off and who.bought_in_cents == 0:
                found.append(te.Eliminated(case.cite("buy-in-missing", "buy-in"), name, session.table, 0))
            else:
                found.append(
                    te.ChipsAllotted(case.cite("allot"), name, session.table, _begins_with(case, session, name))
                )
    issued = sum(each.cents for each in found if isinstance(each, te.ChipsAllotted))
    stock = case.conditions.chips.inventory_cents
    if stock and issued > stock + case.state.chip_accounts.get(INVENTORY, 0):
        text = f"{plain_dollars(issued)} in chips are wanted, and the inventory has less: chips.inventory."
        return case.no("inventory", "tournament-chips", text=text)
    return tuple(found)


def _begins_with(case: Case, session: InPlay, name: str) -> int:
    """The equal allotment; what they had where chips are carried on, or where a tie goes on in more rounds."""
    usual = case.conditions.chips.amount_cents or 0
    if not (case.knows("more-rounds") if session.play_off else case.conditions.chips.carried):
        return usual
    names = case.state.stood_for(name)
    played = [each.chips.get(who, 0) for each in reversed(case.state.sessions.values()) for who in names]
    had = next((cents for cents in played if cents), 0)
    return had if had >= limits_at(case, session, 1)[0] else usual


def _on(case: Case, table: str) -> tuple[str, InPlay] | Refusal:
    found = case.state.session(table)
    if found is None or found[1].status != "playing":
        return case.no("allocate", text=f"no session is played at {table}.")
    return found


def limits_at(case: Case, session: InPlay, number: int) -> tuple[int, int]:
    stage = case.conditions.stage(session.stage)
    return case.conditions.limits(stage, number) if stage is not None else (0, 0)


def report(case: Case, act: ta.ReportRound) -> Decided:
    """A round is over: the chips are as they lie, and who cannot wager the minimum of the next one is out."""
    refused = case.refuse_staff(act.by, "count-session") or case.refuse_over() or case.refuse_disputed(act.table)
    if refused is not None:
        return refused
    on = _on(case, act.table)
    if isinstance(on, Refusal):
        return on
    session = on[1]
    stage = case.conditions.stage(session.stage)
    if stage is not None and stage.rounds and session.number >= stage.rounds and not session.play_off:
        return case.no("allocate", text=f"the {stage.rounds} rounds of the session are played.")
    if sorted(act.chips) != sorted(session.playing) or any(cents < 0 for cents in act.chips.values()):
        return case.no("count-session", text=f"say what lies in front of {', '.join(session.playing)}, nobody else.")
    if act.void and any(session.chips[name] != cents for name, cents in act.chips.items()):
        clauses = case.rulebook.irregularities.void_interim.clauses
        return case.refusal(clauses, "a void round leaves everybody what they had.")
    number = session.number + 1
    cited = case.cite("approved-chips", "tournament-chips")
    found: list[te.TournamentEvent] = [te.RoundReported(cited, act.table, number, dict(act.chips), act.void)]
    coming = number + (not act.void)
    least, most = limits_at(case, session, coming)
    needed = _needed(case, session, number, least)
    refused = _refuse_unordered(case, session, act, needed)
    if refused is not None:
        return refused
    if (least, most) != limits_at(case, session, number):
        cited = case.cite("limits-change") if case.knows("limits-change") else _limits_item(case)
        found.append(te.LimitsChanged(cited, act.table, coming, least, most))
    return tuple(found + _who_is_out(case, session, act, number, needed))


def _who_is_out(
    case: Case, session: InPlay, act: ta.ReportRound | ta.CorrectRound, number: int, least: int
) -> list[te.TournamentEvent]:
    """Who cannot wager the minimum of the next round, and the order that a play-off has made by now."""
    found: list[te.TournamentEvent] = []
    broke = [name for name in session.playing if act.chips[name] < least]
    for name in broke:
        removal = act.removed.index(name) + 1 if name in act.removed else 0
        together = len(broke) > 1
        cited = case.cite("unable", *(("joint",) if together else ()))
        found.append(te.Eliminated(cited, name, act.table, number, act.chips[name], act.wagers.get(name, 0), removal))
    if session.play_off:
        after = [name for name in session.playing if name not in broke]
        order = _play_off_order(session, act.chips, after, found)
        if order is not None:
            found.append(te.PlayOffDecided(case.cite("tie"), act.table, order))
    return found


def _needed(case: Case, session: InPlay, number: int, least: int) -> int:
    """What somebody must have after a round to be still in: the minimum of the next one, anything after the last."""
    stage = case.conditions.stage(session.stage)
    last = stage is not None and not session.play_off and 0 < stage.rounds <= number
    return 1 if last else least


def _refuse_unordered(case: Case, session: InPlay, act: ta.ReportRound | ta.CorrectRound, least: int) -> Refusal | None:
    """Of those who lose everything on equal wagers it must be known whose chips were removed first."""
    if not JOINT_ELIMINATION_RANKED[case.rulebook.tournament.joint_elimination.value]:
        return None
    lost = [name for name in session.playing if act.chips[name] < min(least, session.chips[name])]
    for name in lost:
        like = [n for n in lost if (act.chips[n], act.wagers.get(n)) == (act.chips[name], act.wagers.get(name))]
        if name not in act.removed and len(like) > 1:
            text = f"{', '.join(like)} go out level: say what they wagered, or whose chips went first (removed)."
            return case.no("joint", text=text)
    return None


def correct(case: Case, act: ta.CorrectRound) -> Decided:
    """The last round was laid again: what it brought now stands, and who was out by it is looked at anew."""
    refused = case.refuse_staff(act.by, "count-session") or case.refuse_over() or case.refuse_disputed(act.table)
    if refused is not None:
        return refused
    on = _on(case, act.table)
    if isinstance(on, Refusal):
        return on
    session = on[1]
    if not session.number:
        return case.no("count-session", text=f"no round was reported at {act.table}.")
    back = {name: each for name, each in session.out.items() if each.number != session.number}
    session = replace(session, out=back, decided=())
    if sorted(act.chips) != sorted(session.playing) or any(cents < 0 for cents in act.chips.values()):
        return case.no("count-session", text=f"say what lies in front of {', '.join(session.playing)}, nobody else.")
    corrected = te.RoundCorrected(
        case.cite("approved-chips", "tournament-chips"), act.table, session.number, dict(act.chips)
    )
    least = _needed(case, session, session.number, limits_at(case, session, session.number + 1)[0])
    refused = _refuse_unordered(case, session, act, least)
    return refused or (corrected, *_who_is_out(case, session, act, session.number, least))


def _limits_item(case: Case) -> tuple[str, ...]:
    return case.rulebook.tournament.items.clauses


def _play_off_order(
    session: InPlay, chips: dict[str, int], after: list[str], found: Sequence[te.TournamentEvent]
) -> tuple[str, ...] | None:
    """The order that a play-off has made, or None where it must go on: a count after each round."""
    outs = [each for each in found if isinstance(each, te.Eliminated)]
    late = sorted(outs, key=lambda each: (each.residual_cents, each.wager_cents, each.removal), reverse=True)
    earlier = sorted(
        session.out.items(),
        key=lambda item: (item[1].number, item[1].residual_cents, item[1].wager_cents, item[1].removal),
        reverse=True,
    )
    alive = sorted(after, key=lambda name: -chips[name])
    order = (*alive, *(each.name for each in late), *(name for name, _ in earlier))
    last = session.places or len(order)
    values = [(1, chips[name], 0, 0) for name in alive]
    values += [(0, each.residual_cents, each.wager_cents, each.removal) for each in late]
    values += [(-1, at, 0, 0) for at in range(len(earlier), 0, -1)]
    open_ = [at for at in range(1, len(values)) if values[at] == values[at - 1]]
    return order if not [at for at in open_ if not session.places or at == last] else None


def eliminate_idle(case: Case, act: ta.EliminateIdle) -> Decided:
    """Who does not wager on a round is out of the session, where the rules do not disqualify them for it."""
    refused = case.refuse_manager(act.by, "every-round") or case.refuse_over()
    found = case.state.session_of(act.name)
    if refused is None and (found is None or found[1].status != "playing" or act.name not in found[1].playing):
        refused = case.no("every-round", text=f"{act.name} is in no session.")
    if refused is None and not act.unable and NO_WAGER_DISQUALIFIES[case.rulebook.tournament.no_wager.value]:
        refused = case.no("every-round", text="who does not wager on a round is disqualified.")
    if refused is not None or found is None:
        return refused or ()
    session = found[1]
    if act.unable and session.chips[act.name] >= limits_at(case, session, session.number + 1)[0]:
        return case.no("unable", "units", text=f"{act.name} has chips for the minimum.")
    cited = case.cite(*(("unable", "units") if act.unable else ("every-round", "unable")))
    return (te.Eliminated(cited, act.name, session.table, session.number + 1, session.chips[act.name]),)


def deduct(case: Case, act: ta.DeductAbsent) -> Decided:
    """The minimum for a round that somebody misses, three times at most."""
    refused = case.refuse_manager(act.by, "deduct") or case.refuse_over()
    if refused is None and not case.knows("deduct"):
        refused = case.no("absent", "forfeit-seat", text="nothing is deducted: who is not there forfeits the position.")
    found = case.state.session_of(act.name)
    if refused is None and (found is None or found[1].status != "playing" or act.name not in found[1].playing):
        refused = case.no("absent", text=f"{act.name} is in no session.")
    if refused is not None or found is None:
        return refused or ()
    session = found[1]
    most = case.rulebook.tournament.absent_rounds
    if session.absent.get(act.name, 0) >= most.value:
        text = f"the minimum was deducted for {most.value} rounds: cancel the position, or wait."
        return case.refusal(most.clauses, text)
    least, _ = limits_at(case, session, session.number + 1)
    cents = min(least, session.chips[act.name])
    return (te.Deducted(case.cite("deduct", "absent"), act.name, session.table, cents),)


def cancel_position(case: Case, act: ta.CancelPosition) -> Decided:
    refused = case.refuse_manager(act.by, "cancel-position") or case.refuse_over()
    found = case.state.session_of(act.name)
    if refused is None and (found is None or act.name not in found[1].playing):
        refused = case.no("absent", text=f"{act.name} is in no session.")
    if refused is None and not case.knows("cancel-position"):
        refused = case.no("forfeit-seat", text="who is not there when the session begins forfeits the position then.")
    if refused is not None or found is None:
        return refused or ()
    who = case.state.entrants[act.name]
    back = min(who.paid_cents, case.conditions.entry.fee_cents or 0) if act.refund else 0
    cited = case.cite("cancel-position", "absent")
    return (te.Disqualified(cited, act.name, "absent", found[1].table, _kept(case, found[1], act.name), back),)


def _kept(case: Case, session: InPlay | None, name: str) -> int:
    """What the chips of who is disqualified are worth in money, where they keep that."""
    chips = case.conditions.chips
    if session is None or session.play_off or not chips.cash_value:
        return 0
    if not DISQUALIFIED_KEEP_CHIPS[case.rulebook.tournament.disqualified_keeps.value]:
        return 0
    return worth(case.conditions.chips, session.chips.get(name, 0))


def disqualify(case: Case, act: ta.Disqualify) -> Decided:
    refused = case.refuse_manager(act.by, "disqualify") or case.refuse_over()
    who = case.state.entrants.get(act.name)
    if refused is None and (who is None or who.status != ENTERED):
        refused = case.no("disqualify", "contravention", text=f"{act.name} takes no part any more.")
    if refused is None and act.rule not in DISQUALIFYING:
        text = f"{act.rule!r} is nothing to be disqualified for; known: {', '.join(DISQUALIFYING)}."
        refused = case.no("disqualify", "contravention", text=text)
    if refused is None and not act.why.strip():
        refused = case.no("disqualify", "contravention", text="say why.")
    if refused is not None:
        return refused
    found = case.state.session_of(act.name)
    session = found[1] if found is not None else None
    cited = case.cite(act.rule, "disqualify", "contravention")
    cited += case.rulebook.tournament.disqualified_keeps.clauses
    where = session.table if session is not None else ""
    return (te.Disqualified(tuple(dict.fromkeys(cited)), act.name, act.why, where, _kept(case, session, act.name)),)


def conclude(case: Case, act: ta.ConcludeSession) -> Decided:
    refused = case.refuse_supervisor(act.by, "conclude") or case.refuse_over() or case.refuse_disputed(act.table)
    if refused is not None:
        return refused
    on = _on(case, act.table)
    if isinstance(on, Refusal):
        return on
    session, stage = on[1], case.conditions.stage(on[1].stage)
    rounds = stage.rounds if stage is not None else 0
    if session.play_off:
        if session.decided or len(session.playing) < 2:
            return (te.SessionConcluded(case.cite("tie"), act.table),)
        return case.no("tie", text="the play-off goes on until an order is determined.")
    if not act.early and rounds and session.number < rounds and len(session.playing) > 1:
        return case.no("conclude", "announce", text=f"{rounds - session.number} rounds of the session are to come.")
    if not act.early or len(session.playing) < 2:
        return (te.SessionConcluded(case.cite("count-session"), act.table),)
    if not case.knows("conclude"):
        return case.no("announce", text="the rules let nobody end a session before its time.")
    refused = case.refuse_manager(act.by, "conclude")
    if refused is not None:
        return refused
    advance = stage.advance if stage is not None and stage.advance else 1
    sure = stage is not None and sure_of_the_next(case.rulebook, case.conditions, stage, session)
    if len(session.playing) > advance and not sure:
        text = f"{len(session.playing)} players are in, and it is not determined which {advance} of them go on."
        return case.no("conclude", text=text)
    if case.conditions.chips.cash_value and sorted(act.agreed) != sorted(session.playing):
        text = "chips turn into cash: the session ends early only where all players at the table agree."
        return case.no("conclude-agreed", text=text)
    cited = case.cite("conclude", *(("conclude-agreed",) if case.conditions.chips.cash_value else ()))
    return (te.SessionConcluded(cited, act.table, True),)


def count(case: Case, act: ta.CountChips) -> Decided:
    refused = case.refuse_staff(act.by, "count-session") or case.refuse_over()
    if refused is None and act.ordered:
        refused = case.refuse_manager(act.by, "count")
    found = case.state.session(act.table)
    wanted = ("playing",) if act.ordered else ("over",)
    if refused is None and (found is None or found[1].status not in wanted):
        refused = case.no("count-session", text=f"there is nothing to count at {act.table} now.")
    if refused is not None or found is None:
        return refused or ()
    session = found[1]
    if sorted(act.chips) != sorted(session.playing) or any(cents < 0 for cents in act.chips.values()):
        return case.no("count-session", text=f"count the chips of {', '.join(session.playing)}, and of nobody else.")
    differs = {n: cents - session.chips[n] for n, cents in act.chips.items() if cents != session.chips[n]}
    step = "count" if act.ordered and case.knows("count") else "count-session"
    return (te.ChipsCounted(case.cite(step), act.table, dict(act.chips), act.ordered, differs),)


def redeem(case: Case, act: ta.RedeemChips) -> Decided:
    """Who has left the table has the cash for their chips at once, where chips are redeemed."""
    refused = case.refuse_staff(act.by, "redeem") or case.refuse_over()
    if refused is None and not case.conditions.chips.cash_value:
        clauses = case.rulebook.tournament.redemption.clauses
        refused = case.refusal(clauses, "the tournament chips have no value in money (chips.cash_value).")
    found = case.state.session_of(act.name)
    if refused is None and (found is None or found[1].status == "drawn" or found[1].play_off):
        refused = case.no("redeem", text=f"{act.name} has no chips that could be redeemed.")
    if refused is not None or found is None:
        return refused or ()
    session = found[1]
    if act.name in session.playing:
        text = f"{act.name} is in the session: chips are redeemed when they leave the table, or when it is over."
        return case.no("redeem", "in-view", text=text)
    cents = session.left.get(act.name, 0)
    if not cents:
        return case.no("redeem", text=f"{act.name} has no chips that could be redeemed.")
    worth_cents = worth(case.conditions.chips, cents)
    return (te.ChipsRedeemed(case.cite("redeem"), act.name, session.table, cents, worth_cents),)


def return_chips(case: Case, act: ta.ReturnChips) -> Decided:
    """Chips with a cash value are redeemed; all others, and these, go back; what is not there is written down."""
    refused = case.refuse_staff(act.by, "chips-returned") or case.refuse_over()
    found = case.state.session(act.table)
    if refused is None and (found is None or found[1].status != "counted"):
        refused = case.no("chips-returned", text=f"the chips at {act.table} are counted first.")
    known = set(case.conditions.chips.denominations_cents)
    if refused is None and any(chip not in known or pieces < 1 for chip, pieces in act.missing.items()):
        shown = ", ".join(plain_dollars(chip) for chip in sorted(known))
        refused = case.no("shortfall", "chips-returned", text=f"say how many chips of {shown} are missing.")
    if refused is not None or found is None:
        return refused or ()
    session = found[1]
    events: list[te.TournamentEvent] = []
    left = session.left
    if case.conditions.chips.cash_value and not session.play_off:
        for name, cents in list(left.items()):
            events.append(
                te.ChipsRedeemed(case.cite("redeem"), name, act.table, cents, worth(case.conditions.chips, cents))
            )
            left.pop(name)
    missing = sum(chip * pieces for chip, pieces in act.missing.items())
    cited = case.cite("inventory", "chips-returned", *(("shortfall",) if missing else ()))
    events.append(te.ChipsReturned(cited, act.table, left, dict(act.missing), missing))
    return tuple(events)


# --- who goes on -----------------------------------------------------------------------------------------------------


def announce(case: Case, act: ta.Announce) -> Decided:
    """Winners and placegetters of a stage; a tie that matters is played off first."""
    refused = case.refuse_manager(act.by, "announce") or case.refuse_over()
    stage = case.conditions.stage(act.stage)
    if refused is None and (stage is None or act.stage != case.state.stage):
        refused = case.no("announce", text=f"{act.stage} is not being played.")
    if refused is not None or stage is None:
        return refused or ()
    sessions = [each for each in case.state.sessions.values() if each.stage == act.stage]
    if any(each.status != "returned" for each in sessions):
        return case.no("announce", "count-session", text="first every table is counted and its chips go back.")
    if case.state.disputes and case.knows("dispute"):
        return case.no("dispute", "announce", text="first the disputes are decided.")
    final = case.conditions.follows(stage) is None
    through: list[str] = []
    due: list[te.TournamentEvent] = []
    for session in sessions:
        if not session.play_off:
            here, tied = _through(case, stage, session, final=final)
            through += here
            due += tied
    if due:
        return tuple(due)
    onward = case.conditions.follows(stage)
    again = case.conditions.repechage_of(stage)
    everybody = [
        name
        for each in sessions
        if not each.play_off
        for name in each.seats.values()
        if case.state.entrants[name].status not in (FORFEITED, DISQUALIFIED)
    ]
    losers = tuple(name for name in _by_entry(case, everybody) if name not in through) if again is not None else ()
    cited = case.cite("announce", "win", "advance")
    goes_on = () if final else _by_entry(case, through)
    named = te.StageAnnounced(
        cited, act.stage, goes_on, onward.name if onward else "", losers, again.name if again else ""
    )
    return (named,)


def _by_entry(case: Case, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: case.state.entrants[name].number))


def _through(
    case: Case, stage: Stage, session: InPlay, *, final: bool
) -> tuple[tuple[str, ...], list[te.TournamentEvent]]:
    """Who goes on from a table, and the play-offs that must come first."""
    ranked = JOINT_ELIMINATION_RANKED[case.rulebook.tournament.joint_elimination.value]
    gone = (FORFEITED, DISQUALIFIED)  # perhaps since the session: before a play-off, or in it
    left_in = [
        tuple(name for name in group if case.state.entrants[name].status not in gone)
        for group in order_at(session, ranked=ranked)
    ]
    order = [group for group in left_in if group]
    played = [
        set(each.decided)
        for each in case.state.sessions.values()
        if each.play_off and (each.stage, each.table) == (stage.name, session.table)
    ]
    if final:
        tied = [group for group in order if len(group) > 1 and not any(name in session.out for name in group)]
        open_ = [group for group in tied if set(group) not in played]
        return (), [te.PlayOffDue(case.cite("tie"), stage.name, session.table, open_[0], 0)] if open_ else []
    through, contested, left = across_the_line(order, stage.advance or 1)
    if not contested:
        return through, []
    if set(contested) in played:
        return through + _decided_among(case, contested)[:left], []
    return through, [te.PlayOffDue(case.cite("tie"), stage.name, session.table, contested, left)]


def _decided_among(case: Case, names: tuple[str, ...]) -> tuple[str, ...]:
    return next(each.decided for each in case.state.sessions.values() if set(each.decided) == set(names))


# --- people ----------------------------------------------------------------------------------------------------------


def dispute(case: Case, act: ta.RaiseDispute) -> Decided:
    refused = case.refuse_over()
    if refused is None and act.name not in case.state.entrants:
        refused = case.no("dispute", "enter", text=f"{act.name} takes no part.")
    if refused is None and not act.what.strip():
        refused = case.no("dispute", text="say what is disputed.")
    return refused or (te.DisputeRaised(case.cite("dispute"), act.name, act.what, act.table),)


def rule(case: Case, act: ta.RuleDispute) -> Decided:
    refused = case.refuse_manager(act.by, "dispute") or case.refuse_over()
    if refused is None and act.name not in case.state.disputes:
        refused = case.no("dispute", text=f"{act.name} disputes nothing.")
    if refused is None and not act.ruling.strip():
        refused = case.no("dispute", text="say what is decided.")
    return refused or (te.DisputeRuled(case.cite("dispute"), act.name, act.ruling),)


def give_break(case: Case, act: ta.GiveBreak) -> Decided:
    refused = case.refuse_manager(act.by, "break") or case.refuse_over()
    if refused is None and not 1 <= act.minutes <= 600:
        refused = case.no("break", text="say how many minutes the break is, from 1 to 600.")
    return refused or (te.BreakGiven(case.cite("break"), act.minutes),)


def set_pace(case: Case, act: ta.SetPace) -> Decided:
    refused = case.refuse_manager(act.by, "pace", "time-limit") or case.refuse_over()
    if refused is None and not 0 <= act.seconds <= 600:
        refused = case.no("pace", "time-limit", text="from 0 (no limit) to 600 seconds.")
    return refused or (te.PaceSet(case.cite("pace", "time-limit"), act.seconds),)


# --- prizes ----------------------------------------------------------------------------------------------------------


def award(case: Case, act: ta.AwardPrizes) -> Decided:
    """Everybody's place and the whole pool, to the cent."""
    refused = case.refuse_manager(act.by, "announce") or case.refuse_over()
    conditions, state = case.conditions, case.state
    if refused is None and (not conditions.stages or conditions.stages[-1].name not in state.done):
        refused = case.no("announce", "pool", text="the final is not announced yet.")
    if refused is not None:
        return refused
    terms = case.rulebook.tournament
    ranked = JOINT_ELIMINATION_RANKED[terms.joint_elimination.value]
    order = places(state, [stage.name for stage in conditions.stages], ranked=ranked)
    eligible = [group for group in order if state.entrants[group[0]].status not in (FORFEITED, DISQUALIFIED)]
    if not eligible and pool_of(state.accounts):
        text = "nobody is left who could have a prize, and the whole pool goes out: cancel the tournament."
        return case.no("pool", "cancel", text=text)
    numbers = {name: each.number for name, each in state.entrants.items()}
    won = prizes(eligible, conditions.prizes.shares or (), pool_of(state.accounts), numbers)
    found: list[te.TournamentEvent] = []
    place = 1
    for group in order:
        shared = len(group) > 1 and any(name in won for name in group)
        cited = case.cite("pool", "announce", *(("division",) if shared else ())) + terms.odd_cents.clauses
        for name in sorted(group, key=lambda each: numbers[each]):
            goods = _goods_for(state.goods, place, group) if group in eligible else ()
            found.append(te.PlaceAwarded(tuple(dict.fromkeys(cited)), name, place, won.get(name, 0), goods))
        place += len(group)
    found.append(te.TournamentEnded(case.cite("pool")))
    return tuple(found)


def _goods_for(goods: Sequence[tuple[str, int]], place: int, group: Sequence[str]) -> tuple[str, ...]:
    """Goods and services for the places that a group has; what cannot be divided they have together."""
    together = "" if len(group) == 1 else f" (together, {len(group)} players)"
    return tuple(f"{what}{together}" for what, at in goods if place <= at < place + len(group))
