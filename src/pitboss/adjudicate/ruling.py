"""From what went wrong to what happens now: the rule in words and, with a table, what the engine makes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from pitboss.adjudicate.model import (
    AdjudicationError,
    Choice,
    Decision,
    FactValue,
    Notice,
    Question,
    Ruling,
    Step,
)
from pitboss.adjudicate.recognising import situation_of, something_paid, with_rulebook
from pitboss.adjudicate.situations import situation as find_situation
from pitboss.adjudicate.situations.parts import Fact, Facts, Rule, Situation, actor
from pitboss.adjudicate.situations.silence import choices_of, decider
from pitboss.adjudicate.unknown_cards import until_unknown, with_unknown_cards
from pitboss.adjudicate.words import meant, term_of, who
from pitboss.basics.cards import CardError, parse_cards
from pitboss.basics.money import MoneyError, parse_cents
from pitboss.ledger.guard import Guard
from pitboss.ledger.postings import Posting, postings
from pitboss.records.replay import boxes_of
from pitboss.rulebooks import amend, load
from pitboss.rulebooks.meanings import MAY_BE_SILENT, UNDECIDED
from pitboss.rulebooks.phrases import first_up, word_means
from pitboss.rulebooks.terms import DECISION, Amendment, Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.belonging import CHECKS
from pitboss.table.compiled import compiled_for
from pitboss.table.engine import decide, refusal
from pitboss.table.events import Event
from pitboss.table.irregularities.short_hands import refund_clauses
from pitboss.table.legal import waiting_for
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.roles import RANK, may_act
from pitboss.table.state import Table
from pitboss.table.telling import sentence


def adjudicate(
    rulebook: str | Rulebook,
    situation: str,
    table: Table | None = None,
    *,
    decisions: Mapping[str, str] | None = None,
    decided_by: str = "",
    **facts: FactValue,
) -> Ruling:
    """What happens now when this went wrong, by this rulebook.

    Facts that the rule needs and that are not given come back as questions, and so does all on which the document is
    silent: `decisions` (by name of the term) and `decided_by` (a role) say what the house has decided. With a table
    the ruling is carried out on the engine, and `events` and `after` say what comes of it.

    Raises `AdjudicationError` for what cannot be read, and `Refused` where a decision is not for that role to make.
    """
    return rule_on(rulebook, situation, facts, table=table, decisions=decisions, decided_by=decided_by)


def rule_on(
    rulebook: str | Rulebook,
    situation: str,
    facts: Mapping[str, FactValue],
    *,
    table: Table | None = None,
    decisions: Mapping[str, str] | None = None,
    decided_by: str = "",
) -> Ruling:
    """The same with the facts in a mapping, as they come from a command line."""
    book = load(rulebook) if isinstance(rulebook, str) else rulebook
    if table is not None and table.rulebook.id != book.id:
        raise AdjudicationError(f"the table plays by {table.rulebook.name}, not by {book.name}")
    found = find_situation(situation)
    told = read_facts(found, facts, book)
    if table is not None:
        told = {**told, **_derived(found, table, told)}
    missing = _missing(found, book, told, table)
    act = None
    if table is not None and not missing and found.act is not None:
        act = found.act(table, _with_usual(found, told))
    return _ruling(book, found, told, missing, table, act, decisions or {}, decided_by)


def adjudicate_act(
    table: Table, act: AnyAct, *, decisions: Mapping[str, str] | None = None, decided_by: str = ""
) -> Ruling:
    """The same for an act that tells what went wrong, as a play line of a record does."""
    told = situation_of(act, table)
    if told is None:
        raise AdjudicationError(f"{type(act).__name__} does not tell that anything went wrong")
    found, facts = told
    facts = _with_usual(found, facts)
    return _ruling(table.rulebook, found, facts, (), table, act, decisions or {}, decided_by)


# --- facts -----------------------------------------------------------------------------------------------------------


THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
"""The comma of 1,500: people at a table write it."""
FORMERLY = {"cents": "dollars"}
"""Facts by the names that they had once; what was said by them was dollars then too."""


def read_facts(situation: Situation, given: Mapping[str, object], book: Rulebook | None = None) -> dict[str, FactValue]:
    """Facts as the situation wants them; raises `AdjudicationError` for any that it does not know or cannot read."""
    known = {fact.name: fact for fact in situation.facts}
    given = {FORMERLY.get(name.lower(), name.lower()): value for name, value in given.items()}
    for name in given:
        if name not in known:
            names = ", ".join(known) or "none"
            raise AdjudicationError(f"{situation.name} has no fact {name!r}. Known: {names}")
    return {name: read_fact(known[name], value, book) for name, value in given.items()}


def read_fact(fact: Fact, value: object, book: Rulebook | None = None) -> FactValue:
    """One answer, from Python or from a line of text; a number is that of a choice under this rulebook."""
    if book is not None and isinstance(value, str) and (numbered := meant(value, fact.offered(book))) is not None:
        return numbered
    text = " ".join(value.split()) if isinstance(value, str) else value
    reader = _READERS[fact.kind]
    try:
        read = reader(fact, text)
    except (MoneyError, CardError, ValueError) as fault:
        raise AdjudicationError(f"{fact.name}: {fault}") from None
    if read is None:
        raise AdjudicationError(f"{fact.name}: {str(value)!r} is no answer. {how_to_answer(fact)}")
    return read


def how_to_answer(fact: Fact) -> str:
    """What an answer looks like."""
    return {
        "yes-no": "Say yes or no.",
        "choice": f"Say one of {', '.join(fact.choices)}.",
        "amount": "Say an amount in dollars, as in 25 or 12.50.",
        "number": "Say a whole number.",
        "name": "Say a name, as in alice.",
        "names": "Say names, as in alice,bob.",
        "cards": "Say cards, as in 6s 9h.",
        "places": "Say boxes and dealer in the order in which the cards left, as in 1,2,dealer,1,2.",
        "text": "Say it in a few words.",
    }[fact.kind]


def _yes_no(fact: Fact, value: object) -> FactValue | None:
    if isinstance(value, bool):
        return value
    return {"yes": True, "y": True, "1": True, "no": False, "n": False, "2": False}.get(str(value).lower())


def _choice(fact: Fact, value: object) -> FactValue | None:
    return meant(value, fact.choices) if isinstance(value, str) else None


def _amount(fact: Fact, value: object) -> FactValue | None:
    if isinstance(value, bool):
        return None
    text = THOUSANDS.sub("", str(value).removeprefix("$"))
    return text if parse_cents(text) > 0 else None


def _number(fact: Fact, value: object) -> FactValue | None:
    if isinstance(value, bool):
        return None
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


def _text(fact: Fact, value: object) -> FactValue | None:
    return value if isinstance(value, str) and value and value.isprintable() and len(value) <= 200 else None


def _name(fact: Fact, value: object) -> FactValue | None:
    return value if isinstance(value, str) and (value or fact.usual == "") and len(value) <= 32 else None


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, (tuple, list)):
        return tuple(map(str, value))
    return tuple(str(value).replace(",", " ").split())


def _names(fact: Fact, value: object) -> FactValue | None:
    return _words(value)


def _card_list(fact: Fact, value: object) -> FactValue | None:
    text = " ".join(_words(value))
    parse_cards(text)
    return text


def _place_list(fact: Fact, value: object) -> FactValue | None:
    words = tuple("dealer" if word == "0" else word for word in _words(value))
    fits = all(word == "dealer" or (word.isascii() and word.isdigit() and len(word) == 1) for word in words)
    return words if words and fits else None


_READERS = {
    "yes-no": _yes_no, "choice": _choice, "amount": _amount, "number": _number, "name": _name, "names": _names,
    "cards": _card_list, "places": _place_list, "text": _text,
}  # fmt: skip


def _derived(situation: Situation, table: Table, facts: Facts) -> dict[str, FactValue]:
    """What the table itself answers."""
    wanted = {fact.name for fact in situation.facts}
    found: dict[str, FactValue] = {}
    if "source" in wanted:
        found["source"] = table.house.source
    if "in_round" in wanted:
        found["in_round"] = table.phase != "wagers"
    if "begun" in wanted:
        found["begun"] = table.phase not in BEFORE_THE_SUBSEQUENT_DEAL
    if "face_down" in wanted:
        found["face_down"] = table.house.face_down and facts.get("face_down", False)
    if "paid" in wanted:
        found["paid"] = something_paid(table)
    if "box" in wanted and "box" not in facts and facts.get("player"):
        boxes = boxes_of(table, str(facts["player"]))
        found.update({"box": boxes[0]} if len(boxes) == 1 else {})
    if "damaged" in facts:
        found["damage"] = bool(facts["damaged"])
    at_table = [fact for fact in situation.facts if fact.at_table]
    if "damage" in wanted and "damage" not in facts:
        found.setdefault("damage", False)
    seen = {"others", "stage", "side"} & wanted
    if seen and situation.act is not None and all(f.name in facts or f.usual is not None for f in at_table):
        act = situation.act(table, _with_usual(situation, facts))
        told = situation_of(act, table) if act is not None else None
        if told is not None:
            found.update(told[1])
    return found


BEFORE_THE_SUBSEQUENT_DEAL = ("wagers", "dealing", "insurance", "interim", "surrender")


def _with_usual(situation: Situation, facts: Facts) -> dict[str, FactValue]:
    usual = {fact.name: fact.usual for fact in situation.facts if fact.usual is not None}
    return {**usual, **facts}


def missing_facts(situation: Situation, book: Rulebook, facts: Facts, *, at_table: bool = False) -> list[Fact]:
    """What is still to be asked, in order; an answer may make further questions needless."""
    found = []
    for fact in situation.facts:
        if fact.name in facts:
            continue
        if fact.at_table:
            if at_table and fact.usual is None:
                found.append(fact)
        elif fact.needed(book, facts):
            found.append(fact)
    return found


def _missing(situation: Situation, book: Rulebook, facts: Facts, table: Table | None) -> tuple[Fact, ...]:
    at_table = table is not None and situation.act is not None
    missing = missing_facts(situation, book, facts, at_table=at_table)
    if table is not None and table.misdealt:
        missing = [fact for fact in missing if fact.kind != "places"]
    return tuple(missing)


def fact_question(fact: Fact, book: Rulebook) -> Question:
    if fact.kind == "yes-no":
        choices: tuple[Choice, ...] = (Choice("yes", "yes"), Choice("no", "no"))
    else:
        choices = tuple(Choice(value, text) for value, text in fact.offered(book).items())
    return Question(fact.name, fact.ask, "fact", choices)


# --- decisions of the house ------------------------------------------------------------------------------------------


def role_of(by: str) -> str:
    """A role of the house's staff, with or without hyphens; raises `AdjudicationError` where it is none."""
    role = by.strip().lower().replace(" ", "-")
    if role not in RANK:
        raise AdjudicationError(f"{by[:40]!r} is no role of the house's staff. Known: {', '.join(RANK)}")
    return role


