"""The optimal value is that of every other way to compute it."""

import itertools

import numpy as np
import pytest
import quantecon
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import rb_core as rb
from rb_core.planning import Optimum
from tests.joint_graph import joint_graph, step
from tests.strategies import bandits

GAMMAS = st.sampled_from([1.0, 0.9, 0.5, 0.01])


def value_of(bandit, arms, gamma):
    """Discounted expected reward of a sequence of arms, from the start."""
    state, total = (bandit.s_max,) * bandit.arms, 0.0
    for t, arm in enumerate(arms):
        total += gamma**t * bandit.means[arm, state[arm] - 1]
        state = step(state, arm, bandit.s_max)
    return total


@given(bandits(arms=3, s_max=5), st.integers(1, 6), GAMMAS)
def test_value_is_the_best_of_all_sequences_of_arms(bandit, rounds, gamma):
    sequences = itertools.product(range(bandit.arms), repeat=rounds)
    best = max(value_of(bandit, arms, gamma) for arms in sequences)
    assert rb.optimum(bandit, rounds, gamma).value == pytest.approx(best, abs=1e-12)


@given(bandits(arms=3, s_max=4), st.integers(1, 40), GAMMAS)
def test_curve_holds_the_value_of_every_shorter_horizon(bandit, rounds, gamma):
    best = rb.optimum(bandit, rounds, gamma)
    assert best.curve[0] == 0
    assert best.curve[-1] == best.value
    for shorter in range(1, rounds + 1):
        assert best.curve[shorter] == rb.optimum(bandit, shorter, gamma).value


def quantecon_solution(bandit, gamma):
    """States, optimal values and action values of the joint problem without end."""
    states, reward, after = joint_graph(bandit)
    n, arms = reward.shape
    pairs = np.arange(n * arms)
    moves = sparse.csr_matrix((np.ones(n * arms), (pairs, after.ravel())), shape=(n * arms, n))
    problem = quantecon.markov.DiscreteDP(
        reward.ravel(), moves, gamma, pairs // arms, pairs % arms
    )
    values = problem.solve(method="policy_iteration").v
    return states, values, reward + gamma * values[after]


def assert_agrees_with_quantecon(bandit, gamma):
    states, values, action_values = quantecon_solution(bandit, gamma)
    precision = {"rtol": 1e-9, "atol": 1e-9}
    q = rb.q_star(bandit, gamma)
    assert len(q.states) == len(states)
    for state, expected in zip(states, action_values, strict=True):
        np.testing.assert_allclose(q.of(state), expected, **precision)
    for kind_of in (None, np.arange(bandit.arms)):  # equal arms merged, and kept apart
        value = Optimum(bandit, None, gamma, kind_of).value
        np.testing.assert_allclose(value, values[0], **precision)


@given(bandits(arms=4, s_max=4), st.sampled_from([0.3, 0.9, 0.99, 0.9999]))
@pytest.mark.slow
def test_value_without_end_is_quantecons(bandit, gamma):
    assert_agrees_with_quantecon(bandit, gamma)


@pytest.mark.parametrize("gamma", [0.99999, 0.999999])
@pytest.mark.parametrize("arms", [4, 5])
def test_value_without_end_is_exact_where_the_future_weighs_most(arms, gamma):
    """The paper's discounts, with means so close that a lax stopping rule would stop early."""
    means = 0.5 + 0.001 * np.random.default_rng(arms).random((arms, 5))
    assert_agrees_with_quantecon(rb.RecoveringBandit(means), gamma)


def test_action_values_solve_bellmans_equation_on_the_joint_states():
    bandit = rb.RecoveringBandit([[0.2, 0.6, 0.3], [0.1, 0.1, 0.9], [0.5, 0.4, 0.4]])
    states, reward, after = joint_graph(bandit)
    q = rb.q_star(bandit, 0.9)
    row = [q.states.tolist().index(list(state)) for state in states]
    assert sorted(row) == list(range(len(q.states)))
    np.testing.assert_array_equal(q.rewards[row], reward)
    np.testing.assert_array_equal(q.after[row], np.array(row)[after])
    best_after = q.values.max(axis=1)[q.after]
    np.testing.assert_allclose(q.values, q.rewards + 0.9 * best_after, rtol=1e-12)
    np.testing.assert_array_equal(q.of(states[5]), q.values[row[5]])
    best = rb.optimum(bandit, 400, 0.9).value  # what is left after 400 rounds is below 1e-17
    assert q.values[0].max() == pytest.approx(best, rel=1e-12)


@given(bandits(arms=4, s_max=4), st.integers(1, 60), GAMMAS)
def test_merging_equal_arms_changes_nothing(bandit, rounds, gamma):
    merged = rb.optimum(bandit, rounds, gamma)
    full = Optimum(bandit, rounds, gamma, kind_of=np.arange(bandit.arms))
    assert merged.states <= full.states == rb.reachable_states(bandit.arms, bandit.s_max)
    np.testing.assert_allclose(merged.curve, full.curve, atol=1e-12)
    assert merged.value == pytest.approx(full.value, abs=1e-12)
    assert merged.average == pytest.approx(full.average, abs=1e-12)


@given(bandits(arms=1, s_max=5), st.integers(1, 30))
def test_with_one_arm_there_is_nothing_to_choose(bandit, rounds):
    best = rb.optimum(bandit, rounds)
    first, later = bandit.means[0, -1], bandit.means[0, 0]
    assert best.value == pytest.approx(first + (rounds - 1) * later, abs=1e-12)
    assert best.average == pytest.approx(later, abs=1e-12)
    assert best.cycle == [(0, 1)]


@given(bandits(arms=5, s_max=1), st.integers(1, 30), GAMMAS)
def test_with_one_state_the_best_arm_is_pulled_for_ever(bandit, rounds, gamma):
    best = rb.optimum(bandit, rounds, gamma)
    top = bandit.means.max()
    assert best.value == pytest.approx(top * sum(gamma**t for t in range(rounds)), abs=1e-12)
    assert best.average == pytest.approx(top, abs=1e-12)
    [(arm, state)] = best.cycle
    assert state == 1
    assert bandit.means[arm, 0] == pytest.approx(top, abs=1e-9)
