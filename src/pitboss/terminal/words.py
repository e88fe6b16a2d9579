"""What somebody types: whole lines of the record grammar, short words and single letters, and questions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pitboss.basics.money import parse_cents
from pitboss.records.lines import parse
from pitboss.records.model import RecordError, quoted
from pitboss.rulebooks.vocabulary import OPTIONAL_WAGERS, side_bet_name, side_bet_sign
from pitboss.table import acts as a
from pitboss.table.acts import ORIGINAL, AnyAct
from pitboss.table.declaring import DECLARED
from pitboss.terminal.session import Session, complete

LONGEST_LINE = 500

SIDE_CODES = {side_bet_sign(kind).lower(): kind for kind in OPTIONAL_WAGERS}

QUESTIONS = {
    "why": "why",
    "?": "why",
    "legal": "legal",
    "l": "legal",
    "view": "view",
    "v": "view",
    "history": "history",
    "y": "history",
    "money": "money",
    "m": "money",
    "save": "save",
    "w": "save",
    "help": "help",
    "quit": "quit",
    "exit": "quit",
    "bye": "quit",
    "q": "quit",
}

SHORT_VERBS = {
    word: said.lines[0].pattern.split()[1]
    for said in DECLARED.values()
    if said.lines and said.lines[0].pattern.startswith("<player>")
    for word in said.typed
    if word != "no"
}
"""The short words of players' acts, and the verb that a record has for each."""

ON_CARDS = ("hits", "stands", "doubles", "splits", "insures", "surrenders", "forfeits", "keeps", "exposes")
"""What is done with a hand only."""

_WAGER = re.compile(rf"(?:([1-9])?({'|'.join(SIDE_CODES)})?[=:])?\$?(\d{{1,9}}(?:\.\d{{1,2}})?)", re.ASCII)
_LIKE_A_WAGER = re.compile(r"([1-9])?(\w*)[=:](.*)")


@dataclass(frozen=True, slots=True)
class Said:
    """What a line asks for: acts, or a question with what follows it."""

    acts: tuple[AnyAct, ...] = ()
    question: str = ""
    rest: str = ""


def understand(text: str, session: Session) -> Said:
    """What a line means at this moment; raises `RecordError` with what would have been right."""
    text = text.strip().removeprefix(":")
    if len(text) > LONGEST_LINE:
        raise RecordError(f"{quoted(text, 40)}: longer than {LONGEST_LINE} characters, no line is")
    words = text.split()
    if not words:
        return Said(question="nothing")
    if any(sign.isdigit() and not sign.isascii() for sign in text):
        raise RecordError(f"{quoted(text, 40)}: write numbers with the digits 0 to 9")
    first = words[0].lower()
    rest = text.split(None, 1)[1].strip() if len(words) > 1 else ""
    if first in QUESTIONS:
        return Said(question=QUESTIONS[first], rest=rest)
    if first.startswith("?"):
        return Said(question="why", rest=text.strip()[1:].strip())
    if first in ("a", "again", "b") and not rest:
        return Said(acts=_again(session))
    if first == "deal" and not rest:
        return Said(acts=(a.Deal(),))
    if first in ("n", "no", "none") and not rest:
        return Said(acts=(_no(session),))
    if _all_wagers(words):
        return Said(acts=_wagers(words, session))
    _no_such_wager(words, session)
    if first in SHORT_VERBS and not _is_whole_line(words):
        _cards_are_out(first, session)
        return Said(acts=_short(first, words[1:], session))
    try:
        return Said(acts=(complete(parse(text), session),))
    except RecordError as error:
        if len(words) > 1 or session.over or session.waiting().what != "wagers":
            raise
        raise RecordError(f"{error.reason}; now {wagers_wanted(session)}") from None


def wagers_wanted(session: Session) -> str:
    """What may be typed while the table waits for wagers."""
    if any(session.name in box.wagers for box in session.table.boxes.values()):
        return "write deal, or more wagers, as in 25 (? why, l legal, q leave)"
    again = ", b for the wagers of the last round" if session.again() else ""
    return f"write an amount, as in 25 or 1=25 pp=5{again} (? why, l legal, q leave)"


def _cards_are_out(word: str, session: Session) -> None:
    """Of whoever has no wager yet a decision is a misunderstanding; with one, the rules say why not."""
    wagered = any(session.name in box.wagers for box in session.table.boxes.values())
    if SHORT_VERBS[word] in ON_CARDS and not wagered and not session.over and session.waiting().what == "wagers":
        raise RecordError(f"{quoted(word)}: no cards are out yet; {wagers_wanted(session)}")


def _is_whole_line(words: list[str]) -> bool:
    """A player may be called ``hit``: a known verb after the first word makes it a whole line."""
    return len(words) > 1 and words[1] in SHORT_VERBS.values()


