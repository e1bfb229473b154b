"""The loop: one function plays the rounds of any agent, compiled or line by line."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.core.errors import NumbaRuntimeError, TypingError

from rb_core.engine.compiled import COUNTED, LEAN, kernel, lean_kernel

STRETCH = 100_000  # rounds between two looks at the stop sign, and at the room an agent needs
LONG = 20_000  # rounds from which on it pays to compile the loop for one number of arms
MOST_UNROLLED = 16  # arms; with more, a loop over arms gains nothing by being written out


class CompiledBandit(NamedTuple):
    """A bandit as compiled code sees it."""

    means: np.ndarray
    normal: bool
    sd: float
    arms: tuple  # as many entries as arms, if the loop is compiled for that number; or none


class Log(NamedTuple):
    """What one simulation writes down; the arrays are made by the caller."""

    checkpoints: np.ndarray  # rounds at which sums of expected rewards are kept, the last one too
    discounted: np.ndarray  # the sum at each checkpoint, round t weighted by gamma ** (t - 1)
    undiscounted: np.ndarray
    tail: np.ndarray  # expected rewards of the last rounds
    tail_arms: np.ndarray
    tail_start: np.ndarray  # the joint state before the first of them
    arms: np.ndarray  # every round, if the tail is the whole simulation; or empty
    rewards: np.ndarray  # likewise


class Position(NamedTuple):
    """Where a simulation stands between two stretches of rounds."""

    state: np.ndarray
    next_state: np.ndarray
    sums: np.ndarray  # weight of the next round, discounted sum, undiscounted sum
    checkpoint: np.ndarray  # one element: the index of the next one


def play(
    bandit: CompiledBandit,
    agent: Any,
    rng: np.random.Generator,
    rounds: int,
    gamma: float,
    log: Log,
    stop: np.ndarray,
    compiled: bool = True,
) -> tuple[int, Any]:
    """Play `rounds` rounds of `agent` into `log`, unless the flag `stop[0]` is set meanwhile.

    Returns 0, or t if the agent chose something that is no arm in round t; and the agent's memory.
    """
    arms, s_max = bandit.means.shape
    position = Position(
        np.full(arms, s_max),
        np.full(arms, s_max),
        np.array([1.0, 0.0, 0.0]),
        np.zeros(1, np.int64),
    )
    memory = agent.init(arms, s_max, rounds)
    for first in range(1, rounds + 1, STRETCH):
        if stop[0]:
            break
        last = min(first + STRETCH - 1, rounds)
        if hasattr(memory, "grow"):
            memory = memory.grow(first, last - first + 1)
        stretch = _loop_for(agent, memory) if compiled else play_stretch
        wrong = stretch(bandit, memory, rng, first, last, rounds, gamma, position, log)
        if wrong:
            return wrong, memory
    return 0, memory


def play_stretch(bandit, memory, rng, first, last, rounds, gamma, position, log):
    """Rounds `first` to `last` of a simulation of `rounds` rounds."""
    arms, s_max = bandit.means.shape
    state, next_state = position.state, position.next_state
    # This never happens. But the length of a tuple is known when numba compiles, and so, from here
    # on, is that of the states: whatever goes over arms, in agents too, is written out.
    if len(bandit.arms) > 0 and (
        len(state) != len(bandit.arms)
        or len(next_state) != len(bandit.arms)
        or arms != len(bandit.arms)
    ):
        return first
    # Kept in local variables: in an array they would go through memory once a round.
    weight, discounted = position.sums[0], position.sums[1]
    undiscounted = position.sums[2]
    tail_from = rounds - len(log.tail)
    mark = position.checkpoint[0]
    due = log.checkpoints[mark]
    for t in range(first, last + 1):
        arm = memory.act(t, state, rng)
        if arm < 0 or arm >= arms:
            return t
        mean = bandit.means[arm, np.uint32(state[arm] - 1)]  # unsigned: no look for negative ones
        if bandit.normal:
            reward = mean + bandit.sd * rng.standard_normal()
        else:
            reward = 1.0 * (rng.random() < mean)  # no branch: it would be mispredicted
        # As a `for` loop this would check its indices (SARSA: 30 % slower); next_state[arm] = 1,
        # stored apart, would hold up the vector loads of the next round (14 %).
        k = 0
        while k < arms:
            older = min(state[k] + 1, s_max)
            next_state[k] = 1 if k == arm else older
            k += 1
        memory.learn(t, state, arm, reward, next_state)

        discounted += weight * mean
        undiscounted += mean
        weight *= gamma
        if t == due:
            log.discounted[mark] = discounted
            log.undiscounted[mark] = undiscounted
            mark += 1
            due = log.checkpoints[mark] if t < rounds else 0
        if t > tail_from:
            if t == tail_from + 1:
                for k in range(arms):
                    log.tail_start[k] = state[k]
            log.tail[t - tail_from - 1] = mean
            log.tail_arms[t - tail_from - 1] = arm
            if len(log.arms) > 0:
                log.arms[t - 1] = arm
                log.rewards[t - 1] = reward
        state, next_state = next_state, state
    # After an odd number of rounds the two have changed places.
    if (last - first) % 2 == 0:
        for k in range(arms):
            position.state[k] = state[k]
    position.sums[0] = weight
    position.sums[1] = discounted
    position.sums[2] = undiscounted
    position.checkpoint[0] = mark
    return 0


lean_stretch = lean_kernel(play_stretch)


# With *arguments instead of nine names, numba takes two agents whose memories look alike, a
# user's copy of ours for instance, for one.
@kernel
def compiled_stretch(bandit, memory, rng, first, last, rounds, gamma, position, log):
    return lean_stretch(bandit, memory, rng, first, last, rounds, gamma, position, log)


def _loop_for(agent, memory):
    if type(agent).__module__.startswith("rb_core."):
        return compiled_stretch
    return _user_loop(*_tuple_classes(memory))


# One compiled loop never sees two memories of the same name: numba would take the one of an edited
# notebook cell for the one that it compiled before. Nor are these loops kept on disk.
@lru_cache(maxsize=64)
def _user_loop(*classes):
    return UserLoop()


class UserLoop:
    """The loop for a user's agent, which unlike ours may make arrays as it plays."""

    def __init__(self):
        lean = njit(**LEAN)(play_stretch)

        def counted(bandit, memory, rng, first, last, rounds, gamma, position, log):
            return lean(bandit, memory, rng, first, last, rounds, gamma, position, log)

        self.stretch = njit(**COUNTED)(counted)

    def __call__(self, *arguments):
        try:
            return self.stretch(*arguments)
        except (NumbaRuntimeError, TypingError) as error:
            # Raised while compiling, before the first round: the agent makes arrays or slices.
            if "NRT required" not in str(error):
                raise
        self.stretch = njit(**COUNTED)(play_stretch)
        return self.stretch(*arguments)


def _tuple_classes(memory):
    """The class of a memory, and those of the memories inside it."""
    yield type(memory)
    for part in memory:
        if isinstance(part, tuple):
            yield from _tuple_classes(part)
