"""Tournaments that are played in their records: written down, read, and replayed byte for byte."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from pitboss import load
from pitboss.basics.cards import Card
from pitboss.chance import shuffled
from pitboss.commands.tournament import act as add_act
from pitboss.commands.tournament import run
from pitboss.records.lines import format_act, parse_line
from pitboss.rulebooks import RULEBOOKS
from pitboss.table.acts import AnyAct
from pitboss.table.refusals import Refused
from pitboss.tournament.playing import AtTable
from pitboss.tournament.records import (
    PlayAt,
    PlayLine,
    Result,
    Step,
    TournamentRecord,
    TournamentRecordError,
    read,
    replay,
    write_act,
)
from tests.lengths import length
from tests.tournament.at_tables import Watched, play_out
from tests.tournament.making import WITH_TOURNAMENTS, filled_in
from tests.tournament.test_tables import some_conditions

PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")


def shown() -> str:
    """The record that plays, of the page."""
    found = re.search(r"```toml\n(title = \"a final in one round\".*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def of_text(text: str) -> Result:
    record = read(tomllib.loads(text), RULEBOOKS, parse_line)
    return replay(record, load(record.conditions.rulebook), shuffled)


def as_bytes(result: Result) -> bytes:
    told: list[Any] = []
    for step in result.steps:
        for each in step.happened:
            told.append([each.table, each.events] if isinstance(each, AtTable) else each)
    return msgspec.json.encode(told)


def as_steps(room: Watched) -> list[Step]:
    """What was done, as the steps of a record: play lines between two acts of the room stand together."""
    steps: list[Step] = []
    cards: dict[str, tuple[Card, ...]] = {}
    for entry in room.log:
        if not isinstance(entry, tuple):
            steps.append(Step(entry))
        elif isinstance(entry[1], tuple):
            cards[entry[0]] = entry[1]
        else:
            line = PlayLine(format_act(cast("AnyAct", entry[1])), entry[1])
            last = steps[-1].act
            if isinstance(last, PlayAt) and last.table == entry[0] and entry[0] not in cards:
                steps[-1] = Step(msgspec.structs.replace(last, lines=(*last.lines, line)))
            else:
                steps.append(Step(PlayAt(entry[0], cards.pop(entry[0], ()), (line,))))
    return steps


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_a_whole_tournament_is_written_down_read_and_replayed_byte_for_byte(rulebook: str) -> None:
    for seed in range(length(40, 3)):
        rng = random.Random(f"{rulebook}:written:{seed}")
        entrants = rng.choice((4, 9, 16))
        conditions = some_conditions(rulebook, entrants, rng)
        room = play_out(conditions, entrants, -(-entrants // 7), rng, wild=rng.choice((0.1, 0.4)))
        record = TournamentRecord("a cup", conditions, tuple(as_steps(room)))
        first = replay(record, load(rulebook), shuffled)
        assert first.failures == () and first.state == room.state
        acts = ",\n".join(write_act(step.act) for step in record.steps)
        steps = tomllib.loads(f"acts = [\n{acts}\n]")["acts"]
        data = {"title": "a cup", "conditions": filled_in(rulebook), "acts": steps}
        again = read(data, RULEBOOKS, parse_line)
        assert [write_act(each.act) for each in again.steps] == [write_act(each.act) for each in record.steps]
        second = replay(
            msgspec.structs.replace(again, conditions=conditions, steps=_opened(again, record)),
            load(rulebook),
            shuffled,
        )
        assert second.failures == () and as_bytes(second) == as_bytes(first)


def _opened(read_again: TournamentRecord, record: TournamentRecord) -> tuple[Step, ...]:
    """The steps as they were read, opened with the conditions that were played."""
    return (record.steps[0], *read_again.steps[1:])


@pytest.mark.clause("nsw-pontoon", "20.1.1", "20.10.2", "20.5.7")
def test_the_record_of_the_page_holds_and_says_what_happened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cup.tournament"
    file.write_text(shown(), encoding="utf-8")
    assert run(str(file)) == 0
    out = capsys.readouterr().out
    assert "T1: refused: NSW pontoon (tournament) 20.9.5" in out and "round reported: T1, number 1" in out
    assert run(str(file), json=True) == 0
    assert '"table":"T1","event":"RoundCounted"' in capsys.readouterr().out


def test_a_round_is_added_to_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.tournament"
    head, _, rest = shown().partition('  { act = "play"')
    tail = rest.partition("  # acts end here")[2]
    file.write_text(head + "  # acts end here" + tail.partition("[expect]")[0] + tail[tail.index("[conditions]") :])
    lines = 'lines=["alice bets 25", "bob bets 50", "dealer deals", "alice stands", "bob stands"]'
    with pytest.raises(Refused, match=r"20\.9\.5"):
        add_act(str(file), "play", "table=T1", 'cards="9h 9d 8s 7h Kd Kc"', 'lines=["bob bets 25"]')
    assert add_act(str(file), "play", "table=T1", 'cards="9h 9d 8s 7h Kd Kc"', lines) == 0
    assert "round reported: T1, number 1" in capsys.readouterr().out
    result = of_text(file.read_text(encoding="utf-8"))
    assert result.failures == () and result.state.chip_accounts["chips:bob"] == 105_000


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"alice bets 25"', '"alice bids 25"', "acts[14].lines[2]"),
        ('cards = "9h 9d', 'cards = "9x 9d', "acts[14].cards"),
        ('table = "T1", cards', 'tabel = "T1", cards', "says nothing of 'tabel'"),
    ],
)
def test_a_slip_is_named_with_its_place(before: str, after: str, said: str) -> None:
    with pytest.raises(TournamentRecordError, match=re.escape(said)):
        of_text(shown().replace(before, after, 1))


def test_what_does_not_hold_is_a_failure_with_its_line() -> None:
    wrong = of_text(shown().replace('"bob bets 50"', '"bob bets 60"'))
    assert wrong.failures[0].startswith(
        'acts[14].lines[3]: "bob bets 60" was refused: NSW pontoon (tournament) 20.6.14'
    )
    nowhere = of_text(shown().replace('table = "T1", cards', 'table = "T2", cards'))
    assert "no session is played at T2" in nowhere.failures[0]
    allowed = of_text(shown().replace("refused 20.9.5", "refused 20.6.1"))
    assert "not by 20.6.1" in allowed.failures[0]


@pytest.mark.clause("nsw-pontoon", "17.8", "20.10.4")
def test_a_round_that_is_laid_again_is_corrected_in_the_tournament() -> None:
    """First bob wins what he has written; then a card of his is found to have lain face up, and he is out."""
    lines = (
        '"alice bets 25", "bob hands in a form of original for 500", "gaming-supervisor examines the form of bob", '
        '"dealer deals", "alice stands", "bob hits", "bob stands", '
        '"dealer notices a face-up card at card 5 because surveillance saw it", "bob stands"'
    )
    before, _, rest = shown().partition('cards = "9h 9d 8s 7h Kd Kc", lines = [')
    text = before + f'cards = "9s 8h 7d 9c 5d 6h Kd 3s 2c Qh", lines = [{lines}' + rest[rest.index("] },") :]
    text = text.partition("[expect]")[0] + text[text.index("[conditions]") :]
    result = of_text(text.replace("amount = 1000", "amount = 500").replace("rounds = 1", "rounds = 3"))
    assert result.failures == ()
    (played,) = [step for step in result.steps if isinstance(step.act, PlayAt)]
    told = [type(event).__name__ for event in played.events]
    assert told == ["RoundReported", "RoundCorrected", "Eliminated"]
    session = result.state.sessions["final/T1"]
    assert session.chips == {"alice": 52_500, "bob": 0} and session.number == 1 and set(session.out) == {"bob"}
    assert {name: each.place for name, each in result.state.entrants.items()} == {"alice": 1, "bob": 2}


def _by_hand() -> Iterator[Any]:
    """Records in a folder for each rulebook; the clauses that each is about are those that the test carries."""
    for file in sorted((Path(__file__).parent / "records").glob("*/*.tournament")):
        clauses = tomllib.loads(file.read_text(encoding="utf-8"))["clauses"]
        yield pytest.param(
            file, id=f"{file.parent.name}-{file.stem}", marks=pytest.mark.clause(file.parent.name, *clauses)
        )


@pytest.mark.parametrize("file", list(_by_hand()))
def test_records_written_by_hand_hold(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    result = of_text(text)
    assert result.failures == () and result.record.conditions.rulebook == file.parent.name
    assert sum(result.state.accounts.values()) == sum(result.state.chip_accounts.values()) == 0
    assert as_bytes(result) == as_bytes(of_text(text))
