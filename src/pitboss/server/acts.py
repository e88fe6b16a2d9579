"""The acts as pages need them: what each is called, what its form asks for, and what is shown beside it."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get

from pitboss.floor.model import FLOOR_ROLES
from pitboss.rulebooks.vocabulary import OPTIONAL_WAGERS, ROLES, ROW_NAMES, WORDS
from pitboss.server.replies import AnyRequest, reply, said
from pitboss.table.declaring import DECLARED, GROUPS, Button, Declaration, Field


class FieldTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of a form."""

    name: str
    kind: str = msgspec.field(name="is")
    """What it asks for, and so how it is drawn."""
    label: str
    start: Any = None
    """With what it begins, and what the act takes where it is not said."""
    told: tuple[str, ...] = ()
    """How whoever approves the act reads a yes: what is said, when it is so, when it is not."""
    options: tuple[str, ...] = ()
    words: dict[str, str] = {}
    """Options that are said in other words than they are written."""
    optional: bool = False


class FormTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """The form for an act of the house's people."""

    group: str
    label: str
    says: str = ""
    words: str = ""
    """What somebody may also search for."""
    fields: tuple[FieldTold, ...] = ()
    terms: tuple[str, ...] = ()
    """The rulebook's terms that are shown with it."""
    situations: tuple[str, ...] = ()
    """What can have gone wrong: its rulings are shown with it."""
    situation_by: tuple[str, dict[str, str]] | None = None
    """A field, and which situation each of its values tells of."""
    facts: dict[str, str] = {}
    """Facts of those situations, and the field that tells each where it has another name."""
    phase: tuple[str, str] | None = None
    """The only phase in which it can be told, and what to say in others."""
    shows: str = ""
    """What whoever approves sees of the table beside the act."""


class ActTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """One act."""

    act: str
    by: bool = False
    """Whether it names the member of staff who does it; the floor fills that in."""
    button: Button | None = None
    """A player's decision: what it is called, its key, and what it does."""
    step: Button | None = None
    """The same for a step of the dealer's."""
    form: FormTold | None = None


class GroupTold(msgspec.Struct, frozen=True):
    """A fold of the panel."""

    title: str
    wrong: bool
    """Whether it is for what went wrong."""


class ActsTold(msgspec.Struct, frozen=True):
    groups: tuple[GroupTold, ...]
    acts: tuple[ActTold, ...]
    wagers: tuple[str, ...]
    """Optional wagers, as sentences of the rules name them: `perfect-pairs`."""
    ids: tuple[str, ...]
    """Other names that stand in sentences with hyphens, and are said without."""


def _field(act: type[msgspec.Struct], field: Field) -> FieldTold:
    """A field begins as declared, or as the act itself takes it."""
    default = next(each.default for each in msgspec.structs.fields(act) if each.name == field.name)
    start = field.start if field.start is not None or not isinstance(default, int) else default
    words = dict(field.words)
    return FieldTold(field.name, field.kind, field.label, start, field.told, field.options, words, field.optional)


def _form(said_of: Declaration) -> FormTold | None:
    form = said_of.form
    if form is None:
        return None
    by, situation_by = form.situation_by
    return FormTold(
        form.group,
        form.label,
        form.says,
        form.words,
        tuple(_field(said_of.act, field) for field in form.fields),
        form.terms,
        form.situations or ((said_of.situation,) if said_of.situation else ()),
        (by, dict(situation_by)) if by else None,
        dict(form.facts),
        form.phase if form.phase[0] else None,
        said_of.second.shows if said_of.second is not None else "",
    )


SAID_PLAINLY = {
    *ROLES, *FLOOR_ROLES, *WORDS["wagers.means"], *WORDS["shuffle.sources"],
    *(row for key, rows in ROW_NAMES.items() if key.startswith("side_bets.") for row in rows),
}  # fmt: skip
"""Names of the engine that stand in its sentences."""


def acts_told() -> ActsTold:
    """Every act that is declared, in its order."""
    return ActsTold(
        tuple(GroupTold(title, wrong) for title, wrong in GROUPS.items()),
        tuple(
            ActTold(name, "by" in each.act.__struct_fields__, each.button, each.step, _form(each))
            for name, each in DECLARED.items()
        ),
        OPTIONAL_WAGERS,
        tuple(sorted(word for word in SAID_PLAINLY if "-" in word)),
    )


_TOLD = acts_told()


@get("/api/acts", operation_id="Acts", tags=["people"], responses=said())
async def show_acts(request: AnyRequest) -> Response[ActsTold]:
    """Every act: what it is called, what its form asks for, and what is shown beside it. Who may do it: the matrix."""
    return reply(_TOLD)


HANDLERS: list[Any] = [show_acts]
