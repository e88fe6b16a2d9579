"""The hammer itself: which answers it takes for wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.server.hammering import Hammer, Life

ONE, TWO = (8001, 0), (8002, 0)
NO = {"is": "refused", "table": "t", "refusal": {"text": "the box is taken."}}
OTHER_NO = {"is": "refused", "table": "t", "refusal": {"text": "the first card has left."}}
DENIED = {"is": "denied", "text": "players do not deal."}
YES = {"is": "accepted", "table": "t", "version": 7}
OTHER_YES = {"is": "accepted", "table": "t", "version": 8}


class Process:
    """A server's process, until it is killed."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None

    def poll(self) -> int | None:
        return self.code


def a_server(port: int, pid: int) -> Any:
    return SimpleNamespace(port=port, address=f"http://127.0.0.1:{port}", process=Process(pid))


def heard(*answers: tuple[Life, dict[str, Any]]) -> Hammer:
    """A hammer whose one player was given these answers to one command."""
    hammer = Hammer([a_server(8001, 1), a_server(8002, 2)], ["t"], {"nina": "token"})
    hammer.asked["nina/c"] = {"act": "Hit", "box": 1}
    for life, answer in answers:
        hammer.people[0]._hear(life, {"is": "answer", "id": "c", "answer": answer})
    return hammer


def test_one_process_gives_one_answer_to_one_command() -> None:
    assert not heard((ONE, YES), (ONE, YES)).wrong
    assert not heard((ONE, NO), (ONE, NO)).wrong
    for first, second in ((NO, OTHER_NO), (NO, YES), (DENIED, NO), (YES, NO), (YES, OTHER_YES)):
        assert len(heard((ONE, first), (ONE, second)).wrong) == 1, (first, second)


def test_another_process_may_decide_anew_what_was_turned_down() -> None:
    for first, second in ((NO, OTHER_NO), (NO, YES), (DENIED, NO)):
        hammer = heard((ONE, first), (TWO, second))
        assert not hammer.wrong and hammer.counts["decided anew"] == 1
    assert heard((ONE, NO), (TWO, OTHER_NO)).turned_down == {"nina/c"}
    accepted = heard((ONE, NO), (TWO, YES))
    assert not accepted.turned_down and accepted.acknowledged == {"nina/c": ("t", 7)}


def test_what_was_accepted_stands_wherever_it_is_asked_again() -> None:
    assert not heard((ONE, YES), (TWO, YES)).wrong
    for second in (NO, DENIED, OTHER_YES):
        assert len(heard((ONE, YES), (TWO, second)).wrong) == 1, second
    assert len(heard((ONE, NO), (TWO, YES), (ONE, NO)).wrong) == 1


def test_an_answer_of_another_kind_is_wrong_and_one_that_puts_off_is_none() -> None:
    assert len(heard((ONE, {"is": "unknown", "text": "there is no table t."})).wrong) == 1
    put_off = heard((ONE, {"is": "halted", "text": "later."}), (ONE, {"is": "moved", "address": ""}), (ONE, YES))
    assert not put_off.wrong and put_off.acknowledged


def test_a_server_that_is_started_again_is_another_process() -> None:
    hammer = heard()
    assert hammer.life_at("http://localhost:8001") == hammer.life_at("http://127.0.0.1:8001") == (8001, 0)
    assert hammer.life_at("http://localhost:8002") == (8002, 0)
    hammer.servers[0].process.code = -9  # type: ignore[attr-defined]
    assert hammer.life_at("http://localhost:8001") == (8001, 1), "who answers there now is the next"
    hammer.servers[0] = a_server(8001, 3)
    assert hammer.life_at("http://localhost:8001") == (8001, 1)
    assert hammer.life_at("http://localhost:8002") == (8002, 0)
