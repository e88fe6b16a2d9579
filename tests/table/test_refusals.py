"""Refusals that no round of the collection meets: each cites its clause, says why, and leaves the table as it was."""

from __future__ import annotations

import msgspec
import pytest

from pitboss import decide, load, open_table, play, refusal
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.clauses import exists, is_within
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.blazing_sevens import Link
from pitboss.table.house import BLAZING, DEVICE, Patron, default_house
from pitboss.table.refusals import Broken, Refusal, Refused
from pitboss.table.roles import may_act
from pitboss.table.run import Run, chips_left
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table, draft, snapshot
from pitboss.table.telling import tell
from tests.books import ACT2, ACT5, ADL, BJC, NSW

SUPERVISOR, MANAGER = "casino-supervisor", "gaming-manager"
ROUND = "9s 9c 9h 8d 8c Kd Kc 5c 6c 7c"
BETS = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000))


def opened(rulebook: str, cards: str | None = ROUND, **house: object) -> Table:
    return open_table(rulebook, cards=cards, house=default_house(load(rulebook), **house))


def in_round(rulebook: str, cards: str = ROUND, **house: object) -> Table:
    """Alice on box 1 and bob on box 2, after the initial deal."""
    return play(opened(rulebook, cards, **house), *BETS, a.Deal())[0]


def says_no(table: Table, act: Act, clause: str, words: str) -> None:
    """The act is refused by that clause in that sense, through every door, and nothing changes."""
    before = snapshot(table)
    refused = refusal(table, act)
    assert isinstance(refused, Refusal), "it is allowed"
    assert any(is_within(cited, clause) for cited in refused.clauses) and len(refused.clauses) <= 4, refused
    assert all(exists(table.rulebook.id, cited) for cited in refused.clauses)
    assert words in refused.text and refused.rulebook == table.rulebook.name
    assert decide(table, act) == refused
    with pytest.raises(Refused) as caught:
        play(table, act)
    assert caught.value.refusal == refused and str(caught.value) == str(refused)
    assert snapshot(table) == before


# --- the floor -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "6.1", "6.4", "6.5.2", "6.5.3", "6.6")
@pytest.mark.parametrize(
    ("act", "clause", "words"),
    [
        (a.SetLimits(SUPERVISOR, 0, 5000), "6.1", "above zero"),
        (a.SetLimits(SUPERVISOR, 6000, 5000), "6.1", "not above the maximum"),
        (a.SetLimits(SUPERVISOR, 500, 5000, "star-pairs"), "6.4", "no limits for 'star-pairs'"),
        (a.SetLimits(SUPERVISOR, 500, 5000, BLAZING), "6.4", "no limits for 'blazing-7s'"),
        (a.SetLimits(SUPERVISOR, 1000, 5000, notice_minutes=19, keep_old_minimum=False), "6.5.2", "20 minutes"),
        (a.SetLimits(SUPERVISOR, 1000, 5000, notice_minutes=-1), "6.5.2", "how many minutes"),
        (a.SetLimits("dealer", 500, 5000), "6.5", "the casino supervisor may alter the limits, not the dealer"),
        (a.GrantMaximum(SUPERVISOR, "alice", 100_000), "6.6", "above the sign's $1,000.00"),
        (a.GrantMaximum(SUPERVISOR, "alice", 200_000, 0), "6.6", "above zero"),
        (a.GrantMaximum(SUPERVISOR, "alice", 200_000, 300_000), "6.6", "not above the maximum"),
        (a.GrantMaximum(SUPERVISOR, "dealer", 200_000), "5.5", "cannot be a player's name"),
        (a.GrantMaximum(SUPERVISOR, "9 lives", 200_000), "5.5", "beginning with a letter"),
    ],
)
def test_limits_that_no_sign_may_show(act: Act, clause: str, words: str) -> None:
    says_no(opened(NSW), act, clause, words)


@pytest.mark.clause("nsw-pontoon", "6.5.2", "6.5.3")
def test_a_notice_of_twenty_minutes_or_the_old_minimum_is_enough() -> None:
    table = open_table(NSW, cards=ROUND, players={"alice": Patron(seat=1)})
    noticed, _ = play(table, a.SetLimits(SUPERVISOR, 1000, 5000, notice_minutes=20, keep_old_minimum=False))
    assert noticed.players["alice"].minimum_cents == 0
    kept, _ = play(table, a.SetLimits(SUPERVISOR, 1000, 5000))
    assert kept.players["alice"].minimum_cents == table.house.minimum_cents
    assert refusal(kept, a.PlaceWager("alice", 1, 500)) is None
    says_no(noticed, a.PlaceWager("alice", 1, 500), "6.1", "$10.00")


@pytest.mark.clause("canberra-pontoon-2005", "3.1")
@pytest.mark.clause("canberra-pontoon-2002", "3.1")
@pytest.mark.parametrize("rulebook_id", ["canberra-pontoon-2005", "canberra-pontoon-2002"])
def test_limits_in_canberra_change_once_the_players_were_told(rulebook_id: str) -> None:
    table = open_table(rulebook_id, cards=ROUND, players={"alice": Patron(seat=1)})
    says_no(table, a.SetLimits(SUPERVISOR, 1000, 50_000), "3.1", "tells them first")
    says_no(table, a.SetLimits(SUPERVISOR, 500, 50_000), "3.1", "tells them first")
    assert refusal(table, a.SetLimits(SUPERVISOR, 1000, 50_000, notice_minutes=5)) is None
    assert refusal(table, a.SetLimits(SUPERVISOR, table.house.minimum_cents, table.house.maximum_cents)) is None
    told, _ = play(table, a.DisplaySign(SUPERVISOR, "limits", 1, 1000, 50_000))
    assert refusal(told, a.SetLimits(SUPERVISOR, 1000, 50_000)) is None
    says_no(told, a.SetLimits(SUPERVISOR, 2000, 50_000), "3.1", "tells them first")
    left, _ = play(table, a.LeaveTable("alice"))
    assert refusal(left, a.SetLimits(SUPERVISOR, 1000, 50_000)) is None


