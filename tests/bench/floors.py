"""Floors in C: what a round of an agent must cost (floors.c says what is in it).

Nothing here uses rb_core: a floor must not move with what it is held against.
"""

import ctypes

import numpy as np

from tests.bench import c_library

POINTER, INT, LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
FLOORS = {
    "RandomPull": "random_pull",
    "SS-SARSA": "ss_sarsa",
    "SS-SARSA (sep.)": "ss_sarsa",
    "SARSA": "sarsa",
    "Q-learning": "q_learning",
    "1RGP-TS": "rgp_ts_1",
    "2RGP-TS": "rgp_ts_2",
}


def load(build_dir):
    """A function for each floor, by the agent's name: (seed, means, rounds, states met)."""
    library = c_library.load("floors.c", build_dir)
    return {name: _callable(getattr(library, floor)) for name, floor in FLOORS.items()}


def _callable(function):
    function.argtypes = [POINTER, POINTER, INT, INT, LONG, LONG]
    function.restype = ctypes.c_double

    def play(seed, means, rounds, states):
        means = np.ascontiguousarray(means, dtype=float)
        generator = np.random.PCG64(seed)
        with generator.lock:
            return function(generator.ctypes.bit_generator, means.ctypes.data, *means.shape,
                            rounds, states)

    return play


def states_met(arms, count, s_max):
    """How many joint states a run met, given its arms."""
    pulled, state = np.asarray(arms), np.full(count, s_max)
    met = {state.tobytes()}
    for arm in pulled:
        state = np.minimum(state + 1, s_max)
        state[arm] = 1
        met.add(state.tobytes())
    return len(met)
