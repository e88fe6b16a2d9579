"""The API against its own description: whatever a program sends, it is never told that we have a fault.

A sample; `schemathesis run http://.../schema/openapi.json` is the whole of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.server.running import Running

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    schemathesis = pytest.importorskip("schemathesis")

LEFT_OUT = ("/api/logout", "/api/login", "/api/setup", "/api/guest")
"""These end the session that the others need, or take their time on purpose."""
MOST = settings(
    max_examples=6,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("floor")) as running:
        yield running


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("role", ["player", "supervisor", "inspector"])
def test_no_request_finds_a_fault_of_ours(server: Running, role: str) -> None:
    token = server.guest("petra", role)
    schema = schemathesis.openapi.from_url(f"{server.address}/schema/openapi.json")
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path in LEFT_OUT:
            continue

        @MOST
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            answer = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=20)
            assert answer.status_code < 500, (case.method, case.path, answer.status_code, answer.text[:300])
            assert answer.status_code != 401

        ask()
        tried += 1
    assert tried > 20
    status, text = server.ask("GET", "/metrics")
    assert status == 200 and 'status="500"' not in text
