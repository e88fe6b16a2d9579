"""What operators watch: counts and times of one process, as Prometheus reads them."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from pitboss.floor import model as m
from pitboss.floor.alarms import KINDS
from pitboss.floor.model import Answer

if TYPE_CHECKING:
    from pitboss.server.app import Server

ANSWERS = (m.Accepted, m.NotAllowed, m.Denied, m.Unknown, m.Moved, m.Halted, m.Proposed)
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
TOTALS = {
    "acts": "Acts at all tables since the first day, in all processes.",
    "rounds": "Rounds that ended at all tables since the first day, in all processes.",
    "tables": "Tables that were ever opened.",
}

disable_created_metrics()  # type: ignore[no-untyped-call]  # when each series began is of no use to anybody here


class Metrics(Collector):
    """What the server adds to as it goes; whatever can be looked up is looked up when somebody asks.

    What is counted for every message or act is a plain number until somebody asks: each of the library's counters costs
    a lock, and there are five in an act.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.messages_in = self.updates = self.slowed = self.unread = self.sockets = 0
        self._answers = dict.fromkeys(ANSWERS, 0)
        self._buckets = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0
        self._requests = Counter(
            "pitboss_http_requests", "HTTP requests by method and status.", ("method", "status"), registry=self.registry
        )
        self.registry.register(self)

    def acted(self, answer: Answer, seconds: float) -> None:
        self._answers[type(answer)] += 1
        self._buckets[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def requested(self, method: str, status: int) -> None:
        self._requests.labels(method, status).inc()

    def collect(self) -> Iterator[Metric]:
        answers = CounterMetricFamily("pitboss_acts", "Acts by what was answered.", labels=["answer"])
        for kind, count in self._answers.items():
            answers.add_metric([str(kind.__struct_config__.tag)], count)
        yield answers
        bounds = [*map(str, BOUNDS), "+Inf"]
        yield HistogramMetricFamily(
            "pitboss_act_seconds",
            "From an act's arrival to its durable answer.",
            buckets=[*zip(bounds, accumulate(self._buckets), strict=True)],
            sum_value=self._seconds,
        )
        yield CounterMetricFamily("pitboss_socket_messages", "Messages from clients.", self.messages_in)
        yield CounterMetricFamily("pitboss_socket_updates", "Updates sent to watchers.", self.updates)
        yield CounterMetricFamily("pitboss_socket_slowed", "Times that a client was made to wait.", self.slowed)
        yield CounterMetricFamily("pitboss_socket_unread", "Messages that could not be read.", self.unread)
        yield GaugeMetricFamily("pitboss_sockets", "Open sockets.", self.sockets)

    def text(self) -> bytes:
        """The Prometheus text format, version 0.0.4."""
        return generate_latest(self.registry)


class Looked(Collector):
    """What is looked up when somebody asks."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.totals: dict[str, dict[str, int]] = {}
        """Of the whole floor by rulebook (`floor.folds.Totals`), as somebody last looked."""

    def describe(self) -> Iterable[Metric]:
        return ()  # the floor may not be open yet

    def collect(self) -> Iterator[Metric]:
        floor, guard = self._server.floor, self._server.guard
        hosts, commits, audit = list(floor.hosts.values()), floor.commits, self._server.reception.audit
        gauges = {
            "tables": ("Tables that this process owns.", len(hosts)),
            "tables_open": ("Tables of the whole floor.", len(floor.openings)),
            "watchers": ("Watchers of tables.", sum(len(host.updates.watchers) for host in hosts)),
            "rounds_in_play": ("Tables with a round in play.", sum(host.table.phase != "wagers" for host in hosts)),
            "tables_stopped": ("Tables that were stopped.", sum(bool(host.table.stopped) for host in hosts)),
            "log_waiting": ("Appends that wait to be written.", commits.waiting),
            "ready": ("Whether clients are taken.", self._server.not_ready is None),
            "tasks": ("Coroutines that run or wait.", len(asyncio.all_tasks())),
            "held_bytes": ("Bytes kept for people who have not sent or read them yet.", guard.held.all),
            "held_bytes_of_one": ("Of them, of the account that has most.", guard.held.most_of_one),
            "sockets_of_one": ("Sockets of the account that has most.", guard.sockets.most_of_one),
        }
        counters = {
            "log_batches": ("Durable transactions.", commits.batches),
            "ledger_breaches": ("Acts whose money did not add up.", sum(host.breaches for host in hosts)),
            "faults": ("Acts that a fault in Pitboss kept from being decided.", sum(host.faults for host in hosts)),
            "log_appends": ("Appends written in them.", commits.items),
            "denials": ("Times that somebody was denied something or gave a wrong password.", audit.denials),
            "denials_counted": ("Of them, those that a summary in the audit stands for.", audit.repeated),
        }
        found = floor.room.found
        if found is not None:
            gauges["log_reserve_bytes"] = ("Room that is kept in reserve for the log.", found.reserve_bytes)
            if found.free_bytes is not None:
                gauges["log_free_bytes"] = ("Room that the log's disk has besides.", found.free_bytes)
        for name, (words, value) in gauges.items():
            yield GaugeMetricFamily(f"pitboss_{name}", words, value)
        for name, (words, value) in counters.items():
            yield CounterMetricFamily(f"pitboss_{name}", words, value)
        for name, words in TOTALS.items():
            of_books = CounterMetricFamily(f"pitboss_floor_{name}", words, labels=["rulebook"])
            for book, count in sorted(self.totals.get(name, {}).items()):
                of_books.add_metric([book], count)
            yield of_books
        turned = CounterMetricFamily(
            "pitboss_turned_away", "Times that an account or address had too much of something.", labels=["of"]
        )
        for what, count in guard.turned_away.items():
            turned.add_metric([what], count)
        yield turned
        alarms = GaugeMetricFamily("pitboss_alarm", "Whether an alarm rings.", labels=["alarm"])
        for kind in KINDS:
            alarms.add_metric([kind], kind in floor.alarms)
        yield alarms
