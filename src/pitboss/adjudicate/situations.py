"""What can go wrong at a table: for each situation what must be known, what the rule says, and which act tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pitboss.adjudicate.model import (
    AdjudicationError,
    Approval,
    Choice,
    FactValue,
    Notice,
    Question,
    Source,
    Step,
)
from pitboss.adjudicate.words import (
    NOT_A_CHOICE,
    SITUATION_IN_WORDS,
    TERM_WORDS,
    capital,
    in_words,
    term_of,
    who,
)
from pitboss.basics.cards import parse_cards
from pitboss.basics.money import dollars
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.terms import Rulebook, Term
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.conduct import PLAYER_DUTIES, STAFF_DUTIES
from pitboss.table.legal import waiting_for
from pitboss.table.roles import RANK
from pitboss.table.state import Table

GROUPS: dict[str, str] = {
    "cards": "Cards",
    "forgotten": "Forgotten steps",
    "misdeal": "Misdeals and void rounds",
    "players": "Players and their wagers",
    "payments": "Payments",
    "device": "Shuffling device and jackpot equipment",
    "disruption": "Disturbance and fraud",
}

Facts: TypeAlias = Mapping[str, FactValue]
YES_NO = ("yes", "no")
SUPERVISOR = "casino-supervisor"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that must be known before the rule can be told."""

    name: str
    ask: str
    kind: str = "yes-no"
    """yes-no, choice, amount (cents), number, name, names, cards, places or text."""
    choices: Mapping[str, str] = field(default_factory=dict)
    needed: Callable[[Rulebook, Facts], bool] = lambda book, facts: True
    """Whether the answer changes what the rule says."""
    at_table: bool = False
    """Only asked where a table is given: it says who, where or how much."""
    usual: FactValue | None = None
    """What holds where nobody says otherwise; None: it is asked."""


@dataclass(slots=True)
class Rule:
    """A rule being told: what it says, whose word it needs, who is told, and what is left to ask."""

    book: Rulebook
    facts: Facts
    decided: Mapping[str, str]
    """Terms on which the house has decided."""
    steps: list[Step] = field(default_factory=list)
    approvals: list[Approval] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def term(self, key: str) -> Term[Any]:
        return term_of(self.book, key)

    def value(self, key: str) -> Any:
        return self.term(key).value

    def say(self, text: str, *keys: str, kind: str = "do") -> None:
        """One step with the clauses of these terms."""
        terms = [self.term(key) for key in keys]
        clauses = tuple(dict.fromkeys(clause for term in terms for clause in term.clauses))
        notes = [
            term.reading for key, term in zip(keys, terms, strict=True) if term.reading and key not in self.decided
        ]
        self.steps.append(Step(capital(text), clauses, kind, "; ".join(dict.fromkeys(notes))))

    def tell(self, key: str, kind: str = "do") -> bool:
        """What the rulebook's value of a term means; where it is silent, ask. False: nothing follows yet."""
        value = self.value(key)
        if value == "undecided":
            self.questions.append(question_about(self.book, key))
            return False
        if value in TERM_WORDS[key]:
            self.say(in_words(key, value), key, kind=kind)
        return True

    def approve(self, role: str, what: str, *keys: str) -> None:
        if role != "nobody":
            clauses = tuple(dict.fromkeys(clause for key in keys for clause in self.term(key).clauses))
            self.approvals.append(Approval(role, what, clauses))

    def notify(self, to: str, what: str, *keys: str) -> None:
        if to != "nobody":
            clauses = tuple(dict.fromkeys(clause for key in keys for clause in self.term(key).clauses))
            self.notices.append(Notice(to, what, clauses))

    def generally(self) -> None:
        """Where the rulebook wants somebody informed of, or asked about, every irregularity."""
        approval, notice = "irregularities.approval", "irregularities.notice"
        self.approve(self.value(approval), "approves that the game goes on", approval)
        self.notify(self.value(notice), "what happened, before the game goes on", notice)

    def void(self) -> None:
        """What a void round means for the money."""
        self.say(
            "All wagers of the round that are still on the table go back to their owners.",
            "irregularities.misdeal_impossible",
            kind="money",
        )
        self.tell("irregularities.void_interim", kind="money")


def question_about(book: Rulebook, key: str) -> Question:
    """The document does not say: what its siblings do, and who decides."""
    role, clauses = decider(book)
    what = SITUATION_IN_WORDS[key]
    text = f"{book.name} does not say what happens when {what}. {capital(who(role))} decides."
    return Question(key, text, "house", choices_of(book, key), term_of(book, key).clauses, role, clauses)


def choices_of(book: Rulebook, key: str) -> tuple[Choice, ...]:
    """What the sibling rulebooks do, each with its clauses."""
    found: dict[str, list[Source]] = {}
    for rulebook_id in RULEBOOKS:
        sibling = load(rulebook_id)
        term = term_of(sibling, key)
        if rulebook_id != book.id and term.value not in NOT_A_CHOICE:
            found.setdefault(term.value, []).append(Source(sibling.name, term.clauses))
    return tuple(Choice(value, in_words(key, value), tuple(sources)) for value, sources in found.items())


def decider(book: Rulebook) -> tuple[str, tuple[str, ...]]:
    """Who rules on what no rule covers.

    A document that is silent on wrong payments cites for them the rule that lets the house settle disputes; any other
    document names in its rule on void rounds whose judgement it takes.
    """
    terms = book.irregularities
    silent = terms.mispayment.value == "undecided"
    return terms.void_by.value, terms.mispayment.clauses if silent else terms.void_by.clauses


def actor(role: str) -> str:
    """Somebody of the house's staff who may act for this role: an operator acts through its supervisors."""
    return role if role in RANK else SUPERVISOR


# --- cards -----------------------------------------------------------------------------------------------------------


