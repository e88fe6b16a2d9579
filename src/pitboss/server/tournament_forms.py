"""What the pages of a tournament ask: the conditions item by item, and every act with its fields and its clauses."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from pitboss.floor.model import Caller
from pitboss.floor.tournament_book import BY_TWO, Known, deny
from pitboss.floor.tournament_tables import is_over
from pitboss.papers.lines import word_of
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import TournamentAct
from pitboss.tournament.allowed import clauses_of
from pitboss.tournament.deciding import Case
from pitboss.tournament.paper import asks_for, template
from pitboss.tournament.sessions import DISQUALIFYING, dealt_out, who_plays
from pitboss.tournament.state import APPLIED, ENTERED, OUT, RESERVE, WITHDRAWN

money, text, yes, number, moment, choice = "money", "text", "yes", "number", "moment", "choice"


class AskedField(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of a form."""

    name: str
    kind: str = msgspec.field(name="is")
    """money, text, yes, number, moment, choice, people (some of them), each (the act once for each of them), chips (an
    amount for each), tables or seats."""
    label: str
    options: tuple[str, ...] = ()
    start: Any = None
    optional: bool = False
    clauses: str = ""
    """Which clause asks for it."""


class SectionTold(msgspec.Struct, frozen=True):
    """One table of the conditions."""

    key: str
    label: str
    fields: tuple[AskedField, ...]


class ConditionsForm(msgspec.Struct, frozen=True):
    """What conditions under a rulebook may say: every item of its list with its clause, and what a template has."""

    rulebook: str
    name: str
    manager: str
    """What whoever conducts tournaments is called there."""
    sections: tuple[SectionTold, ...]
    stage: tuple[AskedField, ...]
    start: dict[str, Any]
    toml: str


Asks = tuple[str, str, str, str, tuple[str, ...]]
SECTIONS: tuple[tuple[str, str, tuple[Asks, ...]], ...] = (
    (
        "",
        "The tournament",
        (
            ("title", text, "Title", "", ()),
            ("manager", text, "Who conducts it", "conducted-by nominate", ()),
            ("conducted", text, "By which rules it is conducted, and that they prevail", "conducted-by", ()),
            ("approved", text, "Approved by whom and when", "approve", ()),
            ("start", moment, "Starts", "start", ()),
        ),
    ),
    (
        "entry",
        "Entries",
        (
            ("fee", money, "Entry fee", "entry-fee fee", ()),
            ("commission", money, "Of which commission", "commission", ()),
            ("minimum", number, "Least players", "entry-terms numbers", ()),
            ("maximum", number, "Most players", "entry-terms numbers", ()),
            ("closes", moment, "Entries close", "", ()),
            ("withdraw_until", moment, "Withdrawal without penalty until", "entry-terms", ()),
            ("refund_percent_after", number, "Percent given back after that", "entry-terms", ()),
            ("form", text, "The entry form", "entry-terms", ()),
            ("eligibility", text, "Who is entitled to enter", "eligibility", ()),
            ("may_refuse", yes, "The house may refuse any application", "right-to-refuse", ()),
            ("refusal", text, "The statement that it may", "right-to-refuse", ()),
            ("selects", yes, "The house selects players", "criteria", ()),
            ("criteria", text, "By these criteria", "criteria", ()),
            ("groups", text, "Restrictions on groups", "groups", ()),
            ("agreement", yes, "Players sign the conditions", "agree", ()),
            ("reserves", number, "Reserved players", "reserve", ()),
            ("substitutes", yes, "Substitutes may play", "substitute", ()),
        ),
    ),
    (
        "chips",
        "Tournament chips",
        (
            ("amount", money, "Everybody begins with", "chips", ()),
            ("bought", yes, "Chips are bought", "chips", ()),
            ("price", money, "The buy-in", "buy-in", ()),
            ("cash_value", yes, "Chips have a cash value", "redeem", ()),
            ("inventory", money, "Chips in total", "inventory", ()),
        ),
    ),
    (
        "wagers",
        "Wagers",
        (
            ("compulsory", yes, "A wager on each round is compulsory", "compulsory-wager every-round", ()),
            ("minimum", money, "Minimum wager", "limits", ()),
            ("maximum", money, "Maximum wager", "limits", ()),
            ("perfect_pairs", text, "Perfect Pairs", "perfect-pairs", ()),
            ("seconds", number, "Seconds to wager (0: no limit)", "time-limit pace", ()),
        ),
    ),
    (
        "conduct",
        "Conduct",
        (
            ("seats", choice, "Tables and seats are allotted by", "conduct allocate", ("ballot", "manager")),
            ("players_at_table", number, "Players at a table", "players-per-table", ()),
            ("order", yes, "Players wager in turn, by the marker", "conduct order", ()),
            ("deal_from_marker", yes, "Cards are dealt from the marker", "deal-from-marker", ()),
            ("pass_cards", number, "Pass cards for each", "pass-card", ()),
            ("undisclosed", number, "Undisclosed wagers for each", "undisclosed", ()),
            ("notice_minutes", number, "Minutes of notice of a new start", "move-start", ()),
        ),
    ),
    (
        "buy_back",
        "Buying back",
        (
            ("offered", yes, "Who is eliminated may buy back", "buy-back", ()),
            ("fee", money, "For", "buy-back", ()),
            ("times", number, "How often", "buy-back", ()),
            ("until", text, "Before which stage", "buy-back", ()),
            ("method", text, "How", "buy-back", ()),
        ),
    ),
    (
        "prizes",
        "Prizes",
        (
            ("shares", "numbers", "The pool by places, in parts (50, 30, 20)", "prizes", ()),
            ("payment", text, "How prizes are paid", "prizes", ()),
            ("guarantee", money, "The pool has at least", "guarantee", ()),
            ("reservation", text, "What else the house keeps for itself", "prizes", ()),
        ),
    ),
)
STAGE: tuple[Asks, ...] = (
    ("name", text, "Name", "structure", ()),
    ("kind", choice, "Kind", "structure", ("heat", "repechage", "semi-final", "final")),
    ("tables", number, "Tables", "structure", ()),
    ("rounds", number, "Rounds", "structure", ()),
    ("shoes", number, "Or shoes", "structure", ()),
    ("minutes", number, "Or minutes", "structure", ()),
    ("advance", number, "Advance from each table", "structure", ()),
    ("to", text, "Advance to a stage other than the next", "structure", ()),
    ("start", moment, "Starts", "move-start", ()),
)
ALWAYS = frozenset({"title", "closes", "players_at_table", "notice_minutes", "price", "inventory", "start"})


