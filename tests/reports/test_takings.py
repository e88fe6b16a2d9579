"""Reports tie to the ledger to the cent, whatever happens at the tables, and say what was expected."""

from __future__ import annotations

import datetime
from typing import Any

import msgspec
import pytest

from pitboss.floor.floor import Floor
from pitboss.floor.folds import HouseBooks
from pitboss.floor.takings import HouseTakings
from pitboss.ledger.books import Books
from pitboss.reports import paper
from pitboss.reports.build import Report, build, everything, of_day, of_month, of_shift
from pitboss.reports.expected import Band, Game, Value, band_of, games
from pitboss.reports.takings import HALF_HOUR_MS, MAIN, Bet, Cell, Place, TableTold, Takings, key_of, place_of
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts as a
from pitboss.table import events as e
from tests.floor.memory import DEALER, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import ANYBODY, must, ready, wander


def takings_of(floor: Floor) -> Takings:
    found: Takings = floor.projections.ask(
        HouseTakings, lambda fold: msgspec.json.decode(msgspec.json.encode(fold.takings), type=Takings)
    )
    return found


def for_money(takings: Takings) -> Takings:
    """As if the tables had a gaming date: then they are reported."""
    for told in takings.tables.values():
        told.practice = False
    return takings


async def test_the_win_is_what_people_lost_by_the_ledger_whatever_goes_wrong() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        for number, rulebook in enumerate(RULEBOOKS):
            await a_table(floor, f"t{number}", an_opening(rulebook))
            await wander(floor, f"t{number}", 150, 40 + number, 0.08)
        takings = for_money(takings_of(floor))
        books: Books = floor.projections.ask(HouseBooks, lambda fold: fold.books)
        assert takings.books.balances == books.balances
        assert takings.untied() == {}
        report = build(takings, everything, "all", "")
        lying = sum(cents for name, cents in books.balances.items() if "/box:" in name)
        lost = -sum(sum(by_table.values()) for by_table in books.people.values())
        assert report.ties
        assert report.total.win == lost - lying
        assert sum(row.win for row in report.by_table) == report.total.win
        for rows in (report.by_hour, report.by_day, report.by_dealer, report.by_wager):
            assert sum(row.win for row in rows) == report.total.win
        assert report.total.rounds == sum(row.rounds for row in report.by_table) > 0
        assert report.counts["irregularities"] > 0
    async with a_floor(log) as floor:
        assert for_money(takings_of(floor)) == takings, "made anew from the log it is the same"


async def test_a_posting_that_is_left_out_does_not_tie() -> None:
    async with a_floor() as floor:
        await a_table(floor, "one")
        await wander(floor, "one", 80, 3)
        takings = for_money(takings_of(floor))
    key, cell = next((key, cell) for key, cell in takings.cells.items() if cell.bets)
    cell.bet(MAIN).won += 100
    assert takings.untied() == {"one": 100}
    report = build(takings, everything, "all", "")
    assert not report.ties
    assert "WRONG" in paper.as_text(report) and "WRONG" in paper.as_html(report)
    assert place_of(key).table == "one"


async def test_chips_fills_and_credits_are_in_the_report_and_are_no_win() -> None:
    opening = an_opening("adelaide-pontoon-2008", date=datetime.date(2026, 11, 18))
    async with a_floor() as floor:
        await a_table(floor, "one", opening)
        floor.hosts["one"]._permit = lambda caller, act, state: None
        await must(floor, ANYBODY, "one", a.FillFloat("casino-supervisor", 500_000))
        await must(floor, DEALER, "one", a.BuyChips("alice", 10_000))
        await must(floor, ANYBODY, "one", a.CreditFloat("casino-supervisor", 100_000))
        await must(floor, ANYBODY, "one", a.CashChips("casino-supervisor", "alice", 4_000))
        report = build(takings_of(floor), of_day(datetime.date(2026, 11, 18)), "day", "", people="")
    (row,) = report.by_table
    assert (row.drop, row.fills, row.credits, row.win, row.hold) == (6_000, 500_000, 100_000, 0, 0.0)
    assert report.counts == {"credits": 1, "fills": 1}
    (alice,) = report.people
    assert (alice.person, alice.bought, alice.cashed, alice.won) == ("alice", 10_000, 4_000, 0)


