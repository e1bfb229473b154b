"""What to make of simulations: regret, rate of optimal policy, intervals, comparisons."""

from collections.abc import Callable
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rb_core.checks import InputError, number, whole

if TYPE_CHECKING:
    from rb_core.planning import Optimum
    from rb_core.simulation import Runs


class Estimate(NamedTuple):
    """A number with its interval, which it is always written with.

    Attributes
    ----------
    value : float
    low, high : float
        The ends of the interval.

    Examples
    --------
    >>> share = Estimate(0.5, 0.45, 0.55)
    >>> print(f"{share:.0%}")
    50% [45%, 55%]
    >>> share.said(".0%")
    '50% (95% interval 45% to 55%)'
    >>> share.map(lambda each: 1 / each)
    Estimate(value=2.0, low=1.8181818181818181, high=2.2222222222222223)
    """

    value: float
    low: float
    high: float

    def __format__(self, spec: str) -> str:
        if np.ndim(self.value):  # of many numbers at once
            return repr(self)
        value, low, high = (format(each, spec or ".4g") for each in self)
        return f"{value} [{low}, {high}]"

    def __str__(self) -> str:
        return format(self)

    def said(self, spec: str, unit: str = "") -> str:
        """As prose has it, if the interval is one of 95%.

        Parameters
        ----------
        spec : str
            How numbers are written, such as ".1%".
        unit : str
            Stands behind the number.

        Examples
        --------
        >>> Estimate(12.3, 11.9, 12.8).said(".0f", " rounds")
        '12 rounds (95% interval 12 to 13)'
        """
        value, low, high = (format(each, spec) for each in self)
        return f"{value}{unit} (95% interval {low} to {high})"

    def map(self, function: Callable[[float], float]) -> "Estimate":
        """A function of the number, with its interval.

        Parameters
        ----------
        function
            One that only rises, or only falls.

        Examples
        --------
        >>> Estimate(0.5, 0.25, 1.0).map(lambda each: 1 - each)
        Estimate(value=0.5, low=0.0, high=0.75)
        """
        value, *ends = (function(each) for each in self)
        return Estimate(value, min(ends), max(ends))

    @property
    def ends(self) -> np.ndarray:
        """How far the interval reaches below and above, as matplotlib's `xerr` and `yerr` want it.

        Of several estimates: `np.hstack([each.ends for each in estimates])`.
        """
        return np.reshape([self.value - self.low, self.high - self.value], (2, -1))


class Comparison(NamedTuple):
    """Two agents, simulation by simulation.

    Attributes
    ----------
    difference : Estimate
        The mean of first minus second.
    median_difference : Estimate
        The median of first minus second.
    larger : Estimate
        How often the first is larger; ties count half.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.compare_paired([3.0, 4.0, 5.0], [1.0, 2.0, 3.0]).larger.value
    1.0
    """

    difference: Estimate
    median_difference: Estimate
    larger: Estimate


def regret(runs: "Runs", best: "Optimum") -> np.ndarray:
    """Regret in *expected* rewards, sims x checkpoints.

    At checkpoint t it is what was lost against the best that t rounds could have given, so it is
    never negative, and at the last checkpoint it is `best.value` minus the reward earned.

    Parameters
    ----------
    runs : Runs
    best : Optimum
        Of the same bandit, for at least as many rounds, at the same discount.

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit = rb.setting("small")
    >>> runs = rb.simulate(bandit, rb.RandomPull(), rounds=100, sims=4)
    >>> best = rb.optimum(bandit, rounds=100)
    >>> regret(runs, best).shape == runs.cumulative.shape
    True
    """
    _same_problem(runs, best)
    if best.rounds is None or best.curve is None or best.rounds < runs.rounds:
        raise InputError(f"The optimum must be planned for the {runs.rounds:,} rounds of the runs.")
    if best.gamma != runs.gamma:
        raise InputError(
            f"The runs are evaluated at gamma {runs.gamma!r} and the optimum at {best.gamma!r}; "
            f"they must agree."
        )
    return best.curve[runs.checkpoints] - runs.cumulative


def tail_regret(runs: "Runs", best: "Optimum") -> np.ndarray:
    """For each simulation: its regret in the last 3 s_max rounds, in sum.

    Measured against the optimal long-run average of these rounds; below zero if they happen to end
    in the better part of a cycle whose rewards vary.

    Parameters
    ----------
    runs : Runs
    best : Optimum

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit = rb.RecoveringBandit([[0.5]])
    >>> runs = rb.simulate(bandit, rb.RandomPull(), rounds=9, sims=2)
    >>> tail_regret(runs, rb.optimum(bandit, rounds=9))
    array([0., 0.])
    """
    _same_problem(runs, best)
    return runs.tail.shape[1] * best.average - runs.tail.sum(axis=1)


def no_regret(tail_regret: np.ndarray) -> np.ndarray:
    """Whether a regret, as :func:`tail_regret` has it, is none at all but for rounding."""
    return tail_regret < 1e-9


