"""`pitboss clauses`: what each clause says, who keeps it, and which tests carry it."""

from __future__ import annotations

import difflib
import json as jsonlib
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence

from pitboss.basics.money import dollars
from pitboss.commands import Unread, rulebook_id
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.clauses import KEEPERS, KEPT, KINDS, LATER, Clause, cite, find, register
from pitboss.rulebooks.coverage import Citation, Coverage, citations, scan, tests_folder
from pitboss.rulebooks.terms import FixedRow, PayRow, Restriction

FINE = 0
NO_TESTS = "no tests in this installation"


def clauses(
    rulebook: str | None = None,
    clause: str | None = None,
    *,
    group: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    bare: bool = False,
    json: bool = False,
) -> int:
    """List the clauses of the rulebooks, or explain one.

    Without anything, a summary. With a rulebook, its clauses; with a clause too, what it says, who keeps it, which
    terms cite it and which tests carry it. A chapter (10) or a defined word (pontoon) is as good as a clause.

    Parameters
    ----------
    rulebook
        The rulebook's id, as in nsw-pontoon.
    clause
        A clause, as in 12.1.4.1, 74(a) or def:pontoon.
    group
        Only this group, as in double or settlement.
    kind
        Only this kind: play, limit, procedure, register, tournament or text.
    status
        Only this status: kept, later, or a part such as later:registers.
    bare
        Only clauses that are kept and that no test carries.
    json
        Print one JSON object a line, one clause a line.
    """
    rulebook = None if rulebook is None else rulebook_id(rulebook)
    if rulebook is not None and rulebook not in RULEBOOKS:
        raise _unread(f"no rulebook {rulebook!r}. {_nearest(rulebook, RULEBOOKS)}")
    rows = _rows(rulebook)
    if clause is not None and rulebook is not None:
        rows = find(rulebook, clause)
        if not rows:
            raise _unread(f"{rulebook} has no clause {clause!r}. {_nearest_clause(clause, rulebook)}")
    wrong = _wrong_filter(group, kind, status)
    if wrong:
        raise _unread(wrong)
    tests = _coverage()
    if bare and tests is None:
        raise _unread(f"{NO_TESTS}, so nothing is known of bare clauses.")
    filtered = group is not None or kind is not None or status is not None or bare
    rows = tuple(row for row in rows if _wanted(row, group, kind, status) and (not bare or _is_bare(row, tests)))
    if json:
        _print_json(rows, tests)
    elif rulebook is None and not filtered:
        _print_summary(rows, tests)
    elif clause is None or filtered:
        _print_list(rows, tests, several=rulebook is None)
    else:
        _print_explanation(rows, clause, tests)
    return FINE


def _rows(rulebook: str | None) -> tuple[Clause, ...]:
    ids = RULEBOOKS if rulebook is None else (rulebook,)
    return tuple(row for rulebook_id in ids for row in register(rulebook_id).values())


def _coverage() -> Coverage | None:
    folder = tests_folder()
    return None if folder is None else scan(folder)


def _is_bare(row: Clause, tests: Coverage | None) -> bool:
    return row.kept and tests is not None and not tests.tests(row.rulebook, row.key)


def _wanted(row: Clause, group: str | None, kind: str | None, status: str | None) -> bool:
    return (
        (group is None or row.group == group)
        and (kind is None or row.kind == kind)
        and (status is None or status in (row.status, row.status.partition(":")[0], row.later))
    )


# --- what could not be read ------------------------------------------------------------------------------------------


def _wrong_filter(group: str | None, kind: str | None, status: str | None) -> str:
    groups = tuple(dict.fromkeys(row.group for row in _rows(None)))
    states = (KEPT, "later", *(f"later:{part}" for part in LATER))
    if group is not None and group not in groups:
        return f"no group {group!r}. {_nearest(group, groups)}"
    if kind is not None and kind not in KINDS:
        return f"no kind {kind!r}. {_nearest(kind, KINDS)}"
    if status is not None and status not in states and status not in LATER:
        return f"no status {status!r}. {_nearest(status, states)}"
    return ""


