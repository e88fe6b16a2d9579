"""``pitboss promotion``: terms, entries, draws, whole promotions, what is due in them, and their reports."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from pitboss.chance import secret_token, shuffled
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
    write_new,
)
from pitboss.papers.lines import PaperError
from pitboss.promotions.allowed import refusals, refuse_conditions, refuse_missing, refuse_promotions
from pitboss.promotions.clocks import ClockError, instant, shown
from pitboss.promotions.conditions import Conditions, missing
from pitboss.promotions.conditions import read as read_conditions
from pitboss.promotions.drawing import digest_of
from pitboss.promotions.engine import decide
from pitboss.promotions.paper import printed, template
from pitboss.promotions.records import Result, read_act, replay, tell, write_act
from pitboss.promotions.records import read as read_record
from pitboss.promotions.records import whole as whole_act
from pitboss.promotions.reports import FORMATS, standing
from pitboss.promotions.state import Promotion, due
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, Refused


def new(rulebook: str, file: str | None = None, *, json: bool = False) -> int:
    """Write a commented set of terms for a promotion, for you to fill in.

    Parameters
    ----------
    rulebook
        nsw-pontoon or nsw-blackjack-challenge; the others have no promotional prizes.
    file
        The file to write; printed by default. An existing file is not overwritten.
    json
        Print one JSON object with the text.
    """
    book = known(rulebook)
    raise_refused(refuse_promotions(book))
    hand_out(book, template(book), file, "promotion", json=json)
    return FINE


def check(file: str, *, json: bool = False) -> int:
    """Say which items the terms are missing, and what the rulebook does not allow.

    Exit code 0: the promotion may be offered; 1: not yet; 2: the file could not be read.

    Parameters
    ----------
    file
        Terms in TOML, as `pitboss promotion new` writes them.
    json
        Print one JSON object.
    """
    conditions, book = conditions_in(file)
    lacking, refused = missing(book, conditions), refusals(book, conditions)
    if json:
        said: dict[str, Any] = {
            "title": conditions.title,
            "rulebook": book.id,
            "missing": lacking,
            "refused": [{"clauses": each.clauses, "text": each.text} for each in refused],
            "may_offer": not lacking and not refused,
        }
        print_json(said)
    else:
        for each in lacking:
            print(f"missing   {book.name} {each}")
        for refusal in refused:
            print(f"refused   {refusal}")
        if not lacking and not refused:
            print(f"{conditions.title}: nothing is missing, the promotion may be offered.")
    return CHECK_FAILED if lacking or refused else FINE


def paper(file: str, *, json: bool = False) -> int:
    """Print the terms and conditions for patrons.

    Parameters
    ----------
    file
        Terms in TOML.
    json
        Print one JSON object with the text.
    """
    conditions, book = conditions_in(file)
    raise_refused(refuse_promotions(book))
    print_paper(conditions.title, printed(book, conditions), json=json)
    return FINE


def begin(file: str, terms: str, *, at: str, json: bool = False) -> int:
    """Start the record of a promotion from its terms, and say what is due.

    Parameters
    ----------
    file
        The record to write, NAME.promotion.
    terms
        Terms in TOML, as `pitboss promotion new` writes them; every item must be there.
    at
        When it opens, in local time: 2027-02-20T09:00:00.
    json
        Print one JSON object.
    """
    found, book = conditions_in(terms)
    raise_refused(refuse_promotions(book) or refuse_missing(book, found) or refuse_conditions(book, found))
    moment = _moment(at)
    body = Path(terms).read_text(encoding="utf-8")
    line = f'{{ act = "offer-promotion", at = {moment.isoformat()} }}'
    write_new(file, record_text(found.title, body, [line]))
    result = replay_file(file)
    if result.failures:
        Path(file).unlink()
        raise Unread(f"{file}: {result.failures[0]}")
    if json:
        print_json({"file": file, "status": result.state.status, "due": due(result.state)})
    else:
        print(f"{file}: the promotion is offered; pitboss promotion act {file} ACT ... goes on.")
        _show_due(result.state, book, None)
    return FINE


def act(file: str, name: str, *fields: str, json: bool = False) -> int:
    """Carry out one step of a promotion, if the rules allow it, and add it to the record.

    As in `pitboss promotion act autumn.promotion enter name=alice wagered=50 at=2027-03-02T12:00:00`. A commit-draw
    without a digest makes a secret, and prints it: keep it sealed until the draw.

    Parameters
    ----------
    file
        A record, NAME.promotion.
    name
        enter, draw-winners, tell-winner, ...: docs/promotions.md lists them.
    fields
        Its details, as FIELD=VALUE; a VALUE is written as in TOML; a plain word is text.
    json
        Print one JSON object.
    """
    said = act_said(name, fields)
    secret = ""
    if name == "commit-draw" and "digest" not in said:
        secret = secret_token()
        said["digest"] = digest_of(secret)
    result = replay_file(file)
    refuse_more(file, result.failures)
    try:
        wanted = read_act(said, name, result.record.conditions, result.record.amended)
    except PaperError as error:
        raise Unread(str(error)) from None
    wanted = whole_act(result.state, wanted, shuffled)
    decided = decide(result.rulebook, result.state, wanted)
    if isinstance(decided, Refusal):
        raise Refused(decided)
    add_act(file, write_act(wanted, amended=str(said.get("conditions", ""))))
    if json:
        print_json({"file": file, "events": decided, "secret": secret or None})
    else:
        for event in decided:
            print(tell(event, result.rulebook))
        if secret:
            print(f"secret    {secret}: keep it sealed until the draw.")
    return FINE


# --- records ---------------------------------------------------------------------------------------------------------


def run(file: str, *, at: str | None = None, json: bool = False, quiet: bool = False) -> int:
    """Replay a promotion, check that it ends as recorded, and say what is due.

    Exit code 0: the record checks out; 1: an act or an expected result failed; 2: the record could not be read.

    Parameters
    ----------
    file
        A record, NAME.promotion: terms, acts and expected results.
    at
        Say what is overdue at this time; by default the time of the last event.
    json
        Print one JSON object per line: every event with its clauses, then the result.
    quiet
        Print only failures and the result.
    """
    result = replay_file(file)
    show(file, result, json=json, quiet=quiet, at=_instant(at, result.rulebook))
    return CHECK_FAILED if result.failures else FINE


def show(
    file: str, result: Result, *, json: bool = False, quiet: bool = False, at: datetime.datetime | None = None
) -> None:
    """What came of a record, for people or for programs."""
    state, book = result.state, result.rulebook
    if json:
        print_steps(file, ((step, map(msgspec.to_builtins, step.events)) for step in result.steps))
        said = {"file": file, "ok": not result.failures, "failures": result.failures, "status": state.status}
        print_json({**said, "winners": winners(state), "due": due_as_data(state, at)})
        return
    if not quiet:
        print(f"{file}: {result.record.title}")
        print_lines(((step, (tell(event, book) for event in step.events)) for step in result.steps), write_act)
    for failure in result.failures:
        print(f"failed    {file}: {failure}")
    if not quiet and not result.failures:
        print(f"  holds: the promotion is {WHERE[state.status]}")
        _show_due(state, book, at)


WHERE = {
    "new": "not offered",
    "offered": "offered",
    "running": "running",
    "postponed": "postponed",
    "ended": "over, and nothing is left to be done",
}


def winners(state: Promotion) -> list[dict[str, Any]]:
    return [
        {
            "prize": each.prize,
            "name": each.name,
            "draw": each.draw,
            "status": each.status,
            "value_cents": each.value_cents,
        }
        for each in state.wins.values()
    ]


def due_as_data(state: Promotion, at: datetime.datetime | None) -> list[dict[str, Any]]:
    """What is still to be done, with who must act, until when and by which clauses."""
    moment = at or state.last
    return [
        {
            "key": each.key, "who": each.who, "what": each.what, "to": each.to, "due": each.due,
            "clauses": each.clauses, "overdue": moment is not None and each.overdue(moment),
        }
        for each in due(state)
    ]  # fmt: skip


def _show_due(state: Promotion, book: Rulebook, at: datetime.datetime | None) -> None:
    for each in due(state):
        by = "as soon as practicable" if each.due is None else shown(book.patrons.zone.value, each.due)
        how = "overdue" if standing(each, at or state.last) == "overdue" else "due"
        print(f"  {how:<8} {by}: {each.what} [{cite(each.clauses)}]")


def _as_data(state: Promotion) -> dict[str, Any]:
    return {"winners": winners(state), "duties": list(state.duties.values()), "denied": state.denied}


def report(
    file: str, *, out: str | None = None, style: Annotated[str, Parameter(name="--format")] = "text", json: bool = False
) -> int:
    """Report the winners, duties and deadlines, refused claims and every event of a promotion by clause.

    Parameters
    ----------
    file
        A record, NAME.promotion.
    out
        The file to write; printed by default. An existing file is not overwritten.
    style
        text, csv or html.
    json
        Print one JSON object: winners, duties, denied claims and events by clause.
    """
    return give_report(file, replay_file, _as_data, tell, FORMATS, style, out=out, json=json)


# --- reading ---------------------------------------------------------------------------------------------------------


def conditions_in(file: str) -> tuple[Conditions, Rulebook]:
    """The terms in a file, and the rulebook that they name."""
    conditions = read_tables(file, lambda data: read_conditions(data, RULEBOOKS))
    return conditions, load(conditions.rulebook)


def replay_file(file: str) -> Result:
    """The record in a file, replayed."""
    record = read_tables(file, lambda data: read_record(data, RULEBOOKS))
    return replay(record, load(record.conditions.rulebook), shuffled)


def _moment(text: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        raise Unread(f"{text!r} is no moment; write it as 2027-02-20T09:00:00.") from None


def _instant(text: str | None, book: Rulebook) -> datetime.datetime | None:
    if text is None:
        return None
    try:
        return instant(book.patrons.zone.value, _moment(text))
    except ClockError as error:
        raise Unread(str(error)) from None
