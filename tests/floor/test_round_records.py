"""Any round can be downloaded, stands alone, and replays to what was played, whoever reads it and whatever happened."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.floor import history, round_records
from pitboss.floor.frozen import freeze, opened
from pitboss.floor.host import CHECKPOINT_EVERY, Checkpoint, checkpoints_of, decode_act, ends_round, stream_of
from pitboss.floor.model import Opening
from pitboss.floor.round_records import DoesNotReplay, record_of_round
from pitboss.floor.wire import TOO_LARGE, UNPRINTABLE, filled, unfit
from pitboss.records import Record, dumps, loads
from pitboss.records import replay as replayed
from pitboss.records.explaining import table_in_words
from pitboss.records.saving import public_events
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.log import Append, Appended, NewEntry, Part
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from pitboss.table.events import Event
from pitboss.table.house import DEVICE, Patron, default_house
from pitboss.table.legal import legal_acts
from pitboss.table.refusals import Refusal
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.views import HIDDEN
from tests.floor.memory import MemoryLog
from tests.properties.driver import PEOPLE, ROLES, next_act, some_house

# --- anything that people do -----------------------------------------------------------------------------------------

SAID = ("I said  stand", " a\nnew line", "an arrow => refused 12.1", "\u202eturned round", "plain", "x" * 500)
"""What old logs may hold; nobody gets the worst of it past the door today."""


def some_affair(rng: random.Random) -> Act:
    """Something that lasts: somebody is barred, pauses, disputes, or a whole device fails."""
    name, role = rng.choice(PEOPLE), rng.choice(ROLES)
    makers: tuple[Callable[[], Act], ...] = (
        lambda: a.BarPlayer(role, name, rng.choice(SAID), rng.random() < 0.3, breach=rng.choice(("device", "rules"))),
        lambda: a.PausePlayer(role, name),
        lambda: a.ReadmitPlayer(role, name, rng.choice((None, 50_000))),
        lambda: a.RaiseDispute(name, rng.choice(SAID)),
        lambda: a.RuleDispute(role, name, rng.choice(SAID)),
        lambda: a.AskReview(name),
        lambda: a.FindLossExcess(role, name),
        lambda: a.PlaceWager(name, rng.randint(1, 5), 60_000, unnoticed=True),
        lambda: a.BuyChips(name, 10_000),
        lambda: a.VoidEarlierRound("shift-manager"),
        lambda: a.Restrict(role, name, rng.choice(("one-box", "late-entry", "cover-splits")), True),
        lambda: a.LiftRestriction(role, name),
        lambda: a.ReportMalfunction("shift-manager", course=rng.choice(("shuffle", "cutting-card"))),
        lambda: a.RepairDevice("shift-manager"),
        lambda: a.CheckSource("shift-manager"),
    )
    return rng.choice(makers)()


def some_opening(rulebook: str, rng: random.Random) -> Opening:
    """A table with seats for four who brought chips and limits, or did not."""
    house = some_house(load(rulebook), rng)
    players = {
        name: Patron(
            seat=seat,
            chips_cents=rng.choice((None, 500_000)),
            loss_limit_cents=rng.choice((None, 20_000, 200_000)),
            deposit_limit_cents=rng.choice((None, 100_000)),
        )
        for seat, name in enumerate(PEOPLE[: min(4, house.boxes)], start=1)
    }
    return Opening(rulebook, house=house, players=players)


class Night:
    """A table whose log is written act by act, as a floor writes it, whoever asks and whatever he says."""

    def __init__(self, opening: Opening) -> None:
        self.log = MemoryLog()
        self.table = opened(opening)
        self.version = self.round_version = 1
        self.rounds = 0
        self._append(stream_of("t1"), 0, NewEntry("opened", msgspec.json.encode(opening)))

    def _append(self, stream: str, expected: int, entry: NewEntry) -> None:
        (outcome,) = self.log.append([Append((Part(stream, expected, (entry,)),), 0, "sam")])
        assert isinstance(outcome, Appended)

    def play(self, *acts: Act) -> None:
        """Acts that the engine accepts."""
        for act in acts:
            assert self.ask(act), act

    def ask(self, act: Act) -> bool:
        """An act that the engine may refuse; then it leaves no trace."""
        answer = decide(self.table, act)
        if isinstance(answer, Refusal):
            return False
        body = msgspec.json.encode({"act": act, "events": answer, "role": "house"})
        self._append(stream_of("t1"), self.version, NewEntry("act", body))
        self.table, self.version = evolve(self.table, answer), self.version + 1
        if ends_round(answer):
            self.rounds, self.round_version = self.rounds + 1, self.version
        if (self.version - 1) % CHECKPOINT_EVERY == 0:
            whole = Checkpoint(self.version, self.rounds, self.round_version, msgspec.Raw(freeze(self.table)))
            before = (self.version - 1) // CHECKPOINT_EVERY - 1
            self._append(checkpoints_of("t1"), before, NewEntry("table", msgspec.json.encode(whole)))
        return True

    def round(self, *players: str) -> None:
        """A whole round, everybody doing the first thing that comes to mind."""
        target = self.rounds + 1
        for box, name in enumerate(players or ("alice",), start=1):
            self.prepare()
            self.play(a.PlaceWager(name, box, self.table.house.minimum_cents))
        while self.rounds < target:
            self.prepare()
            self.play(a.Deal() if self.table.phase == "wagers" else legal_acts(self.table)[0])

    def prepare(self) -> None:
        """Shuffled, cut, and the cutting card placed, where that is due."""
        while self.table.preparation != "ready" or self.table.approval_due:
            if self.table.preparation == "shuffle" and not self.table.approval_due:
                means = DEVICE if self.table.house.source == DEVICE else "hand"
                self.play(a.Shuffle(Chance(self.version).shuffled(cards_to_shuffle(self.table)), means))
            else:
                self.play(legal_acts(self.table)[0])


def a_night(rulebook: str, seed: int, acts: int) -> Night:
    """So many acts of people who do anything."""
    rng = random.Random(seed)
    night = Night(some_opening(rulebook, rng))
    for _ in range(acts):
        night.ask(some_affair(rng) if rng.random() < 0.08 else next_act(night.table, rng, 0.05))
        paused = [name for name, state in night.table.players.items() if state.paused]
        if paused and rng.random() < 0.1:  # a new period comes, and who paused for theirs plays on
            night.ask(a.ReadmitPlayer("casino-supervisor", rng.choice(paused), rng.choice((None, 50_000))))
    return night


def said_openly(events: Iterable[Event]) -> list[Event]:
    """Events without what a record words or counts otherwise: hidden cards, texts, limits that count from its start."""
    found: list[Event] = []
    for event in public_events(events):
        changes: dict[str, Any] = {}
        if isinstance(event, e.CardBurned) or (isinstance(event, e.CardDrawnInError) and not event.exposed):
            changes = {"card": HIDDEN}
        elif isinstance(event, e.PlayerReadmitted):
            changes = {"loss_limit_cents": None}
        for name in ("text", "reason", "about", "ruling"):
            if name in event.__struct_fields__:
                changes[name] = ""
        found.append(replace(event, **changes) if changes else event)
    return found


REACHES_BACK = (e.RoundReopened, e.RoundTakenBack, e.EarlierRoundVoided)


def reached_back(log: MemoryLog, version: int, events: Iterable[Event]) -> bool:
    """Whether a round before was laid again, taken back or voided, or was void while the cards were being cut."""
    moment = history.moment_at(log, "t1", version)
    half_done = moment is not None and moment.table.preparation in ("cut", "cutting-card")
    return half_done or any(isinstance(event, REACHES_BACK) for event in events)


def every_download(rulebook: str, seed: int, acts: int = 350) -> int:
    """Each round of a night, for supervisors and inspectors and for two of its players; how many were laid again."""
    log = a_night(rulebook, seed, acts).log
    told = history.rounds(log, "t1", 1, 100) or []
    happened = {x.version: decode_act(x.body).events for x in log.read("table:t1") if x.kind == "act"}
    again = 0
    for each in told:
        events = [event for v in range(each.first_version, each.last_version + 1) for event in happened.get(v, ())]
        for reader in (None, *sorted(each.net_cents)[:2]):
            record = loads(record_of_round(log, "t1", each.round, reader))
            result = replayed(record)
            assert result.ok, (each.round, reader, result.failures)
            alone = record.title == f"t1, round {each.round}"
            again += not alone
            noticed = any(isinstance(play.act, a.Notice) for play in record.play)
            assert alone or noticed or reached_back(log, each.first_version - 1, events), record.title
            if reader is None and alone and not record.house.face_down:
                assert said_openly(result.events) == said_openly(events), each.round
    return again


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("seed", range(4))
def test_every_download_replays_for_whoever_reads_it(rulebook: str, seed: int) -> None:
    every_download(rulebook, seed)


def test_the_nights_have_everything_in_them() -> None:
    """Otherwise the test above would show little."""
    seen: set[type[Event]] = set()
    for rulebook in RULEBOOKS:
        for seed in (0, 1, 2, 3, 6, 18):
            entries = a_night(rulebook, seed, 350).log.read("table:t1")
            seen |= {type(event) for x in entries if x.kind == "act" for event in decode_act(x.body).events}
    wanted = {e.PlayerBarred, e.PlayerPaused, e.PlayerReadmitted, e.DisputeRaised, e.DisputeRuled, e.SourceChanged}
    wanted |= {e.CardDrawnInError, e.RoundReopened, e.EarlierRoundVoided, e.CheckOrdered, e.CardsBurnedOpen}
    assert wanted - seen == set()


# --- any round stands alone ------------------------------------------------------------------------------------------

MANAGER = "shift-manager"


def an_evening(rulebook: str = "nsw-pontoon", players: dict[str, Patron] | None = None, **house: Any) -> Night:
    return Night(Opening(rulebook, house=default_house(load(rulebook), **house), players=players or {}))


def download(night: Night, number: int, reader: str | None = None) -> Record:
    """The record of one round as it was read back, which holds and is of that round alone."""
    record = loads(record_of_round(night.log, "t1", number, reader))
    assert replayed(record).failures == ()
    assert record.title == f"t1, round {number}"
    return record


class CountingLog(MemoryLog):
    """Counts the entries that are read."""

    entries_read = 0

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Any:
        for entry in super().read(stream, after, limit):
            self.entries_read += 1
            yield entry


def test_who_is_barred_or_disputes_does_not_lengthen_later_records() -> None:
    night = an_evening()
    night.log.__class__ = CountingLog
    night.round("alice", "bob")
    night.play(a.BarPlayer(MANAGER, "bob", "a calculator"), a.RaiseDispute("alice", "the payment"))
    while night.rounds < 120:
        night.round()
    for number in (2, 3, 60, 120):
        record = download(night, number)
        assert record.standings["alice"].dispute == ("raised" if number > 2 else "")
        assert record.standings["bob"].barred == ("a calculator" if number > 2 else "")
    assert download(night, 120, "alice").standings["bob"].barred == ""
    assert isinstance(night.log, CountingLog)
    night.log.entries_read = 0
    download(night, 120, "alice")
    assert night.log.entries_read < 2 * CHECKPOINT_EVERY


def test_a_record_begins_with_whatever_is_still_open() -> None:
    """A device that failed in the middle of a round: those after it are told without that one."""
    night = an_evening("nsw-pontoon", source=DEVICE)
    night.round()
    night.prepare()
    while night.table.phase != "play":
        night.play(a.PlaceWager("alice", 1, 500), a.Deal())
    night.play(a.ReportMalfunction(MANAGER, disadvantage=True))
    failed = night.rounds
    assert night.table.device_down and night.table.shuffle_reason == "malfunction"
    night.round()
    night.round()
    told = [download(night, number) for number in range(1, failed + 3)]
    assert told[failed].before.shuffle_reason == "malfunction" and told[failed].before.rack
    assert all(record.before.device_down and record.house.source == DEVICE for record in told[failed:])
    assert "the shuffling device has failed" in table_in_words(told[failed])


def test_a_card_drawn_in_error_is_carried_to_the_next_round() -> None:
    night = an_evening("nsw-pontoon")
    night.round()
    night.prepare()
    night.play(a.PlaceWager("alice", 1, 500), a.Deal())
    while night.table.phase != "play":
        if night.rounds > 1:
            night.play(a.PlaceWager("alice", 1, 500), a.Deal())
        else:
            night.play(legal_acts(night.table)[0])
    night.play(a.DrawInError(False), a.VoidRound(MANAGER, "the cards are in doubt"))
    number, card = night.rounds, night.table.error_cards[0][0]
    assert HIDDEN not in "".join(map(str, download(night, number, "alice").stacks))
    night.round()
    record = download(night, number + 1, "alice")
    assert record.before.drawn_in_error == ((card, False),)
    assert e.CardDealt in {type(event) for event in replayed(record).events}


@pytest.mark.parametrize("reader", [None, "alice"])
def test_an_earlier_round_is_voided_in_a_record_of_its_own(reader: str | None) -> None:
    night = an_evening("nsw-pontoon")
    night.round()
    night.round("alice", "bob")
    lost = dict(night.table.last_results)
    night.play(a.VoidEarlierRound(MANAGER))
    night.round()
    record = download(night, 3, reader)
    assert {name: each.last_cents for name, each in record.standings.items() if each.last_cents is not None} == lost


# --- what people say -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I said  stand", "I said stand"),
        ("\n a line\tmore ", "a line more"),
        ("I win => refused 12.1", "I win -> refused 12.1"),
        ("\u202edlot", "\N{REPLACEMENT CHARACTER}dlot"),
        ("a\u200db", "ab"),
        ("\x1b[31mred", "\N{REPLACEMENT CHARACTER}[31mred"),
        ("x" * 500, "x" * 500),
        ("\u200c", "..."),
        ('a "quote" \\ é', 'a "quote" \\ é'),
    ],
)
def test_an_old_log_may_hold_any_text(text: str, shown: str) -> None:
    night = an_evening("nsw-pontoon")
    night.play(a.RaiseDispute("alice", text), a.RuleDispute(MANAGER, "alice", text))
    night.play(a.BarPlayer(MANAGER, "bob", text, breach="device"))
    night.round()
    night.round()
    lines = [play.act for play in download(night, 1).play]
    assert lines[:3] == [
        a.RaiseDispute("alice", shown),
        a.RuleDispute(MANAGER, "alice", shown),
        a.BarPlayer(MANAGER, "bob", shown, breach="device"),
    ]  # fmt: skip
    assert download(night, 2).standings["bob"].barred == shown


def test_what_is_said_is_kept_on_one_line() -> None:
    table = opened(Opening("nsw-pontoon"))
    asked = a.RaiseDispute("alice", "  I said\n  stand ")
    assert unfit(asked) == ""
    assert filled(asked, table, Chance(1), 0) == a.RaiseDispute("alice", "I said stand")
    assert filled(a.VoidRound("", " \t"), table, Chance(1), 0) == a.VoidRound("", "")
    same = a.Hit("alice", 1)
    assert filled(same, table, Chance(1), 0) is same


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\x7f", "\u202e", "\u2066", "\u200b", "\ufeff", "\ue000"])
def test_signs_that_cannot_be_seen_are_refused(sign: str) -> None:
    assert unfit(a.RaiseDispute("alice", f"the{sign}payment")) == UNPRINTABLE
    assert unfit(a.PlaceWager(f"al{sign}ice", 1, 500)) == UNPRINTABLE


def test_scripts_that_join_their_letters_are_heard() -> None:
    assert unfit(a.RaiseDispute("alice", "می\u200cخواهم")) == ""
    assert unfit(a.BuyChips("alice", 10**11)) == TOO_LARGE and unfit(a.BuyChips("alice", 10**11 - 1)) == ""


def test_a_notice_of_any_length_can_be_told() -> None:
    night = an_evening("nsw-pontoon")
    night.play(a.SetLimits(MANAGER, 500, 100_000, notice_minutes=10**9), a.CapPlayers(MANAGER, 10**9))
    night.round()
    assert a.SetLimits(MANAGER, 500, 100_000, notice_minutes=99_999) in [play.act for play in download(night, 1).play]


# --- cards that nobody saw -------------------------------------------------------------------------------------------


def jammed(swap: bool) -> Night:
    """Five cards are burned again and again; with `swap` they are others, and nobody could tell."""
    night = an_evening("adelaide-pontoon-2008", source=DEVICE)
    order = list(Chance(5).shuffled(cards_to_shuffle(night.table)))
    if swap:
        order[:5], order[-5:] = order[-5:], order[:5]
    night.play(a.Shuffle(tuple(order), DEVICE))
    night.round("alice", "bob")
    for _ in range(3):
        rest = list(night.table.stack[night.table.position :])
        if swap and rest[-5:] != rest[:5]:
            rest[:5], rest[-5:] = rest[-5:], rest[:5]
        night.play(a.ClearJam(tuple(rest)))
        night.round("alice", "bob")
    return night


@pytest.mark.parametrize("reader", [None, "alice"])
def test_burned_cards_of_a_device_are_told_as_any_that_it_may_hold(reader: str | None) -> None:
    night, other = jammed(False), jammed(True)
    for number in (1, 2, 3, 4):
        record = download(night, number, reader)
        counts = Counter(card for cards in (*record.stacks, record.before.rack) for card in cards)
        assert max(counts.values()) <= 8
    assert night.table.rack != other.table.rack
    assert record_of_round(night.log, "t1", 1, reader) == record_of_round(other.log, "t1", 1, reader)


# --- pauses ----------------------------------------------------------------------------------------------------------


def test_a_pause_for_a_loss_limit_is_told_to_whom_it_concerns() -> None:
    night = an_evening("nsw-pontoon", {"bob": Patron(seat=2, loss_limit_cents=5000)}, source=DEVICE)
    night.round("alice", "bob")
    night.play(a.PausePlayer("casino-supervisor", "bob"))
    night.round("alice")
    night.play(a.ReadmitPlayer("casino-supervisor", "bob", 7000))
    night.round("alice", "bob")
    for reader in (None, "bob"):
        assert a.PausePlayer("casino-supervisor", "bob") in [play.act for play in download(night, 2, reader).play]
        last = download(night, 3, reader)
        assert last.standings["bob"].paused and last.players["bob"].loss_limit_cents is not None
        assert a.ReadmitPlayer("casino-supervisor", "bob", 7000) in [play.act for play in last.play]
    for number in (2, 3):
        text = record_of_round(night.log, "t1", number, "alice")
        assert download(night, number, "alice") and "paus" not in text and "loss_limit" not in text
        assert "readmits" not in text


def test_who_is_over_his_loss_limit_stays_so() -> None:
    night = an_evening("nsw-pontoon", {"alice": Patron(seat=1, loss_limit_cents=2000)})
    for _ in range(60):
        night.prepare()
        night.play(a.PlaceWager("alice", 1, 5000, unnoticed=True))
        number = night.rounds
        night.play(a.Deal())
        while night.rounds == number:
            night.prepare()
            night.play(legal_acts(night.table)[0])
        if night.table.net["alice"] < -2000:
            break
    night.prepare()
    night.play(a.PlaceWager("alice", 1, 5000, unnoticed=True), a.FindLossExcess(MANAGER, "alice"))
    night.round("bob")
    record = download(night, night.rounds)
    assert record.players["alice"].loss_limit_cents == 0
    assert record.standings["alice"].over_cents == -night.table.net["alice"] - 2000


# --- what does not replay is not handed out --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("was", "becomes"), [("alice bets 5 on 1", "alice bets 6 on 1"), ("dealer deals", "dealer sleeps"), ("[", "[[")]
)
def test_a_record_that_does_not_replay_is_a_logged_fault(
    was: str, becomes: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    night = an_evening("nsw-pontoon")
    night.round()
    monkeypatch.setattr(round_records, "dumps", lambda record: dumps(record).replace(was, becomes))
    with caplog.at_level(logging.ERROR, "pitboss.floor"), pytest.raises(DoesNotReplay, match=r"^round 1 of table t1"):
        record_of_round(night.log, "t1", 1)
    (entry,) = caplog.records
    assert entry.getMessage() == "a round does not replay as a record" and entry.__dict__["problem"]
