"""`pitboss strategy`: how to play best, as charts, and why."""

from __future__ import annotations

import json as jsonlib
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.basics.money import parse_cents
from pitboss.commands import rulebook_id
from pitboss.commands.edge import tell_notes, working
from pitboss.commands.options import AsJson, Decks, Resplit, RulebookId, SetForStudy, ShoeLeft
from pitboss.maths.questions import known_rulebook, known_shoe
from pitboss.maths.scope import set_in_vain
from pitboss.maths.shoes import MathsError

if TYPE_CHECKING:
    from pitboss.maths.exact.solve import Solver
    from pitboss.strategy.book import StrategyBook
    from pitboss.strategy.explain import Explained
    from pitboss.strategy.price import Price

FINE = 0
LABEL, WIDTH = 24, 80


def strategy(
    rulebook: RulebookId,
    *,
    decks: Decks = None,
    shoe: ShoeLeft = None,
    set_: SetForStudy = None,
    resplit: Resplit = False,
    super_bonus: str | None = None,
    level: str = "full",
    exceptions: int = 12,
    explain: str | None = None,
    cost: bool = False,
    values: Path | None = None,
    svg: Path | None = None,
    png: Path | None = None,
    html: Path | None = None,
    export: Path | None = None,
    json: AsJson = False,
) -> int:
    """Show the best strategy as charts, or say why.

    Charts by total, number of cards, pairs and suits, the dealer's first card across; then the exceptions. The value of
    a chart is exact: what it returns when followed to the letter.

    Parameters
    ----------
    super_bonus
        Play for the Super Bonus too, with an original wager of this many dollars.
    level
        What the chart looks at: full, no-suits, or totals (and pairs) alone.
    exceptions
        How many exceptions to print.
    explain
        Value every legal choice for one hand, as in "7h 7d v 7s", and say why the best one is best.
    cost
        Show what simpler play costs, instead of a chart.
    values
        Write what every hand is worth against every first card of the dealer, act by act: .csv (hands of any number of
        cards), .html or .txt (two cards).
    svg
        Draw the charts to this file.
    png
        The same as a PNG picture.
    html
        Write a self-contained page that can be printed.
    export
        Write the chart for programs: .toml is what `pitboss simulate --strategy` takes, .json has everything.
    """
    if (explain is not None or cost) and (svg or png or html or export):
        raise MathsError("strategy: a file is for charts, so it goes neither with --explain nor with --cost.")
    if explain is not None and cost:
        raise MathsError("strategy: --explain is about one hand and --cost about all; give one of them.")
    if export is not None and export.suffix not in (".toml", ".json"):
        raise MathsError(f"--export {export.name}: name a file in .toml (for pitboss simulate) or in .json.")
    if values is not None and values.suffix not in (".csv", ".html", ".txt"):
        raise MathsError(f"--values {values.name}: name a file in .csv, .html or .txt.")
    if values is not None and (explain is not None or cost):
        raise MathsError("strategy: --values is about all hands, so it goes neither with --explain nor with --cost.")
    if exceptions < 0:
        raise MathsError(f"--exceptions {exceptions}: give a number that is not below zero.")
    for path in (svg, png, html, export, values):
        if path is not None and not path.parent.is_dir():
            raise MathsError(f"{path}: there is no folder {path.parent}.")
    rulebook = rulebook_id(rulebook)
    book = known_rulebook(rulebook, set_ or ())
    cards = known_shoe(book, decks, shoe)
    cents = None if super_bonus is None else parse_cents(super_bonus)
    if cents == 0:
        raise MathsError("--super-bonus 0: give the original wager in dollars, as in 25.")
    with working("solving") as step:
        from pitboss.maths.exact.solve import solver_for
        from pitboss.strategy import price as prices

        if level not in prices.LEVELS:
            raise MathsError(f"--level {level!r}: {', '.join(prices.LEVELS)} are known.")
        solver = solver_for(book, cards, resplit=resplit, wager_cents=cents)
        solver.every_split = explain is not None or values is not None
        solver.value()
        costs = prices.prices(solver, step) if cost else ()
        if explain is None and not cost:
            step("making the chart")
            from pitboss.strategy.book import strategy_book

            chart = strategy_book(solver, prices.LEVELS[level])
            written = _write(solver, chart, level, svg, png, html, export)
            if values is not None:
                from pitboss.strategy.values import FORMS

                values.write_text(FORMS[values.suffix](solver), encoding="utf-8")
                written.append(values)
    if explain is not None:
        return _tell_hand(solver, explain, json)
    if cost:
        return _tell_prices(solver, costs, json)
    if json:
        from pitboss.strategy.book import as_json

        print(jsonlib.dumps(as_json(chart), ensure_ascii=False))
    elif written:
        print("\n".join(f"written: {path}" for path in written))
    else:
        _print_chart(chart, exceptions)
        tell_notes(set_in_vain(rulebook, set_ or (), resplit=resplit, super_bonus=cents is not None))
    return FINE