def _face_up(rule: Rule) -> None:
    rule.tell("irregularities.face_up_card", kind="cards")
    by = rule.value("irregularities.face_up_check_by")
    keys = ("irregularities.face_up_check_by", "irregularities.face_up_check_sources")
    if by == "nobody":
        rule.say("The rules have no further check of the cards that are left.", *keys)
    elif rule.facts.get("source", "shuffling-device") in rule.value("irregularities.face_up_check_sources"):
        rule.say(f"{who(by)} may have the rest of the cards checked once the round is over.", *keys)
    else:
        rule.say("The cards that are left in a shoe are not checked.", *keys)


def _sources_differ(book: Rulebook, facts: Facts) -> bool:
    return len(book.irregularities.face_up_check_sources.value) == 1


def _drawn(rule: Rule) -> None:
    rule.tell("irregularities.drawn_in_error", kind="cards")
    refused = rule.value("irregularities.drawn_in_error_refused")
    keys = ("irregularities.drawn_in_error_refused",)
    if refused == "none" or (refused == "exposed" and not rule.facts["exposed"]):
        why = "Nobody may refuse it." if refused == "none" else "It was not exposed, so nobody may refuse it."
        rule.say(why, *keys)
        return
    text = "Each player in turn may refuse it"
    rule.say(
        f"{text}, since it was exposed." if refused == "exposed" else f"{text}, exposed or not.", *keys, kind="choice"
    )
    rule.tell("irregularities.refuser")
    rule.tell("irregularities.refused_by_all", kind="cards")


def _refusable_if_exposed(book: Rulebook, facts: Facts) -> bool:
    return book.irregularities.drawn_in_error_refused.value == "exposed"


def _refused(rule: Rule) -> None:
    refusable = rule.value("irregularities.drawn_in_error_refused")
    if refusable == "none" or (refusable == "exposed" and not rule.facts["exposed"]):
        text = "Such a card cannot be refused: it is the next card."
        rule.say(text, "irregularities.drawn_in_error_refused", "irregularities.drawn_in_error", kind="cards")
        return
    rule.tell("irregularities.refuser")
    rule.say("The card is offered to the next player in turn.", "irregularities.drawn_in_error", kind="choice")
    rule.tell("irregularities.refused_by_all", kind="cards")


def _extra(rule: Rule) -> None:
    end = "exposed" if rule.facts["exposed"] else "unexposed"
    rule.tell(f"irregularities.dealer_extra_{end}", kind="cards")


def _wrong_cards(rule: Rule) -> None:
    if not rule.tell("irregularities.wrong_cards", kind="cards"):
        return
    rule.void()
    role = rule.value("irregularities.void_by")
    rule.approve(role, "declares it", "irregularities.wrong_cards")
    for to in rule.value("irregularities.wrong_cards_notice"):
        rule.notify(
            to, f"the {rule.facts['which']} card, and the cards that were retired", "irregularities.wrong_cards_notice"
        )


def _dropped(rule: Rule) -> None:
    rule.tell("irregularities.dropped_cards", kind="cards")


def _insufficient(rule: Rule) -> None:
    rule.tell("shuffle.insufficient", kind="cards")


# --- forgotten steps -------------------------------------------------------------------------------------------------


def _plain(key: str, kind: str = "do") -> Callable[[Rule], None]:
    def tell(rule: Rule) -> None:
        rule.tell(key, kind=kind)

    return tell


def _burn_forgotten(rule: Rule) -> None:
    shuffle = rule.book.shuffle
    if not shuffle.burn_shoe.value and not shuffle.burn_device.value:
        text = "No card is burned when play starts, so nothing was forgotten."
        rule.say(text, "shuffle.burn_shoe", "shuffle.burn_device")
    elif rule.facts.get("source") == "shoe" and not shuffle.burn_shoe.value:
        rule.say("No card is burned from a shoe, so nothing was forgotten.", "shuffle.burn_shoe")
    elif rule.facts.get("source") == "shuffling-device" and not shuffle.burn_device.value:
        rule.say("No card is burned from a shuffling device, so nothing was forgotten.", "shuffle.burn_device")
    else:
        rule.tell("irregularities.burn_forgotten", kind="cards")


def _burns_differ(book: Rulebook, facts: Facts) -> bool:
    shuffle = book.shuffle
    return bool(shuffle.burn_shoe.value) != bool(shuffle.burn_device.value) and len(shuffle.sources.value) > 1


def _insurance_missed(rule: Rule) -> None:
    rule.tell("irregularities.insurance_missed", kind="choice")


# --- misdeals --------------------------------------------------------------------------------------------------------

STAGES = {
    "initial-deal": "while the first two cards were dealt, before anybody's turn",
    "in-turn": "before the hand's turn was over",
    "passed": "after the hand's turn, before the dealer's second card",
    "dealer": "after the dealer's second card",
}


def _by_stage(book: Rulebook, facts: Facts) -> bool:
    return book.irregularities.misdeal.value == "by-stage"


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
    return rule.value("irregularities.misdeal") != "by-stage" or rule.facts["noticed"] == "initial-deal"


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
    text = "If he withdraws, all wagers on the hand go back. If he plays on, the others accept that or withdraw."
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
    text = "If he withdraws, all wagers on the hand go back. If he plays on, the others accept that or withdraw."
    rule.say(text, "irregularities.short_hand_others", kind="choice")


def _dealer_short(rule: Rule) -> None:
    if _rebuilt_in_full(rule):
        _rebuild(rule)
        return
    rule.say("The next card is the dealer's first card.", "irregularities.dealer_short", kind="cards")
    rule.say("Every player may take his wagers back, or play on.", "irregularities.dealer_short", kind="choice")
    text = "For those who play on the dealer cannot have a {natural}: ace and ten are a plain 21."
    rule.say(text.format(natural=rule.book.game.natural.value), "irregularities.dealer_short")


