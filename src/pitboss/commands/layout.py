"""`pitboss layout`: the cloth and the table of a rulebook, drawn, listed, or held against a real one."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from pitboss.commands import Unread
from pitboss.layout.checking import described, lacks, read_found
from pitboss.layout.needed import LayoutError, Setup, needed, setup_for
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.house import House
from pitboss.terminal.opening import ChoiceError, Choices, amount, choose_house, choose_rulebook

FINE, LACKING = 0, 1


def layout(
    rulebook: str,
    *,
    house: Annotated[Choices | None, Parameter(name="*")] = None,
    shape: str = "",
    inscription: str = "full",
    diagram: str = "",
    old_minimum: str | None = None,
    cashless: bool = False,
    pre_shuffled: bool = False,
    svg: str | None = None,
    pdf: str | None = None,
    png: str | None = None,
    check: str | None = None,
    describe: str | None = None,
    json: bool = False,
) -> int:
    """Draw the layout and the table that a rulebook prescribes, or say what your table is missing.

    Without a file to write, everything that the table needs is listed with its clause.

    Parameters
    ----------
    rulebook
        The rulebook's id, as in nsw-pontoon.
    shape
        Of the boxes: circle, oval or rectangle, as far as the document allows it.
    inscription
        The wording on the cloth: full or short, where the document leaves the words free.
    diagram
        The document's own drawing to follow, as in plain or box-seat; by default the closest one.
    old_minimum
        A minimum that earlier players may keep, in dollars; both are then shown on signs.
    cashless
        No cash is taken at the table, so it needs no drop box.
    pre_shuffled
        Pre-shuffled cards are used.
    svg
        Write the drawing to this file.
    pdf
        Write it as PDF, a tenth of the real size.
    png
        Write it as a picture.
    check
        Say what the table described in this TOML file is missing; the exit code is 1 if anything is.
    describe
        Write a description of the required table to this TOML file, for --check.
    json
        Print one JSON object.
    """
    try:
        book = choose_rulebook(rulebook, (), ())
        if check is not None:
            return _check(book, check, as_json=json)
        chosen = _setup(choose_house(book, house or Choices()), old_minimum, cashless, pre_shuffled)
        setup = setup_for(book, msgspec.structs.replace(chosen, shape=shape, inscription=inscription, diagram=diagram))
        wrote = _write(book, setup, svg, pdf, png, describe)
    except (ChoiceError, LayoutError) as error:
        raise Unread(f"pitboss layout: {error}") from None
    items = needed(book, setup)
    if json:
        print(
            jsonlib.dumps({"rulebook": book.id, "wrote": wrote, "items": [msgspec.to_builtins(each) for each in items]})
        )
    elif wrote:
        print(f"Wrote {', '.join(wrote)}.")
    else:
        for item in items:
            print(*_row(item), sep="\t")
    return FINE


def _row(item: Any) -> tuple[str, ...]:
    text = f"{item.text}: {'; '.join(item.lines)}" if item.lines else item.text
    return (cite(item.clauses) if item.prescribed else "-", item.kind, text)


def _setup(house: House, old_minimum: str | None, cashless: bool, pre_shuffled: bool) -> Setup:
    return Setup(
        boxes=house.boxes,
        side_bets=house.side_bets,
        source=house.source,
        minimum_cents=house.minimum_cents,
        maximum_cents=house.maximum_cents,
        old_minimum_cents=0 if old_minimum is None else amount("--old-minimum", old_minimum),
        side_limits={kind: (least, most) for kind, (least, most) in house.side_limits.items()},
        cash=not cashless,
        pre_shuffled=pre_shuffled,
        compulsory_pairs=bool(house.required),
    )


def _write(
    book: Rulebook, setup: Setup, svg: str | None, pdf: str | None, png: str | None, describe: str | None
) -> list[str]:
    from pitboss.layout.drawing import as_pdf, as_png, as_svg

    drawn = as_svg(book, setup)
    wanted: list[tuple[str | None, bytes]] = [
        (svg, drawn.encode()),
        (pdf, as_pdf(drawn) if pdf else b""),
        (png, as_png(drawn) if png else b""),
        (describe, _toml(book, setup).encode()),
    ]
    files = [(name, body) for name, body in wanted if name is not None]
    for name, body in files:
        try:
            Path(name).write_bytes(body)
        except OSError as error:
            raise LayoutError(f"{name}: cannot be written: {(error.strerror or 'unknown').lower()}.") from None
    return [name for name, _ in files]


def _toml(book: Rulebook, setup: Setup) -> str:
    lines = [f"# A table of {book.name}, for pitboss layout {book.id} --check FILE."]
    return "\n".join(
        [*lines, *(f"{key} = {jsonlib.dumps(value)}" for key, value in described(book, setup).items()), ""]
    )


def _check(book: Rulebook, file: str, *, as_json: bool) -> int:
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"{file}: cannot be read: {getattr(error, 'strerror', '') or 'not a text'}.") from None
    lacking = lacks(book, read_found(text, file))
    if as_json:
        print(jsonlib.dumps({"rulebook": book.id, "lacks": [msgspec.to_builtins(each) for each in lacking]}))
    else:
        for each in lacking:
            print(f"{book.name} {each}")
        if not lacking:
            print(f"Nothing that {book.name} wants is missing.")
    return LACKING if lacking else FINE
