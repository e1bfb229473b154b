"""Seeds are addresses: a simulation's random stream follows from what it simulates."""

import dataclasses
import hashlib
from typing import Any

import numpy as np

from rb_core.checks import InputError, whole


def address(bandit: object, agent: object) -> list[int]:
    """Numbers that stand for `agent` on `bandit`, the same in every process."""
    text = f"{canonical_text(agent)} on {canonical_text(bandit)}"
    return np.frombuffer(hashlib.sha256(text.encode()).digest(), "<u4").tolist()


def stream(
    bandit: object, agent: object, seed: int = 0, simulation: int = 0
) -> np.random.Generator:
    """The random generator of one simulation, the very stream that :func:`simulate` plays it with.

    It depends on nothing else: not on chunks, workers, or which other simulations run.

    Parameters
    ----------
    bandit : RecoveringBandit
    agent : an agent with its parameters
    seed : int
    simulation : int
        Its number, from 0.

    Returns
    -------
    numpy.random.Generator

    Examples
    --------
    >>> import rb_core as rb
    >>> bandit, agent = rb.setting("small"), rb.RandomPull()
    >>> float(rb.stream(bandit, agent).random()) == float(rb.stream(bandit, agent).random())
    True
    """
    seed, simulation = whole("seed", seed, 0), whole("simulation", simulation, 0)
    return stream_at(address(bandit, agent), seed, simulation)


def stream_at(place: list[int], seed: int, simulation: int) -> np.random.Generator:
    """The stream of a simulation of what lives at address `place`."""
    seeds = np.random.SeedSequence(seed, spawn_key=(*place, simulation))
    return np.random.Generator(np.random.PCG64(seeds))


def canonical_text(thing: Any) -> str:
    """A text that two equal bandits or agents share, in every process, and no others."""
    if dataclasses.is_dataclass(thing):
        # What is at its default is left out: a new parameter does not move old streams.
        pairs = [
            (field.name, getattr(thing, field.name))
            for field in dataclasses.fields(thing)
            if field.default is dataclasses.MISSING
            or canonical_text(getattr(thing, field.name)) != canonical_text(field.default)
        ]
    elif isinstance(thing, tuple) and hasattr(thing, "_fields"):
        pairs = list(zip(thing._fields, thing, strict=True))
    elif isinstance(thing, np.ndarray):
        return f"array{thing.shape}{thing.dtype.str}{thing.tobytes().hex()}"
    elif isinstance(thing, bool | int | float | str | type(None)):
        # 1 and 1.0 are the same parameter; whole numbers that no float can hold are themselves.
        same = isinstance(thing, int | float) and abs(thing) < 1e300 and float(thing) == thing
        return repr(float(thing)) if same else repr(thing)  # type: ignore[arg-type]
    elif isinstance(thing, np.generic):
        return canonical_text(thing.item())
    elif isinstance(thing, tuple):
        return f"({', '.join(map(canonical_text, thing))})"
    else:
        raise InputError(
            f"{type(thing).__name__} cannot be named: an agent is a frozen dataclass or a "
            f"NamedTuple whose fields are numbers, texts, arrays or tuples of them."
        )
    inside = ", ".join(f"{name}={canonical_text(value)}" for name, value in pairs)
    return f"{type(thing).__name__}({inside})"
