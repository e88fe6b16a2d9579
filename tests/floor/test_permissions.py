"""The matrix, cell by cell: every role, every act, every rulebook, and whoever has no business at a table."""

from __future__ import annotations

import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pitboss.floor import permissions
from pitboss.floor.model import FLOOR_ROLES, HOUSE, Accepted, Caller, Denied, NotAllowed, Opening, Proposed
from pitboss.floor.people import Lifetimes
from pitboss.floor.permissions import (
    AT_THE_TABLE,
    OPERATIONS,
    RULES,
    TOURNAMENT_ACTS,
    TWO_PERSON_ACTS,
    as_caller,
    cell,
    denial,
    matrix,
    may,
    may_post,
    may_second,
    second_person,
    widest,
)
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.editions import frozen_editions
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.engine import decide, open_table, refusal
from pitboss.table.house import default_house
from pitboss.table.refusals import Refusal
from pitboss.table.session import SessionTerms
from pitboss.table.state import Table
from tests.floor.peopled import Peopled, caller, run, session_of

ACTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(AnyAct)}

SAMPLES: dict[str, Any] = {
    "player": "alice", "person": "alice", "box": 1, "cents": 500, "kind": "perfect-pairs", "by": "dealer", "boxes": 2,
    "depth": 60, "from_back": 60, "order": (), "minimum_cents": 500, "maximum_cents": 100_000, "rule": "late-entry",
    "players": 1, "reason": "as a test", "cents_each": 1, "chip_cents": 500,
    "from_pool_each": 1, "cards": 3, "places": (1, 0, 1),
    "wrong": 2, "what": "missing", "cause": "disturbance", "duty": "advice", "ruling": "it stands", "about": "the odds",
    "minutes": 20, "date": datetime.date(2024, 8, 19), "done": "decks-checked", "of": "bob", "ground": "every-round",
    "seconds": 20, "session": SessionTerms("heat", {1: "alice"}, 100_000, 500, 100_000),
}  # fmt: skip


def sample(name: str, **changes: Any) -> AnyAct:
    """An act with something in every field that must be given."""
    kind = ACTS[name]
    fields = {
        field.name: SAMPLES[field.name] for field in msgspec.structs.fields(kind) if field.default is msgspec.NODEFAULT
        and field.default_factory is msgspec.NODEFAULT
    }  # fmt: skip
    if name == "ReserveBoxes":
        fields["boxes"] = (1,)
    if name in ("SetLimits", "PlaceWager"):
        fields.pop("kind", None)
    return kind(**(fields | changes))  # type: ignore[no-any-return]


def table_of(rulebook: str, **house: Any) -> Table:
    book = load(rulebook)
    return open_table(book, house=default_house(book, **house))


def test_every_act_has_its_rule_and_every_rule_its_act() -> None:
    assert set(RULES) == set(ACTS)
    assert set(widest()) == set(FLOOR_ROLES)
    assert all(set(cells) == set(ACTS) for cells in widest().values())


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("role", FLOOR_ROLES)
def test_each_cell_is_what_happens(rulebook: str, role: str) -> None:
    """`denial` at a real table says yes exactly where the rulebook's matrix does."""
    for name in sorted(ACTS):
        check_each_cell_is_what_happens(rulebook, role, name)


def check_each_cell_is_what_happens(rulebook: str, role: str, name: str) -> None:
    table = table_of(rulebook, tournament=role == "tournament-manager")
    who = Caller("alice" if role == "player" else "somebody", role)
    changes: dict[str, Any] = {}
    if name == "Cut" and role in ("dealer", "gaming-supervisor", "supervisor", "gaming-manager"):
        changes = {"player": "dealer"}
    if name in ("Restrict", "LiftRestriction") and load(rulebook).limits.restrictions.value:
        changes = {"rule": load(rulebook).limits.restrictions.value[0].name} if name == "Restrict" else {}
    if name == "Reconstruct":
        table.phase = "dealing"  # the initial deal went wrong, as most often
    act = as_caller(who, sample(name, **changes))
    denied = denial(
        who, act, table, dealt_by="house" if name in ("BuyChips", "ChangeColour") and role == "player" else "person"
    )
    said = cell(role, name, load(rulebook))
    assert said in permissions.CELLS
    assert matrix(rulebook)[role][name] == said
    if said == "no":
        assert denied is not None or _nobody_may(act, table), (role, name)
    else:
        assert denied is None, (role, name, denied)
    if denied is not None:
        assert denied.text and denied.text.endswith(".") and "\n" not in denied.text
        assert denied.clauses or role in ("administrator", "tournament-manager"), (role, name, denied)