def is_optimal(runs: "Runs", best: "Optimum") -> np.ndarray:
    """For each simulation: no regret over the last 3 s_max rounds, in sum. The paper's criterion.

    Parameters
    ----------
    runs : Runs
    best : Optimum

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit = rb.setting("small")
    >>> runs = rb.simulate(bandit, rb.RandomPull(), rounds=100, sims=4)
    >>> best = rb.optimum(bandit, rounds=100)
    >>> is_optimal(runs, best)
    array([False, False, False, False])
    """
    return no_regret(tail_regret(runs, best))


def is_strictly_optimal(runs: "Runs", best: "Optimum") -> np.ndarray:
    """For each simulation: in the last 3 s_max rounds every pull is one of an optimal policy.

    Measured against long-run optimal play from the state in which these rounds began. It differs
    from :func:`is_optimal` in two ways. Where the rewards of an optimal cycle vary, a worse cycle
    can lose nothing in a window that happens to begin and end with its better rounds: arm 1 of the
    small problem in every fourth round instead of every third. And a run that is on its best way
    back from an earlier pull when the window begins makes optimal pulls, and yet loses.

    Parameters
    ----------
    runs : Runs
    best : Optimum

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit = rb.setting("small")
    >>> runs = rb.simulate(bandit, rb.RandomPull(), rounds=100, sims=4)
    >>> is_strictly_optimal(runs, rb.optimum(bandit, rounds=100)).any()
    np.False_
    """
    _same_problem(runs, best)
    return best.losses(runs.tail_start, runs.tail_arms) == 0


def optimal_rate(runs: "Runs", best: "Optimum", level: float = 0.95) -> Estimate:
    """Share of simulations with no regret over the last 3 s_max rounds, in sum: the paper's rate.

    Parameters
    ----------
    runs : Runs
    best : Optimum
    level : float
        Of the interval.

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit = rb.setting("small")
    >>> runs = rb.simulate(bandit, rb.RandomPull(), rounds=100, sims=4)
    >>> best = rb.optimum(bandit, rounds=100)
    >>> optimal_rate(runs, best).value
    0.0
    """
    return share(is_optimal(runs, best), level)


def strictly_optimal_rate(runs: "Runs", best: "Optimum", level: float = 0.95) -> Estimate:
    """Share of simulations that end with optimal pulls only: :func:`is_strictly_optimal`.

    Parameters
    ----------
    runs : Runs
    best : Optimum
    level : float
        Of the interval.

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit = rb.setting("small")
    >>> runs = rb.simulate(bandit, rb.RGPTS(2), rounds=2000, sims=20)
    >>> best = rb.optimum(bandit, rounds=2000)
    >>> optimal_rate(runs, best).value > strictly_optimal_rate(runs, best).value
    True
    """
    return share(is_strictly_optimal(runs, best), level)


def share(which: np.ndarray, level: float = 0.95) -> Estimate:
    """How many simulations are so, of a flag for each, as a share with its Wilson interval."""
    return wilson(int(which.sum()), len(which), level)


