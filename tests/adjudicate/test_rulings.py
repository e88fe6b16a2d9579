"""Every situation has a complete ruling in every rulebook, and what a document leaves open is asked."""

from __future__ import annotations

import doctest
import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import pitboss.adjudicate
from pitboss.adjudicate import SITUATIONS, AdjudicationError, Ruling, adjudicate
from pitboss.adjudicate.model import STEP_KINDS, FactValue
from pitboss.adjudicate.ruling import missing_facts, rule_on
from pitboss.adjudicate.situations import BY_NAME, GROUPS
from pitboss.adjudicate.situations.parts import Fact, Situation
from pitboss.adjudicate.speaking import as_json, lines
from pitboss.adjudicate.words import term_of
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists
from pitboss.rulebooks.meanings import MAY_BE_SILENT
from pitboss.rulebooks.phrases import word_means
from pitboss.rulebooks.vocabulary import WORDS
from pitboss.table.refusals import Refused
from tests.books import ACT2, ACT5, BJC, DOCUMENTS, NSW

VALUES: dict[str, tuple[FactValue, ...]] = {"yes-no": (True, False), "amount": (500, 250_000)}


def values_of(fact: Fact) -> tuple[FactValue, ...]:
    return VALUES.get(fact.kind) or tuple(fact.choices)


def combinations(situation: Situation) -> Iterator[dict[str, FactValue]]:
    facts = [fact for fact in situation.facts if not fact.at_table]
    for values in itertools.product(*map(values_of, facts)):
        yield dict(zip([fact.name for fact in facts], values, strict=True))


def decided(rulebook: str, situation: str, facts: dict[str, FactValue]) -> Ruling:
    """The ruling, with the first choice wherever the house must decide."""
    ruling = rule_on(rulebook, situation, facts)
    if not ruling.questions:
        return ruling
    decisions = {question.about: question.choices[0].value for question in ruling.questions}
    return rule_on(rulebook, situation, facts, decisions=decisions, decided_by="gaming-manager")


def clauses_of(ruling: Ruling) -> Iterator[str]:
    cited: tuple[Any, ...] = (*ruling.steps, *ruling.approvals, *ruling.notices, *ruling.decisions)
    for each in cited:
        assert each.clauses, f"{each} cites nothing"
        yield from each.clauses


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_every_ruling_is_complete_and_cites_what_exists(situation: Situation, rulebook: str) -> None:
    for facts in combinations(situation):
        ruling = decided(rulebook, situation.name, facts)
        assert ruling.complete and ruling.steps, facts
        assert [clause for clause in clauses_of(ruling) if not exists(rulebook, clause)] == []
        for step in ruling.steps:
            assert step.text[0].isupper() or step.text[0].isdigit()
            assert step.text.endswith(".") and "{" not in step.text and step.kind in STEP_KINDS
        told = list(lines(ruling, why=True))
        assert all(len(line) <= 80 for line in told)
        assert as_json(ruling)["steps"]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_what_changes_the_ruling_is_asked(situation: Situation, rulebook: str) -> None:
    """A fact that is not asked changes nothing; nothing is ruled while one is missing."""
    book = load(rulebook)
    seen: dict[tuple[tuple[str, FactValue], ...], object] = {}
    for facts in combinations(situation):
        asked: dict[str, FactValue] = {}
        while missing := missing_facts(situation, book, asked):
            open_ruling = rule_on(rulebook, situation.name, asked)
            assert not open_ruling.complete and not open_ruling.steps
            assert missing[0].name in [question.about for question in open_ruling.questions]
            asked[missing[0].name] = facts[missing[0].name]
        ruling = decided(rulebook, situation.name, facts)
        told = (ruling.steps, ruling.approvals, ruling.notices)
        assert seen.setdefault(tuple(asked.items()), told) == told
        only_asked = decided(rulebook, situation.name, asked)
        assert (only_asked.steps, only_asked.approvals, only_asked.notices) == told


def comes_up(rulebook: str, key: str) -> bool:
    """A game that burns nothing cannot have a burn forgotten, whatever its document leaves open."""
    shuffle = load(rulebook).shuffle
    return key != "irregularities.burn_forgotten" or bool(shuffle.burn_shoe.value or shuffle.burn_device.value)


UNDECIDED = [
    pytest.param(rulebook, key, id=f"{rulebook}-{key}")
    for rulebook in RULEBOOKS
    for key in MAY_BE_SILENT
    if term_of(load(rulebook), key).value == "undecided" and comes_up(rulebook, key)
]


