"""`pitboss design`: every variant is the game that it says, what was found is kept, and the best are the best."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.commands.design import _on_cluster, _on_processes
from pitboss.maths.design import Aim, Game, Kept, Limit, Solved, Space, Sweep, axis_of, front, here
from pitboss.maths.exact.solve import solve
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import side_bets
from pitboss.rulebooks import load, vary
from pitboss.rulebooks.amend import amend, layers_named

BOOK = "adelaide-pontoon-2008"
AIMS = (Aim("edge", True), Aim("hits", True))


def space(*tried: str) -> Space:
    return Space(BOOK, tuple(axis_of(load(BOOK), text) for text in tried))


SMALL = space("dealer.soft_stand = 17; 18", "interim.pay_table.5-card-21 = 3 to 2; 2 to 1", "decks = 6; 8")


def sweep(asked: Space, kept: Path | None = None, limits: tuple[Limit, ...] = (), **more: Any) -> Sweep:
    return Sweep(asked, limits, AIMS, Kept(kept, load(BOOK)), **more)


def made_up(wanted: list[tuple[str, Game]]) -> Iterator[tuple[str, Solved]]:
    """Figures that cost nothing and hang on the game."""
    for key, _ in wanted:
        chance = random.Random(key)
        names = ("edge", "hits", "deviation", "variance", "wagered", "risk", "edge at most")
        yield key, {name: chance.random() for name in names}


def test_every_variant_is_worth_what_the_solver_says() -> None:
    found = sweep(SMALL)
    found.grid()
    told = found.designed()
    assert told.tried == 8 and told.solved == 8 and not told.impossible
    for point in told.points[::3]:
        changes = {key: value for key, value in point.changes.items() if key != "decks"}
        book = vary(load(BOOK), {**changes, "dealer.soft_stand": int(changes["dealer.soft_stand"])})
        exact = solve(book, Shoe.of_decks(book, int(point.changes["decks"])))
        assert point.figures["edge"] == -exact.ev and point.edge_at_most == -exact.at_least
        assert point.figures["hits"] == sum(chance for amount, chance in exact.results.items() if amount > 0)
        assert point.figures["deviation"] == exact.standard_deviation


def test_optional_wagers_cost_the_solver_nothing() -> None:
    asked = Space(
        "nsw-pontoon",
        (axis_of(load("nsw-pontoon"), "side_bets.perfect-pairs.pays.perfect = 20 to 1; 25 to 1; 30 to 1"),),
    )
    limits = (Limit("perfect-pairs", 0.0, 1.0),)
    found = Sweep(asked, limits, (Aim("perfect-pairs", False),), Kept(None, load("nsw-pontoon")))
    found.grid()
    told = found.designed()
    assert (told.tried, told.solved, told.within) == (3, 1, 2)
    (best,) = [point for point in told.points if point.best]
    shoe = Shoe.of_decks(load("nsw-pontoon"))
    assert best.figures["perfect-pairs"] == -float(side_bets(load("nsw-pontoon"), shoe)["perfect-pairs"].ev)


def test_a_sweep_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole = sweep(SMALL, solve=made_up)
    whole.grid()
    kept = tmp_path / "design.jsonl"

    def stopped(wanted: list[tuple[str, Game]]) -> Iterator[tuple[str, Solved]]:
        yield from made_up(wanted[:3])
        raise KeyboardInterrupt

    first = sweep(SMALL, kept, solve=stopped)
    with pytest.raises(KeyboardInterrupt):
        first.grid()
    assert len(first.designed().points) == 3
    lines = kept.read_bytes()
    kept.write_bytes(lines[:-20])  # the power went while the third was written
    second = sweep(SMALL, kept, solve=made_up)
    second.grid()
    assert second.solved == 6 and second.designed().points == whole.designed().points
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 9
    kept.write_text(kept.read_text(encoding="utf-8").replace('"code": "', '"code": "0'), encoding="utf-8")
    with pytest.raises(MathsError, match="another rulebook, edition or version"):
        Kept(kept, load(BOOK))


def test_others_find_the_same() -> None:
    from distributed import Client

    asked = sweep(SMALL)
    games = [(str(place), asked_game) for place, asked_game in enumerate(_games(asked))][:3]
    alone = dict(here(games))
    with ThreadPoolExecutor(2) as pool:
        assert dict(_on_processes(pool, games, 2)) == alone
    with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None) as client:
        assert dict(_on_cluster(client, games, 1)) == alone


def _games(asked: Sweep) -> list[Game]:
    wanted: list[Game] = []

    def note(games: list[tuple[str, Game]]) -> Iterator[tuple[str, Solved]]:
        wanted.extend(game for _, game in games)
        yield from made_up(games)

    asked.solve = note
    asked.grid()
    return wanted


def test_no_other_variant_beats_the_best() -> None:
    chance = random.Random(5)
    for _ in range(40):
        figures = [{"edge": chance.randrange(6), "hits": chance.randrange(6)} for _ in range(25)]
        aims = (Aim("edge", chance.random() < 0.5), Aim("hits", True))
        scores = [tuple(aim.score(each) for aim in aims) for each in figures]
        found = front(figures, aims)
        beaten = {a for a in scores if any(b != a and all(x >= y for x, y in zip(b, a, strict=True)) for b in scores)}
        assert {scores[place] for place in found} == set(scores) - beaten
        assert len({scores[place] for place in found}) == len(found)


def test_a_search_is_the_same_on_any_number_of_cores_and_comes_within_limits() -> None:
    asked = space(
        "dealer.soft_stand", "interim.pay_table.5-card-21", "interim.pay_table.6-card-21",
        "interim.pay_table.7-plus-card-21", "doubling.hands", "decks",
    )  # fmt: skip

    def sloped(wanted: list[tuple[str, Game]]) -> Iterator[tuple[str, Solved]]:
        for key, game in reversed(wanted):
            terms = dict(game.terms)
            edge = terms["dealer.soft_stand"] / 20 + len(str(terms["interim.pay_table.6-card-21"])) / 100
            yield key, dict.fromkeys(("edge", "hits", "edge at most"), edge)

    limits = (Limit("edge", 0.9, 0.98),)
    runs = []
    for solver in (sloped, lambda wanted: reversed(list(sloped(wanted)))):
        found = sweep(asked, limits=limits, solve=solver)
        found.search(150, seed=3)
        runs.append(found.designed())
    assert runs[0].points == runs[1].points and runs[0].tried == 150 < asked.size
    assert runs[0].within > 10


def test_the_best_are_written_as_rulebooks_that_the_table_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["design", BOOK, "--try", "dealer.soft_stand = 17", "--try", "decks = 6", "--jobs", "1"]
    files = ["--write", str(tmp_path / "out"), "--csv", str(tmp_path / "a.csv"), "--html", str(tmp_path / "a.html")]
    assert main([*words, *files, "--svg", str(tmp_path / "a.svg"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (path,) = (tmp_path / "out").iterdir()
    book = load(BOOK)
    changed = amend(book, *layers_named(book, [str(path)]))
    assert changed.dealer.soft_stand.value == 17 and changed.cards.decks_default.value == 6
    assert main(["edge", BOOK, "--set", "dealer.soft_stand=17", "--decks", "6", "--quick", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["house_edge"] == told["points"][0]["figures"]["edge"]
    assert main(["rules", BOOK, "--amend", str(path), "--brief"]) == 0
    assert "six decks" in capsys.readouterr().out.lower()
    assert "<circle" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<table>" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").count("\n") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say what to try"),
        (["--try", "dealer.soft_stend = 17"], "no such term; did you mean dealer.soft_stand?"),
        (["--try", "dealer.soft_stand ="], "names no value"),
        (["--try", "boxes.number = 5"], "would change nothing here"),
        (["--try", "decks = 6", "--limit", "edge 0.3%"], "write it as in edge 0.3%..0.6%"),
        (["--try", "decks = 6", "--limit", "hope 1.."], "are known"),
        (["--try", "decks = 6", "--aim", "edge up"], "write it as in hits high"),
        (["--try", "decks = 6", "--sample", "2", "--search", "3"], "either --sample or --search"),
    ],
)
def test_what_cannot_be_read(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", BOOK, *words]) == 2
    assert said in capsys.readouterr().err


def test_nothing_within_the_limits_is_a_check_that_failed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["design", BOOK, "--try", "decks = 6; 8", "--limit", "edge ..0.1%", "--jobs", "1"]
    assert main(words) == 1
    assert "those that come nearest" in capsys.readouterr().out
