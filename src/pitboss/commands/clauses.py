"""`pitboss clauses`: what each clause says, who keeps it, and which tests carry it."""

from __future__ import annotations

import difflib
import json as jsonlib
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pitboss.basics.money import dollars
from pitboss.commands import Unread, rulebook_id
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.clauses import KEEPERS, KEPT, KINDS, LATER, Clause, cite, find, register
from pitboss.rulebooks.coverage import Citation, Coverage, citations, scan, tests_folder
from pitboss.rulebooks.glossary import Word, find_word, glossary, scope, vocabulary, words_by_clause, words_in
from pitboss.rulebooks.glossary import search as found_by_words
from pitboss.rulebooks.terms import FixedRow, PayRow, Restriction

FINE = 0
NO_TESTS = "no tests in this installation"


def clauses(
    rulebook: str | None = None,
    clause: str | None = None,
    *,
    search: str | None = None,
    group: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    bare: bool = False,
    json: bool = False,
) -> int:
    """List the clauses of the rulebooks, or explain one.

    Without arguments, a summary. With a rulebook, its clauses; with a clause as well, what it says, what enforces it,
    which terms cite it and which tests cover it. A chapter (10) works too, and so does a defined word (pontoon), which
    is explained in plain words, with where the program uses it.

    Parameters
    ----------
    rulebook
        The rulebook's id, as in nsw-pontoon.
    clause
        A clause, as in 12.1.4.1, 74(a) or def:pontoon, or a word that the document defines.
    search
        Only clauses with these words, in what they say or in what the glossary says of them.
    group
        Only this group, as in double or settlement.
    kind
        Only this kind: play, limit, procedure, register, tournament or text.
    status
        Only this status: kept, later, or a part such as later:registers.
    bare
        Only clauses that are enforced but not tested.
    json
        Print one JSON object per line, one clause a line.
    """
    rulebook = None if rulebook is None else rulebook_id(rulebook)
    if rulebook is not None and rulebook not in RULEBOOKS:
        raise _unread(f"no rulebook {rulebook!r}. {_nearest(rulebook, RULEBOOKS)}")
    rows = _rows(rulebook)
    if clause is not None and rulebook is not None:
        rows = _asked_for(rulebook, clause)
        if not rows:
            raise _unread(f"{rulebook} has no clause {clause!r}. {_nearest_clause(clause, rulebook)}")
    if search is not None:
        hits = _searched(search, rulebook)
        rows = hits if clause is None else tuple(row for row in hits if row in rows)
    wrong = _wrong_filter(group, kind, status)
    if wrong:
        raise _unread(wrong)
    tests = _coverage()
    if bare and tests is None:
        raise _unread(f"{NO_TESTS}, so nothing is known of bare clauses.")
    filtered = any(each is not None for each in (search, group, kind, status)) or bare
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


def _asked_for(rulebook: str, asked: str) -> tuple[Clause, ...]:
    """The rows at or below a clause, or that of a defined word in any of its forms."""
    word = find_word(rulebook, asked)
    return find(rulebook, asked) or ((register(rulebook)[word.clause],) if word else ())


def _searched(asked: str, rulebook: str | None) -> tuple[Clause, ...]:
    ids = tuple(RULEBOOKS) if rulebook is None else (rulebook,)
    if not words_in(asked):
        raise _unread("say a word to search for, as in --search surrender.")
    rows = found_by_words(asked, ids)
    if not rows:
        known = vocabulary(ids)
        close = [near for word in words_in(asked) for near in difflib.get_close_matches(word, known, n=4, cutoff=0.6)]
        near = f"Near words: {', '.join(dict.fromkeys(close))}." if close else "Try another or a shorter word."
        raise _unread(f"no clause of {rulebook or 'any rulebook'} has {asked.strip()!r}. {near}")
    return rows


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
    known.update(dict.fromkeys(form for word in glossary(rulebook) for form in word.forms))
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
            "glossary": words_by_clause(row.rulebook).get(row.key),
        }
        print(jsonlib.dumps(line, ensure_ascii=False, default=msgspec.to_builtins))


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
    print("\nLater, by part:" if parts else "\nNothing is left for later.")
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
            cells = (row.key, row.group, row.kind, row.kept_by, row.status, _count(row, tests), _said(row))
            print(*((row.rulebook, *cells) if several else cells), sep="\t")
        return
    for rulebook in dict.fromkeys(row.rulebook for row in rows):
        table = [("clause", "status", "tests", "gist")]
        for row in rows:
            if row.rulebook == rulebook:
                table.append((row.key, row.status.removeprefix("later:"), _count(row, tests), _said(row)))
        _print_table(table, title=rulebook if several else "")
    print(f"{len(rows)} clause{'' if len(rows) == 1 else 's'}")


def _said(row: Clause) -> str:
    """What a clause says; of a definition what the word means."""
    word = words_by_clause(row.rulebook).get(row.key)
    return word.means if word else row.gist


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
    blocks = [_explained(row, cited, tests) for row in exact]
    if below:
        title = "Below it:" if exact else f"{rows[0].rulebook} {asked}:"
        width = min(max(len(row.key) for row in below), 26)
        blocks.append([title, *(line for row in below for line in _in_short(row, width))])
    print("\n\n".join("\n".join(block) for block in blocks))


def _explained(row: Clause, cited: Sequence[Citation], tests: Coverage | None) -> list[str]:
    state = "kept" if row.kept else f"not yet, but by the part {row.later} ({LATER[row.later]})"
    word = words_by_clause(row.rulebook).get(row.key)
    cited = [item for item in cited if item.clause == row.key]
    lines = [
        f"{row.rulebook} {cite([row.key])}",
        *(_meaning(row.rulebook, word) if word else ()),
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
    shown = {item.term for item in cited}
    for term, value in _terms_of(row.rulebook, word):
        if term not in shown:
            lines += _labelled("" if shown else "terms", f"{term} = {_value_in_words(value)}")
            shown.add(term)
    if not shown:
        lines += _labelled("terms", "none cites it")
    if word:
        lines += [line for name in ("acts", "events") for line in _used(name, getattr(word, name))]
    names = (NO_TESTS,) if tests is None else tests.tests(row.rulebook, row.key)
    for place, name in enumerate(names or ("none" + (": the clause is bare" if row.kept else ""),)):
        lines.append(f"  {'' if place else 'tests':<9}{name}")
    return lines


def _meaning(rulebook: str, word: Word) -> list[str]:
    """A word in plain words, its other forms, where more is said of it, and where it holds."""
    lines = _labelled("means", word.means)
    if word.also:
        lines += _labelled("also", ", ".join(word.also))
    if word.see:
        lines += _labelled("see", cite(word.see))
    held = scope(rulebook)
    if held and held is not word and "def:" in word.clause:
        lines += _labelled("holds", f"{held.means} ({cite([held.clause])})")
    return lines


def _terms_of(rulebook: str, word: Word | None) -> list[tuple[str, object]]:
    """The terms in which the engine knows a word, with their values."""
    from pitboss.rulebooks import load
    from pitboss.rulebooks.load import terms

    wanted: Mapping[str, object] = {key: term.value for key, term in terms(load(rulebook))} if word else {}
    return [(key, wanted[key]) for key in (word.terms if word else ()) if key in wanted]


def _used(label: str, names: Sequence[str]) -> list[str]:
    return _labelled(label, ", ".join(names)) if names else []


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
