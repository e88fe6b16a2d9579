"""What watchers of a table are sent: parts that are equal for all are encoded once, and each gets their own parts only.

An update holds the whole public view, what is private to the one who gets it, and the events since what they last saw.
A watcher who reads slowly skips states and misses no event that is still kept; memory for them does not grow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from pitboss.floor.model import Caller
from pitboss.floor.pacing import WAITING, prompt_for
from pitboss.floor.permissions import denial
from pitboss.floor.prompts import PROMPTED, prompt
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act, AnyAct
from pitboss.table.apply import evolve
from pitboss.table.engine import refusal
from pitboss.table.events import AnyEvent, Event
from pitboss.table.legal import Waiting, legal_acts, waiting_for
from pitboss.table.run import chips_left, loss_left
from pitboss.table.state import Box, PlayerState, Table
from pitboss.table.telling import fact, sentence
from pitboss.table.views import (
    AFFAIRS,
    EVERYBODYS,
    SEES_PRIVATE,
    Viewer,
    box_seen_by,
    cards_seen_by,
    event_seen_by,
    hushed,
    players_seen_by,
    session_seen_by,
    sign,
    view_of,
    whose,
)

if TYPE_CHECKING:
    from pitboss.floor.host import Happened, Host

RECENT = 128
"""Entries of a table whose events are at hand; older ones are read from the log."""

PUBLIC = Viewer("player", "")
"""Somebody who sits nowhere: they see what everybody sees."""
EVERYTHING_BUT_CARDS = Viewer("inspector")
"""Somebody who is told all players' affairs, and of the cards no more than everybody."""

_encode = msgspec.json.Encoder().encode

NOTHING: Mapping[str, dict[str, Any]] = MappingProxyType({})
OPEN_DISPUTES = frozenset({"raised", "review"})

FOR_STAFF = frozenset(
    {
        "wagers", "shuffle", "cut", "cutting-card", "approval", "reconstruction", "void", "stopped", "confirmation",
    }
)  # fmt: skip
"""What the dealer or a supervisor is awaited for."""

_HIDES = frozenset(
    {
        e.CardDealt,
        e.TurnCame,
        e.CardMisplaced,
        e.RoundReconstructed,
        e.RoundReopened,
        e.CardsSetAside,
        e.HandVoided,
        e.RoundTakenBack,
        e.DecisionHeld,
    }
)
"""Kinds that show cards: where hands lie face down each viewer sees their own."""
_ORDERS = frozenset({e.FaceDownOrdered})
_AFFAIRS = frozenset(AFFAIRS)


class Told(msgspec.Struct, frozen=True):
    """One event as somebody may see it."""

    version: int
    n: int
    """Which event of its act it is, from 0."""
    at_ms: int
    by: str
    event: Any
    text: str
    clauses: tuple[str, ...]


def events_as_seen(
    version: int, at_ms: int, by: str, events: Iterable[Event], rulebook: Rulebook, viewer: Viewer,
    before: Table | None, first: int = 0,
) -> list[Told]:  # fmt: skip
    """The events of one act, from number `first` on, as a viewer may see them.

    `before` is wanted where hands lie face down.
    """
    found: list[Told] = []
    table = before
    events = tuple(events)
    unsaid = hushed(viewer, events)
    for index, event in enumerate(events, first):
        if table is not None:
            table = evolve(table, (event,))
        seen = _seen(viewer, event, table)
        if seen is not None:
            if unsaid:
                seen = replace(seen, clauses=tuple(clause for clause in seen.clauses if clause not in unsaid))
            found.append(Told(version, index, at_ms, by, seen, sentence(seen, rulebook), seen.clauses))
    return found


def _seen(viewer: Viewer, event: Event, table: Table | None) -> Event | None:
    if table is not None:
        return event_seen_by(viewer, event, table)
    kind = event.__class__
    if kind in _SEEN_BY_ALL or (kind is e.CardDealt and not event.face_down):  # type: ignore[attr-defined]
        return event
    return event_seen_by(viewer, event, _NO_TABLE)


def seen_without_table(event: Event) -> Event | None:
    """The event without any card that may lie face down, at whichever table; for those who see players' affairs."""
    return cards_seen_by(PUBLIC, event, _NO_TABLE)


_NEVER_SEEN = (e.StackArranged, e.CardBurned, e.CardDrawnInError)
_SEEN_BY_ALL = frozenset(
    kind for kind in get_args(AnyEvent) if kind not in _NEVER_SEEN and kind is not e.CardDealt and kind not in AFFAIRS
)


