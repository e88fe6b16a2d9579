"""``pitboss tournament advise`` and ``plan``: what to wager, and what a structure brings before it is printed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pitboss.basics.money import parse_cents, plain_dollars
from pitboss.commands import Unread, rulebook_id
from pitboss.commands.case_files import FINE
from pitboss.commands.options import AsJson, Resplit
from pitboss.commands.tournament import conditions_in
from pitboss.maths.questions import known_rulebook
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, Refused
from pitboss.tournament.allowed import clauses_of, refuse_tournaments
from pitboss.tournament.conditions import Conditions, Stage

if TYPE_CHECKING:
    from pitboss.maths.tournament.last_round import Advice, Seat, Table
    from pitboss.maths.tournament.planning import Pace, Planned, Skill, StagePlan, Structure
    from pitboss.maths.tournament.sessions import SimulatedAdvice

NUMBERS = {"k": 1_000, "m": 1_000_000}


def advise(
    rulebook: str,
    *,
    players: str,
    advance: int = 1,
    rounds_left: int = 1,
    minimum: str,
    maximum: str,
    chips: str = "5,25,100,500",
    model: str = "answer",
    play: str = "mean",
    pass_card: bool = False,
    undisclosed: bool = False,
    shoe: str | None = None,
    resplit: Resplit = False,
    games: str = "200k",
    seed: int = 1,
    plot: Path | None = None,
    csv: Path | None = None,
    json: AsJson = False,
) -> int:
    """Show your chance of advancing for each wager, and which wager is best.

    In the last round every chance is exact for infinitely many decks: all players' results hang on one dealer hand,
    doubles, splits and insurance included. Before it the session is played out many times.

    Parameters
    ----------
    rulebook
        nsw-pontoon, canberra-pontoon-2005 or nsw-blackjack-challenge.
    players
        Everybody's chips in the order of wagering, from the marker; mark yourself with a star, and a wager already made
        after a colon, as in "1500:100 *1200 900". After two colons stands what you suppose is on a rival's form.
    advance
        How many of the table advance.
    rounds_left
        How many rounds are still to be played, this one included.
    minimum
        The minimum wager, which is also the unit.
    maximum
        The maximum wager.
    chips
        The denominations of the tournament chips; a payment is rounded up to what they make.
    model
        What players with unknown wagers bet: answer, chase, minimum, maximum or steady.
    play
        How the others play their hands: mean (best for the mean of the result) or dealer (like the dealer).
    pass_card
        You have a pass card left: in the last round, not wagering is another choice.
    undisclosed
        You have an undisclosed wager left: in the last round, each written amount is another choice. Nobody can
        answer what they do not see; a hand with only a written wager is neither doubled nor split.
    shoe
        In the last round: exactly these cards are in the shoe, as in "8hx2 7h Khx12", and none is put back. You see
        every card on the table; the others play like the dealer. For few cards and players.
    games
        How many times to play out a session when there are more rounds, as in 200k.
    seed
        The seed of the random numbers.
    plot
        Draw the chances to this file: .svg, .png, .html or .json.
    csv
        Write one row per wager to this file.
    """
    book = _with_tournaments(rulebook)
    _check_files(plot, csv)
    from pitboss.maths.shoes import Shoe
    from pitboss.maths.tournament.last_round import Table
    from pitboss.maths.tournament.last_round import advise as advise_last
    from pitboss.maths.tournament.pictures import advice_csv, draw_advice
    from pitboss.maths.tournament.sessions import advise_before
    from pitboss.maths.tournament.small_shoes import advise_from

    seats, me = _seats(players)
    if any(seat.written for seat in seats):
        _refuse_forms(book, rounds_left, seats[me].written)
    denominations = tuple(sorted({parse_cents(each.strip()) for each in chips.split(",") if each.strip()}))
    for asked, way, what in (
        (pass_card, "pass-card", "pass cards"),
        (undisclosed, "undisclosed", "undisclosed wagers"),
    ):
        if asked and way not in book.tournament.steps.value:
            clauses = clauses_of(book, "every-round" if way == "pass-card" else "wager-first")
            raise Refused(Refusal(book.name, clauses, f"the rules have no {what}."))
        if asked and rounds_left > 1:
            raise Unread(
                "--pass-card and --undisclosed are looked at in the last round: leave them, or --rounds-left 1."
            )
    table = Table(
        seats,
        me,
        advance,
        parse_cents(minimum),
        parse_cents(maximum),
        denominations,
        model,
        play,
        pass_card,
        undisclosed,
    )
    if shoe is not None and rounds_left > 1:
        raise Unread("--shoe is looked at in the last round: leave it, or --rounds-left 1.")
    found: Advice | SimulatedAdvice
    with counting("wagers") as step:
        if shoe is not None:
            found = advise_from(book, table, Shoe.of_cards(book, shoe), resplit=resplit, progress=step)
        elif rounds_left == 1:
            found = advise_last(book, table, resplit=resplit, progress=step)
        else:
            found = advise_before(
                book, table, rounds_left, resplit=resplit, games=_number(games), seed=seed, progress=step
            )
    if plot is not None:
        draw_advice(plot, found)
    if csv is not None:
        csv.write_text(advice_csv(found), encoding="utf-8")
    if json:
        print(msgspec.json.encode({"table": table, "rounds_left": rounds_left, **msgspec.to_builtins(found)}).decode())
    else:
        _print_advice(table, found)
    return FINE


FORM = "undisclosed"
"""The step of a round in which somebody writes a wager on a form."""


def _refuse_forms(book: Rulebook, rounds_left: int, own: bool) -> None:
    """A form on somebody else's box is looked at in the last round, where the rules have them."""
    if FORM not in book.tournament.steps.value:
        raise Refused(Refusal(book.name, clauses_of(book, "wager-first"), "the rules have no undisclosed wagers."))
    if own or rounds_left > 1:
        raise Unread("--players: two colons are for a rival's form in the last round; your own is --undisclosed.")