def _nobody_may(act: AnyAct, table: Table) -> bool:
    """What the rules let nobody do is refused by the engine, with its clause; staff may hear that."""
    refused = refusal(table, act)
    return refused is not None and bool(refused.clauses)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_anonymous_callers_and_unknown_roles_are_denied_everything(rulebook: str) -> None:
    for name in sorted(ACTS):
        check_anonymous_callers_and_unknown_roles_are_denied_everything(rulebook, name)


def check_anonymous_callers_and_unknown_roles_are_denied_everything(rulebook: str, name: str) -> None:
    table = table_of(rulebook)
    assert denial(None, sample(name), table) is not None
    for role in ("", "anonymous", "player ", "Administrator", "casino-supervisor"):
        assert denial(Caller("alice", role), sample(name), table) is not None


@pytest.mark.parametrize("role", [role for role in FLOOR_ROLES if role != "administrator"])
def test_whoever_is_posted_elsewhere_does_nothing_here(role: str) -> None:
    for name in sorted(ACTS):
        check_whoever_is_posted_elsewhere_does_nothing_here(role, name)


def check_whoever_is_posted_elsewhere_does_nothing_here(role: str, name: str) -> None:
    table = table_of("nsw-pontoon", tournament=role == "tournament-manager")
    who = Caller("alice", role, tables=("table-2", "table-3"))
    assert denial(who, as_caller(who, sample(name)), table, where="table-1") is not None
    there = denial(who, as_caller(who, sample(name)), table, where="table-2")
    everywhere = denial(Caller("alice", role), as_caller(who, sample(name)), table, where="table-1")
    assert (there is None) == (everywhere is None)
    nowhere = Caller("alice", role, tables=())
    assert denial(nowhere, as_caller(nowhere, sample(name)), table, where="table-1") is not None


def test_players_act_in_their_own_name_only() -> None:
    for name in sorted(name for name, rule in RULES.items() if rule.who == "player"):
        check_players_act_in_their_own_name_only(name)


def check_players_act_in_their_own_name_only(name: str) -> None:
    table = table_of("nsw-pontoon")
    alice = Caller("alice", "player")
    for other in ("bob", "Alice", "bot-alice", "dealer", "supervisor"):
        denied = denial(alice, as_caller(alice, sample(name, player=other)), table, dealt_by="house")
        assert denied is not None and "own name" in denied.text
    assert denial(alice, as_caller(alice, sample(name, player="")), table, dealt_by="house") is None
    assert as_caller(alice, sample(name, player="")).player == "alice"  # type: ignore[union-attr]


def test_a_player_places_no_wager_that_nobody_is_to_notice() -> None:
    table = table_of("nsw-pontoon")
    denied = denial(Caller("alice", "player"), a.PlaceWager("alice", 1, 1, unnoticed=True), table)
    assert denied is not None and denied.clauses == table.rulebook.limits.sign.clauses


def test_chips_are_bought_from_a_dealer_where_there_is_one() -> None:
    table = table_of("nsw-pontoon")
    alice, act = Caller("alice", "player"), a.BuyChips("alice", 5000)
    assert denial(alice, act, table, dealt_by="house") is None
    assert denial(alice, act, table, dealt_by="person") is not None
    assert denial(Caller("dealer-1", "dealer"), act, table, dealt_by="person") is None


def test_a_dealer_does_nothing_at_a_table_that_deals_by_itself() -> None:
    for name in sorted(ACTS):
        check_a_dealer_does_nothing_at_a_table_that_deals_by_itself(name)


def check_a_dealer_does_nothing_at_a_table_that_deals_by_itself(name: str) -> None:
    dealer = Caller("dealer-1", "dealer")
    act = as_caller(dealer, sample(name))
    assert denial(dealer, act, table_of("nsw-pontoon"), dealt_by="house") is not None


def test_a_tournament_manager_acts_at_tournament_tables_under_rules_that_know_him() -> None:
    for name in sorted(ACTS):
        check_a_tournament_manager_acts_at_tournament_tables_under_rules_that_know_him(name)


