"""When things go wrong: cards out of order, forgotten steps, absent players, void rounds, and the money put right."""

from __future__ import annotations

from collections import Counter

from pitboss.basics.cards import JOKER, Card, point_total
from pitboss.basics.money import dollars
from pitboss.rulebooks.terms import Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.blazing_sevens import collect_blazing
from pitboss.table.events import DEALER
from pitboss.table.final_settlement import return_side_wagers
from pitboss.table.house import BLAZING, DEVICE, in_force
from pitboss.table.initial_deal import begin_round, burn, refuse_deal
from pitboss.table.refusals import Broken, Refusal
from pitboss.table.roles import in_words, may_act
from pitboss.table.run import Run, both, live_wagers, next_card, no, refuse_box, refuse_role
from pitboss.table.state import Hand, Table, Unnoticed
from pitboss.table.subsequent_deal import forfeit_waits_for, hit, lacks_cards, play_on, refuse_hit, short_clauses
from pitboss.table.wagers import give_back, refuse_name


def report(run: Run, kind: str, *terms: Term[str], listed: bool = True) -> None:
    """Say what went wrong; where the rulebook wants somebody informed or asked, say that too.

    `listed`: it is one of those that the rulebook's clause on approval speaks of (Adelaide 112: 101 to 111).
    """
    irregular = run.table.rulebook.irregularities
    approval = irregular.approval.value if listed and irregular.approval.value != "nobody" else ""
    clauses = both(*terms) if terms else irregular.approval.clauses
    run.emit(e.IrregularityReported(clauses, kind, approval))
    if listed and irregular.notice.value != "nobody":
        text = kind.replace("-", " ")
        run.emit(e.NoticeGiven(irregular.notice.clauses, irregular.notice.value, text, "before-play-goes-on"))


def refuse_undecided(table: Table, term: Term[str], what: str) -> Refusal | None:
    """The document does not say what happens: nobody guesses, the choices are asked for (`pitboss adjudicate`)."""
    if term.value == "undecided":
        return no(table, term.clauses, f"the rules do not say what follows when {what}: it is for the house to decide.")
    return None


# --- approval --------------------------------------------------------------------------------------------------------


def refuse_unapproved(table: Table) -> Refusal:
    """After an irregularity the game goes on only with approval, where the rulebook wants one."""
    return no(table, approval_clauses(table), f"{in_words(table.approval_due)} approves first that the game goes on.")


def approval_clauses(table: Table) -> tuple[str, ...]:
    """By which rule the table waits for an approval: of irregularities in general, or of playing without a jackpot."""
    rulebook = table.rulebook
    if rulebook.irregularities.approval.value == "nobody" and table.jackpot_down:
        return rulebook.blazing_7s.fault_approval.clauses
    return rulebook.irregularities.approval.clauses


def refuse_approve(table: Table, act: a.Approve) -> Refusal | None:
    clauses = approval_clauses(table)
    if not table.approval_due:
        return no(table, clauses, "nothing waits for approval.")
    if not may_act(act.by, table.approval_due):
        return no(table, clauses, f"{in_words(table.approval_due)} approves, not {in_words(act.by)}.")
    return None


def approve(run: Run, act: a.Approve) -> None:
    run.emit(e.ApprovalGiven(approval_clauses(run.table), act.by))


# --- single cards ----------------------------------------------------------------------------------------------------


def _next(table: Table) -> Card | None:
    return table.stack[table.position] if table.position < len(table.stack) else None


def take_cutting_card(run: Run, cards: int = 1, *, dealers_hand: bool = False) -> None:
    """Cards that leave by mistake may bring the cutting card with them: it then counts as come, as always."""
    table = run.table
    if not table.position <= table.cutting_at < table.position + cards:
        return
    terms = table.rulebook.shuffle
    if table.phase == "wagers" and not dealers_hand:
        clauses = terms.cutting_card_first.clauses
        run.emit(e.CuttingCardShown(clauses, -1))
        if table.final_rounds <= 0:
            run.emit(e.ShuffleDue(clauses, "cutting-card-first"))
        return
    clauses = terms.cutting_card_mid_round.clauses
    box = 0 if dealers_hand else table.turn_box
    run.emit(e.CuttingCardShown(clauses, box, table.boxes[box].controller if box else ""))
    if dealers_hand and table.final_rounds <= 0:
        run.emit(e.ShuffleDue(clauses, "cutting-card"))


def _leaving_now(table: Table) -> Card:
    """The next card, which a refusal has already looked for."""
    card = _next(table)
    if card is None:
        raise Broken("a card was to leave an empty source")
    return card


def leaving(run: Run, box: int) -> Card | None:
    """The card that leaves by mistake for a box (0: the dealer); a joker is replaced by the next card as always."""
    card = _next(run.table)
    while card == JOKER:
        run.emit(e.JokerShown(run.table.rulebook.cards.jokers.clauses, box))
        card = _next(run.table)
    return card


def refuse_no_card(table: Table, term: Term[str]) -> Refusal | None:
    if table.preparation != "ready":
        return no(table, term.clauses, "the cards are to be shuffled first.")
    if table.redeal:
        return no(table, term.clauses, "the cards of the round are being laid again: none comes from the source.")
    if _next(table) is None:
        return no(table, term.clauses, "no card is left in the source.")
    return None


def refuse_face_up(table: Table, act: a.FindFaceUpCard) -> Refusal | None:
    return refuse_no_card(table, table.rulebook.irregularities.face_up_card)


def find_face_up(run: Run, act: a.FindFaceUpCard) -> None:
    """A card found face up is burned and play goes on."""
    term = run.table.rulebook.irregularities.face_up_card
    card = _leaving_now(run.table)
    report(run, "card-face-up", term)
    take_cutting_card(run)
    run.emit(e.CardsBurnedOpen(term.clauses, (card,)))


def refuse_check(table: Table, act: a.CheckSource) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.face_up_check_by, "have the cards checked")
    if refused:
        return refused
    if table.house.source not in terms.face_up_check_sources.value:
        return no(table, terms.face_up_check_sources.clauses, f"cards in a {table.house.source} are not checked so.")
    return None


def check_source(run: Run, act: a.CheckSource) -> None:
    terms = run.table.rulebook.irregularities
    run.emit(e.CheckOrdered(both(terms.face_up_check_by, terms.face_up_check_sources), act.by))
    if run.table.phase == "wagers":
        run.emit(e.ShuffleDue(terms.face_up_check_by.clauses, "check"))


def refuse_draw_in_error(table: Table, act: a.DrawInError) -> Refusal | None:
    return refuse_no_card(table, table.rulebook.irregularities.drawn_in_error)


def draw_in_error(run: Run, act: a.DrawInError) -> None:
    """A card drawn in error is the next card."""
    term = run.table.rulebook.irregularities.drawn_in_error
    report(run, "card-drawn-in-error", term)
    card = leaving(run, run.table.turn_box)
    if card is not None:
        take_cutting_card(run)
        run.emit(e.CardDrawnInError(term.clauses, card, act.exposed))


