"""Uniform-Explore-First: the exploration shared by SS-SARSA, SARSA and Q-learning (chapter
exploration).

For the first E rounds the agent pulls the arm with the fewest visits v(s, a). The paper counts
visits of joint states s; the other reading counts how often the separated entries (s_k, s_a, a)
were updated and adds them up over k. Both live here.
"""

from typing import Any, NamedTuple

import numpy as np

from rb_core.agents.shared.joint_states import (
    JointStates,
    grown_rows,
    grown_table,
    joint_states,
)
from rb_core.checks import choice, number
from rb_core.engine.compiled import inlined


def check_parameters(agent: Any) -> None:
    """Refuse parameters that no agent of this family can run with.

    Parameters
    ----------
    agent : an agent with fields like those of :class:`rb_core.SSSarsa`

    Examples
    --------
    >>> import rb_core as rb
    >>> check_parameters(rb.SSSarsa(gamma=0.9))
    """
    number("gamma", agent.gamma, 0, 1, open_low=True)
    number("t0", agent.t0, 0)
    number("explore", agent.explore, 0, 1)
    choice("rule for ties", agent.ties, ("random", "first"))
    choice("way to count visits", agent.visits, ("joint", "separated"))


class Explorer(NamedTuple):
    """The exploration part of an agent's memory.

    Visits are counted downwards, so that the least visited arm has the largest entry.

    Attributes
    ----------
    until : int
        The last round that explores.
    random_ties, separated : bool
        How ties are decided, and what is counted.
    states : JointStates
        Row numbers of the joint states met.
    joint_counts : array, state's row x arm
    separated_counts : array, (a, s_a) x (k, s_k)
        See :func:`locate`.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.SSSarsa(gamma=0.9).init(arms=3, s_max=3, rounds=1000).explorer.until
    100
    """

    until: int
    random_ties: bool
    separated: bool
    states: JointStates
    joint_counts: np.ndarray
    separated_counts: np.ndarray


def start_exploration(agent: Any, arms: int, s_max: int, rounds: int) -> Explorer:
    """The exploration part of an agent's memory, before its first round.

    Parameters
    ----------
    agent : an agent with fields like those of :class:`rb_core.SSSarsa`
    arms, s_max, rounds : int

    Returns
    -------
    Explorer

    Examples
    --------
    >>> import rb_core as rb
    >>> start_exploration(rb.Sarsa(gamma=0.9, explore=0.5), arms=3, s_max=3, rounds=1000).until
    500
    """
    separated = agent.visits == "separated"
    cells = arms * s_max if separated else 0
    return Explorer(
        until=round(agent.explore * rounds),
        random_ties=agent.ties == "random",
        separated=separated,
        states=joint_states(arms, s_max),
        joint_counts=np.zeros((0, arms), np.int32),
        separated_counts=np.zeros((cells, cells), np.int32),
    )


@inlined
def counts_joint(explorer: Explorer, t: int) -> bool:
    """Whether round `t` needs the row of its joint state in order to explore.

    Parameters
    ----------
    explorer : Explorer
    t : int

    Examples
    --------
    >>> import rb_core as rb
    >>> explorer = start_exploration(rb.SSSarsa(gamma=0.9), arms=3, s_max=3, rounds=1000)
    >>> counts_joint(explorer, 100), counts_joint(explorer, 101)
    (True, False)
    """
    return t <= explorer.until and not explorer.separated


@inlined
def least_visited_arm(
    explorer: Explorer,
    row: int,
    arms: int,
    cells: np.ndarray,
    scores: np.ndarray,
    rng: np.random.Generator,
) -> int:
    """The least visited arm, which counts as visited from now on.

    Parameters
    ----------
    explorer : Explorer
    row : int
        Of the joint state; matters only if joint visits are counted.
    arms : int
    cells : array
        From :func:`locate`; matters only if separated visits are counted.
    scores : array, 1 x arms
        Room to work in.
    rng : numpy.random.Generator

    Examples
    --------
    >>> import numpy as np, rb_core as rb
    >>> agent = rb.SSSarsa(gamma=0.9, visits="separated", ties="first")
    >>> explorer = start_exploration(agent, arms=2, s_max=3, rounds=1000)
    >>> cells, scores, rng = np.array([2, 5]), np.zeros((1, 2)), np.random.default_rng(0)
    >>> [least_visited_arm(explorer, 0, 2, cells, scores, rng) for _ in range(3)]
    [0, 1, 0]
    """
    if explorer.separated:
        separated_sums(explorer.separated_counts, cells, scores)
        arm = pick_best(scores, 0, arms, explorer.random_ties, rng)
        for k in range(arms):
            explorer.separated_counts[cells[arm], cells[k]] -= 1
    else:
        arm = pick_best(explorer.joint_counts, row, arms, explorer.random_ties, rng)
        explorer.joint_counts[row, arm] -= 1
    return arm


