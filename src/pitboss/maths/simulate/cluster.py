"""The same job on many machines: blocks are sent to a Dask cluster and come back as whole numbers.

A block is named by its number alone, so it does not matter who plays it, nor how often: when a worker dies, its blocks
are played again elsewhere. The strategy travels as the numbers that were worked out here, so that no machine rounds
one decision differently.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from threading import Lock
from typing import Any

import msgspec
import numpy as np

from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate.game import compile_game
from pitboss.maths.simulate.jobs import Job
from pitboss.maths.simulate.play import Block, Player
from pitboss.maths.simulate.strategies import Strategy

LOCAL = "local"
VERSION = version("pitboss")
TABLES = ("decisions", "forfeits", "surrenders", "insures")
CHUNK_FAST, CHUNK_SLOW = 16, 2
"""Blocks of one piece of work: a tenth of a second, or some, by the table or by the general kernel."""
PATIENCE_SECONDS = 20
"""How long workers may take to come."""
TRIES = 20
"""How often a piece of work may be given out again because the machine that had it died."""


class Lost(Exception):
    """The cluster is gone; what was added up so far is not."""


# --- on a worker -----------------------------------------------------------------------------------------------------

_building = Lock()


def play_blocks(job: bytes, plan: bytes, first: int, last: int, made_by: str) -> list[tuple[Any, ...]]:
    """Play the blocks from `first` to `last` - 1, wherever this is called."""
    if made_by != VERSION:
        raise MathsError(f"a worker has Pitboss {VERSION}, and the job was made by {made_by}.")
    with _building:
        read, player = _player(job, plan)
    return [tuple(player.block(read.seed, block, read.rounds_of(block))) for block in range(first, last)]


@lru_cache(maxsize=4)
def _player(job: bytes, plan: bytes) -> tuple[Job, Player]:
    read = msgspec.msgpack.decode(job, type=Job)
    game = compile_game(known_rulebook(read.rulebook, read.changes), read.options)
    player = Player(game, unpacked(plan), counting=read.counting, bankroll=read.bankroll)
    player.block(0, 0, 1 if read.bankroll is None else read.bankroll.trip_rounds)
    return read, player


def packed(strategy: Strategy) -> bytes:
    """A strategy's numbers, small enough to go along with every piece of work."""
    tables = {name: getattr(strategy, name) for name in TABLES}
    file = io.BytesIO()
    np.savez_compressed(file, name=strategy.name, by_chance=strategy.by_chance, **tables)
    return file.getvalue()


def unpacked(plan: bytes) -> Strategy:
    with np.load(io.BytesIO(plan)) as file:
        decisions, forfeits, surrenders, insures = (file[name] for name in TABLES)
        return Strategy(str(file["name"]), decisions, forfeits, surrenders, insures, bool(file["by_chance"]))


# --- here ------------------------------------------------------------------------------------------------------------


def _dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError as missing:
        raise MathsError('--cluster needs Dask: pip install "pitboss[cluster]".') from missing


def _quiet() -> None:
    """What goes wrong on the way is said by us, in a sentence."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


class Machines:
    """The workers of a cluster."""

    def __init__(self, client: Any, job: Job, player: Player) -> None:
        self.client = client
        self.job, self.arguments = job, (msgspec.msgpack.encode(job), packed(player.strategy))
        threads = max(sum(client.nthreads().values()), 1)
        self.chunk = max(1, min(CHUNK_FAST if player.is_fast else CHUNK_SLOW, job.blocks // (8 * threads)))
        self.width = 2 * threads * self.chunk
        self.pieces: dict[int, Any] = {}
        self.answers: dict[int, list[tuple[Any, ...]]] = {}

    def ask(self, block: int) -> Callable[[], Block]:
        first = block // self.chunk * self.chunk
        if first not in self.pieces:
            self.pieces[first] = self._submit(first)
        return lambda: self._answer(first, block)

    def _submit(self, first: int) -> Any:
        last = min(first + self.chunk, self.job.blocks)
        return self.client.submit(play_blocks, *self.arguments, first, last, VERSION, pure=False)

    def _answer(self, first: int, block: int) -> Block:
        if first not in self.answers:
            self.answers = {first: self._patiently(first)}
        return Block(*self.answers[first][block - first])

    def _patiently(self, first: int) -> list[tuple[Any, ...]]:
        died = _dask().KilledWorker
        for _ in range(TRIES):
            try:
                found: list[tuple[Any, ...]] = self.pieces[first].result()
            except died:
                self.pieces[first] = self._submit(first)
            except (CancelledError, OSError, TimeoutError) as fault:
                raise Lost("the cluster does not answer any more") from fault
            else:
                del self.pieces[first]
                return found
        raise Lost(f"{TRIES} times the machine died that played block {first}")

    def forget(self) -> None:
        if self.pieces:
            self.client.cancel(list(self.pieces.values()))


@contextmanager
def connected(address: str, workers: int = 0) -> Iterator[Any]:
    """A client of the cluster at an address, or of one made of processes on this machine."""
    dask = _dask()
    _quiet()
    if address == LOCAL:
        with (
            dask.LocalCluster(
                n_workers=workers or None, threads_per_worker=1, dashboard_address=None, silence_logs=50
            ) as cluster,
            dask.Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = dask.Client(address, timeout="10s")
    except (OSError, TimeoutError, ValueError) as fault:
        said = "write it as in tcp://10.0.0.5:8786, or local"
        raise MathsError(f"--cluster {address}: no Dask scheduler answers there; {said}.") from fault
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
        except TimeoutError as fault:
            raise MathsError(f"--cluster {address}: it has no workers: start dask worker {address}.") from fault
        yield client
