"""The plain-line protocol: one line in, some lines out, the last of them always WAIT or BYE. See docs/protocol.md."""

from __future__ import annotations

import io
import json as jsonlib
import os
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import msgspec

from pitboss.basics.cards import format_cards
from pitboss.basics.money import plain_dollars
from pitboss.records.model import Record, RecordError, printable
from pitboss.records.saving import saved_text
from pitboss.table import acts as a
from pitboss.table.apply import evolve
from pitboss.table.declaring import DECLARED
from pitboss.table.events import Event
from pitboss.table.legal import Waiting
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.state import Table
from pitboss.table.telling import tell
from pitboss.table.views import Viewer, cards_seen_by, seen_by
from pitboss.terminal.felt import Felt, draw, money_line
from pitboss.terminal.session import Happening, RoundTold, Session
from pitboss.terminal.waiting import wait_to_read
from pitboss.terminal.why import Reason, about, gists, reasons
from pitboss.terminal.words import understand

FINE, BAD_INPUT = 0, 2
LONGEST_READ = 4096
PIECE = 65536
VIEW_WIDTH = 75
"""With the word before it a line of the view has 80 columns."""


class Protocol:
    """One session spoken in lines."""

    def __init__(self, session: Session, out: TextIO, *, save: Path | None = None) -> None:
        self.session = session
        self.out = out
        self.save_to = save
        self.unread_lines = 0
        self.told_rounds = 0
        self.told_end = False
        seats = (*session.boxes, *session.bots.values())
        self.felt = Felt(session.rulebook, session.table.house, session.name, seats)

    # --- the conversation ---

    def serve(self, read: Callable[[], str | None]) -> int:
        """Talk until the other side stops; `read` gives the next line, or None at the end."""
        self.greet()
        self.rest()
        while True:
            self.wait()
            line = read()
            if line is None:
                break
            if not self.heard(line):
                break
            self.rest()
        self.bye()
        return BAD_INPUT if self.unread_lines else FINE

    def heard(self, line: str) -> bool:
        """Answer one line; False where it says goodbye."""
        session = self.session
        try:
            said = understand(line, session)
            if said.question == "quit":
                return False
            if said.question:
                self.answer(said.question, said.rest)
            for happening in session.do(*said.acts):
                self.happened(happening)
        except Refused as refused:
            self.refused(refused.refusal)
        except RecordError as error:
            self.unread_lines += 1
            self.unread(str(error))
        return True

    def rest(self) -> None:
        """Let everything happen that needs nobody's word."""
        for happening in self.session.run():
            self.happened(happening)
        self.tell_rounds()
        if self.session.over and not self.told_end:
            self.told_end = True
            self.note("the arranged cards are used up: no round is dealt any more")

    def tell_rounds(self) -> None:
        self.told_rounds = min(self.told_rounds, self.session.rounds)  # one that is laid again is told again
        for told in self.session.history:
            if told.number > self.told_rounds:
                self.told_rounds = told.number
                self.round_told(told)

    def happened(self, happening: Happening) -> None:
        viewer = Viewer("player", self.session.name)
        table = happening.before
        for event in happening.events:
            table = evolve(table, (event,))
            self.felt.follow(event, table)
            seen = cards_seen_by(viewer, event, table)
            if seen is not None:
                self.event(seen)

    def answer(self, question: str, rest: str) -> None:
        session = self.session
        if question == "why":
            if rest:
                found = about(rest, session.rulebook)
                if not found:
                    raise RecordError(f'"{printable(rest[:40])}": {session.rulebook.name} has no such clause')
                self.why((Reason("", found),))
            else:
                self.why(reasons(session.last, session.rulebook))
        elif question == "legal":
            self.legal(session.legal_lines())
        elif question == "view":
            self.view(session.table)
        elif question == "history":
            for told in session.history:
                self.round_told(told)
        elif question == "money":
            self.money()
        elif question == "save":
            self.save(rest)
        elif question == "help":
            self.help()

    def save(self, rest: str) -> None:
        """Save the session, or with ``round FILE`` the last round."""
        word, _, name = rest.partition(" ")
        only_round = word == "round" and bool(name.strip())
        target = name.strip() if only_round else rest.strip()
        if not target:
            raise RecordError("save where? Write save FILE.round, or save round FILE.round for the last round only")
        record = self.session.round_record() if only_round else self.session.session_record()
        if record is None:
            raise RecordError("no round is finished yet: there is nothing to save")
        write_record(target, saved_text(record))
        self.saved(target, len(record.play))

    def keep(self) -> Record | RecordError | None:
        """Save what was to be saved, without a word; None where there is nothing to save."""
        record = self.session.session_record()
        if record is None:
            return None
        try:
            write_record(str(self.save_to), saved_text(record))
        except RecordError as error:
            return error
        return record

    def bye(self) -> None:
        """Save what was to be saved, and say how it stands."""
        session = self.session
        if self.save_to is not None:
            kept = self.keep()
            if kept is None:
                self.note("no round was finished: nothing is saved")
            elif isinstance(kept, RecordError):
                self.unread_lines += 1
                self.unread(str(kept))
            else:
                self.saved(str(self.save_to), len(kept.play))
        if session.in_round:
            self.note("the round is not finished: wagers stand where they are, nothing more is paid or collected")
        self.goodbye()

    # --- what is said; text and JSON differ here only ---

    def greet(self) -> None:
        raise NotImplementedError

    def event(self, event: Event) -> None:
        raise NotImplementedError

    def wait(self) -> None:
        raise NotImplementedError

    def refused(self, refusal: Refusal) -> None:
        raise NotImplementedError

    def unread(self, text: str) -> None:
        raise NotImplementedError

    def note(self, text: str) -> None:
        raise NotImplementedError

    def why(self, found: Iterable[Reason]) -> None:
        raise NotImplementedError

    def legal(self, lines: Iterable[str]) -> None:
        raise NotImplementedError

    def view(self, table: Table) -> None:
        raise NotImplementedError

    def round_told(self, told: RoundTold) -> None:
        raise NotImplementedError

    def money(self) -> None:
        raise NotImplementedError

    def saved(self, file: str, acts: int) -> None:
        raise NotImplementedError

    def help(self) -> None:
        raise NotImplementedError

    def goodbye(self) -> None:
        raise NotImplementedError

    # --- shared ---

    def people(self) -> list[str]:
        """Everybody at the table who is no bot."""
        return [name for name in self.session.table.players if name not in self.session.bots]

    def wait_facts(self) -> dict[str, Any]:
        """What the table waits for, as plain data."""
        session = self.session
        if session.over:
            return {"what": "end", "acts": ["quit"]}
        waiting = session.waiting()
        facts: dict[str, Any] = {"what": waiting.what}
        if waiting.what not in ("wagers", "insurance", "surrender"):
            facts["player"] = waiting.who[0]
        if waiting.box:
            hand = session.table.boxes[waiting.box].hands[waiting.hand]
            facts |= {"box": waiting.box, "hand": waiting.hand, "cards": format_cards(hand.cards)}
            facts |= {"total": hand.total, "soft": hand.soft, "dealer": format_cards(session.table.dealer_cards)}
        if waiting.what == "cut":
            facts["least"], facts["most"] = session.cut_range()
        elif waiting.what == "insurance":
            facts["offers"] = [[act.player, act.box, act.cents] for act in session.offers(a.Insure)]
        elif waiting.what == "surrender":
            facts["offers"] = [[act.player, act.box] for act in session.offers(a.Surrender)]
        facts["acts"] = wait_acts(waiting, session)
        return facts


