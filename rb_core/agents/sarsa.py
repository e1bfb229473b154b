"""Tabular SARSA on joint states (chapter tabular)."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.agents.shared.explore_first import (
    Explorer,
    check_parameters,
    grown_explorer,
    least_visited_arm,
    locate,
    pick_best,
    start_exploration,
)
from rb_core.agents.shared.joint_states import grown_rows, row_of, rows_needed
from rb_core.agents.shared.listing import Listed


@dataclass(frozen=True)
class Sarsa:
    """Tabular SARSA: one value per joint state and arm, for the states it meets.

    Step size, exploration and ties are those of :class:`SSSarsa`, and so are the parameters.

    What differs from the paper, or is left open there:

    1. Rows are kept for the joint states that are met, not for all s_max ** K, so that it also
       runs with ten arms, where the paper left it out.
    2. Ties are decided at random, unless `ties="first"`.
    3. `visits="separated"` is the other way to count visits, as in :class:`SSSarsa`.

    Parameters
    ----------
    gamma : float
        Discount in the update, in (0, 1].
    t0, explore, ties, visits
        As those of :class:`SSSarsa`.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.Sarsa(gamma=0.99, t0=100)
    Sarsa(gamma=0.99, t0=100, explore=0.1, ties='random', visits='joint')
    """

    gamma: float
    t0: float = 5000
    explore: float = 0.1
    ties: str = "random"
    visits: str = "joint"

    def __post_init__(self) -> None:
        check_parameters(self)

    def init(self, arms: int, s_max: int, rounds: int) -> "SarsaMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.Sarsa(gamma=0.99).init(arms=3, s_max=3, rounds=1000).q.shape  # it grows
        (0, 3)
        """
        return SarsaMemory(
            gamma=float(self.gamma),
            t0=float(self.t0),
            s_max=s_max,
            explorer=start_exploration(self, arms, s_max, rounds),
            q=np.zeros((0, arms)),
            scores=np.zeros((1, arms)),
            cells=np.zeros(arms, np.uint32),
            last=np.zeros(2, np.uint32),
            last_reward=np.zeros(1),
        )


class SarsaMemory(NamedTuple):
    gamma: float
    t0: float
    s_max: int
    explorer: Explorer
    q: np.ndarray  # state's row x arm
    scores: np.ndarray  # these two are needed only if exploration counts separated entries
    cells: np.ndarray
    last: np.ndarray  # row and arm of the last round; they wait here until a' is known
    last_reward: np.ndarray

    def act(self, t, state, rng):
        row = row_of(self.explorer.states, state)
        if t <= self.explorer.until:
            if self.explorer.separated:
                locate(state, self.s_max, self.cells)
            arm = least_visited_arm(
                self.explorer, row, len(state), self.cells, self.scores, rng)
        else:
            arm = pick_best(self.q, row, len(state), self.explorer.random_ties, rng)
        if t > 1:  # on-policy: the arm that is now really pulled is the a' of the last round
            alpha = 1.0 / (t - 1 + self.t0)
            q = self.q[self.last[0], self.last[1]]
            target = self.last_reward[0] + self.gamma * self.q[row, arm]
            self.q[self.last[0], self.last[1]] = q + alpha * (target - q)
        self.last[0] = row
        self.last[1] = arm
        return arm

    def learn(self, t, state, arm, reward, next_state):
        self.last_reward[0] = reward

    def grow(self, t, rounds):
        rows = rows_needed(self.explorer.states, rounds)
        return self._replace(
            explorer=grown_explorer(self.explorer, t, rows), q=grown_rows(self.q, rows)
        )


LISTED = (Listed("SARSA", Sarsa, "#D55E00", "-.", "^"),)
