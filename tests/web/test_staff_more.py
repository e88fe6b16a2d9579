"""Opening tables, approving with open eyes, sessions that end, and what staff pages say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from pitboss.floor.permissions import TWO_PERSON_ACTS
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts
from tests.web.conftest import started
from tests.web.floor import PASSWORD, Floor, SetUpFloor, counts, reads
from tests.web.test_dealer import in_play
from tests.web.test_staff import do, done

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OTHER = "another long phrase 8"
OVER = "Your session is over; log in again."
HELD = """title = "A doubled 21 is paid even money"
rulebook = "nsw-pontoon"
cards = "6s 9h 5d Kc"
play = ["alice bets 25 on 1", "dealer deals", "alice doubles on 1"]
[expect]
net.alice = {net}
"""


# --- opening and closing ---------------------------------------------------------------------------------------------


def opened(page: Page, **fields: str) -> str:
    """Open a table with these fields; what the page says then."""
    page.click("text=Open a table")
    for name, value in fields.items():
        field = page.locator(f"#open-{name}")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.wait_for_function("() => document.querySelector('#open-decks option') !== null")
    page.click("text=Open the table")
    return page.inner_text(".page > .done")


def test_a_tournament_manager_opens_a_tournament_table(floor: Floor, faults: list[Any]) -> None:
    """He opens no others, so it is ticked and stays so; a supervisor may tick it."""
    page = floor.page("tournament-manager", "#/tables")
    page.click("text=Open a table")
    tick = page.locator(".check", has_text="tournament play").locator("input")
    assert tick.is_checked()
    assert tick.is_disabled()
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert opened(page, name="Cup final", dealer="person") == "Cup final is open."
    page.get_by_role("button", name="Close Cup final").click()
    page.click("text=Close the table")
    page.wait_for_selector(".done >> text=Cup final is closed")
    other = floor.page("supervisor", "#/tables")
    other.click("text=Open a table")
    tick = other.locator(".check", has_text="tournament play").locator("input")
    assert not tick.is_checked()
    assert tick.is_enabled()


def test_a_table_without_a_name_gets_a_free_one(floor: Floor, faults: list[Any]) -> None:
    """Also where a table of that name is open, or was: an id is never used twice."""
    page = floor.page("supervisor", "#/tables")
    first = opened(page, rulebook="canberra-pontoon-2005", dealer="person")
    second = opened(page, rulebook="canberra-pontoon-2005", dealer="person")
    assert first != second
    assert second.startswith("Canberra pontoon 2005 ")
    assert opened(page, name="Twice 9", dealer="person") == "Twice 9 is open."
    again = "Twice 9 is open; the log calls it twice-9-2, since there was a twice-9 before."
    assert opened(page, name="Twice 9", dealer="person") == again
    floor.ask("supervisor", "/api/tables/twice-9/close", {"id": "close-twice-9"})
    assert "twice-9-3" in opened(page, name="Twice 9", dealer="person")


def test_what_cannot_be_opened_is_said_before_it_is_sent(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("supervisor", "#/tables")
    page.click("text=Open a table")
    page.fill("#open-name", "long " * 30)
    page.click("text=Open the table")
    page.wait_for_selector("dialog .problem >> text=The name of the table has 149 characters: use at most 100.")
    assert page.is_enabled("#open-bots")
    page.select_option("#open-dealer", "person")
    assert page.is_disabled("#open-bots")
    reads(page, "dialog", "Bots play where the table deals by itself")


def test_the_floor_says_only_what_is_known(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    page = floor.page("supervisor", "#/tables")
    page.wait_for_selector(".table-card, .floor-list")
    if page.locator(".floor-tools").count():
        page.click(".floor-tools >> text=Cards")
    card = page.locator(".table-card", has_text=f"Table {table}")
    reads(card, None, "needs a dealer")
    reads(card, None, "The cards are waiting to be shuffled")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_last_rounds_are_spoken_of_where_the_rules_have_them(floor: Floor, faults: list[Any], rulebook: str) -> None:
    table = floor.open_table(rulebook, dealer="person")
    page = floor.page("supervisor", "#/tables")
    page.get_by_role("button", name=f"Close Table {table}", exact=True).click()
    rounds = load(rulebook).shuffle.final_rounds.value
    if rounds:
        page.wait_for_selector(f"dialog >> text=requires the last {rounds} rounds to be announced")
    page.wait_for_timeout(200)
    assert ("announce" in page.inner_text("dialog")) is bool(rounds)


def test_one_message_at_a_time(floor: Floor, faults: list[Any]) -> None:
    """What was done before does not stand beside what is refused now; that stands in the dialog that caused it."""
    first, second = (floor.open_table("nsw-pontoon", dealer="person") for _ in range(2))
    floor.foreseen.append("503")
    floor.prepare(second)
    floor.act("player", second, "oscar", act="PlaceWager", player="oscar", box=1, cents=1000)
    page = floor.page("supervisor", "#/tables")
    for table in (first, second):
        page.get_by_role("button", name=f"Close Table {table}", exact=True).click()
        page.click("text=Close the table")
        page.wait_for_selector(".page > .done" if table == first else "dialog .problem")
    reads(page, "dialog .problem", "no wager on it")
    assert page.locator(".page > .done, .page > .problem").count() == 0


# --- two people ------------------------------------------------------------------------------------------------------


def proposal(floor: Floor, role: str, table: str) -> str:
    """What somebody of that role reads of the proposal at a table."""
    page = floor.page(role, "#/approvals")
    card = page.locator(".proposal", has_text=f"Table {table},")
    card.wait_for()
    return " ".join(card.inner_text().split())


def test_whoever_approves_reads_everything(floor: Floor, faults: list[Any]) -> None:
    """Also what the proposer left as it was, and what is in force now."""
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.act("player", table, "nora", act="TakeSeat", player="nora", box=1)
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    do(page, "Set the limits", minimum_cents="10", maximum_cents="20000")
    done(page)
    other = floor.page("gaming-manager", "#/approvals")
    card = other.locator(".proposal", has_text=f"Table {table},")
    card.locator(".in-force").first.wait_for()
    shown = " ".join(card.inner_text().split())
    for words in (
        "Minimum $10", "Maximum $20,000", "Wager original wager",
        "Players already here keep the old minimum yes", "Limits in force now $5 to $1,000",
        "Players at the table nora",
    ):  # fmt: skip
        assert words in shown


def test_a_mispayment_says_which_way(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.act("player", table, "nora", act="TakeSeat", player="nora", box=1)
    floor.act("supervisor", table, act="RecordMispayment", by="", player="nora", cents=2500)
    said = proposal(floor, "gaming-manager", table)
    assert "Paid too much What was paid a wager Put right yes Intentional not suspected" in said
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.act("player", table, "nora", act="TakeSeat", player="nora", box=1)
    floor.act(
        "supervisor", table, act="RecordMispayment", by="", player="nora", cents=2500, over=False, rectified=False
    )
    assert "Paid too little What was paid a wager Put right no" in proposal(floor, "gaming-manager", table)


def test_a_void_round_is_shown_as_it_lies(floor: Floor, faults: list[Any]) -> None:
    table = in_play(floor, "nsw-pontoon")
    floor.act("supervisor", table, act="VoidRound", by="", reason="the cards fell down")
    page = floor.page("gaming-manager", "#/approvals")
    card = page.locator(".proposal", has_text=f"Table {table},")
    card.locator(".in-force").first.wait_for()
    shown = " ".join(card.inner_text().split())
    assert "Reason the cards fell down" in shown
    assert "Wagers on it alice $10 on box 2" in shown


def test_what_an_act_leaves_out_is_shown_as_the_engine_takes_it(floor: Floor, faults: list[Any]) -> None:
    """The page's word for a field that is not sent is the engine's default."""
    page = floor.page("supervisor", "#/approvals")
    shown = page.evaluate(
        """() => Promise.all([import('./js/acts.js'), import('./js/approvals.js')]).then(([{ ACTS }, { startOf }]) =>
          Object.fromEntries(Object.values(ACTS).map(({ act, fields }) =>
            [act, Object.fromEntries(fields.map((field) => [field.name, startOf(field)]))])))"""
    )
    for name in TWO_PERSON_ACTS:
        for field in msgspec.structs.fields(getattr(acts, name)):
            if field.required or field.name in (
                "at_ms",
                "line",
                "notice_minutes",
            ):  # clocks say it
                continue
            default = list(field.default) if isinstance(field.default, tuple) else field.default
            assert shown[name][field.name] == default, f"{name}.{field.name}"


def test_a_proposal_that_is_refused_after_approval_is_told_to_both(floor: Floor, faults: list[Any]) -> None:
    floor.foreseen += ["403", "409"]
    table = in_play(floor, "nsw-pontoon")
    page = floor.page("supervisor", f"#/table/{table}")
    page.wait_for_selector("#find-act")
    do(page, "Declare the round void", reason="the cards fell down")
    done(page)
    page.goto(f"{floor.address}/#/tables")
    for _ in range(3):  # the list of tables asks twice at most before the page itself sees that it waits
        page.wait_for_event("response", lambda answer: answer.url.endswith("/api/approvals"))
    while floor.state("dealer", table)["view"]["phase"] != "wagers":
        closing = [act for act in floor.state("dealer", table)["legal"] if act["act"].startswith("Close")]
        if closing:
            floor.act("dealer", table, **closing[0])
        else:
            assert floor.decide(table, "alice")
    other = floor.page("gaming-manager", "#/approvals")
    other.locator(".proposal.yours", has_text=f"Table {table},").locator("text=Approve").click()
    other.wait_for_selector(".problem >> text=Declare the round void was not done:")
    other.wait_for_selector(".answered .refused >> text=approved, but not done")
    told = page.wait_for_selector(".own-answer.was-refused")
    assert told is not None
    assert f"Declare the round void at Table {table}: demo-gaming-manager approved it, but it was not done:" in (
        told.inner_text()
    )
    page.click(".own-answer.was-refused >> [aria-label=Dismiss]")
    page.wait_for_selector(".own-answer.was-refused", state="detached")


# --- sessions that end -----------------------------------------------------------------------------------------------


ACCOUNTS = {"sue": "supervisor", "tim": "supervisor", "pat": "player", "guy": "gaming-manager"}


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SetUpFloor]:
    for address in started(tmp_path_factory.mktemp("house")):
        found = SetUpFloor(address, browser, ACCOUNTS)
        yield found
        found.close()


def is_at_the_door(page: Page) -> None:
    """The welcome page, with the reason; and nothing is asked any more."""
    page.wait_for_selector(f".welcome .problem >> text={OVER}")
    assert page.locator(".who-am-i").count() == 0
    page.wait_for_selector("#login-name")
    page.wait_for_selector(".books")
    page.wait_for_timeout(2000)  # what the welcome page itself asks for is there
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(5000)
    assert asked == []


@pytest.mark.parametrize("path", ["#/tables", "#/table/nsw-pontoon"])
def test_a_session_that_ends_is_shown(house: SetUpFloor, path: str) -> None:
    """A supervisor is disabled while he looks at the floor, or at a table."""
    page = house.page("sue", path)
    page.wait_for_selector(".table-card, .floor-list, .felt")
    house.post(house.admin, "/api/accounts/sue/disable", {"disabled": True})
    is_at_the_door(page)
    house.by_two("/api/accounts/sue/disable", {"disabled": False}, "guy")
    page.fill("#login-name", "sue")
    page.fill("#login-password", PASSWORD)
    page.click("form >> text=Log in >> nth=-1")
    page.wait_for_selector(".who-am-i >> text=sue")
    assert path in page.url
    page.click("text=Log out")
    page.wait_for_selector("#login-name")
    assert page.locator(".problem").count() == 0


def test_a_password_changed_elsewhere_ends_the_other_page(house: SetUpFloor) -> None:
    page = house.page("pat", "#/tables")
    page.wait_for_selector(".table-card, .floor-list")
    elsewhere = house.page("pat", "#/tables")
    data = {"old": PASSWORD, "password": OTHER}
    house.post(elsewhere.context, "/api/accounts/pat/password", data)
    is_at_the_door(page)
    counts(elsewhere.locator(".who-am-i"), 1)


def test_a_first_visit_complains_of_nothing(house: SetUpFloor) -> None:
    page = house.context().new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("response", lambda answer: said.append(answer.url) if answer.status >= 400 else None)
    page.goto(house.address)
    page.wait_for_selector("#login-name")
    page.wait_for_timeout(300)
    assert said == []
    assert page.locator(".problem").count() == 0


def test_a_gaming_manager_is_led_to_the_training(house: SetUpFloor) -> None:
    page = house.page("guy", "#/tables")
    page.click("nav >> text=Floor")
    page.click("nav >> text=Training")
    page.wait_for_selector("#train-rulebook")


def test_the_audit_is_in_words(house: SetUpFloor) -> None:
    """Acts as their forms call them, and no names of the program's own."""
    supervisor = house.context()
    house.post(supervisor, "/api/login", {"name": "tim", "password": PASSWORD})
    act = {"act": "BarPlayer", "by": "", "player": "bot-bob", "reason": "device"}
    house.post(supervisor, "/api/tables/nsw-pontoon/acts", {"id": "bar", "act": act})
    manager = house.page("guy", "#/approvals")
    manager.click(".proposal >> text=Approve")
    manager.wait_for_selector(".done, .problem")
    player = house.context()
    house.post(player, "/api/guest", {"name": "nosy"})
    origin = {"Origin": house.address}
    opening = {"id": "x", "table": "x", "opening": {"rulebook": "nsw-pontoon"}}
    assert player.request.post("/api/tables", data=opening, headers=origin).status == 403
    manager.goto(f"{house.address}/#/audit")
    manager.wait_for_selector("td >> text=Denied: open table")
    manager.wait_for_selector("td >> text=Approved: measures against a person, requested by tim")
    manager.wait_for_selector("td >> text=at NSW pontoon")


