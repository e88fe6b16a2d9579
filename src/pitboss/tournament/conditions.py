"""The conditions of a tournament: what they say, which items of the rulebook's list they lack, and a copy on paper.

Conditions are a value. What is not said is None, so that what is missing can be named; nothing is guessed. Amounts are
cents, tournament chips too. `read` takes the tables of a TOML file; whoever has a file reads it elsewhere.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Literal, get_args

import msgspec
from msgspec.structs import replace

from pitboss.papers.tables import ConditionsError as ConditionsError
from pitboss.papers.tables import Missing, Part, convert_part, in_cents, is_said, read_part
from pitboss.rulebooks.meanings import COMMISSION_KEPT, EVERY_ITEM_WANTED
from pitboss.rulebooks.terms import Rulebook

TEXT_MAX = 2000
STAGES_MAX = 12
TABLES_MAX = 200
ENTRANTS_MAX = 2000
PLACES_MAX = 200

StageKind = Literal["heat", "repechage", "semi-final", "final"]
STAGE_KINDS: tuple[str, ...] = get_args(StageKind)


class Entry(Part, frozen=True):
    fee_cents: int | None = None
    """The entry fee; 0 where there is none."""
    commission_cents: int | None = None
    """How much of each fee the house keeps for conducting the tournament, where the rules let it."""
    minimum: int | None = None
    maximum: int | None = None
    each: int = 1
    """How often one person may enter."""
    opens: datetime.datetime | None = None
    closes: datetime.datetime | None = None
    withdraw_until: datetime.datetime | None = None
    """Until then who withdraws has the whole fee back."""
    refund_percent_after: int = 0
    """What part of the fee who withdraws later has back, until entries close."""
    form: str | None = None
    """The application form: where it is had, and what it asks for."""
    eligibility: str | None = None
    """The statement that only who may enter the casino and gamble may enter."""
    may_refuse: bool = False
    """Whether the house keeps the right to refuse anybody; then `refusal` says so."""
    refusal: str | None = None
    selects: bool = False
    """Whether there are general criteria of who may enter; then `criteria` says which."""
    criteria: str | None = None
    groups: str | None = None
    """Restrictions on groups of players."""
    agreement: bool = False
    """Whether players sign that they agree with the conditions before they are accepted."""
    reserves: int = 0
    """How many may wait for a seat that nobody takes."""
    substitutes: bool | None = None
    """Whether substitutes may play; where nothing is said, whoever conducts the tournament decides each time."""


class Chips(Part, frozen=True):
    amount_cents: int | None = None
    """What everybody has at the start of a session."""
    bought: bool | None = None
    """Whether they buy them; otherwise they are allotted."""
    price_cents: int = 0
    """The buy-in: what that allotment costs, where it is bought."""
    cash_value: bool = False
    """Whether the chips are redeemed for cash chips, at the ratio at which they were issued."""
    carried: bool = False
    """Whether players take their chips on to the next session instead of beginning with an equal allotment."""
    denominations_cents: tuple[int, ...] = (500, 2500, 10000, 50000)
    inventory_cents: int = 0
    """What there is of them in all; 0 where nobody has counted."""


class Raise(Part, frozen=True):
    """The limits change: before this round of this stage."""

    stage: str
    round: int
    minimum_cents: int
    maximum_cents: int


class Wagers(Part, frozen=True):
    compulsory: bool | None = None
    """Whether everybody must wager on each round."""
    minimum_cents: int | None = None
    maximum_cents: int | None = None
    raises: tuple[Raise, ...] = ()
    perfect_pairs: str | None = None
    """What holds for Perfect Pairs."""
    side_bets: tuple[str, ...] = ()
    """Optional wagers that are offered at the tables."""
    seconds: int = 0
    """How long somebody has to wager; 0 where no time is set."""


class Conduct(Part, frozen=True):
    seats: Literal["ballot", "manager"] | None = None
    """How tables and seats are allotted."""
    players_at_table: int = 7
    order: bool | None = None
    """Whether players wager in turn, by a marker."""
    deal_from_marker: bool = False
    pass_cards: int | None = None
    """How many pass cards everybody has in a session."""
    undisclosed: int | None = None
    """How many undisclosed wagers everybody may make in a session."""
    notice_minutes: int = 30
    """How long before it a session's new starting time is told."""


