"""Agents as a reader might write them: some right, and some wrong in one way each."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rb_core.engine.compiled import inlined


class GreedyMemory(NamedTuple):
    epsilon: float
    counts: np.ndarray
    sums: np.ndarray

    def act(self, t, state, rng):
        arms = len(state)
        if rng.random() < self.epsilon:
            return int(rng.random() * arms)
        best, top = 0, -np.inf
        for a in range(arms):
            value = mean_of(self.sums[a, state[a] - 1], self.counts[a, state[a] - 1])
            if value > top:
                best, top = a, value
        return best

    def learn(self, t, state, arm, reward, next_state):
        self.counts[arm, state[arm] - 1] += 1
        self.sums[arm, state[arm] - 1] += reward


@inlined
def mean_of(total, count):
    return total / count if count > 0 else 1.0


@dataclass(frozen=True)
class Greedy:
    """Epsilon-greedy in the mean reward of each arm and state."""

    epsilon: float = 0.1

    def init(self, arms, s_max, rounds):
        return GreedyMemory(self.epsilon, np.zeros((arms, s_max)), np.zeros((arms, s_max)))


class SlicingMemory(NamedTuple):
    history: np.ndarray

    def act(self, t, state, rng):
        scores = self.history[:, -1] + 0.01 * state  # a slice, and a new array
        return int(np.argmax(scores + rng.random()))

    def learn(self, t, state, arm, reward, next_state):
        self.history[arm, :-1] = self.history[arm, 1:].copy()
        self.history[arm, -1] = reward


@dataclass(frozen=True)
class Slicing:
    """Makes arrays and slices as it goes: the loop must be compiled another way for that."""

    def init(self, arms, s_max, rounds):
        return SlicingMemory(np.zeros((arms, 5)))


class GrowingMemory(NamedTuple):
    pulled: np.ndarray

    def act(self, t, state, rng):
        return self.pulled[t - 2] if t % 2 == 0 else int(rng.random() * len(state))

    def learn(self, t, state, arm, reward, next_state):
        self.pulled[t - 1] = arm

    def grow(self, t, rounds):
        pulled = np.zeros(t - 1 + rounds, np.int64)
        pulled[: len(self.pulled)] = self.pulled
        return self._replace(pulled=pulled)


@dataclass(frozen=True)
class Growing:
    """Pulls every arm twice in a row, and keeps its history in an array that grows."""

    def init(self, arms, s_max, rounds):
        return GrowingMemory(np.zeros(0, np.int64))


class TupleAgent(NamedTuple):
    """Agents may be NamedTuples, too."""

    epsilon: float = 0.2

    def init(self, arms, s_max, rounds):
        return Greedy(self.epsilon).init(arms, s_max, rounds)


RIGHT = [Greedy(), Greedy(0.5), Slicing(), Growing(), TupleAgent()]


# Wrong ones.

SHARED = np.zeros((10, 10))


@dataclass(frozen=True)
class Shared:
    def init(self, arms, s_max, rounds):
        return GreedyMemory(0.1, np.zeros((arms, s_max)), SHARED[:arms, :s_max])


class InnerMemory(NamedTuple):
    inner: GreedyMemory

    def act(self, t, state, rng):
        return self.inner.act(t, state, rng)

    def learn(self, t, state, arm, reward, next_state):
        self.inner.learn(t, state, arm, reward, next_state)


@dataclass(frozen=True)
class SharedInside:
    """Shares an array that lies deeper in its memory."""

    def init(self, arms, s_max, rounds):
        return InnerMemory(Shared().init(arms, s_max, rounds))


class OneTooHighMemory(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return int(rng.random() * (self.arms + 1))

    def learn(self, t, state, arm, reward, next_state):
        pass


@dataclass(frozen=True)
class OneTooHigh:
    def init(self, arms, s_max, rounds):
        return OneTooHighMemory(arms)


class OverflowMemory(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        key = 1  # grows beyond 64 bits in Python, and wraps around when compiled
        for i in range(40):
            key = key * 31 + int(state[i % self.arms])
        return key % 1009 % self.arms

    def learn(self, t, state, arm, reward, next_state):
        pass


@dataclass(frozen=True)
class Overflow:
    """Differs between compiled and interpreted."""

    def init(self, arms, s_max, rounds):
        return OverflowMemory(arms)


@dataclass
class Unfrozen:
    epsilon: float = 0.1

    def init(self, arms, s_max, rounds):
        return Greedy(self.epsilon).init(arms, s_max, rounds)


@dataclass(frozen=True)
class Mutating:
    """Frozen, but keeps a tally in an array of its own."""

    tally: np.ndarray

    def init(self, arms, s_max, rounds):
        self.tally[len(self.tally) // 2] += 1
        return Greedy().init(arms, s_max, rounds)


class GlobalRandomMemory(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return int(np.random.random() * self.arms)  # noqa: NPY002

    def learn(self, t, state, arm, reward, next_state):
        pass


@dataclass(frozen=True)
class GlobalRandom:
    """Draws from the global generator: no two runs are alike."""

    def init(self, arms, s_max, rounds):
        return GlobalRandomMemory(arms)


class NoArm(NamedTuple):
    def act(self, t, state, rng):
        pass

    def learn(self, t, state, arm, reward, next_state):
        pass


@dataclass(frozen=True)
class ReturnsNothing:
    def init(self, arms, s_max, rounds):
        return NoArm()


@dataclass(frozen=True)
class FailsAtInit:
    def init(self, arms, s_max, rounds):
        return [][arms]


@dataclass(frozen=True, eq=False)
class FailsAtSecondInit:
    tries: np.ndarray

    def init(self, arms, s_max, rounds):
        self.tries[0] += 1
        1 / int(self.tries[0] < 2)
        return Greedy().init(arms, s_max, rounds)
