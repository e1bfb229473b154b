"""PlanUCB: optimism about K x s_max means, and a plan on the known graph.

Which state follows which is known; only the means are not. So PlanUCB keeps an optimistic table of
means, plans for it as well as it can, and follows the plan until the table has changed.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.agents.shared.listing import Listed
from rb_core.elementary import exponential, logarithm
from rb_core.engine.compiled import lean_kernel
from rb_core.policy_iteration import Known, follow, improve, known_graph, no_graph
from rb_core.pricing import advantages, price_of_a_pull
from rb_core.reachable import reachable_states
from rb_core.search import Beam, beam_room, best_window, cycle_average, least_loss

AT_ONCE, LATER = 1_000, 20_000  # joint states for which it plans exactly: from the beginning on,
PATIENCE = 10  # and when so many times as many rounds were played: plans have become rare then
WIDTH, TRIED, DEPTH = 16, 8, 2  # of the beam otherwise; its depth in s_max rounds
GRID = 7  # how much alike arms may be: 1, 2, 4, ..., 64 observations' worth
TINY = 1e-9  # differences below this share of the table's range are not worth a new plan,
ROUNDING = 1e-12  # nor are those below this share of its size


@dataclass(frozen=True)
class PlanUCB:
    """Optimism on the table of means, planning on the known graph; it has no parameters.

    For every arm and state it keeps the mean of the rewards seen, shrunk towards what the arms have
    in common in that state, by a weight that is learnt, too. To that it adds a width that falls
    with the count and with the rounds to come. A new plan is made when a count has grown by a
    tenth or half of the rounds to come are over, at most once in s_max rounds. It is exact where
    at most 1,000 joint states can be met, and up to 20,000 from the time on when ten times as many
    rounds were played; else it is the best cycle that a beam search sees. It draws no random
    numbers: what it does follows from the rewards.

    Examples
    --------
    >>> import rb_core as rb
    >>> best = rb.optimum(rb.setting("6-hetero"), rounds=10_000)
    >>> runs = rb.simulate(rb.setting("6-hetero"), rb.PlanUCB(), rounds=10_000, sims=3)
    >>> bool((rb.regret(runs, best)[:, -1] < 400).all())
    True
    """

    def init(self, arms: int, s_max: int, rounds: int) -> "PlanUCBMemory":
        """The memory of one run, before its first round.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem; 0 rounds for an open end.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.PlanUCB().init(arms=3, s_max=4, rounds=1000).upper.shape
        (3, 4)
        """
        states = min(reachable_states(arms, s_max), LATER + 1)  # may have hundreds of digits
        exact, never = states <= AT_ONCE, states > LATER or 0 < rounds <= PATIENCE * states
        known = no_graph() if never and not exact else known_graph(arms, s_max)
        beam = beam_room(arms, s_max, 1 if exact else WIDTH, TRIED, 1 if exact else DEPTH * s_max)
        upper = np.zeros((arms, s_max))
        path = np.zeros(max(arms, len(known.policy), len(beam.parent)), np.int32)
        path[:arms] = np.arange(arms)  # at first, every arm in turn
        return PlanUCBMemory(
            rounds=rounds,
            counts=np.zeros((arms, s_max), np.int64),
            means=np.zeros((arms, s_max)),
            moments=np.zeros(3),
            centre=np.zeros(s_max),
            weight=np.zeros(s_max),
            upper=upper,
            cells=upper.reshape(-1),
            advantage=np.zeros((arms, s_max)),
            due=np.ones((arms, s_max), np.int64),
            path=path,
            spare=np.zeros_like(path),
            place=np.array([0, 0, arms, 0]),
            wait=np.array([0, s_max + 1, rounds, 0 if exact else PATIENCE * states]),
            known=known,
            beam=beam,
        )


class PlanUCBMemory(NamedTuple):
    rounds: int  # 0 for an open end
    counts: np.ndarray  # arm x state
    means: np.ndarray  # arm x state: of the rewards seen
    moments: np.ndarray  # mean of all rewards, their sum of squares around it, and that in cells
    centre: np.ndarray  # state: what arms have in common there
    weight: np.ndarray  # state: how many observations that is worth
    upper: np.ndarray  # arm x state: the optimistic means that the plan is made for
    cells: np.ndarray  # the same numbers in a row
    advantage: np.ndarray  # arm x state: of a pull over resting, at the price of a pull
    due: np.ndarray  # arm x state: the count from which on a new plan is wanted
    path: np.ndarray  # the plan: arms, of which the last ones are repeated
    spare: np.ndarray  # room for a new one
    place: np.ndarray  # in the plan: the next round, where the cycle begins, where it ends; node
    wait: np.ndarray  # if a new plan is wanted, since when allowed, when due; when not yet exact
    known: Known  # the graph of joint states, if they are few enough
    beam: Beam  # room for the search otherwise, or until then

    def act(self, t, state, rng):
        if (self.wait[0] != 0 or t >= self.wait[2]) and t >= self.wait[1]:
            plan_anew(self, t, state)
        at = self.place[0]
        self.place[0] = at + 1 if at + 1 < self.place[2] else self.place[1]
        return self.path[at]

    def learn(self, t, state, arm, reward, next_state):
        s = state[arm] - 1
        n = self.counts[arm, s] + 1
        self.counts[arm, s] = n
        surprise = reward - self.means[arm, s]
        self.means[arm, s] += surprise / n
        self.moments[2] += surprise * (reward - self.means[arm, s])
        surprise = reward - self.moments[0]
        self.moments[0] += surprise / t
        self.moments[1] += surprise * (reward - self.moments[0])
        if n >= self.due[arm, s]:
            self.wait[0] = 1
        if len(self.known.policy) > 0:
            self.place[3] = self.known.after[self.place[3], arm]


@lean_kernel
def plan_anew(memory: PlanUCBMemory, t: int, state: np.ndarray) -> None:
    """A plan for the table as it is before round t, if that is better than the last one."""
    arms, s_max = memory.upper.shape
    # With an open end, as many rounds are to come as were played, and at least one a cell.
    rounds = memory.rounds if memory.rounds > 0 else 2 * max(t - 1, arms * s_max)
    be_optimistic(memory, t - 1, rounds)
    for a in range(arms):
        for s in range(s_max):
            n = memory.counts[a, s]
            memory.due[a, s] = n + 1 + n // 10
    memory.wait[0], memory.wait[1] = 0, t + s_max
    memory.wait[2] = t + (rounds - t) // 2 + 1

    price, bound = price_of_a_pull(memory.upper)
    low = high = memory.cells[0]
    for each in memory.cells:
        low, high = min(low, each), max(high, each)
    tiny = TINY * (high - low) + ROUNDING * (abs(bound) + abs(price))
    own = cycle_average(memory.upper, memory.path, memory.place[1], memory.place[2],
                        memory.beam.last)
    if own >= bound - tiny:
        return  # nothing is better than the plan at hand
    if len(memory.known.policy) > 0 and t > memory.wait[3]:
        average = improve(memory.known, memory.cells, tiny)
        start, end = follow(memory.known, memory.place[3], memory.spare)
    else:
        advantages(memory.upper, price, memory.advantage)
        depth = len(memory.beam.parent)
        found = memory.spare[:depth]
        least_loss(memory.beam, memory.advantage, state, found)
        average, start, end = best_window(memory.beam, memory.upper, found, depth)
    if average > own + tiny:
        for i in range(end):
            memory.path[i] = memory.spare[i]
        memory.place[0], memory.place[1], memory.place[2] = 0, start, end


@lean_kernel
def be_optimistic(memory: PlanUCBMemory, played: int, rounds: int) -> None:
    """The optimistic table after `played` of `rounds` rounds."""
    arms, s_max = memory.upper.shape
    visited = 0
    for a in range(arms):
        for s in range(s_max):
            visited += memory.counts[a, s] > 0
    spread, noise = memory.moments[1] / played, 1.0
    if spread > 0.0:
        noise = (memory.moments[2] + spread) / (played - visited + 1)
    else:
        spread = 1.0  # all rewards were the same: any scale will do
    left = rounds - played
    share = alike(memory, noise, max(1.0, rounds / (arms * s_max)))
    centres(memory, share)
    for s in range(s_max):
        memory.weight[s] = share * memory.weight[s] / (share + memory.weight[s])
        for a in range(arms):
            n = memory.counts[a, s] + memory.weight[s]
            known = memory.counts[a, s] * memory.means[a, s]
            variance = noise if memory.counts[a, s] > 0 else max(spread, noise)
            width = 2.0 * variance * logarithm(1.0 + left / (arms * s_max * n)) / n
            memory.upper[a, s] = (
                (known + memory.weight[s] * memory.centre[s]) / n + math.sqrt(width))


@lean_kernel
def alike(memory: PlanUCBMemory, noise: float, most: float) -> float:
    """How much alike the arms are in one state, in observations, as far as the data say.

    Means in one state are taken as normal around a centre, with the variance noise / share; of a
    grid of shares, each counts by the likelihood of the means seen.
    """
    arms, s_max = memory.counts.shape
    top, sum_likely, sum_ratio = -np.inf, 0.0, 0.0
    share = 1.0
    for _ in range(GRID):
        if share > most:
            break
        centres(memory, share)
        log_likely = 0.0
        for s in range(s_max):
            weight = memory.weight[s]
            if weight > 1.0:
                away = memory.centre[s] - memory.moments[0]
                total, product = away * away / noise, weight
                for a in range(arms):
                    n = memory.counts[a, s]
                    if n > 0:
                        away = memory.means[a, s] - memory.centre[s]
                        variance = 1.0 / share + 1.0 / n
                        total += away * away / (noise * variance)
                        product *= variance
                        if product < 1e-200:  # a logarithm for many factors at once
                            total += logarithm(product)
                            product = 1.0
                log_likely -= 0.5 * (total + logarithm(product))
        if log_likely > top:
            scale = exponential(top - log_likely)
            sum_likely, sum_ratio, top = sum_likely * scale, sum_ratio * scale, log_likely
        likely = exponential(log_likely - top)
        sum_likely += likely
        sum_ratio += likely / share
        share *= 2.0
    return sum_likely / sum_ratio


@lean_kernel
def centres(memory: PlanUCBMemory, share: float) -> None:
    """What the arms have in common in each state, and the weight of that: 1 for the mean of all."""
    arms, s_max = memory.counts.shape
    for s in range(s_max):
        memory.weight[s], memory.centre[s] = 1.0, memory.moments[0]
    for a in range(arms):
        for s in range(s_max):
            n = memory.counts[a, s]
            if n > 0:
                part = n * share / (n + share)
                memory.weight[s] += part
                memory.centre[s] += part * memory.means[a, s]
    for s in range(s_max):
        memory.centre[s] /= memory.weight[s]


LISTED = (Listed("PlanUCB", lambda _: PlanUCB(), "#785EF0", "-", ">"),)
