"""The machine's clock: it never goes back, and does not stay behind."""

from __future__ import annotations

import pytest

from pitboss.floor.clock import SystemClock

SECOND = 1_000_000_000
NOON = 1_700_000_000 * SECOND


class Machine:
    """What the machine says: the time on its wall, and how long it has been awake."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.awake = NOON, 50 * SECOND
        monkeypatch.setattr("time.time_ns", lambda: self.wall)
        monkeypatch.setattr("time.monotonic_ns", lambda: self.awake)

    def goes_on(self, seconds: float) -> None:
        self.wall += int(seconds * SECOND)
        self.awake += int(seconds * SECOND)


def test_it_says_what_the_wall_says(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = SystemClock()
    assert clock.now_ms() == NOON // 1_000_000
    machine.goes_on(1.5)
    assert clock.now_ms() == NOON // 1_000_000 + 1500


def test_set_back_it_goes_on_and_set_forward_it_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = SystemClock()
    machine.wall -= 3600 * SECOND
    machine.goes_on(2)
    assert clock.now_ms() == NOON // 1_000_000 + 2000
    machine.wall = NOON + 10 * SECOND  # the machine was asleep, or somebody put it right
    assert clock.now_ms() == NOON // 1_000_000 + 10_000
    machine.wall -= 5 * SECOND
    machine.goes_on(1)
    assert clock.now_ms() == NOON // 1_000_000 + 11_000
