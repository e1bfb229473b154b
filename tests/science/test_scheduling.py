"""The bound holds for every policy, schedules are what they say, and close to the best."""

import numpy as np
import pytest
from hypothesis import given, settings

import rb_core as rb
from rb_core import planning, policy_iteration, pricing, scheduling, search
from tests.joint_graph import step
from tests.strategies import bandits

FRESH = [(name, seed) for name in ("rising", "peaked", "free") for seed in range(3000, 3020)]
PAPER = [(name, shape) for name in ("small", "6-hetero", "6-homo", "10-hetero", "10-homo")
         for shape in ("increasing", "peaked") if (name, shape) != ("small", "peaked")]


def replayed(bandit, cycle):
    """The states in which the arms of a cycle stand, once it has been repeated long enough."""
    state, met = (bandit.s_max,) * bandit.arms, []
    for arm, _ in cycle * (bandit.s_max + 2):
        met.append((arm, state[arm]))
        state = step(state, arm, bandit.s_max)
    return met[-len(cycle) :]


@given(bandits(arms=4, s_max=4))
@settings(max_examples=100)
def test_no_policy_exceeds_the_bound_and_no_cycle_the_best_policy(bandit):
    best, found = rb.optimum(bandit, 1).average, rb.schedule(bandit, effort=1e-4)
    assert found.bound == rb.upper_bound(bandit) >= best
    # Differences of so little are rounding to `optimum`.
    close = planning.TINY * bandit.s_max**bandit.arms * np.abs(bandit.means).max()
    assert found.average <= best + close + 1e-12
    assert replayed(bandit, found.cycle) == found.cycle
    earned = np.mean([bandit.means[arm, s - 1] for arm, s in found.cycle])
    assert found.average == pytest.approx(earned, abs=1e-12)


@given(bandits(arms=4, s_max=4))
@settings(max_examples=100)
def test_all_arms_taken_together_give_the_optimum_itself(bandit):
    assert rb.upper_bound(bandit) == pytest.approx(rb.optimum(bandit, 1).average, abs=1e-8)


@given(bandits(arms=5, s_max=5))
@settings(max_examples=100)
def test_the_price_of_a_pull_gives_the_least_bound_of_arms_alone(bandit):
    """Against a fine grid of prices, with the formula written out."""
    means = bandit.means
    price, bound = pricing.price_of_a_pull(means)
    prices = np.linspace(2 * means.min() - means.max() - 0.1, means.max() + 0.1, 3001)
    gains = (means - np.append(prices, price)[:, None, None]) / np.arange(1, bandit.s_max + 1)
    grid = np.append(prices, price) + np.maximum(gains.max(axis=2), 0).sum(axis=1)
    assert bound == pytest.approx(grid[-1], abs=1e-12)
    assert bound <= grid.min() + 1e-12


@given(bandits(arms=4, s_max=4))
@settings(max_examples=100)
def test_what_rounds_lose_against_the_bound_adds_up_to_the_gap_of_a_cycle(bandit):
    price, bound = pricing.price_of_a_pull(bandit.means)
    advantage = np.empty_like(bandit.means)
    pricing.advantages(bandit.means, price, advantage)
    cycle = rb.optimum(bandit, 1).cycle
    state = (bandit.s_max,) * bandit.arms
    lost, arms = [], np.arange(bandit.arms)
    for arm, _ in cycle * (bandit.s_max + 2):
        here = advantage[arms, np.array(state) - 1]
        lost.append(np.maximum(here, 0).sum() - here[arm])
        state = step(state, arm, bandit.s_max)
    assert min(lost) >= -1e-12
    gap = bound - rb.optimum(bandit, 1).average
    assert np.mean(lost[-len(cycle) :]) == pytest.approx(gap, abs=1e-9)


