"""dRGP-TS: Gaussian processes and Thompson sampling (chapter drgp_ts).

The paper's Algorithm 2. The posterior of one arm is a normal law on s_max numbers; one reward
changes it by a rank-one step, so no matrix is ever inverted and no history is kept.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.agents.shared.listing import Listed
from rb_core.checks import InputError, choice, number, whole
from rb_core.engine.compiled import inlined

MOST_SEQUENCES = 1_000_000


@dataclass(frozen=True)
class RGPTS:
    """Thompson sampling with a Gaussian process per arm and d rounds of lookahead.

    Every d rounds it draws a reward for each state, arm and step from the posterior, and commits
    to the d arms with the largest total.

    What differs from the paper, or is left open there:

    1. The rank-one step gives the exact posterior, for random rewards too, of which the paper's
       appendix speaks as of an approximation.
    2. After a pull, all states of the arm are refreshed; read to the letter, the pseudo-code
       refreshes the pulled one only (`refresh="state"`).
    3. One draw per state, arm and step serves all sequences; `samples="fresh"` draws for each anew.

    Parameters
    ----------
    lookahead : int
        d, the number of rounds planned and played at a time.
    sigma : float
        Standard deviation of the noise that the Gaussian process assumes.
    length_scale : float
        Length scale of its RBF kernel over states.
    refresh : {"arm", "state"}
        After a pull, sampling sees the new posterior of all states of the arm, or, as the
        pseudo-code reads to the letter, only that of the state that was pulled.
    samples : {"shared", "fresh"}
        One draw per state, arm and step, shared by all sequences of arms, or new draws for each
        sequence.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.RGPTS(sigma=0.5).length_scale
    2.5
    """

    lookahead: int = 1
    sigma: float = 1.0
    length_scale: float = 2.5
    refresh: str = "arm"
    samples: str = "shared"

    def __post_init__(self) -> None:
        # Two arms have more than 10 ** 18 sequences of this length.
        whole("lookahead", self.lookahead, 1, 60)
        number("sigma", self.sigma, 0, open_low=True)
        number("length_scale", self.length_scale, 0, open_low=True)
        choice("refresh", self.refresh, ("arm", "state"))
        choice("way to sample", self.samples, ("shared", "fresh"))

    def init(self, arms: int, s_max: int, rounds: int) -> "RGPTSMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.RGPTS().init(arms=3, s_max=4, rounds=1000).cov.shape
        (3, 4, 4)
        """
        d = int(self.lookahead)
        if arms**d > MOST_SEQUENCES:
            raise InputError(
                f"A lookahead of {d} with {arms} arms compares {arms**d:,} sequences every "
                f"{d} rounds; at most {MOST_SEQUENCES:,} are allowed."
            )
        ages = np.arange(s_max)
        prior = np.exp(-((ages[:, None] - ages) ** 2) / (2 * self.length_scale**2))
        mean, var = np.zeros((arms, s_max)), np.ones((arms, s_max))
        every_state = self.refresh == "arm"
        return RGPTSMemory(
            noise=float(self.sigma) ** 2,
            fresh_samples=self.samples == "fresh",
            mean=mean,
            var=var,
            cov=np.tile(prior, (arms, 1, 1)),
            # Sampling that sees every change sees the very same arrays.
            seen_mean=mean if every_state else mean.copy(),
            seen_var=var if every_state else var.copy(),
            column=np.zeros(s_max),
            draws=np.zeros((d, arms, d)),
            sequence=np.zeros(d, np.int64),
            pulled=np.zeros(arms, np.int64),
            plan=np.zeros(d, np.int64),
        )


class RGPTSMemory(NamedTuple):
    noise: float
    fresh_samples: bool
    mean: np.ndarray  # arm x state: the exact posterior
    var: np.ndarray  # arm x state: the diagonals of cov, side by side
    cov: np.ndarray  # arm x state x state
    seen_mean: np.ndarray  # arm x state: what sampling sees of it
    seen_var: np.ndarray
    column: np.ndarray  # room for one column of cov
    draws: np.ndarray  # step x arm x steps since the arm's last pull in the sequence (0: none)
    sequence: np.ndarray  # the sequence of arms under consideration
    pulled: np.ndarray  # per arm: the step of its last pull in that sequence
    plan: np.ndarray  # the sequence that is being played

    def act(self, t, state, rng):
        if len(self.plan) == 1:  # nothing to plan: the sequences are the arms
            return draw_best(self, state, rng)
        step = (t - 1) % len(self.plan)
        if step == 0:
            choose_plan(self, state, rng)
        return self.plan[step]

    def learn(self, t, state, arm, reward, next_state):
        s = state[arm] - 1
        s_max = self.mean.shape[1]
        scale = 1.0 / (self.noise + self.cov[arm, s, s])
        surprise = (reward - self.mean[arm, s]) * scale
        for i in range(s_max):
            self.column[i] = self.cov[arm, s, i]
        for i in range(s_max):
            gain = self.column[i] * scale
            self.mean[arm, i] += self.column[i] * surprise
            self.var[arm, i] -= gain * self.column[i]
            for j in range(s_max):
                self.cov[arm, i, j] -= gain * self.column[j]
        self.seen_mean[arm, s] = self.mean[arm, s]
        self.seen_var[arm, s] = self.var[arm, s]


