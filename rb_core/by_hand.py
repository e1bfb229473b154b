"""The rounds in plain Python, for players that a reader writes: one loop for every chapter."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rb_core.bandit import RecoveringBandit
from rb_core.checks import InputError
from rb_core.problem import Problem
from rb_core.simulation import Trace, states_at_pull


def play(
    bandit: RecoveringBandit,
    player: Any,
    rounds: int,
    rng: np.random.Generator,
    after: Callable[[int, Any], object] | None = None,
) -> Trace:
    """Let `player` play, with any class that has the two methods of an agent's memory.

    With the random stream of a simulation (:func:`stream`) a player that decides and draws as an
    agent does pulls the very same arms as the agent in :func:`trace`.

    Parameters
    ----------
    bandit : RecoveringBandit
    player
        Has `act(t, state, rng)`, the arm to pull in round t, and
        `learn(t, state, arm, reward, next_state)`. States are tuples, one number an arm.
    rounds : int
    rng : numpy.random.Generator
        Player and rewards draw from it, in turn.
    after : function, optional
        Is called with (t, player) after each round.

    Returns
    -------
    Trace
        Its `memory` is the player.

    Examples
    --------
    >>> import numpy as np, rb_core as rb
    >>> class InTurn:
    ...     def act(self, t, state, rng): return t % len(state)
    ...     def learn(self, t, state, arm, reward, next_state): pass
    >>> found = rb.play(rb.setting("small"), InTurn(), 6, np.random.default_rng(0))
    >>> found.arms.tolist(), found.states.tolist()
    ([1, 2, 0, 1, 2, 0], [3, 3, 3, 3, 3, 3])
    """
    rounds = Problem(bandit, rounds).rounds
    arms, rewards, expected = np.empty(rounds, np.int64), np.empty(rounds), np.empty(rounds)
    state, sd = tuple(bandit.start.tolist()), float(np.sqrt(bandit.variance))
    for t in range(1, rounds + 1):
        arm = player.act(t, state, rng)
        if arm not in range(bandit.arms):
            raise InputError(f"The player chose {arm!r} in round {t}; arms are 0 to "
                             f"{bandit.arms - 1}.")
        mean = bandit.means[arm, state[arm] - 1]
        if bandit.reward == "normal":
            reward = float(mean + sd * rng.standard_normal())
        else:
            reward = float(rng.random() < mean)
        next_state = tuple(1 if k == arm else min(s + 1, bandit.s_max)
                           for k, s in enumerate(state))
        player.learn(t, state, arm, reward, next_state)
        arms[t - 1], rewards[t - 1], expected[t - 1] = arm, reward, mean
        state = next_state
        if after is not None:
            after(t, player)
    return Trace(arms, states_at_pull(arms, bandit.start, bandit.s_max), rewards, expected, player)
