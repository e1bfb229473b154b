"""What to make of simulations: regret, rate of optimal policy, intervals, comparisons."""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from rb_core.errors import InputError, number, whole


class Estimate(NamedTuple):
    """A number with its interval."""

    value: float
    low: float
    high: float

    def __str__(self):
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"


class Comparison(NamedTuple):
    """Two agents, simulation by simulation: `difference` is first minus second."""

    difference: Estimate  # of the means
    median_difference: Estimate
    larger: Estimate  # how often the first is larger; ties count half


def regret(runs, best):
    """Regret in *expected* rewards, sims x checkpoints.

    At checkpoint t it is what was lost against the best that t rounds could have given, so it is
    never negative, and at the last checkpoint it is `best.value` minus the reward earned.
    """
    _same_problem(runs, best)
    if best.curve is None or best.rounds < runs.rounds:
        raise InputError(f"The optimum must be planned for the {runs.rounds:,} rounds of the runs.")
    if best.gamma != runs.gamma:
        raise InputError(
            f"The runs are evaluated at gamma {runs.gamma!r} and the optimum at {best.gamma!r}; "
            f"they must agree."
        )
    return best.curve[runs.checkpoints] - runs.cumulative


def is_optimal(runs, best):
    """For each simulation: no regret in the last 3 s_max rounds.

    Measured against long-run optimal play from the state in which these rounds began: every pull
    must be one that an average-optimal policy makes. With monotone rewards that is the paper's
    criterion; it also works where optimal cycles have rewards that vary from round to round.
    """
    _same_problem(runs, best)
    return best.losses(runs.tail_start, runs.tail_arms) == 0


def optimal_rate(runs, best, level=0.95):
    """Share of simulations with no regret over the last 3 s_max rounds, with its interval."""
    optimal = is_optimal(runs, best)
    return wilson(int(optimal.sum()), len(optimal), level)


def wilson(successes, trials, level=0.95):
    """A share with its Wilson score interval."""
    trials = whole("trials", trials, 1)
    successes = whole("successes", successes, 0, trials)
    z = NormalDist().inv_cdf(0.5 + number("level", level, 0, 0.9999) / 2)
    share = successes / trials
    centre = (share + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * np.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    # At 0 and at `trials` successes the interval ends there; rounding must not cross it.
    low, high = max(float(centre - half), 0.0), min(float(centre + half), 1.0)
    return Estimate(share, min(low, share), max(high, share))


def bootstrap(samples, statistic=np.median, level=0.95, resamples=2000, seed=0):
    """A statistic along the first axis with its percentile-bootstrap interval.

    `samples` is sims or sims x anything; `statistic` must take an `axis`.
    """
    samples = _numbers(samples)
    if samples.ndim == 0 or len(samples) == 0:
        raise InputError("bootstrap needs at least one sample.")
    resamples, seed = whole("resamples", resamples, 1), whole("seed", seed, 0)
    tail = (1 - number("level", level, 0, 0.9999)) / 2
    rng = np.random.default_rng(seed)
    draws = [
        statistic(samples[rng.integers(len(samples), size=len(samples))], axis=0)
        for _ in range(resamples)
    ]
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    value = statistic(samples, axis=0)
    if samples.ndim == 1:
        value, low, high = float(value), float(low), float(high)
    return Estimate(value, low, high)


def compare(first, second, level=0.95):
    """Compare two agents by one number per simulation (regret at the end, say), pairwise.

    Simulation i of the one is paired with simulation i of the other.
    """
    first, second = _numbers(first), _numbers(second)
    if first.ndim != 1 or first.shape != second.shape or len(first) == 0:
        raise InputError(
            f"compare needs one number per simulation, equally many for both agents, "
            f"not shapes {first.shape} and {second.shape}."
        )
    difference = first - second
    wins = np.where(difference == 0, 0.5, difference > 0)
    return Comparison(
        bootstrap(difference, np.mean, level),
        bootstrap(difference, np.median, level),
        bootstrap(wins, np.mean, level),
    )


def difference(first, second, level=0.95):
    """Mean of one sample minus that of another, with the interval of independent samples.

    For agents with unequally many simulations, where :func:`compare` finds no pairs. The interval
    is the normal one: a few dozen simulations are enough unless a few of them decide everything.
    """
    first, second = _numbers(first), _numbers(second)
    if any(each.ndim != 1 or len(each) < 2 for each in (first, second)):
        raise InputError("difference needs two samples of at least two numbers each.")
    z = NormalDist().inv_cdf(0.5 + number("level", level, 0, 0.9999) / 2)
    value = float(first.mean() - second.mean())
    half = z * float(np.sqrt(sum(each.var(ddof=1) / len(each) for each in (first, second))))
    return Estimate(value, value - half, value + half)


def _numbers(samples):
    try:
        return np.asarray(samples, float)
    except (TypeError, ValueError):
        raise InputError("Samples must be an array of numbers.") from None


def _same_problem(runs, best):
    if not (hasattr(runs, "tail_arms") and hasattr(best, "losses")):
        raise InputError(
            f"Runs and their optimum are needed, as simulate and optimum return them, "
            f"not {type(runs).__name__} and {type(best).__name__}."
        )
    if runs.bandit != best.bandit:
        raise InputError(f"The runs are of {runs.bandit} and the optimum is of {best.bandit}.")
