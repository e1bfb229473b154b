"""A block: neighbouring simulations of one agent on one bandit, one after the other.

Every simulated number of the book is made by this file and those that it imports.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from rb_core.errors import InputError
from rb_core.loop import Log, Problem, play
from rb_core.seeds import address, stream


class Block(NamedTuple):
    """What neighbouring simulations gave; one row a simulation."""

    discounted: np.ndarray  # simulation x checkpoint
    undiscounted: np.ndarray
    tail: np.ndarray
    tail_arms: np.ndarray
    tail_start: np.ndarray


def joined(blocks):
    """Blocks of neighbouring simulations as one."""
    return Block(*map(np.concatenate, zip(*blocks, strict=True)))


def simulate_block(bandit, agent, rounds, gamma, seed, first, count, stop=None):
    """Simulations number `first` to `first + count - 1`, one after the other, in this thread."""
    marks = checkpoints(rounds)
    tail = min(3 * bandit.s_max, rounds)
    block = Block(
        np.empty((count, len(marks))),
        np.empty((count, len(marks))),
        np.empty((count, tail)),
        np.empty((count, tail), np.int32),
        np.empty((count, bandit.arms), np.int32),
    )
    stop = never() if stop is None else stop
    place = address(bandit, agent)
    for i in range(count):
        log = Log(marks, *(part[i] for part in block), *no_history())
        play_one(bandit, agent, rounds, gamma, stream(place, seed, first + i), log, stop)
        if stop[0]:
            break
    return block


def play_one(bandit, agent, rounds, gamma, rng, log, stop, compiled=True):
    problem = Problem(bandit.means, bandit.reward == "normal", float(np.sqrt(bandit.variance)))
    try:
        wrong_round = play(problem, agent, rng, rounds, gamma, log, stop, compiled)
    except NumbaError as error:
        raise InputError(
            f"numba cannot compile {type(agent).__name__}; run it with trace(..., compiled=False) "
            f"and see numba's report above."
        ) from error
    if wrong_round:
        raise InputError(
            f"{type(agent).__name__} chose something that is no arm in round {wrong_round}; "
            f"arms are 0 to {bandit.arms - 1}."
        )


def no_history():
    return np.empty(0, np.int64), np.empty(0)


def never():
    """A stop sign that nobody has set: a flag in an array, so that threads can share it."""
    return np.zeros(1, np.bool_)


def checkpoints(rounds):
    """Rounds at which curves are kept: evenly spaced, and closer together at the beginning."""
    return _checkpoints(rounds).copy()


@lru_cache
def _checkpoints(rounds):
    even = np.arange(1, 101) * rounds // 100
    early = np.geomspace(1, rounds, 40).astype(int)
    return np.unique(np.concatenate([even[even > 0], early, [rounds]]))