def check_a_tournament_manager_acts_at_tournament_tables_under_rules_that_know_him(name: str) -> None:
    who = Caller("tournament-1", "tournament-manager")
    act = as_caller(who, sample(name))
    assert denial(who, act, table_of("nsw-pontoon")) is not None
    assert denial(who, act, table_of("adelaide-pontoon-2008", tournament=True)) is not None
    for rulebook in ("nsw-pontoon", "nsw-blackjack-challenge", "canberra-pontoon-2005"):  # there they are a director
        allowed = denial(who, act, table_of(rulebook, tournament=True)) is None
        assert allowed == (name in TOURNAMENT_ACTS), rulebook


@pytest.mark.clause("canberra-pontoon-2005", "20.7", "20.8", "def:Tournament Director/Assistant")
def test_a_director_allots_boxes_and_sets_how_many_play_where_the_ordinary_rules_let_nobody() -> None:
    who = Caller("tournament-1", "tournament-manager")
    for asked, clause in ((a.ReserveBoxes("", "alice", (1,)), "20.7"), (a.CapPlayers("", 5), "20.8")):
        act = as_caller(who, asked)
        for tournament in (True, False):
            table = table_of("canberra-pontoon-2005", tournament=tournament)
            answer = decide(table, act)
            assert isinstance(answer, Refusal) == (denial(who, act, table) is not None) == (not tournament)
            if tournament:
                assert not isinstance(answer, Refusal) and {event.clauses for event in answer} == {(clause,)}
        assert cell("tournament-manager", type(act).__name__, load("canberra-pontoon-2005")) == "yes"
        assert isinstance(decide(table_of("canberra-pontoon-2002", tournament=True), act), Refusal)


def test_the_house_plays_its_bots_and_nobody_else() -> None:
    for name in sorted(ACTS):
        check_the_house_plays_its_bots_and_nobody_else(name)


def check_the_house_plays_its_bots_and_nobody_else(name: str) -> None:
    table = table_of("nsw-pontoon")
    rule = RULES[name]
    if rule.who == "player":
        assert denial(HOUSE, sample(name, player="bot-alice"), table) is None
        assert (denial(HOUSE, sample(name), table) is None) == rule.house_too
    else:
        assert (denial(HOUSE, sample(name), table) is None) == rule.house_too


@pytest.mark.parametrize("role", sorted(AT_THE_TABLE))
def test_nobody_acts_under_a_role_that_is_not_his(role: str) -> None:
    """Whatever the client writes into `by`, the caller's own role stands there in the end."""
    for name in sorted(name for name, kind in ACTS.items() if "by" in kind.__struct_fields__):
        check_nobody_acts_under_a_role_that_is_not_his(role, name)


def check_nobody_acts_under_a_role_that_is_not_his(role: str, name: str) -> None:
    act: Any = as_caller(Caller("somebody", role), sample(name, by="gaming-manager"))
    assert act.by == AT_THE_TABLE[role]
    player: Any = as_caller(Caller("alice", "player"), sample(name, by="gaming-manager"))
    assert player.by == "player"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("role", ["dealer", "supervisor", "gaming-manager"])
def test_what_is_denied_for_the_role_the_engine_would_refuse_too(rulebook: str, role: str) -> None:
    """Two fences: nothing that `denial` lets through is refused by the engine for the role."""
    for name in sorted(name for name, rule in RULES.items() if rule.who == "staff"):
        check_what_is_denied_for_the_role_the_engine_would_refuse_too(rulebook, role, name)


def check_what_is_denied_for_the_role_the_engine_would_refuse_too(rulebook: str, role: str, name: str) -> None:
    table = table_of(rulebook)
    who = Caller("somebody", role)
    act = as_caller(who, sample(name))
    refused = refusal(table, act)
    if denial(who, act, table) is None and refused is not None:
        assert "not the " + AT_THE_TABLE[role].replace("-", " ") not in refused.text


def test_an_inspector_approves_where_the_rules_want_one() -> None:
    table = table_of("nsw-pontoon")
    table.approval_due, table.halted = "inspector", True
    inspector, supervisor = Caller("inspector-1", "inspector"), Caller("supervisor-1", "supervisor")
    act = as_caller(inspector, a.Approve(""))
    assert denial(inspector, act, table) is None and refusal(table, act) is None
    assert denial(supervisor, as_caller(supervisor, act), table) is not None


# --- floor operations ------------------------------------------------------------------------------------------------

