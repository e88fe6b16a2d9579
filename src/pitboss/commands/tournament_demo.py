"""``pitboss tournament demo``: a floor on which the house's own players play a whole tournament, to be looked at."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from pitboss.basics.money import dollars, plain_dollars
from pitboss.commands import Unread
from pitboss.commands.case_files import known, raise_refused
from pitboss.tournament.allowed import refuse_tournaments
from pitboss.tournament.conditions import ENTRANTS_MAX, TABLES_MAX
from pitboss.tournament.printouts import called

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor
    from pitboss.floor.tournament_book import Known

FINE = 0
NAME, TITLE = "demo-cup", "Demonstration cup"
PACE_MAX = 10.0
SHOWN = 10
BAR = 24


def demo(
    rulebook: str = "nsw-pontoon",
    *,
    entrants: int = 42,
    rounds: int = 8,
    pace: float = 0.3,
    serve: Annotated[bool, Parameter(negative="--no-serve")] = True,
    host: str = "127.0.0.1",
    port: int = 8021,
    data: str | None = None,
    open_browser: Annotated[bool, Parameter(name="--open", negative="")] = False,
    json: bool = False,
) -> int:
    """Open a floor on which bots play a whole tournament, from the entries to the prizes, in a few minutes.

    The addresses for the manager and the wall display are printed, and the results once the tournament is over.

    Parameters
    ----------
    rulebook
        nsw-pontoon, canberra-pontoon-2005 or nsw-blackjack-challenge.
    entrants
        How many players enter, from 2 to 1400.
    rounds
        Rounds of each session.
    pace
        Seconds between acts at a table; 0 plays it all at once.
    serve
        Serve the pages, until you stop it; with --no-serve the tournament is played and its results printed.
    host
        The address to listen on.
    port
        The port to listen on.
    data
        Where the log is kept; by default a temporary folder.
    open_browser
        Open the wall display in a browser.
    json
        Print the results as one JSON object.
    """
    book = known(rulebook)
    raise_refused(refuse_tournaments(book))
    if not 2 <= entrants <= min(ENTRANTS_MAX, 7 * TABLES_MAX) or not 1 <= rounds <= 1000:
        raise _unread(f"--entrants is from 2 to {min(ENTRANTS_MAX, 7 * TABLES_MAX)}, and --rounds from 1 to 1000")
    if not 0 <= pace <= PACE_MAX:
        raise _unread(f"--pace is from 0 to {PACE_MAX:g} seconds")
    if not 0 <= port <= 65535:
        raise _unread("--port is from 0 to 65535")
    try:
        from pitboss.floor.tournament_book import tournaments_of
        from pitboss.floor.tournament_demo import Conductor, demo_conditions, names, quick, structure
    except ImportError as missing:
        raise _unread(f"the floor needs more packages ({missing.name}): install pitboss[web]") from None
    stages = structure(entrants, rounds)
    tables = [f"Table {number}" for number in range(1, max(each[2] for each in stages) + 1)]
    meter = Meter(quiet=json)

    async def conduct(floor: Floor) -> Known:
        now = tournaments_of(floor).now(book)
        conditions = demo_conditions(book.id, title=TITLE, stages=stages, entrants=entrants, start=now)
        conductor = Conductor(floor, NAME, meter.tell, look=meter.look)
        found = await conductor.run(conditions, names(entrants), tables, timers=quick(round(pace * 1000)))
        meter.end()
        return found

    with ExitStack() as stack:
        place = data or stack.enter_context(tempfile.TemporaryDirectory(prefix="pitboss-demo-"))
        if serve:
            return _served(conduct, place, host, port, open_browser, json)
        result = asyncio.run(_played(conduct, place))
    _say(result, json)
    return FINE


async def _played(conduct: Callable[[Floor], Coroutine[Any, Any, Known]], place: str) -> Known:
    """The whole of it on a floor of this process alone."""
    from pitboss.chance import Chance
    from pitboss.floor.clock import SystemClock
    from pitboss.floor.floor import Floor
    from pitboss.store.group import GroupCommit
    from pitboss.store.opening import open_log

    Path(place).mkdir(parents=True, exist_ok=True)
    log = open_log(str(Path(place) / "floor.db"))
    log.sealing.ready()
    floor = Floor(GroupCommit(log), clock=SystemClock(), chance=Chance())
    try:
        await floor.start()
        return await conduct(floor)
    finally:
        await floor.stop(0)
        log.close()


def _served(
    conduct: Callable[[Floor], Coroutine[Any, Any, Known]],
    place: str,
    host: str,
    port: int,
    open_browser: bool,
    as_json: bool,
) -> int:
    try:
        import argon2  # noqa: F401 - people log in with it, much later

        from pitboss.server.serving import Serving, StartError, run
    except ImportError as missing:
        raise _unread(f"the server needs more packages ({missing.name}): install pitboss[web]") from None

    async def beside(floor: Floor, address: str) -> None:
        """Say where it can be seen, play it, and say how it ended."""
        if not as_json:
            print(f"The manager's page:  {address}/#/tournaments/{NAME}  (come in as tournament manager)", flush=True)
            print(f"The wall display:    {address}/wall.html?{NAME}", flush=True)
        _say(await conduct(floor), as_json)
        if not as_json:
            print(f"The pages stay open: {address}/#/tournaments/{NAME}", flush=True)

    serving = Serving(
        host=host, port=port, data=place, demo=False, grace_seconds=0, log_level="error", beside=beside,
        open_browser=open_browser, opens=f"wall.html?{NAME}", as_json=as_json, quiet=True,
    )  # fmt: skip
    try:
        return run(serving)
    except StartError as error:
        raise Unread(f"pitboss tournament demo: {error}") from None


class Meter:
    """How far it is, on a line of its own where somebody looks; what is said stays."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._shows = sys.stderr.isatty() and not quiet
        self._line = ""

    def tell(self, text: str) -> None:
        self.end()
        if not self._quiet:
            print(text, flush=True)

    def look(self, found: Known) -> None:
        """After each look at the tables."""
        if not self._shows:
            return
        state = found.state
        on = [each for each in state.sessions.values() if each.stage == state.stage]
        stage = found.conditions.stage(state.stage)
        rounds = (stage.rounds if stage is not None else 0) * max(1, sum(not each.play_off for each in on))
        done = sum(each.number for each in on if not each.play_off)
        best = max(((cents, name) for each in on for name, cents in each.chips.items()), default=(0, ""))
        full = BAR * min(done, rounds) // max(1, rounds)
        line = f"{state.stage}  {'█' * full}{'░' * (BAR - full)}  {done} of {rounds} rounds"
        if best[1]:
            line += f", {called(best[1])} has {plain_dollars(best[0])}"
        self._write(line)

    def _write(self, line: str) -> None:
        if line != self._line:
            sys.stderr.write(f"\r{line}{' ' * max(0, len(self._line) - len(line))}")
            sys.stderr.flush()
            self._line = line

    def end(self) -> None:
        if self._line:
            sys.stderr.write(f"\r{' ' * len(self._line)}\r")
            sys.stderr.flush()
            self._line = ""