def conditions_form(book: Rulebook) -> ConditionsForm:
    """The form of a rulebook: what it has no clause for is not asked."""
    toml = template(book)
    sections = []
    for key, label, asks in SECTIONS:
        fields = tuple(_asked(book, asks))
        if fields and (key != "buy_back" or asks_for(book, "buy-back")):
            sections.append(SectionTold(key, label, fields))
    start = msgspec.to_builtins(tomllib.loads(toml))
    who = book.game.tournaments_by.value.replace("-", " ")
    return ConditionsForm(book.id, book.name, who, tuple(sections), tuple(_asked(book, STAGE)), start, toml)


def _asked(book: Rulebook, asks: Iterable[Asks]) -> Iterator[AskedField]:
    for name, kind, label, wants, options in asks:
        clauses = _clauses(book, wants.split())
        if clauses or not wants or name in ALWAYS or _is_general(name):
            yield AskedField(name, kind, label, options, clauses=cite(clauses) if clauses else "")


def _is_general(name: str) -> bool:
    """What every tournament has, whether a list names it or not."""
    return name in (
        "manager", "fee", "minimum", "maximum", "amount", "bought", "compulsory", "seats", "order", "name", "kind",
        "tables", "rounds", "advance", "shares", "payment", "guarantee",
    )  # fmt: skip


def _clauses(book: Rulebook, names: Iterable[str]) -> tuple[str, ...]:
    items, steps = book.tournament.items.value, book.tournament.steps.value
    found = [items.get(name) or steps.get(name, "") for name in names]
    return tuple(dict.fromkeys(each for each in found if each))


# --- acts ------------------------------------------------------------------------------------------------------------


class ActForm(msgspec.Struct, frozen=True):
    """An act that the caller may ask for now, and what its form asks."""

    act: str
    """As in `pay-fee`."""
    group: str
    label: str
    says: str
    clauses: str
    approval: str
    """Why a second person approves it; "" where nobody need."""
    fields: tuple[AskedField, ...]
    main: bool = False
    """Whether it is the next step."""


