"""Training for dealers: a round is dealt by seed, the trainee says each step, and the rules say whether it is right.

The engine plays the round first, so every step, person and amount that is asked for is an event with its clauses;
players decide by themselves, and the trainee hears what they say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from pitboss.basics.money import dollars
from pitboss.chance import Chance
from pitboss.drill.model import DrillError, gists, wanted
from pitboss.floor.house_dealer import AT_ONCE, Pace
from pitboss.rulebooks import load
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.apply import evolve
from pitboss.table.engine import decide, open_table, refusal
from pitboss.table.events import Event
from pitboss.table.house import Patron, default_house
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.state import Table
from pitboss.table.telling import sentence
from pitboss.table.views import Viewer, event_seen_by, seen_by

SEATED = ("alice", "bob", "carol")
BEHIND = "dave"
"""Sometimes wagers on a box at which somebody else sits."""
ROUNDS_MOST = 10
ACTS_MOST = 2_000
DEALER = Viewer("dealer")


STEPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "shuffle": ("shuffle the cards", ()),
    "offer-cut": ("offer the cut", ("player",)),
    "place-cutting-card": ("put the cutting card in", ()),
    "no-more-bets": ("call no more bets", ()),
    "burn": ("burn a card", ()),
    "deal": ("deal a card", ("box",)),
    "return-discards": ("put the discards back into the device", ()),
    "announce": ("announce a total", ("box", "total")),
    "offer-insurance": ("offer insurance", ()),
    "close-insurance": ("close insurance", ()),
    "offer-surrender": ("offer surrender", ()),
    "close-surrender": ("close surrender", ()),
    "ask-others": ("ask the others on the box whether they follow", ("box",)),
    "ask-forfeit": ("ask whether the doubled portion is taken back", ("box",)),
    "divide": ("part the cards of a split hand", ("box",)),
    "pay": ("pay", ("box", "player", "cents")),
    "collect": ("collect", ("box", "player", "cents")),
    "stand-off": ("leave a wager: it stands off", ("box", "player")),
    "gather": ("gather the cards", ()),
}
"""Everything a dealer can do in training, in words, with what must be said with it."""

Number = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the trainee does next; what a step does not need is left out."""

    step: Annotated[str, msgspec.Meta(max_length=40)]
    box: Number | None = None
    """0 is the dealer's own hand."""
    player: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    cents: Number | None = None
    total: Number | None = None


class Step(msgspec.Struct, frozen=True):
    """What is to be done, and why."""

    said: Said
    text: str
    clauses: tuple[str, ...]


_PLAIN: dict[type[Event], str] = {
    e.CardsShuffled: "shuffle",
    e.CuttingCardPlaced: "place-cutting-card",
    e.BettingClosed: "no-more-bets",
    e.CardBurned: "burn",
    e.DiscardsReturned: "return-discards",
    e.InsuranceOffered: "offer-insurance",
    e.InsuranceClosed: "close-insurance",
    e.SurrenderOffered: "offer-surrender",
    e.SurrenderClosed: "close-surrender",
    e.RoundEnded: "gather",
}
_PAID: dict[type[Event], str] = {
    e.WagerPaid: "paid_cents",
    e.SideBetPaid: "paid_cents",
    e.InsurancePaid: "paid_cents",
    e.SuperBonusPaid: "cents",
    e.BonusPaid: "cents",
    e.JackpotPrizePaid: "cents",
}
_COLLECTED: dict[type[Event], str] = {
    e.WagerCollected: "cents",
    e.SideBetCollected: "cents",
    e.InsuranceCollected: "cents",
    e.SurrenderSettled: "lost_cents",
    e.WagerForfeited: "lost_cents",
    e.JackpotWagerCollected: "cents",
}


def said_of(event: Event) -> Said | None:
    """The dealer's step that an event is; None where it is somebody else's word, or happens by itself."""
    kind: Any = type(event)
    ev: Any = event
    if kind in _PLAIN:
        return Said(_PLAIN[kind])
    if kind in _PAID:
        return Said("pay", ev.box, ev.player, getattr(ev, _PAID[kind]))
    if kind in _COLLECTED:
        return Said("collect", ev.box, ev.player, getattr(ev, _COLLECTED[kind]))
    if kind is e.CutOffered:
        return Said("offer-cut", player=ev.player)
    if kind is e.CardDealt:
        return Said("deal", ev.box)
    if kind is e.TurnCame:
        return Said("announce", ev.box, total=ev.total)
    if kind is e.DealerFinished:
        return Said("announce", 0, total=ev.total)
    if kind is e.HandDivided:
        return Said("divide", ev.box)
    if kind is e.WagerStoodOff:
        return Said("stand-off", ev.box, ev.player)
    return None