def _say(found: Known, as_json: bool) -> None:
    """How it ended: places and prizes, and that everything adds up."""
    people = sorted(found.state.entrants.values(), key=lambda each: (each.place or 10**6, each.number))
    paid = sum(each.prize_cents for each in people)
    adds = sum(found.state.accounts.values()) == 0 and sum(found.state.chip_accounts.values()) == 0
    if as_json:
        said = {
            "tournament": found.conditions.title,
            "rulebook": found.rulebook.id,
            "status": found.state.status,
            "places": [{"place": each.place, "name": each.name, "prize_cents": each.prize_cents} for each in people],
            "prizes_cents": paid,
            "adds_up": adds,
        }
        print(msgspec.json.encode(said).decode(), flush=True)
        return
    print(f"{found.conditions.title} is over: {len(people)} players, {dollars(paid)} in prizes.")
    for each in people[:SHOWN]:
        prize = f"  {dollars(each.prize_cents)}" if each.prize_cents else ""
        print(f"{each.place:>4}  {called(each.name)}{prize}")
    if len(people) > SHOWN:
        print(f"      and {len(people) - SHOWN} more")
    print(f"Money and chips add up: {'yes' if adds else 'NO'}.", flush=True)


def _unread(text: str) -> Unread:
    return Unread(f"pitboss tournament demo: {text}.")
