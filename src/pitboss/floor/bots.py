"""Players of the house's own who fill seats: they wager little, play by the total, and never hold anybody up.

A bot asks the engine before it acts, so that no act of its is ever refused. It knows no more than a player sees: its
hand, the dealer's first card, the sign and its chips; and no probabilities.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.chance import Chance
from pitboss.table import acts as a
from pitboss.table.acts import ORIGINAL, AnyAct
from pitboss.table.engine import refusal
from pitboss.table.house import BLAZING
from pitboss.table.legal import Waiting, waiting_for
from pitboss.table.limits import minimum_for
from pitboss.table.run import chips_left
from pitboss.table.session import Session
from pitboss.table.state import Hand, Table
from pitboss.table.tournament_play.turns import has_wagered, whose_turn

BOT = "bot-"
"""How the names of the house's own players begin; no account may have such a name."""

NAMES = ("bot-alice", "bot-bob", "bot-carol", "bot-dave")
SIDE_BET_ONE_IN = 6
BUYS_TIMES_MINIMUM = 40
"""What a bot buys in chips where chips are counted."""
TIMES_MINIMUM = (1, 1, 1, 2, 2, 4)
LATE_ROUNDS, LATE_TIMES = 2, (2, 4, 8, 20)
"""In the last rounds of a session it wagers more."""
PASS_ONE_IN, FORM_ONE_IN = 10, 2


def is_bot(name: str) -> bool:
    return name.startswith(BOT)


def bot_act(table: Table, name: str, chance: Chance, *, alone: bool = False) -> AnyAct | None:
    """What this bot does now, or None where it waits. Before a round it wagers once a person has (or if `alone`)."""
    waiting = waiting_for(table)
    if waiting.what == "wagers":
        return _before_the_deal(table, name, chance, alone)
    if waiting.what == "cut":
        return _first_allowed(table, a.DeclineCut(name)) if waiting.who == (name,) else None
    if waiting.what == "surrender":
        return _surrender(table, name)
    if name not in waiting.who:
        return None
    return _first_allowed(table, *_answers(table, name, waiting))


def bots_at(table: Table) -> list[str]:
    """The bots at a table, in the order in which they came."""
    return [name for name, state in table.players.items() if state.present and is_bot(name)]


def persons_wagered(table: Table) -> bool:
    """Whether somebody who is no bot has a wager down for the next round."""
    return any(not is_bot(name) for box in table.boxes.values() for name in box.wagers)


def _first_allowed(table: Table, *acts: AnyAct) -> AnyAct | None:
    return next((act for act in acts if refusal(table, act) is None), None)


# --- before the deal -------------------------------------------------------------------------------------------------


def _before_the_deal(table: Table, name: str, chance: Chance, alone: bool) -> AnyAct | None:
    if table.session is not None:
        return _in_session(table, table.session, name, chance)
    state = table.players.get(name)
    if state is None or not state.present or not state.seat:
        return _sit_down(table, name)
    if table.betting_closed or not (alone or persons_wagered(table)):
        return None
    box = table.boxes.get(state.seat)
    if box is None or name not in box.wagers:
        return _original(table, name, state.seat, chance)
    return _side_bet(table, name, state.seat, chance)


def _in_session(table: Table, session: Session, name: str, chance: Chance) -> AnyAct | None:
    """In its turn: now and then a pass card or an undisclosed wager; toward the end larger wagers."""
    if not session.has(name) or session.done or has_wagered(table, name) or whose_turn(table) not in ("", name):
        return None
    whim, box = _whim(table, name, chance), session.box_of(name)
    least, left = table.house.minimum_cents, chips_left(table, name) or 0
    ends = bool(session.terms.rounds) and session.number >= session.terms.rounds - LATE_ROUNDS
    wanted = min(least * whim.choice(LATE_TIMES if ends else TIMES_MINIMUM), table.house.maximum_cents)
    if ends and session.forms_left.get(name) and not whim.below(FORM_ONE_IN):
        wanted = min(wanted, left - left % least)
        form = _first_allowed(table, a.HandInForm(name, ORIGINAL, wanted))
        if form is not None:
            return form
    if session.passes.get(name) and not ends and not whim.below(PASS_ONE_IN):
        card = _first_allowed(table, a.PlayPassCard(name))
        if card is not None:
            return card
    sizes = dict.fromkeys((min(wanted, left - left % least), least))
    wager = _first_allowed(table, *(a.PlaceWager(name, box, cents) for cents in sizes if cents))
    return wager or _first_allowed(table, a.PlayPassCard(name))


def _sit_down(table: Table, name: str) -> AnyAct | None:
    """The free box farthest from the dealer's left: people like to begin at the other end."""
    return _first_allowed(table, *(a.TakeSeat(name, box) for box in range(table.house.boxes, 0, -1)))


