"""Getting a shuffled stack: shuffle, cut, cutting card, new cards, and what a shuffling device does instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from pitboss.basics.cards import JOKER, VALUE, Card, deck
from pitboss.rulebooks.meanings import (
    DEALT_ON_TO_CUTTING_CARD,
    HOUSE_CUTTER,
    NEW_CARDS_AFTER_ROUND,
    NEW_CARDS_AFTER_SHOE,
    REPLACED_AFTER_CUTTING_CARD,
    RIGHTMOST_CUTS_AFTER_FAILURE,
    meaning,
    question,
)
from pitboss.rulebooks.terms import Term
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.belonging import is_suspect
from pitboss.table.chapters import carries_out
from pitboss.table.house import DEVICE, SHOE
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, both, heads, no, refuse_role
from pitboss.table.state import NO_CARDS, NOT_SHOWN, Table


def full_stack(table: Table) -> tuple[Card, ...]:
    """All the cards of the table in deck order: what a shuffle of new cards is a permutation of."""
    return whole_decks(table.rulebook.cards.ranks.value, table.house.decks, table.house.jokers)


@lru_cache(maxsize=64)
def whole_decks(ranks: str, decks: int, jokers: int) -> tuple[Card, ...]:
    return deck(ranks) * decks + (JOKER,) * jokers


def cards_to_shuffle(table: Table) -> tuple[Card, ...]:
    """What goes into the next shuffle: everything, or the discards where a round must be finished with them."""
    if table.shuffle_reason == "insufficient":
        burned = table.rulebook.shuffle.burn_shoe.value if table.house.source == SHOE else 0
        return rest_of_the_decks(table) if table.arranged and len(table.rack) <= burned else table.rack
    if table.shuffle_reason == "malfunction":
        return table.stack[table.position :]
    return full_stack(table)


def rest_of_the_decks(table: Table) -> tuple[Card, ...]:
    """All cards that do not lie on the layout: an arranged stack ran out, and of its discards none would be left to
    deal once one is burned; what else was in the decks nobody has said."""
    out = Counter((*table.dealer_cards, *(card for card, _ in table.error_cards)))
    for box in table.boxes.values():
        for hand in box.hands:
            out.update(hand.cards)
    return tuple((Counter(full_stack(table)) - out).elements())


def shuffle_clauses(table: Table) -> tuple[str, ...]:
    """Why a shuffle is due."""
    terms = table.rulebook.shuffle
    return {
        "cutting-card-first": terms.cutting_card_first.clauses,
        "cutting-card": terms.cutting_card_mid_round.clauses,
        "ordered": terms.ordered_by.clauses,
        "new-cards": table.rulebook.cards.new_cards_shoe.clauses,
        "insufficient": terms.insufficient.clauses,
        "cut-missed": table.rulebook.irregularities.cut_missed.clauses,
        "shuffle-missed": table.rulebook.irregularities.shuffle_missed.clauses,
        "check": table.rulebook.irregularities.face_up_check_by.clauses,
        "malfunction": table.rulebook.device.finish.clauses,
    }.get(table.shuffle_reason, terms.at_start.clauses)


def refuse_unprepared(table: Table) -> Refusal | None:
    """Why no card may be dealt yet, or None if the stack is ready."""
    if table.preparation == "ready":
        return None
    terms = table.rulebook.shuffle
    if table.preparation == "shuffle":
        return refuse_no_refill(table) or no(table, shuffle_clauses(table), "the cards are to be shuffled first.")
    if table.preparation == "cut":
        return no(table, cutter(table)[1], f"the cards are offered to {table.cut_offered} to be cut first.")
    return no(table, terms.cutting_card_share_max.clauses, "the dealer places the cutting card first.")


def refuse_no_refill(table: Table) -> Refusal | None:
    """Why a device that ran empty in a round is not filled again, where the rulebook has nothing for that."""
    if table.shuffle_reason != NO_CARDS or table.phase == "wagers":
        return None
    terms = table.rulebook
    who = the_role(terms.irregularities.void_by.value)
    text = f"the cards have run out, and no rule refills the shoe: {who} declares the round void."
    return no(table, both(terms.shuffle.insufficient_device, terms.irregularities.void_by), text)


SHUFFLED_IN_DEVICE = question("shuffle.means shuffle.means_clauses", yes=DEVICE, no="hand multishuffler pre-shuffled")


def refuse_shuffle(table: Table, act: a.Shuffle) -> Refusal | None:
    terms = table.rulebook.shuffle
    if act.means not in terms.means.value:
        return no(
            table, heads(terms.means), f"cards are shuffled by {', '.join(terms.means.value)}, not by {act.means!r}."
        )
    refused = refuse_no_refill(table)
    if refused:
        return refused
    if table.preparation != "shuffle" and not shuffle_is_free(table):
        text = "no shuffle is due: the cards are shuffled at the start, after the cutting card, or when it is ordered."
        return no(table, both(terms.at_start, terms.cutting_card_first, terms.cutting_card_mid_round), text)
    if table.house.source == SHOE and SHUFFLED_IN_DEVICE[act.means]:
        return no(table, terms.device_cut.clauses, "this table deals from a shoe, not from a shuffling device.")
    counts = Counter(act.order)
    wanted = Counter(full_stack(table) if table.arranged else cards_to_shuffle(table))
    if dict(counts) == dict(wanted):
        return None
    returns = table.arranged and table.house.source == DEVICE  # what it held goes back in, so it may come again
    for card, count in counts.items():
        if table.arranged and card in VALUE:
            continue  # somebody says in which order they lie: one that does not belong is found when it appears
        if count > wanted[card] and not (returns and wanted[card]):
            what = "a foreign card" if card not in VALUE or not wanted[card] else f"there are {wanted[card]} of it"
            clauses = table.rulebook.cards.decks.clauses
            return no(table, clauses, f"{card} is {count} times in the stack: {what}.")
    if not table.arranged:
        missing = sum((wanted - counts).values())
        return no(table, table.rulebook.cards.decks.clauses, f"{missing} cards are missing from the stack.")
    return None


def shuffle_is_free(table: Table) -> bool:
    """Between rounds a shoe dealt to its last card is shuffled; by some rulebooks also one nobody plays at."""
    if table.phase != "wagers" or table.preparation != "ready":
        return False
    empty = table.position >= len(table.stack)
    deserted = not any(state.present for state in table.players.values())
    return empty or (deserted and table.rulebook.shuffle.when_deserted.value)


@carries_out(a.Shuffle, refuse_shuffle)
def shuffle(run: Run, act: a.Shuffle) -> None:
    table = run.table
    terms = table.rulebook.shuffle
    means = terms.means_clauses.value.get(act.means, terms.means.clause)
    run.emit(e.CardsShuffled(tuple(dict.fromkeys((means, *shuffle_clauses(table)[:1]))), act.means))
    run.emit(e.StackArranged((means,), act.order, suspect=table.arranged and is_suspect(table, act.order)))
    if table.house.source == DEVICE:
        return
    offer_cut(run)


def refuse_mix(table: Table, act: a.Mix) -> Refusal | None:
    """A shuffling device mixes what it holds at any time; a shoe never."""
    terms = table.rulebook.shuffle
    if table.house.source != DEVICE:
        return no(table, heads(terms.means), "cards in a shoe are not mixed during play.")
    if Counter(act.order) != Counter(table.stack[table.position :]):
        return no(table, table.rulebook.cards.decks.clauses, "the device holds other cards than these.")
    return None


@carries_out(a.Mix, refuse_mix)
def mix(run: Run, act: a.Mix) -> None:
    table = run.table
    order = act.order
    if table.redeal:  # the cards of a round that is laid again lie on the table, not in the device
        front = table.stack[table.position : table.position + table.redeal]
        rest = list(order)
        for card in front:
            rest.remove(card)
        order = (*front, *rest)
    terms = table.rulebook.shuffle
    means = terms.means_clauses.value.get(DEVICE, terms.means.clause)
    run.emit(e.StackArranged((means,), order, True))


# --- the cut ---------------------------------------------------------------------------------------------------------


def place_of(table: Table, player: str) -> int:
    """Where a player is: the box they are seated at, else the first box they wager on now or did in the last round."""
    seat = table.players[player].seat
    if seat:
        return seat
    for number in sorted(table.boxes):
        box = table.boxes[number]
        if player in box.wagers or player in box.line:
            return number
    return table.places.get(player, 0)


def players_in_order(table: Table) -> list[str]:
    """Those at the table clockwise from the dealer's left; who stands nowhere comes last."""
    present = [name for name, state in table.players.items() if state.present]
    return sorted(present, key=lambda name: place_of(table, name) or 99)


