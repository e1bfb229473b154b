"""Compiles agents.c and plan_ucb.c and calls their functions, which play one simulation each.

    in_c = load(build_dir)
    arms, total, table = in_c["SSSarsa"](rng, means, "bernoulli", None, T, gamma=0.99, room=81)

`arms` has every round, and `table` the first `room` numbers of what was learnt; without room
neither is kept.
"""

import ctypes
import dataclasses
import math

import numpy as np

import rb_core as rb
from tests.bench import c_library

POINTER, INT, LONG, REAL = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_double
PROBLEM = [POINTER, POINTER, INT, INT, INT, REAL, LONG]
OUTPUT = [POINTER, POINTER, LONG, POINTER]
SIGNATURES = {
    "ss_sarsa": [REAL, REAL, LONG, INT, INT],
    "sarsa": [REAL, REAL, LONG, INT, INT],
    "q_learning": [REAL, REAL, LONG, INT, INT],
    "rgp_ts": [INT, REAL, REAL],
    "random_pull": [],
}


def simulate(function, rng, means, reward, variance, T, parameters, room):
    """One simulation: arms, sum of expected rewards, what was learnt."""
    means = np.ascontiguousarray(means, dtype=float)
    K, s_max = means.shape
    arms, table = np.empty(T if room is not None else 0, dtype=np.int16), np.zeros(room or 0)
    total = REAL()
    normal = {"bernoulli": 0, "normal": 1}[reward]
    generator = rng.bit_generator
    with generator.lock:
        played = function(
            generator.ctypes.bit_generator, means.ctypes.data, K, s_max, normal,
            math.sqrt(variance) if normal else 0.0, T, *parameters,
            arms.ctypes.data if len(arms) else None, table.ctypes.data, len(table),
            ctypes.addressof(total),
        )
    if played < 0:
        raise MemoryError("The C simulation ran out of memory.")
    return arms, total.value, table


def value_learner(function, joint_values):
    """The Python face of SS-SARSA, SARSA or Q-learning."""

    def run(rng, means, reward, variance, T, gamma, t0=5000, explore=0.1, ties="random",
            visits="joint", room=None):
        K, s_max = np.shape(means)
        if (joint_values or visits == "joint") and s_max**K >= 2**63:
            raise ValueError(f"{s_max}^{K} joint states do not fit the 64-bit keys of agents.c.")
        parameters = (gamma, t0, round(explore * T), {"first": 0, "random": 1}[ties],
                      {"joint": 0, "separated": 1}[visits])
        return simulate(function, rng, means, reward, variance, T, parameters, room)

    return run


def load(build_dir):
    """A function for each agent that is there in C, by class; the library is kept in build_dir."""
    library = c_library.load("agents.c", build_dir)
    for name, parameters in SIGNATURES.items():
        function = getattr(library, name)
        function.argtypes, function.restype = PROBLEM + parameters + OUTPUT, LONG

    def rgp_ts(rng, means, reward, variance, T, lookahead=1, sigma=1.0, length_scale=2.5,
               room=None):
        parameters = (lookahead, sigma, length_scale)
        return simulate(library.rgp_ts, rng, means, reward, variance, T, parameters, room)

    def random_pull(rng, means, reward, variance, T, room=None):
        return simulate(library.random_pull, rng, means, reward, variance, T, (), room)

    plan = c_library.load("plan_ucb_numpy.c", build_dir).plan_ucb
    plan.argtypes, plan.restype = PROBLEM + OUTPUT, LONG

    def plan_ucb(rng, means, reward, variance, T, room=None):
        return simulate(plan, rng, means, reward, variance, T, (), room)

    return {
        "PlanUCB": plan_ucb,
        "SSSarsa": value_learner(library.ss_sarsa, joint_values=False),
        "Sarsa": value_learner(library.sarsa, joint_values=True),
        "QLearning": value_learner(library.q_learning, joint_values=True),
        "RGPTS": rgp_ts,
        "RandomPull": random_pull,
    }


def play(in_c, bandit, agent, rounds, seed=0, simulation=0, room=None):
    """The simulation of `agent` in C, with the random stream of the compiled one."""
    parameters = dataclasses.asdict(agent)
    for name in ("refresh", "samples"):  # C has the standard readings of dRGP-TS only
        parameters.pop(name, None)
    rng = rb.stream(bandit, agent, seed, simulation)
    function = in_c[type(agent).__name__]
    return function(rng, bandit.means, bandit.reward, bandit.variance, rounds, room=room,
                    **parameters)
