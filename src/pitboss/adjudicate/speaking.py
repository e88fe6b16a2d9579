"""A ruling as lines that somebody can read out, and as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pitboss.adjudicate.model import Approval, Choice, Notice, Question, Ruling, Source, Step
from pitboss.adjudicate.words import who
from pitboss.basics.cards import format_cards
from pitboss.basics.money import dollars
from pitboss.ledger.postings import Posting, postings
from pitboss.records.lines import format_act
from pitboss.records.saving import public_events
from pitboss.records.write import amendment_line, play_line
from pitboss.rulebooks.clauses import cite, register
from pitboss.table import events as e
from pitboss.table.roles import RANK, may_act
from pitboss.table.state import Hand, Table

WIDTH = 80


def lines(ruling: Ruling, *, why: bool = False) -> Iterator[str]:
    """The ruling in lines of at most 80 columns; `why` adds what each clause says and how it was read."""
    yield from wrapped(f"{ruling.name}: {ruling.title}.")
    for decision in ruling.decisions:
        yield ""
        yield from wrapped(
            f"Decided by {who(decision.by)}, since the document does not say ({cite(decision.clauses)}): "
            f"{decision.text}{f' As in {sources(decision.sources)}.' if decision.sources else ''}"
        )
    rule = [step for step in ruling.steps if not step.at_table]
    if rule:
        yield ""
        yield "What happens"
        yield from _numbered(rule, 1, ruling, why=why)
    if ruling.refusal is not None:
        yield ""
        yield "At this table"
        yield from wrapped(f"It cannot be so, or not yet: {ruling.refusal.text} ({cite(ruling.refusal.clauses)})", "  ")
    table = [step for step in ruling.steps if step.at_table]
    if table:
        yield ""
        yield "At this table"
        yield from _numbered(table, len(rule) + 1, ruling, why=False)
    if not ruling.questions:
        yield ""
        yield from _people(ruling)
    for question in ruling.questions:
        yield ""
        yield from question_lines(question)


def _numbered(steps: Iterable[Step], first: int, ruling: Ruling, *, why: bool) -> Iterator[str]:
    for number, step in enumerate(steps, first):
        head = f"{number:>3}. "
        yield from wrapped(f"{step.text} ({cite(step.clauses)})", head, " " * len(head))
        if why:
            if step.note:
                yield from wrapped(f"Read as: {step.note}.", "       ")
            for clause in step.clauses:
                row = register(ruling.rulebook).get(clause)
                if row is not None:
                    yield from wrapped(f"{cite((clause,))}: {row.gist}", "       ")


def _people(ruling: Ruling) -> Iterator[str]:
    if ruling.approvals:
        for each in ruling.approvals:
            yield from wrapped(f"Approval: {who(each.who)} {with_named(each)} ({cite(each.clauses)})", "", "  ")
    else:
        yield "Approval: nobody's is needed"
    if ruling.notices:
        for notice in ruling.notices:
            to = notice.to.replace("-", " ")
            yield from wrapped(f"Tell: {to}: {with_named(notice)} ({cite(notice.clauses)})", "", "  ")
    else:
        yield "Tell: nobody need be told"
    if ruling.events:
        now = [posting for event in ruling.events if type(event) not in BEFORE for posting in postings(event)]
        yield from wrapped(f"Money: {_moved(_by_player(now))}", "", "  ")
    yield from in_a_record(ruling)


def with_named(each: Approval | Notice) -> str:
    return f"{each.what}; {each.named}" if each.named else each.what


def in_a_record(ruling: Ruling) -> Iterator[str]:
    """What a record of the round gets, to be copied as it stands: no line of it is broken."""
    if ruling.acts:
        yield "In the record, under play:"
        yield from (f"  {play_line(act)}" for act in ruling.acts)
        if ruling.amendment is not None:
            yield "and under amendments:"
            yield f"  {amendment_line(ruling.amendment)}"


def balances(ruling: Ruling) -> dict[str, int]:
    """What each player gets (above zero) or gives by the steps of the ruling, in cents."""
    return _by_player([posting for step in ruling.steps for posting in step.postings])


BEFORE = (e.MispaymentRecorded,)
"""Money that had moved, wrongly, before anybody ruled."""


def _by_player(moved: Iterable[Posting]) -> dict[str, int]:
    found: dict[str, int] = {}
    for account, cents in moved:
        if account.startswith(("player:", "tokens:")):
            name = account.partition(":")[2]
            found[name] = found.get(name, 0) + cents
    return {name: cents for name, cents in found.items() if cents}


def _moved(moved: dict[str, int]) -> str:
    parts = [f"{name} {'gets' if cents > 0 else 'gives'} {dollars(abs(cents))}" for name, cents in moved.items()]
    return ", ".join(parts) or "none moves"


def question_lines(question: Question) -> Iterator[str]:
    """A question with its choices; for the house's decisions also where they come from and how to tell one."""
    yield from wrapped(question.text)
    for number, choice in enumerate(question.choices, 1):
        yield from choice_lines(number, choice)
    if question.kind == "house":
        cited = f"silent: {cite(question.clauses)}; decided under {cite(question.decider_clauses)}"
        yield from wrapped(f"({cited})", "  ", "  ")
        values = " or ".join(choice.value for choice in question.choices)
        least = next(role for role in RANK if may_act(role, question.decided_by))
        text = f"Tell the decision with --decide {question.about}={values} --by {least}, or above."
        yield from wrapped(text, "  ", "  ")
    else:
        yield from wrapped(f"Tell it with --fact {question.about}=...", "  ", "  ")