@pytest.mark.clause("nsw-pontoon", "17.18")
def test_what_was_paid_is_a_wager_or_an_exchange() -> None:
    table = open_table(NSW, cards=ROUND, players={"alice": Patron(seat=1)})
    says_no(table, a.RecordMispayment(SUPERVISOR, "alice", 500, exchange="fill"), "17.18", "not 'fill'")


@pytest.mark.clause("nsw-pontoon", "15.2", "6.4")
def test_the_limits_of_an_optional_wager_are_altered_on_their_own() -> None:
    table = opened(NSW)
    after, events = play(table, a.SetLimits(SUPERVISOR, 200, 5000, "perfect-pairs"))
    assert after.house.side_limits["perfect-pairs"] == (200, 5000)
    assert (after.house.minimum_cents, after.house.maximum_cents) == (500, 100_000)
    assert isinstance(events[0], e.LimitsSet) and events[0].kept == ()


@pytest.mark.clause("adelaide-pontoon-2008", "13", "20", "77", "83", "85", "67(a)")
@pytest.mark.parametrize(
    ("act", "clause", "words"),
    [
        (a.GrantMaximum(MANAGER, "alice", 200_000), "13", "let nobody let a player exceed the maximum"),
        (a.ReserveBoxes(MANAGER, "alice", (1,)), "83", "let nobody reserve boxes"),
        (a.CapPlayers(MANAGER, 3), "77", "let nobody cap the players"),
        (a.CapBox(MANAGER, 2), "85", "let nobody allow fewer players"),
        (a.AllowResplit(MANAGER, True, True), "67(a)", "let nobody allow players to split again"),
        (a.Restrict(MANAGER, "alice", "sent-home"), "13(a)", "the rulebook has recognised-player, associate"),
    ],
)
def test_what_nobody_may_do_in_adelaide(act: Act, clause: str, words: str) -> None:
    says_no(opened(ADL), act, clause, words)


@pytest.mark.clause("nsw-pontoon", "5.11", "5.13", "5.5", "5.9", "5.14", "5.16", "13.9")
@pytest.mark.parametrize(
    ("act", "clause", "words"),
    [
        (a.Restrict(MANAGER, "dealer", "one-box", True), "5.5", "cannot be a player's name"),
        (a.Restrict(SUPERVISOR, "alice", "one-box", True), "5.13", "the gaming manager may do this"),
        (a.Restrict(MANAGER, "alice", "one-box"), "5.13", "the inspector is told or consulted first"),
        (a.Restrict(SUPERVISOR, "alice", "late-entry"), "5.11", "given no occasion"),
        (a.LiftRestriction(MANAGER, "alice"), "5.11", "alice is not restricted"),
        (a.LimitBoxes(SUPERVISOR, "dealer", 1), "5.5", "cannot be a player's name"),
        (a.LimitBoxes(SUPERVISOR, "alice", 0), "5.9", "1 to 7 boxes"),
        (a.LimitBoxes(SUPERVISOR, "alice", 8), "5.9", "1 to 7 boxes"),
        (a.ReserveBoxes(SUPERVISOR, "alice", (1, 8)), "2.2.1", "no box 8"),
        (a.ReserveBoxes("dealer", "alice", (1,)), "5.14", "the casino supervisor may reserve boxes"),
        (a.CapPlayers(SUPERVISOR, -1), "5.16", "0 for none"),
        (a.CapBox(SUPERVISOR, 0), "5.5", "1 to 3 players"),
        (a.CapBox(SUPERVISOR, 4), "5.5", "1 to 3 players"),
        (a.AllowResplit(MANAGER, True), "13.9", "advised"),
        (a.AllowResplit(SUPERVISOR, True, True), "13.9", "the gaming manager may"),
    ],
)
def test_what_supervisors_may_not_do_in_sydney(act: Act, clause: str, words: str) -> None:
    says_no(opened(NSW), act, clause, words)


@pytest.mark.clause("nsw-pontoon", "5.14")
def test_boxes_on_which_others_count_are_not_reserved() -> None:
    table, _ = play(opened(NSW), a.ReserveBoxes(SUPERVISOR, "alice", (1,)), a.PlaceWager("carol", 3, 1000))
    says_no(table, a.ReserveBoxes(SUPERVISOR, "bob", (2, 1)), "5.14", "box 1 is reserved for alice already")
    says_no(table, a.ReserveBoxes(SUPERVISOR, "bob", (3,)), "5.14", "others have wagers on box 3")
    says_no(table, a.TakeSeat("bob", 1), "5.14", "box 1 is reserved for alice")
    says_no(in_round(NSW), a.ReserveBoxes(SUPERVISOR, "bob", (2,)), "5.14", "round")
    assert refusal(table, a.ReserveBoxes(SUPERVISOR, "carol", (3,))) is None


@pytest.mark.clause("nsw-pontoon", "5.13", "5.11", "5.9")
def test_a_restriction_is_lifted_by_whoever_may_impose_it() -> None:
    table, _ = play(opened(NSW), a.Restrict(MANAGER, "alice", "one-box", True))
    says_no(table, a.LiftRestriction(SUPERVISOR, "alice"), "5.13", "the gaming manager may lift it")
    assert play(table, a.LiftRestriction(MANAGER, "alice"))[0].players["alice"].restriction == ""
    held, _ = play(opened(NSW), a.LimitBoxes(SUPERVISOR, "alice", 1))
    says_no(held, a.LiftRestriction("dealer", "alice"), "5.11", "the casino supervisor may lift it")
    assert play(held, a.LiftRestriction(SUPERVISOR, "alice"))[0].players["alice"].boxes_limit == 0


@pytest.mark.clause("nsw-pontoon", "5.11", "3.6")
def test_late_entry_goes_with_a_shoe() -> None:
    table = opened(NSW, source=DEVICE)
    says_no(table, a.Restrict(SUPERVISOR, "alice", "late-entry"), "5.11", "the table has a shuffling device")


