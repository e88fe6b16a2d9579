"""Measures the engine beside other libraries, in one run on one core: `python benchmarks/engine/run.py`.

Every contender is a process of its own that plays random legal hands. They take turns, one repetition each, so that a
slow minute of the machine is everybody's. A whole run writes RESULTS.md beside this file; `--quick` only prints.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
import textwrap
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

HERE = Path(__file__).resolve().parent
PEERS_ENV = HERE.parent / ".venv"
PEERS_PYTHON = PEERS_ENV / "bin" / "python"

DISTRIBUTIONS = {"pokerkit": "pokerkit", "rlcard": "rlcard", "gymnasium": "gymnasium", "pyspiel": "open_spiel"}
"""What is imported, and the name it is installed by."""
PEERS = {
    "pokerkit": ("PokerKit, heads-up hold'em to the showdown or a fold", "pokerkit"),
    "pokerkit-showdown": ("PokerKit, heads-up hold'em without folds", "pokerkit"),
    "rlcard": ("RLCard, blackjack", "rlcard"),
    "gymnasium": ("Gymnasium, Blackjack-v1", "gymnasium"),
    "openspiel": ("OpenSpiel, blackjack (C++)", "pyspiel"),
}


class Contender:
    """A process that answers numbers of hands with seconds."""

    def __init__(self, name: str, title: str, command: Sequence[str]) -> None:
        self.name, self.title = name, title
        self.process = subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = self._read()
        self.hands = 0
        self.rates: list[float] = []

    def _read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        if not line:
            raise ChildProcessError(f"{self.title} stopped without an answer")
        return line

    def seconds(self, hands: int) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{hands}\n")
        self.process.stdin.flush()
        return float(self._read())

    def calibrate(self, seconds: float) -> None:
        """Warm up, and find how many hands take about so long."""
        hands = 20
        while (taken := self.seconds(hands)) < seconds / 4:
            hands *= 2
        self.hands = max(1, round(hands * seconds / taken))

    def measure(self) -> None:
        self.rates.append(self.hands / self.seconds(self.hands))

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    @property
    def rate(self) -> float:
        return median(self.rates)


def install_peers() -> dict[str, str]:
    """Install the other libraries by name in an environment of their own; what could not be, with the reason."""
    if not PEERS_PYTHON.exists():
        venv.create(PEERS_ENV, with_pip=True)
    failed = {}
    for module, name in DISTRIBUTIONS.items():
        if subprocess.run([PEERS_PYTHON, "-c", f"import {module}"], capture_output=True).returncode == 0:
            continue
        print(f"installing {name} ...", flush=True)
        pip = [str(PEERS_PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name]
        run = subprocess.run(pip, capture_output=True, text=True)
        if run.returncode:
            errors = [line for line in run.stderr.splitlines() if line.startswith("ERROR")]
            failed[module] = errors[-1] if errors else "pip failed"
            print(f"{name} could not be installed: {failed[module]}")
    return failed


def start(rulebooks: Iterable[str], failed: dict[str, str]) -> list[Contender]:
    ours = [Contender(name, f"Pitboss, {name}", [sys.executable, "hands.py", name]) for name in rulebooks]
    theirs = [
        Contender(name, title, [str(PEERS_PYTHON), "peers.py", name])
        for name, (title, module) in PEERS.items()
        if module not in failed
    ]
    return ours + theirs


def numbers(*words: str) -> list[float]:
    """What a mode of hands.py prints."""
    run = subprocess.run([sys.executable, "hands.py", *words], cwd=HERE, check=True, capture_output=True, text=True)
    return [float(word) for word in run.stdout.split()]


def help_seconds(times: int = 20) -> list[float]:
    """Wall time of `pitboss --help` from the shell's point of view."""
    command = [str(Path(sys.executable).with_name("pitboss")), "--help"]
    taken = []
    for _ in range(times):
        begin = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        taken.append(perf_counter() - begin)
    return taken


def machine() -> str:
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, one used; {platform.python_implementation()} {platform.python_version()}"