def refuse_refuse_card(table: Table, act: a.RefuseCard) -> Refusal | None:
    """Whether this player may decline the card that was drawn in error."""
    terms = table.rulebook.irregularities
    if not table.error_cards:
        return no(table, terms.drawn_in_error.clauses, "no card was drawn in error.")
    kind = terms.drawn_in_error_refused
    if kind.value == "none" or (kind.value == "exposed" and not table.error_cards[0][1]):
        return no(table, both(kind, terms.drawn_in_error), "such a card is not refused: it is the next card.")
    box = table.boxes.get(act.box)
    if table.phase != "play" or box is None or table.turn_box != act.box or box.controller != act.player:
        return no(table, terms.refuser.clauses, f"the card is not offered to {act.player} now.")
    hand = table.hand_to_act()
    if hand.asking or hand.doubled or hand.short:
        return no(table, terms.refuser.clauses, f"on box {act.box} something else is to be decided first.")
    if terms.refuser.value == "no-more-cards-from-12" and hand.total < 12:
        clauses = both(terms.refuser, table.rulebook.drawing.must_draw_below)
        return no(table, clauses, f"{hand.total} is below 12: the hand must draw, and this is the next card.")
    return None


def refuse_card(run: Run, act: a.RefuseCard) -> None:
    """Whoever refuses gets no more cards; refused by all it is the dealer's next."""
    table = run.table
    clauses = both(table.rulebook.irregularities.refuser, table.rulebook.irregularities.refused_by_all)
    run.emit(e.CardRefused(clauses, table.turn_box, table.turn_hand, act.player))


def refuse_extra(table: Table, act: a.ExtraDealerCard) -> Refusal | None:
    terms = table.rulebook.irregularities
    term = terms.dealer_extra_exposed if act.exposed else terms.dealer_extra_unexposed
    if table.phase != "wagers" and term.value != "burned-at-any-time":
        return no(table, term.clauses, "the dealer's hand is not complete: such a card is one drawn in error.")
    if table.preparation == "shuffle" and _next(table) is not None:
        return None  # the cutting card came in that round: the card joins the shuffle, or is burned before it
    return refuse_no_card(table, term)


def extra_dealer_card(run: Run, act: a.ExtraDealerCard) -> None:
    terms = run.table.rulebook.irregularities
    term = terms.dealer_extra_exposed if act.exposed else terms.dealer_extra_unexposed
    report(run, "extra-dealer-card", term)
    card = leaving(run, DEALER)
    if card is None:
        return
    take_cutting_card(run, dealers_hand=True)
    if term.value in ("burned", "burned-at-any-time"):
        burned: e.Event = e.CardsBurnedOpen(term.clauses, (card,)) if act.exposed else e.CardBurned(term.clauses, card)
        run.emit(burned)
    else:
        undrawn = term.value == "first-of-next-round"
        run.emit(e.CardDrawnInError(term.clauses, card, act.exposed, undrawn))


def refuse_burn_in_error(table: Table, act: a.BurnInError) -> Refusal | None:
    return refuse_no_card(table, table.rulebook.irregularities.burned_in_error)


def burn_in_error(run: Run, act: a.BurnInError) -> None:
    term = run.table.rulebook.irregularities.burned_in_error
    report(run, "card-burned-in-error", term)
    card = _next(run.table) if term.value == "stays-burned" else leaving(run, DEALER)
    if card is None:
        return
    take_cutting_card(run)
    if term.value == "stays-burned":
        run.emit(e.CardBurned(term.clauses, card))
    else:
        run.emit(e.CardDrawnInError(term.clauses, card, False))


# --- forgotten steps -------------------------------------------------------------------------------------------------


def refuse_forget_burn(table: Table, act: a.ForgetBurn) -> Refusal | None:
    terms = table.rulebook.shuffle
    burn = terms.burn_device if table.house.source == DEVICE else terms.burn_shoe
    term = table.rulebook.irregularities.burn_forgotten
    if not burn.value:
        return no(table, burn.clauses, "no card is burned here.")
    if not table.fresh or table.phase != "wagers" or table.preparation != "ready":
        return no(table, term.clauses, "no burn is due.")
    return refuse_undecided(table, term, "the burn was forgotten")


def forget_burn(run: Run, act: a.ForgetBurn) -> None:
    term = run.table.rulebook.irregularities.burn_forgotten
    report(run, "burn-forgotten", term)
    run.emit(e.BurnForgotten(term.clauses))


def refuse_deal_without_wagers(table: Table, act: a.DealWithoutWagers) -> Refusal | None:
    term = table.rulebook.irregularities.no_wagers_round
    if table.phase != "wagers" or any(box.wagers for box in table.boxes.values()):
        return no(table, term.clauses, "there are wagers on the table.")
    if act.cards < 1 or table.position + act.cards > len(table.stack):
        return no(table, term.clauses, "say how many cards were exposed.")
    return refuse_no_card(table, term) or refuse_undecided(table, term, "a round is begun without wagers")


def deal_without_wagers(run: Run, act: a.DealWithoutWagers) -> None:
    """A round without wagers is void and its exposed cards are burned."""
    table = run.table
    term = table.rulebook.irregularities.no_wagers_round
    report(run, "round-without-wagers", term)
    run.emit(e.RoundVoided(term.clauses, "no wagers"))
    take_cutting_card(run, act.cards)
    run.emit(e.CardsBurnedOpen(term.clauses, table.stack[table.position : table.position + act.cards]))


def refuse_forget_cut(table: Table, act: a.ForgetCut) -> Refusal | None:
    term = table.rulebook.irregularities.cut_missed
    if table.preparation not in ("cut", "cutting-card"):
        return no(table, term.clauses, "no cut is due.")
    return refuse_undecided(table, term, "the cut was missed")


def forget_cut(run: Run, act: a.ForgetCut) -> None:
    """The round is finished, then the cards are shuffled and cut; earlier results stand."""
    term = run.table.rulebook.irregularities.cut_missed
    report(run, "cut-missed", term)
    run.emit(e.CutForgotten(term.clauses))


def refuse_forget_shuffle(table: Table, act: a.ForgetShuffle) -> Refusal | None:
    term = table.rulebook.irregularities.shuffle_missed
    if table.preparation != "shuffle" or table.shuffle_reason not in ("cutting-card", "cutting-card-first"):
        return no(table, term.clauses, "no shuffle is due after the cutting card.")
    return refuse_undecided(table, term, "the dealer deals on after the cutting card")


def forget_shuffle(run: Run, act: a.ForgetShuffle) -> None:
    term = run.table.rulebook.irregularities.shuffle_missed
    report(run, "shuffle-missed", term)
    run.emit(e.ShuffleForgotten(term.clauses))


def refuse_forget_discards(table: Table, act: a.ForgetDiscards) -> Refusal | None:
    term = table.rulebook.irregularities.discards_not_returned
    if table.house.source != DEVICE or not table.kit.device_returns_early:
        return no(table, both(table.rulebook.shuffle.device_return, term), "no discards are due back after the deal.")
    if table.phase != "wagers" or table.discards_forgotten:
        return no(table, term.clauses, "say so before the initial deal to which it belongs.")
    return refuse_undecided(table, term, "the discards were not put back")


