"""Interleaved randomised rounding, for means that are known: a published planner, to be held beside
`schedule`."""

import math

import numpy as np

from rb_core.bandit import RecoveringBandit
from rb_core.checks import whole
from rb_core.pricing import price_of_a_pull
from rb_core.scheduling import PASSES, Schedule, followed, upper_bound


def interleaved(bandit: RecoveringBandit, seed: int = 0) -> Schedule:
    """Interleaved randomised rounding, after Papadigenopoulos, Caramanis and Shakkottai (2022).

    A linear programme says how often every arm is to be pulled in which state if on average one arm
    is pulled a round. Each arm draws its period from its solution, and the round in which it
    begins; of the arms that are due in a round, the best one is pulled, and the others wait for
    their next turn. Where means do not fall with the time since a pull, the paper's algorithm earns
    on average at least 1 - 1/e of what is possible, in the long run.

    Only the paper's abstract could be read, which speaks of randomised rounding of a linear
    programme and of scheduling that is correlated in time (interleaved). What is ours, or differs:

    1. Exactly one arm is pulled a round. In a round without an arm that is due it is the best one
       at that moment of those that drew no period, and else of all.
    2. The best of those that are due is the one with the largest mean at its period.
    3. What is played is cut off after 100 s_max rounds, and repeated.

    Parameters
    ----------
    bandit : RecoveringBandit
    seed : int
        Of the draws.

    Returns
    -------
    Schedule

    Examples
    --------
    >>> import rb_core as rb
    >>> found = rb.interleaved(rb.setting("6-hetero"))
    >>> found.average > (1 - 1 / math.e) * found.bound
    True
    """
    bound = upper_bound(bandit)
    few, many, share = rates(bandit.means)
    rng = np.random.default_rng(whole("seed", seed, 0))
    period = np.where(rng.random(bandit.arms) < share, many, few)
    first = rng.integers(0, np.maximum(period, 1))
    order = np.argsort(bandit.means[np.arange(bandit.arms), period - 1], kind="stable")
    slots = np.full(PASSES * bandit.s_max, -1)
    for arm in order[period[order] > 0]:  # the best last: it stays
        slots[first[arm] :: period[arm]] = arm
    return followed(bandit, period, slots, bound)


def rates(means: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The periods (0: never) that arms ask for just above and just below the price of a pull, and
    the share of the latter with which they ask for one pull a round in all: this solves the
    linear programme."""
    price, _ = price_of_a_pull(means)
    nudge = 1e-9 * (np.abs(means).max() + 1e-300)
    states = np.arange(1, means.shape[1] + 1)
    periods, asked = [], []
    for near in (price + nudge, price - nudge):
        gains = (means - near) / states
        periods.append(np.where(gains.max(axis=1) > 0, gains.argmax(axis=1) + 1, 0))
        asked.append(math.fsum(1 / period for period in periods[-1] if period))
    more = asked[1] - asked[0]
    share = min(max((1 - asked[0]) / more, 0.0), 1.0) if more else 0.0
    return periods[0], periods[1], share