@pytest.mark.clause("nsw-pontoon", "3.6.2", "19.16")
def test_wagers_and_cards_that_the_floor_may_not_touch() -> None:
    table, _ = play(opened(NSW), *BETS)
    clause = "19.16"
    says_no(table, a.RefuseWager(SUPERVISOR, "alice", 2), clause, "alice has no such wager on box 2")
    says_no(table, a.RefuseWager(SUPERVISOR, "alice", 1, "perfect-pairs"), clause, "no such wager")
    says_no(in_round(NSW), a.RefuseWager(SUPERVISOR, "alice", 1), clause, "before the first card")
    says_no(table, a.DealFaceDown(SUPERVISOR), "3.6.2", "an inspector approves it first")
    says_no(table, a.DealFaceDown("dealer", True), "3.6.2", "a casino supervisor orders it")
    says_no(in_round(NSW), a.DealFaceDown(SUPERVISOR, True), "3.6.2", "round")


@pytest.mark.clause("canberra-pontoon-2005", "6.1")
@pytest.mark.clause("adelaide-pontoon-2008", "48")
@pytest.mark.clause("nsw-blackjack-challenge", "3.8")
def test_face_down_only_where_and_how_the_rules_know_it() -> None:
    says_no(opened(ACT5), a.DealFaceDown(SUPERVISOR, True), "6.1", "face up")
    says_no(opened(BJC), a.DealFaceDown(SUPERVISOR, True), "3.8", "face up")
    says_no(opened(ADL), a.DealFaceDown(SUPERVISOR), "48", "the players ask for it")


@pytest.mark.clause("nsw-pontoon", "15.4.1", "15.4.2", "15.1", "5.3")
@pytest.mark.clause("adelaide-pontoon-2008", "95")
def test_optional_wagers_that_cannot_be_limited_or_required() -> None:
    table = opened(NSW)
    says_no(table, a.RestrictSideBet(MANAGER, "star-pairs", True, True), "15.1", "no 'star-pairs'")
    unknown = table.rulebook.wagers.before_first_card.clauses[0]
    says_no(table, a.RestrictSideBet(MANAGER, "roulette", True, True), unknown, "no 'roulette'")
    says_no(table, a.RestrictSideBet(MANAGER, "perfect-pairs", True, False), "15.4.2", "a sign is displayed")
    says_no(table, a.RestrictSideBet(SUPERVISOR, "perfect-pairs", True, True), "15.4", "the gaming manager may")
    compulsory = table.rulebook.side_bets["perfect-pairs"].compulsory.clauses[0]
    says_no(table, a.RequireSideBet(MANAGER, "perfect-pairs"), compulsory, "cannot be made a condition of play")
    says_no(table, a.RequireSideBet(MANAGER, "roulette"), unknown, "cannot be made a condition of play")
    adelaide = opened(ADL)
    clause = adelaide.rulebook.side_bets["perfect-pairs"].compulsory.clauses[0]
    says_no(adelaide, a.RequireSideBet("dealer", "perfect-pairs"), clause, "a casino supervisor has the notice")
    says_no(adelaide, a.RestrictSideBet(MANAGER, "perfect-pairs", True, True), "95", "let nobody limit perfect-pairs")


# --- wagers ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "5.5", "5.6", "15.1", "5.3")
@pytest.mark.parametrize(
    ("act", "clause", "words"),
    [
        (a.PlaceWager("", 1, 1000), "5.5", "cannot be a player's name"),
        (a.PlaceWager("link", 1, 1000), "5.5", "cannot be a player's name"),
        (a.PlaceWager("alice", 1, 1000, "star-pairs"), "15.1", "offered: perfect-pairs"),
        (a.PlaceWager("alice", 1, 1000, "roulette"), "5.3", "no wager 'roulette' here"),
        (a.PlaceWager("alice", 0, 1000), "2.2.1", "no box 0"),
        (a.PlaceWager("alice", 1, 0), "6.1", "above zero"),
        (a.DeclineControl("alice", 1), "5.6", "cannot be declined"),
    ],
)
def test_wagers_that_are_none(act: Act, clause: str, words: str) -> None:
    table = opened(NSW)
    if isinstance(act, a.PlaceWager) and act.kind == "roulette":
        clause = table.rulebook.wagers.before_first_card.clauses[0]
    says_no(table, act, clause, words)


@pytest.mark.clause("adelaide-pontoon-2008", "78")
def test_control_is_passed_on_only_by_whom_it_is_offered_to_and_to_somebody() -> None:
    table, _ = play(opened(ADL), a.PlaceWager("alice", 1, 1000))
    says_no(table, a.DeclineControl("bob", 1), "78", "bob has no wager on box 1")
    says_no(table, a.DeclineControl("alice", 2), "78", "alice has no wager on box 2")
    says_no(table, a.DeclineControl("alice", 1), "78", "nobody to pass control to")
    shared, _ = play(table, a.PlaceWager("bob", 1, 500))
    says_no(shared, a.DeclineControl("bob", 1), "78", "not offered to bob")
    passed, _ = play(shared, a.DeclineControl("alice", 1))
    dealt, _ = play(passed, a.Deal())
    assert dealt.boxes[1].controller == "bob"


@pytest.mark.clause("adelaide-pontoon-2008", "5", "86")
@pytest.mark.clause("nsw-pontoon", "5.2")
def test_pairs_need_decks_enough_and_a_table_that_offers_them() -> None:
    few = opened(ADL, decks=5)
    says_no(few, a.PlaceWager("alice", 1, 500, "perfect-pairs"), "5", "cannot be offered with 5 decks")
    without = opened(ADL, side_bets=())
    offered = without.rulebook.side_bets["perfect-pairs"].offered.clauses[0]
    says_no(without, a.PlaceWager("alice", 1, 500, "perfect-pairs"), offered, "does not offer perfect-pairs")
    too_many = a.PlaceWager("alice", 1, 500, "perfect-pairs", 600)
    says_no(opened(NSW), too_many, "5.2", "at most all of it")


# --- jackpot ---------------------------------------------------------------------------------------------------------


def jackpot_house(cards: str = "7s 9c 2h 8d", **changes: object) -> Table:
    """Six decks in a shuffling device, unless said otherwise: a table that may offer the jackpot."""
    return opened(BJC, cards, **{"source": DEVICE, "decks": 6, **changes})


