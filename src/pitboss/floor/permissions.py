"""Who may ask for what: every role against every act, from data, and whatever is not listed is denied.

The rulebooks' terms say which of the house's people a clause wants (`limits.changed_by`, `irregularities.void_by`);
here they are only named. The engine asks the same terms again, so a slip here lets nobody do what the rules forbid.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from pitboss.basics.money import dollars
from pitboss.floor.bots import is_bot
from pitboss.floor.model import FLOOR_ROLES, Caller, Denied
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.meanings import HAS_TOURNAMENTS, HOUSE_CUTTER, INSPECTOR_APPROVES_FACE_DOWN
from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import acts as a
from pitboss.table.acts import ORIGINAL, AnyAct
from pitboss.table.authority import RUNS_TOURNAMENTS, in_charge, in_charge_ever, term_at
from pitboss.table.declaring import DECLARED, Rule, Second
from pitboss.table.roles import may_act
from pitboss.table.state import Table
from pitboss.table.views import SEES_PRIVATE

AT_THE_TABLE: Mapping[str, str] = MappingProxyType(
    {
        "dealer": "dealer",
        "gaming-supervisor": "gaming-supervisor",
        "supervisor": "casino-supervisor",
        "gaming-manager": "gaming-manager",
        "tournament-manager": RUNS_TOURNAMENTS,
        "inspector": "inspector",
    }
)
"""As whom an account's role acts at a table. A tournament manager does so at tournament tables only."""

EVERY_TABLE = "*"

HOUSE_CUTTERS: Mapping[str, str] = MappingProxyType({word: role for role, word in HOUSE_CUTTER.items()})
"""Words that stand for the house where no player cuts, and whose hand it then is."""


RULES: Mapping[str, Rule] = MappingProxyType({name: said.may for name, said in DECLARED.items()})
"""Every act, once. What is missing here nobody may do."""

TOURNAMENT_ACTS = frozenset(name for name, said in DECLARED.items() if said.tournament)
"""Whoever runs a tournament allots tables and boxes, disqualifies, and concludes a session: at tournament tables, and
only under a rulebook that knows such a person (`game.tournaments_by`), whatever it calls them."""
BY_THE_HOUSE_ONLY = "the floor itself does that, and nobody by hand."


# --- what a rulebook says --------------------------------------------------------------------------------------------


def _needed(rule: Rule, act: AnyAct, table: Table) -> tuple[str, tuple[str, ...]]:
    """The least role for an act at this table, and the clauses that say so."""
    term = in_charge(table, act)
    return rule.needs or term.value or "nobody", term.clauses  # a game without a jackpot names nobody for it


def _needed_in_general(rule: Rule, act: AnyAct, table: Table) -> str:
    """The same for those who may not know how somebody else is restricted, or how far a dispute of theirs has come."""
    return in_charge_ever(rule, table.rulebook)[0] if rule.private else _needed(rule, act, table)[0]


# --- two people ------------------------------------------------------------------------------------------------------

LARGE_CENTS = 1_000_000
"""A maximum from here on is a second person's business too."""
LARGE_TIMES = 5
"""So is one that is so many times what stood on the sign, or what was last agreed on by two people or opened with."""


class Wanted(msgspec.Struct, frozen=True):
    """Why a second person has to approve an act, and who that may be."""

    role: str
    """casino-supervisor, gaming-manager (one of the two must be one) or inspector (the second must be one)."""
    reason: str
    clauses: tuple[str, ...] = ()


TWO_PERSON_ACTS: Mapping[str, Second] = MappingProxyType(
    {name: said.second for name, said in DECLARED.items() if said.second is not None}
)
"""Acts that can need a second person; behind it stands the term of the act's own rule. `second_person` says when."""


def second_person(act: AnyAct, table: Table, agreed: Mapping[str, int] = MappingProxyType({})) -> Wanted | None:
    """The second person whom this act at this table needs, or None where one person's word is enough.

    `agreed`: the maxima that two people, or the opening, have set, by kind of wager; small steps are measured by them.
    """
    name = type(act).__name__
    found = TWO_PERSON_ACTS.get(name)
    if found is None or not _wants_a_second(found, act, table, agreed):
        return None
    if found.if_said and getattr(act, found.if_said):
        role, reason, path = found.then
        return Wanted(role, reason, term_at(table.rulebook, path).clauses)
    return Wanted(found.role, found.reason, term_at(table.rulebook, RULES[name].term).clauses)


