"""Counting cards and playing with a bankroll: every wager and decision worked out again from the cards on the table."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, floor
from pathlib import Path

import msgspec
import pytest

from pitboss.basics.cards import point_total
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate import kernels as k
from pitboss.maths.simulate.basic import basic
from pitboss.maths.simulate.counting import Counting, count_file, deck_count
from pitboss.maths.simulate.game import DEVICE, FRESH, SHOE, Options, compile_game
from pitboss.maths.simulate.jobs import Job, Sums, check, make_player, read_checkpoint, run, write_checkpoint
from pitboss.maths.simulate.play import Bankroll, Played, Player
from pitboss.maths.simulate.results import as_rows, result, ruin_of_motion, wilson
from pitboss.maths.simulate.strategies import Strategy, blank, like_the_dealer
from pitboss.rulebooks import RULEBOOKS, load
from tests.books import BJC, NSW
from tests.lengths import WHOLE, length

TAGS = "\n[tags]\n" + "\n".join(
    f"{rank} = {tag}" for rank, tag in zip("23456789JQKA", (1, 1, 1, 1, 1, 0.5, 0, -1.5, -1, -1, -1, -1), strict=True)
)
RAMP = 'wager = 10\nramp = { 1 = 20, "2.5" = 50, 4 = 200 }\n'
POINTS: dict[str, Fraction | int] = {"2": 1, "3": 1, "4": 1, "5": 1, "6": 1, "7": Fraction(1, 2), "9": Fraction(-3, 2)}
POINTS |= dict.fromkeys("JQKA", -1)


def counting(text: str = RAMP) -> Counting:
    return count_file(text + TAGS, "mine.toml")


def expected_cents(count: Fraction) -> int:
    return 20000 if count >= 4 else 5000 if count >= Fraction(5, 2) else 2000 if count >= 1 else 1000


def running(cards: tuple[str, ...]) -> Fraction:
    return Fraction(sum(POINTS.get(card[0], 0) for card in cards))


@pytest.mark.parametrize("decks_left", ["exact", "half", "whole"])
@pytest.mark.parametrize("rounding", ["none", "floor", "nearest"])
def test_the_wager_follows_the_true_count(decks_left: str, rounding: str) -> None:
    text = f'decks_left = "{decks_left}"\nrounding = "{rounding}"\n' + RAMP
    game = compile_game(load("nsw-pontoon"), Options(decks=6, boxes=3))
    seen: set[int] = set()
    held, dealt = Fraction(0), game.burned
    for played in Player(game, like_the_dealer(game), counting=counting(text)).rounds(5, 3000):
        left = Fraction(len(game.cards) - dealt, 48)
        if decks_left != "exact":
            unit = Fraction(1, 2) if decks_left == "half" else Fraction(1)
            left = max(unit, floor(left / unit + Fraction(1, 2)) * unit)
        count = held / left
        if rounding == "floor":
            count = Fraction(floor(count))
        elif rounding == "nearest":
            count = Fraction(floor(count + Fraction(1, 2)))
        assert played.wager_cents == expected_cents(count)
        seen.add(played.wager_cents)
        held, dealt = held + running(played.cards), dealt + len(played.cards)
        if played.last_of_shoe:
            held, dealt = Fraction(0), game.burned
    assert seen == {1000, 2000, 5000, 20000}


def test_the_wager_follows_the_running_count_from_where_it_starts() -> None:
    game = compile_game(load("nsw-blackjack-challenge"), Options(decks=6))
    held = Fraction(-3)
    for played in Player(
        game, like_the_dealer(game), counting=counting('count = "running"\nstart = -3\n' + RAMP)
    ).rounds(5, 2000):
        assert played.wager_cents == expected_cents(held)
        held = Fraction(-3) if played.last_of_shoe else held + running(played.cards)


@pytest.mark.parametrize(("rulebook", "source"), [("nsw-pontoon", FRESH), ("adelaide-pontoon-2008", DEVICE)])
def test_a_device_gives_no_count_to_wager_by(rulebook: str, source: str) -> None:
    """Only the cards of the last round, where they come back during the next one (NSW 7.2), can be held against it."""
    game = compile_game(load(rulebook), Options(source=source))
    assert game.device == 1
    for played in Player(game, like_the_dealer(game), counting=counting()).rounds(5, 500):
        assert played.wager_cents == 1000


def test_cards_that_come_back_later_are_counted_until_then() -> None:
    game = compile_game(load("nsw-pontoon"), Options(source=DEVICE, boxes=7, decks=6))
    assert game.device == 2
    held, out, seen = Fraction(0), game.burned, set()
    for played in Player(game, like_the_dealer(game), counting=counting()).rounds(5, 2000):
        assert played.wager_cents == expected_cents(held * 48 / (len(game.cards) - out))
        seen.add(played.wager_cents)
        held, out = running(played.cards), len(played.cards)
    assert {1000, 2000} <= seen


def only_stand(game_options: Options) -> tuple[Player, Strategy]:
    game = compile_game(load("nsw-pontoon"), game_options)
    plan = blank(game, "stands")
    return Player(
        game, plan, counting=counting(RAMP + 'deviations = ["hard 16 v 10: H from 1", "insure below 0"]')
    ), plan


def test_a_deviation_is_decided_on_the_cards_on_the_table() -> None:
    """A strategy that always stands, but hits hard 16 against a ten from a true count of 1 on: all cards count that lie
    there."""
    player, _ = only_stand(Options(decks=6, behind=60))
    game = player.game
    held, dealt = Fraction(0), game.burned
    hits = stands = insured = declined = 0
    for played in player.rounds(8, 12_000):
        initial = played.cards[:3]
        count = (held + running(initial)) * 48 / (len(game.cards) - dealt - 3)
        total, soft = point_total([initial[0], initial[2]])
        pair = initial[0][0] == initial[2][0] or {initial[0][0], initial[2][0]} <= set("JQK")
        decisions = [each for each in played.decisions if each != "no surrender"]
        if initial[1][0] == "A" and total != 21:
            assert decisions[0] == ("insure" if count < 0 else "no insurance")
            insured, declined = insured + (count < 0), declined + (count >= 0)
        elif initial[1][0] in "JQK" and total == 16 and not soft and not pair:
            assert decisions[0] == ("hit" if count >= 1 else "stand")
            hits, stands = hits + (count >= 1), stands + (count < 1)
        elif total != 21:
            assert decisions == ["stand"]
        held, dealt = held + running(played.cards), dealt + len(played.cards)
        if played.last_of_shoe:
            held, dealt = Fraction(0), game.burned
    assert min(hits, stands, insured, declined) > 20


def test_a_count_that_changes_nothing_plays_as_without_one() -> None:
    for rulebook in RULEBOOKS:
        game = compile_game(load(rulebook), Options(boxes=2))
        plan = basic(game)
        plain = Player(game, plan).block(3, 1, 20_000)
        counted = Player(game, plan, counting=counting("wager = 10\n")).block(3, 1, 20_000)
        assert (plain.sums == counted.sums).all()
        assert (plain.tally == counted.tally).all()
        by_count = counted.extra[k.E_COUNTS : k.E_TRIPS].reshape(-1, 4)
        assert by_count[:, 0].sum() == 20_000
        assert by_count[:, 2].sum() == plain.sums[0, k.S_SUMS]


def test_who_stands_back_wins_and_loses_nothing() -> None:
    job = check(Job("nsw-pontoon", counting=counting("wager = 0\nramp = { 2 = 50 }"), rounds=60_000))
    player = make_player(job)
    found = result(job, player, run(job, player)[0])
    assert found.counting is not None
    assert found.counting.amounts_cents == (0, 5000)
    back, played = found.counting.rounds_by_amount
    assert back + played == found.rounds == 60_000
    assert found.hands_wagered == played > 5_000
    assert sum(each.count for each in found.outcomes) == played * (1 + found.splits)
    assert all(row.wagered_cents == 0 for row in found.counting.by_count if row.count < 2)


def test_higher_counts_are_worth_more() -> None:
    """High cards left favour the player: the best fifth of the rounds is worth more than the worst."""
    job = check(Job("nsw-pontoon", counting=counting(), rounds=3_000_000, options=Options(behind=60), seed=2))
    player = make_player(job)
    found = result(job, player, run(job, player, threads=2)[0])
    assert found.counting is not None
    low = [row for row in found.counting.by_count if row.count <= -3]
    high = [row for row in found.counting.by_count if row.count >= 3]
    values = [sum(row.cents for row in rows) / sum(row.wagered_cents for row in rows) for rows in (low, high)]
    assert values[0] < -0.01 < values[1]
    flat = check(Job("nsw-pontoon", rounds=3_000_000, options=Options(behind=60), seed=2))
    player = make_player(flat)
    assert found.ev > result(flat, player, run(flat, player)[0]).ev
    assert found.ev == pytest.approx(sum(each.contribution for each in found.outcomes), abs=1e-12)


def test_the_super_bonus_is_paid_by_what_was_wagered() -> None:
    """NSW 10.5, Table 2: $1,000 for a wager below $25, $5,000 from there on."""
    game = compile_game(load("nsw-pontoon"), Options(decks=6))
    sevens = msgspec.structs.replace(
        game, cards=game.cards[(game.cards & 31 >= 14) & (game.cards & 31 < 18)].repeat(12)
    )
    plan = blank(sevens, "hits")
    plan.decisions[:] = 1
    text = 'count = "running"\nwager = 4\nramp = { 1 = 10, 2 = 25 }\n[tags]\n7 = 0.015\n'
    paid = {}
    for played in Player(sevens, plan, counting=count_file(text, "sevens.toml")).rounds(1, 400):
        bonus = played.net_cents[0].get("super-bonus", 0)
        if bonus:
            paid[played.wager_cents] = bonus
    assert paid == {1000: 100_000, 2500: 500_000}


# --- bankrolls -------------------------------------------------------------------------------------------------------


def path(rounds: list[Played], bankroll: Bankroll, least: int) -> tuple[int, int]:
    """How one trip ends: what is left, and after how many rounds."""
    funds = bankroll.cents
    for number, played in enumerate(rounds, start=1):
        funds += sum(sum(box.values()) for box in played.net_cents)
        if funds < least or (bankroll.goal_cents and funds >= bankroll.goal_cents):
            return funds, number
    return funds, len(rounds)


@pytest.mark.parametrize("goal", [0, 6000])
@pytest.mark.parametrize(("boxes", "source"), [(1, SHOE), (2, DEVICE)])
def test_trips_end_where_the_rounds_say(boxes: int, source: str, goal: int) -> None:
    """Each trip against the same rounds told one by one, wagers and all."""
    game = compile_game(load("nsw-pontoon"), Options(boxes=boxes, source=source, side_bets=("perfect-pairs",)))
    plan = basic(game)
    bankroll = Bankroll(4000, 30, goal)
    plain, trips = Player(game, plan), Player(game, plan, bankroll=bankroll)
    ends = []
    for block in range(120):
        extra = trips.block(9, block, 30).extra
        funds, played = path(list(plain.rounds(9, 30, block)), bankroll, 1000 * boxes)
        assert extra[k.E_TRIPS] == 1
        assert extra[k.E_NET] == funds - 4000
        assert extra[k.E_NET_SQUARES] == (funds - 4000) ** 2
        assert extra[k.E_RUINED] == (funds < 1000 * boxes)
        assert extra[k.E_REACHED] == (0 < goal <= funds)
        assert extra[k.E_RUIN_ROUNDS] == (played if funds < 1000 * boxes else 0)
        assert extra[k.E_ENDS + min(max(funds, 0) * 16 // 4000, 63)] == extra[k.E_ENDS :].sum() == 1
        ends.append(funds)
    assert min(ends) < 1000 * boxes < max(ends)


def test_who_cannot_afford_the_ramp_wagers_the_most_that_he_can() -> None:
    text = 'count = "running"\nwager = 10\nramp = { "-100" = 100, "-99" = 20 }\n'
    game = compile_game(load("nsw-pontoon"))
    player = Player(game, like_the_dealer(game), counting=counting(text), bankroll=Bankroll(9_000, 100))
    block = player.block(1, 0, 10_000)
    assert player.amounts == (1000, 10000, 2000)
    assert block.sums[2, k.S_ROUNDS] > 0
    poor = Player(game, like_the_dealer(game), counting=counting(text), bankroll=Bankroll(1_500, 1))
    assert poor.block(1, 0, 100).sums[:, k.S_ROUNDS].tolist() == [100, 0, 0]


def test_the_chance_of_ruin_is_near_that_of_a_motion_with_the_same_mean_and_spread() -> None:
    """A large bankroll and many rounds: the last chip hardly matters."""
    job = check(Job("nsw-pontoon", strategy="mimic-dealer", bankroll=Bankroll(30_000, 2_000), rounds=4_000_000))
    player = make_player(job)
    found = result(job, player, run(job, player, threads=2)[0]).ruin
    assert found is not None
    assert found.trips == 2_000
    assert sum(found.finals) == 2_000
    low, high = found.confidence_95
    assert low < found.probability < high < low + 0.05
    assert found.approximation == pytest.approx(found.probability, abs=0.03)
    assert 0 < found.mean_rounds_to_ruin < 2_000


def test_ruin_by_formula_stops_at_the_goal() -> None:
    """With time enough the gambler's ruin; a goal out of reach changes nothing; a nearer one saves more often."""
    assert ruin_of_motion(1000, 10**7, 0.0, 50.0, 4000) == pytest.approx(0.75)
    drift = 2 * -1.0 / 50.0**2
    ever = (exp(-drift * 1000) - exp(-drift * 2000)) / (1 - exp(-drift * 2000))
    assert ruin_of_motion(1000, 10**6, -1.0, 50.0, 2000) == pytest.approx(ever)
    for mean in (-5.0, 0.0, 5.0):
        far = ruin_of_motion(1000, 300, mean, 50.0, 10**5)
        assert far == pytest.approx(ruin_of_motion(1000, 300, mean, 50.0), abs=1e-9)
        assert ruin_of_motion(1000, 300, mean, 50.0, 1200) < ruin_of_motion(1000, 300, mean, 50.0, 2000) < far


