"""Reading a record: what it says, and one sentence with file, line and reason for everything that cannot be read."""

from __future__ import annotations

import datetime
import inspect
import re
from pathlib import Path

import pytest

from pitboss.records import Record, RecordError, loads, read, replay
from pitboss.records.places import places
from pitboss.records.read import LARGEST_FILE_BYTES, SHUFFLE_REASONS
from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table.events import ShuffleDue
from pitboss.table.house import default_house

HEAD = """\
title    = "A doubled 21 is paid even money"
rulebook = "nsw-pontoon"
clauses  = ["12.1.1", "12.2"]

cards = "6s 9h 5d Kc"

play = [
  "alice bets 25 on 1",
  "dealer deals",
  "alice doubles on 1",              # 11 + K = 21
]
"""
WHOLE = (
    HEAD
    + """
[table]
decks     = 8
minimum   = 5
chips     = [1, 2.5, 5, 25, 100]
limits.perfect-pairs = { minimum = 1, maximum = 12.50 }

[players.alice]
seat = 1
chips = 500

[expect]
net    = { alice = 50 }
dealer = "9h"
left   = 0
"""
)


def complaint(text: str) -> str:
    with pytest.raises(RecordError) as raised:
        record = loads(text, "late-night.round")
        replay(record)
    told = str(raised.value)
    assert told.isprintable() and len(told) < 700
    return told


def test_a_record_says_what_its_file_says() -> None:
    record = loads(WHOLE, "late-night.round")
    assert record.title == "A doubled 21 is paid even money"
    assert record.clauses == ("12.1.1", "12.2")
    assert record.stacks == (("6s", "9h", "5d", "Kc"),)
    assert [play.act for play in record.play] == [a.PlaceWager("alice", 1, 2500), a.Deal(), a.Double("alice", 1)]
    assert [play.line for play in record.play] == [8, 9, 10]
    assert record.house.side_limits == {"perfect-pairs": (100, 1250)}
    assert record.players["alice"].seat == 1 and record.players["alice"].chips_cents == 50000
    assert record.expect.net_cents == {"alice": 5000}
    assert record.expect.dealer == ("9h",) and record.expect.left == 0
    assert replay(record).ok


def test_what_a_record_leaves_out_has_a_default() -> None:
    record = loads(HEAD)
    assert record.house == default_house(load("nsw-pontoon"))
    assert (record.house.decks, record.house.source, record.house.chips_cents) == (
        8,
        "shoe",
        (100, 250, 500, 2500, 10000),
    )
    assert not record.new_shoe and record.start == "ready" and record.cutting_card is None
    assert record.expect.is_empty


def test_every_key_of_the_table_is_read() -> None:
    text = HEAD.replace("nsw-pontoon", "nsw-blackjack-challenge") + (
        '[table]\ndecks = 6\nsource = "shuffling-device"\nnew_shoe = true\nstart = "ready"\nminimum = 10\n'
        'maximum = 500.00\nside_bets = ["any-pairs", "blazing-7s"]\njackpot = 60000.50\njackpot_minimum = 50000\n'
        "jackpot_rate = 10\njackpot_linked = true\nboxes = 7\ncutting_card = 60\ndate = 2024-08-18\nmultiples = true\n"
        "player_maximum = 2000\nchips = [0.5, 5]\nlow_limit = true\nresplit = false\nrequired = []\n"
    )
    record = loads(text)
    house = record.house
    assert (house.decks, house.source, house.minimum_cents, house.maximum_cents) == (6, "shuffling-device", 1000, 50000)
    assert house.side_bets == ("any-pairs", "blazing-7s")
    assert (house.jackpot_cents, house.jackpot_rate_percent, house.jackpot_linked) == (6_000_050, 10, True)
    assert house.date == datetime.date(2024, 8, 18)
    assert record.new_shoe and record.cutting_card == 60


def test_white_space_is_free_and_a_stroke_begins_a_new_stack() -> None:
    record = loads(HEAD.replace('"6s 9h 5d Kc"', '"""\n6s 9h\n\t5d/Kc /\n"""'))
    assert record.stacks == (("6s", "9h", "5d"), ("Kc",), ())


