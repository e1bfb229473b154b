"""What is kept of many simulations: enough for every figure and table, and small."""

import tempfile
from collections import Counter
from concurrent.futures import Executor
from itertools import count, product
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from rb_core.bandit import RecoveringBandit
from rb_core.engine.blocks import UNSIGNED, Maker
from rb_core.metrics import (
    Estimate,
    is_strictly_optimal,
    no_regret,
    regret,
    share,
    tail_regret,
)
from rb_core.planning import Optimum, kinds
from rb_core.problem import Problem
from rb_core.simulation import Keeper, Runs, jobs_of, run_jobs, states_at_pull

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
CURVES = 50  # runs whose curves are kept


class Summary(NamedTuple):
    """One agent in one experiment.

    Attributes
    ----------
    checkpoints : array
        Rounds at which the curves are kept.
    quantiles : array, 5 x checkpoints
        Of the regret, at 5, 25, 50, 75 and 95%.
    reward : array, sims
        Cumulative expected reward at the end, discounted.
    total : array, sims
        The same without discount.
    regret : array, sims
        Regret at the end.
    strictly_optimal : array, sims
        Whether every pull of the last 3 s_max rounds is one of an optimal policy.
    endings : list of (str, int)
        The cycles at the end, most frequent first, and how many runs are in them.
    tail_regret : array, sims
        Regret summed over the last 3 s_max rounds.
    curves : array, 50 x checkpoints
        The regret of the first 50 simulations.

    Examples
    --------
    >>> import rb_core as rb
    >>> summaries, _ = rb.results("small-bernoulli-discounted")
    >>> summaries["SS-SARSA"].endings[0]
    ('A3 B3 B3', 997)
    >>> print(f"{summaries['2RGP-TS'].rate:.0%}, {summaries['2RGP-TS'].strict_rate:.0%}")
    78% [75%, 80%], 37% [34%, 40%]
    """

    checkpoints: np.ndarray
    quantiles: np.ndarray
    reward: np.ndarray
    total: np.ndarray
    regret: np.ndarray
    strictly_optimal: np.ndarray
    endings: list[tuple[str, int]]
    tail_regret: np.ndarray
    curves: np.ndarray | None = None  # results of the first edition were kept without them

    @property
    def optimal(self) -> np.ndarray:
        """Whether there is no regret over the last 3 s_max rounds, in sum; one a simulation."""
        return no_regret(self.tail_regret)

    @property
    def rate(self) -> Estimate:
        """The paper's rate of optimal policy, that of `optimal`, with its interval."""
        return share(self.optimal)

    @property
    def strict_rate(self) -> Estimate:
        """The stricter rate, that of `strictly_optimal`, with its interval."""
        return share(self.strictly_optimal)


class Measured(NamedTuple):
    """A summary, who simulated it, and the seconds that cores worked on it."""

    summary: Summary
    maker: Maker
    seconds: float


def summarise(runs: Runs, best: Optimum) -> Summary:
    """The summary of `runs`, measured against the optimum `best`.

    Parameters
    ----------
    runs : Runs
    best : Optimum

    Returns
    -------
    Summary

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit = rb.setting("small")
    >>> runs = rb.simulate(bandit, rb.RandomPull(), rounds=100, sims=4)
    >>> rb.summarise(runs, rb.optimum(bandit, rounds=100)).rate.value
    0.0
    """
    tally = Tally(best, runs.sims)
    tally.add(0, runs)
    return tally.summary()


def measure(
    problem: Problem,
    agent: object,
    best: Optimum,
    sims: int,
    seed: int = 0,
    executor: Executor | None = None,
    store: Keeper | None = None,
    progress: bool = False,
) -> Measured:
    """Simulate and summarise block by block: memory does not grow with the number of curves."""
    tally, maker, seconds = Tally(best, sims), UNSIGNED, 0.0
    with tqdm(total=sims, unit="sim", disable=None if progress else True) as bar:
        for job, signed in run_jobs(jobs_of(problem, agent, sims, seed), executor, store):
            tally.add(job.first, Runs.of_block(problem, agent, seed, signed.block))
            maker, seconds = signed.maker, seconds + signed.seconds
            bar.update(job.count)
    return Measured(tally.summary(), maker, seconds)