def _wants_a_second(second: Second, act: AnyAct, table: Table, agreed: Mapping[str, int]) -> bool:
    asked: Any = act
    if second.only_if and not getattr(asked, second.only_if):
        return False
    match second.when:
        case "always":
            return True
        case "inspector-approval":
            term = term_at(table.rulebook, RULES[type(act).__name__].term)
            return INSPECTOR_APPROVES_FACE_DOWN[term.value]
        case "large-maximum":
            kind = getattr(asked, "kind", ORIGINAL)
            most = table.house.maximum_cents
            stood = agreed.get(ORIGINAL, most)
            if kind != ORIGINAL:
                most = table.house.side_limits.get(kind, (0, most))[1]
                stood = agreed.get(kind, stood)
            return _is_large(asked.maximum_cents, most, min(most, stood))
        case unknown:
            assert_never(unknown)


def _is_large(cents: int, before_cents: int, least_cents: int) -> bool:
    return cents > before_cents and (cents >= LARGE_CENTS or cents >= LARGE_TIMES * least_cents)


def may_second(first: Caller, second: Caller, wanted: Wanted) -> Denied | None:
    """Why this person may not be the second, or None if they may."""
    if second.name == first.name:
        return Denied("you can't approve your own request; a second person approves it.", wanted.clauses)
    role = AT_THE_TABLE.get(second.role, "")
    if wanted.role == "inspector":
        fits = role == "inspector"
    else:
        fits = may_act(role, "casino-supervisor") and second.role != "tournament-manager"
        if wanted.role == "gaming-manager":
            fits = fits and "gaming-manager" in (first.role, second.role)
    if not fits:
        return Denied(f"{the_role(wanted.role)} approves this, not {_article(second.role)}.", wanted.clauses)
    return None


# --- the question ----------------------------------------------------------------------------------------------------


def denial(
    caller: Caller | None, act: AnyAct, table: Table, *, where: str = "", dealt_by: str = "person"
) -> Denied | None:
    """Why this caller may not even ask for the act, or None if the engine is to decide.

    `where` is the table's id (people are posted to tables), `dealt_by` is "house" at a table that deals by itself.
    """
    name = type(act).__name__
    rule = RULES.get(name)
    if caller is None:
        return Denied("nobody acts at a table without logging in.")
    if rule is None:
        return Denied(f"nobody may ask for {name}.")
    if caller.role == "house":
        return None if rule.house_too or _is_bot_act(act, rule) else Denied(f"the house does not do {name} by itself.")
    if caller.role not in FLOOR_ROLES:
        return Denied(f"there is no role {caller.role!r}.")
    if caller.role == "administrator":
        return Denied("an administrator looks after accounts and does nothing at a table.")
    if rule.who == "house":
        return Denied(BY_THE_HOUSE_ONLY, term_at(table.rulebook, rule.term).clauses)
    if where and EVERY_TABLE not in caller.tables and where not in caller.tables:
        return Denied(f"{caller.name} is not assigned to this table.")
    if caller.role == "player":
        return _deny_player(caller, act, rule, table, dealt_by)
    if caller.role == "tournament-manager":
        return _deny_tournament_manager(name, table)
    return _deny_staff(caller, act, rule, table, dealt_by)


def not_for_the_house(act: AnyAct, bots: Collection[str]) -> Denied | None:
    """Why the floor itself does not do a player's act: it plays its own bots (of this table), and for people it says
    only what the rules have for those who say nothing."""
    rule = RULES[type(act).__name__]
    if rule.who != "player" or rule.house_too or getattr(act, "player", "") in bots:
        return None
    return Denied("the house plays its own bots, and decides nothing for anybody else.")


def _is_bot_act(act: AnyAct, rule: Rule) -> bool:
    """The floor plays its own bots: their names are nobody's."""
    return rule.who == "player" and is_bot(getattr(act, "player", ""))


def _deny_player(caller: Caller, act: AnyAct, rule: Rule, table: Table, dealt_by: str) -> Denied | None:
    if rule.who != "player":
        needed = rule.needs or _needed_in_general(rule, act, table)
        return Denied(f"{the_role(needed)} does that, not a player.", term_at(table.rulebook, rule.term, act).clauses)
    if getattr(act, "player", "") != caller.name:
        return Denied("a player acts in their own name only.", term_at(table.rulebook, rule.term, act).clauses)
    if isinstance(act, a.PlaceWager) and act.unnoticed:
        return Denied("a wager is placed within the sign.", table.rulebook.limits.sign.clauses)
    if isinstance(act, (a.BuyChips, a.ChangeColour)) and dealt_by != "house":
        return Denied("chips come from the dealer.", term_at(table.rulebook, rule.term, act).clauses)
    return None


