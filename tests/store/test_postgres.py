"""What only a server can do to a log: lose the line, restart, be shared with a process that is paused."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Iterator, Sequence

import psycopg
import pytest

import pitboss.store.postgres as module
from pitboss.store.log import Append, Appended, Fenced, LogBusy, NewEntry, Part, Repeated, Stale, StoreError
from pitboss.store.planning import Known
from pitboss.store.postgres import PostgresLog
from pitboss.store.verify import verify
from soak.store_kills import fork
from tests.store.making import one
from tests.store.servers import execute, postgres

_numbers = itertools.count()


@pytest.fixture
def url() -> Iterator[str]:
    schema = f"server_{os.getpid()}_{next(_numbers)}"
    address = f"{postgres()}&schema={schema}"
    yield address
    execute(address, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


@pytest.fixture
def log(url: str) -> Iterator[PostgresLog]:
    opened = PostgresLog(url)
    yield opened
    opened.close()


def end_line(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """As a server does that goes down."""
    pid = connection.info.backend_pid
    with psycopg.connect(postgres(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))


def test_a_line_lost_between_two_writes_is_made_anew(log: PostgresLog) -> None:
    log.append([one("table:1", 0)])
    assert log._writer is not None
    end_line(log._writer)
    with pytest.raises(StoreError, match="cannot be reached"):
        log.append([one("table:1", 1)])
    assert log.append([one("table:1", 1)]) == [Appended(2, (2,))]


WAYS = pytest.mark.parametrize("before", [0, 3], ids=["asking", "at once"])
"""Who has written to a stream before writes to it in one round trip."""


@WAYS
def test_a_line_lost_before_the_commit_leaves_nothing(url: str, before: int) -> None:
    armed = [False]

    def steps(name: str) -> None:
        if armed[0] and name == "checked":
            armed[0] = False
            assert opened._writer is not None
            end_line(opened._writer)

    opened = PostgresLog(url, steps=steps)
    log = opened
    for number in range(before):
        log.append([one("table:1", number)])
    assert ("table:1" in log._known.versions) == (before == 3)
    armed[0] = True
    with pytest.raises(StoreError, match="cannot be reached"):
        log.append([one("table:1", before)])
    assert log.version("table:1") == before
    assert log.append([one("table:1", before)]) == [Appended(before + 1, (before + 1,))]
    assert verify(log).is_sound
    log.close()


@WAYS
def test_a_line_lost_after_the_commit_is_no_loss(url: str, before: int) -> None:
    """The answer of the server did not come; we look whether it has what we sent, and it has."""
    armed = [False]

    def steps(name: str) -> None:
        if armed[0] and name == "committed":
            armed[0] = False
            assert opened._writer is not None
            opened._writer.close()
            raise psycopg.OperationalError("the line was lost")

    opened = PostgresLog(url, steps=steps)
    log = opened
    for number in range(before):
        log.append([one("table:1", number)])
    armed[0] = True
    item = one("table:1", before, command="c", answer=b"1")
    assert log.append([item]) == [Appended(before + 1, (before + 1,))]
    assert log.append([item]) == [Repeated(b"1")]
    assert log.append([one("table:1", before + 1)]) == [Appended(before + 2, (before + 2,))]
    assert verify(log).is_sound
    log.close()


def test_readers_and_listeners_come_back(log: PostgresLog) -> None:
    log.append([one("table:1", 0)])
    assert not log.wait(1, 0.3)
    with psycopg.connect(postgres(), autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = %s",
            (f"pitboss {log.schema_name}",),
        )
    for call in (log.head, lambda: log.append([one("table:1", 1)])):
        try:
            call()
        except StoreError as fault:
            assert "cannot be reached" in str(fault)
    assert log.head().seq in (1, 2)
    log.append([one("table:2", 0)])
    assert log.wait(1, 10)


FAILED_AS_IT_SHOULD = 7


def _append_and_pause(url: str) -> None:
    """In a child: stop while holding the lock, and try to go on later."""

    def pause(name: str) -> None:
        if name == "checked":
            os.kill(os.getpid(), signal.SIGSTOP)

    code = 1
    try:
        PostgresLog(url, steps=pause).append([one("table:1", 1)])
    except StoreError:
        code = FAILED_AS_IT_SHOULD
    finally:
        os._exit(code)


def test_a_writer_paused_in_the_middle_does_not_stop_the_others(
    url: str, log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the lock when it stops; the server takes it away, and what it was about to write is not written."""
    monkeypatch.setattr(module, "IDLE_MS", 400)
    log.append([one("table:1", 0)])
    child = fork()
    if child == 0:
        _append_and_pause(url)
    try:
        os.waitpid(child, os.WUNTRACED)
        begun = time.monotonic()
        assert log.append([one("table:1", 1, at_ms=2000)]) == [Appended(2, (2,))]
        assert time.monotonic() - begun < 8
    finally:
        os.kill(child, signal.SIGCONT)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == FAILED_AS_IT_SHOULD
    assert log.head().seq == 2 and verify(log).is_sound


