"""Many simulations of one agent on one bandit: who computes them, and what is known already."""

import dataclasses
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, NamedTuple, Protocol

import numpy as np
from tqdm import tqdm

from rb_core.bandit import RecoveringBandit
from rb_core.checks import InputError, failures_of, shown, whole
from rb_core.engine.blocks import (
    UNSIGNED,
    Block,
    Job,
    Maker,
    SignedBlock,
    checkpoints,
    maker_of,
    never,
    play_one,
    signed_block,
    unsigned_block,
)
from rb_core.engine.compiled import wrong_signature
from rb_core.engine.loop import Log
from rb_core.engine.streams import canonical_text, stream
from rb_core.problem import Problem

MOST_SIMS = 10**7
SIMS_A_BLOCK = 50  # what an interruption can lose, times the workers


class Keeper(Protocol):
    """What simulations know of a store: it gives back what it was given, or None."""

    def get(self, name: str) -> SignedBlock | None: ...

    def put(self, name: str, block: SignedBlock) -> None: ...


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """What `sims` simulations of one agent on one bandit gave.

    Attributes
    ----------
    problem : Problem
        The bandit, the rounds and the discount of the evaluation.
    agent : an agent with its parameters
    seed : int
    cumulative : array, sims x checkpoints
        Discounted sums of *expected* rewards; round t has the weight gamma ** (t - 1).
    total : array, sims
        The sum of all expected rewards without discount.
    tail : array, sims x 3 s_max
        Expected rewards of the last rounds.
    tail_arms : array, sims x 3 s_max
        The arms of these rounds.
    tail_start : array, sims x K
        The joint state before them.

    Examples
    --------
    >>> import rb_core as rb
    >>> runs = rb.simulate(rb.setting("small"), rb.RandomPull(), rounds=100, sims=4)
    >>> runs.sims, runs.tail.shape, int(runs.checkpoints[-1])
    (4, (4, 9), 100)
    """

    problem: Problem
    agent: object
    seed: int
    cumulative: np.ndarray
    total: np.ndarray
    tail: np.ndarray
    tail_arms: np.ndarray
    tail_start: np.ndarray

    @classmethod
    def of_block(cls, problem: Problem, agent: object, seed: int, block: Block) -> "Runs":
        """The simulations of a block, evaluated at the discount of `problem`.

        Parameters
        ----------
        problem : Problem
        agent : an agent with its parameters
        seed : int
        block : Block
            What a store keeps of neighbouring simulations.

        Examples
        --------
        >>> import rb_core as rb
        >>> problem, agent = rb.Problem(rb.setting("small"), rounds=100), rb.RandomPull()
        >>> ((_, signed),) = run_jobs(jobs_of(problem, agent, sims=2))
        >>> rb.Runs.of_block(problem, agent, 0, signed.block).sims
        2
        """
        curves = block.undiscounted if problem.gamma == 1 else block.discounted
        total = block.undiscounted[:, -1].copy()  # a view would keep all of it in memory
        return cls(problem, agent, seed, curves, total, *block[2:])

    @property
    def bandit(self) -> RecoveringBandit:
        """What was played."""
        return self.problem.bandit

    @property
    def rounds(self) -> int:
        """The rounds of a run."""
        return self.problem.rounds

    @property
    def gamma(self) -> float:
        """The discount of the evaluation."""
        return self.problem.gamma

    @property
    def checkpoints(self) -> np.ndarray:
        """Rounds at which the curves are kept, the last of them `rounds`."""
        return checkpoints(self.rounds)

    @property
    def sims(self) -> int:
        """How many runs there are."""
        return len(self.cumulative)

    def __repr__(self) -> str:
        return f"<Runs: {self.sims} x {self.rounds:,} rounds of {self.agent} on {self.bandit}>"


class Trace(NamedTuple):
    """One run, round by round.

    Attributes
    ----------
    arms : array, rounds
        The arms pulled.
    states : array, rounds
        The state of the pulled arm, before the pull.
    rewards : array, rounds
        The random rewards.
    expected : array, rounds
        Their means.
    memory : NamedTuple
        What the agent had learnt at the end.

    Examples
    --------
    >>> import rb_core as rb
    >>> found = rb.trace(rb.setting("small"), rb.RandomPull(), rounds=5)
    >>> [len(each) for each in found[:4]], int(found.states[0])
    ([5, 5, 5, 5], 3)
    """

    arms: np.ndarray
    states: np.ndarray
    rewards: np.ndarray
    expected: np.ndarray
    memory: Any


