"""Reading a terminal: a key that counts at once, or a whole line. Keys typed in one go, with Enter, are a line."""

from __future__ import annotations

import os
import select
import sys
from types import TracebackType
from typing import Any, Protocol

from pitboss.terminal.waiting import wait_to_read

try:
    import termios
    import tty
except ImportError:  # no terminal of that kind: every key then wants Enter
    termios = None  # type: ignore[assignment]
    tty = None  # type: ignore[assignment]

TOGETHER_SECONDS = 0.03
"""Keys that follow each other as fast as this were typed by a program, or pasted."""
HABIT_SECONDS = 0.3
"""So soon after a key an Enter is still habit."""
LONGEST = 4096
END = b"\x04"


class Keyboard(Protocol):
    """Whatever answers questions: a person's keys, or a script."""

    def key(self) -> str | None: ...

    def line(self) -> str | None: ...

    def pending(self, seconds: float = 0.0) -> bool: ...

    def drop(self) -> bool: ...


class Keys:
    """The keyboard of whoever plays, silent while the table is drawn; used in a `with` block."""

    def __init__(self) -> None:
        self.descriptor = sys.stdin.fileno()
        self.typed = b""
        self.after_key = False
        """The last thing read was a single key: an Enter that already waits belongs to it."""
        self.usual: list[Any] | None = None

    def __enter__(self) -> Keys:
        if termios is not None:
            self.usual = termios.tcgetattr(self.descriptor)
            self._silent()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._usual()

    def _silent(self) -> None:
        """Keys come at once and are not echoed; Ctrl-C still interrupts."""
        if self.usual is not None:
            tty.setcbreak(self.descriptor, termios.TCSADRAIN)

    def _usual(self) -> None:
        """The terminal as it was found: it echoes and lets one edit a line."""
        if self.usual is not None:
            termios.tcsetattr(self.descriptor, termios.TCSADRAIN, self.usual)

    def pending(self, seconds: float = 0.0) -> bool:
        """Whether something has been typed that nobody has read."""
        if self.typed:
            return True
        return bool(select.select([self.descriptor], [], [], seconds)[0])

    def drop(self) -> bool:
        """Forget what was typed before it was asked for, a late Enter too; False where that cannot be done."""
        if self.usual is None:
            return False
        if self.after_key and not self.typed:
            self._more(HABIT_SECONDS)
        self.after_key = False
        self.typed = b""
        try:
            termios.tcflush(self.descriptor, termios.TCIFLUSH)
        except termios.error:  # the terminal has gone
            return False
        return True

    def key(self) -> str | None:
        """One key, or a whole line where one was typed in one go; None at the end of input."""
        if self.usual is None:
            return self.line()
        self._drop_enter()
        if not self.typed:
            self._take()
        while self.typed and b"\n" not in self.typed and self._more(TOGETHER_SECONDS):
            if not self._take():
                break
        if not self.typed or self.typed.startswith(END):
            self.typed = b""
            return None
        if self.typed.startswith(b"\x1b"):  # an arrow or a function key: nothing that we know
            self.typed = b""
            return "\x1b"
        if b"\n" in self.typed:
            return self._line_typed()
        text = self.typed.decode("utf-8", errors="replace")
        self.typed = text[1:].encode()
        self.after_key = True
        return text[0]

    def line(self) -> str | None:
        """A whole line; None at the end of input."""
        self._drop_enter()
        self._usual()
        try:
            while b"\n" not in self.typed and len(self.typed) < LONGEST:
                if not self._take():
                    break
                if self.typed.endswith(END):  # typed before the terminal could take it for the end of input
                    self.typed = self.typed.rstrip(END)
                    break
        finally:
            self._silent()
        return self._line_typed() if self.typed else None

    def _line_typed(self) -> str:
        self.after_key = False
        line, _, self.typed = self.typed.partition(b"\n")
        return line.decode("utf-8", errors="replace")

    def _drop_enter(self) -> None:
        """Whoever presses Enter after a key out of habit means nothing by it."""
        if self.after_key:
            self.after_key = False
            if not self.typed and self._more(0.0):
                self._take()
            if self.typed.startswith(b"\n"):
                self.typed = self.typed[1:]

    def _take(self) -> bool:
        """Read what there is; False at the end of input."""
        try:
            wait_to_read(self.descriptor)
            data = os.read(self.descriptor, LONGEST)
        except OSError:  # the terminal has gone
            return False
        self.typed += data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return bool(data)

    def _more(self, seconds: float) -> bool:
        return bool(select.select([self.descriptor], [], [], seconds)[0])