UNHEARD = (e.StackArranged, e.CardsCleared, e.RoundBegan)
"""Events that nobody says."""


class Moment(msgspec.Struct, frozen=True):
    """One step of the round: what was heard before it, and how the table then stood."""

    heard: tuple[str, ...]
    table: Table
    step: Step


# --- making a round --------------------------------------------------------------------------------------------------


def moments(rulebook: str, seed: str, rounds: int) -> tuple[Moment, ...]:
    """All steps of so many rounds, from the first shuffle on; the same seed gives the same."""
    book = load(rulebook)
    found: list[Moment] = []
    heard: list[str] = []
    for act, before, events in played(book, seed, rounds):
        if isinstance(act, (a.Forfeit, a.Keep)) and _first_asked(before, found):
            found.append(_asking(before, heard, "ask-forfeit", book.doubling.forfeit.clauses))
            heard = []
        now = before
        for event in events:
            step = said_of(event)
            words = sentence(event_seen_by(DEALER, event, now) or event, book)
            if step is not None:
                found.append(Moment(tuple(heard), now, Step(step, words, event.clauses)))
                heard = [words] if isinstance(event, (e.CardDealt, e.CardBurned)) else []
            elif not isinstance(event, UNHEARD):
                heard.append(words)
            now = evolve(now, (event,))
            if getattr(event, "asks", ()):
                found.append(_asking(now, heard, "ask-others", event.clauses))
                heard = []
    return tuple(found)


def _asking(table: Table, heard: list[str], step: str, clauses: tuple[str, ...]) -> Moment:
    box = table.turn_box or next((n for n, area in table.boxes.items() if area.hands and area.hands[0].asking), 0)
    return Moment(tuple(heard), table, Step(Said(step, box), f"box {box}: {STEPS[step][0]}", clauses))


def _first_asked(table: Table, found: list[Moment]) -> bool:
    """Whether this hand has not been asked yet: several players on it are asked together."""
    last = found[-1] if found else None
    asked = Said("ask-forfeit", table.turn_box)
    return last is None or last.step.said != asked or last.table.turn_hand != table.turn_hand


def played(book: Rulebook, seed: str, rounds: int) -> Iterator[tuple[AnyAct, Table, tuple[Event, ...]]]:
    """Every act of so many rounds by seed, with the table before it and what came of it."""
    chance = Chance(f"training:{book.id}:{seed}")
    source = chance.choice(book.shuffle.sources.value)
    players = {name: Patron(seat=box) for box, name in enumerate(SEATED, 1)}
    table = open_table(book, house=default_house(book, source=source), players=players)
    pace = Pace()
    said: set[tuple[str, int, str]] = set()
    for _ in range(ACTS_MOST):
        act = _people_say(table, chance, said)
        if act is None:
            names = SEATED if table.phase == "wagers" else (*SEATED, BEHIND)
            act = pace.step(table, 0, AT_ONCE, chance, bots=names, alone=True).act
        broken_unless(act is not None, f"training came to a halt: {waiting_for(table)}")
        assert act is not None
        events = decide(table, act)
        if isinstance(events, Refusal):
            broken_unless(False, f"training made an act that is refused: {act!r}: {events}")
            return
        yield act, table, events
        table = evolve(table, events)
        if any(isinstance(event, e.RoundEnded) for event in events):
            said.clear()
            rounds -= 1
            if not rounds:
                return
    broken_unless(False, "training did not come to an end")


def _people_say(table: Table, chance: Chance, said: set[tuple[str, int, str]]) -> AnyAct | None:
    """What people do now and then that bots would not: cut, insure, share a box."""
    waiting = waiting_for(table)
    if waiting.what == "cut" and waiting.who[0] in SEATED and chance.below(2):
        return next((act for act in legal_acts(table) if isinstance(act, a.Cut)), None)
    if waiting.what == "insurance":
        for act in legal_acts(table):
            if isinstance(act, a.Insure) and ("insure", act.box, act.player) not in said:
                said.add(("insure", act.box, act.player))
                if chance.below(3) == 0:
                    return act
    if waiting.what == "wagers" and ("share", 0, "") not in said and 1 in table.boxes:
        said.add(("share", 0, ""))
        shared = a.PlaceWager(BEHIND, 1, table.house.minimum_cents)
        if chance.below(2) and refusal(table, shared) is None:
            return shared
    return None


# --- the trainee -----------------------------------------------------------------------------------------------------