class BuyBack(Part, frozen=True):
    offered: bool | None = None
    fee_cents: int | None = None
    times: int = 1
    until: str | None = None
    """The stage before which an eliminated player may buy back; they play in it."""
    method: str | None = None


class Stage(Part, frozen=True):
    """Heats, a repechage, semi-finals or the final: one session at each of its tables."""

    AMOUNTS: ClassVar[frozenset[str]] = frozenset({"limits"})

    name: str
    kind: StageKind
    tables: int | None = None
    rounds: int = 0
    shoes: int = 0
    minutes: int = 0
    """How long a session is: rounds, shoes or minutes, one of them."""
    advance: int | None = None
    """How many of each table go on to the next stage; 0 from the final."""
    to: str = ""
    """Where they go on to; "" for the next stage that is no repechage."""
    start: datetime.datetime | None = None
    limits: tuple[int, int] | None = None


class Added(Part, frozen=True):
    """Value that the house adds to the prizes."""

    what: str
    worth_cents: int
    cash: bool = False
    """Cash goes into the pool; goods and services go to a place."""
    place: int = 1


class Prizes(Part, frozen=True):
    shares: tuple[int, ...] | None = None
    """How the pool is divided, place by place, in any parts: 50, 30, 20."""
    payment: str | None = None
    """How and when prizes are paid."""
    added: tuple[Added, ...] = ()
    guarantee_cents: int = 0
    """What the pool has at least, where the least number of entries was received."""
    reservation: str = ""
    """What else the house undertakes or keeps for itself."""


class Conditions(Part, frozen=True):
    """All that is laid down before entries are taken."""

    title: str
    rulebook: str
    manager: str | None = None
    """Who conducts it: the Tournament Manager, or the Director."""
    conducted: str | None = None
    """The statement that they conduct it by the conditions and the rules of the game, and that the rules prevail."""
    start: datetime.datetime | None = None
    approved: str = ""
    """By whom and when the conditions were approved, where they must be."""
    overrides: dict[str, Any] = msgspec.field(default_factory=dict)
    """What they say in place of the ordinary rules, where approved conditions prevail over them: terms of the rulebook
    by key, each with its value and clause, as an amendment writes them."""
    entry: Entry = Entry()
    chips: Chips = Chips()
    wagers: Wagers = Wagers()
    conduct: Conduct = Conduct()
    buy_back: BuyBack = BuyBack()
    stages: tuple[Stage, ...] = ()
    prizes: Prizes = Prizes()

    def stage(self, name: str) -> Stage | None:
        return next((each for each in self.stages if each.name == name), None)

    def follows(self, stage: Stage) -> Stage | None:
        """Where those go on to who advance from a stage."""
        if stage.to:
            return self.stage(stage.to)
        after = self.stages[self.stages.index(stage) + 1 :]
        return next((each for each in after if each.kind != "repechage"), None)

    def repechage_of(self, stage: Stage) -> Stage | None:
        """Where those play on who did not advance from a stage: the repechage that stands next in the list."""
        after = self.stages[self.stages.index(stage) + 1 :]
        return after[0] if after and after[0].kind == "repechage" else None

    def limits(self, stage: Stage, number: int) -> tuple[int, int]:
        """The minimum and maximum of one round."""
        found = stage.limits or (self.wagers.minimum_cents or 0, self.wagers.maximum_cents or 0)
        for each in self.wagers.raises:
            if each.stage == stage.name and each.round <= number:
                found = (each.minimum_cents, each.maximum_cents)
        return found


# --- what is missing -------------------------------------------------------------------------------------------------


Needed = tuple[str, str, Callable[[Conditions], bool]]


def _said(part: str, name: str) -> Callable[[Conditions], bool]:
    def said(conditions: Conditions) -> bool:
        return is_said(getattr(getattr(conditions, part) if part else conditions, name))

    return said


def _each_stage(test: Callable[[Stage], bool]) -> Callable[[Conditions], bool]:
    return lambda conditions: bool(conditions.stages) and all(test(stage) for stage in conditions.stages)


