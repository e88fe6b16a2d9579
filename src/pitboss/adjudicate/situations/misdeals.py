"""Hands that were laid wrongly or lack cards: rebuilt, dealt with by stage, or void."""

from __future__ import annotations

from pitboss.adjudicate.model import AdjudicationError
from pitboss.adjudicate.situations.parts import BOX, PLAYER, Fact, Facts, Rule, Situation, actor, box_of, player_of
from pitboss.rulebooks.meanings import BY_STAGE, UNDECIDED
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table.acts import NOTICED_LATER, AnyAct
from pitboss.table.state import Table

# --- what the rule says ----------------------------------------------------------------------------------------------

STAGES = {
    "initial-deal": "while the first two cards were dealt, before anybody's turn",
    "in-turn": "before the hand's turn was over",
    "passed": "after the hand's turn, before the dealer's second card",
    "dealer": "after the dealer's second card",
}


def _by_stage(book: Rulebook, facts: Facts) -> bool:
    return BY_STAGE[book.irregularities.misdeal.value]


def _left_as_dealt(book: Rulebook, facts: Facts) -> bool:
    return _by_stage(book, facts) and facts.get("noticed", "initial-deal") != "initial-deal"


def _rebuild(rule: Rule) -> None:
    """The round is re-laid; where that is impossible it is void."""
    if not rule.facts["possible"]:
        rule.say("The round cannot be rebuilt, so it is void.", "irregularities.misdeal_impossible")
        rule.approve(rule.value("irregularities.void_by"), "declares the round void", "irregularities.void_by")
        rule.void()
        return
    text = "The round is rebuilt: the cards are laid as they should have been dealt, in the order in which they left."
    rule.say(text, "irregularities.misdeal", kind="cards")
    rule.say("The players are shown the hands before and after, and the round then goes on.", "irregularities.misdeal")
    role = rule.value("irregularities.misdeal_by")
    if role != "dealer":
        rule.approve(role, "supervises the rebuilding", "irregularities.misdeal_by")


def _rebuilt_in_full(rule: Rule) -> bool:
    return not BY_STAGE[rule.value("irregularities.misdeal")] or rule.facts["noticed"] == "initial-deal"


def _out_of_order(rule: Rule) -> None:
    if _rebuilt_in_full(rule):
        _rebuild(rule)
        return
    role = rule.value("irregularities.misdeal_full_by")
    text = "After the initial deal the hands are rebuilt in full only under management's supervision."
    rule.say(text, "irregularities.misdeal_full_by", kind="cards")
    text = "Without that the cards stay where they lie, and hands that lack cards are dealt with in turn."
    rule.say(text, "irregularities.short_hand", "irregularities.misdeal", kind="cards")
    rule.approve(role, "supervises a full rebuilding", "irregularities.misdeal_full_by")


def _box_short(rule: Rule) -> None:
    if _rebuilt_in_full(rule):
        _rebuild(rule)
        return
    if rule.facts["noticed"] == "dealer":
        _dealer_has_finished(rule, "hit")
        return
    text = "The controlling player draws the missing card and goes on, or takes the wager back."
    rule.say(text, "irregularities.short_hand", kind="choice")
    text = "If they withdraw, all wagers on the hand go back. If they play on, the others accept that or withdraw."
    rule.say(text, "irregularities.short_hand_others", kind="choice")


def _dealer_has_finished(rule: Rule, meant: str) -> None:
    """The dealer's hand is complete: what becomes of a hand that lacks cards."""
    bust, stands = "irregularities.short_hand_dealer_bust", "irregularities.short_hand_dealer_stands"
    rule.say("If the dealer is bust, the hand wins.", bust, kind="money")
    text = "If the dealer stands, the controlling player draws to the hand or takes the wager back."
    rule.say(text, stands, kind="choice")
    text = f"If the dealer has a {rule.book.game.natural.value}, the hand stands off."
    rule.say(text, "irregularities.short_hand_dealer_natural", kind="money")
    text = "The hand is not doubled or split any more."
    if meant != "hit":
        called, other = ("doubled", "split") if meant == "double" else ("split", "doubled")
        text = f"The hand may still be {called}, as had been called for; it is not {other}."
    rule.say(text, "irregularities.short_hand_no_double_or_split")
    text = "If they withdraw, all wagers on the hand go back. If they play on, the others accept that or withdraw."
    rule.say(text, "irregularities.short_hand_others", kind="choice")


def _dealer_short(rule: Rule) -> None:
    if _rebuilt_in_full(rule):
        _rebuild(rule)
        return
    rule.say("The next card is the dealer's first card.", "irregularities.dealer_short", kind="cards")
    rule.say("All players may take their wagers back, or play on.", "irregularities.dealer_short", kind="choice")
    text = "For those who play on the dealer cannot have a {natural}: ace and ten are a plain 21."
    rule.say(text.format(natural=rule.book.game.natural.value), "irregularities.dealer_short")