@pytest.mark.clause("nsw-blackjack-challenge", "16.1", "2.3.4.3", "3.1.1")
@pytest.mark.clause("nsw-pontoon", "5.3")
def test_jackpot_wagers_where_there_is_no_jackpot() -> None:
    bet = a.PlaceWager("alice", 1, 250, BLAZING)
    says_no(jackpot_house(source="shoe"), bet, "2.3.4.3", "needs a shuffling-device")
    says_no(jackpot_house(decks=8), bet, "3.1.1", "with 8 decks")
    says_no(jackpot_house(side_bets=()), bet, "16.1", "does not offer blazing-7s")
    says_no(jackpot_house(side_bets=()), a.SetJackpot(9_000_000), "16.1", "no jackpot")
    says_no(opened(NSW), a.SetJackpot(9_000_000), "5.3", "no jackpot")
    says_no(opened(NSW), a.ReportJackpotFault(SUPERVISOR), "5.3", "no jackpot")
    says_no(opened(NSW), bet, "5.3", "blazing-7s")


@pytest.mark.clause("nsw-blackjack-challenge", "16.3", "16.10", "16.12", "18.17")
def test_jackpot_wagers_and_shares_that_are_none() -> None:
    table, _ = play(jackpot_house(), a.PlaceWager("alice", 1, 1000))
    says_no(table, a.PlaceWager("alice", 1, 250, BLAZING, 250), "16.3", "chips only")
    says_no(table, a.PlaceWager("alice", 1, 300, BLAZING), "16.3", "a jackpot wager is $2.50 or $5.00, not $3.00")
    says_no(table, a.SetJackpot(2_499_999), "16.12", "does not stand below $25,000.00")
    says_no(table, a.PayJackpot(100, 100), "16.10", "no share of the jackpot waits")
    says_no(table, a.RestoreJackpot(SUPERVISOR), "18.17", "no jackpot equipment has failed")


@pytest.mark.clause("nsw-blackjack-challenge", "16.11")
def test_a_linked_jackpot_waits_for_a_share_that_can_be() -> None:
    table = jackpot_house("7c 7c 7c 8c", jackpot_linked=True, side_bets=(BLAZING,))
    terms = table.rulebook.blazing_7s
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, BLAZING), a.Deal())
    assert table.jackpot_waiting == ((1, "alice", "three-suited-sevens"),)
    several = terms.several.clauses[0]
    says_no(table, a.PayJackpot(0, 0), several, "a share is above zero")
    says_no(table, a.PayJackpot(100, 101), several, "the pool bears no more")
    says_no(table, a.PayJackpot(100, -1), several, "the pool bears no more")
    paid, events = play(table, a.PayJackpot(250_000, 200_000))
    assert not paid.jackpot_waiting
    assert [event.cents for event in events if isinstance(event, e.JackpotPrizePaid)] == [250_000]


@pytest.mark.clause("nsw-blackjack-challenge", "16.10", "16.11")
def test_a_link_takes_only_tables_of_its_kind_and_grows_by_its_rate() -> None:
    book = load(BJC)
    terms = book.blazing_7s
    house = default_house(book, source=terms.source.value, decks=terms.decks.value[0], jackpot_rate_percent=20)
    wager = terms.amounts_cents.value[0]
    minimum = house.jackpot_minimum_cents
    link = Link(book, 2 * minimum, minimum, 20, wager, terms.pays.value)
    assert link.refuse_table(book, house, wager) is None
    named = terms.linked.value
    for name, changed, cents, pays in (
        ("rate", msgspec.structs.replace(house, jackpot_rate_percent=10), wager, terms.pays.value),
        ("seed", msgspec.structs.replace(house, jackpot_minimum_cents=minimum + 1), wager, terms.pays.value),
        ("wager", house, wager + 1, terms.pays.value),
        ("pay-table", house, wager, terms.pays.value[:-1]),
    ):
        refused = msgspec.structs.replace(link, pay_table=pays).refuse_table(book, changed, cents)
        assert refused is not None and refused.clauses == (named[name],)
        assert refused.text.startswith("every table on this jackpot has")
    assert link.contributed(1000).pool_cents == 2 * minimum + 200
    after, top, tenth = link.settled(1, 0)
    assert (after.pool_cents, tenth) == (minimum, None)
    assert top is not None and top.cents_each == 2 * minimum
    after, top, tenth = link.settled(0, 1)
    assert (after.pool_cents, top) == (2 * minimum - 2 * minimum // 10, None)
    assert tenth is not None and tenth.cents_each == 2 * minimum // 10
    assert link.settled(0, 0) == (link, None, None)


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "3.1", "4.1", "4.7", "4.1.4", "4.4")
def test_shuffles_and_cuts_that_are_none() -> None:
    table = opened(NSW, None)
    whole = full_stack(table)
    says_no(table, a.Shuffle(whole, "tossing"), "4.1", "not by 'tossing'")
    says_no(table, a.Shuffle(whole, DEVICE), "4.7", "deals from a shoe")
    says_no(table, a.Shuffle(whole[:-2]), "3.1", "2 cards are missing")
    says_no(table, a.Shuffle((*whole[:-1], whole[0])), "3.1", "there are 8 of it")
    says_no(table, a.Shuffle((*whole[:-1], "Ts")), "3.1", "a foreign card")
    says_no(table, a.Mix(whole), "4.1", "not mixed during play")
    says_no(table, a.OrderShuffle(SUPERVISOR, "a spill"), "4.1.4", "to be shuffled anyway")
    ready = opened(NSW)
    says_no(ready, a.OrderShuffle(SUPERVISOR, "  "), "4.1.4", "say why")
    says_no(ready, a.OrderShuffle("dealer", "a spill"), "4.1.4", "the casino supervisor may order a shuffle")
    says_no(opened(NSW, source=DEVICE), a.Mix(whole[:3]), "3.1", "holds other cards")
    says_no(in_round(NSW), a.Shuffle(whole), "4.1", "no shuffle is due")
    offered, _ = play(table, a.Shuffle(whole))
    assert (offered.preparation, offered.cut_offered) == ("cut", "supervisor")
    says_no(offered, a.DeclineCut("supervisor"), "4.4", "so the house does")