class _NoTable:
    """Stands in where what is hidden is hidden from everybody, whatever lies on the table."""

    boxes: ClassVar[dict[int, Any]] = {}
    house: ClassVar[Any] = type("House", (), {"face_down": True})


_NO_TABLE: Any = _NoTable()


def hides(events: Collection[Event], before: Table) -> bool:
    """Whether what may be seen of these events differs from viewer to viewer."""
    return _hides(events, set(map(type, events)), lies_face_down_at(before))


def _hides(events: Collection[Event], kinds: set[type[Event]], face_down: bool) -> bool:
    if not kinds.isdisjoint(_HIDES if face_down else _ORDERS):
        return True
    if _AFFAIRS.isdisjoint(kinds):
        return False
    return any(type(event) in _AFFAIRS and whose(event) != EVERYBODYS for event in events)


def needs_table(events: Iterable[Event]) -> bool:
    """Whether, without knowing if hands lie face down, one cannot say what may be seen of these events."""
    return any(type(event) in _HIDES and getattr(event, "face_down", True) for event in events)


def _those_concerned(events: Iterable[Event], before: Table) -> frozenset[str] | None:
    """The players who see of these events what others do not; None where each sees their own cards."""
    kinds = _HIDES if lies_face_down_at(before) else _ORDERS
    return None if any(type(event) in kinds for event in events) else frozenset(map(whose, events))


def lies_face_down_at(table: Table) -> bool:
    if table.house.face_down:
        return True
    for box in table.boxes.values():
        for hand in box.hands:
            if hand.face_down:
                return True
    return False


class Recent:
    """One entry of a table, ready to be told."""

    __slots__ = ("at_ms", "before", "by", "by_viewer", "concerned", "events", "first", "public", "version")

    def __init__(self, happened: Happened, first: int = 0) -> None:
        """`first`: the number in their act of the first of these events."""
        self.first = first
        self.version = happened.version
        self.at_ms = happened.at_ms
        self.by = happened.by
        self.events = happened.events
        self.before = happened.before
        self.public: bytes | None = None
        self.by_viewer: dict[str, bytes] = {}
        self.concerned = None if self.before is None else _those_concerned(self.events, self.before)

    def as_seen_by(self, viewer: Viewer, rulebook: Rulebook) -> bytes:
        """Its events, encoded, with commas between them and no brackets around."""
        if self.before is None:
            if self.public is None:
                self.public = self._encoded(viewer, rulebook)
                self.events = ()
            return self.public
        if viewer.role != "player":
            key = f"/{viewer.role}"
        else:
            key = viewer.name if self.concerned is None or viewer.name in self.concerned else ""
        found = self.by_viewer.get(key)
        if found is None:
            found = self.by_viewer[key] = self._encoded(viewer, rulebook)
        return found

    def _encoded(self, viewer: Viewer, rulebook: Rulebook) -> bytes:
        if self.before is not None:
            shown = events_as_seen(
                self.version, self.at_ms, self.by, self.events, rulebook, viewer, self.before, self.first
            )
            return _encode(shown)[1:-1]
        natural = rulebook.game.natural.value
        which, when = b'{"version":%d,"n":' % self.version, b',"at_ms":%d,"by":%b,' % (self.at_ms, _encode(self.by))
        return b",".join(
            [
                b"%b%d%b%b" % (which, index, when, (_said_anew if type(seen) in _WITH_TABLES else _said)(seen, natural))
                for index, event in enumerate(self.events, self.first)
                if (seen := event if type(event) in _SEEN_BY_ALL else _seen(viewer, event, None)) is not None
            ]
        )


_WITH_TABLES = frozenset(
    kind for kind in get_args(AnyEvent) if any("dict" in str(field.type) for field in msgspec.structs.fields(kind))
) | {e.SessionBegan}


def _said_anew(event: Event, natural: str) -> bytes:
    """The end of `Told`, encoded. What everybody's chips are is a table of its own, and hardly ever the same again."""
    return b'"event":%b,"text":%b,"clauses":%b}' % tuple(map(_encode, (event, fact(event, natural), event.clauses)))


_said = lru_cache(maxsize=8192)(_said_anew)
"""The same where it is kept: a card on a box, or a turn, is soon the same again at one table or another."""


