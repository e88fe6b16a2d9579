"""``pitboss adjudicate``: what happens now when something went wrong, step by step, with clauses."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, TypeVar, cast

import msgspec
from cyclopts import Parameter

from pitboss.adjudicate.model import AdjudicationError, FactValue, Question, Ruling
from pitboss.adjudicate.moment import moment_of
from pitboss.adjudicate.ruling import adjudicate_act, how_to_answer, missing_facts, read_fact, role_of, rule_on
from pitboss.adjudicate.situations import GROUPS, SITUATIONS, named_by
from pitboss.adjudicate.situations import situation as situation_named
from pitboss.adjudicate.situations.parts import Fact, Situation
from pitboss.adjudicate.situations.silence import decider
from pitboss.adjudicate.speaking import as_json, choice_lines, layout, lines, wrapped
from pitboss.adjudicate.words import meant, who
from pitboss.commands import look_for_editions, rulebook_id
from pitboss.commands.options import EditionNamed, EditionsIn
from pitboss.records.read import read
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.roles import RANK, may_act
from pitboss.table.state import Table
from pitboss.terminal.opening import ChoiceError, choose_rulebook

FINE, OPEN = 0, 1
T = TypeVar("T")
RECORDS = (".round", ".jsonl")
DECIDED_LATER = "not decided yet"


def adjudicate(
    about: str | None = None,
    situation: str | None = None,
    *,
    what: str | None = None,
    after: int | None = None,
    fact: Annotated[list[str] | None, Parameter(name="--fact")] = None,
    decide: Annotated[list[str] | None, Parameter(name="--decide")] = None,
    by: str = "",
    amend: list[str] | None = None,
    edition: EditionNamed = None,
    editions: EditionsIn = None,
    why: bool = False,
    json: bool = False,
) -> int:
    """Say what to do when something goes wrong.

    Without a situation it asks: the rulebook, what went wrong, and what the rule needs to know. With a record it
    replays the record to that moment and rules on the table as it stands. Where the documents leave something open it
    asks and never guesses. Exit code 1: something still has to be answered or decided, or the engine says it cannot
    have happened.

    Parameters
    ----------
    about
        A rulebook's id, as in nsw-pontoon, or a record (.round, .jsonl) that leads up to the moment.
    situation
        What went wrong, as in card-drawn-in-error; "list" lists them all.
    what
        With a record: the play line that says what went wrong; without it, the record's last line does.
    after
        With a record: it happened after this line of play and has only now been noticed.
    fact
        What the rule needs to know, as in exposed=yes; repeatable.
    decide
        What the house decided where the document is silent, as in irregularities.cut_missed=finish-then-shuffle.
    by
        Who made that decision, as in gaming-manager.
    amend
        What amends the rulebook at the table: a TOML file, or the name of one in the document; repeatable.
    why
        Also say what each clause requires and how it was read.
    json
        Print one JSON object; questions go to standard error.
    """
    look_for_editions(editions)
    by = by and role_of(by)
    decisions = _pairs(decide or (), "--decide")
    facts: dict[str, FactValue] = {**_pairs(fact or (), "--fact")}
    if about is not None and about.endswith(RECORDS):
        if situation is not None or facts:
            raise AdjudicationError("a record says what went wrong in its last line, or by --what: give nothing else")
        if amend or edition:
            raise AdjudicationError("a record says how its rulebook is played: leave --amend and --edition out")
        moment = moment_of(read(about), what, after)
        ruling = adjudicate_act(moment.table, moment.act, decisions=decisions, decided_by=by)
        return _show(ruling, moment.table, why=why, json=json)
    if what is not None or after is not None:
        raise AdjudicationError("--what and --after need a record that leads to the moment, as in evening.round")
    if about == "list" or situation == "list":
        return _list(json=json)
    if about is not None and situation is not None:
        ruling = rule_on(_rulebook(about, amend or (), edition), situation, facts, decisions=decisions, decided_by=by)
        return _show(ruling, None, why=why, json=json)
    if facts or decisions:
        raise AdjudicationError("--fact and --decide need a rulebook and a situation, as in nsw-pontoon cut-missed")
    return _Talk(json=json, why=why).run(about, amend or (), edition)


def _rulebook(name: str, amendments: Sequence[str], edition: str | None) -> Rulebook:
    name = rulebook_id(name)
    name = next((each for each in RULEBOOKS if load(each).name.lower() == name.strip().lower()), name)
    if name not in RULEBOOKS:
        close = difflib.get_close_matches(name.lower(), RULEBOOKS, n=1, cutoff=0.7)
        hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(RULEBOOKS)}"
        raise AdjudicationError(f"no rulebook {name!r}. {hint}; a record ends in {' or '.join(RECORDS)}")
    try:
        return choose_rulebook(name, (), amendments, edition)
    except ChoiceError as error:
        raise AdjudicationError(str(error)) from None


def _pairs(given: Sequence[str], option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or not name.strip():
            raise AdjudicationError(f"{option} {each!r}: write NAME=VALUE")
        if name.strip() in found:
            raise AdjudicationError(f"{option} {name.strip()} is given twice")
        found[name.strip()] = value.strip()
    return found


def _list(*, json: bool) -> int:
    if json:
        for each in SITUATIONS:
            facts = [{"name": one.name, "ask": one.ask, "answer": how_to_answer(one)} for one in each.facts]
            told = {"situation": each.name, "group": each.group, "title": each.title, "facts": facts}
            print(msgspec.json.encode(told).decode())
        return FINE
    for group, title in GROUPS.items():
        print(title)
        for each in SITUATIONS:
            if each.group == group:
                print("\n".join([f"  {each.name}", *wrapped(each.title, "      ")]))
    return FINE


def _show(ruling: Ruling, table: Table | None, *, why: bool, json: bool) -> int:
    if json:
        print(msgspec.json.encode(as_json(ruling)).decode())
    else:
        if table is not None:
            on_table = list(layout(table))
            if on_table:
                print("On the table")
                print("\n".join(on_table) + "\n")
        print("\n".join(lines(ruling, why=why)))
    return FINE if ruling.complete and ruling.refusal is None else OPEN


def how_to_choose(most: int) -> str:
    return f"Say a number from 1 to {most}, or the name."


class _Talk:
    """Asks what must be known, line by line; works at a terminal and from a pipe alike."""

    def __init__(self, *, json: bool, why: bool) -> None:
        self.json = json
        self.why = why
        self.out = sys.stderr if json else sys.stdout

    def run(self, rulebook: str | None, amendments: Sequence[str], edition: str | None) -> int:
        book = _rulebook(self.choose_rulebook() if rulebook is None else rulebook, amendments, edition)
        found = self.choose_situation()
        facts: dict[str, FactValue] = {}
        while missing := missing_facts(found, book, facts):
            facts[missing[0].name] = self.ask_fact(missing[0], book)
        decisions: dict[str, str] = {}
        by = ""
        ruling = rule_on(book, found.name, facts)
        for question in ruling.questions:
            chosen = self.ask_house(question)
            if chosen is None:
                continue
            decisions[question.about] = chosen
            by = by or self.ask_decider(book, question.about)
        if decisions:
            ruling = self.decided(book, found, facts, decisions, by)
        self.say("")
        return _show(ruling, None, why=self.why, json=self.json)

    def decided(
        self, book: Rulebook, found: Situation, facts: dict[str, FactValue], decisions: dict[str, str], by: str
    ) -> Ruling:
        """A decision may lead to facts that the rule now needs."""
        while True:
            ruling = rule_on(book, found.name, facts, decisions=decisions, decided_by=by)
            known = {each.name: each for each in found.facts}
            asked = [known[question.about] for question in ruling.questions if question.kind == "fact"]
            if not asked:
                return ruling
            facts[asked[0].name] = self.ask_fact(asked[0], book)

    # --- questions ---

    def choose_rulebook(self) -> str:
        names = {rulebook_id: load(rulebook_id).name for rulebook_id in RULEBOOKS}
        return self.choose("Which rulebook?", names)

    def choose_situation(self) -> Situation:
        group = self.choose("What went wrong?", GROUPS, named_by)
        if group not in GROUPS:
            return situation_named(group)
        within = {each.name: each.title for each in SITUATIONS if each.group == group}
        return situation_named(self.choose(f"{GROUPS[group]}: which?", within))

    def ask_fact(self, fact: Fact, book: Rulebook) -> FactValue:
        if fact.kind == "choice":
            return self.choose(fact.ask, fact.offered(book))
        hint = " [yes/no]" if fact.kind == "yes-no" else ""

        def reader(answer: str) -> FactValue | None:
            try:
                return read_fact(fact, answer)
            except AdjudicationError:
                return None

        return cast("FactValue", self.ask(f"{fact.ask}{hint}", reader, how_to_answer(fact)))

    def ask_house(self, question: Question) -> str | None:
        """What the house decides; None where it is left open."""
        self.say("")
        self.say("\n".join(wrapped(question.text)))
        later = len(question.choices) + 1
        for number, choice in enumerate(question.choices, 1):
            self.say("\n".join(choice_lines(number, choice)))
        self.say(f"{later:>3}. {DECIDED_LATER}")
        known = {choice.value: choice.text for choice in question.choices} | {DECIDED_LATER: DECIDED_LATER}
        answer = self.ask("Decision", lambda said: meant(said, known), how_to_choose(later))
        return None if answer == DECIDED_LATER else answer

    def ask_decider(self, book: Rulebook, about: str) -> str:
        role, _ = decider(book, about)
        allowed = [each for each in RANK if may_act(each, role)]
        names = {each: each.replace("-", " ") for each in allowed}
        return self.choose(f"Who decided it for {who(role)}?", names)

    def choose(
        self, text: str, choices: Mapping[str, str], by_words: Callable[[str], Sequence[Situation]] = lambda said: ()
    ) -> str:
        """One of several, by number or by name; or a situation at once, by words that only one of them has."""

        def reader(said: str) -> str | None:
            found = meant(said, choices)
            fits = () if found else by_words(said)
            return fits[0].name if len(fits) == 1 else found

        self.say("")
        self.say(text)
        for number, title in enumerate(choices.values(), 1):
            self.say("\n".join(wrapped(title, f"{number:>3}. ", "     ")))
        return self.ask("Number or name", reader, how_to_choose(len(choices)))

    def ask(self, prompt: str, reader: Callable[[str], T | None], hint: str) -> T:
        """The answer to one question; what cannot be read is said so, and asked again."""
        while True:
            print(f"{prompt} > ", end="", file=self.out, flush=True)
            line = sys.stdin.readline()
            if not line:
                self.say("")
                raise AdjudicationError(f"the input ended at the question {prompt!r}. {hint}")
            if not sys.stdin.isatty():
                self.say(line.strip()[:60])
            found = reader(" ".join(line.split()))
            if found is not None:
                return found
            self.say(f"{'unread':<10}{line.strip()[:60]!r} is no answer. {hint}")

    def say(self, text: str) -> None:
        print(text, file=self.out)
