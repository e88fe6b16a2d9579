"""No more bets, who calls each box, the burn, and two cards to each box with one to the dealer."""

from __future__ import annotations

from pitboss.basics.cards import ALONE, JOKER, Card, point_total, with_card
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.belonging import CHECKS
from pitboss.table.blazing_sevens import collect_blazing
from pitboss.table.chapters import carries_out
from pitboss.table.events import DEALER
from pitboss.table.house import BLAZING, DEVICE
from pitboss.table.irregularities.stray_cards import look_at
from pitboss.table.pairs import void_alone
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, next_card, no
from pitboss.table.shuffle_and_cut import refuse_unprepared, renew_after_failure
from pitboss.table.state import Table
from pitboss.table.tournament_play.rounds import pass_round
from pitboss.table.tournament_play.turns import dealing_order, may_pass, refuse_round
from pitboss.table.wagers import control_of, give_back


def refuse_deal(table: Table, act: a.Deal) -> Refusal | None:
    """Why no round may begin now, or None if it may."""
    if table.phase != "wagers":
        return no(table, table.compiled.deal, "a round is being played: finish it first.")
    if table.checks_due:
        return refuse_unchecked(table)
    if table.preparation != "ready":
        return refuse_unprepared(table)
    if table.session is not None:
        refused = refuse_round(table)
        if refused is not None or may_pass(table):
            return refused
    for box in table.boxes.values():
        if box.wagers:
            break
    else:
        return no(table, table.rulebook.deal.no_wagers.clauses, "no wager has been placed: there is nobody to deal to.")
    for kind in table.house.required:
        for box in table.boxes.values():
            for player in box.wagers:
                if player not in box.side.get(kind, {}):
                    clauses = table.rulebook.side_bets[kind].compulsory.clauses
                    return no(table, clauses, f"{kind} is a condition of play: {player} has none on box {box.number}.")
    return None


def refuse_unchecked(table: Table) -> Refusal:
    """After a missing or foreign card nothing is dealt until somebody has confirmed what is due."""
    terms = table.rulebook.irregularities
    clauses = both(terms.wrong_cards_check, terms.wrong_cards_notice)
    if "decks" not in table.checks_due:
        clauses = both(terms.wrong_cards_notice, terms.wrong_cards_check)
    due = ", ".join(CHECKS[check] for check in table.checks_due)
    text = f"a card was missing or foreign. Before the next deal {due}, and a casino supervisor confirms it."
    return no(table, clauses, text)


def refuse_call(table: Table, act: a.CallNoMoreBets) -> Refusal | None:
    if table.phase != "wagers" or table.betting_closed:
        return no(table, table.compiled.closed, "betting is closed already.")
    if table.session is not None:
        refused = refuse_round(table)
        if refused is not None:
            return refused
    if not any(box.wagers for box in table.boxes.values()):
        return no(table, table.rulebook.deal.no_wagers.clauses, "no wager has been placed yet.")
    return None


@carries_out(a.CallNoMoreBets, refuse_call)
def call_no_more_bets(run: Run, act: a.CallNoMoreBets) -> None:
    run.emit(e.BettingClosed(run.table.compiled.closed))


@carries_out(a.Deal, refuse_deal)
def deal(run: Run, act: a.Deal) -> None:
    if run.table.session is not None and may_pass(run.table):
        pass_round(run)
    else:
        begin_round(run)


def begin_round(run: Run) -> bool:
    """Everything before the first card; False where no round begins after all."""
    table = run.table
    if table.position == table.cutting_at:
        clauses = table.rulebook.shuffle.cutting_card_first.clauses
        run.emit(e.CuttingCardShown(clauses, e.AS_FIRST_CARD))
        if table.final_rounds <= 0:
            if not (table.new_cards_due and renew_after_failure(run)):
                run.emit(e.ShuffleDue(clauses, "cutting-card-first"))
            return False
    if table.compiled.control_declinable:
        void_declined_boxes(run)
    for box in table.boxes.values():
        if box.side:
            void_alone(run)
            break
    boxes = tuple(sorted(table.boxes)) if table.session is None else dealing_order(table, list(table.boxes))
    if not boxes:
        return False
    if not table.betting_closed:
        run.emit(e.BettingClosed(table.compiled.closed))
    for number in boxes:
        box = table.boxes[number]
        if len(box.wagers) > 1:
            player, clause = control_of(table, box)
            line = (player, *(name for name in box.wagers if name != player))
            run.emit(e.ControlSettled((clause,), number, player, line))
    if BLAZING in table.house.side_bets:
        collect_blazing(run)
    run.emit(e.RoundBegan(table.compiled.deal, boxes))
    return True


def void_declined_boxes(run: Run) -> None:
    """Where everybody on a box has declined control its wagers are void."""
    table = run.table
    for number in sorted(table.boxes):
        box = table.boxes[number]
        if box.declined_control and not control_of(table, box)[0]:
            for player in list(box.wagers):
                clauses = table.rulebook.boxes.control_declinable.clauses
                give_back(run, player, number, ORIGINAL, "void", clauses)


