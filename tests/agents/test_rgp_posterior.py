"""The rank-one posterior of dRGP-TS is the exact one, now and after very many rewards."""

from fractions import Fraction

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rb_core as rb
from tests.reference import naive_posterior, rbf

ARMS = 3


def long_history(seed):
    rng = np.random.default_rng(seed)
    pulls = zip(rng.integers(ARMS, size=300), rng.integers(1, 9, size=300), strict=True)
    return [(int(arm), int(state), rng.normal()) for arm, state in pulls]


SHORT = st.lists(st.tuples(st.integers(0, ARMS - 1), st.integers(1, 8), st.floats(-3, 3)))
HISTORY = SHORT | st.integers(0, 2**32).map(long_history)


def learn(memory, history):
    """Feed (arm, state, reward) triples; only the state of the pulled arm matters."""
    for t, (arm, state, reward) in enumerate(history, start=1):
        memory.learn(t, np.full(ARMS, state), arm, reward, np.full(ARMS, state))


@given(
    HISTORY,
    st.integers(8, 10),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from([0.3, 1.0, 2.5]),
)
@pytest.mark.slow
def test_posterior_is_that_of_the_naive_formula(history, s_max, sigma, length_scale):
    memory = rb.RGPTS(1, sigma, length_scale).init(ARMS, s_max, 1000)
    learn(memory, history)
    for arm in range(ARMS):
        seen = [(state, reward) for pulled, state, reward in history if pulled == arm]
        states, rewards = [s for s, _ in seen], [r for _, r in seen]
        mean, cov = naive_posterior(states, rewards, s_max, sigma, length_scale)
        np.testing.assert_allclose(memory.mean[arm], mean, atol=1e-9)
        np.testing.assert_allclose(memory.cov[arm], cov, atol=1e-9)
        np.testing.assert_array_equal(memory.seen_mean[arm], memory.mean[arm])
        np.testing.assert_allclose(memory.seen_var[arm], np.diag(cov), atol=1e-9)


@given(HISTORY.filter(len))
def test_to_the_letter_only_the_pulled_state_is_refreshed(history):
    memory = rb.RGPTS(refresh="state").init(ARMS, 8, 1000)
    learn(memory, history[:-1])
    mean, var = memory.seen_mean.copy(), memory.seen_var.copy()
    learn(memory, history[-1:])
    arm, state, _ = history[-1]
    mean[arm, state - 1] = memory.mean[arm, state - 1]
    var[arm, state - 1] = max(memory.cov[arm, state - 1, state - 1], 0)
    np.testing.assert_array_equal(memory.seen_mean, mean)
    np.testing.assert_array_equal(memory.seen_var, var)


def exact_posterior(counts, sums, s_max, sigma, length_scale):
    """Mean and covariance from counts and sums of rewards, in exact rational arithmetic.

    Solves (I + P C) x = P [b, I] with P the prior, C the counts and b the sums over sigma ** 2.
    """
    prior = [[Fraction(float(p)) for p in row] for row in rbf(s_max, length_scale)]
    noise = Fraction(sigma) ** 2
    weights = [Fraction(int(c)) / noise for c in counts]
    target = [Fraction(float(total)) / noise for total in sums]
    rows = [
        [prior[i][j] * weights[j] + (i == j) for j in range(s_max)]
        + [sum(prior[i][j] * target[j] for j in range(s_max)), *prior[i]]
        for i in range(s_max)
    ]
    for i in range(s_max):
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(s_max):
            if k != i:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i], strict=True)]
    solved = np.array([[float(entry) for entry in row[s_max:]] for row in rows])
    return solved[:, 0], solved[:, 1:]


@numba.njit
def learn_all(memory, states, rewards):
    for i in range(len(states)):
        memory.learn(i + 1, states[i : i + 1], 0, rewards[i], states[i : i + 1])


@pytest.mark.parametrize("s_max", [1, 3, 6, 10])
@pytest.mark.slow
def test_a_million_updates_do_not_drift(s_max):
    rng = np.random.default_rng(s_max)
    states = np.minimum(rng.geometric(0.3, size=10**6), s_max)  # old ones rarely
    rewards = (rng.random(10**6) < states / (s_max + 1)).astype(float)
    counts, sums = (np.bincount(states - 1, w, minlength=s_max) for w in (None, rewards))
    memory = rb.RGPTS().init(1, s_max, 10**6)
    learn_all(memory, states, rewards)
    mean, cov = exact_posterior(counts, sums, s_max, 1.0, 2.5)
    np.testing.assert_allclose(memory.mean[0], mean, atol=1e-9)
    np.testing.assert_allclose(memory.cov[0], cov, atol=1e-11)
    np.testing.assert_allclose(memory.seen_var[0], np.diag(cov), rtol=1e-6)