FEE: Needed = ("entry.fee", "the amount of the entry fee, 0 where there is none", _said("entry", "fee_cents"))
COMMISSION: Needed = (
    "entry.commission",
    "how much of the fee is commission, 0 where there is none",
    _said("entry", "commission_cents"),
)
CHIPS: Needed = ("chips.amount", "how many tournament chips everybody begins with", _said("chips", "amount_cents"))
BOUGHT: Needed = ("chips.bought", "whether the chips are allotted or bought", _said("chips", "bought"))
PRICE: Needed = (
    "chips.price",
    "what the chips cost, where they are bought",
    lambda conditions: not conditions.chips.bought or conditions.chips.price_cents > 0,
)
LEAST: Needed = ("wagers.minimum", "the minimum wager", _said("wagers", "minimum_cents"))
MOST: Needed = ("wagers.maximum", "the maximum wager", _said("wagers", "maximum_cents"))
STAGES: Needed = ("stages", "the stages, at least a final", lambda conditions: bool(conditions.stages))
TABLES: Needed = ("stages.tables", "how many tables each stage has", _each_stage(lambda each: each.tables is not None))
LENGTH: Needed = (
    "stages.rounds",
    "how long a session of each stage is: rounds, shoes or minutes",
    _each_stage(lambda each: bool(each.rounds or each.shoes or each.minutes)),
)
ADVANCE: Needed = (
    "stages.advance",
    "how many of each table advance from each stage",
    _each_stage(lambda each: each.advance is not None),
)
SHARES: Needed = ("prizes.shares", "how the prize pool is divided", _said("prizes", "shares"))
NUMBERS: tuple[Needed, ...] = (
    ("entry.minimum", "the least number of players", _said("entry", "minimum")),
    ("entry.maximum", "the greatest number of players", _said("entry", "maximum")),
)

ITEMS: Mapping[str, tuple[Needed, ...]] = {
    "entry-fee": (FEE,),
    "chips": (CHIPS, BOUGHT, PRICE),
    "compulsory-wager": (
        ("wagers.compulsory", "whether a wager on each round is compulsory", _said("wagers", "compulsory")),
    ),
    "limits": (LEAST, MOST),
    "structure": (STAGES, TABLES, LENGTH, ADVANCE),
    "conduct": (
        ("conduct.seats", "how tables and seats are allotted", _said("conduct", "seats")),
        ("conduct.order", "whether players wager in turn", _said("conduct", "order")),
        ("conduct.pass_cards", "how many pass cards there are, 0 for none", _said("conduct", "pass_cards")),
        ("conduct.undisclosed", "how many undisclosed wagers there are, 0 for none", _said("conduct", "undisclosed")),
    ),
    "buy-back": (
        ("buy_back.offered", "whether who is eliminated may buy back", _said("buy_back", "offered")),
        (
            "buy_back.method",
            "how, for how much and until when somebody buys back",
            lambda conditions: not conditions.buy_back.offered or _buy_back_said(conditions.buy_back),
        ),
    ),
    "eligibility": (("entry.eligibility", "the statement of who is entitled to enter", _said("entry", "eligibility")),),
    "right-to-refuse": (
        (
            "entry.refusal",
            "the statement that any application may be refused",
            lambda conditions: not conditions.entry.may_refuse or _said("entry", "refusal")(conditions),
        ),
    ),
    "criteria": (
        (
            "entry.criteria",
            "the criteria by which players are selected",
            lambda conditions: not conditions.entry.selects or _said("entry", "criteria")(conditions),
        ),
    ),
    "entry-terms": (
        ("entry.withdraw_until", "until when a player withdraws without penalty", _said("entry", "withdraw_until")),
        ("entry.form", "the application form", _said("entry", "form")),
        *NUMBERS,
    ),
    "prizes": (SHARES, ("prizes.payment", "how prizes are paid", _said("prizes", "payment"))),
    "conducted-by": (
        ("manager", "who conducts the tournament", _said("", "manager")),
        ("conducted", "the statement by which rules it is conducted, and that they prevail", _said("", "conducted")),
    ),
    "start": (("start", "the starting date and time", _said("", "start")),),
    "numbers": NUMBERS,
    "groups": (("entry.groups", "restrictions on groups of players", _said("entry", "groups")),),
    "perfect-pairs": (("wagers.perfect_pairs", "what holds for Perfect Pairs", _said("wagers", "perfect_pairs")),),
}
"""What each item of a rulebook's list asks of the conditions: the key, in words, and whether it is there."""

