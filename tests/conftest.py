"""The mark with which a test says which clauses it carries: ``@pytest.mark.clause("nsw-pontoon", "12.1.4.1")``."""

from __future__ import annotations

import os
import signal
import tempfile

import pytest

_STATE = pytest.StashKey["tempfile.TemporaryDirectory[str]"]()
_MARKED = pytest.StashKey[dict[tuple[str, ...], str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_STATE] = tempfile.TemporaryDirectory(prefix="pitboss-state-")
    os.environ["XDG_STATE_HOME"] = config.stash[_STATE].name  # servers on PostgreSQL keep their heads there
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so does whoever starts us in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "clause(rulebook, clause, ...): the clauses that a test carries")


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_STATE].cleanup()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[_MARKED] = {mark.args: item.nodeid for item in items for mark in item.iter_markers("clause")}


@pytest.fixture(scope="session")
def marked_clauses(pytestconfig: pytest.Config) -> dict[tuple[str, ...], str]:
    """What the clause marks of all collected tests say, each with one test that has it."""
    return pytestconfig.stash[_MARKED]
