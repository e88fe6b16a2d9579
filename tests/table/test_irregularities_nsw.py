"""When things go wrong in Sydney: who may say so, who is told, and the steps when the shuffling device fails."""

from __future__ import annotations

import itertools
from collections import Counter

import msgspec
import pytest

from pitboss import load, open_table, play, refusal, waiting_for
from pitboss.basics.cards import parse_cards
from pitboss.chance import shuffled
from pitboss.rulebooks.clauses import is_within
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.house import DEVICE, SHOE, Patron, default_house
from pitboss.table.roles import RANK
from pitboss.table.shuffle_and_cut import cards_to_shuffle, full_stack
from pitboss.table.state import Table

PONTOON, CHALLENGE = "nsw-pontoon", "nsw-blackjack-challenge"
BOTH = (PONTOON, CHALLENGE)
SUPERVISOR = "casino-supervisor"
ROUND = "9s 9c 9h 8d 8c Kd Kc 5c 6c 7c"
BETS = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000))


def in_round(rulebook: str, cards: str = ROUND, **house: object) -> Table:
    """Alice on box 1 and bob on box 2, after the initial deal."""
    table = open_table(rulebook, cards=cards, house=default_house(load(rulebook), **house))
    return play(table, *BETS, a.Deal())[0]


def whole_device(rulebook: str) -> Table:
    """The same with whole decks in a shuffling device, so that every card can be counted."""
    table = open_table(rulebook, house=default_house(load(rulebook), source=DEVICE, side_bets=()))
    cards = sorted(full_stack(table), key=lambda card: card[0] in "A7")  # no natural, no 21 in three cards by chance
    first = list(parse_cards("2c 9s 9c 9h 8d 8c"))
    for card in first:
        cards.remove(card)
    table, _ = play(table, a.Shuffle((*first, *cards), DEVICE), *BETS, a.Deal())
    assert table.phase == "play"
    return table


def of_kind(events: tuple[e.Event, ...], kind: type[e.Event]) -> list[e.Event]:
    return [event for event in events if isinstance(event, kind)]