TO_PLAY: tuple[Needed, ...] = (FEE, CHIPS, LEAST, MOST, STAGES, TABLES, LENGTH, ADVANCE, *NUMBERS, SHARES)
"""Without these no tournament can be conducted, whatever a list wants."""


def _buy_back_said(terms: BuyBack) -> bool:
    return terms.fee_cents is not None and bool(terms.until) and bool((terms.method or "").strip())


def left_open(rulebook: Rulebook, conditions: Conditions) -> tuple[Missing, ...]:
    """What the conditions lack of the rulebook's list, in its order."""
    found: list[Missing] = []
    terms = rulebook.tournament
    for item, clause in terms.items.value.items():
        wanted = ITEMS[item]
        if item == "entry-fee" and COMMISSION_KEPT[terms.fees.value]:
            wanted = (*wanted, COMMISSION)
        found += [Missing(item, clause, key, what) for key, what, said in wanted if not said(conditions)]
    return tuple(found)


def missing(rulebook: Rulebook, conditions: Conditions) -> tuple[Missing, ...]:
    """What must be there before entries are taken, and is not."""
    terms = rulebook.tournament
    found = left_open(rulebook, conditions)
    if EVERY_ITEM_WANTED[terms.items_wanted.value]:
        return found
    clause = terms.steps.value["publish"]
    needed = {key: what for key, what, said in TO_PLAY if not said(conditions)}
    by_list = {each.key: each for each in found}
    return tuple(by_list.get(key) or Missing("conditions", clause, key, what) for key, what in needed.items())


# --- reading ---------------------------------------------------------------------------------------------------------


def read(data: Mapping[str, Any], rulebook_ids: tuple[str, ...]) -> Conditions:
    """Conditions from the tables of a TOML file, amounts in dollars; `ConditionsError` names the key that is wrong."""
    conditions = read_part(data, Conditions, rulebook_ids, "tournament")
    return _right(conditions)


def _right(conditions: Conditions) -> Conditions:
    wrong = next(_wrong(conditions), None)
    if wrong is not None:
        raise ConditionsError(wrong)
    return conditions


def altered(conditions: Conditions, said: Mapping[str, Any]) -> Conditions:
    """The conditions with what is said in place of what they had, as a file says it; a stage is found by its name."""
    old, new = msgspec.to_builtins(conditions, builtin_types=(datetime.datetime,)), in_cents(said, Conditions, "")
    for key, value in new.items():
        if key == "stages" and isinstance(value, list):
            known = {stage["name"]: stage for stage in old.get("stages", [])}
            for stage in value:
                if stage.get("name") not in known:
                    raise ConditionsError(f"stages: name one of {', '.join(known)}, not {stage.get('name')!r}")
                known[stage["name"]] |= stage
        elif isinstance(value, dict) and key != "overrides":
            old[key] = {**old.get(key, {}), **value}
        else:
            old[key] = value
    return _right(convert_part(old, Conditions))


def moved(conditions: Conditions, stage: str, start: datetime.datetime) -> Conditions:
    """The conditions with another starting time of a stage."""
    stages = tuple(replace(each, start=start) if each.name == stage else each for each in conditions.stages)
    return replace(conditions, stages=stages)


def alterations(old: Conditions, new: Conditions) -> dict[str, Any]:
    """What may change once conditions are published, as `altered` reads it: when it starts, and when its stages do."""
    found: dict[str, Any] = {"start": new.start} if old.start != new.start else {}
    moved = [one for one, two in zip(new.stages, old.stages, strict=True) if one.start != two.start]
    if moved:
        found["stages"] = [{"name": each.name, "start": each.start} for each in moved]
    return found


