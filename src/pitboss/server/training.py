"""The routes of training: a trainee goes through a round step by step, and is told what was wrong, with the clause."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody

from pitboss.chance import secret_token
from pitboss.floor.model import Unknown
from pitboss.floor.training import ROUNDS_MOST, Said, Training, TrainingError
from pitboss.server.replies import SAID, AnyRequest, caller_of, people_routes, reply, unauthorised

KEPT = 500
KEPT_EACH = 5
"""Trainings that one person may have going; the oldest goes first."""


class NewTraining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to train on; without a seed a new round is dealt."""

    rulebook: Annotated[str, msgspec.Meta(max_length=60)]
    seed: Annotated[str, msgspec.Meta(max_length=100)] = ""
    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_MOST)] = 1


class Trainings:
    """Who trains on what, in the memory of this process: nothing of it is at stake."""

    def __init__(self) -> None:
        self._going: OrderedDict[str, tuple[str, Training]] = OrderedDict()

    def add(self, name: str, training: Training) -> str:
        own = [key for key, (owner, _) in self._going.items() if owner == name]
        for key in own[: len(own) + 1 - KEPT_EACH]:
            del self._going[key]
        while len(self._going) >= KEPT:
            self._going.popitem(last=False)
        key = secret_token(9)
        self._going[key] = (name, training)
        return key

    def of(self, name: str, key: str) -> Training | None:
        owner, training = self._going.get(key, ("", None))
        return training if owner == name else None


def _trainings(request: AnyRequest) -> Trainings:
    state = request.app.state
    if "trainings" not in state:
        state["trainings"] = Trainings()
    found: Trainings = state["trainings"]
    return found


def _unread(error: TrainingError) -> Response[dict[str, Any]]:
    text = f"{error}."
    return reply({"status_code": 400, "detail": text, "is": "error", "text": text}, 400)


@post("/api/training", operation_id="BeginTraining", tags=["training"], status_code=200, responses=SAID)
async def begin_training(request: AnyRequest, data: JSONBody[NewTraining]) -> Response[dict[str, Any]]:
    """Begin a training: the same rulebook and seed deal the same round."""
    caller = caller_of(request)
    if caller is None:
        return unauthorised()
    seed = data.seed or secret_token(6)
    try:
        training = await asyncio.to_thread(Training, data.rulebook, seed, data.rounds)
    except TrainingError as error:
        return _unread(error)
    key = _trainings(request).add(caller.name, training)
    return reply({"id": key, **training.shown()})


@get("/api/training/{training:str}", operation_id="ShowTraining", tags=["training"], responses=SAID)
async def show_training(request: AnyRequest, training: FromPath[str]) -> Response[dict[str, Any]]:
    """Where the training stands: the table, what was heard, and the score."""
    caller = caller_of(request)
    if caller is None:
        return unauthorised()
    found = _trainings(request).of(caller.name, training)
    if found is None:
        return reply(Unknown(f"no training {training[:40]!r} of yours is going on: begin one."))
    return reply({"id": training, **found.shown()})


@post("/api/training/{training:str}", operation_id="TrainOneStep", tags=["training"], status_code=200, responses=SAID)
async def train_one_step(
    request: AnyRequest, training: FromPath[str], data: JSONBody[Said]
) -> Response[dict[str, Any]]:
    """Do the next step; the answer has a verdict, and where the training then stands."""
    caller = caller_of(request)
    if caller is None:
        return unauthorised()
    found = _trainings(request).of(caller.name, training)
    if found is None:
        return reply(Unknown(f"no training {training[:40]!r} of yours is going on: begin one."))
    try:
        verdict = found.do(data)
    except TrainingError as error:
        return _unread(error)
    return reply({"id": training, "verdict": msgspec.to_builtins(verdict), **found.shown()})


ROUTES = [people_routes(begin_training, show_training, train_one_step)]