@pytest.mark.clause("nsw-pontoon", "8.1", "9.1", "9.4", "11.1")
def test_answers_that_nobody_waits_for_in_sydney() -> None:
    table = in_round(NSW)
    says_no(table, a.CloseInsurance(), "8.1", "insurance is not open")
    says_no(table, a.CloseSurrender(), "9.1", "surrender is not open")
    says_no(table, a.Insure("alice", 1, 100), "8.1", "when the dealer's first card is an ace, and it is 9h")
    ace = in_round(NSW, "9s 9c Ah 8d 8c Kd Kc 5c 6c 7c")
    assert ace.phase == "insurance"
    says_no(ace, a.Insure("carol", 1, 100), "8.1", "carol has no wager on box 1")
    says_no(ace, a.Insure("alice", 9, 100), "8.1", "no wager on box 9")
    says_no(ace, a.Insure("alice", 1, -100), "6.1", "above zero")
    says_no(ace, a.Insure("alice", 1, 501), "8.1", "up to half of the original wager, $5.00")
    closed, _ = play(ace, a.CloseInsurance())
    says_no(closed, a.Insure("alice", 1, 100), "8.4", "insurance is closed")


@pytest.mark.clause("canberra-pontoon-2005", "7.3")
@pytest.mark.clause("canberra-pontoon-2002", "7.3")
@pytest.mark.parametrize("rulebook", [ACT5, ACT2])
def test_insurance_in_canberra_goes_by_half_chips(rulebook: str) -> None:
    table = in_round(rulebook, "9s 9c Ah 8d 8c Kd Kc 5c 6c 7c")
    says_no(table, a.Insure("alice", 1, 325), "7.3", "multiples of half the smallest chip")
    assert refusal(table, a.Insure("alice", 1, 350)) is None


@pytest.mark.clause("nsw-pontoon", "9.4")
def test_surrender_stays_open_until_the_others_have_answered() -> None:
    table, _ = play(
        opened(NSW, "9s Ah 7d 8c Kd Kc"), a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 1000), a.Deal()
    )
    table, _ = play(table, a.CloseInsurance())
    assert table.phase == "surrender"
    asking, _ = play(table, a.Surrender("alice", 1))
    says_no(asking, a.CloseSurrender(), "9.4", "bob says first whether to surrender or decline")
    answered, _ = play(asking, a.Decline("bob", 1))
    assert refusal(answered, a.CloseSurrender()) is None or answered.phase != "surrender"


@pytest.mark.clause("nsw-pontoon", "13.8", "13.1", "12.1", "12.5")
def test_hands_that_are_over_are_neither_split_nor_doubled() -> None:
    table, _ = play(in_round(NSW), a.Stand("alice", 1))
    refused = refusal(table, a.Split("alice", 1))
    assert refused is not None
    says_no(table, a.Split("alice", 1), "13.1", refused.text)
    says_no(table, a.Split("bob", 2), "13.1", "not of equal value")
    says_no(table, a.Double("bob", 2, 0), "12.1", "above zero")
    says_no(table, a.Double("bob", 2, 1001), "12.1", "up to the original wager")
    says_no(table, a.Forfeit("alice", 1), "12.5", "alice has no doubled wager")
    says_no(table, a.Keep("bob", 2), "12.5", "bob has no doubled wager")
    says_no(table, a.Keep("carol", 2), "12.5", "carol has no doubled wager")


# --- when things go wrong --------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "nsw-pontoon", "17.8", "17.1.1", "17.12", "17.7", "17.16", "17.18", "17.10", "17.22", "4.6.1", "17.13"
)
@pytest.mark.parametrize(
    ("act", "clause", "words"),
    [
        (a.Approve(SUPERVISOR), "17.8", "nothing waits for approval"),
        (a.VoidRound(SUPERVISOR, "a spill"), "17.8", "no round is being played"),
        (a.CheckSource(SUPERVISOR), "17.1.1", "cards in a shoe are not checked"),
        (a.ForgetBurn(), "17.12", "no burn is due"),
        (a.DealWithoutWagers(0), "17.7", "how many cards"),
        (a.DealWithoutWagers(11), "17.7", "how many cards"),
        (a.ForgetInsurance(), "17.13", "insurance is not due"),
        (a.DropCards("dealer"), "4.6.1", "a casino supervisor verifies"),
        (a.PassOver("alice", 1), "17.10", "not awaited now"),
        (a.Reconstruct(SUPERVISOR), "17.8", "nothing has been misdealt"),
        (a.FindWrongCards(SUPERVISOR, "sticky"), "17.16", "a card is missing, or a foreign one"),
        (a.FindWrongCards("dealer", "missing"), "17.16", "a casino supervisor declares it"),
        (a.FindLossExcess("dealer", "alice"), "17.22", "within the loss limit"),
        (a.FindLossExcess("inspector", "alice"), "17.22", "the dealer or a supervisor"),
        (a.RecordMispayment(SUPERVISOR, "dealer", 100), "5.5", "cannot be a player's name"),
        (a.RecordMispayment(SUPERVISOR, "alice", 0), "17.18", "above zero"),
        (a.RecordMispayment("dealer", "alice", 100), "17.18", "a casino supervisor records it"),
    ],
)
def test_errors_that_cannot_be_reported_so(act: Act, clause: str, words: str) -> None:
    says_no(opened(NSW), act, clause, words)


@pytest.mark.clause("nsw-pontoon", "17.8", "17.2")
def test_misdeals_that_cannot_have_been() -> None:
    table, _ = play(opened(NSW), *BETS)
    says_no(table, a.Misdeal((1, 2), "tomorrow"), "17.8", "noticed at one of initial-deal")
    says_no(table, a.Misdeal(()), "17.8", "boxes 1 to 7")
    says_no(table, a.Misdeal((1, 8)), "17.8", "boxes 1 to 7")
    says_no(table, a.Misdeal((1,) * 11), "17.8", "not that many cards left")
    says_no(table, a.Misdeal((1, 2, 0), "passed"), "17.8", "the round is rebuilt")
    says_no(in_round(NSW), a.Misdeal((1, 2)), table.rulebook.deal.order.clauses[0], "")
    says_no(in_round(NSW), a.LeaveOut(2), "17.8", "box 2 is not being dealt to now")
    drawn, _ = play(table, a.DrawInError())
    says_no(drawn, a.Misdeal((1,) * 11), "17.8", "not that many cards left")
    assert refusal(drawn, a.Misdeal((1, 2))) is None


