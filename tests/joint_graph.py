"""All joint states of a bandit by plain search: the witness for everything that plans."""

from functools import cache

import numpy as np


def step(state, arm, s_max):
    """The paper's transition: the pulled arm to 1, every other one older by a round."""
    return tuple(1 if k == arm else min(s + 1, s_max) for k, s in enumerate(state))


@cache
def joint_states(arms, s_max):
    """Every joint state that can be met, the start first."""
    found = [(s_max,) * arms]
    known = set(found)
    for state in found:
        for arm in range(arms):
            after = step(state, arm, s_max)
            if after not in known:
                known.add(after)
                found.append(after)
    return found


def joint_graph(bandit):
    """States, and for each state and arm the expected reward and the number of the next state."""
    states = joint_states(bandit.arms, bandit.s_max)
    number = {state: i for i, state in enumerate(states)}
    arms = range(bandit.arms)
    reward = np.array([[bandit.means[a, s[a] - 1] for a in arms] for s in states])
    after = np.array([[number[step(s, a, bandit.s_max)] for a in arms] for s in states])
    return states, reward, after


def best_cycle_mean(reward, after):
    """Karp's algorithm: the largest mean reward of any cycle."""
    n = len(reward)
    walks = np.full((n + 1, n), -np.inf)  # the best walk of k steps from the start to each node
    walks[0, 0] = 0
    for k in range(n):
        candidates = walks[k][:, None] + reward
        np.maximum.at(walks[k + 1], after.ravel(), candidates.ravel())
    steps = n - np.arange(n)[:, None]
    with np.errstate(invalid="ignore"):
        means = (walks[n] - walks[:n]) / steps
    means[~np.isfinite(walks[:n])] = np.inf
    return max(means.min(axis=0)[np.isfinite(walks[n])])


def longest_walks(reward, after, average, end):
    """For every node the largest sum of (reward - average) on the way to the node `end`."""
    value = np.full(len(reward), -np.inf)
    value[end] = 0
    for _ in range(len(reward)):
        better = np.maximum(value, (reward - average + value[after]).max(axis=1))
        better[end] = 0
        if np.array_equal(better, value):
            break
        value = better
    return value