def _original(table: Table, name: str, box: int, chance: Chance) -> AnyAct | None:
    """A few times the minimum, else the minimum, else nothing: whoever has no chips left watches."""
    least = minimum_for(table, name)
    wanted = least * TIMES_MINIMUM[_whim(table, name, chance).below(len(TIMES_MINIMUM))]
    left = chips_left(table, name)
    if left is not None and left < wanted and table.house.counted:
        return _first_allowed(table, a.BuyChips(name, least * BUYS_TIMES_MINIMUM))
    wagers = [a.PlaceWager(name, box, cents) for cents in (wanted, least) if left is None or cents <= left]
    return _first_allowed(table, *wagers)


def _side_bet(table: Table, name: str, box: int, chance: Chance) -> AnyAct | None:
    """An optional wager once in a while, and always one that a notice makes a condition of play."""
    placed = {kind for kind, wagers in table.boxes[box].side.items() if name in wagers}
    for kind in table.house.required:
        if kind not in placed:
            return _first_allowed(table, a.PlaceWager(name, box, _side_cents(table, kind), kind))
    whim = _whim(table, name, chance)
    whim.below(len(TIMES_MINIMUM))
    if placed or not table.house.side_bets or whim.below(SIDE_BET_ONE_IN):
        return None
    kind = whim.choice(table.house.side_bets)
    return _first_allowed(table, a.PlaceWager(name, box, _side_cents(table, kind), kind))


def _side_cents(table: Table, kind: str) -> int:
    if kind == BLAZING:
        return min(table.rulebook.blazing_7s.amounts_cents.value)
    return table.house.side_limits.get(kind, (table.house.minimum_cents, 0))[0]


def _whim(table: Table, name: str, chance: Chance) -> Chance:
    """The same whim however often one asks in one round: a bot that is asked twice must not change its mind."""
    return Chance(f"{chance.seed}:{name}:{table.shoe_round}:{table.position}:{table.net.get(name, 0)}:{ORIGINAL}")


# --- decisions -------------------------------------------------------------------------------------------------------


def _answers(table: Table, name: str, waiting: Waiting) -> tuple[AnyAct, ...]:
    """What a bot would say, best first; the engine's word decides which of it is said."""
    box = waiting.box
    match waiting.what:
        case "expose":
            return (a.Expose(name, box),)
        case "refund":
            return (a.PlayOn(name), a.TakeBack(name))
        case "forfeit":
            return (a.Keep(name, box),)
        case "short-hand":
            return (a.Hit(name, box), a.Stand(name, box), a.TakeBack(name))
        case "answer":
            if waiting.acts[0] == "Split" and table.players[name].cover_splits:
                return (a.Split(name, box), a.Decline(name, box))
            return (a.Decline(name, box),)
        case "decision":
            hand = table.boxes[box].hands[waiting.hand]
            if hand.face_down:
                return (a.Expose(name, box),)
            wishes = _wishes(hand, _dealers_value(table))
            written = name in hand.wagers and not hand.wagers[name].cents
            return tuple(_wish(name, box, each) for each in wishes if not (written and each in ("split", "double")))
    return ()


def _wish(name: str, box: int, wish: str) -> AnyAct:
    if wish == "split":
        return a.Split(name, box)
    if wish == "double":
        return a.Double(name, box)
    return a.Stand(name, box) if wish == "stand" else a.Hit(name, box)


def _dealers_value(table: Table) -> int:
    """The dealer's first card, 11 for an ace."""
    return table.dealer_total if len(table.dealer_cards) == 1 else 10


def _wishes(hand: Hand, dealer: int) -> Iterable[str]:
    """By the total alone: split aces and eights, double ten and eleven, stand on 17, and on 13 against a low card."""
    ranks = [card[0] for card in hand.cards]
    if len(ranks) == 2 and ranks[0] == ranks[1] and ranks[0] in "A8":
        yield "split"
    if len(ranks) == 2 and not hand.soft and (hand.total == 11 or (hand.total == 10 and dealer < 10)):
        yield "double"
    stands = 18 if hand.soft else 13 if dealer <= 6 else 17
    yield from ("stand", "hit") if hand.total >= stands else ("hit", "stand")


def _surrender(table: Table, name: str) -> AnyAct | None:
    """A hard 16 against an ace is given up; on a shared box only by whoever may."""
    if _dealers_value(table) != 11:
        return None
    for number, box in table.boxes.items():
        hand = box.hands[0]
        if name in hand.wagers and hand.total == 16 and not hand.soft and not hand.done and not hand.face_down:
            act = _first_allowed(table, a.Surrender(name, number))
            if act is not None:
                return act
    return None
