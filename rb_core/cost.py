"""What simulations cost on this machine, measured in a moment.

In processor time, so that the answer does not depend on what else the machine does.
"""

import time
from collections import Counter
from functools import cache

from rb_core.blocks import simulate_block
from rb_core.planning import optimum
from rb_core.reproduce import TIERS, at_size
from rb_core.settings import experiments


@cache
def seconds_per_round(bandit, agent, rounds=20_000):
    """Time of one round on one core."""
    simulate_block(bandit, agent, rounds, 1.0, 0, 0, 1)  # now all is compiled
    start = time.thread_time()
    simulate_block(bandit, agent, rounds, 1.0, 0, 0, 1)
    return (time.thread_time() - start) / rounds


def core_seconds(experiment, sims):
    """Time on one core for all agents of an experiment."""
    agents = experiment.agents().values()
    return sum(seconds_per_round(experiment.bandit, agent) for agent in agents) * (
        experiment.rounds * sims
    )


def jobs_seconds(jobs, most=40):
    """Time on one core for blocks of simulations; of many, a sample of agents is measured."""
    rounds = Counter()
    for job in jobs:
        rounds[job.bandit, job.agent] += job.rounds * job.count
    sample = list(rounds)[:: -(-len(rounds) // most) or 1]
    measured = sum(seconds_per_round(*run) * rounds[run] for run in sample)
    return measured * rounds.total() / max(sum(rounds[run] for run in sample), 1)


def tier_seconds(tier):
    """Time on one core for a tier of `rb reproduce` from nothing: simulations and optima.

    Agents without a discount of their own are simulated once for two experiments.
    """
    sized = [at_size(each, tier)[0] for each in experiments().values()]
    runs = {(each.bandit, agent): each.rounds for each in sized for agent in each.agents().values()}
    rounds = sum(seconds_per_round(*run) * length for run, length in runs.items())
    start = time.thread_time()
    optimum(sized[-1].bandit, sized[-1].rounds, sized[-1].gamma)
    planning = (time.thread_time() - start) * len(sized)
    return rounds * TIERS[tier].sims + planning
