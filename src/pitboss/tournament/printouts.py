"""What a tournament prints: seating slips, score sheets, results, the prize list, and the regulator's file.

Each is rows for other programs (CSV) and a page that prints well; a page loads nothing from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

import msgspec

from pitboss.basics.money import dollars, plain_dollars
from pitboss.papers.lines import word_of
from pitboss.papers.sheets import Row, csv_of, without_clauses
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.tournament.acts import TournamentAct
from pitboss.tournament.events import (
    PlaceAwarded,
    PlayOffDue,
    RoundCorrected,
    RoundReported,
    SeatsDrawn,
    TournamentEvent,
)
from pitboss.tournament.paper import printed
from pitboss.tournament.records import tell
from pitboss.tournament.state import ENTERED, OUT, Entrant, InPlay, Tournament

BOT = "bot-"
PLACED = "placed"
BLANK_ROUNDS = 20
"""Lines of a score sheet where a session is measured otherwise than in rounds."""
STYLE = """
body{font:1rem/1.4 system-ui,sans-serif;margin:2rem;color:#000;background:#fff}
h1{font-size:1.5rem;margin:0 0 .2rem}h2{font-size:1.15rem;margin:1.4rem 0 .4rem}
table{border-collapse:collapse;margin:.6rem 0;width:100%}
td,th{border:1px solid #777;padding:.25rem .5rem;text-align:left;vertical-align:top}
td.n,th.n{text-align:right}
.slips{display:grid;grid-template-columns:1fr 1fr;gap:0}
.slip{border:1px dashed #777;padding:1rem 1.2rem;break-inside:avoid}
.slip b{font-size:1.6rem;display:block}.slip p{margin:.1rem 0}
.sheet{break-after:page}.sheet td{height:1.9rem}
.sign{margin-top:2.5rem;display:flex;gap:3rem}.sign span{border-top:1px solid #000;flex:1;padding-top:.2rem}
small{color:#444;white-space:nowrap}li{margin:.15rem 0}
@media print{body{margin:0}}
"""


class Happened(msgspec.Struct, frozen=True):
    """One act of a tournament with what came of it, when, and by whom."""

    number: int
    when: str
    by: str
    table: str
    act: TournamentAct
    events: tuple[TournamentEvent, ...]


class Printed(msgspec.Struct, frozen=True):
    """What is printed of: the rules, where everybody stands, and all that happened."""

    rulebook: Rulebook
    state: Tournament
    happened: tuple[Happened, ...] = ()

    @property
    def title(self) -> str:
        return self.state.conditions.title if self.state.conditions is not None else ""


def called(name: str) -> str:
    """A player as people read it: the house's own without the word for them."""
    return name.removeprefix(BOT).replace("-", " ").title() if name.startswith(BOT) else name


# --- rows ------------------------------------------------------------------------------------------------------------


def _people(what: Printed) -> list[Entrant]:
    return sorted(what.state.entrants.values(), key=lambda each: (each.place or 10**6, each.number))


def _on(what: Printed) -> list[InPlay]:
    """The sessions of the stage that is on; those of the last one where none is."""
    sessions = list(what.state.sessions.values())
    stage = what.state.stage or (sessions[-1].stage if sessions else "")
    return [each for each in sessions if each.stage == stage]


def _seated(what: Printed) -> list[InPlay]:
    """The sessions that are about to begin; where none is, those of the stage."""
    sessions = _on(what)
    return [each for each in sessions if each.status == "drawn"] or [each for each in sessions if not each.play_off]


def _boxes(session: InPlay) -> list[tuple[int, str]]:
    """Who has which box, but for those whose seat is taken from them."""
    return [(box, name) for box, name in sorted(session.seats.items()) if name not in session.gone]


def _named(session: InPlay) -> str:
    return f"{session.stage}, play-off" if session.play_off else session.stage


def slip_rows(what: Printed) -> Iterator[Row]:
    yield ("player", "stage", "table", "box")
    for session in _seated(what):
        for box, name in _boxes(session):
            yield (called(name), _named(session), session.table, str(box))


def score_rows(what: Printed) -> Iterator[Row]:
    yield ("stage", "table", "round", "box", "player", "chips")
    for session, rounds in _scores(what):
        for number, chips in sorted(rounds.items()):
            for box, name in sorted(session.seats.items()):
                if name in chips:
                    row = (str(number), str(box), called(name), plain_dollars(chips[name]))
                    yield (_named(session), session.table, *row)


def _scores(what: Printed) -> list[tuple[InPlay, dict[int, dict[str, int]]]]:
    """What lay in front of everybody after each round: of the stage that is on, and of all once the last is over."""
    found: dict[tuple[str, str], list[dict[int, dict[str, int]]]] = {}
    stage = ""
    for step in what.happened:
        for event in step.events:
            if isinstance(event, SeatsDrawn):
                stage = event.stage
            elif isinstance(event, PlayOffDue):
                found.setdefault((stage, event.table), [{}]).append({})
            elif isinstance(event, RoundReported):
                found.setdefault((stage, event.table), [{}])[-1][event.number] = event.chips
            elif isinstance(event, RoundCorrected):
                found.setdefault((stage, event.table), [{}])[-1].setdefault(event.number, {}).update(event.chips)
    over = what.state.status in ("ended", "cancelled")
    sheets: list[tuple[InPlay, dict[int, dict[str, int]]]] = []
    for each in list(what.state.sessions.values()) if over else _on(what):
        rounds = found.get((each.stage, each.table), [])
        before = sum((one.stage, one.table) == (each.stage, each.table) for one, _ in sheets)
        sheets.append((each, rounds[before] if before < len(rounds) else {}))
    return sheets


def result_rows(what: Printed) -> Iterator[Row]:
    yield ("place", "player", "result", "last stage", "prize")
    for each in _people(what):
        result = PLACED if each.place and each.status in (ENTERED, OUT) else each.status
        prize = plain_dollars(each.prize_cents) if each.prize_cents else ""
        yield (str(each.place or ""), called(each.name), result, each.out_stage, prize)


def prize_rows(what: Printed) -> Iterator[Row]:
    awarded = [event for step in what.happened for event in step.events if isinstance(event, PlaceAwarded)]
    goods = {event.name: event.goods for event in awarded if event.goods}
    yield ("place", "player", "prize", *(("goods and services",) if goods else ()))
    for each in _people(what):
        also = "; ".join(goods.get(each.name, ()))
        if each.prize_cents or also:
            prize = plain_dollars(each.prize_cents) if each.prize_cents else ""
            yield (str(each.place), called(each.name), prize, *((also,) if goods else ()))


def regulator_rows(what: Printed) -> Iterator[Row]:
    yield ("act", "when", "by", "at", "what was done", "clauses", "what happened")
    for step in what.happened:
        done = word_of(type(step.act)).replace("-", " ")
        for event in step.events:
            told = without_clauses(tell(event, what.rulebook))
            yield (str(step.number), step.when, step.by, step.table, done, cite(event.clauses), told)


def account_rows(what: Printed) -> Iterator[Row]:
    yield ("account", "kind", "balance")
    for kind, accounts in (("money", what.state.accounts), ("chips", what.state.chip_accounts)):
        for account, cents in sorted(accounts.items()):
            yield (account, kind, _signed(cents))


def _signed(cents: int) -> str:
    return f"-{plain_dollars(-cents)}" if cents < 0 else plain_dollars(cents)


def by_clause(what: Printed) -> dict[str, list[int]]:
    """Of each clause, the acts of which something came under it."""
    found: dict[str, list[int]] = {}
    for step in what.happened:
        for event in step.events:
            for clause in event.clauses:
                numbers = found.setdefault(clause, [])
                if not numbers or numbers[-1] != step.number:
                    numbers.append(step.number)
    return found


# --- pages -----------------------------------------------------------------------------------------------------------


def _page(what: Printed, heading: str, body: str) -> str:
    under = f"{what.rulebook.name}, edition {what.rulebook.edition[:12]}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">'
        f"<title>{escape(heading)}: {escape(what.title)}</title><style>{STYLE}</style></head>"
        f"<body><h1>{escape(what.title)}</h1>"
        f"<p>{escape(heading)}. {escape(under)}</p>{body}</body></html>\n"
    )


def _table(rows: Sequence[Row]) -> str:
    head, *others = rows
    columns = "".join(f'<th scope="col">{escape(each.capitalize())}</th>' for each in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>" for row in others)
    return f"<table><thead><tr>{columns}</tr></thead><tbody>{lines}</tbody></table>"


def slips(what: Printed) -> str:
    """One slip for each player, to be cut out."""
    conditions, parts = what.state.conditions, list[str]()
    assert conditions is not None
    chips = plain_dollars(conditions.chips.amount_cents or 0)
    for session in _seated(what):
        stage = conditions.stage(session.stage)
        least, most = conditions.limits(stage, 1) if stage is not None else (0, 0)
        start = stage.start if stage is not None and not session.play_off else None
        if start is None and session.stage == conditions.stages[0].name and not session.play_off:
            start = conditions.start
        when = f"{start:%d %B %Y, %H:%M}" if start is not None else ""
        limits = f"wagers from {plain_dollars(least)} to {plain_dollars(most)}"
        says = limits.capitalize() if session.play_off else f"{chips} in chips; {limits}"
        for box, name in _boxes(session):
            parts.append(
                f'<div class="slip"><p>{escape(conditions.title)}</p><b>{escape(called(name))}</b>'
                f"<p>{escape(_named(session).capitalize())}{escape(f', {when}' if when else '')}</p>"
                f"<b>{escape(session.table)}, box {box}</b>"
                f"<p>{says}</p></div>"
            )
    return _page(what, "Seating slips", f'<div class="slips">{"".join(parts)}</div>')


def scores(what: Printed) -> str:
    """A sheet for each table: rounds down, boxes across; what is not played yet is left to be written in."""
    conditions, parts = what.state.conditions, list[str]()
    assert conditions is not None
    for session, rounds in _scores(what):
        stage = conditions.stage(session.stage)
        planned = stage.rounds if stage is not None and not session.play_off else 0
        over = session.status not in ("drawn", "playing")
        count = max([*rounds, 0 if over else planned or BLANK_ROUNDS])
        people = sorted(session.seats.items())
        head = "".join(f'<th scope="col">{box} {escape(called(name))}</th>' for box, name in people)
        lines = []
        for number in range(1, count + 1):
            chips = rounds.get(number, {})
            cells = "".join(f'<td class="n">{_cell(chips, name)}</td>' for _, name in people)
            lines.append(f'<tr><th scope="row">{number}</th>{cells}</tr>')
        parts.append(
            f'<div class="sheet"><h2>{escape(_named(session).capitalize())}, {escape(session.table)}</h2><table><thead>'
            f'<tr><th scope="col">Round</th>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
            '<p class="sign"><span>Dealer</span><span>Supervisor</span></p></div>'
        )
    return _page(what, "Score sheets", "".join(parts))


def _cell(chips: Mapping[str, int], name: str) -> str:
    return plain_dollars(chips[name]) if name in chips else ""


def results(what: Printed) -> str:
    return _page(what, "Results", _table(list(result_rows(what))))


def prize_list(what: Printed) -> str:
    total = sum(each.prize_cents for each in what.state.entrants.values())
    body = _table(list(prize_rows(what))) + f"<p>Prizes together: {dollars(total)}.</p>"
    who = what.rulebook.game.tournaments_by.value.replace("-", " ").capitalize()
    people = f"<span>{escape(who)}</span><span>A second person</span>"
    return _page(what, "Prize list", f'{body}<p class="sign">{people}</p>')


def regulator(what: Printed) -> str:
    """All that happened, by clause and by time, with the accounts at the end of it."""
    clauses = [("clause", "acts")] + [
        (cite((clause,)), ", ".join(map(str, numbers)))
        for clause, numbers in sorted(by_clause(what).items(), key=_in_order)
    ]
    body = (
        f"<h2>Conditions</h2>{_conditions(what)}<h2>Clauses</h2>{_table(clauses)}"
        f"<h2>Everything that happened</h2>{_table(list(regulator_rows(what)))}"
        f"<h2>Accounts</h2>{_table(list(account_rows(what)))}<h2>Results</h2>{_table(list(result_rows(what)))}"
    )
    return _page(what, "For the regulator", body)


def _in_order(item: tuple[str, list[int]]) -> tuple[tuple[int, int, str], ...]:
    """20.5.10 after 20.5.9, and 20.4(b) after 20.4; definitions last."""
    if item[0].startswith("def:"):
        return ((2, 0, item[0]),)
    return tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in re.findall(r"\d+|[a-z]+", item[0]))


def conditions_text(what: Printed) -> str:
    assert what.state.conditions is not None
    return printed(what.rulebook, what.state.conditions)


def conditions_page(what: Printed) -> str:
    return _page(what, "Conditions", _conditions(what))


def _conditions(what: Printed) -> str:
    """The copy for players as a list, each item with its clause behind it."""
    parts: list[str] = []
    for line in conditions_text(what).splitlines()[2:]:
        if line.startswith("- "):
            text, bracket, clause = line[2:].rpartition(" [")
            shown = f"{escape(text)} <small>{escape(clause.rstrip(']'))}</small>" if bracket else escape(line[2:])
            parts.append(f"<li>{shown}</li>")
        elif line:
            parts.append(f"</ul><p>{escape(line)}</p><ul>")
    return f"<ul>{''.join(parts)}</ul>".replace("<ul></ul>", "")


def conditions_rows(what: Printed) -> Iterator[Row]:
    yield ("line",)
    for line in conditions_text(what).splitlines():
        if line.strip("= "):
            yield (line,)


class Paper(msgspec.Struct, frozen=True):
    """One of the printouts."""

    label: str
    page: Callable[[Printed], str]
    rows: Callable[[Printed], Iterator[Row]]
    staff_only: bool = True


PAPERS: Mapping[str, Paper] = {
    "conditions": Paper("Conditions", conditions_page, conditions_rows, staff_only=False),
    "slips": Paper("Seating slips", slips, slip_rows),
    "scores": Paper("Score sheets", scores, score_rows),
    "results": Paper("Results", results, result_rows, staff_only=False),
    "prizes": Paper("Prize list", prize_list, prize_rows, staff_only=False),
    "regulator": Paper("The regulator's file", regulator, regulator_rows),
}


def as_csv(what: Printed, paper: str) -> str:
    return csv_of(PAPERS[paper].rows(what))


def as_html(what: Printed, paper: str) -> str:
    return PAPERS[paper].page(what)
