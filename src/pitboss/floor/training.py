"""Training for dealers: a round is dealt by seed, the trainee says each step, and the rules say whether it is right.

The engine plays the round first, so every step, person and amount that is asked for is an event with its clauses;
players decide by themselves, and the trainee hears what they say.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from pitboss.basics.money import dollars
from pitboss.drill.dealing import seated_rounds
from pitboss.drill.model import DrillError, wanted
from pitboss.rulebooks import editions
from pitboss.rulebooks.duties import Duty, duties
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.events import Event
from pitboss.table.state import Table
from pitboss.table.telling import sentence
from pitboss.table.views import Viewer, event_seen_by, seen_by

ROUNDS_MOST = 10
DEALING = 3
"""Goes up whenever seeds deal other rounds."""
PASS_PERCENT = 90
"""So much of an exam must be right."""
DEALER = Viewer("dealer")


STEPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "check-cards": ("check the cards", ()),
    "offer-inspection": ("offer the first player a look at the cards", ()),
    "shuffle": ("shuffle the cards", ()),
    "offer-cut": ("offer the cut", ("player",)),
    "place-cutting-card": ("put the cutting card in", ()),
    "no-more-bets": ("call no more bets", ()),
    "burn": ("burn a card", ()),
    "deal": ("deal a card", ("box",)),
    "turn-sideways": ("lay the card of a doubled hand sideways", ("box",)),
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


UNHEARD = (
    e.StackArranged, e.CardsCleared, e.RoundBegan, e.ShuffleDue, e.HandBust, e.NaturalHeld, e.SuperBonusEarned,
    e.JackpotWon,
)  # fmt: skip
"""Events that nobody says, and those that the trainee has to see for themselves."""


class Moment(msgspec.Struct, frozen=True):
    """One step of the round: what was heard before it, and how the table then stood."""

    heard: tuple[str, ...]
    table: Table
    step: Step


# --- making a round --------------------------------------------------------------------------------------------------


def moments(book: Rulebook, seed: str, rounds: int) -> tuple[Moment, ...]:
    """All steps of so many rounds, from the first shuffle on; the same seed gives the same."""
    found: list[Moment] = []
    heard: list[str] = []
    by_hand: dict[str, list[Duty]] = {}
    for duty in duties(book.id):
        if duty.step:
            by_hand.setdefault(duty.moment, []).append(duty)
    doubled: int | None = None
    for act, before, events in seated_rounds(book, seed, rounds):
        if isinstance(act, (a.Forfeit, a.Keep)) and _first_asked(before, found):
            found.append(_asking(before, heard, "ask-forfeit", book.doubling.forfeit.clauses))
            heard = []
        now = before
        for event in events:
            step = said_of(event)
            words = _without_total(event) or sentence(event_seen_by(DEALER, event, now) or event, book)
            if isinstance(event, e.CardsShuffled):
                found += [Moment((), now, _by_hand(duty)) for duty in by_hand.pop("opening", ())]
            if step is not None:
                found.append(Moment(tuple(heard), now, Step(step, words, event.clauses)))
                heard = [words] if isinstance(event, (e.CardDealt, e.CardBurned)) else []
            elif not isinstance(event, UNHEARD):
                heard.append(words)
            now = evolve(now, (event,))
            if isinstance(event, e.CardDealt) and event.box == doubled:
                found += [Moment((words,), now, _by_hand(duty, event.box)) for duty in by_hand.get("double", ())]
                doubled = None
            elif isinstance(event, e.WagerDoubled):
                doubled = event.box
            if getattr(event, "asks", ()):
                found.append(_asking(now, heard, "ask-others", event.clauses))
                heard = []
    return tuple(found)


def _without_total(event: Event) -> str:
    """A card as it is dealt in training: its total is for the trainee to announce."""
    if not isinstance(event, e.CardDealt) or event.face_down:
        return ""
    if event.box == 0:
        return f"dealer: {event.card}"
    return f"box {event.box}{f', hand {event.hand + 1}' if event.hand else ''}: {event.card}"


def _by_hand(duty: Duty, box: int | None = None) -> Step:
    """A duty of hands as a step."""
    return Step(Said(duty.step, box), duty.text, duty.clauses)


def _asking(table: Table, heard: list[str], step: str, clauses: tuple[str, ...]) -> Moment:
    box = table.turn_box or next((n for n, area in table.boxes.items() if area.hands and area.hands[0].asking), 0)
    return Moment(tuple(heard), table, Step(Said(step, box), f"box {box}: {STEPS[step][0]}", clauses))


def _first_asked(table: Table, found: list[Moment]) -> bool:
    """Whether this hand has not been asked yet: several players on it are asked together."""
    last = found[-1] if found else None
    asked = Said("ask-forfeit", table.turn_box)
    return last is None or last.step.said != asked or last.table.turn_hand != table.turn_hand


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

    def __init__(self, rulebook: str, seed: str, rounds: int = 1, edition: str = "", *, exam: bool = False) -> None:
        """By the text of an `edition`, or as shipped. In an exam nothing is told, and every step is said once."""
        self.exam = exam
        text = editions.edition(rulebook, edition) if edition else rulebook
        self.book = wanted(text, seed, rounds, ROUNDS_MOST)
        self.rulebook, self.seed, self.rounds = rulebook, seed, rounds
        self.moments = moments(self.book, seed, rounds)
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
            if self.exam:
                self.at, self._wrong_here = self.at + 1, 0
        return verdict

    def judge(self, said: Said) -> Verdict:
        """What is to be said to a step; nothing changes."""
        if self.is_over:
            raise DrillError("the training is over")
        if said.step not in STEPS:
            raise DrillError(f"there is no step {said.step[:40]!r}: {', '.join(STEPS)}")
        step = self.moments[self.at].step
        wrong = _wrong(said, step.said)
        if self.exam:  # what was right is told when it is over
            return Verdict(wrong is None, "noted.", ())
        if wrong is None:
            return Verdict(True, step.text, step.clauses, self._gists(step.clauses))
        told = self._wrong_here > 0
        text = f"{wrong}. The right step: {spoken(step.said)}." if told else f"{wrong}."
        same = said.step == step.said.step
        clauses = step.clauses if told or same else self.book.deal.order.clauses  # those of the step would name it
        return Verdict(False, text, clauses, self._gists(clauses), step.said if told else None)

    @property
    def passed(self) -> bool:
        """Of an exam that is over: enough was right."""
        return 100 * self.right_at_once >= PASS_PERCENT * len(self.moments)

    def _gists(self, clauses: tuple[str, ...]) -> tuple[str, ...]:
        known = editions.register_of(self.book)
        return tuple(f"{known[each].number}: {known[each].gist}" for each in clauses if each in known)[:3]

    def shown(self) -> dict[str, Any]:
        """What the trainee sees now: the table, what was heard since the last step, and the score."""
        now = None if self.is_over else self.moments[self.at]
        last = self.moments[-1]
        return {
            "rulebook": self.rulebook,
            "edition": self.book.edition,
            "seed": self.seed,
            "rounds": self.rounds,
            "at": self.at,
            "of": len(self.moments),
            "over": self.is_over,
            "exam": self.exam,
            "passed": self.exam and self.is_over and self.passed,
            "heard": list(now.heard) if now else [last.step.text],
            "view": _without_totals(seen_by(DEALER, now.table if now else last.table)),
            "chips_cents": sorted(last.table.house.chips_cents, reverse=True),
            "steps": [{"step": name, "words": words, "needs": list(needs)} for name, (words, needs) in STEPS.items()],
            "score": self.score(),
        }

    def score(self) -> dict[str, Any]:
        """How many steps were right at once, and which were not; what is right now only after the second mistake."""
        if self.exam and not self.is_over:
            return {"right_at_once": 0, "wrong": 0, "mistakes": []}
        open_now = self.at if self._wrong_here == 1 else -1
        return {
            "right_at_once": self.right_at_once,
            "wrong": len(self.mistakes),
            "mistakes": [
                {
                    "at": each.at,
                    "said": spoken(each.said),
                    "right": spoken(each.expected) if each.at != open_now else "",
                    "text": each.text,
                    "clauses": list(each.clauses) if each.at != open_now else [],
                }
                for each in self.mistakes[-50:]
            ],
        }


def _without_totals(view: dict[str, Any]) -> dict[str, Any]:
    """The table without what the trainee has to count."""
    view["dealer"] |= {"total": 0, "soft": False}
    for box in view["boxes"]:
        for hand in box["hands"]:
            hand |= {"total": 0, "soft": False, "done": False}
    return view


def _wrong(said: Said, right: Said) -> str | None:
    """What is wrong with a step, in a few words, or None."""
    if said.step != right.step:
        return f"not yet: “{STEPS[said.step][0]}” is not the next step"
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
