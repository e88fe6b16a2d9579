"""`pitboss adjudicate`: from a file, from the command line, and by asking, at a terminal or through a pipe."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pitboss.adjudicate import SITUATIONS
from pitboss.cli import main
from pitboss.rulebooks import editions

RECORD = """
title    = "The moment"
rulebook = "nsw-pontoon"
cards    = "6s 9h 5d Kc 8d 9c 7d 6d 5c"
play     = ["alice bets 25 on 1", "bob bets 10 on 2", "dealer deals"{more}]
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def record(tmp_path: Path) -> str:
    return written(tmp_path)


def written(folder: Path, more: str = "", text: str = RECORD) -> str:
    file = folder / "moment.round"
    file.write_text(text.replace("{more}", f', "{more}"' if more else ""), encoding="utf-8")
    return str(file)


def ask(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(answer + "\n" for answer in answers)))


def test_from_a_record_and_what_went_wrong(record: str, capsys: Capture) -> None:
    assert main(["adjudicate", record, "--what", "dealer draws in error exposed"]) == 0
    printed = capsys.readouterr().out
    assert "  box 1: 6s Kc, 16; alice $25.00" in printed
    assert "NSW pontoon: a card was drawn that nobody had asked for." in printed
    assert "  5. 9c was drawn in error and is the next card. (17.2)" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())
    assert "\x1b" not in printed


