"""A slip in a rulebook's data is named by file and key; whole rulebooks are typed, frozen and cited throughout."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest

from pitboss.basics.money import Odds
from pitboss.rulebooks import RULEBOOKS, RulebookError, load, terms, vocabulary
from pitboss.rulebooks import load as load_rulebook
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.load import read_rulebook, term_types
from pitboss.rulebooks.terms import FixedRow, PayRow, Restriction, Rulebook, Term
from pitboss.rulebooks.vocabulary import plain

DATA = Path(vocabulary.__file__).parent


# --- whole rulebooks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_all_have_the_same_terms(rulebook: str) -> None:
    ours = [key for key, _ in terms(load(rulebook))]
    assert ours == [key for key, _ in terms(load(RULEBOOKS[0]))]
    assert len(ours) == len(set(ours)) > 200


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_term_is_cited_and_typed(rulebook: str) -> None:
    known = register(rulebook)
    for key, term in terms(load(rulebook)):
        assert term.clauses, key
        assert set(term.clauses) <= set(known), key
        assert term.clause == term.clauses[0]
        for row in term.value if isinstance(term.value, tuple) else ():
            if isinstance(row, PayRow | FixedRow | Restriction):
                assert row.clauses, key
                assert set(row.clauses) <= set(known), key


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_is_absent_is_off_and_says_so(rulebook: str) -> None:
    book = load(rulebook)
    sections: list[Any] = [book.insurance, book.surrender, book.super_bonus, book.blazing_7s, *book.side_bets.values()]
    for section in sections:
        if not section.offered.value:
            for field in msgspec.structs.fields(type(section)):
                term: Term[Any] = getattr(section, field.name)
                assert term.value in (False, 0, "", "nobody", (), {}, Odds(0, 1)), field.name
                assert term.reading and "the document has no" in term.reading


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_natural_has_the_same_odds_wherever_they_stand(rulebook: str) -> None:
    book = load(rulebook)
    assert book.settlement.natural_against_other.value == book.interim.natural_odds.value
    rows = {row.name: row.odds for row in book.interim.pay_table.value}
    assert rows.get("pontoon", book.interim.natural_odds.value) == book.interim.natural_odds.value
    assert rows["other"] == book.settlement.even_money.value
    assert book.splitting.natural.value == book.interim.natural_after_split.value


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_loaded_once_and_frozen(rulebook: str) -> None:
    book = load(rulebook)
    assert load(rulebook) is book
    assert book.id == rulebook
    assert book.variant == ""
    assert book.name == book.game.name.value
    with pytest.raises(AttributeError):
        book.dealer.soft_stand = book.dealer.hard_stand  # type: ignore[misc]
    with pytest.raises(AttributeError):
        book.dealer.soft_stand.value = 16  # type: ignore[misc]


def test_names_differ() -> None:
    assert len({load(rulebook).name for rulebook in RULEBOOKS}) == len(RULEBOOKS)


def test_a_reading_stands_wherever_a_value_was_chosen() -> None:
    """The decisions that move money say why."""
    for rulebook, key in [
        ("adelaide-pontoon-2008", "settlement.dealer_natural"),
        ("adelaide-pontoon-2008", "interim.pay_table"),
        ("canberra-pontoon-2005", "doubling.aces"),
        ("nsw-pontoon", "settlement.dealer_natural"),
        ("nsw-pontoon", "super_bonus.others_side_bets"),
        ("nsw-blackjack-challenge", "interim.natural_when"),
        ("nsw-blackjack-challenge", "dealer.soft_stand"),
    ]:
        assert dict(terms(load(rulebook)))[key].reading, (rulebook, key)


def test_every_term_has_a_vocabulary() -> None:
    for key, of in term_types().items():
        item = get_args(of)[0] if get_origin(of) is tuple else of
        if item in (PayRow, FixedRow, Restriction):
            assert key in vocabulary.ROW_NAMES or key == "side_bets.*.pays"
        elif item is int:
            assert key in vocabulary.NUMBERS
        elif plain(item) is str or get_origin(of) is dict:
            assert (
                key in vocabulary.WORDS or key in vocabulary.FREE_TEXT | vocabulary.RANKS | vocabulary.CLAUSE_LISTS
            ), key
        else:
            assert item in (bool, Odds), key
    known = set(term_types())
    assert set(vocabulary.WORDS) | set(vocabulary.NUMBERS) <= known
    assert known >= vocabulary.RANKS | vocabulary.FREE_TEXT | vocabulary.CLAUSE_LISTS | vocabulary.EMPTY_MEANS_NONE


def test_an_unknown_rulebook_is_told_which_there_are() -> None:
    with pytest.raises(RulebookError, match=r"'nsw' is no rulebook; there are nsw-pontoon, adelaide-pontoon-2008"):
        load_rulebook("nsw")


# --- slips -----------------------------------------------------------------------------------------------------------

Slipped = Callable[[str, str], str]


@pytest.fixture
def slipped(tmp_path: Path) -> Slipped:
    """What is said when one piece of NSW pontoon's ``terms.toml`` is replaced by another."""
    folder = tmp_path / "nsw_pontoon"
    shutil.copytree(DATA / "nsw_pontoon", folder)
    file = folder / "terms.toml"

    def said(before: str, after: str) -> str:
        text = file.read_text(encoding="utf-8")
        assert text.count(before) == 1, before
        file.write_text(text.replace(before, after), encoding="utf-8")
        with pytest.raises(RulebookError) as caught:
            read_rulebook("nsw-pontoon", folder)
        message = str(caught.value)
        assert "\n" not in message
        return message.removeprefix("nsw_pontoon/terms.toml: ")

    return said