def wait_acts(waiting: Waiting, session: Session) -> list[str]:
    """Short words for what may be said now."""
    words = [DECLARED[name].typed[0] for name in waiting.acts if DECLARED[name].typed]
    wagers = any(box.wagers for box in session.table.boxes.values())
    if waiting.what == "wagers" and not wagers and not session.bots:
        words.remove("deal")
    return words


def write_record(target: str, text: str) -> None:
    """Write a record; raises `RecordError` where the file cannot be written or its name would not tell what it is."""
    if not target.endswith(".round"):
        raise RecordError("the file must end in .round, as in evening.round", file=target)
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RecordError(f"cannot be written: {(error.strerror or 'no such place').lower()}", file=target) from None
    except ValueError:
        raise RecordError("cannot be written: no file can have this name", file=target) from None


class TextProtocol(Protocol):
    """Lines for people and simple bots: a word in capitals, then words and ``key=value``."""

    def line(self, word: str, text: str = "") -> None:
        print(f"{word} {printable(text)}".rstrip(), file=self.out, flush=word in ("WAIT", "BYE"))

    def greet(self) -> None:
        session = self.session
        house = session.table.house
        self.line("TABLE", session.rulebook.name)
        facts = {
            "rulebook": session.rulebook.id,
            "decks": house.decks,
            "source": house.source,
            "minimum": plain_dollars(house.minimum_cents),
            "maximum": plain_dollars(house.maximum_cents),
            "boxes": house.boxes,
            "side-bets": ",".join(house.side_bets) or "none",
        }
        self.line("SIGN", _pairs(facts))
        self.line("SEAT", _pairs({"player": session.name, "boxes": _commas(session.boxes), **self.chips(session.name)}))
        for bot, box in session.bots.items():
            self.line("SEAT", _pairs({"player": bot, "boxes": box, "bot": "yes"}))

    def event(self, event: Event) -> None:
        self.line("EVENT", tell(event, self.session.rulebook))

    def wait(self) -> None:
        facts = self.wait_facts()
        what = facts.pop("what")
        if "cards" in facts:
            facts["cards"] = facts["cards"].replace(" ", ",")
            facts["dealer"] = facts["dealer"].replace(" ", ",") or "none"
            facts["soft"] = "yes" if facts["soft"] else "no"
        if what == "insurance":
            facts["offers"] = [f"{player}/{box}/{plain_dollars(cents)}" for player, box, cents in facts["offers"]]
        elif what == "surrender":
            facts["offers"] = [f"{player}/{box}" for player, box in facts["offers"]]
        self.line("WAIT", f"{what} {_pairs(facts)}")

    def refused(self, refusal: Refusal) -> None:
        self.line("REFUSED", str(refusal))

    def unread(self, text: str) -> None:
        self.line("UNREAD", text)

    def note(self, text: str) -> None:
        self.line("NOTE", text)

    def why(self, found: Iterable[Reason]) -> None:
        for reason in found:
            if reason.text:
                self.line("WHY", reason.text)
            for _, number, gist in reason.clauses:
                self.line("CLAUSE", f"{number}: {gist}")

    def legal(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.line("LEGAL", line)

    def view(self, table: Table) -> None:
        session = self.session
        net = session.table.net[session.name] + session.on_table_cents()
        self.felt.money = money_line(session.name, session.chips_cents(), session.on_table_cents(), net)
        for line in draw(self.felt, VIEW_WIDTH, ascii_only=not speaks_unicode(self.out)):
            print("VIEW", line.text, file=self.out)

    def round_told(self, told: RoundTold) -> None:
        facts: dict[str, Any] = {"number": told.number, "dealer": ",".join(told.dealer), "total": told.dealer_total}
        self.line("ROUND", _pairs(facts | {name: _signed(cents) for name, cents in told.net_cents.items()}))

    def money(self) -> None:
        for name in self.people():
            self.line("MONEY", _pairs({"player": name, **self.chips(name)}))

    def chips(self, name: str) -> dict[str, str]:
        session = self.session
        state = session.table.players[name]
        facts = {} if state.chips_cents is None else {"chips": plain_dollars(session.chips_cents(name))}
        return facts | {
            "wagered": plain_dollars(session.on_table_cents(name)),
            "net": _signed(session.table.net[name] + session.on_table_cents(name)),
        }

    def saved(self, file: str, acts: int) -> None:
        self.line("SAVED", f"{file} ({acts} acts)")

    def help(self) -> None:
        for text in HELP:
            self.line("HELP", text)

    def goodbye(self) -> None:
        self.money()
        self.line("BYE", _pairs({"rounds": self.session.rounds, "seed": self.session.seed}))


HELP = (
    "acts: bet 25 | bet 25 on 1 | 1=25 3=50 pp=5 | again | withdraw on 1 | deal | cut 96 | cut | no",
    "acts: insure 5 on 1 | surrender on 1 | hit | stand | double | double 10 | split | keep | forfeit | expose",
    "any line of a record does too: alice bets 25 on 1, dealer deals, alice doubles 10 on 1",
    "questions: why | why 12.1 | legal | view | history | money | save FILE.round | save round FILE.round | quit",
)


class JsonProtocol(Protocol):
    """The same conversation, one JSON object a line."""

    def line(self, kind: str, facts: dict[str, Any]) -> None:
        text = jsonlib.dumps({"type": kind, **facts}, ensure_ascii=False)
        print(text, file=self.out, flush=kind in ("wait", "bye"))

    def greet(self) -> None:
        session = self.session
        view = seen_by(Viewer("player", session.name), session.table)
        self.line(
            "table",
            {
                "rulebook": session.rulebook.id,
                "name": session.rulebook.name,
                "variant": session.rulebook.variant or None,
                "sign": view["sign"],
                "boxes": session.table.house.boxes,
                "player": session.name,
                "own_boxes": list(session.boxes),
                "bots": session.bots,
                "chips_cents": session.chips_cents(),
            },
        )

    def event(self, event: Event) -> None:
        data = msgspec.to_builtins(event)
        self.line("event", {**data, "text": tell(event, self.session.rulebook)})

    def wait(self) -> None:
        facts = self.wait_facts()
        if "cards" in facts:
            facts["cards"], facts["dealer"] = facts["cards"].split(), facts["dealer"].split()
        if facts["what"] == "insurance":
            facts["offers"] = [{"player": who, "box": box, "cents": cents} for who, box, cents in facts["offers"]]
        elif facts["what"] == "surrender":
            facts["offers"] = [{"player": who, "box": box} for who, box in facts["offers"]]
        self.line("wait", {**facts, "lines": list(self.session.legal_lines())})

    def refused(self, refusal: Refusal) -> None:
        clauses = gists(refusal.clauses, self.session.rulebook)
        self.line("refused", {"clauses": [key for key, _, _ in clauses], "text": str(refusal)})

    def unread(self, text: str) -> None:
        self.line("unread", {"text": text})

    def note(self, text: str) -> None:
        self.line("note", {"text": text})

    def why(self, found: Iterable[Reason]) -> None:
        for reason in found:
            clauses = [{"clause": key, "number": number, "gist": gist} for key, number, gist in reason.clauses]
            self.line("why", {"text": reason.text, "clauses": clauses})

    def legal(self, lines: Iterable[str]) -> None:
        self.line("legal", {"lines": list(lines)})

    def view(self, table: Table) -> None:
        self.line("view", {"view": seen_by(Viewer("player", self.session.name), table)})

    def round_told(self, told: RoundTold) -> None:
        self.line(
            "round",
            {
                "number": told.number,
                "dealer": list(told.dealer),
                "dealer_total": told.dealer_total,
                "boxes": {str(box): [list(cards) for cards in hands] for box, hands in told.boxes.items()},
                "net_cents": told.net_cents,
            },
        )

    def money(self) -> None:
        self.line("money", {"players": self.balances()})

    def balances(self) -> dict[str, Any]:
        session = self.session
        found: dict[str, Any] = {}
        for name in self.people():
            wagered = session.on_table_cents(name)
            known = session.table.players[name].chips_cents is not None
            found[name] = {
                "chips_cents": session.chips_cents(name) if known else None,
                "wagered_cents": wagered,
                "net_cents": session.table.net[name] + wagered,
            }
        return found

    def saved(self, file: str, acts: int) -> None:
        self.line("saved", {"file": printable(file), "acts": acts})

    def help(self) -> None:
        self.line("help", {"lines": list(HELP)})

    def goodbye(self) -> None:
        session = self.session
        facts = {"rounds": session.rounds, "seed": session.seed, "players": self.balances()}
        self.line("bye", {**facts, "in_round": session.in_round})


def speaks_unicode(stream: TextIO) -> bool:
    """Whether suits and lines can be written to a stream."""
    try:
        "♠╭".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _pairs(facts: dict[str, Any]) -> str:
    return " ".join(f"{key}={_commas(value) if isinstance(value, list) else value}" for key, value in facts.items())


def _commas(values: Iterable[object]) -> str:
    return ",".join(map(str, values)) or "none"


def _signed(cents: int) -> str:
    return f"+{plain_dollars(cents)}" if cents > 0 else plain_dollars(cents)


def reader(stream: TextIO) -> Callable[[], str | None]:
    """Lines from a stream, None at its end; what is longer than any line is cut and the rest of it thrown away.

    Bytes that are no text become signs that no line has, so that they are answered and not fatal.
    """
    more = _typed(stream)
    held, ended = "", False

    def read() -> str | None:
        nonlocal held, ended
        while "\n" not in held and not ended:
            new = more()
            held, ended = held[:LONGEST_READ] + new, not new
        if ended and not held:
            return None
        line, _, held = held.partition("\n")
        return line[:LONGEST_READ].rstrip("\r")

    return read


def _typed(stream: TextIO) -> Callable[[], str]:
    """What comes next from a stream, waited for so that no signal is missed; nothing at its end."""
    try:
        descriptor = stream.fileno()
    except OSError:  # text in memory
        return partial(stream.readline, LONGEST_READ)
    decode = io.IncrementalNewlineDecoder(getincrementaldecoder(stream.encoding)("replace"), translate=True).decode

    def more() -> str:
        while True:
            wait_to_read(descriptor)
            data = os.read(descriptor, PIECE)
            if (text := decode(data, final=not data)) or not data:
                return text

    return more
