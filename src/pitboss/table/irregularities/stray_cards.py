"""Cards that go astray: face up, drawn or burned in error, the dealer's one too many, dropped, missing, foreign."""

from __future__ import annotations

from pitboss.basics.cards import JOKER, Card
from pitboss.rulebooks.meanings import (
    BURNED_BEFORE_THE_ROUND_ONLY,
    CHECKED_BEFORE_NEXT_DEAL,
    EXTRA_CARD_AT_ANY_TIME,
    EXTRA_CARD_BURNED,
    EXTRA_CARD_UNDRAWN,
    REFUSABLE,
    REFUSER_DRAWS_TO_12,
    STAYS_BURNED,
    UNDECIDED,
)
from pitboss.rulebooks.terms import Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.belonging import CHECKS, belongs
from pitboss.table.chapters import carries_out
from pitboss.table.events import DEALER
from pitboss.table.irregularities.reports import refuse_undecided, report
from pitboss.table.irregularities.voids import void_round
from pitboss.table.refusals import Broken, Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, both, no, refuse_role, why_wrong
from pitboss.table.state import Table

# --- face up ---------------------------------------------------------------------------------------------------------


def refuse_face_up(table: Table, act: a.FindFaceUpCard) -> Refusal | None:
    return refuse_no_card(table, table.rulebook.irregularities.face_up_card)


@carries_out(a.FindFaceUpCard, refuse_face_up)
def find_face_up(run: Run, act: a.FindFaceUpCard) -> None:
    """A card found face up is burned and play continues."""
    term = run.table.rulebook.irregularities.face_up_card
    card = leaving_now(run.table)
    report(run, "card-face-up", term)
    take_cutting_card(run)
    run.emit(e.CardsBurnedOpen(term.clauses, (card,)))
    close_betting(run)
    look_at(run, (card,))


def refuse_check(table: Table, act: a.CheckSource) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.face_up_check_by, "have the cards checked")
    if refused:
        return refused
    if table.house.source not in terms.face_up_check_sources.value:
        return no(table, terms.face_up_check_sources.clauses, f"cards in a {table.house.source} are not checked so.")
    return None


@carries_out(a.CheckSource, refuse_check)
def check_source(run: Run, act: a.CheckSource) -> None:
    terms = run.table.rulebook.irregularities
    run.emit(e.CheckOrdered(both(terms.face_up_check_by, terms.face_up_check_sources), act.by, act.reason))
    if run.table.phase == "wagers":
        run.emit(e.ShuffleDue(terms.face_up_check_by.clauses, "check"))


# --- drawn or burned in error ----------------------------------------------------------------------------------------


def refuse_draw_in_error(table: Table, act: a.DrawInError) -> Refusal | None:
    return refuse_no_card(table, table.rulebook.irregularities.drawn_in_error)


@carries_out(a.DrawInError, refuse_draw_in_error)
def draw_in_error(run: Run, act: a.DrawInError) -> None:
    """A card drawn in error is the next card."""
    term = run.table.rulebook.irregularities.drawn_in_error
    report(run, "card-drawn-in-error", term)
    card = leaving(run, run.table.turn_box)
    if card is None:
        return
    take_cutting_card(run)
    if act.exposed and begins_without_wagers(run.table):
        clauses = run.table.rulebook.irregularities.no_wagers_round.clauses
        run.emit(e.CardsBurnedOpen(clauses, (card,)))
        look_at(run, (card,))
        return
    run.emit(e.CardDrawnInError(term.clauses, card, act.exposed))
    close_betting(run)
    if act.exposed:
        look_at(run, (card,))


def begins_without_wagers(table: Table) -> bool:
    """Whether a card that leaves now begins a round with no wagers: that round is void, and what is exposed is burned
    (NSW pontoon 17.7)."""
    term = table.rulebook.irregularities.no_wagers_round
    return table.phase == "wagers" and not has_wagers(table) and not UNDECIDED[term.value]


def has_wagers(table: Table) -> bool:
    return any(box.wagers for box in table.boxes.values())