class Tally:
    """Adds up runs that come in pieces, in any order.

    Quantiles need the regret of all runs at a checkpoint, of one checkpoint after the other: until
    then the curves wait in a file.
    """

    def __init__(self, best: Optimum, sims: int):
        self.best, self.sims = best, sims
        self.reward, self.total, self.regret, self.tail_regret = np.empty((4, sims))
        self.strictly_optimal = np.empty(sims, bool)
        self.endings: Counter[str] = Counter()
        self.checkpoints, self.curves = np.empty(0), np.empty((0, 0))
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the tally)

    def add(self, first: int, runs: Runs) -> None:
        """Runs number `first` and those that follow it."""
        here, lost = slice(first, first + runs.sims), regret(runs, self.best)
        self.checkpoints = runs.checkpoints
        self.reward[here], self.total[here] = runs.cumulative[:, -1], runs.total
        self.regret[here], self.tail_regret[here] = lost[:, -1], tail_regret(runs, self.best)
        self.strictly_optimal[here] = is_strictly_optimal(runs, self.best)
        self.endings.update(cycles(runs))
        if not self.curves.size:
            self.curves = np.empty((min(self.sims, CURVES), lost.shape[1]), np.float32)
        if first < CURVES:
            self.curves[first : first + runs.sims] = lost[: CURVES - first]
        for i, column in enumerate(lost.T):
            self.file.seek((i * self.sims + first) * column.itemsize)
            self.file.write(column.tobytes())

    def summary(self) -> Summary:
        """All of it, once every run was added."""
        self.file.seek(0)
        columns = (np.fromfile(self.file, count=self.sims) for _ in self.checkpoints)
        quantiles = np.array([np.quantile(column, LEVELS) for column in columns]).T
        self.file.close()
        return Summary(self.checkpoints, quantiles, self.reward, self.total, self.regret,
                       self.strictly_optimal, by_frequency(self.endings), self.tail_regret,
                       self.curves)


def by_frequency(endings: Counter[str]) -> list[tuple[str, int]]:
    """(cycle, how many) pairs, most frequent first."""
    return sorted(endings.items(), key=lambda item: (-item[1], item[0]))


def cycles(runs: Runs) -> list[str]:
    """The cycle that each simulation is in at its end.

    A cycle is written with the kinds of its arms (A for arm 1 and its like, then B, ...) and the
    states in which they are pulled, such as "A3 B3": arms with equal means count as one kind.
    """
    letters = kind_letters(runs.bandit)
    found = []
    for start, arms in zip(runs.tail_start, runs.tail_arms, strict=True):
        states = states_at_pull(arms, start, runs.bandit.s_max)
        found.append(_cycle([f"{letters[a]}{s}" for a, s in zip(arms, states, strict=True)]))
    return found


def kind_letters(bandit: RecoveringBandit) -> list[str]:
    """The kind of each arm: A for arm 1 and all with equal means, then B, ..., Z, AA, AB, ...

    Parameters
    ----------
    bandit : RecoveringBandit

    Examples
    --------
    >>> import rb_core as rb
    >>> "".join(rb.kind_letters(rb.setting("6-hetero")))
    'AAABBB'
    """
    words = ("".join(word) for length in count(1)
             for word in product("ABCDEFGHIJKLMNOPQRSTUVWXYZ", repeat=length))
    kind_of = kinds(bandit).tolist()
    letters = dict(zip(dict.fromkeys(kind_of), words, strict=False))
    return [letters[kind] for kind in kind_of]


def _cycle(pulls: list[str]) -> str:
    """The shortest cycle that the pulls repeat at least twice, from its smallest rotation on."""
    for length in range(1, len(pulls) // 2 + 1):
        if pulls[length:] == pulls[:-length]:
            cycle = pulls[:length]
            return " ".join(min(cycle[i:] + cycle[:i] for i in range(length)))
    return "no cycle"
