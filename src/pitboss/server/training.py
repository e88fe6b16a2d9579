"""The routes of training: a trainee goes through a round step by step, and is told what was wrong, with the clause.

A training is a stream of the log: its round by seed, then what the trainee said. Whichever server a step comes to, and
whenever it was started, folds the stream and goes on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from pitboss.chance import secret_token
from pitboss.drill.model import DrillError
from pitboss.floor.editions import Texts, learn_from, texts_of
from pitboss.floor.gate import Gate
from pitboss.floor.model import Caller
from pitboss.floor.permissions import may
from pitboss.floor.scenarios import SCENARIOS, scenarios_of, seed_with
from pitboss.floor.shared_stream import Commits, SharedStream, entry_of
from pitboss.floor.trainees import Trained, Trainees
from pitboss.floor.training import DEALING, ROUNDS_MOST, Said, Training, Verdict
from pitboss.server.replies import (
    AnyRequest,
    allowed,
    caller_of,
    floor_of,
    not_too_fast,
    not_too_many_trainings,
    now_ms,
    problem,
    reply,
    said,
)  # fmt: skip
from pitboss.server.shapes import TrainingTold
from pitboss.store.log import Append, Entry, Log, NewEntry

KEPT, KEPT_EACH = 64, 3
"""Trainings that are at hand, of all and of one person; the others are read from the log when somebody goes on with
them. One of ten rounds takes a megabyte."""
WRONG_MOST = 500
"""So many wrong steps a training has; each of them is an entry, and is gone through when it is read again."""
KEY_BYTES = 9
TOLD_MOST = 200
"""Finished trainings that are told at once."""
SEED_PATTERN = r"^[^\u0000-\u001f\u007f]*$"

TRAINING = ["training"]
TRAINED = said(401, 404, 503, body=True)


class NewTraining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to train on; without a seed a new round is dealt."""

    rulebook: Annotated[str, msgspec.Meta(max_length=60)]
    seed: Annotated[str, msgspec.Meta(max_length=100, pattern=SEED_PATTERN)] = ""
    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_MOST)] = 1
    scenario: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """What the rounds shall have, such as split; a seed is looked for that deals it."""
    exam: bool = False
    """Nothing is told until it is over."""


class Began(msgspec.Struct, frozen=True):
    """The first entry of a training."""

    name: str
    rulebook: str
    seed: str
    rounds: int
    edition: str = ""
    """The digest of the rulebook's text."""
    dealing: int = 1
    """How seeds deal: one that was begun when they dealt otherwise cannot be gone on with."""
    exam: bool = False


class Going(SharedStream):
    """One trainee's training, as far as the log has it."""

    def __init__(self, commits: Commits, key: str, training: Training | None = None) -> None:
        super().__init__(commits)
        self.key = key
        self.stream = f"training:{key}"
        self.name = ""
        self.training = training

    def apply(self, entry: Entry) -> None:
        if entry.kind == "began":
            began = msgspec.json.decode(entry.body, type=Began)
            self.name = began.name
            self.training = self.training or _as_begun(began)
        elif entry.kind == "said" and self.training is not None and not self.training.is_over:
            self.training.do(msgspec.json.decode(entry.body, type=Said))

    async def begin(self, name: str, at_ms: int) -> None:
        assert self.training is not None
        book = self.training.book
        training = self.training
        began = Began(name, book.id, training.seed, training.rounds, book.edition, DEALING, training.exam)
        await self.write(lambda: ([entry_of("began", began)], None), at_ms=at_ms, by=name)

    async def do(self, step: Said, at_ms: int) -> Verdict:
        """Judged on what the log has, and durable when it is told."""

        def decide() -> tuple[Sequence[NewEntry], Verdict]:
            assert self.training is not None
            if len(self.training.mistakes) >= WRONG_MOST:
                raise DrillError(f"{WRONG_MOST} steps of this training were wrong: begin another")
            return [entry_of("said", step)], self.training.judge(step)

        return await self.write(decide, at_ms=at_ms, by=self.name)

    def shown(self, **more: Any) -> dict[str, Any]:
        assert self.training is not None
        return {"id": self.key, **more, **self.training.shown()}


class Trainings:
    """Those that somebody has gone on with lately."""

    def __init__(self, commits: Commits, texts: Texts, gate: Gate) -> None:
        self._commits = commits
        self._texts = texts
        self._gate = gate
        self._going: OrderedDict[str, Going] = OrderedDict()

    async def begin(self, name: str, training: Training, at_ms: int) -> Going:
        text = self._texts.part(training.rulebook, training.book.edition)
        if text:  # nobody has played by it here: the log keeps it for whoever goes on later
            await self._commits.append(Append(text, at_ms))
        going = Going(self._commits, secret_token(KEY_BYTES), training)
        await going.begin(name, at_ms)
        self._keep(going)
        return going

    async def of(self, name: str, key: str) -> Going | None:
        """Somebody's training as it stands now, wherever its last step was taken; None where it is not theirs."""
        if not key.isascii() or not key.replace("-", "").replace("_", "").isalnum() or len(key) > 4 * KEY_BYTES:
            return None
        going = self._going.get(key)
        if going is None:
            going = Going(self._commits, key)
            going.training = await self._gate.run(name, _dealt_again, self._commits.log, going.stream)
        await going.catch_up()
        if going.training is None or going.name != name:
            return None
        self._keep(going)
        return going

    def _keep(self, going: Going) -> None:
        self._going[going.key] = going
        self._going.move_to_end(going.key)
        own = [key for key, each in self._going.items() if each.name == going.name]
        for key in own[:-KEPT_EACH]:
            del self._going[key]
        while len(self._going) > KEPT:
            self._going.popitem(last=False)


