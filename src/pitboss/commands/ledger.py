"""``pitboss ledger``: where every cent of a log is, and how it came there."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pitboss.basics.money import dollars
from pitboss.commands import Unread
from pitboss.commands.options import AsJson, LogAt
from pitboss.floor.folds import posted
from pitboss.ledger.books import Books
from pitboss.store.addresses import shown
from pitboss.store.log import Log
from pitboss.store.moving import opened
from pitboss.store.opening import log_at, open_log
from pitboss.table.telling import fact

FINE, CHECK_FAILED = 0, 1
PAGE = 1_000


class Line(msgspec.Struct, frozen=True):
    """One posting to an account."""

    table: str
    version: int
    at_ms: int
    cents: int
    balance: int
    what: str


def ledger(log: LogAt, *, account: str = "", table: str = "", person: str = "", json: AsJson = False) -> int:
    """Print the trial balance of a log: every account of every table and person; the total is zero.

    Parameters
    ----------
    account
        Print every posting to one account instead, such as player:alice or pontoon-1/float.
    table
        The accounts of one table, and what people have won or lost at it.
    person
        The accounts of one person, and what they have won or lost, table by table.
    """
    books = Books()
    lines: list[Line] = []
    with opened(open_log(log_at(log), read_only=True)) as source:
        for line in _postings(source, books, account):
            lines.append(line)
        tables = {name.partition(":")[2] for name in source.streams("table:")}
        tables |= set(source.streams("tournament:"))
    total, differ = books.total(), books.differences()
    found = books.trial_balance(table, person)
    people = books.standings(person, table)
    for what, wanted, known in (
        ("table", table, tables),
        ("person", person, set(books.people)),
        ("account", account, set(books.balances)),
    ):
        if wanted and wanted not in known:
            raise Unread(f"{shown(log)} has no {what} {wanted!r}; it has {_some(known)}.")
    if json:
        said = {"log": shown(log), "accounts": found, "people": people, "total_cents": total, "differences": differ}
        if account:
            said = {"log": shown(log), "account": account, "postings": msgspec.to_builtins(lines)}
        print(msgspec.json.encode(said).decode())
    elif account:
        for line in lines:
            amounts = f"{dollars(line.cents):>14} {dollars(line.balance):>14}"
            print(f"{line.table:<20} {line.version:>7} {amounts}  {line.what}")
        print(f"{account}: {len(lines)} posting{'s' * (len(lines) != 1)}, {dollars(books.balances.get(account, 0))}")
    else:
        for name, cents in found.items():
            print(f"{name:<40} {dollars(cents):>16}")
        for name, by_table in people.items() if table or person else ():
            for place, cents in by_table.items():
                print(f"{name} at {place}: {'won' if cents >= 0 else 'lost'} {dollars(abs(cents))}")
        print(f"{len(found)} account{'s' * (len(found) != 1)}; all accounts together: {dollars(total)}")
    if not json:
        for text in differ:
            print(f"WRONG     {text}.")
    return FINE if total == 0 and not differ else CHECK_FAILED


def _some(names: set[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:8]) + (f" and {len(listed) - 8} more" if len(listed) > 8 else "") if listed else "none"


def _postings(log: Log, books: Books, account: str) -> Iterator[Line]:
    """Book the whole log; gives the postings to one account on the way."""
    place = 0
    while True:
        page = list(log.read_all(place, PAGE))
        for entry in page:
            for event, lines in posted(books, entry):
                own = sum(cents for name, cents in lines if name == account)
                if any(name == account for name, _ in lines):
                    what = event if isinstance(event, str) else fact(event, "natural")
                    table = entry.stream.partition(":")[2]
                    yield Line(table, entry.version, entry.at_ms, own, books.balances[account], what)
        if len(page) < PAGE:
            return
        place = page[-1].seq
