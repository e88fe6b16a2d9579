"""Who may see what. What may not be known is not in the view at all: undealt cards are in nobody's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from pitboss.basics.cards import Card
from pitboss.rulebooks.vocabulary import BLAZING
from pitboss.table import events as e
from pitboss.table.events import Event
from pitboss.table.run import chips_left, loss_left
from pitboss.table.state import NOT_SHOWN, Box, Hand, Table
from pitboss.table.tournament_play.turns import has_wagered, in_order, whose_turn

HIDDEN = "??"
VIEWERS = ("player", "dealer", "supervisor", "inspector")

SEES_PRIVATE = frozenset({"gaming-supervisor", "supervisor", "gaming-manager", "inspector"})
"""Roles that see what every player won, and every player's chips and limits."""
STAFF = SEES_PRIVATE | {"dealer", "tournament-manager"}
"""Roles that are told what concerns one player alone, or the house."""


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks at a table: a player by name, or one of the staff or government by role."""

    role: str
    name: str = ""


def seen_by(viewer: Viewer, table: Table) -> dict[str, Any]:
    """The table as this viewer may see it, as plain data."""
    boxes = [box_seen_by(viewer, table, box) for _, box in sorted(table.boxes.items())]
    return view_of(table, sign(table), boxes, players_seen_by(viewer, table), session_seen_by(viewer, table))


def session_seen_by(viewer: Viewer, table: Table) -> dict[str, Any] | None:
    """The session of a tournament that is on. Chips lie in full view; what is on a form is for whoever wrote it, and
    for whoever examines it."""
    session = table.session
    if session is None:
        return None
    said = session.terms
    examines = viewer.role in SEES_PRIVATE
    return {
        "stage": said.stage,
        "play_off": said.play_off,
        "round": session.number + 1,
        "rounds": said.rounds or None,
        "over": session.done,
        "seats": {str(box): name for box, name in sorted(session.seats.items())},
        "out": [name for name in said.seats.values() if not session.has(name)],
        "chips": {name: chips_left(table, name) for name in said.seats.values()},
        "order": said.order,
        "marker": session.marker or None,
        "turn": whose_turn(table) or None if table.phase == "wagers" else None,
        "waiting_for": [name for name in in_order(table) if not has_wagered(table, name)]
        if table.phase == "wagers"
        else [],
        "asked": session.asked or None,
        "deal_from_marker": said.deal_from_marker,
        "seconds": session.seconds or None,
        "next_limits": [list(each) for each in said.raises if each[0] > session.number + 1],
        "pass_cards": dict(session.passes),
        "passing": list(session.passing),
        "undisclosed_left": dict(session.forms_left),
        "forms": {
            name: {
                "examined": form.examined,
                **({"kind": form.kind, "cents": form.cents} if examines or _own(viewer, name) else {}),
            }
            for name, form in session.forms.items()
        },
        "open_forms": {name: {"kind": form.kind, "cents": form.cents} for name, form in session.open_forms.items()},
        "held": list(session.held),
        "away": list(session.away),
        "early": list(session.early),
        "leaving": [name for name in session.leaving if examines or _own(viewer, name)],
    }


def _own(viewer: Viewer, name: str) -> bool:
    return viewer.role == "player" and viewer.name == name


def view_of(table: Table, sign: Any, boxes: list[Any], players: Any, session: Any = None) -> dict[str, Any]:
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
        "misdealt": [[box, HIDDEN if table.house.face_down and box else card] for box, card in table.misdealt],
        "burned": len(table.burned),
        "discards": len(table.rack),
        "cutting_card_shown": table.cutting_shown != NOT_SHOWN,
        "cut_offered": table.cut_offered or None,
        "jackpot_cents": table.jackpot_cents if BLAZING in table.house.side_bets else None,
        "final_rounds": table.final_rounds if table.final_rounds >= 0 else None,
        **({} if table.session is None else {"session": session}),
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
        **({"old_minimum_cents": kept} if (kept := old_minimum_cents(table)) else {}),
    }


def old_minimum_cents(table: Table) -> int:
    """The lowest minimum that somebody here keeps from before it was raised: both stand on signs then; 0 if nobody."""
    return min((each.minimum_cents for each in table.players.values() if each.keeps_old_minimum), default=0)


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
    """Everybody sees who sits where; what somebody won, and their limits, only they, supervisors and inspectors."""
    state = table.players[name]
    view: dict[str, Any] = {"seat": state.seat or None}
    if viewer.role in SEES_PRIVATE or (viewer.role == "player" and viewer.name == name):
        view["net_cents"] = table.net[name]
        view["chips_cents"] = chips_left(table, name)
        view["loss_left_cents"] = loss_left(table, name)
        view["restriction"] = state.restriction or None
    return view


# --- events ----------------------------------------------------------------------------------------------------------

OPENLY: frozenset[type[Event]] = frozenset(
    {
        e.SeatTaken, e.TableLeft, e.SeatVacated, e.ControlDeclined, e.ControlSettled, e.ControlPassed, e.WagerPlaced,
        e.WagerFound, e.BettingClosed, e.ShuffleDue, e.ShuffleOrdered, e.CardsShuffled, e.StackArranged, e.CutOffered,
        e.CutDeclined, e.CardsCut, e.CuttingCardPlaced, e.CuttingCardShown, e.CardsReplaced, e.CardBurned, e.JokerShown,
        e.DiscardsReturned, e.CardsRanOut, e.RoundBegan, e.CardDealt, e.HandExposed, e.CardsCleared, e.InsuranceOffered,
        e.InsurancePlaced, e.InsuranceClosed, e.SurrenderOffered, e.WagerSurrendered, e.SurrenderDeclined,
        e.SurrenderClosed, e.TurnCame, e.HandHit, e.HandStood, e.WagerDoubled, e.DoubleDeclined, e.WagerSplit,
        e.SplitDeclined, e.HandDivided, e.WagerForfeited, e.WagerKept, e.HandBust, e.NaturalHeld, e.DealerFinished,
        e.WagerPaid, e.WagerStoodOff, e.SurrenderSettled, e.InsurancePaid, e.InsuranceCollected, e.SideBetPaid,
        e.SideBetCollected, e.SuperBonusEarned, e.SuperBonusPaid, e.BonusPaid, e.JackpotWagerCollected, e.JackpotWon,
        e.JackpotPrizePaid, e.JackpotLost, e.JackpotSet, e.RoundEnded, e.LimitsSet, e.MaximumGranted, e.BoxesLimited,
        e.BoxesReserved, e.PlayersCapped, e.BoxesCapped, e.SideBetRestricted, e.SideBetRequired, e.ResplitAllowed,
        e.InterimDeferred, e.FaceDownOrdered, e.FinalRoundsAnnounced, e.ApprovalGiven, e.WrongCardFound,
        e.WrongCardRemoved, e.ChecksDue, e.CheckConfirmed, e.CardDrawnInError,
        e.CardRefused, e.CardMisplaced, e.RoundReconstructed, e.MisdealUnnoticed, e.RoundReopened, e.CardsSetAside,
        e.RoundTakenBack, e.DecisionHeld, e.DecisionsLapsed,
        e.DateTurned, e.SignDisplayed, e.SignTakenDown,
        e.LayoutLeft, e.LateHandCame, e.HandLeftOut, e.OthersAsked, e.DecisionAccepted, e.HandVoided,
        e.ResultUndone, e.CardAsked, e.CardAccepted,
        e.EarlierRoundVoided, e.PaymentReversed, e.CardsBurnedOpen, e.CheckOrdered, e.BurnForgotten, e.CutForgotten,
        e.ShuffleForgotten, e.DiscardsForgotten, e.InsuranceForgotten, e.PlayerPassedOver, e.CardsReplacedInDevice,
        e.SourceChanged, e.RefundOffered, e.RefundDeclined, e.RefundTaken, e.JackpotFaulted, e.JackpotRestored,
        e.SessionBegan, e.ChipsAllotted, e.ChipsReturned, e.MarkerPlaced, e.WagerAsked, e.WagerStoodEarly,
        e.PassCardPlayed, e.PassCardCollected, e.IndicatorPlaced, e.UndisclosedAnnounced, e.UndisclosedSettled,
        e.HeldToMinimum, e.MinimumDeducted, e.WagerMadeUp, e.EarlyWagerVoided, e.StacksCounted, e.WagerTimeSet,
        e.RoundCounted, e.PlayerEliminated, e.SessionEnded,
    }
)  # fmt: skip
"""What happens on the felt or stands on a sign (one's own maximum does, NSW pontoon 6.6): whoever is there sees it."""

EVERYBODYS, THE_HOUSES = "", "/"


class Affair(NamedTuple):
    """An event that may be somebody's own affair: for that person and for staff."""

    whose: Callable[[Any], str]
    """The player's name, or one of the two above."""
    for_others: Callable[[Any], Event | None] = lambda event: None
    """What everybody else sees of it."""
    for_himself: Callable[[Any], Event] = lambda event: event


def _players(event: Any) -> str:
    name: str = event.player
    return name


OF_ONE_PLAYER = frozenset({"loss-limit", "barred", "declared-void"})
"""Why wagers go back that is nobody else's business."""
REPORTED_TO_THE_HOUSE = frozenset({"loss-limit-exceeded", "person-barred", "rules-broken", "invalidated-by-fraud"})


def _told_to(notice: e.NoticeGiven) -> str:
    return notice.concerns if notice.to == "players" else THE_HOUSES


def _houses(event: Event) -> str:
    return THE_HOUSES


def _without_reason(event: Any) -> Event:
    stopped: Event = replace(event, reason="")
    return stopped


AFFAIRS: Mapping[type[Event], Affair] = MappingProxyType(
    {
        e.ChipsBought: Affair(_players),
        e.ChipsBrought: Affair(_players),
        e.ChipsTaken: Affair(_players),
        e.ChipsCashed: Affair(_players),
        e.ColoursChanged: Affair(_players),
        e.TokensIssued: Affair(_players),
        e.FloatFilled: Affair(_houses),
        e.FloatCredited: Affair(_houses),
        e.PlayerRestricted: Affair(_players),
        e.RestrictionLifted: Affair(_players),
        e.PlayerBarred: Affair(_players),
        e.WagersVoided: Affair(_players),
        e.PersonDetained: Affair(_players),
        e.PlayerPaused: Affair(_players),
        e.PlayerReadmitted: Affair(_players),
        e.PatronTold: Affair(_players),
        e.DisputeRaised: Affair(_players),
        e.DisputeRuled: Affair(_players),
        e.ReviewAsked: Affair(_players),
        e.MispaymentRecorded: Affair(
            _players, for_himself=lambda event: replace(event, intentional=False, reported=False)
        ),
        e.MispaymentRectified: Affair(_players),
        e.DutyReminded: Affair(lambda event: str(event.person)),
        e.NoticeGiven: Affair(_told_to),
        e.TableStopped: Affair(_houses, _without_reason),
        e.TableResumed: Affair(_houses, _without_reason),
        e.IrregularityReported: Affair(
            lambda event: (
                THE_HOUSES
                if event.kind in REPORTED_TO_THE_HOUSE
                else event.player
                if event.player and event.reason
                else EVERYBODYS
            ),
            lambda event: None if event.kind in REPORTED_TO_THE_HOUSE else _without_reason(event),
        ),
        e.FormHandedIn: Affair(_players, lambda event: replace(event, kind="", cents=0)),
        e.FormGivenBack: Affair(_players, lambda event: replace(event, why="")),
        e.FormSeen: Affair(_players),
        e.RemovalDue: Affair(_players),
        e.PlayerRemoved: Affair(_players, lambda event: replace(event, clauses=(), ground="", why="")),
        e.WagerReturned: Affair(
            lambda event: event.player if event.reason in OF_ONE_PLAYER or event.by else EVERYBODYS,
            lambda event: replace(event, clauses=(), reason="refused", by="", why=""),
        ),
        e.WagerCollected: Affair(
            lambda event: event.player if event.reason == "fraud" else EVERYBODYS,
            lambda event: e.WagerForfeited((), event.box, event.hand, event.player, event.cents, 0),
        ),
        e.RoundVoided: Affair(
            lambda event: THE_HOUSES if event.reason == "fraud" else EVERYBODYS,
            lambda event: replace(event, reason="invalidated"),
        ),
    }
)
"""Every kind of event that is not seen openly; one that stands nowhere is for staff alone."""

NOT_FOR_DEALERS: Mapping[type[Event], Mapping[str, Any]] = MappingProxyType(
    {
        e.PlayerReadmitted: {"loss_limit_cents": None},
        e.PatronTold: {"loss_limit_cents": None, "deposit_limit_cents": None},
        e.FormHandedIn: {"kind": "", "cents": 0},
        e.FormGivenBack: {"why": ""},
    }
)
"""What of an affair is kept from those staff who do not see players' money."""


def whose(event: Event) -> str:
    """Whose affair an event is: a player's name, the house's, or everybody's."""
    if type(event) in OPENLY:
        return EVERYBODYS
    affair = AFFAIRS.get(type(event))
    return THE_HOUSES if affair is None else affair.whose(event)


def hushed(viewer: Viewer, events: Iterable[Event]) -> frozenset[str]:
    """Clauses that would tell this viewer what others' affairs among the events of one act are."""
    if viewer.role in STAFF:
        return frozenset()
    known = (EVERYBODYS, THE_HOUSES, _name(viewer))
    return frozenset(clause for event in events if whose(event) not in known for clause in event.clauses)


def _name(viewer: Viewer) -> str:
    return viewer.name if viewer.role == "player" else EVERYBODYS


def event_seen_by(viewer: Viewer, event: Event, table: Table) -> Event | None:
    """The event as this viewer may see it, or None where they may not see it at all. `table` is the table after it."""
    told = seen_of_affairs(viewer, event)
    return None if told is None else cards_seen_by(viewer, told, table)


def seen_of_affairs(viewer: Viewer, event: Event) -> Event | None:
    """The event without what is somebody else's affair."""
    kind = type(event)
    if kind in OPENLY:
        return event
    if viewer.role in STAFF:
        kept = NOT_FOR_DEALERS.get(kind)
        return event if kept is None or viewer.role in SEES_PRIVATE else replace(event, **kept)
    affair = AFFAIRS.get(kind)
    if affair is None:
        return None
    concerned = affair.whose(event)
    if concerned == EVERYBODYS:
        return event
    return affair.for_himself(event) if concerned == _name(viewer) else affair.for_others(event)


def cards_seen_by(viewer: Viewer, event: Event, table: Table) -> Event | None:
    """The event without cards that this viewer may not know, whoever else it concerns."""
    if isinstance(event, e.StackArranged):
        return None
    if isinstance(event, e.CardBurned) or (isinstance(event, e.CardDrawnInError) and not event.exposed):
        return replace(event, card=HIDDEN)
    if isinstance(event, (e.RoundTakenBack, e.DecisionHeld)):
        return _without_what_lay(event)
    if table.house.face_down:
        event = _without_wrong_cards(event)
    if isinstance(event, e.TurnCame):
        area = table.boxes.get(event.box)
        hand = area.hands[event.hand] if area is not None and event.hand < len(area.hands) else None
        if area is not None and hand is not None and not may_see_hand(viewer, area, hand):
            return replace(event, total=0)
        return event
    if isinstance(event, e.CardDealt) and event.face_down:
        box = table.boxes.get(event.box)
        players = box.hands[0].wagers if box is not None and box.hands else {}
        if viewer.role != "player" or viewer.name not in players:
            return replace(event, card=HIDDEN, total=0, soft=False)
    return event


def _without_what_lay(event: e.RoundTakenBack | e.DecisionHeld) -> Event:
    """Which cards leave once more, and what was seen of them, the hands tell: some were burned, or lay face down."""
    if isinstance(event, e.DecisionHeld):
        return replace(event, decision=replace(event.decision, cards=(), dealer=()))
    return replace(event, cards=(HIDDEN,) * len(event.cards), decisions=())


def _without_wrong_cards(event: Event) -> Event:
    """Where cards come face down, those that went to a wrong box, or are taken away again, lie face down too."""
    if isinstance(event, e.CardMisplaced) and event.box != e.DEALER:
        return replace(event, card=HIDDEN)
    if isinstance(event, e.RoundReconstructed):
        return replace(event, before=_hidden(event.before), after=_hidden(event.after))
    if isinstance(event, e.RoundReopened):
        before, after = _hidden(event.before), _hidden(event.after)
        return replace(event, before=before, after=after, cards=(HIDDEN,) * len(event.cards))
    if isinstance(event, (e.HandVoided, e.CardsSetAside)):
        return replace(event, cards=(HIDDEN,) * len(event.cards))
    return event


def _hidden(layout: tuple[tuple[int, Card], ...]) -> tuple[tuple[int, Card], ...]:
    return tuple((box, HIDDEN if box != e.DEALER else card) for box, card in layout)
