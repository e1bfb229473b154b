"""The same methods run line by line, and in pieces of any size, with the same result."""

import importlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from tests.strategies import AGENTS, SEEDS, bandits

loop = importlib.import_module("rb_core.loop")


def assert_equal(left, right):
    for one, other in zip(left, right, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kind", AGENTS)
@settings(max_examples=25)
@given(st.data(), bandits(arms=4), SEEDS, st.integers(1, 150))
def test_compiled_and_interpreted_runs_are_the_same(kind, data, bandit, seed, rounds):
    agent = data.draw(AGENTS[kind])
    assert_equal(
        rb.trace(bandit, agent, rounds, seed),
        rb.trace(bandit, agent, rounds, seed, compiled=False),
    )


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("block", [1, 2, 7, 500])
@pytest.mark.parametrize(
    "agent",
    [
        rb.SSSarsa(0.9, explore=0.6),
        rb.Sarsa(0.9, explore=0.3),
        rb.QLearning(0.9, explore=0.3, visits="separated"),
        rb.RGPTS(3),
    ],
    ids=str,
)
def test_a_run_does_not_depend_on_where_the_loop_pauses(monkeypatch, agent, block, compiled):
    bandit = rb.setting("6-homo")
    whole = rb.trace(bandit, agent, 501)
    sums = rb.simulate(bandit, agent, 501, sims=1, gamma=0.99).cumulative
    monkeypatch.setattr(loop, "BLOCK", block)
    assert_equal(whole, rb.trace(bandit, agent, 501, compiled=compiled))
    np.testing.assert_array_equal(
        sums, rb.simulate(bandit, agent, 501, sims=1, gamma=0.99).cumulative
    )