def _deny_tournament_manager(name: str, table: Table) -> Denied | None:
    term = table.rulebook.game.tournaments_by
    if name not in TOURNAMENT_ACTS:
        return Denied("that is not for a tournament manager to do.", term.clauses)
    if not table.house.tournament:
        return Denied("a tournament manager acts at tournament tables only.", term.clauses)
    if not HAS_TOURNAMENTS[term.value]:
        return Denied(f"{table.rulebook.name} knows no tournament manager.", term.clauses)
    return None


def _deny_staff(caller: Caller, act: AnyAct, rule: Rule, table: Table, dealt_by: str) -> Denied | None:
    role = AT_THE_TABLE[caller.role]
    if rule.who == "player":
        return _deny_for_a_player(caller, act, rule, table, dealt_by)
    needed, clauses = _needed(rule, act, table)
    if needed != "nobody" and not may_act(role, needed):  # what the rules let nobody do, the engine refuses itself
        return Denied(f"{the_role(needed)} may do that, not {_article(caller.role)}.", clauses)
    if needed == "nobody" and not may_act(role, "casino-supervisor"):
        return Denied(f"that is not for {_article(caller.role)} to ask.", clauses)
    if caller.role == "dealer" and dealt_by == "house":
        return Denied("this table deals by itself.", clauses)
    return None


def _deny_for_a_player(caller: Caller, act: AnyAct, rule: Rule, table: Table, dealt_by: str) -> Denied | None:
    """Staff decide nothing for a player; they cut for the house, change money and show people to their seats."""
    clauses = term_at(table.rulebook, rule.term, act).clauses
    role = AT_THE_TABLE[caller.role]
    player = getattr(act, "player", "")
    if isinstance(act, a.TakeSeat) and is_bot(player):
        return Denied("bots sit down by themselves, at a table that was opened with them.", clauses)
    if isinstance(act, a.Cut) and player in HOUSE_CUTTERS:
        if not may_act(role, HOUSE_CUTTERS[player]):
            return Denied(f"{the_role(HOUSE_CUTTERS[player])} cuts here, not {_article(caller.role)}.", clauses)
    elif not rule.staff_too:
        return Denied("that is the player's own decision, and nobody makes it for them.", clauses)
    elif not may_act(role, rule.staff_too):
        return Denied(f"{the_role(rule.staff_too)} may do that for a player, not {_article(caller.role)}.", clauses)
    if caller.role == "dealer" and dealt_by == "house":
        return Denied("this table deals by itself.", clauses)
    return None


def _article(role: str) -> str:
    return ("an " if role[0] in "aeiou" else "a ") + role.replace("-", " ")


def as_caller(caller: Caller, act: AnyAct) -> AnyAct:
    """The act under the caller's own role; a player who names nobody speaks of themselves."""
    changes: dict[str, Any] = {}
    if caller.role == "house":
        return act
    if "by" in act.__struct_fields__:
        changes["by"] = AT_THE_TABLE.get(caller.role, caller.role)
    if caller.role == "player" and getattr(act, "player", None) == "":
        changes["player"] = caller.name
    return replace(act, **changes) if changes else act


# --- the floor besides its tables ------------------------------------------------------------------------------------

SUPERVISORS = ("gaming-supervisor", "supervisor")
"""Accounts that look after games: whoever does so at the table itself, and the casino supervisors above them."""

