"""Reports in the browser: figures beside what was expected, and the same on paper."""

from __future__ import annotations

from typing import Any

from tests.web.floor import Floor


def test_the_reports_page_shows_win_beside_what_was_expected(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("canberra-pontoon-2005", "person", date="2026-11-18")
    floor.context("player", "lena")
    floor.act("dealer", table, act="BuyChips", player="lena", cents=50_000)
    floor.play_round(table, "lena")
    net = floor.state("player", table, "lena")["mine"]["net_cents"]
    page = floor.page("supervisor", "#/reports")
    page.wait_for_selector("h1 >> text=Reports")
    page.wait_for_selector(f"#report-table option[value='{table}']", state="attached")
    page.select_option("#report-period", "")
    page.select_option("#report-table", table)
    page.wait_for_selector(".tiles >> text=$500")
    win = f"{'−' if net > 0 else ''}${abs(net) // 100}"
    page.wait_for_selector(f".tiles dd >> text={win}")
    page.wait_for_selector("svg.takings")
    page.wait_for_selector("td >> text=Main wagers")
    page.wait_for_selector("td >> text=/^1[89] Nov 2026, [0-9:]{5}$|^[0-9]{1,2} [A-Z][a-z]{2} 2[0-9]{3}, [0-9:]{5}$/")
    page.fill("#handover-text", "Lena comes back at noon.")
    page.click("text=Save note")
    page.wait_for_selector("text=Note saved.")
    assert page.input_value("#handover-text") == ""
    days = floor.ask("supervisor", "/api/reports")["days"]
    day = next(day for day in days if floor.ask("supervisor", f"/api/reports/takings?period={day}")["handovers"])
    page.reload()
    page.wait_for_selector(f"#report-period option[value='{day}']", state="attached")
    page.select_option("#report-period", day)
    page.wait_for_selector(".handovers >> text=Lena comes back at noon.")
    assert floor.ask("supervisor", f"/api/reports/rows?table={table}").startswith("part,name,rounds")
    assert not faults
