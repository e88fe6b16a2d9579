"""Entries, and the draw: laid down before entries close, revealed, and drawn again by whoever wants to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from pitboss.basics.money import dollars
from pitboss.promotions import acts as pa
from pitboss.promotions import events as pe
from pitboss.promotions.clocks import days_later
from pitboss.promotions.conditions import Prize
from pitboss.promotions.deciding import Case, Decided, Events
from pitboss.promotions.state import AWARDED, Drawing, Promotion
from pitboss.table.refusals import Refusal

ENTRIES_MAX = 100_000
"""How many entries a promotion has at most."""
DIGEST = re.compile(r"[0-9a-f]{64}")


# --- entries ---------------------------------------------------------------------------------------------------------


def enter(case: Case, act: pa.Enter) -> Decided:
    state, entry = case.state, case.conditions.entry
    eligible = case.item("eligibility")
    refused = case.refuse_stranger(act.by) or case.refuse_not_running() or case.refuse_name(act.name)
    if refused is not None:
        return refused
    if not any(case.at <= each.closes and each.status in ("waiting", "postponed") for each in state.draws.values()):
        return case.no(case.item("closing"), "entries are closed: no draw is left that they could be in.")
    if act.name in state.struck:
        return case.no(eligible, f"{act.name} is not eligible: their entries were struck out.")
    if not act.eligible:
        return case.no(eligible, f"{act.name} is not eligible: {entry.eligibility}")
    if act.entries < 1:
        return case.no(eligible, "somebody enters at least once.")
    total = state.entries_of(act.name) + act.entries
    if entry.each and total > entry.each:
        return case.no(eligible, f"one person has at most {entry.each} entries, and {act.name} would have {total}.")
    if state.entries + act.entries > ENTRIES_MAX:
        return case.no(eligible, f"there are at most {ENTRIES_MAX} entries.")
    least = (entry.minimum_wager_cents or 0) * act.entries
    if act.wagered_cents < least:
        text = f"{act.entries} entr{'y wants' if act.entries == 1 else 'ies want'} wagers of {dollars(least)}"
        return case.no(case.item("wager"), f"{text}, not {dollars(act.wagered_cents)}.")
    cited = (*eligible, *(case.item("wager") if least else ()), *case.item("closing"))
    return (pe.Entered(cited, case.at, act.name, act.entries, total, act.wagered_cents),)


def strike(case: Case, act: pa.StrikeEntry) -> Decided:
    eligible = case.item("eligibility")
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(eligible, "why they were not eligible", act.why)
    if refused is None and not case.state.entries_of(act.name):
        refused = case.no(eligible, f"{act.name} has no entries.")
    return refused or (pe.EntryStruck(eligible, case.at, act.name, act.why),)


def nominate(case: Case, act: pa.NominateScrutineer) -> Decided:
    term = case.terms.scrutineer_above_cents
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(term, "who oversees the draw", act.name)
    return refused or (pe.ScrutineerNominated(term.clauses, case.at, act.name.strip()), *case.met("scrutineer"))


# --- the draw --------------------------------------------------------------------------------------------------------


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def seed_of(secret: str, word: str, draw: str, entries: Sequence[str]) -> str:
    """What a draw is made from: the secret, what somebody else said, and every entry in the order in which they came.

    Nobody can choose the one knowing the others: the digest of the secret was laid down before entries closed; where
    they could be known then, or were changed after that, somebody else has said a word at the draw.
    """
    return f"{secret}/{word}/{draw}/{digest_of(','.join(entries))}"


def commit(case: Case, act: pa.CommitDraw) -> Decided:
    manner = case.item("manner")
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    if refused is not None:
        return refused
    drawing = case.drawing(act.draw)
    if isinstance(drawing, Refusal):
        return drawing
    if drawing.status != "waiting":
        return case.no(manner, f"draw {act.draw} is {drawing.status}.")
    if drawing.digest:
        return case.no(manner, f"a digest was laid down for draw {act.draw} already, and stays.")
    if not DIGEST.fullmatch(act.digest):
        return case.no(manner, "a digest is the SHA-256 of the secret: 64 digits from 0 to f.")
    committed = pe.DrawCommitted(manner, case.at, act.draw, act.digest, needs_word=case.at > drawing.closes)
    return (committed, *case.met(f"commit/{act.draw}"))


def draw(case: Case, act: pa.DrawWinners) -> Decided:
    refused = case.refuse_operator(act.by) or case.refuse_not_running()
    if refused is not None:
        return refused
    drawing = case.drawing(act.draw)
    if isinstance(drawing, Refusal):
        return drawing
    refused = _refuse_draw(case, act, drawing)
    if refused is not None:
        return refused
    if sorted(act.order) != sorted(case.state.entries_in(act.draw)):
        return case.no(case.item("manner"), "every entry that was received in time is drawn from, once.")
    looked, won = _winners(case, act)
    overseen = case.terms.scrutineer_above_cents.clauses if act.scrutineer else ()
    cited = (*case.item("manner"), *case.item("award"), *overseen)
    drawn = tuple(event.name for event in looked if isinstance(event, pe.EntryPassedOver | pe.PrizeWon))
    made = pe.DrawMade(cited, case.at, act.draw, len(act.order), act.secret, drawn, act.word, act.scrutineer)
    results = case.arises(
        f"results/{act.draw}", case.item("results"), f"publish the results of draw {act.draw}", to="patrons"
    )
    return (made, *case.met(f"draw/{act.draw}"), *looked, results, *_to_do(case, won))


def _refuse_draw(case: Case, act: pa.DrawWinners, drawing: Drawing) -> Refusal | None:
    term, manner = case.terms.scrutineer_above_cents, case.item("manner")
    if drawing.status == "postponed":
        return case.no(case.terms.compromised, f"draw {act.draw} is postponed until its integrity is validated.")
    if drawing.status != "waiting":
        return case.no(case.item("award"), f"draw {act.draw} is {drawing.status}.")
    if case.at < drawing.due:
        return case.no(case.item("award"), f"draw {act.draw} is held on {case.shown(drawing.due)}.")
    largest = case.conditions.largest(act.draw)
    if largest > term.value:
        if not case.state.scrutineer:
            text = f"a prize is worth {dollars(largest)}: nominate a scrutineer, who oversees the draw."
            return case.no(term, text)
        if act.scrutineer != case.state.scrutineer:
            return case.no(term, f"the scrutineer {case.state.scrutineer} oversees the draw.")
    if not drawing.digest:
        return case.no(manner, f"no digest was laid down for draw {act.draw}.")
    if digest_of(act.secret) != drawing.digest:
        return case.no(manner, "the secret is not the one whose digest was laid down for this draw.")
    if drawing.needs_word and not act.word.strip():
        text = "the entries could be known when the digest was: somebody else says a word, which is drawn with (word)."
        return case.no(manner, text)
    return None


def _winners(case: Case, act: pa.DrawWinners) -> tuple[list[pe.PromotionEvent], list[pe.PrizeWon]]:
    """The prizes in the order of the terms, each to the next drawn entry; nobody wins twice in one draw.

    A prize that was awarded before a draw was set aside stays awarded, and is not drawn again.
    """
    must_be_there = case.conditions.claim.present is True
    looked: list[pe.PromotionEvent] = []
    won: list[pe.PrizeWon] = []
    order = iter(act.order)
    awarded = {key: win.name for key, win in case.state.wins.items() if (win.draw, win.status) == (act.draw, AWARDED)}
    seen = set(awarded.values())
    for prize, key in _single(case.conditions.prizes_of(act.draw)):
        if key in awarded:
            continue
        clauses = (*case.item("award"), *case.item("details"))
        for entry in order:
            name = entry.rpartition("#")[0]
            if name in seen:
                continue
            seen.add(name)
            if must_be_there and name not in act.present:
                looked.append(pe.EntryPassedOver(case.item("claim"), case.at, act.draw, name))
                continue
            win = pe.PrizeWon(clauses, case.at, act.draw, key, name, prize.value_cents or 0, name in act.present)
            looked.append(win)
            won.append(win)
            break
        else:
            looked.append(pe.PrizeNotWon(clauses, case.at, act.draw, key))
    return looked, won


def _single(prizes: tuple[Prize, ...]) -> Iterator[tuple[Prize, str]]:
    return ((prize, key) for prize in prizes for key in prize.singles())


def _to_do(case: Case, won: list[pe.PrizeWon]) -> Events:
    """Winners who were not there are told in time, those who were know it; everybody is given their prize."""
    terms = case.terms
    found: list[pe.PromotionEvent] = []
    for win in won:
        if win.present:
            clauses = (*case.item("notification"), *_method(case, "face-to-face"))
            found.append(pe.WinnerTold(clauses, case.at, win.name, win.prize, "face-to-face", True))
        else:
            due = days_later(case.zone, case.at, terms.told_days.value)
            what = f"tell {win.name} that they have won {win.prize}"
            found.append(case.arises(f"tell/{win.prize}", terms.told_days.clauses, what, to=win.name, due=due))
        clauses = (*case.item("award"), *case.item("disbursement"))
        found.append(case.arises(f"award/{win.prize}", clauses, f"give {win.name} {win.prize}", to=win.name))
    return tuple(found)


def _method(case: Case, method: str) -> tuple[str, ...]:
    found = case.terms.told_by.value.get(method)
    return (found,) if found is not None else ()


# --- after the draw --------------------------------------------------------------------------------------------------


def publish_results(case: Case, act: pa.PublishResults) -> Decided:
    clauses = case.item("results")
    refused = case.refuse_operator(act.by) or case.refuse_idle()
    refused = refused or case.refuse_words(clauses, "where the results are published", act.where)
    if refused is not None:
        return refused
    drawing = case.drawing(act.draw)
    if isinstance(drawing, Refusal):
        return drawing
    if drawing.status != "made":
        return case.no(clauses, f"draw {act.draw} is {drawing.status}: there are no results.")
    return (pe.ResultsPublished(clauses, case.at, act.draw, act.where), *case.met(f"results/{act.draw}"))


def tell_winner(case: Case, act: pa.TellWinner) -> Decided:
    terms = case.terms
    refused = case.refuse_staff(act.by) or case.refuse_idle()
    win = case.state.wins.get(act.prize)
    if refused is None and (win is None or win.name != act.name or win.status == "set aside"):
        refused = case.no(terms.told_days, f"{act.name} has not won {act.prize}.")
    if refused is None and act.method not in terms.told_by.value:
        known = ", ".join(terms.told_by.value)
        refused = case.no(terms.told_by, f"a winner is told by {known}, not by {act.method}.")
    if refused is None and win is not None and win.told:
        refused = case.no(terms.told_days, f"{act.name} knows it already.")
    if refused is not None:
        return refused
    key = f"tell/{act.prize}"
    clauses = (*terms.told_days.clauses, *_method(case, act.method))
    told = pe.WinnerTold(clauses, case.at, act.name, act.prize, act.method, act.reached, case.is_late(key))
    return (told, *(case.met(key) if act.reached else ()))


def entries_of(state: Promotion, draw_name: str) -> tuple[str, ...]:
    """The entries that a draw is made from; none where there is no such draw."""
    return state.entries_in(draw_name) if draw_name in state.draws else ()