def close_betting(run: Run) -> None:
    """Once a card has left before the deal, in error or not, no wager is taken, changed or withdrawn.

    Where nobody has wagered yet there is no round that it could be the first card of, and betting stays open.
    """
    table = run.table
    if table.phase == "wagers" and table.preparation == "ready" and not table.betting_closed and has_wagers(table):
        run.emit(e.BettingClosed(table.rulebook.wagers.locked.clauses, card_left=True))


def refuse_refuse_card(table: Table, act: a.RefuseCard) -> Refusal | None:
    """Whether this player may decline the card that was drawn in error."""
    terms = table.rulebook.irregularities
    if not table.error_cards:
        return no(table, terms.drawn_in_error.clauses, "no card was drawn in error.")
    kind = terms.drawn_in_error_refused
    if table.error_cards[0][1] not in REFUSABLE[kind.value]:
        return no(table, both(kind, terms.drawn_in_error), "such a card is not refused: it is the next card.")
    box = table.boxes.get(act.box)
    if table.phase != "play" or box is None or table.turn_box != act.box or box.controller != act.player:
        return no(table, terms.refuser.clauses, f"the card is not offered to {act.player} now.")
    hand = table.hand_to_act()
    if hand.asking or hand.doubled or hand.short:
        return no(table, terms.refuser.clauses, f"on box {act.box} something else is to be decided first.")
    return None


@carries_out(a.RefuseCard, refuse_refuse_card)
def refuse_card(run: Run, act: a.RefuseCard) -> None:
    """Whoever refuses gets no more cards but those that they must take; refused by all it is the dealer's next."""
    table = run.table
    terms = table.rulebook.irregularities
    draws = REFUSER_DRAWS_TO_12[terms.refuser.value] and table.hand_to_act().total < table.compiled.must_draw_below
    clauses = both(terms.refuser, terms.refused_by_all)
    run.emit(e.CardRefused(clauses, table.turn_box, table.turn_hand, act.player, draws))


def refuse_extra(table: Table, act: a.ExtraDealerCard) -> Refusal | None:
    terms = table.rulebook.irregularities
    term = terms.dealer_extra_exposed if act.exposed else terms.dealer_extra_unexposed
    if table.phase != "wagers" and not EXTRA_CARD_AT_ANY_TIME[term.value]:
        return no(table, term.clauses, "the dealer's hand is not complete: such a card is one drawn in error.")
    if table.preparation == "shuffle" and upcoming(table) is not None:
        return None  # the cutting card came in that round: the card joins the shuffle, or is burned before it
    return refuse_no_card(table, term)


@carries_out(a.ExtraDealerCard, refuse_extra)
def extra_dealer_card(run: Run, act: a.ExtraDealerCard) -> None:
    terms = run.table.rulebook.irregularities
    term = terms.dealer_extra_exposed if act.exposed else terms.dealer_extra_unexposed
    report(run, "extra-dealer-card", term)
    card = leaving(run, DEALER)
    if card is None:
        return
    take_cutting_card(run, dealers_hand=True)
    if EXTRA_CARD_BURNED[term.value]:
        burned: e.Event = e.CardsBurnedOpen(term.clauses, (card,)) if act.exposed else e.CardBurned(term.clauses, card)
        run.emit(burned)
    else:
        undrawn = EXTRA_CARD_UNDRAWN[term.value]
        run.emit(e.CardDrawnInError(term.clauses, card, act.exposed, undrawn))
    if act.exposed:
        look_at(run, (card,))


def refuse_burn_in_error(table: Table, act: a.BurnInError) -> Refusal | None:
    return refuse_no_card(table, _burned_in_error(table))


def _burned_in_error(table: Table) -> Term[str]:
    """What is said of such a card; where that is about the start of a round alone, later it was drawn in error."""
    terms = table.rulebook.irregularities
    at_start = not BURNED_BEFORE_THE_ROUND_ONLY[terms.burned_in_error.value] or table.phase == "wagers"
    return terms.burned_in_error if at_start else terms.drawn_in_error


