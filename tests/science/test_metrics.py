"""Regret, rate of optimal policy, intervals and comparisons."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import rb_core as rb
from tests.strategies import AGENTS, SEEDS, bandits

INCREASING = ["6-hetero", "6-homo", "10-hetero", "10-homo"]


@settings(max_examples=60)
@given(st.data(), bandits(arms=4, s_max=4), SEEDS, st.integers(1, 300), st.floats(0.5, 1))
def test_regret_is_never_negative_and_ends_at_the_optimum_less_the_reward(
    data, bandit, seed, rounds, gamma
):
    agent = data.draw(st.one_of(*AGENTS.values()))
    runs = rb.simulate(bandit, agent, rounds, sims=3, seed=seed, gamma=gamma)
    best = rb.optimum(bandit, rounds, gamma)
    regret = rb.regret(runs, best)
    assert regret.shape == runs.cumulative.shape
    assert regret.min() >= -1e-9
    np.testing.assert_array_equal(regret[:, -1], best.value - runs.cumulative[:, -1])


def test_regret_is_that_of_expected_not_of_received_rewards():
    bandit = rb.RecoveringBandit([[0.3, 0.3]])
    runs = rb.simulate(bandit, rb.RandomPull(), 1000, sims=5)
    np.testing.assert_allclose(rb.regret(runs, rb.optimum(bandit, 1000)), 0, atol=1e-9)


def test_optimal_play_has_no_regret_and_is_recognised():
    runs = rb.simulate(rb.RecoveringBandit([[0.2, 0.7]]), rb.RandomPull(), 500, sims=3, gamma=0.9)
    best = rb.optimum(runs.bandit, 500, 0.9)
    np.testing.assert_allclose(rb.regret(runs, best), 0, atol=1e-12)
    assert rb.is_optimal(runs, best).all()


@pytest.mark.parametrize("name", INCREASING)
def test_with_increasing_rewards_optimal_means_the_top_reward_in_every_last_round(name):
    bandit = rb.setting(name)
    best = rb.optimum(bandit, 1)
    agents = [rb.SSSarsa(1.0, t0=50), rb.QLearning(1.0, t0=50), rb.RGPTS(1, sigma=0.3)]
    seen = []
    for rounds in (300, 3000, 10_000):
        for agent in agents:
            runs = rb.simulate(bandit, agent, rounds, sims=25, seed=1)
            by_reward = np.isclose(runs.tail, 0.6, rtol=0, atol=1e-12).all(axis=1)
            np.testing.assert_array_equal(rb.is_optimal(runs, best), by_reward)
            np.testing.assert_array_equal(rb.is_strictly_optimal(runs, best), by_reward)
            seen.extend(by_reward)
    assert 10 < sum(seen) < len(seen) - 10  # both kinds were there


def test_rate_is_the_share_of_optimal_simulations():
    runs = rb.simulate(rb.setting("6-hetero"), rb.RGPTS(1, sigma=0.3), 5000, sims=40)
    best = rb.optimum(runs.bandit, 1)
    successes = int(rb.is_optimal(runs, best).sum())
    assert 0 < successes < 40
    assert rb.optimal_rate(runs, best) == rb.wilson(successes, 40)
    assert rb.optimal_rate(runs, best, level=0.5) == rb.wilson(successes, 40, 0.5)


def test_the_strict_rate_is_the_share_of_strictly_optimal_simulations():
    runs = rb.simulate(rb.setting("small"), rb.RGPTS(2), 3000, sims=40)
    best = rb.optimum(runs.bandit, 1)
    successes = int(rb.is_strictly_optimal(runs, best).sum())
    assert 0 < successes < rb.is_optimal(runs, best).sum()
    assert rb.strictly_optimal_rate(runs, best) == rb.wilson(successes, 40)
    assert rb.strictly_optimal_rate(runs, best, level=0.5) == rb.wilson(successes, 40, 0.5)


@given(st.integers(1, 2000), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_wilson_interval_is_scipys(trials, data, level):
    successes = data.draw(st.integers(0, trials))
    share, low, high = rb.wilson(successes, trials, level)
    theirs = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert share == successes / trials
    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert 0 <= low <= share <= high <= 1


def test_bootstrap_intervals_cover_as_often_as_they_say():
    rng = np.random.default_rng(0)
    covered = 0
    for i in range(300):
        estimate = rb.bootstrap(rng.normal(2, 1, 40), np.mean, 0.9, resamples=200, seed=i)
        covered += estimate.low <= 2 <= estimate.high
    # About 0.89 for 40 samples; 6 standard deviations either way.
    assert abs(covered / 300 - 0.89) < 6 * np.sqrt(0.89 * 0.11 / 300)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_bootstrap_intervals_end_at_the_quantiles_of_their_level(level):
    """Coverage alone would not see an interval that is too wide at one end."""
    samples, rng = np.random.default_rng(2).exponential(size=30), np.random.default_rng(7)
    means = [samples[rng.integers(30, size=30)].mean() for _ in range(500)]
    ends = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    found = rb.bootstrap(samples, np.mean, level, resamples=500, seed=7)
    assert found == pytest.approx((samples.mean(), *ends), rel=1e-12)


def test_bootstrap_works_column_by_column():
    samples = np.random.default_rng(1).normal(size=(50, 3))
    together = rb.bootstrap(samples, resamples=100)
    np.testing.assert_array_equal(together.value, np.median(samples, axis=0))
    assert (together.low <= together.value).all()
    assert (together.value <= together.high).all()
    assert together.low.shape == (3,)
    alone = rb.bootstrap(samples[:, 1], resamples=100)
    assert alone == tuple(part[1] for part in together)


def test_an_estimate_of_many_numbers_is_shown_as_it_is():
    found = rb.bootstrap(np.ones((5, 3)))
    assert str(found) == f"{found}" == f"{found:.0%}" == repr(found)
    assert found.ends.shape == (2, 3)


def test_an_estimate_can_be_drawn_said_and_turned():
    found = rb.Estimate(0.5, 0.25, 1.0)
    assert found.ends.tolist() == [[0.25], [0.5]]
    assert found.said(".0%") == "50% (95% interval 25% to 100%)"
    assert found.said(".1f", " points") == "0.5 points (95% interval 0.2 to 1.0)"
    assert found.map(lambda each: 1 / each) == rb.Estimate(2.0, 1.0, 4.0)
    assert found.map(lambda each: 100 * each) == rb.Estimate(50.0, 25.0, 100.0)


def test_bootstrap_of_equal_samples_has_no_width():
    assert rb.bootstrap([2.5] * 10) == (2.5, 2.5, 2.5)


def test_comparison_is_pairwise_and_ties_count_half():
    first, second = np.array([3.0, 1.0, 2.0, 5.0]), np.array([1.0, 1.0, 3.0, 1.0])
    result = rb.compare_paired(first, second)
    assert result.difference.value == 5 / 4
    assert result.median_difference.value == 1
    assert result.larger.value == (1 + 0.5 + 0 + 1) / 4
    swapped = rb.compare_paired(second, first)
    assert swapped.difference.value == -5 / 4
    assert swapped.larger.value == 1 - result.larger.value


def test_comparison_tells_agents_apart_only_if_they_differ():
    rng = np.random.default_rng(3)
    same = rb.compare_paired(rng.normal(size=200), rng.normal(size=200))
    assert same.difference.low < 0 < same.difference.high
    better = rb.compare_paired(rng.normal(1, 1, 200), rng.normal(0, 1, 200))
    assert better.difference.low > 0
    assert better.larger.low > 0.5


def test_intervals_of_a_difference_cover_as_often_as_they_say():
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(2000):
        _, low, high = rb.compare_unpaired(rng.normal(3, 1, 40), rng.normal(1, 4, 200), 0.9)
        covered += low <= 2 <= high
    assert abs(covered / 2000 - 0.9) < 5 * np.sqrt(0.9 * 0.1 / 2000)


def test_a_difference_changes_its_sign_with_the_order_and_has_no_width_without_variance():
    first, second = [1.0, 2.0, 6.0], [1.0, 1.5]
    one, other = rb.compare_unpaired(first, second), rb.compare_unpaired(second, first)
    assert one.value == 1.75
    assert one == pytest.approx((-other.value, -other.high, -other.low))
    assert rb.compare_unpaired([2, 2], [1, 1, 1]) == (1, 1, 1)


def test_the_interval_of_a_difference_is_the_normal_one():
    value, low, high = rb.compare_unpaired([1.0, 2.0, 6.0], [1.0, 1.5])
    half = 1.959963984540054 * np.sqrt(7 / 3 + 0.125 / 2)
    assert (value, low, high) == pytest.approx((1.75, 1.75 - half, 1.75 + half), rel=1e-12)


def test_two_rates_are_compared_by_the_interval_of_their_difference():
    """Newcombe's (1998) example: 56 of 70 against 48 of 80."""
    found = rb.compare_rates(rb.wilson(56, 70), rb.wilson(48, 80))
    assert f"{found:.2f}" == "20.00 [5.24, 33.39]"
    other_way = rb.compare_rates(rb.wilson(48, 80), rb.wilson(56, 70))
    assert other_way == pytest.approx((-found.value, -found.high, -found.low))
    one, other = rb.wilson(816, 1000), rb.wilson(775, 1000)
    assert one.low < other.high  # and yet they differ
    assert rb.compare_rates(one, other).low > 0


