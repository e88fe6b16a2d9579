"""An amendment is a named layer of changed terms with the clauses that allow it; what may not be amended is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.rulebooks import RULEBOOKS, RulebookError, amend, load, terms, vary
from pitboss.rulebooks.amend import (
    CONDITIONS,
    NotAmendable,
    amendable,
    changed_by,
    composed,
    layers_named,
    own_layer,
    read_file,
    variant_of,
)
from pitboss.rulebooks.clauses import is_within
from pitboss.rulebooks.terms import Amendment, Rulebook

NSW, BJC, CANBERRA = "nsw-pontoon", "nsw-blackjack-challenge", "canberra-pontoon-2005"
TOURNAMENTS = {
    NSW: ("5.5", "5.9", "6.2", "6.3", "6.5", "6.6", "19.14"),
    BJC: ("5.5", "5.11", "6.2", "6.3", "6.5", "6.6", "20.14"),
}


def conditions(name: str = "spring cup", /, **terms: Any) -> Amendment:
    """Conditions that were approved for a tournament in Canberra."""
    changed = {key.replace("__", "."): {"is": value, "clauses": ["20.5"]} for key, value in terms.items()}
    return Amendment(name, CONDITIONS, changed, ("20.5",), approved="the Commission")


# --- the documents' own layers ---------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "20.2.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.2.1")
@pytest.mark.parametrize("rulebook", TOURNAMENTS)
def test_in_a_tournament_seven_rules_do_not_apply(rulebook: str) -> None:
    layer = own_layer(load(rulebook), "tournament")
    assert layer.disapplies == TOURNAMENTS[rulebook]
    book = amend(load(rulebook), layer)
    resting = {
        key
        for key, term in terms(book)
        if any(is_within(clause, gone) for clause in term.clauses for gone in layer.disapplies)
    }
    assert resting <= set(layer.left), "a term still rests on a rule that does not apply"
    assert book.boxes.players_max.value == 1 and book.limits.personal_maximum_by.value == "nobody"
    changed = {key for key, term in terms(book) if term != dict(terms(load(rulebook)))[key]}
    assert changed == set(changed_by(book)) and not changed & set(layer.left)


@pytest.mark.clause("nsw-pontoon", "20.2.2", "20.2.2.1")
@pytest.mark.clause("nsw-blackjack-challenge", "21.2.2", "21.2.2.1")
@pytest.mark.parametrize("rulebook", TOURNAMENTS)
def test_in_a_tournament_what_a_void_round_has_paid_goes_back(rulebook: str) -> None:
    book = load(rulebook)
    assert book.irregularities.void_interim.value == "stand"
    assert amend(book, own_layer(book, "tournament")).irregularities.void_interim.value == "returned"


@pytest.mark.parametrize("rulebook", ["adelaide-pontoon-2008", "canberra-pontoon-2002"])
def test_a_document_without_a_layer_of_its_own_says_so(rulebook: str) -> None:
    found = amendable(load(rulebook))
    assert not found.layers and found.none and found.none_clauses
    with pytest.raises(RulebookError, match=f"^{rulebook} has no amendment 'tournament' of its own: the document"):
        own_layer(load(rulebook), "tournament")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_amendment_of_a_document_cites_clauses_that_allow_it(rulebook: str) -> None:
    found = amendable(load(rulebook))
    for layer in found.layers.values():
        assert amend(load(rulebook), layer).amendments == (layer,)


# --- what may not be amended -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "layer", "clauses", "text"),
    [
        (
            NSW,
            Amendment("loose", "tournament", {"dealer.soft_stand": {"is": 17, "clauses": ["14.4"]}}, ("20.2.1",)),
            "20.2.1",
            "may not change dealer.soft_stand, which rests on 14.4",
        ),
        (NSW, Amendment("loose", "tournament", {}, ("14.4",)), "20.2.1", "names 14.4, which does not allow it"),
        (NSW, conditions(), "2.1", "the document lets nobody approve conditions that override what it says"),
        (CANBERRA, msgspec.structs.replace(conditions(), approved=""), "20.5", "must be approved"),
        (CANBERRA, conditions(game__name="My game"), "1.1", "which says what document it is"),
        (CANBERRA, Amendment("loose", "tournament", {}, ("20.5",)), "20.1", "names 20.5, which does not allow it"),
        ("adelaide-pontoon-2008", conditions(), "1", "lets no conditions override what it says"),
        ("canberra-pontoon-2002", conditions(), "NI2002-25", "lets no conditions override what it says"),
        (
            NSW,
            Amendment("ruled", "house-decision", {"dealer.soft_stand": {"is": 17, "clauses": ["17.8"]}}, ("17.8",)),
            "14.4",
            "may not decide dealer.soft_stand: the document decides it",
        ),
    ],
)
def test_what_may_not_be_amended_is_refused_with_the_clause(
    rulebook: str, layer: Amendment, clauses: str, text: str
) -> None:
    with pytest.raises(NotAmendable) as refused:
        amend(load(rulebook), layer)
    assert text in refused.value.text and clauses in refused.value.clauses, refused.value
    assert str(refused.value).startswith(load(rulebook).name)


def test_a_house_decides_where_the_document_is_silent() -> None:
    book = load("adelaide-pontoon-2008")
    key = next(key for key, term in terms(book) if term.value == "undecided" and key == "irregularities.cut_missed")
    decided = {key: {"is": "finish-then-shuffle", "clauses": ["117"]}}
    after = amend(book, Amendment("decided by the house", "house-decision", decided, ("117",)))
    assert after.irregularities.cut_missed.value == "finish-then-shuffle"
    assert after.name == book.name


# --- composing -------------------------------------------------------------------------------------------------------


def test_amendments_are_laid_over_one_another_in_their_order() -> None:
    first, second = conditions("heats", boxes__players_max=1), conditions("final", shuffle__burn_shoe=1)
    book = amend(load(CANBERRA), first, second)
    assert book == amend(amend(load(CANBERRA), first), second)
    assert [layer.name for layer in book.amendments] == ["heats", "final"]
    assert book.name == f"{load(CANBERRA).name} (heats; final)"
    assert {key: layer.name for key, layer in changed_by(book).items()} == {
        "boxes.players_max": "heats",
        "shuffle.burn_shoe": "final",
    }


def test_two_amendments_that_change_one_term_are_in_conflict_and_both_are_named() -> None:
    first, second = conditions("heats", boxes__players_max=1), conditions("final", boxes__players_max=2)
    with pytest.raises(
        RulebookError, match=r"^final of .*: boxes\.players_max: heats changes it too, to another value"
    ):
        amend(load(CANBERRA), first, second)
    amend(load(CANBERRA), first, conditions("final", boxes__players_max=1))  # they agree


def test_a_layer_that_is_named_twice_is_laid_once() -> None:
    layer = conditions("heats", boxes__players_max=1)
    assert amend(load(CANBERRA), layer, layer).amendments == (layer,)
    assert amend(amend(load(CANBERRA), layer), layer).amendments == (layer,)


def test_a_study_is_laid_over_all_others_and_says_so() -> None:
    for book in (
        vary(
            amend(load(CANBERRA), conditions(boxes__players_max=1)), {"boxes.players_max": 2, "dealer.soft_stand": 17}
        ),
        amend(
            vary(load(CANBERRA), {"boxes.players_max": 2, "dealer.soft_stand": 17}), conditions(boxes__players_max=1)
        ),
    ):
        assert book.boxes.players_max.value == 2 and book.variant == "boxes.players_max = 2; dealer.soft_stand = 17"
        assert [layer.kind for layer in book.amendments] == [CONDITIONS, "study"]
        assert book.name.endswith("(spring cup; study variant: boxes.players_max = 2; dealer.soft_stand = 17)")
        assert variant_of(book) == {"boxes.players_max": 2, "dealer.soft_stand": 17}
        assert vary(
            book, {"boxes.players_max": 1, "dealer.soft_stand": load(CANBERRA).dealer.soft_stand.value}
        ) == amend(load(CANBERRA), conditions(boxes__players_max=1))


def test_what_is_composed_twice_is_one_rulebook_and_compiled_once() -> None:
    layers, variant = [conditions(boxes__players_max=1)], {"dealer.soft_stand": 17}
    assert composed(load(CANBERRA), {}, (), again=False) is load(CANBERRA)
    assert composed(load(CANBERRA), variant, layers, again=False) is composed(
        load(CANBERRA), variant, layers, again=False
    )


def test_what_was_judged_before_is_not_judged_again() -> None:
    layer = msgspec.structs.replace(conditions(boxes__players_max=1), approved="")
    assert amend(load(CANBERRA), layer, again=True).boxes.players_max.value == 1


def test_an_amended_rulebook_survives_being_written_and_read() -> None:
    book = vary(amend(load(NSW), own_layer(load(NSW), "tournament")), {"dealer.soft_stand": 17})
    assert msgspec.json.decode(msgspec.json.encode(book), type=Rulebook) == book


# --- files -----------------------------------------------------------------------------------------------------------

GOOD = """
name     = "spring cup"
rulebook = "canberra-pontoon-2005"
kind     = "approved-conditions"
clauses  = ["20.5", "20.3"]
approved = "the Commission, 1 September 2005"

