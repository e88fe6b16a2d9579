"""The pictures of the pages in `docs`: ``python -m tests.web.pictures`` takes them anew, from a real floor.

With names (``python -m tests.web.pictures player phone``) it takes only those.
"""

from __future__ import annotations

import base64
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.rulebooks import RULEBOOKS
from tests.web.arranged import lay, lay_nothing
from tests.web.conftest import ARGS, CHROMIUM, started
from tests.web.floor import PHONE, Floor

if TYPE_CHECKING:
    from playwright.sync_api import Page

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
WIDE = {"width": 1280, "height": 800}
"""With room for all of a table and of what a player may do."""


FEWER_COLOURS = """async data => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const brush = canvas.getContext('2d');
  brush.drawImage(image, 0, 0);
  const dots = brush.getImageData(0, 0, image.width, image.height).data;
  const seen = new Map();
  const key = at => (dots[at] & 0xfc) << 16 | (dots[at + 1] & 0xfc) << 8 | (dots[at + 2] & 0xfc);
  for (let at = 0; at < dots.length; at += 4) seen.set(key(at), (seen.get(key(at)) || 0) + 1);
  const palette = [...seen].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([colour]) => colour);
  const split = colour => [colour >> 16, colour >> 8 & 255, colour & 255];
  const distance = (a, b) => a.reduce((sum, part, n) => sum + (part - b[n]) ** 2, 0);
  const known = palette.map(split);
  const nearest = new Map();
  for (const colour of seen.keys()) {
    let best = 0;
    const parts = split(colour);
    known.forEach((each, n) => { if (distance(each, parts) < distance(known[best], parts)) best = n; });
    nearest.set(colour, best);
  }
  let text = '';
  for (let at = 0; at < dots.length; at += 4) text += String.fromCharCode(nearest.get(key(at)));
  return { width: image.width, height: image.height, palette: known.flat(), dots: btoa(text) };
}"""


def save(page: Page, name: str) -> None:
    """A picture of the page in 256 colours: a third of the size, and hardly anybody sees it."""
    page.evaluate("scrollTo(0, 0)")
    blank = page.context.new_page()
    taken = base64.b64encode(page.screenshot()).decode()
    found = blank.evaluate(FEWER_COLOURS, taken)
    blank.close()
    wide, high, dots = found["width"], found["height"], base64.b64decode(found["dots"])
    lines = b"".join(b"\0" + dots[at : at + wide] for at in range(0, wide * high, wide))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(found["palette"])),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )
    (IMAGES / f"web-{name}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def player(floor: Floor, folder: Path, picture: str, viewport: dict[str, int]) -> None:
    """A shared box, another box, and a decision with something to decide."""
    lay(folder, "nsw-pontoon", "6s Kc 9d 5h 8d 3h")
    table = floor.open_table("nsw-pontoon", called="Pontoon 3")
    page = floor.page("player", f"#/table/{table}", "alice", viewport=viewport)
    page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
    for other, box, cents in (("bob", 3, 2500), ("carol", 6, 1500)):
        floor.act("player", table, other, act="PlaceWager", player=other, box=box, cents=cents)
    page.click("[aria-label='Chip of $25']")
    page.click("button.spot[data-box='3'][data-kind=original]")
    page.click("button.spot[data-box='3'][data-kind=original]")
    page.click("[aria-label='Chip of $5']")
    page.click("button.spot[data-box='3'][data-kind=perfect-pairs]")
    page.click("[data-do=place]")
    page.wait_for_selector(".sides .wager.own")
    page.click("[data-do=ready]")
    for other in ("bob", "carol"):
        floor.page("player", f"#/table/{table}", other).click("[data-do=ready]")
    page.wait_for_selector(".table-page[data-calm=yes] .decision[data-act=Double]")
    save(page, picture)
    lay_nothing(folder)


def settled(floor: Floor, folder: Path, picture: str) -> None:
    """A round that is over: split hands, insurance on the line, optional wagers, and what each brought."""
    lay(folder, "nsw-pontoon", "8s 5d As 8h 6d 8d 3c Jc 9h 7h Kd")
    table = floor.open_table("nsw-pontoon", called="Pontoon 4")
    page = floor.page("player", f"#/table/{table}", "alice", viewport=WIDE)
    page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
    page.click("[aria-label='Chip of $25']")
    for box, kind in ((3, "original"), (5, "original"), (3, "perfect-pairs"), (5, "perfect-pairs")):
        page.click(f"button.spot[data-box='{box}'][data-kind={kind}]")
    page.click("[data-do=place]")
    page.click("[data-do=ready]")
    for act in ("Insure", "pass", "pass", "Split", "Double", "Keep", "Stand", "Double", "Keep"):
        page.wait_for_selector(f".table-page[data-calm=yes] [data-act={act}]")
        page.locator(f"[data-act={act}]").first.click()
    page.wait_for_selector(".table-page[data-round='2'][data-calm=yes]")
    save(page, picture)
    lay_nothing(folder)


def main(*names: str) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as given, sync_playwright() as playwright:
        folder = Path(given)
        for address in started(folder, ("tests.web.arranged", given)):
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGS))
            floor = Floor(address, browser)
            for name, take in PICTURES.items():
                if name in (names or PICTURES):
                    take(floor, folder)
            floor.close()
            browser.close()


