"""Cards that lie, leave or are drawn as they should not, and cards that are missing, foreign or too few."""

from __future__ import annotations

from pitboss.adjudicate.situations.parts import (
    BOX,
    FROM_DEVICE,
    PLAYER,
    SOURCE_CHOICES,
    SOURCE_IF_RULES_LAPSE,
    SUPERVISOR,
    Fact,
    Facts,
    Rule,
    Situation,
    actor,
    box_of,
    plain,
    player_of,
    remind,
    shoe_rules_lapse,
)
from pitboss.adjudicate.words import who
from pitboss.rulebooks.meanings import ALWAYS_FACE_UP, REFUSABLE
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a


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
    if rule.facts.get("exposed", False) not in REFUSABLE[refused]:
        why = "It was not exposed, so nobody may refuse it." if REFUSABLE[refused] else "Nobody may refuse it."
        rule.say(why, *keys)
        return
    text = "Each player in turn may refuse it"
    why = "exposed or not" if False in REFUSABLE[refused] else "since it was exposed"
    rule.say(f"{text}, {why}.", *keys, kind="choice")
    rule.tell("irregularities.refuser")
    rule.tell("irregularities.refused_by_all", kind="cards")


def _refusable_if_exposed(book: Rulebook, facts: Facts) -> bool:
    return REFUSABLE[book.irregularities.drawn_in_error_refused.value] == (True,)


def _refused(rule: Rule) -> None:
    refusable = rule.value("irregularities.drawn_in_error_refused")
    if rule.facts.get("exposed", False) not in REFUSABLE[refusable]:
        text = "Such a card cannot be refused: it is the next card."
        rule.say(text, "irregularities.drawn_in_error_refused", "irregularities.drawn_in_error", kind="cards")
        return
    rule.tell("irregularities.refuser")
    rule.say("The card is offered to the next player in turn.", "irregularities.drawn_in_error", kind="choice")
    rule.tell("irregularities.refused_by_all", kind="cards")


def _extra(rule: Rule) -> None:
    end = "exposed" if rule.facts["exposed"] else "unexposed"
    rule.tell(f"irregularities.dealer_extra_{end}", kind="cards")


REFUNDED = ("void and refunded",)


def _wrong_cards(rule: Rule) -> None:
    if not rule.tell("irregularities.wrong_cards", kind="cards"):
        return
    text = "All wagers of the round that are still on the table go back to their owners."
    rule.say(text, "irregularities.wrong_cards", kind="money", on=REFUNDED)
    rule.tell("irregularities.void_interim", kind="money", on=REFUNDED)
    role = rule.value("irregularities.void_by")
    rule.approve(role, "declares it", "irregularities.wrong_cards", on=REFUNDED)
    for to in rule.value("irregularities.wrong_cards_notice"):
        rule.notify(
            to, f"the {rule.facts['which']} card, and the cards that were retired", "irregularities.wrong_cards_notice"
        )


def _dropped(rule: Rule) -> None:
    """The dealer informs, the supervisor verifies."""
    key = "irregularities.dropped_cards"
    if not rule.tell(key, kind="cards"):
        return
    rule.notify(SUPERVISOR, "the dealer tells that cards were dropped or mishandled", key)
    rule.approve(SUPERVISOR, "verifies that all cards were gathered", key)


def _touched(rule: Rule) -> None:
    """Cards are for the dealer's hands, but for those that lie face down."""
    if rule.facts.get("face_down") and _face_down_allowed(rule.book, rule.facts):
        text = "Their player may handle cards that were dealt face down, as long as they stay over the layout."
        rule.say(text, "cards.face_down", kind="cards")
        return
    if rule.tell("irregularities.touched_cards", kind="cards"):
        rule.say("The hand is played on; a card that was marked, changed or is gone is a wrong card.", "cards.ranks")


def _face_down_allowed(book: Rulebook, facts: Facts) -> bool:
    return not ALWAYS_FACE_UP[book.cards.face_down.value]


def _out_of_turn(rule: Rule) -> None:
    if not rule.facts["card"]:
        text = "What was signalled out of turn does not count: each hand is asked in its turn, from the dealer's left."
        rule.say(text, "drawing.order")
        return
    rule.say("Nobody had asked for that card in turn: it was drawn in error.", "drawing.order", kind="cards")
    _drawn(rule)
    rule.generally()


def _insufficient(rule: Rule) -> None:
    if rule.facts.get("source") != FROM_DEVICE or not shoe_rules_lapse(rule.book, rule.facts):
        rule.tell("shuffle.insufficient", kind="cards")
        return
    rule.say("With a shuffling device the discards are not shuffled for it.", "shuffle.insufficient_device")
    by = rule.value("irregularities.void_by")
    rule.say(f"{who(by)} decides whether the round is void.", "irregularities.void_by", kind="choice")
    rule.approve(by, "decides whether the round is void", "irregularities.void_by")


EXPOSED = Fact("exposed", "Was the card exposed?")

CARDS: tuple[Situation, ...] = (
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
        lambda table, facts: a.RefuseCard(player_of(facts), box_of(facts)),
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
        plain("irregularities.burned_in_error", "cards"),
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
        "cards-touched",
        "cards",
        "a player or a spectator touched cards",
        _touched,
        (
            Fact(
                "face_down",
                "Were they cards of the player's own hand, dealt face down?",
                needed=_face_down_allowed,
                usual=False,
            ),
            PLAYER,
        ),
        lambda table, facts: remind(table, facts, "cards"),
        tells_all=False,
    ),
    Situation(
        "out-of-turn",
        "cards",
        "a player decided before their turn",
        _out_of_turn,
        (Fact("card", "Was a card dealt on it?"), Fact("exposed", EXPOSED.ask, at_table=True, usual=True)),
        lambda table, facts: a.DrawInError(exposed=True) if facts["card"] else None,
        tells_all=False,
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
        (SOURCE_IF_RULES_LAPSE,),
    ),
)