async def test_practice_tables_have_no_value_and_are_not_reported() -> None:
    async with a_floor() as floor:
        await a_table(floor, "one")
        await ready(floor, "one")
        await wander(floor, "one", 60, 5)
        takings = takings_of(floor)
    assert takings.cells
    assert build(takings, everything, "all", "").total.rounds == 0


def told(**more: Any) -> TableTold:
    usual: dict[str, Any] = {"name": "one", "zone": "Australia/Sydney", "begins_hour": 6}
    return TableTold(rulebook="nsw-pontoon", edition="", decks=8, **(usual | more))


def ms(text: str) -> int:
    return int(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def test_two_hours_that_the_clocks_show_twice_are_two_hours_of_one_shift() -> None:
    """Sydney, 5 April 2026: at 3:00 daylight time it is 2:00 again."""
    takings = Takings(tables={"one": told()})
    for at in ("2026-04-04T15:10+00:00", "2026-04-04T16:10+00:00"):
        place = Place("one", "2026-04-04", ms(at) // HALF_HOUR_MS, "dora")
        takings.cells[key_of(place)] = Cell(rounds=10)
    report = build(takings, of_day(datetime.date(2026, 4, 4)), "day", "")
    assert [(row.name, row.rounds) for row in report.by_hour] == [("2026-04-05 02:00", 20)]
    assert report.total.rounds_per_hour == 20.0
    since = datetime.datetime(2026, 4, 5, 2)
    shift = build(takings, of_shift(since, since + datetime.timedelta(hours=1)), "shift", "")
    assert shift.total.rounds == 20
    assert build(takings, of_month(2026, 5), "month", "").total.rounds == 0


def test_an_hour_in_adelaide_begins_at_a_half_hour_elsewhere() -> None:
    takings = Takings(tables={"one": told(zone="Australia/Adelaide")})
    for at in ("2026-07-01T03:30+00:00", "2026-07-01T04:00+00:00"):
        place = Place("one", "2026-07-01", ms(at) // HALF_HOUR_MS, "dora")
        takings.cells[key_of(place)] = Cell(rounds=1)
    (row,) = build(takings, everything, "all", "").by_hour
    assert (row.name, row.rounds) == ("2026-07-01 13:00", 2)


def test_what_is_expected_counts_boxes_on_one_dealer_hand_together() -> None:
    game = Game("nsw-pontoon", 8, False, {MAIN: Value(0.01, 1.25, 0.5)})
    cell = Cell(rounds=1, cross=2 * 1000 * 3000, bets={MAIN: Bet(2, 4000, 1000**2 + 3000**2, 500)})
    band = band_of(cell, MAIN, game)
    assert band is not None
    assert band.expected == pytest.approx(40.0)
    assert band.deviation**2 == pytest.approx(1.25 * 10_000_000 + 0.5 * 6_000_000)
    low, high = Band(0.0, 100.0).limits()
    assert (round(low), round(high)) == (-196, 196)
    assert Band(0.0, 100.0).chance_of(196.0) == pytest.approx(0.05, abs=1e-3)


def test_every_rulebook_has_values_for_every_number_of_decks() -> None:
    for name in RULEBOOKS:
        book = load(name)
        for decks in book.cards.decks.value:
            game = games()[name, decks, False]
            assert MAIN in game.bets and 0.0 < game.bets[MAIN].edge < 0.02
        assert ((name, decks, True) in games()) == (book.splitting.resplit_by.value != "nobody")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_values_are_those_of_the_solver(rulebook: str) -> None:
    from pitboss.maths.expectations import expectations

    decks, resplit, values = next(iter(expectations(load(rulebook))))
    kept = games()[rulebook, decks, resplit].bets
    assert set(kept) == set(values)
    for name, value in values.items():
        for field, figure in value.items():
            assert getattr(kept[name], field) == pytest.approx(figure, abs=1e-9), (name, field)


def test_amended_rules_have_no_expectation() -> None:
    takings = Takings(tables={"one": told(amended=True)})
    place = Place("one", "2026-07-01", 0, "dora")
    takings.cells[key_of(place)] = Cell(rounds=1, bets={MAIN: Bet(1, 1000, 1_000_000, 1000)})
    report = build(takings, everything, "all", "")
    assert report.total.expected is None and report.total.win == 1000
    assert any("No exact value is kept for the rules of one" in note for note in report.notes)


def a_report() -> Report:
    takings = Takings(tables={"one": told(name="=Pit & <1>")})
    place = Place("one", "2026-07-01", ms("2026-07-01T03:30+00:00") // HALF_HOUR_MS, "dora")
    cell = Cell(rounds=50, boxes=50, wagered=60_000, drop=20_000, bets={MAIN: Bet(50, 50_000, 50 * 1_000_000, -90_000)})
    takings.cells[key_of(place)] = cell
    return build(takings, everything, "Day report", "1 July 2026")


def test_the_page_shows_what_lies_outside_its_limits_and_takes_no_markup_from_names() -> None:
    page = paper.as_html(a_report())
    assert "=Pit &amp; &lt;1&gt;" in page and "<1>" not in page
    assert "outside" in page and '<svg viewBox="0 0' in page and 'class="bar out"' in page
    text = paper.as_text(a_report())
    assert "−$900.00" in text and "−450.0%" in text


def test_rows_for_spreadsheets_start_no_formula() -> None:
    lines = paper.as_csv(a_report()).splitlines()
    assert lines[0].startswith("part,name,rounds,")
    assert any(line.startswith("by_table,'=Pit & <1>,50,") for line in lines)


def test_what_happened_is_told_one_by_one_until_somebody_rules() -> None:
    """A dispute is open until it is ruled on, an irregularity until it is approved; every line has its clauses."""
    takings = Takings()
    takings.tables["t1"] = TableTold("pit-1", "nsw-pontoon", "", 8, "Australia/Sydney", 6, date="2026-11-18")
    at = 1_795_000_000_000
    raised = (
        e.DisputeRaised(("17.1",), "alice", "a payment"),
        e.IrregularityReported(("17.2",), "card-drawn-in-error", "casino-supervisor", reason="the card fell"),
        e.LimitsSet(("6.5",), "casino-supervisor", 1000, 50_000),
    )
    takings.heard("t1", at, "2026-11-18", "dealer-1", "dealer", raised)
    open_now = {row.what: row.is_open for row in build(takings, everything, "", "", one_by_one=True).happened}
    assert open_now == {"disputes": True, "irregularities": True, "limits set": False}
    ruled = (
        e.DisputeRuled(("17.1",), "casino-supervisor", "alice", "the payment stands", False),
        e.ApprovalGiven(("17.2",), "gaming-manager"),
    )
    takings.heard("t1", at + 60_000, "2026-11-18", "supervisor-1", "supervisor", ruled)
    report = build(takings, everything, "Regulator", "", one_by_one=True)
    assert not any(row.is_open for row in report.happened) and all(row.clauses for row in report.happened)
    words = {row.what: row.text for row in report.happened}
    assert words["disputes"] == "alice disputes: a payment"
    assert words["irregularities"] == "card drawn in error: the card fell"
    assert words["disputes ruled on"] == "ruled for alice by the casino supervisor: the payment stands"
    assert words["limits set"] == "$10.00 to $500.00"
    assert "What happened, one by one" in paper.as_html(report) and "17.1" in paper.as_html(report)
    assert build(takings, everything, "", "").happened == ()
    assert build(takings, of_day(datetime.date(2026, 11, 19)), "", "", one_by_one=True).happened == ()
    assert msgspec.json.decode(msgspec.json.encode(takings), type=Takings) == takings
