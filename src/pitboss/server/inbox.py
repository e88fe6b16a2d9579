"""Routes for those who run the floor: one list of what waits, disputes, and how to print one."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath

from pitboss.floor import inbox
from pitboss.floor.inbox import Disputes, DisputeTold, Inbox, InboxTold, told_dispute
from pitboss.floor.model import Caller, Denied
from pitboss.registers.asking import Kept
from pitboss.server.replies import AnyRequest, allowed, floor_of, now_ms, reception_of, reply, said
from pitboss.table.declaring import DECLARED

READING = said(401, 403, 404, 503)


async def _disputes(request: AnyRequest, caller: Caller) -> list[DisputeTold]:
    """Every dispute of the house, the newest first."""
    floor = floor_of(request)
    await floor.up_to_date()

    def newest_first(fold: Disputes) -> list[DisputeTold]:
        found = sorted(fold.found.values(), key=lambda each: -each.changed_ms)
        return [told_dispute(each, fold.rulebooks[each.table], _name(request, each.table), caller) for each in found]

    listed: list[DisputeTold] = await floor.gate.run(caller.name, floor.projections.ask, Disputes, newest_first)
    return listed


def _name(request: AnyRequest, table: str) -> str:
    opening = floor_of(request).openings.get(table)
    return (opening.name if opening is not None else "") or table


def _words(listed: dict[str, Any]) -> str:
    """What is asked for, as its form calls it."""
    act = listed["act"]
    form = DECLARED[act["act"]].form
    player = act.get("player")
    return (form.label.lower() if form is not None else act["act"]) + (f" ({player})" if player else "")


@get("/api/inbox", operation_id="ShowInbox", tags=["floor"], responses=READING)
async def show_inbox(request: AnyRequest) -> Response[InboxTold]:
    """What wants attention, the most urgent first: tables that stand still, disputes, requests, duties, notices."""
    caller = await allowed(request, "see-inbox")
    floor, reception, now = floor_of(request), reception_of(request), now_ms(request)
    kept: Inbox = request.app.state.inbox
    waits = kept.at_tables()
    disputes = inbox.of_disputes(await _disputes(request, caller))
    waits += disputes
    disputed = {each.table for each in disputes}
    listed = reception.approvals.listed(caller)
    if not isinstance(listed, Denied):
        waits += inbox.of_approvals(listed, _words, lambda table: _name(request, table))

    def due(book: Kept) -> list[inbox.Waits]:
        return inbox.of_registers(book, now, lambda table: _name(request, table) if table else "", disputed)

    waits += await reception.registers.ask(caller, due)
    waits = inbox.in_order(waits)
    yours = sum(each.yours and each.urgency > inbox.DUE for each in waits)
    return reply(InboxTold(floor.clock.now_ms(), yours, waits))


@get("/api/disputes", operation_id="ListDisputes", tags=["floor"], responses=READING)
async def list_disputes(request: AnyRequest) -> list[DisputeTold]:
    """Disputes of players, the newest first, with whose each is."""
    return await _disputes(request, await allowed(request, "see-inbox"))


@get("/api/disputes/{table:str}/{player:str}", operation_id="ShowDispute", tags=["floor"], responses=READING)
async def show_dispute(request: AnyRequest, table: FromPath[str], player: FromPath[str]) -> DisputeTold:
    """The latest dispute of a player at a table."""
    listed = await _disputes(request, await allowed(request, "see-inbox"))
    for each in listed:
        if each.dispute.table == table and each.dispute.player == player:
            return each
    raise HTTPException(f"{player[:60]} has no dispute at table {table[:60]!r}.", status_code=404)


HANDLERS: list[Any] = [show_inbox, list_disputes, show_dispute]