def forget_discards(run: Run, act: a.ForgetDiscards) -> None:
    term = run.table.rulebook.irregularities.discards_not_returned
    report(run, "discards-not-returned", term)
    run.emit(e.DiscardsForgotten(term.clauses))


def refuse_forget_insurance(table: Table, act: a.ForgetInsurance) -> Refusal | None:
    term = table.rulebook.irregularities.insurance_missed
    if table.phase != "insurance":
        return no(table, both(table.rulebook.insurance.dealer_ranks, term), "insurance is not due.")
    if any(box.insurance for box in table.boxes.values()):
        return no(table, term.clauses, "insurance has been offered: somebody has taken it.")
    return refuse_undecided(table, term, "insurance was not offered")


def forget_insurance(run: Run, act: a.ForgetInsurance) -> None:
    """Players may still insure until the dealer's second card."""
    term = run.table.rulebook.irregularities.insurance_missed
    report(run, "insurance-missed", term)
    run.emit(e.InsuranceForgotten(term.clauses))


def refuse_drop(table: Table, act: a.DropCards) -> Refusal | None:
    term = table.rulebook.irregularities.dropped_cards
    refused = refuse_undecided(table, term, "cards are dropped")
    if refused:
        return refused
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor verifies that all cards were collected.")
    return None


def drop_cards(run: Run, act: a.DropCards) -> None:
    term = run.table.rulebook.irregularities.dropped_cards
    report(run, "cards-dropped", term)
    run.emit(e.NoticeGiven(term.clauses, "casino-supervisor", "cards dropped: verified that all were collected"))


# --- absent players --------------------------------------------------------------------------------------------------


def refuse_pass_over(table: Table, act: a.PassOver) -> Refusal | None:
    term = table.rulebook.irregularities.absent_player
    box = table.boxes.get(act.box)
    turn = table.phase in ("play", "late") and table.turn_box == act.box
    if not turn or box is None or table.preparation != "ready":
        return no(table, term.clauses, f"{act.player}'s decision on box {act.box} is not awaited now.")
    hand = table.hand_to_act()
    waiting = hand.asked if hand.asking else forfeit_waits_for(table, hand) if hand.doubled else [box.controller]
    if act.player not in waiting:
        return no(table, term.clauses, f"{act.player}'s decision on box {act.box} is not awaited now.")
    return None


def pass_over(run: Run, act: a.PassOver) -> None:
    """Control passes to another on the box; where there is nobody, the rulebook says what the hand gets."""
    table = run.table
    terms = table.rulebook.irregularities
    box, index = table.turn_box, table.turn_hand
    area = table.boxes[box]
    hand = area.hands[index]
    clauses = terms.absent_player.clauses
    report(run, "player-absent", terms.absent_player, listed=False)
    run.emit(e.PlayerPassedOver(clauses, box, index, act.player))
    if hand.asking == "double":
        run.emit(e.DoubleDeclined(table.rulebook.doubling.others.clauses, box, index, act.player))
    elif hand.asking == "split":
        run.emit(e.SplitDeclined(table.rulebook.splitting.others.clauses, box, index, act.player))
    elif hand.asking:
        run.emit(e.DecisionAccepted(both(terms.short_hand_others, terms.absent_player), box, index, act.player))
    elif hand.doubled:
        run.emit(e.WagerKept(clauses, box, index, act.player))
    else:
        others = [w.player for w in live_wagers(hand) if w.player not in hand.passed_over]
        if others and terms.absent_control.value == "passes-first":
            run.emit(e.ControlPassed(both(terms.absent_control), box, others[0]))
        elif terms.absent_player.value != "no-more-cards" and hand.total < 12:
            run.emit(e.HandHit(clauses, box, index, act.player))
        else:
            run.emit(e.HandStood(clauses, box, index))
            if terms.absent_player.value == "no-more-cards":
                leave_as_they_lie(run, box, act.player, clauses)


def leave_as_they_lie(run: Run, box: int, player: str, clauses: tuple[str, ...]) -> None:
    """The playing area gets no more cards (NSW pontoon 17.10): its other split hands end too, if nobody shares them."""
    for index, hand in enumerate(run.table.boxes[box].hands):
        if not hand.done and all(wager.player == player or wager.settled for wager in hand.wagers.values()):
            run.emit(e.HandStood(clauses, box, index))


# --- void rounds -----------------------------------------------------------------------------------------------------


def return_wagers(run: Run, reason: str, clauses: tuple[str, ...], only: str = "") -> None:
    """Give back every wager that is still open on the cloth (of one player, where named)."""
    table = run.table
    for number in sorted(table.boxes):
        box = table.boxes[number]
        for index, hand in enumerate(box.hands):
            for wager in list(hand.wagers.values()):
                if not wager.settled and only in ("", wager.player):
                    return_wager(run, number, index, hand, wager.player, reason, clauses)
        for player, cents in list(box.insurance.items()):
            if only in ("", player):
                run.emit(e.WagerReturned(clauses, player, number, cents, "insurance", reason, -3))
        for kind, placed in box.side.items():
            for player, cents in list(placed.items()):
                if only in ("", player):
                    run.emit(e.WagerReturned(clauses, player, number, cents, kind, reason, 0))
    if not table.dealer_cards:  # jackpot wagers were collected before the deal, which was to decide them
        for number, player, cents, part in table.jackpot_wagers:
            if only in ("", player):
                run.emit(e.WagerReturned(clauses, player, number, cents, BLAZING, reason, hand=-2))
                if part:
                    run.emit(e.JackpotSet(clauses, table.jackpot_cents - part, -part, reason))


def return_wager(
    run: Run, box: int, index: int, hand: Hand, player: str, reason: str, clauses: tuple[str, ...]
) -> None:
    """One player's wager on one hand; a split that is still being answered gives its new wager back too."""
    wager = hand.wagers[player]
    cents = wager.cents + wager.doubled_cents
    run.emit(e.WagerReturned(clauses, player, box, cents, ORIGINAL, reason, index, doubled_cents=wager.doubled_cents))
    if player in hand.matching:
        run.emit(e.WagerReturned(clauses, player, box, wager.cents, ORIGINAL, reason, -4))


def pass_control(run: Run, player: str, clauses: tuple[str, ...]) -> None:
    """Where a player has left the round, the next wager in line calls his boxes."""
    for number, box in run.table.boxes.items():
        if box.controller != player or not box.hands:
            continue
        others = [w.player for h in box.hands for w in h.wagers.values() if not w.settled and not w.surrendered]
        if others and player not in others:
            run.emit(e.ControlPassed(clauses + run.table.kit.control, number, others[0]))


def void_round(run: Run, reason: str, clauses: tuple[str, ...]) -> None:
    """All open wagers go back; interim payments stand or go back, as the rulebook says; the cards are gathered."""
    table = run.table
    terms = table.rulebook.irregularities
    run.emit(e.RoundVoided(both(terms.void_by, terms.void_interim) + clauses, reason))
    return_wagers(run, "void", clauses)
    if terms.void_interim.value == "returned":
        for player, start in table.round_start.items():
            if table.net[player] != start:
                run.emit(e.PaymentReversed(terms.void_interim.clauses, player, table.net[player] - start))
    end_void_round(run, clauses)


