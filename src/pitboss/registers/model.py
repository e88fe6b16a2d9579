"""What a register holds: lines that say what happened, and items that somebody has still to do or to tell."""

from __future__ import annotations

from typing import Literal

import msgspec

REGISTERS: dict[str, str] = {
    "limits": "Limits and signs",
    "restrictions": "Restrictions and exclusions",
    "boxes": "Reserved boxes and demand",
    "player-cards": "Player cards",
    "player-limits": "Loss and deposit limits",
    "mispayments": "Mispayments",
    "changes": "Colour and cash changes",
    "disputes": "Disputes",
    "complaints": "Complaints to inspectors",
    "irregularities": "Irregularities",
    "devices": "Device malfunctions",
    "wrong-cards": "Missing and foreign cards",
    "approvals": "Approvals",
    "closures": "Closures of tables",
    "cards": "Cards in and out",
    "jackpots": "Jackpots",
    "promotions": "Promotions",
}
"""Every register by its name, with its title."""

MINUTE_MS = 60_000
PROMPT_MS = 15 * MINUTE_MS
"""What is to be done at once is overdue after so long: the documents name no minutes (docs/readings.md)."""
REGULATOR = "regulator"
PLAYERS = "players"
OUTSIDE = frozenset(
    {
        "inspector", "surveillance", REGULATOR, "authorised-officer", "commission", "inspectorate",
        "government-inspectorate", "inspectorate-manager",
    }
)  # fmt: skip
"""Those who are told, besides players: they have an address, and are sent the text where one is known."""
State = Literal["due", "overdue", "done", "lapsed"]


class Line(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One line of a register."""

    id: str
    """The place of its entry in the log, and which line of it this is."""
    register: str
    kind: str
    at_ms: int
    rulebook: str
    clauses: tuple[str, ...]
    text: str
    table: str = ""
    person: str = ""
    """The patron whom it concerns."""
    by: str = ""
    """Whoever did it; "" for the house itself."""
    role: str = ""
    second: str = ""
    """Who approved it as the second person."""
    cents: int = 0


class Item(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Something to be done, or somebody to be told."""

    id: str
    register: str
    at_ms: int
    rulebook: str
    clauses: tuple[str, ...]
    text: str
    """Ready to be sent, where somebody is told."""
    who: str
    """The role that must act."""
    to: str = ""
    """Who is told; "" where something is done."""
    line: str = ""
    table: str = ""
    concerns: str = ""
    """The patron whom it concerns."""
    due_ms: int = 0
    """The deadline; 0 until there is one: before play continues."""
    before_play: bool = False
    lapses: bool = False
    """Whether it is over, and not overdue, when its time has come."""
    done_ms: int = 0
    done_by: str = ""
    evidence: str = ""

    @property
    def is_notice(self) -> bool:
        return bool(self.to)

    def state(self, now_ms: int) -> State:
        if self.done_ms:
            return "done"
        if not self.due_ms or now_ms < self.due_ms:
            return "due"
        return "lapsed" if self.lapses else "overdue"


class TableTold(msgspec.Struct):
    """What the registers know of a table."""

    name: str
    rulebook: str
    zone: str
    begins_hour: int
    practice: bool = False
    minimum_cents: int = 0
    maximum_cents: int = 0
    side_limits: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    kept: dict[str, int] = msgspec.field(default_factory=dict)
    """Who keeps an old minimum, and which."""
    signs: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    """Signs that stand, by what they say: since when, and after how many minutes they take effect."""
    closed: bool = False


class Heard(msgspec.Struct, frozen=True, gc=False):
    """Where and when something was written, and by whom."""

    seq: int
    at_ms: int
    by: str = ""
    role: str = ""
    second: str = ""
