"""``pitboss patrons``: look into the patrons' book of a log and write in it; open and close the gaming day."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from cyclopts import Parameter

from pitboss.basics.money import dollars
from pitboss.chance import Chance
from pitboss.commands import Unread, rulebook_id
from pitboss.commands.options import AsJson, LogAt
from pitboss.commands.people import two_people
from pitboss.floor.audit import Audit
from pitboss.floor.clock import SystemClock
from pitboss.floor.erasing import TEXT_MAX, Erasures
from pitboss.floor.fields import PATRON_ACTS, FieldError, fields_of, patron_act
from pitboss.floor.floor import Floor
from pitboss.floor.model import FLOOR_ROLES, Accepted, Caller, Denied
from pitboss.floor.patron_book import STREAM, PatronBook, stream_of
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.people import People
from pitboss.floor.person import kept_of
from pitboss.patrons.gaming_day import CloseDay, DayAct, OpenDay, ReopenDay
from pitboss.patrons.telling import tell
from pitboss.rulebooks import load
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.addresses import shown as shown_log
from pitboss.store.group import GroupCommit
from pitboss.store.moving import opened
from pitboss.store.opening import log_at, open_log
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.wagers import is_name

FINE = 0
OPERATOR = "operator"
"""In whose name the log says that something was written from the command line."""
T = TypeVar("T")


def listed(log: LogAt, *, json: AsJson = False) -> int:
    """List the people who have a file in a log."""
    with opened(open_log(log_at(log), read_only=True)) as source:
        names = {stream.removeprefix(STREAM): version for stream, version in source.streams(STREAM).items()}
    if json:
        print(msgspec.json.encode({"patrons": names}).decode())
    else:
        for name, version in sorted(names.items()):
            print(f"{name}: {version} {'entry' if version == 1 else 'entries'}")
        if not names:
            print("nobody: the book is empty.")
    return FINE


def show(
    log: LogAt,
    name: str,
    *,
    rulebook: str = "nsw-pontoon",
    role: Annotated[str, Parameter(name="--as")] = "supervisor",
    json: AsJson = False,
) -> int:
    """Show a person's file, as a given role may see it.

    Parameters
    ----------
    name
        The person: the name of the account.
    rulebook
        The rulebook that decides who may see it and which limits there are.
    role
        The role to act as: player (the person), supervisor, gaming-manager or inspector.
    """
    book = load(rulebook_id(rulebook))

    async def look(patrons: PatronBook) -> dict[str, Any] | Denied | Refusal:
        return await patrons.look_up(_caller(role, name), name, book)

    with opened(open_log(log_at(log), read_only=True)) as source:
        if not source.version(stream_of(name)):
            raise Unread(f"the book of {log} keeps nothing of {name!r}: pitboss patrons list shows of whom it does.")
    found = _on(log, look, read_only=True)
    if isinstance(found, (Denied, Refusal)):
        raise _refused(book, found)
    if json:
        print(msgspec.json.encode(found).decode())
    else:
        _print(found)
    return FINE


def write(
    log: LogAt,
    name: str,
    act: str,
    *fields: str,
    rulebook: str = "nsw-pontoon",
    role: Annotated[str, Parameter(name="--as")] = "supervisor",
    json: AsJson = False,
) -> int:
    """Add to a person's file: `pitboss patrons write LOG alice set-loss-limit cents=100 period=week --as player`.

    Parameters
    ----------
    name
        The person: the name of the account.
    act
        identify, issue-card, set-loss-limit, restrict-patron, exclude, ...: `pitboss patrons acts` lists them.
    fields
        Its details, as FIELD=VALUE; amounts in dollars, dates as in 2026-11-18, and none to lift a limit.
    rulebook
        The rulebook that applies.
    role
        The role to act as: player (the person), dealer, supervisor or gaming-manager.
    """
    book = load(rulebook_id(rulebook))
    try:
        said = patron_act(act, fields)
    except FieldError as error:
        raise Unread(str(error)) from None
    if not is_name(name):
        raise Unread(f"{name!r} is no name of a person: use letters, digits, _ or -, beginning with a letter.")

    async def do(floor: Floor) -> Any:
        people = People(floor.commits)
        await people.catch_up()
        account = people.account(name)
        people.close()
        if account is not None and account.role != "player":
            raise Unread(f"{account.name} is an account of the house's people: files are kept of those who play.")
        person = account.name if account is not None else name
        files = patrons_of(floor).book
        return await files.do(_caller(role, person), person, book, said, writer=OPERATOR)  # type: ignore[arg-type]

    events = _on_floor(log, do)
    if isinstance(events, (Denied, Refusal)):
        raise _refused(book, events)
    if json:
        print(msgspec.json.encode({"name": name, "events": events}).decode())
    else:
        for event in events:
            print(f"{name}: {tell(event)} ({book.game.name.value} {cite(event.clauses)})")
    return FINE


def export(log: LogAt, name: str, file: Path | None = None, *, json: AsJson = False) -> int:
    """Export what a log keeps about a person as JSON: their file, lines in the registers and acts at tables.

    Parameters
    ----------
    name
        The person: the name of the account.
    file
        Where to write it; printed by default.
    """
    if file is not None and not file.parent.is_dir():
        raise Unread(f"{file}: there is no folder {file.parent}.")
    with opened(open_log(log_at(log), read_only=True)) as source:
        found = kept_of(source, name)
    if not any((found.file, found.registers, found.tables)):
        raise Unread(f"{shown_log(log)} keeps nothing of {name!r}.")
    whole = msgspec.json.format(msgspec.json.encode(found), indent=1)
    if file is None:
        print(whole.decode())
        return FINE
    file.write_bytes(whole + b"\n")
    counts = {"file": len(found.file), "registers": len(found.registers), "tables": len(found.tables)}
    told = ", ".join(f"{count} of {what}" for what, count in counts.items())
    print(msgspec.json.encode({"written": str(file), **counts}).decode() if json else f"{file}: entries: {told}.")
    return FINE


def retention(log: LogAt, *, json: AsJson = False) -> int:
    """Show how long files are kept, which are due for erasure, what awaits a second person, and what was erased."""

    async def look(floor: Floor) -> dict[str, Any]:
        erasures = Erasures(floor)
        await erasures.catch_up()
        due = [each.name for each in await erasures.due()]
        return {"retention": erasures.retention, "due": due, "waiting": [*erasures.waiting.values()],
                "erased": erasures.done}  # fmt: skip

    found = _on_floor(log, look, read_only=True)
    if json:
        print(msgspec.json.encode(found).decode())
        return FINE
    print(f"files are kept for {found['retention'].file_days:,} days after something was last written in them")
    print(f"kept so long: {', '.join(found['due']) or 'nobody'}")
    for each in found["waiting"]:
        print(f"waits for a second person: {each.name}, asked for by {each.by}: {each.why}")
    for each in found["erased"]:
        print(f"erased: {each.name}, by {' and '.join(each.by)}: {each.why}")
    return FINE


def erase(log: LogAt, name: str, *, reason: str, rulebook: str = "nsw-pontoon", json: AsJson = False) -> int:
    """Erase everything a log keeps about a person, for good: their key is destroyed, and the chain stays as it was.

    Asks for the names and passwords of two administrators, gaming managers or inspectors (and a code, for those with an
    authenticator); from a pipe, one per line. Refused, with the clause, while it must be kept.

    Parameters
    ----------
    name
        The person: the name of the account.
    reason
        Why, in one line.
    rulebook
        The rulebook that decides whether it must be kept.
    """
    book = load(rulebook_id(rulebook))
    if not reason.strip() or not reason.isprintable() or len(reason) > TEXT_MAX:
        raise Unread(f"--reason: write one line of at most {TEXT_MAX} signs.")

    async def do(floor: Floor) -> Any:
        erasures = Erasures(floor)
        refused = await erasures.refusal(name, book)
        if refused is not None:
            return refused
        people = People(floor.commits, Audit(floor.commits))
        try:
            await people.catch_up()
            by = await two_people(people, SystemClock().now_ms())
        finally:
            people.close()
        done = await erasures.erase(name, by, reason)
        return by if isinstance(done, Accepted) else done

    found = _on_floor(log, do)
    if isinstance(found, Refusal):
        raise Refused(found)
    if not isinstance(found, tuple):
        raise Unread(getattr(found, "text", "nothing was erased."))
    if json:
        print(msgspec.json.encode({"erased": name, "by": found, "why": reason}).decode())
    else:
        print(f"erased: what {shown_log(log)} kept of {name}, by {found[0]} and {found[1]}: {reason}")
    return FINE


def acts(*, json: AsJson = False) -> int:
    """List what can be added to a file, with the fields of each entry."""
    if json:
        print(msgspec.json.encode({name: fields_of(kind) for name, kind in PATRON_ACTS.items()}).decode())
        return FINE
    for name, kind in PATRON_ACTS.items():
        print(" ".join((name, *(f"{field}=..." for field in fields_of(kind)))))
        first = (kind.__doc__ or "").strip().splitlines()
        if first:
            print(f"    {first[0]}")
    return FINE


def day(
    log: LogAt,
    do: str = "show",
    *,
    reason: str = "",
    rulebook: str = "nsw-pontoon",
    role: Annotated[str, Parameter(name="--as")] = "gaming-manager",
    json: AsJson = False,
) -> int:
    """Show, open, close or reopen the gaming day of a floor.

    Parameters
    ----------
    do
        show, open, close, or reopen the day closed last while it still runs.
    reason
        Why a closed day is reopened.
    rulebook
        The rulebook that applies, and with it the city's time.
    role
        The role to act as.
    """
    book = load(rulebook_id(rulebook))
    acts: dict[str, DayAct] = {"open": OpenDay(""), "close": CloseDay(""), "reopen": ReopenDay("", reason)}
    if do not in ("show", *acts):
        raise Unread(f"{do!r} is none of show, {', '.join(acts)}.")

    async def turn(patrons: PatronBook) -> Any:
        if do == "show":
            await patrons.load_day()
            return patrons.now(book)
        return await patrons.turn_day(_caller(role, OPERATOR), book, acts[do])

    found = _on(log, turn, read_only=do == "show")
    if isinstance(found, (Denied, Refusal)):
        raise _refused(book, found)
    if json:
        print(msgspec.json.encode(found).decode())
    elif do == "show":
        print(f"gaming day {found.date}, calendar day {found.calendar_date}")
    else:
        done = {"open": "opened", "close": "closed", "reopen": "reopened"}[do]
        print(f"gaming day {found.date} {done} ({book.game.name.value} {cite(found.clauses)})")
    return FINE


# --- small things ----------------------------------------------------------------------------------------------------


def _on(log: str, ask: Callable[[PatronBook], Awaitable[T]], *, read_only: bool = False) -> T:
    """Ask the book of a log something, in a loop of our own."""

    async def run() -> T:
        with opened(open_log(log_at(log), create=False, read_only=read_only)) as source:
            commits = GroupCommit(source)
            try:
                return await ask(PatronBook(commits, SystemClock()))
            finally:
                await commits.close()

    return asyncio.run(run())


def _on_floor(log: str, ask: Callable[[Floor], Awaitable[T]], *, read_only: bool = False) -> T:
    """Ask the floor of a log something, without serving it."""

    async def run() -> T:
        with opened(open_log(log_at(log), create=False, read_only=read_only)) as source:
            commits = GroupCommit(source)
            try:
                floor = Floor(commits, clock=SystemClock(), chance=Chance(), alone=False)
                await floor.follow()
                return await ask(floor)
            finally:
                await commits.close()

    return asyncio.run(run())


def _caller(role: str, name: str) -> Caller:
    if role not in FLOOR_ROLES:
        raise Unread(f"--as {role!r} is none of {', '.join(FLOOR_ROLES)}.")
    return Caller(name if role == "player" else OPERATOR, role)


def _refused(book: Rulebook, said: Denied | Refusal) -> Refused:
    return Refused(said if isinstance(said, Refusal) else Refusal(book.name, said.clauses, said.text))


def _print(file: dict[str, Any]) -> None:
    trouble = file["card_trouble"]
    print(f"{file['name']}, gaming day {file['date']}, {file['rulebook']}")
    print(f"  identified   {file['identified'] or 'by nobody'}")
    card = file["card"]
    print(f"  player card  {card['number'] if card else 'none'}{f' ({trouble})' if trouble and card else ''}")
    limit = file["loss_limit"]
    if limit:
        left = dollars(file["loss_left_cents"])
        print(f"  loss limit   {dollars(limit['cents'])} a {limit['period']}, {left} left")
        practice = file["practice"]["loss_left_cents"]
        if practice != file["loss_left_cents"]:
            print(f"  for practice {dollars(practice)} left")
    if file["deposit_limit_cents"] is not None:
        left = dollars(file["deposit_left_cents"])
        print(f"  deposits     {dollars(file['deposit_limit_cents'])} a day, {left} left")
    for each in file["restrictions"]:
        print(f"  restricted   {each['rule']} at {each['where']}: {each['why']}{'' if each['holds'] else ' (over)'}")
    for each in file["exclusions"]:
        print(f"  excluded     from the {each['scope']}: {each['why']}{'' if each['holds'] else ' (over)'}")
    for table, (most, _) in file["maxima"].items():
        if most:
            print(f"  maximum      {dollars(most)} at {table}")
    for table, cents in file["old_minima"].items():
        print(f"  old minimum  {dollars(cents)} at {table}")
    for what in ("recognised", "helper"):
        if file[what]:
            print(f"  {what:<12} {file[what]}")
    if file["paused"]:
        print("  pauses       until the new period of the loss limit")
    if file["note"] and limit:
        print(f"  {file['note']}")