SUPERVISORS = {"gaming-supervisor", "supervisor"}
WANTED = {
    "watch-table": set(FLOOR_ROLES),
    "see-private": {*SUPERVISORS, "gaming-manager", "inspector"},
    "see-past": {*SUPERVISORS, "gaming-manager", "inspector"},
    "search-log": {*SUPERVISORS, "gaming-manager", "inspector"},
    "export-log": {"inspector"},
    "see-head": set(FLOOR_ROLES),
    "open-table": {*SUPERVISORS, "gaming-manager", "tournament-manager"},
    "close-table": {*SUPERVISORS, "gaming-manager", "tournament-manager"},
    "post-people": {*SUPERVISORS, "gaming-manager", "administrator"},
    "see-accounts": {"administrator", *SUPERVISORS, "gaming-manager", "inspector"},
    "change-accounts": {"administrator"},
    "approve-accounts": {"administrator", "gaming-manager", "inspector"},
    "see-audit": {"administrator", "gaming-manager", "inspector"},
    "see-alarms": set(FLOOR_ROLES) - {"player"},
    "see-ledger": {*SUPERVISORS, "gaming-manager", "inspector"},
    "see-reports": {*SUPERVISORS, "gaming-manager", "inspector"},
    "leave-handover": {*SUPERVISORS, "gaming-manager"},
    "see-inbox": {*SUPERVISORS, "gaming-manager", "inspector"},
    "pace-table": {"dealer", *SUPERVISORS, "gaming-manager"},
    "see-registers": {*SUPERVISORS, "gaming-manager", "inspector"},
    "see-promotions": set(FLOOR_ROLES),
    "see-promotion-records": {*SUPERVISORS, "gaming-manager", "inspector"},
    "act-in-promotions": {"player", "dealer", *SUPERVISORS, "gaming-manager"},
    "see-approvals": {*SUPERVISORS, "gaming-manager", "inspector"},
    "see-patrons": {*SUPERVISORS, "gaming-manager", "inspector"},
    "ask-erasure": {"supervisor", "gaming-manager", "inspector"},
    "answer-erasure": {"gaming-manager", "inspector"},
    "set-retention": {"gaming-manager"},
    "train": set(FLOOR_ROLES),
    "see-trainees": {*SUPERVISORS, "gaming-manager"},
    "replay": set(FLOOR_ROLES),
    "run-tournaments": {"tournament-manager"},
    "see-tournament": set(FLOOR_ROLES),
    "see-tournament-papers": {"dealer", *SUPERVISORS, "gaming-manager", "tournament-manager", "inspector"},
}


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
@pytest.mark.parametrize("role", FLOOR_ROLES)
def test_each_operation_of_the_floor(operation: str, role: str) -> None:
    denied = may(Caller("somebody", role), operation, tournament=True)
    assert (denied is None) == (role in WANTED[operation])
    assert may(None, operation) is not None
    assert may(Caller("somebody", "nobody"), operation) is not None


@pytest.mark.parametrize("operation", ["open-table", "close-table"])
def test_whoever_is_posted_elsewhere_opens_and_closes_nothing_here(operation: str) -> None:
    for role in ("supervisor", "gaming-manager", "tournament-manager"):
        elsewhere = Caller("somebody", role, tables=("table-2",))
        assert may(elsewhere, operation, tournament=True, where="table-1") is not None
        assert may(elsewhere, operation, tournament=True, where="table-2") is None
        assert may(Caller("somebody", role), operation, tournament=True, where="table-1") is None
    assert may(HOUSE, operation, where="table-1") is None


POSTERS = {
    "gaming-supervisor": {"player", "dealer"},
    "supervisor": {"player", "dealer", "gaming-supervisor"},
    "gaming-manager": {"player", "dealer", *SUPERVISORS, "tournament-manager"},
    "administrator": {"gaming-manager", "inspector"},
}


@pytest.mark.parametrize("role", FLOOR_ROLES)
@pytest.mark.parametrize("other", FLOOR_ROLES)
def test_each_role_posts_those_below_it(role: str, other: str) -> None:
    who = Caller("somebody", role)
    assert (may_post(who, "alice", other, ("t1",), ()) is None) == (other in POSTERS.get(role, ()))
    assert may_post(who, "somebody", other, ("*",), ("t1",)) is not None, "nobody posts himself"


def test_nobody_posts_people_to_tables_that_are_not_his() -> None:
    who = Caller("somebody", "supervisor", tables=("t1", "t2"))
    assert may_post(who, "alice", "dealer", ("t1", "t2"), ()) is None
    assert may_post(who, "alice", "dealer", ("t2",), ("t1",)) is None
    for tables, posted in ((("t3",), ()), (("*",), ()), ((), ("t3",)), (("t1",), ("*",))):
        assert may_post(who, "alice", "dealer", tables, posted) is not None


