"""Floors in C: what a round of an agent must cost (floors.c says what is in it).

Nothing here uses rb_core: a floor must not move with what it is held against.
"""

import ctypes
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tests.bench import c_library

POINTER, INT, LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
FLOORS = {
    "PlanUCB": "plan_ucb",
    "RandomPull": "random_pull",
    "SS-SARSA": "ss_sarsa",
    "SS-SARSA (sep.)": "ss_sarsa",
    "SARSA": "sarsa",
    "Q-learning": "q_learning",
    "1RGP-TS": "rgp_ts_1",
    "2RGP-TS": "rgp_ts_2",
}


class Walk(ctypes.Structure):
    _fields_ = (("places", POINTER), ("row_in", POINTER), ("rows", LONG))


def load(build_dir, *flags):
    """A function for each floor, by the agent's name: (seed, means, rounds, rows of a run)."""
    library = c_library.load("floors.c", build_dir, *flags)
    return {name: _callable(getattr(library, floor)) for name, floor in FLOORS.items()}


def _callable(function):
    function.argtypes = [POINTER, POINTER, INT, INT, LONG, Walk]
    function.restype = ctypes.c_double

    def play(seed, means, rounds, walk):
        means = np.ascontiguousarray(means, dtype=float)
        places, row_in = walk
        generator = np.random.PCG64(seed)
        with generator.lock:
            return function(
                generator.ctypes.bit_generator, means.ctypes.data, *means.shape, rounds,
                Walk(places.ctypes.data, row_in.ctypes.data, row_in.max() + 1),
            )  # fmt: skip

    return play


def walk(arms, count, s_max):
    """The states that a run met, given its arms: the slot of each round, and the row in each slot.

    At most half of the slots are taken, as in any hash table that is quick.
    """
    state, rows = np.full(count, s_max), {}
    met = np.empty(len(arms), np.int64)
    for t, arm in enumerate(np.asarray(arms)):
        met[t] = rows.setdefault(state.tobytes(), len(rows))
        state = np.minimum(state + 1, s_max)
        state[arm] = 1
    slots = np.random.default_rng(0).permutation(2 ** int(np.ceil(np.log2(2 * len(rows)))))
    row_in = np.zeros(len(slots), np.int32)
    row_in[slots[: len(rows)]] = np.arange(len(rows))
    return slots[met].astype(np.int32), row_in


def memory_walk(build_dir, megabytes, steps, threads):
    """Seconds in which each of `threads` walks `steps` random steps through memory of its own."""
    function = c_library.load("floors.c", build_dir).walk_in_memory
    function.argtypes, function.restype = [POINTER, LONG], LONG
    circle = np.random.default_rng(0).permutation(megabytes * 2**17)
    follower = np.empty_like(circle)
    follower[circle] = np.roll(circle, -1)
    memories = [follower.copy() for _ in range(threads)]
    with ThreadPoolExecutor(threads) as executor:
        start = time.perf_counter()
        list(executor.map(lambda memory: function(memory.ctypes.data, steps), memories))
        return time.perf_counter() - start
