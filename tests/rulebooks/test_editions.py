"""An edition is known by the digest of its text: the same for the same rules, another for any other."""

from __future__ import annotations

import datetime
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.cli import main
from pitboss.rulebooks import RULEBOOKS, RulebookError, editions, load, terms, vary
from pitboss.rulebooks.canonical import digest_of, text_of
from pitboss.rulebooks.load import amendments_of, clause_rows, folder_of, read_rulebook
from pitboss.rulebooks.terms import Rulebook

NSW = "nsw-pontoon"


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A copy of NSW pontoon's folder."""
    copy = tmp_path / "nsw_pontoon"
    shutil.copytree(folder_of(NSW), copy)
    yield copy
    clause_rows.cache_clear()
    amendments_of.cache_clear()


def read_again(folder: Path) -> Rulebook:
    clause_rows.cache_clear()
    amendments_of.cache_clear()
    return read_rulebook(NSW, folder)


def changed(folder: Path, file: str, before: str, after: str) -> str:
    """The digest once something is written otherwise."""
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(before) >= 1, before
    (folder / file).write_text(text.replace(before, after, 1), encoding="utf-8")
    return read_again(folder).edition


# --- the digest ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_text_read_back_is_the_rulebook(rulebook: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions, "_learned", {})
    text = editions.text(rulebook)
    book = editions.learn(text)
    assert book == load(rulebook)
    assert book.edition == digest_of(text) == load(rulebook).edition
    rows = editions.clauses_of(book)
    assert [row[:5] for row in clause_rows(folder_of(rulebook))] == list(rows)
    assert text_of(book, rows, editions.amendments_data(book)) == text


def test_the_digest_does_not_depend_on_how_the_file_is_laid_out(folder: Path) -> None:
    """Comments, blanks, empty lines, the order of sections and of terms, one clause or a list of one."""
    file = folder / "terms.toml"
    rng = random.Random(11)
    for _ in range(5):
        sections = re.split(r"(?m)^(?=\[[^\[])", (folder_of(NSW) / "terms.toml").read_text(encoding="utf-8"))[1:]
        rng.shuffle(sections)
        laid_out = ["# another comment\n\n"]
        for section in sections:
            head, *lines = section.rstrip().split("\n")
            if not any(line.startswith((" ", "]", "[[", "is =")) for line in lines):
                rng.shuffle(lines)
            lines = [re.sub(r" +=", " " * rng.randint(1, 9) + "=", line, count=1) for line in lines]
            lines = [
                re.sub(r'clause = ("[^"]*")', r"clauses = [ \1 ]", line, count=rng.randint(0, 1)) for line in lines
            ]
            laid_out += [head, *(f"{line}  # why not" if line.endswith("}") else line for line in lines), ""]
        file.write_text("\n".join(laid_out), encoding="utf-8")
        assert read_again(folder).edition == load(NSW).edition


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("terms.toml", "soft_stand       = { is = 18", "soft_stand       = { is = 17"),
        ("terms.toml", 'soft_stand       = { is = 18, clauses = ["14.4", ', 'soft_stand = { is = 18, clauses = ['),
        ("terms.toml", 'clauses = ["14.4", "2.2.3.2"]', 'clauses = ["2.2.3.2", "14.4"]'),
        ("terms.toml", "from = 2024-08-19", "from = 2024-08-20"),
        ("terms.toml", "up to three players on a box", "at most three players on a box"),
        ("terms.toml", "silent; one original wager", "silent: one original wager"),
        ("terms.toml", "odds = \"25 to 1\"", "odds = \"30 to 1\""),
        ("clauses.tsv", "At most three players", "No more than three players"),
        ("amendments.toml", "is = 1, clauses", "is = 2, clauses"),
        ("amendments.toml", '"19.14"]', '"19.14", "19.13"]'),
    ],
)  # fmt: skip
def test_the_digest_is_another_for_anything_that_is_said_otherwise(
    folder: Path, file: str, before: str, after: str
) -> None:
    assert changed(folder, file, before, after) != load(NSW).edition


def test_who_keeps_a_clause_is_about_the_program_and_not_in_the_digest(folder: Path) -> None:
    assert changed(folder, "clauses.tsv", "\tkept", "\tlater:maths") == load(NSW).edition


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_single_term_counts(rulebook: str) -> None:
    """Any changed value, any changed clause, of any term."""
    book, folder = load(rulebook), folder_of(rulebook)
    digests, kept = {book.edition}, (clause_rows(folder), amendments_of(folder))
    keys = [key for key, _ in terms(book)]
    for key in keys:
        section, _, name = key.rpartition(".")
        held = book.side_bets[section[10:]] if section.startswith("side_bets.") else getattr(book, section)
        term = getattr(held, name)
        clauses = (*term.clauses, "another")
        dated = tuple(msgspec.structs.replace(each, clauses=clauses) for each in term.dated)
        now: Any = msgspec.structs.replace(held, **{name: msgspec.structs.replace(term, clauses=clauses, dated=dated)})
        if section.startswith("side_bets."):
            changed = msgspec.structs.replace(book, side_bets={**book.side_bets, section[10:]: now})
        else:
            changed = msgspec.structs.replace(book, **{section: now})
        digests.add(digest_of(text_of(changed, *kept)))
    assert len(digests) == len(keys) + 1


def test_an_amendment_does_not_change_the_edition_that_it_amends() -> None:
    assert vary(load(NSW), {"dealer.soft_stand": 17}).edition == load(NSW).edition


# --- finding ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The text of an edition that is not shipped, and nothing learned yet."""
    monkeypatch.setattr(editions, "_learned", {})
    monkeypatch.delenv(editions.FOLDERS, raising=False)
    return editions.text(NSW).replace(b'"is":18', b'"is":17')