def test_an_operation_that_does_not_exist_is_denied() -> None:
    assert all(may(Caller("somebody", role), "fly") is not None for role in FLOOR_ROLES)
    assert may(HOUSE, "fly") is not None and may(HOUSE, "export-log") is not None


def test_a_tournament_manager_opens_tournament_tables_only() -> None:
    who = Caller("tournament-1", "tournament-manager")
    assert may(who, "open-table") is not None and may(who, "close-table") is not None
    assert may(who, "open-table", tournament=True) is None


# --- two people ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_which_acts_need_a_second_person(rulebook: str) -> None:
    for name in sorted(ACTS):
        check_which_acts_need_a_second_person(rulebook, name)


def check_which_acts_need_a_second_person(rulebook: str, name: str) -> None:
    table = table_of(rulebook)
    second = second_person(sample(name), table)
    always = {
        "VoidRound",
        "VoidEarlierRound",
        "InvalidateRound",
        "BarPlayer",
        "RecordMispayment",
        "ResumeTable",
        "FillFloat",
        "CreditFloat",
        "CashChips",
        "LeaveOut",
        "Misplace",
        "Notice",
    }
    if name in always:
        assert second is not None and second.clauses
    elif name == "DealFaceDown":
        assert (second is not None) == (load(rulebook).cards.face_down.value == "inspector-approval")
    else:
        assert second is None, "the samples are small"
    assert (name in TWO_PERSON_ACTS) or second is None


@pytest.mark.parametrize(
    ("act", "wanted"),
    [
        (a.SetLimits("", 500, 499_900), False),
        (a.SetLimits("", 500, 500_000), True),
        (a.SetLimits("", 500, 50_000), False),
        (a.GrantMaximum("", "alice", 400_000), False),
        (a.GrantMaximum("", "alice", 1_000_000), True),
        (a.DealFaceDown("", True, False), False),
        (a.DealFaceDown("", True, True), True),
    ],
)
def test_large_changes_need_a_second_person(act: AnyAct, wanted: bool) -> None:
    table = table_of("nsw-pontoon", maximum_cents=100_000)
    assert (second_person(act, table) is not None) == wanted


def test_forfeits_for_fraud_need_a_gaming_manager() -> None:
    table = table_of("nsw-pontoon")
    second = second_person(a.InvalidateRound("", "fraud", ("alice",)), table)
    assert second is not None and second.role == "gaming-manager"
    assert second.clauses == table.rulebook.irregularities.fraud_forfeit.clauses


@pytest.mark.parametrize("first", ["supervisor", "gaming-manager"])
@pytest.mark.parametrize("second", FLOOR_ROLES)
@pytest.mark.parametrize("wanted", ["casino-supervisor", "gaming-manager", "inspector"])
def test_who_may_be_the_second_person(first: str, second: str, wanted: str) -> None:
    one, two = Caller("supervisor-1", first), Caller("supervisor-2", second)
    rule = permissions.Wanted(wanted, "a test", ("1",))
    fits = {
        "casino-supervisor": second in (*SUPERVISORS, "gaming-manager"),
        "gaming-manager": second in (*SUPERVISORS, "gaming-manager") and "gaming-manager" in (first, second),
        "inspector": second == "inspector",
    }[wanted]
    assert (may_second(one, two, rule) is None) == fits
    assert may_second(one, Caller("supervisor-1", second), rule) is not None, "not the first himself"


# --- through the floor, with sessions --------------------------------------------------------------------------------


def test_expired_and_disabled_sessions_are_nobody(tmp_path: Path) -> None:
    """What the server asks for each act is `who`, then `denial`: both say no to whoever is gone."""

    async def test(house: Peopled) -> None:
        table = table_of("nsw-pontoon")
        for name in ("alice", "dealer-1", "supervisor-1", "manager-1", "inspector-1"):
            session = await session_of(house, name)
            if name == "alice":
                await house.people.disable(caller("admin-1"), name, house.clock.now_ms())
            else:
                house.clock.pass_ms(2_000)
            who = house.people.who(session.token, house.clock.now_ms())
            assert who is None
            assert all(denial(who, sample(each), table) is not None for each in ACTS)

    run(tmp_path, test, staff=True, lifetimes=Lifetimes(idle_ms=1_000))


