"""`pitboss habits`: what people bring who err, forget, play another game's chart, or keep to a few rules."""

from __future__ import annotations

import csv as csvlib
import json as jsonlib
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.commands import rulebook_id
from pitboss.commands.edge import working
from pitboss.commands.options import AsJson, Csv, Decks, Resplit, RulebookId, SetForStudy
from pitboss.maths.questions import known_rulebook, known_shoe
from pitboss.maths.shoes import MathsError, Shoe

if TYPE_CHECKING:
    from pitboss.maths.exact.charts import Chart
    from pitboss.maths.habits import Habits
    from pitboss.maths.simple import Simple

FINE = 0
ERRS, FORGETS = "0,0.005,0.01,0.02,0.05,0.1", "0.05,0.1,0.2,0.5,1"


def habits(
    rulebook: RulebookId,
    *,
    chart: str = "no-suits",
    of: str | None = None,
    errs: str = ERRS,
    forgets: str = FORGETS,
    instead: str = "dealer",
    rules: int = 0,
    decks: Decks = None,
    set_: SetForStudy = None,
    resplit: Resplit = False,
    csv: Csv = None,
    json: AsJson = False,
) -> int:
    """Price imperfect play: errors, forgetting, another game's chart, or just a few rules.

    Every figure is exact: the mean over all that is decided, split hands included, and nothing is simulated.

    Parameters
    ----------
    chart
        The chart the player follows: no-suits, totals, or dealer (draws and stands like the dealer).
    of
        Use the chart of another rulebook, as a player who knows that game would.
    errs
        How often another legal choice is made at random: rates, as in 0.01,0.05.
    forgets
        How often the chart is forgotten: rates, as in 0.1,0.2.
    instead
        What the player does then: dealer, or totals.
    rules
        Find the best play that uses at most this many rules.
    """
    if csv is not None and not csv.parent.is_dir():
        raise MathsError(f"{csv}: there is no folder {csv.parent}.")
    if not 0 <= rules <= 40:
        raise MathsError(f"--rules {rules}: give a number from 0 to 40.")
    if chart not in ("no-suits", "totals", "dealer") or instead not in ("dealer", "totals"):
        raise MathsError("--chart is no-suits, totals or dealer, and --instead is dealer or totals.")
    erring, forgetting = _rates("--errs", errs), _rates("--forgets", forgets)
    book = known_rulebook(rulebook_id(rulebook), set_ or ())
    shoe = known_shoe(book, decks, None)
    rows: list[dict[str, Any]] = []
    found: tuple[Simple, ...] = ()
    with working("solving") as step:
        from pitboss.maths.exact.solve import solver_for
        from pitboss.maths.habits import Habit, Habits
        from pitboss.maths.simple import simplest

        solver = solver_for(book, shoe, resplit=resplit)
        best = solver.value()
        made = Habits(solver)
        charts = {name: _chart(made, name) for name in {chart, instead}}
        played = charts[chart]
        if of is not None:
            step("making the other game's chart")
            other = known_rulebook(rulebook_id(of))
            theirs = solver_for(other, Shoe.of_decks(other))
            theirs.value()
            played = made.fitted(_chart(Habits(theirs), chart))
        name = f"the chart of {other.name}" if of is not None else f"by the chart ({chart})"

        def add(text: str, habit: Habit) -> None:
            step(text)
            ev = made.habit_value(habit)
            rows.append({"player": text, "ev": ev, "cost": best - ev})

        rows.append({"player": "best play by all cards", "ev": best, "cost": 0.0})
        add(name, Habit(((1.0, played),)))
        for rate in erring:
            if rate:
                add(f"{name}, errs {rate:.2%}", Habit(((1.0, played),), rate))
        for rate in forgetting:
            if rate:
                add(f"{name}, forgets {rate:.2%}", Habit(((1.0 - rate, played), (rate, charts[instead]))))
        if rules:
            found = simplest(solver, rules, step)
    if csv is not None:
        with csv.open("w", newline="", encoding="utf-8") as file:
            writer = csvlib.writer(file, lineterminator="\n")
            writer.writerow(("player", "value", "costs"))
            writer.writerows((row["player"], repr(row["ev"]), repr(row["cost"])) for row in rows)
            for simple in found:
                text = "; ".join(rule.text() for rule in simple.rules)
                writer.writerow((text, repr(simple.ev), repr(simple.cost)))
    if json:
        told = {"rulebook": book.name, "variant": book.variant, "shoe": solver.shoe.description, "players": rows}
        sets = [
            {"rules": [rule.text() for rule in each.rules], "ev": each.ev, "cost": each.cost,
             "blocks": msgspec.to_builtins(each.rules)} for each in found
        ]  # fmt: skip
        print(jsonlib.dumps({**told, "simple": sets}, ensure_ascii=False))
        return FINE
    print(f"{book.name}, {solver.shoe.description}: what play brings that is not best")
    print(f"{'':<52}{'value':>10}{'costs':>12}")
    for row in rows:
        print(f"  {row['player']:<50}{row['ev']:>+10.4%}{row['cost']:>12.5%}")
    for simple in found:
        number = len(simple.rules)
        print(f"\n{number} rule{'' if number == 1 else 's'}: value {simple.ev:+.4%}, costs {simple.cost:.5%}")
        if number == len(found[-1].rules):
            print("  Draw to everything else. A later rule holds before an earlier one.")
            print("\n".join(f"  {place}. {rule.text()}" for place, rule in enumerate(simple.rules, start=1)))
    return FINE


def _chart(made: Habits, name: str) -> Chart:
    from pitboss.maths.exact.charts import Charter
    from pitboss.maths.habits import TOTALS, like_the_dealer

    if name == "dealer":
        return like_the_dealer(made)
    if name == "totals":
        return made.fitted(Charter(made.solver, TOTALS).best())
    return Charter.best(made)


def _rates(option: str, text: str) -> list[float]:
    found = []
    for word in text.split(","):
        if not word.strip():
            continue
        try:
            rate = float(word.strip().removesuffix("%")) / (100.0 if word.strip().endswith("%") else 1.0)
        except ValueError:
            rate = -1.0
        if not 0.0 <= rate <= 1.0:
            raise MathsError(f"{option} {word.strip()!r}: write rates from 0 to 1, as in 0.01,0.05 or 1%,5%.")
        found.append(rate)
    return found
