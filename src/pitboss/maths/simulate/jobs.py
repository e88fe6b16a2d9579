"""A simulation as a job: blocks of rounds, played by any number of threads, added up in order, kept and taken up
again.

A block is named by its number alone and starts from fresh cards with its own random numbers. Blocks are added up in
their order, and a wanted precision is looked for after each, so that neither threads nor interruptions change the
result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import inf, sqrt
from pathlib import Path
from typing import Protocol

import msgspec

from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate.counting import Counting, check_limits
from pitboss.maths.simulate.files import strategy_file
from pitboss.maths.simulate.game import Game, Options, compile_game
from pitboss.maths.simulate.play import Bankroll, Block, Player
from pitboss.maths.simulate.strategies import Strategy, at_random, like_the_dealer

BLOCK_ROUNDS = 1 << 18
ROUNDS_MAX = 10**13
Z_95 = 1.959963984540054
"""Half the width of a 95% confidence interval in standard errors."""
BUILT_IN = ("optimal", "basic", "total", "mimic-dealer", "random")


class Job(msgspec.Struct, frozen=True):
    """All that a result depends on, files included: it can be kept, and sent to other machines, by itself."""

    rulebook: str
    changes: tuple[str, ...] = ()
    """Terms changed for study, as in dealer.soft_stand=17."""
    options: Options = Options()
    strategy: str = "basic"
    """A built-in one, or a file."""
    strategy_text: str = ""
    """What is in the file."""
    counting: Counting | None = None
    """How cards are counted; it then says what is wagered."""
    bankroll: Bankroll | None = None
    rounds: int = 1_000_000
    """At most so many; trips of a bankroll may end sooner."""
    precision: float = 0.0
    """Stop once half of the 95% interval is not wider; 0 plays all rounds."""
    seed: int = 1
    block_rounds: int = BLOCK_ROUNDS

    @property
    def blocks(self) -> int:
        return -(-self.rounds // self.block_rounds)

    def rounds_of(self, block: int) -> int:
        return min(self.block_rounds, self.rounds - block * self.block_rounds)


class Sums(msgspec.Struct):
    """What has been added up so far, in whole numbers of any size, one row after the other for each amount wagered."""

    blocks: int = 0
    sums: list[int] = []
    tally: list[int] = []
    extra: list[int] = []

    def add(self, block: Block) -> None:
        """Add one block; an interruption from the keyboard finds all of it added, or nothing."""
        found = [each.reshape(-1).tolist() for each in block]
        if self.blocks:
            before = (self.sums, self.tally, self.extra)
            found = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(before, found, strict=True)]
        blocks = self.blocks + 1
        self.sums, self.tally, self.extra, self.blocks = *found, blocks

    def row(self, level: int) -> list[int]:
        """The sums of one amount."""
        from pitboss.maths.simulate.kernels import S_LENGTH

        return self.sums[level * S_LENGTH : (level + 1) * S_LENGTH]

    def tally_row(self, level: int) -> list[int]:
        """The counts of one amount."""
        from pitboss.maths.simulate.kernels import TALLY

        return self.tally[level * TALLY : (level + 1) * TALLY]

    def total(self, place: int) -> int:
        """One sum over all amounts."""
        from pitboss.maths.simulate.kernels import S_LENGTH

        return sum(self.sums[place::S_LENGTH])


class Checkpoint(msgspec.Struct):
    """A job that was stopped, and how far it had come."""

    job: Job
    done: Sums
    format: str = "pitboss-simulation-2"


def check(job: Job) -> Job:
    """The job with what is in its files, or a sentence about what cannot be."""
    if not 1 <= job.rounds <= ROUNDS_MAX:
        raise MathsError(f"{job.rounds} rounds: give a number from 1 to {ROUNDS_MAX:,}.")
    if job.precision < 0 or job.precision != job.precision:
        raise MathsError("a precision is above nothing, as in 0.0001 of the wager.")
    if not 0 <= job.seed < 1 << 64:
        raise MathsError(f"seed {job.seed}: give a whole number from 0 to {(1 << 64) - 1}.")
    changed: dict[str, object] = {}
    if job.strategy not in BUILT_IN and not job.strategy_text:
        changed["strategy_text"] = read_text(job.strategy)
    if job.counting is not None:
        options = job.options
        check_limits(job.counting, options.minimum_cents if options.maximum_cents else 0, options.maximum_cents)
        least = min(cents for cents in job.counting.amounts if cents)
        changed["options"] = msgspec.structs.replace(options, wager_cents=least)
    if job.bankroll is not None:
        trip = job.bankroll.trip_rounds
        if trip < 1 or job.rounds < trip:
            raise MathsError(
                f"{job.rounds} rounds are fewer than a trip of {trip}: give more rounds, or a shorter trip."
            )
        changed["rounds"] = job.rounds // trip * trip
        changed["block_rounds"] = max(job.block_rounds // trip, 1) * trip
    return msgspec.structs.replace(job, **changed)


def read_text(name: str) -> str:
    """A strategy file, or a sentence about what is there instead."""
    path = Path(name)
    if not path.suffix and not path.exists():
        raise MathsError(f"no strategy {name!r}. Known: {', '.join(BUILT_IN)}, or a file as in my-strategy.toml.")
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as fault:
        raise MathsError(f"{name}: not a strategy file: {fault}.") from fault


def make_strategy(game: Game, name: str, text: str = "") -> Strategy:
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
    return strategy_file(game, text or read_text(name), name)


def make_player(job: Job) -> Player:
    """The job's game and strategy, compiled."""
    game = compile_game(known_rulebook(job.rulebook, job.changes), job.options)
    strategy = make_strategy(game, job.strategy, job.strategy_text)
    return Player(game, strategy, counting=job.counting, bankroll=job.bankroll)