@carries_out(a.BurnInError, refuse_burn_in_error)
def burn_in_error(run: Run, act: a.BurnInError) -> None:
    term = _burned_in_error(run.table)
    stays = STAYS_BURNED[term.value]
    report(run, "card-burned-in-error", term)
    card = upcoming(run.table) if stays else leaving(run, DEALER)
    if card is None:
        return
    take_cutting_card(run)
    if stays:
        run.emit(e.CardBurned(term.clauses, card))
    else:
        run.emit(e.CardDrawnInError(term.clauses, card, False))
    close_betting(run)


# --- dropped, missing and foreign cards ------------------------------------------------------------------------------


def refuse_drop(table: Table, act: a.DropCards) -> Refusal | None:
    term = table.rulebook.irregularities.dropped_cards
    refused = refuse_undecided(table, term, "cards are dropped")
    if refused:
        return refused
    if not act.verified:
        text = "the dealer informs a casino supervisor of it."
        return None if may_act(act.by, "dealer") else no(table, term.clauses, text)
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor verifies that all cards were collected.")
    return None


@carries_out(a.DropCards, refuse_drop)
def drop_cards(run: Run, act: a.DropCards) -> None:
    term = run.table.rulebook.irregularities.dropped_cards
    report(run, "cards-dropped", term, by=act.by)
    if act.verified:
        run.emit(e.NoticeGiven(term.clauses, "casino-supervisor", "cards dropped: verified that all were collected"))
        return
    text = "cards dropped: verify that all were collected"
    run.emit(e.NoticeGiven(term.clauses, "casino-supervisor", text, "before-play-goes-on"))


def refuse_wrong_cards(table: Table, act: a.FindWrongCards) -> Refusal | None:
    term = table.rulebook.irregularities.wrong_cards
    if act.what not in ("missing", "foreign"):
        return no(table, term.clauses, "a card is missing, or a foreign one is found.")
    refused = refuse_undecided(table, term, "a card is missing or foreign")
    if refused:
        return refused
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor declares it.")
    return None


@carries_out(a.FindWrongCards, refuse_wrong_cards)
def find_wrong_cards(run: Run, act: a.FindWrongCards) -> None:
    report(run, f"{act.what}-card", run.table.rulebook.irregularities.wrong_cards, by=act.by, reason=act.reason)
    if not run.table.checks_due or run.table.preparation != "shuffle":  # else it is what showed by itself just now
        retire(run, act.what, by=act.by)


def retire(run: Run, what: str, *, by: str = "") -> None:
    """This round is void, earlier ones stand, and so is the rest of the source; who must be told, and the check of the
    decks, are due."""
    table = run.table
    terms = table.rulebook.irregularities
    void, *others = terms.wrong_cards.clauses
    if table.phase != "wagers":
        void_round(run, f"a card is {what}", (void,), by=by)
    rest = tuple(others[:1]) or (void,)
    run.emit(e.CardsReplaced(rest, checked=True, by=by))
    run.emit(e.ShuffleDue(rest, "new-cards"))
    confirmed = CHECKED_BEFORE_NEXT_DEAL[terms.wrong_cards_check.value]
    for whom in terms.wrong_cards_notice.value:
        text = f"a card is {what}: the round and the rest of the cards are void"
        run.emit(e.NoticeGiven(terms.wrong_cards_notice.clauses, whom, text, NEXT_DEAL if confirmed else "now"))
    if confirmed:
        clauses = both(terms.wrong_cards_check, terms.wrong_cards_notice)
        run.emit(e.ChecksDue(clauses, ("decks", *terms.wrong_cards_notice.value)))


NEXT_DEAL = "before-the-next-deal"


def look_at(run: Run, cards: tuple[Card, ...], box: int = DEALER) -> bool:
    """Whether one of these cards, which lie open, does not belong to the decks: it is then ruled on."""
    table = run.table
    if not table.suspect:
        return False
    wrong = next((card for card in cards if not belongs(table, card, out=True)), None)
    if wrong is None:
        return False
    run.emit(e.WrongCardFound(why_wrong(table, wrong), wrong, box, True))
    rule_on_wrong_card(run)
    return True


