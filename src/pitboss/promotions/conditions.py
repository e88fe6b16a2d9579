"""The terms and conditions of a promotion: what they say, and which items of the rulebook's list they lack.

They are a value. What is not said is None, so that what is missing can be named; nothing is guessed. Amounts are cents,
and times are those of the house's clocks. `read` takes the tables of a TOML file; files are read elsewhere.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec

from pitboss.basics.money import MoneyError, parse_cents
from pitboss.papers.tables import ConditionsError, Missing, Part, is_said, read_part
from pitboss.rulebooks.terms import Rulebook

DRAWS_MAX = 400
PRIZES_MAX = 2000
LITRE = 100

PrizeKind = Literal[
    "goods", "services", "machinery", "vehicle", "travel", "real-estate", "liquor", "casino-dollars",
    "promotional-tokens", "money", "cash", "tobacco", "firearm", "weapon", "prescribed",
]  # fmt: skip
PRIZE_KINDS: tuple[str, ...] = get_args(PrizeKind)
MONETARY = ("money", "cash")
"""Prizes that are money, for which there is no value to be had instead."""
NEVER_INCLUDED = ("tobacco", "firearm", "weapon", "prescribed", "cash")
"""What terms may say is in a prize, to be refused with its clause."""
INCLUDED = {
    "travel": ("airfares", "transfers", "other_transport", "duration", "accommodation", "meals"),
    "real-estate": ("conveyancing", "legal_costs", "fixtures", "furniture"),
}
"""What the terms of such a prize say is included or not, one by one."""


class Period(Part, frozen=True):
    """When and where the promotion runs."""

    begins: datetime.datetime | None = None
    ends: datetime.datetime | None = None
    place: str | None = None


class Entry(Part, frozen=True):
    eligibility: str | None = None
    """Who may win: characteristics, criteria and requirements."""
    wager_required: bool = False
    """Whether a wager is compulsory, or a minimum must be wagered; then `minimum_wager` says how much."""
    minimum_wager_cents: int | None = None
    """What a player must have wagered for each entry."""
    each: int = 0
    """How many entries one person may have; 0 for any number."""


class Award(Part, frozen=True):
    manner: str | None = None
    """How prizes are awarded."""
    disbursement: str | None = None
    """How they are handed over or paid; never in cash."""


class Claim(Part, frozen=True):
    method: str | None = None
    present: bool | None = None
    """Whether entrants must be there at the draw to win."""


class Winners(Part, frozen=True):
    notified: str | None = None
    """How winners are notified, in words."""
    told_by: tuple[str, ...] = ()
    """By which methods those who need not be there are told."""
    results: str | None = None
    """How the results are published."""


class Draw(Part, frozen=True):
    name: str
    at: datetime.datetime | None = None
    place: str | None = None
    closes: datetime.datetime | None = None
    """Until when entries for it are received."""


class Prize(Part, frozen=True):
    name: str
    kind: PrizeKind
    draw: str = ""
    """In which draw it is won; "" where there is one."""
    count: int = 1
    value_cents: int | None = None
    """The value of one."""
    nature: str | None = None
    reservation: str = ""
    """Any qualification, reservation or guarantee."""
    details: str | None = None
    conditions: str = ""
    """Any conditions of receiving, using or accepting it."""
    includes: tuple[str, ...] = ()
    """What is in it beside what it is: tobacco, firearm, weapon, prescribed, cash."""
    liquor_centilitres: int = 0
    alternative: bool = False
    """Whether the winner may have its value instead."""
    make: str | None = None
    model: str | None = None
    accessories: str | None = None
    on_road_costs: str | None = None
    persons: int | None = None
    included: dict[str, str] = msgspec.field(default_factory=dict)
    restrictions: str | None = None
    spending_money: str | None = None
    dwelling: str | None = None
    plans: str | None = None
    contract: str | None = None
    easements: str | None = None
    address: str | None = None

    def singles(self) -> tuple[str, ...]:
        """Each single prize by its name: ``car``, or ``hamper-1`` to ``hamper-3``."""
        return (self.name,) if self.count == 1 else tuple(f"{self.name}-{each + 1}" for each in range(self.count))


class Conditions(Part, frozen=True):
    """All that the terms say."""

    title: str
    rulebook: str
    available: tuple[str, ...] = ()
    """Where the terms are at hand: in the casino, on a website, by e-mail, by mail, in brochures."""
    scrutineer: str = ""
    """Who oversees the draws, where somebody must and is already nominated."""
    promotion: Period = Period()
    entry: Entry = Entry()
    award: Award = Award()
    claim: Claim = Claim()
    winners: Winners = Winners()
    draws: tuple[Draw, ...] = ()
    prizes: tuple[Prize, ...] = ()

    def draw(self, name: str) -> Draw | None:
        return next((each for each in self.draws if each.name == name), None)

    def prizes_of(self, draw: str) -> tuple[Prize, ...]:
        """What is won in a draw, in the order of the terms."""
        return tuple(each for each in self.prizes if each.draw == draw or (not each.draw and len(self.draws) == 1))

    def prize(self, key: str) -> Prize | None:
        """By its name, or by the name of one of several that are alike."""
        return next((each for each in self.prizes if key == each.name or key in each.singles()), None)

    def largest(self, draw: str) -> int:
        """The value of the most valuable single prize of a draw."""
        return max((each.value_cents or 0 for each in self.prizes_of(draw)), default=0)


# --- what is missing -------------------------------------------------------------------------------------------------


Lack = tuple[str, str, str]
"""The item, the key and in words."""

WORDS = {
    "make": "its make",
    "model": "its model",
    "accessories": "its accessories",
    "on-road-costs": "whether registration and other on-road costs are included",
    "persons": "how many persons may travel",
    "restrictions": "when the travel must be taken",
    "spending-money": "whether spending money is included",
    "dwelling": "the type of dwelling",
    "plans": "its plans",
    "contract": "the details of the contract",
    "easements": "the details of easements",
    "address": "its address or other location",
}


def missing(rulebook: Rulebook, conditions: Conditions) -> tuple[Missing, ...]:
    """What the terms lack of what the rulebook wants in them, in the order of its list."""
    terms = rulebook.promotions
    clauses = {**terms.items.value, **terms.prize_items.value, **terms.prize_kinds.value}
    at_hand = terms.published.value.get("terms")
    if at_hand is not None:
        clauses["available"] = at_hand
    order = list(clauses)
    found = [Missing(item, clauses[item], key, what) for item, key, what in _lacks(conditions) if item in clauses]
    return tuple(sorted(found, key=lambda each: order.index(each.item)))


def _lacks(c: Conditions) -> Iterator[Lack]:
    for item, key, value, what in (
        ("manner", "award.manner", c.award.manner, "how a prize is awarded"),
        ("disbursement", "award.disbursement", c.award.disbursement, "how prizes are handed over or paid"),
        ("eligibility", "entry.eligibility", c.entry.eligibility, "who is eligible"),
        ("promotion", "promotion.begins", c.promotion.begins, "when the promotion begins"),
        ("promotion", "promotion.ends", c.promotion.ends, "when the promotion ends"),
        ("promotion", "promotion.place", c.promotion.place, "where the promotion is held"),
        ("claim", "claim.method", c.claim.method, "how a prize is claimed"),
        ("claim", "claim.present", c.claim.present, "whether entrants must be there at the draw"),
        ("results", "winners.results", c.winners.results, "how the results are published"),
    ):
        if not is_said(value):
            yield item, key, what
    if c.entry.wager_required and c.entry.minimum_wager_cents is None:
        yield "wager", "entry.minimum_wager", "the minimum or compulsory wager"
    if not is_said(c.winners.notified) and not c.winners.told_by:
        yield "notification", "winners.notified", "how winners are notified"
    if c.claim.present is False and not c.winners.told_by:
        yield "notification", "winners.told_by", "by which methods winners are told who need not be there"
    if not any(is_said(each) for each in c.available):
        yield "available", "available", "where the terms are at hand"
    if not c.draws:
        yield "award", "draws", "when and where prizes are awarded"
    for draw in c.draws:
        for item, name, value, what in (
            ("award", "at", draw.at, "when it is held"),
            ("award", "place", draw.place, "where it is held"),
            ("closing", "closes", draw.closes, "until when entries are received"),
        ):
            if not is_said(value):
                yield item, f"draws.{draw.name}.{name}", f"draw {draw.name}: {what}"
    if not c.prizes:
        yield "details", "prizes", "the prizes and their value"
    for prize in c.prizes:
        yield from _lacks_of(prize)


def _lacks_of(prize: Prize) -> Iterator[Lack]:
    place = f"prizes.{prize.name}"
    for item, name, value, what in (
        ("nature", "nature", prize.nature, "the nature of the prize"),
        ("details", "value", prize.value_cents, "the value of the prize"),
        ("details", "details", prize.details, "the details of the prize"),
    ):
        if not is_said(value):
            yield item, f"{place}.{name}", f"{prize.name}: {what}"
    wanted = {
        "machinery": ("make", "model", "accessories"),
        "vehicle": ("make", "model", "accessories", "on-road-costs"),
        "travel": ("persons", "restrictions", "spending-money"),
        "real-estate": ("dwelling", "plans", "contract", "easements", "address"),
    }.get(prize.kind, ())
    for name in wanted:
        field = name.replace("-", "_")
        if not is_said(getattr(prize, field)):
            yield f"{prize.kind}.{name}", f"{place}.{field}", f"{prize.name}: {WORDS[name]}"
    for name in INCLUDED.get(prize.kind, ()):
        if not is_said(prize.included.get(name)):
            what = f"{prize.name}: what is included of {name.replace('_', ' ')}"
            yield f"{prize.kind}.included", f"{place}.included.{name}", what


# --- reading ---------------------------------------------------------------------------------------------------------


def read(data: Mapping[str, Any], rulebook_ids: tuple[str, ...]) -> Conditions:
    """Terms from the tables of a TOML file; what cannot be is said in one sentence."""
    prizes = data.get("prizes", [])
    if isinstance(prizes, list):
        data = {**data, "prizes": [_litres(each) for each in prizes]}
    conditions = read_part(data, Conditions, rulebook_ids, "promotion")
    wrong = next(_wrong(conditions), None)
    if wrong is not None:
        raise ConditionsError(wrong)
    return conditions


def _litres(prize: Any) -> Any:
    """``liquor_litres = 4.5`` in hundredths of a litre, whole ones."""
    if not isinstance(prize, Mapping) or "liquor_litres" not in prize:
        return prize
    said = prize["liquor_litres"]
    try:
        if isinstance(said, bool):
            raise MoneyError("no number")
        amount = parse_cents(str(said))
    except MoneyError:
        text = f"{said!r} is no number of litres; write them with at most two decimals, as in 4.5"
        raise ConditionsError(f"prizes.liquor_litres: {text}") from None
    kept = {key: value for key, value in prize.items() if key != "liquor_litres"}
    return {**kept, "liquor_centilitres": amount}


def _wrong(c: Conditions) -> Iterator[str]:
    """What contradicts itself, or cannot be."""
    draws = [each.name for each in c.draws]
    if len(draws) > DRAWS_MAX or len(c.prizes) > PRIZES_MAX:
        yield f"draws: at most {DRAWS_MAX}, and at most {PRIZES_MAX} prizes"
    for draw in c.draws:
        if not draw.name.strip() or draws.count(draw.name) > 1 or draw.name == "promotion":
            yield f"draws.{draw.name or '?'}: every draw has a name of its own"
        if draw.closes is not None and draw.at is not None and draw.closes > draw.at:
            yield f"draws.{draw.name}.closes: entries close before the draw is held"
        for key, moment in (("at", draw.at), ("closes", draw.closes)):
            begins = c.promotion.begins
            if moment is not None and begins is not None and moment < begins:
                yield f"draws.{draw.name}.{key}: that is before the promotion begins"
    begins, ends = c.promotion.begins, c.promotion.ends
    if begins is not None and ends is not None and ends < begins:
        yield "promotion.ends: that is before it begins"
    for name, moment in (
        ("promotion.begins", begins),
        ("promotion.ends", ends),
        *((f"draws.{each.name}.at", each.at) for each in c.draws),
        *((f"draws.{each.name}.closes", each.closes) for each in c.draws),
    ):
        if moment is not None and moment.tzinfo is not None:
            yield f"{name}: write the time that the house's clocks show, without an offset"
    if c.entry.each < 0:
        yield "entry.each: from 0, for any number"
    yield from _wrong_prizes(c)


def _wrong_prizes(c: Conditions) -> Iterator[str]:
    keys: list[str] = []
    for prize in c.prizes:
        place = f"prizes.{prize.name or '?'}"
        if not 1 <= prize.count <= PRIZES_MAX:
            yield f"{place}.count: from 1 to {PRIZES_MAX}"
            return
        if not prize.name.strip() or not prize.name.isprintable() or set(prize.singles()) & set(keys):
            yield f"{place}: every prize has a name of its own"
        keys += prize.singles()
        if prize.draw and c.draw(prize.draw) is None:
            yield f"{place}.draw: there is no draw {prize.draw!r}"
        if not prize.draw and len(c.draws) > 1:
            yield f"{place}.draw: say in which of the draws it is won"
        if prize.value_cents == 0:
            yield f"{place}.value: a prize is worth something"
        if prize.persons is not None and prize.persons < 1:
            yield f"{place}.persons: at least one"
        if prize.kind == "liquor" and not prize.liquor_centilitres:
            yield f"{place}.liquor_litres: say how many litres it is"
        for each in prize.includes:
            if each not in NEVER_INCLUDED:
                yield f"{place}.includes: {each!r}; known: {', '.join(NEVER_INCLUDED)}"
        for each in prize.included:
            if each not in INCLUDED.get(prize.kind, ()):
                known = ", ".join(INCLUDED.get(prize.kind, ())) or "none"
                yield f"{place}.included.{each}: there is no such key; known: {known}"
    if len(keys) > PRIZES_MAX:
        yield f"prizes: at most {PRIZES_MAX}"