def burn(run: Run) -> None:
    """The first card of a shoe, or the first cards of a loaded shuffling device, go to the rack face down.

    That also holds for discards that were shuffled and cut to finish a round.
    """
    table = run.table
    terms = table.rulebook.shuffle
    term = terms.burn_device if table.house.source == DEVICE else terms.burn_shoe
    for _ in range(term.value):
        if table.error_cards:
            run.emit(e.CardBurned(term.clauses, table.error_cards[0][0], True))
            continue
        if table.position >= len(table.stack):
            return
        run.emit(e.CardBurned(term.clauses, table.stack[table.position]))


def deal_initial_cards(run: Run) -> bool:
    """Deal what is still to be dealt of the initial deal; False where the cards have run out."""
    table = run.table
    compiled = table.compiled
    face_down = table.house.face_down
    cards = undisturbed_cards(table)
    if cards:
        at = 0
        for number in table.boxes:
            card = cards[at]
            at += 1
            total, soft = ALONE[card]
            run.emit_card(e.CardDealt(compiled.first_card, number, 0, card, total, soft, face_down))
        total, soft = ALONE[cards[at]]
        run.emit_card(e.CardDealt(compiled.dealer_first, DEALER, 0, cards[at], total, soft))
        for number, box in table.boxes.items():
            at += 1
            hand = box.hands[0]
            total, soft = with_card(hand.total, hand.soft, cards[at])
            run.emit_card(e.CardDealt(compiled.second_card, number, 0, cards[at], total, soft, face_down))
        return True
    for wanted in (1, 2):
        for number, box in table.boxes.items():
            held = box.hands[0].cards
            if len(held) < wanted:
                drawn = next_card(run, number, unseen=face_down)
                if drawn is None:
                    return False
                total, soft = point_total((*held, drawn))
                clauses = compiled.first_card if wanted == 1 else compiled.second_card
                run.emit_card(e.CardDealt(clauses, number, 0, drawn, total, soft, face_down, run.from_error))
        if not table.dealer_cards:
            drawn = next_card(run, DEALER)
            if drawn is None:
                return False
            total, soft = point_total((drawn,))
            run.emit_card(e.CardDealt(compiled.dealer_first, DEALER, 0, drawn, total, soft, False, run.from_error))
    return True


def undisturbed_cards(table: Table) -> tuple[Card, ...]:
    """The cards of a whole initial deal, where nothing comes between them: no cutting card, joker or earlier error."""
    start = table.position
    end = start + 2 * len(table.boxes) + 1
    if table.dealer_cards or table.error_cards or table.redeal or table.suspect or end > len(table.stack):
        return ()
    if start <= table.cutting_at < end:
        return ()
    for box in table.boxes.values():
        if box.hands[0].cards:
            return ()
    cards = table.stack[start:end]
    return () if JOKER in cards else cards


def return_discards(run: Run) -> None:
    """With a shuffling device the rack is emptied into it after the initial deal, where the rulebook says so."""
    table = run.table
    if table.rack and table.house.source == DEVICE and table.compiled.device_returns_early:
        if table.discards_forgotten:
            if table.discards_forgotten == 1:
                run.emit(e.DiscardsForgotten(table.rulebook.irregularities.discards_not_returned.clauses))
            return
        run.emit(e.DiscardsReturned(table.rulebook.shuffle.device_return.clauses, len(table.rack)))


# --- cards dealt face down -------------------------------------------------------------------------------------------


def must_expose(table: Table) -> list[int]:
    """Boxes whose face-down cards must be turned up before optional wagers and naturals are settled."""
    return [
        number
        for number, box in table.boxes.items()
        if box.hands[0].face_down and (any(box.side.values()) or box.hands[0].total == 21 or has_jackpot(table, number))
    ]


def has_jackpot(table: Table, box: int) -> bool:
    return any(wager[0] == box for wager in table.jackpot_wagers)


def refuse_expose(table: Table, act: a.Expose) -> Refusal | None:
    clauses = table.rulebook.cards.face_down.clauses
    box = table.boxes.get(act.box)
    if box is None or not box.hands or not box.hands[0].face_down or len(box.hands[0].cards) < 2:
        return no(table, clauses, f"box {act.box} has no cards face down.")
    if act.player not in box.line:
        return no(table, clauses, f"{act.player} has no wager on box {act.box} and handles no cards there.")
    return None


@carries_out(a.Expose, refuse_expose)
def expose(run: Run, act: a.Expose) -> None:
    hand = run.table.boxes[act.box].hands[0]
    run.emit(e.HandExposed(run.table.rulebook.cards.face_down.clauses, act.box, hand.cards))
    look_at(run, hand.cards, act.box)