def test_from_the_last_line_of_a_record(tmp_path: Path, capsys: Capture) -> None:
    file = written(tmp_path, "casino-supervisor voids the round because the order is not known")
    assert main(["adjudicate", file, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["situation"], told["net_cents"]) == ("round-void", {"alice": 2500, "bob": 1000})
    assert told["acts"] == ["casino-supervisor voids the round because the order is not known"]
    assert told["approvals"][0]["who"] == "casino-supervisor"
    assert {step["kind"] for step in told["steps"]} >= {"do", "money", "next"}
    assert [event["event"] for event in told["events"]][:2] == ["IrregularityReported", "RoundVoided"]


@pytest.mark.clause("nsw-pontoon", "17.1", "17.8")
def test_an_error_that_is_noticed_only_now(tmp_path: Path, capsys: Capture) -> None:
    """A card lay face up and was dealt to box 2; alice stood since then: the round is laid as it should have been."""
    text = RECORD.replace("6s 9h 5d Kc 8d 9c", "9s 8h 7d 4c 5d 6h")
    file = written(tmp_path, "alice stands on 1", text)
    assert main(["adjudicate", file, "--what", "dealer notices a face-up card at card 5"]) == 0
    at_card = capsys.readouterr().out
    assert "laid as it should have been dealt" in " ".join(at_card.split())
    assert "bob decides on box 2" in " ".join(at_card.split())
    assert '"dealer notices a face-up card at card 5",' in at_card
    assert main(["adjudicate", file, "--what", "dealer burns in error", "--after", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["situation"] == "noticed-afterwards"
    assert told["acts"] == ["dealer notices a card burned in error at card 1"]
    assert main(["adjudicate", file, "--what", "dealer burns in error", "--after", "9"]) == 2
    assert "line 9 of the play has not been played yet" in capsys.readouterr().err
    assert main(["adjudicate", file, "--what", "dealer passes over bob", "--after", "2"]) == 2
    assert "--after is for errors in dealing" in capsys.readouterr().err


def test_a_round_laid_again_tells_what_is_otherwise_now(tmp_path: Path, capsys: Capture) -> None:
    """What lies as it lay before the error is not told again; the money adds up all the same."""
    text = (
        'title = "x"\nrulebook = "nsw-pontoon"\ncards = "6s 9h 7d 8c 9c 4d"\n'
        'play = ["alice bets 25 on 1", "bob bets 10 on 2", "dealer deals", "alice hits"]\n'
    )
    file = written(tmp_path, text=text)
    assert main(["adjudicate", file, "--what", "dealer finds a card face up", "--after", "3"]) == 0
    said = capsys.readouterr().out.partition("At this table\n")[2]
    assert "alice hits, as before: it still fits" in said and "4d burned" in said and "Money: none moves" in said
    assert "wagers" not in said and "gets back" not in said and "6s" not in said


@pytest.mark.clause("canberra-pontoon-2005", "15.5")
@pytest.mark.clause("nsw-pontoon", "17.8")
def test_an_error_of_an_earlier_round(tmp_path: Path, capsys: Capture) -> None:
    text = (
        'title = "x"\nrulebook = "RULEBOOK"\ncards = "9s 9h 9d 8c 9c 5h 6d"\n'
        'play = ["alice bets 10 on 1", "dealer deals", "alice stands", "alice bets 10 on 1", "dealer deals"]\n'
    )
    file = written(tmp_path, text=text.replace("RULEBOOK", "canberra-pontoon-2005"))
    assert main(["adjudicate", file, "--what", "dealer finds a card face up", "--after", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["acts"] == ["casino-supervisor voids the earlier round because a card lay face up and was dealt"]
    file = written(tmp_path, text=text.replace("RULEBOOK", "nsw-pontoon"))
    assert main(["adjudicate", file, "--what", "dealer finds a card face up", "--after", "2"]) == 1
    assert "the result of the earlier one stands" in " ".join(capsys.readouterr().out.split())


@pytest.mark.clause("adelaide-pontoon-2008", "105(b)")
def test_a_hand_that_lacks_a_card_is_ruled_on_by_its_stage(tmp_path: Path, capsys: Capture) -> None:
    """The cards stay where they are: nothing is said of a round that is laid again."""
    text = RECORD.replace("nsw-pontoon", "adelaide-pontoon-2008").replace("6s 9h 5d Kc 8d 9c", "9s 8h 7d 9c 5d 6h")
    told = "shift-manager notices the cards dealt 1 2 dealer 1"
    file = written(tmp_path, text=text)
    assert main(["adjudicate", file, "--what", told]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "draws the missing card and goes on" in said and "taken back and laid" not in said


def test_a_player_is_found_on_his_only_box(record: str, capsys: Capture) -> None:
    assert main(["adjudicate", record, "--what", "dealer passes over alice"]) == 0
    assert "box 1: alice does not decide" in capsys.readouterr().out.lower()


def test_a_jam_lies_as_the_next_stack_says(tmp_path: Path, capsys: Capture) -> None:
    text = RECORD.replace("nsw-pontoon", "adelaide-pontoon-2008").replace('6d 5c"', '6d 5c / 2c 3c 4c 5c 6c 7c"')
    file = written(tmp_path, "dealer clears a jam", text + 'table = { source = "shuffling-device" }\n')
    assert main(["adjudicate", file]) == 0
    assert "5 cards are then drawn face down" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "words", "complaint"),
    [
        ("", [], '"dealer deals" does not say that anything went wrong'),
        ("", ["--what", "alice hits"], "does not say that anything went wrong"),
        ("", ["--what", "alice dances"], "no such act"),
        ("", ["--what", "dealer passes over carol"], "say on which box, as in on 1"),
        ("alice hits on 2", ["--what", "dealer burns in error"], "was refused. NSW pontoon"),
        ("alice hits => refused *", ["--what", "dealer burns in error"], "was to be refused, and was not"),
        ("alice hits => refused *", [], "is expected to be refused"),
        ("", ["cut-missed"], "a record says what went wrong in its last line"),
        ("dealer clears a jam", [], "no stack is left"),
    ],
)
def test_a_record_that_does_not_lead_there(
    more: str, words: list[str], complaint: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["adjudicate", written(tmp_path, more), *words]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("unread    ") and complaint in printed.err


def test_an_empty_record(tmp_path: Path, capsys: Capture) -> None:
    file = written(tmp_path, text='title = "x"\nrulebook = "nsw-pontoon"\ncards = "6s"\nplay = []\n')
    assert main(["adjudicate", file]) == 2
    assert "no play line says what went wrong" in capsys.readouterr().err
    assert main(["adjudicate", str(tmp_path / "none.round")]) == 2


def test_what_cannot_be_so_is_refused(tmp_path: Path, capsys: Capture) -> None:
    assert main(["adjudicate", written(tmp_path), "--what", "dealer voids the round because of smoke"]) == 1
    assert "not the dealer. (17.8, 17.8.1)" in capsys.readouterr().out
    assert main(["adjudicate", written(tmp_path), "--what", "dealer draws one too many"]) == 1
    assert "It cannot be so, or not yet: the dealer's hand is not complete" in capsys.readouterr().out


def test_from_the_command_line(capsys: Capture) -> None:
    assert main(["adjudicate", "nsw-pontoon", "wrong-cards", "--fact", "which=missing", "--why"]) == 0
    printed = capsys.readouterr().out
    assert "Tell: surveillance: the missing card" in printed and "17.16.1: Finished rounds stand." in printed


def test_what_is_open_is_asked_with_exit_code_1(capsys: Capture) -> None:
    assert main(["adjudicate", "adelaide-pontoon-2008", "cut-missed"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "The House decides." in printed and "As in NSW pontoon 17.11" in printed
    assert "--by gaming-supervisor, or above" in printed, "whoever is asked is told who may answer"
    words = ["--decide", "irregularities.cut_missed=finish-then-shuffle", "--by", "gaming-manager"]
    assert main(["adjudicate", "adelaide-pontoon-2008", "cut-missed", *words]) == 0
    assert "Decided by a gaming manager, since the document does not say (122)" in capsys.readouterr().out
    assert main(["adjudicate", "Adelaide", "cut missed", "--decide", "cut_missed=1", "--by", "Gaming Manager"]) == 0
    assert "Decided by a gaming manager" in capsys.readouterr().out, "names, words and numbers alike"
    assert main(["adjudicate", "nsw-pontoon", "wrong-cards"]) == 1
    assert "Tell it with --fact which=..." in capsys.readouterr().out


def test_a_decision_by_the_wrong_person_is_refused(capsys: Capture) -> None:
    words = ["--decide", "irregularities.cut_missed=finish-then-shuffle", "--by", "dealer"]
    assert main(["adjudicate", "adelaide-pontoon-2008", "cut-missed", *words]) == 2
    assert capsys.readouterr().err.startswith("refused   Adelaide pontoon 122: the House decides")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nsw"], "no rulebook 'nsw'. Known: nsw-pontoon"),
        (["nsw-pontoom", "cut-missed"], "no rulebook 'nsw-pontoom'. Did you mean nsw-pontoon?"),
        (["canberra", "cut-missed"], "no rulebook 'canberra'. Known: "),
        (["adelaide", "cut-missed", "--by", "boss"], "'boss' is no role of the house's staff. Known: dealer, gaming-"),
        (["adelaide", "cut-missed", "--decide", "cut=1", "--by", "dealer"], "'cut' is not for the house to decide"),
        (["nsw-pontoon", "cut-mist"], "no situation 'cut-mist'. Did you mean cut-missed?"),
        (["nsw-pontoon", "cut-missed", "--fact", "exposed"], "--fact 'exposed': write NAME=VALUE"),
        (["nsw-pontoon", "cut-missed", "--fact", "a=1", "--fact", "a=2"], "--fact a is given twice"),
        (["nsw-pontoon", "cut-missed", "--fact", "table=1"], "cut-missed has no fact 'table'"),
        (["nsw-pontoon", "--fact", "exposed=yes"], "--fact and --decide need a rulebook and a situation"),
        (["nsw-pontoon", "--what", "dealer burns in error"], "--what and --after need a record"),
    ],
)
def test_bad_input(words: list[str], complaint: str, capsys: Capture) -> None:
    assert main(["adjudicate", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith("unread    " + complaint)


def test_the_list_of_situations(capsys: Capture) -> None:
    assert main(["adjudicate", "list"]) == 0
    printed = capsys.readouterr().out
    assert all(f"  {situation.name}\n" in printed for situation in SITUATIONS)
    assert all(len(line) <= 80 for line in printed.splitlines())
    assert main(["adjudicate", "list", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(SITUATIONS)


def test_words_of_a_situation_are_enough(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert main(["adjudicate", "nsw-pontoon", "total"]) == 0
    assert "the dealer announced a wrong total" in capsys.readouterr().out
    assert main(["adjudicate", "nsw-pontoon", "dealer card"]) == 2
    assert "Did you mean extra-dealer-card or" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("nonsense\ndispute\n"))
    assert main(["adjudicate", "nsw-pontoon"]) == 0
    said = capsys.readouterr().out
    assert "'nonsense' is no answer" in said and "A gaming supervisor decides the dispute. (19.17)" in said


def test_only_duties_that_the_rulebook_has_are_offered(capsys: Capture) -> None:
    assert main(["adjudicate", "nsw-pontoon", "duty-of-conduct"]) == 1
    offered = capsys.readouterr().out
    assert "  3. loss-limit:" in offered and "device-linked" not in offered
    assert main(["adjudicate", "nsw-pontoon", "duty-of-conduct", "--fact", "duty=3"]) == 0
    assert "(19.2)" in capsys.readouterr().out, "a number is that of the list that was shown"
    assert main(["adjudicate", "nsw-pontoon", "duty-of-conduct", "--fact", "duty=device-linked"]) == 0
    assert "The rules have no such duty" in capsys.readouterr().out


def test_asking_through_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    ask(monkeypatch, "2", "cards", "0", "2", "maybe", "yes")
    assert main(["adjudicate"]) == 0
    printed = capsys.readouterr().out
    assert "unread    '0' is no answer. Say a number from 1 to 10, or the name." in printed
    assert "unread    'maybe' is no answer. Say yes or no." in printed
    assert "Each player in turn may refuse it, since it was exposed. (103, 102)" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_asking_for_a_decision_and_who_made_it(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    ask(monkeypatch, "payments", "1", "12.50", "yes", "no", "1", "casino-supervisor")
    assert main(["adjudicate", "canberra-pontoon-2002"]) == 0
    printed = capsys.readouterr().out
    assert "Decided by a casino supervisor" in printed and "The player is asked to give $12.50 back. (17.6)" in printed


def test_a_decision_may_be_left_open(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    ask(monkeypatch, "forgotten", "cut-missed", "2")
    assert main(["adjudicate", "canberra-pontoon-2002"]) == 1
    assert "Tell the decision with --decide" in capsys.readouterr().out


def test_the_device_is_asked_about_step_by_step(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    ask(monkeypatch, "device", "1", "yes", "no", "yes", "yes", "no")
    assert main(["adjudicate", "nsw-pontoon"]) == 0
    printed = capsys.readouterr().out
    for question in ("a round being played", "disadvantage", "cards damaged", "another device", "move the cards"):
        assert question in printed
    assert "Each player may first take back their wagers, or play on. (18.5.1)" in printed


def test_json_answers_go_to_standard_output_alone(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    ask(monkeypatch, "misdeal", "round-void")
    assert main(["adjudicate", "nsw-pontoon", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["situation"] == "round-void"
    assert "What went wrong?" in printed.err


def test_input_that_ends_too_soon(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    ask(monkeypatch, "1")
    assert main(["adjudicate"]) == 2
    assert "unread    the input ended at the question" in capsys.readouterr().err


@pytest.mark.clause("adelaide-pontoon-2008", "122")
def test_what_amends_the_rulebook_at_the_table(tmp_path: Path, capsys: Capture) -> None:
    decided = tmp_path / "ours.toml"
    decided.write_text(
        'name = "our house"\nrulebook = "adelaide-pontoon-2008"\nkind = "house-decision"\nclauses = ["122"]\n'
        '[terms.irregularities]\ncut_missed = { is = "finish-then-shuffle", clause = "122" }\n',
        encoding="utf-8",
    )
    assert main(["adjudicate", "adelaide-pontoon-2008", "cut-missed", "--amend", str(decided)]) == 0
    assert "Earlier rounds stand. (122)" in " ".join(capsys.readouterr().out.split())
    assert main(["adjudicate", "nsw-pontoon", "cut-missed", "--amend", str(decided)]) == 2
    assert "it amends 'adelaide-pontoon-2008'" in capsys.readouterr().err


@pytest.mark.clause("nsw-pontoon", "17.20")
def test_another_edition_of_the_rulebook(record: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(editions, "_learned", {})
    before = 'month","is":100000}'
    text = editions.text("nsw-pontoon").decode()
    assert text.count(before) == 1
    other = editions.learn(text.replace(before, before.replace("100000", "200000")).encode())
    asked = ["adjudicate", "nsw-pontoon", "overpayment"]
    asked += [f"--fact={each}" for each in ("dollars=1500", "rectified=no", "intentional=no", "player=alice")]
    for edition, told in (("", "regulator: overpayment of $1,500.00"), (other.edition, "nobody need be told")):
        assert main([*asked, *(("--edition", edition[:12]) if edition else ())]) == 0
        assert f"Tell: {told}" in capsys.readouterr().out
    assert main(["adjudicate", record, "--edition", other.edition]) == 2
    assert "a record says how its rulebook is played" in capsys.readouterr().err
    assert main([*asked, "--edition", "0" * 12]) == 2
    assert "edition 000000000000 of nsw-pontoon is missing" in capsys.readouterr().err