def cutter(table: Table) -> tuple[str, tuple[str, ...]]:
    """Whom the stack is offered to first, and by which clause; "" where nobody is at the table."""
    terms = table.rulebook.shuffle
    order = players_in_order(table)
    where = table.cut_from
    term: Term[str]
    if table.shuffle_reason == "malfunction" and RIGHTMOST_CUTS_AFTER_FAILURE[table.rulebook.device.cutter.value]:
        term = table.rulebook.device.cutter
    elif table.shuffle_reason == "new-cards":
        term = terms.cutter_new_cards
    elif table.shuffle_reason == "cutting-card-first" or where == e.AS_FIRST_CARD:
        term = terms.cutter_first_card
    elif where > 0:
        term = terms.cutter_on_box
    elif where == 0:
        term = terms.cutter_on_dealer
    elif table.shuffle_reason == "start":
        term = terms.cutter_new_game
    else:
        term = terms.cutter_first_card
    if not order:
        return "", term.clauses
    return CUTTERS[term.value](table, order), term.clauses


def _of_that_box(table: Table, order: list[str]) -> str:
    if table.cutting_player in order:
        return table.cutting_player
    here = [name for name in order if place_of(table, name) == table.cut_from]
    return here[0] if here else order[-1]


def _at_an_end(end: int) -> Callable[[Table, list[str]], str]:
    """Of those who stand somewhere the first from the dealer's left, or the last."""
    return lambda table, order: ([name for name in order if place_of(table, name)] or order)[end]


