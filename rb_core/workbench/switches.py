"""SS-SARSA with switches: how it explores, how large a step is, which future an update sees."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.agents.shared.explore_first import (
    Explorer,
    check_parameters,
    counts_joint,
    grown_explorer,
    least_visited_arm,
    locate,
    pick_best,
    separated_sums,
    start_exploration,
)
from rb_core.agents.shared.joint_states import row_of, rows_needed
from rb_core.checks import choice
from rb_core.engine.compiled import inlined

EXPLORATIONS = ("least visited", "random", "fading", "steady")
STEPS = ("round", "entry", "even", "constant")
FUTURES = ("pulled", "average", "table", "none")


@dataclass(frozen=True)
class Workbench:
    """SS-SARSA with switches; with all of them at their defaults it is :class:`rb_core.SSSarsa`.

    Parameters
    ----------
    gamma, t0, explore, ties, visits
        As in SSSarsa. E is round(explore * rounds).
    exploration : {"least visited", "random", "fading", "steady"}
        The paper's Uniform-Explore-First; a random arm in each of the first E rounds; or
        epsilon-greedy: a random arm with a probability that falls from 1 to 0 over the first 2 E
        rounds, which makes E random pulls on average, or with probability `explore` in all rounds.
    steps : {"round", "entry", "even", "constant"}
        1 / (t + t0), the same for all entries in round t; 1 / (n + t0), with n the updates of
        the entry; 1 / (t + t0), divided by the share n / t of rounds that update it; 1 / t0.
    future : {"pulled", "average", "table", "none"}
        The arm that is pulled next; the arm that is best in the average of the tables; in each
        table its own best; or no future at all.
    learning : {"always", "exploring"}
        Whether the rounds after E change the tables.

    Examples
    --------
    >>> Workbench(gamma=0.9, steps="even").ties
    'random'
    """

    gamma: float
    t0: float = 5000
    explore: float = 0.1
    ties: str = "random"
    visits: str = "joint"
    exploration: str = "least visited"
    steps: str = "round"
    future: str = "pulled"
    learning: str = "always"

    def __post_init__(self) -> None:
        check_parameters(self)
        choice("exploration", self.exploration, EXPLORATIONS)
        choice("kind of steps", self.steps, STEPS)
        choice("future", self.future, FUTURES)
        choice("time to learn", self.learning, ("always", "exploring"))

    def init(self, arms: int, s_max: int, rounds: int) -> "WorkbenchMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> Workbench(gamma=0.9).init(arms=3, s_max=3, rounds=1000).q.shape
        (9, 9)
        """
        explorer, size = start_exploration(self, arms, s_max, rounds), arms * s_max
        return WorkbenchMemory(
            gamma=float(self.gamma),
            t0=float(self.t0),
            share=float(self.explore),
            s_max=s_max,
            exploration=EXPLORATIONS.index(self.exploration),
            steps=STEPS.index(self.steps),
            future=FUTURES.index(self.future),
            learns_until=rounds if self.learning == "always" else explorer.until,
            explorer=explorer,
            q=np.zeros((size, size)),
            updates=np.zeros((size, size)),
            scores=np.zeros((1, arms)),
            cells=np.zeros(arms, np.uint32),
            last_cells=np.zeros(arms, np.uint32),
            last_arm=np.zeros(1, np.uint32),
            last_reward=np.zeros(1),
        )


class WorkbenchMemory(NamedTuple):
    gamma: float
    t0: float
    share: float
    s_max: int
    exploration: int  # the switches, by their places in the lists above
    steps: int
    future: int
    learns_until: int
    explorer: Explorer
    q: np.ndarray  # as in SSSarsaMemory, and so are the others
    updates: np.ndarray  # how often each entry of q was updated, if steps ask for it
    scores: np.ndarray
    cells: np.ndarray
    last_cells: np.ndarray
    last_arm: np.ndarray
    last_reward: np.ndarray

    def act(self, t, state, rng):
        locate(state, self.s_max, self.cells)
        if self.exploration == 0 and t <= self.explorer.until:
            row = row_of(self.explorer.states, state) if counts_joint(self.explorer, t) else 0
            arm = least_visited_arm(
                self.explorer, row, len(state), self.cells, self.scores, rng)
        elif self.exploration > 0 and rng.random() < chance_of_any_arm(self, t):
            arm = int(rng.random() * len(state))
        else:
            separated_sums(self.q, self.cells, self.scores)
            arm = pick_best(self.scores, 0, len(state), self.explorer.random_ties, rng)
        if 1 < t <= self.learns_until + 1:
            cell, ahead = self.last_cells[self.last_arm[0]], arm_ahead(self, arm)
            for k in range(len(state)):
                column = self.last_cells[k]
                q, alpha = self.q[cell, column], step_size(self, t - 1, cell, column)
                target = self.last_reward[0] + self.gamma * value_ahead(self, k, ahead)
                self.q[cell, column] = q + alpha * (target - q)
        return arm

    def learn(self, t, state, arm, reward, next_state):
        for k in range(len(state)):
            self.last_cells[k] = self.cells[k]
        self.last_arm[0] = arm
        self.last_reward[0] = reward

    def grow(self, t, rounds):
        if self.exploration > 0 or not counts_joint(self.explorer, t):
            return self
        rows = rows_needed(self.explorer.states, min(rounds, self.explorer.until - t + 1))
        return self._replace(explorer=grown_explorer(self.explorer, t, rows))


@inlined
def chance_of_any_arm(memory, t):
    """The probability with which round `t` pulls an arm at random."""
    if memory.exploration == 1:  # "random"
        return 1.0 * (t <= memory.explorer.until)
    if memory.exploration == 2:  # "fading"
        return 1.0 - t / (2.0 * memory.explorer.until + 1.0)
    return memory.share


@inlined
def step_size(memory, t, cell, column):
    """How far an entry moves to its target in the update of round `t`."""
    if memory.steps == 0:  # "round"
        return 1.0 / (t + memory.t0)
    if memory.steps == 3:  # "constant"
        return 1.0 / memory.t0
    memory.updates[cell, column] += 1
    n = memory.updates[cell, column]
    if memory.steps == 1:  # "entry"
        return 1.0 / (n + memory.t0)
    return t / n / (t + memory.t0)  # "even"


@inlined
def arm_ahead(memory, arm):
    """The arm whose entries are the future: `arm`, which is pulled, or the best in the average."""
    if memory.future == 1:
        separated_sums(memory.q, memory.cells, memory.scores)
        for a in range(len(memory.cells)):
            if memory.scores[0, a] > memory.scores[0, arm]:
                arm = a
    return arm


@inlined
def value_ahead(memory, k, arm):
    """What table k says of the future."""
    if memory.future == 3:  # "none"
        return 0.0
    value = memory.q[memory.cells[arm], memory.cells[k]]
    if memory.future == 2:  # "table"
        for a in range(len(memory.cells)):
            value = max(value, memory.q[memory.cells[a], memory.cells[k]])
    return value
