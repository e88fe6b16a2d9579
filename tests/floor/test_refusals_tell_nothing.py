"""A refusal is told to whoever asked: it says nothing that he may not see.

Every act is asked for by everybody, at tables in the middle of all sorts of rounds: once as they are, and once with
every card changed that he may not see, or with other players' money changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.floor.model import Caller, Denied, NotAllowed
from pitboss.floor.permissions import as_caller, denial
from pitboss.floor.refusing import A_PLAYERS_AFFAIR, refusal_for
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.engine import decide, open_table, play, refusal
from pitboss.table.house import Patron, default_house
from pitboss.table.refusals import Refusal
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import PlayerState, Table, draft
from pitboss.table.views import SEES_PRIVATE
from tests.floor.memory import ALICE, DEALER, SUPERVISOR, a_floor, a_table, an_opening
from tests.floor.peopled import Peopled, caller, run
from tests.floor.playing import do
from tests.floor.test_permissions import ACTS, sample
from tests.floor.test_views_never_leak import flipped_table
from tests.properties.driver import PEOPLE, next_act

ASKERS = [
    *(Caller(name, "player") for name in ("alice", "bob", "erin", "nobody-at-all")),
    *(Caller("x", role) for role in ("dealer", "supervisor", "gaming-manager", "tournament-manager", "inspector")),
]
STAGES = ("initial-deal", "passed", "dealer", "after-round")
MEANT = ("hit", "double", "split", "stand")


def everything(asker: Caller, table: Table) -> Iterator[Any]:
    """Every act, for each box and for some of those at the table."""
    names = (asker.name,) if asker.role == "player" else (*PEOPLE[:3], "erin")
    for kind, struct in ACTS.items():
        fields = struct.__struct_fields__
        for player in names if "player" in fields else ("",):
            for box in (table.turn_box or 1, 2, 3) if "box" in fields else (0,):
                named: dict[str, Any] = {"player": player} if player else {}
                yield as_caller(asker, sample(kind, **named, **({"box": box} if box else {})))
    for box in (table.turn_box or 1, 2):
        yield from (a.LeaveOut(box, noticed, meant) for noticed in STAGES for meant in MEANT)
    yield from (a.BuyChips(player, 90_000_00) for player in names)


def answered(asker: Caller, act: Any, table: Table) -> Denied | Refusal | None:
    """What a floor answers before anything happens: denied, refused, or nothing where it is done."""
    denied = denial(asker, act, table)
    refused = refusal(table, act) if denied is None else None
    return denied if refused is None else refusal_for(asker, act, refused, table)


def tables(rulebook: str, seed: int, acts: int, patrons: dict[str, Patron] | None = None) -> Iterator[Table]:
    """A table after each of so many acts, cards face down where the rulebook lets them."""
    book, rng = load(rulebook), random.Random(f"{rulebook}{seed}")
    players = {name: Patron(seat=box) for box, name in enumerate(PEOPLE[:4], start=1)} | (patrons or {})
    face_down = book.cards.face_down.value != "never"
    table = open_table(rulebook, house=default_house(book, face_down=face_down), players=players)
    for _ in range(acts):
        done = decide(table, next_act(table, rng, mishaps=0.05))
        if not isinstance(done, Refusal):
            table = evolve(table, done)
            yield table


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_refusal_is_the_same_whatever_the_cards_are_that_the_asker_may_not_see(rulebook: str) -> None:
    rng, asked, hidden = random.Random(rulebook), 0, 0
    for seed in range(3):
        for table in tables(rulebook, seed, 100):
            if table.phase == "wagers" and rng.random() < 0.8:
                continue
            asker = rng.choice(ASKERS)
            other = flipped_table(table, asker)
            hidden += any(hand.face_down for box in table.boxes.values() for hand in box.hands)
            for act in everything(asker, table):
                assert answered(asker, act, table) == answered(asker, act, other), (asker, act)
                asked += 1
    assert asked > 5_000 and (hidden > 20 or load(rulebook).cards.face_down.value == "never")


@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "adelaide-pontoon-2008"])
@pytest.mark.parametrize("asker", [Caller("x", role) for role in ("dealer", "supervisor", "gaming-manager")])
def test_what_was_called_for_on_a_hand_that_lies_face_down_tells_nothing_of_it(rulebook: str, asker: Caller) -> None:
    """NSW pontoon 3.6.2: it is turned up before anything is called for, be it a pair, eleven or neither."""
    for meant in ("double", "split"):
        answers = set()
        for cards in ("8s 9h 8d Kc 2c", "5s 9h 6d Kc 2c", "Ts 9h 7d Kc 2c"):
            house = default_house(load(rulebook), face_down=True)
            table, _ = play(open_table(rulebook, house=house, cards=cards), a.PlaceWager("alice", 1, 1000), a.Deal())
            assert table.phase == "play" and table.boxes[1].hands[0].face_down
            answer = answered(asker, a.LeaveOut(1, "passed", meant), table)
            assert isinstance(answer, Refusal) and "turned up" in answer.text
            answers.add(msgspec.json.encode(answer))
        assert len(answers) == 1


def test_that_a_joker_comes_next_is_told_to_nobody() -> None:
    """Adelaide 6: the next card takes its place, on the wrong box too."""
    book = load("adelaide-pontoon-2008")
    dealer, misplaced = Caller("x", "dealer"), []
    for cards in ("8s 8d 9h 5d 5c Jo 4c 6c 7c", "8s 8d 9h 5d 5c 4c 6c 7c Jo"):
        fresh = open_table(book.id, house=default_house(book, jokers=2), cards=cards)
        table, _ = play(fresh, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal())
        act = a.Misplace("alice", 1, 2)
        assert table.phase == "play" and answered(dealer, act, table) is None
        after, events = play(table, act)
        misplaced.append([event.card for event in events if isinstance(event, e.CardMisplaced)])
        rebuilt, _ = play(after, a.Approve(after.approval_due)) if after.approval_due else (after, ())
        rebuilt, _ = play(rebuilt, a.Reconstruct("gaming-manager"))
        assert rebuilt.boxes[1].hands[0].cards == ("8s", "5d", "4c"), cards
    assert misplaced == [["4c"], ["4c"]]


def test_which_cards_lie_face_down_is_not_learnt_from_a_device_that_is_said_to_be_damaged() -> None:
    """NSW pontoon 18.1: one that is burned, or lies face down, is answered as if it were in the device."""
    book = load("nsw-pontoon")
    house = default_house(book, source="shuffling-device", face_down=True, decks=6)
    rest = list(full_stack(open_table(book.id, house=house)))
    first = ("Ah", "8s", "9h", "7d")
    for card in first:
        rest.remove(card)
    fresh, _ = play(open_table(book.id, house=house), a.Shuffle((*first, *rest), "shuffling-device"))
    table, _ = play(fresh, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert table.boxes[1].hands[0].face_down and table.boxes[1].hands[0].cards == ("8s", "7d")

    def damaged(card: str) -> bool:
        return answered(DEALER, a.ReportMalfunction("dealer", damaged=(card,) * house.decks), table) is None

    assert [damaged(card) for card in ("Ah", "8s", "7d", "2c")] == [True] * 4
    assert not damaged("9h"), "the dealer's card lies there for all to see"


# --- money -----------------------------------------------------------------------------------------------------------

LIMITED = {
    "alice": Patron(seat=1, chips_cents=40_000, loss_limit_cents=13_700, deposit_limit_cents=20_000),
    "erin": Patron(seat=5, chips_cents=9_000, loss_limit_cents=2_300),
}


def other_money(table: Table, asker: Caller) -> Table:
    """The table with other chips and limits for everybody whose affairs are not the asker's to see."""
    new = draft(table)
    own = asker.name if asker.role == "player" else ""
    new.players = {name: state if name == own else _other(state) for name, state in table.players.items()}
    return new