def _print_advice(table: Table, found: Advice | SimulatedAdvice) -> None:
    from pitboss.maths.tournament.last_round import Advice

    seats = " ".join(
        ("*" if number == table.me else "")
        + plain_dollars(seat.chips)
        + (f"{':' * (1 + seat.written)}{plain_dollars(seat.wager)}" if seat.wager is not None else "")
        for number, seat in enumerate(table.seats)
    )
    last = isinstance(found, Advice)
    rounds = "the last round" if last else f"{found.rounds_left} rounds left"  # type: ignore[union-attr]
    print(f"{found.rulebook}, {rounds}: {table.advance} of {len(table.seats)} advance; chips {seats}")
    how = f" ({found.best.how})" if isinstance(found, Advice) and found.best.how else ""
    print(f"  best wager  {plain_dollars(found.best.cents)}{how}, chance to advance {found.best.chance:.3%}")
    print()
    if isinstance(found, Advice):
        beside = "from many decks" if found.cards else "hands for the mean"
        print(f"     wager     chance       cost   {beside:>18}   the others wager")
        for each in found.wagers:
            others = " ".join(plain_dollars(amount) for amount in each.others)
            mark = "*" if (each.cents, each.how) == (found.best.cents, found.best.how) else " "
            how = f"   {each.how}" if each.how else ""
            print(
                f" {mark}{plain_dollars(each.cents):>8}{each.chance:>11.3%}{each.cost:>11.3%}{each.by_mean:>21.3%}"
                f"   {others}{how}"
            )
        if found.cards:
            print(f"\nExact for these {found.cards} cards, none put back: you see all that lie on the table and play")
            print("for the place, the others like the dealer. Beside it: infinitely many decks, hands for the mean.")
        else:
            print(
                "\nExact for infinitely many decks; your hands are played for the place, a pair is split once at most."
            )
        print(f"Others: {found.model}. Ties: {found.ties}.")
        return
    print("     wager     chance   standard error       cost")
    for one in found.wagers:
        mark = "*" if one.cents == found.best.cents else " "
        print(f" {mark}{plain_dollars(one.cents):>8}{one.chance:>11.3%}{one.error:>17.3%}{one.cost:>11.3%}")
    print(f"\n{found.games:,} sessions a wager, seed {found.seed}, all wagers on the same luck.")
    print(f"Model: {found.model}.")


