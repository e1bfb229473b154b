"""What is kept of many simulations: enough for every figure and table, and small."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from rb_core.metrics import Estimate, is_optimal, regret, wilson
from rb_core.planning import kinds
from rb_core.simulate import states_at_pull

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


class Summary(NamedTuple):
    """One agent in one experiment.

    Attributes
    ----------
    checkpoints : rounds at which the curves are kept
    quantiles : levels x checkpoints, quantiles of the regret at 5, 25, 50, 75 and 95%
    reward : cumulative expected reward at the end, discounted, one a simulation
    total : the same without discount
    regret : regret at the end, one a simulation
    optimal : no regret in the last 3 s_max rounds, one a simulation
    endings : what the simulations end in, most frequent first: (cycle, how many) pairs
    """

    checkpoints: np.ndarray
    quantiles: np.ndarray
    reward: np.ndarray
    total: np.ndarray
    regret: np.ndarray
    optimal: np.ndarray
    endings: list

    @property
    def rate(self) -> Estimate:
        """Share of simulations that end in an optimal policy, with its interval."""
        return wilson(int(self.optimal.sum()), len(self.optimal))


def summarise(runs, best):
    """The summary of `runs`, measured against the optimum `best`."""
    lost = regret(runs, best)
    return Summary(
        runs.checkpoints,
        np.quantile(lost, LEVELS, axis=0),
        runs.cumulative[:, -1],
        runs.total,
        lost[:, -1],
        is_optimal(runs, best),
        endings(runs),
    )


def endings(runs):
    """Which cycles the simulations are in at their ends, and how many in each."""
    found = Counter(cycles(runs))
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def cycles(runs):
    """The cycle that each simulation is in at its end.

    A cycle is written with the kinds of its arms (A for arm 1 and its like, then B, ...) and the
    states in which they are pulled, such as "A3 B3": arms with equal means count as one kind.
    """
    kind_of = kinds(runs.bandit)
    order = {kind: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26] for i, kind in enumerate(_first(kind_of))}
    found = []
    for start, arms in zip(runs.tail_start, runs.tail_arms, strict=True):
        states = states_at_pull(arms, start, runs.bandit.s_max)
        pulls = [f"{order[kind_of[a]]}{s}" for a, s in zip(arms, states, strict=True)]
        found.append(_cycle(pulls))
    return found


def _first(values):
    return list(dict.fromkeys(values.tolist()))


def _cycle(pulls):
    """The shortest cycle that the pulls repeat at least twice, from its smallest rotation on."""
    for length in range(1, len(pulls) // 2 + 1):
        if pulls[length:] == pulls[:-length]:
            cycle = pulls[:length]
            return " ".join(min(cycle[i:] + cycle[:i] for i in range(length)))
    return "no cycle"
