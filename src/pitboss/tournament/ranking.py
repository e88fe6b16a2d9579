"""Who is better: chips, eliminations in one round, ties at the line, places over the whole tournament, and prizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pitboss.table.refusals import broken_unless
from pitboss.tournament.state import DISQUALIFIED, FORFEITED, WITHDRAWN, InPlay, Tournament

Standing = tuple[int, int, int, int, int]
"""Larger is better: finished with chips before eliminated; then the chips, or round, residual, wager, removal."""


def standing(session: InPlay, name: str, *, ranked: bool) -> Standing:
    """How somebody did in a session. `ranked`: eliminations in one round are told apart (NSW pontoon 20.10.4).

    Chips that lie in front of who was eliminated are their residual; a higher number of removal is a later one.
    """
    out = session.out.get(name)
    if out is None:
        return (1, session.chips.get(name, 0), 0, 0, 0)
    if not ranked:
        return (0, out.number, 0, 0, 0)
    return (0, out.number, out.residual_cents, out.wager_cents, out.removal)


def groups(names: Iterable[str], standings: Mapping[str, Standing]) -> list[tuple[str, ...]]:
    """The best first; who cannot be told apart stands in one group."""
    found: dict[Standing, list[str]] = {}
    for name in names:
        found.setdefault(standings[name], []).append(name)
    return [tuple(found[each]) for each in sorted(found, reverse=True)]


def order_at(session: InPlay, *, ranked: bool) -> list[tuple[str, ...]]:
    """The order at one table when its session is over."""
    names = [name for _, name in sorted(session.seats.items()) if name not in session.gone]
    return groups(names, {name: standing(session, name, ranked=ranked) for name in names})


def across_the_line(order: Sequence[tuple[str, ...]], places: int) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Who is through, who is tied across the line, and for how many places these contest."""
    through: tuple[str, ...] = ()
    for group in order:
        if len(through) + len(group) <= places:
            through += group
        else:
            left = places - len(through)
            return through, (group if left else ()), left
    return through, (), 0


# --- places over the whole tournament --------------------------------------------------------------------------------


def places(tournament: Tournament, stages: Sequence[str], *, ranked: bool) -> list[tuple[str, ...]]:
    """Everybody who had a seat or has paid, the best first, equals together; disqualified last.

    The final makes the first places. Who went out of an earlier stage stands behind everybody who went further, and
    among those of one stage by what they had there; a play-off stands for its table.
    """
    found: list[tuple[str, ...]] = []
    placed: set[str] = set()
    for stage in reversed(stages):
        sessions = [each for each in tournament.sessions.values() if each.stage == stage]
        decided = {name: rank for each in sessions for rank, name in enumerate(reversed(each.decided), start=1)}
        standings: dict[str, Standing] = {}
        for session in sessions:
            if session.play_off:
                continue
            for name in session.seats.values():
                if name not in placed and tournament.entrants[name].status not in (FORFEITED, DISQUALIFIED, WITHDRAWN):
                    standings[name] = standing(session, name, ranked=ranked)
        for group in groups(standings, standings):
            split: dict[int, list[str]] = {}
            for name in group:
                split.setdefault(decided.get(name, 0), []).append(name)
            found += [tuple(split[rank]) for rank in sorted(split, reverse=True)]
        placed |= set(standings)
    gone = [each for each in tournament.entrants.values() if each.name not in placed]
    for status in (FORFEITED, DISQUALIFIED):
        left = tuple(each.name for each in gone if each.status == status)
        if left:
            found.append(left)
    return found


def prizes(
    order: Sequence[tuple[str, ...]], shares: Sequence[int], pool_cents: int, first_entered: Mapping[str, int]
) -> dict[str, int]:
    """The whole pool to the cent. Who shares places shares what is for them equally.

    Places that nobody has are left out before the pool is divided; odd cents go one by one to the best places, among
    equals to whoever entered first.
    """
    people = [name for group in order for name in group]
    parts = list(shares[: len(people)])
    whole = sum(parts)
    if not parts or not pool_cents:
        return {}
    each = [pool_cents * part // whole for part in parts]
    for place in range(pool_cents - sum(each)):
        each[place % len(each)] += 1
    won: dict[str, int] = {}
    at = 0
    for group in order:
        together = sum(each[at : at + len(group)])
        at += len(group)
        if not together:
            break
        share, odd = divmod(together, len(group))
        for number, name in enumerate(sorted(group, key=lambda name: first_entered[name])):
            won[name] = share + (number < odd)
    broken_unless(sum(won.values()) == pool_cents, "the prizes are not the pool")
    return won