def _seats(text: str) -> tuple[tuple[Seat, ...], int]:
    from pitboss.maths.tournament.last_round import Seat

    seats, mine = [], []
    for number, word in enumerate(re.split(r"[\s,]+", text.strip())):
        match = re.fullmatch(r"(\*?)([^:*]+)(?:(::?)([^:*]+))?", word)
        if match is None:
            raise Unread(
                f"--players: {word!r}: write chips, a star before your own, a wager after a colon: *1200, 900:50."
            )
        if match[1]:
            mine.append(number)
        wager = parse_cents(match[4]) if match[4] else None
        seats.append(Seat(parse_cents(match[2]), wager, written=match[3] == "::"))
    if len(mine) != 1:
        raise Unread('--players: put a star before your own chips, and before nobody else\'s, as in "1500 *1200 900".')
    return tuple(seats), mine[0]


# --- plans -----------------------------------------------------------------------------------------------------------


def plan(
    *files: str,
    structure: list[str] | None = None,
    rulebook: str = "nsw-pontoon",
    entrants: int | None = None,
    chips: str = "1000",
    minimum: str = "25",
    maximum: str = "500",
    fee: str = "100",
    shares: str = "50,30,20",
    better: str = "mean:chase",
    field: str = "dealer:random",
    seconds_round: float = 40.0,
    seconds_hand: float = 15.0,
    minutes_between: float = 20.0,
    games: str = "4k",
    seed: int = 1,
    plot: Path | None = None,
    csv: Path | None = None,
    json: AsJson = False,
) -> int:
    """Compare structures: how long they take, how chips spread, who wins, and what prizes do.

    Parameters
    ----------
    files
        Conditions in TOML; several are compared side by side.
    structure
        Stages as TABLESxROUNDS>ADVANCE, as in "7x20>1 1x20"; may be given several times, beside or instead of files.
    rulebook
        The rulebook of a --structure.
    entrants
        How many enter; by default as many as the conditions allow or the first stage seats.
    chips
        The starting chips in a --structure.
    minimum
        The minimum wager in a --structure.
    maximum
        The maximum wager in a --structure.
    fee
        The entry fee of a --structure; all fees form the pool.
    shares
        How the pool of a --structure is divided.
    better
        How the better player plays hands and wagers: mean or dealer, and minimum, maximum, steady, random or chase.
    field
        The same of everybody else.
    seconds_round
        How long a round takes at a table, hands aside.
    seconds_hand
        How long each player in it takes, wagering and playing.
    minutes_between
        Minutes between stages.
    games
        How often each structure is played, as in 4k.
    seed
        The seed of the random numbers; the same for every structure.
    plot
        Draw the structures side by side to this file: .svg, .png, .html or .json.
    csv
        Write every figure to this file.
    """
    _check_files(plot, csv)
    from pitboss.maths.tournament.pictures import draw_plans, plans_csv
    from pitboss.maths.tournament.planning import Pace
    from pitboss.maths.tournament.planning import plan as plan_one

    pace = Pace(seconds_round, seconds_hand, 60.0 * minutes_between)
    if min(seconds_round, seconds_hand, minutes_between) < 0:
        raise Unread("times are not below nothing.")
    books: list[tuple[Rulebook, Structure]] = []
    for file in files:
        conditions, book = conditions_in(file)
        books.append((_allowed(book), from_conditions(conditions, file, entrants, pace)))
    for text in structure or ():
        book = _with_tournaments(rulebook)
        limits = (parse_cents(minimum), parse_cents(maximum))
        parts = tuple(_whole(each, "--shares") for each in shares.split(","))
        books.append((book, from_words(text, book, entrants, parse_cents(chips), limits, parse_cents(fee), parts)))
    if not books:
        raise Unread("plan: name files of conditions, or give --structure, as in --structure '7x20>1 1x20'.")
    found = []
    for number, (book, each) in enumerate(books, start=1):
        with counting(f"{each.name} ({number} of {len(books)})") as step:
            found.append(
                plan_one(
                    book,
                    each,
                    better=_skill(better),
                    field=_skill(field),
                    pace=pace,
                    games=_number(games),
                    seed=seed,
                    progress=step,
                )
            )
    if plot is not None:
        draw_plans(plot, found)
    if csv is not None:
        csv.write_text(plans_csv(found), encoding="utf-8")
    if json:
        print(msgspec.json.encode({"pace": pace, "plans": found}).decode())
    else:
        _print_plans(found, pace)
    return FINE


