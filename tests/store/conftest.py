"""Every test that asks for `url` runs on a new SQLite file, on one that is folded all the time, and on PostgreSQL."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.store import finding
from pitboss.store.opening import open_log
from pitboss.store.stored import StoredLog
from tests.store.servers import execute, postgres, stop

_numbers = itertools.count()


def pytest_sessionfinish() -> None:
    stop()


@pytest.fixture(params=["sqlite", "folding", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param != "postgresql":
        if request.param == "folding":
            monkeypatch.setattr(finding, "FOLD_EVERY", 3)
        yield f"sqlite://{tmp_path / 'log.db'}"
        return
    schema = f"log_{os.getpid()}_{next(_numbers)}"
    address = f"{postgres()}&schema={schema}"
    yield address
    execute(address, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


@pytest.fixture
def log(url: str) -> Iterator[StoredLog]:
    opened = open_log(url)
    yield opened
    opened.close()
