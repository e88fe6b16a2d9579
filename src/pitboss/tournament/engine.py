"""The only door: a tournament and an act in, events or a refusal out; and events in, the next tournament out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, Refused, broken_unless
from pitboss.tournament import acts as ta
from pitboss.tournament import entries, sessions
from pitboss.tournament import events as te
from pitboss.tournament.acts import TournamentAct
from pitboss.tournament.conditions import moved
from pitboss.tournament.deciding import Case, Decided, Events
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.money import IN_CHIPS, IN_MONEY, posted
from pitboss.tournament.state import (
    APPLIED,
    DISQUALIFIED,
    ENTERED,
    FORFEITED,
    OUT,
    REFUSED,
    RESERVE,
    WITHDRAWN,
    Entrant,
    InPlay,
    Out,
    Tournament,
    key_of,
)

TEXT_MAX = 500

CHAPTERS: Mapping[type[TournamentAct], Callable[[Case, Any], Decided]] = {
    ta.OpenEntries: entries.open_entries,
    ta.ChangeConditions: entries.change_conditions,
    ta.GiveCopy: entries.give_copy,
    ta.SignAgreement: entries.sign,
    ta.Apply: entries.apply,
    ta.RefuseEntry: entries.refuse_entry,
    ta.PayFee: entries.pay_fee,
    ta.WithdrawEntry: entries.withdraw,
    ta.AddValue: entries.add_value,
    ta.CloseEntries: entries.close_entries,
    ta.CancelTournament: entries.cancel,
    ta.OfferSeat: entries.offer_seat,
    ta.Substitute: entries.substitute,
    ta.BuyBack: entries.buy_back,
    ta.DesignateTables: sessions.designate,
    ta.UseTable: sessions.use_table,
    ta.CommitDraws: sessions.commit,
    ta.DrawSeats: sessions.draw,
    ta.AllotSeats: sessions.allot,
    ta.MoveStart: sessions.move_start,
    ta.ComeToSeat: sessions.come,
    ta.BuyIn: sessions.buy_in,
    ta.StartSession: sessions.start,
    ta.ReportRound: sessions.report,
    ta.CorrectRound: sessions.correct,
    ta.EliminateIdle: sessions.eliminate_idle,
    ta.DeductAbsent: sessions.deduct,
    ta.CancelPosition: sessions.cancel_position,
    ta.Disqualify: sessions.disqualify,
    ta.ConcludeSession: sessions.conclude,
    ta.CountChips: sessions.count,
    ta.RedeemChips: sessions.redeem,
    ta.ReturnChips: sessions.return_chips,
    ta.Announce: sessions.announce,
    ta.RaiseDispute: sessions.dispute,
    ta.RuleDispute: sessions.rule,
    ta.GiveBreak: sessions.give_break,
    ta.SetPace: sessions.set_pace,
    ta.AwardPrizes: sessions.award,
}


def decide(rulebook: Rulebook, tournament: Tournament, act: TournamentAct) -> Events | Refusal:
    """What comes of an act: events, or a refusal that changes nothing."""
    case = Case(rulebook, tournament)
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if isinstance(value, str) and not (value.isprintable() and len(value) <= TEXT_MAX):
            return case.no("publish", text=f"{name}: write one line of at most {TEXT_MAX} signs.")
    decided = CHAPTERS[type(act)](case, act)
    if not isinstance(decided, Refusal):
        broken_unless(all(event.clauses for event in decided), "an event without a clause")
    return decided


def play(rulebook: Rulebook, tournament: Tournament, *acts: TournamentAct) -> tuple[Tournament, Events]:
    """The tournament after these acts, and what happened; raises `Refused` at the first that is not allowed."""
    happened: list[TournamentEvent] = []
    for act in acts:
        decided = decide(rulebook, tournament, act)
        if isinstance(decided, Refusal):
            raise Refused(decided)
        tournament = evolve(tournament, decided)
        happened += decided
    return tournament, tuple(happened)


# --- applying --------------------------------------------------------------------------------------------------------


def evolve(tournament: Tournament, events: Iterable[TournamentEvent]) -> Tournament:
    """The tournament after these events; the old one is untouched. No rule is read here."""
    for event in events:
        kind = type(event)
        if kind in IN_MONEY:
            tournament = replace(tournament, accounts=posted(tournament.accounts, IN_MONEY[kind](event)))
        if kind in IN_CHIPS:
            before = tournament.chip_accounts
            tournament = replace(tournament, chip_accounts=posted(before, IN_CHIPS[kind](event, before)))
        tournament = APPLY[kind](tournament, event)
    return tournament


def _entrant(t: Tournament, name: str, **changes: Any) -> Tournament:
    return replace(t, entrants={**t.entrants, name: replace(t.entrants[name], **changes)})


def _session(t: Tournament, key: str, **changes: Any) -> Tournament:
    return replace(t, sessions={**t.sessions, key: replace(t.sessions[key], **changes)})


def _opened(t: Tournament, ev: te.EntriesOpened) -> Tournament:
    return replace(t, conditions=ev.conditions, status="entries", seconds=ev.conditions.wagers.seconds)


def _applied(t: Tournament, ev: te.Applied) -> Tournament:
    old = t.entrants.get(ev.name)
    status = RESERVE if ev.reserve else APPLIED
    new = replace(old or Entrant(ev.name, ev.number), status=status, person=ev.person)
    return replace(t, entrants={**t.entrants, ev.name: new})


def _fee_paid(t: Tournament, ev: te.FeePaid) -> Tournament:
    who = t.entrants[ev.name]
    commission = who.commission_cents + ev.commission_cents
    return _entrant(t, ev.name, status=ENTERED, paid_cents=who.paid_cents + ev.cents, commission_cents=commission)


def _left(status: str) -> Callable[[Tournament, Any], Tournament]:
    def left(t: Tournament, ev: te.EntryWithdrawn | te.EntryRefused) -> Tournament:
        who = t.entrants[ev.name]
        commission = who.commission_cents - ev.from_commission_cents
        return _entrant(
            _seat_free(t, ev.name),
            ev.name,
            status=status,
            paid_cents=who.paid_cents - ev.refund_cents,
            commission_cents=commission,
        )

    return left


def _seat_free(t: Tournament, name: str) -> Tournament:
    found = t.session_of(name)
    if found is None:
        return t
    seats = {box: held for box, held in found[1].seats.items() if held != name}
    return _session(t, found[0], seats=seats)


def _value_added(t: Tournament, ev: te.ValueAdded) -> Tournament:
    return t if ev.cash else replace(t, goods=(*t.goods, (ev.what, ev.place)))


def _reseated(t: Tournament, name: str, instead_of: str) -> Tournament:
    for key, session in t.sessions.items():
        for box, held in session.seats.items():
            if held == instead_of and session.status == "drawn":
                gone = tuple(each for each in session.gone if each != instead_of)
                return _session(t, key, seats={**session.seats, box: name}, gone=gone)
    return t


def _substituted(t: Tournament, ev: te.Substituted) -> Tournament:
    """The substitute stands where the other stood, with the fee that was paid for them."""
    old = t.entrants[ev.instead_of]
    number = t.entrants[ev.name].number if ev.name in t.entrants else len(t.entrants) + 1
    new = replace(old, name=ev.name, number=number, seated=False, instead_of=ev.instead_of)
    t = replace(t, entrants={**t.entrants, ev.name: new})
    qualified = dict(t.qualified)
    for stage, names in qualified.items():
        if ev.instead_of in names:
            after = (ev.name if each == ev.instead_of else each for each in names)
            qualified[stage] = tuple(sorted(after, key=lambda name: t.entrants[name].number))
    t = replace(t, qualified=qualified)
    t = _entrant(t, ev.instead_of, status=WITHDRAWN, paid_cents=0, commission_cents=0)
    return _reseated(t, ev.name, ev.instead_of)


def _bought_back(t: Tournament, ev: te.BoughtBack) -> Tournament:
    names = (*t.qualified.get(ev.stage, ()), ev.name)
    ordered = tuple(sorted(names, key=lambda name: t.entrants[name].number))
    t = replace(t, qualified={**t.qualified, ev.stage: ordered})
    who = t.entrants[ev.name]
    paid = who.paid_cents + ev.cents
    return _entrant(t, ev.name, status=ENTERED, bought_back=who.bought_back + 1, out_stage="", paid_cents=paid)


def _bought_in(t: Tournament, ev: te.BoughtIn) -> Tournament:
    paid = t.entrants[ev.name].paid_cents + (ev.cents if ev.to_pool else 0)
    return _entrant(t, ev.name, bought_in_cents=ev.cents, paid_cents=paid)


def _drawn(t: Tournament, ev: te.SeatsDrawn) -> Tournament:
    found: dict[str, dict[int, str]] = {}
    for name, (table, box) in ev.seats.items():
        found.setdefault(table, {})[box] = name
    drawn = {key_of(ev.stage, table): InPlay(ev.stage, table, seats) for table, seats in found.items()}
    entrants = {name: replace(each, seated=False, bought_in_cents=0) for name, each in t.entrants.items()}
    return replace(t, stage=ev.stage, status="playing", sessions={**t.sessions, **drawn}, entrants=entrants)


def _start_moved(t: Tournament, ev: te.StartMoved) -> Tournament:
    if t.conditions is None:
        return t
    return replace(t, conditions=moved(t.conditions, ev.stage, ev.start))


def _forfeited(t: Tournament, ev: te.SeatForfeited) -> Tournament:
    t = _entrant(t, ev.name, status=FORFEITED)
    found = t.session_of(ev.name)
    return t if found is None else _session(t, found[0], gone=(*found[1].gone, ev.name))


def _key(t: Tournament, table: str) -> str:
    found = t.session(table)
    broken_unless(found is not None, f"no session at {table}")
    return found[0] if found is not None else ""


def _started(t: Tournament, ev: te.SessionStarted) -> Tournament:
    for key, session in t.sessions.items():
        if session.stage == ev.stage and session.status == "drawn":
            t = _session(t, key, status="playing")
    return t


def _allotted(t: Tournament, ev: te.ChipsAllotted) -> Tournament:
    key = _key(t, ev.table)
    return _session(t, key, chips={**t.sessions[key].chips, ev.name: ev.cents})


def _reported(t: Tournament, ev: te.RoundReported) -> Tournament:
    key = _key(t, ev.table)
    old = t.sessions[key]
    return _session(t, key, chips={**old.chips, **ev.chips}, number=old.number + (not ev.void))


def _corrected(t: Tournament, ev: te.RoundCorrected) -> Tournament:
    key = _key(t, ev.table)
    old = t.sessions[key]
    out = {name: each for name, each in old.out.items() if each.number != ev.number}
    redeemed = tuple(name for name in old.redeemed if name not in ev.chips)
    return _session(t, key, chips={**old.chips, **ev.chips}, out=out, decided=(), redeemed=redeemed)


def _deducted(t: Tournament, ev: te.Deducted) -> Tournament:
    key = _key(t, ev.table)
    old = t.sessions[key]
    absent = {**old.absent, ev.name: old.absent.get(ev.name, 0) + 1}
    return _session(t, key, chips={**old.chips, ev.name: old.chips[ev.name] - ev.cents}, absent=absent)


def _eliminated(t: Tournament, ev: te.Eliminated) -> Tournament:
    key = _key(t, ev.table)
    old = t.sessions[key]
    out = Out(ev.number, ev.residual_cents, ev.wager_cents, ev.removal)
    return _session(t, key, out={**old.out, ev.name: out})


def _disqualified(t: Tournament, ev: te.Disqualified) -> Tournament:
    found = t.session_of(ev.name)
    paid = t.entrants[ev.name].paid_cents - ev.refund_cents
    t = _entrant(t, ev.name, status=DISQUALIFIED, paid_cents=paid)
    return t if found is None else _session(t, found[0], gone=(*found[1].gone, ev.name))


def _concluded(t: Tournament, ev: te.SessionConcluded) -> Tournament:
    return _session(t, _key(t, ev.table), status="over")


def _counted(t: Tournament, ev: te.ChipsCounted) -> Tournament:
    key = _key(t, ev.table)
    status = t.sessions[key].status if ev.ordered else "counted"
    return _session(t, key, chips={**t.sessions[key].chips, **ev.chips}, status=status)


def _chips_redeemed(t: Tournament, ev: te.ChipsRedeemed) -> Tournament:
    key = _key(t, ev.table)
    t = _session(t, key, redeemed=(*t.sessions[key].redeemed, ev.name))
    return _entrant(t, ev.name, redeemed_cents=t.entrants[ev.name].redeemed_cents + ev.paid_cents)


def _returned(t: Tournament, ev: te.ChipsReturned) -> Tournament:
    return _session(t, _key(t, ev.table), status="returned")


def _play_off_due(t: Tournament, ev: te.PlayOffDue) -> Tournament:
    key = key_of(ev.stage, ev.table, play_off=True)
    seats = dict(enumerate(ev.names, start=1))
    earlier = t.sessions.get(key)
    sessions = dict(t.sessions)
    if earlier is not None:  # an earlier tie of this table: its order stays known
        sessions.pop(key)
        sessions[f"{key}/{len(t.sessions)}"] = earlier
    sessions[key] = InPlay(ev.stage, ev.table, seats, play_off=True, places=ev.places)
    entrants = {n: replace(each, seated=n in ev.names or each.seated) for n, each in t.entrants.items()}
    return replace(t, sessions=sessions, entrants=entrants)


def _decided(t: Tournament, ev: te.PlayOffDecided) -> Tournament:
    return _session(t, _key(t, ev.table), decided=ev.order)


def _announced(t: Tournament, ev: te.StageAnnounced) -> Tournament:
    qualified = dict(t.qualified)
    for stage, names in ((ev.onward, ev.advanced), (ev.again, ev.repechage)):
        if stage:
            together = (*qualified.get(stage, ()), *names)
            qualified[stage] = tuple(sorted(together, key=lambda name: t.entrants[name].number))
    goes_on = set(ev.advanced) | set(ev.repechage)
    entrants = dict(t.entrants)
    for session in t.sessions.values():
        if session.stage == ev.stage:
            for name in session.seats.values():
                who = entrants[name]
                if name not in goes_on and who.status == ENTERED:
                    entrants[name] = replace(who, status=OUT, out_stage=ev.stage)
    return replace(t, qualified=qualified, entrants=entrants, stage="", done=(*t.done, ev.stage))


def _dispute_ruled(t: Tournament, ev: te.DisputeRuled) -> Tournament:
    return replace(t, disputes={name: table for name, table in t.disputes.items() if name != ev.name})


def _changed(t: Tournament, ev: te.ConditionsChanged) -> Tournament:
    return replace(t, conditions=ev.conditions)


APPLY: Mapping[type[TournamentEvent], Callable[[Tournament, Any], Tournament]] = {
    te.EntriesOpened: _opened,
    te.ConditionsChanged: _changed,
    te.CopyGiven: lambda t, ev: replace(t, copies=t.copies | {ev.name}),
    te.AgreementSigned: lambda t, ev: replace(t, agreed=t.agreed | {ev.name}),
    te.Applied: _applied,
    te.EntryRefused: _left(REFUSED),
    te.FeePaid: _fee_paid,
    te.EntryWithdrawn: _left(WITHDRAWN),
    te.ValueAdded: _value_added,
    te.EntriesClosed: lambda t, ev: replace(t, status="closed", too_few=ev.too_few),
    te.GuaranteeMet: lambda t, ev: t,
    te.FeeRefunded: lambda t, ev: _entrant(t, ev.name, paid_cents=0, commission_cents=0, bought_in_cents=0),
    te.TournamentCancelled: lambda t, ev: replace(t, status="cancelled"),
    te.BuyInRefunded: lambda t, ev: _entrant(t, ev.name, bought_in_cents=0),
    te.PoolReleased: lambda t, ev: t,
    te.SeatOffered: lambda t, ev: _reseated(t, ev.name, ev.instead_of),
    te.Substituted: _substituted,
    te.BoughtBack: _bought_back,
    te.TablesDesignated: lambda t, ev: replace(t, tables=ev.tables),
    te.DrawsCommitted: lambda t, ev: replace(t, digests=ev.digests),
    te.SeatsDrawn: _drawn,
    te.StartMoved: _start_moved,
    te.SeatTaken: lambda t, ev: _entrant(t, ev.name, seated=True),
    te.BoughtIn: _bought_in,
    te.SeatForfeited: _forfeited,
    te.ChipsAllotted: _allotted,
    te.SessionStarted: _started,
    te.RoundReported: _reported,
    te.RoundCorrected: _corrected,
    te.LimitsChanged: lambda t, ev: t,
    te.Deducted: _deducted,
    te.Eliminated: _eliminated,
    te.Disqualified: _disqualified,
    te.SessionConcluded: _concluded,
    te.ChipsCounted: _counted,
    te.ChipsRedeemed: _chips_redeemed,
    te.ChipsReturned: _returned,
    te.PlayOffDue: _play_off_due,
    te.PlayOffDecided: _decided,
    te.StageAnnounced: _announced,
    te.DisputeRaised: lambda t, ev: replace(t, disputes={**t.disputes, ev.name: ev.table}),
    te.DisputeRuled: _dispute_ruled,
    te.BreakGiven: lambda t, ev: t,
    te.PaceSet: lambda t, ev: replace(t, seconds=ev.seconds),
    te.PlaceAwarded: lambda t, ev: _entrant(t, ev.name, place=ev.place, prize_cents=ev.cents),
    te.TournamentEnded: lambda t, ev: replace(t, status="ended"),
}
