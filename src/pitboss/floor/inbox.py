"""What waits for those who run the floor, in one list: disputes, tables that stand still, approvals, duties, notices.

Nothing is kept that the log does not say, but since when a table has waited for the same word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from pitboss.floor.host import decode_act
from pitboss.floor.projections import Fold
from pitboss.floor.updates import OPEN_DISPUTES
from pitboss.registers.asking import Wanted, items
from pitboss.rulebooks import load
from pitboss.rulebooks.phrases import first_up
from pitboss.table import events as e

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor
    from pitboss.floor.host import Host
    from pitboss.floor.model import Caller
    from pitboss.registers.asking import Kept
    from pitboss.store.log import Entry

STANDS, WAITS, DUE = 3, 2, 1
"""How urgent: play stands still; somebody waits for an answer; something is to be done by a time."""
STALL_MS = 2 * 60_000
"""A table that has waited so long for the same word stands still."""
AWAY_MS = 30_000
"""A player who does not watch while the table waits for them is away after so long."""
LISTED_MAX = 200
_SPOKEN = (b'"DisputeRaised"', b'"DisputeRuled"', b'"ReviewAsked"')


class Dispute(msgspec.Struct, frozen=True):
    """A player's dispute, as far as it has come."""

    table: str
    player: str
    about: str
    raised_ms: int
    version: int
    """At which it was raised."""
    round: int
    """In which, or after which."""
    in_round: bool
    stage: str = "raised"
    """raised, ruled, review, outside or final."""
    ruling: str = ""
    ruled_by: str = ""
    ruled_ms: int = 0
    changed_ms: int = 0


class Disputes(Fold):
    """Every dispute of every table; the latest of each player."""

    name: ClassVar[str] = "disputes"
    version: ClassVar[int] = 1

    found: dict[str, Dispute] = msgspec.field(default_factory=dict)
    rounds: dict[str, int] = msgspec.field(default_factory=dict)
    playing: set[str] = msgspec.field(default_factory=set)
    rulebooks: dict[str, str] = msgspec.field(default_factory=dict)

    def apply(self, entry: Entry) -> None:
        kind, _, table = entry.stream.partition(":")
        if kind != "table":
            return
        if entry.kind == "opened":
            self.rulebooks[table] = msgspec.json.decode(entry.body, type=_Opened).rulebook
        if entry.kind != "act":
            return
        if any(name in entry.body for name in _SPOKEN):
            for event in decode_act(entry.body).events:
                self._hear(entry, table, event)
        if b'"RoundBegan"' in entry.body:
            self.playing.add(table)
        if b'{"event":"RoundEnded"' in entry.body:
            self.rounds[table] = self.rounds.get(table, 0) + 1
            self.playing.discard(table)
        if b'{"event":"RoundVoided"' in entry.body:
            self.playing.discard(table)

    def _hear(self, entry: Entry, table: str, event: e.Event) -> None:
        if isinstance(event, e.DisputeRaised):
            playing = table in self.playing
            number = self.rounds.get(table, 0) + playing
            self.found[f"{table}/{event.player}"] = Dispute(
                table, event.player, event.about, entry.at_ms, entry.version, number, playing, changed_ms=entry.at_ms
            )
            return
        if not isinstance(event, (e.DisputeRuled, e.ReviewAsked)):
            return
        before = self.found.get(f"{table}/{event.player}")
        if before is None:
            return
        if isinstance(event, e.DisputeRuled):
            now = replace(
                before, stage="final" if event.final else "ruled", ruling=event.ruling, ruled_by=entry.by,
                ruled_ms=entry.at_ms, changed_ms=entry.at_ms,
            )  # fmt: skip
        else:
            now = replace(before, stage="review" if event.within else "outside", changed_ms=entry.at_ms)
        self.found[f"{table}/{event.player}"] = now


class _Opened(msgspec.Struct):
    rulebook: str


class DisputeTold(msgspec.Struct, frozen=True):
    """A dispute, and whose it is now."""

    dispute: Dispute
    table_name: str
    whose: str
    """The role that rules on it now; nobody's once it is final."""
    clauses: tuple[str, ...]
    another: bool
    """Whether the caller may not, having ruled on it before: a review is somebody else's."""


class Waits(msgspec.Struct, frozen=True):
    """One thing that wants attention."""

    kind: Literal["alarm", "stopped", "stall", "cut", "away", "irregularity", "dispute", "approval", "duty", "notice"]
    urgency: int
    since_ms: int
    text: str
    link: str
    table: str = ""
    table_name: str = ""
    clauses: tuple[str, ...] = ()
    yours: bool = True
    """Whether the caller can do something about it, and does not only see it."""


class InboxTold(msgspec.Struct, frozen=True):
    now_ms: int
    yours: int
    """How many want something of the caller: what a badge says."""
    waits: list[Waits]
    """The most urgent first, then what has waited longest."""


def told_dispute(found: Dispute, rulebook: str, name: str, caller: Caller) -> DisputeTold:
    terms = load(rulebook).irregularities
    term = {"raised": terms.dispute_by, "review": terms.dispute_review, "ruled": terms.dispute_review}.get(found.stage)
    whose = str(term.value) if term is not None and found.stage in OPEN_DISPUTES else ""
    clauses = term.clauses if term is not None else terms.dispute_by.clauses
    return DisputeTold(found, name, whose, clauses, found.stage == "review" and found.ruled_by == caller.name)