def _nearest_clause(asked: str, rulebook: str) -> str:
    """The clauses beside the one that is not there, else those that are written like it."""
    parent = asked
    while (cut := max(parent.rfind(mark) for mark in ".(:")) > 0:
        parent = parent[:cut]
        if beside := find(rulebook, parent):
            return f"Nearest: {', '.join(row.key for row in beside[:8])}."
    known: dict[str, None] = {}
    for row in register(rulebook).values():
        known.update(dict.fromkeys((row.number, row.key, row.key.rpartition("def:")[2])))
    return _nearest(asked, tuple(known))


def _nearest(word: str, known: Sequence[str]) -> str:
    """The names that come nearest, as a sentence; where none comes near, all of them if they are few."""
    by_small_letters = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), by_small_letters, n=4, cutoff=0.5)
    if close:
        return f"Nearest: {', '.join(by_small_letters[name] for name in close)}."
    return f"Known: {', '.join(known)}." if len(known) <= FEW else "Without one, the command lists them all."


FEW = 30


def _unread(text: str) -> Unread:
    return Unread(f"pitboss clauses: {text}")


# --- printing --------------------------------------------------------------------------------------------------------


def _at_a_terminal() -> bool:
    return sys.stdout.isatty()


def _print_json(rows: Iterable[Clause], tests: Coverage | None) -> None:
    for row in rows:
        line = {
            "rulebook": row.rulebook,
            "clause": row.key,
            "number": row.number,
            "group": row.group,
            "kind": row.kind,
            "gist": row.gist,
            "kept_by": row.kept_by,
            "status": row.status,
            "tests": None if tests is None else list(tests.tests(row.rulebook, row.key)),
        }
        print(jsonlib.dumps(line, ensure_ascii=False))


def _print_summary(rows: Sequence[Clause], tests: Coverage | None) -> None:
    """One line a rulebook, then what each later part will keep."""
    table = [("rulebook", "rows", "kept", "tested", "bare", "later")]
    for name in (*RULEBOOKS, "total"):
        mine = [row for row in rows if name in (row.rulebook, "total")]
        kept = sum(row.kept for row in mine)
        without = sum(_is_bare(row, tests) for row in mine)
        tested, bare = ("-", "-") if tests is None else (str(kept - without), str(without))
        table.append((name, str(len(mine)), str(kept), tested, bare, str(len(mine) - kept)))
    parts = Counter((row.later, row.rulebook) for row in rows if not row.kept)
    if _at_a_terminal():
        _print_table(table, numbers=5)
    else:
        for first, *rest in table:
            print(f"{first:<24}" + "".join(f"{cell:>8}" for cell in rest))
    print("\nLater, by part:")
    indent = " " * 23
    for part, what in LATER.items():
        counts = [f"{rulebook} {parts[part, rulebook]}" for rulebook in RULEBOOKS if parts[part, rulebook]]
        if counts:
            print(f"  {part:<14}{sum(parts[part, rulebook] for rulebook in RULEBOOKS):>5}  {what}")
            print(*_wrapped(", ".join(counts), indent, indent), sep="\n")
    if tests is None:
        print(f"\n{NO_TESTS}")


def _print_list(rows: Sequence[Clause], tests: Coverage | None, *, several: bool) -> None:
    """A table for people; through a pipe one line a clause, with tabs."""
    if not _at_a_terminal():
        for row in rows:
            cells = (row.key, row.group, row.kind, row.kept_by, row.status, _count(row, tests), row.gist)
            print(*((row.rulebook, *cells) if several else cells), sep="\t")
        return
    for rulebook in dict.fromkeys(row.rulebook for row in rows):
        table = [("clause", "status", "tests", "gist")]
        for row in rows:
            if row.rulebook == rulebook:
                table.append((row.key, row.status.removeprefix("later:"), _count(row, tests), row.gist))
        _print_table(table, title=rulebook if several else "")
    print(f"{len(rows)} clause{'' if len(rows) == 1 else 's'}")


