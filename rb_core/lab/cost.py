"""What simulations cost on this machine, measured in a moment.

In processor time, so that the answer does not depend on what else the machine does.
"""

import time
from collections import Counter
from collections.abc import Iterable
from functools import cache

from rb_core.bandit import RecoveringBandit
from rb_core.engine.blocks import Job, simulate_block
from rb_core.evaluation import SIMULATIONS, Experiment, experiments
from rb_core.lab.reproduce import TIERS
from rb_core.planning import optimum


@cache
def seconds_per_round(bandit: RecoveringBandit, agent: object, rounds: int = 100_000) -> float:
    """Time of one round on one core."""
    job = Job(bandit, agent, rounds, 1.0, seed=0, first=0, count=1)
    simulate_block(job)  # now all is compiled
    start = time.thread_time()
    simulate_block(job)
    return (time.thread_time() - start) / rounds


def core_seconds(experiment: Experiment, sims: int = SIMULATIONS) -> float:
    """Time on one core for all agents of an experiment, estimated by a short measurement.

    Parameters
    ----------
    experiment : Experiment
    sims : int

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.core_seconds(rb.experiment("small-normal-discounted"), sims=1) > 0
    True
    """
    per_round = (seconds_per_round(experiment.bandit, each) for each in experiment.agents.values())
    return sum(per_round) * experiment.rounds * sims


def jobs_seconds(jobs: Iterable[Job], most: int = 40) -> float:
    """Time on one core for blocks of simulations; of many, a sample of agents is measured."""
    rounds: Counter = Counter()
    for job in jobs:
        rounds[job.bandit, job.agent] += job.rounds * job.count
    sample = list(rounds)[:: -(-len(rounds) // most) or 1]
    measured = sum(seconds_per_round(*run) * rounds[run] for run in sample)
    return measured * rounds.total() / max(sum(rounds[run] for run in sample), 1)


def tier_seconds(tier: str) -> float:
    """Time on one core for a tier of `rb reproduce` from nothing: simulations and optima.

    Agents without a discount of their own are simulated once for two experiments.

    Parameters
    ----------
    tier : {"smoke", "classroom", "paper", "beyond"}

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.tier_seconds("smoke") < rb.tier_seconds("paper")
    True
    """
    sized = [TIERS[tier].sized(each) for each in experiments().values()]
    runs = {(each.bandit, agent): each.rounds for each in sized for agent in each.agents.values()}
    rounds = sum(seconds_per_round(*run) * length for run, length in runs.items())
    start = time.thread_time()
    optimum(sized[-1].bandit, sized[-1].rounds, sized[-1].gamma)
    planning = (time.thread_time() - start) * len(sized)
    return rounds * TIERS[tier].sims + planning
