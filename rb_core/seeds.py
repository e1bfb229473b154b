"""Seeds are addresses: a simulation's random stream follows from what it simulates."""

import dataclasses
import hashlib

import numpy as np

from rb_core.errors import InputError


def address(bandit, agent):
    """Numbers that stand for `agent` on `bandit`, the same in every process."""
    text = f"{describe(agent)} on {describe(bandit)}"
    return np.frombuffer(hashlib.sha256(text.encode()).digest(), "<u4").tolist()


def stream(place, seed, simulation):
    """The random generator of simulation number `simulation` of what lives at address `place`.

    It depends on nothing else: not on chunks, workers, or which other simulations run.
    """
    seeds = np.random.SeedSequence(seed, spawn_key=(*place, simulation))
    return np.random.Generator(np.random.PCG64(seeds))


def describe(thing):
    """A text that two equal bandits or agents share, in every process, and no others."""
    if dataclasses.is_dataclass(thing):
        # What is at its default is left out: a new parameter does not move old streams.
        pairs = [
            (field.name, getattr(thing, field.name))
            for field in dataclasses.fields(thing)
            if field.default is dataclasses.MISSING
            or describe(getattr(thing, field.name)) != describe(field.default)
        ]
    elif isinstance(thing, tuple) and hasattr(thing, "_fields"):
        pairs = list(zip(thing._fields, thing, strict=True))
    elif isinstance(thing, np.ndarray):
        return f"array{thing.shape}{thing.dtype.str}{thing.tobytes().hex()}"
    elif isinstance(thing, bool | int | float | str | type(None)):
        return repr(float(thing)) if isinstance(thing, int | float) else repr(thing)
    elif isinstance(thing, np.generic):
        return describe(thing.item())
    elif isinstance(thing, tuple):
        return f"({', '.join(map(describe, thing))})"
    else:
        raise InputError(
            f"{type(thing).__name__} cannot be named: an agent is a frozen dataclass or a "
            f"NamedTuple whose fields are numbers, texts, arrays or tuples of them."
        )
    inside = ", ".join(f"{name}={describe(value)}" for name, value in pairs)
    return f"{type(thing).__name__}({inside})"
