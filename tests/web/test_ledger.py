"""The ledger in the browser: the accounts of the house, of one table and of one person."""

from __future__ import annotations

from typing import Any

from tests.web.floor import Floor


def test_the_ledger_page_shows_where_every_cent_is(floor: Floor, faults: list[Any]) -> None:
    table = floor.open_table("nsw-pontoon", "person")
    floor.play_round(table, "lena")
    net = floor.state("player", table, "lena")["mine"]["net_cents"]
    page = floor.page("supervisor", "#/ledger")
    page.wait_for_selector(".lead >> text=All accounts together: $0")
    page.wait_for_selector("td >> text=Cage")
    page.select_option("#ledger-table", table)
    page.wait_for_selector(f"td >> text=lena at Table {table}")
    rows = page.locator("tbody tr").all_inner_texts()
    minus = "\u2212" if net < 0 else ""
    said = f"{minus}${abs(net) // 100}"
    assert any(row.split("\t") == [f"lena at Table {table}", said] for row in rows), (net, rows)
    assert any(row.startswith(f"Table {table}: float\t") for row in rows), rows
    assert all(row.startswith((f"Table {table}: ", "lena at ")) for row in rows), rows
    page.select_option("#ledger-table", "")
    page.fill("#ledger-person", "nobody-there")
    page.wait_for_selector("text=No entries here")
    assert not faults
