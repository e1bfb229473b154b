"""A conformance suite for agents: what every one of them must keep to (chapter bring_your_own)."""

from itertools import product
from typing import Any

import numpy as np

from rb_core.bandit import RecoveringBandit
from rb_core.checks import InputError, failures_of, whole
from rb_core.engine.streams import canonical_text
from rb_core.simulation import Trace, check_problem, trace

ROUNDS = 300


def check_agent(agent: object, arms: int = 4, s_max: int = 3) -> None:
    """Put `agent` through the conformance suite; the first rule that it breaks is an InputError.

    The rules: it pulls legal arms only; the same seed gives the same run; different seeds give
    different ones; compiled and interpreted it takes the same arms and draws the same numbers; two
    simulations share no memory, and a run leaves the agent as it was.

    Parameters
    ----------
    agent : an agent with its parameters
    arms, s_max : int
        Of the bandits that it is tried on.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.check_agent(rb.SSSarsa(gamma=0.9))
    """
    arms, s_max = whole("arms", arms, 1), whole("s_max", s_max, 1)
    with failures_of(type(agent).__name__):
        _check(agent, arms, s_max)


def _check(agent: Any, arms: int, s_max: int) -> None:
    name = type(agent).__name__
    means = np.random.default_rng(7).random((arms, s_max))
    for law in ("bernoulli", "normal"):
        bandit = RecoveringBandit(means, law)
        check_problem(bandit, agent, ROUNDS)
        before = canonical_text(agent)
        parameters = getattr(type(agent), "__dataclass_params__", None)
        if parameters is not None and not parameters.frozen:
            raise InputError(f"{name} must be a frozen dataclass: parameters do not change.")
        memories = [_arrays(agent.init(arms, s_max, ROUNDS)) for _ in range(2)]
        if any(np.shares_memory(left, right) for left, right in product(*memories)):
            raise InputError(f"Two simulations of {name} share memory: init must make new arrays.")
        line_by_line = trace(bandit, agent, ROUNDS, seed=1, compiled=False)
        if canonical_text(agent) != before:
            raise InputError(
                f"A run changed the parameters of {name}: they belong to all simulations."
            )
        compiled = trace(bandit, agent, ROUNDS, seed=1)
        for what, left, right in zip(compiled._fields[:-1], compiled, line_by_line, strict=False):
            if not np.array_equal(left, right):
                first = int(np.argmax(left != right)) + 1
                raise InputError(
                    f"{name} compiled and {name} interpreted part in round {first}: their {what} "
                    f"differ."
                )
        if not all(map(_nearly_equal, _arrays(compiled.memory), _arrays(line_by_line.memory))):
            raise InputError(f"{name} compiled and {name} interpreted learn different things.")
        if not _same(compiled, trace(bandit, agent, ROUNDS, seed=1)):
            raise InputError(f"{name} run twice with the same seed gives two different runs.")
        if _same(compiled, trace(bandit, agent, ROUNDS, seed=2)):
            raise InputError(f"{name} with two different seeds gives the same run.")


def _arrays(memory: tuple) -> list[np.ndarray]:
    """All arrays of a memory, also those in tuples inside it."""
    inside = [part for field in memory if isinstance(field, tuple) for part in _arrays(field)]
    return inside + [field for field in memory if isinstance(field, np.ndarray)]


def _nearly_equal(left: np.ndarray, right: np.ndarray) -> bool:
    # A compiler may round once where Python rounds twice.
    return left.shape == right.shape and np.allclose(left, right, rtol=1e-9, equal_nan=True)


def _same(left: Trace, right: Trace) -> bool:
    return all(map(np.array_equal, left[:-1], right[:-1]))
