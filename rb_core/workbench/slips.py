"""2RGP-TS with one slip that an implementation of Algorithm 2 might have."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.agents.rgp_ts import RGPTS, draw
from rb_core.checks import choice, number
from rb_core.engine.compiled import inlined

SLIPS = ("no slip", "stale plan", "no reset", "stale update", "late update", "replans")


@dataclass(frozen=True)
class SlippedRGPTS:
    """2RGP-TS with a slip; with "no slip" it is :class:`rb_core.RGPTS` with two rounds.

    Parameters
    ----------
    slip : {"no slip", "stale plan", "no reset", "stale update", "late update", "replans"}
        In its plan, arms do not recover between the two rounds; or the arm of the first is not
        reset; a reward of the second round is learnt for the state that the arm was in when the
        plan was made; every reward is learnt for the state after the pull, which is 1; or only
        the first arm of a plan is pulled.
    sigma, length_scale : float
        As in RGPTS.

    Examples
    --------
    >>> SlippedRGPTS(slip="no reset").sigma
    1.0
    """

    slip: str = "no slip"
    sigma: float = 1.0
    length_scale: float = 2.5

    def __post_init__(self) -> None:
        choice("slip", self.slip, SLIPS)
        number("sigma", self.sigma, 0, open_low=True)
        number("length_scale", self.length_scale, 0, open_low=True)

    def init(self, arms: int, s_max: int, rounds: int) -> "SlippedMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> SlippedRGPTS().init(arms=3, s_max=4, rounds=1000).cov.shape
        (3, 4, 4)
        """
        right = RGPTS(2, self.sigma, self.length_scale).init(arms, s_max, rounds)
        return SlippedMemory(
            slip=SLIPS.index(self.slip),
            noise=right.noise,
            seen_mean=right.mean,
            seen_var=right.var,
            cov=right.cov,
            column=right.column,
            draws=np.zeros((3, arms)),
            planned_at=np.full(arms, s_max),
            plan=right.plan,
        )


class SlippedMemory(NamedTuple):
    slip: int  # by its place in the list above
    noise: float
    seen_mean: np.ndarray  # arm x state: the posterior, under the names that `draw` looks for
    seen_var: np.ndarray
    cov: np.ndarray  # arm x state x state
    column: np.ndarray
    draws: np.ndarray  # per arm: in the first round; in the second; and if it was just pulled
    planned_at: np.ndarray  # the joint state when the plan was made
    plan: np.ndarray

    def act(self, t, state, rng):
        step = 0 if self.slip == 5 else (t - 1) % 2
        if step == 0:
            plan_two_rounds(self, state, rng)
        return self.plan[step]

    def learn(self, t, state, arm, reward, next_state):
        s = state[arm]
        if self.slip == 3:  # "stale update"
            s = self.planned_at[arm]
        if self.slip == 4:  # "late update"
            s = next_state[arm]
        update_posterior(self, arm, s - 1, reward)


@inlined
def plan_two_rounds(memory, state, rng):
    """Draw rewards for both rounds, in the order of RGPTS, and keep the best two arms."""
    arms, s_max = memory.seen_mean.shape
    for arm in range(arms):
        memory.planned_at[arm] = state[arm]
        memory.draws[0, arm] = draw(memory, arm, state[arm], rng)
    for arm in range(arms):
        later = state[arm] if memory.slip == 1 else min(state[arm] + 1, s_max)  # "stale plan"
        memory.draws[1, arm] = draw(memory, arm, later, rng)
        if s_max > 1:
            memory.draws[2, arm] = draw(memory, arm, 1, rng)
    best = -np.inf
    for first in range(arms):
        for second in range(arms):
            reset = first == second and s_max > 1 and memory.slip != 2  # "no reset"
            value = memory.draws[0, first] + memory.draws[2 if reset else 1, second]
            if value > best:
                best = value
                memory.plan[0] = first
                memory.plan[1] = second


@inlined
def update_posterior(memory, arm, s, reward):
    """One reward of `arm` in state number `s`, from 0: the rank-one step of RGPTS."""
    scale = 1.0 / (memory.noise + memory.cov[arm, s, s])
    surprise = (reward - memory.seen_mean[arm, s]) * scale
    for i in range(len(memory.column)):
        memory.column[i] = memory.cov[arm, s, i]
    for i in range(len(memory.column)):
        gain = memory.column[i] * scale
        memory.seen_mean[arm, i] += memory.column[i] * surprise
        memory.seen_var[arm, i] -= gain * memory.column[i]
        for j in range(len(memory.column)):
            memory.cov[arm, i, j] -= gain * memory.column[j]