Fields = tuple[tuple[str, str, str, str], ...]
"""Name, kind, label, and where its options come from."""
FORMS: Mapping[type[TournamentAct], tuple[str, str, tuple[str, ...], Fields]] = {
    ta.GiveCopy: ("Entries", "Give a copy of the conditions", ("copy", "publish"), (("name", text, "To whom", ""),)),
    ta.SignAgreement: ("Entries", "Sign the agreement", ("agree", "enter"), (("name", text, "Who signs", ""),)),
    ta.Apply: ("Entries", "Hand in an entry form", ("enter",), (
        ("name", text, "Player", ""), ("completed", yes, "The form is completed", ""),
        ("entitled", yes, "They may enter the casino and gamble", ""), ("fits", yes, "They meet the criteria", ""),
    )),
    ta.PayFee: ("Entries", "Take the entry fee", ("fee", "pool"), (
        ("name", choice, "Player", APPLIED), ("cents", money, "Amount", "fee"),
    )),
    ta.RefuseEntry: ("Entries", "Refuse an application", ("refuse-entry", "enter"), (
        ("name", choice, "Player", "in"), ("why", text, "Why", ""),
    )),
    ta.WithdrawEntry: ("Entries", "Withdraw an entry", ("withdraw", "refund"), (("name", choice, "Player", "in"),)),
    ta.AddValue: ("Money", "Add value to the prizes", ("add-value", "pool"), (
        ("what", text, "What", ""), ("cents", money, "Worth", ""), ("cash", yes, "It is cash, for the pool", ""),
        ("place", number, "For which place", ""),
    )),
    ta.CommitDraws: ("Entries", "Lay down the draws", ("allocate",), ()),
    ta.DesignateTables: ("Entries", "Designate the tables", ("designate", "players-per-table"), (
        ("tables", "tables", "Tables, one a line, as in: Table 1, 7 boxes; a low-limit table is named so", ""),
    )),
    ta.CloseEntries: ("Entries", "Close the entries", ("enter",), ()),
    ta.CancelTournament: ("Money", "Cancel the tournament", ("cancel",), (("why", text, "Why", ""),)),
    ta.DrawSeats: ("Sessions", "Draw the seats", ("allocate",), (("stage", choice, "Stage", "stages"),)),
    ta.AllotSeats: ("Sessions", "Allot the seats", ("allocate",), (
        ("stage", choice, "Stage", "stages"), ("seats", "seats", "Seats, one player a line", ""),
        ("drawn", yes, "Lots were drawn for them, on paper", ""),
    )),
    ta.MoveStart: ("Sessions", "Move the start of a stage", ("move-start", "publish"), (
        ("stage", choice, "Stage", "stages"), ("start", moment, "New start", ""),
    )),
    ta.OfferSeat: ("Entries", "Offer a seat to a reserved player", ("reserve",), (
        ("name", choice, "Reserved player", RESERVE), ("instead_of", choice, "In place of", ENTERED),
        ("cents", money, "Fee", "fee"),
    )),
    ta.Substitute: ("Entries", "Let a substitute play", ("substitute",), (
        ("name", text, "Substitute", ""), ("instead_of", choice, "In place of", ENTERED),
    )),
    ta.BuyBack: ("Money", "Buy back", ("buy-back",), (
        ("name", choice, "Player", OUT), ("cents", money, "Amount", "buy-back"),
    )),
    ta.ComeToSeat: ("Sessions", "Players take their seats", ("position", "allocate"), (
        ("name", "each", "Who is there", "waiting"),
    )),
    ta.BuyIn: ("Sessions", "Take the buy-in", ("buy-in", "allot"), (
        ("name", "each", "Who buys in", "seated"), ("cents", money, "Amount", "buy-in"),
    )),
    ta.StartSession: ("Sessions", "Start the session", ("allot",), (("stage", choice, "Stage", "stage"),)),
    ta.CancelPosition: ("At the tables", "Cancel a position", ("cancel-position", "absent"), (
        ("name", choice, "Player", "playing"), ("refund", yes, "The fee is given back", ""),
    )),
    ta.Disqualify: ("At the tables", "Disqualify", ("disqualify", "contravention"), (
        ("name", choice, "Player", ENTERED), ("why", text, "Why", ""), ("rule", choice, "For", "breaches"),
    )),
    ta.ConcludeSession: ("At the tables", "Conclude a session", ("count-session", "conclude"), (
        ("table", choice, "Table", "playing-tables"), ("early", yes, "Before its time", ""),
        ("agreed", "people", "Who agrees", "playing"),
    )),
    ta.RedeemChips: ("At the tables", "Redeem chips", ("redeem",), (("name", choice, "Who leaves the table", "gone"),)),
    ta.ReturnChips: ("At the tables", "Take the chips back", ("chips-returned", "inventory"), (
        ("table", choice, "Table", "counted-tables"), ("missing", "missing", "Missing chips", ""),
    )),
    ta.Announce: ("Sessions", "Announce the results of the stage", ("announce", "win"), (
        ("stage", choice, "Stage", "stage"),
    )),
    ta.RaiseDispute: ("At the tables", "Dispute something", ("dispute",), (
        ("name", choice, "Player", ENTERED), ("what", text, "What", ""), ("table", choice, "Table", "tables-or-none"),
    )),
    ta.RuleDispute: ("At the tables", "Decide a dispute", ("dispute",), (
        ("name", choice, "Player", "disputing"), ("ruling", text, "What is decided", ""),
    )),
    ta.GiveBreak: ("Sessions", "Give a break", ("break",), (("minutes", number, "Minutes", ""),)),
    ta.SetPace: ("Sessions", "Set the time to wager", ("pace", "time-limit"), (("seconds", number, "Seconds", ""),)),
    ta.AwardPrizes: ("Money", "Award the prizes", ("pool", "announce"), ()),
}  # fmt: skip
WORDS: Mapping[str, type[TournamentAct]] = {word_of(kind): kind for kind in FORMS}
STARTS: Mapping[str, Any] = {"completed": True, "entitled": True, "fits": True, "cash": True, "place": 1}