@pytest.mark.clause("nsw-pontoon", "5.4", "17.7")
def test_a_card_that_left_closes_the_betting_only_where_somebody_is_dealt_to() -> None:
    drawn, _ = play(opened(NSW), a.DrawInError())
    assert not drawn.betting_closed and drawn.error_cards, "it is still the next card of whatever round comes"
    drawn, events = play(opened(NSW), a.PlaceWager("alice", 1, 1000), a.DrawInError())
    assert tell(events[-1], drawn.rulebook).startswith("no more bets: a card has left")
    says_no(drawn, a.WithdrawWager("alice", 1), "5.4", "a card has left already")
    says_no(drawn, a.TakeSeat("bob", 2), "5.6", "take the seat when it is over")
    empty, _ = play(drawn, a.BarPlayer(SUPERVISOR, "alice", "a device"))
    assert not empty.betting_closed and not empty.card_left, "nobody is left to deal to"
    assert refusal(empty, a.PlaceWager("bob", 1, 1000)) is None


@pytest.mark.clause("nsw-pontoon", "17.8", "17.10")
def test_a_round_is_void_for_a_reason_and_only_who_is_awaited_is_passed_over() -> None:
    table = in_round(NSW)
    says_no(table, a.VoidRound(SUPERVISOR, " "), "17.8", "say why")
    says_no(table, a.PassOver("bob", 1), "17.10", "bob's decision on box 1 is not awaited")
    says_no(table, a.PassOver("bob", 2), "17.10", "bob's decision on box 2 is not awaited")
    says_no(table, a.DealWithoutWagers(1), "17.7", "there are wagers on the table")


@pytest.mark.clause("nsw-pontoon", "17.1")
def test_no_card_is_found_where_none_is_left_or_all_are_to_be_shuffled() -> None:
    says_no(opened(NSW, ""), a.FindFaceUpCard(), "17.1", "no card is left")
    says_no(opened(NSW, None), a.FindFaceUpCard(), "17.1", "to be shuffled first")


@pytest.mark.clause("adelaide-pontoon-2008", "29", "122", "12", "35", "111", "101", "105")
@pytest.mark.parametrize(
    ("act", "clause", "words"),
    [
        (a.FindWrongCards(SUPERVISOR, "missing"), "29", "the house decides"),
        (a.RecordMispayment("dealer", "alice", 100), "122", "a casino supervisor records it"),
        (a.FindLossExcess("dealer", "alice"), "12", "no loss limit"),
        (a.DropCards(SUPERVISOR), "35", "the house decides"),
        (a.ForgetBurn(), "111", "no card is burned here"),
        (a.CheckSource(SUPERVISOR), "101", "let nobody have the cards checked"),
        (a.DealWithoutWagers(2), "47(a)", "the house decides"),
        (a.LeaveOut(1, "initial-deal"), "105", "say whether it was noticed"),
        (a.LeaveOut(1, "passed", "surrender"), "105", "what had been called for"),
        (a.LeaveOut(1), "105", "box 1 is not being dealt to now"),
    ],
)
def test_errors_on_which_adelaide_is_silent_or_says_no(act: Act, clause: str, words: str) -> None:
    says_no(opened(ADL), act, clause, words)


# --- the shuffling device --------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "18.1", "18.1.2")
@pytest.mark.clause("adelaide-pontoon-2008", "43")
def test_failures_of_the_device_that_are_none() -> None:
    shoe, device = opened(NSW), opened(NSW, source=DEVICE)
    terms = load(NSW).device
    says_no(shoe, a.ReportMalfunction("dealer"), terms.failure.clauses[0], "no shuffling device is in use")
    says_no(shoe, a.ClearJam(()), "18.1.2", "no shuffling device is in use")
    says_no(device, a.ClearJam(device.stack), "18.1.2", "like any other")
    says_no(device, a.ReportMalfunction("inspector"), terms.failure.clauses[0], "the dealer or a supervisor")
    says_no(device, a.ReportMalfunction("dealer", course="pray"), terms.finish.clauses[0], "dealt on to a cutting card")
    says_no(device, a.RepairDevice(SUPERVISOR), terms.after.clauses[0], "has not failed")
    waiting = opened(NSW, None, source=DEVICE)
    says_no(waiting, a.ReportMalfunction("dealer"), terms.failure.clauses[0], "to be shuffled anyway")
    loaded, _ = play(waiting, a.Shuffle(full_stack(waiting), DEVICE))
    says_no(loaded, a.ReportMalfunction("dealer", ("Ts",)), terms.damaged.clauses[0], "not in the device")
    adelaide = opened(ADL, None, source=DEVICE)
    adelaide, _ = play(adelaide, a.Shuffle(full_stack(adelaide), DEVICE))
    says_no(adelaide, a.ClearJam(full_stack(adelaide)[:-1]), "43", "held other cards")
    says_no(opened(ADL, source=DEVICE), a.ClearJam(("9s",)), "43", "too few cards")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_disadvantage_by_the_device_is_decided_by_the_house_where_the_rules_are_silent(rulebook: str) -> None:
    table = opened(rulebook, source=DEVICE, side_bets=())
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    term = table.rulebook.device.disadvantage
    act = a.ReportMalfunction("dealer", disadvantage=True)
    if term.value == "undecided":
        says_no(table, act, term.clauses[0], "the house decides")
    else:
        assert refusal(table, act) is None


# --- what lies beneath -----------------------------------------------------------------------------------------------


def test_only_an_inspector_does_what_an_inspector_may() -> None:
    assert may_act("inspector", "inspector")
    assert not may_act(MANAGER, "inspector") and not may_act("inspector", "dealer")
    assert not may_act(MANAGER, "nobody") and not may_act("player", "dealer")