def _other(state: PlayerState) -> PlayerState:
    names = ("chips_cents", "loss_limit_cents", "deposit_limit_cents")
    return replace(state, **{name: (getattr(state, name) or 0) + 77_700 for name in names if getattr(state, name)})


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_refusal_names_no_amount_of_a_player_to_those_who_do_not_see_his_money(rulebook: str) -> None:
    rng, asked = random.Random(rulebook), 0
    for seed in range(2):
        for table in tables(rulebook, seed, 100, LIMITED):
            if rng.random() < 0.5:
                continue
            asker = rng.choice([each for each in ASKERS if each.role not in SEES_PRIVATE])
            other = other_money(table, asker)
            for act in everything(asker, table):
                one, two = answered(asker, act, table), answered(asker, act, other)
                if one != two:  # it is refused, or not, and that is all
                    assert {getattr(each, "text", A_PLAYERS_AFFAIR) for each in (one, two)} == {A_PLAYERS_AFFAIR}, act
                    assert getattr(one, "clauses", ()) != getattr(two, "clauses", ()), act
                asked += 1
    assert asked > 5_000


def test_a_dealer_is_told_that_a_loss_limit_stands_against_it_and_not_what_is_left_of_it(tmp_path: Path) -> None:
    """NSW Blackjack Challenge 20.3: asked for at a table, and where a second person is wanted."""
    house = default_house(load("nsw-blackjack-challenge"))
    fresh = open_table("nsw-blackjack-challenge", house=house, cards="5s 9h 6d Kc 2c", players=LIMITED)
    table, _ = play(fresh, a.PlaceWager("alice", 1, 10_000), a.Deal())
    act = a.LeaveOut(1, "passed", "double")

    async def test(house: Peopled) -> None:
        for name, text in (("dealer-1", A_PLAYERS_AFFAIR), ("supervisor-1", "$37.00 is left of it")):
            answer = await house.reception.approvals.propose(caller(name), "t1", "p", act, table)
            assert isinstance(answer, NotAllowed) and "20.3" in answer.refusal.clauses
            assert text in answer.refusal.text and answer.refusal == answered(caller(name), act, table)

    run(tmp_path, test, staff=True)