def _skill(text: str) -> Skill:
    from pitboss.maths.tournament.planning import Skill

    play, _, wager = text.partition(":")
    return Skill(play.strip(), wager.strip())


def from_words(
    text: str,
    book: Rulebook,
    entrants: int | None,
    chips: int,
    limits: tuple[int, int],
    fee: int,
    shares: tuple[int, ...],
) -> Structure:
    """A structure from its stages in one line."""
    from pitboss.maths.tournament.planning import StagePlan, Structure

    stages: list[StagePlan] = []
    words = text.split()
    for number, word in enumerate(words, start=1):
        match = re.fullmatch(r"(\d{1,3})x(\d{1,3})(?:>(\d{1,3}))?", word)
        final = number == len(words)
        if match is None or (not final and not match[3]):
            raise Unread(f"--structure: {word!r}: write TABLESxROUNDS>ADVANCE, and TABLESxROUNDS for the final.")
        name = "final" if final else f"stage {number}"
        following = -1 if final else number
        stages.append(StagePlan(name, int(match[1]), int(match[2]), int(match[3] or 0), following, limits=(limits,)))
    if not stages:
        raise Unread("--structure: name at least a final, as in 1x20.")
    people = entrants or 7 * stages[0].tables
    return Structure(text, book.id, people, chips, tuple(stages), fee=fee, pool=fee * people, shares=shares)


def from_conditions(conditions: Conditions, file: str, entrants: int | None, pace: Pace) -> Structure:
    """A structure from conditions."""
    from pitboss.maths.tournament.planning import Structure

    entry, chips, prizes, conduct = conditions.entry, conditions.chips, conditions.prizes, conditions.conduct
    if chips.amount_cents is None or conditions.wagers.minimum_cents is None or not conditions.stages:
        raise Unread(f"{file}: a plan wants chips.amount, wagers.minimum, wagers.maximum and stages.")
    at_table = conduct.players_at_table
    people = entrants or entry.maximum or at_table * (conditions.stages[0].tables or 1)
    fee = entry.fee_cents or 0
    if (entry.commission_cents or 0) > fee:
        raise Unread(f"{file}: entry.commission: it is a part of the fee, and not more than it.")
    pool = people * (fee - (entry.commission_cents or 0)) + sum(each.worth_cents for each in prizes.added if each.cash)
    left_out = {
        "buy-backs": conditions.buy_back.offered,
        "pass cards": conduct.pass_cards,
        "undisclosed wagers": conduct.undisclosed,
        "optional wagers": conditions.wagers.side_bets,
        "prizes that are not cash": [each for each in prizes.added if not each.cash],
        "play-offs, which take time": True,
    }
    return Structure(
        conditions.title, conditions.rulebook, people, chips.amount_cents,
        tuple(_stage(conditions, each, people, pace, file) for each in conditions.stages), at_table, chips.carried,
        min(chips.denominations_cents), fee, max(pool, prizes.guarantee_cents), prizes.shares or (1,),
        tuple(name for name, there in left_out.items() if there),
    )  # fmt: skip


