"""``pitboss register`` and ``pitboss notices``: what a log says must be kept, done and told."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from pitboss.commands import Unread, rulebook_id
from pitboss.floor.clock import SystemClock
from pitboss.floor.fields import FieldError, register_act
from pitboss.floor.model import Unknown
from pitboss.floor.permissions import AT_THE_TABLE
from pitboss.floor.register_book import refuse_mark
from pitboss.floor.registers import STREAM, WRITTEN, FileLines, HouseRegisters, RegisterBody
from pitboss.floor.shared_stream import entry_of
from pitboss.registers import paper
from pitboss.registers.acts import SELF, AnyRegisterAct, MarkDone, cause, refuse
from pitboss.registers.asking import Kept, Wanted, counts, gaming_days, items, kept, lines, notes
from pitboss.registers.book import Registers
from pitboss.registers.model import REGISTERS
from pitboss.rulebooks import load
from pitboss.store.log import Append, Appended, Log, Part
from pitboss.store.moving import opened
from pitboss.store.opening import log_at, open_log
from pitboss.table.refusals import Refused

FINE = 0
OPERATOR = "operator"
"""In whose name the log says that something was written from the command line."""
PAGE = 1_000
Html = Annotated[Path | None, Parameter(name="--html")]
Csv = Annotated[Path | None, Parameter(name="--csv")]
Since = Annotated[str, Parameter(name="--from")]
Until = Annotated[str, Parameter(name="--to")]


def register(
    log: str,
    name: str = "",
    *,
    search: str = "",
    table: str = "",
    person: str = "",
    kind: str = "",
    since: Since = "",
    until: Until = "",
    due: bool = False,
    html: Html = None,
    csv: Csv = None,
    json: bool = False,
) -> int:
    """Show the registers of a log, or the lines of one, newest first.

    Parameters
    ----------
    log
        A path, the folder of `pitboss serve --data`, sqlite:///path or postgresql://user@host/database.
    name
        limits, restrictions, mispayments, ...; without one all registers are listed with what is due in them.
    search
        Only lines with all these words: a name, a clause, what happened.
    table
        One table only, by its id.
    person
        One patron only.
    kind
        One kind of line only, as in rise.
    since
        The first gaming date, as in 2026-11-01.
    until
        The last gaming date, as in 2026-11-30.
    due
        Only lines with something still to be done.
    html
        Write a self-contained page that prints well.
    csv
        Write every line as a row.
    json
        Print one JSON object.
    """
    if name and name not in REGISTERS:
        raise Unread(f"there is no register {name!r}; there are {', '.join(REGISTERS)}.")
    _check(html, csv)
    book, now = _kept(log), SystemClock().now_ms()
    wanted = _wanted(book, name, search, table, person, kind, since, until, due)
    narrowed = any((search, table, person, kind, since, until, due, html, csv))
    if not name and not narrowed:
        each = counts(book, now)
        print(msgspec.json.encode({"registers": each}).decode() if json else paper.counts_text(book, each))
        return FINE
    found = lines(book, wanted, now)
    if html is not None:
        title = REGISTERS[name] if name else "All registers"
        waiting = items(book, msgspec.structs.replace(wanted, due=True), now)
        page = paper.lines_html(book, title, _about(wanted, since, until), found, name, waiting, now)
        html.write_text(page, encoding="utf-8")
    if csv is not None:
        csv.write_text(paper.lines_csv(book, found), encoding="utf-8")
    if json:
        print(msgspec.json.encode({"lines": found, "items": items(book, wanted, now)}).decode())
    elif html is None and csv is None:
        print(paper.lines_text(book, found))
        waiting = items(book, msgspec.structs.replace(wanted, due=True), now)
        if waiting:
            print(f"\nDue:\n{paper.items_text(book, waiting, now)}")
        said = notes(book, name) if found else []
        if said:
            print("\n" + "\n".join(map(paper.note_text, said)))
    return FINE


def notices(
    log: str,
    *,
    search: str = "",
    table: str = "",
    since: Since = "",
    until: Until = "",
    everything: Annotated[bool, Parameter(name="--all")] = False,
    html: Html = None,
    csv: Csv = None,
    json: bool = False,
) -> int:
    """Show who must be notified of what, by when, and who has done so.

    Parameters
    ----------
    log
        A path, the folder of `pitboss serve --data`, sqlite:///path or postgresql://user@host/database.
    search
        Only notices with all these words.
    table
        One table only, by its id.
    since
        The first gaming date, as in 2026-11-01.
    until
        The last gaming date, as in 2026-11-30.
    everything
        Also show what is done.
    html
        Write a self-contained page that prints well.
    csv
        Write every notice as a row.
    json
        Print one JSON object.
    """
    _check(html, csv)
    book, now = _kept(log), SystemClock().now_ms()
    wanted = _wanted(book, "", search, table, "", "", since, until, not everything)
    found = items(book, wanted, now, notices=True)
    if html is not None:
        html.write_text(paper.items_html(book, "Notices", _about(wanted, since, until), found, now), encoding="utf-8")
    if csv is not None:
        csv.write_text(paper.items_csv(book, found, now), encoding="utf-8")
    if json:
        rows = [msgspec.to_builtins(item) | {"state": item.state(now)} for item in found]
        print(msgspec.json.encode({"notices": rows}).decode())
    elif html is None and csv is None:
        print(paper.items_text(book, found, now))
    return FINE


def enter(
    log: str,
    act: str,
    *fields: str,
    rulebook: str = "nsw-pontoon",
    role: Annotated[str, Parameter(name="--as")] = "supervisor",
    json: bool = False,
) -> int:
    """Add to the registers what does not happen at a table: `pitboss enter LOG MarkDone item=12:0 evidence="rang"`.

    Parameters
    ----------
    log
        A path, the folder of `pitboss serve --data`, sqlite:///path or postgresql://user@host/database.
    act
        MarkDone, MoveCards, CheckCards, RecordApproval, Complain, AnswerComplaint, AskForBox or EndDemand.
    fields
        Its details, as FIELD=VALUE.
    rulebook
        The rulebook that applies.
    role
        The role to act as: player (the person), dealer, supervisor, gaming-manager or inspector.
    json
        Print one JSON object.
    """
    book = load(rulebook_id(rulebook))
    said = _act(act, fields, role)
    with opened(open_log(log_at(log), create=False)) as source:
        registers = _folded(source)
        whole = kept(registers, *FileLines(source).now())
        person = str(getattr(said, "person", ""))
        refused = refuse(book, said, person) or registers.refuse(book, said)
        if refused is None and isinstance(said, MarkDone):
            found = next((item for item in whole.items if item.id == said.item), None)
            wrong = refuse_mark(found, said, role)
            if isinstance(wrong, Unknown):
                raise Unread(wrong.text)
            refused = wrong
        if refused is not None:
            raise Refused(refused)
        body = RegisterBody(book.id, said, cause(book, said), role)
        part = Part(STREAM, source.version(STREAM), (entry_of(WRITTEN, body),))
        (outcome,) = source.append([Append((part,), SystemClock().now_ms(), OPERATOR)])
    if not isinstance(outcome, Appended):
        raise Unread(f"{log}: somebody else wrote in the same moment; nothing was written, try again.")
    told = {"entry": outcome.seq, "act": msgspec.to_builtins(said)}
    print(msgspec.json.encode(told).decode() if json else f"entry {outcome.seq}: {act} is written down.")
    return FINE


def _act(name: str, fields: tuple[str, ...], role: str) -> AnyRegisterAct:
    if role != SELF and role not in AT_THE_TABLE:
        raise Unread(f"--as {role!r} is none of {SELF}, {', '.join(AT_THE_TABLE)}.")
    try:
        return register_act(name, fields, AT_THE_TABLE.get(role, SELF))
    except FieldError as error:
        raise Unread(str(error)) from None


def _kept(log: str) -> Kept:
    """Once through the log, by itself: nothing is written to it."""
    with opened(open_log(log_at(log), read_only=True)) as source:
        return kept(_folded(source), *FileLines(source).now())


def _folded(source: Log) -> Registers:
    fold, place = HouseRegisters(), 0
    while True:
        page = list(source.read_all(place, PAGE))
        for entry in page:
            fold.apply(entry)
        if len(page) < PAGE:
            return fold.registers
        place = page[-1].seq


def _wanted(
    book: Kept, name: str, search: str, table: str, person: str, kind: str, since: str, until: str, due: bool
) -> Wanted:
    for option, date in (("--from", since), ("--to", until)):
        _check_date(option, date)
    return Wanted(name, search, table, person, kind, *gaming_days(book, since, until), due)


def _about(wanted: Wanted, since: str, until: str) -> str:
    said = [
        f"from {since}" if since else "", f"to {until}" if until else "", f"“{wanted.search}”" if wanted.search else "",
        wanted.table, wanted.person, wanted.kind, "due only" if wanted.due else "",
    ]  # fmt: skip
    return ", ".join(part for part in said if part) or "everything"


def _check(*paths: Path | None) -> None:
    for path in paths:
        if path is not None and not path.parent.is_dir():
            raise Unread(f"{path}: there is no folder {path.parent}.")


def _check_date(option: str, text: str) -> None:
    try:
        datetime.date.fromisoformat(text or "2026-11-18")
    except ValueError:
        raise Unread(f"{option} {text}: write it as in 2026-11-18.") from None