class Inbox:
    """Asked by whoever runs the floor."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._since: dict[str, tuple[tuple[Any, ...], int]] = {}
        """By table: what it waits for, and since when."""

    def at_tables(self) -> list[Waits]:
        """Tables of this process that stand still, or at which something is to be put right."""
        found: list[Waits] = []
        for host in self._floor.hosts.values():
            found += self._at(host)
        for alarm in self._floor.alarms.ringing:
            if alarm.kind != "table-stopped":
                found.append(Waits("alarm", STANDS, alarm.since_ms, f"{alarm.text} {alarm.todo}", "#/tables"))
        return found

    def _at(self, host: Host) -> list[Waits]:
        now, waiting, table = self._floor.clock.now_ms(), host.updates.waiting(), host.shown
        name, link = host.opening.name or host.name, f"#/table/{host.name}"
        cards = sum(len(hand.cards) for box in table.boxes.values() for hand in box.hands)
        key = (host.shown_rounds, table.phase, *waiting.who, waiting.what, waiting.box, waiting.hand, cards)
        before = self._since.get(host.name)
        since = before[1] if before is not None and before[0] == key else host.changed_ms
        self._since[host.name] = (key, since)

        def one(kind: Any, urgency: int, text: str, clauses: tuple[str, ...] = ()) -> Waits:
            return Waits(kind, urgency, since, text, link, host.name, name, clauses)

        terms = table.rulebook.irregularities
        if table.stopped:
            return [one("stopped", STANDS, f"The table is stopped: {table.stopped.rstrip('.')}.")]
        who = waiting.who[0].replace("-", " ") if waiting.who else ""
        if waiting.what == "approval":
            return [one("irregularity", STANDS, f"The {who} approves before play continues.", terms.approval.clauses)]
        if waiting.what in ("reconstruction", "void"):
            what = "The cards have run out" if waiting.what == "void" else "The round is misdealt"
            clauses = terms.void_by.clauses if waiting.what == "void" else terms.misdeal.clauses
            return [one("irregularity", STANDS, f"{what}: reconstruct the round or declare it void.", clauses)]
        if waiting.what == "confirmation":
            clauses = terms.wrong_cards_check.clauses
            return [one("irregularity", STANDS, "The decks must be checked before the next deal.", clauses)]
        player = next((each for each in waiting.who if each in table.players), "")
        between = table.phase == "wagers" and waiting.what in ("wagers", "shuffle", "cutting-card")
        idle = between and not any(box.wagers for box in table.boxes.values())
        if waiting.what == "cut" and who == "supervisor" and host.opening.dealer == "person" and now - since < STALL_MS:
            return [one("cut", WAITS, "The cards are shuffled, and the cut is offered to the supervisor.")]
        if idle or now - since < AWAY_MS:
            return []
        watched = {watch.caller.name for watch in host.updates.watchers}
        where = f", box {waiting.box}" if waiting.box else ""
        if now - since >= STALL_MS:
            whom = f"{player}{where}" if player else _awaited(waiting.what, who)
            away = ", who is away" if player and player not in watched else ""
            return [one("stall", STANDS, f"Play has stalled: the table is waiting for {whom}{away}.")]
        if player and player not in watched and host.opening.dealer == "person":
            return [one("away", WAITS, f"{player}{where} is away, and the table is waiting for them.")]
        return []


def _awaited(what: str, who: str) -> str:
    if what == "wagers":
        return "the dealer to call no more bets and deal"
    return f"the {who}" if who else "the dealer"


def of_disputes(told: list[DisputeTold]) -> list[Waits]:
    """Those that somebody of the house is to rule on."""
    found = []
    for each in told:
        if each.whose:
            what = "asks for a review" if each.dispute.stage == "review" else "disputes"
            text = f"{each.dispute.player} {what}: “{each.dispute.about}”. The {each.whose.replace('-', ' ')} decides."
            link = f"#/disputes/{each.dispute.table}/{each.dispute.player}"
            found.append(
                Waits(
                    "dispute", WAITS, each.dispute.changed_ms, text, link, each.dispute.table, each.table_name,
                    each.clauses, not each.another,
                )
            )  # fmt: skip
    return found


def of_approvals(
    listed: list[dict[str, Any]], words: Callable[[dict[str, Any]], str], called: Callable[[str], str]
) -> list[Waits]:
    """Requests that wait for a second person."""
    return [
        Waits(
            "approval", WAITS, each["at_ms"], f"{each['first']} asks: {words(each)}.", "#/approvals", each["table"],
            called(each["table"]), tuple(each["clauses"]), each["yours"],
        )
        for each in listed
        if each["state"] == "waiting"
    ]  # fmt: skip


def of_registers(book: Kept, now: int, called: Callable[[str], str], disputed: Collection[str] = ()) -> list[Waits]:
    """Duties and notices whose time has come; those that are overdue first. At a table that is `disputed` the dispute
    itself says what its notice would."""
    found = []
    for item in items(book, Wanted(due=True), now):
        if item.is_notice and item.register == "disputes" and item.table in disputed:
            continue
        kind: Any = "notice" if item.is_notice else "duty"
        link = "#/registers/notices" if item.is_notice else f"#/registers/{item.register}"
        overdue = "Overdue: " if item.state(now) == "overdue" else ""
        told = f"tell the {item.to.replace('-', ' ')}: " if item.to and item.to != item.who else ""
        text = first_up(f"{overdue}{told}{item.text.rstrip('.')}.")
        urgency = WAITS if overdue else DUE
        found.append(
            Waits(kind, urgency, item.due_ms or item.at_ms, text, link, item.table, called(item.table), item.clauses)
        )
    return found[:LISTED_MAX]


def in_order(waits: list[Waits]) -> list[Waits]:
    """What stands still before what waits before what is due; of equals what has waited longest."""
    return sorted(waits, key=lambda each: (-each.urgency, each.since_ms, each.table, each.text))