def _silent_term(said: str) -> str:
    """The term on which a document may be silent, by its whole name or by what is after the dot."""
    for key in MAY_BE_SILENT:
        if said in (key, key.partition(".")[2]):
            return key
    raise AdjudicationError(f"{said!r} is not for the house to decide. Known: {', '.join(MAY_BE_SILENT)}")


def _decided(
    book: Rulebook, decisions: Mapping[str, str], by: str
) -> tuple[Rulebook, tuple[Decision, ...], Amendment | None]:
    """The rulebook with what the house has decided where the document is silent, as a layer over it."""
    made = []
    by = by and role_of(by)
    for said, answer in decisions.items():
        key = _silent_term(said)
        term = term_of(book, key)
        if not UNDECIDED[term.value]:
            raise AdjudicationError(f"{key} is decided by {book.name} itself ({', '.join(term.clauses)})")
        choices = {choice.value: choice for choice in choices_of(book, key)}
        value = meant(answer, {name: choice.text for name, choice in choices.items()})
        if value is None:
            raise AdjudicationError(f"{key}: {answer!r} is none of {', '.join(choices)}")
        role, clauses = decider(book, key)
        if not by:
            raise AdjudicationError(f"{key}: say who decides, as in {actor(role)}")
        if not may_act(by, role):
            text = f"{who(role)} decides what the rules leave open, not {who(by)}."
            raise Refused(Refusal(book.name, clauses, text))
        made.append(Decision(key, value, word_means(key, value), by, clauses, choices[value].sources))
    if not made:
        return book, (), None
    decided = {each.about: {"is": each.value, "clauses": list(each.clauses)} for each in made}
    layer = Amendment(f"decided by {who(by)}", DECISION, decided, made[0].clauses)
    return amend(book, layer), tuple(made), layer