def _again(session: Session) -> tuple[AnyAct, ...]:
    acts = session.again()
    if not acts:
        raise RecordError("there is no wager to repeat yet: write an amount, as in 25")
    return acts


def _no(session: Session) -> AnyAct:
    """``no`` to whatever is being offered."""
    waiting = session.waiting()
    if waiting.what == "insurance":
        return a.CloseInsurance()
    if waiting.what == "surrender":
        return a.CloseSurrender()
    if waiting.what == "cut":
        return a.DeclineCut(waiting.who[0])
    if waiting.what == "answer":
        return a.Decline(waiting.who[0], waiting.box)
    raise RecordError('"no": nothing is being offered that could be declined')


def _speaker(session: Session) -> str:
    """Who is meant where a line names nobody: the player whose word is awaited."""
    waiting = session.waiting()
    people = [name for name in waiting.who if name not in session.bots and name not in ("dealer", "link")]
    return session.name if not people or session.name in people else people[0]


def _short(first: str, rest: list[str], session: Session) -> tuple[AnyAct, ...]:
    verb = SHORT_VERBS[first]
    who = _speaker(session)
    if verb == "bets" and _all_wagers(rest):
        return _wagers(rest, session)
    if verb == "cuts" and not rest:
        return (a.Cut(who, session.random_cut() if session.waiting().what == "cut" else 0),)
    if verb == "declines" and not rest:
        return (_no(session),)
    if verb == "insures" and (not rest or rest[0] == "on"):
        return (_full_insurance(who, rest, session),)
    if first in ("take-back", "play-on") and not rest:
        rest = [first.rpartition("-")[2]]
    return (complete(parse(" ".join([who, verb, *rest])), session),)


def _full_insurance(who: str, rest: list[str], session: Session) -> AnyAct:
    """Insurance without an amount is for as much as the rules allow."""
    draft = complete(parse(" ".join([who, "surrenders", *rest])), session) if rest else None
    offers = [offer for offer in session.offers(a.Insure) if offer.player == who]
    if draft is not None and isinstance(draft, a.Surrender):
        offers = [offer for offer in offers if offer.box == draft.box]
    if offers:
        found: AnyAct = offers[0]
        return found
    box = draft.box if isinstance(draft, a.Surrender) else (session.boxes[0] if who == session.name else 1)
    return a.Insure(who, box, session.table.house.smallest_chip_cents)


# --- wagers in short -------------------------------------------------------------------------------------------------


def _all_wagers(words: list[str]) -> bool:
    return bool(words) and all(_WAGER.fullmatch(word.lower()) for word in words)


def optional_wagers(session: Session) -> str:
    """The optional wagers of the table with the letters for each, as in ``pp Perfect Pairs, b7 Blazing 7s``."""
    offered = session.table.house.side_bets
    return ", ".join(f"{code} {side_bet_name(kind)}" for code, kind in SIDE_CODES.items() if kind in offered)


def _no_such_wager(words: list[str], session: Session) -> None:
    """Where all words look like wagers, say of the first that is none what is wrong with it."""
    like = [_WAGER.fullmatch(word.lower()) or _LIKE_A_WAGER.fullmatch(word) for word in words]
    if not all(like):
        return
    for word in words:
        if _WAGER.fullmatch(word.lower()):
            continue
        match = _LIKE_A_WAGER.fullmatch(word)
        code = match[2].lower() if match is not None else ""
        if not code or code in SIDE_CODES:
            amount = quoted(match[3] if match is not None else word, 20)
            raise RecordError(f"{quoted(word)}: {amount} is not an amount; write dollars, as in 25 or 2.50")
        known = optional_wagers(session)
        offered = f"; here there is {known}" if known else "; this table has none"
        raise RecordError(f"{quoted(word)}: no optional wager is called {quoted(code, 20)}{offered}")


def _wagers(words: list[str], session: Session) -> tuple[AnyAct, ...]:
    """``25`` is on each box of one's own, ``3=50`` on one box, ``pp=5`` and ``3pp=5`` are Perfect Pairs."""
    every: dict[str, int] = {}
    single: dict[tuple[int, str], int] = {}
    for word in words:
        match = _WAGER.fullmatch(word.lower())
        if match is None:
            raise RecordError(f"{quoted(word)} is not a wager: write an amount, or a box and an amount, as in 3=50")
        box, code, amount = match.groups()
        kind = SIDE_CODES[code] if code else ORIGINAL
        if kind in every if box is None else (int(box), kind) in single:
            raise RecordError(f"{quoted(word)}: that wager is named twice; write 3=50 for one box of several")
        if box is None:
            every[kind] = parse_cents(amount)
        else:
            single[int(box), kind] = parse_cents(amount)
    placed = {(box, kind): cents for kind, cents in every.items() for box in session.boxes} | single
    order = sorted(placed, key=lambda place: (place[1] != ORIGINAL, place))
    return tuple(a.PlaceWager(session.name, box, placed[box, kind], kind) for box, kind in order)