class SharedView(NamedTuple):
    """What an update says to everybody, and what is needed to say the rest."""

    head: bytes
    waiting: Waiting
    acts: tuple[Act, ...]


class PublicView:
    """What everybody sees of a table, encoded; parts that are as they were are not encoded again."""

    def __init__(self) -> None:
        self._house: Any = None
        self._sign = self._layout = msgspec.Raw()
        self._players: Any = None
        self._seats = msgspec.Raw()
        self._boxes: dict[int, tuple[Box, msgspec.Raw]] = {}
        self._reserved: Any = None

    def layout(self, table: Table) -> msgspec.Raw:
        """How many boxes there are, and which chips."""
        self._look_at(table)
        return self._layout

    def view(self, table: Table) -> dict[str, Any]:
        self._look_at(table)
        boxes, known = [], self._boxes
        if table.reserved is not self._reserved:
            self._reserved = table.reserved
            known.clear()
        for number, box in sorted(table.boxes.items()):
            kept = known.get(number)
            if kept is None or kept[0] != box:
                kept = known[number] = box, _raw(box_seen_by(PUBLIC, table, box))
            boxes.append(kept[1])
        session = None if table.session is None else session_seen_by(PUBLIC, table)
        return view_of(table, self._sign, boxes, self._seats, session)

    def _look_at(self, table: Table) -> None:
        """A table is never changed: what is the same object is still so."""
        house = table.house
        if house is not self._house:
            self._house = house
            self._sign = _raw(sign(table))
            layout = {"boxes": house.boxes, "chips_cents": house.chips_cents, "practice": house.is_practice}
            self._layout = _raw(layout | {"counted": house.counted})
        if table.players is not self._players:
            self._players = table.players
            self._seats = _raw(players_seen_by(PUBLIC, table))


def _raw(data: Any) -> msgspec.Raw:
    return msgspec.Raw(_encode(data))


class Watch:
    """Somebody who watches a table: how far they have seen, and how they are woken."""

    __slots__ = ("caller", "host", "is_staff", "key", "missed", "old", "part", "seen", "state", "viewer", "wake")

    def __init__(self, host: Host, caller: Caller, seen: int, wake: Callable[[], None]) -> None:
        self.host = host
        self.caller = caller
        self.seen = seen
        self.part = 0
        """Events that they have seen of the act after that."""
        self.wake = wake
        self.old: bytes = b""
        """Events that were read from the log because they are no longer at hand."""
        self.missed = 0
        self.state: SharedView | None = None
        """What of the table they were told last."""
        self.viewer = Viewer("player", caller.name) if caller.role == "player" else Viewer(caller.role)
        self.is_staff = caller.role != "player"
        self.key = f"/{caller.role}" if self.is_staff else caller.name
        """A player's name, or the role of others: no name has a stroke."""

    def take(self) -> bytes:
        """One update with everything since the last."""
        return self.host.updates.take(self)

    def stop(self) -> None:
        self.host.updates.watchers.discard(self)


