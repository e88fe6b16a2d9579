"""Writing a record: text that reads back to an equal record, laid out as people write it, as TOML and as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.records import Expect, Play, Record, RecordError, dumps, dumps_lines, loads, loads_lines, read
from pitboss.records.model import Before, Standing
from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table.house import Patron, default_house

ROUNDS = Path(__file__).parents[1] / "rounds"
NSW = load("nsw-pontoon")

FULL = Record(
    title='Quotes " and \\ and é',
    rulebook="nsw-pontoon",
    clauses=("12.1.1", "10.5:T1:5-card-21"),
    stacks=(("6s", "9h"), (), ("5d",) * 8 + ("Kc",) * 8 + ("2c", "3c", "4c") * 8),
    play=(
        Play(a.PlaceWager("alice", 1, 1250, "perfect-pairs", 250, True), "6.1"),
        Play(a.Double("bob", 0, 1000), "*"),
        Play(a.Shuffle((), "multishuffler")),
        Play(a.OrderShuffle("casino-supervisor", 'a "marked" card \\ é')),
    ),
    house=default_house(
        NSW,
        decks=6,
        source="shuffling-device",
        minimum_cents=250,
        maximum_cents=100_001,
        chips_cents=(5, 250),
        side_bets=("perfect-pairs",),
        side_limits={"perfect-pairs": (50, 1050)},
        resplit=True,
        deferred=True,
        jackpot_cents=123,
        patrons="book",
    ),
    new_shoe=True,
    start="shuffle",
    cutting_card=17,
    players={"alice": Patron(seat=2, card=False, chips_cents=1, loss_limit_cents=250), "bob": Patron()},
    standings={
        "alice": Standing(
            True,
            500,
            1_000_000,
            "late-entry",
            True,
            2,
            (3, 4),
            True,
            (1, 3, 9),
            2,
            "a device é",
            True,
            "ruled",
            -50,
            0,
            25,
            75,
            True,
            True,
        ),
        "bob": Standing(present=False),
    },
    before=Before(
        9,
        ("6s", "Kd"),
        1,
        2,
        5,
        3,
        ("perfect-pairs",),
        "cutting-card",
        -1,
        "alice",
        True,
        True,
        (("Kh", True), ("5d", False)),
        "gaming-manager",
        "check",
        True,
        True,
        True,
        checks_due=("decks", "inspector"),
    ),
    variant={"dealer.soft_stand": 17, "boxes.control": ["nearest", "seated", "highest"], "insurance.odds": "3 to 1"},
    expect=Expect({"alice": -1250, "bob": 7}, (), 3, 5_000_000),
)


def test_everything_that_a_record_can_say_is_written_and_read_back() -> None:
    text = dumps(FULL)
    assert loads(text) == FULL
    assert dumps(loads(text)) == text
    lines = dumps_lines(FULL)
    assert loads_lines(lines) == FULL
    assert dumps_lines(loads_lines(lines)) == lines


def test_the_full_record_differs_from_the_defaults_in_every_field() -> None:
    """So that no field can be forgotten by the writer unnoticed."""
    for found, usual in ((FULL.before, Before()), (FULL.standings["alice"], Standing())):
        assert [name for name in type(found).__slots__ if getattr(found, name) == getattr(usual, name)] == []


@pytest.mark.parametrize("folder", sorted(ROUNDS.iterdir()), ids=lambda folder: folder.name)
def test_every_record_is_written_and_read_back(folder: Path) -> None:
    for file in sorted(folder.glob("*.round")):
        found = read(file)
        assert loads(dumps(found)) == found, file
        assert loads_lines(dumps_lines(found)) == found, file


def test_the_layout_is_that_of_the_samples() -> None:
    """A record laid out as people do comes out as it went in, comments apart."""
    text = (ROUNDS / "adelaide-pontoon-2008" / "maximum-is-per-player-per-box.round").read_text(encoding="utf-8")
    assert dumps(loads(text)) == text[: text.index("\n# Each player")]


def test_a_long_stack_goes_over_several_lines() -> None:
    text = dumps(FULL)
    assert 'cards = """\n6s 9h\n/\n/ 5d 5d' in text
    assert max(map(len, text.splitlines())) <= 120


amounts = st.integers(1, 10**8)


@given(
    title=st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), min_size=1).filter(
        lambda text: text.strip() != "" and text.isprintable() and len(text) < 300
    ),
    minimum=amounts,
    over=amounts,
    chips=st.lists(st.sampled_from((1, 5, 50, 100, 250, 333, 500, 2500, 10**8)), min_size=1, unique=True),
    net=st.dictionaries(st.sampled_from(("alice", "bob", "carol", "dave")), st.integers(-(10**9), 10**9)),
    stacks=st.lists(st.lists(st.sampled_from(("As", "2h", "Kd", "9c")), max_size=8), min_size=1, max_size=3),
)
@settings(max_examples=150, deadline=None)
def test_any_record_is_written_and_read_back(
    title: str, minimum: int, over: int, chips: list[int], net: dict[str, int], stacks: list[list[str]]
) -> None:
    house = default_house(NSW, minimum_cents=minimum, maximum_cents=minimum + over, chips_cents=tuple(chips))
    found = Record(title, "nsw-pontoon", tuple(map(tuple, stacks)), (), house, expect=Expect(net))
    assert loads(dumps(found)) == found
    assert loads_lines(dumps_lines(found)) == found


