"""What is saved can be read: the text itself is read back and replayed."""

from __future__ import annotations

import dataclasses
import sys

import pytest
from msgspec.structs import replace

from pitboss import open_table
from pitboss.records import saving
from pitboss.records.model import Expect, RecordError
from pitboss.records.read import LARGEST_FILE_BYTES, LONGEST_PLAY, loads
from pitboss.records.replay import replay
from pitboss.records.saving import Recorder, saved_text
from pitboss.table import acts as a
from pitboss.table.refusals import Refused

NSW, SUPERVISOR = "nsw-pontoon", "casino-supervisor"
BET, ROUND = a.PlaceWager("alice", 1, 1000), (a.PlaceWager("alice", 1, 1000), a.Deal(), a.Stand("alice", 1))


def played(cards: str, *acts: a.Act) -> Recorder:
    recorder = Recorder(open_table(NSW, cards=cards))
    recorder.play(*acts)  # type: ignore[arg-type]
    return recorder


def held(recorder: Recorder) -> list[str]:
    """The texts of the session and of its last round; both are read back and hold."""
    last = recorder.last_round()
    assert last is not None
    texts = [saved_text(recorder.session()), saved_text(last)]
    assert all(replay(loads(text)).ok for text in texts)
    return texts


@pytest.mark.clause("nsw-pontoon", "17.9")
def test_a_round_that_ran_out_of_cards_and_was_void_is_saved() -> None:
    acts = (BET, a.Deal(), a.Hit("alice", 1), a.Hit("alice", 1), a.VoidRound(SUPERVISOR, "no cards"))
    texts = held(played("5s 9h 6d 2c", *acts))
    assert all('cards = "5s 9h 6d 2c / "' in text for text in texts)


@pytest.mark.clause("nsw-pontoon", "17.9", "4.6")
def test_the_round_after_such_a_void_is_saved() -> None:
    acts = (BET, a.Deal(), a.Hit("alice", 1), a.Hit("alice", 1), a.VoidRound(SUPERVISOR, "no cards"))
    again = (a.Shuffle(("2c", "9s", "9h", "9d", "Ks"), "hand"), a.Cut("alice", 2), a.PlaceCuttingCard(60), *ROUND)
    held(played("5s 9h 6d 2c", *acts, *again))


@pytest.mark.clause("nsw-pontoon", "4.6")
def test_the_cutting_card_goes_at_most_half_way_into_known_discards() -> None:
    acts = (*ROUND, BET, a.Deal(), a.Hit("alice", 1), a.Hit("alice", 1))
    recorder = played("9s 9h 9d Ks 5s 9c 6d 2c", *acts, a.Shuffle(("9s", "9h", "9d", "Ks"), "hand"), a.Cut("alice", 2))
    for deeper in (3, 4):
        with pytest.raises(Refused, match=r"4\.6: the cutting card goes in at most 2 cards"):
            recorder.play(a.PlaceCuttingCard(deeper))
    recorder.play(a.PlaceCuttingCard(2))
    assert recorder.table.cutting_at >= 0


def test_a_cutting_card_that_lies_behind_is_not_told() -> None:
    table = replace(open_table(NSW, cards="9s 9h 9d Ks 9c 9h"), position=2, cutting_at=1)
    recorder = Recorder(table)
    recorder.play(a.PlaceWager("alice", 1, 1000))
    assert recorder.session().cutting_card is None


def test_a_cap_of_more_players_than_there_are_is_saved() -> None:
    texts = held(played("9s 9h 9d Ks 9c 9h 9d Ks", a.CapPlayers(SUPERVISOR, 99_999), *ROUND, *ROUND))
    assert "players_cap = 1000" in texts[1]


def test_a_net_beyond_what_may_be_wagered_at_once_is_read() -> None:
    record = played("9s 9h 9d Ks", *ROUND).session()
    text = saved_text(record).replace("alice = -10", "alice = 5000000000")
    assert loads(text).expect.net_cents == {"alice": 500_000_000_000}


def test_what_does_not_hold_is_not_saved() -> None:
    record = dataclasses.replace(played("9s 9h 9d Ks", *ROUND).session(), expect=Expect({"alice": 1}, None, 0, None))
    with pytest.raises(RecordError, match="cannot be told as a record that holds: net"):
        saved_text(record)


def test_what_is_too_long_to_be_read_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played("9s 9h 9d Ks", *ROUND).session()
    monkeypatch.setattr(sys.modules[loads.__module__], "LONGEST_PLAY", 3)
    text = saved_text(record)
    assert len(loads(text).play) == 3 and replay(loads(text)).ok
    monkeypatch.setattr(sys.modules[loads.__module__], "LONGEST_PLAY", 2)
    for too_long in (lambda: saved_text(record), lambda: loads(text)):
        with pytest.raises(RecordError, match="play has more than 2 lines"):
            too_long()
    monkeypatch.setattr(saving, "LARGEST_FILE_BYTES", 100)
    with pytest.raises(RecordError, match="no record is: save the last round only"):
        saved_text(record)


def test_a_session_of_more_than_a_hundred_thousand_lines_can_be_read() -> None:
    assert LONGEST_PLAY >= 1_000_000 and LARGEST_FILE_BYTES >= 25 * LONGEST_PLAY
