"""A recovering bandit as a Gymnasium environment, for agents written by others.

    import gymnasium
    import rb_core.gym  # registers the environment

    env = gymnasium.make("rb_core/RecoveringBandit-v0", bandit=rb.setting("6-hetero"), rounds=1000)

Needs the extra `gym`: pip install "rb-core[gym]".
"""

from typing import Any

import gymnasium
import numpy as np

from rb_core.bandit import RecoveringBandit
from rb_core.checks import MOST_ROUNDS, InputError, whole
from rb_core.settings import setting


class RecoveringBanditEnv(gymnasium.Env):
    """Pull an arm, see the state of all arms.

    Observations are the joint state, K numbers from 1 to s_max; actions are arms, from 0. An
    episode is truncated after `rounds` rounds. `info["expected"]` is the mean of the reward that
    was just drawn, from which regret is computed.

    Parameters
    ----------
    bandit : RecoveringBandit, optional
        By default the paper's small one.
    rounds : int
        Of an episode.

    Examples
    --------
    >>> import rb_core as rb
    >>> env = RecoveringBanditEnv(rb.setting("small"), rounds=10)
    >>> env.reset(seed=0)[0]
    array([3, 3, 3])
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (Gymnasium's own convention)

    def __init__(self, bandit: RecoveringBandit | None = None, rounds: int = 1000):
        if bandit is None:
            bandit = setting("small")
        if not isinstance(bandit, RecoveringBandit):
            raise InputError(f"bandit must be a RecoveringBandit, not {type(bandit).__name__}.")
        self.state: np.ndarray | None = None
        self.bandit = bandit
        self.rounds = whole("rounds", rounds, 1, MOST_ROUNDS)
        self.action_space = gymnasium.spaces.Discrete(bandit.arms)
        self.observation_space = gymnasium.spaces.Box(1, bandit.s_max, (bandit.arms,), np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode, with all arms at s_max.

        Parameters
        ----------
        seed : int, optional
            Of the rewards; without one, they go on from the last episode's.
        options : dict, optional
            Gymnasium's; there are none.

        Returns
        -------
        observation, info

        Examples
        --------
        >>> RecoveringBanditEnv().reset(seed=0)
        (array([3, 3, 3]), {})
        """
        super().reset(seed=seed)
        self.state, self.played = self.bandit.start.astype(np.int64), 0
        return self.state.copy(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Pull an arm.

        Parameters
        ----------
        action : int
            The arm, from 0.

        Returns
        -------
        observation, reward, terminated, truncated, info

        Examples
        --------
        >>> env = RecoveringBanditEnv(rounds=1)
        >>> state, info = env.reset(seed=0)
        >>> state, reward, terminated, truncated, info = env.step(0)
        >>> state, truncated, info
        (array([1, 3, 3]), True, {'expected': 0.3})
        """
        if self.state is None:
            raise InputError("An episode begins with reset(): call it before step().")
        after = self.bandit.next_state(self.state, action)  # which refuses what is no arm
        mean = float(self.bandit.means[int(action), self.state[int(action)] - 1])
        if self.bandit.reward == "bernoulli":
            reward = float(self.np_random.random() < mean)
        else:
            reward = float(self.np_random.normal(mean, np.sqrt(self.bandit.variance)))
        self.state, self.played = after, self.played + 1
        return self.state.copy(), reward, False, self.played >= self.rounds, {"expected": mean}


gymnasium.register("rb_core/RecoveringBandit-v0", entry_point=f"{__name__}:RecoveringBanditEnv")