# --- the ruling ------------------------------------------------------------------------------------------------------


def _ruling(
    book: Rulebook,
    situation: Situation,
    facts: Facts,
    missing: tuple[Fact, ...],
    table: Table | None,
    act: AnyAct | None,
    decisions: Mapping[str, str],
    decided_by: str,
) -> Ruling:
    decided, made, layer = _decided(book, decisions, decided_by)
    head: dict[str, Any] = {
        "rulebook": book.id, "name": book.name, "situation": situation.name, "title": situation.title,
        "decisions": made, "amendment": layer,
    }  # fmt: skip
    if missing:
        return Ruling(steps=(), questions=tuple(fact_question(fact, book) for fact in missing), **head)
    rule = Rule(decided, _with_usual(situation, facts), {each.about: each.value for each in made})
    situation.tell(rule)
    if situation.tells_all:
        rule.generally()
    if rule.questions and rule.steps:
        rule.steps = rule.steps[:1]
    head |= {"approvals": tuple(rule.approvals), "questions": tuple(rule.questions)}
    if table is None or rule.questions or (act is None and not table.misdealt):
        return Ruling(steps=tuple(rule.steps), notices=tuple(rule.notices), **head)
    carried = _carry_out(with_rulebook(table, decided), act, rule.facts)
    if isinstance(carried, Refusal):
        return Ruling(steps=tuple(rule.steps), notices=tuple(rule.notices), refusal=carried, **head)
    acts, events, after, unknown = carried
    going_on = _next_steps(after) if unknown is None else [_next_card(unknown)]
    steps = [*rule.steps, *_table_steps(events, after.rulebook), *going_on]
    return Ruling(
        steps=tuple(steps),
        notices=_with_given(rule.notices, events),
        acts=acts,
        events=events,
        after=replace(after, rulebook=book, compiled=compiled_for(book)),
        **head,
    )


