"""Uniform-Explore-First: the exploration shared by SS-SARSA, SARSA and Q-learning (chapter 5).

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
    """Refuse parameters that no agent of this family can run with."""
    number("gamma", agent.gamma, 0, 1, open_low=True)
    number("t0", agent.t0, 0)
    number("explore", agent.explore, 0, 1)
    choice("rule for ties", agent.ties, ("random", "first"))
    choice("way to count visits", agent.visits, ("joint", "separated"))


class Explorer(NamedTuple):
    until: int  # the last round that explores
    random_ties: bool
    separated: bool
    states: JointStates  # row numbers of the states met
    # Visits are counted downwards, so that the least visited arm has the largest entry.
    joint_counts: np.ndarray  # state's row x arm
    separated_counts: np.ndarray  # (a, s_a) x (k, s_k): see `locate`


def start_exploration(agent: Any, arms: int, s_max: int, rounds: int) -> Explorer:
    """The exploration part of an agent's memory, before its first round."""
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
    """Whether round `t` needs the row of its joint state in order to explore."""
    return t <= explorer.until and not explorer.separated


@inlined
def least_visited_arm(
    explorer: Explorer,
    row: int,
    cells: np.ndarray,
    scores: np.ndarray,
    rng: np.random.Generator,
) -> int:
    """The least visited arm, which counts as visited from now on.

    `row` is the row of the joint state, `cells` the arms' places in tables of separated entries;
    only the one that is counted by matters.
    """
    if explorer.separated:
        separated_sums(explorer.separated_counts, cells, scores)
        arm = pick_best(scores, 0, explorer.random_ties, rng)
        for k in range(len(cells)):
            explorer.separated_counts[cells[arm], cells[k]] -= 1
    else:
        arm = pick_best(explorer.joint_counts, row, explorer.random_ties, rng)
        explorer.joint_counts[row, arm] -= 1
    return arm


@inlined
def locate(state: np.ndarray, s_max: int, cells: np.ndarray) -> None:
    """Number each arm's (arm, state) through: a table of separated entries has such rows (the
    pulled arm a in its state s_a) and such columns (arm k in its state s_k)."""
    k = 0
    while k < len(state):  # not `for`: see the loop over arms in loop.py
        cells[k] = k * s_max + state[k] - 1
        k += 1


@inlined
def separated_sums(table: np.ndarray, cells: np.ndarray, sums: np.ndarray) -> None:
    """For each arm a: the sum over k of the entries (k, s_k, s_a, a).

    Two arms at a time, so that the place of arm k is looked up once for both.
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
    table: np.ndarray, row: int, random_ties: bool, rng: np.random.Generator
) -> int:
    """The arm of the largest entry in a row; among equals the first, or one drawn at random."""
    top, best, tied = table[row, 0], 0, 1
    for a in range(1, table.shape[1]):
        if table[row, a] > top:
            top, best, tied = table[row, a], a, 1
        elif table[row, a] == top:
            tied += 1
    if tied > 1 and random_ties:
        skip = int(rng.random() * tied)
        while skip > 0:
            best += 1
            skip -= table[row, best] == top
    return best


def grown_explorer(explorer: Explorer, t: int, rows: int) -> Explorer:
    """`explorer` with room for `rows` joint states, and for their counts while they matter."""
    if counts_joint(explorer, t):
        counts = grown_rows(explorer.joint_counts, rows)
    else:
        counts = np.zeros((0, explorer.joint_counts.shape[1]), np.int32)
    return explorer._replace(states=grown_table(explorer.states, rows), joint_counts=counts)
