"""Tournaments for tests: conditions from the templates, made small."""

from __future__ import annotations

import tomllib
from typing import Any

from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.terms import Rulebook
from pitboss.tournament.conditions import Conditions, read
from pitboss.tournament.paper import template

NSW, CANBERRA, CHALLENGE = "nsw-pontoon", "canberra-pontoon-2005", "nsw-blackjack-challenge"
WITH_TOURNAMENTS = (NSW, CANBERRA, CHALLENGE)
LIKE_NSW = (NSW, CHALLENGE)


def filled_in(rulebook: str) -> dict[str, Any]:
    """The tables of a template that somebody has filled in."""
    data = tomllib.loads(template(load(rulebook)))
    data["manager"] = "mary"
    if "approved" in data:
        data["approved"] = "the Commission, 1 March 2027"
    return data


def conditions_of(rulebook: str, /, **changes: Any) -> Conditions:
    """Conditions that may be opened; `changes` are dotted keys with __ for the dot: ``entry__fee=20``."""
    data = filled_in(rulebook)
    for dotted, value in changes.items():
        *tables, key = dotted.split("__")
        place = data
        for table in tables:
            place = place.setdefault(table, {})
        place[key] = value
    return read(data, RULEBOOKS)


def without(data: dict[str, Any], dotted: str) -> dict[str, Any]:
    """The same tables without one key; of stages, each without it."""
    table, _, key = dotted.rpartition(".")
    if table == "stages":
        return {**data, "stages": [{name: each[name] for name in each if name != key} for each in data["stages"]]}
    if not table:
        return {name: value for name, value in data.items() if name != key}
    return {**data, table: {name: value for name, value in data[table].items() if name != key}}


def book(rulebook: str) -> Rulebook:
    return load(rulebook)