def _superfluous(rule: Rule) -> None:
    if _rebuilt_in_full(rule):
        _rebuild(rule)
        return
    text = "The hand on the box without a wager is void, and its cards are burned."
    rule.say(text, "irregularities.superfluous_hand", kind="cards")


def _left_out(rule: Rule) -> None:
    """The hand was gone past in the subsequent deal: by stage, or simply dealt what it should have had."""
    if not BY_STAGE[rule.value("irregularities.misdeal")]:
        if not rule.facts["possible"]:
            _rebuild(rule)
            return
        text = "The hand gets its card as it should have been dealt, and the cards dealt after it are laid out again."
        rule.say(text, "irregularities.misdeal", "irregularities.short_hand", kind="cards")
        return
    if rule.facts["noticed"] == "passed":
        rule.say("The dealer deals to the other hands first.", "irregularities.short_hand", kind="cards")
        text = "Before the dealer's second card the controlling player draws to the hand, or takes the wager back."
        rule.say(text, "irregularities.short_hand", kind="choice")
        text = "If they withdraw, all wagers on the hand go back. If they play on, the others accept that or withdraw."
        rule.say(text, "irregularities.short_hand_others", kind="choice")
        return
    _after_dealers_second_card(rule)


def _after_dealers_second_card(rule: Rule) -> None:
    rule.say("The dealer's hand is dealt to its end first.", "irregularities.short_hand_dealer_stands", kind="cards")
    _dealer_has_finished(rule, str(rule.facts.get("meant", "hit")))


def _misplaced(rule: Rule) -> None:
    """A card that was asked for lies on another box."""
    if not rule.facts["possible"]:
        _rebuild(rule)
        return
    text = "The card goes to the hand that asked for it, and the cards dealt after it are laid out again in order."
    key = "irregularities.misdeal_full_by"
    rule.say(text, key, kind="cards")
    rule.say("The players are shown the hands before and after, and the round then goes on.", key)
    if rule.value(key) != "dealer":
        rule.approve(rule.value(key), "supervises the rebuilding", key)


def _afterwards(rule: Rule) -> None:
    """Noticed when later cards and decisions lie on it: the round is taken back, and what still fits holds."""
    what = str(rule.facts["what"])
    if what in STEPS_LEFT_OUT:
        rule.tell(STEPS_LEFT_OUT[what])
        return
    if what == "drawn":
        text = "It was the next card and was dealt as that: nothing changes, and nobody refuses it any more."
        rule.say(text, "irregularities.drawn_in_error", kind="cards")
        return
    if what == "left-out" and BY_STAGE[rule.value("irregularities.misdeal")]:
        _left_out(rule)
        return
    if rule.facts["settled"]:
        after = "irregularities.misdeal_after_round"
        if UNDECIDED[rule.value(after)]:
            rule.tell(after)
            return
        rule.say("What the round has paid and taken is undone.", after, kind="money")
    key = "irregularities.misdeal_full_by"
    text = "The round is taken back and laid as it should have been dealt, in the order in which its cards left."
    rule.say(text, key, kind="cards")
    text = "Decisions hold that were made on the same hand and the same cards of the dealer's; others are asked again."
    rule.say(text, key, kind="choice")
    rule.say("Where the cards do not allow that, the round is void.", "irregularities.misdeal_impossible")
    if rule.value(key) != "dealer":
        rule.approve(rule.value(key), "supervises the rebuilding", key)


STEPS_LEFT_OUT = {
    "burn-forgotten": "irregularities.burn_forgotten",
    "insurance-missed": "irregularities.insurance_missed",
    "discards-forgotten": "irregularities.discards_not_returned",
    "shuffle-missed": "irregularities.shuffle_missed",
    "cut-missed": "irregularities.cut_missed",
}
"""What the rulebook says of a step that was left out, however late that is noticed."""


# --- which act tells it ----------------------------------------------------------------------------------------------


def _places(table: Table, facts: Facts) -> AnyAct | None:
    if table.misdealt:
        return None
    words = facts.get("places")
    if not isinstance(words, tuple):
        raise AdjudicationError("say to whom the cards went, as in places=1,2,2,dealer,1")
    return a.Misdeal(tuple(0 if word == "dealer" else int(word) for word in words), str(facts.get("noticed")))


def _leave_out(table: Table, facts: Facts) -> AnyAct | None:
    if not facts["possible"] and not _by_stage(table.rulebook, facts):
        return a.VoidRound(actor(table.rulebook.irregularities.void_by.value), "a hand was left out")
    return a.LeaveOut(box_of(facts), str(facts["noticed"]), str(facts["meant"]))


