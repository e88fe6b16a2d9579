"""Where a log is: a path, `sqlite:///...` or `postgresql://...`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.store.addresses import shown
from pitboss.store.log import StoreError
from pitboss.store.sqlite import SqliteLog

if TYPE_CHECKING:
    from pitboss.store.keyring import Keyring
    from pitboss.store.stored import StoredLog

IN_A_FOLDER = "pitboss.db"
"""The log in a folder that `pitboss serve --data` was given."""


def open_log(
    url: str, *, create: bool = True, read_only: bool = False, several: bool = False, keyring: Keyring | None = None
) -> StoredLog:
    """Open a log, and make it where there is none; `several` processes that write to one file queue for it.

    What is hidden in it is sealed under the keys of `keyring`: those that the environment names, if not said.
    """
    path = path_of(url)
    if path is not None:
        return SqliteLog(path, create=create, read_only=read_only, several=several, keyring=keyring)
    if url.partition("://")[0] in ("postgresql", "postgres"):
        try:
            from pitboss.store.postgres import PostgresLog
        except ImportError as fault:
            raise StoreError("PostgreSQL needs psycopg: install pitboss[web].") from fault
        return PostgresLog(url, create=create, read_only=read_only, keyring=keyring)
    raise StoreError(
        f"{shown(url)}: no such kind of log; write a path, sqlite:///path or postgresql://user@host/database."
    )


def log_at(said: str, *, new: bool = False) -> str:
    """The log that somebody means, who may name the folder that it is in; `new` where it is to be made."""
    path = path_of(said)
    if path is None:
        return said
    if not said.strip():
        raise StoreError("no log is named; give its file, its folder or its address.")
    if path.is_dir():
        if not new and not (path / IN_A_FOLDER).exists():
            raise StoreError(f"{said}: there is no log ({IN_A_FOLDER}) in this folder; give the file or its folder.")
        return str(path / IN_A_FOLDER)
    if path.exists() and not path.is_file():
        raise StoreError(f"{said}: this is no file, so it is no log; give the file of a log or its folder.")
    return said


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
