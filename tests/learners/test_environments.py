"""The environments keep Gymnasium's and PettingZoo's rules, and the engine's."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from pitboss.learners import IDS, BoxEnv, BoxesEnv, TablesEnv, boxes_env, register  # noqa: E402
from pitboss.learners import seeing as see  # noqa: E402
from pitboss.learners.seats import Seats  # noqa: E402
from pitboss.maths.shoes import MathsError  # noqa: E402
from pitboss.rulebooks import RULEBOOKS, load  # noqa: E402
from pitboss.table.engine import open_table  # noqa: E402

RNG = np.random.default_rng
Draw = np.random.Generator


def any_act(mask: Any, rng: Draw) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def test_every_rulebook_has_an_environment() -> None:
    register()
    assert set(IDS) == set(RULEBOOKS)
    for rulebook, name in IDS.items():
        assert name.startswith("Pitboss/") and name.endswith("-v1")
        env = gymnasium.make(name).unwrapped
        assert isinstance(env, BoxEnv)
        assert env.seats.rulebook.id == rulebook


@pytest.mark.parametrize("wagers", [(10,), (5, 10, 25)])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_gymnasium_finds_nothing_wrong(rulebook: str, wagers: tuple[float, ...]) -> None:
    check_env(gymnasium.make(IDS[rulebook], wagers=wagers, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("options", [{}, {"wagers": (5, 10)}, {"source": "shuffling-device"}], ids=str)
def test_pettingzoo_finds_nothing_wrong(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")
        for rulebook in RULEBOOKS:
            api_test(boxes_env(rulebook, 3, **options), num_cycles=60)
            api_test(BoxesEnv(rulebook, 7, **options), num_cycles=60)
        seed_test(lambda: boxes_env("nsw-pontoon", 3, **options), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_vectors_keep_gymnasiums_rules() -> None:
    env = gymnasium.make_vec("Pitboss/NswPontoon-v1", num_envs=5, vectorization_mode="vector_entry_point")
    assert isinstance(env.unwrapped, TablesEnv)
    seen, info = env.reset(seed=4)
    assert env.observation_space.contains(seen)
    assert (info["action_mask"] == seen["action_mask"]).all()
    rng = RNG(1)
    for _ in range(200):
        acts = np.array([any_act(mask, rng) for mask in seen["action_mask"]])
        assert env.action_space.contains(acts)
        seen, rewards, over, cut, info = env.step(acts)
        assert env.observation_space.contains(seen)
        assert rewards.dtype == np.float64 and over.dtype == cut.dtype == np.bool_
        assert not rewards[~over].any()
        assert not cut.any()
        assert seen["action_mask"].any(axis=1).all()
        if over.any():
            assert (info["_final_obs"] == over).all()
            assert (info["final_obs"]["observation"][over, see.F_STAGE] == see.OVER).all()


def test_the_same_seed_is_the_same_game() -> None:
    for make in (lambda: BoxEnv("canberra-pontoon-2005", wagers=(5, 25)), lambda: TablesEnv(3, "nsw-pontoon")):
        told = []
        for _ in range(2):
            env: Any = make()
            rng = RNG(3)
            seen, _ = env.reset(seed=11)
            lines = [seen["observation"].tolist()]
            for _ in range(100):
                masks = np.atleast_2d(seen["action_mask"])
                acts = [any_act(mask, rng) for mask in masks]
                seen, reward, over, *_ = env.step(np.array(acts) if isinstance(env, TablesEnv) else np.int64(acts[0]))
                lines.append([seen["observation"].tolist(), np.atleast_1d(reward).tolist()])
                if not isinstance(env, TablesEnv) and over:
                    seen, _ = env.reset()
            told.append(lines)
        assert told[0] == told[1]


@pytest.mark.parametrize("source", ["shoe", "shuffling-device"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_kernel_and_engine_see_the_same_and_pay_the_same(rulebook: str, source: str) -> None:
    """The vector's cards laid on the engine's table, the same random acts: every observation, mask and reward."""
    wagers = (10, 5, 25)
    tables = TablesEnv(1, rulebook, wagers=wagers, source=source, decks=load(rulebook).cards.decks_default.value)
    seats = Seats(rulebook, 1, wagers, source=source)
    rng = RNG(7)
    seen, _ = tables.reset(seed=1)
    stages: set[int] = set()
    acts_seen: set[int] = set()
    for _ in range(700):
        assert seen["observation"][0, see.F_STAGE] == see.WAGERING
        action = any_act(seen["action_mask"][0], rng)
        place = int(tables._numbers[0, 0])
        before = tables._seen[0].tolist()
        seen, reward, over, _, _ = tables.step(np.array([action]))
        assert not over[0]
        cards = [_card(int(code)) for code in tables._shoes[0, place : place + 60]]
        seats.lay(open_table(rulebook, cards=cards, house=seats.house))
        seats.chance.shuffled = lambda order: tuple(order)  # type: ignore[method-assign, assignment]
        seats.begin([action - see.FIRST_WAGER])
        while True:
            stage = seats.waits_for()[1]
            stage = see.DECIDED if stage == see.OVER and not seats.acts else stage
            row, mask = seen["observation"][0], seen["action_mask"][0]
            stages.add(stage)
            if stage != see.OVER:
                expected = seats.sees(1, stage)
                expected[see.F_SEEN :] += np.array(before, np.int16)
                assert row.tolist() == expected.tolist(), [
                    each for each in zip(see.FIELDS, row, expected, strict=True) if each[1] != each[2]
                ]
                wanted = seats.mask() if stage != see.DECIDED else np.eye(len(mask), dtype=np.int8)[see.PASS]
                assert mask.tolist() == wanted.tolist()
                action = any_act(mask, rng)
                acts_seen.add(action)
                seen, reward, over, _, _ = tables.step(np.array([action]))
                if stage != see.DECIDED:
                    seats.act(action)
            if seats.waits_for()[0] == 0:
                assert over[0]
                assert reward[0] == seats.won_cents()[0] / 1000
                break
            assert not over[0]
            assert reward[0] == 0
    book = load(rulebook)
    expected_stages = {see.PLAYING, see.DECIDED}
    expected_stages |= {see.INSURING} if book.insurance.offered.value else set()
    expected_stages |= {see.SURRENDERING} if book.surrender.offered.value else set()
    expected_stages |= {see.FORFEITING} if book.doubling.forfeit.value else set()
    assert stages == expected_stages
    assert {see.STAND, see.HIT, see.DOUBLE, see.SPLIT, see.PASS} <= acts_seen


def _card(code: int) -> str:
    from pitboss.maths.simulate.cards import card_of

    return card_of(code)


def test_an_act_that_is_not_open_costs_and_says_why() -> None:
    env = BoxEnv("adelaide-pontoon-2008", refused=0.25)
    seen, _ = env.reset(seed=1)
    while not (seen["observation"][see.F_STAGE] == see.PLAYING and not seen["action_mask"][see.SPLIT]):
        seen, _ = env.reset()
    again, reward, over, cut, info = env.step(np.int64(see.SPLIT))
    assert (reward, over, cut) == (-0.25, False, False)
    assert (again["observation"] == seen["observation"]).all()
    assert info["refusal"].startswith("Adelaide pontoon")
    assert "65" in info["refusal"]
    _, reward, *_, info = env.step(np.int64(see.FORFEIT))
    assert reward == -0.25
    tables = TablesEnv(2, "adelaide-pontoon-2008", refused=0.25)
    seen, _ = tables.reset(seed=1)
    again, rewards, *_ = tables.step(np.array([see.FORFEIT, see.FORFEIT]))
    assert rewards.tolist() == [-0.25, -0.25]
    assert (again["observation"] == seen["observation"]).all()


def test_an_episode_may_be_several_rounds() -> None:
    both: tuple[Any, ...] = (BoxEnv("nsw-pontoon", rounds=3), TablesEnv(1, "nsw-pontoon", rounds=3))
    for env in both:
        rng = RNG(5)
        seen, _ = env.reset(seed=2)
        episodes = paid = steps = 0
        while episodes < 40:
            mask = seen["action_mask"] if isinstance(env, BoxEnv) else seen["action_mask"][0]
            action: Any = np.int64(any_act(mask, rng))
            seen, reward, over, *_ = env.step(action if isinstance(env, BoxEnv) else np.array([action]))
            steps += 1
            paid += bool(np.any(reward))
            if np.all(over):
                episodes += 1
                if isinstance(env, BoxEnv):
                    seen, _ = env.reset()
        assert paid > 80


def test_some_tables_may_begin_anew() -> None:
    env = TablesEnv(4, "nsw-pontoon")
    first, _ = env.reset(seed=[1, 2, 3, 4])
    second, _ = env.reset(options={"reset_mask": np.array([True, False, False, True])})
    assert (second["observation"][1:3] == first["observation"][1:3]).all()
    assert (second["action_mask"][1:3] == first["action_mask"][1:3]).all()
    assert (second["observation"][[0, 3]] != first["observation"][[0, 3]]).any()
    again, _ = env.reset(seed=[1, 2, 3, 4])
    assert (again["observation"] == first["observation"]).all()


@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
def test_standing_like_the_dealer_is_worth_what_the_simulator_says(rulebook: str) -> None:
    """A policy over the vector against the same strategy in the simulator, within four standard errors."""
    from pitboss.maths.simulate.jobs import Job, check, make_player, run
    from pitboss.maths.simulate.results import result

    job = check(Job(rulebook, strategy="mimic-dealer", rounds=1_000_000))
    player = make_player(job)
    simulated = result(job, player, run(job, player)[0])
    terms = load(rulebook).dealer
    env = TablesEnv(2000, rulebook)
    seen, _ = env.reset(seed=1)
    won: list[float] = []
    for _ in range(160):
        row, mask = seen["observation"], seen["action_mask"]
        soft = row[:, see.F_SOFT] == 1
        draws = row[:, see.F_TOTAL] < np.where(soft, terms.soft_stand.value, terms.hard_stand.value)
        acts = np.where(draws, see.HIT, see.STAND)
        acts[mask[:, see.PASS] == 1] = see.PASS
        seen, rewards, over, *_ = env.step(acts)
        won += rewards[over].tolist()
    error = np.std(won) / np.sqrt(len(won))
    assert len(won) > 100_000
    assert abs(np.mean(won) - simulated.ev_with_extras) < 4 * error


def test_a_learner_learns() -> None:
    """Averages by hand and dealer's card over random play: choosing by them beats choosing at random by far."""
    env = TablesEnv(1000, "nsw-pontoon")
    worth: dict[tuple[int, ...], list[float]] = {}
    rng = RNG(2)

    def key(row: Any) -> tuple[int, ...]:
        return tuple(int(row[field]) for field in (see.F_STAGE, see.F_TOTAL, see.F_SOFT, see.F_DEALER, see.F_SPLIT))

    def rounds(steps: int, greedy: bool) -> float:
        seen, _ = env.reset(seed=3 + greedy)
        open_steps: list[list[tuple[int, ...]]] = [[] for _ in range(1000)]
        total = number = 0.0
        for _ in range(steps):
            acts = np.zeros(1000, np.int64)
            for table in range(1000):
                allowed = np.flatnonzero(seen["action_mask"][table])
                situation = key(seen["observation"][table])
                if greedy:
                    known = [worth.get((*situation, int(act)), [-9.0, 1.0]) for act in allowed]
                    means = [won / times for won, times in known]
                    acts[table] = allowed[int(np.argmax(means))]
                else:
                    acts[table] = rng.choice(allowed)
                open_steps[table].append((*situation, int(acts[table])))
            seen, rewards, over, *_ = env.step(acts)
            for table in np.flatnonzero(over).tolist():
                for step in open_steps[int(table)]:
                    entry = worth.setdefault(step, [0.0, 0.0])
                    entry[0] += rewards[table]
                    entry[1] += 1
                open_steps[int(table)] = []
                total += rewards[table]
                number += 1
        return total / number

    at_random = rounds(120, greedy=False)
    learned = rounds(40, greedy=True)
    assert at_random < -0.3
    assert learned > at_random + 0.2