# --- records and the log ---------------------------------------------------------------------------------------------


def test_a_record_that_does_not_hold_says_so(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("inspector", "#/replay")
    page.fill("#round-text", HELD.format(net=50))
    page.click("form >> text=Replay")
    page.wait_for_selector(".expected.done >> text=Replay matches")
    page.click("text=Another record")
    page.fill("#round-text", HELD.format(net=75))
    page.click("form >> text=Replay")
    page.wait_for_selector(".expected.problem li")
    reads(page, ".expected.problem", "alice")
    page.click("text=Another record")
    page.fill("#round-text", HELD.partition("[expect]")[0])
    page.click("form >> text=Replay")
    page.wait_for_selector(".steps")
    assert page.locator(".expected").count() == 0


def test_the_log_is_searched_by_the_name_of_a_table_and_names_who_approved(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person")
    floor.act("player", table, "nora", act="TakeSeat", player="nora", box=1)
    floor.act("supervisor", table, act="GrantMaximum", by="", player="nora", maximum_cents=2_000_000)
    waiting = next(each for each in floor.ask("gaming-manager", "/api/approvals") if each["table"] == table)
    floor.ask("gaming-manager", f"/api/approvals/{waiting['id']}", {"approve": True})
    page = floor.page("inspector", "#/log")
    page.fill("#log-table", f"Table {table}")
    page.select_option("#log-act", "GrantMaximum")
    page.click("form >> text=Search")
    row = page.locator(".log-table tbody tr", has_text=f"Table {table}").first
    row.wait_for()
    reads(row, None, "approved by demo-gaming-manager")


def test_a_capped_table_is_told_in_words(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", dealer="person", side_bets=("perfect-pairs",))
    floor.act("supervisor", table, act="CapPlayers", by="", players=1)
    floor.act("supervisor", table, act="SetLimits", by="", minimum_cents=500, maximum_cents=40_000)
    floor.prepare(table)
    floor.act("player", table, "nora", act="PlaceWager", player="nora", box=1, cents=1000)
    floor.act("player", table, "nora", act="PlaceWager", player="nora", box=1, cents=500, kind="perfect-pairs")
    page = floor.page("supervisor", f"#/table/{table}")
    page.click("#tab-history")
    page.wait_for_selector(".history >> text=on Perfect Pairs")
    reads(page, ".history", "Notice to players: minimum $5.00")
    reads(page, ".history", "takes 1 player")
    assert "takes 1 players" not in page.inner_text(".history")


@pytest.mark.clause("adelaide-pontoon-2008", "122")
def test_a_table_is_opened_with_what_the_house_decides(floor: Floor, faults: list[Any]) -> None:
    """At an ordinary table; beside its felt stands what was decided, and by which clause."""
    page = floor.page("supervisor", "#/tables")
    said = opened(
        page, rulebook="adelaide-pontoon-2008", name="Decided", dealer="person",
        amend='name = "our house"\nrulebook = "adelaide-pontoon-2008"\nkind = "house-decision"\nclauses = ["122"]\n'
        '[terms.irregularities]\ncut_missed = { is = "finish-then-shuffle", clause = "122" }',
    )  # fmt: skip
    assert said == "Decided is open."
    page.goto(f"{floor.address}/#/table/decided")
    page.click("#tab-rules")
    reads(page, ".amended", "Amended: our house")
    reads(page, ".amended li", "If the cut was missed, the round is finished as dealt")
    page.click("text=How to play, and all the rules with clauses")
    reads(page, ".rules-page", "As table decided plays it")
    page.wait_for_selector(".rule-sentences >> text=If the cut was missed, the round is finished as dealt")
    assert page.url.endswith("#/rules/adelaide-pontoon-2008/decided")
