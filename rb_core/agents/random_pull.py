"""Uniform random pulling: the yardstick of exploration (chapter exploration)."""

from dataclasses import dataclass
from typing import NamedTuple

from rb_core.agents.shared.listing import Listed


@dataclass(frozen=True)
class RandomPull:
    """Pulls every arm with the same probability in every round and learns nothing.

    It has no parameters, and is not in the paper's evaluation.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.trace(rb.setting("small"), rb.RandomPull(), rounds=5).arms.shape
    (5,)
    """

    def init(self, arms: int, s_max: int, rounds: int) -> "RandomPullMemory":
        """The memory of one run: there is nothing to remember but the number of arms.

        Parameters
        ----------
        arms, s_max, rounds : int
            Of the problem.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.RandomPull().init(arms=3, s_max=3, rounds=1000)
        RandomPullMemory(arms=3)
        """
        return RandomPullMemory(arms)


class RandomPullMemory(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return int(rng.random() * self.arms)

    def learn(self, t, state, arm, reward, next_state):
        pass


LISTED = (Listed("RandomPull", lambda _: RandomPull(), "#7F7F7F", "--", "*"),)