@pytest.mark.parametrize(
    ("count", "reach"), [(2, 12.7062), (5, 2.7764), (20, 2.0930), (500, 1.9647)])
def test_an_interval_of_few_samples_reaches_as_far_as_the_tables_of_student_say(count, reach):
    samples = np.arange(count, dtype=float)
    value, low, high = rb.mean_interval(samples)
    assert value == samples.mean()
    error = samples.std(ddof=1) / np.sqrt(count)
    assert (high - value, value - low) == pytest.approx((reach * error,) * 2, rel=2e-5)
    assert rb.mean_interval(samples, 0.9).high < high


def test_an_interval_of_few_samples_covers_as_often_as_it_says():
    means = np.random.default_rng(7).normal(size=(4000, 5))
    covered = sum(low <= 0 <= high for _, low, high in map(rb.mean_interval, means))
    assert abs(covered / 4000 - 0.95) < 5 * np.sqrt(0.95 * 0.05 / 4000)


def test_one_sample_has_no_interval_and_none_has_no_mean():
    value, low, high = rb.mean_interval([3.0])
    assert value == 3
    assert np.isnan([low, high]).all()
    for nothing in ([], [[1.0, 2.0]], "words"):
        with pytest.raises(rb.InputError):
            rb.mean_interval(nothing)


