"""Rounds without a result: declared void, found faulty afterwards, or invalidated for a disturbance or for fraud."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pitboss.rulebooks.meanings import (
    EARLIER_ROUND_STANDS,
    INTERIM_GOES_BACK,
    PAID_GOES_BACK,
    REFUND_IS_DECIDED,
    UNDECIDED,
    handles,
)
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.chapters import carries_out
from pitboss.table.final_settlement import end_round
from pitboss.table.interim_settlement import pay_consolation
from pitboss.table.irregularities.money import interim_clauses, open_players, return_wagers
from pitboss.table.irregularities.reports import refuse_undecided, report
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, no, refuse_role
from pitboss.table.state import Opened, Table

# --- the round that is being played ----------------------------------------------------------------------------------


def refuse_void(table: Table, act: a.VoidRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.void_by, "declare a round void")
    if refused:
        return refused
    if table.phase == "wagers":
        over = ": the one that is over is voided as an earlier round" * bool(table.rounds_before())
        return no(table, terms.void_by.clauses, f"no round is being played{over}.")
    if not act.reason.strip():
        return no(table, terms.void_by.clauses, "say why the round is void.")
    return refuse_grounds(table, act)


GROUNDS = ("misdeal", "impractical", "fraud", "disturbance")
handles("irregularities.void_for", GROUNDS)
_NAMES: Mapping[str, re.Pattern[str]] = {
    "fraud": re.compile(r"fraud|cheat|collu|marked card", re.I),
    "disturbance": re.compile(
        r"\b(fire|riot|brawl|fight|robb|commotion|uproar|disturb|flood|storm|earthquake|bomb)", re.I
    ),
    "misdeal": re.compile(
        r"card|deal(?!ers?\b)|dealers?'?s? (error|mistake|slip)|dealt|shoe|order|sequence|hand|shuffl|burn|rebuil"
        r"|reconstruct|\b(dr[ae]wn?|laid|lay|box|a ten)\b",
        re.I,
    ),
}
"""How a reason in somebody's own words names what made the round void, the most telling first."""


def grounds_of(table: Table, act: a.VoidRound) -> str:
    """What makes the round void: as was said, or as the reason names it where the document knows that."""
    if act.grounds:
        return act.grounds
    known = table.rulebook.irregularities.void_for.value
    named = [grounds for grounds, words in _NAMES.items() if words.search(act.reason)]
    return next((grounds for grounds in (*named, "impractical") if grounds in known), (*named, "impractical")[0])


def refuse_grounds(table: Table, act: a.VoidRound) -> Refusal | None:
    """Whether the document lets a round be declared void for that; one without such a list lets it for anything."""
    terms = table.rulebook.irregularities
    known = terms.void_for.value
    if act.grounds and act.grounds not in GROUNDS:
        return no(table, terms.void_by.clauses, f"say what makes it void: one of {', '.join(GROUNDS)}.")
    grounds = grounds_of(table, act)
    if not known or grounds in known:
        return None
    elsewhere = terms.invalidated_clauses.value
    if grounds in elsewhere:
        text = f"a {grounds} lets the outcome be invalidated: it is no reason to declare the round void."
        return no(table, (elsewhere[grounds], *terms.void_for.clauses), text)
    reasons = " or ".join(a.VOIDS[each] for each in known)
    return no(table, terms.void_for.clauses, f"a round is declared void for this alone: {reasons}.")


@carries_out(a.VoidRound, refuse_void)
def void(run: Run, act: a.VoidRound) -> None:
    terms = run.table.rulebook.irregularities
    said = terms.void_for.value.get(grounds_of(run.table, act))
    clauses = both(terms.misdeal_impossible, terms.void_by) if said is None else (said,)
    report(run, "round-void", listed=False, by=act.by, reason=act.reason, clauses=clauses)
    void_round(
        run, act.reason, tuple(dict.fromkeys(clauses + both(terms.misdeal_impossible, terms.void_by))), by=act.by
    )


def void_round(run: Run, reason: str, clauses: tuple[str, ...], *, by: str = "") -> None:
    """All open wagers go back; interim payments stand or go back, as the rulebook says; the cards are gathered."""
    table = run.table
    terms = table.rulebook.irregularities
    run.emit(e.RoundVoided(clauses, reason, by))
    pay_who_waits(run)
    return_wagers(run, "void", clauses)
    if INTERIM_GOES_BACK[terms.void_interim.value]:
        for player, start in table.round_start.items():
            if table.net[player] != start:
                run.emit(e.PaymentReversed(interim_clauses(table, clauses), player, table.net[player] - start))
    end_round(run, clauses)
    take_away(run)


