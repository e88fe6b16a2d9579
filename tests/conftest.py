"""The mark with which a test says which clauses it carries: ``@pytest.mark.clause("nsw-pontoon", "12.1.4.1")``.

With PITBOSS_COVERAGE set, every worker measures which branches the engine's own tests and records reach.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from coverage import Coverage

ENGINE = (
    "tests/table/", "tests/rulebooks/", "tests/clauses/test_kept_in_code.py", "tests/records/test_replaying.py",
    "tests/ledger/", "tests/patrons/", "tests/floor/test_books.py", "tests/floor/test_money.py",
    "tests/floor/test_permissions.py", "tests/coach/", "tests/tournament/test_tables.py",
    "tests/tournament/test_irregular_sessions.py", "tests/tournament/test_playing_records.py",
)  # fmt: skip
AMONG_PROCESSES = (
    "tests/web/", "tests/server/", "tests/store/", "tests/floor/", "tests/terminal/", "tests/project/",
)  # fmt: skip
"""Real browsers, servers, databases and terminals: when busy, one of a thousand such tests may run out of patience."""
_COVERAGE: pytest.StashKey[Coverage] = pytest.StashKey()
_STATE = pytest.StashKey["tempfile.TemporaryDirectory[str]"]()
_MARKED = pytest.StashKey[dict[tuple[str, ...], str]]()


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("PITBOSS_COVERAGE") and hasattr(config, "workerinput"):
        from coverage import Coverage

        config.stash[_COVERAGE] = Coverage(data_suffix=True)
        config.stash[_COVERAGE].start()
    # Workers, servers and commands compile what they import once: hundreds of processes would do it each for itself.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    config.stash[_STATE] = tempfile.TemporaryDirectory(prefix="pitboss-state-")
    os.environ["XDG_STATE_HOME"] = config.stash[_STATE].name  # servers on PostgreSQL keep their heads there
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so does whoever starts us in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "clause(rulebook, clause, ...): the clauses that a test carries")


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_STATE].cleanup()
    if _COVERAGE in config.stash:
        config.stash[_COVERAGE].stop()
        config.stash[_COVERAGE].save()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Collecting is measured, for it imports; then the engine's tests are, and no others."""
    coverage = item.config.stash.get(_COVERAGE, None)
    if coverage is None or item.nodeid.startswith(ENGINE):
        return (yield)
    coverage.stop()
    try:
        return (yield)
    finally:
        coverage.start()


def _with_a_loop_of_its_own(item: pytest.Item) -> Iterator[None]:
    """A browser's loop goes on in the thread that opened it: other tests of that worker have loops of their own."""
    loop = asyncio._get_running_loop()
    if loop is None or item.nodeid.startswith("tests/web/"):
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from _with_a_loop_of_its_own(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _with_a_loop_of_its_own(item))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("PITBOSS_COVERAGE"):  # the whole run; whoever runs a few tests is told of every failure
        for item in items:
            if item.nodeid.startswith(AMONG_PROCESSES):
                item.add_marker(pytest.mark.flaky(reruns=1))
    config.stash[_MARKED] = {mark.args: item.nodeid for item in items for mark in item.iter_markers("clause")}


@pytest.fixture(scope="session")
def marked_clauses(pytestconfig: pytest.Config) -> dict[tuple[str, ...], str]:
    """What the clause marks of all collected tests say, each with one test that has it."""
    return pytestconfig.stash[_MARKED]
