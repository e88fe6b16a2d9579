"""With what a table may be opened where people play, and by whom.

The rulebook says what table a house may open (`refuse_house`). Here is what one person's word at the opening must not
get round: the names of people, the clauses of the document, and the second person whom an act at the table would want.
"""

from __future__ import annotations

from pitboss.basics.money import dollars
from pitboss.floor.bots import is_bot
from pitboss.floor.model import Caller, Denied, Opening
from pitboss.floor.permissions import AT_THE_TABLE, LARGE_CENTS
from pitboss.rulebooks import load
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.house import House, refuse_sign
from pitboss.table.refusals import Refusal
from pitboss.table.roles import in_words, may_act
from pitboss.table.wagers import is_name


def deny_opening(caller: Caller, opening: Opening) -> Denied | None:
    """Why this person alone may not open such a table, or None if he may. A rulebook that there is not is an error."""
    book, house = load(opening.rulebook), opening.house
    if house is None or caller.role == "house":
        return None
    largest = max(house.maximum_cents, *(most for _, most in house.side_limits.values()), 0)
    if largest >= LARGE_CENTS and caller.role != "gaming-manager":
        text = f"a gaming manager opens a table with a maximum of {dollars(LARGE_CENTS)} or more"
        todo = "open it with less, then change the limits with a second person."
        return Denied(f"{text}: {todo}", book.limits.changed_by.clauses)
    for chosen, term, what, act in (
        (house.resplit, book.splitting.resplit_by, "lets players split again", "AllowResplit"),
        (house.deferred, book.interim.deferrable_by, "puts interim payments off", "DeferInterim"),
    ):
        if chosen and term.value != "nobody" and not may_act(AT_THE_TABLE.get(caller.role, ""), term.value):
            text = f"{in_words(term.value)} {what}: open the table without, then have him ask for {act}."
            return Denied(text, term.clauses)
    return None


def refuse_variant(opening: Opening) -> Refusal | None:
    """Terms are changed for study only: people play by the document."""
    if not opening.variant:
        return None
    book = load(opening.rulebook)
    text = "a table where people play keeps to the document: leave variant out, and study it with pitboss play --set."
    return Refusal(book.name, book.game.name.clauses, text)


def refuse_opening(caller: Caller, opening: Opening, house: House) -> Refusal | None:
    """Why nobody opens such a table where people play, or None if it may be opened. `house` is the opening's."""
    book = load(opening.rulebook)
    face_down = book.cards.face_down
    if house.face_down and face_down.value == "inspector-approval" and caller.role != "house":
        text = "cards are dealt face down once an inspector has approved it: open the table, then ask for DealFaceDown."
        return Refusal(book.name, face_down.clauses, text)
    return refuse_sign(book, house) or _refuse_bots(book, opening, house)


def _refuse_bots(book: Rulebook, opening: Opening, house: House) -> Refusal | None:
    """The house plays its own players only, and their names are nobody's."""
    terms, bots = book.boxes, opening.bots
    for name in bots:
        if not is_bot(name) or not is_name(name):
            text = f"{name!r} is no bot: the house plays nobody else, so choose a name as bot-alice."
            return Refusal(book.name, terms.control.clauses, text)
    if len(set(bots)) < len(bots):
        return Refusal(book.name, terms.control.clauses, "two bots have the same name: name each once.")
    if len(bots) > house.boxes:
        text = f"there are {house.boxes} boxes and {len(bots)} bots: each takes a box, so name no more than there are."
        return Refusal(book.name, terms.number.clauses, text)
    for name in opening.players:
        if is_bot(name.lower()) and name not in bots:
            text = f"{name} is a bot's name: name it among the bots, or choose another for the player."
            return Refusal(book.name, terms.control.clauses, text)
    return None
