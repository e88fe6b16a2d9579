"""Games for the simulator and the engine to disagree on: every source, box count, wager size and stack."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from pitboss.maths.simulate.cards import code_of
from pitboss.maths.simulate.game import DEVICE, SHOE, Game, Options, compile_game
from pitboss.maths.simulate.play import Played, Player
from pitboss.maths.simulate.strategies import at_random
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.house import offered_side_bets
from tests.cross.against_engine import house_of, replay_round

STACKS = {
    "whole decks": "",
    "sevens": "7s 7s 7s 7s 7h 7d 7d 7d 7c 6s 6d 8s 8d 8h Ks",
    "small cards": "As Ah Ad 2s 2h 3c 3d 4s 4h 5s 6s 7s 8s 9h",
    "aces and pictures": "As Ah Ad Js Jh Qs Qd Kc Kh 9s 5d 2c",
    "pairs": "8s 8h 8d 9s 9h As Ah Js Jd 2s 2d 3h",
}
"""Cards of which a stack is made, many times over, where whole decks would show a rule too rarely."""


def games(rulebook: Rulebook, stack: str = "whole decks") -> Iterator[Game]:
    """The same rulebook with several choices of the house and the player."""
    decks = rulebook.cards.decks_default.value
    for source, boxes, wager, resplit, chips in (
        (SHOE, 1, 1000, False, (100, 250, 500, 2500, 10000)),
        (DEVICE, 7, 2500, True, (100, 250, 500, 2500, 10000)),
        (SHOE, 3, 1750, True, (500, 2500)),
        (DEVICE, 4, 400, False, (100,)),
    ):
        options = Options(
            decks=decks,
            source=source,
            boxes=boxes,
            wager_cents=wager,
            side_bets=offered_side_bets(rulebook, decks, source),
            side_cents=750,
            blazing_cents=250 if boxes == 4 else 500,
            jackpot_cents=1_234_567 * boxes,
            resplit=resplit and rulebook.splitting.resplit_by.value != "nobody",
            chips_cents=chips,
            minimum_cents=100,
        )
        game = compile_game(rulebook, options)
        if STACKS[stack]:
            cards = [card for card in STACKS[stack].split() if card[0] in rulebook.cards.ranks.value]
            codes = np.array([code_of(card) for card in cards], np.uint8)
            game = msgspec.structs.replace(game, cards=np.resize(codes, len(game.cards)))
        yield game


def differences(game: Game, rounds: int, seed: int) -> Iterator[str]:
    """Every round in which simulator and engine differ, told so that it can be played again."""
    house = house_of(game)
    for number, played in enumerate(Player(game, at_random(game)).rounds(seed, rounds)):
        try:
            money = replay_round(game, played, house)
        except Exception as fault:  # noqa: BLE001 - whatever the engine says, the round is the finding
            yield told(game, number, seed, played, f"{type(fault).__name__}: {fault}")
            continue
        if tuple(money) != played.net_cents:
            yield told(game, number, seed, played, f"engine {money}")


def told(game: Game, number: int, seed: int, played: Played, what: str) -> str:
    options = game.options
    return (
        f"{game.rulebook.id} seed {seed} round {number}, {options.boxes} boxes of {options.wager_cents} cents, "
        f"chips {options.chips_cents}: {' '.join(played.cards)}: {', '.join(played.decisions)}: "
        f"simulator {list(played.net_cents)}, {what}"
    )