class Updates:
    """The watchers of one table."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.watchers: set[Watch] = set()
        self.deadline_ms: int | None = None
        """When the house dealer will go on by itself."""
        self.part = 0
        """Events that were told of an act which is not told to its end."""
        self._recent: deque[Recent] = deque(maxlen=RECENT)
        self._shared: SharedView | None = None
        self._waiting: Waiting | None = None
        self._hinted: Waiting | None = None
        """The same with what only the owner of a hand may know."""
        self._face_down: bool | None = None
        self._private: dict[str, bytes] = {}
        self._texts: list[bytes] = []
        """What everybody is told alike of the versions after `_texts_from`, one after the other, as far as encoded."""
        self._texts_from, self._texts_next = 0, 0
        self._unsaid: list[Recent] = []
        """Of the versions after those."""
        self._public = PublicView()
        self._before_the_deal: dict[str, Mapping[str, dict[str, Any]]] = {}
        self._money: dict[str, tuple[PlayerState, int, bytes]] = {}
        self._of_staff: dict[str, tuple[tuple[Any, ...], bytes]] = {}
        """What each role of staff was last told of players' money, and from what of the table it was made."""

    def happened(self, happened: Happened, first: int = 0, *, whole: bool = True) -> None:
        """An entry became durable, or events of it from number `first` on were dealt; `whole`: that is all of it."""
        recent = Recent(happened, first)
        self._recent.append(recent)
        follows = happened.version == self._texts_next and not first and whole and self.watchers
        if follows and recent.before is None and len(self._unsaid) < RECENT:
            self._unsaid.append(recent)
            self._texts_next += 1
        else:
            self._begin_texts(happened.version)
        self.part = 0 if whole else first + len(happened.events)
        self.stale()

    def stale(self) -> None:
        """Whatever was encoded is no longer so."""
        self._shared = self._waiting = self._face_down = None
        self._private.clear()

    @property
    def oldest(self) -> int:
        """The first version whose events are at hand."""
        if not self._recent:
            return self.host.shown_version + 1
        return self._recent[0].version + bool(self._recent[0].first)

    def shared(self) -> SharedView:
        found = self._shared
        if found is None:
            found = self._shared = self._share()
        return found

    def waiting(self) -> Waiting:
        """What the table waits for, as everybody may know it."""
        if self._waiting is None:
            if self.host.next_piece is not None:
                self._hinted = self._waiting = WAITING
                return WAITING
            self._hinted = waiting_for(self.host.shown)
            self._waiting = _without_hints(self._hinted, self.host.shown)
        return self._waiting

    def lies_face_down(self) -> bool:
        """Whether some hand lies face down now, or would if it were dealt."""
        found = self._face_down
        if found is None:
            found = self._face_down = lies_face_down_at(self.host.shown)
        return found

    def hides(self, events: Collection[Event], kinds: set[type[Event]]) -> bool:
        """Whether what may be seen of these events, of these kinds, which happen now differs from viewer to viewer."""
        return _hides(events, kinds, self.lies_face_down())

    def is_news(self, watch: Watch) -> bool:
        """Whether a watcher has not been told what is so now."""
        return watch.state is None or watch.state is not self._shared

    def awaited(self) -> list[Watch]:
        """Those watchers whose word the table waits for."""
        host = self.host
        waiting = self._waiting or self.waiting()
        if host.moved_to is not None or host.closed or (waiting.what == "wagers" and not host.shown.boxes):
            return list(self.watchers)  # a round is over: whoever likes wagers on the next
        staff = waiting.what in FOR_STAFF or "dealer" in waiting.who
        if waiting.what == "wagers" and not _all_have_wagered(host.shown):
            return []  # nobody's word: who wants to wager knows, and the dealer waits for it
        who = waiting.who
        if staff:
            return [watch for watch in self.watchers if watch.is_staff or watch.key in who]
        return [watch for watch in self.watchers if watch.key in who]

    def take(self, watch: Watch) -> bytes:
        shared = watch.state = self._shared or self.shared()
        private = self._private.get(watch.key)
        if private is None:
            table = self.host.shown
            elsewhere = self._elsewhere(watch.caller, table)
            private = self._private_part(watch.caller, table, shared, elsewhere)
            if not elsewhere:
                self._private[watch.key] = private
        events, missed, version = watch.old, watch.missed, self.host.shown_version
        if watch.seen < version or watch.part != self.part:
            first = self.oldest
            if watch.seen < first - 1:
                missed += first - 1 - watch.seen
            since = self._since(watch)
            events = b"%b,%b" % (events, since) if events and since else events or since
            watch.seen, watch.part = version, self.part
        watch.old, watch.missed = b"", 0
        return b'%b%b,"missed":%d,"events":[%b]}' % (shared.head, private, missed, events)

    def _begin_texts(self, version: int) -> None:
        """What happened up to this version is not told to all alike, or to nobody."""
        self._texts, self._texts_from, self._texts_next, self._unsaid = [], version, version + 1, []

    def _say_to_all(self, viewer: Viewer) -> None:
        """Encode what everybody is told alike, whoever is first to be told."""
        rulebook = self.host.shown.rulebook
        if len(self._texts) >= 2 * RECENT:
            del self._texts[:RECENT]
            self._texts_from += RECENT
        self._texts += [recent.as_seen_by(viewer, rulebook) for recent in self._unsaid]
        self._unsaid = []

    def _since(self, watch: Watch) -> bytes:
        """What happened after what a watcher has seen, as they are told it, with commas between."""
        alike = not watch.part and not self.part and watch.seen >= self._texts_from
        if alike and self._recent[0].version <= watch.seen + 1:
            if self._unsaid:
                self._say_to_all(watch.viewer)
            return b",".join(filter(None, self._texts[watch.seen - self._texts_from :]))
        found: list[bytes] = []
        version, part = watch.seen, watch.part
        for recent in reversed(self._recent):
            if recent.version <= version or (part and recent.first < part and recent.version == version + 1):
                break
            text = recent.public
            if text is None:
                text = recent.as_seen_by(watch.viewer, self.host.shown.rulebook)
            if text:
                found.append(text)
        found.reverse()
        return b",".join(found)

    # --- for everybody ---

    def _share(self) -> SharedView:
        host = self.host
        table = host.shown
        waiting = self.waiting()
        now, passed = host.now_ms(), host.passed
        head = _encode(
            {
                "is": "update",
                "table": host.name,
                "version": host.shown_version,
                "table_name": host.opening.name or host.name,
                "dealer": host.opening.dealer,
                "house": self._public.layout(table),
                "round": host.shown_rounds + 1,
                "closed": host.closed,
                "at_ms": host.changed_ms,
                "clock": {"now_ms": now, "deadline_ms": self.deadline_ms},
                "link": None,
                "tournament": None,
                **{name: said for each in host.showing for name, said in each.shows().items()},
                "waiting": waiting,
                "view": self._public.view(table),
                **({"paced": True} if host.pacing is not None else {}),
                **({"passed": sorted(passed)} if passed else {}),
            }
        )
        acts = () if host.next_piece is not None else legal_acts(table, self._hinted)
        return SharedView(head[:-1], waiting, acts)

    # --- for one ---

    def _private_part(
        self, caller: Caller, table: Table, shared: SharedView, elsewhere: Mapping[str, dict[str, Any]]
    ) -> bytes:
        piece = self.host.next_piece
        legal = [] if piece is not None else legal_for(caller, table, shared.waiting, shared.acts)
        own = self._mine(caller, table, elsewhere)
        if caller.role in PROMPTED:
            natural = table.rulebook.game.natural.value
            asked = _encode(prompt(table, shared.waiting) if piece is None else prompt_for(piece, natural))
            return b',"mine":%b,"legal":%b,"prompt":%b' % (own, _encode(legal), asked)
        return b',"mine":%b,"legal":%b' % (own, _encode(legal) if legal else b"[]")

    def _elsewhere(self, caller: Caller, table: Table) -> Mapping[str, dict[str, Any]]:
        """What is a player's own, changes by what happens at other tables too, and may be told to the caller."""
        if self.host.pacing is not None:  # what files have learned of cards that are not dealt is told with the cards
            if self.host.next_piece is None:
                self._before_the_deal[caller.name] = self._elsewhere_now(caller, table)
            return self._before_the_deal.get(caller.name, {})
        return self._elsewhere_now(caller, table)

    def _elsewhere_now(self, caller: Caller, table: Table) -> Mapping[str, dict[str, Any]]:
        names: Iterable[str] = (caller.name,)
        if caller.role != "player":
            if caller.role not in SEES_PRIVATE:
                return NOTHING
            names = table.players
        found = NOTHING
        for each in self.host.showing_of:
            told = each.shows_of(table, names)
            if told:
                found = {**found, **{name: found.get(name, {}) | said for name, said in told.items()}}
        return found

    def _mine(self, caller: Caller, table: Table, elsewhere: Mapping[str, dict[str, Any]]) -> bytes:
        """What is the caller's own, encoded anew only when something of it has changed."""
        name = caller.name
        state = table.players.get(name)
        if caller.role != "player" and not elsewhere:
            now: tuple[Any, ...] = table.players, table.net, table.disputes, table.last_results, table.round_players
            now += table.reserved, table.session
            before = self._of_staff.get(caller.role)
            if before is None or before[0] != now:
                before = self._of_staff[caller.role] = (now, _encode(mine(caller, table)))
            return before[1]
        if caller.role != "player":
            found = mine(caller, table)
            for other, told in elsewhere.items():
                if other in found["players"]:
                    found["players"][other] |= told
            return _encode(found)
        if elsewhere or state is None or table.session is not None or self.lies_face_down():
            return _encode(mine(caller, table) | elsewhere.get(name, {}))
        net = table.net[name]
        kept = self._money.get(name)
        if kept is None or kept[0] is not state or kept[1] != net:
            kept = self._money[name] = (state, net, _encode(mine(caller, table)))
        return kept[2]