def test_ruin_by_formula() -> None:
    """Without drift twice the chance to end below nothing; with a steady loss certain; with time it grows."""
    assert ruin_of_motion(1000, 100, 0.0, 50.0) == pytest.approx(2 * 0.02275013194817921)
    assert ruin_of_motion(1000, 100, -20.0, 0.0) == 1.0
    assert ruin_of_motion(1000, 100, -5.0, 50.0) < ruin_of_motion(1000, 200, -5.0, 50.0) < 1
    assert ruin_of_motion(1000, 10**9, 1.0, 50.0) == pytest.approx(0.449329, abs=1e-6)


def test_wilsons_interval() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_threads_and_interruptions_change_nothing(tmp_path: Path) -> None:
    """A count and a bankroll together: kept, taken up again, by one thread and by three."""
    job = Job("nsw-pontoon", counting=counting(), bankroll=Bankroll(20_000, 500), rounds=50_499, block_rounds=4_200)
    job = check(job)
    assert (job.rounds, job.block_rounds) == (50_000, 4_000)
    player = make_player(job)
    whole, _ = run(job, player, threads=3)

    def stop(sums: Sums) -> None:
        if sums.blocks == 3:
            raise KeyboardInterrupt

    part, interrupted = run(job, player, progress=stop)
    assert interrupted
    write_checkpoint(tmp_path / "kept.json", job, part)
    kept = read_checkpoint(tmp_path / "kept.json")
    assert kept.job == check(kept.job) == job
    rest, _ = run(kept.job, make_player(kept.job), kept.done)
    assert rest == whole
    found = result(job, player, whole)
    assert {"count", "trips", "final"} <= {row["what"] for row in as_rows(found)}
    assert found.ruin is not None
    assert found.ruin.trips == 100