def _carry_out(
    table: Table, act: AnyAct | None, facts: Facts
) -> Refusal | tuple[tuple[AnyAct, ...], tuple[Any, ...], Table, Event | None]:
    """The act, and after it what the house must do without a choice: approve, rebuild, or declare void.

    It goes as far as the cards are known: where an unknown one comes next, its event is the last that is given back.
    """
    acts: list[AnyAct] = []
    events: list[Event] = []
    guard = Guard()
    following: AnyAct | None = _under_whom_it_must(table, act) if act is not None else _following(table, facts)
    while following is not None:
        answer = decide(with_unknown_cards(table), following)
        if isinstance(answer, Refusal):
            return answer
        acts.append(following)
        known, table_after = until_unknown(table, answer)
        events.extend(known)
        guard.pass_or_break(table, table_after, known, following)
        table = table_after
        if len(known) < len(answer):
            return tuple(acts), tuple(events), table, answer[len(known)]
        following = _following(table, facts) or _absent_still(table, following)
    return tuple(acts), tuple(events), table, None


def _next_card(event: Event) -> Step:
    """Only the cards dealt so far are known: what comes of the next one is not said."""
    text = "Play continues with the next card, which is not known here: what follows depends on it."
    return Step(text, event.clauses, "next", at_table=True)