def rule_on_wrong_card(run: Run) -> None:
    """A card appeared that does not belong to the decks; where the document is silent, the house decides whether the
    game goes on with it or the round is void."""
    table = run.table
    term = table.rulebook.irregularities.wrong_cards
    if UNDECIDED[term.value]:
        run.emit(e.IrregularityReported(term.clauses, "foreign-card", "casino-supervisor"))
        return
    report(run, "foreign-card", term)
    retire(run, "foreign")


# --- what is due after it --------------------------------------------------------------------------------------------


def refuse_confirm(table: Table, act: a.Confirm) -> Refusal | None:
    terms = table.rulebook.irregularities
    clauses = both(terms.wrong_cards_check, terms.wrong_cards_notice)
    if not may_act(act.by, "casino-supervisor"):
        return no(table, clauses, "a casino supervisor confirms it.")
    if not table.checks_due:
        return no(table, clauses, "nothing waits to be confirmed.")
    if act.done not in (EVERYTHING, *table.checks_due):
        due = ", ".join(CHECKS[check] for check in table.checks_due)
        return no(table, clauses, f"that is not due: {due}.")
    return None


@carries_out(a.Confirm, refuse_confirm)
def confirm(run: Run, act: a.Confirm) -> None:
    """Somebody says that it was done, and is named."""
    terms = run.table.rulebook.irregularities
    for check in run.table.checks_due if act.done == EVERYTHING else (act.done,):
        term = terms.wrong_cards_check if check == "decks" else terms.wrong_cards_notice
        run.emit(e.CheckConfirmed(term.clauses[:1], act.by, check))


EVERYTHING = "all"


# --- what leaves the source by mistake -------------------------------------------------------------------------------


def refuse_no_card(table: Table, term: Term[str]) -> Refusal | None:
    if table.preparation != "ready":
        return no(table, term.clauses, "the cards are to be shuffled first.")
    if table.redeal:
        return no(table, term.clauses, "the cards of the round are being laid again: none comes from the source.")
    if upcoming(table) is None:
        return no(table, term.clauses, "no card is left in the source.")
    return None


def leaving(run: Run, box: int) -> Card | None:
    """The card that leaves by mistake for a box (0: the dealer); a joker is replaced by the next card as always."""
    card = upcoming(run.table)
    while card == JOKER:
        run.emit(e.JokerShown(run.table.rulebook.cards.jokers.clauses, box))
        card = upcoming(run.table)
    return card


def leaving_now(table: Table) -> Card:
    """The next card, which a refusal has already looked for."""
    card = upcoming(table)
    if card is None:
        raise Broken("a card was to leave an empty source")
    return card


def upcoming(table: Table) -> Card | None:
    """The next card in the source, or None where it is empty."""
    return table.stack[table.position] if table.position < len(table.stack) else None


def take_cutting_card(run: Run, cards: int = 1, *, dealers_hand: bool = False) -> None:
    """Cards that leave by mistake may bring the cutting card with them: it then counts as come, as always."""
    table = run.table
    if not table.position <= table.cutting_at < table.position + cards:
        return
    terms = table.rulebook.shuffle
    if table.phase == "wagers" and not dealers_hand:
        clauses = terms.cutting_card_first.clauses
        run.emit(e.CuttingCardShown(clauses, e.AS_FIRST_CARD))
        if table.final_rounds <= 0:
            run.emit(e.ShuffleDue(clauses, "cutting-card-first"))
        return
    clauses = terms.cutting_card_mid_round.clauses
    box = 0 if dealers_hand else table.turn_box
    run.emit(e.CuttingCardShown(clauses, box, table.boxes[box].controller if box else ""))
    if dealers_hand and table.final_rounds <= 0:
        run.emit(e.ShuffleDue(clauses, "cutting-card"))
