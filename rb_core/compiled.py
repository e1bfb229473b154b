"""Compilation with numba: a disk cache per version of the sources, and methods on memories.

An agent's memory is a NamedTuple with methods `act` and `learn`. The overloads below let compiled
code call these methods, so one loop serves every agent, compiled or not, and numba finds it again
in its disk cache (functions handed over as arguments would be compiled anew in each process).
"""

import hashlib
import inspect
import os
import shutil
import time
from pathlib import Path

import numba
import platformdirs
from numba import types
from numba.core.errors import NumbaRuntimeError, TypingError
from numba.extending import overload_method, register_jitable

SIGNATURES = {
    "act": ("self", "t", "state", "rng"),
    "learn": ("self", "t", "state", "arm", "reward", "next_state"),
    "grow": ("self", "t", "rounds"),
}


INLINE = {"forceinline": True}


def inlined(function):
    """A helper of agents: compiled into its caller, plain Python when called from Python.

    Handing over a memory costs a dozen machine words an array: worth avoiding once a round.
    """
    return register_jitable(**INLINE)(function)


@overload_method(types.BaseNamedTuple, "act", jit_options=INLINE)
def _act(self, t, state, rng):
    return self.instance_class.act


@overload_method(types.BaseNamedTuple, "learn", jit_options=INLINE)
def _learn(self, t, state, arm, reward, next_state):
    return self.instance_class.learn


def source_hash():
    """A short name for the exact text of this package."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder():
    # numba's cache looks only at the file of the outermost function. Compiled code also depends on
    # every file it calls, so each version of the sources gets a folder of its own.
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("rb_core")
    folder = Path(base) / f"rb_core-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        _forget_old(folder)
    except OSError:
        return None
    return folder


def _forget_old(folder, days=14):
    for other in folder.parent.glob("rb_core-*"):
        if other != folder and time.time() - other.stat().st_mtime > days * 86_400:
            shutil.rmtree(other, ignore_errors=True)


_CACHE = _cache_folder()


# Reference counts of the arrays that are passed around would cost more than the arithmetic. A
# function that makes no array can do without them; numba's switch for it is `_nrt`. But a random
# generator that such a function is given from Python is never released: so Python calls a
# function with counts, and only that one calls the function without.
_LEAN = {"nogil": True, "_nrt": False}


def kernel(function):
    """Compile `function`, without the GIL, with the disk cache of this version of the sources."""
    cached = {} if _CACHE is None else {"cache": True}
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_CACHE or before)
    try:
        lean = numba.njit(**_LEAN, **cached)(function)
        if "rng" not in inspect.signature(function).parameters:
            return lean
        # By a global name, because numba's cache does not find closures again. It is only the loop.
        globals()["_loop"] = lean
        return numba.njit(nogil=True, **cached)(_counted_loop)
    finally:
        numba.config.CACHE_DIR = before


# With *arguments instead of nine names, numba takes two agents whose memories look alike, a
# user's copy of ours for instance, for one.
def _counted_loop(problem, memory, rng, first, last, rounds, gamma, position, log):
    return _loop(problem, memory, rng, first, last, rounds, gamma, position, log)  # noqa: F821


def foreign_kernel(function):
    """Compile `function` for agents from elsewhere: never from disk, and arrays may be made.

    numba could not tell an edited agent from the one that it compiled in an earlier process.
    """
    compiled = {}

    def call(*arguments):
        # One dispatcher never sees two classes of the same name: numba would take the agent of an
        # edited notebook cell for the one that it compiled before.
        classes = tuple(_tuple_classes(arguments))
        if classes not in compiled:
            lean = numba.njit(**_LEAN)(function)
            compiled[classes] = numba.njit(nogil=True)(_counting(lean))
        try:
            return compiled[classes](*arguments)
        except (NumbaRuntimeError, TypingError) as error:
            # Raised while compiling, before the first round: the agent makes arrays or slices.
            if "NRT required" not in str(error):
                raise
        compiled[classes] = numba.njit(nogil=True)(function)
        return compiled[classes](*arguments)

    return call


def _counting(lean):
    def counted(problem, memory, rng, first, last, rounds, gamma, position, log):
        return lean(problem, memory, rng, first, last, rounds, gamma, position, log)

    return counted


def _tuple_classes(things):
    for thing in things:
        if isinstance(thing, tuple):
            yield type(thing)
            yield from _tuple_classes(thing)


def wrong_signature(memory):
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