def simulate(
    bandit: RecoveringBandit,
    agent: object,
    rounds: int,
    sims: int = 1000,
    seed: int = 0,
    gamma: float = 1.0,
    executor: Executor | None = None,
    store: Keeper | None = None,
    progress: bool = False,
) -> Runs:
    """Simulate `agent` on `bandit`, `sims` times, and keep what the paper's figures need.

    Parameters
    ----------
    bandit : RecoveringBandit
    agent : SSSarsa, Sarsa, QLearning, RGPTS, RandomPull, or an agent of your own
    rounds, sims : int
    seed : int
        Simulation i has a random stream of its own, made from (bandit, agent, seed, i). The first
        100 of 1,000 simulations are therefore the 100 of a run of 100.
    gamma : float
        Discount of the *evaluation*, in (0, 1]; the agent's own discount is the agent's.
    executor : concurrent.futures.Executor, optional
        Who does the work; by default threads, one for each core of this machine.
    store : optional
        Has what was computed before, and keeps what is new: an :class:`rb_core.Store`, or anything
        with its methods `get` and `put`.
    progress : bool
        Show a progress bar, if standard error is a terminal.

    Returns
    -------
    Runs

    Examples
    --------
    >>> import rb_core as rb
    >>> runs = rb.simulate(rb.setting("small"), rb.RandomPull(), rounds=100, sims=4)
    >>> runs.cumulative.shape == (4, len(runs.checkpoints))
    True
    """
    problem, sims = Problem(bandit, rounds, gamma), whole("sims", sims, 1, MOST_SIMS)
    seed = whole("seed", seed, 0)
    check_problem(bandit, agent, rounds)
    return collect(problem, agent, sims, seed, executor, store, progress)[0]


