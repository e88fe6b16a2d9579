"""``pitboss tournament``: conditions, entries, draws, whole tournaments and their reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from pitboss.chance import shuffled
from pitboss.commands import Unread
from pitboss.commands.case_files import (
    CHECK_FAILED,
    FINE,
    act_said,
    add_act,
    give_report,
    hand_out,
    known,
    print_json,
    print_lines,
    print_paper,
    print_steps,
    raise_refused,
    read_tables,
    record_text,
    refuse_more,
    told_refusal,
    write_new,
)
from pitboss.commands.options import AsJson
from pitboss.records.lines import parse_line
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, Refused
from pitboss.tournament.allowed import refusals, refuse_conditions, refuse_missing, refuse_tournaments
from pitboss.tournament.conditions import Conditions, left_open, missing
from pitboss.tournament.conditions import read as read_conditions
from pitboss.tournament.engine import decide
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.paper import printed, template
from pitboss.tournament.playing import AtTable
from pitboss.tournament.records import (
    PlayAt,
    Replayed,
    Result,
    TournamentRecordError,
    read_step,
    replay,
    tell,
    tell_all,
    with_step,
    write_act,
)
from pitboss.tournament.records import read as read_record
from pitboss.tournament.records import whole as whole_act
from pitboss.tournament.reports import FORMATS
from pitboss.tournament.state import Tournament


def new(rulebook: str, file: str | None = None, *, json: bool = False) -> int:
    """Write a commented set of conditions for a tournament, for you to fill in.

    Parameters
    ----------
    rulebook
        nsw-pontoon, canberra-pontoon-2005 or nsw-blackjack-challenge; the others have no tournaments.
    file
        The file to write; printed by default. An existing file is not overwritten.
    json
        Print one JSON object with the text.
    """
    book = known(rulebook)
    raise_refused(refuse_tournaments(book))
    hand_out(book, template(book), file, "tournament", json=json)
    return FINE


def check(file: str, *, json: AsJson = False) -> int:
    """Say which items the conditions are missing, and what the rulebook does not allow.

    Exit code 0: entries may be opened; 1: not yet; 2: the file could not be read.

    Parameters
    ----------
    file
        Conditions in TOML, as `pitboss tournament new` writes them.
    """
    conditions, book = conditions_in(file)
    lacking, not_allowed = missing(book, conditions), refusals(book, conditions)
    refused = next(iter(not_allowed), None)
    if json:
        said: dict[str, Any] = {
            "title": conditions.title,
            "rulebook": book.id,
            "missing": lacking,
            "left_open": left_open(book, conditions),
            "refused": None if refused is None else {"clauses": refused.clauses, "text": refused.text},
            "may_open": not lacking and refused is None,
        }
        print_json(said)
    else:
        for item in lacking:
            print(f"missing   {item}")
        for each in not_allowed:
            print(f"refused   {each}")
        if not lacking and refused is None:
            print(f"{conditions.title}: nothing is missing, entries may be opened.")
        for left in () if lacking else left_open(book, conditions):
            print(f"left open {left}")
    return CHECK_FAILED if lacking or refused is not None else FINE


def paper(file: str, *, json: bool = False) -> int:
    """Print the players' copy of the conditions.

    Parameters
    ----------
    file
        Conditions in TOML.
    json
        Print one JSON object with the text.
    """
    conditions, book = conditions_in(file)
    raise_refused(refuse_tournaments(book))
    print_paper(conditions.title, printed(book, conditions), json=json)
    return FINE


# --- records ---------------------------------------------------------------------------------------------------------


def run(file: str, *, json: bool = False, quiet: bool = False) -> int:
    """Replay a tournament, check that it ends as recorded, and show where everybody stands.

    Exit code 0: the record checks out; 1: an act or an expected result failed; 2: the record could not be read.

    Parameters
    ----------
    file
        A record, NAME.tournament: conditions, acts and expected results.
    json
        Print one JSON object per line: every event with its clauses, then the result.
    quiet
        Print only failures and the result.
    """
    result = replay_file(file)
    show(file, result, json=json, quiet=quiet)
    return CHECK_FAILED if result.failures else FINE


def show(file: str, result: Result, *, json: bool = False, quiet: bool = False) -> None:
    """What came of a record, for people or for programs."""
    if json:
        print_steps(file, ((step, _each_as_data(step.happened)) for step in result.steps))
        said = {"file": file, "ok": not result.failures, "failures": result.failures, "status": result.state.status}
        print_json({**said, "places": standings(result.state)})
        return
    if not quiet:
        print(f"{file}: {result.record.title}")
        print_lines(((step, tell_all(step, result.rulebook)) for step in result.steps), write_act)
    for failure in result.failures:
        print(f"failed    {file}: {failure}")
    if not quiet and not result.failures:
        print(f"  holds: the tournament is {WHERE[result.state.status]}")


def _each_as_data(happened: Iterable[TournamentEvent | AtTable]) -> Iterator[dict[str, Any]]:
    """What an act brought in the tournament, and at its tables."""
    for each in happened:
        if isinstance(each, AtTable):
            for event in each.events:
                yield {"table": each.table, **msgspec.to_builtins(event)}
            if each.refusal is not None:
                yield {"table": each.table, **told_refusal(each.refusal)}
        else:
            yield msgspec.to_builtins(each)


WHERE = {
    "new": "not open",
    "entries": "open for entries",
    "closed": "closed for entries",
    "playing": "being played",
    "cancelled": "cancelled",
    "ended": "over, and every prize is awarded",
}


def standings(state: Tournament) -> list[dict[str, Any]]:
    """Everybody with a place, the best first; before there are places, everybody in the order of their entry."""
    people = sorted(state.entrants.values(), key=lambda each: (each.place or 10**6, each.number))
    return [
        {"place": each.place, "name": each.name, "status": each.status, "prize_cents": each.prize_cents}
        for each in people
    ]


def _as_data(state: Tournament) -> dict[str, Any]:
    return {"results": standings(state), "accounts": state.accounts, "chip_accounts": state.chip_accounts}


def report(
    file: str, *, out: str | None = None, style: Annotated[str, Parameter(name="--format")] = "text", json: bool = False
) -> int:
    """Write the results, the prize list and the regulator's file (every event by clause) of a tournament.

    Parameters
    ----------
    file
        A record, NAME.tournament.
    out
        The file to write; printed by default. An existing file is not overwritten.
    style
        text, csv or html.
    json
        Print one JSON object: results, accounts and events by clause.
    """
    return give_report(file, replay_file, _as_data, tell, FORMATS, style, out=out, json=json)


def act(file: str, name: str, *fields: str, json: AsJson = False) -> int:
    """Carry out one step of a tournament, if the rules allow it, and add it to the record.

    As in `pitboss tournament act cup.tournament pay-fee name=alice cents=100 at=2027-02-01T12:00:00 by=dealer`.

    Parameters
    ----------
    file
        A record, NAME.tournament.
    name
        apply, pay-fee, draw-seats, ...: docs/tournaments.md lists them.
    fields
        Its details, as FIELD=VALUE; a VALUE is written as in TOML; a plain word is text.
    """
    said = act_said(name, fields)
    result = replay_file(file)
    refuse_more(file, result.failures)
    try:
        published = result.state.conditions or result.record.conditions
        wanted = read_step(said, name, published, parse_line).act
    except TournamentRecordError as error:
        raise Unread(str(error)) from None
    if isinstance(wanted, PlayAt):
        after = replay(with_step(result.record, wanted), result.rulebook, shuffled)
        step = after.steps[-1]
        refused = next((each.refusal for each in step.happened if isinstance(each, AtTable) and each.refusal), None)
        refused = step.refusal or (refused if after.failures else None)
        if refused is not None:
            raise Refused(refused)
    else:
        wanted = whole_act(result.rulebook, result.state, wanted, shuffled)
        decided = decide(result.rulebook, result.state, wanted)
        if isinstance(decided, Refusal):
            raise Refused(decided)
        step = Replayed(len(result.steps) + 1, wanted, decided)
    add_act(file, write_act(wanted, published=published))
    if json:
        print_json({"file": file, "events": step.events})
    else:
        for line in tell_all(step, result.rulebook):
            print(line)
    return FINE


def begin(file: str, conditions: str, *, json: AsJson = False) -> int:
    """Start the record of a tournament from its conditions and open entries.

    Parameters
    ----------
    file
        The record to write, NAME.tournament.
    conditions
        Conditions in TOML, as `pitboss tournament new` writes them; every item must be there.
    """
    found, book = conditions_in(conditions)
    raise_refused(refuse_tournaments(book) or refuse_missing(book, found) or refuse_conditions(book, found))
    body = Path(conditions).read_text(encoding="utf-8")
    write_new(file, record_text(found.title, body, ['{ act = "open-entries" }']))
    result = replay_file(file)
    if json:
        print_json({"file": file, "status": result.state.status})
    else:
        print(f"{file}: entries are open; pitboss tournament act {file} ACT ... goes on.")
    return FINE


# --- reading ---------------------------------------------------------------------------------------------------------


def conditions_in(file: str) -> tuple[Conditions, Rulebook]:
    """The conditions in a file, and the rulebook that they name."""
    conditions = read_tables(file, lambda data: read_conditions(data, RULEBOOKS))
    return conditions, load(conditions.rulebook)


def replay_file(file: str) -> Result:
    """The record in a file, replayed."""
    record = read_tables(file, lambda data: read_record(data, RULEBOOKS, parse_line))
    return replay(record, load(record.conditions.rulebook), shuffled)
