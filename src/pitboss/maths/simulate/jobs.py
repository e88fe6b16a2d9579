"""A simulation as a job: blocks of rounds, played by any number of threads, added up in order, kept and taken up
again.

A block is named by its number alone and starts from fresh cards with its own random numbers. Blocks are added up in
their order, and a wanted precision is looked for after each, so that neither threads nor interruptions change the
result.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from math import sqrt
from pathlib import Path

import msgspec

from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate.files import strategy_file
from pitboss.maths.simulate.game import Game, Options, compile_game
from pitboss.maths.simulate.play import Block, Player
from pitboss.maths.simulate.strategies import Strategy, at_random, like_the_dealer

BLOCK_ROUNDS = 1 << 18
ROUNDS_MAX = 10**13
Z_95 = 1.959963984540054
"""Half the width of a 95% confidence interval in standard errors."""
BUILT_IN = ("optimal", "basic", "total", "mimic-dealer", "random")


class Job(msgspec.Struct, frozen=True):
    """All that a result depends on."""

    rulebook: str
    changes: tuple[str, ...] = ()
    """Terms changed for study, as in dealer.soft_stand=17."""
    options: Options = Options()
    strategy: str = "basic"
    """A built-in one, or a file."""
    strategy_digest: str = ""
    """Of the file, so that a run is not taken up with another."""
    rounds: int = 1_000_000
    precision: float = 0.0
    """Stop once half of the 95% interval is not wider; 0 plays all rounds."""
    seed: int = 1
    block_rounds: int = BLOCK_ROUNDS


class Sums(msgspec.Struct):
    """What has been added up so far, in whole numbers of any size."""

    blocks: int = 0
    sums: list[int] = []
    tally: list[int] = []

    def add(self, block: Block) -> None:
        """Add one block; an interruption from the keyboard finds all of it added, or nothing."""
        sums, tally, blocks = block.sums.tolist(), block.tally.tolist(), self.blocks + 1
        if self.blocks:
            sums = [a + b for a, b in zip(self.sums, sums, strict=True)]
            tally = [a + b for a, b in zip(self.tally, tally, strict=True)]
        self.sums, self.tally, self.blocks = sums, tally, blocks


class Checkpoint(msgspec.Struct):
    """A job that was stopped, and how far it had come."""

    job: Job
    done: Sums
    format: str = "pitboss-simulation-1"


def check(job: Job) -> Job:
    """The job with its strategy file's digest, or a sentence about what cannot be."""
    if not 1 <= job.rounds <= ROUNDS_MAX:
        raise MathsError(f"{job.rounds} rounds: give a number from 1 to {ROUNDS_MAX:,}.")
    if job.precision < 0 or job.precision != job.precision:
        raise MathsError("a precision is above nothing, as in 0.0001 of the wager.")
    if not 0 <= job.seed < 1 << 64:
        raise MathsError(f"seed {job.seed}: give a whole number from 0 to {(1 << 64) - 1}.")
    digest = ""
    if job.strategy not in BUILT_IN:
        digest = hashlib.sha256(_file(job.strategy)).hexdigest()
    if job.strategy_digest and job.strategy_digest != digest:
        raise MathsError(f"{job.strategy} has changed since the run began: it cannot be taken up.")
    return msgspec.structs.replace(job, strategy_digest=digest)


def _file(name: str) -> bytes:
    path = Path(name)
    if not path.suffix and not path.exists():
        raise MathsError(f"no strategy {name!r}. Known: {', '.join(BUILT_IN)}, or a file as in my-strategy.toml.")
    return path.read_bytes()


def make_strategy(game: Game, name: str) -> Strategy:
    """A strategy by its name, or from a file."""
    if name == "mimic-dealer":
        return like_the_dealer(game)
    if name == "random":
        return at_random(game)
    if name == "optimal":
        from pitboss.maths.simulate.optimal import optimal

        return optimal(game)
    if name in ("basic", "total"):
        from pitboss.maths.simulate.basic import basic, total_dependent

        return basic(game) if name == "basic" else total_dependent(game)
    return strategy_file(game, _file(name), name)


def make_player(job: Job) -> Player:
    game = compile_game(known_rulebook(job.rulebook, job.changes), job.options)
    return Player(game, make_strategy(game, job.strategy))


def run(
    job: Job,
    player: Player,
    done: Sums | None = None,
    threads: int = 1,
    progress: Callable[[Sums], None] | None = None,
) -> tuple[Sums, bool]:
    """Play what is left of a job; the sums, and whether it was interrupted from the keyboard."""
    done = Sums() if done is None else done
    blocks = -(-job.rounds // job.block_rounds)
    if done.blocks >= blocks or _precise(job, done, player):
        return done, False
    waiting: deque[Future[Block]] = deque()
    number = done.blocks
    with ThreadPoolExecutor(threads) as pool:
        try:
            while done.blocks < blocks:
                while number < blocks and len(waiting) < 2 * threads:
                    rounds = min(job.block_rounds, job.rounds - number * job.block_rounds)
                    waiting.append(pool.submit(player.block, job.seed, number, rounds))
                    number += 1
                done.add(waiting[0].result())
                waiting.popleft()
                if progress is not None:
                    progress(done)
                if _precise(job, done, player):
                    break
        except KeyboardInterrupt:
            return done, True
        finally:
            for future in waiting:
                future.cancel()
    return done, False


def _precise(job: Job, done: Sums, player: Player) -> bool:
    if not job.precision or not done.blocks:
        return False
    _, error = mean_and_error(done, player.game)
    return Z_95 * error <= job.precision


def mean_and_error(done: Sums, game: Game) -> tuple[float, float]:
    """The mean for each original wager, and its standard error: boxes of one round hang together, rounds are taken
    apart."""
    from pitboss.maths.simulate.kernels import S_ROUND_WAGER, S_ROUNDS, S_SUMS

    rounds = done.sums[S_ROUNDS]
    return _mean(done.sums[S_SUMS], done.sums[S_ROUND_WAGER], rounds, game.options.boxes * game.options.wager_cents)


def _mean(total: int, squares: int, rounds: int, unit: int) -> tuple[float, float]:
    mean = total / rounds
    variance = (squares * rounds - total * total) / (rounds * max(rounds - 1, 1))
    return mean / unit, sqrt(max(variance, 0) / rounds) / unit


# --- keeping ---------------------------------------------------------------------------------------------------------


def write_checkpoint(path: Path, job: Job, done: Sums) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(Checkpoint(job, done)), indent=1) + b"\n")


def read_checkpoint(path: Path) -> Checkpoint:
    from pitboss.maths.simulate.kernels import S_LENGTH, TALLY

    try:
        found = msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except msgspec.MsgspecError as fault:
        raise MathsError(f"{path}: not a checkpoint of a simulation: {fault}.") from fault
    fits = not found.done.blocks or (len(found.done.sums), len(found.done.tally)) == (S_LENGTH, TALLY)
    if found.format != Checkpoint.__struct_defaults__[0] or not fits:
        raise MathsError(f"{path}: a checkpoint of another version of Pitboss; start the run again.")
    return found
