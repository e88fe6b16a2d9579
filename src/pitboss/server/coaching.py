"""The routes of the coach: what every choice is worth, at practice tables only.

The coach is a process of its own (`python -m pitboss.coach`), which is asked through a pipe and begun when
somebody asks for the first time. Where there is none, whoever asks is told how to get it. Nothing of it runs in this
process.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath, QueryParameter

from pitboss.floor import history
from pitboss.floor import model as m
from pitboss.floor.round_records import DoesNotReplay, NoSuchRound, record_of_round
from pitboss.floor.updates import Watch
from pitboss.rulebooks import load
from pitboss.rulebooks.terms import Rulebook
from pitboss.server.replies import AnyRequest, allowed, floor_of, not_too_fast, reply, said
from pitboss.server.shapes import HIGHEST
from pitboss.server.tables import book_of_table
from pitboss.store.log import Log
from pitboss.table.positions import Position, positions
from pitboss.table.refusals import Refusal

ANSWER_SECONDS = 60.0
"""So long an answer may take: a machine that has never compiled the kernels does it first."""
LINE_MOST = 1 << 24
ROUNDS_MOST = 20
"""Rounds that are reviewed at once."""
HOW_TO_GET_IT = "the coach needs the extra maths on the server: pip install pitboss[maths]."
NO_LIVE_ADVICE = "nobody advises at a table that is not for practice, and no device works out what to do there."
STUDY = "the coach values the games as approved, and this table plays an amended one."


class OptionTold(msgspec.Struct, frozen=True):
    """One choice and what it brings on average, in original wagers."""

    act: str
    ev: float
    why: str


class AdviceTold(msgspec.Struct, frozen=True):
    """One decision with the value of every choice, the best one first."""

    box: int
    hand: int
    what: str
    cards: tuple[str, ...]
    dealer: str
    total: str
    best: str
    options: tuple[OptionTold, ...]
    reason: str
    basis: str
    wager_cents: int
    question: str = ""
    chosen: str = ""
    cost: float = 0.0
    cost_cents: int = 0
    round: int = 0
    verdict: str = ""
    """What is said of what was chosen, in one sentence."""


class ReviewTold(msgspec.Struct, frozen=True):
    """Every decision of the caller in some rounds, how many were best, and what the others cost."""

    decisions: tuple[AdviceTold, ...] = ()
    right: int = 0
    accuracy: float = 1.0
    cost_cents: int = 0
    costliest: tuple[int, ...] = ()
    unvalued: int = 0


class CoachTold(msgspec.Struct, frozen=True):
    """What the coach says now; `problem` where it says nothing."""

    advice: tuple[AdviceTold, ...] = ()
    review: ReviewTold | None = None
    problem: str = ""


class Coach:
    """The process that knows the values; one question at a time."""

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "pitboss.coach")) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._one = asyncio.Lock()

    async def ask(self, **question: Any) -> CoachTold:
        async with self._one:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await self._answer(msgspec.json.encode(question))
            except (OSError, ValueError, EOFError, TimeoutError, msgspec.MsgspecError):
                self.close()
                return CoachTold(problem=HOW_TO_GET_IT)

    async def _answer(self, question: bytes) -> CoachTold:
        process = self._process
        if process is None or process.returncode is not None:
            pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
            process = self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=pipe, stdout=pipe, stderr=nowhere, limit=LINE_MOST
            )
            assert process.stdout is not None
            greeting = msgspec.json.decode(await process.stdout.readline() or b"{}")
            if not greeting.get("ready"):
                raise EOFError
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(question + b"\n")
        await process.stdin.drain()
        return msgspec.json.decode(await process.stdout.readline(), type=CoachTold)

    def close(self) -> None:
        """End the process; it also ends by itself when this one does."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()


def coach_of(request: AnyRequest) -> Coach:
    found: Coach = request.app.state["coach"]
    return found


def _no_advice(book: Rulebook) -> m.NotAllowed:
    duties = book.irregularities.conduct.value
    clauses = tuple(duties[name] for name in ("device", "advice") if name in duties)
    return m.NotAllowed("", Refusal(book.name, clauses or book.irregularities.conduct.clauses, NO_LIVE_ADVICE))


TableName = FromPath[str]
COACHED = said(401, 403, 404, 409, 503)


@get("/api/tables/{table:str}/coach", operation_id="AskCoach", tags=["coach"], responses=COACHED)
async def ask_coach(request: AnyRequest, table: TableName) -> Response[CoachTold]:
    """What every choice that the caller has now is worth; refused at a table that is not for practice."""
    floor, caller = floor_of(request), await allowed(request, "watch-table")
    watch = await floor.watch(caller, table, None, lambda: None)
    if not isinstance(watch, Watch):
        return reply(watch)
    try:
        now = watch.host.shown  # no card before it is dealt
    finally:
        floor.unwatch(watch)
    if not now.house.is_practice:
        return reply(_no_advice(now.rulebook))
    if _is_amended(now.rulebook):
        return reply(CoachTold(problem=STUDY))
    found: tuple[Position, ...] = positions(now, caller.name)
    return reply(await coach_of(request).ask(ask="advise", positions=found) if found else CoachTold())


@get("/api/tables/{table:str}/coach/review", operation_id="ReviewRounds", tags=["coach"], responses=COACHED)
async def review_rounds(
    request: AnyRequest,
    table: TableName,
    first: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=ROUNDS_MOST)] = 1,
) -> Response[CoachTold]:
    """The caller's decisions in the latest rounds, or from round `first` on, and what each brought and cost."""
    caller = await allowed(request, "watch-table")
    not_too_fast(request, caller)
    book, floor = await book_of_table(request, table), floor_of(request)
    host = floor.hosts.get(table)
    if host is None or not host.table.house.is_practice:
        return reply(_no_advice(book))
    if _is_amended(book):
        return reply(CoachTold(problem=STUDY))
    try:
        found = await floor.gate.run(caller.name, _records, floor.commits.log, table, first, limit, caller.name)
    except (NoSuchRound, DoesNotReplay) as error:
        raise HTTPException(str(error), status_code=404) from None
    if not found:
        return reply(CoachTold(review=ReviewTold()))
    return reply(await coach_of(request).ask(ask="review", player=caller.name, rounds=found))


def _is_amended(book: Rulebook) -> bool:
    return bool(book.variant or book.amendments) or book.edition != load(book.id).edition


def _records(log: Log, table: str, first: int, limit: int, player: str) -> list[tuple[int, str]]:
    """Blocking: the records of the rounds that somebody played."""
    told = history.rounds(log, table, first, limit) or []
    return [(each.round, record_of_round(log, table, each.round, player)) for each in told if player in each.net_cents]


HANDLERS: list[Any] = [ask_coach, review_rounds]
