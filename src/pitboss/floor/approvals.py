"""Acts that need two people: the first proposes, the second approves within some minutes, then it is done.

Proposals and answers are entries of the stream `approvals`; which acts need a second person, and whom, is data
(`permissions.TWO_PERSON_ACTS`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.chance import secret_token
from pitboss.floor.account_changes import CLOCK_TOLERANCE_MS
from pitboss.floor.audit import Audit, Note
from pitboss.floor.clock import Clock
from pitboss.floor.host import APPROVED, decode_answer
from pitboss.floor.model import Accepted, Answer, Caller, Denied, NotAllowed, Proposed, Unknown
from pitboss.floor.people import People
from pitboss.floor.permissions import TWO_PERSON_ACTS, Wanted, may, may_second, second_person
from pitboss.floor.refusing import refusal_for
from pitboss.floor.shared_stream import Commits, SharedStream, entry_of
from pitboss.store.log import Entry, NewEntry
from pitboss.table.acts import AnyAct
from pitboss.table.engine import refusal
from pitboss.table.state import Table

EXPIRES_MS = 10 * 60_000
OPEN_MOST = 20
"""Proposals of one person that may wait at once."""
OPEN = ("waiting", "approved")
"""States of a proposal of which more is to come."""
KEPT = 500
"""Answered proposals that are remembered, newest last."""

CarryOut = Callable[[Caller, str, str, AnyAct, str], Awaitable[Answer]]
"""`Floor.approved`: the first person, the table, the command, the act and the moment it is of."""


def moment_of(act: AnyAct, table: Table, rounds: int) -> str:
    """What an act means without saying so, after so many rounds: it is not carried out in another moment.

    "" for an act that means the same at any time.
    """
    second = TWO_PERSON_ACTS.get(type(act).__name__)
    moment = second.moment if second is not None else ""
    if moment == "hand" and table.turn_box:
        return f"{rounds}/{table.turn_box}.{table.turn_hand}/{len(table.hand_to_act().cards)}"
    return str(rounds) if moment else ""


class Proposal(msgspec.Struct, frozen=True):
    """What somebody wants to do, and what became of it."""

    id: str
    table: str
    first: str
    role: str
    command: str
    act: AnyAct
    second: Wanted
    at_ms: int
    expires_ms: int
    state: str = "waiting"
    """waiting, approved (and not carried out yet), done, refused (the rules said no after all) or rejected."""
    by: str = ""
    text: str = ""
    moment: str = ""
    """`moment_of` the act when it was proposed."""

    @property
    def said(self) -> tuple[str, str, str]:
        """Who said it, where, and under which id."""
        return self.first, self.table, self.command

    def state_at(self, now_ms: int) -> str:
        """`state`, or expired where nobody answered in time, or the clock was put back since."""
        over = now_ms >= self.expires_ms or self.at_ms > now_ms + CLOCK_TOLERANCE_MS
        return "expired" if self.state in OPEN and over else self.state


class Answered(msgspec.Struct, frozen=True):
    """A proposal has got this far."""

    id: str
    state: str
    by: str
    text: str = ""


class Approvals(SharedStream):
    """Everything that waits for a second person."""

    stream = "approvals"

    def __init__(self, commits: Commits, clock: Clock, people: People, audit: Audit) -> None:
        super().__init__(commits)
        self._clock = clock
        self._people = people
        self._audit = audit
        self.proposals: dict[str, Proposal] = {}
        self._by_command: dict[tuple[str, str, str], str] = {}

    def apply(self, entry: Entry) -> None:
        if entry.kind == "proposed":
            proposal = msgspec.json.decode(entry.body, type=Proposal)
            self.proposals[proposal.id] = proposal
            if proposal.command:
                self._by_command[proposal.said] = proposal.id
        elif entry.kind == "answered":
            answered = msgspec.json.decode(entry.body, type=Answered)
            found = self.proposals.get(answered.id)
            if found is not None:
                by = answered.by or found.by
                self.proposals[answered.id] = replace(found, state=answered.state, by=by, text=answered.text)
        while len(self.proposals) > KEPT:
            self._forget_one(entry.at_ms)

    def _forget_one(self, now_ms: int) -> None:
        """The oldest; one that still waits for somebody only where all do."""
        over = (each for each in self.proposals.values() if each.state_at(now_ms) not in OPEN)
        forgotten = next(over, None) or next(iter(self.proposals.values()))
        del self.proposals[forgotten.id]
        self._by_command.pop(forgotten.said, None)

    async def end_if_the_clock_went_back(self, now_ms: int, newest_ms: int) -> None:
        """What waited when the log was later than the clock is now could be answered for ever: it is over."""
        if newest_ms <= now_ms + CLOCK_TOLERANCE_MS:
            return

        def decide() -> tuple[list[NewEntry], None]:
            waiting = [each for each in self.proposals.values() if each.state == "waiting"]
            text = "the clock was put back"
            return [entry_of("answered", Answered(each.id, "expired", "", text)) for each in waiting], None

        await self.write(decide, at_ms=now_ms)

    # --- the first person ---

    def wanted(self, act: AnyAct, table: Table, agreed: Mapping[str, int]) -> Wanted | None:
        """The second person whom this act needs, or None."""
        return second_person(act, table, agreed)

    def knows(self, caller: Caller, where: str, command: str) -> bool:
        """Whether this command is a proposal already: said again it is that one, whatever the table is like now."""
        return (caller.name, where, command) in self._by_command

    async def propose(
        self,
        caller: Caller,
        where: str,
        command: str,
        act: AnyAct,
        table: Table,
        rounds: int = 0,
        agreed: Mapping[str, int] = MappingProxyType({}),
    ) -> Answer:
        """Write the proposal down; the same command again is the same proposal, and what the rules refuse is none."""
        if self.knows(caller, where, command):
            same = self.proposals[self._by_command[caller.name, where, command]]
            return Proposed(same.id, _asks(same))
        second = second_person(act, table, agreed)
        if second is None:
            return Denied("nobody else is needed for that.")
        now = self._clock.now_ms()
        proposal = Proposal(
            secret_token(9),
            where,
            caller.name,
            caller.role,
            command,
            act,
            second,
            now,
            now + EXPIRES_MS,
            moment=moment_of(act, table, rounds),
        )
        refused = refusal(table, _approved(act))
        if refused is not None:
            refused = refusal_for(caller, _approved(act), refused, table)

        def decide() -> tuple[list[NewEntry], Answer]:
            own = [each for each in self.proposals.values() if each.first == caller.name]
            same = next((each for each in own if command and each.command == command and each.table == where), None)
            if same is not None:
                return [], Proposed(same.id, _asks(same))
            if refused is not None:
                return [], NotAllowed(where, refused)
            if sum(each.state_at(now) == "waiting" for each in own) >= OPEN_MOST:
                return [], Denied(f"{OPEN_MOST} requests of yours are waiting already.")
            return [entry_of("proposed", proposal)], Proposed(proposal.id, _asks(proposal))

        full = f"{caller.name}/{command}" if command else ""
        answer = await self.write(decide, at_ms=now, by=caller.name, command=full, repeated=decode_answer)
        if isinstance(answer, Denied):
            await self._audit.denied(caller, type(act).__name__, answer, now, table=where)
        return answer

    # --- the second ---

    def listed(self, caller: Caller) -> list[dict[str, Any]] | Denied:
        """Newest first, with what has become of each, and whether this caller may answer it."""
        denied = may(caller, "see-approvals")
        if denied is not None:
            return denied
        now = self._clock.now_ms()
        return [
            {
                "id": each.id,
                "table": each.table,
                "first": each.first,
                "role": each.role,
                "act": msgspec.to_builtins(each.act),
                "wants": each.second.role,
                "reason": each.second.reason,
                "clauses": list(each.second.clauses),
                "at_ms": each.at_ms,
                "expires_ms": each.expires_ms,
                "state": each.state_at(now),
                "by": each.by or None,
                "text": each.text or None,
                "yours": self._may_answer(each, caller, now),
            }
            for each in reversed(self.proposals.values())
        ]

    def _may_answer(self, each: Proposal, caller: Caller, now_ms: int) -> bool:
        """Whether their word is awaited: the second person's, or again that of whoever's word was not carried out."""
        state = each.state_at(now_ms)
        return (state == "waiting" and self._deny_second(each, caller) is None) or (
            state == "approved" and each.by == caller.name
        )

    async def look_back(self) -> None:
        """Whatever was carried out just before a server died is done, and the list says so."""
        for found in [each for each in self.proposals.values() if each.state == "approved"]:
            said = await self._commits.run(self._commits.log.answer, f"{APPROVED}{found.id}")
            if said is not None:
                second = self._people.account(found.by)
                caller = Caller(found.by, second.role if second is not None else "")
                await self._carried_out(found, caller, decode_answer(said), self._clock.now_ms())

    async def answer(self, caller: Caller, proposal: str, approve: bool, carry_out: CarryOut) -> Answer:
        """The second person's word; approving carries the act out in the first one's name.

        Where the table is in another process's hands the answer says so, and the same word is given there again.
        """
        found = self.proposals.get(proposal)
        now = self._clock.now_ms()
        stranger = may(caller, "see-approvals")
        if stranger is not None and (found is None or found.first != caller.name):
            await self._audit.denied(caller, "answer a proposal", stranger, now)
            return stranger
        if found is None:
            return Unknown(f"there is no request {proposal[:40]!r}.")
        denied = self._deny_answer(found, caller, now, approve)
        if denied is not None:
            await self._audit.denied(caller, f"answer proposal {found.id}", denied, now, table=found.table)
            return denied
        if not approve:
            return await self._reject(found, caller, now)
        taken = await self._move(found.id, "waiting", Answered(found.id, "approved", caller.name), now)
        if taken is not None:
            return taken
        first = self._first(found)
        if isinstance(first, Denied):
            await self._audit.denied(caller, f"approve proposal {found.id}", first, now, table=found.table)
            await self._carried_out(found, caller, first, now)
            return first
        answer = await carry_out(first, found.table, f"{APPROVED}{found.id}", _approved(found.act), found.moment)
        if isinstance(answer, (Accepted, NotAllowed, Denied)):
            await self._carried_out(found, caller, answer, now)
        return answer

    def _deny_answer(self, found: Proposal, caller: Caller, now_ms: int, approve: bool) -> Denied | None:
        denied = may(caller, "see-approvals") or self._deny_second(found, caller)
        withdraws = not approve and caller.name == found.first  # one's own may be taken back
        if denied is not None and not withdraws:
            return denied
        state = found.state_at(now_ms)
        if state == "approved" and found.by == caller.name and approve:
            return None  # it could not be carried out at once: once more
        if state != "waiting":
            return Denied(f"this request is {state}.")
        return None

    def _deny_second(self, found: Proposal, caller: Caller) -> Denied | None:
        tables = caller.tables
        if "*" not in tables and found.table not in tables:
            return Denied(f"{caller.name} is not assigned to this table.")
        return may_second(Caller(found.first, found.role), caller, found.second)

    def _first(self, found: Proposal) -> Caller | Denied:
        """The first person as they are now: whoever was disabled or moved meanwhile proposes nothing."""
        account = self._people.account(found.first)
        if account is None or account.disabled or account.role != found.role:
            return Denied(f"{found.first} may no longer ask for this.")
        return Caller(account.name, account.role, "", account.tables)

    async def _move(self, proposal: str, state: str, to: Answered, now_ms: int) -> Denied | None:
        """From one state to the next, unless somebody else was quicker."""

        def decide() -> tuple[list[NewEntry], Denied | None]:
            found = self.proposals[proposal]
            if found.state == to.state and found.by == to.by:
                return [], None
            if found.state != state:
                return [], Denied(f"this request is {found.state}.")
            return [entry_of("answered", to)], None

        return await self.write(decide, at_ms=now_ms, by=to.by)

    async def _reject(self, found: Proposal, caller: Caller, now_ms: int) -> Answer:
        denied = await self._move(found.id, "waiting", Answered(found.id, "rejected", caller.name), now_ms)
        return denied or Proposed(found.id, "rejected: nothing was done.")

    async def _carried_out(self, found: Proposal, caller: Caller, answer: Answer, now_ms: int) -> None:
        if self.proposals[found.id].state != "approved":
            return
        done = isinstance(answer, Accepted)
        text = (
            "" if done else str(answer.refusal) if isinstance(answer, NotAllowed) else str(getattr(answer, "text", ""))
        )
        await self._move(
            found.id, "approved", Answered(found.id, "done" if done else "refused", caller.name, text), now_ms
        )
        what = f"{type(found.act).__name__} of {found.first} approved"
        note = Note(caller.name, caller.role, caller.session, what, found.table, text, found.second.clauses)
        await self._audit.note("approved", note, now_ms)


def _approved(act: AnyAct) -> AnyAct:
    """The act as it is carried out."""
    second = TWO_PERSON_ACTS.get(type(act).__name__)
    return replace(act, **{second.sets: True}) if second is not None and second.sets else act


def _asks(proposal: Proposal) -> str:
    minutes = EXPIRES_MS // 60_000
    who = proposal.second.role.replace("-", " ")
    return f"{proposal.second.reason}: a second person ({who}) has {minutes} minutes to approve."