def _superfluous(rule: Rule) -> None:
    if _rebuilt_in_full(rule):
        _rebuild(rule)
        return
    text = "The hand on the box without a wager is void, and its cards are burned."
    rule.say(text, "irregularities.superfluous_hand", kind="cards")


CALLS = {"hit": "a card", "double": "to double", "split": "to split"}


def _left_out(rule: Rule) -> None:
    """The hand was gone past in the subsequent deal: by stage, or simply dealt what it should have had."""
    if rule.value("irregularities.misdeal") != "by-stage":
        if not rule.facts["possible"]:
            _rebuild(rule)
            return
        text = "The hand gets its card as it should have been dealt, and the cards dealt after it are laid again."
        rule.say(text, "irregularities.misdeal", "irregularities.short_hand", kind="cards")
        return
    if rule.facts["noticed"] == "passed":
        rule.say("The dealer deals to the other hands first.", "irregularities.short_hand", kind="cards")
        text = "Before the dealer's second card the controlling player draws to the hand, or takes the wager back."
        rule.say(text, "irregularities.short_hand", kind="choice")
        text = "If he withdraws, all wagers on the hand go back. If he plays on, the others accept that or withdraw."
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
    text = "The card goes to the hand that asked for it, and what was dealt after it is laid again in its order."
    key = "irregularities.misdeal_full_by"
    rule.say(text, key, kind="cards")
    rule.say("The players are shown the hands before and after, and the round then goes on.", key)
    if rule.value(key) != "dealer":
        rule.approve(rule.value(key), "supervises the rebuilding", key)


def _after_round(rule: Rule) -> None:
    """Told when the round is over and the next has not begun."""
    key = "irregularities.misdeal_after_round"
    if rule.value(key) == "undecided":
        rule.tell(key)
        return
    if not rule.facts["possible"]:
        rule.say("The round cannot be laid again, so it is void.", key, "irregularities.misdeal_impossible")
        text = "What its final settlement paid goes back to the house, what it took goes back to the players."
        rule.say(text, "irregularities.misdeal_impossible", kind="money")
        rule.tell("irregularities.void_interim", kind="money")
        rule.approve(rule.value("irregularities.void_by"), "declares that round void", "irregularities.void_by")
        return
    rule.say("The finished round is laid again as it should have been dealt.", key, kind="cards")
    rule.say("What the round has paid and taken is undone, interim payments too.", key, kind="money")
    text = "The cards are taken from the rack and laid as they should have been, in the order in which they left."
    rule.say(text, key, kind="cards")
    rule.say("The decisions are asked again, since they were made on other hands; all accept the result.", key)
    rule.say("Wagers for the next round wait: they go back until this one is over.", key, kind="money")
    role = rule.value("irregularities.misdeal_full_by")
    if role != "dealer":
        rule.approve(role, "supervises the rebuilding", "irregularities.misdeal_full_by")


def _later(rule: Rule) -> None:
    if not rule.tell("irregularities.misdeal_later", kind="money"):
        return
    if rule.value("irregularities.misdeal_later") == "void":
        rule.approve(rule.value("irregularities.void_by"), "declares that round void", "irregularities.void_by")


def _void(rule: Rule) -> None:
    role = rule.value("irregularities.void_by")
    rule.say(f"{who(role)} declares the round void and says why.", "irregularities.void_by")
    rule.void()
    rule.say(
        "The cards are gathered, and play goes on with the cards that are left.", "irregularities.misdeal_impossible"
    )
    rule.approve(role, "declares the round void", "irregularities.void_by")


# --- players ---------------------------------------------------------------------------------------------------------


def _absent(rule: Rule) -> None:
    if rule.value("irregularities.absent_control") == "passes-first" and rule.facts["others"]:
        text = "Another player with a wager on the box decides in his place."
        rule.say(text, "irregularities.absent_control", kind="choice")
        return
    rule.tell("irregularities.absent_player", kind="cards")
    rule.say("His wager stays in play and is settled as any other.", "irregularities.absent_player", kind="money")


def _others_matter(book: Rulebook, facts: Facts) -> bool:
    return book.irregularities.absent_control.value == "passes-first"


def _invalid(rule: Rule) -> None:
    key = "irregularities.invalid_wager"
    if rule.value(key) == "none":
        rule.say("The rules know no such invalid wager: it counts as any other.", key)
        return
    stage = rule.facts["stage"]
    if stage == "before":
        rule.say("The wager goes back before the hand is dealt.", key, kind="money")
    elif stage == "during":
        rule.say("The wager is void: it goes back, and wins and loses nothing.", key, kind="money")
    else:
        rule.say("The wager has been settled: its result stands.", key, kind="money")
    rule.approve(SUPERVISOR, "determines that the wager is invalid", key)


def _has_invalid(book: Rulebook, facts: Facts) -> bool:
    return book.irregularities.invalid_wager.value != "none"


def _loss(rule: Rule) -> None:
    key = "irregularities.loss_limit_excess"
    if rule.value(key) == "none":
        rule.say("The rules know no loss limit: the wagers count as they lie.", key)
        return
    rule.say("What is above the loss limit goes back, the newest wager first. Earlier rounds stand.", key, kind="money")
    rule.notify("players", "the player is reminded of the duties that go with a loss limit", key)


def _outside(rule: Rule) -> None:
    if rule.facts["side"] == "below":
        key = "limits.found_below_minimum"
        if rule.facts.get("warned") and rule.value(key) == "settled-then-returned":
            rule.say("The player has been told before: the wager goes back.", key, kind="money")
        else:
            rule.tell(key, kind="money")
        return
    rule.tell("limits.found_above_maximum", kind="money")
    if rule.value("limits.cascade"):
        text = "On a shared box the controlling player's wager counts first, then the others in line."
        rule.say(text, "limits.cascade", kind="money")


def _warned_matters(book: Rulebook, facts: Facts) -> bool:
    return facts.get("side") == "below" and book.limits.found_below_minimum.value == "settled-then-returned"


