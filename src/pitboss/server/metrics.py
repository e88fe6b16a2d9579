"""What operators watch: counts and times of one process, as Prometheus reads them."""

from __future__ import annotations

import asyncio
import resource
from bisect import bisect_left
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.floor import model as m
from pitboss.floor.model import Answer

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

ANSWERS = (m.Accepted, m.NotAllowed, m.Denied, m.Unknown, m.Moved, m.Halted, m.Proposed)
TAGS = {kind.__name__: kind.__struct_config__.tag for kind in ANSWERS}
"""Answers as clients know them: accepted, refused, denied, ..."""
TOTALS = {
    "acts": "Acts at all tables since the first day, in all processes.",
    "rounds": "Rounds that ended at all tables since the first day, in all processes.",
    "tables": "Tables that were ever opened.",
}
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """Counters that the hot path adds to without ceremony."""

    def __init__(self) -> None:
        self.messages_in = 0
        self.updates = 0
        self.slowed = 0
        self.unread = 0
        self.sockets = 0
        self.requests: dict[tuple[str, int], int] = {}
        self.answers: dict[str, int] = {}
        self._buckets = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0

    def acted(self, answer: Answer, seconds: float) -> None:
        kind = type(answer).__name__
        self.answers[kind] = self.answers.get(kind, 0) + 1
        self._buckets[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def requested(self, method: str, status: int) -> None:
        key = (method, status)
        self.requests[key] = self.requests.get(key, 0) + 1

    def text(self, floor: Floor, totals: dict[str, dict[str, int]]) -> str:
        """The Prometheus text format, version 0.0.4; `totals` are those of the whole floor (`floor.folds.Totals`)."""
        lines: list[str] = []

        def family(name: str, kind: str, words: str, values: list[tuple[str, float]]) -> None:
            lines.append(f"# HELP pitboss_{name} {words}")
            lines.append(f"# TYPE pitboss_{name} {kind}")
            lines.extend(f"pitboss_{name}{labels} {_number(value)}" for labels, value in values)

        answers = [(f'{{answer="{TAGS[kind]}"}}', float(count)) for kind, count in sorted(self.answers.items())]
        family("acts_total", "counter", "Acts by what was answered.", answers)
        self._histogram(lines)
        requests = [
            (f'{{method="{method}",status="{status}"}}', float(count))
            for (method, status), count in sorted(self.requests.items())
        ]
        family("http_requests_total", "counter", "HTTP requests by method and status.", requests)
        family("socket_messages_total", "counter", "Messages from clients.", [("", self.messages_in)])
        family("socket_updates_total", "counter", "Updates sent to watchers.", [("", self.updates)])
        family("socket_slowed_total", "counter", "Times that a client was made to wait.", [("", self.slowed)])
        family("socket_unread_total", "counter", "Messages that could not be read.", [("", self.unread)])
        family("sockets", "gauge", "Open sockets.", [("", self.sockets)])
        hosts = list(floor.hosts.values())
        family("tables", "gauge", "Tables that this process owns.", [("", len(hosts))])
        family("tables_open", "gauge", "Tables of the whole floor.", [("", len(floor.openings))])
        for name, words in TOTALS.items():
            of_books = [
                (f'{{rulebook="{book}"}}', float(count)) for book, count in sorted(totals.get(name, {}).items())
            ]
            family(f"floor_{name}_total", "counter", words, of_books)
        watching = sum(len(host.updates.watchers) for host in hosts)
        family("watchers", "gauge", "Watchers of tables.", [("", watching)])
        rounds = sum(host.table.phase != "wagers" for host in hosts)
        family("rounds_in_play", "gauge", "Tables with a round in play.", [("", rounds)])
        commits = floor.commits
        family("log_batches_total", "counter", "Durable transactions.", [("", commits.batches)])
        family("log_appends_total", "counter", "Appends written in them.", [("", commits.items)])
        family("log_waiting", "gauge", "Appends that wait to be written.", [("", commits.waiting)])
        family("ready", "gauge", "Whether clients are taken.", [("", float(floor.is_ready))])
        family("tasks", "gauge", "Coroutines that run or wait.", [("", len(asyncio.all_tasks()))])
        lines.extend(_process())
        return "\n".join(lines) + "\n"

    def _histogram(self, lines: list[str]) -> None:
        name = "pitboss_act_seconds"
        lines.append(f"# HELP {name} From an act's arrival to its durable answer.")
        lines.append(f"# TYPE {name} histogram")
        total = 0
        for bound, count in zip(BOUNDS, self._buckets, strict=False):
            total += count
            lines.append(f'{name}_bucket{{le="{bound:g}"}} {total}')
        total += self._buckets[-1]
        lines.append(f'{name}_bucket{{le="+Inf"}} {total}')
        lines.append(f"{name}_sum {_number(self._seconds)}")
        lines.append(f"{name}_count {total}")


def _process() -> list[str]:
    """Memory, processor and files of the process, under the names that every Prometheus client uses."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    values = {
        "cpu_seconds_total": ("counter", "Processor time, user and system.", used.ru_utime + used.ru_stime),
        "max_fds": ("gauge", "Files that may be open.", resource.getrlimit(resource.RLIMIT_NOFILE)[0]),
    }
    with suppress(OSError):  # where there is no /proc
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        resident = pages * resource.getpagesize()
        values["resident_memory_bytes"] = ("gauge", "Memory in use.", resident)
        values["open_fds"] = ("gauge", "Files that are open.", sum(1 for _ in Path("/proc/self/fd").iterdir()))
    return [
        line
        for name, (kind, words, value) in values.items()
        for line in (
            f"# HELP process_{name} {words}",
            f"# TYPE process_{name} {kind}",
            f"process_{name} {_number(value)}",
        )
    ]


def _number(value: float) -> str:
    """Whole numbers in full: a count above a million is not rounded."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))