def _under_whom_it_must(table: Table, act: AnyAct) -> AnyAct:
    """Anybody may notice an error; where a round is laid again only under somebody, it is under them."""
    if isinstance(act, a.Notice) and isinstance(decide(with_unknown_cards(table), act), Refusal):
        terms = table.rulebook.irregularities
        for role in (terms.misdeal_by.value, terms.misdeal_full_by.value):
            under = replace(act, by=actor(role))
            if not isinstance(decide(with_unknown_cards(table), under), Refusal):
                return under
    return act


def _absent_still(table: Table, act: AnyAct) -> AnyAct | None:
    """Whoever was passed over is not there for the next card either: their hand is drawn as far as it must be."""
    if not isinstance(act, a.PassOver) or table.turn_box != act.box or table.phase not in ("play", "late"):
        return None
    hand = table.hand_to_act()
    drawn = len(hand.cards) > 2 and not hand.asking and not hand.doubled
    return act if drawn and table.boxes[act.box].controller == act.player else None


def _following(table: Table, facts: Facts) -> AnyAct | None:
    if table.approval_due:
        return a.Approve(actor(table.approval_due))
    if table.misdealt:
        terms = table.rulebook.irregularities
        if facts.get("possible", True):
            return a.Reconstruct(actor(waiting_for(table).who[0]))
        return a.VoidRound(actor(terms.void_by.value), "the deal cannot be rebuilt")
    return None


NOT_STEPS = (e.IrregularityReported, e.NoticeGiven, e.StackArranged, e.BettingClosed, e.RoundBegan, e.CardMisplaced)
"""They say what went wrong, or whom to tell, or what nobody sees; all others are steps."""
CARDS = (
    e.CardDealt, e.CardBurned, e.CardsBurnedOpen, e.CardDrawnInError, e.RoundReconstructed,
    e.LayoutLeft, e.HandVoided, e.CardsReplaced, e.CardsReplacedInDevice, e.SourceChanged, e.ShuffleDue,
    e.CuttingCardPlaced, e.CardsCleared, e.JokerShown, e.HandExposed,
)  # fmt: skip
OFFERS = (e.RefundOffered, e.InsuranceOffered, e.SurrenderOffered, e.InsuranceForgotten, e.LateHandCame)


def _laid_as_before(events: tuple[Event, ...]) -> frozenset[int]:
    """Of a round that is laid again: which events, by their place, only bring back what lay there before the error."""
    back = next((at for at, event in enumerate(events) if isinstance(event, e.RoundTakenBack)), None)
    if back is None:
        return frozenset()
    taken = events[back]
    assert isinstance(taken, e.RoundTakenBack)
    alike = len(events) if taken.decision else max(taken.card - 1, 0)
    given_back = {
        (event.player, event.box, event.cents): at
        for at, event in enumerate(events[:back])
        if isinstance(event, e.WagerReturned) and event.reason == "round-reopened"
    }
    same: set[int] = set()
    held = ""
    began = dealt = 0
    for at in range(back + 1, len(events)):
        event = events[at]
        began = began or (at if isinstance(event, e.RoundBegan) else 0)
        if isinstance(event, e.WagerPlaced):
            gone = None if began else given_back.pop((event.player, event.box, event.cents), None)
            same.update(() if gone is None else {at, gone})
        elif isinstance(event, e.CardDealt):
            dealt += 1
            same.update({at} if dealt <= alike and not held else ())
        elif isinstance(event, e.TurnCame):
            same.update({at} if isinstance(next(iter(events[at + 1 :]), None), e.DecisionHeld) else ())
        elif isinstance(event, e.DecisionHeld):
            held = event.decision.what
        elif type(event).__name__ == held and isinstance(events[at - 1], e.DecisionHeld):
            same.add(at)
    return frozenset(same)


