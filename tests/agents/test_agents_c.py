"""Compiled agents against a second witness, in C: long runs, many joint states."""

import shutil

import numpy as np
import pytest

import rb_core as rb
from tests.bench import c_agents
from tests.witness import assert_same_table

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="the comparison with C needs the compiler gcc"
)

ROUNDS = 210_000  # more than two stretches of the loop, so that tables grow in between
VALUE_LEARNERS = [
    kind(*parameters)
    for kind in (rb.SSSarsa, rb.Sarsa, rb.QLearning)
    for parameters in [
        (0.99999, 5000, 0.1, "random", "joint"),
        (0.99999, 10, 0.1, "first", "separated"),
        (0.9, 100, 0.7, "random", "separated"),
        (1.0, 0, 0.2, "first", "joint"),
        (1.0, 5000, 1.0, "random", "joint"),
    ]
]
AGENTS = [*VALUE_LEARNERS, rb.RGPTS(1), rb.RGPTS(2), rb.RGPTS(3), rb.RandomPull(), rb.PlanUCB()]


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    return c_agents.load(tmp_path_factory.mktemp("c"))


def learnt(memory):
    """What a memory has learnt, in the order in which C copies it out."""
    if hasattr(memory, "cov"):
        return np.concatenate([memory.mean.ravel(), memory.cov.ravel()])
    if hasattr(memory, "upper"):
        return np.concatenate([memory.means.ravel(), memory.upper.ravel()])
    if not hasattr(memory, "q"):
        return np.empty(0)
    # All tables of SS-SARSA; of the others a row for each joint state, as they were met.
    if hasattr(memory, "last_cells"):
        return memory.q.ravel()
    return memory.q[1 : memory.explorer.states.rows_used[0] + 1].ravel()


@pytest.mark.parametrize("agent", AGENTS, ids=str)
@pytest.mark.parametrize("name", ["6-homo", "10-homo"])
def test_compiled_agent_does_what_the_c_one_does(in_c, name, agent):
    bandit = rb.setting(name, reward="normal" if agent == rb.RGPTS(2) else "bernoulli")
    rounds = 30_000 if agent == rb.RGPTS(3) else ROUNDS
    ours = rb.trace(bandit, agent, rounds, seed=5)
    table = learnt(ours.memory)
    arms, total, theirs = c_agents.play(in_c, bandit, agent, rounds, seed=5, room=len(table))
    np.testing.assert_array_equal(ours.arms, arms)
    assert total == ours.expected.cumsum()[-1]  # both add round by round
    assert table.any() == (agent != rb.RandomPull())
    assert_same_table("what was learnt", table, theirs)
