"""Exact planning: reachable states, exchangeable arms merged, the optimum (chapter the_optimum).

Transitions are deterministic, so the problem is one of best paths and best cycles in a finite
graph. A node says which arm was pulled 1, 2, ..., s_max - 1 rounds ago, as far as that arm has not
been pulled again; every other arm is in state s_max. Arms with equal means are exchangeable: a node
then keeps only the *kind* of each arm, which leaves at most a few hundred nodes for the settings of
the paper.
"""

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rb_core.bandit import RecoveringBandit
from rb_core.checks import MOST_ROUNDS, InputError, number, whole
from rb_core.engine.compiled import lean_kernel
from rb_core.reachable import reachable_states

MOST_STATES = 200_000
TINY = 1e-11  # differences below this, relative to the rewards, are rounding


class Graph(NamedTuple):
    """The reachable nodes, and for each the best use of every kind of arm in every state."""

    nodes: list[tuple[int, ...]]  # the kind pulled 1, 2, ... rounds ago, or -1
    kind: np.ndarray  # node x move: which kind of arm is pulled; moves beyond `moves` repeat
    state: np.ndarray  # node x move: the state in which it is pulled
    reward: np.ndarray  # node x move
    after: np.ndarray  # node x move: the next node


class Optimum:
    """The best that any policy can do, from the start, where every arm is in state s_max.

    Attributes
    ----------
    bandit : RecoveringBandit
    rounds : int or None
        The horizon; None for an infinite one.
    gamma : float
        The discount.
    value : float
        Optimal discounted cumulative expected reward over the horizon.
    curve : array or None
        The optimal value for every horizon 0, 1, ..., rounds; None for an infinite one.
    states : int
        How many states were planned over, after merging.

    Examples
    --------
    >>> import rb_core as rb
    >>> best = rb.optimum(rb.setting("6-hetero"), rounds=1000)
    >>> best.states, len(best.curve)
    (7, 1001)
    """

    def __init__(
        self,
        bandit: RecoveringBandit,
        rounds: int | None,
        gamma: float,
        kind_of: np.ndarray | None = None,  # of each arm; by default, arms with equal means are one
    ):
        self.bandit, self.rounds, self.gamma = bandit, rounds, gamma
        self._kinds = kinds(bandit) if kind_of is None else kind_of
        self._graph = graph(bandit, self._kinds)
        self.states = len(self._graph.nodes)
        if rounds is None:
            self.curve = None
            self.value = float(_best_discounted(self._graph, gamma)[0][0])
        else:
            self.curve = np.zeros(rounds + 1)
            values = np.zeros((2, self.states))
            _backward_induction(self._graph.reward, self._graph.after, gamma, values, self.curve)
            self.value = float(self.curve[-1])

    @cached_property
    def _long_run(self) -> tuple[float, np.ndarray]:
        return _best_average(self._graph)

    @property
    def average(self) -> float:
        """The optimal long-run average reward of a round."""
        return float(self._long_run[0])

    @cached_property
    def cycle(self) -> list[tuple[int, int]]:
        """An optimal cycle, a list of (arm, state) pairs; arms count from 0, states from 1."""
        bias = self._long_run[1]
        gap = self._gaps(bias)
        walk = Walk(self.bandit, self._kinds, self._graph)
        seen: dict[tuple[int, ...], int] = {}
        path: list[tuple[int, int]] = []
        while walk.key() not in seen:
            seen[walk.key()] = len(path)
            path.append(walk.pull(int(np.argmin(gap[walk.node]))))
        return path[seen[walk.key()] :]

    def _gaps(self, bias: np.ndarray) -> np.ndarray:
        """node x move: what a move loses against the best one, in the long run."""
        g = self._graph
        return self.average + bias[:, None] - g.reward - bias[g.after]

    def losses(self, starts: ArrayLike, arms: ArrayLike) -> np.ndarray:
        """What sequences of arms lose against long-run optimal play, from given joint states.

        The loss is zero exactly if every pull was one that some average-optimal policy makes.

        Parameters
        ----------
        starts : array, n x K
            Joint states.
        arms : array, n x rounds
            The arms pulled from there on.

        Returns
        -------
        array of n losses, none of them negative

        Examples
        --------
        >>> import rb_core as rb
        >>> best = rb.optimum(rb.RecoveringBandit([[0.5, 0.5], [0.1, 0.8]]), rounds=30)
        >>> best.losses([[2, 2], [2, 2]], [[1, 0], [1, 1]]).round(2)
        array([0.  , 0.55])
        """
        gap = self._gaps(self._long_run[1])
        gap[gap < _tolerance(self._graph)] = 0.0
        moves = _move_table(self._graph, self.bandit.s_max)
        sequences = np.asarray(arms)
        lost = np.zeros(len(sequences))
        for i, (start, sequence) in enumerate(zip(np.asarray(starts), sequences, strict=True)):
            state = [int(s) for s in start]
            node = self._index[self._node_of(state)]
            for arm in sequence:
                move = moves[node, self._kinds[arm], state[arm] - 1]
                lost[i] += gap[node, move]
                node = self._graph.after[node, move]
                state = [min(s + 1, self.bandit.s_max) for s in state]
                state[arm] = 1
        return lost

    @cached_property
    def _index(self) -> dict[tuple[int, ...], int]:
        return {node: i for i, node in enumerate(self._graph.nodes)}

    def _node_of(self, state: list[int]) -> tuple[int, ...]:
        node = [-1] * (self.bandit.s_max - 1)
        for arm, s in enumerate(state):
            if s < self.bandit.s_max:
                node[s - 1] = self._kinds[arm]
        return tuple(node)

    def __repr__(self) -> str:
        horizon = "an infinite horizon" if self.rounds is None else f"{self.rounds:,} rounds"
        return (
            f"<Optimum: {self.value:.6g} over {horizon} at gamma {self.gamma:g}; "
            f"{self.average:.6g} a round in the long run>"
        )