def end_void_round(run: Run, clauses: tuple[str, ...]) -> None:
    """Gather the cards without a result; play goes on with the cards that are left."""
    from pitboss.table.final_settlement import end_round

    end_round(run, clauses)


def refuse_void(table: Table, act: a.VoidRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.void_by, "declare a round void")
    if refused:
        return refused
    if table.phase == "wagers":
        return no(table, terms.void_by.clauses, "no round is being played.")
    if not act.reason.strip():
        return no(table, terms.void_by.clauses, "say why the round is void.")
    return None


def void(run: Run, act: a.VoidRound) -> None:
    terms = run.table.rulebook.irregularities
    report(run, "round-void", terms.void_by, listed=False)
    void_round(run, act.reason, both(terms.misdeal_impossible, terms.void_by))


def refuse_void_earlier(table: Table, act: a.VoidEarlierRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    if not table.last_results:
        return no(table, terms.misdeal_later.clauses, "there is no earlier round.")
    if table.phase == "wagers":
        refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND)
        return refused or refuse_role(table, act.by, terms.void_by, "declare a round void")
    if terms.misdeal_later.value == "stands":
        return no(table, terms.misdeal_later.clauses, "the next round has begun: the result of the earlier one stands.")
    refused = refuse_undecided(table, terms.misdeal_later, "an error is noticed after the next round began")
    return refused or refuse_role(table, act.by, terms.void_by, "declare a round void")


def void_earlier(run: Run, act: a.VoidEarlierRound) -> None:
    """The faulty round alone is void: what it paid goes back, what it took is returned; later rounds stand.

    Before the next round begins it is the round that cannot be rebuilt: interim settlements stand or go back as in any
    void round.
    """
    table = run.table
    terms = table.rulebook.irregularities
    before_next = table.phase == "wagers"
    term = terms.misdeal_after_round if before_next else terms.misdeal_later
    report(run, "earlier-round-void", term)
    stands = before_next and terms.void_interim.value == "stand"
    results = sorted((table.last_final if stands else table.last_results).items())
    run.emit(e.EarlierRoundVoided(both(term, terms.void_interim)))
    for player, cents in results:
        if cents:
            run.emit(e.PaymentReversed(both(term, terms.void_interim), player, cents))


# --- misdeals --------------------------------------------------------------------------------------------------------

STAGES = ("initial-deal", "in-turn", "passed", "dealer", "after-round")
AFTER_ROUND = "an error is told after the round and before the next one begins"


def refuse_misdeal(table: Table, act: a.Misdeal) -> Refusal | None:
    """Whether a round can have been misdealt so."""
    refused = refuse_deal(table, a.Deal())
    if refused:
        return refused
    terms = table.rulebook.irregularities
    if table.error_cards:
        return no(table, terms.drawn_in_error.clauses, "the card that was drawn in error is dealt first.")
    if act.noticed not in STAGES:
        return no(table, terms.misdeal.clauses, f"an error is noticed at one of {', '.join(STAGES)}.")
    if not act.places or len(act.places) > 22 or not all(0 <= place <= table.house.boxes for place in act.places):
        return no(table, terms.misdeal.clauses, f"cards go to the dealer (0) and to boxes 1 to {table.house.boxes}.")
    if table.position + len(act.places) > len(table.stack):
        return no(table, terms.misdeal.clauses, "there are not that many cards left.")
    if act.noticed == "after-round":
        return refuse_unnoticed(table, act)
    if act.noticed != "initial-deal" and terms.misdeal.value != "by-stage":
        return no(table, terms.misdeal.clauses, "whenever it is noticed in the round, the round is rebuilt.")
    return None


def refuse_unnoticed(table: Table, act: a.Misdeal) -> Refusal | None:
    """An error that nobody notices leaves two cards on every hand and one with the dealer, only others than due."""
    terms = table.rulebook.irregularities
    refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND)
    if refused:
        return refused
    boxes = sorted(number for number, box in table.boxes.items() if box.wagers)
    right = (*boxes, DEALER, *boxes)
    if sorted(act.places) != sorted(right) or act.places == right:
        text = "a round that is finished has two cards to each wagered box and one to the dealer, in a wrong order."
        return no(table, terms.misdeal_after_round.clauses, text)
    return None


def misdeal(run: Run, act: a.Misdeal) -> None:
    """Lay the cards as they were dealt, wrongly; then somebody says what is done about it.

    Where hands only lack cards, or cards lie where nobody wagered, a complete initial deal is not rebuilt.
    """
    table = run.table
    if not begin_round(run):
        return
    if table.fresh:
        burn(run)
    if act.noticed == "after-round":
        deal_wrongly(run, act.places)
        return
    causes = misdeal_terms(table, act)
    report(run, "misdeal", *causes)
    noticed = "" if act.noticed == "initial-deal" else act.noticed
    for place in act.places:
        card = leaving(run, place)
        if card is None:
            return
        run.emit(e.CardMisplaced(both(*causes), place, card, noticed))
    if noticed and only_lacks_cards(table, act.places):
        leave_layout(run, noticed, causes)


def deal_wrongly(run: Run, places: tuple[int, ...]) -> None:
    """The initial deal in a wrong order; the round is then played on as if it were right."""
    table = run.table
    run.emit(e.MisdealUnnoticed(table.rulebook.irregularities.misdeal_after_round.clauses, places))
    for place in places:
        card = next_card(run, place)
        if card is None:
            return
        held = table.boxes[place].hands[0].cards if place else table.dealer_cards
        total, soft = point_total((*held, card))
        face_down = bool(place) and table.house.face_down
        run.emit(e.CardDealt(table.kit.first_card, place, 0, card, total, soft, face_down, run.from_error))


def only_lacks_cards(table: Table, places: tuple[int, ...]) -> bool:
    """Whether no card of a misdealt round lies on the wrong hand: what was dealt to wagers was dealt in order."""
    due = iter(right_places(table))
    return all(place in due for place in places if place == DEALER or place in table.boxes)


def misdeal_terms(table: Table, act: a.Misdeal) -> tuple[Term[str], ...]:
    """What the rulebook says of this error at the stage at which it was noticed."""
    terms = table.rulebook.irregularities
    if act.noticed == "initial-deal":
        extra = any(place != DEALER and place not in table.boxes for place in act.places)
        return (terms.misdeal, terms.superfluous_hand) if extra else (terms.misdeal,)
    if not only_lacks_cards(table, act.places):
        return (terms.misdeal_full_by,)
    found = []
    if any(act.places.count(box) < 2 for box in table.boxes):
        found.append(terms.short_hand_dealer_stands if act.noticed == "dealer" else terms.short_hand)
    if DEALER not in act.places:
        found.append(terms.dealer_short)
    if any(place != DEALER and place not in table.boxes for place in act.places):
        found.append(terms.superfluous_hand)
    return tuple(found) or (terms.misdeal,)


