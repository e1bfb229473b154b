"""Compiled agents against a second witness, in C: long runs, many joint states."""

import dataclasses
import shutil

import numpy as np
import pytest

import rb_core as rb
from rb_core.seeds import address, stream
from tests.bench import c_agents

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="the comparison with C needs the compiler gcc"
)

ROUNDS = 210_000  # more than two blocks of the loop, so that tables grow in between
C_NAMES = {
    rb.SSSarsa: "ss_sarsa",
    rb.Sarsa: "sarsa",
    rb.QLearning: "q_learning",
    rb.RGPTS: "rgp_ts",
    rb.RandomPull: "random_pull",
}
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
AGENTS = [*VALUE_LEARNERS, rb.RGPTS(1), rb.RGPTS(2), rb.RGPTS(3), rb.RandomPull()]


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    return c_agents.load(tmp_path_factory.mktemp("c"))


@pytest.mark.parametrize("agent", AGENTS, ids=str)
@pytest.mark.parametrize("name", ["6-homo", "10-homo"])
def test_compiled_agent_pulls_the_arms_of_the_c_one(in_c, name, agent):
    bandit = rb.setting(name, reward="normal" if agent == rb.RGPTS(2) else "bernoulli")
    rounds = 30_000 if agent == rb.RGPTS(3) else ROUNDS
    parameters = dataclasses.asdict(agent)
    parameters.pop("refresh", None)  # C has the standard readings of dRGP-TS only
    parameters.pop("samples", None)
    ours = rb.trace(bandit, agent, rounds, seed=5)
    play = getattr(in_c, C_NAMES[type(agent)])
    rng = stream(address(bandit, agent), 5, 0)
    arms, total = play(
        rng, bandit.means, bandit.reward, bandit.variance, rounds, record=True, **parameters
    )
    np.testing.assert_array_equal(ours.arms, arms)
    assert total == ours.expected.cumsum()[-1]  # both add round by round
