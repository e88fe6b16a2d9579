"""`pitboss serve`: the live floor, for browsers on this machine or a whole casino."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.commands import Unread, look_for_editions
from pitboss.commands.options import EditionsIn

if TYPE_CHECKING:
    from pitboss.rulebooks.terms import Amendment

MOST_PROCESSES = 64
LEVELS = ("debug", "info", "warning", "error")


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8021,
    data: str | None = None,
    address: str | None = None,
    name: list[str] | None = None,
    proxy: list[str] | None = None,
    key: str | None = None,
    heads: str | None = None,
    processes: int = 1,
    grace: float = 30.0,
    reserve: int = 64,
    open: bool = False,
    empty: bool = False,
    amend: list[str] | None = None,
    editions: EditionsIn = None,
    mail: Path | None = None,
    coach: bool = False,
    witness: list[str] | None = None,
    log: str = "info",
    json: bool = False,
) -> int:
    """Run the live floor: tables in the browser, dealt by people or by the house.

    The first start opens a demo floor of five tables, one per rulebook, and prints its address.

    Parameters
    ----------
    host
        The address to listen on; by default this machine only.
    port
        The port to listen on.
    data
        Where the log is kept: a folder, a file, or postgresql://... for several servers on one floor.
    address
        How other servers' clients reach this one, as in https://floor1.example; by default host and port.
        With --processes {port} in it stands for each one's port and {n} for its number, as in
        https://floor.example:{port}.
    name
        A host name this server answers to; repeatable.
    proxy
        A trusted proxy for client addresses, as in 10.0.0.0/8; repeatable.
    key
        The file of the key that signs the head of the log, made on first use; beside a log in a file, and in your state
        folder for PostgreSQL, by default.
    heads
        The file in which signed checkpoints are kept, best on another machine's disk; by default beside the key.
    processes
        How many server processes share the tables; each has its own port, from --port up.
    grace
        Seconds allowed for rounds in play to finish when the server stops.
    reserve
        Megabytes of disk reserved for a log file, so that rounds in play can finish when the disk is full.
    open
        Open a browser.
    empty
        Do not open a demo floor.
    amend
        A TOML file that amends the demo floor's table of the rulebook that it names; repeatable.
    mail
        A TOML file with the mail server for notices, and their recipients.
    coach
        Start the coach for practice tables now instead of on first use (extra maths).
    witness
        An address, as in https://witness.example/heads, to which signed checkpoints of the log are posted; repeatable.
    log
        The log level: debug, info, warning or error.
    json
        Print the server's address as one JSON object.
    """
    if log not in LEVELS:
        raise _unread(f"--log is debug, info, warning or error, not {log[:40]!r}")
    if not 0 <= port <= 65535 or not 0 <= grace < float("inf"):
        raise _unread("--port is from 0 to 65535, and --grace is not below zero")
    if not 0 <= reserve <= 1 << 20:
        raise _unread("--reserve is in megabytes, from 0 to 1048576")
    if not 1 <= processes <= MOST_PROCESSES:
        raise _unread(f"--processes is from 1 to {MOST_PROCESSES}")
    if processes > 1 and port and port + processes > 65536:
        raise _unread("with --processes each process has its own port, from --port to at most 65535")
    if processes > 1 and address is not None and "{port}" not in address and "{n}" not in address:
        raise _unread(
            "with --processes each process has its own address: write {port} or {n} in --address, as in "
            "https://floor.example:{port}, or leave it out"
        )
    for network in proxy or ():
        _check_network(network)
    for each in name or ():
        _check_name(each)
    for each in witness or ():
        _check_witness(each)
    if address is not None:
        address = _checked_address(address)
    try:
        import argon2  # noqa: F401 - people log in with it, much later

        from pitboss.server.serving import Serving, StartError, run
    except ImportError as missing:
        raise _unread(f"the server needs more packages ({missing.name}): install pitboss[web]") from None
    from pitboss.floor.mailing import MailError, read_mail
    from pitboss.store.log import KeyLost

    try:
        settings = read_mail(mail) if mail is not None else None
    except MailError as error:
        raise _unread(f"--mail {error}") from None
    look_for_editions(editions)
    amendments = _amendments(amend or ())
    serving = Serving(
        host=host,
        port=port,
        data=data if data is not None else str(_home()),
        address=address,
        names=tuple(name or ()),
        proxies=tuple(proxy or ()),
        key=Path(key) if key is not None else None,
        heads=Path(heads) if heads is not None else None,
        grace_seconds=grace,
        open_browser=open,
        demo=not empty,
        amendments=amendments,
        log_level=log,
        as_json=json,
        processes=processes,
        reserve_bytes=reserve << 20,
        mail=settings,
        coach=coach,
        witnesses=tuple(witness or ()),
    )
    try:
        return run(serving)
    except (StartError, KeyLost) as error:
        raise Unread(f"pitboss serve: {error}") from None


def _amendments(files: Sequence[str]) -> dict[str, tuple[Amendment, ...]]:
    """Amendments by the rulebook that each file names; what no document allows is refused before anything starts."""
    from pitboss.rulebooks import RULEBOOKS, amend, load
    from pitboss.rulebooks.amend import read_file
    from pitboss.rulebooks.load import read_toml

    found: dict[str, tuple[Amendment, ...]] = {}
    for file in files:
        said = read_toml(Path(file), Path(file).name).get("rulebook")
        if said not in RULEBOOKS:
            raise _unread(f"--amend {file}: rulebook: say which one it amends, one of {', '.join(RULEBOOKS)}")
        found[said] = (*found.get(said, ()), read_file(file, load(said)))
    for rulebook, layers in found.items():
        amend(load(rulebook), *layers)
    return found


def _home() -> Path:
    """Where a floor lives when nobody says: the folder for programs' data, as the desktop standards have it."""
    import os

    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "pitboss"


def _check_network(text: str) -> None:
    import ipaddress

    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise _unread(f"--proxy {text[:60]!r} is no address or network, write it as in 10.0.0.0/8") from None


def _check_name(text: str) -> None:
    if not _is_host(text):
        raise _unread(f"--name {text[:60]!r} is no host name, write it alone and as browsers do, as in floor.example")


def _check_witness(text: str) -> None:
    from urllib.parse import urlsplit

    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise _unread(f"--witness {text[:60]!r} is no address, write it as in https://witness.example/heads")


def _checked_address(text: str) -> str:
    """The address as clients are told it; with the number and the port of a process in it, it must be one."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text.replace("{n}", "1").replace("{port}", "1"))
        port_is_right = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        parts, port_is_right = urlsplit(""), False
    rest = (parts.path.strip("/"), parts.query, parts.fragment, parts.username or "")
    if parts.scheme not in ("http", "https") or not _is_host(parts.hostname or "") or not port_is_right or any(rest):
        raise _unread(
            f"--address {text[:60]!r} is no address of a server, write it as in https://floor.example or "
            "https://floor.example:844{n}; only {n} and {port} may stand in braces"
        )
    return text.rstrip("/")


def _is_host(text: str) -> bool:
    """Whether a browser may call a server so: by a name in letters, digits and hyphens, or by a number."""
    import ipaddress
    import re

    label = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
    if re.fullmatch(rf"{label}(\.{label})*", text) and len(text) <= 253:
        return True
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _unread(text: str) -> Unread:
    return Unread(f"pitboss serve: {text}.")
