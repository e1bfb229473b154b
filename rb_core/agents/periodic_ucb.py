"""PeriodicUCB: a period for every arm, chosen by upper confidence bounds.

A published competitor, after Simchi-Levi, Zheng and Zhu (Dynamic Planning and Learning under
Recovering Rewards, 2021).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.agents.shared.listing import Listed
from rb_core.checks import number
from rb_core.engine.compiled import lean_kernel
from rb_core.periods import Timetable, best_timetable, pull_between, timetable_room


@dataclass(frozen=True)
class PeriodicUCB:
    """Purely periodic policies with upper confidence bounds.

    In each phase every arm has a period, or is left out, and no two arms are due in one round. The
    periods are the best for an optimistic table of means: mean + sigma sqrt(2 log(t + 1) / n) after
    n pulls in a cell. A new phase begins when the count of a cell has grown by a tenth, and the
    timetable has come to its end.

    Only the abstracts of the paper and of its longer version could be read. They say: policies are
    purely periodic, that is they jointly set a period for each arm; the learner joins them with
    upper confidence bounds. What is ours, or known to differ:

    1. One arm is pulled a round, no fewer; there, up to K of N arms are. A round that belongs to no
       arm goes to the best one without a period at that moment.
    2. Means may be anything. There, they recover: they do not fall with the time since a pull.
    3. Which periods are allowed, and how they are chosen (`rb_core/periods.py`).
    4. The width, the length of phases, and that a cell never pulled counts as if it had been pulled
       once, with the mean of all rewards.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise; 0.5 is the most that rewards in [0, 1] can have.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.trace(rb.setting("small"), rb.PeriodicUCB(), rounds=5).arms.shape
    (5,)
    """

    sigma: float = 0.5

    def __post_init__(self) -> None:
        number("sigma", self.sigma, 0, open_low=True)

    def init(self, arms: int, s_max: int, rounds: int) -> "PeriodicUCBMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.PeriodicUCB().init(arms=3, s_max=4, rounds=1000).upper.shape
        (3, 4)
        """
        return PeriodicUCBMemory(
            variance=float(self.sigma) ** 2,
            counts=np.zeros((arms, s_max), np.int64),
            means=np.zeros((arms, s_max)),
            upper=np.zeros((arms, s_max)),
            due=np.zeros((arms, s_max), np.int64),
            moments=np.zeros(2),
            table=timetable_room(arms, s_max),
            place=np.array([0, 1, 1]),
        )


class PeriodicUCBMemory(NamedTuple):
    variance: float
    counts: np.ndarray  # arm x state
    means: np.ndarray  # arm x state: of the rewards seen
    upper: np.ndarray  # arm x state: the optimistic means
    due: np.ndarray  # arm x state: the count at which a new phase is wanted
    moments: np.ndarray  # the mean of all rewards; 2 log(t) of the phase, times the variance
    table: Timetable  # of the phase
    place: np.ndarray  # in it: the next round, its length, and whether a new phase is wanted

    def act(self, t, state, rng):
        if self.place[0] == 0 and self.place[2] == 1:
            begin_phase(self, t)
        arm = self.table.slots[self.place[0]]
        self.place[0] = (self.place[0] + 1) % self.place[1]
        return arm if arm >= 0 else pull_between(self.table, self.upper, state)

    def learn(self, t, state, arm, reward, next_state):
        s = state[arm] - 1
        n = self.counts[arm, s] + 1
        self.counts[arm, s] = n
        self.means[arm, s] += (reward - self.means[arm, s]) / n
        self.moments[0] += (reward - self.moments[0]) / t
        self.upper[arm, s] = self.means[arm, s] + math.sqrt(self.moments[1] / n)
        if n >= self.due[arm, s]:
            self.place[2] = 1


@lean_kernel
def begin_phase(memory: PeriodicUCBMemory, t: int) -> None:
    """The best timetable for the optimistic means before round t."""
    arms, s_max = memory.upper.shape
    memory.moments[1] = 2.0 * memory.variance * math.log(t + 1.0)
    for a in range(arms):
        for s in range(s_max):
            n = memory.counts[a, s]
            mean = memory.means[a, s] if n > 0 else memory.moments[0]
            memory.upper[a, s] = mean + math.sqrt(memory.moments[1] / max(n, 1))
            memory.due[a, s] = n + 1 + n // 10
    memory.place[1] = best_timetable(memory.table, memory.upper)
    memory.place[2] = 0


LISTED = (Listed("PeriodicUCB", lambda _: PeriodicUCB(), "#8C564B", "-.", "h"),)
