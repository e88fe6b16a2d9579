"""What a written wager counts as, and which chips are kept for it."""

from __future__ import annotations

from pitboss.rulebooks.meanings import UNITS_OF_MINIMUM
from pitboss.table.acts import ORIGINAL
from pitboss.table.session import WagerForm
from pitboss.table.state import Table


def counts_as(table: Table, form: WagerForm, possessed: int) -> tuple[int, str]:
    """What an undisclosed wager counts as, and what is wrong with it; nothing where type or amount is missing."""
    if not form.kind or not form.cents:
        return 0, "blank"
    least, most = table.house.minimum_cents, table.house.maximum_cents
    if form.kind != ORIGINAL:
        least, most = table.house.side_limits.get(form.kind, (least, most))
    possessed = max(0, possessed)
    if form.cents > possessed:
        return min(possessed, most), "beyond-chips"
    if form.cents > most:
        return most, "above"
    if form.cents < least:
        return min(least, possessed), "below"
    odd = form.cents % least if least and UNITS_OF_MINIMUM[table.rulebook.tournament.units.value] else 0
    return form.cents - odd, "units" if odd else ""


def wrote(table: Table, player: str) -> bool:
    """Whether somebody has an undisclosed wager in this round: it lies on their hand, although no chips do."""
    return table.session is not None and player in table.session.forms


def kept_for(table: Table, player: str) -> int:
    """How many of their chips somebody keeps for what they have written."""
    session = table.session
    form = session.forms.get(player) if session is not None else None
    if form is None:
        return 0
    if table.phase == "wagers":
        return 0 if not form.kind else form.cents
    cents, fault = counts_as(table, form, form.possessed_cents)
    return min(table.house.minimum_cents, form.possessed_cents) if fault == "blank" else cents