@given(bandits(arms=4, s_max=4))
@settings(max_examples=100)
def test_policy_iteration_begun_anywhere_finds_the_optimum(bandit):
    known = policy_iteration.known_graph(bandit.arms, bandit.s_max)
    rng = np.random.default_rng(1)
    for _ in range(3):
        known.policy[:] = rng.integers(bandit.arms, size=len(known.policy))
        average = policy_iteration.improve(known, bandit.means.ravel(), 1e-11)
        assert average == pytest.approx(rb.optimum(bandit, 1).average, abs=1e-9)
        assert policy_iteration.most_gain(known, bandit.means.ravel()) <= average + 1e-9
        arms = np.zeros(len(known.policy), np.int32)
        start, end = policy_iteration.follow(known, 0, arms)
        cycle = arms[start:end]
        states = scheduling.states_of(cycle, bandit.s_max)
        assert bandit.means[cycle, np.array(states) - 1].mean() == pytest.approx(average, abs=1e-9)


@given(bandits(arms=4, s_max=4))
@settings(max_examples=100)
def test_the_certificate_of_a_group_holds_for_any_biases(bandit):
    known = policy_iteration.known_graph(bandit.arms, bandit.s_max)
    known.bias[:] = np.random.default_rng(5).normal(size=len(known.bias))
    best = rb.optimum(bandit, 1).average
    assert policy_iteration.most_gain(known, bandit.means.ravel()) >= best - 1e-12


@given(bandits(arms=3, s_max=4))
@settings(max_examples=60)
def test_a_wide_beam_loses_least_of_all_sequences(bandit):
    price, _ = pricing.price_of_a_pull(bandit.means)
    advantage = np.empty_like(bandit.means)
    pricing.advantages(bandit.means, price, advantage)
    beam = search.beam_room(bandit.arms, bandit.s_max, 200, bandit.arms, 6)
    path = np.zeros(6, np.int32)
    lost = search.least_loss(beam, advantage, np.full(bandit.arms, bandit.s_max), path)
    costs = {(bandit.s_max,) * bandit.arms: 0.0}
    arms = np.arange(bandit.arms)
    for _ in range(6):  # the least cost of every joint state, round by round
        following = {}
        for state, cost in costs.items():
            here = advantage[arms, np.array(state) - 1]
            for arm in range(bandit.arms):
                after = step(state, arm, bandit.s_max)
                total = cost + np.maximum(here, 0).sum() - here[arm]
                following[after] = min(total, following.get(after, np.inf))
        costs = following
    assert lost == pytest.approx(min(costs.values()), abs=1e-12)


@given(bandits(arms=4, s_max=5))
@settings(max_examples=100)
def test_the_best_window_earns_most_of_all_windows(bandit):
    path = np.random.default_rng(2).integers(bandit.arms, size=12).astype(np.int32)
    beam = search.beam_room(bandit.arms, bandit.s_max, 1, 1, 1)
    average, start, end = search.best_window(beam, bandit.means, path, 9)

    def earned(i, j):
        states = scheduling.states_of(path[i:j], bandit.s_max)
        return bandit.means[path[i:j], np.array(states) - 1].mean()

    every = [earned(i, j) for i in range(12) for j in range(i + 1, min(i + 9, 12) + 1)]
    assert average == pytest.approx(max(every), abs=1e-12)
    assert average == pytest.approx(earned(start, end), abs=1e-12)
    assert end - start <= 9
    last = np.zeros(bandit.arms, np.int32)
    assert search.cycle_average(bandit.means, path, start, end, last) == pytest.approx(average)


@given(bandits(arms=4, s_max=5))
@settings(max_examples=60)
def test_annealing_reports_the_cycle_that_it_keeps(bandit):
    cycle = search.cycle_room(bandit.arms, 14, 3)
    cycle.arms[:3], cycle.length[0] = 0, 3
    average = search.anneal(cycle, bandit.means, 3000, 0.1, 0.01)
    kept = cycle.best[: cycle.length[1]]
    states = np.array(scheduling.states_of(kept, bandit.s_max))
    assert average == pytest.approx(bandit.means[kept, states - 1].mean(), abs=1e-9)
    gaps = scheduling.states_of(cycle.arms[: cycle.length[0]], bandit.s_max)
    np.testing.assert_array_equal(cycle.gaps[: cycle.length[0]], gaps)


