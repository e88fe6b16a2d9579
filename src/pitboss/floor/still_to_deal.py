"""What is folded of all tables comes no sooner than it is told: entries wait until their cards are dealt.

At a table whose dealer sets the pace an act is written whole before its cards are dealt and its wagers paid. Whoever
may read the books of the house, takings or registers would learn from them what comes next.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pitboss.floor.host import decode_act, stream_of
from pitboss.floor.link import PoolMoved
from pitboss.floor.link import stream_of as link_stream
from pitboss.floor.pacing import Mark, decode_mark, first_untold, pace_of
from pitboss.store.log import Entry

TABLE, LINK, PACE = stream_of(""), link_stream(""), pace_of("")
MOVED = "moved"

_decode_moved = msgspec.json.Decoder(PoolMoved).decode


class StillToDeal(msgspec.Struct, omit_defaults=True):
    """A part of a fold: it goes to JSON and back with it."""

    marks: dict[str, Mark] = {}
    """How far the dealers have come who set the pace, by table."""
    waiting: dict[str, list[Entry]] = {}
    """By table, what was written and may not be heard yet, with what jackpots say of it."""

    def told(self, entry: Entry) -> Sequence[Entry]:
        """What may be heard now that this entry is written: mostly itself."""
        stream = entry.stream
        if stream.startswith(PACE):
            table, mark = stream.removeprefix(PACE), decode_mark(entry.body)
            if mark.on:
                self.marks[table] = mark
            else:
                self.marks.pop(table, None)
            return self._heard_at(table)
        if not self.marks and not self.waiting:
            return (entry,)
        if stream.startswith(TABLE):
            table = stream.removeprefix(TABLE)
        elif stream.startswith(LINK) and entry.kind == MOVED:
            table = _decode_moved(entry.body).table
        else:
            return (entry,)
        if table not in self.marks and table not in self.waiting:
            return (entry,)
        self.waiting.setdefault(table, []).append(entry)
        return self._heard_at(table)

    def _heard_at(self, table: str) -> list[Entry]:
        waiting, mark = self.waiting.pop(table, []), self.marks.get(table)
        first = next((n for n, entry in enumerate(waiting) if mark is not None and _hides(mark, entry)), len(waiting))
        if waiting[first:]:
            self.waiting[table] = waiting[first:]
        return waiting[:first]


def _hides(mark: Mark, entry: Entry) -> bool:
    """Whether something of an act is still to be dealt, collected or paid."""
    if not entry.stream.startswith(TABLE) or entry.kind != "act" or entry.version < mark.version:
        return False
    return first_untold(mark, entry.version, decode_act(entry.body).events) is not None
