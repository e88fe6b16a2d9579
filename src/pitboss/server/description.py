"""What the API says of itself: Litestar's OpenAPI document, completed with what only we know."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.floor.training import STEPS
from pitboss.floor.wire import LIST_MAX, MOST, TEXT_MAX, AskedAct
from pitboss.patrons.acts import AnyPatronAct
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.files import File, file_of
from pitboss.server.replies import WORDS
from pitboss.server.security import COOKIE

if TYPE_CHECKING:
    from litestar import Litestar

    from pitboss.floor.gate import Gate

OPEN = frozenset(
    {
        "ListRulebooks",
        "ShowRulebook",
        "ShowClause",
        "ListWords",
        "ShowRules",
        "SetUpState",
        "SetUp",
        "ComeInAsGuest",
        "LogIn",
        "LogOut",
        "Acts",
        "Matrix",
        "ListSituations",
        "ShowWall",
    }
)
"""Operations for which nobody need be logged in."""

LEFT_OUT = ("by", "player")
"""Who speaks may be left out of an act: then it is whoever is logged in."""
REF = "#/components/schemas/"
PROBLEM = {"$ref": REF + "Problem"}

BOUNDS: Mapping[str, dict[str, int]] = {
    "integer": {"minimum": -MOST, "maximum": MOST},
    "string": {"maxLength": TEXT_MAX},
    "array": {"maxItems": LIST_MAX},
}

SECURITY = {
    "session": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "What a browser keeps."},
    "bearer": {"type": "http", "scheme": "bearer", "description": "The same token, for programs."},
}
ENUMS = {("Said", "step"): tuple(STEPS), ("NewTraining", "rulebook"): RULEBOOKS,
         ("PatronAsked", "rulebook"): RULEBOOKS, ("DayAsked", "rulebook"): RULEBOOKS}  # fmt: skip

LINKS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "BeginTraining": (
        ("ShowTraining", "training", "$response.body#/id"),
        ("TrainOneStep", "training", "$response.body#/id"),
    ),
    "OpenTable": tuple(
        (name, "table", "$response.body#/table") for name in ("ShowTable", "Act", "ListEvents", "CloseTable")
    ),
    "CreateAccount": tuple(
        (name, "name", "$response.body#/name") for name in ("ChangeRole", "PostToTables", "DisableAccount")
    ),
}
"""What can be done next with what an operation answers: operation, parameter, and where its value stands."""

PROBES = {
    "/healthz": ("Live", "200 while the process answers.", "application/json"),
    "/readyz": ("Ready", "200 while it takes clients, 503 while it does not.", "application/json"),
    "/metrics": ("Metrics", "Counts and times for Prometheus.", "text/plain"),
}


PATHS = ("/schema", "/schema/", "/schema/openapi.json")


class Description:
    """The document at /schema/openapi.json: made once, in a thread, and kept compressed.

    Making it takes a second, and compressing it as long as twenty acts: nobody who asks for it holds up the tables.
    """

    def __init__(self, routes: Litestar, handlers: Iterable[Any], gate: Gate) -> None:
        self._routes, self._gate = routes, gate
        self._modules = {sys.modules[handler.fn.__module__] for handler in handlers}
        self._made: asyncio.Future[File] | None = None

    async def file(self) -> File:
        """What is sent; all who ask while it is made wait for the same."""
        made = self._made
        if made is None or (made.done() and (made.cancelled() or made.exception() is not None)):
            made = self._made = asyncio.ensure_future(self._gate.run_long("the description", self._make))
        return await asyncio.shield(made)

    def _make(self) -> File:
        body = msgspec.json.encode(described(self._routes.openapi_schema.to_schema(), self._modules))
        return file_of(body, ".json")


def described(document: dict[str, Any], modules: Iterable[ModuleType]) -> dict[str, Any]:
    """The document with acts, sessions, links and probes; changed in place. `modules` are those of the routes."""
    schemas = document["components"]["schemas"]
    _describe_bodies(schemas, modules)
    _describe_acts(schemas)
    for (name, field), values in ENUMS.items():
        schemas[name]["properties"][field] = {"type": "string", "enum": list(values)}
    document["components"]["securitySchemes"] = SECURITY
    for operation in _operations(document):
        name = operation["operationId"]
        if name not in OPEN:
            operation["security"] = [{"bearer": []}, {"session": []}]
        for code, answer in operation["responses"].items():
            if code >= "400":
                answer |= {"description": WORDS[int(code)], "content": {"application/json": {"schema": PROBLEM}}}
        if "429" in operation["responses"]:
            operation["responses"]["429"]["headers"] = {
                "Retry-After": {"schema": {"type": "integer", "minimum": 1}, "description": "Seconds."}
            }
        if name in LINKS:
            operation["responses"]["200"]["links"] = {
                then: {"operationId": then, "parameters": {parameter: place}} for then, parameter, place in LINKS[name]
            }
    document["paths"] |= {path: {"get": _probe(*told)} for path, told in PROBES.items()}
    return document


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in document["paths"].values():
        yield from methods.values()


def _describe_bodies(schemas: dict[str, Any], modules: Iterable[ModuleType]) -> None:
    """Bodies as they are read: with every bound, and closed where no unknown field is taken."""
    kinds = {name: kind for module in modules for name, kind in vars(module).items() if name in schemas}
    bodies = [kind for kind in kinds.values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    schemas |= msgspec.json.schema_components(bodies, ref_template=REF + "{name}")[1]


def _describe_acts(schemas: dict[str, Any]) -> None:
    """Every act with its fields, in the place of "an object"."""
    for asked, acts in (("ActAsked", AskedAct), ("PatronAsked", AnyPatronAct)):
        (union,), components = msgspec.json.schema_components([acts], ref_template=REF + "{name}")
        for name, schema in components.items():
            assert name not in schemas, name
            schema["required"] = [field for field in schema.get("required", ()) if field not in LEFT_OUT]
            for field in schema["properties"].values():
                _bound(field)
            schemas[name] = schema
        schemas[asked]["properties"]["act"] = union


def _bound(field: dict[str, Any]) -> None:
    """Nothing in an act is larger than anybody could mean."""
    if field.get("type") in BOUNDS:
        field |= BOUNDS[field["type"]]
    for inner in (field.get("items"), *field.get("anyOf", ()), *field.get("prefixItems", ())):
        if isinstance(inner, dict):
            _bound(inner)


def _probe(name: str, words: str, kind: str) -> dict[str, Any]:
    shape = {"type": "string"} if kind == "text/plain" else {"type": "object"}
    answer = {"description": words, "content": {kind: {"schema": shape}}}
    answers = {"200": answer} | ({"503": answer} if name == "Ready" else {})
    return {"operationId": name, "summary": words, "tags": ["operations"], "responses": answers}
