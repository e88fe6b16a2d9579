"""The browser's files, as they are in the package: no build step, and never an old one beside a new one.

The page names its script and its styles by their digest: what has that name never changes, so a browser asks for it
once. The page itself, and whatever is asked for by another name, it asks for each time, and is told in a few bytes that
it has the newest. Texts are sent compressed.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import time
from pathlib import Path
from typing import NamedTuple

from pitboss.server.bundle import SCRIPT, STYLE, Bundle
from pitboss.server.security import Scope, Send

ROOT = Path(__file__).parent.parent / "web"
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".json": "application/json",
}


TEXTS = ("text/", "image/svg+xml", "application/manifest+json", "application/json")
LOOK_SECONDS = 0.5
READING = ("GET", "HEAD")
SMALL = 600
"""Bytes that are not worth compressing."""
FOR_EVER = b"public, max-age=31536000, immutable"
ASK_AGAIN = b"no-cache"
NOWHERE = b"no-store"
ALONE = "alone/"
"""Before the path of a module: as it is in its file. A page of its own, as the wall, has its modules so: those of the
bundle would start all pages in it."""


class File(NamedTuple):
    body: bytes
    kind: str
    tag: str
    packed: bytes | None
    """The same, compressed."""
    lasts: bool = False
    """Whether what has this name never changes."""


def file_of(body: bytes, suffix: str, name: str = "", *, lasts: bool = False) -> File:
    kind = KINDS.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(body, 9, mtime=0) if kind.startswith(TEXTS) and len(body) > SMALL else None
    return File(body, kind, hashlib.sha256(body).hexdigest()[:20], packed, lasts)


class Files:
    """Files by path."""

    def __init__(self, root: Path = ROOT, look_seconds: float = LOOK_SECONDS) -> None:
        self._root, self._look_seconds = root.resolve(), look_seconds
        self._known: dict[Path, tuple[int, File]] = {}
        """By where they are, not by how they were asked for: one file has any number of paths."""
        self._bundle: Bundle | None = None
        self._bundled: dict[str, File] = {}
        self._stamp: tuple[int, ...] = ()
        self._looked = 0.0
        """When the files were last looked at."""

    def find(self, path: str) -> File | None:
        """The file at a path below the root; None where there is none."""
        name = "index.html" if path in ("", "/") else path.lstrip("/")
        if alone := name.startswith(ALONE):
            name = name.removeprefix(ALONE)
        if "\0" in name or len(name) > 200:
            return None
        if not alone and (name == "index.html" or name.startswith("v/") or name.endswith(".js")):
            self._put_together()
            if name in self._bundled:
                return self._bundled[name]
            shim = self._bundle.module(name) if self._bundle is not None else None
            if shim is not None:
                return file_of(shim, ".js")
        place = (self._root / name).resolve()
        if not place.is_relative_to(self._root) or not place.is_file():
            return None
        changed = place.stat().st_mtime_ns
        known = self._known.get(place)
        if known is None or known[0] != changed:
            known = self._known[place] = (changed, file_of(place.read_bytes(), place.suffix, place.name))
        return known[1]

    def _put_together(self) -> None:
        """The bundle, anew where a file has changed; looked at no more than once in a while."""
        now = time.monotonic()
        if self._bundle is not None and now < self._looked + self._look_seconds:
            return
        self._looked = now
        stamp = tuple(path.stat().st_mtime_ns for path in sorted(self._root.rglob("*")))
        if stamp == self._stamp or not (self._root / "index.html").is_file():
            return
        self._bundle = bundle = Bundle(self._root)
        self._bundled = {
            "index.html": file_of(bundle.page, ".html"),
            f"v/{bundle.digest}/{SCRIPT}": file_of(bundle.script, ".js", lasts=True),
            f"v/{bundle.digest}/{STYLE}": file_of(bundle.style, ".css", lasts=True),
        }
        self._stamp = stamp

    async def __call__(self, scope: Scope, send: Send) -> None:
        """Answer one request."""
        if scope["method"] not in READING:
            await refuse_method(send)
            return
        file = self.find(scope["path"])
        if file is None:
            await _send(send, 404, [(b"content-type", b"text/plain; charset=utf-8")], b"There is no such page.\n")
            return
        await send_file(scope, send, file)


async def refuse_method(send: Send) -> None:
    await _send(send, 405, [(b"allow", ", ".join(READING).encode())], b"")


async def send_file(scope: Scope, send: Send, file: File, keeping: bytes = ASK_AGAIN) -> None:
    """Compressed where it may be, and not at all to whoever has it; `keeping`: whether that may be."""
    asked = dict(scope["headers"])
    packed = file.packed if b"gzip" in asked.get(b"accept-encoding", b"") else None
    body, tag = (file.body, f'"{file.tag}"') if packed is None else (packed, f'"{file.tag}-gz"')
    headers = [(b"etag", tag.encode()), (b"cache-control", FOR_EVER if file.lasts else keeping)]
    if file.packed is not None:
        headers.append((b"vary", b"accept-encoding"))
    if file.tag in asked.get(b"if-none-match", b"").decode("latin-1"):
        await _send(send, 304, headers, b"")
        return
    headers.append((b"content-type", file.kind.encode()))
    if packed is not None:
        headers.append((b"content-encoding", b"gzip"))
    await _send(send, 200, headers, b"" if scope["method"] == "HEAD" else body, len(body))


async def _send(
    send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes, length: int | None = None
) -> None:
    if status != 304:
        headers = [*headers, (b"content-length", str(len(body) if length is None else length).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