def test_a_lock_that_is_never_given_back_is_told(url: str, log: PostgresLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOCK_MS", 100)
    log._drop_writer()
    with psycopg.connect(postgres()) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", (log._key,))
        with pytest.raises(LogBusy, match="locked"):
            log.append([one("table:1", 0)])
    assert log.append([one("table:1", 0)]) == [Appended(1, (1,))]


def test_two_logs_in_one_database_do_not_meet(url: str, log: PostgresLog) -> None:
    other = PostgresLog(url + "_b")
    log.append([one("table:1", 0)])
    assert other.head().seq == 0
    assert other._key != log._key and other._channel != log._channel
    other.close()
    execute(url + "_b", f'DROP SCHEMA "{other.schema_name}" CASCADE')


def test_who_knows_a_stream_appends_in_one_round_trip_until_somebody_else_writes_to_it(url: str) -> None:
    first, second = PostgresLog(url), PostgresLog(url)
    asked = count_questions(first)
    for number in range(6):
        item = one("table:1", number, command=f"c-{number}", answer=b"%d" % number)
        assert first.append([item]) == [Appended(number + 1, (number + 1,))]
    assert asked == [1], "the first batch asks for everything, the rest for nothing"
    assert first.append([one("table:1", 6, command="c-3")]) == [Repeated(b"3")]
    assert second.append([one("table:1", 6, command="c-6", answer=b"6")]) == [Appended(7, (7,))]
    assert first.append([one("table:1", 6)]) == [Stale("table:1", 7)]
    assert first.append([one("table:1", 7, command="c-6")]) == [Repeated(b"6")]
    assert first.append([one("table:1", 7), one("table:2", 0)]) == [Appended(8, (8,)), Appended(9, (1,))]
    assert verify(first).is_sound
    first.close()
    second.close()


def test_who_writes_in_one_round_trip_is_fenced_by_a_claim_of_somebody_else(url: str) -> None:
    first, second = PostgresLog(url), PostgresLog(url)
    claim = first.claim("table:1", "alice", "", 0, 10)
    asked = count_questions(first)
    for number in range(4):
        assert first.append([one("table:1", number, epoch=claim.epoch)]) == [Appended(number + 1, (number + 1,))]
    assert len(asked) == 1
    later = second.claim("table:1", "bob", "", 20, 10)
    assert first.append([one("table:1", 4, epoch=claim.epoch)]) == [Fenced("table:1", later.epoch)]
    second.release("table:1", "bob")
    assert first.append([one("table:1", 4, epoch=later.epoch)]) == [Fenced("table:1", later.epoch + 1)]
    first.close()
    second.close()


def test_two_who_take_turns_ask_no_more_than_they_must(url: str) -> None:
    """Each with streams of its own; they also retry what was answered, and are fenced all the same."""
    logs = PostgresLog(url), PostgresLog(url)
    claims = [log.claim(f"table:{number}", f"owner-{number}", "", 0, 10) for number, log in enumerate(logs)]
    asked = [count_questions(log) for log in logs]
    for number in range(6):
        for index, log in enumerate(logs):
            item = one(
                f"table:{index}",
                number,
                command=f"c-{index}-{number}",
                epoch=claims[index].epoch,
                answer=b"%d" % number,
            )
            assert log.append([item]) == [Appended(2 * number + index + 1, (number + 1,))]
    assert [len(each) for each in asked] == [1, 1]
    again = one("table:0", 6, command="c-1-3", epoch=claims[0].epoch)
    assert logs[0].append([again, one("table:0", 6, epoch=claims[0].epoch)]) == [Repeated(b"3"), Appended(13, (7,))]
    assert logs[1].append([one("table:0", 6)]) == [Stale("table:0", 7)]
    later = logs[1].claim("table:0", "owner-1", "", 20, 10)
    assert logs[0].append([one("table:0", 7, epoch=claims[0].epoch)]) == [Fenced("table:0", later.epoch)]
    assert verify(logs[0]).is_sound
    for log in logs:
        log.close()


def count_questions(log: PostgresLog) -> list[int]:
    """One for each batch that asks the server before it writes."""
    asked: list[int] = []
    original = log._asked

    def counting(writer: module.Connection, batch: Sequence[Append]) -> Known:
        asked.append(1)
        return original(writer, batch)

    log._asked = counting  # type: ignore[method-assign]
    return asked


def test_what_is_packed_arrives_as_it_was_sent(log: PostgresLog) -> None:
    """The chain tells: it was computed from what was sent, and is verified from what arrived."""
    for version in range(2):
        log.append([one("table:é–牌", version)])
    asked = count_questions(log)
    odd = (b"", b"\0\xff" * 70_000, "é–牌".encode(), b"{}")
    item = Append(
        (Part("table:é–牌", 2, tuple(NewEntry(f"kind-{n}-é", body) for n, body in enumerate(odd))),),
        -(1 << 62), "zoë", "command-牌", b"\0\0",
    )  # fmt: skip
    assert log.append([item, *(one("table:é–牌", number) for number in range(6, 300))])[-1] == Appended(300, (300,))
    assert not asked, "in one round trip"
    entries = list(log.read("table:é–牌", 2, 4))
    assert [entry.body for entry in entries] == list(odd)
    assert {(entry.at_ms, entry.by, entry.command) for entry in entries} == {(-(1 << 62), "zoë", "command-牌")}
    assert log.answer("command-牌") == b"\0\0" and verify(log).is_sound
