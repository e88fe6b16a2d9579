"""What the house says: notices, limits, restrictions and what the table offers."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.rulebooks.meanings import handles
from pitboss.table import events as e
from pitboss.table.apply.changes import Changes, arrive, know
from pitboss.table.state import Sign, Table, take_date


def _notice_given(t: Table, ev: e.NoticeGiven) -> None:
    pass


# --- limits and restrictions -----------------------------------------------------------------------------------------


def _is_over(sign: Sign, ev: e.LimitsSet) -> bool:
    """Whether a sign has had its time. It stands on where some keep an old minimum beside the limits that it says."""
    if sign.what != "limits" or sign.kind != ev.kind:
        return False
    return not ev.kept or (sign.minimum_cents, sign.maximum_cents) != (ev.minimum_cents, ev.maximum_cents)


def _limits_set(t: Table, ev: e.LimitsSet) -> None:
    if t.signs:
        t.signs = tuple(sign for sign in t.signs if not _is_over(sign, ev))
    if ev.kind == "original":
        old = t.house.minimum_cents
        for name, state in t.players.items():
            if name in ev.kept:
                know(t, name, replace(state, minimum_cents=state.minimum_cents or old))
            elif state.minimum_cents and not state.maximum_cents:
                know(t, name, replace(state, minimum_cents=0))
        if ev.kept:
            t.minimum_raised = True
        t.house = replace(t.house, minimum_cents=ev.minimum_cents, maximum_cents=ev.maximum_cents)
    else:
        limits = {**t.house.side_limits, ev.kind: (ev.minimum_cents, ev.maximum_cents)}
        t.house = replace(t.house, side_limits=limits)


def _maximum_granted(t: Table, ev: e.MaximumGranted) -> None:
    arrive(t, ev.player)
    state = t.players[ev.player]
    know(t, ev.player, replace(state, maximum_cents=ev.maximum_cents, minimum_cents=ev.minimum_cents))


handles(
    "limits.restrictions:rows", "late-entry all-further-shoes one-box recognised-player associate cover-splits"
)  # all but the last are their occasion, their boxes and their minimum
handles("limits.restrictions:until", "reshuffle lifted")


def _player_restricted(t: Table, ev: e.PlayerRestricted) -> None:
    arrive(t, ev.player)
    state = t.players[ev.player]
    if ev.rule == "cover-splits":
        know(t, ev.player, replace(state, cover_splits=True))
        return
    restricted = replace(
        state,
        restriction=ev.rule,
        minimum_only=ev.minimum_only,
        restricted_boxes=ev.boxes_max,
        restriction_until=ev.until,
        restricted_before=True,
    )
    know(t, ev.player, restricted)


def _restriction_lifted(t: Table, ev: e.RestrictionLifted) -> None:
    free = replace(
        t.players[ev.player],
        restriction="",
        minimum_only=False,
        restricted_boxes=0,
        restriction_until="",
        boxes_limit=0,
        cover_splits=False,
    )
    know(t, ev.player, free)


def _boxes_limited(t: Table, ev: e.BoxesLimited) -> None:
    arrive(t, ev.player)
    know(t, ev.player, replace(t.players[ev.player], boxes_limit=ev.boxes))


def _boxes_reserved(t: Table, ev: e.BoxesReserved) -> None:
    others = {box: player for box, player in t.reserved.items() if player != ev.player}
    t.reserved = others | dict.fromkeys(ev.boxes, ev.player)


def _players_capped(t: Table, ev: e.PlayersCapped) -> None:
    t.players_cap = ev.players


def _boxes_capped(t: Table, ev: e.BoxesCapped) -> None:
    t.box_cap = ev.players


# --- what the table offers -------------------------------------------------------------------------------------------


def _side_bet_restricted(t: Table, ev: e.SideBetRestricted) -> None:
    kept = tuple(kind for kind in t.side_restricted if kind != ev.kind)
    t.side_restricted = (*kept, ev.kind) if ev.restricted else kept


def _side_bet_required(t: Table, ev: e.SideBetRequired) -> None:
    kept = tuple(kind for kind in t.house.required if kind != ev.kind)
    t.house = replace(t.house, required=(*kept, ev.kind) if ev.required else kept)


def _resplit_allowed(t: Table, ev: e.ResplitAllowed) -> None:
    t.house = replace(t.house, resplit=ev.allowed)


def _interim_deferred(t: Table, ev: e.InterimDeferred) -> None:
    t.house = replace(t.house, deferred=ev.deferred)


def _face_down_ordered(t: Table, ev: e.FaceDownOrdered) -> None:
    t.house = replace(t.house, face_down=ev.face_down)


def _sign_displayed(t: Table, ev: e.SignDisplayed) -> None:
    others = tuple(sign for sign in t.signs if (sign.what, sign.kind) != (ev.what, ev.kind))
    sign = Sign(ev.what, ev.minutes, ev.at_ms, ev.minimum_cents, ev.maximum_cents, ev.kind)
    t.signs = (*others, sign)


def _sign_taken_down(t: Table, ev: e.SignTakenDown) -> None:
    t.signs = tuple(sign for sign in t.signs if (sign.what, sign.kind) != (ev.what, ev.kind))


def _date_turned(t: Table, ev: e.DateTurned) -> None:
    take_date(t, ev.date)


def _final_rounds_announced(t: Table, ev: e.FinalRoundsAnnounced) -> None:
    t.final_rounds = ev.rounds


HOUSE: Changes = {
    e.NoticeGiven: _notice_given,
    e.LimitsSet: _limits_set,
    e.MaximumGranted: _maximum_granted,
    e.PlayerRestricted: _player_restricted,
    e.RestrictionLifted: _restriction_lifted,
    e.BoxesLimited: _boxes_limited,
    e.BoxesReserved: _boxes_reserved,
    e.PlayersCapped: _players_capped,
    e.BoxesCapped: _boxes_capped,
    e.SideBetRestricted: _side_bet_restricted,
    e.SideBetRequired: _side_bet_required,
    e.ResplitAllowed: _resplit_allowed,
    e.InterimDeferred: _interim_deferred,
    e.FaceDownOrdered: _face_down_ordered,
    e.SignDisplayed: _sign_displayed,
    e.SignTakenDown: _sign_taken_down,
    e.DateTurned: _date_turned,
    e.FinalRoundsAnnounced: _final_rounds_announced,
}
