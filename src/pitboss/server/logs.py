"""Structured logs: one JSON object a line, with whatever `extra` the caller gave."""

from __future__ import annotations

import logging
import sys
from typing import Any, TextIO

import msgspec

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


OTHER_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""JSON lets them stand as they are, and some programs take them for the end of a line."""


class JsonLines(logging.Formatter):
    """``{"at":"2024-08-19T10:00:00.000Z","level":"info","logger":"pitboss.floor","text":"table taken", ...}``"""

    def format(self, record: logging.LogRecord) -> str:
        from datetime import UTC, datetime

        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {
            "at": at,
            "level": record.levelname.lower(),
            "logger": record.name,
            "text": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode().translate(OTHER_LINE_ENDS)


def set_up(level: str = "info", stream: TextIO | None = None) -> None:
    """Everything that this process logs goes to one place, as lines of JSON."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "litestar"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    logging.getLogger("uvicorn.access").setLevel("WARNING")