def notices(events: tuple[e.Event, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(event.to, event.clauses) for event in events if isinstance(event, e.NoticeGiven)]


def cites(event: e.Event, clause: str) -> bool:
    return any(is_within(cited, clause) for cited in event.clauses)


def chapter(rulebook: str, pontoon: str) -> str:
    """The twin in Blackjack Challenge of a clause of the chapter on the shuffling device."""
    return pontoon if rulebook == PONTOON else f"19{pontoon[2:]}"


# --- who may ---------------------------------------------------------------------------------------------------------

FOR_SUPERVISORS = (
    (a.VoidRound(SUPERVISOR, "a card went astray"), "17.8", "18.8"),
    (a.FindWrongCards(SUPERVISOR, "missing"), "17.16", "18.15"),
    (a.FindWrongCards(SUPERVISOR, "foreign"), "17.16", "18.15"),
    (a.CheckSource(SUPERVISOR), "17.1.1", "18.1.1"),
    (a.DropCards(SUPERVISOR), "4.6.1", "4.6.1"),
    (a.FindInvalidWager(SUPERVISOR, "alice", 1), "17.21", "18.21"),
    (a.BarPlayer(SUPERVISOR, "alice", "a calculator"), "19.8", "20.8"),
    (a.InvalidateRound(SUPERVISOR, "disturbance"), "19.9", "20.9"),
    (a.InvalidateRound(SUPERVISOR, "fraud", ("alice",)), "19.9", "20.9"),
    (a.RecordMispayment(SUPERVISOR, "alice", 500), "17.18", "18.18"),
)


@pytest.mark.clause("nsw-pontoon", "17.8", "17.16", "17.1.1", "4.6.1", "17.21", "19.8", "19.9", "19.10", "17.18")
@pytest.mark.clause(
    "nsw-blackjack-challenge", "18.8", "18.15", "18.1.1", "4.6.1", "18.21", "20.8", "20.9", "20.10", "18.18"
)
@pytest.mark.parametrize(("act", "pontoon", "challenge"), FOR_SUPERVISORS)
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_supervisor_may_and_neither_a_dealer_nor_an_outsider(
    rulebook: str, act: Act, pontoon: str, challenge: str
) -> None:
    table = in_round(rulebook, source=DEVICE, side_bets=())
    for role in ("dealer", "inspector", "player", ""):
        refused = refusal(table, msgspec.structs.replace(act, by=role))
        assert refused is not None, f"{role} may"
        assert any(is_within(clause, pontoon if rulebook == PONTOON else challenge) for clause in refused.clauses)
    for role in RANK:
        if role != "dealer":
            assert refusal(table, msgspec.structs.replace(act, by=role)) is None, f"{role} may not"


@pytest.mark.clause("nsw-pontoon", "17.8", "18.1.2")
@pytest.mark.clause("nsw-blackjack-challenge", "18.8", "19.1.2")
@pytest.mark.parametrize("rulebook", BOTH)
def test_what_the_dealer_sees_the_dealer_says(rulebook: str) -> None:
    table = in_round(rulebook, source=DEVICE, side_bets=())
    assert refusal(table, a.ReportMalfunction("dealer")) is None
    assert refusal(table, a.ReportMalfunction("inspector")) is not None
    table = open_table(rulebook, cards=ROUND)
    table, _ = play(table, *BETS, a.Misdeal((1, 2, 2, 0, 1)))
    assert refusal(table, a.Reconstruct("dealer")) is None
    assert refusal(table, a.Reconstruct("inspector")) is not None
    assert refusal(table, a.Stand("alice", 1)) is not None
    assert waiting_for(table).what == "reconstruction"


@pytest.mark.clause("nsw-pontoon", "17.8")
@pytest.mark.clause("nsw-blackjack-challenge", "18.8")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_rebuilt_round_is_shown_before_and_after_and_needs_no_approval(rulebook: str) -> None:
    table = open_table(rulebook, cards=ROUND)
    table, events = play(table, *BETS, a.Misdeal((1, 2, 2, 0, 1)), a.Reconstruct("dealer"))
    (rebuilt,) = of_kind(events, e.RoundReconstructed)
    assert isinstance(rebuilt, e.RoundReconstructed)
    cards = parse_cards("9s 9c 9h 8d 8c")
    assert rebuilt.before == tuple(zip((1, 2, 2, 0, 1), cards, strict=True))
    assert rebuilt.after == tuple(zip((1, 2, 0, 1, 2), cards, strict=True))
    assert not table.approval_due
    assert notices(events) == []
    assert refusal(table, a.VoidRound(SUPERVISOR, " ")) is not None, "a round is not void without a reason"


# --- missing and foreign cards ---------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.16.3", "17.16.4")
@pytest.mark.clause("nsw-blackjack-challenge", "18.15.3", "18.15.4")
@pytest.mark.parametrize("what", ["missing", "foreign"])
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_wrong_card_retires_the_source_and_is_told_to_surveillance_and_an_inspector(rulebook: str, what: str) -> None:
    clause = "17.16.4" if rulebook == PONTOON else "18.15.4"
    for table in (in_round(rulebook), open_table(rulebook, cards=ROUND)):
        after, events = play(table, a.FindWrongCards(SUPERVISOR, what))
        assert notices(events) == [("surveillance", (clause,)), ("inspector", (clause,))]
        assert bool(of_kind(events, e.RoundVoided)) is (table.phase != "wagers")
        assert of_kind(events, e.CardsReplaced)
        assert (after.preparation, after.shuffle_reason, after.stack) == ("shuffle", "new-cards", ())
        assert set(after.net.values()) <= {0}


# --- payments that were wrong ----------------------------------------------------------------------------------------


@pytest.mark.clause(
    "nsw-pontoon", "17.18", "17.18.1", "17.18.2", "17.20.1", "17.20.1.1", "17.20.1.2", "17.19", "17.19.1", "17.19.2"
)
@pytest.mark.clause(
    "nsw-blackjack-challenge",
    "18.18",
    "18.18.1",
    "18.18.2",
    "18.20.1",
    "18.20.1.1",
    "18.20.1.2",
    "18.19",
    "18.19.1",
    "18.19.2",
)
@pytest.mark.parametrize("over", [True, False])
@pytest.mark.parametrize("rectified", [True, False])
@pytest.mark.parametrize("intentional", [True, False])
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_wrong_payment_is_recorded_and_put_right_or_the_attempt_is(
    rulebook: str, intentional: bool, rectified: bool, over: bool
) -> None:
    """Who, how much, whether it was meant, and what was done about it."""
    table = open_table(rulebook, cards=ROUND)
    after, events = play(table, a.RecordMispayment(SUPERVISOR, "alice", 5000, over, rectified, intentional))
    cents = 5000 if over else -5000
    (recorded,) = of_kind(events, e.MispaymentRecorded)
    assert isinstance(recorded, e.MispaymentRecorded)
    assert (recorded.player, recorded.cents, recorded.intentional) == ("alice", cents, intentional)
    assert not recorded.reported
    assert len(of_kind(events, e.MispaymentRectified)) == rectified
    assert after.net == {"alice": 0 if rectified else cents}
    texts = {event.to: event.text for event in events if isinstance(event, e.NoticeGiven)}
    assert ("players" in texts) is not rectified
    assert rectified or texts["players"].startswith("alice is asked to give back" if over else "alice is to be paid")
    assert (SUPERVISOR in texts) is intentional
    assert "regulator" not in texts


@pytest.mark.clause("nsw-pontoon", "17.20:tail")
@pytest.mark.clause("nsw-blackjack-challenge", "18.20.3")
@pytest.mark.parametrize(("cents", "reported"), [(99_999, False), (100_000, False), (100_001, True), (500_000, True)])
@pytest.mark.parametrize("over", [True, False])
@pytest.mark.parametrize("rulebook", BOTH)
def test_only_what_exceeds_a_thousand_dollars_is_in_the_monthly_report(
    rulebook: str, over: bool, cents: int, reported: bool
) -> None:
    clause = "17.20:tail" if rulebook == PONTOON else "18.20.3"
    for rectified in (True, False):
        _, events = play(
            open_table(rulebook, cards=ROUND), a.RecordMispayment(SUPERVISOR, "alice", cents, over, rectified)
        )
        assert [event.reported for event in events if isinstance(event, e.MispaymentRecorded)] == [reported]
        assert (("regulator", (clause,)) in notices(events)) is reported


# --- people ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.22", "17.22.1")
@pytest.mark.clause("nsw-blackjack-challenge", "18.22", "18.22.1")
@pytest.mark.parametrize("rulebook", BOTH)
def test_whoever_exceeded_a_loss_limit_is_reminded_of_the_duties(rulebook: str) -> None:
    table = open_table(rulebook, cards=ROUND, players={"alice": Patron(loss_limit_cents=2000)})
    table, _ = play(table, *BETS, a.Deal())
    found = a.FindLossExcess("dealer", "alice")
    assert refusal(table, found) is not None, "nothing exceeds the limit yet"
    table, _ = play(table, a.RecordMispayment(SUPERVISOR, "alice", 1400, over=False, rectified=False))
    assert refusal(table, msgspec.structs.replace(found, by="inspector")) is not None
    after, events = play(table, found)
    returned = [(ev.player, ev.cents, ev.reason) for ev in events if isinstance(ev, e.WagerReturned)]
    assert returned == [("alice", 400, "loss-limit")]
    assert [to for to, _ in notices(events)] == ["players"]
    assert after.boxes[1].hands[0].wagers["alice"].cents == 600


@pytest.mark.clause("nsw-pontoon", "17.22.1")
@pytest.mark.clause("nsw-blackjack-challenge", "18.22.1")
@pytest.mark.parametrize("rulebook", BOTH)
def test_what_exceeds_the_limit_before_the_deal_goes_back_from_the_last_wager_on(rulebook: str) -> None:
    table = open_table(rulebook, cards=ROUND, players={"alice": Patron(loss_limit_cents=6000)})
    bets = (a.PlaceWager("alice", 1, 2000), a.PlaceWager("alice", 2, 2000), a.PlaceWager("alice", 3, 2000))
    short = a.RecordMispayment(SUPERVISOR, "alice", 3000, over=False, rectified=False)
    table, _ = play(table, *bets, short)
    table, events = play(table, a.FindLossExcess(SUPERVISOR, "alice"))
    assert [(ev.box, ev.cents) for ev in events if isinstance(ev, e.WagerReturned)] == [(3, 2000), (2, 1000)]


@pytest.mark.clause("nsw-pontoon", "19.1", "19.1.1", "19.1.2")
@pytest.mark.clause("nsw-blackjack-challenge", "20.1", "20.1.1", "20.1.2")
@pytest.mark.parametrize("rulebook", BOTH)
def test_neither_a_claim_nor_the_owner_of_the_money_cures_an_invalid_wager(rulebook: str) -> None:
    """Nothing but player, box and a reason can be said of it, and there is nobody who could allow it."""
    assert {field.name for field in msgspec.structs.fields(a.FindInvalidWager)} == {"by", "player", "box", "reason"}
    cardless = open_table(rulebook, cards=ROUND, players={"alice": Patron(card=False)})
    assert refusal(cardless, BETS[0]) is not None
    table, events = play(in_round(rulebook), a.FindInvalidWager(SUPERVISOR, "alice", 1))
    assert [(ev.player, ev.cents) for ev in events if isinstance(ev, e.WagerReturned)] == [("alice", 1000)]
    assert table.net["alice"] == 0


@pytest.mark.clause("nsw-pontoon", "19.8", "19.8.1", "19.8.2")
@pytest.mark.clause("nsw-blackjack-challenge", "20.8", "20.8.1", "20.8.2")
@pytest.mark.parametrize("rulebook", BOTH)
def test_a_barred_person_loses_no_wager_and_places_no_other(rulebook: str) -> None:
    table, events = play(in_round(rulebook), a.BarPlayer(SUPERVISOR, "alice", "a calculator"))
    assert [ev.player for ev in events if isinstance(ev, e.WagerReturned)] == ["alice"]
    assert [ev.reason for ev in events if isinstance(ev, e.PlayerBarred)] == ["a calculator"]
    table, _ = play(table, a.Stand("bob", 2))
    assert table.net["alice"] == 0
    for act in (BETS[0], a.BuyChips("alice", 1000)):
        refused = refusal(table, act)
        assert refused is not None
        assert any(is_within(clause, "19.8" if rulebook == PONTOON else "20.8") for clause in refused.clauses)
    assert refusal(table, BETS[1]) is None


@pytest.mark.clause("nsw-pontoon", "19.10")
@pytest.mark.clause("nsw-blackjack-challenge", "20.10")
@pytest.mark.parametrize("rulebook", BOTH)
def test_only_fraud_forfeits_and_only_the_wagers_of_those_named(rulebook: str) -> None:
    table = in_round(rulebook)
    assert refusal(table, a.InvalidateRound(SUPERVISOR, "disturbance", ("alice",))) is not None
    assert refusal(table, a.InvalidateRound(SUPERVISOR, "boredom")) is not None
    for cause, forfeit, net in (
        ("disturbance", (), {"alice": 0, "bob": 0}),
        ("fraud", (), {"alice": 0, "bob": 0}),
        ("fraud", ("bob",), {"alice": 0, "bob": -1000}),
    ):
        after, _ = play(table, a.InvalidateRound(SUPERVISOR, cause, forfeit))
        assert (after.phase, after.net) == ("wagers", net)


# --- discards --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.15")
@pytest.mark.clause("nsw-blackjack-challenge", "18.14")
@pytest.mark.parametrize("rulebook", BOTH)
def test_forgotten_discards_go_back_one_initial_deal_later(rulebook: str) -> None:
    cards = "9s 9h 8d Kd 9c 9d 8c Kc 9s 9h 8d Kd"
    table = open_table(rulebook, cards=cards, house=default_house(load(rulebook), source=DEVICE, side_bets=()))
    table, _ = play(table, BETS[0], a.Deal(), a.Stand("alice", 1), a.ForgetDiscards(), BETS[0])
    table, events = play(table, a.Deal())
    assert of_kind(events, e.DiscardsReturned) == []
    assert sorted(table.rack) == sorted(parse_cards("9s 9h 8d Kd"))
    table, _ = play(table, a.Stand("alice", 1), BETS[0])
    assert len(table.rack) == 8
    table, events = play(table, a.Deal())
    assert [event.count for event in events if isinstance(event, e.DiscardsReturned)] == [8]
    assert table.rack == ()


# --- the shuffling device fails --------------------------------------------------------------------------------------

CASES = list(itertools.product((False, True), repeat=4))


@pytest.mark.clause("nsw-pontoon", "18.1", "18.1.1", "18.1.2", "18.1.3", "18.1.4", "18.1.5", "18.2", "18.3", "18.3.1")
@pytest.mark.clause("nsw-pontoon", "18.3.2", "18.3.3", "18.3.4", "18.4", "18.5", "18.5.1", "18.5.2", "18.5.3", "18.5.4")
@pytest.mark.clause(
    "nsw-blackjack-challenge", "19.1", "19.1.1", "19.1.2", "19.1.3", "19.1.4", "19.1.5", "19.2", "19.3", "19.3.1"
)
@pytest.mark.clause(
    "nsw-blackjack-challenge", "19.3.2", "19.3.3", "19.3.4", "19.4", "19.5", "19.5.1", "19.5.2", "19.5.3", "19.5.4"
)
@pytest.mark.clause("nsw-blackjack-challenge", "19.5.5")
@pytest.mark.parametrize(("disadvantage", "spare", "transferable", "damage"), CASES)
@pytest.mark.parametrize("rulebook", BOTH)
def test_every_way_in_which_a_device_may_fail(
    rulebook: str, disadvantage: bool, spare: bool, transferable: bool, damage: bool
) -> None:
    table = whole_device(rulebook)
    damaged = table.stack[-2:] if damage else ()
    after, events = play(table, a.ReportMalfunction("dealer", damaged, disadvantage, spare, transferable))
    steps = [type(event) for event in events]
    moved = spare and transferable
    replaced = [event for event in events if isinstance(event, e.CardsReplacedInDevice)]

    expected: list[type[e.Event]] = [e.IrregularityReported]
    if disadvantage:
        expected += [e.RoundVoided, e.WagerReturned, e.WagerReturned, e.RoundEnded]
    elif not moved:
        expected += [e.RefundOffered]
    if moved or damage:
        expected += [e.CardsReplacedInDevice]
    if not moved:
        expected += [e.SourceChanged, e.ShuffleDue]
    assert steps == expected

    assert [(event.damaged, event.moved) for event in replaced] == ([(damaged, moved)] if moved or damage else [])
    for event in replaced:
        case = ("18.3" if moved else "18.5") if damage else "18.4" if disadvantage else "18.2"
        assert cites(event, chapter(rulebook, case))
    assert after.house.source == (DEVICE if moved else SHOE)
    assert Counter(after.stack[after.position :]) + Counter(on_the_table(after)) == Counter(full_stack(after))
    if disadvantage:
        (ended,) = [event for event in events if isinstance(event, e.RoundVoided)]
        assert cites(ended, chapter(rulebook, "18.4"))
        assert (after.phase, after.net) == ("wagers", {"alice": 0, "bob": 0})
        assert refusal(after, a.TakeBack("alice")) is not None
    elif moved:
        assert refusal(after, a.Stand("alice", 1)) is None
        assert refusal(after, a.TakeBack("alice")) is not None
    else:
        finish_from_a_shoe(rulebook, after, len(table.stack) - table.position)


def on_the_table(table: Table) -> list[str]:
    cards = [*table.rack, *table.dealer_cards]
    for box in table.boxes.values():
        for hand in box.hands:
            cards += hand.cards
    return cards


def finish_from_a_shoe(rulebook: str, table: Table, inside: int) -> None:
    """First the offer, then shuffle and cut of what was in the device, then the round for who stayed."""
    assert waiting_for(table).who == ("alice", "bob")
    left = cards_to_shuffle(table)
    assert len(left) == inside
    shuffle = a.Shuffle(shuffled(left, 1), "hand")
    for early in (shuffle, a.Stand("alice", 1), a.Deal()):
        refused = refusal(table, early)
        assert refused is not None
        assert any(is_within(clause, chapter(rulebook, "18.5")) for clause in refused.clauses)
    table, events = play(table, a.TakeBack("alice"), a.PlayOn("bob"))
    assert [(ev.player, ev.cents) for ev in events if isinstance(ev, e.WagerReturned)] == [("alice", 1000)]
    assert refusal(table, a.Stand("bob", 2)) is not None
    assert refusal(table, msgspec.structs.replace(shuffle, means=DEVICE)) is not None
    table, events = play(table, shuffle)
    assert of_kind(events, e.CutOffered)
    assert refusal(table, a.Stand("bob", 2)) is not None
    table, _ = play(table, a.Cut(table.cut_offered, inside // 2), a.PlaceCuttingCard(inside // 3))
    table, events = play(table, a.Stand("bob", 2))
    assert [type(ev) for ev in events][-1] in (e.RoundEnded, e.ShuffleDue)
    assert table.net["alice"] == 0
    assert table.house.source == SHOE
    assert Counter(table.stack[table.position :]) + Counter(table.rack) == Counter(full_stack(table))


@pytest.mark.clause("nsw-pontoon", "18.5.1")
@pytest.mark.parametrize("insured", [True, False])
def test_insurance_alone_is_a_wager_to_take_back(insured: bool) -> None:
    """Alice's hand made 21 and is paid; her insurance still waits for the dealer's second card."""
    house = default_house(load(PONTOON), source=DEVICE)
    table = open_table(PONTOON, cards="6s 9c Ah 5d 8c Kd", house=house)
    table, _ = play(table, *BETS, a.Deal())
    if insured:
        table, _ = play(table, a.Insure("alice", 1, 500))
    table, _ = play(table, a.CloseInsurance(), a.CloseSurrender(), a.Hit("alice", 1))
    table, _ = play(table, a.ReportMalfunction("dealer"))
    assert set(table.refund_asked) == ({"alice", "bob"} if insured else {"bob"})
    if insured:
        table, _ = play(table, a.TakeBack("alice"))
        assert table.net["alice"] == 1000


@pytest.mark.clause("nsw-blackjack-challenge", "19.5.6")
def test_the_shoe_stays_until_a_supervisor_has_a_device_again() -> None:
    table = in_round(CHALLENGE, source=DEVICE, side_bets=())
    assert refusal(table, a.RepairDevice(SUPERVISOR)) is not None, "nothing has failed"
    table, _ = play(table, a.ReportMalfunction("dealer", disadvantage=True))
    assert table.house.source == SHOE
    assert refusal(table, a.RepairDevice("dealer")) is not None
    table, events = play(table, a.RepairDevice(SUPERVISOR))
    assert [event.source for event in events if isinstance(event, e.SourceChanged)] == [DEVICE]
    assert (table.house.source, table.shuffle_reason) == (DEVICE, "new-cards")