def choice_lines(number: int, choice: Choice) -> Iterator[str]:
    text = choice.text if choice.text == choice.value else f"{choice.value}: {choice.text}"
    if choice.sources:
        text += f" As in {sources(choice.sources)}."
    head = f"{number:>3}. "
    yield from wrapped(text, head, " " * len(head))


def sources(found: Iterable[Source]) -> str:
    return "; ".join(f"{source.rulebook} {cite(source.clauses)}" for source in found)


def wrapped(text: str, head: str = "", rest: str | None = None) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=head if rest is None else rest, break_on_hyphens=False
    )


def layout(table: Table) -> Iterator[str]:
    """What is on the table, a line a hand."""
    for number, box in sorted(table.boxes.items()):
        if not box.hands:
            for wager in box.wagers.values():
                yield f"  box {number}: {wager.player} {dollars(wager.cents)}"
        for hand in box.hands:
            yield f"  box {number}: {_hand(hand)}"
    if table.misdealt:
        laid = ", ".join(f"{'dealer' if place == 0 else f'box {place}'} {card}" for place, card in table.misdealt)
        yield f"  misdealt: {laid}"
    if table.dealer_cards:
        yield f"  dealer: {format_cards(table.dealer_cards)}, {table.dealer_total}"


def _hand(hand: Hand) -> str:
    wagers = ", ".join(
        f"{w.player} {dollars(w.cents + w.doubled_cents)}" for w in hand.wagers.values() if not w.settled
    )
    cards = f"{format_cards(hand.cards)}, {hand.total}" if hand.cards else "no card"
    return f"{cards}; {wagers or 'settled'}"


def as_json(ruling: Ruling) -> dict[str, Any]:
    """The ruling as plain data; amounts in cents."""
    told: dict[str, Any] = {
        "rulebook": ruling.rulebook,
        "name": ruling.name,
        "situation": ruling.situation,
        "title": ruling.title,
        "complete": ruling.complete,
        "steps": [
            {**msgspec.to_builtins(step), "postings": [[account, cents] for account, cents in step.postings]}
            for step in ruling.steps
        ],
        "approvals": msgspec.to_builtins(ruling.approvals),
        "notices": msgspec.to_builtins(ruling.notices),
        "questions": msgspec.to_builtins(ruling.questions),
        "decisions": msgspec.to_builtins(ruling.decisions),
        "acts": [format_act(act) for act in ruling.acts],
        "amendments": [] if ruling.amendment is None else [msgspec.to_builtins(ruling.amendment)],
        "events": msgspec.to_builtins(public_events(ruling.events)),
        "net_cents": balances(ruling),
    }
    if ruling.refusal is not None:
        told["refused"] = {"text": ruling.refusal.text, "clauses": list(ruling.refusal.clauses)}
    return told
