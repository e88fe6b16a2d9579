"""The plain-line protocol: scripts play it, bots play it, and nothing that is typed upsets it."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

from pitboss.records import read, replay
from pitboss.records.lines import usages
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import events as e
from pitboss.table.house import DEVICE
from pitboss.terminal.words import QUESTIONS, SHORT_VERBS
from tests.terminal.talk import Talk, play_on, table, talk


def every_answer_ends_with_wait_or_bye(said: Talk) -> bool:
    return said.lines[-1].startswith("BYE ") and all(line.split(" ")[0].isupper() for line in said.lines)


# --- scripts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_plain_win_in_every_game(rulebook: str) -> None:
    said = talk(table(rulebook, cards="Ks 7h 9d Qc"), "25", "deal", "stand")
    assert said.net == 2500 and said.code == 0
    assert said.all("ROUND") == ["number=1 dealer=7h,Qc total=17 alice=+25"]
    assert said.all("NOTE") == ["the arranged cards are used up: no round is dealt any more"]
    assert every_answer_ends_with_wait_or_bye(said)


def test_whole_lines_of_the_record_grammar_do_too() -> None:
    said = talk(table("nsw-pontoon", cards="Ks 7h 9d Qc"), "alice bets 25 on 1", "dealer deals", "alice stands on 1")
    assert said.net == 2500


def test_double_for_less_and_forfeit() -> None:
    said = talk(table("nsw-pontoon", cards="5s 9h 6d 2c Ks"), "25", "deal", "double 10", "forfeit")
    assert said.net == -2500
    assert any("alice forfeits $25.00 and takes back $10.00" in line for line in said.all("EVENT"))
    (wait,) = [line for line in said.all("WAIT") if line.startswith("forfeit")]
    assert wait.endswith("total=13 soft=no dealer=9h acts=forfeit,keep")


def test_a_double_that_is_kept() -> None:
    said = talk(table("adelaide-pontoon-2008", cards="5s 9h 6d 9c Ks"), "25", "deal", "d", "k")
    assert said.net == 5000


def test_splitting_and_playing_both_hands() -> None:
    said = talk(table("nsw-pontoon", cards="8s 7h 8d Kc Qh Kd"), "25", "deal", "p", "s", "s")
    assert said.net == 5000
    assert [line.split()[2] for line in said.all("WAIT") if line.startswith("decision")] == ["box=1"] * 3
    assert "hand=1" in said.all("WAIT")[4]


def test_insurance_wins_what_the_hand_loses() -> None:
    said = talk(table("nsw-pontoon", cards="9s Ah 9d Kc"), "25", "deal", "insure", "no", "stand")
    assert said.net == 0
    assert "insurance offers=alice/1/12.50 acts=insure,no" in said.all("WAIT")


def test_insurance_is_declined_and_a_box_is_surrendered() -> None:
    said = talk(table("canberra-pontoon-2005", cards="9s Ah 7d 8c"), "25", "deal", "no", "surrender")
    assert said.net == -1250
    assert "surrender offers=alice/1 acts=surrender,no" in said.all("WAIT")


def test_several_boxes_with_side_bets() -> None:
    session = table("nsw-pontoon", cards="9s Kd 7h 9s 9d Kc", boxes=(1, 3))
    said = talk(session, "25 1pp=5 3=50", "deal", "stand", "stand")
    assert said.net == 12500 + 2500 + 5000
    assert any("Perfect Pairs: perfect" in line for line in said.all("EVENT"))


def test_a_jackpot_in_blackjack_challenge() -> None:
    session = table("nsw-blackjack-challenge", cards="2s 7d 2h 7s 7c 9h Ks Qd", source=DEVICE)
    said = talk(session, "1=25 1b7=5 1sp=5", "deal", "no", "hit", "stand")
    assert any(isinstance(event, e.JackpotLost) for event in _all_events(session))
    assert said.code == 2 and said.all("UNREAD") == ['"no": nothing is being offered that could be declined']


def test_a_bust_in_canberra_and_the_dealer_draws_nothing() -> None:
    said = talk(table("canberra-pontoon-2002", cards="Ks 7h 6d Qc"), "10", "deal", "hit")
    assert said.net == -1000
    assert said.all("ROUND") == ["number=1 dealer=7h total=7 alice=-10"]


def test_two_people_on_one_box() -> None:
    session = table("nsw-pontoon", cards="5s 9h 6d 9c Ks")
    lines = ["alice bets 25 on 1", "bob bets 10 on 1", "deal", "double", "bob doubles 5", "alice keeps", "keep"]
    said = talk(session, *lines)
    assert session.table.net == {"alice": 5000, "bob": 1500}
    assert any(
        line.startswith("answer player=bob box=1") and line.endswith("acts=double,no") for line in said.all("WAIT")
    )


def test_short_words_speak_for_whoever_is_asked() -> None:
    session = table("nsw-pontoon", cards="5s 9h 6d 2c Ks")
    talk(session, "25", "bob bets 10 on 1", "deal", "double", "no", "forfeit")
    assert session.table.net["alice"] == -2500


def test_a_manual_dealer_shuffles_places_and_closes() -> None:
    session = table("nsw-pontoon", dealer_acts=False, seed="4")
    said = talk(session, "dealer shuffles", "cut 100", "dealer places the cutting card 60", "10", "dealer deals")
    assert [line.split()[0] for line in said.all("WAIT")][:4] == ["shuffle", "cut", "cutting-card", "wagers"]
    assert session.in_round


def test_something_goes_wrong_and_the_staff_see_to_it() -> None:
    """A device that fails without a spare: wagers may be taken back, and a bot plays on."""
    session = table("nsw-pontoon", boxes=(2,), bots=1, seed="6", source=DEVICE)
    lines = ["10", "deal", "no", "casino-supervisor reports a malfunction", "take-back"]
    said = talk(session, *lines)
    assert any(line.startswith("refund player=alice") for line in said.all("WAIT")), said.text
    assert said.net == 0


def test_an_irregularity_is_approved_before_the_game_goes_on() -> None:
    said = talk(table("adelaide-pontoon-2008", cards="5s 9h 6d Kc 9c Kd"), "25", "deal", "dealer burns in error", "why")
    assert any("approves that the game continues" in text for text in said.all("EVENT")), said.text


def test_the_cut_may_be_declined_and_the_house_cuts() -> None:
    said = talk(table("nsw-pontoon"), "no")
    events = said.all("EVENT")
    assert any(text.startswith("the cut is offered to the supervisor") for text in events)
    assert said.all("WAIT")[-1] == "wagers acts=bet"


def test_again_repeats_the_wagers() -> None:
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc Ks 7h 9d Qc", boxes=(1,))
    said = talk(session, "25", "deal", "stand", "again", "deal", "stand")
    assert said.net == 5000


def test_bots_play_by_themselves() -> None:
    session = table("nsw-pontoon", boxes=(2,), bots=3, seed="9")
    said = talk(session, "cut 100", "10", "deal", *["stand"] * 3, "no", "stand", "stand")
    assert session.bots == {"bob": 1, "carol": 3, "dave": 4}
    assert not any("player=bob" in line for line in said.all("WAIT"))


# --- questions -------------------------------------------------------------------------------------------------------


def test_why_explains_the_last_events_and_any_clause() -> None:
    said = talk(
        table("nsw-pontoon", cards="5s 9h 6d Kc"), "25", "deal", "double", "why", "why 12.1.4", "why 99", "? 5.1"
    )
    assert any(text.startswith("10.2.1: ") for text in said.all("CLAUSE"))
    assert any(text.startswith("12.1.4.1: ") for text in said.all("CLAUSE"))
    assert said.all("UNREAD") == ['"99": NSW pontoon has no such clause']


def test_legal_names_lines_that_are_accepted() -> None:
    session = table("nsw-pontoon", cards="5s 9h 6d Kc Kd")
    said = talk(session, "legal", "25", "deal", "legal")
    assert said.all("LEGAL") == [
        "alice bets 5 on 1",
        "alice hits on 1",
        "alice stands on 1",
        "alice doubles on 1",
    ]


def test_view_money_history_and_help() -> None:
    session = table("nsw-pontoon", cards="5s 9h 6d Kc 9c Kd")
    said = talk(session, "25 pp=5", "deal", "view", "money", "stand", "history", "help", "")
    assert max(map(len, said.lines)) < 200
    assert all(len(line) <= 80 for line in said.lines if line.startswith("VIEW"))
    assert any("5♠" in line for line in said.all("VIEW"))
    assert "player=alice chips=970 wagered=25 net=-5" in said.all("MONEY")
    assert len(said.all("ROUND")) == 2
    assert said.all("HELP")


def test_a_refusal_names_the_clause_and_changes_nothing() -> None:
    session = table("adelaide-pontoon-2008", cards="5s 9h 3d Kc 9c Kd")
    said = talk(session, "2000", "25", "bet 25 on 1", "deal", "stand", "double", "bet 10 on 2", "cut 9")
    refused = said.all("REFUSED")
    assert [text.split(":")[0] for text in refused] == [
        "Adelaide pontoon 13",
        "Adelaide pontoon 12, 77",
        "Adelaide pontoon 74(c), 50(a)",
        "Adelaide pontoon 62",
        "Adelaide pontoon 15, 8, 16, 18",
        "Adelaide pontoon 36(a), 37",
    ]
    assert said.code == 0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("alice dubbles on 1", "no such act"),
        ("25 25", "that wager is named twice"),
        ("save", "save where?"),
        ("save nowhere/at/all.round", "no round is finished yet"),
        ("no", "nothing is being offered"),
        ("again", "there is no wager to repeat"),
        ("x" * 600, "longer than 500 characters"),
        ("dealer bets 5", "bets is not for dealer"),
        ("bob stands", "say on which box"),
        ("bet -5 on 1", "is not an amount"),
        ("\x00\x07\x1b[2J", "a line says who does what"),
        ("1=2.505", "is not an amount"),
        ("25 xx=5", 'no optional wager is called "xx"; here there is pp Perfect Pairs'),
        ("\uff11\uff12", "digits 0 to 9"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(line: str, reason: str) -> None:
    said = talk(table("nsw-pontoon", cards="5s 9h 6d Kc 9c Kd"), line)
    (text,) = said.all("UNREAD")
    assert reason in text and text.isprintable()
    assert said.code == 2


def test_the_end_of_input_in_a_round_leaves_money_where_it_is() -> None:
    said = talk(table("nsw-pontoon", cards="5s 9h 6d Kc 9c Kd"), "25", "deal")
    assert said.all("NOTE") == [
        "the round is not finished: wagers stand where they are, nothing more is paid or collected"
    ]
    assert said.all("MONEY") == ["player=alice chips=975 wagered=25 net=0"]
    assert said.lines[-1] == "BYE rounds=0 seed=1"


def test_without_chips_nobody_wagers() -> None:
    said = talk(table("nsw-pontoon", cards="5s 9h 6d Kc 9c Kd", bankroll=1000), "25", "buy 50", "25")
    assert "does not have that much in chips" in said.all("REFUSED")[0]
    assert any("alice wagers $25.00" in text for text in said.all("EVENT"))


# --- JSON ------------------------------------------------------------------------------------------------------------


def test_every_line_is_one_object() -> None:
    session = table("canberra-pontoon-2005", cards="9s Ah 9d Kc")
    lines = ["25 pp=5", "deal", "legal", "why", "view", "money", "insure 5", "no", "no", "hit x", "stand", "help"]
    said = talk(session, *lines, json=True)
    kinds = {item["type"] for item in said.objects()}
    assert kinds == {
        "table",
        "event",
        "wait",
        "legal",
        "why",
        "view",
        "money",
        "unread",
        "round",
        "note",
        "help",
        "bye",
    }
    waits = {item["what"]: item for item in said.objects("wait")}
    assert waits["insurance"]["offers"] == [{"player": "alice", "box": 1, "cents": 1250}]
    assert waits["surrender"]["offers"] == [{"player": "alice", "box": 1}]
    assert waits["decision"]["cards"] == ["9s", "9d"] and waits["decision"]["acts"] == [
        "hit",
        "stand",
        "double",
        "split",
    ]
    assert all(item["clauses"] and item["text"] for item in said.objects("event"))
    assert said.objects("bye")[0]["players"]["alice"]["net_cents"] == said.net


def test_nobody_sees_what_is_hidden() -> None:
    said = talk(table("nsw-pontoon", seed="3"), "cut", "10", "deal", json=True)
    events = said.objects("event")
    assert [item["card"] for item in events if item["event"] == "CardBurned"] == ["??"]
    assert not [item for item in events if item["event"] == "StackArranged"]


def test_refusals_carry_their_clauses() -> None:
    said = talk(table("nsw-pontoon", cards="5s 9h 6d Kc"), "deal", json=True)
    (refused,) = said.objects("refused")
    assert refused["clauses"] == ["7.1", "17.7"]


# --- bots, seeds, records --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["shoe", DEVICE])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_bot_plays_what_is_offered_and_the_record_holds(rulebook: str, source: str, tmp_path: Path) -> None:
    chance = random.Random(f"{rulebook} {source}")
    file = tmp_path / "session.round"
    session = table(rulebook, boxes=(1, 3), bots=2, seed="12", source=source, bankroll=10_000_000)
    said = play_on(session, chance.choice, 25, save=file)
    assert session.rounds == 25 and said.code == 0
    assert not said.objects("refused") and not said.objects("unread")
    result = replay(read(file))
    assert result.ok, result.failures
    assert result.net_cents["alice"] == said.net
    assert sum(item["net_cents"]["alice"] for item in said.objects("round")) == said.net


def test_a_seed_repeats_a_session_exactly() -> None:
    lines = ["cut", "10 pp=5", "deal", *["stand", "no"] * 6, "again", "deal", *["no", "hit", "stand"] * 6]
    first, second, other = (talk(table("nsw-pontoon", seed=seed, bots=2), *lines) for seed in ("7", "7", "8"))
    assert first.text == second.text
    assert first.text.replace("seed=7", "seed=8") != other.text


def test_a_round_can_be_saved_alone(tmp_path: Path) -> None:
    file = tmp_path / "one.round"
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc Ks 7h 9d Qc 2c")
    folder, other = tmp_path / "folder.round", tmp_path / "one.txt"
    folder.mkdir()
    saves = (f"save round {file}", f"save {folder}", f"save {other}")
    said = talk(session, "25", "deal", "stand", "25", "deal", "hit", *saves)
    assert replay(read(file)).ok
    assert said.all("SAVED") and "cannot be written" in said.all("UNREAD")[0]
    assert "must end in .round" in said.all("UNREAD")[1] and not other.exists()


def test_a_session_saves_up_to_its_last_finished_round(tmp_path: Path) -> None:
    file = tmp_path / "session.round"
    session = table("nsw-pontoon", cards="Ks 7h 9d Qc Ks 7h 9d Qc 2c")
    talk(session, "25", "deal", "stand", "25", "deal", save=file)
    assert session.in_round
    result = replay(read(file))
    assert result.ok and result.net_cents == {"alice": 2500}


def test_arranged_cards_that_run_out_in_a_round_are_shuffled() -> None:
    said = talk(table("nsw-pontoon", cards="5s 9h 6d"), "25", "deal", "hit", "cut", "stand")
    assert any("the cards have run out" in text for text in said.all("EVENT"))
    assert said.session.rounds == 1 and not said.session.in_round


@pytest.mark.clause("nsw-pontoon", "17.9", "4.9")
@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_lone_discard_is_not_shuffled_and_burned_for_ever(seed: str) -> None:
    """The pontoon leaves two discards: one is burned, one dealt; then the burned one is all that is left."""
    session = table("nsw-pontoon", cards="As 2d 7h Ks 2c 2h", bots=1, seed=seed)
    said = talk(session, "25", "deal")
    ran_out = sum("the cards have run out" in text for text in said.all("EVENT"))
    assert 1 <= ran_out <= 2 and session.rounds == 1 and not session.in_round


def test_a_shoe_ends_with_the_cutting_card_and_wagers_stand() -> None:
    """Many rounds: the cutting card comes first or in a round, and the cut is offered again."""
    session = table("canberra-pontoon-2005", decks=3, seed="5", bankroll=10_000_000)
    play_on(session, lambda lines: lines[0], 60)
    shuffles = [event for event in _all_events(session) if isinstance(event, e.CardsShuffled)]
    assert len(shuffles) > 2


def _all_events(session: object) -> list[object]:
    recorder = session.recorder  # type: ignore[attr-defined]
    return [event for _, answer in recorder.log for event in answer]


# --- anything at all -------------------------------------------------------------------------------------------------


WORDS = [
    *SHORT_VERBS, *SHORT_VERBS.values(), *QUESTIONS, "deal", "no", "again", "alice", "bob", "dealer", "on", "1", "3",
    "25", "0", "-1", "1e9", "pp=5", "1=25", "3pp=5", "perfect-pairs", "any-pairs", "casino-supervisor", "link", "the",
    "control",
    "99999999999", "??", "=>", "refused", "*", "with", "tokens", "limits", "resplits", "save", "é", "\x00", "'", '"',
]  # fmt: skip


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_thousand_random_lines_never_upset_the_table(
    rulebook: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(rulebook)
    usage = usages()

    def line() -> str:
        roll = chance.random()
        if roll < 0.35:
            return chance.choice(
                ["25", "5", "deal", "hit", "stand", "no", "double", "split", "keep", "insure", "cut", "r"]
            )
        if roll < 0.7:
            return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 6)))
        if roll < 0.85:
            words = chance.choice(usage).replace("[", "").replace("]", "").split()
            return " ".join(chance.choice(WORDS) if chance.random() < 0.4 else word for word in words)
        return "".join(chance.choice(string.printable) for _ in range(chance.randint(0, 60))).replace("\n", " ")

    lines = [text for text in (line() for _ in range(1000)) if text.split()[:1] not in ([w] for w in LEAVING)]
    session = table(rulebook, boxes=(1, 3), bots=1, seed="1", bankroll=10_000_000)
    said = talk(session, *lines)
    assert said.code == 2 and session.rounds > 5
    assert every_answer_ends_with_wait_or_bye(said)
    assert all(line.isprintable() for line in said.lines)
    record = session.session_record()
    assert record is not None


LEAVING = ("quit", "exit", "bye", "q", "save", "w", "Q")
