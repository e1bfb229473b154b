"""Plays the plain NumPy agents of `reference` with the random stream of the compiled ones."""

import dataclasses

from rb_core.seeds import address, stream
from tests import reference


def plain_run(bandit, agent, rounds, seed=0, simulation=0):
    """Arms and expected rewards of the plain agent with the parameters of `agent`."""
    plain = getattr(reference, type(agent).__name__)
    memory = plain(bandit.arms, bandit.s_max, rounds, **dataclasses.asdict(agent))
    rng = stream(address(bandit, agent), seed, simulation)
    return reference.play(memory, bandit.means, bandit.reward, bandit.variance, rounds, rng)