def welcome(floor: Floor, folder: Path) -> None:
    first = floor.browser.new_context(viewport=WIDE).new_page()  # type: ignore[arg-type]
    first.goto(floor.address)
    first.wait_for_selector(".roles")
    save(first, "welcome")


def staff(floor: Floor, folder: Path) -> None:
    """The floor, the dealer, the supervisor, the inspector and training."""
    many_tables(floor)
    table = floor.open_table("nsw-blackjack-challenge", dealer="person", called="Blackjack Challenge 2")
    floor.play_round(table, "dave", box=4)
    for name, box in (("dave", 4), ("carol", 2), ("bob", 5)):
        floor.act("player", table, name, act="PlaceWager", player=name, box=box, cents=2500)
    page = floor.page("dealer", f"#/table/{table}", viewport=WIDE)
    page.check("text=Confirm every card")
    page.click("[data-act=Deal]")
    moved = "(place) => document.querySelector('.table-page').dataset.place !== place"
    for _ in range(5):
        page.wait_for_selector(".table-page[data-place]")
        place = page.get_attribute(".table-page", "data-place")
        page.keyboard.press("Space")
        page.wait_for_function(moved, arg=place)
    save(page, "dealer")
    page.uncheck("text=Confirm every card")
    page.wait_for_selector(".table-page:not([data-place])")
    inbox(floor, table)
    page = floor.page("supervisor", f"#/table/{table}", viewport=WIDE)
    page.click(".act-head >> text=Set the limits")
    save(page, "supervisor")
    version = floor.state("inspector", table)["version"]
    page = floor.page("inspector", f"#/table/{table}/at/{version}", viewport=WIDE)
    page.wait_for_selector(".felt .card")
    page.click("#tab-around")
    page.wait_for_selector(".around [aria-current]")
    save(page, "inspector")
    page = floor.page("inspector", "#/log", viewport=WIDE)
    page.click("text=Verify the log")
    page.fill("#log-player", "dave")
    page.click("text=Search")
    page.wait_for_selector(".log-table")
    page.wait_for_selector(".proof .done")
    save(page, "log")
    page = floor.page("dealer", "#/training", viewport=WIDE)
    page.select_option("#train-scenario", "insurance")
    page.fill("#train-seed", "seven")
    page.click("text=Begin")
    page.click("[data-step=shuffle]")
    page.click("[data-step=burn]")
    page.wait_for_selector(".verdict")
    save(page, "training")


