"""What a round record says, before anybody plays it.

A record holds drafts of acts: a box that the line leaves out is 0, and a shuffle has no order yet. Replaying completes
them from the table as it then stands. Where something stood in the file is kept, but does not count in comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pitboss.basics.cards import Card
from pitboss.rulebooks import load
from pitboss.rulebooks.amend import composed
from pitboss.rulebooks.editions import MissingEdition, edition
from pitboss.rulebooks.terms import Amendment, Rulebook
from pitboss.table.acts import AnyAct
from pitboss.table.house import House, Patron
from pitboss.table.session import SessionTerms

UNSAID_BOX = 0
"""The box of a draft whose line does not name one."""

ANY_CLAUSE = "*"

VariantValue: TypeAlias = "int | str | bool | list[VariantValue] | dict[str, VariantValue]"


class RecordError(ValueError):
    """A record that cannot be read or cannot be true: file, line and reason in one sentence."""

    def __init__(self, reason: str, *, file: str = "", line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.line = line

    def __str__(self) -> str:
        place = f"{printable(self.file)}:{self.line}" if self.file and self.line else printable(self.file)
        if not self.file and self.line:
            place = f"line {self.line}"
        return f"{place}: {self.reason}" if place else self.reason

    def placed(self, file: str, line: int = 0) -> RecordError:
        """The same complaint with its place, where it does not name one yet."""
        return RecordError(self.reason, file=self.file or file, line=self.line or line)


class MissingText(RecordError):
    """A record that names an edition whose text is not at hand."""

    def __init__(self, missing: MissingEdition, *, file: str = "", line: int = 0) -> None:
        super().__init__(printable(str(missing)), file=file, line=line)
        self.missing = missing


def printable(text: str) -> str:
    """Text that a terminal can show: whatever is no printable character is escaped."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)


def quoted(text: object, longest: int = 80) -> str:
    """What was read, in quotes and cut short, for a complaint about it."""
    shown = printable(text if isinstance(text, str) else _plain(text))
    if len(shown) > longest:
        shown = shown[: longest - 3] + "..."
    return f'"{shown}"'


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**40:
        return "a number of more than 40 digits"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return f"a table of {len(value)} keys"
    return str(value)


@dataclass(frozen=True, slots=True)
class Play:
    """One play line: the draft of an act, and the clause by which it must be refused."""

    act: AnyAct
    refused: str | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Expect:
    """What must come of a record; None where it does not say."""

    net_cents: Mapping[str, int] = field(default_factory=dict)
    dealer: tuple[Card, ...] | None = None
    left: int | None = None
    jackpot_cents: int | None = None
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Where each of them stands in the file."""

    @property
    def is_empty(self) -> bool:
        return not self.net_cents and self.dealer is None and self.left is None and self.jackpot_cents is None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands with the house when the record begins in the middle of a session."""

    present: bool | None = None
    """Whether they are at the table; None: if they have a seat."""
    minimum_cents: int = 0
    """A minimum of their own: an old one that they keep, or the one on their own sign; 0 for the table's."""
    maximum_cents: int = 0
    """A maximum of their own; 0 for the table's."""
    restricted: str = ""
    """By which of the rulebook's restrictions."""
    cover_splits: bool = False
    boxes: int = 0
    """To how many boxes they are held because others want to play; 0 for no limit."""
    reserved: tuple[int, ...] = ()
    """Boxes kept for them."""
    warned: bool = False
    """Was told that further wagers below the minimum go back."""
    played: tuple[int, ...] = ()
    """The rounds of this shoe, from 1, in which they wagered."""
    place: int = 0
    """The first box on which they wagered in the last round; 0 for none."""
    barred: str = ""
    """Why they are barred from the game."""
    paused: bool = False
    """Waits for the new period of their loss limit."""
    dispute: str = ""
    """How far a dispute of theirs has come: raised, ruled, review or final."""
    last_cents: int | None = None
    """What they won or lost in the round before, where that round is voided now; None where they did not play it."""
    last_final_cents: int | None = None
    """What its final settlement brought them."""
    last_staked_cents: int | None = None
    """What of their wagers lay there until then."""
    over_cents: int = 0
    """What they have lost beyond their loss limit, of which nothing is left then."""
    excluded: bool = False
    """Barred not only from the game, but from the casino."""
    card_due: bool = False
    """A wager of theirs was invalid: they show a player card of their own before they wager again."""


@dataclass(frozen=True, slots=True)
class Before:
    """How the table stands when the record begins in the middle of a session."""

    rounds: int = 0
    """Rounds played since the last shuffle."""
    rack: tuple[Card, ...] = ()
    """What lies in the discard rack."""
    burned: int = 0
    """How many of those were burned, the first of them."""
    final_rounds: int | None = None
    """Announced last rounds still to come."""
    players_cap: int = 0
    box_cap: int = 0
    closed: tuple[str, ...] = ()
    """Optional wagers open only to players with an original wager."""
    shuffle_reason: str = ""
    """Why a shuffle is due, where the record begins with one."""
    cutting_card_came: int | None = None
    """Where the cutting card came before that shuffle: a box, 0 for the dealer, -1 as the first card."""
    cutting_player: str = ""
    """Who called that box."""
    minimum_raised: bool = False
    """The minimum on the sign was raised while players were there."""
    jackpot_down: bool = False
    """The jackpot equipment has failed."""
    drawn_in_error: tuple[tuple[Card, bool], ...] = ()
    """Cards drawn in error that are the next to be dealt, and whether they are exposed."""
    approval_due: str = ""
    """The role that must approve before the game goes on."""
    shuffle_after: str = ""
    """Why the cards are shuffled after the next round."""
    discards_forgotten: bool = False
    """The discards will not go back into the device after the next initial deal."""
    device_down: bool = False
    """The shuffling device has failed: the cards come from a shoe."""
    new_cards_due: bool = False
    """New cards follow once those of the failed device are played out."""
    checks_due: tuple[str, ...] = ()
    """What is confirmed before the next deal, after a missing or foreign card: decks, surveillance, inspector."""


@dataclass(frozen=True, slots=True)
class Record:
    """One round record."""

    title: str
    rulebook: str
    stacks: tuple[tuple[Card, ...], ...]
    """The cards, split where a `/` says that a new stack begins."""
    play: tuple[Play, ...]
    house: House
    clauses: tuple[str, ...] = ()
    new_shoe: bool = False
    start: str = "ready"
    cutting_card: int | None = None
    players: Mapping[str, Patron] = field(default_factory=dict)
    standings: Mapping[str, Standing] = field(default_factory=dict)
    """Only those of whom there is something to say."""
    before: Before = field(default_factory=Before)
    variant: Mapping[str, VariantValue] = field(default_factory=dict)
    edition: str = ""
    """The digest of the text that it was written under; empty for whatever text is shipped."""
    amendments: tuple[Amendment, ...] = ()
    """Layers over the document, besides the study variant."""
    session: SessionTerms | None = None
    """The session of a tournament that is on when the record begins."""
    expect: Expect = field(default_factory=Expect)
    file: str = field(default="", compare=False)
    cards_line: int = field(default=0, compare=False)


def rulebook_of(record: Record) -> Rulebook:
    """By which rules a record is played."""
    return rules_of(record.rulebook, record.edition, record.amendments, record.variant)


def rules_of(
    rulebook: str, digest: str, amendments: tuple[Amendment, ...], variant: Mapping[str, VariantValue]
) -> Rulebook:
    """A document in an edition, or as it is shipped where none is named, with what amends it."""
    document = edition(rulebook, digest) if digest else load(rulebook)
    return composed(document, variant, amendments, again=False)