@pytest.fixture(scope="module")
def runs():
    return rb.simulate(rb.setting("6-hetero"), rb.RandomPull(), 100, sims=2, gamma=0.99)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": 1.0}, "gamma"),
        ({"gamma": 0.9899999}, "gamma"),
        ({"rounds": 99}, "100 rounds"),
        ({"rounds": None}, "100 rounds"),
        ({"bandit": rb.setting("6-hetero", "peaked")}, "optimum is of"),
        ({"bandit": rb.setting("6-hetero", reward="normal")}, "optimum is of"),
    ],
)
def test_regret_against_the_optimum_of_something_else_is_refused(runs, options, message):
    problem = {"bandit": runs.bandit, "rounds": 100, "gamma": 0.99}
    with pytest.raises(rb.InputError, match=message):
        rb.regret(runs, rb.optimum(**problem | options))


def test_rate_against_the_optimum_of_another_bandit_is_refused(runs):
    with pytest.raises(rb.InputError, match="optimum is of"):
        rb.optimal_rate(runs, rb.optimum(rb.setting("6-homo"), 100))


def test_a_longer_horizon_serves_shorter_runs(runs):
    """The value of n rounds does not depend on how long the plan goes on."""
    np.testing.assert_array_equal(
        rb.regret(runs, rb.optimum(runs.bandit, 100, 0.99)),
        rb.regret(runs, rb.optimum(runs.bandit, 5000, 0.99)),
    )


def test_rate_does_not_depend_on_the_horizon_of_the_plan(runs):
    shifted = dataclasses.replace(runs, problem=rb.Problem(runs.bandit, 100, 1.0))
    assert rb.optimal_rate(runs, rb.optimum(runs.bandit, 7)) == rb.optimal_rate(
        shifted, rb.optimum(runs.bandit, 100, 0.9)
    )


def ending(runs, arms, length):
    """`runs` of one simulation that pulls `arms`, of which the last are kept."""
    bandit, arms = runs.bandit, np.array(arms)
    along = rb.states_along(bandit, arms)
    states = along[np.arange(len(arms)), arms]
    return dataclasses.replace(
        runs, tail_arms=arms[None, -length:], tail_start=along[None, -length - 1],
        tail=bandit.means[arms, states - 1][None, -length:])


@pytest.mark.parametrize("criterion", [rb.is_optimal, rb.is_strictly_optimal])
def test_one_wrong_pull_in_the_last_rounds_is_not_optimal(runs, criterion):
    best = rb.optimum(runs.bandit, 100)
    right, wrong = [0, 1, 2] * 5, [0, 1, 2] * 3 + [0, 5, 1, 2, 0, 1]  # arm 6 for 0.5, not 0.6
    assert criterion(ending(runs, right, 9), best).tolist() == [True]
    assert criterion(ending(runs, wrong, 9), best).tolist() == [False]
    assert criterion(ending(runs, wrong, 3), best).tolist() == [True]  # it was before


def test_a_cycle_of_four_can_have_no_regret_in_sum_without_being_optimal(runs):
    """In nine rounds of the small problem arm 1 earns 0.3 three times, in every third or fourth."""
    bandit = rb.setting("small")
    small = dataclasses.replace(runs, problem=rb.Problem(bandit, 100, 1.0))
    best = rb.optimum(bandit, 100)
    every_third = ending(small, [0, 1, 2] * 5, 9)
    every_fourth = ending(small, [1, 2, 1, 0] * 5, 9)  # ... 0 1 2 1 0 1 2 1 0
    a_round_late = ending(small, [0, 1, 2, 1] * 5, 9)
    assert rb.tail_regret(every_fourth, best) == pytest.approx([0], abs=1e-12)
    assert rb.tail_regret(a_round_late, best) == pytest.approx([0.1])
    for each, paper, strict in ((every_third, True, True), (every_fourth, True, False),
                                (a_round_late, False, False)):
        assert rb.is_optimal(each, best).tolist() == [paper]
        assert rb.is_strictly_optimal(each, best).tolist() == [strict]


def test_regret_of_the_last_rounds_is_what_they_lack_to_the_average(runs):
    best = rb.optimum(runs.bandit, 100)
    assert rb.tail_regret(ending(runs, [0, 1, 2] * 5, 9), best) == pytest.approx([0], abs=1e-12)
    # Arms 1 and 2 in turn are pulled in state 2, for 0.35 instead of 0.6.
    assert rb.tail_regret(ending(runs, [0, 1] * 5, 8), best) == pytest.approx([8 * 0.25])
