"""`pitboss play`: a table in the terminal, or in lines for a bot."""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from pitboss.chance import Chance
from pitboss.commands import Unread, look_for_editions
from pitboss.commands.options import EditionNamed, EditionsIn
from pitboss.records.model import RecordError
from pitboss.table.wagers import is_name
from pitboss.terminal.opening import (
    ChoiceError,
    Choices,
    amount,
    arranged_cards,
    choose_house,
    choose_rulebook,
    own_boxes,
    short,
)
from pitboss.terminal.protocol import JsonProtocol, Protocol, TextProtocol, reader
from pitboss.terminal.session import Session

if TYPE_CHECKING:
    from pitboss.coach.judging import Coach

FINE = 0
BANKROLL_MAX_CENTS = 10**11
PACE_MAX_SECONDS = 5.0


def play(
    rulebook: str | None = None,
    *,
    boxes: str = "1",
    name: str = "alice",
    bankroll: str = "1000",
    no_card: bool = False,
    loss_limit: str | None = None,
    bots: int = 0,
    seed: str | None = None,
    cards: str | None = None,
    save: str | None = None,
    house: Annotated[Choices | None, Parameter(name="*")] = None,
    set: Annotated[list[str] | None, Parameter(name="--set")] = None,
    amend: list[str] | None = None,
    edition: EditionNamed = None,
    editions: EditionsIn = None,
    dealer: str = "automatic",
    pace: float = 0.2,
    coach: bool = False,
    plain: bool = False,
    json: bool = False,
) -> int:
    """Play at a table.

    In a terminal the table is drawn and each key is a decision. Through a pipe, or with --plain or --json, the table
    reads and writes lines, so that a bot in any language can play.

    Parameters
    ----------
    rulebook
        The rulebook's id, as in nsw-pontoon; without one, a menu of the five.
    boxes
        The boxes you play, as in 1,3.
    name
        Your name at the table.
    bankroll
        Your starting chips, in dollars.
    no_card
        Play without a valid player card.
    loss_limit
        The most you are prepared to lose, in dollars.
    bots
        How many other players join; they wager the minimum and draw like the dealer.
    seed
        Repeat a session: its seed is printed at the end.
    cards
        An arranged shoe, as in "6s 9h 5d Kc": the cards come out in this order.
    save
        Save the session as a record, as in evening.round.
    set
        Change a term of the rulebook for study, as in dealer.soft_stand=17.
    amend
        Apply an amendment: a TOML file, or the name of one in the document, as in tournament; repeatable.
    dealer
        automatic, or manual to shuffle, place the cutting card and close offers yourself.
    pace
        Seconds between cards when the table is drawn.
    coach
        Play with a coach: c shows what each choice is worth, and mistakes are listed after the round and at the end.
        For practice only, so not with --date. Needs the extra maths.
    plain
        Use plain lines in a terminal too.
    json
        Use lines of JSON.
    """
    look_for_editions(editions)
    by_hand = not plain and not json and sys.stdin.isatty() and sys.stdout.isatty()
    read = None if by_hand else reader(sys.stdin)
    try:
        if dealer not in ("automatic", "manual"):
            raise ChoiceError(f"--dealer is automatic or manual, not {short(dealer)!r}")
        if rulebook is None:
            rulebook = _menu(read, json)
            if rulebook is None:
                return FINE
        book = choose_rulebook(rulebook, set or (), amend or (), edition)
        terms = choose_house(book, house or Choices())
        session = Session(
            book,
            terms,
            name=_name(name),
            boxes=own_boxes(boxes, terms),
            bankroll_cents=_bankroll(bankroll),
            card=not no_card,
            loss_limit_cents=None if loss_limit is None else amount("--loss-limit", loss_limit),
            seed=_seed(seed),
            cards=None if cards is None else arranged_cards(cards, terms),
            bots=_bots(bots, terms.boxes),
            dealer_acts=dealer == "automatic",
        )
        target = _target(save)
        adviser = _coach(session, by_hand=by_hand) if coach else None
        seconds = _pace(pace)
    except ChoiceError as error:
        raise Unread(f"pitboss play: {error}") from None
    _end_as_if_interrupted()
    if read is None:
        from pitboss.terminal.table_screen import sit_down

        return sit_down(session, save=target, pace=seconds, coach=adviser)
    kind: type[Protocol] = JsonProtocol if json else TextProtocol
    protocol = kind(session, sys.stdout, save=target)
    try:
        code = protocol.serve(read)
    except KeyboardInterrupt:
        protocol.bye()
        return FINE
    except OSError:  # nobody reads any more
        if target is not None:
            protocol.keep()
        raise
    return FINE if sys.stdin.isatty() else code