[terms.boxes]
players_max = { is = 1, clause = "20.7", reading = "each has a place of their own" }
"""


def test_a_file_holds_an_amendment(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(GOOD, encoding="utf-8")
    (layer,) = layers_named(load(CANBERRA), [str(file)])
    assert (layer.name, layer.kind, layer.clauses) == ("spring cup", CONDITIONS, ("20.5", "20.3"))
    term = amend(load(CANBERRA), layer).boxes.players_max
    assert (term.value, term.clauses, term.reading) == (1, ("20.7",), "each has a place of their own")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('name     = "spring cup"', "", "cup.toml: name: an amendment needs a name"),
        ('"canberra-pontoon-2005"', '"nsw-pontoon"', "cup.toml: rulebook: it amends 'nsw-pontoon', and the table"),
        ('"approved-conditions"', '"wish"', "cup.toml: kind: 'wish' is no kind of amendment; known: tournament, "),
        ('clauses  = ["20.5", "20.3"]', "", "cup.toml: clauses: no clause is cited that allows it"),
        ('"20.5", "20.3"', '"20.55"', "cup.toml: clauses: cites '20.55', which is not in the clause register"),
        ("approved =", "aproved =", "cup.toml: aproved: no such key; known: name, rulebook, kind, "),
        ("players_max", "players_mux", "cup.toml: boxes.players_mux: no such term; did you mean"),
        ("is = 1", "is = 9", "cup.toml: boxes.players_max: 9 is out of range"),
        ('clause = "20.7", ', "", "cup.toml: boxes.players_max: no clause is cited"),
        ("[terms.boxes]", "[terms.boxes", "cup.toml: not TOML: "),
    ],
)  # fmt: skip
def test_a_slip_in_a_file_is_named_by_file_and_key(tmp_path: Path, before: str, after: str, said: str) -> None:
    file = tmp_path / "cup.toml"
    assert GOOD.count(before) == 1
    file.write_text(GOOD.replace(before, after), encoding="utf-8")
    with pytest.raises(RulebookError) as error:
        amend(load(CANBERRA), read_file(file, load(CANBERRA)))
    assert str(error.value).startswith(said)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"^none\.toml: cannot be read: No such file"):
        read_file(tmp_path / "none.toml", load(NSW))


def test_a_term_that_rests_on_what_is_disapplied_must_be_given_or_left(tmp_path: Path) -> None:
    layer = own_layer(load(NSW), "tournament")
    boxes = {key: term for key, term in layer.terms["boxes"].items() if key != "several"}
    with pytest.raises(RulebookError, match=r"boxes\.several: rests on 5\.9, which it disapplies; give"):
        amend(load(NSW), msgspec.structs.replace(layer, terms={**layer.terms, "boxes": boxes}))