def take_away(run: Run) -> None:
    """A card that does not belong to the decks and was about to be dealt goes with the round."""
    table = run.table
    if table.wrong_card:
        first = table.error_cards[0][0] if table.error_cards else ""
        clauses = table.rulebook.irregularities.wrong_cards.clauses
        run.emit(e.WrongCardRemoved(clauses, table.wrong_card, first == table.wrong_card))


def pay_who_waits(run: Run) -> None:
    """Whoever might have won a Super Bonus cannot any more: beside one that stands they are another player."""
    table = run.table
    if table.bonus_given and not INTERIM_GOES_BACK[table.rulebook.irregularities.void_interim.value]:
        pay_consolation(run, (), over=True)


# --- an earlier round ------------------------------------------------------------------------------------------------

AFTER_ROUND = "an error is told after the round and before the next one begins"
"""A case that a document may leave undecided; elsewhere the round is laid again, or void."""


def refuse_void_earlier(table: Table, act: a.VoidEarlierRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    past = table.rounds_before()
    if not past:
        return no(table, terms.misdeal_later.clauses, "there is no earlier round that is not void already.")
    if not 1 <= act.rounds_ago <= len(past) or not past[-act.rounds_ago]:
        known = f"{len(past)} earlier round{'s' * (len(past) > 1)}"
        return no(table, terms.misdeal_later.clauses, f"say which of {known} was in error, and is not void already.")
    if table.phase == "wagers" and act.rounds_ago == 1:
        refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND)
        return refused or refuse_role(table, act.by, terms.void_by, "declare a round void")
    if EARLIER_ROUND_STANDS[terms.misdeal_later.value]:
        return no(table, terms.misdeal_later.clauses, "the next round has begun: the result of the earlier one stands.")
    refused = refuse_undecided(table, terms.misdeal_later, "an error is noticed after the next round began")
    return refused or refuse_role(table, act.by, terms.void_by, "declare a round void")


@carries_out(a.VoidEarlierRound, refuse_void_earlier)
def void_earlier(run: Run, act: a.VoidEarlierRound) -> None:
    """The faulty round alone is void: what it paid goes back, what it took is returned; later rounds stand.

    Before the next round begins it is the round that cannot be rebuilt: interim settlements stand or go back as in any
    void round.
    """
    table = run.table
    terms = table.rulebook.irregularities
    before_next = table.phase == "wagers" and act.rounds_ago == 1
    term = terms.misdeal_after_round if before_next else terms.misdeal_later
    report(run, "earlier-round-void", term, by=act.by, reason=act.reason)
    stands = before_next and not INTERIM_GOES_BACK[terms.void_interim.value]
    results = sorted((table.last_final if stands else table.rounds_before()[-act.rounds_ago]).items())
    clauses = tuple(dict.fromkeys(term.clauses + interim_clauses(table, term.clauses)))
    run.emit(e.EarlierRoundVoided(clauses, act.by, act.reason, act.rounds_ago))
    for player, cents in results:
        if cents:
            run.emit(e.PaymentReversed(clauses, player, cents))


# --- disturbance and fraud -------------------------------------------------------------------------------------------


def refuse_invalidate(table: Table, act: a.InvalidateRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.invalidated_by, "invalidate the outcome of a round")
    if refused:
        return refused
    if act.cause not in ("disturbance", "fraud"):
        return no(table, terms.invalidated_by.clauses, "a round is invalidated for a disturbance or for fraud.")
    if table.phase == "wagers" and not (any(table.last_results.values()) or kept_afterwards(table, act)):
        brought = " and the last one brought nobody anything" * bool(table.last_results)
        return no(table, terms.invalidated_by.clauses, f"no round is being played{brought}.")
    if act.forfeit and (act.cause != "fraud" or not terms.fraud_forfeit.value):
        return no(table, terms.fraud_forfeit.clauses, "only the wagers of who committed fraud may be forfeited.")
    if not act.refund and not REFUND_IS_DECIDED[terms.invalidated_wagers.value]:
        return no(table, terms.invalidated_wagers.clauses, "the wagers of an invalidated round go back.")
    return None


handles("irregularities.invalidated_clauses", "disturbance fraud")


def kept_afterwards(table: Table, act: a.InvalidateRound) -> dict[str, int]:
    """What of the wagers of the round that is over does not go back: those that lay there until its settlement."""
    return {name: cents for name, cents in table.last_staked.items() if not act.refund or name in act.forfeit}