def _count(row: Clause, tests: Coverage | None) -> str:
    return "-" if tests is None else str(len(tests.tests(row.rulebook, row.key)))


def _print_table(table: Sequence[Sequence[str]], *, title: str = "", numbers: int = 0) -> None:
    """With lines and colours, for a terminal; the last `numbers` columns are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    head, *rows = table
    shown = Table(box=box.SIMPLE, title=title or None, title_justify="left")
    for place, name in enumerate(head):
        right = place >= len(head) - numbers or name == "tests"
        shown.add_column(name, justify="right" if right else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(cell.replace("[", r"\[") for cell in row))
    Console(highlight=False).print(shown)


def _print_explanation(rows: Sequence[Clause], asked: str, tests: Coverage | None) -> None:
    """Everything about the clause that was asked for, then what stands below it in one line each."""
    from pitboss.rulebooks import load

    asked = asked.strip().lower()
    exact = [row for row in rows if asked in (row.key.lower(), row.key.partition("def:")[2].lower())]
    exact = exact or (list(rows) if len(rows) == 1 else [])
    below = [row for row in rows if row not in exact]
    cited = citations(load(rows[0].rulebook)) if exact else ()
    blocks = [_explained(row, [item for item in cited if item.clause == row.key], tests) for row in exact]
    if below:
        title = "Below it:" if exact else f"{rows[0].rulebook} {asked}:"
        width = min(max(len(row.key) for row in below), 26)
        blocks.append([title, *(line for row in below for line in _in_short(row, width))])
    print("\n\n".join("\n".join(block) for block in blocks))


def _explained(row: Clause, cited: Sequence[Citation], tests: Coverage | None) -> list[str]:
    state = "kept" if row.kept else f"not yet, but by the part {row.later} ({LATER[row.later]})"
    lines = [
        f"{row.rulebook} {cite([row.key])}",
        *_labelled("says", row.gist),
        *_labelled("key", row.key),
        *_labelled("group", f"{row.group}, {row.kind}"),
        *_labelled("kept by", KEEPERS[row.kept_by]),
        *_labelled("status", state),
    ]
    told = None
    for place, item in enumerate(cited):
        lines += _labelled("" if place else "terms", f"{item.term} = {_value_in_words(item.value)}")
        if item.reading and item.reading != told:
            lines += _labelled("", f"read so because: {item.reading}")
        told = item.reading
    if not cited:
        lines += _labelled("terms", "none cites it")
    names = (NO_TESTS,) if tests is None else tests.tests(row.rulebook, row.key)
    for place, name in enumerate(names or ("none" + (": the clause is bare" if row.kept else ""),)):
        lines.append(f"  {'' if place else 'tests':<9}{name}")
    return lines


def _value_in_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, PayRow):
        return str(value.odds)
    if isinstance(value, FixedRow):
        prizes = [f"{dollars(prize)} for {dollars(wager)}" for wager, prize in value.cents_by_wager.items()]
        return ", ".join(prizes) or f"{value.share_percent}% of the jackpot"
    if isinstance(value, Restriction):
        return f"by {value.by}"
    if isinstance(value, tuple):
        return ", ".join(getattr(item, "name", str(item)) for item in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name} {item}" for name, item in value.items()) or "none"
    return str(value) or "none"


def _labelled(label: str, text: str) -> list[str]:
    return _wrapped(text, f"  {label:<9}", " " * 11)


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, 80, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False, break_long_words=False
    )


def _in_short(row: Clause, width: int) -> list[str]:
    """Key and gist; a long key has a line of its own."""
    indent = " " * (width + 4)
    if len(row.key) > width:
        return [f"  {row.key}", *_wrapped(row.gist, indent, indent)]
    return _wrapped(row.gist, f"  {row.key:<{width}}  ", indent)
