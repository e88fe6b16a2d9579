"""The API against its own description: every answer to everybody is what the description says, and none is a fault.

A sample; `schemathesis run http://.../schema/openapi.json` is the whole of it.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
import requests
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from requests.adapters import HTTPAdapter

from pitboss.floor.model import FLOOR_ROLES
from pitboss.server.description import LINKS, OPEN
from tests.server.running import Running
from tests.server.test_tables import QUICK, play
from tests.server.test_tournaments import filled_in as a_cup

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

pytestmark = pytest.mark.filterwarnings("ignore")

PASSWORD = "correct horse battery"
ENDS_OR_BEGINS_SESSIONS = ("LogOut", "LogIn", "SetUp", "ComeInAsGuest")
"""Asked by nobody who needs his session afterwards."""
NOT_ALL_IN_THE_SCHEMA = (
    "Replay", "VerifyLog", "RuleOnSituation", "BeginTraining", "JudgeConditions", "OpenTournament", "ActInTournament",
    "OfferPromotion", "ActInPromotion",
)  # fmt: skip
"""Records, heads, facts, terms and conditions have a grammar of their own, and not every rulebook can deal every
scenario."""
REJECTED = [400, 401, 403, 404, 405, 409, 413, 415, 429]
COMES_WITHOUT = "player"
"""Who also asks without a session: that is answered alike whoever had one, and an address may ask only so much."""
SAYS_WRONG_THINGS = ("anonymous", "supervisor", "administrator")
"""What cannot be read is answered alike to all; so nobody else tries."""
WALK = HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large
EXAMPLES = 2


FEW = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=WALK,
    phases=[Phase.explicit, Phase.generate],
)


class Floor(NamedTuple):
    server: Running
    schema: Any
    tokens: dict[str, str]
    known: dict[str, Any]
    """Path parameters of things that exist."""


def token_of(answer: requests.Response) -> str:
    assert answer.status_code == 200, answer.text
    return str(answer.cookies["pitboss"])


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """Somebody of each role, a table at which rounds were played, and a training."""
    with Running(tmp_path_factory.mktemp("floor")) as server:

        def post(path: str, body: Any, token: str = "") -> requests.Response:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return requests.post(server.address + path, json=body, headers=headers, timeout=20)

        admin = token_of(post("/api/setup", {"name": "anna", "password": PASSWORD}))
        tokens = {"anonymous": "", "administrator": admin}
        for role in FLOOR_ROLES[:-1]:
            new = {"name": f"{role[:20]}-1", "role": role, "password": PASSWORD}
            assert post("/api/accounts", new, admin).status_code == 200
        for role in FLOOR_ROLES[:-1]:  # whoever was given a password changes it first
            name, own = f"{role[:20]}-1", {"old": PASSWORD, "password": f"{PASSWORD} own"}
            tokens[role] = token_of(post("/api/login", {"name": name, "password": PASSWORD}))
            assert post(f"/api/accounts/{name}/password", own, tokens[role]).status_code == 200
        for table in ("quick", "own"):
            opened = post("/api/tables", {"id": table, "table": table, "opening": QUICK}, tokens["supervisor"])
            assert opened.status_code == 200, opened.text
            asyncio.run(asyncio.wait_for(play(server, tokens["player"], table, 2), 60))
        cup = {"id": "cup", "tournament": "cup", "conditions": a_cup()}
        opened = post("/api/tournaments", cup, tokens["tournament-manager"])
        assert opened.status_code == 200, opened.text
        known = {
            "tournament": "cup", "paper": "results",
            "table": "quick", "version": 3, "number": 1, "rulebook": "nsw-pontoon", "clause": "13.1",
            "name": "dealer-1",
        }  # fmt: skip
        checks = {"negative_data_rejection": {"expected-statuses": [str(code) for code in REJECTED]}}
        config = schemathesis.Config.from_dict({"checks": checks})
        schema = schemathesis.openapi.from_url(f"{server.address}/schema/openapi.json", config=config)
        yield Floor(server, schema, tokens, known)


class From(HTTPAdapter):
    """Requests come from an address of their own, so that nobody uses up what others may send."""

    def __init__(self, last: int) -> None:
        self._source = (f"127.0.0.{last}", 0)
        super().__init__()

    def init_poolmanager(self, *given: Any, **more: Any) -> None:
        super().init_poolmanager(*given, **more, source_address=self._source)


def sessions(role: str) -> requests.Session:
    session = requests.Session()
    session.mount("http://", From(10 + ("anonymous", *FLOOR_ROLES).index(role)))
    return session


class Asking:
    """Somebody who asks for everything, and holds every answer against the description."""

    def __init__(self, floor: Floor, role: str) -> None:
        token = floor.tokens[role]
        # whoever may do so closes the table that they are asked about; supervisors have one of their own to look at
        self._known = floor.known | ({"table": "own"} if role == "supervisor" else {})
        self._role = role
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._session = sessions(role)
        self._seed = ("anonymous", *FLOOR_ROLES).index(role)
        self.seen: set[tuple[str, int]] = set()

    def everything_about(self, operation: Any) -> None:
        """What is right by the description; the same about things that exist; and what is wrong."""

        @FEW
        @seed(self._seed)
        @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE))
        def right(case: Any) -> None:
            self._ask(case)
            exist = set(case.path_parameters or ()) & set(self._known)
            for name in exist:
                case.path_parameters[name] = self._known[name]
            if exist:
                self._ask(case)

        @FEW
        @seed(self._seed)
        @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
        def wrong(case: Any) -> None:
            self._ask(case)

        right()
        if self._role in SAYS_WRONG_THINGS:
            with suppress(Unsatisfiable):  # where there is nothing to say, nothing can be said wrongly
                wrong()

    def _ask(self, case: Any) -> None:
        name = case.operation.definition.raw["operationId"]
        answer = case.call(headers=self._headers, timeout=20, session=self._session)
        self.seen.add((name, answer.status_code))
        without: list[Any] = [positive_data_acceptance] if name in NOT_ALL_IN_THE_SCHEMA else []
        without += [] if self._role == COMES_WITHOUT else [ignored_auth]
        case.validate_response(answer, excluded_checks=without, headers=self._headers)


@pytest.mark.parametrize("role", ["anonymous", *FLOOR_ROLES])
def test_every_answer_is_as_described(floor: Floor, role: str) -> None:
    """All checks: statuses, bodies, content types, headers; bad data is refused, good data is not; sessions count."""
    asking = Asking(floor, role)
    for found in floor.schema.get_all_operations():
        operation = found.ok()
        if role == "anonymous" or operation.definition.raw["operationId"] not in ENDS_OR_BEGINS_SESSIONS:
            asking.everything_about(operation)
    assert len({name for name, _ in asking.seen}) > 30
    assert not {status for _, status in asking.seen if status >= 500}
    answered = {name for name, status in asking.seen if status == 200}
    if role == "supervisor":
        assert {"ShowTable", "ListEvents", "ShowTableAt", "ListRounds", "DownloadRound", "SearchLog"} <= answered
    if role == "anonymous":
        assert answered <= OPEN | {"Live", "Ready", "Metrics"}
    status, text = floor.server.ask("GET", "/metrics")
    assert status == 200 and 'status="500"' not in text


@pytest.mark.parametrize(
    ("role", "first"), [("supervisor", "OpenTable"), ("dealer", "BeginTraining"), ("administrator", "CreateAccount")]
)
def test_what_an_answer_names_can_be_asked_for(floor: Floor, role: str, first: str) -> None:
    """Links: a table that was opened is seen, acted at and closed, a training goes on, an account is changed."""
    then = [name for name, _, _ in LINKS[first]]
    steps: list[str] = []
    headers = {"Authorization": f"Bearer {floor.tokens[role]}"}
    session = sessions(role)

    class Walk(floor.schema.include(operation_id=[first, *then]).as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": headers, "timeout": 20, "session": session}

        def validate_response(self, response: Any, case: Any, **more: Any) -> None:
            name = case.operation.definition.raw["operationId"]
            steps.append(name)
            without: list[Any] = [positive_data_acceptance] if name in NOT_ALL_IN_THE_SCHEMA else []
            case.validate_response(response, excluded_checks=without, transport_kwargs=more)

    Walk.run(settings=settings(FEW, max_examples=5, stateful_step_count=6, derandomize=True))
    assert first in steps and set(steps) & set(then), steps


def test_the_description_tells_all_of_the_server(floor: Floor) -> None:
    status, document = floor.server.ask("GET", "/schema/openapi.json")
    assert status == 200 and document["openapi"].startswith("3.")
    problem = {"$ref": "#/components/schemas/Problem"}
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if not path.startswith("/api"):
                continue
            for code, answer in operation["responses"].items():
                if code >= "400":
                    assert answer["content"]["application/json"]["schema"] == problem, (path, code)
            assert {"421", "429"} <= set(operation["responses"])
    acts = document["components"]["schemas"]["ActAsked"]["properties"]["act"]
    assert len(acts["anyOf"]) > 80 and "order" not in document["components"]["schemas"]["AskShuffle"]["properties"]
    assert {"/healthz", "/readyz", "/metrics"} <= set(document["paths"])