def test_a_variant_may_be_quoted_or_not() -> None:
    quoted = loads(HEAD + '[variant]\n"dealer.soft_stand" = 17\n')
    plain = loads(HEAD + "[variant]\ndealer.soft_stand = 17\n")
    assert replay(quoted).rulebook == replay(plain).rulebook
    assert "study variant: dealer.soft_stand = 17" in replay(quoted).rulebook.name


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "windows.round"
    file.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    record = read(file)
    assert record == loads(WHOLE)
    assert [play.line for play in record.play] == [8, 9, 10]


def with_table(line: str) -> str:
    return HEAD + "\n[table]\n" + line + "\n"


def with_alice(line: str) -> str:
    return HEAD + "\n[players.alice]\n" + line + "\n"


def with_expect(line: str) -> str:
    return HEAD + "\n[expect]\n" + line + "\n"


UNREADABLE = [
    # --- the file
    (
        HEAD.replace('"alice doubles on 1"', '"alice dubbles on 1"'),
        ':10: "alice dubbles on 1": no such act. Known: bets, ',
    ),
    (HEAD.replace("dealer deals", "alice bets 25 on 1x"), ':9: "alice bets 25 on 1x": "1x" is not a box'),
    ("title = ", ":1: not TOML: Invalid value"),
    (HEAD + "what is this", ":12: not TOML: Expected '=' after a key"),
    (HEAD + "title = 'again'", ":12: not TOML: Cannot overwrite a value"),
    (HEAD + 'x = "no end', ":12: not TOML: Unterminated string"),
    (HEAD + "x = [1, 2", ":12: not TOML: Unclosed array, and the file ends"),
    (HEAD + "\x00", ":12: not TOML: "),
    (HEAD.replace("25 on 1", "25 \x07 on 1"), ":8: not TOML: Illegal character"),
    (HEAD + "x = " + "[" * 5000, ": lists or tables are nested too deeply"),
    (HEAD + "x = " + "{a=" * 5000, ": lists or tables are nested too deeply"),
    (HEAD + "x = " + "9" * 5000, ":12: a number of more digits than any amount has"),
    (HEAD + "a" + ".a" * 100_000 + " = 1", ':12: ".a.a.a'),
    (HEAD + "a" + ' . "b"' * 100 + " = 1", "a key of too many parts"),
    # --- the head
    (
        HEAD.replace("title ", "titel "),
        ":1: no such key: titel. Known: title, rulebook, edition, clauses, cards, play, ",
    ),
    ("\n".join(HEAD.splitlines()[1:]), ": title is missing: a record has title, rulebook, cards and play"),
    (HEAD.replace('cards = "6s 9h 5d Kc"', ""), ": cards is missing"),
    (HEAD.replace("nsw-pontoon", "nsw-poontoon"), ':2: rulebook: "nsw-poontoon" is none of nsw-pontoon, '),
    (HEAD.replace('"nsw-pontoon"', "7"), ':2: rulebook: "7" is none of nsw-pontoon, '),
    (HEAD.replace('"A doubled 21 is paid even money"', "21"), ":1: title must be text in quotes, not a whole number"),
    (
        HEAD.replace('"A doubled 21 is paid even money"', '""'),
        ":1: title must be one line of 1 to 300 printable characters",
    ),
    (HEAD.replace("A doubled", "A\\u001b[31m doubled"), ":1: title must be one line"),
    (HEAD.replace('["12.1.1", "12.2"]', '"12.1.1"'), ':3: clauses must be a list in brackets, not the text "12.1.1"'),
    (HEAD.replace('"12.2"]', "12.2]"), ":3: clauses.1 must be text in quotes, not a decimal number"),
    (HEAD.replace('"12.2"]', '""]'), ':3: "" is not a clause'),
    # --- cards
    (HEAD.replace("9h", "9x"), ":5: cards: '9x' is not a card: write the rank"),
    (HEAD.replace("9h", "10h"), ":5: cards: '10h' is not a card"),
    (HEAD.replace("9h", "X" * 5000), ":5: cards: a word of many letters is not a card"),
    (HEAD.replace("9h", "Jo"), ":5: more jokers than the 0 that the table says are in the cards"),
    (HEAD.replace('"6s 9h 5d Kc"', '["6s"]'), ":5: cards must be text in quotes, not a list"),
    # --- play
    (HEAD.replace('"dealer deals"', "7"), ":9: play.1 must be text in quotes, not a whole number"),
    (HEAD.replace("play = [", 'play = "x" # ['), "not TOML"),
    (HEAD[: HEAD.index("play")] + 'play = "dealer deals"', ":7: play must be a list in brackets, not the text"),
    (HEAD[: HEAD.index("play")] + 'play = ["""dealer\n  deals""",\n"x y"]', ':9: "x y": no such act'),
    # --- the table
    (with_table("deks = 8"), ":14: no such key: table.deks. Known: decks, source, "),
    (with_table("decks = 5"), ": this table may not be opened: NSW pontoon 3.1: the game is played with"),
    (with_table("decks = 0"), ':14: table.decks must be from 1 to 100, not "0"'),
    (with_table("decks = true"), ":14: table.decks must be a whole number, not true or false"),
    (with_table("decks = 8.0"), ":14: table.decks must be a whole number, not a decimal number"),
    (
        with_table("decks = 0x" + "f" * 4000),
        ':14: table.decks must be from 1 to 100, not "a number of more than 40 digits"',
    ),
    (with_table('source = "hat"'), ':14: table.source: "hat" is none of shoe, shuffling-device'),
    (with_table("minimum = -5"), ":14: table.minimum must not be negative"),
    (
        with_table("minimum = true"),
        ":14: table.minimum must be an amount in dollars, as in 25 or 12.50, not true or false",
    ),
    (with_table("minimum = nan"), ":14: table.minimum must be an amount in dollars, as in 25 or 12.50: this is none"),
    (with_table("maximum = inf"), ":14: table.maximum must be an amount in dollars"),
    (with_table("maximum = 1e999999999"), ":14: table.maximum must be at most 1000000000 dollars"),
    (with_table("maximum = 1e99999999999999999999999"), ":14: table.maximum must be an amount in dollars"),
    (with_table("minimum = 1e-999999999"), "has more than two decimals"),
    (with_table("minimum = 5.005"), ':14: table.minimum: "5.005" has more than two decimals'),
    (
        with_table('minimum = "5"'),
        ':14: table.minimum must be an amount in dollars, as in 25 or 12.50, not the text "5"',
    ),
    (with_table("minimum = 2000"), ":14: table: the minimum is above the maximum"),
    (with_table("minimum = 0"), "this table may not be opened"),
    (with_table("chips = []"), ":14: chips: write 1 to 30 denominations from 0.01 to 1000000 dollars"),
    (with_table("chips = [0]"), ":14: chips: write 1 to 30 denominations"),
    (with_table("chips = [5, 5.00]"), ":14: chips names a denomination twice"),
    (with_table("chips = [" + ", ".join(map(str, range(1, 40))) + "]"), ":14: chips: write 1 to 30"),
    (with_table("chips = [999999.99, 1000000]"), ":14: chips: the denominations have too little in common"),
    (with_table("chips = [1, nan]"), ":14: table.chips.1 must be an amount in dollars"),
    (with_table("boxes = 100"), ':14: table.boxes must be from 1 to 99, not "100"'),
    (with_table("boxes = 12"), "this table may not be opened: NSW pontoon"),
    (with_table('side_bets = ["perfect-pears"]'), ':14: table.side_bets.0: "perfect-pears" is none of perfect-pairs, '),
    (
        with_table('side_bets = ["perfect-pairs", "perfect-pairs"]'),
        ":14: table.side_bets names an optional wager twice",
    ),
    (with_table('side_bets = ["star-pairs"]'), "this table may not be opened: NSW pontoon"),
    (
        with_table("limits.perfect-pairs = { minimum = 1 }"),
        ":14: table.limits.perfect-pairs needs a minimum and a maximum",
    ),
    (with_table("limits.perfect-pairs = { minimum = 9, maximum = 1 }"), "the minimum is above the maximum"),
    (with_table("limits.perfect-pairs = 5"), ":14: table.limits.perfect-pairs must be a table of keys and values"),
    (with_table("limits.original = { minimum = 1, maximum = 5 }"), '"original" is none of perfect-pairs, '),
    (with_table("date = 2024-08-18T10:00:00"), ":14: table.date must be a date, as in 2024-08-18, not a date or time"),
    (with_table("date = 10:00:00"), ":14: table.date must be a date"),
    (with_table('start = "later"'), ':14: table.start: "later" is none of ready, shuffle'),
    (with_table("new_shoe = 1"), ":14: table.new_shoe must be true or false, not a whole number"),
    (with_table("cutting_card = -1"), ":14: table.cutting_card must be from 0 to 5200"),
    (with_table("burned = 1"), ":14: table.burned counts more cards than table.rack holds"),
    (with_table("device_down = true"), ':14: only a device fails: write source = "shuffling-device" where '),
    (with_table("new_cards_due = true"), ':14: only a device fails: write source = "shuffling-device" where '),
    (with_table('drawn_in_error = "Kh"'), ":14: table.drawn_in_error must be a list in brackets, not the text"),
    (
        with_table('drawn_in_error = ["Kh 5d"]'),
        ':14: table.drawn_in_error.0 must be a card, as in "Kh" or "Kh exposed"',
    ),
    (with_table('drawn_in_error = [""]'), ':14: table.drawn_in_error.0 must be a card, as in "Kh" or "Kh exposed"'),
    (
        with_table('checks_due = ["table"]'),
        ':14: table.checks_due.0: "table" is none of decks, surveillance, inspector',
    ),
    (with_table('approval_due = "alice"'), ':14: table.approval_due: "alice" is none of assistant-gaming-manager, '),
    (with_table('shuffle_after = "start"'), ':14: table.shuffle_after: "start" is none of cut-missed, shuffle-missed'),
    (with_alice('dispute = "open"'), ':14: players.alice.dispute: "open" is none of raised, ruled, review, final'),
    (with_alice('barred = ""'), ":14: players.alice.barred must be one line of 1 to 500 printable characters"),
    (with_alice('barred = "a\\nb"'), ":14: players.alice.barred must be one line of 1 to 500 printable characters"),
    (with_alice("over = -1"), ":14: players.alice.over must not be negative"),
    (HEAD + "table = 7", ":12: table must be a table of keys and values, not a whole number"),
    (HEAD + "[[table]]\ndecks = 8", ":12: table must be a table of keys and values, not a list"),
    # --- players
    (with_alice("seet = 1"), ":14: no such key: players.alice.seet. Known: seat, card, "),
    (with_alice("seat = 9"), ":14: players.alice.seat: there is no box 9, the table has 7"),
    (with_alice("seat = 2\n[players.bob]\nseat = 2"), ":16: players.bob.seat: box 2 is alice's already"),
    (with_alice("chips = -1"), ":14: players.alice.chips must not be negative"),
    (with_alice("played = [2, 1]"), ":14: players.alice.played must name each round once, from the first to the last"),
    (with_alice('restricted = "zeal"'), ':14: players.alice.restricted: "zeal" is none of late-entry, '),
    (
        with_alice('restricted = "recognised-player"'),
        ':14: this rulebook has no restriction "recognised-player". Known: ',
    ),
    (HEAD + "[players.dealer]\nseat = 1", ':12: "dealer" cannot be a player\'s name'),
    (HEAD + '[players."al ice"]\nseat = 1', ':12: "al ice" is not a name'),
    (HEAD + "players.alice = 1", ":12: players.alice must be a table of keys and values"),
    # --- expectations
    (with_expect("net = 5"), ":14: expect.net must be a table of keys and values, not a whole number"),
    (with_expect("net = { alice = 1.005 }"), ':14: expect.net.alice: "1.005" has more than two decimals'),
    (with_expect("net = { dealer = 5 }"), ':14: "dealer" cannot be a player\'s name'),
    (with_expect('dealer = "9z"'), ":14: expect.dealer: '9z' is not a card"),
    (with_expect("left = -1"), ":14: expect.left must be from 0 to 1000000"),
    (with_expect("jackpot = -1"), ":14: expect.jackpot must not be negative"),
    (with_expect("netto = 5"), ":14: no such key: expect.netto. Known: net, dealer, left, jackpot"),
    # --- variants
    (HEAD + '[variant]\n"dealer.soft_stant" = 17', ":12: variant: "),
    (HEAD + '[variant]\n"dealer.soft_stand" = "late"', ":12: variant: "),
    (HEAD + '[variant]\n"dealer.soft_stand" = 17.5', ":13: variant.dealer.soft_stand must be a whole number, text"),
]


