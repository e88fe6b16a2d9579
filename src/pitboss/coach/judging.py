"""The exact value of every choice, the best of them, and what a mistake cost; round by round and for a session."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pitboss.basics.cards import VALUE
from pitboss.basics.money import dollars
from pitboss.coach.split_hands import split_hand
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.solve import Solver, solver_for
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import super_bonus_cents
from pitboss.records import loads
from pitboss.records.model import Record
from pitboss.records.replay import open_record, replay
from pitboss.rulebooks import load
from pitboss.rulebooks.phrases import first_up
from pitboss.rulebooks.terms import Rulebook
from pitboss.strategy.explain import Choice, explain
from pitboss.table.apply import evolve
from pitboss.table.positions import NOT_INSURED, PLAYED_ON, Position, said_of
from pitboss.table.state import Table

CLOSE = 0.005
"""Two choices that are worth so nearly the same are a close call, in wagers."""
THEN = "the best act then is"
NOTHING = 5e-7
"""What is worth less than this between two choices is no mistake, in wagers."""
BASIS = (
    "Exact values by your cards, the dealer's first card and the rest of a full shoe of {decks} decks, for the rest of "
    "the hand played best; to split a pair by one fixed way to play its hands."
)
BONUS_BASIS = " The Super Bonus counts where the hand can still earn it."


DOING = {
    "hit": "hitting",
    "stand": "standing",
    "double": "doubling",
    "split": "splitting",
    "surrender": "surrendering",
    "insure": "insuring",
    "keep": "playing on",
    "forfeit": "forfeiting",
    NOT_INSURED: "not insuring",
    PLAYED_ON: "playing on",
}
"""What to do is called once it is done."""


class Option(msgspec.Struct, frozen=True):
    """One choice."""

    act: str
    ev: float
    """What it brings on average, in original wagers."""
    why: str


class Advice(msgspec.Struct, frozen=True):
    """One decision, its choices with the best one first, and, where it has been made, what was chosen."""

    box: int
    hand: int
    what: str
    cards: tuple[str, ...]
    dealer: str
    total: str
    best: str
    options: tuple[Option, ...]
    reason: str
    basis: str
    wager_cents: int
    question: str = ""
    """The same hand as `pitboss strategy --explain` takes it; empty where it is about insurance alone."""
    chosen: str = ""
    cost: float = 0.0
    """What the choice brings less than the best one, in original wagers."""
    cost_cents: int = 0
    round: int = 0
    verdict: str = ""
    """What is said of what was chosen, in one sentence."""

    @property
    def right(self) -> bool:
        return self.cost <= NOTHING


class Review(msgspec.Struct, frozen=True):
    """Every decision of one player in some rounds."""

    decisions: tuple[Advice, ...]
    right: int
    accuracy: float
    """The share of decisions that were best."""
    cost_cents: int
    """What the mistakes cost on average, whatever the cards brought."""
    costliest: tuple[int, ...]
    """Places in `decisions`, the costliest mistake first."""
    unvalued: int = 0
    """Decisions without a value, as hands after an error of the dealer."""


class Coach:
    """Values by rulebook, decks and whether a pair may be split again; each is worked out once."""

    def __init__(self) -> None:
        self._solvers: dict[tuple[str, int, bool], list[Solver]] = {}

    def solver(self, book: Rulebook, decks: int, resplit: bool) -> Solver:
        known = self._solvers.setdefault((book.id, decks, resplit), [])
        for solver in known:
            if solver.rulebook is book or solver.rulebook == book:
                return solver
        solver = solver_for(book, Shoe.of_decks(book, decks), resplit=resplit)
        solver.every_split = True
        solver.value()
        known.append(solver)
        return solver

    def advise(self, position: Position, book: Rulebook | None = None) -> Advice:
        """The value of every choice; `MathsError` with a sentence where none can be given."""
        if position.drawn:
            raise MathsError("more of the dealer's cards are seen than in a round without errors.")
        book = book or load(position.rulebook)
        basis = BASIS.format(decks=position.decks)
        solver: Solver
        if position.split:
            solver, more = split_hand(book, position)
            basis = f"{basis} {more}"
        else:
            solver = self.solver(book, position.decks, position.resplit)
        if book.super_bonus.offered.value:
            basis += BONUS_BASIS
        earns = not (position.split and "split" in book.super_bonus.not_on.value)
        solver.bonus = super_bonus_cents(book, position.wager_cents) / position.wager_cents if earns else 0.0
        doubled = position.what == "forfeit"
        hand = f"{' '.join(position.cards)}{' doubled' if doubled else ''} v {position.dealer}"
        hard = sum(VALUE[card] for card in position.cards)
        soft = hard <= 11 and any(VALUE[card] == 1 for card in position.cards)
        total = f"{'soft' if soft else 'hard'} {hard + 10 * soft}"
        question = hand
        if position.what == "insurance" and hard + 10 * soft == 21:  # a natural: nothing else is to be decided
            options, question = _insurance(_natural(solver, position)), ""
        else:
            found = explain(solver, hand)
            if position.what == "insurance":
                if found.insurance is None:
                    raise MathsError("insurance is not open for this hand.")
                options, question = _insurance(found.insurance), ""
            elif position.what == "surrender":
                options = _surrender(found.choices)
            else:
                options = tuple(
                    Option(each.act, each.ev, each.why) for each in found.choices if each.act in position.acts
                )
                if "stand" in position.acts and all(each.act != "stand" for each in options):
                    options += (_stand(solver, position),)
        options = tuple(sorted(options, key=lambda each: -each.ev))
        if not options:
            raise MathsError("there is nothing to decide.")
        return Advice(
            box=position.box,
            hand=position.hand,
            what=position.what,
            cards=position.cards,
            dealer=position.dealer,
            total=total,
            best=options[0].act,
            options=options,
            reason=_why(options),
            basis=basis,
            wager_cents=position.wager_cents,
            question="" if position.split else question,
        )

    def judge(self, position: Position, chosen: str, number: int = 0, book: Rulebook | None = None) -> Advice:
        """The same, with what was chosen and what that cost."""
        advice = self.advise(position, book)
        value = next((each.ev for each in advice.options if each.act == chosen), None)
        if value is None:
            raise MathsError(f"to {chosen} has no value here.")
        cost = max(0.0, advice.options[0].ev - value)
        cost = 0.0 if cost <= NOTHING else cost
        cents = round(cost * position.wager_cents)
        verdict = f"{first_up(advice.best if cost else chosen)} was best"
        if cost:
            verdict += f": {DOING[chosen]} costs {dollars(cents)} on average"
        return msgspec.structs.replace(
            advice, chosen=chosen, cost=cost, cost_cents=cents, round=number, verdict=f"{verdict}."
        )

    def review(self, records: Iterable[tuple[int, str | Record]], player: str) -> Review:
        """Every decision of a player in rounds given by their numbers and records."""
        found: list[Advice] = []
        unvalued = 0
        for number, record in records:
            result = replay(loads(record) if isinstance(record, str) else record)
            table: Table = open_record(result.record)
            for step in result.steps:
                for position, word in said_of(table, step.act) if step.refusal is None else ():
                    if position.player != player:
                        continue
                    try:
                        found.append(self.judge(position, word, number, result.rulebook))
                    except MathsError:
                        unvalued += 1
                table = evolve(table, step.events)
        return summed_up(found, unvalued)


def summed_up(found: list[Advice], unvalued: int = 0) -> Review:
    right = sum(each.right for each in found)
    mistakes = [place for place, each in enumerate(found) if not each.right]
    return Review(
        decisions=tuple(found),
        right=right,
        accuracy=right / len(found) if found else 1.0,
        cost_cents=sum(each.cost_cents for each in found),
        costliest=tuple(sorted(mistakes, key=lambda place: -found[place].cost_cents)),
        unvalued=unvalued,
    )


def _insurance(each_unit: float) -> tuple[Option, ...]:
    """Insurance for half the wager, beside the hand that is played the same either way."""
    half = each_unit / 2
    return (
        Option("insure", half, f"each dollar of insurance brings {each_unit:+.4f} on average"),
        Option(NOT_INSURED, 0.0, "costs nothing"),
    )


def _natural(solver: Solver, position: Position) -> float:
    """What a unit of insurance brings beside a natural: by the tens that are left."""
    left = solver.shoe.counts.copy()
    for card in (*position.cards, position.dealer):
        left[card] -= 1
    tens = sum(count for card, count in left.items() if VALUE[card] == 10)
    share = tens / sum(left.values())
    odds = solver.rulebook.insurance.odds.value
    return share * odds.wins / odds.on - (1.0 - share)


def _surrender(choices: tuple[Choice, ...]) -> tuple[Option, ...]:
    given = next((each for each in choices if each.act == "surrender"), None)
    others = [each for each in choices if each.act != "surrender"]
    if given is None or not others:
        raise MathsError("surrender has no value here.")
    best = others[0]
    return (
        Option("surrender", given.ev, given.why),
        Option(PLAYED_ON, best.ev, f"{THEN} {best.act}: it {best.why}"),
    )


def _stand(solver: Solver, position: Position) -> Option:
    """To stand where the hand may do nothing else, as a split ace with its one card."""
    counts = [0] * 10
    for card in position.cards:
        counts[VALUE[card] - 1] += 1
    hand, hard = solver.hands.places[tuple(counts)], sum(VALUE[card] for card in position.cards)
    total = hard + 10 * (counts[0] > 0 and hard <= 11)
    ends = solver.finals[hand, VALUE[position.dealer] - 1]
    won = float(k.against(ends, total)[0])
    return Option("stand", float(k.stand_value(ends, total, solver.array)), f"wins {won:.1%}")


def _why(options: tuple[Option, ...]) -> str:
    best = options[0]
    if len(options) == 1:
        return f"{first_up(best.act)} is the only choice."
    second = options[1]
    by = best.ev - second.ev
    how = " (a close call)" if by < CLOSE else ""
    then = "" if best.why.startswith(THEN) else "it "
    doing = first_up(DOING[best.act])
    return f"{doing} is worth {by:.4f} of the wager more than {DOING[second.act]}{how}: {then}{best.why}."