def rebuilder(table: Table) -> Term[str]:
    """Under whose supervision the hands are rebuilt: it depends on whether the initial deal was complete."""
    terms = table.rulebook.irregularities
    return terms.misdeal_full_by if table.noticed or table.phase in ("play", "wagers") else terms.misdeal_by


def refuse_leave_out(table: Table, act: a.LeaveOut) -> Refusal | None:
    """Whether the dealer can have gone past the hand in turn so."""
    from pitboss.table.doubling import refuse_double
    from pitboss.table.splitting import refuse_split

    terms = table.rulebook.irregularities
    box = table.boxes.get(act.box)
    if act.noticed not in ("passed", "dealer") or act.meant not in ("hit", "double", "split"):
        text = "say whether it was noticed once passed or by the dealer's second card, and what had been called for."
        return no(table, both(terms.short_hand, terms.short_hand_no_double_or_split), text)
    if table.phase != "play" or table.preparation != "ready" or box is None or table.turn_box != act.box:
        return no(table, terms.short_hand.clauses, f"box {act.box} is not being dealt to now.")
    hand = table.hand_to_act()
    if hand.asking or hand.doubled or hand.short:
        return no(table, terms.short_hand.clauses, f"on box {act.box} something else is to be decided first.")
    if act.meant == "double":
        return refuse_double(table, a.Double(box.controller, act.box))
    if act.meant == "split":
        return refuse_split(table, a.Split(box.controller, act.box))
    return None if terms.misdeal.value == "by-stage" else refuse_hit(table, a.Hit(box.controller, act.box))


def leave_out(run: Run, act: a.LeaveOut) -> None:
    """The hand waits for its card until the others are dealt to, or until the dealer's hand is complete.

    Where rounds are rebuilt as they should have been dealt, it simply gets what had been called for.
    """
    from pitboss.table.doubling import double
    from pitboss.table.splitting import split

    table = run.table
    terms = table.rulebook.irregularities
    if terms.misdeal.value != "by-stage":
        report(run, "hand-left-out", terms.misdeal)
        player = table.boxes[act.box].controller
        if act.meant == "double":
            double(run, a.Double(player, act.box))
        elif act.meant == "split":
            split(run, a.Split(player, act.box))
        else:
            hit(run, a.Hit(player, act.box))
        return
    term = terms.short_hand if act.noticed == "passed" else terms.short_hand_dealer_stands
    report(run, "hand-left-out", term)
    run.emit(e.HandLeftOut(term.clauses, table.turn_box, table.turn_hand, act.noticed, act.meant))


def refuse_misplace(table: Table, act: a.Misplace) -> Refusal | None:
    """Whether a card asked for on one box can have gone to another."""
    terms = table.rulebook.irregularities
    refused = refuse_hit(table, a.Hit(act.player, act.box)) or refuse_box(table, act.wrong)
    if refused:
        return refused
    if act.wrong == act.box:
        return no(table, terms.misdeal.clauses, "the card lies where it belongs.")
    if table.error_cards or table.redeal or _next(table) in (None, JOKER) or table.position == table.cutting_at:
        return no(table, terms.misdeal.clauses, "no ordinary card comes next.")
    return None


def misplace(run: Run, act: a.Misplace) -> None:
    """The hand has asked for its card, and the card lies elsewhere until the round is put right."""
    table = run.table
    terms = table.rulebook.irregularities
    hit(run, a.Hit(act.player, act.box))
    report(run, "card-on-the-wrong-box", terms.misdeal)
    run.emit(e.CardMisplaced(terms.misdeal.clauses, act.wrong, _leaving_now(table)))


def refuse_reconstruct(table: Table, act: a.Reconstruct) -> Refusal | None:
    terms = table.rulebook.irregularities
    if not table.misdealt and table.phase == "wagers" and table.last_results:
        return refuse_reopen(table, act)
    if not table.misdealt:
        return no(table, terms.misdeal.clauses, "nothing has been misdealt.")
    return refuse_role(table, act.by, rebuilder(table), "have the hands rebuilt")


def refuse_reopen(table: Table, act: a.Reconstruct) -> Refusal | None:
    """Whether the finished round can be laid again: its cards, its wagers and its players must still be there."""
    terms = table.rulebook.irregularities
    refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND) or refuse_role(
        table, act.by, terms.misdeal_full_by, "have the hands rebuilt"
    )
    if refused:
        return refused
    memo = table.unnoticed
    clauses = both(terms.misdeal_after_round, terms.misdeal_impossible)
    if memo is None:
        text = (
            "no misdealt round can be laid again: the last one was dealt rightly, or its cards can no longer be told."
        )
        return no(table, clauses, text)
    gone = [w.player for _, w in memo.wagers if away(table, w.player)]
    gone += [player for _, _, player, _ in memo.side if away(table, player)]
    if gone:
        return no(table, clauses, f"{gone[0]} has left: the round cannot be laid again, and is void instead.")
    if table.house.jackpot_linked and any(kind == BLAZING for _, kind, _, _ in memo.side):
        return no(table, clauses, "the linked jackpot has moved on: the round cannot be laid again.")
    if table.error_cards or Counter(cards_of(table, memo)) - Counter(table.rack):
        return no(table, clauses, "its cards are no longer together: the round cannot be laid again.")
    return None


def away(table: Table, player: str) -> bool:
    state = table.players[player]
    return not state.present or bool(state.barred)


def cards_of(table: Table, memo: Unnoticed) -> tuple[Card, ...]:
    """The cards of the last round in the order in which they left."""
    return memo.left + table.stack[memo.position : table.position]


def right_places(table: Table) -> list[int]:
    """Where the misdealt cards should have gone, in order: those of the initial deal, or the one asked for."""
    if table.phase == "play":
        return [table.turn_box]
    boxes = list(table.boxes)
    return [*boxes, DEALER, *boxes]


def reconstruct(run: Run, act: a.Reconstruct) -> None:
    """Re-lay the round from the order in which the cards left; it then goes on as if it had been dealt rightly."""
    table = run.table
    terms = table.rulebook.irregularities
    if not table.misdealt:
        reopen(run, act)
        return
    cards = [card for _, card in table.misdealt]
    after = tuple(zip(right_places(table), cards, strict=False))
    run.emit(e.RoundReconstructed(both(terms.misdeal, rebuilder(table)), table.misdealt, after))


