"""Which entries a floor can do without while it runs: what happened before a table's newest checkpoint, older
checkpoints, and the audit. They are moved into a segment (`pitboss log archive`) and read from there when asked for."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.floor.audit import Audit
from pitboss.floor.host import CHECKPOINT_EVERY, checkpoints_of, stream_of
from pitboss.store.chain import Row
from pitboss.store.log import PROJECTIONS
from pitboss.store.stored import StoredLog

TABLES, CHECKPOINTS = stream_of(""), checkpoints_of("")


def can_do_without(log: StoredLog) -> Callable[[Row], bool]:
    """Whether the body of an entry is needed only by whoever looks back."""
    newest = {stream.removeprefix(CHECKPOINTS): version for stream, version in log.streams(CHECKPOINTS).items()}

    def without(row: Row) -> bool:
        stream, version = row[2], row[3]
        if stream.startswith(CHECKPOINTS):
            return version < newest.get(stream.removeprefix(CHECKPOINTS), 0)
        if stream.startswith(TABLES):  # the first says how the table was opened
            return 1 < version <= newest.get(stream.removeprefix(TABLES), 0) * CHECKPOINT_EVERY + 1
        return stream == Audit.stream

    return without


def folded_up_to(log: StoredLog) -> int | None:
    """Up to which entry everything that is read across tables is folded and kept; None where nothing is."""
    kept = [version for stream, version, _, _ in log.snapshot_rows() if stream.startswith(PROJECTIONS)]
    return min(kept, default=None)