def _stage(conditions: Conditions, stage: Stage, people: int, pace: Pace, file: str) -> StagePlan:
    from pitboss.maths.tournament.planning import CARDS_A_HAND, StagePlan

    if stage.tables is None or stage.advance is None or not (stage.rounds or stage.shoes or stage.minutes):
        raise Unread(f"{file}: {stage.name} wants tables, how many advance, and rounds, shoes or minutes.")
    at_table = min(conditions.conduct.players_at_table, -(-people // stage.tables))
    rounds = stage.rounds
    if not rounds and stage.minutes:
        rounds = max(int(60 * stage.minutes / max(pace.round + at_table * pace.hand, 1.0)), 1)
    elif not rounds:
        book = known_rulebook(conditions.rulebook)
        deck = 4 * len(book.cards.ranks.value)
        cards = book.cards.decks_default.value * deck - 3 * deck // 2
        rounds = max(stage.shoes * int(cards / (CARDS_A_HAND * (at_table + 1))), 1)
    following = conditions.follows(stage)
    again = conditions.repechage_of(stage)
    numbers = {each.name: number for number, each in enumerate(conditions.stages)}
    limits = tuple(conditions.limits(stage, number) for number in range(1, rounds + 1))
    return StagePlan(
        stage.name, stage.tables, rounds, stage.advance,
        numbers[following.name] if following is not None and stage.advance else -1,
        numbers[again.name] if again is not None else -1, limits,
    )  # fmt: skip


def _print_plans(plans: Sequence[Planned], pace: Pace) -> None:
    width = max(18, *(len(each.structure.name) + 2 for each in plans))
    width = min(width, 34)

    def row(name: str, cells: Sequence[str]) -> None:
        print(f"{name:<34}" + "".join(f"{cell:>{width}}" for cell in cells))

    row("", [each.structure.name[: width - 2] for each in plans])
    row("entrants", [f"{each.structure.entrants}" for each in plans])
    row("minutes on the mean", [f"{each.minutes:.0f}" for each in plans])
    row("  nine of ten", [f"{each.minutes_low:.0f} to {each.minutes_high:.0f}" for each in plans])
    row("the better player wins", [f"{each.better_wins:.2%} ± {each.error:.2%}" for each in plans])
    row("  if all were alike", [f"{each.even_chance:.2%}" for each in plans])
    for number in range(max(len(each.spreads) for each in plans)):
        there = [each.spreads[number] if number < len(each.spreads) else None for each in plans]
        row(f"stage {number + 1}", [spread.stage[: width - 2] if spread else "" for spread in there])
        row("  players, rounds", [f"{spread.players:.0f}, {spread.rounds}" if spread else "" for spread in there])
        row("  the better player is there", [f"{spread.better_reaches:.1%}" if spread else "" for spread in there])
        row("  out of chips at the end", [f"{spread.out:.1%}" if spread else "" for spread in there])
        for quantile in (5, 50, 95):
            cells = [plain_dollars(round(spread.quantiles[quantile])) if spread else "" for spread in there]
            row(f"  chips, {quantile} of 100 have at most", cells)
    options = [{option.name: option for option in each.prizes} for each in plans]
    for name in dict.fromkeys(name for each in options for name in each):
        row(f"prizes: {name}", [plain_dollars(each[name].prizes[0]) if name in each else "" for each in options])
        mean = [plain_dollars(round(each[name].better_mean)) if name in each else "" for each in options]
        row("  the better player's mean", mean)
        others = [
            f"{plain_dollars(round(each[name].field_mean))} ± {plain_dollars(round(each[name].field_deviation))}"
            if name in each
            else ""
            for each in options
        ]
        row("  another's mean and deviation", others)
    first = plans[0]
    print(f"\nThe better player {first.better}.\nEverybody else {first.field}.")
    print(
        f"A round takes {pace.round:g} s and {pace.hand:g} s a player, {pace.between / 60:g} min lie between stages; "
        f"{first.games:,} tournaments a structure, seed {first.seed}, cards from infinitely many decks."
    )
    for each in plans:
        if each.structure.notes:
            print(f"{each.structure.name}: not in the plan: {', '.join(each.structure.notes)}.")


# --- common ----------------------------------------------------------------------------------------------------------


def _with_tournaments(name: str) -> Rulebook:
    return _allowed(known_rulebook(rulebook_id(name)))


def _allowed(book: Rulebook) -> Rulebook:
    refused = refuse_tournaments(book)
    if refused is not None:
        raise Refused(refused)
    return book


def _check_files(plot: Path | None, csv: Path | None) -> None:
    from pitboss.maths.exact.compiled import available

    available()
    if csv is not None and not csv.parent.is_dir():
        raise Unread(f"{csv}: there is no folder {csv.parent}.")
    if plot is not None:
        from pitboss.maths.tournament.pictures import check_picture

        check_picture(plot)


def _number(text: str) -> int:
    """A whole number, as in 200000, 200k or 1e6."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?(?:e\d+)?)([km]?)", text.strip().lower())
    if match is None:
        raise Unread(f"--games {text!r} is not a number: write it as in 200000, 200k or 1e6.")
    return int(float(match[1]) * NUMBERS.get(match[2], 1))


def _whole(text: str, option: str) -> int:
    if not text.strip().isdecimal() or int(text) == 0:
        raise Unread(f"{option}: {text!r} is no whole number above nothing.")
    return int(text)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None)
        yield lambda done, whole: bars.update(task, completed=done, total=whole)