def reopen(run: Run, act: a.Reconstruct) -> None:
    """The finished round is undone, laid again as it should have been dealt, and played again from there."""
    table = run.table
    terms = table.rulebook.irregularities
    memo = table.unnoticed
    if memo is None:
        raise Broken("a round is to be laid again that nobody remembers")
    clauses = both(terms.misdeal_after_round, terms.misdeal)
    report(run, "misdeal", terms.misdeal_after_round)
    for number in sorted(table.boxes):  # wagers for the next round wait
        for kind, player in [(k, p) for k, placed in table.boxes[number].side.items() for p in placed]:
            give_back(run, player, number, kind, "round-reopened", clauses)
        for player in list(table.boxes[number].wagers) if number in table.boxes else []:
            give_back(run, player, number, ORIGINAL, "round-reopened", clauses)
    for player, cents in sorted(table.last_results.items()):
        if cents:
            run.emit(e.PaymentReversed(clauses, player, cents))
    if table.jackpot_cents != memo.jackpot_cents:
        run.emit(e.JackpotSet(clauses, memo.jackpot_cents, memo.jackpot_cents - table.jackpot_cents, "reopened"))
    cards = cards_of(table, memo)
    dealt = [card for card in cards if card != JOKER]
    right = [*(number for number, _ in memo.lines), DEALER, *(number for number, _ in memo.lines)]
    before = tuple(zip(memo.places, dealt, strict=False))
    run.emit(e.RoundReopened(clauses, act.by, before, tuple(zip(right, dealt, strict=False)), cards))
    place_again(run, memo, clauses)


def place_again(run: Run, memo: Unnoticed, clauses: tuple[str, ...]) -> None:
    """The wagers of a round that is laid again, as they stood before its first card."""
    table = run.table
    for number, wager in memo.wagers:
        run.emit(
            e.WagerPlaced(clauses, wager.player, number, wager.cents, ORIGINAL, wager.token_cents, wager.unnoticed)
        )
    for number, kind, player, cents in memo.side:
        run.emit(e.WagerPlaced(clauses, player, number, cents, kind))
    for number, line in memo.lines:
        if len(line) > 1:
            run.emit(e.ControlSettled(clauses, number, line[0], line))
    collect_blazing(run)
    run.emit(e.RoundBegan(table.kit.deal, tuple(number for number, _ in memo.lines)))


def leave_layout(run: Run, noticed: str, causes: tuple[Term[str], ...]) -> None:
    """Adelaide: after the initial deal hands are not rebuilt; what is superfluous is burned, what is short is asked."""
    table = run.table
    terms = table.rulebook.irregularities
    dealers = tuple(card for place, card in table.misdealt if place == DEALER)
    run.emit(e.LayoutLeft(both(*causes), noticed, dealers))
    for box in sorted({place for place, _ in table.misdealt}):
        cards = tuple(card for place, card in table.misdealt if place == box)
        run.emit(e.HandVoided(terms.superfluous_hand.clauses, box, cards))


def late_dealer_card_waits(run: Run) -> bool:
    """The dealer lacks his first card: the next is his, and everybody may take his wagers back or play on.

    True where the table now waits; False where the dealer has it, or where it would decide nothing.
    """
    table = run.table
    players = open_players(table)
    if table.dealer_cards or not players:
        return False
    clauses = table.rulebook.irregularities.dealer_short.clauses
    run.emit(e.NoticeGiven(clauses, "players", "the next card is the dealer's first"))
    card = next_card(run, DEALER)
    if card is None:
        return True
    total, soft = point_total((card,))
    run.emit(e.CardDealt(clauses, DEALER, 0, card, total, soft, False, run.from_error))
    run.emit(e.RefundOffered(clauses, players))
    return True


def open_players(table: Table) -> tuple[str, ...]:
    """Those who still have a wager on the table, be it insurance alone."""
    found = [
        wager.player
        for box in table.boxes.values()
        for hand in box.hands
        for wager in hand.wagers.values()
        if not wager.settled
    ]
    found += [player for box in table.boxes.values() for player in box.insurance]
    return tuple(dict.fromkeys(found))


def late_hand_waits(run: Run) -> bool:
    """After the dealer's hand: whether somebody still decides on a hand that lacked cards.

    A dealer bust or natural leaves nothing to choose.
    """
    if run.table.dealer_natural or run.table.dealer_total > 21:
        return False
    return play_on(run)


AT_ANY_TIME = (
    a.VoidRound, a.InvalidateRound, a.RecordMispayment, a.Remind, a.RaiseDispute, a.RuleDispute, a.AskReview,
)  # fmt: skip
WHILE_WAITING_FOR_APPROVAL = (a.Approve, *AT_ANY_TIME)
WHILE_MISDEALT = (a.Reconstruct, *AT_ANY_TIME)
WHILE_REFUNDING = (a.TakeBack, a.PlayOn, *AT_ANY_TIME)


def refuse_while_waiting(table: Table, act: a.Act) -> Refusal | None:
    """Only so much may be done while an approval, a rebuilding or the answer to an offered refund is awaited."""
    if table.approval_due:
        return None if isinstance(act, WHILE_WAITING_FOR_APPROVAL) else refuse_unapproved(table)
    rulebook = table.rulebook
    if not table.refund_asked:
        if isinstance(act, WHILE_MISDEALT):
            return None
        clauses = both(rulebook.irregularities.misdeal, rebuilder(table))
        return no(table, clauses, "the hands were misdealt: they are rebuilt first, or the round is void.")
    if isinstance(act, WHILE_REFUNDING):
        return None
    clauses = both(rulebook.device.no_spare) if table.device_down else both(rulebook.irregularities.dealer_short)
    return no(table, clauses, f"{table.refund_asked[0]} first says whether to take the wagers back or play on.")


# --- short hands (by stage) ------------------------------------------------------------------------------------------


def refuse_take_back(table: Table, act: a.TakeBack) -> Refusal | None:
    """Whether taking wagers back is offered to this player."""
    terms = table.rulebook.irregularities
    if act.player in table.refund_asked or accepts_or_withdraws(table, act.player):
        return None
    if short_hand_of(table, act.player) is not None:
        return None
    offers = (terms.short_hand, terms.short_hand_others, terms.dealer_short, table.rulebook.device.no_spare)
    clauses = both(*offers, table.rulebook.wagers.locked)
    return no(table, clauses, f"{act.player} is not offered to take wagers back.")


def short_hand_of(table: Table, player: str) -> tuple[int, Hand] | None:
    """The short hand whose controller's choice is awaited, if it is this player's."""
    if table.phase not in ("play", "late") or not table.turn_box:
        return None
    box = table.boxes[table.turn_box]
    hand = table.hand_to_act()
    if lacks_cards(hand) and not hand.done and not hand.asking and not hand.due and box.controller == player:
        return table.turn_box, hand
    return None


def accepts_or_withdraws(table: Table, player: str) -> bool:
    """Whether a player on a hand that lacked cards is asked to accept that it is played on."""
    if table.phase not in ("play", "late") or not table.turn_box:
        return False
    hand = table.hand_to_act()
    return hand.asking == "short" and player in hand.asked


def take_back(run: Run, act: a.TakeBack) -> None:
    table = run.table
    if act.player in table.refund_asked:
        device = table.rulebook.device
        clauses = both(device.no_spare) if table.device_down else both(table.rulebook.irregularities.dealer_short)
        run.emit(e.RefundTaken(clauses, act.player))
        return_wagers(run, "taken-back", clauses, act.player)
        pass_control(run, act.player, clauses)
        return
    terms = table.rulebook.irregularities
    hand = table.hand_to_act()
    if accepts_or_withdraws(table, act.player):
        withdraw_from(run, hand, act.player, "taken-back", terms.short_hand_others.clauses)
        return
    clauses = short_clauses(table, hand)
    cards = hand.cards
    for player in [w.player for w in hand.wagers.values() if not w.settled]:
        if player == act.player:
            withdraw_from(run, hand, player, "taken-back", clauses)
        else:
            withdraw_from(run, hand, player, "void", terms.short_hand_others.clauses)
    if not hand.split:
        return_side_wagers(run, table.turn_box, terms.short_hand_others.clauses)
    if cards:
        run.emit(e.HandVoided(clauses, table.turn_box, cards, table.turn_hand))


