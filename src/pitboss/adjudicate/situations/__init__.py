"""What can go wrong at a table: for each situation what must be known, what the rule says, and which act tells it.

`cards`, `forgotten_steps`, `misdeals`, `void_rounds`, `players`, `payments`, `device`, `disruption`: the situations of
one kind, with their rules. `parts`: what they are made of. `silence`: what is asked where a document does not say.
"""

from __future__ import annotations

from pitboss.adjudicate.model import AdjudicationError
from pitboss.adjudicate.situations.cards import CARDS
from pitboss.adjudicate.situations.device import DEVICE
from pitboss.adjudicate.situations.disruption import DISRUPTION
from pitboss.adjudicate.situations.forgotten_steps import FORGOTTEN_STEPS
from pitboss.adjudicate.situations.misdeals import MISDEALS
from pitboss.adjudicate.situations.parts import Situation
from pitboss.adjudicate.situations.payments import PAYMENTS
from pitboss.adjudicate.situations.players import PLAYERS
from pitboss.adjudicate.situations.void_rounds import VOID_ROUNDS
from pitboss.adjudicate.words import meant

GROUPS: dict[str, str] = {
    "cards": "Cards",
    "forgotten": "Forgotten steps",
    "misdeal": "Misdeals and void rounds",
    "players": "Players and their wagers",
    "payments": "Payments",
    "device": "Shuffling device and jackpot equipment",
    "disruption": "Disturbance and fraud",
}

SITUATIONS: tuple[Situation, ...] = (
    *CARDS,
    *FORGOTTEN_STEPS,
    *MISDEALS,
    *VOID_ROUNDS,
    *PLAYERS,
    *PAYMENTS,
    *DEVICE,
    *DISRUPTION,
)

BY_NAME: dict[str, Situation] = {situation.name: situation for situation in SITUATIONS}


def situation(name: str) -> Situation:
    """The situation of this name; raises `AdjudicationError` where there is none."""
    found = BY_NAME.get(name)
    if found is None and not name.isdigit():
        found = BY_NAME.get(meant(name, {each.name: each.title for each in SITUATIONS}) or "")
    if found is None:
        fits = named_by(name)
        if len(fits) == 1:
            return fits[0]
        import difflib

        close = [each.name for each in fits] or difflib.get_close_matches(name, BY_NAME, n=1, cutoff=0.5)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"Known: {', '.join(BY_NAME)}."
        raise AdjudicationError(f"no situation {name!r}. {hint}")
    return found


def named_by(said: str) -> tuple[Situation, ...]:
    """The situations in whose name or title all these words are."""
    words = set(said.lower().replace("-", " ").split())
    return tuple(
        each
        for each in SITUATIONS
        if words and words <= set(f"{each.name.replace('-', ' ')} {each.title}".lower().replace(",", "").split())
    )
