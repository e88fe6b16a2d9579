"""The books of the whole house: the postings of every table in one set of accounts, to the cent.

A person has one account at all tables together (``player:NAME``, with ``tokens:NAME`` and ``cash:NAME``); what belongs
to a table is named after it (``pontoon-1/float``, ``pontoon-1/box:3``, ``pontoon-1/drop``, ``pontoon-1/jackpot``);
``cage``, ``house`` and ``promotion`` are the casino's, and a jackpot that several tables share is ``link:NAME``, which
must stand where the link's own stream says. Tournament chips are no money: at a tournament table a person
has ``tournament:TABLE:NAME``, and nothing of it meets their other accounts. A tournament has accounts of its own,
``tournament:ID/pool``, ``/commission`` and ``/chip-bank`` in money, and ``/inventory``, ``/chips:NAME``,
``/table:TABLE`` and ``/missing`` in chips.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from pitboss.basics.money import dollars
from pitboss.ledger.postings import (
    CAGE,
    FLOAT,
    HOUSE,
    INVENTORY,
    JACKPOT,
    PROMOTION,
    VOUCHERS,
    Ledger,
    Posting,
    move,
    voucher_of,
)  # fmt: skip
from pitboss.table import events as e
from pitboss.table.events import Event

OF_THE_CASINO = frozenset({CAGE, HOUSE, PROMOTION})
OF_A_PERSON = ("player", "pocket", "tokens", "cash", "voucher")


class Books(msgspec.Struct):
    """Balances by account; a plain value that goes to JSON and back."""

    balances: dict[str, int] = {}
    tables: dict[str, bool] = {}
    """Every table that was ever opened, and whether it is for tournaments."""
    people: dict[str, dict[str, int]] = {}
    """What each person has won or lost, by table."""
    in_tokens: dict[str, dict[str, tuple[int, int]]] = {}
    """By table, the wagers on it that are in promotional tokens (`Ledger.in_tokens`)."""
    links: dict[str, str] = {}
    """By table, the link whose pool its jackpot is."""
    pools: dict[str, int] = {}
    """By link, where its own stream says that the pool stands."""
    wrong: dict[str, str] = {}
    """By link, what was first found to differ between its tables and its stream."""

    # --- writing ---

    def open(
        self, table: str, jackpot_cents: int = 0, *, tournament: bool = False, link: str = "", float_cents: int = 0
    ) -> tuple[Posting, ...]:
        """A table was opened: with so many chips in its float, and so much in a jackpot of its own or on a link."""
        self.tables[table] = tournament
        if link:
            self.links[table] = link
            jackpot_cents = 0  # it is the link's
        return self._add(table, move(jackpot_cents, HOUSE, JACKPOT) + move(float_cents, CAGE, FLOAT))

    def open_link(self, link: str, cents: int) -> tuple[Posting, ...]:
        """A jackpot for several tables was opened, with so much in it."""
        self.pools[link] = cents
        return self._add("", move(cents, HOUSE, _account_of(link)))

    def move_pool(
        self, link: str, where: str, contributed_cents: int, paid_cents: int, added_cents: int
    ) -> tuple[Posting, ...]:
        """The link's stream says what an act at a table did to the pool, once that act is booked."""
        self.pools[link] = self.pools.get(link, 0) + contributed_cents - paid_cents + added_cents
        posted = self._add("", move(added_cents, HOUSE, _account_of(link)))
        wrong = self._difference(link)
        if wrong and link not in self.wrong:
            self.wrong[link] = f"{wrong} since {where}"
        return posted

    def book(self, place: str, lines: Iterable[Posting]) -> tuple[Posting, ...]:
        """Book what is no event of a table: accounts of its own are named after the place, people's are theirs."""
        return self._add(place, lines)

    def issue_voucher(self, person: str, cents: int) -> tuple[Posting, ...]:
        """Somebody was given a voucher of a promotion: it is nobody's loss, until tokens are wagered for it."""
        lines = move(cents, VOUCHERS, voucher_of(person))
        for account, each in lines:
            self.balances[account] = self.balances.get(account, 0) + each
        return lines

    def _difference(self, link: str) -> str:
        booked, said = self.balances.get(_account_of(link), 0), self.pools.get(link, 0)
        if booked == said:
            return ""
        return f"the jackpot {link} stands at {dollars(said)} and its tables account for {dollars(booked)}"

    def post(self, table: str, events: Iterable[Event]) -> Iterator[tuple[Event, tuple[Posting, ...]]]:
        """Book the events of one act, as far as somebody goes through them: those that move money, with their lines."""
        ledger = Ledger()
        ledger.in_tokens = self.in_tokens.get(table, {})
        linked = table in self.links
        for event in events:
            if linked and type(event) is e.JackpotSet and event.reason == "link":
                continue  # the table is told where the pool stands: no money moves
            lines = ledger.post(event)
            if lines:
                yield event, self._add(table, lines)
        if ledger.in_tokens:
            self.in_tokens[table] = ledger.in_tokens
        else:
            self.in_tokens.pop(table, None)

    def _add(self, table: str, lines: Iterable[Posting]) -> tuple[Posting, ...]:
        posted = []
        lines = tuple(lines)
        won = not any(
            account.startswith(INVENTORY) for account, _ in lines
        )  # tournament chips that are allotted are not won
        for account, cents in lines:
            name = self.account(table, account)
            self.balances[name] = self.balances.get(name, 0) + cents
            posted.append((name, cents))
            kind, _, person = account.partition(":")
            if kind in OF_A_PERSON and won:
                by_table = self.people.setdefault(person, {})
                by_table[table] = by_table.get(table, 0) + cents
        return tuple(posted)

    def account(self, table: str, account: str) -> str:
        """What an account of a table is called in the books."""
        kind, _, name = account.partition(":")
        if kind in OF_A_PERSON:
            return f"tournament:{table}:{name}" if self.tables.get(table) else account
        if account == JACKPOT and table in self.links:
            return _account_of(self.links[table])
        if not table or (account in OF_THE_CASINO and not self.tables.get(table)):
            return account
        return f"{table}/{account}"

    # --- asking ---

    def trial_balance(self, table: str = "", person: str = "") -> dict[str, int]:
        """Every account that is not empty, of one table or one person where that is asked; all together sum to zero."""
        found = sorted((name, cents) for name, cents in self.balances.items() if cents)
        if table:
            found = [each for each in found if each[0].startswith((f"{table}/", f"tournament:{table}:"))]
        if person:
            own = [f"{kind}:{person}" for kind in OF_A_PERSON]
            found = [each for each in found if each[0] in own or is_tournament_account(each[0], person)]
        return dict(found)

    def standings(self, person: str = "", table: str = "") -> dict[str, dict[str, int]]:
        """What people have won or lost, by table: everybody's, or one person's, or those at one table."""
        wanted = self.people if not person else {person: self.people.get(person, {})}
        rows = {
            name: {place: cents for place, cents in by_table.items() if not table or place == table}
            for name, by_table in wanted.items()
        }
        return {name: row for name, row in rows.items() if row}

    def total(self) -> int:
        """Always zero."""
        return sum(self.balances.values())

    def differences(self) -> list[str]:
        """What tables and the links' own streams say differently of shared jackpots; always nothing."""
        now = {link: self._difference(link) for link in self.pools}
        return [self.wrong.get(link) or text for link, text in now.items() if link in self.wrong or text]


def _account_of(link: str) -> str:
    return f"link:{link}"


def is_tournament_account(account: str, person: str) -> bool:
    return account.startswith("tournament:") and account.rpartition(":")[2] == person
