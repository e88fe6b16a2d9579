"""What every log promises, whatever it is kept in."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from pitboss.store.chain import START
from pitboss.store.log import (
    Append,
    Appended,
    Fenced,
    Head,
    LogFull,
    NewEntry,
    Part,
    Repeated,
    Snapshot,
    Stale,
    StoreError,
)
from pitboss.store.opening import open_log, path_of
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from tests.store.making import body, fill, one


@pytest.fixture
def other(url: str, log: StoredLog) -> Iterator[StoredLog]:
    """The same log, as another process sees it."""
    opened = open_log(url)
    yield opened
    opened.close()


def test_an_empty_log(log: StoredLog) -> None:
    assert log.head() == Head(0, START)
    assert log.streams() == {} and list(log.read_all()) == [] and list(log.read("table:1")) == []
    assert log.version("table:1") == 0 and log.answer("c") is None and log.snapshot("table:1") is None
    assert log.append([]) == []
    assert verify(log).is_sound


def test_what_is_appended_is_read_back(log: StoredLog, url: str) -> None:
    item = Append(
        (
            Part("table:1", 0, (NewEntry("opened", b"{}"), NewEntry("act", b'{"a":1}'))),
            Part("floor", 0, (NewEntry("x", b"\0\xff"),)),
        ),
        1_700_000_000_123,
        "alice",
        "c-1",
        b'{"is":"accepted"}',
    )  # fmt: skip
    assert log.append([item]) == [Appended(3, (2, 1))]
    log.close()
    again = open_log(url)
    entries = list(again.read_all())
    assert [(e.seq, e.stream, e.version, e.kind, e.body) for e in entries] == [
        (1, "table:1", 1, "opened", b"{}"),
        (2, "table:1", 2, "act", b'{"a":1}'),
        (3, "floor", 1, "x", b"\0\xff"),
    ]
    assert {(e.at_ms, e.by, e.command) for e in entries} == {(1_700_000_000_123, "alice", "c-1")}
    assert [e.remaining for e in entries] == [2, 1, 0]
    assert [e.answer for e in entries] == [b"", b"", b'{"is":"accepted"}']
    assert again.head() == Head(3, entries[-1].hash)
    assert list(again.read("table:1", after=1)) == entries[1:2]
    assert list(again.read_all(after=1, limit=1)) == entries[1:2]
    assert again.streams() == {"table:1": 2, "floor": 1} and again.streams("table:") == {"table:1": 2}
    again.close()


def test_a_stale_writer_is_refused_and_told_where_the_stream_is(log: StoredLog, other: StoredLog) -> None:
    log.append([one("table:1", 0)])
    assert other.append([one("table:1", 1)]) == [Appended(2, (2,))]
    assert log.append([one("table:1", 1)]) == [Stale("table:1", 2)]
    assert log.append([one("table:2", 1)]) == [Stale("table:2", 0)]
    assert log.head().seq == 2


def test_a_command_again_gets_the_first_answer(log: StoredLog, other: StoredLog) -> None:
    log.append([one("table:1", 0, command="c", answer=b"first")])
    again = one("table:1", 1, command="c", answer=b"second")
    assert log.append([again, again]) == [Repeated(b"first")] * 2
    assert other.append([one("table:9", 0, command="c")]) == [Repeated(b"first")]
    assert log.answer("c") == b"first" and log.head().seq == 1


def test_a_command_twice_in_a_batch_is_done_once(log: StoredLog) -> None:
    item = one("table:1", 0, command="c", answer=b"")
    assert log.append([item, item]) == [Appended(1, (1,)), Repeated(b"")]


def test_parts_are_written_together_or_not_at_all(log: StoredLog) -> None:
    log.append([one("link:a", 0)])
    both = Append((Part("table:1", 0, (NewEntry("act", b"{}"),)), Part("link:a", 0, (NewEntry("act", b"{}"),))), 1)
    assert log.append([both]) == [Stale("link:a", 1)]
    assert log.version("table:1") == 0


def test_a_part_without_entries_only_says_where_a_stream_must_be(log: StoredLog) -> None:
    log.append([one("people", 0)])
    for expected, wanted in ((0, Stale("people", 1)), (1, Appended(2, (1, 1)))):
        item = Append((Part("people", expected, ()), Part("table:1", 0, (NewEntry("act", b"{}"),))), 1)
        assert log.append([item]) == [wanted]


def test_a_guard_sees_what_another_process_wrote(log: StoredLog, other: StoredLog) -> None:
    """Also where we know, or believe to know, all streams of the batch."""
    log.append([one("people", 0)])
    for version in range(3):
        item = Append((Part("people", version + 1, ()), Part("table:1", version, (NewEntry("act", b"{}"),))), 1)
        assert log.append([item]) == [Appended(2 * version + 2, (version + 1, version + 1))]
        other.append([one("people", version + 1)])
        late = Append((Part("table:1", version + 1, (NewEntry("act", b"{}"),)), Part("people", version + 1, ())), 1)
        assert log.append([late]) == [Stale("people", version + 2)]
    assert verify(log).is_sound


def test_one_failure_does_not_sink_the_batch(log: StoredLog) -> None:
    log.claim("table:3", "bob", "", 0, 1000)
    batch = [
        one("table:1", 0, command="a", answer=b"1"),
        one("table:1", 5),
        one("table:2", 0, command="a"),
        one("table:3", 0, epoch=7),
        one("table:1", 1),
        one("table:2", 0),
    ]
    assert log.append(batch) == [
        Appended(1, (1,)), Stale("table:1", 1), Repeated(b"1"), Fenced("table:3", 1), Appended(2, (2,)),
        Appended(3, (1,)),
    ]  # fmt: skip
    assert verify(log).is_sound


@pytest.mark.parametrize(
    "item",
    [
        Append((), 1),
        Append((Part("a", 0, ()),), 1),
        Append((Part("a", 0, (NewEntry("k", b""),)), Part("a", 1, (NewEntry("k", b""),))), 1),
        Append((Part("log:snapshots", 0, (NewEntry("k", b""),)),), 1),
        Append((Part("", 0, (NewEntry("k", b""),)),), 1),
        Append((Part("a\0b", 0, (NewEntry("k", b""),)),), 1),
        Append((Part("a", 0, (NewEntry("\udc80", b""),)),), 1),
        Append((Part("a", 0, (NewEntry("k", b""),)),), 1 << 63),
    ],
)
def test_what_could_never_be_written_is_a_fault_of_the_caller(log: StoredLog, item: Append) -> None:
    with pytest.raises(ValueError):
        log.append([one("table:1", 0), item])
    assert log.head().seq == 0


# --- claims -----------------------------------------------------------------------------------------------------------


def test_a_stream_has_one_owner_until_he_lets_it_expire(log: StoredLog, other: StoredLog) -> None:
    first = log.claim("table:1", "alice", "a:1", 1000, 500)
    assert (first.owner, first.address, first.epoch, first.until_ms) == ("alice", "a:1", 1, 1500)
    assert other.claim("table:1", "bob", "b:1", 1499, 500) == first
    assert log.claim("table:1", "alice", "a:2", 1400, 500).epoch == 1
    taken = other.claim("table:1", "bob", "b:1", 1900, 500)
    assert (taken.owner, taken.epoch) == ("bob", 2)
    assert log.claims(2000) == {"table:1": taken} and log.claims(2400) == {}


def test_a_paused_owner_is_fenced(log: StoredLog, other: StoredLog) -> None:
    epoch = log.claim("table:1", "alice", "", 0, 100).epoch
    assert log.append([one("table:1", 0, epoch=epoch)]) == [Appended(1, (1,))]
    new = other.claim("table:1", "bob", "", 100, 100).epoch
    assert log.append([one("table:1", 1, epoch=epoch), one("table:2", 0)]) == [
        Fenced("table:1", new),
        Appended(2, (1,)),
    ]
    assert other.append([one("table:1", 1, epoch=new)]) == [Appended(3, (2,))]


def test_a_released_stream_is_free_at_once_and_the_old_epoch_never_comes_back(log: StoredLog, other: StoredLog) -> None:
    epoch = log.claim("table:1", "alice", "", 0, 10_000).epoch
    other.release("table:1", "bob")
    assert set(log.claims(1)) == {"table:1"}
    log.release("table:1", "alice")
    assert log.claims(1) == {}
    assert isinstance(log.append([one("table:1", 0, epoch=epoch)])[0], Fenced)
    assert other.claim("table:1", "bob", "", 1, 10).epoch > epoch
    assert log.claim("table:1", "alice", "", 20, 10).epoch > epoch + 1


def test_renewing_prolongs_all_that_one_still_owns(log: StoredLog, other: StoredLog) -> None:
    for table in ("table:1", "table:2"):
        log.claim(table, "alice", "", 0, 100)
    taken = other.claim("table:2", "bob", "", 200, 100)
    renewed = log.renew("alice", 210, 100)
    assert {name: (claim.epoch, claim.until_ms) for name, claim in renewed.items()} == {"table:1": (1, 310)}
    assert log.claims(250)["table:2"] == taken


def test_a_claim_wants_a_name(log: StoredLog) -> None:
    with pytest.raises(ValueError):
        log.claim("table:1", "", "", 0, 1)


# --- snapshots --------------------------------------------------------------------------------------------------------


def test_the_newest_snapshot_is_kept(log: StoredLog, other: StoredLog) -> None:
    log.append([one("table:1", 0, body(1), body(2), body(3))])
    log.save_snapshot(Snapshot("table:1", 2, b"two"))
    log.save_snapshot(Snapshot("table:1", 3, b"three"))
    log.save_snapshot(Snapshot("table:1", 1, b"one"))
    assert other.snapshot("table:1") == Snapshot("table:1", 3, b"three")
    assert log.version("log:snapshots") == 2
    assert log.append([one("table:1", 3)]) == [Appended(6, (4,))]
    assert verify(log).is_sound


@pytest.mark.parametrize("version", [0, 4])
def test_a_snapshot_of_what_is_not_written_is_a_fault_of_the_caller(log: StoredLog, version: int) -> None:
    log.append([one("table:1", 0, body(1), body(2), body(3))])
    with pytest.raises(ValueError):
        log.save_snapshot(Snapshot("table:1", version, b""))


# --- several at once --------------------------------------------------------------------------------------------------


def test_many_writers_make_one_chain(log: StoredLog, url: str) -> None:
    """Four connections append to shared streams; whoever is stale looks and tries again."""
    outcomes: list[Appended] = []

    def work(name: str) -> None:
        mine = open_log(url)
        for number in range(25):
            stream = f"table:{number % 2}"
            while True:
                version = mine.version(stream)
                (outcome,) = mine.append([one(stream, version, command=f"{name}-{number}")])
                if isinstance(outcome, Appended):
                    outcomes.append(outcome)
                    break
                assert isinstance(outcome, Stale)
        mine.close()

    threads = [threading.Thread(target=work, args=(name,)) for name in ("alice", "bob", "carol", "dave")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome.seq for outcome in outcomes) == list(range(1, 101))
    assert log.streams() == {"table:0": 52, "table:1": 48}
    report = verify(log)
    assert report.is_sound and report.entries == 100


def test_whoever_waits_is_woken(log: StoredLog, other: StoredLog) -> None:
    assert not log.wait(0, 0.02)
    log.wait(0, 0.3)
    timer = threading.Timer(0.1, lambda: other.append([one("table:1", 0)]))
    begun = time.monotonic()
    timer.start()
    assert log.wait(0, 30)
    assert time.monotonic() - begun < 10
    timer.join()
    assert log.wait(0, 0) and not log.wait(1, 0)


def test_reading_goes_on_over_many_pages(log: StoredLog) -> None:
    log.append([one("table:1", number) for number in range(4500)])
    assert [entry.version for entry in log.read("table:1")] == list(range(1, 4501))
    assert sum(1 for _ in log.read_all(after=10, limit=2200)) == 2200


def test_a_closed_log_says_so(log: StoredLog) -> None:
    log.close()
    for call in (log.head, lambda: log.append([one("table:1", 0)]), lambda: list(log.read_all())):
        with pytest.raises(StoreError, match="closed"):
            call()
    log.close()


def test_a_log_open_for_reading_takes_nothing(log: StoredLog, url: str) -> None:
    fill(log, 5)
    reader = open_log(url, read_only=True)
    assert reader.head() == log.head()
    with pytest.raises(StoreError, match="reading only"):
        reader.append([one("table:9", 0)])
    reader.close()


def test_where_there_is_no_log_none_is_made_by_reading(url: str) -> None:
    for read_only in (True, False):
        with pytest.raises(StoreError, match="there is no"):
            open_log(url, read_only=read_only, create=False)


def test_a_failure_in_the_middle_leaves_nothing(url: str) -> None:
    """Whatever breaks between the first row and the commit, no row stays and the log works on."""
    from pitboss.store.postgres import PostgresLog
    from pitboss.store.sqlite import SqliteLog

    armed = [False]

    def steps(name: str) -> None:
        if armed[0] and name == "commit":
            raise LogFull("the disk is full")

    path = path_of(url)
    opened = PostgresLog(url, steps=steps) if path is None else SqliteLog(path, steps=steps)
    opened.append([one("table:1", 0)])
    armed[0] = True
    with pytest.raises(LogFull):
        opened.append([one("table:1", 1), one("table:2", 0)])
    armed[0] = False
    assert opened.streams() == {"table:1": 1}
    assert opened.append([one("table:1", 1)]) == [Appended(2, (2,))]
    assert verify(opened).is_sound
    opened.close()
