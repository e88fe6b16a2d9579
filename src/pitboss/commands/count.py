"""`pitboss count`: what counting cards is worth, to the player and to the house."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from pitboss.basics.money import parse_cents
from pitboss.commands import rulebook_id
from pitboss.commands.edge import tell_notes, working
from pitboss.commands.options import AsJson, Csv, Html, Resplit, RulebookId, SetForStudy
from pitboss.commands.par import print_table
from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import MathsError

if TYPE_CHECKING:
    from pitboss.maths.workbench import Bench

FINE = 0
DEPTHS = "0.05,0.1,0.15,0.2,0.3,0.4,0.5"


def count(
    rulebook: RulebookId,
    *,
    count: Path | None = None,
    tags: int = 1,
    decks: int | None = None,
    behind: int | None = None,
    bankroll: str = "10000",
    least: str = "10",
    most: str = "200",
    unit: str = "5",
    steps: int = 6,
    kelly: float = 1.0,
    ruin: float = 0.135,
    rounds_hour: float = 70.0,
    hours: float = 4.0,
    stand_back: bool = False,
    indices: int = 20,
    depths: str = DEPTHS,
    rule: Annotated[list[str] | None, Parameter(name="--rule")] = None,
    team: str = "1,2,4",
    set_: SetForStudy = None,
    resplit: Resplit = False,
    verify: str | None = None,
    export: Path | None = None,
    svg: Path | None = None,
    html: Html = None,
    csv: Csv = None,
    json: AsJson = False,
) -> int:
    """Say what card counting is worth to the player and costs the house.

    Effects of single cards, the value at every true count, the decisions that the count changes with what each brings,
    the best wagers within limits, what they win and risk, and how cut depths and rules reduce it.

    Parameters
    ----------
    count
        A count file, as `pitboss simulate --count` takes it; its tags are used. Without it, whole tags are made from
        what each card is worth.
    tags
        Without a count file, the largest tag: 1, 2 or more.
    decks
        How many decks; by default, as many as a table opens with.
    behind
        Cards behind the cutting card; without it, one deck and a half.
    bankroll
        The player's bankroll, in dollars.
    least
        The minimum wager, in dollars.
    most
        The maximum wager, in dollars.
    unit
        Wagers are whole numbers of this, in dollars.
    steps
        The most wager sizes to use.
    kelly
        The share of Kelly's wagers, at most.
    ruin
        The highest risk of ruin accepted, as in 0.05.
    rounds_hour
        Rounds an hour.
    hours
        Hours of a trip.
    stand_back
        Sit out rounds without an advantage.
    indices
        How many decisions may change, the most valuable first.
    depths
        Cut depths for the house's view, as shares of the shoe behind the cutting card.
    rule
        A changed term for the house's view, as in "dealer.soft_stand=17"; repeatable.
    team
        Numbers of spotters.
    verify
        Simulate this many rounds with the count, wagers and changes found, and compare.
    export
        Write the count with its wagers and changes as a file for `pitboss simulate --count`.
    svg
        Draw the value by count to this file.
    """
    for path in (export, svg, html, csv):
        if path is not None and not path.parent.is_dir():
            raise MathsError(f"{path}: there is no folder {path.parent}.")
    if not 0.0 < ruin <= 1.0 or not 0.0 < kelly <= 4.0:
        raise MathsError("--ruin lies between 0 and 1, and --kelly between 0 and 4.")
    if tags < 1 or steps < 1 or indices < 0 or rounds_hour <= 0 or hours <= 0:
        raise MathsError("--tags, --steps, --rounds-hour and --hours are above zero, and --indices is not below it.")
    rulebook = rulebook_id(rulebook)
    book = known_rulebook(rulebook, set_ or ())
    money = {name: parse_cents(text) / 100.0 for name, text in
             (("bankroll", bankroll), ("least", least), ("most", most), ("unit", unit))}  # fmt: skip
    if not 0.0 < money["least"] <= money["most"] or money["unit"] <= 0.0 or money["bankroll"] <= 0.0:
        raise MathsError("--bankroll, --least, --most and --unit are above zero, and --least is not above --most.")
    with working("solving") as step:
        from pitboss.maths.simulate.counting import FINENESS, Counting, count_file
        from pitboss.maths.workbench import Wanted, auto_tags, balanced, bench, count_toml, effects_of_cards

        number = decks or book.cards.decks_default.value
        if number < 2:
            raise MathsError(f"--decks {number}: what a count is worth is reckoned from two decks up.")
        ranks = len(book.cards.ranks.value)
        cards = 4 * ranks * number
        cut = 6 * ranks if behind is None else behind
        wanted = Wanted(
            money["bankroll"], money["least"], money["most"], money["unit"], steps, kelly, ruin, rounds_hour, hours,
            stand_back, indices,
        )  # fmt: skip
        notes: list[str] = []
        if count is not None:
            try:
                counting = count_file(count.read_bytes().decode("utf-8"), count.name)
            except UnicodeDecodeError as fault:
                raise MathsError(f"{count}: not a count file: {fault}.") from fault
            as_written, counting = counting, balanced(book, counting)
            if counting is not as_written:
                over = sum(as_written.tags.get(rank, 0) for rank in book.cards.ranks.value) / FINENESS
                notes.append(
                    f"{count.name}: a whole deck counts {4.0 * over:+g} here; {over / ranks:+.3f} is taken off every "
                    "tag, so that a count says the same at any depth of the shoe."
                )
        else:
            step("effects of single cards")
            found_tags = auto_tags(effects_of_cards(book, number, resplit), tags)
            counting = Counting("made from the effects", {rank: round(1000 * tag) for rank, tag in found_tags.items()})
        shares = [_share(text) for text in depths.split(",") if text.strip()]
        changed = [(each, known_rulebook(rulebook, [*(set_ or ()), each])) for each in rule or ()]
        teams = [_spotters(text) for text in team.split(",") if text.strip()]
        found = bench(
            book, counting, number, cut, wanted, resplit=resplit, depths=[round(share * cards) for share in shares],
            rules=[("as it is", book), *changed] if changed else [], team=teams, progress=step,
        )  # fmt: skip
        if found.play.win_round > 0.0 and found.play.ruin > ruin:
            notes.append(
                f"No wagers within these limits keep the risk of ruin to {ruin:.1%}: these come nearest, with "
                f"{found.play.ruin:.1%}. A larger bankroll, a lower minimum or standing back (--stand-back) would."
            )
        played = None
        if verify is not None:
            step("playing the count")
            played = _verified(rulebook, set_ or (), found, counting, number, cut, resplit, verify)
    from pitboss.maths.workbench_picture import as_csv, as_html, plots, tables

    if export is not None:
        export.write_text(count_toml(found, counting), encoding="utf-8")
    if svg is not None:
        svg.write_text(plots(found)[0], encoding="utf-8")
    for target, text in ((html, as_html), (csv, as_csv)):
        if target is not None:
            target.write_text(text(found), encoding="utf-8")
    if json:
        print(jsonlib.dumps({**msgspec.to_builtins(found), "verified": played, "notes": notes}, ensure_ascii=False))
        return FINE
    for table in tables(found):
        print_table(table)
    tell_notes(notes)
    if played is not None:
        print(f"\nPlayed: {played['rounds']:,} rounds")
        print(f"  won a round           {played['won']:+.5f} dollars, ± {1.96 * played['error']:.5f} (95%)")
        print(f"  reckoned              {found.play.win_round:+.5f} dollars")
        print(f"  deviation of a round  {played['deviation']:.3f} dollars, reckoned {found.play.deviation_round:.3f}")
        print(f"  wagered a round       {played['wagered']:.4f} dollars, reckoned {found.play.wagered_round:.4f}")
    return FINE


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share < 0.95:
        raise MathsError(f"--depths {text.strip()!r}: write shares of the shoe that stay behind, as in 0.1,0.25.")
    return share


def _spotters(text: str) -> int:
    if not text.strip().isdigit() or not 1 <= int(text) <= 100:
        raise MathsError(f"--team {text.strip()!r}: write numbers of spotters, as in 1,2,4.")
    return int(text)


def _verified(
    rulebook: str, changes: Any, found: Bench, counting: Any, decks: int, behind: int, resplit: bool, rounds: str
) -> dict[str, float]:
    """The same count, wagers and changes in the simulator."""
    import tempfile

    from pitboss.commands.simulate import rounds_of
    from pitboss.maths.exact.solve import solver_for
    from pitboss.maths.shoes import Shoe
    from pitboss.maths.simulate.counting import count_file
    from pitboss.maths.simulate.simulation import simulate
    from pitboss.maths.workbench import LEVEL, count_toml
    from pitboss.strategy.book import strategy_book
    from pitboss.strategy.export import written

    book = known_rulebook(rulebook, changes)
    solver = solver_for(book, Shoe.of_decks(book, decks), resplit=resplit)
    solver.value()
    with tempfile.TemporaryDirectory() as folder:
        chart = Path(folder) / "chart.toml"
        chart.write_text(written(strategy_book(solver, LEVEL), chart), encoding="utf-8")
        played = simulate(
            rulebook, changes=tuple(changes), rounds=rounds_of(rounds), strategy=str(chart), decks=decks,
            behind=behind, resplit=resplit, count=count_file(count_toml(found, counting), "made"),
        )  # fmt: skip
    assert played.counting is not None
    return {
        "rounds": played.rounds,
        "won": played.net_per_round_cents / 100.0,
        "error": played.deviation_per_round_cents / 100.0 / played.rounds**0.5,
        "deviation": played.deviation_per_round_cents / 100.0,
        "wagered": played.counting.average_wager_cents / 100.0,
    }