def _misplace(table: Table, facts: Facts) -> AnyAct | None:
    if table.misdealt:
        return None
    return a.Misplace(player_of(facts), box_of(facts), int(str(facts["wrong"])))


def _notice(table: Table, facts: Facts) -> AnyAct | None:
    places = facts["places"]
    return a.Notice(
        actor(table.rulebook.irregularities.misdeal_full_by.value),
        str(facts["what"]),
        card=int(str(facts["card"])),
        decision=int(str(facts["decision"])),
        to=int(str(facts["to"])),
        places=tuple(0 if word == "dealer" else int(word) for word in places) if isinstance(places, tuple) else (),
        meant=str(facts["meant"]),
    )


# --- the list --------------------------------------------------------------------------------------------------------

CALLS = {"hit": "a card", "double": "to double", "split": "to split"}
NOTICED = Fact("noticed", "When was it noticed?", "choice", STAGES, _by_stage, usual="initial-deal")
POSSIBLE = Fact(
    "possible", "Can the order in which the cards left be told, so that the round can be rebuilt?", usual=True
)
PLACES = Fact("places", "To whom did the cards go, in the order in which they left?", "places", at_table=True)
MISDEAL_FACTS = (
    NOTICED,
    Fact(POSSIBLE.name, POSSIBLE.ask, needed=lambda book, facts: not _left_as_dealt(book, facts), usual=True),
    PLACES,
)

MISDEALS: tuple[Situation, ...] = (
    Situation(
        "card-out-of-order",
        "misdeal",
        "a card went to the wrong box",
        _out_of_order,
        MISDEAL_FACTS,
        _places,
    ),
    Situation("box-lacks-card", "misdeal", "a box did not get its card", _box_short, MISDEAL_FACTS, _places),
    Situation(
        "dealer-lacks-card", "misdeal", "the dealer did not get a first card", _dealer_short, MISDEAL_FACTS, _places
    ),
    Situation(
        "card-without-wager", "misdeal", "cards went to a box without a wager", _superfluous, MISDEAL_FACTS, _places
    ),
    Situation(
        "hand-left-out",
        "misdeal",
        "the dealer went past a hand without the card that it was due",
        _left_out,
        (
            Fact(
                "noticed",
                "When was it noticed?",
                "choice",
                {stage: STAGES[stage] for stage in ("passed", "dealer")},
                _by_stage,
                usual="passed",
            ),
            Fact(
                "meant",
                "What had the player called for?",
                "choice",
                CALLS,
                lambda book, facts: _by_stage(book, facts) and facts.get("noticed") == "dealer",
                usual="hit",
            ),
            Fact(POSSIBLE.name, POSSIBLE.ask, needed=lambda book, facts: not _by_stage(book, facts), usual=True),
            BOX,
        ),
        _leave_out,
    ),
    Situation(
        "noticed-afterwards",
        "misdeal",
        "an error in dealing is noticed when later cards or decisions lie on it",
        _afterwards,
        (
            Fact("what", "What had happened?", "choice", NOTICED_LATER),
            Fact(
                "settled",
                "Has the round been settled?",
                needed=lambda book, facts: (
                    facts.get("what") not in (*STEPS_LEFT_OUT, "drawn")
                    and not (facts.get("what") == "left-out" and _by_stage(book, facts))
                ),
                usual=False,
            ),
            Fact(
                "noticed",
                "When was it noticed?",
                "choice",
                {stage: STAGES[stage] for stage in ("passed", "dealer")},
                lambda book, facts: _by_stage(book, facts) and facts.get("what") == "left-out",
                usual="passed",
            ),
            Fact(
                "card",
                "Which card of the round was it, from 1 in the order in which they left?",
                "number",
                at_table=True,
                usual=0,
            ),
            Fact("decision", "Which decision of the round, from 1?", "number", at_table=True, usual=0),
            Fact("to", "To which box did it go, or 0 for the dealer?", "number", at_table=True, usual=0),
            Fact("places", PLACES.ask, "places", at_table=True, usual=()),
            Fact(
                "meant",
                "What had been called for?",
                "choice",
                CALLS,
                lambda book, facts: (
                    _by_stage(book, facts) and facts.get("what") == "left-out" and facts.get("noticed") == "dealer"
                ),
                usual="hit",
            ),
        ),
        _notice,
    ),
    Situation(
        "card-on-the-wrong-box",
        "misdeal",
        "a card that a player had asked for was put on another box",
        _misplaced,
        (
            POSSIBLE,
            PLAYER,
            BOX,
            Fact("wrong", "On which box does the card lie?", "number", at_table=True),
        ),
        _misplace,
    ),
)