def _coach(session: Session, *, by_hand: bool) -> Coach:
    """Whoever knows what a choice is worth, where people practise (NSW 19.6, 19.11)."""
    if not by_hand:
        raise ChoiceError("--coach is for the table that is drawn in a terminal")
    if not session.table.house.is_practice:
        raise ChoiceError("--coach is for practice: it does not go with --date")
    from pitboss.maths.shoes import MathsError

    try:
        from pitboss.coach.judging import Coach
    except MathsError as missing:
        raise ChoiceError(f"--coach: {missing}") from None
    return Coach()


def _end_as_if_interrupted() -> None:
    """A terminal that is closed and a process that is told to end are left as by Ctrl-C: the session is saved.

    A terminal that goes away is often told of twice: what comes after the first signal does not stop the saving.
    """
    ends = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def interrupt(number: int, frame: object) -> None:
        for each in ends:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for each in ends:
        signal.signal(each, interrupt)


def _menu(read: Callable[[], str | None] | None, json: bool) -> str | None:
    """The rulebook that somebody chooses; None where nobody does."""
    if read is None:
        from pitboss.terminal.table_screen import choose_game

        return choose_game()
    from pitboss.terminal.menu import ask_for_rulebook

    return ask_for_rulebook(read, sys.stdout, json=json)


def _name(name: str) -> str:
    if not is_name(name):
        text = "use 1 to 32 letters, digits, _ or -, beginning with a letter, and no word for staff"
        raise ChoiceError(f"--name: {short(name)!r} cannot be a player's name: {text}")
    return name


def _bankroll(text: str) -> int:
    cents = amount("--bankroll", text)
    if not 0 < cents <= BANKROLL_MAX_CENTS:
        raise ChoiceError("--bankroll is above zero and at most a billion dollars")
    return cents


def _bots(bots: int, layout: int) -> int:
    if not 0 <= bots < layout:
        raise ChoiceError(f"--bots is from 0 to {layout - 1} at this table, not {bots}")
    return bots


def _pace(pace: float) -> float:
    if not 0 <= pace < math.inf:
        raise ChoiceError(f"--pace is a number of seconds, 0 or more, not {pace}")
    return min(PACE_MAX_SECONDS, pace)


def _seed(seed: str | None) -> str:
    """A seed from the operating system's generator where none is given, so that the session can be repeated."""
    if seed is None:
        return str(Chance().below(10**12))
    if not seed or len(seed) > 100 or not seed.isprintable():
        raise ChoiceError("--seed is 1 to 100 printable characters")
    return seed


def _target(save: str | None) -> Path | None:
    """Where the record will go; a place that cannot be written to is told before anybody plays."""
    if save is None:
        return None
    if not save.endswith(".round"):
        raise ChoiceError(f"--save {short(save)!r}: the file must end in .round, as in evening.round")
    try:
        path = Path(save)
        if path.is_dir() or not path.parent.is_dir():
            raise RecordError("is a folder" if path.is_dir() else "there is no such folder")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise RecordError("cannot be written")
    except RecordError as error:
        raise ChoiceError(f"--save {short(save)}: {error.reason}") from None
    except (OSError, ValueError):
        raise ChoiceError(f"--save {short(save)!r}: no file can have this name") from None
    return path
