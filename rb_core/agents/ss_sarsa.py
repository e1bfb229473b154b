"""State-Separated SARSA with Uniform-Explore-First: the paper's Algorithm 1 (chapter ss_sarsa)."""

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
from rb_core.agents.shared.listing import Listed


@dataclass(frozen=True)
class SSSarsa:
    """State-Separated SARSA.

    Instead of one value per joint state it learns Q_k(s_k, s_a, a) for every arm k, and values
    arm a by the mean of these over k.

    What differs from the paper, or is left open there:

    1. Ties are decided at random. The paper lets them be decided arbitrarily; it matters how
       (chapter why), and `ties="first"` is the other way.
    2. `visits="joint"` counts visits as the text says. `visits="separated"` counts updates of
       separated entries, which needs no table of joint states at all.
    3. Sums over k are compared instead of means: the same arm is largest.

    Parameters
    ----------
    gamma : float
        Discount in the update, in (0, 1].
    t0 : float
        The step size of round t is 1 / (t + t0).
    explore : float
        Share of the rounds that explore: rounds 1 to round(explore * rounds).
    ties : {"random", "first"}
        How equal visit counts and equal values are decided: at random, or for the lowest index.
    visits : {"joint", "separated"}
        What exploration counts: pulls of (joint state, arm), or updates of separated entries.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.SSSarsa(gamma=0.99)
    SSSarsa(gamma=0.99, t0=5000, explore=0.1, ties='random', visits='joint')
    """

    gamma: float
    t0: float = 5000
    explore: float = 0.1
    ties: str = "random"
    visits: str = "joint"

    def __post_init__(self) -> None:
        check_parameters(self)

    def init(self, arms: int, s_max: int, rounds: int) -> "SSSarsaMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.SSSarsa(gamma=0.99).init(arms=3, s_max=3, rounds=1000).q.shape
        (9, 9)
        """
        return SSSarsaMemory(
            gamma=float(self.gamma),
            t0=float(self.t0),
            s_max=s_max,
            explorer=start_exploration(self, arms, s_max, rounds),
            q=np.zeros((arms * s_max, arms * s_max)),
            scores=np.zeros((1, arms)),
            cells=np.zeros(arms, np.uint32),
            last_cells=np.zeros(arms, np.uint32),
            last_arm=np.zeros(1, np.uint32),
            last_reward=np.zeros(1),
        )


class SSSarsaMemory(NamedTuple):
    gamma: float
    t0: float
    s_max: int
    explorer: Explorer
    q: np.ndarray  # (a, s_a) x (k, s_k): see `locate`
    scores: np.ndarray  # one row, one entry per arm, rewritten every round
    cells: np.ndarray  # where the arms stand; unsigned, for indices that numba need not check
    last_cells: np.ndarray  # where they stood in the last round: s, a and r wait here until
    last_arm: np.ndarray  # a' is known
    last_reward: np.ndarray

    def act(self, t, state, rng):
        locate(state, self.s_max, self.cells)
        if t <= self.explorer.until:
            row = row_of(self.explorer.states, state) if counts_joint(self.explorer, t) else 0
            arm = least_visited_arm(
                self.explorer, row, len(state), self.cells, self.scores, rng)
        else:
            separated_sums(self.q, self.cells, self.scores)
            arm = pick_best(self.scores, 0, len(state), self.explorer.random_ties, rng)
        if t > 1:  # on-policy: the arm that is now really pulled is the a' of the last round
            alpha, reward = 1.0 / (t - 1 + self.t0), self.last_reward[0]
            cell, next_cell = self.last_cells[self.last_arm[0]], self.cells[arm]
            for k in range(len(state)):
                q = self.q[cell, self.last_cells[k]]
                target = reward + self.gamma * self.q[next_cell, self.cells[k]]
                self.q[cell, self.last_cells[k]] = q + alpha * (target - q)
        return arm

    def learn(self, t, state, arm, reward, next_state):
        for k in range(len(state)):
            self.last_cells[k] = self.cells[k]
        self.last_arm[0] = arm
        self.last_reward[0] = reward

    def grow(self, t, rounds):
        if not counts_joint(self.explorer, t):
            return self
        rows = rows_needed(self.explorer.states, min(rounds, self.explorer.until - t + 1))
        return self._replace(explorer=grown_explorer(self.explorer, t, rows))


LISTED = (
    Listed("SS-SARSA", SSSarsa, "#0072B2", "-", "o"),
    Listed("SS-SARSA (sep.)", lambda gamma: SSSarsa(gamma, visits="separated"),
           "#56B4E9", "--", "s", fixed=("visits",)),
)