def wilson(successes: int, trials: int, level: float = 0.95) -> Estimate:
    """A share with its Wilson score interval.

    Parameters
    ----------
    successes, trials : int
    level : float
        Of the interval.

    Examples
    --------
    >>> print(f"{wilson(50, 100):.0%}")
    50% [40%, 60%]
    """
    trials = whole("trials", trials, 1)
    successes = whole("successes", successes, 0, trials)
    z = NormalDist().inv_cdf(0.5 + number("level", level, 0, 0.9999) / 2)
    found = successes / trials
    centre = (found + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z / (1 + z**2 / trials) * np.sqrt(found * (1 - found) / trials + z**2 / (4 * trials**2))
    # At 0 and at `trials` successes the interval ends there; rounding must not cross it.
    low, high = max(float(centre - half), 0.0), min(float(centre + half), 1.0)
    return Estimate(found, min(low, found), max(high, found))


def bootstrap(
    samples: ArrayLike,
    statistic: Callable[..., Any] = np.median,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """A statistic along the first axis with its percentile-bootstrap interval.

    Parameters
    ----------
    samples : array_like
        Sims, or sims x anything.
    statistic : function
        Must take an `axis`.
    level : float
        Of the interval.
    resamples, seed : int

    Examples
    --------
    >>> print(bootstrap([1.0, 2.0, 3.0, 4.0, 5.0]))
    3 [1, 5]
    """
    sampled = _numbers(samples)
    if sampled.ndim == 0 or len(sampled) == 0:
        raise InputError("bootstrap needs at least one sample.")
    resamples, seed = whole("resamples", resamples, 1), whole("seed", seed, 0)
    tail = (1 - number("level", level, 0, 0.9999)) / 2
    rng = np.random.default_rng(seed)
    draws = [
        statistic(sampled[rng.integers(len(sampled), size=len(sampled))], axis=0)
        for _ in range(resamples)
    ]
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    value = statistic(sampled, axis=0)
    if sampled.ndim == 1:
        value, low, high = float(value), float(low), float(high)
    return Estimate(value, low, high)


def mean_interval(samples: ArrayLike, level: float = 0.95) -> Estimate:
    """The mean of few samples with its interval, by Student's t.

    For a mean over some tables or a few runs, where a bootstrap's interval is too short.

    Parameters
    ----------
    samples : array_like
        Numbers; of a single one the interval is not known.
    level : float
        Of the interval.

    Examples
    --------
    >>> print(mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]))
    3 [1.037, 4.963]
    """
    sampled = _numbers(samples)
    if sampled.ndim != 1 or len(sampled) == 0:
        raise InputError("mean_interval needs a row of at least one number.")
    level, mean = number("level", level, 0, 0.9999), float(sampled.mean())
    if len(sampled) == 1:
        return Estimate(mean, float("nan"), float("nan"))
    freedom = len(sampled) - 1
    # As the tangent of an angle, t has a density without tails.
    angle = np.linspace(0, np.pi / 2, 20_001)
    density = np.cos(angle) ** (freedom - 1)
    covered = np.cumsum(np.append(0.0, density[1:] + density[:-1]))
    reach = np.sqrt(freedom) * np.tan(np.interp(level, covered / covered[-1], angle))
    half = float(reach * sampled.std(ddof=1) / np.sqrt(len(sampled)))
    return Estimate(mean, mean - half, mean + half)


def compare_paired(first: ArrayLike, second: ArrayLike, level: float = 0.95) -> Comparison:
    """Compare two agents by one number per simulation (regret at the end, say), pairwise.

    Simulation i of the one is paired with simulation i of the other.

    Parameters
    ----------
    first, second : array_like
        One number per simulation, equally many.
    level : float
        Of the intervals.

    Examples
    --------
    >>> print(compare_paired([3.0, 4.0, 5.0], [1.0, 2.0, 3.0]).difference)
    2 [2, 2]
    """
    one, other = _numbers(first), _numbers(second)
    if one.ndim != 1 or one.shape != other.shape or len(one) == 0:
        raise InputError(
            f"compare_paired needs one number per simulation, equally many for both agents, "
            f"not shapes {one.shape} and {other.shape}."
        )
    difference = one - other
    wins = np.where(difference == 0, 0.5, difference > 0)
    return Comparison(
        bootstrap(difference, np.mean, level),
        bootstrap(difference, np.median, level),
        bootstrap(wins, np.mean, level),
    )


def compare_unpaired(first: ArrayLike, second: ArrayLike, level: float = 0.95) -> Estimate:
    """Mean of one sample minus that of another, with the interval of independent samples.

    For agents with unequally many simulations, where :func:`compare_paired` finds no pairs. The
    interval is the normal one: a few dozen simulations are enough unless a few of them decide all.

    Parameters
    ----------
    first, second : array_like
        One number per simulation, at least two of each.
    level : float
        Of the interval.

    Examples
    --------
    >>> print(compare_unpaired([3.0, 3.0, 3.0], [1.0, 1.0]))
    2 [2, 2]
    """
    pair = _numbers(first), _numbers(second)
    if any(each.ndim != 1 or len(each) < 2 for each in pair):
        raise InputError("compare_unpaired needs two samples of at least two numbers each.")
    z = NormalDist().inv_cdf(0.5 + number("level", level, 0, 0.9999) / 2)
    value = float(pair[0].mean() - pair[1].mean())
    half = z * float(np.sqrt(sum(each.var(ddof=1) / len(each) for each in pair)))
    return Estimate(value, value - half, value + half)


def compare_rates(first: Estimate, second: Estimate) -> Estimate:
    """One rate minus another in percentage points, with the interval of independent runs.

    Newcombe's: it follows from the intervals of the two rates, as :func:`wilson` gives them.

    Parameters
    ----------
    first, second : Estimate
        Rates, such as the `rate` of a summary.

    Examples
    --------
    >>> print(f"{compare_rates(wilson(56, 70), wilson(48, 80)):.1f}")
    20.0 [5.2, 33.4]
    """
    (low, high), (other_low, other_high) = first.ends.ravel(), second.ends.ravel()
    value = first.value - second.value
    ends = value - np.hypot(low, other_high), value + np.hypot(high, other_low)
    return Estimate(value, *ends).map(lambda share: 100 * share)


def _numbers(samples: ArrayLike) -> np.ndarray:
    try:
        return np.asarray(samples, float)
    except (TypeError, ValueError):
        raise InputError("Samples must be an array of numbers.") from None


def _same_problem(runs: "Runs", best: "Optimum") -> None:
    if not (hasattr(runs, "tail_arms") and hasattr(best, "losses")):
        raise InputError(
            f"Runs and their optimum are needed, as simulate and optimum return them, "
            f"not {type(runs).__name__} and {type(best).__name__}."
        )
    if runs.bandit != best.bandit:
        raise InputError(f"The runs are of {runs.bandit} and the optimum is of {best.bandit}.")