def _barred(rule: Rule) -> None:
    key = "irregularities.barred_by"
    by = rule.value(key)
    if by == "nobody":
        rule.say("The rules forbid it, but let nobody void wagers or bar a person for it at the table.", key)
        return
    rule.say(f"{who(by)} may void the person's wagers: they go back.", key, kind="money")
    rule.say(f"{who(by)} may bar the person from the game.", key)
    if rule.facts["detain"] and rule.value("irregularities.detained_until") != "none":
        text = f"{who(by)} may have the person detained until an inspector or a police officer takes over."
        rule.say(text, "irregularities.detained_until")
        rule.notify("inspector", "the person who is detained with a prohibited device", "irregularities.detained_until")
    rule.approve(by, "voids the wagers and bars the person", key)


def _may_detain(book: Rulebook, facts: Facts) -> bool:
    return book.irregularities.detained_until.value != "none"


def _duty(rule: Rule) -> None:
    """A duty of conduct that the rulebook knows; others are nobody's under it."""
    duty = str(rule.facts["duty"])
    known = rule.value("irregularities.conduct")
    if duty not in known:
        rule.say("The rules know no such duty.", "irregularities.conduct")
        return
    words = {**STAFF_DUTIES, **PLAYER_DUTIES}[duty]
    rule.steps.append(Step(f"{capital(words)}.", (known[duty],)))
    rule.steps.append(Step("Whoever broke that is reminded of it, and play goes on.", (known[duty],)))
    by = rule.value("irregularities.barred_by")
    if duty.startswith("device") and by != "nobody":
        rule.say(f"{who(by)} may do more: see prohibited-device.", "irregularities.barred_by")
    rule.notices.append(Notice("staff" if duty in STAFF_DUTIES else "players", words, (known[duty],)))


def _idle(rule: Rule) -> None:
    key = "irregularities.idle_rounds"
    if rule.facts["full"]:
        text = f"Who has let {rule.value(key)} rounds in a row pass may be required to give up the seat."
        rule.say(text, key)
    else:
        rule.say("Seats or boxes are free, so nobody has to give up a seat.", key)


def _dispute(rule: Rule) -> None:
    first, review, advice = (f"irregularities.dispute_{part}" for part in ("by", "review", "advice"))
    rule.say(f"{who(rule.value(first))} decides the dispute.", first)
    reviewer = who(rule.value(review))
    if rule.value(review) in RANK:
        reviewer = reviewer.replace("a ", "another ", 1)
    else:
        rule.notify(rule.value(review), "the ruling, where a review is asked for", review)
    rule.say(f"On request {reviewer} reviews that.", review, kind="choice")
    if rule.value(advice) != "nobody":
        text = f"Whoever is not satisfied is told of the right to go to {who(rule.value(advice))}."
        rule.say(text, advice)
    if rule.value("irregularities.mispayment") != "undecided":
        rule.say("Money that was wrong is put right as an overpayment or underpayment.", "irregularities.mispayment")
    rule.approve(rule.value(first), "decides the dispute", first)


def _pause(rule: Rule) -> None:
    key = "irregularities.loss_limit_pause_by"
    by = rule.value(key)
    if by == "nobody":
        rule.say("The rules know no loss limit, so nobody has to pause for one.", key)
        return
    rule.say(f"{who(by)} may keep the player from wagering until the new period begins.", key)
    rule.say("What he has on the table is played out and settled.", key, kind="money")
    rule.approve(by, "has the player pause", key)


# --- payments --------------------------------------------------------------------------------------------------------


def _mispaid(over: bool) -> Callable[[Rule], None]:
    def tell(rule: Rule) -> None:
        key = "irregularities.mispayment"
        if not rule.tell(key):
            return
        cents = rule.facts["cents"]
        amount = dollars(cents) if isinstance(cents, int) else "the difference"
        if not rule.facts["rectified"]:
            rule.say("It could not be put right: the attempt is recorded with the error.", key, kind="money")
        elif over:
            rule.say(f"The player is asked to give {amount} back.", key, kind="money")
        else:
            rule.say(f"The player is paid {amount} more.", key, kind="money")
        if rule.facts["intentional"]:
            text = "It may have been intentional: reasonable attempts are made to put it right and to find the person."
        else:
            text = "The enquiries that show that it was not intentional are recorded."
        rule.say(text, key)
        limit = rule.value("irregularities.mispayment_report_cents")
        if limit and isinstance(cents, int) and cents > limit:
            text = f"{'over' if over else 'under'}payment of {amount}, in the report at the end of the month"
            rule.notify("regulator", text, "irregularities.mispayment_report_cents")

    return tell


# --- device ----------------------------------------------------------------------------------------------------------


def _malfunction(rule: Rule) -> None:
    facts = rule.facts
    rule.say("The game stops while the device is seen to.", "device.failure")
    if facts.get("disadvantage") and facts.get("in_round", True):
        if rule.tell("device.disadvantage", kind="money"):
            rule.tell("irregularities.void_interim", kind="money")
            rule.tell("device.finish", kind="cards")
        return
    moved = facts.get("spare") and facts.get("transferable") and rule.value("device.undamaged") == "transfer"
    if not moved and facts.get("in_round", True) and rule.value("device.refund_offered"):
        rule.say("Each player may first take back his wagers, or play on.", "device.refund_offered", kind="choice")
    if facts.get("damage") and rule.value("device.damaged") == "replaced":
        rule.say("The damaged cards are replaced by the same cards of a new deck.", "device.damaged", kind="cards")
    if moved:
        rule.say("The cards go into the other device, and play goes on from it.", "device.undamaged", kind="cards")
        return
    if rule.value("device.finish") == "cutting-card-or-shuffle" and facts.get("course") == "cutting-card":
        text = "A cutting card is put into the cards that are left, and dealing goes on by hand until it comes."
        rule.say(text, "device.finish", "device.cutting_card_decks", kind="cards")
    else:
        rule.tell("device.finish", kind="cards")
    rule.tell("device.after", kind="cards")
    if rule.value("device.after") == "new-cards-after-notice":
        rule.notify("players", "once this shoe is played out, new cards are shuffled by hand", "device.after")


