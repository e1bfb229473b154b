"""Plays the plain NumPy agents of `reference` with the random stream of the compiled ones."""

import dataclasses

import numpy as np

import rb_core as rb
from tests import reference


def witness_of(bandit, agent, rounds):
    """The plain agent with the parameters of `agent`, before its first round."""
    plain = getattr(reference, type(agent).__name__)
    return plain(bandit.arms, bandit.s_max, rounds, **dataclasses.asdict(agent))


def plain_run(bandit, agent, rounds, seed=0, simulation=0):
    """The run of the plain agent; its memory is the plain agent with what it has learnt."""
    rng = rb.stream(bandit, agent, seed, simulation)
    return rb.play(bandit, witness_of(bandit, agent, rounds), rounds, rng)


def assert_same_run(bandit, agent, rounds, seed=0, simulation=0, compiled=True):
    """The same arms and rewards, and at the end the same tables."""
    ours = rb.trace(bandit, agent, rounds, seed, simulation, compiled)
    plain = plain_run(bandit, agent, rounds, seed, simulation)
    np.testing.assert_array_equal(ours.arms, plain.arms)
    np.testing.assert_array_equal(ours.rewards, plain.rewards)
    np.testing.assert_array_equal(ours.expected, plain.expected)
    for name, table, compiled_table in plain.memory.beside(ours.memory):
        assert_same_table(name, compiled_table, table)


def assert_same_table(name, ours, plain):
    """Counts exactly; numbers to 1e-12, relative to the largest of the table."""
    if np.issubdtype(plain.dtype, np.integer):
        np.testing.assert_array_equal(ours, plain, err_msg=name)
    else:
        scale = np.abs(plain).max(initial=1e-300)
        np.testing.assert_allclose(ours, plain, rtol=1e-12, atol=1e-12 * scale, err_msg=name)