@inlined
def locate(state: np.ndarray, s_max: int, cells: np.ndarray) -> None:
    """Number each arm's (arm, state) through, into `cells`.

    A table of separated entries has such rows (the pulled arm a in its state s_a) and such columns
    (arm k in its state s_k).

    Parameters
    ----------
    state : array
        The joint state.
    s_max : int
    cells : array
        One number an arm; is filled.

    Examples
    --------
    >>> import numpy as np
    >>> cells = np.zeros(3, np.uint32)
    >>> locate(np.array([3, 1, 2]), 3, cells)
    >>> cells.tolist()
    [2, 3, 7]
    """
    k = 0
    while k < len(state):  # not `for`: see the loop over arms in loop.py
        cells[k] = k * s_max + state[k] - 1
        k += 1


@inlined
def separated_sums(table: np.ndarray, cells: np.ndarray, sums: np.ndarray) -> None:
    """For each arm a: the sum over k of the entries (k, s_k, s_a, a).

    Two arms at a time, so that the place of arm k is looked up once for both.

    Parameters
    ----------
    table : array, (a, s_a) x (k, s_k)
    cells : array
        From :func:`locate`.
    sums : array, 1 x arms
        Is filled.

    Examples
    --------
    >>> import numpy as np
    >>> sums = np.zeros((1, 2))
    >>> separated_sums(np.arange(16.0).reshape(4, 4), np.array([0, 2]), sums)
    >>> sums.tolist()
    [[2.0, 18.0]]
    """
    a, last = 0, len(cells) - 1
    while a <= last:  # not `for`: see the loop over arms in loop.py
        b = min(a + 1, last)
        sum_a, sum_b = 0.0, 0.0
        for k in range(last + 1):
            sum_a += table[cells[a], cells[k]]
            sum_b += table[cells[b], cells[k]]
        sums[0, a], sums[0, b] = sum_a, sum_b
        a += 2


@inlined
def pick_best(
    table: np.ndarray, row: int, arms: int, random_ties: bool, rng: np.random.Generator
) -> int:
    """The arm of the largest entry in a row; among equals the first, or one drawn at random.

    Parameters
    ----------
    table : array, rows x arms
    row, arms : int
    random_ties : bool
    rng : numpy.random.Generator

    Examples
    --------
    >>> import numpy as np
    >>> pick_best(np.array([[0.1, 0.3, 0.3]]), 0, 3, False, np.random.default_rng(0))
    1
    """
    top, best, tied = table[row, 0], 0, 1
    a = 1
    while a < arms:  # not `for`: see the loop over arms in loop.py
        if table[row, a] >= top:  # one comparison for most arms, and it is foreseen
            tied = tied + 1 if table[row, a] == top else 1
            best = best if table[row, a] == top else a
            top = table[row, a]
        a += 1
    if tied > 1 and random_ties:
        skip = int(rng.random() * tied)
        a = arms - 1
        while a >= 0:  # from behind, without a branch: nobody foresees which of them it is
            tied -= table[row, a] == top
            best = a if table[row, a] == top and tied == skip else best
            a -= 1
    return best


def grown_explorer(explorer: Explorer, t: int, rows: int) -> Explorer:
    """`explorer` with room for `rows` joint states, and for their counts while they matter.

    Parameters
    ----------
    explorer : Explorer
    t : int
        The round that comes next.
    rows : int

    Returns
    -------
    Explorer

    Examples
    --------
    >>> import rb_core as rb
    >>> explorer = start_exploration(rb.SSSarsa(gamma=0.9), arms=3, s_max=3, rounds=1000)
    >>> grown_explorer(explorer, 1, 10).joint_counts.shape
    (10, 3)
    """
    if counts_joint(explorer, t):
        counts = grown_rows(explorer.joint_counts, rows)
    else:
        counts = np.zeros((0, explorer.joint_counts.shape[1]), np.int32)
    return explorer._replace(states=grown_table(explorer.states, rows), joint_counts=counts)
