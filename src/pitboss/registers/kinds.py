"""Which event stands in which register, and what the line is called there."""

from __future__ import annotations

from pitboss.patrons import events as p
from pitboss.table import events as e

AT_TABLES: dict[type[e.Event], tuple[str, str]] = {
    e.SignDisplayed: ("limits", "sign"),
    e.SignTakenDown: ("limits", "sign taken down"),
    e.LimitsSet: ("limits", "limits"),
    e.MaximumGranted: ("limits", "personal maximum"),
    e.SideBetRestricted: ("limits", "optional wager"),
    e.SideBetRequired: ("limits", "optional wager"),
    e.PlayerRestricted: ("restrictions", "restricted"),
    e.RestrictionLifted: ("restrictions", "lifted"),
    e.PlayersCapped: ("restrictions", "players capped"),
    e.BoxesCapped: ("restrictions", "players capped"),
    e.PlayerBarred: ("restrictions", "barred"),
    e.WagersVoided: ("restrictions", "wagers void"),
    e.PersonDetained: ("restrictions", "detained"),
    e.BoxesLimited: ("boxes", "held to boxes"),
    e.BoxesReserved: ("boxes", "reserved"),
    e.SeatVacated: ("boxes", "seat vacated"),
    e.CardAsked: ("player-cards", "card asked for"),
    e.CardAccepted: ("player-cards", "card shown"),
    e.PatronTold: ("player-cards", "card checked"),
    e.PlayerPaused: ("player-limits", "pause"),
    e.PlayerReadmitted: ("player-limits", "readmitted"),
    e.MispaymentRecorded: ("mispayments", "accidental"),
    e.MispaymentRectified: ("mispayments", "put right"),
    e.ChipsBought: ("changes", "cash change"),
    e.ChipsCashed: ("changes", "chips cashed"),
    e.ColoursChanged: ("changes", "colour change"),
    e.TokensIssued: ("changes", "tokens"),
    e.FloatFilled: ("changes", "fill"),
    e.FloatCredited: ("changes", "credit"),
    e.DisputeRaised: ("disputes", "raised"),
    e.DisputeRuled: ("disputes", "ruled"),
    e.ReviewAsked: ("disputes", "review asked for"),
    e.IrregularityReported: ("irregularities", "reported"),
    e.RoundVoided: ("irregularities", "round void"),
    e.EarlierRoundVoided: ("irregularities", "round void"),
    e.RoundReconstructed: ("irregularities", "round rebuilt"),
    e.RoundReopened: ("irregularities", "round rebuilt"),
    e.RoundTakenBack: ("irregularities", "round rebuilt"),
    e.DutyReminded: ("irregularities", "reminded of a duty"),
    e.TableStopped: ("irregularities", "table stopped"),
    e.TableResumed: ("irregularities", "table goes on"),
    e.SourceChanged: ("devices", "source changed"),
    e.CardsReplacedInDevice: ("devices", "cards replaced"),
    e.JackpotFaulted: ("devices", "jackpot equipment failed"),
    e.JackpotRestored: ("devices", "jackpot equipment restored"),
    e.ApprovalGiven: ("approvals", "game goes on"),
    e.ResplitAllowed: ("approvals", "third hand"),
    e.InterimDeferred: ("approvals", "interim payments"),
    e.FaceDownOrdered: ("approvals", "face down"),
    e.FinalRoundsAnnounced: ("closures", "last rounds"),
    e.CardsReplaced: ("cards", "cards replaced"),
    e.ShuffleOrdered: ("cards", "shuffle ordered"),
    e.CheckOrdered: ("cards", "check ordered"),
    e.JackpotWon: ("jackpots", "won"),
    e.JackpotPrizePaid: ("jackpots", "paid"),
    e.JackpotSet: ("jackpots", "set"),
}
"""Events at tables. Some go elsewhere by what they say (`place_of`)."""

PLACED = frozenset({*AT_TABLES, e.WagerReturned})
"""Events that may have a line."""

DEVICES = frozenset({"shuffling-device-malfunction", "jam", "jackpot-fault"})
WRONG_CARDS = frozenset({"missing-card", "foreign-card"})
BY_KIND = {**dict.fromkeys(DEVICES, "devices"), **dict.fromkeys(WRONG_CARDS, "wrong-cards")}
"""Irregularities that have a register of their own."""
RETURNED = {"invalid": ("player-cards", "invalid wager"), "loss-limit": ("player-limits", "above a loss limit")}
"""Wagers that went back for a reason that is registered."""
JACKPOT_REASONS = frozenset({"link", "paid"})
"""Why a jackpot stands elsewhere without anything to register: the lines of its prizes say so."""


BY_WHAT_THEY_SAY = frozenset(
    {e.SignDisplayed, e.SignTakenDown, e.IrregularityReported, e.MispaymentRecorded, e.JackpotSet, e.WagerReturned}
)


def place_of(event: e.Event) -> tuple[str, str] | None:
    """The register and the kind of an event's line; None for one that is in no register."""
    if type(event) not in BY_WHAT_THEY_SAY:
        return AT_TABLES.get(type(event))
    match event:
        case e.IrregularityReported(kind=kind):
            return BY_KIND.get(kind, "irregularities"), kind.replace("-", " ")
        case e.SignDisplayed(what="closing") | e.SignTakenDown(what="closing"):
            return "closures", AT_TABLES[type(event)][1]
        case e.MispaymentRecorded(intentional=True):
            return "mispayments", "suspected intent"
        case e.JackpotSet(reason=reason) if reason in JACKPOT_REASONS:
            return None
        case e.WagerReturned(by=by) if by:
            return "restrictions", "wager refused"
        case e.WagerReturned(reason=reason):
            return RETURNED.get(reason)
    return AT_TABLES.get(type(event))


IN_FILES: dict[type[p.PatronEvent], tuple[str, str]] = {
    p.PatronRestricted: ("restrictions", "restricted"),
    p.PatronRestrictionLifted: ("restrictions", "lifted"),
    p.Excluded: ("restrictions", "excluded"),
    p.Admitted: ("restrictions", "admitted"),
    p.Recognised: ("restrictions", "recognised"),
    p.MaximumAllowed: ("limits", "personal maximum"),
    p.Identified: ("player-cards", "identified"),
    p.CardIssued: ("player-cards", "card issued"),
    p.CardWithdrawn: ("player-cards", "card withdrawn"),
    p.CardLent: ("player-cards", "card lent"),
    p.CardReturned: ("player-cards", "card returned"),
    p.HelperNamed: ("player-cards", "helper"),
    p.LossLimitSet: ("player-limits", "loss limit"),
    p.DepositLimitSet: ("player-limits", "deposit limit"),
    p.Deposited: ("player-limits", "deposit"),
    p.ChipsDeclared: ("player-limits", "declaration"),
    p.Paused: ("player-limits", "pause"),
    p.Resumed: ("player-limits", "readmitted"),
}
"""Events of people's files."""

_ALSO: tuple[type[e.Event], ...] = (
    e.WagerReturned, e.NoticeGiven, e.TableLeft, e.SeatTaken, e.JackpotWagerCollected, e.CheckConfirmed,
)  # fmt: skip
WATCHED: frozenset[bytes] = frozenset(kind.__name__.encode() for kind in (*AT_TABLES, *_ALSO))
"""Names of events for which an entry is looked into; of all others the registers learn nothing."""
