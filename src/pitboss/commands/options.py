"""Options that several commands have, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import Parameter


def _helped(text: str, name: str | None = None) -> Parameter:
    return Parameter(name=name, help=text)


LogAt: TypeAlias = Annotated[
    str, _helped("A path, the folder of `pitboss serve --data`, sqlite:///path or postgresql://user@host/database.")
]
AsJson: TypeAlias = Annotated[bool, _helped("Print one JSON object.")]
RulebookId: TypeAlias = Annotated[str, _helped("The rulebook's id, as in nsw-pontoon.")]
EditionNamed: TypeAlias = Annotated[
    str | None, _helped("Use another edition: at least the first twelve digits of its digest.")
]
EditionsIn: TypeAlias = Annotated[str | None, _helped("A folder with other editions.")]
Decks: TypeAlias = Annotated[
    str | None, _helped("How many decks, or infinite; by default, as many as a table opens with.")
]
ShoeLeft: TypeAlias = Annotated[
    str | None, _helped('The cards that are left, as in "7s 7h Kdx8"; x8 counts a card eight times.')
]
Resplit: TypeAlias = Annotated[
    bool, _helped("The house allows the re-splits that the document leaves to it (NSW 13.9).")
]
SetForStudy: TypeAlias = Annotated[
    list[str] | None,
    _helped("Change a term for study, as in --set dealer.soft_stand=17; repeatable.", "--set"),
]
Html: TypeAlias = Annotated[Path | None, _helped("Write a self-contained page that prints well.", "--html")]
Csv: TypeAlias = Annotated[Path | None, _helped("Write every row as a table.", "--csv")]
Parquet: TypeAlias = Annotated[Path | None, _helped("Write every row as Parquet; needs the extra charts.", "--parquet")]