CUTTERS: Mapping[str, Callable[[Table, list[str]], str]] = meaning(
    "shuffle.cutter_new_game shuffle.cutter_on_box shuffle.cutter_on_dealer shuffle.cutter_first_card "
    "shuffle.cutter_new_cards",
    {
        "that-box": _of_that_box,
        "first-to-table": lambda table, order: next(name for name, each in table.players.items() if each.present),
        "farthest-left": _at_an_end(0),
        "farthest-right": _at_an_end(-1),
    },
)
"""Who of those at the table is offered the cut first."""


def offer_cut(run: Run) -> None:
    """Offer the stack to the right player; where all have declined, to the house."""
    table = run.table
    terms = table.rulebook.shuffle
    first, clauses = cutter(table)
    if not first:
        house = HOUSE_CUTTER[terms.cut_refused_by_all.value]
        run.emit(e.CutOffered(terms.cut_refused_by_all.clauses, house))
        return
    order = players_in_order(table)
    start = order.index(first)
    for name in (*order[start:], *order[:start]):
        if name not in table.cut_declined:
            run.emit(e.CutOffered(clauses if name == first else terms.cut_refused.clauses, name))
            return
    house = HOUSE_CUTTER[terms.cut_refused_by_all.value]
    run.emit(e.CutOffered(terms.cut_refused_by_all.clauses, house))


def refuse_not_offered(table: Table, player: str) -> Refusal | None:
    terms = table.rulebook.shuffle
    if table.preparation != "cut":
        if table.house.source == DEVICE:
            return no(table, terms.device_cut.clauses, "cards from a shuffling device are not cut.")
        return no(table, both(terms.cutter_new_game, terms.cut_depth_decks), "the cards are not offered to be cut now.")
    if player != table.cut_offered:
        first, clauses = cutter(table)
        if table.cut_offered in ("supervisor", "dealer") and not table.cut_declined and player == first:
            return None  # nobody was there when the cards were shuffled; now somebody is
        if table.cut_declined or player in ("supervisor", "dealer"):
            clauses = both(terms.cut_refused, terms.cut_refused_by_all) + clauses
        return no(table, clauses, f"the cards are offered to {table.cut_offered}.")
    return None


def stack_size(table: Table) -> int | None:
    """How many cards the stack has; None where an arranged stack of discards does not say."""
    if not table.arranged:
        return len(table.stack)
    if table.shuffle_reason == "malfunction":
        return cards_inside(table)
    return None if table.shuffle_reason == "insufficient" else len(full_stack(table))


def cards_inside(table: Table) -> int:
    """How many cards the source still holds: all but those on the table, in the rack and set aside."""
    if not table.arranged:
        return len(table.stack) - table.position
    outside = len(table.rack) + len(table.dealer_cards) + len(table.error_cards) + len(table.misdealt)
    outside += sum(len(hand.cards) for box in table.boxes.values() for hand in box.hands)
    return len(full_stack(table)) - outside