def _all_have_wagered(table: Table) -> bool:
    wagered = {name for box in table.boxes.values() for name in box.wagers}
    return all(name in wagered for name, state in table.players.items() if state.present)


def mine(caller: Caller, table: Table) -> dict[str, Any]:
    """What is the caller's own business: a player's money and hands; for those who supervise, every player's money."""
    if caller.role == "player":
        return _own(caller.name, table) | _forms(Viewer("player", caller.name), table)
    if caller.role not in SEES_PRIVATE:
        return {}
    players: dict[str, Any] = {}
    disputed = {name: stage for name, stage in table.disputes if stage in OPEN_DISPUTES}
    for name, state in table.players.items():
        if state.present or name in disputed or _still_matters(name, state, table):
            private = _money(name, table)
            private["barred"] = state.barred or None
            if name in disputed:
                private["dispute"] = disputed[name]
            players[name] = private
    return {"players": players} | _forms(Viewer(caller.role), table)


def _forms(viewer: Viewer, table: Table) -> dict[str, Any]:
    """What is written on the forms of undisclosed wagers, for whoever may know it (NSW 20.8.2)."""
    found = session_seen_by(viewer, table)
    forms = {name: form for name, form in found["forms"].items() if "kind" in form} if found is not None else {}
    return {"forms": forms} if forms else {}


