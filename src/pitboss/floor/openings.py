"""With what a table may be opened where people play, and by whom.

The rulebook says what table a house may open (`refuse_house`). Here is what one person's word at the opening must not
get round: the names of people, the clauses of the document, and the second person whom an act at the table would want.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.basics.money import LARGEST_CENTS, dollars
from pitboss.floor.bots import is_bot
from pitboss.floor.model import Caller, Denied, Opening
from pitboss.floor.naming import same_but_capitals
from pitboss.floor.people import People, key_of
from pitboss.floor.permissions import AT_THE_TABLE, LARGE_CENTS
from pitboss.floor.wire import JOINERS
from pitboss.rulebooks import load
from pitboss.rulebooks.amend import check_amendment
from pitboss.rulebooks.meanings import INSPECTOR_APPROVES_FACE_DOWN
from pitboss.rulebooks.terms import DECISION, STUDY, Rulebook
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table.house import House, Patron, refuse_sign
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.wagers import is_name


def deny_opening(caller: Caller, opening: Opening) -> Denied | None:
    """Why this person alone may not open such a table, or None if they may. An unknown rulebook is an error."""
    book, house = load(opening.rulebook), opening.house
    if caller.role == "house":
        return None
    if opening.float_cents:
        text = "chips that come to a float are counted by two people: open the table without, then ask for FillFloat."
        return Denied(text, book.wagers.float_by.clauses)
    if house is None:
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
            text = f"{the_role(term.value)} {what}: open the table without, then have them ask for {act}."
            return Denied(text, term.clauses)
    return None


NAME_MAX = 80
"""Characters of what people call a table."""
KIND_MAX = 40
"""Of the name of an optional wager, which are all shorter."""


def refuse_words(opening: Opening) -> Refusal | None:
    """Words in an opening that nobody could read, or that name what there is not; asked before anything is made."""
    book = load(opening.rulebook)
    if len(opening.name) > NAME_MAX or not is_readable(opening.name):
        text = f"a table's name has up to {NAME_MAX} characters, all of which can be seen: write it without the others."
        return Refusal(book.name, book.game.name.clauses, text)
    if not 0 <= opening.float_cents <= LARGEST_CENTS:
        text = f"a table is opened with {dollars(0)} to {dollars(LARGEST_CENTS)} in its float."
        return Refusal(book.name, book.wagers.float_by.clauses, text)
    house = opening.house
    if house is None:
        return None
    for kind in (*house.side_bets, *house.required, *house.side_limits):
        if len(kind) > KIND_MAX:
            return Refusal(book.name, book.limits.sign.clauses, f"there is no optional wager {kind[:KIND_MAX]!r}.")
    for kind in house.side_limits:
        if kind not in house.side_bets:
            text = f"the sign cannot have limits for {kind!r}: the table does not offer it."
            return Refusal(book.name, book.limits.sign.clauses, text)
    return None


def is_readable(text: str) -> bool:
    """Whether a text has no sign that cannot be seen or that turns the writing round; joiners stay where scripts need
    them."""
    return text.translate(JOINERS).isprintable()


def rightly_spelled(opening: Opening, people: People | None) -> Opening | Refusal:
    """The opening with its players as their accounts spell them; two that differ in capitals only are refused, and
    so is whoever has no account, or none that is active: nobody is seated whom the floor does not know."""
    players: dict[str, Patron] = {}
    for name, patron in opening.players.items():
        account = people.account(name) if people is not None else None
        unknown = account is None or account.disabled or account.role != "player"
        if people is not None and unknown and is_name(name) and not is_bot(key_of(name)):
            book = load(opening.rulebook)
            text = f"there is nobody called {name[:40]!r}: players have an account, or come in as guests."
            return Refusal(book.name, book.boxes.players_max.clauses, text)
        spelled = account.name if account is not None else name
        if same_but_capitals(spelled, players):
            book = load(opening.rulebook)
            text = f"{name[:40]} is named twice, or differs from another in capitals only: name each player once."
            return Refusal(book.name, book.boxes.players_max.clauses, text)
        players[spelled] = patron
    return replace(opening, players=players)


SHOWN_DIGITS = 12
"""Of the digest of an edition, which are enough to name it."""


def refuse_edition(opening: Opening) -> Refusal | None:
    """A new table is played by the text that is shipped: whoever asks for another one is told, and not given this."""
    book = load(opening.rulebook)
    asked, shipped = opening.edition, book.edition
    if not asked or (len(asked) >= SHOWN_DIGITS and shipped.startswith(asked)):
        return None
    text = f"new tables are opened by edition {shipped[:SHOWN_DIGITS]}, not {asked[:SHOWN_DIGITS]!r}"
    return Refusal(book.name, book.game.document.clauses, f"{text}: leave edition out.")


def refuse_amendments(opening: Opening) -> Refusal | None:
    """People play by the document, and by what it lets amend it: never by what is changed for study.

    What the house decides where the document is silent holds at any table; whatever else amends it, in tournaments.

    A layer that cannot be read raises `RulebookError`; whether the document allows it is judged where it is laid.
    """
    book = load(opening.rulebook)
    if opening.variant or any(layer.kind == STUDY for layer in opening.amendments):
        todo = "leave variant out, and study it with pitboss play --set."
        return Refusal(book.name, book.game.name.clauses, f"a table where people play keeps to the document: {todo}")
    for layer in opening.amendments:
        check_amendment(book, layer)
        if layer.left:
            text = f"{layer.name} leaves {', '.join(layer.left)} to the conduct of a tournament"
            return Refusal(book.name, layer.clauses, f"{text}, and no table here is part of one.")
        if layer.kind != DECISION and (opening.house is None or not opening.house.tournament):
            text = f"{layer.name} is for tournament tables: open the table for tournament play."
            return Refusal(book.name, layer.clauses, text)
    return None


def refuse_opening(caller: Caller, opening: Opening, house: House) -> Refusal | None:
    """Why nobody opens such a table where people play, or None if it may be opened. `house` is the opening's."""
    book = load(opening.rulebook)
    face_down = book.cards.face_down
    if house.face_down and INSPECTOR_APPROVES_FACE_DOWN[face_down.value] and caller.role != "house":
        text = "cards are dealt face down once an inspector has approved it: open the table, then ask for DealFaceDown."
        return Refusal(book.name, face_down.clauses, text)
    if not house.is_practice and any(p.chips_cents is not None or p.tokens_cents for p in opening.players.values()):
        text = "nobody is given chips by opening a table: players buy them, or bring what they have."
        return Refusal(book.name, book.wagers.means.clauses, text)
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
