"""Where a log is: a path, `sqlite:///...` or `postgresql://...`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.store.log import StoreError
from pitboss.store.sqlite import SqliteLog

if TYPE_CHECKING:
    from pitboss.store.stored import StoredLog


def open_log(url: str, *, create: bool = True, read_only: bool = False, several: bool = False) -> StoredLog:
    """Open a log, and make it where there is none; `several` processes that write to one file queue for it."""
    path = path_of(url)
    if path is not None:
        return SqliteLog(path, create=create, read_only=read_only, several=several)
    if url.partition("://")[0] in ("postgresql", "postgres"):
        try:
            from pitboss.store.postgres import PostgresLog
        except ImportError as fault:
            raise StoreError("PostgreSQL needs psycopg: install pitboss[web].") from fault
        return PostgresLog(url, create=create, read_only=read_only)
    raise StoreError(f"{url}: no such kind of log; write a path, sqlite:///path or postgresql://user@host/database.")


def path_of(url: str) -> Path | None:
    """The file that a log is in; None where it is in a database server."""
    kind, separator, rest = url.partition("://")
    if not separator:
        return Path(url)
    if kind != "sqlite":
        return None
    if not rest.startswith("/") or rest == "/":
        raise StoreError(f"{url}: write sqlite:///absolute/path.db, or the path alone.")
    return Path(rest.removeprefix("/") if rest.startswith("//") else rest)
