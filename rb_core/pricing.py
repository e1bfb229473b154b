"""The price of a pull: what one pull a round is worth, and what follows for each arm alone.

Let every arm be pulled or rested as it likes, for a price a pull. Alone, arm a then earns
g_a = max(0, max_s (m(a, s) - price) / s) a round: it is best pulled always in the same state, or
never. Whatever the price, price + sum of all g_a is at least the average of every policy that
pulls one arm a round: it pays the price itself. The least such bound has the price at which the
arms together ask for one pull a round. Both the schedules and the learner that plans start here.
"""

import numpy as np

from rb_core.engine.compiled import lean_kernel

MOST_STEPS = 200


@lean_kernel
def dual(means: np.ndarray, price: float) -> tuple[float, float]:
    """The bound at this price, and its slope: one pull a round less those that arms ask for."""
    arms, s_max = means.shape
    bound, slope = price, 1.0
    for a in range(arms):
        best, state = 0.0, 0
        for s in range(s_max):
            gain = (means[a, s] - price) / (s + 1)
            if gain > best:
                best, state = gain, s + 1
        bound += best
        if state > 0:
            slope -= 1.0 / state
    return bound, slope


@lean_kernel
def price_of_a_pull(means: np.ndarray) -> tuple[float, float]:
    """The price of the least bound, and that bound.

    The bound is convex and made of straight pieces: where the pieces at two prices around the
    least one meet, either is the least bound, or is the next price to look at.
    """
    arms, s_max = means.shape
    high = low = means[0, 0]
    for a in range(arms):
        for s in range(s_max):
            high, low = max(high, means[a, s]), min(low, means[a, s])
    # At this price every arm is best pulled in every round, and at the highest mean none is.
    low = 2 * low - high
    high_bound, high_slope = dual(means, high)
    low_bound, low_slope = dual(means, low)
    for _ in range(MOST_STEPS):
        if low_slope >= 0.0 or high_slope <= 0.0:
            break
        meet = (low_bound - low_slope * low - high_bound + high_slope * high) / (
            high_slope - low_slope)
        if not low < meet < high:
            break
        bound, slope = dual(means, meet)
        if slope < 0.0:
            low, low_bound, low_slope = meet, bound, slope
        else:
            high, high_bound, high_slope = meet, bound, slope
    if low_bound < high_bound:
        return low, low_bound
    return high, high_bound


@lean_kernel
def advantages(means: np.ndarray, price: float, table: np.ndarray) -> None:
    """Fills `table`: how much better than resting a pull is in each state, for the arm alone.

    A round of one pull in all then loses the sum of the positive ones, less that of the arm pulled,
    against the bound at this price.
    """
    arms, s_max = means.shape
    for a in range(arms):
        gain = 0.0
        for s in range(s_max):
            gain = max(gain, (means[a, s] - price) / (s + 1))
        if gain > 0.0:
            worth = means[a, s_max - 1] - price - gain  # of the state, beside that of state 1
            table[a, s_max - 1] = gain
            for s in range(s_max - 2, -1, -1):
                pull, rest = means[a, s] - price - gain, worth - gain
                table[a, s] = pull - rest
                worth = max(pull, rest)
        else:  # the arm is best left alone
            for s in range(s_max):
                table[a, s] = means[a, s] - price