@pytest.mark.parametrize(("text", "told"), UNREADABLE, ids=[told[:60] for _, told in UNREADABLE])
def test_unreadable(text: str, told: str) -> None:
    got = complaint(text)
    assert got.startswith("late-night.round:")
    assert told in got


def test_the_complaint_of_the_manual() -> None:
    text = HEAD.replace('  "dealer deals",\n', "").replace("alice doubles on 1", "alice dubbles on 1")
    assert complaint(text).startswith('late-night.round:9: "alice dubbles on 1": no such act. Known: bets, ')


def test_the_same_line_twice_is_found_where_it_is_wrong() -> None:
    """The place is the element's, not the first text that looks like it."""
    text = HEAD.replace('"alice doubles on 1",', '"alice hits on 1", "bob hits", "alice hits on 1",\n  "bob hits on",')
    assert complaint(text).startswith('late-night.round:11: "bob hits on": BOX is missing')


def test_files_that_are_no_records(tmp_path: Path) -> None:
    def told(name: str, data: bytes) -> str:
        file = tmp_path / name
        file.write_bytes(data)
        with pytest.raises(RecordError) as raised:
            read(file)
        return str(raised.value).replace(str(file), name)

    assert told("a.round", b"title = 'x'\n\xff\xfe") == "a.round:2: not UTF-8 text: byte 0xff"
    assert told("b.round", b"x" * (LARGEST_FILE_BYTES + 1)) == "b.round: larger than 40 MB, no record is"
    assert told("c.round", b"") == "c.round: rulebook is missing: a record has title, rulebook, cards and play"
    assert told("d.round", b"\x00" * 100).startswith("d.round:1: not TOML: ")
    with pytest.raises(RecordError, match=r"none\.round: cannot be read: no such file"):
        read(tmp_path / "none.round")
    with pytest.raises(RecordError, match="cannot be read: is a directory"):
        read(tmp_path)
    with pytest.raises(RecordError, match="a character that no file name has"):
        read("a\0b.round")


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "#" * 3_900_000,
        HEAD + "\n".join(f"k{number} = 1" for number in range(100_000)),
        HEAD.replace("6s 9h 5d Kc", "6s " * 1_000_000),
        HEAD.replace('"dealer deals",', '"dealer deals",' * 150_000),
        HEAD + "x = [" + "[]," * 500_000 + "]",
        HEAD + "[a" + ".a" * 1_900_000 + "]",
        HEAD + 'x = "' + "\\n" * 1_900_000 + '"',
        HEAD + "[[a]]\n" * 200_000,
        HEAD + '."' * 1_000_000,
    ],
    ids=range(9),
)
def test_huge_files_are_answered_soon(text: str) -> None:
    import time

    began = time.process_time()  # what it costs us, whatever else the machine does
    with pytest.raises(RecordError):
        loads(text + "\nx = 1", "huge.round")
    assert time.process_time() - began < 15