def collect(
    problem: Problem,
    agent: object,
    sims: int,
    seed: int,
    executor: Executor | None = None,
    store: Keeper | None = None,
    progress: bool = False,
) -> tuple[Runs, Maker, float]:
    """The runs of :func:`simulate`, who computed them, and the seconds that cores worked."""
    if executor is not None and not hasattr(executor, "submit"):
        raise InputError("executor must have a method submit, like those of concurrent.futures.")
    size = SIMS_A_BLOCK if store is not None else -(-sims // 256)
    room = one_job(problem, agent, seed, 0, sims).room()
    maker, seconds = UNSIGNED, 0.0
    with tqdm(total=sims, unit="sim", disable=None if progress else True) as bar:
        for job, signed in run_jobs(jobs_of(problem, agent, sims, seed, size), executor, store):
            for part, rows in zip(room, signed.block, strict=True):
                part[job.first : job.first + job.count] = rows
            maker, seconds = signed.maker, seconds + signed.seconds
            bar.update(job.count)
    return Runs.of_block(problem, agent, seed, room), maker, seconds


def jobs_of(
    problem: Problem, agent: object, sims: int, seed: int = 0, size: int = SIMS_A_BLOCK
) -> list[Job]:
    """The simulations of an agent on a problem, `size` neighbours at a time."""
    return [one_job(problem, agent, seed, first, min(size, sims - first))
            for first in range(0, sims, size)]


def one_job(problem: Problem, agent: object, seed: int, first: int, count: int) -> Job:
    """Simulations number `first` to `first + count - 1`."""
    return Job(problem.bandit, agent, problem.rounds, problem.discount, seed, first, count)


def run_jobs(
    jobs: Iterable[Job], executor: Executor | None = None, store: Keeper | None = None
) -> Iterator[tuple[Job, SignedBlock]]:
    """Yield each of `jobs` with its block: what `store` has, then what had to be computed.

    Whatever comes back must have been made by the code and the versions of this process: a worker
    with others, or one that returns something else than the block, ends the run.
    """
    todo = []
    for job in dict.fromkeys(jobs):
        found = store.get(block_name(job)) if store is not None else None
        if found is not None and job.fits(found.block):
            yield job, found
        else:
            todo.append(job)
    # Threads of this process, and nothing kept: then an agent needs no source that can be found.
    signed = store is not None or not isinstance(executor, ThreadPoolExecutor | None)
    for job, found in run_tasks(executor, todo, signed_block if signed else unsigned_block):
        if signed:
            check_maker(found.maker, maker_of(type(job.agent)))
        if not job.fits(found.block):
            raise InputError(f"A worker returned something that is no block of {job.text[:80]}...")
        if store is not None:
            store.put(block_name(job), found)
        yield job, found


def block_name(job: Job) -> str:
    """All that a block follows from: what was asked for, and who computed it."""
    return f"{job.text}, by {' '.join(maker_of(type(job.agent)))}"


def check_maker(found: Maker, here: Maker) -> None:
    """Refuse what was not computed by the code and the versions of this process."""
    for name, theirs, ours in zip(Maker._fields, found, here, strict=True):
        if theirs != ours:
            raise InputError(
                f"A worker has another version ({name} {theirs}, here {ours}), and nothing that it "
                f"computed is used: install the same one everywhere. Finished blocks are kept."
            )


def run_tasks(
    executor: Executor | None, tasks: Iterable, function: Callable
) -> Iterator[tuple[Any, Any]]:
    """Yield (task, result) as calls of `function(task, stop sign)` are done, in any order.

    Nothing that was yielded is kept, and no more is handed over than keeps everybody busy: results
    that come faster than they are used would pile up. After an error or Ctrl-C, what waits is
    dropped, and what runs in threads of this process stops at once.
    """
    stop, waiting = never(), iter(tasks)
    own = executor or ThreadPoolExecutor(cores())
    ahead = 4 * getattr(own, "_max_workers", 1000)  # a cluster may have many
    futures: dict[Future, Any] = {}
    try:
        while True:
            for task in islice(waiting, ahead - len(futures)):
                futures[own.submit(function, task, stop)] = task
            if not futures:
                break
            for future in wait(futures, return_when=FIRST_COMPLETED).done:
                yield futures.pop(future), future.result()
    finally:
        stop[0] = True
        for future in futures:
            future.cancel()
        if executor is None:
            own.shutdown(wait=True, cancel_futures=True)


def trace(
    bandit: RecoveringBandit,
    agent: object,
    rounds: int,
    seed: int = 0,
    simulation: int = 0,
    compiled: bool = True,
) -> Trace:
    """Simulation number `simulation` of :func:`simulate`, round by round.

    With `compiled=False` the same methods run as plain Python, where a debugger can stop in them;
    the random stream, and so every arm, is the same.

    Parameters
    ----------
    bandit : RecoveringBandit
    agent : an agent with its parameters
    rounds, seed, simulation : int
    compiled : bool

    Returns
    -------
    Trace
        `arms`, `states` (of the pulled arm), `rewards`, `expected`: one element a round; and
        `memory`, what the agent had learnt at the end.

    Examples
    --------
    >>> import rb_core as rb
    >>> found = rb.trace(rb.setting("small"), rb.SSSarsa(gamma=0.9), rounds=100)
    >>> len(found.arms), found.memory.q.shape
    (100, (9, 9))
    """
    problem, seed = Problem(bandit, rounds), whole("seed", seed, 0)
    rounds, simulation = problem.rounds, whole("simulation", simulation, 0)
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
    rng = stream(bandit, agent, seed, simulation)
    memory = play_one(bandit, agent, rounds, 1.0, rng, log, never(), compiled)
    states = states_at_pull(arms, bandit.start, bandit.s_max)
    return Trace(arms, states, rewards, log.tail, memory)


def states_at_pull(arms: np.ndarray, start: np.ndarray, s_max: int) -> np.ndarray:
    """The state of the pulled arm in each round of a sequence of arms that begins in `start`."""
    states = np.empty(len(arms), np.int64)
    for arm in set(arms.tolist()):
        pulls = np.flatnonzero(arms == arm)
        states[pulls] = np.minimum(np.diff(pulls, prepend=-int(start[arm])), s_max)
    return states


def states_along(bandit: RecoveringBandit, arms: Iterable[int]) -> np.ndarray:
    """The states of all arms before each round of a sequence of arms, and after the last one.

    Parameters
    ----------
    bandit : RecoveringBandit
    arms : sequence of int

    Returns
    -------
    array, (rounds + 1) x K

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


def check_problem(bandit: RecoveringBandit, agent: Any, rounds: int) -> None:
    """Refuse, before anything runs, what could only fail later and less clearly."""
    if isinstance(agent, type) or not hasattr(agent, "init"):
        raise InputError(
            f"agent must be an agent with its parameters, such as rb.SSSarsa(gamma=0.99), "
            f"not {shown(agent)}."
        )
    canonical_text(agent)
    problem = Problem(bandit, rounds)
    size = bandit.arms, bandit.s_max, problem.rounds
    name = type(agent).__name__
    try:
        inspect.signature(agent.init).bind(*size)
    except TypeError:
        raise InputError(f"{name}.init must take (arms, s_max, rounds).") from None
    with failures_of(name):
        memory = agent.init(*size)
    if not (isinstance(memory, tuple) and hasattr(memory, "_fields")):
        raise InputError(
            f"{name}.init must return a NamedTuple with the methods act and learn, "
            f"not {type(memory).__name__}."
        )
    wrong = wrong_signature(memory)
    if wrong:
        raise InputError(wrong)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