def _wrong(c: Conditions) -> Iterator[str]:
    """What contradicts itself, or cannot be."""
    names = [stage.name for stage in c.stages]
    if len(names) > STAGES_MAX:
        yield f"stages: there are {len(names)}, and {STAGES_MAX} at most"
    for stage in c.stages:
        place = f"stages.{stage.name or '?'}"
        if not stage.name.strip() or names.count(stage.name) > 1:
            yield f"{place}: every stage has a name of its own"
        if sum(bool(each) for each in (stage.rounds, stage.shoes, stage.minutes)) > 1:
            yield f"{place}: a session is measured in rounds, in shoes or in minutes; keep one"
        for what, number, most in (
            ("tables", stage.tables, TABLES_MAX),
            ("rounds", stage.rounds, 10_000),
            ("shoes", stage.shoes, 1000),
            ("minutes", stage.minutes, 10_000),
            ("advance", stage.advance, 7),
        ):
            if number is not None and not 0 <= number <= most:
                yield f"{place}.{what}: from 0 to {most}, not {number}"
        if stage.tables == 0:
            yield f"{place}.tables: a stage has at least one table"
        if stage.to and c.stage(stage.to) is None:
            yield f"{place}.to: there is no stage {stage.to!r}"
        elif stage.to and names.index(stage.to) <= names.index(stage.name):
            yield f"{place}.to: {stage.to} comes before it"
        if stage.kind != "final" and stage.advance == 0:
            yield f"{place}.advance: somebody goes on from every stage but the final"
    if c.stages and (c.stages[-1].kind != "final" or [each.kind for each in c.stages].count("final") > 1):
        yield "stages: the last stage is the final, and there is one"
    if c.stages and (
        c.stages[0].kind == "repechage"
        or any(one.kind == two.kind == "repechage" for one, two in zip(c.stages, c.stages[1:], strict=False))
    ):
        yield "stages: a repechage comes after the stage whose losers play in it"
    final = c.stages[-1] if c.stages else None
    if final is not None and final.tables not in (None, 1):
        yield f"stages.{final.name}.tables: the final is played at one table"
    yield from _wrong_numbers(c)


def _wrong_numbers(c: Conditions) -> Iterator[str]:
    entry, wagers = c.entry, c.wagers
    if entry.minimum is not None and not 2 <= entry.minimum <= ENTRANTS_MAX:
        yield f"entry.minimum: from 2 to {ENTRANTS_MAX} players, not {entry.minimum}"
    if entry.minimum is not None and entry.maximum is not None and not entry.minimum <= entry.maximum <= ENTRANTS_MAX:
        yield f"entry.maximum: from entry.minimum to {ENTRANTS_MAX}, not {entry.maximum}"
    if not 0 <= entry.refund_percent_after <= 100:
        yield "entry.refund_percent_after: from 0 to 100"
    if not 1 <= entry.each <= 100 or not 0 <= entry.reserves <= ENTRANTS_MAX:
        yield "entry: each is from 1 to 100, and reserves from 0"
    if wagers.minimum_cents is not None and wagers.maximum_cents is not None:
        if not 0 < wagers.minimum_cents <= wagers.maximum_cents:
            yield "wagers: the minimum is above zero and not above the maximum"
        if c.chips.amount_cents is not None and c.chips.amount_cents < wagers.minimum_cents:
            yield "chips.amount: nobody could wager the minimum with so few chips"
    for each in wagers.raises:
        if c.stage(each.stage) is None or each.round < 1 or not 0 < each.minimum_cents <= each.maximum_cents:
            yield f"wagers.raises: {each.stage} round {each.round}: name a stage, a round, a minimum and a maximum"
    if not c.chips.denominations_cents or min(c.chips.denominations_cents) <= 0:
        yield "chips.denominations: name at least one chip"
    if c.prizes.shares is not None and (not c.prizes.shares or min(c.prizes.shares) <= 0):
        yield "prizes.shares: a part above zero for each place, as in [50, 30, 20]"
    if c.prizes.shares is not None and len(c.prizes.shares) > PLACES_MAX:
        yield f"prizes.shares: at most {PLACES_MAX} places"
    if not 1 <= c.conduct.players_at_table <= 7:
        yield "conduct.players_at_table: from 1 to 7"
    if c.buy_back.until and c.stage(c.buy_back.until) is None:
        yield f"buy_back.until: there is no stage {c.buy_back.until!r}"
    for added in c.prizes.added:
        if added.place < 1 or not added.what.strip():
            yield "prizes.added: say what it is, and for which place"
