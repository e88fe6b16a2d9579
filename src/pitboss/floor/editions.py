"""The texts of rulebooks in a log: a table is played, to its end and whenever it is read again, by that of its opening.

The stream ``rulebook:<digest>`` holds the text of one edition (`pitboss.rulebooks.canonical`), once. It is written with
the opening of the first table, or jackpot, that is played by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitboss.floor.attachments import Spanning
from pitboss.floor.model import Answer, Opening
from pitboss.rulebooks import editions, load
from pitboss.store.log import Entry, Log, NewEntry, Part

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

decode_opening = msgspec.json.Decoder(Opening).decode


def text_stream(digest: str) -> str:
    return f"rulebook:{digest}"


class _Edition(msgspec.Struct, frozen=True):
    edition: str = ""


class _Opened(msgspec.Struct, frozen=True):
    """As much of an entry of the stream `floor` as says under which text something was opened."""

    edition: str = ""
    opening: _Edition = _Edition()


_decode = msgspec.json.Decoder(_Opened).decode


class Texts(Spanning):
    """Which texts are in the log: whatever names one first brings it along."""

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor)
        self.known: set[str] = set()

    def fold(self, entry: Entry) -> None:
        if entry.kind in ("table-opened", "link-opened", "tournament-opened"):
            said = _decode(entry.body)
            self.known.update((said.edition, said.opening.edition))

    def outrun(self, stream: str) -> None:
        """A training, which is in no opening, may have brought the text along."""
        if stream.startswith(text_stream("")):
            self.known.add(stream.removeprefix(text_stream("")))

    def opens(self, table: str, opening: Opening) -> Answer | tuple[Part, ...]:
        return self.part(opening.rulebook, opening.edition)

    def part(self, rulebook: str, edition: str) -> tuple[Part, ...]:
        """The text of an edition, where the log does not have it yet."""
        if edition in self.known:
            return ()
        return (Part(text_stream(edition), 0, (NewEntry("text", editions.text(rulebook, edition)),)),)


def texts_of(floor: Floor) -> Texts:
    return next(kind for kind in floor.spanning if isinstance(kind, Texts))


def with_edition(opening: Opening) -> Opening:
    """A new opening, under the edition that is shipped."""
    return msgspec.structs.replace(opening, edition=load(opening.rulebook).edition)


def read_opening(log: Log, entry: Entry) -> Opening:
    """The opening in the first entry of a table's stream, once the text that it names is known. Blocking."""
    opening = decode_opening(entry.body)
    learn_from(log, opening.rulebook, opening.edition)
    return opening


def learn_from(log: Log, rulebook: str, edition: str) -> None:
    """Read a text from the log, unless it is known. Blocking."""
    if edition and not editions.is_known(rulebook, edition):
        for entry in log.read(text_stream(edition), 0, 1):
            editions.learn(entry.body)
