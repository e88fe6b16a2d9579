"""Every test that asks for `url` runs twice: on a new SQLite file, and on a new schema of a PostgreSQL server."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.store.opening import open_log
from pitboss.store.stored import StoredLog
from tests.store.servers import execute, postgres, stop

_numbers = itertools.count()


def pytest_sessionfinish() -> None:
    stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
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