def test_an_event_without_a_cause_is_our_own_fault_and_is_not_applied() -> None:
    table = opened(NSW)
    run = Run.on(draft(table))
    with pytest.raises(Broken, match="without a clause"):
        run.emit(e.SeatTaken((), "alice", 1))
    assert run.events == [] and snapshot(run.table) == snapshot(table)


def test_chips_are_counted_only_for_those_who_said_how_many_they_have() -> None:
    table = open_table(NSW, cards=ROUND, players={"alice": Patron(chips_cents=3000), "bob": Patron()})
    table, _ = play(table, *BETS)
    assert [chips_left(table, name) for name in ("alice", "bob", "carol")] == [2000, None, None]
    says_no(table, a.PlaceWager("alice", 3, 2500), table.rulebook.wagers.means.clauses[0], "that much in chips")


# --- wagers that go back in odd places -------------------------------------------------------------------------------


def split_being_answered() -> Table:
    """Alice has split box 1 and bob, who is on it too, has not yet said whether he follows."""
    shared = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 1000))
    return play(opened(NSW, "8s 9h 8d 2c 3c Kd"), *shared, a.Deal(), a.Split("alice", 1))[0]


@pytest.mark.clause("nsw-pontoon", "17.8", "19.8", "19.9")
@pytest.mark.parametrize(
    "act",
    [
        a.VoidRound(SUPERVISOR, "a card went astray"),
        a.InvalidateRound(SUPERVISOR, "disturbance"),
        a.BarPlayer(SUPERVISOR, "alice", "a calculator"),
    ],
)
def test_the_wager_of_a_split_that_is_being_answered_goes_back_too(act: Act) -> None:
    table = split_being_answered()
    assert table.net == {"alice": -2000, "bob": -1000}
    after, events = play(table, act)
    returned = [event for event in events if isinstance(event, e.WagerReturned) and event.player == "alice"]
    assert [(event.cents, event.hand) for event in returned] == [(1000, 0), (1000, -4)]
    assert after.net["alice"] == 0


@pytest.mark.clause("nsw-pontoon", "17.22", "17.22.1")
def test_above_the_loss_limit_the_newest_part_goes_back_first() -> None:
    def limited(cents: int, *acts: Act, cards: str = "8s Ah 8d 2c 3c Kd") -> Table:
        house = default_house(load(NSW))
        table = open_table(NSW, cards=cards, house=house, players={"alice": Patron(loss_limit_cents=100_000)})
        table, _ = play(table, *acts)
        state = msgspec.structs.replace(table.players["alice"], loss_limit_cents=cents)
        return msgspec.structs.replace(table, players={**table.players, "alice": state})

    def returned(table: Table) -> list[tuple[int, str, int]]:
        after, events = play(table, a.FindLossExcess("dealer", "alice"))
        assert refusal(after, a.FindLossExcess("dealer", "alice")) is not None
        return [(event.cents, event.kind, event.hand) for event in events if isinstance(event, e.WagerReturned)]

    bets = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 800, "perfect-pairs"))
    assert returned(limited(1300, *bets)) == [(500, "perfect-pairs", -1)]
    assert returned(limited(600, *bets)) == [(800, "perfect-pairs", -1), (400, "original", -1)]
    insured = limited(1200, bets[0], a.Deal(), a.Insure("alice", 1, 400))
    assert returned(insured) == [(200, "insurance", -3)]
    assert returned(limited(900, bets[0], a.Deal(), a.Insure("alice", 1, 400))) == [
        (400, "insurance", -3),
        (100, "original", 0),
    ]
    shared = (bets[0], a.PlaceWager("bob", 1, 1000), a.Deal(), a.Split("alice", 1))
    assert returned(limited(1500, *shared, cards="8s 9h 8d 2c 3c Kd")) == [(500, "original", -4)]


@pytest.mark.clause("nsw-pontoon", "6.1")
def test_a_wager_outside_the_sign_that_is_seen_before_the_deal_is_put_right_at_once() -> None:
    low, _ = play(opened(NSW), a.PlaceWager("alice", 1, 300, unnoticed=True))
    after, events = play(low, a.FindWager("dealer", "alice", 1))
    assert [event.reason for event in events if isinstance(event, e.WagerReturned)] == ["below-minimum"]
    assert after.net == {"alice": 0} and not any(box.wagers for box in after.boxes.values())
    high, _ = play(opened(NSW), a.PlaceWager("alice", 1, 150_000, unnoticed=True))
    after, events = play(high, a.FindWager("dealer", "alice", 1))
    assert [event.cents for event in events if isinstance(event, e.WagerReturned)] == [50_000]
    assert after.boxes[1].wagers["alice"].cents == 100_000 and after.net == {"alice": -100_000}


@pytest.mark.clause("canberra-pontoon-2005", "3.5")
def test_the_maximum_of_a_box_is_shared_in_line_once_the_excess_is_seen() -> None:
    bets = (a.PlaceWager("alice", 1, 60_000), a.PlaceWager("bob", 1, 60_000, unnoticed=True))
    table, _ = play(opened(ACT5), *bets, a.Deal())
    after, events = play(table, a.FindWager("dealer", "bob", 1))
    assert [(x.player, x.cents) for x in events if isinstance(x, e.WagerReturned)] == [("bob", 20_000)]
    assert after.net == {"alice": -60_000, "bob": -40_000}


@pytest.mark.clause("nsw-pontoon", "4.9", "17.2")
def test_a_card_drawn_in_error_before_the_first_round_is_the_one_that_is_burned() -> None:
    table = open_table(NSW, cards=ROUND, new_shoe=True)
    table, _ = play(table, a.DrawInError(), a.PlaceWager("alice", 1, 1000), a.Deal())
    assert table.burned == ("9s",) and table.error_cards == ()
    assert table.boxes[1].hands[0].cards == ("9c", "8d") and table.dealer_cards == ("9h",)


