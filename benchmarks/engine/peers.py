"""The other libraries, each playing random legal hands to their end through its ordinary interface.

`python peers.py NAME` answers every line with a number of hands on standard input by a line with the seconds they took.
It runs in the benchmark's own environment, where the libraries are installed, and knows nothing of Pitboss.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from time import process_time
from typing import Any, TypeAlias

Play: TypeAlias = Callable[[int], None]
SEED = 20261115


def pokerkit_hands(fold: bool) -> Play:
    """Heads-up no-limit hold'em, 100 big blinds; fold, check or call, or raise to a random amount, equally likely."""
    from pokerkit import Automation, NoLimitTexasHoldem

    rng = random.Random(SEED)
    automations = tuple(Automation)

    def play(hands: int) -> None:
        for _ in range(hands):
            state = NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 200, 2)
            while state.status:
                choices = []
                if fold and state.can_fold():
                    choices.append("fold")
                if state.can_check_or_call():
                    choices.append("call")
                if state.can_complete_bet_or_raise_to():
                    choices.append("raise")
                choice = rng.choice(choices)
                if choice == "fold":
                    state.fold()
                elif choice == "call":
                    state.check_or_call()
                else:
                    low = state.min_completion_betting_or_raising_to_amount
                    high = state.max_completion_betting_or_raising_to_amount
                    state.complete_bet_or_raise_to(rng.randint(low, high))

    return play


def rlcard_hands() -> Play:
    """One player against the dealer, hit or stand."""
    import rlcard

    rng = random.Random(SEED)
    env = rlcard.make("blackjack", config={"seed": SEED})

    def play(hands: int) -> None:
        for _ in range(hands):
            state, _player = env.reset()
            while not env.is_over():
                state, _player = env.step(rng.choice(list(state["legal_actions"])))
            env.get_payoffs()

    return play


def gymnasium_hands() -> Play:
    """Blackjack-v1 as `make` gives it, hit or stand."""
    import gymnasium

    rng = random.Random(SEED)
    env = gymnasium.make("Blackjack-v1")
    env.reset(seed=SEED)

    def play(hands: int) -> None:
        for _ in range(hands):
            env.reset()
            over = False
            while not over:
                _seen, _reward, terminated, truncated, _info = env.step(rng.randrange(2))
                over = terminated or truncated

    return play


def openspiel_hands() -> Play:
    """The C++ game driven from Python: chance and the player's legal actions are drawn here, as its examples do."""
    import pyspiel

    rng = random.Random(SEED)
    game = pyspiel.load_game("blackjack")

    def play(hands: int) -> None:
        for _ in range(hands):
            state: Any = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(actions, chances)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
            state.returns()

    return play


PEERS: dict[str, tuple[str, Callable[[], Play]]] = {
    "pokerkit": ("pokerkit", lambda: pokerkit_hands(fold=True)),
    "pokerkit-showdown": ("pokerkit", lambda: pokerkit_hands(fold=False)),
    "rlcard": ("rlcard", rlcard_hands),
    "gymnasium": ("gymnasium", gymnasium_hands),
    "openspiel": ("open_spiel", openspiel_hands),
}


def serve(play: Play, about: str) -> None:
    """Say what we are, then answer numbers of hands with seconds until the input ends."""
    print(about, flush=True)
    for line in sys.stdin:
        start = process_time()
        play(int(line))
        print(process_time() - start, flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    distribution, make = PEERS[sys.argv[1]]
    serve(make(), f"{distribution} {version(distribution)}")
