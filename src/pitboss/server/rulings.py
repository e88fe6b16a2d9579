"""Routes for what to do when something went wrong: the situations, and what a rulebook says of one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss.adjudicate.model import AdjudicationError, Ruling
from pitboss.adjudicate.ruling import how_to_answer, rule_on
from pitboss.adjudicate.situations import BY_NAME, GROUPS, SITUATIONS
from pitboss.adjudicate.situations.parts import Situation
from pitboss.adjudicate.speaking import with_named
from pitboss.floor.model import Unknown
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.server.replies import AnyRequest, caller_of, not_too_fast, problem, reply, said
from pitboss.server.tables import book_of_table
from pitboss.table.refusals import as_sentence

FACTS_MOST = 20


class FactTold(msgspec.Struct, frozen=True):
    """Something that the rule wants to know."""

    name: str
    ask: str
    kind: str
    answer: str
    """What an answer looks like."""
    choices: dict[str, str]


class SituationTold(msgspec.Struct, frozen=True):
    """Something that can go wrong."""

    situation: str
    group: str
    title: str
    facts: list[FactTold]


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a situation, in words as on a command line: ``{"exposed": "yes"}``."""

    facts: Annotated[
        dict[Annotated[str, msgspec.Meta(max_length=40)], Annotated[str, msgspec.Meta(max_length=200)]],
        msgspec.Meta(max_length=FACTS_MOST),
    ] = {}


class StepRuled(msgspec.Struct, frozen=True):
    text: str
    clauses: list[str]
    kind: Literal["do", "cards", "money", "choice", "next"]
    note: str
    """How the document was read, where it can be read in more than one way."""


class PersonRuled(msgspec.Struct, frozen=True):
    """Whose word is needed, or who is told."""

    who: str
    what: str
    clauses: list[str]


class ChoiceRuled(msgspec.Struct, frozen=True):
    value: str
    text: str
    sources: list[dict[str, Any]]


class QuestionRuled(msgspec.Struct, frozen=True):
    """What is still to be known (fact), or what the document leaves to the house."""

    about: str
    text: str
    kind: Literal["fact", "house"]
    choices: list[ChoiceRuled]
    clauses: list[str]
    decided_by: str
    decider_clauses: list[str]


class RulingTold(msgspec.Struct, frozen=True):
    """What happens now, by one rulebook."""

    rulebook: str
    situation: str
    title: str
    complete: bool
    steps: list[StepRuled]
    approvals: list[PersonRuled]
    notices: list[PersonRuled]
    questions: list[QuestionRuled]


@get("/api/rulebooks/{rulebook:str}/situations", operation_id="ListSituations", responses=said(404))
async def list_situations(rulebook: FromPath[str]) -> Response[list[SituationTold]]:
    """Everything that can go wrong at a table, with what the rule wants to know of it."""
    if rulebook not in RULEBOOKS:
        return reply(_no_rulebook(rulebook))
    return reply([_told(each) for each in SITUATIONS])


@post(
    "/api/rulebooks/{rulebook:str}/situations/{situation:str}",
    operation_id="RuleOnSituation",
    status_code=200,
    responses=said(400, 401, 404, body=True),
)
async def rule_on_situation(
    request: AnyRequest,
    rulebook: FromPath[str],
    situation: FromPath[str],
    data: JSONBody[Facts],
    table: Annotated[str, QueryParameter(max_length=60)] = "",
) -> Response[RulingTold]:
    """What the rulebook says of a situation, of which so much is known: as shipped, or as a `table` plays it."""
    not_too_fast(request, caller_of(request))
    if rulebook not in RULEBOOKS:
        return reply(_no_rulebook(rulebook))
    if situation not in BY_NAME:
        return reply(Unknown(f"there is no situation {situation[:60]!r}."))
    try:
        book = await book_of_table(request, table) if table else load(rulebook)
        if book.id != rulebook:
            return reply(Unknown(f"{table[:60]} is not played by {rulebook}."))
        ruling = rule_on(book, situation, data.facts)
    except AdjudicationError as error:
        return problem(400, as_sentence(error))
    return reply(_ruled(ruling))


def _no_rulebook(rulebook: str) -> Unknown:
    return Unknown(f"there is no rulebook {rulebook[:60]!r}; there are {', '.join(RULEBOOKS)}.")


def _told(situation: Situation) -> SituationTold:
    facts = [
        FactTold(fact.name, fact.ask, fact.kind, how_to_answer(fact), dict(fact.choices)) for fact in situation.facts
    ]
    return SituationTold(situation.name, GROUPS[situation.group], situation.title, facts)


def _ruled(ruling: Ruling) -> dict[str, Any]:
    return {
        "rulebook": ruling.rulebook,
        "situation": ruling.situation,
        "title": ruling.title,
        "complete": ruling.complete,
        "steps": [
            {"text": step.text, "clauses": step.clauses, "kind": step.kind, "note": step.note} for step in ruling.steps
        ],
        "approvals": [
            {"who": each.who, "what": with_named(each), "clauses": each.clauses} for each in ruling.approvals
        ],
        "notices": [{"who": each.to, "what": with_named(each), "clauses": each.clauses} for each in ruling.notices],
        "questions": msgspec.to_builtins(ruling.questions),
    }


HANDLERS: list[Any] = [list_situations, rule_on_situation]
