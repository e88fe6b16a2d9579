"""The books of the whole house: the postings of every table in one set of accounts, to the cent.

A person has one account at all tables together (``player:NAME``, with ``tokens:NAME`` and ``cash:NAME``); what belongs
to a table is named after it (``pontoon-1/float``, ``pontoon-1/box:3``, ``pontoon-1/drop``, ``pontoon-1/jackpot``);
``cage``, ``house`` and ``promotion`` are the casino's. Tournament chips are no money: at a tournament table a person
has ``tournament:TABLE:NAME``, and nothing of it meets their other accounts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from pitboss.ledger.postings import CAGE, HOUSE, JACKPOT, PROMOTION, Ledger, Posting
from pitboss.table.events import Event

OF_THE_CASINO = frozenset({CAGE, HOUSE, PROMOTION})
OF_A_PERSON = ("player", "tokens", "cash", "voucher")


class Books(msgspec.Struct):
    """Balances by account; a plain value that goes to JSON and back."""

    balances: dict[str, int] = {}
    tables: dict[str, bool] = {}
    """Every table that was ever opened, and whether it is for tournaments."""
    people: dict[str, dict[str, int]] = {}
    """What each person has won or lost, by table."""
    in_tokens: dict[str, dict[str, tuple[int, int]]] = {}
    """By table, the wagers on it that are in promotional tokens (`Ledger.in_tokens`)."""

    # --- writing ---

    def open(self, table: str, jackpot_cents: int = 0, *, tournament: bool = False) -> tuple[Posting, ...]:
        """A table was opened, with so much in a jackpot of its own."""
        self.tables[table] = tournament
        return self._add(table, ((JACKPOT, jackpot_cents), (HOUSE, -jackpot_cents)) if jackpot_cents else ())

    def post(self, table: str, events: Iterable[Event]) -> Iterator[tuple[Event, tuple[Posting, ...]]]:
        """Book the events of one act, as far as somebody goes through them: those that move money, with their lines."""
        ledger = Ledger()
        ledger.in_tokens = self.in_tokens.get(table, {})
        for event in events:
            lines = ledger.post(event)
            if lines:
                yield event, self._add(table, lines)
        if ledger.in_tokens:
            self.in_tokens[table] = ledger.in_tokens
        else:
            self.in_tokens.pop(table, None)

    def _add(self, table: str, lines: Iterable[Posting]) -> tuple[Posting, ...]:
        posted = []
        for account, cents in lines:
            name = self.account(table, account)
            self.balances[name] = self.balances.get(name, 0) + cents
            posted.append((name, cents))
            kind, _, person = account.partition(":")
            if kind in OF_A_PERSON:
                by_table = self.people.setdefault(person, {})
                by_table[table] = by_table.get(table, 0) + cents
        return tuple(posted)

    def account(self, table: str, account: str) -> str:
        """What an account of a table is called in the books."""
        kind, _, name = account.partition(":")
        if kind in OF_A_PERSON:
            return f"tournament:{table}:{name}" if self.tables.get(table) else account
        if account in OF_THE_CASINO and not self.tables.get(table):
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


def is_tournament_account(account: str, person: str) -> bool:
    return account.startswith("tournament:") and account.rpartition(":")[2] == person