def forms_for(known: Known, caller: Caller) -> list[ActForm]:
    """What the caller may ask for as the tournament stands; whether the rules allow it is decided then."""
    found = []
    book, own = known.rulebook, caller.role == "player"
    following = set(next_steps(known))
    for kind, (group, label, steps, asks) in FORMS.items():
        if not _fits(known, kind) or _probe(caller, kind):
            continue
        if own and not _concerns(known, caller.name, kind, asks):
            continue
        fields = tuple(_field(known, *ask) for ask in asks if not (own and ask[0] == "name"))
        if any(each.kind in ("choice", "each") and not each.options and not each.optional for each in fields):
            continue
        says = (kind.__doc__ or "").strip().partition("\n")[0]
        if says.startswith(kind.__name__):
            says = ""
        found.append(
            ActForm(
                word_of(kind), group, label, says, f"{book.name} {cite(clauses_of(book, *steps))}",
                BY_TWO.get(kind, ""), fields, kind in following,
            )
        )  # fmt: skip
    return found


def _concerns(known: Known, name: str, kind: type[TournamentAct], asks: Fields) -> bool:
    """Whether a player may be among those of whom an act can be said now."""
    who = known.state.entrants.get(name)
    if kind is ta.Apply:
        return who is None or who.status == WITHDRAWN
    if kind is ta.SignAgreement:
        return name not in known.state.agreed
    return any(field == "name" and name in _options(known, source) for field, _, _, source in asks)


def _probe(caller: Caller, kind: type[TournamentAct]) -> bool:
    """Whether somebody of this role is denied acts of this kind."""
    asked: Any = {each.name: "" for each in msgspec.structs.fields(kind) if each.required}
    asked["by"] = ""
    if "name" in kind.__struct_fields__:
        asked["name"] = caller.name
    return deny(caller, kind(**asked)) is not None


def next_steps(known: Known) -> Iterator[type[TournamentAct]]:
    """What comes next, in the usual course of a tournament."""
    state, conditions = known.state, known.conditions
    if state.status == "entries":
        if not state.digests:
            yield ta.CommitDraws
        if not state.tables:
            yield ta.DesignateTables
        if state.tables and (state.digests or conditions.conduct.seats == "manager"):
            yield ta.CloseEntries
        yield ta.Apply
        yield ta.PayFee
        return
    if state.status not in ("closed", "playing"):
        return
    sessions = [each for each in state.sessions.values() if each.stage == state.stage]
    if not state.stage:
        draws = ta.DrawSeats if state.digests else ta.AllotSeats
        yield ta.AwardPrizes if conditions.stages[-1].name in state.done else draws
    elif any(each.status == "drawn" for each in sessions):
        yield ta.ComeToSeat
        yield ta.StartSession
    elif any(each.status != "returned" for each in sessions):
        if any(each.status == "playing" and is_over(known, each) for each in sessions):
            yield ta.ConcludeSession
        if any(each.status == "counted" for each in sessions):
            yield ta.ReturnChips
    else:
        yield ta.Announce
    if state.disputes:
        yield ta.RuleDispute