def _table_steps(events: tuple[Event, ...], book: Rulebook) -> list[Step]:
    steps: list[Step] = []
    alike = _laid_as_before(events)
    unsaid: tuple[Posting, ...] = ()
    for at, event in enumerate(events):
        if isinstance(event, NOT_STEPS):
            continue
        moved = postings(event)
        if at in alike:
            unsaid += moved
            continue
        moved, unsaid = (*unsaid, *moved), ()
        kind = "cards" if isinstance(event, CARDS) else "choice" if isinstance(event, OFFERS) else "do"
        kind = "money" if postings(event) else kind
        told = sentence(event, book)
        players = (getattr(event, "player", ""), *getattr(event, "players", ()))
        text = (told if told.startswith(tuple(filter(None, players))) else first_up(told)) + "."
        steps.append(Step(text, event.clauses, kind, at_table=True, postings=moved))
    if unsaid:
        steps[-1] = replace(steps[-1], postings=(*steps[-1].postings, *unsaid))
    return steps


def _with_given(notices: list[Notice], events: tuple[Event, ...]) -> tuple[Notice, ...]:
    found = {(notice.to, notice.clauses): notice for notice in notices}
    for event in events:
        if isinstance(event, e.NoticeGiven):
            found.setdefault((event.to, event.clauses), Notice(event.to, event.text, event.clauses))
    return tuple(found.values())


def _next_steps(table: Table) -> list[Step]:
    """What the table now waits for, and what players may choose."""
    book = table.rulebook
    waiting = waiting_for(table)
    names = ", ".join(waiting.who)
    terms = book.irregularities
    steps = []
    if waiting.what == "refund":
        return [Step(f"{names}: take the wagers back, or play on?", refund_clauses(table), "choice", at_table=True)]
    if waiting.what == "short-hand":
        text = f"{names}: draw to the hand on box {waiting.box}, or take the wager back?"
        return [Step(text, terms.short_hand.clauses, "choice", at_table=True)]
    if waiting.what == "decision":
        if table.error_cards and refusal(table, a.RefuseCard(waiting.who[0], waiting.box)) is None:
            text = f"{names} on box {waiting.box} may refuse the card that was drawn in error."
            steps.append(Step(text, terms.drawn_in_error_refused.clauses, "choice", at_table=True))
        options = " or ".join(name.lower() for name in waiting.acts)
        text = f"Play continues: {names} decides on box {waiting.box} ({options})."
        return [*steps, Step(text, table.compiled.turn, "next", at_table=True)]
    clauses, text = _WAITING[waiting.what](table, names)
    return [Step(text, clauses, "next", at_table=True)]


_WAITING: dict[str, Any] = {
    "wagers": lambda table, names: (table.compiled.closed, "Play continues: wagers for the next round are placed."),
    "shuffle": lambda table, names: (
        table.rulebook.shuffle.means.clauses, "Play continues once the dealer has shuffled the cards."
    ),
    "cut": lambda table, names: (
        table.rulebook.shuffle.cut_refused.clauses, f"Play continues after the cut, which is offered to {names}."
    ),
    "cutting-card": lambda table, names: (
        table.rulebook.shuffle.cutting_card_decks_min.clauses, "Play continues once the cutting card is placed."
    ),
    "expose": lambda table, names: (table.rulebook.cards.face_down.clauses, f"{names} turns the cards up."),
    "jackpot": lambda table, names: (table.rulebook.blazing_7s.linked.clauses, "The link says what is paid."),
    "confirmation": lambda table, names: (
        table.rulebook.irregularities.wrong_cards_check.clauses,
        f"Play continues once a casino supervisor confirms: {'; '.join(CHECKS[check] for check in table.checks_due)}.",
    ),
    "insurance": lambda table, names: (
        table.rulebook.insurance.dealer_ranks.clauses, "Play continues: insurance is open."
    ),
    "surrender": lambda table, names: (
        table.rulebook.surrender.dealer_ranks.clauses, "Play continues: players may surrender."
    ),
    "answer": lambda table, names: (table.compiled.turn, f"Play continues: {names} says whether to take part."),
    "forfeit": lambda table, names: (
        table.rulebook.doubling.forfeit.clauses, f"Play continues: {names} forfeits, or keeps the doubled wager."
    ),
}  # fmt: skip