def test_a_cycle_repeats_nothing():
    found = rb.schedule(rb.family("peaked", 20, 10, 1000), effort=0.01).cycle
    assert not any(found == found[:length] * (len(found) // length)
                   for length in range(1, len(found)))


def test_the_same_call_gives_the_same_cycle():
    bandit = rb.family("peaked", 20, 10, 3)
    first, again = (rb.schedule(bandit, effort=0.01) for _ in range(2))
    assert first == again
    assert first != rb.schedule(rb.family("peaked", 20, 10, 4), effort=0.01)


@pytest.mark.parametrize(("name", "shape"), PAPER)
def test_schedules_of_the_papers_settings_are_optimal(name, shape):
    bandit = rb.setting(name, shape)
    found = rb.schedule(bandit, effort=0.01)
    assert found.average == pytest.approx(rb.optimum(bandit, 1).average, abs=1e-12)
    assert found.gap < 1e-9


@pytest.mark.parametrize(("name", "seed"), FRESH)
def test_search_alone_comes_within_half_a_percent_on_fresh_tables(name, seed):
    """Without the exact plan of all six arms, which would make it easy: one arm has six states."""
    bandit = rb.family(name, 6, 6, seed)
    best = rb.optimum(bandit, 1).average
    arms = scheduling.search_cycle(bandit.means, best, 2_000_000, exact=6)
    states = np.array(scheduling.states_of(arms, 6))
    assert bandit.means[arms, states - 1].mean() >= 0.995 * best


def test_the_bound_of_arms_alone_is_the_loose_side_where_arms_are_in_each_others_way():
    bandit = rb.family("peaked", 6, 6, 1001)
    best, (_, alone) = rb.optimum(bandit, 1).average, pricing.price_of_a_pull(bandit.means)
    assert alone > 1.05 * best
    found = rb.schedule(bandit, effort=0.05)
    assert found.average == pytest.approx(best, abs=1e-12)
    assert found.bound < best + 1e-8  # together they are not


@pytest.mark.parametrize(("name", "seed"), [("free", 2000), ("peaked", 2007)])
def test_groups_of_three_leave_a_bound_that_is_the_loose_side(name, seed):
    """As in large tables: here the optimum is known, and the search finds it."""
    bandit = rb.family(name, 6, 9, seed)
    best = rb.optimum(bandit, 1).average
    bound = scheduling.bound_by_groups(bandit.means, 3)
    assert bound > 1.02 * best
    arms = scheduling.search_cycle(bandit.means, bound, 1_000_000, exact=9**3)
    states = np.array(scheduling.states_of(arms, 9))
    assert bandit.means[arms, states - 1].mean() == pytest.approx(best, abs=1e-12)


def test_large_free_tables_begin_with_nested_cycles():
    """Where every mean is drawn apart, hardly any move of annealing helps."""
    found = rb.schedule(rb.family("free", 100, 30, 1000), effort=0.001)
    assert found.gap < 0.003
    assert len({arm for arm, _ in found.cycle}) > 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("rising", 0.003), ("peaked", 0.02), ("free", 0.008)])
def test_large_tables_come_close_to_their_bound(name, most):
    for size in ((20, 10), (50, 20), (100, 30)):
        found = rb.schedule(rb.family(name, *size, 1000), effort=0.2)
        assert 0 <= found.gap <= most, size


def test_a_thousand_arms_have_a_bound():
    bandit = rb.family("rising", 1000, 100, 0)
    assert rb.upper_bound(bandit) <= bandit.means.max()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rb.upper_bound([[1.0]]), "bandit must be a RecoveringBandit, not list"),
        (lambda: rb.schedule("6-homo"), "bandit must be a RecoveringBandit, not str"),
        (lambda: rb.schedule(rb.setting("small"), effort=0), "effort must be in"),
    ],
)
def test_bad_input_is_one_sentence(call, message):
    with pytest.raises(rb.InputError, match=message):
        call()