def optimum(
    bandit: RecoveringBandit, rounds: int | None = 100_000, gamma: float = 1.0
) -> Optimum:
    """The exact optimum of `bandit`.

    Parameters
    ----------
    bandit : RecoveringBandit
    rounds : int or None
        The horizon; None for an infinite one, which needs gamma < 1.
    gamma : float
        Discount, in (0, 1]; round t has the weight gamma ** (t - 1).

    Returns
    -------
    Optimum

    Examples
    --------
    >>> best = optimum(RecoveringBandit([[0.5, 0.5], [0.1, 0.8]]), rounds=30)
    >>> round(best.average, 4), best.cycle
    (0.65, [(0, 2), (1, 2)])
    """
    if not isinstance(bandit, RecoveringBandit):
        raise InputError(f"bandit must be a RecoveringBandit, not {type(bandit).__name__}.")
    rounds = None if rounds is None else whole("rounds", rounds, 1, MOST_ROUNDS)
    gamma = number("gamma", gamma, 0, 1, open_low=True)
    if rounds is None and gamma == 1:
        raise InputError("An infinite horizon needs gamma below 1; its value is infinite at 1.")
    return Optimum(bandit, rounds, gamma)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QStar:
    """The optimal action values of the discounted problem without end, on reachable states.

    Attributes
    ----------
    bandit : RecoveringBandit
    gamma : float
        The discount.
    states : array, n x K
        The reachable joint states; the first is the start.
    values : array, n x K
        Q*(s, a).
    rewards : array, n x K
        The mean reward of each arm in each joint state.
    after : array, n x K
        The row of the joint state that follows.

    Examples
    --------
    >>> import rb_core as rb
    >>> best = rb.q_star(rb.setting("small"), gamma=0.9)
    >>> best.states[best.after[0, 1]]
    array([3, 1, 3])
    >>> bool(np.allclose(best.values, best.rewards + 0.9 * best.values.max(axis=1)[best.after]))
    True
    """

    bandit: RecoveringBandit
    gamma: float
    states: np.ndarray
    values: np.ndarray
    rewards: np.ndarray
    after: np.ndarray

    def of(self, state: Sequence[int]) -> np.ndarray:
        """The K values Q*(state, a).

        Parameters
        ----------
        state : sequence of int
            A reachable joint state.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.q_star(rb.setting("small"), gamma=0.9).of([3, 3, 3]).round(2)
        array([2.37, 2.33, 2.33])
        """
        return self.values[self._index[tuple(int(s) for s in state)]]

    @cached_property
    def _index(self) -> dict[tuple[int, ...], int]:
        return {tuple(state): i for i, state in enumerate(self.states.tolist())}

    def __repr__(self) -> str:
        return f"<QStar: {len(self.states):,} states x {self.bandit.arms} arms at {self.gamma:g}>"