def withdraw_from(run: Run, hand: Hand, player: str, reason: str, clauses: tuple[str, ...]) -> None:
    """Give back what a player has on a hand that lacks cards, insurance and wagers on its two cards included."""
    table = run.table
    number = table.turn_box
    return_wager(run, number, table.turn_hand, hand, player, reason, clauses)
    if hand.split:
        return
    if player in table.boxes[number].insurance:
        cents = table.boxes[number].insurance[player]
        run.emit(e.WagerReturned(clauses, player, number, cents, "insurance", reason, -3))
    return_side_wagers(run, number, clauses, player)


def refuse_play_on(table: Table, act: a.PlayOn) -> Refusal | None:
    if act.player in table.refund_asked or accepts_or_withdraws(table, act.player):
        return None
    clauses = both(table.rulebook.irregularities.short_hand, table.rulebook.device.no_spare)
    return no(table, clauses, f"{act.player} is not being asked whether to play on.")


def play_on_answer(run: Run, act: a.PlayOn) -> None:
    table = run.table
    if accepts_or_withdraws(table, act.player):
        clauses = table.rulebook.irregularities.short_hand_others.clauses
        run.emit(e.DecisionAccepted(clauses, table.turn_box, table.turn_hand, act.player))
        return
    rulebook = table.rulebook
    clauses = rulebook.device.no_spare.clauses if table.device_down else rulebook.irregularities.dealer_short.clauses
    run.emit(e.RefundDeclined(clauses, act.player))


# --- missing and foreign cards ---------------------------------------------------------------------------------------


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


def find_wrong_cards(run: Run, act: a.FindWrongCards) -> None:
    """This round is void, earlier ones stand, the rest of the source is retired and checked, and it is notified."""
    table = run.table
    terms = table.rulebook.irregularities
    clauses = terms.wrong_cards.clauses
    report(run, f"{act.what}-card", terms.wrong_cards)
    if table.phase != "wagers":
        void_round(run, f"a card is {act.what}", clauses)
    run.emit(e.CardsReplaced(clauses))
    run.emit(e.ShuffleDue(clauses, "new-cards"))
    for whom in terms.wrong_cards_notice.value:
        text = f"{act.what} card: source retired, decks checked card by card"
        run.emit(e.NoticeGiven(terms.wrong_cards_notice.clauses, whom, text))


# --- people ----------------------------------------------------------------------------------------------------------


def has_open_wager(table: Table, player: str, box: int) -> bool:
    """Whether a wager of this player on this box still waits for its result, be it insurance or an optional one."""
    area = table.boxes.get(box)
    if area is None:
        return False
    if player in area.wagers or player in area.insurance or any(player in placed for placed in area.side.values()):
        return True
    return any(player in hand.wagers and not hand.wagers[player].settled for hand in area.hands)


def refuse_invalid(table: Table, act: a.FindInvalidWager) -> Refusal | None:
    term = table.rulebook.irregularities.invalid_wager
    if term.value == "none" or not in_force(term, table.house):
        return no(table, term.clauses, "the rules know no such invalid wager.")
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor determines that a wager is invalid.")
    if not has_open_wager(table, act.player, act.box):
        text = "it has been settled: wagers and results of earlier hands stand."
        return no(table, term.clauses, text)
    return None


def find_invalid(run: Run, act: a.FindInvalidWager) -> None:
    """Before the hand it goes back; in the course of it too, with no winnings (void means no result)."""
    table = run.table
    clauses = table.rulebook.irregularities.invalid_wager.clauses
    report(run, "invalid-wager", table.rulebook.irregularities.invalid_wager)
    box = table.boxes[act.box]
    for kind in [kind for kind, placed in box.side.items() if act.player in placed]:
        give_back(run, act.player, act.box, kind, "invalid", clauses)
    if act.player in box.wagers:
        give_back(run, act.player, act.box, ORIGINAL, "invalid", clauses)
        return
    for index, hand in enumerate(box.hands):
        if act.player in hand.wagers and not hand.wagers[act.player].settled:
            return_wager(run, act.box, index, hand, act.player, "invalid", clauses)
    if act.player in box.insurance:
        cents = box.insurance[act.player]
        run.emit(e.WagerReturned(clauses, act.player, act.box, cents, "insurance", "invalid", -3))
    pass_control(run, act.player, clauses)


def loss_excess(table: Table, player: str) -> int:
    state = table.players.get(player)
    if state is None or state.loss_limit_cents is None:
        return 0
    return max(0, -table.net[player] - state.loss_limit_cents)


def refuse_loss_excess(table: Table, act: a.FindLossExcess) -> Refusal | None:
    term = table.rulebook.irregularities.loss_limit_excess
    if term.value == "none":
        return no(table, term.clauses, "the rules know no loss limit.")
    if not may_act(act.by, "dealer"):
        return no(table, term.clauses, "the house determines it: the dealer or a supervisor.")
    if not loss_excess(table, act.player):
        return no(table, term.clauses, f"{act.player}'s wagers are within the loss limit.")
    return None


def find_loss_excess(run: Run, act: a.FindLossExcess) -> None:
    """What exceeds the limit goes back, newest wager first; the player is reminded of his duties."""
    table = run.table
    player = act.player
    clauses = table.rulebook.irregularities.loss_limit_excess.clauses
    report(run, "loss-limit-exceeded", table.rulebook.irregularities.loss_limit_excess)
    excess = loss_excess(table, player)
    for number, index, part in newest_first(table, player):
        box = table.boxes.get(number)
        if not excess or box is None:
            continue
        returned: e.WagerReturned
        if part in ("doubled", ORIGINAL) and box.hands:
            wager = box.hands[index].wagers[player]
            most = wager.doubled_cents if part == "doubled" else wager.cents
            cents = min(excess, most)
            doubled = cents if part == "doubled" else 0
            returned = e.WagerReturned(
                clauses, player, number, cents, ORIGINAL, "loss-limit", index, doubled_cents=doubled
            )
        elif part == "split":
            cents = box.hands[index].wagers[player].cents
            returned = e.WagerReturned(clauses, player, number, cents, ORIGINAL, "loss-limit", -4)
        elif part == "insurance":
            cents = box.insurance[player]
            returned = e.WagerReturned(clauses, player, number, cents, "insurance", "loss-limit", -3)
        else:
            cents = min(excess, box.wagers[player].cents if part == ORIGINAL else box.side[part][player])
            returned = e.WagerReturned(clauses, player, number, cents, part, "loss-limit")
        run.emit(returned)
        excess = max(0, excess - cents)
    pass_control(run, act.player, clauses)
    run.emit(e.NoticeGiven(clauses, "players", f"{act.player} is reminded of the duties that go with a loss limit"))


