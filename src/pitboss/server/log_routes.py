"""Routes for the log as a whole: its signed head, and its export."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from typing import IO, Any, cast

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import HTTPException
from litestar.response import Stream

from pitboss.server.tables import caller_of, floor_of, may_or_denied, said
from pitboss.store.log import StoreError

CHUNK = 1 << 16


class HeadTold(msgspec.Struct, frozen=True):
    """Where the log ends; keep it elsewhere, and nobody can cut the log shorter unnoticed."""

    seq: int
    hash: str
    at_ms: int
    key: str | None = None
    """The public key (Ed25519), where this server signs."""
    signature: str | None = None


@get("/api/log/head", responses=said(400, 401, 503))
async def head(request: Request[Any, Any, Any]) -> HeadTold:
    """The head of the log, signed where this server has a key."""
    caller_of(request)
    floor = floor_of(request)
    try:
        found = await floor.commits.run(floor.commits.log.head)
    except StoreError as error:
        raise HTTPException(str(error), status_code=503) from error
    signer, now = request.app.state.signer, floor.clock.now_ms()
    if signer is None:
        return HeadTold(found.seq, found.hash.hex(), now)
    signed = signer.sign(found, now)
    return HeadTold(signed.seq, signed.hash, signed.at_ms, signed.key, signed.signature)


@get("/api/log/export", responses=said(400, 401, 403, 503), media_type="application/jsonl")
async def export(request: Request[Any, Any, Any]) -> Response[Any]:
    """The whole log as JSON lines, for an inspector: `pitboss log verify` reads it."""
    await may_or_denied(request, "export-log")
    from pitboss.store.moving import export_lines

    floor = floor_of(request)
    file = cast("IO[bytes]", tempfile.TemporaryFile())  # noqa: SIM115 - it is closed when it has been sent
    try:
        await floor.commits.run(export_lines, cast("Any", floor.commits.log), cast("Any", file))
    except StoreError as error:
        file.close()
        raise HTTPException(str(error), status_code=503) from error
    headers = {"content-disposition": 'attachment; filename="pitboss-log.jsonl"'}
    return Stream(_chunks(file), media_type="application/jsonl", headers=headers)


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    try:
        file.seek(0)
        while data := await asyncio.to_thread(file.read, CHUNK):
            yield data
    finally:
        file.close()


HANDLERS: list[Any] = [head, export]