def test_rendering_is_a_line() -> None:
    env = BoxEnv("nsw-pontoon", render_mode="ansi")
    env.reset(seed=1)
    line = env.render()
    assert line is not None
    assert line.startswith(("play: dealer ", "insurance: dealer ", "surrender: dealer ", "decided: dealer "))
    many = BoxesEnv("nsw-pontoon", 2, render_mode="ansi")
    many.reset(seed=1)
    shown = many.render()
    assert shown is not None and "2: " in shown


BAD: list[tuple[dict[str, Any], str]] = [
    ({"rulebook": "nsw-ponton"}, "no rulebook 'nsw-ponton'"),
    ({"wagers": ()}, "wagers are amounts in dollars"),
    ({"wagers": (5, 5)}, "each given once"),
    ({"wagers": (-5,)}, "above nothing"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=[said for _, said in BAD])
def test_what_cannot_be_is_said(options: dict[str, Any], said: str) -> None:
    for make in (BoxEnv, TablesEnv, BoxesEnv):
        with pytest.raises(MathsError) as told:
            make(**options)
        assert said in str(told.value)
    with pytest.raises(MathsError, match="9 boxes"):
        BoxesEnv("nsw-pontoon", 9)


def test_importing_costs_little() -> None:
    """Neither numba nor the engine is imported before an environment is made."""
    code = "import sys, pitboss.learners; sys.exit('numba' in sys.modules or 'pitboss.table.engine' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).returncode == 0


def test_what_was_compiled_goes_with_the_simulators_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba keeps what it compiled by the date of one file; here another is compiled in, so its content names the
    folder."""
    from pitboss.learners import stepping

    path = stepping.step_tables._cache.cache_path  # type: ignore[attr-defined]
    assert stepping.folder() in path
    before = stepping.folder()
    monkeypatch.setattr(stepping, "COMPILED_IN", stepping.COMPILED_IN[1:])
    stepping.folder.cache_clear()
    assert stepping.folder() != before
    stepping.folder.cache_clear()