def test_denials_are_in_the_audit_with_who_what_and_when(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        floor = house.floor
        opening = Opening("nsw-pontoon", dealer="person")
        assert isinstance(await floor.open_table(caller("supervisor-1"), "open", "t1", opening), Accepted)
        session = await session_of(house, "alice")
        answers = [
            await floor.act(session.caller, "t1", "1", a.PlaceWager("alice", 1, 500)),
            await floor.act(session.caller, "t1", "2", a.Deal()),
            await floor.act(session.caller, "t1", "3", a.PlaceWager("bob", 1, 500)),
            await floor.act(session.caller, "t1", "4", a.VoidRound("gaming-manager", "I am losing")),
            await floor.act(caller("inspector-1"), "t1", "5", a.Deal()),
            await floor.act(caller("admin-1"), "t1", "6", a.PlaceWager("admin-1", 1, 500)),
            await floor.act(caller("dealer-1"), "t1", "7", a.Deal()),
            await floor.act(caller("supervisor-1"), "t1", "8", a.SetLimits("", 500, 1_000_000)),
        ]
        kinds = [type(answer) for answer in answers]
        assert kinds == [Accepted, Denied, Denied, Denied, Denied, Denied, NotAllowed, Proposed]
        for _ in range(100):
            notes = [entry for entry in house.entries("audit") if entry.kind == "denied"]
            if len(notes) == 5:
                break
            import asyncio

            await asyncio.sleep(0.01)
        said = [msgspec.json.decode(entry.body) for entry in notes]
        assert sorted((each["who"], each["what"]) for each in said) == [
            ("admin-1", "PlaceWager"), ("alice", "Deal"), ("alice", "PlaceWager"), ("alice", "VoidRound"),
            ("inspector-1", "Deal"),
        ]  # fmt: skip
        assert all(each["table"] == "t1" and each["text"] for each in said)
        assert all(entry.at_ms == house.clock.now_ms() for entry in notes)
        assert next(each for each in said if each["what"] == "Deal" and each["who"] == "alice")["session"]

    run(tmp_path, test, staff=True)


# --- the page --------------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "people.md").read_text(encoding="utf-8")
CELL = {"own": "own", "yes": "yes", "two": "approval", "-": "no"}


def _table(heading: str) -> list[list[str]]:
    """The rows of the table of a page whose first line begins so."""
    lines = takewhile(lambda line: line.startswith("|"), PAGE[PAGE.index(heading) :].splitlines())
    return [[part.strip().strip("`") for part in line.strip("|").split("|")] for line in lines][2:]


def test_the_page_shows_the_matrix_cell_by_cell() -> None:
    """Written down once and read by people: a cell that changes has to be changed there too."""
    roles = ["player", "dealer", "gaming-supervisor", "supervisor", "gaming-manager", "tournament-manager", "inspector"]
    rows = _table("| act | player |")
    assert [row[0] for row in rows] == list(RULES)
    for name, *cells in rows:
        shown = [CELL[text] for text in cells]
        assert shown == [widest()[role][name] for role in roles], name
        assert widest()["administrator"][name] == "no"


def test_the_page_shows_where_the_rulebooks_differ() -> None:
    """Of the rulebooks that are shipped; a new one has its column when its edition is written down."""
    shipped = [rulebook for rulebook in RULEBOOKS if rulebook in frozen_editions()]
    heading = f"| act | role | {' | '.join(shipped)} |"
    shown = {(row[0], row[1].replace(" ", "-")): [CELL[text] for text in row[2:]] for row in _table(heading)}
    found = {}
    each = {rulebook: matrix(rulebook) for rulebook in shipped}
    for role in FLOOR_ROLES:
        for name in RULES:
            cells = [each[rulebook][role][name] for rulebook in shipped]
            if len(set(cells)) > 1:
                found[name, role] = cells
    assert shown == found


def test_the_page_shows_what_else_may_be_asked() -> None:
    rows = {row[0]: row[1] for row in _table("| operation | who |")}
    assert set(rows) == set(OPERATIONS)
    for name, (roles, _) in OPERATIONS.items():
        said = set(FLOOR_ROLES) if rows[name] == "everybody" else {r.replace(" ", "-") for r in rows[name].split(", ")}
        assert said == roles, name
    assert {row[0] for row in _table("| act | when |")} == set(TWO_PERSON_ACTS)
