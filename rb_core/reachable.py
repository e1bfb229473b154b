"""How many joint states can ever be met (chapter the_mdp)."""

from collections.abc import Sequence
from math import comb

from rb_core.checks import InputError, whole


def reachable_states(arms: int, s_max: int, groups: Sequence[int] | None = None) -> int:
    r"""The number of joint states that can be met from the start, where all arms are at `s_max`.

    Arms below `s_max` have distinct states, because one arm is pulled a round, and after the first
    round some arm is in state 1. With m arms below `s_max` there are C(s_max - 2, m - 1) sets of
    states and K! / (K - m)! ways to hand them out:

    .. math:: 1 + \sum_{m=1}^{\min(K, s_{\max} - 1)} \binom{s_{\max} - 2}{m - 1} \frac{K!}{(K-m)!}

    Parameters
    ----------
    arms, s_max : int
    groups : sequence of int, optional
        The sizes of sets of exchangeable arms, which add up to `arms`: states that differ only
        within a group count once.

    Examples
    --------
    >>> reachable_states(6, 3), reachable_states(6, 6), reachable_states(10, 5)
    (37, 3007, 7481)
    >>> reachable_states(10, 10, groups=[10])
    257
    """
    arms, s_max = whole("arms", arms, 1), whole("s_max", s_max, 1)
    groups = [1] * arms if groups is None else [whole("a group", size, 1) for size in groups]
    if sum(groups) != arms:
        raise InputError(f"The groups must add up to {arms} arms, not {sum(groups)}.")
    total = 1
    for m, orders in enumerate(_orders(groups)):
        if 1 <= m <= s_max - 1:
            total += comb(s_max - 2, m - 1) * orders
    return total


def _orders(groups: Sequence[int]) -> list[int]:
    """For m = 0, 1, ...: in how many ways m places in a row can be filled from the groups."""
    ways = [1]
    for size in groups:
        # Interleaving u arms of this group with the others: C(m, u) choices of places.
        ways = [
            sum(comb(m, u) * ways[m - u] for u in range(min(size, m) + 1) if m - u < len(ways))
            for m in range(len(ways) + size)
        ]
    return ways