def _may_transfer(book: Rulebook, facts: Facts) -> bool:
    return book.device.undamaged.value == "transfer" and not _ended_by_disadvantage(book, facts)


def _ended_by_disadvantage(book: Rulebook, facts: Facts) -> bool:
    """Between rounds nobody can have been put at a disadvantage that ends a round."""
    return bool(facts.get("disadvantage")) and facts.get("in_round") is not False


def _course_open(book: Rulebook, facts: Facts) -> bool:
    return book.device.finish.value == "cutting-card-or-shuffle" and not _ended_by_disadvantage(book, facts)


def _jam(rule: Rule) -> None:
    if rule.value("device.jam") == "malfunction":
        rule.say("The rules treat a jam as any other malfunction: see shuffling-device-malfunction.", "device.jam")
        return
    rule.say("The jammed cards are taken out, riffled once with the rest and put back.", "device.jam", kind="cards")
    count = rule.value("device.jam_burn")
    rule.say(f"{count} cards are then drawn face down and put aside.", "device.jam_burn", kind="cards")


def _repaired(rule: Rule) -> None:
    rule.say("The round is finished first.", "device.after")
    rule.say(
        "A casino supervisor has the device brought back, with new cards shuffled into it.",
        "device.after",
        kind="cards",
    )


def _jackpot(rule: Rule) -> None:
    if not rule.book.blazing_7s.offered.value:
        rule.say("This game has no jackpot, so no such equipment can fail.", "blazing_7s.offered")
        return
    rule.tell("blazing_7s.fault", kind="money")
    rule.say("Until the equipment is restored no jackpot wagers are taken.", "blazing_7s.fault_approval")
    role = rule.value("blazing_7s.fault_approval")
    rule.approve(role, "approves that the game goes on", "blazing_7s.fault_approval")


# --- disruption ------------------------------------------------------------------------------------------------------


def _invalidated(rule: Rule) -> None:
    key = "irregularities.invalidated_by"
    by = rule.value(key)
    rule.say(f"{who(by)} may invalidate the outcome of the round.", key)
    rule.approve(by, "invalidates the outcome", key)
    rule.tell("irregularities.invalidated_wagers", kind="money")
    if rule.facts.get("forfeit"):
        forfeit = "irregularities.fraud_forfeit"
        if rule.value(forfeit):
            text = f"By direction of {who(by)} the wager of whoever committed the fraud is forfeited to the house."
            rule.say(text, forfeit, kind="money")
        else:
            rule.say("The rules let nobody forfeit a wager for that: it goes back too.", forfeit, kind="money")
    rule.tell("irregularities.void_interim", kind="money")


# --- acts ------------------------------------------------------------------------------------------------------------


def _turn_player(table: Table, facts: Facts) -> tuple[str, int]:
    """Who and where: as told, or whose word the table waits for."""
    waiting = waiting_for(table)
    player = facts.get("player") or (waiting.who[0] if waiting.who else "")
    box = facts.get("box") or waiting.box
    return str(player), int(str(box or 0))


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
    return a.LeaveOut(_box(facts), str(facts["noticed"]), str(facts["meant"]))


def _misplace(table: Table, facts: Facts) -> AnyAct | None:
    if table.misdealt:
        return None
    return a.Misplace(_player(facts), _box(facts), int(str(facts["wrong"])))


def _put_right_after_round(table: Table, facts: Facts) -> AnyAct:
    terms = table.rulebook.irregularities
    if facts["possible"]:
        return a.Reconstruct(actor(terms.misdeal_full_by.value))
    return a.VoidEarlierRound(actor(terms.void_by.value))


def _player(facts: Facts) -> str:
    return str(facts["player"])


def _box(facts: Facts) -> int:
    return int(str(facts["box"]))


def _reason(facts: Facts) -> str:
    return str(facts["reason"])


def _malfunction_act(table: Table, facts: Facts) -> AnyAct:
    damaged = facts.get("damaged")
    cards = parse_cards(damaged) if isinstance(damaged, str) else ()
    return a.ReportMalfunction(
        "dealer",
        cards,
        bool(facts.get("disadvantage")),
        bool(facts.get("spare")),
        bool(facts.get("transferable")),
        str(facts.get("course", "shuffle")),
    )


def _forfeit(table: Table, facts: Facts) -> AnyAct:
    by = actor(table.rulebook.irregularities.invalidated_by.value)
    named = facts.get("players")
    names = named if isinstance(named, tuple) and facts.get("forfeit") else ()
    return a.InvalidateRound(by, "fraud", names if table.rulebook.irregularities.fraud_forfeit.value else ())


# --- the list --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Situation:
    """Something that can go wrong."""

    name: str
    group: str
    title: str
    tell: Callable[[Rule], None]
    facts: tuple[Fact, ...] = ()
    act: Callable[[Table, Facts], AnyAct | None] | None = None
    """What is said to the engine where a table is given; None: the engine comes to it by itself."""
    tells_all: bool = True
    """Whether a duty to inform and ask about every irregularity holds: not where a rule of its own says who decides."""


EXPOSED = Fact("exposed", "Was the card exposed?")
PLAYER = Fact("player", "Which player?", "name", at_table=True)
BOX = Fact("box", "On which box?", "number", at_table=True)
REASON = Fact("reason", "What happened?", "text", at_table=True)
SOURCE_CHOICES = {"shoe": "a card shoe", "shuffling-device": "a shuffling device"}
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


def _left_as_dealt(book: Rulebook, facts: Facts) -> bool:
    return _by_stage(book, facts) and facts.get("noticed", "initial-deal") != "initial-deal"


