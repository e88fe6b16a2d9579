"""Every act is declared once, and what its declaration names exists."""

from __future__ import annotations

import ast
import re
from typing import Any, get_args

import msgspec
import pytest

from pitboss.adjudicate.situations import BY_NAME
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.vocabulary import KEYS
from pitboss.table import acts
from pitboss.table.acts import AnyAct
from pitboss.table.authority import NAMED, term_at
from pitboss.table.chapters import CHAPTERS
from pitboss.table.declaring import DECLARED, GROUPS, Declaration
from pitboss.table.roles import NEEDED
from tests.project.sources import modules

EVERY = [pytest.param(said, id=name) for name, said in DECLARED.items()]
DRAWN = {
    "player", "name", "box", "kind", "side", "money", "count", "yes", "text", "choice", "cards", "players", "boxes",
    "places", "card-of-round", "decision-of-round", "person", "duty", "restriction",
}  # fmt: skip
"""What `forms.js` can draw."""


def test_every_act_is_declared_and_has_a_chapter() -> None:
    kinds = {kind.__name__ for kind in vars(acts).values() if isinstance(kind, type) and issubclass(kind, acts.Act)}
    assert kinds - {"Act"} == set(DECLARED)
    assert {kind.__name__ for kind in get_args(AnyAct)} == set(DECLARED)
    assert {kind.__name__ for kind in CHAPTERS} == set(DECLARED)


def fields_of(said: Declaration) -> dict[str, Any]:
    return {field.name: field for field in msgspec.structs.fields(said.act)}


@pytest.mark.parametrize("said", EVERY)
def test_who_may_do_it_stands_on_a_term_of_every_rulebook(said: Declaration) -> None:
    chapter, _, name = said.may.term.partition(".")
    for rulebook in RULEBOOKS:
        book = load(rulebook)
        section = next(iter(book.side_bets.values())) if chapter == "side_bets" else getattr(book, chapter)
        term = getattr(section, name)
        assert term.clauses
    if said.may.who == "staff":
        assert "by" in said.act.__struct_fields__ or said.may.needs == "dealer"
    if said.may.who == "player":
        assert "player" in said.act.__struct_fields__
    assert said.may.needs in ("", *NEEDED) and said.may.staff_too in ("", *NEEDED)


@pytest.mark.parametrize("said", EVERY)
def test_lines_and_forms_name_fields_of_the_act(said: Declaration) -> None:
    fields = fields_of(said)
    for line in said.lines:
        named = {name.removesuffix("...") for name in re.findall(r"<([^>]+)>", line.pattern)}
        named |= set(line.said) | {field for field, _ in line.flags.values()}
        assert named <= set(fields)
        unsaid = {name for name, field in fields.items() if field.required} - named
        assert unsaid <= {"box", "order"}, "a record that leaves it out could not be read"
        assert set(line.flags) <= set(re.findall(r"[\w-]+", line.pattern))
    if said.form is not None:
        asked = [field.name for field in said.form.fields]
        assert len(set(asked)) == len(asked) and set(asked) <= set(fields)
        assert {name for name, field in fields.items() if field.required} <= {*asked, "by", "order"}
        assert {field.kind for field in said.form.fields} <= DRAWN
        assert said.form.group in GROUPS
        assert set(said.form.situations) <= set(BY_NAME)
        for field in said.form.fields:
            if field.kind == "choice":
                assert fields[field.name].required or fields[field.name].default == field.options[0]
        by, situations = said.form.situation_by
        assert by in ("", *asked) and set(situations.values()) <= set(said.form.situations)
        for fact, field_name in said.form.facts.items():
            assert field_name in asked
            names = said.form.situations or (said.situation,)
            assert any(fact in {each.name for each in BY_NAME[name].facts} for name in names)
    if said.second is not None:
        assert {said.second.only_if, said.second.sets, said.second.if_said} <= {"", *fields}
    assert said.situation in ("", *BY_NAME)


def test_a_short_word_means_one_act_of_a_player() -> None:
    words = [word for said in DECLARED.values() for word in said.typed if word != "no"]
    assert len(set(words)) == len(words)


MANY = {"pitboss.table.legal": 24, "pitboss.table.positions": 12}
"""What may be done now, and what of that is a decision about a hand."""


def test_no_file_but_acts_py_lists_who_may_do_what() -> None:
    """Acts by name, in words, are few: what is said of all acts is said in their declarations."""
    for module, tree in modules().items():
        named = {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)} & set(DECLARED)
        assert len(named) <= MANY.get(module, 8), (module, sorted(named))


def test_steps_of_a_tournament_are_words_of_the_rulebooks() -> None:
    steps = {said.may.step for said in DECLARED.values()} - {""}
    assert steps and steps <= set(KEYS["tournament.steps"])


def test_whoever_is_named_as_the_table_stands_is_among_those_whom_the_rulebook_may_name() -> None:
    """A chapter answers for every act with several terms, or with rows, and for no other."""
    several = {
        name
        for name, said in DECLARED.items()
        if said.may.who == "staff"
        and (said.may.or_terms or not isinstance(term_at(load("nsw-pontoon"), said.may.term).value, str | None))
    }
    assert {act.__name__ for act in NAMED} == {name for name in several if not DECLARED[name].may.needs}