@pytest.mark.parametrize(("rulebook", "key"), UNDECIDED)
def test_what_a_document_leaves_open_is_asked_and_never_guessed(rulebook: str, key: str) -> None:
    asked = [
        (situation, facts, question)
        for situation in SITUATIONS
        for facts in combinations(situation)
        for question in rule_on(rulebook, situation.name, facts).questions
        if question.about == key
    ]
    assert asked, f"no situation of {rulebook} comes to {key}"
    situation, facts, question = asked[0]
    assert question.kind == "house" and question.choices
    assert question.decided_by in ("house", "casino-operator") or key == "irregularities.invalidated_paid"
    assert all(exists(rulebook, clause) for clause in (*question.clauses, *question.decider_clauses))
    assert question.choices[0].sources
    for choice in question.choices:
        by_name = {load(each).name: each for each in RULEBOOKS}
        for source in choice.sources:
            assert all(exists(by_name[source.rulebook], clause) for clause in source.clauses)
            assert term_of(load(by_name[source.rulebook]), key).value == choice.value
        ruling = rule_on(rulebook, situation.name, facts, decisions={key: choice.value}, decided_by="gaming-manager")
        assert ruling.complete
        assert (ruling.decisions[0].by, ruling.decisions[0].value) == ("gaming-manager", choice.value)
        assert ruling.decisions[0].clauses == question.decider_clauses


def test_every_value_of_a_silent_term_has_words() -> None:
    silent = [key for key, words in WORDS.items() if "undecided" in words]
    assert sorted(MAY_BE_SILENT) == sorted(silent)
    for key in silent:
        assert word_means(key, "undecided").startswith("The document does not say ")
        assert all(word_means(key, word).endswith(".") for word in WORDS[key])


def test_nothing_is_left_open_by_the_rulebooks_that_say_everything() -> None:
    for rulebook in ("nsw-pontoon", "nsw-blackjack-challenge"):
        for situation in SITUATIONS:
            for facts in combinations(situation):
                asked = [question.about for question in rule_on(rulebook, situation.name, facts).questions]
                assert asked == (["irregularities.invalidated_paid"] if facts.get("paid") else [])