SITUATIONS: tuple[Situation, ...] = (
    Situation(
        "card-face-up",
        "cards",
        "a card lies face up in the shoe or device",
        _face_up,
        (Fact("source", "Where do the cards come from?", "choice", SOURCE_CHOICES, _sources_differ),),
        lambda table, facts: a.FindFaceUpCard(),
    ),
    Situation(
        "card-drawn-in-error",
        "cards",
        "a card was drawn that nobody had asked for",
        _drawn,
        (Fact(EXPOSED.name, EXPOSED.ask, needed=_refusable_if_exposed, usual=False),),
        lambda table, facts: a.DrawInError(bool(facts.get("exposed"))),
    ),
    Situation(
        "card-refused",
        "cards",
        "a player does not accept a card that was drawn in error",
        _refused,
        (Fact(EXPOSED.name, EXPOSED.ask, needed=_refusable_if_exposed, usual=False), PLAYER, BOX),
        lambda table, facts: a.RefuseCard(_player(facts), _box(facts)),
        tells_all=False,
    ),
    Situation(
        "extra-dealer-card",
        "cards",
        "the dealer drew one card too many to a finished hand",
        _extra,
        (EXPOSED,),
        lambda table, facts: a.ExtraDealerCard(bool(facts.get("exposed"))),
    ),
    Situation(
        "card-burned-in-error",
        "cards",
        "a card was burned that should not have been",
        _plain("irregularities.burned_in_error", "cards"),
        act=lambda table, facts: a.BurnInError(),
    ),
    Situation(
        "cards-dropped",
        "cards",
        "cards were dropped or mishandled",
        _dropped,
        act=lambda table, facts: a.DropCards(SUPERVISOR),
    ),
    Situation(
        "wrong-cards",
        "cards",
        "a card is missing, or one was found that does not belong to the decks",
        _wrong_cards,
        (
            Fact(
                "which",
                "Is a card missing, or is one foreign?",
                "choice",
                {"missing": "a card is missing", "foreign": "a card does not belong"},
            ),
        ),
        lambda table, facts: a.FindWrongCards(actor(table.rulebook.irregularities.void_by.value), str(facts["which"])),
    ),
    Situation(
        "cards-run-out",
        "cards",
        "there are too few cards to finish the round",
        _insufficient,
    ),
    Situation(
        "burn-forgotten",
        "forgotten",
        "the first card was not burned",
        _burn_forgotten,
        (Fact("source", "Where do the cards come from?", "choice", SOURCE_CHOICES, _burns_differ),),
        lambda table, facts: a.ForgetBurn(),
    ),
    Situation(
        "cut-missed",
        "forgotten",
        "the cards were not cut",
        _plain("irregularities.cut_missed", "cards"),
        act=lambda table, facts: a.ForgetCut(),
    ),
    Situation(
        "shuffle-missed",
        "forgotten",
        "the dealer dealt on although the cutting card had come",
        _plain("irregularities.shuffle_missed", "cards"),
        act=lambda table, facts: a.ForgetShuffle(),
    ),
    Situation(
        "discards-not-returned",
        "forgotten",
        "the discards were not put back into the shuffling device",
        _plain("irregularities.discards_not_returned", "cards"),
        act=lambda table, facts: a.ForgetDiscards(),
    ),
    Situation(
        "insurance-missed",
        "forgotten",
        "insurance was not offered",
        _insurance_missed,
        act=lambda table, facts: a.ForgetInsurance(),
    ),
    Situation(
        "round-without-wagers",
        "forgotten",
        "a round was begun although nobody had wagered",
        _plain("irregularities.no_wagers_round", "cards"),
        (Fact("cards", "How many cards were exposed?", "number", at_table=True),),
        lambda table, facts: a.DealWithoutWagers(int(str(facts["cards"]))),
    ),
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
        "dealer-lacks-card", "misdeal", "the dealer did not get his first card", _dealer_short, MISDEAL_FACTS, _places
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
    Situation(
        "misdeal-told-after-the-round",
        "misdeal",
        "an error in a round is told when it is over and the next has not begun",
        _after_round,
        (
            Fact(
                "possible",
                "Can the round still be laid again: its cards, its wagers and its players are there?",
                usual=True,
            ),
        ),
        _put_right_after_round,
    ),
    Situation(
        "misdeal-noticed-later",
        "misdeal",
        "an error in a round is noticed after the next one began",
        _later,
        act=lambda table, facts: a.VoidEarlierRound(actor(table.rulebook.irregularities.void_by.value)),
    ),
    Situation(
        "round-void",
        "misdeal",
        "a round cannot be finished as the rules say",
        _void,
        (REASON,),
        lambda table, facts: a.VoidRound(actor(table.rulebook.irregularities.void_by.value), _reason(facts)),
        tells_all=False,
    ),
    Situation(
        "player-absent",
        "players",
        "a player is absent or does not decide",
        _absent,
        (
            Fact("others", "Has another player a wager on the box?", needed=_others_matter),
            Fact("player", "Which player?", "name", at_table=True, usual=""),
            Fact("box", "On which box?", "number", at_table=True, usual=0),
        ),
        lambda table, facts: a.PassOver(*_turn_player(table, facts)),
        tells_all=False,
    ),
    Situation(
        "invalid-wager",
        "players",
        "a wager without a valid card of one's own, or for another",
        _invalid,
        (
            Fact(
                "stage",
                "When is it noticed?",
                "choice",
                {
                    "before": "before the hand is dealt",
                    "during": "in the course of the hand",
                    "after": "after it was settled",
                },
                _has_invalid,
            ),
            PLAYER,
            BOX,
        ),
        lambda table, facts: a.FindInvalidWager(SUPERVISOR, _player(facts), _box(facts)),
        tells_all=False,
    ),
    Situation(
        "over-loss-limit",
        "players",
        "a player's wagers exceed his loss limit",
        _loss,
        (PLAYER,),
        lambda table, facts: a.FindLossExcess(SUPERVISOR, _player(facts)),
        tells_all=False,
    ),
    Situation(
        "wager-outside-limits",
        "players",
        "a wager below the minimum or above the maximum is noticed after the first card",
        _outside,
        (
            Fact(
                "side",
                "What is wrong with it?",
                "choice",
                {"below": "it is below the minimum", "above": "it is above the maximum"},
            ),
            Fact("warned", "Was the player told before that further ones go back?", needed=_warned_matters),
            PLAYER,
            BOX,
        ),
        lambda table, facts: a.FindWager("dealer", _player(facts), _box(facts)),
        tells_all=False,
    ),
    Situation(
        "prohibited-device",
        "players",
        "a person uses a prohibited device or breaks the rules",
        _barred,
        (
            Fact("detain", "Is the person to be detained with a prohibited device?", needed=_may_detain, usual=False),
            PLAYER,
            REASON,
        ),
        lambda table, facts: a.BarPlayer(
            actor(table.rulebook.irregularities.barred_by.value),
            _player(facts),
            _reason(facts),
            bool(facts["detain"]) and _may_detain(table.rulebook, facts),
        ),
        tells_all=False,
    ),
    Situation(
        "duty-of-conduct",
        "players",
        "staff advise or favour a player, or a player breaks a duty of conduct",
        _duty,
        (
            Fact("duty", "Which duty?", "choice", {**STAFF_DUTIES, **PLAYER_DUTIES}),
            Fact("person", "Who? A player, or the role of a member of staff", "name", at_table=True),
        ),
        lambda table, facts: a.Remind(SUPERVISOR, str(facts["person"]), str(facts["duty"])),
        tells_all=False,
    ),
    Situation(
        "loss-limit-reset",
        "players",
        "the period of a player's loss limit is about to be reset",
        _pause,
        (PLAYER,),
        lambda table, facts: a.PausePlayer(SUPERVISOR, _player(facts)),
        tells_all=False,
    ),
    Situation(
        "seat-not-used",
        "players",
        "a seated player lets rounds pass without a wager",
        _idle,
        (Fact("full", "Are all other seats and boxes in use?"), PLAYER),
        lambda table, facts: a.VacateSeat("dealer", _player(facts)),
        tells_all=False,
    ),
    *(
        Situation(
            f"{kind}payment",
            "payments",
            f"a player was paid too {'much' if over else 'little'}",
            _mispaid(over),
            (
                Fact(
                    "cents",
                    "By how many dollars was the payment wrong?",
                    "amount",
                ),
                Fact(
                    "rectified",
                    "Could it be put right?",
                ),
                Fact("intentional", "Is it suspected to be intentional?", usual=False),
                PLAYER,
            ),
            lambda table, facts, over=over: a.RecordMispayment(  # type: ignore[misc]
                SUPERVISOR,
                _player(facts),
                int(str(facts["cents"])),
                over,
                bool(facts["rectified"]),
                bool(facts.get("intentional")),
            ),
            tells_all=False,
        )
        for kind, over in (("over", True), ("under", False))
    ),
    Situation(
        "dispute",
        "payments",
        "a player disputes a decision or a payment",
        _dispute,
        (PLAYER, Fact("about", "What is it about?", "text", at_table=True)),
        lambda table, facts: a.RaiseDispute(_player(facts), str(facts["about"])),
        tells_all=False,
    ),
    Situation(
        "shuffling-device-malfunction",
        "device",
        "the shuffling device no longer works as it should",
        _malfunction,
        (
            Fact("in_round", "Is a round being played?"),
            Fact(
                "disadvantage",
                "Has it put a player or the house at a disadvantage?",
                needed=lambda book, facts: facts.get("in_round") is not False,
            ),
            Fact(
                "damage",
                "Are cards damaged?",
                needed=lambda book, facts: (
                    book.device.damaged.value == "replaced" and not _ended_by_disadvantage(book, facts)
                ),
            ),
            Fact("spare", "Is another device readily available?", needed=_may_transfer),
            Fact(
                "transferable",
                "Is it practicable to move the cards?",
                needed=lambda book, facts: _may_transfer(book, facts) and bool(facts.get("spare")),
            ),
            Fact(
                "course",
                "Which course is taken?",
                "choice",
                {"shuffle": "shuffle the cards", "cutting-card": "deal on to a cutting card"},
                _course_open,
            ),
            Fact("damaged", "Which cards are damaged?", "cards", at_table=True, usual=""),
        ),
        _malfunction_act,
        tells_all=False,
    ),
    Situation("jam", "device", "cards jammed in the shuffling device", _jam, tells_all=False),
    Situation(
        "device-repaired",
        "device",
        "the shuffling device works again",
        _repaired,
        act=lambda table, facts: a.RepairDevice(SUPERVISOR),
        tells_all=False,
    ),
    Situation(
        "jackpot-fault",
        "device",
        "the jackpot equipment failed",
        _jackpot,
        act=lambda table, facts: a.ReportJackpotFault("dealer"),
        tells_all=False,
    ),
    Situation(
        "disturbance",
        "disruption",
        "the round was disturbed: a disaster, a robbery, an uproar",
        _invalidated,
        act=lambda table, facts: a.InvalidateRound(
            actor(table.rulebook.irregularities.invalidated_by.value), "disturbance"
        ),
        tells_all=False,
    ),
    Situation(
        "fraud",
        "disruption",
        "somebody has committed fraud",
        _invalidated,
        (
            Fact("forfeit", "Is the wager of whoever committed it to be forfeited?"),
            Fact("players", "Whose?", "names", at_table=True, usual=()),
        ),
        _forfeit,
        tells_all=False,
    ),
)