@carries_out(a.InvalidateRound, refuse_invalidate)
def invalidate(run: Run, act: a.InvalidateRound) -> None:
    """Wagers are refunded where whoever decides it does not keep them; who committed fraud may forfeit theirs.

    Until the next round begins it may be the one that is over: then what it brought is undone, and what of its wagers
    is kept is paid in once more.
    """
    table = run.table
    terms = table.rulebook.irregularities
    said = terms.invalidated_clauses.value
    cause = (said[act.cause],) if act.cause in said else terms.invalidated_by.clauses
    clauses = terms.invalidated_wagers.clauses
    report(run, f"invalidated-by-{act.cause}", listed=False, by=act.by, reason=act.reason, clauses=cause)
    interim_too = INTERIM_GOES_BACK[terms.void_interim.value]
    paid_too = interim_too if UNDECIDED[terms.invalidated_paid.value] else PAID_GOES_BACK[terms.invalidated_paid.value]
    cited = terms.void_interim if interim_too else terms.invalidated_paid
    memo = table.opened
    if table.phase == "wagers":
        results = table.last_results if paid_too else table.last_final
        kept_cents = kept_afterwards(table, act)
        said_openly = act.cause * (act.cause != "fraud")  # whose it was is the house's affair
        run.emit(e.EarlierRoundVoided(cause, act.by, said_openly, paid="returned" if paid_too else "stands"))
        for player in sorted({*results, *kept_cents}):
            cents = results.get(player, 0) + kept_cents.get(player, 0)
            if cents:
                why = why_kept(table, act, player)[0] if player in kept_cents else clauses
                run.emit(e.PaymentReversed(why, player, cents))
        if paid_too:
            restore_jackpot(run, memo, cited.clauses)
        return
    kept = act.forfeit if act.refund else tuple(dict.fromkeys((*open_players(table), *table.round_start)))
    forfeited = {player: lost for player in kept if (lost := lost_already(table, player))}
    for number, box in table.boxes.items():
        for index, hand in enumerate(box.hands):
            for wager in list(hand.wagers.values()):
                if wager.player in kept and not wager.settled:
                    cents = wager.cents + wager.doubled_cents
                    forfeited[wager.player] = forfeited.get(wager.player, 0) + cents
                    why, result = why_kept(table, act, wager.player)
                    if wager.player in hand.matching:  # put down for a split that was not made
                        added, unmade = hand.matching[wager.player].cents, e.OF_ANSWERED_SPLIT
                        run.emit(e.WagerReturned(clauses, wager.player, number, added, ORIGINAL, "void", unmade))
                    run.emit(e.WagerCollected(why, number, index, wager.player, cents, result))
        for player in kept:
            why = why_kept(table, act, player)[0]
            if player in box.insurance:
                cents = box.insurance[player]
                forfeited[player] = forfeited.get(player, 0) + cents
                run.emit(e.InsuranceCollected(why, number, player, cents))
            for kind in [kind for kind, placed in box.side.items() if player in placed and player not in act.forfeit]:
                cents = box.side[kind][player]
                forfeited[player] = forfeited.get(player, 0) + cents
                run.emit(e.SideBetCollected(why, number, player, kind, cents))
    run.emit(e.RoundVoided(cause, act.cause, act.by))
    pay_who_waits(run)
    return_wagers(run, "void", clauses)
    if paid_too:
        for player, start in table.round_start.items():
            due = table.net[player] - start + forfeited.get(player, 0)
            if due:
                run.emit(e.PaymentReversed(cited.clauses, player, due))
        restore_jackpot(run, memo, cited.clauses)
    end_round(run, cause)
    take_away(run)


def lost_already(table: Table, player: str) -> int:
    """What a player has lost in this round so far: wagers that are not refunded do not come back either."""
    boxes = table.boxes.values()
    results = [hand.wagers[player].result for box in boxes for hand in box.hands if player in hand.wagers]
    results += [cents for box in boxes for _, name, cents in box.settled if name == player]
    return -sum(cents for cents in results if cents < 0)


def restore_jackpot(run: Run, memo: Opened | None, clauses: tuple[str, ...]) -> None:
    """What prizes took out of the jackpot, and wagers added, is undone with them; one on a link is the link's."""
    table = run.table
    if memo is not None and table.jackpot_cents != memo.jackpot_cents and not table.house.jackpot_linked:
        back = memo.jackpot_cents - table.jackpot_cents
        run.emit(e.JackpotSet(clauses, memo.jackpot_cents, back, "reopened"))


def why_kept(table: Table, act: a.InvalidateRound, player: str) -> tuple[tuple[str, ...], str]:
    """By which clauses the wagers of a player in an invalidated round do not go back, and what that is called."""
    terms = table.rulebook.irregularities
    if player in act.forfeit:
        return terms.fraud_forfeit.clauses, "fraud"
    return terms.invalidated_wagers.clauses, "not-refunded"