def _dealt_again(log: Log, stream: str) -> Training | None:
    """The rounds of a training that began before, by the text that the log has where we do not. Blocking."""
    for entry in log.read(stream, 0, 1):
        began = msgspec.json.decode(entry.body, type=Began)
        learn_from(log, began.rulebook, began.edition)
        return _as_begun(began)
    return None


def _as_begun(began: Began) -> Training | None:
    """None where seeds have dealt otherwise since."""
    if began.dealing != DEALING:
        return None
    return Training(began.rulebook, began.seed, began.rounds, began.edition, exam=began.exam)


def _trainings(request: AnyRequest) -> Trainings:
    state = request.app.state
    if "trainings" not in state:
        floor = floor_of(request)
        state["trainings"] = Trainings(floor.commits, texts_of(floor), floor.gate)
    found: Trainings = state["trainings"]
    return found


async def _own(request: AnyRequest, caller: Caller, key: str) -> Going:
    found = await _trainings(request).of(caller.name, key)
    if found is None:
        raise HTTPException(f"no training {key[:40]!r} of yours is going on: begin one.", status_code=404)
    return found


def _dealt(asked: NewTraining) -> Training:
    """Blocking: the rounds that the seed deals, or that have what was asked for."""
    seed = asked.seed or secret_token(6)
    if asked.scenario:
        seed = seed_with(asked.rulebook, asked.scenario, seed, asked.rounds)
    return Training(asked.rulebook, seed, asked.rounds, exam=asked.exam)


@post("/api/training", operation_id="BeginTraining", tags=TRAINING, status_code=200, responses=TRAINED)
async def begin_training(request: AnyRequest, data: JSONBody[NewTraining]) -> Response[TrainingTold]:
    """Begin a training: the same rulebook and seed deal the same round."""
    caller = await allowed(request, "train")
    not_too_many_trainings(request, caller)
    try:
        training = await floor_of(request).gate.run(caller.name, _dealt, data)
    except DrillError as error:
        return problem(400, f"{error}.")
    going = await _trainings(request).begin(caller.name, training, now_ms(request))
    return reply(going.shown())


@get("/api/training/{training:str}", operation_id="ShowTraining", tags=TRAINING, responses=said(401, 403, 404, 503))
async def show_training(request: AnyRequest, training: FromPath[str]) -> Response[TrainingTold]:
    """Where the training stands: the table, what was heard, and the score."""
    caller = await allowed(request, "train")
    return reply((await _own(request, caller, training)).shown())


@post("/api/training/{training:str}", operation_id="TrainOneStep", tags=TRAINING, status_code=200, responses=TRAINED)
async def train_one_step(request: AnyRequest, training: FromPath[str], data: JSONBody[Said]) -> Response[TrainingTold]:
    """Do the next step; the answer has a verdict, and where the training then stands."""
    caller = await allowed(request, "train")
    not_too_fast(request, caller)
    going = await _own(request, caller, training)
    try:
        verdict = await going.do(data, now_ms(request))
    except DrillError as error:
        return problem(400, f"{error}.")
    if going.training is not None and going.training.is_over:
        await _trainees(request).finished(_trained(going.name, going.training, now_ms(request)))
    return reply(going.shown(verdict=msgspec.to_builtins(verdict)))


# --- for those who train ---------------------------------------------------------------------------------------------


class ScenarioTold(msgspec.Struct, frozen=True):
    scenario: str
    words: str


def _trainees(request: AnyRequest) -> Trainees:
    state = request.app.state
    if "trainees" not in state:
        state["trainees"] = Trainees(floor_of(request).commits)
    found: Trainees = state["trainees"]
    return found


def _trained(name: str, training: Training, at_ms: int) -> Trained:
    score = training.score()
    mistakes = tuple(f"{each['text']}: {each['said']}; right: {each['right']}" for each in score["mistakes"])
    return Trained(
        name, training.rulebook, training.seed, training.rounds, len(training.moments), training.right_at_once,
        len(training.mistakes), at_ms, mistakes, training.exam, training.exam and training.passed,
    )  # fmt: skip


@get(
    "/api/rulebooks/{rulebook:str}/scenarios",
    operation_id="ListScenarios",
    tags=TRAINING,
    responses=said(401, 403, 404, 503),
)
async def list_scenarios(request: AnyRequest, rulebook: FromPath[str]) -> Response[list[ScenarioTold]]:
    """What rounds to train on can be asked to have under a rulebook."""
    caller = await allowed(request, "train")
    try:
        names = await floor_of(request).gate.run(caller.name, scenarios_of, rulebook)
    except DrillError as error:
        return problem(404, f"{error}.")
    return reply([ScenarioTold(name, SCENARIOS[name][0]) for name in names])


@get("/api/trainees", operation_id="ListTrainees", tags=TRAINING, responses=said(401, 503))
async def list_trainees(request: AnyRequest) -> Response[list[Trained]]:
    """Finished trainings, newest first: everybody's for those who supervise, one's own for the others."""
    caller = caller_of(request)
    trainees = _trainees(request)
    await trainees.catch_up()
    everybody = may(caller, "see-trainees") is None
    return reply([each for each in reversed(trainees.trained) if everybody or each.name == caller.name][:TOLD_MOST])


HANDLERS: list[Any] = [begin_training, show_training, train_one_step, list_scenarios, list_trainees]
