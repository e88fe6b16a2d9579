"""The address of a log in a database server: read, taken apart, and shown without its secrets.

What is not ours in it goes to PostgreSQL as it was written: a URL that is put together again may be another one.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

from pitboss.store.log import StoreError

DEFAULT_SCHEMA = "pitboss"
SECRETS = frozenset({"password", "sslpassword"})
HIDDEN = "..."
HOSTS = re.compile(r"(\[[^]/?]*\]|[^:/?[\]]*)(:\d*)?(,(\[[^]/?]*\]|[^:/?[\]]*)(:\d*)?)*")
"""One host or several, each perhaps with a port."""


class Address(NamedTuple):
    """The parts of `postgresql://user:password@host:port/database?name=value&...`, as they were written."""

    hosts: str
    database: str
    asked: dict[str, str]

    @property
    def schema(self) -> str:
        return self.asked.get("schema", DEFAULT_SCHEMA)


def read_address(url: str) -> Address:
    """The parts of an address, or a `StoreError` that says how to write one."""
    front, _, query = _split(url)
    rest = front.partition("://")[2]
    login, _, database = rest.partition("/")
    hosts = login.rpartition("@")[2]
    if not HOSTS.fullmatch(hosts):
        raise unreadable(url)
    pairs = (piece.partition("=") for piece in query.split("&"))
    return Address(hosts, database, {unquote(name): unquote(value) for name, _, value in pairs if value})


def without_schema(url: str) -> tuple[str, str]:
    """The address as PostgreSQL takes it, and the schema: `?schema=NAME` is ours."""
    front, mark, query = _split(url)
    kept = [piece for piece in query.split("&") if _name(piece) != "schema"]
    return front + mark * bool(kept) + "&".join(kept), read_address(url).schema


def shown(place: str) -> str:
    """A log's place as it may be printed: without any password, also where the address is written wrongly."""
    kind, separator, _ = place.partition("://")
    if not separator or kind == "sqlite":
        return place
    front, mark, query = _split(place)
    rest = front.partition("://")[2]
    if "@" in rest:
        user, _, host = rest.rpartition("@")
        rest = f"{user.partition(':')[0]}@{host}"
    elif not HOSTS.fullmatch(rest.partition("/")[0]) and ":" in rest:
        return f"{kind}://{rest.partition(':')[0]}:{HIDDEN}"  # what is no port may be a password, wrongly written
    kept = [piece for piece in query.split("&") if _name(piece) not in SECRETS]
    return f"{kind}://{rest}" + mark * bool(kept) + "&".join(kept)


def unreadable(url: str, why: str = "") -> StoreError:
    return StoreError(
        f"{shown(url)}: this address cannot be read{f' ({why})' if why else ''}; write it as in "
        "postgresql://user@host:5432/database, with %2F for a / in a name or a password."
    )


def _split(url: str) -> tuple[str, str, str]:
    """What stands before the question mark, the mark, and the rest; a password may have a question mark too."""
    kind, separator, rest = url.partition("://")
    login, at, _ = rest.partition("/")[0].rpartition("@")
    front, mark, query = rest[len(login + at) :].partition("?")
    return f"{kind}{separator}{login}{at}{front}", mark, query


def _name(piece: str) -> str:
    return unquote(piece.partition("=")[0])