def inbox(floor: Floor, table: str) -> None:
    """What waits for a supervisor, and a dispute with its round."""
    floor.act("player", table, "dave", act="RaiseDispute", player="dave", about="I had asked for another card")
    page = floor.page("supervisor", "#/inbox", viewport=WIDE)
    page.wait_for_selector(".inbox [data-kind=dispute]")
    page.wait_for_selector(".inbox [data-kind=irregularity]")
    save(page, "inbox")
    page.close()


def many_tables(floor: Floor) -> None:
    """A floor in the evening; one table waits for the supervisor, and the dealer there reads what the rules say."""
    for number in range(1, 15):
        rulebook = RULEBOOKS[number % len(RULEBOOKS)]
        told = {"rulebook": rulebook, "name": f"Pit {1 + number // 8}, table {number}", "dealer": "person"}
        floor.ask("supervisor", "/api/tables", {"id": f"pit{number}", "table": f"pit-{number}", "opening": told})
    for number in (2, 5, 11):
        floor.prepare(f"pit-{number}")
        for name, box in (("alice", 1), ("bob", 3), ("carol", 6))[: number % 4]:
            floor.act("player", f"pit-{number}", name, act="PlaceWager", player=name, box=box, cents=2500)
    waits = f"pit-{RULEBOOKS.index('adelaide-pontoon-2008') + len(RULEBOOKS)}"
    floor.prepare(waits)
    floor.act("player", waits, "dave", act="PlaceWager", player="dave", box=2, cents=5000)
    floor.act("dealer", waits, act="Deal")
    page = floor.page("dealer", f"#/table/{waits}", viewport=WIDE)
    page.click("text=Something went wrong")
    page.fill("#find-act", "exposed")
    page.click("[data-act=DrawInError] .act-head")
    page.check("text=It is exposed")
    page.wait_for_selector(".ruling-people")
    save(page, "wrong")
    floor.act("dealer", waits, act="DrawInError", exposed=True)
    page = floor.page("supervisor", "#/tables", viewport=WIDE)
    page.wait_for_selector(".floor-list tr.urgent")
    save(page, "floor")


def rules(floor: Floor, folder: Path) -> None:
    page = floor.page("player", "#/rules/adelaide-pontoon-2008", "alice", viewport=WIDE)
    page.wait_for_selector(".pay-table")
    save(page, "rules")


def coach(floor: Floor, folder: Path) -> None:
    """A review of a round at a practice table, in the light."""
    lay(folder, "nsw-pontoon", "6s 9h 5d Kc 2c 3c 4c")
    table = floor.open_table("nsw-pontoon", called="Pontoon 4")
    page = floor.page("player", f"#/table/{table}", "alice", viewport=WIDE)
    page.evaluate("localStorage.setItem('pitboss-theme', 'light')")
    page.reload()
    page.wait_for_selector(".table-page[data-waits=wagers] .chip-rail")
    page.click("#tab-coach")
    page.click("[aria-label='Chip of $25']")
    page.click("button.spot[data-box='3'][data-kind=original]")
    page.click("[data-do=place]")
    page.click("[data-do=ready]")
    page.click(".decision[data-act=Stand]")
    page.wait_for_selector("[data-do=again]")
    page.click("text=Review the last round")
    page.wait_for_selector(".coach .mistake")
    page.locator(".one-decision").scroll_into_view_if_needed()
    save(page, "coach")
    page.evaluate("localStorage.removeItem('pitboss-theme')")
    lay_nothing(folder)


PICTURES: dict[str, Callable[[Floor, Path], None]] = {
    "welcome": welcome,
    "player": lambda floor, folder: player(floor, folder, "player", WIDE),
    "phone": lambda floor, folder: player(floor, folder, "phone", PHONE),
    "settled": lambda floor, folder: settled(floor, folder, "settled"),
    "staff": staff,
    "rules": rules,
    "coach": coach,
}


if __name__ == "__main__":
    main(*sys.argv[1:])