class Verdict(msgspec.Struct, frozen=True):
    """What is said to the trainee's answer."""

    right: bool
    text: str
    clauses: tuple[str, ...]
    gists: tuple[str, ...] = ()
    expected: Said | None = None
    """What was right; told after a second wrong answer."""


class Mistake(msgspec.Struct, frozen=True):
    """One wrong answer."""

    at: int
    said: Said
    expected: Said
    text: str
    clauses: tuple[str, ...]


class Training:
    """One trainee's way through a few rounds."""

    def __init__(self, rulebook: str, seed: str, rounds: int = 1) -> None:
        self.book = wanted(rulebook, seed, rounds, ROUNDS_MOST)
        self.rulebook, self.seed, self.rounds = rulebook, seed, rounds
        self.moments = moments(rulebook, seed, rounds)
        self.at = 0
        self.right_at_once = 0
        self.mistakes: list[Mistake] = []
        self._wrong_here = 0

    @property
    def is_over(self) -> bool:
        return self.at == len(self.moments)

    def do(self, said: Said) -> Verdict:
        """Hold a step against what comes next; only the right one leads on."""
        verdict, step = self.judge(said), self.moments[self.at].step
        if verdict.right:
            self.right_at_once += not self._wrong_here
            self.at, self._wrong_here = self.at + 1, 0
        else:
            self._wrong_here += 1
            self.mistakes.append(Mistake(self.at, said, step.said, _wrong(said, step.said) or "", step.clauses))
        return verdict

    def judge(self, said: Said) -> Verdict:
        """What is to be said to a step; nothing changes."""
        if self.is_over:
            raise DrillError("the training is over")
        if said.step not in STEPS:
            raise DrillError(f"there is no step {said.step[:40]!r}: {', '.join(STEPS)}")
        step = self.moments[self.at].step
        wrong = _wrong(said, step.said)
        if wrong is None:
            return Verdict(True, step.text, step.clauses, self._gists(step.clauses))
        told = self._wrong_here > 0
        text = f"{wrong}; right is: {spoken(step.said)}." if told else f"{wrong}."
        return Verdict(False, text, step.clauses, self._gists(step.clauses), step.said if told else None)

    def _gists(self, clauses: tuple[str, ...]) -> tuple[str, ...]:
        known = register(self.rulebook)
        return tuple(f"{known[clause].number}: {gist}" for clause, gist in gists(self.rulebook, clauses).items())[:3]

    def shown(self) -> dict[str, Any]:
        """What the trainee sees now: the table, what was heard since the last step, and the score."""
        now = None if self.is_over else self.moments[self.at]
        last = self.moments[-1]
        return {
            "rulebook": self.rulebook,
            "seed": self.seed,
            "rounds": self.rounds,
            "at": self.at,
            "of": len(self.moments),
            "over": self.is_over,
            "heard": list(now.heard) if now else [last.step.text],
            "view": seen_by(DEALER, now.table if now else last.table),
            "chips_cents": sorted(last.table.house.chips_cents, reverse=True),
            "steps": [{"step": name, "words": words, "needs": list(needs)} for name, (words, needs) in STEPS.items()],
            "score": self.score(),
        }

    def score(self) -> dict[str, Any]:
        """How many steps were right at once, and which were not."""
        return {
            "right_at_once": self.right_at_once,
            "wrong": len(self.mistakes),
            "mistakes": [
                {
                    "at": each.at,
                    "said": spoken(each.said),
                    "right": spoken(each.expected),
                    "text": each.text,
                    "clauses": list(each.clauses),
                }
                for each in self.mistakes[-50:]
            ],
        }


def _wrong(said: Said, right: Said) -> str | None:
    """What is wrong with a step, in a few words, or None."""
    if said.step != right.step:
        return f"not now: {STEPS[said.step][0]} is not the next step"
    words = {
        "box": "the wrong box",
        "player": "the wrong person",
        "cents": "the wrong amount",
        "total": "the wrong total",
    }
    for field in STEPS[right.step][1]:
        if getattr(said, field) != getattr(right, field):
            return words[field] if getattr(said, field) is not None else f"say the {field} too"
    return None


def spoken(said: Said) -> str:
    """A step in words: ``pay $25.00 to alice on box 1``."""
    words = STEPS[said.step][0] if said.step in STEPS else said.step
    if said.cents is not None:
        words += f" {dollars(said.cents)}"
    if said.total is not None:
        words += f" of {said.total}"
    if said.player is not None:
        link = {"collect": "from", "stand-off": "of"}.get(said.step, "to")
        words += f" {link} {said.player}"
    if said.box is not None:
        words += " for the dealer" if said.box == 0 else f" on box {said.box}"
    return words