def _still_matters(name: str, state: PlayerState, table: Table) -> bool:
    """Whether somebody who has left is still told of: they are kept from playing, or the last round was theirs too."""
    if state.restriction or state.barred or state.paused:
        return True
    return name in table.last_results or name in table.round_players or name in table.reserved.values()


def _money(name: str, table: Table) -> dict[str, Any]:
    state = table.players[name]
    return {
        "name": name,
        "net_cents": table.net[name],
        "chips_cents": chips_left(table, name),
        "tokens_cents": state.tokens_cents,
        "loss_left_cents": loss_left(table, name),
        "restriction": state.restriction or None,
        "seat": state.seat or None,
        "present": state.present,
    }


def _own(name: str, table: Table) -> dict[str, Any]:
    if name not in table.players:
        return {"name": name, "hands": {}}
    found = _money(name, table)
    state = table.players[name]
    found |= {"barred": bool(state.barred), "paused": state.paused, "card_due": state.card_due}
    found["hands"] = {
        f"{number}.{index}": {"cards": hand.cards, "total": hand.total, "soft": hand.soft}
        for number, box in table.boxes.items()
        for index, hand in enumerate(box.hands)
        if hand.face_down and name in hand.wagers
    }
    return found


def legal_for(caller: Caller, table: Table, waiting: Waiting, acts: Iterable[Act]) -> list[Any]:
    """What this caller may do now, as acts they could send back; wagers are not listed, see the sign for those."""
    if caller.role == "player":
        name = caller.name
        if waiting.what == "decision" and name not in waiting.who:
            return []
        own: list[Any] = [act for act in acts if getattr(act, "player", None) == name]
        return own + _between_rounds(name, table) if table.phase == "wagers" else own
    found: list[Any] = [act for act in acts if denial(caller, act, table) is None]  # type: ignore[arg-type]
    if waiting.what == "shuffle" and denial(caller, a.Shuffle(()), table) is None:
        found.append({"act": "Shuffle"})
    return found


def _between_rounds(name: str, table: Table) -> list[AnyAct]:
    """Seats that are free, and what a player may take back."""
    if table.phase != "wagers":
        return []
    state = table.players.get(name)
    offers: list[AnyAct] = []
    found: list[AnyAct] = []
    if state is None or not state.present or not state.seat:
        taken = {other.seat for other in table.players.values() if other.present}
        taken |= {box for box, owner in table.reserved.items() if owner != name}
        seats: list[AnyAct] = [a.TakeSeat(name, box) for box in range(1, table.house.boxes + 1) if box not in taken]
        if seats and refusal(table, seats[0]) is not None:
            seats = [act for act in seats if refusal(table, act) is None]
        found += seats
    else:
        offers.append(a.LeaveTable(name))
    for number, box in table.boxes.items():
        if name in box.wagers:
            offers.append(a.WithdrawWager(name, number))
        offers += [a.WithdrawWager(name, number, kind) for kind, placed in box.side.items() if name in placed]
    return found + [act for act in offers if refusal(table, act) is None]


def _without_hints(waiting: Waiting, table: Table) -> Waiting:
    """What may be decided on a hand that lies face down tells something about it: only its owner learns that."""
    box = table.boxes.get(waiting.box)
    if box is None or waiting.hand >= len(box.hands) or not box.hands[waiting.hand].face_down:
        return waiting
    return replace(waiting, acts=())
