"""Who is at the table: seats, chips, pauses, who is barred, and disputes."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.table import events as e
from pitboss.table.apply.changes import Changes, arrive, know, note_found
from pitboss.table.state import PlayerState, Table, newcomer


def _seat_taken(t: Table, ev: e.SeatTaken) -> None:
    arrive(t, ev.player)
    know(t, ev.player, replace(t.players[ev.player], seat=ev.box))


def _table_left(t: Table, ev: e.TableLeft) -> None:
    """Whoever leaves loses seat, own minimum and reserved boxes; what they won or lost stays known."""
    know(t, ev.player, replace(t.players[ev.player], seat=0, present=False, minimum_cents=0, maximum_cents=0))
    t.reserved = {box: player for box, player in t.reserved.items() if player != ev.player}


def _seat_vacated(t: Table, ev: e.SeatVacated) -> None:
    know(t, ev.player, replace(t.players[ev.player], seat=0))


def _chips_bought(t: Table, ev: e.ChipsBought) -> None:
    arrive(t, ev.player)
    state = t.players[ev.player]
    chips = None if state.chips_cents is None else state.chips_cents + ev.cents
    limit = None if state.deposit_limit_cents is None else state.deposit_limit_cents - ev.cents
    know(t, ev.player, replace(state, chips_cents=chips, deposit_limit_cents=limit))


def _chips_moved(t: Table, player: str, cents: int, tokens: int = 0) -> None:
    """Chips came in front of a player, or went away; nothing is counted where there is enough of them."""
    arrive(t, player)
    state = t.players[player]
    if state.chips_cents is not None:
        chips = state.chips_cents + cents
        know(t, player, replace(state, chips_cents=chips, tokens_cents=state.tokens_cents + tokens))


def _colours_changed(t: Table, ev: e.ColoursChanged) -> None:
    arrive(t, ev.player)


def _tokens_issued(t: Table, ev: e.TokensIssued) -> None:
    _chips_moved(t, ev.player, ev.cents, ev.cents)


def _chips_brought(t: Table, ev: e.ChipsBrought) -> None:
    _chips_moved(t, ev.player, ev.cents)


def _chips_gone(t: Table, ev: e.ChipsTaken | e.ChipsCashed) -> None:
    _chips_moved(t, ev.player, -ev.cents)


def _float_moved(t: Table, ev: e.FloatFilled | e.FloatCredited) -> None:
    pass


def _no_change(t: Table, ev: e.Event) -> None:
    """What was said of a person; the wagers that went back have events of their own."""


def _player_barred(t: Table, ev: e.PlayerBarred) -> None:
    arrive(t, ev.player)
    know(t, ev.player, replace(t.players[ev.player], barred=ev.reason))
    if not ev.wagers_stand:
        note_found(t, "wagers-void", ev.player, meant="barred")


def _wagers_voided(t: Table, ev: e.WagersVoided) -> None:
    note_found(t, "wagers-void", ev.player, meant="declared-void")


def _player_paused(t: Table, ev: e.PlayerPaused) -> None:
    know(t, ev.player, replace(t.players[ev.player], paused=True))


def _player_readmitted(t: Table, ev: e.PlayerReadmitted) -> None:
    know(t, ev.player, replace(t.players[ev.player], paused=False, loss_limit_cents=ev.loss_limit_cents))


def _patron_told(t: Table, ev: e.PatronTold) -> None:
    """What the book says; somebody may be known before they come."""
    if ev.player not in t.players:
        know(t, ev.player, replace(newcomer(t.house), card=True, present=False))
        t.net[ev.player] = 0
    know(t, ev.player, as_told(t.players[ev.player], ev))


def as_told(state: PlayerState, ev: e.PatronTold) -> PlayerState:
    """What is known of a player once the book has said so."""
    state = replace(
        state,
        card=ev.card,
        loss_limit_cents=ev.loss_limit_cents,
        deposit_limit_cents=ev.deposit_limit_cents,
        recognised=ev.recognised,
        restricted_before=ev.restricted_before or state.restricted_before,
    )
    if ev.maximum_cents is not None:
        state = replace(state, maximum_cents=ev.maximum_cents, minimum_cents=ev.minimum_cents)
    named = ev.until != ""
    if named or (ev.restriction and state.restriction_until != "reshuffle"):  # what the table itself laid on stays
        state = replace(
            state,
            restriction=ev.restriction if named else "",
            minimum_only=ev.minimum_only,
            restricted_boxes=ev.boxes_max,
            restriction_until=ev.until,
            restricted_before=named or state.restricted_before,
        )
    if ev.cover_splits is not None:
        state = replace(state, cover_splits=ev.cover_splits)
    if ev.paused is not None:
        state = replace(state, paused=ev.paused)
    if ev.barred or ev.admitted:
        state = replace(state, barred=ev.barred, excluded=ev.excluded)
    return state


def _card_asked(t: Table, ev: e.CardAsked) -> None:
    know(t, ev.player, replace(t.players[ev.player], card_due=True))


def _card_accepted(t: Table, ev: e.CardAccepted) -> None:
    know(t, ev.player, replace(t.players[ev.player], card_due=False))


def _duty_reminded(t: Table, ev: e.DutyReminded) -> None:
    pass


# --- disputes --------------------------------------------------------------------------------------------------------


def _dispute(t: Table, player: str, stage: str) -> None:
    t.disputes = (*(each for each in t.disputes if each[0] != player), (player, stage))


def _dispute_raised(t: Table, ev: e.DisputeRaised) -> None:
    if not ev.waits:  # in a tournament it may be somebody of another table
        arrive(t, ev.player)
    _dispute(t, ev.player, "raised")


def _dispute_ruled(t: Table, ev: e.DisputeRuled) -> None:
    _dispute(t, ev.player, "final" if ev.final else "ruled")


def _review_asked(t: Table, ev: e.ReviewAsked) -> None:
    _dispute(t, ev.player, "review" if ev.within else "final")


PEOPLE: Changes = {
    e.SeatTaken: _seat_taken,
    e.TableLeft: _table_left,
    e.SeatVacated: _seat_vacated,
    e.ChipsBought: _chips_bought,
    e.ChipsBrought: _chips_brought,
    e.ChipsTaken: _chips_gone,
    e.ChipsCashed: _chips_gone,
    e.ColoursChanged: _colours_changed,
    e.TokensIssued: _tokens_issued,
    e.FloatFilled: _float_moved,
    e.FloatCredited: _float_moved,
    e.PlayerBarred: _player_barred,
    e.WagersVoided: _wagers_voided,
    e.PersonDetained: _no_change,
    e.PlayerPaused: _player_paused,
    e.PlayerReadmitted: _player_readmitted,
    e.PatronTold: _patron_told,
    e.CardAsked: _card_asked,
    e.CardAccepted: _card_accepted,
    e.DutyReminded: _duty_reminded,
    e.DisputeRaised: _dispute_raised,
    e.DisputeRuled: _dispute_ruled,
    e.ReviewAsked: _review_asked,
}