class Workers(Protocol):
    """Whoever plays blocks: threads here, or machines elsewhere."""

    width: int
    """How many blocks are asked for ahead of time."""

    def ask(self, block: int) -> Callable[[], Block]:
        """Begin to play a block; the answer waits for it."""

    def forget(self) -> None:
        """Nothing that is still under way is wanted any more."""


class Threads:
    """Threads of this process; the kernels run without Python's lock."""

    def __init__(self, job: Job, player: Player, threads: int) -> None:
        self.job, self.player, self.width = job, player, 2 * threads
        self.pool = ThreadPoolExecutor(threads)

    def ask(self, block: int) -> Callable[[], Block]:
        return self.pool.submit(self.player.block, self.job.seed, block, self.job.rounds_of(block)).result

    def forget(self) -> None:
        self.pool.shutdown(cancel_futures=True)


def run(
    job: Job,
    player: Player,
    done: Sums | None = None,
    threads: int = 1,
    progress: Callable[[Sums], None] | None = None,
    workers: Workers | None = None,
) -> tuple[Sums, bool]:
    """Play what is left of a job; the sums, and whether it was interrupted from the keyboard."""
    done = Sums() if done is None else done
    if done.blocks >= job.blocks or _precise(job, done, player):
        return done, False
    workers = Threads(job, player, threads) if workers is None else workers
    waiting: deque[Callable[[], Block]] = deque()
    number = done.blocks
    try:
        while done.blocks < job.blocks:
            while number < job.blocks and len(waiting) < workers.width:
                waiting.append(workers.ask(number))
                number += 1
            done.add(waiting[0]())
            waiting.popleft()
            if progress is not None:
                progress(done)
            if _precise(job, done, player):
                break
    except KeyboardInterrupt:
        return done, True
    finally:
        workers.forget()
    return done, False


def _precise(job: Job, done: Sums, player: Player) -> bool:
    if not job.precision or not done.blocks:
        return False
    _, error = mean_and_error(done, player)
    return Z_95 * error <= job.precision


def mean_and_error(done: Sums, player: Player) -> tuple[float, float]:
    """The mean for each original wager, and its standard error: boxes of one round hang together, rounds are taken
    apart.

    Where wagers differ the mean is a ratio, won to wagered, and so is its error.
    """
    from pitboss.maths.simulate.kernels import S_ROUND_WAGER, S_ROUNDS, S_SUMS

    boxes = player.game.options.boxes
    rounds = won = wagered = squares = crossed = wagers_squared = 0
    for level, cents in enumerate(player.amounts):
        if cents:
            row, unit = done.row(level), cents * boxes
            rounds += row[S_ROUNDS]
            won += row[S_SUMS]
            wagered += row[S_ROUNDS] * unit
            squares += row[S_ROUND_WAGER]
            crossed += row[S_SUMS] * unit
            wagers_squared += row[S_ROUNDS] * unit * unit
    if not wagered:
        return 0.0, inf
    spread = squares * wagered**2 - 2 * won * wagered * crossed + won**2 * wagers_squared
    error = Fraction(max(spread, 0) * rounds, wagered**4 * max(rounds - 1, 1))
    return won / wagered, sqrt(error)


# --- keeping ---------------------------------------------------------------------------------------------------------


def write_checkpoint(path: Path, job: Job, done: Sums) -> None:
    """Keep a run; whoever kills us while we write leaves the file that was there before."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(Checkpoint(job, done)), indent=1) + b"\n")
    beside.replace(path)


def read_checkpoint(path: Path) -> Checkpoint:
    """A run that was kept."""
    from pitboss.maths.simulate.kernels import E_LENGTH, S_LENGTH, TALLY

    try:
        found = msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except msgspec.MsgspecError as fault:
        raise MathsError(f"{path}: not a checkpoint of a simulation: {fault}.") from fault
    job, done = found.job, found.done
    rows = 1 if job.counting is None else len(job.counting.amounts)
    extra = E_LENGTH if job.counting is not None or job.bankroll is not None else 0
    lengths = (len(done.sums), len(done.tally), len(done.extra))
    fits = not done.blocks or lengths == (rows * S_LENGTH, rows * TALLY, extra)
    if found.format != Checkpoint.__struct_defaults__[0] or not fits:
        raise MathsError(f"{path}: a checkpoint of another version of Pitboss; start the run again.")
    return found
