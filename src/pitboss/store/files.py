"""Small files of our own: where they are, and how one appears whole or not at all."""

from __future__ import annotations

import os
import threading
from pathlib import Path


def state_folder() -> Path:
    """As the desktop standards have it."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "pitboss"


def write_new(path: Path, text: str, mode: int) -> None:
    """Make a file whole or not at all; where another process was first, its file stays."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        os.write(descriptor, text.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