def test_a_decision_is_for_those_whom_the_document_names() -> None:
    decisions = {"irregularities.cut_missed": "finish-then-shuffle"}
    with pytest.raises(Refused, match="122: the House decides"):
        adjudicate("adelaide-pontoon-2008", "cut-missed", decisions=decisions, decided_by="dealer")
    ruling = adjudicate("adelaide-pontoon-2008", "cut-missed", decisions=decisions, decided_by="shift-manager")
    assert ruling.steps[0].clauses == ("122",)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"situation": "cut-mised"}, "Did you mean cut-missed"),
        ({"situation": "zzz"}, "no situation 'zzz'. Known: card-face-up"),
        ({"situation": "cut-missed", "exposed": True}, "cut-missed has no fact 'exposed'. Known: none"),
        ({"situation": "card-drawn-in-error", "exposed": "perhaps"}, "exposed: 'perhaps' is no answer. Say yes or no"),
        ({"situation": "overpayment", "dollars": "12.345"}, "dollars: '12.345' is not an amount"),
        ({"situation": "overpayment", "cents": 0}, "dollars: '0' is no answer"),
        ({"situation": "wrong-cards", "which": "torn"}, "Say one of missing, foreign"),
        ({"situation": "card-out-of-order", "places": "1,x"}, "places: '1,x' is no answer"),
        ({"situation": "shuffling-device-malfunction", "damaged": "6s Zz"}, "damaged: "),
        ({"situation": "cut-missed", "decisions": {"dealer.soft_stand": "17"}}, "not for the house to decide"),
        ({"situation": "cut-missed", "decisions": {"irregularities.cut_missed": "x"}}, "'x' is none of"),
        (
            {"situation": "cut-missed", "decisions": {"irregularities.cut_missed": "finish-then-shuffle"}},
            "say who decides, as in casino-supervisor",
        ),
        (
            {
                "situation": "cut-missed",
                "decisions": {"irregularities.cut_missed": "finish-then-shuffle"},
                "decided_by": "inspector",
            },
            "no role of the house's staff",
        ),
        (
            {
                "situation": "cut-missed",
                "decisions": {"irregularities.shuffle_missed": "finish-then-shuffle"},
                "decided_by": "gaming-manager",
            },
            "is decided by Canberra pontoon 2005 itself",
        ),
    ],
)
def test_bad_input_is_told(words: dict[str, FactValue], complaint: str) -> None:
    with pytest.raises(AdjudicationError) as caught:
        adjudicate("canberra-pontoon-2005", **words)  # type: ignore[arg-type]
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("rulebook", "situation", "facts", "step", "clause"),
    [
        ("nsw-pontoon", "player-absent", {"others": False}, "gets no more cards", "17.10"),
        ("nsw-pontoon", "player-absent", {"others": True}, "Another player", "5.6"),
        ("nsw-blackjack-challenge", "player-absent", {"others": False}, "drawn until it has 12", "18.10"),
        ("canberra-pontoon-2005", "player-absent", {}, "drawn until it has 12", "15.7"),
        ("adelaide-pontoon-2008", "player-absent", {}, "only the cards that it must have", "50(a)(i)"),
        ("nsw-blackjack-challenge", "card-burned-in-error", {}, "taken back", "18.16"),
        ("nsw-pontoon", "card-burned-in-error", {}, "stays burned", "17.17"),
        ("nsw-pontoon", "misdeal-noticed-later", {}, "stands as it was settled", "17.8"),
        ("canberra-pontoon-2002", "misdeal-noticed-later", {}, "only the faulty round is void", "15.5"),
        ("nsw-pontoon", "round-void", {}, "stays paid", "17.16.2"),
        ("canberra-pontoon-2002", "round-void", {}, "reversed", "def:Void"),
        ("adelaide-pontoon-2008", "jam", {}, "5 cards are then drawn", "43"),
        ("nsw-pontoon", "jam", {}, "as any other malfunction", "18.1.2"),
        ("adelaide-pontoon-2008", "dealer-lacks-card", {"noticed": "in-turn"}, "dealer's first card", "105(d)"),
        ("adelaide-pontoon-2008", "card-without-wager", {"noticed": "passed"}, "cards are burned", "109"),
        ("nsw-pontoon", "invalid-wager", {"stage": "during"}, "wins and loses nothing", "17.21.2"),
        ("adelaide-pontoon-2008", "wager-outside-limits", {"side": "below", "warned": True}, "goes back", "118"),
        ("nsw-pontoon", "fraud", {"forfeit": True, "refund": True, "paid": False}, "forfeited", "19.10"),
        ("canberra-pontoon-2005", "fraud", {"forfeit": True, "paid": False}, "let nobody forfeit", "17.3"),
        ("nsw-blackjack-challenge", "insurance-missed", {}, "has no insurance", "5.4"),
        ("nsw-blackjack-challenge", "jackpot-fault", {}, "jackpot wagers of the round are returned", "18.17.1"),
    ],
)
def test_the_rulebooks_differ(
    rulebook: str, situation: str, facts: dict[str, FactValue], step: str, clause: str
) -> None:
    found = [each for each in rule_on(rulebook, situation, facts).steps if step in each.text]
    assert found and clause in found[0].clauses


def test_people_are_told_and_asked() -> None:
    ruling = adjudicate("nsw-pontoon", "wrong-cards", which="foreign")
    assert [notice.to for notice in ruling.notices] == ["surveillance", "inspector"]
    assert ruling.approvals[0].who == "casino-supervisor"
    ruling = adjudicate("nsw-pontoon", "overpayment", dollars="1000.01", rectified=True, intentional=False)
    assert [notice.to for notice in ruling.notices] == ["regulator"]
    assert adjudicate("nsw-pontoon", "overpayment", dollars=1000, rectified=True, intentional=False).notices == ()
    ruling = adjudicate("adelaide-pontoon-2008", "card-face-up")
    assert [each.who for each in ruling.approvals] == ["casino-supervisor"]
    assert [notice.to for notice in ruling.notices] == ["casino-supervisor"]


def test_amounts_are_dollars_from_the_question_to_the_answer() -> None:
    asked = adjudicate("nsw-pontoon", "overpayment").questions[0]
    assert (asked.about, asked.text) == ("dollars", "By how many dollars was the payment wrong?")
    for facts in ({"dollars": "12.50"}, {"dollars": "$12.50"}, {"cents": "12.50"}):  # as it was called once
        told = rule_on("nsw-pontoon", "overpayment", {"rectified": True, "intentional": False, **facts})
        assert any("give $12.50 back" in step.text for step in told.steps), facts
    told = adjudicate("nsw-pontoon", "overpayment", rectified=True, intentional=False, dollars=25)
    assert any("give $25.00 back" in step.text for step in told.steps)
    with pytest.raises(AdjudicationError, match=r"^dollars: '-5' is not an amount: write dollars"):
        adjudicate("nsw-pontoon", "overpayment", dollars="-5")


