"""An agent that makes real decisions, one at a time: it chooses, is told the reward, and is saved.

A saved player is one file: a digest, then a description in JSON and the arrays of its memory. It is
written whole or not at all, holds no code, and is refused if it is damaged or if the agent's code
has changed since.
"""

import dataclasses
import io
import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from rb_core import agents
from rb_core.checks import MOST_ROUNDS, InputError, failures_of, number, shown, whole
from rb_core.engine.blocks import maker_of
from rb_core.engine.files import check_writable
from rb_core.engine.sealed import read_sealed, write_sealed
from rb_core.engine.streams import canonical_text, stream

FORMAT = 1
MOST_REWARD = 1e100  # agents sum the squares of rewards
# More arms would take PlanUCB minutes to count their joint states, and more pairs of an arm and a
# state gigabytes.
MOST_ARMS, MOST_STATES, MOST_PAIRS = 2000, 10**6, 10**7
AHEAD = 1000  # rounds for which an agent that needs more and more room gets it at a time


class Player:
    """An agent at work, with no simulation around it.

    Parameters
    ----------
    agent : an agent with its parameters
    arms, s_max : int
        How many arms there are, and after how many rounds an arm counts as rested.
    rounds : int or None
        How many decisions there will be; None for an open end. PlanUCB then assumes at any time
        that as many rounds are to come as it has played, and so never quite stops to explore.
        Agents that explore a share of the rounds must know how many there are. One of your own
        says `open_end = True` in its class if it can do without; its `init` then gets 0.
    seed : int
        Of the agent's own random numbers.

    Examples
    --------
    >>> import rb_core as rb
    >>> player = rb.Player(rb.PlanUCB(), arms=3, s_max=4)
    >>> for _ in range(5):
    ...     arm = player.choose()
    ...     player.observe(1.0 if arm == 2 else 0.0)
    >>> player
    <Player: PlanUCB(), 3 arms, 5 played of an open end>
    """

    def __init__(
        self, agent: Any, arms: int, s_max: int, rounds: int | None = None, seed: int = 0
    ):
        if isinstance(agent, type) or not hasattr(agent, "init"):
            raise InputError(f"agent must be an agent with its parameters, not {shown(agent)}.")
        self.agent, self.seed = agent, whole("seed", seed, 0)
        name = type(agent).__name__
        self.arms = whole("arms", arms, 1, MOST_ARMS)
        self.s_max = whole("s_max", s_max, 1, MOST_STATES)
        whole("arms times s_max", self.arms * self.s_max, 1, MOST_PAIRS)
        self.rounds = None if rounds is None else whole("rounds", rounds, 1, MOST_ROUNDS)
        if rounds is None and hasattr(agent, "explore"):
            raise InputError(f"{name} explores a share of the rounds: say how many there are.")
        if rounds is None and not (
                getattr(agents, name, None) is type(agent) or getattr(agent, "open_end", False)):
            raise InputError(f"{name} does not say that it can do without the number of rounds "
                             f"(open_end = True in its class): say how many there are.")
        with failures_of(name):
            self._memory = agent.init(self.arms, self.s_max, self.rounds or 0)
            _arrays(self._memory)
        self._state = np.full(self.arms, self.s_max)
        self._next = self._state.copy()
        self._rng = stream(("player", self.arms, self.s_max), agent, self.seed)
        self._played, self._room, self._pending = 0, 0, -1

    @property
    def rounds_played(self) -> int:
        """How many rewards it was told."""
        return self._played

    @property
    def state(self) -> tuple[int, ...]:
        """The state of every arm before the next pull, from 1 to s_max."""
        return tuple(self._state.tolist())

    @property
    def pending(self) -> int | None:
        """The arm that was chosen and whose reward is still to be observed; None if there is none.
        """
        return None if self._pending < 0 else self._pending

    def choose(self) -> int:
        """The arm to pull now; its reward must be observed before the next choice.

        Examples
        --------
        >>> import rb_core as rb
        >>> rb.Player(rb.PlanUCB(), arms=3, s_max=4).choose()
        0
        """
        if self._pending >= 0:
            raise InputError(
                f"Arm {self._pending} was chosen in round {self._played + 1}: observe its reward "
                f"before the next choice.")
        t = self._played + 1
        if t == (self.rounds or 0) + 1 and self.rounds is not None:
            raise InputError(f"All {self.rounds:,} rounds have been played.")
        if t > self._room and hasattr(self._memory, "grow"):
            self._memory, self._room = self._memory.grow(t, AHEAD), t + AHEAD - 1
        arm = int(self._memory.act(t, self._state, self._rng))
        if not 0 <= arm < self.arms:
            raise InputError(f"{type(self.agent).__name__} chose {arm}, which is no arm.")
        self._pending = arm
        return arm

    def observe(self, reward: float) -> None:
        """Tell the reward of the arm that was chosen.

        Parameters
        ----------
        reward : float
            Any number from -1e100 to 1e100. A single one that is far from all others (an outlier of
            a measurement) can spoil what PlanUCB and others have learnt: clip it before.

        Examples
        --------
        >>> import rb_core as rb
        >>> player = rb.Player(rb.PlanUCB(), arms=3, s_max=4)
        >>> arm = player.choose()
        >>> player.observe(0.5)
        """
        arm = self._pending
        if arm < 0:
            raise InputError("There is nothing to observe: choose an arm first.")
        if isinstance(reward, np.generic):
            reward = reward.item()  # else it would be compared at its own precision
        elif isinstance(reward, Decimal) and reward.is_finite():
            reward = float(reward)  # to Python, a Decimal is no real number
        reward = number("reward", reward, -MOST_REWARD, MOST_REWARD)
        np.add(self._state, 1, out=self._next)
        np.minimum(self._next, self.s_max, out=self._next)
        self._next[arm] = 1
        self._memory.learn(self._played + 1, self._state, arm, reward, self._next)
        self._state, self._next = self._next, self._state
        self._played += 1
        self._pending = -1

    def save(self, path: str | Path) -> None:
        """Write everything to a file: once this returns, the player survives being killed.

        After a power cut, the file may be the one that was saved before it.

        Parameters
        ----------
        path : path
            Is replaced at once if it is there already.

        Examples
        --------
        >>> import tempfile, rb_core as rb
        >>> player = rb.Player(rb.PlanUCB(), arms=3, s_max=4)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     player.save(f"{folder}/reminders.player")
        ...     rb.Player.load(f"{folder}/reminders.player").choose()
        0
        """
        said = {
            "format": FORMAT, "agent": type(self.agent).__name__,
            "parameters": dataclasses.asdict(self.agent), "text": canonical_text(self.agent),
            "code": maker_of(type(self.agent)).code, "arms": self.arms, "s_max": self.s_max,
            "rounds": self.rounds, "seed": self.seed, "played": self._played, "room": self._room,
            "pending": self._pending, "random": self._rng.bit_generator.state,
        }
        payload = io.BytesIO()
        arrays = {f"memory{i}": array for i, array in enumerate(_arrays(self._memory))}
        np.savez(payload, said=np.array(json.dumps(said, default=_plain)), state=self._state,
                 **arrays)  # type: ignore[arg-type]
        path = _path(path)
        check_writable(path.parent)
        write_sealed(path, payload.getvalue())

    @classmethod
    def load(cls, path: str | Path, agent: Any = None) -> "Player":
        """A player as it was saved.

        Parameters
        ----------
        path : path
        agent : optional
            An agent of your own must be given again: a file holds no code.

        Examples
        --------
        >>> import tempfile, rb_core as rb
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     rb.Player(rb.RandomPull(), arms=3, s_max=4).save(f"{folder}/mine.player")
        ...     rb.Player.load(f"{folder}/mine.player").rounds_played
        0
        """
        path = _path(path)
        payload = read_sealed(path)
        if payload is None:
            there = "is damaged, or no saved player" if os.path.exists(path) else "is not there"
            raise InputError(f"{str(path)!r} {there}.")
        try:
            return cls._rebuilt(payload, agent)
        except InputError:
            raise
        except Exception as error:  # whole, but with other content
            raise InputError(f"{str(path)!r} is no saved player.") from error

    @classmethod
    def _rebuilt(cls, payload: bytes, agent: Any) -> "Player":
        with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
            said, found = json.loads(str(arrays["said"])), dict(arrays)
        if said["format"] != FORMAT:
            raise InputError(f"The file was saved in another format ({said['format']}).")
        agent = _same_agent(said, agent)
        player = cls(agent, said["arms"], said["s_max"], said["rounds"], said["seed"])
        saved = [found[f"memory{i}"] for i in range(len(found) - 2)]
        player._memory = _filled(player._memory, iter(saved))
        player._state[:] = found["state"]
        if not 1 <= player._state.min() <= player._state.max() <= player.s_max:
            raise ValueError("states that no arm has")
        player._played = whole("played", said["played"], 0, player.rounds)
        player._pending = whole("pending", said["pending"], -1, player.arms - 1)
        player._room = said["room"]
        player._rng.bit_generator.state = said["random"]
        return player

    def __repr__(self) -> str:
        end = "an open end" if self.rounds is None else f"{self.rounds:,} rounds"
        return f"<Player: {self.agent}, {self.arms} arms, {self._played:,} played of {end}>"


