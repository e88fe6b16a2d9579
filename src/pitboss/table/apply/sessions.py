"""A session of a tournament: seats, chips, the marker, forms, pass cards, and what a round changes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.apply.changes import Changes, halt, know
from pitboss.table.events import Event
from pitboss.table.session import Outcome, Session, WagerForm
from pitboss.table.state import Box, Table, Wager


def _session(t: Table) -> Session:
    found = t.session
    assert found is not None
    return found


def _chips(t: Table, player: str) -> int:
    state = t.players[player]
    return (state.chips_cents or 0) - state.tokens_cents + t.net[player]


def _change(t: Table, **changes: Any) -> None:
    t.session = replace(_session(t), **changes)


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(each for each in names if each != name)


# --- beginning and ending --------------------------------------------------------------------------------------------


def _began(t: Table, ev: e.SessionBegan) -> None:
    said = ev.session
    t.session = Session(
        said,
        number=said.played,
        seats={box: name for box, name in said.seats.items() if name not in said.out},
        passes={**dict.fromkeys(said.seats.values(), said.pass_cards), **said.passes_left} if said.pass_cards else {},
        forms_left={**dict.fromkeys(said.seats.values(), said.undisclosed), **said.forms_left}
        if said.undisclosed
        else {},
        absent=dict(said.absent),
        warned=said.warned,
        seconds=said.seconds,
    )
    _limit(t, said.played + 1)


def _limit(t: Table, number: int) -> None:
    least, most = _session(t).terms.limits(number)
    t.house = replace(t.house, minimum_cents=least, maximum_cents=most)


def _allotted(t: Table, ev: e.ChipsAllotted) -> None:
    state = t.players[ev.player]
    know(t, ev.player, replace(state, chips_cents=(state.chips_cents or 0) + ev.cents))


def _returned(t: Table, ev: e.ChipsReturned) -> None:
    state = t.players[ev.player]
    know(t, ev.player, replace(state, chips_cents=(state.chips_cents or 0) - ev.cents))


def _ended(t: Table, ev: e.SessionEnded) -> None:
    for name in _session(t).terms.seats.values():
        know(t, name, replace(t.players[name], seat=0, present=False))
    t.session = None
    halt(t)


def _marked(t: Table, ev: e.MarkerPlaced) -> None:
    _change(t, marker=ev.box)


def _timed(t: Table, ev: e.WagerTimeSet) -> None:
    _change(t, seconds=ev.seconds)


# --- wagering --------------------------------------------------------------------------------------------------------


def _asked(t: Table, ev: e.WagerAsked) -> None:
    _change(t, asked=ev.player)


def _stood_early(t: Table, ev: e.WagerStoodEarly) -> None:
    session = _session(t)
    before = (*session.before_warned, ev.player) if ev.warned_before else session.before_warned
    warned = (*_without(session.warned, ev.player), ev.player)
    _change(t, early=(*_without(session.early, ev.player), ev.player), before_warned=before, warned=warned)


def _early_voided(t: Table, ev: e.EarlyWagerVoided) -> None:
    _change(t, away=(*_session(t).away, ev.player))


def _passed(t: Table, ev: e.PassCardPlayed) -> None:
    session = _session(t)
    left = {**session.passes, ev.player: session.passes[ev.player] - 1}
    _change(t, passes=left, passing=(*session.passing, ev.player), last=ev.player)


def _pass_collected(t: Table, ev: e.PassCardCollected) -> None:
    session = _session(t)
    left = {**session.passes, ev.player: session.passes[ev.player] + ev.back}
    _change(t, passes=left, passing=_without(session.passing, ev.player))


def _form_handed_in(t: Table, ev: e.FormHandedIn) -> None:
    session = _session(t)
    form = WagerForm(ev.player, ev.box, ev.kind, ev.cents)
    left = {**session.forms_left, ev.player: session.forms_left[ev.player] - 1}
    _change(t, forms={**session.forms, ev.player: form}, forms_left=left, last=ev.player)


def _form_given_back(t: Table, ev: e.FormGivenBack) -> None:
    session = _session(t)
    left = {**session.forms_left, ev.player: session.forms_left[ev.player] + 1}
    forms = {name: form for name, form in session.forms.items() if name != ev.player}
    box = t.boxes.get(session.forms[ev.player].box)
    if box is not None and not box.hands and ev.player in box.wagers and not box.wagers[ev.player].cents:
        del box.wagers[ev.player]  # the indicator goes with the form
        if not box.wagers and not any(box.side.values()):
            del t.boxes[box.number]
    beside = box is not None and ev.player in box.wagers
    _change(t, forms=forms, forms_left=left, last="" if session.last == ev.player and not beside else session.last)


def _indicated(t: Table, ev: e.IndicatorPlaced) -> None:
    """A hand is dealt to whoever has only written their wager: nothing lies there but the indicator."""
    session = _session(t)
    form = session.forms.get(ev.player)
    if form is not None:
        _change(t, forms={**session.forms, ev.player: replace(form, examined=True)})
    box = t.boxes.get(ev.box)
    if box is None:
        box = t.boxes[ev.box] = Box(ev.box)
    if ev.player not in box.wagers:
        t.placements += 1
        box.wagers[ev.player] = Wager(ev.player, 0, placed=t.placements)


def _announced(t: Table, ev: e.UndisclosedAnnounced) -> None:
    pass


def _settled(t: Table, ev: e.UndisclosedSettled) -> None:
    t.net[ev.player] += ev.cents
    if ev.cents < 0:
        _taken(t, ev.player)


def _taken(t: Table, player: str) -> None:
    session = _session(t)
    _change(t, taken=(*_without(session.taken, player), player))


def _held(t: Table, ev: e.HeldToMinimum) -> None:
    _change(t, held=(*_session(t).held, ev.player))


def _deducted(t: Table, ev: e.MinimumDeducted) -> None:
    session = _session(t)
    absent = {**session.absent, ev.player: session.absent.get(ev.player, 0) + 1}
    t.net[ev.player] -= ev.cents
    _change(t, absent=absent, away=(*session.away, ev.player))
    _taken(t, ev.player)


def _made_up(t: Table, ev: e.WagerMadeUp) -> None:
    box = t.boxes[ev.box]
    wagers = box.wagers if ev.hand == e.BEFORE_THE_HANDS else box.hands[ev.hand].wagers
    wagers[ev.player] = replace(wagers[ev.player], cents=wagers[ev.player].cents + ev.cents, unnoticed=False)
    t.net[ev.player] -= ev.cents
    t.small_wagers = tuple(each for each in t.small_wagers if each[:2] != (ev.player, ev.box))


# --- the end of a round ----------------------------------------------------------------------------------------------


def _counted(t: Table, ev: e.RoundCounted) -> None:
    """Whatever was of this round alone is gone; its forms may be looked at until the next one begins."""
    session = _session(t)
    _change(
        t,
        number=session.number + (not ev.void),
        last="",
        asked="",
        early=(),
        before_warned=(),
        passing=(),
        forms={},
        held=(),
        away=(),
        outcomes={},
        first_cards={},
        wagered={},
        taken=(),
        void=False,
        over=False,
        again=False,
        open_forms={} if ev.void else session.forms,
    )


def _eliminated(t: Table, ev: e.PlayerEliminated) -> None:
    _gone(t, ev.player)


def _removed(t: Table, ev: e.PlayerRemoved) -> None:
    _gone(t, ev.player)


def _gone(t: Table, player: str) -> None:
    session = _session(t)
    seats = {box: name for box, name in session.seats.items() if name != player}
    leaving = {name: rule for name, rule in session.leaving.items() if name != player}
    _change(t, seats=seats, leaving=leaving)


def _removal_due(t: Table, ev: e.RemovalDue) -> None:
    _change(t, leaving={**_session(t).leaving, ev.player: ev.ground})


def _nothing(t: Table, ev: Event) -> None:
    pass


SESSIONS: Changes = {
    e.SessionBegan: _began,
    e.ChipsAllotted: _allotted,
    e.ChipsReturned: _returned,
    e.MarkerPlaced: _marked,
    e.WagerAsked: _asked,
    e.WagerStoodEarly: _stood_early,
    e.PassCardPlayed: _passed,
    e.PassCardCollected: _pass_collected,
    e.FormHandedIn: _form_handed_in,
    e.FormGivenBack: _form_given_back,
    e.IndicatorPlaced: _indicated,
    e.UndisclosedAnnounced: _announced,
    e.UndisclosedSettled: _settled,
    e.FormSeen: _nothing,
    e.HeldToMinimum: _held,
    e.MinimumDeducted: _deducted,
    e.WagerMadeUp: _made_up,
    e.EarlyWagerVoided: _early_voided,
    e.StacksCounted: _nothing,
    e.WagerTimeSet: _timed,
    e.RoundCounted: _counted,
    e.PlayerEliminated: _eliminated,
    e.RemovalDue: _removal_due,
    e.PlayerRemoved: _removed,
    e.SessionEnded: _ended,
}


# --- what other events mean in a session -----------------------------------------------------------------------------


def _note_placed(t: Table, ev: e.WagerPlaced) -> None:
    session = _session(t)
    if session.has(ev.player):
        _change(t, last=ev.player)


def _note_began(t: Table, ev: e.RoundBegan) -> None:
    """What everybody has put down; a form counts by the chips that are left now."""
    session = _session(t)
    wagered = {name: wager.cents for box in t.boxes.values() for name, wager in box.hands[0].wagers.items()}
    forms = {name: replace(form, possessed_cents=_chips(t, name)) for name, form in session.forms.items()}
    before = (replace(session, before=()),)
    _change(t, wagered=wagered, forms=forms, before=before, open_forms={}, outcomes={}, first_cards={}, taken=())


def _note_card(t: Table, ev: e.CardDealt) -> None:
    session = _session(t)
    if ev.box and ev.hand == 0 and any(form.box == ev.box for form in session.forms.values()):
        seen = session.first_cards.get(ev.box, ())
        if len(seen) < 2:
            _change(t, first_cards={**session.first_cards, ev.box: (*seen, ev.card)})


def _outcome(t: Table, ev: Any, outcome: Outcome) -> None:
    session = _session(t)
    if ev.hand == 0 and ev.player in session.forms and ev.player not in session.outcomes:
        _change(t, outcomes={**session.outcomes, ev.player: outcome})


def _note_paid(t: Table, ev: e.WagerPaid) -> None:
    _outcome(t, ev, Outcome(1, ev.odds, result=ev.result))


def _note_collected(t: Table, ev: e.WagerCollected) -> None:
    _outcome(t, ev, Outcome(-1))
    _taken(t, ev.player)


def _note_stood_off(t: Table, ev: e.WagerStoodOff) -> None:
    _outcome(t, ev, Outcome(0))


def _note_surrendered(t: Table, ev: e.SurrenderSettled) -> None:
    _outcome(t, ev, Outcome(-1, half=True))
    _taken(t, ev.player)


def _note_forfeited(t: Table, ev: e.WagerForfeited) -> None:
    _outcome(t, ev, Outcome(-1))
    _taken(t, ev.player)


def _note_lost(t: Table, ev: Any) -> None:
    _taken(t, ev.player)


def _note_returned(t: Table, ev: e.WagerReturned) -> None:
    if ev.kind == ORIGINAL and ev.hand == 0 and t.boxes[ev.box].hands[0].wagers[ev.player].settled:
        _outcome(t, ev, Outcome(0))


def _note_voided(t: Table, ev: e.RoundVoided) -> None:
    if t.phase != "wagers":
        _change(t, void=True)


def _note_ended(t: Table, ev: e.RoundEnded) -> None:
    _change(t, over=True)


def _note_dispute(t: Table, ev: e.DisputeRaised) -> None:
    if ev.waits:
        _change(t, disputed=(*_without(_session(t).disputed, ev.player), ev.player))
        halt(t)


def _note_ruling(t: Table, ev: e.DisputeRuled) -> None:
    _change(t, disputed=_without(_session(t).disputed, ev.player))
    halt(t)


def _note_again(t: Table, ev: e.RoundTakenBack | e.RoundReopened) -> None:
    """The round begins anew: the session is as it was before it."""
    session = _session(t)
    if session.before:
        over = session.number > session.before[0].number
        t.session = replace(session.before[0], again=over or session.again, disputed=session.disputed)
        _limit(t, t.session.number + 1)


NOTED: dict[type[Event], Callable[[Table, Any], None]] = {
    e.WagerPlaced: _note_placed,
    e.RoundBegan: _note_began,
    e.CardDealt: _note_card,
    e.WagerPaid: _note_paid,
    e.WagerCollected: _note_collected,
    e.WagerStoodOff: _note_stood_off,
    e.SurrenderSettled: _note_surrendered,
    e.WagerForfeited: _note_forfeited,
    e.InsuranceCollected: _note_lost,
    e.SideBetCollected: _note_lost,
    e.WagerReturned: _note_returned,
    e.RoundVoided: _note_voided,
    e.RoundEnded: _note_ended,
    e.DisputeRaised: _note_dispute,
    e.DisputeRuled: _note_ruling,
    e.RoundTakenBack: _note_again,
    e.RoundReopened: _note_again,
}


def noting(changes: Changes) -> Changes:
    """The same changes where a session may be on, and takes note of them."""

    def noted(change: Callable[[Table, Any], None], note: Callable[[Table, Any], None]) -> Callable[[Table, Any], None]:
        def apply(t: Table, ev: Any) -> None:
            change(t, ev)
            if t.session is not None:
                note(t, ev)

        return apply

    return {**changes, **{kind: noted(changes[kind], note) for kind, note in NOTED.items()}}
