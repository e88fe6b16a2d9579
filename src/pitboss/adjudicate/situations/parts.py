"""What every situation is made of: the facts that must be known, the rule being told, and the act that tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pitboss.adjudicate.model import Approval, FactValue, Notice, Question, Step
from pitboss.adjudicate.situations.silence import question_about
from pitboss.adjudicate.words import term_of
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.meanings import DISCARDS_SHUFFLED_FOR_DEVICE
from pitboss.rulebooks.phrases import first_up, word_means
from pitboss.rulebooks.terms import Rulebook, Term
from pitboss.table.acts import AnyAct, Remind
from pitboss.table.roles import RANK
from pitboss.table.state import Table

Facts: TypeAlias = Mapping[str, FactValue]
SUPERVISOR = "casino-supervisor"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that must be known before the rule can be told."""

    name: str
    ask: str
    kind: str = "yes-no"
    """yes-no, choice, amount (dollars, as in 12.50), number, name, names, cards, places or text."""
    choices: Mapping[str, str] = field(default_factory=dict)
    needed: Callable[[Rulebook, Facts], bool] = lambda book, facts: True
    """Whether the answer changes what the rule says."""
    at_table: bool = False
    """Only asked where a table is given: it says who, where or how much."""
    usual: FactValue | None = None
    """What holds where nobody says otherwise; None: it is asked."""
    known: Callable[[Rulebook, str], bool] = lambda book, choice: True
    """Whether the rulebook knows a choice at all; the others are not offered."""

    def offered(self, book: Rulebook) -> Mapping[str, str]:
        """The choices under this rulebook, as they are numbered for whoever answers."""
        return {name: words for name, words in self.choices.items() if self.known(book, name)}


@dataclass(slots=True)
class Rule:
    """A rule being told: what it says, whose word it needs, who is told, and what is left to ask."""

    book: Rulebook
    facts: Facts
    decided: Mapping[str, str]
    """Terms on which the house has decided."""
    steps: list[Step] = field(default_factory=list)
    approvals: list[Approval] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def term(self, key: str) -> Term[Any]:
        return term_of(self.book, key)

    def value(self, key: str) -> Any:
        return self.term(key).value

    def cited(self, keys: tuple[str, ...], on: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The clauses of these terms; `on`: only those whose gist in the register speaks of one of these, if any does.

        A term often rests on a clause with a paragraph for each case: who asks about one case is told its paragraph.
        """
        clauses = tuple(dict.fromkeys(clause for key in keys for clause in self.term(key).clauses))
        rows = register(self.book.id)
        telling = tuple(each for each in clauses if each in rows and any(word in rows[each].gist for word in on))
        return telling or clauses

    def say(self, text: str, *keys: str, kind: str = "do", on: tuple[str, ...] = ()) -> None:
        """One step with the clauses of these terms, or those of them that are about this case."""
        terms = [self.term(key) for key in keys]
        clauses = self.cited(keys, on)
        notes = [
            term.reading for key, term in zip(keys, terms, strict=True) if term.reading and key not in self.decided
        ]
        self.steps.append(Step(first_up(text), clauses, kind, "; ".join(dict.fromkeys(notes))))

    def tell(self, key: str, kind: str = "do", on: tuple[str, ...] = ()) -> bool:
        """What the rulebook's value of a term means; where it is silent, ask. False: nothing follows yet."""
        value = self.value(key)
        if value == "undecided":
            self.questions.append(question_about(self.book, key))
            return False
        self.say(word_means(key, value), key, kind=kind, on=on)
        return True

    def approve(self, role: str, what: str, *keys: str, on: tuple[str, ...] = ()) -> None:
        if role != "nobody":
            self.approvals.append(Approval(role, what, self.cited(keys, on), self.named(role, keys[0])))

    def notify(self, to: str, what: str, *keys: str, on: tuple[str, ...] = ()) -> None:
        if to != "nobody":
            self.notices.append(Notice(to, what, self.cited(keys, on), self.named(to, keys[0])))

    def named(self, role: str, key: str) -> str:
        """Whom the document itself names, where it has another word for the role, as in Adelaide's Pit Boss."""
        words = self.term(key).in_words or ""
        return words if self.term(key).value == role and role.replace("-", " ") not in words.lower() else ""

    def generally(self) -> None:
        """Where the rulebook wants somebody informed of, or asked about, every irregularity."""
        approval, notice = "irregularities.approval", "irregularities.notice"
        self.approve(self.value(approval), "approves that the game continues", approval)
        self.notify(self.value(notice), "what happened, before the game continues", notice)

    def void(self) -> None:
        """What a void round means for the money."""
        self.say(
            "All wagers of the round that are still on the table go back to their owners.",
            "irregularities.misdeal_impossible",
            kind="money",
        )
        self.tell("irregularities.void_interim", kind="money")


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that can go wrong."""

    name: str
    group: str
    title: str
    tell: Callable[[Rule], None]
    facts: tuple[Fact, ...] = ()
    act: Callable[[Table, Facts], AnyAct | None] | None = None
    """What is said to the engine where a table is given; None: the engine comes to it by itself."""
    tells_all: bool = True
    """Whether a duty to inform and ask about every irregularity holds: not where a rule of its own says who decides."""


# --- what several situations share -----------------------------------------------------------------------------------


def plain(key: str, kind: str = "do") -> Callable[[Rule], None]:
    """A rule that says no more than what the rulebook's value of this term means."""

    def tell(rule: Rule) -> None:
        rule.tell(key, kind=kind)

    return tell


PLAYER = Fact("player", "Which player?", "name", at_table=True)
BOX = Fact("box", "On which box?", "number", at_table=True)
REASON = Fact("reason", "What happened?", "text", at_table=True)
FROM_DEVICE = "shuffling-device"
SOURCE_CHOICES = {"shoe": "a card shoe", "shuffling-device": "a shuffling device"}


def shoe_rules_lapse(book: Rulebook, facts: Facts) -> bool:
    """Whether rules on a shoe that runs out, or on its cutting card, have no effect with a shuffling device."""
    return not DISCARDS_SHUFFLED_FOR_DEVICE[book.shuffle.insufficient_device.value]


SOURCE_IF_RULES_LAPSE = Fact("source", "Where do the cards come from?", "choice", SOURCE_CHOICES, shoe_rules_lapse)


def player_of(facts: Facts) -> str:
    """The player who was told in answer to `PLAYER`."""
    return str(facts["player"])


def box_of(facts: Facts) -> int:
    """The box that was told in answer to `BOX`."""
    return int(str(facts["box"]))


def reason_of(facts: Facts) -> str:
    """What was told in answer to `REASON`."""
    return str(facts["reason"])


def remind(table: Table, facts: Facts, duty: str) -> AnyAct | None:
    """Remind a player of a duty, where the rulebook has it."""
    return Remind("dealer", player_of(facts), duty) if duty in table.rulebook.irregularities.conduct.value else None


def actor(role: str) -> str:
    """Somebody of the house's staff who may act for this role: an operator acts through its supervisors."""
    return role if role in RANK else SUPERVISOR
