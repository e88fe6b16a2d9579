"""Handover notes: left by those who run a shift, once each, and shown in its report."""

from __future__ import annotations

import datetime
from pathlib import Path

from pitboss.floor.takings import HouseTakings
from pitboss.patrons.gaming_day import Calendar, local
from pitboss.reports import paper
from pitboss.reports.build import Report, at_table, build, everything, of_shift
from tests.server.test_accounts import web
from tests.server.test_registers import a_table


async def test_a_note_is_left_once_and_stands_in_the_report_of_its_shift(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await a_table(site)
        sam, mia, dora = await site.as_("supervisor-1"), await site.as_("manager-1"), await site.as_("dealer-1")
        note = {"id": "n1", "text": "Box 3 is <b>reserved</b>\nuntil noon.", "table": "own"}
        first, again = [await sam.post("/api/reports/handovers", json=note) for _ in range(2)]
        assert first.status_code == 200 and first.json() == again.json() == {"is": "accepted", "version": 1}
        whole = await mia.post("/api/reports/handovers", json={"id": "n2", "text": "Two dealers are ill."})
        assert whole.json()["version"] == 2
        assert (await dora.post("/api/reports/handovers", json=note | {"id": "n3"})).status_code == 403
        for wrong in ({"text": "  "}, {"table": "pit-9"}, {"text": "x" * 4_001}):
            assert (await sam.post("/api/reports/handovers", json=note | {"id": "n4"} | wrong)).status_code >= 400
        assert [entry.by for entry in site.house.entries("handovers")] == ["supervisor-1", "manager-1"]
        day = {"id": "handover/n5", "do": "open"}
        assert (await mia.post("/api/gaming-day", json=day)).status_code == 200
        taken = await mia.post("/api/reports/handovers", json={"id": "n5", "text": "The id was used before."})
        assert taken.status_code == 404 and "used for something else" in taken.json()["text"]
        now = site.house.clock.now_ms()
        await site.house.floor.up_to_date()
        takings = site.house.floor.projections.ask(HouseTakings, lambda fold: fold.takings)
        day = (await sam.get("/api/reports/takings", params={"period": takings.handovers[0].date})).json()
        assert [(row["by"], row["table"]) for row in day["handovers"]] == [("supervisor-1", "own"), ("manager-1", "")]
        page = (await sam.get("/api/reports/paper", params={"period": takings.handovers[0].date})).text
        assert "Handover notes" in page and "Box 3 is &lt;b&gt;reserved&lt;/b&gt; until noon." in page

    clock = local(Calendar(takings.handovers[0].zone, takings.handovers[0].begins_hour), now).replace(tzinfo=None)
    since = clock.replace(minute=0, second=0, microsecond=0)

    def shift(hours: int) -> Report:
        begins = since + datetime.timedelta(hours=hours)
        return build(takings, of_shift(begins, begins + datetime.timedelta(hours=1)), "Shift", "", one_by_one=True)

    assert len(shift(0).handovers) == 2 and shift(-1).handovers == shift(1).handovers == ()
    assert "Two dealers are ill." in paper.as_text(shift(0))
    assert [row.text for row in build(takings, at_table("own"), "", "", one_by_one=True).handovers] == [note["text"]]
    assert build(takings, everything, "", "").handovers == ()
