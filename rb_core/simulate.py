"""Many simulations of one agent on one bandit: chunks, executors, progress."""

import dataclasses
import inspect
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from rb_core.bandit import RecoveringBandit
from rb_core.blocks import checkpoints, joined, never, play_one, simulate_block
from rb_core.compiled import wrong_signature
from rb_core.errors import MOST_ROUNDS, InputError, number, shown, whole
from rb_core.loop import Log
from rb_core.seeds import address, describe, stream

MOST_SIMS = 10**7


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """What `sims` simulations of one agent on one bandit gave.

    Attributes
    ----------
    checkpoints : rounds at which the curves are kept, the last of them `rounds`
    cumulative : sims x checkpoints, discounted sums of *expected* rewards; round t has the
        weight gamma ** (t - 1)
    total : sims, the sum of all expected rewards without discount
    tail : sims x 3 s_max, expected rewards of the last rounds
    tail_arms, tail_start : the arms of these rounds, and the joint state before them
    """

    bandit: RecoveringBandit
    agent: object
    rounds: int
    seed: int
    gamma: float
    checkpoints: np.ndarray
    cumulative: np.ndarray
    total: np.ndarray
    tail: np.ndarray
    tail_arms: np.ndarray
    tail_start: np.ndarray

    @property
    def sims(self):
        return len(self.cumulative)

    def __repr__(self):
        return f"<Runs: {self.sims} x {self.rounds:,} rounds of {self.agent} on {self.bandit}>"


class Trace(NamedTuple):
    """One simulation, round by round."""

    arms: np.ndarray
    states: np.ndarray  # of the pulled arm, before the pull
    rewards: np.ndarray
    expected: np.ndarray


def simulate(
    bandit, agent, rounds, sims=1000, seed=0, gamma=1.0, executor=None, progress=False
):
    """Simulate `agent` on `bandit`, `sims` times, and keep what the paper's figures need.

    Parameters
    ----------
    bandit : RecoveringBandit
    agent : SSSarsa, Sarsa, QLearning, RGPTS, RandomPull, or an agent of your own (chapter 14)
    rounds, sims : int
    seed : int
        Simulation i has a random stream of its own, made from (bandit, agent, seed, i). The first
        100 of 1,000 simulations are therefore the 100 of a run of 100.
    gamma : float
        Discount of the *evaluation*, in (0, 1]; the agent's own discount is the agent's.
    executor : concurrent.futures.Executor, optional
        Who does the work; by default threads, one for each core of this machine.
    progress : bool
        Show a progress bar, if standard error is a terminal.

    Returns
    -------
    Runs
    """
    rounds, sims = whole("rounds", rounds, 1, MOST_ROUNDS), whole("sims", sims, 1, MOST_SIMS)
    seed = whole("seed", seed, 0)
    gamma = number("gamma", gamma, 0, 1, open_low=True)
    check_problem(bandit, agent, rounds)
    if executor is not None and not hasattr(executor, "submit"):
        raise InputError("executor must have a method submit, like those of concurrent.futures.")
    bar = tqdm(total=sims, unit="sim", disable=not (progress and sys.stderr.isatty()))
    tasks = [(bandit, agent, rounds, gamma, seed, first, count) for first, count in chunks(sims)]
    parts = {}
    with bar:
        for task, block in completed(executor, tasks):
            first, count = task[-2:]
            parts[first] = block
            bar.update(count)
    block = joined([parts[first] for first in sorted(parts)])
    return Runs(
        bandit, agent, rounds, seed, gamma, checkpoints(rounds), block.discounted,
        block.undiscounted[:, -1], block.tail, block.tail_arms, block.tail_start,
    )


def completed(executor, tasks, function=None):
    """Yield (task, result) as calls of `function` are done, in any order.

    Each task is a tuple of arguments, to which a stop sign is added; by default the function is
    :func:`simulate_block`.

    Nothing that was yielded is kept. After an error or Ctrl-C, what waits is dropped, and what
    runs in threads of this process stops at once.
    """
    stop = never()
    own = executor is None
    executor = ThreadPoolExecutor(cores()) if own else executor
    futures = {}
    try:
        for task in tasks:
            futures[executor.submit(function or simulate_block, *task, stop)] = task
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
    finally:
        stop[0] = True
        for future in futures:
            future.cancel()
        if own:
            executor.shutdown(wait=True, cancel_futures=True)


