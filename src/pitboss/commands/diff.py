"""`pitboss diff`: where two rulebooks differ, side by side."""

from __future__ import annotations

import json as jsonlib
import sys

from pitboss.commands import Unread, look_for_editions
from pitboss.commands.options import EditionsIn
from pitboss.terminal.comparison import as_data, beside, beside_as_data, compare, duties_beside, lines, read_alike
from pitboss.terminal.opening import ChoiceError, choose_rulebook

FINE = 0


def diff(
    left: str,
    right: str,
    *,
    set_left: list[str] | None = None,
    set_right: list[str] | None = None,
    amend_left: list[str] | None = None,
    amend_right: list[str] | None = None,
    edition_left: str | None = None,
    edition_right: str | None = None,
    editions: EditionsIn = None,
    all: bool = False,
    json: bool = False,
) -> int:
    """Show where two rulebooks differ, side by side and with clauses.

    First the rules of play; then what only one of the documents has: chapters such as tournaments, procedures, the
    people it names, and what the dealer does by hand and voice. Last, what is the same but stated by one document only,
    with the reading of the other.

    Parameters
    ----------
    left
        A rulebook's id, as in nsw-pontoon.
    right
        Another's, as in adelaide-pontoon-2008.
    set_left
        Change a term of the first for study, as in dealer.soft_stand=17.
    set_right
        Change a term of the second for study.
    amend_left
        Apply an amendment to the first: a TOML file, or the name of one in the document, as in tournament.
    amend_right
        Apply an amendment to the second.
    edition_left
        Use another edition of the first: at least the first twelve digits of its digest.
    edition_right
        Use another edition of the second.
    all
        Also show what is the same.
    json
        Print one JSON object per line, one difference a line.
    """
    look_for_editions(editions)
    try:
        first = choose_rulebook(left, set_left or (), amend_left or (), edition_left)
        second = choose_rulebook(right, set_right or (), amend_right or (), edition_right)
    except ChoiceError as error:
        raise Unread(f"pitboss diff: {error}") from None
    if json:
        for each in compare(first, second, everything=all):
            print(jsonlib.dumps(as_data(each, first, second), ensure_ascii=False))
        for one in beside(first, second, everything=all):
            print(jsonlib.dumps(beside_as_data(one), ensure_ascii=False))
        for one in duties_beside(first, second):
            print(jsonlib.dumps(beside_as_data(one, "duty"), ensure_ascii=False))
        for one in read_alike(first, second):
            print(jsonlib.dumps(beside_as_data(one, "reading", differs=False), ensure_ascii=False))
        return FINE
    text = list(lines(first, second, everything=all))
    if sys.stdout.isatty():
        from pitboss.terminal.paper import print_sheet

        print_sheet(text)
    else:
        print("\n".join(text))
    return FINE
