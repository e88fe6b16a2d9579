"""What is printed while a stage is played: slips for who is about to sit down, sheets with what was counted last."""

from __future__ import annotations

import csv

import pytest

from pitboss.tournament import acts as ta
from pitboss.tournament.acts import MANAGER
from pitboss.tournament.printouts import Happened, Printed, as_csv, as_html
from tests.tournament.making import CANBERRA, NSW, conditions_of
from tests.tournament.running import START, Running

FINAL = [{"name": "final", "kind": "final", "tables": 1, "rounds": 2, "advance": 0}]
PEOPLE = ("alice", "bob", "cara")


def to_the_tie(rulebook: str) -> Running:
    """A final in which alice and bob are level in the end; the second round was laid again."""
    running = Running(conditions_of(rulebook, stages=FINAL, entry__minimum=2)).open()
    running.does(ta.AddValue(MANAGER, "a watch", 20_000, False, 1))
    running.enter(*PEOPLE).close().draw("final").start("final")
    running.round("T1", {"alice": 5_000}).round("T1", {"bob": 2_500})
    running.does(ta.CorrectRound("dealer", "T1", {"alice": 105_000, "bob": 105_000, "cara": 90_000}))
    running.finish("T1")
    running.does(ta.Announce(MANAGER, "final"))
    return running


def rows(running: Running, paper: str) -> list[list[str]]:
    return list(csv.reader(as_csv(printed(running), paper).splitlines()))[1:]


def printed(running: Running) -> Printed:
    happened = Happened(1, "", "", "", running.acts[0], tuple(running.events))
    return Printed(running.rulebook, running.state, (happened,))


@pytest.mark.clause("nsw-pontoon", "20.5.7", "20.10.3")
@pytest.mark.clause("canberra-pontoon-2005", "20.21")
@pytest.mark.parametrize("rulebook", [NSW, CANBERRA])
def test_a_play_off_has_slips_and_a_sheet_of_its_own(rulebook: str) -> None:
    running = to_the_tie(rulebook)
    assert [(name, stage) for name, stage, *_ in rows(running, "slips")] == [
        ("alice", "final, play-off"),
        ("bob", "final, play-off"),
    ]
    assert "Final, play-off" in as_html(printed(running), "slips")
    running.does(ta.StartSession(MANAGER, "final", START))
    running.round("T1", {"alice": 10_000})
    sheets = rows(running, "scores")
    last = {player: chips for stage, _, number, _, player, chips in sheets if (stage, number) == ("final", "2")}
    assert last == {"alice": "1050", "bob": "1050", "cara": "900"}, "the count that was corrected"
    more = {player for stage, _, _, _, player, _ in sheets if stage == "final, play-off"}
    assert more == {"alice", "bob"}
    assert as_html(printed(running), "scores").count("<h2>") == 2


def test_who_lost_their_seat_has_no_slip_and_goods_are_on_the_prize_list() -> None:
    running = to_the_tie(NSW)
    running.does(ta.Disqualify(MANAGER, "bob", "hid chips", "conceal"))
    assert [row[0] for row in rows(running, "slips")] == ["alice"]
    running.does(ta.StartSession(MANAGER, "final", START))
    running.finish("T1")
    running.does(ta.Announce(MANAGER, "final"))
    running.does(ta.AwardPrizes(MANAGER))
    assert [(row[1], row[3]) for row in rows(running, "prizes")] == [("alice", "a watch"), ("cara", "")]