def _fits(known: Known, kind: type[TournamentAct]) -> bool:
    """Whether an act can make sense as things stand: a page shows no others."""
    state, steps, conditions = known.state, known.rulebook.tournament.steps.value, known.conditions
    if state.status in ("ended", "cancelled"):
        return False
    entries, playing = state.status == "entries", bool(state.stage)
    match kind:
        case ta.GiveCopy | ta.Apply | ta.PayFee | ta.CloseEntries:
            return entries
        case ta.RefuseEntry:
            return entries and (conditions.entry.may_refuse or conditions.entry.selects)
        case ta.SignAgreement:
            return entries and conditions.entry.agreement
        case ta.CommitDraws:
            return entries and not state.digests
        case ta.WithdrawEntry:
            return not state.done and all(each.status == "drawn" for each in state.sessions.values())
        case ta.DesignateTables:
            return not playing
        case ta.DrawSeats | ta.AllotSeats:
            between = state.status in ("closed", "playing") and not playing and len(state.done) < len(conditions.stages)
            return between and (bool(state.digests) if kind is ta.DrawSeats else _allots(known))
        case ta.OfferSeat:
            return "reserve" in steps
        case ta.Substitute:
            return "substitute" in steps and conditions.entry.substitutes is not False
        case ta.BuyBack:
            return bool(conditions.buy_back.offered)
        case ta.BuyIn:
            return bool(conditions.chips.bought)
        case ta.RedeemChips:
            return conditions.chips.cash_value
        case ta.CancelPosition:
            return "cancel-position" in steps
        case ta.AwardPrizes:
            return bool(conditions.stages) and conditions.stages[-1].name in state.done
        case ta.RuleDispute:
            return bool(state.disputes)
        case ta.StartSession | ta.Announce:
            now = {each.status for each in state.sessions.values() if each.stage == state.stage}
            return playing and ("drawn" in now if kind is ta.StartSession else now == {"returned"})
        case ta.GiveBreak | ta.SetPace | ta.RaiseDispute:
            return playing
    return True


def _allots(known: Known) -> bool:
    """Whether the manager may write down who sits where: they allot it, or lots were drawn on paper."""
    return known.conditions.conduct.seats == "manager" or not known.state.digests


def _seats_to_allot(known: Known) -> str:
    """Everybody who plays in the next stage, one a line, with a seat to begin with."""
    case = Case(known.rulebook, known.state)
    stage = next((each for each in known.conditions.stages if each.name not in known.state.done), None)
    if stage is None or not known.state.tables:
        return ""
    found = dealt_out(case, stage, who_plays(case, stage))
    return "\n".join(f"{name}: {table}, {box}" for name, (table, box) in found.items())


def _field(known: Known, name: str, kind: str, label: str, source: str) -> AskedField:
    start = STARTS.get(name)
    if kind == "seats":
        start = _seats_to_allot(known)
    if name == "drawn":
        start = known.conditions.conduct.seats == "ballot"
    if kind == money and source:
        start = _usual(known, source)
        source = ""
    options = tuple(_options(known, source)) if source else ()
    optional = source == "tables-or-none" or kind in ("people", "missing")
    if len(options) == 1 and start is None and kind == choice and not optional:
        start = options[0]
    return AskedField(name, kind, label, options, start, optional)


def _usual(known: Known, source: str) -> int | None:
    c = known.conditions
    return {"fee": c.entry.fee_cents, "buy-in": c.chips.price_cents, "buy-back": c.buy_back.fee_cents}.get(source)


def _options(known: Known, source: str) -> Iterator[str]:
    state, conditions = known.state, known.conditions
    now = [each for each in state.sessions.values() if each.stage == state.stage and state.stage]
    if source in (APPLIED, RESERVE, ENTERED, OUT):
        yield from (each.name for each in state.entrants.values() if each.status == source)
    elif source == "in":
        yield from (each.name for each in state.entrants.values() if each.status in (APPLIED, RESERVE, ENTERED))
    elif source in ("waiting", "seated"):
        names = [name for each in now if each.status == "drawn" for name in each.seats.values()]
        yield from (name for name in names if state.entrants[name].seated == (source == "seated"))
    elif source == "playing":
        yield from (name for each in now if each.status == "playing" for name in each.playing)
    elif source == "gone":
        yield from (name for each in now if not each.play_off for name in each.left if name not in each.playing)
    elif source == "disputing":
        yield from state.disputes
    elif source == "stage":
        yield from (state.stage,) if state.stage else ()
    elif source == "stages":
        yield from (each.name for each in conditions.stages if each.name not in (*state.done, state.stage))
    elif source == "breaches":
        steps = known.rulebook.tournament.steps.value
        yield from (each for each in DISQUALIFYING if each in steps)
    elif source in ("tables", "tables-or-none"):
        yield from (each.table for each in now if each.status in ("playing", "over"))
    elif source.endswith("-tables"):
        yield from (each.table for each in now if each.status == source.removesuffix("-tables"))