OPERATIONS: Mapping[str, tuple[frozenset[str], str]] = MappingProxyType(
    {
        "watch-table": (frozenset(FLOOR_ROLES), "see tables as everybody at them does"),
        "see-private": (SEES_PRIVATE, "see what players won, their chips and limits"),
        "see-past": (frozenset({*SUPERVISORS, "gaming-manager", "inspector"}), "see any table at any past event"),
        "search-log": (frozenset({*SUPERVISORS, "gaming-manager", "inspector"}), "search the log"),
        "export-log": (frozenset({"inspector"}), "export the log"),
        "see-head": (frozenset(FLOOR_ROLES), "download the signed checkpoint of the log"),
        "open-table": (frozenset({*SUPERVISORS, "gaming-manager", "tournament-manager"}), "open a table"),
        "close-table": (frozenset({*SUPERVISORS, "gaming-manager", "tournament-manager"}), "close a table"),
        "post-people": (frozenset({*SUPERVISORS, "gaming-manager", "administrator"}), "assign people to tables"),
        "see-accounts": (
            frozenset({"administrator", *SUPERVISORS, "gaming-manager", "inspector"}),
            "see who has an account",
        ),
        "change-accounts": (frozenset({"administrator"}), "create, change and disable accounts"),
        "approve-accounts": (
            frozenset({"administrator", "gaming-manager", "inspector"}),
            "approve changes of accounts that another asked for",
        ),
        "see-audit": (frozenset({"administrator", "gaming-manager", "inspector"}), "read the audit"),
        "see-alarms": (
            frozenset({"dealer", *SUPERVISORS, "gaming-manager", "tournament-manager", "inspector", "administrator"}),
            "see which alarms ring",
        ),
        "see-ledger": (
            frozenset({*SUPERVISORS, "gaming-manager", "inspector"}),
            "see the accounts of the house, of its tables and of people",
        ),
        "see-reports": (
            frozenset({*SUPERVISORS, "gaming-manager", "inspector"}),
            "read drop, win and hold beside what was expected",
        ),
        "leave-handover": (frozenset({*SUPERVISORS, "gaming-manager"}), "leave a note for the next shift"),
        "see-inbox": (
            frozenset({*SUPERVISORS, "gaming-manager", "inspector"}),
            "see the inbox and disputes",
        ),
        "pace-table": (
            frozenset({"dealer", *SUPERVISORS, "gaming-manager"}),
            "have every card and payment confirmed at a table, and confirm them",
        ),
        "see-registers": (
            frozenset({*SUPERVISORS, "gaming-manager", "inspector"}),
            "read the registers and notices",
        ),
        "see-promotions": (frozenset(FLOOR_ROLES), "see promotions, and their own part in them"),
        "see-promotion-records": (
            frozenset({*SUPERVISORS, "gaming-manager", "inspector"}),
            "see who takes part in promotions, and the record of them",
        ),
        "act-in-promotions": (
            frozenset({"player", "dealer", *SUPERVISORS, "gaming-manager"}),
            "act in a promotion",
        ),
        "see-approvals": (
            frozenset({*SUPERVISORS, "gaming-manager", "inspector"}),
            "see requests for a second person, and answer them",
        ),
        "train": (frozenset(FLOOR_ROLES), "train as a dealer"),
        "see-trainees": (frozenset({*SUPERVISORS, "gaming-manager"}), "see everybody's training results"),
        "see-patrons": (
            frozenset({*SUPERVISORS, "gaming-manager", "inspector"}),
            "look up a patron's file",
        ),
        "ask-erasure": (
            frozenset({"supervisor", "gaming-manager", "inspector"}),
            "request the erasure of a person's file",
        ),
        "answer-erasure": (
            frozenset({"gaming-manager", "inspector"}),
            "approve the erasure of a person's file",
        ),
        "set-retention": (frozenset({"gaming-manager"}), "set how long people's files are kept"),
        "replay": (frozenset(FLOOR_ROLES), "replay a record"),
        "run-tournaments": (frozenset({"tournament-manager"}), "run tournaments"),
        "see-tournament": (frozenset(FLOOR_ROLES), "see who plays in a tournament, and where they stand"),
        "see-tournament-papers": (
            frozenset({"dealer", *SUPERVISORS, "gaming-manager", "tournament-manager", "inspector"}),
            "see what was done in a tournament, and print its papers",
        ),
    }
)
"""What can be asked of the floor besides acts: the roles that may, and what it is. Default deny here too."""


POSTED_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "gaming-supervisor": frozenset({"player", "dealer"}),
        "supervisor": frozenset({"player", "dealer", "gaming-supervisor"}),
        "gaming-manager": frozenset({"player", "dealer", *SUPERVISORS, "tournament-manager"}),
        "administrator": frozenset({"gaming-manager", "inspector"}),
    }
)
"""Whom each role posts to tables: those below it; who looks over its shoulder is posted by the administrator."""


