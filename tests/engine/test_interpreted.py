"""The same methods run line by line, and in pieces of any size, with the same result."""

import importlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from rb_core.engine.compiled import inlined, kernel, lean_kernel
from tests.strategies import AGENTS, SEEDS, bandits

blocks = importlib.import_module("rb_core.engine.blocks")
loop = importlib.import_module("rb_core.engine.loop")


def assert_equal(left, right):
    for part in ("arms", "states", "rewards", "expected"):
        np.testing.assert_array_equal(getattr(left, part), getattr(right, part))
    for one, other in zip(tables(left.memory), tables(right.memory), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def tables(memory):
    """The numbers that a memory holds, without the rows that it has to spare."""
    arrays = (part for part in memory if isinstance(part, np.ndarray) and part.dtype == float)
    for table in arrays:
        yield table[np.any(table != 0, axis=tuple(range(1, table.ndim)))]


@pytest.mark.parametrize("kind", AGENTS)
@settings(max_examples=25)
@given(st.data(), bandits(arms=4), SEEDS, st.integers(1, 150))
def test_compiled_and_interpreted_runs_are_the_same(kind, data, bandit, seed, rounds):
    agent = data.draw(AGENTS[kind])
    assert_equal(
        rb.trace(bandit, agent, rounds, seed),
        rb.trace(bandit, agent, rounds, seed, compiled=False),
    )


@pytest.mark.parametrize("kind", AGENTS)
@settings(max_examples=5)
@given(st.data(), bandits(arms=4), SEEDS, st.integers(1, 150))
def test_a_loop_compiled_for_its_number_of_arms_is_the_same(kind, data, bandit, seed, rounds):
    agent = data.draw(AGENTS[kind])
    for_any = rb.trace(bandit, agent, rounds, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "LONG", 1)
        assert_equal(for_any, rb.trace(bandit, agent, rounds, seed))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("stretch", [1, 2, 7, 500])
@pytest.mark.parametrize(
    "agent",
    [
        rb.SSSarsa(0.9, explore=0.6),
        rb.Sarsa(0.9, explore=0.3),
        rb.QLearning(0.9, explore=0.3, visits="separated"),
        rb.RGPTS(3),
        rb.RandomPull(),
        rb.PlanUCB(),
    ],
    ids=str,
)
def test_a_run_does_not_depend_on_where_the_loop_pauses(monkeypatch, agent, stretch, compiled):
    bandit = rb.setting("6-homo")
    whole = rb.trace(bandit, agent, 501)
    sums = rb.simulate(bandit, agent, 501, sims=1, gamma=0.99).cumulative
    monkeypatch.setattr(loop, "STRETCH", stretch)
    assert_equal(whole, rb.trace(bandit, agent, 501, compiled=compiled))
    np.testing.assert_array_equal(
        sums, rb.simulate(bandit, agent, 501, sims=1, gamma=0.99).cumulative
    )


def rounded(large, small):
    return (large + small) - large


helper = inlined(rounded)


def with_helper(large, small):
    return helper(large, small)


@pytest.mark.parametrize("compile_it", [kernel, lean_kernel])
@pytest.mark.parametrize("function", [rounded, with_helper])
def test_the_compiler_keeps_to_the_arithmetic_as_it_is_written(compile_it, function):
    """A compiler that may take sums apart returns 1.0 here."""
    assert function(1e16, 1.0) == 0.0
    assert compile_it(function)(1e16, 1.0) == 0.0
