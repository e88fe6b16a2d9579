"""Who may see what. What may not be known is not in the view at all: undealt cards are in nobody's."""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.basics.cards import Card
from pitboss.table import events as e
from pitboss.table.events import Event
from pitboss.table.state import Box, Hand, Table

HIDDEN = "??"
VIEWERS = ("player", "dealer", "supervisor", "inspector")


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks at a table: a player by name, or one of the staff or government by role."""

    role: str
    name: str = ""


def seen_by(viewer: Viewer, table: Table) -> dict[str, Any]:
    """The table as this viewer may see it, as plain data."""
    boxes = [box_seen_by(viewer, table, box) for _, box in sorted(table.boxes.items())]
    return view_of(table, sign(table), boxes, players_seen_by(viewer, table))


def view_of(table: Table, sign: Any, boxes: list[Any], players: Any) -> dict[str, Any]:
    """A view made of its parts and of what everybody may see; whoever shows a table often keeps parts that last."""
    return {
        "rulebook": table.rulebook.id,
        "name": table.rulebook.name,
        "phase": table.phase,
        "preparation": table.preparation,
        "sign": sign,
        "dealer": {"cards": list(table.dealer_cards), "total": table.dealer_total, "soft": table.dealer_soft},
        "boxes": boxes,
        "turn": {"box": table.turn_box, "hand": table.turn_hand} if table.turn_box else None,
        "players": players,
        "reserved": {str(box): name for box, name in sorted(table.reserved.items())},
        "betting_closed": table.betting_closed,
        "drawn_in_error": [card if exposed else HIDDEN for card, exposed in table.error_cards],
        "burned": len(table.burned),
        "discards": len(table.rack),
        "cutting_card_shown": table.cutting_shown != -2,
        "cut_offered": table.cut_offered or None,
        "jackpot_cents": table.jackpot_cents if "blazing-7s" in table.house.side_bets else None,
        "final_rounds": table.final_rounds if table.final_rounds >= 0 else None,
    }


def sign(table: Table) -> dict[str, Any]:
    """What stands on the sign for everybody."""
    house = table.house
    return {
        "minimum_cents": house.minimum_cents,
        "maximum_cents": house.maximum_cents,
        "unit_cents": house.unit_cents or None,
        "multiples": house.multiples,
        "side_bets": list(house.side_bets),
        "side_limits": {kind: list(pair) for kind, pair in house.side_limits.items()},
        "decks": house.decks,
        "source": house.source,
    }


def may_see_hand(viewer: Viewer, box: Box, hand: Hand) -> bool:
    """Cards face up are everybody's; face down only those with a wager on the box may look at them."""
    return not hand.face_down or (viewer.role == "player" and viewer.name in hand.wagers)


def _cards(viewer: Viewer, box: Box, hand: Hand) -> list[Card]:
    return list(hand.cards) if may_see_hand(viewer, box, hand) else [HIDDEN] * len(hand.cards)


def box_seen_by(viewer: Viewer, table: Table, box: Box) -> dict[str, Any]:
    """One box; it looks the same as long as the box and its reservation are the same."""
    view: dict[str, Any] = {
        "box": box.number,
        "controller": box.controller or None,
        "wagers": {name: wager.cents for name, wager in box.wagers.items()},
        "side": {kind: dict(placed) for kind, placed in box.side.items() if placed},
        "insurance": dict(box.insurance),
        "reserved": table.reserved.get(box.number),
        "hands": [],
    }
    for hand in box.hands:
        seen = may_see_hand(viewer, box, hand)
        view["hands"].append(
            {
                "cards": _cards(viewer, box, hand),
                "total": hand.total if seen else None,
                "soft": hand.soft if seen else None,
                "doubled": hand.doubled,
                "split": hand.split,
                "done": hand.done,
                "waits": hand.held or None,
                "asked": list(hand.asked),
                "wagers": {
                    name: {
                        "cents": wager.cents,
                        "doubled_cents": wager.doubled_cents,
                        "surrendered": wager.surrendered,
                        "settled": wager.settled,
                    }
                    for name, wager in hand.wagers.items()
                },
            }
        )
    return view


def players_seen_by(viewer: Viewer, table: Table) -> dict[str, Any]:
    """Who is at the table."""
    return {name: _player_view(viewer, table, name) for name, state in table.players.items() if state.present}


def _player_view(viewer: Viewer, table: Table, name: str) -> dict[str, Any]:
    """Everybody sees who sits where; what somebody won, and his limits, are for himself, supervisors and inspectors."""
    state = table.players[name]
    view: dict[str, Any] = {"seat": state.seat or None}
    if viewer.role in ("supervisor", "inspector") or (viewer.role == "player" and viewer.name == name):
        view["net_cents"] = table.net[name]
        view["chips_cents"] = None if state.chips_cents is None else state.chips_cents + table.net[name]
        view["loss_limit_cents"] = state.loss_limit_cents
        view["restriction"] = state.restriction or None
    return view


def event_seen_by(viewer: Viewer, event: Event, table: Table) -> Event | None:
    """The event as this viewer may see it, or None where he may not see it at all. `table` is the table after it."""
    if isinstance(event, e.StackArranged):
        return None
    if isinstance(event, e.CardBurned) or (isinstance(event, e.CardDrawnInError) and not event.exposed):
        return msgspec.structs.replace(event, card=HIDDEN)
    if table.house.face_down:
        event = _without_wrong_cards(event)
    if isinstance(event, e.TurnCame):
        area = table.boxes.get(event.box)
        hand = area.hands[event.hand] if area is not None and event.hand < len(area.hands) else None
        if area is not None and hand is not None and not may_see_hand(viewer, area, hand):
            return msgspec.structs.replace(event, total=0)
        return event
    if isinstance(event, e.CardDealt) and event.face_down:
        box = table.boxes.get(event.box)
        players = box.hands[0].wagers if box is not None and box.hands else {}
        if viewer.role != "player" or viewer.name not in players:
            return msgspec.structs.replace(event, card=HIDDEN, total=0, soft=False)
    return event


def _without_wrong_cards(event: Event) -> Event:
    """Where cards come face down, those that went to a wrong box, or are taken away again, lie face down too."""
    if isinstance(event, e.CardMisplaced) and event.box != e.DEALER:
        return msgspec.structs.replace(event, card=HIDDEN)
    if isinstance(event, e.RoundReconstructed):
        return msgspec.structs.replace(event, before=_hidden(event.before), after=_hidden(event.after))
    if isinstance(event, e.HandVoided):
        return msgspec.structs.replace(event, cards=(HIDDEN,) * len(event.cards))
    return event


def _hidden(layout: tuple[tuple[int, Card], ...]) -> tuple[tuple[int, Card], ...]:
    return tuple((box, HIDDEN if box != e.DEALER else card) for box, card in layout)
