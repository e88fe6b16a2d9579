"""Advice and plans as pictures and as tables for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pitboss.maths.shoes import MathsError
from pitboss.maths.tournament.last_round import Advice, Wager
from pitboss.maths.tournament.planning import Planned
from pitboss.maths.tournament.sessions import SimulatedAdvice

FORMATS = (".svg", ".png", ".html", ".json")


def check_picture(path: Path) -> None:
    """A picture can be drawn to this file, or a sentence about what is wrong with it."""
    if path.suffix not in FORMATS:
        raise MathsError(f"{path}: a picture is a file that ends in {', '.join(FORMATS)}.")
    if not path.parent.is_dir():
        raise MathsError(f"{path}: there is no folder {path.parent}.")
    _altair()


def _altair() -> Any:
    try:
        import altair
        import vl_convert
    except ImportError as missing:
        raise MathsError('pictures need altair and vl-convert: pip install "pitboss[charts]".') from missing
    del vl_convert
    return altair


def drawn_rows(advice: Advice | SimulatedAdvice) -> list[dict[str, Any]]:
    """The points of the picture, one for each wager on each line: what is not wagered in chips has lines of its own."""
    rows: list[dict[str, Any]] = []
    for each in advice.wagers:
        wager = each.cents / 100
        if not isinstance(each, Wager):
            rows.append({"wager": wager, "chance": each.chance, "hands": "for the mean"})
            continue
        how = f", {each.how}" if each.how else ""
        cards = isinstance(advice, Advice) and advice.cards
        rows.append({"wager": wager, "chance": each.chance, "hands": f"for the place{how}"})
        rows.append(
            {"wager": wager, "chance": each.by_mean, "hands": f"{'many decks, ' if cards else ''}for the mean{how}"}
        )
    return rows


def draw_advice(path: Path, advice: Advice | SimulatedAdvice) -> None:
    """The chance to advance by wager."""
    alt = _altair()
    rows = drawn_rows(advice)
    title = f"{advice.rulebook}: chance to advance, best {advice.best.chance:.2%} with {advice.best.cents / 100:g}"
    chart = (
        alt.Chart(alt.Data(values=rows), title=title, width=640, height=360)
        .mark_line(point=True)
        .encode(
            x=alt.X("wager:Q", title="wager"),
            y=alt.Y("chance:Q", title="chance to advance", axis=alt.Axis(format=".0%")),
            color=alt.Color("hands:N", title="hands played"),
            tooltip=["wager:Q", alt.Tooltip("chance:Q", format=".3%"), "hands:N"],
        )
    )
    chart.save(str(path))


def draw_plans(path: Path, plans: Sequence[Planned]) -> None:
    """Structures beside each other: who wins, how long it takes, how chips lie at the end of each stage."""
    alt = _altair()
    names = [each.structure.name for each in plans]
    wins = [
        {"structure": each.structure.name, "chance": chance, "who": who}
        for each in plans
        for who, chance in (("the better player", each.better_wins), ("anybody, if all were alike", each.even_chance))
    ]
    time = [{"structure": each.structure.name, "minutes": each.minutes} for each in plans]
    chips = [
        {"stage": f"{each.structure.name}: {spread.stage}", **{f"q{q}": v / 100 for q, v in spread.quantiles.items()}}
        for each in plans
        for spread in each.spreads
    ]
    won = (
        alt.Chart(alt.Data(values=wins), title="Who wins", width=300)
        .mark_bar()
        .encode(
            y=alt.Y("structure:N", sort=names, title=None),
            x=alt.X("chance:Q", axis=alt.Axis(format=".0%"), title="chance to win"),
            yOffset="who:N",
            color=alt.Color("who:N", title=None),
        )
    )
    lasted = (
        alt.Chart(alt.Data(values=time), title="How long it takes", width=300)
        .mark_bar()
        .encode(y=alt.Y("structure:N", sort=names, title=None), x=alt.X("minutes:Q", title="minutes on the mean"))
    )
    base = alt.Chart(alt.Data(values=chips), title="Chips at the end of a stage", width=640).encode(
        y=alt.Y("stage:N", sort=None, title=None)
    )
    lying = base.mark_rule().encode(x=alt.X("q5:Q", title="chips: 5, 25, 50, 75 and 95 of 100 players"), x2="q95:Q")
    lying += base.mark_bar(size=14).encode(x="q25:Q", x2="q75:Q")
    lying += base.mark_tick(color="white", size=14).encode(x="q50:Q")
    alt.vconcat(alt.hconcat(won, lasted), lying).save(str(path))


# --- for a spreadsheet -----------------------------------------------------------------------------------------------


def advice_csv(advice: Advice | SimulatedAdvice) -> str:
    """One row a wager."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if isinstance(advice, Advice):
        writer.writerow(("wager", "chance", "chance_by_mean", "cost", "others_wager"))
        for each in advice.wagers:
            others = " ".join(f"{amount / 100:g}" for amount in each.others)
            writer.writerow((f"{each.cents / 100:g}", each.chance, each.by_mean, each.cost, others))
    else:
        writer.writerow(("wager", "chance", "standard_error", "cost"))
        for one in advice.wagers:
            writer.writerow((f"{one.cents / 100:g}", one.chance, one.error, one.cost))
    return text.getvalue()


def plans_csv(plans: Sequence[Planned]) -> str:
    """One row a figure: structure, what it is, of what, value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("structure", "figure", "of", "value"))
    for each in plans:
        name = each.structure.name
        writer.writerow((name, "minutes", "mean", each.minutes))
        writer.writerow((name, "minutes", "5 of 100", each.minutes_low))
        writer.writerow((name, "minutes", "95 of 100", each.minutes_high))
        writer.writerow((name, "better player wins", "", each.better_wins))
        writer.writerow((name, "standard error", "better player wins", each.error))
        writer.writerow((name, "even chance", "", each.even_chance))
        for place, chance in enumerate(each.places, start=1):
            writer.writerow((name, "better player's place", place, chance))
        for spread in each.spreads:
            writer.writerow((name, "players", spread.stage, spread.players))
            writer.writerow((name, "out of chips", spread.stage, spread.out))
            writer.writerow((name, "better player reaches", spread.stage, spread.better_reaches))
            for quantile, chips in spread.quantiles.items():
                writer.writerow((name, f"chips, {quantile} of 100", spread.stage, chips / 100))
        for option in each.prizes:
            writer.writerow((name, "better player's prize", option.name, option.better_mean / 100))
            writer.writerow((name, "another player's prize", option.name, option.field_mean / 100))
            writer.writerow((name, "deviation of another's prize", option.name, option.field_deviation / 100))
            for place, prize in enumerate(option.prizes, start=1):
                writer.writerow((name, f"prize, {option.name}", place, prize / 100))
    return text.getvalue()