def q_star(bandit: RecoveringBandit, gamma: float) -> QStar:
    """Optimal action values on all reachable joint states.

    How many there are, :func:`rb_core.reachable_states` knows in closed form.

    Parameters
    ----------
    bandit : RecoveringBandit
    gamma : float
        Discount, in (0, 1).

    Returns
    -------
    QStar

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.q_star(rb.setting("6-hetero"), gamma=0.9)
    <QStar: 37 states x 6 arms at 0.9>
    """
    if not isinstance(bandit, RecoveringBandit):
        raise InputError(f"bandit must be a RecoveringBandit, not {type(bandit).__name__}.")
    if number("gamma", gamma, 0, 1, open_low=True) == 1:
        raise InputError("gamma must be below 1: without discount, values are infinite.")
    g = graph(bandit, np.arange(bandit.arms))
    values, _ = _best_discounted(g, gamma)
    moves = _move_table(g, bandit.s_max)
    states = np.full((len(g.nodes), bandit.arms), bandit.s_max)
    for i, node in enumerate(g.nodes):
        for s, arm in enumerate(node, start=1):
            if arm >= 0:
                states[i, arm] = s
    rows = np.arange(len(states))[:, None]
    move = moves[rows, np.arange(bandit.arms), states - 1]
    reward, after = g.reward[rows, move], g.after[rows, move]
    return QStar(bandit, gamma, states, reward + gamma * values[after], reward, after)


def kinds(bandit: RecoveringBandit) -> np.ndarray:
    """The kind of each arm: arms with equal means are of one kind."""
    return np.unique(bandit.means, axis=0, return_inverse=True)[1].reshape(-1)


def graph(bandit: RecoveringBandit, kind_of: np.ndarray) -> Graph:
    """All nodes that can be reached from the start, with their moves."""
    s_max = bandit.s_max
    members = np.bincount(kind_of)
    needed = reachable_states(bandit.arms, s_max, groups=members.tolist())
    if needed > MOST_STATES:
        raise InputError(
            f"Planning exactly for {bandit.arms} arms and s_max {s_max} would take {needed:,} "
            f"states; at most {MOST_STATES:,} are planned over."
        )
    means = bandit.means[np.unique(kind_of, return_index=True)[1]]
    nodes, index, moves = [(-1,) * (s_max - 1)], {(-1,) * (s_max - 1): 0}, []
    for node in nodes:  # grows while it is read: breadth first
        here = []
        for s in range(1, s_max):
            if node[s - 1] >= 0:
                here.append((node[s - 1], s))
        recovered = members - np.bincount([k for k in node if k >= 0], minlength=len(members))
        here += [(kind, s_max) for kind in range(len(members)) if recovered[kind] > 0]
        found = []
        for kind, s in here:
            others = list(node)
            if s < s_max:
                others[s - 1] = -1
            after = ((kind, *others)[: s_max - 1]) if s_max > 1 else ()
            if after not in index:
                index[after] = len(nodes)
                nodes.append(after)
            found.append((kind, s, means[kind, s - 1], index[after]))
        moves.append(found)
    widest = max(map(len, moves))
    # Nodes with fewer moves repeat their last one: a rectangle, and nothing is gained by repeating.
    table = [found + found[-1:] * (widest - len(found)) for found in moves]
    columns = np.moveaxis(np.array(table), 2, 0)
    return Graph(
        nodes,
        kind=columns[0].astype(np.int64),
        state=columns[1].astype(np.int64),
        reward=np.ascontiguousarray(columns[2]),
        after=np.ascontiguousarray(columns[3].astype(np.int64)),
    )


def _move_table(g: Graph, s_max: int) -> np.ndarray:
    """node x kind x (state - 1): the number of the move; -1 where there is none."""
    table = np.full((len(g.nodes), g.kind.max() + 1, s_max), -1)
    # In reverse, so that of repeated moves the first is kept.
    places = np.indices(g.kind.shape)[:, :, ::-1]
    table[places[0], g.kind[:, ::-1], g.state[:, ::-1] - 1] = places[1]
    return table


class Walk:
    """Follows moves between kinds with real arms, from the start."""

    def __init__(self, bandit: RecoveringBandit, kind_of: np.ndarray, g: Graph):
        self.bandit, self.kinds, self.graph = bandit, kind_of, g
        self.state, self.node = bandit.start, 0

    def key(self) -> tuple[int, ...]:
        return tuple(self.state)

    def pull(self, move: int) -> tuple[int, int]:
        kind, s = self.graph.kind[self.node, move], int(self.graph.state[self.node, move])
        arm = int(np.flatnonzero((self.kinds == kind) & (self.state == s))[0])
        self.state = self.bandit.next_state(self.state, arm)
        self.node = self.graph.after[self.node, move]
        return arm, s


