"""The picture on the front page is what the program draws, and fetches nothing from anywhere."""

from __future__ import annotations

import html
import re
from pathlib import Path

from pitboss.terminal.picture import main, picture
from tests.project.sources import ROOT

PICTURE = ROOT / "docs" / "images" / "table.svg"


def words(svg: str) -> str:
    text = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))
    return " ".join(html.unescape(text).split())


def test_the_picture_is_up_to_date() -> None:
    assert words(PICTURE.read_text(encoding="utf-8")) == words(picture())


def test_the_picture_fetches_nothing() -> None:
    svg = PICTURE.read_text(encoding="utf-8")
    assert re.findall(r"https?://[^\s\"')]+", svg) == ["http://www.w3.org/2000/svg"]
    assert "@font-face" not in svg and "▸" in svg and "8♦" in svg


def test_the_picture_can_be_made_again(tmp_path: Path) -> None:
    main(str(tmp_path / "images" / "table.svg"))
    assert (tmp_path / "images" / "table.svg").read_text(encoding="utf-8").startswith("<svg ")
