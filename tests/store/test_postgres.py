"""What only a server can do to a log: lose the line, restart, be shared with a process that is paused."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Iterator

import psycopg
import pytest

import pitboss.store.postgres as module
from pitboss.store.log import Appended, LogBusy, StoreError
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


def test_a_line_lost_before_the_commit_leaves_nothing(url: str) -> None:
    armed = [False]

    def steps(name: str) -> None:
        if armed[0] and name == "checked":
            armed[0] = False
            assert opened._writer is not None
            end_line(opened._writer)

    opened = PostgresLog(url, steps=steps)
    log = opened
    log.append([one("table:1", 0)])
    armed[0] = True
    with pytest.raises(StoreError, match="cannot be reached"):
        log.append([one("table:1", 1)])
    assert log.version("table:1") == 1
    assert log.append([one("table:1", 1)]) == [Appended(2, (2,))]
    assert verify(log).is_sound
    log.close()


def test_a_line_lost_after_the_commit_is_no_loss(url: str) -> None:
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
    armed[0] = True
    assert log.append([one("table:1", 0, command="c", answer=b"1")]) == [Appended(1, (1,))]
    assert log.append([one("table:1", 1)]) == [Appended(2, (2,))]
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