def _write(
    solver: Solver,
    book: StrategyBook,
    level: str,
    svg: Path | None,
    png: Path | None,
    html: Path | None,
    export: Path | None,
) -> list[Path]:
    """Write what was asked for; a TOML file cannot say which aces were drawn, so it has a chart of its own."""
    from pitboss.strategy.drawing import as_png, as_svg
    from pitboss.strategy.export import written
    from pitboss.strategy.page import as_html

    if svg is not None:
        svg.write_text(as_svg(book), encoding="utf-8")
    if png is not None:
        png.write_bytes(as_png(book))
    if html is not None:
        html.write_text(as_html(book), encoding="utf-8")
    if export is not None:
        if export.suffix == ".toml" and solver.ones_max:
            import msgspec

            from pitboss.strategy.book import strategy_book
            from pitboss.strategy.price import LEVELS

            book = strategy_book(solver, msgspec.structs.replace(LEVELS[level], drawn_aces=False))
        export.write_text(written(book, export), encoding="utf-8")
    return [path for path in (svg, png, html, export) if path is not None]


def _print_chart(book: StrategyBook, exceptions: int) -> None:
    from rich.console import Console
    from rich.text import Text

    from pitboss.strategy.book import LETTERS, TITLES, UPS
    from pitboss.strategy.drawing import COLOURS, shown_sections, used_letters

    console = Console(highlight=False, soft_wrap=True)
    in_colour = console.color_system is not None and not console.no_color
    console.print(f"{book.rulebook}, {book.shoe}: how to play, the dealer's first card across")
    console.print(f"by {book.level}")
    console.print(f"value {book.ev:+.4%} of the original wager, {book.cost:.5%} less than best play by all cards")
    for name, rows in shown_sections(book):
        head = "".join(f" {up:<3}" for up in UPS).rstrip()
        console.print(f"\n[bold]{TITLES[name]:<{LABEL}}{head}[/bold]")
        for label, letters in rows:
            line = Text(f"  {label:<{LABEL - 2}}")
            for letter in letters:
                line.append(f" {letter}  ", style=f"#1a1a1a on {COLOURS[letter]}")
            console.print(line if in_colour else line.plain.rstrip())
    console.print()
    legend = Text()
    for letter in used_letters(book):
        legend.append(f" {letter} ", style=f"#1a1a1a on {COLOURS[letter]}")
        legend.append(f" {LETTERS[letter]}   ")
    console.print(legend if in_colour else legend.plain.rstrip())
    console.print("\n" + "\n".join(textwrap.wrap(book.insurance, WIDTH)))
    if book.exceptions:
        _print_exceptions(book, exceptions)


def _print_exceptions(book: StrategyBook, most: int) -> None:
    number = len(book.exceptions)
    if not most:
        print(f"Exceptions: {number}; --exceptions says how many to print.")
        return
    which = "" if number <= most else f", those worth most: {most} of {number}"
    print(f"\nExceptions{which}")
    for each in book.exceptions[:most]:
        hand = f"{each.cards} v {each.dealer}"
        what = f"{each.act}, not {each.instead_of}"
        print(f"  {hand:<31}{what:<22}{each.gain:+.4f}  1 in {1 / each.chance:,.0f}")


def _tell_prices(solver: Solver, found: tuple[Price, ...], json: bool) -> int:
    if json:
        told: dict[str, Any] = {
            "rulebook": solver.rulebook.name,
            "variant": solver.rulebook.variant,
            "shoe": solver.shoe.description,
            "strategies": [{"name": each.name, "ev": each.ev, "cost": each.cost} for each in found],
        }
        print(jsonlib.dumps(told, ensure_ascii=False))
        return FINE
    print(f"{solver.rulebook.name}, {solver.shoe.description}: what simpler play costs")
    print(f"{'':<54}{'value':>10}{'costs':>12}")
    for each in found:
        print(f"  {each.name:<52}{each.ev:>+10.4%}{each.cost:>12.5%}")
    return FINE


def _tell_hand(solver: Solver, text: str, json: bool) -> int:
    from pitboss.strategy.explain import explain

    found = explain(solver, text)
    if json:
        import msgspec

        print(jsonlib.dumps(msgspec.to_builtins(found), ensure_ascii=False))
    else:
        _print_hand(solver, found)
    return FINE


def _print_hand(solver: Solver, found: Explained) -> None:
    print(f"{solver.rulebook.name}, {solver.shoe.description}: {found.hand} ({found.total}) against {found.dealer}")
    for each in found.choices:
        first, *rest = textwrap.wrap(each.why, WIDTH - 25)
        print(f"  {each.act:<12}{each.ev:>+9.5f}  {first}")
        for line in rest:
            print(f"{'':<25}{line}")
    print("\n".join(textwrap.wrap(found.reason, WIDTH)))
    if found.insurance is not None:
        print(f"Insurance: each unit of it brings {found.insurance:+.4f}.")