def test_the_malfunction_is_a_decision_procedure() -> None:
    facts: dict[str, FactValue] = {"in_round": True, "disadvantage": False, "damage": True}
    moved = rule_on("nsw-pontoon", "shuffling-device-malfunction", {**facts, "spare": True, "transferable": True})
    assert [step.clauses[0] for step in moved.steps] == ["18.3", "18.3.3", "18.3.2"]
    shoe = rule_on("nsw-pontoon", "shuffling-device-malfunction", {**facts, "spare": True, "transferable": False})
    assert [step.kind for step in shoe.steps] == ["do", "choice", "cards", "cards", "cards"]
    facts["disadvantage"] = True
    ended = rule_on("nsw-pontoon", "shuffling-device-malfunction", {**facts, "spare": True, "transferable": True})
    assert "18.4" in ended.steps[1].clauses and ended.money
    assert [step.clauses[0] for step in ended.steps[3:]] == ["18.3.3", "18.4"]
    assert not ended.choices, "an ended round offers nothing back"


def test_groups_and_names() -> None:
    assert {situation.group for situation in SITUATIONS} == set(GROUPS)
    assert len(BY_NAME) == len(SITUATIONS)


def test_the_example_runs() -> None:
    assert doctest.testmod(pitboss.adjudicate).failed == 0


# --- misdeals by their moment ----------------------------------------------------------------------------------------


def texts(ruling: Ruling) -> str:
    return " ".join(step.text for step in ruling.steps)


@pytest.mark.clause("adelaide-pontoon-2008", "105(c)", "106(a)", "106(b)", "106(c)", "106(d)", "107", "108")
def test_a_hand_left_out_in_adelaide_depends_on_when_and_on_what_was_called() -> None:
    passed = adjudicate("adelaide-pontoon-2008", "hand-left-out", noticed="passed")
    assert "Before the dealer's second card" in texts(passed) and "bust" not in texts(passed)
    for meant, words in (
        ("hit", "is not doubled or split any more"),
        ("double", "may still be doubled"),
        ("split", "may still be split"),
    ):
        late = adjudicate("adelaide-pontoon-2008", "hand-left-out", noticed="dealer", meant=meant)
        assert words in texts(late)
        assert {"106(a)", "106(b)", "106(c)", "106(d)"} <= {clause for step in late.steps for clause in step.clauses}
    asked = adjudicate("adelaide-pontoon-2008", "hand-left-out", noticed="dealer")
    assert [question.about for question in asked.questions] == ["meant"]


@pytest.mark.clause("nsw-pontoon", "17.8")
@pytest.mark.clause("nsw-blackjack-challenge", "18.8")
@pytest.mark.clause("canberra-pontoon-2005", "15.4")
@pytest.mark.clause("canberra-pontoon-2002", "15.4")
@pytest.mark.parametrize("rulebook", [NSW, ACT5, ACT2, BJC])
def test_elsewhere_a_hand_left_out_is_dealt_what_it_was_due_or_the_round_is_void(rulebook: str) -> None:
    assert "gets its card" in texts(adjudicate(rulebook, "hand-left-out", possible=True))
    void = adjudicate(rulebook, "hand-left-out", possible=False)
    assert "void" in texts(void) and [each.what for each in void.approvals] == ["declares the round void"]


@pytest.mark.clause("adelaide-pontoon-2008", "112")
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_a_card_on_the_wrong_box_is_moved_under_whose_supervision_the_rulebook_says(rulebook: str) -> None:
    ruling = adjudicate(rulebook, "card-on-the-wrong-box", possible=True)
    assert "goes to the hand that asked for it" in texts(ruling)
    supervised = [each.who for each in ruling.approvals if each.what == "supervises the rebuilding"]
    assert supervised == (["shift-manager"] if rulebook == "adelaide-pontoon-2008" else [])


@pytest.mark.parametrize("rulebook", DOCUMENTS)
@pytest.mark.parametrize("possible", [True, False])
def test_after_the_round_it_is_laid_again_or_void_or_for_the_house(rulebook: str, possible: bool) -> None:
    ruling = adjudicate(rulebook, "misdeal-told-after-the-round", possible=possible)
    if rulebook in (NSW, BJC):
        assert ("laid out again as it should" in texts(ruling)) == possible
        assert ("so it is void" in texts(ruling)) != possible
        return
    (question,) = ruling.questions
    assert [choice.value for choice in question.choices] == ["rebuild-or-void"]
    decided = adjudicate(
        rulebook, "misdeal-told-after-the-round", possible=possible,
        decisions={question.about: "rebuild-or-void"}, decided_by="casino-supervisor",
    )  # fmt: skip
    assert decided.complete and ("laid out again as it should" in texts(decided)) == possible
