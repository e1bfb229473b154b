"""Compiled agents do what the plain NumPy ones do, which follow the paper line by line.

The same arms alone would show little of an update: exploration does not look at values, and greedy
play soon repeats one cycle. So what was learnt is compared, too: whole tables, to 1e-12.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from tests.strategies import AGENTS, SEEDS, bandits, listed_agents
from tests.witness import assert_same_run

LISTED = {f"{name} {gamma}": agent
          for gamma in (1.0, 0.99999) for name, agent in listed_agents(gamma).items()
          if name != "PlanUCB"}  # whose witness is slow: test_plan_ucb.py has its comparisons


@pytest.mark.parametrize("kind", sorted(set(AGENTS) - {"PlanUCB"}))
@settings(max_examples=60)
@given(st.data(), bandits(), SEEDS, st.integers(1, 30) | st.integers(1000, 3000))
def test_compiled_agent_does_what_the_plain_one_does(kind, data, bandit, seed, rounds):
    assert_same_run(bandit, data.draw(AGENTS[kind]), rounds, seed, simulation=seed % 7)


@pytest.mark.parametrize("agent", LISTED.values(), ids=LISTED)
@pytest.mark.parametrize("law", ["bernoulli", "normal"])
@pytest.mark.parametrize("name", ["6-hetero", "10-homo"])
def test_the_papers_agents_in_the_papers_settings(name, law, agent):
    assert_same_run(rb.setting(name, "peaked", law), agent, 4000)


@pytest.mark.parametrize("kind", [rb.SSSarsa, rb.Sarsa, rb.QLearning])
def test_joint_states_beyond_64_bit_keys_are_kept_apart(kind):
    means = np.random.default_rng(3).random((30, 9))  # 9 ** 30 conceivable states
    assert_same_run(rb.RecoveringBandit(means), kind(0.9, t0=10, explore=0.5), 4000)


def test_the_papers_agents_differ():
    """Guards the comparison itself: the runs compared above are not all alike."""
    bandit = rb.setting("6-homo")
    runs = [rb.trace(bandit, agent, 2000).arms for agent in listed_agents(0.99999).values()]
    assert len({run.tobytes() for run in runs}) == len(runs)