def trace(bandit, agent, rounds, seed=0, simulation=0, compiled=True):
    """Simulation number `simulation` of :func:`simulate`, round by round.

    With `compiled=False` the same methods run as plain Python, where a debugger can stop in them;
    the random stream, and so every arm, is the same.

    Returns
    -------
    Trace
        `arms`, `states` (of the pulled arm), `rewards`, `expected`: one element a round.
    """
    rounds, seed = whole("rounds", rounds, 1, MOST_ROUNDS), whole("seed", seed, 0)
    simulation = whole("simulation", simulation, 0)
    check_problem(bandit, agent, rounds)
    arms, rewards = np.empty(rounds, np.int64), np.empty(rounds)
    log = Log(
        np.array([rounds]),
        np.empty(1),
        np.empty(1),
        np.empty(rounds),
        np.empty(rounds, np.int32),
        np.empty(bandit.arms, np.int32),
        arms,
        rewards,
    )
    rng = stream(address(bandit, agent), seed, simulation)
    play_one(bandit, agent, rounds, 1.0, rng, log, never(), compiled)
    return Trace(arms, states_at_pull(arms, bandit.start, bandit.s_max), rewards, log.tail)


def states_at_pull(arms, start, s_max):
    """The state of the pulled arm in each round of a sequence of arms that begins in `start`."""
    states = np.empty(len(arms), np.int64)
    for arm in set(arms.tolist()):
        pulls = np.flatnonzero(arms == arm)
        states[pulls] = np.minimum(np.diff(pulls, prepend=-int(start[arm])), s_max)
    return states


def states_along(bandit, arms):
    """The states of all arms before each round of a sequence of arms, and after the last one.

    Examples
    --------
    >>> states_along(RecoveringBandit([[0.1, 0.2, 0.3]] * 2), [0, 0, 1])
    array([[3, 3],
           [1, 3],
           [1, 3],
           [2, 1]])
    """
    arms = np.asarray(arms)
    if arms.ndim != 1 or (len(arms) and not (
            np.issubdtype(arms.dtype, np.integer) and 0 <= arms.min() <= arms.max() < bandit.arms)):
        raise InputError(f"arms must be a sequence of whole numbers from 0 to {bandit.arms - 1}.")
    now = np.arange(len(arms) + 1)
    pulled = np.full((len(now), bandit.arms), -bandit.s_max)
    pulled[now[1:], arms] = now[:-1]
    return np.minimum(now[:, None] - np.maximum.accumulate(pulled), bandit.s_max)


def check_problem(bandit, agent, rounds):
    """Refuse, before anything runs, what could only fail later and less clearly."""
    if not isinstance(bandit, RecoveringBandit):
        raise InputError(f"bandit must be a RecoveringBandit, not {type(bandit).__name__}.")
    if isinstance(agent, type) or not hasattr(agent, "init"):
        raise InputError(
            f"agent must be an agent with its parameters, such as rb.SSSarsa(gamma=0.99), "
            f"not {shown(agent)}."
        )
    describe(agent)
    try:
        inspect.signature(agent.init).bind(bandit.arms, bandit.s_max, rounds)
    except TypeError:
        raise InputError(f"{type(agent).__name__}.init must take (arms, s_max, rounds).") from None
    memory = agent.init(bandit.arms, bandit.s_max, rounds)
    if not (isinstance(memory, tuple) and hasattr(memory, "_fields")):
        raise InputError(
            f"{type(agent).__name__}.init must return a NamedTuple with the methods act and "
            f"learn, not {type(memory).__name__}."
        )
    wrong = wrong_signature(memory)
    if wrong:
        raise InputError(wrong)


def cores():
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def chunks(sims, most=256):
    """Simulations in at most `most` runs of neighbours, as (first, count)."""
    size = -(-sims // most)
    return [(first, min(size, sims - first)) for first in range(0, sims, size)]
