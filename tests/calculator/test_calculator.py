"""`pitboss calculator`: the page says what the solver says, redraws as options change, and prints."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.maths.exact.solve import solve, value
from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import Shoe
from pitboss.rulebooks import RULEBOOKS

pytest.importorskip("litestar")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    from litestar.testing import TestClient

    from pitboss.calculator.serving import make_app

    with TestClient(make_app(["testserver.local"])) as made:
        yield made


def test_every_option_changes_the_game_to_what_it_says(client: Any) -> None:
    games = client.get("/api/games").json()
    assert [game["id"] for game in games] == list(RULEBOOKS)
    for game in games:
        assert len(game["options"]) > 15 and game["decks_default"] in game["decks"]
        for option in game["options"][::7]:
            assert option["now"] in [each for each, _ in option["values"]]
            assert all(said.endswith(".") for _, said in option["values"])
            for each, _ in option["values"][-1:]:
                assert known_rulebook(game["id"], [f"{option['key']}={each}"]).id == game["id"]


def test_answers_are_the_solvers(client: Any) -> None:
    asked = {"rulebook": "nsw-pontoon", "decks": "6", "set": "dealer.soft_stand=17"}
    chart = client.get("/api/chart", params=asked).json()
    changed = known_rulebook("nsw-pontoon", ["dealer.soft_stand=17"])
    assert chart["ev_best"] == pytest.approx(value(changed, Shoe.of_decks(changed, 6)), abs=1e-12)
    assert "dealer.soft_stand = 17" in chart["variant"]
    assert chart["edge_at_most"] >= -chart["ev_best"]
    hand = client.get("/api/hand", params={**asked, "cards": "7s 8s", "dealer": "2d"}).json()
    assert [each["act"] for each in hand["choices"]] == ["hit", "stand", "double"]
    doubled = {**asked, "cards": "4s 6s 2d", "dealer": "9d", "doubled": "1"}
    assert {each["act"] for each in client.get("/api/hand", params=doubled).json()["choices"]} == {"keep", "forfeit"}
    rows = list(csv.DictReader(io.StringIO(client.get("/api/values/csv", params=asked).text)))
    mean = sum(float(row["chance"]) * float(row["value"]) for row in rows if row["chance"])
    natural = next(each for each in solve(changed, Shoe.of_decks(changed, 6)).openings if each.act == "natural")
    exact = solve(changed, Shoe.of_decks(changed, 6))
    naturals = sum(each.chance * each.ev for each in exact.openings if each.cards == natural.cards)
    suits = 3e-4  # suits of 6-7-8 and 7-7-7 choose for themselves; a row takes them together
    assert exact.ev - suits < mean + naturals <= exact.ev + 1e-12


@pytest.mark.parametrize(
    ("path", "asked", "said"),
    [
        ("hand", {"cards": "7s", "dealer": "2d"}, "write a hand as in"),
        ("hand", {"cards": "As Kd", "dealer": "2d"}, "there is nothing to decide"),
        ("hand", {"cards": "Ts 2d", "dealer": "2d"}, "is not so often in the shoe"),
        ("chart", {"rulebook": "nowhere"}, "no rulebook 'nowhere'"),
        ("chart", {"set": "dealer.soft_stand=99"}, "dealer.soft_stand"),
        ("chart", {"decks": "many"}, "neither a whole number"),
        ("chart", {"level": "blind"}, "are known"),
        ("values/pdf", {}, "csv, html and txt are known"),
    ],
)
def test_what_cannot_be_answered_is_one_sentence(client: Any, path: str, asked: dict[str, str], said: str) -> None:
    answer = client.get(f"/api/{path}", params={"rulebook": "nsw-pontoon", **asked})
    assert answer.status_code == 400 and said in answer.json()["error"]


def test_it_answers_to_its_own_name_alone(client: Any) -> None:
    """No page from elsewhere can read it through a name that leads here."""
    assert client.get("/api/games", headers={"host": "elsewhere.example"}).status_code == 400
    assert "default-src 'self'" in client.get("/").headers["content-security-policy"]
    assert client.get("/files/../answers.py").status_code == 404
