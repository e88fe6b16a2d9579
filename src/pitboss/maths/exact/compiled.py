"""The door to the compiler: kernels are compiled once on a machine and kept in the user's cache."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pitboss.maths.shoes import MathsError

F = TypeVar("F", bound=Callable[..., Any])


@cache
def cache_folder() -> Path:
    """Where compiled kernels are kept; ``NUMBA_CACHE_DIR`` says otherwise.

    Where the user's cache cannot be written, a folder of this process's own: nobody else's compiled code is ever run.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(home) if home else Path.home() / ".cache") / "pitboss" / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    folder = Path(tempfile.mkdtemp(prefix="pitboss-kernels-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def is_compiled() -> bool:
    """Whether these kernels lie in the cache already; compiling them takes some seconds, once."""
    folder, source = cache_folder(), Path(__file__).with_name("kernels.py").stat().st_mtime
    return folder.is_dir() and any(path.stat().st_mtime >= source for path in folder.rglob("kernels.play_hands*.nbc"))


def available() -> None:
    """Raise a `MathsError` that says what to install where the extra is missing."""
    try:
        import numba
        import numpy
    except ImportError as missing:
        raise MathsError('exact values need numpy and numba: pip install "pitboss[maths]".') from missing
    del numba, numpy


def njit(function: F) -> F:
    """Compile a kernel when it is first called, and keep it."""
    os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
    import numba

    vars(numba.config)["CACHE_DIR"] = os.environ["NUMBA_CACHE_DIR"]
    compiler: Callable[[F], Any] = numba.njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"})
    kernel: F = compiler(function)
    return kernel
