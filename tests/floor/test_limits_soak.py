"""A sample of soak/limits.py: one patron's clients in two processes on PostgreSQL, one of which is killed."""

from __future__ import annotations

import os

import pytest

from soak.limits import trial
from tests.store.servers import execute, postgres


@pytest.mark.clause("nsw-pontoon", "19.3")
def test_a_limit_holds_in_two_processes_one_of_which_is_killed() -> None:
    url = f"{postgres()}&schema=limits_{os.getpid()}"
    try:
        found = trial(url, 3, seconds=5, clients=12, tables=4, processes=2, kills=1)
    finally:
        execute(url, f'DROP SCHEMA IF EXISTS "limits_{os.getpid()}" CASCADE')
    assert found["kills"] == 1 and found["accepted"] and found["refused for the limit"]