@pytest.mark.clause("nsw-pontoon", "17.13")
def test_insurance_that_somebody_has_taken_was_not_forgotten() -> None:
    table = in_round(NSW, "9s 9c Ah 8d 8c Kd Kc 5c 6c 7c")
    assert refusal(table, a.ForgetInsurance()) is None
    insured, _ = play(table, a.Insure("alice", 1, 100))
    says_no(insured, a.ForgetInsurance(), "17.13", "somebody has taken it")


@pytest.mark.clause("nsw-pontoon", "12.5")
def test_a_doubled_wager_is_kept_once_and_only_by_who_doubled() -> None:
    shared = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 1000), a.PlaceWager("carol", 1, 1000), a.Deal())
    doubled = (a.Double("alice", 1), a.Double("bob", 1), a.Decline("carol", 1))
    table, _ = play(opened(NSW, "6s 9h 5d 2c Kd"), *shared, *doubled, a.Keep("alice", 1))
    says_no(table, a.Forfeit("alice", 1), "12.5", "alice has decided already")
    says_no(table, a.Forfeit("carol", 1), "12.5", "carol did not double")
    assert refusal(table, a.Forfeit("bob", 1)) is None


@pytest.mark.clause("adelaide-pontoon-2008", "13")
def test_a_sign_in_adelaide_asks_for_multiples_and_names_no_unit() -> None:
    with pytest.raises(Refused) as caught:
        opened(ADL, unit_cents=250)
    assert caught.value.refusal.clauses == ("13",) and "it can ask for multiples" in caught.value.refusal.text
    assert opened(ADL, multiples=True).house.multiples


@pytest.mark.clause("nsw-pontoon", "4.9", "17.8")
def test_the_first_card_of_a_shoe_is_burned_before_a_misdeal_too() -> None:
    table = open_table(NSW, cards=ROUND, new_shoe=True)
    table, _ = play(table, *BETS, a.Misdeal((2, 1, 0)))
    assert table.burned == ("9s",)
    assert table.misdealt == ((2, "9c"), (1, "9h"), (0, "8d"))
    rebuilt, _ = play(table, a.Reconstruct("dealer"))
    assert [rebuilt.boxes[box].hands[0].cards[0] for box in (1, 2)] == ["9c", "9h"]
    assert rebuilt.dealer_cards == ("8d",)


@pytest.mark.clause("adelaide-pontoon-2008", "6", "105(a)")
def test_a_joker_in_a_misdealt_round_is_replaced_by_the_next_card() -> None:
    table = opened(ADL, "9s Jo 9c 9h 8d 8c Kd Kc", jokers=2)
    table, events = play(table, *BETS, a.Misdeal((1, 1, 0)), a.Approve(SUPERVISOR))
    assert [event.box for event in events if isinstance(event, e.JokerShown)] == [1]
    assert table.misdealt == ((1, "9s"), (1, "9c"), (0, "9h"))
    rebuilt, _ = play(table, a.Reconstruct(SUPERVISOR))
    assert [rebuilt.boxes[box].hands[0].cards for box in (1, 2)] == [("9s", "8d"), ("9c", "8c")]
    assert rebuilt.dealer_cards == ("9h",)


@pytest.mark.clause("nsw-pontoon", "17.8", "17.8.1")
def test_a_misdealt_round_that_cannot_be_rebuilt_is_void_and_the_next_goes_on_with_the_cards_left() -> None:
    table, _ = play(opened(NSW), *BETS, a.Misdeal((2, 1, 0)))
    says_no(table, a.Hit("alice", 1), "17.8", "")
    void, _ = play(table, a.VoidRound(SUPERVISOR, "cards were mixed"))
    assert (void.phase, void.misdealt, void.halted, void.net) == ("wagers", (), False, {"alice": 0, "bob": 0})
    dealt, _ = play(void, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert dealt.boxes[1].hands[0].cards[0] == "8d"


@pytest.mark.clause("nsw-pontoon", "17.8", "4.1.3")
def test_the_cutting_card_stays_where_it_was_when_a_round_is_rebuilt() -> None:
    table = open_table(NSW, cards=ROUND, cutting_card=4)
    _, straight = play(table, *BETS, a.Deal())
    _, rebuilt = play(table, *BETS, a.Misdeal((2, 1, 0)), a.Reconstruct("dealer"))
    for events in (straight, rebuilt):
        assert [(x.box, x.player) for x in events if isinstance(x, e.CuttingCardShown)] == [(2, "bob")]


@pytest.mark.clause("nsw-pontoon", "17.1", "4.1.2")
def test_a_card_found_face_up_right_behind_the_cutting_card_brings_the_shuffle() -> None:
    table, events = play(open_table(NSW, cards=ROUND, cutting_card=0), a.FindFaceUpCard())
    assert [x.box for x in events if isinstance(x, e.CuttingCardShown)] == [-1]
    assert [x.reason for x in events if isinstance(x, e.ShuffleDue)] == ["cutting-card-first"]
    assert table.preparation == "shuffle"


@pytest.mark.clause("adelaide-pontoon-2008", "78")
def test_where_everybody_declines_control_no_round_begins() -> None:
    bets = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 1000))
    table, _ = play(opened(ADL), *bets, a.DeclineControl("alice", 1), a.DeclineControl("bob", 1))
    after, events = play(table, a.Deal())
    assert not any(isinstance(event, e.RoundBegan | e.CardDealt) for event in events)
    assert {(x.player, x.cents, x.reason) for x in events if isinstance(x, e.WagerReturned)} == {
        ("alice", 1000, "void"),
        ("bob", 1000, "void"),
    }
    assert (after.phase, after.net) == ("wagers", {"alice": 0, "bob": 0})


@pytest.mark.clause("nsw-pontoon", "17.1.1")
def test_cards_that_are_checked_between_rounds_are_shuffled_at_once() -> None:
    table, events = play(opened(NSW, source=DEVICE), a.CheckSource(SUPERVISOR))
    assert [type(event) for event in events] == [e.CheckOrdered, e.ShuffleDue]
    assert (table.preparation, table.shuffle_reason) == ("shuffle", "check")
    says_no(table, a.Deal(), "17.1.1", "shuffled first")