SOFT = 'soft_stand       = { is = 18, clauses = ["14.4", "2.2.3.2"] }'
TIES = 'ties                    = { is = "stand-off", clauses = ["16.1.10", "def:stand off"] }'
BOX = 'locked            = { is = "first-card", clauses = ["5.4", "7.1"]'
ANY = "[side_bets.any-pairs]\n"
MIXED = '{ name = "mixed", odds = "5 to 1", clause = "15.8.1" }'
LATE = 'name         = "late-entry"\nby           = "casino-supervisor"'


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        # unknown and missing
        (SOFT, f"{SOFT}\nsoft_stan = {{ is = 1 }}", "dealer.soft_stan: no such term; did you mean soft_stand?"),
        (SOFT, "", 'dealer.soft_stand: the term is missing; add it as { is = ..., clause = "..." }'),
        ("[dealer]", "[dealers]", "dealers: no such section; did you mean dealer?"),
        ("[deal]", "[[deal]]", "deal: must be a table of terms, as [deal]"),
        (ANY, "[side_bets.ani-pairs]\n", "side_bets.ani-pairs: no such wager; did you mean any-pairs?"),
        (SOFT, "soft_stand = 18", 'dealer.soft_stand: must be a table, as { is = 18, clause = "..." }'),
        (SOFT, 'soft_stand = { clause = "14.4" }', "dealer.soft_stand: no value is given; add is = ..."),
        (
            SOFT,
            'soft_stand = { is = 18, cluase = "14.4" }',
            "dealer.soft_stand: unknown 'cluase'; an entry has is, clause, clauses, reading, from, in_words",
        ),
        # clauses
        (SOFT, "soft_stand = { is = 18 }", 'dealer.soft_stand: no clause is cited; add clause = "..."'),
        (SOFT, "soft_stand = { is = 18, clauses = [] }", 'dealer.soft_stand: no clause is cited; add clause = "..."'),
        (
            SOFT,
            'soft_stand = { is = 18, clause = "14.4", clauses = ["14.4"] }',
            "dealer.soft_stand: both clause and clauses are given; keep one",
        ),
        (
            SOFT,
            'soft_stand = { is = 18, clause = "14.9" }',
            "dealer.soft_stand: cites '14.9', which is not in the clause register",
        ),
        (
            SOFT,
            "soft_stand = { is = 18, clause = 14.4 }",
            'dealer.soft_stand: a clause is a text as in "12.1", not 14.4',
        ),
        (
            SOFT,
            'soft_stand = { is = 18, clauses = ["14.4", "14.4"] }',
            "dealer.soft_stand: a clause is cited twice in 14.4, 14.4",
        ),
        (
            'seated = "5.6.1"',
            'seated = "5.6.9"',
            "boxes.control_clauses: cites '5.6.9', which is not in the clause register",
        ),
        (
            'cascade                 = { is = ["6.1.1"',
            'cascade = { is = ["6.1.9"',
            "limits.cascade: cites '6.1.9', which is not in the clause register",
        ),
        # types
        (SOFT, 'soft_stand = { is = "18", clause = "14.4" }', 'dealer.soft_stand: must be a whole number, not "18"'),
        (SOFT, 'soft_stand = { is = 18.0, clause = "14.4" }', "dealer.soft_stand: must be a whole number, not 18.0"),
        (SOFT, 'soft_stand = { is = true, clause = "14.4" }', "dealer.soft_stand: must be a whole number, not true"),
        (TIES, 'ties = { is = 1, clause = "16.1.10" }', "settlement.ties: must be a text, not 1"),
        (
            "means             = { is = [",
            "means = { is = [1, ",
            'wagers.means: must be a list of texts, not [1, "chips", "promotional-tokens"]',
        ),
        (
            'is = "3 to 2", clauses = ["10.1"',
            'is = "3:2", clauses = ["10.1"',
            "interim.natural_odds: '3:2' is not odds: write them as in '3 to 2'",
        ),
        (
            "player_card       = [{ from = 2024-08-19,",
            "player_card       = [{ from = 2024-08-19T00:00:00,",
            "wagers.player_card: from must be a date, as in 2024-08-19, not 2024-08-19 00:00:00",
        ),
        (
            SOFT,
            'soft_stand = { is = 18, clause = "14.4", reading = "" }',
            'dealer.soft_stand: reading must be a text, not ""',
        ),
        # vocabulary
        (
            TIES,
            'ties = { is = "win", clause = "16.1.10" }',
            "settlement.ties: 'win' is not known; known: lose, stand-off",
        ),
        (
            SOFT,
            'soft_stand = { is = 22, clause = "14.4" }',
            "dealer.soft_stand: 22 is out of range; it must be 12 to 21",
        ),
        (
            BOX,
            'locked = { is = "", clauses = ["5.4"]',
            "wagers.locked: '' is not known; known: first-card, no-more-bets",
        ),
        ('[6, 8], clause = "3.1", in', '[8, 8], clause = "3.1", in', "cards.decks: [8, 8] repeats itself"),
        (
            'is = "A23456789JQK"',
            'is = "A23456789JQQ"',
            "cards.ranks: 'A23456789JQQ' is not a list of ranks; use each of A23456789TJQK at most once",
        ),
        ('is = "NSW pontoon"', 'is = " "', "game.name: must be a text that is not empty"),
        # rows
        (
            MIXED,
            '{ name = "mixt", odds = "5 to 1", clause = "15.8.1" }',
            "side_bets.perfect-pairs.pays: 'mixt' is not known",
        ),
        (MIXED, '{ name = "mixed", odds = "5 to 1" }', "side_bets.perfect-pairs.pays.mixed: no clause is cited"),
        (
            MIXED,
            '{ name = "mixed", clause = "15.8.1" }',
            "side_bets.perfect-pairs.pays.mixed: odds is missing in a row",
        ),
        (MIXED, '{ name = "mixed", odds = 5, clause = "15.8.1" }', "side_bets.perfect-pairs.pays.mixed: must be odds"),
        (
            MIXED,
            '{ name = "mixed", odd = 5 }',
            "side_bets.perfect-pairs.pays.mixed: unknown 'odd'; an entry has name, odds",
        ),
        (MIXED, f"{MIXED}, {MIXED}", "side_bets.perfect-pairs.pays.mixed: the row stands there twice"),
        (MIXED, "5", "side_bets.perfect-pairs.pays: each row must be a table with name, odds, clauses, not 5"),
        (LATE, 'name = "late-entry"\nby = "waiter"', "limits.restrictions.late-entry.by: 'waiter' is not known"),
        (
            "boxes_max    = 1",
            "boxes_max    = 9",
            "limits.restrictions.one-box.boxes_max: 9 is out of range; it must be 0 to 7",
        ),
        # absent sections
        (
            "[dealer]",
            '[dealer]\nabsent = { clause = "14.1" }',
            "dealer.absent: every document has dealer; only what may be offered can be absent",
        ),
        (
            ANY,
            f'{ANY}offered = {{ is = true, clause = "15.1" }}\n',
            "side_bets.any-pairs.absent: an absent section has no other terms; remove them, or remove absent",
        ),
        (
            'absent = { clauses = ["5.3", "15.1"], reading = "the document has no jackpot',
            'absent = "no" # ',
            'blazing_7s.absent: must be a table, as { clause = "...", reading = "..." }',
        ),
        # terms that contradict one another
        ("is = 8, clause = ", "is = 7, clause = ", "cards.decks_default: must be one of cards.decks; change both"),
        (
            'control               = { is = ["seated", "highest", "nearest"]',
            'control = { is = ["seated", "nearest"]',
            "boxes.control_clauses: must have a clause for each of boxes.control; change both",
        ),
        (
            "hands_max                     = { is = 2",
            "hands_max = { is = 4",
            "splitting.resplit_hands_max: is below splitting.hands_max; change both",
        ),
    ],
)
def test_a_slip_is_named(slipped: Slipped, before: str, after: str, said: str) -> None:
    assert slipped(before, after).startswith(said)


