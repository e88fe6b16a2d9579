"""Records of a whole floor: what the documents say about times, files and registers, played by a clock that is set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.floor.floor_records import FloorResult, loads, play, read
from pitboss.records.model import RecordError
from pitboss.store.opening import open_log
from pitboss.store.verify import verify

RECORDS = sorted((Path(__file__).parent / "records").rglob("*.floor"))
TABLE = "[tables.t1]\nminimum = 10\nmaximum = 500\n"


def record(*acts: str, tables: str = TABLE, rulebook: str = "nsw-pontoon", begins: str = "2027-02-20T20:00:00") -> str:
    lines = "".join(f"  {json.dumps(act)},\n" for act in acts)
    return f'title = "a case"\nrulebook = "{rulebook}"\nbegins = {begins}\nacts = [\n{lines}]\n{tables}'


def played(*acts: str, expect: str = "", **more: str) -> FloorResult:
    return play(loads(record(*acts, **more) + expect, "case.floor"))


def failures(result: FloorResult) -> list[str]:
    return [each.text for each in result.failures]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_a_record_expects_comes_of_it(path: Path) -> None:
    result = play(read(str(path)))
    assert not result.failures and not result.warnings


def test_what_is_not_so_is_said_with_its_line() -> None:
    result = played(
        "20:00 t1: alice bets 600 on 1",
        "20:00 t1: alice bets 10 on 1 => refused 6.1",
        "20:01 t1: dealer sets limits 25 500 => refused 9.1",
        expect='[expect]\nlimits = { t1 = [10, 600] }\ndue = { disputes = 1 }\nsays = { limits = ["closed"] }\n'
        'lines = { closures = ["closed"] }\nclosed = ["t1"]\nnet = { alice = 12.50 }\nloss_left = { alice = 5 }\n'
        "minimum = { alice = 5 }\nnext = { limits = 2027-02-20T21:00:00 }\n",
    )
    assert [each.line for each in result.failures[:3]] == [5, 6, 7]
    said = failures(result)
    assert "was refused. NSW pontoon 6.1" in said[0] and "was allowed" in said[1] and "not by 9.1" not in said[2]
    assert said[3:] == [
        "expect.lines.closures: nothing, not closed",
        "expect.due.disputes: 0, not 1",
        "expect.next.limits: nothing, not 2027-02-20 21:00",
        "expect.limits.t1: 10, 500, not 10, 600",
        "expect.minimum.alice: 10, not 5",
        "expect.loss_left.alice: no limit, not 5",
        "expect.net.alice: 0, not 12.50",
        'expect.says.limits: no line says so, not "closed"',
        "expect.closed.t1: it is not, not closed",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('title = "x"', "rulebook is missing"),
        (record("t9: alice bets 5 on 1"), '"t9" is none of t1, patron NAME, registers, house'),
        (record("20:00 t1 alice bets 5 on 1"), "a line says when, where and what"),
        (record("20:05 t1: alice sits at 1", "20:00 t1: alice leaves"), "time runs forward"),
        (record("25:00 t1: alice sits at 1"), "there is no such time"),
        (record("2027-02-21 t1: alice sits at 1"), "say the time too"),
        (record("2027-10-03 02:30 t1: alice sits at 1"), "the clocks are put forward then"),
        (record("20:00 t1: alice flies"), "alice flies"),
        (record("20:00 patron alice: exclud why=x"), "did you mean exclude?"),
        (record("20:00 patron alice: set-loss-limit cents=lots period=day"), "is not an amount"),
        (record("20:00 registers: MoveCards table=t1 to=in"), "decks"),
        (record('20:00 registers: MoveCards table=t1 to="in decks=8'), "quotation mark"),
        (record("20:00 registers: MoveCards table=t1 to=in decks=8 as king"), '"king" is none of'),
        (record("20:00 house: dealer dances"), "opens the gaming day"),
        (record("20:00 t1: alice/bob sits at 1"), "write a role and a name"),
        (record("20:00 t1: alice sits at 1 => no"), "after => write refused"),
        (record(tables="[tables.t1]\nminimum = 900\nmaximum = 5\n"), "the minimum is above the maximum"),
        (record(tables="[tables.T1]\n"), "a table's id"),
        (
            record(tables=TABLE + "cutting_card = 6\n"),
            "cutting_card: a table of a floor record is opened when it begins",
        ),
        (record(tables=TABLE + 'cards = "9x"\n'), "9x"),
        (record(tables=TABLE + "[expect]\ndue = { dances = 1 }\n"), "there is no register 'dances'"),
        (record(tables=TABLE + "[expect]\nfun = 1\n"), "no such key: expect.fun"),
        (record(begins='"now"'), "begins is a date and a time"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        loads(text, "case.floor")
    assert reason in str(caught.value) and "\n" not in str(caught.value)


def test_items_are_named_by_words_that_stand_in_one_of_them_alone() -> None:
    acts = (
        "20:00 t1: casino-supervisor records alice underpaid 50 unrectified because miscounted",
        "20:00 t1: casino-supervisor records bob underpaid 60 unrectified because miscounted",
    )
    done = played(*acts, '20:01 registers: MarkDone item="pay alice" evidence="paid"')
    assert not done.failures and [item.concerns for item in done.items if item.register == "mispayments"] == ["bob"]
    with pytest.raises(RecordError, match="2 fit these words"):
        played(*acts, '20:01 registers: MarkDone item="put the payment right" evidence="paid"')
    (failed,) = failures(played(*acts, '20:01 registers: MarkDone item="carol" evidence="paid"'))
    assert "nothing due is called" in failed and failed.count("Put the payment right, or try to, and say how") == 2


def test_kinds_are_looked_for_in_their_order_with_others_between() -> None:
    acts = (
        "20:00 t1: casino-supervisor caps players at 3",
        "20:01 t1: casino-supervisor restricts bob by late-entry => refused 5.11",
        "20:02 t1: casino-supervisor caps players at 2",
        "20:03 t1: alice bets 10 on 1",
        "20:04 t1: casino-supervisor refuses alice on 1",
    )
    assert not failures(
        played(*acts, expect='[expect]\nhas = { restrictions = ["players capped", "wager refused"] }\n')
    )
    (wrong,) = failures(
        played(*acts, expect='[expect]\nhas = { restrictions = ["wager refused", "players capped"] }\n')
    )
    assert wrong == (
        "expect.has.restrictions: players capped, players capped, wager refused, not wager refused, players capped "
        "in this order"
    )


JACKPOT = (
    'rulebook = "nsw-blackjack-challenge"\nsource = "shuffling-device"\nside_bets = ["blazing-7s"]\njackpot = 30000\n'
    'link = "sevens"\n'
)


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        ("jackpot_minimum = 10000\n", "tables.j2: Blackjack Challenge 16.10.3"),
        ("jackpot_rate = 3\n", "tables.j2: Blackjack Challenge 16.10.2"),
        ("link_wager = 2.5\n", "every table on the jackpot sevens has the same link_wager"),
        ('link_wager = "much"\n', "tables.j2.link_wager is an amount"),
    ],
)
@pytest.mark.clause("nsw-blackjack-challenge", "16.10.2", "16.10.3", "16.10.4")
def test_tables_of_one_jackpot_are_alike(second: str, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        played(tables=f"[tables.j1]\n{JACKPOT}[tables.j2]\n{JACKPOT}{second}")
    assert reason in str(caught.value)


def test_the_cards_of_a_record_come_in_their_order_also_after_a_cut() -> None:
    shuffled = 'start = "shuffle"\ncards = "2s 9s 9d 9c Kd"\n'
    cut = ("20:00 t1: alice sits at 1", "20:00 t1: dealer shuffles", "20:00 t1: alice cuts 100",
           "20:00 t1: dealer places the cutting card 60")  # fmt: skip
    round_ = ("20:01 t1: alice bets 10 on 1", "20:01 t1: dealer deals", "20:01 t1: alice stands")
    for tables, acts in ((TABLE + shuffled, (*cut, *round_)), (TABLE + 'cards = "2s 9s 9d 9c Kd"\n', round_)):
        result = played(*acts, tables=tables, expect="[expect]\nnet = { alice = -10 }\n")
        assert not result.failures


def test_the_log_can_be_kept_and_read_by_every_other_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, log = tmp_path / "case.floor", tmp_path / "kept.db"
    file.write_text(record("20:00 t1: alice bets 10 on 1", "20:01 t1: casino-supervisor caps players at 1"))
    assert main(["floor", str(file), "--keep", str(log)]) == 0
    assert "alice wagers $10.00 (NSW pontoon 5.3, 7.1)" in capsys.readouterr().out
    kept = open_log(str(log), read_only=True)
    assert verify(kept).is_sound
    kept.close()
    assert main(["register", str(log), "restrictions"]) == 0
    assert "players capped" in capsys.readouterr().out
    assert main(["floor", str(file), "--keep", str(log)]) == 2
    assert "there is such a file already" in capsys.readouterr().err
    assert main(["replay", "--json", str(tmp_path)]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["ok"] and {line["kind"] for line in last["lines"]} >= {"opened", "players capped"}
