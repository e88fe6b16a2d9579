"""What the browser is given: whole, ours, and from nowhere else."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from pitboss.adjudicate import SITUATIONS
from pitboss.floor.permissions import POSTED_BY, widest
from pitboss.rulebooks import RULEBOOKS, load, terms
from pitboss.server.acts import acts_told
from pitboss.server.files import Files
from pitboss.table.declaring import DECLARED
from tests.web.floor import Floor

WEB = Path(__file__).resolve().parents[2] / "src" / "pitboss" / "web"
TEXTS = sorted(path for kind in ("*.js", "*.css", "*.html", "*.svg") for path in WEB.rglob(kind))
OURS = [path for path in TEXTS if "vendor" not in path.parts]


def test_there_is_something_to_look_at() -> None:
    assert len(OURS) > 20


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    """No address but the name of the drawing language; no style or script inside the page."""
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://(?!\$\{)|@import|url\(\s*['\"]?//", text)
    if path.suffix == ".html":
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("path", [path for path in TEXTS if path.suffix == ".js"], ids=lambda path: path.name)
def test_every_import_leads_to_a_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r'(?:from|import) "(\.[^"]+)"', text):
        assert (path.parent / name).resolve().is_file(), f"{path.name} imports {name}"


def test_every_module_is_used() -> None:
    """What no module imports and the page does not load is left over."""
    named = {name for path in TEXTS for name in re.findall(r'([\w-]+\.(?:js|css|svg))"', path.read_text("utf-8"))}
    assert {path.name for path in TEXTS if path.suffix != ".html"} <= named


def test_every_act_of_the_staff_can_be_done_on_a_page() -> None:
    """Each has a form, or a button of the dealer's or supervisor's; `PlaceWager` and the like are the player's.

    A session at a tournament's table begins with `start-session` on the page of its tournament, at all tables at once.
    """
    told = acts_told().acts
    forms = {each.act for each in told if each.form}
    buttons = {each.act for each in told if each.step}
    of_staff = {
        act for role, acts in widest().items() if role != "player" for act, cell in acts.items() if cell != "no"
    }
    assert of_staff - {"BeginSession"} <= forms | buttons
    assert forms <= set(widest()["player"])


@pytest.mark.parametrize("name", ["acts.js", "forms.js", "words.js"])
def test_forms_know_no_act_by_name(name: str) -> None:
    """What acts are called, what they ask for and who may do them comes from the floor."""
    text = re.sub(r"/\*\*.*?\*/|//[^\n]*", "", (WEB / "js" / name).read_text("utf-8"), flags=re.DOTALL)
    words = set(re.findall(r"\b[A-Z]\w+\b", text))
    assert not {act for act in DECLARED if len(re.findall("[A-Z]", act)) > 1} & words


def test_the_page_offers_the_posts_that_the_floor_allows() -> None:
    text = (WEB / "js" / "accounts.js").read_text("utf-8")
    posts = re.search(r"const POSTS = (\{.*?\n\});", text, re.DOTALL)
    assert posts is not None
    said = re.sub(r",(\s*[}\]])", r"\1", re.sub(r"^  (\w+):", r'  "\1":', posts.group(1), flags=re.MULTILINE))
    assert {role: frozenset(whom) for role, whom in json.loads(said).items()} == POSTED_BY


def test_every_situation_is_told_beside_an_act() -> None:
    """Whatever can go wrong is found from the form of the act that reports it; all but what the player says himself."""
    named = {name for each in acts_told().acts if each.form for name in each.form.situations}
    assert named == {situation.name for situation in SITUATIONS}


def test_every_term_that_a_form_cites_is_one() -> None:
    named = {key for each in acts_told().acts if each.form for key in each.form.terms}
    assert len(named) > 15
    for rulebook in RULEBOOKS:
        assert named <= {key for key, _ in terms(load(rulebook))}


def test_vendored_modules_stand_beside_their_licences() -> None:
    text = (WEB / "js" / "vendor" / "LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in text
    assert "Apache License" in text


def test_the_policy_lets_nothing_else_in(floor: Floor, faults: list[Any]) -> None:
    page = floor.page("player", "#/tables", "alice")
    answer = page.request.get("/")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy


def test_all_pages_come_in_two_files_that_are_kept_for_ever(floor: Floor, faults: list[Any]) -> None:
    """Named by their digest, compressed; what is asked for by another name is asked for each time."""
    page = floor.page("player", "#/tables", "alice")
    page.wait_for_selector(".table-card, .floor-list")
    asked = page.evaluate("performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname)")
    script, style = (next(name for name in asked if name.endswith(end)) for end in ("pages.js", "pages.css"))
    assert not [name for name in asked if name.startswith(("/js/", "/css/"))]
    for name in (script, style):
        answer = page.request.get(name)
        assert "immutable" in answer.headers["cache-control"] and answer.headers["content-encoding"] == "gzip"
    for name in ("/js/live.js", "/css/base.css"):
        assert page.request.get(name).headers["cache-control"] == "no-cache"
    assert page.request.get("/v/0123/pages.js").status == 404
    same = "import('./js/live.js').then(({ live }) => live === window.first || ((window.first = live), null))"
    assert page.evaluate(same) is None and page.evaluate(same) is True, "a module is the page's own"
    packed = page.request.get("/api/acts")
    assert packed.headers["content-encoding"] == "gzip" and packed.json()["acts"]


def test_the_page_brings_what_it_would_ask_for_first(floor: Floor, faults: list[Any]) -> None:
    """Who calls, and the tables they may see: for them alone, kept by nobody, and read as nothing but data."""
    told = {"rulebook": "nsw-pontoon", "name": "</script><b>&", "dealer": "person"}
    floor.ask("supervisor", "/api/tables", {"id": "open-odd", "table": "odd-name", "opening": told})
    page = floor.page("player", "#/tables", "alice")
    page.wait_for_selector("text=</script><b>&")
    asked = page.evaluate("performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname)")
    assert "/api/setup" not in asked and page.locator("#known").count() == 0
    own = page.request.get("/")
    assert own.headers["cache-control"] == "no-store" and own.headers["content-encoding"] == "gzip"
    assert own.text().count("</script>") == 2 and '"name":"alice"' in own.text() and "odd-name" in own.text()
    stranger = floor.browser.new_context(base_url=floor.address)
    first = stranger.request.get("/").text()
    assert '"me":null' in first and "odd-name" not in first and "alice" not in first
    stranger.close()


def test_a_changed_module_changes_the_name(tmp_path: Path) -> None:
    web = tmp_path / "web"
    shutil.copytree(WEB, web)
    files = Files(web, look_seconds=0)
    before, script = files.find("/"), (web / "js" / "words.js")
    assert before is not None and files.find("/js/words.js") is not None
    script.write_text(script.read_text("utf-8") + "\nexport const ANEW = 1;\n", "utf-8")
    os.utime(script, ns=(1, 1))
    after = files.find("/")
    assert after is not None and after.body != before.body
    assert b"ANEW" in files.find("/js/words.js").body  # type: ignore[union-attr]


def test_a_table_that_has_moved_is_followed(floor: Floor) -> None:
    """Another process owns the table: its page opens at the same place (where one has to log in, at another name)."""
    table = floor.open_table("nsw-pontoon")
    page = floor.page("player", f"#/table/{table}", "alice")
    page.wait_for_selector(".felt")
    there = re.sub("//[^:/]+", "//floor.localhost", floor.address)  # which Chromium takes for this machine
    moved = "{ is: 'moved', table, address }"
    page.evaluate(
        f"([table, address]) => {{ import('./js/live.js').then(({{ live }}) => live.received({moved})) }}",
        [table, there],
    )
    page.wait_for_url(f"{there}/#/table/{table}")
    floor.close_pages()
