"""`pitboss layout` draws what the documents prescribe, to scale and with clauses, and says what a real table lacks."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from pitboss.commands import Unread
from pitboss.commands.layout import layout
from pitboss.layout import cloth
from pitboss.layout.checking import described, lacks, read_found
from pitboss.layout.drawing import SCALE, SHEET, as_pdf, as_svg
from pitboss.layout.needed import Item, LayoutError, Setup, diagram, needed
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists
from pitboss.table import acts as a
from pitboss.table.engine import open_table, play
from pitboss.table.views import Viewer, seen_by
from pitboss.terminal.opening import Choices
from tests.books import ACT2, ACT5, ADL, BJC, NSW

ARRANGEMENT = Path(cloth.__file__).parents[1] / "web" / "js" / "arrangement.js"
PAIRS = Setup(7, ("perfect-pairs",))
JACKPOT = Setup(7, ("star-pairs", "blazing-7s"), "shuffling-device")
SVG = "{http://www.w3.org/2000/svg}"


def by_clause(rulebook: str, setup: Setup = PAIRS) -> dict[str, Item]:
    return {clause: item for item in needed(load(rulebook), setup) for clause in item.clauses}


def drawn(rulebook: str, setup: Setup = PAIRS) -> ElementTree.Element:
    return ElementTree.fromstring(as_svg(load(rulebook), setup))


def words(root: ElementTree.Element) -> str:
    return " ".join(" ".join(each.itertext()) for each in root.iter(f"{SVG}text"))


# --- what is needed --------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "2.1", "2.2", "2.2.2", "2.2.3", "2.2.3.1", "2.2.3.2", "2.2.3.3", "2.2.4")
@pytest.mark.clause("nsw-pontoon", "2.3", "2.3.2", "2.3.3", "2.3.4", "10.5")
@pytest.mark.clause("nsw-blackjack-challenge", "2.1", "2.2", "2.2.2", "2.2.2.1", "2.2.2.2", "2.2.2.3", "2.3", "2.3.2")
@pytest.mark.clause("nsw-blackjack-challenge", "2.3.3", "2.3.4", "2.3.4.2")
@pytest.mark.clause("adelaide-pontoon-2008", "2", "4", "4(a)", "4(b)", "4(c)", "4(d)", "28")
@pytest.mark.parametrize(
    ("rulebook", "setup", "wanted"),
    [
        (NSW, PAIRS, {
            "2.1": "players on one side, the dealer on the other", "2.2.2": "insurance line",
            "2.2.3.1": "Pontoon pays 3 to 2", "2.2.3.2": "Dealer must stand on hard 17 or soft 18",
            "2.2.3.3": "Insurance pays 2 to 1", "2.2.4": "a spot for Perfect Pairs at every box",
            "2.3.2": "discard rack for 8 decks", "2.3.3": "surrender buttons", "2.3.4": "float tray",
            "10.5": "What 21 pays",
        }),
        (BJC, JACKPOT, {
            "2.1": "players on one side, the dealer on the other", "2.2.2.1": "Blackjack pays 2 to 1",
            "2.2.2.2": "Dealer must stand on 17 and must draw to 16", "2.2.2.3": "a spot for Blazing 7s at every box",
            "2.3.2": "discard rack for 8 decks", "2.3.3": "float tray",
            "2.3.4.2": "a sensor for the jackpot at every box", "2.3.4.3": "a shuffling device, as there is a jackpot",
        }),
        (ADL, PAIRS, {
            "2": "players on one side, the dealer on the other", "4(a)": "Pontoon pays 3 to 2",
            "4(b)": "Dealer must stand on hard 17 or soft 18", "4(c)": "Insurance pays 2 to 1",
            "4(d)": "Perfect Pairs", "28": "What 21 pays",
        }),
    ],
)  # fmt: skip
def test_a_table_needs_what_its_document_lists(rulebook: str, setup: Setup, wanted: dict[str, str]) -> None:
    found = by_clause(rulebook, setup)
    assert {clause: found[clause].text for clause in wanted} == wanted
    shown = words(drawn(rulebook, setup))
    for clause, text in wanted.items():
        part = text if len(text) < 40 else text[:30]
        assert part in shown and clause in shown, clause
    terms = load(rulebook).layout
    cited = {clause for term in (terms.areas, terms.inscriptions, terms.equipment) for clause in term.clauses}
    assert cited >= {NSW: {"2.2", "2.2.3", "2.3"}, BJC: {"2.2", "2.2.2", "2.3"}, ADL: {"3", "4"}}[rulebook]


def test_what_is_not_offered_needs_no_place() -> None:
    plain = by_clause(NSW, Setup(7))
    assert "2.2.4" not in plain and "15.3" not in plain
    assert "2.4" in plain and "2.4" not in by_clause(NSW, Setup(7, cash=False))
    assert not {"2.3.4.1", "2.3.4.2", "16.3"} & set(by_clause(BJC, Setup(7, ("star-pairs",))))


@pytest.mark.clause("nsw-pontoon", "5.15", "6.4", "19.7", "19.12", "19.15")
@pytest.mark.clause("nsw-blackjack-challenge", "5.17", "6.4", "20.7", "20.12", "20.15")
@pytest.mark.clause("adelaide-pontoon-2008", "24", "115")
@pytest.mark.clause("canberra-pontoon-2005", "NI2005-73", "17.7", "17.8")
@pytest.mark.clause("canberra-pontoon-2002", "NI2002-25", "17.9", "17.10")
@pytest.mark.parametrize(
    ("rulebook", "told"),
    [
        (NSW, {"5.15": "where your wagers lie", "6.4": "within the limits", "19.7": "inspectors on duty",
               "19.12": "advises", "19.15": "No wagers among players"}),
        (BJC, {"5.17": "where your wagers lie", "6.4": "within the limits", "20.7": "inspectors on duty",
               "20.12": "advises", "20.15": "No wagers among players"}),
        (ADL, {"24": "where your wagers lie", "115": "advises"}),
        (ACT5, {"NI2005-73": "2005", "17.7": "advises", "17.8": "No wagers among players"}),
        (ACT2, {"NI2002-25": "2002", "17.9": "advises", "17.10": "No wagers among players"}),
    ],
)  # fmt: skip
def test_a_notice_tells_players_what_binds_them(rulebook: str, told: dict[str, str]) -> None:
    found = by_clause(rulebook)
    shown = words(drawn(rulebook))
    for clause, part in told.items():
        assert found[clause].kind == "notice" and part in found[clause].text
        assert clause in shown


@pytest.mark.clause("nsw-pontoon", "6.5.3")
@pytest.mark.clause("nsw-blackjack-challenge", "6.5.3")
@pytest.mark.parametrize("rulebook", [NSW, BJC])
def test_both_sets_of_limits_are_shown_while_two_minimums_run(rulebook: str) -> None:
    assert "6.5.3" not in by_clause(rulebook)
    both = msgspec.structs.replace(PAIRS, minimum_cents=1000, old_minimum_cents=500)
    assert by_clause(rulebook, both)["6.5.3"].lines == ("$5.00 to $500.00",)
    shown = words(drawn(rulebook, both))
    assert "$10.00 to $500.00" in shown and "$5.00 to $500.00" in shown
    table = open_table(rulebook, cards="6s 9h 8d 7d 6d 5d")
    table, _ = play(table, a.PlaceWager("alice", 1, 500))
    assert "old_minimum_cents" not in seen_by(Viewer("player", "bob"), table)["sign"]
    table, _ = play(table, a.SetLimits("casino-supervisor", 1000, 50_000))
    sign = seen_by(Viewer("player", "bob"), table)["sign"]
    assert (sign["minimum_cents"], sign["old_minimum_cents"]) == (1000, 500)
    table, _ = play(table, a.WithdrawWager("alice", 1), a.LeaveTable("alice"))
    assert "old_minimum_cents" not in seen_by(Viewer("player", "bob"), table)["sign"]


@pytest.mark.clause("adelaide-pontoon-2008", "35:note-d")
def test_a_notice_says_that_cards_are_pre_shuffled() -> None:
    assert "35:note-d" not in by_clause(ADL)
    sign = by_clause(ADL, msgspec.structs.replace(PAIRS, pre_shuffled=True))["35:note-d"]
    assert "Ask and they are" in " ".join(sign.lines)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_item_cites_a_clause_that_exists(rulebook: str) -> None:
    sides = tuple(name for name, bet in load(rulebook).side_bets.items() if bet.offered.value)
    items = needed(load(rulebook), Setup(7, sides))
    assert len(items) > 8
    assert [
        item for item in items if not item.clauses or not all(exists(rulebook, each) for each in item.clauses)
    ] == []


# --- the drawing -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "diagram:A", "diagram:B", "diagram:C", "diagram:D")
@pytest.mark.clause("nsw-blackjack-challenge", "diagram:A", "diagram:B", "diagram:C", "diagram:D")
@pytest.mark.clause("adelaide-pontoon-2008", "diagram:1")
@pytest.mark.parametrize(
    ("rulebook", "setup", "letter", "spots"),
    [
        (NSW, Setup(7), "A", ""),
        (NSW, PAIRS, "B", "Perfect"),
        (NSW, Setup(7, diagram="box-seat"), "C", ""),
        (NSW, msgspec.structs.replace(PAIRS, diagram="perfect-pairs-further"), "D", "Perfect"),
        (BJC, Setup(5), "A", ""),
        (BJC, Setup(6, ("any-pairs",)), "B", "Any"),
        (BJC, PAIRS, "C", "Perfect"),
        (BJC, JACKPOT, "D", "Star"),
        (ADL, PAIRS, "1", "Perfect"),
    ],
)
def test_the_drawing_follows_a_diagram(rulebook: str, setup: Setup, letter: str, spots: str) -> None:
    like = diagram(load(rulebook), setup)
    assert like is not None and like[1] == (f"diagram:{letter}",)
    root = drawn(rulebook, setup)
    assert f"after diagram {letter};" in words(root)
    boxes = [each for each in root.iter(f"{SVG}g") if "rotate" in each.get("transform", "")]
    lettered = ["".join(each.itertext()) for each in boxes]
    assert sum(text.isdigit() for text in lettered) == setup.boxes
    assert sum(bool(spots) and text.startswith(spots) for text in lettered) == (setup.boxes if spots else 0)
    circles = [each.get("class") for each in root.iter(f"{SVG}circle")]
    assert circles.count("sensor") == (setup.boxes if "blazing-7s" in setup.side_bets else 0)
    assert circles.count("seat") == (setup.boxes if setup.diagram == "box-seat" else 0)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_drawing_is_to_scale_and_numbers_every_item(rulebook: str) -> None:
    root = drawn(rulebook)
    assert root.get("width") == f"{SHEET // SCALE}mm"
    assert f"scale({cloth.MM})" in ElementTree.tostring(root, "unicode")
    numbers = [int(each.text or 0) for each in root.iter(f"{SVG}text") if each.get("font-weight") == "bold"
               and (each.text or "").isdigit()]  # fmt: skip
    legend = {number for number in numbers if numbers.count(number) >= 1}
    count = len(needed(load(rulebook), PAIRS))
    assert legend == set(range(1, count + 1))
    placed = {number for number in numbers if numbers.count(number) == 2}
    assert placed == legend, "every item of the legend is found on the sheet"


@pytest.mark.parametrize("boxes", [5, 6, 7])
def test_boxes_lie_apart_from_each_other_and_from_the_line(boxes: int) -> None:
    at = [cloth.place(box, boxes) for box in range(1, boxes + 1)]
    assert at[0].x > at[-1].x, "box 1 is at the dealer's left, the right of the picture"
    for one, two in itertools.pairwise(at):
        assert ((one.x - two.x) ** 2 + (one.y - two.y) ** 2) ** 0.5 * cloth.MM > 200
    for each in at:
        far = ((each.x - cloth.MIDDLE_X) ** 2 + (each.y - cloth.MIDDLE_Y) ** 2) ** 0.5
        assert far - 40 > cloth.LINE + cloth.LINE_HALF


def test_the_felt_in_the_browser_has_the_same_arrangement() -> None:
    text = ARRANGEMENT.read_text("utf-8")
    assert json.loads(text[text.index("{") : text.rindex("}") + 1]) == cloth.arrangement()
    assert "const WIDE = 1" not in (ARRANGEMENT.with_name("cloth.js")).read_text("utf-8")


def test_a_pdf_is_made_of_the_drawing() -> None:
    pytest.importorskip("vl_convert")
    assert as_pdf(as_svg(load(ACT5), PAIRS)).startswith(b"%PDF")


# --- choices ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "2.2.3")
@pytest.mark.clause("nsw-blackjack-challenge", "2.2.2")
@pytest.mark.clause("adelaide-pontoon-2008", "4")
def test_free_words_are_two_choices_and_printed_ones_are_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert layout(NSW, inscription="short") == 0
    assert "2.2.3.2\tinscription\tDealer stands on hard 17 or soft 18" in capsys.readouterr().out
    assert layout(BJC, inscription="short") == 0
    assert "2.2.2.2\tinscription\tDealer stands on 17, draws to 16" in capsys.readouterr().out
    with pytest.raises(Unread, match=r"Adelaide pontoon 4: .*one wording only"):
        layout(ADL, inscription="short")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"shape": "star"}, "no shape 'star'. Known: circle, oval, rectangle."),
        ({"inscription": "long"}, "no inscription 'long'. Known: full, short."),
        ({"diagram": "box"}, "no diagram 'box'. The document has: plain,"),
        ({"svg": "/no/such/folder/a.svg"}, "/no/such/folder/a.svg: cannot be written: no such file"),
        ({"check": "/no/such.toml"}, "/no/such.toml: cannot be read:"),
        ({"old_minimum": "ten"}, "--old-minimum:"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_sentence(words: dict[str, str], told: str) -> None:
    with pytest.raises(Unread) as said:
        layout(NSW, **words)  # type: ignore[arg-type]
    assert told in str(said.value)


# --- a real table ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_table_that_is_wanted_lacks_nothing_and_each_thing_taken_away_is_missed(
    rulebook: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    assert layout(rulebook, house=Choices(side_bets="perfect-pairs"), describe=str(file)) == 0
    assert layout(rulebook, check=str(file)) == 0
    assert "is missing" in capsys.readouterr().out
    book, whole = load(rulebook), tomllib.loads(file.read_text("utf-8"))
    for key in ("areas", "inscriptions", "equipment", "signs", "notices"):
        for at, name in enumerate(whole[key]):
            less = {**whole, key: whole[key][:at] + whole[key][at + 1 :]}
            missed = lacks(book, msgspec.convert(less, type(read_found("boxes = 7", ""))))
            if key == "inscriptions" and not book.layout.inscriptions.value:
                assert missed == (), "nothing is prescribed"
            else:
                assert missed and all(exists(rulebook, clause) for each in missed for clause in each.clauses), name


def test_what_is_there_otherwise_is_told_with_its_clause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = {**described(load(NSW), Setup(7)), "boxes": 6, "rack_decks": 6, "source_place": "dealers-right"}
    table["inscriptions"] = ["PONTOON PAYS 3:2", "Dealer stands on hard 17 or soft 17", "Insurance pays 2 to 1"]
    file = tmp_path / "table.toml"
    file.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()), "utf-8")
    assert layout(NSW, check=str(file)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "NSW pontoon 2.2.1: a layout has seven boxes; this one has 6.",
        "NSW pontoon 2.2.3.2: the cloth lacks the inscription “Dealer must stand on hard 17 or soft 18”.",
        "NSW pontoon 2.3.2: the discard rack is to hold 8 decks; it holds 6.",
        "NSW pontoon 3.6: the shoe stands at the dealer's left.",
    ]


def test_printed_words_are_wanted_as_they_are() -> None:
    table = {**described(load(ADL), PAIRS), "inscriptions": ["Pontoon 3:2", "Perfect Pairs"]}
    found = read_found("".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()), "table")
    assert {each.clauses[0] for each in lacks(load(ADL), found)} == {"4(a)", "4(b)", "4(c)"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("boxes = ", "not TOML"),
        ("boxes = 'seven'", "expected `int`, got `str` - at `$.boxes`; it may say boxes,"),
        ("boxes = 7\ncolour = 'red'", "colour"),
        ("", "missing required field `boxes`"),
    ],
)
def test_a_description_that_cannot_be_read_is_told_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(LayoutError, match=re.escape(told)) as said:
        read_found(text, "table.toml")
    assert "\n" not in str(said.value) and str(said.value).startswith("table.toml: ")


@pytest.mark.clause("nsw-pontoon", "10.5", "10.5:T1:other", "10.5:T1:note-double", "10.5:T2:others-50")
@pytest.mark.clause("nsw-pontoon", "10.5:T2:note-split-double")
def test_the_whole_schedule_stands_on_the_sign() -> None:
    sign = by_clause(NSW)["10.5"].lines
    assert sign[-6:] == (
        "any other win: 1 to 1", "doubled hands: 1 to 1", "Super Bonus from $5.00: $1,000.00",
        "Super Bonus from $25.00: $5,000.00", "each other player in that round: $50.00",
        "no bonus on hands split or doubled",
    )  # fmt: skip
    assert by_clause(ADL)["28"].lines[-2:] == ("any other win: 1 to 1", "doubled hands: 1 to 1")