BY_NAME: dict[str, Situation] = {situation.name: situation for situation in SITUATIONS}


def situation(name: str) -> Situation:
    """The situation of this name; raises `AdjudicationError` where there is none."""
    found = BY_NAME.get(name)
    if found is None:
        import difflib

        close = difflib.get_close_matches(name, BY_NAME, n=1, cutoff=0.5)
        hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(BY_NAME)}."
        raise AdjudicationError(f"no situation {name!r}. {hint}")
    return found


def situation_of(act: AnyAct, table: Table) -> tuple[Situation, dict[str, FactValue]] | None:
    """Which situation an act of a record tells, and what it says about it; None where it tells none."""
    facts: dict[str, FactValue] = {}
    name = _ACTS.get(type(act))
    if isinstance(act, (a.DrawInError, a.ExtraDealerCard)):
        facts["exposed"] = act.exposed
    elif isinstance(act, a.RefuseCard):
        facts["exposed"] = bool(table.error_cards and table.error_cards[0][1])
    elif isinstance(act, a.FindWrongCards):
        facts["which"] = act.what
    elif isinstance(act, a.Misdeal):
        name = None if act.noticed == "after-round" else _misdealt(act.places, table)
        facts["noticed"] = act.noticed
    elif isinstance(act, a.LeaveOut):
        facts.update(noticed=act.noticed, meant=act.meant)
    elif isinstance(act, a.Reconstruct):
        name = "misdeal-told-after-the-round" if table.phase == "wagers" and table.last_results else None
        facts["possible"] = True
    elif isinstance(act, a.VoidEarlierRound):
        if table.phase == "wagers":
            name = "misdeal-told-after-the-round"
            facts["possible"] = False
    elif isinstance(act, a.BarPlayer):
        facts["detain"] = act.detained
    elif isinstance(act, a.Remind):
        facts["duty"] = act.duty
    elif isinstance(act, a.VacateSeat):
        facts["full"] = True
    elif isinstance(act, a.PassOver):
        box = table.boxes.get(act.box)
        facts["others"] = box is not None and any(
            wager.player != act.player and not wager.settled for hand in box.hands for wager in hand.wagers.values()
        )
    elif isinstance(act, a.FindInvalidWager):
        facts["stage"] = _stage(act, table)
    elif isinstance(act, a.FindWager):
        facts.update(_outside_facts(act, table))
    elif isinstance(act, a.RecordMispayment):
        name = "overpayment" if act.over else "underpayment"
        facts.update(cents=act.cents, rectified=act.rectified, intentional=act.intentional)
    elif isinstance(act, a.ReportMalfunction):
        facts.update(in_round=table.phase != "wagers", disadvantage=act.disadvantage, damage=bool(act.damaged))
        facts.update(spare=act.spare, transferable=act.transferable, course=act.course)
    elif isinstance(act, a.InvalidateRound):
        name = act.cause if act.cause in BY_NAME else None
        facts["forfeit"] = bool(act.forfeit)
    elif isinstance(act, (a.FindFaceUpCard, a.ForgetBurn)):
        facts["source"] = table.house.source
    if name is None:
        return None
    known = {fact.name for fact in BY_NAME[name].facts}
    return BY_NAME[name], {key: value for key, value in facts.items() if key in known}


