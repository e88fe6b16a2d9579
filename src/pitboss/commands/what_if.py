"""`pitboss what-if`: what one changed term, or each difference between two rulebooks, is worth."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from pitboss.commands import rulebook_id
from pitboss.commands.edge import working
from pitboss.commands.options import AsJson, RulebookId
from pitboss.maths.questions import known_decks, known_rulebook, term_value
from pitboss.maths.scope import reason
from pitboss.maths.shoes import MathsError
from pitboss.maths.what_if import Case, Study, compare, other_readings, vary_term
from pitboss.maths.what_if_picture import as_html, as_svg

FINE = 0
BAR = 24


def what_if(
    rulebook: RulebookId,
    other: str | None = None,
    *,
    vary: str | None = None,
    values: str | None = None,
    readings: bool = False,
    decks: str | None = None,
    set_: Annotated[list[str] | None, Parameter(name="--set")] = None,
    amend: list[str] | None = None,
    svg: Path | None = None,
    html: Path | None = None,
    json: AsJson = False,
) -> int:
    """Price a rule change, or the differences between two rulebooks.

    With --vary, the value of a round across every value of one term. With a second rulebook, each difference between
    the two that changes the value: alone, and all together.

    Parameters
    ----------
    other
        A second rulebook, to be compared with the first.
    vary
        A term, as in dealer.soft_stand; a row of a pay table, as in interim.pay_table.5-card-21; or decks.
    values
        Only these values, separated by semicolons, as in "1 to 1; 3 to 2".
    readings
        Price every other reading of clauses that can be read in more than one way.
    decks
        How many decks, or infinite; without it, as many as a table of the first rulebook opens with.
    set_
        Change a term of the first rulebook; repeatable.
    amend
        Apply an amendment to the first rulebook: a TOML file, or the name of one in the document; repeatable.
    svg
        Draw the cases as bars to this file.
    html
        Write a self-contained page with bars and a table.
    """
    for path in (svg, html):
        if path is not None and not path.parent.is_dir():
            raise MathsError(f"{path}: there is no folder {path.parent}.")
    if (other is not None) + (vary is not None) + readings != 1:
        raise MathsError("what-if: give either a second rulebook, or a term with --vary, or --readings.")
    if values is not None and vary is None:
        raise MathsError("what-if: --values says what --vary tries, so it needs one.")
    rulebook, other = rulebook_id(rulebook), None if other is None else rulebook_id(other)
    book = known_rulebook(rulebook, set_ or (), amend or ())
    number = None if decks is None else known_decks(decks)
    with working("solving") as step:
        if vary is not None:
            some = None if values is None else [term_value(each.strip()) for each in values.split(";") if each.strip()]
            if some == []:
                raise MathsError(f"--values {values!r} names no value: write them as in 17; 18.")
            study = vary_term(book, vary, some, decks=number, progress=step)
        elif readings:
            study = other_readings(book, decks=number, progress=step)
        else:
            study = compare(book, known_rulebook(other or ""), decks=number, progress=step)
    question = f"{vary} changed" if vary else f"as in {known_rulebook(other).name}" if other else "read otherwise"
    if svg is not None:
        svg.write_text(as_svg(study, question), encoding="utf-8")
    if html is not None:
        html.write_text(as_html(study, question), encoding="utf-8")
    if json:
        print(jsonlib.dumps(_as_json(study, vary, other), ensure_ascii=False))
    else:
        _print(study, vary, other)
    return FINE


def _as_json(study: Study, vary: str | None, other: str | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "rulebook": study.rulebook,
        "shoe": study.shoe,
        "ev": study.ev,
        "vary": vary,
        "other": other,
        "cases": [_case(case) for case in study.cases],
    }
    if study.together is not None:
        told["together"] = _case(study.together)
        told["interaction"] = study.interaction
    return told


def _case(case: Case) -> dict[str, Any]:
    return {"value": case.label, "ev": case.ev, "difference": case.difference, "note": case.note}


def _print(study: Study, vary: str | None, other: str | None) -> None:
    print(f"{study.rulebook}, {study.shoe}: value {study.ev:+.4%} of the original wager")
    if vary or other:
        print(f"{vary} changed to" if vary else f"with what {other} has instead")
    else:
        print("with clauses read otherwise")
    cases = [*study.cases, *([study.together] if study.together is not None else [])]
    most = max((abs(case.difference) for case in cases if case.difference is not None), default=0.0)
    width = min(max((len(case.label) for case in cases), default=0), 52)
    for case in cases:
        label = case.label if len(case.label) <= width else case.label[: width - 1] + "…"
        if case.ev is None or case.difference is None:
            print(f"  {label:<{width}}  cannot be: {case.note}")
            continue
        bar = _bar(case.difference, most)
        note = case.note if vary else ""
        print(f"  {label:<{width}}  {case.ev:>+10.4%}  {case.difference:>+10.4%}  {bar:<{BAR + 1}}{note}".rstrip())
    if study.interaction is not None:
        print(f"  {'what they do to one another':<{width}}  {'':>10}  {study.interaction:>+10.4%}")
    if most == 0.0 and any(case.ev is not None for case in cases):
        print("Nothing of it changes what a round is worth to somebody alone at the table.")
        if vary and reason(vary):
            print(f"{vary}: {reason(vary)}.")


def _bar(difference: float, most: float) -> str:
    """To the left of the middle for the house, to the right for the player."""
    if not most:
        return ""
    half = BAR // 2
    length = round(abs(difference) / most * half)
    left = "█" * length if difference < 0 else ""
    right = "█" * length if difference > 0 else ""
    return f"{left:>{half}}│{right}"