async def test_a_deposit_limit_is_not_told_to_the_dealer_who_sells_chips() -> None:
    async with a_floor() as floor:
        table = await a_table(floor, "t1", replace(an_opening(), players={"alice": LIMITED["alice"]}))
        for who, text in ((DEALER, A_PLAYERS_AFFAIR), (SUPERVISOR, "$200.00 today")):
            answer = await do(floor, who, table, a.BuyChips("alice", 30_000))
            assert isinstance(answer, NotAllowed) and text in answer.refusal.text
            assert answer.refusal.clauses == load("nsw-pontoon").wagers.deposit_limit.clauses


async def test_whether_somebody_else_is_restricted_or_disputes_something_is_in_no_denial() -> None:
    """A player asks for what staff do, once before and once after it has happened to another."""
    for rulebook in RULEBOOKS:
        rules = load(rulebook).limits.restrictions.value
        tables = [open_table(rulebook, players={"bob": Patron(seat=1)})]
        for rule in rules:
            new = draft(tables[0])
            new.players = {"bob": replace(new.players["bob"], restriction=rule.name)}
            tables.append(new)
        for stage in ("raised", "ruled", "review", "final"):
            new = draft(tables[0])
            new.disputes = (("bob", stage),)
            tables.append(new)
        for act in (a.LiftRestriction("", "bob"), a.RuleDispute("", "bob", "so"), a.Restrict("", "bob", "late-entry")):
            assert len({msgspec.json.encode(answered(ALICE, act, table)) for table in tables}) == 1, (rulebook, act)