# --- what cannot be --------------------------------------------------------------------------------------------------

BAD = [
    ("wager = [", "not a count file"),
    ("stakes = 3" + TAGS, "stakes: no such entry"),
    ("wager = 10", "tags: say what each rank counts"),
    ("[tags]\nZ = 1", "tags.Z: no such rank; write A, 2 to 9, 10, J, Q or K"),
    ("[tags]\n2 = 'x'", "tags.2 = 'x': write a number"),
    ("[tags]\n2 = 0.00001", "tags.2 = 1e-05: write a number"),
    ("[tags]\n2 = 0", "every rank counts nothing"),
    ("count = 'level'" + TAGS, "count = 'level': write one of true, running"),
    ("decks_left = 'third'" + TAGS, "write one of exact, half, whole"),
    ("wager = -5" + TAGS, "wager = -5: write an amount"),
    ("wager = 2.505" + TAGS, "wager = 2.505: write an amount"),
    ("wager = 0" + TAGS, "nothing is ever wagered"),
    ("ramp = [1, 2]" + TAGS, "ramp: write counts and amounts"),
    ("ramp = { high = 20 }" + TAGS, "ramp = 'high': write a number"),
    ("deviations = 'none'" + TAGS, "deviations: write a list"),
    ("deviations = ['stand on 16']" + TAGS, "'stand on 16' is no deviation"),
    ("deviations = ['hard 16 v 10: X from 0']" + TAGS, "letters are SHDdPRr"),
    ("deviations = ['hard x v 10: S from 0']" + TAGS, "write a total, as in 15"),
    ("deviations = ['forfeit 30 v 10: F from 0']" + TAGS, "write a total from 4 to 20"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=range(len(BAD)))
def test_a_bad_count_file_is_told_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(MathsError) as told:
        count_file(text, "mine.toml")
    assert str(told.value).startswith("mine.toml: ")
    assert said in str(told.value)


def test_limits_hold_for_every_step_of_the_ramp() -> None:
    options = Options(minimum_cents=1000, maximum_cents=10_000)
    with pytest.raises(MathsError, match=r"mine.toml: a wager of \$200.00, but the table takes \$10.00 to \$100.00."):
        check(Job("nsw-pontoon", options=options, counting=counting()))
    with pytest.raises(MathsError, match=r"a wager of \$5.00, but the table takes \$10.00 to \$100.00."):
        compile_game(load("nsw-pontoon"), msgspec.structs.replace(options, wager_cents=500))


BAD_FUNDS = [
    (Bankroll(500, 10), "a bankroll of $5.00 does not cover $10.00 a round"),
    (Bankroll(10**12, 10), "a bankroll of at most $1,000,000.00"),
    (Bankroll(5000, 10, 4000), "a goal is above the bankroll"),
]


@pytest.mark.parametrize(("bankroll", "said"), BAD_FUNDS, ids=[said for _, said in BAD_FUNDS])
def test_a_bankroll_that_cannot_be_is_said(bankroll: Bankroll, said: str) -> None:
    with pytest.raises(MathsError) as told:
        make_player(check(Job("nsw-pontoon", bankroll=bankroll)))
    assert said in str(told.value)


def test_a_trip_is_not_longer_than_the_run() -> None:
    with pytest.raises(MathsError, match="500 rounds are fewer than a trip of 1000"):
        check(Job("nsw-pontoon", rounds=500, bankroll=Bankroll(5000)))


def test_what_a_deck_counts() -> None:
    assert deck_count(load("nsw-pontoon"), counting()) == 4 * (5000 + 500 - 1500 - 4000)
    high_low = count_file("[tags]\n2 = 1\n3 = 1\n4 = 1\n5 = 1\n6 = 1\n10 = -1\nJ = -1\nQ = -1\nK = -1\nA = -1", "hl")
    assert deck_count(load("nsw-pontoon"), high_low) == 4000
    assert ceil(deck_count(load("nsw-blackjack-challenge"), high_low)) == 0


FORKED = RAMP + (
    'deviations = ["hard 16 v 10: S from 3", "hard 15 of 2 v 10: R from 1", "pair 9 v 7 9: P from -1", "insure from 2",'
    ' "forfeit 13 v 7 8: N below 1", "soft 18 v 9: S from 0.5", "hard 12 v 2 3: S from 1.2", "hard 9 v 2: D from -2"]\n'
)


VARIANTS = (
    'decks_left = "half"\nrounding = "floor"\n' + FORKED,
    'count = "running"\nstart = -6\n' + FORKED,
    FORKED.replace("wager = 10", "wager = 0"),
)
"""Judged by half decks, a running count, and standing back."""


@pytest.mark.parametrize("rulebook", RULEBOOKS if WHOLE else (NSW, "canberra-pontoon-2005", BJC))
def test_the_counted_table_plays_the_same_rounds_as_the_general_kernel(rulebook: str) -> None:
    """Wagers, decisions that hang on the count, splits, insurance and surrender: every sum is the same."""
    game = compile_game(load(rulebook), Options(decks=6, behind=60))
    plan = basic(game)
    texts = (FORKED, *VARIANTS) if WHOLE or rulebook == NSW else (FORKED,)
    for text in texts:
        fast, slow = (Player(game, plan, counting=counting(text), by_table=each) for each in (True, False))
        assert fast.is_fast and not slow.is_fast
        for rounds in (1, 700, length(200_000, 6_000)):
            for one, other in zip(fast.block(11, 2, rounds), slow.block(11, 2, rounds), strict=True):
                assert (one == other).all()


def test_a_counted_shoe_that_runs_out_is_the_same_too() -> None:
    game = compile_game(load("nsw-pontoon"), Options(decks=2))
    deep = msgspec.structs.replace(game, cutting_at=len(game.cards) - 3)
    plan = basic(deep)
    fast, slow = (Player(deep, plan, counting=counting(FORKED), by_table=each) for each in (True, False))
    one, other = fast.block(1, 0, 8_000), slow.block(1, 0, 8_000)
    assert all((a == b).all() for a, b in zip(one, other, strict=True)) and one.sums[0, k.S_RAN_OUT] > 20