def may_post(
    caller: Caller, name: str, role: str, tables: tuple[str, ...], posted: tuple[str, ...] = ()
) -> Denied | None:
    """Why this caller may not post somebody there: nobody posts themselves, or to tables that are not theirs."""
    if name == caller.name:
        return Denied("you can't assign yourself; ask another person.")
    if role not in POSTED_BY.get(caller.role, ()):
        return Denied(f"{_article(caller.role)} does not assign {_article(role)} to tables.")
    changed = set(tables) ^ set(posted)
    if EVERY_TABLE not in caller.tables and not changed <= set(caller.tables):
        return Denied(f"{caller.name} assigns people to their own tables only.")
    return None


def may(caller: Caller | None, operation: str, *, tournament: bool = False, where: str = "") -> Denied | None:
    """Why this caller may not do a floor operation, or None if they may.

    `tournament`: the table is a tournament table; a tournament manager opens and closes no others. `where`: the table's
    id, where the operation changes one; whoever is not posted there does not.
    """
    if caller is None:
        return Denied("log in first.")
    roles, words = OPERATIONS.get(operation, (frozenset(), f"do {operation}"))
    if caller.role == "house":
        return None if operation in ("watch-table", "open-table", "close-table") else Denied(f"may not {words}.")
    if caller.role not in roles:
        who = " or ".join(role.replace("-", " ") for role in FLOOR_ROLES if role in roles) or "nobody"
        return Denied(f"{who} may {words}, not {_article(caller.role)}.")
    if caller.role == "tournament-manager" and operation in ("open-table", "close-table") and not tournament:
        return Denied("a tournament manager opens and closes tournament tables only.")
    if where and caller.role != "house" and EVERY_TABLE not in caller.tables and where not in caller.tables:
        return Denied(f"{caller.name} is not assigned to this table.")
    return None


# --- the matrix ------------------------------------------------------------------------------------------------------

CELLS = ("own", "yes", "approval", "no")


def cell(role: str, name: str, book: Rulebook) -> str:
    """One cell: own (in their own name), yes, approval (with a second person, at least in some cases), or no."""
    rule = RULES[name]
    if role == "administrator" or rule.who == "house":
        return "no"
    if role == "player":
        return "own" if rule.who == "player" else "no"
    if role == "tournament-manager":
        if name not in TOURNAMENT_ACTS or not HAS_TOURNAMENTS[book.game.tournaments_by.value]:
            return "no"
        if rule.who == "staff" and set(in_charge_ever(rule, book)) == {"nobody"}:
            return "no"  # what the rules let nobody do
        return "approval" if name in TWO_PERSON_ACTS else "yes"
    at_table = AT_THE_TABLE[role]
    if rule.who == "player":
        cuts = name == "Cut" and any(may_act(at_table, needed) for needed in HOUSE_CUTTERS.values())
        return "yes" if cuts or (rule.staff_too and may_act(at_table, rule.staff_too)) else "no"
    if not any(may_act(at_table, needed) for needed in in_charge_ever(rule, book)):
        return "no"
    return "approval" if name in TWO_PERSON_ACTS else "yes"


def matrix(rulebook: str | Rulebook) -> dict[str, dict[str, str]]:
    """Role, act, cell under one rulebook."""
    book = load(rulebook) if isinstance(rulebook, str) else rulebook
    return {role: {name: cell(role, name, book) for name in RULES} for role in FLOOR_ROLES}


@functools.cache
def widest() -> Mapping[str, Mapping[str, str]]:
    """Role, act, cell: the most that any of the rulebooks gives; whoever asks has all of them read."""
    each = [matrix(rulebook) for rulebook in RULEBOOKS]
    return MappingProxyType(
        {
            role: MappingProxyType({name: min((one[role][name] for one in each), key=CELLS.index) for name in RULES})
            for role in FLOOR_ROLES
        }
    )


def two_person_rules() -> list[dict[str, str]]:
    """When a second person is wanted, for the manual and the browser."""
    large = f"{dollars(LARGE_CENTS)}, or {LARGE_TIMES} times the sign or what two people last agreed on"
    when = {
        "always": "always",
        "large-maximum": f"a maximum of {large}",
        "inspector-approval": "where the rulebook needs an inspector's approval",
    }
    return [
        {"act": name, "second": second.role, "reason": second.reason, "when": when[second.when]}
        for name, second in TWO_PERSON_ACTS.items()
    ]
