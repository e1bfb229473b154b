"""dRGP-UCB: Gaussian processes and upper confidence bounds, d rounds ahead.

A published competitor (Pike-Burke and Grünewälder, Recovering Bandits, 2019). The posterior is
dRGP-TS's, which draws from it; this one is optimistic about it.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.agents.rgp_ts import RGPTS, RGPTSMemory
from rb_core.agents.shared.listing import Listed
from rb_core.engine.compiled import inlined

TINY = 1e-9  # sums that differ by less count as equal, and the first of them is taken


@dataclass(frozen=True)
class RGPUCB:
    """Upper confidence bounds with a Gaussian process per arm and d rounds of lookahead.

    Every arm is pulled once; then, every d rounds, each sequence of d arms is valued by the
    posterior mean of what it earns in sum, plus the standard deviation of that sum times
    sqrt(2 log((t + d - 1)^2 K^d s_max)), where t counts rounds from 0, and the best sequence is
    played.

    Followed are the paper's abstract and, line by line, the authors' own program
    (`functs/drgpucb_functs.py` of the repository ciarapb/recovering_bandits); the paper's text
    could not be read in full. What differs from that program:

    1. States are 1, ..., s_max, and every arm starts at s_max; there they are 0, ..., Z, and Z
       takes the place of s_max in the width.
    2. The length scale is the one that the book's paper gives dRGP-TS, and the noise is the most
       that rewards in [0, 1] can have, not dRGP-TS's of 1, with which it loses more. There, each
       bandit comes with a kernel and a noise of its own, which the agent is told.
    3. One reward changes the posterior by a rank-one step. That is the same posterior.
    4. Sequences may repeat arms, which the program leaves open; the covariance of an arm's states
       then counts, as there.
    5. Sums that differ by less than 1e-9 are ties, and the first sequence wins; there, the order
       of a dictionary decides.
    6. Optimistic planning, which the paper has for large d, is left out: all sequences are tried.
    7. The variance is that of the means. There, the library's prediction adds the noise of a reward
       to it, once for each of the d rounds, so that the width never shrinks to 0.

    Parameters
    ----------
    lookahead : int
        d, the number of rounds planned and played at a time.
    sigma : float
        Standard deviation of the noise that the Gaussian process assumes.
    length_scale : float
        Length scale of its RBF kernel over states.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.RGPUCB(lookahead=2).sigma
    0.5
    """

    lookahead: int = 1
    sigma: float = 0.5
    length_scale: float = 2.5

    def __post_init__(self) -> None:
        self._posterior()  # whose parameters these are: it refuses what is wrong with them

    def _posterior(self) -> RGPTS:
        return RGPTS(self.lookahead, self.sigma, self.length_scale)

    def init(self, arms: int, s_max: int, rounds: int) -> "RGPUCBMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.RGPUCB().init(arms=3, s_max=4, rounds=1000).gp.cov.shape
        (3, 4, 4)
        """
        gp = self._posterior().init(arms, s_max, rounds)
        return RGPUCBMemory(gp=gp, places=np.zeros(len(gp.plan), np.int64))


class RGPUCBMemory(NamedTuple):
    gp: RGPTSMemory  # the posterior, and room for sequences
    places: np.ndarray  # the states in which a sequence pulls its arms, from 0

    def act(self, t, state, rng):
        played = t - 1 - len(state)
        if played < 0:
            return t - 1
        step = played % len(self.gp.plan)
        if step == 0:
            choose_hopeful(self, t, state)
        return self.gp.plan[step]

    def learn(self, t, state, arm, reward, next_state):
        self.gp.learn(t, state, arm, reward, next_state)


@inlined
def upper_sum(memory, state, width):
    """What the sequence under consideration earns: its mean, and `width` standard deviations."""
    gp, sequence, places = memory.gp, memory.gp.sequence, memory.places
    s_max = gp.mean.shape[1]
    mean, variance = 0.0, 0.0
    for step in range(len(sequence)):
        arm = sequence[step]
        s = min(state[arm] + step, s_max) - 1
        for i in range(step):  # the last pull within the sequence says the state
            if sequence[i] == arm:
                s = min(step - i, s_max) - 1
        for i in range(step):
            if sequence[i] == arm:
                variance += 2.0 * gp.cov[arm, places[i], s]
        places[step] = s
        mean += gp.mean[arm, s]
        variance += gp.var[arm, s]
    return mean + width * math.sqrt(max(variance, 0.0))


@inlined
def choose_hopeful(memory, t, state):
    """Value all sequences of d arms, in lexicographic order, and keep the best as the plan."""
    sequence, plan, arms = memory.gp.sequence, memory.gp.plan, len(state)
    steps = len(plan)
    s_max = memory.gp.mean.shape[1]
    # Rounds count from 0 there.
    log = 2.0 * math.log(t + steps - 2.0) + steps * math.log(1.0 * arms) + math.log(1.0 * s_max)
    width = math.sqrt(2.0 * log)
    best = -np.inf
    for i in range(steps):
        sequence[i] = 0
    step = 0
    while step >= 0:
        value = upper_sum(memory, state, width)
        if value > best + TINY:
            best = value
            for i in range(steps):
                plan[i] = sequence[i]
        # The next sequence: count up like an odometer.
        step = steps - 1
        while step >= 0 and sequence[step] == arms - 1:
            sequence[step] = 0
            step -= 1
        if step >= 0:
            sequence[step] += 1


LISTED = (
    Listed("1RGP-UCB", lambda _: RGPUCB(lookahead=1), "#009E73", ":", "d", fixed=("lookahead",)),
    Listed("2RGP-UCB", lambda _: RGPUCB(lookahead=2), "#CC79A7", ":", "p", fixed=("lookahead",)),
)
