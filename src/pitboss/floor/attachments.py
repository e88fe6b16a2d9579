"""The port for what spans tables: whatever is attached to several of them, in several processes, keeps to this.

An attachment has streams of its own in the log. What an act at a table does to them is written in the append of the
act, so that there is no moment at which one has happened and the other has not. A host asks its attachments for every
act, in this order: `refuse`, `tells_first`; where somebody refuses, `doubts`; once the engine has decided, `check` and
`parts`; and when the log has answered: `landed`, or `lost` and `recover` where something was not written. Whatever is
asked before `parts` may raise `Wait`. Everything runs in the floor's loop; what blocks goes through
`commits.run`. `floor/link.py` is one, the jackpot on several tables.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pitboss.floor.model import Answer, Opening
from pitboss.store.log import Append, Entry, Log, Outcome, Part
from pitboss.table.acts import AnyAct
from pitboss.table.events import Event
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor


class Commits(Protocol):
    """What is needed of `pitboss.store.group.GroupCommit`."""

    log: Log

    def send(self, item: Append, done: Callable[[Outcome | BaseException], object]) -> None: ...

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any: ...


class Decided(NamedTuple):
    """What came of an act at one table that is about to be written."""

    table: str
    version: int
    """The table's version with the act."""
    act: AnyAct
    before: Table
    after: Table
    events: tuple[Event, ...]
    kinds: set[type[Event]]
    """The kinds of these events."""


class Concerns(NamedTuple):
    """Some acts, and some events whatever act they come of."""

    acts: frozenset[Any]
    events: frozenset[Any] = frozenset()


class Wait(Exception):
    """The act cannot be decided yet: it waits for this, before everything else at its table, and is decided then."""

    def __init__(self, ready: Awaitable[object]) -> None:
        super().__init__("not yet")
        self.ready = ready


class Attachment:
    """One thing that spans tables, as this process knows it. This one does nothing at all."""

    is_shown = False
    """Whether the tables on it show where it stands: then all are looked at again when one of them moves it."""

    concerns: Concerns | None = None
    """What its `check` and `parts` are asked about, where that is not everything."""

    def refuse(self, table: Table, act: AnyAct) -> Refusal | None:
        """Why it does not let the act be done at a table, or None if it does; asked before the engine."""
        return None

    def tells_first(self, table: Table, act: AnyAct) -> Iterable[AnyAct]:
        """What the table has to learn before the act is decided; what the engine refuses is left out."""
        return ()

    def stands_in(self, table: Table, name: str, act: AnyAct) -> bool:
        """Whether somebody may do a player's act in the player's name; asked where it is not their own."""
        return False

    def doubts(self, table: Table, act: AnyAct) -> Awaitable[object] | None:
        """What must be read before somebody is told that the act is refused, lest it was right a moment ago only."""
        return None

    def rests(self, table: Table) -> bool:
        """Whether nothing is to begin at the table now: then the house, where it deals, waits."""
        return False

    def check(self, decided: Decided) -> None:
        """Look at what is about to be written, before anybody has a part in it; `Refused` says why it is not."""

    def parts(self, decided: Decided) -> tuple[Part, ...]:
        """What an act does to its streams: parts of the act's append, ahead of what is durable if need be."""
        return ()

    def landed(self, parts: tuple[Part, ...]) -> None:
        """Parts of ours are durably written."""

    def lost(self, parts: tuple[Part, ...]) -> None:
        """Parts of ours were not written, as far as we know; what is true has to be read."""

    def follow_up(self, table: Table) -> AnyAct | None:
        """What the house has to do at an idle table because of it."""
        return None

    async def recover(self, commits: Commits) -> None:
        """An append was not written: read what is true, and forget what was only decided."""

    def shows(self) -> dict[str, Any]:
        """What the update of a table that it is attached to says of it."""
        return {}

    def shows_of(self, table: Table, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What the update says besides of each of these players: to them, and to those who see players' money."""
        return {}


class Spanning:
    """One kind of attachment on one floor: which tables get it, and what of it stands in the stream `floor`."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor

    def fold(self, entry: Entry) -> None:
        """One entry of the stream `floor`."""

    def outrun(self, stream: str) -> None:
        """Somebody else has written to a stream that was about to be written."""

    async def follow(self) -> list[Attachment]:
        """Fold what others have written; gives the attachments that changed."""
        return []

    def opens(self, table: str, opening: Opening) -> Answer | tuple[Part, ...]:
        """What opening a table does to its streams, as parts of the opening's append; or why it is not opened."""
        return ()

    async def attached_to(self, table: str, opening: Opening, now: Table) -> Attachment | None:
        """What a table that was opened so, and stands so now, is attached to."""
        return None
