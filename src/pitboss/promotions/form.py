"""The terms as a form: every item that a rulebook wants, with its clause, and what each kind of prize wants besides."""

from __future__ import annotations

import msgspec

from pitboss.promotions.conditions import INCLUDED, NEVER_INCLUDED, PRIZE_KINDS, WORDS
from pitboss.rulebooks.terms import Rulebook

FieldKind = str
"""text, moment, yes, money, count, texts, choice, choices."""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of the form."""

    key: str
    """Where it stands in the terms, below its section."""
    label: str
    kind: FieldKind = msgspec.field(name="is", default="text")
    clause: str = ""
    """Of the item that it is; "" where no clause asks for it."""
    options: tuple[str, ...] = ()
    note: str = ""


class Section(msgspec.Struct, frozen=True):
    """Fields that stand together: a table of the terms, or the top of it."""

    key: str
    label: str
    fields: tuple[Field, ...]
    repeated: bool = False
    """Whether there may be several of it, as of draws and prizes."""


class Form(msgspec.Struct, frozen=True):
    """All that is asked for."""

    rulebook: str
    sections: tuple[Section, ...]
    by_kind: dict[str, tuple[Field, ...]]
    """What a prize of a kind says besides."""


def form_of(rulebook: Rulebook) -> Form:
    """The form for terms under a rulebook that has promotional prizes."""
    terms = rulebook.promotions
    items, prohibited, litres = terms.items.value, terms.prohibited, terms.liquor_litres_max
    above, told_by = terms.scrutineer_above_cents, terms.told_by

    def field(key: str, label: str, kind: FieldKind = "text", item: str = "", note: str = "") -> Field:
        return Field(key, label, kind, items.get(item, ""), (), note)

    methods = tuple(told_by.value)
    first = Section(
        "",
        "The promotion",
        (
            Field("title", "Title"),
            Field("available", "Where the terms are at hand", "texts", terms.published.value.get("terms", "")),
            Field("scrutineer", "Scrutineer", "text", above.clauses[0], (), "may be nominated later"),
        ),
    )
    when = Section(
        "promotion",
        "When and where",
        (
            field("begins", "It begins", "moment", "promotion"),
            field("ends", "It ends", "moment", "promotion"),
            field("place", "Place", "text", "promotion"),
        ),
    )
    entry = Section(
        "entry",
        "Entries",
        (
            field("eligibility", "Who is eligible", "text", "eligibility"),
            field("wager_required", "A wager is needed to enter", "yes", "wager"),
            field("minimum_wager", "What is wagered for each entry", "money", "wager"),
            field("each", "Entries one person may have (0: any number)", "count", "eligibility"),
        ),
    )
    award = Section(
        "award",
        "Awarding prizes",
        (
            field("manner", "How a prize is awarded", "text", "manner"),
            field("disbursement", "How prizes are handed over or paid, never in cash", "text", "disbursement"),
        ),
    )
    claim = Section(
        "claim",
        "Claims",
        (
            field("method", "How a prize is claimed", "text", "claim"),
            field("present", "Entrants must be there at the draw", "yes", "claim"),
        ),
    )
    winners = Section(
        "winners",
        "Winners",
        (
            field("notified", "How winners are notified", "text", "notification"),
            Field("told_by", "Absent winners are told by", "choices", told_by.clauses[0], methods),
            field("results", "How the results are published", "text", "results"),
        ),
    )
    draws = Section(
        "draws",
        "Draw",
        (
            Field("name", "Name of the draw"),
            field("at", "It is held", "moment", "award"),
            field("place", "Place", "text", "award"),
            field("closes", "Entries close", "moment", "closing"),
        ),
        repeated=True,
    )
    kinds = tuple(each for each in PRIZE_KINDS if each == "liquor" or each not in prohibited.value)
    prizes = Section(
        "prizes",
        "Prize",
        (
            Field("name", "Name of the prize"),
            Field("kind", "Kind", "choice", "", kinds),
            Field("draw", "Draw in which it is won, where there are several"),
            Field("count", "How many", "count"),
            field("value", "Value of one", "money", "details"),
            field("details", "Details", "text", "details"),
            field("nature", "Nature of the prize", "text", "nature"),
            field("reservation", "Any qualification or reservation", "text", "nature", "may stay empty"),
            field("conditions", "Conditions of receiving or using it", "text", "details", "may stay empty"),
            Field("liquor_litres", f"Litres of liquor in it, at most {litres.value}", "text", litres.clauses[0]),
            Field("includes", "Also in it, of which none is allowed", "choices", prohibited.clauses[0], NEVER_INCLUDED),
            Field("alternative", "The winner may have its value instead", "yes", terms.alternative.clauses[0]),
        ),
        repeated=True,
    )
    return Form(rulebook.id, (first, when, entry, award, claim, winners, draws, prizes), _by_kind(rulebook))


def _by_kind(rulebook: Rulebook) -> dict[str, tuple[Field, ...]]:
    terms = rulebook.promotions
    found: dict[str, list[Field]] = {}
    for name, clause in terms.prize_items.value.items():
        kind, _, detail = name.partition(".")
        fields = found.setdefault(kind, [])
        if detail == "included":
            words = ((each, each.replace("_", " ")) for each in INCLUDED[kind])
            fields += [Field(f"included.{key}", f"What is included of {said}", "text", clause) for key, said in words]
        else:
            words_of = WORDS[detail][0].upper() + WORDS[detail][1:]
            fields.append(Field(detail.replace("-", "_"), words_of, "count" if detail == "persons" else "text", clause))
    return {kind: tuple(fields) for kind, fields in found.items()}