def newest_first(table: Table, player: str) -> list[tuple[int, int, str]]:
    """A player's open wagers as box, hand and part: what came during the play, insurance, then what came before it."""
    doubled: list[tuple[int, int, str]] = []
    added: list[tuple[int, int, str]] = []
    insured: list[tuple[int, int, str]] = []
    first: list[tuple[int, int, str]] = []
    placed: dict[int, int] = {}
    for number in sorted(table.boxes):
        box = table.boxes[number]
        if player in box.insurance:
            insured.append((number, 0, "insurance"))
        for index, hand in enumerate(box.hands):
            wager = hand.wagers.get(player)
            if wager is None or wager.settled:
                continue
            (added if index else first).append((number, index, ORIGINAL))
            placed[number] = wager.placed
            if wager.doubled_cents:
                doubled.append((number, index, "doubled"))
            if player in hand.matching:
                added.append((number, index, "split"))
    for number, box in table.boxes.items():
        if not box.hands:
            if player in box.wagers:
                placed[number] = box.wagers[player].placed
                first.append((number, 0, ORIGINAL))
            first += [(number, 0, kind) for kind, wagers in box.side.items() if player in wagers]
    first.sort(key=lambda part: (placed.get(part[0], 0), part[2] != ORIGINAL))
    return [*reversed(doubled), *reversed(added), *reversed(insured), *reversed(first)]


def refuse_bar(table: Table, act: a.BarPlayer) -> Refusal | None:
    term = table.rulebook.irregularities.barred_by
    refused = refuse_role(table, act.by, term, "void the wagers of a person and bar him") or refuse_name(
        table, act.player
    )
    if refused:
        return refused
    if not act.reason.strip():
        return no(table, term.clauses, "say what the person did.")
    if act.detained and table.rulebook.irregularities.detained_until.value == "none":
        return no(table, table.rulebook.irregularities.detained_until.clauses, "the rules let nobody be detained.")
    return None


def bar(run: Run, act: a.BarPlayer) -> None:
    table = run.table
    clauses = table.rulebook.irregularities.barred_by.clauses
    report(run, "person-barred", table.rulebook.irregularities.barred_by, listed=False)
    for box in originals(table, act.player):
        give_back(run, act.player, box, ORIGINAL, "barred", clauses)
    return_wagers(run, "barred", clauses, act.player)
    returned = table.rulebook.irregularities.void_interim.value == "returned"
    if returned and table.phase != "wagers" and act.player in table.round_start:
        due = table.net[act.player] - table.round_start[act.player]
        if due:
            run.emit(e.PaymentReversed(clauses + table.rulebook.irregularities.void_interim.clauses, act.player, due))
    pass_control(run, act.player, clauses)
    run.emit(e.PlayerBarred(clauses, act.by, act.player, act.reason))
    if act.detained:
        detained = table.rulebook.irregularities.detained_until.clauses
        text = f"{act.player} is detained with a prohibited device until an inspector or a police officer takes over"
        run.emit(e.NoticeGiven(detained, "inspector", text))


def originals(table: Table, player: str) -> list[int]:
    return [number for number, box in table.boxes.items() if player in box.wagers]


def refuse_invalidate(table: Table, act: a.InvalidateRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.invalidated_by, "invalidate the outcome of a round")
    if refused:
        return refused
    if act.cause not in ("disturbance", "fraud"):
        return no(table, terms.invalidated_by.clauses, "a round is invalidated for a disturbance or for fraud.")
    if table.phase == "wagers":
        return no(table, terms.invalidated_by.clauses, "no round is being played.")
    if act.forfeit and (act.cause != "fraud" or not terms.fraud_forfeit.value):
        return no(table, terms.fraud_forfeit.clauses, "only the wagers of who committed fraud may be forfeited.")
    return None


def invalidate(run: Run, act: a.InvalidateRound) -> None:
    """Wagers are refunded; who committed fraud may forfeit his."""
    table = run.table
    terms = table.rulebook.irregularities
    clauses = both(terms.invalidated_by, terms.invalidated_wagers)
    report(run, f"invalidated-by-{act.cause}", terms.invalidated_by, listed=False)
    forfeited: dict[str, int] = {}
    for number, box in table.boxes.items():
        for index, hand in enumerate(box.hands):
            for wager in list(hand.wagers.values()):
                if wager.player in act.forfeit and not wager.settled:
                    cents = wager.cents + wager.doubled_cents
                    forfeited[wager.player] = forfeited.get(wager.player, 0) + cents
                    run.emit(e.WagerCollected(terms.fraud_forfeit.clauses, number, index, wager.player, cents, "fraud"))
        for player in act.forfeit:
            if player in box.insurance:
                cents = box.insurance[player]
                forfeited[player] = forfeited.get(player, 0) + cents
                run.emit(e.InsuranceCollected(terms.fraud_forfeit.clauses, number, player, cents))
    run.emit(e.RoundVoided(clauses, act.cause))
    return_wagers(run, "void", clauses)
    if terms.void_interim.value == "returned":
        for player, start in table.round_start.items():
            due = table.net[player] - start + forfeited.get(player, 0)
            if due:
                run.emit(e.PaymentReversed(terms.void_interim.clauses, player, due))
    end_void_round(run, clauses)


# --- payments that were wrong ----------------------------------------------------------------------------------------


def refuse_mispayment(table: Table, act: a.RecordMispayment) -> Refusal | None:
    term = table.rulebook.irregularities.mispayment
    refused = refuse_name(table, act.player)
    if refused:
        return refused
    if type(act.cents) is not int or act.cents <= 0:
        return no(table, term.clauses, "say by how much the payment was wrong, in whole cents above zero.")
    refused = refuse_undecided(table, term, "a payment was wrong")
    if refused:
        return refused
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor records it.")
    return None


def record_mispayment(run: Run, act: a.RecordMispayment) -> None:
    """What was paid too much is asked back, what was paid too little is made good, and large ones are reported."""
    table = run.table
    terms = table.rulebook.irregularities
    limit = terms.mispayment_report_cents.value
    reported = bool(limit) and act.cents > limit
    clauses = terms.mispayment.clauses
    cents = act.cents if act.over else -act.cents
    run.emit(e.MispaymentRecorded(clauses, act.by, act.player, cents, act.intentional, reported))
    if act.rectified:
        run.emit(e.MispaymentRectified(clauses, act.player, cents))
    else:
        attempt = "asked to give back" if act.over else "to be paid the missing"
        run.emit(e.NoticeGiven(clauses, "players", f"{act.player} is {attempt} {dollars(act.cents)}"))
    if act.intentional:
        text = "suspected to be intentional: it is put right, and who was involved is traced"
        run.emit(e.NoticeGiven(clauses, act.by, text))
    kind = "overpayment" if act.over else "underpayment"
    if reported:
        text = f"{kind} of {dollars(act.cents)}: for the report at the end of the month"
        run.emit(e.NoticeGiven(terms.mispayment_report_cents.clauses, "regulator", text, "end-of-month"))