def test_a_missing_section_is_named(slipped: Slipped) -> None:
    text = (DATA / "nsw_pontoon" / "terms.toml").read_text(encoding="utf-8")
    section = text[text.index("[deal]") : text.index("[insurance]")]
    assert slipped(section, "") == "deal: the section is missing; add [deal]"


def test_a_missing_wager_is_named(slipped: Slipped) -> None:
    text = (DATA / "nsw_pontoon" / "terms.toml").read_text(encoding="utf-8")
    section = text[text.index(ANY) : text.index("[side_bets.star-pairs]")]
    assert slipped(section, "") == "side_bets.any-pairs: the section is missing; add [side_bets.any-pairs]"


def test_an_absent_section_wants_a_reading(slipped: Slipped) -> None:
    before = ', reading = "the document has no jackpot; Perfect Pairs are its only optional wager"'
    said = slipped(before, "")
    assert said == 'blazing_7s.absent: no reading; add reading = "..." to say that the document has none'


def test_a_prize_is_a_share_or_an_amount(tmp_path: Path) -> None:
    folder = tmp_path / "nsw_blackjack_challenge"
    shutil.copytree(DATA / folder.name, folder)
    file = folder / "terms.toml"
    text = file.read_text(encoding="utf-8")
    for before, after, said in [
        ("share_percent = 10,", "share_percent = 0,", "a prize is either a share or an amount for each wager"),
        ("share_percent = 10,", "share_percent = 110,", "110 is out of range; it must be 0 to 100"),
        ("cents_by_wager = { 250 = 50000,", "cents_by_wager = { small = 50000,", "must be a table of cents by cents"),
    ]:
        file.write_text(text.replace(before, after), encoding="utf-8")
        with pytest.raises(RulebookError, match=said):
            read_rulebook("nsw-blackjack-challenge", folder)


def test_what_is_no_toml_is_told_with_its_place(slipped: Slipped) -> None:
    assert slipped("[dealer]", "[dealer").startswith("not TOML: ")


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "terms.toml").write_bytes(b"\xff")
    with pytest.raises(RulebookError, match="not UTF-8 text: invalid start byte at byte 0"):
        read_rulebook("nsw-pontoon", tmp_path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"terms\.toml: cannot be read: No such file or directory"):
        read_rulebook("nsw-pontoon", tmp_path)
    shutil.copy(DATA / "nsw_pontoon" / "terms.toml", tmp_path)
    with pytest.raises(RulebookError, match=r"clauses\.tsv: cannot be read: No such file or directory"):
        read_rulebook("nsw-pontoon", tmp_path)


def test_schema_and_reader_agree_on_what_a_rulebook_is() -> None:
    assert [field.name for field in msgspec.structs.fields(Rulebook)][:2] == ["id", "variant"]