def test_an_edition_is_found_in_a_folder_by_its_digest_or_the_beginning_of_it(
    older: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = digest_of(older)
    with pytest.raises(editions.MissingEdition, match=f"edition {digest[:12]} of nsw-pontoon is missing"):
        editions.edition(NSW, digest)
    (tmp_path / "of 2024.json").write_bytes(older + b"\n")
    monkeypatch.setenv(editions.FOLDERS, str(tmp_path))
    assert editions.edition(NSW, digest).dealer.soft_stand.value == 17
    assert editions.edition(NSW, digest[:12]).edition == digest
    assert editions.text(NSW, digest) == older
    assert editions.edition(NSW, load(NSW).edition[:12]) is load(NSW)
    with pytest.raises(editions.MissingEdition):
        editions.edition("adelaide-pontoon-2008", digest)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "not the text of an edition"),
        (b'{"pitboss-rulebook":2}', "not the text of an edition"),
        (b'{"pitboss-rulebook":1,"rulebook":"nsw-pontoon"}', "rulebook, terms and clauses are needed"),
        (b'{"pitboss-rulebook":1,"rulebook":"nsw-pontoon","terms":{},"clauses":[]}', "game: the section is missing"),
    ],
)
def test_what_is_no_text_is_named(text: bytes, said: str) -> None:
    with pytest.raises(RulebookError, match=said):
        editions.learn(text)


def test_a_text_that_is_older_than_a_term_has_what_was_always_done(
    older: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = msgspec.json.decode(older)
    del data["terms"]["dealer"]["no_needless_card"]
    text = msgspec.json.encode(data)
    with pytest.raises(RulebookError, match=r"dealer\.no_needless_card: the term is missing"):
        editions.learn(text)
    monkeypatch.setattr(editions, "ADDED", {"dealer.no_needless_card": (True, "soft_stand")})
    term = editions.learn(text).dealer.no_needless_card
    assert term.value is True and term.clauses and "older than this term" in str(term.reading)


# --- dated values ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "5.1")
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
def test_a_term_has_the_value_of_its_date(rulebook: str) -> None:
    book = load(rulebook)
    assert book.dates == (datetime.date(2024, 8, 19),)
    day_before, day = datetime.date(2024, 8, 18), datetime.date(2024, 8, 19)
    assert book.on(day_before).wagers.player_card.value is False
    assert book.on(day_before).irregularities.invalid_wager.value == "none"
    assert book.on(day).wagers.player_card.value is True
    assert book.on(day) is book.on(None) is book
    assert book.on(day_before) is book.on(datetime.date(1999, 1, 1))
    assert book.on(day_before).on(day) == book and book.on(day_before).edition == book.edition


def test_a_term_may_have_several_dated_values(folder: Path) -> None:
    changed(
        folder,
        "terms.toml",
        'soft_stand       = { is = 18, clauses = ["14.4", "2.2.3.2"] }',
        'soft_stand = [{ is = 17, clause = "14.4" }, { from = 2020-01-01, is = 18, clause = "2.2.3.2" },'
        ' { from = 2030-01-01, is = 19, clause = "14.4", reading = "not yet" }]',
    )
    book = read_again(folder)
    on = {year: book.on(datetime.date(year, 6, 1)).dealer.soft_stand for year in (2019, 2020, 2029, 2030)}
    assert [term.value for term in on.values()] == [17, 18, 18, 19]
    assert [term.clause for term in on.values()] == ["14.4", "2.2.3.2", "2.2.3.2", "14.4"]
    assert book.dealer.soft_stand.value == 19 and book.dealer.soft_stand.reading == "not yet"
    assert len(book.dates) == 3


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("[]", "a list has the values of a term"),
        ('[{ is = 17, clause = "14.4" }]', "a list has the values of a term"),
        ('[{ is = 17, clause = "14.4" }, { is = 18, clause = "14.4" }]', "each from a later date"),
        (
            '[{ is = 17, clause = "14.4" }, { from = 2021-01-01, is = 18, clause = "14.4" },'
            ' { from = 2020-01-01, is = 19, clause = "14.4" }]',
            "each from a later date",
        ),
        ('{ from = 2020-01-01, is = 18, clause = "14.4" }', "say what holds before the first date"),
        ('[{ from = "then", is = 18, clause = "14.4" }]', "from must be a date"),
    ],
)
def test_a_slip_in_dated_values_is_named(folder: Path, entry: str, said: str) -> None:
    old = 'soft_stand       = { is = 18, clauses = ["14.4", "2.2.3.2"] }'
    with pytest.raises(RulebookError, match=rf"^nsw_pontoon/terms\.toml: dealer\.soft_stand: .*{said}"):
        changed(folder, "terms.toml", old, f"soft_stand = {entry}")


@pytest.mark.parametrize("command", ["replay", "record explain", "record convert", "adjudicate", "rules"])
def test_every_command_names_a_text_that_it_lacks(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "old.round"
    record.write_text(
        f'title = "old"\nrulebook = "{NSW}"\nedition = "0123456789ab"\ncards = "6s 9h 5d Kc"\n'
        'play = ["alice bets 25 on 1", "dealer deals", "alice doubles"]\n'
    )
    words = [*command.split(), str(record)]
    if command == "record convert":
        words.append(str(tmp_path / "old.jsonl"))
    if command == "rules":
        words = ["rules", NSW, "--edition", "0123456789ab"]
    code, said = main(words), capsys.readouterr()
    assert code == 2 and said.out == "" and said.err.startswith("unread    "), said
    assert f"edition 0123456789ab of {NSW} is missing (this version ships " in said.err
    assert said.err.count("\n") == 1
