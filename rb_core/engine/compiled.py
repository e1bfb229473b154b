"""Compilation with numba, and methods on memories.

An agent's memory is a NamedTuple with methods `act` and `learn`. The overloads below let compiled
code call these methods, so one loop serves every agent, compiled or not, and is found again in the
disk cache (functions handed over as arguments would be compiled anew in each process).
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba import types
from numba.extending import overload_method, register_jitable

from rb_core.engine.cache import DiskCache, with_drawn_numbers

SIGNATURES = {
    "act": ("self", "t", "state", "rng"),
    "learn": ("self", "t", "state", "arm", "reward", "next_state"),
    "grow": ("self", "t", "rounds"),
}
Function = TypeVar("Function", bound=Callable)
INLINE = {"forceinline": True}
COUNTED: dict[str, Any] = {"nogil": True}
# Reference counts of the arrays that are passed around would cost more than the arithmetic. A
# function that makes no array can do without them; numba's switch for it is `_nrt`. But a random
# generator that such a function is given from Python is never released: so Python calls a
# function with counts, and only that one calls the function without.
LEAN: dict[str, Any] = {"nogil": True, "_nrt": False}


def inlined(function: Function) -> Function:
    """A helper of agents: compiled into its caller, plain Python when called from Python.

    Handing over a memory costs a dozen machine words an array: worth avoiding once a round.

    Parameters
    ----------
    function

    Examples
    --------
    >>> import rb_core as rb
    >>> @rb.inlined
    ... def mean_of(total, count):
    ...     return total / count if count > 0 else 1.0
    >>> mean_of(3.0, 2)
    1.5
    """
    return register_jitable(**INLINE)(function)


@overload_method(types.BaseNamedTuple, "act", jit_options=INLINE)  # type: ignore[call-arg]
def act_method(self, t, state, rng):
    return self.instance_class.act


@overload_method(types.BaseNamedTuple, "learn", jit_options=INLINE)  # type: ignore[call-arg]
def learn_method(self, t, state, arm, reward, next_state):
    return self.instance_class.learn


# Nothing names them where they are used.
METHODS = (act_method, learn_method)


def kernel(function: Callable) -> Any:
    """Compile `function`, without the GIL; it may be given a random generator."""
    return _cached(numba.njit(**COUNTED)(function))


def lean_kernel(function: Callable) -> Any:
    """Compile `function`, without the GIL; it makes no arrays and is given no random generator."""
    return _cached(numba.njit(**LEAN)(function))


def _cached(dispatcher: Any) -> Any:
    dispatcher._cache = DiskCache(dispatcher, METHODS)
    dispatcher._compiler.compile = with_drawn_numbers(dispatcher._compiler.compile)
    return dispatcher


def wrong_signature(memory: tuple) -> str | None:
    """What is wrong with the methods of `memory`, in a sentence; None if they can be compiled."""
    for name, expected in SIGNATURES.items():
        method = getattr(type(memory), name, None)
        if method is None and name == "grow":
            continue
        if method is None:
            return f"{type(memory).__name__} has no method {name}({', '.join(expected[1:])})."
        found = tuple(inspect.signature(method).parameters)
        if found != expected:
            return (
                f"{type(memory).__name__}.{name} must take ({', '.join(expected)}), "
                f"not ({', '.join(found)})."
            )
    return None