def deck_size(table: Table) -> int:
    return 4 * len(table.rulebook.cards.ranks.value)


def refuse_cut(table: Table, act: a.Cut) -> Refusal | None:
    refused = refuse_not_offered(table, act.player)
    if refused:
        return refused
    term = table.rulebook.shuffle.cut_depth_decks
    size = stack_size(table)
    if size is None:
        return None
    depth = min(term.value * deck_size(table), size // 2)
    if type(act.depth) is not int or not depth <= act.depth <= size - depth:
        return no(table, term.clauses, f"cut between {depth} and {size - depth} cards from the front.")
    return None


@carries_out(a.Cut, refuse_cut)
def cut(run: Run, act: a.Cut) -> None:
    run.emit(e.CardsCut(both(run.table.rulebook.shuffle.cut_depth_decks), act.player, act.depth))


def refuse_decline_cut(table: Table, act: a.DeclineCut) -> Refusal | None:
    refused = refuse_not_offered(table, act.player)
    if refused:
        return refused
    if act.player in ("supervisor", "dealer"):
        clauses = table.rulebook.shuffle.cut_refused_by_all.clauses
        return no(table, clauses, "no player would cut, so the house does.")
    return None


@carries_out(a.DeclineCut, refuse_decline_cut)
def decline_cut(run: Run, act: a.DeclineCut) -> None:
    run.emit(e.CutDeclined(run.table.rulebook.shuffle.cut_refused.clauses, act.player))
    offer_cut(run)


TOLERANCE = meaning(
    "shuffle.cutting_card_tolerance_decks device.cutting_card_tolerance_decks",
    {"0": Fraction(0), "1/2": Fraction(1, 2)},
)
"""How far "approximately" reaches, in decks."""


def device_cutting_card(table: Table) -> Term[tuple[int, ...]] | None:
    """Where the cutting card goes after a device failed, if not within the usual limits.

    Where cards are dealt on to it unshuffled it is about that course alone (Canberra 2002 19.3): shuffled and cut, the
    cards are cut as always.
    """
    terms = table.rulebook.device
    if table.shuffle_reason != "malfunction" or DEALT_ON_TO_CUTTING_CARD[terms.finish.value]:
        return None
    return terms.cutting_card_decks if terms.cutting_card_decks.value else None


def cutting_card_range(table: Table) -> tuple[int, int] | None:
    """Between how many cards from the back the cutting card goes in; None where the stack's size is not known."""
    terms = table.rulebook.shuffle
    size = stack_size(table)
    if size is None:
        return None
    decks = device_cutting_card(table)
    if decks is not None:
        about = TOLERANCE[table.rulebook.device.cutting_card_tolerance_decks.value]
        least = int((decks.value[0] - about) * deck_size(table))
        return min(least, size), min(decks.value[-1] * deck_size(table), size)
    tolerance = TOLERANCE[terms.cutting_card_tolerance_decks.value]
    most = size // 2 + int(tolerance * deck_size(table))
    least = min(terms.cutting_card_decks_min.value * deck_size(table), most)
    return least, min(most, size)


def refuse_cutting_card(table: Table, act: a.PlaceCuttingCard) -> Refusal | None:
    terms = table.rulebook.shuffle
    clauses = both(terms.cutting_card_share_max, terms.cutting_card_decks_min, terms.cutting_card_tolerance_decks)
    decks = device_cutting_card(table)
    if decks is not None:
        clauses = decks.clauses
    if table.house.source == DEVICE:
        return no(table, both(terms.device_cut) + clauses, "a shuffling device needs no cutting card.")
    if table.preparation != "cutting-card":
        return no(table, clauses + cutter(table)[1], "the cutting card goes in after the cut.")
    limits = cutting_card_range(table)
    if limits is not None and (type(act.from_back) is not int or not limits[0] <= act.from_back <= limits[1]):
        return no(table, clauses, f"the cutting card goes in {limits[0]} to {limits[1]} cards from the back.")
    tolerance = int(TOLERANCE[terms.cutting_card_tolerance_decks.value] * deck_size(table))
    if limits is None and table.reshuffled // 2 + tolerance < act.from_back <= table.reshuffled:
        most = table.reshuffled // 2 + tolerance
        return no(table, clauses, f"the cutting card goes in at most {most} cards from the back of these discards.")
    return None


@carries_out(a.PlaceCuttingCard, refuse_cutting_card)
def place_cutting_card(run: Run, act: a.PlaceCuttingCard) -> None:
    table = run.table
    terms = table.rulebook.shuffle
    size = stack_size(table)
    if size is None:
        size = table.reshuffled if act.from_back <= table.reshuffled else act.from_back - 1
    after = size - act.from_back
    clauses = both(terms.cutting_card_share_max, terms.cutting_card_decks_min)
    decks = device_cutting_card(table)
    if decks is not None:
        clauses = decks.clauses
    run.emit(e.CuttingCardPlaced(clauses, act.from_back, after))


# --- new cards and ordered shuffles ----------------------------------------------------------------------------------


def refuse_between_rounds(table: Table, clauses: tuple[str, ...]) -> Refusal | None:
    if table.phase != "wagers":
        return no(table, clauses, "that is done after the round.")
    return None


def refuse_replace(table: Table, act: a.ReplaceCards) -> Refusal | None:
    cards = table.rulebook.cards
    term = cards.new_cards_device if table.house.source == DEVICE else cards.new_cards_shoe
    refused = refuse_role(table, act.by, cards.new_cards_by, "have the cards replaced")
    refused = refused or refuse_between_rounds(table, term.clauses)
    if refused:
        return refused
    if REPLACED_AFTER_CUTTING_CARD[term.value] and not (
        table.preparation == "shuffle" and table.shuffle_reason in ("cutting-card", "start")
    ):
        text = "cards from a shoe are replaced after the round in which the cutting card came, before the shuffle."
        return no(table, term.clauses, text)
    return None


@carries_out(a.ReplaceCards, refuse_replace)
def replace_cards(run: Run, act: a.ReplaceCards) -> None:
    cards = run.table.rulebook.cards
    term = cards.new_cards_device if run.table.house.source == DEVICE else cards.new_cards_shoe
    run.emit(e.CardsReplaced(both(term, cards.new_cards_by), by=act.by, reason=act.reason))
    run.emit(e.ShuffleDue(both(term, cards.new_cards_by), "new-cards"))


def renew_after_failure(run: Run) -> bool:
    """The cards of a failed device go, after the round or once their shoe is played out; False where they stay."""
    table = run.table
    term = table.rulebook.device.after
    played_out = NEW_CARDS_AFTER_SHOE[term.value] and table.cutting_shown != NOT_SHOWN
    if not NEW_CARDS_AFTER_ROUND[term.value] and not played_out:
        return False
    run.emit(e.CardsReplaced(term.clauses))
    run.emit(e.ShuffleDue(term.clauses, "new-cards"))
    return True


def refuse_order_shuffle(table: Table, act: a.OrderShuffle) -> Refusal | None:
    term = table.rulebook.shuffle.ordered_by
    refused = refuse_role(table, act.by, term, "order a shuffle")
    if refused:
        return refused
    if table.preparation != "ready" or table.shuffle_ordered:
        return no(table, term.clauses, "the cards are to be shuffled anyway.")
    if not act.reason.strip():
        return no(table, term.clauses, "say why the shuffle is ordered.")
    return None


@carries_out(a.OrderShuffle, refuse_order_shuffle)
def order_shuffle(run: Run, act: a.OrderShuffle) -> None:
    terms = run.table.rulebook.shuffle
    run.emit(e.ShuffleOrdered(terms.ordered_by.clauses, act.by, act.reason))
    if run.table.phase == "wagers":
        run.emit(e.ShuffleDue(terms.ordered_by.clauses, "ordered"))
    if terms.ordered_notice.value != "nobody":
        notice = e.NoticeGiven(
            terms.ordered_notice.clauses, terms.ordered_notice.value, f"shuffle ordered: {act.reason}"
        )
        run.emit(notice)


def refuse_final_rounds(table: Table, act: a.AnnounceFinalRounds) -> Refusal | None:
    term = table.rulebook.shuffle.final_rounds
    if not term.value:
        return no(
            table, both(term, table.rulebook.shuffle.cutting_card_mid_round), "this game announces no last rounds."
        )
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor announces the last rounds.")
    return refuse_between_rounds(table, term.clauses)


@carries_out(a.AnnounceFinalRounds, refuse_final_rounds)
def announce_final_rounds(run: Run, act: a.AnnounceFinalRounds) -> None:
    term = run.table.rulebook.shuffle.final_rounds
    run.emit(e.FinalRoundsAnnounced(term.clauses, act.by, term.value))
