"""A rulebook compiled for the engine: the terms that every round asks for, as plain attributes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from pitboss.basics.money import Odds
from pitboss.rulebooks.meanings import (
    ACES_COUNT_AS_USUAL,
    ALWAYS_IN_MULTIPLES,
    NATURAL_TAKES_DOUBLED,
    NATURAL_TAKES_SPLIT,
    NATURAL_WAITS,
    RETURNED_AFTER_INITIAL_DEAL,
    TIES_LOSE,
    handles,
)
from pitboss.rulebooks.terms import PayRow, Rulebook, SameRulebook, Term

T = TypeVar("T")


def narrowed(term: Term[T], cases: Term[dict[str, str]], case: str) -> Term[T]:
    """The term by the clause that speaks of this case, where the document has one; else as it is."""
    clause = cases.value.get(case)
    return term if clause is None else Term(term.value, (clause,))


def heads(*terms: Term[Any]) -> tuple[str, ...]:
    """The first and most telling clause of each term, each once."""
    return _merged(*[term.clauses[:1] for term in terms])


def both(*terms: Term[Any]) -> tuple[str, ...]:
    """The clauses of several terms, each once."""
    return _merged(*[term.clauses for term in terms])


@lru_cache(maxsize=4096)
def _merged(*citations: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause for clauses in citations for clause in clauses))


handles("super_bonus.not_on", "split doubled")
handles("deal.steps", "first dealer second")
handles("drawing.choice_clauses", "stand hit")
handles("interim.natural_clauses", "paid held final")
handles("doubling.hand_clauses", "two split more")  # `why_doubled` in doubling.py
handles("irregularities.misdeal_clauses", "initial rebuilt")
handles("irregularities.short_hand_clauses", "in-turn passed")
handles("irregularities.dealer_short_clauses", "noticed told offered finished")


class CompiledRulebook:
    """Values and citations that are needed many times a round."""

    def __init__(self, rulebook: Rulebook) -> None:
        r = rulebook
        self.name = r.name
        self.soft_stand = r.dealer.soft_stand.value
        self.hard_stand = r.dealer.hard_stand.value
        self.must_draw_below = r.drawing.must_draw_below.value
        self.forfeit = r.doubling.forfeit.value
        self.double_hands = r.doubling.hands.value
        self.double_after_split = r.doubling.after_split.value
        self.double_aces = r.doubling.aces.value
        self.five_card_trick = r.interim.five_card_trick.value
        self.split_natural = r.splitting.natural.value and r.interim.natural_after_split.value
        self.natural_waits = NATURAL_WAITS[r.interim.natural_when.value]
        self.natural_odds: Odds = r.interim.natural_odds.value
        self.doubled_odds: Odds = r.interim.doubled_odds.value
        self.even_money: Odds = r.settlement.even_money.value
        self.rows: dict[str, PayRow] = {row.name: row for row in r.interim.pay_table.value}
        self.natural_rows: dict[str, PayRow] = {row.name: row for row in r.settlement.natural_against_natural.value}
        trick = self.rows.get("five-card-trick")
        self.trick_odds: Odds = trick.odds if trick else self.even_money
        self.insurance = r.insurance.offered.value
        self.insurance_ranks = r.insurance.dealer_ranks.value if self.insurance else ""
        self.surrender = r.surrender.offered.value
        self.surrender_ranks = r.surrender.dealer_ranks.value if self.surrender else ""
        self.device_returns_early = RETURNED_AFTER_INITIAL_DEAL[r.shuffle.device_return.value]
        self.ace_cards = r.splitting.aces_cards.value
        self.ends_splitting = r.splitting.declined_ends.value
        self.ties_lose = TIES_LOSE[r.settlement.ties.value]
        self.natural_takes_doubled = NATURAL_TAKES_DOUBLED[r.settlement.dealer_natural_doubled.value]
        self.natural_takes_split = NATURAL_TAKES_SPLIT[r.settlement.dealer_natural_split.value]
        self.in_multiples = ALWAYS_IN_MULTIPLES[r.limits.multiples.value]
        self.control_declinable = r.boxes.control_declinable.value
        terms = r.doubling
        counts = () if ACES_COUNT_AS_USUAL[terms.aces.value] else heads(terms.aces)
        self.why_doubled: dict[tuple[str, bool], tuple[str, ...]] = {
            (kind, aces): tuple(dict.fromkeys((clause, *terms.amount.clauses, *(counts if aces else ()))))
            for kind, clause in terms.hand_clauses.value.items()
            for aces in (False, True)
        }
        self.burns = bool(r.shuffle.burn_shoe.value or r.shuffle.burn_device.value)
        self.super_bonus = r.super_bonus.offered.value
        self.no_bonus_split = "split" in r.super_bonus.not_on.value
        self.no_bonus_doubled = "doubled" in r.super_bonus.not_on.value
        # citations
        self.deal = r.deal.order.clauses
        steps = r.deal.steps.value
        self.first_card, self.dealer_first = (steps["first"],), (steps["dealer"],)
        self.second_card = (steps["second"],)
        self.closed = r.deal.call.clauses
        self.placed = r.wagers.before_first_card.clauses
        self.turn = r.drawing.order.clauses
        self.stand = (r.drawing.choice_clauses.value["stand"],)
        self.hits = (r.drawing.choice_clauses.value["hit"],)
        self.hit = r.drawing.may_draw_below.clauses
        self.bust = r.drawing.bust.clauses
        self.double_card = r.doubling.cards.clauses
        self.split_card = r.splitting.order.clauses
        naturals = r.interim.natural_clauses.value
        self.natural = (naturals["paid"],)
        self.natural_held = (naturals["held"],) if "held" in naturals else r.interim.natural_when.clauses
        self.natural_final = (naturals["final"],) if "final" in naturals else ()
        self.twenty_one = r.interim.twenty_one.clauses
        self.trick = r.interim.five_card_trick.clauses
        self.dealer_card = r.dealer.after_players.clauses
        self.dealer_draws = r.dealer.soft_stand.clauses
        self.no_card = r.dealer.no_needless_card.clauses
        self.wins = r.settlement.wins_higher.clauses
        self.dealer_bust = r.settlement.wins_dealer_bust.clauses
        self.loses = r.settlement.loses_lower.clauses
        self.tie = r.settlement.ties.clauses
        self.cards = r.settlement.cards.clauses
        self.control = r.boxes.control.clauses
        self.forfeits = both(r.doubling.forfeit, r.doubling.forfeit_each)
        self.forfeited = both(r.doubling.forfeit, r.doubling.forfeit_clears)
        self.surrendered = r.surrender.dealer_ranks.clauses
        self.surrender_settled = both(r.surrender.settled, r.surrender.remainder)


@lru_cache(maxsize=64)
def _compiled(same: SameRulebook) -> CompiledRulebook:
    return CompiledRulebook(same.rulebook)


def compiled_for(rulebook: Rulebook) -> CompiledRulebook:
    return _compiled(SameRulebook(rulebook))
