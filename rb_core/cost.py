"""What a simulation costs on this machine, measured in a moment."""

import time

from rb_core.blocks import simulate_block


def nanoseconds_per_round(bandit, agent, rounds=20_000):
    """Time of one round on one core."""
    simulate_block(bandit, agent, rounds, 1.0, 0, 0, 1)  # now all is compiled
    start = time.perf_counter()
    simulate_block(bandit, agent, rounds, 1.0, 0, 0, 1)
    return (time.perf_counter() - start) / rounds * 1e9


def core_seconds(experiment, sims):
    """Time on one core for all agents of an experiment."""
    each = [nanoseconds_per_round(experiment.bandit, a) for a in experiment.agents().values()]
    return sum(each) * 1e-9 * experiment.rounds * sims
