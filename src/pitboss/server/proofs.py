"""Routes that prove the log: every hash checked, held against heads that somebody kept, and the log for analysis."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any, cast

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import JSONBody
from litestar.response import Stream

from pitboss.floor.floor import Floor
from pitboss.floor.folds import TableEver, tables_ever
from pitboss.server.replies import AnyRequest, allowed, floor_of, problem, said
from pitboss.store import moving
from pitboss.store.log import Log
from pitboss.store.signing import SignedHead
from pitboss.store.stored import StoredLog

CHUNK = 1 << 16
NO_PARQUET = (
    "this server cannot make Parquet, because duckdb is not installed: take the JSON lines of /api/log/export, or "
    "install pitboss[charts] and start the server again."
)
HEADS_MAX = 100_000
"""Characters of heads that one verification is held against."""
BREATH_SECONDS = 0.002
"""Between two pages of the log, so that the tables are not held up while it is checked."""


class HeadsKept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Heads that were kept elsewhere, one JSON object a line, as `pitboss log head --keep` and the page write them."""

    heads: Annotated[str, msgspec.Meta(max_length=HEADS_MAX)] = ""


class FaultTold(msgspec.Struct, frozen=True):
    """One place where the log is damaged."""

    seq: int
    kind: str
    text: str


class ProofTold(msgspec.Struct, frozen=True):
    """What a verification found."""

    sound: bool
    entries: int
    events: int
    streams: int
    snapshots: int
    heads: int
    """Heads that it was held against."""
    seq: int
    hash: str
    faults: list[FaultTold]
    faults_total: int
    seconds: float


@post(
    "/api/log/verify",
    operation_id="VerifyLog",
    tags=["log"],
    status_code=200,
    responses=said(400, 401, 403, 503, body=True),
)
async def verify_log(request: AnyRequest, data: JSONBody[HeadsKept]) -> Response[ProofTold]:
    """Check every hash of the log, and hold it against the heads that were kept; it is read whole for that."""
    caller = await allowed(request, "search-log")
    try:
        heads = heads_in(data.heads)
    except ValueError as fault:
        return problem(400, str(fault))
    floor = floor_of(request)
    proof = await floor.gate.run_long(caller.name, _verify, floor.commits.log, heads)
    return Response(proof)


def heads_in(text: str) -> list[SignedHead]:
    """Signed heads, one a line; ValueError says which line is none."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=SignedHead))
        except msgspec.DecodeError:
            raise ValueError(
                f"line {number} is not a signed checkpoint: give what this page or pitboss log head wrote."
            ) from None
    return found


def _verify(log: Log, heads: list[SignedHead]) -> ProofTold:
    """Blocking: the whole log, page by page."""
    from pitboss.store.verify import verify

    def breathe(_: int) -> None:
        time.sleep(BREATH_SECONDS)

    report = verify(cast("StoredLog", log), heads, progress=breathe)
    faults = [FaultTold(each.seq, each.kind, each.text) for each in report.faults]
    return ProofTold(
        report.is_sound, report.entries, report.events, report.streams, report.snapshots, report.heads, report.seq,
        report.hash, faults, report.faults_total, round(report.seconds, 3),
    )  # fmt: skip


@get("/api/log/tables", operation_id="ListTablesEver", tags=["log"], responses=said(401, 403, 503))
async def list_tables_ever(request: AnyRequest) -> list[TableEver]:
    """Every table that was ever opened, newest first; closed ones can be looked at like any other."""
    caller = await allowed(request, "see-past")
    floor = floor_of(request)
    return await floor.gate.run(caller.name, tables_ever, floor.commits.log, floor.projections)


# --- for analysis ----------------------------------------------------------------------------------------------------


@get(
    "/api/log/export.parquet",
    operation_id="ExportParquet",
    tags=["log"],
    responses=said(401, 403, 501, 503),
    media_type="application/vnd.apache.parquet",
)
async def export_parquet(request: AnyRequest) -> Stream:
    """The log as one Parquet file, for analysis; what the JSON lines withhold is withheld here too.

    501 where the server lacks what Parquet needs; `exports` of /api/me says so beforehand.
    """
    caller = await allowed(request, "export-log")
    if not moving.can_write_parquet():
        raise HTTPException(NO_PARQUET, status_code=501)
    floor = floor_of(request)
    folder = Path(tempfile.mkdtemp(prefix="pitboss-"))
    try:
        await _write_parquet(floor, caller.name, folder / "log.parquet")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    headers = {"content-disposition": 'attachment; filename="pitboss-log.parquet"'}
    return Stream(_sent(folder), media_type="application/vnd.apache.parquet", headers=headers)


async def _write_parquet(floor: Floor, who: str, path: Path) -> None:
    from pitboss.floor.withheld import withheld

    stored = cast("StoredLog", floor.commits.log)

    def write() -> None:
        end = stored.head()
        moving.export_parquet(stored, path, withhold=withheld(moving.opened_rows(stored, end)), head=end)

    await floor.gate.run_long(who, write)


async def _sent(folder: Path) -> AsyncIterator[bytes]:
    try:
        with (folder / "log.parquet").open("rb") as file:
            while data := await asyncio.to_thread(file.read, CHUNK):
                yield data
    finally:
        shutil.rmtree(folder, ignore_errors=True)


HANDLERS: list[Any] = [verify_log, list_tables_ever, export_parquet]