# --- JSON lines ---


def test_json_lines_have_one_object_a_line() -> None:
    found = read(ROUNDS / "nsw-pontoon" / "highest-wager-controls-the-box.round")
    objects = [json.loads(line) for line in dumps_lines(found).splitlines()]
    assert objects[0]["pitboss-record"] == 1 and objects[0]["rulebook"] == "nsw-pontoon"
    assert objects[1] == {"act": "PlaceWager", "player": "alice", "box": 1, "cents": 1000}
    assert objects[4] == {"act": "Hit", "player": "alice", "box": 1, "refused": "5.6"}
    assert objects[-1] == {"expect": {"net": {"alice": 10, "bob": 30}, "dealer": "6c 9d Kh", "left": 0}}


HEADER = '{"pitboss-record":1,"title":"t","rulebook":"nsw-pontoon","cards":"6s"}\n'

UNREADABLE = [
    ("", 'f.jsonl:1: the first line must be an object with "pitboss-record": 1'),
    ("{}", "f.jsonl:1: the first line must be"),
    ("[1]", "f.jsonl:1: not a JSON object: "),
    ("{", "f.jsonl:1: not a JSON object: "),
    ('{"pitboss-record":2}', 'f.jsonl:1: pitboss-record "2" is not known, only 1'),
    ('{"pitboss-record":1}', ": rulebook is missing"),
    (HEADER.replace("6s", "6x"), "f.jsonl:1: cards: '6x' is not a card"),
    (HEADER.replace('"6s"', '"6s","play":[]'), "f.jsonl:1: no such key: play"),
    (HEADER.replace('"t"', '"\\ud800"'), "f.jsonl:1: "),
    (HEADER.replace('"t"', '"\\u0007"'), "f.jsonl:1: title must be one line"),
    (HEADER + "nonsense", "f.jsonl:2: not a JSON object: "),
    (HEADER + "[" * 5000, "f.jsonl:2: "),
    (HEADER + '{"act":"Hitt"}', 'f.jsonl:2: "Hitt": no such act. Known: TakeSeat, '),
    (HEADER + '{"act":["Hit"]}', "no such act. Known: TakeSeat, "),
    (HEADER + "{}", 'f.jsonl:2: "": no such act'),
    (HEADER + '{"act":"Hit"}', "f.jsonl:2: Hit: Object missing required field `player`"),
    (HEADER + '{"act":"Hit","player":"alice","depth":3}', 'f.jsonl:2: Hit has no "depth". Known: player, box'),
    (HEADER + '{"act":"Hit","player":7}', "f.jsonl:2: Hit: Expected `str`"),
    (HEADER + '{"act":"Hit","player":"alice","box":-1}', 'f.jsonl:2: "alice hits on -1": "-1" is not a box'),
    (HEADER + '{"act":"Hit","player":"dealer"}', "f.jsonl:2: "),
    (HEADER + '{"act":"Hit","player":"alice","refused":5}', 'f.jsonl:2: "refused" must be a clause'),
    (HEADER + '{"act":"Hit","player":"alice","refused":""}', "f.jsonl:2: "),
    (HEADER + '{"act":"PlaceWager","player":"alice","box":1,"cents":1.5}', "f.jsonl:2: PlaceWager: Expected `int`"),
    (HEADER + '{"act":"PlaceWager","player":"alice","box":1,"cents":-5}', "f.jsonl:2: "),
    (HEADER + '{"act":"PlaceWager","player":"alice","box":1,"cents":99999999999999999999999}', "f.jsonl:2: "),
    (HEADER + '{"act":"Mix","order":[]}', "f.jsonl:2: no play line says Mix"),
    (HEADER + '{"act":"Shuffle","order":["6s"]}', "f.jsonl:2: "),
    (HEADER + '{"expect":{"left":-1}}', "f.jsonl:2: expect.left must be from 0 to 1000000"),
    (HEADER + '{"expect":{},"more":1}', 'f.jsonl:2: no such key: "more". Known: expect'),
    (HEADER + '{"expect":{"net":{"alice":1e400}}}', "f.jsonl:2: expect.net.alice must be"),
    (HEADER + '{"expect":{}}\n{"act":"Deal"}', "f.jsonl:2: "),
]


@pytest.mark.parametrize(("text", "told"), UNREADABLE, ids=[str(number) for number in range(len(UNREADABLE))])
def test_json_lines_that_cannot_be_read(text: str, told: str) -> None:
    with pytest.raises(RecordError) as raised:
        loads_lines(text, "f.jsonl")
    assert told in str(raised.value)
    assert str(raised.value).isprintable()


def test_a_header_alone_is_a_record() -> None:
    assert loads_lines(HEADER).play == ()


def test_json_lines_are_read_from_a_file_by_its_name(tmp_path: Path) -> None:
    found = read(ROUNDS / "nsw-pontoon" / "highest-wager-controls-the-box.round")
    file = tmp_path / "one.jsonl"
    file.write_text(dumps_lines(found), encoding="utf-8")
    assert read(file) == found
    assert msgspec.json.decode(file.read_bytes().splitlines()[0])["title"] == found.title
