"""Exact planning again and again on one graph: Howard's policy iteration, begun where it ended.

Which joint state follows which is the same for all bandits of a size. So the graph is built once;
for each new table of means the last best policy is improved, which mostly takes a step or two.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rb_core.engine.compiled import lean_kernel

MOST_STEPS = 100  # a few are enough; rounding could make it go round in circles


class Known(NamedTuple):
    """The graph of joint states, and the best policy so far with its values."""

    after: np.ndarray  # node x arm: the node that follows
    cell: np.ndarray  # node x arm: where the arm stands, arm * s_max + state - 1
    policy: np.ndarray  # node: an arm
    gain: np.ndarray  # node: average reward of the policy from there on
    bias: np.ndarray  # node: how much better than the average the beginning is
    label: np.ndarray  # node: room for marks
    path: np.ndarray  # room for a way through all nodes


def known_graph(arms: int, s_max: int) -> Known:
    """The graph of the joint states that can be met; node 0 is the start."""
    after, cell = _graph(arms, s_max)
    return _known(after.copy(), cell.copy())


def _known(after: np.ndarray, cell: np.ndarray) -> Known:
    nodes = len(after)
    return Known(
        after, cell, np.zeros(nodes, np.int32), np.zeros(nodes), np.zeros(nodes),
        np.zeros(nodes, np.int32), np.zeros(nodes, np.int32),
    )


def grouped_graph(arms: int, s_max: int, rest: bool) -> Known:
    """The graph of a few arms among others: all s_max ** arms joint states.

    With `rest`, the last move of every node pulls none of them; its cell comes after all others.
    """
    nodes = np.arange(s_max**arms)
    place = s_max ** np.arange(arms)
    state = nodes[:, None] // place % s_max
    older = np.minimum(state + 1, s_max - 1)
    rested = older @ place
    after = rested[:, None] - older * place  # state 1 is digit 0
    cell = state + s_max * np.arange(arms)
    if rest:
        after = np.column_stack([after, rested])
        cell = np.column_stack([cell, np.full(len(nodes), arms * s_max)])
    return _known(after.astype(np.int32), cell.astype(np.int32))


def no_graph() -> Known:
    """What takes its place where there are too many joint states."""
    return _known(np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int32))


@lru_cache(maxsize=8)
def _graph(arms: int, s_max: int) -> tuple[np.ndarray, np.ndarray]:
    start = (s_max,) * arms
    nodes, index, after = [start], {start: 0}, []
    for node in nodes:  # grows while it is read: breadth first
        older = tuple(min(s + 1, s_max) for s in node)
        row = []
        for arm in range(arms):
            following = (*older[:arm], 1, *older[arm + 1 :])
            if following not in index:
                index[following] = len(nodes)
                nodes.append(following)
            row.append(index[following])
        after.append(row)
    cell = np.array(nodes) - 1 + s_max * np.arange(arms)
    return np.array(after, np.int32), cell.astype(np.int32)


@lean_kernel
def improve(known: Known, means: np.ndarray, tiny: float) -> float:
    """Makes the policy best for `means` (one number a cell); returns its average.

    Differences below `tiny` count as none.
    """
    nodes, arms = known.after.shape
    for _ in range(MOST_STEPS):
        best = evaluate(known, means)
        if lead_to_the_best(known, best - tiny):
            continue
        changed = False
        for i in range(nodes):
            own = known.bias[i] + known.gain[i] + tiny
            for a in range(arms):
                value = means[known.cell[i, a]] + known.bias[known.after[i, a]]
                if value > own:
                    own, changed = value, True
                    known.policy[i] = a
        if not changed:
            break
    return known.gain[0]


@lean_kernel
def evaluate(known: Known, means: np.ndarray) -> float:
    """Gain and bias of the policy in every node; returns the largest gain.

    Every way ends in a cycle. The bias is 0 in the cycle's smallest node, so that one cycle always
    has the same: policy iteration could go round in circles otherwise.
    """
    nodes = len(known.policy)
    for i in range(nodes):
        known.label[i] = -1
    best = -np.inf
    for start in range(nodes):
        length, i = 0, start
        while known.label[i] == -1:
            known.label[i] = -2  # on the way
            known.path[length] = i
            length += 1
            i = known.after[i, known.policy[i]]
        if known.label[i] == -2:  # a new cycle, from i to the end of the way
            total, count, least, j = 0.0, 0, i, i
            while True:
                total += means[known.cell[j, known.policy[j]]]
                count += 1
                j = known.after[j, known.policy[j]]
                least = min(least, j)
                if j == i:
                    break
            gain = total / count
            best = max(best, gain)
            known.gain[least], known.bias[least], known.label[least] = gain, 0.0, 0
            # The rest of the cycle, once more around and backwards: the way is no longer needed
            # beyond where the cycle begins.
            first = length - count
            j = least
            for step in range(count):
                known.path[first + step] = j
                j = known.after[j, known.policy[j]]
            for step in range(count - 1, 0, -1):
                settle(known, means, known.path[first + step])
            length = first
        for step in range(length - 1, -1, -1):
            settle(known, means, known.path[step])
    return best


@lean_kernel
def settle(known: Known, means: np.ndarray, i: int) -> None:
    """Gain and bias of node i from those of the node that follows."""
    arm = known.policy[i]
    following = known.after[i, arm]
    known.gain[i] = known.gain[following]
    known.bias[i] = means[known.cell[i, arm]] - known.gain[i] + known.bias[following]
    known.label[i] = 0


@lean_kernel
def lead_to_the_best(known: Known, least: float) -> bool:
    """Lets every node whose gain is below `least` go where it is not; returns if one was."""
    nodes, arms = known.after.shape
    behind = 0
    for i in range(nodes):
        known.label[i] = known.gain[i] >= least
        behind += known.gain[i] < least
    if behind == 0:
        return False
    while behind > 0:
        for i in range(nodes):
            if known.label[i] == 0:
                for a in range(arms):
                    if known.label[known.after[i, a]] == 1:
                        known.policy[i], known.label[i] = a, 1
                        behind -= 1
                        break
    return True


@lean_kernel
def most_gain(known: Known, means: np.ndarray) -> float:
    """What no policy's average exceeds, whatever the biases are: the best move's gain with them."""
    nodes, moves = known.after.shape
    most = -np.inf
    for i in range(nodes):
        for m in range(moves):
            most = max(most, means[known.cell[i, m]] + known.bias[known.after[i, m]]
                       - known.bias[i])
    return most


@lean_kernel
def follow(known: Known, node: int, arms: np.ndarray) -> tuple[int, int]:
    """Fills `arms` with those that the policy pulls from `node` on, until a node comes again.

    Returns where the cycle begins in them, and where it ends.
    """
    for i in range(len(known.label)):
        known.label[i] = -1
    length = 0
    while known.label[node] < 0:
        known.label[node] = length
        arms[length] = known.policy[node]
        node = known.after[node, known.policy[node]]
        length += 1
    return known.label[node], length
