"""A conformance suite for agents: what every one of them must keep to (chapter 14)."""

import dataclasses

import numpy as np

from rb_core.bandit import RecoveringBandit
from rb_core.errors import InputError
from rb_core.seeds import describe
from rb_core.simulate import check_problem, trace

ROUNDS = 300


def check_agent(agent, arms=4, s_max=3):
    """Put `agent` through the conformance suite; the first rule that it breaks is an InputError.

    The rules: it pulls legal arms only; the same seed gives the same run; different seeds give
    different ones; compiled and interpreted it takes the same arms and draws the same numbers; two
    simulations share no memory, and a run leaves the agent as it was.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.check_agent(rb.SSSarsa(gamma=0.9))
    """
    name = type(agent).__name__
    means = np.random.default_rng(7).random((arms, s_max))
    for law in ("bernoulli", "normal"):
        bandit = RecoveringBandit(means, law)
        check_problem(bandit, agent, ROUNDS)
        _check_memory(agent, bandit, name)
        line_by_line = trace(bandit, agent, ROUNDS, seed=1, compiled=False)
        _check_arms(line_by_line.arms, arms, name)
        compiled = trace(bandit, agent, ROUNDS, seed=1)
        for what, left, right in zip(
            compiled._fields, compiled, line_by_line, strict=True
        ):
            if not np.array_equal(left, right):
                first = int(np.argmax(left != right)) + 1
                raise InputError(
                    f"{name} compiled and {name} interpreted part in round {first}: their {what} "
                    f"differ."
                )
        if not _same(compiled, trace(bandit, agent, ROUNDS, seed=1)):
            raise InputError(f"{name} run twice with the same seed gives two different runs.")
        if _same(compiled, trace(bandit, agent, ROUNDS, seed=2)):
            raise InputError(f"{name} with two different seeds gives the same run.")


def _check_memory(agent, bandit, name):
    before = describe(agent)
    first, second = (agent.init(bandit.arms, bandit.s_max, ROUNDS) for _ in range(2))
    for left in _arrays(first):
        if any(np.shares_memory(left, right) for right in _arrays(second)):
            raise InputError(f"Two simulations of {name} share memory: init must make new arrays.")
    if dataclasses.is_dataclass(agent) and not type(agent).__dataclass_params__.frozen:
        raise InputError(f"{name} must be a frozen dataclass: parameters do not change in a run.")
    try:
        trace(bandit, agent, ROUNDS, compiled=False)
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"{name}, run line by line, fails with {type(error).__name__}; "
            f"trace(..., compiled=False) shows where."
        ) from error
    if describe(agent) != before:
        raise InputError(f"A run changed the parameters of {name}: they belong to all simulations.")


def _arrays(memory):
    for field in memory:
        if isinstance(field, np.ndarray):
            yield field
        elif isinstance(field, tuple):
            yield from _arrays(field)


def _check_arms(pulled, arms, name):
    if not np.isin(pulled, np.arange(arms)).all():
        raise InputError(f"{name} chose something that is no arm; arms are 0 to {arms - 1}.")


def _same(left, right):
    return all(map(np.array_equal, left, right))