def report(options: argparse.Namespace, contenders: list[Contender], failed: dict[str, str]) -> str:
    theirs = [one for one in contenders if one.name in PEERS]
    slowest = min((one for one in contenders if one not in theirs), key=lambda one: one.rate)
    rows = ["| who | hands a second | from | to |", "| --- | ---: | ---: | ---: |"]
    for one in contenders:
        version = f" ({one.about.split()[-1]})" if one in theirs else ""
        rows.append(f"| {one.title}{version} | {one.rate:,.0f} | {min(one.rates):,.0f} | {max(one.rates):,.0f} |")
    rows += [f"| {DISTRIBUTIONS[module]} | not installed: {reason} | | |" for module, reason in failed.items()]
    ratios = ["| peer | Pitboss plays |", "| --- | ---: |"]
    ratios += [f"| {one.title} | {slowest.rate / one.rate:.2f} times as many |" for one in theirs]
    return "\n\n".join(
        [
            "# The engine beside its peers",
            fill(
                f"Measured {datetime.date.today().isoformat()} by `make bench` on {machine()}. {options.repetitions} "
                f"repetitions of about {options.seconds:g} s of processor time each, in turns: the median, the slowest "
                f"and the fastest."
            ),
            "\n".join(rows),
            f"Pitboss under its slowest rulebook ({slowest.name}) against each peer:",
            "\n".join(ratios),
            fill(about_a_long_session(slowest.name, options.session)),
            fill(about_stored_events(slowest.name, options.stored)),
            fill(about_help(help_seconds())),
        ]
    ) + "\n"  # fmt: skip


def fill(text: str) -> str:
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False)


def about_a_long_session(rulebook: str, rounds: int) -> str:
    tenths = [seconds * 1e6 for seconds in numbers("session", rulebook, str(rounds))]
    return (
        f"**A long session** ({rounds:,} rounds, {rulebook}): a round costs {tenths[0]:.0f} µs in the first tenth and "
        f"{tenths[-1]:.0f} µs in the last, {tenths[-1] / tenths[0]:.2f} times as much (the tenths range from "
        f"{min(tenths):.0f} to {max(tenths):.0f} µs; the quickest of ten stretches in each)."
    )


def about_stored_events(rulebook: str, rounds: int) -> str:
    runs = [numbers("stored", rulebook, str(rounds)) for _ in range(3)]
    deciding, by_act, at_once = (median(column) for column in zip(*runs, strict=True))
    return (
        f"**Stored events** ({rounds:,} rounds, {rulebook}, median of 3): deciding takes {deciding:.3f} s, applying "
        f"what was decided {at_once:.3f} s, {deciding / at_once:.1f} times less; act by act, with a table after "
        f"each, {by_act:.3f} s, {deciding / by_act:.1f} times less."
    )


def about_help(seconds: list[float]) -> str:
    return (
        f"**`pitboss --help`** answers in {median(seconds):.3f} s (median of {len(seconds)}; {min(seconds):.3f} to "
        f"{max(seconds):.3f} s)."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the engine beside other libraries.")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help="about how long a repetition takes")
    parser.add_argument("--session", type=int, default=50_000, help="rounds of the long session")
    parser.add_argument("--stored", type=int, default=5_000, help="rounds whose events are applied again")
    parser.add_argument("--quick", action="store_true", help="a short run that writes nothing")
    options = parser.parse_args()
    if options.quick:
        options.repetitions, options.seconds, options.session, options.stored = 3, 0.3, 5_000, 1_000

    from pitboss.rulebooks import RULEBOOKS

    failed = install_peers()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    contenders = start(RULEBOOKS, failed)
    for one in contenders:
        one.calibrate(options.seconds)
    for repetition in range(options.repetitions):
        print(f"repetition {repetition + 1} of {options.repetitions}", file=sys.stderr, flush=True)
        for one in contenders:
            one.measure()
    for one in contenders:
        one.close()
    text = report(options, contenders, failed)
    print(text)
    if not options.quick:
        (HERE / "RESULTS.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
