"""What is saved replays to the same events, byte for byte: whole sessions and last rounds, whatever happened."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import pytest

from pitboss.records import Record, Recorder, RecordError, dumps, dumps_lines, loads, loads_lines, replay
from pitboss.records.saving import Answer, encoded, public_events, reaches_back, record_of
from pitboss.rulebooks import RULEBOOKS, load, vary
from pitboss.rulebooks.amend import variant_of
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.engine import open_table
from pitboss.table.events import Event
from pitboss.table.house import Patron, default_house
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.state import PlayerState, Table
from tests.records.sessions import needed, session


def happened(log: Sequence[tuple[AnyAct, Answer]]) -> list[Event]:
    return [event for _, answer in log if not isinstance(answer, Refusal) for event in answer]


def check(saved: Record, log: Sequence[tuple[AnyAct, Answer]]) -> None:
    """The saved record, written and read back in both forms, gives the very same events."""
    for back in (loads(dumps(saved), "saved.round"), loads_lines(dumps_lines(saved), "saved.jsonl")):
        assert back == saved
        result = replay(back)
        assert result.failures == ()
        assert encoded(result.events) == encoded(happened(log))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("part", range(4))
def test_a_session_replays_to_the_same_events(rulebook: str, part: int) -> None:
    for seed in range(part * 10, part * 10 + 10):
        recorder = session(rulebook, seed)
        check(recorder.session(), recorder.log)
        saved = recorder.last_round()
        if saved is not None:
            whole = reaches_back(recorder.last_round_table(), recorder.last_round_log())
            check(saved, recorder.log if whole else recorder.last_round_log())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_long_session_replays_to_the_same_events(rulebook: str) -> None:
    recorder = session(rulebook, 1, rounds=60)
    check(recorder.session(), recorder.log)
    saved = recorder.last_round()
    assert saved is not None
    check(saved, recorder.last_round_log())


@pytest.mark.parametrize("seed", range(2))
def test_a_round_that_is_finished_with_the_discards_is_saved(seed: int) -> None:
    """The cutting card does not stop the announced last rounds (Adelaide 54), so the cards run out (110)."""
    chance = random.Random(seed)
    book = load("adelaide-pontoon-2008")
    recorder = Recorder(open_table(book, house=default_house(book)))
    ran_out = False
    for _ in range(5000):
        table = recorder.table
        act: AnyAct = needed(table, chance)
        if table.phase == "wagers" and table.preparation == "ready" and len(table.boxes) < 7:
            box = len(table.boxes) + 1
            act = a.PlaceWager("carol" if box > 4 else chance.choice(("alice", "bob")), box, 500)
            if table.final_rounds < 0 < table.cutting_at < table.position + 20:
                act = a.AnnounceFinalRounds("gaming-manager")
        elif isinstance(act, a.PlaceCuttingCard):
            act = a.PlaceCuttingCard(48)
        elif isinstance(act, (a.Stand, a.Surrender)):
            continue
        try:
            events = recorder.play(act)
        except Refused:
            continue
        ran_out = ran_out or any(isinstance(event, e.CardsRanOut) for event in events)
        if ran_out and recorder.table.phase == "wagers":
            break
    assert ran_out
    check(recorder.session(), recorder.log)
    saved = recorder.last_round()
    assert saved is not None and saved.before.rack
    check(saved, recorder.last_round_log())


def test_every_part_of_a_table_is_carried_or_needs_not_be() -> None:
    """A new field of the table must be thought of here: does the next round depend on it?"""
    carried = {
        "rulebook",
        "house",
        "players",
        "jackpot_cents",
        "preparation",
        "cutting_at",
        "cutting_shown",
        "cut_from",
        "fresh",
        "rack",
        "burned",
        "shuffle_reason",
        "cutting_player",
        "places",
        "shoe_round",
        "played",
        "final_rounds",
        "jackpot_down",
        "reserved",
        "players_cap",
        "box_cap",
        "side_restricted",
        "minimum_raised",
        "error_cards",
        "approval_due",
        "shuffle_after",
        "discards_forgotten",
        "device_down",
        "new_cards_due",
        "checks_due",
        "disputes",
        "last_results",
        "last_final",
        "last_staked",
        "session",
    }
    follows = {"compiled", "net", "arranged", "stack", "position", "suspect"}
    only_in_a_round = {
        "phase",
        "boxes",
        "wrong_card",
        "cleared",
        "betting_closed",
        "in_tokens",
        "card_left",
        "dealer_cards",
        "dealer_total",
        "dealer_soft",
        "dealer_natural",
        "dealer_done",
        "turn_box",
        "turn_hand",
        "shuffle_ordered",
        "cut_offered",
        "cut_declined",
        "round_players",
        "round_wagers",
        "bonus_hands",
        "bonus_given",
        "jackpot_wagers",
        "jackpot_waiting",
        "jackpot_lost",
    }
    only_in_a_round |= {
        "round_start",
        "final_results",
        "final_staked",
        "placements",
        "misdealt",
        "redeal",
        "halted",
        "stopped",
        "noticed",
        "insurance_forgotten",
        "refund_asked",
        "reshuffled",
        "dealer_late",
        "refusers",
        "small_wagers",
        "jackpot_paid",
        "jackpot_reset",
    }
    only_in_a_round |= {"decisions", "pending", "spoiled"}
    told_by_the_session = {"opened", "earlier", "lately", "last_small", "small_results"}
    decides_nothing = {"signs"}  # how long a sign has stood is said by `SetLimits`
    known = carried | follows | only_in_a_round | told_by_the_session | decides_nothing
    assert set(Table.__struct_fields__) == known
    player = {
        "seat",
        "present",
        "card",
        "chips_cents",
        "tokens_cents",
        "loss_limit_cents",
        "deposit_limit_cents",
        "recognised",
        "restricted_before",
        "minimum_cents",
        "maximum_cents",
        "restriction",
        "boxes_limit",
        "cover_splits",
        "warned",
        "card_due",
        "barred",
        "excluded",
        "paused",
    }
    by_the_rule = {"minimum_only", "restricted_boxes", "restriction_until"}
    assert set(PlayerState.__struct_fields__) == player | by_the_rule


def test_a_refusal_is_saved_with_its_clause() -> None:
    recorder = Recorder(open_table("nsw-pontoon", cards="6s 9h 5d Kc"))
    with pytest.raises(Refused):
        recorder.play(a.PlaceWager("alice", 1, 2_000_000))
    recorder.play(a.PlaceWager("alice", 1, 2500), a.Deal(), a.Double("alice", 1))
    saved = recorder.session("A refusal")
    assert dumps(saved).count("=> refused 6.1") == 1
    assert saved.expect.net_cents == {"alice": 5000}
    check(saved, recorder.log)


def test_a_refused_act_in_a_row_undoes_the_row() -> None:
    table = open_table("nsw-pontoon", cards="6s 9h 5d Kc")
    recorder = Recorder(table)
    with pytest.raises(Refused):
        recorder.play(a.PlaceWager("alice", 1, 2500), a.Deal(), a.Surrender("alice", 1))
    assert recorder.table is table
    assert len(recorder.log) == 1


def test_what_no_line_can_say_is_left_out_where_it_was_refused() -> None:
    recorder = Recorder(open_table("nsw-pontoon", cards="6s 9h 5d Kc"))
    for act in (a.PlaceWager("alice", 1, -5), a.PlaceWager("a b", 1, 500), a.Hit("alice", -1), a.Shuffle(("6s",))):
        with pytest.raises(Refused):
            recorder.play(act)
    assert recorder.session().play == ()


def test_what_was_played_must_be_sayable() -> None:
    table = open_table("nsw-pontoon", cards="6s")
    with pytest.raises(RecordError, match="no play line says PlaceWager as it was played"):
        record_of(table, [(a.PlaceWager("a b", 1, 500), ())], title="x")


def test_a_record_begins_between_rounds() -> None:
    recorder = Recorder(open_table("nsw-pontoon", cards="6s 9h 5d Kc"))
    recorder.play(a.PlaceWager("alice", 1, 2500))
    with pytest.raises(ValueError, match="between two rounds"):
        Recorder(recorder.table).session()
    assert recorder.last_round() is None


def test_the_order_of_the_stack_is_not_public() -> None:
    recorder = session("nsw-pontoon", 0, rounds=1)
    events = happened(recorder.log)
    assert any(isinstance(event, e.StackArranged) for event in events)
    assert not any(isinstance(event, e.StackArranged) for event in public_events(events))
    assert b"StackArranged" not in encoded(events)


def test_a_record_cites_what_was_cited() -> None:
    recorder = session("nsw-pontoon", 0, rounds=1)
    cited = {clause for event in happened(recorder.log) for clause in event.clauses}
    assert set(recorder.session().clauses) == cited


@pytest.mark.parametrize(
    "changes",
    [
        {"dealer.soft_stand": 17},
        {"insurance.odds": "3 to 1"},
        {"boxes.control": ["nearest", "seated", "highest"]},
        {"surrender.offered": False},
        {"interim.pay_table.5-card-21": "2 to 1"},
    ],
    ids=str,
)
def test_a_variant_is_saved(changes: dict[str, object]) -> None:
    book = vary(load("nsw-pontoon"), changes)
    assert vary(load("nsw-pontoon"), variant_of(book)) == book
    recorder = Recorder(open_table(book, cards="Ks 6d 8h As 2c"))
    recorder.play(a.PlaceWager("alice", 1, 1000), a.Deal(), a.Stand("alice", 1))
    saved = recorder.session()
    assert replay(saved).rulebook == book
    check(saved, recorder.log)


def test_a_saved_round_begins_with_what_is_left() -> None:
    """Chips and limits in a record are what a player still has."""
    recorder = session("nsw-pontoon", 3, rounds=3)
    saved = recorder.last_round()
    assert saved is not None
    before = recorder.last_round_table()
    for name, state in before.players.items():
        if state.chips_cents is not None:
            assert saved.players[name].chips_cents == state.chips_cents + before.net[name]
    assert msgspec.structs.replace(before.house, jackpot_cents=before.jackpot_cents) == saved.house


def test_the_last_round_stands_alone_whatever_is_still_open() -> None:
    """Who is barred, pauses or disputes is carried, as chips are, and what a round brought that is voided now."""
    players = {"bob": Patron(seat=2, loss_limit_cents=5000), "carol": Patron(seat=3)}
    cards = "6s 9h 5d Kc 6s 9h 5d Kc Ks 9h Qd Kd"
    recorder = Recorder(open_table("nsw-pontoon", cards=cards, players=players))
    by = "shift-manager"
    recorder.play(a.PausePlayer(by, "bob"), a.BarPlayer(by, "carol", "a calculator"), a.RaiseDispute("alice", "a card"))
    for _ in range(2):
        recorder.play(a.PlaceWager("alice", 1, 2500), a.Deal(), a.Double("alice", 1))
    for player in ("bob", "carol"):
        with pytest.raises(Refused):
            recorder.play(a.PlaceWager(player, 2, 2500))
    recorder.play(a.RuleDispute(by, "alice", "it was right"), a.VoidEarlierRound(by))
    recorder.play(a.PlaceWager("alice", 1, 2500), a.Deal(), a.Stand("alice", 1))
    saved = recorder.last_round()
    assert saved is not None and len(saved.play) == 7
    assert saved.standings["bob"].paused and saved.standings["carol"].barred == "a calculator"
    assert saved.standings["alice"].dispute == "raised" and saved.standings["alice"].last_cents == 5000
    check(saved, recorder.last_round_log())


def test_what_may_still_be_forfeited_is_carried_to_the_next_record() -> None:
    """A wager of the round before is forfeited after its result (NSW 19.10): it is part of the round that follows."""
    recorder = Recorder(open_table("nsw-pontoon", cards="9s 7d 9c Kh 9s 7d 9c Kh"))
    recorder.play(a.PlaceWager("alice", 1, 1000), a.Deal(), a.Stand("alice", 1))
    recorder.play(a.InvalidateRound("shift-manager", "fraud", ("alice",), reason="a marked card"))
    assert recorder.table.net["alice"] == -1000 and not recorder.table.last_staked
    recorder.play(a.PlaceWager("alice", 1, 2500), a.Deal(), a.Stand("alice", 1))
    saved = recorder.last_round()
    assert saved is not None and saved.standings["alice"].last_staked_cents == 1000
    check(saved, recorder.last_round_log())


def test_a_round_that_is_laid_again_is_saved_with_its_session() -> None:
    recorder = Recorder(open_table("nsw-pontoon", cards="9h Ks Qd 8d 7d Js 2c 3c"))
    recorder.play(a.PlaceWager("alice", 1, 2500), a.Misdeal((0, 1, 1), "after-round"), a.Stand("alice", 1))
    recorder.play(a.Reconstruct("shift-manager"))
    while recorder.table.phase != "wagers":
        recorder.play(needed(recorder.table, random.Random(1)))
    saved = recorder.last_round()
    assert saved is not None and len(saved.play) == len(recorder.log) > len(recorder.last_round_log())
    check(saved, recorder.log)


def test_what_is_said_with_an_arrow_is_no_refusal() -> None:
    recorder = Recorder(open_table("nsw-pontoon", cards="6s 9h 5d Kc"))
    recorder.play(a.RaiseDispute("alice", "I win => refused 12.1"))
    (play,) = loads(dumps(recorder.session())).play
    assert play.refused is None and play.act == a.RaiseDispute("alice", "I win -> refused 12.1")
