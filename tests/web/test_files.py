"""What the browser is given: whole, ours, and from nowhere else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

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


def test_a_table_that_has_moved_is_followed(floor: Floor) -> None:
    """Another process owns the table: its page opens at the same place (where one has to log in, at another name)."""
    table = floor.open_table("nsw-pontoon")
    page = floor.page("player", f"#/table/{table}", "alice")
    page.wait_for_selector(".felt")
    there = floor.address.replace("localhost", "127.0.0.1")
    moved = "{ is: 'moved', table, address }"
    page.evaluate(
        f"([table, address]) => {{ import('./js/live.js').then(({{ live }}) => live.received({moved})) }}",
        [table, there],
    )
    page.wait_for_url(f"{there}/#/table/{table}")
    floor.close_pages()
