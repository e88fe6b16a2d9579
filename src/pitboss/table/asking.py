"""The fields of forms: what an act asks whoever fills it in."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.table.declaring import Field

player = Field("player", "player", "Player")
"""Somebody at the table."""
anyone = Field("player", "name", "Player")
box = Field("box", "box", "Box")
kind = Field("kind", "kind", "Wager")
side_bet = Field("kind", "side", "Optional wager")
restriction = Field("rule", "restriction", "Restriction")
person = Field("person", "person", "Who")
duty = Field("duty", "duty", "Duty")
boxes = Field("boxes", "boxes", "Boxes")
places = Field("places", "places", "Where the cards went")


def wrong_box(name: str, label: str) -> Field:
    return Field(name, "box", label)


def money(name: str, label: str, *, optional: bool = False) -> Field:
    return Field(name, "money", label, optional=optional)


def count(name: str, label: str, start: int | None = None) -> Field:
    return Field(name, "count", label, start)


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