def _misdealt(places: tuple[int, ...], table: Table) -> str:
    """What is wrong with a misdealt layout, the plainest fault first."""
    wagered = [number for number, box in sorted(table.boxes.items()) if box.wagers]
    if any(place and place not in wagered for place in places):
        return "card-without-wager"
    if 0 not in places:
        return "dealer-lacks-card"
    if any(places.count(box) < 2 for box in wagered):
        return "box-lacks-card"
    return "card-out-of-order"


def _stage(act: a.FindInvalidWager, table: Table) -> str:
    box = table.boxes.get(act.box)
    if box is not None and act.player in box.wagers:
        return "before"
    live = box is not None and any(
        act.player in hand.wagers and not hand.wagers[act.player].settled for hand in box.hands
    )
    return "during" if live else "after"


def _outside_facts(act: a.FindWager, table: Table) -> dict[str, FactValue]:
    box = table.boxes.get(act.box)
    wagers = {} if box is None else box.hands[0].wagers if box.hands else box.wagers
    wager = wagers.get(act.player)
    state = table.players.get(act.player)
    minimum = (state.minimum_cents if state else 0) or table.house.minimum_cents
    below = wager is not None and wager.cents < minimum
    return {"side": "below" if below else "above", "warned": state is not None and state.warned}


_ACTS: dict[type[Any], str] = {
    a.FindFaceUpCard: "card-face-up",
    a.DrawInError: "card-drawn-in-error",
    a.RefuseCard: "card-refused",
    a.ExtraDealerCard: "extra-dealer-card",
    a.BurnInError: "card-burned-in-error",
    a.DropCards: "cards-dropped",
    a.FindWrongCards: "wrong-cards",
    a.ForgetBurn: "burn-forgotten",
    a.ForgetCut: "cut-missed",
    a.ForgetShuffle: "shuffle-missed",
    a.ForgetDiscards: "discards-not-returned",
    a.ForgetInsurance: "insurance-missed",
    a.DealWithoutWagers: "round-without-wagers",
    a.LeaveOut: "hand-left-out",
    a.Misplace: "card-on-the-wrong-box",
    a.VoidEarlierRound: "misdeal-noticed-later",
    a.VoidRound: "round-void",
    a.PassOver: "player-absent",
    a.FindInvalidWager: "invalid-wager",
    a.FindLossExcess: "over-loss-limit",
    a.FindWager: "wager-outside-limits",
    a.BarPlayer: "prohibited-device",
    a.Remind: "duty-of-conduct",
    a.PausePlayer: "loss-limit-reset",
    a.VacateSeat: "seat-not-used",
    a.RaiseDispute: "dispute",
    a.ReportMalfunction: "shuffling-device-malfunction",
    a.ClearJam: "jam",
    a.RepairDevice: "device-repaired",
    a.ReportJackpotFault: "jackpot-fault",
}
