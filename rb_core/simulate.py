"""Many simulations of one agent on one bandit: chunks, executors, progress."""

import dataclasses
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

import numpy as np
from numba.core.errors import NumbaError
from tqdm import tqdm

from rb_core.bandit import RecoveringBandit
from rb_core.compiled import wrong_signature
from rb_core.errors import InputError, number, whole
from rb_core.loop import Log, Problem, play
from rb_core.seeds import address, describe, stream


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """What `sims` simulations of one agent on one bandit gave.

    Attributes
    ----------
    checkpoints : rounds at which the curves are kept, the last of them `rounds`
    cumulative : sims x checkpoints, discounted sums of *expected* rewards; round t has the
        weight gamma ** (t - 1)
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
    tail: np.ndarray
    tail_arms: np.ndarray
    tail_start: np.ndarray

    @property
    def sims(self):
        return len(self.cumulative)

    def __repr__(self):
        return f"<Runs: {self.sims} x {self.rounds:,} rounds of {self.agent} on {self.bandit}>"


class Block(NamedTuple):
    """What neighbouring simulations gave; one row a simulation."""

    discounted: np.ndarray  # simulation x checkpoint
    undiscounted: np.ndarray
    tail: np.ndarray
    tail_arms: np.ndarray
    tail_start: np.ndarray


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
    rounds, sims, seed = whole("rounds", rounds, 1), whole("sims", sims, 1), whole("seed", seed, 0)
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
    discounted, _, *tails = (
        np.concatenate(column) for column in zip(*map(parts.get, sorted(parts)), strict=True)
    )
    return Runs(bandit, agent, rounds, seed, gamma, checkpoints(rounds), discounted, *tails)


def completed(executor, tasks, function=None):
    """Yield (task, result) as calls of `function` are done, in any order.

    Each task is a tuple of arguments, to which a stop sign is added; by default the function is
    :func:`simulate_block`.

    Nothing that was yielded is kept. After an error or Ctrl-C, what waits is dropped, and what
    runs in threads of this process stops at once.
    """
    stop = _never()
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
    stop = _never() if stop is None else stop
    place = address(bandit, agent)
    for i in range(count):
        log = Log(marks, *(part[i] for part in block), *_no_history())
        _play_one(bandit, agent, rounds, gamma, stream(place, seed, first + i), log, stop)
        if stop[0]:
            break
    return block


def trace(bandit, agent, rounds, seed=0, simulation=0, compiled=True):
    """Simulation number `simulation` of :func:`simulate`, round by round.

    With `compiled=False` the same methods run as plain Python, where a debugger can stop in them;
    the random stream, and so every arm, is the same.

    Returns
    -------
    Trace
        `arms`, `states` (of the pulled arm), `rewards`, `expected`: one element a round.
    """
    rounds, seed = whole("rounds", rounds, 1), whole("seed", seed, 0)
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
    _play_one(bandit, agent, rounds, 1.0, rng, log, _never(), compiled)
    return Trace(arms, states_at_pull(arms, bandit.start, bandit.s_max), rewards, log.tail)


def states_at_pull(arms, start, s_max):
    """The state of the pulled arm in each round of a sequence of arms that begins in `start`."""
    pulled = -np.asarray(start, np.int64)  # as if round 0 saw each arm in its state of `start`
    states = np.empty(len(arms), np.int64)
    for t, arm in enumerate(arms):
        states[t] = min(t - pulled[arm], s_max)
        pulled[arm] = t
    return states


def _play_one(bandit, agent, rounds, gamma, rng, log, stop, compiled=True):
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


def _no_history():
    return np.empty(0, np.int64), np.empty(0)


def _never():
    """A stop sign that nobody has set: a flag in an array, so that threads can share it."""
    return np.zeros(1, np.bool_)


def check_problem(bandit, agent, rounds):
    """Refuse, before anything runs, what could only fail later and less clearly."""
    if not isinstance(bandit, RecoveringBandit):
        raise InputError(f"bandit must be a RecoveringBandit, not {type(bandit).__name__}.")
    if isinstance(agent, type) or not hasattr(agent, "init"):
        raise InputError(
            f"agent must be an agent with its parameters, such as rb.SSSarsa(gamma=0.99), "
            f"not {agent!r}."
        )
    describe(agent)
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


def checkpoints(rounds):
    """Rounds at which curves are kept: evenly spaced, and closer together at the beginning."""
    even = np.arange(1, 101) * rounds // 100
    early = np.geomspace(1, rounds, 40).astype(int)
    return np.unique(np.concatenate([even[even > 0], early, [rounds]]))