def test_places_of_keys_and_elements() -> None:
    lines = places(
        'a = 1\n"b c".d = [\n  1, # one\n  { e = """x\ny""", f = [2,\n 3] },\n]\n'
        "[g.h]\ni = '''\n\n'''\n[[j]]\nk = 2024-01-01 10:00:00\n"
    )
    assert lines[("a",)] == 1
    assert lines[("b c", "d")] == 2
    assert lines[("b c", "d", 0)] == 3
    assert lines[("b c", "d", 1)] == 4
    assert lines[("b c", "d", 1, "e")] == 4
    assert lines[("b c", "d", 1, "f")] == 5
    assert lines[("b c", "d", 1, "f", 1)] == 6
    assert lines[("g", "h")] == 8
    assert lines[("g", "h", "i")] == 9
    assert lines[("j",)] == 12
    assert lines[("j", "k")] == 13


def test_places_never_complain() -> None:
    for text in (
        "[[[",
        "a = {{}",
        "= = =",
        '"""',
        "a = [}",
        "a = {]",
        "[",
        "a.",
        "a = 'x",
        "]}",
        "{" * 5000,
        "[" * 5000,
    ):
        places(text)
        places("a = " + text)


def test_a_record_is_a_value() -> None:
    record: Record = loads(WHOLE)
    assert record == loads(WHOLE, "elsewhere.round")
    with pytest.raises(AttributeError):
        record.title = "changed"  # type: ignore[misc]


def test_every_reason_for_a_shuffle_can_be_read() -> None:
    """All that `ShuffleDue` may give, as its own words list them."""
    reasons = re.findall(r"[a-z-]+", (inspect.getsource(ShuffleDue).split("reason: str")[1]))
    assert len(reasons) == 10 and set(reasons) == set(SHUFFLE_REASONS)
    for reason in reasons:
        text = with_table(f'start = "shuffle"\nshuffle_reason = "{reason}"')
        assert loads(text).before.shuffle_reason == reason


def test_a_device_is_loaded_once_for_many_rounds() -> None:
    assert loads(with_table("rounds = 6000")).before.rounds == 6000
