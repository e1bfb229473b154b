"""Families of random bandits, for learners and planners that are to hold beyond the paper's tables.

A bandit follows from (name, arms, s_max, seed) alone. All means lie in [0, 1], so that every
family has both reward laws.

Powers, exponentials and products of matrices have other last digits on other processors, and a
bandit whose means differ in the last digit has other random streams. What uses them is rounded.
"""

from collections.abc import Callable

import numpy as np

from rb_core.bandit import REWARD_LAWS, RecoveringBandit
from rb_core.checks import choice, whole

DIGITS = 6
MOST_CELLS = 10**8  # of a table: for more a machine has no room
Draw = Callable[[np.random.Generator, int, int], np.ndarray]


def _rising(rng: np.random.Generator, arms: int, s_max: int) -> np.ndarray:
    """Every arm rises from one level to another, by random steps."""
    low, top = np.sort(rng.random((2, arms)), axis=0)
    steps = np.sort(rng.random((arms, s_max)), axis=1)
    steps[:, -1] = 1.0  # a rested arm is at its top
    return low[:, None] + (top - low)[:, None] * steps


def _peaked(rng: np.random.Generator, arms: int, s_max: int) -> np.ndarray:
    """Every arm rises to a top in a state of its own, and falls from there on."""
    low, top = np.sort(rng.random((2, arms)), axis=0)
    peak = rng.integers(1, max(s_max - 1, 2), size=arms)  # neither the first state nor the last
    steps = rng.random((arms, s_max))
    for row, at in zip(steps, np.minimum(peak, s_max - 1), strict=True):
        row[: at + 1].sort()
        row[at:] = np.sort(row[at:])[::-1]
        row[at] = 1.0
    return low[:, None] + (top - low)[:, None] * steps


def _free(rng: np.random.Generator, arms: int, s_max: int) -> np.ndarray:
    """All means are drawn apart: nothing is to be learnt about one state from another."""
    return rng.random((arms, s_max))


def _gaussian(rng: np.random.Generator, arms: int, s_max: int) -> np.ndarray:
    """Smooth curves: draws from a Gaussian process with an RBF kernel over the states."""
    steps = np.arange(s_max)
    alike = np.exp(-(steps**2) / (2 * 2.5**2)).round(2 * DIGITS)  # by how many states lie between
    # A nudge against rounding, without which there is no Cholesky factor. It is made column by
    # column, because a library's own adds up in other orders on other processors.
    left = alike[abs(steps[:, None] - steps)] + 1e-6 * np.eye(s_max)
    curves = np.zeros((arms, s_max))
    for state, drawn in enumerate(rng.standard_normal((arms, s_max)).T):
        column = left[:, state] / np.sqrt(left[state, state])
        left = left - np.outer(column, column)
        curves = curves + np.outer(drawn, column)
    # Stretched as a whole into [0, 1], which leaves every policy as good or bad as it was.
    low, top = curves.min(), curves.max()
    return ((curves - low) / (top - low)).round(DIGITS) if top > low else np.full_like(curves, 0.5)


def _exponential(rng: np.random.Generator, arms: int, s_max: int) -> np.ndarray:
    """A pull takes away a share of an arm's base, which comes back with a half-life of its own."""
    base, lost = rng.random((2, arms))
    half_life = s_max ** rng.random(arms)  # from one round to s_max, evenly on a logarithmic scale
    left = 1 - lost[:, None] * 0.5 ** (np.arange(s_max) / half_life[:, None])
    return (base[:, None] * left).round(DIGITS)


def _blocking(rng: np.random.Generator, arms: int, s_max: int) -> np.ndarray:
    """An arm pays nothing for a number of rounds after a pull, and then always the same."""
    pay, delay = rng.random(arms), rng.integers(1, s_max + 1, size=arms)
    return np.where(np.arange(1, s_max + 1) >= delay[:, None], pay[:, None], 0.0)


def _concave(rng: np.random.Generator, arms: int, s_max: int) -> np.ndarray:
    """Every arm rises from zero by steps that become smaller and smaller."""
    steps = -np.sort(-rng.exponential(size=(arms, s_max)), axis=1)
    rise = np.cumsum(steps, axis=1)
    return rng.random(arms)[:, None] * rise / rise[:, -1:]


FAMILIES: dict[str, Draw] = {
    "rising": _rising,
    "peaked": _peaked,
    "free": _free,
    "gaussian": _gaussian,
    "exponential": _exponential,
    "blocking": _blocking,
    "concave": _concave,
}


def family(
    name: str, arms: int, s_max: int, seed: int, reward: str = "bernoulli"
) -> RecoveringBandit:
    """A random bandit of a family.

    `rising` and `peaked` have the shapes of the paper's settings, each arm with its own levels;
    `free` has none. The others are kinds that were published, stretched or cut to [0, 1] where
    they were not there: draws from a Gaussian process (Pike-Burke and Grünewälder 2019),
    exponential recovery (Yancey and Settles 2020; Simchi-Levi, Zheng and Zhu 2021), blocking, where
    a blocked arm can be pulled for nothing (Basu et al. 2019), and concave recharging (Kleinberg
    and Immorlica 2018).

    Parameters
    ----------
    name : {"rising", "peaked", "free", "gaussian", "exponential", "blocking", "concave"}
    arms, s_max : int
    seed : int
        Which of them: the same four always give the same bandit.
    reward : {"bernoulli", "normal"}

    Returns
    -------
    RecoveringBandit

    Examples
    --------
    >>> family("rising", arms=20, s_max=10, seed=0)
    <RecoveringBandit: 20 arms, s_max 10, bernoulli>
    >>> family("blocking", arms=2, s_max=4, seed=1).means.round(2)
    array([[0.  , 0.  , 0.  , 0.33],
           [0.  , 0.3 , 0.3 , 0.3 ]])
    """
    draw = FAMILIES[choice("family", name, FAMILIES)]
    arms, s_max, seed = whole("arms", arms, 1), whole("s_max", s_max, 1), whole("seed", seed, 0)
    whole("arms times s_max", arms * s_max, 1, MOST_CELLS)
    choice("reward law", reward, REWARD_LAWS)
    address = (*name.encode(), arms, s_max)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=address)))
    return RecoveringBandit(np.clip(draw(rng, arms, s_max), 0.0, 1.0), reward)
