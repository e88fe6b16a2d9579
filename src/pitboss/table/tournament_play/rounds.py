"""What a session adds to a round: written wagers, pass cards, the count, limits that change, who is out, the marker."""

from __future__ import annotations

from pitboss.table import events as e
from pitboss.table.run import Run, chips_left
from pitboss.table.tournament_play.forms import announce_all
from pitboss.table.tournament_play.turns import cite, knows, next_marker, session_of
from pitboss.table.tournament_play.written import counts_as


def conclude(run: Run) -> None:
    """Before the cards are gathered: forms are announced and settled, pass cards collected."""
    session = session_of(run.table)
    if session.forms:
        announce_all(run)
    for name in session.passing:
        run.emit(e.PassCardCollected(cite(run.table, "pass-card"), name, session.void))


def follow(run: Run) -> None:
    """When a round is over: the count, the limits of the next one, who cannot wager them, and the marker."""
    table = run.table
    session = session_of(table)
    chips = {name: chips_left(table, name) or 0 for _, name in sorted(session.seats.items())}
    wagers = {name: session.wagered.get(name, 0) for name in chips}
    for name, form in session.forms.items():
        wagers[name] = wagers.get(name, 0) + counts_as(table, form, form.possessed_cents)[0]
    wagers = {} if session.void else {name: cents for name, cents in wagers.items() if cents}
    removed = () if session.void else tuple(name for name in session.taken if name in chips)
    number = session.number + 1
    cited = cite(table, "count-session", "tournament-chips")
    run.emit(e.RoundCounted(cited, number, chips, wagers, removed, session.void, session.again))
    least, most = session.terms.limits(session_of(table).number + 1)
    if (least, most) != (table.house.minimum_cents, table.house.maximum_cents):
        cited = cite(table, "limits-change") if knows(table, "limits-change") else _limits_item(run)
        run.emit(e.LimitsSet(cited, "", least, most))
    if session_of(table).done:
        least = 1  # no round comes for which the minimum were wanted: who has nothing left is out
    out = [name for name in chips if chips[name] < least]
    for name in sorted(out, key=lambda each: removed.index(each) if each in removed else -1):
        cited = cite(table, "unable", *(("joint",) if len(out) > 1 else ()))
        run.emit(e.PlayerEliminated(cited, name, session.box_of(name), chips[name]))
    for name, rule in session.leaving.items():
        if session_of(table).has(name):
            box = session_of(table).box_of(name)
            run.emit(e.PlayerRemoved(cite(table, rule, "disqualify", "contravention"), name, box, rule))
    place_marker(run)


def _limits_item(run: Run) -> tuple[str, ...]:
    return run.table.rulebook.tournament.items.clauses


def place_marker(run: Run) -> None:
    """The marker of the next round, where players wager in order and there is a next round."""
    table = run.table
    session = session_of(table)
    if not session.terms.order or session.done or not session.seats:
        return
    box = next_marker(table) if not session.void else session.marker
    run.emit(e.MarkerPlaced(cite(table, "marker"), box, _holder(run, box)))


def _holder(run: Run, box: int) -> str:
    boxes = sorted(session_of(run.table).seats)
    found = next((each for each in boxes if each >= box), boxes[0])
    return session_of(run.table).seats[found]


def pass_round(run: Run) -> None:
    """Nobody has a wager, and everybody may do without one: no card is dealt, and the round counts."""
    conclude(run)
    follow(run)
