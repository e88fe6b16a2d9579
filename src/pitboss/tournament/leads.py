"""Whether it is known who goes on before the last round: a lead that nothing which may still happen can take away."""

from __future__ import annotations

from fractions import Fraction

from pitboss.rulebooks.terms import Rulebook
from pitboss.tournament.allowed import rulebook_for
from pitboss.tournament.conditions import Conditions, Stage
from pitboss.tournament.state import InPlay


def sure_of_the_next(rulebook: Rulebook, conditions: Conditions, stage: Stage, session: InPlay) -> tuple[str, ...]:
    """Who goes on whatever is wagered and dealt in the rounds to come; nobody where that is not sure of them all.

    Where a session ends by the clock or by shoes, and where optional wagers are offered, nothing is sure.
    """
    left, places = stage.rounds - session.number, stage.advance or 0
    playing = sorted(session.playing, key=lambda name: -session.chips.get(name, 0))
    wagers = conditions.wagers
    if left < 1 or not 0 < places < len(playing) or stage.kind == "final":
        return ()
    if wagers.side_bets:
        return ()
    first, others = playing[:places], playing[places:]
    rules = rulebook_for(rulebook, conditions)
    most = [conditions.limits(stage, session.number + number)[1] for number in range(1, left + 1)]
    staked = sum(int(Fraction(wagers_a_box(rules)) * each) for each in most)
    worst = min(session.chips[name] for name in first) - staked
    best = max(highest(rules, conditions, session.chips[name], most) for name in others)
    return tuple(first) if worst > best else ()


def wagers_a_box(rulebook: Rulebook) -> Fraction:
    """How many times the wager may be lost in one round: each hand of a split, doubled, and insurance."""
    hands = max(rulebook.splitting.hands_max.value, rulebook.splitting.resplit_hands_max.value)
    return Fraction(2 * hands) + (Fraction(1, 2) if rulebook.insurance.offered.value else 0)


def highest(rulebook: Rulebook, conditions: Conditions, chips: int, most: list[int]) -> int:
    """More than so many chips nobody can have after rounds with these maxima: all of them staked and paid at the best
    odds, each payment rounded up to a chip, and the Super Bonus in every round."""
    odds = best_odds(rulebook)
    bonus, hands = rulebook.super_bonus, wagers_a_box(rulebook)
    each_round = 0
    if bonus.offered.value:
        each_round = max(bonus.small_cents.value, bonus.large_cents.value) + 7 * bonus.others_cents.value
    worths = conditions.chips.denominations_cents
    even = all(worth % min(worths) == 0 for worth in worths)
    rounding = int(hands + 1) * (min(worths) if even else max(worths))
    for maximum in most:
        staked = min(Fraction(chips), hands * maximum)
        chips += int(staked * odds) + rounding + each_round
    return chips


def best_odds(rulebook: Rulebook) -> Fraction:
    """The best that any wager of the game itself is paid."""
    interim, settlement = rulebook.interim, rulebook.settlement
    found = [interim.natural_odds.value, interim.doubled_odds.value, settlement.even_money.value]
    found += [settlement.natural_against_other.value]
    found += [row.odds for row in (*interim.pay_table.value, *settlement.natural_against_natural.value)]
    if rulebook.insurance.offered.value:
        found.append(rulebook.insurance.odds.value)
    return max(Fraction(each.wins, each.on) for each in found)
