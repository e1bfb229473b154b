"""A block: neighbouring simulations of one agent on one problem, one after the other.

Every simulated number of the book is made by this file and what it reaches.
"""

import platform
import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core.errors import NumbaError

from rb_core.checks import InputError
from rb_core.engine.compiled import METHODS
from rb_core.engine.loop import LONG, MOST_UNROLLED, CompiledBandit, Log, play
from rb_core.engine.stamp import stamp
from rb_core.engine.streams import address, canonical_text, stream_at


class Maker(NamedTuple):
    """Who computed something: all that its bits may depend on besides what was asked for."""

    code: str  # the stamp of the loop and of the agent
    python: str
    numpy: str
    numba: str


UNSIGNED = Maker("", "", "", "")


class Block(NamedTuple):
    """What neighbouring simulations gave; one row a simulation."""

    discounted: np.ndarray  # simulation x checkpoint
    undiscounted: np.ndarray
    tail: np.ndarray
    tail_arms: np.ndarray
    tail_start: np.ndarray


class SignedBlock(NamedTuple):
    """A block, who computed it, and how many seconds a core worked on it."""

    block: Block
    maker: Maker
    seconds: float


@dataclass(frozen=True)
class Job:
    """Neighbouring simulations of one agent on one problem.

    They are evaluated with and without discount: an agent that has no discount of its own is thus
    simulated once for both.
    """

    bandit: Any  # the engine lies below bandits and agents, and imports neither
    agent: Any
    rounds: int
    discount: float
    seed: int
    first: int
    count: int

    @property
    def text(self) -> str:
        """All that its block follows from, but for who computes it."""
        return (
            f"{canonical_text(self.agent)} on {canonical_text(self.bandit)}, {self.rounds} rounds, "
            f"discount {self.discount!r}, seed {self.seed}, simulations {self.first} to "
            f"{self.first + self.count - 1}"
        )

    def room(self) -> Block:
        """A block that is still to be filled."""
        marks, tail = len(checkpoints(self.rounds)), min(3 * self.bandit.s_max, self.rounds)
        return Block(
            np.empty((self.count, marks)),
            np.empty((self.count, marks)),
            np.empty((self.count, tail)),
            np.empty((self.count, tail), np.int32),
            np.empty((self.count, self.bandit.arms), np.int32),
        )

    def fits(self, block: Block) -> bool:
        """Whether `block` could be this job's: complete, and made of numbers."""
        return all(
            found.shape == room.shape and found.dtype == room.dtype and np.isfinite(found).all()
            for found, room in zip(block, self.room(), strict=True)
        )


def maker_of(kind: Any) -> Maker:
    """Who computes simulations of this class of agents in this process.

    Taken once a process, as the class is, which an edit of its file does not change either.
    """
    return _maker_of(kind)


@cache
def _maker_of(kind: Any) -> Maker:
    code = stamp(simulate_block, Job, kind, *METHODS)
    return Maker(code, platform.python_version(), np.__version__, numba.__version__)


def signed_block(job: Job, stop: np.ndarray | None = None) -> SignedBlock:
    """The block of a job, signed by whoever runs this."""
    return unsigned_block(job, stop)._replace(maker=maker_of(type(job.agent)))


def unsigned_block(job: Job, stop: np.ndarray | None = None) -> SignedBlock:
    """The block of a job, for the process that computes it."""
    start = time.thread_time()
    block = simulate_block(job, stop)
    return SignedBlock(block, UNSIGNED, time.thread_time() - start)


def simulate_block(job: Job, stop: np.ndarray | None = None) -> Block:
    """The simulations of a job, one after the other, in this thread."""
    marks, block = checkpoints(job.rounds), job.room()
    stop = never() if stop is None else stop
    place = address(job.bandit, job.agent)
    for i in range(job.count):
        log = Log(marks, *(part[i] for part in block), *no_history())  # type: ignore[call-arg]
        rng = stream_at(place, job.seed, job.first + i)
        play_one(job.bandit, job.agent, job.rounds, job.discount, rng, log, stop)
        if stop[0]:
            break
    return block


def play_one(
    bandit: Any,
    agent: Any,
    rounds: int,
    gamma: float,
    rng: np.random.Generator,
    log: Log,
    stop: np.ndarray,
    compiled: bool = True,
) -> Any:
    """One simulation into `log`; returns the agent's memory at its end."""
    normal, sd = bandit.reward == "normal", float(np.sqrt(bandit.variance))
    written_out = rounds >= LONG and bandit.arms <= MOST_UNROLLED
    seen = CompiledBandit(bandit.means, normal, sd, (0,) * bandit.arms if written_out else ())
    name = type(agent).__name__
    try:
        wrong_round, memory = play(seen, agent, rng, rounds, gamma, log, stop, compiled)
    except InputError:
        raise
    except NumbaError as error:
        raise InputError(
            f"numba cannot compile {name}; run it with trace(..., compiled=False) and see numba's "
            f"report above."
        ) from error
    except Exception as error:
        if not compiled:
            raise  # whoever runs it line by line wants to see where
        raise InputError(
            f"{name} failed with {type(error).__name__}: {error}; trace(..., compiled=False) shows "
            f"where."
        ) from error
    if wrong_round:
        raise InputError(
            f"{name} chose something that is no arm in round {wrong_round}; arms are 0 to "
            f"{bandit.arms - 1}."
        )
    return memory


def no_history() -> tuple[np.ndarray, np.ndarray]:
    return np.empty(0, np.int64), np.empty(0)


def never() -> np.ndarray:
    """A stop sign that nobody has set: a flag in an array, so that threads can share it."""
    return np.zeros(1, np.bool_)


def checkpoints(rounds: int) -> np.ndarray:
    """Rounds at which curves are kept: evenly spaced, and closer together at the beginning."""
    return _checkpoints(rounds).copy()


@lru_cache
def _checkpoints(rounds: int) -> np.ndarray:
    even = np.arange(1, 101) * rounds // 100
    early = np.geomspace(1, rounds, 40).astype(int)
    return np.unique(np.concatenate([even[even > 0], early, [rounds]]))
