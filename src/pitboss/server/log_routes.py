"""Routes for the log as a whole: its signed checkpoint, and its export."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from typing import IO, Any, cast

import msgspec
from litestar import get
from litestar.params import FromQuery
from litestar.response import Stream

from pitboss.floor.alarms import Alarm
from pitboss.floor.folds import HouseBooks
from pitboss.floor.gate import Busy
from pitboss.server.replies import AnyRequest, allowed, floor_of, said
from pitboss.store.log import Log, StoreError
from pitboss.store.signing import SignedHead, succession

CHUNK = 1 << 16
FOLLOWED_MAX = 64
"""A witness that has not asked for so many days starts anew."""


class HeadTold(msgspec.Struct, frozen=True):
    """Where the log ends; keep it elsewhere, and nobody can cut the log shorter unnoticed."""

    seq: int
    hash: str
    at_ms: int
    key: str | None = None
    """The public key (Ed25519), where this server signs."""
    signature: str | None = None
    followed: list[SignedHead] = []
    """The last heads in which a key named the one that signs after it."""


@get("/api/log/head", operation_id="ShowHead", tags=["log"], responses=said(401, 403, 503))
async def head(request: AnyRequest) -> HeadTold:
    """The head of the log, signed where this server has a key."""
    await allowed(request, "see-head")
    floor = floor_of(request)
    found = await floor.commits.run(floor.commits.log.head)
    signer, now = request.app.state.signer, floor.clock.now_ms()
    if signer is None:
        return HeadTold(found.seq, found.hash.hex(), now)
    signed = await floor.commits.run(signer.sign, found, now)
    followed = (await floor.commits.run(succession, signer.public_path))[-FOLLOWED_MAX:]
    return HeadTold(signed.seq, signed.hash, signed.at_ms, signed.key, signed.signature, followed)


@get(
    "/api/log/export",
    operation_id="ExportLog",
    tags=["log"],
    responses=said(401, 403, 503),
    media_type="application/jsonl",
)
async def export(request: AnyRequest) -> Stream:
    """The log as JSON lines, for an inspector; cards not dealt yet and secrets of accounts are withheld."""
    caller = await allowed(request, "export-log")
    floor = floor_of(request)
    file = cast("IO[bytes]", tempfile.TemporaryFile())  # noqa: SIM115 - it is closed when it has been sent
    try:
        await floor.gate.run_long(caller.name, _export, floor.commits.log, file)
    except (StoreError, Busy):
        file.close()
        raise
    headers = {"content-disposition": 'attachment; filename="pitboss-log.jsonl"'}
    return Stream(_chunks(file), media_type="application/jsonl", headers=headers)


def _export(log: Log, out: IO[bytes]) -> None:
    """Blocking: once through the log to see which stacks are still in play, and once to write."""
    from pitboss.floor.withheld import withheld
    from pitboss.store.moving import export_lines, opened_rows
    from pitboss.store.stored import StoredLog

    stored = cast("StoredLog", log)
    end = stored.head()  # of both times: what is dealt face down meanwhile is not in the export
    export_lines(stored, cast("Any", out), withhold=withheld(opened_rows(stored, end)), head=end)


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    try:
        file.seek(0)
        while data := await asyncio.to_thread(file.read, CHUNK):
            yield data
    finally:
        file.close()


@get("/api/alarms", operation_id="ListAlarms", tags=["log"], responses=said(401, 403, 503))
async def list_alarms(request: AnyRequest) -> list[Alarm]:
    """What somebody must do something about now."""
    await allowed(request, "see-alarms")
    return floor_of(request).alarms.ringing


class BooksTold(msgspec.Struct, frozen=True):
    """The accounts of the house, or those of one table or person; all accounts together come to nothing."""

    accounts: dict[str, int]
    people: dict[str, dict[str, int]]
    """What people have won or lost, by table."""
    total_cents: int
    differences: list[str]
    """Where a shared jackpot's own stream and its tables differ; always nothing."""


@get("/api/ledger", operation_id="ShowLedger", tags=["log"], responses=said(401, 403, 503))
async def ledger(request: AnyRequest, table: FromQuery[str] = "", person: FromQuery[str] = "") -> BooksTold:
    """The trial balance of the whole house, of one `table`, or of one `person`, from everything that is durable."""
    caller = await allowed(request, "see-ledger")
    floor = floor_of(request)

    def balances(fold: HouseBooks) -> BooksTold:
        books = fold.books
        accounts, people = books.trial_balance(table, person), books.standings(person, table)
        return BooksTold(accounts, people, books.total(), books.differences())

    return await floor.gate.run_long(caller.name, floor.projections.ask, HouseBooks, balances)


HANDLERS: list[Any] = [head, export, list_alarms, ledger]