@lean_kernel
def _backward_induction(
    reward: np.ndarray, after: np.ndarray, gamma: float, values: np.ndarray, curve: np.ndarray
) -> None:
    """Fills curve[n] with the optimal value of n rounds from node 0."""
    nodes, moves = reward.shape
    for n in range(1, len(curve)):
        old, new = (n - 1) % 2, n % 2
        for i in range(nodes):
            best = reward[i, 0] + gamma * values[old, after[i, 0]]
            for m in range(1, moves):
                best = max(best, reward[i, m] + gamma * values[old, after[i, m]])
            values[new, i] = best
        curve[n] = values[new, 0]


def _best_discounted(g: Graph, gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """Optimal values without end, and a policy, by policy iteration.

    Values are kept as level / (1 - gamma) + relative, with the level that of the cycle a node leads
    to: for gamma near 1 the values are so large that differences between moves drown in rounding.
    """
    rows = np.arange(len(g.nodes))
    policy = g.reward.argmax(axis=1)
    while True:
        reward, after = g.reward[rows, policy], g.after[rows, policy]
        level, relative = np.empty(len(rows)), np.empty(len(rows))
        for cycle, inwards in _cycles(after):
            weights = gamma ** np.arange(len(cycle))
            level[cycle] = level[inwards] = weights @ reward[cycle] / weights.sum()
            relative[cycle[0]] = 0.0
            for i in [*cycle[:0:-1], *inwards]:
                relative[i] = reward[i] - level[i] + gamma * relative[after[i]]
        gain = (
            g.reward
            - (level + relative)[:, None]
            + gamma * relative[g.after]
            + (level[g.after] - level[:, None]) * gamma / (1 - gamma)
        )
        better = gain.max(axis=1) > _tolerance(g)
        if not better.any():
            return level / (1 - gamma) + relative, policy
        policy = np.where(better, gain.argmax(axis=1), policy)


def _best_average(g: Graph) -> tuple[float, np.ndarray]:
    """The best average reward and a bias of every node, by Howard's policy iteration.

    On return average + bias >= reward + bias[after] for every move, with equality on a best one.
    """
    rows = np.arange(len(g.nodes))
    policy = g.reward.argmax(axis=1)
    while True:
        reward, after = g.reward[rows, policy], g.after[rows, policy]
        gain, bias = np.empty(len(rows)), np.empty(len(rows))
        for cycle, inwards in _cycles(after):
            gain[cycle] = gain[inwards] = np.mean(reward[cycle])
            bias[cycle[0]] = 0.0
            for i in [*cycle[:0:-1], *inwards]:
                bias[i] = reward[i] - gain[i] + bias[after[i]]
        best_gain = gain[g.after].max(axis=1)
        better = best_gain > gain + _tolerance(g)
        if better.any():
            # Some other cycle is better, and can be reached: first of all, go there.
            policy = np.where(better, gain[g.after].argmax(axis=1), policy)
            continue
        q = g.reward - gain[:, None] + bias[g.after]
        better = q.max(axis=1) > bias + _tolerance(g)
        if not better.any():
            return gain[0], bias
        policy = np.where(better, q.argmax(axis=1), policy)


def _tolerance(g: Graph) -> float:
    """Rounding in sums along a path through all nodes is of this order."""
    return TINY * len(g.nodes) * np.abs(g.reward).max()


def _cycles(after: np.ndarray) -> list[tuple[list[int], list[int]]]:
    """The cycles of a map of nodes to nodes, each with the nodes that lead into it.

    The latter come in an order in which each follows the node that it is mapped to.
    """
    label = np.full(len(after), -1)
    found: list[tuple[list[int], list[int]]] = []
    for start in range(len(after)):
        path, i = [], start
        while label[i] == -1:
            label[i] = -2  # on the path under way
            path.append(i)
            i = after[i]
        if label[i] == -2:
            label[path] = len(found)
            at = path.index(i)
            # Begun at its smallest node, so that the same cycle is always given the same bias:
            # policy iteration could go round in circles otherwise.
            cycle = path[at:]
            least = cycle.index(min(cycle))
            found.append((cycle[least:] + cycle[:least], path[:at][::-1]))
        else:
            label[path] = label[i]
            found[label[i]][1].extend(reversed(path))
    return found