def _path(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike) or "\0" in str(path):
        raise InputError(f"path must be the path of a file, not {shown(path)}.")
    return Path(path)


def _same_agent(said: dict[str, Any], agent: Any) -> Any:
    """The agent of a file, if it is the one that was saved and has the code of then."""
    if agent is None:
        kind = getattr(agents, said["agent"], None)
        if kind is None:
            raise InputError(f"The file is of an agent of your own: give {said['agent']} again, as "
                             f"in Player.load(path, agent).")
        agent = kind(**said["parameters"])
    if canonical_text(agent) != said["text"]:
        raise InputError(f"The file was saved by {said['text']}, not by {canonical_text(agent)}.")
    code = maker_of(type(agent)).code
    if code != said["code"]:
        raise InputError(f"The file was saved by another version of {said['agent']} "
                         f"({said['code']}, here {code}).")
    return agent


def _plain(value: Any) -> Any:
    """Of a parameter that is NumPy's: what JSON can hold."""
    return value.tolist()


def _arrays(memory: Any) -> list[np.ndarray]:
    """All arrays of a memory, also those in tuples inside it, in order."""
    if isinstance(memory, np.ndarray):
        return [memory]
    if isinstance(memory, tuple):
        return [each for part in memory for each in _arrays(part)]
    if not isinstance(memory, int | float | np.generic):  # what does not change
        raise InputError(f"{shown(memory)} in a memory would not be saved: what changes must lie "
                         f"in arrays.")
    return []


def _filled(memory: Any, saved: Any) -> Any:
    """`memory` with saved arrays: in place, because two may be views of one, unless they grew."""
    if isinstance(memory, np.ndarray):
        array = next(saved)
        if (array.dtype, array.ndim) != (memory.dtype, memory.ndim):
            raise ValueError("another kind of array")
        if array.shape != memory.shape:
            return array
        memory[...] = array
        return memory
    if isinstance(memory, tuple):
        parts = [_filled(part, saved) for part in memory]
        return type(memory)(*parts) if hasattr(memory, "_fields") else tuple(parts)
    return memory
