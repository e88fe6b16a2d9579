"""The fields of forms: what an act asks whoever fills it in."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.table.declaring import Field

player = Field("player", "player", "Player")
"""Somebody at the table."""
complainant = Field("player", "player", "Player", "disputing")
"""Somebody at the table: first whoever disputes something."""
anyone = Field("player", "name", "Player")
box = Field("box", "box", "Box")
kind = Field("kind", "kind", "Wager")
side_bet = Field("kind", "side", "Optional wager")
restriction = Field("rule", "restriction", "Restriction")
person = Field("person", "person", "Who")
duty = Field("duty", "duty", "Duty")
boxes = Field("boxes", "boxes", "Boxes")
places = Field("places", "places", "Where the cards went")
reason = Field("reason", "text", "Reason (may stay empty)", optional=True)


places_if_any = Field("places", "places", "Where the cards of the initial deal went", optional=True)


def text_if_any(name: str, label: str) -> Field:
    return Field(name, "text", label, optional=True)


def wrong_box(name: str, label: str) -> Field:
    return Field(name, "box", label)


def money(name: str, label: str, *, optional: bool = False) -> Field:
    return Field(name, "money", label, optional=optional)


def count(name: str, label: str, start: int | None = None) -> Field:
    return Field(name, "count", label, start)


def card_of_round(name: str, label: str) -> Field:
    """Which card of the round, picked from those that have left; 0 for none."""
    return Field(name, "card-of-round", label, 0)


def decision_of_round(name: str, label: str) -> Field:
    """Which decision of the round, picked from those that were made; 0 for none."""
    return Field(name, "decision-of-round", label, 0)


def yes(name: str, label: str, *told: str) -> Field:
    """Something that is so or not; `told` as in `Field`."""
    return Field(name, "yes", label, told=told)


def text(name: str, label: str) -> Field:
    return Field(name, "text", label)


def one_of(name: str, label: str, *options: str) -> Field:
    return Field(name, "choice", label, options=options)


def said(name: str, label: str, words: Mapping[str, str]) -> Field:
    """A choice whose options are said in other words than they are written."""
    return Field(name, "choice", label, options=tuple(words), words=words)


def cards(name: str, label: str) -> Field:
    return Field(name, "cards", label)


def people(name: str, label: str) -> Field:
    return Field(name, "players", label)