@inlined
def draw(memory, arm, s, rng):
    """One draw of the mean reward of `arm` in state `s`."""
    # A variance that is zero but for rounding may be negative.
    sd = np.sqrt(max(memory.seen_var[arm, s - 1], 0.0))
    return memory.seen_mean[arm, s - 1] + sd * rng.standard_normal()


@inlined
def draw_best(memory, state, rng):
    """One draw for every arm in its present state; the arm of the largest."""
    best, best_arm = -np.inf, 0
    for arm in range(len(state)):
        value = draw(memory, arm, state[arm], rng)
        if value > best:
            best, best_arm = value, arm
    return best_arm


@inlined
def draw_all(memory, state, rng):
    """One draw for every step, arm, and state that the arm can be in at that step."""
    steps, arms, _ = memory.draws.shape
    s_max = memory.mean.shape[1]
    for step in range(steps):
        for arm in range(arms):
            for since in range(min(step + 1, s_max)):
                s = since if since > 0 else min(state[arm] + step, s_max)
                memory.draws[step, arm, since] = draw(memory, arm, s, rng)


@inlined
def forget_pulls(memory):
    """Before the first step of a sequence: as if every arm had been pulled long ago."""
    for arm in range(len(memory.pulled)):
        memory.pulled[arm] = -memory.mean.shape[1]


@inlined
def steps_since(memory, step, arm):
    """Steps since the last pull of `arm` in the sequence; 0 if its state is as if it never was."""
    since = step - memory.pulled[arm]
    return since if since < memory.mean.shape[1] else 0


@inlined
def value_before(memory):
    """The drawn rewards of the sequence under consideration, but for its last step."""
    forget_pulls(memory)
    total = 0.0
    for step in range(len(memory.sequence) - 1):
        arm = memory.sequence[step]
        total += memory.draws[step, arm, steps_since(memory, step, arm)]
        memory.pulled[arm] = step
    return total


@inlined
def best_end(memory):
    """The last arm that suits the sequence under consideration best, and the value with it."""
    last = len(memory.sequence) - 1
    total = value_before(memory)
    best, best_arm = -np.inf, 0
    for arm in range(len(memory.pulled)):
        value = total + memory.draws[last, arm, steps_since(memory, last, arm)]
        if value > best:
            best, best_arm = value, arm
    return best_arm, best


@inlined
def fresh_value(memory, state, rng):
    """The rewards of the sequence under consideration, with draws of its own."""
    forget_pulls(memory)
    total = 0.0
    for step in range(len(memory.sequence)):
        arm = memory.sequence[step]
        since = steps_since(memory, step, arm)
        s = since if since > 0 else min(state[arm] + step, memory.mean.shape[1])
        total += draw(memory, arm, s, rng)
        memory.pulled[arm] = step
    return total


@inlined
def best_fresh_end(memory, state, rng):
    """The same, with new draws for each last arm."""
    best, best_arm = -np.inf, 0
    for arm in range(len(state)):
        memory.sequence[-1] = arm
        value = fresh_value(memory, state, rng)
        if value > best:
            best, best_arm = value, arm
    return best_arm, best


@inlined
def choose_plan(memory, state, rng):
    """Compare all sequences of d arms, in lexicographic order, and keep the best as the plan."""
    sequence, plan = memory.sequence, memory.plan
    steps, last = len(plan), len(plan) - 1
    if not memory.fresh_samples:
        draw_all(memory, state, rng)
    for step in range(steps):
        sequence[step] = 0
    best = -np.inf
    while True:
        if memory.fresh_samples:
            arm, value = best_fresh_end(memory, state, rng)
        else:
            arm, value = best_end(memory)
        if value > best:
            best = value
            sequence[last] = arm
            for step in range(steps):
                plan[step] = sequence[step]
        # The next sequence, but for its last step: count up like an odometer.
        step = last - 1
        while step >= 0 and sequence[step] == len(state) - 1:
            sequence[step] = 0
            step -= 1
        if step < 0:
            return
        sequence[step] += 1


LISTED = (
    Listed("1RGP-TS", lambda _: RGPTS(lookahead=1), "#009E73", "-", "D", fixed=("lookahead",)),
    Listed("2RGP-TS", lambda _: RGPTS(lookahead=2), "#CC79A7", "--", "P", fixed=("lookahead",)),
    Listed("RGP-TS", lambda _: RGPTS()),
)
