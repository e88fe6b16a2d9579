"""The browser's files, as they are in the package: no build step, and never an old one beside a new one."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path
from typing import NamedTuple

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
}


class File(NamedTuple):
    body: bytes
    kind: str
    tag: str
    changed_ns: int


class Files:
    """Files by path; a browser asks again each time, and is told in a few bytes that it has the newest."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root.resolve()
        self._known: dict[Path, File] = {}
        """By where they are, not by how they were asked for: one file has any number of paths."""

    def find(self, path: str) -> File | None:
        """The file at a path below the root; None where there is none."""
        name = "index.html" if path in ("", "/") else path.lstrip("/")
        if "\0" in name or len(name) > 200:
            return None
        place = (self._root / name).resolve()
        if not place.is_relative_to(self._root) or not place.is_file():
            return None
        changed = place.stat().st_mtime_ns
        known = self._known.get(place)
        if known is None or known.changed_ns != changed:
            body = place.read_bytes()
            kind = KINDS.get(place.suffix) or mimetypes.guess_type(place.name)[0] or "application/octet-stream"
            known = self._known[place] = File(body, kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"', changed)
        return known

    async def __call__(self, scope: Scope, send: Send) -> None:
        """Answer one request."""
        if scope["method"] not in ("GET", "HEAD"):
            await _send(send, 405, [(b"allow", b"GET, HEAD")], b"")
            return
        file = self.find(scope["path"])
        if file is None:
            await _send(send, 404, [(b"content-type", b"text/plain; charset=utf-8")], b"There is no such page.\n")
            return
        headers = [(b"etag", file.tag.encode()), (b"cache-control", b"no-cache")]
        asked = dict(scope["headers"]).get(b"if-none-match", b"").decode("latin-1")
        if file.tag in asked:
            await _send(send, 304, headers, b"")
            return
        headers.append((b"content-type", file.kind.encode()))
        await _send(send, 200, headers, b"" if scope["method"] == "HEAD" else file.body, len(file.body))


async def _send(
    send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes, length: int | None = None
) -> None:
    if status != 304:
        headers = [*headers, (b"content-length", str(len(body) if length is None else length).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
