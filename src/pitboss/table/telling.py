"""What happened, told to people: one line an event, with the clause that caused it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.basics.cards import format_cards
from pitboss.basics.money import dollars
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import side_bet_name
from pitboss.table import events as e
from pitboss.table.acts import NOTICED_LATER
from pitboss.table.belonging import CHECKS
from pitboss.table.decisions import FOUND, in_words
from pitboss.table.events import DEALER, Event
from pitboss.table.roles import STAFF


def tell(event: Event, rulebook: Rulebook) -> str:
    """``box 1: alice is paid $50.00, 1 to 1, interim settlement (NSW pontoon 10.2.1, 12.2)``"""
    return f"{sentence(event, rulebook)} ({rulebook.name} {cite(event.clauses)})"


def sentence(event: Event, rulebook: Rulebook) -> str:
    """The fact without its citation."""
    return fact(event, rulebook.game.natural.value)


def fact(event: Event, natural: str) -> str:
    """The same, where all that is known of the rulebook is how it calls a natural; a ruling with who decided it."""
    text = TELL[type(event)](event).replace("{natural}", natural)
    by = getattr(event, "by", "") if type(event) in RULINGS else ""
    return f"{text}; decided by {_person(by)}" if by else text


def _where(box: int) -> str:
    return "dealer" if box == DEALER else f"box {box}"


def _hand(ev: Any) -> str:
    """``box 1`` or, for a hand formed by a split, ``box 1 hand 2``."""
    return f"box {ev.box} hand {ev.hand + 1}" if ev.hand > 0 else f"box {ev.box}"


def _kind(kind: str) -> str:
    return "" if kind == "original" else f" on {side_bet_name(kind)}"


def _card_dealt(ev: e.CardDealt) -> str:
    if ev.face_down:
        return f"{_hand(ev)}: a card face down"
    place = "dealer" if ev.box == DEALER else _hand(ev)
    return f"{place}: {ev.card}, {'soft ' if ev.soft else ''}{ev.total}"


def _placed(ev: e.WagerPlaced) -> str:
    tokens = f", {dollars(ev.token_cents)} of it in tokens" if ev.token_cents else ""
    return f"box {ev.box}: {ev.player} wagers {dollars(ev.cents)}{_kind(ev.kind)}{tokens}"


_RETURNED = {
    "withdrawn": "withdraws",
    "displaced": "makes room and gets back",
    "refused": "is refused and gets back",
    "void": "gets back, void,",
    "above-maximum": "gets back, above the maximum,",
    "below-minimum": "gets back, below the minimum,",
    "out-of-turn": "wagered out of turn, and gets back",
    "incomplete": "gets back the incomplete increment of",
    "jackpot-fault": "gets back, jackpot fault,",
    "invalid": "gets back an invalid wager of",
    "loss-limit": "gets back, over the loss limit,",
    "barred": "is barred and gets back",
    "declared-void": "gets back, declared void,",
    "malfunction": "gets back",
    "taken-back": "takes back",
    "round-reopened": "gets back, since the round is laid again,",
}


def _person(name: str) -> str:
    return f"the {name.replace('-', ' ')}" if name in STAFF else name


def _cutter(name: str) -> str:
    return f"the {name}" if name in ("supervisor", "dealer") else name


def _returned(ev: e.WagerReturned) -> str:
    why = f": {ev.why}" if ev.why else ""
    if not ev.cents:  # all that lies there is the indicator of a written wager
        return f"box {ev.box}: the hand of {ev.player} is taken up"
    return f"box {ev.box}: {ev.player} {_RETURNED[ev.reason]} {dollars(ev.cents)}{_kind(ev.kind)}{why}"


_SAYS_WHY = (
    "invalid-wager", "loss-limit-exceeded", "missing-card", "foreign-card", "invalidated-by-fraud",
    "invalidated-by-disturbance",
)  # fmt: skip
"""Where nothing that follows says why."""

_FOUND = {
    "valid": "is below the minimum and valid",
    "warned": "is below the minimum: settled this once, further ones go back",
    "returned": "is below the minimum again: it goes back, whatever the hand brought",
    "capped": "is above the maximum and counts up to it",
}

_SHUFFLE = {
    "start": "play is about to start",
    "cutting-card-first": "the cutting card came first",
    "cutting-card": "the cutting card came in this round",
    "ordered": "it was ordered",
    "new-cards": "the cards are new",
    "insufficient": "the cards ran out",
    "no-cards": "the cards ran out, and no rule refills the shoe in the round",
    "cut-missed": "the cut was missed",
    "shuffle-missed": "the shuffle was missed",
    "check": "the cards are checked",
    "malfunction": "the shuffling device failed",
}

_RESULT = {
    "other": "",
    "doubled": ", doubled",
    "higher": ", higher total",
    "dealer-bust": ", dealer bust",
    "five-card-trick": ", Five Card Trick",
}


def _paid(ev: e.WagerPaid) -> str:
    result = _RESULT.get(ev.result, ", " + ev.result.replace("-", " "))
    if not ev.wager_cents and not ev.paid_cents:  # all that lies there is the indicator of a written wager
        return f"{_hand(ev)}: the hand of {ev.player} wins, {ev.odds}{result}"
    return f"{_hand(ev)}: {ev.player} is paid {dollars(ev.paid_cents)}, {ev.odds}{result}, {ev.settlement} settlement"


_LOST = {
    "bust": "bust",
    "lower": "lower than the dealer",
    "tie": "equal to the dealer",
    "dealer-natural": "dealer {natural}",
    "fraud": "forfeited for fraud",
    "not-refunded": "the round is invalid and wagers are not refunded",
    "short-hand": "the hand lacked cards",
}


def _dealer_finished(ev: e.DealerFinished) -> str:
    if ev.result == "no-card":
        return f"dealer: {ev.total}, no further card could change anything"
    if ev.result == "natural":
        return "dealer: {natural}"
    return f"dealer: {'bust with' if ev.result == 'bust' else 'stands on'} {ev.total}"


def _cutting_card(ev: e.CuttingCardShown) -> str:
    return "the cutting card comes first" if ev.box == e.AS_FIRST_CARD else f"{_where(ev.box)}: the cutting card comes"


def _bonus(ev: e.BonusPaid) -> str:
    where = f"box {ev.box}: " if ev.box else ""
    return f"{where}{ev.player} is paid {dollars(ev.cents)} beside a Super Bonus"


def _jackpot_set(ev: e.JackpotSet) -> str:
    return f"jackpot: {dollars(ev.cents)}" + (" (reset)" if ev.reason == "reset" else "")


def _restricted(ev: e.PlayerRestricted) -> str:
    parts = []
    if ev.minimum_only:
        parts.append("to the minimum")
    if ev.boxes_max:
        parts.append(f"to {ev.boxes_max} box{'es' * (ev.boxes_max > 1)}")
    return f"{ev.player} is restricted {' and '.join(parts) or 'by ' + ev.rule} until {ev.until}"


def _told(ev: e.PatronTold) -> str:
    said = [] if ev.card else ["no valid player card"]
    if ev.loss_limit_cents is not None:
        said.append("a loss limit")
    if ev.deposit_limit_cents is not None:
        said.append(f"{dollars(max(0, ev.deposit_limit_cents))} left to deposit today")
    if ev.maximum_cents:
        said.append(f"a maximum of {dollars(ev.maximum_cents)}")
    if ev.restriction:
        said.append("no restriction any more" if not ev.until else f"restricted by {ev.restriction}")
    if ev.cover_splits:
        said.append("covers every split")
    if ev.recognised:
        said.append("a recognised player")
    if ev.paused is not None:
        said.append("pauses" if ev.paused else "pauses no longer")
    if ev.barred:
        said.append(f"{'excluded from the casino' if ev.excluded else 'barred from the game'}: {ev.barred}")
    elif ev.admitted:
        said.append("admitted again")
    return f"the patrons' book on {ev.player}: {', '.join(said) or 'a valid player card'}"


def _sign(ev: e.SignDisplayed) -> str:
    if ev.what == "closing":
        return f"a sign says that the table closes in {ev.minutes} minutes"
    most = dollars(ev.maximum_cents)
    limits = f"minimum {dollars(ev.minimum_cents)}, maximum {most}{_kind(ev.kind)}"
    return f"a sign announces {limits}, in {ev.minutes} minutes"


def _reserved(ev: e.BoxesReserved) -> str:
    if not ev.boxes:
        return f"no box is reserved for {ev.player} any more"
    return f"box {', '.join(map(str, ev.boxes))} reserved for {ev.player}"


def _layout(cards: tuple[tuple[int, str], ...]) -> str:
    """``box 1 6s 9d, dealer 9h``"""
    places: dict[int, list[str]] = {}
    for box, card in cards:
        places.setdefault(box, []).append(card)
    return ", ".join(
        f"{_where(box)} {format_cards(dealt)}" for box, dealt in sorted(places.items(), key=lambda p: p[0] or 99)
    )


def _moved(ev: e.PaymentReversed) -> str:
    if ev.cents > 0:
        return f"{ev.player} gives {dollars(ev.cents)} back"
    return f"{ev.player} gets {dollars(-ev.cents)} back"


_KINDS = {"original": "the wager", "bonus": "the bonus", "super-bonus": "the Super Bonus"}


def _undone(ev: e.ResultUndone) -> str:
    what = _KINDS.get(ev.kind, ev.kind)
    won, cents = ("won", ev.cents) if ev.cents > 0 else ("lost", -ev.cents)
    gives = "gives" if ev.cents > 0 else "gets"
    beyond = ", over the loss limit" if ev.reason else ""
    return f"box {ev.box}: {ev.player} {gives} {dollars(cents)} back that {what} {won}{beyond}"


def _mispaid(ev: e.MispaymentRecorded) -> str:
    kind = "too much" if ev.cents > 0 else "too little"
    meant = ", suspected to be intentional" if ev.intentional else ""
    report = ", for the monthly report" if ev.reported else ""
    why = f": {ev.reason}" if ev.reason else ""
    of = f" in a {ev.exchange.replace('-', ' ')}" if ev.exchange else ""
    return f"{ev.player} was paid {dollars(abs(ev.cents))} {kind}{of}{meant}{report}{why}"


_FAULT = {
    "": "",
    "blank": ", without type or amount",
    "beyond-chips": ", more than the chips that are left",
    "above": ", above the maximum",
    "below": ", below the minimum",
    "units": ", no multiple of the minimum",
}

REMOVED_FOR = {
    "every-round": "for not wagering on each round",
    "disqualify": "for breaking the rules",
    "contravention": "for breaking the rules",
    "increase": "for adding to their chips",
    "conceal": "for hiding chips",
    "in-view": "for keeping chips out of view",
    "advice": "for giving or taking advice",
    "absent": "for being absent",
}


def _began(ev: e.SessionBegan) -> str:
    said = ev.session
    limits = f"{dollars(said.minimum_cents)} to {dollars(said.maximum_cents)}"
    rounds = f", {said.rounds} rounds" if said.rounds else ""
    return f"{said.stage} begins: {len(said.seats)} players, {limits}{rounds}"


def _announced(ev: e.UndisclosedAnnounced) -> str:
    written = f"{dollars(ev.written_cents) if ev.written_cents else 'no amount'}{_kind(ev.kind)}"
    if ev.fault == "blank":
        return f"box {ev.box}: {ev.player} has written {written}{_FAULT.get(ev.fault, '')}"
    counts = f"; it counts as {dollars(ev.cents)}" if ev.fault else ""
    return f"box {ev.box}: {ev.player} has written {written}{_FAULT.get(ev.fault, '')}{counts}"


def _undisclosed(ev: e.UndisclosedSettled) -> str:
    what = f"box {ev.box}: the undisclosed wager of {ev.player}{_kind(ev.kind)}"
    if ev.result == "won":
        return f"{what} is paid {dollars(ev.cents)}, {ev.odds}"
    if ev.result == "deducted":
        return f"box {ev.box}: the minimum, {dollars(-ev.cents)}, is deducted from {ev.player}"
    if ev.result == "stood-off":
        return f"{what} stands off"
    return f"{what} {'is surrendered and' if ev.result == 'surrendered' else ''} loses {dollars(-ev.cents)}".replace(
        "  ", " "
    )


def _ground(ground: str) -> str:
    return f" {REMOVED_FOR.get(ground, f'for {ground}')}" if ground else ""


def _stacks(chips: dict[str, int]) -> str:
    return ", ".join(f"{name} {dollars(cents)}" for name, cents in chips.items()) or "nobody"


def _round_counted(ev: e.RoundCounted) -> str:
    what = "does not count" if ev.void else "counts again" if ev.again else "counts"
    return f"round {ev.number} {what}: {_stacks(ev.chips)}"


TELL: dict[type[Event], Callable[[Any], str]] = {
    e.SessionBegan: _began,
    e.ChipsAllotted: lambda ev: f"{ev.player} has {dollars(ev.cents)} in tournament chips",
    e.ChipsReturned: lambda ev: f"{ev.player}'s {dollars(ev.cents)} in tournament chips go back to the inventory",
    e.MarkerPlaced: lambda ev: f"the marker lies on box {ev.box}: {ev.player} wagers first",
    e.WagerAsked: lambda ev: f"{ev.player} is asked to wager",
    e.WagerStoodEarly: lambda ev: (
        f"box {ev.box}: {ev.player} wagers out of turn; it stands, and {'another' if not ev.warned_before else 'it'} "
        "may be declared void"
    ),
    e.PassCardPlayed: lambda ev: f"box {ev.box}: {ev.player} plays a pass card",
    e.PassCardCollected: lambda ev: (
        f"{ev.player} has the pass card back" if ev.back else f"the pass card of {ev.player} is collected"
    ),
    e.FormHandedIn: lambda ev: (
        f"box {ev.box}: {ev.player} hands in a form"
        + (f" for {dollars(ev.cents)}" if ev.cents else "")
        + _kind(ev.kind or "original")
    ),
    e.FormGivenBack: lambda ev: f"{ev.player} has the form back",
    e.IndicatorPlaced: lambda ev: f"box {ev.box}: an indicator shows that {ev.player} has an undisclosed wager",
    e.UndisclosedAnnounced: _announced,
    e.UndisclosedSettled: _undisclosed,
    e.FormSeen: lambda ev: f"{ev.player} looks at the form of {ev.of}",
    e.HeldToMinimum: lambda ev: f"{ev.player} is late and held to the minimum of {dollars(ev.cents)}",
    e.MinimumDeducted: lambda ev: f"{ev.player} is absent: {dollars(ev.cents)} is deducted",
    e.WagerMadeUp: lambda ev: f"{_hand(ev)}: {ev.player} makes the wager up by {dollars(ev.cents)}",
    e.EarlyWagerVoided: lambda ev: f"the wager of {ev.player} out of turn is void",
    e.StacksCounted: lambda ev: f"the chips are counted: {_stacks(ev.chips)}",
    e.WagerTimeSet: lambda ev: (
        f"a wager is made within {ev.seconds} seconds" if ev.seconds else "no time is set for a wager"
    ),
    e.RoundCounted: _round_counted,
    e.PlayerEliminated: lambda ev: (
        f"box {ev.box}: {ev.player} is out with {dollars(ev.residual_cents)}"
        + (", without a wager on the round" if ev.why == "no-wager" else "")
    ),
    e.RemovalDue: lambda ev: f"{ev.player} is removed when the round is over{_ground(ev.ground)}",
    e.PlayerRemoved: lambda ev: (
        f"box {ev.box}: {ev.player} is removed from the session{_ground(ev.ground)}" + (f": {ev.why}" if ev.why else "")
    ),
    e.SessionEnded: lambda ev: f"the session is over after {ev.number} rounds: {_stacks(ev.chips)}",
    e.SeatTaken: lambda ev: f"box {ev.box}: {ev.player} sits down",
    e.TableLeft: lambda ev: f"{ev.player} leaves the table",
    e.ChipsBought: lambda ev: f"{ev.player} buys {dollars(ev.cents)} in chips",
    e.ChipsBrought: lambda ev: f"{ev.player} brings {dollars(ev.cents)} in chips",
    e.ChipsTaken: lambda ev: f"{ev.player} takes {dollars(ev.cents)} in chips away",
    e.ChipsCashed: lambda ev: f"{ev.player} gets {dollars(ev.cents)} in cash for chips",
    e.ControlDeclined: lambda ev: f"box {ev.box}: {ev.player} declines control",
    e.ControlSettled: lambda ev: f"box {ev.box}: {ev.player} calls the decisions",
    e.ControlPassed: lambda ev: f"box {ev.box}: control passes to {ev.player}",
    e.WagerPlaced: _placed,
    e.WagerReturned: _returned,
    e.WagerFound: lambda ev: f"box {ev.box}: {ev.player}'s {dollars(ev.cents)} {_FOUND[ev.outcome]}",
    e.BettingClosed: lambda ev: "no more bets" + ": a card has left" * ev.card_left,
    e.ShuffleDue: lambda ev: f"a shuffle is due: {_SHUFFLE[ev.reason]}",
    e.ShuffleOrdered: lambda ev: f"a shuffle is ordered: {ev.reason}",
    e.CardsShuffled: lambda ev: f"the cards are shuffled ({ev.means})",
    e.StackArranged: lambda ev: "the stack lies ready",
    e.CutOffered: lambda ev: f"the cut is offered to {_cutter(ev.player)}",
    e.CutDeclined: lambda ev: f"{_cutter(ev.player)} declines the cut",
    e.CardsCut: lambda ev: f"{_cutter(ev.player)} cuts {ev.depth} cards from the front",
    e.CuttingCardPlaced: lambda ev: f"the cutting card goes in {ev.from_back} cards from the back",
    e.CuttingCardShown: _cutting_card,
    e.CardsReplaced: lambda ev: (
        ("the rest of the cards is void" if ev.checked else "the cards are replaced by new ones")
        + (f": {ev.reason}" if ev.reason else "")
    ),
    e.CardBurned: lambda ev: "a card is burned face down",
    e.JokerShown: lambda ev: f"{_where(ev.box)}: a joker, the next card takes its place",
    e.DiscardsReturned: lambda ev: "the discards go back into the shuffling device",
    e.CardsRanOut: lambda ev: "the cards have run out",
    e.RoundBegan: lambda ev: "the round begins",
    e.CardDealt: _card_dealt,
    e.HandExposed: lambda ev: f"box {ev.box}: {format_cards(ev.cards)} turned up",
    e.CardsCleared: lambda ev: f"{_hand(ev)}: cards to the rack",
    e.InsuranceOffered: lambda ev: "insurance is offered",
    e.InsurancePlaced: lambda ev: f"box {ev.box}: {ev.player} insures for {dollars(ev.cents)}",
    e.InsuranceClosed: lambda ev: "insurance is closed",
    e.SurrenderOffered: lambda ev: "surrender is offered",
    e.WagerSurrendered: lambda ev: f"box {ev.box}: {ev.player} surrenders",
    e.SurrenderDeclined: lambda ev: f"box {ev.box}: {ev.player} does not surrender",
    e.SurrenderClosed: lambda ev: "surrender is closed",
    e.TurnCame: lambda ev: f"{_hand(ev)}: {ev.player} to decide" + (f" on {ev.total}" if ev.total else ""),
    e.HandHit: lambda ev: f"{_hand(ev)}: {ev.player} hits",
    e.HandStood: lambda ev: f"{_hand(ev)}: {ev.player + ' stands' if ev.player else 'the hand is complete'}",
    e.WagerDoubled: lambda ev: f"{_hand(ev)}: {ev.player} doubles for {dollars(ev.cents)}",
    e.DoubleDeclined: lambda ev: f"{_hand(ev)}: {ev.player} does not double",
    e.WagerSplit: lambda ev: f"{_hand(ev)}: {ev.player} splits for {dollars(ev.cents)}",
    e.SplitDeclined: lambda ev: f"{_hand(ev)}: {ev.player} does not split{' again' if ev.ends else ''}",
    e.HandDivided: lambda ev: f"{_hand(ev)}: the cards become two hands",
    e.WagerForfeited: lambda ev: (
        f"{_hand(ev)}: {ev.player} forfeits {dollars(ev.lost_cents)} and takes back {dollars(ev.returned_cents)}"
    ),
    e.WagerKept: lambda ev: f"{_hand(ev)}: {ev.player} keeps the doubled wager",
    e.HandBust: lambda ev: f"{_hand(ev)}: bust with {ev.total}",
    e.NaturalHeld: lambda ev: f"{_hand(ev)}: waits for the final settlement",
    e.DealerFinished: _dealer_finished,
    e.WagerPaid: _paid,
    e.WagerCollected: lambda ev: (
        f"{_hand(ev)}: {ev.player} loses{f' {dollars(ev.cents)}' if ev.cents else ''}, {_LOST[ev.reason]}"
    ),
    e.WagerStoodOff: lambda ev: (
        f"{_hand(ev)}: {ev.player} stands off{f' with {dollars(ev.cents)}' if ev.cents else ''}, {_LOST[ev.reason]}"
    ),
    e.SurrenderSettled: lambda ev: (
        f"{_hand(ev)}: {ev.player} loses {dollars(ev.lost_cents)} by surrender, {dollars(ev.returned_cents)} comes back"
    ),
    e.InsurancePaid: lambda ev: f"box {ev.box}: {ev.player} is paid {dollars(ev.paid_cents)}, {ev.odds}, insurance",
    e.InsuranceCollected: lambda ev: f"box {ev.box}: {ev.player} loses {dollars(ev.cents)} insurance",
    e.SideBetPaid: lambda ev: (
        f"box {ev.box}: {ev.player} is paid {dollars(ev.paid_cents)}, {ev.odds}, {side_bet_name(ev.kind)}: {ev.result}"
    ),
    e.SideBetCollected: lambda ev: f"box {ev.box}: {ev.player} loses {dollars(ev.cents)} on {side_bet_name(ev.kind)}",
    e.SuperBonusEarned: lambda ev: f"box {ev.box}: Super Bonus",
    e.SuperBonusPaid: lambda ev: f"box {ev.box}: {ev.player} is paid a Super Bonus of {dollars(ev.cents)}",
    e.BonusPaid: _bonus,
    e.JackpotWagerCollected: lambda ev: f"box {ev.box}: {ev.player}'s {dollars(ev.cents)} on the jackpot is collected",
    e.JackpotWon: lambda ev: f"box {ev.box}: {ev.player} has {ev.result.replace('-', ' ')} and waits for the link",
    e.JackpotPrizePaid: lambda ev: (
        f"box {ev.box}: {ev.player} is paid a jackpot prize of {dollars(ev.cents)}, {ev.result.replace('-', ' ')}"
    ),
    e.JackpotLost: lambda ev: f"box {ev.box}: {ev.player} wins nothing on the jackpot",
    e.JackpotSet: _jackpot_set,
    e.RoundEnded: lambda ev: "the round is over",
    e.NoticeGiven: lambda ev: (
        f"notice to {ev.to.replace('-', ' ')}: {ev.text}"
        + (f", {ev.due.replace('-', ' ')}" if ev.due.startswith("before-") else "")
    ),
    e.LimitsSet: lambda ev: (
        f"limits{_kind(ev.kind)}: {dollars(ev.minimum_cents)} to {dollars(ev.maximum_cents)}"
        + (f"; {', '.join(ev.kept)} may keep the old minimum" if ev.kept else "")
    ),
    e.MaximumGranted: lambda ev: f"{ev.player} may wager up to {dollars(ev.maximum_cents)}",
    e.PlayerRestricted: _restricted,
    e.RestrictionLifted: lambda ev: f"{ev.player} is no longer restricted",
    e.BoxesLimited: lambda ev: f"{ev.player} is held to {ev.boxes} box{'es' * (ev.boxes > 1)}",
    e.BoxesReserved: _reserved,
    e.PlayersCapped: lambda ev: (
        f"the table takes {ev.players} player{'s' * (ev.players > 1)}" if ev.players else "no cap on players any more"
    ),
    e.BoxesCapped: lambda ev: f"each box takes {ev.players} player{'s' * (ev.players > 1)}",
    e.SideBetRestricted: lambda ev: (
        f"{side_bet_name(ev.kind)} is {'for players with an original wager only' if ev.restricted else 'open to all'}"
    ),
    e.SideBetRequired: lambda ev: (
        f"{side_bet_name(ev.kind)} is {'' if ev.required else 'no longer '}a condition of play"
    ),
    e.ResplitAllowed: lambda ev: f"players may {'' if ev.allowed else 'no longer '}split again",
    e.InterimDeferred: lambda ev: (
        "21s are paid at the final settlement" if ev.deferred else "21s are paid at once again"
    ),
    e.FaceDownOrdered: lambda ev: f"the first two cards are dealt face {'down' if ev.face_down else 'up'}",
    e.IrregularityReported: lambda ev: (
        f"irregularity: {ev.kind.replace('-', ' ')}"
        + (f", {ev.player}" if ev.player else "")
        + (f" on box {ev.box}" if ev.box else "")
        + (f": {ev.reason}" if ev.reason and ev.kind in _SAYS_WHY else "")
        + (f"; the {ev.approval.replace('-', ' ')} approves before the game continues" if ev.approval else "")
    ),
    e.ApprovalGiven: lambda ev: (
        f"the {ev.by.replace('-', ' ')} approves that the game continues" + (f": {ev.reason}" if ev.reason else "")
    ),
    e.WrongCardFound: lambda ev: f"{_where(ev.box)}: {ev.card} appears, which does not belong to the decks",
    e.WrongCardRemoved: lambda ev: f"{ev.card} is dealt to nobody and taken away",
    e.ChecksDue: lambda ev: f"before the next deal: {', '.join(CHECKS.get(check, check) for check in ev.checks)}",
    e.CheckConfirmed: lambda ev: f"the {ev.by.replace('-', ' ')} confirms: {CHECKS.get(ev.check, ev.check)}",
    e.CardDrawnInError: lambda ev: (
        f"{ev.card if ev.exposed else 'a card'} was drawn in error and is the "
        + ("first card of the next round" if ev.undrawn else "next card")
    ),
    e.CardRefused: lambda ev: f"{_hand(ev)}: {ev.player} refuses the card and gets no more",
    e.CardMisplaced: lambda ev: f"{_where(ev.box)}: {ev.card} was dealt",
    e.RoundReconstructed: lambda ev: f"rebuilt: {_layout(ev.before)} becomes {_layout(ev.after)}",
    e.MisdealUnnoticed: lambda ev: "the cards are dealt in the wrong order, and nobody notices it yet",
    e.RoundReopened: lambda ev: f"the round is laid again: {_layout(ev.before)} becomes {_layout(ev.after)}",
    e.RoundTakenBack: lambda ev: (
        f"noticed now: {NOTICED_LATER.get(ev.what, ev.what)}"
        + (f", at card {ev.card}" if ev.card else "")
        + (f", at decision {ev.decision}" if ev.decision else "")
        + f"; the {ev.by.replace('-', ' ')} "
        + ("says so, and the cards stay as they were dealt" if ev.as_dealt else "has the round laid again")
        + (f": {ev.reason}" if ev.reason else "")
    ),
    e.DecisionHeld: lambda ev: (
        f"{in_words(ev.decision)}, as before" + ("" if ev.decision.what in FOUND else ": it still fits")
    ),
    e.DecisionsLapsed: lambda ev: f"asked again, for the cards lie otherwise now: {', '.join(ev.players)}",
    e.CardsSetAside: lambda ev: f"{format_cards(ev.cards)} left over: the next to be dealt",
    e.LayoutLeft: lambda ev: "the cards stay where they are; hands that lack cards are dealt with in turn",
    e.LateHandCame: lambda ev: f"box {ev.box}: {ev.player} draws to the hand that lacks cards, or withdraws",
    e.HandLeftOut: lambda ev: f"{_hand(ev)}: the dealer went past without dealing the card that was due",
    e.OthersAsked: lambda ev: f"{_hand(ev)}: {', '.join(ev.players)} may accept that or take their wagers back",
    e.DecisionAccepted: lambda ev: f"{_hand(ev)}: {ev.player} accepts that",
    e.HandVoided: lambda ev: f"box {ev.box}: void, {format_cards(ev.cards)} burned",
    e.RoundVoided: lambda ev: f"the round is void: {ev.reason}",
    e.EarlierRoundVoided: lambda ev: (
        (
            "the outcome of the round that is over is invalid"
            if ev.paid
            else f"the round {'before this one' if ev.rounds_ago == 1 else f'{ev.rounds_ago} rounds ago'} is void; "
            "later ones stand"
        )
        + (f": {ev.reason}" if ev.reason else "")
    ),
    e.PaymentReversed: _moved,
    e.ResultUndone: _undone,
    e.CardAsked: lambda ev: f"{ev.player} must show a player card of their own before the next wager",
    e.CardAccepted: lambda ev: f"the {ev.by.replace('-', ' ')} is shown {ev.player}'s own player card",
    e.CardsBurnedOpen: lambda ev: f"{format_cards(ev.cards)} burned",
    e.CheckOrdered: lambda ev: "the cards are to be checked after the round" + (f": {ev.reason}" if ev.reason else ""),
    e.BurnForgotten: lambda ev: "the burn was forgotten: the card stays in play",
    e.CutForgotten: lambda ev: "the cut was missed: the cards are shuffled and cut after the round",
    e.ShuffleForgotten: lambda ev: "the shuffle was missed: the cards are shuffled after the round",
    e.DiscardsForgotten: lambda ev: "the discards stay in the rack until the next initial deal is complete",
    e.InsuranceForgotten: lambda ev: "insurance was not offered: it may still be placed until the dealer's second card",
    e.PlayerPassedOver: lambda ev: f"{_hand(ev)}: {ev.player} does not decide",
    e.CardsReplacedInDevice: lambda ev: (
        (f"{format_cards(ev.damaged)} replaced from a new deck" if ev.damaged else "no card is damaged")
        + ("; the cards go into another device" if ev.moved else "")
    ),
    e.SourceChanged: lambda ev: f"cards now come from a {ev.source}" + (f": {ev.reason}" if ev.reason else ""),
    e.RefundOffered: lambda ev: f"{', '.join(ev.players)} may take their wagers back",
    e.RefundDeclined: lambda ev: f"{ev.player} plays on",
    e.RefundTaken: lambda ev: f"{ev.player} takes the wagers back",
    e.PlayerBarred: lambda ev: (
        f"{ev.player} is barred from the game{', and their wagers stand' * ev.wagers_stand}: {ev.reason}"
    ),
    e.WagersVoided: lambda ev: f"the wagers of {ev.player} are void: {ev.reason}",
    e.PersonDetained: lambda ev: f"{ev.player} is detained: {ev.reason}",
    e.MispaymentRecorded: _mispaid,
    e.MispaymentRectified: lambda ev: (
        f"{ev.player} gives {dollars(ev.cents)} back"
        if ev.cents > 0
        else f"{ev.player} is paid {dollars(-ev.cents)} more"
    ),
    e.JackpotFaulted: lambda ev: "the jackpot equipment has failed: no jackpot wagers until it is restored",
    e.JackpotRestored: lambda ev: "the jackpot equipment works again",
    e.DutyReminded: lambda ev: f"{_person(ev.person)} is reminded of a duty: {ev.duty.replace('-', ' ')}",
    e.PlayerPaused: lambda ev: f"{ev.player} pauses until the new period of the loss limit",
    e.PlayerReadmitted: lambda ev: f"{ev.player} may wager again",
    e.SeatVacated: lambda ev: f"{ev.player} gives up the seat",
    e.DisputeRaised: lambda ev: f"{ev.player} disputes: {ev.about}",
    e.DisputeRuled: lambda ev: (
        f"the {ev.by.replace('-', ' ')} rules on the dispute of {ev.player}: {ev.ruling}"
        + (" (reviewed)" if ev.final else "")
    ),
    e.ReviewAsked: lambda ev: f"{ev.player} asks for a review of the ruling",
    e.PatronTold: _told,
    e.DateTurned: lambda ev: f"the gaming day is {ev.date}",
    e.SignDisplayed: _sign,
    e.SignTakenDown: lambda ev: (
        "the sign that the table closes is taken down"
        if ev.what == "closing"
        else f"the sign with new limits{_kind(ev.kind)} is taken down"
    ),
    e.ColoursChanged: lambda ev: f"{ev.player} changes {dollars(ev.cents)} into chips of {dollars(ev.chip_cents)}",
    e.TokensIssued: lambda ev: f"{ev.player} gets {dollars(ev.cents)} in tokens for a voucher",
    e.FloatFilled: lambda ev: f"the float is filled with {dollars(ev.cents)}",
    e.FloatCredited: lambda ev: f"{dollars(ev.cents)} goes from the float to the cage",
    e.TableStopped: lambda ev: "the table is stopped" + (f": {ev.reason}" if ev.reason else ""),
    e.TableResumed: lambda ev: "the table goes on" + (f": {ev.reason}" if ev.reason else ""),
    e.FinalRoundsAnnounced: lambda ev: f"the last {ev.rounds} rounds are announced",
}

RULINGS = frozenset(
    {
        e.RoundVoided, e.EarlierRoundVoided, e.WagersVoided, e.PlayerBarred, e.PersonDetained, e.PlayerRestricted,
        e.RestrictionLifted, e.MispaymentRecorded, e.CheckOrdered, e.ShuffleOrdered, e.SeatVacated, e.PlayerPaused,
        e.PlayerReadmitted, e.WagerReturned, e.TableStopped, e.TableResumed, e.CardsReplaced, e.SourceChanged,
    }
)  # fmt: skip
"""Events that tell somebody's ruling, and name them where it is known who decided."""
