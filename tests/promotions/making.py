"""Promotions for tests: terms from the template, and a promotion that is run act by act."""

from __future__ import annotations

import datetime
import tomllib
from typing import Any

import msgspec

from pitboss.chance import shuffled
from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.acts import MANAGER, PLAYER, AnyPromotionAct, PromotionAct
from pitboss.promotions.conditions import Conditions, read
from pitboss.promotions.drawing import digest_of
from pitboss.promotions.engine import decide, evolve
from pitboss.promotions.events import AnyPromotionEvent, PromotionEvent
from pitboss.promotions.paper import template
from pitboss.promotions.records import whole
from pitboss.promotions.state import Promotion, due
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table.refusals import Refusal

NSW, CHALLENGE = "nsw-pontoon", "nsw-blackjack-challenge"
BOTH = (NSW, CHALLENGE)
WITHOUT = ("adelaide-pontoon-2008", "canberra-pontoon-2005", "canberra-pontoon-2002")

SECRET = "open sesame"
PRIZES: dict[str, dict[str, Any]] = {
    "machinery": {"make": "Frost", "model": "F2", "accessories": "none"},
    "vehicle": {"make": "Kestrel", "model": "Hatch", "accessories": "mats", "on_road_costs": "included"},
    "travel": {
        "persons": 2,
        "restrictions": "not in school holidays",
        "spending_money": "none",
        "included": {
            "airfares": "economy", "transfers": "by coach", "other_transport": "none", "duration": "5 nights",
            "accommodation": "four stars", "meals": "breakfast",
        },
    },
    "real-estate": {
        "dwelling": "apartment", "plans": "at the desk", "contract": "at the desk", "easements": "none",
        "address": "1 High Street",
        "included": {"conveyancing": "yes", "legal_costs": "yes", "fixtures": "yes", "furniture": "no"},
    },
}  # fmt: skip
"""What more the terms of such a prize say."""


def clause(rulebook: str, below: str) -> str:
    """``7.1`` is 21.7.1 in one document and 22.7.1 in the other."""
    return {NSW: "21.", CHALLENGE: "22."}[rulebook] + below


def filled_in(rulebook: str) -> dict[str, Any]:
    return tomllib.loads(template(load(rulebook)))


def prize(kind: str, /, **more: Any) -> dict[str, Any]:
    said = {"name": kind, "kind": kind, "value": 500, "nature": "a prize", "details": "a prize", **PRIZES.get(kind, {})}
    return {**said, **more}


def data_of(rulebook: str, /, **changes: Any) -> dict[str, Any]:
    """Tables that may be offered; `changes` are dotted keys with __ for the dot: ``entry__each=2``."""
    data = filled_in(rulebook)
    for dotted, value in changes.items():
        *tables, key = dotted.split("__")
        place = data
        for table in tables:
            place = place.setdefault(table, {})
        place[key] = value
    return data


def terms_of(rulebook: str, /, **changes: Any) -> Conditions:
    return read(data_of(rulebook, **changes), RULEBOOKS)


def at(text: str) -> datetime.datetime:
    """A moment of 2027 by the house's clocks: ``03-02 12:00``."""
    return datetime.datetime.fromisoformat(f"2027-{text}:00".replace(" ", "T"))


def utc(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)


class Running:
    """A promotion being run: every act is kept."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self.rulebook = load(conditions.rulebook)
        self.state = Promotion()
        self.acts: list[PromotionAct] = []
        self.events: list[PromotionEvent] = []
        self.ends: list[int] = []
        """How many events there were after each act."""

    def tries(self, act: PromotionAct) -> tuple[PromotionEvent, ...] | Refusal:
        act = whole(self.state, act, shuffled)
        decided = decide(self.rulebook, self.state, act)
        if not isinstance(decided, Refusal):
            self.acts.append(act)
            self.state = evolve(self.state, decided)
            self.events += decided
            self.ends.append(len(self.events))
        return decided

    def does(self, act: PromotionAct) -> tuple[PromotionEvent, ...]:
        decided = self.tries(act)
        assert not isinstance(decided, Refusal), f"{act}: {decided}"
        return decided

    def refused(self, act: PromotionAct, below: str = "") -> Refusal:
        before = self.state
        decided = self.tries(act)
        assert isinstance(decided, Refusal), f"{act} was allowed: {decided}"
        assert self.state is before
        if below:
            assert clause(self.conditions.rulebook, below) in decided.clauses, decided
        return decided

    def told(self, kind: type[PromotionEvent]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def due(self) -> dict[str, Any]:
        return {each.key: each for each in due(self.state)}

    # --- the usual steps

    def offer(self, when: str = "02-20 09:00") -> Running:
        self.does(pa.OfferPromotion(MANAGER, at(when), self.conditions))
        return self

    def begin(self) -> Running:
        """Filed, published and begun as the template has it."""
        self.offer()
        self.does(pa.FileTerms(MANAGER, at("02-25 10:00"), "NICC-77"))
        self.does(pa.PublishTerms(MANAGER, at("02-25 11:00"), "customer service desk"))
        self.does(pa.BeginPromotion(MANAGER, at("03-01 10:00")))
        return self

    def enter(self, *names: str, when: str = "03-02 12:00", entries: int = 1) -> Running:
        for name in names:
            self.does(pa.Enter(PLAYER, at(when), name, entries, 5000 * entries))
        return self

    def commit(self, draw: str = "final", when: str = "03-03 12:00") -> Running:
        self.does(pa.CommitDraw(MANAGER, at(when), draw, digest_of(SECRET)))
        return self

    def draw(self, draw: str = "final", when: str = "04-10 20:00", **more: Any) -> Running:
        if self.conditions.largest(draw) > 1_000_000:
            if not self.state.scrutineer:
                self.does(pa.NominateScrutineer(MANAGER, self.state.last or at(when), "Ms Lee"))
            more.setdefault("scrutineer", self.state.scrutineer)
        self.does(pa.DrawWinners(MANAGER, at(when), draw, SECRET, **more))
        return self

    def drawn(self) -> Running:
        """Begun, entered by three, and drawn."""
        return self.begin().enter("alice", "bob", "carol", "dora").commit().draw()

    def winner(self, prize_name: str = "car") -> str:
        return self.state.wins[prize_name].name


def replayed(running: Running) -> None:
    """The acts decided again make the same events, byte for byte; the events alone make the same promotion."""
    state = Promotion()
    written: list[bytes] = []
    for act in running.acts:
        again = msgspec.json.decode(msgspec.json.encode(act), type=AnyPromotionAct)
        decided = decide(running.rulebook, state, again)
        assert not isinstance(decided, Refusal)
        state = evolve(state, decided)
        written += [msgspec.json.encode(event) for event in decided]
    assert written == [msgspec.json.encode(event) for event in running.events]
    assert state == running.state
    read_again = [msgspec.json.decode(line, type=AnyPromotionEvent) for line in written]
    assert evolve(Promotion(), read_again) == running.state
    assert all(event.clauses for event in read_again)
    assert not any(isinstance(event, pe.DutyMet) and event.key not in state.duties for event in read_again)
