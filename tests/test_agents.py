"""Compiled agents pull the arms of the plain NumPy ones, which follow the paper line by line."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from tests.strategies import AGENTS, SEEDS, bandits
from tests.witness import plain_run

ALL_PAPER_AGENTS = {
    name: agent
    for gamma in (1.0, 0.99999)
    for name, agent in {
        f"SS-SARSA {gamma}": rb.SSSarsa(gamma),
        f"SS-SARSA separated {gamma}": rb.SSSarsa(gamma, visits="separated"),
        f"SARSA {gamma}": rb.Sarsa(gamma),
        f"Q-learning {gamma}": rb.QLearning(gamma),
    }.items()
} | {"1RGP-TS": rb.RGPTS(1), "2RGP-TS": rb.RGPTS(2)}


def assert_same_run(bandit, agent, rounds, seed=0, simulation=0):
    ours = rb.trace(bandit, agent, rounds, seed, simulation)
    arms, expected = plain_run(bandit, agent, rounds, seed, simulation)
    np.testing.assert_array_equal(ours.arms, arms)
    np.testing.assert_array_equal(ours.expected, expected)


@pytest.mark.parametrize("kind", AGENTS)
@settings(max_examples=60)
@given(st.data(), bandits(), SEEDS, st.integers(1, 30) | st.integers(1000, 3000))
def test_compiled_agent_pulls_the_arms_of_the_plain_one(kind, data, bandit, seed, rounds):
    assert_same_run(bandit, data.draw(AGENTS[kind]), rounds, seed, simulation=seed % 7)


@pytest.mark.parametrize("agent", ALL_PAPER_AGENTS.values(), ids=ALL_PAPER_AGENTS)
@pytest.mark.parametrize("law", ["bernoulli", "normal"])
@pytest.mark.parametrize("name", ["6-hetero", "10-homo"])
def test_the_papers_agents_in_the_papers_settings(name, law, agent):
    assert_same_run(rb.setting(name, "peaked", law), agent, 4000)


@pytest.mark.parametrize("kind", [rb.SSSarsa, rb.Sarsa, rb.QLearning])
def test_joint_states_beyond_64_bit_keys_are_kept_apart(kind):
    means = np.random.default_rng(3).random((30, 9))  # 9 ** 30 conceivable states
    assert_same_run(rb.RecoveringBandit(means), kind(0.9, t0=10, explore=0.5), 4000)


def test_two_step_plans_differ_from_greedy_ones():
    """Guards the comparison itself: the runs compared above are not all alike."""
    bandit = rb.setting("6-homo")
    runs = [rb.trace(bandit, agent, 2000).arms for agent in ALL_PAPER_AGENTS.values()]
    assert len({run.tobytes() for run in runs}) == len(runs)
