"""The edition of every rulebook is frozen: nobody changes a term or a clause without knowing what that means."""

from __future__ import annotations

import pytest

from pitboss.rulebooks import RULEBOOKS, editions, load
from pitboss.rulebooks.canonical import digest_of
from pitboss.rulebooks.load import folder_of


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_shipped_edition_is_the_one_that_is_written_down(rulebook: str) -> None:
    known = editions.frozen_editions().get(rulebook)
    assert known is not None, f"{rulebook} has no entry in src/pitboss/rulebooks/editions.toml: add one"
    assert load(rulebook).edition == known["now"], (
        f"the terms, clauses or amendments of {rulebook} have changed, so this is another edition: write"
        f' now = "{load(rulebook).edition}" under [{rulebook}] in src/pitboss/rulebooks/editions.toml. If the edition'
        f" {editions.shown(known['now'])} was ever released, first add it to released and its text to"
        f" {folder_of(rulebook).name}/editions (docs/editions.md, A new edition): logs and records name it."
    )


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_released_edition_is_still_shipped(rulebook: str) -> None:
    for digest in editions.frozen_editions()[rulebook]["released"]:
        assert editions.edition(rulebook, digest).edition == digest
    for file in (folder_of(rulebook) / "editions").glob("*.json"):
        assert digest_of(file.read_bytes().strip()) in editions.frozen_editions()[rulebook]["released"]


def test_no_edition_is_written_down_for_a_rulebook_that_is_not_there() -> None:
    assert set(editions.frozen_editions()) <= set(RULEBOOKS)
