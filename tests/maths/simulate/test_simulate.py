"""The simulator by itself: hands, draws, tables, jobs, strategies."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import numpy as np
import pytest

from pitboss.basics.cards import ALL_CARDS, point_total
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import side_bets
from pitboss.maths.simulate import kernels
from pitboss.maths.simulate import outcomes as o
from pitboss.maths.simulate.basic import basic, total_dependent
from pitboss.maths.simulate.cards import CLASS_VALUES, CLASSES, card_of, code_of
from pitboss.maths.simulate.files import strategy_file
from pitboss.maths.simulate.game import BLAZING, DEVICE, FRESH, SHOE, SIDE_BETS, STREAMS, Options, compile_game
from pitboss.maths.simulate.hands import BUST, ENDS, FIRST_NATURAL, FIRST_ROW, ROWS, TRICK, hands_for
from pitboss.maths.simulate.jobs import (
    Job,
    Sums,
    check,
    make_player,
    make_strategy,
    read_checkpoint,
    run,
    write_checkpoint,
)
from pitboss.maths.simulate.play import Player
from pitboss.maths.simulate.results import as_json, as_rows, result
from pitboss.maths.simulate.simulation import simulate
from pitboss.maths.simulate.strategies import at_random, like_the_dealer
from pitboss.rulebooks import RULEBOOKS, load, vary


def test_what_was_compiled_is_what_the_modules_say() -> None:
    """Numba keeps what it compiled by the date of one file; numbers from others are compiled in."""
    from pitboss.maths.simulate import automaton, game

    now = (
        game.R_WAGER, game.R_LOG, ENDS, o.OUTCOMES, kernels.TALLY, kernels.S_LENGTH, CLASSES, automaton.FIRST_STATE,
        len(STREAMS),
    )  # fmt: skip
    assert kernels.layout() == now, (
        "numbers changed in another module: change kernels.py too, so that it is compiled anew"
    )


def test_cards_are_numbered_and_named_back() -> None:
    assert [card_of(code_of(card)) for card in ALL_CARDS] == list(ALL_CARDS)
    assert len({code_of(card) for card in ALL_CARDS}) == 52
    assert {code_of(card) & 31 for card in ALL_CARDS} == set(range(CLASSES))


@pytest.mark.parametrize(("split_natural", "trick"), [(False, False), (True, True)])
def test_numbered_hands_know_their_totals(split_natural: bool, trick: bool) -> None:
    """Random hands, card by card, against the plain counting of points."""
    hands = hands_for(split_natural, trick)
    rng = np.random.default_rng(5)
    for _ in range(3000):
        cards = [ALL_CARDS[i] for i in rng.integers(0, 52, 12)]
        split = bool(rng.integers(0, 2))
        state = int(hands.start[int(split), code_of(cards[0]) & 31])
        for count in range(2, 13):
            kind = code_of(cards[count - 1]) & 31
            held = hands.hands[state]
            assert held is not None
            for regime, ones in (
                (0, 0),
                (1, sum(card[0] == "A" for card in cards[: count - 1])),
                (2, sum(card[0] == "A" for card in cards[: min(2, count - 1)])),
            ):
                if count > 2:
                    total = point_total(cards[:count], ones)[0]
                    assert hands.doubled[regime, state, kind] == min(total, 22)
            state = int(hands.next[state, kind])
            total, soft = point_total(cards[:count])
            if state < ENDS:
                if state == BUST:
                    assert total > 21
                elif state == TRICK:
                    assert trick and count == 5 and total < 21
                elif state >= FIRST_NATURAL:
                    assert count == 2 and total == 21 and (split_natural or not split)
                else:
                    assert total == 21
                    name = ROWS[state - FIRST_ROW]
                    ranks = "".join(sorted(card[0] for card in cards[:count]))
                    assert name.startswith(("678", "777")) == (ranks in ("678", "777"))
                    assert name.startswith(("5-", "6-", "7-p")) == (count > 4)
                break
            after = hands.hands[state]
            assert after is not None
            assert (after.total, after.soft, after.cards) == (total, soft, count)


def test_draws_are_uniform() -> None:
    """Every card is as likely as any other in each place, and so is every pair of neighbours."""
    cards = np.arange(12, dtype=np.uint8)
    seen = np.zeros((12, 12), np.int64)
    neighbours = np.zeros((12, 12), np.int64)
    state = np.uint64(kernels.stream_of(np.uint64(3), np.uint64(0)))
    number = 60_000
    for _ in range(number):
        shoe = cards.copy()
        state = np.uint64(kernels.draw_cards(shoe, 12, 0, 12, state))
        seen[np.arange(12), shoe] += 1
        neighbours[shoe[4], shoe[5]] += 1
    expected = number / 12
    squares = ((seen - expected) ** 2 / expected).sum()
    assert squares < 121 + 4 * np.sqrt(2 * 121)
    there = neighbours[~np.eye(12, dtype=bool)]
    expected = number / 132
    assert ((there - expected) ** 2 / expected).sum() < 131 + 4 * np.sqrt(2 * 131)
    assert neighbours.trace() == 0


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("strategy", ["basic", "mimic-dealer"])
def test_the_table_plays_the_same_rounds_as_the_general_kernel(rulebook: str, strategy: str) -> None:
    sources = (Options(decks=6, behind=52, wager_cents=2500), Options(source=FRESH), Options(source=DEVICE))
    for options in sources if strategy == "basic" else sources[:1]:
        game = compile_game(load(rulebook), options)
        plan = make_strategy(game, strategy)
        by_table, in_general = Player(game, plan), Player(game, plan, by_table=False)
        for rounds in (1, 30, 40_000):
            fast, slow = by_table.block(11, 2, rounds), in_general.block(11, 2, rounds)
            assert (fast.sums == slow.sums).all()
            assert (fast.tally == slow.tally).all()


def test_rounds_that_run_out_of_cards_are_finished_with_the_discards() -> None:
    """17.9: a shoe dealt to its end, with the discards of earlier rounds shuffled behind it."""
    for boxes in (1, 3):
        game = compile_game(load("nsw-pontoon"), Options(decks=2, boxes=boxes))
        deep = msgspec.structs.replace(game, cutting_at=len(game.cards) - 3)
        plan = basic(deep)
        fast, slow = (Player(deep, plan, by_table=each).block(1, 0, 20_000) for each in (True, False))
        assert fast.sums[0, kernels.S_RAN_OUT] > 100
        assert (fast.sums == slow.sums).all() and (fast.tally == slow.tally).all()
        assert fast.sums[0, kernels.S_ROUNDS] == 20_000


def test_more_boxes_do_not_change_what_a_box_is_worth() -> None:
    """Cards of a shuffled shoe are alike: seven boxes from a fresh shoe bring what one does, exactly."""
    exact = -0.033770469537  # by the solver, in tests/strategy/test_habits.py too
    for boxes, rounds in ((1, 400_000), (7, 100_000)):
        found = simulate("nsw-pontoon", rounds=rounds, boxes=boxes, strategy="mimic-dealer", source="fresh", seed=9)
        assert abs(found.ev - exact) < 4.0 * found.standard_error


def test_too_few_cards_for_the_boxes_is_said() -> None:
    game = compile_game(load("nsw-pontoon"), Options(decks=1, boxes=7))
    game = msgspec.structs.replace(game, cards=game.cards[:18], cutting_at=10)
    with pytest.raises(MathsError, match="take more decks, or fewer boxes"):
        Player(game, at_random(game)).block(1, 0, 1000)


# --- jobs ------------------------------------------------------------------------------------------------------------


def small_job(**changes: object) -> Job:
    job = Job("nsw-pontoon", rounds=50_500, block_rounds=5_000, seed=7)
    return check(msgspec.structs.replace(job, **changes))


def test_threads_do_not_change_the_result() -> None:
    job = small_job(options=Options(boxes=2, side_bets=("perfect-pairs",)))
    player = make_player(job)
    first, *others = (as_json(result(job, player, run(job, player, threads=count)[0])) for count in (1, 2, 5))
    assert all(other == first for other in others)
    assert first["rounds"] == 50_500


def test_an_interrupted_run_goes_on_without_loss(tmp_path: Path) -> None:
    job = small_job()
    player = make_player(job)
    whole, _ = run(job, player, threads=2)

    def stop(sums: Sums) -> None:
        if sums.blocks == 4:
            raise KeyboardInterrupt

    part, interrupted = run(job, player, threads=3, progress=stop)
    assert interrupted and part.blocks == 4
    write_checkpoint(tmp_path / "kept.json", job, part)
    kept = read_checkpoint(tmp_path / "kept.json")
    assert check(kept.job) == job
    rest, interrupted = run(kept.job, make_player(kept.job), kept.done, threads=1)
    assert not interrupted
    assert (rest.blocks, rest.sums, rest.tally) == (whole.blocks, whole.sums, whole.tally)


def test_a_wanted_precision_ends_the_run_at_the_same_block() -> None:
    job = small_job(rounds=10**9, precision=0.01)
    player = make_player(job)
    ends = {run(job, player, threads=count)[0].blocks for count in (1, 4)}
    assert len(ends) == 1
    found = result(job, player, run(job, player)[0])
    low, high = found.confidence_95
    assert (high - low) / 2 <= 0.01 < 3 * (high - low) / 2
    assert found.rounds < 200_000


def test_another_seed_is_another_run() -> None:
    first, second = (small_job(seed=seed) for seed in (1, 2))
    player = make_player(first)
    assert run(first, player)[0].sums != run(second, player)[0].sums


def test_results_add_up() -> None:
    job = small_job(options=Options(boxes=3, side_bets=("perfect-pairs",), source=DEVICE))
    player = make_player(job)
    found = result(job, player, run(job, player)[0])
    assert found.ev == pytest.approx(sum(each.contribution for each in found.outcomes), abs=1e-12)
    hands = sum(each.count for each in found.outcomes)
    assert hands == found.hands_wagered * (1 + found.splits)
    pairs = next(each for each in found.extras if each.name == "perfect-pairs")
    assert sum(pairs.counts.values()) == found.hands_wagered
    assert {row["what"] for row in as_rows(found)} >= {"result", "outcome", "extra"}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_optional_wagers_come_out_as_they_are_worth(rulebook: str) -> None:
    """Within four and a half standard errors of the exact fractions."""
    book = load(rulebook)
    decks = book.cards.decks_default.value
    names = [name for name, bet in book.side_bets.items() if bet.offered.value]
    names += [BLAZING] if book.blazing_7s.offered.value else []
    options = Options(boxes=1, source=DEVICE, side_bets=tuple(names), blazing_cents=500, wager_cents=2500)
    job = Job(rulebook, options=options, strategy="mimic-dealer", rounds=400_000)
    player = make_player(job)
    found = {each.name: each for each in result(job, player, run(job, player)[0]).extras}
    exact = side_bets(
        book, Shoe.of_decks(book, decks), decks=decks, jackpot_cents=player.game.options.jackpot_cents or None
    )
    for name in names:
        values = (exact[name], *exact[name].variants)
        worth = next(value for value in values if value.wager_cents in (0, 500))
        assert abs(found[name].ev - float(worth.ev)) < 4.5 * found[name].standard_error, name


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_best_play_comes_out_as_the_exact_solver_says(rulebook: str) -> None:
    from pitboss.maths.exact.solve import value

    book = load(rulebook)
    job = Job(rulebook, options=Options(source=FRESH), strategy="optimal", rounds=2_000_000, seed=4)
    player = make_player(job)
    found = result(job, player, run(job, player, threads=2)[0])
    assert abs(found.ev - value(book)) < 4 * found.standard_error


# --- strategies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_better_strategies_lose_less(rulebook: str) -> None:
    values = []
    for name in ("basic", "total", "mimic-dealer", "random"):
        job = Job(rulebook, strategy=name, rounds=300_000, options=Options(source=SHOE))
        player = make_player(job)
        values.append(result(job, player, run(job, player)[0]).ev)
    basic_ev, total_ev, mimic_ev, random_ev = values
    assert basic_ev > total_ev - 0.004
    assert total_ev > mimic_ev > random_ev


@pytest.mark.parametrize("rulebook", ["adelaide-pontoon-2008", "canberra-pontoon-2005", "nsw-blackjack-challenge"])
def test_split_hands_are_split_again_where_that_is_better(rulebook: str) -> None:
    """Eights against a 5 or 6 are split as often as the rules let them."""
    game = compile_game(load(rulebook))
    plan = basic(game)
    eights = next(
        i for i, hand in enumerate(game.hands.hands) if hand is not None and hand.is_pair and hand.counts[7] == 2
    )
    for place in (0, 1):
        assert plan.decisions[place, eights, 4] == 3
        assert plan.decisions[place, eights, 5] == 3


CHANGED_TERMS = [
    ("nsw-pontoon", {"dealer.soft_stand": 17}),
    ("nsw-pontoon", {"doubling.forfeit": False}),
    ("nsw-pontoon", {"interim.natural_odds": "6 to 5"}),
    ("nsw-pontoon", {"settlement.ties": "lose"}),
    ("nsw-pontoon", {"splitting.hands_max": 1}),
    ("nsw-pontoon", {"drawing.must_draw_below": 17}),
    ("canberra-pontoon-2005", {"doubling.hands": "two-or-three-cards"}),
    ("adelaide-pontoon-2008", {"splitting.aces_cards": 0}),
    ("nsw-blackjack-challenge", {"interim.five_card_trick": False}),
    ("nsw-blackjack-challenge", {"settlement.natural_against_other": "3 to 2"}),
]


@pytest.mark.parametrize(("rulebook", "changes"), CHANGED_TERMS)
def test_a_changed_term_changes_the_result(rulebook: str, changes: dict[str, object]) -> None:
    books = load(rulebook), vary(load(rulebook), changes)
    games = [compile_game(book) for book in books]
    plans = [basic(game) for game in games]
    one, other = (Player(game, plan).block(1, 0, 30_000).sums for game, plan in zip(games, plans, strict=True))
    assert (one != other).any()


ALL_STAND = "SSSSSSSSSS"
SIMPLE = "\n".join(
    [f'hard."{total}" = "{"H" * 10 if total < 17 else ALL_STAND}"' for total in range(3, 21)]
    + [f'soft."{total}" = "{"H" * 10 if total < 18 else ALL_STAND}"' for total in range(12, 21)]
)


@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "adelaide-pontoon-2008"])
def test_a_file_can_say_what_the_dealer_does(rulebook: str) -> None:
    game = compile_game(load(rulebook))
    written, built = strategy_file(game, SIMPLE, "simple.toml"), like_the_dealer(game)
    one, other = (Player(game, plan).block(1, 0, 50_000) for plan in (written, built))
    assert (one.sums == other.sums).all()


def test_a_file_with_every_letter() -> None:
    text = SIMPLE.replace('hard."11" = "HHHHHHHHHH"', 'hard."11" = "DDDDDDDDDD"\nhard."11 of 4+" = "HHHHHHHHHH"')
    text += (
        '\npair.8 = "PPPPPPPPPR"\npair.A = "PPPPPPPPPP"\nbonus."678 suited" = "HHHHHHHHHH"\nbonus.777 = "HHHHHHHHHH"'
    )
    text += '\nforfeit.12 = "NNNNNFFFFF"\n'
    game = compile_game(load("canberra-pontoon-2005"))
    found = Player(game, strategy_file(game, text, "mine.toml")).block(1, 0, 100_000).tally[0]
    assert found[kernels.T_DOUBLES] > 0
    assert found[kernels.T_SPLITS] > 0
    assert found[o.SURRENDERED] > 0
    assert found[o.FORFEITED] > 0


BAD_FILES = [
    ("hard.15 = 'SS'", "hard.15: ten letters are wanted"),
    ("hard.15 = 'SSSSSSSSSX'", "hard.15: ten letters are wanted"),
    ("hard.x = 'SSSSSSSSSS'", "hard.x: write a total"),
    ("easy.15 = 'SSSSSSSSSS'", "easy: no such section"),
    ("forfeit.30 = 'FFFFFFFFFF'", "forfeit.30: write a total"),
    ("hard = [", "not a strategy file"),
    (
        SIMPLE.replace(f'hard."17" = "{ALL_STAND}"', ""),
        "hard 17 of 2 cards against 2 is undecided: add a row for hard.17",
    ),
    (SIMPLE.replace(f'soft."19" = "{ALL_STAND}"', ""), "soft 19 of 2 cards against 2 is undecided"),
    (
        SIMPLE.replace('hard."16" = "HHHHHHHHHH"', '\npair.8 = "PPPPPPPPPP"\nhard."16 of 3+" = "HHHHHHHHHH"'),
        "hard 16 of 2 cards against 2 is undecided",
    ),
]


@pytest.mark.parametrize(("text", "said"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_a_bad_strategy_file_is_told_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(MathsError, match=r"mine\.toml") as told:
        strategy_file(compile_game(load("nsw-pontoon")), text, "mine.toml")
    assert said in str(told.value)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_totals_alone_decide_the_total_strategy(rulebook: str) -> None:
    game = compile_game(load(rulebook))
    plan = total_dependent(game)
    chosen: dict[tuple[object, ...], set[int]] = {}
    for number, hand in enumerate(game.hands.hands):
        if hand is not None and hand.cards > 1:
            for dealer in range(10):
                key = (hand.total, hand.soft, hand.is_pair, int(game.legal[0, number]), dealer)
                chosen.setdefault(key, set()).add(int(plan.decisions[0, number, dealer]))
    assert all(len(acts) == 1 for acts in chosen.values())


BAD_OPTIONS = [
    (Options(decks=-1), "-1 decks"),
    (Options(boxes=0), "0 boxes"),
    (Options(boxes=8), "8 boxes"),
    (Options(source="hat"), "cards do not come from 'hat'"),
    (Options(wager_cents=0), "a wager is above nothing"),
    (Options(side_bets=("star-pairs",)), "no optional wager 'star-pairs'"),
    (Options(behind=380), "380 cards behind the cutting card"),
    (Options(behind=0), "0 cards behind the cutting card"),
]


@pytest.mark.parametrize(("options", "said"), BAD_OPTIONS, ids=[said for _, said in BAD_OPTIONS])
def test_what_cannot_be_is_said(options: Options, said: str) -> None:
    with pytest.raises(MathsError) as told:
        compile_game(load("nsw-pontoon"), options)
    assert said in str(told.value)


def test_every_side_bet_has_a_stream() -> None:
    assert STREAMS[3:] == SIDE_BETS
    assert all(value in range(1, 11) for value in CLASS_VALUES)
    assert len(list(itertools.chain(ROWS))) == FIRST_NATURAL - FIRST_ROW
